"""Free negation and windows (004) in a branch: what `windows.py` of the algebra does with times, with points of events.

A negation reaches from what stands before it to what stands after it: a neighbour, or an edge of a window. Where that
is the end of a window, it is known when the window is over, which is waited for.
"""

from __future__ import annotations

from dataclasses import replace

from tocsin.algebra.ends import back_is_fluid, bounded_by, floats, front_is_fluid, speaks_of
from tocsin.algebra.names import bound
from tocsin.algebra.patterns import (
    Absence,
    Between,
    Both,
    Instant,
    Named,
    Never,
    Pattern,
    Precedence,
    Sequence,
    Where,
    Within,
    walk,
)
from tocsin.plan.searches import Closed, Due, Moment, Opened, Point, Shifted
from tocsin.planner.alternatives import Unsupported
from tocsin.planner.branch_builder import (
    Building,
    Extent,
    Limit,
    Missing,
    Place,
    Scene,
    Unended,
    Window,
    asks_the_clock,
    rigid,
)
from tocsin.planner.stamps import refuse, stamped_as


def never(building: Building, pattern: Never, scene: Scene) -> Extent:
    """`!E` takes the whole scene. Where that ends with a window, it is known only when the window is over."""
    refuse(building)  # it has no stamp
    closing = scene.closing
    if isinstance(closing, Unended):
        return _unended(building, pattern, scene, closing)
    if scene.front is None or scene.back is None:
        raise Unsupported("a negation that nothing bounds")
    building.missing.append(Missing(pattern.pattern, replace(scene, closing=None)))
    if closing is None:
        return Extent(None, scene.front, scene.back, open=True)
    if not closing.is_awaited:
        building.constraints.append(Due(closing.due, settled=True))
    closing.is_awaited = True
    over = ((closing.origin, closing.due, closing.start),)
    return Extent(None, scene.front, scene.back, open=True, over=over)


def _unended(building: Building, pattern: Never, scene: Scene, end: Unended) -> Extent:
    """At the end of a part of a run `!E` reaches to the next part; the part itself ends with what occurs."""
    if scene.front is None:
        raise Unsupported("a negation that nothing bounds")
    if end.back is not None:
        never(building, pattern, replace(scene, last=end.last, back=end.back, closing=end.closing))
        end.is_met = True
    return Extent(None, scene.front, scene.front, open=True)


# -- sequences -----------------------------------------------------------------------------------------------------


def gap_sequence(building: Building, pattern: Sequence, scene: Scene) -> Extent:
    """`E -> F`. What must be absent between two parts (`a -> !b -> c`) leaves no trace in the tree."""
    extents = _in_a_row(building, pattern.parts, scene, building.here())
    trees = tuple(extent.planted() for extent in extents if extent.tree is not None)
    start, end = extents[0].start, extents[-1].end
    over = tuple(window for extent in extents if extent.tree is None for window in extent.over)
    is_open = extents[0].tree is None or extents[-1].tree is None
    if not trees:
        return Extent(None, start, end, open=True, over=over)
    tree = trees[0] if len(trees) == 1 and is_open else replace(pattern, parts=trees)
    tells_start, tells_end = extents[0].tree is not None, extents[-1].tree is not None
    refuse(building, any(extent.late for extent in extents))
    return stamped_as(Extent(tree, start, end, is_open or bool(over), over, tells_start, tells_end), extents[-1])


