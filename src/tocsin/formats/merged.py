"""Several files merged by time: what arrived first comes first, whichever file it is in.

Each file is read by a `Lane` of its own, which knows the file's name, its lines and its last arrival. All else is the
intake's: repeats across files, counts, what is refused. Events without an id are numbered in the merged order.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeAlias

from tocsin.errors import TocsinError
from tocsin.events import Arrival, Event, Heartbeat
from tocsin.formats.intake import NOTHING, Intake
from tocsin.formats.refused import Refused

Reader: TypeAlias = Callable[[Intake], Iterable[Arrival]]
"""Reads one file into an intake."""

_Turn: TypeAlias = tuple[int, Arrival | TocsinError]
"""What a file has next, and when that arrived; an error has its place behind what came before it."""


_BEFORE_ALL: Final = -(2**63)


class Lane(Intake):
    """The way in for one of several files. What it admits has an id only if the file says so."""

    def __init__(self, file: str, whole: Intake) -> None:
        super().__init__(
            file,
            declared=whole.declared,
            remember=NOTHING,  # what comes again is told by the whole
            style=whole.style,
            conform=whole.conform,
            fields=whole.fields,
            clock=whole.clock,
        )
        self.doubled = whole.doubled
        self._whole = whole

    def refuse(self, number: int, text: str, refused: Refused) -> None:
        self._whole.file = self.file
        self._whole.refuse(number, text, refused)

    def _news(self, event: Event, named: bool) -> Arrival:
        if named:
            return event
        return Event(event.type, event.end, event.start, "", event.source, event.data, event.arrival, event.events)


def merged(files: Iterable[tuple[str, Reader]], whole: Intake) -> Iterator[Arrival]:
    """The arrivals of several files, merged by when they arrived; of one moment, those of the file named first."""
    lanes = [_turns(Lane(file, whole), read) for file, read in files]
    for number, (_, turn) in enumerate(heapq.merge(*lanes, key=lambda turn: turn[0]), 1):
        if isinstance(turn, Event):
            yield whole.admit_again(turn, number)
        elif isinstance(turn, Heartbeat):
            yield whole.admit_heartbeat(turn)
        else:
            raise turn


def _turns(lane: Lane, read: Reader) -> Iterator[_Turn]:
    last = _BEFORE_ALL
    try:
        for arrival in read(lane):
            last = arrival.arrival
            yield last, arrival
    except TocsinError as error:
        yield last, error
