"""From plans to steps: a rule's searches are built into the network, and begin as others do where they can.

What two rules share is found by value: a chain by its leaf and key, a step by its plan's step, as long as all steps
before it are shared too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from tocsin.algebra.patterns import After, AnyEvent, At, AtInstant, Between, Every, Primitive, Within, walk
from tocsin.engine.network.allowance import Allowance
from tocsin.engine.network.arena import Arena, Chain, Keys, UsedChain
from tocsin.engine.build.automata import Chaining
from tocsin.engine.build.consumers import UsingUp
from tocsin.engine.build.barriers import bars_older
from tocsin.engine.build.guards import Compiler
from tocsin.engine.network.firings import HEAD, Emit, Firing
from tocsin.engine.network.gates import ANY, Gate, Linker, Root, glance
from tocsin.engine.network.network import Network
from tocsin.engine.network.nodes import Node
from tocsin.engine.network.runs import ConsecutiveTest, FindRuns, RunChain
from tocsin.engine.network.search import BeforeTest, DueTest, MadeElsewhereTest, OneOfTest, Point, PresentTest, Test, linked
from tocsin.engine.network.sieve import sift
from tocsin.engine.network.slots import Slots
from tocsin.engine.network.stamped import StampedEmit
from tocsin.engine.network.steps import (
    AbsentTest,
    BarredWalk,
    Barrier,
    Bounds,
    Choose,
    Earlier,
    Filter,
    Present,
    Hope,
    KeyLookup,
    Lookup,
    OldestWalk,
    PairLookup,
    Step,
    Walk,
)
from tocsin.engine.network.streaks import Row, StillRunTest, Streaks
from tocsin.engine.network.text_guards import necessary
from tocsin.engine.network.agenda import Waiting, scheduled
from tocsin.plan import searches as plans
from tocsin.plan.programs import BranchPlan, Family, FamilyPlan, MomentPlan, OpeningPlan, Place
from tocsin.plan.searches import SOLE, SOURCE, TYPE, Branch, Leaf, Opening, RunLeaf, SearchPlan, Slot
from tocsin.plan.trees import asks_for_stamps, numbered_point
from tocsin.rules.budgets import Budget


class Trail:
    """How one plan was built into the network: under which names its root and its steps are known there.

    Plans whose trails begin with the same names are the same steps that far. It ends with a detection of branch
    `emits`, or with a moment to wait for, `waits`.
    """

    def __init__(
        self, firing: Firing, branch: Branch, plan: SearchPlan, names: list[tuple[object, ...]], end: _End
    ) -> None:
        self.firing, self.branch, self.plan, self.names = firing, branch, plan, names
        self.emits = end.emits
        self.waits: Waiting | None = None if end.waits is None else end.waits[1]
        self.wakes: Waiting | None = None
        """The moment that starts the search, where no arrival does."""


class Builder:
    """Builds rules into a network."""

    def __init__(self, network: Network, granularity: int | None = None) -> None:
        self.network, self.granularity = network, granularity
        self.declared: frozenset[str] | None = None
        self.any_declared: list[tuple[Firing, OneOfTest]] = []
        """Where rules take events of any declared class."""
        self._tables: dict[tuple[bool, tuple[str, ...]], Slots] = {}
        self._pairs: dict[tuple[Slots, Slots], Slots] = {}
        self.chains: dict[tuple[object, ...], Chain] = {}
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
        timed = any(isinstance(part, At | AtInstant | Every) for part in walk(rule.pattern))
        is_private = planned.is_generic or planned.is_blind or timed or firing.allowance is not None
        building = _Class(self, firing, planned.family, is_private, blind_to)
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


class _Class:
    """One class of rules in the making."""

    def __init__(self, builder: Builder, firing: Firing, family: Family, is_private: bool, blind_to: str) -> None:
        self.blind_to = blind_to
        self.constants = tuple(constant for constant, _ in family.members)
        self.builder, self.firing, self.network = builder, firing, builder.network
        self.owner: object = firing if is_private else None
        self.forgets_used = family.rule.forgets_used
        self.waitings = builder.waitings.setdefault(firing, {})

    # -- targets -----------------------------------------------------------------------------------------------

    def fire(self, planned: tuple[BranchPlan, ...]) -> None:
        """Builds the searches for the rule's own pattern."""
        firing, found = self.firing, [each.branch for each in planned]
        firing.is_distinct = _may_overlap(found) or any(map(_may_repeat, found))
        firing.is_plain = not firing.is_distinct and not firing.is_generic and len(firing.members) == 1
        firing.plant([branch.tree for branch in found])
        for number, each in enumerate(planned):
            firing.stride = max(firing.stride, int(HEAD) + _size(each.branch))
            for made in each.arrivals:
                self._grow(made, _End(self, each.branch, made, emits=number))

    def wait(self, planned: tuple[BranchPlan, ...], openings: tuple[OpeningPlan, ...]) -> None:
        """Builds the searches for what is waited for, and those that a moment starts when it comes."""
        for each in openings:
            opening, waiting = each.opening, self._waiting(each.origin, each.opening.branch)
            for made in each.arrivals:
                self._grow(made, _End(self, opening.branch, made, waits=(opening, waiting)))
        for waiting in self.waitings.values():
            waiting.together = [other for other in self.waitings.values() if other.origin == waiting.origin]
        for number, branch in enumerate(planned):
            self._on_moments(branch.branch, branch.moments, emits=number)
        for each in openings:
            waiting = self._waiting(each.origin, each.opening.branch)
            self._on_moments(each.opening.branch, each.moments, waits=(each.opening, waiting))

    def _on_moments(
        self,
        branch: Branch,
        moments: tuple[MomentPlan, ...],
        emits: int = -1,
        waits: tuple[Opening, Waiting] | None = None,
    ) -> None:
        for moment in moments:
            made, waiting = moment.search, self.waitings[(moment.wait.origin, moment.wait.resolved)]
            end = _End(self, branch, made, emits, waits)
            build = _Plan(self, made, branch)
            root = Root(self.firing, build.tests(made.checks))
            root.sibling, waiting.root = waiting.root, root
            self._follow(root, ("tick", id(root)), made, build, end)
            self.builder.trails[-1].wakes = waiting

    def _waiting(self, origin: After | Within | Between, branch: Branch) -> Waiting:
        key = (origin, branch.tree)
        agenda = self.network.agenda
        arenas: list[Arena] = []
        chains: list[Chain] = []
        for leaf, registers in branch.leaves:
            gate = self.builder.gate(leaf, self.firing)
            arenas += [gate.arena] * len(registers)
            if self.firing.is_generic:  # what waits may be used up meanwhile
                chains += [self.chain(leaf, gate, ())] * len(registers)
        if key not in self.waitings:
            self.waitings[key] = Waiting(self.firing, origin, branch.tree, arenas, chains, self.network.store)
            self.network.search.reserve(len(arenas))
        if self.waitings[key] not in agenda.waitings:
            agenda.add(self.waitings[key])
        return self.waitings[key]

    # -- searches ----------------------------------------------------------------------------------------------

    def _grow(self, made: SearchPlan, end: _End) -> None:
        """Builds an anchored search, as a branch of what begins alike."""
        assert made.anchor is not None
        gate = self.builder.gate(made.anchor, self.firing)
        build = _Plan(self, made, end.branch)
        window, since = self.firing.window, int(self.firing.since)
        owner = self.owner or self._family((*made.checks, *made.anchor.conditions))
        # Where the oldest is looked for, a search is cut short by what it found itself: not by another branch, nor by
        # the same with the arrival in another place.
        search = (end.emits, made.numbers) if made.ascending or self._can_hope(end.branch) else ()
        key = ("root", made.anchor, window, since, owner, made.checks, made.in_order, end.is_wait, search)
        root = self.builder._steps.get(key)
        if root is None:
            tests = [*self.own_tests(made.anchor, gate), *build.tests(made.checks)]
            root = Root(self.firing, tests)
            _delay(root, made)
            self.builder._steps[key] = root
            if tests and not root.delay:
                clauses = necessary(list(made.anchor.conditions))
                sift(gate, root, [[gate.texts.fact(fact) for fact in each] for each in clauses], made.in_order)
            else:
                gate.add(root, made.in_order)
        self._follow(root, key, made, build, end)
        assert isinstance(root, Root)
        root.glance = glance(root)

    def _follow(self, step: Step, key: tuple[object, ...], made: SearchPlan, build: _Plan, end: _End) -> None:
        hopes = not made.ascending and not end.is_wait and self._can_hope(end.branch)
        walks: list[OldestWalk] = []
        earlier: Earlier | None = None
        names = [key]
        for each in made.steps:
            bare = (key, replace(each, checks=()), made.ascending)
            names.append(bare)
            key = (bare, each.checks, self._family(each.checks))
            known = self.builder._steps.get(key)
            if known is None:
                known = self._step(step, bare, key, each, build, oldest_first=made.ascending or hopes)
                self.builder._steps[key] = known
            if made.ascending and not isinstance(each.leaf.pattern, At | AtInstant | Every):
                earlier = _put_after(earlier, known, each, build)
            if hopes and isinstance(known, OldestWalk):
                walks.append(known)
            step = known
        if hopes:
            self._hope(made, build, walks)
        step.add(end.step())
        self.builder.trails.append(Trail(self.firing, end.branch, made, names, end))

    def _family(self, checks: tuple[object, ...]) -> object:
        """Whose checks these are: what may test a family's constants is the family's own, for it notes who passed."""
        return self.firing if checks and len(self.constants) > 1 else None

    def _step(
        self,
        before: Step,
        bare: tuple[object, ...],
        key: tuple[object, ...],
        each: plans.Step,
        build: _Plan,
        *,
        oldest_first: bool,
    ) -> Step:
        """One more step after another. Where the same rows are looked at already, only what must hold of them is new.

        `bare` is its key but for what must hold.
        """
        steps, walks = self.builder._steps, self.builder._walks
        if bare not in walks:
            made = build.step(each, oldest_first=oldest_first)
            before.add(made)
            if isinstance(made, Walk) and not isinstance(made, OldestWalk):
                walks[bare] = (made, key)
            return made
        walk_, first = walks[bare]
        parted = walk_.part()
        if parted is not None:
            steps[first] = parted
        test = linked(build.tests(each.checks))
        if test is None:
            return walk_
        filter_ = Filter(test)
        walk_.add(filter_)
        return filter_

    def _can_hope(self, branch: Branch) -> bool:
        """Whether the oldest can be told by its events' times alone: each is another one, and none is the clock's."""
        single = all(leaf.is_single for leaf, _ in branch.leaves)
        clocks = any(isinstance(leaf.pattern, At | AtInstant | Every) for leaf, _ in branch.leaves)
        return self.firing.is_generic and single and not clocks and not _repeats(branch)

    def _hope(self, made: SearchPlan, build: _Plan, walks: list[OldestWalk]) -> None:
        """Lets each step know what stands before it and what is still to come."""
        self.firing.is_hopeful = True
        standing = [(build.arenas[register], register) for register in range(made.given)]
        for place, walk_ in enumerate(walks):
            filled = {register for _, register in standing}
            rest = []
            for step, other in zip(made.steps[place + 1 :], walks[place + 1 :], strict=True):
                rest.append((other, all(register in filled for _, (register, _) in step.key)))
            walk_.hope = Hope(self.firing.oldest, list(standing), rest)
            register = made.steps[place].registers[0]
            standing.append((build.arenas[register], register))

    def chain(
        self,
        leaf: Leaf,
        gate: Gate,
        key: tuple[str, ...],
        tables: tuple[Slots, ...] = (),
        *,
        late_only: bool = False,
        is_absent: bool = False,
    ) -> Chain:
        """The chain of a leaf's rows, by its key. `late_only`: it is a late arrival that asks for it.

        `is_absent`: what must be absent is looked for there, and mostly that is so among what is used up, too.
        """
        arena = gate.arena
        is_used_up = self.firing.is_generic and (self.forgets_used or not is_absent)
        owner = self.owner if is_used_up or not self.firing.is_generic else (self.owner, LASTING)
        name = chain_name(leaf, arena, key, tables, owner)
        found = self.builder.chains.get(name)
        if found is None and name in self.builder._kept:
            found = self.builder.chains[name] = self.builder._kept[name]
            self._link_into(gate, found, leaf)
        if found is None:
            keys: Keys | None = None
            if key:
                keys = arena.key(key[0], tables[0])
            for place in range(1, len(key)):
                assert keys is not None
                keys = arena.pair(keys, arena.key(key[place], tables[place]), tables[len(key) + place - 1])
            if isinstance(leaf, RunLeaf):
                found = RunChain(arena, keys)
            else:
                found = UsedChain(arena, keys) if is_used_up else Chain(arena, keys)
            arena.is_used_up = arena.is_used_up or is_used_up
            # What is used up is taken out of all chains at once, so that all of them have to be there.
            if late_only and not is_used_up:
                found.wait_for_late()
            self.builder.chains[name] = found
            self._link_into(gate, found, leaf)
            if is_used_up:
                self.firing.chains.append(found)
        if found.is_late_only and not late_only:
            self._link_always(gate, found)
        return found

    def run_chain(self, leaf: RunLeaf, is_absent: bool) -> RunChain:
        """The chain of a run's rows."""
        gate, tables = self.builder.gate(leaf, self.firing), self.builder.group_tables(leaf.group)
        found = self.chain(leaf, gate, leaf.group, tables, is_absent=is_absent)
        assert isinstance(found, RunChain)
        return found

    def _link_into(self, gate: Gate, chain: Chain, leaf: Leaf) -> None:
        linker = self.builder._linkers[chain] = Linker(chain, self.own_tests(leaf, gate))
        if chain.is_late_only and linker.test is None:
            chain.links_itself = True
        elif chain.is_late_only:
            self.network.late_linkers.append(linker)
        else:
            linker.also, gate.linker = gate.linker, linker

    def _link_always(self, gate: Gate, chain: Chain) -> None:
        """Any arrival asks for a chain that only late ones have asked for so far."""
        linker = self.builder._linkers[chain]
        self.network.link_rest(linker)
        if not chain.links_itself:
            self.network.late_linkers.remove(linker)
        chain.wait_no_more()
        linker.also, gate.linker = gate.linker, linker

    def own_tests(self, leaf: Leaf, gate: Gate) -> list[Test]:
        """What an event must be to stand for a leaf, as tests of register 0."""
        tests: list[Test] = []
        arena = gate.arena
        if isinstance(leaf.pattern, Primitive) and leaf.pattern.site is not None:
            tests.append(OneOfTest(arena, arena.key(SOURCE, self.builder.table([SOURCE])), [leaf.pattern.site]))
        if isinstance(leaf.pattern, AnyEvent) and self.builder.declared is not None:
            kinds = arena.key(TYPE, self.builder.table([TYPE]))
            test = OneOfTest(arena, kinds, list(self.builder.declared))
            self.builder.any_declared.append((self.firing, test))
            tests.append(test)
        compared = leaf.group if leaf.attribute is None else (leaf.attribute,)
        if leaf.row is not None:
            compared = (*leaf.row.same, *(() if leaf.row.different is None else (leaf.row.different,)))
        tests += [PresentTest(arena, arena.key(name, self.repetition(name))) for name in compared]
        if self.blind_to:
            tests.append(MadeElsewhereTest(arena, self.blind_to))
        guards = Compiler(self.builder.table, {0: arena}, self.firing.selection, self.constants, self.firing)
        sole = ((SOLE, Slot(0)),)
        plain, slow = partial(guards.test, variables=sole), partial(guards.slow, variables=sole)
        tests += [gate.texts.test(guard, plain, slow) for guard in leaf.conditions]
        return tests

    def repetition(self, attribute: str) -> Slots:
        """The table of the values that a repetition compares."""
        return self.builder.table([attribute], for_guards=False)


