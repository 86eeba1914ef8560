"""What the disk takes to make something last, beside every figure: a slow disk hides the rest."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Final

PROBES: Final = 50
_PIECE: Final = bytes(4096)


class Disk:
    """A file in a folder that is made to last again and again, between the turns."""

    def __init__(self, home: Path) -> None:
        self._path = home / "fsync"
        self.took: list[float] = []

    def probe(self) -> None:
        """Some more times."""
        with self._path.open("ab", buffering=0) as file:
            for _ in range(PROBES):
                file.write(_PIECE)
                begun = time.monotonic()
                os.fdatasync(file.fileno())
                self.took.append(time.monotonic() - begun)

    def details(self) -> dict[str, float]:
        """Median and p99, in milliseconds."""
        return {"fsync ms": quantile(self.took, 0.5) * 1e3, "fsync p99 ms": quantile(self.took, 0.99) * 1e3}


def quantile(values: list[float], part: float) -> float:
    """The value below which that part of them lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))] if ordered else 0.0
