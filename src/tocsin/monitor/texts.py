"""Detections and reports as lines for people: GEM event reports (003 section 2.1), lists, tables.

Whatever an event carries, a line has no control characters in it: it goes to a terminal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from tocsin.algebra.rules import Declaration, Define, Rule
from tocsin.errors import RuleError, UsageError, choices, nearest
from tocsin.events import SELF, Detection, Moment
from tocsin.formats.instants import TimeStyle, render_seconds
from tocsin.formats.writers import display_width, timely, to_json
from tocsin.languages.gem import render_script
from tocsin.languages.guard_text import render_bracketed_period
from tocsin.monitor.monitor import Monitor
from tocsin.time.calendar import TimePoint, render_time_point
from tocsin.time.gregorian import FIRST_INSTANT, LAST_INSTANT, date_from_days
from tocsin.time.periods import DAY, HOUR, MINUTE, MSEC, SECOND, Period

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


def report(monitor: Monitor, topic: str, name: str = "") -> Iterator[str]:
    """What there is to show about a topic; a rule and an event have a name."""
    match topic, name:
        case "rules", "":
            yield from _rules(monitor)
        case "events", "":
            yield from _events(monitor)
        case "rule", name if name:
            yield from _rule(monitor, _known(monitor.rules, name, "rule"))
        case "event", name if name:
            yield from _event(monitor, _known(monitor.declared, name, "event"))
        case "firings", "":
            lines = [firing_line(one, monitor.declared, monitor.style) for one in monitor.recent]
            yield from lines or ["nothing has fired yet"]
        case "statistics", "":
            yield from _statistics(monitor)
        case "clock", "":
            now = monitor.now
            yield "the clock has not started yet" if now is None else time_text(now, monitor.style)
        case "rule" | "event", _:
            raise UsageError(f"show {topic} what? Name one: show {topic} NAME")
        case _:
            asked = f"{topic} {name}".strip()
            hint = nearest(topic, TOPICS)
            raise UsageError(f"there is nothing to show about '{asked}': {choices(TOPICS)}{'; ' * bool(hint)}{hint}")


def _known(names: Iterable[str], name: str, what: str) -> str:
    if name not in names:
        hint = nearest(name, names)
        raise UsageError(f"there is no {what} '{name}'{': ' * bool(hint)}{hint}")
    return name


def _rules(monitor: Monitor) -> Iterator[str]:
    if not monitor.rules:
        yield "no rules are defined"
        return
    told = _told(monitor)
    yield from _table(
        ("rule", "", "seen", "held", "reports"),
        [
            (
                name,
                "enabled" if monitor.is_enabled(name) else "disabled",
                _figure(told, name, "seen"),
                _figure(told, name, "held"),
                str(monitor.counts.reported[name]),
            )
            for name, rule in monitor.rules.items()
            if not rule.hidden
        ],
    )


def _told(monitor: Monitor) -> Mapping[str, Mapping[str, object]]:
    found = monitor.stats()["rules"]
    assert isinstance(found, dict)
    return found


def _figure(told: Mapping[str, Mapping[str, object]], rule: str, what: str) -> str:
    """A figure that the engine has of a rule that runs; rules that run on the plain meaning are not counted so."""
    return str(told.get(rule, {}).get(what, "-"))


def _events(monitor: Monitor) -> Iterator[str]:
    if not monitor.declared:
        yield "no events are declared"
        return
    taken = monitor.counts.taken
    rows = [(_declaration(each), str(taken[name])) for name, each in monitor.declared.items()]
    yield from _table(("event", "taken"), rows)


def _declaration(declaration: Declaration) -> str:
    return render_script([declaration]).strip().removeprefix("event ")


def _rule(monitor: Monitor, name: str) -> Iterator[str]:
    rule = monitor.rules[name]
    yield from _written(rule)
    told = _told(monitor).get(name)
    if told is None:
        yield "disabled: it sees no events and holds none"
        return
    figures = {key: told[key] for key in ("seen", "late", "held", "refused") if key in told}
    yield "enabled; " + ", ".join(f"{value} {key}" for key, value in figures.items())
    yield from (f"  {firing_line(one, monitor.declared, monitor.style)}" for one in monitor.recent if one.rule == name)


def _written(rule: Rule) -> list[str]:
    """A rule as it can be typed; one that GEM has no words for, by its language."""
    try:
        return render_script([Define(rule)]).rstrip().split("\n")
    except RuleError:
        return [f"rule {rule.name}, in {rule.language}"]


def _event(monitor: Monitor, name: str) -> Iterator[str]:
    yield f"event {_declaration(monitor.declared[name])}"
    yield f"{monitor.counts.taken[name]} taken"


def _statistics(monitor: Monitor) -> Iterator[str]:
    counts, notes, stats = monitor.counts, monitor.notes, monitor.stats()
    yield f"{counts.taken.total()} events taken, {counts.reported.total()} reports made, {stats['held']} rows held"
    if counts.refused:
        yield f"{counts.refused} lines were no events"
    for reason, count in (notes.refused + notes.dropped).items():
        yield f"{count} refused: {reason}"
    for name, count in notes.ignored.items():
        yield f"{count} of undeclared class {_plain(name)} ignored"
    yield from (text for text in notes.warnings)


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
