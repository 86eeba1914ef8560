"""Many logs, each with its own rules, in one Spark job: a job costs more than all of them.

Every placement of every log has shards of its own. Which shard an event goes to is worked out here, in Python, so that
what the JVM does about it (`routes.py`) is not needed. The ids of a log's events are marked with its number, and the
names of its rules where detections may have no event; what cannot be told from others so runs in a job of its own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final
from zlib import crc32

from pyspark.errors import PySparkException
from pyspark.sql import functions as F

from tocsin.algebra.attributes import found_in
from tocsin.algebra.links import mentioned
from tocsin.algebra.notes import Notes
from tocsin.algebra.patterns import (
    Absence,
    Accumulate,
    AnyEvent,
    At,
    AtInstant,
    Automaton,
    Either,
    Every,
    Never,
    Pattern,
    Primitive,
    children,
)
from tocsin.algebra.rules import Command, Define, Enable, Program, Raise, Statement
from tocsin.errors import TocsinError
from tocsin.events import Arrival, Detection, Event
from tocsin.plan.searches import SOURCE
from tocsin.planner.lanes import Lane
from tocsin.planner.placement import ANYWHERE, KEYED, Placement
from tocsin.runtime.clocks import by_clock
from tocsin.session import Session
from tocsin.spark.batch import detected
from tocsin.spark.logs import (
    COLUMNS,
    SHARDS,
    collected,
    detection_of_row,
    detections_of_log,
    log_routes,
    log_rows,
    streamed,
)
from tocsin.spark.routes import Routes
from tocsin.spark.session import local_session, reason_of
from tocsin.spark.shard import Conditions

WITH_SHARD: Final = COLUMNS + ", shard int"
PIECES: Final = 3
_MARK: Final = re.compile("\x1e(\\d+)\x1f")
"""What the ids of a log begin with: signs that no text is written with."""


@dataclass(frozen=True)
class Log:
    """A session and what it is given; `seconds`: how times inside the data are written."""

    session: Session
    arrivals: list[Arrival]
    seconds: bool
    with_ids: bool = False
    """Whether the ids of its detections are wanted: they follow from those of the events."""
    notes: Notes = field(default_factory=Notes)

    @property
    def can_be_told(self) -> bool:
        """Whether its detections can be known by their events or their rules: scripts raise some by themselves.
        Rules on several clocks find some things twice, which only a job of their own tells apart."""
        program = self.session.program
        return (
            not self.with_ids
            and not any(isinstance(statement, Raise) for statement in program.statements)
            and (not self.needs_names or _can_be_renamed(program))
            and len(by_clock(program, self.session.options.order)) == 1
        )

    @property
    def needs_names(self) -> bool:
        """Whether some of its detections have no event that they could be known by."""
        return any(_needs_no_event(rule.pattern) for rule in self.session.program.rules)


def _can_be_renamed(program: Program) -> bool:
    """Whether nothing goes by the names of its rules, but that they are enabled."""
    names = {rule.name for rule in program.rules}
    return all(map(partial(_is_renamable, names), program.statements))


def _is_renamable(names: set[str], statement: Statement) -> bool:
    match statement:
        case Define(rule=rule):
            return not rule.actions and not names & mentioned(rule)
        case Command(action=Enable(rule=name)):
            return name in names
    return False


def _renamed(program: Program, number: int) -> Program:
    """The program with rules that are called after its log."""
    return replace(program, statements=tuple(map(partial(_statement, number), program.statements)))


def _statement(number: int, statement: Statement) -> Statement:
    match statement:
        case Define(rule=rule):
            return replace(statement, rule=replace(rule, name=_mark(number) + rule.name))
        case Command(action=Enable(rule=str(name)) as enable):
            return replace(statement, action=replace(enable, rule=_mark(number) + name))
    return statement


def _mark(number: int) -> str:
    return f"\x1e{number}\x1f"


def _needs_no_event(pattern: Pattern) -> bool:
    """Whether a pattern can occur without any event: of clocks alone, or of what did not happen."""
    match pattern:
        case At() | AtInstant() | Every() | Never():
            return True
        case Primitive() | AnyEvent() | Automaton():
            return False
        case Either(parts=parts):
            return any(map(_needs_no_event, parts))
        case Absence(first=first, last=last):
            return _needs_no_event(first) and _needs_no_event(last)
        case Accumulate(last=last):
            return _needs_no_event(last)
    return all(map(_needs_no_event, children(pattern)))


def detections_of_logs(logs: Sequence[Log], *, streaming: bool) -> list[tuple[list[Detection], Notes]]:
    """The detections of every log, in order of detection, and what there is to say besides."""
    together = [log for log in logs if log.can_be_told]
    found = dict(zip(map(id, together), _in_one_job(together, streaming), strict=True)) if together else {}
    made = []
    for log in logs:
        one = found.get(id(log))
        if one is None:
            alone = detections_of_log(
                log.session, log.arrivals, streaming=streaming, seconds=log.seconds, notes=log.notes
            )
            one = list(alone)
        made.append((one, log.notes))
    return made


def _in_one_job(logs: Sequence[Log], streaming: bool) -> list[list[Detection]]:
    rows, routes = _together(logs)
    spark = local_session()
    try:
        if streaming:
            found = streamed(spark, rows, _with_shard, routes, pieces=PIECES, columns=WITH_SHARD)
        else:
            found = collected(detected(spark.createDataFrame(rows, WITH_SHARD), routes))
    except PySparkException as error:
        raise TocsinError(f"Spark could not run the rules: {reason_of(error)}") from error
    return _apart([detection_of_row(row) for row in found], logs)


def _with_shard(events: Any) -> Any:
    """All rows but the last, which only ends the stream; see `routed` for why it is said like this."""
    has_shard = F.when(F.col("time").isNotNull(), F.col("shard").isNotNull()).otherwise(F.lit(False))
    return events.frame.filter(has_shard)


def _together(logs: Sequence[Log]) -> tuple[list[tuple[Any, ...]], Routes]:
    """The rows of all logs, each with its shard, and what runs in the shards."""
    rows: list[tuple[Any, ...]] = []
    placements: list[Placement] = []
    conditions: list[Conditions] = []
    lanes: list[Lane] = []
    firsts, count = [], 0
    for number, log in enumerate(logs):
        arrivals = [_marked(arrival, number) for arrival in log.arrivals]
        program = log.session.program
        if log.needs_names:
            program = _renamed(program, number)
        for group in by_clock(program, log.session.options.order):
            found = log_routes(log.session, group, log.seconds)
            for row in log_rows(group, arrivals, log.session.options.ignore_late, log.notes):
                for placement, first in zip(found.placements, found.firsts, strict=True):
                    shard = _shard(placement, row)
                    if shard is not None:
                        rows.append((*row, count + first + shard))
            placements += found.placements
            conditions += found.conditions
            lanes += found.lanes
            firsts += [count + first for first in found.firsts]
            count += found.count
    uncut = (None,) * len(placements)
    routes = Routes(tuple(placements), tuple(conditions), tuple(firsts), count, (), uncut, lanes=tuple(lanes))
    return rows, routes


def _shard(placement: Placement, row: tuple[Any, ...]) -> int | None:
    """Which of a placement's shards a row goes to; None if to none."""
    kind, name, source, data = row[4:8]
    if placement.types is not None and kind not in placement.types and not placement.wants_all:
        return None
    if placement.kind == ANYWHERE:
        return crc32(str(name).encode()) % SHARDS
    if placement.kind != KEYED:
        return 0
    attribute = dict(placement.key)[kind]
    value: Any = source if attribute == SOURCE else found_in(json.loads(data), attribute)
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if isinstance(value, list | dict):
        return 0  # they may be equal although they are written differently
    return crc32(repr(float(value) + 0.0 if number else value).encode()) % SHARDS


