"""The data between planner and engine: what is searched for, step by step, with the patterns' nesting worked out.

A pattern becomes `Branch`es, one for each choice among its alternatives: a flat list of leaves and the constraints
between them. A branch and the leaf that an arrival is taken for become a `SearchPlan`: the arrival stands in
register 0, and each step fills the next registers. Everything here is frozen and compares by value, so that finding
what two rules share is a dictionary look-up.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tocsin.algebra.guards import Guard, walk
from tocsin.algebra.patterns import (
    Absence,
    After,
    Between,
    Both,
    Concurrent,
    Instant,
    Named,
    Pattern,
    Precedence,
    Repeat,
    Sequence,
    Streak,
    Times,
    Where,
    Within,
)
from tocsin.time.periods import Period

# -- leaves -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Slot(Pattern):
    """In a branch's tree: a leaf, whose event stands in a register."""

    register: int


@dataclass(frozen=True)
class Chosen(Pattern):
    """In a branch's tree: a repetition, whose events stand in registers, each bound to `names`.

    Those of a run stand there in order of time.
    """

    registers: tuple[int, ...]
    names: tuple[str, ...]
    times: Times | Repeat | Streak


@dataclass(frozen=True)
class Copies(Repeat):
    """A run of what is more than an event: one after the other, each with a choice among its alternatives.

    In a branch's tree the trees of all, whose variables stand for those of each.
    """

    parts: tuple[Pattern, ...] = ()


@dataclass(frozen=True)
class Delayed(Pattern):
    """In a branch's tree: what is waited for after `pattern`. `origin` is the pattern as the rule has it."""

    pattern: Pattern
    origin: After


@dataclass(frozen=True)
class Closed(Pattern):
    """In a branch's tree: `pattern`, and then something absent until the window `origin` is over.

    While a pattern's alternatives are told apart: any window with a fluid end inside, or a fixed one.
    """

    pattern: Pattern
    origin: Within | Between


@dataclass(frozen=True)
class Opened(Pattern):
    """In a branch's tree: something absent since the window `origin` opened, and then `pattern`, which ends it."""

    pattern: Pattern
    origin: Within


@dataclass(frozen=True)
class Spanned(Pattern):
    """In a branch's tree: `pattern`, from one point to another, because something is absent around it.

    `over` are the windows that had to be over for it: what each is, when it ended and when it started.
    """

    pattern: Pattern
    start: Point
    end: Point
    over: tuple[tuple[Pattern, Point, Point], ...] = ()


def tree_registers(tree: Pattern) -> list[int]:
    """The registers in a branch's tree, as they are written, each once."""
    return list(dict.fromkeys(_written(tree)))


def _written(tree: Pattern) -> list[int]:
    match tree:
        case Slot(register=register):
            return [register]
        case Chosen(registers=registers):
            return list(registers)
        case Named(pattern=inner) | Where(pattern=inner) | Instant(pattern=inner) | Within(pattern=inner):
            return _written(inner)
        case Delayed(pattern=inner) | Closed(pattern=inner) | Opened(pattern=inner):
            return _written(inner)
        case Spanned(pattern=inner, start=start, end=end, over=over):
            points = [start, end, *(point for _, *points in over for point in points)]
            return [*_written(inner), *(register for point in points for register in sorted(registers_of(point)))]
        case Both(parts=parts) | Sequence(parts=parts) | Copies(parts=parts):
            return [register for part in parts for register in _written(part)]
        case Concurrent(left=left, right=right) | Absence(first=left, last=right):
            return _written(left) + _written(right)
    raise AssertionError(f"{type(tree).__name__} is in no branch")


SOURCE = "\0source"
"""Where an event came from, as if it were an attribute. No name that a user can write begins like this."""
TYPE = "\0type"
"""... and its type."""

SOLE = "#"
"""The variable of the event that a leaf's own condition is about."""


@dataclass(frozen=True)
class InARow:
    """What makes events a run: the fields of a `Streak`."""

    same: tuple[str, ...] = ()
    different: str | None = None
    period: Period | None = None
    once: bool = False


