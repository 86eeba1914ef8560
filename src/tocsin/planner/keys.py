"""The key of a rule: for each event type the attribute that tells which of its events can concern each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from tocsin.algebra.automata import build
from tocsin.algebra.detectors import types_seen
from tocsin.algebra.guards import Attribute, Binary, conjuncts
from tocsin.algebra.names import always_bound, bound, members, repeated
from tocsin.algebra.patterns import (
    THIS,
    Alternation,
    AnyEvent,
    At,
    AtInstant,
    Automaton,
    Both,
    Concurrent,
    Described,
    Every,
    Iteration,
    Named,
    Parallel,
    Pattern,
    Primitive,
    Run,
    Sequence,
    Timing,
    Where,
    walk,
)
from tocsin.algebra.rules import SEARCHED, Context, Rule
from tocsin.plan.searches import SOURCE, Branch, Chosen
from tocsin.plan.trees import slot_register
from tocsin.planner.alternatives import Unsupported
from tocsin.planner.branches import branches
from tocsin.planner.equalities import Equal, NoKey, branch_key, covering, shown, type_of
from tocsin.planner.families import effective_context


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
    if rule.partition:
        return _partition_key(rule, by)
    if isinstance(rule.pattern, Automaton):
        return _chain_key(rule.pattern, by)
    try:
        found = branches(rule.guarded)
        context = effective_context(rule)
    except Unsupported as why:
        raise NoKey(f"it runs on the plain meaning ({why})") from None
    if context not in SEARCHED:
        paired = _key_of_pairs(rule.pattern, context, by)
        return paired, _named(found[0], paired) if found else None
    keys = [branch_key(branch, by) for branch in found]
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


def _partition_key(rule: Rule, by: str | None) -> tuple[dict[str, str], Attribute | None]:
    """The key of a rule that is there once for each value: of several attributes one will do."""
    automaton = rule.pattern if isinstance(rule.pattern, Automaton) else None
    types = {part.type for part in walk(rule.pattern) if isinstance(part, Primitive)}
    if automaton is not None:
        seen = types_seen(automaton)
        if seen is None:
            raise NoKey("its automaton looks at events whatever their type")
        types = set(seen)
    name = by if by in rule.partition else rule.partition[0]
    variable = None if automaton is not None else always_bound(rule.pattern)
    is_single = variable is not None and isinstance(bound(rule.pattern)[variable], Primitive)
    is_told = variable is not None and is_single and variable not in repeated(rule.pattern)
    return dict.fromkeys(sorted(types), name), Attribute(variable, name) if is_told and variable else None


def partition_of(rule: Rule) -> str | None:
    """The attributes by which a rule can be spread: those of its partition, or those that are equal in all its events.

    None without any.
    """
    if rule.partition:
        return ", ".join(rule.partition)
    try:
        key, _ = key_of(rule)
    except NoKey:
        return None
    names = {shown(name) for name in key.values()}
    if len(names) == 1:
        return names.pop()
    return ", ".join(f"{kind}.{shown(name)}" for kind, name in sorted(key.items())) or None


def _named(branch: Branch, key: Mapping[str, str]) -> Attribute | None:
    """A variable of the branch, with the attribute that its events have the key in."""
    types = {register: type_of(leaf) for leaf, registers in branch.leaves for register in registers}
    for part in walk(branch.tree):
        names: tuple[str, ...] = ()
        if isinstance(part, Chosen):
            names, register = part.names, part.registers[0]
        elif isinstance(part, Named) and (register := slot_register(part)) >= 0:
            names = (part.name,)
        if names and key[types[register]] != SOURCE:
            return Attribute(names[0], key[types[register]])
    return None


# -- consuming contexts --------------------------------------------------------------------------------------------

PAIRED = (Primitive, Named, Where, Both, Sequence, Concurrent)
"""Shapes that combine two by two, or stand around such."""


def _key_of_pairs(pattern: Pattern, context: Context, by: str | None) -> dict[str, str]:
    """The key of a pattern in a consuming context: every pair must ask for it itself, for it uses up what it pairs."""
    if context not in (Context.CHRONICLE, Context.CONTINUOUS) or not all(isinstance(p, PAIRED) for p in walk(pattern)):
        raise NoKey(f"in the context '{context}' an event concerns all others")
    whole: dict[str, str] | None = None
    for pair in _pairs(pattern):
        found = branches(pair)
        if not found:
            raise NoKey("a part of it can never occur")
        (branch,) = found
        names = set() if whole is None else set(whole.values())
        key = branch_key(branch, names.pop() if len(names) == 1 else by)
        if key is None:
            raise NoKey("one event alone may be what it looks for")
        whole = key if whole is None else whole
        if any(whole[kind] != name for kind, name in key.items()):
            raise NoKey("its parts are compared by other attributes than the whole")
    if whole is None:
        raise NoKey(f"in the context '{context}' an event concerns all others")
    return whole


def _pairs(pattern: Pattern, around: Pattern | None = None) -> Iterator[Pattern]:
    """Every pair of a pattern, with the guards that belong to it; the whole first."""
    around = pattern if around is None else around
    match pattern:
        case Where(pattern=inner) | Named(pattern=inner):
            yield from _pairs(inner, around)
        case Both(parts=parts) | Sequence(parts=parts):
            yield around
            yield from _pairs(replace(pattern, parts=parts[:-1]) if len(parts) > 2 else parts[0])
            yield from _pairs(parts[-1])
        case Concurrent(left=left, right=right):
            yield around
            yield from _pairs(left)
            yield from _pairs(right)


# -- automata ------------------------------------------------------------------------------------------------------


def _chain_key(pattern: Automaton, by: str | None) -> tuple[dict[str, str], Attribute | None]:
    """The key of an automaton that is a chain: what each state looks at has a value of an earlier event."""
    if any(isinstance(part, Alternation | Iteration | Timing | Parallel) for part in walk(pattern)):
        raise NoKey("an automaton with several ways on, or with time events, concerns all events")
    if pattern.run is not Run.EVERY or types_seen(pattern) is None:
        raise NoKey("its automaton looks at events whatever their type, has one run at a time, or skips")
    same, types, registers = Equal(), dict[int, str](), dict[str, int]()
    for place, state in enumerate(build(pattern.pattern)[:-1]):
        accepted = state.edges[0].accepts
        if not isinstance(accepted, Described):
            raise NoKey("it takes events of several types in one place")
        looked_at = [each for events in state.domain for each in members(events)]
        others = [each for each in looked_at if replace(each, name=None) != replace(accepted, name=None)]
        # What begins a run has none to fail; what fails one is told from what leads on by a large step.
        for step, member in enumerate([accepted, *(others if place else [])]):
            own = place + step * 1_000_000
            types[own] = member.type
            for attribute, earlier, its in _compared(member, registers):
                same.unite((own, attribute), (earlier, its))
        if accepted.name is not None:
            registers[accepted.name] = place
    if len(types) == 1:
        return {}, None
    key = covering(same, types, by)
    return key, next((Attribute(name, key[types[at]]) for name, at in registers.items()), None)


def _compared(member: Described, registers: Mapping[str, int]) -> Iterator[tuple[str, int, str]]:
    """The attributes of an event that must equal one of an earlier event: that one's register and attribute, too."""
    for guard in () if member.guard is None else conjuncts(member.guard):
        if isinstance(guard, Binary) and guard.operator == "==":
            sides = [side for side in (guard.left, guard.right) if isinstance(side, Attribute)]
            own = [side.name for side in sides if side.variable == THIS]
            for side in sides:
                if own and side.variable in registers:
                    yield own[0], registers[side.variable], side.name
