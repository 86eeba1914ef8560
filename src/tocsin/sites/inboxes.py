"""Streams taken in: in the order of their numbers, each once, whatever the network does with messages.

An output is handed on when all before it are there. How far a stream has got counts from the moment at which all are
there that were given out until then: an answer that overtakes events must not outrun them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

MOST_AHEAD = 100_000
"""Outputs that are kept while one before them is missing; more are asked for again when it has come."""


@dataclass
class Inbox:
    """One stream as it comes in."""

    following: int = 1
    """The number of the next output."""
    frontier: int | None = None
    """Everything up to that time is here."""
    ahead: dict[int, Any] = field(default_factory=dict)
    promised: list[tuple[int, int]] = field(default_factory=list)
    """How far the stream has got, once so many outputs have come."""
    is_missing: bool = False
    turn: int = 0
    """How often it has gone back: what was reported before does not count for what is to come once more."""

    def take(self, first: int, outputs: list[Any]) -> list[Any]:
        """Outputs have come, numbered from `first` on: those that are next, in order."""
        if first == self.following and not self.ahead:
            self.following += len(outputs)
            self.is_missing = False
            self._get_on()
            return outputs
        for number, output in enumerate(outputs, first):
            if number >= self.following and len(self.ahead) < MOST_AHEAD:
                self.ahead[number] = output
        found: list[Any] = []
        while (following := self.ahead.pop(self.following, None)) is not None:
            found.append(following)
            self.following += 1
        self.is_missing = bool(self.ahead)
        self._get_on()
        return found

    def promise(self, last: int, frontier: int, *, more_follow: bool = False) -> None:
        """The stream has got to a time, and its last output until then has that number.

        `more_follow`: outputs that are not here may be on their way behind these; else they should be here.
        """
        if self.frontier is not None and frontier <= self.frontier:
            return
        self.promised = [each for each in self.promised if each[0] < last or each[1] > frontier]
        self.promised.append((last, frontier))
        self.is_missing = self.is_missing or (last >= self.following and not more_follow)
        self._get_on()

    def _get_on(self) -> None:
        kept: list[tuple[int, int]] = []
        for last, frontier in self.promised:
            if last >= self.following:
                kept.append((last, frontier))
            elif self.frontier is None or frontier > self.frontier:
                self.frontier = frontier
        self.promised = kept
        if not kept and not self.ahead:
            self.is_missing = False

    @property
    def gap(self) -> int:
        """The number of the last output that is missing before others that are here, or were told of."""
        return min(self.ahead) - 1 if self.ahead else max((last for last, _ in self.promised), default=0)

    def go_back(self, number: int) -> None:
        """What follows a number is to come once more: somebody else here has not taken it."""
        if number + 1 < self.following:
            self.following, self.frontier = number + 1, None
            self.turn += 1
            self.ahead.clear()
            self.promised.clear()

    def state(self) -> dict[str, Any]:
        """All of it as plain values: whoever goes on from here is in no way different."""
        return {
            "following": self.following,
            "frontier": self.frontier,
            "ahead": list(self.ahead.items()),
            "promised": self.promised,
            "missing": self.is_missing,
            "turn": self.turn,
        }

    @classmethod
    def restored(cls, state: Mapping[str, Any]) -> Inbox:
        """What `state` gave."""
        promised = [(last, frontier) for last, frontier in state["promised"]]
        return cls(
            state["following"], state["frontier"], dict(state["ahead"]), promised, state["missing"], state["turn"]
        )
