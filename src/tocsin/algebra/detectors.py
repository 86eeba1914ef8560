"""One rule at work: what it remembers, what an arrival makes it fire for, and what it is waiting for.

A detector hears of arrivals one at a time, in the order `replay` gives them: events, and the moments its own
pattern waits for. There are three kinds, by how they choose: `Searching` (all combinations), `Consuming` (the
contexts that use up at every node) and `Running` (automata).
"""

from __future__ import annotations

import heapq
from abc import ABC, abstractmethod
from collections.abc import Container, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from tocsin.algebra.aggregates import Gauge
from tocsin.algebra.automaton_runs import Branch, machine
from tocsin.algebra.combinations import delayed
from tocsin.algebra.contexts import Node, oldest, pass_up, waiting_nodes, watch_nodes
from tocsin.algebra.ends import floats
from tocsin.algebra.growth import Makers, grow
from tocsin.algebra.meaning import find, measured, occurrences
from tocsin.algebra.occurrence import TIMER, Occurrence, Tick, chronology
from tocsin.algebra.patterns import (
    Absence,
    After,
    Aggregate,
    AnyEvent,
    At,
    AtInstant,
    Atom,
    Automaton,
    Between,
    Complement,
    Described,
    Every,
    Everything,
    Intersection,
    Never,
    Pattern,
    Primitive,
    Union,
    Widened,
    Within,
    walk,
)
from tocsin.algebra.rules import LANGUAGE_CONTEXTS, SEARCHED, Context, Rule
from tocsin.algebra.scene import Arrival, History, Scene
from tocsin.algebra.values import Surroundings, holds
from tocsin.algebra.windows import window_ticks
from tocsin.algebra.witness import Witness
from tocsin.events import Event


class Due(NamedTuple):
    """Something a rule waits for. Sorts as it falls due: by time, timers before window ends, oldest events first."""

    time: int
    is_window_end: bool
    chronology: tuple[object, ...]


@dataclass
class Setting:
    """What all rules of a run share: how time is stamped and which classes are declared."""

    granularity: int | None = None
    declared: frozenset[str] | None = None
    failures: int = 0
    """How many rules were given up since somebody asked."""


@dataclass
class Alarm:
    """A leaf of the pattern that time itself triggers: `at[...]`, `every[...]`."""

    pattern: At | AtInstant | Every
    since: int
    next: int | None = None
    periods: int = 0

    def __post_init__(self) -> None:
        self.next = self._first()

    @property
    def repeats(self) -> bool:
        """Periodic: a period, or a partial time point."""
        return isinstance(self.pattern, Every) or (isinstance(self.pattern, At) and not self.pattern.point.exact)

    @property
    def has_rung(self) -> bool:
        """Whether an exact time point has occurred: it does so once in a rule's life."""
        return not self.repeats and self.next is None and self._first() is not None

    def _first(self) -> int | None:
        match self.pattern:
            case At(point=point):
                return point.next_at_or_after(self.since)
            case AtInstant(instant=instant):
                return instant if instant >= self.since else None
        return self._period()

    def ring(self) -> Event:
        """The time event that is due; the alarm is set to the one after it."""
        assert self.next is not None
        due = self.next
        match self.pattern:
            case At(point=point):
                self.next = point.next_after(due)
            case AtInstant():
                self.next = None
            case _:
                self.next = self._period()
        return Event(TIMER, due, due, data={"timer": self.pattern}, arrival=due)

    def _period(self) -> int:
        """The k-th period is counted from the start, so that "every month" stays on its day of the month."""
        assert isinstance(self.pattern, Every)
        self.periods += 1
        return self.pattern.period.scaled(self.periods).added_to(self.since)


