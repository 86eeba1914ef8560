"""Free negation, windows and runs (004): patterns that reach as far as their surroundings let them.

A fluid end is bounded by the neighbouring event, by the window or by the next of a run: whatever is rigid is found
first, and what is fluid is then looked for in the stretch that is left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from tocsin.algebra.combining import combined, gathered
from tocsin.algebra.ends import back_is_fluid, floats, front_is_fluid
from tocsin.algebra.occurrence import Occurrence, Tick
from tocsin.algebra.patterns import (
    After,
    Between,
    Both,
    Either,
    Instant,
    Named,
    Order,
    Pattern,
    Repeat,
    Sequence,
    Where,
    Within,
    walk,
)
from tocsin.algebra.scene import Arrival, Scene, Stretch
from tocsin.events import Event


def never(inner: Pattern, scene: Scene) -> Iterator[Occurrence]:
    """`!E` takes the whole stretch. Where that ends with a window, it is known only when the window is over."""
    stretch = scene.stretch
    if stretch.closing is not None and stretch.back > scene.history.settled:
        return
    if not any(True for _ in scene.find(inner)):
        ticks = frozenset() if stretch.closing is None else frozenset({stretch.closing})
        yield Occurrence(stretch.front, stretch.back, ticks=ticks)


def gap_sequence(parts: tuple[Pattern, ...], scene: Scene) -> Iterator[Occurrence]:
    """`E -> F`: whichever of the two facing ends is rigid is found first and bounds the other."""
    if len(parts) == 1:
        yield from scene.find(parts[0])
        return
    right = parts[-1]
    left_is_fluid = back_is_fluid(Sequence(parts[:-1], Order.GAP)) or floats(parts[-2])
    if left_is_fluid:
        for last in scene.find(right):
            for first in _left_of(parts[:-1], last, scene):
                yield _gap_joined(first, last)
        return
    for first in gap_sequence(parts[:-1], scene):
        for last in _right_of(right, first, scene):
            yield _gap_joined(first, last)


def _left_of(parts: tuple[Pattern, ...], last: Occurrence, scene: Scene) -> Iterable[Occurrence]:
    floating = parts[-1]
    if len(parts) == 1 and isinstance(floating, Within) and floats(floating):
        begin = floating.period.scaled(-1).added_to(last.start)
        stretch = Stretch(begin, last.start - 1, begin, last.start)
        return scene.inside(stretch, last).find(floating.pattern)
    return gap_sequence(parts, scene.inside(scene.stretch.until(last.start), last))


def _right_of(right: Pattern, first: Occurrence, scene: Scene) -> Iterable[Occurrence]:
    if isinstance(right, Within) and floats(right):
        finish = right.period.added_to(first.end)
        tick = Tick(right, finish, (first.end,))
        stretch = Stretch(first.end + 1, finish, first.end, finish, tick)
        found = scene.inside(stretch, first).find(right.pattern)
        return (one for one in found if one.end <= scene.stretch.last)
    return scene.inside(scene.stretch.after(first.end), first).find(right)


def _gap_joined(first: Occurrence, last: Occurrence) -> Occurrence:
    return replace(combined(first, last), start=first.start, end=last.end)


def bounded_by(window: Within | Between) -> Pattern:
    """What a window bounds: written on {E} it bounds E, and its instant only has to lie in the window around."""
    return window.pattern.pattern if isinstance(window.pattern, Instant) else window.pattern


def between(pattern: Between, scene: Scene) -> Iterator[Occurrence]:
    """A fixed window, both edges included."""
    tick = Tick(pattern, pattern.stop, (pattern.start,))
    stretch = Stretch(pattern.start, pattern.stop, pattern.start, pattern.stop, tick)
    for one in scene.inside(stretch).find(bounded_by(pattern)):
        whole = replace(one, start=one.end) if isinstance(pattern.pattern, Instant) else one
        if scene.stretch.first <= whole.start and whole.end <= scene.stretch.last:
            yield whole


def within(pattern: Within, scene: Scene, arrival: Arrival | None) -> Iterator[Occurrence]:
    """A sliding window: forward from each possible start, or backward from each possible end."""
    inner = bounded_by(pattern)
    for stretch, forward in _windows(inner, pattern, scene, arrival):
        for one in scene.inside(stretch).find(inner):
            fits = one.start == stretch.front if forward else one.end == stretch.back
            whole = replace(one, start=one.end) if inner is not pattern.pattern else one
            if fits and scene.stretch.first <= whole.start and whole.end <= scene.stretch.last:
                yield whole


def _windows(inner: Pattern, owner: Within, scene: Scene, arrival: Arrival | None) -> Iterator[tuple[Stretch, bool]]:
    """The windows in which to look. One that cannot contain the arrival is left out where that can be told."""
    anywhere, back = scene.anywhere(), owner.period.scaled(-1)
    # An instant inside may stand for events outside the window; then every window has to be looked at.
    told = isinstance(arrival, Event) and not any(isinstance(p, Instant | After | Within) for p in walk(inner))
    if not front_is_fluid(inner):
        waited = isinstance(arrival, Tick) and arrival.pattern == owner
        for start in sorted(arrival.of if waited else _starts(inner, anywhere)):  # type: ignore[union-attr]
            assert isinstance(start, int)
            finish = owner.period.added_to(start)
            if not told or start <= arrival.start <= finish:  # type: ignore[union-attr]
                yield Stretch(start, finish, start, finish, Tick(owner, finish, (start,))), True
        return
    for end in sorted(_ends(inner, anywhere)):
        begin = back.added_to(end)
        if not told or begin <= arrival.end <= end:  # type: ignore[union-attr]
            yield Stretch(begin + 1, end, begin, end), False


def _starts(pattern: Pattern, scene: Scene, arrival: Arrival | None = None) -> set[int]:
    """Every instant at which an occurrence of a pattern with a rigid front can begin."""
    match pattern:
        case Named(pattern=inner) | Where(pattern=inner) | Repeat(pattern=inner):
            return _starts(inner, scene, arrival)
        case Both(parts=parts) | Either(parts=parts):
            return set().union(*(_starts(part, scene, arrival) for part in parts))
        case Sequence(parts=parts, order=Order.GAP):
            return _starts(parts[0], scene, arrival)
    return {one.start for one in scene.find(pattern, arrival)}


def _ends(pattern: Pattern, scene: Scene) -> set[int]:
    """Every instant at which an occurrence of a pattern with a rigid back can end."""
    match pattern:
        case Named(pattern=inner) | Where(pattern=inner) | Repeat(pattern=inner):
            return _ends(inner, scene)
        case Both(parts=parts) | Either(parts=parts):
            return set().union(*(_ends(part, scene) for part in parts))
        case Sequence(parts=parts, order=Order.GAP):
            return _ends(parts[-1], scene)
    return {one.end for one in scene.find(pattern)}


def window_ticks(window: Within | Between, scene: Scene, arrival: Arrival | None) -> list[Tick]:
    """The ends of windows that an arrival opens, to be waited for."""
    if isinstance(window, Between):
        return [Tick(window, window.stop, (window.start,))]
    if floats(window):
        starts = {arrival.end} if isinstance(arrival, Event) else set()
    elif front_is_fluid(bounded_by(window)):
        starts = set()
    else:
        starts = _starts(bounded_by(window), scene, arrival)
    return [Tick(window, window.period.added_to(start), (start,)) for start in sorted(starts)]


# -- runs (004's `E*n`) ------------------------------------------------------------------------------------------


def runs(pattern: Repeat, scene: Scene) -> Iterator[Occurrence]:
    """Every run of n to m occurrences, each the next one that starts after the end of the one before."""
    inner = pattern.pattern
    step = _next_bounded if back_is_fluid(inner) else _next_rigid
    runs = [[one] for one in _firsts(inner, scene)]
    for length in range(1, pattern.most + 1):
        if length >= pattern.least:
            for run in runs:
                closed = _close(inner, run, scene) if back_is_fluid(inner) else [run]
                yield from (gathered(each) for each in closed)
        if length < pattern.most:
            runs = [longer for run in runs for longer in step(inner, run, scene)]


def _firsts(inner: Pattern, scene: Scene) -> Iterable[Occurrence]:
    return _cores(inner, scene) if back_is_fluid(inner) else scene.find(inner)


def _next_rigid(inner: Pattern, run: list[Occurrence], scene: Scene) -> list[list[Occurrence]]:
    found = list(scene.inside(scene.stretch.after(run[-1].end), run[-1]).find(inner))
    least = min(((one.end, one.start) for one in found), default=None)
    return [[*run, one] for one in found if (one.end, one.start) == least]


def _cores(inner: Pattern, scene: Scene) -> list[Occurrence]:
    """What is rigid of a pattern whose back is fluid: `a` of `a -> !b`, as far as it can begin in the scene."""
    rigid = inner.parts[:-1] if isinstance(inner, Sequence) else ()
    return list(gap_sequence(rigid, scene)) if rigid else []


def _next_bounded(inner: Pattern, run: list[Occurrence], scene: Scene) -> list[list[Occurrence]]:
    """The next one bounds the fluid end of the last: it must still hold up to there."""
    core = run[-1]
    found = _cores(inner, scene.inside(scene.stretch.after(core.end)))
    least = min(((one.end, one.start) for one in found), default=None)
    nexts = [one for one in found if (one.end, one.start) == least]
    return [
        [*run[:-1], whole, following]
        for following in nexts
        for whole in scene.inside(scene.stretch.until(following.start)).find(inner)
        if set(core.events) <= set(whole.events) and whole.start == core.start
    ]


def _close(inner: Pattern, run: list[Occurrence], scene: Scene) -> list[list[Occurrence]]:
    """The last of a run is bounded by what follows the run: the stretch's own end."""
    core = run[-1]
    return [
        [*run[:-1], whole]
        for whole in scene.find(inner)
        if set(core.events) <= set(whole.events) and whole.start == core.start
    ]
