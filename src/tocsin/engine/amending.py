"""The engine where late events change what was reported: it goes back to before them, and tells the difference.

    amending = Amending(program, within=...)
    amending.process(arrivals)      detections, and amendments of earlier ones

The rules run on the time of events, in order. Now and then the engine's state is put aside; the stretch from one such
mark to the next is a *leg*, with the events that came in it and what was detected. An event that belongs into an
earlier leg is put there: the engine goes on from that leg's state through what came since, and what it finds now is
compared with what it found then. So every rule can be amended, whatever it remembers or uses up, and a stream in which
nothing is late pays for the marks alone. The plain meaning is `algebra/amending.py`.
"""

from __future__ import annotations

import heapq
from bisect import insort
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice

from tocsin.algebra.amending import WITHIN, Content, Course, Placed, at_clock, by_place, changes, note_too_late
from tocsin.algebra.detectors import types_seen
from tocsin.algebra.order import Release
from tocsin.algebra.patterns import AnyEvent, Detector, walk
from tocsin.algebra.replay import Notes, mentioned
from tocsin.algebra.rules import Program
from tocsin.engine.monitor import BATCH, Engine
from tocsin.engine.snapshot import restore, snapshot
from tocsin.engine.vectors import FAR
from tocsin.events import Arrival, Detection, Event

LEAST, MOST = 32, 8192
"""Events between two marks: few while events come late, many while none does."""
BYTES = 32
"""... and one at least for so many bytes of the state, so that a great one is seldom put aside."""
MOST_LEGS = 24
"""States that are kept; the further back, the fewer."""


@dataclass
class Leg:
    """A stretch of the stream: the state before it, the events in it where they belong, what was detected.

    The first has no state before it: the clock starts with its first event, whichever that turns out to be.
    """

    begun: int
    state: bytes | None
    notes: Notes
    events: list[Placed] = field(default_factory=list)
    made: list[Detection] = field(default_factory=list)


