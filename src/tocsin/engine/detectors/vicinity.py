"""Rules that are left to the plain meaning, where their pattern says how far apart its events can be.

What an arrival completes lies around it, so the meaning is asked with what lies around it alone: an event costs what
there is in a window, however long the log.
"""

from __future__ import annotations

from bisect import bisect_left, insort

from tocsin.algebra import detectors
from tocsin.algebra.detectors import Due, Setting
from tocsin.algebra.ends import floats
from tocsin.algebra.occurrence import TIMER, Occurrence
from tocsin.algebra.patterns import (
    Absence,
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
    Primitive,
    Repeat,
    Sequence,
    Streak,
    Times,
    Where,
    Within,
    walk,
)
from tocsin.algebra.rules import Context, Rule
from tocsin.algebra.scene import History
from tocsin.events import Event
from tocsin.plan.trees import occurring
from tocsin.time.periods import Period

DAY = 86_400_000_000
LEAVES = Primitive | AnyEvent | At | AtInstant | Every
INSIDE = (
    *(Primitive, AnyEvent, At, AtInstant, Every, Named, Where, Both, Either, Sequence, Concurrent),
    *(Absence, Never, Times, Repeat, Streak, Within, Between),
)
"""What lies in a window around it with all that it looks at. {E} does not: only its instant has to."""


def vicinity(pattern: Pattern, granularity: int | None) -> int | None:
    """How far from one of its events a pattern looks, in microseconds; None if there is no saying."""
    reach = _reach(pattern, granularity)
    if reach is None:
        return None
    windows = [part for part in walk(pattern) if isinstance(part, Within)]
    return reach + sum(_longest(part.period) for part in windows) + _of_streaks(pattern)


def _reach(pattern: Pattern, granularity: int | None) -> int | None:
    """How long an occurrence lasts at most."""
    match pattern:
        case Named(pattern=inner) | Where(pattern=inner) | Instant(pattern=inner):
            return _reach(inner, granularity)
        case Either(parts=parts):
            found = [_reach(part, granularity) for part in parts]
            return None if None in found else max([each for each in found if each is not None], default=0)
        case Within(pattern=inner, period=period):
            return _longest(period) if _stays_inside(inner) else None
        case Between(pattern=inner, start=start, stop=stop):
            return stop - start if _stays_inside(inner) else None
        case Streak():
            return _of_streaks(pattern) if _stays_inside(pattern) else None
        case Concurrent(left=left, right=right) if _is_leaf(left) and _is_leaf(right):
            return 2 * (granularity or 0)  # stamps of one tick, or of two that are neighbours
    return 0 if isinstance(pattern, LEAVES) else None


def fixed_window(pattern: Pattern) -> Between | None:
    """The fixed window that a pattern is, if nothing outside it is ever looked at: it need not be remembered."""
    while isinstance(pattern, Named | Where):
        pattern = pattern.pattern
    if not isinstance(pattern, Between) or any(isinstance(part, Streak | Within) for part in walk(pattern)):
        return None
    return pattern if _stays_inside(pattern.pattern) else None


def _is_leaf(pattern: Pattern) -> bool:
    while isinstance(pattern, Named | Where):
        pattern = pattern.pattern
    return isinstance(pattern, LEAVES)


def _stays_inside(pattern: Pattern) -> bool:
    """Whether all that a pattern looks at lies in the window around it. A burst begins further back."""
    parts = list(walk(pattern))
    lasting = all(part.period is not None and not part.once for part in parts if isinstance(part, Streak))
    return lasting and all(isinstance(part, INSIDE) for part in parts)


def _of_streaks(pattern: Pattern) -> int:
    """How far from an event the runs may begin and end that it is in, and those that those overlap with."""
    periods = [part.period for part in walk(pattern) if isinstance(part, Streak) and part.period is not None]
    return sum(2 * _longest(period) for period in periods)


def _longest(period: Period) -> int:
    return period.years * 366 * DAY + period.months * 31 * DAY + period.microseconds


class Held:
    """Events by when they ended, and in the order in which they came."""

    def __init__(self, events: list[Event]) -> None:
        self._next = 0
        self._events: list[tuple[int, int, Event]] = []
        for event in events:
            self.add(event)

    def add(self, event: Event) -> None:
        """One more event."""
        insort(self._events, (event.end, self._next, event))
        self._next += 1

    def remove(self, event: Event) -> None:
        """One less, if it is there."""
        place = bisect_left(self._events, (event.end, -1))
        while place < len(self._events) and self._events[place][0] == event.end:
            if self._events[place][2] is event:
                del self._events[place]
                return
            place += 1

    def near(self, first: int, last: int) -> list[Event]:
        """Those that lie between two times, or partly do, in the order in which they came."""
        found = self._events[bisect_left(self._events, (first, -1)) :]
        return [event for _, _, event in sorted([each for each in found if each[2].start <= last], key=_came)]

    def all(self) -> list[Event]:
        """All in the order in which they came."""
        return [event for _, _, event in sorted(self._events, key=_came)]

    def forget(self, before: int) -> None:
        """Drops what ended before a time."""
        del self._events[: bisect_left(self._events, (before, -1))]


def _came(held: tuple[int, int, Event]) -> int:
    return held[1]


class Searching(detectors.Searching):
    """The plain meaning of a rule, asked with what lies around an arrival."""

    def __init__(self, rule: Rule, setting: Setting, since: int, distance: int) -> None:
        self._distance = distance
        self._held, self._gone = Held([]), Held([])
        present = list(occurring(rule.pattern))
        self._takes = {part.type for part in present if isinstance(part, Primitive)}
        self._takes_all = any(isinstance(part, AnyEvent) or floats(part) for part in present)
        """A window that hangs on a neighbour is opened by whatever ends."""
        self._fixed = fixed_window(rule.pattern)
        super().__init__(rule, setting, since)

    def _around(self, first: int, last: int, *, window_is_over: bool = False) -> History:
        """What the rule can use now of what lies around some time."""
        first, last = first - self._distance, last + self._distance
        self._events, self._used = self._held.near(first, last), self._gone.near(first, last)
        found = self.history(window_is_over=window_is_over)
        self._events, self._used = [], []
        return found

    def arrive(self, arrival: Event) -> list[Occurrence]:
        if self._fixed is not None and not (self._fixed.start <= arrival.end and arrival.start <= self._fixed.stop):
            return []
        self._held.add(arrival)
        if not (self._takes_all or arrival.type in self._takes or arrival.type == TIMER):
            return []  # it may be in the way of something, and completes nothing
        return self._fire(self._around(arrival.start, arrival.end), arrival)

    def wake_own(self, due: Due) -> list[Occurrence]:
        tick = self._next_tick()
        return self._fire(self._around(tick.due, tick.due, window_is_over=due.is_window_end), tick)

    def _choose(self, found: list[Occurrence]) -> list[Occurrence]:
        if self.context is Context.UNRESTRICTED:
            return super()._choose(found)
        for event in found[0].events if found else ():
            self._held.remove(event)
            if self._keeps_used:
                self._gone.add(event)
        return found[:1]

    def forget(self, now: int) -> None:
        assert self.rule.window is not None
        before = self.rule.window.scaled(-1).added_to(now)
        self._held.forget(before)
        self._gone.forget(before)

    def remembered(self) -> object:
        self._events, self._used = self._held.all(), self._gone.all()
        found = super().remembered()
        self._events, self._used = [], []
        return found

    def remember(self, memory: object) -> None:
        super().remember(memory)
        self._held, self._gone = Held(self._events), Held(self._used)
        self._events, self._used = [], []
