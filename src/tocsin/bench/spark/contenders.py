"""What else Spark can do with the same rows: nothing at all but keep a state, or joins and windows of SQL."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from pyspark.sql import Window
from pyspark.sql import functions as F

from tocsin.algebra.rules import Rule

SHARDS = 8
Contender = Callable[[Any], Any]
"""From the events to rows of matches: `e0`, `e1` ... are the ids of their events by time."""


def no_op(frame: Any) -> Any:
    """The cheapest that keeps a state: rows by shard, counted, and a kilobyte kept for each."""

    def run(key: tuple[int], frames: Iterator[Any], state: Any) -> Iterator[Any]:
        seen = (state.get[0] if state.exists else 0) + sum(len(each) for each in frames)
        state.update((seen, bytes(1000)))
        return iter(())

    sharded = frame.withColumn("shard", F.pmod(F.xxhash64("key"), F.lit(SHARDS)).cast("int"))
    return sharded.groupBy("shard").applyInPandasWithState(
        run, "seen long", "seen long, more binary", "append", "NoTimeout"
    )


# -- W1: A, then B, then C, of one key, C's value above A's, within a minute ----------------------------------------


def sequence_joined(frame: Any) -> Any:
    """Three times the events, joined by their keys."""
    a, b, c = (_of_type(frame, kind, kind.lower()) for kind in "ABC")
    pairs = a.join(b, (a.a_key == b.b_key) & _after(b.b_time, a.a_time) & _within(b.b_time, a.a_time, 60))
    found = pairs.join(
        c, (c.c_key == a.a_key) & _after(c.c_time, b.b_time) & _within(c.c_time, a.a_time, 60) & (c.c_value > a.a_value)
    )
    return found.select(F.col("a_id").alias("e0"), F.col("b_id").alias("e1"), F.col("c_id").alias("e2"))


def sequence_bucketed(frame: Any) -> Any:
    """The same by key and minute: what lies within a minute is in the same one or in the next."""
    pairs, c = _pairs_by_minute(frame), _of_type(frame, "C", "c")
    found = pairs.join(
        c.withColumn("last", _minute("c_time")),
        (F.col("c_key") == pairs.a_key)
        & (F.col("last") == pairs["last_minute"])
        & _after(F.col("c_time"), pairs.b_time)
        & _within(F.col("c_time"), pairs.a_time, 60)
        & (F.col("c_value") > pairs.a_value),
    )
    return found.select(F.col("a_id").alias("e0"), F.col("b_id").alias("e1"), F.col("c_id").alias("e2"))


def _pairs_by_minute(frame: Any) -> Any:
    """A's and the B's within a minute after them, each pair for both minutes in which something may follow."""
    a = _of_type(frame, "A", "a").withColumn("minute", F.explode(_minutes("a_time")))
    b = _of_type(frame, "B", "b").withColumn("minute", _minute("b_time"))
    pairs = a.join(b, (a.a_key == b.b_key) & (a.minute == b.minute) & _between(b.b_time, a.a_time)).drop("minute")
    return pairs.withColumn("last_minute", F.explode(_minutes("a_time")))


# -- W3: A, and no B of its key within five seconds ----------------------------------------------------------------


def absence_joined(frame: Any) -> Any:
    """The A's that no B can be joined to."""
    a, b = _of_type(frame, "A", "a"), _of_type(frame, "B", "b")
    found = a.join(b, (a.a_key == b.b_key) & _after(b.b_time, a.a_time) & _within(b.b_time, a.a_time, 5), "left_anti")
    return found.select(F.col("a_id").alias("e0"))


def absence_running(frame: Any) -> Any:
    """The next B of every A: the last one seen, going through the events of a key from the latest on. Linear."""
    some = frame.filter(F.col("type").isin("A", "B"))
    seen = Window.partitionBy("key").orderBy(F.desc("time")).rowsBetween(Window.unboundedPreceding, -1)
    answer = F.last(F.when(F.col("type") == "B", F.col("time")), ignorenulls=True).over(seen)
    found = some.withColumn("answer", answer).filter(
        (F.col("type") == "A") & (F.col("answer").isNull() | ~_within(F.col("answer"), F.col("time"), 5))
    )
    return found.select(F.col("id").alias("e0"))


# -- a hot key: A, then B of its key within half a second ----------------------------------------------------------

HALF_SECOND = 500_000


def pair_bucketed(frame: Any) -> Any:
    """By key and half second: what lies within half a second is in the same one or in the next."""
    a, b = _of_type(frame, "A", "a"), _of_type(frame, "B", "b")
    half = F.floor(F.unix_micros("a_time") / HALF_SECOND)
    a = a.withColumn("half", F.explode(F.array(half, half + 1)))
    b = b.withColumn("half", F.floor(F.unix_micros("b_time") / HALF_SECOND))
    is_soon = F.unix_micros(b.b_time) - F.unix_micros(a.a_time) <= HALF_SECOND
    found = a.join(b, (a.a_key == b.b_key) & (a.half == b.half) & _after(b.b_time, a.a_time) & is_soon)
    return found.select(F.col("a_id").alias("e0"), F.col("b_id").alias("e1"))