def _in_a_row(building: Building, parts: tuple[Pattern, ...], scene: Scene, since: Place) -> list[Extent]:
    """The parts of a sequence: whichever of two facing ends is rigid bounds the other."""
    if len(parts) == 1:
        return [building.visit(parts[0], scene)]
    left, right = Sequence(parts[:-1], Precedence.GAP), parts[-1]
    told_left, told_right = bound(right).keys(), bound(left).keys()
    is_hung = len(left.parts) == 1 and _floats(left.parts[0])
    if back_is_fluid(left) or is_hung:
        mark = building.mark()
        before = scene.until(mark, told_left)
        firsts = [_hung_before(building, left.parts[0], mark, before)] if is_hung else []
        firsts = firsts or _in_a_row(building, left.parts, before, since)
        last = building.visit(right, scene.telling(speaks_of(right) & told_right))
        building.marks[mark.register] = last.start
        if front_is_fluid(left):
            building.hold_start(last, scene)
        return [*firsts, last]
    firsts = _in_a_row(building, left.parts, scene.telling(speaks_of(left) & told_left), since)
    first = firsts[-1]
    after = scene.after(first.end, told_right)
    if _floats(right):
        return [*firsts, _hung_after(building, right, first, after, firsts, since)]
    last = building.visit(right, after)
    start = rigid(last.start, first.end)
    if not front_is_fluid(right) and start is not None:
        building.follow(first.end, start)
    if back_is_fluid(right):
        building.hold_end(first, scene)
    return [*firsts, last]


def _floats(part: Pattern) -> bool:
    """`F in w` with F fluid at both ends: its window hangs on the neighbour."""
    return isinstance(part, Closed) and floats(part.origin)


def _hung_before(building: Building, part: Pattern, start: Point, scene: Scene) -> Extent:
    """`(F in w) -> E`: F's window is the time before E."""
    assert isinstance(part, Closed)
    assert isinstance(part.origin, Within)
    begin = Shifted(start, part.origin.period.scaled(-1))
    return building.placed(part.pattern, replace(scene, first=Limit(begin, True), front=begin))


def _hung_after(
    building: Building, part: Pattern, first: Extent, scene: Scene, firsts: list[Extent], since: Place
) -> Extent:
    """`E -> (F in w)`: F's window is the time after E."""
    assert isinstance(part, Closed)
    assert isinstance(part.origin, Within)
    finish = Shifted(first.end, part.origin.period)
    closing = Window(part.origin, finish, first.end)
    stretch = replace(scene, last=Limit(finish, True), back=finish, closing=closing)
    extent = building.placed(part.pattern, stretch)
    if closing.is_awaited:
        if any(_asks_the_clock_inside(each) for each in walk(part.origin.pattern)):
            raise Unsupported("a window that is opened by what depends on the clock")
        trees = [each.planted() for each in (*firsts, extent) if each.tree is not None]
        opened = Extent(trees[0] if len(trees) == 1 else Both(tuple(trees)), first.end, extent.end)
        building.wait(part.origin, opened, since, finish, first.end)
    return extent


# -- windows -------------------------------------------------------------------------------------------------------


def window(building: Building, inner: Pattern, origin: Within | Between, scene: Scene) -> Extent:
    """A window around `inner`, a choice among the alternatives of what `origin` has inside."""
    around: list[Named | Where] = []
    if bounded_by(origin) is not origin.pattern:  # written on {E} it bounds E, and the whole is an instant
        while isinstance(inner, Named | Where):
            around.append(inner)
            inner = inner.pattern
        assert isinstance(inner, Instant)
        inner = inner.pattern
    names = len(building.names)
    if isinstance(origin, Between):
        extent = _fixed(building, inner, origin, scene)
    elif front_is_fluid(bounded_by(origin)):
        extent = _backward(building, inner, origin, scene)
    else:
        extent = _forward(building, inner, origin, scene)
    refuse(building, building.is_loose)
    if bounded_by(origin) is origin.pattern:
        return extent
    whole = Extent(Instant(extent.planted()), extent.end, extent.end)
    for each in reversed(around):
        if isinstance(each, Named):
            building.call(each.name, whole.planted())
            whole = replace(whole, tree=Named(each.name, whole.planted()))
        else:
            building.require(each.guard, [*scene.known, *list(building.names)[names:]])
    return whole


