"""Families of cuts that can be made together, and what each part then takes. They depend on the cuts' types alone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

MOST_FAMILIES: Final = 512
"""So many families of cuts are all tried."""
Family: TypeAlias = tuple[int, ...]
"""The places of cuts among all of a demand, outer ones first."""


class Taken(NamedTuple):
    """What a part takes: what cuts pass on, and types straight from their birthplaces, by their places."""

    cuts: tuple[int, ...]
    kinds: tuple[int, ...]


class Wiring(NamedTuple):
    """What the rule takes, and what each cut of a family takes, with the cuts that are inside it."""

    rule: Taken
    cuts: tuple[tuple[int, Taken, Family], ...]


def fit(one: int, other: int) -> bool:
    """Whether two cuts can be made together: one is inside the other, or they have nothing in common."""
    return one != other and one & other in (0, one, other)


def outer_first(types: Sequence[int]) -> list[int]:
    """The places of cuts, those that others may be inside first."""
    return sorted(range(len(types)), key=lambda place: (-types[place].bit_count(), types[place], place))


@lru_cache(maxsize=10_000)
def families(types: tuple[int, ...], degree: int | None, most: int) -> tuple[Family, ...] | None:
    """All families of at most so many cuts, the smallest first; None if there are too many to be tried."""
    found: list[Family] = [()]
    for place in outer_first(types):
        for family in list(found):
            if (degree is None or len(family) < degree) and all(fit(types[place], types[each]) for each in family):
                found.append((*family, place))
                if len(found) > most:
                    return None
    return tuple(sorted(found, key=len))


@lru_cache(maxsize=100_000)
def wiring(types: tuple[int, ...], kinds: int, family: Family) -> Wiring:
    """What the parts of a family take."""
    cuts: list[tuple[int, Taken, Family]] = []
    for number, place in enumerate(family):
        inner = tuple(each for each in family[number + 1 :] if types[each] & types[place] == types[each])
        cuts.append((place, _taken(types, types[place], kinds, inner), inner))
    return Wiring(_taken(types, (1 << kinds) - 1, kinds, family), tuple(cuts))


def _taken(types: tuple[int, ...], wanted: int, kinds: int, outer_first: Family) -> Taken:
    cuts: list[int] = []
    for place in outer_first:
        if types[place] & wanted == types[place]:
            cuts.append(place)
            wanted ^= types[place]
    return Taken(tuple(cuts), tuple(kind for kind in range(kinds) if wanted >> kind & 1))
