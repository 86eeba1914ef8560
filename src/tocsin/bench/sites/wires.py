"""What goes over the wire: events through a site, and what a site on the way adds to the delay.

`nats-single`, `nats-batched`, `mqtt-single`, `mqtt-batched`: events a second (wall) through one site in a process of
its own: published to it one a message, or 100 a message; born there, numbered, given out, and taken and reported by
this process. `nats-hop`, `mqtt-hop`: by how much later a detection is told, in the median and at 200 events a second,
if its rule runs one site further from the source; `nats-hop-disk`: where each write waits for the disk. The broker and
all processes share this machine.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import msgspec

from tocsin.bench.brokers.servers import Broker, Mosquitto, Nats
from tocsin.bench.columns import is_compiled
from tocsin.bench.records import Record, Target
from tocsin.events import Event
from tocsin.rules.loader import load_expression
from tocsin.sites.parts import TOLD, Part, Role, part_record
from tocsin.sites.shell.guest import Guest
from tocsin.sites.shell.network import Network, Run, unpacked
from tocsin.sites.shell.process import SiteProcess
from tocsin.sites.shell.publication import Publication
from tocsin.sites.shell.topics import broker_of, guest_name
from tocsin.sites.site import Told

EVENTS: Final = 100_000
TOGETHER: Final = 100
WINDOW: Final = 20_000
"""Events that are on their way at a time."""
PER_SECOND: Final = 200
SECONDS: Final = 10.0
PATIENCE: Final = 120.0
_TICKS: Final = os.sysconf("SC_CLK_TCK")


class Site:
    """A site in a process of its own."""

    def __init__(self, name: str, url: str, *options: str) -> None:
        command = [sys.executable, "-m", "tocsin.cli", "site", "--name", name, "--broker", url, *options]
        self._process = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)

    def cpu(self) -> float:
        """The seconds of CPU that it has used."""
        told = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(told[11]) + int(told[12])) / _TICKS

    def kill(self) -> None:
        """As a power failure would."""
        self._process.kill()
        self._process.wait()

    def __enter__(self) -> Site:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait()


def started(stack: ExitStack, kind: Callable[[Path], Broker], *names: str, options: tuple[str, ...] = ()) -> Any:
    """A broker, its address, and sites there that are heard."""
    home = stack.enter_context(tempfile.TemporaryDirectory(prefix="tocsin-sites-"))
    broker = stack.enter_context(kind(Path(home) / "broker"))
    url = broker.url(f"bench{uuid4().hex[:8]}")
    data = [option.replace("HOME", home) for option in options]
    sites = {
        name: stack.enter_context(Site(name, url, *(each.replace("NAME", name) for each in data))) for name in names
    }
    with Guest(url) as guest:
        if not guest.wait(lambda: len(guest.directory) == len(names), PATIENCE):
            raise TimeoutError(f"sites at {url} are not heard")
    return url, sites


# -- through a site --------------------------------------------------------------------------------------------------


def through(
    name: str, kind: Callable[[Path], Broker], together: int, target: int | None, scale: float
) -> Iterator[Record]:
    """Events a second through one site."""
    count = max(5_000, round(EVENTS * scale * (5 if together > 1 else 1)))
    with ExitStack() as stack:
        url, sites = started(stack, kind, "B")
        address, me = broker_of(url), guest_name("bench")
        network = Network(address, me, Run(1, uuid4().hex), lambda text: None)
        stack.callback(network.close)
        taken = _taking(network, me)
        payloads = [_payload(network, me, first, min(together, count - first)) for first in range(0, count, together)]
        used, begun = sites["B"].cpu(), time.monotonic()
        checksum = _pump(network, me, payloads, together, taken, count)
        seconds, cpu = time.monotonic() - begun, sites["B"].cpu() - used
    agrees = taken.count == count and checksum == count * (count - 1) // 2
    details = {"seconds": seconds, "a_cpu_second": count / max(cpu, 1e-9)}
    yield Record(
        name,
        count,
        taken.count,
        checksum,
        max(cpu, 1e-9),
        count / seconds,
        "events a second",
        None if target is None else Target(target),
        agrees,
        is_compiled(),
        details,
    )


class _Taken:
    """What has come of the stream that is taken."""

    count = 0
    reported = 0


def _send(network: Network, me: str, message: dict[str, Any]) -> None:
    network.send([("B", message | {"from": me})])


def _outputs(stream: str, first: int, outputs: list[Any], last: int) -> dict[str, Any]:
    return {"is": "outputs", "stream": stream, "first": first, "outputs": outputs, "last": last, "frontier": None}


def _taking(network: Network, me: str) -> _Taken:
    """Announces a source, and takes what is born of it."""
    wanted = part_record(Part(Role.FILTER, type="a", birthplace="B"))
    _send(network, me, _outputs(f"from/{me}", 1, [["source", "s", ["a"], False, None, None]], 1))
    _send(network, me, _outputs(f"control/{me}/1/0>B", 1, [["take", "B/a", "requests", None, wanted, None, 0]], 1))
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        for payload in network.receive(0.1):
            for message in unpacked(payload)[1]:
                if message["is"] == "outputs" and message["stream"].startswith("control/"):
                    told = {"is": "report", "stream": message["stream"], "number": message["last"]}
                    _send(network, me, told | {"again": False, "frontier": None, "turn": 0})
                    return _Taken()
    raise TimeoutError("the site does not give its stream")


def _payload(network: Network, me: str, first: int, count: int) -> bytes:
    """Events as they go over the wire, packed beforehand: about 160 bytes each."""
    outputs = [
        ["event", "a", "s", f"e{number:07}", 1_000_000 + number, 1_000_000 + number, {"v": number, "host": "h" * 80}]
        for number in range(first, first + count)
    ]
    body = msgspec.msgpack.encode(_outputs(f"from/{me}", first + 2, outputs, first + 1 + count) | {"from": me})
    return network.packed([body])


def _pump(network: Network, me: str, payloads: list[bytes], together: int, taken: _Taken, count: int) -> int:
    """Publishes all, as fast as the site reports it; the sum of what came back."""
    sent = checksum = 0
    until = time.monotonic() + PATIENCE
    while taken.count < count and time.monotonic() < until:
        room = max((WINDOW - (sent * together - taken.reported)) // together, 0)
        network.publish("B", payloads[sent : sent + room])
        sent += len(payloads[sent : sent + room])
        for payload in network.receive(0.01):
            for message in unpacked(payload)[1]:
                if message["is"] == "report" and message["stream"] == f"from/{me}":
                    taken.reported = max(taken.reported, message["number"])
                elif message["is"] == "outputs" and message["stream"] == "B/a" and message["outputs"]:
                    if message["first"] != taken.count + 1:
                        continue
                    taken.count += len(message["outputs"])
                    checksum += sum(output[2][0][6]["v"] for output in message["outputs"])
                    told = {"is": "report", "stream": "B/a", "number": taken.count, "turn": 0}
                    _send(network, me, told | {"again": False, "frontier": None})
    return checksum


# -- delay -----------------------------------------------------------------------------------------------------------


def hop(
    name: str, kind: Callable[[Path], Broker], target: float | None, scale: float, options: tuple[str, ...] = ()
) -> Iterator[Record]:
    """What a site on the way adds to the delay of a detection."""
    used = time.process_time()
    with ExitStack() as stack:
        url, _ = started(stack, kind, "A", "B", options=options)
        near, far = _delays(url, "B", scale), _delays(url, "A", scale)
    added = statistics.median(far) - statistics.median(near)
    details = {
        "near_ms": 1e3 * statistics.median(near),
        "far_ms": 1e3 * statistics.median(far),
        "far_p99_ms": 1e3 * sorted(far)[len(far) * 99 // 100],
    }
    count = len(near) + len(far)
    aim = None if target is None else Target(target, at_most=True)
    cpu = time.process_time() - used
    yield Record(name, count, count, 0, cpu, 1e3 * added, "ms more a hop", aim, True, is_compiled(), details)


def _delays(url: str, where: str, scale: float) -> list[float]:
    """From an event's publication at site B to what a rule at a site tells of it, in seconds."""
    sent: dict[str, float] = {}
    found: list[float] = []

    def hears(told: Any) -> None:
        now = time.monotonic()
        found.extend(now - sent[each.detection.events[0]] for each in list[Told](told))

    with Guest(url) as guest:
        guest.look_around(PATIENCE, lambda: "B" in guest.directory)
        publication = Publication(guest, "B")
        source, kind = f"s-{where}", f"a{where}"
        publication.announce(source, [kind])
        sink = SiteProcess(guest_name("bench"), broker_of(url), hears=hears)
        try:
            wanted = Part(Role.FILTER, type=kind, birthplace="B")
            rule = Part(Role.RULE, load_expression(kind, "eps", name=f"r{where}"), inputs=(wanted.key,))
            sources = {wanted.key: ["B", "requests", part_record(wanted)]}
            sink.do(["tell", where, ["host", part_record(rule), sources]])
            sink.do(["watch", rule.key + TOLD, where])
            until = time.monotonic() + PATIENCE
            while rule.key + TOLD not in sink.site.watched and time.monotonic() < until:
                sink.turn(0.02)
                guest.turn(0.0)
            _paced(publication, sink, sent, (source, kind), round(SECONDS * PER_SECOND * scale))
            while len(found) < len(sent) and time.monotonic() < until:
                sink.turn(0.02)
                guest.turn(0.0)
        finally:
            sink.close()
    return found


