"""Notification texts: `Room {x.room} is cold since {@x}`. What stands in braces is a small guard expression."""

from __future__ import annotations

import re

from tocsin.algebra.guards import Attribute, End, Guard, Reference, SourceOf, Start
from tocsin.errors import Fault, RuleError, Span

_PIECE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]|[^{}]+")
_HOLE = re.compile(r"\s*(@|\|@|\$)?([^\W\d]\w*)(?:\.([^\W\d]\w*))?\s*")


def parse_template(text: str) -> tuple[str | Guard, ...]:
    """The pieces of a notification text: plain text, and what to put between."""
    pieces: list[str | Guard] = []
    for match in _PIECE.finditer(text):
        found = match.group()
        if found in ("{{", "}}"):
            pieces.append(found[0])
        elif match.group(1) is not None:
            pieces.append(_hole(match.group(1), Span(*match.span())))
        elif found in ("{", "}"):
            fault = Fault(
                f"a single '{found}' in a notification", Span(*match.span()), "{x.attribute}, or {{ for a brace"
            )
            raise RuleError(fault)
        else:
            pieces.append(found)
    return tuple(pieces)


def _hole(text: str, span: Span) -> Guard:
    match = _HOLE.fullmatch(text)
    sign, name, attribute = match.groups() if match else (None, None, None)
    if name is None or (sign and attribute):
        raise RuleError(
            Fault("this is not something a notification can show", span, "{x.attribute}, {@x}, {|@x} or {$x}")
        )
    if attribute is not None:
        return Attribute(name, attribute, span=span)
    kinds: dict[str | None, type[End] | type[Start] | type[SourceOf] | type[Reference]]
    kinds = {"@": End, "|@": Start, "$": SourceOf, None: Reference}
    return kinds[sign](name, span=span)
