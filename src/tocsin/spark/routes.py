"""Which events reach which shard, decided before anything leaves the JVM.

What no rule wants is filtered out, by its type and by the conditions that a single event has to meet; the rest gets
the number of its shard. Shards are numbered through: those of the first placement first.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import reduce
from itertools import groupby, zip_longest
from operator import and_, or_
from typing import Any, Final, TypeVar, overload

from pyspark import cloudpickle
from pyspark.sql import functions as F
from pyspark.sql import types as T

from tocsin.algebra.attributes import is_path
from tocsin.algebra.guards import Attribute, Binary, Guard, Literal
from tocsin.algebra.patterns import Primitive, walk
from tocsin.algebra.rules import Rule
from tocsin.plan.searches import SOURCE, Branch, Lacks, Leaf
from tocsin.planner.alternatives import Unsupported
from tocsin.planner.branches import branches
from tocsin.planner.lanes import Lane, Stage
from tocsin.planner.placement import ANYWHERE, KEYED, Placement
from tocsin.spark.contents import NESTED
from tocsin.spark.events import EventColumns
from tocsin.spark.older import try_cast
from tocsin.spark.packs import COPY, SHARD, TYPE
from tocsin.spark.shard import Conditions
from tocsin.spark.slices import Cuts, cuts_of

MOST_NUMBER: Final = 2**63
"""Whole numbers from here on are beyond Spark's."""
MOST_CODED: Final = 32
"""Types that are told apart by comparing with each."""
HASHED: Final = 2
"""How keys become shards: this changes when an event of the same key may go elsewhere than before."""
_TOGETHER: Final = "nested"
"""The key of all lists and objects: they may be equal although written differently, as [0.0] and [-0.0] are."""
FLIPPED: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "=="}


T_co = TypeVar("T_co", covariant=True)


class Packed(Sequence[T_co]):
    """What a driver sends to its workers: each of them is read only where it is asked for.

    `column`: which one of what is packed together.
    """

    def __init__(self, rows: tuple[bytes, ...], column: int) -> None:
        self._rows, self._column = rows, column

    @overload
    def __getitem__(self, place: int) -> T_co: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[T_co]: ...

    def __getitem__(self, place: int | slice) -> T_co | Sequence[T_co]:
        if isinstance(place, slice):
            return Packed(self._rows[place], self._column)
        one: T_co = cloudpickle.loads(self._rows[place])[self._column]
        return one

    def __len__(self) -> int:
        return len(self._rows)


@dataclass(frozen=True)
class Routes:
    """The placements with their shards: `firsts[i]` is the number of the first shard of `placements[i]`.

    `conditions` are what they run under, `attributes` the names of the columns `a0`, `a1` ...
    """

    placements: Sequence[Placement]
    conditions: tuple[Conditions, ...]
    firsts: tuple[int, ...]
    count: int
    attributes: tuple[str, ...]
    cuts: tuple[Cuts | None, ...] = ()
    """How the times of a history are cut for a placement, where they are."""
    types: tuple[str, ...] = ()
    """The types of events, where they are known and few: they travel as their places here."""
    lanes: Sequence[Lane] = ()
    """Of a stream: what each placement has run so far, and runs now."""
    shards: int = 1
    """How many shards rules have that can be spread."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Every task gets all of it and needs one placement: reading a thousand took longer than running them."""
        rows = tuple(map(cloudpickle.dumps, zip_longest(self.placements, self.lanes)))
        packed = {"placements": Packed[Placement](rows, 0), "lanes": Packed[Lane](rows if self.lanes else (), 1)}
        return Routes, tuple(packed.get(each.name, getattr(self, each.name)) for each in fields(self))

    def of(self, shard: int) -> tuple[Placement, Conditions]:
        """What runs in a shard."""
        place = self.place_of(shard)
        return self.placements[place], self.conditions[place]

    def lane_of(self, shard: int) -> Lane:
        """The rules of a shard through all versions."""
        return self.lanes[self.place_of(shard)]

    def slices_of(self, shard: int) -> tuple[Cuts, int] | None:
        """The slices of time in which what a shard finds counts; None for all time."""
        place = self.place_of(shard)
        cuts = self.cuts[place]
        return None if cuts is None else (cuts, shard - self.firsts[place])

    def place_of(self, shard: int) -> int:
        """Which of the placements a shard belongs to."""
        return bisect_right(self.firsts, shard) - 1


