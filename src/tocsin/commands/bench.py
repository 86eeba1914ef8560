"""`tocsin bench`: speed as ratios in one run, with the answers compared."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from tocsin.bench.brokers.rates import RATES
from tocsin.bench.columns import is_compiled
from tocsin.bench.door import FIGURES as DOORS
from tocsin.bench.door import door
from tocsin.bench.engine import measure_workload
from tocsin.bench.extra_figures import FURTHER, memory
from tocsin.bench.measurement import Figure, measure
from tocsin.bench.peers.catalogue import WORKLOADS_OF_PEERS
from tocsin.bench.peers.jars import Ready
from tocsin.bench.peers.processes import PeerRecord, measure_peers, ready_peers
from tocsin.bench.records import HEADING, Record
from tocsin.bench.sites.figures import FIGURES as SITES_FIGURES
from tocsin.bench.texts import TEXTS, measure_texts
from tocsin.bench.workloads import WORKLOADS
from tocsin.commands.shared_options import say
from tocsin.errors import MissingDependency

MOST_SCALE = 10
"""More of the events than that would keep the loops busy for hours, and the plain meaning for days."""
SUITES = ("engine", "door", "spark", "live", "service", "sites", "replay", "papers")
SPARK = ("stream", "tenth", "events", "keys", "many", "cores", "state")
SQL = ("W1-3M", "W3-3M", "W4-3M", "W5-3M", "W1-20M", "W3-20M", "W4-20M", "W5-20M", "hot", "small", "cliffs")
DOOR = tuple(DOORS)
SERVICE = ("ingest", "single", "steady", "webhook", "subscribers")
SITES = tuple(SITES_FIGURES)
LIVE = ("change", "change-spark", "kafka", "nats", "mqtt", *RATES)
TRIES = 5

EXAMPLES = f"""\
suites:
  engine    {" ".join(WORKLOADS)} against plain loops, then {" ".join(FURTHER)};
            {" ".join(TEXTS)}: Sigma rules, all of a folder and one, with --sigma
  door      a file of events to a file of detections, beside bare readers: {" ".join(DOOR)}
  replay    the reference meaning against the loops, on a small input
  spark     detection on Spark beside a stateful no-op and the like: {" ".join(SPARK)};
            beside SQL: {" ".join(SQL)}
  live      rules that change while there is much state, and pipelines fed by real brokers, which it starts:
            {" ".join(LIVE)}
  service   `tocsin serve` on loopback beside the least that could do as much: {" ".join(SERVICE)}
  sites     detection spread over sites: {" ".join(SITES)}
  papers    the figures of Moreto and Endler (EPS) redone on the engine

examples:
  tocsin bench                              the engine, everything, as a table
  tocsin bench engine W1 late --json        two figures, as JSON
  tocsin bench engine memory --long         20 million events
  tocsin bench engine W10 --sigma sigma/rules/windows/process_creation
  tocsin bench engine W1 W3 --peers         beside Esper, Flink CEP and Siddhi, if available
  tocsin bench spark stream W3-3M --tries 3    two figures on Spark (needs Java; the whole takes an hour)
  tocsin bench live nats                    a pipeline from NATS (needs Java and nats-server)
  tocsin bench live nats-publish nats-receive   the transport by itself (needs nats-server)
  tocsin bench service ingest --scale 0.2   what it costs to take events over HTTP
  tocsin bench service steady --long        five minutes of 100,000 events a second, and of 50,000
  tocsin bench sites planning               300,000 subscriptions placed among 10,000 sites
  tocsin bench papers --svg docs/figures    the figures as pictures too
  tocsin bench --scale 0.1                  a tenth of the events
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `bench`."""
    parser.add_argument(
        "what",
        nargs="*",
        metavar="WHAT",
        help="engine (the default), door, spark, live, service, sites, replay or papers; then names of figures",
    )
    parser.add_argument(
        "--scale", type=float, default=1.0, metavar="X", help="what fraction or multiple of the events to use"
    )
    parser.add_argument("--tries", type=int, default=TRIES, metavar="N", help="number of runs; the best counts")
    parser.add_argument("--long", action="store_true", help="memory: 20 million events; steady: five minutes")
    parser.add_argument("--peers", action="store_true", help="engine: run W1 to W5 in other engines too (needs Java)")
    parser.add_argument("--sigma", type=Path, metavar="DIR", help="engine: the directory with the Sigma rules of W10")
    parser.add_argument("--svg", type=Path, metavar="DIR", help="papers: write the pictures there")
    parser.add_argument("--json", action="store_true", help="write the figures as JSON")


def run(options: argparse.Namespace) -> int:
    """Measures; exit 1 if any answer differs from the yardstick's."""
    suite, names = _asked(options.what)
    engine = (*WORKLOADS, *FURTHER, *TEXTS)
    parts = {"engine": engine, "door": DOOR, "spark": (*SPARK, *SQL), "live": LIVE, "service": SERVICE, "sites": SITES}
    known = {**parts, "replay": tuple(WORKLOADS), "papers": ()}[suite]
    unknown = [name for name in names if name not in known]
    if unknown:
        has = f"{suite} has {' '.join(known)}" if known else f"{suite} has no parts"
        say(f"there is no figure {unknown[0]}: {has}; the suites are {', '.join(SUITES)}")
        return 2
    if not 0 < options.scale <= MOST_SCALE:
        say(f"the scale lies above 0 and is at most {MOST_SCALE}")
        return 2
    if options.tries < 1:
        say("there must be at least one try")
        return 2
    if options.svg is not None and suite != "papers":
        say("--svg goes with papers")
        return 2
    if options.sigma is None and any(name in TEXTS for name in names):
        say("W10 is about Sigma rules: --sigma DIR says where they are, as sigma/rules/windows/process_creation")
        return 2
    if options.peers and suite != "engine":
        say("--peers goes with engine")
        return 2
    if suite == "papers":
        return _papers(options)
    if suite == "spark":
        return _spark(names or [*SPARK, *SQL], options)
    if suite == "door":
        return _told(door(names or list(DOOR), options.scale, options.tries), options)
    if suite == "live":
        return _live(names or list(LIVE), options)
    if suite == "service":
        return _service(names or list(SERVICE), options)
    if suite == "sites":
        return _told((record for name in names or SITES for record in SITES_FIGURES[name](options.scale)), options)
    usual = [name for name in known if name not in TEXTS or options.sigma is not None]
    chosen = names or list(WORKLOADS_OF_PEERS if options.peers else usual)
    return _engine(chosen, options) if suite == "engine" else _replay(chosen, options)


