"""Laws: one pattern said as another that occurs at the same times, from the same events, with the same variables.

Each is one function, `(pattern, target, facts) -> pattern or None`, and says when it holds; None is "does not apply".
`LAWS` is the order in which they are tried, and only on what the target cannot write by itself. Under 2g, where an
occurrence carries a stamp besides its times, none of them is used.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Final

from tocsin.algebra.ends import speaks_of
from tocsin.algebra.guards import (
    Binary,
    End,
    Guard,
    Literal,
    Start,
    joined,
    or_absent,
    variables_of,
)
from tocsin.algebra.names import always_bound, bound
from tocsin.algebra.patterns import (
    Absence,
    Both,
    Never,
    Pattern,
    Precedence,
    Sequence,
    Where,
)
from tocsin.errors import Span
from tocsin.translation.facts import Facts, enders, is_instant, starters
from tocsin.translation.shapes import are_closed, conjunction, is_positive
from tocsin.translation.time_and_place import concurrency_as_guard, site_as_guard, window_as_guard
from tocsin.translation.unbound import with_variable, without_variables

Law = Callable[[Pattern, str, Facts], Pattern | None]

ORDERS: Final = {
    "gem": Precedence.ENDS,
    "eps": Precedence.ENDS,
    "sel": Precedence.GAP,
    "pretty": Precedence.GAP,
    "global": Precedence.GLOBAL,
}
"""What "followed by" compares in each language; Python can say all of them."""


# -- followed by ---------------------------------------------------------------------------------------------------


def overlap_or_gap(pattern: Pattern, target: str, facts: Facts) -> Pattern | None:
    """`a ; b` (ends) = `a -> b` (gap), where b is an instant: its end is its start. In every context.

    Of a chain, all but the first must be instants. A type is one if its events are points and it is no other rule's
    name. GLOBAL's `;` is the order of ends wherever time is not 2g, so it takes part on either side.
    """
    wanted = ORDERS.get(target)
    if not isinstance(pattern, Sequence) or wanted in (None, pattern.order) or not facts.plain:
        return None
    if pattern.order is Precedence.WEAK:
        return None  # every language has it
    assert wanted is not None
    later = pattern.parts[1:]
    same_order = Precedence.GAP not in (pattern.order, wanted)
    if same_order or (are_closed(pattern.parts) and all(is_instant(part, facts) for part in later)):
        return _ordered(pattern.parts, wanted, pattern.span)
    return None


def gaps_associate(pattern: Pattern, target: str, facts: Facts) -> Pattern | None:
    """`a -> (b -> c)` = `a -> b -> c`, where nothing is fluid. In the contexts that search; not by ends."""
    if (
        not isinstance(pattern, Sequence)
        or pattern.order is not Precedence.GAP
        or not facts.searched
        or not facts.plain
    ):
        return None
    nested = [part for part in pattern.parts[1:] if isinstance(part, Sequence) and part.order is Precedence.GAP]
    if not nested or not are_closed(pattern.parts):
        return None
    flat: list[Pattern] = []
    for part in pattern.parts:
        flat += part.parts if isinstance(part, Sequence) and part.order is Precedence.GAP else (part,)
    return Sequence(tuple(flat), Precedence.GAP, span=pattern.span)


def sequence_as_guard(pattern: Pattern, target: str, facts: Facts) -> Pattern | None:
    """`a -> b` = `a & b when @a < |@b`, and `a ; b` = `a & b if @a < @b`, where variables tell when the parts begin and
    end. In the contexts that search, in point and interval time; nothing fluid.
    """
    if not isinstance(pattern, Sequence) or not facts.searched or not facts.plain or not are_closed(pattern.parts):
        return None
    tests: list[Guard] = []
    for left, right in pairwise(pattern.parts):
        ends = enders(left)
        others = starters(right) if pattern.order is Precedence.GAP else enders(right)
        if ends is None or others is None:
            return None
        tests += [_before(end, others, pattern.order) for end in ends]
    return Where(_both(pattern.parts, pattern.span), conjunction(tests), span=pattern.span)


def _before(end: str, others: list[str], order: Precedence) -> Guard:
    """That one end lies before the earliest of some starts, or before the latest of some ends."""
    if order is Precedence.GAP:
        return conjunction([Binary("<", End(end), Start(other)) for other in others])
    sign = "<=" if order is Precedence.WEAK else "<"
    return joined("||", [Binary(sign, End(end), End(o)) for o in others])


# -- absence -------------------------------------------------------------------------------------------------------


def absence_in_another_order(pattern: Pattern, target: str, facts: Facts) -> Pattern | None:
    """`{a ; b} ! c` in the order of ends = in that of gaps, where b and c are instants; = GLOBAL's, wherever time is
    not 2g. In every context.
    """
    if not isinstance(pattern, Absence) or not facts.plain:
        return None
    wanted = ORDERS.get(target, pattern.order)
    if wanted is pattern.order or pattern.order is Precedence.WEAK:
        return None
    same_order = Precedence.GAP not in (pattern.order, wanted)
    parts = (pattern.first, pattern.last, pattern.without)
    if same_order or (are_closed(parts) and all(is_instant(part, facts) for part in parts[1:])):
        return replace(pattern, order=wanted)
    return None


def absence_as_negation(pattern: Pattern, target: str, facts: Facts) -> Pattern | None:
    """`a followed by b without c` = `a -> !c -> b`, where c is made of events and guards alone. In the contexts that
    search. A guard that chooses which c counts goes into the negation, with b unbound there and c outside, as 003 says.
    """
    if not isinstance(pattern, Absence) or pattern.order is not Precedence.GAP or not facts.searched or not facts.plain:
        return None
    if not are_closed((pattern.first, pattern.last)) or not is_positive(pattern.without):
        return None
    without, guard = pattern.without, pattern.guard
    hidden = bound(without).keys()
    if guard is not None and variables_of(guard) & hidden:
        chooses, decides = without_variables(guard, bound(pattern.last).keys()), without_variables(guard, hidden)
        if chooses is None or decides is None:
            return None
        chooses = with_variable(chooses, always_bound(without))
        without = Where(without, chooses, span=guard.span)
        guard = None if decides == Literal(True) else decides
    absent = Never(without, span=pattern.without.span)
    before = pattern.first.parts if _is_gap(pattern.first) and isinstance(pattern.first, Sequence) else (pattern.first,)
    whole = Sequence((*before, absent, pattern.last), Precedence.GAP, span=pattern.span)
    return whole if guard is None else Where(whole, guard, span=pattern.span)


def negation_as_absence(pattern: Pattern, target: str, facts: Facts) -> Pattern | None:
    """`a -> !c -> b` = `a followed by b without c`, where c is made of events and guards alone. In the contexts that
    search (the others have no free negation). A guard on the whole of c may speak of a: `!(c if g)` is `! c when
    g || !?c` in GEM, where the guard of an absence is first tested with each c, and then without any.
    """
    if not isinstance(pattern, Sequence) or pattern.order is not Precedence.GAP or not facts.plain:
        return None
    parts = pattern.parts
    place = next((n for n, part in enumerate(parts) if isinstance(part, Never)), None)
    if place is None or not 0 < place < len(parts) - 1:
        return None
    negated, first, last = parts[place], parts[:place], parts[place + 1]
    assert isinstance(negated, Never)
    if not is_positive(negated.pattern) or not are_closed((*first, last)):
        return None
    chosen = _chosen(negated, first) if speaks_of(negated) else (negated.pattern, None)
    if chosen is None:
        return None
    start = first[0] if len(first) == 1 else Sequence(first, Precedence.GAP, span=pattern.span)
    absence = Absence(start, last, chosen[0], chosen[1], Precedence.GAP, span=pattern.span)
    rest = parts[place + 2 :]
    return Sequence((absence, *rest), Precedence.GAP, span=pattern.span) if rest else absence


def _chosen(negated: Never, first: tuple[Pattern, ...]) -> tuple[Pattern, Guard] | None:
    """What must be absent, and the guard that says which of it counts, if that speaks only of it and what is first."""
    inner = negated.pattern
    if not isinstance(inner, Where):
        return None
    name = always_bound(inner.pattern)
    known = {*bound(inner.pattern), *(each for part in first for each in bound(part))}
    if name is None or speaks_of(Never(inner.pattern)) or not variables_of(inner.guard) <= known:
        return None
    return inner.pattern, or_absent(inner.guard, name)


OUTER: Final[tuple[Law, ...]] = (window_as_guard, gaps_associate)
"""Laws that ask for a sequence without overlap inside, so they are tried before what is inside is rewritten."""

LAWS: Final[tuple[Law, ...]] = (
    overlap_or_gap,
    absence_in_another_order,
    negation_as_absence,
    absence_as_negation,
    site_as_guard,
    concurrency_as_guard,
    sequence_as_guard,
)


# -- what the laws share -----------------------------------------------------------------------------------------------


def _is_gap(pattern: Pattern) -> bool:
    return isinstance(pattern, Sequence) and pattern.order is Precedence.GAP


def _ordered(parts: tuple[Pattern, ...], order: Precedence, span: Span | None) -> Pattern:
    """A sequence, flat on the left as all languages read it."""
    first = parts[0]
    before = first.parts if isinstance(first, Sequence) and first.order is order else (first,)
    return Sequence((*before, *parts[1:]), order, span=span)


def _both(parts: tuple[Pattern, ...], span: Span | None) -> Pattern:
    first = parts[0]
    before = first.parts if isinstance(first, Both) else (first,)
    return Both((*before, *parts[1:]), span=span)
