"""What happens inside a shard: events in, detections out. Nothing here knows Spark; the tests call it without.

The events of a shard come as tables of Arrow. They are put in order and given to an engine that knows the rules of the
shard's placement alone. The engine moves its own clock; what is due at the end of the input is waited for there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tocsin.algebra.event_records import whole_event
from tocsin.algebra.notes import Notes
from tocsin.algebra.order import Release
from tocsin.algebra.rules import BEST_EFFORT, Order
from tocsin.engine.frames.batches import slices_of
from tocsin.events import Detection
from tocsin.formats.instants import TimeStyle
from tocsin.formats.intake import NOTHING, Intake
from tocsin.planner.placement import Placement
from tocsin.rules.declared_events import conformer
from tocsin.runtime import Options, Runtime
from tocsin.runtime.verbs import DetectionBatch
from tocsin.spark.repeats import firsts_of

PREFIX = "data."
"""What the engine has before the names of attributes."""
MOST_ROWS = 131_072
"""Events that the engine gets at a time: what it finds is reported then, which costs something for every rule."""


@dataclass(frozen=True)
class Conditions:
    """What holds for every shard of a run. Times are microseconds."""

    order: Order = BEST_EFFORT
    granularity: int | None = None
    ignore_late: bool = False
    seconds: bool = False
    """Whether times inside the data are written as seconds."""
    first: int | None = None
    last: int | None = None
    """When the whole stream began and ended, where a rule has time events of its own."""
    until: int | None = None
    is_released: bool = False
    """Whether the order of arrival has been worked out before: the events come with the clocks they are taken at."""
    remember: int | None = None
    """For how long names of events are remembered; None: as long as is usual, 0: not at all."""
    grace: int = 0
    """How far after the watermark events are evaluated, too: what Spark leaves away of it, if it waits for nothing."""

    @property
    def is_stable(self) -> bool:
        """Whether events are evaluated by their own times: everything that can come has come."""
        return self.order.policy == "guaranteed" and not self.is_released


class Shard:
    """The rules of a placement at work on one shard's events."""

    def __init__(self, placement: Placement, conditions: Conditions, is_streamed: bool = False) -> None:
        self.placement, self.conditions, self.is_streamed = placement, conditions, is_streamed
        order = BEST_EFFORT if conditions.is_stable or conditions.is_released else conditions.order
        self.notes = Notes()
        self.rules = Runtime(
            placement.program,
            Options(order=order, granularity=conditions.granularity, ignore_late=conditions.ignore_late),
            notes=self.notes,
            is_alone=True,
            in_order=order != conditions.order,
        )
        self.style = TimeStyle(conditions.seconds)
        self._conform, self._keys = conformer(placement.program.declarations), dict(placement.key_names)
        if placement.has_clock and conditions.first is not None:
            self.rules.begin(conditions.first)

    def change(self, placement: Placement) -> None:
        """Goes on with other rules of the same lane."""
        self.placement = placement
        self._conform, self._keys = conformer(placement.program.declarations), dict(placement.key_names)
        self.rules.change(placement.program)

    def take(self, table: Any) -> Iterator[DetectionBatch]:
        """Gives the events of a table, in the order in which they are evaluated, to the rules."""
        if self.conditions.is_released:
            yield self.rules.take(_releases(table))
            return
        table = prepared(table, self.conditions)
        # Copies are left out here where all events come at once; a stream has left them out already.
        is_once = self.conditions.remember is None and not self.is_streamed
        table = firsts_of(table) if is_once else table
        intake = Intake("<DataFrame>", remember=None if is_once else NOTHING, conform=self._conform, style=TimeStyle())
        slices = slices_of(table, intake, self.placement.program.declarations, MOST_ROWS, is_once)
        assert slices is not None
        for each in slices:
            yield from self.rules.columns(each.batch(), self.style, self._keys)

    @property
    def has_begun(self) -> bool:
        """Whether an event has come: before that there is no clock."""
        return self.rules.has_begun

    def finish(self) -> list[Detection]:
        """The input has ended: what is still waited for comes."""
        found: list[Detection] = []
        if self.placement.has_clock and self.conditions.last is not None:
            found += self.rules.advance(self.conditions.last)
        return [*found, *self.rules.finish(self.conditions.until)]


def _releases(table: Any) -> list[Release]:
    """The rows of a log as what the order of arrival released."""
    made: list[Release] = []
    rows = [row for row in table.to_pylist() if row["now"] is not None]  # what has none only ends a stream
    for row in sorted(rows, key=lambda row: row["sequence"]):
        event = None if row["event"] is None else whole_event(json.loads(row["event"]))
        made.append(Release(row["now"], event, row["lag"], row["clock"]))
    return made


def prepared(table: Any, conditions: Conditions) -> Any:
    """A table sorted by when its events are evaluated, with that as their arrivals."""
    table = ordered(table, conditions)
    kept = [name for name in table.column_names if name not in ("arrival", "sequence")]
    return table.select(kept).append_column("arrival", table["time" if conditions.is_stable else "arrival"])


def ordered(table: Any, conditions: Conditions) -> Any:
    """A table sorted by when its events are evaluated: under `guaranteed` in 001's total order.

    That is by end, start, source, and the source's own order. What has no start begins where it ends, after all others.
    """
    import pyarrow.compute as pc

    keys: tuple[str, ...] = ("arrival", "sequence")
    if conditions.is_stable:
        keys = ("time", "start", "source", "arrival", "sequence", "id")
        if "source" in table.column_names:
            place = table.column_names.index("source")
            table = table.set_column(place, "source", pc.fill_null(table["source"].cast("string"), ""))
    return _sorted(table, [name for name in keys if name in table.column_names])


def _sorted(table: Any, keys: list[str]) -> Any:
    """The rows in order. Mostly they are nearly so, and no two are at the same time: then the first key says all."""
    import numpy as np

    times = table[keys[0]]
    if not times.null_count:
        counts = times.cast("int64").to_numpy()
        if (counts[1:] > counts[:-1]).all():
            return table
        order = np.argsort(counts, kind="stable")
        counts = counts[order]
        if (counts[1:] > counts[:-1]).all():
            return table.take(order)
    return table.sort_by([(name, "ascending") for name in keys])