LASTING = "lasting"
"""With the firing that owns a chain: what it uses up stays there."""


def chain_name(
    leaf: Leaf, arena: Arena, key: tuple[str, ...], tables: tuple[Slots, ...], owner: object
) -> tuple[object, ...]:
    """What a chain is known by; `owner`: the firing whose own it is, perhaps `LASTING`, or None."""
    return ("chain", leaf, arena.name, key, tables, owner)


def _delay(root: Root, made: SearchPlan) -> None:
    """Notes how long after the arrival's own start or end a moment must have come, if that is all there is to know."""
    first = made.checks[0] if made.checks else None
    if isinstance(first, plans.Due) and isinstance(first.point, plans.Shifted):
        edge, period = first.point.point, first.point.period
        if isinstance(edge, plans.Edge) and edge.register == 0 and not period.years and not period.months:
            root.delay, root.is_from_start = period.microseconds, edge.is_start


def _size(branch: Branch) -> int:
    return sum(len(registers) for _, registers in branch.leaves)


def _may_overlap(found: list[Branch]) -> bool:
    """Whether two branches may find one occurrence: not those that are runs of different lengths."""
    sizes = {_size(branch) for branch in found}
    return len(found) > 1 and (len(sizes) < len(found) or any(len(branch.leaves) > 1 for branch in found))


