"""Which branches of an automaton an event can concern: those of its states that look at the type, and by equal values.

`([x:hb], [T in {T, hb(host = x.host)}])`: of all that wait for T, a heartbeat concerns only those of its own host. What
is told here is never too little; the sets themselves are asked for each branch that is left (`automata.describes`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from tocsin.algebra.automata import TIME_EVENT, State
from tocsin.algebra.guards import Attribute, Binary, Guard, SourceOf, conjuncts
from tocsin.algebra.occurrence import Bound, Occurrence
from tocsin.algebra.patterns import (
    THIS,
    Complement,
    Described,
    EventSet,
    Everything,
    Intersection,
    Union,
)
from tocsin.algebra.values import MISSING, Surroundings, evaluate

NOTHING: Final = "\0nothing"
"""Stands for a value that equals no other."""
ANYTHING: Final = "\0anything"
"""Stands for a value that is no plain text or number: what it equals is not told by a look into a table."""


class Key:
    """An equality that a filter asks for: what the event has must equal what the run has."""

    def __init__(self, own: Guard, earlier: Guard) -> None:
        self.own, self.earlier = own, earlier
        self.name = (own, earlier)
        self._around = Surroundings()

    def of_event(self, this: Occurrence) -> object:
        """What an event has to equal."""
        return told(evaluate(self.own, {THIS: this}, self._around))

    def of_run(self, variables: Mapping[str, Bound]) -> object:
        """What the events of a branch have to be equalled."""
        return told(evaluate(self.earlier, variables, self._around))


def told(value: object) -> object:
    """A value by which its equals are found."""
    if value is MISSING or value != value:
        return NOTHING
    return value if type(value) in (str, int, float) else ANYTHING


class Reach:
    """What the events of one type are to one state: by which keys they find their branches, if they do by any."""

    def __init__(self, place: int, state: State, kind: str) -> None:
        self.place = place
        found = [(each, reached) for each in state.domain if (reached := _reached(each, kind)) != []]
        self.domain = [each for each, _ in found]
        """What of its domain such an event can be in."""
        self.edges = [edge for edge in state.edges if _reached(edge.accepts, kind) != []]
        """The transitions that such an event can make."""
        self.only_strong = all(edge.strong for edge in state.edges)
        self.keys: list[Key] | None = _either([reached for _, reached in found])


def _reached(events: EventSet, kind: str) -> list[Key] | None:
    """The keys by which events of a type are in a set; none at all if they never are, None if by no key."""
    match events:
        case Described(type=name, guard=guard):
            return _keys(guard) if name == kind else []
        case Everything():
            return [] if kind.startswith(TIME_EVENT) else None
        case Union(sets=sets):
            return _either([_reached(each, kind) for each in sets])
        case Intersection(sets=sets):
            found = [reached for each in sets if (reached := _reached(each, kind)) is not None]
            return min(found, key=len, default=None)
        case Complement(set=Described(type=name, guard=None)):
            return [] if name == kind else None
    return None


def _either(reached: Iterable[list[Key] | None]) -> list[Key] | None:
    found: dict[object, Key] = {}
    for keys in reached:
        if keys is None:
            return None
        found |= {key.name: key for key in keys}
    return list(found.values())


def _keys(guard: Guard | None) -> list[Key] | None:
    """The first equality of a filter with an earlier event."""
    for part in () if guard is None else conjuncts(guard):
        if isinstance(part, Binary) and part.operator == "==":
            for own, earlier in ((part.left, part.right), (part.right, part.left)):
                if (
                    isinstance(own, Attribute | SourceOf)
                    and isinstance(earlier, Attribute | SourceOf)
                    and own.variable == THIS
                    and earlier.variable != THIS
                ):
                    return [Key(own, earlier)]
    return None
