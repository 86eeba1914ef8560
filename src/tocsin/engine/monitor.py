"""The monitor of `algebra/replay.py` on the engine: the same statements, clock and actions, other detectors.

Rules whose pattern can be searched for leaf by leaf run in the network, all together. The others (cumulative contexts,
automata that branch or wait, 2g stamps) keep the detectors of the plain meaning, one for all that look for the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from types import MappingProxyType
from typing import Final

from mypy_extensions import i64

from tocsin.algebra.detectors import Detector, Due, Setting, detector, time_leaves
from tocsin.algebra.occurrence import Occurrence, chronology
from tocsin.algebra.order import Release, released
from tocsin.algebra.patterns import (
    Absence,
    After,
    AnyEvent,
    At,
    AtInstant,
    Either,
    Every,
    Never,
    Pattern,
    Primitive,
    Times,
    Within,
    children,
    walk,
)
from tocsin.algebra.replay import Monitor, Notes, accepted, enabled_by, mentioned, released_to
from tocsin.algebra.rules import (
    BEST_EFFORT,
    Define,
    Disable,
    Enable,
    Order,
    Program,
    Remove,
    Rule,
    Statement,
    Stop,
    Trigger,
)
from tocsin.engine.allowance import Allowance, held_bytes
from tocsin.engine.batch import Batch
from tocsin.engine.batches import batch_of
from tocsin.engine.build import Builder, remembers, why_apart
from tocsin.engine.completed import Completed, Held, Match, Nothing
from tocsin.engine.firing import HEAD, MOST_BRANCHES, Firing
from tocsin.engine.gates import Bell
from tocsin.engine.network import Network
from tocsin.engine.numbering import SPREAD
from tocsin.engine.releases import batch_of_releases, pieces
from tocsin.engine.sharing import Shared, Sharing, part_ways
from tocsin.engine.vectors import FAR
from tocsin.events import Arrival, Detection, Event
from tocsin.planner.branches import branches
from tocsin.planner.families import Family, families
from tocsin.rules.budgets import UNLIMITED, Budgets

NOTHING: Mapping[str, object] = MappingProxyType({})
"""The attributes of an event that has none."""

MOST_DEAD = 8
"""Rules that were disabled and are still looked at, before the searches are built anew without them."""

FEW = 16
"""Releases that are taken one by one: a batch costs more to make."""

BATCH = 4096
"""Events taken in at a time, where they come one by one."""

_NO_DETECTIONS: Final = Nothing()

_NETWORK = "\0network"
"""Stands for all rules of the network among the names of rules."""


def detections(
    program: Program,
    log: Iterable[Arrival],
    *,
    order: Order = BEST_EFFORT,
    granularity: int | None = None,
    until: int | None = None,
    ignore_late: bool = False,
    notes: Notes | None = None,
    batch: int = BATCH,
    budgets: Budgets = UNLIMITED,
) -> Iterator[Detection]:
    """Every detection of the program's rules on the log, in order of detection: what `replay` gives, sooner."""
    engine = Engine(program, granularity, notes if notes is not None else Notes(), budgets)
    if engine.has_interplay:
        yield from released_to(engine, log, order, ignore_late)
    elif order == BEST_EFFORT and not ignore_late:
        yield from _in_batches(engine, iter(log), batch)
    else:
        yield from _in_pieces(engine, accepted(released(log, order), engine.notes, ignore_late), batch)
    engine.finish(until)
    yield from engine.drain()
    engine.count_incomparable()


def _in_batches(engine: Engine, log: Iterator[Arrival], size: int) -> Iterator[Detection]:
    while taken := list(islice(log, size)):
        engine.process_arrivals(taken)
        yield from engine.drain()


def _in_pieces(engine: Engine, releases: Iterator[Release], size: int) -> Iterator[Detection]:
    while taken := list(islice(releases, size)):
        engine.take(taken)
        yield from engine.drain()


class Native(Detector):
    """A rule that runs in the network: what is left to say of it alone."""

    def __init__(self, rule: Rule, setting: Setting, since: int) -> None:
        super().__init__(rule, setting, since)
        self.firing: Firing | None = None

    def arrive(self, arrival: Event) -> list[Occurrence]:
        raise AssertionError("the network takes the events of its rules")

    def forget(self, now: int) -> None:
        """The network forgets for all its rules."""

    def remembered(self) -> object:
        raise AssertionError("the network remembers for its rules")

    def remember(self, memory: object) -> None:
        raise AssertionError("the network remembers for its rules")

    def next_due(self, *, with_periodic: bool = True) -> Due | None:
        """The network waits for all its rules."""
        return None


