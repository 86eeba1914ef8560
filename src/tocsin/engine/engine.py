"""The engine: the network takes what comes; what rules say is done as in the plain meaning, by the same interpreter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from mypy_extensions import i64

from tocsin.algebra.detectors import Due
from tocsin.algebra.finder import Fired
from tocsin.algebra.notes import Notes
from tocsin.algebra.occurrence import Occurrence, chronology
from tocsin.algebra.order import Release
from tocsin.algebra.rules import Program, Rule, Statement
from tocsin.engine.cascade import Cascade
from tocsin.engine.detectors.limited import failure_of
from tocsin.engine.detectors.shared import Shared
from tocsin.engine.frames.batches import batch_of
from tocsin.engine.frames.completed import Completed, Held, Match, Nothing
from tocsin.engine.network.alarms import Alarms
from tocsin.engine.network.allowance import Allowance
from tocsin.engine.network.batch import Batch
from tocsin.engine.network.firings import HEAD, MOST_BRANCHES
from tocsin.engine.network.numbers import SPREAD
from tocsin.engine.network.vectors import FAR
from tocsin.engine.releases import batch_of_releases, pieces
from tocsin.engine.rule_set import Native, Planner, place_of
from tocsin.engine.stats import stats_of
from tocsin.events import Arrival, Detection, Event
from tocsin.plan.programs import Plan
from tocsin.planner import plan
from tocsin.rules.budgets import UNLIMITED, Budgets

NOTHING: Mapping[str, object] = MappingProxyType({})
"""The attributes of an event that has none."""

FEW = 16
"""Releases that are taken one by one: a batch costs more to make."""

_NO_DETECTIONS: Final = Nothing()

_NETWORK = "\0network"
"""Stands for all rules of the network among the names of rules."""


def engine_of(made: Plan, notes: Notes, budgets: Budgets = UNLIMITED, planner: Planner = plan) -> Engine:
    """An engine that runs as a plan says; `planner` is asked when rules come that are not in it."""
    settings = made.settings
    plain = frozenset(settings.plain)
    return Engine(made.program, settings.granularity, notes, budgets, settings.is_live, plain, made, planner)


class Engine(Cascade):
    """The rules of a program at work on the engine: events and time come in, detections go out."""

    _waking: tuple[int, bool] = (0, True)
    """What is due next in the network: its key, and whether clocks that ring again and again count."""

    def change(self, program: Program) -> None:
        self._report()
        super().change(program)

    def command(self, statements: tuple[Statement, ...], clock: int | None = None) -> None:
        self._report()
        super().command(statements, clock)

    # -- events ------------------------------------------------------------------------------------------------

    def process_arrivals(self, arrivals: list[Arrival]) -> None:
        """Takes some arrivals in, in order, where nothing that fires changes what comes after."""
        events = [arrival for arrival in arrivals if isinstance(arrival, Event)]
        if self.now is None:
            while arrivals and not isinstance(arrivals[0], Event):
                arrivals = arrivals[1:]
            if not arrivals:
                return
            self.evaluation.start(arrivals[0].arrival, arrivals[0].arrival)
        self.process(batch_of(arrivals))
        if self.interpreter.is_strict:
            for event in events:
                self.evaluation.note_if_ignored(event)

    def begin(self, arrival: int) -> None:
        """Starts the clock with the first arrival, unless it runs: a batch of columns needs a clock."""
        if self.now is None:
            self.evaluation.start(arrival, arrival)
            self.network.search.is_stepping = self.has_interplay

    def process(self, batch: Batch) -> None:
        """Takes a batch in; what it holds besides events only moves the clock."""
        assert self.now is not None
        self.build()
        network = self.network
        network.search.is_stepping = False
        if network.search.now < self.now:
            network.search.now = self.now
        network.process(batch)
        self.notes.arrivals += batch.count
        self._number = int(network.store.next - 1) * int(SPREAD)
        self.now = self.interpreter.clock = int(network.search.now)

    def take(self, releases: list[Release]) -> None:
        """Takes what an order has released, where nothing that fires changes what comes after."""
        if self.now is None:
            while releases and releases[0].event is None:
                releases = releases[1:]
            if not releases:
                return
            self.evaluation.start(releases[0].now, _clock_of(releases[0]))
            self.network.set_clock(releases[0].now, self.interpreter.clock)
        self.build()
        self.network.search.is_stepping = False
        for piece in pieces(releases, self.has_timers):
            first, last = int(self.network.moments.count), piece[-1]
            if self.has_timers:  # what is due at that very time comes before the event, wanted or not
                self._reach(piece[0].now)
            if len(piece) > FEW:
                self.process(batch_of_releases(piece))
            else:
                for release in piece:
                    self._take_one(release)
            if last.event is None:
                self._reach(last.now)
            self._note_clocks(first, piece)
            self.interpreter.lag, self.interpreter.clock = last.lag, _clock_of(last)
            if self.interpreter.is_strict:
                for release in piece:
                    if release.event is not None:
                        self.evaluation.note_if_ignored(release.event)

    def _take_one(self, release: Release) -> None:
        event, network = release.event, self.network
        if event is not None and event.id and not event.events:
            self.notes.arrivals += 1
            network.push(event.type, event.end, dict(event.data), event.id, event.source, event.start, release.now)
            self.now = int(network.search.now)
        elif event is not None:
            self.process(batch_of_releases([release]))

    def _reach(self, now: int) -> None:
        """Time has got so far, and nothing comes."""
        network = self.network
        if now >= network.search.now:
            network.advance(now)
            network.set_clock(now, now)
            self.now = now

    def _note_clocks(self, first: int, piece: list[Release]) -> None:
        """What was found from a moment on was found at the clocks of the releases: the network knows their times."""
        moments = self.network.moments
        if moments.count > first:
            is_lagging = piece[0].clock is None
            clocks = {release.now: _clock_of(release) for release in piece if release.event is not None}
            usual = _clock_of(piece[-1])
            for place in range(first, int(moments.count)):
                now = int(moments.now[place])
                moments.clock[place] = now + piece[0].lag if is_lagging else clocks.get(now, usual)

    def push(
        self,
        kind: str,
        time: int,
        data: Mapping[str, object] = NOTHING,
        id: str = "",
        source: str = "",
        start: int | None = None,
        arrival: int | None = None,
    ) -> Sequence[Detection]:
        """Takes one event in and gives what it completes. Times are microseconds. `data` must not change later."""
        interpreter = self.interpreter
        if not interpreter.has_begun:
            self.begin(time if arrival is None else arrival)
        if self.has_interplay:
            now = max(self.now or 0, time if arrival is None else arrival)
            event = Event(kind, time, time if start is None else start, id, source, data, now)
            self.step(Release(now, event))
            return self.drain()
        if self.unbuilt or self._has_dead:
            self.build()
        network = self.network
        network.search.is_stepping = False
        self.notes.arrivals += 1
        found = network.push(kind, time, data, id, source, start, arrival)
        interpreter.time = interpreter.clock = int(network.search.now)
        if not found:
            return _NO_DETECTIONS
        return self._completed() if self._only_reports and not interpreter.made else self.drain()

    def _completed(self) -> Completed:
        """What the network has found, where rules do nothing but report it."""
        network, matches = self.network, list[Match]()
        moments, store = network.moments, network.store
        for firing in network.firings:
            at: i64 = 0
            while at < firing.used:
                moment, branch = firing.matches[at], firing.matches[at + 1] % MOST_BRANCHES
                held: list[Held] = []
                for register in firing.registers[branch]:
                    batch, place, event = store.holder(firing.matches[at + HEAD + register])
                    held.append((register, batch, place, event))
                rules = [(self._places[rule.name], rule) for rule in firing.rules_at(at) if not rule.hidden]
                clocks = (int(moment), int(moments.now[moment]), int(moments.clock[moment]))
                matches.append((clocks, rules, firing.trees[branch], held))
                at += firing.stride
            firing.used = 0
        moments.clear()
        if network.search.failures:
            self._stop_failed()
        return Completed(matches)

    def step(self, release: Release) -> None:
        """Takes one release, and does what fires at once, so that it comes in the order in which it happened."""
        self.network.search.is_stepping = True
        self.evaluation.step(release)

    def take_together(self, releases: list[Release], *, is_whole: bool) -> None:
        """Takes what an order has let go to be evaluated together: one release, or the events of one instant."""
        self.network.search.is_stepping = True
        self.evaluation.take_together(releases, is_whole=is_whole)

    def advance(self, time: int) -> list[Detection]:
        """Lets the clock reach a time and gives what falls due."""
        if self.now is not None and time > self.now:
            self.step(Release(time))
        return self.drain()

    def next_due(self) -> int | None:
        """When the next moment is due that some rule waits for; None if none does."""
        due = self.due_next(True)
        return None if due is None else due[0].time

    def stats(self) -> dict[str, object]:
        """What the engine holds and has done, in all and for each rule that runs."""
        return stats_of(self.network, self.interpreter.running, self.now, self.notes.arrivals)

    def _stop_failed(self) -> None:
        """Disables the rules that failed, and says why; the others go on."""
        self.network.search.failures = self.interpreter.setting.failures = 0
        for name, one in list(self.interpreter.running.items()):
            if isinstance(one, Native):
                failure = "" if one.firing is None else one.firing.failure
            else:
                failure = failure_of(one.common.detector if isinstance(one, Shared) else one)
            if failure:
                self.notes.warn(f"rule '{name}' is stopped: {failure}")
                self.interpreter.disable(name)

    def shown(self, event: Event) -> Fired:
        self.build()
        self.network.search.is_stepping = True
        numbered = self._stored(event)
        self.network.take_made(numbered, self._number)
        return self._fired(numbered)

    def _fired(self, event: Event | None) -> Fired:
        """What the rules fire for, in their order: those of the network, and the others if there is an event."""
        found: dict[str, list[Occurrence]] = {}
        network = self.network
        for firing in network.fired:
            for rule, occurrence in self._occurrences(firing):
                found.setdefault(rule.name, []).append(occurrence)
        network.fired.clear()
        fired: Fired = []
        for name, one in list(self.interpreter.running.items()):
            if isinstance(one, Native):
                fired += [(one.rule, each) for each in found.get(name, ())]
            elif event is not None:
                fired += [(one.rule, each) for each in self.interpreter.take(one, event)]
        return fired

    # -- time --------------------------------------------------------------------------------------------------

    def due_next(self, with_periodic: bool) -> tuple[Due, str] | None:
        self.build()
        network = self.network
        network.drop_vain()
        key = network.search.next_key if with_periodic else network.next_one_shot()
        others = self.evaluation.next_due_of_all(with_periodic)
        if key >= FAR:
            return others
        mine = self._due(int(key), with_periodic)
        if others is None or mine < others[0]:
            return mine, _NETWORK
        # Of what is due together and of the same events, that of the rule that is defined first comes first.
        firing = network.first_firing(key, with_periodic)
        place = -1 if firing is None else place_of(firing, self._places)
        is_first = mine == others[0] and place < self._places.get(others[1], len(self._places))
        return (mine, _NETWORK) if is_first else others

    def _due(self, key: int, with_periodic: bool) -> Due:
        """What is due next in the network, as the plain meaning has it."""
        self._waking = key, with_periodic
        waiting = self.network.first_waiting(key, with_periodic)
        if waiting is None:
            return Due(key >> 1, bool(key & 1), ())
        if isinstance(waiting, Alarms):
            return Due(key >> 1, True, ())
        if key & 1:
            return Due(key >> 1, True, ("window", (int(waiting.entries[waiting.head + 1]),)))
        times, numbers = waiting.chronology(waiting.head)
        if not waiting.is_alive(waiting.head, -FAR):
            return Due(key >> 1, False, ("tick", times, []))  # its events are gone: nothing will come of it
        places = [self.network.store.event(number).place for number in numbers]
        return Due(key >> 1, False, ("tick", times, places))

    def _note_passed(self, due: Due, name: str) -> None:
        """Notes whose window ends now: what comes of it finds those over whose turn was before."""
        agenda = self.network.agenda
        if name == _NETWORK:
            waiting = self.network.first_waiting(*self._waking)
            place = -1 if waiting is None else int(waiting.place)
        else:
            mine = self._places.get(name, len(self._places))
            place = sum(place_of(each.firing, self._places) < mine for each in agenda.waitings)
        match due.chronology:
            case (_, (int() as start, *_)):
                agenda.note_passed(due.time, self._number, start, place)
            case _:  # the time event of an automaton: those come before the ends of windows
                agenda.note_passed(due.time, self._number, -int(FAR), place)

    def woken(self, due: Due, name: str) -> Fired:
        network, cascades = self.network, self.interpreter.links.cascades
        if due.is_window_end and network.search.is_stepping and not cascades:
            self._note_passed(due, name)
        if name != _NETWORK:
            return self.evaluation.wake(due, name)
        first = int(network.moments.count)
        network.wake(*self._waking)
        for place in range(first, int(network.moments.count)):
            network.moments.clock[place] = self.interpreter.clock
        if cascades:
            self._collect()
            return []
        return self._fired(None) if network.search.is_stepping else []

    def finish(self, until: int | None) -> None:
        """At the end of the input the clock runs on: to `until`, or while a one-shot timer is pending."""
        self.evaluation.finish(until)

    def drain(self) -> list[Detection]:
        """What was detected since the last call."""
        self._report()
        if self.network.search.failures or self.interpreter.setting.failures:
            self._stop_failed()
        return self.interpreter.drain()

    def _report(self) -> None:
        """Turns what the network found in batches into detections."""
        moments = self.network.moments
        if moments.count == 0:
            return
        found: dict[int, list[tuple[int, int, Rule, Occurrence]]] = {}
        places = {name: place for place, name in enumerate(self.interpreter.rules)}
        for firing in self.network.firings:
            stride, used = int(firing.stride), int(firing.used)
            for at in range(0, used, stride):
                one = firing.occurrence(at, self.network.store)
                rows = found.setdefault(int(firing.matches[at]), [])
                rows += [(places[rule.name], len(rows), rule, one) for rule in firing.rules_at(at)]
            firing.used = 0
        now, clock = self.interpreter.time, self.interpreter.clock
        for moment in sorted(found):
            self.interpreter.time, self.interpreter.clock = int(moments.now[moment]), int(moments.clock[moment])
            ordered = sorted(found[moment], key=lambda row: (row[0], chronology(row[3])))
            self.interpreter.act([(rule, one) for _, _, rule, one in ordered])
        self.interpreter.time, self.interpreter.clock = now, clock
        moments.clear()

    def count_values(self) -> None:
        """Adds what could not be compared to the notes."""
        self.interpreter.count_incomparable()
        self.notes.incomparable.update(self.network.search.around.incomparable)
        self.network.search.around.incomparable.clear()

    def count_incomparable(self) -> None:
        """Adds what could not be compared to the notes, and what was refused and dropped."""
        self.count_values()
        for firing in self.network.firings:
            for rule in firing.rules:
                self._count_refused(firing, rule.name)
            firing.refused = 0
            if firing.allowance is not None:
                names = ", ".join([rule.name for rule in firing.rules]) or "that is gone"
                self._count_over(firing.allowance, f"rule {names} holds")
        if self.network.total is not None:
            self._count_over(self.network.total, "all rules hold")

    def _count_over(self, allowance: Allowance, who: str) -> None:
        reason = f"{who} no more than {allowance.budget}"
        if allowance.refused:
            self.notes.refused[reason] += allowance.refused
        if allowance.dropped:
            self.notes.dropped[reason] += allowance.dropped


def _clock_of(release: Release) -> int:
    """The arrival clock when something was released."""
    return release.now + release.lag if release.clock is None else release.clock
