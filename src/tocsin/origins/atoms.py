"""Core expressions, put together: what other engines' patterns come down to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tocsin.algebra.guards import Guard
from tocsin.algebra.patterns import (
    Alternation,
    Atom,
    Automaton,
    Concatenation,
    Described,
    EventSet,
    Pattern,
    Run,
    Union,
)
from tocsin.algebra.rules import Rule
from tocsin.errors import Span
from tocsin.time.periods import Period

CORE = "core"
PRETTY = "pretty"


@dataclass(frozen=True)
class Told:
    """What a rule says besides its pattern."""

    name: str
    select: tuple[tuple[str, Guard], ...] = ()
    window: Period | None = None
    span: Span | None = None
    partition: tuple[str, ...] = ()


def in_core(pattern: Pattern, run: Run, told: Told, step: str = "") -> Rule:
    """A rule of the core language. `step`: the variable to which the run skips."""
    automaton = Automaton(pattern, run, step, span=told.span)
    return Rule(
        told.name,
        automaton,
        CORE,
        window=told.window,
        select=told.select,
        partition=told.partition,
        span=told.span,
    )


def chain(parts: Sequence[Pattern]) -> Pattern:
    """One weakly after the other: at one instant by source and arrival."""
    flat: list[Pattern] = []
    for part in parts:
        flat += part.parts if isinstance(part, Concatenation) and not part.strong else [part]
    return flat[0] if len(flat) == 1 else Concatenation(tuple(flat), strong=False, span=flat[0].span)


def either(parts: Sequence[Pattern]) -> Pattern:
    """Any one of the parts."""
    flat = [inner for part in parts for inner in (part.parts if isinstance(part, Alternation) else (part,))]
    return flat[0] if len(flat) == 1 else Alternation(tuple(flat), span=flat[0].span)


def among(sets: Sequence[EventSet]) -> EventSet:
    """Events of any of the sets, each once."""
    each = tuple(dict.fromkeys(sets))
    return each[0] if len(each) == 1 else Union(each)


def unnamed(events: Described) -> Described:
    """The same events without a name: what a state looks at has none."""
    return Described(events.type, events.guard, span=events.span)


def only(accepts: EventSet, looks: Sequence[EventSet] = ()) -> Atom:
    """The first of what is accepted; what is looked at besides ends the attempt."""
    if not looks:
        return Atom(accepts, span=accepts.span)
    own = [
        unnamed(each)
        for each in (accepts.sets if isinstance(accepts, Union) else (accepts,))
        if isinstance(each, Described)
    ]
    return Atom(accepts, among([*own, *looks]), span=accepts.span)


def free_label(taken: set[str], wanted: str = "T") -> str:
    """A name for a time event that no type has."""
    label, number = wanted, 1
    while label in taken:
        number += 1
        label = f"{wanted}{number}"
    return label
