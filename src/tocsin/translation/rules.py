"""Rules in another language: the pattern by law, and every setting kept or refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from tocsin.algebra.checks import program_faults
from tocsin.algebra.guards import Guard
from tocsin.algebra.links import mentions
from tocsin.algebra.patterns import Automaton
from tocsin.algebra.rules import (
    LANGUAGE_CONTEXTS,
    Command,
    Context,
    Declaration,
    Define,
    Enable,
    Notify,
    Program,
    Rule,
    Statement,
)
from tocsin.algebra.scripts import enabled_by
from tocsin.errors import Fault, RuleError, placed
from tocsin.languages.guards import render_guard
from tocsin.translation.facts import POINT, Facts, absences_of_the_used, facts_of
from tocsin.translation.rewrites import CORE, TITLES, Said, conjunction, nearest, said


@dataclass(frozen=True)
class Asked:
    """What is to be translated, and on what grounds."""

    program: Program
    model: str = POINT
    suffix: str = ""
    """How the file that will hold it ends; nothing where the target is to choose."""
    nearest: bool = False
    partly: bool = False
    """Leave out the rules that are refused, and say why, instead of refusing all."""
    """Where a law is missing, write the nearest form and say what differs, instead of refusing."""


@dataclass(frozen=True)
class Translated:
    """The rules in the target's language, and what a reader must know: nothing, where it is exact."""

    rules: tuple[Rule, ...]
    enabled: frozenset[str]
    remarks: tuple[str, ...] = ()
    refused: tuple[Fault, ...] = ()
    """Why rules are left out, where that was asked for."""

    @property
    def program(self) -> Program:
        """The rules as a program."""
        statements: list[Statement] = []
        for rule in self.rules:
            statements.append(Define(rule))
            statements += [Command(Enable(rule.name))] if rule.name in self.enabled else []
        return Program(tuple(statements))


def translated(asked: Asked, target: str) -> Translated:
    """Every rule in the target, or every refusal."""
    work = _Work(asked, target)
    rules: list[Rule] = []
    for statement in asked.program.statements:
        try:
            if isinstance(statement, Define):
                rules.append(work.rule(statement.rule))
            elif not isinstance(statement, Command | Declaration):
                what = f"a statement of a GEM script ({type(statement).__name__.lower()})"
                raise RuleError(Fault(f"{TITLES[target]} has no way to write {what}", statement.span))
        except RuleError as error:
            work.faults += error.faults
    work.faults += work.declaration_faults()
    refused = tuple(dict.fromkeys(map(placed, work.faults)))
    if asked.partly:
        rules, more = _without_users(rules, asked.program)
        refused += more
    if refused and not (asked.partly and rules):
        raise RuleError(refused)
    made = Translated(tuple(rules), frozenset(enabled_by(asked.program)), tuple(dict.fromkeys(work.remarks)), refused)
    faults = program_faults(made.program)
    if faults:
        reasons = [replace(fault, message=f"in {TITLES[target]}: {fault.message}") for fault in faults]
        raise RuleError(reasons)
    return made


def _without_users(rules: list[Rule], program: Program) -> tuple[list[Rule], tuple[Fault, ...]]:
    """The rules without those that use one that was refused, and what is to be said about these."""
    faults: list[Fault] = []
    while True:
        missing = {rule.name for rule in program.rules} - {rule.name for rule in rules}
        users = [(rule, name) for rule in rules for name in sorted(missing) if mentions(rule, name)]
        if not users:
            return rules, tuple(map(placed, faults))
        rules = [rule for rule in rules if rule not in {user for user, _ in users}]
        faults += [Fault(f"rule '{user.name}' uses '{name}', which is left out", user.span) for user, name in users]


def _left_out(rule: Rule) -> Iterator[str]:
    """What is said about a rule that a file has no words for, and that changes nothing of what is detected."""
    names = [name for name in ("severity", "tags", "description", "references") if getattr(rule, name)]
    if names:
        yield f"rule '{rule.name}': {', '.join(names)} left out"


