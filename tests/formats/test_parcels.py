"""Events read many at a time, beside the row-wise reader, which judges: the same events, errors, counts and remarks."""

import io
import json
import math
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tocsin.algebra.attributes import found_in
from tocsin.algebra.rules import Declaration
from tocsin.algebra.values import MISSING
from tocsin.errors import EventError
from tocsin.events import Arrival, Event
from tocsin.formats import FORMATS, InputClock, TimeStyle
from tocsin.formats.blocks import Block, Parcel, Reals
from tocsin.formats.intake import Intake
from tocsin.formats.object_blocks import object_parcels
from tocsin.formats.objects import admit_objects
from tocsin.rules.declared_events import conformer

TYPES = st.sampled_from(["a", "b", "sensor", "", "é"])
NUMBERS = st.one_of(
    st.integers(0, 100),
    st.floats(0, 100),
    st.sampled_from([2**53 + 1, 10**40, -(2**70), 1e300, -0.0, 2.5e9, 4102444800, 1_700_000_000_000]),
)
TIMES = st.one_of(
    st.integers(0, 60),
    st.floats(0, 60).map(lambda value: round(value, 6)),
    st.sampled_from(
        ["2026-11-18T10:00:00Z", "2026-11-18T10:00:07.25Z", "2026-11-18T12:00:00+02:00", "2026-02-30T00:00:00Z"]
    ),
    st.sampled_from([[1, 2], [2, 1], None, True, "soon", 3e9, 1e18, {"t": 1}]),
)
VALUES = st.recursive(
    st.one_of(NUMBERS, st.booleans(), st.none(), st.text(max_size=5)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.sampled_from("xyz"), inner, max_size=2)),
    max_leaves=4,
)
IDS = st.one_of(st.integers(0, 30), st.integers(0, 30).map(str), st.sampled_from(["", None, 1.0, 1.5, True, 10**200]))


def records(strange: float) -> st.SearchStrategy[dict[str, Any]]:
    """Mostly plain events, so that there are blocks; a few that only a row can say."""
    plain = st.fixed_dictionaries(
        {"type": st.sampled_from("abc"), "time": st.integers(0, 10**6).map(lambda t: t / 1000)},
        optional={
            "id": st.uuids().map(str),
            "source": st.sampled_from(["s1", "s2"]),
            "data": st.dictionaries(st.sampled_from(["k", "v", "user"]), VALUES, max_size=3),
            "k": st.integers(0, 5),
        },
    )
    odd = st.fixed_dictionaries(
        {},
        optional={
            "type": TYPES,
            "time": TIMES,
            "start": TIMES,
            "arrival": TIMES,
            "id": IDS,
            "source": IDS,
            "heartbeat": st.booleans(),
            "data": st.one_of(st.dictionaries(st.sampled_from("kv"), VALUES, max_size=2), VALUES),
            "k": VALUES,
            "specversion": st.just("1.0"),
            "dataschema": st.just("x"),
            "amends": st.just("1"),
            "change": st.just("retracted"),
            "severity": st.just("high"),
        },
    )
    return st.one_of(*[plain] * round(10 * (1 - strange)), *[odd] * round(10 * strange))


FLAWS = st.sampled_from(
    [
        b"",
        b"   ",
        b"oops",
        b'{"type": "a", "time": NaN}',
        b'{"type": "a", "time": 1e999}',
        b'{"type": "a", "time": 1, "k": "\\ud800"}',
        b'{"type": "a", "time": 1, "k": "\\ud83d\\ude00"}',
        b'{"type": "a", "time": 1, "k": "\xff"}',
        b'{"type": "a", "time": 1, "k": "\xc3\xa9"}',
        b'{"type": "a", "time": 1, "k": "\0"}',
        b'{"type": "a", "time": 1}{"type": "b", "time": 2}',
        b'{"type": "a",',
        b'"time": 1}',
        b'{"type": "a", "time": 1, "time": 2, "data": {"k": 1, "k": 2}}',
        b'  {"type": "a", "time": 1}  ',
        b'{"type": "a", "time": 2147483648.123456, "\\u006b": 7}',
        b'{"type": "a", "time": 1, "k": ' + b"1" * 5000 + b"}",
        b'{"type": "a", "time": 1, "k": ' + b"[" * 101 + b"]" * 101 + b"}",
        b'{"type": "a", "time": 1, "k": ' + b"[" * 60 + b"]" * 60 + b"}",
        b'[{"type": "a", "time": 1}]',
        b"\xef\xbb\xbf{}",
        b'{"type": "a", "time": 1}\r',
        b'{"type": "a", "time": 1, "x y": 1, "new\\"name": 2}',
    ]
)


