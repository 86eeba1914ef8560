"""The events that are born at a site: each gets its number, repeats are noticed, every source's progress is kept.

A source is either timed by its own clock, and tells how far it has got by events and heartbeats; or it is stamped by
the site's clock when it reports, and then has got as far as that clock.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from tocsin.events import Event

ANY: Final = "*"
"""Instead of a type: events of any."""
FAR: Final = 1 << 62
"""Later than any time. How far a stream has got that has ended is later still, and says when it ended."""
_ENDED: Final = FAR + (1 << 61)
REMEMBERED: Final = 3_600_000_000
"""How long the ids of a source are remembered: an hour of its events' time (SEMANTICS section 7, "Repeats")."""


def ended(at: int) -> int:
    """How far a stream has got that has ended, and had got to a time before: until then periodic timers go on."""
    return max(_ENDED + at, FAR)


def end_of(frontier: int) -> int | None:
    """When a stream ended that has got so far; None if it has not, or if nothing was ever heard of its sources."""
    return frontier - _ENDED if frontier > FAR else None


def furthest(frontiers: Collection[int]) -> int:
    """How far several streams have got together: as far as the last of them; if all have ended, when the last did."""
    least = min(frontiers, default=FAR)
    return least if least < FAR else max(frontiers, default=FAR)


def numbered(event: Event, number: int) -> Event:
    """A primitive event as it was born: with its place among those of its source."""
    return Event(event.type, event.end, event.start, event.id, event.source, event.data, event.arrival, number=number)


@dataclass
class Source:
    """A source and how far it has got: nothing that ended before `reached` is to come."""

    types: frozenset[str] | None = None
    is_stamped: bool = False
    reached: int | None = None
    count: int = 0
    is_closed: bool = False
    in_seconds: bool | None = None
    """How it writes times: as seconds, or as texts; None if that is not known."""
    ids: dict[str, int] = field(default_factory=dict)
    """The ids of late, each with the end of its event, in the order in which they came."""

    def makes(self, kind: str) -> bool:
        """Whether events of a type may come from it."""
        return self.types is None or kind in self.types or kind == ANY

    def frontier(self, now: int) -> int | None:
        """Everything up to that time is here; None if nothing is known yet."""
        if self.is_closed:
            return FAR if self.reached is None else ended(self.reached)
        if self.is_stamped:  # its events get times that grow: what comes at the last one is here
            return now - 1 if self.reached is None else max(now - 1, self.reached)
        return None if self.reached is None else self.reached - 1


@dataclass(frozen=True)
class Late:
    """An event that is sent back to where it came from: its source had got further (002 section 4.2.1)."""

    event: Event
    reached: int


class Births:
    """The sources of a site."""

    def __init__(self) -> None:
        self.sources: dict[str, Source] = {}
        self.repeats = self.late = 0

    def register(
        self,
        name: str,
        types: Iterable[str] | None,
        *,
        is_stamped: bool = False,
        reached: int | None = None,
        in_seconds: bool | None = None,
    ) -> None:
        """A source says what it makes. One that comes back goes on where it was."""
        source = self.sources.setdefault(name, Source())
        source.in_seconds = source.in_seconds if in_seconds is None else in_seconds
        source.types = None if types is None else frozenset(types)
        source.is_stamped, source.is_closed = is_stamped, False
        if reached is not None and (source.reached is None or reached > source.reached):
            source.reached = reached

    def accept(self, event: Event, promised: int = -FAR) -> Event | Late | None:
        """An event with its number; None if it is a repeat. One from a source nobody announced announces it.

        `promised`: until then nothing more is to come of its type, whatever its source.
        """
        source = self.sources.setdefault(event.source, Source())
        if event.id in source.ids:
            self.repeats += 1
            return None
        if event.end <= promised or (source.reached is not None and event.end < source.reached):
            self.late += 1
            return Late(event, max(promised + 1, source.reached or -FAR))
        source.count += 1
        source.reached = event.end
        source.is_closed = False
        source.ids[event.id] = event.end
        self._forget(source)
        return numbered(event, source.count)

    def accept_many(self, source: Source, records: Sequence[Sequence[Any]], promised: int) -> list[list[Any]]:
        """Events of one source and type with their numbers, as they travel: up to one that is not simply accepted."""
        reached = -FAR if source.reached is None else source.reached
        least, count, ids = max(reached, promised + 1), source.count, source.ids
        born: list[list[Any]] = []
        for _, kind, name, identity, end, start, data in records:
            if end is None or end < least or identity in ids:
                break
            least = end
            count += 1
            ids[identity] = end
            born.append([kind, name, identity, end, start, count, data])
        if born:
            source.count, source.reached, source.is_closed = count, least, False
            self._forget(source)
        return born

    def _forget(self, source: Source) -> None:
        assert source.reached is not None
        limit = source.reached - REMEMBERED
        while source.ids:
            oldest = next(iter(source.ids))
            if source.ids[oldest] >= limit:
                return
            del source.ids[oldest]

    def beat(self, name: str, time: int) -> None:
        """A source has got to a time without an event."""
        source = self.sources.setdefault(name, Source())
        if source.reached is None or time > source.reached:
            source.reached = time

    def close(self, name: str) -> None:
        """Nothing more is to come from a source, until it reports again."""
        self.sources.setdefault(name, Source()).is_closed = True

    def frontier(self, kind: str, now: int) -> int | None:
        """Everything of a type that is born here up to that time is here; where nothing makes it, the clock goes on."""
        frontiers: list[int] = []
        for source in self.sources.values():
            if source.makes(kind):
                frontier = source.frontier(now)
                if frontier is None:
                    return None
                frontiers.append(frontier)
        return furthest(frontiers) if frontiers else now - 1

    def waits_for(self, kind: str, now: int) -> list[str]:
        """The sources that hold a type back, the one that is furthest behind first."""
        open_ones = [(source.frontier(now), name) for name, source in self.sources.items() if source.makes(kind)]
        return [name for _, name in sorted(((-FAR if at is None else at), name) for at, name in open_ones)]

    # -- state -------------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """All of it as plain values."""
        return {
            name: {
                "types": None if one.types is None else sorted(one.types),
                "stamped": one.is_stamped,
                "reached": one.reached,
                "count": one.count,
                "closed": one.is_closed,
                "seconds": one.in_seconds,
                "ids": one.ids,
            }
            for name, one in self.sources.items()
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """What `state` gave."""
        for name, one in state.items():
            types = None if one["types"] is None else frozenset(one["types"])
            told = one["stamped"], one["reached"], one["count"], one["closed"], one["seconds"]
            self.sources[name] = Source(types, *told, dict(one["ids"]))
