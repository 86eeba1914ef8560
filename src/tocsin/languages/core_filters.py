"""Filters of the core language: guards in which a bare name is an attribute of the event itself.

`[Temp(temp < 15)]` tests `this.temp`, `this` being the event that the filter stands on; `o.room` is an attribute of an
earlier event, bound by `[o:Open]`. The arguments of the relations between intervals are events (`during(this, o)`), so
a bare name stays one there; `contains` is such a relation where one of its arguments is `this`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from tocsin.algebra.functions import FUNCTIONS
from tocsin.algebra.guards import NAMING, Attribute, Binary, Call, Guard, Negative, Not, Reference
from tocsin.algebra.patterns import THIS
from tocsin.errors import Fault, RuleError
from tocsin.languages.guard_text import WORDS, render_guard

CAPITALS: Final = frozenset(word.upper() for word in WORDS - {"now", "self"})
"""Words of the guard language that a filter may also write in capitals, as JMS selectors do: `a = 1 AND b < 2`."""

NO_VARIABLES: Final = WORDS | CAPITALS | {THIS}
"""What no event of an expression can be called."""


def as_read(guard: Guard) -> Guard:
    """A filter as it was written, with its bare names made attributes of its own event."""
    if isinstance(guard, Reference) and guard.variable != THIS:
        return Attribute(THIS, guard.variable, span=guard.span)
    return _rebuilt(guard, as_read)


def render_filter(guard: Guard) -> str:
    """A filter as text, with attributes of its own event as bare names; reading it gives the filter again."""
    return render_guard(_as_written(guard))


def _as_written(guard: Guard) -> Guard:
    if isinstance(guard, NAMING) and guard.variable in CAPITALS:
        raise RuleError(Fault(f"no event variable of CORE can be called '{guard.variable}'"))
    if isinstance(guard, Attribute) and guard.variable == THIS and _is_bare(guard.name):
        return Reference(guard.name)
    if isinstance(guard, Reference) and guard.variable != THIS:
        raise RuleError(Fault(f"CORE has no way to write the event '{guard.variable}' by itself in a filter"))
    return _rebuilt(guard, _as_written)


def _is_bare(name: str) -> bool:
    return name.isidentifier() and name not in NO_VARIABLES


def _rebuilt(guard: Guard, change: Callable[[Guard], Guard]) -> Guard:
    """`guard` with `change` applied to what is directly inside it; events that are related or counted stay."""
    match guard:
        case Not(operand=inner) | Negative(operand=inner):
            return replace(guard, operand=change(inner))
        case Binary(left=left, right=right):
            return replace(guard, left=change(left), right=change(right))
        case Call(arguments=arguments):
            kept = (Reference, Attribute) if _takes_events(guard) else ()
            return replace(guard, arguments=tuple(a if isinstance(a, kept) else change(a) for a in arguments))
    return guard


def _takes_events(call: Call) -> bool:
    if call.function == "contains":
        return Reference(THIS) in call.arguments
    return FUNCTIONS[call.function].is_relation or call.function in ("count", "text")
