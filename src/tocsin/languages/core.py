"""The core language of 001 (Pietzuch, Shand & Bacon): regular expressions over sets of events, run as automata."""

from __future__ import annotations

from typing import Final

from tocsin.algebra.patterns import Automaton, Pattern
from tocsin.errors import Fault, RuleError, Source
from tocsin.languages.core_expressions import CoreReader, Definition
from tocsin.languages.core_text import CoreWriter

__all__ = ["NAME", "Definition", "parse", "parse_rules", "render"]

NAME: Final = "core"


def parse(source: Source) -> Pattern:
    """The expression that the whole text is, perhaps after definitions of sets."""
    definitions, detector = parse_rules(source)
    if definitions:
        first = definitions[0]
        what = "'||' inside an expression" if first.is_unnamed else f"'{first.name}'"
        message = f"{what} is a detector of its own, and here there can be only one"
        hint = "as a rule, in a rules file or with -e, an expression may have others"
        raise RuleError(source.place(Fault(message, definitions[0].span, hint=hint)))
    return detector


def parse_rules(source: Source) -> tuple[tuple[Definition, ...], Automaton]:
    """The detectors that are defined before the expression, and the expression, which knows them by their names."""
    return CoreReader(source).read()


def render(pattern: Pattern) -> str:
    """`pattern` as a core expression; parsing it gives `pattern` again. The run is a setting of the rule, not text."""
    if not isinstance(pattern, Automaton):
        # What another language made of one event is no automaton, and neither is a part of one.
        return CoreWriter(pattern).lacks(pattern)
    return CoreWriter(pattern.pattern).text()
