"""Guards with what is known about their variables worked in: which are bound, before any event is looked at."""

from __future__ import annotations

from collections.abc import Collection

from tocsin.algebra.guards import (
    ARITHMETIC,
    COMPARISONS,
    NAMING,
    Binary,
    Guard,
    Literal,
    Negative,
    Not,
    Occurred,
    operands,
)

TRUE, FALSE = Literal(True), Literal(False)


def simplified(guard: Guard, known: Collection[str]) -> Guard:
    """`guard` where just the variables `known` are bound: the same value for every event, in fewer words."""
    match guard:
        case Occurred(variable=name):
            return Literal(name in known)
        case Not(operand=inner):
            inner = simplified(inner, known)
            return Literal(inner.value is not True) if isinstance(inner, Literal) else Not(inner)
        case Binary(operator="&&", left=left, right=right):
            left, right = simplified(left, known), simplified(right, known)
            if _is_false(left) or _is_false(right):
                return FALSE
            if left == TRUE and _is_truth(right):
                return right
            return left if right == TRUE and _is_truth(left) else Binary("&&", left, right)
        case Binary(operator="||", left=left, right=right):
            left, right = simplified(left, known), simplified(right, known)
            if left == TRUE or right == TRUE:
                return TRUE
            if _is_false(left) and _is_truth(right):
                return right
            return left if _is_false(right) and _is_truth(left) else Binary("||", left, right)
        case Binary(operator=operator, left=left, right=right) if operator in COMPARISONS:
            return FALSE if _is_missing(left, known) or _is_missing(right, known) else guard
    return guard


def _is_false(guard: Guard) -> bool:
    """A constant that a conjunction takes for false: anything that is not true."""
    return isinstance(guard, Literal) and guard.value is not True


def _is_truth(guard: Guard) -> bool:
    """Whether the value is a boolean for sure, so that it can stand alone for `true && guard`."""
    if isinstance(guard, Binary):
        return guard.operator in COMPARISONS or guard.operator in ("&&", "||")
    return isinstance(guard, Not) or (isinstance(guard, Literal) and isinstance(guard.value, bool))


def _is_missing(guard: Guard, known: Collection[str]) -> bool:
    """Whether the value is missing for sure, because it speaks of what is not bound."""
    if isinstance(guard, NAMING) and not isinstance(guard, Occurred):
        return guard.variable not in known
    if isinstance(guard, Negative) or (isinstance(guard, Binary) and guard.operator in ARITHMETIC):
        return any(_is_missing(part, known) for part in operands(guard))
    return False