class Told:
    """What a reader did with an input."""

    def __init__(self, on_error: str, **options: Any) -> None:
        self.bad: list[tuple[int, str, str]] = []
        self.style = TimeStyle()
        self.intake = Intake("in", on_error, lambda *bad: self.bad.append(bad), style=self.style, **options)
        self.arrivals: list[Arrival] = []
        self.blocks: list[Block] = []
        self.error: str | None = None

    def rows(self, given: Iterator[Arrival]) -> "Told":
        try:
            for arrival in given:
                self.arrivals.append(arrival)
        except EventError as error:
            self.error = str(error)
        return self

    def parcels(self, given: Iterator[Parcel]) -> "Told":
        try:
            for parcel in given:
                if isinstance(parcel, Block):
                    self.blocks.append(parcel)
                self.arrivals += parcel
        except EventError as error:
            self.error = str(error)
        return self

    @property
    def all(self) -> tuple[object, ...]:
        intake = self.intake
        told = [_plain(arrival) for arrival in self.arrivals]
        counts = (intake.skipped, intake.repeated, intake.remarks, self.style.seconds, intake.last_arrival)
        return (told, self.bad, self.error, counts, sorted(map(repr, intake.state()["seen"][2])), intake._number)


def _plain(arrival: Arrival) -> object:
    if not isinstance(arrival, Event):
        return arrival
    own = (arrival.type, arrival.end, arrival.start, arrival.id, arrival.source, arrival.arrival)
    return (*own, json.dumps(arrival.data, default=str), repr(arrival.data))  # 1 and 1.0 and True are not the same


NAMES = ("k", "v", "user", "user.x", "k[0]", "user.x.y", "severity")


def check_columns(blocks: list[Block], names: tuple[str, ...] = NAMES) -> None:
    """Columns say what the rows say, in parts too."""
    for block in blocks:
        half = len(block) // 2
        for some in (block, block.part(0, half), block.part(half, len(block))):
            events = list(some)
            for name in names:
                column = some.rows.column(name)
                if not isinstance(column, list):
                    code = "d" if isinstance(column, Reals) else "q"
                    column = memoryview(column.data).cast("B").cast(code).tolist()
                wanted = [found_in(event.data, name) for event in events]
                assert [_shown(value) for value in column] == [_shown(value) for value in wanted]


def _shown(value: object) -> str:
    return "missing" if value is MISSING else f"{type(value).__name__} {value!r}"


DECLARED = {"a": Declaration("a", (("k", "long"),)), "b": Declaration("b", (("k", "double"), ("v", "string")))}


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.one_of(*[records(0.02).map(lambda each: json.dumps(each).encode())] * 12, FLAWS), max_size=90),
    st.sampled_from(["refuse", "skip"]),
    st.sampled_from([b"\n", b"\r\n"]),
    st.booleans(),
    st.sampled_from([(None, None), ("epoch-ms", None), (None, "Europe/Lisbon"), ("%Y", None)]),
    st.booleans(),
)
def test_lines_in_blocks_are_what_rows_are(
    lines: list[bytes], on_error: str, end: bytes, is_ended: bool, clock: tuple[str | None, str | None], typed: bool
) -> None:
    text = end.join(lines) + (end if is_ended else b"")
    conform = conformer(DECLARED) if typed else None
    rows, parcels = (Told(on_error, clock=InputClock(*clock), conform=conform) for _ in range(2))
    format: Any = FORMATS["jsonl"]
    rows.rows(format.read(io.BytesIO(text), rows.intake))
    parcels.parcels(format.parcels(io.BytesIO(text), parcels.intake))
    assert parcels.all == rows.all
    check_columns(parcels.blocks)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.one_of(*[records(0.02)] * 12, st.sampled_from([3, None, {"type": "a", "time": math.nan}]), records(1.0))
    ),
    st.sampled_from(["refuse", "skip"]),
    st.booleans(),
)
def test_dictionaries_in_blocks_are_what_rows_are(items: list[object], on_error: str, typed: bool) -> None:
    conform = conformer(DECLARED) if typed else None
    rows, parcels = (Told(on_error, conform=conform) for _ in range(2))
    rows.rows(admit_objects(items, rows.intake))
    parcels.parcels(object_parcels(items, parcels.intake))
    assert parcels.all == rows.all
    check_columns(parcels.blocks)


