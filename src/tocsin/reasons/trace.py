"""What happened in a run: which events each rule was shown and when, what it fired for, what its nodes used up.

The run itself is the meaning's (`algebra/replay.py`) or, for rules that are searched, the engine's, which gives the
same in less time; a witness writes down what both pass by. Nothing here decides why something did not fire.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from tocsin.algebra.automaton_runs import Branch, Machine
from tocsin.algebra.contexts import Node
from tocsin.algebra.detectors import Alarm, Detector, time_leaves
from tocsin.algebra.notes import Notes
from tocsin.algebra.occurrence import TIMER, Occurrence
from tocsin.algebra.order import OutOfOrder, Release, heard_sources, interleaved
from tocsin.algebra.patterns import Automaton, Pattern
from tocsin.algebra.replay import Replay, evaluated_together, gives_whole_instants
from tocsin.algebra.rules import LANGUAGE_CONTEXTS, SEARCHED, Order, Program, Rule, Typed
from tocsin.algebra.scene import FAR
from tocsin.algebra.witness import Witness
from tocsin.engine.engine import Engine
from tocsin.events import Arrival, Detection, Event

MOST_RINGS = 10_000
"""Times that a periodic clock is followed for."""

IGNORED = "late, and --late ignore was asked for"

EventKey = tuple[object, ...]


def event_key(event: Event) -> EventKey:
    """What an event is known by: a run may make copies of it to number them."""
    if event.type == TIMER:
        return (TIMER, event.end, repr(event.data.get("timer")))
    return (event.source, event.id, event.type, event.end)


def occurrence_key(one: Occurrence) -> tuple[object, ...]:
    """An occurrence's key (`Occurrence.key`) whatever copies of its events it is made of, and without its ticks."""
    names = tuple((name, _bound_key(value)) for name, value in one.bindings)
    return frozenset(map(event_key, one.events)), names


def _bound_key(value: object) -> object:
    ones = value if isinstance(value, tuple) else (value,)
    return tuple(frozenset(map(event_key, each.events)) for each in ones)


@dataclass(frozen=True)
class Entry:
    """An event as a rule could see it: when the rules' clock stood at `now`, as the `seq`-th event of the run."""

    event: Event
    now: int
    seq: int
    refused: str = ""
    """Why the order of arrival, or the rule's window, did not let the rule see it."""


@dataclass(frozen=True)
class TracedFiring:
    """A rule fired, at the clock `now`, when `seq` events had been shown."""

    rule: str
    one: Occurrence
    now: int
    seq: int
    clock: int
    made: tuple[Detection, ...]
    number: int

    @property
    def place(self) -> tuple[int, int]:
        """Where in the run it stands."""
        return (self.now, self.seq)


@dataclass
class Stay:
    """A time for which a rule was enabled: it sees the events after `since` and up to `until`."""

    since: int
    since_now: int
    until: int | None = None
    until_now: int | None = None

    def holds(self, seq: int) -> bool:
        """Whether the rule sees the event of that number."""
        return self.since < seq and (self.until is None or seq <= self.until)


@dataclass(frozen=True)
class Taking:
    """A consuming node combined what came (`one`) with `partners`; `is_replacing`: it only took their place."""

    at: Pattern
    one: Occurrence
    partners: tuple[Occurrence, ...]
    now: int
    seq: int
    is_replacing: bool = False


@dataclass(frozen=True)
class Leaving:
    """What became of a branch of an automaton: an event made it fail, came too late for it, or it left the window."""

    machine: Machine
    branch: Branch
    event: Event | None
    fails: bool
    now: int
    seq: int


@dataclass(frozen=True)
class Stepping:
    """A branch of an automaton went on: it is now another."""

    machine: Machine
    before: Branch
    after: Branch
    now: int
    seq: int


@dataclass
class RuleTrace:
    """What happened to one rule."""

    rule: Rule
    stays: list[Stay] = field(default_factory=list)
    firings: list[TracedFiring] = field(default_factory=list)
    takings: list[Taking] = field(default_factory=list)
    leavings: list[Leaving] = field(default_factory=list)
    steps: list[Stepping] = field(default_factory=list)
    taken: dict[EventKey, list[int]] = field(default_factory=dict)
    """For each event the numbers of the takings it had a part in."""

    def stay_at(self, seq: int) -> Stay | None:
        """The time for which it was enabled when the event of that number was shown."""
        return next((stay for stay in self.stays if stay.holds(seq)), None)


