"""The engine where late events change what was reported: it goes back to before them, and tells the difference.

The rules run on the time of events, in order. Now and then the engine's state is put aside; the stretch from one such
mark to the next is a *leg*, with the events that came in it and what was detected. An event that belongs into an
earlier leg is put there: the engine goes on from that leg's state through what came since, and what it finds now is
compared with what it found then. So every rule can be amended, whatever it remembers or uses up, and a stream in which
nothing is late pays for the marks alone. The plain meaning is `algebra/amendments.py`.
"""

from __future__ import annotations

import heapq
from bisect import insort
from dataclasses import dataclass, field

from tocsin.algebra.amendments import Content, Positioned, at_clock, by_place, changes
from tocsin.algebra.notes import Notes
from tocsin.algebra.order import Release
from tocsin.algebra.rules import Program
from tocsin.engine.engine import Engine
from tocsin.engine.network.vectors import FAR
from tocsin.engine.state.snapshot import restore, snapshot
from tocsin.events import Detection
from tocsin.planner.placement import types_of

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
    events: list[Positioned] = field(default_factory=list)
    made: list[Detection] = field(default_factory=list)


class Rewinder:
    """The rules of a program at work on events that may be late by `within` microseconds and still amend."""

    def __init__(self, program: Program, within: int, granularity: int | None = None) -> None:
        self.engine = Engine(program, granularity, Notes())
        self.late = self.rerun = 0
        """Events that were put into their place, and those that were gone through again for it."""
        self._granularity, self._within = granularity, within
        self.clock: int | None = None
        self.ahead: list[Positioned] = []
        self.legs = [Leg(-FAR, None, Notes())]
        self.gone: dict[Content, int] = {}
        self.spacing = LEAST
        self._types = types_of(program.rules)

    # -- arrivals ----------------------------------------------------------------------------------------------------

    def advance(self, clock: int) -> list[Detection]:
        """The arrival clock reaches a time: what is due by then comes."""
        before, self.clock = self.clock, clock
        if before is None:
            return []
        found = self._released(clock) + self._wait(clock)
        self._forget()
        return [at_clock(one, before) for one in found]

    def arrive(self, placed: Positioned, clock: int) -> list[Detection]:
        """Takes an event that comes when the clock stands there, where it belongs."""
        told = self.advance(clock)
        if placed.at > clock:
            heapq.heappush(self.ahead, placed)
            return told
        if placed.at >= self._now:
            found = self._take(placed) + self._wait(clock)
            if self.gone:
                found = changes([], found, self.gone, placed.event)
        else:
            found = self._amend(placed, clock)
        return told + [at_clock(one, clock) for one in found]

    def arrive_in_order(self, some: list[Positioned], clock: int) -> list[Detection]:
        """Takes events that come each at its own time, one after the other; then the clock stands there."""
        if self.ahead or some[0].at < self._now:
            return [one for placed in some for one in self.arrive(placed, placed.at)] + self.advance(clock)
        found = self._take_all(some)
        self.clock = clock
        found += self._wait(clock)
        self._forget()
        return found

    def finish(self, clock: int, until: int | None = None) -> list[Detection]:
        """The input has ended: what is still waited for comes."""
        told = self.advance(clock)
        found = self._released(FAR)
        self.engine.finish(until)
        found += self.engine.drain()
        self.engine.count_incomparable()
        return told + [at_clock(one, clock) for one in found]

    def change(self, program: Program) -> None:
        """Goes on with other rules. What was reported before stays: nobody knows what the new rules would have said."""
        self.engine.change(program)
        self._types = types_of(program.rules)
        self.gone.clear()
        self.legs = [self.here()]

    def next_due(self) -> int | None:
        """When there is something to do, should nothing come."""
        due = self.engine.next_due()
        if not self.ahead:
            return due
        return self.ahead[0].at if due is None else min(due, self.ahead[0].at)

    def _released(self, until: int) -> list[Detection]:
        """Takes the events of the future that have come to be of the present."""
        found: list[Detection] = []
        while self.ahead and self.ahead[0].at <= until:
            placed = heapq.heappop(self.ahead)
            found += self._wait(placed.at) + self._take(placed)
        return found

    @property
    def _now(self) -> int:
        """The time that the rules have reached: what belongs before it is late."""
        return -FAR if self.engine.now is None else self.engine.now

    def _take(self, placed: Positioned) -> list[Detection]:
        """Gives the engine an event that is in order."""
        leg = self._leg()
        leg.events.append(placed)
        found = self._given(placed)
        leg.made += found
        return found

    def _given(self, placed: Positioned) -> list[Detection]:
        """What the engine finds with one event. It takes all its events in one way, or all in the other."""
        release = Release(placed.at, placed.event)
        if self.engine.has_interplay:
            self.engine.step(release)
        else:
            self.engine.take([release])
        return self.engine.drain()

    def _take_all(self, some: list[Positioned]) -> list[Detection]:
        """Gives the engine events that are in order: many at a time, where nothing that fires changes what follows."""
        if self.engine.has_interplay:
            return [one for placed in some for one in self._take(placed)]
        found: list[Detection] = []
        begin = 0
        while begin < len(some):
            leg = self._leg()
            end = begin + max(self.spacing - len(leg.events), 1)
            self.engine.take([Release(at, event) for at, _, event in some[begin:end]])
            made = self.engine.drain()
            leg.events += some[begin:end]
            leg.made += made
            found += made
            begin = end
        return found

    def _leg(self) -> Leg:
        """The leg for what comes next; where the last is long enough, a new one."""
        if len(self.legs[-1].events) >= self.spacing:
            self._mark()
            self.spacing = min(self.spacing * 2, MOST)
        return self.legs[-1]

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
            self.legs[-1].made += found
        return found

    def held(self) -> tuple[int, int]:
        """The events that are kept, and the bytes of the states before them."""
        return sum(len(leg.events) for leg in self.legs), sum(len(leg.state or b"") for leg in self.legs)

    # -- going back --------------------------------------------------------------------------------------------------

    def _amend(self, late: Positioned, clock: int) -> list[Detection]:
        """Puts an event into its place, and tells what that changes."""
        if self._is_idle(late):
            self._given(late._replace(at=self._now))  # it is only counted
            return []
        first = max(place for place, leg in enumerate(self.legs) if leg.begun <= late.at)
        legs, self.legs = self.legs[first:], self.legs[:first]
        events = [placed for leg in legs for placed in leg.events]
        insort(events, late, key=by_place)
        self.late += 1
        self.rerun += len(events)
        self.spacing = max(self.spacing // 2, LEAST)
        self._go_back(legs[0])
        now = self._take_all(events) + self._wait(clock)
        was = [one for leg in legs for one in leg.made]
        return changes(was, now, self.gone, late.event)

    def _is_idle(self, late: Positioned) -> bool:
        """Whether no rule looks at an event. With the first of all events the clock would have started."""
        is_first = self.legs[0].state is None and late.at < self.legs[0].events[0].at
        return self._types is not None and late.event.type not in self._types and not is_first

    def _go_back(self, leg: Leg) -> None:
        """The engine as it was at a mark, and the leg anew from there."""
        self.go_to(leg)
        self.legs.append(Leg(leg.begun, leg.state, leg.notes))

    def go_to(self, leg: Leg) -> None:
        """The engine as it was at a mark."""
        self.engine = Engine(self.engine.program, self._granularity, leg.notes.copy())
        if leg.state is not None:
            restore(self.engine, leg.state)

    def here(self) -> Leg:
        """A leg that begins here."""
        self.engine.count_incomparable()
        return Leg(self._now, None if self.engine.now is None else snapshot(self.engine), self.engine.notes.copy())

    def _mark(self) -> None:
        """Begins a leg here."""
        leg = self.here()
        self.legs.append(leg)
        self.spacing = max(self.spacing, len(leg.state or b"") // BYTES)
        if len(self.legs) > MOST_LEGS:
            self._join()

    def _join(self) -> None:
        """Makes two legs one: those that are short for how far back they are."""
        after, best = 1, (0.0, 0)
        for place in reversed(range(len(self.legs) - 2)):
            one, other = self.legs[place], self.legs[place + 1]
            after += len(other.events)
            best = max(best, (after / (len(one.events) + len(other.events) + 1), place))
        one, other = self.legs[best[1]], self.legs.pop(best[1] + 1)
        one.events += other.events
        one.made += other.made

    def _forget(self) -> None:
        """Gives up what no event can change any more."""
        assert self.clock is not None
        first = self.clock - self._within
        while len(self.legs) > 1 and self.legs[1].begun <= first:
            del self.legs[0]
            begun = self.legs[0].begun
            self.gone = {key: time for key, time in self.gone.items() if time >= begun}
