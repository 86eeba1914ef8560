"""The attributes in which all events of a branch, those that must be absent included, are equal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tocsin.algebra.guards import Attribute, Binary, Guard, SourceOf
from tocsin.algebra.patterns import Pattern, Primitive
from tocsin.plan.searches import SOURCE, TYPE, Branch, Holds, Lacks, Leaf
from tocsin.plan.trees import slot_register

NOWHERE: Mapping[int, tuple[str, ...]] = {}


class NoKey(Exception):
    """Why a rule has no key."""


def shown(attribute: str) -> str:
    """An attribute of a key as people read it."""
    return {SOURCE: "source", TYPE: "type"}.get(attribute, attribute)


def branch_key(branch: Branch, by: str | None) -> dict[str, str] | None:
    """The key of one branch, which may have to be a certain attribute; None if it is a single event."""
    leaves = list(_leaves(branch))
    if len(leaves) == 1 and len(leaves[0][1]) == 1 and leaves[0][0].row is None and leaves[0][0].measured is None:
        return None
    same = Equal()
    for leaf, registers in leaves:
        if leaf.attribute is not None and leaf.same:
            for register in registers[1:]:
                same.unite((registers[0], leaf.attribute), (register, leaf.attribute))
        for attribute in leaf.group if leaf.row is None else leaf.row.same:
            for register in registers:
                same.unite((registers[0], attribute), (register, attribute))
        for attribute in () if leaf.measured is None else leaf.measured.same:
            same.unite((registers[0], attribute), (registers[0], attribute))
    for one, other in _equalities(branch):
        same.unite(one, other)
    # What an aggregate counts is of its group alone: it can be told apart by nothing else.
    told = {registers[0]: leaf.measured.same for leaf, registers in leaves if leaf.measured is not None}
    return covering(same, {register: type_of(leaf) for leaf, registers in leaves for register in registers}, by, told)


def covering(
    same: Equal, types: Mapping[int, str], by: str | None, among: Mapping[int, tuple[str, ...]] = NOWHERE
) -> dict[str, str]:
    """For each type the attribute of a class that has one of every register; `by` it must be, if that is given.

    Of some registers it must be `among` certain attributes.
    """
    conflict = ""
    for members in same.classes():
        members = {(register, name) for register, name in members if name in among.get(register, (name,))}
        if by is not None:
            members = {(register, name) for register, name in members if name == by}
        if {register for register, _ in members} != types.keys():
            continue
        key: dict[str, str] = {}
        for register, name in sorted(members):
            if key.setdefault(types[register], name) != name:
                conflict = f"events of type {types[register]} are compared by different attributes"
                break
        else:
            return key
    nothing = "no attribute is equal in all its events"
    raise NoKey(conflict or (nothing if by is None else f"its events are not known to be equal in '{by}'"))


def type_of(leaf: Leaf) -> str:
    """The type of the events that a leaf stands for."""
    assert isinstance(leaf.pattern, Primitive)
    return leaf.pattern.type


def _leaves(branch: Branch) -> Iterator[tuple[Leaf, tuple[int, ...]]]:
    """Its leaves, and those of what must be absent."""
    yield from branch.leaves
    for constraint in branch.constraints:
        if isinstance(constraint, Lacks):
            # The alternatives of what is absent number their registers alike: they are told apart by a large step.
            for place, inner in enumerate(constraint.branches):
                for leaf, registers in _leaves(inner):
                    yield leaf, tuple(_apart(register, place) for register in registers)


def _apart(register: int, place: int) -> int:
    return register + place * 1_000_000


def _equalities(
    branch: Branch, around: frozenset[int] = frozenset()
) -> Iterator[tuple[tuple[int, str], tuple[int, str]]]:
    """The pairs of a register and an attribute that a branch asks to be equal; `around` it are other registers."""
    own = around.union(register for _, registers in branch.leaves for register in registers)
    for constraint in branch.constraints:
        if isinstance(constraint, Holds):
            pair = _equality(constraint)
            if pair is not None:
                yield pair
        elif isinstance(constraint, Lacks):
            for place, inner in enumerate(constraint.branches):
                for one, other in _equalities(inner, own):
                    yield _moved(one, own, place), _moved(other, own, place)


def _moved(node: tuple[int, str], own: frozenset[int], place: int) -> tuple[int, str]:
    return node if node[0] in own else (_apart(node[0], place), node[1])


def _equality(holds: Holds) -> tuple[tuple[int, str], tuple[int, str]] | None:
    guard = holds.guard
    if not isinstance(guard, Binary) or guard.operator != "==":
        return None
    trees = dict(holds.variables)
    one, other = _node(guard.left, trees), _node(guard.right, trees)
    return None if one is None or other is None else (one, other)


def _node(guard: Guard, trees: dict[str, Pattern]) -> tuple[int, str] | None:
    """The register and attribute that a side of an equality is."""
    match guard:
        case Attribute(variable=variable, name=name):
            pass
        case SourceOf(variable=variable):
            name = SOURCE
        case _:
            return None
    if variable not in trees:
        return None
    register = slot_register(trees[variable])
    return None if register < 0 else (register, name)


class Equal:
    """Nodes in classes of equals."""

    def __init__(self) -> None:
        self._class_of: dict[tuple[int, str], set[tuple[int, str]]] = {}

    def unite(self, one: tuple[int, str], other: tuple[int, str]) -> None:
        """Notes that two are equal."""
        mine, theirs = self._class_of.setdefault(one, {one}), self._class_of.setdefault(other, {other})
        if mine is not theirs:
            mine |= theirs
            for each in theirs:
                self._class_of[each] = mine

    def classes(self) -> list[set[tuple[int, str]]]:
        """All classes."""
        return list({id(each): each for each in self._class_of.values()}.values())
