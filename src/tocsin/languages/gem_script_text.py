"""GEM scripts as text: one statement a line, rules over several (newlines inside braces mean nothing)."""

from __future__ import annotations

from collections.abc import Iterable

from tocsin.algebra.rules import (
    ALL_RULES,
    BEST_EFFORT,
    LANGUAGE_CONTEXTS,
    Action,
    Command,
    Context,
    Declaration,
    Define,
    Disable,
    Enable,
    Forward,
    Load,
    Notify,
    Raise,
    Remove,
    Rule,
    Statement,
    Stop,
    Trigger,
)
from tocsin.errors import Fault, RuleError
from tocsin.languages.gem_expressions import GemWriter
from tocsin.languages.gem_scripts import KEYWORDS
from tocsin.languages.guard_text import render_bracketed_period, render_gem_arguments
from tocsin.languages.lexer import quote
from tocsin.languages.writer import render_name
from tocsin.time.calendar import render_time_point


def render_script(statements: Iterable[Statement]) -> str:
    """Statements as a script; parsing it gives them again."""
    return "".join(f"{_statement(statement)}\n" for statement in statements)


def _statement(statement: Statement) -> str:
    match statement:
        case Declaration(name=name, attributes=attributes):
            written = ", ".join(f"{kind} {render_name(attribute, frozenset())}" for attribute, kind in attributes)
            return f"event {_name(name)}({written})" if written else f"event {_name(name)}"
        case Define(rule=rule):
            return _rule(rule)
        case Raise():
            return _report(statement)
        case Remove(name=name, rule=rule):
            return f"~ rule {_rule_name(name)}" if rule else f"~ {_name(name)}"
        case Load(path=path):
            return f"load {quote(path)}"
        case Stop():
            return "stop"
        case Command(action=action):
            return _command(action)


def _name(name: str) -> str:
    return render_name(name, KEYWORDS)


def _rule_name(name: str) -> str:
    if name == ALL_RULES:
        raise RuleError(Fault("'*' stands for all rules and names none"))
    return _name(name)


def _report(report: Raise) -> str:
    parts = [_name(report.type)]
    if report.source is not None:
        parts.append(quote(report.source))
    if report.time is not None:
        parts.append(f"[{render_time_point(report.time)}]")
    if report.arguments:
        parts.append(render_gem_arguments(report.arguments))
    return " ".join(parts)


def _command(action: Enable | Disable) -> str:
    word = "enable" if isinstance(action, Enable) else "disable"
    if action.rule is None:
        raise RuleError(Fault(f"at top level '{word}' must name a rule"))
    return f"{word} *" if action.rule == ALL_RULES else f"{word} {_rule_name(action.rule)}"


def _rule(rule: Rule) -> str:
    _refuse_foreign(rule)
    window = "" if rule.window is None else f" {render_bracketed_period(rule.window)}"
    actions = ";\n      ".join(_action(action) for action in rule.actions)
    expression = GemWriter(rule.pattern).text()
    return f"rule {_rule_name(rule.name)}{window} {{\n  {expression}\n  ==> {actions}\n}}"


def _refuse_foreign(rule: Rule) -> None:
    """Refuses what a rule of a GEM script cannot say."""
    context = rule.context or LANGUAGE_CONTEXTS.get(rule.language)
    foreign = {
        "a condition": rule.condition is not None,
        f"the context {context}": context is not Context.GENERIC,
        "an order of arrival": rule.order not in (None, BEST_EFFORT),
        "a notification text": rule.notify is not None,
        "a selection": bool(rule.select),
        "a callback": rule.callback is not None,
        "no action": not rule.actions,
    }
    for what, present in foreign.items():
        if present:
            raise RuleError(Fault(f"GEM has no way to write a rule with {what}: {quote(rule.name)}"))


def _action(action: Action) -> str:
    match action:
        case Notify(type=name, arguments=arguments):
            return f"notify {_name(name)}{render_gem_arguments(arguments)}"
        case Trigger(type=name, arguments=arguments):
            return f"{_name(name)}{render_gem_arguments(arguments)}"
        case Forward(variable=variable):
            return f"forward {_name(variable)}"
        case Enable(rule=rule):
            return "enable" if rule is None else f"enable {_rule_name(rule)}"
        case Disable(rule=rule):
            return "disable" if rule is None else f"disable {_rule_name(rule)}"
    raise RuleError(Fault(f"GEM has no action {type(action).__name__}"))
