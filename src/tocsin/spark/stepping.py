"""One step of a shard in a stream: what was kept, new events and how far time has got become detections and what is
kept. Nothing here knows Spark; the tests call it without.

Under `guaranteed` an event is held until the watermark has passed it, and those that come later than that are late:
they are told, not evaluated. Under the other orders events are evaluated as they arrive, and the watermark is one of
arrivals. Either way what is found does not depend on where one micro-batch ends and the next begins.
"""

from __future__ import annotations

from typing import Any, Final

from tocsin.errors import SnapshotError
from tocsin.planner.placement import Placement
from tocsin.spark.framing import from_bytes, joined, parted, to_bytes
from tocsin.spark.shard import Conditions, Found, Shard

LAST: Final = 9_200_000_000_000_000
"""A time (in 2261) that only the end of a stream has."""
END: Final = 9_190_000_000_000_000
"""A watermark from here on (the year 2261) is the end of the stream: nothing comes any more."""


class Stepper:
    """A shard of a stream at work."""

    def __init__(self, placement: Placement, conditions: Conditions) -> None:
        self.shard = Shard(placement, conditions)
        self._held: Any = None
        """Events that the watermark has not passed yet, as a table of Arrow."""
        self._is_stable, self._is_released = conditions.is_stable, conditions.is_released
        self._is_over = False

    # -- between steps ---------------------------------------------------------------------------------------------

    def whole(self) -> bytes:
        """All that has to be kept for the next step."""
        held = b"" if self._held is None else to_bytes(self._held)
        return joined([self.shard.front.snapshot(), held, b"over" if self._is_over else b""])

    def restore(self, whole: bytes) -> None:
        """Goes on from what was kept."""
        engine, held, over = parted(whole)
        self.shard.front.restore(engine)
        self._held = from_bytes(held) if held else None
        self._is_over = bool(over)

    def next_moment(self) -> int | None:
        """The watermark at which there is something to do, should nothing arrive."""
        due = self.shard.front.next_due()
        if self._held is not None and self._held.num_rows:
            first = _least(self._held["time"])
            return first if due is None else min(first, due)
        return due

    # -- a step ----------------------------------------------------------------------------------------------------

    def step(self, arrived: Any, watermark: int | None) -> tuple[list[Found], Any]:
        """Takes new events and lets time get as far as the watermark. What was found, and the events that were late."""
        found: list[Found] = []
        late = None
        if self._is_stable:
            arrived, late = self._held_back(arrived, watermark)
        if arrived is not None and arrived.num_rows:
            found += self.shard.take(arrived)
        if watermark is not None and watermark >= END:
            if not self._is_over:
                found.append(self.shard.finish())
                self._is_over = True
        elif watermark is not None and self.shard.has_begun and not self._is_released:
            found.append(self.shard.front.advance(watermark))
        return [some for some in found if some], late

    def _held_back(self, arrived: Any, watermark: int | None) -> tuple[Any, Any]:
        """The events that are stable now, and those that came too late; the others are held."""
        import pyarrow as pa
        import pyarrow.compute as pc

        late = None
        held = self._held
        if arrived is not None and arrived.num_rows:
            if watermark is not None:
                is_late = pc.less_equal(_counts(arrived["time"]), watermark)
                if pc.any(is_late).as_py():
                    late = arrived.filter(is_late)
                    arrived = arrived.filter(pc.invert(is_late))
            held = arrived if held is None else pa.concat_tables([self._like(arrived), arrived])
        if held is None or watermark is None:
            self._held = held
            return None, late
        is_stable = pc.less_equal(_counts(held["time"]), watermark)
        self._held = held.filter(pc.invert(is_stable)).combine_chunks()
        return held.filter(is_stable), late

    def _like(self, arrived: Any) -> Any:
        """What is held, which must have the columns of what comes now."""
        if not self._held.schema.equals(arrived.schema):
            raise SnapshotError("the events that were held have other columns than those that come now")
        return self._held


def _counts(column: Any) -> Any:
    return column.cast("int64")


def _least(column: Any) -> int:
    import pyarrow.compute as pc

    return int(pc.min(_counts(column)).as_py())
