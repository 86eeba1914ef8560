"""What late events change in what was reported: the plain meaning of `--amend`, and the judge of the quick way.

After each arrival there is a set of detections that *stand*: those of `replay` had every event that has come so far
come in time, up to where the clock is now. What an arrival adds to that set is reported; what a late one takes out of
it is retracted, and what it puts back is restored. So what was reported, less what was retracted, and with what was
restored, is at every moment what the order `guaranteed` would have given for these events, had every source reported
up to the clock; but what has one end is taken as it came, as under best-effort, and not in the total order.

`amended` works it out anew after every arrival. Only `standing` says what is meant, and `changes` how it is told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, MutableMapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from tocsin.algebra.notes import Notes
from tocsin.algebra.order import Release
from tocsin.algebra.replay import Replay
from tocsin.algebra.rules import Program
from tocsin.events import Amendment, Arrival, Detection, Event, stable_id
from tocsin.time.spans import HOUR

WITHIN = HOUR
"""How late an event may be and still change what was reported, unless another time is asked for."""


class Change(StrEnum):
    """What became of a detection."""

    RETRACTED = "retracted"
    REPLACED = "replaced"
    RESTORED = "restored"


class Positioned(NamedTuple):
    """An event where it belongs: sorts by the time at which it should have come, then as it did come."""

    at: int
    number: int
    event: Event


@dataclass
class Course:
    """How far the arrivals have got, and where each belongs among them."""

    within: int = WITHIN
    clock: int | None = None
    taken: int = 0
    too_late: int = 0
    final: int | None = None
    """What belongs before this amends nothing: the rules were others."""

    def reach(self, arrival: int) -> int:
        """The arrival clock goes on; never back."""
        self.clock = arrival if self.clock is None else max(self.clock, arrival)
        return self.clock

    def place(self, event: Event) -> Positioned:
        """Where an event belongs that comes now. One that is too late is taken as it comes, and counted."""
        assert self.clock is not None
        self.taken += 1
        if event.end < self.clock - self.within or (self.final is not None and event.end < self.final):
            self.too_late += 1
            return Positioned(self.clock, self.taken, event)
        return Positioned(event.end, self.taken, event)


TOO_LATE = "{} late by more than what is kept to amend: taken as {} came"


def note_too_late(course: Course, notes: Notes) -> None:
    """Says how many events came too late to amend anything."""
    if course.too_late:
        many = course.too_late > 1
        counted = f"{course.too_late} event{'s' * many} {'were' if many else 'was'}"
        notes.warnings.append(TOO_LATE.format(counted, "they" if many else "it"))


def standing(
    program: Program,
    placed: Iterable[Positioned],
    course: Course,
    granularity: int | None = None,
    *,
    notes: Notes | None = None,
    until: int | None = None,
    ended: bool = False,
) -> list[Detection]:
    """What stands: the detections had these events come in time, up to the clock. An event of the future waits.

    `detected` is the time at which each would have been detected. With `ended`, all that is waited for comes.
    """
    assert course.clock is not None
    monitor = Replay(program, granularity, Notes() if notes is None else notes)
    for at, _, event in sorted(placed, key=by_place):
        if ended or at <= course.clock:
            monitor.step(Release(at, event))
    monitor.step(Release(course.clock))
    if ended:
        monitor.finish(until)
    monitor.count_incomparable()
    return monitor.drain()


def by_place(placed: Positioned) -> tuple[int, int]:
    """Sorts events where they belong."""
    return placed[:2]


def amended(
    program: Program,
    log: Iterable[Arrival],
    *,
    within: int = WITHIN,
    granularity: int | None = None,
    until: int | None = None,
    notes: Notes | None = None,
) -> Iterator[Detection]:
    """Every detection on the log as it is made, and every amendment: worked out anew after each arrival."""
    course, placed = Course(within), list[Positioned]()
    stands, gone = list[Detection](), dict[Content, int]()
    notes = Notes() if notes is None else notes
    for arrival in log:
        before = course.clock
        clock = course.reach(arrival.arrival)
        if before is not None:  # first what falls due while nothing comes
            was, stands = stands, standing(program, placed, course, granularity)
            yield from (at_clock(one, before) for one in changes(was, stands, gone))
        if isinstance(arrival, Event):
            placed.append(course.place(arrival))
            was, stands = stands, standing(program, placed, course, granularity)
            yield from (at_clock(one, clock) for one in changes(was, stands, gone, arrival))
    if course.clock is not None:
        now = standing(program, placed, course, granularity, notes=notes, until=until, ended=True)
        yield from (at_clock(one, course.clock) for one in changes(stands, now, gone))
    note_too_late(course, notes)


# -- from one set to the next --------------------------------------------------------------------------------------


Content = tuple[str, str, str | None]
"""What a detection says: its id and, for what is said of the same firing, the data and the text."""


def content(one: Detection) -> Content:
    """What tells a detection from others; when it was detected does not."""
    return (one.id, repr(one.data), one.notification)


def at_clock(one: Detection, clock: int) -> Detection:
    """A detection as it is told when the clock stands there: it was not told before."""
    return one if one.detected_us >= clock else replace(one, detected_us=clock)


def changes(
    was: list[Detection], now: list[Detection], gone: MutableMapping[Content, int], because: Event | None = None
) -> list[Detection]:
    """What has to be told when `now` stands and not what stood before: first what is amended, then what is new.

    `gone` is what was retracted; it is brought up to date, with the time of the event that was the reason. A detection
    is replaced, and not just retracted, where a new one of its rule and type is made of one of its events.
    """
    removed, added = _less(was, now), _less(now, was)
    fresh = [one for one in added if content(one) not in gone]
    told: list[Detection] = []
    successors: set[int] = set()
    for old in removed:
        new = _successor(old, [one for one in fresh if id(one) not in successors])
        if new is None:
            told.append(amendment(old, Change.RETRACTED, old, because))
        else:
            successors.add(id(new))
            told.append(amendment(new, Change.REPLACED, old, because))
    for one in added:
        if gone.pop(content(one), None) is not None:
            told.append(amendment(one, Change.RESTORED, one, because))
        elif id(one) not in successors:
            told.append(one)
    for old in removed:
        gone[content(old)] = 0 if because is None else because.arrival
    return told


def _less(ones: list[Detection], others: list[Detection]) -> list[Detection]:
    """The ones that are not among the others; what is there twice must be there twice."""
    left = Counter(map(content, others))
    found: list[Detection] = []
    for one in ones:
        key = content(one)
        if left[key]:
            left[key] -= 1
        else:
            found.append(one)
    return found


def _successor(old: Detection, fresh: list[Detection]) -> Detection | None:
    """The new detection that comes nearest to one that is gone: it has the most of its events."""
    alike = [one for one in fresh if (one.rule, one.type) == (old.rule, old.type)]
    best = max(alike, key=lambda one: (one.id == old.id, _shared(one, old)), default=None)
    return best if best is not None and (best.id == old.id or _shared(best, old)) else None


def _shared(one: Detection, other: Detection) -> int:
    return len(set(one.events) & set(other.events))


def amendment(one: Detection, change: Change, old: Detection, because: Event | None) -> Amendment:
    """What is told of a change. A replacement is a detection and has that one's id; what else is told has its own."""
    assert because is not None, "only an event that comes late takes anything back"
    own = one.id if change is Change.REPLACED else stable_id(change, old.id, because.source, because.id)
    return Amendment(
        one.rule,
        one.type,
        one.start_us,
        one.time_us,
        one.detected_us,
        one.events,
        one.data,
        one.notification,
        one.stamp,
        own,
        one.source,
        one.severity,
        one.tags,
        one.suppressed,
        old.id,
        change.value,
        because.id,
    )


def applied(told: Iterable[Detection]) -> list[Detection]:
    """What stands after all that was told: what a sink does that keeps to the amendments."""
    stands: dict[str, list[Detection]] = {}
    for one in told:
        if not isinstance(one, Amendment):
            stands.setdefault(one.id, []).append(one)
            continue
        if one.change == Change.RESTORED:
            stands.setdefault(one.amends, []).append(one.detection)
            continue
        stands[one.amends].pop()
        if one.change == Change.REPLACED:
            stands.setdefault(one.id, []).append(one.detection)
    return [one for ones in stands.values() for one in ones]
