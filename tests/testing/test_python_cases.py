"""`tc.testing.check` in unit tests."""

from __future__ import annotations

from pathlib import Path

import pytest

import tocsin as tc

COLD = tc.rule("cold", "d:door ; t:temp", condition="d.room == t.room && t.degrees < 15", window="5 min")
GIVEN = "10 door room=FE02\n12 temp room=FE01 degrees=14\n60 temp room=FE02 degrees=13"
RECORDS = [
    {"type": "door", "time": 10, "data": {"room": "FE02"}},
    {"type": "temp", "time": 60, "data": {"room": "FE02", "degrees": 13}},
]


def test_what_is_expected() -> None:
    tc.testing.check(COLD, GIVEN, [{"rule": "cold", "events": [1, 3], "time": 60}], within_delay="20 s")
    tc.testing.check([COLD], RECORDS, {"cold": 1}, runtimes=("local",))
    tc.testing.check(COLD, RECORDS[:1], None)
    tc.testing.check(COLD, (event for event in RECORDS), 1)
    tc.testing.check(COLD, [tc.Event("door", 1, 1, data={"room": "a"})], "none")


def test_a_file(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    path.write_text(
        '{"type": "door", "time": 10, "data": {"room": 1}}\n{"type": "temp", "time": 60, "data": {"room": 1, "degrees": 3}}\n'
    )
    tc.testing.check(COLD, path, [["1", "2"]])
    tc.testing.check(COLD, str(path), [["1", "2"]])


def test_what_is_not() -> None:
    with pytest.raises(AssertionError) as caught:
        tc.testing.check(COLD, GIVEN, [{"events": [1, 2]}])
    assert "the rules do not detect what is expected\nin replay, local:" in str(caught.value)
    assert "events  expected  1 2" in str(caught.value)
    assert "found     1 3" in str(caught.value)


def test_an_order_of_arrival_that_matters() -> None:
    never = tc.rule("alone", "(a:alarm -> !(k:ack if k.room == a.room)) in 5 minutes", language="sel")
    given = "0 alarm room=1\n299 ack room=1\n900 alarm room=2"
    tc.testing.check(never, given, [["3"]], within_delay="1 min")
    with pytest.raises(AssertionError, match="the order of arrival changes"):
        tc.testing.check(never, given, [["3"]], within_delay="1 min", order="best-effort")


@pytest.mark.parametrize(
    ("given", "expect", "message"),
    [
        ("door 10", 1, "begins with its time"),
        (["1 door", 3], 1, r"at \[1\]: 3 is no event"),
        ([], [{"tme": 1}], r"at \[0\]: a detection has no 'tme'.*did you mean 'time'"),
        ([], {"old": 1}, "no rule 'old'"),
        (7, 1, "int"),
    ],
)
def test_wrong_use(given: object, expect: object, message: str) -> None:
    with pytest.raises(tc.UsageError, match=message):
        tc.testing.check(COLD, given, expect)
