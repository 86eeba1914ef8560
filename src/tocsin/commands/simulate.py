"""`tocsin simulate`: the papers' experiments on virtual time, the same for the same seed."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from tocsin.commands.shared_options import say
from tocsin.errors import UsageError
from tocsin.simulate.catalogue import SIMULATIONS
from tocsin.simulate.deployment.experiment import deployment
from tocsin.simulate.reports import Report

MOST_SCALE = 10

EXAMPLES = """\
simulations:
  office    the Active Office of Pietzuch, Shand and Bacon (2003): primitive events against distributed detection
  sites     the environment of Schwiderski, Herbert and Moody (1996): ways to evaluate, as it gets worse
  topology  policies by applications, flows, places and topologies; --topology adds GraphML files
  internet  ten thousand sites and a million subscriptions: traffic, detectors used once more, planning
  inev      queries over twenty nodes, as INEv (2023) reports on: bytes beside the best central plan
  FILE      a deployment of your own, in YAML: sites, links, sources, rules; every policy tried on it

examples:
  tocsin simulate office                           tables, with the paper's figures beside
  tocsin simulate office --json --seed 7           as JSON; the same bytes for the same seed
  tocsin simulate office --svg pictures            plots too
  tocsin simulate office --scale 0.1               a tenth of the time
  tocsin simulate topology --topology zoo/         in the topologies of a folder too
  tocsin simulate my.yaml                          what each policy sends, how late, and what a failure would block
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `simulate`."""
    add = parser.add_argument
    add("what", metavar="WHAT", help=f"{', '.join(SIMULATIONS)}; or a YAML file that describes a deployment")
    add("--seed", type=int, default=1, metavar="N", help="what chance goes by (1): same seed, same output")
    add("--scale", type=float, default=1.0, metavar="X", help="what fraction or multiple of the usual size (1)")
    add(
        "--topology",
        type=Path,
        nargs="+",
        default=[],
        metavar="FILE",
        help="topology: GraphML files, or folders of them",
    )
    add("--json", action="store_true", help="write the figures as JSON")
    add("--svg", type=Path, metavar="DIR", help="write plots there")
    add("--quiet", action="store_true", help="show no progress")


def run(options: argparse.Namespace) -> int:
    """Runs a simulation and writes what it found."""
    if not 0 < options.scale <= MOST_SCALE:
        raise UsageError(f"--scale lies above 0 and is at most {MOST_SCALE}")
    report = _report(options)
    if options.svg is not None:
        options.svg.mkdir(parents=True, exist_ok=True)
        for name, text in sorted(report.pictures.items()):
            (options.svg / name).write_text(text, encoding="utf-8")
            say(f"wrote {options.svg / name}")
    if options.json:
        json.dump(report.record, sys.stdout, indent=2)
        print()
    else:
        sys.stdout.write(report.text())
    return 0


def _report(options: argparse.Namespace) -> Report:
    if options.topology and options.what != "topology":
        raise UsageError("--topology goes with topology")
    simulation = SIMULATIONS.get(options.what)
    heard = _silent if options.quiet else say
    if simulation is not None:
        more = {"files": options.topology} if options.topology else {}
        return simulation(options.seed, options.scale, heard, **more)
    path = Path(options.what)
    if path.suffix not in (".yaml", ".yml", ".json") and not path.is_file():
        known = ", ".join(SIMULATIONS)
        raise UsageError(f"there is no simulation '{options.what}': expected one of {known}, or a YAML file")
    return deployment(path, options.seed, options.scale, heard)


def _silent(text: str) -> None:
    """Tells nobody."""
