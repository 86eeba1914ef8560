"""A source and id count once in all of a static DataFrame: for all rules, and for any number of shards."""

from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import Any

import pytest

import tocsin as tc
from tests.spark.events import PAIR, PLAIN, START, as_given, rows
from tocsin.errors import UsageError

QUIET = tc.rule("quiet", "(x:a -> !(y:b if y.host == x.host)) in 5 s", language="sel")
LOOSE = tc.rule("loose", "x:a ; y:c", context="unrestricted", window="3 s")
ALONE = tc.rule("alone", "x:a", condition="x.load > 3")
RULES = [PAIR, QUIET, LOOSE, ALONE]


def repeating(seed: int) -> list[dict[str, Any]]:
    """Events of which some have the names of others: copies, and others of another time, type, host or load."""
    random = Random(seed)
    given = rows(70, seed)
    for _ in range(30):
        one, other = random.choice(given), random.choice(given)
        changed = random.choice([(), ("time",), ("type", "time"), ("host",), ("load",), ("time", "host", "load")])
        given.append(one | {name: other[name] for name in changed})
    for row in given:
        row["source"] = random.choice(("s", "s", None))
    return given


def frame(spark: Any, given: list[dict[str, Any]], schema: str = PLAIN) -> Any:
    names = [column.split()[0] for column in schema.split(", ")]
    return spark.createDataFrame([tuple(row[name] for name in names) for row in given], schema)


def first_of_each(given: list[dict[str, Any]], keys: tuple[str, ...]) -> list[dict[str, Any]]:
    """What counts, told plainly: of each name the first."""
    found: dict[Any, dict[str, Any]] = {}
    for row in sorted(given, key=lambda row: tuple(row[name] for name in keys)):
        found.setdefault((row["source"] or "", row["id"]), row)
    return sorted(found.values(), key=lambda row: row["time"])


def wanted(given: list[dict[str, Any]]) -> list[str]:
    events = [as_given(row) | {"source": row["source"] or ""} for row in given]
    return sorted(one.id for one in tc.detect(RULES, events, order="guaranteed"))


def ids(found: Any) -> list[str]:
    return sorted(row["id"] for row in found.select("id").collect())


@pytest.mark.parametrize("shards", [1, 4])
def test_by_arrival(spark: Any, shards: int) -> None:
    """The one that arrived first counts, whatever time and type it has, and whether or not a rule wants it."""
    given = repeating(seed=11)
    random = Random(5)
    for place, row in enumerate(random.sample(given, len(given))):
        row["sequence"] = place
    counted = first_of_each(given, ("sequence",))
    assert len(counted) < len(given) - 10
    assert wanted(counted) != wanted([row for row in counted if row["type"] != "c"])
    table = frame(spark, given, PLAIN + ", sequence long").repartition(3)
    assert ids(tc.spark.detect(table, RULES, shards=shards)) == wanted(counted)


def test_without_arrivals_the_earliest_counts(spark: Any) -> None:
    told = [("a", 0, "1", "n1"), ("b", 1, "1", "n1"), ("b", 2, "2", "n1"), ("z", 0, "3", "n2"), ("a", 1, "3", "n2")]
    told += [("b", 5, "4", "n2"), ("a", 4, "4", "n1"), ("b", 6, "5", "n1")]
    given = [
        {"type": kind, "time": START + timedelta(seconds=time), "id": name, "source": "s", "host": host, "load": 0}
        for kind, time, name, host in told
    ]
    for shards in (1, 3):
        found = tc.spark.detect(frame(spark, given).repartition(3), PAIR, shards=shards).collect()
        assert sorted(row["events"] for row in found) == [["1", "2"], ["1", "5"], ["4", "5"]]


def test_names_that_are_known_to_be_unique(spark: Any) -> None:
    """Where nothing is remembered, what comes again counts again."""
    given = rows(20)
    table = frame(spark, given + given)
    plain, twice = (tc.spark.detect(table, ALONE, remember=each).count() for each in (None, "0 s"))
    assert (plain, twice) == (plain, 2 * plain)
    assert plain > 0
    with pytest.raises(UsageError, match="all names are remembered, or none"):
        tc.spark.detect(table, ALONE, remember="1 hour")
