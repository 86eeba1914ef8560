"""What guards are worth: every operator and function, on values of every type, and nothing ever raises."""

from __future__ import annotations

import math

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.amounts import examples
from tests.languages.strategies import GUARDS
from tocsin.algebra.functions import FUNCTIONS, RELATIONS
from tocsin.algebra.guards import Binary, Call, Guard, Literal, Occurred, Reference
from tocsin.algebra.occurrence import Bound, Occurrence
from tocsin.algebra.values import MISSING, Surroundings, evaluate, holds
from tocsin.errors import Source
from tocsin.events import SELF, Event, Moment
from tocsin.languages.guards import parse_guard_text
from tocsin.time.spans import DAY, SECOND, Period

FRIDAY = 1_794_571_200 * SECOND
"""2026-11-13T12:00:00Z."""


def one(start: float, end: float | None = None, source: str = "", **data: object) -> Occurrence:
    """An occurrence of one event."""
    begin, stop = round(start * SECOND), round((start if end is None else end) * SECOND)
    return Occurrence(begin, stop, (Event("e", stop, begin, "1", source, data),))


X, Y = one(2, source="s", v=3, t="Text", flag=True, no=None, many=[1, 2]), one(5, 7, v=2.5)
RUN = (one(1, v=4), one(2, v=1), one(3), one(4, v=7.0, w=5))
VARIABLES: dict[str, Bound] = {
    "x": X,
    "y": Y,
    "r": RUN,
    "q": (*RUN[:2], RUN[3]),
    "both": Occurrence(0, 9, (*X.events, *Y.events)),
}


def value(text: str, now: int = 10 * SECOND) -> object:
    return evaluate(parse_guard_text(Source(text)), VARIABLES, Surroundings(now))


def incomparable(text: str) -> dict[str, int]:
    around = Surroundings()
    assert evaluate(parse_guard_text(Source(text)), VARIABLES, around) is False
    return around.incomparable


def seconds(count: float) -> Period:
    return Period.of(microseconds=round(count * SECOND))


# -- comparing -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("low", "high"), [("1", "2"), ("1", "1.5"), ("'a'", "'b'"), ("@x", "@y"), ("[1*sec]", "[1*min]")]
)
def test_every_comparison_of_two_values_in_order(low: str, high: str) -> None:
    true = [f"{low} {o} {high}" for o in ("!=", "<", "<=")] + [f"{high} {o} {low}" for o in ("!=", ">", ">=")]
    true += [f"{low} {o} {low}" for o in ("==", "<=", ">=")]
    false = [f"{low} {o} {high}" for o in ("==", ">", ">=")] + [f"{high} {o} {low}" for o in ("==", "<", "<=")]
    false += [f"{low} {o} {low}" for o in ("!=", "<", ">")]
    assert [value(text) for text in true] == [True] * len(true)
    assert [value(text) for text in false] == [False] * len(false)


@pytest.mark.parametrize("missing", ["x.none", "z.v", "@z", "|@z", "$z", "z", "both.v", "1 / 0"])
@pytest.mark.parametrize("operator", ["==", "!=", "<", "<=", ">", ">="])
def test_a_comparison_with_what_is_missing_is_false_and_not_counted(missing: str, operator: str) -> None:
    assert value(missing) is MISSING
    assert incomparable(f"{missing} {operator} 1") == incomparable(f"1 {operator} {missing}") == {}
    assert value(f"!({missing} {operator} 1)") is True


def test_missing_is_not_null() -> None:
    assert value("x.none == null") is value("x.none != null") is False


def test_null_is_equal_to_itself_alone() -> None:
    assert value("x.no == null") is value("x.v != null") is value("null != x.t") is True
    assert value("x.no != null") is value("x.v == null") is value("@x == null") is False


def test_null_has_no_order() -> None:
    assert incomparable("x.no < 1") == {"null with number": 1}


