"""Tocsin from Python: rules from text or patterns, events from anything, detections as records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike, fspath

from tocsin import languages
from tocsin.algebra.guards import Guard
from tocsin.algebra.patterns import Pattern
from tocsin.algebra.rules import Program, Rule
from tocsin.errors import EXPRESSION, Source, TextError, UsageError
from tocsin.events import Detection
from tocsin.formats import events_from
from tocsin.languages.fluent import Fluent, event
from tocsin.languages.guards import parse_guard_text
from tocsin.rules.conforming import conformer
from tocsin.rules.loading import load_files
from tocsin.rules.options import context_of, granularity_of, instant_of, order_of, window_of
from tocsin.session import Options, Session, rules_program

__all__ = ["detect", "event", "load", "parse", "render", "rule"]

Rules = Program | Rule | str | PathLike[str] | Iterable[Rule]


def rule(
    name: str,
    pattern: Pattern | Fluent | str,
    *,
    language: str = "eps",
    condition: str | None = None,
    context: str | None = None,
    window: str | None = None,
    order: str | None = None,
    notify: str | None = None,
    select: Mapping[str, str] | None = None,
) -> Rule:
    """A rule from a pattern built in Python, or from an expression in any of the languages."""
    chosen = {key: _guard(value) for key, value in (select or {}).items()}
    if isinstance(pattern, str):
        pattern = parse(pattern, language)
    else:
        language = "python"
    if isinstance(pattern, Fluent):
        chosen = {**pattern.selected, **chosen}
        pattern = pattern.pattern
    return Rule(
        name,
        pattern,
        language,
        condition=None if condition is None else _guard(condition),
        context=None if context is None else context_of(context),
        window=None if window is None else window_of(window),
        order=None if order is None else order_of(order),
        notify=notify,
        select=tuple(chosen.items()),
        span=pattern.span,
    )


def load(*paths: str | PathLike[str]) -> Program:
    """The program of rules files: `*.gem`, `*.eps`, `*.yaml`."""
    return load_files(fspath(path) for path in paths)


def parse(text: str, language: str = "eps") -> Pattern:
    """An expression in any of the languages as a pattern."""
    source = Source(text)
    try:
        return languages.parse(source, language)
    except TextError as error:
        raise error.located(source) from None


def render(pattern: Pattern | Fluent, language: str = "eps") -> str:
    """A pattern as an expression of a language; refused, with the construct named, if the language cannot say it."""
    return languages.render(pattern.pattern if isinstance(pattern, Fluent) else pattern, language)


def detect(
    rules: Rules,
    events: object,
    *,
    context: str | None = None,
    order: str = "best-effort",
    window: str | None = None,
    time_model: str = "point",
    until: str | None = None,
    late: str = "accept",
    on_error: str = "refuse",
) -> list[Detection]:
    """Every detection of the rules on the events, in order of detection.

    `rules`: rules, a program from `load`, or the path of a rules file. `events`: an iterable of dicts or events, or
    a frame of Arrow, pandas or Polars, in order of arrival.
    """
    if late not in ("accept", "ignore"):
        raise UsageError(f"late is {late!r}: accept or ignore")
    options = Options(
        context=None if context is None else context_of(context),
        order=order_of(order),
        window=None if window is None else window_of(window),
        granularity=granularity_of(time_model),
        until=None if until is None else instant_of(until),
        ignore_late=late == "ignore",
    )
    session = Session(_program(rules), options)
    arrivals = events_from(events, on_error, conform=conformer(session.program.declarations))
    return list(session.detections(arrivals))


def _program(rules: Rules) -> Program:
    if isinstance(rules, Program):
        return rules
    if isinstance(rules, str | PathLike):
        return load(rules)
    return rules_program([rules] if isinstance(rules, Rule) else rules)


def _guard(text: str) -> Guard:
    source = Source(text, EXPRESSION)
    try:
        return parse_guard_text(source)
    except TextError as error:
        raise error.located(source) from None
