"""What gathers single events until another comes: 002's `a * b` in a context that uses nothing up on the way.

Planner and engine both ask whether a pattern is of this shape: it then runs in a memory of its own.
"""

from __future__ import annotations

from dataclasses import dataclass

from tocsin.algebra.guards import Guard, Now, walk
from tocsin.algebra.patterns import Accumulate, Named, Pattern, Primitive, Where


@dataclass(frozen=True)
class GatheringShape:
    """What is gathered, what it is gathered for, and the names and guards around both, the innermost first."""

    each: Pattern
    last: Pattern
    around: tuple[Named | Where, ...]


def gathering_shape(pattern: Pattern) -> GatheringShape | None:
    """A pattern as a gathering of single events for a single event; nothing if it is none."""
    around: list[Named | Where] = []
    while isinstance(pattern, Named | Where):
        around.append(pattern)
        pattern = pattern.pattern
    if isinstance(pattern, Accumulate) and _is_single(pattern.each) and _is_single(pattern.last):
        return GatheringShape(pattern.each, pattern.last, tuple(reversed(around)))
    return None


def _is_single(pattern: Pattern) -> bool:
    """Whether it is an event, which is one whenever it is asked."""
    while isinstance(pattern, Named | Where):
        if isinstance(pattern, Where) and _asks_the_clock(pattern.guard):
            return False
        pattern = pattern.pattern
    return isinstance(pattern, Primitive)


def _asks_the_clock(guard: Guard) -> bool:
    return any(isinstance(part, Now) for part in walk(guard))