def _paced(
    publication: Publication, sink: SiteProcess, sent: dict[str, float], names: tuple[str, str], count: int
) -> None:
    """Publishes so many events a second, each with the news that its source is past it."""
    source, kind = names
    begun = time.monotonic()
    for number in range(count):
        due = begun + number / PER_SECOND
        while (left := due - time.monotonic()) > 0:
            sink.turn(min(left, 0.001))
        name, at = f"{source}-{number}", publication.now()
        sent[name] = time.monotonic()
        publication.report(Event(kind, at, at, name, source))
        publication.beat(source, at + 1)
        publication.pump()


FIGURES: Final[dict[str, Callable[[float], Iterator[Record]]]] = {
    "nats-single": partial(through, "nats-single", Nats, 1, 40_000),
    "nats-batched": partial(through, "nats-batched", Nats, TOGETHER, 300_000),
    "mqtt-single": partial(through, "mqtt-single", Mosquitto, 1, 12_000),
    "mqtt-batched": partial(through, "mqtt-batched", Mosquitto, TOGETHER, None),
    "nats-hop": partial(hop, "nats-hop", Nats, 1.0),
    "nats-hop-disk": partial(hop, "nats-hop-disk", Nats, None, options=("--data", "HOME/NAME")),
    "mqtt-hop": partial(hop, "mqtt-hop", Mosquitto, None),
}
"""Each is given the scale."""