def _asked(words: list[str]) -> tuple[str, list[str]]:
    """The suite, and the figures of it; names alone are the engine's."""
    if words and words[0] in SUITES:
        return words[0], words[1:]
    return "engine", words


# -- the engine ----------------------------------------------------------------------------------------------------


def _engine(names: list[str], options: argparse.Namespace) -> int:
    peers = ready_peers(say) if options.peers else []
    beside = f" Beside it: {', '.join(str(each.peer) for each in peers)}." if peers else ""
    return _told((record for name in names for record in _measured_beside(name, peers, options)), options, beside)


def _spark(names: list[str], options: argparse.Namespace) -> int:
    try:
        from tocsin.bench.spark.beside_sql import SQL_FIGURES
        from tocsin.bench.spark.figures import FIGURES, measuring
    except ImportError as error:
        raise MissingDependency("pyspark", "spark") from error
    with measuring(options.scale, options.tries) as m:
        figures = {name: partial(_alone, figure) for name, figure in FIGURES.items()} | SQL_FIGURES
        return _told((record for name in names for record in figures[name](m)), options)


def _alone(figure: Callable[[Any], Record], measuring: Any) -> list[Record]:
    return [figure(measuring)]


def _live(names: list[str], options: argparse.Namespace) -> int:
    if all(name in RATES for name in names):  # without Spark
        return _told((RATES[name](options.scale) for name in names), options)
    try:
        from tocsin.bench.live import FIGURES, live
    except ImportError as error:
        raise MissingDependency("pyspark", "spark") from error
    with live(options.scale, names) as session:
        measured = (RATES[name](options.scale) if name in RATES else FIGURES[name](session) for name in names)
        return _told(measured, options)


def _service(names: list[str], options: argparse.Namespace) -> int:
    try:
        from tocsin.bench.service.figures import measured
    except ImportError as error:
        raise MissingDependency(error.name or "uvicorn", "service") from error
    return _told(measured(names, options.scale, long=options.long), options)


def _told(measured: Iterator[Record | PeerRecord], options: argparse.Namespace, beside: str = "") -> int:
    """Writes the figures as they come; exit 1 if an answer is not the yardstick's."""
    if not options.json:
        how = "compiled" if is_compiled() else "INTERPRETED: the targets are for a compiled engine"
        print(f"The engine is {how}. CPU time, best of {options.tries}.{beside}\n{HEADING}", flush=True)
    records: list[Record | PeerRecord] = []
    for record in measured:
        records.append(record)
        if not options.json:
            print(record.line(), flush=True)
    if options.json:
        _write([record.as_json() for record in records])
    wrong = [record for record in records if isinstance(record, Record) and not record.agrees]
    for record in wrong:
        say(f"{record.name}: {record.matches} matches, and not those of the yardstick")
    return int(bool(wrong))


def _measured_beside(name: str, peers: list[Ready], options: argparse.Namespace) -> Iterator[Record | PeerRecord]:
    yield _measured(name, options)
    yield from measure_peers(name, peers, say, scale=options.scale, tries=options.tries)


def _measured(name: str, options: argparse.Namespace) -> Record:
    if name in WORKLOADS:
        return measure_workload(name, scale=options.scale, tries=options.tries)
    if name in TEXTS:
        return measure_texts(name, options.sigma, options.scale, options.tries)
    if name == "memory":
        return memory(options.scale, options.tries, long=options.long)
    return FURTHER[name](options.scale, options.tries)


def _write(figures: list[dict[str, object]]) -> None:
    json.dump(figures, sys.stdout, indent=2)
    print()


# -- the papers ----------------------------------------------------------------------------------------------------


def _papers(options: argparse.Namespace) -> int:
    from tocsin.bench.papers import measure_papers, pictures, report

    found = measure_papers(options.scale, options.tries)
    if options.svg is not None:
        options.svg.mkdir(parents=True, exist_ok=True)
        for name, text in pictures(found).items():
            (options.svg / name).write_text(text, encoding="utf-8")
            say(f"wrote {options.svg / name}")
    if options.json:
        _write([found.as_json()])
    else:
        print(report(found))
    return 0


# -- the plain meaning ---------------------------------------------------------------------------------------------


def _replay(names: list[str], options: argparse.Namespace) -> int:
    figures: list[Figure] = []
    for name in names:
        figures += measure(name, scale=options.scale)
        if not options.json:
            for figure in figures[-2:]:
                print(_line(figure), flush=True)
    if options.json:
        _write([asdict(figure) | {"events_per_cpu_second": round(figure.rate)} for figure in figures])
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
