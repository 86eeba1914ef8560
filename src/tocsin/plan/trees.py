"""What is asked of a branch's tree: which register a leaf has, the tree and points with other registers, extremes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from tocsin.algebra.patterns import Absence, Named, Never, Pattern, Where, children, rebuild
from tocsin.plan.searches import (
    Chosen,
    Closed,
    Copies,
    Delayed,
    Edge,
    Extreme,
    Moment,
    Opened,
    Point,
    Shifted,
    Slot,
    Spanned,
)


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
        case Copies(parts=parts):
            return replace(tree, parts=tuple(renumbered(part, registers) for part in parts))
        case Spanned(pattern=inner, start=start, end=end, over=over):
            return Spanned(
                renumbered(inner, registers),
                numbered_point(start, registers),
                numbered_point(end, registers),
                tuple((w, numbered_point(due, registers), numbered_point(begun, registers)) for w, due, begun in over),
            )
    return rebuild(tree, lambda part: renumbered(part, registers))


def with_points(tree: Pattern, change: Callable[[Point], Point]) -> Pattern:
    """A branch's tree with other points where it tells any."""
    match tree:
        case Slot() | Chosen():
            return tree
        case Absence(first=first, last=last):
            return replace(tree, first=with_points(first, change), last=with_points(last, change))
        case Delayed(pattern=inner) | Closed(pattern=inner) | Opened(pattern=inner):
            return replace(tree, pattern=with_points(inner, change))
        case Copies(parts=parts):
            return replace(tree, parts=tuple(with_points(part, change) for part in parts))
        case Spanned(pattern=inner, start=start, end=end, over=over):
            windows = tuple((window, change(due), change(begun)) for window, due, begun in over)
            return Spanned(with_points(inner, change), change(start), change(end), windows)
    return rebuild(tree, lambda part: with_points(part, change))


def numbered_point(point: Point, numbers: Mapping[int, int]) -> Point:
    """A point with its registers renumbered."""
    match point:
        case Edge(register=register, is_start=is_start):
            return Edge(numbers[register], is_start)
        case Extreme(of=points, is_latest=is_latest):
            return Extreme(tuple(numbered_point(each, numbers) for each in points), is_latest)
        case Shifted(point=inner, period=period):
            return Shifted(numbered_point(inner, numbers), period)
        case Moment():
            return point


def extreme(points: list[Point], is_latest: bool) -> Point:
    """The latest or earliest of some points, in the plainest form."""
    flat = dict.fromkeys(
        inner
        for point in points
        for inner in (point.of if isinstance(point, Extreme) and point.is_latest == is_latest else (point,))
    )
    return next(iter(flat)) if len(flat) == 1 else Extreme(tuple(flat), is_latest)


def occurring(pattern: Pattern) -> Iterator[Pattern]:
    """A pattern and what is in it, but for what must be absent."""
    yield pattern
    for part in children(pattern):
        if not isinstance(pattern, Never) and not (isinstance(pattern, Absence) and part is pattern.without):
            yield from occurring(part)
