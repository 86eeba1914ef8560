"""Patterns: the shapes of composite events. One class a shape, frozen and hashed, for all five papers.

Equal patterns are equal keys, so finding what two rules share is a dictionary look-up; where a pattern stood
in the text is no part of what it is. What the shapes mean is in `meaning.py`.

    leaves        Primitive  AnyEvent  At  Every
    names, tests  Named  Where
    combining     Both  Either  Sequence  Concurrent  Absence  Times  Repeat  Streak  Accumulate
    aggregates    Aggregate
    keys          By  Partitioned
    time          After  Instant  Within  Between
    free negation Never
    automata      Detector over Atom, Widened, Concatenation, Alternation, Iteration, Timing, Parallel

`Both`, `Either` and `Sequence` hold their operands flat where they associate to the left: `Sequence((a, b, c))`
is `(a ; b) ; c`. `a ; (b ; c)` is another pattern and stays nested.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import Any, cast

from tocsin.algebra.guards import Guard
from tocsin.errors import Span
from tocsin.time.calendar import TimePoint
from tocsin.time.spans import Period

WRITERS: list[Callable[[Pattern], str]] = []
"""How patterns are written. The languages put theirs here: they know the algebra, which does not know them."""


class Precedence(StrEnum):
    """What "followed by" compares (SEMANTICS section 1)."""

    ENDS = "ends"  # EPS, GEM `;`: E.end < F.end, overlap allowed
    GAP = "gap"  # SEL `->`: E.end < F.start
    GLOBAL = "global"  # 002 `;`: 2g-precedence; point order without that time model
    WEAK = "weak"  # `followed by or with`: E.end <= F.end, so that equal instants pass


@dataclass(frozen=True)
class Pattern:
    """Any pattern. `str(pattern)` is a text of a language that can say it."""

    span: Span | None = field(default=None, compare=False, repr=False, kw_only=True)

    def __str__(self) -> str:
        return WRITERS[0](self) if WRITERS else repr(self)


# -- leaves ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Primitive(Pattern):
    """An event of a type: a primitive, or the composite of the rule of that name. `site`: 002's `type@site`."""

    type: str
    site: str | None = None


@dataclass(frozen=True)
class AnyEvent(Pattern):
    """GEM's `*`: an event of any declared class."""


@dataclass(frozen=True)
class At(Pattern):
    """A time event: once at an exact time point, again and again at a partial one."""

    point: TimePoint


@dataclass(frozen=True)
class AtInstant(Pattern):
    """EPS's absolute timer, `at(2026/11/15 20:00:00)`: once, if it is not past when the rule is registered."""

    instant: int


@dataclass(frozen=True)
class Every(Pattern):
    """A periodic time event; the first period starts when the rule is enabled."""

    period: Period


# -- names and tests ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Named(Pattern):
    """`x:e`: e, and guards and actions may call it x. A class name that occurs once names itself."""

    name: str
    pattern: Pattern


@dataclass(frozen=True)
class Where(Pattern):
    """`e when g`: the occurrences of e for which g holds."""

    pattern: Pattern
    guard: Guard


# -- combining ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Both(Pattern):
    """All parts, in any order."""

    parts: tuple[Pattern, ...]


@dataclass(frozen=True)
class Either(Pattern):
    """Any one of the parts."""

    parts: tuple[Pattern, ...]


@dataclass(frozen=True)
class Sequence(Pattern):
    """Each part after the ones before it."""

    parts: tuple[Pattern, ...]
    order: Precedence = Precedence.ENDS


@dataclass(frozen=True)
class Concurrent(Pattern):
    """002's `a || b`: neither before the other under 2g-precedence; equal instants without that model."""

    left: Pattern
    right: Pattern


@dataclass(frozen=True)
class Absence(Pattern):
    """`{first ; last} ! without` (003) and `first ; NOT without ; last` (002): nothing of `without` between.

    `guard` is the one written directly on the expression. If it names a variable of `without` it selects which
    occurrences cancel, tested with first and that one bound; then it decides, with `without` unbound.
    """

    first: Pattern
    last: Pattern
    without: Pattern
    guard: Guard | None = None
    order: Precedence = Precedence.ENDS


@dataclass(frozen=True)
class Times(Pattern):
    """000's TimesEq (`same`) and TimesDf: any `count` events with one value, or all different ones, of `attribute`.

    Without an attribute just any `count` events, which are then the `same`.
    """

    count: int
    pattern: Pattern
    attribute: str | None
    same: bool


@dataclass(frozen=True)
class Repeat(Pattern):
    """004's `E*n` and `E*[n,m]`: runs of consecutive, non-overlapping occurrences.

    `same`: the attributes whose values make a group, each with runs of its own.
    """

    pattern: Pattern
    least: int
    most: int
    same: tuple[str, ...] = ()


