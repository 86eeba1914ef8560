"""Guards as conditions of other engines: what both SQL and EPL can say, each in its own words.

A missing attribute is a null there. A comparison with null is not true in any of them, and `!g` is written as "g is
not true": so a guard holds there exactly where it holds here.
"""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar

from tocsin.algebra.guards import (
    Attribute,
    Binary,
    Call,
    End,
    Guard,
    Literal,
    Negative,
    Not,
    SourceOf,
)
from tocsin.foreign.chains import Chain, Kind, refusal

_LEVELS = {"||": 1, "&&": 2, "==": 4, "!=": 4, "<": 4, "<=": 4, ">": 4, ">=": 4, "+": 5, "-": 5, "*": 6}
_ATOM = 8
GAP = "gap"
"""What stands between two steps is called so; no step is."""
_MOST = 2**63
"""Whole numbers lie below it, as long as there are no longer ones in either engine."""


def labels_of(chain: Chain) -> list[str]:
    """A name for each step that no engine has a use for itself: the variable or the type, and its place."""
    made = []
    for number, step in enumerate(chain.steps, 1):
        name = step.variable if step.variable and not step.variable.startswith("\0") else step.takes[0].type or ""
        is_plain = re.fullmatch("[A-Za-z][A-Za-z0-9_]*", name) is not None and name.lower() != GAP
        made.append(f"{name.lower() if is_plain else 'e'}{number}")
    return made


class Conditions(ABC):
    """Writes the guards of one chain. `own` is how the event that is tested is spoken of."""

    ENGINE: str
    WORDS: ClassVar[Mapping[str, str]]
    """How `&&`, `||`, `==` and `!=` are written."""

    def __init__(self, chain: Chain, labels: list[str]) -> None:
        self.labels = {step.variable: label for step, label in zip(chain.steps, labels, strict=True) if step.variable}

    def all_of(self, tests: tuple[Guard, ...], kind: Kind, own: str) -> list[str]:
        """Each test as a condition that can stand beside others."""
        return [self.write(test, {**self.labels, kind.own: own}, 2) for test in tests]

    def value(self, guard: Guard) -> str:
        """An expression over the events of the whole chain."""
        return self.write(guard, dict(self.labels), 0)

    @property
    @abstractmethod
    def taken(self) -> tuple[str, ...]:
        """The names that mean something else than an attribute."""

    @abstractmethod
    def column(self, owner: str, name: str, where: Guard) -> str:
        """A column of an event."""

    @abstractmethod
    def source(self, owner: str) -> str:
        """The source of an event."""

    @abstractmethod
    def text(self, value: str) -> str:
        """A text as written in a query."""

    @abstractmethod
    def negated(self, condition: str) -> str:
        """A condition that holds where another does not, or is unknown."""

    @abstractmethod
    def call(self, name: str, arguments: list[str]) -> str | None:
        """A function, if there is one that means the same."""

    def write(self, guard: Guard, owners: Mapping[str, str], least: int) -> str:
        """`guard` as an operand that must bind at least as tightly as `least`."""
        match guard:
            case Literal():
                return self._literal(guard)
            case Attribute(variable=variable, name=name):
                if name in self.taken:
                    what = f"the attribute '{name}', which every event has as its own, in {self.ENGINE}"
                    raise refusal(what, guard, "say what the events' own columns are called")
                return self.column(self._owner(variable, owners, guard), name, guard)
            case SourceOf(variable=variable):
                return self.source(self._owner(variable, owners, guard))
            case Not(operand=inner):
                return self.negated(self.write(inner, owners, 0))
            case Negative(operand=inner):
                return f"(0 - {self.write(inner, owners, 6)})"  # EPL has no sign before a name
            case Binary(operator=operator, left=left, right=right) if operator in _LEVELS:
                level = _LEVELS[operator]
                one = self.write(left, owners, level + (level == 4))
                written = f"{one} {self.WORDS.get(operator, operator)} {self.write(right, owners, level + 1)}"
                return written if level >= least else f"({written})"
            case Call(function="in", arguments=(value, *members)):
                listed = ", ".join(self.write(member, owners, 0) for member in members)
                written = f"{self.write(value, owners, 5)} IN ({listed})"
                return written if least <= 4 else f"({written})"
            case Call(function=name, arguments=arguments):
                called = self.call(name, [self.write(each, owners, _ATOM) for each in arguments])
                if called is not None:
                    return called
                raise refusal(f"the function '{name}' in {self.ENGINE}", guard, "see the list of functions")
        raise refusal(f"{_name(guard)} in {self.ENGINE}", guard, _hint(guard))

    def _owner(self, variable: str, owners: Mapping[str, str], guard: Guard) -> str:
        found = owners.get(variable)
        if found is None:
            raise refusal(f"'{variable}', which stands for no single event here,", guard, "name events of the sequence")
        return found

    def _literal(self, literal: Literal) -> str:
        value = literal.value
        if isinstance(value, bool):
            return "TRUE" if value else "FALSE"
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, int) and abs(value) < _MOST:
            return str(value)
        if isinstance(value, float) and math.isfinite(value):
            return self.number(value)
        hint = "a column that is null is a missing attribute there: they cannot be told apart" if value is None else ""
        raise refusal(f"{'null' if value is None else 'this value'} in {self.ENGINE}", literal, hint)

    def number(self, value: float) -> str:
        """A number with a fraction, always as a double."""
        return f"{value!r}" if "e" in repr(value) else f"{value!r}e0"


def _name(guard: Guard) -> str:
    match guard:
        case Binary(operator=operator):
            return f"'{operator}'"
        case End():
            return "the time of an event in a guard"
    return f"'{type(guard).__name__.lower()}' in a guard"


def _hint(guard: Guard) -> str:
    match guard:
        case Binary(operator="/" | "//" | "%"):
            return "division by zero is an error there and nothing here: multiply instead"
        case End():
            return "say it with a window: 'in 5 sec'"
    return "see the list of what guards can say there"
