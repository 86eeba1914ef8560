"""From plans to steps: a rule's searches are built into the network, and begin as others do where they can.

What two rules share is found by value: a chain by its leaf and key, a step by its plan's step, as long as all steps
before it are shared too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tocsin import plan as plans
from tocsin.algebra.patterns import After, AnyEvent, At, AtInstant, Every, Pattern, Primitive, Where, Within, walk
from tocsin.algebra.patterns import Detector as Automaton
from tocsin.algebra.rules import LANGUAGE_CONTEXTS, SEARCHED, Context, Rule
from tocsin.engine.allowance import Allowance
from tocsin.engine.arena import Arena, Chain, Keys, UsedChain
from tocsin.engine.build_automaton import Chaining, is_chain, why_no_chain
from tocsin.engine.build_consuming import UsingUp, uses_up, why_not_pairs
from tocsin.engine.compiler import Compiler
from tocsin.engine.firing import HEAD, Emit, Firing
from tocsin.engine.gates import ANY, Gate, Linker, Root, glance
from tocsin.engine.network import Network
from tocsin.engine.nodes import Node
from tocsin.engine.search import BeforeTest, DueTest, MadeElsewhereTest, OneOfTest, Point, PresentTest, Test, linked
from tocsin.engine.slots import Slots
from tocsin.engine.steps import (
    AbsentTest,
    Bounds,
    Choose,
    Filter,
    Found,
    Hope,
    KeyLookup,
    Lookup,
    OldestWalk,
    PairLookup,
    Step,
    Walk,
)
from tocsin.engine.waiting import Waiting, scheduled
from tocsin.plan import SOLE, SOURCE, TYPE, Branch, Leaf, Plan, Slot
from tocsin.planner.alternatives import Unsupported
from tocsin.planner.binding import anchored_plans, numbered_point, ticked_plan
from tocsin.planner.branches import asks_the_clock, branches
from tocsin.planner.families import Family, effective_context, hole_of
from tocsin.rules.budgets import Budget


def remembers(rule: Rule) -> bool:
    """Whether a rule runs in the network and remembers more than events: what it uses up, or its automaton's runs."""
    return is_chain(rule) or uses_up(rule)


def why_apart(rule: Rule) -> str:
    """Why a rule runs on the plain meaning and not in the network; nothing if it runs there."""
    if isinstance(rule.pattern, Automaton):
        return why_no_chain(rule)
    if (rule.context or LANGUAGE_CONTEXTS[rule.language]) not in SEARCHED:
        return why_not_pairs(rule)
    try:
        branches(rule.pattern)
    except Unsupported as why:
        return str(why)
    return ""


class Trail:
    """How one plan was built into the network: under which names its root and its steps are known there.

    Plans whose trails begin with the same names are the same steps that far. It ends with a detection of branch
    `emits`, or with a moment to wait for, `waits`.
    """

    def __init__(self, firing: Firing, branch: Branch, plan: Plan, names: list[tuple[object, ...]], end: _End) -> None:
        self.firing, self.branch, self.plan, self.names = firing, branch, plan, names
        self.emits = end.emits
        self.waits: Waiting | None = None if end.waits is None else end.waits[1]
        self.wakes: Waiting | None = None
        """The moment that starts the search, where no arrival does."""


_Built = tuple[Family, tuple[Branch, ...], dict[After | Within, tuple[Branch, ...]], bool]
"""What a firing was built from."""


