"""A branch and what has arrived as a plan: in which order the other leaves are looked for, and what is tested when.

What is tied to what stands already comes first (an equal attribute, then a guard), because a choice that fails early
costs least. A rule that wants the chronologically oldest occurrence chooses in order of time instead, if the pattern
fixes that order: then what is found first is the oldest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations

from tocsin.algebra.guards import Attribute, Binary, Guard, SourceOf, renamed
from tocsin.algebra.patterns import After, Pattern, Primitive
from tocsin.plan.searches import (
    SOLE,
    SOURCE,
    Absent,
    Before,
    Branch,
    Check,
    Consecutive,
    Constraint,
    Due,
    Edge,
    Extreme,
    Holds,
    Lacks,
    Leaf,
    Point,
    RunLeaf,
    SearchPlan,
    Shifted,
    Slot,
    Stamped,
    Step,
    StillInARow,
    Wait,
    registers_of,
    tree_registers,
)
from tocsin.plan.trees import numbered_point, renumbered, slot_register

MOST_KEYS = 2
"""Attributes that one index is keyed by; what else is equal is tested."""

Unit = tuple[Leaf, tuple[int, ...]]
Cell = tuple[int, str]
"""An attribute of the event in a register."""


def anchored_plans(branch: Branch, *, oldest_first: bool, waiting: bool = False) -> list[SearchPlan]:
    """The plans for an arrival that stands for each leaf of a branch in turn.

    `waiting`: they are for what waits for a moment, which completes it.
    """
    plans = []
    facts = _Facts(branch)
    for place, (leaf, registers) in enumerate(branch.leaves):
        before = frozenset(r for one, others in branch.leaves[:place] if _may_be_one(one, leaf) for r in others)
        others = [unit for unit in branch.leaves if unit[1] != registers]
        in_order = not _needs_later(branch, registers)
        if isinstance(leaf, RunLeaf):
            plans.append(_run_plan(facts, leaf, registers, others, before, in_order=in_order))
            continue
        if leaf.row is not None:
            # Where in its run the arrival stands is not known before the run is.
            binding = _Binding(facts, (), others, before, run=(leaf, registers), waiting=waiting)
            plans.append(binding.plan(leaf, oldest_first=oldest_first, in_order=in_order))
            continue
        rest: list[Unit] = [(leaf, registers[1:])] if len(registers) > 1 else []
        binding = _Binding(facts, registers[:1], [*rest, *others], before | set(registers[1:]))
        plans.append(binding.plan(leaf, oldest_first=oldest_first, in_order=in_order))
    return plans


def _run_plan(
    facts: _Facts,
    leaf: RunLeaf,
    registers: tuple[int, ...],
    others: list[Unit],
    not_arrival: frozenset[int],
    *,
    in_order: bool,
) -> SearchPlan:
    """The plan for an arrival that is any event of a run: all runs that it is in, and what goes with each."""
    spare = [_total(facts.branch) + 1]
    binding = _Binding(facts, (), others, not_arrival, first_number=1, spare=spare)
    checks = binding._checks()
    first = binding._step((leaf, registers), takes_arrival=True)
    steps = (first, *binding.steps(choose=True))
    numbers = tuple(binding.numbers[register] for register in sorted(binding.numbers))
    return SearchPlan(leaf, 1, numbers, checks, steps, in_order, False)


def _may_be_one(one: Leaf, other: Leaf) -> bool:
    """Whether one event may stand for both leaves."""
    if isinstance(one.pattern, Primitive) and isinstance(other.pattern, Primitive):
        return one.pattern.type == other.pattern.type
    return True


def ticked_plan(branch: Branch, wait: Wait, *, oldest_first: bool) -> SearchPlan:
    """The plan for a moment that has come: what waited for it stands in the first registers."""
    units = [unit for unit in branch.leaves if unit[1][0] not in wait.registers]
    binding = _Binding(_Facts(branch), wait.registers, units, frozenset())
    binding.open = [each for each in binding.open if not _is_over(each.constraint, wait)]
    # What waited was not asked for conditions that are written around the waiting.
    waited = [(leaf, registers) for leaf, registers in branch.leaves if registers[0] in wait.registers]
    binding.open += [
        _Open(Holds(condition, ((SOLE, Slot(register)),)))
        for leaf, registers in waited
        for register in registers
        for condition in leaf.conditions
    ]
    binding.open += [_Open(StillInARow(*unit)) for unit in waited if unit[0].row is not None]
    return binding.plan(None, oldest_first=oldest_first, in_order=True)


def _is_over(constraint: Constraint, wait: Wait) -> bool:
    """Whether a constraint holds because a moment has come: it says so, or that what waited had ended by then.

    A window's end is not waited for by what ends after it.
    """
    is_window = not isinstance(wait.origin, After)
    if isinstance(constraint, Due):
        return constraint == Due(wait.point, is_window)
    return (
        is_window
        and isinstance(constraint, Before)
        and constraint.or_equal
        and constraint.right == wait.point
        and registers_of(constraint.left) <= set(wait.registers)
    )


def _needs_later(branch: Branch, registers: tuple[int, ...]) -> bool:
    """Whether something must end after the event in one of these registers, or after all of a run."""
    return any(
        isinstance(each, Before)
        and not each.or_equal
        and not each.same
        and not set(_ends(each.left)).isdisjoint(registers)
        and _is_plain(each.right)
        for each in branch.constraints
    )


def _ends(point: Point) -> tuple[int, ...]:
    """The registers whose ends are not after `point`."""
    match point:
        case Edge(register=register, is_start=False):
            return (register,)
        case Extreme(of=points, is_latest=True):
            return tuple(register for each in points for register in _ends(each))
        case Shifted(point=inner, period=period) if period.length() >= 0:
            return _ends(inner)
    return ()


def _is_plain(point: Point) -> bool:
    """Whether `point` is not after the last of its events."""
    if isinstance(point, Extreme):
        return all(_is_plain(each) for each in point.of)
    return isinstance(point, Edge)


# -- what equals what -------------------------------------------------------------------------------------------


def equality(constraint: Constraint) -> tuple[Cell, Cell] | None:
    """The two attributes that a guard says are equal, each of a single event."""
    if not isinstance(constraint, Holds):
        return None
    guard = constraint.guard
    if not (isinstance(guard, Binary) and guard.operator == "=="):
        return None
    variables = dict(constraint.variables)
    cells = [_cell(side, variables) for side in (guard.left, guard.right)]
    return None if cells[0] is None or cells[1] is None else (cells[0], cells[1])


def _cell(guard: Guard, variables: Mapping[str, Pattern]) -> Cell | None:
    if not isinstance(guard, Attribute | SourceOf) or guard.variable not in variables:
        return None
    register = slot_register(variables[guard.variable])
    return None if register < 0 else (register, guard.name if isinstance(guard, Attribute) else SOURCE)


def _groups(groups: list[set[Cell]], pairs: Iterable[tuple[Cell, Cell]]) -> list[set[Cell]]:
    """The attributes that are all equal to one another, where these pairs are equal too."""
    for pair in pairs:
        touched = [group for group in groups if not group.isdisjoint(pair)]
        groups = [group for group in groups if group not in touched]
        groups.append(set(pair).union(*touched))
    return groups


# -- the order of choice ----------------------------------------------------------------------------------------


class _Open:
    """A constraint that is still to be tested, with what is asked of it again and again."""

    def __init__(self, constraint: Constraint) -> None:
        self.constraint = constraint
        self.needs = _mask(needs(constraint))
        """The registers that must be filled before it can be tested, as bits."""
        self.pair = equality(constraint)
        self.is_guard = isinstance(constraint, Holds) and self.pair is None
        self.is_bound = isinstance(constraint, Before)
        self.is_followed_by = 0
        """The registers that come after something, as bits; none where that is not plain."""
        if isinstance(constraint, Before) and _is_plain(constraint.right):
            self.is_followed_by = _mask(registers_of(constraint.right))


def _mask(registers: Iterable[int]) -> int:
    """Some registers as bits."""
    mask = 0
    for register in registers:
        mask |= 1 << register
    return mask


class _Facts:
    """What a branch says, worked out once for all of its plans."""

    def __init__(self, branch: Branch) -> None:
        self.branch = branch
        self.open = [_Open(constraint) for constraint in branch.constraints]
        self.pairs = [each.pair for each in self.open if each.pair is not None]
        self.groups = _groups([], self.pairs)
        self.groups_of: dict[int, list[set[Cell]]] = {}
        """The groups that an attribute of each register is in."""
        for group in self.groups:
            for register in {register for register, _ in group}:
                self.groups_of.setdefault(register, []).append(group)
        self.unit_of = {register: unit for unit in branch.leaves for register in unit[1]}

    @cached_property
    def sooner(self) -> dict[int, set[int]]:
        """By register: those whose events end before that which is in it, as far as the pattern fixes that."""
        return sooner_than(self.branch.leaves, self.branch.constraints)

    @cached_property
    def is_ordered(self) -> bool:
        """Whether the pattern fixes the order in which all of its events end."""
        return _is_ordered(self.branch, self.sooner)


@dataclass
class _Binding:
    """A plan in the making: which registers are filled, and what has not been tested yet."""

    facts: _Facts
    given: tuple[int, ...]
    units: list[Unit]
    not_arrival: frozenset[int]
    first_number: int = 0
    outer: dict[int, int] = field(default_factory=dict)
    """Registers filled by the search around this one, by their numbers there."""
    spare: list[int] = field(default_factory=list)
    """The first number that no search of the plan has taken."""
    run: Unit | None = None
    """The run that the arrival is a part of."""
    waiting: bool = False

    def __post_init__(self) -> None:
        self.branch = self.facts.branch
        self.spare = self.spare or [_total(self.branch)]
        self.numbers = dict(self.outer)
        self.filled = _mask(self.outer)
        for register in self.given:
            self._fill(register)
        self.open = list(self.facts.open)
        self.equal: list[set[Cell]] = []
        """The attributes of what stands that have been found to be equal, by keys or tests."""

    def _fill(self, register: int) -> None:
        self.numbers[register] = self.first_number + len(self.numbers) - len(self.outer)
        self.filled |= 1 << register

    def plan(self, anchor: Leaf | None, *, oldest_first: bool, in_order: bool) -> SearchPlan:
        """The whole plan."""
        checks = self._checks()
        runs = any(leaf.row is not None for leaf, _ in self.branch.leaves)
        ascending = oldest_first and not runs and self.facts.is_ordered
        if ascending:
            self.units.sort(key=lambda unit: len(self.facts.sooner[unit[1][0]]))
        first: tuple[Step, ...] = ()
        if self.run is not None:
            first = (replace(self._step(self.run), anchors="every" if self.waiting else "first"),)
        steps = (*first, *self.steps(choose=not ascending))
        numbers = tuple(self.numbers[register] for register in sorted(self.numbers))
        return SearchPlan(anchor, len(self.given), numbers, checks, steps, in_order, ascending)

    def steps(self, *, choose: bool) -> tuple[Step, ...]:
        """A step for each leaf that is left, the most tied one first."""
        made = []
        while self.units:
            made.append(self._step(self.units.pop(self._next() if choose else 0)))
        return tuple(made)

    def _next(self) -> int:
        """The place of the leaf that is tied most firmly; of several, that which reads first, whatever their order.

        How firmly: by a key, by coming after what stands, by guards that can be tested then. Little comes after an
        arrival, even after a late one.
        """
        masks, first_of = self.masks, self.first_of
        follows, guards, bounds = dict.fromkeys(masks, 0), dict.fromkeys(masks, 0), dict.fromkeys(masks, 0)
        missing = ~self.filled
        for each in self.open:
            needed = each.needs & missing
            first = first_of.get(needed.bit_length() - 1, -1)
            if first < 0 or needed & ~masks[first]:
                continue  # it needs more than one leaf still, or nothing
            guards[first] += each.is_guard
            bounds[first] += each.is_bound
            follows[first] += each.is_followed_by != 0 and not each.is_followed_by & ~masks[first]
        ties = [
            (bool(self._key(leaf, registers)), follows[registers[0]], guards[registers[0]], bounds[registers[0]])
            for leaf, registers in self.units
        ]
        best = max(ties)
        places = [place for place, tied in enumerate(ties) if tied == best]
        return places[0] if len(places) == 1 else min(places, key=lambda place: self.texts[self.units[place][1][0]])

    @cached_property
    def masks(self) -> dict[int, int]:
        """The registers of every leaf to be chosen, as bits, by the first of them."""
        return {registers[0]: _mask(registers) for _, registers in self.units}

    @cached_property
    def first_of(self) -> dict[int, int]:
        """By register of a leaf to be chosen: the first one of that leaf."""
        return {register: registers[0] for _, registers in self.units for register in registers}

    @cached_property
    def texts(self) -> dict[int, str]:
        """How every leaf to be chosen reads, by its first register."""
        return {registers[0]: repr(leaf) for leaf, registers in self.units}

    # -- one step ----------------------------------------------------------------------------------------------

    def _step(self, unit: Unit, *, takes_arrival: bool = False) -> Step:
        leaf, registers = unit
        key = self._key(leaf, registers)
        bounds = _Bounds(registers, self.numbers, self.facts.sooner, is_run=isinstance(leaf, RunLeaf))
        own = _mask(registers)
        run = Consecutive(leaf, registers) if isinstance(leaf, RunLeaf) else None
        left = [
            each
            for each in self.open
            if not each.needs & own  # what does not speak of these says nothing of them
            or not ((each.is_bound and bounds.take(each.constraint)) or each.constraint == run)
        ]
        for each in self.open:
            bounds.take_hint(each.constraint)
        differs = tuple(self.numbers[r] for r in self._siblings(registers)) if not leaf.same else ()
        for register in registers:
            self._fill(register)
        implied = [each for each in left if self._is_implied(each, registers[0], key)]
        self._note_equal(key, registers[0])
        self.open = [each for each in left if each not in implied]
        numbers = tuple(self.numbers[register] for register in registers)
        not_arrival = leaf.row is None and not self.not_arrival.isdisjoint(registers)
        checks = self._checks()
        return Step(
            leaf,
            numbers,
            tuple((own, (self.numbers[r], name)) for own, (r, name) in key),
            *bounds.numbered(),
            differs,
            not_arrival,
            checks,
            tuple(_numbered_holds(e.constraint, self.numbers) for e in implied if isinstance(e.constraint, Holds)),
            takes_arrival,
            bounds.span if len(registers) > 1 else None,
        )

    def _note_equal(self, key: list[tuple[str, Cell]], register: int) -> None:
        """Notes what is equal from here on: by the key, or because it is tested now that the register is filled."""
        by_key = [] if self._is_of_run(register) else [((register, own), bound) for own, bound in key]
        tested = [pair for pair in self.facts.pairs if self._stand(pair)]
        self.equal = _groups(self.equal, [*by_key, *tested])

    def _stand(self, pair: tuple[Cell, Cell]) -> bool:
        return pair[0][0] in self.numbers and pair[1][0] in self.numbers

    def _siblings(self, registers: tuple[int, ...]) -> list[int]:
        """The registers of the same repetition that are filled already: that of the arrival."""
        group = self.facts.unit_of[registers[0]][1]
        return [register for register in group if register in self.numbers]

    def _key(self, leaf: Leaf, registers: tuple[int, ...]) -> list[tuple[str, Cell]]:
        """The attributes of a leaf that equal something that stands."""
        if isinstance(leaf, RunLeaf):
            return []  # which one is the next does not depend on what it is compared with
        if leaf.row is not None:
            return self._key_of_run(leaf.row.same, registers)
        if leaf.attribute is not None:
            siblings = self._siblings(registers) if leaf.same else []
            return [(leaf.attribute, (siblings[0], leaf.attribute))] if siblings else []
        found: list[tuple[str, Cell]] = []
        for group in self.facts.groups_of.get(registers[0], ()):
            own = sorted(name for register, name in group if register == registers[0])
            bound = sorted(cell for cell in group if cell[0] in self.numbers and cell[0] != registers[0])
            if own and bound:
                found.append((own[0], bound[0]))
        return found[:MOST_KEYS]

    def _key_of_run(self, same: tuple[str, ...], registers: tuple[int, ...]) -> list[tuple[str, Cell]]:
        """What a run's group is equal to, if all of it is known."""
        found: list[tuple[str, Cell]] = []
        for attribute in same:
            own = {(register, attribute) for register in registers}
            groups = [group for group in self.facts.groups if not group.isdisjoint(own)]
            bound = sorted(cell for group in groups for cell in group if cell[0] in self.numbers)
            if bound:
                found.append((attribute, bound[0]))
        return found if len(found) == len(same) else []

    def _is_implied(self, each: _Open, register: int, key: list[tuple[str, Cell]]) -> bool:
        """Whether the key makes an equality of this leaf with something that stands true."""
        pair = each.pair
        if pair is None or not self._stand(pair) or self._is_of_run(register):
            return False  # a run compares values in its own way: what guards say of it is tested
        for own, bound in key:
            if (register, own) in pair:
                other = pair[1] if pair[0] == (register, own) else pair[0]
                # Equal to one of those that are all equal already: then equal to all of them.
                return other[0] != register and (other == bound or self._are_equal(other, bound, own))
        return False

    def _is_of_run(self, register: int) -> bool:
        return self.facts.unit_of[register][0].row is not None

    def _are_equal(self, one: Cell, other: Cell, name: str) -> bool:
        """Whether two cells are known to be equal by the table of one attribute, which the step looks at, too.

        Equality is not transitive (a time equals a number and a text, which are not equal), and only within one table
        is that noticed.
        """
        return any(one in group and other in group and {each for _, each in group} == {name} for group in self.equal)

    def _checks(self) -> tuple[Check, ...]:
        """What can be tested now: whether a moment has come first, then as it was written, absences last."""
        ready = [each.constraint for each in self.open if not each.needs & ~self.filled]
        self.open = [each for each in self.open if each.needs & ~self.filled]
        ready.sort(key=lambda each: not isinstance(each, Due))
        checks: list[Check] = [_numbered_check(e, self.numbers) for e in ready if not isinstance(e, Lacks)]
        checks += [self._absent(each) for each in ready if isinstance(each, Lacks)]
        return tuple(checks)

    def _absent(self, lacks: Lacks) -> Absent:
        searches = []
        for branch in lacks.branches:
            # Registers of its own: the search around may fill more before this one is over, and what a register
            # holds must be of one kind in the whole plan.
            first, self.spare[0] = self.spare[0], self.spare[0] + _total(branch)
            inner = _Binding(
                _Facts(branch), (), list(branch.leaves), frozenset(), first, dict(self.numbers), self.spare
            )
            searches.append(inner.steps(choose=True))
        return Absent(tuple(searches), lacks.of_run)