def test_booleans_are_equal_or_not_and_no_numbers() -> None:
    assert value("x.flag == true") is value("x.flag != false") is True
    assert incomparable("x.flag == 1") == {"boolean with number": 1}
    assert incomparable("x.flag > false") == {"boolean with boolean": 1}
    assert value("x.flag + 1") is MISSING


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("x.t > 3", "number with string"),
        ("x.t != 3", "number with string"),
        ("x.many == 1", "list with number"),
        ("@x < [5*sec]", "period with time"),
        ("@x == 'now'", "string with time"),
        ("x < y", "event with event"),
        ("[Mon] == [Tue]", "time point with time point"),
    ],
)
def test_what_has_no_order_is_false_and_counted(text: str, kind: str) -> None:
    assert incomparable(text) == {kind: 1}


def test_not_a_number_compares_with_nothing() -> None:
    nan = Literal(math.nan)
    for operator in ("==", "!=", "<", ">="):
        assert evaluate(Binary(operator, nan, nan), {}, Surroundings()) is False


@pytest.mark.parametrize(
    "text",
    ["@x == 2", "@x >= 2", "@x < 2.5", "2 <= @x", "@y - @x == 5", "[5*sec] < 5.5", "0.25 == [250*msec]", "1e300 > @x"],
)
def test_numbers_are_seconds_beside_times_and_periods(text: str) -> None:
    assert value(text) is True


def test_a_month_compares_as_thirty_days() -> None:
    assert value("[1*month] == [30*day]") is value("[1*year] < [366*day]") is True


def test_events_are_equal_if_they_are_the_same_occurrence() -> None:
    assert value("x == x") is value("x != y") is True
    assert value("x == y") is value("x != x") is False


@pytest.mark.parametrize(
    ("point", "day", "holds"),
    [
        ("[Fri]", 0, True),
        ("[Fri]", 1, False),
        ("[12:00]", 0, True),
        ("[13/-/-]", 0, True),
        ("[13/Nov/2026]", 0, False),  # an exact point is one instant: midnight
        ("[12:00 13/Nov/2026]", 0, True),
    ],
)
def test_a_partial_time_point_compares_the_fields_written(point: str, day: int, holds: bool) -> None:
    variables = {"x": Occurrence(0, FRIDAY + day * DAY)}
    for text in (f"@x == {point}", f"{point} == @x"):
        assert evaluate(parse_guard_text(Source(text)), variables, Surroundings()) is holds


def test_weekdays_are_in_order() -> None:
    working = parse_guard_text(Source("[Mon] <= @x && @x <= [Fri]"))
    found = [holds(working, {"x": Occurrence(0, FRIDAY + day * DAY)}, Surroundings()) for day in range(7)]
    assert found == [True, False, False, True, True, True, True]


# -- logic ---------------------------------------------------------------------------------------------------------


def test_logic_knows_only_true() -> None:
    assert value("true && true") is value("false || true") is value("!false") is value("not x.none") is True
    assert value("true && x.v") is value("x.v || false") is value("x.none || x.none") is False


def test_logic_stops_where_the_answer_is_known() -> None:
    assert incomparable("false && x.t > 3") == {}
    around = Surroundings()
    assert holds(parse_guard_text(Source("true || x.t > 3")), VARIABLES, around)
    assert not around.incomparable


def test_no_guard_always_holds() -> None:
    assert holds(None, {}, Surroundings()) is True


# -- arithmetic ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("7 + 2", 9), ("7 - 2", 5), ("7 * 2", 14), ("-x.v", -3), ("1 + 2 * 3", 7),
        ("7 / 2", 3.5), ("-7 / 2", -3.5), ("6 / 2", 3.0), ("7.0 / 2", 3.5),
        ("7 // 2", 3), ("-7 // 2", -3), ("7 // -2", -3), ("7.5 // 2", 3), ("-7.5 // 2", -3),
        ("quotient(-7, 2)", -3), ("quotient(7, 2.0)", 3.5), ("ratio(7, 2)", 3.5),
        ("7 % 3", 1), ("-7 % 3", -1), ("7 % -3", 1), ("7.5 % 2", 1.5), ("-7.5 % 2", -1.5),
        ("'a' + 'b'", "ab"),
    ],
)  # fmt: skip
def test_numbers_and_texts_as_in_c(text: str, wanted: object) -> None:
    found = value(text)
    assert found == wanted
    assert type(found) is type(wanted)


