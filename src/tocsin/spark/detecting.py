"""From rules and a DataFrame to a plan for Spark: the events, the placements, the shards, what each of them runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from pyspark.sql import Window
from pyspark.sql import functions as F

from tocsin.algebra.rules import Order, Program
from tocsin.errors import UsageError
from tocsin.planner.placement import WHOLE, Placement, placements
from tocsin.session import Group, Options, Session, by_order
from tocsin.spark.batch import detected
from tocsin.spark.events import EventColumns, event_columns
from tocsin.spark.reading import attributes_read
from tocsin.spark.routing import routed, routes
from tocsin.spark.shard import Conditions
from tocsin.spark.streaming import clock_of, detected_in_stream, marked, marked_early

SHARDS: Final = 8
"""Where it is not known how many cores there are."""


def detected_by(
    frame: Any,
    program: Program,
    options: Options,
    *,
    columns: Mapping[str, str] = MappingProxyType({}),
    shards: int | None = None,
    seconds: bool = False,
    watermark: str | None = None,
    key: str | None = None,
    state: str | None = None,
) -> Any:
    """The detections of a checked program on the events of a DataFrame, as a DataFrame."""
    session = Session(program, options)
    groups = by_order(session.program, options.order)
    parts = []
    for number, group in enumerate(groups):
        home = None if state is None else f"{state}/{number}"
        parts.append(_detected(frame, group, options, columns, shards, seconds, watermark, key, home))
    made = parts[0]
    for part in parts[1:]:
        made = made.unionByName(part)
    return made


def _detected(
    frame: Any,
    group: Group,
    options: Options,
    columns: Mapping[str, str],
    shards: int | None,
    seconds: bool,
    watermark: str | None,
    key: str | None,
    home: str | None,
) -> Any:
    order, program = group.order, group.program
    if frame.isStreaming:
        if watermark is None:
            raise UsageError("a stream needs a watermark: how long to wait for what comes late, watermark='10 seconds'")
        frame = marked_early(frame, columns, order, watermark)
    events = event_columns(frame, columns, attributes_read(program.rules))
    _check_order(order, events)
    if order.policy != "guaranteed" and "arrival" not in events.fields:
        events = _with_arrivals(frame, events)
    found = placements(program, key)
    _check_key(key, found)
    is_cut = not frame.isStreaming and order.policy == "guaranteed" and options.granularity is None
    extent = None if frame.isStreaming else _extent(events, found, order, is_cut)
    first, last = extent or (None, None)
    conditions = Conditions(order, options.granularity, options.ignore_late, seconds, first, last, options.until)
    count = shards or _parallelism(frame.sparkSession)
    where = routes(found, [conditions] * len(found), count, events.attributes, extent if is_cut else None)
    if frame.isStreaming:
        assert watermark is not None
        events = marked(events, conditions, watermark)
        made = detected_in_stream(routed(events, where, clock_of(events, conditions)), where, home)
    else:
        made = detected(routed(events, where), where)
    hidden = {rule.name for rule in program.rules} - group.heard
    return made.filter(~F.col("rule").isin(sorted(hidden))) if hidden else made


def _parallelism(session: Any) -> int:
    """As many parts as there are cores. A client of Spark Connect is not told how many those are."""
    context = getattr(session, "sparkContext", None)
    return SHARDS if context is None else int(context.defaultParallelism)


def _check_order(order: Order, events: EventColumns) -> None:
    if order.policy == "guaranteed":
        return
    if order.policy not in ("best-effort", "delay"):
        raise UsageError(f"the order '{order.policy}' does not run on Spark: guaranteed, best-effort or delay:SPAN")
    if "arrival" not in events.fields and "sequence" not in events.fields:
        raise UsageError(
            f"the order '{order.policy}' goes by when events arrived, and a DataFrame has no order of its own:"
            " say which column tells it, columns={'arrival': ...} or columns={'sequence': ...}, or use 'guaranteed'"
        )


def _check_key(key: str | None, found: list[Placement]) -> None:
    """A key of the user's own must be one for every rule: else events that belong together would be apart."""
    for placement in found:
        if key is not None and placement.kind == WHOLE:
            name, reason = placement.reasons[0]
            raise UsageError(f"rule '{name}' cannot be spread by '{key}': {reason}")


def _with_arrivals(frame: Any, events: EventColumns) -> EventColumns:
    """The events with the arrivals that follow from their sequence: the clock stands at the latest time so far.

    It stands there for all of them, so all have to be put in one order, which no cluster does in parts.
    """
    if frame.isStreaming:
        raise UsageError("on a stream, a sequence alone does not tell when events arrive: name an 'arrival' column")
    so_far = Window.orderBy("sequence").rowsBetween(Window.unboundedPreceding, Window.currentRow)
    return replace(
        events,
        frame=events.frame.withColumn("arrival", F.max("time").over(so_far)),
        fields=events.fields | {"arrival"},
    )


def _extent(events: EventColumns, found: list[Placement], order: Order, is_cut: bool) -> tuple[int, int] | None:
    """When a history begins and ends, if a rule has to know it: one more pass over the events."""
    if not any(placement.has_clock or (is_cut and placement.overlap is not None) for placement in found):
        return None
    name = "time" if order.policy == "guaranteed" or "arrival" not in events.fields else "arrival"
    column = F.unix_micros(F.col(name))
    first, last = events.frame.agg(F.min(column), F.max(column)).first()
    return None if first is None else (first, last)
