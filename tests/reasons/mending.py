"""What a miss says it fails, mended in the events: what is in the way is taken out, what is too late or early is moved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tocsin.algebra.occurrence import TIMER
from tocsin.events import Arrival, Event
from tocsin.reasons.records import ABSENCE, ORDER, RUN, VALUES, WINDOW, Answer, Fired, Miss, Verdict

MENDED = (ABSENCE, RUN, ORDER, WINDOW, VALUES)
"""The kinds that say what to change in the events."""

Log = Sequence[Arrival]
Key = tuple[str, str]


def _key(event: Event) -> Key:
    return event.source, event.id


def standing(miss: Miss | Fired) -> list[Event]:
    """The events in the places of a candidate that came from outside."""
    events = [each.event for each in miss.constituents if each.event is not None and each.event.type != TIMER]
    return [event for event in events if event.id and not event.events]


def mended_log(log: Log, miss: Miss, verdict: Verdict) -> list[Arrival] | None:
    """The log with one failure of a candidate mended; None where the verdict names nothing that could be changed."""
    mine = {_key(event) for event in standing(miss)}
    if verdict.kind in (ABSENCE, RUN):
        gone = {_key(event) for event in verdict.events}
        if not gone or gone & mine or any(event.type == TIMER or event.events for event in verdict.events):
            return None
        return [each for each in log if not (isinstance(each, Event) and _key(each) in gone)]
    if verdict.kind == VALUES:
        return _alike(log, verdict)
    moves: dict[Key, int] = {}
    for event, span in verdict.moves:
        if event.events or event.type == TIMER:
            return None
        moves[_key(event)] = span
    # What stands in two places at once cannot move from one alone.
    places = [_key(event) for event in standing(miss)]
    if not moves or any(places.count(key) != 1 for key in moves):
        return None
    changed = [_moved(each, moves.get(_key(each), 0)) if isinstance(each, Event) else each for each in log]
    return sorted(changed, key=lambda each: each.arrival)


def _moved(event: Event, span: int) -> Event:
    if span == 0:
        return event
    return replace(event, end=event.end + span, start=event.start + span, arrival=event.arrival + span)


def _alike(log: Log, verdict: Verdict) -> list[Arrival] | None:
    """All have the value of the first, or each another one."""
    if not verdict.values:
        return None  # nothing stands there
    named = [name.rpartition(".") for name, _ in verdict.values]
    same = verdict.text.startswith("the same")
    values = [value for _, value in verdict.values]
    # What is missing, or no value that equals itself, is alike to nothing.
    known = next((value for value in values if isinstance(value, str | int | float) and value == value), "value")
    wanted = {name: known if same else f"value {n}" for n, (name, _, _) in enumerate(named)}
    attribute = named[0][2]
    return [
        replace(each, data={**each.data, attribute: wanted[each.id]})
        if isinstance(each, Event) and each.id in wanted
        else each
        for each in log
    ]


def same_candidate(answer: Answer, miss: Miss) -> Miss | Fired | None:
    """The candidate of the same events in the same places, if it is told."""
    mine = [_key(event) for event in standing(miss)]
    for one in (*answer.fired, *answer.misses):
        theirs = [_key(event) for event in standing(one)]
        if mine == theirs or (isinstance(one, Fired) and sorted(mine) == sorted(theirs)):
            return one
    return None


def still_fails(one: Miss | Fired, verdict: Verdict) -> bool:
    """Whether a candidate still fails what was mended."""
    if isinstance(one, Fired):
        return False
    return any(
        (each.kind, each.text, each.path, each.part) == (verdict.kind, verdict.text, verdict.path, verdict.part)
        and (not each.events or each.events == verdict.events)
        for each in one.failed
    )
