"""From rules and a DataFrame to a plan for Spark: the events, the placements, the shards, what each of them runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from types import MappingProxyType
from typing import Any, Final

from pyspark.sql import Window
from pyspark.sql import functions as F

from tocsin.algebra.rules import Order, Program, Rule
from tocsin.errors import UsageError
from tocsin.planner.lanes import Version, lanes
from tocsin.planner.placement import WHOLE, Placement, placements
from tocsin.runtime.clocks import Group, by_order
from tocsin.runtime.options import Options
from tocsin.session import Session
from tocsin.spark.attributes import attributes_read
from tocsin.spark.batch import detected_in
from tocsin.spark.events import EventColumns, event_columns
from tocsin.spark.extents import extent_rows
from tocsin.spark.idle import with_beats, without_beats
from tocsin.spark.namesakes import without_namesakes
from tocsin.spark.packs import packed
from tocsin.spark.parquet import Files, files_of, packed_files
from tocsin.spark.routes import lane_routes, routed, routes
from tocsin.spark.rows import FIELDS
from tocsin.spark.shard import Conditions
from tocsin.spark.shard_cache import CANDIDATE, LATE, VERSION
from tocsin.spark.streams import (
    clock_of,
    detected_in_stream,
    grace_of,
    marked,
    marked_early,
    recorded_shards,
    tell_of_tasks,
)
from tocsin.spark.upstream import refuse_states_before

SHARDS: Final = 8
"""Of a stream, unless it is said or its state tells: the same wherever and whenever it is begun or goes on."""


def detected_by(
    frame: Any,
    program: Program,
    options: Options,
    *,
    columns: Mapping[str, str | None] = MappingProxyType({}),
    shards: int | None = None,
    seconds: bool = False,
    watermark: str | None = None,
    key: str | None = None,
    state: str | None = None,
    remember: int | None = None,
    unusable: frozenset[str] = frozenset(),
    idle: int | None = None,
    fields: Sequence[str] = FIELDS,
    reads_files: bool = False,
) -> Any:
    """The detections of a checked program on the events of a DataFrame, as a DataFrame with the columns asked for."""
    given = Given(
        options, columns, shards, seconds, watermark, key, remember, unusable, idle, tuple(fields), reads_files
    )
    if frame.isStreaming:
        frame = frame if idle is None else with_beats(frame, columns, idle)
        made = detected_through(frame, [Version(0, None, program)], given, state).drop(VERSION, CANDIDATE)
        return made.select(*fields, LATE) if given.fields != FIELDS else made
    if idle is not None:
        raise UsageError("idle= is for a stream: in a static DataFrame all that comes is there")
    if remember:
        raise UsageError("of a static DataFrame all names are remembered, or none: remember='0 s'")
    session = Session(program, options)
    parts = [_in_batch(frame, group, given) for group in by_order(session.program, options.order)]
    return reduce(lambda one, other: one.unionByName(other), parts)


def _files(frame: Any, rules: tuple[Rule, ...], events: EventColumns, given: Given) -> Files:
    """The files to be read by the workers, if that gives the same."""
    if given.remember != 0:
        raise UsageError("read='workers' takes it that ids are unique, which nobody looks at then: say remember='0 s'")
    if "sequence" in events.fields and "arrival" in events.fields and "arrival" not in (events.unchecked or {}):
        raise UsageError("read='workers' cannot work out arrivals from a sequence, which takes all events in one order")
    return files_of(frame, given.columns, attributes_read(rules, "data" in given.fields), given.unusable)


Feeders = dict[tuple[int, bool], set[str]]
"""For each version, and for its candidate: the rules whose own detections are not asked for."""


@dataclass(frozen=True)
class Given:
    """What a user says about a DataFrame and the way its events are spread."""

    options: Options
    columns: Mapping[str, str | None] = field(default_factory=dict)
    shards: int | None = None
    seconds: bool = False
    watermark: str | None = None
    key: str | None = None
    remember: int | None = None
    """For how long, in microseconds of event time, names are remembered; None: as long as is usual, 0: not at all."""
    unusable: frozenset[str] = frozenset()
    """Attributes that rules could do nothing with: they are left out."""
    idle: int | None = None
    """How far behind the clock the time of a stream is at most, in microseconds, although nothing comes."""
    fields: tuple[str, ...] = FIELDS
    """The columns of detections that are asked for."""
    reads_files: bool = False
    """Whether Python's workers read the files that a DataFrame comes from."""


def _in_batch(frame: Any, group: Group, given: Given) -> Any:
    order, program, options = group.order, group.program, given.options
    events = _event_columns(frame, program.rules, order, given)
    files = _files(frame, program.rules, events, given) if given.reads_files else None
    found = placements(program, given.key)
    _check_key(given.key, found)
    is_cut = order.policy == "guaranteed" and options.granularity is None
    count = given.shards or _parallelism(frame.sparkSession)
    where = routes(found, [_conditions(order, given)] * len(found), count, events.attributes, is_cut)
    extent = extent_rows(events, order, found, where.firsts)
    hidden = {rule.name for rule in program.rules} - group.heard
    if files is None:
        events = events if given.remember == 0 else without_namesakes(events, count)
        pieces = packed(routed(events, where), where)
    else:
        pieces = packed_files(frame.sparkSession, files, where)
    made = detected_in(pieces, where, extent, tuple(dict.fromkeys((*given.fields, "rule"))))
    made = made.filter(~F.col("rule").isin(sorted(hidden))) if hidden else made
    return made if given.fields == FIELDS else made.select(*given.fields)


