"""Rigid and fluid ends (004 section III.B): those that an event of the pattern fixes, and those its surroundings do."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from tocsin.algebra.guards import variables_of
from tocsin.algebra.names import bound
from tocsin.algebra.patterns import (
    After,
    Between,
    Both,
    Either,
    Instant,
    Named,
    Never,
    Pattern,
    Precedence,
    Repeat,
    Sequence,
    Where,
    Within,
    children,
    rebuild,
    walk,
)
from tocsin.errors import Fault, Span

NOTHING = Either(())
"""What never occurs."""

# -- which ends are fluid ------------------------------------------------------------------------------------------


def front_is_fluid(pattern: Pattern) -> bool:
    """True where nothing inside says when `pattern` begins."""
    match pattern:
        case Never():
            return True
        case Named(pattern=inner) | Where(pattern=inner) | Repeat(pattern=inner):
            return front_is_fluid(inner)
        case Both(parts=parts) | Either(parts=parts):
            return any(front_is_fluid(part) for part in parts)
        case Sequence(parts=(first, *_), order=Precedence.GAP):
            return front_is_fluid(first)
    return False


def back_is_fluid(pattern: Pattern) -> bool:
    """True where nothing inside says when `pattern` ends."""
    match pattern:
        case Never():
            return True
        case Named(pattern=inner) | Where(pattern=inner) | Repeat(pattern=inner):
            return back_is_fluid(inner)
        case Both(parts=parts) | Either(parts=parts):
            return any(back_is_fluid(part) for part in parts)
        case Sequence(parts=(*_, last), order=Precedence.GAP):
            return back_is_fluid(last)
    return False


def is_open(pattern: Pattern) -> bool:
    """True where an end, or what a guard inside a negation speaks of, is left to the surroundings."""
    return front_is_fluid(pattern) or back_is_fluid(pattern) or bool(speaks_of(pattern))


def floats(pattern: Pattern) -> bool:
    """True for `F in w` with F fluid at both ends: its window hangs on the neighbour, not on F."""
    return isinstance(pattern, Within) and front_is_fluid(pattern.pattern) and back_is_fluid(pattern.pattern)


@lru_cache(maxsize=10_000)
def speaks_of(pattern: Pattern) -> frozenset[str]:
    """The variables bound outside `pattern` that guards inside its negations name."""
    negated = [part.pattern for part in walk(pattern) if isinstance(part, Never)]
    guards = [part.guard for each in negated for part in walk(each) if isinstance(part, Where)]
    return frozenset[str]().union(*map(variables_of, guards)) - bound(pattern).keys() if guards else frozenset()


def trusting(pattern: Pattern) -> Pattern:
    """`pattern` with every negation taken to hold, and in no window that hangs on a neighbour."""
    if isinstance(pattern, Never):
        return Never(NOTHING)
    if isinstance(pattern, Within) and floats(pattern):
        return trusting(pattern.pattern)
    return rebuild(pattern, trusting)


def bounded_by(window: Within | Between) -> Pattern:
    """What a window bounds: written on {E}, named or guarded or not, it bounds E."""
    inner = window.pattern
    while isinstance(inner, Named | Where):
        inner = inner.pattern
    return inner.pattern if isinstance(inner, Instant) else window.pattern


# -- what is wrong with them ---------------------------------------------------------------------------------------

_FLUID = (
    "a fluid end is one that no event fixes; bound it by an event or a window: "
    "'in SPAN', 'at [t1, t2]', in words 'within SPAN'"
)
_MOST_SHOWN = 40


def end_faults(pattern: Pattern) -> Iterator[Fault]:
    """004 section III.B: the facing ends of `->` not both fluid, and nothing fluid left without a window."""
    yield from _part_faults(pattern)
    if _is_fluid(pattern):
        yield Fault("an outer end is fluid, and there is no window to bound it", pattern.span, hint=_FLUID)


def _part_faults(part: Pattern, *, windowed: bool = False, hanging: bool = False) -> Iterator[Fault]:
    """The faults of a part and all inside. `windowed`: a window is written on it; `hanging`: a part of a sequence."""
    match part:
        case Sequence(parts=members, order=Precedence.GAP):
            yield from _facing_faults(members)
        case Instant(pattern=inner) if _is_fluid(inner) and not windowed:
            yield Fault("a fluid end inside has no window to bound it", part.span, hint=_FLUID)
        case After(pattern=inner) if _is_fluid(inner):
            yield Fault("a fluid end inside has no window to bound it", part.span, hint=_FLUID)
        case Within() if _hangs_on_nothing(part, hanging):
            yield Fault("both ends are fluid, so a sliding window has nothing to hang on", part.span, hint=_FLUID)
        case Repeat(pattern=inner) if front_is_fluid(inner) and back_is_fluid(inner):
            yield Fault("what is repeated is fluid at both ends", part.span, hint=_FLUID)
        case Both(parts=members):
            yield from _unheard(members)
    inside = isinstance(part, Within | Between) or (windowed and isinstance(part, Named | Where))
    follows = isinstance(part, Sequence) and part.order is Precedence.GAP and len(part.parts) > 1
    for child in children(part):
        yield from _part_faults(child, windowed=inside, hanging=follows)


def _is_fluid(pattern: Pattern) -> bool:
    return front_is_fluid(pattern) or back_is_fluid(pattern)


def _facing_faults(members: tuple[Pattern, ...]) -> Iterator[Fault]:
    """A window that floats is bounded by what stands before it; only the first of a sequence by what follows."""
    for place, (left, right) in enumerate(pairwise(members)):
        if floats(right) and right in _hung(members[: place + 1]):
            yield Fault("a window cannot hang on one like it", right.span, "an event between the two")
        asks_right = back_is_fluid(left) or (place == 0 and floats(left))
        if asks_right and (front_is_fluid(right) or floats(right)):
            span = right.span if left.span is None else left.span | right.span
            one, other = _written(left.span), _written(right.span)
            which = f": '{one}' and '{other}'" if one and other else " here"
            yield Fault(f"both facing ends of '->' are fluid{which}", span, hint=_FLUID)


def _hung(members: tuple[Pattern, ...]) -> list[Pattern]:
    """The windows that a sequence ends with, each hanging on the one before it."""
    match members:
        case (*others, last) if others and floats(last):
            return [*_hung(tuple(others)), last]
        case (*_, Sequence(parts=parts, order=Precedence.GAP)):
            return _hung(parts)
    return []


def _hangs_on_nothing(window: Within, hanging: bool) -> bool:
    """`E -> (F in w)` and `(F in w) -> E` hang on E; {F} has an instant, and hangs on nothing."""
    inner = bounded_by(window)
    return front_is_fluid(inner) and back_is_fluid(inner) and not (hanging and inner is window.pattern)


def _unheard(members: tuple[Pattern, ...]) -> Iterator[Fault]:
    """What is open in `E & F` is looked for last, from left to right, and knows only what was found before it."""
    for place, part in enumerate(members):
        later = [each for each in members[place + 1 :] if is_open(each)]
        for name in sorted(speaks_of(part) & {name for each in later for name in bound(each)}):
            message = f"a guard inside '!' speaks of '{name}', which stands to its right in the same '&'"
            yield Fault(message, part.span, hint="write what the guard speaks of first")


def _written(span: Span | None) -> str:
    """A pattern as it was written, on one line; nothing where its text is not known."""
    if span is None or span.source is None:
        return ""
    text = " ".join(span.source.text[span.start : span.stop].split())
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}..."