CELLS = st.one_of(
    st.integers(-5, 5).map(str),
    st.floats(-10, 10).map(repr),
    st.sampled_from(
        ["", "007", "+1", " 1", "1.", ".5", "1e5", "1e-400", "1e999", "true", "False", "-0", "-0.0", "é", "x"]
    ),
    st.sampled_from(
        ["9007199254740993", "123456789012345678901234567890", "1" * 401, "nan", "inf", "0x10", "1_0", "'"]
    ),
)
CSV_TIMES = st.one_of(
    *[st.integers(0, 10**9).map(lambda t: f"{t / 1000000}")] * 8,
    st.sampled_from(["1.1234565", "0.0000005", " 7 ", "2026-11-18T10:00:00Z", "[1, 2]", "", "x", "3000000000.5", "01"]),
)
CSV_ROWS = st.one_of(
    *[st.tuples(st.sampled_from("abc"), CSV_TIMES, st.integers(0, 9).map(str), st.floats(0, 9).map(repr)).map(",".join)]
    * 6,
    st.tuples(st.sampled_from(["a", " b ", "", "c"]), CSV_TIMES, CELLS, CELLS).map(",".join),
    st.sampled_from(["", "  ", "a,1", "a,1,2,3,4", 'a,1,"x,y",2', 'a,1,"x', 'y",3', "a,1,\0,2"]),
)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(CSV_ROWS, max_size=80),
    st.sampled_from(["type,time,k,v", "type,time,k,id", " type ,time,data.k,v", "type,time,source,v", "k,v,a,b", ""]),
    st.sampled_from(["refuse", "skip"]),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)
def test_csv_in_blocks_is_what_rows_are(rows: list[str], header: str, on_error: str, end: str, typed: bool) -> None:
    text = end.join([header, *rows]).encode()
    conform = conformer(DECLARED) if typed else None
    one, many = (Told(on_error, conform=conform) for _ in range(2))
    format: Any = FORMATS["csv"]
    one.rows(format.read(io.BytesIO(text), one.intake))
    many.parcels(format.parcels(io.BytesIO(text), many.intake))
    assert many.all == one.all
    check_columns(many.blocks)


def test_plain_rows_of_csv_are_one_block() -> None:
    text = b"id,type,time,k,v\n" + b"".join(b"%d,a,%d.5,%d,x\n" % (n, n, n) for n in range(1000))
    told = Told("refuse")
    format: Any = FORMATS["csv"]
    told.parcels(format.parcels(io.BytesIO(text), told.intake))
    assert sum(len(block) for block in told.blocks) > 900


def test_plain_lines_are_one_block() -> None:
    """What the speed comes from: but for the first, no line goes by itself."""
    text = b"".join(b'{"id": "%d", "type": "a", "time": %d.5, "data": {"k": %d}}\n' % (n, n, n) for n in range(1000))
    told = Told("refuse")
    format: Any = FORMATS["jsonl"]
    told.parcels(format.parcels(io.BytesIO(text), told.intake))
    assert [len(block) for block in told.blocks] == [999]


def test_one_bad_line_takes_few_others_out_of_their_block() -> None:
    lines = [b'{"type": "a", "time": %d}\n' % n for n in range(1000)]
    lines[700] = b"oops\n"
    told = Told("skip")
    format: Any = FORMATS["jsonl"]
    told.parcels(format.parcels(io.BytesIO(b"".join(lines)), told.intake))
    assert len(told.arrivals) == 999
    assert sum(map(len, told.blocks)) > 950


def test_ids_that_ascend_are_remembered_when_they_cease_to() -> None:
    names = ["1", "2", "10", "11", "2", "12"]
    text = b"".join(b'{"id": "%s", "type": "a", "time": 1}\n' % name.encode() for name in names)
    told = Told("refuse")
    format: Any = FORMATS["jsonl"]
    told.parcels(format.parcels(io.BytesIO(text), told.intake))
    assert told.intake.repeated == 1


