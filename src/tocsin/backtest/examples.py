"""A detection shown to people: when, of what, and as a timeline."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tocsin.backtest.document import Block, Paragraph, Picture, Table
from tocsin.backtest.findings import Example
from tocsin.backtest.words import exact, moment, span_text
from tocsin.draw.timeline import draw_timeline
from tocsin.formats.writers import to_json
from tocsin.time.instants import render_instant

MOST_EVENTS = 20
"""Events of one detection that are listed; the timeline shows all."""
LONGEST = 120


def example_blocks(example: Example, name: str) -> Iterator[Block]:
    """What there is to say about one detection; `name` is what its picture is called."""
    one = example.detection
    lasted = f", over {span_text(one.time_us - one.start_us)}" if one.time_us > one.start_us else ""
    about = f"{one.notification}. " if one.notification else ""
    later = f" Detected {exact(one.detected_us)}." if one.detected_us != one.time_us else ""
    key = f" Key {example.key}." if example.key is not None else ""
    yield Paragraph(f"{about}{moment(one.time_us)}{lasted}.{key}{later}")
    missing = len(set(one.events)) - len({event.id for event in example.events})
    rows = [
        [exact(event.end), event.type, event.source, event.id, attributes(event.data)]
        for event in example.events[:MOST_EVENTS]
    ]
    told = (
        [f"{len(example.events) - MOST_EVENTS:,} further events not listed."]
        if len(example.events) > MOST_EVENTS
        else []
    )
    told += [f"{missing:,} not found again in the history."] if missing else []
    if rows:
        yield Table(["time", "type", "source", "id", "attributes"], rows, " ".join(told))
    if one.start_us == one.time_us == one.detected_us and len(example.events) < 2:
        return  # a dot says no more than the table does
    svg = draw_timeline(example.events, [one], render_instant)
    yield Picture(name, svg, f"{one.rule}, {moment(one.time_us)}: events above, the detection below.")


def attributes(data: Mapping[str, object]) -> str:
    """An event's attributes on one line."""
    parts = (f"{name} = {value if isinstance(value, str) else to_json(value)}" for name, value in data.items())
    text = ", ".join(parts)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
