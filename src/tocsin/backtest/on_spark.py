"""A history on Spark: the rules run in shards, what they detect is kept once, and counted there. Little comes here."""

from __future__ import annotations

import json
from collections.abc import Mapping, Set
from dataclasses import replace
from typing import Any, Final

from pyspark import StorageLevel
from pyspark.sql import Window
from pyspark.sql import functions as F

from tocsin.backtest.findings import BOTH, NEW, OLD, SIDES, Cell, Census, Outcome
from tocsin.backtest.histories import History
from tocsin.backtest.history_frames import REASON, events_of, read_history
from tocsin.backtest.keyed_detections import KeyedDetection, key_attributes
from tocsin.backtest.spark_progress import Watching
from tocsin.backtest.tallies import Chosen, in_order
from tocsin.events import Event
from tocsin.session import Session
from tocsin.spark.detection import detected_by
from tocsin.spark.events import EventColumns, event_columns
from tocsin.spark.logs import collected, detection_of_row
from tocsin.spark.session import local_session
from tocsin.time.spans import DAY, HOUR

KEPT: Final = StorageLevel.MEMORY_AND_DISK
PARTS: Final = 4
"""Shards for each core: so it is seen how far the rules have got, and each shard holds less at a time."""
_SIDE, _PLACE = "side", "place"


class OnSpark:
    """A history, and the detections of rules on it, in a SparkSession."""

    name = "spark"

    def __init__(self, history: History, by: str | None, watching: Watching) -> None:
        with watching.step("starting Spark"):
            self._spark = local_session()
        watching.spark = self._spark
        self._history, self._by, self._watching = history, by, watching
        self._rows = read_history(self._spark, history)
        self._kept: list[Any] = []
        with watching.step("reading the history"):
            self._counts, self._drops_arrival = self._counted()
        self._frame = events_of(self._rows, history)
        if self._drops_arrival is not None:
            self._frame = self._frame.drop(self._drops_arrival)

    def close(self) -> None:
        """Lets go of what was kept."""
        for frame in self._kept:
            frame.unpersist()

    # -- the history -------------------------------------------------------------------------------------------------

    def _counted(self) -> tuple[Any, str | None]:
        """The events by type and source, and an arrival column that says nothing: it is in no event."""
        good = events_of(self._rows, self._history)
        events = event_columns(good, self._names_in(good))
        time, arrival = F.unix_micros("time"), None
        if "arrival" in events.fields:
            arrival = F.unix_micros("arrival") - time
        source = F.coalesce("source", F.lit("")) if "source" in events.fields else F.lit("")
        counted = events.frame.groupBy("type", source.alias("source")).agg(
            F.count("*").alias("count"),
            F.min(time).alias("first"),
            F.max(time).alias("last"),
            F.count_if(F.lit(False) if arrival is None else arrival > 0).alias("late"),
            F.max(F.lit(None).cast("bigint") if arrival is None else arrival).alias("longest"),
        )
        counted = self._keep(counted)
        name = self._history.names.get("arrival", "arrival")
        has_none = counted.filter(F.col("longest").isNotNull()).isEmpty()
        return counted, name if has_none and name in good.columns else None

    def census(self, top: int) -> Census:
        """What the history holds."""
        with self._watching.step("counting events"):
            whole = self._counts.agg(
                F.coalesce(F.sum("count"), F.lit(0)),
                F.min("first"),
                F.max("last"),
                F.coalesce(F.sum("late"), F.lit(0)),
                F.max("longest"),
                F.count_distinct("source"),
            ).first()
            bad = self._rows.filter(F.col(REASON).isNotNull()).groupBy(REASON).count()
            return Census(
                whole[0],
                whole[1],
                whole[2],
                self._most("type"),
                self._most("source", top),
                whole[5],
                _ranked(bad, REASON, None),
                (),
                whole[3],
                None if whole[4] is None else max(0, whole[4]),
            )

    def _most(self, name: str, top: int | None = None) -> tuple[tuple[str, int], ...]:
        return _ranked(self._counts.groupBy(name).agg(F.sum("count").alias("count")), name, top)

    def events(self, ids: Set[str]) -> list[Event]:
        """The events of these ids."""
        if not ids:
            return []
        columns = event_columns(self._frame, self._names_in(self._frame))
        with self._watching.step("looking examples up"):
            wanted = columns.frame.filter(F.col("id").cast("string").isin(sorted(ids)))
            return _events(wanted, columns)

    def sample(self, most: int) -> list[Event]:
        """The first events of the history."""
        columns = event_columns(self._frame, self._names_in(self._frame))
        with self._watching.step("taking a sample"):
            return _events(columns.frame.orderBy("time", "id").limit(most), columns)

    def _names_in(self, frame: Any) -> dict[str, str]:
        """What renamed fields are called there. A field that no event has may be missing."""
        return {field: name for field, name in self._history.names.items() if name in frame.columns}

    # -- detections --------------------------------------------------------------------------------------------------

    def detected(self, session: Session, what: str) -> Any:
        """All detections of a session's rules, kept for what is asked about them."""
        names = self._names_in(self._frame)
        parts = PARTS * self._spark.sparkContext.defaultParallelism
        found = detected_by(self._frame, session.program, session.options, columns=names, shards=parts)
        if self._by is not None:
            found = _with_keys(found, self._by, key_attributes(session.program))
        found = self._keep(found)
        with self._watching.step(what):
            found.count()
        return found

    def _keep(self, frame: Any) -> Any:
        kept = frame.persist(KEPT)
        self._kept.append(kept)
        return kept

    def outcomes(
        self, found: Any, definitions: Mapping[str, str], keys: Mapping[str, str], top: int
    ) -> tuple[Outcome, ...]:
        """What each rule has detected, without examples."""
        micros = F.unix_micros("time")
        day, hour = F.floor(micros / DAY).cast("int"), F.floor(F.pmod(micros, F.lit(DAY)) / HOUR).cast("int")
        with self._watching.step("counting detections"):
            cells = found.groupBy("rule", day.alias("day"), hour.alias("hour")).count().collect()
            ends = found.groupBy("rule").agg(F.min(micros), F.max(micros), F.count_distinct("key")).collect()
            counted = found.filter(F.col("key").isNotNull()).groupBy("rule", "key").count()
            order = Window.partitionBy("rule").orderBy(F.desc("count"), "key")
            most = counted.withColumn("place", F.row_number().over(order)).filter(F.col("place") <= top).collect()
        made = {rule: Outcome(rule, text, key=keys.get(rule)) for rule, text in definitions.items()}
        for rule, first, last, count in ends:
            made[rule] = replace(made[rule], first=first, last=last, keys=count)
        for rule, outcome in made.items():
            own = sorted(Cell(row["day"], row["hour"], row["count"]) for row in cells if row["rule"] == rule)
            ranked = sorted((row for row in most if row["rule"] == rule), key=lambda row: row["place"])
            named = tuple((row["key"], row["count"]) for row in ranked)
            made[rule] = replace(outcome, cells=tuple(own), top=named)
        return tuple(made.values())

    def examples(self, found: Any, most: int) -> Chosen:
        """A few detections of each rule."""
        with self._watching.step("choosing examples"):
            return _by_rule(_first(found, most, "rule"))

    def compared(self, old: Any, new: Any, most: int) -> tuple[dict[tuple[str, str], int], dict[str, Chosen]]:
        """How many detections of each rule are on each side, and a few of them."""
        alike = Window.partitionBy("rule", "events").orderBy("time", "id")  # as tallying.sides has it
        before, after = (frame.withColumn(_PLACE, F.row_number().over(alike)) for frame in (old, new))
        both = before.withColumn(_SIDE, F.lit(0)).unionByName(after.withColumn(_SIDE, F.lit(1)))
        whole = F.struct(*old.columns)
        joined = both.groupBy("rule", "events", _PLACE).agg(
            F.min(_SIDE).alias("least"), F.max(_SIDE).alias("most"), F.max_by(whole, _SIDE).alias("of")
        )
        side = F.when(F.col("least") != F.col("most"), BOTH).when(F.col("most") == 0, OLD).otherwise(NEW)
        sided = self._keep(joined.select("of.*", side.alias(_SIDE)))
        with self._watching.step("comparing"):
            counts = {(row["rule"], row[_SIDE]): row["count"] for row in sided.groupBy("rule", _SIDE).count().collect()}
            rows = _first(sided, most, "rule", _SIDE)
        return counts, {name: _by_rule([row for row in rows if row[_SIDE] == name]) for name in SIDES}