class Engine(Monitor):
    """The rules of a program at work on the engine."""

    def __init__(
        self,
        program: Program,
        granularity: int | None,
        notes: Notes,
        budgets: Budgets = UNLIMITED,
        is_live: bool = False,
        plain: frozenset[str] = frozenset(),
    ) -> None:
        super().__init__(program, granularity, notes)
        self.budgets, self.plain = budgets, plain
        """`plain`: the rules that keep the detectors of the plain meaning though they need not, to be watched."""
        self.is_live = is_live
        """Whether commands come while it runs. What they may change is then built into no search."""
        self.network = Network()
        if budgets.total is not None:
            self.network.total = Allowance(budgets.total)
        self.builder = Builder(self.network)
        self.unbuilt: list[Native] = []
        self._has_dead = False
        self._places: dict[str, int] = {}
        """Where each rule stands among all: of what is found together, that of the first comes first."""
        self._number = 0
        self._waking = 0, True
        self._sharing = Sharing()
        self._look_at(program)

    def _look_at(self, program: Program) -> None:
        """Finds out how the rules of a program can be run."""
        self._has_links = interplays(program)
        self.has_interplay = self._has_links or not all(map(self._is_native, program.rules))
        self._only_reports = not any(rule.actions or rule.strict for rule in program.rules)
        self.has_timers = self.has_interplay or any(map(_waits, program.rules))
        self.network.search.is_stepping = self.has_interplay

    def _is_native(self, rule: Rule) -> bool:
        return not self.why_apart(rule)

    def why_apart(self, rule: Rule) -> str:
        """Why a rule runs on the plain meaning and not in the network; nothing if it runs there."""
        if self._setting.granularity is not None:
            return "the network has no 2g stamps"
        if rule.name in self.plain:
            return "it is watched"
        if self.is_live and rule.strict and any(isinstance(part, AnyEvent) for part in walk(rule.pattern)):
            return "'*' stands for what is declared, which commands change"
        has_budget = self.budgets.of(rule.name) is not None or self.budgets.total is not None
        if has_budget and remembers(rule):
            return "what it remembers keeps to no budget"
        return why_apart(rule)

    # -- rules -------------------------------------------------------------------------------------------------

    def _detector(self, rule: Rule) -> Detector:
        assert self.now is not None
        if not self._is_native(rule):
            if self.budgets.of(rule.name) is not None or self.budgets.total is not None:
                self._warn(f"rule '{rule.name}' runs on the plain meaning, which keeps to no budget")
            if self._has_links or self.is_live or self.witness is not None or rule.name in self.plain:
                return detector(rule, self._setting, self.now)
            return self._sharing.joined(rule, self._setting, self.now)
        made = Native(rule, self._setting, self.now)
        self.unbuilt.append(made)
        return made

    def _disable(self, name: str) -> None:
        one = self._enabled.get(name)
        super()._disable(name)
        if isinstance(one, Shared):
            one.leave()
        if isinstance(one, Native):
            self.unbuilt = [each for each in self.unbuilt if each is not one]
            if one.firing is not None:
                self._count_refused(one.firing, name)
                one.firing.remove(name)
                self._has_dead = True

    def change(self, program: Program) -> None:
        self._report()
        self._has_links = interplays(program)
        if self._has_links:
            self._part_ways()
        super().change(program)
        self._look_at(program)
        self._declare()
        self.build()
        self._put_in_order()

    def _part_ways(self) -> None:
        """What one rule does may concern others now: each remembers for itself."""
        part_ways([one for one in self._enabled.values() if isinstance(one, Shared)])

    def _declare(self) -> None:
        """Rules that go on and take events of any declared class have to know which those are now."""
        declared = frozenset(self._classes)
        for firing, test in self.builder.any_declared:
            if firing.declared is not None and firing.declared != declared:
                test.allow(list(declared))
        for firing in self.network.firings:
            firing.declared = None if firing.declared is None else declared

    def command(self, statements: tuple[Statement, ...], clock: int | None = None) -> None:
        self._report()
        super().command(statements, clock)
        if any(isinstance(statement, Define | Remove | Stop) for statement in statements):
            self._look_at(self.program)
        if self._has_links:
            self._part_ways()
        if self.now is not None:
            self.build()
            self._put_in_order()

    @property
    def last_number(self) -> int:
        """The number of the event that came last, however it came."""
        return max(self._number, int(self.network.store.next - 1) * int(SPREAD))

    @property
    def running(self) -> Mapping[str, Detector]:
        """The enabled rules."""
        return self._enabled

    def resume(self, now: int, enabled: set[str], known: set[str]) -> None:
        """Starts the clock in the middle: without the statements, with the rules that are `enabled`.

        Those that are not among the `known` are new: they run if the program enables them.
        """
        self.now = now
        self._rules = {rule.name: rule for rule in self.program.rules}
        self._classes = dict(self.program.declarations)
        self._setting.declared = frozenset(self._classes)
        started = enabled_by(self.program)
        for name in self._rules:
            if name in enabled or (name not in known and name in started):
                self._enablings = 0
                self._enable(name)

    def build(self) -> None:
        """Builds the rules that were enabled since the last call; when many are gone, what they left is cleaned up."""
        if self._has_dead and self.network.moments.count == 0:
            self._has_dead = False
            dead = sum([not firing.is_alive for firing in self.network.firings])
            if dead > MOST_DEAD and dead * 2 > len(self.network.firings):
                self.builder.clean_up()
        if self.unbuilt:
            assert self.now is not None
            self.build_since(self.unbuilt, self.last_number + 1, self.now)

    def build_since(self, natives: list[Native], since: int, now: int) -> None:
        """Builds rules that see events from a number on: those that can be searched for as one together."""
        alone = [native for native in natives if self._is_alone(native.rule)]
        others = {native.rule.name: native for native in natives if native not in alone}
        self.unbuilt = [native for native in self.unbuilt if native not in natives]
        for native in alone:
            family = Family(native.rule, ((None, (native.rule,)),))
            is_blind = self._makes_what_it_sees(native.rule)
            self._build(family, {native.rule.name: native}, since, now, blind=is_blind)
        for alike in self._searched_as_one([native.rule for native in others.values()]):
            for family in families(alike):
                self._build(family, others, since, now, blind=False)
        self._put_in_order()

    def _put_in_order(self) -> None:
        """Of moments that come together those of the rule that is defined first come first.

        A rule's own clocks ring as they are written.
        """
        places = self._places = {name: place for place, name in enumerate(self._rules)}
        agenda = self.network.agenda
        agenda.set(sorted(agenda.waitings, key=lambda each: _place(each.firing, places)))
        self.network.bells.sort(key=lambda each: (_place(each.firing, places), _leaf_place(each)))
        self.network.note_next()

    def _searched_as_one(self, rules: list[Rule]) -> list[list[Rule]]:
        """The rules among which families are looked for.

        Moments that come together come rule by rule. So a rule that waits shares only with its neighbours, and with
        none where what one does may concern the next, or where several moments may be of the same events.
        """
        groups: list[list[Rule]] = [[]]
        apart = self.is_live or self.has_interplay or self.network.search.is_stepping
        for rule in rules:
            if not any(isinstance(part, After | Within | At | AtInstant | Every) for part in walk(rule.pattern)):
                groups[0].append(rule)
            elif apart or not _waits_for_one(rule) or not groups[1:] or not _are_equal(groups[-1][0], rule):
                groups.append([rule])
            else:
                groups[-1].append(rule)
        return groups

    def _build(self, family: Family, natives: dict[str, Native], since: int, now: int, *, blind: bool) -> None:
        self.builder.declared = natives[family.rule.name].declared
        firing = self.builder.add(family, since, now, blind=blind, budget=self.budgets.of(family.rule.name))
        for rule in firing.rules:
            natives[rule.name].firing = firing

    def _is_alone(self, rule: Rule) -> bool:
        """Whether a rule shares its search with no other: its budget and what it makes itself are its own."""
        return self.budgets.of(rule.name) is not None or self._makes_what_it_sees(rule)

    def _makes_what_it_sees(self, rule: Rule) -> bool:
        made = {action.type for action in rule.actions if isinstance(action, Trigger)}
        return any(
            isinstance(part, AnyEvent) or (isinstance(part, Primitive) and part.type in made)
            for part in walk(rule.pattern)
        )

    # -- events ------------------------------------------------------------------------------------------------

    def process_arrivals(self, arrivals: list[Arrival]) -> None:
        """Takes some arrivals in, in order, where nothing that fires changes what comes after."""
        events = [arrival for arrival in arrivals if isinstance(arrival, Event)]
        if self.now is None:
            while arrivals and not isinstance(arrivals[0], Event):
                arrivals = arrivals[1:]
            if not arrivals:
                return
            self._clock = arrivals[0].arrival
            self._start(arrivals[0].arrival)
        self.process(batch_of(arrivals))
        if self._is_strict:
            for event in events:
                self._note_ignored(event)

    def begin(self, arrival: int) -> None:
        """Starts the clock with the first arrival, unless it runs: a batch of columns needs a clock."""
        if self.now is None:
            self._clock = arrival
            self._start(arrival)
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
        self.now = self._clock = int(network.search.now)

    def take(self, releases: list[Release]) -> None:
        """Takes what an order has released, where nothing that fires changes what comes after."""
        if self.now is None:
            while releases and releases[0].event is None:
                releases = releases[1:]
            if not releases:
                return
            self._clock = _clock_of(releases[0])
            self._start(releases[0].now)
            self.network.set_clock(releases[0].now, self._clock)
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
            self._lag, self._clock = last.lag, _clock_of(last)
            if self._is_strict:
                for release in piece:
                    if release.event is not None:
                        self._note_ignored(release.event)

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
        if not self.has_begun:
            self.begin(time if arrival is None else arrival)
        if self.has_interplay:
            now = max(self.now or 0, time if arrival is None else arrival)
            self.step(Release(now, Event(kind, time, time if start is None else start, id, source, data, now)))
            return self.drain()
        if self.unbuilt or self._has_dead:
            self.build()
        network = self.network
        network.search.is_stepping = False
        self.notes.arrivals += 1
        found = network.push(kind, time, data, id, source, start, arrival)
        self._now = self._clock = int(network.search.now)
        if not found:
            return _NO_DETECTIONS
        return self._completed() if self._only_reports and not self._made else self.drain()

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
        super().step(release)

    def advance(self, time: int) -> list[Detection]:
        """Lets the clock reach a time and gives what falls due."""
        if self.now is not None and time > self.now:
            self.step(Release(time))
        return self.drain()

    def next_due(self) -> int | None:
        """When the next moment is due that some rule waits for; None if none does."""
        due = self._next_due()
        return None if due is None else due[0].time

    def stats(self) -> dict[str, object]:
        """What the engine holds and has done, in all and for each rule that runs.

        A rule's `seen` and `late` are events of the types it names, `held` the rows of those types that are kept
        (shared with other rules), `cpu` its share of the time spent searching, as far as a sample tells.
        """
        network = self.network
        gates = network.event_gates()
        total = sum(firing.cpu for firing in network.firings) or 1.0
        rules: dict[str, dict[str, object]] = {}
        for name, one in self._enabled.items():
            firing = one.firing if isinstance(one, Native) else None
            if firing is None:
                rules[name] = {"refused": one.refused, "engine": "replay"}
                continue
            own = [gate for gate in gates if firing in gate.wanting]
            before = [firing.seen_before.get(gate.arena.name, (0, 0)) for gate in own]
            rules[name] = {
                "seen": sum(int(gate.arena.arrived) - seen for gate, (seen, _) in zip(own, before, strict=True)),
                "late": sum(gate.lates - late for gate, (_, late) in zip(own, before, strict=True)),
                "held": sum(int(gate.arena.arrived - gate.arena.head) for gate in own),
                "detections": firing.found_for(name),
                "bytes": held_bytes([gate.arena for gate in own]),
                "refused": firing.refused,
                "cpu": round(firing.cpu / total, 4),
                "engine": "network",
            }
            if firing.allowance is not None:
                rules[name]["budget"] = _used(firing.allowance)
        arenas = [gate.arena for gate in network.all_gates()]
        held = sum(int(arena.arrived - arena.head) for arena in arenas)
        told: dict[str, object] = {
            "now": self.now,
            "events": self.notes.arrivals,
            "held": held,
            "bytes": held_bytes(arenas),
        }
        if network.total is not None:
            told["budget"] = _used(network.total)
        return {**told, "rules": rules}

    def _stop_failed(self) -> None:
        """Disables the rules that failed, and says why; the others go on."""
        self.network.search.failures = 0
        for name, one in list(self._enabled.items()):
            if isinstance(one, Native) and one.firing is not None and one.firing.failure:
                self._warn(f"rule '{name}' is stopped: {one.firing.failure}")
                self._disable(name)

    def _note_ignored(self, event: Event) -> None:
        if event.type not in self._classes and not any(d.wants(event) for d in self._enabled.values()):
            self.notes.ignored[event.type] += 1

    def _show(self, event: Event) -> None:
        self.build()
        network = self.network
        network.search.is_stepping = True
        made = bool(event.maker)
        if made:
            self._number += 1
        else:
            self._number = int(network.store.next_made()) * int(SPREAD)
        numbered = replace(event, number=self._number)
        assert self.now is not None
        network.set_clock(self.now, self._clock)
        network.store.make(numbered, self._number)
        network.take_made(numbered, self._number)
        self._act(self._fired(numbered))

    def _fired(self, event: Event | None) -> list[tuple[Rule, Occurrence]]:
        """What the rules fire for, in their order: those of the network, and the others if there is an event."""
        found: dict[str, list[Occurrence]] = {}
        network = self.network
        for firing in network.fired:
            for rule, occurrence in self._occurrences(firing):
                found.setdefault(rule.name, []).append(occurrence)
        network.fired.clear()
        fired: list[tuple[Rule, Occurrence]] = []
        for name, one in list(self._enabled.items()):
            if isinstance(one, Native):
                fired += [(one.rule, each) for each in found.get(name, ())]
            elif event is not None:
                fired += [(one.rule, each) for each in self._take(one, event)]
        return fired

    def _occurrences(self, firing: Firing) -> list[tuple[Rule, Occurrence]]:
        """What was found, the oldest first, with the rules it is for."""
        stride, used, store = int(firing.stride), int(firing.used), self.network.store
        ones = [(at, firing.occurrence(at, store)) for at in range(0, used, stride)]
        ones.sort(key=lambda each: chronology(each[1]))
        firing.used = 0
        return [(rule, one) for at, one in ones for rule in firing.rules_at(at)]

    # -- time --------------------------------------------------------------------------------------------------

    def _next_due(self, *, with_periodic: bool = True) -> tuple[Due, str] | None:
        self.build()
        network = self.network
        key = network.search.next_key if with_periodic else network.next_one_shot()
        others = super()._next_due(with_periodic=with_periodic)
        if key >= FAR:
            return others
        mine = self._due(int(key), with_periodic)
        if others is None or mine < others[0]:
            return mine, _NETWORK
        # Of what is due together and of the same events, that of the rule that is defined first comes first.
        firing = network.first_firing(key, with_periodic)
        place = -1 if firing is None else _place(firing, self._places)
        is_first = mine == others[0] and place < self._places.get(others[1], len(self._places))
        return (mine, _NETWORK) if is_first else others

    def _due(self, key: int, with_periodic: bool) -> Due:
        """What is due next in the network, as the plain meaning has it."""
        self._waking = key, with_periodic
        waiting = self.network.first_waiting(key, with_periodic)
        if waiting is None:
            return Due(key >> 1, bool(key & 1), ())
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
            place = sum(_place(each.firing, self._places) < mine for each in agenda.waitings)
        match due.chronology:
            case (_, (int() as start, *_)):
                agenda.note_passed(due.time, self._number, start, place)
            case _:  # the time event of an automaton: those come before the ends of windows
                agenda.note_passed(due.time, self._number, -int(FAR), place)

    def _fall_due(self, due: Due, name: str, clock: int | None) -> None:
        if due.is_window_end and self.network.search.is_stepping:
            self._note_passed(due, name)
        if name != _NETWORK:
            super()._fall_due(due, name, clock)
            return
        self._enablings = 0 if due.time != self.now else self._enablings
        self.now = max(due.time, self.now or due.time)
        self._clock = max(self._clock, due.time + self._lag) if clock is None else clock
        first = int(self.network.moments.count)
        self.network.wake(*self._waking)
        for place in range(first, int(self.network.moments.count)):
            self.network.moments.clock[place] = self._clock
        if self.network.search.is_stepping:
            self._act(self._fired(None))
            self._run_queue()

    def drain(self) -> list[Detection]:
        """What was detected since the last call."""
        self._report()
        if self.network.search.failures:
            self._stop_failed()
        return super().drain()

    def _report(self) -> None:
        """Turns what the network found in batches into detections."""
        moments = self.network.moments
        if moments.count == 0:
            return
        found: dict[int, list[tuple[int, int, Rule, Occurrence]]] = {}
        places = {name: place for place, name in enumerate(self._rules)}
        for firing in self.network.firings:
            stride, used = int(firing.stride), int(firing.used)
            for at in range(0, used, stride):
                one = firing.occurrence(at, self.network.store)
                rows = found.setdefault(int(firing.matches[at]), [])
                rows += [(places[rule.name], len(rows), rule, one) for rule in firing.rules_at(at)]
            firing.used = 0
        now, clock = self._now, self._clock
        for moment in sorted(found):
            self._now, self._clock = int(moments.now[moment]), int(moments.clock[moment])
            ordered = sorted(found[moment], key=lambda row: (row[0], chronology(row[3])))
            self._act([(rule, one) for _, _, rule, one in ordered])
        self._now, self._clock = now, clock
        moments.clear()

    def count_incomparable(self) -> None:
        super().count_incomparable()
        self.notes.incomparable.update(self.network.search.around.incomparable)
        self.network.search.around.incomparable.clear()
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

    def _count_refused(self, firing: Firing, name: str) -> None:
        if firing.refused:
            self.notes.refused[f"older than the detection window of rule {name}"] += firing.refused


