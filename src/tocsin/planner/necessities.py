"""What must have happened of some types wherever a pattern has: patterns that are necessary for it, and no more.

Of every occurrence of the pattern, the events of those types form an occurrence of one of the patterns given here, and
no later. So what takes part in none of these can be left out where all combinations are looked for: nothing is lost.
What a step here leaves out (an operand, an order, a guard) only makes the pattern more general.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product

from tocsin.algebra.ends import back_is_fluid, floats, front_is_fluid, is_open
from tocsin.algebra.guards import Guard, Now, Occurred, Self, conjuncts, joined, variables_of
from tocsin.algebra.guards import walk as walk_guard
from tocsin.algebra.names import visible
from tocsin.algebra.patterns import (
    Absence,
    Accumulate,
    After,
    Aggregate,
    Between,
    Both,
    Concurrent,
    Either,
    Instant,
    Named,
    Never,
    Pattern,
    Precedence,
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

MOST_CHOICES = 32
"""A pattern with more alternatives than that is not told apart."""


class NoCut(Exception):
    """Why some types cannot be cut off, in one sentence."""


@dataclass(frozen=True)
class Needed:
    """What is left of a pattern in one of its alternatives: the part that is of the types asked for, if any.

    `is_whole`: it occurs just where the alternative does, with the same ends. `ends`: its end is that of the pattern.
    `begins`: it does not begin before the pattern does.
    """

    pattern: Pattern | None
    is_whole: bool = False
    ends: bool = False
    begins: bool = True


NOTHING = Needed(None)


@dataclass(frozen=True)
class Asked:
    """What is asked of a pattern: the types, and whether what was used up no longer cancels."""

    types: frozenset[str]
    forgets_used: bool = False
    positive: frozenset[str] = frozenset()
    """The types of which events can be in an occurrence."""


def types_in(pattern: Pattern) -> frozenset[str]:
    """The types of the leaves of a pattern."""
    return frozenset(part.type for part in walk(pattern) if isinstance(part, Primitive))


def necessary(pattern: Pattern, types: frozenset[str], *, forgets_used: bool = False) -> tuple[Pattern, ...]:
    """The patterns of some types that are necessary for a pattern, one of them at least; NoCut where there are none."""
    asked = Asked(types, forgets_used, positive_types(pattern))
    found = dict.fromkeys(each.pattern for each in needed(pattern, asked) if each.pattern is not None)
    return tuple(each for each in found if each is not None)


def positive_types(pattern: Pattern) -> frozenset[str]:
    """The types of the events that an occurrence of a pattern can have."""
    match pattern:
        case Primitive(type=kind):
            return frozenset({kind})
        case Never():
            return frozenset()
        case Absence(first=first, last=last):
            return positive_types(first) | positive_types(last)
    return frozenset[str]().union(*map(positive_types, children(pattern)))


def needed(pattern: Pattern, asked: Asked) -> list[Needed]:
    """What is left of a pattern, in each of its alternatives."""
    if types_in(pattern).isdisjoint(asked.types):
        return [NOTHING]
    match pattern:
        case Primitive():
            return [Needed(pattern, True, True)]
        case Named(name=name, pattern=inner):
            return [_named(name, each) for each in needed(inner, asked)]
        case Where(pattern=inner, guard=guard):
            return [_guarded(each, guard) for each in needed(inner, asked)]
        case Either(parts=parts):
            return _few(each for part in parts for each in needed(part, asked))
        case Both(parts=parts):
            return _few(map(_together, product(*(needed(part, asked) for part in parts))))
        case Concurrent(left=left, right=right):
            return _few(_concurrent(one, other) for one, other in product(needed(left, asked), needed(right, asked)))
        case Sequence():
            return _sequence(pattern, asked)
        case Absence():
            return _absence(pattern, asked)
        case Times():
            return [Needed(pattern, True, True)]
        case After(pattern=inner, instant=instant):
            return [replace(_partly(each), begins=each.begins and not instant) for each in needed(inner, asked)]
        case Instant(pattern=inner):
            return [replace(each, is_whole=False, begins=False) for each in needed(inner, asked)]
        case Within() | Between():
            return _window(pattern, asked)
    raise NoCut(_why_not(pattern))


def _few(choices: Iterable[Needed]) -> list[Needed]:
    found: dict[Needed, None] = {}
    for each in choices:
        found[each] = None
        if len(found) > MOST_CHOICES:
            raise NoCut(f"there are more than {MOST_CHOICES} alternatives")
    return list(found)


def _why_not(pattern: Pattern) -> str:
    match pattern:
        case Repeat() | Streak() | Accumulate() | Aggregate():
            return "what counts here is what came right before: every event of the types may matter"
        case Never():
            return "an absence that reaches up to the edge of a window needs every event that would break it"
    return f"{type(pattern).__name__.lower()} is not cut"


# -- names and guards ----------------------------------------------------------------------------------------------


def _named(name: str, each: Needed) -> Needed:
    if each.pattern is None or not each.is_whole:
        return each
    return replace(each, pattern=Named(name, each.pattern))


def _guarded(each: Needed, guard: Guard) -> Needed:
    """With the guards that can be told from what is left. The others are asked where the rule is."""
    if each.pattern is None:
        return each
    known = visible(each.pattern).keys()
    asked = list(conjuncts(guard))
    kept = [one for one in asked if _can_be_told(one, known)]
    if not kept:
        return replace(each, is_whole=False)
    is_whole = each.is_whole and len(kept) == len(asked)
    return replace(each, pattern=Where(each.pattern, joined("&&", kept)), is_whole=is_whole)


def _can_be_told(guard: Guard, known: Iterable[str]) -> bool:
    names = variables_of(guard)
    late = any(isinstance(part, Now | Occurred | Self) for part in walk_guard(guard))
    return bool(names) and names <= set(known) and not late


# -- operators -----------------------------------------------------------------------------------------------------


def _partly(each: Needed) -> Needed:
    return replace(each, is_whole=False, ends=False)


def _pair(one: Pattern, other: Pattern) -> Pattern:
    """Both, in any order; kept flat, as languages do."""
    parts = one.parts if isinstance(one, Both) else (one,)
    return Both((*parts, other))


def _together(parts: tuple[Needed, ...]) -> Needed:
    kept = [each for each in parts if each.pattern is not None]
    if not kept:
        return NOTHING
    is_all = len(kept) == len(parts)
    pattern = kept[0].pattern
    assert pattern is not None
    for each in kept[1:]:
        assert each.pattern is not None
        pattern = _pair(pattern, each.pattern)
    return Needed(
        pattern,
        is_all and all(each.is_whole for each in kept),
        is_all and all(each.ends for each in kept),
        all(each.begins for each in parts),
    )


def _concurrent(one: Needed, other: Needed) -> Needed:
    if one.is_whole and other.is_whole:
        assert one.pattern is not None
        assert other.pattern is not None
        return Needed(Concurrent(one.pattern, other.pattern), True, True, one.begins and other.begins)
    return _partly(_together((one, other)))


def _sequence(pattern: Sequence, asked: Asked) -> list[Needed]:
    """Operand by operand from the left. A negation between two others only keeps them apart."""
    found: list[Needed] | None = None
    seen: Pattern | None = None
    left_out = False
    for place, part in enumerate(pattern.parts):
        if 0 < place < len(pattern.parts) - 1 and is_negated(part):
            left_out = True
            found = _around(found or [], pattern.parts[place + 1 :], part, asked)
            continue
        choices = needed(part, asked)
        if found is None or seen is None:
            found = choices
        else:
            is_rigid = pattern.order is not Precedence.GAP or not (back_is_fluid(seen) or front_is_fluid(part))
            pairs = product(found, choices)
            found = _few(_followed(one, other, pattern.order, is_rigid=is_rigid) for one, other in pairs)
        seen = part
    found = found or [NOTHING]
    return [replace(each, is_whole=False) for each in found] if left_out else found


def _around(before: list[Needed], after: tuple[Pattern, ...], negated: Pattern, asked: Asked) -> list[Needed]:
    """What is left before a negation; where what it speaks of goes through the part, so must something around it."""
    kinds = types_in(negated) & asked.types
    if kinds and single(negated) is None:
        raise NoCut("what must be absent is a composite: it may begin before what it lies between")
    is_bounded = all(each.pattern is not None for each in before) and all(
        each.pattern is not None for each in needed(after[0], asked)
    )
    if kinds and not is_bounded:
        raise NoCut(_not_between(kinds))
    return before


def _not_between(kinds: frozenset[str]) -> str:
    named = " and ".join(f"'{kind}'" for kind in sorted(kinds))
    return f"{named} must be absent between two events, and they are not both in the part"


def is_negated(pattern: Pattern) -> bool:
    """Whether a pattern is a negation, under whatever names and guards."""
    while isinstance(pattern, Named | Where):
        pattern = pattern.pattern
    return isinstance(pattern, Never)


def single(pattern: Pattern) -> Primitive | None:
    """The single event that a pattern is about, under whatever names, guards and negation."""
    while isinstance(pattern, Named | Where | Never):
        pattern = pattern.pattern
    return pattern if isinstance(pattern, Primitive) else None


def _followed(one: Needed, other: Needed, order: Precedence, *, is_rigid: bool) -> Needed:
    begins = one.begins and other.begins
    if other.pattern is None:
        return replace(_partly(one), begins=begins)
    if one.pattern is None:
        return replace(other, is_whole=False, begins=begins)
    both_whole = one.is_whole and other.is_whole
    kept = {
        Precedence.ENDS: other.ends,
        Precedence.WEAK: other.ends,
        Precedence.GAP: is_rigid and (other.begins or other.is_whole),
        Precedence.GLOBAL: both_whole,
    }[order]
    if not kept:
        return Needed(_pair(one.pattern, other.pattern), False, other.ends, begins)
    if isinstance(one.pattern, Sequence) and one.pattern.order is order:
        made: Pattern = replace(one.pattern, parts=(*one.pattern.parts, other.pattern))
    else:
        made = Sequence((one.pattern, other.pattern), order)
    return Needed(made, both_whole and is_rigid, other.ends, begins)


def _absence(pattern: Absence, asked: Asked) -> list[Needed]:
    """The two ends; what must be absent between them as well, where all of it goes through the same part."""
    absent = types_in(pattern.without) & asked.types
    found: list[Needed] = []
    for one, other in product(needed(pattern.first, asked), needed(pattern.last, asked)):
        ends = _followed(one, other, pattern.order, is_rigid=True)
        if absent and (one.pattern is None or other.pattern is None or not other.ends):
            raise NoCut(_not_between(absent))
        if absent and single(pattern.without) is None:
            raise NoCut("what must be absent is a composite: it may begin before what it lies between")
        found.append(_with_absence(pattern, asked, one, other, ends))
    return _few(found)


def _with_absence(pattern: Absence, asked: Asked, one: Needed, other: Needed, ends: Needed) -> Needed:
    is_here = types_in(pattern.without) <= asked.types and single(pattern.without) is not None
    forgotten = asked.forgets_used and not types_in(pattern.without).isdisjoint(asked.positive)
    whole = one.is_whole and other.is_whole and one.pattern is not None and other.pattern is not None
    if not (is_here and whole) or forgotten or not _is_told_inside(pattern):
        pair = replace(ends, is_whole=False)
        return pair if pattern.guard is None or _selects(pattern) else _guarded(pair, pattern.guard)
    assert one.pattern is not None
    assert other.pattern is not None
    return Needed(replace(pattern, first=one.pattern, last=other.pattern), True, True, ends.begins)


def _selects(pattern: Absence) -> bool:
    guard = pattern.guard
    return guard is not None and not variables_of(guard).isdisjoint(visible(pattern.without))


def _is_told_inside(pattern: Absence) -> bool:
    """Whether its guard speaks of nothing outside, nor of the clock."""
    if pattern.guard is None:
        return True
    known = {**visible(pattern.first), **visible(pattern.last), **visible(pattern.without)}
    return all(_can_be_told(each, known) for each in conjuncts(pattern.guard))


def blockers(pattern: Pattern, types: frozenset[str]) -> Iterator[Pattern]:
    """The events of some types that must be absent somewhere in a pattern."""
    absent = [part.without if isinstance(part, Absence) else part for part in walk(pattern) if _denies(part)]
    found = dict.fromkeys(each for part in absent if (each := single(part)) is not None and each.type in types)
    return iter(found)


def _denies(part: Pattern) -> bool:
    return isinstance(part, Absence | Never)


def _window(pattern: Within | Between, asked: Asked) -> list[Needed]:
    """A window that bounds what is in it holds for every part of that, as long as nothing in it stands for more."""
    inner = pattern.pattern
    found = [replace(each, ends=each.ends and not back_is_fluid(inner)) for each in needed(inner, asked)]
    stands_for_more = any(isinstance(part, After | Instant) for part in walk(inner))
    if isinstance(pattern, Between) or floats(pattern) or stands_for_more or has_months(pattern):
        return [_partly(each) if is_open(inner) else replace(each, is_whole=False) for each in found]
    is_whole = not is_open(inner)
    return [
        each
        if each.pattern is None
        else replace(each, pattern=Within(each.pattern, pattern.period), is_whole=each.is_whole and is_whole)
        for each in found
    ]


def has_months(pattern: Within) -> bool:
    """Whether a window is as long as the calendar says."""
    return bool(pattern.period.years or pattern.period.months)
