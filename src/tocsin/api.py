"""Tocsin from Python: rules from text or patterns, events from anything, detections as records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from os import PathLike, fspath

from tocsin import languages
from tocsin.algebra.guards import Guard
from tocsin.algebra.patterns import Pattern
from tocsin.algebra.rules import Program, Rule
from tocsin.errors import EXPRESSION, Source, TextError, UsageError
from tocsin.events import Detection
from tocsin.formats import events_from, read_events
from tocsin.languages.fluent import Fluent, event
from tocsin.languages.guards import parse_guard_text
from tocsin.rules.conforming import conformer
from tocsin.rules.loading import load_files
from tocsin.rules.options import context_of, granularity_of, instant_of, order_of, window_of
from tocsin.session import Options, Session, rules_program
from tocsin.time.spans import Period

__all__ = ["detect", "event", "load", "parse", "render", "rule"]

Span = str | int | float | timedelta
"""A length of time: as people write it, in seconds, or as Python has it."""

Rules = Program | Rule | str | PathLike[str] | Iterable[Rule]


def rule(
    name: str,
    pattern: Pattern | Fluent | str,
    *,
    language: str = "eps",
    condition: str | None = None,
    context: str | None = None,
    window: Span | None = None,
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
        window=_window(window),
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
    window: Span | None = None,
    time_model: str = "point",
    until: str | None = None,
    late: str = "accept",
    on_error: str = "refuse",
) -> list[Detection]:
    """Every detection of the rules on the events, in order of detection.

    `rules`: rules, a program from `load`, or the path of a rules file. `events`: an iterable of dicts or events, a
    frame of Arrow, pandas or Polars, or the path of a file of events, in order of arrival. The times of a detection are
    whole microseconds since 1970.
    """
    if late not in ("accept", "ignore"):
        raise UsageError(f"late is {late!r}: accept or ignore")
    options = Options(
        context=None if context is None else context_of(context),
        order=order_of(order),
        window=_window(window),
        granularity=granularity_of(time_model),
        until=None if until is None else instant_of(until),
        ignore_late=late == "ignore",
    )
    session = Session(_program(rules), options)
    conform = conformer(session.program.declarations)
    if isinstance(events, str | PathLike):
        return list(session.detections(read_events(events, on_error=on_error, conform=conform)))
    return list(session.detections(events_from(events, on_error, conform=conform)))


def _program(rules: Rules) -> Program:
    if isinstance(rules, Program):
        return rules
    if isinstance(rules, str | PathLike):
        return load(rules)
    if isinstance(rules, Rule):
        return rules_program([rules])
    if not isinstance(rules, Iterable):
        raise UsageError(f"rules are rules, a program or a path, not a {type(rules).__name__}")
    return rules_program(rules)


def _window(span: Span | None) -> Period | None:
    if span is None:
        return None
    if isinstance(span, timedelta):
        return window_of(f"{span / timedelta(seconds=1):.6f} s")
    return window_of(span if isinstance(span, str) else f"{span} s")


def _guard(text: str) -> Guard:
    if not isinstance(text, str):
        raise UsageError(f"a condition is a text such as 'x.v > 3', not a {type(text).__name__}")
    source = Source(text, EXPRESSION)
    try:
        return parse_guard_text(source)
    except TextError as error:
        raise error.located(source) from None
