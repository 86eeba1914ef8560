"""From rules to a deployment, by a policy: `plan`. A value, with what it will cost and why; nothing has happened."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tocsin.algebra.rules import Program, Rule
from tocsin.rules.programs import only_rules
from tocsin.sites.deployment import Deployer, Deployment, Directory, Placed, deployed, heard_types
from tocsin.sites.outboxes import REQUESTS
from tocsin.sites.parts import Part, Role
from tocsin.sites.placement.demands import Demand, Placement, Stream
from tocsin.sites.placement.estimates import told
from tocsin.sites.placement.policies import HASH, NEAR_SOURCES, NO_HINTS, Hints, Planner, checked, rendezvous
from tocsin.sites.placement.predictions import ENVELOPE, REPORT, Prediction, predicted, prediction_record
from tocsin.sites.placement.rates import NOTHING, Flow, Rates
from tocsin.sites.placement.topologies import EVERYWHERE, Topology


@dataclass(frozen=True)
class Reason:
    """Why a rule is cut, or not, and placed as it is."""

    rule: str
    site: str
    cuts: tuple[str, ...]
    """What is detected apart, and where."""
    why: tuple[str, ...]


@dataclass(frozen=True)
class Plan:
    """What is to run where, what it will cost, and why."""

    policy: str
    deployment: Deployment
    predicted: Prediction
    reasons: tuple[Reason, ...]


NO_RATES = Rates()


def plan(
    program: Program,
    directory: Directory,
    sink: str,
    *,
    policy: str = NEAR_SOURCES,
    hints: Hints = NO_HINTS,
    rates: Rates = NO_RATES,
    topology: Topology = EVERYWHERE,
    running: Deployment | None = None,
    way: str = REQUESTS,
    granularity: int | None = None,
) -> Plan:
    """Which parts of the rules run where. `rates`, `topology`: as measured; `running`: what is used once more."""
    known = topology.with_sites([*directory, sink])
    checked(policy, hints, known.sites)
    return _Planning(program, directory, sink, policy, hints, rates, known, running, way, granularity).plan()


@dataclass
class _Planning:
    program: Program
    directory: Directory
    sink: str
    policy: str
    hints: Hints
    rates: Rates
    topology: Topology
    running: Deployment | None
    way: str
    granularity: int | None

    def __post_init__(self) -> None:
        self.planner = Planner(self.topology, self.policy, self.hints)

    def plan(self) -> Plan:
        placements: dict[str, Placement] = {}
        for rule in self.program.rules:
            if not rule.hidden:
                placements[rule.name] = self.planner.place(self.demand(rule), self.sink)
        whole = deployed(self.program, self.directory, self.sink, way=self.way, granularity=self.granularity)
        site_of = self.site_of(placements)
        placed = [
            each if each.part.role is Role.FILTER else Placed(each.part, site_of(each.part)) for each in whole.placed
        ]
        deployment = Deployment(self.sink, tuple(placed), whole.told, self.way)
        reasons = [
            Reason(name, deployment.site_of(stream), (), (f"runs whole at {deployment.site_of(stream)}",))
            for name, stream in deployment.told.items()
        ]
        prediction = predicted(deployment, self.rates, self.topology)
        return Plan(self.policy, deployment, prediction, tuple(reasons))

    def site_of(self, placements: Mapping[str, Placement]) -> Callable[[Part], str]:
        """Where a part is to run."""
        pinned = self.hints.pinned

        def site(part: Part) -> str:
            name = next(rule.name for rule in part.rules if not rule.hidden)
            fixed = pinned.get(part.key) or pinned.get(name)
            if fixed is not None:
                return fixed
            return rendezvous(part.key, self.planner.hosts) if self.policy == HASH else placements[name].at

        return site

    def demand(self, rule: Rule) -> Demand:
        """What a rule asks of the network."""
        flows: dict[str, Flow] = {}
        streams: list[tuple[Stream, ...]] = []
        for kind in sorted(heard_types(only_rules(self.program, {rule.name}))):
            births = {site: self.rates.born(site, kind) for site in self.birthplaces(kind)}
            streams.append(tuple(Stream(f"{site}/{kind}", site, _wire(flow)) for site, flow in births.items()))
            for flow in births.values():
                flows[kind] = flows.get(kind, NOTHING).plus(flow)
        load = sum(flow.events for flow in flows.values())
        return Demand(rule.name, tuple(streams), (), _wire(told(rule, flows)), load)

    def birthplaces(self, kind: str) -> list[str]:
        """The sites where events of a type may be born."""
        return Deployer(self.program, self.directory, self.sink).birthplaces(kind)


def _wire(flow: Flow) -> float:
    """Bytes a second with the messages that carry them, and the reports that answer."""
    return flow.bytes + flow.events * (ENVELOPE + REPORT)


def plan_record(one: Plan) -> dict[str, Any]:
    """A plan as plain JSON values."""
    return {
        "policy": one.policy,
        "sink": one.deployment.sink,
        "parts": [
            {"key": part.key, "role": part.role.value, "rules": [rule.name for rule in part.rules], "site": site}
            for part, site in one.deployment.placed
        ],
        "rules": [
            {"rule": each.rule, "site": each.site, "cuts": list(each.cuts), "why": list(each.why)}
            for each in one.reasons
        ],
        "predicted": prediction_record(one.predicted),
    }


def plan_text(one: Plan) -> str:
    """A plan as people read it."""
    lines = [f"policy {one.policy}, told at {one.deployment.sink}"]
    for each in one.reasons:
        lines.append(f"  {each.rule} at {each.site}")
        lines += [f"    {cut}" for cut in each.cuts]
        lines += [f"    {why}" for why in each.why]
    lines.append(
        f"  predicted: {one.predicted.total.messages:.1f} messages, {one.predicted.total.bytes:.0f} bytes a second"
    )
    for (here, there), carried in one.predicted.links.items():
        lines.append(f"    {here} -> {there}: {carried.messages:.1f} messages, {carried.bytes:.0f} bytes a second")
    return "\n".join(lines)