@pytest.mark.parametrize(
    "text",
    [
        "1 / 0", "1 // 0", "quotient(1, 0)", "1e308 // 1e-9",
        "1 % 0", "1.5 / 0", "1.5 % 0", "'a' - 'b'", "'a' * 2", "1 + 'a'", "@x + @y", "@x * 2", "[5*sec] * 'a'",
        "[1*month] * 1.5", "[1*sec] * 1e308", "[5*sec] / 2", "@x - 5", "x + y", "null + 1", "-@x", "true + true",
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_missing(text: str) -> None:
    assert value(text) is MISSING


def test_a_runaway_product_is_missing() -> None:
    product = " * ".join(["1" + "0" * 300] * 5)
    assert value(product) is MISSING
    assert value(f"{product} == {product}") is False


def test_whole_numbers_beyond_every_float_compare() -> None:
    huge = "1" + "0" * 390
    assert value(f"{huge} > 1.5") is value(f"{huge} == {huge}") is value(f"@x < {huge}") is True
    assert value(f"{huge} * 1.5") is value(f"{huge} / 1.5") is MISSING


def test_a_difference_of_times_is_its_size_whichever_comes_first() -> None:
    assert value("@y - @x") == value("@x - @y") == seconds(5)
    assert value("@y - |@y") == seconds(2)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("@x + [5*sec]", Moment(7 * SECOND)), ("[5*sec] + @x", Moment(7 * SECOND)), ("@x - [5*sec]", Moment(-3 * SECOND)),
        ("@x + [1*month]", Moment(31 * DAY + 2 * SECOND)), ("now - [1*sec]", Moment(9 * SECOND)),
        ("[5*sec] + [1*min]", seconds(65)), ("[5*sec] - [1*min]", seconds(-55)),
        ("[5*sec] * 3", seconds(15)), ("3 * [5*sec]", seconds(15)), ("[5*sec] * 1.5", seconds(7.5)),
        ("0.5 * [5*sec]", seconds(2.5)), ("[1*month] * 2", Period.of(months=2)),
    ],
)  # fmt: skip
def test_times_and_periods(text: str, wanted: object) -> None:
    assert value(text) == wanted


# -- names ---------------------------------------------------------------------------------------------------------


def test_what_can_be_asked_of_an_event() -> None:
    assert (value("x.v"), value("$x"), value("@y"), value("|@y")) == (3, "s", Moment(7 * SECOND), Moment(5 * SECOND))
    assert (value("?x"), value("?z"), value("now"), value("self")) == (True, False, Moment(10 * SECOND), SELF)
    assert value("x") is X


def test_a_repeated_variable_has_the_list_of_its_values() -> None:
    assert evaluate(parse_guard_text(Source("r.v")), VARIABLES, Surroundings()) == [4, 1, MISSING, 7.0]


@pytest.mark.parametrize(
    "text",
    [
        "x.t + 1 > 0", "x.v - x.t == 0", "-x.t == 1", "abs(x.t) == 1", "quotient(x.t, 1) == 1", "len(x.v) == 4",
        "lower(x.v) == 'a'", "contains(x.t, 3)", "startswith(x.v, 'a')", "endswith(x.t, 1)", "sum(x.t) > 0",
    ],
)  # fmt: skip
def test_operands_of_the_wrong_type_are_counted(text: str) -> None:
    assert incomparable(text) == {"number with string": 1}


@pytest.mark.parametrize(
    "text", ["x.none + 1 > 0", "-z.v > 0", "len(x.none) > 0", "contains(x.none, 'a')", "sum(r.v) > 0"]
)
def test_what_is_missing_is_not_counted(text: str) -> None:
    assert incomparable(text) == {}


