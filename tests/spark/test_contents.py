"""Rows without an id are called by their contents: different rows are different events, equal rows are one."""

from __future__ import annotations

import json
import math
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import tocsin as tc

SCHEMA = (
    "t string, u string, l array<string>, n array<array<int>>, m map<string, string>,"
    " s struct<a: string, b: string>, p array<struct<a: string, b: string>>, d double, e array<double>, b binary,"
    " `we``ird.name` int"
)
NOTHING: tuple[Any, ...] = (None,) * 11
NAMES = ("t", "u", "l", "n", "m", "s", "p", "d", "e", "b", "odd")


def row(**values: Any) -> tuple[Any, ...]:
    made = dict(zip(NAMES, NOTHING, strict=True)) | values
    return tuple(made.values())


DIFFERENT = [
    NOTHING,
    row(t="x"),
    row(u="x"),
    row(t="x", u=""),
    row(t="", u="x"),
    row(t="n"),
    row(l=[]),
    row(l=[None]),
    row(l=["a", None]),
    row(l=[None, "a"]),
    row(l=["a"]),
    row(l=["a", "null"]),
    row(l=["a, b"]),
    row(l=["a", "b"]),
    row(l=["ab"]),
    row(n=[[1], [2]]),
    row(n=[[1, 2]]),
    row(n=[[1, 2], []]),
    row(n=[[1, 2], None]),
    row(m={}),
    row(m={"a": None}),
    row(m={"a": "b"}),
    row(m={"a": "b", "c": None}),
    row(m={"a": None, "c": "b"}),
    row(s=(None, None)),
    row(s=("x", None)),
    row(s=(None, "x")),
    row(s=("x, y", "z")),
    row(s=("x", "y, z")),
    row(p=[("x", None)]),
    row(p=[(None, "x")]),
    row(d=0.0),
    row(d=math.nan),
    row(d=math.inf),
    row(e=[0.0]),
    row(e=[math.nan]),
    row(b=b""),
    row(b=b"\0"),
    row(odd=0),
]
EQUAL = [
    (row(d=0.0), row(d=-0.0)),
    (row(e=[0.0, 1.0]), row(e=[-0.0, 1.0])),
    (row(d=math.nan), row(d=-math.nan)),
    (row(m={"a": "1", "b": "2"}), row(m={"b": "2", "a": "1"})),
]


def names(spark: Any, rows: list[tuple[Any, ...]]) -> list[str]:
    from tocsin.spark.contents import name_of_contents

    frame = spark.createDataFrame(rows, SCHEMA)
    return [each["name"] for each in frame.select(name_of_contents(frame).alias("name")).collect()]


def test_names_are_of_contents(spark: Any) -> None:
    pairs = [each for pair in EQUAL for each in pair]
    found = names(spark, DIFFERENT + pairs)
    different, equal = found[: len(DIFFERENT)], found[len(DIFFERENT) :]
    for (one, name), (other, other_name) in combinations(zip(DIFFERENT, different, strict=True), 2):
        assert name != other_name, (one, other)
    for one, other in zip(equal[::2], equal[1::2], strict=True):
        assert one == other


@pytest.mark.parametrize(
    ("ids", "kind"), [((None, None, None), None), (("", None, None), "string"), ((None, None, None), "bigint")]
)
def test_no_event_is_lost(spark: Any, ids: tuple[Any, ...], kind: str | None) -> None:
    """Rows that differ only in where their nulls are; also where there is a column of ids, and these have none."""
    rows = [("a", 1.0, "x", None, ids[0]), ("a", 1.0, None, "x", ids[1]), ("a", 1.0, None, "x", ids[2])]
    schema = f"type string, time double, u string, v string, id {kind or 'string'}"
    frame = spark.createDataFrame(rows, schema)
    found = tc.spark.detect(frame if kind else frame.drop("id"), tc.rule("r", "x:a"), shards=2).collect()
    assert sorted(row["data"] for row in found) == ['{"x.u": "x"}', '{"x.v": "x"}']


def test_no_event_of_a_history_is_lost(spark: Any, tmp_path: Path) -> None:
    from tocsin.backtest.histories import history_of
    from tocsin.backtest.history_frames import read_history

    path = tmp_path / "events.jsonl"
    sent = [{"source": "1"}, {"start": 1}, {"id": "", "source": "1"}, {"id": "7"}]
    path.write_text("".join(json.dumps({"type": "a", "time": 1} | each) + "\n" for each in sent))
    names = [row["id"] for row in read_history(spark, history_of([str(path)])).select("id").collect()]
    assert len(set(names)) == 4
    assert names[-1] == "7"
    assert "" not in names
