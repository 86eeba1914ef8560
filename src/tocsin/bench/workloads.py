"""The workloads: seeded columns of events, and for each the rules that every contender has to run.

| | data | rule (all matches unless said otherwise) |
| --- | --- | --- |
| W1 selective | wide: types A-J, 10,000 keys | A then B then C, same key, C.value > A.value, within 60 s |
| W2 dense output | dense: types A-C, 1,000 keys | as W1 |
| W3 absence | wide | A, and no B of the same key within 5 s after it |
| W4 repetition | dense | any 5 A's of one key within 10 s |
| W5 many rules | wide | 100 rules: A then B then X, same key, within 60 s, X.value > A.value + 5 * (i div 8) |
| W6 generic | wide | as W1, in the `generic` context |
| W7 generic, dense | dense | as W6 |
| W8 window | dense | at each A the A's of its key in the last 60 s, told where there are 20 |
| run | dense | A 5 times with the same key within 10 s: five in a row |
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from tocsin.algebra.guards import Attribute, Binary, Call, Guard, Literal, Reference
from tocsin.algebra.patterns import (
    Aggregate,
    Named,
    Never,
    Pattern,
    Precedence,
    Primitive,
    Sequence,
    Streak,
    Times,
    Where,
    Within,
)
from tocsin.algebra.rules import Context, Rule
from tocsin.errors import MissingDependency
from tocsin.events import Event
from tocsin.time.spans import SECOND, Period

LETTERS = "ABCDEFGHIJ"
WEIGHTS = (1_000_003, 10_007, 101, 11, 3)
"""What the positions of a match count for in a checksum, so that matches are compared without listing them."""

Row = tuple[int, int, int, float]
"""time in microseconds, letter, key, value."""


@dataclass(frozen=True)
class Workload:
    """A shape of data, how much of it, and the rules."""

    name: str
    shape: str
    events: int
    rules: tuple[Rule, ...]


@dataclass(frozen=True)
class Table:
    """Events as columns of NumPy, in order of arrival; `arrivals` where they are not the times, `order` of late ones.

    `order` has for each row the place it would have had in order of time. `kinds` are the types by their letters.
    """

    times: Any
    letters: Any
    keys: Any
    values: Any
    arrivals: Any = None
    order: Any = None
    kinds: tuple[str, ...] = tuple(LETTERS)

    def __len__(self) -> int:
        return len(self.times)

    def rows(self) -> list[Row]:
        """The same as rows, as the loops take them."""
        columns = (self.times, self.letters, self.keys, self.values)
        return list(zip(*(column.tolist() for column in columns), strict=True))


def table(shape: str, count: int, seed: int = 7, keys: int | None = None) -> Table:
    """Times strictly increasing and about 1 ms apart; letters, keys and values at random. `keys` for a small table."""
    numpy = numpy_module()
    random = numpy.random.default_rng(seed)
    letters, usual = (10, 10_000) if shape == "wide" else (3, 1_000)
    return Table(
        numpy.cumsum(random.integers(1, 2000, count)),
        random.integers(0, letters, count),
        random.integers(0, keys or usual, count),
        numpy.round(random.random(count) * 100, 6),
    )


def delayed(given: Table, share: float = 0.1, most: int = 10 * SECOND, seed: int = 11) -> Table:
    """The same events, some of them late: each arrives when it is made, or by chance up to `most` after that."""
    numpy = numpy_module()
    random = numpy.random.default_rng(seed)
    late = numpy.where(random.random(len(given)) < share, random.integers(0, most, len(given)), 0)
    arrivals = given.times + late
    order = numpy.argsort(arrivals, kind="stable")
    times, letters, keys, values = (each[order] for each in (given.times, given.letters, given.keys, given.values))
    return Table(times, letters, keys, values, arrivals[order], order)


def rows(shape: str, count: int, seed: int = 7, keys: int | None = None) -> list[Row]:
    """The rows of a table."""
    return table(shape, count, seed, keys).rows()


def events(given: list[Row]) -> Iterator[Event]:
    """The rows as events; an id is the row's position."""
    for place, (time, letter, key, value) in enumerate(given):
        yield Event(LETTERS[letter], time, time, str(place), "", {"key": key, "value": value}, time)


