"""Which absences bar the way back: what is met between a row and what follows it is met after all older rows, too."""

from __future__ import annotations

from tocsin.algebra.guards import variables_of
from tocsin.plan.searches import (
    Absent,
    Before,
    Check,
    Edge,
    Holds,
    Point,
    RunLeaf,
    Shifted,
    Step,
    registers_of,
    tree_registers,
)


def bars_older(check: Check, register: int) -> bool:
    """Whether something must be absent of which no more is asked, as far as a row goes, than to come after its end."""
    return isinstance(check, Absent) and all(_is_after(step, register) for each in check.searches for step in each)


def _is_after(step: Step, register: int) -> bool:
    """Whether what a step looks for is there for an older row, if it is there for the one in a register."""
    if isinstance(step.leaf, RunLeaf) or not step.leaf.is_single or step.differs or step.takes_arrival:
        return False
    points = [*step.before, *[point for point, _ in (*step.no_sooner, *step.no_later)]]
    if any(_is_about(point, register) for point in points) or any(of == register for _, (of, _) in step.key):
        return False
    if any(_is_about(point, register) and not _is_end(point, register) for point in step.after):
        return False
    return all(_allows(each, register) for each in (*step.checks, *step.implied))


def _allows(check: Check, register: int) -> bool:
    match check:
        case Before(left=left, right=right, or_equal=or_equal, same=same):
            if _is_about(right, register):
                return False
            return not _is_about(left, register) or (_is_end(left, register) and not same and not or_equal)
        case Holds(guard=guard, variables=variables):
            named = variables_of(guard)
            return not any(register in tree_registers(tree) for name, tree in variables if name in named)
    return False


def _is_about(point: Point, register: int) -> bool:
    return register in registers_of(point)


def _is_end(point: Point, register: int) -> bool:
    """Whether a point is the end of the event in a register, or a fixed time from it."""
    while isinstance(point, Shifted) and not point.period.years and not point.period.months:
        point = point.point
    return point == Edge(register)
