"""The other half of the meaning: rules over a log, one arrival at a time. Clock, order, choice, actions.

    replay(program, log) -> detections

It runs the script's statements when the clock starts and those that are typed when they are, gives each rule the
events that arrive while it is enabled, lets time events fall due before the arrival that reaches them, and does what
the fired rules say. Written to be read; whatever is faster must give the same detections.

What statements and actions do is in `interpreter.py`, who takes what comes and when in `evaluation.py`: the engine has
those, too. Here every rule has a detector of its own, which looks for its pattern as `meaning.py` says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Protocol

from tocsin.algebra.detectors import Detector, Due
from tocsin.algebra.evaluation import Evaluation
from tocsin.algebra.finder import Finder, Fired
from tocsin.algebra.interpreter import Interpreter
from tocsin.algebra.notes import Notes
from tocsin.algebra.occurrence import Occurrence
from tocsin.algebra.order import OutOfOrder, Release, heard_sources, instants, interleaved
from tocsin.algebra.partitions import partitioned
from tocsin.algebra.patterns import Pattern
from tocsin.algebra.rules import BEST_EFFORT, Order, Program, Rule, Statement, Typed
from tocsin.algebra.witness import Witness
from tocsin.events import Arrival, Detection, Event

__all__ = ["AtWork", "Notes", "Replay", "accepted", "evaluated_together", "released_to", "replay"]


class AtWork(Protocol):
    """Rules at work: the monitor here, or the engine."""

    @property
    def program(self) -> Program: ...

    @property
    def notes(self) -> Notes: ...

    def command(self, statements: tuple[Statement, ...], clock: int | None = None) -> None: ...

    def take_together(self, releases: list[Release], *, is_whole: bool) -> None: ...

    def drain(self) -> list[Detection]: ...


def replay(
    program: Program,
    log: Iterable[Arrival | Typed],
    *,
    order: Order = BEST_EFFORT,
    granularity: int | None = None,
    until: int | None = None,
    ignore_late: bool = False,
    notes: Notes | None = None,
) -> Iterator[Detection]:
    """Every detection of the program's rules on the log, in order of detection."""
    monitor = Replay(program, granularity, notes if notes is not None else Notes())
    yield from released_to(monitor, log, order, ignore_late)
    monitor.finish(until)
    yield from monitor.drain()
    monitor.count_incomparable()


def released_to(
    monitor: AtWork, log: Iterable[Arrival | Typed], order: Order, ignore_late: bool
) -> Iterator[Detection]:
    """Gives a monitor the log as the policy evaluates it, one release at a time, and passes on what it detects."""
    for let_go in interleaved(log, order, lambda: heard_sources(monitor.program)):
        if isinstance(let_go, Typed):
            monitor.command(let_go.statements, let_go.arrival if order == BEST_EFFORT else None)
            yield from monitor.drain()
            continue
        for together in evaluated_together(accepted(let_go, monitor.notes, ignore_late), order):
            monitor.take_together(together, is_whole=gives_whole_instants(order))
            yield from monitor.drain()


def evaluated_together(releases: Iterable[Release], order: Order) -> Iterator[list[Release]]:
    """What an order has let go at once, as it is evaluated: under best-effort one by one, else by instants."""
    return ([release] for release in releases) if order.policy == "best-effort" else instants(releases)


def gives_whole_instants(order: Order) -> bool:
    """Whether nothing more comes of an instant once an order has let its events go: then its windows are over.

    Under best-effort and probabilistic another event of that very time may come, and still counts.
    """
    return order.policy in ("delay", "guaranteed")


def accepted(releases: Iterable[Release | OutOfOrder], notes: Notes, ignore_late: bool) -> Iterator[Release]:
    """What is left to evaluate when the notes have been told what was refused; of an event ignored, its time."""
    for release in releases:
        if isinstance(release, OutOfOrder):
            notes.refused[release.reason] += 1
        elif release.is_late and ignore_late:
            notes.refused["late, and --late ignore was asked for"] += 1
            yield Release(release.now, None, release.lag, release.clock)
        else:
            yield release


class Replay(Finder):
    """The rules of a program at work. 003's monitor, and 000's event processing service: they differ in notation."""

    def __init__(self, program: Program, granularity: int | None, notes: Notes) -> None:
        self.notes = notes
        self.interpreter = Interpreter(program, granularity, notes, self)
        self.evaluation = Evaluation(self.interpreter, self)

    @property
    def program(self) -> Program:
        """What it runs."""
        return self.interpreter.program

    @property
    def now(self) -> int | None:
        """The rules' clock; there is none before the first event."""
        return self.interpreter.now

    @property
    def witness(self) -> Witness | None:
        """Who watches the run."""
        return self.interpreter.witness

    @witness.setter
    def witness(self, witness: Witness | None) -> None:
        self.interpreter.witness = witness

    # -- what comes ----------------------------------------------------------------------------------------------

    def step(self, release: Release) -> None:
        """Runs everything due up to a release's time, then takes its event."""
        self.evaluation.step(release)

    def take_together(self, releases: list[Release], *, is_whole: bool) -> None:
        """Takes what an order has let go to be evaluated together: one release, or the events of one instant."""
        self.evaluation.take_together(releases, is_whole=is_whole)

    def command(self, statements: tuple[Statement, ...], clock: int | None = None) -> None:
        """Runs what is typed between two arrivals; rules that it does not concern keep what they remember."""
        self.evaluation.command(statements, clock)

    def change(self, program: Program) -> None:
        """Goes on with another program: rules that are equal keep what they remember, new ones see what comes now."""
        self.interpreter.change(program)

    def finish(self, until: int | None) -> None:
        """At the end of the input the clock runs on: to `until`, or while a one-shot timer is pending."""
        self.evaluation.finish(until)

    def drain(self) -> list[Detection]:
        """What was detected since the last call."""
        return self.interpreter.drain()

    def count_incomparable(self) -> None:
        """Adds what the rules could not compare to the notes."""
        self.interpreter.count_incomparable()

    # -- what rules fire for -------------------------------------------------------------------------------------

    def begun(self, rule: Rule) -> Detector:
        return partitioned(rule, self.interpreter.setting, self.interpreter.time)

    def ended(self, name: str, one: Detector) -> None:
        """Its detector is gone, and what that remembered with it."""

    def rung_by(self, one: Detector) -> list[Pattern]:
        return [alarm.pattern for alarm in one.alarms if alarm.has_rung]

    def declared(self, classes: frozenset[str]) -> None:
        """Detectors look at what is declared when they need it."""

    def shown(self, event: Event) -> Fired:
        numbered, running = self.numbered(event), list(self.interpreter.running.values())
        return [(one.rule, each) for one in running for each in self.interpreter.take(one, numbered)]

    def gather(self) -> None:
        """Detectors take events when they have their turn."""

    def settle(self) -> None:
        """... and keep nothing for a later one."""

    def numbered(self, event: Event) -> Event:
        return replace(event, number=next(self.interpreter.numbers))

    def met(self, one: Detector, events: list[Event], over: int | None) -> list[Occurrence]:
        return self.evaluation.met_by(one, events, over)

    def is_due(self, one: Detector) -> bool:
        return self.evaluation.is_due_for(one)

    def due_next(self, with_periodic: bool) -> tuple[Due, str] | None:
        return self.evaluation.next_due_of_all(with_periodic)

    def woken(self, due: Due, name: str) -> Fired:
        return self.evaluation.wake(due, name)
