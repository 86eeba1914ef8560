"""The spine: rules and events in, detections out. Read this first; each step is one call into one package.

    text --languages--> patterns --rules--> a program --algebra/checks--> sound, or all its faults
    file --formats----> arrivals --algebra/order--> in the order of the policy --engine--> detections

`detect` does both. A session is what is left of the first line: a checked program with its options, ready to be
given events.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, NamedTuple

from tocsin.algebra.amending import amended
from tocsin.algebra.checks import check
from tocsin.algebra.doubts import feeds, program_doubts
from tocsin.algebra.order import heard_sources, order_text
from tocsin.algebra.patterns import Detector, Run
from tocsin.algebra.replay import Notes, replay
from tocsin.algebra.rules import (
    ALL_RULES,
    BEST_EFFORT,
    Command,
    Context,
    Define,
    Disable,
    Enable,
    Order,
    Program,
    Rule,
    Statement,
)
from tocsin.engine.amending import amendments
from tocsin.engine.forecast import MANY, Forecast, forecast, may_combine
from tocsin.engine.monitor import BATCH, detections
from tocsin.errors import Fault, UsageError
from tocsin.events import Arrival, Detection, Event
from tocsin.planner.lasting import lasting
from tocsin.rules.budgets import UNLIMITED, Budgets
from tocsin.time.spans import Period


@dataclass(frozen=True)
class Options:
    """What holds for every rule that does not say otherwise itself, and for the run as a whole."""

    context: Context | None = None
    order: Order = BEST_EFFORT
    window: Period | None = None
    run: Run | None = None
    granularity: int | None = None
    until: int | None = None
    ignore_late: bool = False
    amend: int | None = None
    """How late an event may be, in microseconds, and still change what was reported; None: what is reported stays."""
    engine: str = "local"
    """`local`, `replay` for the plain meaning, `spark` or `spark-streaming`."""
    batch: int = BATCH
    """How many events are read before their detections are told; 1 tells each at once."""
    budgets: Budgets = UNLIMITED
    """What the rules may hold; the plain meaning keeps to none."""


_MOST_FORECASTS: Final = 20
"""Rules that are tried out before a run."""


class Session:
    """A checked program with its options. `detections` can be asked again for other events."""

    def __init__(self, program: Program, options: Options = Options()) -> None:  # noqa: B008 - frozen, so shared safely
        self.options = options
        if options.run is not None and not any(isinstance(rule.pattern, Detector) for rule in program.rules):
            raise UsageError("a run is a matter of the core language: no rule here is written in it")
        if options.engine == "replay" and options.budgets != UNLIMITED:
            raise UsageError("the plain meaning (replay) keeps to no budget: leave it out, or run the engine")
        self.program = completed(program, options)
        check(self.program)
        if options.amend is not None:
            _check_amending(self.program, options)

    @property
    def doubts(self) -> list[Fault]:
        """Warnings about the rules."""
        return program_doubts(self.program)

    def detections(self, events: Iterable[Arrival], notes: Notes | None = None) -> Iterator[Detection]:
        """Every detection on the events, in order of detection; with `amend`, amendments of earlier ones among them."""
        if self.options.amend is not None:
            return self._amended(events, notes)
        groups = by_clock(self.program, self.options.order)
        if len(groups) == 1:
            return self._run(groups[0], events, notes)
        return self._merged(groups, list(events), Notes() if notes is None else notes)

    def forecasts(self, sample: Sequence[Event]) -> list[Forecast]:
        """What each rule that tells every combination may find in events like these, where that is a great deal."""
        found: list[Forecast] = []
        for rule in self.program.rules:
            if may_combine(rule) and not rule.hidden and len(found) < _MOST_FORECASTS:
                found.append(forecast(rule.name, needed_for(self.program, rule.name), sample, self.options.granularity))
        return [each for each in found if each.combinations >= MANY]

    def _amended(self, log: Iterable[Arrival], notes: Notes | None) -> Iterator[Detection]:
        options = self.options
        assert options.amend is not None
        run = amended if options.engine == "replay" else partial(amendments, batch=options.batch)
        return run(
            self.program,
            log,
            within=options.amend,
            granularity=options.granularity,
            until=options.until,
            notes=notes,
        )

    def _merged(self, groups: list[Group], log: list[Arrival], notes: Notes) -> Iterator[Detection]:
        """The detections of several clocks as one stream. What one clock counts, the others count too: once is told."""
        apart = [notes, *(Notes() for _ in groups[1:])]
        runs = [self._run(group, log, own) for group, own in zip(groups, apart, strict=True)]
        yield from heapq.merge(*runs, key=lambda detection: detection.detected)
        for own in apart[1:]:
            notes.warnings += [warning for warning in own.warnings if warning not in notes.warnings]
            notes.refused |= own.refused
            notes.dropped |= own.dropped
            notes.ignored |= own.ignored
            notes.incomparable |= own.incomparable
            notes.suppressed |= own.suppressed

    def _run(self, group: Group, log: Iterable[Arrival], notes: Notes | None) -> Iterator[Detection]:
        options = self.options
        run = (
            replay if options.engine == "replay" else partial(detections, batch=options.batch, budgets=options.budgets)
        )
        found = run(
            group.program,
            log,
            order=group.order,
            granularity=options.granularity,
            until=options.until,
            ignore_late=options.ignore_late,
            notes=notes,
        )
        return (one for one in found if one.rule in group.heard)


def _check_amending(program: Program, options: Options) -> None:
    """Refuses to amend where nothing is to be amended, or where it is not known what would be."""
    for rule in program.rules:
        if rule.suppress is not None:
            raise UsageError(f"rule '{rule.name}' suppresses what it detects: what is not told cannot be amended")
        order = rule.order or options.order
        if order != BEST_EFFORT:
            raise UsageError(
                f"rule '{rule.name}' runs under {order_text(order)}, which puts events in order before they are looked"
                " at: amendments are for best-effort"
            )
    if options.ignore_late:
        raise UsageError("late events are ignored: then they amend nothing; leave out one of the two")
    if options.budgets != UNLIMITED:
        raise UsageError("what a budget drops cannot be looked at again: amend without budgets")
    if options.engine.startswith("spark"):
        raise UsageError("on Spark what is reported stays: amend in this process, or let an order put events in order")


def completed(program: Program, options: Options) -> Program:
    """The program with the run's options filled in where a rule leaves them open."""
    return changed(program, partial(_completed, options=options))


