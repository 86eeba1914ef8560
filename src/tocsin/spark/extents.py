"""When a history begins and ends, for rules with timers of their own: measured by the job that reads the history.

It reaches a shard as one more piece beside those with its events, so that nothing is read before an action asks for it.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from typing import Any, Final

from pyspark.sql import functions as F

from tocsin.algebra.rules import Order
from tocsin.planner.placement import Placement
from tocsin.spark.events import EventColumns
from tocsin.spark.packs import ROWS, SHARD

MARK: Final = b"extent:"
"""What such a piece begins with. Those with events begin as Arrow has it: with a length."""
_BOTH: Final = struct.Struct(">qq")


def extent_rows(events: EventColumns, order: Order, placements: Sequence[Placement], firsts: Sequence[int]) -> Any:
    """A row for each shard whose rules have timers; None if there are none."""
    shards = [first for placement, first in zip(placements, firsts, strict=True) if placement.has_clock]
    if not shards:
        return None
    name = "time" if order.policy == "guaranteed" or "arrival" not in events.fields else "arrival"
    column = F.unix_micros(F.col(name))
    both = events.frame.agg(F.min(column).alias("first"), F.max(column).alias("last")).filter("first is not null")
    piece = F.unhex(F.concat(F.lit(MARK.hex()), *(F.lpad(F.hex(name), 16, "0") for name in ("first", "last"))))
    return both.select(
        F.explode(F.array(*(F.lit(each).cast("int") for each in shards))).alias(SHARD), piece.alias(ROWS)
    )


def parted_extent(pieces: Iterable[bytes]) -> tuple[list[bytes], tuple[int, int] | None]:
    """The pieces with events, and the first and last time, if they are told."""
    rows, extent = [], None
    for piece in pieces:
        if piece.startswith(MARK):
            first, last = _BOTH.unpack(piece[len(MARK) :])
            extent = first, last
        else:
            rows.append(piece)
    return rows, extent
