"""A case: rules, the events they are given, and what they are expected to detect."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from tocsin.algebra.rules import Program
from tocsin.errors import Place
from tocsin.events import Arrival, Detection
from tocsin.formats import TimeStyle
from tocsin.runtime.options import Options

RUNTIMES: Final = ("replay", "local", "spark", "spark-streaming")
"""Where a case can be run: the plain meaning, the engine, and the engine in shards on Spark."""
USUAL: Final = ("replay", "local")


@dataclass(frozen=True)
class Wanted:
    """One detection that is expected: the fields that were given must be so, the others may be anything.

    Times are microseconds; `data` holds the attributes that must be there, among others.
    """

    fields: Mapping[str, object]

    @property
    def rule(self) -> str | None:
        """The rule that is to fire, if that was said."""
        rule = self.fields.get("rule")
        return None if rule is None else str(rule)

    @property
    def events(self) -> tuple[str, ...]:
        """The ids of its events, if they were said."""
        events = self.fields.get("events", ())
        return events if isinstance(events, tuple) else ()


@dataclass(frozen=True)
class Expected:
    """All that a case expects: these detections and no others; of some rules, or of all (None), only how many."""

    wanted: tuple[Wanted, ...] = ()
    counts: Mapping[str | None, int] = field(default_factory=dict)
    is_open: bool = False
    """Nobody has said yet what is expected: `--update` writes it."""


@dataclass(frozen=True)
class Case:
    """One case. `delay` is how late events may come without changing what is detected (microseconds)."""

    name: str
    place: Place
    program: Program
    options: Options
    given: tuple[Arrival, ...]
    style: TimeStyle
    expected: Expected
    rules_files: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    """The options as a command line has them."""
    delay: int | None = None
    only: frozenset[str] = frozenset()
    """The rules that are looked at; all, if none is named."""
    runtimes: tuple[str, ...] = ()
    error: str | None = None
    """A part of the message with which the rules must be refused."""
    refusal: str | None = None
    """The message with which they were."""

    def heard(self, found: list[Detection]) -> list[Detection]:
        """The detections of the rules that are looked at."""
        return [one for one in found if not self.only or one.rule in self.only]


@dataclass(frozen=True)
class CaseFile:
    """A test file: its cases, in order."""

    path: str
    text: str
    cases: tuple[Case, ...]
