"""The roll call: which of the types and attributes that rules name came in the events, and what came instead.

A name that is misspelt is no fault, since any event may still come; but after a run in which none came, or before one
with a sample at hand, the person should know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Final

from tocsin.algebra.attributes import heads_of
from tocsin.algebra.guards import Attribute, Guard
from tocsin.algebra.guards import walk as guard_parts
from tocsin.algebra.names import bound, members
from tocsin.algebra.patterns import (
    THIS,
    Aggregate,
    Atom,
    Described,
    Either,
    Named,
    Pattern,
    Primitive,
    Repeat,
    Streak,
    Times,
    Timing,
    Where,
    children,
    walk,
)
from tocsin.algebra.rule_warnings import guards_of
from tocsin.algebra.rules import Program, Raise, Rule, Trigger
from tocsin.algebra.templates import pieces_of
from tocsin.algebra.values import MISSING
from tocsin.events import Event
from tocsin.formats.blocks import Block, Rows
from tocsin.formats.fields import KNOWN

LINES: Final = 5
"""How many names of a kind are told of; a thousand rules may name a thousand types that did not come."""
SHOWN: Final = 4
LOOKED_AT: Final = 1000
"""Events of a type whose attributes are remembered, to have a nearest one to tell."""


class Roll:
    """What rules name, called as events pass. Once all attributes of a type have answered, it costs a look an event."""

    def __init__(self, program: Program) -> None:
        made = {rule.name for rule in program.rules}
        made |= {action.type for rule in program.rules for action in rule.actions if isinstance(action, Trigger)}
        made |= {each.type for each in program.statements if isinstance(each, Raise)}
        self._types: dict[str, None] = {}
        self._silent: dict[str, set[str]] = {}
        for rule in program.rules:
            self._types.update(dict.fromkeys(kind for kind in types_named(rule) if kind not in made))
            for kind, name in attributes_named(rule):
                if kind not in made:
                    self._silent.setdefault(kind, set()).add(name)
        self.counts: dict[str, int] = {}
        self._names: dict[str, set[str]] = {}

    def note(self, event: Event) -> None:
        """One event that came."""
        kind = event.type
        self.counts[kind] = self.counts.get(kind, 0) + 1
        silent = self._silent.get(kind)
        if silent:
            self._look(kind, event.data, silent)

    def note_block(self, block: Block) -> None:
        """Many events that came at once: they are looked at as long as one by one they would be."""
        codes = None
        for kind, count in block.counts.items():
            silent = self._silent.get(kind)
            if silent:
                codes = codes or memoryview(block.codes).cast("q").tolist()
                code = block.kinds.index(kind)
                self._note_of(kind, block, [place for place, each in enumerate(codes) if each == code], silent)
            else:
                self.counts[kind] = self.counts.get(kind, 0) + count

    def _note_of(self, kind: str, block: Block, places: list[int], silent: set[str]) -> None:
        """Some events of one type."""
        for number, place in enumerate(places):
            if not silent or self.counts.get(kind, 0) >= LOOKED_AT:
                self.counts[kind] = self.counts.get(kind, 0) + len(places) - number
                silent.difference_update([name for name in silent if _is_there(block.rows, name, places[number:])])
                return
            self.note(block.event(place))

    def note_table(self, kinds: Iterable[str], names: Iterable[str]) -> None:
        """Events that came as columns: their types, which are not counted, and the names of the columns."""
        there = dict.fromkeys(names)
        for kind in kinds:
            self.counts.setdefault(kind, 0)
            if silent := self._silent.get(kind):
                self._look(kind, there, silent)

    def _look(self, kind: str, data: Mapping[str, object], silent: set[str]) -> None:
        silent.difference_update(data)
        nested = [name for name in silent if "." in name or "[" in name]
        silent.difference_update([name for name in nested if head_of(name) in data])
        if silent and self.counts[kind] <= LOOKED_AT:
            self._names.setdefault(kind, set()).update(data)

    def missing(self) -> list[str]:
        """What did not come, a line each; nothing where no event came at all."""
        if not self.counts:
            return []
        return [*_some(self._missing_types(), "types"), *_some(self._missing_attributes(), "attributes")]

    def _missing_types(self) -> Iterator[str]:
        for kind in self._types:
            if kind not in self.counts:
                seen = ", ".join(f"{name} {count}" if count else name for name, count in self._nearest(kind))
                yield f"no event of type '{kind}'; seen: {seen}"

    def _nearest(self, kind: str) -> list[tuple[str, int]]:
        """The type most like a name, or else the most frequent ones."""
        near = nearest_of(kind, self.counts)
        if near is not None:
            return [(near, self.counts[near])]
        return sorted(self.counts.items(), key=lambda each: -each[1])[:SHOWN]

    def _missing_attributes(self) -> Iterator[str]:
        for kind, silent in self._silent.items():
            if kind not in self.counts:
                continue
            names = self._names.get(kind, set())
            for name in sorted(silent):
                near = nearest_of(name, names)
                shown = [near] if near is not None else sorted(names)[: 2 * SHOWN]
                told = f"seen: {', '.join(shown)}" if shown else "they have none"
                head = heads_of(name)[-1]
                if head in KNOWN:
                    told += f" ('{head}' beside the other fields is a detection's: put it in data)"
                yield f"no event of type '{kind}' has '{name}'; {told}"


def _is_there(rows: Rows, name: str, places: list[int]) -> bool:
    """Whether one of some events has an attribute, or the one in which it would be."""
    for own in {name, head_of(name)}:
        column = rows.column(own)
        if not isinstance(column, list) or any(column[place] is not MISSING for place in places):
            return True
    return False


def nearest_of(name: str, known: Iterable[str]) -> str | None:
    """The known name that is most like `name`, capital letters or not."""
    small = {each.lower(): each for each in known if len(each) <= 200}
    found = get_close_matches(name.lower()[:200], small, n=1, cutoff=0.6)
    return small[found[0]] if found else None


def head_of(name: str) -> str:
    """The attribute in which a nested one is looked for: `user` of `user.name` and of `user[0]`."""
    return name.partition(".")[0].partition("[")[0]


def types_named(rule: Rule) -> list[str]:
    """The types of events that a rule's pattern asks for, in order; what times itself is none."""
    found: dict[str, None] = {}
    timers: set[str] = set()
    for part in walk(rule.pattern):
        if isinstance(part, Primitive):
            found[part.type] = None
        elif isinstance(part, Timing):
            timers.add(part.timer)
        elif isinstance(part, Atom):
            found.update(dict.fromkeys(member.type for member in members(part.accepts)))
    return [kind for kind in found if kind not in timers]