def pair_listed(frame: Any) -> Any:
    """The A's of the half second before each event as a list."""
    recent = Window.partitionBy("key").orderBy(F.unix_micros("time")).rangeBetween(-HALF_SECOND, -1)
    some = frame.filter(F.col("type").isin("A", "B"))
    some = some.withColumn("recent", F.collect_list(F.when(F.col("type") == "A", F.col("id"))).over(recent))
    return some.filter(F.col("type") == "B").select(F.explode("recent").alias("e0"), F.col("id").alias("e1"))


# -- W4: any five A's of one key within ten seconds ----------------------------------------------------------------


def repetition_joined(frame: Any) -> Any:
    """Five times the A's."""
    found = _of_type(frame, "A", "e0")
    for place in range(1, 5):
        one, before = f"e{place}", f"e{place - 1}"
        more = _of_type(frame, "A", one)
        found = found.join(
            more,
            (found.e0_key == more[f"{one}_key"])
            & _after(more[f"{one}_time"], found[f"{before}_time"])
            & _within(more[f"{one}_time"], found.e0_time, 10),
        )
    return found.select(*(F.col(f"e{place}_id").alias(f"e{place}") for place in range(5)))


def repetition_listed(frame: Any) -> Any:
    """The A's of the ten seconds before each A as a list, and every four of them."""
    recent = Window.partitionBy("key").orderBy(F.unix_micros("time")).rangeBetween(-10_000_000, -1)
    found = frame.filter(F.col("type") == "A").select("id", "key", "time")
    found = found.withColumn("recent", F.sort_array(F.collect_list("id").over(recent))).filter(F.size("recent") >= 4)
    for place in range(4):
        found = found.withColumn(f"e{place}", F.explode("recent"))
        found = found.withColumn("recent", F.filter("recent", _above(f"e{place}")))
    return found.select("e0", "e1", "e2", "e3", F.col("id").alias("e4"))


# -- W5: a hundred times A, then B, then another, with thresholds ---------------------------------------------------


def many_joined(rules: list[tuple[str, str, float]]) -> Contender:
    """One join for all rules, and the rules as a table: their names, last types and thresholds."""

    def joined(frame: Any) -> Any:
        a, b = _of_type(frame, "A", "a"), _of_type(frame, "B", "b")
        pairs = a.join(b, (a.a_key == b.b_key) & _between(b.b_time, a.a_time))
        x = _last_of_many(frame, rules)
        return _found_of_many(pairs.join(x, (x.x_key == pairs.a_key) & _is_third(x, pairs)), rules)

    return joined


def many_bucketed(rules: list[tuple[str, str, float]]) -> Contender:
    """The same by key and minute."""

    def bucketed(frame: Any) -> Any:
        pairs, x = _pairs_by_minute(frame), _last_of_many(frame, rules).withColumn("last_minute", _minute("x_time"))
        is_near = (x.x_key == pairs.a_key) & (x.last_minute == pairs.last_minute)
        return _found_of_many(pairs.join(x, is_near & _is_third(x, pairs)), rules)

    return bucketed


def _last_of_many(frame: Any, rules: list[tuple[str, str, float]]) -> Any:
    kinds = sorted({kind for _, kind, _ in rules})
    names = ("id", "type", "time", "key", "value")
    return frame.filter(F.col("type").isin(kinds)).select(*(F.col(name).alias(f"x_{name}") for name in names))


def _is_third(x: Any, pairs: Any) -> Any:
    return _after(x.x_time, pairs.b_time) & _within(x.x_time, pairs.a_time, 60)


def _found_of_many(triples: Any, rules: list[tuple[str, str, float]]) -> Any:
    asked = triples.sparkSession.createDataFrame(rules, "rule string, last string, more double")
    is_asked = (F.col("x_type") == F.col("last")) & (F.col("x_value") > F.col("a_value") + F.col("more"))
    found = triples.join(F.broadcast(asked), is_asked)
    return found.select("rule", F.col("a_id").alias("e0"), F.col("b_id").alias("e1"), F.col("x_id").alias("e2"))


def detection(rules: tuple[Rule, ...], **options: Any) -> Contender:
    """Ours. It tells more than the others: ids of detections, times, the attributes of the events."""
    from tocsin.spark import detect

    def run(frame: Any) -> Any:
        return detect(frame, list(rules), **options)

    return run


# -- parts of these ------------------------------------------------------------------------------------------------


def _of_type(frame: Any, kind: str, name: str) -> Any:
    some = frame.filter(F.col("type") == kind)
    return some.select(*(F.col(each).alias(f"{name}_{each}") for each in ("id", "time", "key", "value")))


def _above(name: str) -> Callable[[Any], Any]:
    return lambda one: one > F.col(name)


def _after(later: Any, earlier: Any) -> Any:
    return later > earlier


def _within(later: Any, earlier: Any, most: int) -> Any:
    return F.unix_micros(later) - F.unix_micros(earlier) <= most * 1_000_000


def _between(later: Any, earlier: Any) -> Any:
    return _after(later, earlier) & _within(later, earlier, 60)


def _minute(name: str) -> Any:
    return F.floor(F.unix_micros(name) / 60_000_000)


def _minutes(name: str) -> Any:
    return F.array(_minute(name), _minute(name) + 1)