def _clock_of(release: Release) -> int:
    """The arrival clock when something was released."""
    return release.now + release.lag if release.clock is None else release.clock


def _waits(rule: Rule) -> bool:
    """Whether a moment can come that a rule waits for."""
    if any(isinstance(part, At | AtInstant | Every) for part in walk(rule.pattern)):
        return True
    return not remembers(rule) and any(branch.waits for branch in branches(rule.pattern))


def _waits_for_one(rule: Rule) -> bool:
    """Whether each moment that a rule waits for is of an event of its own."""
    timers = [part for part in walk(rule.pattern) if isinstance(part, After | Within | At | AtInstant | Every)]
    if len(timers) != 1 or isinstance(timers[0], At | AtInstant | Every):
        return len(timers) == 1
    present = list(_present(timers[0]))
    leaves = sum(isinstance(part, Primitive | AnyEvent) for part in present)
    return leaves == 1 and not any(isinstance(part, Times | Either) for part in present)


def _present(pattern: Pattern) -> Iterator[Pattern]:
    """A pattern and what is in it, but for what must be absent."""
    yield pattern
    for part in children(pattern):
        if not isinstance(pattern, Never) and not (isinstance(pattern, Absence) and part is pattern.without):
            yield from _present(part)


def _used(allowance: Allowance) -> dict[str, object]:
    """A budget, and what it has cost."""
    budget = allowance.budget
    limits = {"rows": budget.rows, "bytes": budget.bytes, "policy": budget.policy.value}
    return {**limits, "refused": allowance.refused, "dropped": allowance.dropped}


def _place(firing: Firing, places: Mapping[str, int]) -> int:
    """Where the first of its rules stands."""
    return min((places[rule.name] for rule in firing.rules if rule.name in places), default=len(places))


def _leaf_place(bell: Bell) -> int:
    """Where a rule's clock stands among those of its pattern; anywhere, if the rule is gone."""
    rules = bell.firing.rules
    return time_leaves(rules[0].pattern).index(bell.alarm.pattern) if rules else 0


def _are_equal(one: Rule, other: Rule) -> bool:
    """Whether two rules find the same."""
    return replace(one, name="", actions=(), notify=None, select=(), callback=None) == replace(
        other, name="", actions=(), notify=None, select=(), callback=None
    )


def interplays(program: Program) -> bool:
    """Whether what a rule does when it fires changes what the rules see or which of them run."""
    if any(isinstance(a, Trigger | Enable | Disable) for rule in program.rules for a in rule.actions):
        return True
    names = {rule.name for rule in program.rules}
    return any(not names.isdisjoint(mentioned(rule) - {rule.name}) for rule in program.rules)
