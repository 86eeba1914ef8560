"""A rule and its translation, run side by side by the plain meaning: the text is read again as a user would."""

from __future__ import annotations

from typing import Any

from tocsin.algebra.rules import BEST_EFFORT, Program, Rule
from tocsin.errors import RuleError, Source
from tocsin.events import Detection, Event
from tocsin.languages import eps
from tocsin.rules.documents import read_document
from tocsin.rules.programs import rules_program
from tocsin.runtime.options import Options
from tocsin.session import Session
from tocsin.translation import Asked, translate

LANGUAGES = ("core", "eps", "gem", "global", "pretty", "python", "sel")


def read(text: str) -> Program:
    """The program of a translation's text, whatever kind of file it is."""
    if text.startswith("import tocsin"):
        return rules_program(python_rules(text))
    if text.startswith("request "):
        return Program(eps.parse_document(Source(text)))
    return read_document(text, "translated.yaml")


def python_rules(text: str) -> list[Rule]:
    """The rules that a translated Python program makes. Only here, in a test, is such code run."""
    names: dict[str, Any] = {}
    exec(compile(text, "translated.py", "exec"), names)
    rules = names["rules"]
    assert isinstance(rules, list)
    return rules


def translation(program: Program, target: str, model: str = "point") -> str | None:
    """The text in the target, or None where it is refused."""
    try:
        return translate(Asked(program, model), target).text
    except RuleError:
        return None


def detected(program: Program, log: list[Event], granularity: int | None = None) -> list[tuple[object, ...]]:
    """What a program detects, in order."""
    options = Options(engine="replay", granularity=granularity, order=BEST_EFFORT)
    return [shown(one) for one in Session(program, options).detections(log)]


def whenever(detections: list[tuple[object, ...]]) -> list[str]:
    """The same whenever it was detected, which depends on how long the rules wait."""
    return sorted(repr((*one[:4], *one[5:])) for one in detections)


def shown(one: Detection) -> tuple[object, ...]:
    """All of a detection that a user sees, but its id."""
    data = {key: repr(value) for key, value in one.data.items()}
    return (
        one.rule,
        one.type,
        one.start_us,
        one.time_us,
        one.detected_us,
        one.events,
        data,
        one.notification,
        one.stamp,
    )
