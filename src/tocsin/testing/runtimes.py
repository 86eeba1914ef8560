"""The runtimes: a log of events in, its detections out, one log after the other or all of them in one job."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from tocsin.algebra.notes import Notes
from tocsin.errors import MissingDependency, TocsinError
from tocsin.events import Arrival, Detection
from tocsin.session import Session
from tocsin.testing.cases import Case


class Log(NamedTuple):
    """A session and what it is given, in order of arrival."""

    session: Session
    arrivals: Sequence[Arrival]
    seconds: bool
    with_ids: bool = False


@dataclass
class RunResult:
    """What was detected on a log, what the run had to say besides, or why there was none."""

    detections: list[Detection] = field(default_factory=list)
    notes: Notes = field(default_factory=Notes)
    trouble: str | None = None


def session_of(case: Case, runtime: str) -> Session:
    """A case's rules in a runtime, ready to be given events, again and again."""
    return Session(case.program, replace(case.options, engine=runtime))


def log_of(case: Case, session: Session, arrivals: Sequence[Arrival]) -> Log:
    """A case's session with these arrivals."""
    return Log(session, arrivals, case.style.seconds, any("id" in each.fields for each in case.expected.wanted))


def run(log: Log) -> RunResult:
    """One log, in this process."""
    found = RunResult()
    try:
        found.detections = list(log.session.detections(log.arrivals, found.notes))
    except TocsinError as error:
        found.trouble = str(error)
    return found


def run_each(logs: Iterable[Log]) -> Iterator[RunResult]:
    """The logs one after the other, each when it is asked for."""
    return (run(log) for log in logs)


def run_on_spark(logs: Sequence[Log], streaming: bool) -> list[RunResult]:
    """All logs in one job."""
    try:
        from tocsin.spark.portfolio import Log as Held
        from tocsin.spark.portfolio import detections_of_logs
    except MissingDependency as error:
        return [RunResult(trouble=str(error)) for _ in logs]
    held = [Held(log.session, list(log.arrivals), log.seconds, log.with_ids) for log in logs]
    try:
        return [RunResult(found, notes) for found, notes in detections_of_logs(held, streaming=streaming)]
    except TocsinError as error:
        return [RunResult(trouble=str(error)) for _ in logs]
