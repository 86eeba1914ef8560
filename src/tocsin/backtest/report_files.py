"""Findings written down: a page of HTML, the same in Markdown with pictures beside it, and JSON for programs."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Final

from tocsin.backtest.findings import Example, Findings
from tocsin.backtest.html import html_page
from tocsin.backtest.markdown import markdown_page
from tocsin.backtest.sections import report_of
from tocsin.backtest.words import day_text
from tocsin.errors import UsageError
from tocsin.events import Event
from tocsin.formats.writers import to_json
from tocsin.time.instants import render_instant

HTML, MARKDOWN, JSON = "report.html", "report.md", "report.json"
_OURS: Final = (HTML, MARKDOWN, JSON)


def write_report(findings: Findings, folder: str) -> list[Path]:
    """Writes the report into a folder; gives the files. Pictures of a report that stood there before are removed."""
    refuse_other_things(folder)
    home = Path(folder)
    home.mkdir(parents=True, exist_ok=True)
    document = report_of(findings)
    texts = {HTML: html_page(document), MARKDOWN: markdown_page(document), JSON: findings_json(findings)}
    texts |= {f"{picture.name}.svg": picture.svg for picture in document.pictures}
    for path in home.glob("*.svg"):
        if path.name not in texts:
            path.unlink()
    for name, text in texts.items():
        (home / name).write_text(text, encoding="utf-8", errors="backslashreplace")
    return [home / name for name in texts]


def refuse_other_things(folder: str) -> None:
    """Refuses a folder that holds anything but a report: better before the work than after it."""
    home = Path(folder)
    if home.exists() and not home.is_dir():
        raise UsageError(f"{folder} is a file: the report is a folder")
    if home.is_dir():
        others = [path.name for path in home.iterdir() if path.name not in _OURS and path.suffix != ".svg"]
        if others and not (home / HTML).exists():
            raise UsageError(f"{folder} holds other things ({others[0]}): name a folder of its own for the report")


def findings_json(findings: Findings) -> str:
    """All of it for programs."""
    return json.dumps(json.loads(to_json(findings_record(findings))), indent=2, ensure_ascii=False) + "\n"


def findings_record(findings: Findings) -> dict[str, object]:
    """All of it as plain values; times are RFC 3339 texts."""
    census = findings.census
    return {
        "title": findings.title,
        "rules": list(findings.rules),
        "against": list(findings.against),
        "history": findings.history,
        "engine": findings.engine,
        "order": findings.order,
        "events": {
            "count": census.events,
            "first": _time(census.first),
            "last": _time(census.last),
            "types": dict(census.types),
            "sources": dict(census.sources),
            "source_count": census.source_count,
            "bad": dict(census.bad),
            "refused": dict(census.refused),
            "late": census.late,
            "longest_delay_seconds": None if census.longest_delay is None else census.longest_delay / 1e6,
        },
        "detections": {
            one.rule: {
                "count": one.count,
                "first": _time(one.first),
                "last": _time(one.last),
                "days": {day_text(day): count for day, count in one.by_day.items()},
                "hours": {f"{hour:02}": count for hour, count in one.by_hour.items()},
                "key": one.key,
                "keys": one.keys,
                "top": dict(one.top),
                "examples": [_example(each) for each in one.examples],
            }
            for one in findings.outcomes
        },
        "never_fired": list(findings.silent),
        "costs": None if findings.costs is None else asdict(findings.costs),
        "differences": {
            each.rule: {
                "definition": each.change,
                **each.counts,
                "examples": {side: [_example(one) for one in some] for side, some in each.examples.items()},
            }
            for each in findings.differences
        },
    }


def _example(example: Example) -> dict[str, object]:
    one = example.detection
    return {
        "id": one.id,
        "time": _time(one.time_us),
        "start": _time(one.start_us),
        "detected": _time(one.detected_us),
        "key": example.key,
        "notification": one.notification,
        "data": one.data,
        "events": [_event(event) for event in example.events],
    }


def _event(event: Event) -> dict[str, object]:
    return {"id": event.id, "type": event.type, "time": _time(event.end), "source": event.source, "data": event.data}


def _time(instant: int | None) -> str | None:
    return None if instant is None else render_instant(instant)
