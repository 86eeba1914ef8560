"""How much parts give out that never ran, from rates, windows and selectivities. What was measured is not estimated.

Stated plainly, and no more than that:

- Events of n types come independently of each other. Within a window W each combination of them is an occurrence with a
  probability s: 0.1 for each guard that compares two of its events for equality, 0.5 for each other one.
- So rates r1 .. rn make m = s * r1 * .. * rn * W^(n-1) occurrences a second, over (n-1)! where they have an order. Of
  alternatives the rates add up; of n in a row there are m / n; what must be absent is taken not to come.
- An event takes part in m / r occurrences in the mean, so in at least one with the probability 1 - exp(-m / r). That is
  the part of a type's events that a join passes on. Without a window all are. Of what may have to be absent the same
  part is passed on as of the rest.
- Of a sequence of single events the parts follow from step to step (`chains`): an event of its last type needs one of
  the type before it that has what it needs in turn.
- What takes part is passed on when an occurrence is complete, all that is new of it together: so a join gives out no
  more messages than events that may be the last of an occurrence take part.
- A rule tells each occurrence as a detection, but no more detections than events come. It weighs as much as an event of
  each type and 180 bytes; or 60 for each, where it selects what it tells.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import exp, factorial, inf, prod
from typing import Final

from tocsin.algebra.guards import Binary, Guard, conjuncts, variables_of
from tocsin.algebra.links import mentioned
from tocsin.algebra.patterns import (
    Absence,
    Accumulate,
    Alternation,
    AnyEvent,
    At,
    AtInstant,
    Automaton,
    Concatenation,
    Either,
    Every,
    Never,
    Pattern,
    Primitive,
    Repeat,
    Sequence,
    Streak,
    Times,
    Where,
    Within,
    children,
    walk,
)
from tocsin.algebra.rules import Program, Rule
from tocsin.planner.durations import lasting
from tocsin.sites.placement.chains import taking_part
from tocsin.sites.placement.rates import NOTHING, Flow

EQUAL: Final = 0.1
"""How often two events are equal in an attribute that a guard compares."""
OTHERWISE: Final = 0.5
"""How often any other guard holds."""
AROUND: Final = 180.0
"""Bytes of a detection around what it tells of its events."""
MENTION: Final = 60.0
"""... and of the mention of one of them."""


def selectivity(guard: Guard) -> float:
    """How probable it is that a guard holds."""
    found = 1.0
    for each in conjuncts(guard):
        is_equality = isinstance(each, Binary) and each.operator in ("=", "==") and len(variables_of(each)) > 1
        found *= EQUAL if is_equality else OTHERWISE
    return found


def occurrences(rule: Rule, rates: Mapping[str, float]) -> float:
    """How many occurrences a rule has in a second, where events come at such rates, by type."""
    window = _window(rule)
    if isinstance(rule.pattern, Automaton):
        return _together([rates.get(kind, 0.0) for kind in sorted(mentioned(rule))], window, in_order=True)
    return _often(rule.guarded, rates, window)


def _window(rule: Rule) -> float:
    """Within how many seconds an occurrence lies."""
    period = rule.window or lasting(rule)
    return inf if period is None else period.length() / 1e6


def _often(pattern: Pattern, rates: Mapping[str, float], window: float) -> float:
    match pattern:
        case Primitive(type=kind):
            return rates.get(kind, 0.0)
        case Either(parts=parts) | Alternation(parts=parts):
            return sum(_often(part, rates, window) for part in parts)
        case Where(pattern=inner, guard=guard):
            return _often(inner, rates, window) * selectivity(guard)
        case Within(pattern=inner, period=period):
            inside = inf if period.years or period.months else period.length() / 1e6
            return _often(inner, rates, min(window, inside))
        case Absence(first=first, last=last):
            return _together([_often(each, rates, window) for each in (first, last)], window, in_order=True)
        case (
            Times(count=count, pattern=inner) | Streak(count=count, pattern=inner) | Repeat(least=count, pattern=inner)
        ):
            return _often(inner, rates, window) / max(count, 1)
        case Accumulate(last=last):
            return _often(last, rates, window)
        case AnyEvent():
            return sum(rates.values())
    # Timers are there whenever they are waited for.
    others = [each for each in children(pattern) if not isinstance(each, Never | At | AtInstant | Every)]
    found = [_often(each, rates, window) for each in others]
    return _together(found, window, in_order=isinstance(pattern, Sequence | Concatenation))


def _together(rates: list[float], window: float, *, in_order: bool) -> float:
    if not rates or min(rates) <= 0:
        return 0.0
    found = 1.0
    for rate in rates:
        found *= rate
    more = len(rates) - 1
    return found * window**more / (factorial(more) if in_order else 1) if more else found


def given_out(program: Program, blockers: Iterable[str], makes: str, flows: Mapping[str, Flow]) -> Flow:
    """What a part gives out that was cut off: composites of a rule, or the events that take part in a join."""
    for rule in program.rules:
        if rule.name == makes:
            return told(rule, flows)
    return passed_on([rule for rule in program.rules if rule.name not in blockers], flows)


def passed_on(rules: Iterable[Rule], flows: Mapping[str, Flow]) -> Flow:
    """What a join passes on: rules of which one has to find something, over all that is born, by type.

    Its events count as often as there are messages of them.
    """
    rules = list(rules)
    ends, last = [_last_types(rule) for rule in rules], 0.0
    rates = {kind: flow.events for kind, flow in flows.items()}
    found = [(mentioned(rule), occurrences(rule, rates)) for rule in rules]
    chained = [taking_part(rule, rates, _window(rule), selectivity) for rule in rules]
    passed, coming, absent = NOTHING, NOTHING, NOTHING
    for kind, flow in flows.items():
        own = [often for kinds, often in found if kind in kinds]
        if not own:
            absent = absent.plus(flow)
        elif flow.events:
            share = 1 - exp(-sum(own) / flow.events)
            if all(each is not None for each in chained):  # what does not take part in any
                rests = [1 - each.get(kind, 0.0) / flow.events for each in chained if each is not None]
                share = 1 - prod(rests)
            coming, passed = coming.plus(flow), passed.plus(flow.times(share))
            last += flow.events * share if any(kind in kinds for kinds in ends) else 0.0
    with_absent = passed.plus(absent.times(passed.events / coming.events if coming.events else 0.0))
    return Flow(min(last, with_absent.events), with_absent.bytes)


def told(rule: Rule, flows: Mapping[str, Flow]) -> Flow:
    """What a rule tells."""
    coming = sum(flow.events for flow in flows.values())
    found = min(coming, occurrences(rule, {kind: flow.events for kind, flow in flows.items()}))
    return Flow(found, found * _weight(rule, flows))


def _weight(rule: Rule, flows: Mapping[str, Flow]) -> float:
    """Bytes of a detection as it travels."""
    kinds = [each.type for each in walk(rule.pattern) if isinstance(each, Primitive)] or sorted(mentioned(rule))
    if rule.select:
        return AROUND + MENTION * len(kinds)
    some = [flows[kind] for kind in kinds if kind in flows]
    return AROUND + sum(flow.bytes / flow.events for flow in some if flow.events)


def _last_types(rule: Rule) -> frozenset[str]:
    """The types of which the event may be that completes an occurrence."""
    return frozenset(mentioned(rule)) if isinstance(rule.pattern, Automaton) else frozenset(_lasts(rule.pattern))


def _lasts(pattern: Pattern) -> Iterator[str]:
    match pattern:
        case Primitive(type=kind):
            yield kind
        case Sequence(parts=parts) | Concatenation(parts=parts):
            yield from _lasts(parts[-1])
        case Absence(last=last):
            yield from _lasts(last)
        case _:
            for each in children(pattern):
                yield from _lasts(each)
