"""`make demo`: a simulated day of a campus through streaming Spark; then a table, pictures, and a check."""

from __future__ import annotations

import sys
from pathlib import Path

from demo.campus import Campus
from demo.steps import run

OUT = Path(__file__).resolve().parent.parent / "out" / "demo"

if __name__ == "__main__":
    try:
        sys.exit(run(Campus(), OUT))
    except KeyboardInterrupt:
        sys.exit(130)
