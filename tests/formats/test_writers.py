"""What is written: CONTRACT's form, always valid JSON, and read back as the same event."""

import json
import math
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.formats.reading import as_tuple, read
from tocsin.events import Detection, Event
from tocsin.formats import TimeStyle, detection_line, detection_lines, detection_table, event_line, event_lines
from tocsin.formats.writers import display_width, to_json
from tocsin.time.gregorian import FIRST_INSTANT, LAST_INSTANT

SECONDS, TEXT = TimeStyle(seconds=True), TimeStyle(seconds=False)
SIMPLE = Detection("r", "r", 1_000_000, 4_000_000, 5_000_000, ("1", "3"), {"x.t": 1.5}, "hot!", id="abc")


def test_a_detection_with_seconds() -> None:
    assert detection_line(SIMPLE, SECONDS) == (
        '{"rule": "r", "type": "r", "start": 1.0, "time": 4.0, "detected": 5.0, "events": ["1", "3"], '
        '"data": {"x.t": 1.5}, "notification": "hot!", "id": "abc"}'
    )


def test_a_detection_with_text() -> None:
    line = detection_line(Detection("r", "r", 0, 1_500_000, 2_000_000, (), source="s", stamp={"base": 3}), TEXT)
    assert line == (
        '{"rule": "r", "type": "r", "start": "1970-01-01T00:00:00Z", "time": "1970-01-01T00:00:01.5Z", '
        '"detected": "1970-01-01T00:00:02Z", "events": [], "data": {}, "id": "", "source": "s", "stamp": {"base": 3}}'
    )


def test_the_style_is_asked_when_a_line_is_written_not_before() -> None:
    style = TimeStyle()

    def found() -> Iterator[Detection]:
        style.note(12)
        yield SIMPLE

    assert '"time": 4.0' in next(detection_lines(found(), style))


NAMES = st.text(min_size=1)
VALUES = (
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
)
DATA = st.dictionaries(st.text(), VALUES | st.lists(VALUES, max_size=3), max_size=3)
INTERVALS = st.tuples(*[st.integers(FIRST_INSTANT, LAST_INSTANT)] * 2).map(sorted)
STYLES = st.sampled_from([SECONDS, TEXT])


@st.composite
def detections(draw: st.DrawFn) -> Detection:
    start, end = draw(INTERVALS)
    return Detection(
        draw(NAMES),
        draw(NAMES),
        start,
        end,
        draw(st.integers(end, LAST_INSTANT)),
        tuple(draw(st.lists(st.text()))),
        draw(DATA),
        draw(st.none() | st.text()),
        draw(st.none() | DATA),
        draw(NAMES),
        draw(st.text()),
    )


@given(detections(), STYLES)
def test_a_detection_fed_back_is_an_event(detection: Detection, style: TimeStyle) -> None:
    line = detection_line(detection, style)
    assert "\n" not in line
    event = as_tuple(read(line)[0])
    assert event == (
        detection.id,
        detection.type,
        detection.source,
        detection.start_us,
        detection.time_us,
        detection.data,
        detection.time_us,
    )
    record = json.loads(line)
    assert record["events"] == list(detection.events)
    assert ("notification" in record, "source" in record, "stamp" in record) == (
        detection.notification is not None,
        bool(detection.source),
        detection.stamp is not None,
    )


@given(INTERVALS, NAMES, NAMES, st.text(), DATA, st.integers(0, 1000), STYLES)
def test_an_event_that_is_written_is_read_back(
    interval: list[int], name: str, kind: str, source: str, data: dict[str, object], delay: int, style: TimeStyle
) -> None:
    arrival = min(interval[1] + delay, LAST_INSTANT)
    event = Event(kind, interval[1], interval[0], name, source, data, arrival)
    assert as_tuple(read(event_line(event, style))[0]) == as_tuple(event)


def test_an_event_made_of_others_names_them() -> None:
    parts = (Event("a", 1, 1, "1"), Event("b", 2, 2, "2"))
    assert json.loads(next(event_lines([Event("c", 2, 1, "3", events=parts)], SECONDS)))["events"] == ["1", "2"]


@pytest.mark.parametrize(
    ("value", "written"),
    [(math.nan, None), ([math.inf, 1], [None, 1]), ({"x": {"y": -math.inf}}, {"x": {"y": None}}), ((1, 2), [1, 2]), ({3, 4}, [3, 4]), ({"x": 1 + 2j}, {"x": "(1+2j)"}), ("\ud800", "\ud800"), ({"\udfff": math.nan}, {"\udfff": None})],
)  # fmt: skip
def test_json_is_valid_whatever_the_value(value: object, written: object) -> None:
    text = to_json(value)
    text.encode()
    assert json.loads(text, parse_constant=pytest.fail) == written


def test_text_is_written_as_text() -> None:
    assert to_json("Müller") == '"Müller"'


def test_an_instant_beyond_the_calendar_is_written_as_seconds() -> None:
    assert (
        json.loads(detection_line(Detection("r", "r", 0, LAST_INSTANT + 1, LAST_INSTANT + 1, ()), TEXT))["time"]
        == 253402300800.0
    )


def test_a_table() -> None:
    rows = [
        SIMPLE,
        Detection("longer rule", "t", 1, 2, 3, ("10",), {"x": 1, "y": "z"}),
        Detection("r", "r", 0, 0, 0, (), {}, "two\nlines"),
    ]
    assert list(detection_table(rows, SECONDS)) == [
        "time      rule         type  start     detected  events  notification or data",
        "--------  -----------  ----  --------  --------  ------  --------------------",
        "4.0       r            r     1.0       5.0       1 3     hot!",
        "0.000002  longer rule  t     0.000001  0.000003  10      x=1 y=z",
        "0.0       r            r     0.0       0.0               two\N{REPLACEMENT CHARACTER}lines",
    ]


def test_an_empty_table_says_so() -> None:
    assert list(detection_table([], SECONDS)) == ["nothing detected"]


def test_a_table_holds_back_only_some_rows() -> None:
    taken = 0

    def many() -> Iterator[Detection]:
        nonlocal taken
        for n in range(5000):
            taken += 1
            yield Detection("r" * (1 + n // 1000), "t", n, n, n, ())

    table = detection_table(many(), SECONDS)
    next(table)
    assert taken < 1000
    assert len(list(table)) == 5001


@given(st.lists(st.text(max_size=80), min_size=1, max_size=5))
def test_the_columns_of_a_table_are_aligned(notes: list[str]) -> None:
    lines = list(detection_table([Detection(note or "r", "t", 0, 0, 0, (), {}, note) for note in notes], TEXT))
    assert all(line.isprintable() for line in lines)
    head = display_width(lines[0][: lines[0].index("type")])
    for line in lines[2:]:
        places = [at for at in range(len(line)) if display_width(line[:at]) == head]
        assert any(line[at:].startswith("t ") for at in places)


def test_wide_and_combining_characters() -> None:
    assert [display_width(text) for text in ("abc", "日本", "e\u0301", "\N{GRINNING FACE}")] == [3, 4, 1, 2]
