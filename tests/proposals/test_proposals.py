"""Rules proposed from examples: what the examples show is found, what was tried is told, and nothing is guessed."""

from __future__ import annotations

import random
from typing import Any

import pytest

import tocsin as tc


def events(*rows: tuple[str, float, dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"type": type, "time": time, "source": "s", **data} for type, time, data in rows]


def best(history: list[dict[str, Any]], together: list[list[str]], apart: list[list[str]] = []) -> Any:  # noqa: B006
    return tc.propose(history, together, apart)[0]


def test_the_order_the_time_and_equal_attributes_are_found() -> None:
    history = events(
        ("failed", 0, {"ip": "a"}),
        ("login", 40, {"ip": "a"}),
        ("failed", 100, {"ip": "b"}),
        ("login", 130, {"ip": "b"}),
        ("failed", 200, {"ip": "c"}),
        ("login", 220, {"ip": "d"}),
    )
    told = best(history, [["1", "2"], ["3", "4"]])
    assert told.expression == "failed followed by login by ip within 1 minute"
    assert (told.found, told.detections, told.is_cut) == (2, 2, False)
    assert told.times == ("1970-01-01T00:00:40Z", "1970-01-01T00:02:10Z")


def test_a_value_or_a_threshold_keeps_out_what_does_not_belong() -> None:
    history = events(
        ("hot", 0, {"t": 90, "room": "x"}),
        ("alarm", 5, {"kind": "fire", "room": "x"}),
        ("hot", 20, {"t": 80, "room": "y"}),
        ("alarm", 24, {"kind": "fire", "room": "y"}),
        ("hot", 50, {"t": 30, "room": "x"}),
        ("alarm", 52, {"kind": "test", "room": "x"}),
    )
    told, *others = tc.propose(history, [["1", "2"], ["3", "4"]], [["5", "6"]])
    assert told.expression == "hot followed by alarm by room where hot.t >= 80 within 5 seconds"
    assert "hot.t is from 80 to 90 in them, and rarely as much otherwise" in told.because
    assert (told.found, told.wrong, told.detections) == (2, 0, 2)
    assert [each.wrong for each in others if not each.refinements] == [1]


def test_so_many_of_one_type() -> None:
    history = events(
        *(("failed", float(each), {"ip": "a"}) for each in range(3)),
        *(("failed", 100.0 + each, {"ip": "b"}) for each in range(4)),
        *(("failed", 200.0 + each, {"ip": str(each)}) for each in range(3)),
    )
    told = best(history, [["1", "2", "3"], ["4", "5", "6", "7"]], [["8", "9", "10"]])
    assert told.expression == "failed at least 3 times with the same ip within 5 seconds"
    assert (told.found, told.wrong) == (2, 0)


def test_what_must_not_come_between() -> None:
    history = events(
        ("down", 0, {}), ("alarm", 5, {}), ("down", 20, {}), ("up", 22, {}), ("alarm", 25, {}), ("up", 60, {})
    )
    told = best(history, [["1", "2"]], [["3", "5"]])
    assert told.expression == "down followed by alarm without up within 5 seconds"
    assert (told.found, told.wrong, told.detections) == (1, 0, 1)


def test_events_that_came_late_count_all_the_same() -> None:
    history = events(("a", 0, {}), ("b", 2, {}), ("a", 50, {}), ("b", 52, {}))
    late = [{**each, "arrival": 86_400} for each in history]
    assert best(late, [["1", "2"]]).detections == best(history, [["1", "2"]]).detections == 2


def test_any_order_and_repeated_types() -> None:
    history = events(("a", 0, {}), ("b", 1, {}), ("b", 10, {}), ("a", 11, {}))
    assert best(history, [["1", "2"], ["3", "4"]]).expression == "a and b within 1 second"
    history = events(("a", 0, {"n": 1}), ("b", 1, {"n": 1}), ("a", 2, {"n": 1}), ("b", 3, {"n": 2}))
    assert (
        best(history, [["1", "2", "3"]]).expression
        == "a as e1 followed by b as e2 followed by a as e3 by n within 2 seconds"
    )


def test_names_that_need_quotes_are_quoted() -> None:
    history = events(("it's up", 0, {"v": "x"}), ("with", 1, {"v": "x"}), ("with", 5, {"v": "it's"}))
    told = best(history, [["1", "2"]])
    assert told.expression == "'it\\'s up' as e1 followed by 'with' as e2 by v within 1 second"
    assert (told.found, told.detections) == (1, 1)


def test_what_was_not_looked_at_is_told() -> None:
    nothing = tc.propose(events(("a", 0, {}), ("b", 1, {})), [["1"], ["2"]])
    assert (len(nothing), nothing.remarks[-1]) == (0, "the examples have no types in common")
    assert "looked at: types, their order" in str(nothing)
    with pytest.raises(tc.UsageError, match="mark some events"):
        tc.propose(events(("a", 0, {})), [])
    with pytest.raises(tc.UsageError, match="no event has the id '7'"):
        tc.propose(events(("a", 0, {})), [["7"]])


@pytest.mark.parametrize("seed", range(12))
def test_every_proposal_does_what_is_told_of_it(seed: int) -> None:
    """Whatever the examples are, the expression is a rule, and finds what it says on the same events."""
    chance = random.Random(seed)
    history = events(
        *(
            (chance.choice("abc"), float(each), {"k": chance.choice("xy"), "v": chance.randrange(9)})
            for each in range(60)
        )
    )
    ids = [str(each) for each in range(1, 61)]
    pick = lambda: sorted(chance.sample(ids, chance.randrange(1, 4)), key=int)  # noqa: E731
    told = tc.propose(history, [pick(), pick()], [pick()] if seed % 2 else [])
    assert told.tried <= 24
    for each in told:
        found = tc.detect(tc.rule("tried", each.expression, language="pretty"), history)
        assert len(found) == each.detections
        assert each.found <= 2
    keys = [(2 - each.found + each.wrong, each.refinements, each.detections) for each in told]
    assert keys == sorted(keys)
