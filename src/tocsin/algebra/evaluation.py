"""The order in which the rules of a script take what comes: timers before the arrival that reaches them, an arrival
before what is triggered on it, and rules that feed others before those they feed.

    evaluation.take_together(releases)   what an order of arrival has let go
    evaluation.finish(until)             the input has ended

Whoever looks for the patterns is a `Finder`; what fired rules do is done by the `Interpreter`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

from tocsin.algebra.detectors import Detector, Due
from tocsin.algebra.finder import Finder
from tocsin.algebra.interpreter import Interpreter
from tocsin.algebra.occurrence import Occurrence, weak_order
from tocsin.algebra.order import Release, is_in_place
from tocsin.algebra.rules import Raise, Rule, Statement
from tocsin.events import Event


class Turn:
    """A rule's part in what comes together: how much of it the rule has heard, and how much it may hear."""

    def __init__(self, one: Detector) -> None:
        self.one = one
        self.heard = 0
        self.until: int | None = None
        """Where it was disabled meanwhile: it hears what was there before."""
        self.is_first = True

    def unheard(self, made: list[Event]) -> list[Event]:
        """What it has not heard yet; from now on it has."""
        heard, self.heard = self.heard, len(made)
        return made[heard : self.until]

    def has_unheard(self, made: list[Event]) -> bool:
        """Whether there is something that it wants and has not heard."""
        return any(self.one.wants(event) for event in made[self.heard : self.until])


