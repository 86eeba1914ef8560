"""`make fuzz-sites`: random rules, cut at random and spread over sites, against the single engine that sees everything.

    python tests/fuzz/sites.py [--of KIND] [--examples N] [--seed S] [--number K] [--show]

An example is made from its kind, the seed and its number alone: `--number` runs one again, and `--show` prints it.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run as a script, it must find `tests`

from tests.sites.cutting import KINDS, Met, difference, numbered, shown

STEP = 1_000
"""Examples between two lines of progress."""
MOST_FAILED = 50


def main(arguments: list[str] | None = None) -> int:
    """Runs what the command line asks for; 1 if anything differs."""
    options = _options(arguments)
    kinds = list(KINDS) if options.of == "all" else [options.of]
    first = options.first if options.number is None else options.number
    count = options.examples if options.number is None else 1
    met, failed, begun = Met(), 0, time.monotonic()
    for number in range(first, first + count):
        for kind in kinds:
            one = numbered(options.seed, kind, number)
            if options.show:
                print(shown(one))
            if told := difference(one, met):
                failed += 1
                again = f"--of {kind} --seed {options.seed} --number {number}"
                print(f"\nFAILED {again}: {told[:2_000]}", flush=True)
                if failed >= MOST_FAILED:
                    print(f"stopped: {failed} examples differ")
                    return 1
        if (number - first + 1) % STEP == 0:
            print(_progress(met, failed, time.monotonic() - begun), file=sys.stderr, flush=True)
    print(_progress(met, failed, time.monotonic() - begun))
    print(met.table())
    return 1 if failed else 0


def _progress(met: Met, failed: int, seconds: float) -> str:
    done = met.examples.total()
    return f"{done:,} examples, {failed} differ, {done / seconds:.0f} a second"


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Random rules, cut and spread over sites, against the single engine.")
    parser.add_argument("--of", choices=[*KINDS, "all"], default="all", help="the kind of examples (all)")
    parser.add_argument("--examples", type=int, default=15_000, help="how many of each kind (15000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number of the first example")
    parser.add_argument("--number", type=int, help="only the example of this number: to see a difference again")
    parser.add_argument("--show", action="store_true", help="print the rules, their cuts and the events")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