def checksum(matches: list[tuple[int, ...]]) -> int:
    """One number for all matches, whatever their order."""
    return sum(place * weight for match in matches for place, weight in zip(match, WEIGHTS, strict=False))


def numpy_module() -> Any:
    """NumPy, which only the benchmark needs."""
    try:
        import numpy as np
    except ImportError:
        raise MissingDependency("NumPy", "bench") from None
    return np


def _same(left: str, right: str, attribute: str, operator: str = "==", more: float | None = None) -> Guard:
    other: Guard = Attribute(right, attribute)
    if more is not None:
        other = Binary("+", other, Literal(more))
    return Binary(operator, Attribute(left, attribute), other)


def _all(*guards: Guard) -> Guard:
    whole = guards[0]
    for guard in guards[1:]:
        whole = Binary("&&", whole, guard)
    return whole


def _then(last: str, more: float | None = None) -> Pattern:
    parts = tuple(Named(name, Primitive(kind)) for name, kind in (("a", "A"), ("b", "B"), ("c", last)))
    keys = (_same("a", "b", "key"), _same("b", "c", "key"))
    return Where(Sequence(parts), _all(*keys, _same("c", "a", "value", ">", more)))


def _rule(name: str, pattern: Pattern, seconds: int, context: Context = Context.UNRESTRICTED) -> Rule:
    return Rule(name, pattern, "python", context=context, window=Period.of(microseconds=seconds * SECOND))


def _unanswered() -> Pattern:
    """SEL's `a:A -> !(b:B if b.key == a.key) in 5 seconds`."""
    answer = Where(Named("b", Primitive("B")), _same("b", "a", "key"))
    within = Period.of(microseconds=5 * SECOND)
    return Within(Sequence((Named("a", Primitive("A")), Never(answer)), Precedence.GAP), within)


def _in_a_row() -> Pattern:
    """`A 5 times with the same key within 10 seconds`."""
    return Streak(5, Primitive("A"), ("key",), None, Period.of(microseconds=10 * SECOND))


def _counted() -> Pattern:
    """`count(A by key) >= 20 within 60 seconds each time`."""
    told = Binary(">=", Call("count", (Reference("A"),)), Literal(20))
    return Aggregate(Named("A", Primitive("A")), told, Period.of(microseconds=60 * SECOND), ("key",), each=True)


def thresholds(constants: Iterable[float], last: str = "C") -> tuple[Rule, ...]:
    """W1's rule once for each constant: C.value > A.value + constant."""
    return tuple(_rule(f"more_{number}", _then(last, more), 60) for number, more in enumerate(constants))


_CONSECUTIVE = _rule("w1", _then("C"), 60)
_GENERIC = _rule("w6", _then("C"), 60, Context.GENERIC)
_MANY = tuple(_rule(f"w5_{i}", _then(LETTERS[2 + i % 8], 5.0 * (i // 8)), 60) for i in range(100))

WORKLOADS = {
    each.name: each
    for each in (
        Workload("W1", "wide", 2_000_000, (_CONSECUTIVE,)),
        Workload("W2", "dense", 200_000, (_CONSECUTIVE,)),
        Workload("W3", "wide", 2_000_000, (_rule("w3", _unanswered(), 60),)),
        Workload("W4", "dense", 200_000, (_rule("w4", Times(5, Primitive("A"), "key", same=True), 10),)),
        Workload("W5", "wide", 200_000, _MANY),
        Workload("W6", "wide", 2_000_000, (_GENERIC,)),
        Workload("W7", "dense", 200_000, (_GENERIC,)),
        Workload("W8", "dense", 200_000, (_rule("w8", _counted(), 60),)),
        Workload("run", "dense", 200_000, (_rule("run", _in_a_row(), 10),)),
    )
}
