"""Rules, times and numbers as a report says them."""

from __future__ import annotations

from tocsin.algebra.rules import Rule
from tocsin.errors import TocsinError
from tocsin.languages import render, written
from tocsin.languages.guard_text import render_guard
from tocsin.time.gregorian import FIRST_INSTANT, LAST_INSTANT, date_from_days
from tocsin.time.instants import render_instant
from tocsin.time.spans import SECOND, human_period


def definition_of(rule: Rule) -> str:
    """A rule in its own language, with its condition and window, and with what it says about itself."""
    try:
        text = render(rule.pattern, "eps" if rule.language == "python" else rule.language)
    except TocsinError:
        text = written(rule.pattern)
    if rule.condition is not None:
        text += f"\n  if {render_guard(rule.condition)}"
    if rule.window is not None:
        text += f"\n  within {human_period(rule.window)}"
    if rule.suppress is not None:
        by = ", ".join(render_guard(guard) for guard in rule.suppress.by)
        each = "once"
        if rule.suppress.every or rule.suppress.nth:
            each = f"every {rule.suppress.every}." if rule.suppress.every else f"the {rule.suppress.nth}."
        text += f"\n  {each}{' per ' + by if by else ''} in {human_period(rule.suppress.period)}"
    if rule.severity is not None or rule.tags:
        text += f"\n  {', '.join([*([] if rule.severity is None else [rule.severity]), *rule.tags])}"
    text += "".join([f"\n  {' '.join(each.split())}" for each in rule.references])
    return f"# {' '.join(rule.description.split())}\n{text}" if rule.description else text


def moment(instant: int | None) -> str:
    """`2026-11-15 20:00:00`: the second that it was."""
    return "-" if instant is None else exact(instant - instant % SECOND)


def exact(instant: int) -> str:
    """`2026-11-15 20:00:00.125`, with as much of the second as there is."""
    if not FIRST_INSTANT <= instant <= LAST_INSTANT:
        return f"{instant / SECOND:g} s"
    return render_instant(instant).replace("T", " ").removesuffix("Z")


def day_text(day: int) -> str:
    """`2026-11-15`."""
    year, month, number = date_from_days(day)
    return f"{year:04}-{month:02}-{number:02}"


def span_text(microseconds: int) -> str:
    """A length of time, as short as it can be said: `2m 5s`."""
    if abs(microseconds) < 1_000_000:
        return f"{microseconds / 1000:g} ms"
    seconds = microseconds // 1_000_000
    parts = [(seconds // 86_400, "d"), (seconds // 3600 % 24, "h"), (seconds // 60 % 60, "m"), (seconds % 60, "s")]
    return " ".join([f"{count}{unit}" for count, unit in parts if count][:2])


def counted(count: int, noun: str) -> str:
    """`1 event`, `2,000 events`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
