"""From rules to a deployment, by a policy: `plan`. A value, with what it will cost and why; nothing has happened."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

from tocsin.algebra.rules import Program, Rule
from tocsin.planner.cuts import Cut, Cutting, cuts
from tocsin.planner.shares import Share
from tocsin.rules.programs import only_rules
from tocsin.sites.deployment import Deployer, Deployment, Directory, Placed, deployed, heard_types
from tocsin.sites.outboxes import REQUESTS
from tocsin.sites.parts import TOLD, Part, Role
from tocsin.sites.placement.demands import Demand, Piece, Placement, Stream
from tocsin.sites.placement.estimates import given_out, told
from tocsin.sites.placement.least_bytes import Known, placed
from tocsin.sites.placement.policies import (
    BALANCED,
    CENTRAL,
    HASH,
    NEAR_SINKS,
    NEAR_SOURCES,
    NO_HINTS,
    Hints,
    Planner,
    checked,
    rendezvous,
)
from tocsin.sites.placement.predictions import ENVELOPE, REPORT, Prediction, predicted
from tocsin.sites.placement.rates import NOTHING, Flow, Rates
from tocsin.sites.placement.running import Running, core, told_rule
from tocsin.sites.placement.shares import part_of_it, said_share
from tocsin.sites.placement.topologies import EVERYWHERE, Topology

NO_RATES: Final = Rates()
SWEEPS: Final = 3
"""How often the rules of a program are gone through once more."""
MOST_SWEPT: Final = 100
"""Of more rules than that each is placed once."""
MOST_MOVED: Final = 60
"""Of so many parts each is tried at other sites by itself."""
_WORTH: Final = 1 - 1e-9
"""Rules are gathered at one site if that costs less, by more than rounding."""


@lru_cache(maxsize=1_000)
def cuts_of(program: Program, rule: Rule) -> Cutting:
    """What can be cut off a rule; looked up again and again where plans are revised."""
    return cuts(program, rule)


@dataclass(frozen=True)
class Apart:
    """What is detected apart from its rule, and where."""

    text: str
    site: str
    is_reused: bool = False
    """Whether it runs already, for this rule or for another."""


@dataclass(frozen=True)
class Reason:
    """Why a rule is cut, or not, and placed as it is."""

    rule: str
    site: str
    cuts: tuple[Apart, ...] = ()
    why: tuple[str, ...] = ()
    is_reused: bool = False


@dataclass(frozen=True)
class Plan:
    """What is to run where, what it will cost, and why."""

    policy: str
    deployment: Deployment
    predicted: Prediction
    reasons: tuple[Reason, ...]


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
    there = Running(running, known, sink)
    planned = _Planned(program, directory, sink, policy, hints, rates, known, there, way, granularity)
    deployment = planned.deployment()
    costs = predicted(deployment, rates, known)
    if policy == NEAR_SOURCES and running is None and 1 < len(deployment.told) <= MOST_SWEPT:
        deployment, costs = planned.swept(deployment, costs)
    if policy == NEAR_SOURCES and running is None:
        for site in planned.centres(deployment):
            whole = planned.gathered(site)
            other, cost = whole.swept_whole()
            if cost.cost < costs.cost * _WORTH:
                planned, deployment, costs = whole, other, cost
    return Plan(policy, deployment, costs, tuple(planned.reasons(deployment)))


def improved(
    program: Program,
    directory: Directory,
    running: Deployment,
    rule: str,
    *,
    hints: Hints = NO_HINTS,
    rates: Rates = NO_RATES,
    topology: Topology = EVERYWHERE,
) -> Deployment:
    """What runs, but with the parts of a rule at the sites where they cost fewest bytes now. They stay as they are."""
    known = topology.with_sites([*directory, running.sink])
    there = Running(running, known, running.sink)
    planned = _Planned(program, directory, running.sink, NEAR_SOURCES, hints, rates, known, there, running.way, None)
    return planned.improved(running, next(each for each in program.rules if each.name == rule))


@dataclass
class _Planned:
    program: Program
    directory: Directory
    sink: str
    policy: str
    hints: Hints
    rates: Rates
    topology: Topology
    running: Running
    way: str
    granularity: int | None
    cuttings: dict[str, Cutting] = field(default_factory=dict)
    demands: dict[str, Demand] = field(default_factory=dict)
    placements: dict[str, Placement] = field(default_factory=dict)
    chosen: dict[str, list[Cut]] = field(default_factory=dict)
    reused: set[str] = field(default_factory=set)
    """Rules that run already, as they would."""
    gathers: bool = False
    """Whether rules begin whole at one site, for a policy that may take them apart."""

    def __post_init__(self) -> None:
        self.planner = Planner(self.topology, self.policy, self.hints)
        self.planner.running |= self.running.joins
        self.planner.inside |= self.running.inside
        self.planner.taken = self.running.taken()

    def deployment(self) -> Deployment:
        """Every rule placed, one after the other."""
        for rule in self.program.rules:
            if not rule.hidden:
                self.place(rule)
        found = self.deployed_with(self.program, self.chosen, self.site_of)
        return replace(found, replicas=tuple(self.replicas(found)))

    def swept(self, deployment: Deployment, costs: Prediction) -> tuple[Deployment, Prediction]:
        """Each rule once more, now that the others are there: what the first ones did not know of is taken into use."""
        for _ in range(SWEEPS):
            before = costs.cost
            for rule in self.program.rules:
                if rule.name in deployment.told:
                    self.running = Running(deployment, self.topology, self.sink)
                    better = self.improved(deployment, rule)
                    found = costs if better == deployment else predicted(better, self.rates, self.topology)
                    if found.cost < costs.cost:
                        deployment, costs = better, found
            for other in self.with_one_moved(deployment) if len(deployment.placed) <= MOST_MOVED else ():
                found = predicted(other, self.rates, self.topology)
                if found.cost < costs.cost * _WORTH:
                    deployment, costs = other, found
            if costs.cost >= before:
                break
        self.running = Running(None, self.topology, self.sink)
        return deployment, costs

    def with_one_moved(self, deployment: Deployment) -> Iterator[Deployment]:
        """The deployment with one part at another site between those from which it takes and those that take of it.

        A part that several rules take moves with none of them, and questions are reckoned closer for all together.
        """
        sites = {each.part.key: each.site for each in deployment.placed}
        takers: dict[str, set[str]] = {}
        for part, site in deployment.placed:
            for stream in part.inputs:
                takers.setdefault(stream, set()).add(site)
        for place, (part, there) in enumerate(deployment.placed):
            if part.role is not Role.FILTER and not self.is_pinned(part):
                around = {there, *(sites[stream] for stream in part.inputs)} | takers.get(part.key, {deployment.sink})
                for site in self.topology.region(around, self.hints.sites).sites:
                    if site != there and (self.hints.sites is None or site in self.hints.sites):
                        moved = [*deployment.placed]
                        moved[place] = Placed(part, site)
                        yield replace(deployment, placed=tuple(moved))

    def is_pinned(self, part: Part) -> bool:
        """Whether a hint says where a part is to run."""
        name = "" if part.is_cut_off else told_rule(part).name
        if part.share is not None:  # the shares of a part are where they are since they are several
            return True
        return part.key in self.hints.pinned or name in self.hints.pinned

    # -- all at one site ---------------------------------------------------------------------------------------------

    def centres(self, deployment: Deployment) -> list[str]:
        """Where all rules might be gathered: where they are subscribed to, and where all that they hear costs least.

        Each rule by itself is at its best beside the others, and still all of them together may cost more than one
        stream of each type to one site, which no single rule is worth the first step to.
        """
        heard = {each.part.key: each for each in deployment.placed if each.part.role is Role.FILTER}
        flows = [
            (site, on_the_wire(self.rates.given(key) or part_of_it(part, self.rates.born(part.birthplace, part.type))))
            for key, (part, site) in heard.items()
        ]
        allowed = self.hints.sites
        candidates = {self.hints.centre or self.sink, *(site for site, _ in flows)}
        some = sorted(candidates if allowed is None else allowed)
        nearest = min(some, key=lambda site: sum(rate * self.topology.cost(origin, site) for origin, rate in flows))
        centre = self.hints.centre or self.sink
        return list(dict.fromkeys(each for each in (centre, nearest) if allowed is None or each in allowed))

    def gathered(self, site: str) -> _Planned:
        """The same rules, each whole at a site."""
        hints = replace(self.hints, centre=site)
        given = (self.program, self.directory, self.sink, CENTRAL, hints, self.rates, self.topology)
        return _Planned(*given, self.running, self.way, self.granularity, gathers=True)

    def swept_whole(self) -> tuple[Deployment, Prediction]:
        """All rules at one site, and each then moved if that saves bytes."""
        deployment = self.deployment()
        costs = predicted(deployment, self.rates, self.topology)
        return self.swept(deployment, costs) if 1 < len(deployment.told) <= MOST_SWEPT else (deployment, costs)

    def replicas(self, found: Deployment) -> Iterator[Placed]:
        """Where rules are to run besides, as the hints say."""
        for each in found.placed:
            if each.part.role is Role.RULE:
                for site in self.hints.replicas.get(told_rule(each.part).name, ()):
                    if site != each.site:
                        yield Placed(each.part, site)

    def deployed_with(
        self, program: Program, chosen: Mapping[str, list[Cut]], site_of: Callable[[Part], str] | None
    ) -> Deployment:
        shares = self.hints.shares
        return deployed(
            program,
            self.directory,
            self.sink,
            chosen={name: [cut.in_shares(shares.get(name, 1)) for cut in cuts] for name, cuts in chosen.items()},
            site_of=site_of,
            way=self.way,
            granularity=self.granularity,
        )

    def place(self, rule: Rule) -> None:
        """Chooses what is cut off a rule, and where all of it runs."""
        cutting = self.cuttings[rule.name] = cuts_of(self.program, rule)
        # Under the 2g model what a rule makes has a stamp that does not travel.
        usable = [cut for cut in cutting.cuts if not cut.makes or self.granularity is None]
        by_name = {core(cut.program, cut.blockers): cut for cut in usable}
        if self.is_running(rule, by_name):
            return
        demand = self.demands[rule.name] = self.demand(rule, by_name)
        placement = self.placements[rule.name] = self.planner.place(demand, self.sink)
        names = [piece.name for piece, _ in placement.pieces]
        for name in names:  # what is inside a part that runs already stays as it is, or it would be another part
            names += [each for each in self.planner.inside.get(name, ()) if each not in names]
        self.chosen[rule.name] = [by_name[name] for name in names if name in by_name]

    def is_running(self, rule: Rule, by_name: Mapping[str, Cut]) -> bool:
        """Whether a rule runs already, just as it would run."""
        there = self.running.rule(rule.name)
        if there is None:
            return False
        chosen = [by_name[name] for name in self.running.below(there.part) if name in by_name]
        alone = self.deployed_with(only_rules(self.program, {rule.name}), {rule.name: chosen}, None)
        if there.part.key not in {each.part.key for each in alone.placed}:
            return False
        self.chosen[rule.name] = chosen
        self.placements[rule.name] = Placement(there.site, (), 0.0)
        self.reused.add(rule.name)
        return True

    def improved(self, running: Deployment, rule: Rule) -> Deployment:
        """The parts of a rule at the sites where they cost fewest bytes now."""
        there = self.running.rule(rule.name)
        if there is None:
            return running
        by_name = {core(cut.program, cut.blockers): cut for cut in cuts_of(self.program, rule).cuts}
        demand = self.demand(rule, by_name)
        names = set(self.running.below(there.part))
        made = [piece for piece in demand.pieces if piece.name in names]
        terminals = {stream.site for streams in demand.streams for stream in streams}
        terminals |= {running.sink, *(each.site for each in running.placed), *self.hints.pinned.values()}
        region = self.topology.region(terminals, self.hints.sites)
        known = Known(*self.running.beside(there.part), self.hints.pinned, self.hints.sites)
        best = placed(demand, made, region, running.sink, known)
        sites = {piece.name: site for piece, site in best.pieces}

        def moved(one: Placed) -> Placed:
            if one.part.key == there.part.key:
                return Placed(one.part, best.at)
            is_cut_off = one.part.is_cut_off and one.part.share is None
            site = sites.get(core(one.part.program, one.part.blockers)) if is_cut_off else None
            return one if site is None else Placed(one.part, site)

        return replace(running, placed=tuple(moved(one) for one in running.placed))

    def site_of(self, part: Part) -> str:
        """Where a part runs."""
        pinned = self.hints.pinned.get(part.key)
        if pinned is not None:
            return pinned
        running = self.running.site(part.key)
        if part.is_cut_off:
            if self.policy == HASH:
                return running or rendezvous(part.key, self.planner.hosts)
            return running or self.share_at(self.planner.running[core(part.program, part.blockers)], part.share)
        name = told_rule(part).name
        if name in self.hints.pinned:
            return self.hints.pinned[name]
        if running is None and self.policy == HASH:
            return rendezvous(part.key, self.planner.hosts)
        return running or self.placements[name].at

    def share_at(self, site: str, share: Share | None) -> str:
        """Where a share of a part runs that would be best at a site: the first there, the others around it."""
        if share is None or not share.number:
            return site
        hosts = sorted(self.planner.hosts, key=lambda each: (each != site, self.topology.cost(site, each), each))
        return hosts[share.number % len(hosts)]

    # -- demands ---------------------------------------------------------------------------------------------------

    def demand(self, rule: Rule, by_name: Mapping[str, Cut]) -> Demand:
        """What a rule asks of the network."""
        kinds = sorted(heard_types(only_rules(self.program, {rule.name})))
        births = {kind: self.births(kind) for kind in kinds}
        flows = {kind: _sum(some.values()) for kind, some in births.items()}
        streams = [tuple(self.stream(site, kind, flow) for site, flow in births[kind].items()) for kind in kinds]
        pieces = [self.piece(name, cut, kinds, streams, flows) for name, cut in by_name.items()]
        there = self.running.rule(rule.name)
        given = None if there is None else self.rates.given(there.part.key + TOLD)
        detected = on_the_wire(given or told(rule, flows))
        return Demand(rule.name, tuple(streams), tuple(pieces), detected, _sum(flows.values()).events, self.way)

    def stream(self, site: str, kind: str, flow: Flow) -> Stream:
        """A type at a birthplace."""
        clocked = self.rates.is_clocked(site, kind)
        return Stream(self.running.filter(site, kind), site, on_the_wire(flow), flow.events, clocked)

    def piece(
        self,
        name: str,
        cut: Cut,
        kinds: list[str],
        streams: list[tuple[Stream, ...]],
        flows: Mapping[str, Flow],
    ) -> Piece:
        """A cut with what it would pass on, as it was measured or is expected."""
        types = sum(1 << kinds.index(kind) for kind in cut.types)
        coming = {kind: flows[kind] for kind in cut.types}
        given = self.running.given(name, self.rates)
        if given is None:
            given = given_out(cut.program, cut.blockers, cut.makes, coming)
        clocked = all(one.is_clocked for kind in cut.types for one in streams[kinds.index(kind)])
        load = _sum(coming.values()).events
        return Piece(types, on_the_wire(given), name, load, given.events, clocked)

    def births(self, kind: str) -> dict[str, Flow]:
        """What is born of a type, by site."""
        sites = Deployer(self.program, self.directory, self.sink).birthplaces(kind)
        return {
            site: self.rates.given(self.running.filter(site, kind)) or self.rates.born(site, kind) for site in sites
        }

    # -- reasons ---------------------------------------------------------------------------------------------------

    def reasons(self, deployment: Deployment) -> Iterator[Reason]:
        """For each rule what was cut off it, and why not more."""
        cut_off = [each for each in deployment.placed if each.part.is_cut_off]
        by_core: dict[str, list[Placed]] = {}
        for each in cut_off:
            by_core.setdefault(core(each.part.program, each.part.blockers), []).append(each)
        for name, stream in deployment.told.items():
            apart = tuple(
                Apart(cut.text + said_share(there.part), there.site, self.running.site(there.part.key) is not None)
                for cut in self.chosen[name]
                for there in by_core[core(cut.program, cut.blockers)]
            )
            why = (*self.why(name), *self.undivided(name))
            yield Reason(name, deployment.site_of(stream), apart, why, name in self.reused)

    def why(self, name: str) -> Iterator[str]:
        """Why a rule is cut as it is."""
        cutting, chosen = self.cuttings[name], self.chosen[name]
        if not cutting.cuts:
            yield from (f"runs whole: {each.text}: {each.why}" for each in cutting.uncut)
            return
        if name in self.reused:
            yield "runs already, and is told here as well"
            return
        if self.gathers:
            yield f"runs whole: streams that rules share go to {self.hints.centre} once, which costs less than cuts"
            return
        if self.policy == CENTRAL:
            yield "runs whole: that is the policy"
            return
        pieces = {piece.name: piece for piece in self.demands[name].pieces}
        for cut in cutting.cuts:
            piece = pieces.get(core(cut.program, cut.blockers))
            if piece is None:
                yield f"'{cut.text}' is not cut off: what it makes has a 2g stamp, which stays where it was made"
            elif cut in chosen:
                yield f"'{cut.text}' is cut off: {self.saving(name, piece)}"
            else:
                yield f"'{cut.text}' is not cut off: {self.why_not(name, cut, piece)}"
        yield from (f"'{each.text}' cannot be cut off: {each.why}" for each in cutting.uncut)

    def undivided(self, name: str) -> Iterator[str]:
        """Why what a hint says is to run in shares does not."""
        if self.hints.shares.get(name, 1) < 2:
            return
        chosen = self.chosen[name]
        for cut in chosen or self.cuttings[name].cuts:
            if not cut.key:
                yield f"'{cut.text}': not in shares: {cut.undivided}"
            elif any(other.types < cut.types for other in chosen):
                yield f"'{cut.text}': not in shares: it takes what another part passes on"
        if not chosen:
            yield "not in shares: nothing is cut off the rule, and only what is cut off is divided"

    def saving(self, name: str, piece: Piece) -> str:
        """How much less a cut passes on than comes to it."""
        streams = self.demands[name].streams
        coming = sum(each.rate for kind, some in enumerate(streams) if piece.types >> kind & 1 for each in some)
        return f"it passes on {piece.rate:.0f} of {coming:.0f} bytes a second"

    def why_not(self, name: str, cut: Cut, piece: Piece) -> str:
        """Why a cut that could be made is not."""
        for other in self.chosen[name]:
            if cut.types & other.types and not (cut.types < other.types or other.types < cut.types):
                return f"it overlaps '{other.text}'"
        degree = self.hints.degree
        if degree is not None and len(self.chosen[name]) >= degree:
            return f"into no more than {degree} parts, as the hints say"
        saving = self.saving(name, piece)
        return {
            NEAR_SOURCES: f"{saving}, and saves none on these links",
            NEAR_SINKS: f"{saving}, and costs time or saves nothing",
            BALANCED: "other cuts were made first",
            HASH: "other cuts were made first",
        }[self.policy]


def _sum(flows: Iterable[Flow]) -> Flow:
    found = NOTHING
    for flow in flows:
        found = found.plus(flow)
    return found


def on_the_wire(flow: Flow) -> float:
    """Bytes a second of a flow with the messages that carry it, and the reports that answer them."""
    return flow.bytes + flow.events * (ENVELOPE + REPORT)
