"""Detections counted by rule, day, hour and key, with a few of them kept as examples.

Examples are those with the smallest ids. An id is a hash of what was detected, so this is as good as drawing lots, and
everybody draws the same, in whatever order the detections come.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from heapq import nsmallest

from tocsin.backtest.findings import BOTH, NEW, OLD, SIDES, Cell, Example, Outcome
from tocsin.backtest.keyed_detections import KeyedDetection
from tocsin.events import Event
from tocsin.time.spans import DAY, HOUR

Chosen = dict[str, list[KeyedDetection]]
"""The examples of each rule."""


def outcomes_of(
    found: Sequence[KeyedDetection], definitions: Mapping[str, str], keys: Mapping[str, str], top: int
) -> tuple[Outcome, ...]:
    """What each rule has detected, without examples."""
    by_rule: dict[str, list[KeyedDetection]] = defaultdict(list)
    for each in found:
        by_rule[each.detection.rule].append(each)
    return tuple(_outcome(rule, text, by_rule[rule], keys.get(rule), top) for rule, text in definitions.items())


def _outcome(rule: str, definition: str, found: Sequence[KeyedDetection], key: str | None, top: int) -> Outcome:
    times = [each.detection.time_us for each in found]
    counted = Counter((time // DAY, time % DAY // HOUR) for time in times)
    keys = Counter(each.key for each in found if each.key is not None)
    ranked = sorted(keys.items(), key=lambda each: (-each[1], each[0]))
    return Outcome(
        rule,
        definition,
        tuple(Cell(day, hour, count) for (day, hour), count in sorted(counted.items())),
        key,
        len(keys),
        tuple(ranked[:top]),
        min(times, default=None),
        max(times, default=None),
    )


def chosen(found: Iterable[KeyedDetection], most: int) -> Chosen:
    """The examples of each rule, in order of time."""
    by_rule: dict[str, list[KeyedDetection]] = defaultdict(list)
    for each in found:
        by_rule[each.detection.rule].append(each)
    return {rule: in_order(nsmallest(most, some, key=lambda one: one.detection.id)) for rule, some in by_rule.items()}


def in_order(found: Iterable[KeyedDetection]) -> list[KeyedDetection]:
    """By time."""
    return sorted(found, key=lambda one: (one.detection.time_us, one.detection.id))


def sides(old: Sequence[KeyedDetection], new: Sequence[KeyedDetection]) -> dict[str, list[KeyedDetection]]:
    """The detections that both versions of the rules make, and those that only one does.

    They are the same if rule and events are, even if one is told sooner or with other data; of several of the same
    events, the first is the same as the first, and so on.
    """
    before, after = _numbered(old), _numbered(new)
    found: dict[str, list[KeyedDetection]] = {side: [] for side in SIDES}
    for name, one in after.items():
        found[BOTH if name in before else NEW].append(one)
    found[OLD] = [one for name, one in before.items() if name not in after]
    return found


def _numbered(found: Sequence[KeyedDetection]) -> dict[tuple[str, tuple[str, ...], int], KeyedDetection]:
    """The detections by rule, events and place among those of the same."""
    counts: Counter[tuple[str, tuple[str, ...]]] = Counter()
    made: dict[tuple[str, tuple[str, ...], int], KeyedDetection] = {}
    for one in in_order(found):
        of = one.detection.rule, one.detection.events
        made[*of, counts[of]] = one
        counts[of] += 1
    return made


def example_of(found: KeyedDetection, events: Mapping[str, Sequence[Event]]) -> Example:
    """A detection with its events; sources may use the same id, then those inside its stretch of time are meant."""
    one = found.detection
    made_of: list[Event] = []
    for name, times in Counter(one.events).items():
        known = events.get(name, ())
        inside = [event for event in known if one.start_us <= event.end <= one.time_us]
        made_of += (inside or list(known))[:times]
    return Example(one, tuple(sorted(made_of, key=lambda event: (event.end, event.id))), found.key)


def by_id(events: Iterable[Event]) -> dict[str, list[Event]]:
    """Events by their ids."""
    made: dict[str, list[Event]] = defaultdict(list)
    for event in events:
        made[event.id].append(event)
    return made
