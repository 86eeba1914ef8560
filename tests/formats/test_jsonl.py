"""JSON Lines: what a line means, and that no line, however bad, raises anything but an EventError."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.formats.reading import as_tuple, read, read_with_bad, tuples
from tocsin.errors import EventError
from tocsin.formats import read_events
from tocsin.formats.lines import LONGEST

SECOND = 1_000_000


def test_a_line_with_everything() -> None:
    line = '{"id": "7", "type": "temp", "source": "s1", "time": 12.5, "data": {"t": 31.0}, "arrival": 13.0}'
    assert tuples(read(line)) == [("7", "temp", "s1", 12_500_000, 12_500_000, {"t": 31.0}, 13_000_000)]


def test_defaults() -> None:
    assert tuples(read('\n{"type": "a", "time": 3}\n')) == [("2", "a", "", 3 * SECOND, 3 * SECOND, {}, 3 * SECOND)]


def test_arrival_is_the_greater_of_the_last_and_the_events_own_end_and_never_goes_back() -> None:
    content = "\n".join(
        [
            '{"type": "a", "time": 5}',
            '{"type": "a", "time": 3}',
            '{"type": "a", "time": 4, "arrival": 9}',
            '{"type": "a", "time": 20, "arrival": 7}',
            '{"type": "a", "time": [1, 30]}',
        ]
    )
    assert [as_tuple(event)[-1] for event in read(content)] == [
        5 * SECOND,
        5 * SECOND,
        9 * SECOND,
        9 * SECOND,
        30 * SECOND,
    ]


def test_a_bad_line_does_not_move_the_clock() -> None:
    found, bad = read_with_bad(
        '{"type": "a", "time": 1}\n{"type": "a", "time": 99, "data": 3}\n{"type": "a", "time": 2}'
    )
    assert [as_tuple(event)[-1] for event in found] == [SECOND, 2 * SECOND]
    assert bad == [(2, "data is 3, expected an object")]


def test_interval_stamps() -> None:
    found = read(
        '{"type": "a", "time": [1, 2.5]}\n{"type": "b", "start": "1970-01-01T00:00:01Z", "time": "1970-01-01T00:00:03Z"}'
    )
    assert [(as_tuple(e)[3], as_tuple(e)[4]) for e in found] == [(SECOND, 2_500_000), (SECOND, 3 * SECOND)]


def test_other_attributes_of_cloud_events_are_attributes_but_for_the_envelope() -> None:
    line = '{"specversion": "1.0", "type": "a", "subject": "x", "datacontenttype": "application/json", "time": 1, "myextension": 3}'
    assert tuples(read(line)) == [("1", "a", "", SECOND, SECOND, {"subject": "x", "myextension": 3}, SECOND)]


def test_nulls_are_defaults_and_numbers_can_be_ids() -> None:
    line = '{"id": null, "source": null, "data": null, "arrival": null, "start": null, "type": "a", "time": 1}'
    assert tuples(read(line)) == tuples(read('{"type": "a", "time": 1}'))
    assert as_tuple(read('{"id": 7, "source": 3, "type": "a", "time": 1}')[0])[:3] == ("7", "a", "3")


BAD = {
    "not JSON: Expecting value": "hello",
    "not JSON: Expecting ',' delimiter": '{"type": "a" "time": 1}',
    "not JSON: Extra data": '{"type": "a", "time": 1} {}',
    "not JSON: Unterminated string": '{"type": "a',
    "an event is a JSON object": '[{"type": "a", "time": 1}]',
    "the event has no type": '{"time": 1}',
    "the event has no time": '{"type": "a"}',
    "type is ''": '{"type": "", "time": 1}',
    "type is 3": '{"type": 3, "time": 1}',
    "time is True": '{"type": "a", "time": true}',
    "time is {}": '{"type": "a", "time": {}}',
    "time is a list of 3": '{"type": "a", "time": [1, 2, 3]}',
    "time has no lower end": '{"type": "a", "time": [null, 2]}',
    "the event starts (2) after it ends (1)": '{"type": "a", "time": [2, 1]}',
    "the event starts (5) after it ends (1)": '{"type": "a", "time": 1, "start": 5}',
    "both start and an interval": '{"type": "a", "time": [1, 2], "start": 1}',
    "time 'noon': unexpected 'noon'": '{"type": "a", "time": "noon"}',
    "month 13 is out of range": '{"type": "a", "time": "2020-13-01T00:00:00Z"}',
    "arrival 'x'": '{"type": "a", "time": 1, "arrival": "x"}',
    "NaN is no number of JSON": '{"type": "a", "time": NaN}',
    "Infinity is no number of JSON": '{"type": "a", "time": 1, "data": {"x": Infinity}}',
    "the number '1e999' is out of range": '{"type": "a", "time": 1, "data": {"x": 1e999}}',
    "is outside the years 1 to 9999": '{"type": "a", "time": 1e300}',
    "outside the years": '{"type": "a", "time": -' + "9" * 3000 + "}",
    "too many digits": '{"type": "a", "time": 1, "data": {"x": ' + "9" * 5000 + "}}",
    "data is [1]": '{"type": "a", "time": 1, "data": [1]}',
    "id is True": '{"type": "a", "time": 1, "id": true}',
    "source is [": '{"type": "a", "time": 1, "source": []}',
    "lone surrogate": '{"type": "a", "time": 1, "data": {"x": "\\ud800"}}',
    "nested more than 100 deep": '{"type": "a", "time": 1, "data": {"x": ' + "[" * 200 + "]" * 200 + "}}",
    "NUL byte": '{"type": "a", "time": 1, "data": {"x": "\0"}}',
}


@pytest.mark.parametrize(("reason", "line"), BAD.items(), ids=range(len(BAD)))
def test_bad_lines_are_refused_with_their_place_or_skipped(reason: str, line: str) -> None:
    good = '{"type": "ok", "time": 1}'
    with pytest.raises(EventError) as raised:
        read(f"{good}\n{line}\n{good}\n")
    fault = raised.value.faults[0]
    assert fault.place is not None
    assert (fault.place.file, fault.place.line) == ("<stream>", 2)
    assert reason in fault.message
    assert str(raised.value).startswith("<stream>:2:")

    found, bad = read_with_bad(f"{good}\n{line}\n{good}\n")
    assert [as_tuple(event)[0] for event in found] == ["1", "3"]
    assert [number for number, _ in bad] == [2]


def test_very_deep_nesting() -> None:
    found, bad = read_with_bad(
        '{"type": "a", "time": 1, "data": {"x": ' + "[" * 200_000 + "]" * 200_000 + '}}\n{"type": "b", "time": 1}'
    )
    assert (len(found), [line for line, _ in bad]) == (1, [1])


def test_the_column_is_where_the_json_goes_wrong() -> None:
    with pytest.raises(EventError) as raised:
        read('{"type": "a", "time": }')
    assert raised.value.faults[0].place is not None
    assert raised.value.faults[0].place.column == 23


def test_a_hint_names_what_was_probably_meant() -> None:
    with pytest.raises(EventError) as raised:
        read('{"type": "a", "timestamp": 1}')
    assert "it has 'timestamp'" in str(raised.value)


def test_invalid_utf8_is_one_bad_line_with_the_position_of_the_byte() -> None:
    good = b'{"type": "ok", "time": 1}'
    found, bad = read_with_bad(good + b'\n{"type": "\xe9\xff"}\n' + good)
    assert len(found) == 2
    assert bad == [(2, "not UTF-8: byte 0xe9 at position 11")]


def test_byte_order_mark_carriage_returns_and_blank_lines() -> None:
    content = b'\xef\xbb\xbf{"type": "a", "time": 1}\r\n\r\n   \r\n{"type": "b", "time": 1}\r\n'
    assert [as_tuple(event)[:2] for event in read(content)] == [("1", "a"), ("4", "b")]


def test_a_surrogate_pair_and_an_escaped_backslash_are_text() -> None:
    line = '{"type": "a", "time": 1, "data": {"x": "\\ud83d\\ude00", "y": "\\\\ud800"}}'
    assert as_tuple(read(line)[0])[5] == {"x": "\N{GRINNING FACE}", "y": "\\ud800"}


def test_of_a_key_that_comes_twice_the_last_one_counts() -> None:
    assert as_tuple(read('{"type": "a", "type": "b", "time": 1}')[0])[1] == "b"


def test_huge_integers_are_kept() -> None:
    assert as_tuple(read('{"type": "a", "time": 1, "data": {"x": ' + "9" * 100 + "}}")[0])[5] == {"x": 10**100 - 1}


def test_a_line_that_is_too_long_is_never_read_whole() -> None:
    class Endless:
        """A stream whose second line never fits; counts what is asked of it at once."""

        def __init__(self) -> None:
            self.pieces = [
                b'{"type": "a", "time": 1}\n',
                *[b"x" * (1 << 16)] * 300,
                b"\n",
                b'{"type": "b", "time": 1}\n',
            ]
            self.most = 0

        def readline(self, size: int = -1) -> bytes:
            self.most = max(self.most, size if size >= 0 else 1 << 60)
            taken = b""
            while self.pieces and len(taken) < size and not taken.endswith(b"\n"):
                piece = self.pieces.pop(0)
                taken, rest = taken + piece[: size - len(taken)], piece[size - len(taken) :]
                if rest:
                    self.pieces.insert(0, rest)
            return taken

    stream = Endless()
    bad: list[tuple[int, str]] = []
    found = list(read_events(stream, on_error="skip", on_bad=lambda n, text, reason: bad.append((n, text))))  # type: ignore[arg-type]
    assert [as_tuple(event)[:2] for event in found] == [("1", "a"), ("3", "b")]
    assert bad == [(2, "x" * 200)]
    assert stream.most <= LONGEST + 1


def test_a_text_stream_is_read_too() -> None:
    stream = io.StringIO('\ufeff{"type": "é", "time": 1}\n{"type": "\udcff", "time": 1}\n')
    bad: list[str] = []
    found = list(read_events(stream, on_error="skip", on_bad=lambda n, text, reason: bad.append(reason)))
    assert [as_tuple(event)[1] for event in found] == ["é"]
    assert len(bad) == 1
    assert "not UTF-8" in bad[0]


@given(st.lists(st.binary(max_size=40), max_size=8))
def test_no_bytes_raise_anything_but_an_event_error(parts: list[bytes]) -> None:
    content = b"\n".join(parts)
    found, bad = read_with_bad(content)
    lines = [line for line in content.split(b"\n") if line.strip()]
    assert len(found) + len(bad) <= len(lines) + 1


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=6,
)


@given(
    st.dictionaries(
        st.sampled_from(["id", "type", "source", "time", "data", "arrival", "start", "events", "x"]), JSON_VALUES
    )
)
def test_no_json_raises_anything_but_an_event_error(record: dict[str, object]) -> None:
    found, bad = read_with_bad(json.dumps(record))
    assert len(found) + len(bad) == 1
