"""What the demo says on the terminal: how far it has got, and a table of what was found."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import tocsin as tc
from tocsin.events import Detection
from tocsin.formats.instants import TimeStyle
from tocsin.formats.writers import detection_lines

if TYPE_CHECKING:
    from tocsin.spark.pipeline_run import SparkRun

STYLE: Final = TimeStyle()
"""Times are written as text."""
_BAR: Final = 24
_PATIENCE: Final = 5.0
"""Seconds between two lines where a line cannot be written over."""
# The comment above a rule says what it means: for those who read the file and for the table.
_COMMENTS: Final = (
    re.compile(r"/\*\s*(.+?)\s*\*/\s*(?:rule|request)\s+(\w+)", re.DOTALL),
    re.compile(r"^\s*#\s*(.+?)\s*\n\s*- name:\s*(\w+)", re.MULTILINE),
)


def say(line: str, **options: Any) -> None:
    """A line, at once."""
    print(line, flush=True, **options)


class Progress:
    """How far the stream has got: a line that is written over on a terminal, else one every few seconds."""

    def __init__(self, total: int) -> None:
        self._total, self._begun, self._last = total, time.monotonic(), 0.0
        self._is_terminal = sys.stdout.isatty()

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_terminal:
            say("")

    def add(self, running: SparkRun) -> None:
        """Called after every micro-batch."""
        now, share = time.monotonic(), min(running.events / self._total, 1.0)
        if not self._is_terminal and share < 1 and now - self._last < _PATIENCE:
            return
        self._last = now
        bar = "#" * round(share * _BAR)
        rate = running.events / max(now - self._begun, 1e-9)
        line = (
            f"Spark [{bar:.<{_BAR}}] {share:4.0%}  {running.events:>9,} events, {rate:,.0f} a second,"
            f" {running.detections.total():,} detections"
        )
        say(f"\r\033[K{line}" if self._is_terminal else line, end="" if self._is_terminal else "\n")


def summary(found: Sequence[Detection], files: Sequence[str]) -> Iterator[str]:
    """The lines of a table: for each rule that says something what it means, how often it fired, and when."""
    meanings = meanings_of(files)
    languages = {rule.name: rule.language for rule in tc.load(*files).rules}
    rows = [("rule", "in", "found", "first", "last", "what it means")]
    for rule, meaning in meanings.items():
        mine = [one for one in found if one.rule == rule]
        first, last = (clock(mine[place]) if mine else "-" for place in (0, -1))
        rows.append((rule, languages[rule].upper(), f"{len(mine):,}", first, last, meaning))
    widths = [max(len(row[place]) for row in rows) for place in range(5)]
    rows.insert(1, (*("-" * width for width in widths), "-" * len(rows[0][5])))
    for row in rows:
        name, language, count, *rest = (f"{cell:<{width}}" for cell, width in zip(row[:5], widths, strict=True))
        yield "  ".join((name, language, f"{count.strip():>{widths[2]}}", *rest, row[5]))


def meanings_of(files: Sequence[str]) -> dict[str, str]:
    """For each rule the comment above it, in the order of the files."""
    found: dict[str, str] = {}
    for path in files:
        text = Path(path).read_text(encoding="utf-8")
        for pattern in _COMMENTS:
            found |= {name: " ".join(comment.split()) for comment, name in pattern.findall(text)}
    return found


def clock(one: Detection) -> str:
    """The time of day of a detection."""
    return STYLE.text(one.time_us)[11:19]


def write_lines(found: Sequence[Detection], path: Path) -> None:
    """The detections as `tocsin detect` writes them."""
    with path.open("w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in detection_lines(found, STYLE))
