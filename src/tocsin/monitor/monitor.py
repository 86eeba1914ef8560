"""The monitor as a service (003 section 3): commands at any moment, events as they come, firings as they happen.

    monitor = Monitor(clock=WallClock())
    monitor.listeners.append(print)            told of every detection, in order, as it is made
    monitor.command("rule r { a ; b ==> forward b }")
    monitor.take(event)
    monitor.tick()                             time has passed, and nothing came

A command is checked against what is declared and defined just then and done as a whole, or refused as a whole with
its faults; it takes effect between two events. Rules that it does not concern keep what they have half matched.
What comes of it is what `replay` makes of the same words and events at the same moments.
"""

from __future__ import annotations

import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from tocsin.algebra.checks import Checker
from tocsin.algebra.notes import Notes
from tocsin.algebra.rule_warnings import rule_doubts
from tocsin.algebra.rules import BEST_EFFORT, Declaration, Define, Program, Raise, Rule, Statement
from tocsin.errors import Fault, RuleError, UsageError, placed
from tocsin.events import Arrival, Detection, Event
from tocsin.formats.instants import Instant, TimeStyle
from tocsin.formats.intake import Intake
from tocsin.formats.jsonl import parse_record
from tocsin.formats.refused import Refused
from tocsin.formats.reports import parse_report
from tocsin.monitor.remarks import done, ways
from tocsin.rules.declared_events import conformer
from tocsin.rules.loader import CONSOLE, load_text
from tocsin.runtime import Options, Runtime
from tocsin.runtime.audience import Audience
from tocsin.runtime.options import completed
from tocsin.time.clocks import Clock
from tocsin.time.spans import HOUR, SECOND

Listener = Callable[[Detection], None]

REMEMBERED = 20
"""Detections that can be shown again."""
GLANCE = 0.2
"""Seconds between two looks at the clock, where events are held back until it says so."""
MOST_CLASSES = 1000
"""Classes whose events are counted apart; those of the others are counted together."""
OTHERS = "others"
REPEATS = HOUR
"""How long, in the time of events, a service without an end knows an event that comes twice."""


