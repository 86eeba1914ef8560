"""`a 3 times` in words: so many events of one group in a row (SEMANTICS section 7, "Times in words").

A group's events stand in order of time, and at one time in order of arrival. Each of them ends at most one run: with
the ones right before it, or, where values must differ, with the latest of each other value. `once` tells of a burst: a
stretch in which enough of them lie within the period at every moment. It is told by the run that begins it.
"""

from __future__ import annotations

from collections.abc import Iterable

from tocsin.algebra.combinations import attribute_value, group_value
from tocsin.algebra.occurrence import Occurrence
from tocsin.algebra.patterns import Streak

Run = list[Occurrence]


def streaks(pattern: Streak, found: Iterable[Occurrence]) -> list[Run]:
    """Every run among some events; of bursts those that begin one."""
    return [run for group in groups(pattern, found) for run, begins in _runs(pattern, group) if run and begins]


def completed_by(pattern: Streak, found: Iterable[Occurrence], news: Occurrence) -> list[Run]:
    """The run that an arrival completes: of those that contain it the first in time; none, or one.

    A burst that was there already is not told again because a late event makes it begin sooner.
    """
    group = next((group for group in groups(pattern, found) if news in group), None)
    if group is None:
        return []
    told = _begin(pattern, [one for one in group if one is not news]) if pattern.once else []
    runs = _runs(pattern, group)
    for place, (run, begins) in enumerate(runs):
        if begins and news in run and not any(one in told for one in _burst(group, runs, place)):
            return [run]
    return []


def groups(pattern: Streak, found: Iterable[Occurrence]) -> list[Run]:
    """The events of each group in order; an event that lacks an attribute is in none."""
    made: dict[object, Run] = {}
    for one in sorted(found, key=lambda one: one.events[0].place):
        value = group_value(one, pattern.same)
        if value is not None and attribute_value(one, pattern.different) is not None:
            made.setdefault(value, []).append(one)
    return list(made.values())


def _runs(pattern: Streak, group: Run) -> list[tuple[Run, bool]]:
    """The run that each event of a group ends, empty where there is none, and whether it is one to tell of."""
    made = []
    for place, last in enumerate(group):
        earlier = group[:place]
        run = [*_latest(pattern, earlier, pattern.count - 1, attribute_value(last, pattern.different)), last]
        run = run if len(run) == pattern.count and _fits(pattern, run) else []
        made.append((run, bool(run) and not (pattern.once and _goes_on(pattern, earlier, last))))
    return made


def _goes_on(pattern: Streak, earlier: Run, last: Occurrence) -> bool:
    """Whether enough lay within the period until just before `last`."""
    others = _latest(pattern, earlier, pattern.count, None)
    return len(others) == pattern.count and _fits(pattern, [*others, last])


def _latest(pattern: Streak, earlier: Run, count: int, other_than: object) -> Run:
    """So many of the latest; where values must differ, the latest of each value but one."""
    if pattern.different is None:
        return earlier[len(earlier) - count :] if 0 < count <= len(earlier) else []
    latest: dict[object, Occurrence] = {}
    for one in reversed(earlier):
        value = attribute_value(one, pattern.different)
        if len(latest) < count and value != other_than:
            latest.setdefault(value, one)
    return list(reversed(latest.values()))


def _fits(pattern: Streak, run: Run) -> bool:
    return pattern.period is None or run[-1].end <= pattern.period.added_to(min(one.start for one in run))


def _begin(pattern: Streak, group: Run) -> Run:
    """The events that end a run to tell of."""
    return [one for one, (_, begins) in zip(group, _runs(pattern, group), strict=True) if begins]


def _burst(group: Run, runs: list[tuple[Run, bool]], place: int) -> Run:
    """The events from a place on during which a burst goes on."""
    stop = place + 1
    while stop < len(group) and runs[stop][0] and not runs[stop][1]:
        stop += 1
    return group[place:stop]