def _total(branch: Branch) -> int:
    return sum(len(registers) for _, registers in branch.leaves)


def needs(constraint: Constraint) -> frozenset[int]:
    """The registers that must be filled before a constraint can be tested."""
    match constraint:
        case Before(left=left, right=right):
            return registers_of(left) | registers_of(right)
        case Due(point=point):
            return registers_of(point)
        case Holds(variables=variables):
            return frozenset(register for _, tree in variables for register in tree_registers(tree))
        case Stamped(left=left, right=right):
            return frozenset((*tree_registers(left), *tree_registers(right)))
        case Consecutive(registers=registers) | StillInARow(registers=registers):
            return frozenset(registers)
        case Lacks(branches=inner):
            return frozenset[int]().union(*map(_outside, inner))


def _outside(branch: Branch) -> frozenset[int]:
    """The registers of the branch around that a branch speaks of."""
    own = {register for _, registers in branch.leaves for register in registers}
    return frozenset[int]().union(*map(needs, branch.constraints)) - own


# -- bounds in time ---------------------------------------------------------------------------------------------


class _Bounds:
    """Between which points the events of a step end, as far as the constraints with what stands say."""

    def __init__(
        self, registers: tuple[int, ...], numbers: Mapping[int, int], sooner: Mapping[int, set[int]], *, is_run: bool
    ) -> None:
        self.own, self.numbers, self.sooner = frozenset(registers), numbers, sooner
        self.first = registers[0] if is_run or len(registers) == 1 else -1
        """The register of the event that starts and ends first, if that is known."""
        self.firsts = frozenset(registers[:1]) if is_run else self.own
        self.lasts = frozenset(registers[-1:]) if is_run else self.own
        """Those that lie around all others."""
        self.span: int | None = None
        """From the start of the first to the end of the last."""
        self.after: list[Point] = []
        self.before: list[Point] = []
        self.no_sooner: list[tuple[Point, int]] = []
        self.no_later: list[tuple[Point, int]] = []
        self.hints: list[tuple[Point, int]] = []
        """What is known besides of when they end at the soonest."""

    def take(self, constraint: Constraint) -> bool:
        """Notes what a constraint says of when the step's events end; True if that is all it says."""
        if not isinstance(constraint, Before):
            return False
        left, right = constraint.left, constraint.right
        self._take_span(constraint)
        if self._stands(right) and not self.own.isdisjoint(_ends(left)):
            if constraint.or_equal or constraint.same:
                self.no_later.append((right, 0))
            else:
                self.before.append(right)
            if constraint.same and isinstance(left, Edge) and len(self.own) == 1:
                self.no_sooner.append((right, 0))
                return True
            return not constraint.same and self._is_own_end(left)
        if self._stands(left) and isinstance(right, Edge) and right.register == self.first:
            if constraint.same:
                self.no_sooner.append((left, 0))
                self.no_later.append((left, 0))
                return not right.is_start
            if constraint.or_equal:
                self.no_sooner.append((left, 0))
            else:
                self.after.append(left)
            return not right.is_start
        return False

    def take_hint(self, constraint: Constraint) -> None:
        """Notes what follows from a constraint for when the step's events end, without being all that it says.

        Whatever lies between two events of a window, or after what comes after an event, is not far away either: a
        walk back has to end, though what bounds it is chosen later.
        """
        if not isinstance(constraint, Before):
            return
        left, right = constraint.left, constraint.right
        if self._stands(left) and self._end_after({edge.register for edge in _earliest_of(_moved(right)[0])}):
            self.hints.append((left, _moved(right)[1]))
        if not (constraint.or_equal and isinstance(right, Shifted)) or right.period.years or right.period.months:
            return
        if self._end_after({edge.register for edge in _earliest_of(right.point)}):
            ends = _ends(left)
            inside = [register for register in self.numbers if _ends_before(register, ends, self.sooner)]
            self.hints += [(Edge(register), right.period.microseconds) for register in inside]

    def _end_after(self, starts: Set[int]) -> bool:
        """Whether the step's events end no sooner than one of some others does."""
        return all(each in starts or not starts.isdisjoint(self.sooner.get(each, ())) for each in self.firsts)

    def _stands(self, point: Point) -> bool:
        return registers_of(point) <= self.numbers.keys()

    def _is_own_end(self, point: Point) -> bool:
        """Whether `point` is the end of this step's events and of nothing else."""
        if isinstance(point, Edge):
            return not point.is_start and point.register in self.own
        return isinstance(point, Extreme) and point.is_latest and all(map(self._is_own_end, point.of))

    def _take_span(self, constraint: Before) -> None:
        """A window of fixed length: its events lie no further apart than that."""
        left, right = constraint.left, constraint.right
        if not (constraint.or_equal and isinstance(right, Shifted)) or right.period.years or right.period.months:
            return
        length, edges, ends = right.period.microseconds, _earliest_of(right.point), _ends(left)
        if not edges:
            return
        starts = {edge.register for edge in edges}
        if self.firsts <= starts and self.lasts <= set(ends) and self.first >= 0:
            self.span = length if self.span is None else min(self.span, length)
        filled = [register for register in ends if register in self.numbers]
        if filled and self.firsts <= starts:
            self.no_sooner += [(Edge(register), length) for register in filled]
        known = [edge for edge in edges if edge.register in self.numbers]
        if known and self.lasts <= set(ends):
            self.no_later += [(edge, length) for edge in known]

    def numbered(self) -> tuple[tuple[Point, ...], tuple[Point, ...], _Distances, _Distances]:
        """The bounds in the numbers of the plan."""
        after = tuple(dict.fromkeys(numbered_point(point, self.numbers) for point in self.after))
        before = tuple(dict.fromkeys(numbered_point(point, self.numbers) for point in self.before))
        known = self.no_sooner if self.no_sooner or self.after else self.hints
        sooner = tuple(dict.fromkeys((numbered_point(p, self.numbers), n) for p, n in known))
        later = tuple(dict.fromkeys((numbered_point(p, self.numbers), n) for p, n in self.no_later))
        return after, before, sooner, later


