"""Who took it: in consuming contexts, the node at which an event of a candidate was combined with something else."""

from __future__ import annotations

from tocsin.algebra.occurrence import Occurrence
from tocsin.events import Event
from tocsin.reasons.trace import EventKey, RuleTrace, Taking, TracedFiring, event_key
from tocsin.reasons.words import written


def used_elsewhere(
    own: RuleTrace, whole: Occurrence, now: int, seq: int
) -> tuple[Event, TracedFiring | None, str] | None:
    """The first time that an event of a candidate was used up with others than the candidate's own."""
    mine = {event_key(event): event for event in whole.events}
    numbers = {number for key in mine for number in own.taken.get(key, ())}
    for taking in (own.takings[number] for number in sorted(numbers)):
        if (taking.now, taking.seq) > (now, seq):
            return None
        groups = _groups(taking)
        touched = [key for group in groups for key in group if key in mine]
        if not touched or any(group <= mine.keys() for group in groups):
            continue
        event = mine[touched[0]]
        firing = next((f for f in own.firings if f.place == (taking.now, taking.seq) and _holds(f, taking)), None)
        return event, firing, _told(taking, event, firing)
    return None


def _groups(taking: Taking) -> list[set[EventKey]]:
    """What was combined with what. What is replaced is gone, with nothing it could have been part of."""
    came = set(map(event_key, taking.one.events))
    if taking.is_replacing:
        return [set(map(event_key, each.events)) | {("replaced",)} for each in taking.partners]
    return [came | set(map(event_key, each.events)) for each in taking.partners] or [came]


def _holds(firing: TracedFiring, taking: Taking) -> bool:
    return set(map(event_key, taking.one.events)) <= set(map(event_key, firing.one.events))


def _told(taking: Taking, event: Event, firing: TracedFiring | None) -> str:
    others = [each for one in (taking.one, *taking.partners) for each in one.primitives]
    with_it = ", ".join(dict.fromkeys(each.id or each.type for each in others if event_key(each) != event_key(event)))
    if taking.is_replacing:
        came = ", ".join(each.id or each.type for each in taking.one.primitives)
        return f"replaced by the newer {came}"
    where = f"combined with {with_it}" if with_it else "used up alone"
    return where if firing is not None else f"{where}, at '{written(taking.at)}' inside the pattern"
