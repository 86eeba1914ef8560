"""The spine: rules and events in, detections out. Read this first; each step is one call into one package.

    text --languages--> patterns --rules--> a program --algebra/checks--> sound, or all its faults
    file --formats----> arrivals --algebra/order--> in the order of the policy --algebra/replay--> detections

`detect` does both. A session is what is left of the first line: a checked program with its options, ready to be
given events.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from tocsin.algebra.checks import check
from tocsin.algebra.doubts import program_doubts
from tocsin.algebra.guards import Guard
from tocsin.algebra.patterns import Detector, Run
from tocsin.algebra.replay import Notes, replay
from tocsin.algebra.rules import BEST_EFFORT, Command, Context, Define, Enable, Order, Program, Rule
from tocsin.errors import Fault, UsageError
from tocsin.events import Arrival, Detection, Event
from tocsin.time.spans import Period


@dataclass(frozen=True)
class Options:
    """What holds for every rule that does not say otherwise itself, and for the run as a whole."""

    context: Context | None = None
    order: Order = BEST_EFFORT
    window: Period | None = None
    condition: Guard | None = None
    run: Run | None = None
    granularity: int | None = None
    until: int | None = None
    ignore_late: bool = False


class Session:
    """A checked program with its options. `detections` can be asked again for other events."""

    def __init__(self, program: Program, options: Options = Options()) -> None:  # noqa: B008 - frozen, so shared safely
        self.options = options
        self.program = completed(program, options)
        check(self.program)

    @property
    def doubts(self) -> list[Fault]:
        """Warnings about the rules."""
        return program_doubts(self.program)

    def detections(self, events: Iterable[Arrival], notes: Notes | None = None) -> Iterator[Detection]:
        """Every detection on the events, in order of detection."""
        groups = by_order(self.program, self.options.order)
        if len(groups) == 1:
            return self._replay(*groups[0], events, notes)
        log = list(events)
        runs = [self._replay(order, program, log, notes) for order, program in groups]
        return heapq.merge(*runs, key=lambda detection: detection.detected)

    def _replay(
        self, order: Order, program: Program, log: Iterable[Arrival], notes: Notes | None
    ) -> Iterator[Detection]:
        options = self.options
        return replay(
            program,
            log,
            order=order,
            granularity=options.granularity,
            until=options.until,
            ignore_late=options.ignore_late,
            notes=notes,
        )


def completed(program: Program, options: Options) -> Program:
    """The program with the run's options filled in where a rule leaves them open."""
    statements = tuple(
        replace(statement, rule=_completed(statement.rule, options)) if isinstance(statement, Define) else statement
        for statement in program.statements
    )
    return Program(statements)


def _completed(rule: Rule, options: Options) -> Rule:
    pattern = rule.pattern
    if isinstance(pattern, Detector) and options.run is not None:
        pattern = replace(pattern, run=options.run)
    return replace(
        rule,
        pattern=pattern,
        context=rule.context or options.context,
        window=rule.window or options.window,
        condition=rule.condition or options.condition,
    )


def by_order(program: Program, default: Order) -> list[tuple[Order, Program]]:
    """The program split by the order its rules ask for: each order is a clock of its own."""
    orders = list(dict.fromkeys(rule.order or default for rule in program.rules)) or [default]
    if len(orders) == 1:
        return [(orders[0], program)]
    by_name = {rule.name: rule.order or default for rule in program.rules}

    def belongs(statement: object, order: Order) -> bool:
        match statement:
            case Define(rule=rule):
                return by_name[rule.name] == order
            case Command(action=Enable(rule=str(name))) if name in by_name:
                return by_name[name] == order
        return True

    return [(o, Program(tuple(s for s in program.statements if belongs(s, o)))) for o in orders]


def only_events(arrivals: Iterable[Arrival], each: Callable[[Event], None]) -> Iterator[Arrival]:
    """The arrivals as they pass, with each event shown to `each`: for progress and pictures."""
    for arrival in arrivals:
        if isinstance(arrival, Event):
            each(arrival)
        yield arrival


def rules_program(rules: Iterable[Rule]) -> Program:
    """Rules made in Python as a program in which all of them are enabled."""
    found = tuple(rules)
    for rule in found:
        if not isinstance(rule, Rule):
            raise UsageError(f"expected rules, got {type(rule).__name__}: make one with tocsin.rule(name, pattern)")
    return Program(tuple(s for rule in found for s in (Define(rule), Command(Enable(rule.name)))))
