"""The GEM monitor of a service (003 sections 1, 3): beside the requests, and like them a function of the log.

What is typed takes effect at its place in the log, at the time at which it came; the monitor sees every event from the
first rule on, and the same ticks. It knows nothing of requests, and they nothing of it: a rule of the same name is
another one. Its detections are told under the request `gem`, and their ids begin with `gem`.

`Commands` is the way in: a text is checked as if all that waits were done, so that what cannot be done never gets into
the log. `GemMonitor` is what has been done.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, Final

from tocsin.algebra.checks import Checker
from tocsin.algebra.rules import BEST_EFFORT, Declaration, Program, Stop
from tocsin.errors import Fault, RuleError, TocsinError, UsageError
from tocsin.events import Arrival, Detection, Event
from tocsin.formats.blocks import Block
from tocsin.formats.refused import Refused
from tocsin.monitor.commanded_rules import CommandedRules, Reply, checked
from tocsin.monitor.state import MonitorState, state_of
from tocsin.rules.loader import CONSOLE, load_scripts
from tocsin.rules.programs import rules_program
from tocsin.runtime import Runtime
from tocsin.runtime.options import Options, completed
from tocsin.service.admission import Parcel
from tocsin.service.records import Entry, Kind, StoredDetection
from tocsin.service.requests import Request
from tocsin.stores.pieces import joined, parted

GEM: Final = "gem"
"""What stands for the request where a detection is the monitor's."""
MOST_ANSWERS: Final = 1_000
"""Answers that are held for those who wait for them."""
MOST_TRIED: Final = 200
"""Rules that are tried out together with new ones, at most; of more only the new ones are."""


@dataclass(frozen=True)
class GemText:
    """What somebody typed, or a script; and the scripts that it may load, by name."""

    text: str
    name: str = CONSOLE
    scripts: Mapping[str, str] = field(default_factory=dict)

    def program(self, options: Options) -> Program:
        """Its statements, those of what it loads among them; or what is wrong with it."""
        return completed(load_scripts(self.text, self.name, self.scripts), options)

    def body(self) -> bytes:
        """As the log has it."""
        return json.dumps({"text": self.text, "name": self.name, "scripts": dict(self.scripts)}).encode()


def owner_of(request: str, requests: Mapping[str, Request]) -> str | None:
    """To whom the detections of a request belong; those of the monitor to `gem`."""
    if request == GEM:
        return GEM
    return requests[request].owner if request in requests else None


def text_of(body: bytes) -> GemText:
    """A text as the log has it."""
    return GemText(**json.loads(body))


# -- what is asked -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Answer:
    """What came of a text: remarks, and the detections it led to at once."""

    remarks: tuple[str, ...] = ()
    found: tuple[StoredDetection, ...] = ()
    has_stopped: bool = False
    failure: str = ""


class Commands:
    """What was asked of the monitor, and what it answered."""

    def __init__(self, options: Options, most_rules: int) -> None:
        self._options, self._most_rules = options, most_rules
        self._checker = Checker(set())
        """What will be declared and defined when all that waits has been done."""
        self._generation = self._last = 0
        """Of which monitor that is known; and the entry of what was asked last."""
        self._answers: dict[int, Answer] = {}

    @property
    def declared(self) -> Mapping[str, Declaration]:
        """The event classes that will be declared when all that waits has been done."""
        return self._checker.declarations

    def checked(self, asked: GemText) -> Checker:
        """What is declared and defined after a text; raises where the text cannot be done."""
        program = asked.program(self._options)
        checker = checked(program, self._checker, self._options)
        if len(checker.defined) > self._most_rules:
            raise UsageError(f"the monitor has {self._most_rules} rules at most: remove one first, ~ rule NAME")
        _try_out(program, checker, self._options)
        return Checker(set()) if _stops(program) else checker

    def put(self, position: int, checker: Checker) -> None:
        """A text is in the log."""
        self._last, self._checker = position, checker

    def again(self, entry: Entry) -> None:
        """A text that was in the log already."""
        try:
            program = text_of(entry.body).program(self._options)
            after = checked(program, self._checker, self._options)
            self.put(entry.position, Checker(set()) if _stops(program) else after)
        except TocsinError:  # it is refused again when its turn comes
            self._last = entry.position

    def begin(self, monitor: GemMonitor) -> None:
        """Nothing waits: things are as they are."""
        self._checker, self._generation = monitor.checker, monitor.generation

    def note(self, entry: Entry, monitor: GemMonitor, found: Sequence[StoredDetection]) -> None:
        """An entry of the log was done."""
        is_text = entry.kind is Kind.COMMAND
        if is_text:
            reply = monitor.reply
            self._answers[entry.position] = Answer(reply.remarks, tuple(found), monitor.has_stopped, monitor.failure)
            while len(self._answers) > MOST_ANSWERS:
                del self._answers[next(iter(self._answers))]
        if entry.position >= self._last and (is_text or monitor.generation != self._generation):
            self.begin(monitor)

    def answer(self, position: int) -> Answer:
        """What came of the text at a position of the log; it is given once."""
        return self._answers.pop(position, Answer())


def _stops(program: Program) -> bool:
    return any(isinstance(statement, Stop) for statement in program.statements)