def _with_keys(found: Any, by: str, keyed: Mapping[str, str]) -> Any:
    """The detections with an attribute of their data as the key, where the rule has none of its own."""
    data = F.from_json("data", "map<string,string>")
    asked = F.map_filter(data, lambda name, value: (name == F.lit(by)) | name.endswith(F.lit(f".{by}")))
    first = F.try_element_at(F.map_values(asked), F.lit(1))
    value = F.when(~first.startswith("[") & ~first.startswith("{"), first)
    return found.withColumn("key", F.when(F.col("rule").isin(sorted(keyed)), F.col("key")).otherwise(value))


def _ranked(counted: Any, name: str, top: int | None) -> tuple[tuple[str, int], ...]:
    """The most frequent first; of equals the first by name."""
    ordered = counted.orderBy(F.desc("count"), name)
    return tuple((row[name], row["count"]) for row in (ordered if top is None else ordered.limit(top)).collect())


def _first(found: Any, most: int, *by: str) -> list[Any]:
    """The rows with the smallest ids, so many of each kind."""
    place = F.row_number().over(Window.partitionBy(*by).orderBy("id"))
    return collected(found.withColumn(_PLACE, place).filter(F.col(_PLACE) <= most))


def _by_rule(rows: list[Any]) -> Chosen:
    made: Chosen = {}
    for row in rows:
        made.setdefault(row["rule"], []).append(KeyedDetection(detection_of_row(row), row["key"]))
    return {rule: in_order(found) for rule, found in made.items()}


def _events(frame: Any, columns: EventColumns) -> list[Event]:
    """Rows as events, in order of time."""
    names = columns.attributes
    data = F.lit("{}")
    if names is None:
        data = F.col("data")
    elif names:
        data = F.to_json(F.struct(*(F.col(columns.column_of(name)).alias(str(n)) for n, name in enumerate(names))))
    own = [F.col(name) for name in ("source",) if name in columns.fields]
    own += [F.unix_micros("start").alias("start")] if "start" in columns.fields else []
    chosen = frame.select(
        "type", F.unix_micros("time").alias("time"), F.col("id").cast("string"), data.alias("data"), *own
    )
    made = [_event(row.asDict(), names) for row in chosen.collect()]
    return sorted(made, key=lambda event: (event.end, event.id))


def _event(row: Mapping[str, Any], names: tuple[str, ...] | None) -> Event:
    data = json.loads(row["data"] or "{}")
    if not isinstance(data, dict):
        data = {}
    if names is not None:
        data = {names[int(place)]: value for place, value in data.items()}
    time, start = row["time"], row.get("start")
    return Event(row["type"], time, time if start is None else start, row["id"], row.get("source") or "", data, time)
