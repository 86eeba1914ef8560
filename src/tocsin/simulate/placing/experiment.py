"""`tocsin simulate topology`: every policy in every setting, on the planner's predictions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any, Final

from tocsin.draw.plot import draw_bars
from tocsin.errors import UsageError
from tocsin.simulate.placing.graphml import read_graphml
from tocsin.simulate.placing.settings import APPLICATIONS, FLOWS, PLACES, directory, made_up, places, programs, rates
from tocsin.simulate.reports import Report, Say, Table, rounded
from tocsin.sites.placement.changes import Create, Reuse, changes
from tocsin.sites.placement.plans import plan
from tocsin.sites.placement.policies import CENTRAL, POLICIES
from tocsin.sites.placement.topologies import Topology

DRAWS: Final = 3
"""Of each setting, each with other sites."""


@dataclass(frozen=True)
class Outcome:
    """One plan, and what it is about."""

    topology: str
    policy: str
    application: str
    flow: str
    place: str
    cost: float
    """Bytes a second, each times the links it goes over."""
    ratio: float
    """... as a part of what central detection at the sink costs there."""
    delay: float
    """Milliseconds until the sink is told, at best; the slowest rule."""
    load: float
    """Events a second at the busiest site, as a part of all."""
    reused: float
    """Which part of the parts for a second subscriber ran already."""


def topology(seed: int = 1, scale: float = 1.0, say: Say = lambda text: None, files: Sequence[Path] = ()) -> Report:
    """Made-up topologies, and those in files."""
    draws = max(1, round(DRAWS * scale))
    topologies = made_up(Random(f"topology/{seed}")) | _read(files)
    outcomes: list[Outcome] = []
    for name, known in topologies.items():
        say(f"{name}: {len(known.sites)} sites, {len(known.links)} links")
        outcomes += _studied(name, known, seed, draws)
    record = {
        "simulation": "topology",
        "seed": seed,
        "draws": draws,
        "topologies": {
            name: {"sites": len(known.sites), "links": len(known.links)} for name, known in topologies.items()
        },
        "outcomes": [_record(one) for one in outcomes],
    }
    by: list[tuple[str, Callable[[Outcome], str]]] = [
        ("topology", lambda one: one.topology),
        ("application", lambda one: one.application),
        ("flow", lambda one: one.flow),
        ("places", lambda one: one.place),
    ]
    tables = [_policies(outcomes), *(_table(name, what, outcomes) for name, what in by)]
    return Report(
        f"Policies in {len(topologies)} topologies, {len(outcomes) // len(POLICIES)} settings, seed {seed}",
        record,
        tables,
        [
            "cost: bytes a second, each times the links it goes over, as a part of what detection at the sink costs",
            "reused: which part of what a second subscriber to the same rules elsewhere needs runs already",
            "plans and predictions; nothing runs. `tocsin simulate FILE` runs one",
        ],
        _pictures(outcomes, list(topologies)),
    )


def _read(files: Sequence[Path]) -> dict[str, Topology]:
    found: dict[str, Topology] = {}
    for path in files:
        some = sorted(path.glob("*.graphml")) if path.is_dir() else [path]
        if not some:
            raise UsageError(f"{path}: there is no .graphml file in it")
        for each in some:
            known = read_graphml(each)
            if len(known.sites) < 5:
                raise UsageError(f"{each}: {len(known.sites)} sites are too few to be compared on")
            found[each.stem] = known
    return found


def _studied(name: str, known: Topology, seed: int, draws: int) -> Iterable[Outcome]:
    asked = programs()
    for place, draw in product(PLACES, range(draws)):
        where = places(known, place, Random(f"{seed}/{name}/{place}/{draw}"))
        sources = directory(where.births, known)
        for application, flow in product(APPLICATIONS, FLOWS):
            program, often = asked[application], rates(where.births, flow)
            central = 0.0
            for policy in sorted(POLICIES, key=lambda each: each != CENTRAL):
                first = plan(program, sources, where.sink, policy=policy, rates=often, topology=known)
                costs = first.predicted
                central = costs.cost if policy == CENTRAL else central
                running = first.deployment
                second = plan(
                    program, sources, where.second, policy=policy, rates=often, topology=known, running=running
                )
                some = changes(running, second.deployment)
                again = sum(isinstance(each, Reuse) for each in some)
                parts = again + sum(isinstance(each, Create) for each in some)
                busiest = max(costs.loads.values(), default=0.0) / max(1e-9, sum(FLOWS[flow]))
                delay = max(costs.delays.values(), default=0.0) / 1000
                ratio = costs.cost / central if central else 1.0
                figures = costs.cost, ratio, delay, busiest, again / parts if parts else 1.0
                yield Outcome(name, policy, application, flow, place, *figures)


def _record(one: Outcome) -> dict[str, Any]:
    return {
        "topology": one.topology,
        "policy": one.policy,
        "application": one.application,
        "flow": one.flow,
        "places": one.place,
        "cost": rounded(one.cost, 1),
        "of_central": rounded(one.ratio, 4),
        "delay_ms": rounded(one.delay, 3),
        "load": rounded(one.load, 4),
        "reused": rounded(one.reused, 4),
    }


def _policies(outcomes: Sequence[Outcome]) -> Table:
    rows = []
    for policy in POLICIES:
        own = [one for one in outcomes if one.policy == policy]
        figures = [mean(getattr(one, what) for one in own) for what in ("ratio", "delay", "load", "reused")]
        ratio, delay, load, reused = figures
        rows.append([policy, f"{ratio:.3f}", f"{delay:.1f}", f"{load:.2f}", f"{reused:.2f}"])
    names = ["policy", "cost, of central", "delay, ms", "busiest site, of all events", "reused"]
    return Table("all settings, in the mean", names, rows)


def _table(name: str, what: Callable[[Outcome], str], outcomes: Sequence[Outcome]) -> Table:
    rows = []
    for value in dict.fromkeys(what(one) for one in outcomes):
        own = [one for one in outcomes if what(one) == value]
        ratios = [f"{mean(one.ratio for one in own if one.policy == policy):.3f}" for policy in POLICIES]
        delays = [f"{mean(one.delay for one in own if one.policy == policy):.1f}" for policy in POLICIES]
        rows.append([value, *ratios, *delays])
    heads = [*POLICIES, *(f"{policy}, ms" for policy in POLICIES)]
    return Table(f"by {name}: cost as a part of central detection's, and delay", [name, *heads], rows)


def _pictures(outcomes: Sequence[Outcome], names: Sequence[str]) -> dict[str, str]:
    def bars(pick: Callable[[Outcome], str], groups: Sequence[str]) -> list[tuple[str, list[float]]]:
        return [
            (
                group,
                [
                    mean(one.ratio for one in outcomes if one.policy == policy and pick(one) == group)
                    for policy in POLICIES
                ],
            )
            for group in groups
        ]

    title, subtitle = "What each policy costs", "bytes times links, as a part of central detection at the sink"
    by_place = "What each policy costs, by where sources and sink lie"
    shown = list(names)[:6]
    return {
        "topology-cost.svg": draw_bars(
            f"{title}, by topology", subtitle, "of central", list(POLICIES), bars(lambda one: one.topology, shown)
        ),
        "topology-places.svg": draw_bars(
            by_place, subtitle, "of central", list(POLICIES), bars(lambda one: one.place, PLACES)
        ),
    }