class Builder:
    """Builds rules into a network."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.declared: frozenset[str] | None = None
        self.any_declared: list[tuple[Firing, OneOfTest]] = []
        """Where rules take events of any declared class."""
        self._tables: dict[tuple[bool, tuple[str, ...]], Slots] = {}
        self._pairs: dict[tuple[Slots, Slots], Slots] = {}
        self.chains: dict[tuple[object, ...], Chain] = {}
        self._kept: dict[tuple[object, ...], Chain] = {}
        self._built: dict[Firing, _Built] = {}
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

    def add(self, family: Family, since: int, now: int, *, blind: bool, budget: Budget | None = None) -> Firing:
        """Builds rules that are searched for as one. Raises `Unsupported` if their pattern cannot be searched for.

        `blind`: the rule must not see what it makes itself. `budget`: what it may hold.
        """
        rule = family.rule
        is_generic = effective_context(rule) is Context.GENERIC
        found = () if remembers(rule) else branches(rule.guarded)
        waits = {(w.origin, w.resolved): w for branch in found for w in branch.waits}
        targets = {origin: _openings(origin) for origin in dict.fromkeys(o for o, _ in waits)}
        members = [list(rules) for _, rules in family.members]
        is_equal = len(members) > 1 and hole_of(rule).operator == "=="
        firing = Firing(members, is_equal, is_generic, rule.window, since, now)
        firing.declared = self.declared
        if budget is not None:
            firing.allowance = Allowance(budget)
        self._grow(firing, family, found, targets, blind=blind)
        self._built[firing] = (family, found, targets, blind)
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
        for firing, (family, found, targets, blind) in self._built.items():
            for waiting in self.waitings[firing].values():
                waiting.root = None
            self._grow(firing, family, found, targets, blind=blind)
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

    def _grow(
        self,
        firing: Firing,
        family: Family,
        found: tuple[Branch, ...],
        targets: dict[After | Within, tuple[Branch, ...]],
        *,
        blind: bool,
    ) -> None:
        rule, is_generic = family.rule, firing.is_generic
        if remembers(rule):
            self.waitings.setdefault(firing, {})
            if is_chain(rule):
                Chaining(self, firing, rule).grow()
            else:
                UsingUp(self, firing, rule, rule.name if blind else "").grow()
            return
        # What is used up, what it must not see and when its clocks ring are a rule's own.
        timed = any(isinstance(part, At | AtInstant | Every) for part in walk(rule.pattern))
        is_private = is_generic or blind or timed or firing.allowance is not None
        building = _Class(self, firing, family, is_private, rule.name if blind else "")
        for part in walk(rule.pattern):
            if isinstance(part, Primitive | AnyEvent):
                self.gate(Leaf(part), firing)  # also what a branch that can never occur speaks of: it counts as seen
        building.fire(found)
        building.wait(targets)

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
        return {firing: built[0] for firing, built in self._built.items()}

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


def _openings(origin: After | Within) -> tuple[Branch, ...]:
    """The branches of what must have occurred before a moment is waited for.

    A window opens whatever its guards say of the clock: they are asked when it is over, and it is another time then.
    """
    found = branches(_waited_for(origin))
    if isinstance(origin, After):
        return found
    return tuple([replace(each, constraints=tuple(filter(_is_lasting, each.constraints))) for each in found])


def _is_lasting(constraint: plans.Constraint) -> bool:
    """Whether what a constraint says now it says later, too. What is absent may be used up meanwhile, or not be."""
    if isinstance(constraint, plans.Lacks):
        return not constraint.is_free
    return not (isinstance(constraint, plans.Holds) and asks_the_clock(constraint.guard))


def _waited_for(origin: After | Within) -> Pattern:
    """What must have occurred before a moment is waited for."""
    if isinstance(origin, After):
        return origin.pattern
    inner = origin.pattern
    while isinstance(inner, Where):
        inner = inner.pattern
    parts = inner.parts[:-1]  # type: ignore[attr-defined]  # a sequence that ends with what must not be
    return parts[0] if len(parts) == 1 else type(inner)(parts, inner.order)  # type: ignore[attr-defined,call-arg]


class _Class:
    """One class of rules in the making."""

    def __init__(self, builder: Builder, firing: Firing, family: Family, is_private: bool, blind_to: str) -> None:
        self.blind_to = blind_to
        self.constants = tuple(constant for constant, _ in family.members)
        self.builder, self.firing, self.network = builder, firing, builder.network
        self.owner: object = firing if is_private else None
        self.waitings = builder.waitings.setdefault(firing, {})

    # -- targets -----------------------------------------------------------------------------------------------

    def fire(self, found: tuple[Branch, ...]) -> None:
        """Builds the searches for the rule's own pattern."""
        firing = self.firing
        self.found = found
        firing.is_distinct = len(found) > 1 or any(map(_may_repeat, found))
        firing.is_plain = not firing.is_distinct and not firing.is_generic and len(firing.members) == 1
        firing.plant([branch.tree for branch in found])
        for number, branch in enumerate(found):
            firing.stride = max(firing.stride, int(HEAD) + _size(branch))
            for made in anchored_plans(branch, oldest_first=firing.is_generic):
                self._grow(made, _End(self, branch, made, emits=number))

    def wait(self, targets: dict[After | Within, tuple[Branch, ...]]) -> None:
        """Builds the searches for what is waited for, and those that a moment starts when it comes."""
        for origin, inner in targets.items():
            for branch in inner:
                waiting = self._waiting(origin, branch)
                for made in anchored_plans(branch, oldest_first=False):
                    self._grow(made, _End(self, branch, made, waits=(origin, waiting)))
        for waiting in self.waitings.values():
            waiting.together = [other for other in self.waitings.values() if other.origin is waiting.origin]
        everything = [(branch, number, None) for number, branch in enumerate(self.found)]
        for branch, number, _ in everything:
            self._on_ticks(branch, emits=number)
        for origin, inner in targets.items():
            for branch in inner:
                self._on_ticks(branch, waits=(origin, self._waiting(origin, branch)))

    def _on_ticks(self, branch: Branch, emits: int = -1, waits: tuple[After | Within, Waiting] | None = None) -> None:
        for wait in branch.waits:
            waiting = self.waitings.get((wait.origin, wait.resolved))
            if waiting is None:
                continue  # what it waits for can never occur
            made = ticked_plan(branch, wait, oldest_first=self.firing.is_generic and emits >= 0)
            end = _End(self, branch, made, emits, waits)
            build = _Plan(self, made, branch)
            root = Root(self.firing, build.tests(made.checks))
            root.sibling, waiting.root = waiting.root, root
            self._follow(root, ("tick", id(root)), made, build, end)
            self.builder.trails[-1].wakes = waiting

    def _waiting(self, origin: After | Within, branch: Branch) -> Waiting:
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

    def _grow(self, made: Plan, end: _End) -> None:
        """Builds an anchored search, as a branch of what begins alike."""
        assert made.anchor is not None
        gate = self.builder.gate(made.anchor, self.firing)
        build = _Plan(self, made, end.branch)
        window, since = self.firing.window, int(self.firing.since)
        owner = self.owner or self._family((*made.checks, *made.anchor.conditions))
        # Where the oldest is looked for, a search is cut short by what it found itself, not by another branch.
        branch = end.emits if made.ascending or self._can_hope(end.branch) else -1
        key = ("root", made.anchor, window, since, owner, made.checks, made.in_order, end.is_wait, branch)
        root = self.builder._steps.get(key)
        if root is None:
            tests = [*self.own_tests(made.anchor, gate), *build.tests(made.checks)]
            root = Root(self.firing, tests)
            _delay(root, made)
            self.builder._steps[key] = root
            gate.add(root, made.in_order)
        self._follow(root, key, made, build, end)
        assert isinstance(root, Root)
        root.glance = glance(root)

    def _follow(self, step: Step, key: tuple[object, ...], made: Plan, build: _Plan, end: _End) -> None:
        hopes = not made.ascending and not end.is_wait and self._can_hope(end.branch)
        walks: list[OldestWalk] = []
        names = [key]
        for each in made.steps:
            bare = (key, replace(each, checks=()), made.ascending)
            names.append(bare)
            key = (bare, each.checks, self._family(each.checks))
            known = self.builder._steps.get(key)
            if known is None:
                known = self._step(step, bare, key, each, build, oldest_first=made.ascending or hopes)
                self.builder._steps[key] = known
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
        single = all(leaf.attribute is None for leaf, _ in branch.leaves)
        clocks = any(isinstance(leaf.pattern, At | AtInstant | Every) for leaf, _ in branch.leaves)
        return self.firing.is_generic and single and not clocks and not _repeats(branch)

    def _hope(self, made: Plan, build: _Plan, walks: list[OldestWalk]) -> None:
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
        self, leaf: Leaf, gate: Gate, key: tuple[str, ...], tables: tuple[Slots, ...] = (), *, late_only: bool = False
    ) -> Chain:
        """The chain of a leaf's rows, by its key. `late_only`: it is a late arrival that asks for it."""
        arena = gate.arena
        name = chain_name(leaf, arena, key, tables, self.owner)
        found = self.builder.chains.get(name)
        if found is None and name in self.builder._kept:
            found = self.builder.chains[name] = self.builder._kept[name]
            self._link_into(gate, found, leaf)
        if found is None:
            keys: Keys | None = None
            if key:
                keys = arena.key(key[0], tables[0])
            if len(key) == 2:
                assert keys is not None
                keys = arena.pair(keys, arena.key(key[1], tables[1]), tables[2])
            is_used_up = self.firing.is_generic
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
        if leaf.attribute is not None:
            tests.append(PresentTest(arena, arena.key(leaf.attribute, self.repetition(leaf))))
        if self.blind_to:
            tests.append(MadeElsewhereTest(arena, self.blind_to))
        guards = Compiler(self.builder.table, {0: arena}, self.firing.selection, self.constants, self.firing)
        tests += [guards.test(guard, ((SOLE, Slot(0)),)) for guard in leaf.conditions]
        return tests

    def repetition(self, leaf: Leaf) -> Slots:
        """The table of the values that a repetition compares."""
        assert leaf.attribute is not None
        return self.builder.table([leaf.attribute], for_guards=False)