def _may_repeat(branch: Branch) -> bool:
    """Whether one occurrence may be found twice: leaves change places, or two things at one time complete it.

    Those are two moments, or a moment and an event that a rule makes of another moment of that time.
    """
    waiting = {register for wait in branch.waits for register in wait.registers}
    others = sum(register not in waiting for _, registers in branch.leaves for register in registers)
    return _repeats(branch) or (bool(branch.waits) and len(branch.waits) + others > 1)


def _repeats(branch: Branch) -> bool:
    """Whether two leaves could change places without anyone noticing: equal ones that are not both named."""
    patterns = [leaf.pattern for leaf, _ in branch.leaves]
    kinds = {each.type if isinstance(each, Primitive) else each for each in patterns}
    return len(kinds) < len(patterns) or (len(patterns) > 1 and any(isinstance(each, AnyEvent) for each in patterns))


def _put_after(earlier: Earlier | None, step: Step, made: plans.Step, build: _Plan) -> Earlier | None:
    """Lets a step of a search in order of time know what is chosen before it, and gives what is chosen with it."""
    if isinstance(step, OldestWalk | Choose):
        step.is_ascending, step.earlier = True, earlier
    for register in made.registers:
        earlier = Earlier(build.arenas[register], register, earlier)
    return earlier


class _End:
    """Where a search ends."""

    def __init__(
        self,
        owner: _Class,
        branch: Branch,
        made: SearchPlan,
        emits: int = -1,
        waits: tuple[Opening, Waiting] | None = None,
    ) -> None:
        self.owner, self.branch, self.made, self.emits, self.waits = owner, branch, made, emits, waits

    @property
    def is_wait(self) -> bool:
        """Whether it ends with a moment to wait for."""
        return self.waits is not None

    def step(self) -> Step:
        """The last step."""
        build = _Plan(self.owner, self.made, self.branch)
        order = [build.numbers[register] for _, registers in self.branch.leaves for register in registers]
        if self.waits is None:
            arenas = [build.arenas[register] for register in order]
            firing, touched = self.owner.firing, self.owner.network.touched
            is_stamped = firing.granularity is not None and asks_for_stamps(firing.trees[self.emits])
            return (StampedEmit if is_stamped else Emit)(firing, self.emits, arenas, order, touched)
        opening, waiting = self.waits
        agenda = self.owner.network.agenda
        points = [build.renumbered_point(point) for point in (opening.due, opening.start, self.branch.end)]
        return scheduled(waiting, agenda, points[0], points[1], points[2], order)