def _fixed(building: Building, inner: Pattern, origin: Between, scene: Scene) -> Extent:
    """`E at [t1, t2]`, both edges included."""
    front, back = Moment(origin.start), Moment(origin.stop)
    closing = Window(origin, back, front)
    stretch = Scene(Limit(front, True), Limit(back, True), front, back, closing, scene.known)
    since = building.here()
    extent = building.placed(inner, stretch)
    if not closing.is_awaited:
        return extent
    _await(building, closing, extent, since, inner)
    return Extent(extent.planted(), extent.start, extent.end)


def _forward(building: Building, inner: Pattern, origin: Within, scene: Scene) -> Extent:
    """A window from the start of what is in it. `E -> !F in w` is known when it is over."""
    start = building.mark()
    back = Shifted(start, origin.period)
    closing = Window(origin, back, start)
    since = building.here()
    extent = building.visit(inner, Scene(Limit(start, True), Limit(back, True), start, back, closing, scene.known))
    if rigid(extent.start, start) != extent.start:
        raise Unsupported("a window that begins with what is fluid beside what is not")
    building.marks[start.register] = extent.start
    if not back_is_fluid(inner):
        building.follow(extent.end, Shifted(extent.start, origin.period), or_equal=True)
    if not closing.is_awaited:
        return replace(extent, tree=Within(extent.planted(), origin.period), open=False, over=())
    back = Shifted(extent.start, origin.period)
    _await(building, closing, extent, since, inner)
    if extent.tells_start and all(window is origin for window, _, _ in extent.over):
        return Extent(Closed(_bare(extent), origin), extent.start, back)
    return Extent(extent.planted(), extent.start, back)


def _backward(building: Building, inner: Pattern, origin: Within, scene: Scene) -> Extent:
    """A window to the end of what is in it. `!F -> E in w` is known with E."""
    if back_is_fluid(inner):
        raise Unsupported("a window that hangs on nothing")
    end = building.mark()
    front = Shifted(end, origin.period.scaled(-1))
    extent = building.visit(inner, Scene(Limit(front, False), Limit(end, True), front, end, None, scene.known))
    if rigid(extent.end, end) != extent.end:
        raise Unsupported("a window that ends with what is fluid beside what is not")
    building.marks[end.register] = extent.end
    if not front_is_fluid(inner):
        begun = rigid(extent.start, front)
        if begun is not None:
            building.follow(front, begun)
        return replace(extent, tree=Within(extent.planted(), origin.period), open=False)
    front = Shifted(extent.end, origin.period.scaled(-1))
    if extent.over or not extent.tells_end:  # it ends with a window that hangs on a neighbour
        return Extent(extent.planted(), front, extent.end)
    return Extent(Opened(_bare(extent), origin), front, extent.end)


def _await(building: Building, closing: Window, extent: Extent, since: Place, inner: Pattern) -> None:
    """Waits for the end of a window, if a negation reaches to it."""
    if not closing.is_awaited:
        return
    if _asks_the_clock_inside(inner):
        raise Unsupported("a window that is opened by what depends on the clock")
    building.wait(closing.origin, replace(extent, tree=_bare(extent)), since, closing.due, closing.start)


def _bare(extent: Extent) -> Pattern:
    """The tree of what is in a window, without the guards on the whole of it."""
    tree = extent.tree
    while isinstance(tree, Where):
        tree = tree.pattern
    if tree is None:
        raise Unsupported("a window in which nothing has to occur")
    return tree


def _asks_the_clock_inside(pattern: Pattern) -> bool:
    """Whether the clock decides what is found in a pattern, other than by guards around it, which are asked later."""
    match pattern:
        case Where(pattern=inner) | Named(pattern=inner):
            return _asks_the_clock_inside(inner)
        case Both(parts=parts) | Sequence(parts=parts, order=Precedence.GAP):
            return any(map(_asks_the_clock_inside, parts))
        case Never():
            return False
    guards = [part.guard for part in walk(pattern) if isinstance(part, Where | Absence) and part.guard is not None]
    return any(map(asks_the_clock, guards))
