"""Leaves that a guard says are one event (`h == g`) made one leaf: nothing has to be looked for twice.

003's way of waiting for what has not come names an event twice, `{h:beat ; t:(g:beat + [30*sec])} ! n when h == g`.
Searched for as two leaves, each beat would be tried with every other.
"""

from __future__ import annotations

from dataclasses import replace

from tocsin.algebra.guards import Binary, Reference
from tocsin.plan.searches import Branch, Constraint, Holds, Leaf
from tocsin.plan.trees import slot_register
from tocsin.planner.registers import renumbered_branch


def unified(branch: Branch) -> Branch:
    """`branch` with leaves that must be one event as one."""
    for constraint in branch.constraints:
        pair = _same(constraint, branch)
        if pair is not None:
            return unified(_without(branch, constraint, *pair))
    return branch


def _same(constraint: Constraint, branch: Branch) -> tuple[int, int] | None:
    """The registers of two leaves that a guard says are one event, in order, if they can be one leaf."""
    if not isinstance(constraint, Holds):
        return None
    guard = constraint.guard
    if not (isinstance(guard, Binary) and guard.operator == "=="):
        return None
    trees = dict(constraint.variables)
    sides = [trees.get(side.variable) for side in (guard.left, guard.right) if isinstance(side, Reference)]
    registers = sorted(slot_register(tree) for tree in sides if tree is not None)
    leaves = {numbers[0]: leaf for leaf, numbers in branch.leaves if len(numbers) == 1}
    if len(registers) < 2 or not all(register in leaves for register in registers):
        return None
    one, other = registers
    if one == other or _bare(leaves[one]) != _bare(leaves[other]):
        return None
    # What waits together stands in registers of its own.
    return None if any({one, other} <= set(wait.registers) for wait in branch.waits) else (one, other)


def _bare(leaf: Leaf) -> Leaf:
    return replace(leaf, conditions=())


def _both(leaf: Leaf, other: Leaf) -> Leaf:
    return replace(leaf, conditions=tuple(dict.fromkeys((*leaf.conditions, *other.conditions))))


def _without(branch: Branch, guard: Constraint, one: int, other: int) -> Branch:
    """The branch without a guard and without the leaf `other`, which is the same event as `one`."""
    total = sum(len(registers) for _, registers in branch.leaves)
    numbers = {register: one if register == other else register - (register > other) for register in range(total)}
    (more,) = (leaf for leaf, registers in branch.leaves if registers == (other,))
    leaves = tuple(
        (_both(leaf, more) if one in each else leaf, each) for leaf, each in branch.leaves if each != (other,)
    )
    kept = tuple(each for each in branch.constraints if each is not guard)
    return renumbered_branch(replace(branch, constraints=kept, leaves=leaves), numbers)
