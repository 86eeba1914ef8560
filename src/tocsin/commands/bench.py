"""`tocsin bench`: speed as ratios in one run, with the answers compared."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict

from tocsin.bench.measuring import Figure, measure
from tocsin.bench.workloads import WORKLOADS
from tocsin.commands.asked import say

MOST_SCALE = 10
"""More of the events than that would keep the plain meaning busy for days."""

EXAMPLES = """\
examples:
  tocsin bench                 every workload, as a table
  tocsin bench W1 W3 --json    two of them, as JSON
  tocsin bench --scale 0.1     a tenth of the events
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `bench`."""
    parser.add_argument("workloads", nargs="*", metavar="WORKLOAD", help=f"any of {' '.join(WORKLOADS)}; default: all")
    parser.add_argument("--scale", type=float, default=1.0, metavar="X", help="how much of the events to use")
    parser.add_argument("--json", action="store_true", help="write the figures as JSON")


def run(options: argparse.Namespace) -> int:
    """Measures; exit 1 if any answer differs from the yardstick's."""
    unknown = [name for name in options.workloads if name not in WORKLOADS]
    if unknown:
        say(f"there is no workload {unknown[0]}: use {' '.join(WORKLOADS)}")
        return 2
    if not 0 < options.scale <= MOST_SCALE:
        say(f"the scale lies above 0 and is at most {MOST_SCALE}")
        return 2
    figures: list[Figure] = []
    for name in options.workloads or WORKLOADS:
        figures += measure(name, scale=options.scale)
        if not options.json:
            for figure in figures[-2:]:
                print(_line(figure), flush=True)
    if options.json:
        json.dump(
            [asdict(figure) | {"events_per_cpu_second": round(figure.rate)} for figure in figures], sys.stdout, indent=2
        )
        print()
    wrong = [two for one, two in zip(figures[::2], figures[1::2], strict=True) if _answer(one) != _answer(two)]
    for figure in wrong:
        say(f"{figure.workload}: {figure.contender} gives {figure.matches} matches, and not those of the loop")
    return int(bool(wrong))


def _answer(figure: Figure) -> tuple[int, int]:
    return (figure.matches, figure.checksum)


def _line(figure: Figure) -> str:
    rate = f"{figure.rate:>12,.0f} events/CPU-s"
    return (
        f"{figure.workload}  {figure.contender:<7} {figure.matches:>8,} matches {rate}  {figure.times_the_loop:8.4f} x"
    )