def test_a_dictionary_that_is_used_again_is_read_as_it_was() -> None:
    def again() -> Iterator[dict[str, Any]]:
        item: dict[str, Any] = {"type": "a", "data": {}}
        for n in range(50):
            item["time"], item["data"]["k"] = n, n
            yield item

    told = Told("refuse").parcels(object_parcels(again(), intake := Intake("in")))
    assert intake.skipped == 0
    assert [event.data["k"] for event in told.arrivals if isinstance(event, Event)] == list(range(50))


@pytest.mark.parametrize("size", [1, 7, 64])
def test_lines_that_come_in_pieces(size: int) -> None:
    class Slow(io.BytesIO):
        def read1(self, count: int | None = -1) -> bytes:
            return super().read1(size)

    text = b"".join(b'{"type": "a", "time": %d}\n' % n for n in range(20)) + b'{"type": "b", "time": 99}'
    told = Told("refuse")
    format: Any = FORMATS["jsonl"]
    told.parcels(format.parcels(Slow(text), told.intake))
    assert [each.id for each in told.arrivals if isinstance(each, Event)] == [str(n) for n in range(1, 22)]


CLOCKS = st.one_of(
    st.tuples(st.integers(0, 23), st.integers(0, 59)).map(lambda at: f"{at[0]}:{at[1]:02} "),
    st.tuples(st.integers(0, 23), st.integers(0, 59), st.integers(0, 60)).map(lambda at: "{:02}:{:02}:{} ".format(*at)),
    st.integers(0, 999).map(lambda ms: f"10:30:07.{ms} "),
    st.sampled_from(["", "24:00 ", "1:2:3:4 ", "10:30:01.1234 ", "10:30:0. ", ":: ", "10:30:01", "10:30:01  Tue "]),
)
DATES = st.sampled_from(["27/6/95"] * 8 + ["28/6/1995", "Tue 27/6/95", "Mon 27/6/95", "31/2/95", "27/-/95", "", "x"])
POINTS = st.tuples(CLOCKS, DATES).map("".join)
GOOD_VALUES = st.one_of(
    *[st.integers(-9, 9).map(str), st.floats(0, 9).map(repr)] * 3,
    st.text(st.characters(exclude_characters='"\\\n\r\0', exclude_categories=["Cs"]), max_size=5).map(
        lambda text: f'"{text}"'
    ),
    st.sampled_from(['"http://x/*"', '"a, b) (c"', r'"\n\"\\"', "'c'", r"'\''", "[5*hour+30*min]", "[1/1/95]", "'é'"]),
    st.sampled_from(["+3", "3.", ".5", "007", "-0", "1e3", "1.e-5", "-.5E+7", "9007199254740993", "1" * 18]),
)
BAD_VALUES = st.sampled_from(
    ["1e999", "9" * 500, "1_0", "nan", "x", r'"\q"', "[5*parsec]", "[Fri]", "'ab'", '"', "", "1 2", "(1)", "[1//2]"]
)
NUMBERED = st.tuples(st.integers(-9, 9).map(str), st.floats(0, 9).map(repr)).map(", ".join)
BLANK = st.sampled_from(["", " ", " ", "  \t"])


@st.composite
def reports(draw: st.DrawFn, strange: bool) -> str:
    """Mostly plain reports of numbers, so that there are blocks of them."""
    kind = draw(st.sampled_from("abc"))
    if not strange:
        return f"{kind} [10:{draw(st.integers(10, 59))}:07.{draw(st.integers(0, 9))} 27/6/95] ({draw(NUMBERED)})"
    point = draw(st.one_of(st.just("10:30:00 27/6/95"), POINTS))
    values = draw(st.lists(st.one_of(*[GOOD_VALUES] * 9, BAD_VALUES), max_size=3))
    source = draw(st.sampled_from(["", "", '"s1"', '"s 2"', r'"s\"3"', '""', '"é"']))
    stamp = f"[{point}]" if draw(st.integers(0, 4)) else ""
    listed = f"({draw(BLANK)}{f'{draw(BLANK)},{draw(BLANK)}'.join(values)}{draw(BLANK)})"
    after = draw(st.sampled_from(["", "", "", " ", "\t", " // c", "/* c */", "/* open", " */", "x", "\r", "\x0c"]))
    return f"{draw(BLANK)}{kind}{draw(BLANK)}{source}{stamp}{draw(BLANK)}{draw(st.sampled_from([listed, '']))}{after}"


