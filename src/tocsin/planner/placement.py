"""Where rules run when events are spread over shards: which of them can be told apart by a key, and by which.

A rule whose events, those that must be absent included, are all equal in an attribute is *keyed*: an event can only
concern events of its own key, so every key may be looked at by itself. A rule about single events may be anywhere.
All others are *whole*: their events come together in one shard, with the rules they have event types in common with.
Rules that trigger, enable or use each other stay together too. Of a history, some whole rules can be cut into slices of
time (`planner/slices.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import TypeVar

from tocsin.algebra.detectors import types_seen
from tocsin.algebra.guards import Attribute, Call
from tocsin.algebra.links import mentioned
from tocsin.algebra.names import bound
from tocsin.algebra.patterns import AnyEvent, At, AtInstant, Automaton, Every, Primitive, walk
from tocsin.algebra.rules import (
    ALL_RULES,
    Command,
    Declaration,
    Define,
    Disable,
    Enable,
    Program,
    Rule,
    Statement,
    Trigger,
)
from tocsin.planner.equalities import NoKey, shown
from tocsin.planner.keys import key_of
from tocsin.planner.slices import overlap_of

T = TypeVar("T")

KEYED, ANYWHERE, WHOLE = "keyed", "anywhere", "whole"

KEY = "\0key"
"""The name of the key's value in the data of rules that select theirs. No name that a user can write begins so."""

Key = tuple[tuple[str, str], ...]
"""For each event type the attribute that tells its events apart; SOURCE where that is the source."""


@dataclass(frozen=True)
class Placement:
    """Rules that run in the same shards: how their events are spread, and why, rule by rule."""

    kind: str
    key: Key
    program: Program
    reasons: tuple[tuple[str, str], ...]
    key_names: tuple[tuple[str, str], ...] = ()
    """For each keyed rule the name that the key's value has in the data of its detections."""

    @property
    def types(self) -> frozenset[str] | None:
        """The event types that its rules want; None for all."""
        return types_of(self.program.rules)

    @property
    def wants_all(self) -> bool:
        """Whether it must see every event go by: one that no rule wants still moves the clock and begins the stream."""
        return self.has_clock or not all(is_plain(statement) for statement in self.program.statements)

    @property
    def overlap(self) -> int | None:
        """How far back, in microseconds, a slice of time has to reach for its rules; None if there are no slices."""
        if self.kind != WHOLE or self.wants_all:
            return None
        return overlap_of(self.program.rules)

    @property
    def has_clock(self) -> bool:
        """Whether a rule has time events of its own: it must know when the stream began, and how far it has got."""
        parts = (part for rule in self.program.rules for part in walk(rule.pattern))
        return any(isinstance(part, At | AtInstant | Every) for part in parts)


def types_of(rules: Iterable[Rule]) -> frozenset[str] | None:
    """The event types that rules speak of; None where they take any event."""
    found = set[str]()
    for rule in rules:
        if isinstance(rule.pattern, Automaton):
            types = types_seen(rule.pattern)
            if types is None:
                return None
            found |= types
            continue
        parts = list(walk(rule.pattern))
        if any(isinstance(part, AnyEvent) for part in parts):
            return None
        found |= {part.type for part in parts if isinstance(part, Primitive)}
    return frozenset(found)


@dataclass(frozen=True)
class Wish:
    """Rules that have to run together, and how their events may be spread: by itself each such group could have shards.

    `named` is the attribute that a keyed rule tells as its key.
    """

    rules: tuple[Rule, ...]
    kind: str
    reason: str
    key: Mapping[str, str] = field(default_factory=dict)
    named: Attribute | None = None


def wishes(program: Program, by: str | None = None) -> list[Wish]:
    """The rules of a program in groups that cannot be parted, in order of definition."""
    rules = program.rules
    if not all(is_plain(statement) for statement in program.statements):
        return [Wish(rules, WHOLE, "the script raises, removes or disables things: it runs as a whole")]
    found: list[Wish] = []
    for group in _linked(rules):
        if len(group) > 1:
            together = ", ".join(rule.name for rule in group)
            found.append(Wish(tuple(group), WHOLE, f"linked by trigger, enable or name: {together}"))
            continue
        try:
            key, named = key_of(group[0], by)
        except NoKey as why:
            found.append(Wish(tuple(group), WHOLE, str(why)))
            continue
        if group[0].suppress is not None:
            key, named = suppression_key(group[0], key, named)
            if not key:
                reason = "it tells one in a length of time by something that is not its key"
                found.append(Wish(tuple(group), WHOLE, reason))
                continue
        if key:
            reason = "by " + ", ".join(f"{kind}.{shown(name)}" for kind, name in sorted(key.items()))
            found.append(Wish(tuple(group), KEYED, reason, key, named))
        else:
            found.append(Wish(tuple(group), ANYWHERE, "about single events: they may be anywhere"))
    return found


def suppression_key(
    rule: Rule, key: Mapping[str, str], named: Attribute | None
) -> tuple[dict[str, str], Attribute | None]:
    """A rule's key, or that of its single events, where it suppresses by it; nothing where not."""
    assert rule.suppress is not None
    variables = bound(rule.pattern)
    for guard in rule.suppress.by:
        match guard:
            case Attribute() if isinstance(part := variables.get(guard.variable), Primitive):
                if key.get(part.type) == guard.name:
                    return dict(key), guard
                if not key and types_of([rule]) == frozenset((part.type,)):
                    return {part.type: guard.name}, guard
            case Call(function="first", arguments=(Attribute(variable=variable, name=name),)):
                part = variables.get(variable)
                if isinstance(part, Primitive) and key.get(part.type) == name:
                    return dict(key), named
    return {}, None


