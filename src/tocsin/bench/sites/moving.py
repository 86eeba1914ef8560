"""What a move costs those who wait for detections: a part that holds 300,000 events goes from one site to another.

5,000 events a second are born at site A meanwhile, and 100 of them complete what the part looks for; each is told here.
`move`: by how much later 99 of 100 detections are told while the part moves than before, at most. The sites are
processes of their own, the broker is NATS, and all of them share this machine.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import uuid4

import msgspec

from tocsin.bench.brokers.servers import Nats
from tocsin.bench.columns import is_compiled
from tocsin.bench.records import Record, Target
from tocsin.bench.sites.wires import PATIENCE, started
from tocsin.rules.loader import load_expression
from tocsin.sites.parts import TOLD, Part, Role, part_record
from tocsin.sites.shell.guest import Guest
from tocsin.sites.shell.network import Network, Run, unpacked
from tocsin.sites.shell.process import SiteProcess
from tocsin.sites.shell.topics import broker_of, guest_name
from tocsin.sites.site import Told

HELD: Final = 300_000
TOGETHER: Final = 50
"""Events in a message; the last of them completes something."""
EVERY: Final = 0.01
"""Seconds between two messages: 5,000 events a second."""
BEFORE: Final = 5.0
"""Seconds in which it is measured how it is without a move."""
AFTER: Final = 2.0
WINDOW: Final = 20_000
MOST_ADDED: Final = 50.0
"""Milliseconds."""
_PART: Final = load_expression("(x:a -> y:b) in 1 hour", "sel", "x.k = y.k")


@dataclass
class Stream:
    """What is born at A, as somebody publishes it, and when that was told which was completed."""

    network: Network
    me: str
    outputs: int = 0
    events: int = 0
    reported: int = 0
    sent: dict[str, float] = field(default_factory=dict)
    delays: dict[str, float] = field(default_factory=dict)

    def give(self, records: list[Any]) -> None:
        """Publishes records in one message."""
        first, self.outputs = self.outputs + 1, self.outputs + len(records)
        told = {"is": "outputs", "stream": f"from/{self.me}", "first": first, "outputs": records}
        told |= {"last": self.outputs, "frontier": None, "from": self.me}
        self.network.publish("A", [self.network.packed([msgspec.msgpack.encode(told)])])

    def batch(self, count: int, *, completes: bool) -> None:
        """So many events, one a millisecond of their own time, and how far their source has got behind them."""
        numbers = range(self.events + 1, self.events + count + 1)
        self.events += count
        records: list[list[Any]] = [["event", "a", "s", f"e{n}", n * 1_000, n * 1_000, {"k": n}] for n in numbers]
        if completes:
            last = records[-1]
            last[1], last[6] = "b", {"k": numbers[0]}
            self.sent[last[3]] = time.monotonic()
        self.give([*records, ["beat", "s", numbers[-1] * 1_000 + 1]])

    def take(self, seconds: float) -> None:
        """What the site reports."""
        for payload in self.network.receive(seconds):
            for message in unpacked(payload)[1]:
                if message["is"] == "report":
                    self.reported = max(self.reported, message["number"])

    def hears(self, told: Any) -> None:
        """Detections are told."""
        now = time.monotonic()
        for each in list[Told](told):
            name = each.detection.events[1]
            self.delays.setdefault(name, now - self.sent[name])


def move(scale: float) -> Iterator[Record]:
    """By how much later detections are told while a part that holds much moves."""
    used = time.process_time()
    with ExitStack() as stack:
        url, sites = started(stack, Nats, "A", "B")
        guest = stack.enter_context(Guest(url))
        guest.look_around(PATIENCE, lambda: len(guest.directory) == 2)
        me = guest_name("bench")
        stream = Stream(Network(broker_of(url), me, Run(1, uuid4().hex), lambda text: None), me)
        stack.callback(stream.network.close)
        sink = SiteProcess(guest_name("sink"), broker_of(url), hears=stream.hears)
        stack.callback(sink.close)
        key = _begin(stream, sink)
        held = _fill(stream, sink, max(1_000, round(HELD * scale)))
        before = _while(stream, sink, guest, time.monotonic() + BEFORE)
        gaps = _Gaps(guest)
        begun, cpu = time.monotonic(), {name: site.cpu() for name, site in sites.items()}
        guest.send("A", {"is": "query", "number": -1, "what": ["move", key, "B"]})
        during = _while(stream, sink, guest, None, key, gaps)
        lasted = time.monotonic() - begun
        cpu = {name: site.cpu() - cpu[name] for name, site in sites.items()}
        during += _while(stream, sink, guest, time.monotonic() + AFTER)
        agrees = len(stream.delays) == len(stream.sent)
    quiet, moving = _of_99(before), _of_99(during)
    details = {"before_p99_ms": quiet, "p99_ms": moving, "max_ms": 1e3 * max(during), "seconds": lasted}
    details |= {f"silent_{name}_ms": 1e3 * gap for name, gap in gaps.longest.items()}
    details |= {f"cpu_{name}_s": seconds for name, seconds in cpu.items()}
    yield Record(
        "move",
        held,
        len(stream.delays),
        0,
        time.process_time() - used,
        moving - quiet,
        "ms later, 99 of 100",
        Target(MOST_ADDED, at_most=True),
        agrees,
        is_compiled(),
        details,
    )


class _Gaps:
    """For how long sites give no sign of life: they do so every 200 ms while they are not busy with something else."""

    def __init__(self, guest: Guest) -> None:
        self._guest, self._last = guest, dict(guest.heard)
        self.longest = dict.fromkeys(("A", "B"), 0.0)

    def look(self) -> None:
        for name, longest in self.longest.items():
            heard = self._guest.heard[name]
            self.longest[name] = max(longest, heard - self._last[name])
            self._last[name] = heard


def _begin(stream: Stream, sink: SiteProcess) -> str:
    """A part runs at A, over what is born there; its key."""
    wanted = [Part(Role.FILTER, type=kind, birthplace="A") for kind in "ab"]
    rule = Part(Role.RULE, _PART, inputs=tuple(each.key for each in wanted))
    stream.give([["source", "s", ["a", "b"], False, 0, None]])
    until = time.monotonic() + PATIENCE
    while not stream.reported and time.monotonic() < until:  # else time would have gone on without it
        stream.take(0.02)
    sink.do(
        ["tell", "A", ["host", part_record(rule), {each.key: ["A", "requests", part_record(each)] for each in wanted}]]
    )
    sink.do(["watch", rule.key + TOLD, "A"])
    while rule.key + TOLD not in sink.site.watched and time.monotonic() < until:
        sink.turn(0.02)
    return rule.key


def _fill(stream: Stream, sink: SiteProcess, count: int) -> int:
    """Lets the part hold so many events; how many there are."""
    until = time.monotonic() + PATIENCE
    while stream.reported < stream.outputs or stream.events < count:
        if time.monotonic() > until:
            raise TimeoutError("site A does not take the events")
        while stream.events < count and stream.outputs - stream.reported < WINDOW:
            stream.batch(500, completes=False)
        stream.take(0.01)
        sink.turn(0.0)
    return stream.events


def _while(
    stream: Stream, sink: SiteProcess, guest: Guest, until: float | None, key: str = "", gaps: _Gaps | None = None
) -> list[float]:
    """Publishes at a steady pace until a time, or until a part has come to B and left A; the delays of what it made."""
    names: list[str] = []
    due = time.monotonic()
    limit = due + PATIENCE if until is None else until
    while time.monotonic() < limit:
        stream.batch(TOGETHER, completes=True)
        names.append(next(reversed(stream.sent)))
        due += EVERY
        while (left := due - time.monotonic()) > 0:
            sink.turn(min(left, 0.001))
            guest.turn(0.0)
            stream.take(0.0)
        if gaps is not None:
            gaps.look()
        if until is None and key in guest.directory["B"]["parts"] and key not in guest.directory["A"]["parts"]:
            break
    limit = time.monotonic() + PATIENCE
    while any(name not in stream.delays for name in names) and time.monotonic() < limit:
        sink.turn(0.002)
        guest.turn(0.0)
    return [stream.delays.get(name, PATIENCE) for name in names]


def _of_99(delays: list[float]) -> float:
    return 1e3 * sorted(delays)[len(delays) * 99 // 100]
