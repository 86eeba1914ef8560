"""What is compared: applications, flows, places of sources and sinks, and topologies that are made up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from tocsin.algebra.rules import Program
from tocsin.rules.loader import load_expression
from tocsin.rules.programs import rules_program
from tocsin.sites.deployment import Directory
from tocsin.sites.placement.rates import Flow, Rates
from tocsin.sites.placement.topologies import Link, Topology

SITES: Final = 24
EVENT: Final = 160.0
TYPES: Final = ("a", "b", "c")
APPLICATIONS: Final[Mapping[str, tuple[tuple[str, str, str], ...]]] = {
    "chain": (("chain", "(x:a -> y:b -> z:c) in 5 seconds", "x.k = y.k and y.k = z.k"),),
    "pairs": (
        ("ab", "(x:a -> y:b) in 5 seconds", "x.k = y.k"),
        ("bc", "(x:b -> y:c) in 5 seconds", "x.k = y.k"),
        ("ac", "(x:a -> y:c) in 5 seconds", "x.k = y.k"),
    ),
    "anything": (("any", "(x:a -> y:b) in 5 seconds", "x.k > 0"),),
}
"""Rules by name, in SEL: one over all types, several over two each, one that hardly chooses."""
FLOWS: Final[Mapping[str, tuple[float, float, float]]] = {"even": (1.0, 1.0, 1.0), "skewed": (20.0, 1.0, 0.05)}
"""Events a second of each type."""
PLACES: Final = ("together", "spread", "at the sink")
"""Sources beside each other and the sink far away; sources far from each other; sources beside the sink."""


@dataclass(frozen=True)
class Places:
    """Where types are born, and where it is subscribed to, first and then."""

    births: tuple[str, str, str]
    sink: str
    second: str


def programs() -> dict[str, Program]:
    """The rules of each application."""
    found = {}
    for name, rules in APPLICATIONS.items():
        made = [replace(load_expression(text, "sel", guard).rules[0], name=rule) for rule, text, guard in rules]
        found[name] = rules_program(made)
    return found


def rates(births: tuple[str, str, str], flow: str) -> Rates:
    """What is born where."""
    events = zip(births, TYPES, FLOWS[flow], strict=True)
    known = {(site, kind): Flow(often, often * EVENT) for site, kind, often in events}
    return Rates(known, is_measured=True)


def directory(births: tuple[str, str, str], topology: Topology) -> Directory:
    """The sources at each site."""
    found: dict[str, dict[str, list[str]]] = {site: {} for site in topology.sites}
    for site, kind in zip(births, TYPES, strict=True):
        found[site][f"source of {kind}"] = [kind]
    return found


def places(topology: Topology, how: str, random: Random) -> Places:
    """Sources and sinks, by how they lie."""
    sites = list(topology.sites)
    first = random.choice(sites)
    near = sorted(sites, key=lambda site: (topology.cost(first, site), site))
    if how == "spread":
        chosen = [first]
        while len(chosen) < 3:
            left = [site for site in sites if site not in chosen]
            chosen.append(max(left, key=lambda site: (min(topology.cost(site, each) for each in chosen), site)))
        sink = random.choice([site for site in sites if site not in chosen])
    else:
        chosen = near[1:4] if how == "at the sink" else near[:3]
        sink = first if how == "at the sink" else near[-1]
    second = random.choice([site for site in sites if site != sink])
    one, two, three = chosen
    return Places((one, two, three), sink, second)


def made_up(random: Random) -> dict[str, Topology]:
    """A tree, a ring, and a graph by chance, of as many sites."""
    names = [f"site{number:02}" for number in range(1, SITES + 1)]

    def link(one: str, other: str) -> Link:
        return Link(one, other, 1.0, float(random.randint(500, 10_000)))

    tree = [link(names[number], names[(number - 1) // 2]) for number in range(1, SITES)]
    ring = [link(names[number], names[number - 1]) for number in range(SITES)]
    graph = [link(names[number], names[random.randrange(number)]) for number in range(1, SITES)]
    graph += [link(*random.sample(names, 2)) for _ in range(SITES // 2)]
    return {"tree": Topology((), tuple(tree)), "ring": Topology((), tuple(ring)), "random": Topology((), tuple(graph))}
