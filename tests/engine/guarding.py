"""Random guards over the variables of a pattern: every kind that the engine treats in a way of its own."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.engine.worlds import ATTRIBUTES, World
from tocsin.algebra.functions import RELATIONS
from tocsin.algebra.guards import (
    Attribute,
    Binary,
    Call,
    Duration,
    End,
    Guard,
    Literal,
    Not,
    Now,
    Occurred,
    Reference,
    SourceOf,
    Start,
    walk,
)
from tocsin.time.periods import Period

ORDERS = ("<", "<=", ">", ">=")


class Guarding:
    """Draws guards. `events` are variables of single events, `wholes` of anything that has a time, `several` of runs."""

    def __init__(self, world: World) -> None:
        self.world, self.random = world, world.random
        self.events: list[str] = []
        self.wholes: list[str] = []
        self.several: list[str] = []

    def over(self, events: list[str], wholes: list[str], several: list[str]) -> Guarding:
        """The same drawing over other variables."""
        made = Guarding(self.world)
        made.events, made.wholes, made.several = events, wholes, several
        return made

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to speak of."""
        return not (self.events or self.wholes or self.several)

    def guard(self, kind: str | None = None) -> Guard:
        """A guard: of a given kind, or mostly a single comparison."""
        if kind is None:
            kind = self.random.choice(self.kinds())
        return KINDS[kind](self)

    def kinds(self) -> list[str]:
        """The kinds that can be made of these variables, the common ones more often."""
        found = ["now", "occurred"] if self.wholes else []
        if self.events:
            found += ["constant"] * 3 + ["order constant", "function", "either", "not"]
        if len(self.events) > 1:
            found += ["key"] * 6 + ["keys", "source", "order", "order", "arithmetic", "unequal"]
        if len(self.wholes) > 1:
            found += ["time", "difference", "relation", "reference", "reference"]
        if self.several:
            found += ["aggregate"] * 3
        return found or ["always"]

    # -- parts -------------------------------------------------------------------------------------------------

    def two(self, names: list[str]) -> tuple[str, str]:
        """Two variables, if there are two."""
        one, other = self.random.sample(names, 2) if len(names) > 1 else (names[0], names[0])
        return one, other

    def period(self) -> Duration:
        """A few steps of time."""
        return Duration(Period.of(microseconds=self.random.randint(0, 3) * self.world.scale.unit))

    def moment(self, name: str) -> Guard:
        """When something occurred, or began to."""
        return Start(name) if self.random.random() < 0.25 else End(name)

    def attribute(self) -> str:
        """An attribute; the first one more often."""
        return self.random.choice((*ATTRIBUTES, "k", "k"))


def _key(g: Guarding) -> Guard:
    one, other = g.two(g.events)
    first = g.attribute()
    second = first if g.random.random() < 0.85 else g.attribute()
    return Binary("==", Attribute(one, first), Attribute(other, second))


def _keys(g: Guarding) -> Guard:
    """Two attributes of two events, or one attribute along a chain of three."""
    names = g.random.sample(g.events, min(3, len(g.events)))
    if len(names) == 3 and g.random.random() < 0.6:
        pairs = [(names[0], names[1]), (names[1], names[2])]
        tests = [Binary("==", Attribute(one, "k"), Attribute(other, "k")) for one, other in pairs]
    else:
        one, other = names[0], names[-1]
        tests = [Binary("==", Attribute(one, name), Attribute(other, name)) for name in g.random.sample(ATTRIBUTES, 2)]
    return Binary("&&", tests[0], tests[1])


def _source(g: Guarding) -> Guard:
    one, other = g.two(g.events)
    if g.random.random() < 0.2:
        return Binary("==", SourceOf(one), Literal(g.random.choice(("s", "t"))))
    return Binary(g.random.choice(("==", "==", "!=")), SourceOf(one), SourceOf(other))


def _order(g: Guarding) -> Guard:
    one, other = g.two(g.events)
    return Binary(g.random.choice(ORDERS), Attribute(one, g.attribute()), Attribute(other, g.attribute()))


def _arithmetic(g: Guarding) -> Guard:
    one, other = g.two(g.events)
    name = g.attribute()
    left, right = Attribute(one, name), Attribute(other, name)
    number = Literal(g.random.choice((0, 1, 2, -1, 0.5, 2**53, 2**60)))
    operator = g.random.choice(("+", "-", "*", "/", "//", "%"))
    compared = g.random.choice((*ORDERS, "==", "!="))
    return g.random.choice(
        (
            Binary(compared, left, Binary("+", right, number)),
            Binary(compared, left, Binary(operator, right, number)),
            Binary(compared, Binary(operator, left, right), number),
        )
    )


def _unequal(g: Guarding) -> Guard:
    one, other = g.two(g.events)
    name = g.attribute()
    return Binary("!=", Attribute(one, name), Attribute(other, name))


