"""What a backtest has found: plain data, the same whatever engine it was run on. A report is made of nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from tocsin.events import Detection, Event

BOTH, OLD, NEW = "both", "only old", "only new"
SIDES: Final = (BOTH, OLD, NEW)
"""Of the two rule versions: which of them detected it. Old are the rules of `--against`."""

UNCHANGED, CHANGED, ADDED, REMOVED = "unchanged", "changed", "new", "removed"


class Example(NamedTuple):
    """A detection with the events it is made of, as far as they were found again, and the key they have in common."""

    detection: Detection
    events: tuple[Event, ...]
    key: str | None


@dataclass(frozen=True, order=True)
class Cell:
    """So many detections in an hour of a day; days are counted from 1970, hours and days are those of UTC."""

    day: int
    hour: int
    count: int


@dataclass(frozen=True)
class Outcome:
    """What one rule has detected."""

    rule: str
    definition: str
    """The rule as people read it."""
    cells: tuple[Cell, ...] = ()
    key: str | None = None
    """The attribute that all events of a detection have in common, if the rule asks for one."""
    keys: int = 0
    """How many different keys there were."""
    top: tuple[tuple[str, int], ...] = ()
    """The keys with the most detections."""
    first: int | None = None
    last: int | None = None
    examples: tuple[Example, ...] = ()

    @property
    def count(self) -> int:
        """All detections."""
        return sum(cell.count for cell in self.cells)

    @property
    def by_day(self) -> dict[int, int]:
        """Detections by day."""
        found: Counter[int] = Counter()
        for cell in self.cells:
            found[cell.day] += cell.count
        return dict(sorted(found.items()))

    @property
    def by_hour(self) -> dict[int, int]:
        """Detections by hour of the day."""
        found: Counter[int] = Counter()
        for cell in self.cells:
            found[cell.hour] += cell.count
        return dict(sorted(found.items()))


@dataclass(frozen=True)
class Census:
    """What the history holds."""

    events: int = 0
    first: int | None = None
    last: int | None = None
    types: tuple[tuple[str, int], ...] = ()
    """Events by type, the most frequent first."""
    sources: tuple[tuple[str, int], ...] = ()
    """The sources with the most events."""
    source_count: int = 0
    bad: tuple[tuple[str, int], ...] = ()
    """What could not be read as events, by the reason."""
    refused: tuple[tuple[str, int], ...] = ()
    """Events that the order of arrival did not let through, by the reason; Spark counts none."""
    late: int = 0
    """Events that arrived later than they happened, where the history says when they arrived."""
    longest_delay: int | None = None
    """By how much at most, in microseconds; None where it is not known when events arrived."""


@dataclass(frozen=True)
class Cost:
    """What a rule costs alone, on a sample of the history."""

    rule: str
    seconds: float
    """Processor time."""
    seen: int | None
    """Events of the types it names; None for rules that run on the plain meaning, which does not count."""
    held: int | None
    """Rows kept at the same time, at most."""


@dataclass(frozen=True)
class Costs:
    """The costs of all rules, and on how many events they were measured."""

    sample: int
    compiled: bool
    rules: tuple[Cost, ...]


@dataclass(frozen=True)
class Difference:
    """How the detections of one rule differ between two versions of the rules."""

    rule: str
    change: str
    old: str
    new: str
    """How the rule is defined in each; nothing where it is not."""
    counts: Mapping[str, int]
    examples: Mapping[str, tuple[Example, ...]]


@dataclass(frozen=True)
class Findings:
    """All of it."""

    title: str
    rules: tuple[str, ...]
    """The files."""
    against: tuple[str, ...]
    history: str
    engine: str
    order: str
    since: int | None
    until: int | None
    census: Census
    outcomes: tuple[Outcome, ...]
    costs: Costs | None = None
    differences: tuple[Difference, ...] = ()

    @property
    def count(self) -> int:
        """All detections."""
        return sum(outcome.count for outcome in self.outcomes)

    @property
    def silent(self) -> tuple[str, ...]:
        """The rules that never fired."""
        return tuple(outcome.rule for outcome in self.outcomes if not outcome.count)
