"""A pattern as branches: its alternatives told apart, each a flat list of leaves with the constraints between them.

What a constraint says is what `meaning.py` does with the nested pattern; what is said here of a shape in one line is
told there at length. Shapes that a search over leaves cannot express raise `Unsupported`: the rule then runs on the
plain meaning.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise

from tocsin.algebra.ends import is_open
from tocsin.algebra.guards import Guard, Literal, Now, conjuncts, variables_of
from tocsin.algebra.guards import walk as walk_guard
from tocsin.algebra.names import bound
from tocsin.algebra.patterns import (
    Absence,
    After,
    AnyEvent,
    At,
    AtInstant,
    Both,
    Concurrent,
    Every,
    Instant,
    Named,
    Never,
    Order,
    Pattern,
    Primitive,
    Sequence,
    Times,
    Where,
    Within,
    walk,
)
from tocsin.languages.writing import CONSTRUCTS
from tocsin.plan import (
    SOLE,
    Before,
    Branch,
    Chosen,
    Closed,
    Constraint,
    Delayed,
    Due,
    Edge,
    Holds,
    Hole,
    Lacks,
    Leaf,
    Opened,
    Point,
    Shifted,
    Slot,
    Wait,
)
from tocsin.planner.alternatives import Unsupported, alternatives
from tocsin.planner.simplify import renamed, simplified
from tocsin.planner.trees import extreme, renumbered, slot_register

MOST_REGISTERS = 256

LEAVES = Primitive | AnyEvent | At | AtInstant | Every


@lru_cache(maxsize=10_000)
def branches(pattern: Pattern) -> tuple[Branch, ...]:
    """Every choice among the alternatives of `pattern`, without those that can never occur."""
    made = []
    for choice in alternatives(pattern):
        building = _Building(0)
        extent = building.visit(choice)
        branch = building.finished(extent)
        if branch is not None:
            made.append(branch)
    return tuple(made)


@dataclass(frozen=True)
class _Standing(Slot):
    """A slot that tells what stands there: of `(a | b) + [t]`, what waits for a is not what waits for b."""

    leaf: Leaf


@dataclass(frozen=True)
class _Extent:
    """A part of the tree: the pattern it became, and where in time it lies."""

    tree: Pattern
    start: Point
    end: Point


@dataclass(frozen=True)
class _Missing:
    """What must not lie between two points: anything, or what a guard selects. `is_free`: 004's negation.

    `closed`: it may not end at the second point either, which is the end of a window.
    """

    pattern: Pattern
    after: Point
    until: Point
    by_gap: bool
    is_free: bool
    guard: Guard | None
    known: tuple[str, ...]
    closed: bool = False


@dataclass
class _Building:
    """One branch in the making. Registers are given in the order in which leaves are written."""

    next_register: int
    names: dict[str, Pattern] = field(default_factory=dict)
    leaves: list[tuple[Leaf, tuple[int, ...]]] = field(default_factory=list)
    constraints: list[Constraint] = field(default_factory=list)
    waits: list[Wait] = field(default_factory=list)
    missing: list[_Missing] = field(default_factory=list)
    outer: dict[str, Pattern] = field(default_factory=dict)
    """Variables bound around what must be absent, which guards inside may name."""
    impossible: bool = False
    stretches: int = 0
    """How many windows and gaps are around: inside them, what lies outside is not seen."""

    # -- shapes ------------------------------------------------------------------------------------------------

    def visit(self, pattern: Pattern) -> _Extent:
        """Takes a part of the pattern in: its leaves and constraints are noted, where it lies is told."""
        match pattern:
            case Primitive() | AnyEvent() | At() | AtInstant() | Every():
                return self._leaf(pattern)
            case Named(name=name, pattern=inner):
                return self._named(name, self.visit(inner))
            case Where(pattern=inner, guard=guard):
                before = len(self.names)
                extent = self.visit(inner)
                self.require(guard, list(self.names)[before:])
                return replace(extent, tree=Where(extent.tree, guard))
            case Both(parts=parts):
                return self._together(pattern, [self.visit(part) for part in parts])
            case Sequence(parts=parts, order=Order.GAP):
                return self._gap_sequence(pattern)
            case Sequence(parts=parts):
                extents = [self.visit(part) for part in parts]
                for left, right in pairwise(extents):
                    self.constraints.append(Before(left.end, right.end))
                return replace(self._together(pattern, extents), end=extents[-1].end)
            case Concurrent(left=left, right=right):
                one, other = self.visit(left), self.visit(right)
                self.constraints.append(Before(one.end, other.end, same=True))
                tree = Concurrent(one.tree, other.tree)
                return _Extent(tree, extreme([one.start, other.start], False), one.end)
            case Absence():
                return self._absence(pattern)
            case Times():
                return self._times(pattern)
            case Delayed(pattern=inner, origin=origin):
                return self._delayed(inner, origin)
            case Instant(pattern=inner):
                extent = self._elsewhere(inner)
                return _Extent(Instant(extent.tree), extent.end, extent.end)
            case Within(pattern=inner, period=period):
                if any(isinstance(part, Instant) for part in walk(inner)):
                    raise Unsupported("a window around an instant")
                self.stretches += 1
                extent = self.visit(inner)
                self.stretches -= 1
                self.constraints.append(Before(extent.end, Shifted(extent.start, period), or_equal=True))
                return replace(extent, tree=replace(pattern, pattern=extent.tree))
            case Closed(pattern=inner, origin=origin):
                return self._closed(inner, origin)
        raise Unsupported(f"{CONSTRUCTS[type(pattern)]} is not searched for leaf by leaf")

    def _leaf(self, pattern: Pattern) -> _Extent:
        (register,) = self._registers(Leaf(pattern), 1)
        return _Extent(_Standing(register, Leaf(pattern)), Edge(register, True), Edge(register))

    def _registers(self, leaf: Leaf, count: int) -> tuple[int, ...]:
        registers = tuple(range(self.next_register, self.next_register + count))
        self.next_register += count
        if self.next_register > MOST_REGISTERS:
            raise Unsupported(f"more than {MOST_REGISTERS} events in one occurrence")
        self.leaves.append((leaf, registers))
        return registers

    def _named(self, name: str, extent: _Extent) -> _Extent:
        if name in self.names:
            raise Unsupported(f"two parts are called '{name}'")
        self.names[name] = extent.tree
        return replace(extent, tree=Named(name, extent.tree))

    def _together(self, pattern: Both | Sequence, extents: list[_Extent]) -> _Extent:
        tree = replace(pattern, parts=tuple(extent.tree for extent in extents))
        start = extreme([extent.start for extent in extents], False)
        return _Extent(tree, start, extreme([extent.end for extent in extents], True))

    def _gap_sequence(self, pattern: Sequence) -> _Extent:
        """What must be absent between two parts (`a -> !b -> c`) leaves no trace in the tree."""
        self.stretches += 1
        extents: list[_Extent] = []
        absent: list[tuple[int, Pattern]] = []
        names = len(self.names)
        for part in pattern.parts:
            if isinstance(part, Never) and extents:
                absent.append((len(extents), self._negated(part)))
            else:
                extents.append(self.visit(part))
        self.stretches -= 1
        for left, right in pairwise(extents):
            self.constraints.append(Before(left.end, right.start))
        known = tuple(list(self.names)[names:])
        for place, without in absent:
            if place == len(extents):
                raise Unsupported("a negation that nothing follows")
            self._lack(without, extents[place - 1].end, extents[place].start, known)
        tree = replace(pattern, parts=tuple(extent.tree for extent in extents))
        return _Extent(tree, extents[0].start, extents[-1].end)

    def _negated(self, part: Never) -> Pattern:
        if is_open(part.pattern):
            raise Unsupported("a negation inside a negation")
        return part.pattern

    def _lack(self, without: Pattern, after: Point, until: Point, known: tuple[str, ...], closed: bool = False) -> None:
        """Nothing of `without` from one point to another; its guards may speak of what is `known`."""
        missing = _Missing(without, after, until, by_gap=True, is_free=True, guard=None, known=known, closed=closed)
        self.missing.append(missing)

    def _elsewhere(self, inner: Pattern) -> _Extent:
        """What is not bound by the windows around it."""
        outside, self.stretches = self.stretches, 0
        extent = self.visit(inner)
        self.stretches = outside
        return extent

    def _delayed(self, inner: Pattern, origin: After) -> _Extent:
        first = self.next_register
        extent = self._elsewhere(inner)
        due = Shifted(extent.end, origin.period)
        self.constraints.append(Due(due))
        self._wait(origin, extent.tree, first, due, due)
        return _Extent(Delayed(extent.tree, origin), due if origin.instant else extent.start, due)

    def _wait(self, origin: After | Within, tree: Pattern, first: int, point: Point, start: Point) -> None:
        registers = tuple(range(first, self.next_register))
        self.waits.append(Wait(origin, renumbered(tree, {r: r - first for r in registers}), registers, point, start))

    def _times(self, pattern: Times) -> _Extent:
        names, guards, inner = [], [], pattern.pattern
        while isinstance(inner, Named | Where):
            if isinstance(inner, Named):
                names.append(inner.name)
            else:
                guards.append((inner.guard, len(names)))
            inner = inner.pattern
        if not isinstance(inner, LEAVES):
            raise Unsupported("a repetition of what is not a single event")
        # A guard sees the names that stand inside it.
        conditions = [part for guard, outer in guards for part in self._conjuncts(guard, names[outer:])]
        if any(map(asks_the_clock, conditions)):
            raise Unsupported("a repetition of what depends on the clock")  # its events are told apart on arrival
        sole = dict.fromkeys(names, SOLE)
        leaf = Leaf(inner, tuple(renamed(part, sole) for part in conditions), pattern.attribute, pattern.same)
        registers = self._registers(leaf, pattern.count)
        tree = Chosen(registers, tuple(names), pattern)
        for name in names:
            if name in self.names:
                raise Unsupported(f"two parts are called '{name}'")
            self.names[name] = Named(name, tree)
        start = extreme([Edge(register, True) for register in registers], False)
        return _Extent(tree, start, extreme([Edge(register) for register in registers], True))

    # -- what must not be --------------------------------------------------------------------------------------

    def _absence(self, pattern: Absence) -> _Extent:
        if self.stretches and pattern.order is not Order.GAP:
            raise Unsupported("an absence by ends inside a window")
        if is_open(pattern.without):
            raise Unsupported("an absence of something open")
        names = len(self.names)
        first = self.visit(pattern.first)
        of_first = list(self.names)[names:]
        last = self.visit(pattern.last)
        of_both = list(self.names)[names:]
        by_gap = pattern.order is Order.GAP
        until = last.start if by_gap else last.end
        self.constraints.append(Before(first.end, until))
        if pattern.guard is not None:
            self.require(pattern.guard, of_both, unbound=frozenset(bound(pattern.without)))
        selects = pattern.guard is not None and not variables_of(pattern.guard).isdisjoint(bound(pattern.without))
        guard = pattern.guard if selects else None
        self.missing.append(
            _Missing(pattern.without, first.end, until, by_gap, is_free=False, guard=guard, known=tuple(of_first))
        )
        tree = replace(pattern, first=first.tree, last=last.tree)
        return _Extent(tree, extreme([first.start, last.start], False), last.end)

    def _closed(self, inner: Pattern, origin: Within) -> _Extent:
        """A window that a negation reaches to: `E -> !F in w`, or `!F -> E in w`."""
        guards: list[Guard] = []
        while isinstance(inner, Where):
            guards.append(inner.guard)
            inner = inner.pattern
        if self.stretches or any(isinstance(part, Instant) for part in walk(inner)):
            raise Unsupported("an open part inside another window")
        match inner:
            case Sequence(parts=(*parts, Never() as last), order=Order.GAP):
                extent = self._forward(parts, last, origin, guards)
            case Sequence(parts=(Never() as first, *parts), order=Order.GAP):
                extent = self._backward(first, parts, origin, guards)
            case _:
                raise Unsupported("a negation that does not stand at an end of a window")
        return extent

    def _rigid(self, parts: list[Pattern], guards: list[Guard]) -> tuple[_Extent, tuple[str, ...]]:
        """What stands beside the negation at an end of a window, and the variables bound in it."""
        if any(is_open(part) for part in parts if not isinstance(part, Never)):
            raise Unsupported("an open part inside another window")
        names = len(self.names)
        extent = self._gap_sequence(Sequence(tuple(parts), Order.GAP)) if len(parts) > 1 else self.visit(parts[0])
        known = list(self.names)[names:]
        for guard in guards:
            self.require(guard, known)
        return extent, tuple(known)

    def _forward(self, parts: list[Pattern], last: Never, origin: Within, guards: list[Guard]) -> _Extent:
        """`E -> !F in w`: known when the window is over, which starts with E."""
        if any(map(_asks_the_clock_inside, parts)):
            raise Unsupported("a window that is opened by what depends on the clock")
        first, without = self.next_register, self._negated(last)
        extent, known = self._rigid(parts, guards)
        back = Shifted(extent.start, origin.period)
        self.constraints += [Before(extent.end, back, or_equal=True), Due(back, settled=True)]
        self._lack(without, extent.end, back, known, closed=True)
        self._wait(origin, extent.tree, first, back, extent.start)
        return _Extent(Closed(extent.tree, origin), extent.start, back)

    def _backward(self, first: Never, parts: list[Pattern], origin: Within, guards: list[Guard]) -> _Extent:
        """`!F -> E in w`: known with E, at whose end the window ends."""
        without = self._negated(first)
        extent, known = self._rigid(parts, guards)
        front = Shifted(extent.end, origin.period.scaled(-1))
        self.constraints.append(Before(front, extent.start))
        self._lack(without, front, extent.start, known)
        return _Extent(Opened(extent.tree, origin), front, extent.end)

    # -- guards ------------------------------------------------------------------------------------------------

    def _conjuncts(self, guard: Guard, known: list[str]) -> list[Guard]:
        parts: list[Guard] = []
        for part in conjuncts(simplified(guard, known)):
            if isinstance(part, Literal):
                self.impossible |= part.value is not True
            else:
                parts.append(part)
        return parts

    def require(self, guard: Guard, known: list[str], unbound: frozenset[str] = frozenset()) -> None:
        """A guard must hold, with just the variables `known` and those around bound in it.

        It may speak of those `unbound`, too: they are what must be absent.
        """
        trees = self.outer | {name: self.names[name] for name in known}
        if self.stretches and not variables_of(guard) <= trees.keys() | unbound:
            raise Unsupported("a guard that speaks of a neighbour")
        for part in self._conjuncts(guard, list(trees)):
            variables = tuple((name, trees[name]) for name in sorted(variables_of(part)) if name in trees)
            self.constraints.append(Holds(part, variables))

    # -- the whole ---------------------------------------------------------------------------------------------

    def finished(self, extent: _Extent) -> Branch | None:
        """The branch; None where a guard that does not depend on any event is false."""
        found = [Lacks(_missing_branches(missing, self), missing.is_free) for missing in self.missing]
        if self.impossible:
            return None
        leaves, constraints = _own_conditions(self.leaves, [*self.constraints, *found])
        return Branch(extent.tree, extent.start, extent.end, leaves, constraints, tuple(self.waits))


def _asks_the_clock_inside(pattern: Pattern) -> bool:
    """Whether the clock decides what is found in a pattern, other than by guards around it, which are asked later."""
    match pattern:
        case Where(pattern=inner) | Named(pattern=inner):
            return _asks_the_clock_inside(inner)
        case Both(parts=parts) | Sequence(parts=parts, order=Order.GAP):
            return any(map(_asks_the_clock_inside, parts))
    guards = [part.guard for part in walk(pattern) if isinstance(part, Where | Absence) and part.guard is not None]
    return any(map(asks_the_clock, guards))


def asks_the_clock(guard: Guard) -> bool:
    """Whether a guard may be true at one time and false at another."""
    return any(isinstance(part, Now) for part in walk_guard(guard))


def _missing_branches(missing: _Missing, around: _Building) -> tuple[Branch, ...]:
    """The branches of what must be absent, with registers after those of the branch around, and with its bounds."""
    known = around.outer | {name: around.names[name] for name in missing.known}
    made = []
    for choice in alternatives(missing.pattern):
        inside = _Building(around.next_register, outer=around.outer)
        if missing.is_free:
            inside.outer, inside.stretches = known, 1
        extent = inside.visit(choice)
        inside.constraints.append(Before(missing.after, extent.start if missing.by_gap else extent.end))
        inside.constraints.append(Before(extent.end, missing.until, or_equal=missing.closed))
        if missing.guard is not None:
            inside.outer = known
            inside.require(missing.guard, list(inside.names))
        branch = inside.finished(extent)
        if branch is not None:
            made.append(branch)
    return tuple(made)


def _own_conditions(
    leaves: list[tuple[Leaf, tuple[int, ...]]], constraints: list[Constraint]
) -> tuple[tuple[tuple[Leaf, tuple[int, ...]], ...], tuple[Constraint, ...]]:
    """Guards about a single event become conditions of its leaf: tested once, when it arrives."""
    own: dict[int, list[Guard]] = {registers[0]: [] for leaf, registers in leaves if leaf.attribute is None}
    others: list[Constraint] = []
    for constraint in constraints:
        register = _sole_register(constraint)
        if register in own and isinstance(constraint, Holds):
            names = {name: SOLE for name, _ in constraint.variables}
            own[register].append(renamed(constraint.guard, names))
        else:
            others.append(constraint)
    taken = tuple((replace(leaf, conditions=(*leaf.conditions, *own.get(r[0], ()))), r) for leaf, r in leaves)
    return taken, tuple(others)


def _sole_register(constraint: Constraint) -> int:
    """The register that a guard is about, if it is about one event alone, whenever it is asked; else -1."""
    if not isinstance(constraint, Holds) or any(isinstance(part, Now | Hole) for part in walk_guard(constraint.guard)):
        return -1
    found = {slot_register(tree) for _, tree in constraint.variables}
    return found.pop() if len(found) == 1 else -1
