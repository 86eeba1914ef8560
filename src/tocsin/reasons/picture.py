"""The answers as a timeline: what the rules saw, what they detected, and what they nearly did."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tocsin.algebra.occurrence import TIMER
from tocsin.draw.timeline import Missed, draw_timeline
from tocsin.events import Event
from tocsin.formats.instants import TimeStyle
from tocsin.reasons.records import Answer, Constituent, Miss, Verdict
from tocsin.time.spans import Period, human_period

if TYPE_CHECKING:
    from tocsin.reasons.presentation import Why

MOST_SHOWN = 400
"""Events that are drawn; of more, those around what is told."""


def draw(why: Why, style: TimeStyle, title: str = "") -> str:
    """The picture, as the text of an SVG file."""
    misses = [_missed(answer, miss, number) for answer in why.answers for number, miss in enumerate(answer.misses, 1)]
    events = [event for event in why.events if not event.events]  # what rules make stands for others
    events, low, high = _around(events, why.answers)
    rules = {answer.rule for answer in why.answers}
    found = [one for one in why.detections if one.rule in rules and low <= one.time_us <= high]
    return draw_timeline(events, found, style.text, title=title, misses=[miss for miss in misses if miss.events])


def _around(events: Sequence[Event], answers: Sequence[Answer]) -> tuple[list[Event], int, int]:
    """The events to draw: all, or those at the time of what is told, and a little before and after."""
    low = min((event.start for event in events), default=0)
    high = max((event.end for event in events), default=0)
    told = [event for answer in answers for one in answer.fired for event in _standing(one.constituents)]
    told += [event for answer in answers for one in answer.misses for event in _standing(one.constituents)]
    told += [event for answer in answers for miss in answer.misses for each in miss.failed for event in each.events]
    if len(events) > MOST_SHOWN and told:
        first, last = min(event.start for event in told), max(event.end for event in told)
        # As much again as is told, but not so much that what is told is lost among the rest.
        ends = sorted(event.end for event in events)
        margin = max((last - first) // 4, (ends[-1] - ends[0]) * 10 // len(ends))
        low, high = first - margin, last + margin
    return [event for event in events if low <= event.start and event.end <= high], low, high


def _standing(constituents: Sequence[Constituent]) -> list[Event]:
    found = [each.event for each in constituents if each.event is not None]
    return [event for event in found if event.type != TIMER]


def _missed(answer: Answer, miss: Miss, number: int) -> Missed:
    events = _standing(miss.constituents)
    broken = tuple(event.id for each in miss.failed for event in each.events)
    start = min((event.start for event in events), default=0)
    time = max((event.end for event in events), default=0)
    # One failure is told, of several only the kinds: there is no room, and the text has all of it.
    label = _short(miss.failed[0]) if miss.distance == 1 else ", ".join(dict.fromkeys(f.kind for f in miss.failed))
    tip = (f"{answer.rule}: miss {number}", *(f"failed {each.kind}: {each.text}" for each in miss.failed))
    return Missed(answer.rule, start, time, tuple(e.id for e in events), broken, label, tip, f"{answer.rule}-{number}")


def _short(failed: Verdict) -> str:
    """What failed in a few words: by how much, or by which event."""
    if failed.by:
        return f"{failed.kind} {human_period(Period.of(microseconds=failed.by))} off"
    if failed.events:
        return f"{failed.kind}: {', '.join(event.id or event.type for event in failed.events[:3])}"
    return f"{failed.kind}: {failed.text}"