def routes(
    placements: list[Placement],
    conditions: list[Conditions],
    shards: int,
    attributes: tuple[str, ...] | None,
    is_cut: bool = False,
) -> Routes:
    """Numbers the shards: rules that can be spread have `shards` of them, as have those that slices of time are for.

    `is_cut`: this is of a history, whose time may be cut into slices. All other rules have one.
    """
    firsts, count, cuts = [], 0, []
    for placement in placements:
        firsts.append(count)
        cut = cuts_of(placement.overlap, shards) if is_cut else None
        cuts.append(cut)
        count += cut.count if cut is not None else shards if placement.kind in (KEYED, ANYWHERE) else 1
    types = _coded_types(placements)
    return Routes(
        tuple(placements), tuple(conditions), tuple(firsts), count, attributes or (), tuple(cuts), types, shards=shards
    )


def lane_routes(lanes: list[Lane], conditions: Conditions, shards: int, attributes: tuple[str, ...] | None) -> Routes:
    """The same for a stream, whose rules may have changed: a lane has the shards that it had in the beginning."""
    placements = [lane[-1].placement for lane in lanes]
    found = routes(placements, [conditions] * len(lanes), shards, attributes)
    types = _coded_types([stage.placement for lane in lanes for stage in lane])
    return replace(found, types=types, lanes=tuple(lanes))


def _coded_types(placements: list[Placement]) -> tuple[str, ...]:
    """The types that the rules want, if it is known which, and they are few enough to be looked for one by one."""
    found: set[str] = set()
    for placement in placements:
        if placement.types is None or placement.wants_all:
            return ()
        found |= set(placement.types)
    return tuple(sorted(found)) if len(found) <= MOST_CODED else ()


def routed(events: EventColumns, found: Routes, clock: str | None = None) -> Any:
    """The events that some rule wants, each with the shard it goes to: once for each placement that wants it.

    `clock` is the column that a watermark is taken of. What is filtered out must move it too, so the filter must come
    after the watermark; Spark would put it before, did it not speak of that column.
    """
    kinds = {field.name: field.dataType for field in events.frame.schema.fields}
    wanted, shards = [], []
    ends = [*found.firsts[1:], found.count]
    lanes = found.lanes or [(Stage(0, None, placement),) for placement in found.placements]
    for placement, lane, cuts, first, end in zip(found.placements, lanes, found.cuts, found.firsts, ends, strict=True):
        one, key = _is_wanted_by(lane, events, kinds, clock), _key(placement, events, kinds)
        if cuts is not None:
            shard = cuts.shards(F.col("time"), first)
        elif key is None:
            shard = F.array(F.lit(first))
        else:
            shard = F.array(F.lit(first) + F.pmod(F.xxhash64(key), F.lit(end - first)).cast("int"))
        wanted.append(one)
        shards.append(shard)
    is_wanted = reduce(or_, wanted)
    if events.unchecked is not None:
        events = replace(events, frame=_of_types(events.frame, found.placements)).checked()
    if clock is not None:
        is_wanted = F.when(F.col(clock).isNotNull(), is_wanted).otherwise(F.lit(False))
    coded = {TYPE: _code(F.col(TYPE), found.types)} if found.types else {}
    frame = events.frame.filter(is_wanted)
    if len(shards) == 1 and found.cuts[0] is None:
        return frame.withColumns({**coded, SHARD: F.get(shards[0], F.lit(0))})
    nowhere = F.array().cast("array<int>")
    each = [F.when(one, shard).otherwise(nowhere) for one, shard in zip(wanted, shards, strict=True)]
    if clock is None:
        return frame.withColumns({**coded, SHARD: F.explode(F.concat(*each))})
    return frame.select("*", F.posexplode(F.concat(*each)).alias(COPY, SHARD)).withColumns(coded)