class Trace(Witness):
    """A run, watched: all that its rules were shown and did."""

    def __init__(self, program: Program, granularity: int | None) -> None:
        self.program, self.granularity = program, granularity
        self.rules = {rule.name: RuleTrace(rule) for rule in program.rules}
        self.entries: list[Entry] = []
        self.seq = 0
        self.last_arrival = 0
        self.until: int | None = None
        self.notes = Notes()
        self.detections: list[Detection] = []
        self.declared = frozenset(program.declarations)
        self._fired = 0
        self._nows: list[int] = []

    # -- what the run tells ------------------------------------------------------------------------------------

    def shown(self, event: Event, now: int) -> None:
        self._note(event, now, "")

    def _note(self, event: Event, now: int, refused: str) -> None:
        self.seq += 1
        now = max(now, self._nows[-1] if self._nows else now)
        self._nows.append(now)
        self.entries.append(Entry(replace(event, number=self.seq), now, self.seq, refused))

    def fired(self, rule: Rule, one: Occurrence, now: int, clock: int, made: list[Detection]) -> None:
        self._fired += 1
        firing = TracedFiring(rule.name, one, now, self.seq, clock, tuple(made), self._fired)
        self.rules[rule.name].firings.append(firing)

    def enabled(self, detector: Detector, now: int) -> None:
        name = detector.rule.name
        trace = self.rules.setdefault(name, RuleTrace(detector.rule))
        trace.stays.append(Stay(self.seq, now))
        detector.watch(_Inside(self, trace, detector))

    def disabled(self, name: str, now: int) -> None:
        stay = self.rules[name].stays[-1]
        stay.until, stay.until_now = self.seq, now

    def refuse(self, event: Event, reason: str, now: int) -> None:
        """An event that no rule is shown."""
        self._note(event, now, reason)

    # -- what can be asked -------------------------------------------------------------------------------------

    def seen(self, rule: Rule) -> list[Entry]:
        """The events of the run in the order in which the rule would see them, with its time events among them."""
        leaves = time_leaves(rule.pattern)
        found = list(self.entries)
        for stay in self.rules[rule.name].stays if leaves else ():
            for leaf in leaves:
                found += self._rung(Alarm(leaf, stay.since_now), stay)
        if leaves:
            found.sort(key=lambda entry: (entry.now, entry.event.type != TIMER, entry.seq))
        return found

    def _rung(self, alarm: Alarm, stay: Stay) -> list[Entry]:
        """The time events of a clock while the rule was enabled; periodic ones end with the last event."""
        until = FAR if self.until is None and not alarm.repeats else max(self.last_arrival, self.until or 0)
        if stay.until_now is not None:
            until = min(until, stay.until_now)
        found: list[Entry] = []
        while alarm.next is not None and alarm.next <= until and len(found) < MOST_RINGS:
            seq = bisect_left(self._nows, alarm.next)  # it comes before the events of its instant
            event = alarm.ring()
            if seq >= stay.since:
                found.append(Entry(event, event.end, seq))
        return found

    def seq_before(self, now: int, *, inclusive: bool) -> int:
        """How many events had been shown before the clock reached `now`; `inclusive`: or when it stood there."""
        return bisect_right(self._nows, now) if inclusive else bisect_left(self._nows, now)


class _Inside(Witness):
    """Hears of what happens inside one rule."""

    def __init__(self, trace: Trace, rule: RuleTrace, detector: Detector) -> None:
        self._trace, self._rule, self._detector = trace, rule, detector

    def took(self, node: Node, one: Occurrence, partners: list[Occurrence]) -> None:
        self._note(node, one, partners, is_replacing=False)

    def replaced(self, node: Node, one: Occurrence, older: list[Occurrence]) -> None:
        self._note(node, one, older, is_replacing=True)

    def _note(self, node: Node, one: Occurrence, partners: list[Occurrence], *, is_replacing: bool) -> None:
        now = self._detector.around.now
        taking = Taking(node.pattern, one, tuple(partners), now, self._trace.seq, is_replacing)
        for event in {event for each in (one, *partners) for event in each.events}:
            self._rule.taken.setdefault(event_key(event), []).append(len(self._rule.takings))
        self._rule.takings.append(taking)

    def left(self, machine: Machine, branch: Branch, event: Event | None, fails: bool) -> None:
        now = self._detector.around.now
        self._rule.leavings.append(Leaving(machine, branch, event, fails, now, self._trace.seq))

    def entered(self, machine: Machine, before: Branch, after: Branch) -> None:
        now = self._detector.around.now
        self._rule.steps.append(Stepping(machine, before, after, now, self._trace.seq))


def watched(
    program: Program,
    log: Iterable[Arrival],
    *,
    order: Order,
    granularity: int | None = None,
    until: int | None = None,
    ignore_late: bool = False,
    engine: str = "local",
) -> Trace:
    """Runs a program over a log and writes down what happens."""
    trace = Trace(program, granularity)
    monitor = _monitor(program, granularity, trace.notes, engine)
    monitor.witness = trace
    for let_go in interleaved(log, order, lambda: heard_sources(program)):
        assert not isinstance(let_go, Typed)
        for together in evaluated_together(_accepted(let_go, trace, monitor, ignore_late), order):
            monitor.take_together(together, is_whole=gives_whole_instants(order))
            trace.detections += monitor.drain()
            trace.last_arrival = max(trace.last_arrival, monitor.now or 0)
    monitor.finish(until)
    trace.detections += monitor.drain()
    monitor.count_incomparable()
    trace.until = until
    return trace


def _accepted(
    releases: list[Release | OutOfOrder], trace: Trace, monitor: Replay | Engine, ignore_late: bool
) -> Iterator[Release]:
    """What is left to evaluate when it is written down what was refused; of an event ignored, its time."""
    for release in releases:
        if isinstance(release, OutOfOrder):
            trace.notes.refused[release.reason] += 1
            trace.refuse(release.event, release.reason, monitor.now or release.event.end)
        elif release.is_late and ignore_late and release.event is not None:
            trace.notes.refused[IGNORED] += 1
            trace.refuse(release.event, IGNORED, max(release.now, monitor.now or release.now))
            yield replace(release, event=None)
        else:
            yield release


def _monitor(program: Program, granularity: int | None, notes: Notes, engine: str) -> Replay | Engine:
    """What runs the rules: those that use up at their nodes and automata must be watched from inside."""
    if engine == "replay":
        return Replay(program, granularity, notes)
    plain = frozenset(rule.name for rule in program.rules if not is_searched(rule))
    return Engine(program, granularity, notes, plain=plain)


def is_searched(rule: Rule) -> bool:
    """Whether a rule chooses among all combinations."""
    return not isinstance(rule.pattern, Automaton) and context_of(rule) in SEARCHED


def context_of(rule: Rule) -> str:
    """The rule's own context, or its language's."""
    return rule.context or LANGUAGE_CONTEXTS[rule.language]
