"""Detection beside the SQL that one would write instead, on the same Parquet files; and what makes detection dearer.

SQL is given in the forms whose cost grows with the events and matches alone, however many events a key has, and in
simpler ones where those are cheaper on the data here; the cheapest counts. It tells the ids of the events; detection
tells all columns of its rows, or `fields`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Sequence as Sequenced
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from pyspark.sql import functions as F

from tocsin.algebra.guards import Attribute, Binary
from tocsin.algebra.patterns import Named, Primitive, Sequence, Where
from tocsin.algebra.rules import Rule
from tocsin.bench.records import Record, Target
from tocsin.bench.spark import contenders
from tocsin.bench.spark.contenders import HALF_SECOND, Contender, detection
from tocsin.bench.spark.data import HOT, written
from tocsin.bench.spark.figures import Answer, Measuring, record_of
from tocsin.bench.workloads import LETTERS, WORKLOADS
from tocsin.time.spans import Period

FIELDS = ("rule", "time", "events")
FULL, FEW, CLIFF, SMALL = (
    Target(value, goal, at_most=True) for value, goal in ((1, 0.8), (0.7, 0.6), (1.3, None), (1.5, None))
)
SIZES = {"3M": 3_000_000, "20M": 20_000_000}
MANY = [(f"w5_{i}", LETTERS[2 + i % 8], 5.0 * (i // 8)) for i in range(100)]
LINEAR: dict[str, list[Contender]] = {
    "W1": [contenders.sequence_joined, contenders.sequence_bucketed],
    "W3": [contenders.absence_joined, contenders.absence_running],
    "W4": [contenders.repetition_listed],
    "W5": [contenders.many_joined(MANY), contenders.many_bucketed(MANY)],
}


def _hot_rule() -> Rule:
    """A, then B of its key within half a second."""
    parts = (Named("a", Primitive("A")), Named("b", Primitive("B")))
    same = Binary("==", Attribute("a", "key"), Attribute("b", "key"))
    return Rule("hot", Where(Sequence(parts), same), "python", window=Period.of(microseconds=HALF_SECOND))


def _beside(
    m: Measuring,
    name: str,
    path: str,
    events: int,
    rules: tuple[Rule, ...],
    others: list[Contender],
    targets: list[Target],
) -> list[Record]:
    """Detection with all columns, and with few, beside SQL."""
    ours = {"full": detection(rules), "fields": detection(rules, fields=FIELDS)}
    ours["unique"] = detection(rules, fields=FIELDS, remember="0 s")
    ours["workers"] = detection(rules, fields=FIELDS, remember="0 s", read="workers")
    works = list(ours.values()) + others
    spent, answers = _measured(m, [partial(m.batch, path, each) for each in works])
    full, few, unique, workers, *theirs = spent
    details = {f"{each.__name__} us/event": one / events * 1e6 for each, one in zip(others, theirs, strict=True)}
    agrees, best = len(set(answers)) == 1, min(theirs)
    made = partial(record_of, events=events, found=answers[0], agrees=agrees)
    records = [made(name, ours=full, ratio=full / best, unit="x the best SQL", target=targets[0], details=details)]
    if len(targets) > 1:
        more = {"and ids known to be unique": unique / best, "and read by workers": workers / best}
        unit, target = "x it, with 3 fields", targets[1]
        records.append(made(f"{name}-f", ours=few, ratio=few / best, unit=unit, target=target, details=more))
    return records


def _measured(
    m: Measuring, works: Sequenced[Callable[[], Answer]], warm_up: int = 1
) -> tuple[list[float], list[Answer]]:
    """The least CPU time of each, and what each found."""
    answers: dict[int, Answer] = {}

    def noting(place: int, work: Callable[[], Answer]) -> None:
        answers[place] = work()

    spent = m.least([partial(noting, place, work) for place, work in enumerate(works)], warm_up)
    return spent, [answers[place] for place in range(len(works))]


def _workload(m: Measuring, name: str, size: str) -> list[Record]:
    events = m.count(SIZES[size])
    path = written(m.home, WORKLOADS[name].shape, events, files=8)
    return _beside(m, f"{name}-{size}", path, events, WORKLOADS[name].rules, LINEAR[name], [FULL, FEW])


def hot(m: Measuring) -> list[Record]:
    """One key has half of all events; 3.7 million matches of three million events."""
    events = m.count(3_000_000)
    others: list[Contender] = [contenders.pair_bucketed, contenders.pair_listed]
    return _beside(m, "hot", written(m.home, HOT, events, files=8), events, (_hot_rule(),), others, [FULL, FEW])


def small(m: Measuring) -> list[Record]:
    """What a job costs before the first event, nearly: ten thousand of them."""
    path = written(m.home, "wide", 10_000, files=1)
    return _beside(m, "small", path, 10_000, WORKLOADS["W3"].rules, LINEAR["W3"], [SMALL])


# -- cliffs --------------------------------------------------------------------------------------------------------


def cliffs(m: Measuring) -> list[Record]:
    """W3 on a million events in other shapes, and with more to tell, beside the plain one with as many columns."""
    events = m.count(1_000_000)
    path = written(m.home, "wide", events, files=2)
    (rule,) = WORKLOADS["W3"].rules
    plain = detection((rule,))
    shown = (("k", Attribute("a", "key")), ("v", Attribute("a", "value")))
    shapes: Mapping[str, tuple[str, Contender]] = {
        "plain": (path, plain),
        "json": (_shaped(m, path, "json", _as_json), plain),
        "map": (_shaped(m, path, "map", _as_map), plain),
        "repeat": (_shaped(m, path, "repeat", _with_a_repeat), plain),
        "columns": (_shaped(m, path, "columns", _with_columns), detection((rule,), fields=FIELDS)),
        "no-id": (path, lambda frame: plain(frame.drop("id"))),
        "select": (path, detection((replace(rule, select=shown),))),
        "notify": (path, detection((replace(rule, notify="{a.key} waits with {a.value}"),))),
    }
    works = [partial(_found, m, *each) for each in shapes.values()]
    spent, answers = _measured(m, works)
    made = []
    for name, one, found in zip(shapes, spent, answers, strict=True):
        agrees = found[0] == answers[0][0]  # without ids, or of other files, events are called otherwise
        ratio, target = one / spent[0], None if name == "plain" else CLIFF
        made.append(record_of(name, events, found, one, ratio, "x plain", target, agrees))
    return made


def _found(m: Measuring, path: str, contender: Contender) -> Answer:
    """How many there are: without ids, events are called by texts, of which there is no sum."""
    row = contender(m.spark.read.parquet(path)).agg(F.count(F.lit(1)), F.sum(F.size("events"))).first()
    return int(row[0]), 0


def _shaped(m: Measuring, path: str, name: str, shape: Contender) -> str:
    """The same events in another shape; it is made once."""
    made = Path(f"{path}-{name}")
    if not made.exists():
        shape(m.spark.read.parquet(path)).write.parquet(str(made))
    return str(made)


def _as_json(frame: Any) -> Any:
    return frame.select("id", "type", "time", F.to_json(F.struct("key", "value")).alias("data"))


def _as_map(frame: Any) -> Any:
    entries = F.create_map(F.lit("key"), F.col("key").cast("double"), F.lit("value"), F.col("value"))
    return frame.select("id", "type", "time", entries.alias("data"))


def _with_a_repeat(frame: Any) -> Any:
    """Once more an event that no rule wants."""
    return frame.unionByName(frame.filter(~F.col("type").isin("A", "B")).limit(1))


def _with_columns(frame: Any) -> Any:
    """36 of them, of which rules read few."""
    return frame.select("*", *((F.col("value") + number).alias(f"more{number}") for number in range(31)))


SQL_FIGURES: dict[str, Callable[[Measuring], list[Record]]] = {
    **{f"{name}-{size}": partial(_workload, name=name, size=size) for size in SIZES for name in LINEAR},
    "hot": hot,
    "small": small,
    "cliffs": cliffs,
}
