"""Differences for people: what was expected beside what was found, the events, and the order that made it so."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from tocsin.events import Arrival, Detection, Event
from tocsin.formats import TimeStyle
from tocsin.formats.writers import display_width, timely, to_json
from tocsin.testing.cases import Case, Wanted
from tocsin.testing.comparison import Comparison, Different, field_of, wanted_field
from tocsin.testing.expectations import TIMES
from tocsin.testing.verdicts import Misorder, Outcome
from tocsin.time.spans import Period, human_period

MOST_EVENTS: Final = 30
MOST_DETECTIONS: Final = 30
_WIDEST: Final = 70
Row = tuple[str, ...]


def failure(outcomes: Sequence[Outcome], seed: int) -> list[str]:
    """All that went wrong with a case, in whichever runtimes; the same thing is told once."""
    case = outcomes[0].case
    told: dict[tuple[str, ...], list[str]] = {}
    for outcome in outcomes:
        if not outcome.is_good:
            told.setdefault(tuple(_of(outcome, seed)), []).append(outcome.runtime)
    lines = []
    for text, runtimes in told.items():
        lines += [f"in {', '.join(runtimes)}:", *(f"  {line}" for line in text)]
    if any(outcome.is_good for outcome in outcomes) or len(told) > 1:
        lines.append("The runtimes differ, which no rule should make them do: please report this as a fault of Tocsin.")
    if case.refusal is None:
        lines += ["given, in order of arrival:", *(f"  {line}" for line in events_table(case.given, case.style))]
    return lines


def hint(case: Case, outcomes: Iterable[Outcome], events: str) -> str | None:
    """The command that tells why a rule fired or did not."""
    first = next((each for outcome in outcomes for each in _concerned(outcome)), None)
    if first is None or not case.rules_files:
        return None
    rule, names = first
    known = {event.id for event in case.given if isinstance(event, Event)}
    asked = [word for name in names if name in known for word in ("--event", name)]
    return shlex.join(["tocsin", "why", *case.rules_files, *case.flags, "--events", events, "--rule", rule, *asked])


def _concerned(outcome: Outcome) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The rules that did not do what was expected, with the events in question; those that were to fire first."""
    comparison = outcome.comparison
    for wanted in comparison.missing:
        if wanted.rule is not None:
            yield wanted.rule, wanted.events
    yield from ((each.found.rule, each.wanted.events) for each in comparison.different)
    yield from ((one.rule, one.events) for one in comparison.unexpected)
    yield from ((each.rule, ()) for each in comparison.miscounts if each.rule is not None)
    if outcome.misorder is not None:
        yield from ((one.rule, one.events) for one in (*outcome.misorder.lost, *outcome.misorder.new))


def _of(outcome: Outcome, seed: int) -> list[str]:
    case, lines = outcome.case, list[str]()
    if outcome.trouble is not None:
        lines += outcome.trouble.split("\n")
    lines += comparison_lines(outcome.comparison, case)
    if outcome.misorder is not None:
        lines += misorder_lines(outcome.misorder, outcome, seed)
    notes = outcome.notes
    for reason, count in (*notes.refused.items(), *notes.dropped.items()):
        lines.append(f"{count} event{'s' * (count > 1)} refused: {reason}")
    if notes.ignored and not outcome.is_good:
        lines.append(f"events of undeclared classes are ignored: {', '.join(notes.ignored)}")
    return lines + list(notes.warnings)


def comparison_lines(comparison: Comparison, case: Case) -> list[str]:
    """What is missing (-), unexpected (+), different (~) and as expected, as a table."""
    lines = []
    for each in comparison.miscounts:
        what = "detections" if each.rule is None else f"detections of {each.rule}"
        lines.append(f"{what}: expected {each.wanted or 'none'}, found {each.found or 'none'}")
    times = _event_times(case)
    rows: list[tuple[Row, list[str]]] = []
    rows += [(("-", *_wanted_cells(wanted, case.style, times), "missing"), []) for wanted in comparison.missing]
    for near in comparison.different:
        rows.append((("~", *_cells(near.found, case.style, times), "different"), _fields(near, case.style)))
    rows += [(("+", *_cells(one, case.style, times), "unexpected"), []) for one in comparison.unexpected]
    good = comparison.as_expected
    if not comparison.is_good:
        rows += [
            ((" ", *_cells(one, case.style, times), "found" if comparison.miscounts else "as expected"), [])
            for one in good
        ]
    return lines + _table(rows)


def misorder_lines(misorder: Misorder, outcome: Outcome, seed: int) -> list[str]:
    """An order of arrival that changes what is detected, and the change."""
    case = outcome.case
    assert case.delay is not None
    most = human_period(Period.of(microseconds=case.delay))
    small = ", made as small as can be" if misorder.is_least else ""
    times = _event_times(case)
    rows = [(("-", *_cells(one, case.style, times), "lost"), list[str]()) for one in misorder.lost]
    rows += [(("+", *_cells(one, case.style, times), "new"), []) for one in misorder.new]
    return [
        f"the order of arrival changes what is detected, with no event more than {most} late",
        f"(order {outcome.orders}, seed {seed}{small}):",
        *(f"  {line}" for line in events_table(misorder.arrivals, case.style, with_arrival=True)),
        "compared with the order in which the events are given:",
        *_table(rows),
    ]


