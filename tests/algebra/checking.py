"""Faults and warnings of rules as `LINE:COLUMN message`, from a GEM script or an expression."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from tests.conformance.cases import all_cases
from tests.conformance.runtimes import UNSUPPORTED
from tocsin.algebra.checks import program_faults
from tocsin.algebra.patterns import Pattern
from tocsin.algebra.rule_warnings import program_doubts
from tocsin.algebra.rules import Command, Define, Enable, Program, Rule
from tocsin.errors import Fault
from tocsin.rules.loader import load_expression, load_file


def script(folder: Path, text: str) -> Program:
    """The program of a GEM script."""
    path = folder / "rules.gem"
    path.write_text(dedent(text).lstrip("\n"))
    return load_file(path)


def shown(faults: list[Fault]) -> list[str]:
    """Each fault with its place, if it has one, and without the line and the caret."""
    return [
        f"{fault.place.line}:{fault.place.column} {fault.message}" if fault.place else fault.message for fault in faults
    ]


def script_faults(folder: Path, text: str) -> list[str]:
    return shown(program_faults(script(folder, text)))


def script_doubts(folder: Path, text: str) -> list[str]:
    program = script(folder, text)
    assert not program_faults(program)
    return shown(program_doubts(program))


def condition_faults(condition: str, expression: str = "x:a ; y:b") -> list[str]:
    """The faults of an EPS rule with a condition; places are in the condition."""
    return shown(program_faults(load_expression(expression, "eps", condition)))


def condition_doubts(condition: str, expression: str = "x:a", language: str = "eps") -> list[str]:
    return shown(program_doubts(load_expression(expression, language, condition)))


def rule_program(pattern: Pattern, **settings: object) -> Program:
    """A rule by hand, enabled."""
    rule = Rule("r", pattern, **{"language": "sel", **settings})  # type: ignore[arg-type]  # the fields of a rule
    return Program((Define(rule), Command(Enable("r"))))


def pattern_faults(pattern: Pattern, **settings: object) -> list[str]:
    return shown(program_faults(rule_program(pattern, **settings)))


SOUND = [case for case in all_cases() if case.error is None and not case.languages & UNSUPPORTED.keys()]
"""The cases whose rules can be loaded and run."""