class Detector(ABC):
    """An enabled rule. Discarded when the rule is disabled, with all it remembers (003 section 3.2.3 d)."""

    def __init__(self, rule: Rule, setting: Setting, since: int) -> None:
        self.rule, self.setting = rule, setting
        self.around = Surroundings(since)
        self.refused = 0
        self.noted = 0
        """How many moments it has ever waited for; in partitions, all of them together."""
        self.holds_time = False
        """Whether time events of automata wait, though they are due: something that feeds it has not made all yet."""
        self.alarms = [Alarm(leaf, since) for leaf in time_leaves(rule.pattern)]
        self._types = {part.type for part in walk(rule.pattern) if isinstance(part, Primitive)}
        self._any = any(isinstance(part, AnyEvent) for part in walk(rule.pattern))

    @property
    def declared(self) -> frozenset[str] | None:
        """What `*` stands for just now; None for every type."""
        return self.setting.declared if self.rule.strict else None

    @property
    def context(self) -> Context:
        """The rule's own context, or its language's."""
        return self.rule.context or LANGUAGE_CONTEXTS[self.rule.language]

    @property
    def is_automaton(self) -> bool:
        """Whether it takes what comes together in weak order, its own time events among it."""
        return False

    # -- arrivals ----------------------------------------------------------------------------------------------

    def wants(self, event: Event) -> bool:
        """Whether the rule looks at such events at all. It does not see what it made itself."""
        if event.maker == self.rule.name:
            return False
        if event.type in self._types or event.type == TIMER:
            return True
        if not self._any or event.is_composite:
            return False
        return self.declared is None or event.type in self.declared

    def is_outside(self, time: int, now: int) -> bool:
        """Whether something of that time has fallen off the detection window, `now - dw <= time`."""
        return self.rule.window is not None and time < self.rule.window.scaled(-1).added_to(now)

    def take(self, event: Event, now: int) -> list[Occurrence]:
        """What the arrival of an event makes the rule fire for."""
        self.move(now)
        if not self.wants(event):
            return []
        if self.is_outside(event.end, now):
            self.refused += 1
            return []
        self.measure(event)
        return self.arrive(event)

    def move(self, now: int) -> None:
        """Moves the rule's clock; what leaves its window is forgotten."""
        self.around.now = now
        if self.rule.window is not None:
            self.forget(now)

    def measure(self, event: Event) -> None:  # noqa: B027 - few rules have aggregates
        """Lets the aggregates of its pattern count an event."""

    @abstractmethod
    def arrive(self, arrival: Event) -> list[Occurrence]:
        """What a wanted event fires for."""

    @abstractmethod
    def forget(self, now: int) -> None:
        """Drops what has left the window."""

    def silence(self, points: Container[Pattern]) -> None:
        """These time points have occurred in the rule's life, and do not again."""
        for alarm in self.alarms:
            if alarm.pattern in points:
                alarm.next = None

    def watch(self, witness: Witness) -> None:  # noqa: B027 - most rules remember events alone: nothing happens inside
        """Lets somebody hear of what happens inside the rule, where it remembers more than events."""

    # -- memory ------------------------------------------------------------------------------------------------

    def memory(self) -> Any:
        """What the rule remembers, for `memories.py`."""
        return self.refused, [(a.since, a.next, a.periods) for a in self.alarms], self.remembered()

    def recall(self, memory: Any) -> None:
        """Goes on from what a detector of the same rule remembered."""
        self.refused, alarms, own = memory
        for alarm, (since, following, periods) in zip(self.alarms, alarms, strict=True):
            alarm.since, alarm.next, alarm.periods = since, following, periods
        self.remember(own)

    @abstractmethod
    def remembered(self) -> Any:
        """What it remembers besides its alarms."""

    @abstractmethod
    def remember(self, memory: Any) -> None:
        """Remembers that."""

    # -- moments -----------------------------------------------------------------------------------------------

    def next_due(self, *, with_periodic: bool = True) -> Due | None:
        """The next moment the rule waits for."""
        alarms = [
            Due(a.next, False, ()) for a in self.alarms if a.next is not None and (with_periodic or not a.repeats)
        ]
        own = self.next_own()
        return min([*alarms, own] if own else alarms, default=None)

    def wake(self, due: Due, *, with_periodic: bool = True) -> list[Occurrence]:
        """What a moment that has come makes the rule fire for."""
        for alarm in self.alarms:
            counts = with_periodic or not alarm.repeats
            if counts and alarm.next == due.time and not due.is_window_end and due.chronology == ():
                return self.take(alarm.ring(), due.time)
        self.move(due.time)
        return self.wake_own(due)

    def next_own(self) -> Due | None:
        """The next moment besides the alarms."""
        return None

    def among(self) -> tuple[object, ...]:
        """What decides between that moment and one of another partition that is due together with it."""
        return ()

    def is_as_begun(self, begun: Detector) -> bool:
        """Whether it remembers no more than one that has just begun."""
        return bool(self.remembered() == begun.remembered())

    def wake_own(self, due: Due) -> list[Occurrence]:
        """What such a moment fires for."""
        return []


