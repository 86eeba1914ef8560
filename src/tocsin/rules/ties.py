"""Events that share an instant where a rule wants one after the other: what coarse clocks make it miss."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from tocsin.algebra.doubts import guards_of
from tocsin.algebra.guards import Attribute, Binary, conjuncts
from tocsin.algebra.patterns import (
    Absence,
    After,
    Both,
    Either,
    Instant,
    Named,
    Order,
    Pattern,
    Primitive,
    Repeat,
    Sequence,
    Where,
    Within,
    walk,
)
from tocsin.algebra.rules import Program, Rule
from tocsin.events import Event

SECOND: Final = 1_000_000
_PASSING: Final = ("weak", Order.GLOBAL.value)
"""Orders to which what shares an instant is no miss: equal instants pass, or clocks of several sites are compared."""


@dataclass(frozen=True)
class Leaf:
    """One event of a pattern: its type, and the variable that guards know it by."""

    type: str
    variable: str | None = None


@dataclass
class Link:
    """Two events of a rule, one of which has to come after the other; `keys` are the attributes that must be equal.

    `firsts` and `seconds` count those of the instant `at`, by what must be equal.
    """

    rule: str
    first: Leaf
    second: Leaf
    keys: tuple[tuple[str, str], ...]
    tied: int = 0
    at: int | None = None
    firsts: Counter[str] = field(default_factory=Counter)
    seconds: Counter[str] = field(default_factory=Counter)

    def note(self, event: Event) -> None:
        """An event of one of the two types."""
        if event.end != self.at:
            self.at = event.end
            self.firsts.clear()
            self.seconds.clear()
        if event.type == self.second.type and (key := self._key(event, 1)) is not None:
            self.tied += self.firsts[key]
            self.seconds[key] += 1
        if event.type == self.first.type and (key := self._key(event, 0)) is not None:
            if self.first.type != self.second.type:
                self.tied += self.seconds[key]
            self.firsts[key] += 1

    def _key(self, event: Event, side: int) -> str | None:
        """What must be equal, as a text; None where an attribute is missing, which equals nothing."""
        values = [event.data.get(names[side]) for names in self.keys]
        return None if None in values else repr(values)  # a text, for an attribute may hold a list


class Ties:
    """Pairs that share an instant, counted as events pass, where all times are whole seconds."""

    def __init__(self, program: Program) -> None:
        self._links = [link for rule in program.rules if not rule.hidden for link in links_of(rule)]
        self._of_type: dict[str, list[Link]] = {}
        self._alone: Event | None = None
        """The last event, as long as no other shares its instant: most never meet one, and cost no more than this."""
        self._at: int | None = None
        for link in self._links:
            for kind in {link.first.type, link.second.type}:
                self._of_type.setdefault(kind, []).append(link)

    @property
    def is_watching(self) -> bool:
        """Whether there is anything to look for."""
        return bool(self._links)

    def note(self, event: Event) -> None:
        """One event that came."""
        links = self._of_type.get(event.type)
        if links is None:
            return
        if event.end % SECOND:  # the clock is finer: what shares an instant did so
            self._links.clear()
            self._of_type.clear()
            return
        if event.end != self._at:
            self._at, self._alone = event.end, event
            return
        if self._alone is not None:
            for link in self._of_type[self._alone.type]:
                link.note(self._alone)
            self._alone = None
        for link in links:
            link.note(event)

    def remarks(self) -> list[str]:
        """What was missed for that, a line for each pair of types that a rule puts one after the other."""
        return [
            f"{link.tied} pair{'s' * (link.tied > 1)} of '{link.first.type}' and '{link.second.type}'"
            f" {'share' if link.tied > 1 else 'shares'} an instant, since times are whole seconds;"
            f" rule '{link.rule}' wants one after the other: 'followed by or with' takes them, too"
            for link in self._links
            if link.tied
        ]


def links_of(rule: Rule) -> Iterator[Link]:
    """The pairs of events that a rule wants one after the other."""
    equal = [
        (part.left, part.right)
        for guard in guards_of(rule)
        for part in conjuncts(guard)
        if isinstance(part, Binary)
        and part.operator == "=="
        and isinstance(part.left, Attribute)
        and isinstance(part.right, Attribute)
    ]
    for part in walk(rule.pattern):
        if isinstance(part, Sequence | Absence) and part.order.value in _PASSING:
            continue
        if isinstance(part, Sequence):
            operands = list(zip(part.parts, part.parts[1:], strict=False))
        elif isinstance(part, Absence):
            operands = [(part.first, part.last)]
        else:
            continue
        for one, other in operands:
            for first in _leaves(one, last=True):
                for second in _leaves(other, last=part.order != Order.GAP):
                    yield Link(rule.name, first, second, _keys(first, second, equal))


def _keys(first: Leaf, second: Leaf, equal: list[tuple[Attribute, Attribute]]) -> tuple[tuple[str, str], ...]:
    """The attributes of both that must be equal."""
    found: list[tuple[str, str]] = []
    for left, right in equal:
        if (left.variable, right.variable) == (first.variable, second.variable):
            found.append((left.name, right.name))
        elif (right.variable, left.variable) == (first.variable, second.variable):
            found.append((right.name, left.name))
    return tuple(found)


def _leaves(pattern: Pattern, last: bool) -> Iterator[Leaf]:
    """The events with which a pattern may end, or begin."""
    match pattern:
        case Primitive(type=kind):
            yield Leaf(kind)
        case Named(name=name, pattern=Primitive(type=kind)):
            yield Leaf(kind, name)
        case Named(pattern=inner) | Where(pattern=inner) | Within(pattern=inner) | Instant(pattern=inner):
            yield from _leaves(inner, last)
        case Repeat(pattern=inner):
            yield from _leaves(inner, last)
        case Both(parts=parts) | Either(parts=parts):
            for part in parts:
                yield from _leaves(part, last)
        case Sequence(parts=parts):
            yield from _leaves(parts[-1 if last else 0], last)
        case Absence(first=one, last=other):
            yield from _leaves(other if last else one, last)
        case After():
            return
