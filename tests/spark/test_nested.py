"""Attributes inside of others and tests of texts on Spark: structs, JSON and flat names give what the engine gives."""

from __future__ import annotations

import json
from typing import Any

import pytest

import tocsin as tc

RULES = [
    tc.rule("key", "x:a -> y:b if x.user.name == y.user.name in 5 seconds", language="sel", select={"t": "y.tags[0]"}),
    tc.rule(
        "text",
        "x:b if x.user.name matches '1$' && 'p' in x.tags && x.user.age / 2 > 4",
        language="sel",
        select={"n": "x.user.name"},
    ),
    tc.rule("words", "x:b if icontains(text(x), 'N2')", language="sel", select={"s": "$x"}),
]
ROWS = [("a", "n1", 3, "p"), ("b", "n1", 4, "q"), ("a", "n2", 1, "q"), ("b", "n2", 0, "p"), ("b", "n1", 9, "p")]
FIELDS = "type string, time long, id string"


def frame(spark: Any, kind: str) -> Any:
    """The same events with the user's name and age in a struct, in JSON, or under flat names."""
    numbered = [(row[0], place, str(place), *row[1:3], [row[3]]) for place, row in enumerate(ROWS, 1)]
    if kind == "struct":
        shape = f"{FIELDS}, user struct<name:string,age:int>, tags array<string>"
        return spark.createDataFrame([(*row[:3], row[3:5], row[5]) for row in numbered], shape)
    if kind == "json":
        made = [(*row[:3], json.dumps({"user": {"name": row[3], "age": row[4]}, "tags": row[5]})) for row in numbered]
        return spark.createDataFrame(made, f"{FIELDS}, data string")
    return spark.createDataFrame(numbered, f"{FIELDS}, `user.name` string, `user.age` int, tags array<string>")


@pytest.mark.parametrize("kind", ["struct", "json", "flat"])
def test_what_is_inside_is_found(spark: Any, kind: str) -> None:
    events = [
        {
            "type": row[0],
            "time": place,
            "id": str(place),
            "data": {"user": {"name": row[1], "age": row[2]}, "tags": [row[3]]},
        }
        for place, row in enumerate(ROWS, 1)
    ]
    wanted = sorted((one.rule, one.events, json.dumps(one.data)) for one in tc.detect(RULES, events))
    assert [one[:2] for one in wanted] == [
        ("key", ("1", "2")),
        ("key", ("1", "5")),
        ("key", ("3", "4")),
        ("text", ("5",)),
        ("words", ("4",)),
    ]
    found = tc.spark.detect(frame(spark, kind), RULES, shards=2).collect()
    assert sorted((row["rule"], tuple(row["events"]), row["data"]) for row in found) == wanted
