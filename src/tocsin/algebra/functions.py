"""The functions that a guard can call: one record each in one table, from which everything else is read.

The parser takes a name and so many arguments, `types.py` checks what they are, `values.py` runs it, patterns in Python
have it as a method, and other engines are told how they spell it. To add a function, add a record.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Protocol

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

NUMBER, STRING, BOOLEAN, TIME, PERIOD, EVENT, NULL = "number", "string", "boolean", "time", "period", "event", "null"
"""The types of values in guards, as faults call them."""

MANY: Final = 1_000_000
"""As many arguments as one likes."""


class Ordered(Protocol):
    """Numbers in order, by their place."""

    def __getitem__(self, place: int, /) -> float: ...


@dataclass(frozen=True)
class Function:
    """All there is to know about a function."""

    run: Callable[..., object]
    """What it is worth; the first argument is the surroundings.

    It may be given anything, MISSING too: what it has no value for is `wrong`, which counts it, or False for a test.
    """
    least: int = 1
    most: int = 1
    """How many arguments it takes."""
    takes: tuple[str, ...] = ()
    """The types that its arguments can have; none: any."""
    gives: str | None = None
    """The type of its value; None where that depends on the arguments."""
    is_relation: bool = False
    """Whether it relates the intervals of two events."""
    is_aggregate: bool = False
    """Whether it goes over all events of a repetition."""
    pattern: tuple[str, Callable[[str], object]] | None = None
    """Where its further arguments are patterns: what one is called, and what refuses a bad one."""
    method: str = ""
    """What patterns in Python call it: `a.host.starts_with("r")`. Without one it is `tc.guard("...")`."""
    folded: str = ""
    """What it is called where case makes no difference."""
    flink: str = ""
    esper: str = ""
    """How other engines spell it; without that, it cannot be said there."""
    means: str = ""
    """What it is worth, in a few words for editors; nothing where it is written as an operator (`in`, `like`)."""
    example: str = "x.v"
    """Arguments for an example."""


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


def _exists(around: Surroundings, one: object) -> object:
    """Whether there is a value that equals itself, and nothing of another kind."""
    return isinstance(one, str | bool) or (is_number(one) and one == one)


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


def exact_total(numbers: list[Any]) -> tuple[int, int]:
    """The sum of finite numbers without rounding, as a fraction: in whatever order they come."""
    ratios = [number.as_integer_ratio() for number in numbers]
    denominator = max([below for _, below in ratios], default=1)  # of reals all are powers of two
    return sum([above * (denominator // below) for above, below in ratios]), denominator


def _sum(numbers: list[Any]) -> object:
    """Rounded once, so that it does not depend on the order."""
    if any(isinstance(number, float) for number in numbers) and all(map(math.isfinite, numbers)):
        above, below = exact_total(numbers)
        return above / below
    return sum(numbers)


def _mean(numbers: list[Any]) -> object:
    if not all(map(math.isfinite, numbers)):
        return sum(numbers) / len(numbers)
    above, below = exact_total(numbers)
    return above / (below * len(numbers))


def deviation(count: int, total: Fraction, squares: Fraction) -> object:
    """The standard deviation of a sample of so many, of which the sum and the sum of squares are known."""
    return math.sqrt((squares - total * total / count) / (count - 1)) if count > 1 else MISSING


def _deviation(numbers: list[Any]) -> object:
    if not all(map(math.isfinite, numbers)):
        return MISSING
    exact = [Fraction(number) for number in numbers]
    return deviation(len(exact), sum(exact, Fraction()), sum([each * each for each in exact], Fraction()))


def quantile(ordered: Ordered, count: int, percent: float) -> float:
    """The value below which so many percent of ordered numbers lie, between the two nearest in proportion."""
    place = (count - 1) * percent / 100
    below = math.floor(place)
    one = ordered[below]
    return one if below == place else one + (ordered[below + 1] - one) * (place - below)


def _percentile(around: Surroundings, values: object, percent: object) -> object:
    if not is_number(percent) or not 0 <= percent <= 100:  # type: ignore[operator]  # a number
        return wrong(percent, "number", around)
    return _aggregate(_numeric(lambda numbers: quantile(sorted(numbers), len(numbers), percent)))(around, values)  # type: ignore[arg-type]  # a number


def _different(values: list[object], around: Surroundings) -> object:
    """How many different values there are, told apart as repetitions do."""
    return len({told for value in values if (told := told_apart(value)) is not None})


def told_apart(value: object) -> object:
    """A value as repetitions compare it, told apart by type; None where there is none, or a NaN."""
    if value is MISSING or value != value:
        return None
    return ("number", value) if is_number(value) else (type(value).__name__, str(value))


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


def _related(test: Callable[[int, int, int, int], bool], means: str) -> Function:
    return Function(_relation(test), 2, 2, gives=BOOLEAN, is_relation=True, means=means, example="x, y")


def _over(
    combine: Callable[[list[object], Surroundings], object],
    means: str,
    *takes: str,
    gives: str | None = None,
    example: str = "x.v",
) -> Function:
    means = f"of a repetition, {means}"
    return Function(_aggregate(combine), takes=takes, gives=gives, is_aggregate=True, means=means, example=example)


FUNCTIONS: Final[dict[str, Function]] = {
    "abs": Function(
        _absolute,
        takes=(NUMBER, PERIOD),
        flink="ABS({})",
        esper="Math.abs({})",
        means="a number or a length of time without its sign",
    ),
    "quotient": Function(
        _quotient, 2, 2, means="division as GEM's `/`: whole between two whole numbers", example="x.n, 2"
    ),
    "len": Function(_size, takes=(STRING,), gives=NUMBER, means="the length of a text or a list", example="x.name"),
    "text": Function(
        _everything, takes=(EVENT,), gives=STRING, means="all values of an event as one text, one a line", example="x"
    ),
    "exists": Function(_exists, gives=BOOLEAN, method="exists", means="whether there is a text, number or truth value"),
    "lower": Function(
        _cased(str.lower),
        takes=(STRING,),
        gives=STRING,
        method="lower",
        flink="LOWER({})",
        esper="{}.toLowerCase()",
        means="in small letters",
        example="x.name",
    ),
    "upper": Function(
        _cased(str.upper),
        takes=(STRING,),
        gives=STRING,
        method="upper",
        flink="UPPER({})",
        esper="{}.toUpperCase()",
        means="in capital letters",
        example="x.name",
    ),
    "startswith": Function(
        _text(lambda one, other: one.startswith(other)),
        *(2, 2),
        takes=(STRING,),
        gives=BOOLEAN,
        method="starts_with",
        folded="istartswith",
        flink="STARTSWITH({}, {})",
        esper="{}.startsWith({})",
        means="whether a text begins so",
        example="x.name, 'r'",
    ),
    "endswith": Function(
        _text(lambda one, other: one.endswith(other)),
        *(2, 2),
        takes=(STRING,),
        gives=BOOLEAN,
        method="ends_with",
        folded="iendswith",
        flink="ENDSWITH({}, {})",
        esper="{}.endsWith({})",
        means="whether a text ends so",
        example="x.name, 'r'",
    ),
    "in": Function(_member, 2, MANY, gives=BOOLEAN, method="is_in"),
    "matches": Function(
        _patterned(matches),
        *(2, 2),
        takes=(STRING,),
        gives=BOOLEAN,
        pattern=("regular expression", check_regex),
        method="matches",
    ),
    "like": Function(
        _patterned(is_like),
        *(2, 2),
        takes=(STRING,),
        gives=BOOLEAN,
        pattern=("pattern", len),
        method="like",
        folded="ilike",
    ),
    "cidr": Function(
        _patterned(is_in_network),
        *(2, MANY),
        takes=(STRING,),
        gives=BOOLEAN,
        pattern=("network", network_of),
        method="in_network",
    ),
    # Allen's thirteen relations of two intervals [s, e] and [s2, e2]; 003's Fig. 3 draws some of them.
    "before": _related(lambda s, e, s2, e2: e < s2, "x is over before y begins"),
    "after": _related(lambda s, e, s2, e2: e2 < s, "x begins after y is over"),
    "meets": _related(lambda s, e, s2, e2: e == s2 and s < s2 and e < e2, "x ends where y begins"),
    "met_by": _related(lambda s, e, s2, e2: e2 == s and s2 < s and e2 < e, "x begins where y ends"),
    "overlaps": _related(lambda s, e, s2, e2: s < s2 < e < e2, "x begins first, and ends inside y"),
    "overlapped_by": _related(lambda s, e, s2, e2: s2 < s < e2 < e, "y begins first, and ends inside x"),
    "starts": _related(lambda s, e, s2, e2: s == s2 and e < e2, "both begin together, and x ends first"),
    "started_by": _related(lambda s, e, s2, e2: s == s2 and e2 < e, "both begin together, and y ends first"),
    "during": _related(lambda s, e, s2, e2: s2 < s and e < e2, "x lies inside y"),
    "contains": Function(
        _contains,
        *(2, 2),
        takes=(STRING,),
        gives=BOOLEAN,
        is_relation=True,  # between two events; of two texts it is a test
        method="contains",
        folded="icontains",
        flink="POSITION({1} IN {0}) > 0",
        esper="{}.contains({})",
        means="whether a text holds another; of two events, whether the first lasts around the second",
        example="x.name, 'r'",
    ),
    "finishes": _related(lambda s, e, s2, e2: s2 < s and e == e2, "both end together, and x begins later"),
    "finished_by": _related(lambda s, e, s2, e2: s < s2 and e == e2, "both end together, and y begins later"),
    "equals": _related(lambda s, e, s2, e2: s == s2 and e == e2, "both begin and end together"),
    # Over the occurrences of a repetition.
    "first": _over(_place(0), "the first value"),
    "last": _over(_place(-1), "the last value"),
    "count": _over(_count, "how many events, or how many have the attribute", gives=NUMBER, example="x"),
    "sum": _over(_numeric(_sum), "the sum of the values", NUMBER, gives=NUMBER),
    "min": _over(_extreme(-1), "the least value"),
    "max": _over(_extreme(1), "the greatest value"),
    "avg": _over(_numeric(_mean), "the mean of the values", NUMBER, gives=NUMBER),
    "distinct": _over(_different, "how many different values there are", gives=NUMBER),
    "median": _over(
        _numeric(lambda numbers: quantile(sorted(numbers), len(numbers), 50)), "the middle value", NUMBER, gives=NUMBER
    ),
    "stddev": _over(_numeric(_deviation), "the standard deviation of the values, a sample", NUMBER, gives=NUMBER),
    "percentile": Function(
        _percentile,
        *(2, 2),
        takes=(NUMBER,),
        gives=NUMBER,
        is_aggregate=True,
        means="of a repetition, the value below which so many percent lie",
        example="x.v, 95",
    ),
    "list": _over(_list, "all values"),
    "previous": Function(
        lambda around, one: MISSING,
        gives=NUMBER,
        means="of an aggregate over a window, what it was over the window before",
        example="count(x)",
    ),
}
"""Every function a guard can call, by name."""

AGGREGATES: Final = tuple(name for name, each in FUNCTIONS.items() if each.is_aggregate)
RELATIONS: Final = tuple(name for name, each in FUNCTIONS.items() if each.is_relation)
