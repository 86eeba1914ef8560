"""CPU time and memory of Spark: its JVM, the workers below it, and this process."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


def seconds(spark: Any) -> float:
    """CPU time so far."""
    mine = os.times()
    return mine.user + mine.system + sum(sum(times) for _, times in _below(_jvm(spark))) / TICKS


def resident(spark: Any) -> float:
    """Megabytes of memory that the JVM and the workers hold, or have held at most."""
    return sum(_peak(process) for process, _ in _below(_jvm(spark))) / 1024


def _jvm(spark: Any) -> int:
    return int(spark._jvm.java.lang.ProcessHandle.current().pid())


def _below(root: int) -> list[tuple[int, list[int]]]:
    """A process and all below it, each with the times of its own and of its children that have ended."""
    parents: dict[int, list[int]] = {}
    times: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended meanwhile
        process = int(path.parent.name)
        parents.setdefault(int(fields[1]), []).append(process)
        times[process] = [int(field) for field in fields[11:15]]
    found, todo = [], [root]
    while todo:
        process = todo.pop()
        if process in times:
            found.append((process, times[process]))
        todo += parents.get(process, [])
    return found


def _peak(process: int) -> int:
    """Kilobytes."""
    try:
        for line in Path(f"/proc/{process}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1])
    except OSError:
        pass
    return 0
