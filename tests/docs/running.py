"""Running rules as the papers' readers would: patterns and expressions from Python, scripts and requests from files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.conformance.cases import Case
from tocsin import api
from tocsin.algebra.notes import Notes
from tocsin.algebra.rules import Rule
from tocsin.events import Detection
from tocsin.formats import events_from
from tocsin.rules.declared_events import conformer
from tocsin.rules.loader import load_file
from tocsin.session import Session

SECOND = 1_000_000

Rows = list[list[Any]]
"""Events as the conformance cases write them: [id, type, time, {data}, {source, arrival}]."""


def records(rows: Rows) -> list[dict[str, Any]]:
    """The events as the readers take them."""
    return Case("docs", {"events": rows}).events


def detected(rules: Rule | Iterable[Rule] | Path, rows: Rows, **options: str) -> list[Detection]:
    """What the rules detect, through the public interface."""
    return api.detect(rules, records(rows), **options)


def events(found: Iterable[Detection]) -> list[tuple[str, ...]]:
    """The events of each detection."""
    return [one.events for one in found]


def seen(rules: Rule | Iterable[Rule] | Path, rows: Rows, **options: str) -> list[tuple[str, ...]]:
    """The events of each detection, in order."""
    return events(detected(rules, rows, **options))


def times(found: Iterable[Detection]) -> list[float]:
    """When each detection occurred, in seconds."""
    return [one.time_us / SECOND for one in found]


def written(folder: Path, text: str, name: str = "rules.gem") -> Path:
    """A rules file."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def noted(path: Path, rows: Rows) -> tuple[list[Detection], Notes]:
    """What a rules file detects, and what the run has to say besides."""
    session, notes = Session(load_file(path)), Notes()
    arrivals = events_from(records(rows), conform=conformer(session.program.declarations))
    return list(session.detections(arrivals, notes)), notes
