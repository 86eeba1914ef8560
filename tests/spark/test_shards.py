"""Shards without Spark: what is found does not depend on how the events are spread, cut into batches or mixed up."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tocsin as tc
from tocsin.algebra.rules import Order
from tocsin.planner.placement import KEYED, placements
from tocsin.session import rules_program
from tocsin.spark.shard import Conditions, Shard
from tocsin.spark.stepping import END, LAST, Stepper

pytest.importorskip("pyspark", reason="tocsin.spark needs pyspark")

RULES = [
    tc.rule("pair", "x:a ; y:b", condition="x.k == y.k", context="unrestricted", window="20 s"),
    tc.rule("first", "x:a ; y:b", condition="x.k == y.k", context="generic", window="30 s"),
    tc.rule("quiet", "(x:a -> !(y:b if y.k == x.k)) in 5 s", language="sel"),
    tc.rule("three", "TimesEq(3, x:c, k)", window="40 s", context="unrestricted"),
    tc.rule("big", "x:c", condition="x.v > 7"),
    tc.rule("any_two", "x:a ; y:c", context="generic", window="3 s"),
]
"""Keyed ones, one about single events, one without a key."""
ORDER = Order("guaranteed")
SCHEMA = pa.schema(
    [
        ("type", pa.string()),
        ("time", pa.timestamp("us", "UTC")),
        ("id", pa.string()),
        ("source", pa.string()),
        ("a0", pa.int64()),
        ("a1", pa.int64()),
    ]
)
NAMES = ("k", "v")


def events(random: Random, count: int) -> list[dict[str, Any]]:
    """In order of time, several at one time; some have no key."""
    time, made = 0, []
    for number in range(count):
        time += random.choice((0, 0, 1, 2, 5)) * 1_000_000
        key = random.choice((1, 2, 3, None))
        made.append({"type": random.choice("abcd"), "time": time, "id": f"{number:03}", "source": "s", "a0": key})
        made[-1]["a1"] = random.randrange(10)
    return made


def table(rows: list[dict[str, Any]]) -> Any:
    return pa.Table.from_pylist(rows, SCHEMA)


def embedded(rows: list[dict[str, Any]]) -> Counter[str]:
    """What one engine finds, with everything in order."""
    return Counter(one.id for one in tc.detect(RULES, _as_given(rows)))


def spread(rows: list[dict[str, Any]], shards: int) -> list[tuple[Any, list[dict[str, Any]]]]:
    """The rows of every shard of every placement, with the placement."""
    made = []
    for placement in placements(rules_program(RULES)):
        types = placement.types or frozenset("abcd")
        wanted = [row for row in rows if row["type"] in types]
        if placement.kind == KEYED:
            made += [
                (placement, [row for row in wanted if (row["a0"] or 0) % shards == each]) for each in range(shards)
            ]
        else:
            made.append((placement, wanted))
    return made


def test_there_is_something_to_find() -> None:
    found = Counter(one.rule for one in tc.detect(RULES, _as_given(events(Random(1), 300))))
    assert min(found[rule.name] for rule in RULES) > 3


def _as_given(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {"type": row["type"], "time": row["time"] / 1e6, "id": row["id"], "source": "s"}
        | {"data": {name: row[f"a{place}"] for place, name in enumerate(NAMES) if row[f"a{place}"] is not None}}
        for row in rows
    ]


@given(seed=st.integers(0, 10_000), count=st.integers(0, 60), shards=st.integers(1, 4))
def test_batch(seed: int, count: int, shards: int) -> None:
    random = Random(seed)
    rows = events(random, count)
    found: Counter[str] = Counter()
    for placement, some in spread(rows, shards):
        random.shuffle(some)
        shard = Shard(placement, Conditions(ORDER), NAMES)
        for each in shard.take(table(some)) if some else ():
            found.update(one.id for one in each)
        found.update(one.id for one in shard.finish())
    assert found == embedded(rows)


@given(seed=st.integers(0, 10_000), count=st.integers(0, 60), shards=st.integers(1, 3), cuts=st.integers(1, 6))
def test_stream(seed: int, count: int, shards: int, cuts: int) -> None:
    """Cut anywhere, mixed up as far as the watermark allows, and now and then begun anew from what was kept."""
    random = Random(seed)
    rows = events(random, count)
    delay = 4_000_000
    arriving = sorted(rows, key=lambda row: row["time"] + random.randrange(delay))
    places = sorted(random.randrange(len(rows) + 1) for _ in range(cuts))
    pieces = [arriving[start:stop] for start, stop in zip([0, *places], [*places, len(rows)], strict=True)]
    found: Counter[str] = Counter()
    running = [Stepper(placement, Conditions(ORDER), NAMES, SCHEMA) for placement, _ in spread(rows, shards)]
    watermark, latest = None, 0
    for piece in [*pieces, None]:
        for place, (placement, some) in enumerate(spread(piece or [], shards)):
            mark = LAST if piece is None else watermark
            assert mark is None or mark < END or piece is None
            told, late = running[place].step(table(some) if some else None, mark)
            assert late is None
            found.update(one.id for each in told for one in each)
            if piece is not None and random.random() < 0.5:
                kept = running[place].kept()
                running[place] = Stepper(placement, Conditions(ORDER), NAMES, SCHEMA)
                running[place].restore(kept)
        latest = max([latest, *(row["time"] for row in piece or [])])
        watermark = latest - delay if latest > delay else None
    assert found == embedded(rows)


def test_late_events_are_told_and_not_evaluated() -> None:
    (placement,) = placements(rules_program(RULES[:1]))
    stepper = Stepper(placement, Conditions(ORDER), NAMES, SCHEMA)
    row = {"type": "a", "time": 1_000_000, "id": "1", "source": "s", "a0": 1, "a1": 1}
    after = row | {"type": "b", "id": "2", "time": 9_000_000}
    assert stepper.step(table([after]), None) == ([], None)
    found, late = stepper.step(table([row]), 5_000_000)
    assert (found, late["id"].to_pylist()) == ([], ["1"])
    assert stepper.step(None, LAST) == ([], None)


def test_what_is_waited_for_is_known() -> None:
    (placement,) = placements(rules_program(RULES[2:3]))
    stepper = Stepper(placement, Conditions(ORDER), NAMES, SCHEMA)
    assert stepper.next_moment() is None
    row = {"type": "a", "time": 1_000_000, "id": "1", "source": "s", "a0": 1, "a1": 1}
    stepper.step(table([row]), None)
    assert stepper.next_moment() == 1_000_000, "it is held until the watermark has passed it"
    stepper.step(None, 2_000_000)
    assert stepper.next_moment() == 6_000_000, "no b within five seconds"
    found, _ = stepper.step(None, 7_000_000)
    assert [one.rule for each in found for one in each] == ["quiet"]


def test_rules_may_change_as_long_as_the_key_is_the_same() -> None:
    """What is equal goes on where it was; what is new begins."""
    pair, other = RULES[0], tc.rule("other", "x:a ; y:b", condition="x.k == y.k && x.v < y.v", window="20 s")
    (before,), (after,) = placements(rules_program([pair])), placements(rules_program([pair, other]))
    assert before.key == after.key
    row = {"type": "a", "time": 1_000_000, "id": "1", "source": "s", "a0": 1, "a1": 1}
    stepper = Stepper(before, Conditions(ORDER), NAMES, SCHEMA)
    stepper.step(table([row]), None)
    stepper.step(None, 2_000_000)
    going_on = Stepper(after, Conditions(ORDER), NAMES, SCHEMA)
    going_on.restore(stepper.kept())
    going_on.step(table([row | {"type": "b", "id": "2", "time": 3_000_000, "a1": 5}]), 2_000_000)
    found, _ = going_on.step(None, LAST)
    assert [one.rule for each in found for one in each] == ["pair"]


class InMemory:
    """The state of a group as a shard sees it, of a query of which nothing else is there."""

    hasTimedOut = False  # noqa: N815 - Spark's name

    def __init__(self) -> None:
        self.get: tuple[Any, ...] | None = None

    @property
    def exists(self) -> bool:
        return self.get is not None

    def update(self, value: tuple[Any, ...]) -> None:
        self.get = value

    def getCurrentWatermarkMs(self) -> int:  # noqa: N802 - Spark's name
        return 0

    def setTimeoutTimestamp(self, at: int) -> None:  # noqa: N802 - Spark's name
        assert at > 0


def test_a_shard_that_is_remembered_is_not_taken_for_another_querys() -> None:
    """Two queries of the same rules in one worker, and a micro-batch that is repeated because it was not committed."""
    from tocsin.spark.routing import routes
    from tocsin.spark.streaming import _runner

    conditions = Conditions(Order())
    found = routes(placements(rules_program(RULES[:1])), [conditions], 1, NAMES)
    schema = SCHEMA.append(pa.field("arrival", pa.timestamp("us", "UTC")))
    run = _runner(found, schema, {"time", "arrival"}, "routing")

    def step(state: InMemory, kind: str, number: int) -> list[str]:
        row = {"type": kind, "time": number, "id": f"{number}", "source": "s", "a0": 1, "a1": 1}
        frame = table([row]).to_pandas().assign(time=[number], arrival=[number])
        return [one for rows in run((0,), iter([frame]), state) for one in rows["rule"]]

    one, other = InMemory(), InMemory()
    step(one, "a", 1)
    step(other, "c", 1)
    committed = one.get
    assert step(one, "b", 2) == ["pair"]
    one.get = committed  # the commit failed: the same again
    assert step(one, "b", 2) == ["pair"]
    assert step(other, "b", 2) == [], "it has seen no a"
