"""Places in a text that a detection fills: `{temp}`, `{x.attr}`, `{rule}`, `{time}`; `{{` is a brace."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from tocsin.errors import Fault, RuleError, Span
from tocsin.events import Amendment, Detection
from tocsin.formats.instants import TimeStyle
from tocsin.formats.writers import timely, to_json

FIELDS: Final = ("rule", "type", "source", "start", "time", "detected", "events", "notification", "id")
"""What every detection has. An attribute of the same name is `{data.NAME}`."""

AMENDING: Final = ("amends", "change", "because")
"""... and what only an amendment has."""

_PIECE: Final = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]|[^{}]+")


class Unfilled(Exception):
    """A detection has nothing to put in a place."""


def parse_places(text: str) -> tuple[str | tuple[str], ...]:
    """The pieces of a text: what stands there, and the names of places, each in a tuple of its own."""
    pieces: list[str | tuple[str]] = []
    for match in _PIECE.finditer(text):
        found = match[0]
        if found in ("{{", "}}"):
            pieces.append(found[0])
        elif match[1] is not None:
            if not match[1].strip():
                raise RuleError(Fault("a place without a name", Span(*match.span()), "{attribute}, or {{ for a brace"))
            pieces.append((match[1].strip(),))
        elif found in ("{", "}"):
            raise RuleError(Fault(f"a single '{found}'", Span(*match.span()), "{attribute}, or {{ for a brace"))
        else:
            pieces.append(found)
    return tuple(pieces)


def filled(pieces: tuple[str | tuple[str], ...], one: Detection, style: TimeStyle) -> str:
    """The text for a detection; `Unfilled` where there is no value: a program is not run with half its words."""
    return "".join(piece if isinstance(piece, str) else _value(piece[0], one, style) for piece in pieces)


def _value(name: str, one: Detection, style: TimeStyle) -> str:
    if name in ("start", "time", "detected"):
        return style.text(getattr(one, f"{name}_us"))
    if name == "events":
        return " ".join(one.events)
    if name in FIELDS:
        return getattr(one, name) or ""
    if name in AMENDING and isinstance(one, Amendment):
        return str(getattr(one, name))
    data: Mapping[str, object] = one.data
    key = name if name in data else name.removeprefix("data.")
    if key not in data:
        raise Unfilled(f"there is no '{name}': {', '.join(data) or 'this detection has no data'}")
    value = timely(data[key], style)
    return value if isinstance(value, str) else "" if value is None else to_json(value)
