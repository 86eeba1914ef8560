"""A search plan as steps: what it looks at, between which bounds, and what must hold."""

from __future__ import annotations

from collections.abc import Iterable

from tocsin.engine.build.barriers import bars_older
from tocsin.engine.build.family_chains import FamilyChains
from tocsin.engine.build.guards import Compiler
from tocsin.engine.network.arena import Arena, Chain
from tocsin.engine.network.gates import Gate
from tocsin.engine.network.runs import ConsecutiveTest, FindRuns
from tocsin.engine.network.search import BeforeTest, DueTest, Point, Test, linked
from tocsin.engine.network.slots import Slots
from tocsin.engine.network.steps import (
    AbsentTest,
    BarredWalk,
    Barrier,
    Bounds,
    Choose,
    KeyLookup,
    Lookup,
    OldestWalk,
    PairLookup,
    Present,
    Step,
    Walk,
)
from tocsin.engine.network.streaks import Row, StillRunTest, Streaks
from tocsin.plan import searches as plans
from tocsin.plan.searches import Branch, Leaf, RunLeaf, SearchPlan
from tocsin.plan.trees import numbered_point


class PlanSteps:
    """One plan in the making: the arenas of its registers."""

    def __init__(self, owner: FamilyChains, made: SearchPlan, branch: Branch) -> None:
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
        tests = self.step_tests(step, [each for each in step.checks if each not in barring])
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

    def step_tests(self, step: plans.Step, checks: Iterable[plans.Check]) -> list[Test]:
        """What must hold of what a step has chosen."""
        return [*self.declared_tests(step.leaf, step.registers), *self.tests(tuple(checks))]

    def declared_tests(self, leaf: Leaf, registers: Iterable[int]) -> list[Test]:
        """What was linked is left out while its class is gone."""
        if not self.builder.is_commanded:
            return []
        return [
            test for register in registers for test in self.owner.declared_tests(leaf, self.arenas[register], register)
        ]

    def given_tests(self, branch: Branch, given: int) -> list[Test]:
        """The same for what waited for a moment, and stands when the search begins."""
        units = [(leaf, [self.numbers[register] for register in registers]) for leaf, registers in branch.leaves]
        return [test for leaf, each in units if each[0] < given for test in self.declared_tests(leaf, each)]

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
            case plans.Stamped(left=left, right=right, order=order):
                return [self.guards.stamps(left, right, order)]
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
