"""The oldest of many occurrences is found where values come again after they were used up, and where events are late."""

from __future__ import annotations

from tests.amounts import examples
from tests.engine.kinds import KINDS
from tests.fuzz.engine import numbered, run

EXAMPLES = examples(400)
"""Of so many, half a dozen have an oldest occurrence that begins first and ends last, with a value seen before."""


def test_the_oldest_is_found_where_values_recur() -> None:
    _, failed, met = run(1, range(EXAMPLES), "recurring")
    assert failed == []
    assert {operator for operator, _, _ in met} == set(KINDS["recurring"].operators)


def test_values_come_back_in_the_opposite_order() -> None:
    """The logs have `2 3 3 2` in one type, before something of another type, after both values were seen."""
    nested = 0
    for number in range(200):
        log = numbered(1, number, "recurring").log
        values = [(event.type, event.data["k"]) for event in log]
        fours = [values[place : place + 4] for place in range(2, len(values) - 4)]
        nested += any(a == d != b == c and a[0] == b[0] == "a" for a, b, c, d in fours)
    assert nested > 40
