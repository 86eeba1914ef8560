"""Event variables: which names a pattern binds, and the names that class names give by themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from tocsin.algebra.patterns import (
    Absence,
    After,
    Atom,
    Between,
    Both,
    Complement,
    Concurrent,
    Described,
    Either,
    EventSet,
    Instant,
    Intersection,
    Named,
    Never,
    Pattern,
    Primitive,
    Repeat,
    Sequence,
    Streak,
    Times,
    Timing,
    Union,
    Where,
    Widened,
    Within,
    rebuild,
    walk,
)


def name_leaves(pattern: Pattern) -> Pattern:
    """`pattern` with every class name that occurs once bound to itself: `a ; b` becomes `a:a ; b:b`.

    003 section 2.3: "The class identifier of an event can be used to refer to an instance of that event but
    this does not work for sequences of events of the same class". A name taken by a variable stays a variable.
    """
    counts = Counter(part.type for part in walk(pattern) if isinstance(part, Primitive))
    taken = {part.name for part in walk(pattern) if isinstance(part, Named)}
    given = {name for name, count in counts.items() if count == 1 and name not in taken}

    def visit(part: Pattern) -> Pattern:
        if isinstance(part, Primitive):
            return Named(part.type, part, span=part.span) if part.type in given else part
        if isinstance(part, Named) and isinstance(part.pattern, Primitive):
            return part
        return rebuild(part, visit)

    return visit(pattern)


def bound(pattern: Pattern) -> dict[str, Pattern]:
    """The variables of `pattern`, with what each stands for; the first binding of a name wins."""
    found: dict[str, Pattern] = {}
    for part in walk(pattern):
        if isinstance(part, Named):
            found.setdefault(part.name, part.pattern)
        elif isinstance(part, Atom):
            for member in members(part.accepts):
                if member.name is not None:
                    found.setdefault(member.name, Primitive(member.type))
    return found


def visible(pattern: Pattern) -> dict[str, Pattern]:
    """The variables an occurrence of `pattern` can have bound: not those of what must be absent."""
    hidden: set[str] = set()
    for part in walk(pattern):
        if isinstance(part, Absence):
            hidden |= bound(part.without).keys()
        elif isinstance(part, Never):
            hidden |= bound(part.pattern).keys()
    return {name: part for name, part in bound(pattern).items() if name not in hidden}


def always_bound(pattern: Pattern) -> str | None:
    """A variable that every occurrence of `pattern` binds."""
    match pattern:
        case Named(name=name):
            return name
        case Where(pattern=inner) | After(pattern=inner) | Instant(pattern=inner):
            return always_bound(inner)
        case Within(pattern=inner) | Between(pattern=inner):
            return always_bound(inner)
        case Both(parts=parts) | Sequence(parts=parts):
            return next((found for part in parts if (found := always_bound(part)) is not None), None)
        case Concurrent(left=one, right=other) | Absence(first=one, last=other):
            return always_bound(one) or always_bound(other)
    return None


def surely_bound(pattern: Pattern) -> frozenset[str]:
    """Variables that every occurrence of `pattern` binds: all of one alternative are not, nor those of repetitions."""
    match pattern:
        case Named(name=name, pattern=inner):
            return surely_bound(inner) | {name}
        case Where(pattern=inner) | After(pattern=inner) | Instant(pattern=inner):
            return surely_bound(inner)
        case Within(pattern=inner) | Between(pattern=inner):
            return surely_bound(inner)
        case Both(parts=parts) | Sequence(parts=parts):
            return frozenset().union(*map(surely_bound, parts))
        case Concurrent(left=one, right=other) | Absence(first=one, last=other):
            return surely_bound(one) | surely_bound(other)
        case Either(parts=parts):
            return frozenset.intersection(*map(surely_bound, parts))
    return frozenset()


def repeated(pattern: Pattern) -> set[str]:
    """The variables that stand for several occurrences, because they are inside a repetition."""
    return {name for part in walk(pattern) if isinstance(part, Times | Repeat | Streak) for name in bound(part.pattern)}


def types_of(pattern: Pattern) -> frozenset[str]:
    """The event types that a core expression speaks of."""
    parts = [part for part in walk(pattern) if isinstance(part, Atom | Widened)]
    sets = [part.accepts for part in parts if isinstance(part, Atom)]
    sets += [part.domain for part in parts if part.domain is not None]
    return frozenset(member.type for each in sets for member in members(each))


def retyped(pattern: Pattern, types: Mapping[str, str]) -> Pattern:
    """A core expression in which names of event types stand for other types.

    Where a time event of such a name can occur, the name means that.
    """
    if isinstance(pattern, Atom):
        domain = None if pattern.domain is None else _retyped_set(pattern.domain, types)
        return replace(pattern, accepts=_retyped_set(pattern.accepts, types), domain=domain)
    if isinstance(pattern, Widened):
        return replace(pattern, pattern=retyped(pattern.pattern, types), domain=_retyped_set(pattern.domain, types))
    if isinstance(pattern, Timing) and pattern.timer in types:
        inner = {name: kind for name, kind in types.items() if name != pattern.timer}
        return replace(pattern, first=retyped(pattern.first, types), second=retyped(pattern.second, inner))
    return rebuild(pattern, lambda part: retyped(part, types))


def _retyped_set(events: EventSet, types: Mapping[str, str]) -> EventSet:
    match events:
        case Described(type=name) if name in types:
            return replace(events, type=types[name])
        case Union(sets=sets) | Intersection(sets=sets):
            return replace(events, sets=tuple(_retyped_set(each, types) for each in sets))
        case Complement(set=inner):
            return replace(events, set=_retyped_set(inner, types))
    return events


def members(events: EventSet) -> Iterator[Described]:
    """The types and filters that a describable set is built from."""
    match events:
        case Described():
            yield events
        case Union(sets=sets) | Intersection(sets=sets):
            for part in sets:
                yield from members(part)
        case Complement(set=inner):
            yield from members(inner)
