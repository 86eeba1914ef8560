"""Timelines of single incidents: a picture of millions of events shows nothing, the minutes around one show why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

import tocsin as tc
from demo.telling import STYLE, meanings_of
from tocsin.draw.timeline import draw_timeline
from tocsin.events import Detection, Event
from tocsin.planner.placement import types_of
from tocsin.time.spans import MINUTE

ATTRIBUTES: Final = ("room", "link", "building", "user", "degrees", "percent")
READINGS: Final = frozenset(("temp", "link_load"))
"""What comes again and again: where several incidents are drawn, only those are shown that belong to one."""
LONGEST: Final = 30 * MINUTE
"""What takes longer is not drawn together with others."""


def draw(found: Sequence[Detection], events: Any, files: Sequence[str], folder: Path) -> list[Path]:
    """A picture of the busiest half hour, and one for each rule that has found something."""
    folder.mkdir()
    rules = {rule.name: rule for rule in tc.load(*files).rules}
    drawn = []

    def picture(name: str, title: str, chosen: Sequence[Detection]) -> None:
        kinds = frozenset().union(*(types_of([rules[one.rule]]) or () for one in chosen))
        shown = around(chosen, events, kinds - READINGS if len(chosen) > 1 else kinds)
        text = draw_timeline(shown, chosen, STYLE.text, title=title)
        drawn.append(folder / f"{name}.svg")
        drawn[-1].write_text(text, encoding="utf-8")

    picture("overview", "Half an hour on the campus: one incident for each rule that fired", busiest(found))
    for name, meaning in meanings_of(files).items():
        mine = [one for one in found if one.rule == name]
        if mine:
            picture(name, f"{name}: {meaning}", [mine[len(mine) // 2]])
    return drawn


def busiest(found: Sequence[Detection]) -> list[Detection]:
    """One detection for each rule, of the half hour in which most rules fired."""
    best: dict[str, Detection] = {}
    short = [one for one in found if one.time_us - one.start_us < LONGEST]
    for place, first in enumerate(short):
        some: dict[str, Detection] = {}
        for one in short[place:]:
            if one.time_us > first.time_us + LONGEST:
                break
            if one.start_us >= first.start_us:
                some.setdefault(one.rule, one)
        if len(some) > len(best):
            best = some
    return list(best.values())


def around(chosen: Sequence[Detection], events: Any, kinds: Iterable[str]) -> list[Event]:
    """The events of some types from the sources that detections are about, from a little before to a little after."""
    first, last = min(one.start_us for one in chosen), max(one.time_us for one in chosen)
    margin = max(MINUTE, (last - first) // 10)
    times = events["time"].cast(pa.int64())
    near = events.filter(pc.and_(pc.greater_equal(times, first - margin), pc.less_equal(times, last + margin)))
    is_part = pc.is_in(near["id"], pa.array(sorted({name for one in chosen for name in one.events}), pa.string()))
    sources = near.filter(is_part)["source"].cast(pa.string()).combine_chunks()
    is_kind = pc.is_in(near["type"].cast(pa.string()), pa.array(sorted(kinds), pa.string()))
    is_near = pc.and_(is_kind, pc.is_in(near["source"].cast(pa.string()), sources))
    near = near.filter(pc.or_(is_part, is_near))
    return [event(row) for row in near.set_column(2, "time", near["time"].cast(pa.int64())).to_pylist()]


def event(row: dict[str, Any]) -> Event:
    """A row of the events as a record."""
    data = {name: row[name] for name in ATTRIBUTES if row[name] is not None}
    return Event(row["type"], row["time"], row["time"], row["id"], row["source"], data)