_Distances = tuple[tuple[Point, int], ...]


def _moved(point: Point) -> tuple[Point, int]:
    """What a point is a fixed time later than, and how much later."""
    if isinstance(point, Shifted) and not point.period.years and not point.period.months:
        return point.point, max(0, point.period.microseconds)
    return point, 0


def _ends_before(register: int, ends: Iterable[int], sooner: Mapping[int, set[int]]) -> bool:
    """Whether an event ends no later than one of some others does."""
    return any(register == end or register in sooner.get(end, ()) for end in ends)


def _earliest_of(point: Point) -> list[Edge]:
    """The edges of which a point is the earliest, in the order of their registers; none where it is not that plain."""
    of = point.of if isinstance(point, Extreme) and not point.is_latest else (point,)
    edges = [each for each in of if isinstance(each, Edge)]
    return sorted(edges, key=lambda edge: edge.register) if len(edges) == len(of) else []


def distances_between(
    leaves: Iterable[Unit], constraints: Sequence[Constraint], registers: Set[int]
) -> Iterator[Before]:
    """How far apart events in some registers may be, because others that come after them lie in a window with them."""
    sooner = sooner_than(leaves, constraints)
    for each in constraints:
        if not (isinstance(each, Before) and each.or_equal and isinstance(each.right, Shifted)):
            continue
        if registers_of(each.right) and registers_of(each.right) <= registers and not needs(each) <= registers:
            ends = _ends(each.left)
            inside = [register for register in sorted(registers) if _ends_before(register, ends, sooner)]
            yield from (Before(Edge(register), each.right, or_equal=True) for register in inside)


