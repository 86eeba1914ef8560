"""Events that share an instant where a rule wants one after the other: what coarse clocks make it miss."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Protocol

from tocsin.algebra.guards import Attribute, Binary, Guard, conjuncts
from tocsin.algebra.names import members
from tocsin.algebra.patterns import (
    THIS,
    Absence,
    After,
    Alternation,
    Atom,
    Both,
    Concatenation,
    Either,
    Instant,
    Named,
    Never,
    Pattern,
    Precedence,
    Primitive,
    Repeat,
    Sequence,
    Where,
    Within,
    walk,
)
from tocsin.algebra.rule_warnings import guards_of
from tocsin.algebra.rules import Program, Rule
from tocsin.formats.blocks import Block

SECOND: Final = 1_000_000
_REMEDIES: Final = {
    "pretty": "'followed by or with' takes them, too",
    "python": "'.then_or_with(...)' takes them, too",
    "sel": "'->=' takes them, too",
    "gem": "';=' takes them, too",
    "eps": "';=' takes them, too",
    "global": "';=' takes them, too",
    "core": "'[a] [b]', without the ';', takes what comes later at that instant, too",
}
"""How a language says that equal instants pass."""
_BETWEEN_NEGATED: Final = {"global": "around a NOT there is no ';=': times finer than a second would tell them apart"}
"""... where something must be absent between the two, if that is said otherwise."""


class Seen(Protocol):
    """What is looked at of an event."""

    @property
    def type(self) -> str: ...
    @property
    def end(self) -> int: ...
    @property
    def data(self) -> Mapping[str, object]: ...


class Row(NamedTuple):
    """An event that came in a table."""

    type: str
    end: int
    data: Mapping[str, object]


@dataclass(frozen=True)
class Leaf:
    """One event of a pattern: its type, and the variable that guards know it by."""

    type: str
    variable: str | None = None
    guard: Guard | None = None
    """What a filter of an automaton asks of it."""


@dataclass
class Link:
    """Two events of a rule, one of which has to come after the other; `keys` are the attributes that must be equal.

    `firsts` and `seconds` count those of the instant `at`, by what must be equal.
    """

    rule: Rule
    first: Leaf
    second: Leaf
    keys: tuple[tuple[str, str], ...]
    is_negated: bool = False
    """Whether something must be absent between them."""
    tied: int = 0
    at: int | None = None
    firsts: Counter[str] = field(default_factory=Counter)
    seconds: Counter[str] = field(default_factory=Counter)

    @property
    def remedy(self) -> str:
        """How the rule's language says that equal instants pass."""
        language = self.rule.language
        otherwise = _BETWEEN_NEGATED.get(language) if self.is_negated else None
        return otherwise or _REMEDIES[language]

    def note(self, event: Seen) -> None:
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

    def _key(self, event: Seen, side: int) -> str | None:
        """What must be equal, as a text; None where an attribute is missing, which equals nothing."""
        values = [event.data.get(names[side]) for names in self.keys]
        return None if None in values else repr(values)  # a text, for an attribute may hold a list