def _try_out(program: Program, checker: Checker, options: Options) -> None:
    """What the runtime says to the rules: the monitor at work must never meet it."""
    new = program.rules
    if not new:
        return
    beside = list(checker.defined.values())
    rules = beside if len(beside) <= MOST_TRIED else new
    try:
        trial = Runtime(
            Program((*checker.declarations.values(), *rules_program(rules).statements)), options, is_live=True
        )
        trial.command((), 0)
        trial.next_due()
    except Exception as error:  # noqa: BLE001 - whatever it is
        raise RuleError(Fault(f"this cannot be run: {error or type(error).__name__}", new[0].span)) from None


# -- what is done ------------------------------------------------------------------------------------------------------


class GemMonitor:
    """The monitor behind a position of the log.

    `stop` ends it, and the next text begins another one, with nothing declared; so it is if a rule should break the
    engine, which harms nobody else.
    """

    def __init__(self, options: Options) -> None:
        self._options = options
        self._rules = CommandedRules(options)
        self.generation = 0
        """How many monitors there were before this one."""
        self._has_begun = False
        """Whether something was typed."""
        self.has_stopped = False
        """Whether `stop` was said, and nothing since."""
        self.failure = ""
        """Why the last monitor is no more, if it broke and nothing was said since."""
        self.reply = Reply()
        """What came of the last text."""

    @property
    def checker(self) -> Checker:
        """What is declared and defined."""
        return self._rules.checker

    def state(self) -> MonitorState:
        """What there is to show."""
        return state_of(self._rules)

    # -- what comes ----------------------------------------------------------------------------------------------------

    def command(self, entry: Entry) -> Sequence[Detection]:
        """Does what a text says."""
        self._has_begun, self.has_stopped, self.failure, self.reply = True, False, "", Reply()
        found = self._guarded(entry.position, lambda: self._done(entry))
        if self._rules.has_stopped:
            self._begin_anew()
            self.has_stopped = True
        return found

    def _done(self, entry: Entry) -> Sequence[Detection]:
        try:
            self.reply = self._rules.run(text_of(entry.body).program(self._options), entry.arrival)
        except TocsinError as error:  # what it was checked against is no more
            self.reply = Reply((), (f"not done: {error}",))
        return self.reply.detections

    @property
    def is_watching(self) -> bool:
        """Whether it has to see events: where none is held back, only rules make a difference."""
        return self._has_begun and (bool(self._rules.rules) or self._options.order != BEST_EFFORT)

    def fed(self, parcels: Sequence[Parcel], most: int, position: int) -> Sequence[Detection]:
        """Sees the next events, not too many at a time, and leaves them for others."""
        if not parcels or not self.is_watching:
            return ()
        parcel = parcels[0]
        some = map(parcel.event, range(min(most, len(parcel)))) if isinstance(parcel, Block) else islice(parcel, most)
        return self._guarded(position, lambda: self._rules.process([each for one in some for each in self._fit(one)]))

    def _fit(self, arrival: Arrival) -> Sequence[Arrival]:
        """An event as its class is declared here; one that does not fit is counted, and is none for this monitor."""
        conform = self._rules.conform
        if conform is None or not isinstance(arrival, Event) or arrival.type not in self._rules.declared:
            return (arrival,)
        try:
            return (replace(arrival, data=conform(arrival.type, arrival.data)),)
        except Refused as refused:
            self._rules.notes.refused[refused.reason] += 1
            return ()

    def advance(self, now: int, position: int) -> Sequence[Detection]:
        """Time has passed."""
        return self._guarded(position, lambda: self._rules.advance(now)) if self.is_watching else ()

    def next_due(self) -> int | None:
        """When a rule has something to do, should nothing come."""
        return self._rules.next_due() if self.is_watching else None

    def _guarded(self, position: int, step: Callable[[], Sequence[Detection]]) -> Sequence[Detection]:
        try:
            return [self._named(one) for one in step()]
        except Exception as error:  # noqa: BLE001 - whatever breaks the monitor, the service goes on
            self._begin_anew()
            self.failure = f"the monitor broke at entry {position}: {type(error).__name__}: {error}"
            return ()

    def _begin_anew(self) -> None:
        self.generation, self._has_begun, self._rules = self.generation + 1, False, CommandedRules(self._options)

    def _named(self, one: Detection) -> Detection:
        """A detection with an id that is no request's, and no former monitor's."""
        return replace(one, id=f"{GEM}{self.generation or ''}-{one.id}")

    # -- what is remembered --------------------------------------------------------------------------------------------

    def snapshot(self) -> bytes:
        """All that is remembered."""
        head = {"generation": self.generation, "stopped": self.has_stopped, "failure": self.failure}
        if not self._has_begun:
            return joined([json.dumps(head).encode()])
        return joined([json.dumps(head | {"rules": self._rules.record()}).encode(), self._rules.snapshot()])

    def restore(self, body: bytes) -> None:
        """Goes on from what is remembered."""
        head, *remembered = parted(body)
        said: dict[str, Any] = json.loads(head)
        self.generation, self.has_stopped, self.failure = said["generation"], said["stopped"], said["failure"]
        if remembered:
            self._rules, self._has_begun = CommandedRules.restored(self._options, said["rules"], remembered[0]), True
