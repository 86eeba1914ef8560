"""Is a program sound? Every fault at once, each where it stands; warnings for what is legal and probably not meant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from tocsin.algebra.aggregates import is_asked, refers_back
from tocsin.algebra.automata import automaton_faults
from tocsin.algebra.contexts import NODES
from tocsin.algebra.ends import end_faults
from tocsin.algebra.functions import NULL
from tocsin.algebra.guards import Attribute, Guard, Literal, Now, Reference
from tocsin.algebra.guards import walk as guard_parts
from tocsin.algebra.keyed import why_unkeyed
from tocsin.algebra.links import mentions
from tocsin.algebra.names import bound, members, repeated, visible
from tocsin.algebra.patterns import (
    THIS,
    Absence,
    After,
    Aggregate,
    AnyEvent,
    At,
    AtInstant,
    Automaton,
    Between,
    By,
    Every,
    Named,
    Never,
    Parallel,
    Partitioned,
    Pattern,
    Primitive,
    Repeat,
    Streak,
    Times,
    Where,
    Within,
    children,
    walk,
)
from tocsin.algebra.rules import (
    ALL_RULES,
    LANGUAGE_CONTEXTS,
    SEARCHED,
    Command,
    Declaration,
    Define,
    Disable,
    Enable,
    Forward,
    Notify,
    Order,
    Program,
    Raise,
    Remove,
    Rule,
    Statement,
    Trigger,
)
from tocsin.algebra.sizes import MOST_COUNTED, MOST_PASSED_ON, MOST_SEARCHED, size_of
from tocsin.algebra.templates import pieces_of
from tocsin.algebra.types import OF_DECLARED, Scope, a, guard_faults, type_of, value_faults
from tocsin.errors import Fault, RuleError, choices, nearest, placed
from tocsin.time.calendar import validate
from tocsin.time.periods import Period

Report = Callable[[Fault], None]

_OUTSIDE: Final = "it stands outside of what this guards: guard what has both inside"
_ABOUT_ABSENT: Final = {
    "gem": "what cancels is chosen by the guard of the whole, as in {a ; b} ! c when c.k == a.k || !?c",
    "pretty": "a negation may speak of what is around it, as in a then not (c where c.k == a.k) then b",
    "python": "which events count is said by where=, as in a.then(b).without(c, where=c.k == a.k)",
    "sel": "a negation may speak of what is around it, as in a -> !(c if c.k == a.k) -> b",
}
"""By language: how to speak of what must be absent together with what is there."""


def check(program: Program) -> None:
    """Refuses a program that has faults, with all of them."""
    faults = program_faults(program)
    if faults:
        raise RuleError(faults)


def program_faults(program: Program) -> list[Fault]:
    """Every fault of every statement, in order, placed where the text is known."""
    found: list[Fault] = []
    checker = Checker({rule.name for rule in program.rules})
    for statement in program.statements:
        checker.visit(statement, found.append)
    return list(dict.fromkeys(placed(fault) for fault in found))


@dataclass
class Checker:
    """Walks a script as the monitor will run it: what is declared and defined so far decides what may be named."""

    all_rules: set[str]
    declarations: dict[str, Declaration] = field(default_factory=dict)
    defined: dict[str, Rule] = field(default_factory=dict)

    def visit(self, statement: Statement, report: Report) -> None:
        """Reports the faults of one statement."""
        match statement:
            case Declaration():
                self._declare(statement, report)
            case Define(rule=rule):
                if rule.name in self.defined:
                    hint = f"remove it first: ~ rule {rule.name}" if rule.strict else ""
                    report(Fault(f"rule '{rule.name}' is defined twice", rule.span, hint=hint))
                self.defined[rule.name] = rule
                for fault in self.rule_faults(rule):
                    report(fault)
            case Command(action=Enable(rule=name) | Disable(rule=name)) if name != ALL_RULES:
                if name is None or name not in self.defined:
                    report(
                        Fault(f"there is no rule '{name}' yet", statement.span, hint=nearest(str(name), self.defined))
                    )
            case Raise(type=name, arguments=arguments, time=time):
                if time is not None and (not time.exact or validate(time) is not None):
                    report(Fault("an event happens at one time", statement.span, "an exact time point"))
                self._make(name, arguments, Scope({}, self.declarations, strict=True), statement, report)
            case Remove(name=name, rule=is_rule):
                known = self.defined.keys() if is_rule else self.declarations.keys()
                if name not in known:
                    what = "rule" if is_rule else "event"
                    report(Fault(f"there is no {what} '{name}' to remove", statement.span, hint=nearest(name, known)))
                elif is_rule:
                    del self.defined[name]
                elif not any(mentions(rule, name) for rule in self.defined.values()):
                    del self.declarations[name]

    def _declare(self, statement: Declaration, report: Report) -> None:
        name = statement.name
        if name in self.declarations:
            report(Fault(f"event '{name}' is declared twice", statement.span))
        for attribute, times in Counter(key for key, _ in statement.attributes).items():
            if times > 1:
                report(Fault(f"event '{name}' has two attributes '{attribute}'", statement.span))
        for attribute, kind in statement.attributes:
            if kind not in OF_DECLARED:
                report(
                    Fault(f"'{attribute}' is of an unknown type '{kind}'", statement.span, choices(list(OF_DECLARED)))
                )
        self.declarations[name] = statement

    # -- a rule ------------------------------------------------------------------------------------------------

    def rule_faults(self, rule: Rule) -> list[Fault]:
        """Everything wrong with one rule."""
        faults: list[Fault] = []
        report = faults.append
        if rule.language not in LANGUAGE_CONTEXTS:
            return [Fault(f"rule '{rule.name}' is in an unknown language '{rule.language}'", rule.span)]
        if (fault := _too_large(rule)) is not None:
            return [fault]
        order = rule.order
        if order is not None and (order.policy, *_given(order)) not in _ORDERS:
            report(Fault(f"rule '{rule.name}' asks for an order that there is not: '{order.policy}'", rule.span))
        if rule.strict:
            self._check_names(rule.pattern, report)
        pattern_faults(rule, report)
        counts = Counter(p.type for p in walk(rule.pattern) if isinstance(p, Primitive))
        ambiguous = frozenset(name for name, count in counts.items() if count > 1)
        self._check_guards(rule, rule.pattern, {}, ambiguous, report)
        self._check_filters(rule, report)
        scope = self._scope(rule, visible(rule.pattern), ambiguous)
        if rule.condition is not None:
            faults += guard_faults(rule.condition, scope)
        for guard in (*(chosen for _, chosen in rule.select), *(rule.suppress.by if rule.suppress is not None else ())):
            faults += value_faults(guard, scope)
        self._check_text(rule, scope, report)
        for action in rule.actions:
            self._check_action(action, scope, report)
        return faults

    def _scope(
        self,
        rule: Rule,
        variables: dict[str, Pattern],
        ambiguous: frozenset[str],
        absent: Pattern | None = None,
    ) -> Scope:
        """What a guard of a rule may name; `absent`: what it is part of, where that must not be between two others."""
        together = visible(rule.pattern) if absent is None else bound(absent)
        about_absent = _ABOUT_ABSENT.get(rule.language, "")
        elsewhere = {name: _OUTSIDE if name in together else about_absent for name in bound(rule.pattern)}
        seen_often = frozenset(repeated(rule.pattern))
        measured = {name for part in walk(rule.pattern) if isinstance(part, Aggregate) for name in bound(part.pattern)}
        is_gem = rule.language == "gem"
        return Scope(
            *(variables, self.declarations, seen_often, ambiguous, rule.strict, elsewhere, is_gem),
            frozenset(measured),
        )

    def _check_names(self, pattern: Pattern, report: Report) -> None:
        for part in walk(pattern):
            if isinstance(part, Primitive) and part.type not in self.declarations and part.type not in self.all_rules:
                known = [*self.declarations, *self.all_rules]
                hint = nearest(part.type, known) or f"declare it first: event {part.type}"
                report(Fault(f"event '{part.type}' is not declared", part.span, hint=hint))

    def _check_guards(
        self,
        rule: Rule,
        pattern: Pattern,
        outer: dict[str, Pattern],
        ambiguous: frozenset[str],
        report: Report,
        absent: Pattern | None = None,
    ) -> None:
        """A guard may name what it is written on; inside a free negation also what is bound outside (004)."""
        inner = dict(outer)
        guard: Guard | None = None
        match pattern:
            case Where(pattern=what, guard=guard):
                inner = {**outer, **visible(what)}
            case Aggregate(pattern=what, guard=guard):
                inner = dict(visible(what))
            case Absence(guard=guard):
                inner = {**outer, **bound(pattern)}
        if guard is not None:
            scope = self._scope(rule, inner, ambiguous, absent)
            # A guard inside a repetition speaks of one occurrence at a time.
            scope.repeated = frozenset(repeated(pattern))
            if isinstance(pattern, Aggregate):
                scope.repeated, scope.measured = frozenset(inner), frozenset()
            for fault in guard_faults(guard, scope):
                report(fault)
        around = {**outer, **visible(rule.pattern)} if isinstance(pattern, Never) else outer
        for child in children(pattern):
            is_absent = isinstance(pattern, Absence) and child is pattern.without
            self._check_guards(rule, child, around, ambiguous, report, child if is_absent else absent)

    def _check_filters(self, rule: Rule, report: Report) -> None:
        """A filter may name its own event and every event of the expression that has a name (001)."""
        names = visible(rule.pattern)
        for part in walk(rule.pattern):
            sets = [each for each in (getattr(part, "accepts", None), getattr(part, "domain", None)) if each]
            for member in [one for each in sets for one in members(each)]:
                if member.guard is not None:
                    scope = self._scope(rule, {**names, THIS: Primitive(member.type)}, frozenset())
                    for fault in guard_faults(member.guard, scope):
                        report(fault)

    def _check_text(self, rule: Rule, scope: Scope, report: Report) -> None:
        if rule.notify is None:
            return
        try:
            pieces = pieces_of(rule)
        except RuleError as error:
            for fault in error.faults:
                report(Fault(fault.message, rule.span, fault.expected))
            return
        selected = {name for name, _ in rule.select}
        for piece in pieces:
            if isinstance(piece, Guard) and not (isinstance(piece, Reference) and piece.variable in selected):
                is_placed = piece.span is not None and piece.span.source is not None
                for fault in value_faults(piece, scope):
                    place = piece.span if is_placed else rule.span
                    report(Fault(f"in the notification: {fault.message}", place, fault.expected, fault.hint))

    # -- actions ------------------------------------------------------------------------------------------------

    def _check_action(self, action: object, scope: Scope, report: Report) -> None:
        match action:
            case Notify(type=name, arguments=arguments) | Trigger(type=name, arguments=arguments):
                self._make(name, arguments, scope, action, report)
            case Forward(variable=name) if name not in scope.variables:
                fault = (
                    "occurs more than once, so it names no event" if name in scope.ambiguous else "names no event here"
                )
                report(Fault(f"'{name}' {fault}", action.span, hint=nearest(name, scope.variables)))
            case Enable(rule=name) | Disable(rule=name) if name is not None and name not in self.all_rules:
                report(Fault(f"there is no rule '{name}'", action.span, hint=nearest(name, self.all_rules)))

    def _make(
        self,
        name: str,
        arguments: tuple[Guard, ...],
        scope: Scope,
        statement: Notify | Trigger | Raise,
        report: Report,
    ) -> None:
        """003 section 3.2.3 a: position, type and number of the values must match the declaration exactly."""
        declared = self.declarations.get(name)
        kinds = [type_of(argument, scope, report) for argument in arguments]
        if declared is None:
            report(Fault(f"event '{name}' is not declared", statement.span, hint=nearest(name, self.declarations)))
            return
        if len(arguments) != len(declared.attributes):
            wanted = ", ".join(f"{kind} {attribute}" for attribute, kind in declared.attributes)
            count = len(declared.attributes)
            message = f"event '{name}' has {count} attribute{'s' * (count != 1)}, and {len(arguments)} are given"
            report(Fault(message, statement.span, f"{name}({wanted})" if wanted else name))
            return
        for argument, kind, (attribute, type_name) in zip(arguments, kinds, declared.attributes, strict=True):
            exact = self._exact_type(argument, scope)
            if exact is None:
                fits = kind in (None, NULL, OF_DECLARED.get(type_name))
            else:
                fits = exact == type_name or (exact, type_name) in _STANDS_FOR
            if not fits:
                message = f"'{attribute}' of event '{name}' is {a(type_name)}, and this is {a(exact or str(kind))}"
                report(Fault(message, argument.span))

    def _exact_type(self, argument: Guard, scope: Scope) -> str | None:
        """The declared type of an attribute, or that of a literal, where it is narrower than what guards tell apart."""
        match argument:
            case Attribute(variable=variable, name=attribute):
                pattern = scope.variables.get(variable)
                declared = self.declarations.get(pattern.type) if isinstance(pattern, Primitive) else None
                return None if declared is None else dict(declared.attributes).get(attribute)
            case Literal(value=float()):
                return "double"
            case Literal(value=str(text)) if len(text) != 1:
                return "string"
        return None


_ORDERS = (
    ("best-effort",),
    ("guaranteed",),
    ("guaranteed", "idle"),
    ("delay", "delay"),
    ("probabilistic", "probability"),
)
"""The orders, each with its parameter."""


def _given(order: Order) -> tuple[str, ...]:
    return tuple(name for name in ("delay", "probability", "idle") if getattr(order, name) is not None)


_STANDS_FOR = {("long", "double")}
"""(this, that): a value of this type may be given where that one is declared."""


# -- shapes ------------------------------------------------------------------------------------------------------


def pattern_faults(rule: Rule, report: Report) -> None:
    """What no declaration is needed for: counts, periods, names used twice, fluid ends, contexts."""
    empty = [part for part in walk(rule.pattern) if getattr(part, "parts", None) == ()]
    if empty:
        report(Fault("there is nothing to combine here", empty[0].span, "at least one pattern"))
        return
    names = Counter(part.name for part in walk(rule.pattern) if isinstance(part, Named))
    for part in walk(rule.pattern):
        for message, expected in _shape_faults(part):
            report(Fault(message, part.span, expected))
        if isinstance(part, Named) and names[part.name] > 1:
            report(Fault(f"the variable '{part.name}' is used twice", part.span, "another name"))
        if isinstance(part, Automaton) and part is not rule.pattern:
            report(Fault("an automaton inside another pattern must be a rule of its own, used by name", part.span))
    if isinstance(rule.pattern, Automaton):
        for fault in (*automaton_faults(rule.pattern.pattern), *_run_faults(rule.pattern)):
            report(fault)
    context = rule.context or LANGUAGE_CONTEXTS[rule.language]
    if context not in SEARCHED:
        for part in walk(rule.pattern):
            if not isinstance(part, NODES) and not isinstance(rule.pattern, Automaton):
                name = type(part).__name__.lower()
                report(
                    Fault(f"the context '{context}' uses up at every node, and '{name}' has no such node", part.span)
                )
    for part in walk(rule.pattern) if rule.partition else ():
        if isinstance(part, At | AtInstant | Every | Between):
            hint = "make a rule of its own of what has no time points, and use that by its name"
            report(Fault("a time point is in no partition, whose events have a value each", part.span, hint=hint))
    if rule.window is not None and not rule.window.is_positive:
        report(Fault("a detection window must be longer than nothing", rule.span))
    for fault in end_faults(rule.pattern):
        report(fault)


def _run_faults(automaton: Automaton) -> Iterator[Fault]:
    """What is wrong with how an automaton goes on after a match."""
    run, names = automaton.run, bound(automaton.pattern)
    if run.skips and isinstance(automaton.pattern, Parallel):
        yield Fault(f"the run '{run}' is for one automaton, and '||' makes two detectors", automaton.span)
    if run.has_step and automaton.step not in names:
        hint = nearest(automaton.step, names) or "a step has a name in brackets, as [x:A]"
        yield Fault(f"no step is called '{automaton.step}'", automaton.span, f"run: {run} x", hint=hint)


def _too_large(rule: Rule) -> Fault | None:
    """The fault of a rule that would take long to plan, and to check."""
    is_automaton = isinstance(rule.pattern, Automaton)
    is_searched = (rule.context or LANGUAGE_CONTEXTS[rule.language]) in SEARCHED and not is_automaton
    most, size = MOST_SEARCHED if is_searched else MOST_PASSED_ON, size_of(rule.pattern)
    if size <= most:
        return None
    what = f"an automaton of {size} states" if is_automaton else f"{size} events have to come together"
    return Fault(f"too much to plan: {what}", rule.pattern.span or rule.span, f"at most {most}", hint=_DIVIDE)


_DIVIDE: Final = "make parts of it rules of their own, and name those here; alternatives of one event may be any number"


def _shape_faults(part: Pattern) -> Iterator[tuple[str, str]]:
    match part:
        case At(point=point) if (wrong := validate(point)) is not None:
            yield wrong, ""
        case Every(period=period) if not period.is_positive:
            yield "a period must be longer than nothing", ""
        case After(period=period) if period.length() < 0:
            yield "nothing occurs before what it waits for", "a period of zero or more"
        case Within(period=period) if not period.is_positive:
            yield "a window must be longer than nothing", ""
        case Between(start=start, stop=stop) if stop < start:
            yield "this window ends before it begins", ""
        case Times(count=count) if count < 1:
            yield "a repetition needs at least one event", "a whole number from 1"
        case Times(pattern=inner) if not isinstance(inner.pattern if isinstance(inner, Named) else inner, Primitive):
            yield "TimesEq and TimesDf count primitive events", "an event type"
        case Partitioned():
            yield "'partition by' is for a whole rule, not for a part of one", "by, which compares the events of a part"
        case By():
            yield f"'by' cannot compare {why_unkeyed(part)}", "guards that say what is equal"
        case Streak(count=count) if count < 1:
            yield "a repetition needs at least one event", "a whole number from 1"
        case Streak(period=Period() as period) if not period.is_positive:
            yield "a window must be longer than nothing", ""
        case Streak(pattern=inner) if not _is_single(inner):
            yield "only single events are counted like this", "an event type"
        case Aggregate():
            yield from _aggregate_faults(part)
        case Repeat(pattern=inner, same=same) if same and not _is_single(inner):
            yield "only single events are counted like this", "an event type"
        case Repeat(least=least, most=most) if not 1 <= least <= most:
            yield "a repetition needs at least one event, and no fewer at most than at least", "n or [n, m] from 1"
        case Times(count=count) | Streak(count=count) | Repeat(least=count) if count > MOST_COUNTED:
            yield f"too much to plan: a repetition of {count} events", f"at most {MOST_COUNTED}"


def _aggregate_faults(part: Aggregate) -> Iterator[tuple[str, str]]:
    inner = part.pattern
    if not _is_single(inner) or any(isinstance(each, At | AtInstant | Every) for each in walk(inner)):
        yield "an aggregate goes over single events", "an event type"
    for period in (part.period, *([] if part.gap is None else [part.gap])):
        if period.years or period.months or period.microseconds <= 0:
            yield "the window of an aggregate is of a fixed length, longer than nothing", "as 5 minutes, 2 weeks"
    if part.gap is not None and part.aligned:
        yield "a window begins anew after a gap, or at fixed times: not both", "'per ...', or 'with no gap of ...'"
    if part.gap is not None and refers_back(part.guard):
        yield "a window that begins anew after a gap has no other before it: nothing is 'previous'", ""
    if not is_asked(part.guard):
        yield "the condition of an aggregate compares aggregates with constants and with each other", ""
    guards = [guard for each in walk(inner) if isinstance(each, Where) for guard in guard_parts(each.guard)]
    if any(isinstance(guard, Now) for guard in guards):
        yield "what an aggregate counts does not depend on the clock", ""


def _is_single(pattern: Pattern) -> bool:
    """One event, whatever its names and guards."""
    while isinstance(pattern, Named | Where):
        pattern = pattern.pattern
    return isinstance(pattern, Primitive | AnyEvent | At | AtInstant | Every)
