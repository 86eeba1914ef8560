"""What a monitor says about a command that it has done, for the person who typed it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tocsin.algebra.rules import (
    ALL_RULES,
    BEST_EFFORT,
    Command,
    Declaration,
    Define,
    Disable,
    Enable,
    Order,
    Remove,
    Statement,
    Stop,
)

MOST_REMARKS = 6
"""Of a longer script only the numbers are told."""


def done(statements: Sequence[Statement], warned: Sequence[str]) -> list[str]:
    """One line a statement; of many, how many of each kind."""
    said = [text for statement in statements if (text := _done(statement, warned))]
    return said if len(said) <= MOST_REMARKS else [_counted(statements)]


def _done(statement: Statement, warned: Iterable[str]) -> str:
    match statement:
        case Declaration(name=name):
            return f"event {name} is declared"
        case Define(rule=rule):
            return f"rule {rule.name} is defined"
        case Command(action=Enable(rule=name)):
            return "all rules are enabled" if name == ALL_RULES else f"rule {name} is enabled"
        case Command(action=Disable(rule=name)):
            return "all rules are disabled" if name == ALL_RULES else f"rule {name} is disabled"
        case Remove(name=name, rule=True):
            return f"rule {name} is removed"
        case Remove(name=name) if not any(text.startswith(f"event '{name}' is not removed") for text in warned):
            return f"event {name} is removed"
        case Stop():
            return "the monitor has stopped; what it held is discarded"
    return ""


def _counted(statements: Sequence[Statement]) -> str:
    kinds = {"event": Declaration, "rule": Define, "command": Command | Remove | Stop}
    found = {name: sum(isinstance(each, kind) for each in statements) for name, kind in kinds.items()}
    return ", ".join(f"{count} {name}{'s' * (count != 1)}" for name, count in found.items() if count) + " taken in"


def ways(order: Order) -> str:
    """How the clock of the rules can be started where there is no other."""
    if order == BEST_EFFORT:
        return "with an event, with a report that says its time, or with 'advance to [...]'"
    return "with the first event that is evaluated"
