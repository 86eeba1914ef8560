"""Aggregates as a plan has them into gauges: their conditions, and what has to be known of a window for those."""

from __future__ import annotations

from collections.abc import Callable

from tocsin.algebra import aggregates
from tocsin.algebra.guards import COMPARISONS, Attribute, Binary, Call, Guard, Literal, Negative, Not
from tocsin.algebra.guards import walk as guard_parts
from tocsin.algebra.patterns import Aggregate, Named
from tocsin.algebra.values import Surroundings
from tocsin.engine.network.arena import Arena, Keys
from tocsin.engine.network.batch import Store
from tocsin.engine.network.conditions import EVERY, Asked, Condition, Constant, Figure, Joined, Opposite
from tocsin.engine.network.firings import Firing
from tocsin.engine.network.gauges import Gauge
from tocsin.engine.network.slots import Slots
from tocsin.engine.network.tallies import Kinds, Ordered, Presence, Reading, Sum, Tally
from tocsin.plan.searches import SOLE, Leaf, Measured

_SUMS = ("sum", "avg", "stddev")
_KEYED = ("count", "distinct")
_EDGES = ("first", "last")


def gauge(
    measured: Measured,
    leaf: Leaf,
    arena: Arena,
    keys: Keys | None,
    firing: Firing,
    store: Store,
    table: Callable[[str], Slots],
) -> Gauge:
    """The gauge of an aggregate over an arena's rows. `table`: of the values that a repetition compares."""
    pattern = Aggregate(
        Named(SOLE, leaf.pattern),
        *(measured.guard, measured.period, measured.same, measured.aligned, measured.gap, measured.each),
    )
    firing.reach = max(firing.reach, aggregates.reach(pattern))
    made = _Conditions(arena, store, table, measured.guard)
    condition = Condition(made.asked(measured.guard), aggregates.refers_back(measured.guard))
    plain = aggregates.Gauge(pattern, Surroundings())
    return Gauge(arena, keys, measured, firing, condition, made.tallies, plain)


class _Conditions:
    """A condition in the making, with the tallies that it needs: one for all that can be told of the same."""

    def __init__(self, arena: Arena, store: Store, table: Callable[[str], Slots], guard: Guard) -> None:
        self.arena, self.store, self.table = arena, store, table
        self.needed: list[tuple[str, Reading]] = []
        self.places: dict[tuple[str, str], int] = {}
        self.has_squares = any(isinstance(part, Call) and part.function == "stddev" for part in guard_parts(guard))

    def asked(self, guard: Guard, *, is_before: bool = False) -> Asked:
        """A part of the condition."""
        match guard:
            case Literal(value=value):
                return Constant(value)
            case Not(operand=inner) | Negative(operand=inner):
                return Opposite(self.asked(inner, is_before=is_before), isinstance(guard, Not))
            case Binary(operator=operator, left=left, right=right):
                sides = (self.asked(left, is_before=is_before), self.asked(right, is_before=is_before))
                return Joined(operator, *sides, operator in COMPARISONS)
            case Call(function=aggregates.PREVIOUS, arguments=(inner,)):
                return self.asked(inner, is_before=True)
            case Call(function=name, arguments=(Attribute(name=attribute), *rest)):
                reading = self._reading(attribute, is_keyed=name in _KEYED)
                if name in _EDGES:
                    return Figure(name, EVERY, is_before, reading, None)
                percent = self.asked(rest[0], is_before=is_before) if rest else None
                return Figure(name, self._tally(name, attribute, reading), is_before, None, percent)
            case Call(function=name):
                return Figure(name, EVERY, is_before, None, None)
        raise AssertionError(f"no condition has {type(guard).__name__}")

    def _reading(self, attribute: str, *, is_keyed: bool) -> Reading:
        keys = self.arena.key(attribute, self.table(attribute)) if is_keyed else None
        numbers = None if is_keyed else self.arena.measure(attribute)
        return Reading(self.arena, self.store, attribute, numbers, keys)

    def _tally(self, function: str, attribute: str, reading: Reading) -> int:
        kind = function if function in _KEYED else "sum" if function in _SUMS else "order"
        place = self.places.get((kind, attribute))
        if place is None:
            place = self.places[kind, attribute] = len(self.needed)
            self.needed.append((kind, reading))
        return place

    def tallies(self) -> list[Tally]:
        """New tallies for a window without rows."""
        return [self._new(kind, reading) for kind, reading in self.needed]

    def _new(self, kind: str, reading: Reading) -> Tally:
        match kind:
            case "count":
                return Presence(reading)
            case "distinct":
                return Kinds(reading)
            case "sum":
                return Sum(reading, self.has_squares)
        return Ordered(reading)
