"""Rules at work that are commanded by GEM texts (003 section 3): what is declared and defined, what has been seen.

No clock, no lock, nobody who is told: whoever holds them says when each thing comes. The same words and events at the
same moments lead to the same. `Monitor` has them behind a clock and a lock, the service as a function of its log.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tocsin.algebra.checks import Checker
from tocsin.algebra.codec import from_record, to_record
from tocsin.algebra.notes import Notes
from tocsin.algebra.rule_warnings import rule_doubts
from tocsin.algebra.rules import Command, Declaration, Define, Enable, Program, Raise, Rule, Statement
from tocsin.errors import Fault, RuleError, UsageError, placed
from tocsin.events import Arrival, Detection, Event
from tocsin.formats.intake import Conform
from tocsin.monitor.remarks import done, ways
from tocsin.rules.declared_events import conformer
from tocsin.runtime import Options, Runtime
from tocsin.runtime.options import completed

REMEMBERED = 20
"""Detections that can be shown again."""
MOST_CLASSES = 1000
"""Classes whose events are counted apart; those of the others are counted together."""
OTHERS = "others"


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


class CommandedRules:
    """What a monitor has: declarations, rules at work, counts. A command is done as a whole, or refused as a whole."""

    def __init__(self, options: Options, sources: Iterable[str] = (), program: Program = Program()) -> None:  # noqa: B008 - frozen
        self.options = options
        self.notes = Notes()
        self.counts = Counts()
        self.recent: deque[Detection] = deque(maxlen=REMEMBERED)
        self.attributes: dict[str, list[str]] = {}
        """The names of the attributes of each declared class, just now and later."""
        self.conform: Conform | None = None
        """Gives an event's attributes as its class is declared just now."""
        self._checker = Checker(set())
        self._rules = Runtime(program, options, sources=sources, notes=self.notes, is_live=True)

    # -- what is known -----------------------------------------------------------------------------------------------

    @property
    def checker(self) -> Checker:
        """What is declared and defined."""
        return self._checker

    @property
    def declared(self) -> Mapping[str, Declaration]:
        """The declared event classes by name."""
        return self._checker.declarations

    @property
    def rules(self) -> Mapping[str, Rule]:
        """The defined rules by name, in order of definition."""
        return self._checker.defined

    @property
    def enabled(self) -> Sequence[str]:
        """The rules that see events; before the clock starts, those that will."""
        return self._rules.enabled

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
        return self._rules.stats()

    # -- commands ----------------------------------------------------------------------------------------------------

    def run(self, program: Program, moment: int | None = None) -> Reply:
        """Does what the statements say, at a moment; without one, a report comes at the time that it says."""
        if self.has_stopped:
            raise UsageError("the monitor has stopped")
        program = completed(program, self.options)
        checker = checked(program, self._checker, self.options)
        before = len(self.notes.warnings)
        parts = _moments(program.statements, moment)
        found = [one for part, time in parts for one in self._rules.command(part, time)]
        self._know(checker)
        self.counts.taken.update(each.type for each in program.statements if isinstance(each, Raise))
        warned = self.notes.warnings[before:]
        del self.notes.warnings[before:]  # said again where it happens again
        remarks = [*done(program.statements, warned), *_doubts(program), *warned]
        if self.now is None and any(isinstance(each, Raise) for each in program.statements):
            remarks.append(f"the clock has not started yet: this happens when it does, {ways(self.options.order)}")
        return Reply(tuple(self._counted(found)), tuple(remarks))

    def _know(self, checker: Checker) -> None:
        self._checker = checker
        self.attributes.clear()
        self.attributes.update((name, [key for key, _ in each.attributes]) for name, each in self.declared.items())
        self.conform = conformer(self.declared)

    # -- events and time ---------------------------------------------------------------------------------------------

    def take(self, arrival: Arrival) -> Sequence[Detection]:
        """Takes an event, or news of a source that has none, when it says that it comes."""
        if self.has_stopped:
            return ()
        if not isinstance(arrival, Event):
            return self._counted(self._rules.process([arrival]))
        self._count(arrival.type)
        found = self._rules.push(
            arrival.type,
            arrival.end,
            arrival.data,
            id=arrival.id,
            source=arrival.source,
            start=arrival.start,
            arrival=arrival.arrival,
        )
        return self._counted(found)

    def process(self, arrivals: list[Arrival]) -> Sequence[Detection]:
        """Takes some, in their order."""
        if self.has_stopped or not arrivals:
            return ()
        for each in arrivals:
            if isinstance(each, Event):
                self._count(each.type)
        return self._counted(self._rules.process(arrivals))

    def _count(self, kind: str) -> None:
        taken = self.counts.taken
        taken[kind if kind in taken or len(taken) < MOST_CLASSES else OTHERS] += 1

    def advance(self, to: int) -> Sequence[Detection]:
        """The clock reaches a time, and nothing comes. Under best-effort that starts it, too."""
        if self.has_stopped:
            return ()
        return self._counted(self._rules.command((), to) if self.now is None else self._rules.advance(to))

    def next_due(self) -> int | None:
        """When some rule has something to do, should nothing come."""
        return None if self.now is None or self.has_stopped else self._rules.next_due()

    def finish(self, until: int | None = None) -> Sequence[Detection]:
        """The input has ended: what is held is evaluated, and what is waited for comes."""
        return () if self.has_stopped else self._counted(self._rules.finish(until))

    def _counted(self, found: Iterable[Detection]) -> Sequence[Detection]:
        told = list(found)
        self.counts.reported.update(one.rule for one in told)
        self.recent.extend(told)
        return told

    # -- state -------------------------------------------------------------------------------------------------------

    def record(self) -> dict[str, Any]:
        """What is declared, defined and counted, as JSON values; what rules remember is in `snapshot`."""
        checker, counts, notes = self._checker, self.counts, self.notes
        return {
            "program": to_record(self._standing()),
            "declared": [to_record(each) for each in checker.declarations.values()],
            "defined": [to_record(each) for each in checker.defined.values()],
            "taken": counts.taken,
            "reported": counts.reported,
            "refused": counts.refused,
            "notes": notes.counters(),
            "warnings": notes.warnings,
        }

    def _standing(self) -> Program:
        """A script that brings a new monitor to where this one is; before the clock starts, the script that waits."""
        if self.now is None:
            return self._rules.program
        defined = (Define(rule, span=rule.span) for rule in self.rules.values())
        enabled = (Command(Enable(name)) for name in self.enabled)
        return Program((*self.declared.values(), *defined, *enabled))

    def snapshot(self) -> bytes:
        """What the rules remember."""
        return self._rules.snapshot()

    @classmethod
    def restored(cls, options: Options, record: Mapping[str, Any], snapshot: bytes) -> CommandedRules:
        """Rules that go on from what `record` and `snapshot` told."""
        made = cls(options, program=from_record(record["program"], Program))
        declared = [from_record(each, Declaration) for each in record["declared"]]
        defined = [from_record(each, Rule) for each in record["defined"]]
        names = {rule.name for rule in defined}
        made._know(Checker(names, {each.name: each for each in declared}, {rule.name: rule for rule in defined}))
        made._rules.restore(snapshot)
        made.counts = Counts(Counter(record["taken"]), Counter(record["reported"]), record["refused"])
        for name, counter in made.notes.counters().items():
            counter.clear()
            counter.update(record["notes"][name])
        made.notes.warnings[:] = record["warnings"]
        return made


def checked(program: Program, before: Checker, options: Options) -> Checker:
    """What is declared and defined after the statements, if there is nothing wrong with any of them."""
    checker = Checker(
        {*before.defined, *(rule.name for rule in program.rules)}, dict(before.declarations), dict(before.defined)
    )
    found: list[Fault] = []
    for statement in program.statements:
        checker.visit(statement, found.append)
    found += [
        Fault(f"rule '{rule.name}' asks for an order of its own, and a monitor has one for all", rule.span)
        for rule in program.rules
        if rule.order not in (None, options.order)
    ]
    if found:
        raise RuleError(list(dict.fromkeys(placed(fault) for fault in found)))
    return checker


def _moments(
    statements: tuple[Statement, ...], moment: int | None
) -> Iterator[tuple[tuple[Statement, ...], int | None]]:
    """The statements with when they come: at a moment; without one, a report comes at the time that it says."""
    if moment is not None:
        yield statements, moment
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


def _doubts(program: Program) -> list[str]:
    """What is doubtful about the rules that came."""
    rules = [statement.rule for statement in program.statements if isinstance(statement, Define)]
    return [str(placed(doubt)) for rule in rules for doubt in rule_doubts(rule)]
