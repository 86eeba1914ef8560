"""Options as people write them: orders, contexts, windows, time models. A wrong one says what is possible."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeVar

from tocsin.algebra.patterns import Run
from tocsin.algebra.rules import SEVERITIES, Context, Order
from tocsin.errors import RuleError, UsageError, choices, nearest
from tocsin.time.calendar import parse_instant
from tocsin.time.gregorian import FIRST_INSTANT, LAST_INSTANT
from tocsin.time.spans import SECOND, Period, parse_period

Word = TypeVar("Word", bound=StrEnum)

POLICIES = ("best-effort", "delay:SPAN", "guaranteed[:SPAN]", "probabilistic:P")


def word(text: str, kind: type[Word], what: str) -> Word:
    """One of a few words, or an error that names them and the nearest."""
    try:
        return kind(text)
    except ValueError:
        known = [each.value for each in kind]
        raise UsageError(_message(f"'{text}' is not a {what}", known, nearest(text, known))) from None


def run_of(text: str) -> tuple[Run, str]:
    """How often an automaton runs, and to which step it skips: `again`, `past last`, `to first x`."""
    for run in (Run.FIRST, Run.LAST):
        if text.startswith(f"{run} ") and (step := text.removeprefix(f"{run} ").strip()):
            return run, step
        if text.strip() == run:
            raise UsageError(f"'{run}' says to which step: {run} x, where a part of the expression is [x:A]")
    return word(text, Run, "run"), ""


def context_of(text: str) -> Context:
    """A consumption context by name."""
    return word(text, Context, "context")


def order_of(text: str) -> Order:
    """`best-effort`, `delay:5 sec`, `guaranteed`, `guaranteed:5 min` or `probabilistic:0.99`."""
    policy, _, parameter = text.partition(":")
    if policy == "delay":
        delay = period_of(parameter, "the delay")
        if delay.length() < 0:
            raise UsageError(f"a delay cannot be negative: '{parameter}'")
        return Order("delay", delay=delay)
    if policy in ("best-effort", "guaranteed") and not parameter:
        return Order(policy)
    if policy == "guaranteed":
        idle = period_of(parameter, "how long a source may be silent")
        if not idle.is_positive:
            raise UsageError(f"a source may be silent for some time, as in guaranteed:5 min, not for '{parameter}'")
        return Order("guaranteed", idle=idle)
    if policy == "probabilistic":
        return Order("probabilistic", probability=_probability(parameter))
    raise UsageError(
        _message(
            f"'{text}' is not an order",
            POLICIES,
            nearest(policy, ["best-effort", "delay", "guaranteed", "probabilistic"]),
        )
    )


def _probability(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= 1:
        raise UsageError(f"a probability lies above 0 and is at most 1, as in probabilistic:0.99, not '{text}'")
    return value


def severity_of(text: str) -> str:
    """How bad a detection is: one of Sigma's levels."""
    if text not in SEVERITIES:
        near = nearest(text, SEVERITIES)
        raise UsageError(f"unknown severity '{text}': {choices(SEVERITIES)}; {near}".rstrip("; "))
    return text


def window_of(text: str) -> Period:
    """A detection window: a length of time above zero."""
    window = period_of(text, "the window")
    if not window.is_positive:
        raise UsageError(f"a window must be longer than nothing: '{text}'")
    return window


def granularity_of(model: str) -> int | None:
    """The tick of `2g:SPAN` in microseconds; None for `point` and `interval`, which need no parameter."""
    name, _, parameter = model.partition(":")
    if name in ("point", "interval") and not parameter:
        return None
    if name == "2g":
        tick = period_of(parameter, "the tick of the 2g model").length()
        if tick <= 0:
            raise UsageError(f"a tick must be longer than nothing: '{parameter}'")
        return tick
    raise UsageError(_message(f"'{model}' is not a time model", ("point", "interval", "2g:SPAN"), ""))


def instant_of(text: str) -> int:
    """A time on the command line: seconds as a number, or RFC 3339."""
    try:
        instant = round(float(text) * SECOND)
    except (ValueError, OverflowError):
        pass
    else:
        if not FIRST_INSTANT <= instant <= LAST_INSTANT:
            raise UsageError(f"'{text[:40]}' is not a time: it is outside the years 1 to 9999")
        return instant
    try:
        return parse_instant(text)
    except RuleError as error:
        raise UsageError(f"'{text}' is not a time: {error.faults[0].message}") from None


def period_of(text: str, what: str) -> Period:
    """A length of time as people write it."""
    try:
        return parse_period(text)
    except RuleError as error:
        fault = error.faults[0]
        hint = f" (expected {fault.expected})" if fault.expected else ""
        raise UsageError(f"{what}: {fault.message} in '{text}'{hint}") from None


def _message(text: str, known: tuple[str, ...] | list[str], hint: str) -> str:
    return f"{text}: use {choices(list(known))}" + (f"; {hint}" if hint else "")
