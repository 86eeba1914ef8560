"""The runtimes a case is run in. Each takes a case and gives detections as records, or raises RuleError.

A runtime that is added here runs every case. What it cannot run yet is declared in `UNSUPPORTED` with the reason, and
must then fail, so that the declaration goes when the reason does.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import yaml

from tests.conformance.cases import Case
from tests.conformance.gallery import python_rule
from tocsin.algebra.rules import Program
from tocsin.errors import RuleError
from tocsin.events import Arrival, Detection
from tocsin.formats import TimeStyle, detection_line, events_from
from tocsin.rules.declared_events import conformer
from tocsin.rules.loader import load_expression, load_file
from tocsin.rules.options import context_of, granularity_of, instant_of, order_of, run_of, window_of
from tocsin.rules.programs import rules_program
from tocsin.runtime import Runtime
from tocsin.runtime.options import Options
from tocsin.session import Session

Runner = Callable[[Case, Path], list[dict[str, Any]]]


def replayed(case: Case, folder: Path) -> list[dict[str, Any]]:
    """The plain meaning, in this process."""
    return _run(case, folder, "replay")


def local(case: Case, folder: Path) -> list[dict[str, Any]]:
    """The engine, in this process."""
    return _run(case, folder, "local")


def restored(case: Case, folder: Path) -> list[dict[str, Any]]:
    """The engine, put into bytes after every arrival and made anew from them."""
    session, style, events = prepared_case(case, folder, "local")
    log = list(events)

    def new() -> Runtime:
        return Runtime(session.program, session.options, sources={arrival.source for arrival in log})

    rules = new()
    found: list[Detection] = []
    for arrival in log:
        found += rules.process([arrival])
        saved, rules = rules.snapshot(), new()
        rules.restore(saved)
    found += rules.finish(session.options.until)
    return [json.loads(detection_line(one, style)) for one in found]


def _run(case: Case, folder: Path, engine: str) -> list[dict[str, Any]]:
    session, style, events = prepared_case(case, folder, engine)
    return [json.loads(detection_line(found, style)) for found in session.detections(events)]


def prepared_case(case: Case, folder: Path, engine: str) -> tuple[Session, TimeStyle, Iterable[Arrival]]:
    """The rules of a case ready to run, how times are written once the events are read, and the events."""
    asked, fields = case.options, case.fields
    options = Options(
        context=context_of(asked["context"]) if "context" in asked else None,
        order=order_of(asked.get("order", "best-effort")),
        window=window_of(asked["window"]) if "window" in asked else None,
        run=run_of(asked["run"]) if "run" in asked else None,
        granularity=granularity_of(asked.get("time-model", "point")),
        until=instant_of(asked["until"]) if "until" in asked else None,
        ignore_late=fields.get("late") == "ignore",
        engine=engine,
    )
    session, style = Session(program_of(case, folder), options), TimeStyle()
    return session, style, events_from(case.events, style=style, conform=conformer(session.program.declarations))


def program_of(case: Case, folder: Path) -> Program:
    """The rules of a case."""
    fields = case.fields
    if "python" in fields:
        return rules_program([python_rule(fields["python"])])
    if "expr" in fields:
        return load_expression(fields["expr"], fields["lang"], case.options.get("condition"))
    return load_file(written(case, folder))


def commanded(case: Case, folder: Path) -> list[dict[str, Any]]:
    """The command line, in a process of its own."""
    fields = case.fields
    events = folder / "events.jsonl"
    events.write_text("".join(json.dumps(event) + "\n" for event in case.events))
    rules = ["-e", fields["expr"], "--lang", fields["lang"]] if "expr" in fields else [str(written(case, folder))]
    asked = case.options | ({"late": fields["late"]} if "late" in fields else {})
    options = [text for key, value in asked.items() for text in (f"--{key}", value)]
    command = [sys.executable, "-m", "tocsin.cli", "detect", *rules, "--events", str(events), *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert "Traceback" not in done.stderr
    if done.returncode:
        raise RuleError([])
    return [json.loads(line) for line in done.stdout.splitlines()]


def written(case: Case, folder: Path) -> Path:
    if "script" in case.fields:
        path = folder / "rules.gem"
        path.write_text(case.fields["script"])
    else:
        path = folder / "rules.yaml"
        path.write_text(yaml.safe_dump({"rules": case.fields["rules"]}))
    return path


RUNTIMES: dict[str, Runner] = {"replay": replayed, "local": local, "restored": restored}
UNSUPPORTED: dict[str, str] = {}
"""Languages that cannot be run yet, with the reason."""
