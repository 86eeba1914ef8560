"""The figures of `tocsin bench spark`: what is measured against what, each in one session of Spark.

Every contender reads the same Parquet files, takes its turn with the others, and its least CPU time of several tries
counts: that of the JVM, of Python's workers and of this process together. The first runs of all are not counted, for
the JVM is still compiling then.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

from tocsin.algebra.guards import Attribute, Binary, Literal
from tocsin.algebra.patterns import Named, Primitive, Sequence, Where
from tocsin.algebra.rules import Rule
from tocsin.bench.columns import is_compiled
from tocsin.bench.records import Record, Target
from tocsin.bench.spark import contenders, cpu
from tocsin.bench.spark.contenders import Contender, detection
from tocsin.bench.spark.data import EPOCH, SCHEMA, write, written
from tocsin.bench.workloads import LETTERS, WEIGHTS, WORKLOADS, Table, numpy_module, table
from tocsin.spark.session import local_session
from tocsin.time.spans import SECOND, Period

WARM_UP = 2
"""Runs of each contender before those that count."""
YEAR = 365 * 24 * 3600 * SECOND
Answer = tuple[int, int]
"""How many matches there are, and their checksum."""


class Measuring:
    """A session of Spark with its files."""

    def __init__(self, home: Path, scale: float = 1.0, tries: int = 3, cores: int = 2) -> None:
        self.home, self.scale, self.tries, self.cores = home, scale, tries, cores

    @cached_property
    def spark(self) -> Any:
        settings = {
            "spark.master": f"local[{self.cores}]",
            "spark.sql.shuffle.partitions": str(self.cores),
            "spark.driver.memory": "2g",
            "spark.sql.streaming.numRecentProgressUpdates": "1000",
        }
        return local_session(**settings)

    def count(self, events: int) -> int:
        """So many events, or as many as the scale asks for."""
        return max(10_000, round(events * self.scale))

    def least(self, works: list[Callable[[], object]], warm_up: int = WARM_UP) -> list[float]:
        """The least CPU time of each of some works, which take turns."""
        best = [float("inf")] * len(works)
        for turn in range(warm_up + self.tries):
            for number, work in enumerate(works):
                before = cpu.seconds(self.spark)
                work()
                if turn >= warm_up:
                    best[number] = min(best[number], cpu.seconds(self.spark) - before)
        return best

    # -- batch -----------------------------------------------------------------------------------------------------

    def batch(self, path: str, contender: Contender) -> Answer:
        """All of some files at once, and a checksum of what is found."""
        frame = self.spark.read.schema(SCHEMA).parquet(path)
        return answer(contender(frame))

    # -- streams ---------------------------------------------------------------------------------------------------

    def stream(self, path: str, contender: Contender, files: int) -> None:
        """All of some files, so many in a micro-batch, from an empty checkpoint to nowhere."""
        with tempfile.TemporaryDirectory(dir=self.home) as checkpoint:
            frame = self.spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", files).parquet(path)
            query = (
                contender(frame)
                .writeStream.format("noop")
                .option("checkpointLocation", checkpoint)
                .trigger(availableNow=True)
                .start()
            )
            query.awaitTermination()

    def streamed(self, path: str, contender: Contender, files: int) -> Answer:
        """The same, and what it finds."""
        found: list[Answer] = []

        def note(batch: Any, number: int) -> None:
            found.append(answer(batch))

        with tempfile.TemporaryDirectory(dir=self.home) as checkpoint:
            frame = self.spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", files).parquet(path)
            query = (
                contender(frame)
                .writeStream.foreachBatch(note)
                .option("checkpointLocation", checkpoint)
                .trigger(availableNow=True)
                .start()
            )
            query.awaitTermination()
        return sum(count for count, _ in found), sum(total for _, total in found)


@contextmanager
def measuring(scale: float, tries: int) -> Iterator[Measuring]:
    """A session, and a directory that is gone afterwards."""
    home = Path(tempfile.mkdtemp(prefix="tocsin-bench-"))
    try:
        yield Measuring(home, scale, tries)
    finally:
        shutil.rmtree(home, ignore_errors=True)


def answer(found: Any) -> Answer:
    """How many matches, and the sum of their events' numbers, each times the weight of its place."""
    from pyspark.sql import functions as F

    if "events" in found.columns:
        numbers = [F.get("events", F.lit(place)).cast("long") * weight for place, weight in enumerate(WEIGHTS)]
    else:
        names = [f"e{place}" for place in range(len(WEIGHTS)) if f"e{place}" in found.columns]
        numbers = [F.col(name) * weight for name, weight in zip(names, WEIGHTS, strict=False)]
    total = F.sum(sum((F.coalesce(number, F.lit(0)) for number in numbers), F.lit(0)).cast("decimal(38,0)"))
    row = found.agg(F.count(F.lit(1)), total).first()
    return int(row[0]), int(row[1] or 0)


