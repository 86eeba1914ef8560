"""A simulated world: a counter and a service whose clock drifts, ways that take their time, in virtual time."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tocsin.sensor.service import Answer, RefusedLine, Unanswered, Verdict
from tocsin.time.spans import SECOND


class World:
    """Real time, which nobody can read; here in microseconds, as a float."""

    def __init__(self, start: float = 0.0) -> None:
        self.time = start

    def pass_by(self, microseconds: float) -> None:
        self.time += microseconds


@dataclass
class Machine:
    """A sensor's machine: a counter that runs at a rate of its own, and a clock that is wrong by so much."""

    world: World
    rate: float = 1.0
    begun: float = 12_345.0
    wrong: float = 0.0

    def reading(self) -> int:
        return int(self.begun + self.world.time * self.rate)

    def now(self) -> int:
        return int(1_800_000_000 * SECOND + self.world.time + self.wrong)


@dataclass
class SimulatedService:
    """A service in that world: its clock, the ways there and back, what it takes and what goes wrong."""

    world: World
    rate: float = 1.0
    begun: float = 1_800_000_000.0 * SECOND
    delays: Callable[[], tuple[float, float]] = lambda: (100.0, 100.0)
    fate: Callable[[], str] = lambda: "taken"
    """Of the next request: `taken`, `lost` (the answer), `away`, `busy` (taken: nothing), `barred`."""
    refuses: Callable[[dict[str, Any]], bool] = lambda event: False
    spoils: Callable[[dict[str, Any]], bool] = lambda event: False
    events: list[dict[str, Any]] = field(default_factory=list)
    posted: list[tuple[float, list[dict[str, Any]]]] = field(default_factory=list)
    _seen: set[tuple[str, str]] = field(default_factory=set)

    def true_time(self) -> float:
        """What its clock shows at this moment, exactly."""
        return self.begun + self.world.time * self.rate

    def time(self) -> int:
        there, back = self.delays()
        self.world.pass_by(there)
        shown = int(self.true_time())
        self.world.pass_by(back)
        if self.fate() == "away":
            raise Unanswered("nobody is there")
        return shown

    def post(self, lines: list[bytes]) -> Answer:
        there, back = self.delays()
        self.world.pass_by(there)
        events = [json.loads(line) for line in lines]
        self.posted.append((self.world.time, events))
        fate = self.fate()
        answer = self._answer(fate, events)
        self.world.pass_by(back)
        return answer

    def _answer(self, fate: str, events: list[dict[str, Any]]) -> Answer:
        if fate == "away":
            return Answer(Verdict.LATER, "nobody is there")
        if fate == "busy":
            return Answer(Verdict.LATER, "slow down", wait=7.0)
        if fate == "barred":
            return Answer(Verdict.BARRED, "the key is not known")
        if any(self.spoils(event) for event in events):
            return Answer(Verdict.UNFIT, "one of them cannot be read", "bad-body")
        answer = self._take(events)
        return Answer(Verdict.LATER, "the answer was lost") if fate == "lost" else answer

    def _take(self, events: list[dict[str, Any]]) -> Answer:
        accepted = duplicates = 0
        refused = []
        for index, event in enumerate(events):
            name = (event["source"], event.get("id", ""))
            if event.get("heartbeat"):
                accepted += 1
            elif self.refuses(event):
                refused.append(RefusedLine(index, "unfit", "it is not wanted"))
            elif name in self._seen:
                duplicates += 1
            else:
                self._seen.add(name)
                self.events.append(event)
                accepted += 1
        return Answer(Verdict.TAKEN, "", "", accepted, duplicates, tuple(refused))

    def close(self) -> None:
        """There is no connection."""
