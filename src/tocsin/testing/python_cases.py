"""`tc.testing.check`: one case from Python, for use in unit tests."""

from __future__ import annotations

from dataclasses import replace
from os import PathLike
from pathlib import Path

from tocsin.algebra.rules import Order, Program
from tocsin.api import Rules, Span, options_given, program_of, window_given
from tocsin.errors import Place, UsageError
from tocsin.events import Arrival, Detection, Event, Heartbeat
from tocsin.formats import TimeStyle, events_from, read_events
from tocsin.rules.declared_events import conformer
from tocsin.session import Session
from tocsin.testing.cases import USUAL, Case
from tocsin.testing.differences import failure
from tocsin.testing.expectations import expected_of
from tocsin.testing.given import arrivals_of
from tocsin.testing.marked import Wrong
from tocsin.testing.settings import runtimes_of
from tocsin.testing.verdicts import PERMUTATIONS, Asked, Outcome, is_spark, judge, judge_on_spark, trials


def check(
    rules: Rules,
    given: object,
    expect: object,
    *,
    context: str | None = None,
    order: str | None = None,
    window: Span | None = None,
    time_model: str = "point",
    until: str | None = None,
    late: str = "accept",
    only: tuple[str, ...] = (),
    within_delay: Span | None = None,
    runtimes: tuple[str, ...] = USUAL,
    permutations: int = PERMUTATIONS,
    seed: int = 0,
) -> None:
    """Raises AssertionError, with a table of what differs, unless the rules detect what is expected.

    `rules` are as in `tc.detect`. `given` is short lines, the path of a file, or any events that `tc.detect` takes;
    `expect` is None, a number, a list of detections, or one of these for each rule, as in a test file. With
    `within_delay`, the same must be detected in every order of arrival that is tried in which no event is later.

    >>> import tocsin as tc
    >>> rule = tc.rule("cold", "d:door ; t:temp", condition="t.degrees < 15", window="5 min")
    >>> tc.testing.check(rule, "10 door\\n60 temp degrees=13", [{"events": [1, 2], "time": 60}], within_delay="1 min")
    """
    program, delay = program_of(rules), window_given(within_delay)
    options = options_given(context, order or "best-effort", window, time_model, until, late)
    if delay is not None and order is None:
        options = replace(options, order=Order("delay", delay=delay))
    Session(program, options)
    style = TimeStyle()
    try:
        arrivals = _arrivals(given, program, style)
        expected = expected_of(expect, [rule.name for rule in program.rules if not rule.hidden])
    except Wrong as wrong:
        raise _usage(wrong) from None
    case = Case(
        "check",
        Place("<check>", 1, 1),
        program,
        options,
        tuple(arrivals),
        style,
        expected,
        delay=None if delay is None else delay.length(),
        only=frozenset(only),
        runtimes=runtimes_of(",".join(runtimes)),
    )
    outcomes = judged_everywhere(case, Asked(permutations=permutations, seed=seed))
    if not all(outcome.is_good for outcome in outcomes):
        raise AssertionError("\n".join(["the rules do not detect what is expected", *failure(outcomes, seed)]))


def judged_everywhere(case: Case, asked: Asked) -> list[Outcome]:
    """One case in all its runtimes."""
    return [judge_on_spark([trial])[0] if is_spark(trial.runtime) else judge(trial) for trial in trials(case, asked)]


def _arrivals(given: object, program: Program, style: TimeStyle) -> list[Arrival]:
    conform = conformer(program.declarations)
    if isinstance(given, PathLike):
        return list(read_events(given, style=style, conform=conform))
    is_written = given is None or isinstance(given, str)
    if isinstance(given, list | tuple):
        is_written = not any(isinstance(each, Event | Heartbeat | Detection) for each in given)
    if is_written:
        return arrivals_of(given, Path(), style, conform)
    return list(events_from(given, style=style, conform=conform))


def _usage(wrong: Wrong) -> UsageError:
    where = "".join(f"[{step!r}]" for step in wrong.path)
    expected = f"; expected {wrong.expected}" if wrong.expected else ""
    hint = f"; {wrong.hint}" if wrong.hint else ""
    return UsageError(f"{f'at {where}: ' if where else ''}{wrong.message}{expected}{hint}")
