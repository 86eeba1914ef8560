"""Programs made of rules, and of other programs: all of some rules, a part of a script, every rule changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set
from dataclasses import replace

from tocsin.algebra.links import mentioned
from tocsin.algebra.rule_warnings import feeds, uses
from tocsin.algebra.rules import ALL_RULES, Command, Define, Disable, Enable, Program, Rule, Statement, Trigger
from tocsin.errors import UsageError


def rules_program(rules: Iterable[Rule]) -> Program:
    """Rules made in Python as a program in which all of them are enabled."""
    found = tuple(rules)
    for rule in found:
        if not isinstance(rule, Rule):
            raise UsageError(f"expected rules, got {type(rule).__name__}: make one with tocsin.rule(name, pattern)")
    return Program(tuple(s for rule in found for s in (Define(rule), Command(Enable(rule.name)))))


def each_rule(program: Program, change: Callable[[Rule], Rule]) -> Program:
    """The program with each of its rules changed."""
    return Program(
        tuple(
            replace(statement, rule=change(statement.rule)) if isinstance(statement, Define) else statement
            for statement in program.statements
        )
    )


def only_rules(program: Program, names: Set[str]) -> Program:
    """The part of a program that these rules' detections depend on: the rules, and all that feed them."""
    running = _with_feeders(names, program.rules)
    return Program(tuple(each for each in program.statements if _runs(each, running)))


def without_rules(program: Program, names: Set[str]) -> Program:
    """The program without some rules, and without what is said about them alone."""
    left = frozenset(rule.name for rule in program.rules) - names
    return Program(tuple(each for each in program.statements if _runs(each, left)))


def together(program: Program) -> list[tuple[Rule, ...]]:
    """The rules that tell something, those together that must run in one place.

    Rules that do something when they fire (notify, trigger, enable, disable) stay with all that are linked with them:
    each does it once. Where rules only detect, each has its feeders with it, which tell nothing there.
    """
    by_name = {rule.name: rule for rule in program.rules}
    takers: dict[str, set[str]] = {}
    for rule in program.rules:
        for name in mentioned(rule):
            takers.setdefault(name, set()).add(rule.name)
        if uses(rule, ALL_RULES):  # it takes any event
            takers.setdefault(ALL_RULES, set()).add(rule.name)
    groups = {name: {name} for name in by_name}
    for one in program.rules:
        names = {one.name} | {action.type for action in one.actions if isinstance(action, Trigger)} | {ALL_RULES}
        linked = {taker for name in names for taker in takers.get(name, ())}
        linked |= {action.rule or "" for action in one.actions if isinstance(action, Enable | Disable)}
        for name in linked & by_name.keys():
            group = groups[one.name]
            if name not in group and feeds(one, by_name[name]):
                group |= groups[name]
                groups |= dict.fromkeys(groups[name], group)
    acting = {rule.name for rule in program.rules if rule.actions}
    found: dict[frozenset[str], list[Rule]] = {}
    for rule in program.rules:
        group = groups[rule.name]
        if not rule.hidden:
            found.setdefault(frozenset({rule.name} if group.isdisjoint(acting) else group), []).append(rule)
    return [tuple(rules) for rules in found.values()]


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