class Ties:
    """Pairs that share an instant, counted as events pass, where all times are whole seconds."""

    def __init__(self, program: Program, *, is_stamped: bool = False) -> None:
        self._links = [link for rule in program.rules if not rule.hidden for link in links_of(rule, is_stamped)]
        self._of_type: dict[str, list[Link]] = {}
        self._alone: Seen | None = None
        """The last event, as long as no other shares its instant: most never meet one, and cost no more than this."""
        self._at: int | None = None
        for link in self._links:
            for kind in {link.first.type, link.second.type}:
                self._of_type.setdefault(kind, []).append(link)

    @property
    def is_watching(self) -> bool:
        """Whether there is anything to look for."""
        return bool(self._links)

    def note(self, event: Seen) -> None:
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

    def note_rows(
        self, kinds: list[str], codes: memoryview, ends: memoryview, value: Callable[[str, int], object]
    ) -> None:
        """Events that came as columns: types by their codes, ends, and a way to an attribute of a row."""
        if any(end % SECOND for end in ends):
            self._links.clear()
            self._of_type.clear()
            return
        names = {name for link in self._links for pair in link.keys for name in pair}
        watched = [kind in self._of_type for kind in kinds]
        last = len(ends) - 1
        for place, end in enumerate(ends):
            is_tied = (place > 0 and ends[place - 1] == end) or (place < last and ends[place + 1] == end)
            if watched[codes[place]] and (is_tied or end == self._at):
                self.note(Row(kinds[codes[place]], end, {name: value(name, place) for name in names}))

    def note_block(self, block: Block) -> None:
        """Many events that came at once. Only those that share their instant with another are made."""
        codes = [code for code, kind in enumerate(block.kinds) if kind in self._of_type]
        wanted = set(codes)
        found = memoryview(block.codes).cast("q").tolist()
        ends = memoryview(block.ends).cast("q").tolist()
        last: int | None = None
        for place, code in enumerate(found):
            if code not in wanted:
                continue
            end = ends[place]
            if end % SECOND:
                self.note(block.event(place))  # which ends the matter
                return
            if end != self._at:
                self._at, self._alone, last = end, None, place
                continue
            if last is not None:
                self._alone, last = block.event(last), None
            self.note(block.event(place))
        if last is not None:
            self._alone = block.event(last)

    def remarks(self) -> list[str]:
        """What was missed for that, a line for each pair of types that a rule puts one after the other."""
        return [
            f"{link.tied} pair{'s' * (link.tied > 1)} of '{link.first.type}' and '{link.second.type}'"
            f" {'share' if link.tied > 1 else 'shares'} an instant, since times are whole seconds;"
            f" rule '{link.rule.name}' wants one after the other: {link.remedy}"
            for link in self._links
            if link.tied
        ]


def links_of(rule: Rule, is_stamped: bool = False) -> Iterator[Link]:
    """The pairs that a rule wants one after the other; `is_stamped` where the clocks of sites are compared."""
    equal = [pair for guard in guards_of(rule) for pair in _equalities(guard)]
    for part in walk(rule.pattern):
        match part:
            case Sequence(order=Precedence.WEAK) | Absence(order=Precedence.WEAK):
                continue
            case Sequence(order=Precedence.GLOBAL) | Absence(order=Precedence.GLOBAL) if is_stamped:
                continue
            case Sequence(parts=parts, order=order):
                there = [each for each in parts if not _is_absent(each)]
                operands, is_gap = list(itertools.pairwise(there)), order == Precedence.GAP
            case Absence(first=one, last=other, order=order):
                operands, is_gap = [(one, other)], order == Precedence.GAP
            case Concatenation(parts=parts, strong=True):
                operands, is_gap = list(itertools.pairwise(parts)), True
            case _:
                continue
        for one, other in operands:
            for first in _leaves(one, last=True):
                for second in _leaves(other, last=not is_gap):
                    yield Link(rule, first, second, _keys(first, second, equal), isinstance(part, Absence))


def _is_absent(pattern: Pattern) -> bool:
    """Whether a part says only what must not come between its neighbours."""
    while isinstance(pattern, Named | Where | Within):
        pattern = pattern.pattern
    return isinstance(pattern, Never)


def _equalities(guard: Guard) -> Iterator[tuple[Attribute, Attribute]]:
    for part in conjuncts(guard):
        if isinstance(part, Binary) and part.operator == "==":
            left, right = part.left, part.right
            if isinstance(left, Attribute) and isinstance(right, Attribute):
                yield left, right


def _keys(first: Leaf, second: Leaf, equal: list[tuple[Attribute, Attribute]]) -> tuple[tuple[str, str], ...]:
    """The attributes of both that must be equal."""
    found: list[tuple[str, str]] = []
    for left, right in _equalities(second.guard) if second.guard is not None else ():
        if left.variable == THIS and right.variable == first.variable:
            found.append((right.name, left.name))
        elif right.variable == THIS and left.variable == first.variable:
            found.append((left.name, right.name))
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
        case Atom(accepts=accepts):
            yield from (Leaf(member.type, member.name, member.guard) for member in members(accepts))
        case Named(pattern=inner) | Where(pattern=inner) | Within(pattern=inner) | Instant(pattern=inner):
            yield from _leaves(inner, last)
        case Repeat(pattern=inner):
            yield from _leaves(inner, last)
        case Both(parts=parts) | Either(parts=parts) | Alternation(parts=parts):
            for part in parts:
                yield from _leaves(part, last)
        case Sequence(parts=parts) | Concatenation(parts=parts):
            yield from _leaves(parts[-1 if last else 0], last)
        case Absence(first=one, last=other):
            yield from _leaves(other if last else one, last)
        case After():
            return