class _Plan:
    """One plan in the making: the arenas of its registers."""

    def __init__(self, owner: _Class, made: SearchPlan, branch: Branch) -> None:
        self.owner, self.builder = owner, owner.builder
        self.late_only = made.anchor is not None and not made.in_order
        self.is_absent = False
        """Whether what is built just now must be absent."""
        self.arenas: dict[int, Arena] = {}
        self.numbers = dict(enumerate(made.numbers))
        for leaf, registers in branch.leaves:
            arena = self.builder.gate(leaf, owner.firing).arena
            for register in registers:
                self.arenas[self.numbers[register]] = arena
        if isinstance(made.anchor, RunLeaf):
            self.arenas[0] = self.builder.gate(made.anchor, owner.firing).arena
        self._note(made.steps, made.checks)
        owner.network.search.reserve(max(self.arenas, default=0) + 1)
        self.guards = Compiler(self.builder.table, self.arenas, owner.firing.selection, owner.constants, owner.firing)

    def _note(self, steps: tuple[plans.Step, ...], checks: tuple[plans.Check, ...]) -> None:
        for step in steps:
            arena = self.builder.gate(step.leaf, self.owner.firing).arena
            for register in step.registers:
                self.arenas[register] = arena
            self._note((), step.checks)
        for check in checks:
            if isinstance(check, plans.Absent):
                for search in check.searches:
                    self._note(search, ())

    def renumbered_point(self, point: plans.Point) -> Point:
        """A point of the branch, in the registers of the plan."""
        return self.guards.point(numbered_point(point, self.numbers))

    def step(self, step: plans.Step, *, oldest_first: bool) -> Step:
        """A step of the plan."""
        owner = self.owner
        gate = owner.builder.gate(step.leaf, owner.firing)
        barring: list[plans.Check] = []
        if step.leaf.is_single:
            barring = [each for each in step.checks if bars_older(each, step.registers[0])]
        tests = self.tests(tuple(each for each in step.checks if each not in barring))
        bounds = Bounds(
            [(self.guards.point(point), 1) for point in step.after]
            + [(self.guards.point(point), -distance) for point, distance in step.no_sooner],
            [(self.guards.point(point), -1) for point in step.before]
            + [(self.guards.point(point), distance) for point, distance in step.no_later],
        )
        if step.leaf.row is not None:
            row, lookup = self._row(step.leaf, gate, len(step.registers)), self._group(step)
            return Streaks(row, list(step.registers), lookup, bounds, step.anchors, tests)
        if step.leaf.attribute is not None:
            return self._choose(step, gate, bounds, tests)
        if isinstance(step.leaf, RunLeaf):
            registers = list(step.registers)
            rows = owner.run_chain(step.leaf, self.is_absent)
            return FindRuns(rows, registers, bounds, step.span, step.takes_arrival, step.not_arrival, tests)
        chain, lookup = self._look_up(step, gate)
        implied: list[Test] = [self.guards.slow(each.guard, each.variables) for each in step.implied]
        barred, register, not_arrival = linked(self.tests(tuple(barring))), step.registers[0], step.not_arrival
        if oldest_first:
            return OldestWalk(chain, register, lookup, bounds, not_arrival, tests, implied, barred)
        if barred is not None:
            return BarredWalk(chain, register, lookup, bounds, not_arrival, tests, implied, Barrier(barred))
        return Walk(chain, register, lookup, bounds, not_arrival, tests, implied)

    def _look_up(self, step: plans.Step, gate: Gate) -> tuple[Chain, Lookup]:
        tables = [self.builder.table([own, name]) for own, (_, name) in step.key]
        lookups = []
        for table, (_, (register, name)) in zip(tables, step.key, strict=True):
            arena = self.arenas[register]
            lookups.append(KeyLookup(arena, register, arena.key(name, table)))
        owned = tuple(own for own, _ in step.key)
        if not lookups:
            return self._chain(step.leaf, gate, (), ()), Lookup()
        if len(lookups) == 1:
            return self._chain(step.leaf, gate, owned, tuple(tables)), lookups[0]
        pairs = self.builder.pair_table(tables[0], tables[1])
        return self._chain(step.leaf, gate, owned, (*tables, pairs)), PairLookup(lookups[0], lookups[1], pairs)

    def _chain(self, leaf: Leaf, gate: Gate, key: tuple[str, ...], tables: tuple[Slots, ...]) -> Chain:
        return self.owner.chain(leaf, gate, key, tables, late_only=self.late_only, is_absent=self.is_absent)

    def _choose(self, step: plans.Step, gate: Gate, bounds: Bounds, tests: list[Test]) -> Step:
        owner, leaf = self.owner, step.leaf
        assert leaf.attribute is not None
        table = owner.repetition(leaf.attribute)
        keys = gate.arena.key(leaf.attribute, table)
        lookup: Lookup = Lookup()
        if step.key:
            ((_, (register, name)),) = step.key
            arena = self.arenas[register]
            lookup = KeyLookup(arena, register, arena.key(name, table))
        key = (leaf.attribute,) if leaf.same else ()
        chain = self._chain(leaf, gate, key, (table,) if key else ())
        differs = [(self.arenas[r], r, self.arenas[r].key(leaf.attribute, table)) for r in step.differs]
        registers = list(step.registers)
        return Choose(chain, registers, lookup, keys, leaf.same, differs, bounds, step.not_arrival, tests)

    def _row(self, leaf: Leaf, gate: Gate, count: int) -> Row:
        """The rows of each group of a leaf, in chains by what makes the groups."""
        row, owner = leaf.row, self.owner
        assert row is not None
        tables = self.builder.group_tables(row.same)
        chain = self._chain(leaf.chained, gate, row.same, tables)
        different = None if row.different is None else gate.arena.key(row.different, owner.repetition(row.different))
        return Row(chain, count, different, row.period, row.once)

    def _group(self, step: plans.Step) -> Lookup:
        """By which attributes of what stands the group of a run is found."""
        lookups: list[Lookup] = []
        table: Slots | None = None
        for own, (register, name) in step.key:
            arena, mine = self.arenas[register], self.owner.repetition(own)
            lookup: Lookup = KeyLookup(arena, register, arena.key(name, mine))
            if table is None:
                table = mine
            else:
                table = self.builder.pair_table(table, mine)
                lookup = PairLookup(lookups[-1], lookup, table)
            lookups.append(lookup)
        return lookups[-1] if lookups else Lookup()

    def tests(self, checks: tuple[plans.Check, ...]) -> list[Test]:
        """What must hold, as tests."""
        return [test for check in checks for test in self._tests(check)]

    def _tests(self, check: plans.Check) -> list[Test]:
        match check:
            case plans.Before(left=left, right=right, or_equal=or_equal, same=same):
                return [BeforeTest(self.guards.point(left), self.guards.point(right), or_equal, same)]
            case plans.Due(point=point, settled=settled):
                return [DueTest(self.guards.point(point), settled)]
            case plans.Holds(guard=guard, variables=variables):
                return [self.guards.test(guard, variables)]
            case plans.Consecutive(leaf=leaf, registers=registers):
                return [ConsecutiveTest(self.owner.run_chain(leaf, self.is_absent), list(registers))]
            case plans.StillInARow(leaf=leaf, registers=registers):
                gate = self.builder.gate(leaf, self.owner.firing)
                return [StillRunTest(self._row(leaf, gate, len(registers)), list(registers))]
            case plans.Absent(searches=searches, of_run=of_run):
                tests: list[Test] = [AbsentTest(self._absent(search, of_run)) for search in searches]
                return tests

    def _absent(self, steps: tuple[plans.Step, ...], of_run: bool) -> Step:
        around, self.is_absent = self.is_absent, self.is_absent or not of_run
        made = [self.step(step, oldest_first=False) for step in steps]
        self.is_absent = around
        for one, other in zip(made, [*made[1:], Present()], strict=True):
            one.add(other)
        return made[0]
