"""Detections as columns: the ids, times, events and data of those that are made one by one."""

from __future__ import annotations

import json
from array import array
from random import Random
from typing import Any
from unittest.mock import patch

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

import tocsin as tc
from tocsin.algebra.values import MISSING
from tocsin.engine.frames import reports
from tocsin.engine.frames.batches import slices_of
from tocsin.engine.frames.reports import hashed, reported
from tocsin.engine.frames.texts import distinct, json_told, texts_of
from tocsin.engine.network.values import CodedValues, ObjectValues, RealValues, WholeValues
from tocsin.formats.instants import TimeStyle
from tocsin.formats.intake import Intake
from tocsin.rules.programs import rules_program
from tocsin.runtime.ordered import Ordered

RULES = [
    tc.rule("pair", "x:a ; y:b", condition="x.k == y.k", context="unrestricted", window="20 s"),
    tc.rule("first", "x:a ; y:b", condition="x.k == y.k", context="generic", window="30 s"),
    tc.rule("bare", "a ; b ; c", window="9 s", context="unrestricted"),
    tc.rule("both", "x:a & y:a & z:b", window="6 s", context="unrestricted"),
    tc.rule("either", "x:a || y:b", context="unrestricted"),
    tc.rule("quiet", "(x:a -> !(y:b if y.k == x.k)) in 5 s", language="sel"),
    tc.rule("three", "TimesEq(3, x:c, k)", window="40 s", context="unrestricted"),
    tc.rule("told", "x:a ; y:c", window="3 s", context="unrestricted", notify="{x.k}"),
    tc.rule(
        "shown",
        "x:a ; y:c",
        window="3 s",
        context="unrestricted",
        notify="{{{x.t} of {y.v}, {x.none}.",
        select={"v": "y.v", "t": "x.t", "none": "x.none"},
    ),
    tc.rule("moved", "x:a ; y:d", window="3 s", context="unrestricted", select={"more": "x.v + 1", "t": "x.t"}),
    tc.rule("chosen", "x:a ; y:c", window="3 s", context="unrestricted", select={"k": "x.k"}),
    tc.rule("more 'ä\"", "x:a ; y:b", condition="x.v < y.v", context="unrestricted", window="20 s"),
    tc.rule("still more", "x:a ; y:b", condition="x.v < y.v - 2", context="unrestricted", window="20 s"),
    tc.rule("between", "{a ; c} ! b", language="gem", window="9 s", context="unrestricted"),
    tc.rule("later", "a + [3 s]", language="gem", context="unrestricted"),
]
COLUMNS = ("rules", "identities", "starts", "times", "detected", "events", "data", "notifications", "keys")
VALUES = (1, 2, 3, None)
TEXTS = ("plain", 'a "quoted" one', "über", "\u2028", "", None)


def rows(random: Random, count: int) -> Any:
    time, made = 0, []
    for number in range(count):
        time += random.choice((0, 0, 1, 2, 5)) * 1_000_000
        made.append(
            {
                "type": random.choice("abcd"),
                "time": time,
                "id": random.choice((f"{number:03}", f"ü{number}")),
                "source": random.choice(("s", "", 'q"')),
                "data.k": random.choice(VALUES),
                "data.v": random.choice((0.5, 1e22, 5.0, -0.0, float("nan"), None)),
                "data.t": random.choice(TEXTS),
            }
        )
    table = pa.Table.from_pylist(made) if made else pa.table({"type": pa.array([], pa.string())})
    return table.set_column(1, "time", table["time"].cast(pa.timestamp("us", "UTC"))) if made else None


@given(
    seed=st.integers(0, 100_000),
    count=st.integers(1, 50),
    size=st.sampled_from((3, 20, 100)),
    again=st.booleans(),
    most=st.sampled_from((1, 4, 1000)),
)
def test_columns_are_the_detections(seed: int, count: int, size: int, again: bool, most: int) -> None:
    with patch.object(reports, "_MOST_ROWS", most):
        _compare(Random(seed), count, size, again)


def _compare(random: Random, count: int, size: int, again: bool) -> None:
    given_rows = rows(random, count)
    one, other = (Ordered(rules_program(RULES)) for _ in range(2))
    wanted, found, plain = [], [], 0
    for each in slices_of(given_rows, Intake("<rows>", style=TimeStyle()), size=size) or ():
        assert one.feed(each.batch())
        for some in reported(one.engine, TimeStyle(), {"pair": "x.k", "quiet": "x.k"}):
            plain += some.count
            listed = zip(*(some.column(name).to_pylist() for name in COLUMNS), strict=True)
            for rule, identity, start, time, detected, events, data, notified, key in listed:
                found.append((hashed(identity), rule, start, time, detected, events, json.loads(data), notified))
                assert key == (_key(found[-1][-2].get("x.k")) if rule in ("pair", "quiet") else None)
        left = one.engine.drain()
        assert not {each.rule for each in left} & {"pair", "told", "chosen", "shown"}
        found += [_told(each) for each in left]
        wanted += [_told(each) for each in other.process(each.batch())]
        if again and random.random() < 0.3:
            one, other = _anew(one), _anew(other)
    assert sorted(found, key=repr) == sorted(wanted, key=repr)
    assert plain or len(wanted) < 30


NUMBERS = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False), st.floats(-1e11, 1e11), st.integers(-(10**17), 10**17)
)


@given(st.lists(NUMBERS, min_size=1), st.lists(st.sampled_from(("a", 'b"', 1, 1.0, True, 0.5)), min_size=1), st.data())
def test_texts_of_columns_are_those_of_values(numbers: list[float], values: list[Any], data: st.DataObject) -> None:
    reals, wholes = [float(each) for each in numbers], [int(each) % 2**63 for each in numbers]
    codes = data.draw(st.lists(st.integers(-1, len(values) - 1), min_size=1))
    told = json_told(TimeStyle())
    for column, wanted in (
        (RealValues(array("d", reals).tobytes()), reals),
        (WholeValues(array("q", wholes).tobytes()), wholes),
        (CodedValues(array("q", codes).tobytes(), values), [None if code < 0 else values[code] for code in codes]),
        (ObjectValues([*values, MISSING]), [*values, None]),
    ):
        places = data.draw(st.lists(st.integers(0, len(wanted) - 1)))
        found = texts_of(column, np.array(places, np.int64), told).to_pylist()
        assert found == [None if wanted[place] is None else told(wanted[place]) for place in places]


@given(st.lists(st.one_of(st.integers(-5, 40), st.integers(-(2**62), 2**62))))
def test_distinct_numbers(numbers: list[int]) -> None:
    found, back = distinct(np.array(numbers, np.int64))
    assert found.tolist() == sorted(set(numbers))
    assert found[back].tolist() == numbers


def _key(value: Any) -> str | None:
    return None if value is None else str(value)


def _told(one: Any) -> tuple[Any, ...]:
    data = {name: None if value != value else value for name, value in one.data.items()}
    return (one.id, one.rule, one.start_us, one.time_us, one.detected_us, list(one.events), data, one.notification)


def _anew(front: Ordered) -> Ordered:
    """Another that goes on from a snapshot: its events are in no batch."""
    made = Ordered(rules_program(RULES))
    made.restore(front.snapshot())
    return made
