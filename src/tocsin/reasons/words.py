"""Parts of a pattern in the words of the rule."""

from __future__ import annotations

from functools import lru_cache

from tocsin.algebra.automata import TIME_EVENT
from tocsin.algebra.guards import Guard
from tocsin.algebra.patterns import (
    AnyEvent,
    Complement,
    Described,
    EventSet,
    Everything,
    Intersection,
    Named,
    Pattern,
    Primitive,
    Union,
    Where,
)
from tocsin.algebra.rules import shown_name
from tocsin.errors import RuleError
from tocsin.languages.guard_text import render_guard
from tocsin.reasons.choices import Part

MOST_SHOWN = 60


@lru_cache(maxsize=10_000)
def written(pattern: Pattern) -> str:
    """A pattern as it was written, on one line; where its text is not known, as a language would write it."""
    if isinstance(pattern, Primitive):
        return pattern.type if pattern.site is None else f"{pattern.type}@{pattern.site}"
    if isinstance(pattern, Named) and isinstance(pattern.pattern, Primitive) and pattern.pattern.type == pattern.name:
        return written(pattern.pattern)
    span = pattern.span
    text = str(pattern) if span is None or span.source is None else span.source.text[span.start : span.stop]
    text = " ".join(text.split())
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 3]}..."


@lru_cache(maxsize=10_000)
def guard_text(guard: Guard) -> str:
    """A guard as every language writes it; made in Python, it may have values that none can write."""
    try:
        return render_guard(guard)
    except RuleError:
        return repr(guard)


def named_part(part: Part) -> str:
    """What a part is called: by its variable, by its type, or as it is written."""
    pattern = part.pattern
    while isinstance(pattern, Where):
        pattern = pattern.pattern
    if isinstance(pattern, Named):
        return pattern.name
    if isinstance(pattern, AnyEvent):
        return "any event"
    return written(pattern)


def timer_name(kind: str) -> str:
    """What the time event of an automaton is called, by its type."""
    return kind.removeprefix(TIME_EVENT).split(" ", 1)[-1]


def set_text(events: EventSet) -> str:
    """A describable set of events (001) in words."""
    match events:
        case Described(type=kind, guard=guard):
            name = timer_name(kind) if kind.startswith(TIME_EVENT) else shown_name(kind)
            return name if guard is None else f"{name}({guard_text(guard)})"
        case Everything():
            return "any event"
        case Union(sets=sets):
            return " or ".join(map(set_text, sets))
        case Intersection(sets=(Everything(), *rest)) if rest:
            return set_text(Intersection(tuple(rest))) if len(rest) > 1 else set_text(rest[0])
        case Intersection(sets=sets):
            return " and ".join(map(set_text, sets))
        case Complement(set=inner):
            return f"anything but {set_text(inner)}"
    return str(events)
