"""Random patterns: every shape that the engine searches by itself, nested in one another, with guards inside."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from tests.engine.guarding import Guarding, selecting
from tests.engine.worlds import ATTRIBUTES, World
from tocsin.algebra.guards import Guard
from tocsin.algebra.names import bound, repeated, visible
from tocsin.algebra.patterns import (
    Absence,
    Accumulate,
    After,
    AnyEvent,
    At,
    AtInstant,
    Both,
    Concurrent,
    Either,
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
)
from tocsin.time.calendar import parse_time_point
from tocsin.time.periods import Period

GUARD = "guard: "
"""Before the kind of a guard, where a pattern must have one."""


@dataclass
class Shaping:
    """Draws patterns of a world. `names` may be told what other types there are: of rules, or made by them."""

    world: World
    types: tuple[str, ...] = ()
    most_leaves: int = 5
    leaves: int = 0
    next_name: int = 0
    in_gap: bool = False
    """Inside a gap sequence or a window, where only some shapes are searched by the engine."""
    guarding: Guarding = field(init=False)

    def __post_init__(self) -> None:
        self.random = self.world.random
        self.guarding = Guarding(self.world)
        self.types = self.types or self.world.types

    # -- the choice of shapes ----------------------------------------------------------------------------------

    def containing(self, shape: str, depth: int) -> Pattern:
        """A pattern that has a shape (or a kind of guard) somewhere."""
        if depth > 1 and self.random.random() < 0.3:
            return self._around(depth - 1, shape)
        if shape.startswith(GUARD):
            return _with_guard(self, depth, shape.removeprefix(GUARD))
        return _with_timer(self, shape) if shape in TIMERS else SHAPES[shape](self, depth)

    def pattern(self, depth: int, shape: str | None = None) -> Pattern:
        """A pattern no deeper than `depth`, mostly."""
        if shape is not None:
            return SHAPES[shape](self, depth)
        left = self.most_leaves - self.leaves
        if depth <= 0 or left <= 1:
            return self.leaf()
        shapes = IN_GAPS if self.in_gap and self.random.random() < 0.95 else COMMON
        return SHAPES[self.random.choice(shapes)](self, depth)

    def _around(self, depth: int, shape: str) -> Pattern:
        """The shape as one part of something."""
        random = self.random
        kinds = ("both", "sequence", "sequence", "gap", "after", "name", "concurrent")
        kind = random.choice(("both", "sequence") if shape in NOT_IN_GAPS else kinds)
        in_gap, self.in_gap = self.in_gap, kind == "gap"
        inner = self.containing(shape, depth)
        others = [self.pattern(random.randint(0, depth - 1)) for _ in range(random.choice((1, 1, 2)))]
        self.in_gap = in_gap
        match kind:
            case "after":
                return After(inner, self.period())
            case "name":
                return self.perhaps_guarded(Named(self.name(), inner))
            case "concurrent":
                return Concurrent(others[0], inner)
        parts = [inner, *others]
        random.shuffle(parts)
        return self.perhaps_guarded(_combined(kind, tuple(parts)))

    # -- leaves ------------------------------------------------------------------------------------------------

    def leaf(self) -> Pattern:
        """Mostly an event of a type, mostly named."""
        self.leaves += 1
        chance = self.random.random()
        if chance < 0.03:
            return self.perhaps_named(self._timer(), 0.5)
        if chance < 0.08:
            self.leaves += 1
            return self.perhaps_named(AnyEvent(), 0.7)
        site = self.random.choice(("s", "t")) if chance < 0.12 else None
        return self.perhaps_named(Primitive(self.random.choice(self.types), site), 0.75)

    def _timer(self) -> Pattern:
        return SHAPES[self.random.choice(("at", "at instant", "every"))](self, 0)

    def event(self) -> Pattern:
        """A leaf that is no time event."""
        self.leaves += 1
        return Primitive(self.random.choice(self.types))

    def perhaps_named(self, pattern: Pattern, chance: float) -> Pattern:
        """The pattern, perhaps with a name."""
        return Named(self.name(), pattern) if self.random.random() < chance else pattern

    def name(self) -> str:
        """A name not used before."""
        self.next_name += 1
        return f"x{self.next_name}"

    def period(self) -> Period:
        """A short period."""
        return self.world.scale.period(self.random)

    # -- guards ------------------------------------------------------------------------------------------------

    def perhaps_guarded(self, pattern: Pattern, chance: float = 0.3) -> Pattern:
        """The pattern, perhaps with a guard on what it names."""
        if self.random.random() >= chance:
            return pattern
        return self.guarded(pattern)

    def guarded(self, pattern: Pattern, kind: str | None = None) -> Pattern:
        """The pattern with a guard of one kind, or of some kinds."""
        guard = self.guard_on(visible(pattern), repeated(pattern), kind)
        return pattern if guard is None else Where(pattern, guard)

    def guard_on(self, names: dict[str, Pattern], several: set[str], kind: str | None = None) -> Guard | None:
        """A guard on some variables."""
        guarding = self.over(names, several)
        if guarding.is_empty:
            return None
        return guarding.guard(kind if kind in guarding.kinds() else None)

    def over(self, names: dict[str, Pattern], several: set[str]) -> Guarding:
        """The variables by what guards can ask of them."""
        events = [name for name, part in names.items() if name not in several and _is_event(part)]
        wholes = [name for name in names if name not in several]
        return self.guarding.over(events, wholes, [name for name in names if name in several])

    def two_parts(self, depth: int, least: int = 2) -> tuple[Pattern, ...]:
        """Parts of a combination."""
        count = max(least, self.random.choice((2, 2, 2, 3)))
        return tuple(self.pattern(self.random.randint(0, depth - 1) if depth else 0) for _ in range(count))


def _is_event(part: Pattern) -> bool:
    while isinstance(part, Named | Where):
        part = part.pattern
    return isinstance(part, Primitive)


# -- shapes, by name ------------------------------------------------------------------------------------------------


def _site(s: Shaping, depth: int) -> Pattern:
    s.leaves += 1
    return s.perhaps_named(Primitive(s.random.choice(s.types), s.random.choice(("s", "t"))), 0.7)


def _any(s: Shaping, depth: int) -> Pattern:
    s.leaves += 2
    return s.perhaps_named(AnyEvent(), 0.7)


def _at(s: Shaping, depth: int) -> Pattern:
    s.leaves += 1
    scale, random = s.world.scale, s.random
    if scale.has_months:
        return At(parse_time_point(random.choice(("12:00 Fri", "12:00 31/-/-", "12:00 28/-/-", "0:00 -/2/-"))))
    text = f"0:00:0{random.randint(0, 6)}"
    return At(parse_time_point(text if random.random() < 0.6 else f"{text} 1/1/70"))


def _at_instant(s: Shaping, depth: int) -> Pattern:
    s.leaves += 1
    return AtInstant(s.world.scale.at(s.random.randint(0, 7)))


def _every(s: Shaping, depth: int) -> Pattern:
    s.leaves += 1
    return Every(s.world.scale.period(s.random, 3))


def _with_timer(s: Shaping, shape: str) -> Pattern:
    """A timer with something beside it, or alone."""
    timer = s.perhaps_named(SHAPES[shape](s, 0), 0.4)
    chance = s.random.random()
    if chance < 0.2:
        return timer
    parts = [timer, s.leaf()]
    s.random.shuffle(parts)
    if chance < 0.6:
        return s.perhaps_guarded(Sequence(tuple(parts)))
    return s.perhaps_guarded(Both(tuple(parts))) if chance < 0.9 else Concurrent(parts[0], parts[1])


def _named(s: Shaping, depth: int) -> Pattern:
    shape = "gap" if s.in_gap else s.random.choice(("both", "sequence", "sequence", "absence", "after"))
    inner = Named(s.name(), SHAPES[shape](s, max(depth - 1, 1)))
    other = s.leaf()
    parts = (inner, other) if s.random.random() < 0.5 else (other, inner)
    return s.perhaps_guarded(Both(parts) if s.random.random() < 0.4 else Sequence(parts), 0.7)


def _where(s: Shaping, depth: int) -> Pattern:
    return s.guarded(s.pattern(depth - 1, "both" if s.random.random() < 0.5 else "gap" if s.in_gap else "sequence"))


def _with_guard(s: Shaping, depth: int, kind: str) -> Pattern:
    """Something with a guard of a kind."""
    if kind == "aggregate":
        return s.guarded(_times(s, 0, same=s.random.random() < 0.5, named=True), kind)
    shape = s.random.choice(("both", "sequence", "sequence", "gap", "global"))
    parts: list[Pattern] = [Named(s.name(), s.event()) for _ in range(s.random.choice((2, 2, 2, 3)))]
    if s.random.random() < 0.2:
        parts.append(s.pattern(depth - 1))
    return s.perhaps_guarded(s.guarded(_combined("gap" if s.in_gap else shape, tuple(parts)), kind), 0.1)


def _combined(shape: str, parts: tuple[Pattern, ...]) -> Pattern:
    if shape == "both":
        return Both(parts)
    return Sequence(parts, {"sequence": Order.ENDS, "gap": Order.GAP, "global": Order.GLOBAL}[shape])


def _both(s: Shaping, depth: int) -> Pattern:
    return s.perhaps_guarded(Both(s.two_parts(depth)))


def _either(s: Shaping, depth: int) -> Pattern:
    return s.perhaps_guarded(Either(s.two_parts(depth)), 0.25)


def _sequence(s: Shaping, depth: int) -> Pattern:
    return s.perhaps_guarded(Sequence(s.two_parts(depth)))


def _global(s: Shaping, depth: int) -> Pattern:
    return s.perhaps_guarded(Sequence(s.two_parts(depth), Order.GLOBAL))


def _gap(s: Shaping, depth: int) -> Pattern:
    in_gap, s.in_gap = s.in_gap, True
    parts = s.two_parts(depth)
    s.in_gap = in_gap
    return s.perhaps_guarded(Sequence(parts, Order.GAP))


def _concurrent(s: Shaping, depth: int) -> Pattern:
    left, right = s.two_parts(depth)[:2]
    return s.perhaps_guarded(Concurrent(left, right), 0.25)


def _absence(
    s: Shaping, depth: int, order: Order = Order.ENDS, *, selects: bool = False, composite: bool = False
) -> Pattern:
    first, last = s.two_parts(depth)[:2]
    if composite:
        without = s.pattern(1, s.random.choice(("both", "sequence", "either", "absence plain", "times same", "after")))
    else:
        without = s.perhaps_guarded(Named(s.name(), s.event()), 0.25)
    guard: Guard | None = None
    absent = list(bound(without))
    if absent and (selects or s.random.random() < 0.15):
        inside = {**visible(first), **bound(without)}
        guard = selecting(s.over(inside, repeated(first) | repeated(without)), absent, s.random)
    elif s.random.random() < 0.15:
        guard = s.guard_on({**visible(first), **visible(last)}, repeated(first) | repeated(last))
    return s.perhaps_guarded(Absence(first, last, without, guard, order), 0.2)


def _accumulate(s: Shaping, depth: int) -> Pattern:
    each, last = s.two_parts(depth)[:2]
    return s.perhaps_guarded(Accumulate(each, last), 0.25)


def _plain_absence(s: Shaping, depth: int) -> Pattern:
    return Absence(s.event(), s.event(), s.event())


def _times(s: Shaping, depth: int, *, same: bool, where: bool = False, named: bool = False) -> Pattern:
    count = s.random.choice((1, 2, 2, 3))
    s.leaves += count
    inner: Pattern = Primitive(s.random.choice(s.types))
    attribute = s.random.choice(ATTRIBUTES)
    if where or s.random.random() < 0.3:
        inner = s.guarded(Named(s.name(), inner))
        if s.random.random() < 0.2:
            inner = s.guarded(Named(s.name(), inner))
    elif named or s.random.random() < 0.7:
        inner = Named(s.name(), inner)
    return Times(count, inner, attribute, same)


def _after(s: Shaping, depth: int) -> Pattern:
    inner = s.perhaps_named(s.pattern(s.random.randint(0, max(depth - 1, 0))), 0.1)
    return s.perhaps_named(After(inner, s.period(), s.random.random() < 0.3), 0.3)


def _after_twice(s: Shaping, depth: int) -> Pattern:
    inner: Pattern = After(s.pattern(max(depth - 2, 0)), s.period(), s.random.random() < 0.2)
    if s.random.random() < 0.5:
        inner = s.perhaps_guarded(Sequence((inner, s.leaf())) if s.random.random() < 0.5 else Both((inner, s.leaf())))
    return After(inner, s.period(), s.random.random() < 0.2)


def _instant(s: Shaping, depth: int) -> Pattern:
    in_gap, s.in_gap = s.in_gap, False
    inner = s.pattern(max(depth - 1, 0))
    s.in_gap = in_gap
    return Instant(inner)


def _within(s: Shaping, depth: int) -> Pattern:
    in_gap, s.in_gap = s.in_gap, True
    inner = s.pattern(max(depth - 1, 0), s.random.choice(("gap", "gap", "both", "either", None)))
    s.in_gap = in_gap
    return Within(s.perhaps_named(inner, 0.15), s.period())


def _parts_of_gap(s: Shaping, depth: int) -> list[Pattern]:
    """One or two parts of a sequence that a negation may stand beside."""
    parts = [s.pattern(s.random.choice((0, 0, max(depth - 2, 0))))]
    if s.random.random() < 0.4:
        parts.append(s.leaf())
    return parts


def _never(s: Shaping, parts: list[Pattern]) -> Never:
    """A negation among these parts: its guards may speak of them."""
    without = s.pattern(0) if s.random.random() < 0.7 else s.pattern(1)
    if s.random.random() < 0.4:
        names = {name: part for each in (*parts, without) for name, part in visible(each).items()}
        guard = s.guard_on(names, set().union(*(repeated(each) for each in (*parts, without))))
        without = without if guard is None else Where(without, guard)
    return Never(without)


def _windowed(s: Shaping, parts: list[Pattern]) -> Pattern:
    """A sequence in a window, with a guard around it at times."""
    inner: Pattern = Sequence(tuple(parts), Order.GAP)
    if s.random.random() < 0.25:
        inner = s.guarded(inner)
    return s.perhaps_named(Within(inner, s.period()), 0.2)


def _within_never(s: Shaping, depth: int) -> Pattern:
    """`E -> !F in w`, and `E -> !F -> G -> !H in w`."""
    in_gap, s.in_gap = s.in_gap, True
    parts = _parts_of_gap(s, depth)
    made = [*parts, _never(s, parts)]
    if len(parts) > 1 and s.random.random() < 0.2:
        made.insert(1, _never(s, parts))
    s.in_gap = in_gap
    return _windowed(s, made)


def _never_between(s: Shaping, depth: int) -> Pattern:
    """`E -> !F -> G`, in a window or not."""
    in_gap, s.in_gap = s.in_gap, True
    parts = [*_parts_of_gap(s, depth), s.leaf()]
    made = list(parts)
    for place in s.random.sample(range(1, len(parts)), s.random.randint(1, len(parts) - 1)):
        made.insert(made.index(parts[place]), _never(s, parts))
    s.in_gap = in_gap
    inner: Pattern = Sequence(tuple(made), Order.GAP)
    if s.random.random() < 0.3:
        inner = s.guarded(inner)
    return Within(inner, s.period()) if s.random.random() < 0.5 else inner


def _never_before(s: Shaping, depth: int) -> Pattern:
    """`!F -> E in w`."""
    in_gap, s.in_gap = s.in_gap, True
    parts = _parts_of_gap(s, depth)
    made = [_never(s, parts), *parts]
    if len(parts) > 1 and s.random.random() < 0.2:
        made.insert(2, _never(s, parts))
    s.in_gap = in_gap
    return _windowed(s, made)


Shape = Callable[[Shaping, int], Pattern]

SHAPES: dict[str, Shape] = {
    "type": lambda s, depth: s.leaf(),
    "type at site": _site,
    "any": _any,
    "at": _at,
    "at instant": _at_instant,
    "every": _every,
    "name of a composite": _named,
    "where": _where,
    "both": _both,
    "either": _either,
    "sequence": _sequence,
    "global": _global,
    "gap": _gap,
    "concurrent": _concurrent,
    "absence": _absence,
    "absence plain": _plain_absence,
    "absence by gap": lambda s, depth: _absence(s, depth, Order.GAP),
    "absence global": lambda s, depth: _absence(s, depth, Order.GLOBAL),
    "absence that selects": lambda s, depth: _absence(s, depth, selects=True),
    "absence of a composite": lambda s, depth: _absence(s, depth, composite=True),
    "accumulate": _accumulate,
    "times same": lambda s, depth: _times(s, depth, same=True),
    "times different": lambda s, depth: _times(s, depth, same=False),
    "times where": lambda s, depth: _times(s, depth, same=s.random.random() < 0.5, where=True),
    "after": _after,
    "after of after": _after_twice,
    "instant": _instant,
    "within": _within,
    "within never": _within_never,
    "never between": _never_between,
    "never before": _never_before,
}

TIMERS = ("at", "at instant", "every")
NOT_IN_GAPS = (
    "absence",
    "absence plain",
    "absence global",
    "absence that selects",
    "absence of a composite",
    "instant",
    "within never",
    "never before",
)
IN_GAPS = (
    "type",
    "gap",
    "gap",
    "both",
    "either",
    "concurrent",
    "times same",
    "times different",
    "absence by gap",
    "never between",
    "within",
)
COMMON = (
    *("both", "sequence") * 4,
    *("either", "gap", "absence", "after") * 2,
    *("type", "where", "global", "concurrent", "absence that selects", "absence of a composite", "absence by gap"),
    *("times same", "times different", "after of after", "instant", "within", "name of a composite"),
    *("within never", "never between", "never before"),
)
