"""Random patterns: every shape that the engine searches by itself, nested in one another, with guards inside."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from tests.engine.guarding import Guarding, selecting
from tests.engine.worlds import ATTRIBUTES, World
from tocsin.algebra.aggregates import INCREMENTAL
from tocsin.algebra.guards import COMPARISONS, Attribute, Binary, Call, Guard, Literal, Reference
from tocsin.algebra.names import bound, repeated, visible
from tocsin.algebra.patterns import (
    Absence,
    Accumulate,
    After,
    Aggregate,
    AnyEvent,
    At,
    AtInstant,
    Between,
    Both,
    Concurrent,
    Either,
    Every,
    Instant,
    Named,
    Never,
    Pattern,
    Precedence,
    Primitive,
    Repeat,
    Sequence,
    Streak,
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
    return Sequence(
        parts,
        {"sequence": Precedence.ENDS, "gap": Precedence.GAP, "global": Precedence.GLOBAL, "weak": Precedence.WEAK}[
            shape
        ],
    )


def _both(s: Shaping, depth: int) -> Pattern:
    return s.perhaps_guarded(Both(s.two_parts(depth)))


def _either(s: Shaping, depth: int) -> Pattern:
    return s.perhaps_guarded(Either(s.two_parts(depth)), 0.25)


def _sequence(s: Shaping, depth: int) -> Pattern:
    return s.perhaps_guarded(Sequence(s.two_parts(depth)))


def _global(s: Shaping, depth: int) -> Pattern:
    return s.perhaps_guarded(Sequence(s.two_parts(depth), Precedence.GLOBAL))


def _gap(s: Shaping, depth: int) -> Pattern:
    in_gap, s.in_gap = s.in_gap, True
    parts = s.two_parts(depth)
    s.in_gap = in_gap
    return s.perhaps_guarded(Sequence(parts, Precedence.GAP))


def _concurrent(s: Shaping, depth: int) -> Pattern:
    left, right = s.two_parts(depth)[:2]
    return s.perhaps_guarded(Concurrent(left, right), 0.25)


def _absence(
    s: Shaping, depth: int, order: Precedence = Precedence.ENDS, *, selects: bool = False, composite: bool = False
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


def _run(s: Shaping, depth: int) -> Pattern:
    """`E*n`, `E*[n,m]` of an event, in a window at times."""
    random = s.random
    least = random.choice((1, 2, 2, 3))
    most = least + random.choice((0, 0, 0, 1, 2))
    s.leaves += least
    inner: Pattern = Named(s.name(), Primitive(random.choice(s.types))) if random.random() < 0.7 else s.leaf()
    if random.random() < 0.2:
        inner = s.guarded(inner)
    group = tuple(random.sample(ATTRIBUTES, random.choice((1, 1, 2)))) if random.random() < 0.35 else ()
    made: Pattern = Repeat(inner, least, most, group)
    if random.random() < 0.3:
        other = s.leaf()
        made = Sequence((other, made) if random.random() < 0.5 else (made, other), Precedence.GAP)
    made = s.perhaps_guarded(made, 0.2)
    return Within(made, s.period()) if random.random() < 0.4 else made


def _run_of_several(s: Shaping, depth: int) -> Pattern:
    """`(a -> b)*2`, `(a | b)*[1,2]`, `(!a -> b)*2`, `(a -> (c & !b))*2`, in a window at times."""
    random = s.random
    in_gap, s.in_gap = s.in_gap, True
    parts = [s.leaf(), s.leaf()]
    kind = random.choice(("gap", "gap", "either", "both", "never", "sequence", "until", "until", "run"))
    inner: Pattern = Either(tuple(parts)) if kind == "either" else Both(tuple(parts))
    if kind in ("gap", "sequence"):
        inner = Sequence(tuple(parts), Precedence.GAP if kind == "gap" else Precedence.ENDS)
    elif kind == "never":
        inner = Sequence((_never(s, parts[:1]), parts[0]), Precedence.GAP)
    elif kind == "until":
        inner = Sequence((parts[0], _until(s, parts[1])), Precedence.GAP)
    elif kind == "run":
        s.leaves += 1
        inner = Sequence((Repeat(parts[0], 2, 2), parts[1]), Precedence.GAP)
    s.in_gap = in_gap
    inner = s.perhaps_guarded(s.perhaps_named(inner, 0.3 if kind == "until" else 0.15), 0.1)
    if kind == "until" and random.random() < 0.15:
        inner = s.perhaps_named(Repeat(inner, 1, random.choice((1, 2))), 0.3)
    least = random.choice((1, 1, 2))
    made: Pattern = Repeat(inner, least, least + random.choice((0, 0, 1)))
    if kind == "never" or (kind == "until" and random.random() < 0.5):
        parts = [made, s.leaf()] if kind == "until" else [s.leaf(), made]
        return Within(Sequence(tuple(parts), Precedence.GAP), s.world.scale.period(random, 6))
    if kind == "until":
        return Within(made, s.world.scale.period(random, 8))
    made = s.perhaps_named(made, 0.2)
    return Within(made, s.world.scale.period(random, 8)) if random.random() < 0.4 else made


def _until(s: Shaping, beside: Pattern) -> Pattern:
    """What is fluid at its end: a negation, or one beside something, or after it."""
    made = s.random.choice(("alone", "alone", "both", "both turned", "after", "either"))
    match made:
        case "both":
            return Both((beside, _seldom(s)))
        case "both turned":
            return Both((_seldom(s), beside))
        case "after":
            return Sequence((beside, _seldom(s)), Precedence.GAP)
        case "either":
            return Either((_seldom(s), beside))
    return _seldom(s)


def _any_of(s: Shaping, depth: int) -> Pattern:
    """So many events, whatever they carry."""
    count = s.random.choice((1, 2, 2, 3))
    s.leaves += count
    return Times(count, s.perhaps_named(Primitive(s.random.choice(s.types)), 0.7), None, True)


def _streak(s: Shaping, depth: int, *, different: bool = False, once: bool = False) -> Pattern:
    """A run in words: per group or not, of what a guard lets through or not, no longer than a period or of any length."""
    random = s.random
    count = random.choice((1, 2, 2, 3))
    s.leaves += count
    inner: Pattern = s.perhaps_named(AnyEvent() if random.random() < 0.1 else Primitive(random.choice(s.types)), 0.8)
    if random.random() < 0.3:
        inner = s.guarded(inner)
    attributes = random.sample(ATTRIBUTES, min(len(ATTRIBUTES), random.choice((0, 1, 1, 2, 3))))
    other = random.choice(ATTRIBUTES) if different else None
    same = tuple(each for each in attributes if each != other)
    return Streak(count, inner, same, other, s.period() if random.random() < 0.6 else None, once)


def _aggregate(s: Shaping, depth: int, *, back: bool = False) -> Pattern:
    """An aggregate over a window: of one attribute or two, per group or not, aligned, with a gap, each time or once."""
    random = s.random
    s.leaves += 2
    name = s.name()
    inner: Pattern = Named(name, AnyEvent() if random.random() < 0.1 else Primitive(random.choice(s.types)))
    if random.random() < 0.3:
        inner = s.guarded(inner)
    condition = _compared_aggregates(random, name, back=back)
    if random.random() < 0.25:
        operator = random.choice(("&&", "||"))
        condition = Binary(operator, condition, _compared_aggregates(random, name, back=False))
    attributes = random.sample(ATTRIBUTES, min(len(ATTRIBUTES), random.choice((0, 1, 1, 2))))
    period = s.world.scale.fixed(random)
    gap = s.world.scale.fixed(random) if not back and random.random() < 0.2 else None
    aligned = gap is None and random.random() < 0.25
    return Aggregate(inner, condition, period, tuple(attributes), aligned, gap, random.random() < 0.4)


def _compared_aggregates(random: Random, name: str, *, back: bool) -> Guard:
    function = random.choice(("count", "count", *INCREMENTAL))
    told: Guard = Attribute(name, random.choice(ATTRIBUTES))
    if function == "count" and random.random() < 0.7:
        told = Reference(name)
    asked = Call(function, (told, Literal(random.choice((0, 30, 90)))) if function == "percentile" else (told,))
    least: Guard = Literal(random.choice((0, 1, 1, 2, 2, 3, 0.5)))
    if back:
        least = Binary("+", Call("previous", (asked,)), Literal(random.choice((0, 1, 0.5))))
    return Binary(random.choice(COMPARISONS), asked, least)


def _weak(s: Shaping, depth: int) -> Pattern:
    return s.perhaps_guarded(Sequence(s.two_parts(depth), Precedence.WEAK))


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


def _repeated(s: Shaping) -> Pattern:
    """Several events of a kind, right inside a window: it must hold all of them."""
    return s.pattern(
        1, s.random.choice(("streak", "streak different", "burst", "times same", "times different", "run"))
    )


def _within(s: Shaping, depth: int) -> Pattern:
    in_gap, s.in_gap = s.in_gap, True
    shape = s.random.choice(("gap", "gap", "both", "either", None))
    inner = _repeated(s) if s.random.random() < 0.15 else s.pattern(max(depth - 1, 0), shape)
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
    inner: Pattern = Sequence(tuple(parts), Precedence.GAP)
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
    inner: Pattern = Sequence(tuple(made), Precedence.GAP)
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


def _fixed(s: Shaping, depth: int, *, never: bool = False) -> Pattern:
    """`E at [t1, t2]`, with something absent at times: at its end (`never`: always), at its start, or beside E."""
    random, scale = s.random, s.world.scale
    start = scale.at(random.randint(-1, 4))
    stop = max(start, scale.at(random.choice((1, 2, 3, 3, 4, 4, 5, 6, 7, 9))))
    in_gap, s.in_gap = s.in_gap, True
    parts = [_repeated(s)] if random.random() < (0.2 if never else 0.4) else _parts_of_gap(s, depth)
    chance = random.random() * (0.4 if never else 1)
    absent = _seldom(s) if random.random() < 0.5 else _never(s, parts)
    inner: Pattern = Sequence(tuple(parts), Precedence.GAP) if len(parts) > 1 else parts[0]
    if chance < 0.25:
        inner = Sequence((*parts, absent), Precedence.GAP)
    elif chance < 0.4:
        inner = Both((inner, absent))
    elif chance < 0.5:
        inner = Sequence((absent, *parts), Precedence.GAP)
    s.in_gap = in_gap
    made = s.perhaps_named(Between(s.perhaps_guarded(inner, 0.2), start, stop), 0.15)
    if random.random() < 0.8:
        return made
    other = s.leaf()
    return _combined(random.choice(("gap", "both")), (made, other) if random.random() < 0.5 else (other, made))


def _both_never(s: Shaping, depth: int) -> Pattern:
    """`c -> (a & !b) -> d`, or in a window, or at its end."""
    random = s.random
    in_gap, s.in_gap = s.in_gap, True
    first, last, beside = s.leaf(), s.leaf(), s.leaf()
    inner = Both((beside, _seldom(s)))
    s.in_gap = in_gap
    middle: Pattern = s.perhaps_named(inner, 0.3)
    period = s.world.scale.period(random, 8)
    chance = random.random()
    if chance < 0.25:
        return s.perhaps_guarded(Sequence((first, middle, last), Precedence.GAP), 0.1)
    parts = (first, middle) if chance < 0.65 else (middle, last)
    return Within(s.perhaps_guarded(Sequence(parts, Precedence.GAP), 0.1), period)


def _seldom(s: Shaping) -> Never:
    """A negation of what does not come often: of one value."""
    name = s.name()
    absent: Pattern = Named(name, s.event())
    return Never(Where(absent, Binary("==", Attribute(name, "k"), Literal(s.random.randint(0, 2)))))


def _window_inside(s: Shaping, depth: int) -> Pattern:
    """An open part with a window of its own, beside others, in a window or not."""
    random = s.random
    in_gap, s.in_gap = s.in_gap, True
    beside, one = s.leaf(), s.leaf()
    s.in_gap = in_gap
    inner = Sequence((one, _seldom(s)) if random.random() < 0.6 else (_seldom(s), one), Precedence.GAP)
    within: Pattern = Within(s.perhaps_guarded(inner, 0.1), s.period())
    parts = (beside, within) if random.random() < 0.6 else (within, beside)
    whole: Pattern = Sequence(parts, Precedence.GAP) if random.random() < 0.9 else Both(parts)
    return Within(whole, s.world.scale.period(random, 9)) if random.random() < 0.4 else whole


def _hanging(s: Shaping, depth: int) -> Pattern:
    """`E -> (!F in w)` and `(!F in w) -> E`: a window that hangs on a neighbour."""
    random = s.random
    in_gap, s.in_gap = s.in_gap, True
    parts = _parts_of_gap(s, depth)
    absent: Pattern = _seldom(s) if random.random() < 0.6 else _never(s, parts)
    chance = random.random()
    if chance < 0.3:
        beside = _repeated(s) if chance < 0.05 else s.leaf()
        absent = Both((absent, beside) if chance < 0.2 else (beside, absent))
    elif chance < 0.45:
        absent = Sequence((absent, s.leaf(), _seldom(s)), Precedence.GAP)
    elif chance < 0.5:
        absent = Either((absent, s.leaf()))
    s.in_gap = in_gap
    hung = Within(absent, s.period())
    if random.random() < 0.2:  # and something absent at the other end of a window around it
        others = (_seldom(s), parts[0], hung) if random.random() < 0.6 else (hung, parts[0], _seldom(s))
        return Within(Sequence(others, Precedence.GAP), s.world.scale.period(random, 8))
    whole: Pattern = Sequence((*parts, hung) if random.random() < 0.7 else (hung, parts[0]), Precedence.GAP)
    whole = s.perhaps_named(s.perhaps_guarded(whole, 0.2), 0.2)
    if random.random() < 0.3:
        whole = Sequence((s.leaf(), whole), Precedence.GAP)
    return Within(whole, s.world.scale.period(random, 6)) if random.random() < 0.4 else whole


def _never_never(s: Shaping, depth: int) -> Pattern:
    """A negation inside a negation: `a -> !(b -> !c) -> d`, in a window or not."""
    random = s.random
    in_gap, s.in_gap = s.in_gap, True
    first, last = s.leaf(), s.leaf()
    inner = [s.leaf(), _never(s, [first, last])]
    if random.random() < 0.4:
        inner.reverse()
    s.in_gap = in_gap
    absent = Never(Sequence(tuple(inner), Precedence.GAP))
    chance = random.random()
    if chance < 0.5:
        whole: Pattern = Sequence((first, absent, last), Precedence.GAP)
        return whole if chance < 0.3 else Within(whole, s.period())
    return Within(Sequence((first, absent) if chance < 0.8 else (absent, last), Precedence.GAP), s.period())


def _absence_inside(s: Shaping, depth: int) -> Pattern:
    """003's absence inside a window or a gap."""
    order = s.random.choice((Precedence.ENDS, Precedence.GLOBAL))
    inner: Pattern = Absence(s.leaf(), s.leaf(), _seldom(s).pattern, None, order)
    if s.random.random() < 0.3:
        inner = _absence(s, max(depth - 1, 0), order, selects=s.random.random() < 0.3)
    if s.random.random() < 0.6:
        return Within(inner, s.world.scale.period(s.random, 8))
    parts = (s.leaf(), inner) if s.random.random() < 0.5 else (inner, s.leaf())
    return Sequence(parts, Precedence.GAP)