def time_leaves(pattern: Pattern) -> list[At | AtInstant | Every]:
    """The time leaves of a pattern, each once: equal ones ring together."""
    return list(dict.fromkeys(part for part in walk(pattern) if isinstance(part, At | AtInstant | Every)))


class Searching(Detector):
    """`unrestricted` and `generic`: an arrival completes whatever now occurs and contains it."""

    def __init__(self, rule: Rule, setting: Setting, since: int) -> None:
        super().__init__(rule, setting, since)
        self._events: list[Event] = []
        self._used: list[Event] = []
        """What absences still see of what is used up."""
        self._keeps_used = not rule.forgets_used and any(isinstance(p, Absence | Never) for p in walk(rule.pattern))
        # Between rules a moment is told by its `Due`; within one, the chronologically oldest occurrence comes first.
        self._pending: list[tuple[Due, tuple[object, ...], int, Tick]] = []
        self._reported: set[tuple[object, ...]] = set()
        self._reported_at: int | None = None
        # Each once: equal patterns wait for the same moments.
        self._waits = list(dict.fromkeys(p for p in walk(rule.pattern) if isinstance(p, After)))
        self._windows = list(dict.fromkeys(p for p in walk(rule.pattern) if isinstance(p, Within | Between)))
        self._pattern = rule.guarded
        self._gauges: dict[Pattern, Gauge] = {
            part: Gauge(part, self.around) for part in walk(rule.pattern) if isinstance(part, Aggregate)
        }
        self._note_windows(self.history(), None)

    def history(self, *, window_is_over: bool = False) -> History:
        """What the rule can use now. At a window's end, that window is over."""
        now = self.around.now
        settled = now if window_is_over else now - 1
        known = (self.setting.granularity, self.declared, self.around, self._used, self._gauges)
        return History(self._events, now, settled, *known)

    def measure(self, event: Event) -> None:
        for gauge in self._gauges.values():
            measured(gauge, event, self.history())

    def arrive(self, arrival: Event) -> list[Occurrence]:
        self._events.append(arrival)
        return self._fire(self.history(), arrival)

    def _fire(self, history: History, arrival: Arrival) -> list[Occurrence]:
        found = occurrences(self._pattern, history, arrival)
        for wait in self._waits:
            self._note_waiting(wait, history, arrival)
        self._note_windows(history, arrival)
        return self._choose(found)

    def _choose(self, found: list[Occurrence]) -> list[Occurrence]:
        if self.context is Context.UNRESTRICTED:
            return self._fresh(found)
        if not found:
            return []
        chosen = found[0]
        # 000 section 6.3: what was used in a notification is used up, for this rule.
        self._events = [event for event in self._events if event not in chosen.events]
        if self._keeps_used:
            self._used = [*self._used, *chosen.events]
        return [chosen]

    def _fresh(self, found: list[Occurrence]) -> list[Occurrence]:
        """What was not reported at this very instant: two moments that fall due together may complete the same."""
        if self._reported_at != self.around.now:
            self._reported_at = self.around.now
            self._reported.clear()
        fresh = [one for one in found if one.key not in self._reported]
        self._reported.update(one.key for one in fresh)
        return fresh

    def forget(self, now: int) -> None:
        self._events = [event for event in self._events if not self.is_outside(event.end, now)]
        self._used = [event for event in self._used if not self.is_outside(event.end, now)]
        for gauge in self._gauges.values():
            gauge.forget(lambda event: self.is_outside(event.end, now))

    # -- waiting: a moment is only a reason to search again, so nothing that is pending can go stale --------------

    def _note_waiting(self, wait: After, history: History, arrival: Arrival) -> None:
        for one in occurrences(wait.pattern, history, arrival, waiting=True):
            whole = delayed(wait, one, history.granularity)
            (tick,) = whole.ticks - one.ticks
            if whole.end > history.now:
                due = Due(whole.end, False, ("tick", *chronology(one)[:2]))
                self._wait(due, chronology(one)[2:], tick)
            else:
                self._note_hanging(history, tick)

    def _note_windows(self, history: History, arrival: Arrival | None) -> None:
        """Windows that the arrival opens are waited for; those that are there from the start, when the rule starts."""
        for window in self._windows:
            if (arrival is None) == isinstance(window, Between):
                for tick in window_ticks(window, Scene(history, find), arrival):
                    if tick.due >= history.now:
                        self._wait(Due(tick.due, True, ("window", tick.of)), (), tick)
                    elif arrival is not None:
                        self._note_hanging(history, tick)

    def _note_hanging(self, history: History, past: Tick) -> None:
        """Windows may hang on a moment that a late event has made and that is past: nothing wakes the rule for it."""
        for window in self._windows:
            if floats(window):
                for tick in window_ticks(window, Scene(history, find), past):
                    if tick.due >= history.now:
                        self._wait(Due(tick.due, True, ("window", tick.of)), (), tick)
                    else:
                        self._note_hanging(history, tick)

    def _wait(self, due: Due, among: tuple[object, ...], tick: Tick) -> None:
        """Notes a moment; `among` decides between those of one rule that are due together."""
        heapq.heappush(self._pending, (due, among, self.noted, tick))
        self.noted += 1

    def remembered(self) -> Any:
        pending = [(tuple(due), *rest) for due, *rest in self._pending]
        gauges = [(gauge.counted, gauge.told) for gauge in self._gauges.values()]
        return self._events, pending, self.noted, list(self._reported), self._reported_at, self._used, gauges

    def remember(self, memory: Any) -> None:
        self._events, pending, self.noted, reported, self._reported_at, *rest = memory
        self._used = rest[0] if rest else []  # an older release did not keep it
        for gauge, (counted, told) in zip(self._gauges.values(), rest[1] if len(rest) > 1 else (), strict=False):
            gauge.counted, gauge.told = counted, told
        self._pending = [(Due(*due), among, number, tick) for due, among, number, tick in pending]
        self._reported = set(reported)

    def next_own(self) -> Due | None:
        return self._pending[0][0] if self._pending else None

    def among(self) -> tuple[object, ...]:
        return (self._pending[0][1], self._pending[0][2]) if self._pending else ()

    def is_as_begun(self, begun: Detector) -> bool:
        # Wherever they are kept: what it says that it remembers counts, but for its numbers.
        events, pending, _, _, _, used, gauges = self.remembered()
        return not (events or pending or used) and bool(gauges == begun.remembered()[-1])

    def wake_own(self, due: Due) -> list[Occurrence]:
        return self._fire(self.history(window_is_over=due.is_window_end), self._next_tick())

    def _next_tick(self) -> Tick:
        """The moment that has come, which is waited for no longer."""
        return heapq.heappop(self._pending)[-1]


