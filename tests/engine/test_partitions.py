"""Partitions in the engine: an event concerns its own, and those that remember nothing are dropped."""

from __future__ import annotations

import pytest

import tocsin as tc
from tests.algebra.building import SECOND
from tests.amounts import examples
from tests.engine.comparing import difference
from tests.engine.kinds import KINDS
from tocsin.algebra.detectors import Setting
from tocsin.algebra.partitions import partition_of
from tocsin.algebra.rules import Context
from tocsin.engine.detectors import partitioned
from tocsin.engine.detectors.indexed import remembering
from tocsin.engine.detectors.partitioned import IndexedPartitions
from tocsin.events import Event


def event(kind: str, at: int, **data: object) -> Event:
    return Event(kind, at * SECOND, at * SECOND, str(at), data=data, arrival=at * SECOND, number=at)


def made(text: str, run: str, window: str | None = None) -> IndexedPartitions:
    rule = tc.rule("r", text, language="core", run=run, window=window, partition="u")
    found = remembering(rule, Setting(), 0)
    assert isinstance(found, IndexedPartitions)
    return found


@pytest.mark.parametrize("run", ["every", "again"])
def test_values_that_are_done_with_are_dropped(run: str) -> None:
    """Each of very many values comes, is detected and never comes again."""
    parts, found, most = made("[a] [b]", run), 0, 0
    for number in range(2000):
        for place, kind in enumerate("ab"):
            one = event(kind, 2 * number + place, u=f"user {number}")
            found += len(parts.take(one, one.end))
            most = max(most, len(parts.parts))
    assert found == 2000
    assert most < 100


def test_what_has_left_the_window_is_dropped() -> None:
    parts, most = made("[a] [b]", "every", "20 sec"), 0
    for number in range(2000):
        one = event("a", number, u=number)
        parts.take(one, one.end)
        most = max(most, len(parts.parts))
    assert most < 100


def test_what_a_partition_holds_is_never_dropped() -> None:
    """Rules beside the network keep their events in ways of their own, and all of them count."""
    for pattern in ("a ; b", "a ; (b ; c)", "a & b"):
        for context in Context:
            rule = tc.rule("r", pattern, language="eps", context=context.value, partition="u")
            parts = remembering(rule, Setting(), 0)
            assert isinstance(parts, IndexedPartitions)
            for number in range(100):
                one = event("a", number, u=number)
                parts.take(one, one.end)
            assert len(parts.parts) == 100


def test_a_run_once_is_remembered_for_ever() -> None:
    parts = made("[a]", "once")
    for number in range(300):
        one = event("a", number, u=number % 100)
        assert len(parts.take(one, one.end)) == (number < 100)
    assert len(parts.parts) == 100


def test_dropping_at_every_turn_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random examples have few values: here partitions are looked at, and dropped, after every event."""
    monkeypatch.setattr(partitioned, "FEW", 0)  # where the engine is compiled, it has these for good
    monkeypatch.setattr(partitioned, "SELDOM", 1)
    for number in range(examples(120)):
        assert difference(KINDS["partitioned"].numbered(5, number)) == ""


@pytest.mark.parametrize(
    ("value", "partition"),
    [
        ("x", '["x"]'),
        (1, "[1]"),
        (1.0, "[1]"),
        (-0.0, "[0]"),
        (0.5, "[0.5]"),
        (True, "[true]"),
        ("1", '["1"]'),
        (float("nan"), None),
        (float("inf"), "[Infinity]"),
        (None, None),
        ([1], None),
        ({}, None),
    ],
)
def test_the_value_of_a_partition(value: object, partition: str | None) -> None:
    assert partition_of(event("a", 1, u=value), ("u",)) == partition
    assert partition_of(event("a", 1), ("u",)) is None