@dataclass(frozen=True)
class Measured:
    """What makes events count and one of them told: the fields of an `Aggregate`.

    `conditions` say what is counted, and `guard` what is told; both speak of the events as SOLE.
    """

    conditions: tuple[Guard, ...]
    guard: Guard
    period: Period
    same: tuple[str, ...] = ()
    aligned: bool = False
    gap: Period | None = None
    each: bool = False


@dataclass(frozen=True)
class Leaf:
    """What an event must be to stand for a leaf, whatever else is in the pattern.

    `conditions` speak of the event as SOLE. A repetition has the `attribute` in which its events are the `same`, or
    all different; a run has its `row`; what makes `group`s has all of these attributes.
    """

    pattern: Pattern
    conditions: tuple[Guard, ...] = ()
    attribute: str | None = None
    same: bool = True
    row: InARow | None = None
    group: tuple[str, ...] = ()
    measured: Measured | None = None
    """Of an aggregate: `conditions` are what must hold of an event that is told of."""

    def __repr__(self) -> str:
        """As snapshots of earlier releases know it: what is waited for and what is used up is told by this text."""
        row = "" if self.row is None else f", row={self.row!r}"
        row += f", group={self.group!r}" if self.group else ""
        row += "" if self.measured is None else f", measured={self.measured!r}"
        told = f"conditions={self.conditions!r}, attribute={self.attribute!r}, same={self.same!r}{row}"
        return f"{type(self).__name__}(pattern={self.pattern!r}, {told})"

    @property
    def chained(self) -> Leaf:
        """What its events must be to be linked: what makes a run of them is asked when one is looked for."""
        if self.row is None:
            return self
        return replace(self, row=None if self.row.different is None else InARow(different=self.row.different))

    @property
    def is_single(self) -> bool:
        """Whether one event stands for it, and not those of a repetition."""
        return self.attribute is None and self.row is None and not isinstance(self, RunLeaf)


@dataclass(frozen=True)
class RunLeaf(Leaf):
    """A leaf that stands for several events, each the next one of its kind that starts after the end of that before.

    Where there are groups, the next one is that of its group.
    """


@dataclass(frozen=True, repr=False)
class Standing(Slot):
    """A slot that tells what stands there: of `(a | b) + [t]`, what waits for a is not what waits for b."""

    leaf: Leaf

    def __repr__(self) -> str:
        """As snapshots of earlier releases know it."""
        return f"_Standing(register={self.register!r}, leaf={self.leaf!r})"


@dataclass(frozen=True)
class Hole(Guard):
    """In a guard: where the rules of a family, which are searched for as one, have different constants."""


HOLE = Hole()


def has_hole(guard: Guard) -> bool:
    """Whether a guard has a constant left out."""
    return any(isinstance(part, Hole) for part in walk(guard))


# -- points in time of what stands in registers -----------------------------------------------------------------


@dataclass(frozen=True)
class Edge:
    """The end, or the start, of the event in a register."""

    register: int
    is_start: bool = False


@dataclass(frozen=True)
class Extreme:
    """The latest, or the earliest, of several points."""

    of: tuple[Edge | Extreme | Shifted | Moment, ...]
    is_latest: bool


@dataclass(frozen=True)
class Shifted:
    """A point some time later."""

    point: Edge | Extreme | Shifted | Moment
    period: Period


@dataclass(frozen=True)
class Moment:
    """A point that no event has to tell: an edge of a fixed window."""

    time: int


Point = Edge | Extreme | Shifted | Moment


def registers_of(point: Point) -> frozenset[int]:
    """The registers that a point depends on."""
    match point:
        case Edge(register=register):
            return frozenset((register,))
        case Extreme(of=points):
            return frozenset[int]().union(*map(registers_of, points))
        case Shifted(point=inner):
            return registers_of(inner)
        case Moment():
            return frozenset()


# -- constraints ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Before:
    """`left` is before `right`; with `or_equal` also at it, with `same` just at it."""

    left: Point
    right: Point
    or_equal: bool = False
    same: bool = False


@dataclass(frozen=True)
class Due:
    """A moment waited for has come. A window's end (`settled`) has come when no event can fall into it any more."""

    point: Point
    settled: bool = False


@dataclass(frozen=True)
class Holds:
    """A guard is true; `variables` say what each of its names stands for."""

    guard: Guard
    variables: tuple[tuple[str, Pattern], ...]


