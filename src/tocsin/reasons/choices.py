"""A pattern with its alternatives told apart: each choice a tree whose leaves are numbered places for events.

A place is a leaf of the pattern, and a repetition has several. What must be absent has none: nobody waits for it.
Every part knows the way to it from the top of the pattern: a constraint can be found again where it is written.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice, product

from tocsin.algebra.patterns import (
    Absence,
    Accumulate,
    After,
    Aggregate,
    AnyEvent,
    At,
    AtInstant,
    Between,
    Both,
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
)

LEAVES = Primitive | AnyEvent | At | AtInstant | Every

MOST_CHOICES = 32
"""Alternatives that are looked at; a pattern with more is looked at in part."""

MOST_ROUNDS = 8
"""Events of a repetition that are told apart: of `a*[1, 1000]`, runs of so many at most beyond the least."""

Path = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Part:
    """A part of a choice: the pattern it comes from, the way there, its own parts and the places of all inside."""

    pattern: Pattern
    path: Path
    parts: tuple[Part, ...] = ()
    places: tuple[int, ...] = ()

    @property
    def is_leaf(self) -> bool:
        """Whether it stands for one event."""
        return isinstance(self.pattern, LEAVES)

    @property
    def is_plain(self) -> bool:
        """Whether it is one event under whatever names and guards, at its own time."""
        return self.is_leaf or (isinstance(self.pattern, Named | Where) and self.parts[0].is_plain)


@dataclass(frozen=True)
class Place:
    """Where an event is to stand: the leaf, and what it is called."""

    leaf: Pattern
    name: str
    group: int = -1
    """Places of one group (a counted repetition) take different events, in order of arrival."""
    rounds: tuple[tuple[int, int], ...] = ()
    """The runs it is part of, each with the round it belongs to there: rounds of one run take different events."""


@dataclass(frozen=True)
class Choice:
    """One way to choose among a pattern's alternatives."""

    root: Part
    places: tuple[Place, ...]

    def rivals(self, place: int) -> list[tuple[int, bool]]:
        """The places in other rounds of the same runs, each with whether it stands in an earlier one."""
        mine = dict(self.places[place].rounds)
        found: list[tuple[int, bool]] = []
        for other, each in enumerate(self.places):
            for run, number in each.rounds:
                if mine.get(run, number) != number:
                    found.append((other, number < mine[run]))
                    break
        return found

    @property
    def parents(self) -> dict[int, tuple[Part, int]]:
        """For each part (by identity) the one around it, and its number there."""
        found: dict[int, tuple[Part, int]] = {}
        ahead = [self.root]
        while ahead:
            part = ahead.pop()
            for number, inner in enumerate(part.parts):
                found[id(inner)] = (part, number)
                ahead.append(inner)
        return found


def choices(pattern: Pattern) -> tuple[list[Choice], bool]:
    """Every choice among the alternatives, and whether that is all of them."""
    found = list(islice(_trees(pattern, ()), MOST_CHOICES + 1))
    return [_numbered(tree) for tree in found[:MOST_CHOICES]], len(found) <= MOST_CHOICES


def _trees(pattern: Pattern, path: Path) -> Iterator[Part]:
    match pattern:
        case Primitive() | AnyEvent() | At() | AtInstant() | Every() | Never():
            yield Part(pattern, path)
        case Times(pattern=inner, count=count) | Streak(pattern=inner, count=count):
            yield from _with(pattern, path, [(0, inner)] * count)
        case Either(parts=parts):
            for number, part in enumerate(parts):
                yield from _trees(part, (*path, number))
        case Both(parts=parts) | Sequence(parts=parts):
            yield from _with(pattern, path, list(enumerate(parts)))
        case Concurrent(left=left, right=right):
            yield from _with(pattern, path, [(0, left), (1, right)])
        case Absence(first=first, last=last):
            yield from _with(pattern, path, [(0, first), (1, last)])
        case Accumulate(each=each, last=last):
            # With none of what it gathers, or with one: whether that is among them is asked of it alone.
            yield from _with(pattern, path, [(1, last)])
            yield from _with(pattern, path, [(0, each), (1, last)])
        case Repeat(pattern=inner, least=least, most=most):
            for count in range(max(least, 1), min(most, least + MOST_ROUNDS) + 1):
                yield from _with(pattern, path, [(0, inner)] * count)
        case Named() | Where() | Aggregate() | After() | Instant() | Within() | Between():
            yield from _with(pattern, path, [(0, pattern.pattern)])


def _with(pattern: Pattern, path: Path, inner: list[tuple[int, Pattern]]) -> Iterator[Part]:
    ways = [list(islice(_trees(part, (*path, number)), MOST_CHOICES + 1)) for number, part in inner]
    for chosen in product(*ways):
        yield Part(pattern, path, chosen)


def _numbered(tree: Part) -> Choice:
    """The tree with its places numbered in the order in which they are written."""
    places: list[Place] = []

    def visit(part: Part, name: str, group: int, rounds: tuple[tuple[int, int], ...] = ()) -> Part:
        pattern, first = part.pattern, len(places)
        if part.is_leaf:
            places.append(Place(pattern, name, group, rounds))
        elif isinstance(pattern, Named):
            name = pattern.name
        elif isinstance(pattern, Times | Streak):
            group = first
        elif len(part.parts) > 1:
            name = ""  # what has several parts is not what each of them is called
        if isinstance(pattern, Repeat):
            inside = [(*rounds, (first, number)) for number in range(len(part.parts))]
        else:
            inside = [rounds] * len(part.parts)
        parts = tuple(visit(each, name, group, own) for each, own in zip(part.parts, inside, strict=True))
        return replace(part, parts=parts, places=tuple(range(first, len(places))))

    root = visit(tree, "", -1)
    return Choice(root, tuple(places))
