"""Where a core expression is a pattern of the other languages and the other way round: single events, with filters.

A chain `[A];[B]` is no sequence: from each A it takes the first B alone, and what a state looks at can fail it. One
state has neither a first nor a failure: under `every` each event begins a run of its own, so `[x:A(t > 3), B]` is
`(x:A when x.t > 3) | B`. In point and interval time, in every context (one event combines with nothing).
"""

from __future__ import annotations

from dataclasses import replace

from tocsin.algebra.functions import FUNCTIONS
from tocsin.algebra.guards import Attribute, Binary, Call, Guard, Literal, Negative, Not, operands, variables_of, walk
from tocsin.algebra.patterns import (
    THIS,
    Alternation,
    AnyEvent,
    Atom,
    Automaton,
    Described,
    Either,
    EventSet,
    Everything,
    Named,
    Pattern,
    Primitive,
    Run,
    Union,
    Where,
)
from tocsin.algebra.rules import Context
from tocsin.translation.facts import Facts


def as_pattern(detector: Automaton, facts: Facts) -> Pattern | None:
    """A core expression of one state in the other languages."""
    if detector.run is not Run.EVERY or not facts.plain:
        return None
    atoms = detector.pattern.parts if isinstance(detector.pattern, Alternation) else (detector.pattern,)
    found: list[Pattern] = []
    for atom in atoms:
        accepted = _members(atom.accepts) if isinstance(atom, Atom) and _sees_itself(atom) else None
        if accepted is None:
            return None
        for each in accepted:
            event = _event(each, facts)
            if event is None:
                return None
            found.append(event)
    kinds = [
        each.type
        for atom in atoms
        if isinstance(atom, Atom)
        for each in _members(atom.accepts) or []
        if isinstance(each, Described)
    ]
    if len(set(kinds)) < len(kinds) or (len(found) > 1 and len(kinds) < len(found)):
        return None  # one event that is several of them is one occurrence there, and several here
    return found[0] if len(found) == 1 else Either(tuple(found), span=detector.span)


def _members(events: EventSet) -> list[EventSet] | None:
    match events:
        case Described() | Everything():
            return [events]
        case Union(sets=sets) if all(isinstance(each, Described) for each in sets):
            return list(sets)
    return None


def _sees_itself(atom: Atom) -> bool:
    """Whether the state looks at what it accepts: `[A in {B, C}]` never sees its A."""
    if atom.domain is None or isinstance(atom.domain, Everything):
        return True
    looked_at = {each.type for each in _members(atom.domain) or () if isinstance(each, Described) and not each.guard}
    return all(isinstance(each, Described) and each.type in looked_at for each in _members(atom.accepts) or ())


def _event(events: EventSet, facts: Facts) -> Pattern | None:
    if isinstance(events, Everything):
        return AnyEvent(span=events.span)
    assert isinstance(events, Described)
    name = events.name
    if name is None and facts.selects and events.type.isidentifier():
        name = events.type
    event: Pattern = Primitive(events.type, span=events.span)
    event = event if name is None else Named(name, event, span=events.span)
    if events.guard is None:
        return event
    if name is None or variables_of(events.guard) - {THIS}:
        return None
    guard = _renamed(events.guard, THIS, name)
    return None if guard is None else Where(event, guard, span=events.span)


def as_detector(pattern: Pattern, facts: Facts) -> Automaton | None:
    """A pattern of single events as a core expression of one state."""
    if isinstance(pattern, AnyEvent) and facts.plain:
        return Automaton(Atom(Everything(span=pattern.span), span=pattern.span), span=pattern.span)
    parts = pattern.parts if isinstance(pattern, Either) else (pattern,)
    found = [_described(part) for part in parts]
    kinds = {each.type for each in found if each is not None}
    if not facts.plain or None in found or (len(kinds) < len(found) and facts.context is not Context.UNRESTRICTED):
        return None
    sets = tuple(each for each in found if each is not None)
    if len(kinds) < len(found):
        return None
    accepts: EventSet = sets[0] if len(sets) == 1 else Union(sets, span=pattern.span)
    return Automaton(Atom(accepts, span=pattern.span), span=pattern.span)


def _described(pattern: Pattern) -> Described | None:
    match pattern:
        case Primitive(type=kind, site=None):
            return Described(kind, span=pattern.span)
        case Named(name=name, pattern=Primitive(type=kind, site=None)):
            return Described(kind, None, name, span=pattern.span)
        case Where(pattern=Named() as inner, guard=guard):
            event = _described(inner)
            filtered = _renamed(guard, inner.name, THIS) if variables_of(guard) <= {inner.name} else None
            if event is None or filtered is None:
                return None
            return replace(event, guard=filtered)
    return None


_PLAIN = (Literal, Attribute, Binary, Not, Negative)


def _renamed(guard: Guard, old: str, new: str) -> Guard | None:
    """The guard with another name for its event; None where it does more than compare attributes and values."""
    if not all(isinstance(part, _PLAIN) or _is_plain_call(part) for part in walk(guard)):
        return None
    return _rename(guard, old, new)


def _is_plain_call(part: Guard) -> bool:
    return isinstance(part, Call) and not FUNCTIONS[part.function].is_aggregate


def _rename(guard: Guard, old: str, new: str) -> Guard:
    match guard:
        case Attribute(variable=name) if name == old:
            return replace(guard, variable=new)
        case Not(operand=inner) | Negative(operand=inner):
            return replace(guard, operand=_rename(inner, old, new))
        case Binary(left=left, right=right):
            return replace(guard, left=_rename(left, old, new), right=_rename(right, old, new))
        case Call():
            return replace(guard, arguments=tuple(_rename(each, old, new) for each in operands(guard)))
    return guard