def chain_name(
    leaf: Leaf, arena: Arena, key: tuple[str, ...], tables: tuple[Slots, ...], owner: object
) -> tuple[object, ...]:
    """What a chain is known by; `owner`: the firing whose own it is, or None."""
    return ("chain", leaf, arena.name, key, tables, owner)


def _delay(root: Root, made: Plan) -> None:
    """Notes how long after the arrival's own start or end a moment must have come, if that is all there is to know."""
    first = made.checks[0] if made.checks else None
    if isinstance(first, plans.Due) and isinstance(first.point, plans.Shifted):
        edge, period = first.point.point, first.point.period
        if isinstance(edge, plans.Edge) and edge.register == 0 and not period.years and not period.months:
            root.delay, root.is_from_start = period.microseconds, edge.is_start


def _size(branch: Branch) -> int:
    return sum(len(registers) for _, registers in branch.leaves)


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


class _End:
    """Where a search ends."""

    def __init__(
        self,
        owner: _Class,
        branch: Branch,
        made: Plan,
        emits: int = -1,
        waits: tuple[After | Within, Waiting] | None = None,
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
            return Emit(self.owner.firing, self.emits, arenas, order, self.owner.network.touched)
        origin, waiting = self.waits
        due, start = _moments(self.branch, origin)
        agenda = self.owner.network.agenda
        points = [build.renumbered_point(point) for point in (due, start, self.branch.end)]
        return scheduled(waiting, agenda, points[0], points[1], points[2], order)


def _moments(branch: Branch, origin: After | Within) -> tuple[plans.Point, plans.Point]:
    """When what waits is due, and the start of its window."""
    if isinstance(origin, After):
        return plans.Shifted(branch.end, origin.period), branch.end
    return plans.Shifted(branch.start, origin.period), branch.start


class _Plan:
    """One plan in the making: the arenas of its registers."""

    def __init__(self, owner: _Class, made: Plan, branch: Branch) -> None:
        self.owner, self.builder = owner, owner.builder
        self.late_only = made.anchor is not None and not made.in_order
        self.arenas: dict[int, Arena] = {}
        self.numbers = dict(enumerate(made.numbers))
        for leaf, registers in branch.leaves:
            arena = self.builder.gate(leaf, owner.firing).arena
            for register in registers:
                self.arenas[self.numbers[register]] = arena
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
        tests = self.tests(step.checks)
        bounds = Bounds(
            [(self.guards.point(point), 1) for point in step.after]
            + [(self.guards.point(point), -distance) for point, distance in step.no_sooner],
            [(self.guards.point(point), -1) for point in step.before]
            + [(self.guards.point(point), distance) for point, distance in step.no_later],
        )
        if step.leaf.attribute is not None:
            return self._choose(step, gate, bounds, tests, oldest_first)
        chain, lookup = self._look_up(step, gate)
        implied: list[Test] = [self.guards.slow(each.guard, each.variables) for each in step.implied]
        kind = OldestWalk if oldest_first else Walk
        return kind(chain, step.registers[0], lookup, bounds, step.not_arrival, tests, implied)

    def _look_up(self, step: plans.Step, gate: Gate) -> tuple[Chain, Lookup]:
        owner = self.owner
        tables = [self.builder.table([own, name]) for own, (_, name) in step.key]
        lookups = []
        for table, (_, (register, name)) in zip(tables, step.key, strict=True):
            arena = self.arenas[register]
            lookups.append(KeyLookup(arena, register, arena.key(name, table)))
        owned = tuple(own for own, _ in step.key)
        if not lookups:
            return owner.chain(step.leaf, gate, (), late_only=self.late_only), Lookup()
        if len(lookups) == 1:
            return owner.chain(step.leaf, gate, owned, tuple(tables), late_only=self.late_only), lookups[0]
        pairs = self.builder.pair_table(tables[0], tables[1])
        chain = owner.chain(step.leaf, gate, owned, (*tables, pairs), late_only=self.late_only)
        return chain, PairLookup(lookups[0], lookups[1], pairs)

    def _choose(self, step: plans.Step, gate: Gate, bounds: Bounds, tests: list[Test], oldest_first: bool) -> Step:
        owner, leaf = self.owner, step.leaf
        assert leaf.attribute is not None
        table = owner.repetition(leaf)
        keys = gate.arena.key(leaf.attribute, table)
        lookup: Lookup = Lookup()
        if step.key:
            ((_, (register, name)),) = step.key
            arena = self.arenas[register]
            lookup = KeyLookup(arena, register, arena.key(name, table))
        key = (leaf.attribute,) if leaf.same else ()
        chain = owner.chain(leaf, gate, key, (table,) if key else (), late_only=self.late_only)
        differs = [(self.arenas[r], r, self.arenas[r].key(leaf.attribute, table)) for r in step.differs]
        registers = list(step.registers)
        return Choose(chain, registers, lookup, keys, leaf.same, differs, bounds, step.not_arrival, tests, oldest_first)

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
            case plans.Absent(searches=searches):
                tests: list[Test] = [AbsentTest(self._absent(search)) for search in searches]
                return tests

    def _absent(self, steps: tuple[plans.Step, ...]) -> Step:
        made = [self.step(step, oldest_first=False) for step in steps]
        for one, other in zip(made, [*made[1:], Found()], strict=True):
            one.add(other)
        return made[0]
