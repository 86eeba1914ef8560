"""`... by ip` spelt out: equal values of an attribute in all events of a pattern, as the guards that say so.

What is counted is counted per group; between the parts of a pattern an equality is tested; what must be absent counts
only where it is equal to what is there. Of an alternative each part has its own equality: what has not occurred
equals nothing.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import reduce
from typing import NamedTuple

from tocsin.algebra.guards import Attribute, Binary, Call, Guard, Not, Occurred, variables_of
from tocsin.algebra.names import bound
from tocsin.algebra.patterns import (
    Absence,
    After,
    Aggregate,
    AnyEvent,
    At,
    AtInstant,
    Between,
    Both,
    By,
    Concurrent,
    Either,
    Every,
    Instant,
    Named,
    Never,
    Pattern,
    Primitive,
    Repeat,
    Sequence,
    Streak,
    Times,
    Where,
    Within,
    children,
    rebuild,
    walk,
)


class Unkeyed(Exception):
    """Why the events of a pattern cannot be compared by guards."""


def keyed(pattern: Pattern) -> Pattern:
    """`pattern` with every `by` in it spelt out; as it is where that cannot be done."""
    if not any(isinstance(part, By) for part in walk(pattern)):
        return pattern
    taken = {part.type for part in walk(pattern) if isinstance(part, Primitive)} | bound(pattern).keys()
    try:
        return _spelt(pattern, taken)
    except Unkeyed:
        return pattern


def why_unkeyed(pattern: By) -> str:
    """What of a pattern cannot be compared."""
    try:
        _spelt(pattern, set())
    except Unkeyed as why:
        return str(why)
    return "something around it"


def _spelt(pattern: Pattern, taken: set[str]) -> Pattern:
    inner = rebuild(pattern, lambda part: _spelt(part, taken))
    if not isinstance(inner, By):
        return inner
    whole, _ = _Spelling(inner.attributes, taken).visit(inner.pattern, ())
    return replace(whole, span=inner.span)


class Term(NamedTuple):
    """A variable that can be asked for the key; the first of its events where it stands for several."""

    name: str
    repeated: bool

    def value(self, attribute: str) -> Guard:
        found = Attribute(self.name, attribute)
        return Call("first", (found,)) if self.repeated else found


Terms = tuple[Term, ...]
"""One event of a part; alternatives have one each."""


class _Spelling:
    """One `by` in the making."""

    def __init__(self, attributes: tuple[str, ...], taken: set[str]) -> None:
        self.attributes, self.taken = attributes, taken
        self.count = Counter[str]()

    def visit(self, pattern: Pattern, around: Terms) -> tuple[Pattern, Terms]:
        """A part with its equalities, and its events to compare with; `around` are those beside a negation."""
        match pattern:
            case At() | AtInstant() | Every():
                return pattern, ()
            case Primitive() | AnyEvent():
                name = self._name(pattern.type if isinstance(pattern, Primitive) else "event")
                return Named(name, pattern, span=pattern.span), (Term(name, False),)
            case Named(name=name, pattern=Primitive() | AnyEvent()):
                return pattern, (Term(name, False),)
            case Named() | Where() | Within() | Between() | Instant() | After():
                inner, terms = self.visit(pattern.pattern, around)
                return replace(pattern, pattern=inner), terms
            case Streak(same=same):
                inner, terms = self._counted(pattern.pattern)
                return replace(pattern, pattern=inner, same=self._with(same)), terms
            case Aggregate(same=same):
                inner, terms = self.visit(pattern.pattern, ())
                return replace(pattern, pattern=inner, same=self._with(same)), terms
            case Repeat(same=same):
                inner, terms = self._counted(pattern.pattern)
                return replace(pattern, pattern=inner, same=self._with(same)), terms
            case Times():
                return self._times(pattern)
            case Either(parts=parts):
                found = [self.visit(part, around) for part in parts]
                whole = replace(pattern, parts=tuple(part for part, _ in found))
                return whole, tuple(term for _, terms in found for term in terms)
            case Both() | Sequence():
                return self._together(pattern, around)
            case Concurrent(left=left, right=right):
                one, mine = self.visit(left, around)
                other, its = self.visit(right, around)
                return self._guarded(replace(pattern, left=one, right=other), [mine, its]), mine or its
            case Absence():
                return self._absence(pattern, around)
            case Never(pattern=absent):
                if not around:
                    raise Unkeyed("a negation with nothing beside it")
                inner, terms = self.visit(absent, ())
                return replace(pattern, pattern=self._guarded(inner, [around, terms])), ()
        raise Unkeyed("an automaton or an accumulation")

    def _name(self, kind: str) -> str:
        """A name for an event that has none: as its type, with a number."""
        while True:
            self.count[kind] += 1
            name = f"{kind}_{self.count[kind]}"
            if name not in self.taken:
                self.taken.add(name)
                return name

    def _with(self, same: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*same, *self.attributes)))

    def _counted(self, pattern: Pattern) -> tuple[Pattern, Terms]:
        if sum(isinstance(part, Primitive | AnyEvent) for part in walk(pattern)) != 1:
            raise Unkeyed("a repetition of more than single events")
        inner, terms = self.visit(pattern, ())
        return inner, tuple(Term(term.name, True) for term in terms)

    def _times(self, pattern: Times) -> tuple[Pattern, Terms]:
        if pattern.attribute is None and len(self.attributes) == 1:
            pattern = replace(pattern, attribute=self.attributes[0])
        if not pattern.same or (pattern.attribute,) != self.attributes:
            raise Unkeyed("'any' with another attribute")
        inner, terms = self._counted(pattern.pattern)
        return replace(pattern, pattern=inner), terms

    def _together(self, pattern: Both | Sequence, around: Terms) -> tuple[Pattern, Terms]:
        """Several parts: the first that has an event is what the others are compared with."""
        found: dict[int, tuple[Pattern, Terms]] = {}
        present = [place for place, part in enumerate(pattern.parts) if _is_present(part)]
        mine = around
        for place in [*present, *(place for place in range(len(pattern.parts)) if place not in present)]:
            found[place] = self.visit(pattern.parts[place], mine)
            mine = mine or found[place][1]
        whole = replace(pattern, parts=tuple(found[place][0] for place in range(len(pattern.parts))))
        terms = [found[place][1] for place in present if found[place][1]]
        return self._guarded(whole, terms), terms[0] if terms else ()

    def _absence(self, pattern: Absence, around: Terms) -> tuple[Pattern, Terms]:
        first, mine = self.visit(pattern.first, around)
        last, its = self.visit(pattern.last, around)
        absent, terms = self.visit(pattern.without, ())
        known = mine or its
        if not mine or not terms:
            raise Unkeyed("an absence after a time event")
        counts = _or([self._equal(mine, terms), Not(_or([Occurred(term.name) for term in terms]))])
        guard, decides = pattern.guard, None
        if guard is not None and variables_of(guard).isdisjoint(bound(pattern.without)):
            guard, decides = None, guard  # it speaks of what is there alone
        guard = counts if guard is None else Binary("&&", guard, counts)
        whole: Pattern = replace(pattern, first=first, last=last, without=absent, guard=guard)
        whole = whole if decides is None else Where(whole, decides)
        return self._guarded(whole, [mine, its]), known

    def _guarded(self, pattern: Pattern, terms: list[Terms]) -> Pattern:
        """`pattern` where all of these events are equal to the first."""
        others = [each for each in terms[1:] if each and terms[0]]
        guards = [self._equal(terms[0], each) for each in others]
        return Where(pattern, reduce(_and, guards), span=pattern.span) if guards else pattern

    def _equal(self, mine: Terms, others: Terms) -> Guard:
        pairs = [(one, other) for one in mine for other in others]
        return _or([reduce(_and, [_equals(one, other, name) for name in self.attributes]) for one, other in pairs])


def _is_present(pattern: Pattern) -> bool:
    """Whether a part has an event of its own, outside of what must not be."""
    if isinstance(pattern, Never):
        return False
    if isinstance(pattern, Primitive | AnyEvent):
        return True
    inner = (pattern.first, pattern.last) if isinstance(pattern, Absence) else children(pattern)
    return any(map(_is_present, inner))


def _equals(one: Term, other: Term, attribute: str) -> Guard:
    return Binary("==", one.value(attribute), other.value(attribute))


def _and(left: Guard, right: Guard) -> Guard:
    return Binary("&&", left, right)


def _or(guards: list[Guard]) -> Guard:
    return reduce(lambda left, right: Binary("||", left, right), guards)
