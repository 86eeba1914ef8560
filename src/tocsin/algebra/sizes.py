"""How many events an occurrence is looked for by: each of them may arrive last, and the others are then looked for."""

from __future__ import annotations

from typing import Final

from tocsin.algebra.patterns import Automaton, Either, Iteration, Named, Pattern, Repeat, Streak, Times, Where, children

MOST_SEARCHED: Final = 64
"""Events in one occurrence, with those of what must be absent, where an arrival is the last of them and the others are
searched for. That takes n plans of n steps: 64 are planned within a second or two of CPU, 200 took fifteen."""

MOST_PASSED_ON: Final = 400
"""... where nodes or states pass on what has come, as in automata and contexts that use up at every node."""
MOST_COUNTED: Final = 1_000_000
"""Events of one type that a repetition counts: each has a place, whether it has come or not."""


def size_of(pattern: Pattern) -> int:
    """How many events are looked for one by one in the largest of the alternatives of a pattern.

    A repetition of single events is looked for as one, whatever its count; one of anything else, copy by copy.
    """
    if isinstance(pattern, Automaton):
        return _states(pattern.pattern)
    inner = children(pattern)
    if not inner:
        return 1
    sizes = [size_of(each) for each in inner]
    if isinstance(pattern, Either):
        return max(sizes)
    if isinstance(pattern, Repeat) and not _is_event(pattern.pattern):
        return sizes[0] * max(pattern.most, 1)
    return sum(sizes)


def _states(pattern: Pattern) -> int:
    """The states of an automaton: one for each atom, alternatives too, as often as a number of times needs it."""
    inner = children(pattern)
    copies = pattern.copies if isinstance(pattern, Iteration) else 1
    return copies * sum(map(_states, inner)) if inner else 1


def places_of(pattern: Pattern) -> int:
    """How many events an occurrence has at least, in the largest of the alternatives of a pattern."""
    sizes = [places_of(each) for each in children(pattern)]
    match pattern:
        case Either():
            return max(sizes)
        case Times(count=count) | Streak(count=count) | Repeat(least=count):
            return sizes[0] * count
        case Iteration(least=count):
            return sizes[0] * max(count, 1)
    return sum(sizes) if sizes else 1


def most_events_of(pattern: Pattern) -> int:
    """How many events an occurrence has at most; what must be absent counts as if it were there."""
    sizes = [most_events_of(each) for each in children(pattern)]
    match pattern:
        case Either():
            return max(sizes)
        case Times(count=count) | Streak(count=count) | Repeat(most=count):
            return sizes[0] * count
        case Iteration():
            return sizes[0] * pattern.copies
    return sum(sizes) if sizes else 1


def _is_event(pattern: Pattern) -> bool:
    while isinstance(pattern, Named | Where):
        pattern = pattern.pattern
    return not children(pattern)