def attributes_named(rule: Rule) -> Iterator[tuple[str, str]]:
    """The attributes that a rule asks for, each with a type of events that should have it."""
    variables = {name: list(_types_of(part)) for name, part in bound(rule.pattern).items()}
    quiet = () if rule.suppress is None else rule.suppress.by
    for guard in (*guards_of(rule), *(chosen for _, chosen in rule.select), *quiet, *_holes(rule)):
        for part in guard_parts(guard):
            if isinstance(part, Attribute) and len(kinds := variables.get(part.variable, [])) == 1:
                yield kinds[0], part.name
    for kind in types_named(rule):
        yield from ((kind, name) for name in rule.partition)
    for inner in walk(rule.pattern):
        for name in _compared(inner):
            if len(kinds := list(_types_of(children(inner)[0]))) == 1:
                yield kinds[0], name
        if isinstance(inner, Atom):
            for member in members(inner.accepts):
                yield from _filtered(member)


def _compared(pattern: Pattern) -> tuple[str, ...]:
    """The attributes by which a repetition tells its events apart or puts them together."""
    match pattern:
        case Times(attribute=str() as name):
            return (name,)
        case Streak(same=same, different=different):
            return same if different is None else (*same, different)
        case Repeat(same=same) | Aggregate(same=same):
            return same
    return ()


def _filtered(member: Described) -> Iterator[tuple[str, str]]:
    for part in guard_parts(member.guard) if member.guard is not None else ():
        if isinstance(part, Attribute) and part.variable == THIS:
            yield member.type, part.name


def _holes(rule: Rule) -> list[Guard]:
    return [each for each in pieces_of(rule) if not isinstance(each, str)]


def _types_of(pattern: Pattern) -> Iterator[str]:
    """The types that an event bound to a pattern may have, where it is bound to single events."""
    match pattern:
        case Primitive(type=kind):
            yield kind
        case Named(pattern=inner) | Where(pattern=inner):
            yield from _types_of(inner)
        case Either(parts=parts):
            for part in parts:
                yield from _types_of(part)


def _some(lines: Iterator[str], what: str) -> Iterator[str]:
    found = list(lines)
    yield from found[:LINES]
    if len(found) > LINES:
        yield f"and {len(found) - LINES} more {what} that rules name did not come"
