"""A history cut into slices of time, for rules that have a window but no key.

All slices are equally long and counted from 1970 on, so nothing need be known about the history: neither when it begins
nor when it ends, nor whether its source grows before it is read. The shards take turns, as cards are dealt. To a shard
the time between two of its slices is time in which nothing comes: what is found in a slice depends on nothing older
than the window, and the events of so much time before it are given to it, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from pyspark.sql import functions as F

WINDOWS: Final = 8
"""A slice is so many times as long as the window: one event in so many goes to two shards."""


@dataclass(frozen=True)
class Cuts:
    """Slices of some length, dealt to so many shards. An event is in its own slice and in the one that it reaches."""

    length: int
    count: int
    overlap: int

    def owns(self, shard: int, time: Any) -> Any:
        """Whether what is found at a time, or at each of an array of times, is for this shard to tell."""
        return time // self.length % self.count == shard

    def shards(self, time: Any, first: int) -> Any:
        """The shards that an event of some time goes to, if `first` is the first one."""
        instant = F.unix_micros(time)
        own, reached = (self._dealt(instant + F.lit(more)) + first for more in (0, self.overlap))
        return F.when(own == reached, F.array(own)).otherwise(F.array(own, reached))

    def _dealt(self, instant: Any) -> Any:
        number = (instant - F.pmod(instant, F.lit(self.length))) / F.lit(self.length)
        return F.pmod(F.rint(number).cast("bigint"), F.lit(self.count)).cast("int")  # it was divided as a real number


def cuts_of(overlap: int | None, shards: int) -> Cuts | None:
    """The slices for rules that look so far back; None if their time cannot be cut, or there is one shard."""
    return None if overlap is None or shards < 2 else Cuts(WINDOWS * overlap, shards, overlap)
