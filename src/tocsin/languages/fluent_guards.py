"""Guards as Python: operators where Python has them, and `tc.guard("...")` for the rest."""

from __future__ import annotations

import keyword
import math
from collections.abc import Mapping
from typing import Final

from tocsin.algebra.functions import FUNCTIONS
from tocsin.algebra.guards import (
    Attribute,
    Binary,
    Call,
    End,
    Guard,
    Literal,
    Negative,
    Not,
    Occurred,
    Reference,
    SourceOf,
    Start,
)
from tocsin.languages.depth import refuse_deep
from tocsin.languages.fluent import Variable
from tocsin.languages.guard_text import render_guard

_METHODS: Final = {name: each.method for name, each in FUNCTIONS.items() if each.method}
_OPERATORS: Final = {"&&": "&", "||": "|"}
_PROPERTIES: Final[dict[type[Guard], str]] = {
    End: "end_",
    Start: "start_",
    SourceOf: "source_",
    Occurred: "occurred_",
    Reference: "itself_",
}
_OWN: Final = frozenset(dir(Variable))
"""What `a.name` is in Python already."""

LOWEST: Final = 0
_LEVELS: Final = {
    **dict.fromkeys(("==", "!=", "<", "<=", ">", ">="), 1),
    "||": 2,
    "&&": 3,
    "+": 4,
    "-": 4,
    **dict.fromkeys(("*", "/", "//", "%"), 5),
}
"""How tightly Python's operators bind: `|` and `&` more tightly than comparisons, which do not chain here."""
_UNARY: Final = 6
_ATOM: Final = 7


def guard_code(guard: Guard, names: Mapping[str, str]) -> str:
    """The Python that makes `guard` a term; `names` are the Python names of the event variables."""
    refuse_deep(guard)
    return _term(guard, names, LOWEST)


def quoted(text: str) -> str:
    """A text as Python writes it, in double quotes where that needs no more signs."""
    plain = repr(text)
    return plain if '"' in plain else f'"{plain[1:-1]}"'


def _value(guard: Guard, names: Mapping[str, str], least: int) -> str:
    """An operand whose other side is a term already: a plain value may stand as it is."""
    if isinstance(guard, Literal) and (not isinstance(guard.value, float) or math.isfinite(guard.value)):
        return quoted(guard.value) if isinstance(guard.value, str) else repr(guard.value)
    return _term(guard, names, least)


def _term(guard: Guard, names: Mapping[str, str], least: int) -> str:
    match guard:
        case Binary(operator=operator, left=left, right=right):
            level = _LEVELS[operator]
            sides = (_term(left, names, level + (level == 1)), _value(right, names, level + 1))
            text = f" {_OPERATORS.get(operator, operator)} ".join(sides)
        case Not(operand=inner):
            level, text = _UNARY, f"~{_term(inner, names, _UNARY)}"
        case Negative(operand=inner):
            level, text = _UNARY, f"-{_term(inner, names, _UNARY)}"
        case Call(function="abs", arguments=(inner,)):
            level, text = _ATOM, f"abs({_term(inner, names, LOWEST)})"
        case Call(function=function, arguments=(first, *others)) if function in _METHODS:
            values = ", ".join(_value(each, names, LOWEST) for each in others)
            level, text = _ATOM, f"{_term(first, names, _ATOM)}.{_METHODS[function]}({values})"
        case Attribute(variable=variable, name=name) if variable in names:
            level, text = _ATOM, f"{names[variable]}{_access(name)}"
        case End() | Start() | SourceOf() | Occurred() | Reference() if guard.variable in names:
            level, text = _ATOM, f"{names[guard.variable]}.{_PROPERTIES[type(guard)]}"
        case _:
            level, text = _ATOM, f"tc.guard({quoted(render_guard(guard))})"
    return text if level >= least else f"({text})"


def _access(name: str) -> str:
    plain = name.isidentifier() and not keyword.iskeyword(name) and not name.startswith("_") and name not in _OWN
    return f".{name}" if plain and name.isascii() else f"[{quoted(name)}]"
