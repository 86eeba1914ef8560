"""Measuring: CPU time, best of several, in the same run on the same rows; and the plain meaning beside the loops."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from tocsin.algebra.replay import replay
from tocsin.algebra.rules import Command, Define, Enable, Program
from tocsin.bench.loops import LOOPS, Match
from tocsin.bench.workloads import WORKLOADS, Workload, checksum, events, rows

REPLAY_EVENTS = {"W1": 600, "W2": 200, "W3": 600, "W4": 150, "W5": 100, "W6": 600, "W7": 200, "W8": 1500, "run": 150}
"""How much of each workload the plain meaning is given: it is written to be read, and takes its time."""
REPLAY_KEYS = 10
"""... with so few keys that there are matches to compare."""


SHORT, MORE_TRIES = 0.5, 4
"""Work that takes less than so many seconds in all its tries is tried up to so many times as often."""

T = TypeVar("T")


@dataclass(frozen=True)
class Figure:
    """One contender on one workload."""

    workload: str
    contender: str
    events: int
    matches: int
    checksum: int
    cpu_seconds: float
    times_the_loop: float

    @property
    def rate(self) -> float:
        """Events per CPU-second."""
        return self.events / self.cpu_seconds


def best_of(work: Callable[[], T], tries: int) -> tuple[float, T]:
    """The least CPU time of several tries, and what the last of them gave."""

    def again() -> Callable[[], T]:
        return work

    return best_prepared(again, tries)


def best_prepared(prepare: Callable[[], Callable[[], T]], tries: int) -> tuple[float, T]:
    """As `best_of`, where each try needs something made ready before the clock starts."""
    return best_of_each([prepare], tries)[0]


def best_of_each(prepares: Sequence[Callable[[], Callable[[], T]]], tries: int) -> list[tuple[float, T]]:
    """The least CPU time of each of several contenders, who take turns: what else the machine does then hits all.

    No garbage is collected meanwhile, and what the try before gave is let go first: neither is the contender's work.
    Short work is tried more often.
    """
    best = [float("inf")] * len(prepares)
    found: dict[int, T] = {}
    spent, tried = 0.0, 0
    while tried < tries or (tried < tries * MORE_TRIES and spent < SHORT):
        for number, prepare in enumerate(prepares):
            found.pop(number, None)
            work = prepare()
            gc.collect()
            gc.disable()
            try:
                begun = time.process_time()
                found[number] = work()
                took = time.process_time() - begun
            finally:
                gc.enable()
            best[number], spent = min(best[number], took), spent + took
        tried += 1
    return [(max(least, 1e-9), found[number]) for number, least in enumerate(best)]


def measure(name: str, *, scale: float = 1.0, tries: int = 3, seed: int = 7) -> list[Figure]:
    """The loop and the plain meaning on one workload."""
    workload = WORKLOADS[name]
    table = rows(workload.shape, max(60, round(REPLAY_EVENTS[name] * scale)), seed, REPLAY_KEYS)
    loop_time, wanted = best_of(lambda: LOOPS[name](table), tries)
    meaning_time, found = best_of(lambda: _replayed(workload, table), 1)
    count = len(table)
    return [
        Figure(name, "loop", count, len(wanted), checksum(wanted), loop_time, 1.0),
        Figure(name, "replay", count, len(found), checksum(found), meaning_time, loop_time / meaning_time),
    ]


def _replayed(workload: Workload, table: list[tuple[int, int, int, float]]) -> list[Match]:
    program = Program(tuple(s for rule in workload.rules for s in (Define(rule), Command(Enable(rule.name)))))
    return [tuple(int(place) for place in found.events) for found in replay(program, events(table))]
