"""Windows that hang on a neighbour, and orders that fail: what is named is in the way, and nothing untrue is said of it."""

from __future__ import annotations

import pytest

from tocsin.events import Event
from tocsin.reasons.answers import Question, ask
from tocsin.reasons.records import ORDER, WINDOW, Verdict
from tocsin.rules.loader import load_expression
from tocsin.runtime.options import Options
from tocsin.session import Session

SECOND = 1_000_000


def failed(expression: str, *events: tuple[str, int], language: str = "sel") -> list[Verdict] | None:
    """What the nearest miss fails; None where there is none."""
    log = [
        Event(kind, time * SECOND, time * SECOND, str(n), "", {}, time * SECOND)
        for n, (kind, time) in enumerate(events, 1)
    ]
    session = Session(load_expression(expression, language), Options())
    (answer,) = ask(session, log, Question(limit=1)).answers
    return list(answer.misses[0].failed) if answer.misses else None


@pytest.mark.parametrize(
    ("expression", "missed", "met"),
    [
        ("((!c & a) in 1 second) -> b in 9 seconds", [("a", 1), ("b", 3)], [("a", 2), ("b", 3)]),
        ("b -> ((!c & a) in 1 second) in 9 seconds", [("b", 1), ("a", 3)], [("b", 1), ("a", 2), ("z", 30)]),
        ("b -> (!c in 10 seconds) in 9 seconds", [("b", 1), ("z", 30)], []),
    ],
)
def test_a_window_that_hangs_on_a_neighbour(
    expression: str, missed: list[tuple[str, int]], met: list[tuple[str, int]]
) -> None:
    found = failed(expression, *missed)
    assert found is not None
    assert [(each.kind, each.by) for each in found] == [(WINDOW, SECOND)]
    assert not met or failed(expression, *met) is None


def test_what_is_stamped_later_is_not_said_to_be_stamped_no_later() -> None:
    found = failed("at(a, 0/0/0 0:00:05) ; b", ("a", 2), ("b", 3), ("z", 30), language="eps")
    assert found is not None
    assert [(each.kind, each.note) for each in found] == [(ORDER, "")]