# -- functions -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("abs(-3)", 3), ("abs(2.5)", 2.5), ("abs([5*sec] - [1*min])", seconds(55)), ("abs([5*sec])", seconds(5)),
        ("abs(x.t)", MISSING), ("len(x.t)", 4), ("len(x.many)", 2), ("len(x.v)", MISSING),
        ("lower(x.t)", "text"), ("upper(x.t)", "TEXT"), ("lower(x.v)", MISSING), ("upper(null)", MISSING),
        ("contains(x.t, 'ex')", True), ("contains(x.t, 'EX')", False), ("contains(x.t, 3)", False),
        ("startswith(x.t, 'Te')", True), ("startswith(x.t, 'ex')", False), ("startswith(x.none, 'a')", False),
        ("endswith(x.t, 'xt')", True), ("endswith(x.t, 'Te')", False), ("endswith(x.none, 'a')", False),
        ("x.v in (1, 3)", True), ("x.v in (1, 2)", False), ("x.none in (1, 2)", False), ("x.t in ('Text')", True),
    ],
)  # fmt: skip
def test_functions_of_values(text: str, wanted: object) -> None:
    assert value(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("first(r.v)", 4), ("last(r.v)", 7.0), ("count(r.v)", 3), ("count(r)", 4), ("list(r.v)", [4, 1, None, 7.0]),
        ("sum(q.v)", 12.0), ("min(q.v)", 1), ("max(q.v)", 7.0), ("avg(q.v)", 4.0), ("list(q.v)", [4, 1, 7.0]),
        ("first(r)", RUN[0]), ("last(@r)", Moment(4 * SECOND)), ("max(@r) - min(@r)", seconds(3)),
        ("sum(x.v)", 3), ("count(x.v)", 1), ("max(x.t)", "Text"), ("sum(x.many)", 3),
        ("count(z.v)", 0), ("list(z.v)", []), ("count(r.none)", 0), ("list(r.none)", [None] * 4),
        *((f"{name}(r.v)", MISSING) for name in ("sum", "min", "max", "avg")),
        *((f"{name}(r.none)", MISSING) for name in ("sum", "min", "max", "avg", "first", "last")),
        ("first(r.w)", MISSING), ("last(r.w)", 5), ("first(r.w) == last(r.w)", False), ("min(r.w) == max(r.w)", False),
        ("sum(x.t)", MISSING),
    ],
)  # fmt: skip
def test_aggregates_over_a_repetition(text: str, wanted: object) -> None:
    assert value(text) == wanted


@pytest.mark.parametrize("numbers", [[1, 2], [2**53, 1], [10**400, 1], [-112, -1]])
def test_a_sum_of_whole_numbers_is_whole(numbers: list[int]) -> None:
    found = evaluate(parse_guard_text(Source("sum(x.v)")), {"x": one(0, v=numbers)}, Surroundings())
    assert isinstance(found, int)
    assert found == sum(numbers)


def test_aggregates_of_different_types_have_no_value_and_are_counted() -> None:
    mixed, around = {"x": one(0, v=[3, "b", 1])}, Surroundings()
    found = [evaluate(parse_guard_text(Source(f"{name}(x.v)")), mixed, around) for name in ("min", "max", "sum", "avg")]
    assert found == [MISSING] * 4
    assert around.incomparable == {"number with string": 4}
    texts = {"x": one(0, v=["b", "a", "c"])}
    found = [evaluate(parse_guard_text(Source(f"{name}(x.v)")), texts, Surroundings()) for name in ("min", "max")]
    assert found == ["a", "c"]
    unlike = {"x": one(0, v=["b", None])}
    assert evaluate(parse_guard_text(Source("max(x.v)")), unlike, Surroundings()) is MISSING


INTERVALS = st.lists(st.integers(0, 5), min_size=2, max_size=2).map(sorted)


@settings(max_examples=examples(100))
@given(INTERVALS, INTERVALS)
def test_exactly_one_of_allens_relations_holds(first: list[int], second: list[int]) -> None:
    variables: dict[str, Bound] = {"x": Occurrence(*first), "y": Occurrence(*second)}
    calls = [Call(name, (Reference("x"), Reference("y"))) for name in RELATIONS]
    assert [evaluate(call, variables, Surroundings()) for call in calls].count(True) == 1