class Evaluation:
    """Puts arrivals, moments and statements before the rules of a script."""

    def __init__(self, interpreter: Interpreter, finder: Finder) -> None:
        self.interpreter, self.finder, self.notes = interpreter, finder, interpreter.notes
        self.with_periodic = True
        """Whether clocks that ring again and again still do: not after the last event."""
        self._followed = 0

    # -- time and arrivals -------------------------------------------------------------------------------------

    def start(self, now: int, clock: int) -> None:
        """The clock starts, with what the script says."""
        self.interpreter.clock = clock
        self.interpreter.start(now, self.process)

    def command(self, statements: tuple[Statement, ...], clock: int | None = None) -> None:
        """Runs what is typed between two arrivals."""
        self.interpreter.command(statements, clock, self.process)

    def step(self, release: Release) -> None:
        """Runs everything due up to a release's time, then takes its event."""
        self._get_to(release)
        if release.event is not None:
            self.notes.arrivals += 1
            self.process(release.event)

    def take_together(self, releases: list[Release], *, is_whole: bool) -> None:
        """Takes what an order has let go to be evaluated together: one release, or the events of one instant.

        Where rules feed others, they go through an instant one after the other. The ends of their windows are included
        if the instant `is_whole`; else they come when time goes on, as they do where no rule feeds another.
        """
        interpreter = self.interpreter
        if not interpreter.links.cascades or not is_in_place(releases[0]):
            for release in releases:
                self.step(release)
            return
        self._get_to(releases[0])
        events = [release.event for release in releases if release.event is not None]
        self.notes.arrivals += len(events)
        interpreter.enablings = 0
        for event in events:
            self.note_if_ignored(event)
        still_open = interpreter.links.waits_for_triggers
        self.cascade(events, over=interpreter.time if is_whole else None, still_open=still_open)
        self.run_queue()
        if is_whole and still_open:
            self.cascade([], over=interpreter.time)
            self.run_queue()

    def _get_to(self, release: Release) -> None:
        """Time gets to where a release is evaluated; the first that has an event starts the clock."""
        interpreter = self.interpreter
        interpreter.lag = release.lag
        if not interpreter.has_begun:
            if release.event is None:
                return
            self.start(release.now, release.now + release.lag if release.clock is None else release.clock)
        self._advance(max(release.now, interpreter.time), release.clock)

    def _advance(self, to: int, clock: int | None) -> None:
        """Timers due at or before `to` come first; a window that ends at `to` is not over yet."""
        interpreter = self.interpreter
        while (next_one := self.finder.due_next(True)) is not None and next_one[0] < Due(to, True, ()):
            self._fall_due(*next_one, clock)
        interpreter.now = to
        interpreter.clock = to + interpreter.lag if clock is None else clock

    def _fall_due(self, due: Due, name: str, clock: int | None) -> None:
        interpreter = self.interpreter
        interpreter.enablings = 0 if due.time != interpreter.now else interpreter.enablings
        interpreter.now = max(due.time, interpreter.time) if interpreter.has_begun else due.time
        at = due.time + interpreter.lag
        interpreter.clock = max(interpreter.clock, at) if clock is None else clock
        if not interpreter.links.cascades:
            interpreter.act(self.finder.woken(due, name))
        elif due.is_window_end:
            self.cascade([], over=due.time)
        else:
            woken: dict[str, list[Occurrence]] = {}
            for rule, one in self.finder.woken(due, name):
                woken.setdefault(rule.name, []).append(one)
            self.cascade([], woken=woken)
        self.run_queue()

    def finish(self, until: int | None) -> None:
        """At the end of the input the clock runs on: to `until`, or while a one-shot timer is pending."""
        interpreter = self.interpreter
        raised = [s.time.instant() for s in interpreter.program.statements if isinstance(s, Raise) and s.time]
        if not interpreter.has_begun and raised:
            self.start(min(raised), min(raised))
        # To a given time any number of timers may fall due. Without one, a chain of them must end by itself: what was
        # waited for when the input ended does, and what rules make of it too, unless they restart each other.
        most = self._followed + interpreter.most_triggers + self.notes.arrivals * len(interpreter.rules)
        self.with_periodic = until is not None
        while (next_one := self.finder.due_next(self.with_periodic)) is not None:
            if until is not None and next_one[0].time > until:
                return
            if until is None and self._followed > most:
                self.notes.warn("timers that restart each other after the last event were cut")
                return
            self._fall_due(*next_one, None)

    def process(self, event: Event) -> None:
        """One arrival. The enabled rules are fixed when it starts; what they trigger queues after it."""
        self.interpreter.enablings = 0
        self.note_if_ignored(event)
        self._present(event)
        self.run_queue()

    def note_if_ignored(self, event: Event) -> None:
        """In a GEM script, an event of no declared class that nobody wants is counted."""
        interpreter = self.interpreter
        is_known = not interpreter.is_strict or event.type in interpreter.classes
        if not is_known and not any(d.wants(event) for d in interpreter.running.values()):
            self.notes.ignored[event.type] += 1

    def _present(self, event: Event) -> None:
        """Lets every enabled rule see an event, then does what the fired ones say."""
        interpreter = self.interpreter
        if interpreter.links.cascades:
            self.cascade([event])
            return
        if interpreter.witness is not None:
            interpreter.witness.shown(event, interpreter.time)
        interpreter.act(self.finder.shown(event))

    def run_queue(self) -> None:
        """Lets rules see what was triggered, and what is triggered on that, up to a limit."""
        queue = self.interpreter.queue
        for _ in range(self.interpreter.most_triggers):
            queue = self.interpreter.queue
            if not queue:
                return
            self._followed += 1
            self._present(queue.popleft())
        queue = self.interpreter.queue
        if queue:
            self._warn_of_cut(queue[0])
            queue.clear()

    def _warn_of_cut(self, event: Event) -> None:
        most = self.interpreter.most_triggers
        self.notes.warn(f"rules that trigger each other were cut after {most} events, at '{event.type}'")

    # -- what rules make for others ----------------------------------------------------------------------------------

    def cascade(
        self,
        arrived: list[Event],
        over: int | None = None,
        woken: Mapping[str, list[Occurrence]] | None = None,
        still_open: frozenset[str] = frozenset(),
    ) -> None:
        """Lets rules take what comes together and what others make of it, those that feed others first.

        `arrived` has one arrival, or the events of an instant in order. `over`: the windows that end then do, too,
        but for those of the rules in `still_open`. `woken`: what rules fire for since a moment has come.
        """
        self.finder.gather()
        self._go_round(arrived, over, woken or {}, still_open)
        self.finder.settle()

    def _go_round(
        self,
        arrived: list[Event],
        over: int | None,
        woken: Mapping[str, list[Occurrence]],
        still_open: frozenset[str],
    ) -> None:
        running = self.interpreter.running
        turns = [Turn(running[name]) for name in self.interpreter.links.order if name in running]
        made = [self._numbered(event) for event in arrived]
        first = len(made)
        while True:
            for turn in turns:
                one, taken = turn.one, turn.unheard(made)
                found = [*woken.get(one.rule.name, ())] if turn.is_first else []
                turn.is_first = False
                ends = self._is_running(one) and one.rule.name not in still_open
                found += self.finder.met(one, taken, over if ends else None)
                if found:
                    fresh = self._composites_of(one.rule, found)
                    for each in turns:  # what is disabled sees nothing that is made from now on
                        if each.until is None and not self._is_running(each.one):
                            each.until = len(made)
                    made += [self._numbered(event) for event in fresh]
            if not any(turn.has_unheard(made) for turn in turns):
                return
            if len(made) - first >= self.interpreter.most_triggers:
                self._warn_of_cut(made[-1])
                return

    def _is_running(self, one: Detector) -> bool:
        return self.interpreter.running.get(one.rule.name) is one

    def _numbered(self, event: Event) -> Event:
        interpreter = self.interpreter
        if interpreter.witness is not None:
            interpreter.witness.shown(event, interpreter.time)
        return self.finder.numbered(event)

    def _composites_of(self, rule: Rule, found: list[Occurrence]) -> list[Event]:
        """Does what a rule says that has fired. What it makes for others, in weak order."""
        interpreter = self.interpreter
        waiting, interpreter.queue = interpreter.queue, deque()
        interpreter.act([(rule, one) for one in found])
        queued = interpreter.queue
        made = sorted([event for event in queued if event.is_composite], key=weak_order)
        interpreter.queue = deque([*waiting, *[event for event in queued if not event.is_composite]])
        self._followed += len(made)
        return made

    # -- detectors of the plain meaning, whoever has them ------------------------------------------------------------

    def met_by(self, one: Detector, events: list[Event], over: int | None) -> list[Occurrence]:
        """What a detector fires for, of some events that come together, and of windows that are over.

        An automaton takes them in weak order, its own time events in their place, unless others that feed it have
        something due at the same time. Other rules take what arrived, and then what was made of it.
        """
        if one.is_automaton:
            events = sorted(events, key=weak_order)
            one.holds_time = over is None and self.has_more_to_come(one)
        found = [each for event in events for each in self.interpreter.take(one, event)]
        while over is not None and (due := one.next_due(with_periodic=self.with_periodic)) is not None:
            if due.time > over:
                break
            found += one.wake(due, with_periodic=self.with_periodic)
        return found

    def has_more_to_come(self, one: Detector) -> bool:
        """Whether a time event of an automaton is due, and something that feeds it has something due, too."""
        if not self.finder.is_due(one):
            return False
        running = self.interpreter.running
        feeding = [running[name] for name in self.interpreter.links.feeding(one.rule.name) if name in running]
        return any(map(self.finder.is_due, feeding))

    def is_due_for(self, one: Detector) -> bool:
        """Whether a moment has come that a detector waited for."""
        due = one.next_due()
        return due is not None and due.time <= self.interpreter.time

    def next_due_of_all(self, with_periodic: bool) -> tuple[Due, str] | None:
        """What is due next for the detectors of the enabled rules, and for which of them."""
        running = self.interpreter.running
        waiting = ((one.next_due(with_periodic=with_periodic), name) for name, one in running.items())
        return min(((due, name) for due, name in waiting if due is not None), key=lambda each: each[0], default=None)

    def wake(self, due: Due, name: str) -> list[tuple[Rule, Occurrence]]:
        """What a detector fires for since a moment has come."""
        one = self.interpreter.running[name]
        return [(one.rule, each) for each in one.wake(due, with_periodic=self.with_periodic)]