class Consuming(Detector):
    """chronicle, recent, continuous, cumulative: every node chooses and uses up (`contexts.py`)."""

    def __init__(self, rule: Rule, setting: Setting, since: int) -> None:
        super().__init__(rule, setting, since)
        self._root = grow(rule.pattern, self.context, self.around, setting.granularity, self.makers())
        self._waiting = list(waiting_nodes(self._root))

    @property
    def root(self) -> Node:
        """The node of its whole pattern."""
        return self._root

    def makers(self) -> Makers:
        """Who makes the nodes of its pattern."""
        return Makers()

    def watch(self, witness: Witness) -> None:
        watch_nodes(self._root, witness)

    def arrive(self, arrival: Event) -> list[Occurrence]:
        return self._checked(self._root.offer(arrival, self.declared, self.setting.granularity))

    def _checked(self, made: list[Occurrence]) -> list[Occurrence]:
        """Each occurrence once, the oldest first, if the rule's condition holds for it."""
        distinct = sorted({one.key: one for one in made}.values(), key=oldest)
        return [one for one in distinct if holds(self.rule.condition, one.variables(), self.around)]

    def forget(self, now: int) -> None:
        self._root.forget(lambda one: any(self.is_outside(event.end, now) for event in one.events))

    def remembered(self) -> Any:
        return self._root.memory()

    def remember(self, memory: Any) -> None:
        self._root.recall(memory)

    def pending(self) -> Iterator[tuple[Due, int, Occurrence]]:
        """What waits for its time: when that is, in which node, and what."""
        for index, (_, node) in enumerate(self._waiting):
            for one in node.pending:
                yield Due(one.end, False, ("tick", *chronology(one)[:2])), index, one

    def next_own(self) -> Due | None:
        return min((due for due, _, _ in self.pending()), default=None)

    def wake_own(self, due: Due) -> list[Occurrence]:
        found = next((item for item in self.pending() if item[0] == due), None)
        if found is None:
            return []  # its event has just left the window
        _, index, one = found
        way, node = self._waiting[index]
        node.release(one)
        return self._checked(pass_up(one, way))


