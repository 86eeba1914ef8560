"""How much parts give out that never ran, from rates, windows and selectivities. What was measured is not estimated.

Stated plainly, and no more than that:

- Events of n types come independently of each other. Within a window W each combination of them is an occurrence with a
  probability s: 0.1 for each guard that compares two of its events for equality, 0.5 for each other one.
- So rates r1 .. rn make m = s * r1 * .. * rn * W^(n-1) occurrences a second, over (n-1)! where they have an order.
- An event takes part in m / r occurrences in the mean, so in at least one with the probability 1 - exp(-m / r). That is
  the part of a type's events that a join passes on. Without a window all are.
- A rule tells each occurrence as a detection of 400 bytes, but no more detections than events come.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import exp, factorial, inf
from typing import Final

from tocsin.algebra.guards import Binary, Guard, conjuncts, variables_of
from tocsin.algebra.links import mentioned
from tocsin.algebra.patterns import Concatenation, Pattern, Sequence, Where, Within, walk
from tocsin.algebra.rules import Rule
from tocsin.planner.durations import lasting
from tocsin.sites.placement.rates import NOTHING, Flow

EQUAL: Final = 0.1
"""How often two events are equal in an attribute that a guard compares."""
OTHERWISE: Final = 0.5
"""How often any other guard holds."""
DETECTION: Final = 400.0
"""Bytes of a detection as it travels."""


def selectivity(rule: Rule) -> float:
    """How probable it is that a combination of events within the window is an occurrence."""
    guards = [] if rule.condition is None else [rule.condition]
    guards += [part.guard for part in walk(rule.pattern) if isinstance(part, Where)]
    found = 1.0
    for guard in guards:
        for each in conjuncts(guard):
            found *= EQUAL if _compares_two(each) else OTHERWISE
    return found


def _compares_two(guard: Guard) -> bool:
    return isinstance(guard, Binary) and guard.operator in ("=", "==") and len(variables_of(guard)) > 1


def window(rule: Rule) -> float:
    """How long what a rule looks at may last, in seconds; infinite where nothing says so."""
    period = rule.window or lasting(rule)
    if period is not None:
        return period.length() / 1e6
    inside = [part.period.length() for part in walk(rule.pattern) if isinstance(part, Within) and _is_plain(part)]
    return max(inside) / 1e6 if inside else inf


def _is_plain(part: Within) -> bool:
    return not (part.period.years or part.period.months)


def occurrences(rule: Rule, rates: Iterable[float]) -> float:
    """How many occurrences a rule has in a second, where events of its types come at such rates."""
    some = list(rates)
    if not some or min(some) <= 0:
        return 0.0
    found = selectivity(rule)
    for rate in some:
        found *= rate
    if len(some) > 1:
        found *= window(rule) ** (len(some) - 1)
        if _has_order(rule.pattern):
            found /= factorial(len(some) - 1)
    return found


def _has_order(pattern: Pattern) -> bool:
    return any(isinstance(part, Sequence | Concatenation) for part in walk(pattern))


def passed_on(rules: Iterable[Rule], flows: Mapping[str, Flow]) -> Flow:
    """What a join passes on: rules of which one has to find something, over all that is born, by type."""
    total = NOTHING
    for kind, flow in flows.items():
        missed = 1.0
        for rule in rules:
            types = sorted(mentioned(rule) & flows.keys())
            if kind in types and flow.events:
                missed *= exp(-occurrences(rule, [flows[each].events for each in types]) / flow.events)
        total = total.plus(Flow(flow.events * (1 - missed), flow.bytes * (1 - missed)))
    return total


def told(rule: Rule, flows: Mapping[str, Flow]) -> Flow:
    """What a rule tells."""
    coming = sum(flow.events for flow in flows.values())
    found = min(coming, occurrences(rule, [flow.events for flow in flows.values()]))
    return Flow(found, found * DETECTION)