def placements(program: Program, by: str | None = None) -> list[Placement]:
    """How the rules of a program are spread over shards; `by` an attribute of theirs, where it is a key at all."""
    asked = wishes(program, by)
    keyed: list[tuple[dict[str, str], list[Wish]]] = []
    for wish in asked:
        if wish.kind == KEYED:
            _join(keyed, wish)
    made = [placement_of(program, KEYED, key, members) for key, members in keyed]
    anywhere = [wish for wish in asked if wish.kind == ANYWHERE]
    if anywhere:
        made.append(placement_of(program, ANYWHERE, {}, anywhere))
    whole = [wish for wish in asked if wish.kind == WHOLE]
    cut = [wish for wish in whole if overlap_of(wish.rules) is not None]
    others = [wish for wish in whole if overlap_of(wish.rules) is None]
    return made + [placement_of(program, WHOLE, {}, members) for some in (cut, others) for members in _sharing(some)]


def is_plain(statement: Statement) -> bool:
    return isinstance(statement, Declaration | Define) or (
        isinstance(statement, Command) and isinstance(statement.action, Enable)
    )


def placement_of(program: Program, kind: str, key: Mapping[str, str], members: Iterable[Wish]) -> Placement:
    """A placement for some of a program's rules."""
    rules = [(rule, wish) for wish in members for rule in wish.rules]
    names = {rule.name: wish.named for rule, wish in rules}
    kept = tuple(_telling(each, names) for each in program.statements if _is_about(each, set(names)))
    reasons = tuple((rule.name, wish.reason) for rule, wish in rules)
    told = {rule.name: names[rule.name] for rule, _ in rules if not rule.actions}
    selects = {rule.name for rule, _ in rules if rule.select}
    shown = tuple((name, KEY if name in selects else f"{of.variable}.{of.name}") for name, of in told.items() if of)
    return Placement(kind, tuple(sorted(key.items())), Program(kept), reasons, shown)


def _telling(statement: Statement, names: Mapping[str, Attribute | None]) -> Statement:
    """A rule that selects its data tells its key too."""
    if isinstance(statement, Define) and statement.rule.select:
        key = names.get(statement.rule.name)
        if key is not None:
            return replace(statement, rule=replace(statement.rule, select=(*statement.rule.select, (KEY, key))))
    return statement


def _is_about(statement: Statement, names: set[str]) -> bool:
    match statement:
        case Define(rule=Rule(name=name)) | Command(action=Enable(rule=str(name))):
            return name in names or name == ALL_RULES
    return True


# -- rules that belong together ---------------------------------------------------------------------------------


def _linked(rules: tuple[Rule, ...]) -> list[list[Rule]]:
    """The rules in groups, none of which makes, switches or uses anything of another's."""
    made = {name for rule in rules for name in _made(rule)}
    # Who does not say what it sees may see whatever is triggered.
    is_tied = any(map(_triggers, rules)) and any(types_of([rule]) is None for rule in rules)

    def ties(rule: Rule) -> set[tuple[str, str]] | None:
        names = {("class", name) for name in _made(rule) | (mentioned(rule) & made)}
        switched = {
            ("rule", action.rule) for action in rule.actions if isinstance(action, Enable | Disable) and action.rule
        }
        unknown = {("unknown", "")} if is_tied and (_triggers(rule) or types_of([rule]) is None) else set()
        return {("rule", rule.name)} | names | switched | unknown

    return _grouped(list(rules), ties)


def _triggers(rule: Rule) -> set[str]:
    return {action.type for action in rule.actions if isinstance(action, Trigger)}


def _made(rule: Rule) -> set[str]:
    """The classes of the events that a rule makes: its own, and what it triggers."""
    return {rule.name} | _triggers(rule)


def _sharing(groups: list[Wish]) -> list[list[Wish]]:
    """Groups that want events of the same types run together: what they share is then looked for once."""
    return _grouped(groups, lambda group: types_of(group.rules))


def _grouped(things: list[T], ties_of: Callable[[T], AbstractSet[object] | None]) -> list[list[T]]:
    """The things in groups: two with a tie in common are in one, directly or by others. None is a tie to all."""
    found = [ties_of(thing) for thing in things]
    if None in found:
        return [things]
    leaders, first = list(range(len(things))), dict[object, int]()

    def leader(place: int) -> int:
        while leaders[place] != place:
            place = leaders[place] = leaders[leaders[place]]
        return place

    for place, ties in enumerate(found):
        for tie in ties or ():
            one, other = leader(first.setdefault(tie, place)), leader(place)
            leaders[max(one, other)] = min(one, other)
    groups: dict[int, list[T]] = {}
    for place, thing in enumerate(things):
        groups.setdefault(leader(place), []).append(thing)
    return list(groups.values())


def _join(keyed: list[tuple[dict[str, str], list[Wish]]], wish: Wish) -> None:
    """Puts a rule with others of the same key."""
    for known, members in keyed:
        if is_one_key(known, wish.key):
            known.update(wish.key)
            members.append(wish)
            return
    keyed.append((dict(wish.key), [wish]))


def is_one_key(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    """Whether no event type has another attribute in one of two keys than in the other."""
    return all(one.get(kind, name) == name for kind, name in other.items())
