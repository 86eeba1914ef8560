"""Runs the peers on a workload's events, and holds what they find to what the loop finds in the same events."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tocsin.bench.columns import Answer
from tocsin.bench.engine import looped, table_of
from tocsin.bench.peers.catalogue import PEERS, WORKLOADS_OF_PEERS, Peer
from tocsin.bench.peers.jars import Ready, Tell, Unavailable, make_ready, reason
from tocsin.bench.workloads import Table, numpy_module

RUNNING = 500
"""Seconds after which a peer is stopped."""
WARMING = 2
"""One part in so many of the events is run before the clock starts."""
LAYOUT = [("time", ">i8"), ("letter", ">i4"), ("key", ">i4"), ("value", ">f8")]
"""An event in the file that the Java programs read: big-endian, as Java reads numbers."""


@dataclass(frozen=True)
class PeerRecord:
    """A peer on one workload. `times_the_loop` only where its matches are the loop's; else `remark` says why not."""

    name: str
    peer: str
    version: str
    events: int
    events_of_workload: int
    matches: int = 0
    loop_matches: int = 0
    checksum_ok: bool = False
    cpu_seconds: float | None = None
    times_the_loop: float | None = None
    remark: str = ""

    def as_json(self) -> dict[str, object]:
        """All of it, for a program."""
        rate = None if self.cpu_seconds is None else round(self.events / self.cpu_seconds)
        return asdict(self) | {"events_per_cpu_second": rate}

    def line(self) -> str:
        """All of it, for a person, below the line of the engine."""
        rate = "" if self.cpu_seconds is None else f"{self.events / self.cpu_seconds:,.0f}"
        ratio, unit = ("", "") if self.times_the_loop is None else (f"{self.times_the_loop:.2g}", "x the loop")
        part = "" if self.events == self.events_of_workload else f"the first {self.events:,} events"
        said = "; ".join(each for each in (self.remark, part) if each)
        return f" {self.peer:<9} {self.matches:>10,} {rate:>14} {ratio:>9} {unit:<26} {said}".rstrip()


def ready_peers(tell: Tell, peers: Iterable[Peer] = PEERS) -> list[Ready]:
    """The peers that can be run here; of each other one is told in a line what it lacks."""
    ready: list[Ready] = []
    for peer in peers:
        try:
            ready.append(make_ready(peer, tell))
        except Unavailable as lack:
            tell(f"{peer} is left out: {lack}")
    return ready


def measure_peers(name: str, ready: Sequence[Ready], tell: Tell, *, scale: float, tries: int) -> Iterator[PeerRecord]:
    """Each of the peers on one workload, beside the loop on the same events in the same run."""
    if not ready:
        return
    if name not in WORKLOADS_OF_PEERS:
        tell(f"{name}: no peer is run on it")
        return
    whole = table_of(name, scale)
    loops: dict[int, tuple[float, Answer]] = {}
    with tempfile.TemporaryDirectory() as scratch:
        for each in ready:
            given = _first(whole, each.peer.most.get(name, len(whole)))
            count = len(given)
            file = Path(scratch) / str(count)
            if count not in loops:
                loops[count] = looped(name, given, min(tries, 3))
                _write(given, file)
            tell(f"{name}: {each.peer} on {count:,} events")
            yield _measured(name, each, file, loops[count], (count, len(whole)))


def _measured(name: str, ready: Ready, file: Path, loop: tuple[float, Answer], counts: tuple[int, int]) -> PeerRecord:
    loop_time, wanted = loop
    peer, events = ready.peer, counts[0]
    try:
        told = _run(ready, file, name, events // WARMING)
    except Unavailable as failure:
        return PeerRecord(name, peer.name, peer.version, *counts, loop_matches=wanted.matches, remark=str(failure))
    matches, seconds = int(told["matches"]), max(float(told["cpu_seconds"]), 1e-9)
    agrees = (matches, int(told["checksum"]) % 2**64) == (wanted.matches, wanted.checksum % 2**64)
    ratio = loop_time / seconds if agrees else None
    remark = "" if agrees else _difference(matches, wanted.matches)
    return PeerRecord(name, peer.name, peer.version, *counts, matches, wanted.matches, agrees, seconds, ratio, remark)


def _difference(matches: int, wanted: int) -> str:
    if matches == wanted:
        return "gives as many matches, but not the same"
    return f"gives {matches:,} of {wanted:,} matches"


def _run(ready: Ready, file: Path, name: str, warm: int) -> dict[str, Any]:
    """What the program of a peer tells of itself: matches, checksum and CPU seconds."""
    command = ready.command(str(file), name, str(warm))
    try:
        ended = subprocess.run(command, capture_output=True, text=True, timeout=RUNNING, check=False)
    except subprocess.TimeoutExpired:
        raise Unavailable(f"not done within {RUNNING} s") from None
    lines = [line for line in ended.stdout.splitlines() if line.startswith("{")]
    if ended.returncode or not lines:
        raise Unavailable(f"failed: {reason(ended.stderr)}")
    told: dict[str, Any] = json.loads(lines[-1])
    return told


def _first(given: Table, count: int) -> Table:
    """The first so many events; a table made shorter would have others."""
    return Table(given.times[:count], given.letters[:count], given.keys[:count], given.values[:count])


def _write(given: Table, file: Path) -> None:
    rows = numpy_module().empty(len(given), dtype=LAYOUT)
    rows["time"], rows["letter"], rows["key"], rows["value"] = given.times, given.letters, given.keys, given.values
    rows.tofile(file)
