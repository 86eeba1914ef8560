"""`every a=A -> every b=B`: every B after every A, which core has no word for, as a rule in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tocsin.algebra.guards import Binary, Duration, End, Guard
from tocsin.algebra.patterns import THIS, Named, Pattern, Precedence, Primitive, Where, Within
from tocsin.algebra.patterns import Sequence as Following
from tocsin.algebra.rules import Rule
from tocsin.origins.atoms import PRETTY, Told
from tocsin.origins.conditions import both, rebuilt
from tocsin.origins.patterns import Every, Filter, Limited, Part, in_order
from tocsin.origins.words import refusal
from tocsin.time.periods import Period


def is_of_all(parts: Sequence[Part]) -> bool:
    """Whether a later part is repeated: then all of them must be."""
    return any(isinstance(each, Every) for part in parts[1:] for each in in_order(_inner(part)))


def combinations(parts: Sequence[Part], told: Told, inclusive: Period | None = None) -> Rule:
    """The rule of such a pattern. `inclusive`: how long all of it may last, the very end included."""
    found: list[Filter] = []
    limits: list[tuple[int, Period]] = []
    for part in parts:
        if isinstance(part, Limited):
            limits += [(len(found) - 1, part.period)] * len(in_order(_inner(part)))
        for each in in_order(_inner(part)):
            if not isinstance(each, Every) or not isinstance(each.part, Filter):
                raise refusal(
                    "'every' before some of the parts only", each.span, "write it before each part, or the first"
                )
            found.append(each.part)
    named = [_named(each, place) for place, each in enumerate(found, 1)]
    guard: Guard | None = None
    for each, tag in zip(found, named, strict=True):
        own = None if each.guard is None else rebuilt(each.guard, lambda part, tag=tag: _moved(part, tag))  # type: ignore[misc]
        guard = both(guard, own)
    leaves = [Named(tag, Primitive(each.type, span=each.span)) for each, tag in zip(found, named, strict=True)]
    made: Pattern = Following(tuple(leaves), Precedence.GAP, span=told.span) if len(leaves) > 1 else leaves[0]
    for place, period in dict.fromkeys(limits):
        since = max(place, 0)
        difference = Binary("-", End(named[-1]), End(named[since]))
        guard = both(guard, Binary("<", difference, Duration(period)))
        inclusive = period if since == 0 else inclusive
    made = made if guard is None else Where(made, guard, span=told.span)
    made = made if inclusive is None else Within(made, inclusive, span=told.span)
    return Rule(told.name, made, PRETTY, select=told.select, span=told.span)


def _inner(part: Part) -> Part:
    return part.part if isinstance(part, Limited) else part


def _named(each: Filter, place: int) -> str:
    return each.tag or f"e{place}"


def _moved(part: Guard, tag: str) -> Guard | None:
    if getattr(part, "variable", None) != THIS:
        return None
    return replace(part, variable=tag)  # type: ignore[call-arg]