@dataclass(frozen=True)
class Streak(Pattern):
    """`a 3 times with the same k within w`, in words: `count` events of one group in a row, in order of time.

    `same`: the attributes whose values make a group. `different`: of each of its values only the latest counts.
    `period`: how long it may last. `once`: `at least 3 times`, told when a group reaches the count, and not again
    until it has fallen below.
    """

    count: int
    pattern: Pattern
    same: tuple[str, ...] = ()
    different: str | None = None
    period: Period | None = None
    once: bool = False


@dataclass(frozen=True)
class Aggregate(Pattern):
    """`count(a by k) >= 5 within w`, in words: an event with which `guard` holds for a window of its group.

    `guard` speaks of aggregates over the events of the window, which ends with the event. `same`: the attributes
    whose values make a group. The window is the last `period`; `aligned`: since the last multiple of it. It begins
    anew after a `gap`. Told where the guard holds with the event and not without it; `each`: wherever it holds.
    """

    pattern: Pattern
    guard: Guard
    period: Period
    same: tuple[str, ...] = ()
    aligned: bool = False
    gap: Period | None = None
    each: bool = False


@dataclass(frozen=True)
class Accumulate(Pattern):
    """002's `a * b`: b with all (zero or more) unconsumed a before it."""

    each: Pattern
    last: Pattern


@dataclass(frozen=True)
class By(Pattern):
    """`... by ip`: all events of a pattern, those that must be absent included, have equal values of `attributes`."""

    pattern: Pattern
    attributes: tuple[str, ...]


@dataclass(frozen=True)
class Partitioned(Pattern):
    """`... partition by user`: a pattern of its own for each value of `attributes`. It stands around a whole rule.

    A rule takes it off its pattern and keeps the attributes (`Rule.partition`).
    """

    pattern: Pattern
    attributes: tuple[str, ...]


# -- time --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class After(Pattern):
    """`e + [t]`: occurs t after e. `instant`: 004's `e delta t`, which also starts there."""

    pattern: Pattern
    period: Period
    instant: bool = False


@dataclass(frozen=True)
class Instant(Pattern):
    """004's `{E}`: E as if it had happened at one instant, its end."""

    pattern: Pattern


@dataclass(frozen=True)
class Within(Pattern):
    """004's sliding window, `E in w`: forward from E's start if that end is rigid, else backward from its end."""

    pattern: Pattern
    period: Period


@dataclass(frozen=True)
class Between(Pattern):
    """004's fixed window, `E at [t1, t2]`, both edges included."""

    pattern: Pattern
    start: int
    stop: int


@dataclass(frozen=True)
class Never(Pattern):
    """004's `!E`: no E in the stretch of time that its surroundings leave it."""

    pattern: Pattern


# -- automata (001): what an atom accepts and looks at, and expressions over atoms ----------------------------


THIS = "this"
"""The variable that a filter's own event has: `[Door(room = 'FE02')]` tests `this.room`."""


@dataclass(frozen=True)
class EventSet:
    """A describable set of events (001 appendix A.2)."""

    span: Span | None = field(default=None, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True)
class Described(EventSet):
    """Events of one type that pass a filter; `name` lets later filters speak of the event."""

    type: str
    guard: Guard | None = None
    name: str | None = None


@dataclass(frozen=True)
class Everything(EventSet):
    """The maximal set, without time events and without what other rules detect, unless it is `named`."""

    named: tuple[str, ...] = ()
    """Types that the atom around it, or its set, speaks of: what rules of these names detect belongs to it."""


@dataclass(frozen=True)
class Union(EventSet):
    """Events in any of the sets."""

    sets: tuple[EventSet, ...]


@dataclass(frozen=True)
class Intersection(EventSet):
    """Events in all of the sets."""

    sets: tuple[EventSet, ...]


@dataclass(frozen=True)
class Complement(EventSet):
    """Events of the atom's domain that are not in the set."""

    set: EventSet


@dataclass(frozen=True)
class Atom(Pattern):
    """`[A, B in S]`: one event of `accepts`; any other of `domain` fails the branch. `[A]` is `[A in A]`."""

    accepts: EventSet
    domain: EventSet | None = None


@dataclass(frozen=True)
class Widened(Pattern):
    """`[C in S]`: the expression C with every state looking at S too."""

    pattern: Pattern
    domain: EventSet


@dataclass(frozen=True)
class Concatenation(Pattern):
    """`C1 C2` (weak) and `C1 ; C2` (strong)."""

    parts: tuple[Pattern, ...]
    strong: bool


@dataclass(frozen=True)
class Alternation(Pattern):
    """`C1 | C2` inside an automaton: the states are shared, so a failure of one branch may fail the other."""

    parts: tuple[Pattern, ...]