@dataclass(frozen=True)
class Lacks:
    """No rows satisfy any of these branches. Their registers follow those of the branch around them.

    `is_free`: it is a negation between its neighbours, which is asked anew whenever it is looked for. `of_run`: it is
    what would come next in a run, and what is used up does not.
    """

    branches: tuple[Branch, ...]
    is_free: bool = False
    of_run: bool = False


@dataclass(frozen=True)
class Consecutive:
    """The events in these registers are a run."""

    leaf: RunLeaf
    registers: tuple[int, ...]


@dataclass(frozen=True)
class Stamped:
    """By their 2g stamps one part is before another in an `order`; without one they are concurrent."""

    left: Pattern
    right: Pattern
    order: Precedence | None


@dataclass(frozen=True)
class StillInARow:
    """What waited for a moment as a run is one still: no late event has come between, and none is used up."""

    leaf: Leaf
    registers: tuple[int, ...]


Constraint = Before | Due | Holds | Stamped | Lacks | Consecutive | StillInARow


@dataclass(frozen=True)
class Wait:
    """A moment to wait for when what stands in `registers` has occurred: an `After`'s, or the end of a window.

    `resolved` is what must have occurred, its registers numbered from 0: it tells the alternatives inside apart.
    """

    origin: After | Within | Between
    resolved: Pattern
    registers: tuple[int, ...]
    point: Point
    start: Point
    """Windows that start together end as one."""
    opening: Opening | None = None
    """Of a window: what has to occur in it."""


@dataclass(frozen=True)
class Opening:
    """What opens a window that is waited for: a branch of its own, with when the window ends and when it started."""

    branch: Branch
    due: Point
    start: Point
    blocking: tuple[Lacks, ...] = ()
    """What must be absent, and once it is there stays there, unless events are used up."""


@dataclass(frozen=True)
class Branch:
    """One choice among a pattern's alternatives; its registers are numbered in the order of its leaves."""

    tree: Pattern
    start: Point
    end: Point
    leaves: tuple[tuple[Leaf, tuple[int, ...]], ...]
    constraints: tuple[Constraint, ...]
    waits: tuple[Wait, ...]


# -- plans ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """One more leaf: which rows are looked at, and what must hold when they are chosen.

    `key`: attributes of the leaf, and the (register, attribute) each is equal to. The event ends after every point of
    `after`, before every one of `before`; no sooner than `no_sooner`, no later than `no_later`, which are points with
    a distance in microseconds.
    """

    leaf: Leaf
    registers: tuple[int, ...]
    key: tuple[tuple[str, tuple[int, str]], ...]
    after: tuple[Point, ...]
    before: tuple[Point, ...]
    no_sooner: tuple[tuple[Point, int], ...]
    no_later: tuple[tuple[Point, int], ...]
    differs: tuple[int, ...]
    """Registers with which the rows of an all-different repetition may share no value."""
    not_arrival: bool
    """The arrival does not stand here: the plan anchored at this leaf finds those."""
    checks: tuple[Check, ...]
    implied: tuple[Holds, ...]
    """Equalities that the key stands for; to be tested where values cannot be looked up."""
    takes_arrival: bool = False
    """Of a run: the arrival, which stands in register 0, is one of its events, whichever."""
    span: int | None = None
    """Of a run: how much time there is at most from its start to its end, in microseconds."""
    anchors: str = ""
    """For a run that has the arrival in it: `first`, the one that it completes, or `every` one."""


@dataclass(frozen=True)
class Absent:
    """Searches that must find nothing. `of_run`: not even where others would see what is used up."""

    searches: tuple[tuple[Step, ...], ...]
    of_run: bool = False


Check = Before | Due | Holds | Stamped | Absent | Consecutive | StillInARow


@dataclass(frozen=True)
class SearchPlan:
    """A search: the first `given` registers are filled, the steps fill the rest.

    Where the arrival may be any event of a run, register 0 has it besides, and the branch has others.

    `in_order` is of use to arrivals that are not late. `ascending`: rows are chosen in order of time, so that what is
    found first is the chronologically oldest.
    """

    anchor: Leaf | None
    given: int
    numbers: tuple[int, ...]
    """The register of the plan for each register of the branch."""
    checks: tuple[Check, ...]
    steps: tuple[Step, ...]
    in_order: bool
    ascending: bool
