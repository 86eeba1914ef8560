"""How deep a text may nest, and the refusal of what is deeper.

Whatever goes through a pattern afterwards (comparing, hashing, printing, checking, planning) recurses on it;
bounding the depth here, once, keeps every one of them within Python's stack.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from tocsin.algebra.guards import Guard, operands
from tocsin.algebra.patterns import Absence, Named, Pattern, Primitive, Where, children
from tocsin.errors import Fault, RuleError, Span

MAX_DEPTH: Final = 200
TOO_DEEP: Final = f"nested more than {MAX_DEPTH} levels deep"

Node: TypeAlias = Pattern | Guard


def too_deep(root: Node) -> Fault | None:
    """The fault of a pattern or guard whose parts nest too deeply, at the first part that does; else None."""
    waiting: list[tuple[Node, int]] = [(root, 0)]
    last: Span | None = None
    while waiting:
        node, depth = waiting.pop()
        last = node.span or last
        if depth > MAX_DEPTH:
            return Fault(TOO_DEEP, last)
        waiting.extend((part, depth + 1) for part in reversed(parts_of(node)))
    return None


def refuse_deep(root: Node) -> None:
    """Refuses a pattern or guard that nests too deeply to be written or read."""
    if (fault := too_deep(root)) is not None:
        raise RuleError(fault)


def parts_of(node: Node) -> tuple[Node, ...]:
    """What stands directly inside a pattern or guard, the guard of a pattern included; of a named leaf, nothing."""
    if isinstance(node, Guard):
        return operands(node)
    if isinstance(node, Named) and isinstance(node.pattern, Primitive):
        return ()  # a type that is its own variable is no deeper than it is written
    if isinstance(node, Where):
        return node.pattern, node.guard
    if isinstance(node, Absence) and node.guard is not None:
        return *children(node), node.guard
    return children(node)