@dataclass(frozen=True)
class Iteration(Pattern):
    """`C*`: any number of C, zero included. `C+`, `C?`, `C{2,5}`: at least `least` and at most `most`."""

    pattern: Pattern
    least: int = 0
    most: int | None = None

    @property
    def copies(self) -> int:
        """How often C stands in the automaton: as often as it can be told from one more."""
        return max(self.least, 1) if self.most is None else self.most


@dataclass(frozen=True)
class Timing(Pattern):
    """`(C1, C2){T = t}`: C1 then C2, where C2 also sees a time event T, t after C1."""

    first: Pattern
    second: Pattern
    timer: str
    when: Period | int


@dataclass(frozen=True)
class Parallel(Pattern):
    """`C1 || C2`: two detectors; an occurrence of either pairs with the first of the other completed after it."""

    left: Pattern
    right: Pattern


class Run(StrEnum):
    """When an automaton begins anew (SEMANTICS, CORE)."""

    EVERY = "every"
    AGAIN = "again"
    ONCE = "once"
    NEXT = "to next"
    PAST = "past last"
    FIRST = "to first"
    LAST = "to last"

    @property
    def skips(self) -> bool:
        """Whether an attempt begins with every event, and what is detected ends some of those under way."""
        return self in (Run.NEXT, Run.PAST, Run.FIRST, Run.LAST)

    @property
    def has_step(self) -> bool:
        """Whether it says to which step it skips."""
        return self in (Run.FIRST, Run.LAST)


@dataclass(frozen=True)
class Automaton(Pattern):
    """A core expression as one pattern: an automaton of its own, in the given kind of run.

    `step`: the variable to whose first or last event a run skips.
    """

    pattern: Pattern
    run: Run = Run.EVERY
    step: str = field(default="", repr=False)

    @property
    def shown_run(self) -> str:
        """The run as people write it."""
        return f"{self.run} {self.step}" if self.step else str(self.run)


def around(pattern: Pattern, make: Callable[[Pattern], Pattern]) -> Pattern:
    """What `make` makes of a pattern; a partition stays around it."""
    if isinstance(pattern, Partitioned):
        return replace(pattern, pattern=make(pattern.pattern))
    return make(pattern)


# -- going through a pattern -------------------------------------------------------------------------------


_FIELDS: dict[type[Pattern], tuple[str, ...]] = {}


def _field_names(pattern: Pattern) -> tuple[str, ...]:
    """The fields of a pattern; kept, for they are asked for at every step through every pattern."""
    kind = type(pattern)
    found = _FIELDS.get(kind)
    if found is None:
        found = _FIELDS[kind] = tuple(f.name for f in fields(pattern))
    return found


def children(pattern: Pattern) -> tuple[Pattern, ...]:
    """The patterns directly inside, in the order they are written."""
    known = pattern.__dict__.get("_children")
    if known is None:
        known = pattern.__dict__["_children"] = _children(pattern)
    return cast(tuple[Pattern, ...], known)


def _children(pattern: Pattern) -> tuple[Pattern, ...]:
    found: list[Pattern] = []
    for name in _field_names(pattern):
        value = getattr(pattern, name)
        if isinstance(value, Pattern):
            found.append(value)
        elif isinstance(value, tuple):
            found.extend(item for item in value if isinstance(item, Pattern))
    return tuple(found)


def walk(pattern: Pattern) -> Iterator[Pattern]:
    """`pattern` and every pattern inside it, outermost and leftmost first.

    A pattern never changes, and is walked through again and again while it is checked, planned and built: what is
    found is kept with it, out of sight of `==`, `repr` and `replace`.
    """
    known = pattern.__dict__.get("_walked")
    if known is None:
        found: list[Pattern] = []
        ahead = [pattern]
        while ahead:
            part = ahead.pop()
            found.append(part)
            ahead.extend(reversed(children(part)))
        known = pattern.__dict__["_walked"] = tuple(found)
    return iter(cast(tuple[Pattern, ...], known))


def rebuild(pattern: Pattern, change: Callable[[Pattern], Pattern]) -> Pattern:
    """`pattern` with `change` applied to each pattern directly inside it."""
    changed: dict[str, Any] = {}
    for name in _field_names(pattern):
        value = getattr(pattern, name)
        if isinstance(value, Pattern):
            changed[name] = change(value)
        elif isinstance(value, tuple) and value and isinstance(value[0], Pattern):
            # A loop, not a comprehension: patterns nest deeply, and a comprehension would be one frame more a level.
            made: list[Pattern] = []
            for item in value:
                made.append(change(cast(Pattern, item)))  # noqa: PERF401 - see above
            changed[name] = tuple(made)
    return replace(pattern, **changed) if changed else pattern
