"""Aggregates over windows as events: `count(failed by ip) >= 5 within 1 minute` (SEMANTICS section 7, "Values").

Whenever an event comes that an aggregate counts, its condition is asked of the window that ends with it: the events of
its group that have come by then and lie in it. What is told of an event stays so: a later one changes no earlier
window, and neither does what is used up. Unless `each` is told of, the condition must not hold for the same window
without the event, so that what goes on is told once, and again when it begins again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from tocsin.algebra.combinations import group_value
from tocsin.algebra.functions import AGGREGATES
from tocsin.algebra.guards import Binary, Call, Guard, Literal, Negative, Not, renamed, variables_of
from tocsin.algebra.guards import walk as guard_parts
from tocsin.algebra.names import bound
from tocsin.algebra.occurrence import Bound, Occurrence
from tocsin.algebra.patterns import Aggregate
from tocsin.algebra.values import Surroundings, holds
from tocsin.events import Event

PREVIOUS = "previous"
"""The function that asks the window before."""
INCREMENTAL = tuple(name for name in AGGREGATES if name != "list")
"""What can be kept up to date event by event."""
_BEFORE = "\0"
"""Before a name, for the events of the window before. No name that a user can write begins like this."""


def refers_back(guard: Guard) -> bool:
    """Whether a guard asks the window before."""
    return any(isinstance(part, Call) and part.function == PREVIOUS for part in guard_parts(guard))


def reach(pattern: Aggregate) -> int:
    """How far back from an event the windows begin that are asked, in microseconds."""
    return pattern.period.microseconds * (2 if refers_back(pattern.guard) else 1)


def is_asked(guard: Guard) -> bool:
    """Whether a guard is made of what an aggregate's condition may have: aggregates, constants and what joins them."""
    match guard:
        case Literal():
            return True
        case Not(operand=inner) | Negative(operand=inner):
            return is_asked(inner)
        case Binary(left=left, right=right):
            return is_asked(left) and is_asked(right)
        case Call(function="previous", arguments=(Call() as inner,)):
            return inner.function != PREVIOUS and is_asked(inner)
        case Call(function=name):
            return name in INCREMENTAL
    return False


class Gauge:
    """An aggregate at work: the events that it has counted, and those that it tells of."""

    def __init__(self, pattern: Aggregate, around: Surroundings) -> None:
        self.pattern, self.around = pattern, around
        self.names = tuple(bound(pattern.pattern))
        self.counted: list[Occurrence] = []
        """In order of time, and at one time in order of arrival."""
        self.told: list[Event] = []
        self._guard = _with_earlier(pattern.guard)
        self._refers_back = refers_back(pattern.guard)

    def take(self, one: Occurrence) -> bool:
        """Counts an event that has come, and gives whether it is told of."""
        group = group_value(one, self.pattern.same)
        if group is None:
            return False
        earlier = [each for each in self.counted if each.end <= one.end]
        alike = [each for each in earlier if group_value(each, self.pattern.same) == group]
        self.counted.insert(len(earlier), one)
        others, before = self._windows(alike, one)
        is_told = self.holds([*others, one], before) and (self.pattern.each or not self.holds(others, before))
        if is_told:
            self.told += one.events
        return is_told

    def tells(self, event: Event) -> bool:
        """Whether an event is told of."""
        return any(each is event for each in self.told)

    def forget(self, is_old: Callable[[Event], bool]) -> None:
        """Drops what no window can have in it any more. What is old can be told of no longer, but still counts."""
        self.told = [event for event in self.told if not is_old(event)]
        latest = max([one.end for one in self.counted if is_old(one.events[0])], default=None)
        if latest is not None:
            first = latest - reach(self.pattern)
            self.counted = [one for one in self.counted if one.end > first]

    def _windows(self, alike: list[Occurrence], one: Occurrence) -> tuple[list[Occurrence], list[Occurrence]]:
        """What lies in the window with an event, and in the window before."""
        length, end = self.pattern.period.microseconds, one.end
        # An aligned window includes its beginning; a sliding one is as long as an aligned one, and includes its end.
        start = end - end % length - 1 if self.pattern.aligned else end - length
        inside = [each for each in alike if each.end > start]
        before = [each for each in alike if start - length < each.end <= start]
        return list(_unbroken(inside, one, self.pattern)), before

    def holds(self, inside: list[Occurrence], before: list[Occurrence]) -> bool:
        """Whether the condition holds for a window and the one before it."""
        variables: dict[str, Bound] = {}
        for name in self.names:
            variables[name] = _bound_to(inside, name)
            if self._refers_back:
                variables[_BEFORE + name] = _bound_to(before, name)
        return holds(self._guard, variables, self.around)


def _bound_to(ones: list[Occurrence], name: str) -> tuple[Occurrence, ...]:
    return tuple([value for one in ones if isinstance(value := one.variables()[name], Occurrence)])


def _unbroken(inside: list[Occurrence], one: Occurrence, pattern: Aggregate) -> Iterator[Occurrence]:
    """Those after the last gap."""
    if pattern.gap is None:
        return iter(inside)
    kept, following = [], one.end
    for each in reversed(inside):
        if following - each.end > pattern.gap.microseconds:
            break
        kept.append(each)
        following = each.end
    return reversed(kept)


def _with_earlier(guard: Guard) -> Guard:
    """A guard in which the events of the window before have names of their own."""
    match guard:
        case Not(operand=inner) | Negative(operand=inner):
            return replace(guard, operand=_with_earlier(inner))
        case Binary(left=left, right=right):
            return replace(guard, left=_with_earlier(left), right=_with_earlier(right))
        case Call(function="previous", arguments=(inner, *_)):
            return renamed(inner, {name: _BEFORE + name for name in variables_of(inner)})
    return guard
