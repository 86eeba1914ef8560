"""What a language can write, found out by asking its writer; and whether what it writes is read as it was meant."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from tocsin.algebra.guards import Literal, variables_of
from tocsin.algebra.names import bound, retyped, types_of
from tocsin.algebra.patterns import (
    Absence,
    AnyEvent,
    At,
    AtInstant,
    Automaton,
    Both,
    Either,
    Named,
    Pattern,
    Primitive,
    Sequence,
    Where,
    rebuild,
    walk,
)
from tocsin.algebra.rules import DEFINED, shown_name
from tocsin.errors import RuleError, TextError
from tocsin.languages import parse, render

UNGUARDED = frozenset(("eps", "global"))
"""Languages in which a guard is the condition of the whole rule."""


def writes(pattern: Pattern, language: str) -> bool:
    """Whether the language has the shape, whatever its operands are."""
    if isinstance(pattern, Where) and language in UNGUARDED:
        return True  # for now: `conditions` takes it out
    return _writes(_stripped(pattern), language)


@lru_cache(maxsize=10_000)
def _writes(pattern: Pattern, language: str) -> bool:
    try:
        render(pattern, language)
    except RuleError:
        return False
    return True


def _stripped(pattern: Pattern) -> Pattern:
    """The shape with events for its operands, except where an operand is a single event itself."""
    count = 0

    def event(part: Pattern) -> Pattern:
        nonlocal count
        count += 1
        if isinstance(part, Primitive) and isinstance(pattern, Named):
            return part
        return Named(f"x{count}", Primitive(f"t{count}"))

    return rebuild(pattern, event)


def blamed(pattern: Pattern, language: str) -> tuple[Pattern, RuleError] | None:
    """The innermost part that the language cannot write, with what it says; None where it can write everything."""
    for part in reversed(list(walk(pattern))):
        try:
            if not (isinstance(part, Where) and language in UNGUARDED and part is pattern):
                render(part, language)
        except RuleError as error:
            return part, error
    return None


def reads_back(pattern: Pattern, text: str, language: str, *, selects: bool) -> bool:
    """Whether the text means the pattern: every language gives a type that occurs once a variable of its own.

    Where the rule says itself what its data are, such a variable more changes nothing; but beside `any event`, which
    may be of that type, it would tell occurrences apart that were one.
    """
    try:
        read = parse(text, language)
    except TextError:
        return False
    if isinstance(pattern, Automaton) and isinstance(read, Automaton):
        # The run is a setting of the rule; what was defined before the expression is written by its name there.
        defined = {kind: shown_name(kind) for kind in types_of(pattern) if DEFINED in kind}
        return retyped(pattern.pattern, defined) == read.pattern
    one, other = normal(pattern), normal(read)
    if one == other:
        return True
    plain = selects and not any(isinstance(part, AnyEvent) for part in walk(pattern))
    return plain and _anonymous(one) == _anonymous(other)


def normal(pattern: Pattern) -> Pattern:
    """One form for what is written in two ways and means one thing in every context, order and time model."""
    pattern = rebuild(pattern, normal)
    match pattern:
        case At(point=point) if point.exact:
            return AtInstant(point.instant(), span=pattern.span)
        case Where(pattern=Absence(guard=None) as absence, guard=guard):
            if not variables_of(guard) & bound(absence.without).keys():
                return replace(absence, guard=guard, span=pattern.span)
        case Absence(guard=Literal(value=True)):
            return replace(pattern, guard=None)
        case Sequence(parts=(Sequence() as first, *rest)) if first.order is pattern.order:
            return replace(pattern, parts=(*first.parts, *rest))
        case Both(parts=(Both() as inner, *rest)):
            return replace(pattern, parts=(*inner.parts, *rest))
        case Either(parts=(Either() as choice, *rest)):
            return replace(pattern, parts=(*choice.parts, *rest))
    return pattern


def _anonymous(pattern: Pattern) -> Pattern:
    """The pattern without the variables that types are by themselves."""
    if isinstance(pattern, Named) and isinstance(pattern.pattern, Primitive) and pattern.name == pattern.pattern.type:
        return pattern.pattern
    return rebuild(pattern, _anonymous)
