"""Random examples of another kind: one rule that has many occurrences to choose from, on logs whose values recur.

What is used up leaves a value behind that was seen before all others, and comes again after younger ones; some events
are late. Both are needed for the oldest occurrence not to be the one that is met first: slots, chains and registers
are filled in order of arrival, and in short logs in which little is used up that is the order of time, too.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from random import Random

from tests.algebra.building import SECOND
from tests.engine.comparing import Cell
from tests.engine.long_logs import same
from tests.engine.strategies import Example, policy_of
from tocsin.algebra.guards import Attribute, Binary, Call, Guard, or_absent
from tocsin.algebra.patterns import (
    Absence,
    AnyEvent,
    Both,
    Either,
    Every,
    Named,
    Never,
    Pattern,
    Precedence,
    Primitive,
    Sequence,
    Times,
    Where,
    Within,
)
from tocsin.algebra.rules import Context, Rule
from tocsin.events import Detection, Event
from tocsin.rules.programs import rules_program
from tocsin.time.periods import Period

Draw = Callable[[Random], Pattern]


def _event(name: str, kind: str) -> Pattern:
    return Named(name, Primitive(kind))


def _times(random: Random, name: str = "x", kind: str = "a") -> Pattern:
    return Times(random.choice((2, 2, 2, 3)), _event(name, kind), "k", same=random.random() < 0.8)


def _in_order(random: Random, *parts: Pattern) -> Pattern:
    return Sequence(parts, random.choice((Precedence.ENDS, Precedence.ENDS, Precedence.GAP)))


def _then(random: Random) -> Pattern:
    return _in_order(random, _times(random), _event("y", "b"))


def _after(random: Random) -> Pattern:
    return _in_order(random, _event("y", "b"), _times(random))


def _between(random: Random) -> Pattern:
    made = _in_order(random, _times(random), _event("y", "b"), _event("z", random.choice("abc")))
    aggregate = Call(random.choice(("min", "max", "last")), (Attribute("x", "k"),))
    return Where(made, Binary(random.choice(("==", "!=")), aggregate, Attribute("y", "k")))


def _twice(random: Random) -> Pattern:
    return _in_order(random, _times(random), _times(random, "y", random.choice("ab")))


def _with(random: Random) -> Pattern:
    return Both((_times(random), _event("y", random.choice("ab"))))


def _either(random: Random) -> Pattern:
    return Either((_then(random), random.choice((_event("z", "c"), _times(random, "z", "b")))))


def _one_type(random: Random) -> Pattern:
    made = _in_order(random, _event("x", "a"), _event("y", "a"), _event("z", random.choice("aab")))
    guard: Guard = same("y", "z")
    if random.random() < 0.5:
        guard = Binary("&&", guard, Binary("!=", Attribute("x", "v"), Attribute("y", "v")))
    return Where(made, guard)


def _time_event(random: Random) -> Pattern:
    every = Named("t", Every(Period.of(microseconds=random.randint(2, 5) * SECOND)))
    return Sequence((every, _event("x", "a"), _event("y", "b")))


def _absence(random: Random) -> Pattern:
    """Nothing of what the rule itself uses up between two of them, or of what is made of it."""
    absent: Pattern = random.choice((_event("z", "a"), _event("z", "b"), AnyEvent(), _times(random, "z")))
    if isinstance(absent, Named) and random.random() < 0.5:
        absent = Where(absent, same("z", "x"))
    order = random.choice(tuple(Precedence))
    made: Pattern = Absence(_event("x", "a"), _event("y", random.choice("aab")), absent, None, order)
    if isinstance(absent, Where):
        made = Absence(_event("x", "a"), made.last, absent.pattern, or_absent(absent.guard, "z"), order)  # type: ignore[attr-defined]  # an absence
    return Where(made, same("x", "y")) if random.random() < 0.3 else made


def _never(random: Random) -> Pattern:
    """A negation of it between two, before the first or after the last."""
    parts: list[Pattern] = [_event("x", "a"), _event("y", random.choice("ab"))][: random.choice((1, 2, 2))]
    absent: Pattern = _event("z", random.choice("ab"))
    if random.random() < 0.4:
        absent = Where(absent, same("z", "x"))
    parts.insert(random.randint(0, len(parts)), Never(absent))
    return Within(Sequence(tuple(parts), Precedence.GAP), Period.of(microseconds=random.randint(2, 6) * SECOND))


RECURRING: dict[str, Draw] = {
    "times, then": _then,
    "times last": _after,
    "times, then two": _between,
    "times twice": _twice,
    "times and": _with,
    "times or": _either,
    "one type": _one_type,
    "time event": _time_event,
    "absence": _absence,
    "never": _never,
}


def recurring_example(random: Random, operator: str, context: str, policy: str) -> Example:
    """One rule, perhaps with a window, and a log in which the values of its events come again."""
    window = Period.of(microseconds=random.randint(8, 16) * SECOND) if random.random() < 0.3 else None
    # What is used up is seen by absences in every language but GEM.
    language = random.choice(("gem", "python", "python"))
    rule = Rule("r", RECURRING[operator](random), language, context=Context(context), window=window)
    order, batch = policy_of(random, policy, SECOND), random.choice((1, 7, 4096))
    return Example(rules_program([rule]), _log(random), order, 40 * SECOND, batch=batch, operator=operator)


def _log(random: Random) -> tuple[Event, ...]:
    """Mostly what is gathered, now and then what completes it: `a a b`, then `a a a a b`.

    Values come back in the opposite order, for what begins first to end last.
    """
    count, keys = random.randint(9, 16), random.choice((2, 2, 3))
    kinds = random.choices("abc", weights=(14, 4, 1), k=count)
    values = [random.randrange(keys) for _ in range(count)]
    for place in range(random.randint(0, 5), count, 4):
        values[place : place + 4] = [*values[place : place + 2], *values[place : place + 2][::-1]]
    times = list(accumulate(random.choice((0, 1, 1, 1, 2)) for _ in range(count)))
    late = random.choice((0.0, 0.1, 0.3))
    made, clock = [], 0
    for place, (kind, value, time) in enumerate(zip(kinds, values, times, strict=False), 1):
        clock = max(clock, time)
        if random.random() < late:
            time = max(0, time - random.randint(1, 9))
        data: dict[str, object] = {"k": value, "v": random.randrange(2)}
        at = time * SECOND
        made.append(Event(kind, at, at, str(place), random.choice("st"), data, clock * SECOND))
    return tuple(made)


def recurring_met(example: Example, found: list[Detection]) -> set[Cell]:
    """The cell of an example whose rule fired more than once: so that something was used up before."""
    context = example.program.rules[0].context
    assert context is not None
    return {(example.operator, context.value, example.order.policy)} if len(found) > 1 else set()
