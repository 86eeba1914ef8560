"""One step of a shard in a stream: what was kept, new events and how far time has got become detections and what is
kept. Nothing here knows Spark; the tests call it without.

Under `guaranteed` an event is held until the watermark has passed it, and those that come later than that are late:
they are told, not evaluated. Under the other orders events are evaluated as they arrive, and the watermark is one of
arrivals. Either way what is found does not depend on where one micro-batch ends and the next begins.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from tocsin.errors import SnapshotError
from tocsin.planner.lanes import Lane, Stage
from tocsin.runtime.verbs import DetectionBatch
from tocsin.spark.arrow_bytes import from_bytes, to_bytes
from tocsin.spark.packs import COPY
from tocsin.spark.repeats import USUAL, Repeats, unrepeated
from tocsin.spark.shard import Conditions, Shard, ordered
from tocsin.stores.pieces import joined, parted

LAST: Final = 9_200_000_000_000_000
"""A time (in 2261) that only the end of a stream has."""
END: Final = 9_190_000_000_000_000
"""A watermark from here on (the year 2261) is the end of the stream: nothing comes any more."""


class Stepper:
    """A shard of a stream at work.

    The rules may change as time goes by: each stage of its lane has them up to the time at which the next begins. An
    event is evaluated under the rules of its own time, however late it is read.
    """

    def __init__(self, stages: Lane, conditions: Conditions) -> None:
        self._stages, self._conditions = stages, conditions
        self._stage = 0
        self.shard = Shard(stages[0].placement, conditions, is_streamed=True)
        self._held: Any = None
        """Events that the watermark has not passed yet, as a table of Arrow."""
        self._is_stable, self._is_released = conditions.is_stable, conditions.is_released
        self._is_over = False
        self._remember = USUAL if conditions.remember is None else conditions.remember
        self._repeats = Repeats(self._remember) if self._remember and not conditions.is_stable else None
        self._last: int | None = None
        """When the last event was that has been evaluated, where that may be after the watermark."""
        self.repeated = 0
        """Events that came twice, so far in this process."""

    @property
    def stage(self) -> Stage:
        """The rules that it has now."""
        return self._stages[self._stage]

    # -- between steps ---------------------------------------------------------------------------------------------

    def whole(self) -> bytes:
        """All that has to be kept for the next step."""
        held = b"" if self._held is None else to_bytes(self._held)
        number = str(self.stage.number).encode()
        known = b"" if self._repeats is None else self._repeats.to_bytes()
        last = b"" if self._last is None else str(self._last).encode()
        return joined([self.shard.rules.snapshot(), held, b"over" if self._is_over else b"", number, known, last])

    def restore(self, whole: bytes) -> None:
        """Goes on from what was kept."""
        engine, held, over, number, *more = parted(whole)
        known, last = (*more, b"", b"")[:2]  # what was written before these were kept has neither
        numbers = [stage.number for stage in self._stages]
        if int(number) not in numbers:
            raise SnapshotError(f"the checkpoint is of version {int(number)} of the rules, which is not known any more")
        self._stage = numbers.index(int(number))
        self.shard = Shard(self.stage.placement, self._conditions, is_streamed=True)
        self.shard.rules.restore(engine)
        self._held = from_bytes(held) if held else None
        self._is_over = bool(over)
        self._last = int(last) if last else None
        if self._repeats is not None and known:
            self._repeats.restore(known)

    def next_moment(self) -> int | None:
        """The watermark at which there is something to do, should nothing arrive."""
        due = self.shard.rules.next_due()
        if self._held is not None and self._held.num_rows:
            first = _least(self._held["time"])
            return first if due is None else min(first, due)
        return due

    @property
    def refused(self) -> int:
        """Events that a rule had no more use for, so far."""
        rules = self.shard.rules.stats()["rules"]
        assert isinstance(rules, dict)
        return sum(int(told.get("refused", 0)) for told in rules.values())

    # -- a step ----------------------------------------------------------------------------------------------------

    def step(self, arrived: Any, watermark: int | None) -> tuple[list[tuple[Stage, DetectionBatch]], Any]:
        """Takes new events and lets time get as far as the watermark.

        What was found, with the rules that found it, and the events that were late.
        """
        found: list[tuple[Stage, DetectionBatch]] = []
        late = None
        arrived, copies = _without_copies(arrived)
        if self._is_stable:
            arrived, late = self._held_back(arrived, copies, watermark)
        elif self._repeats is not None and arrived is not None and arrived.num_rows and not self._is_released:
            arrived = self._new(arrived, self._repeats)
        while (until := self._end_of_stage(arrived, watermark)) is not None:
            before, arrived = _parted(arrived, self._clock, until)
            found += self._evaluated(before, until)
            self._stage += 1
            if self.stage.placement != self.shard.placement:
                self.shard.change(self.stage.placement)
        found += self._evaluated(arrived, watermark)
        return [(stage, some) for stage, some in found if some], late

    def _evaluated(self, events: Any, until: int | None) -> Iterator[tuple[Stage, DetectionBatch]]:
        """What the rules of this stage find in events, and as time goes by until then."""
        stage = self.stage
        if events is not None and events.num_rows:
            for some in self.shard.take(events):
                yield stage, some
        if until is not None and until >= END:
            if not self._is_over:
                yield stage, self.shard.finish()
                self._is_over = True
        elif until is not None and self.shard.has_begun and not self._is_released:
            yield stage, self.shard.rules.advance(until)

    @property
    def _clock(self) -> str:
        return "time" if self._is_stable else "arrival"

    def _end_of_stage(self, events: Any, watermark: int | None) -> int | None:
        """When this stage ends, if time has got that far."""
        if self._stage + 1 == len(self._stages):
            return None
        until = self._stages[self._stage + 1].since
        assert until is not None
        is_past = watermark is not None and watermark >= until
        if not is_past and not self._is_stable and events is not None and events.num_rows:
            is_past = _most(events[self._clock]) > until
        return until if is_past else None

    def _held_back(self, arrived: Any, copies: Any, watermark: int | None) -> tuple[Any, Any]:
        """The events that are stable now, and those that came too late; the others are held.

        What is late in several shards is told by the first that it goes to.
        """
        import pyarrow as pa
        import pyarrow.compute as pc

        late = None
        held = self._held
        if arrived is not None and arrived.num_rows:
            if watermark is not None:
                reached = watermark if self._last is None else max(watermark, self._last)
                is_late = pc.less_equal(_counts(arrived["time"]), reached)
                if pc.any(is_late).as_py():
                    told = is_late if copies is None else pc.and_(is_late, pc.equal(copies, 0))
                    late = arrived.filter(told) if pc.any(told).as_py() else None
                    arrived = arrived.filter(pc.invert(is_late))
            held = arrived if held is None else pa.concat_tables(_alike(held, arrived), promote_options="default")
            before = held.num_rows
            held = unrepeated(held, self._remember) if self._remember else held
            self.repeated += before - held.num_rows
        if held is None or watermark is None:
            self._held = held
            return None, late
        is_stable = pc.less_equal(_counts(held["time"]), watermark + self._conditions.grace)
        self._held = held.filter(pc.invert(is_stable)).combine_chunks()
        stable = held.filter(is_stable)
        if self._conditions.grace and stable.num_rows:
            self._last = _most(stable["time"])
        return stable, late

    def _new(self, arrived: Any, repeats: Repeats) -> Any:
        """The events that did not come before, those that arrived first being told first."""
        found = repeats.news(ordered(arrived, self._conditions))
        self.repeated += arrived.num_rows - found.num_rows
        return found


def _alike(held: Any, arrived: Any) -> list[Any]:
    """Events that were held, and those that come now: since rules have changed, they may have other attributes."""
    if held.schema.equals(arrived.schema):
        return [held, arrived]
    plain = [_typed(held), _typed(arrived)]
    kinds = {f.name: f.type for f in plain[1].schema}
    for each in plain[0].schema:
        if kinds.get(each.name, each.type) != each.type:
            raise SnapshotError(f"{each.name!r} of the events that were held is of another kind than it is now")
    return plain


def _without_copies(arrived: Any) -> tuple[Any, Any]:
    """Events, and apart from them which of the shards that each goes to this is; None where they go to one."""
    if arrived is None or COPY not in arrived.column_names:
        return arrived, None
    return arrived.drop_columns([COPY]), arrived[COPY]


def _typed(table: Any) -> Any:
    """A table with its types as texts: whether they stand in a dictionary depends on the rules."""
    return table.set_column(table.column_names.index("type"), "type", table["type"].cast("string"))


def _parted(events: Any, name: str, until: int) -> tuple[Any, Any]:
    """The events up to a time, and those after it."""
    import pyarrow.compute as pc

    if events is None or not events.num_rows:
        return None, events
    is_before = pc.less_equal(_counts(events[name]), until)
    return events.filter(is_before), events.filter(pc.invert(is_before))


def _counts(column: Any) -> Any:
    return column.cast("int64")


def _least(column: Any) -> int:
    import pyarrow.compute as pc

    return int(pc.min(_counts(column)).as_py())


def _most(column: Any) -> int:
    import pyarrow.compute as pc

    return int(pc.max(_counts(column)).as_py())
