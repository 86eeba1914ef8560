"""Notification texts: `Room {x.room} is cold since {@x}`. What stands in braces is a guard expression.

`languages.notifications` reads any expression there. A rule that was made without it has `{x.attr}`, `{@x}` and the
like, which need no grammar.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from tocsin.algebra.guards import Attribute, End, Guard, Reference, SourceOf, Start
from tocsin.algebra.rules import Rule
from tocsin.errors import Fault, RuleError, Span

_PIECE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]|[^{}]+")
_HOLE = re.compile(r"\s*(@|\|@|\$)?([^\W\d]\w*)(?:\.([^\W\d]\w*))?\s*")


def pieces_of(rule: Rule) -> tuple[str | Guard, ...]:
    """What a rule's notification is made of; nothing if it has none."""
    return rule.message or (() if rule.notify is None else parse_template(rule.notify, plain_hole))


def parse_template(text: str, hole: Callable[[str, Span], Guard]) -> tuple[str | Guard, ...]:
    """The pieces of a notification text: plain text, and what to put between, which `hole` reads."""
    pieces: list[str | Guard] = []
    for match in _PIECE.finditer(text):
        found = match.group()
        if found in ("{{", "}}"):
            pieces.append(found[0])
        elif match.group(1) is not None:
            pieces.append(hole(match.group(1), Span(*match.span())))
        elif found in ("{", "}"):
            fault = Fault(
                f"a single '{found}' in a notification", Span(*match.span()), "{x.attribute}, or {{ for a brace"
            )
            raise RuleError(fault)
        else:
            pieces.append(found)
    return tuple(pieces)


def plain_hole(text: str, span: Span) -> Guard:
    """A variable, an attribute, a time or a source."""
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