@given(INTERVALS, INTERVALS)
def test_allens_relations_come_in_pairs(first: list[int], second: list[int]) -> None:
    variables: dict[str, Bound] = {"x": Occurrence(*first), "y": Occurrence(*second)}
    x, y = Reference("x"), Reference("y")
    pairs = [("before", "after"), ("meets", "met_by"), ("overlaps", "overlapped_by"), ("starts", "started_by")]
    for name, converse in [*pairs, ("during", "contains"), ("finishes", "finished_by"), ("equals", "equals")]:
        one_way, other_way = Call(name, (x, y)), Call(converse, (y, x))
        assert evaluate(one_way, variables, Surroundings()) == evaluate(other_way, variables, Surroundings())


@pytest.mark.parametrize("name", RELATIONS)
def test_interval_relations_relate_events_alone(name: str) -> None:
    assert evaluate(Call(name, (Reference("x"), Literal(3))), VARIABLES, Surroundings()) is False
    assert evaluate(Call(name, (Reference("z"), Reference("x"))), VARIABLES, Surroundings()) is False


# -- nothing raises --------------------------------------------------------------------------------------------------

VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.sampled_from([10**400, -(10**1000), 1.7e308, -0.0, math.inf, math.nan]),
    st.floats(),
    st.text(max_size=5),
    st.lists(st.one_of(st.integers(), st.floats(), st.text(max_size=2), st.just(10**400)), max_size=3),
    st.builds(Moment, st.integers()),
    st.builds(Period, st.integers(-(10**5), 10**5), st.integers(0, 11), st.integers()),
)
NAMES = ("a", "b", "x", "sec")
EVENTS = st.builds(
    lambda data, start, length: Occurrence(start, start + length, (Event("e", start + length, start, data=data),)),
    st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=3),
    st.integers(-(10**18), 10**18),
    st.integers(0, 10**12),
)
BINDINGS = st.dictionaries(st.sampled_from(NAMES), st.one_of(EVENTS, st.lists(EVENTS, max_size=3).map(tuple)))


@settings(max_examples=examples(100))
@given(GUARDS, BINDINGS)
@example(parse_guard_text(Source("@a < 1e308")), {"a": one(1)})
@example(parse_guard_text(Source("sum(a.v) == avg(a.v)")), {"a": one(1, v=[10**400, 0.5])})
@example(parse_guard_text(Source("1" + "0" * 390 + " == 0.5")), {})
def test_no_guard_raises_on_any_values(guard: Guard, variables: dict[str, Bound]) -> None:
    around = Surroundings(5)
    found = evaluate(guard, variables, around)
    assert holds(guard, variables, around) is (found is True)


OPERATORS = ("==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "//", "%")


@settings(max_examples=examples(100))
@given(st.sampled_from(OPERATORS), VALUES, VALUES)
def test_no_operator_raises_on_any_two_values(operator: str, left: object, right: object) -> None:
    guard = parse_guard_text(Source(f"x.l {operator} x.r"))
    found = evaluate(guard, {"x": one(0, l=left, r=right)}, Surroundings())
    assert operator in OPERATORS[6:] or isinstance(found, bool)


@given(st.sampled_from(sorted(FUNCTIONS)), VALUES, VALUES)
def test_no_function_raises_on_any_values(name: str, left: object, right: object) -> None:
    pair = FUNCTIONS[name].least == 2
    guard = parse_guard_text(Source("x.l in (x.r)" if name == "in" else f"{name}(x.l{', x.r' if pair else ''})"))
    evaluate(guard, {"x": one(0, l=left, r=right)}, Surroundings())


@given(VALUES, VALUES)
def test_unequal_is_the_opposite_of_equal_unless_it_cannot_be_asked(left: object, right: object) -> None:
    variables, around = {"x": one(0, l=left, r=right)}, Surroundings()
    equal = evaluate(parse_guard_text(Source("x.l == x.r")), variables, around)
    unequal = evaluate(parse_guard_text(Source("x.l != x.r")), variables, around)
    assert (equal is not unequal) is (not around.incomparable)


def test_occurred_is_about_variables_not_values() -> None:
    assert evaluate(Occurred("r"), VARIABLES, Surroundings()) is True
