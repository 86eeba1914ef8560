"""`simulator`: messages a CPU second that `tocsin simulate` carries, and how many with the work of real sites.

By itself: messages of an event each, packed and unpacked, over lines with delays and bandwidths, counted by what they
are about; the sites they go between do nothing. Then a tenth of the day of `tocsin simulate office`, sites and all.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, Final

from tocsin.bench.columns import is_compiled
from tocsin.bench.records import Record, Target
from tocsin.simulate.networks import Line, Network
from tocsin.simulate.office.experiment import DAY, DAY_SUBSCRIBERS
from tocsin.simulate.office.solutions import DISTRIBUTED, Setting, outcome
from tocsin.simulate.worlds import World
from tocsin.sites.links import Pace

MESSAGES: Final = 300_000
_APART: Final = 10


class _Idle(World):
    """A world whose sites do nothing with what comes."""

    def step(self, name: str, message: dict[str, Any] | None) -> None:
        """Nothing."""


def simulator(scale: float) -> Iterator[Record]:
    """Messages a CPU second: without the sites' work, and with it."""
    count = max(1_000, round(MESSAGES * scale))
    line = Line(delay=500, bandwidth=12_500_000)
    network = Network({("A", "B"): line, ("B", "A"): line}, lambda one, other: ((one, other),), "bench")
    world = _Idle(("A", "B"), network, Pace(beat=1 << 40))
    event = ["a", "s", "e000001", 1_000_000, 1_000_000, 1, {"room": 3, "text": "x" * 80}]
    told = {"is": "outputs", "stream": "A/a", "outputs": [[1_000_000, 1, [event]]], "from": "A"}
    begun = time.process_time()
    for first in range(0, count, 1_000):
        for number in range(first, min(first + 1_000, count)):
            world.at(
                number * _APART, world.send, "A", "B", told | {"first": number, "last": number, "frontier": number}
            )
        world.run((first + 1_000) * _APART)
    world.run(1 << 50)
    cpu = time.process_time() - begun
    carried = network.carried["A", "B"].messages["events"]
    yield _record("simulator", carried, cpu, Target(300_000), network.delivered == carried == count)
    begun = time.process_time()
    day = outcome(DISTRIBUTED, Setting(DAY_SUBSCRIBERS, minutes=max(5, round(DAY / 10 * scale))))
    yield _record("simulator-office", day.messages, time.process_time() - begun, None, bool(day.messages))


def _record(name: str, count: int, cpu: float, target: Target | None, agrees: bool) -> Record:
    unit = "messages a CPU second"
    return Record(name, count, count, 0, max(cpu, 1e-9), count / cpu, unit, target, agrees, is_compiled())