def _code(column: Any, types: tuple[str, ...]) -> Any:
    """The place of a type among those that are wanted: a text costs Spark far more to hand over."""
    cases = [F.when(column == kind, F.lit(place)) for place, kind in enumerate(types[:-1])]
    return F.coalesce(*cases, F.lit(len(types) - 1)).cast("byte")


# -- keys -------------------------------------------------------------------------------------------------------


def _key(placement: Placement, events: EventColumns, kinds: dict[str, Any]) -> Any:
    """Something that is the same for events whose keys are equal; None where all events go to one shard."""
    if placement.kind == ANYWHERE:
        return F.concat_ws("\0", F.col("source") if "source" in events.fields else F.lit(""), F.col("id"))
    if placement.kind != KEYED:
        return None
    # What has no key is equal to nothing; but where what is equal must be absent, that is enough.
    types: dict[str, list[str]] = {}
    if any(is_path(name) for _, name in placement.key):
        return None  # what lies inside another column, or under a flat name, only Python finds as guards do
    for kind, name in placement.key:
        types.setdefault(name, []).append(kind)
    is_numbers = all(_is_number(name, events, kinds) for name in types)
    cases = []
    for name, mine in types.items():
        value = _number(events.attribute(name)) if is_numbers else _key_text(name, events, kinds)
        cases.append(F.when(F.col("type").isin(mine), value))
    return F.coalesce(*cases, F.lit(math.nan if is_numbers else ""))


def _is_number(name: str, events: EventColumns, kinds: dict[str, Any]) -> bool:
    is_column = name != SOURCE and events.attributes is not None and name in events.attributes
    return is_column and isinstance(kinds[events.column_of(name)], T.NumericType)


def _number(column: Any) -> Any:
    return column.cast("double") + F.lit(0.0)  # 0.0 and -0.0 are equal


def _key_text(name: str, events: EventColumns, kinds: dict[str, Any]) -> Any:
    if name == SOURCE:
        return F.coalesce(F.col("source"), F.lit("")) if "source" in events.fields else F.lit("")
    column = events.attribute(name)
    if column is None:
        return F.lit(None).cast("string")
    kind = None if events.attributes is None else kinds[events.column_of(name)]
    if kind is None or isinstance(kind, T.StringType):
        return column.cast("string") if kind is not None else _json_key(column.cast("string"))
    if isinstance(kind, T.NumericType):
        return _number(column).cast("string")
    if isinstance(kind, NESTED):
        return F.lit(_TOGETHER)
    return column.cast("string")


def _json_key(text: Any) -> Any:
    """The same for a value out of JSON, where a number may be written in several ways."""
    number = _number(try_cast(text, "double")).cast("string")
    return F.when(text.rlike(r"^[\[{]"), F.lit(_TOGETHER)).otherwise(F.coalesce(number, text))


# -- what is wanted ---------------------------------------------------------------------------------------------


def _is_wanted_by(lane: Lane, events: EventColumns, kinds: dict[str, Any], clock: str | None) -> Any:
    """What any version of a lane's rules wants, since there is such a lane."""
    placements = [
        placement for placement, _ in groupby(stage.placement for stage in lane)
    ]  # most versions change little
    wanted = reduce(or_, [_is_wanted(placement, events, kinds) for placement in placements])
    if lane[0].since is None:
        return wanted
    assert clock is not None
    return wanted & (F.unix_micros(F.col(clock)) > F.lit(lane[0].since))


