"""A pattern as branches: its alternatives told apart, each a flat list of leaves with the constraints between them.

What a constraint says is what `meaning.py` does with the nested pattern; what is said here of a shape in one line is
told there at length. Shapes that a search over leaves cannot express raise `Unsupported`: the rule then runs on the
plain meaning.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from tocsin.algebra.ends import back_is_fluid, front_is_fluid, is_open
from tocsin.algebra.guards import variables_of
from tocsin.algebra.names import bound
from tocsin.algebra.patterns import (
    Absence,
    After,
    Aggregate,
    AnyEvent,
    At,
    AtInstant,
    Both,
    Concurrent,
    Every,
    Instant,
    Named,
    Never,
    Partitioned,
    Pattern,
    Precedence,
    Primitive,
    Repeat,
    Sequence,
    Streak,
    Times,
    Where,
    Within,
)
from tocsin.languages.writer import CONSTRUCTS
from tocsin.plan.searches import Branch, Closed, Copies, Delayed, Due, Edge, Leaf, Point, Shifted, Standing
from tocsin.plan.trees import extreme
from tocsin.planner.alternatives import Unsupported, alternatives
from tocsin.planner.branch_builder import Building, Extent, Missing, Scene, Unended
from tocsin.planner.repetitions import copies, measured, run, times
from tocsin.planner.stamps import joined, put_far_apart, put_in_order, put_together, refuse, stamped_as
from tocsin.planner.stretches import gap_sequence, never, window
from tocsin.planner.unified import unified


@lru_cache(maxsize=10_000)
def branches(pattern: Pattern, granularity: int | None = None) -> tuple[Branch, ...]:
    """Every choice among the alternatives of `pattern`, without those that can never occur.

    `granularity` is the tick of 2g stamps, if there are any.
    """
    return tuple(map(unified, openings(pattern, granularity)))


@lru_cache(maxsize=10_000)
def openings(pattern: Pattern, granularity: int | None = None) -> tuple[Branch, ...]:
    """The same with a register for each leaf, as what is waited for has them (`Wait.resolved`)."""
    made = []
    for choice in alternatives(pattern):
        building = _Branching(granularity=granularity)
        branch = building.finished(building.visit(choice, Scene()))
        if branch is not None:
            made.append(branch)
    return tuple(made)


class _Branching(Building):
    """One branch in the making, a case a shape."""

    def another(self, next_register: int, outer: dict[str, Pattern]) -> Building:
        return _Branching(next_register, outer=outer, granularity=self.granularity, partition=self.partition)

    def visit(self, pattern: Pattern, scene: Scene) -> Extent:
        match pattern:
            case Primitive() | AnyEvent() | At() | AtInstant() | Every():
                (register,) = self.registers(Leaf(pattern, self.in_partition()), 1)
                return Extent(Standing(register, Leaf(pattern)), Edge(register, True), Edge(register))
            case Named(name=name, pattern=inner):
                return self._named(name, inner, scene)
            case Partitioned(pattern=inner, attributes=attributes):
                self.partition = attributes
                return self.visit(inner, scene)
            case Where(pattern=inner, guard=guard):
                before = len(self.names)
                extent = self.visit(inner, scene)
                self.require(guard, [*scene.known, *list(self.names)[before:]])
                return extent if extent.tree is None else replace(extent, tree=Where(extent.tree, guard))
            case Both():
                return self._both(pattern, scene)
            case Sequence(order=Precedence.GAP):
                return gap_sequence(self, pattern, scene)
            case Sequence(parts=parts):
                extents = [self.visit(part, scene) for part in parts]
                for left, right in pairwise(extents):
                    put_in_order(self, left, right, pattern.order)
                return self._last(pattern.order, _together(pattern, extents), extents)
            case Concurrent(left=left, right=right):
                extents = [self.visit(left, scene), self.visit(right, scene)]
                put_together(self, *extents)
                tree = Concurrent(extents[0].planted(), extents[1].planted())
                end = extents[0].end if self.granularity is None else extreme([each.end for each in extents], True)
                return joined(self, Extent(tree, extreme([each.start for each in extents], False), end), extents)
            case Absence():
                return self._absence(pattern, scene)
            case Aggregate():
                return measured(self, pattern, scene)
            case Times() | Streak():
                return times(self, pattern, scene)
            case Copies():
                return copies(self, pattern, scene)
            case Repeat():
                return run(self, pattern, scene)
            case Delayed(pattern=inner, origin=origin):
                return self._delayed(inner, origin, scene)
            case Instant(pattern=inner):
                extent = self.visit(inner, scene.anywhere())
                return stamped_as(Extent(Instant(extent.planted()), extent.end, extent.end), extent)
            case Never():
                return never(self, pattern, scene)
            case Within(pattern=inner):
                return window(self, inner, pattern, scene)
            case Closed(pattern=inner, origin=origin):
                return window(self, inner, origin, scene)
        raise Unsupported(f"{CONSTRUCTS[type(pattern)]} is not searched for leaf by leaf")

    def _last(self, order: Precedence, whole: Extent, extents: list[Extent]) -> Extent:
        """A sequence ends with its last part; under 2g stamps in weak order with what is not before another."""
        if order is Precedence.WEAK and self.granularity is not None:
            return joined(self, whole, extents)
        return stamped_as(replace(whole, end=extents[-1].end), extents[-1])

    def put_between(self, one: Extent, it: Extent, other: Extent, order: Precedence, *, is_certain: bool) -> None:
        if order is Precedence.GAP:
            self.follow(one.end, it.start)
            self.follow(it.end, other.start)
        elif is_certain:
            put_far_apart(self, one, it)
            put_far_apart(self, it, other)
        else:
            # What is at one instant with either of them is not between them.
            order = Precedence.ENDS if order is Precedence.WEAK else order
            put_in_order(self, one, it, order)
            put_in_order(self, it, other, order)

    def _named(self, name: str, inner: Pattern, scene: Scene) -> Extent:
        """What has a name and is fluid at its end, in a run, reaches to the next part: so does what the name means."""
        closing = scene.closing
        was_met = isinstance(closing, Unended) and closing.is_met
        if isinstance(closing, Unended):
            closing.is_met = False
        extent = whole = self.visit(inner, scene)
        if isinstance(closing, Unended):
            if closing.is_met:
                whole = closing.reached(extent)
                self.cores[name] = extent.planted()
            closing.is_met |= was_met
        tree = whole.planted()
        self.call(name, tree)
        return stamped_as(Extent(Named(name, tree), extent.start, extent.end, open=whole is not extent), extent)

    def _both(self, pattern: Both, scene: Scene) -> Extent:
        """What is open knows the other parts. Beside what is fluid, what is rigid is held to the scene by itself."""
        known = {name for part in pattern.parts if not is_open(part) for name in bound(part)}
        fluid_front, fluid_back = front_is_fluid(pattern), back_is_fluid(pattern)
        extents: list[Extent] = []
        for part in pattern.parts:
            is_free = is_open(part)
            extent = self.visit(part, scene.telling(known) if is_free else scene)
            if is_free:
                known |= bound(part).keys()
            if fluid_front and not front_is_fluid(part):
                self.hold_start(extent, scene)
            if fluid_back and not back_is_fluid(part):
                self.hold_end(extent, scene)
            extents.append(extent)
        return joined(self, _together(pattern, extents), extents)

    def _delayed(self, inner: Pattern, origin: After, scene: Scene) -> Extent:
        since = self.here()
        extent = self.visit(inner, scene.anywhere())
        refuse(self, extent.late > 0)
        due = Shifted(extent.end, origin.period)
        self.constraints.append(Due(due))
        tree = extent.planted()
        self.wait(origin, replace(extent, tree=tree), since, due, due)
        return Extent(Delayed(tree, origin), due if origin.instant else extent.start, due)

    def _absence(self, pattern: Absence, scene: Scene) -> Extent:
        if is_open(pattern.without) and (scene.front is None or scene.back is None):
            raise Unsupported("an absence of something open")
        names = len(self.names)
        first = self.visit(pattern.first, scene)
        of_first = list(self.names)[names:]
        last = self.visit(pattern.last, scene)
        by_gap = pattern.order is Precedence.GAP
        if by_gap:
            refuse(self, first.late + last.late > 0)
            self.follow(first.end, last.start)
        else:
            put_in_order(self, first, last, pattern.order)
        guard = pattern.guard
        if guard is not None:
            self.require(guard, [*scene.known, *list(self.names)[names:]])
        selects = guard is not None and not variables_of(guard).isdisjoint(bound(pattern.without))
        # What must be absent lies between the two, and where that may begin before the first, it lies in the scene.
        around = Scene(known=scene.known) if by_gap and not is_open(pattern.without) else scene
        missing = Missing(
            pattern.without,
            around,
            (first, last),
            pattern.order,
            guard=guard if selects else None,
            known=frozenset(of_first),
        )
        if pattern.order is Precedence.GLOBAL and self.granularity is not None:
            # Most of what is in the way is so by any stamp, and then it is for all that came before, too.
            self.missing.append(replace(missing, is_certain=True))
        self.missing.append(missing)
        whole = _together(pattern, [first, last])
        return self._last(pattern.order, whole, [first, last])


def _together(pattern: Both | Sequence | Absence, extents: list[Extent]) -> Extent:
    start: Point = extreme([extent.start for extent in extents], False)
    end: Point = extreme([extent.end for extent in extents], True)
    if isinstance(pattern, Absence):
        return Extent(replace(pattern, first=extents[0].planted(), last=extents[1].planted()), start, end)
    trees = tuple(extent.planted() for extent in extents if extent.tree is not None)
    over = tuple(window for extent in extents if extent.tree is None for window in extent.over)
    if len(trees) == len(extents):
        return Extent(replace(pattern, parts=trees), start, end)
    if not trees:
        return Extent(None, start, end, open=True, over=over)
    return Extent(trees[0] if len(trees) == 1 else replace(pattern, parts=trees), start, end, open=True, over=over)
