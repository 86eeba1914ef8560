"""Free negation, windows and runs (004): patterns that reach as far as their surroundings let them.

A fluid end is bounded by the neighbouring event, by the window or by the next of a run: whatever is rigid is found
first, and what is fluid is then looked for in the stretch that is left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from tocsin.algebra.combinations import combined, gathered, group_value, named
from tocsin.algebra.ends import NOTHING, back_is_fluid, bounded_by, floats, front_is_fluid, speaks_of, trusting
from tocsin.algebra.names import bound
from tocsin.algebra.occurrence import Bound, Occurrence, Tick
from tocsin.algebra.patterns import (
    Absence,
    After,
    Between,
    Both,
    Concurrent,
    Either,
    Instant,
    Named,
    Never,
    Pattern,
    Precedence,
    Repeat,
    Sequence,
    Where,
    Within,
    walk,
)
from tocsin.algebra.scene import FAR, Arrival, Scene, Stretch
from tocsin.algebra.values import holds
from tocsin.events import Event

Assumed = dict[str, tuple[object, ...] | None]
"""The events that variables are taken to stand for; None where one is bound to nothing."""

_UNENDED = Tick(NOTHING, FAR, ())
"""Closes a stretch whose end is not known yet: what is fluid there reaches no further than what is rigid."""


def never(inner: Pattern, scene: Scene) -> Iterator[Occurrence]:
    """`!E` takes the whole stretch. Where that ends with a window, it is known only when the window is over."""
    stretch = scene.stretch
    if stretch.closing is _UNENDED:
        yield Occurrence(stretch.front, stretch.front)
        return
    if stretch.closing is not None and stretch.back > scene.history.settled:
        return
    if not any(True for _ in scene.with_used().find(inner)):
        ticks = frozenset() if stretch.closing is None else frozenset({stretch.closing})
        yield Occurrence(stretch.front, stretch.back, ticks=ticks)


# -- sequences -----------------------------------------------------------------------------------------------------


def gap_sequence(parts: tuple[Pattern, ...], scene: Scene) -> Iterator[Occurrence]:
    """`E -> F`: whichever of the two facing ends is rigid is found first and bounds the other."""
    if len(parts) == 1:
        yield from scene.find(parts[0])
        return
    left, right = Sequence(parts[:-1], Precedence.GAP), parts[-1]
    if back_is_fluid(left) or (len(left.parts) == 1 and floats(left.parts[0])):
        for told, assumed in _told(right, left, scene):
            for last in told.find(right):
                found = (first for first in _left_of(left.parts, last, scene) if _agrees(first, assumed))
                yield from (_gap_joined(first, last) for first in found)
        return
    for told, assumed in _told(left, right, scene):
        for first in gap_sequence(left.parts, told):
            found = (last for last in _right_of(right, first, scene) if _agrees(last, assumed))
            yield from (_gap_joined(first, last) for last in found)


def _left_of(parts: tuple[Pattern, ...], last: Occurrence, scene: Scene) -> Iterable[Occurrence]:
    floating = parts[-1]
    if len(parts) == 1 and isinstance(floating, Within) and floats(floating):
        begin = floating.period.scaled(-1).added_to(last.start)
        stretch = Stretch(begin, last.start - 1, begin, last.start)
        found = scene.inside(stretch, last).find(floating.pattern)
        return (one for one in found if scene.stretch.first <= one.start)
    return gap_sequence(parts, scene.inside(scene.stretch.until(last.start), last))


def _right_of(right: Pattern, first: Occurrence, scene: Scene) -> Iterable[Occurrence]:
    if isinstance(right, Within) and floats(right):
        finish = right.period.added_to(first.end)
        passed = max((_passed(tick) for tick in first.ticks if tick.due == first.end), default=())
        tick = Tick(right, finish, (first.end, *passed))
        stretch = Stretch(first.end + 1, finish, first.end, finish, tick)
        found = scene.inside(stretch, first).find(right.pattern)
        return (one for one in found if one.end <= scene.stretch.last)
    return scene.inside(scene.stretch.after(first.end), first).find(right)


def _gap_joined(first: Occurrence, last: Occurrence) -> Occurrence:
    """Stamped as its last part, as every sequence is."""
    return combined(first, last, last.stamp).spanning(first.start, last.end)


def _told(first: Pattern, second: Pattern, scene: Scene) -> list[tuple[Scene, Assumed]]:
    """The scenes in which to look for what is found first, where its negations speak of what is found second.

    Whatever the second could be if its own negations all held is assumed in turn; `_agrees` asks if it turned out so.
    """
    names = speaks_of(first)
    names = names & bound(second).keys() if names else names
    if not names:
        return [(scene, {})]
    assumed: dict[tuple[object, ...], tuple[Scene, Assumed]] = {}
    for one in scene.inside(replace(scene.stretch, closing=None)).find(trusting(second)):
        known = {name: value for name, value in one.bindings if name in names}
        events = {name: _events(known[name]) if name in known else None for name in names}
        assumed[tuple(sorted(events.items()))] = replace(scene, variables={**scene.variables, **known}), events
    return list(assumed.values())


def _agrees(found: Occurrence, assumed: Assumed) -> bool:
    known = found.variables() if assumed else {}
    return all((_events(known[name]) if name in known else None) == events for name, events in assumed.items())


def _events(value: Bound) -> tuple[object, ...]:
    return value.events if isinstance(value, Occurrence) else tuple(one.events for one in value)


# -- windows -------------------------------------------------------------------------------------------------------


def between(pattern: Between, scene: Scene) -> Iterator[Occurrence]:
    """A fixed window, both edges included."""
    tick = Tick(pattern, pattern.stop, (pattern.start,))
    stretch = Stretch(pattern.start, pattern.stop, pattern.start, pattern.stop, tick)
    yield from (whole for _, whole in _bounded(pattern, stretch, scene))


def within(pattern: Within, scene: Scene, arrival: Arrival | None) -> Iterator[Occurrence]:
    """A sliding window: forward from each possible start, or backward from each possible end."""
    for stretch, forward in _windows(bounded_by(pattern), pattern, scene, arrival):
        for one, whole in _bounded(pattern, stretch, scene):
            if one.start == stretch.front if forward else one.end == stretch.back:
                yield whole


def _bounded(window: Within | Between, stretch: Stretch, scene: Scene) -> Iterator[tuple[Occurrence, Occurrence]]:
    """What a window bounds, found in it, with the whole: written on {E} it bounds E, and the whole is an instant."""
    inner = bounded_by(window)
    for one in scene.inside(stretch).find(inner):
        whole = one if inner is window.pattern else _as_instant(window.pattern, one, scene)
        # Of an instant, only itself has to lie in the window around.
        if whole is not None and scene.stretch.first <= whole.start and whole.end <= scene.stretch.last:
            yield one, whole


def _as_instant(pattern: Pattern, one: Occurrence, scene: Scene) -> Occurrence | None:
    """E as {E}, with the names written on the braces; None if a guard written on them does not hold."""
    if isinstance(pattern, Instant):
        return one.spanning(one.end, one.end)
    assert isinstance(pattern, Named | Where)
    whole = _as_instant(pattern.pattern, one, scene)
    if isinstance(pattern, Named):
        return None if whole is None else named(pattern.name, whole)
    known = {} if whole is None else {**scene.variables, **whole.variables()}
    return whole if holds(pattern.guard, known, scene.history.around) else None


def _windows(inner: Pattern, owner: Within, scene: Scene, arrival: Arrival | None) -> Iterator[tuple[Stretch, bool]]:
    """The windows in which to look. One that cannot contain the arrival is left out where that can be told."""
    anywhere, back = scene.anywhere(), owner.period.scaled(-1)
    # An instant inside may stand for events outside the window; then every window has to be looked at.
    told = isinstance(arrival, Event) and not any(isinstance(p, Instant | After | Within) for p in walk(inner))
    if not front_is_fluid(inner):
        waited = isinstance(arrival, Tick) and arrival.pattern == owner
        for start in sorted(arrival.of if waited else _edges(inner, anywhere, front=True)):  # type: ignore[union-attr]
            assert isinstance(start, int)
            finish = owner.period.added_to(start)
            if not told or start <= arrival.start <= finish:  # type: ignore[union-attr]
                yield Stretch(start, finish, start, finish, Tick(owner, finish, (start,))), True
        return
    for end in sorted(_edges(inner, anywhere, front=False)):
        begin = back.added_to(end)
        if not told or begin <= arrival.end <= end:  # type: ignore[union-attr]
            yield Stretch(begin + 1, end, begin, end), False


def _edges(pattern: Pattern, scene: Scene, *, front: bool, arrival: Arrival | None = None) -> set[int]:
    """Every instant at which an occurrence can begin, or end, if not fluidly (004: CE_first and CE_last)."""
    match pattern:
        case Never():
            return set()
        case Named(pattern=inner) | Where(pattern=inner) | Repeat(pattern=inner):
            return _edges(inner, scene, front=front, arrival=arrival)
        case Both(parts=parts) | Either(parts=parts):
            return set().union(*(_edges(part, scene, front=front, arrival=arrival) for part in parts))
        case Absence(first=first, last=last):
            # Whatever is absent: only what lies in the window may be in the way.
            parts = (first, last) if front else (last,)
            return set().union(*(_edges(part, scene, front=front, arrival=arrival) for part in parts))
        case Sequence(parts=parts, order=Precedence.GAP):
            outer, others = (parts[0], parts[1:]) if front else (parts[-1], parts[:-1])
            if not (isinstance(outer, Within) and floats(outer) and others):
                return _edges(outer, scene, front=front, arrival=arrival)
            period = outer.period.scaled(-1) if front else outer.period
            hung = _edges(Sequence(others, Precedence.GAP), scene, front=front, arrival=arrival)
            return {period.added_to(t) for t in hung} | _edges(outer.pattern, scene, front=front, arrival=arrival)
        case Sequence(parts=parts):
            members = parts if front else parts[-1:]
            return set().union(*(_edges(part, scene, front=front, arrival=arrival) for part in members))
        case Concurrent(left=left, right=right):
            members = (left, right)
            return set().union(*(_edges(part, scene, front=front, arrival=arrival) for part in members))
    return {one.start if front else one.end for one in scene.find(pattern, arrival)}


def window_ticks(window: Within | Between, scene: Scene, arrival: Arrival | None) -> list[Tick]:
    """The ends of windows that an arrival opens, to be waited for; what others have opened is waited for already."""
    if isinstance(window, Between):
        return [Tick(window, window.stop, (window.start,))]
    earlier = scene.history.without(arrival) if isinstance(arrival, Event) else None
    if floats(window) and arrival is not None:
        # It hangs on whatever ends here: an event, or a moment that was waited for.
        start, passed = (arrival.end, ()) if isinstance(arrival, Event) else (arrival.due, _passed(arrival))
        others = earlier.events if earlier is not None else []
        is_open = any(event.end == start for event in others) or repr(window) in passed
        return [] if is_open else [Tick(window, window.period.added_to(start), (start, *passed))]
    inner = bounded_by(window)
    starts = set() if front_is_fluid(inner) else _edges(inner, scene, front=True, arrival=arrival)
    if starts and earlier is not None and earlier.events:
        starts -= _edges(inner, Scene(earlier, scene.search), front=True)
    return [Tick(window, window.period.added_to(start), (start,)) for start in sorted(starts)]


_MOMENT = ""
"""Stands before the windows of a row that hangs on no event."""


def _passed(tick: Tick) -> tuple[object, ...]:
    """The floating windows that ended one after the other up to a moment; each opens others, but none comes again."""
    return (*tick.of[1:], repr(tick.pattern)) if floats(tick.pattern) else (_MOMENT,)


# -- runs (004's `E*n`) ------------------------------------------------------------------------------------------


def runs(pattern: Repeat, scene: Scene) -> Iterator[Occurrence]:
    """Every run of n to m occurrences, each the next one that starts after the end of the one before.

    Where E's back is fluid, what is rigid of it decides which one is the next, and that one bounds it.
    """
    inner, is_fluid = pattern.pattern, back_is_fluid(pattern.pattern)
    step = _next_bounded if is_fluid else _next_rigid
    runs = [[one] for one in (cores(inner, scene) if is_fluid else scene.find(inner))]
    if pattern.same:
        runs = [run for run in runs if group_value(run[0], pattern.same) is not None]
    for length in range(1, pattern.most + 1):
        if not runs:
            return
        if length >= pattern.least:
            ends = is_fluid and scene.stretch.closing is not _UNENDED
            for run in runs:
                # The last of a run is bounded by what follows the run: the stretch's own end.
                lasts = _completed(inner, run[-1], scene) if ends else run[-1:]
                yield from (gathered([*run[:-1], last]) for last in lasts)
        if length < pattern.most:
            runs = [longer for run in runs for longer in step(pattern, run, scene)]


def _next_rigid(pattern: Repeat, run: list[Occurrence], scene: Scene) -> list[list[Occurrence]]:
    found = list(scene.inside(scene.stretch.after(run[-1].end)).find(pattern.pattern))
    if pattern.same:
        group = group_value(run[0], pattern.same)
        found = [one for one in found if group_value(one, pattern.same) == group]
    return [[*run, one] for one in _earliest(found)]


def _next_bounded(pattern: Repeat, run: list[Occurrence], scene: Scene) -> list[list[Occurrence]]:
    """The next one bounds the fluid end of the last: it must still hold up to there."""
    inner, core = pattern.pattern, run[-1]
    return [
        [*run[:-1], whole, following]
        for following in _earliest(cores(inner, scene.inside(scene.stretch.after(core.end))))
        for whole in _completed(inner, core, scene.inside(scene.stretch.until(following.start)))
    ]


def _earliest(found: list[Occurrence]) -> list[Occurrence]:
    least = min(((one.end, one.start) for one in found), default=None)
    return [one for one in found if (one.end, one.start) == least]


def cores(inner: Pattern, scene: Scene) -> list[Occurrence]:
    """What is rigid of a pattern whose back is fluid: `a` of `a -> !b`, `a -> c` of `a -> (c & !b)`."""
    return list(scene.inside(replace(scene.stretch, closing=_UNENDED)).find(inner))


def _completed(inner: Pattern, core: Occurrence, scene: Scene) -> list[Occurrence]:
    """The core as the occurrence it is where its fluid end is bounded."""
    names = [(name, _events(value)) for name, value in core.bindings]
    return [
        whole
        for whole in scene.find(inner)
        if whole.start == core.start
        and whole.events == core.events
        and [(name, _events(value)) for name, value in whole.bindings] == names
    ]
