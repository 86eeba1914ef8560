"""Patterns of EPL and Siddhi: the parts they have in common, and how these become core expressions.

Both wait for the next event that a part asks for, and let all others pass: so a part is an atom that looks at nothing
else. What both call a logical pattern (`a and b`, `b and not c`) is a state that looks at more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from tocsin.algebra.guards import Guard
from tocsin.algebra.patterns import Atom, Described, EventSet, Iteration, Pattern, Timing, Widened
from tocsin.errors import Span
from tocsin.languages.core_filters import NO_VARIABLES
from tocsin.origins.atoms import among, chain, either, free_label, only
from tocsin.origins.words import refusal
from tocsin.time.periods import Period

MOST_IN_ANY_ORDER: Final = 3
"""Parts of `a and b and ...`: each order of them is written out."""
_APART: Final = "write a rule for each of the ways"


@dataclass(frozen=True)
class Part:
    """A part of a pattern, with its place."""

    span: Span


@dataclass(frozen=True)
class Filter(Part):
    """`a=A(n > 3)`: an event. `tag` is what later parts call it."""

    tag: str | None
    type: str
    guard: Guard | None = None

    @property
    def events(self) -> Described:
        """The events that it takes."""
        return Described(self.type, self.guard, self.tag, span=self.span)


@dataclass(frozen=True)
class Timer(Part):
    """So much time."""

    period: Period


@dataclass(frozen=True)
class Every(Part):
    """Again and again."""

    part: Part


@dataclass(frozen=True)
class Absent(Part):
    """None of it."""

    part: Part


@dataclass(frozen=True)
class All(Part):
    """All of the parts."""

    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Any(Part):
    """Any of the parts."""

    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Then(Part):
    """One after the other."""

    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Loop(Part):
    """So often; until another comes, if `end` is one."""

    part: Part
    least: int
    most: int | None
    end: Part | None = None


@dataclass(frozen=True)
class Limited(Part):
    """Over after some time, counted from when it begins to be waited for."""

    part: Part
    period: Period


def in_order(part: Part) -> tuple[Part, ...]:
    """The parts of a sequence, however they are in brackets."""
    if isinstance(part, Then):
        return tuple(inner for each in part.parts for inner in in_order(each))
    return (part,)


def filters_in(part: Part) -> Iterator[Filter]:
    """All single events of a part, from left to right."""
    match part:
        case Filter():
            yield part
        case Every(part=inner) | Absent(part=inner) | Limited(part=inner):
            yield from filters_in(inner)
        case All(parts=parts) | Any(parts=parts) | Then(parts=parts):
            for each in parts:
                yield from filters_in(each)
        case Loop(part=inner, end=end):
            yield from filters_in(inner)
            if end is not None:
                yield from filters_in(end)


@dataclass
class Expression:
    """A core expression under construction: what has come so far, and what comes next."""

    types: set[str]
    done: list[Pattern] = field(default_factory=list)

    def then(self, part: Part) -> None:
        """One part more."""
        if isinstance(part, Limited):
            if isinstance(part.part, Then):
                hint = "put it behind the last part: every a=A -> b=B where timer:within(...)"
                raise refusal("a time limit around a sequence", part.span, hint)
            self._timed(self._unit(part.part), part.period, part)
        elif (timer := _timer_of(part)) is not None:
            self._timed(self._with_timer(part, timer), timer.period, part)
        else:
            self.done.append(self._unit(part))

    @property
    def pattern(self) -> Pattern:
        """All of it."""
        return chain(self.done)

    def _timed(self, second: Pattern, period: Period, part: Part) -> None:
        if not self.done:
            what = "a time that counts from when the pattern begins"
            raise refusal(
                what, part.span, "let it count from an event: every a=A -> (timer:interval(5 sec) and not b=B)"
            )
        self.done = [Timing(chain(self.done), second, self._label, period, span=part.span)]

    @property
    def _label(self) -> str:
        return free_label(self.types)

    # -- parts -------------------------------------------------------------------------------------------------

    def _with_timer(self, part: Part, timer: Timer) -> Pattern:
        time = Described(self._label, span=timer.span)
        match part:
            case Timer():
                return Atom(time, span=part.span)
            case Any(parts=parts):
                others = [_single(each, "beside a time") for each in parts if not isinstance(each, Timer)]
                _refuse_same([*others], part.span)
                return only(among([*[each.events for each in others], time]))
            case All(parts=parts):
                nothing = [each for each in parts if isinstance(each, Absent)]
                if len(nothing) + 1 < len(parts):
                    raise refusal(
                        "an event and a time, both", part.span, "one after the other: a -> timer:interval(5 sec)"
                    )
                return only(time, [each.events for none in nothing for each in _absent(none)])
        raise refusal("a time inside of this", timer.span, "let it stand by itself: a=A -> timer:interval(5 sec)")

    def _unit(self, part: Part) -> Pattern:
        match part:
            case Filter():
                return only(part.events)
            case Any(parts=parts):
                found = [_single(each, "in 'or'") for each in parts]
                _refuse_same(found, part.span)
                return only(among([each.events for each in found]))
            case All(parts=parts):
                return self._all(parts, part)
            case Loop():
                return _loop(part)
            case Absent():
                hint = "say until when: b=B and not c=C, or timer:interval(5 sec) and not b=B"
                raise refusal("'not' by itself", part.span, hint)
            case Every():
                raise refusal(
                    "'every' inside a pattern", part.span, "put it first, or before each part: every a -> every b"
                )
            case Limited():
                raise refusal("a time limit inside of this", part.span, "put it around the part that it is about")
        raise refusal("a sequence inside of this", part.span, "write out its parts, one after the other: a=A -> b=B")

    def _all(self, parts: Sequence[Part], whole: Part) -> Pattern:
        """`a and b`, in any order, and none of what must not come meanwhile."""
        nothing = [each for part in parts if isinstance(part, Absent) for each in _absent(part)]
        found = [_single(part, "in 'and'") for part in parts if not isinstance(part, Absent)]
        if not found:
            raise refusal("'not' of everything", whole.span, "say what is waited for: b=B and not c=C")
        _refuse_same([*found, *nothing], whole.span)
        if len(found) > MOST_IN_ANY_ORDER:
            raise refusal(f"'and' of more than {MOST_IN_ANY_ORDER} events", whole.span, "split it into rules")
        looks: list[EventSet] = [each.events for each in nothing]
        if len(found) == 1:
            return only(found[0].events, looks)
        made = _in_any_order(found)
        return Widened(made, among(looks), span=whole.span) if looks else made


def _in_any_order(found: Sequence[Filter]) -> Pattern:
    """Each of them first, and the others after it: after each beginning there is one way to go on."""
    ways = []
    for place, each in enumerate(found):
        others = (*found[:place], *found[place + 1 :])
        ways.append(chain([only(each.events), *([_in_any_order(others)] if others else [])]))
    return either(ways)


def _timer_of(part: Part) -> Timer | None:
    parts = part.parts if isinstance(part, All | Any) else (part,)
    found = [each for each in parts if isinstance(each, Timer)]
    if len(found) > 1:
        raise refusal("two times at once", found[1].span, "the shorter or the longer of them is enough")
    return found[0] if found else None


def _loop(loop: Loop) -> Pattern:
    inner = _single(loop.part, "in a loop")
    repeated = Iteration(only(inner.events), loop.least, loop.most, span=loop.span)
    if loop.end is None:
        return only(inner.events) if (loop.least, loop.most) == (1, 1) else repeated
    end = _single(loop.end, "that ends a loop")
    _refuse_same([inner, end], loop.span)
    ended = Described(end.type, end.guard, span=end.span)
    return chain([Widened(repeated, ended, span=loop.span) if loop.least else repeated, only(end.events)])


def _single(part: Part, where: str) -> Filter:
    if isinstance(part, Every):
        raise refusal(f"'every' before a part of more, {where}", part.span, "put it around all: every (a=A and b=B)")
    if not isinstance(part, Filter):
        raise refusal(f"anything but a single event {where}", part.span, _APART)
    return part


def _absent(part: Absent) -> list[Filter]:
    inner = part.part
    parts = inner.parts if isinstance(inner, Any) else (inner,)
    found = [_single(each, "behind 'not'") for each in parts]
    return [Filter(each.span, None, each.type, each.guard) for each in found]


def _refuse_same(found: Sequence[Filter], span: Span) -> None:
    types = [each.type for each in found]
    for place, each in enumerate(types):
        if each in types[:place]:
            raise refusal(f"two events of the type '{each}', where one may be both,", span, _APART)


def refuse_names(filters: Sequence[Filter]) -> None:
    """Tags that cannot be variables here, and those that are given twice."""
    seen: set[str] = set()
    for each in filters:
        if each.tag is None:
            continue
        if each.tag in NO_VARIABLES or not each.tag.isidentifier():
            raise refusal(
                f"an event called '{each.tag}', which is a word of our own", each.span, "give it another name"
            )
        if each.tag in seen:
            raise refusal(f"two events called '{each.tag}'", each.span, "give each a name of its own")
        seen.add(each.tag)
