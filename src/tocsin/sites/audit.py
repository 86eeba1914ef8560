"""What a site remembers of what happened at it: its audit log (002 section 5).

An entry is `[time, what, ...]`, by the clock of the site:

    gave      stream, first, source, number, count     events of a source went out, numbered on both sides without a gap
    passed    stream, number, [[source, id, number]]   a join passed events on
    took      stream, first, last, from                outputs of a stream have come from another site
    detected  stream, number, detection                a rule told what it detected
    began     part, role, rules, inputs                a part begins here
    ended     part                                     ... and is dropped
    leaves    part, to, stays / left                   a part is on its way to another site / has gone there
    comes     part, from / came                        a part is on its way from another site / has taken over
    late      source, id, end, reached                 an event was sent back (002 4.2.1)
    fetched   source, id, by, found                    somebody asked for attributes that stay here
    limited   stream, count                            events were held back by a limit (001 section 5)
    noted     text                                     what a person should know: clocks, versions, lost sites

The global trail of an event is a thread through these logs (`trails`). They are part of a site's state, so that they
are there again after a crash; what is old or too much is forgotten, in whole segments. No event is written down one by
one where a run of numbers says the same.
"""

from __future__ import annotations

import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec

from tocsin.errors import UsageError
from tocsin.rules.options import window_of

Entry: TypeAlias = list[Any]
"""When, by the site's clock; what; and what belongs to it."""
SEGMENT: Final = 512
"""Entries that are packed together."""


@dataclass(frozen=True)
class Keep:
    """How much is remembered: for how long, in microseconds, and in how many packed bytes at most."""

    period: int = 24 * 3_600_000_000
    size: int = 4 * 1024 * 1024


def kept_of(text: str) -> Keep:
    """`7 days,64`: for so long, and in so many megabytes at most."""
    span, _, size = text.partition(",")
    period = window_of(span).length()
    try:
        megabytes = float(size or "4")
    except ValueError:
        megabytes = 0.0
    if not 0 < megabytes < 4096:
        raise UsageError(f"{text!r} does not say how much is kept: SPAN,MEGABYTES, as in '7 days,64'")
    return Keep(period, round(megabytes * 1024 * 1024))


class Segment(NamedTuple):
    """Entries that are packed: when the first and the last of them were written."""

    begin: int
    end: int
    data: bytes

    def entries(self) -> list[Entry]:
        """What was packed."""
        found: list[Entry] = msgspec.msgpack.decode(zlib.decompress(self.data))
        return found


class Audit:
    """The audit log of a site."""

    def __init__(self, keep: Keep = Keep()) -> None:  # noqa: B008 - frozen
        self.keep = keep
        self.forgotten = 0
        """Entries that are not kept any more."""
        self._segments: deque[tuple[int, Segment]] = deque()
        self._size = 0
        self._open: list[Entry] = []
        self._runs: dict[str, Entry] = {}
        """By stream: the entry that the next output may belong to."""
        self._taken: dict[str, Entry] = {}

    # -- what is written ---------------------------------------------------------------------------------------------

    def note(self, now: int, what: str, *rest: Any) -> None:
        """Something happened."""
        self._write([now, what, *rest])

    def gave(self, now: int, stream: str, output: int, source: str, number: int, count: int = 1) -> None:
        """Events, the first of them the `number`th of its source, went out as outputs of a stream."""
        run = self._runs.get(stream)
        if run is not None and run[0] == now and run[4] == source and run[5] + run[6] == number:
            run[6] += count
            return
        run = self._runs[stream] = [now, "gave", stream, output, source, number, count]
        self._write(run)

    def took(self, now: int, stream: str, first: int, last: int, sender: str) -> None:
        """Outputs of a stream have come."""
        run = self._taken.get(stream)
        if run is not None and run[0] == now and run[4] + 1 == first and run[5] == sender:
            run[4] = last
            return
        run = self._taken[stream] = [now, "took", stream, first, last, sender]
        self._write(run)

    def _write(self, entry: Entry) -> None:
        if len(self._open) >= SEGMENT:
            self._pack()
        self._open.append(entry)

    def _pack(self) -> None:
        data = zlib.compress(msgspec.msgpack.encode(self._open), 1)
        segment = Segment(self._open[0][0], self._open[-1][0], data)
        self._segments.append((len(self._open), segment))
        self._size += len(data)
        self._open, self._runs, self._taken = [], {}, {}
        limit = segment.end - self.keep.period
        while self._segments and (self._size > self.keep.size or self._segments[0][1].end < limit):
            count, oldest = self._segments.popleft()
            self._size -= len(oldest.data)
            self.forgotten += count

    # -- what is read ------------------------------------------------------------------------------------------------

    def entries(self, since: int | None = None) -> Iterator[Entry]:
        """What was written since a time, the newest first."""
        for entry in reversed(self._open):
            if since is not None and entry[0] < since:
                return
            yield entry
        for _, segment in reversed(self._segments):
            if since is not None and segment.end < since:
                return
            for entry in reversed(segment.entries()):
                if since is None or entry[0] >= since:
                    yield entry

    def of(self, whats: Iterable[str], test: Callable[[Entry], bool] = lambda _: True) -> Iterator[Entry]:
        """Entries of some kinds that pass a test, the newest first."""
        wanted = frozenset(whats)
        return (entry for entry in self.entries() if entry[1] in wanted and test(entry))

    @property
    def size(self) -> int:
        """The bytes of what is packed."""
        return self._size

    @property
    def count(self) -> int:
        """How many entries there are."""
        return len(self._open) + sum(count for count, _ in self._segments)

    @property
    def oldest(self) -> int | None:
        """When the oldest entry was written."""
        if self._segments:
            return self._segments[0][1].begin
        return self._open[0][0] if self._open else None

    # -- state -------------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """All of it as plain values, and bytes: what is packed is not packed again."""
        segments = [[count, *segment] for count, segment in self._segments]
        keep = [self.keep.period, self.keep.size]
        return {"segments": segments, "open": self._open, "forgotten": self.forgotten, "keep": keep}

    def restore(self, state: Mapping[str, Any]) -> None:
        """What `state` gave."""
        self._segments = deque((count, Segment(begin, end, data)) for count, begin, end, data in state["segments"])
        self.keep = Keep(*state["keep"])
        self._size = sum(len(segment.data) for _, segment in self._segments)
        self._open, self.forgotten = [list(entry) for entry in state["open"]], state["forgotten"]
        self._runs, self._taken = {}, {}
