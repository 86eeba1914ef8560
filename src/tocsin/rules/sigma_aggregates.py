"""Correlations of Sigma over values and low counts, as aggregates over windows.

value_sum, value_avg, value_median, value_percentile   the event with which the comparison of the last timespan
                                                       becomes true
event_count, value_count with lt, lte, eq, neq         known when a timespan is over: one that begins with an event
                                                       before which there was none for a timespan
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

import yaml

from tocsin.algebra.guards import Attribute, Binary, Call, Guard, Literal, Reference, joined, renamed
from tocsin.algebra.patterns import Aggregate, Either, Named, Never, Pattern, Precedence, Sequence, Where, Within
from tocsin.errors import choices
from tocsin.rules.sigma_detections import Fail
from tocsin.time.periods import Period

FUNCTIONS: Final = {
    "value_sum": "sum",
    "value_avg": "avg",
    "value_median": "median",
    "value_percentile": "percentile",
}
OPERATORS: Final = {"gt": ">", "gte": ">=", "lt": "<", "lte": "<=", "eq": "==", "neq": "!="}
LOW: Final = ("lt", "lte", "eq", "neq")
"""What of a count is known only when the time is over."""
_NUMBER: Final = re.compile(r"-?\d{1,15}(\.\d{1,15})?")
FIRST, REACHED, OVER = "first", "reached", "over"
"""What the events of a low count are called: what begins the timespan, what makes it enough, what makes it too many."""


def compared(value: Guard, condition: Mapping[str, yaml.Node], where: yaml.Node, fail: Fail) -> Guard:
    """The comparisons of a condition, all of which must hold."""
    tests: list[Guard] = []
    for key, node in condition.items():
        if key in ("field", "percentile"):
            continue
        if key not in OPERATORS:
            raise fail(node, f"there is no condition '{key}'", choices(list(OPERATORS)), "")
        tests.append(Binary(OPERATORS[key], value, Literal(number_of(node, fail))))
    if not tests:
        raise fail(where, "this correlation does not say how much", "condition: {gte: 10, field: ...}", "")
    return joined("&&", tests)


def number_of(node: yaml.Node, fail: Fail) -> int | float:
    """A number of a condition."""
    text = str(node.value) if isinstance(node, yaml.ScalarNode) else ""
    if not _NUMBER.fullmatch(text):
        raise fail(node, "this must be a number", "a number", "")
    return float(text) if "." in text else int(text)


class LowCount:
    """A count that stays low, of events of one kind: `first unless too many within the timespan`."""

    def __init__(self, counted: Named | Where, field: str | None, timespan: Period, same: tuple[str, ...]) -> None:
        self.counted, self.field, self.timespan, self.same = counted, field, timespan, same

    def between(self, least: int, most: int) -> Pattern:
        """At least and at most so many, when the time is over."""
        steps: list[Pattern] = [self._aggregate(FIRST, Binary("==", self._count(FIRST), Literal(1)), each=True)]
        if least > 1:
            steps.append(self._at_least(REACHED, least))
        too_many = self._at_least(OVER, most + 1)
        alike = self._alike(OVER)
        steps.append(Never(too_many if alike is None else Where(too_many, alike)))
        whole = Within(Sequence(tuple(steps), Precedence.GAP), self.timespan)
        enough = self._alike(REACHED) if least > 1 else None
        return whole if enough is None else Where(whole, enough)

    def other_than(self, count: int) -> Pattern:
        """More than so many, as soon as there are, or fewer when the time is over."""
        more = self._at_least(REACHED, count + 1)
        return more if count <= 1 else Either((more, self.between(1, count - 1)))

    def _at_least(self, name: str, count: int) -> Pattern:
        return self._aggregate(name, Binary(">=", self._value(name), Literal(count)))

    def _aggregate(self, name: str, guard: Guard, *, each: bool = False) -> Aggregate:
        return Aggregate(_called(self.counted, name), guard, self.timespan, self.same, each=each)

    def _count(self, name: str) -> Guard:
        return Call("count", (Reference(name),))

    def _value(self, name: str) -> Guard:
        return self._count(name) if self.field is None else Call("distinct", (Attribute(name, self.field),))

    def _alike(self, name: str) -> Guard | None:
        """Whether an event is of the group of the first."""
        tests: list[Guard] = [Binary("==", Attribute(name, key), Attribute(FIRST, key)) for key in self.same]
        return joined("&&", tests) if tests else None


def _called(counted: Named | Where, name: str) -> Pattern:
    """What is counted under another name."""
    if isinstance(counted, Named):
        return Named(name, counted.pattern, span=counted.span)
    inner = counted.pattern
    assert isinstance(inner, Named)
    return Where(_called(inner, name), renamed(counted.guard, {inner.name: name}))
