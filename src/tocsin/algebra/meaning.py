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
from itertools import combinations

from tocsin.algebra.aggregates import Gauge
from tocsin.algebra.combinations import (
    BOTH,
    CONCURRENT,
    SEQUENCES,
    Operator,
    absence_holds,
    accepts,
    accumulated,
    attribute_value,
    before,
    combined,
    delayed,
    gathered,
    leaf_occurrence,
    named,
)
from tocsin.algebra.ends import is_open
from tocsin.algebra.guards import Guard, conjuncts, variables_of
from tocsin.algebra.names import bound
from tocsin.algebra.occurrence import TIMER, Bound, Occurrence, Tick, chronology
from tocsin.algebra.patterns import (
    Absence,
    Accumulate,
    After,
    Aggregate,
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
from tocsin.algebra.scene import Arrival, History, Scene
from tocsin.algebra.streaks import completed_by, streaks
from tocsin.algebra.values import holds
from tocsin.algebra.windows import between, gap_sequence, never, runs, within
from tocsin.events import Event

Tests = tuple[Guard, ...]
"""Parts of a guard that must all hold."""


def occurrences(
    pattern: Pattern, history: History, containing: Arrival | None = None, *, waiting: bool = False
) -> list[Occurrence]:
    """Every distinct occurrence of `pattern`, the chronologically oldest first.

    `waiting`: it is a moment that will complete them. So a late event may be in several runs of them, of which it
    completes only one itself.
    """
    scene = Scene(history, find, news=None if waiting else containing)
    return _distinct(sorted(find(pattern, scene, containing), key=chronology))


def _distinct(found: list[Occurrence]) -> list[Occurrence]:
    """Each (set of events, variables) once: the oldest of those that differ in nothing else but their start."""
    distinct: dict[tuple[object, ...], Occurrence] = {}
    for occurrence in found:
        distinct.setdefault(occurrence.key, occurrence)
    return list(distinct.values())


def find(pattern: Pattern, scene: Scene, arrival: Arrival | None = None) -> Iterable[Occurrence]:
    """The occurrences of `pattern` in `scene` that contain `arrival`, if one is given. One case a shape."""
    match pattern:
        case Primitive() | AnyEvent() | At() | AtInstant() | Every():
            return _leaf(pattern, scene, arrival)
        case Named(name=name, pattern=inner):
            return (named(name, one) for one in find(inner, scene, arrival))
        case Where(pattern=Both(parts=parts), guard=guard) if not any(map(is_open, parts)):
            return _together(parts, scene, arrival, BOTH, tuple(conjuncts(guard)))
        case Where(
            pattern=Sequence(parts=parts, order=Precedence.ENDS | Precedence.GLOBAL | Precedence.WEAK as order),
            guard=guard,
        ):
            return _together(parts, scene, arrival, SEQUENCES[order], tuple(conjuncts(guard)))
        case Where(pattern=inner, guard=guard):
            around, outer = scene.history.around, scene.variables
            return (one for one in find(inner, scene, arrival) if holds(guard, {**outer, **one.variables()}, around))
        case Either(parts=parts):
            return (one for part in parts for one in find(part, scene, arrival))
        case Both(parts=parts):
            return _both(parts, scene, arrival)
        case Sequence(parts=parts, order=Precedence.GAP):
            return _containing(arrival, gap_sequence(parts, scene))
        case Sequence(parts=parts, order=order):
            return _together(parts, scene, arrival, SEQUENCES[order])
        case Concurrent(left=left, right=right):
            return _together((left, right), scene, arrival, CONCURRENT)
        case Absence():
            return _absence(pattern, scene, arrival)
        case Times():
            return _times(pattern, scene, arrival)
        case Streak():
            return _streaks(pattern, scene, arrival)
        case Aggregate():
            return _aggregate(pattern, scene, arrival)
        case Accumulate(each=each, last=last):
            return _containing(arrival, _accumulated(each, last, scene))
        case After():
            return _after(pattern, scene, arrival)
        case Instant(pattern=inner):
            found = find(inner, scene.anywhere(), arrival)
            return (
                one.spanning(one.end, one.end) for one in found if scene.stretch.first <= one.end <= scene.stretch.last
            )
        case Never(pattern=inner):
            return _containing(arrival, never(inner, scene))
        case Within():
            return _containing(arrival, within(pattern, scene, arrival))
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


def _together(
    parts: tuple[Pattern, ...], scene: Scene, arrival: Arrival | None, operator: Operator, tests: Tests = ()
) -> Iterator[Occurrence]:
    """All combinations of the parts' occurrences in which neighbours follow each other and every test holds.

    An occurrence contains the arrival if one of its parts does, so each part in turn is asked for it and the others
    are added around it, nearest first. A test is made as soon as what it names is chosen: that gives the same answers
    as testing at the end, sooner.
    """
    places = range(len(parts))
    if arrival is None:
        firsts: dict[int, list[Occurrence]] = {0: list(find(parts[0], scene))}
    else:
        firsts = {place: list(find(parts[place], scene, arrival)) for place in places}
    others = [list(find(part, scene)) for part in parts] if any(firsts.values()) else []
    names = [frozenset(bound(part)) for part in parts]
    for start, found in firsts.items():
        if found:
            order = (start, *reversed(range(start)), *range(start + 1, len(parts)))
            choices = [found if place == start else others[place] for place in order]
            yield from _choose(order, choices, {}, dict(scene.variables), operator, _timely(order, names, tests), scene)


def _timely(order: tuple[int, ...], names: list[frozenset[str]], tests: Tests) -> list[Tests]:
    """For each part in the order of choice, the tests that name it and nothing that is chosen later."""
    later = [frozenset[str]().union(*(names[place] for place in order[step + 1 :])) for step in range(len(order))]
    made: set[int] = set()
    timely: list[Tests] = []
    for step in range(len(order)):
        ready = [n for n, test in enumerate(tests) if n not in made and later[step].isdisjoint(variables_of(test))]
        made.update(ready)
        timely.append(tuple(tests[n] for n in ready))
    return timely


def _choose(
    order: tuple[int, ...],
    choices: list[list[Occurrence]],
    chosen: dict[int, Occurrence],
    variables: dict[str, Bound],
    operator: Operator,
    tests: list[Tests],
    scene: Scene,
) -> Iterator[Occurrence]:
    """Chooses an occurrence for the next part in every way that fits what is chosen already."""
    step = len(chosen)
    if step == len(order):
        whole = chosen[0]
        for place in range(1, len(order)):
            whole = operator.combine(whole, chosen[place])
        yield whole
        return
    place = order[step]
    before_it, after_it = chosen.get(place - 1), chosen.get(place + 1)
    for one in choices[step]:
        if before_it is not None and not operator.fits(before_it, one):
            continue
        if after_it is not None and not operator.fits(one, after_it):
            continue
        known = {**variables, **one.variables()} if one.bindings else variables
        if all(holds(test, known, scene.history.around) for test in tests[step]):
            yield from _choose(order, choices, {**chosen, place: one}, known, operator, tests, scene)


def _both(parts: tuple[Pattern, ...], scene: Scene, arrival: Arrival | None) -> Iterable[Occurrence]:
    """Cartesian product (000 section 6.1). What is free comes last, so that its guards know the other parts."""
    fixed = tuple(part for part in parts if not is_open(part))
    if len(fixed) == len(parts):
        return _together(parts, scene, arrival, BOTH)
    partial: list[Occurrence | None] = list(_together(fixed, scene, None, BOTH)) if fixed else [None]
    for part in parts:
        if part not in fixed:
            partial = [
                right if left is None else combined(left, right)
                for left in partial
                for right in find(part, scene.inside(scene.stretch, left))
            ]
    return _containing(arrival, (one for one in partial if one is not None))


# -- absence between two (003 `{a;b}!c`, 002 `a ; NOT b ; c`) ---------------------------------------------------


def _absence(pattern: Absence, scene: Scene, arrival: Arrival | None) -> Iterator[Occurrence]:
    cancelling = list(find(pattern.without, scene.with_used()))
    for whole, first, last in _pairs(pattern, scene, arrival):
        if absence_holds(pattern, whole, first, last, cancelling, scene.history.around, scene.variables):
            yield whole


def _pairs(
    pattern: Absence, scene: Scene, arrival: Arrival | None
) -> Iterator[tuple[Occurrence, Occurrence, Occurrence]]:
    operator = SEQUENCES[pattern.order]
    firsts, lasts = list(find(pattern.first, scene)), list(find(pattern.last, scene))
    for first in firsts:
        for last in lasts:
            has_arrived = arrival is None or first.holds(arrival) or last.holds(arrival)
            if has_arrived and operator.fits(first, last):
                yield operator.combine(first, last), first, last


# -- repetition ------------------------------------------------------------------------------------------------


def _times(pattern: Times, scene: Scene, arrival: Arrival | None) -> Iterator[Occurrence]:
    """000 section 6.1: all choices of n elements, with one value or pairwise different values."""
    found = [one for one in find(pattern.pattern, scene) if attribute_value(one, pattern.attribute) is not None]
    must = [one for one in found if arrival is not None and one.holds(arrival)]
    if arrival is not None and not must:
        return
    groups: dict[object, list[Occurrence]] = {None: found}
    if pattern.same:
        groups = {}
        for one in found:
            groups.setdefault(attribute_value(one, pattern.attribute), []).append(one)
    for group in groups.values():
        others = [one for one in group if one not in must]
        here = [one for one in group if one in must]
        if len(here) < len(must) or len(here) > pattern.count:
            continue
        for chosen in combinations(others, pattern.count - len(here)):
            taken = [*chosen, *here]
            if pattern.same or len({attribute_value(one, pattern.attribute) for one in taken}) == pattern.count:
                yield gathered(taken)


def _streaks(pattern: Streak, scene: Scene, arrival: Arrival | None) -> Iterator[Occurrence]:
    """Runs in words. What stands in a row does so among all events of its group, whatever window is around."""
    found = list(find(pattern.pattern, scene.anywhere()))
    runs = streaks(pattern, found)
    news = next((one for one in found if scene.news is not None and one.holds(scene.news)), None)
    if news is not None:
        completed = completed_by(pattern, found, news)
        runs = [run for run in runs if news not in run or run in completed]
    wholes = (gathered(run) for run in runs)
    inside = (one for one in wholes if scene.stretch.first <= one.start and one.end <= scene.stretch.last)
    yield from _containing(arrival, inside)


def measured(gauge: Gauge, event: Event, history: History) -> None:
    """Lets an aggregate count an event that has come, if it is one that it counts."""
    for one in find(gauge.pattern.pattern, Scene(history, find), event):
        gauge.take(one)


def _aggregate(pattern: Aggregate, scene: Scene, arrival: Arrival | None) -> Iterator[Occurrence]:
    """The events that an aggregate is told of, in whatever window it is."""
    history = scene.history
    gauge = history.gauges.get(pattern)
    if gauge is None:
        gauge = history.gauges[pattern] = Gauge(pattern, history.around)
        for event in history.events:
            measured(gauge, event, history)
    return (one for one in find(pattern.pattern, scene, arrival) if gauge.tells(one.events[0]))


def _accumulated(each: Pattern, last: Pattern, scene: Scene) -> Iterator[Occurrence]:
    """002's `a * b` without consumption: b with every a before it."""
    firsts = list(find(each, scene))
    for one in find(last, scene):
        yield accumulated([first for first in firsts if before(first, one, Precedence.GLOBAL)], one)


# -- later than ------------------------------------------------------------------------------------------------


def _after(pattern: After, scene: Scene, arrival: Arrival | None) -> Iterator[Occurrence]:
    """`e + [t]`: the occurrences of e whose time has come. It is cancelled with e, being made from it each time."""
    waited = isinstance(arrival, Tick) and arrival.pattern == pattern
    for one in find(pattern.pattern, scene.anywhere(), None if waited else arrival):
        whole = delayed(pattern, one, scene.history.granularity)
        inside = scene.stretch.first <= whole.start and whole.end <= scene.stretch.last
        if whole.end <= scene.history.now and inside and (arrival is None or whole.holds(arrival)):
            yield whole
