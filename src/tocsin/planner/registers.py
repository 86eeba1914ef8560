"""A branch with other registers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tocsin.plan.searches import Before, Branch, Consecutive, Constraint, Due, Holds, Lacks, Stamped, StillInARow, Wait
from tocsin.plan.trees import numbered_point, renumbered


def renumbered_branch(branch: Branch, numbers: Mapping[int, int]) -> Branch:
    """A branch with some registers changed. Those of what must be absent follow all others, and stay."""
    return _branch(branch, _Numbers(numbers))


def renumbered_lacks(lacks: Lacks, numbers: Mapping[int, int]) -> Lacks:
    """What must be absent, with some registers of the branch around it changed."""
    known = _Numbers(numbers)
    return replace(lacks, branches=tuple(_branch(each, known) for each in lacks.branches))


class _Numbers(dict[int, int]):
    def __missing__(self, register: int) -> int:
        return register


def _branch(branch: Branch, numbers: Mapping[int, int]) -> Branch:
    return replace(
        branch,
        tree=renumbered(branch.tree, numbers),
        start=numbered_point(branch.start, numbers),
        end=numbered_point(branch.end, numbers),
        leaves=tuple((leaf, tuple(numbers[register] for register in each)) for leaf, each in branch.leaves),
        constraints=tuple(_constraint(each, numbers) for each in branch.constraints),
        waits=tuple(_wait(each, numbers) for each in branch.waits),
    )


def _constraint(constraint: Constraint, numbers: Mapping[int, int]) -> Constraint:
    match constraint:
        case Before(left=left, right=right):
            return replace(constraint, left=numbered_point(left, numbers), right=numbered_point(right, numbers))
        case Due(point=point):
            return replace(constraint, point=numbered_point(point, numbers))
        case Holds(variables=variables):
            return replace(constraint, variables=tuple((name, renumbered(tree, numbers)) for name, tree in variables))
        case Stamped(left=left, right=right):
            return replace(constraint, left=renumbered(left, numbers), right=renumbered(right, numbers))
        case Lacks(branches=inner):
            return replace(constraint, branches=tuple(_branch(each, numbers) for each in inner))
        case Consecutive(registers=registers) | StillInARow(registers=registers):
            return replace(constraint, registers=tuple(numbers[register] for register in registers))


def _wait(wait: Wait, numbers: Mapping[int, int]) -> Wait:
    return replace(
        wait,
        registers=tuple(numbers[register] for register in wait.registers),
        point=numbered_point(wait.point, numbers),
        start=numbered_point(wait.start, numbers),
    )
