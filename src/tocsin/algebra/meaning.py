"""What a pattern means: all its occurrences in a history. Plain, and the judge of everything faster.

`occurrences(pattern, history)` is a function of its arguments alone: every way in which the events of the history
form the pattern. What is fired for, in which order and what is then used up is the other half, `replay.py`.

With `containing` it gives only the occurrences that contain one arrival (an event, or a moment waited for), which
are those that arrival can complete: whatever does not contain it could have been found before.

A pattern is looked for in a `Stretch` of time. Only free negation (004's `!E`) and windows narrow it; for the other
papers it is all time. Times are whole microseconds, so "after t" is "from t + 1": no open intervals are needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations

from tocsin.algebra.combining import (
    Fit,
    absence_holds,
    accepts,
    accumulated,
    attribute_value,
    before,
    both_fit,
    combined,
    concurrent_fit,
    delayed,
    followed_fit,
    gathered,
    leaf_occurrence,
    named,
)
from tocsin.algebra.ends import back_is_fluid, front_is_fluid
from tocsin.algebra.occurrence import TIMER, Occurrence, Tick, chronology
from tocsin.algebra.patterns import (
    Absence,
    Accumulate,
    After,
    AnyEvent,
    At,
    AtInstant,
    Between,
    Both,
    Concurrent,
    Either,
    Every,
    Instant,
    Named,
    Never,
    Order,
    Pattern,
    Primitive,
    Repeat,
    Sequence,
    Times,
    Where,
    Within,
)
from tocsin.algebra.scene import Arrival, History, Scene
from tocsin.algebra.values import holds
from tocsin.algebra.windows import between, gap_sequence, never, runs, within
from tocsin.events import Event


def occurrences(pattern: Pattern, history: History, containing: Arrival | None = None) -> list[Occurrence]:
    """Every distinct occurrence of `pattern`, the chronologically oldest first."""
    return sorted(_distinct(find(pattern, Scene(history, find), containing)), key=chronology)


def _distinct(found: Iterable[Occurrence]) -> list[Occurrence]:
    """Each (set of events, variables) once."""
    return list({occurrence.key: occurrence for occurrence in found}.values())


def find(pattern: Pattern, scene: Scene, arrival: Arrival | None = None) -> Iterable[Occurrence]:
    """The occurrences of `pattern` in `scene` that contain `arrival`, if one is given. One case a shape."""
    match pattern:
        case Primitive() | AnyEvent() | At() | AtInstant() | Every():
            return _leaf(pattern, scene, arrival)
        case Named(name=name, pattern=inner):
            return (named(name, one) for one in find(inner, scene, arrival))
        case Where(pattern=inner, guard=guard):
            around, outer = scene.history.around, scene.variables
            return (one for one in find(inner, scene, arrival) if holds(guard, {**outer, **one.variables()}, around))
        case Either(parts=parts):
            return (one for part in parts for one in find(part, scene, arrival))
        case Both(parts=parts):
            return _both(parts, scene, arrival)
        case Sequence(parts=parts, order=Order.GAP):
            return _containing(arrival, gap_sequence(parts, scene))
        case Sequence(parts=parts, order=order):
            return _folded(parts, scene, arrival, lambda left, right: followed_fit(left, right, order))
        case Concurrent(left=left, right=right):
            return _folded((left, right), scene, arrival, concurrent_fit)
        case Absence():
            return _absence(pattern, scene, arrival)
        case Times():
            return _times(pattern, scene, arrival)
        case Accumulate(each=each, last=last):
            return _containing(arrival, _accumulated(each, last, scene))
        case After():
            return _after(pattern, scene, arrival)
        case Instant(pattern=inner):
            found = find(inner, scene.anywhere(), arrival)
            return (
                replace(one, start=one.end) for one in found if scene.stretch.first <= one.end <= scene.stretch.last
            )
        case Never(pattern=inner):
            return _containing(arrival, never(inner, scene))
        case Within():
            return _containing(arrival, within(pattern, scene))
        case Between():
            return _containing(arrival, between(pattern, scene))
        case Repeat():
            return _containing(arrival, runs(pattern, scene))
    raise AssertionError(f"no meaning for {type(pattern).__name__} here: automata run in automata.py")


def _containing(arrival: Arrival | None, found: Iterable[Occurrence]) -> Iterable[Occurrence]:
    return found if arrival is None else (one for one in found if one.holds(arrival))


# -- leaves and names ------------------------------------------------------------------------------------------


def _leaf(pattern: Pattern, scene: Scene, arrival: Arrival | None) -> Iterator[Occurrence]:
    history, stretch = scene.history, scene.stretch
    events = [arrival] if isinstance(arrival, Event) else [] if arrival else leaf_events(pattern, history)
    for event in events:
        inside = stretch.first <= event.start and event.end <= stretch.last
        if inside and accepts(pattern, event, history.declared):
            yield leaf_occurrence(event, history.granularity)


def leaf_events(pattern: Pattern, history: History) -> list[Event]:
    """The events that a leaf could stand for, before it looks at them one by one."""
    if isinstance(pattern, AnyEvent):
        return history.events
    return history.of_type(pattern.type if isinstance(pattern, Primitive) else TIMER)


# -- two or more at once ---------------------------------------------------------------------------------------


def _folded(parts: tuple[Pattern, ...], scene: Scene, arrival: Arrival | None, fit: Fit) -> Iterator[Occurrence]:
    """All combinations of the parts' occurrences that fit, taken together from the left.

    An occurrence contains the arrival if one of its parts does, so each part in turn is asked for it.
    """
    if arrival is None:
        yield from _fold([list(find(part, scene, None)) for part in parts], fit)
        return
    holding = [list(find(part, scene, arrival)) for part in parts]
    if not any(holding):
        return
    everything = [list(find(part, scene, None)) for part in parts]
    for place, found in enumerate(holding):
        if found:
            yield from _fold([*everything[:place], found, *everything[place + 1 :]], fit)


def _fold(choices: list[list[Occurrence]], fit: Fit) -> list[Occurrence]:
    partial = choices[0]
    for choice in choices[1:]:
        partial = [whole for left in partial for right in choice if (whole := fit(left, right)) is not None]
    return partial


def _both(parts: tuple[Pattern, ...], scene: Scene, arrival: Arrival | None) -> Iterable[Occurrence]:
    """Cartesian product (000 section 6.1). What is free comes last, so that its guards know the other parts."""
    fixed = tuple(part for part in parts if not front_is_fluid(part) and not back_is_fluid(part))
    free = [part for part in parts if part not in fixed]
    if not free:
        return _folded(parts, scene, arrival, both_fit)
    partial = list(_folded(fixed, scene, None, both_fit)) if fixed else [None]
    for part in free:
        partial = [
            right if left is None else combined(left, right)
            for left in partial
            for right in find(part, scene.inside(scene.stretch, left), None)
        ]
    return _containing(arrival, (one for one in partial if one is not None))


# -- absence between two (003 `{a;b}!c`, 002 `a ; NOT b ; c`) ---------------------------------------------------


def _absence(pattern: Absence, scene: Scene, arrival: Arrival | None) -> Iterator[Occurrence]:
    cancelling = list(find(pattern.without, scene, None))
    for whole, first, last in _pairs(pattern, scene, arrival):
        if absence_holds(pattern, whole, first, last, cancelling, scene.history.around):
            yield whole


def _pairs(
    pattern: Absence, scene: Scene, arrival: Arrival | None
) -> Iterator[tuple[Occurrence, Occurrence, Occurrence]]:
    firsts, lasts = list(find(pattern.first, scene, None)), list(find(pattern.last, scene, None))
    for first in firsts:
        for last in lasts:
            whole = followed_fit(first, last, pattern.order)
            if whole is not None and (arrival is None or whole.holds(arrival)):
                yield whole, first, last


# -- repetition ------------------------------------------------------------------------------------------------


def _times(pattern: Times, scene: Scene, arrival: Arrival | None) -> Iterator[Occurrence]:
    """000 section 6.1: all choices of n elements, with one value or pairwise different values."""
    found = [one for one in find(pattern.pattern, scene, None) if attribute_value(one, pattern.attribute) is not None]
    must = [one for one in found if arrival is not None and one.holds(arrival)]
    if arrival is not None and not must:
        return
    others = [one for one in found if one not in must]
    for chosen in combinations(others, pattern.count - len(must)) if len(must) <= pattern.count else ():
        taken = [*chosen, *must]
        values = {attribute_value(one, pattern.attribute) for one in taken}
        if len(values) == (1 if pattern.same else pattern.count):
            yield gathered(taken)


def _accumulated(each: Pattern, last: Pattern, scene: Scene) -> Iterator[Occurrence]:
    """002's `a * b` without consumption: b with every a before it."""
    firsts = list(find(each, scene, None))
    for one in find(last, scene, None):
        yield accumulated([first for first in firsts if before(first, one, Order.GLOBAL)], one)


# -- later than ------------------------------------------------------------------------------------------------


def _after(pattern: After, scene: Scene, arrival: Arrival | None) -> Iterator[Occurrence]:
    """`e + [t]`: the occurrences of e whose time has come. It is cancelled with e, being made from it each time."""
    waited = isinstance(arrival, Tick) and arrival.pattern == pattern
    for one in find(pattern.pattern, scene.anywhere(), None if waited else arrival):
        whole = delayed(pattern, one)
        inside = scene.stretch.first <= whole.start and whole.end <= scene.stretch.last
        if whole.end <= scene.history.now and inside and (arrival is None or whole.holds(arrival)):
            yield whole