# -- renumbering ------------------------------------------------------------------------------------------------


def _numbered_check(
    constraint: Before | Due | Holds | Stamped | Consecutive | StillInARow, numbers: Mapping[int, int]
) -> Before | Due | Holds | Stamped | Consecutive | StillInARow:
    match constraint:
        case Before(left=left, right=right):
            return replace(constraint, left=numbered_point(left, numbers), right=numbered_point(right, numbers))
        case Due(point=point):
            return replace(constraint, point=numbered_point(point, numbers))
        case Stamped(left=left, right=right):
            return replace(constraint, left=renumbered(left, numbers), right=renumbered(right, numbers))
        case StillInARow(leaf=leaf, registers=registers):
            return StillInARow(leaf, tuple(numbers[register] for register in registers))
        case Holds():
            return _numbered_holds(constraint, numbers)
        case Consecutive(registers=registers):
            return replace(constraint, registers=tuple(numbers[register] for register in registers))


def _numbered_holds(constraint: Holds, numbers: Mapping[int, int]) -> Holds:
    """A guard in the registers of the plan, and the same however it is written: names and sides do not matter.

    So that a request finds what runs already for another, who called things by other names.
    """
    names: dict[str, str] = {}
    trees: list[tuple[str, Pattern]] = []
    for name, tree in constraint.variables:
        register = slot_register(tree)
        if register >= 0:
            names[name] = f"{SOLE}{numbers[register]}"
            trees.append((names[name], Slot(numbers[register])))
        else:
            trees.append((name, renumbered(tree, numbers)))
    trees.sort(key=lambda each: each[0])
    return Holds(_turned(renamed(constraint.guard, names)), tuple(trees))


