"""How much memory W1 takes: run as a process of its own, with the number of events; prints JSON.

The events are made as they are needed, so that hardly anything but the engine is held. The matches
in the first events are compared with the loop's.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tocsin.bench.columns import answer, batches, prepared, taken
from tocsin.bench.loops import MINUTE, sequence
from tocsin.bench.workloads import WORKLOADS, Table, checksum, table

CHUNK = 65_536
CHECKED = 4 * CHUNK
"""So many events are given to the loop too."""
_PAGE = 4096 / 1e6


def main(count: int) -> dict[str, object]:
    """Runs, and tells what it took."""
    network = prepared(WORKLOADS["W1"].rules)
    matches = total = 0
    after_a_minute = peak = seconds = 0.0
    so_far: list[tuple[int, int, int]] = []
    done = 0
    for part in _chunks(count):
        begun = time.process_time()
        for batch in batches(part):
            network.process(batch)
            found = taken(network)
            told = answer(found, part)
            matches, total = matches + told.matches, total + told.checksum
            held = _resident()
            if part.times[0] <= MINUTE:
                after_a_minute = max(after_a_minute, held)
            peak = max(peak, held)
        seconds += time.process_time() - begun
        done += len(part)
        if done <= CHECKED:
            so_far.append((done, matches, total))
    wanted = _looped(so_far[-1][0])
    return {
        "events": count,
        "matches": matches,
        "checksum": total,
        "cpu_seconds": max(seconds, 1e-9),
        "after_a_minute": round(after_a_minute, 1),
        "peak": round(peak, 1),
        "agrees": wanted == so_far[-1][1:],
    }


def _chunks(count: int) -> Iterator[Table]:
    """W1's kind of events, in pieces that follow each other."""
    last = 0
    for number, first in enumerate(range(0, count, CHUNK)):
        made = table("wide", min(CHUNK, count - first), seed=number)
        yield Table(made.times + last, made.letters, made.keys, made.values)
        last += int(made.times[-1])


def _looped(events: int) -> tuple[int, int]:
    """What the loop finds in the first events."""
    rows = [row for part in _chunks(events) for row in part.rows()]
    found = sequence(rows)
    return len(found), checksum(found)


def _resident() -> float:
    """Megabytes of this process that are in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * _PAGE


if __name__ == "__main__":
    json.dump(main(int(sys.argv[1])), sys.stdout)
