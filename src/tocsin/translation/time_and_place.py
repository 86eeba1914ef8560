"""Laws about windows, sites and concurrency: each as a guard, for the languages that have no other way to say it."""

from __future__ import annotations

from tocsin.algebra.ends import back_is_fluid, bounded_by, front_is_fluid
from tocsin.algebra.guards import Binary, Call, Duration, End, Guard, Literal, Point, SourceOf, Start
from tocsin.algebra.patterns import (
    Between,
    Both,
    Concurrent,
    Named,
    Never,
    Pattern,
    Precedence,
    Primitive,
    Sequence,
    Times,
    Where,
    Within,
)
from tocsin.time.calendar import TimePoint
from tocsin.time.gregorian import DAY_LENGTH, date_from_days
from tocsin.translation.facts import Facts, is_instant, starters
from tocsin.translation.shapes import are_closed, conjunction, is_positive


def window_as_guard(pattern: Pattern, target: str, facts: Facts) -> Pattern | None:
    """`a -> b in w` = `a -> b if @b - |@a <= w`, and with `at [t1, t2]` that it begins and ends between the two: where
    variables tell when the parts of a sequence or a conjunction begin and end, and no outer end is fluid. In the
    contexts that search. A span of months has no one length, and a guard's time points end at the millisecond.
    """
    if not isinstance(pattern, Within | Between) or not facts.plain or bounded_by(pattern) is not pattern.pattern:
        return None
    inner = pattern.pattern
    firsts, lasts = _edges(inner, facts)
    if firsts is None or lasts is None or back_is_fluid(inner) or front_is_fluid(inner):
        return None
    if isinstance(pattern, Within):
        span = pattern.period
        if span.years or span.months:
            return None
        tests: list[Guard] = [
            Binary("<=", Binary("-", last, first), Duration(span)) for first in firsts for last in lasts
        ]
        return Where(inner, conjunction(tests), span=pattern.span)
    if pattern.start % 1000 or pattern.stop % 1000:
        return None
    tests = [Binary(">=", first, Point(_point(pattern.start))) for first in firsts]
    tests += [Binary("<=", last, Point(_point(pattern.stop))) for last in lasts]
    return Where(inner, conjunction(tests), span=pattern.span)


Instants = list[Guard] | None
"""When something begins or ends: the earliest, or the latest, of some times; None where no variables tell."""


def _edges(pattern: Pattern, facts: Facts) -> tuple[Instants, Instants]:
    """When a pattern begins and ends, if all its events lie between those two."""
    match pattern:
        case Where(pattern=inner):
            return _edges(inner, facts)
        case Named(name=name, pattern=Primitive()):
            return [Start(name)], [End(name)]
        case Times(pattern=Named(name=name) as inner) if is_instant(inner, facts):
            # Of several points, in order of time.
            return [Call("first", (Start(name),))], [Call("last", (End(name),))]
        case Both(parts=parts) if all(isinstance(p, Named) and isinstance(p.pattern, Primitive) for p in parts):
            names = starters(pattern) or []
            return [Start(name) for name in names], [End(name) for name in names]
        case Sequence(parts=parts, order=Precedence.GAP):
            inside = tuple(part for part in parts[1:-1] if not isinstance(part, Never))
            if are_closed(inside) and all(map(is_positive, inside)):
                return _edges(parts[0], facts)[0], _edges(parts[-1], facts)[1]
    return None, None


def _point(instant: int) -> TimePoint:
    """An instant as an exact time point."""
    days, rest = divmod(instant // 1000, DAY_LENGTH // 1000)
    seconds, millisecond = divmod(rest, 1000)
    year, month, day = date_from_days(days)
    return TimePoint(seconds // 3600, seconds // 60 % 60, seconds % 60, millisecond, None, day, month, year)


def site_as_guard(pattern: Pattern, target: str, facts: Facts) -> Pattern | None:
    """`x:a@s` = `x:a when $x == 's'`. In every context: a guard on one event is tested before anything is combined."""
    match pattern:
        case Named(name=name, pattern=Primitive(type=kind, site=str(site))) if facts.plain:
            event = Named(name, Primitive(kind, span=pattern.pattern.span), span=pattern.span)
            return Where(event, Binary("==", SourceOf(name), Literal(site)), span=pattern.span)
    return None


def concurrency_as_guard(pattern: Pattern, target: str, facts: Facts) -> Pattern | None:
    """`a || b` = `a & b when @a == @b`, both named. In every context, in point and interval time: the guard is tested
    where the two are combined, as the operator would be.
    """
    match pattern:
        case Concurrent(left=Named(name=left), right=Named(name=right)) if facts.plain:
            both = Both((pattern.left, pattern.right), span=pattern.span)
            return Where(both, Binary("==", End(left), End(right)), span=pattern.span)
    return None
