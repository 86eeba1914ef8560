"""Random rules of one language and random logs: few types, instants and values, so that much happens at once."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from tocsin.algebra.checks import program_faults
from tocsin.algebra.guards import Attribute, Binary, End, Guard, Literal, Not, Now, Occurred, Start, conjuncts
from tocsin.algebra.names import bound, name_leaves, repeated, visible
from tocsin.algebra.patterns import (
    THIS,
    Absence,
    Accumulate,
    After,
    Alternation,
    AnyEvent,
    At,
    AtInstant,
    Atom,
    Automaton,
    Between,
    Both,
    Concatenation,
    Concurrent,
    Described,
    Either,
    Every,
    Everything,
    Instant,
    Named,
    Never,
    Pattern,
    Precedence,
    Primitive,
    Repeat,
    Run,
    Sequence,
    Times,
    Union,
    Where,
    Within,
)
from tocsin.algebra.rules import SEARCHED, Command, Context, Define, Enable, Program, Rule
from tocsin.algebra.rules import Order as Policy
from tocsin.events import Event
from tocsin.time.calendar import parse_time_point
from tocsin.time.spans import SECOND, Period

TYPES = ("a", "b", "c")
SHARED = ("both", "either", "sequence", "sequence", "named", "leaf")
SHAPES = {
    "gem": (*SHARED, "absence", "absence", "after", "where", "where", "any", "every", "at"),
    "eps": (*SHARED, "after", "times", "every", "instant of time"),
    "sel": (*SHARED, "negation", "negation", "delta", "instant", "repeat", "within", "within", "between", "where"),
    "pretty": (*SHARED, "negation", "absence", "delta", "repeat", "within", "where", "times", "any", "every"),
    "global": (*SHARED, "absence", "absence", "concurrent", "concurrent", "accumulate", "after", "site", "every"),
    "python": (*SHARED, "absence", "negation", "after", "delta", "instant", "repeat", "times", "within", "between",
               "where", "concurrent", "accumulate", "any", "every", "at", "site"),
    "core": ("atom",),
}  # fmt: skip
"""What the rules of each language are made of, as often as it stands there."""

ORDERS = {
    "gem": Precedence.ENDS,
    "eps": Precedence.ENDS,
    "sel": Precedence.GAP,
    "pretty": Precedence.GAP,
    "global": Precedence.GLOBAL,
}
COMPOSITE = "pair"
"""A rule that others use by name: what it makes lasts."""


class Drawing:
    """Draws the rules of one language."""

    def __init__(self, random: Random, language: str, types: tuple[str, ...] = TYPES) -> None:
        self.random, self.language, self.types = random, language, types
        self.names = 0
        self.leaves = 0

    def pattern(self, depth: int, shape: str | None = None) -> Pattern:
        """A pattern of the language, as its parser would make it."""
        if self.language == "core":
            return self._detector()
        whole = self._draw(depth, shape)
        if self.language == "python":
            return whole
        return name_leaves(whole)

    def _draw(self, depth: int, shape: str | None = None) -> Pattern:
        if depth <= 0 or self.leaves > 4:
            return self._leaf()
        shape = shape or self.random.choice(SHAPES[self.language])
        return self._combined(depth, shape) or self._single(depth, shape) or self._leaf()

    def _parts(self, depth: int, most: int = 3) -> tuple[Pattern, ...]:
        return tuple(self._draw(self.random.randint(0, depth - 1)) for _ in range(self.random.choice((2, 2, most))))

    def _order(self) -> Precedence:
        return ORDERS.get(self.language) or self.random.choice(list(Precedence))

    def _combined(self, depth: int, shape: str) -> Pattern | None:
        draw = self._draw
        match shape:
            case "both":
                return _flat(Both(self._parts(depth)))
            case "either":
                return _flat(Either(self._parts(depth)))
            case "sequence":
                return _flat(Sequence(self._parts(depth), self._order()))
            case "negation":
                return self._negation(depth)
            case "absence":
                order = self._order()
                first, last, without = draw(depth - 1), draw(depth - 1), draw(self.random.randint(0, 1))
                if isinstance(first, Sequence) and first.order is not order:
                    first = self._leaf()
                guard = None
                if self.language in ("gem", "python") and self.random.random() < 0.5:
                    guard = self._guard({**bound(first), **bound(last), **bound(without)}, set())
                return Absence(first, last, without, guard, order)
            case "concurrent":
                return Concurrent(draw(depth - 1), draw(0))
            case "accumulate":
                return Accumulate(draw(0), draw(depth - 1))
        return None

    def _negation(self, depth: int) -> Pattern:
        """`a -> !b -> c`, or with a window for what it ends with."""
        random = self.random
        absent: Pattern = self._draw(random.randint(0, 1))
        first, last = self._draw(depth - 1), self._draw(depth - 1)
        if random.random() < 0.3:
            absent = Where(absent, self._guard({**bound(absent), **bound(first), **bound(last)}, set()))
        if random.random() < 0.65:
            parts = [first, Never(absent), last]
            return _flat(Sequence(tuple(parts + ([self._draw(0)] if random.random() < 0.2 else [])), Precedence.GAP))
        return Within(_flat(Sequence((first, Never(absent)), Precedence.GAP)), self._period())

    def _single(self, depth: int, shape: str) -> Pattern | None:
        random = self.random
        if shape in ("any", "every", "at", "instant of time"):
            return self._clock(shape)
        if shape == "site":
            return self._named(Primitive(random.choice(self.types), random.choice(("s", "t"))))
        if shape == "times":
            inner = self._named(Primitive(random.choice(self.types))) if random.random() < 0.5 else None
            inner = inner or Primitive(random.choice(self.types))
            return Times(random.randint(1, 3), inner, "k", random.random() < 0.6)
        inner = self._draw(depth - 1)
        match shape:
            case "named":
                return self._named(inner)
            case "where":
                return Where(inner, self._guard(visible(inner), repeated(inner)))
            case "after":
                return After(inner, self._period())
            case "delta":
                return After(inner, self._period(), instant=True)
            case "instant":
                return Instant(inner)
            case "repeat":
                least = random.randint(1, 2)
                return Repeat(inner, least, least + random.randint(0, 1))
            case "within":
                return Within(inner, self._period())
            case "between":
                start = random.randint(0, 6)
                return Between(inner, start * SECOND, (start + random.randint(0, 6)) * SECOND)
        return None

    def _clock(self, shape: str) -> Pattern:
        self.leaves += 1
        match shape:
            case "any":
                return self._named(AnyEvent()) if self.random.random() < 0.7 else AnyEvent()
            case "every":
                return Every(Period.of(microseconds=self.random.randint(3, 5) * SECOND))
            case "at":
                return At(parse_time_point(self.random.choice(("00:00:04", "00:00:06 1/Jan/1970"))))
        return AtInstant(self.random.randint(1, 8) * SECOND)

    def _leaf(self) -> Pattern:
        self.leaves += 1
        event = Primitive(self.random.choice(self.types))
        return self._named(event) if self.random.random() < (0.9 if self.language == "python" else 0.5) else event

    def _named(self, inner: Pattern) -> Pattern:
        self.names += 1
        return Named(f"x{self.names}", inner)

    def _period(self) -> Period:
        return Period.of(microseconds=self.random.randint(1, 5) * SECOND)

    # -- guards --------------------------------------------------------------------------------------------------

    def _guard(self, variables: dict[str, Pattern], several: set[str]) -> Guard:
        random = self.random
        events = [n for n, part in variables.items() if isinstance(part, Primitive) and n not in several]
        singles = [name for name in variables if name not in several]
        kind = random.choice(("equal", "equal", "less", "time", "not", "or", "occurred", "now"))
        if kind == "time" and len(singles) > 1:
            one, other = random.sample(singles, 2)
            return Binary(random.choice(("<", "<=", "==", "!=")), End(one), random.choice((End, Start))(other))
        if kind == "occurred" and singles:
            return Not(Occurred(random.choice(singles))) if random.random() < 0.3 else Occurred(random.choice(singles))
        if kind == "now" and singles and random.random() < 0.3:
            return Binary(">=", Now(), End(random.choice(singles)))
        if not events:
            return Literal(True)
        test: Guard = Binary(random.choice(("==", "!=", "<")), Attribute(random.choice(events), "k"), Literal(1))
        if len(events) > 1 and kind in ("equal", "less"):
            one, other = random.sample(events, 2)
            test = Binary("==" if kind == "equal" else "<", Attribute(one, "k"), Attribute(other, "k"))
        if kind == "not":
            return Not(test)
        if kind == "or":
            return Binary(random.choice(("||", "&&")), test, self._guard(variables, several))
        return test

    # -- core ----------------------------------------------------------------------------------------------------

    def _detector(self) -> Automaton:
        random = self.random
        atom = self._atom()
        match random.choice(("atom", "atom", "atom", "alternation", "chain")):
            case "alternation":
                return Automaton(Alternation((atom, self._atom())))
            case "chain":
                return Automaton(Concatenation((atom, self._atom()), random.random() < 0.7))
        return Automaton(atom, random.choice((Run.EVERY, Run.EVERY, Run.EVERY, Run.AGAIN)))

    def _atom(self) -> Pattern:
        random = self.random
        if random.random() < 0.08:
            return Atom(Everything())
        sets = tuple(self._described(kind) for kind in random.choices(self.types, k=random.choice((1, 1, 2))))
        domain = Union((Described("a"), Described("b"))) if random.random() < 0.1 else None
        return Atom(sets[0] if len(sets) == 1 else Union(sets), domain)

    def _described(self, kind: str) -> Described:
        guard = Binary(self.random.choice(("==", "<")), Attribute(THIS, "k"), Literal(1))
        self.names += 1
        name = f"x{self.names}" if self.random.random() < 0.7 else None
        return Described(kind, guard if self.random.random() < 0.5 else None, name)

    # -- rules ---------------------------------------------------------------------------------------------------

    def rule(self, depth: int, shape: str | None = None) -> Rule:
        """A rule on a pattern, with settings of its own."""
        random = self.random
        pattern = self.pattern(depth, shape)
        context = random.choice((None, None, *SEARCHED, *Context)) if self.language != "core" else None
        known, several = visible(pattern), repeated(pattern)
        condition = self._guard(known, several) if random.random() < 0.2 else None
        window = self._period() if random.random() < 0.2 else None
        select: tuple[tuple[str, Guard], ...] = ()
        if random.random() < 0.3:
            select = (("n", Literal(1)), *((f"t{name}", End(name)) for name in sorted(known) if name not in several))
        order = random.choice((None, None, Policy("guaranteed"), Policy("delay", delay=self._period())))
        notify = "{n} seen" if select and random.random() < 0.5 else None
        return Rule("r", pattern, self.language, condition, context, window, order, (), notify, select)


def program(random: Random, language: str, shape: str | None = None) -> Program:
    """A sound program of one rule of a language, sometimes beside one that it uses by name."""
    while True:
        types = (*TYPES, COMPOSITE) if random.random() < 0.15 else TYPES
        rules = [Drawing(random, language, types).rule(random.choice((1, 1, 2, 2, 3)), shape)]
        if COMPOSITE in types:
            own = Drawing(random, language).pattern(1, None)
            rules.insert(0, Rule(COMPOSITE, own, language, context=rules[0].context, order=rules[0].order))
        statements = [each for rule in rules for each in (Define(rule), Command(Enable(rule.name)))]
        made = Program(tuple(statements))
        if not program_faults(made) and not any(map(_is_odd, rules)):
            return made


def _is_odd(rule: Rule) -> bool:
    """Chains of more than a guard can hold, and what only a test would write."""
    return rule.condition is not None and len(list(conjuncts(rule.condition))) > 5


def _flat(pattern: Both | Either | Sequence) -> Pattern:
    """Flat on the left, as all languages read it."""
    first = pattern.parts[0]
    if type(first) is type(pattern) and getattr(first, "order", None) == getattr(pattern, "order", None):
        assert isinstance(first, Both | Either | Sequence)
        return replace(pattern, parts=(*first.parts, *pattern.parts[1:]))
    return pattern


def log(random: Random, *, intervals: bool = False, most: int = 8) -> list[Event]:
    """Events in order of arrival; some late, some early, some at one instant, from two sources."""
    made: list[Event] = []
    clock, lateness = 0, random.choice((0.0, 0.2, 0.4))
    for number in range(random.randint(3, most)):
        clock += random.choice((0, 0, 1, 1, 2))
        end = clock
        if random.random() < lateness:
            end -= random.randint(1, 3)
        elif random.random() < 0.05:
            end += random.randint(1, 2)
        start = end - random.randint(0, 2) if intervals else end
        data = {"k": random.randint(0, 2)} if random.random() < 0.9 else {}
        times = (end * SECOND, start * SECOND)
        made.append(
            Event(random.choice(TYPES), *times, str(number), random.choice("st"), data, clock * SECOND, number=number)
        )
    return made
