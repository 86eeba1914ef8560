"""Events that come twice on a stream count once, in every order, also after a shard was made again."""

from __future__ import annotations

from random import Random
from typing import Any

import pyarrow as pa
import pytest

import tocsin as tc
from tests.spark.test_shards import SCHEMA, events, lane
from tocsin.algebra.rules import Order
from tocsin.planner.placement import placements
from tocsin.rules.programs import rules_program

pytest.importorskip("pyspark", reason="tocsin.spark needs pyspark")

from tocsin.spark.shard import Conditions
from tocsin.spark.shard_cache import forget, row_batches
from tocsin.spark.steps import END, Stepper
from tocsin.time.spans import SECOND

RULE = tc.rule("pair", "x:a ; y:b", condition="x.k == y.k", context="unrestricted", window="20 s")
ARRIVING = SCHEMA.append(pa.field("arrival", pa.timestamp("us", "UTC")))


def _found(stepper: Stepper, rows: list[dict[str, Any]], watermark: int | None, schema: Any) -> list[str]:
    table = pa.Table.from_pylist(rows, schema) if rows else None
    some, _ = stepper.step(table, watermark)
    shard = stepper.shard
    found = [each for _, each in some]
    return [row["id"] for batch in row_batches(pa, found, shard.placement, shard.style) for row in batch.to_pylist()]


@pytest.mark.parametrize("policy", ["guaranteed", "best-effort"])
@pytest.mark.parametrize("seed", range(10))
def test_twice_is_once(policy: str, seed: int) -> None:
    """Each event up to three times, in the same micro-batch or a later one, and the shard made again in between."""
    random = Random(seed)
    given = events(random, 60)
    order = Order(policy) if policy == "guaranteed" else Order()
    (placement,) = placements(rules_program([RULE]))
    schema = SCHEMA if policy == "guaranteed" else ARRIVING
    once, many = (Stepper(lane(placement), Conditions(order)) for _ in range(2))
    expected: list[str] = []
    found: list[str] = []
    pieces = [given[start : start + 10] for start in range(0, 60, 10)]
    for number, piece in enumerate(pieces):
        new = [row | {"arrival": row["time"]} for row in piece]
        last = piece[-1]["time"]
        again = [
            row | {"arrival": last} for row in random.choices(given[max(0, 10 * number - 15) : 10 * number + 10], k=12)
        ]
        watermark = max(0, last - 60 * SECOND)
        expected += _found(once, new, watermark, schema)
        found += _found(many, new + again, watermark, schema)
        whole = many.whole()
        many = Stepper(lane(placement), Conditions(order))
        many.restore(whole)
    expected += _found(once, [], END, schema)
    found += _found(many, [], END, schema)
    assert found == expected
    assert len(found) > 3


@pytest.mark.parametrize("policy", ["guaranteed", "best-effort"])
@pytest.mark.parametrize(
    ("remember", "counted"), [(None, [0, 4000]), (7 * SECOND, [0, 1800, 4000]), (0, [0, 0, 1800, 4000])]
)
def test_how_long_names_are_remembered(policy: str, remember: int | None, counted: list[int]) -> None:
    """An hour of event time, whatever window the rules have; or as is said."""
    (placement,) = placements(rules_program([tc.rule("r", "x:a", window="1 s")]))
    order = Order(policy) if policy == "guaranteed" else Order()
    stepper = Stepper(lane(placement), Conditions(order, remember=remember))
    plain = {"type": "a", "id": "1", "source": "s", "data.k": 1, "data.v": 1}
    given = [plain | {"time": seconds * SECOND, "arrival": seconds * SECOND} for seconds in (0, 0, 1800, 4000)]
    schema = SCHEMA if policy == "guaranteed" else ARRIVING
    some = stepper.step(pa.Table.from_pylist(given, schema), None)[0] + stepper.step(None, END)[0]
    batches = row_batches(pa, [each for _, each in some], placement, stepper.shard.style)
    found = [moment.timestamp() for batch in batches for moment in batch["time"].to_pylist()]
    assert found == counted
    forget()


def test_names_are_not_put_together_by_chance() -> None:
    """A source that ends as an id begins."""
    (placement,) = placements(rules_program([tc.rule("r", "x:a")]))
    stepper = Stepper(lane(placement), Conditions(Order("guaranteed")))
    plain = {"type": "a", "time": 0, "data.k": 1, "data.v": 1}
    given = [plain | {"source": "s", "id": "\0i"}, plain | {"source": "s\0", "id": "i"}]
    stepper.step(pa.Table.from_pylist(given, SCHEMA), None)
    assert stepper.repeated == 0
