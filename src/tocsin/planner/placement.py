"""Where rules run when events are spread over shards: which of them can be told apart by a key, and by which.

A rule whose events, those that must be absent included, are all equal in an attribute is *keyed*: an event can only
concern events of its own key, so every key may be looked at by itself. A rule about single events may be anywhere.
All others are *whole*: their events come together in one shard, with the rules they have event types in common with.
Rules that trigger, enable or use each other stay together too. Of a history, some whole rules can be cut into slices of
time (`planner/slices.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TypeVar

from tocsin.algebra.guards import Attribute, Binary, Guard, SourceOf
from tocsin.algebra.patterns import AnyEvent, At, AtInstant, Every, Named, Pattern, Primitive, walk
from tocsin.algebra.patterns import Detector as Automaton
from tocsin.algebra.replay import mentioned
from tocsin.algebra.rules import (
    ALL_RULES,
    SEARCHED,
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
from tocsin.plan import SOURCE, Branch, Chosen, Holds, Lacks, Leaf
from tocsin.planner.branches import Unsupported, branches, slot_register
from tocsin.planner.families import effective_context
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
        return self.has_clock or not all(_is_plain(statement) for statement in self.program.statements)

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
    parts = [part for rule in rules for part in walk(rule.pattern)]
    if any(isinstance(part, AnyEvent | Automaton) for part in parts):
        return None
    return frozenset(part.type for part in parts if isinstance(part, Primitive))


def placements(program: Program, by: str | None = None) -> list[Placement]:
    """How the rules of a program are spread over shards; `by` an attribute of theirs, where it is a key at all."""
    rules = program.rules
    if not all(_is_plain(statement) for statement in program.statements):
        reason = "the script raises, removes or disables things: it runs as a whole"
        return [Placement(WHOLE, (), program, tuple((rule.name, reason) for rule in rules))]
    keyed: list[tuple[dict[str, str], list[tuple[Rule, str]]]] = []
    anywhere: list[tuple[Rule, str]] = []
    whole: list[tuple[list[Rule], str]] = []
    names: dict[str, Attribute | None] = {}
    for group in _linked(rules):
        if len(group) > 1:
            together = ", ".join(rule.name for rule in group)
            whole.append((group, f"linked by trigger, enable or name: {together}"))
            continue
        (rule,) = group
        try:
            key, name = key_of(rule, by)
        except NoKey as why:
            whole.append((group, str(why)))
            continue
        if not key:
            anywhere.append((rule, "about single events: they may be anywhere"))
        else:
            names[rule.name] = name
            _join(keyed, rule, key)
    made = [_placement(program, KEYED, tuple(sorted(key.items())), members, names) for key, members in keyed]
    if anywhere:
        made.append(_placement(program, ANYWHERE, (), anywhere))
    cut = [(rules, why) for rules, why in whole if overlap_of(rules) is not None]
    others = [(rules, why) for rules, why in whole if overlap_of(rules) is None]
    return made + [_placement(program, WHOLE, (), members) for some in (cut, others) for members in _sharing(some)]


def _is_plain(statement: Statement) -> bool:
    return isinstance(statement, Declaration | Define) or (
        isinstance(statement, Command) and isinstance(statement.action, Enable)
    )


def _placement(
    program: Program,
    kind: str,
    key: Key,
    members: list[tuple[Rule, str]],
    names: Mapping[str, Attribute | None] = MappingProxyType({}),
) -> Placement:
    mine = {rule.name for rule, _ in members}
    kept = tuple(_telling(each, names) for each in program.statements if _is_about(each, mine))
    reasons = tuple((rule.name, reason) for rule, reason in members)
    told = {rule.name: names.get(rule.name) for rule, _ in members if not rule.actions}
    selects = {rule.name for rule, _ in members if rule.select}
    shown = tuple((name, KEY if name in selects else f"{of.variable}.{of.name}") for name, of in told.items() if of)
    return Placement(kind, key, Program(kept), reasons, shown)


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
        if any(isinstance(part, AnyEvent) for part in walk(rule.pattern)):
            return None
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


def _sharing(groups: list[tuple[list[Rule], str]]) -> list[list[tuple[Rule, str]]]:
    """Groups that want events of the same types run together: what they share is then looked for once."""
    found = _grouped(groups, lambda group: types_of(group[0]))
    return [[(rule, why) for rules, why in members for rule in rules] for members in found]


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


def _join(keyed: list[tuple[dict[str, str], list[tuple[Rule, str]]]], rule: Rule, key: dict[str, str]) -> None:
    """Puts a rule with others of the same key: no event type has another attribute there."""
    reason = "by " + ", ".join(f"{kind}.{shown(name)}" for kind, name in sorted(key.items()))
    for known, members in keyed:
        if all(known.get(kind, name) == name for kind, name in key.items()):
            known.update(key)
            members.append((rule, reason))
            return
    keyed.append((dict(key), [(rule, reason)]))


def shown(attribute: str) -> str:
    """An attribute of a key as people read it."""
    return "source" if attribute == SOURCE else attribute


# -- the key of a rule ------------------------------------------------------------------------------------------


class NoKey(Exception):
    """Why a rule has no key."""


def key_of(rule: Rule, by: str | None = None) -> tuple[dict[str, str], Attribute | None]:
    """For each event type of a rule the attribute in which all its events are equal; nothing if they are single.

    Also an expression that gives its value, if the rule has a name for one of the events. Raises `NoKey` with the
    reason if there is no such attribute.
    """
    for part in walk(rule.pattern):
        if isinstance(part, At | AtInstant | Every):
            raise NoKey("it has time events, which have no attributes")
        if isinstance(part, AnyEvent):
            raise NoKey("it takes events of any type")
    try:
        found = branches(rule.guarded)
        context = effective_context(rule)
    except Unsupported as why:
        raise NoKey(f"it runs on the plain meaning ({why})") from None
    if context not in SEARCHED:
        raise NoKey(f"in the context '{context}' an event concerns all others")
    keys = [_branch_key(branch, by) for branch in found]
    if all(key is None for key in keys):
        return {}, None
    merged: dict[str, str] = {}
    for key in keys:
        if key is None:
            raise NoKey("some of its alternatives are single events, others are not")
        for kind, name in key.items():
            if merged.setdefault(kind, name) != name:
                raise NoKey(f"{kind}.{shown(name)} is the key in one place, {kind}.{shown(merged[kind])} in another")
    return merged, _named(found[0], merged)


def _named(branch: Branch, key: Mapping[str, str]) -> Attribute | None:
    """A variable of the branch, with the attribute that its events have the key in."""
    types = {register: _type(leaf) for leaf, registers in branch.leaves for register in registers}
    for part in walk(branch.tree):
        names: tuple[str, ...] = ()
        if isinstance(part, Chosen):
            names, register = part.names, part.registers[0]
        elif isinstance(part, Named) and (register := slot_register(part)) >= 0:
            names = (part.name,)
        if names and key[types[register]] != SOURCE:
            return Attribute(names[0], key[types[register]])
    return None


def _branch_key(branch: Branch, by: str | None) -> dict[str, str] | None:
    """The key of one branch, which may have to be a certain attribute; None if it is a single event."""
    leaves = list(_leaves(branch))
    if len(leaves) == 1 and len(leaves[0][1]) == 1:
        return None
    same = _Equal()
    for leaf, registers in leaves:
        if leaf.attribute is not None and leaf.same:
            for register in registers[1:]:
                same.unite((registers[0], leaf.attribute), (register, leaf.attribute))
    for one, other in _equalities(branch):
        same.unite(one, other)
    everyone = {register for _, registers in leaves for register in registers}
    types = {register: _type(leaf) for leaf, registers in leaves for register in registers}
    conflict = ""
    for members in same.classes():
        if {register for register, _ in members} != everyone:
            continue
        if by is not None:
            members = {(register, name) for register, name in members if name == by}
            if {register for register, _ in members} != everyone:
                continue
        key: dict[str, str] = {}
        for register, name in sorted(members):
            if key.setdefault(types[register], name) != name:
                conflict = f"events of type {types[register]} are compared by different attributes"
                break
        else:
            return key
    nothing = "no attribute is equal in all its events"
    raise NoKey(conflict or (nothing if by is None else f"its events are not known to be equal in '{by}'"))


def _type(leaf: Leaf) -> str:
    assert isinstance(leaf.pattern, Primitive)
    return leaf.pattern.type


def _leaves(branch: Branch) -> Iterator[tuple[Leaf, tuple[int, ...]]]:
    """Its leaves, and those of what must be absent."""
    yield from branch.leaves
    for constraint in branch.constraints:
        if isinstance(constraint, Lacks):
            # The alternatives of what is absent number their registers alike: they are told apart by a large step.
            for place, inner in enumerate(constraint.branches):
                for leaf, registers in _leaves(inner):
                    yield leaf, tuple(_apart(register, place) for register in registers)


def _apart(register: int, place: int) -> int:
    return register + place * 1_000_000


def _equalities(
    branch: Branch, around: frozenset[int] = frozenset()
) -> Iterator[tuple[tuple[int, str], tuple[int, str]]]:
    """The pairs of a register and an attribute that a branch asks to be equal; `around` it are other registers."""
    own = around.union(register for _, registers in branch.leaves for register in registers)
    for constraint in branch.constraints:
        if isinstance(constraint, Holds):
            pair = _equality(constraint)
            if pair is not None:
                yield pair
        elif isinstance(constraint, Lacks):
            for place, inner in enumerate(constraint.branches):
                for one, other in _equalities(inner, own):
                    yield _moved(one, own, place), _moved(other, own, place)


def _moved(node: tuple[int, str], own: frozenset[int], place: int) -> tuple[int, str]:
    return node if node[0] in own else (_apart(node[0], place), node[1])


def _equality(holds: Holds) -> tuple[tuple[int, str], tuple[int, str]] | None:
    guard = holds.guard
    if not isinstance(guard, Binary) or guard.operator != "==":
        return None
    trees = dict(holds.variables)
    one, other = _node(guard.left, trees), _node(guard.right, trees)
    return None if one is None or other is None else (one, other)


def _node(guard: Guard, trees: dict[str, Pattern]) -> tuple[int, str] | None:
    """The register and attribute that a side of an equality is."""
    match guard:
        case Attribute(variable=variable, name=name):
            pass
        case SourceOf(variable=variable):
            name = SOURCE
        case _:
            return None
    if variable not in trees:
        return None
    register = slot_register(trees[variable])
    return None if register < 0 else (register, name)


class _Equal:
    """Nodes in classes of equals."""

    def __init__(self) -> None:
        self._class_of: dict[tuple[int, str], set[tuple[int, str]]] = {}

    def unite(self, one: tuple[int, str], other: tuple[int, str]) -> None:
        """Notes that two are equal."""
        mine, theirs = self._class_of.setdefault(one, {one}), self._class_of.setdefault(other, {other})
        if mine is not theirs:
            mine |= theirs
            for each in theirs:
                self._class_of[each] = mine

    def classes(self) -> list[set[tuple[int, str]]]:
        """All classes."""
        return list({id(each): each for each in self._class_of.values()}.values())