@dataclass
class _Work:
    """The rules of one program on their way."""

    asked: Asked
    target: str
    faults: list[Fault] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    def rule(self, rule: Rule) -> Rule:
        """One rule in the target."""
        facts = facts_of(rule, self.asked.program, self.asked.model)
        rule = self._with_data(rule)
        settings = list(self._foreign(rule))
        if settings:
            raise RuleError(settings)
        self._mind_used_up(rule, facts)
        found = self._said(rule, facts)
        condition = rule.condition
        if found.guards:
            guards = (*found.guards, *([] if condition is None else [condition]))
            condition = conjunction(guards)
        default = LANGUAGE_CONTEXTS[self.target]
        context = None if self.target == CORE or facts.context is default else facts.context
        if isinstance(rule.pattern, Automaton) and self.target != CORE:
            context = None if default is LANGUAGE_CONTEXTS[CORE] else LANGUAGE_CONTEXTS[CORE]
        return replace(
            rule, pattern=found.pattern, language=self.target, condition=condition, context=context, strict=False
        )

    def _mind_used_up(self, rule: Rule, facts: Facts) -> None:
        """Only GEM's `!` forgets what the rule has used up: no other language can say that, nor GEM what they say."""
        if facts.context is not Context.GENERIC or rule.forgets_used == (self.target == "gem"):
            return
        absence = next(absences_of_the_used(rule.pattern), None)
        if absence is None:
            return
        sees, forgets = ("what must be absent counts though", "what must be absent no longer counts once")
        here, there = (forgets, sees) if rule.forgets_used else (sees, forgets)
        if self.asked.nearest:
            self.remarks.append(f"rule '{rule.name}' is not the same: {there} the rule has used it up")
            return
        what = f"that {here} the rule has used it up ('context: generic')"
        hint = f"nearest: the same words, but {there} the rule has used it up (--nearest)"
        raise RuleError(
            Fault(f"{TITLES[self.target]} has no way to write {what}", absence.span or rule.span, hint=hint)
        )

    def _said(self, rule: Rule, facts: Facts) -> Said:
        try:
            return said(rule.pattern, self.target, facts)
        except RuleError:
            near = nearest(rule.pattern, self.target, facts) if self.asked.nearest else None
            if near is None:
                raise
            self.remarks += [f"rule '{rule.name}' is not the same: {each}" for each in near.differences]
            return near

    def _foreign(self, rule: Rule) -> Iterator[Fault]:
        """What a rule of a YAML file, an EPS document or a Python program cannot have."""
        title = TITLES[self.target]
        place = rule.span
        if rule.hidden and (self.target == "python" or self.asked.suffix in (".eps", ".gem")):
            yield Fault(f"{title} has no way to write a definition that is not reported: '{rule.name}'", place)
        if rule.callback is not None and self.target != "eps":
            yield Fault(f"{title} has no way to write a callback: rule '{rule.name}'", place)
        if self.asked.suffix in (".eps", ".gem"):
            if rule.partition:
                yield Fault(f"{title} has no way to write a partition: rule '{rule.name}'", place)
            if rule.suppress is not None:
                what = f"what rule '{rule.name}' tells only once ('suppress')"
                yield Fault(f"{title} has no way to write {what}", rule.suppress.span or place)
            self.remarks += _left_out(rule)
        for action in rule.actions:
            what = f"the action '{type(action).__name__.lower()}' of a GEM script"
            yield Fault(f"{title} has no way to write {what}", action.span or place, hint=self._instead(rule))

    # -- what a GEM script has besides -----------------------------------------------------------------------------

    def _with_data(self, rule: Rule) -> Rule:
        """A rule that only notifies an event of its own name: its data are what `select` says.

        One detail is another: the source of what a GEM rule notifies is `self`.
        """
        match rule.actions:
            case (Notify(type=name) as action,) if self._columns(action) is not None:
                if name == rule.name or self.asked.nearest:
                    if name != rule.name:
                        self.remarks.append(
                            f"rule '{rule.name}' is not the same: detections have its type, not '{name}'"
                        )
                    self.remarks.append(f"rule '{rule.name}': detections no longer have the source 'self'")
                    return replace(rule, actions=(), select=self._columns(action) or ())
        return rule

    def _columns(self, action: Notify) -> tuple[tuple[str, Guard], ...] | None:
        declared = self.asked.program.declarations.get(action.type)
        if declared is None or not declared.attributes or len(declared.attributes) != len(action.arguments):
            return None
        return tuple((name, value) for (name, _), value in zip(declared.attributes, action.arguments, strict=True))

    def _instead(self, rule: Rule) -> str:
        """What comes near a rule's actions."""
        if len(rule.actions) == 1 and isinstance(rule.actions[0], Notify):
            columns = self._columns(rule.actions[0])
            if columns is not None:
                data = ", ".join(f"{name}: {render_guard(value)}" for name, value in columns)
                return f"nearest: select: {{{data}}} - but detections have the rule's name as their type (--nearest)"
            return (
                "nearest: no action - but detections have the rule's name as their type and its variables as their data"
            )
        return "a rule outside GEM scripts only reports: there is nothing near it"

    def declaration_faults(self) -> Iterator[Fault]:
        """Declarations are lost. Where they change what an event carries, that is refused; else it is said."""
        declared = self.asked.program.declarations
        for name, declaration in declared.items():
            timed = [attribute for attribute, kind in declaration.attributes if kind in ("time", "itime")]
            if timed and not self.asked.nearest:
                what = f"that '{timed[0]}' of '{name}' is a time"
                yield Fault(f"{TITLES[self.target]} has no way to write {what}", declaration.span)
        if declared:
            self.remarks.append("declarations are left out: events are no longer held against them")
