"""Patterns as a page draws them: the stored form of a pattern, in which guards and times are texts that people edit.

    {"is": "Where", "pattern": {...}, "guard": {"is": "guard", "text": "a.ip == b.ip"}}

What has no text that is read back as the same stays in its stored form, so that a drawing loses nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from tocsin.algebra.codec import from_record, to_record
from tocsin.algebra.guards import Guard
from tocsin.algebra.patterns import Pattern
from tocsin.errors import Source, TextError, TocsinError
from tocsin.languages.guards import parse_guard_text, render_guard
from tocsin.service.requests import RequestFault, RequestRefused
from tocsin.time.calendar import TimePoint, parse_time_point, render_time_point
from tocsin.time.spans import Period, parse_period, render_period

_GUARD: Final = "guard."


class _Text(NamedTuple):
    """How a part of a pattern is written and read."""

    shape: type
    render: Callable[[Any], str]
    parse: Callable[[str], object]


_TEXTS: Final[Mapping[str, _Text]] = {
    "guard": _Text(Guard, render_guard, lambda text: parse_guard_text(Source(text))),
    "period": _Text(Period, render_period, parse_period),
    "point": _Text(TimePoint, render_time_point, parse_time_point),
}


def drawing_of(pattern: Pattern) -> Any:
    """A pattern as it is drawn."""
    return _drawn(to_record(pattern))


def _drawn(record: object) -> Any:
    if isinstance(record, list):
        return [_drawn(each) for each in record]
    if not isinstance(record, dict):
        return record
    kind = _kind(str(record["is"]))
    text = None if kind is None else _text(record, _TEXTS[kind])
    if text is not None:
        return {"is": kind, "text": text}
    return {key: _drawn(value) for key, value in record.items()}


def _kind(shape: str) -> str | None:
    if shape.startswith(_GUARD):
        return "guard"
    return {"Period": "period", "TimePoint": "point"}.get(shape)


def _text(record: dict[str, Any], how: _Text) -> str | None:
    """A part as a text, if that is read as the same."""
    value: Any = from_record(record, how.shape, "part")
    try:
        text = how.render(value)
        return text if how.parse(text) == value else None
    except TocsinError:
        return None


def pattern_of(drawing: object) -> Pattern:
    """The pattern that is drawn; what is wrong with it is refused."""
    try:
        return from_record(_stored(drawing), Pattern)
    except RequestRefused:
        raise
    except TextError as error:
        message = "; ".join(fault.message for fault in error.faults)
        raise RequestRefused([RequestFault("drawing-invalid", message, "drawing")]) from None


def _stored(drawing: object) -> object:
    if isinstance(drawing, list):
        return [_stored(each) for each in drawing]
    if not isinstance(drawing, dict):
        return drawing
    how = _TEXTS.get(str(drawing.get("is")))
    if how is None:
        return {key: _stored(value) for key, value in drawing.items()}
    text = str(drawing.get("text", ""))
    try:
        return to_record(how.parse(text))
    except TocsinError as error:
        said = error.faults[0].message if isinstance(error, TextError) else str(error)
        expected = error.faults[0].expected if isinstance(error, TextError) else ""
        what = {"guard": "guard", "period": "time", "point": "time point"}[str(drawing["is"])]
        fault = RequestFault("drawing-invalid", f"{what} '{text[:100]}': {said}", "drawing", expected=expected)
        raise RequestRefused([fault]) from None
