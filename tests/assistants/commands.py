"""The command as a process of its own, from whatever folder."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import tocsin

COMMAND = [sys.executable, "-m", "tocsin.cli"]


def environment(**more: str) -> dict[str, str]:
    """The environment of the tests, with the package that is tested, and no service unless one is given."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TOCSIN_")}
    return {**kept, "PYTHONPATH": str(Path(tocsin.__file__).parents[1]), **more}