def _marked(arrival: Arrival, number: int) -> Arrival:
    return replace(arrival, id=_mark(number) + arrival.id) if isinstance(arrival, Event) else arrival


def _apart(found: Sequence[Detection], logs: Sequence[Log]) -> list[list[Detection]]:
    """Detections told apart by the log they are of, with the ids of events as they were, in order of detection."""
    made: list[list[Detection]] = [[] for _ in logs]
    for one in found:
        marks = {int(number) for name in (one.rule, *one.events) for number in _MARK.findall(name)}
        if len(marks) != 1:
            raise TocsinError(f"a detection of '{one.rule}' cannot be told from those of other logs: {one.events}")
        events = tuple(_MARK.sub("", name) for name in one.events)
        text = None if one.notification is None else _MARK.sub("", one.notification)
        data = {key: _unmarked(value) for key, value in one.data.items()}
        rule, type = _MARK.sub("", one.rule), _MARK.sub("", one.type)
        made[marks.pop()].append(replace(one, rule=rule, type=type, events=events, data=data, notification=text, id=""))
    for log, some in zip(logs, made, strict=True):
        places = {rule.name: place for place, rule in enumerate(log.session.program.rules)}
        some.sort(key=partial(_in_order, places))
    return made


def _in_order(places: Mapping[str, int], one: Detection) -> tuple[Any, ...]:
    return (one.detected_us, places[one.rule], one.time_us, one.start_us, one.events)


def _unmarked(value: object) -> object:
    """A value with the ids of events as they were."""
    if isinstance(value, str):
        return _MARK.sub("", value)
    if isinstance(value, list):
        return [_unmarked(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _unmarked(item) for key, item in value.items()}
    return value
