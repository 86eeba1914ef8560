"""SEL a second time: an independent reading of what occurs in a log.

It goes from the root down. It chooses an event for every leaf and a branch for every `|` first (a `Proof`),
then asks where its rigid ends are, and only then whether everything holds where it stands.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, product

from tocsin.algebra.ends import back_is_fluid, floats, front_is_fluid
from tocsin.algebra.patterns import (
    After,
    Between,
    Both,
    Either,
    Instant,
    Never,
    Pattern,
    Primitive,
    Repeat,
    Sequence,
    Within,
    children,
)
from tocsin.algebra.scene import FAR
from tocsin.events import Event


@dataclass(frozen=True)
class Proof:
    """A pattern with an event for every leaf, one branch of every `|`, and a length for every run."""

    pattern: Pattern
    parts: tuple[Proof, ...] = ()
    event: Event | None = None

    @property
    def events(self) -> frozenset[Event]:
        own = frozenset() if self.event is None else frozenset({self.event})
        return own.union(*(part.events for part in self.parts))


@dataclass(frozen=True)
class Place:
    """Where a proof stands: events from `first` to `last`; a fluid end takes `front` or `back` (None: not known)."""

    first: int
    last: int
    front: int
    back: int | None


EVERYWHERE = Place(-FAR, FAR, -FAR, FAR)
Ends = tuple[int | None, int | None]


def proofs(pattern: Pattern, log: list[Event]) -> Iterator[Proof]:
    match pattern:
        case Primitive(type=kind):
            yield from (Proof(pattern, (), event) for event in log if event.type == kind)
        case Never():
            yield Proof(pattern)
        case Either(parts=parts):
            yield from (Proof(pattern, (one,)) for part in parts for one in proofs(part, log))
        case Both(parts=parts) | Sequence(parts=parts):
            choices = product(*([*proofs(part, log)] for part in parts))
            yield from (Proof(pattern, chosen) for chosen in choices)
        case Repeat(pattern=inner, least=least, most=most):
            for length in range(least, most + 1):
                yield from (Proof(pattern, chosen) for chosen in product([*proofs(inner, log)], repeat=length))
        case Within(pattern=Instant(pattern=inner), period=period):
            # A window written on {E} bounds E: it is {E in w}.
            bounded: Pattern = Within(inner, period)
            yield from (Proof(Instant(bounded), (Proof(bounded, (one,)),)) for one in proofs(inner, log))
        case Between(pattern=Instant(pattern=inner), start=start, stop=stop):
            bounded = Between(inner, start, stop)
            yield from (Proof(Instant(bounded), (Proof(bounded, (one,)),)) for one in proofs(inner, log))
        case _:
            yield from (Proof(pattern, (one,)) for one in proofs(children(pattern)[0], log))


def ends(proof: Proof) -> Ends:
    """When it begins and ends, as far as its own events say; None for a fluid end."""
    match proof.pattern:
        case Primitive():
            assert proof.event is not None
            return proof.event.start, proof.event.end
        case Never():
            return None, None
        case Both():
            starts, stops = zip(*map(ends, proof.parts), strict=True)
            return None if None in starts else min(starts), None if None in stops else max(stops)
        case Sequence() | Repeat():
            found = chain_ends(proof.parts)
            return found[0][0], found[-1][1]
        case Instant():
            return (ends(proof.parts[0])[1],) * 2
        case After(period=period):
            end = ends(proof.parts[0])[1]
            assert end is not None
            return (period.added_to(end),) * 2
        case Within(pattern=inner, period=period) if not floats(proof.pattern):
            start, end = ends(proof.parts[0])
            if front_is_fluid(inner):
                assert end is not None
                return end - period.length() if start is None else start, end
            assert start is not None
            return start, start + period.length() if end is None else end
        case Between(start=first, stop=last):
            start, end = ends(proof.parts[0])
            return first if start is None else start, last if end is None else end
    return ends(proof.parts[0])


def chain_ends(parts: tuple[Proof, ...]) -> list[Ends]:
    """The ends of the parts of a sequence; a window that floats hangs on the part before it, or else after it."""
    found: list[Ends] = []
    for place, part in enumerate(parts):
        start, end = ends(part)
        if isinstance(part.pattern, Within) and floats(part.pattern):
            width = part.pattern.period.length()
            edge = found[-1][1] if place else ends(parts[1])[0]
            assert edge is not None
            low, high = (edge, edge + width) if place else (edge - width, edge)
            start, end = low if start is None else start, high if end is None else end
        found.append((start, end))
    return found


def stands(proof: Proof, place: Place, log: list[Event]) -> tuple[int, int] | None:
    """When the proof begins and ends if it holds there, else None."""
    match proof.pattern:
        case Primitive():
            assert proof.event is not None
            inside = place.first <= proof.event.start and proof.event.end <= place.last
            return (proof.event.start, proof.event.end) if inside else None
        case Never(pattern=inner):
            if place.back is None:
                return place.front, place.front
            hit = any(stands(one, place, log) is not None for one in proofs(inner, log))
            return None if hit else (place.front, place.back)
        case Both() | Either():
            found = [stands(part, place, log) for part in proof.parts]
            sure = [each for each in found if each is not None]
            return (min(s for s, _ in sure), max(e for _, e in sure)) if len(sure) == len(found) else None
        case Sequence():
            return chain_stands(proof.parts, place, log)
        case Repeat(pattern=inner):
            return chain_stands(proof.parts, place, log) if are_next(inner, proof.parts, place, log) else None
    own = stands_alone(proof, log)
    return own if own is not None and place.first <= own[0] and own[1] <= place.last else None


def stands_alone(proof: Proof, log: list[Event]) -> tuple[int, int] | None:
    """What has bounds of its own: windows, instants and delays."""
    part = proof.parts[0]
    start, end = ends(part)
    match proof.pattern:
        case Within(pattern=inner, period=period) if front_is_fluid(inner):
            assert end is not None
            begin = end - period.length()
            found = stands(part, Place(begin + 1, end, begin, end), log)
            return found if found is not None and found[1] == end else None
        case Within(period=period):
            assert start is not None
            finish = start + period.length()
            found = stands(part, Place(start, finish, start, finish), log)
            return found if found is not None and found[0] == start else None
        case Between(start=first, stop=last):
            return stands(part, Place(first, last, first, last), log)
        case Instant():
            found = stands(part, EVERYWHERE, log)
            return None if found is None else (found[1], found[1])
        case After(period=period):
            found = stands(part, EVERYWHERE, log)
            return None if found is None else (period.added_to(found[1]),) * 2
    raise AssertionError(proof.pattern)


def chain_stands(parts: tuple[Proof, ...], place: Place, log: list[Event]) -> tuple[int, int] | None:
    """Each part between the rigid ends that face it."""
    found: list[tuple[int, int]] = []
    facing = chain_ends(parts)
    hangs = [isinstance(part.pattern, Within) and floats(part.pattern) for part in parts]
    for number, part in enumerate(parts):
        # What hangs on this part does not bound it.
        before = facing[number - 1][1] if number and not (number == 1 and hangs[0]) else None
        behind = facing[number + 1][0] if number + 1 < len(parts) and not hangs[number + 1] else None
        if before is not None and behind is not None and before >= behind:
            return None
        first, front = (place.first, place.front) if before is None else (max(place.first, before + 1), before)
        last, back = (place.last, place.back) if behind is None else (min(place.last, behind - 1), behind)
        if isinstance(part.pattern, Within) and floats(part.pattern):
            width = part.pattern.period.length()
            if before is not None:
                one = stands(part.parts[0], Place(before + 1, before + width, before, before + width), log)
                one = one if one is not None and one[1] <= last else None
            else:
                assert behind is not None
                one = stands(part.parts[0], Place(behind - width, behind - 1, behind - width, behind), log)
                one = one if one is not None and first <= one[0] else None
        else:
            one = stands(part, Place(first, last, front, back), log)
        if one is None:
            return None
        found.append(one)
    return found[0][0], found[-1][1]


def are_next(inner: Pattern, parts: tuple[Proof, ...], place: Place, log: list[Event]) -> bool:
    """Whether each of a run is the next after the one before; a fluid end reaches no further than its own events."""

    def core(one: Proof, first: int, front: int) -> tuple[int, int] | None:
        return stands(one, Place(first, place.last, front, None if back_is_fluid(inner) else place.back), log)

    front = (place.first, place.front)
    for one, following in pairwise(parts):
        this = core(one, *front)
        if this is None:
            return False
        front = (max(place.first, this[1] + 1), this[1])
        others = [found for each in proofs(inner, log) if (found := core(each, *front)) is not None]
        chosen = core(following, *front)
        if chosen is None or chosen[::-1] != min(found[::-1] for found in others):
            return False
    return True


def read(pattern: Pattern, log: list[Event]) -> set[tuple[frozenset[Event], int, int]]:
    """Every occurrence, read the second way."""
    found = ((one.events, stands(one, EVERYWHERE, log)) for one in proofs(pattern, log))
    return {(events, *when) for events, when in found if when is not None}
