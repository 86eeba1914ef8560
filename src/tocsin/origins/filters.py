"""Conditions on an event in patterns of EPL and Siddhi: `b=B(n > a.n)`, `e2=B[n > e1.n]`."""

from __future__ import annotations

from collections.abc import Collection

from tocsin.algebra.guards import Attribute, Guard
from tocsin.algebra.patterns import THIS
from tocsin.languages.lexer import Token
from tocsin.origins.conditions import Conditions
from tocsin.origins.words import Words, mistake, refusal


class FilterConditions(Conditions):
    """A bare name is an attribute of the event itself, which has the names `own`; `a.n` is of an event before it."""

    def __init__(self, words: Words, tags: Collection[str], own: Collection[str | None]) -> None:
        super().__init__(words)
        self.tags, self.own = tags, own

    def named(self, first: Token) -> Guard:
        """An attribute of the event, or of one before it."""
        words = self.words
        if words.at("(") or words.at(":"):
            raise refusal(f"the function '{first.text}'", first, "compare the attributes themselves")
        if words.at("["):
            raise refusal("one of several events", words.token, "compare with an event that stands alone")
        if not words.accept("."):
            return Attribute(THIS, first.text, span=first.span)
        column = words.name("an attribute")
        span = words.span_from(first.start)
        if words.at("(") or words.at("."):
            raise refusal("a method of a value", words.token, "compare the attribute itself")
        if first.text in self.own:
            return Attribute(THIS, column.text, span=span)
        if first.text not in self.tags:
            message = f"'{first.text}', which no event before it is called"
            raise mistake(message, span, "name an event that comes before")
        return Attribute(first.text, column.text, span=span)


class TwoValued(FilterConditions):
    """Those of Siddhi, where nothing is unknown."""

    knows_unknown = False
