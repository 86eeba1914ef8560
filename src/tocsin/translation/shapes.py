"""What the laws ask of patterns, and how they join guards."""

from __future__ import annotations

from tocsin.algebra.ends import floats, is_open
from tocsin.algebra.guards import Guard, joined
from tocsin.algebra.patterns import Both, Either, Named, Pattern, Primitive, Sequence, Where, walk


def are_closed(parts: tuple[Pattern, ...]) -> bool:
    """Nothing fluid, and nothing that hangs on a neighbour."""
    return not any(is_open(part) or floats(part) for part in parts)


def is_positive(pattern: Pattern) -> bool:
    """Whether it is made of events and what combines them: then it lies in a stretch of time if all its events do."""
    return all(isinstance(part, Primitive | Named | Where | Both | Either | Sequence) for part in walk(pattern))


def conjunction(tests: list[Guard]) -> Guard:
    return joined("&&", tests)
