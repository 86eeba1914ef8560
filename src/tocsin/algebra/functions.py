"""The functions that a guard can call, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tocsin.algebra.occurrence import Occurrence
from tocsin.algebra.operations import (
    MISSING,
    Surroundings,
    are_whole,
    arithmetic,
    compare,
    is_number,
    order_of,
    wrong,
)
from tocsin.algebra.text_patterns import BadPattern, check_regex, is_in_network, is_like, matches, network_of
from tocsin.time.spans import Period


def _text(test: Callable[[str, str], bool]) -> Callable[..., object]:
    def run(around: Surroundings, one: object, other: object) -> object:
        return are_texts(one, other, around) and test(one, other)  # type: ignore[arg-type]  # they are

    return run


def are_texts(one: object, other: object, around: Surroundings) -> bool:
    """Whether both are texts; what is there and is none is counted."""
    for value in (one, other):
        if not isinstance(value, str):
            wrong(value, "string", around)
    return isinstance(one, str) and isinstance(other, str)


def _patterned(test: Callable[[str, str], bool]) -> Callable[..., object]:
    """A test of a text against patterns, of which one must fit. Nothing fits what is none; `types.py` tells of it."""

    def run(around: Surroundings, one: object, *patterns: object) -> object:
        try:
            return any(are_texts(one, each, around) and test(one, each) for each in patterns)  # type: ignore[arg-type]  # they are
        except BadPattern:
            return False

    return run


def _relation(test: Callable[[int, int, int, int], bool]) -> Callable[..., object]:
    """A relation of the intervals of two occurrences, by their starts and ends."""

    def run(around: Surroundings, one: object, other: object) -> object:
        if not isinstance(one, Occurrence) or not isinstance(other, Occurrence):
            return False
        return test(one.start, one.end, other.start, other.end)

    return run


def _contains(around: Surroundings, one: object, other: object) -> object:
    """`contains('text', 'ex')`, and Allen's "x contains y" where both are events."""
    if isinstance(one, Occurrence) and isinstance(other, Occurrence):
        return one.start < other.start and other.end < one.end
    return are_texts(one, other, around) and other in one  # type: ignore[operator]  # they are


def _member(around: Surroundings, one: object, *others: object) -> object:
    """Whether a value is one of others, or in one of them that is a list."""
    for other in others:
        inside = other if isinstance(other, list | tuple) else (other,)
        if any(compare("==", one, each, around) for each in inside):
            return True
    return False


def _quotient(around: Surroundings, one: object, other: object) -> object:
    """What GEM's `/` is: whole between two whole numbers, as in C, else real."""
    return arithmetic("//" if are_whole(one, other) else "/", one, other, around)


def _absolute(around: Surroundings, one: object) -> object:
    if isinstance(one, Period):
        return one if one.length() >= 0 else one.scaled(-1)
    if isinstance(one, float):
        return abs(one)
    if isinstance(one, int) and not isinstance(one, bool):
        return abs(one)
    return wrong(one, "number", around)


def _size(around: Surroundings, one: object) -> object:
    return len(one) if isinstance(one, str | list | tuple) else wrong(one, "string", around)


def _everything(around: Surroundings, one: object) -> object:
    """All that the attributes of an event say, as one text: a value a line."""
    if not isinstance(one, Occurrence) or len(one.events) != 1:
        return wrong(one, "event", around)
    return "\n".join(_said(one.events[0].data))


