"""What a run has to say besides its detections: counts and warnings, for standard error."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Final


@dataclass
class Notes:
    """Warnings, each told once, and how many events or detections met which fate, by reason."""

    warnings: list[str] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    ignored: Counter[str] = field(default_factory=Counter)
    incomparable: Counter[str] = field(default_factory=Counter)
    suppressed: Counter[str] = field(default_factory=Counter)
    """Detections that were not told, by rule."""
    arrivals: int = 0

    def counters(self) -> dict[str, Counter[str]]:
        """The counters by name."""
        return {name: getattr(self, name) for name in COUNTERS}

    def warn(self, text: str) -> None:
        """Adds a warning unless it was told before."""
        if text not in self.warnings:
            self.warnings.append(text)

    def add(self, other: Notes) -> None:
        """Adds the notes of another part of the run, which saw other events."""
        self._join(other)
        self.arrivals += other.arrivals
        for name, counter in other.counters().items():
            getattr(self, name).update(counter)

    def unite(self, other: Notes) -> None:
        """Takes in the notes of a part that saw the same events: what both counted is counted once."""
        self._join(other)
        self.arrivals = max(self.arrivals, other.arrivals)
        for name, counter in other.counters().items():
            mine = getattr(self, name)
            mine |= counter

    def copy(self) -> Notes:
        """The same notes, to be kept while these go on."""
        made = Notes()
        made.add(self)
        return made

    def _join(self, other: Notes) -> None:
        for warning in other.warnings:
            self.warn(warning)


COUNTERS: Final = ("refused", "dropped", "ignored", "incomparable", "suppressed")
"""The fields of `Notes` that count by reason."""