@dataclass(frozen=True)
class Reply:
    """What came of a command: the detections it led to at once, and what there is to say about it."""

    detections: tuple[Detection, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass
class Counts:
    """What a monitor has seen and done since it began."""

    taken: Counter[str] = field(default_factory=Counter)
    """Events by class."""
    reported: Counter[str] = field(default_factory=Counter)
    """Detections by rule."""
    refused: int = 0
    """Lines that were no events."""


class Monitor:
    """A GEM monitor that runs. Its verbs may be called from any thread; each is done before the next begins.

    With a `clock` events arrive when they are given; without one each brings its own time along, and the clock
    stands still between them.
    """

    def __init__(self, options: Options | None = None, clock: Clock | None = None, sources: Iterable[str] = ()) -> None:
        self.options, self.clock = options or Options(), clock
        self.counts, self.style = Counts(), TimeStyle()
        self._audience, self._worried = Audience[Detection](), Audience[str]()
        self.recent: deque[Detection] = deque(maxlen=REMEMBERED)
        self.notes = Notes()
        self._lock = threading.RLock()
        self._has_changed = threading.Condition(self._lock)
        self._checker = Checker(set())
        self._said: set[str] = set()
        self._rules = Runtime(Program(), self.options, sources=sources, notes=self.notes, is_live=True)
        self._intake = Intake(CONSOLE, remember=None if clock is None else REPEATS, style=self.style)
        self._intake.declared = self._attributes = dict[str, list[str]]()
        self._number = 0
        self._is_closed = False

    @property
    def listeners(self) -> list[Listener]:
        """Told of every detection, in order; they may drive the monitor themselves."""
        return self._audience.listeners

    @property
    def warned(self) -> list[Callable[[str], None]]:
        """Told of what should be known and is no detection, each once."""
        return self._worried.listeners

    @contextmanager
    def _driving(self) -> Iterator[None]:
        """Nobody else drives the rules meanwhile; what comes of it is told when they may again."""
        with self._lock:
            yield
        self._audience.tell()
        self._worried.tell()

    # -- what is known -----------------------------------------------------------------------------------------------

    @property
    def declared(self) -> Mapping[str, Declaration]:
        """The declared event classes by name."""
        return self._checker.declarations

    @property
    def rules(self) -> Mapping[str, Rule]:
        """The defined rules by name, in order of definition."""
        return self._checker.defined

    def is_enabled(self, rule: str) -> bool:
        """Whether a rule sees events; before the clock starts, whether it will."""
        with self._lock:
            return rule in self._rules.enabled

    @property
    def now(self) -> int | None:
        """The clock of the rules; None before it has started."""
        return self._rules.now

    @property
    def has_stopped(self) -> bool:
        """Whether `stop` was said."""
        return self._rules.has_stopped

    def stats(self) -> dict[str, object]:
        """What the engine holds and has done: see `Runtime.stats`."""
        with self._lock:
            return self._rules.stats()

    # -- commands ----------------------------------------------------------------------------------------------------

    def command(self, text: str, name: str = CONSOLE) -> Reply:
        """Does what a GEM text says, at this moment; `RuleError` where it cannot be understood or accepted."""
        return self.run(load_text(text, name))

    def run(self, program: Program) -> Reply:
        """Does what the statements of a rules file or a text say."""
        with self._driving():
            if self.has_stopped:
                raise UsageError("the monitor has stopped")
            program = completed(program, self.options)
            checker = self._checked(program)
            before = len(self.notes.warnings)
            found = [one for part, time in self._moments(program.statements) for one in self._rules.command(part, time)]
            self._checker = checker
            self.counts.taken.update(each.type for each in program.statements if isinstance(each, Raise))
            self._attributes.clear()
            self._attributes.update((name, [key for key, _ in d.attributes]) for name, d in self.declared.items())
            self._intake.conform = conformer(self.declared)
            warned = self.notes.warnings[before:]
            del self.notes.warnings[before:]  # said again where it happens again
            remarks = [*done(program.statements, warned), *self._doubts(program), *warned]
            if self.now is None and any(isinstance(each, Raise) for each in program.statements):
                remarks.append(f"the clock has not started yet: this happens when it does, {ways(self.options.order)}")
            return Reply(self._tell(found), tuple(remarks))

    def _checked(self, program: Program) -> Checker:
        """What is declared and defined after the statements, if there is nothing wrong with any of them."""
        checker = Checker(
            {*self.rules, *(rule.name for rule in program.rules)}, dict(self.declared), dict(self._checker.defined)
        )
        found: list[Fault] = []
        for statement in program.statements:
            checker.visit(statement, found.append)
        found += [
            Fault(f"rule '{rule.name}' asks for an order of its own, and a monitor has one for all", rule.span)
            for rule in program.rules
            if rule.order not in (None, self.options.order)
        ]
        if found:
            raise RuleError(list(dict.fromkeys(placed(fault) for fault in found)))
        return checker

    def _moments(self, statements: tuple[Statement, ...]) -> Iterator[tuple[tuple[Statement, ...], int | None]]:
        """The statements with when they come: by the clock; without one, a report comes at the time that it says."""
        if self.clock is not None:
            yield statements, self.clock.now()
            return
        together: list[Statement] = []
        for statement in statements:
            if not isinstance(statement, Raise) or statement.time is None:
                together.append(statement)
                continue
            yield tuple(together), None
            yield (statement,), statement.time.instant()
            together = []
        yield tuple(together), None

    def _doubts(self, program: Program) -> list[str]:
        """What is doubtful about the rules that came."""
        rules = [statement.rule for statement in program.statements if isinstance(statement, Define)]
        return [str(placed(doubt)) for rule in rules for doubt in rule_doubts(rule)]

    # -- events ------------------------------------------------------------------------------------------------------

    def line(self, text: str, name: str = CONSOLE, number: int | None = None) -> list[Detection]:
        """Takes an event that is written on a line: a JSON object, or a GEM event report. `EventError` if it is bad.

        Where the monitor has a clock, an event that says no time occurred when it came (003 section 2.1).
        """
        with self._driving():
            place = self._number + 1
            try:
                now = self.clock.now() if self.clock is not None else self._intake.last_arrival
                if text.lstrip().startswith("{"):
                    record = parse_record(text)
                else:
                    record = parse_report(text, self._attributes, now)
                if self.clock is not None and now is not None:
                    record = {"time": Instant(now)} | record | {"arrival": Instant(now)}
                arrival = self._intake.admit(record, place)
            except Refused as refused:
                self.counts.refused += 1
                self._intake.file = name
                raise self._intake.error(place if number is None else number, text, refused) from None
            self._number = place
            return self._take(arrival)

    def take(self, arrival: Arrival) -> list[Detection]:
        """Takes an event, or news of a source that has none. By a clock, it comes now."""
        with self._driving():
            return self._take(arrival if self.clock is None else replace(arrival, arrival=self.clock.now()))

    def _take(self, arrival: Arrival) -> list[Detection]:
        if self.has_stopped:
            return []
        if not isinstance(arrival, Event):
            return list(self._tell(self._rules.process([arrival])))
        is_known = arrival.type in self.counts.taken or len(self.counts.taken) < MOST_CLASSES
        self.counts.taken[arrival.type if is_known else OTHERS] += 1
        found = self._rules.push(
            arrival.type,
            arrival.end,
            arrival.data,
            id=arrival.id,
            source=arrival.source,
            start=arrival.start,
            arrival=arrival.arrival,
        )
        return list(self._tell(found))

    def conform(self, name: str, data: Mapping[str, object]) -> Mapping[str, object]:
        """The attributes of an event as its class is declared just now; raises `Refused` where they do not fit."""
        found = self._intake.conform
        return data if found is None else found(name, data)

    @property
    def attributes(self) -> Mapping[str, list[str]]:
        """The names of the attributes of each declared class, just now and later."""
        return self._attributes

    # -- time --------------------------------------------------------------------------------------------------------

    def tick(self) -> list[Detection]:
        """Lets the rules know what time it is."""
        assert self.clock is not None
        return self.advance(self.clock.now())

    def advance(self, to: int) -> list[Detection]:
        """The clock reaches a time, and nothing comes. Under best-effort that starts it, too."""
        with self._driving():
            if self.has_stopped:
                return []
            return list(self._tell(self._rules.command((), to) if self.now is None else self._rules.advance(to)))

    def next_due(self) -> int | None:
        """When some rule has something to do, should nothing come."""
        with self._lock:
            return None if self.now is None or self.has_stopped else self._rules.next_due()

    def finish(self, until: int | None = None) -> list[Detection]:
        """The input has ended: what is held is evaluated, and what is waited for comes."""
        with self._driving():
            return [] if self.has_stopped else list(self._tell(self._rules.finish(until)))

    def wait(self) -> None:
        """Waits until a rule has something to do by the clock, until something was typed or came, or for the end."""
        assert self.clock is not None
        with self._has_changed:
            due = self.next_due()
            seconds = None if due is None else (due - self.clock.now()) / SECOND
            if self.options.order != BEST_EFFORT:  # what is held back is waited for, too
                seconds = GLANCE if seconds is None else min(seconds, GLANCE)
            if not self._is_closed and (seconds is None or seconds > 0):
                self._has_changed.wait(seconds)

    def close(self) -> None:
        """Nobody is to wait any more."""
        with self._has_changed:
            self._is_closed = True
            self._has_changed.notify_all()

    # -- telling -----------------------------------------------------------------------------------------------------

    def _tell(self, found: Iterable[Detection]) -> tuple[Detection, ...]:
        """Notes what is to be told, in order."""
        told = tuple(found)
        self.counts.reported.update(one.rule for one in told)
        self.recent.extend(told)
        self._audience.add(told)
        self._warn()
        self._has_changed.notify_all()
        return told

    def _warn(self) -> None:
        news = [text for text in self.notes.warnings if text not in self._said]
        self._said.update(news)
        self._worried.add(news)