def _said(value: object) -> Iterator[str]:
    """The plain values inside a value, as people read them."""
    if isinstance(value, Mapping):
        for each in value.values():
            yield from _said(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _said(each)
    elif isinstance(value, bool):
        yield str(value).lower()
    elif value is not None:
        yield str(value)


def _cased(change: Callable[[str], str]) -> Callable[..., object]:
    def run(around: Surroundings, one: object) -> object:
        return change(one) if isinstance(one, str) else wrong(one, "string", around)

    return run


def _aggregate(combine: Callable[[list[object], Surroundings], object]) -> Callable[..., object]:
    """A function over the values of a repetition, MISSING among them; of a single value, over that one."""

    def run(around: Surroundings, one: object) -> object:
        values = list(one) if isinstance(one, list | tuple) else [] if one is MISSING else [one]
        return combine(values, around)

    return run


def _numeric(combine: Callable[[list[Any]], object]) -> Callable[[list[object], Surroundings], object]:
    """A function over numbers, which has no value where one is missing or is none. Whole ones stay whole."""

    def run(values: list[object], around: Surroundings) -> object:
        for value in values:
            if not is_number(value):
                return wrong(value, "number", around)
        try:
            return combine(values) if values else MISSING
        except OverflowError:
            return MISSING

    return run


def _extreme(sign: int) -> Callable[[list[object], Surroundings], object]:
    """The greatest (1) or least (-1) of some numbers, texts, times or periods, if none is missing."""

    def run(values: list[object], around: Surroundings) -> object:
        if not values or MISSING in values:
            return MISSING
        best = values[0]
        for value in values:
            order = order_of(value, best)
            if order is None:
                around.note(value, best)
                return MISSING
            best = value if order == sign else best
        return best

    return run


def _place(place: int) -> Callable[[list[object], Surroundings], object]:
    return lambda values, around: values[place] if values else MISSING


def _count(values: list[object], around: Surroundings) -> object:
    """Of events, how many there are; of values, how many events have one."""
    return sum(value is not MISSING for value in values)


def _list(values: list[object], around: Surroundings) -> object:
    return [None if value is MISSING else value for value in values]


FUNCTIONS: dict[str, Callable[..., object]] = {
    "abs": _absolute,
    "quotient": _quotient,
    "len": _size,
    "text": _everything,
    "lower": _cased(str.lower),
    "upper": _cased(str.upper),
    "startswith": _text(lambda one, other: one.startswith(other)),
    "endswith": _text(lambda one, other: one.endswith(other)),
    "in": _member,
    "matches": _patterned(matches),
    "like": _patterned(is_like),
    "cidr": _patterned(is_in_network),
    # Allen's thirteen relations of two intervals [s, e] and [s2, e2]; 003's Fig. 3 draws some of them.
    "before": _relation(lambda s, e, s2, e2: e < s2),
    "after": _relation(lambda s, e, s2, e2: e2 < s),
    "meets": _relation(lambda s, e, s2, e2: e == s2 and s < s2 and e < e2),
    "met_by": _relation(lambda s, e, s2, e2: e2 == s and s2 < s and e2 < e),
    "overlaps": _relation(lambda s, e, s2, e2: s < s2 < e < e2),
    "overlapped_by": _relation(lambda s, e, s2, e2: s2 < s < e2 < e),
    "starts": _relation(lambda s, e, s2, e2: s == s2 and e < e2),
    "started_by": _relation(lambda s, e, s2, e2: s == s2 and e2 < e),
    "during": _relation(lambda s, e, s2, e2: s2 < s and e < e2),
    "contains": _contains,
    "finishes": _relation(lambda s, e, s2, e2: s2 < s and e == e2),
    "finished_by": _relation(lambda s, e, s2, e2: s < s2 and e == e2),
    "equals": _relation(lambda s, e, s2, e2: s == s2 and e == e2),
    # Over the occurrences of a repetition.
    "first": _aggregate(_place(0)),
    "last": _aggregate(_place(-1)),
    "count": _aggregate(_count),
    "list": _aggregate(_list),
    "sum": _aggregate(_numeric(sum)),
    "min": _aggregate(_extreme(-1)),
    "max": _aggregate(_extreme(1)),
    "avg": _aggregate(_numeric(lambda numbers: sum(numbers) / len(numbers))),
}
"""Every function a guard can call, by name. The first argument is the surroundings."""

ALLEN = [
    "before",
    "after",
    "meets",
    "met_by",
    "overlaps",
    "overlapped_by",
    "starts",
    "started_by",
    "during",
    "contains",
    "finishes",
    "finished_by",
    "equals",
]
AGGREGATES = ("first", "last", "count", "sum", "min", "max", "avg", "list")
PATTERNS: dict[str, tuple[str, Callable[[str], object]]] = {
    "matches": ("regular expression", check_regex),
    "like": ("pattern", len),
    "cidr": ("network", network_of),
}
"""The functions whose further arguments are patterns: what these are called, and what refuses a bad one."""

PAIRED = ("startswith", "endswith", "quotient", "matches", "like", *ALLEN)
MANY = 1_000_000
ARITY = {**dict.fromkeys(FUNCTIONS, (1, 1)), **dict.fromkeys(PAIRED, (2, 2)), "in": (2, MANY), "cidr": (2, MANY)}
"""How many arguments a function takes: at least, at most."""