def _instant_inside(s: Shaping, depth: int) -> Pattern:
    """A window around an instant, or on one."""
    inner: Pattern = s.perhaps_named(_instant(s, depth), 0.3)
    if s.random.random() < 0.4:
        return Within(s.perhaps_guarded(inner, 0.3), s.period())
    parts = (s.leaf(), inner) if s.random.random() < 0.5 else (inner, s.leaf())
    return Within(s.perhaps_guarded(Sequence(parts, Precedence.GAP), 0.2), s.period())


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
    "absence by gap": lambda s, depth: _absence(s, depth, Precedence.GAP),
    "absence global": lambda s, depth: _absence(s, depth, Precedence.GLOBAL),
    "absence that selects": lambda s, depth: _absence(s, depth, selects=True),
    "absence of a composite": lambda s, depth: _absence(s, depth, composite=True),
    "accumulate": _accumulate,
    "times same": lambda s, depth: _times(s, depth, same=True),
    "times different": lambda s, depth: _times(s, depth, same=False),
    "times where": lambda s, depth: _times(s, depth, same=s.random.random() < 0.5, where=True),
    "run": _run,
    "run of several": _run_of_several,
    "any of": _any_of,
    "streak": _streak,
    "streak different": lambda s, depth: _streak(s, depth, different=True),
    "burst": lambda s, depth: _streak(s, depth, different=s.random.random() < 0.3, once=True),
    "aggregate over a window": _aggregate,
    "aggregate and the window before": lambda s, depth: _aggregate(s, depth, back=True),
    "weak": _weak,
    "absence weak": lambda s, depth: _absence(s, depth, Precedence.WEAK),
    "after": _after,
    "after of after": _after_twice,
    "instant": _instant,
    "within": _within,
    "within never": _within_never,
    "never between": _never_between,
    "never before": _never_before,
    "between": _fixed,
    "between never": lambda s, depth: _fixed(s, depth, never=True),
    "both never": _both_never,
    "window inside": _window_inside,
    "hanging window": _hanging,
    "never of never": _never_never,
    "absence inside": _absence_inside,
    "instant inside": _instant_inside,
}

TIMERS = ("at", "at instant", "every")
NOT_IN_GAPS = (
    "absence",
    "absence plain",
    "absence global",
    "absence weak",
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
    "run",
    "streak",
    "streak different",
    "burst",
    "aggregate over a window",
    "weak",
    "absence by gap",
    "never between",
    "within",
)
COMMON = (
    *("both", "sequence") * 4,
    *("either", "gap", "absence", "after") * 2,
    *("type", "where", "global", "concurrent", "absence that selects", "absence of a composite", "absence by gap"),
    *("streak", "streak different", "burst", "weak", "any of"),
    *("times same", "times different", "after of after", "instant", "within", "name of a composite"),
    *("within never", "never between", "never before", "run", "aggregate over a window"),
)