def changed(program: Program, change: Callable[[Rule], Rule]) -> Program:
    """The program with each of its rules changed."""
    return Program(
        tuple(
            replace(statement, rule=change(statement.rule)) if isinstance(statement, Define) else statement
            for statement in program.statements
        )
    )


def _completed(rule: Rule, options: Options) -> Rule:
    pattern = rule.pattern
    if isinstance(pattern, Detector) and options.run is not None and not rule.hidden:
        pattern = replace(pattern, run=options.run)
    return replace(
        rule,
        pattern=pattern,
        context=rule.context or options.context,
        window=rule.window or options.window,
    )


class Group(NamedTuple):
    """The rules that run on one clock: `heard` are those that ask for it, the others only feed them."""

    order: Order
    program: Program
    heard: frozenset[str]


def by_order(program: Program, default: Order) -> list[Group]:
    """The program split by the order its rules ask for: each order is a clock of its own.

    A rule that uses another by name sees it on its own clock, whatever order the other one asks for. Where everything
    comes in order, a rule that says itself how long it lasts need not remember what is older.
    """
    orders = {rule.name: rule.order or default for rule in program.rules}
    groups: list[Group] = []
    for order in dict.fromkeys(orders.values()) or [default]:
        heard = frozenset(name for name, asked in orders.items() if asked == order)
        running = only_rules(program, heard)
        groups.append(Group(order, changed(running, _lasting) if order == IN_ORDER else running, heard))
    return groups


def by_clock(program: Program, default: Order) -> list[Group]:
    """The program split by order, and under `guaranteed` by the sources that are waited for, too."""
    return [part for group in by_order(program, default) for part in _by_hearing(group)]


def _by_hearing(group: Group) -> list[Group]:
    """The group split by the sources that its rules can hear, where these are waited for: each waits for its own."""
    rules = group.program.rules
    if group.order.policy != "guaranteed" or all(heard_sources(rules_program([rule])) is None for rule in rules):
        return [group]
    parts: dict[frozenset[str] | None, set[str]] = {}
    for rule in rules:
        if rule.name in group.heard:
            alone = only_rules(group.program, frozenset((rule.name,)))
            parts.setdefault(heard_sources(alone), set()).add(rule.name)
    if len(parts) == 1:
        return [group]
    return [Group(group.order, only_rules(group.program, names), frozenset(names)) for names in parts.values()]


IN_ORDER = Order("guaranteed")
"""Nothing is late; a source that was given up for being silent would be."""


def _lasting(rule: Rule) -> Rule:
    return rule if rule.window is not None else replace(rule, window=lasting(rule))


def only_rules(program: Program, names: Set[str]) -> Program:
    """The program without the rules that neither have one of these names nor feed one that has."""
    running = _with_feeders(names, program.rules)
    return Program(tuple(each for each in program.statements if _runs(each, running)))


def _runs(statement: Statement, running: frozenset[str]) -> bool:
    """Whether a statement is about rules that run here, or about none in particular."""
    match statement:
        case Define(rule=Rule(name=name)) | Command(action=Enable(rule=str(name)) | Disable(rule=str(name))):
            return name in running or name == ALL_RULES
    return True


def _with_feeders(names: Set[str], rules: tuple[Rule, ...]) -> frozenset[str]:
    """The rules of these names and all that feed them, directly or by detours."""
    found = {rule for rule in rules if rule.name in names}
    while more := {rule for rule in rules if rule not in found and any(feeds(rule, other) for other in found)}:
        found |= more
    return frozenset(rule.name for rule in found)


def needed_for(program: Program, name: str) -> Program:
    """The part of a program that one rule's detections depend on: the rule, and all that feed it."""
    running = _with_feeders(frozenset((name,)), program.rules)
    return Program(tuple(each for each in program.statements if _runs(each, running)))


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
