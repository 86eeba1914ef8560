"""What a file says of a deployment that is to be tried.

sink: phone                                  where detections are told
seconds: 60                                  how long it is tried
rules: [rules.yaml]                          files, or rules with name, language, expression, condition
links:                                       delays and jitter in ms, bandwidth in bytes a second
  - {from: gate, to: hall, delay: 1, jitter: 0.5, bandwidth: 1000000, loss: 0.001, cost: 1}
sites:
  lab: {clock: 3, drift: 20}                 ms that its clock is ahead, and parts in a million that it goes faster
sources:                                     by site
  gate:
    badge: {rate: 8, size: 180, data: {room: 10, level: [low, high], degrees: {from: 0, to: 40}}}
  lab: {file: lab.jsonl}                     recorded events; their times count from the first one on
policies: [central, near-sources]            all of them where nothing is said
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec
import yaml

from tocsin.algebra.event_records import plain
from tocsin.algebra.rules import Program, Rule
from tocsin.errors import UsageError
from tocsin.events import Event
from tocsin.formats import read_events
from tocsin.rules.loader import load_expression, load_files
from tocsin.rules.programs import rules_program
from tocsin.simulate.networks import Hop, Line
from tocsin.sites.placement.policies import POLICIES
from tocsin.sites.placement.topologies import Topology, topology_of

KEYS: Final = ("sink", "seconds", "rules", "links", "sites", "sources", "policies")
SIZE: Final = 160
"""Bytes of an event of which nothing is said."""
MOST_SECONDS: Final = 86_400


@dataclass(frozen=True)
class Made:
    """Events of a type that are made up: so many a second, by chance."""

    type: str
    rate: float
    size: int
    data: Mapping[str, Any]

    def event_data(self, random: Random) -> dict[str, Any]:
        """What one event says; it is filled up to its size."""
        found = {name: _value(spec, random) for name, spec in self.data.items()}
        missing = self.size - len(msgspec.msgpack.encode(plain(found))) - _AROUND
        return found | {"text": "x" * missing} if missing > 0 else found


_AROUND: Final = 40
"""About what an event weighs besides its data."""


@dataclass(frozen=True)
class Description:
    """All of it."""

    name: str
    sink: str
    seconds: float
    program: Program
    topology: Topology
    lines: Mapping[Hop, Line]
    clocks: Mapping[str, tuple[int, float]]
    made: Mapping[str, Sequence[Made]]
    recorded: Mapping[str, Sequence[Event]]
    policies: Sequence[str]

    @property
    def sites(self) -> tuple[str, ...]:
        """All sites."""
        return self.topology.with_sites([self.sink, *self.made, *self.recorded, *self.clocks]).sites

    def types(self, site: str) -> list[str]:
        """What is born at a site."""
        return sorted({one.type for one in self.made.get(site, ())} | {one.type for one in self.recorded.get(site, ())})


def read_description(path: Path) -> Description:
    """What a file says."""
    try:
        record = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from None
    except (UnicodeDecodeError, yaml.YAMLError) as error:
        raise UsageError(f"{path}: {' '.join(str(error).split())}") from None
    try:
        return description_of(record, path)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None


def description_of(record: Any, path: Path) -> Description:
    """What was read from a file says; files that it names are beside it."""
    record = _mapping(record, "a deployment", KEYS)
    for key in ("sink", "rules", "sources"):
        if not record.get(key):
            raise UsageError(f"it needs '{key}'")
    links = record.get("links", [])
    if not isinstance(links, list) or not all(isinstance(each, Mapping) for each in links):
        raise UsageError("links: a list of links, each with 'from' and 'to'")
    extra = ("loss", "jitter")
    topology = topology_of({"links": [{k: v for k, v in each.items() if k not in extra} for each in links]})
    lines = dict(_lines(links, topology))
    sources = _mapping(record["sources"], "sources")
    found = {str(site): _sources(str(site), about, path.parent) for site, about in sources.items()}
    policies = record.get("policies", list(POLICIES))
    if not isinstance(policies, list) or not policies or any(each not in POLICIES for each in policies):
        raise UsageError(f"policies: a list of some of {', '.join(POLICIES)}")
    made = Description(
        path.name,
        str(record["sink"]),
        _number(record.get("seconds", 60), "seconds", 1, MOST_SECONDS),
        _rules(record["rules"], path.parent),
        topology,
        lines,
        dict(_clocks(_mapping(record.get("sites") or {}, "sites"))),
        {site: made for site, (made, _) in found.items() if made},
        {site: recorded for site, (_, recorded) in found.items() if recorded},
        policies,
    )
    _check_ways(made)
    return made


def _check_ways(made: Description) -> None:
    """Every site has to be reached: nothing would be found out of one that is not."""
    for site in made.sites:
        if made.topology.links and any(hop not in made.lines for hop in made.topology.route(made.sink, site)):
            raise UsageError(f"no link leads from '{made.sink}' to '{site}'")


def _lines(links: Sequence[Mapping[str, Any]], topology: Topology) -> Iterator[tuple[Hop, Line]]:
    for link, about in zip(topology.links, links, strict=True):
        jitter = round(1000 * _number(about.get("jitter", 0), "jitter", 0, 1e6))
        loss = _number(about.get("loss", 0), "loss", 0, 0.9)
        line = Line(round(link.delay), jitter, link.bandwidth, loss)
        yield (link.one, link.other), line
        yield (link.other, link.one), line


def _clocks(sites: Mapping[str, Any]) -> Iterator[tuple[str, tuple[int, float]]]:
    for site, about in sites.items():
        known = _mapping(about or {}, f"site {site}", ("clock", "drift"))
        ahead = round(1000 * _number(known.get("clock", 0), f"site {site}: clock", -1e6, 1e6))
        yield str(site), (ahead, _number(known.get("drift", 0), f"site {site}: drift", -1e4, 1e4) / 1e6)


def _sources(site: str, about: Any, beside: Path) -> tuple[list[Made], list[Event]]:
    about = _mapping(about, f"sources of {site}")
    recorded: list[Event] = []
    made: list[Made] = []
    for kind, one in about.items():
        if kind == "file":
            arrivals = read_events(str(beside / str(one)), on_error="refuse")
            recorded += [each for each in arrivals if isinstance(each, Event)]
            continue
        what = f"{site}, {kind}"
        known = _mapping(one, what, ("rate", "size", "data"))
        if "rate" not in known:
            raise UsageError(f"{what}: it needs 'rate', events a second")
        data = _mapping(known.get("data") or {}, f"{what}: data")
        for name, spec in data.items():
            _check_value(spec, f"{what}: {name}")
        rate = _number(known["rate"], f"{what}: rate", 0, 1e5)
        made.append(Made(str(kind), rate, round(_number(known.get("size", SIZE), f"{what}: size", 1, 1e6)), data))
    return made, recorded


def _check_value(spec: Any, what: str) -> None:
    is_range = isinstance(spec, Mapping) and spec.keys() == {"from", "to"}
    if not ((isinstance(spec, int) and spec > 0) or (isinstance(spec, list) and spec) or is_range):
        raise UsageError(f"{what}: how many values there are, a list of them, or from and to")


def _value(spec: Any, random: Random) -> Any:
    if isinstance(spec, int):
        return random.randrange(spec)
    return random.choice(spec) if isinstance(spec, list) else round(random.uniform(spec["from"], spec["to"]), 3)


def _rules(some: Any, beside: Path) -> Program:
    if isinstance(some, str):
        some = [some]
    if not isinstance(some, list):
        raise UsageError("rules: a list of files, or of rules")
    files = [str(beside / each) for each in some if isinstance(each, str)]
    rules: list[Rule] = list(load_files(files).rules) if files else []
    for number, each in enumerate(some, 1):
        if not isinstance(each, str):
            known = _mapping(each, f"rule {number}", ("name", "language", "expression", "condition"))
            if not {"name", "language", "expression"} <= known.keys():
                raise UsageError(f"rule {number}: it needs name, language and expression")
            text, language, name = (str(known[key]) for key in ("expression", "language", "name"))
            condition = None if known.get("condition") is None else str(known["condition"])
            rules += load_expression(text, language, condition, name=name).rules
    return rules_program(rules)


def _mapping(record: Any, what: str, keys: Sequence[str] | None = None) -> Mapping[str, Any]:
    if not isinstance(record, Mapping):
        raise UsageError(f"{what}: expected names with values")
    unknown = [key for key in record if keys is not None and key not in keys]
    if unknown:
        raise UsageError(f"{what}: unknown key '{unknown[0]}': expected {', '.join(keys or ())}")
    return record


def _number(value: Any, what: str, least: float, most: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        raise UsageError(f"{what}: expected a number from {least:g} to {most:g}, not {value!r}")
    return float(value)