def _constant(g: Guarding) -> Guard:
    name = g.attribute()
    sides: list[Guard] = [Attribute(g.random.choice(g.events), name), Literal(g.world.literal(name))]  # type: ignore[arg-type]  # a plain value
    if g.random.random() < 0.2:
        sides.reverse()
    return Binary(g.random.choice(("==", "==", "!=")), sides[0], sides[1])


def _order_constant(g: Guarding) -> Guard:
    name = g.attribute()
    return Binary(g.random.choice(ORDERS), Attribute(g.random.choice(g.events), name), Literal(g.world.literal(name)))  # type: ignore[arg-type]  # a plain value


def _occurred(g: Guarding) -> Guard:
    asked: Guard = Occurred(g.random.choice(g.wholes))
    if g.random.random() < 0.25:
        asked = Not(asked)
    return asked if g.random.random() < 0.7 else Binary("||", asked, g.guard("now"))


def _now(g: Guarding) -> Guard:
    if not g.wholes:
        return Binary(">=", Now(), Now())
    moment = g.moment(g.random.choice(g.wholes))
    if g.random.random() < 0.5:
        return Binary(g.random.choice(("<=", ">=", "==")), Binary("-", Now(), moment), g.period())
    return Binary(g.random.choice(("<=", ">", "==")), moment, Now())


def _time(g: Guarding) -> Guard:
    one, other = map(g.moment, g.two(g.wholes))
    if g.random.random() < 0.5:
        return Binary(g.random.choice((*ORDERS, "==", "!=")), one, other)
    return Binary(g.random.choice(ORDERS), Binary(g.random.choice("+-"), one, g.period()), other)


def _difference(g: Guarding) -> Guard:
    one, other = map(g.moment, g.two(g.wholes))
    return Binary(g.random.choice(ORDERS), Binary("-", one, other), g.period())


def _reference(g: Guarding) -> Guard:
    one, other = g.two(g.wholes)
    return Binary(g.random.choice(("==", "!=", "!=")), Reference(one), Reference(other))


def _relation(g: Guarding) -> Guard:
    one, other = g.two(g.wholes)
    if g.random.random() < 0.7:
        one, other = sorted((one, other))  # mostly in the order in which they are written
        return Call("before", (Reference(one), Reference(other)))
    return Call(g.random.choice(RELATIONS), (Reference(one), Reference(other)))


def _function(g: Guarding) -> Guard:
    name = g.attribute()
    one, other = (Attribute(each, name) for each in g.two(g.events))
    literal = Literal(g.world.literal(name))  # type: ignore[arg-type]  # a plain value
    return g.random.choice(
        (
            Binary("<=", Call("abs", (Binary("-", one, other),)), Literal(1)),
            Call("in", (one, literal, other)),
            Call("in", (one, literal, Literal(1))),
            Binary("==", Call("lower", (one,)), Call("lower", (other,))),
            Call("startswith", (one, other)),
            Call("endswith", (one, other)),
            Call("contains", (one, other)),
            Binary(">=", Call("len", (one,)), Literal(1)),
        )
    )


def _aggregate(g: Guarding) -> Guard:
    name = g.random.choice(g.several)
    values = Attribute(name, g.attribute())
    return g.random.choice(
        (
            Binary(">=", Call("count", (values,)), Literal(2)),
            Binary(g.random.choice((*ORDERS, "==")), Call("sum", (values,)), Literal(1)),
            Binary("<=", Call("min", (values,)), Call("max", (values,))),
            Binary("==", Call("first", (values,)), Call("last", (values,))),
        )
    )


def _either(g: Guarding) -> Guard:
    return Binary("||", g.guard(), g.guard())


def _not(g: Guarding) -> Guard:
    return Not(g.guard())


def _always(g: Guarding) -> Guard:
    return Literal(True)


KINDS: dict[str, Callable[[Guarding], Guard]] = {
    "key": _key,
    "keys": _keys,
    "source": _source,
    "order": _order,
    "arithmetic": _arithmetic,
    "unequal": _unequal,
    "constant": _constant,
    "order constant": _order_constant,
    "occurred": _occurred,
    "now": _now,
    "time": _time,
    "difference": _difference,
    "reference": _reference,
    "relation": _relation,
    "function": _function,
    "aggregate": _aggregate,
    "either": _either,
    "not": _not,
    "always": _always,
}


def selecting(g: Guarding, absent: list[str], random: Random) -> Guard:
    """A guard that selects what cancels (003 example 7) and lets the rest pass where nothing cancels."""
    absent_name = random.choice(absent)
    inner = g.guard()
    for _ in range(5):
        if any(getattr(part, "variable", None) == absent_name for part in walk(inner)):
            break
        inner = g.guard()
    if random.random() < 0.4:
        return Not(inner)
    return Binary("||", Not(Occurred(absent_name)), inner)
