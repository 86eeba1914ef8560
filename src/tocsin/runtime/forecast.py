"""How many combinations a rule may find, told from a sample: before it has found them.

The rule is run on a few of the sample's events, then on twice as many, and so on, until it is clear how what it finds
grows. The few are spread over the whole sample, type by type, so windows and keys thin out as the events do, and what
is found grows with the same power from the few to all. It is measured, whatever the rule's shape and guards; but what
is made of five events grows with the fifth power at most, though it seems more where a burst was just too thin before.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from tocsin.algebra.notes import Notes
from tocsin.algebra.patterns import AnyEvent, Automaton, Primitive, Repeat, Times, walk
from tocsin.algebra.rules import LANGUAGE_CONTEXTS, Context, Program, Rule
from tocsin.algebra.sizes import most_events_of
from tocsin.engine.engine import Engine
from tocsin.events import Event
from tocsin.plan.programs import Settings
from tocsin.planner import plan
from tocsin.runtime.logs import detections

SAMPLE: Final = 2_000
"""Events that are looked at."""
MANY: Final = 1_000_000
"""Combinations of which somebody should know before they are looked for."""
_FIRST: Final = 32
"""Events that a rule is tried on first."""
_ENOUGH: Final = 1_000
"""Combinations after which it is known how they grow."""
_TOO_MANY: Final = 20_000
"""Combinations that are not looked for only to tell how many there are."""
_APART: Final = 256
"""Events that are enough for rules outside the network, where each event costs more than the last."""


class Forecast(NamedTuple):
    """What a rule may find in so many events."""

    rule: str
    combinations: int
    events: int


def may_combine(rule: Rule) -> bool:
    """Whether a rule tells every combination of several events: others tell at most one an arrival, or so."""
    if (rule.context or LANGUAGE_CONTEXTS[rule.language]) is not Context.UNRESTRICTED:
        return False
    parts = list(walk(rule.pattern))
    if any(isinstance(part, Automaton) for part in parts):
        return False
    leaves = [part for part in parts if isinstance(part, Primitive | AnyEvent)]
    return len(leaves) > 1 or any(isinstance(part, Times | Repeat) for part in parts)


def forecast(rule: str, program: Program, sample: Sequence[Event], granularity: int | None) -> Forecast:
    """What the rule may find in all of the sample; `program` has what feeds it, too."""
    size, count, power = 0, 0, 0.0
    steepest = max([most_events_of(each.guarded) for each in program.rules if each.name == rule], default=1)
    most = _APART if plan(program, Settings(granularity, starting=())).has_interplay else len(sample)
    while size < min(most, len(sample)):
        some = thinned(sample, max(_FIRST, 2 * size))
        found = _count(rule, program, some, granularity)
        if count and found and len(some) > size:
            power = min(math.log(found / count) / math.log(len(some) / size), steepest)
        size, count = len(some), found
        if (count >= _ENOUGH and power > 0) or count * 2**power > _TOO_MANY:
            break
    grown = count * (len(sample) / size) ** max(power, 0.0) if size else 0.0
    return Forecast(rule, int(min(grown, 1e18)), len(sample))


def thinned(sample: Sequence[Event], size: int) -> list[Event]:
    """So many of the events, in order: of each type its share, spread evenly, and at least one."""
    if size >= len(sample):
        return list(sample)
    totals: dict[str, int] = {}
    for event in sample:
        totals[event.type] = totals.get(event.type, 0) + 1
    wanted = {kind: max(1, total * size // len(sample)) for kind, total in totals.items()}
    seen = dict.fromkeys(totals, 0)
    kept: list[Event] = []
    for event in sample:
        kind, place = event.type, seen[event.type]
        seen[kind] = place + 1
        if (place + 1) * wanted[kind] // totals[kind] > place * wanted[kind] // totals[kind]:
            kept.append(event)
    return kept


def _count(rule: str, program: Program, events: Sequence[Event], granularity: int | None) -> int:
    """How many the rule finds; where it is searched for in the network none of them has to be made."""
    engine = Engine(program, granularity, Notes())
    if engine.has_interplay:
        found = detections(program, events, granularity=granularity)
        return sum([1 for one in found if one.rule == rule])
    engine.process_arrivals(list(events))
    return sum([firing.found_for(rule) for firing in engine.network.firings])
