"""Rules from one notation into another: exact, or refused with the construct that is lacking and the nearest form.

facts       what a law may rely on: time model, context, what lasts
laws        one pattern said as another, one law a function, each with when it holds
conditions  guards inside an expression as a condition around it
automata    where a core expression is a pattern of the other languages
losses      the nearest forms, each with what differs
speech      what a language can write, by asking its writer
rewrites    a pattern into a language, by the laws
rules       rules and their settings, kept or refused
targets     one file a target, found by itself: a module with NAME and `write`
"""

from __future__ import annotations

import pkgutil
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import Protocol, cast

from tocsin.algebra.checks import check
from tocsin.errors import UsageError, choices, nearest
from tocsin.rules.definitions import spelled
from tocsin.translation import targets as _targets
from tocsin.translation.rewrites import CORE
from tocsin.translation.rules import Asked
from tocsin.translation.text import Text

__all__ = ["Asked", "Target", "Text", "targets", "translate"]


class Target(Protocol):
    """What a module of a target offers."""

    NAME: str

    def write(self, asked: Asked) -> Text:
        """The program in the target's notation; a RuleError names what it lacks, at its place."""


def targets() -> tuple[str, ...]:
    """The names of all targets."""
    return tuple(sorted(module.NAME for module in _modules()))


def translate(asked: Asked, target: str) -> Text:
    """A checked program in another notation. What is defined before a core expression is a rule in the others."""
    check(asked.program)
    if target != CORE:
        asked = replace(asked, program=spelled(asked.program))
    for module in _modules():
        if target == module.NAME:
            return module.write(asked)
    known = targets()
    raise UsageError(f"cannot translate to '{target}': {nearest(target, known) or f'targets are {choices(known)}'}")


@cache
def _modules() -> tuple[Target, ...]:
    found: list[Target] = []
    for each in sorted(pkgutil.iter_modules(_targets.__path__), key=lambda each: each.name):
        module = import_module(f"{_targets.__name__}.{each.name}")
        if hasattr(module, "NAME") and hasattr(module, "write"):
            found.append(cast(Target, module))
    return tuple(found)