class AutomatonDetector(Detector):
    """Automata (`automaton_runs.py`). Their time events come after the events of their instant, but for full ties."""

    def __init__(self, rule: Rule, setting: Setting, since: int) -> None:
        super().__init__(rule, setting, since)
        assert isinstance(rule.pattern, Automaton)
        self._machine = machine(rule.pattern.pattern, rule.pattern.run, self.around, rule.pattern.step)
        self._seen = types_seen(rule.pattern)

    @property
    def is_automaton(self) -> bool:
        return True

    @property
    def branches(self) -> list[Branch]:
        """Its runs, as far as they have got."""
        return self._machine.all_branches()

    def watch(self, witness: Witness) -> None:
        self._machine.watch(witness)

    def wants(self, event: Event) -> bool:
        return event.maker != self.rule.name and (self._seen is None or event.type in self._seen)

    def arrive(self, arrival: Event) -> list[Occurrence]:
        return self._checked(self._machine.feed(arrival) if self.holds_time else self._machine.offer(arrival))

    def _checked(self, made: list[Occurrence]) -> list[Occurrence]:
        """The oldest first, if the rule's condition holds for it."""
        return [one for one in sorted(made, key=oldest) if holds(self.rule.condition, one.variables(), self.around)]

    def forget(self, now: int) -> None:
        assert self.rule.window is not None
        self._machine.forget(self.rule.window.scaled(-1).added_to(now))

    def remembered(self) -> Any:
        return self._machine.memory()

    def remember(self, memory: Any) -> None:
        self._machine.recall(memory)

    def next_own(self) -> Due | None:
        due = self._machine.next_due()
        return None if due is None else Due(due, True, ())

    def wake_own(self, due: Due) -> list[Occurrence]:
        return self._checked(self._machine.wake(due.time))


def types_seen(pattern: Pattern) -> frozenset[str] | None:
    """The types that an automaton looks at; None where it is all but some."""
    sets = [each for part in walk(pattern) if isinstance(part, Atom) for each in (part.accepts, part.domain)]
    sets += [part.domain for part in walk(pattern) if isinstance(part, Widened)]
    found = set[str]()
    while sets:
        match sets.pop():
            case Described(type=kind):
                found.add(kind)
            case Union(sets=inner) | Intersection(sets=inner):
                sets += inner
            case Complement() | Everything():
                return None
    return frozenset(found)


def detector(rule: Rule, setting: Setting, since: int) -> Detector:
    """The detector that a rule's pattern and context call for."""
    if isinstance(rule.pattern, Automaton):
        return AutomatonDetector(rule, setting, since)
    context = rule.context or LANGUAGE_CONTEXTS[rule.language]
    return (Searching if context in SEARCHED else Consuming)(rule, setting, since)
