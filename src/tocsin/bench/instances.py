"""000's own algorithm in little: shared trees whose every node keeps its instances, and the four phases of section 6.

Here <-> paper: `Instance` an event instance; `users` the applications it has been used for, which `states` follows
from; `arrive` the first three phases, `collect` the fourth. It is written to count what is held, not to be fast.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import comb

from tocsin.algebra.patterns import Both, Either, Named, Pattern, Primitive, Sequence, Times


@dataclass(eq=False)
class Instance:
    """An occurrence of a node: primitive, or made of instances of the nodes below."""

    parts: tuple[Instance, ...]
    primitives: frozenset[int]
    time: int
    users: set[str] = field(default_factory=set)


@dataclass(eq=False)
class Node:
    """A node of the shared trees: which applications stand above it, and what it keeps."""

    pattern: Pattern
    children: list[Node]
    parents: list[Node] = field(default_factory=list)
    applications: list[str] = field(default_factory=list)
    above: set[str] = field(default_factory=set)
    instances: list[Instance] = field(default_factory=list)


Condition = Callable[[frozenset[int]], bool]


class SharedTrees:
    """Requests of applications as trees that share what they have in common."""

    def __init__(self, requests: Mapping[str, Pattern], conditions: Mapping[str, Condition]) -> None:
        self.nodes: dict[Pattern, Node] = {}
        self.notified: list[tuple[str, Instance]] = []
        self._conditions = conditions
        self._arrived = 0
        for application, pattern in requests.items():
            self._node(pattern, application).applications.append(application)

    @property
    def held(self) -> int:
        """Instances in all nodes."""
        return sum(len(node.instances) for node in self.nodes.values())

    def arrive(self, kind: str, *, notify: bool = True) -> int:
        """A primitive instance at its leaf: combinations up the tree, at most one notification for each application."""
        number = self._arrived
        self._arrived += 1
        reached: dict[str, list[Instance]] = {}
        self._add(self.nodes[Primitive(kind)], [Instance((), frozenset((number,)), number)], reached)
        if notify:
            self.notify(reached)
        return number

    def notify(self, reached: Mapping[str, list[Instance]]) -> None:
        """The second and third phases: one that meets the condition, and all that have an event in common with it."""
        for application, found in reached.items():
            chosen = next((one for one in found if self._conditions[application](one.primitives)), None)
            if chosen is not None:
                self.notified.append((application, chosen))
                self._mark(application, chosen)

    def collect(self) -> None:
        """The fourth phase: what is used up for all above and is part of nothing any more is dropped."""
        while True:
            parts = {id(part) for node in self.nodes.values() for one in node.instances for part in one.parts}
            before = self.held
            for node in self.nodes.values():
                node.instances = [one for one in node.instances if id(one) in parts or not one.users >= node.above]
            if self.held == before:
                return

    def _node(self, pattern: Pattern, application: str) -> Node:
        if isinstance(pattern, Named):
            return self._node(pattern.pattern, application)
        node = self.nodes.get(pattern)
        children = [self._node(part, application) for part in _parts(pattern)]
        if node is None:
            node = self.nodes[pattern] = Node(pattern, children)
            for child in children:
                child.parents.append(node)
        node.above.add(application)
        return node

    def _add(self, node: Node, new: list[Instance], reached: dict[str, list[Instance]]) -> None:
        """The first phase."""
        node.instances += new
        for application in node.applications:
            reached.setdefault(application, []).extend(new)
        for parent in node.parents:
            made = [one for each in new for one in _combined(parent, node, each)]
            if made:
                self._add(parent, made, reached)

    def _mark(self, application: str, chosen: Instance) -> None:
        for node in self.nodes.values():
            if application in node.above:
                for one in node.instances:
                    if one.primitives & chosen.primitives:
                        one.users.add(application)


def _parts(pattern: Pattern) -> tuple[Pattern, ...]:
    return pattern.parts if isinstance(pattern, Both | Either | Sequence) else ()


def _combined(parent: Node, child: Node, new: Instance) -> list[Instance]:
    """What a new instance of one of a node's two children makes of those of the other."""
    if isinstance(parent.pattern, Either):
        return [new]
    left, right = parent.children
    pairs = [(new, one) for one in right.instances] if child is left else [(one, new) for one in left.instances]
    made = []
    for one, other in pairs:
        in_order = not isinstance(parent.pattern, Sequence) or one.time < other.time
        if in_order and not one.users | other.users >= parent.above:
            made.append(Instance((one, other), one.primitives | other.primitives, max(one.time, other.time)))
    return made


def held_in(pattern: Pattern, counts: Mapping[str, int]) -> int:
    """How many instances the first phase keeps in all nodes of a tree, with so many of each type and none used up.

    A sequence is reckoned as a conjunction, of which it keeps a part.
    """
    return _held(pattern, counts)[1]


def _held(pattern: Pattern, counts: Mapping[str, int]) -> tuple[int, int]:
    """The instances of the topmost node, and of all."""
    match pattern:
        case Named(pattern=inner):
            return _held(inner, counts)
        case Primitive(type=kind):
            return counts[kind], counts[kind]
        case Times(count=times, pattern=inner):
            each, below = _held(inner, counts)
            return comb(each, times), below + comb(each, times)
        case Either(parts=parts) | Both(parts=parts) | Sequence(parts=parts):
            found = [_held(part, counts) for part in parts]
            top = 0 if isinstance(pattern, Either) else 1
            for each, _ in found:
                top = top + each if isinstance(pattern, Either) else top * each
            return top, top + sum(below for _, below in found)
    raise AssertionError(f"000 has no {type(pattern).__name__}")