# -- streams ----------------------------------------------------------------------------------------------------


def detected_through(frame: Any, versions: Sequence[Version], given: Given, state: str | None = None) -> Any:
    """The detections on a stream whose rules have changed at times, with the version that made each."""
    refuse_states_before(frame)
    groups = _by_order(versions, given.options)
    if len(groups) > 1:
        told = " and ".join(sorted(order.policy for order, _, _ in groups))
        raise UsageError(
            f"rules of several orders ({told}) take a query each on a stream: Spark keeps one state in a query;"
            " call `detect` for the rules of each order, and start what it gives by itself"
        )
    ((order, mine, hidden),) = groups
    return _in_stream(frame, order, mine, hidden, given, None if state is None else f"{state}/0")


def checked_lanes(versions: Sequence[Version], options: Options, key: str | None = None) -> None:
    """Refuses a last version that cannot follow the ones before it: its rules are wrong, or cannot be moved."""
    for _, mine, _ in _by_order(versions, options):
        lanes(mine, key)


def _by_order(versions: Sequence[Version], options: Options) -> list[tuple[Order, list[Version], Feeders]]:
    """The versions for each order that rules ask for, and the rules of each that only feed others there."""
    found: dict[Order, list[Version]] = {}
    hidden: dict[Order, Feeders] = {}
    for place, version in enumerate(versions):
        program = Session(version.program, options).program
        candidate = Session(version.candidate, options).program if version.candidate.rules else Program()
        groups = {group.order: group for group in by_order(program, options.order)}
        beside = {group.order: group for group in by_order(candidate, options.order) if candidate.rules}
        if (place and found.keys() != groups.keys()) or not beside.keys() <= groups.keys():
            told = ", ".join(sorted(order.policy for order in groups.keys() ^ found.keys()))
            raise UsageError(f"rules of another order ({told}) cannot come or go: that takes a new checkpoint")
        for order, group in groups.items():
            other = beside.get(order) or Group(order, Program(), frozenset())
            found.setdefault(order, []).append(replace(version, program=group.program, candidate=other.program))
            for one in (group, other):
                feeders = {rule.name for rule in one.program.rules} - one.heard
                hidden.setdefault(order, {})[version.number, one is other] = feeders
    return [(order, found[order], hidden[order]) for order in found]


def _in_stream(
    frame: Any, order: Order, versions: list[Version], hidden: Feeders, given: Given, home: str | None
) -> Any:
    frame, watermark = marked_early(frame, given.columns, order, given.watermark)
    rules = tuple(rule for each in versions for rule in (*each.program.rules, *each.candidate.rules))
    events = _event_columns(frame, rules, order, given).checked()
    found = lanes(versions, given.key)
    _check_key(given.key, [lane[-1].placement for lane in found])
    conditions = replace(_conditions(order, given), grace=grace_of(frame, watermark))
    shards = given.shards or recorded_shards(home) or SHARDS
    where = lane_routes(found, conditions, shards, events.attributes)
    tell_of_tasks(frame.sparkSession, where.count)
    events = marked(events, conditions, watermark)
    if given.idle is not None:
        events = replace(events, frame=without_beats(events.frame, clock_of(events, conditions)))
    made = detected_in_stream(routed(events, where, clock_of(events, conditions)), where, home)
    for (number, is_candidate), names in hidden.items():
        if names:
            is_theirs = (F.col(VERSION) == number) & (F.col(CANDIDATE) == is_candidate)
            made = made.filter(~F.coalesce(is_theirs & F.col("rule").isin(sorted(names)), F.lit(False)))
    return made


# -- both -------------------------------------------------------------------------------------------------------


def _event_columns(frame: Any, rules: tuple[Rule, ...], order: Order, given: Given) -> EventColumns:
    keep = attributes_read(rules, "data" in given.fields or frame.isStreaming)
    events = event_columns(frame, given.columns, keep, given.unusable)
    _check_order(order, events)
    if order.policy != "guaranteed" and "arrival" not in events.fields:
        return _with_arrivals(frame, events)
    return events


def _conditions(order: Order, given: Given) -> Conditions:
    options = given.options
    return Conditions(
        order,
        options.granularity,
        options.ignore_late,
        given.seconds,
        until=options.until,
        remember=given.remember,
    )


def _parallelism(session: Any) -> int:
    """As many parts as there are cores; on a cluster at least some, for its executors may come later.

    What is found in a static DataFrame is the same for any number. A client of Spark Connect is not told of cores.
    """
    context = getattr(session, "sparkContext", None)
    if context is None:
        return SHARDS
    cores = int(context.defaultParallelism)
    return cores if context.master.startswith("local") else max(cores, SHARDS)


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