TURNED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


def _turned(guard: Guard) -> Guard:
    """A comparison of two attributes with the first in the order of registers and names on the left."""
    if not (isinstance(guard, Binary) and guard.operator in TURNED):
        return guard
    left, right = guard.left, guard.right
    if not (isinstance(left, Attribute) and isinstance(right, Attribute)):
        return guard
    if (left.variable, left.name) <= (right.variable, right.name):
        return guard
    return replace(guard, operator=TURNED[guard.operator], left=right, right=left)


# -- in order of time -------------------------------------------------------------------------------------------


def sooner_than(leaves: Iterable[Unit], constraints: Iterable[Constraint]) -> dict[int, set[int]]:
    """By register: those whose events end before that which is in it, as far as the pattern fixes that."""
    sooner: dict[int, set[int]] = {register: set() for _, registers in leaves for register in registers}
    for each in constraints:
        if isinstance(each, Before) and not each.or_equal and not each.same:
            match each.right:
                case Edge(register=last) if last in sooner:
                    sooner[last].update(_ends(each.left))
                case Extreme(of=points, is_latest=False) if all(isinstance(point, Edge) for point in points):
                    for point in points:
                        if (last := point.register) in sooner:  # type: ignore[union-attr]
                            sooner[last].update(_ends(each.left))
    grown = True
    while grown:
        size = sum(map(len, sooner.values()))
        for found in sooner.values():
            found.update(*(sooner[register] for register in tuple(found) if register in sooner))
        grown = sum(map(len, sooner.values())) > size
    return sooner


def _is_ordered(branch: Branch, sooner: Mapping[int, set[int]]) -> bool:
    """Whether of any two leaves one ends before the other begins to."""
    if any(isinstance(leaf, RunLeaf) for leaf, _ in branch.leaves):
        return False
    members = [registers for _, registers in branch.leaves]
    return all(
        _all_sooner(one, other, sooner) or _all_sooner(other, one, sooner) for one, other in combinations(members, 2)
    )


def _all_sooner(one: tuple[int, ...], other: tuple[int, ...], sooner: Mapping[int, set[int]]) -> bool:
    return all(sooner[register].issuperset(one) for register in other)
