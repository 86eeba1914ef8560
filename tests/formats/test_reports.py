"""GEM event reports: the paper's own, every kind of value, comments, and what is wrong where."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.formats.reading import as_tuple, read, read_with_bad, tuples
from tocsin.errors import EventError
from tocsin.time.calendar import parse_instant

AT = parse_instant("1995-06-27T10:30:00Z")
MAY = parse_instant("1995-05-15T10:30:00Z")


def reports(content: str, **options: object) -> list[tuple[object, ...]]:
    return tuples(read(content, "gem", **options))


def test_the_papers_report() -> None:
    line = 'warning "sensor1" [10:30 27/6/95] (-4.5, "Temperature too low")'
    assert reports(line) == [("1", "warning", "sensor1", AT, AT, {"1": -4.5, "2": "Temperature too low"}, AT)]


def test_declared_attributes_give_the_names() -> None:
    line = 'warning "sensor1" [10:30 27/6/95] (-4.5, "Temperature too low")'
    declared = {"warning": ("temp", "mesg"), "other": ("x",)}
    assert reports(line, declared=declared)[0][5] == {"temp": -4.5, "mesg": "Temperature too low"}
    with pytest.raises(EventError, match="declared with 1 attributes, and 2 are given"):
        reports(line, declared={"warning": ["temp"]})


def test_the_papers_commands() -> None:
    content = """
        e2 [8:30 15/5/95]
        e1 (3, "some string", [5*hour+30*min])
        e1 [10:30:0.0 Mon 15/5/95] (3, "some string", [5*hour+30*min])
        e1 "s10" [10:30 15/5/95] (3, "some string", [5*hour+30*min])
        e2
    """
    values = {"1": 3, "2": "some string", "3": 19800.0}
    found = reports(content)
    assert [e[:3] for e in found] == [
        ("2", "e2", ""),
        ("3", "e1", ""),
        ("4", "e1", ""),
        ("5", "e1", "s10"),
        ("6", "e2", ""),
    ]
    assert [e[4] for e in found] == [MAY - 7_200_000_000, MAY - 7_200_000_000, MAY, MAY, MAY]
    assert [e[5] for e in found] == [{}, values, values, values, {}]


def test_a_report_without_a_time_needs_one_before_it() -> None:
    with pytest.raises(EventError, match="needs a timestamp"):
        reports("e2\n")


@pytest.mark.parametrize(
    ("written", "value"),
    [("3", 3), ("-3", -3), ("+3", 3), ("3.", 3.0), (".5", 0.5), ("1e3", 1000.0), ("-4.5E-1", -0.45), ('""', ""), (r'"a\"b\\c\n"', 'a"b\\c\n'), ('"// no comment"', "// no comment"), ("'c'", "c"), (r"'\''", "'"), ("'\"'", '"'), ("[10:30 27/6/95]", "1995-06-27T10:30:00Z"), ("[27/Jun/1995]", "1995-06-27T00:00:00Z"), ("[Tue 27/6/95]", "1995-06-27T00:00:00Z"), ("[90*sec]", 90.0), ("[day+12*hour]", 129600.0), ("[250*msec]", 0.25)],
)  # fmt: skip
def test_values(written: str, value: object) -> None:
    found = reports(f"e [27/6/95] ( {written} )")[0][5]
    assert found == {"1": value}
    assert type(found["1"]) is type(value)  # type: ignore[index]


def test_comments_and_blank_lines() -> None:
    content = """// all of this
e1 [1/1/95] // the first
/* e2 [1/1/95]
   e3 [1/1/95] ( "*/ e4 [1/1/95] /* again */ ("/* text */") /* and
on */

e5 /**/ [1/1/95] /* a */ (1, /* b */ 2)
"""
    assert [(e[0], e[1], e[5]) for e in reports(content)] == [
        ("2", "e1", {}),
        ("4", "e4", {"1": "/* text */"}),
        ("7", "e5", {"1": 1, "2": 2}),
    ]


def test_a_comment_that_is_not_closed() -> None:
    with pytest.raises(EventError, match=r"<stream>:2:13: a comment that is not closed"):
        reports("e1 [1/1/95]\ne1 [1/1/95] /* oh\ne2\n")
    found, bad = read_with_bad("e1 [1/1/95]\n /* oh\ne2\n", "gem")
    assert (len(found), bad) == (1, [(2, "a comment that is not closed")])


@pytest.mark.parametrize(
    ("line", "column", "reason"),
    [
        ("3 [1/1/95]", 1, "unexpected '3'"),
        ("e [1/1/95] (1", 14, "the report ends too soon"),
        ("e [1/1/95] (1 2)", 15, "unexpected '2)'"),
        ("e [1/1/95] (1,)", 15, "unexpected ')'"),
        ("e [1/1/95] (x)", 13, "unexpected 'x)'"),
        ("e [1/1/95] (1) e", 16, "unexpected 'e'"),
        ('e [1/1/95] "s"', 12, "unexpected '\"s\"'"),
        ('e "s [1/1/95]', 3, "needs a timestamp"),
        ("e [31/2/95]", 4, "February 1995 has 28 days"),
        ("e [10:30]", 4, "a partial time point"),
        ("e [1/1/95] ([Fri])", 14, "a partial time point"),
        ("e [1/1/95] ([5*parsec])", 16, "parsec"),
        (r'e [1/1/95] ("a\q")', 15, r"unknown escape \q"),
        ("e [1/1/95] (1e999)", 13, "out of range"),
        ("e [1/1/95] (" + "9" * 500 + ")", 13, "too many digits"),
    ],
    ids=range(15),
)
def test_what_is_wrong_where(line: str, column: int, reason: str) -> None:
    with pytest.raises(EventError) as raised:
        reports(line)
    fault = raised.value.faults[0]
    assert fault.place is not None
    assert (fault.place.line, fault.place.column, fault.place.source_line) == (1, column, line)
    assert reason in fault.message
    found, bad = read_with_bad(f"{line}\nok [1/1/95]", "gem")
    assert (len(found), [number for number, _ in bad]) == (1, [1])


@given(st.text(), st.lists(st.text() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)))
def test_strings_and_numbers_of_any_kind(source: str, values: list[object]) -> None:
    def quoted(text: str) -> str:
        escapes = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\0": "\\0"}
        return '"' + "".join(escapes.get(c, c) for c in text) + '"'

    written = ", ".join(quoted(v) if isinstance(v, str) else repr(v) for v in values)
    event = read(f"e {quoted(source)} [1/1/95] ({written})", "gem")[0]
    assert as_tuple(event)[2] == source
    assert list(as_tuple(event)[5].values()) == values  # type: ignore[attr-defined]


@given(st.text("e1 \"'[]()/*:-,.\\\n", max_size=40))
def test_no_reports_raise_anything_but_an_event_error(content: str) -> None:
    read_with_bad("ok [1/1/95]\n" + content, "gem")
