"""Random patterns and random logs: few types, few instants, so that ties, repetitions and late arrivals are common."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.algebra.building import SECOND
from tocsin.algebra.guards import Attribute, Binary, Guard
from tocsin.algebra.names import bound, name_leaves
from tocsin.algebra.patterns import (
    Absence,
    After,
    Both,
    Either,
    Pattern,
    Primitive,
    Sequence,
    Times,
    Where,
    walk,
)
from tocsin.events import Event
from tocsin.time.spans import Period

TYPES = ("a", "b", "c")


def leaves() -> st.SearchStrategy[Pattern]:
    """A type, or a few of one type with equal or different values."""
    primitive = st.sampled_from(TYPES).map(Primitive)
    times = st.builds(Times, st.integers(1, 3), primitive, st.just("k"), st.booleans())
    return st.one_of(primitive, primitive, primitive, times)


def positive(inner: st.SearchStrategy[Pattern]) -> st.SearchStrategy[Pattern]:
    """Operators under which more events never undo an occurrence."""
    several = st.lists(inner, min_size=2, max_size=3).map(tuple)
    return st.one_of(st.builds(Both, several), st.builds(Either, several), st.builds(Sequence, several))


def negative(inner: st.SearchStrategy[Pattern]) -> st.SearchStrategy[Pattern]:
    """... and absence, which late events undo."""
    return st.one_of(positive(inner), st.builds(Absence, inner, inner, inner))


def timed(inner: st.SearchStrategy[Pattern]) -> st.SearchStrategy[Pattern]:
    """... and occurrences that are waited for."""
    later = st.builds(After, inner, st.integers(1, 3).map(lambda n: Period.of(microseconds=n * SECOND)))
    return st.one_of(negative(inner), later)


@st.composite
def guarded(draw: st.DrawFn, patterns: st.SearchStrategy[Pattern]) -> Pattern:
    """A pattern, named as the languages name it, perhaps with a guard between two of its variables."""
    pattern = name_leaves(draw(patterns))
    inside = {name for part in walk(pattern) if isinstance(part, Absence | Times) for name in bound(part)}
    names = sorted(set(bound(pattern)) - inside)
    if len(names) >= 2 and draw(st.booleans()):
        operator = draw(st.sampled_from(("==", "<", "!=")))
        guard: Guard = Binary(operator, Attribute(names[0], "k"), Attribute(names[1], "k"))
        return Where(pattern, guard)
    return pattern


POSITIVE = guarded(st.recursive(leaves(), positive, max_leaves=4))
NEGATIVE = guarded(st.recursive(leaves(), negative, max_leaves=4))
TIMED = guarded(st.recursive(leaves(), timed, max_leaves=4))


@st.composite
def logs(draw: st.DrawFn, most: int = 6, late: bool = True) -> list[Event]:
    """Events in order of arrival; some late, some at one instant, from two sources."""
    made: list[Event] = []
    clock = 0
    for number in range(draw(st.integers(0, most))):
        time = draw(st.integers(0, 8))
        delay = draw(st.integers(0, 6)) if late else 0
        clock = max(clock, time + delay) if late else clock
        time = time if late else max(time, clock)
        clock = max(clock, time)
        data = {"k": draw(st.integers(0, 1))} if draw(st.integers(0, 5)) else {}
        source = draw(st.sampled_from(("s", "t")))
        kind = draw(st.sampled_from(TYPES))
        times = (time * SECOND, time * SECOND)
        made.append(Event(kind, *times, str(number), source, data, clock * SECOND, number=number))
    return made
