"""Parts of a rule that uses up what it combines at every operator: the operands, each as it is.

Such an operand runs elsewhere in the rule's own context, with its guards and names. What it never combines can be left
out: the oldest, the newest or all of those that wait are the same without it, since it was none of them whenever it
mattered. What is above an operand (a guard, an order) must not reach into it: then it would choose otherwise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tocsin.algebra.patterns import (
    Absence,
    Accumulate,
    After,
    Aggregate,
    AnyEvent,
    At,
    AtInstant,
    Between,
    Both,
    Concurrent,
    Either,
    Every,
    Instant,
    Named,
    Pattern,
    Primitive,
    Repeat,
    Sequence,
    Streak,
    Times,
    Where,
    Within,
    children,
    walk,
)
from tocsin.algebra.rules import Context

_TIMED = At | AtInstant | Every | After
_OPERATORS = Both | Sequence | Concurrent | Absence | Accumulate | Times
_IN_A_ROW = Repeat | Streak | Aggregate
_STAYING_AFTER = {
    Context.CONTINUOUS: Accumulate | Both | Concurrent,
    Context.CUMULATIVE: Accumulate | Both | Concurrent,
}
"""Operators that leave some of what they combined waiting for more."""


def operands(pattern: Pattern) -> Iterator[Pattern]:
    """The parts of a pattern that choose among their events by themselves, the whole first."""
    yield pattern
    yield from _inside(pattern, is_guarded=False)


def _inside(pattern: Pattern, *, is_guarded: bool) -> Iterator[Pattern]:
    match pattern:
        case Where(pattern=inner):
            yield from _inside(inner, is_guarded=True)
        case Named(pattern=inner):
            yield from _inside(inner, is_guarded=is_guarded)
        case Either(parts=parts):
            for part in parts:
                if not is_guarded:
                    yield part
                yield from _inside(part, is_guarded=is_guarded)
        case Both(parts=parts) | Sequence(parts=parts):
            for count in range(len(parts) - 1, 1, -1):
                yield _prefix(pattern, count)
            yield from _each(parts)
        case _:
            yield from _each(children(pattern))


def _each(parts: tuple[Pattern, ...]) -> Iterator[Pattern]:
    for part in parts:
        yield part
        yield from _inside(part, is_guarded=False)


def _prefix(pattern: Both | Sequence, count: int) -> Pattern:
    if isinstance(pattern, Both):
        return Both(pattern.parts[:count])
    return Sequence(pattern.parts[:count], pattern.order)


def why_not(operand: Pattern, context: Context) -> str | None:
    """Why an operand cannot be cut off in a context that uses up; None if it can."""
    inside = list(walk(operand))
    if any(isinstance(part, _IN_A_ROW) for part in inside):
        return "what counts in it is what came right before: every event of its types may matter"
    if any(isinstance(part, _TIMED) for part in inside):
        return "it waits for time events, which come before what is passed on at their instant"
    if any(isinstance(part, AnyEvent) for part in inside):
        return "it takes events of any type"
    operators = [part for part in _flat(operand) if isinstance(part, _OPERATORS)]
    kinds = Counter(part.type for part in inside if isinstance(part, Primitive))
    stays = _STAYING_AFTER.get(context, Accumulate)
    if len(operators) > 1 and (max(kinds.values()) > 1 or any(isinstance(part, stays) for part in operators[1:])):
        return "an event may be used up by one of its operators and still wait at another"
    return None


def _flat(pattern: Pattern) -> Iterator[Pattern]:
    """A pattern and all inside it, outermost first; an operator on several operands is as many, from the left."""
    for part in walk(pattern):
        count = len(part.parts) - 1 if isinstance(part, Both | Sequence) else 1
        yield from [part] * count


def is_bare(pattern: Pattern) -> bool:
    """Whether a pattern occurs wherever a single event of some type does: cutting it off would hold nothing back."""
    match pattern:
        case Primitive():
            return True
        case Named(pattern=inner) | Where(pattern=inner) | Within(pattern=inner) | Between(pattern=inner):
            return is_bare(inner)
        case After(pattern=inner) | Instant(pattern=inner):
            return is_bare(inner)
        case Either(parts=parts):
            return any(map(is_bare, parts))
        case Accumulate(last=last):
            return is_bare(last)
        case Times(count=count):
            return count < 2
    return False