def _of_types(frame: Any, placements: Sequence[Placement]) -> Any:
    """The rows of types that some rule wants, and those without one, which have to be told of: files can be asked."""
    types: set[str] = set()
    for placement in placements:
        if placement.types is None or placement.wants_all:
            return frame
        types |= placement.types
    return frame.filter(F.col("type").isin(sorted(types)) | F.col("type").isNull() | (F.col("type") == ""))


def _is_wanted(placement: Placement, events: EventColumns, kinds: dict[str, Any]) -> Any:
    types = placement.types
    if types is None or placement.wants_all:
        return F.lit(True)
    if not types:
        return F.lit(False)
    wanted = []
    by_type = _conditions(placement.program.rules)
    plain = [kind for kind in sorted(types) if by_type.get(kind) is None]
    if plain:
        wanted.append(F.col("type").isin(plain))
    for kind in sorted(types):
        ways = by_type.get(kind)
        if ways is not None:
            columns = [_holds(way, events, kinds) for way in ways]
            is_kind = F.col("type") == kind
            wanted.append(is_kind if any(one is None for one in columns) else is_kind & reduce(or_, columns))
    return reduce(or_, wanted)


def _conditions(rules: tuple[Rule, ...]) -> dict[str, list[tuple[Guard, ...]] | None]:
    """For each type the conditions of its leaves, of which one must hold; None where any event will do."""
    found: dict[str, list[tuple[Guard, ...]] | None] = {}
    for rule in rules:
        try:
            leaves = [leaf for branch in branches(rule.guarded) for leaf in _leaves(branch)]
        except Unsupported:
            leaves = []
        named = {leaf.pattern.type for leaf in leaves if isinstance(leaf.pattern, Primitive)}
        for kind in _all_types(rule) - named:
            found[kind] = None
        for leaf in leaves:
            if isinstance(leaf.pattern, Primitive):
                known = found.setdefault(leaf.pattern.type, [])
                if not leaf.conditions:
                    found[leaf.pattern.type] = None
                elif known is not None:
                    known.append(leaf.conditions)
    return found


def _all_types(rule: Rule) -> set[str]:
    return {part.type for part in walk(rule.pattern) if isinstance(part, Primitive)}


def _leaves(branch: Branch) -> Iterator[Leaf]:
    for leaf, _ in branch.leaves:
        yield leaf
    for constraint in branch.constraints:
        if isinstance(constraint, Lacks):
            for inner in constraint.branches:
                yield from _leaves(inner)


def _holds(conditions: tuple[Guard, ...], events: EventColumns, kinds: dict[str, Any]) -> Any:
    """What Spark can tell of some conditions on one event; None where that is nothing."""
    told = [column for column in (_told(each, events, kinds) for each in conditions) if column is not None]
    return reduce(and_, told) if told else None


def _told(guard: Guard, events: EventColumns, kinds: dict[str, Any]) -> Any:
    """A comparison of an attribute with a constant of the column's own kind; None for everything else."""
    if not isinstance(guard, Binary) or guard.operator not in FLIPPED:
        return None
    left, right, operator = guard.left, guard.right, guard.operator
    if isinstance(left, Literal):
        left, right, operator = right, left, FLIPPED[operator]
    if not isinstance(left, Attribute) or not isinstance(right, Literal) or events.attributes is None:
        return None
    if is_path(left.name):
        return None
    column, value = events.attribute(left.name), right.value
    if column is None:
        return F.lit(False)  # no event has it, and what is missing compares to nothing
    kind = kinds[events.column_of(left.name)]
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < MOST_NUMBER
    if isinstance(kind, T.IntegralType | T.FloatType | T.DoubleType) and is_number:
        return _compared(column, operator, F.lit(value)) & ~F.isnan(column.cast("double"))
    if isinstance(kind, T.StringType) and isinstance(value, str) and operator == "==":
        return column == F.lit(value)
    return None


def _compared(column: Any, operator: str, value: Any) -> Any:
    match operator:
        case "<":
            return column < value
        case "<=":
            return column <= value
        case ">":
            return column > value
        case ">=":
            return column >= value
    return column == value
