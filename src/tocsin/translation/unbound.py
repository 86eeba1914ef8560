"""A guard in which it is known what has occurred and what has not: what it is then worth, said more simply."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from tocsin.algebra.guards import (
    COMPARISONS,
    LOGIC,
    Binary,
    Call,
    Guard,
    Literal,
    Not,
    Occurred,
    operands,
    variables_of,
    walk,
)


def without_variables(guard: Guard, names: Set[str]) -> Guard | None:
    """`guard` without the variables: a comparison that names what has not occurred is false (SEMANTICS section 2).

    None where it is not such comparisons, joined by `&&`, `||` and `!`, that name them.
    """
    if not variables_of(guard) & names:
        return guard
    match guard:
        case Not(operand=inner):
            changed = without_variables(inner, names)
            if isinstance(changed, Literal):
                return Literal(changed.value is not True, span=guard.span)
            return None if changed is None else replace(guard, operand=changed)
        case Binary(operator=operator, left=left, right=right) if operator in LOGIC:
            one, other = without_variables(left, names), without_variables(right, names)
            return None if one is None or other is None else _joined(guard, one, other)
        case Occurred():
            return Literal(False, span=guard.span)
        case Binary(operator=operator) if operator in COMPARISONS and not any(map(_is_truth, _inside(guard))):
            return Literal(False, span=guard.span)
    return None


def with_variable(guard: Guard, name: str | None) -> Guard:
    """`guard` where the variable is known to be bound: `?x` is true."""
    match guard:
        case Occurred(variable=variable) if variable == name:
            return Literal(True, span=guard.span)
        case Not(operand=inner):
            changed = with_variable(inner, name)
            if isinstance(changed, Literal):
                return Literal(changed.value is not True, span=guard.span)
            return replace(guard, operand=changed)
        case Binary(operator=operator, left=left, right=right) if operator in LOGIC:
            return _joined(guard, with_variable(left, name), with_variable(right, name))
    return guard


def _joined(guard: Binary, one: Guard, other: Guard) -> Guard:
    """`one && other`, or `||`, without what is certain."""
    decisive = Literal(guard.operator == "||")
    if decisive in (one, other):
        return decisive
    certain = Literal(guard.operator == "&&")
    if one == certain or other == certain:
        left = other if one == certain else one
        # A value that is not a truth counts as false; joined with itself it still does.
        return left if isinstance(left, Not | Literal) or _is_truth(left) else replace(guard, left=left, right=left)
    return replace(guard, left=one, right=other)


def _inside(guard: Guard) -> list[Guard]:
    return [part for operand in operands(guard) for part in walk(operand)]


def _is_truth(guard: Guard) -> bool:
    """Whether it can be true or false, or have a value, though what it names has not occurred."""
    return isinstance(guard, Not | Occurred | Call) or (isinstance(guard, Binary) and guard.operator in COMPARISONS)
