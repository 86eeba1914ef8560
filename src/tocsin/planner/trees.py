"""What is asked of a branch's tree: which register a leaf has, the tree with other registers, the extreme of points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tocsin.algebra.patterns import Absence, Named, Pattern, Where, rebuild
from tocsin.plan import Chosen, Closed, Delayed, Extreme, Opened, Point, Slot


def slot_register(tree: Pattern) -> int:
    """The register of a leaf under whatever names and guards; -1 for anything else."""
    while isinstance(tree, Named | Where):
        tree = tree.pattern
    return tree.register if isinstance(tree, Slot) else -1


def renumbered(tree: Pattern, registers: Mapping[int, int]) -> Pattern:
    """A branch's tree with its registers changed."""
    if isinstance(tree, Slot):
        return replace(tree, register=registers[tree.register])  # it may be more than a plain slot
    if isinstance(tree, Chosen):
        return replace(tree, registers=tuple(registers[register] for register in tree.registers))
    match tree:
        # What must be absent and the pattern as it was written have no registers.
        case Absence(first=first, last=last):
            return replace(tree, first=renumbered(first, registers), last=renumbered(last, registers))
        case Delayed(pattern=inner) | Closed(pattern=inner) | Opened(pattern=inner):
            return replace(tree, pattern=renumbered(inner, registers))
    return rebuild(tree, lambda part: renumbered(part, registers))


def extreme(points: list[Point], is_latest: bool) -> Point:
    """The latest or earliest of some points, in the plainest form."""
    flat = dict.fromkeys(
        inner
        for point in points
        for inner in (point.of if isinstance(point, Extreme) and point.is_latest == is_latest else (point,))
    )
    return next(iter(flat)) if len(flat) == 1 else Extreme(tuple(flat), is_latest)
