"""Lines between places: how long a message takes over them, how much fits, what they lose, and what went over each.

Lines keep their order (002 section 2). A line that has a bandwidth sends one message after the other; what is to go on
over another line waits there in turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final, TypeAlias

Hop: TypeAlias = tuple[str, str]
"""A line, in one direction."""
SIGNS: Final = "signs of life"
KINDS: Final = ("events", "detections", "reports", "questions", "births", "deploying", SIGNS)
"""What messages are about. `births`: from a source to its site."""


@dataclass(frozen=True)
class Line:
    """Between two places. Times in microseconds, bandwidth in bytes a second."""

    delay: int = 500
    jitter: int = 0
    """A message takes up to so much longer."""
    bandwidth: float | None = None
    loss: float = 0.0


@dataclass
class Carried:
    """What was sent over a line, or altogether, by what it is about."""

    messages: Counter[str] = field(default_factory=Counter)
    bytes: Counter[str] = field(default_factory=Counter)
    lost: int = 0

    def add(self, other: Carried) -> None:
        """More of it."""
        self.messages += other.messages
        self.bytes += other.bytes
        self.lost += other.lost


@dataclass
class Network:
    """Lines, and the ways over them from place to place."""

    lines: Mapping[Hop, Line]
    way: Callable[[str, str], Sequence[Hop]]
    seed: str = ""
    carried: dict[Hop, Carried] = field(default_factory=dict)
    delivered: int = 0
    lost: int = 0
    """Messages that a line, a cut or a dead site swallowed."""
    cut: set[Hop] = field(default_factory=set)
    """Lines that carry nothing at the moment."""
    _free: dict[Hop, int] = field(default_factory=dict)
    _last: dict[Hop, int] = field(default_factory=dict)
    _ways: dict[Hop, Sequence[Hop]] = field(default_factory=dict)
    _randoms: dict[Hop, Random] = field(default_factory=dict)

    def arrival(self, sender: str, to: str, kind: str, size: int, now: int) -> int | None:
        """When a message that is sent now is there; None if it is lost on its way. It is counted on each line."""
        hops = self._ways.get((sender, to))
        if hops is None:
            hops = self._ways[sender, to] = self.way(sender, to) if sender != to else ()
        for hop in hops:
            carried = self.carried.get(hop)
            if carried is None:
                carried = self.carried[hop] = Carried()
            carried.messages[kind] += 1
            carried.bytes[kind] += size
            there = None if hop in self.cut else self._over(hop, kind, size, now)
            if there is None:
                carried.lost += 1
                self.lost += 1
                return None
            now = there
        return now

    def _over(self, hop: Hop, kind: str, size: int, now: int) -> int | None:
        line = self.lines[hop]
        random = self._randoms.get(hop)
        if random is None:  # each line its own, so that what goes over one changes nothing on another
            random = self._randoms[hop] = Random(f"{self.seed}/{hop[0]}>{hop[1]}")
        if line.loss and random.random() < line.loss:
            return None
        if line.bandwidth is not None:
            begins = max(now, self._free.get(hop, 0))
            now = self._free[hop] = begins + round(size / line.bandwidth * 1e6)
        now += line.delay + (random.randrange(line.jitter) if line.jitter else 0)
        now = max(now, self._last.get(hop, 0))
        self._last[hop] = now
        return now

    def all(self, over: Callable[[Hop], bool] = lambda hop: True) -> Carried:
        """What was sent over some lines, together."""
        found = Carried()
        for hop, carried in self.carried.items():
            if over(hop):
                found.add(carried)
        return found

    def forget(self) -> None:
        """Counting begins now."""
        self.carried.clear()


def kind_of(message: Mapping[str, Any]) -> str:
    """What a message is about."""
    what, stream = message["is"], message.get("stream", "")
    if what in ("hello", "who", "ping", "pong"):
        return SIGNS
    if stream.startswith("control/"):
        return "deploying"
    if stream.startswith("from/"):
        return "births"
    if what == "outputs" and message["outputs"]:
        return "detections" if stream.endswith("!") else "events"
    return "reports" if what == "report" else "questions"
