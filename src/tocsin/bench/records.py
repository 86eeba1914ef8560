"""What a benchmark has to say of one figure: what was measured, against what, and what was aimed at."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field


@dataclass(frozen=True)
class Target:
    """What a ratio has to reach: at least so much, or at most. `goal` lies beyond it."""

    value: float
    goal: float | None = None
    at_most: bool = False

    def is_met(self, ratio: float) -> bool:
        """Whether the ratio reaches it."""
        return ratio <= self.value if self.at_most else ratio >= self.value

    def __str__(self) -> str:
        goal = "" if self.goal is None else f" ({self.goal:,g})"
        return f"{'<=' if self.at_most else '>='} {self.value:,g}{goal}"


@dataclass(frozen=True)
class Record:
    """One figure. `ratio` is what is judged; `unit` says what it is a ratio of."""

    name: str
    events: int
    matches: int
    checksum: int
    cpu_seconds: float
    ratio: float
    unit: str
    target: Target | None
    agrees: bool
    """Whether the matches are those of the yardstick, in number and checksum."""
    compiled: bool
    details: dict[str, float] = field(default_factory=dict)

    @property
    def rate(self) -> float:
        """Events per CPU-second."""
        return self.events / self.cpu_seconds

    @property
    def verdict(self) -> str:
        """In a word."""
        if not self.agrees:
            return "WRONG"
        if self.target is None:
            return "-"
        return "ok" if self.target.is_met(self.ratio) else "below" if not self.target.at_most else "above"

    def as_json(self) -> dict[str, object]:
        """All of it, for a program."""
        return asdict(self) | {"events_per_cpu_second": round(self.rate), "verdict": self.verdict}

    def line(self) -> str:
        """All of it, for a person."""
        aim = "" if self.target is None else str(self.target)
        said = f"{self.ratio:>9,.2f} {self.unit:<26} {aim:<14} {self.verdict:<6}"
        more = ", ".join(f"{name} {value:,.4g}" for name, value in self.details.items())
        return f"{self.name:<10} {self.matches:>10,} {self.rate:>14,.0f} {said} {more}".rstrip()


HEADING = (
    f"{'':<10} {'matches':>10} {'events/CPU-s':>14} {'measured':>9} {'':<26} {'target (goal)':<14} {'':<6}".rstrip()
)
