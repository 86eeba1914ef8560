"""Streams given out: each output has a number, and is kept until everybody who takes the stream has reported it.

Nothing is asked of the broker: what it loses is sent again from here, end to end.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

HOLD: Final = "<"
"""Before the name of a site from which a stream was moved here: what those need who take it there still is kept."""
COMING: Final = HOLD + HOLD
"""Before the name of a site, and of a part that leaves it: elsewhere that may have to take outputs once more."""
HEARTBEATS, REQUESTS, TOKENS = "heartbeats", "requests", "tokens"
WAYS: Final = (HEARTBEATS, REQUESTS, TOKENS)
"""How somebody who takes a stream hears how far it has got, where nothing else is to be told."""


def hold_of(site: str, key: str) -> str:
    """What keeps outputs for a part that leaves a site, until it has gone."""
    return f"{COMING}{site}/{key}"


@dataclass
class Taker:
    """Somebody who takes a stream."""

    reported: int
    """The last output that need not be kept for it any more."""
    way: str = REQUESTS
    sent: int = 0
    """The last output that was sent."""
    told: int | None = None
    """How far the stream had got when that was told last."""
    asked: int | None = None
    """Until when it needs to know."""
    has_end: bool = False
    """Whether it knows that nothing more is to come."""
    since: int | None = None
    """Since when nothing new of what was sent has been reported, by the clock of this site."""
    again: int = 0
    """How often that has been sent again."""
    waits: int | None = None
    """Since when nothing has been reported, though something could be."""
    usual: int = 0
    """How long that takes of late."""
    turn: int = 0
    """How often it has gone back: reports from before do not count."""
    came: int = 0
    """The last output that is safe there. More may be kept for it: a part that takes them is about to leave."""

    gap: int = 0
    """What lies between what came and this output is missing there, and is to be sent once more."""
    mended: int | None = None
    """Behind which output a gap was mended last: for the same gap again there is patience."""

    def __post_init__(self) -> None:
        self.came = max(self.came, self.reported)


@dataclass
class Outbox:
    """One stream as it is given out."""

    last: int = 0
    frontier: int | None = None
    kept: deque[Any] = field(default_factory=deque)
    """The last outputs, as they travel; the newest has the number `last`."""
    takers: dict[str, Taker] = field(default_factory=dict)
    unused_since: int | None = None

    def give(self, output: Any) -> None:
        """One more output."""
        self.last += 1
        if self.takers:
            self.kept.append(output)

    def give_many(self, outputs: Sequence[Any]) -> None:
        """More outputs."""
        self.last += len(outputs)
        if self.takers:
            self.kept.extend(outputs)

    def get_to(self, frontier: int) -> None:
        """The stream has got to a time."""
        if self.frontier is None or frontier > self.frontier:
            self.frontier = frontier

    def join(self, site: str, way: str, after: int | None, turn: int = 0) -> Taker:
        """Somebody takes the stream from now on, or goes on after an output that it has reported."""
        taker = self.takers.get(site)
        if taker is None or after is not None:
            kept = self.last - len(self.kept)
            reported = self.last if after is None else max(kept, min(after, self.last))
            taker = self.takers[site] = Taker(reported, way, reported)
        taker.way, taker.turn = way, turn
        self.unused_since = None
        self._drop()
        return taker

    def holds(self, site: str) -> bool:
        """Whether outputs are only kept for somebody, and not sent: while the stream or a part that takes it moves."""
        return site.startswith(HOLD)

    def leave(self, site: str) -> None:
        """Somebody takes it no more."""
        self.takers.pop(site, None)
        self._drop()

    def lose(self, site: str) -> None:
        """A site has lost its state: nothing is kept for it, nor for the parts that were about to leave it."""
        lost = (site, HOLD + site)
        for taker in [each for each in self.takers if each in lost or each.startswith(hold_of(site, ""))]:
            self.leave(taker)

    def report(self, site: str, number: int, came: int | None = None, now: int | None = None) -> None:
        """Somebody needs nothing any more up to an output; `came`: he has everything up to another, further one."""
        taker = self.takers.get(site)
        if taker is None:
            return
        came = min(max(number, came or number), self.last)
        if came > taker.came:
            taker.came = came
            taker.sent = max(taker.sent, came)
            taker.again = 0
            if now is not None and taker.waits is not None:
                taker.usual = max(now - taker.waits, taker.usual * 7 // 8)
            taker.since = taker.waits = now
            if taker.sent == came:
                taker.since = taker.waits = None
        if number > taker.reported:
            taker.reported = min(number, self.last)
            self._drop()

    def keeps(self, number: int) -> bool:
        """Whether every output behind one is still there."""
        return self.last - len(self.kept) <= number

    def _drop(self) -> None:
        least = min((taker.reported for taker in self.takers.values()), default=self.last)
        while len(self.kept) > self.last - least:
            self.kept.popleft()

    def after(self, number: int, most: int) -> tuple[int, list[Any]]:
        """The outputs behind one, at most so many, and the number of the first."""
        first = self.last - len(self.kept) + 1
        begin = max(number + 1, first)
        skip = begin - first
        return begin, list(islice(self.kept, skip, skip + most))

    # -- state -------------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """All of it as plain values."""
        takers = {site: [one.reported, one.way, one.turn] for site, one in self.takers.items()}
        return {"last": self.last, "frontier": self.frontier, "kept": list(self.kept), "takers": takers}

    @classmethod
    def restored(cls, state: Mapping[str, Any]) -> Outbox:
        """What `state` gave. What was not reported is sent again."""
        takers = {
            site: Taker(reported, way, reported, turn=turn) for site, (reported, way, turn) in state["takers"].items()
        }
        return cls(state["last"], state["frontier"], deque(state["kept"]), takers)