def events_table(arrivals: Sequence[Arrival], style: TimeStyle, with_arrival: bool = False) -> list[str]:
    """The events as aligned lines; a late one says how late."""
    rows: list[Row] = []
    for one in arrivals[:MOST_EVENTS]:
        if not isinstance(one, Event):
            rows.append((style.text(one.time), "", "(heartbeat)", one.source, "", ""))
            continue
        time = style.text(one.end) if one.start == one.end else f"[{style.text(one.start)}, {style.text(one.end)}]"
        late = one.arrival - one.end
        note = f"{human_period(Period.of(microseconds=late))} late" if late > 0 else ""
        rows.append((time, one.id, one.type, one.source, _data(one.data, style), note))
        if with_arrival:
            rows[-1] = (f"at {style.text(one.arrival)}", *rows[-1])
    lines = aligned(rows)
    if len(arrivals) > MOST_EVENTS:
        lines.append(f"... and {len(arrivals) - MOST_EVENTS} more")
    return lines or ["no events"]


def fired(found: Iterable[Detection]) -> str:
    """Which rules fired, and how often: `link_dead 2, flapping`."""
    counts: dict[str, int] = {}
    for one in found:
        counts[one.rule] = counts.get(one.rule, 0) + 1
    return ", ".join(rule if count == 1 else f"{rule} {count}" for rule, count in counts.items()) or "nothing"


def aligned(rows: Sequence[Row], gap: str = "  ") -> list[str]:
    """Rows as lines with their cells in columns; a column that is empty everywhere is left out."""
    if not rows:
        return []
    shown = [[_cut(cell) for cell in row] for row in rows]
    widths = [max(display_width(row[place]) for row in shown) for place in range(len(rows[0]))]
    kept = [place for place, width in enumerate(widths) if width]
    return [
        gap.join(row[place] + " " * (widths[place] - display_width(row[place])) for place in kept).rstrip()
        for row in shown
    ]


def _table(rows: Sequence[tuple[Row, list[str]]]) -> list[str]:
    """Rows with a heading, each with the lines that belong to it below."""
    if not rows:
        return []
    shown = rows[:MOST_DETECTIONS]
    has_type = any(cells[2] not in ("", cells[1]) for cells, _ in shown)
    kept = [(*cells[:2], cells[2] if has_type else "", *cells[3:]) for cells, _ in shown]
    names = ("", "rule", "type", "time", "events", "data", "")
    heading = tuple(name if any(row[place] for row in kept) else "" for place, name in enumerate(names))
    lines = aligned([heading, *kept])
    made = [lines[0]]
    for line, (_, below) in zip(lines[1:], shown, strict=True):
        made += [line, *(f"       {each}" for each in below)]
    if len(rows) > len(shown):
        made.append(f"  ... and {len(rows) - len(shown)} more")
    return made


def _cells(one: Detection, style: TimeStyle, times: Mapping[str, str]) -> Row:
    says = one.notification if one.notification is not None else _data(one.data, style)
    return (one.rule, one.type, style.text(one.time_us), _ids(one.events, times), says)


def _wanted_cells(wanted: Wanted, style: TimeStyle, times: Mapping[str, str]) -> Row:
    fields = wanted.fields
    time, events, data = fields.get("time"), fields.get("events"), fields.get("data")
    says = fields.get("notification")
    if says is None:
        says = _data(data, style) if isinstance(data, Mapping) else ""
    rule = wanted.rule or "(any rule)"
    return (
        rule,
        str(fields.get("type", "")),
        style.text(time) if isinstance(time, int) else "",
        _ids(events, times) if isinstance(events, tuple) else "",
        str(says),
    )


def _fields(different: Different, style: TimeStyle) -> list[str]:
    """The fields that differ, expected and found one below the other."""
    rows: list[Row] = []
    for name in different.fields:
        wanted = _shown(name, wanted_field(different.wanted, name), style)
        found = _shown(name, field_of(different.found, name, style), style)
        rows += [(name, "expected", wanted), ("", "found", found)]
    return aligned(rows)


def _shown(name: str, value: object, style: TimeStyle) -> str:
    if name in TIMES and isinstance(value, int):
        return style.text(value)
    if name == "events" and isinstance(value, tuple):
        return " ".join(value) or "(no event)"
    if value is None:
        return "(nothing)"
    return value if isinstance(value, str) and name in ("rule", "type") else to_json(value)


def _event_times(case: Case) -> dict[str, str]:
    return {event.id: case.style.text(event.end) for event in case.given if isinstance(event, Event)}


def _ids(names: Sequence[str], times: Mapping[str, str]) -> str:
    """Ids with the times of their events, so that nobody has to look them up."""
    return " ".join(f"{name}@{times[name]}" if name in times else f"{name}@?" for name in names) or "(no event)"


def _data(data: Mapping[str, object], style: TimeStyle) -> str:
    return " ".join(f"{name}={to_json(timely(value, style))}" for name, value in data.items())


def _cut(cell: str) -> str:
    """A cell on one line and not too wide."""
    beginning = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in cell[: _WIDEST + 1])
    return beginning if len(cell) <= _WIDEST else beginning[: _WIDEST - 3] + "..."