class Amending:
    """The rules of a program at work on events that may be late by `within` microseconds and still amend."""

    def __init__(
        self, program: Program, *, within: int = WITHIN, granularity: int | None = None, notes: Notes | None = None
    ) -> None:
        self.notes = Notes() if notes is None else notes
        """What the run has to say, once it has finished."""
        self.engine = Engine(program, granularity, Notes())
        self.late = self.rerun = 0
        """Events that were put into their place, and those that were gone through again for it."""
        self._granularity = granularity
        self._course = Course(within)
        self._ahead: list[Placed] = []
        self._legs = [Leg(-FAR, None, Notes())]
        self._gone: dict[Content, int] = {}
        self._spacing = LEAST
        self._types = _types(program)

    # -- arrivals ----------------------------------------------------------------------------------------------------

    def process(self, arrivals: Iterable[Arrival]) -> list[Detection]:
        """Takes arrivals in their order."""
        found: list[Detection] = []
        for arrival in arrivals:
            found += self.advance(arrival.arrival)
            if isinstance(arrival, Event):
                found += self._arrive(arrival)
        return found

    def advance(self, clock: int) -> list[Detection]:
        """The arrival clock reaches a time: what is due by then comes."""
        before = self._course.clock
        now = self._course.reach(clock)
        if before is None:
            return []
        found: list[Detection] = []
        while self._ahead and self._ahead[0].at <= now:
            placed = heapq.heappop(self._ahead)
            found += self._wait(placed.at) + self._take(placed)
        found += self._wait(now)
        self._forget()
        return [at_clock(one, before) for one in found]

    def finish(self, until: int | None = None) -> list[Detection]:
        """The input has ended: what is still waited for comes."""
        found: list[Detection] = []
        while self._ahead:
            placed = heapq.heappop(self._ahead)
            found += self._wait(placed.at) + self._take(placed)
        self.engine.finish(until)
        found += self.engine.drain()
        self.engine.count_incomparable()
        _put(self.engine.notes, self.notes)
        note_too_late(self._course, self.notes)
        clock = self._course.clock
        return found if clock is None else [at_clock(one, clock) for one in found]

    def _arrive(self, event: Event) -> list[Detection]:
        clock = self._course.clock
        assert clock is not None
        placed = self._course.place(event if event.arrival == clock else replace(event, arrival=clock))
        if placed.at > clock:
            heapq.heappush(self._ahead, placed)
            return []
        if placed.at >= self._now:
            found = self._take(placed) + self._wait(clock)
            if self._gone:
                found = changes([], found, self._gone, placed.event)
        else:
            found = self._amend(placed)
        return [at_clock(one, clock) for one in found]

    @property
    def _now(self) -> int:
        """The time that the rules have reached: what belongs before it is late."""
        return -FAR if self.engine.now is None else self.engine.now

    def _take(self, placed: Placed) -> list[Detection]:
        """Gives the engine an event that is in order."""
        if len(self._legs[-1].events) >= self._spacing:
            self._mark()
            self._spacing = min(self._spacing * 2, MOST)
        leg = self._legs[-1]
        leg.events.append(placed)
        self.engine.step(Release(placed.at, placed.event))
        found = self.engine.drain()
        leg.made += found
        return found

    def _wait(self, until: int) -> list[Detection]:
        """Lets come what is due by a time; where nothing is, the engine stays, so that an event may come before."""
        engine, found = self.engine, list[Detection]()
        due = engine.next_due()
        while due is not None and due <= until:
            to = min(due + 1, until)  # a window that ends is over just after
            engine.step(Release(max(to, self._now)))
            found += engine.drain()
            due = engine.next_due() if to < until else None
        if found:
            self._legs[-1].made += found
        return found

    # -- going back --------------------------------------------------------------------------------------------------

    def _amend(self, late: Placed) -> list[Detection]:
        """Puts an event into its place, and tells what that changes."""
        if self._is_idle(late):
            self.engine.step(Release(self._now, late.event))  # it is only counted
            return []
        clock = self._course.clock
        assert clock is not None
        first = max(place for place, leg in enumerate(self._legs) if leg.begun <= late.at)
        legs, self._legs = self._legs[first:], self._legs[:first]
        events = [placed for leg in legs for placed in leg.events]
        insort(events, late, key=by_place)
        self.late += 1
        self.rerun += len(events)
        self._spacing = max(self._spacing // 2, LEAST)
        self._go_back(legs[0])
        now = [one for placed in events for one in self._take(placed)]
        now += self._wait(clock)
        was = [one for leg in legs for one in leg.made]
        return changes(was, now, self._gone, late.event)

    def _is_idle(self, late: Placed) -> bool:
        """Whether no rule looks at an event. With the first of all events the clock would have started."""
        is_first = self._legs[0].state is None and late.at < self._legs[0].events[0].at
        return self._types is not None and late.event.type not in self._types and not is_first

    def _go_back(self, leg: Leg) -> None:
        """The engine as it was at a mark."""
        notes = Notes()
        _put(leg.notes, notes)
        self.engine = Engine(self.engine.program, self._granularity, notes)
        if leg.state is not None:
            restore(self.engine, leg.state)
        self._legs.append(Leg(leg.begun, leg.state, leg.notes))

    def _mark(self) -> None:
        """Begins a leg here."""
        self.engine.count_incomparable()
        kept = Notes()
        _put(self.engine.notes, kept)
        state = snapshot(self.engine)
        self._legs.append(Leg(self._now, state, kept))
        self._spacing = max(self._spacing, len(state) // BYTES)
        if len(self._legs) > MOST_LEGS:
            self._join()

    def _join(self) -> None:
        """Makes two legs one: those that are short for how far back they are."""
        after, best = 1, (0.0, 0)
        for place in reversed(range(len(self._legs) - 2)):
            one, other = self._legs[place], self._legs[place + 1]
            after += len(other.events)
            best = max(best, (after / (len(one.events) + len(other.events) + 1), place))
        one, other = self._legs[best[1]], self._legs.pop(best[1] + 1)
        one.events += other.events
        one.made += other.made

    def _forget(self) -> None:
        """Gives up what no event can change any more."""
        assert self._course.clock is not None
        first = self._course.clock - self._course.within
        while len(self._legs) > 1 and self._legs[1].begun <= first:
            del self._legs[0]
            begun = self._legs[0].begun
            self._gone = {key: time for key, time in self._gone.items() if time >= begun}


def amendments(
    program: Program,
    log: Iterable[Arrival],
    *,
    within: int = WITHIN,
    granularity: int | None = None,
    until: int | None = None,
    notes: Notes | None = None,
    batch: int = BATCH,
) -> Iterator[Detection]:
    """Every detection on the log and every amendment: what the plain meaning gives, sooner."""
    amending = Amending(program, within=within, granularity=granularity, notes=notes)
    arrivals = iter(log)
    while some := list(islice(arrivals, batch)):
        yield from amending.process(some)
    yield from amending.finish(until)


def _put(notes: Notes, into: Notes) -> None:
    """The same notes in another place."""
    into.warnings[:] = notes.warnings
    into.arrivals = notes.arrivals
    for name in ("refused", "dropped", "ignored", "incomparable"):
        setattr(into, name, Counter(getattr(notes, name)))


def _types(program: Program) -> frozenset[str] | None:
    """The types of events that some rule looks at; None where a rule looks at any."""
    found: set[str] = set()
    for rule in program.rules:
        if any(isinstance(part, AnyEvent) for part in walk(rule.pattern)):
            return None
        seen = types_seen(rule.pattern) if isinstance(rule.pattern, Detector) else frozenset(mentioned(rule))
        if seen is None:
            return None
        found |= seen
    return frozenset(found)