def _record(
    name: str, events: int, found: Answer, ours: float, ratio: float, unit: str, target: Target | None, **more: Any
) -> Record:
    agrees = more.pop("agrees", True)
    return record_of(name, events, found, ours, ratio, unit, target, agrees, more)


def record_of(
    name: str,
    events: int,
    found: Answer,
    ours: float,
    ratio: float,
    unit: str,
    target: Target | None,
    agrees: bool,
    details: dict[str, float] | None = None,
) -> Record:
    """A figure of this run."""
    return Record(name, events, *found, ours, ratio, unit, target, agrees, is_compiled(), details or {})


# -- (a), (b): beside a stateful no-op -----------------------------------------------------------------------------


def _streaming(m: Measuring, name: str, rules: tuple[Rule, ...], target: Target) -> Record:
    events, files = m.count(8_000_000), 8
    path = written(m.home, "wide", events, files=files)
    ours = detection(rules, watermark="0 seconds")
    least, other = m.least([lambda: m.stream(path, ours, 2), lambda: m.stream(path, contenders.no_op, 2)])
    # A stream that does not end holds its last events back; so it gets one more, which lets them go.
    found, wanted = m.streamed(ended(path), ours, 2), m.batch(path, detection(rules))
    details = {"us/event": least / events * 1e6, "no-op us/event": other / events * 1e6, "agrees": found == wanted}
    return _record(name, events, found, least, least / other, "x a stateful no-op", target, **details)


def ended(path: str) -> str:
    """The same files, and one more with an event that nobody wants, years after all others."""
    home = Path(f"{path}-ended")
    if not home.exists():
        home.mkdir()
        for each in sorted(Path(path).glob("*.parquet")):
            os.link(each, home / each.name)
        np = numpy_module()
        last = Table(np.array([10 * YEAR]), np.array([len(LETTERS) - 1]), np.array([0]), np.array([0.0]))
        write(home / "ended.parquet", last, 0, EPOCH, 1_000_000)
    return str(home)


def stream_w1(m: Measuring) -> Record:
    """(a) W1 as a stream, beside the cheapest that keeps a state for the same rows."""
    return _streaming(m, "stream", WORKLOADS["W1"].rules, Target(1.35, at_most=True))


def stream_tenth(m: Measuring) -> Record:
    """(b) A rule about one type in ten, beside the no-op on all rows."""
    return _streaming(m, "tenth", (_again("A"),), Target(0.7, at_most=True))


def _again(kind: str) -> Rule:
    """Two of a kind and key within a minute, the second much greater."""
    parts = (Named("a", Primitive(kind)), Named("b", Primitive(kind)))
    same = Binary("==", Attribute("a", "key"), Attribute("b", "key"))
    more = Binary(">", Attribute("b", "value"), Binary("+", Attribute("a", "value"), Literal(90.0)))
    guarded = Where(Sequence(parts), Binary("&&", same, more))
    return Rule("again", guarded, "python", window=Period.of(microseconds=60 * SECOND))


# -- (d): flat in events and keys ----------------------------------------------------------------------------------


