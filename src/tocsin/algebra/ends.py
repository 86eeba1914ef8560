"""Rigid and fluid ends (004 section III.B): those that an event of the pattern fixes, and those its surroundings do."""

from __future__ import annotations

from tocsin.algebra.patterns import (
    Both,
    Either,
    Named,
    Never,
    Order,
    Pattern,
    Repeat,
    Sequence,
    Where,
    Within,
)


def front_is_fluid(pattern: Pattern) -> bool:
    """True where nothing inside says when `pattern` begins."""
    match pattern:
        case Never():
            return True
        case Named(pattern=inner) | Where(pattern=inner) | Repeat(pattern=inner):
            return front_is_fluid(inner)
        case Both(parts=parts) | Either(parts=parts):
            return any(front_is_fluid(part) for part in parts)
        case Sequence(parts=parts, order=Order.GAP):
            return front_is_fluid(parts[0])
    return False


def back_is_fluid(pattern: Pattern) -> bool:
    """True where nothing inside says when `pattern` ends."""
    match pattern:
        case Never():
            return True
        case Named(pattern=inner) | Where(pattern=inner) | Repeat(pattern=inner):
            return back_is_fluid(inner)
        case Both(parts=parts) | Either(parts=parts):
            return any(back_is_fluid(part) for part in parts)
        case Sequence(parts=parts, order=Order.GAP):
            return back_is_fluid(parts[-1])
    return False


def is_open(pattern: Pattern) -> bool:
    """True where an end is left to the surroundings."""
    return front_is_fluid(pattern) or back_is_fluid(pattern)


def floats(pattern: Pattern) -> bool:
    """True for `F in w` with F fluid at both ends: its window hangs on the neighbour, not on F."""
    return isinstance(pattern, Within) and front_is_fluid(pattern.pattern) and back_is_fluid(pattern.pattern)
