"""`tocsin simulate sites`: what ways of evaluation get wrong, and how late they are, as the environment gets worse."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from tocsin.draw.plot import Series, draw_lines
from tocsin.simulate.environment.runs import LATE, OUTAGE, WAYS, Outcome, Setting, outcome
from tocsin.simulate.reports import Report, Say, Table, percent, quantile, rounded
from tocsin.simulate.worlds import SECOND

BASE: Final = Setting()
SWEEPS: Final[dict[str, tuple[str, Sequence[float]]]] = {
    "rate": ("events a second at each site", (0.3, 1, 3, 10)),
    "delay": ("delay of a message, ms; up to as many more by chance", (0, 20, 100, 300)),
    "clocks": ("clocks are off by at most, ms", (0, 10, 50, 200)),
    "failures": ("failures a minute of each site but the first", (0, 1, 3)),
    "partitions": ("times a minute that each site but the first is cut off", (0, 1, 3)),
    "sites": ("sites", (2, 4, 8, 12)),
}
RUNS: Final = 2
"""Of each setting, each with events of its own."""


@dataclass(frozen=True)
class Point:
    """What a way did in a setting, in all its runs."""

    way: str
    value: float
    outcomes: tuple[Outcome, ...]

    def sum(self, what: str) -> int:
        """One of the counts, of all runs together."""
        return sum(getattr(each, what) for each in self.outcomes)

    @property
    def delays(self) -> list[float]:
        """Of all that was rightly told."""
        return [delay for each in self.outcomes for delay in each.delays]

    def part(self, what: str) -> float:
        """One of the counts as a part of what is true."""
        return self.sum(what) / max(1, self.sum("true"))


Swept = dict[str, list[Point]]


def sites(seed: int = 1, scale: float = 1.0, say: Say = lambda text: None) -> Report:
    """Each sweep with each way. The scale says how long each run is."""
    base = replace(BASE, seconds=max(5, round(BASE.seconds * scale)))
    swept: Swept = {}
    for name, (what, values) in SWEEPS.items():
        say(f"by {what}")
        swept[name] = [_point(way, name, value, base, seed) for value in values for way in WAYS]
    record = {
        "simulation": "sites",
        "seed": seed,
        "seconds": base.seconds,
        "runs": RUNS,
        "base": {name: getattr(base, name) for name in SWEEPS},
        "sweeps": {name: [_record(point) for point in points] for name, points in swept.items()},
    }
    title = (
        f"The environment of 002: {base.sites} sites, {base.rate:g} events a second at each, {base.delay:g} ms delay;"
        f" one of these made worse at a time; {RUNS} runs of {base.seconds} seconds, seed {seed}"
    )
    remarks = [
        "asynchronous: best-effort; probabilistic: probabilistic:0.95; heartbeats, requests, tokens: guaranteed, by the"
        " way in which a rule hears how far others have got",
        f"wrong: told, and not what one engine finds that hears everything at once; late: after {LATE / SECOND:g} s;"
        f" failures and cuts last {OUTAGE / SECOND:g} seconds",
    ]
    return Report(title, record, [_table(name, points) for name, points in swept.items()], remarks, _pictures(swept))


def _point(way: str, name: str, value: float, base: Setting, seed: int) -> Point:
    setting = replace(base, **{name: int(value) if name == "sites" else value})  # type: ignore[arg-type]  # its fields
    return Point(way, value, tuple(outcome(way, setting, 1000 * seed + run) for run in range(RUNS)))


def _record(point: Point) -> dict[str, Any]:
    counts = {what: point.sum(what) for what in ("true", "told", "wrong", "missed", "late", "messages")}
    delays = {name: rounded(quantile(point.delays, share)) for name, share in (("p50", 0.5), ("p99", 0.99))}
    return {"way": point.way, "value": point.value} | counts | {"delay_ms": delays}


def _table(name: str, points: list[Point]) -> Table:
    rows = []
    for point in points:
        parts = [percent(point.part(what)) for what in ("wrong", "missed", "late")]
        delays = [quantile(point.delays, share) for share in (0.5, 0.99)]
        told = ["-" if each is None else f"{each:,.0f}" for each in delays]
        rows.append(
            [f"{point.value:g}", point.way, str(point.sum("true")), *parts, *told, f"{point.sum('messages'):,}"]
        )
    what, _ = SWEEPS[name]
    return Table(f"by {what}", [name, "way", "true", "wrong", "missed", "late", "p50 ms", "p99 ms", "messages"], rows)


def _pictures(swept: Swept) -> dict[str, str]:
    found = {}
    for name, points in swept.items():
        what, values = SWEEPS[name]
        errors, delays = [], []
        for way in WAYS:
            own = [point for point in points if point.way == way]
            errors.append(Series(way, [(p.value, 100 * (p.part("wrong") + p.part("missed"))) for p in own]))
            delays.append(Series(way, [(p.value, max(1.0, quantile(p.delays, 0.5) or 1.0)) for p in own]))
        subtitle = f"{RUNS} runs, values {', '.join(f'{value:g}' for value in values)}"
        title, y_name = f"Detections that are wrong or missed, by {name}", "percent of those that are true"
        found[f"sites-errors-by-{name}.svg"] = draw_lines(title, subtitle, what, y_name, errors, log_y=False)
        title, y_name = f"Delay of detections that are right, by {name}", "ms, the median; one and less as one"
        found[f"sites-delay-by-{name}.svg"] = draw_lines(title, subtitle, what, y_name, delays)
    return found
