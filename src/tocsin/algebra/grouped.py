"""`failed.ip` of `failed 5 times with the same ip`: one value for all of them, so that it needs no `first(...)`.

It is a way to write, as `by` is: what runs is `first(failed.ip)`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tocsin.algebra.functions import AGGREGATES
from tocsin.algebra.guards import Attribute, Binary, Call, Guard, Negative, Not
from tocsin.algebra.guards import walk as guard_parts
from tocsin.algebra.names import bound
from tocsin.algebra.patterns import Pattern, Repeat, Streak, Times, Where, rebuild, walk

Groups = Mapping[str, frozenset[str]]
"""Variables that stand for several events, and the attributes in which these are all equal."""


def groups_of(pattern: Pattern) -> Groups:
    """The groups that the repetitions of a pattern make."""
    found: dict[str, frozenset[str]] = {}
    for part in walk(pattern):
        match part:
            case Streak(same=same) | Repeat(same=same):
                names = frozenset(same)
            case Times(same=True, attribute=str() as name):
                names = frozenset((name,))
            case _:
                continue
        if names:
            found.update(dict.fromkeys(bound(part.pattern), names))
    return found


def spelt_out(guard: Guard, groups: Groups) -> Guard:
    """`guard` with `first(x.a)` for every `x.a` that is one value of a group."""
    if not any(_is_common(part, groups) for part in guard_parts(guard)):
        return guard
    match guard:
        case Attribute():
            return Call("first", (guard,), span=guard.span)
        case Not(operand=inner) | Negative(operand=inner):
            return replace(guard, operand=spelt_out(inner, groups))
        case Binary(left=left, right=right):
            return replace(guard, left=spelt_out(left, groups), right=spelt_out(right, groups))
        case Call(function=name, arguments=arguments) if name not in AGGREGATES:
            return replace(guard, arguments=tuple([spelt_out(argument, groups) for argument in arguments]))
    return guard


def grouped(pattern: Pattern) -> Pattern:
    """`pattern` with the guards around its repetitions spelt out."""
    return _spelt(pattern) if groups_of(pattern) else pattern


def _spelt(pattern: Pattern) -> Pattern:
    inner = rebuild(pattern, _spelt)
    if isinstance(inner, Where):
        # Inside a repetition a guard speaks of one event at a time: only what lies below this one is a group here.
        return replace(inner, guard=spelt_out(inner.guard, groups_of(inner.pattern)))
    return inner


def _is_common(guard: Guard, groups: Groups) -> bool:
    return isinstance(guard, Attribute) and guard.name in groups.get(guard.variable, ())
