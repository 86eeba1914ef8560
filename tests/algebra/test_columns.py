"""Guards over columns give, row by row, what they give for the rows' events."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.time.strategies import partial_points
from tocsin.algebra.columns import EventColumns, select_rows
from tocsin.algebra.guards import (
    ARITHMETIC,
    COMPARISONS,
    LOGIC,
    Attribute,
    Binary,
    Call,
    Duration,
    End,
    Guard,
    Literal,
    Negative,
    Not,
    Now,
    Occurred,
    Point,
    Reference,
    Self,
    SourceOf,
    Start,
    walk,
)
from tocsin.algebra.occurrence import Occurrence
from tocsin.algebra.values import Surroundings, evaluate
from tocsin.errors import MissingDependency, UsageError
from tocsin.events import Event
from tocsin.time import DAY, SECOND, Period, TimePoint, validate

pa = pytest.importorskip("pyarrow")

NOW = 3 * SECOND
# Numbers at which Arrow's and Python's could part: the ends of 64 bits, the first that no double holds, no numbers.
WHOLE = [0, 1, 2, 2**53, 2**53 + 1, -(2**53) - 1, 2**63 - 1, -(2**63)]
BROKEN = [0.0, -0.0, 0.5, 2.0, 2.0**53, 2.0**63, -(2.0**63), math.nan, math.inf]


def one_by_one(guard: Guard, columns: EventColumns) -> list[bool]:
    """What `select_rows` must give, the long way round."""
    found = []
    for number in range(len(columns.end)):
        cells = {name: columns.attributes.column(name)[number].as_py() for name in columns.attributes.schema.names}
        data = {name: cell for name, cell in cells.items() if cell is not None}
        end, start, source = (each[number].as_py() for each in (columns.end, columns.start, columns.source))
        occurrence = Occurrence(start, end, (Event("t", end, start, source=source or "", data=data),))
        found.append(evaluate(guard, {columns.variable: occurrence}, Surroundings(NOW)) is True)
    return found


# Sides of a comparison are mostly of one sort, so that many of them can be compared.
small = st.integers(-3, 3)
numbers = small | st.sampled_from(WHOLE)
fractions = st.sampled_from(BROKEN) | st.sampled_from(BROKEN) | st.floats()
words = st.text(st.sampled_from("abAB\0ßİſ中\U0001f514\uffff "), max_size=2)


def attributes(*names: str) -> st.SearchStrategy[Guard]:
    return st.builds(Attribute, st.just("x"), st.sampled_from(names))


def binary(operators: Sequence[str], *sides: st.SearchStrategy[Guard]) -> st.SearchStrategy[Guard]:
    return st.builds(Binary, st.sampled_from(operators), *sides)


def calls(names: Sequence[str], *arguments: st.SearchStrategy[Guard]) -> st.SearchStrategy[Guard]:
    return st.builds(Call, st.sampled_from(names), st.tuples(*arguments))


def literals(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Guard]:
    return st.builds(Literal, values)


constants = literals(numbers | fractions)
plain_numbers = attributes("int64", "small", "int8", "double", "float")
any_number = plain_numbers | attributes("uint64", "mixed") | constants
more_numbers = st.builds(Negative, any_number) | calls(["abs"], any_number)
sums = st.recursive(any_number | more_numbers, lambda inner: binary(ARITHMETIC, inner, inner), max_leaves=4)
plain_texts = attributes("string", "large", "dictionary") | st.just(SourceOf("x"))
any_text = plain_texts | attributes("mixed") | literals(words) | st.just(Self())
texts = any_text | calls(["lower", "upper"], any_text) | binary("+", any_text, any_text)
points = st.one_of(
    partial_points().filter(lambda point: validate(point) is None),
    st.builds(TimePoint, day=st.integers(1, 28), month=st.integers(1, 12), year=st.integers(1969, 1978)),
)
moments: st.SearchStrategy[Guard] = st.sampled_from([End("x"), Start("x"), Now()])
steps = st.sampled_from([Period(0, 0, SECOND), Period(0, 0, -1), Period(0, 1, 0), Period(1, 2, 3)])
periods = st.builds(Duration, steps) | binary("-", moments, moments)
times = moments | periods | st.builds(Point, points) | binary("+-", moments, periods) | binary("*", periods, any_number)
strange = st.one_of(
    attributes("bool", "null", "list", "time", "absent", "mixed"),
    literals(st.none() | st.booleans() | st.sampled_from([2**64, 10**400, "\ud800"])),
    st.builds(Occurred, st.sampled_from("xy")),
    st.builds(Reference, st.sampled_from("xy")),
    st.sampled_from([Attribute("y", "int64"), End("y"), SourceOf("y")]),
    calls(["count", "sum", "len"], any_number | texts | attributes("list")),
)
anything = st.one_of(sums, texts, times, strange)
whole, booleans = attributes("int64", "int8") | literals(numbers), attributes("bool")
plain = {  # what the kernels are for
    "numbers": binary(COMPARISONS, plain_numbers, plain_numbers | constants),
    "sums": binary(COMPARISONS, binary("+-*/", plain_numbers, plain_numbers | constants), plain_numbers | constants),
    "whole": binary(COMPARISONS, binary("+-*/", whole, whole), whole),
    "texts": binary(COMPARISONS, plain_texts, plain_texts | literals(words)),
    "searches": calls(["startswith", "endswith", "contains"], plain_texts, plain_texts | literals(words)),
    "times": binary(COMPARISONS, moments, moments | constants | plain_numbers),
    "booleans": booleans | binary(COMPARISONS, booleans, booleans | literals(st.booleans())),
    "null": binary(COMPARISONS, literals(st.none()), plain_numbers | plain_texts | booleans | moments),
}
tests = st.one_of(
    binary(COMPARISONS, sums, sums),
    binary(COMPARISONS, texts, texts),
    binary(COMPARISONS, times | any_number, times | any_number),
    binary(COMPARISONS, anything, anything),
    calls(["startswith", "endswith", "contains", "before"], texts | anything, texts | anything),
    st.builds(Call, st.just("in"), st.lists(sums | texts | anything, min_size=1, max_size=4).map(tuple)),
    anything,
)


def grown(inner: st.SearchStrategy[Guard]) -> st.SearchStrategy[Guard]:
    return binary(LOGIC, inner, inner) | st.builds(Not, inner) | binary(["==", "!=", "<"], inner, inner)


GUARDS = {name: guard | grown(guard) for name, guard in plain.items()}
GUARDS["anything"] = st.recursive(tests | st.one_of(*plain.values()), grown, max_leaves=3)

CELLS: dict[str, tuple[Any, st.SearchStrategy[Any]]] = {
    "int64": (pa.int64(), numbers | st.integers(-(2**63), 2**63 - 1)),
    "small": (pa.int64(), small),
    "int8": (pa.int8(), small),
    "uint64": (pa.uint64(), st.integers(0, 3) | st.sampled_from([2**53 + 1, 2**64 - 1])),
    "double": (pa.float64(), fractions),
    "float": (pa.float32(), st.floats(width=32) | st.sampled_from([0.5, 1.0, math.nan])),
    "string": (pa.string(), words),
    "large": (pa.large_string(), words),
    "dictionary": (pa.dictionary(pa.int32(), pa.string()), words),
    "bool": (pa.bool_(), st.booleans()),
    "null": (pa.null(), st.none()),
    "list": (pa.list_(pa.int64()), st.lists(small, max_size=2)),
    "time": (pa.timestamp("us"), st.sampled_from([datetime(1970, 1, 1), datetime(2026, 11, 15)])),
}


def mixed(cells: list[Any]) -> Any:
    """A column whose cells are of different types: a union of numbers, fractions, texts, booleans and nothing."""
    types = {int: pa.int64(), float: pa.float64(), str: pa.string(), bool: pa.bool_(), type(None): pa.null()}
    kinds = [list(types).index(type(cell)) for cell in cells]
    arrays = [pa.array([cell for cell in cells if type(cell) is kind], of) for kind, of in types.items()]
    offsets = [kinds[:number].count(kind) for number, kind in enumerate(kinds)]
    return pa.UnionArray.from_dense(pa.array(kinds, pa.int8()), pa.array(offsets, pa.int32()), arrays)


@st.composite
def tables(draw: st.DrawFn, names: Sequence[str]) -> EventColumns:
    """A few rows with these attributes, in one piece or in two, as a table or as a record batch."""
    length = draw(st.sampled_from([6, 5, 3, 1, 0]))

    def cells(of: st.SearchStrategy[Any]) -> list[Any]:
        return draw(st.lists(of, min_size=length, max_size=length))

    attributes = {name: pa.array(cells(st.none() | CELLS[name][1]), CELLS[name][0]) for name in names if name in CELLS}
    if "mixed" in names:
        attributes["mixed"] = mixed(cells(st.none() | numbers | fractions | words | st.booleans()))
    instants = st.sampled_from([0, 1, SECOND, NOW]) | st.integers(0, 3000).map(DAY.__mul__)
    starts = cells(instants)
    ends = [start + more for start, more in zip(starts, cells(instants), strict=True)]
    table = pa.table(attributes)
    if draw(st.booleans()):
        table = pa.record_batch(attributes)
    elif attributes:
        cut = draw(st.integers(0, length))
        table = pa.concat_tables([table.slice(0, cut), table.slice(cut)])
    sources = pa.array(cells(st.none() | words), pa.string())
    return EventColumns("x", table, pa.array(ends, pa.int64()), pa.array(starts, pa.int64()), sources)


@pytest.mark.parametrize("sort", GUARDS)
@given(data=st.data())
@settings(deadline=None, max_examples=250)
def test_columns_agree_with_rows(sort: str, data: st.DataObject) -> None:
    guard = data.draw(GUARDS[sort])
    columns = data.draw(tables(sorted({part.name for part in walk(guard) if isinstance(part, Attribute)})))
    selected, expected = select_rows(guard, columns, NOW), one_by_one(guard, columns)
    assert selected == pa.array(expected, pa.bool_())


def events(**attributes: Any) -> EventColumns:
    """Events of x, one second apart from second 0, of the sources s0, s1, ..."""
    table = pa.table(attributes)
    times = pa.array([number * SECOND for number in range(table.num_rows)], pa.int64())
    return EventColumns("x", table, times, times, pa.array([f"s{number}" for number in range(table.num_rows)]))


def term(left: Guard | object, operator: str, right: Guard | object) -> Binary:
    sides = [side if isinstance(side, Guard) else Literal(side) for side in (left, right)]  # type: ignore[arg-type]
    return Binary(operator, *sides)


A, B = Attribute("x", "a"), Attribute("x", "b")

CASES: dict[str, tuple[Guard, dict[str, Any], list[bool]]] = {
    "a missing value is not equal": (term(A, "==", 1), {"a": [1, 2, None]}, [True, False, False]),
    "nor different": (term(A, "!=", 1), {"a": [1, 2, None]}, [False, True, False]),
    "and ! negates that": (Not(term(A, "!=", 1)), {"a": [1, 2, None]}, [True, False, True]),
    "what is there is not null": (term(A, "!=", None), {"a": [0, None]}, [True, False]),
    "an empty cell is missing, not null": (term(A, "==", None), {"a": [0, None]}, [False, False]),
    "null is null": (term(None, "==", None), {"a": [0]}, [True]),
    "types without an order differ in vain": (term(A, "!=", "1"), {"a": [1, 2]}, [False, False]),
    "a boolean is no number": (term(A, "==", 1), {"a": [True, False]}, [False, False]),
    "2**53 + 1 is no double": (term(A, "==", 2.0**53), {"a": [2**53 + 1, 2**53]}, [False, True]),
    "nor in a column": (term(A, ">", B), {"a": [2**53 + 1, 1], "b": [2.0**53, 1.0]}, [True, False]),
    "NaN has no order": (term(A, "!=", B), {"a": [math.nan, 1.0], "b": [1.0, math.nan]}, [False, False]),
    "division is real": (term(term(A, "/", 2), "==", -3.5), {"a": [-7, -6, 7]}, [True, False, False]),
    "of great numbers too": (term(term(A, "/", 3), "==", (2**62 + 1) / 3), {"a": [2**62 + 1, 0]}, [True, False]),
    "whole division is C's": (term(term(A, "//", 2), "==", -3), {"a": [-7, -6, 7]}, [True, True, False]),
    "of parts too": (term(term(A, "//", 2), "==", 3), {"a": [7.5, 6.0, 8.0]}, [True, True, False]),
    "the remainder too": (term(term(A, "%", 2), "==", -1), {"a": [-7, -6, 7]}, [True, False, False]),
    "nothing divides by zero": (term(term(1, "/", A), "!=", 9), {"a": [0, 1]}, [False, True]),
    "nor by 0.0": (term(term(1, "/", A), "!=", 9), {"a": [0.0, 1.0]}, [False, True]),
    "numbers have no end": (term(term(A, "+", 1), ">", A), {"a": [2**63 - 1, 1]}, [True, True]),
    "text sorts by code point": (term(A, "<", "\U0001f514"), {"a": ["\uffff", "\U0001f515"]}, [True, False]),
    "capitals are Unicode's": (term(Call("upper", (A,)), "==", "SS"), {"a": ["ß", "ss"]}, [True, True]),
    "numbers are seconds": (term(End("x"), ">=", 1), {"a": [0, 0, 0]}, [False, True, True]),
    "of periods too": (term(A, ">", Duration(Period(microseconds=SECOND))), {"a": [1, 2]}, [False, True]),
    "a month is 30 days": (term(A, ">", Duration(Period(months=1))), {"a": [1, 31 * 86_400]}, [False, True]),
    "only true is true": (A, {"a": [1, 0]}, [False, False]),
    "a boolean column is a guard": (A, {"a": [True, False, None]}, [True, False, False]),
    "the source": (term(SourceOf("x"), "==", "s1"), {"a": [0, 0]}, [False, True]),
    "in": (Call("in", (A, Literal(1), Literal("b"), B)), {"a": [1, 2, 3], "b": [0, 2, 0]}, [True, True, False]),
    "everything starts with nothing": (Call("startswith", (A, Literal(""))), {"a": ["", None]}, [True, False]),
    "a column in a column": (Call("contains", (A, B)), {"a": ["abc", "abc"], "b": ["bc", "x"]}, [True, False]),
    "no such column": (Not(term(Attribute("x", "c"), "==", 1)), {"a": [1]}, [True]),
    "no rows": (term(A, "==", 1), {"a": pa.array([], pa.int64())}, []),
}


@pytest.mark.parametrize("name", CASES)
def test_case(name: str) -> None:
    guard, attributes, expected = CASES[name]
    columns = events(**attributes)
    assert select_rows(guard, columns, NOW).to_pylist() == expected == one_by_one(guard, columns)


class Unreadable:
    """A column of sources that has a length, but breaks whatever goes row by row."""

    def __len__(self) -> int:
        return 3


def test_plain_comparisons_need_no_rows() -> None:
    known = events(a=[1, 2, None], b=[1.5, None, 2.5], c=["a", "ab", None], d=[True, None, False])
    columns = replace(known, source=Unreadable())
    c, d = Attribute("x", "c"), Attribute("x", "d")
    parts: list[tuple[Guard, list[bool]]] = [
        (term(A, "<", B), [True, False, False]),
        (term(term(A, "*", 2), ">=", 2), [True, True, False]),
        (Call("contains", (c, Literal("b"))), [False, True, False]),
        (Not(term(c, "==", "a")), [False, True, True]),
        (Binary("||", d, term(End("x"), ">", Now())), [True, False, False]),
    ]
    for guard, expected in parts:
        assert select_rows(guard, columns, NOW).to_pylist() == expected


def test_columns_of_different_lengths_are_refused() -> None:
    with pytest.raises(UsageError, match="different lengths: 1, 2"):
        EventColumns("x", pa.table({"a": [1, 2]}), pa.array([0]), pa.array([0]), pa.array([""]))


def test_two_columns_of_one_name_are_refused() -> None:
    table = pa.Table.from_arrays([pa.array([1]), pa.array([2])], ["a", "a"])
    columns = EventColumns("x", table, pa.array([0]), pa.array([0]), pa.array([""]))
    with pytest.raises(UsageError, match="two columns named 'a'"):
        select_rows(term(A, "==", 1), columns)


def test_without_pyarrow_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = events(a=[1])
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingDependency, match=r"tocsin\[arrow\]"):
        select_rows(term(A, "==", 1), columns)
