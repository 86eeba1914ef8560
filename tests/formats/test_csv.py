"""CSV: types of cells, rows over several lines, and one bad line that stays one bad line."""

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.formats.reading import as_tuple, read, read_with_bad, tuples
from tocsin.errors import EventError

SECOND = 1_000_000


def test_a_table_with_everything() -> None:
    content = (
        'id,type,source,time,arrival,start,data,data.x,y\n7,temp,s1,12.5,13,12,"{""t"": 31.0, ""n"": ""5""}",true,hot\n'
    )
    data = {"t": 31.0, "n": "5", "x": True, "y": "hot"}
    assert tuples(read(content, "csv")) == [("7", "temp", "s1", 12 * SECOND, 12_500_000, data, 13 * SECOND)]


def test_an_empty_cell_is_an_attribute_the_event_does_not_have() -> None:
    assert tuples(read("id,type,time,arrival,x\n,a,1,,\n", "csv")) == [("2", "a", "", SECOND, SECOND, {}, SECOND)]


@pytest.mark.parametrize(
    ("cell", "value"),
    [("5", 5), ("-5", -5), ("5.50", 5.5), ("1e3", 1000.0), ("0", 0), ("true", True), ("False", False), ("TRUE", True), ("007", "007"), ("+5", "+5"), ("5 ", "5 "), ("NaN", "NaN"), ("inf", "inf"), ("1_000", "1_000"), ("\u0665", "\u0665"), ("null", "null"), ("trues", "trues")],
)  # fmt: skip
def test_cells_that_look_like_numbers_or_truth_values_are(cell: str, value: object) -> None:
    found = as_tuple(read(f"type,time,x\na,1,{cell}\n", "csv")[0])[5]
    assert found == {"x": value}
    assert type(found["x"]) is type(value)  # type: ignore[index]


def test_ids_sources_and_types_are_text() -> None:
    assert as_tuple(read("id,type,source,time\n007,1,2,3\n", "csv")[0])[:3] == ("007", "1", "2")


def test_times_in_every_form() -> None:
    content = 'type,time\na,1\nb,1970-01-01T00:00:02Z\nc,"[3, 4.5]"\n'
    assert [as_tuple(e)[3:5] for e in read(content, "csv")] == [
        (SECOND, SECOND),
        (2 * SECOND, 2 * SECOND),
        (3 * SECOND, 4_500_000),
    ]


def test_quoted_cells_over_several_lines_keep_the_count_of_lines() -> None:
    content = 'type,time,x\r\na,1,"one\r\n\r\ntwo, ""three"""\r\nb,2,four\r\n'
    assert [(as_tuple(e)[0], as_tuple(e)[5]) for e in read(content, "csv")] == [
        ("2", {"x": 'one\n\ntwo, "three"'}),
        ("5", {"x": "four"}),
    ]


def test_a_quote_that_is_not_closed_is_one_bad_line() -> None:
    found, bad = read_with_bad('type,time,x\na,1,"oops\nb,2,fine\nc,3,"also fine"\nd,4,\n', "csv")
    assert [as_tuple(e)[1] for e in found] == ["b", "c", "d"]
    assert [line for line, _ in bad] == [2]


def test_a_quote_that_is_never_closed_is_one_bad_line_even_if_the_file_is_long() -> None:
    found, bad = read_with_bad('type,time,x\na,1,"oops\n' + "b,2,fine\n" * 5000, "csv")
    assert (len(found), [line for line, _ in bad]) == (5000, [2])


def test_an_index_of_pandas_without_a_name_is_read_over() -> None:
    assert as_tuple(read(",type,time,x\n0,a,1,2\n", "csv")[0])[5] == {"x": 2}


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("a,1", "2 cells, but the header names 3 columns"),
        ("a,1,2,3", "4 cells"),
        (",1,2", "the event has no type"),
        ("a,,2", "the event has no time"),
        ("a,noon,2", "time 'noon'"),
        ('a,"[1, ",2', "time is '[1,'"),
        ("a,1,1e999", "out of range"),
        ("a,1," + "9" * 1000, "too many digits"),
        ('a,1,"x"y', "not CSV"),
        ("a,1,\0", "NUL byte"),
        ("a,1," + "x" * 200_000, "not CSV: field larger than field limit"),
    ],
    ids=range(11),
)
def test_bad_rows_are_refused_with_their_place_or_skipped(row: str, reason: str) -> None:
    content = f"type,time,x\nok,1,2\n{row}\nok,1,2\n"
    with pytest.raises(EventError) as raised:
        read(content, "csv")
    assert str(raised.value).startswith("<stream>:3:")
    assert reason in str(raised.value)
    found, bad = read_with_bad(content, "csv")
    assert (len(found), [line for line, _ in bad]) == (2, [3])


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        ("id,time,x", "no column 'type'"),
        ("type,timestamp", "is that what is meant?"),
        ("kind,ts", "say which it is: --columns type=NAME"),
        ("type;time", "separated by commas"),
        ("type,time,x,x", "two columns named 'x'"),
        ('"type,time', "not closed"),
    ],
)
def test_without_a_header_nothing_can_be_read_even_when_skipping(header: str, reason: str) -> None:
    with pytest.raises(EventError) as raised:
        read_with_bad(f"{header}\na,1,2\n", "csv")
    assert reason in str(raised.value)
    assert str(raised.value).startswith("<stream>:1:")


@pytest.mark.parametrize("data", ["[1]", "3", "{", '{"x": NaN}'])
def test_a_data_cell_is_a_json_object(data: str) -> None:
    rows = io.StringIO()
    csv.writer(rows).writerows([["type", "time", "data"], ["a", 1, data]])
    with pytest.raises(EventError):
        read(rows.getvalue(), "csv")


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), max_size=12)


@given(
    st.lists(
        st.tuples(
            TEXT.filter(lambda t: t.strip() == t and t),
            st.integers(0, 10**9),
            st.dictionaries(TEXT, TEXT | st.integers() | st.booleans()),
        )
    )
)
def test_what_the_csv_module_writes_is_read_back(rows: list[tuple[str, int, dict[str, object]]]) -> None:
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["type", "time", "data"])
    writer.writerows([kind, time, json.dumps(data)] for kind, time, data in rows)
    found = read(file.getvalue(), "csv")
    assert [(as_tuple(e)[1], as_tuple(e)[4], as_tuple(e)[5]) for e in found] == [
        (kind, time * SECOND, data) for kind, time, data in rows
    ]


@given(st.lists(st.text('"a,1\n\r\0\u2028', max_size=12), max_size=8))
def test_no_rows_raise_anything_but_an_event_error(parts: list[str]) -> None:
    read_with_bad("type,time\n" + "\n".join(parts), "csv")
