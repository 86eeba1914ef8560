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
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

from tocsin.algebra.notes import Notes
from tocsin.algebra.rules import BEST_EFFORT, Declaration, Program, Rule
from tocsin.events import Arrival, Detection
from tocsin.formats.instants import Instant, TimeStyle
from tocsin.formats.intake import Intake
from tocsin.formats.jsonl import parse_record
from tocsin.formats.refused import Refused
from tocsin.formats.reports import parse_report
from tocsin.monitor.commanded_rules import CommandedRules, Counts, Reply
from tocsin.monitor.state import MonitorState, state_of
from tocsin.rules.loader import CONSOLE, load_text
from tocsin.runtime import Options
from tocsin.runtime.audience import Audience
from tocsin.time.clocks import Clock
from tocsin.time.spans import HOUR, SECOND

Listener = Callable[[Detection], None]

GLANCE = 0.2
"""Seconds between two looks at the clock, where events are held back until it says so."""
REPEATS = HOUR
"""How long, in the time of events, a service without an end knows an event that comes twice."""


class Monitor:
    """A GEM monitor that runs. Its verbs may be called from any thread; each is done before the next begins.

    With a `clock` events arrive when they are given; without one each brings its own time along, and the clock
    stands still between them.
    """

    def __init__(self, options: Options | None = None, clock: Clock | None = None, sources: Iterable[str] = ()) -> None:
        self.options, self.clock = options or Options(), clock
        self.style = TimeStyle()
        self._audience, self._worried = Audience[Detection](), Audience[str]()
        self._lock = threading.RLock()
        self._has_changed = threading.Condition(self._lock)
        self._said: set[str] = set()
        self._rules = CommandedRules(self.options, sources)
        self._intake = Intake(CONSOLE, remember=None if clock is None else REPEATS, style=self.style)
        self._intake.declared = self._rules.attributes
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
        return self._rules.declared

    @property
    def rules(self) -> Mapping[str, Rule]:
        """The defined rules by name, in order of definition."""
        return self._rules.rules

    @property
    def counts(self) -> Counts:
        """What was seen and done."""
        return self._rules.counts

    @property
    def notes(self) -> Notes:
        """What there is to say besides the detections."""
        return self._rules.notes

    @property
    def recent(self) -> deque[Detection]:
        """The last detections."""
        return self._rules.recent

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

    def state(self) -> MonitorState:
        """What there is to show."""
        with self._lock:
            return state_of(self._rules)

    # -- commands ----------------------------------------------------------------------------------------------------

    def command(self, text: str, name: str = CONSOLE) -> Reply:
        """Does what a GEM text says, at this moment; `RuleError` where it cannot be understood or accepted."""
        return self.run(load_text(text, name))

    def run(self, program: Program) -> Reply:
        """Does what the statements of a rules file or a text say."""
        with self._driving():
            reply = self._rules.run(program, None if self.clock is None else self.clock.now())
            self._intake.conform = self._rules.conform
            self._tell(reply.detections)
            return reply

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
                    record = parse_report(text, self._rules.attributes, now)
                if self.clock is not None and now is not None:
                    record = {"time": Instant(now)} | record | {"arrival": Instant(now)}
                arrival = self._intake.admit(record, place)
            except Refused as refused:
                self.counts.refused += 1
                self._intake.file = name
                raise self._intake.error(place if number is None else number, text, refused) from None
            self._number = place
            return self._tell(self._rules.take(arrival))

    def take(self, arrival: Arrival) -> list[Detection]:
        """Takes an event, or news of a source that has none. By a clock, it comes now."""
        with self._driving():
            now = arrival if self.clock is None else replace(arrival, arrival=self.clock.now())
            return self._tell(self._rules.take(now))

    def conform(self, name: str, data: Mapping[str, object]) -> Mapping[str, object]:
        """The attributes of an event as its class is declared just now; raises `Refused` where they do not fit."""
        found = self._rules.conform
        return data if found is None else found(name, data)

    @property
    def attributes(self) -> Mapping[str, list[str]]:
        """The names of the attributes of each declared class, just now and later."""
        return self._rules.attributes

    # -- time --------------------------------------------------------------------------------------------------------

    def tick(self) -> list[Detection]:
        """Lets the rules know what time it is."""
        assert self.clock is not None
        return self.advance(self.clock.now())

    def advance(self, to: int) -> list[Detection]:
        """The clock reaches a time, and nothing comes. Under best-effort that starts it, too."""
        with self._driving():
            return self._tell(self._rules.advance(to))

    def next_due(self) -> int | None:
        """When some rule has something to do, should nothing come."""
        with self._lock:
            return self._rules.next_due()

    def finish(self, until: int | None = None) -> list[Detection]:
        """The input has ended: what is held is evaluated, and what is waited for comes."""
        with self._driving():
            return self._tell(self._rules.finish(until))

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

    def _tell(self, found: Iterable[Detection]) -> list[Detection]:
        """Notes what is to be told, in order."""
        told = list(found)
        self._audience.add(told)
        self._warn()
        self._has_changed.notify_all()
        return told

    def _warn(self) -> None:
        news = [text for text in self.notes.warnings if text not in self._said]
        self._said.update(news)
        self._worried.add(news)