ODD_REPORTS = st.sampled_from(
    ["", "  ", "é [1/1/95] (1)", "a é", "3", "a [1/1/95] (1,)", "a [1/1/95](1)b", "*/", "/* x", "a (1, 2)\0", "_a1"]
).map(str.encode) | st.sampled_from([b'a [1/1/95] ("\xff")', b"\xef\xbb\xbfa", b"a \xc3", b'a "\xc3\xa9"'])
PLACED = ({}, {"a": ["k", "v"]}, {"a": ["k", "v"], "b": ["v", "k"], "c": ["user", "user"]}, {"a": [], "b": ["k"]})


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.one_of(*[reports(False).map(str.encode)] * 8, *[reports(True).map(str.encode)] * 4, ODD_REPORTS),
        max_size=90,
    ),
    st.sampled_from(["refuse", "skip"]),
    st.sampled_from([b"\n", b"\r\n"]),
    st.booleans(),
    st.sampled_from(PLACED),
    st.booleans(),
)
def test_reports_in_blocks_are_what_rows_are(
    lines: list[bytes], on_error: str, end: bytes, is_ended: bool, declared: dict[str, list[str]], typed: bool
) -> None:
    text = end.join(lines) + (end if is_ended else b"")
    conform = conformer(DECLARED) if typed else None
    rows, parcels = (Told(on_error, declared=declared, conform=conform) for _ in range(2))
    format: Any = FORMATS["gem"]
    rows.rows(format.read(io.BytesIO(text), rows.intake))
    parcels.parcels(format.parcels(io.BytesIO(text), parcels.intake))
    assert parcels.all == rows.all
    check_columns(parcels.blocks, ("k", "v", "user", "1", "2", "3", "01", "k.x", "1[0]"))


@settings(max_examples=150, deadline=None)
@given(st.lists(reports(True), min_size=1, max_size=6), st.sampled_from(PLACED))
def test_the_few_strange_reports_that_are_good_make_blocks_too(given_lines: list[str], declared: Any) -> None:
    """By themselves, without the others' faults: what the rows admit and the blocks take apart must be the same."""
    format: Any = FORMATS["gem"]
    for line in given_lines:
        text = f"z [1/1/95]\n{line}\n".encode()
        rows, parcels = (Told("skip", declared=declared) for _ in range(2))
        rows.rows(format.read(io.BytesIO(text), rows.intake))
        parcels.parcels(format.parcels(io.BytesIO(text), parcels.intake))
        assert parcels.all == rows.all
        check_columns(parcels.blocks, ("k", "v", "user", "1", "2", "3"))


@pytest.mark.parametrize(
    "line",
    [
        "a [10:30:00.%d 27/6/95] (%d, 2.5)",
        'a "s%d" [10:30 27/6/95] (%d, "x, y (z)", \'c\', "http://a/*b*/")',
        "a%d [27/6/95] ([%d*sec], [10:30 1/1/95])",
        "a%d (%d)",
        "a%d   [Tue 27/6/95]\t( %d , 1 )  ",
    ],
)
def test_plain_reports_are_one_block(line: str) -> None:
    text = "first [10:30 27/6/95]\n" + "".join(line % (n % 7, n) + "\n" for n in range(1000))
    told = Told("refuse")
    format: Any = FORMATS["gem"]
    told.parcels(format.parcels(io.BytesIO(text.encode()), told.intake))
    assert [len(block) for block in told.blocks] == [1000]


def test_a_comment_over_lines_takes_few_reports_out_of_their_block() -> None:
    lines = [f"a [10:30 27/6/95] ({n})\n" for n in range(1000)]
    lines[700], lines[702] = "/* from here\n", "to here */\n"
    told = Told("skip")
    format: Any = FORMATS["gem"]
    told.parcels(format.parcels(io.BytesIO("".join(lines).encode()), told.intake))
    assert len(told.arrivals) == 997
    assert sum(map(len, told.blocks)) > 900
