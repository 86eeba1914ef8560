"""How much random tests try: little in `make test`, so that it is soon over; many times that in `make fuzz`."""

from __future__ import annotations

import os

TIMES = int(os.environ.get("TOCSIN_EXAMPLES") or 1)
"""How many times as much as usual."""


def examples(count: int) -> int:
    """How many examples a test tries that usually tries `count`."""
    return count * TIMES
