"""From plans to steps: a rule's searches are built into the network, and begin as others do where they can.

What two rules share is found by value: a chain by its leaf and key, a step by its plan's step, as long as all steps
before it are shared too.
"""

from __future__ import annotations

from collections.abc import Iterable

from tocsin.algebra.patterns import Aggregate, AnyEvent, At, AtInstant, Every, Primitive, walk
from tocsin.engine.build.automata import Chaining
from tocsin.engine.build.consumers import UsingUp
from tocsin.engine.build.family_searches import FamilySearches, Trail
from tocsin.engine.network.agenda import Waiting
from tocsin.engine.network.allowance import Allowance
from tocsin.engine.network.arena import Arena, Chain
from tocsin.engine.network.firings import Firing
from tocsin.engine.network.gates import ANY, Gate, Linker
from tocsin.engine.network.gauges import Gauge
from tocsin.engine.network.network import Network
from tocsin.engine.network.nodes import Node
from tocsin.engine.network.search import OneOfTest
from tocsin.engine.network.slots import Slots
from tocsin.engine.network.steps import Step, Walk
from tocsin.plan.programs import Family, FamilyPlan, Place
from tocsin.plan.searches import Leaf
from tocsin.rules.budgets import Budget


class Builder:
    """Builds rules into a network."""

    def __init__(self, network: Network, granularity: int | None = None) -> None:
        self.network, self.granularity = network, granularity
        self.declared: frozenset[str] | None = None
        self.any_declared: list[tuple[Firing, OneOfTest, frozenset[str]]] = []
        """Where rules take events of any declared class, and of some others."""
        self.is_commanded = False
        """Whether classes come and go: then events that were linked may be of a class that is gone."""
        self._tables: dict[tuple[bool, tuple[str, ...]], Slots] = {}
        self._pairs: dict[tuple[Slots, Slots], Slots] = {}
        self.chains: dict[tuple[object, ...], Chain] = {}
        self.gauges: dict[tuple[object, ...], Gauge] = {}
        """The aggregates of each firing, by the gate whose events they count and what they are."""
        self._kept: dict[tuple[object, ...], Chain] = {}
        self._built: dict[Firing, FamilyPlan] = {}
        """What each firing was built from."""
        self._steps: dict[tuple[object, ...], Step] = {}
        self._walks: dict[tuple[object, ...], tuple[Walk, tuple[object, ...]]] = {}
        """The steps that look at rows by what they look at, whatever must hold of them; each with its own key."""
        self._linkers: dict[Chain, Linker] = {}
        self.trails: list[Trail] = []
        """Every plan that was built, with the names of its steps: what `explain` tells shared parts by."""
        self.waitings: dict[Firing, dict[tuple[object, ...], Waiting]] = {}
        """What each firing waits for."""
        self.nodes: dict[tuple[object, ...], Node] = {}
        """What rules that remember more than events share, by what it is."""
        self.roots: dict[Firing, Node] = {}
        """The whole of each such rule."""

    # -- a rule ------------------------------------------------------------------------------------------------

    def add(self, planned: FamilyPlan, since: int, now: int, budget: Budget | None = None) -> Firing:
        """Builds rules that are searched for as one. `budget`: what they may hold."""
        members = [list(rules) for _, rules in planned.family.members]
        window = planned.family.rule.window
        firing = Firing(members, planned.is_equal, planned.is_generic, window, since, now)
        firing.declared, firing.granularity = self.declared, self.granularity
        if budget is not None:
            firing.allowance = Allowance(budget)
        self._grow(firing, planned)
        self._built[firing] = planned
        self.network.firings.append(firing)
        return firing

    def clean_up(self) -> None:
        """Builds the searches anew for the rules that are alive: those of dead ones go, with what only they kept."""
        network = self.network
        network.firings = [firing for firing in network.firings if firing.is_alive]
        network.own = [gate for gate in network.own if gate.firing is None or gate.firing.is_alive]
        network.bells = [bell for bell in network.bells if bell.firing.is_alive]
        self._built = {firing: built for firing, built in self._built.items() if firing.is_alive}
        self.waitings = {firing: waits for firing, waits in self.waitings.items() if firing.is_alive}
        network.agenda.set([])
        network.late_linkers = []
        self._steps.clear()
        self._walks.clear()
        self._linkers.clear()
        self.trails.clear()
        for gate in network.all_gates():
            gate.clear()
        known, self.chains, self._kept = self.chains, {}, self.chains
        for firing, planned in self._built.items():
            for waiting in self.waitings[firing].values():
                waiting.root = None
            self._grow(firing, planned)
        self._drop_nodes()
        self._drop_gauges()
        dead = [chain for key, chain in known.items() if key not in self.chains]
        for gate in network.all_gates():
            gate.arena.chains = [chain for chain in gate.arena.chains if chain not in dead]
        for chain in dead:
            if chain.keys is not None:
                chain.keys.slots.dependants.remove(chain)
        self._kept = {}
        network.gates = {kind: gate for kind, gate in network.gates.items() if gate.wanting}
        if network.any is not None and not network.any.wanting:
            network.any = None
        network.note_next()

    def _drop_gauges(self) -> None:
        """Gives up the aggregates of rules that are gone."""
        gone = [one for one in self.gauges.values() if not one.firing.is_alive]
        self.gauges = {name: one for name, one in self.gauges.items() if one.firing.is_alive}
        for one in gone:
            one.arena.gauges.remove(one)
            if one.keys is not None:
                one.keys.slots.dependants.remove(one)

    def gauges_of(self, firing: Firing) -> dict[tuple[object, ...], Gauge]:
        """The aggregates of a rule, each with what tells it from the rule's others."""
        return {(one.arena.name, name[-1]): one for name, one in self.gauges.items() if one.firing is firing}

    def _drop_nodes(self) -> None:
        """Gives up the nodes of rules that are gone."""
        self.roots = {firing: node for firing, node in self.roots.items() if firing.is_alive}
        kept = {id(held) for node in self.roots.values() for _, held in node.held()}
        for node in self.nodes.values():
            for _, held in node.held():
                if id(held) not in kept and held.keys is not None and held in held.keys.slots.dependants:
                    held.keys.slots.dependants.remove(held)
        self.nodes = {key: node for key, node in self.nodes.items() if all(id(held) in kept for _, held in node.held())}

    def _grow(self, firing: Firing, planned: FamilyPlan) -> None:
        rule, blind_to = planned.family.rule, planned.family.rule.name if planned.is_blind else ""
        if planned.remembers:
            self.waitings.setdefault(firing, {})
            if planned.place is Place.CHAINED:
                Chaining(self, firing, rule).grow()
            else:
                UsingUp(self, firing, rule, blind_to).grow()
            return
        # What is used up, what it must not see and when its clocks ring are a rule's own.
        # An aggregate counts since its rule began.
        timed = any(isinstance(part, At | AtInstant | Every | Aggregate) for part in walk(rule.pattern))
        is_private = planned.is_generic or planned.is_blind or timed or firing.allowance is not None
        building = FamilySearches(self, firing, planned.family, is_private, blind_to)
        for part in walk(rule.pattern):
            if isinstance(part, Primitive | AnyEvent):
                self.gate(Leaf(part), firing)  # also what a branch that can never occur speaks of: it counts as seen
        building.fire(planned.branches)
        building.wait(planned.branches, planned.openings)

    def table(self, names: Iterable[str], *, for_guards: bool = True) -> Slots:
        """The table of the values of these attributes."""
        key = (for_guards, tuple(sorted(set(names))))
        if key not in self._tables:
            self._tables[key] = Slots(for_guards)
        return self._tables[key]

    def steps(self) -> int:
        """How many steps all searches have, but for their ends."""
        return len(self._steps)

    def families(self) -> dict[Firing, Family]:
        """The rules that each firing was built from."""
        return {firing: planned.family for firing, planned in self._built.items()}

    def tables(self) -> list[Slots]:
        """All tables of values, and of pairs of their slots."""
        return [*self._tables.values(), *self._pairs.values()]

    def pair_table(self, first: Slots, second: Slots) -> Slots:
        """The table of the slots of two tables together."""
        key = (first, second)
        if key not in self._pairs:
            made = self._pairs[key] = Slots()
            made.first, made.second = first, second
            first.dependants.append(made)
            second.dependants.append(made)
        return self._pairs[key]

    def group_tables(self, attributes: tuple[str, ...]) -> tuple[Slots, ...]:
        """The tables by which groups are told apart: of each attribute, then of the first two together, and so on."""
        tables = [self.table([attribute], for_guards=False) for attribute in attributes]
        pairs = tables[:1]
        for table in tables[1:]:
            pairs.append(self.pair_table(pairs[-1], table))
        return (*tables, *pairs[1:])

    def gate(self, leaf: Leaf, firing: Firing) -> Gate:
        """The gate of the events that a leaf stands for."""
        network = self.network
        match leaf.pattern:
            case Primitive() | AnyEvent() if firing.allowance is not None:
                kind = leaf.pattern.type if isinstance(leaf.pattern, Primitive) else ANY
                gate = network.own_gate(firing, kind)
            case Primitive(type=kind):
                if kind not in network.gates:
                    network.gates[kind] = Gate(Arena(kind))
                gate = network.gates[kind]
            case AnyEvent():
                if network.any is None:
                    network.any = Gate(Arena(ANY))
                gate = network.any
            case pattern:
                gate = network.timer_gate(firing, pattern)
        if firing not in gate.wanting:
            gate.want(firing)
            firing.seen_before.setdefault(gate.arena.name, (int(gate.arena.arrived), gate.lates))
        return gate
