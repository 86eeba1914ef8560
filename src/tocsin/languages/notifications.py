"""Notification texts with any guard expression in their braces: `{count(f)} failures from {first(f.ip)}`."""

from __future__ import annotations

from dataclasses import replace

from tocsin.algebra.guards import Guard
from tocsin.algebra.rules import Rule
from tocsin.algebra.templates import parse_template, pieces_of
from tocsin.errors import Fault, RuleError, Source, Span
from tocsin.languages.guards import parse_guard_text, render_guard


def parse_notification(text: str, language: str = "", source: Source | None = None) -> tuple[str | Guard, ...]:
    """The pieces of the notification of a rule in that language. Faults have their places in `text`.

    `source`: where it stands, for faults that are found later.
    """

    def hole(inside: str, span: Span) -> Guard:
        try:
            guard = parse_guard_text(Source(inside), language)
            return guard if source is None else replace(guard, span=replace(span, source=source))
        except RuleError as error:
            wrong = error.faults[0]
            expected = wrong.expected or "an expression, as in {x.attribute}, {@x}, {count(x)}"
            raise RuleError(Fault(f"in the notification: {wrong.message}", span, expected, wrong.hint)) from None

    return parse_template(text, hole)


def render_notification(rule: Rule, language: str) -> str:
    """The notification of a rule as one in that language writes it: as it is written, if that reads the same there."""
    assert rule.notify is not None
    pieces = pieces_of(rule)
    if parse_notification(rule.notify, language) == pieces:
        return rule.notify
    return "".join(
        piece.replace("{", "{{").replace("}", "}}")
        if isinstance(piece, str)
        else f"{{{render_guard(piece, language)}}}"
        for piece in pieces
    )
