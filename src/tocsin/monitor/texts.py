"""Detections and reports as lines for people: GEM event reports (003 section 2.1), lists, tables.

Whatever an event carries, a line has no control characters in it: it goes to a terminal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol, TypeVar

from tocsin.algebra.rules import Declaration
from tocsin.errors import UsageError, choices, nearest
from tocsin.events import SELF, Detection, Moment
from tocsin.formats.instants import TimeStyle, render_seconds
from tocsin.formats.writers import display_width, timely, to_json
from tocsin.languages.guard_text import render_bracketed_period
from tocsin.monitor.state import MonitorState, RuleState
from tocsin.time.calendar import TimePoint, render_time_point
from tocsin.time.gregorian import FIRST_INSTANT, LAST_INSTANT, date_from_days
from tocsin.time.periods import DAY, HOUR, MINUTE, MSEC, SECOND, Period

Known = TypeVar("Known")
TOPICS = ("rules", "events", "rule", "event", "firings", "statistics", "clock")


def firing_line(one: Detection, declared: Mapping[str, Declaration], style: TimeStyle) -> str:
    """A detection as the report of an event, then the rule and the events that it is made of."""
    parts = [one.type]
    if one.source and one.source != SELF:
        parts.append(to_json(one.source))
    parts.append(f"[{time_text(one.time_us, style)}]")
    names = [name for name, _ in declared[one.type].attributes] if one.type in declared else []
    if names == list(one.data):
        values = [_value(value, style) for value in one.data.values()]
    else:
        values = [f"{name}={_value(value, style)}" for name, value in one.data.items()]
    if values:
        parts.append(f"({', '.join(values)})")
    if one.notification is not None:
        parts.append(to_json(one.notification))
    made_of = f", of {', '.join(one.events)}" if one.events else ""
    return _plain(f"{' '.join(parts)}  <- rule {one.rule}{made_of}")


def time_text(instant: int, style: TimeStyle) -> str:
    """A time: in seconds where events are written so, else as a time point of 003, to the millisecond."""
    if style.seconds or not FIRST_INSTANT <= instant <= LAST_INSTANT:
        return render_seconds(instant)
    days, rest = divmod(instant, DAY)
    year, month, day = date_from_days(days)
    hours, rest = divmod(rest, HOUR)
    minutes, rest = divmod(rest, MINUTE)
    seconds, rest = divmod(rest, SECOND)
    point = TimePoint(hours, minutes, seconds, rest // MSEC, None, day, month, year)
    return render_time_point(point)


def _value(value: object, style: TimeStyle) -> str:
    match value:
        case Moment(microseconds=instant):
            return f"[{time_text(instant, style)}]"
        case Period():
            return render_bracketed_period(value)
    return to_json(timely(value, style))


def _plain(text: str) -> str:
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


# -- reports -----------------------------------------------------------------------------------------------------------


class Shown(Protocol):
    """A monitor that things can be shown of."""

    @property
    def style(self) -> TimeStyle:
        """How times are written."""

    @property
    def declared(self) -> Mapping[str, Declaration]:
        """The declared event classes by name."""

    @property
    def recent(self) -> Iterable[Detection]:
        """The last detections."""

    def state(self) -> MonitorState:
        """All the rest."""


def report(monitor: Shown, topic: str, name: str = "") -> Iterator[str]:
    """What there is to show about a topic; a rule and an event have a name."""
    state = monitor.state()
    match topic, name:
        case "rules", "":
            yield from _rules(state)
        case "events", "":
            yield from _events(state)
        case "rule", name if name:
            yield from _rule(monitor, _known({each.name: each for each in state.rules}, name, "rule"))
        case "event", name if name:
            each = _known({each.name: each for each in state.events}, name, "event")
            yield from (each.declaration, f"{each.taken} taken")
        case "firings", "":
            lines = [firing_line(one, monitor.declared, monitor.style) for one in monitor.recent]
            yield from lines or ["nothing has fired yet"]
        case "statistics", "":
            yield from _statistics(state)
        case "clock", "":
            now = state.now
            yield "the clock has not started yet" if now is None else time_text(now, monitor.style)
        case "rule" | "event", _:
            raise UsageError(f"show {topic} what? Name one: show {topic} NAME")
        case _:
            asked = f"{topic} {name}".strip()
            hint = nearest(topic, TOPICS)
            raise UsageError(f"there is nothing to show about '{asked}': {choices(TOPICS)}{'; ' * bool(hint)}{hint}")


def _known(known: Mapping[str, Known], name: str, what: str) -> Known:
    if name not in known:
        hint = nearest(name, known)
        raise UsageError(f"there is no {what} '{name}'{': ' * bool(hint)}{hint}")
    return known[name]


def _rules(state: MonitorState) -> Iterator[str]:
    if not state.rules:
        yield "no rules are defined"
        return
    yield from _table(
        ("rule", "", "seen", "held", "reports"),
        [
            (
                each.name,
                "enabled" if each.enabled else "disabled",
                str(each.figures.get("seen", "-")),  # rules that run on the plain meaning are not counted so
                str(each.figures.get("held", "-")),
                str(each.reports),
            )
            for each in state.rules
            if not each.hidden
        ],
    )


def _events(state: MonitorState) -> Iterator[str]:
    if not state.events:
        yield "no events are declared"
        return
    rows = [(each.declaration.removeprefix("event "), str(each.taken)) for each in state.events]
    yield from _table(("event", "taken"), rows)


def _rule(monitor: Shown, rule: RuleState) -> Iterator[str]:
    yield from rule.text.split("\n")
    if not rule.enabled:
        yield "disabled: it sees no events and holds none"
        return
    yield "; ".join(["enabled", ", ".join(f"{value} {key}" for key, value in rule.figures.items())]).removesuffix("; ")
    recent = (one for one in monitor.recent if one.rule == rule.name)
    yield from (f"  {firing_line(one, monitor.declared, monitor.style)}" for one in recent)


def _statistics(state: MonitorState) -> Iterator[str]:
    yield f"{state.taken} events taken, {state.reported} reports made, {state.held} rows held"
    if state.refused:
        yield f"{state.refused} lines were no events"
    for reason, count in state.reasons.items():
        yield f"{count} refused: {reason}"
    for name, count in state.ignored.items():
        yield f"{count} of undeclared class {_plain(name)} ignored"
    yield from state.warnings


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Columns under their heads; all but the first and words are numbers, and stand to the right."""
    cells = [heads, *([_plain(cell) for cell in row] for row in rows)]
    widths = [max(display_width(row[place]) for row in cells) for place in range(len(heads))]
    for row in cells:
        padded = [
            " " * (width - display_width(cell)) + cell
            if place and cell not in ("enabled", "disabled", "")
            else cell + " " * (width - display_width(cell))
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(padded).rstrip()
