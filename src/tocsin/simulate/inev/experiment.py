"""`tocsin simulate inev`: bytes against the best central plan by how widely types are spread, and against all."""

from __future__ import annotations

import time
from dataclasses import dataclass
from random import Random
from statistics import median
from typing import Any, Final, TypeAlias

from tocsin.draw.plot import Series, draw_lines
from tocsin.simulate.inev.exhaustive import least
from tocsin.simulate.inev.queries import Setting, network, nodes, query
from tocsin.simulate.reports import Report, Say, Table, rounded
from tocsin.sites.placement.least_bytes import least_bytes
from tocsin.sites.placement.topologies import EVERYWHERE

RATIOS: Final = (0.05, 0.1, 0.2, 0.5)
SELECTIVITIES: Final = (0.1, 0.01, 0.001, 0.0001)
QUERIES: Final = 30
SMALL: Final = Setting(nodes=4, types=6, ratio=0.5, lengths=(2, 3))
SMALL_QUERIES: Final = 60
INEV: Final = {"Citi Bike": (0.007, 0.05, 0.001, 0.008), "Google cluster": (0.006, 0.008, 0.2, 0.009)}
"""Bytes as a part of the best central plan's, at 20 nodes, as INEv reports them."""


Found: TypeAlias = "dict[tuple[float, float], list[Planned]]"
"""By the part of the nodes where a type is born, and the selectivity of a pair of types."""


@dataclass(frozen=True)
class Planned:
    """A query, what its best central plan costs, and ours."""

    types: int
    central: float
    ours: float
    joins: int
    took: float
    """CPU seconds: of the planning alone, and never part of the output."""

    @property
    def ratio(self) -> float:
        """Which part of the central plan's bytes ours sends."""
        return self.ours / self.central if self.central else 1.0


def inev(seed: int = 1, scale: float = 1.0, say: Say = lambda text: None) -> Report:
    """Queries in networks of twenty nodes, by the part of the nodes at which a type is born."""
    count = max(2, round(QUERIES * scale))
    found: Found = {}
    for ratio in RATIOS:
        for selectivity in SELECTIVITIES:
            found[ratio, selectivity] = planned(seed, Setting(ratio=ratio, selectivity=selectivity), count)
        took = sorted(each.took for selectivity in SELECTIVITIES for each in found[ratio, selectivity])
        middle, most = 1000 * median(took), 1000 * took[-1]
        say(f"types at {ratio:.0%} of the nodes: {len(took)} plans, {middle:.1f} ms in the median, {most:.1f} at most")
    against = against_all(seed, max(2, round(SMALL_QUERIES * scale)))
    say("small queries held to all plans that there are")
    record = {
        "simulation": "inev",
        "seed": seed,
        "nodes": Setting().nodes,
        "queries": count,
        "spread": [_record(*setting, some) for setting, some in found.items()],
        "against_all_plans": {"queries": len(against), "worst": rounded(max(against), 6)},
        "inev": {name: list(ratios) for name, ratios in INEV.items()},
    }
    return Report(
        f"Queries over {Setting().nodes} nodes: {count} for each spread of types, seed {seed}",
        record,
        [_table(found), _inev()],
        [
            f"of {len(against)} queries at {SMALL.nodes} nodes the worst costs {max(against):.4f} times the least",
            "a part runs at one site here; INEv runs one at every node where its commonest type is born, and sends the"
            " rarer ones there: where types are born at many nodes, that saves what one site cannot",
            "planning times are told on standard error, since they differ from run to run",
        ],
        _pictures(found),
    )


def planned(seed: int, setting: Setting, count: int) -> list[Planned]:
    """Some queries, each planned by itself."""
    found = []
    for number in range(count):
        random = Random(f"inev/{seed}/{setting.ratio}/{number}")  # the same whatever the selectivity is
        demand = query(random, network(random, setting), number, setting)
        sink = random.choice(nodes(setting))
        topology = EVERYWHERE.with_sites(nodes(setting))
        region = topology.region({stream.site for some in demand.streams for stream in some} | {sink})
        begun = time.process_time()
        ours = least_bytes(demand, region, sink)
        took = time.process_time() - begun
        central = least_bytes(demand, region, sink, degree=0)
        found.append(Planned(len(demand.streams), central.cost, ours.cost, len(ours.pieces), took))
    return found


def against_all(seed: int, count: int) -> list[float]:
    """Of small queries, how many times the least of all plans ours cost."""
    found = []
    names = nodes(SMALL)
    for number in range(count):
        random = Random(f"inev small/{seed}/{number}")
        demand = query(random, network(random, SMALL), number, SMALL)
        sink = random.choice(names)
        topology = EVERYWHERE.with_sites(names)
        ours = least_bytes(demand, topology.region(names), sink).cost
        best = least(demand, topology, names, sink)
        found.append(ours / best if best else 1.0)
    return found


def _record(ratio: float, selectivity: float, some: list[Planned]) -> dict[str, Any]:
    ratios = sorted(each.ratio for each in some)
    return {
        "event_node_ratio": ratio,
        "selectivity": selectivity,
        "ratio": {
            "least": rounded(ratios[0], 5),
            "median": rounded(median(ratios), 5),
            "most": rounded(ratios[-1], 5),
        },
        "bytes": {
            "central": rounded(sum(each.central for each in some), 1),
            "ours": rounded(sum(each.ours for each in some), 1),
        },
        "joins": rounded(sum(each.joins for each in some) / len(some)),
        "queries": [
            {"types": each.types, "central": rounded(each.central, 1), "ours": rounded(each.ours, 1)} for each in some
        ],
    }


def _table(found: Found) -> Table:
    rows = []
    for (ratio, selectivity), some in found.items():
        record = _record(ratio, selectivity, some)
        told = [f"{record['ratio'][name]:.4f}" for name in ("least", "median", "most")]
        whole = record["bytes"]["ours"] / record["bytes"]["central"]
        rows.append([f"{ratio:.0%}", f"{selectivity:g}", *told, f"{whole:.4f}", f"{record['joins']:.2f}"])
    names = ["born at", "selectivity", "least", "median", "most", "all queries", "cuts a query"]
    title = "bytes as a part of the best central plan's, by where types are born and how selective pairs are"
    return Table(title, names, rows)


def _inev() -> Table:
    rows = [[name, *(f"{ratio:g}" for ratio in ratios)] for name, ratios in INEV.items()]
    return Table("the same as INEv reports it", ["data", "1", "2", "3", "4"], rows)


def _pictures(found: Found) -> dict[str, str]:
    lines = []
    for ratio in RATIOS:
        points = [
            (selectivity, _record(ratio, selectivity, found[ratio, selectivity])["ratio"]["median"])
            for selectivity in SELECTIVITIES
        ]
        lines.append(Series(f"types born at {ratio:.0%} of the nodes", points))
    for name, ratios in INEV.items():
        theirs = median(ratios)
        lines.append(Series(f"INEv, {name}, its median", [(each, theirs) for each in SELECTIVITIES], is_dashed=True))
    title = "Bytes as a part of the best central plan's"
    subtitle = f"the median of queries over {Setting().nodes} nodes, three to five types each"
    drawn = draw_lines(title, subtitle, "selectivity of a pair of types", "part of the bytes", lines, log_x=True)
    return {"inev-ratio.svg": drawn}
