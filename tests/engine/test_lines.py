"""Lines of detections made of columns, beside those made of detections: the same text in the same order."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tocsin.algebra.notes import Notes
from tocsin.api import rule
from tocsin.engine.frames import lines as made_lines
from tocsin.formats import TimeStyle, detection_lines, events_from
from tocsin.rules.programs import rules_program
from tocsin.runtime.options import Options
from tocsin.session import Session

RULES = [
    rule("pair", "x:a ; y:b", condition="x.k == y.k", context="unrestricted"),
    rule('odd "name" é', "x:a & y:a", context="unrestricted", window="5 s"),
    rule("triple", "x:a ; y:b ; z:a", condition="z.v > x.v", context="unrestricted"),
    rule("chosen", "x:a ; y:b", select={"k": "x.k"}),
    rule("told", "x:a ; y:b", notify="{x.k}"),
]
ITEMS = st.lists(
    st.fixed_dictionaries(
        {"type": st.sampled_from("ab"), "time": st.integers(0, 20)},
        optional={
            "data": st.fixed_dictionaries(
                {"k": st.integers(0, 2)}, optional={"v": st.one_of(st.floats(0, 1), st.text(max_size=2), st.none())}
            ),
            "source": st.sampled_from(["s", "t"]),
            "start": st.integers(0, 5).map(float),
        },
    ),
    max_size=25,
)


@pytest.fixture(autouse=True)
def columns_for_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(made_lines, "FEW", 1)


@settings(max_examples=150, deadline=None)
@given(ITEMS, st.sampled_from(RULES))
def test_lines_of_columns_are_those_of_detections(items: list[dict[str, object]], one: object) -> None:
    session = Session(rules_program([one]), Options())  # type: ignore[list-item]
    style = TimeStyle()
    given_events = events_from(items, "skip", style=style)
    lines = list(session.lines_of_parcels(given_events.parcels(), style, Notes()))
    again = TimeStyle()
    found = session.detections(events_from(items, "skip", style=again), Notes())
    assert lines == list(detection_lines(found, again))
    assert all(json.loads(line) for line in lines)


def test_columns_are_what_lines_are_made_of() -> None:
    """Several detections of one moment among them, which have to be put in order."""
    made: list[int] = []
    session = Session(rules_program([RULES[0]]), Options())
    items = [{"type": "ab"[n % 2], "time": n, "data": {"k": n % 4 // 2}} for n in range(60)]
    original = made_lines._lines
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(made_lines, "_lines", lambda columns, style: made.append(1) or original(columns, style))
        lines = list(session.lines_of_parcels(events_from(items).parcels(), TimeStyle(True), Notes()))
    assert made
    assert len(lines) == len(session_detections(session, items))


def session_detections(session: Session, items: list[dict[str, object]]) -> list[object]:
    return list(session.detections(events_from(items), Notes()))
