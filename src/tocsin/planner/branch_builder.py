"""A branch in the making: its leaves, names and constraints, as the shapes of a pattern add them.

A pattern is looked for in a `Scene`, as in `meaning.py`; but the times of a scene are points of events that are still
to be found. Some are not known when they are first spoken of: what is absent between two parts reaches up to the second
of them, which is taken in later. Until then they are edges of registers below 0 (`Building.mark`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from tocsin.algebra.ends import back_is_fluid, front_is_fluid
from tocsin.algebra.guards import Attribute, Binary, Call, Guard, Literal, Now, conjuncts, renamed, variables_of
from tocsin.algebra.guards import walk as walk_guard
from tocsin.algebra.patterns import After, Between, Pattern, Precedence, Within
from tocsin.plan.searches import (
    SOLE,
    Before,
    Branch,
    Constraint,
    Due,
    Edge,
    Extreme,
    Holds,
    Hole,
    Lacks,
    Leaf,
    Opening,
    Point,
    RunLeaf,
    Shifted,
    Slot,
    Spanned,
    Stamped,
    Wait,
    registers_of,
    tree_registers,
)
from tocsin.plan.trees import extreme, numbered_point, renumbered, slot_register, with_points
from tocsin.planner.alternatives import Unsupported, alternatives
from tocsin.planner.registers import renumbered_branch, renumbered_lacks
from tocsin.planner.run_guards import of_single_events
from tocsin.planner.search_plans import distances_between, needs
from tocsin.planner.simplify import simplified

MOST_REGISTERS = 512

_ONE, _OTHER = "\0one", "\0other"
"""In what says that two events are of one partition. No name that a user can write begins so."""


@dataclass(frozen=True)
class Limit:
    """A point that nothing may pass; `included`: it may be reached."""

    point: Point
    included: bool


@dataclass
class Window:
    """A window that a negation may reach to the end of: then that is waited for."""

    origin: Within | Between
    due: Point
    start: Point
    is_awaited: bool = False


@dataclass
class Unended:
    """The end of a part of a run, which the next part bounds: what is absent there reaches to `back`, below `last`.

    What is rigid of the part decides which one is the next. Without a `back` nothing else is asked.
    """

    back: Point | None = None
    last: Limit | None = None
    closing: Window | None = None
    is_met: bool = False
    """Whether something has to be absent there."""

    def reached(self, core: Extent) -> Extent:
        """What is rigid of a part, with what is absent up to the next one."""
        if self.back is None:
            return core
        over = () if self.closing is None else ((self.closing.origin, self.closing.due, self.closing.start),)
        return Extent(core.planted(), core.start, self.back, open=True, over=over)


@dataclass(frozen=True)
class Scene:
    """Where a part is looked for: what must lie between two limits, and what is fluid from `front` to `back`.

    `known` are the variables around it that its guards may speak of.
    """

    first: Limit | None = None
    last: Limit | None = None
    front: Point | None = None
    back: Point | None = None
    closing: Window | Unended | None = None
    known: frozenset[str] = frozenset()

    def after(self, end: Point, names: Iterable[str]) -> Scene:
        """The part that follows what ends there, whose names are known."""
        return replace(self, first=Limit(end, False), front=end, known=self.known.union(names))

    def until(self, start: Point, names: Iterable[str]) -> Scene:
        """The part that precedes what starts there, whose names are known."""
        known = self.known.union(names)
        return replace(self, last=Limit(start, False), back=start, closing=None, known=known)

    def telling(self, names: Iterable[str]) -> Scene:
        """The same with more names known."""
        return replace(self, known=self.known.union(names))

    def anywhere(self) -> Scene:
        """The same names in all time."""
        return Scene(known=self.known)


@dataclass(frozen=True)
class Extent:
    """A part that was taken in: the tree it became, and where in time it lies.

    What is `open` lies elsewhere than its tree would tell: its start, its end or both. A negation has no tree at all.
    """

    tree: Pattern | None
    start: Point
    end: Point
    open: bool = False
    over: tuple[tuple[Pattern, Point, Point], ...] = ()
    tells_start: bool = True
    tells_end: bool = True
    late: int = 0
    """Under 2g stamps: how many ticks after its own end its events may end."""
    is_joined: bool = False
    """... and whether its stamp may be that of several events."""

    def planted(self) -> Pattern:
        """The tree, with where it lies if that is not told by the tree itself."""
        if self.tree is None:
            raise Unsupported("nothing has to occur there")
        return Spanned(self.tree, self.start, self.end, self.over) if self.open else self.tree


def rigid(point: Point, edge: Point | None) -> Point | None:
    """The start or end of what is rigid of a part; nothing if all of it is fluid there.

    `a ; (!b -> c)` begins with the earlier of its parts, of which one begins where its scene does: at the `edge`.
    """
    points = [each for each in (point.of if isinstance(point, Extreme) else (point,)) if each != edge]
    if not points or not isinstance(point, Extreme):
        return points[0] if points else None
    return extreme(points, point.is_latest)


@dataclass(frozen=True)
class Wanted:
    """A guard that must hold. What its variables stand for is looked up when all parts have been taken in.

    It may speak of those `unbound`, too: they are what must be absent. `of_core`: it is asked of what is rigid.
    """

    guard: Guard
    visible: frozenset[str]
    of_core: bool = False


@dataclass(frozen=True)
class Missing:
    """What must not be found in a scene. Of two parts with something absent `between` them: from one to the other.

    `guard`: only what it selects. `sooner`: only what ends before a point; with a second one, what ends with the first
    and starts before the second. `is_certain`: only what lies between them by any stamp.
    """

    pattern: Pattern
    scene: Scene
    between: tuple[Extent, Extent] | None = None
    order: Precedence = Precedence.ENDS
    is_certain: bool = False
    guard: Guard | None = None
    known: frozenset[str] = frozenset()
    sooner: tuple[Point, Point | None] | None = None


@dataclass(frozen=True)
class Place:
    """How far a branch had been built."""

    register: int
    constraint: int
    missing: int
    wait: int


@dataclass(frozen=True)
class Awaiting:
    """A wait in the making, for what was taken in since a place."""

    origin: After | Within | Between
    tree: Pattern
    since: Place
    until: Place
    point: Point
    start: Point


@dataclass
class Building:
    """The branch so far. Registers are given in the order in which leaves are written."""

    next_register: int = 0
    names: dict[str, Pattern] = field(default_factory=dict)
    leaves: list[tuple[Leaf, tuple[int, ...]]] = field(default_factory=list)
    constraints: list[Constraint | Wanted] = field(default_factory=list)
    waits: list[Awaiting] = field(default_factory=list)
    missing: list[Missing] = field(default_factory=list)
    outer: dict[str, Pattern] = field(default_factory=dict)
    """What variables stand for that are bound around what must be absent."""
    cores: dict[str, Pattern] = field(default_factory=dict)
    """What is rigid of the parts of a run that have a name and reach to the next one."""
    unsettled: set[str] = field(default_factory=set)
    """Names in a run inside a run, of which it is not known yet how far they reach."""
    impossible: bool = False
    granularity: int | None = None
    """The tick of 2g stamps, if there are any."""
    is_loose: bool = False
    """Whether events may end after something that they are before by their stamps."""
    marks: dict[int, Point] = field(default_factory=dict)
    partition: tuple[str, ...] = ()
    """The attributes in which all events are equal, because the rule is there once for each value of them."""
    beside: int = -1
    """The register of an event around what must be absent: that is in the partition of this one."""

    def visit(self, pattern: Pattern, scene: Scene) -> Extent:
        """Takes a part of the pattern in: its leaves and constraints are noted, where it lies is told.

        Where an end is fluid, what is inside is held to the scene's limits; a rigid end is left to the caller.
        """
        raise NotImplementedError

    def another(self, next_register: int, outer: dict[str, Pattern]) -> Building:
        """A building for what must be absent, with registers from a number on."""
        raise NotImplementedError

    def put_between(self, one: Extent, it: Extent, other: Extent, order: Precedence, *, is_certain: bool) -> None:
        """What must be absent lies between two parts around it."""
        raise NotImplementedError

    # -- leaves, names, points -----------------------------------------------------------------------------------

    def registers(self, leaf: Leaf, count: int) -> tuple[int, ...]:
        """Registers for the events of a leaf."""
        registers = tuple(range(self.next_register, self.next_register + count))
        self.next_register += count
        if self.next_register > MOST_REGISTERS:
            raise Unsupported(f"more than {MOST_REGISTERS} events in one occurrence")
        self.leaves.append((leaf, registers))
        return registers

    def call(self, name: str, tree: Pattern) -> None:
        """Notes what a name stands for."""
        if name in self.names:
            raise Unsupported(f"two parts are called '{name}'")
        self.names[name] = tree

    def mark(self) -> Edge:
        """A point that will be known later."""
        mark = Edge(-1 - len(self.marks))
        self.marks[mark.register] = mark
        return mark

    def here(self) -> Place:
        """How far it has got."""
        return Place(self.next_register, len(self.constraints), len(self.missing), len(self.waits))

    # -- what must hold ------------------------------------------------------------------------------------------

    def follow(self, left: Point, right: Point, *, or_equal: bool = False, same: bool = False) -> None:
        """`left` is before `right`."""
        self.constraints.append(Before(left, right, or_equal, same))

    def placed(self, part: Pattern, scene: Scene) -> Extent:
        """Takes a part in and holds it to the limits of its scene."""
        extent = self.visit(part, scene)
        if not front_is_fluid(part):
            self.hold_start(extent, scene)
        if not back_is_fluid(part):
            self.hold_end(extent, scene)
        return extent

    def hold_start(self, extent: Extent, scene: Scene) -> None:
        """A part does not start before its scene."""
        start = rigid(extent.start, scene.front)
        if scene.first is not None and start is not None:
            self.follow(scene.first.point, start, or_equal=scene.first.included)

    def hold_end(self, extent: Extent, scene: Scene) -> None:
        """A part does not end after its scene."""
        end = rigid(extent.end, scene.back)
        if scene.last is not None and end is not None:
            self.follow(end, scene.last.point, or_equal=scene.last.included)

    def require(self, guard: Guard, visible: Iterable[str]) -> None:
        """A guard must hold, with just these variables bound in it."""
        named, visible = variables_of(guard), frozenset(visible)
        if not self.unsettled.isdisjoint(named & visible):
            raise Unsupported("a guard in a run speaks of a run that is fluid at its end")
        self.constraints.append(Wanted(guard, visible))
        if not self.cores.keys().isdisjoint(named & visible):
            self.constraints.append(Wanted(guard, visible, of_core=True))

    def conjuncts(self, guard: Guard, known: Iterable[str]) -> list[Guard]:
        """The parts of a guard that depend on events, with just these variables bound in it."""
        parts: list[Guard] = []
        for part in conjuncts(simplified(guard, list(known))):
            if isinstance(part, Literal):
                self.impossible |= part.value is not True
            else:
                parts.append(part)
        return parts

    def wait(self, origin: After | Within | Between, extent: Extent, since: Place, point: Point, start: Point) -> None:
        """Notes a moment to wait for when what was taken in since a place has occurred."""
        assert extent.tree is not None
        self.waits.append(Awaiting(origin, extent.tree, since, self.here(), point, start))

    # -- partitions ----------------------------------------------------------------------------------------------

    def in_partition(self) -> tuple[Guard, ...]:
        """What must hold of an event so that it is in a partition at all."""
        return tuple(Call("exists", (Attribute(SOLE, attribute),)) for attribute in self.partition)

    def _alike(self, registers: frozenset[int] | None = None) -> list[Constraint]:
        """What says that events, or some of them, are of one partition. A run is of one group already."""
        found = [
            register
            for leaf, several in (self.leaves if self.partition else [])
            for register in (several if leaf.row is None and not isinstance(leaf, RunLeaf) else several[:1])
            if registers is None or register in registers
        ]
        first = self.beside if self.beside >= 0 and registers is None else None
        one, others = (found[0], found[1:]) if found and first is None else (first, found)
        return [
            Holds(
                Binary("==", Attribute(_ONE, attribute), Attribute(_OTHER, attribute)),
                ((_ONE, Slot(one)), (_OTHER, Slot(other))),
            )
            for other in others
            for attribute in self.partition
            if one is not None
        ]

    # -- the whole -----------------------------------------------------------------------------------------------

    def finished(self, extent: Extent) -> Branch | None:
        """The branch; None where a guard that does not depend on any event is false."""
        constraints = [self._settled(each) for each in self.constraints]
        lacking = [self._lacks(each) for each in self.missing]
        if self.impossible:
            return None
        waits = [self._wait(each, constraints, lacking) for each in self.waits]
        flat = [each for several in constraints for each in several] + self._alike()
        leaves, rest = _own_conditions(self.leaves, [*flat, *lacking])
        tree = self._tree(extent.planted())
        return Branch(tree, self.point(extent.start), self.point(extent.end), leaves, rest, tuple(waits))

    def point(self, point: Point) -> Point:
        """A point with what is known by now."""
        match point:
            case Edge(register=register) if register < 0:
                return self.point(self.marks[register])
            case Extreme(of=points, is_latest=is_latest):
                return extreme([self.point(each) for each in points], is_latest)
            case Shifted(point=inner, period=period):
                return Shifted(self.point(inner), period)
        return point

    def _tree(self, tree: Pattern) -> Pattern:
        return with_points(tree, self.point)

    def _settled(self, constraint: Constraint | Wanted) -> list[Constraint]:
        match constraint:
            case Wanted(guard=guard, visible=visible):
                known = {**self.outer, **self.names, **(self.cores if constraint.of_core else {})}
                trees = {name: tree for name, tree in known.items() if name in visible}
                found: list[Constraint] = []
                for each in self.conjuncts(guard, trees):
                    part, ends = of_single_events(each, trees)
                    meant = trees | ends
                    names = [name for name in sorted(variables_of(part)) if name in meant]
                    found.append(Holds(part, tuple((name, self._tree(meant[name])) for name in names)))
                return found
            case Before(left=left, right=right):
                return [replace(constraint, left=self.point(left), right=self.point(right))]
            case Due(point=point):
                return [replace(constraint, point=self.point(point))]
            case Stamped(left=one, right=other):
                return [replace(constraint, left=self._tree(one), right=self._tree(other))]
        return [constraint]

    def _lacks(self, missing: Missing) -> Lacks:
        """The branches of what must be absent, with registers after those of the branch around, and with its bounds."""
        scene = self._scene(missing.scene)
        named = {**self.outer, **self.names}
        around = {name: self._tree(named[name]) for name in scene.known if name in named}
        selecting = {name: self._tree(named[name]) for name in missing.known | scene.known if name in named}
        made = []
        for choice in alternatives(missing.pattern):
            inside = self.another(self.next_register, around)
            inside.beside = self._neighbour(missing)
            extent = inside.placed(choice, scene)
            if missing.between is not None:
                one, other = map(self._known, missing.between)
                inside.put_between(one, extent, other, missing.order, is_certain=missing.is_certain)
            if missing.sooner is not None:
                end, start = missing.sooner
                inside.follow(extent.end, self.point(end), same=start is not None)
                if start is not None:
                    inside.follow(extent.start, self.point(start))
            if missing.guard is not None:
                inside.outer = selecting
                inside.require(missing.guard, [*inside.names, *selecting])
            branch = inside.finished(extent)
            if branch is not None:
                made.append(branch)
        return Lacks(tuple(made), missing.between is None, missing.sooner is not None)

    def _known(self, extent: Extent) -> Extent:
        """A part with what is known by now of where it lies."""
        tree = None if extent.tree is None else self._tree(extent.tree)
        return replace(extent, tree=tree, start=self.point(extent.start), end=self.point(extent.end))

    def _neighbour(self, missing: Missing) -> int:
        """An event beside what must be absent: one that bounds it, so that no event further off is asked for."""
        if not self.partition:
            return -1
        scene = missing.scene
        limits = [each.point for each in (scene.first, scene.last) if each is not None]
        parts = [point for extent in missing.between or () for point in (extent.start, extent.end)]
        points = [*parts, *(missing.sooner or ()), *limits, scene.front, scene.back]
        found = [registers_of(self.point(each)) for each in points if each is not None]
        bounding = sorted(register for each in found for register in each)
        first = min((register for _, several in self.leaves for register in several), default=self.beside)
        return bounding[0] if bounding else first

    def _scene(self, scene: Scene) -> Scene:
        def limit(one: Limit | None) -> Limit | None:
            return None if one is None else Limit(self.point(one.point), one.included)

        front = None if scene.front is None else self.point(scene.front)
        back = None if scene.back is None else self.point(scene.back)
        closing = scene.closing if isinstance(scene.closing, Unended) else None
        return Scene(limit(scene.first), limit(scene.last), front, back, closing, scene.known)

    def _wait(self, wait: Awaiting, constraints: list[list[Constraint]], lacking: list[Lacks]) -> Wait:
        registers = tuple(range(wait.since.register, wait.until.register))
        numbers = {register: place for place, register in enumerate(registers)}
        tree, point, start = self._tree(wait.tree), self.point(wait.point), self.point(wait.start)
        around = registers_of(point) | registers_of(start) | set(tree_registers(tree))
        if not around <= set(registers):
            raise Unsupported("a window that hangs on what lies outside it")
        opening: Opening | None = None
        if not isinstance(wait.origin, After):
            branch = renumbered_branch(self._opened(wait, tree, constraints, lacking), numbers)
            opening = Opening(branch, numbered_point(point, numbers), numbered_point(start, numbers))
            inside = [
                each for each in lacking[wait.since.missing : wait.until.missing] if _blocks(each, set(registers))
            ]
            opening = replace(opening, blocking=tuple(renumbered_lacks(each, numbers) for each in inside))
        return Wait(wait.origin, renumbered(tree, numbers), registers, point, start, opening)

    def _opened(
        self, wait: Awaiting, tree: Pattern, constraints: list[list[Constraint]], lacking: list[Lacks]
    ) -> Branch:
        """What has to occur in a window, by itself.

        It opens whatever its guards say of the clock: they are asked when it is over, and it is another time then.
        """
        registers = frozenset(range(wait.since.register, wait.until.register))
        found = [each for several in constraints[wait.since.constraint : wait.until.constraint] for each in several]
        found += lacking[wait.since.missing : wait.until.missing]
        lasting = [each for each in found if _is_lasting(each) and needs(each) <= registers]
        # Whether it ends in the window is asked when its end is to be waited for.
        over = self.point(wait.point)
        inside = [each for each in lasting if isinstance(each, Before) and each.or_equal and each.right == over]
        end = extreme([each.left for each in inside], True) if inside else self.point(wait.start)
        leaves = [(leaf, each) for leaf, each in self.leaves if each[0] in registers]
        inner = [self._wait(each, constraints, lacking) for each in self.waits[wait.since.wait : wait.until.wait]]
        required = [each for each in lasting if each not in inside]
        if len(registers) > 1:
            # Several events are looked for no further apart than the whole lets them be, however long the log.
            flat = [each for several in constraints for each in several]
            required += [each for each in flat if _is_distance(each, registers) and each not in required]
            required += [each for each in distances_between(self.leaves, flat, registers) if each not in required]
            required += self._alike(registers)
        return Branch(tree, self.point(wait.start), end, *_own_conditions(leaves, required), tuple(inner))


def _blocks(lacks: Lacks, registers: set[int]) -> bool:
    """Whether what must be absent stays once it is there: single events after one of these, and nothing else is asked.

    What comes after an event leaves no window before it does.
    """
    return lacks.is_free and needs(lacks) <= registers and all(_is_settled(each) for each in lacks.branches)


def _is_settled(branch: Branch) -> bool:
    begins = [each for each in branch.constraints if isinstance(each, Before) and each.right == branch.start]
    return (
        all(leaf.is_single for leaf, _ in branch.leaves)
        and all(isinstance(each, Before | Holds) and _is_lasting(each) for each in branch.constraints)
        and any(isinstance(each.left, Edge | Extreme) and not each.or_equal for each in begins)
    )


def _is_distance(constraint: Constraint, registers: frozenset[int]) -> bool:
    """Whether a constraint says how far apart events in some registers may be."""
    return isinstance(constraint, Before) and bool(needs(constraint)) and needs(constraint) <= registers


def _is_lasting(constraint: Constraint) -> bool:
    """Whether what a constraint says now it says later, too. What is absent may be used up meanwhile, or not be."""
    if isinstance(constraint, Lacks):
        return not constraint.is_free
    return not isinstance(constraint, Due) and not (isinstance(constraint, Holds) and asks_the_clock(constraint.guard))


def asks_the_clock(guard: Guard) -> bool:
    """Whether a guard may be true at one time and false at another."""
    return any(isinstance(part, Now) for part in walk_guard(guard))


def _own_conditions(
    leaves: list[tuple[Leaf, tuple[int, ...]]], constraints: list[Constraint]
) -> tuple[tuple[tuple[Leaf, tuple[int, ...]], ...], tuple[Constraint, ...]]:
    """Guards about a single event become conditions of its leaf: tested once, when it arrives."""
    single = [registers[0] for leaf, registers in leaves if leaf.is_single]
    own: dict[int, list[Guard]] = {register: [] for register in single}
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
