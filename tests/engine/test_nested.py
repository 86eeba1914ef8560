"""Attributes inside of others are found in the same way however events come: one by one, as columns, after a restore."""

from __future__ import annotations

from random import Random
from typing import Any

import pyarrow as pa
import pytest

import tocsin as tc
from tocsin.algebra.notes import Notes
from tocsin.algebra.rules import Rule
from tocsin.engine.engine import Engine
from tocsin.engine.state.snapshot import restore, snapshot
from tocsin.events import Event
from tocsin.rules.programs import rules_program
from tocsin.runtime.options import Options
from tocsin.session import Session

RULES = {
    "key": "x:a -> y:b if x.user.name == y.user.name in 5 seconds",
    "number": "x:a -> y:b if x.user.age < y.user.age + 1 in 5 seconds",
    "flat beside nested": "x:a -> y:b if x.user.name == y.name in 5 seconds",
    "item": "x:a -> y:b if x.tags[1] == y.tags[0] in 5 seconds",
    "text": "x:a -> y:b if icontains(y.user.name, 'N1') && y.user.name matches '1$' in 5 seconds",
    "list": "x:a -> y:b if y.name in x.tags in 5 seconds",
}


def events(seed: int) -> list[dict[str, Any]]:
    """Events with users, some of which lack what is asked for."""
    random = Random(seed)
    made: list[dict[str, Any]] = []
    for second in range(40):
        name = random.choice(("n1", "n2", "n3"))
        user = random.choice(({"name": name, "age": random.randint(1, 4)}, {"name": name, "age": None}, None))
        tags = random.choice(([name, "n1"], [name, "n2"], ["n1"], [], None))
        data = {"user": user, "name": name, "tags": tags}
        present = {key: value for key, value in data.items() if value is not None}
        if user is not None and user["age"] is None:
            present["user"] = {"name": name}
        made.append({"type": random.choice("ab"), "time": second, "data": present})
    return made


def found(rule: Rule, given: object) -> list[tuple[str, ...]]:
    return [one.events for one in tc.detect([rule], given)]  # type: ignore[arg-type]  # whatever detect takes


@pytest.mark.parametrize("kind", RULES)
@pytest.mark.parametrize("seed", range(3))
def test_however_they_come(kind: str, seed: int) -> None:
    rule, rows = tc.rule("r", RULES[kind], language="sel"), events(seed)
    wanted = found(rule, rows)
    program = rules_program([rule])
    table = pa.Table.from_pylist([{"type": each["type"], "time": each["time"], **each["data"]} for each in rows])
    assert found(rule, table) == wanted
    engine, pushed = Engine(program, None, Notes()), []
    for row in rows:
        saved = snapshot(engine)
        engine = Engine(program, None, Notes())
        restore(engine, saved)
        pushed += [one.events for one in engine.push(row["type"], row["time"] * 1_000_000, row["data"])]
    assert pushed == wanted
    assert wanted


def test_the_meaning_says_the_same() -> None:
    log = [
        Event(row["type"], row["time"] * 1_000_000, row["time"] * 1_000_000, str(place), "", row["data"], number=place)
        for place, row in enumerate(events(1), 1)
    ]
    for text in RULES.values():
        program = rules_program([tc.rule("r", text, language="sel")])
        answers = [
            [one.events for one in Session(program, Options(engine=engine)).detections(log)]
            for engine in ("replay", "local")
        ]
        assert answers[0] == answers[1] != []
