"""What a script comes to when its statements have been gone through: told without running it."""

from __future__ import annotations

from tocsin.algebra.links import mentions
from tocsin.algebra.rules import ALL_RULES, Command, Declaration, Define, Disable, Enable, Program, Remove, Rule, Stop


def enabled_by(program: Program) -> list[str]:
    """The rules that run when a program's statements have been gone through."""
    defined: dict[str, None] = {}
    enabled: dict[str, None] = {}
    for statement in program.statements:
        match statement:
            case Define(rule=rule):
                defined[rule.name] = None
            case Command(action=Enable(rule=name)):
                enabled.update(dict.fromkeys(defined if name == ALL_RULES else [name] if name in defined else []))
            case Command(action=Disable(rule=name)):
                enabled = {} if name == ALL_RULES else {each: None for each in enabled if each != name}
            case Remove(name=name, rule=True):
                defined.pop(name, None)
                enabled.pop(name, None)
            case Stop():
                return []
    return list(enabled)


def declared_by(program: Program) -> dict[str, Declaration]:
    """The classes that are declared when a program's statements have been gone through."""
    rules: dict[str, Rule] = {}
    found: dict[str, Declaration] = {}
    for statement in program.statements:
        match statement:
            case Define(rule=rule):
                rules[rule.name] = rule
            case Declaration(name=name):
                found[name] = statement
            case Remove(name=name, rule=True):
                rules.pop(name, None)
            case Remove(name=name) if not any(mentions(rule, name) for rule in rules.values()):
                found.pop(name, None)
    return found
