"""How deep a core expression nests, its sets and filters included; see `depth.py` for why it is bounded."""

from __future__ import annotations

from typing import TypeAlias

from tocsin.algebra.guards import Guard, operands
from tocsin.algebra.patterns import (
    Atom,
    Complement,
    Described,
    EventSet,
    Intersection,
    Pattern,
    Union,
    Widened,
    children,
)
from tocsin.errors import Fault, RuleError, Span
from tocsin.languages.depth import MAX_DEPTH, TOO_DEEP

Node: TypeAlias = Pattern | EventSet | Guard


def too_deep(root: Node, most: int = MAX_DEPTH) -> Fault | None:
    """The fault of what nests deeper than `most` levels, at the first part that does; else None."""
    waiting: list[tuple[Node, int]] = [(root, 0)]
    last: Span | None = None
    while waiting:
        node, depth = waiting.pop()
        last = node.span or last
        if depth > most:
            return Fault(TOO_DEEP, last)
        # An atom is no deeper than the set it is written as.
        waiting += [(part, depth if isinstance(node, Atom) else depth + 1) for part in reversed(_parts(node))]
    return None


def refuse_deep(root: Node) -> None:
    """Refuses what nests too deeply to be written or read."""
    if (fault := too_deep(root)) is not None:
        raise RuleError(fault)


def _parts(node: Node) -> tuple[Node, ...]:
    match node:
        case Atom(accepts=accepts, domain=None):
            return (accepts,)
        case Atom(accepts=accepts, domain=EventSet() as domain):
            return accepts, domain
        case Widened(pattern=inner, domain=domain):
            return inner, domain
        case Union(sets=sets) | Intersection(sets=sets):
            return sets
        case Complement(set=inner):
            return (inner,)
        case Described(guard=Guard() as guard):
            return (guard,)
        case Guard():
            return operands(node)
        case Pattern():
            return children(node)
    return ()