def _costs(m: Measuring, rules: tuple[Rule, ...], sizes: list[tuple[int, int | None]]) -> tuple[list[float], Answer]:
    """CPU seconds an event for each number of events and keys."""
    paths = [written(m.home, "wide", count, files=max(2, count // 1_000_000), keys=keys) for count, keys in sizes]
    found: list[Answer] = []
    works = [lambda path=path: found.append(m.batch(path, detection(rules))) for path in paths]
    least = m.least(list[Callable[[], object]](works), 1)
    return [spent / count for spent, (count, _) in zip(least, sizes, strict=True)], found[-1]


def flat_events(m: Measuring) -> Record:
    """(d) The cost of an event in fifty million, in times of that in one million."""
    sizes: list[tuple[int, int | None]] = [(m.count(events), None) for events in (1_000_000, 10_000_000, 50_000_000)]
    costs, found = _costs(m, WORKLOADS["W1"].rules, sizes)
    details = {f"us/event {count:,}": cost * 1e6 for cost, (count, _) in zip(costs, sizes, strict=True)}
    spent = costs[-1] * sizes[-1][0]
    ratio = costs[-1] / costs[0]
    return _record(
        "events", sizes[-1][0], found, spent, ratio, "x that of 1M events", Target(1.2, at_most=True), **details
    )


def flat_keys(m: Measuring) -> Record:
    """(d) The cost of an event with the most and the fewest keys, of a rule that finds little with any of them."""
    events = m.count(4_000_000)
    sizes: list[tuple[int, int | None]] = [(events, keys) for keys in (10, 1_000, 100_000, 1_000_000)]
    costs, found = _costs(m, (_much_greater(),), sizes)
    details = {f"us/event {keys:,} keys": cost * 1e6 for cost, (_, keys) in zip(costs, sizes, strict=True)}
    ratio = max(costs) / min(costs)
    return _record(
        "keys",
        events,
        found,
        costs[-1] * events,
        ratio,
        "x between 10 and 1M keys",
        Target(1.5, at_most=True),
        **details,
    )


def _much_greater() -> Rule:
    """A, then B of its key within a second, whose value is greater by almost all there is."""
    parts = (Named("a", Primitive("A")), Named("b", Primitive("B")))
    same = Binary("==", Attribute("a", "key"), Attribute("b", "key"))
    more = Binary(">", Attribute("b", "value"), Binary("+", Attribute("a", "value"), Literal(99.9)))
    return Rule(
        "much", Where(Sequence(parts), Binary("&&", same, more)), "python", window=Period.of(microseconds=SECOND)
    )


# -- (e): many rules -----------------------------------------------------------------------------------------------


def many(m: Measuring) -> Record:
    """(e) The hundred rules of W5, beside the first of them."""
    events = m.count(WORKLOADS["W5"].events)
    path = written(m.home, "wide", events, files=2)
    rules, found = WORKLOADS["W5"].rules, list[Answer]()
    all_of_them, one = m.least(
        [lambda: found.append(m.batch(path, detection(rules))), lambda: m.batch(path, detection(rules[:1]))]
    )
    ratio = all_of_them / one
    return _record("many", events, found[-1], all_of_them, ratio, "x one rule", Target(2.0, at_most=True), one=one)


# -- (f): cores ----------------------------------------------------------------------------------------------------


def cores(m: Measuring) -> Record:
    """(f) All CPU time with two cores, in times of that with one; each in a process of its own."""
    events = m.count(4_000_000)
    path = written(m.home, "wide", events, files=8)
    spent, found = {}, (0, 0)
    for number in (1, 2):
        command = [sys.executable, "-m", "tocsin.bench.spark.alone", path, str(number), str(m.tries)]
        told = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()[-1]
        record = json.loads(told)
        spent[number], found = record["seconds"], tuple(record["answer"])
    ratio, target = spent[2] / spent[1], Target(1.15, at_most=True)
    return _record("cores", events, found, spent[2], ratio, "x one core's CPU", target, one=spent[1])


# -- (g): much to remember -----------------------------------------------------------------------------------------


def remembered(m: Measuring) -> Record:
    """(g) A micro-batch over a million keys that wait for more, in times of the same over ten thousand."""
    _micro_batch(m, m.count(10_000), batches=6)  # not counted: the JVM is still compiling
    costs, memory = {}, 0.0
    for keys in (10_000, 1_000_000):
        costs[keys], memory = _micro_batch(m, m.count(keys))
    few, much = costs.values()
    details = {"s/batch": much, "s/batch with 10,000": few, "MB in all": memory}
    return _record(
        "state", 100_000, (0, 0), much, much / few, "x with 10,000 keys", Target(2.0, at_most=True), **details
    )


def _micro_batch(m: Measuring, keys: int, batches: int = 12) -> tuple[float, float]:
    """CPU seconds of a micro-batch of 100,000 events over keys of which each has an A; and the most memory."""
    np = numpy_module()
    rule = Rule("slow", WORKLOADS["W1"].rules[0].pattern, "python", window=Period.of(microseconds=3600 * SECOND))
    with tempfile.TemporaryDirectory(dir=m.home) as home:
        source = Path(home) / "events"
        source.mkdir()
        frame = m.spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 1).parquet(str(source))
        found = detection((rule,), watermark="0 seconds", state=f"{home}/state")(frame)
        writer = found.writeStream.format("noop").option("checkpointLocation", f"{home}/checkpoint")
        query = writer.trigger(processingTime="0 seconds").start()
        try:
            start, time = 0, EPOCH
            for first in range(0, keys, 250_000):
                size = min(250_000, keys - first)
                some = Table(np.arange(1, size + 1), np.zeros(size, int), np.arange(first, first + size), np.ones(size))
                write(source / f"{start:09}.parquet", some, start, time, start)
                start, time = start + size, time + size
                query.processAllAvailable()
            before = 0.0
            for number in range(batches + 2):
                some = table("wide", 100_000, number, keys)
                some.letters[some.letters == 2] = 3  # no C: every key goes on waiting for one
                write(source / f"{start:09}.parquet", some, start, time, start)
                start, time = start + len(some), time + int(some.times[-1])
                query.processAllAvailable()
                if number == 1:
                    before = cpu.seconds(m.spark)
            return (cpu.seconds(m.spark) - before) / batches, cpu.resident(m.spark)
        finally:
            query.stop()


FIGURES: dict[str, Callable[[Measuring], Record]] = {
    "stream": stream_w1,
    "tenth": stream_tenth,
    "events": flat_events,
    "keys": flat_keys,
    "many": many,
    "cores": cores,
    "state": remembered,
}
