"""Rules that differ in nothing, or only in one constant: they are searched for as one.

`a.value > 5` and `a.value > 7` hold for the first, or for both, or for neither: with the constants sorted, how many
hold is found by bisection. `a.host == 'r1'` and `a.host == 'r2'` exclude each other: which one holds is one look.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tocsin.algebra.guards import Attribute, Binary, Guard, Literal, SourceOf, conjuncts
from tocsin.algebra.patterns import Automaton, Both, Pattern, Sequence, Where
from tocsin.algebra.rules import LANGUAGE_CONTEXTS, Context, Rule
from tocsin.events import Value
from tocsin.plan.programs import Family
from tocsin.plan.searches import HOLE, Branch, Lacks, Leaf, has_hole
from tocsin.planner.branches import branches

ORDERED = ("<", "<=", ">", ">=")


def families(rules: Iterable[Rule]) -> list[Family]:
    """The rules put together where they can be."""
    made: list[Family] = []
    by_shape: dict[object, list[tuple[Rule, list[Value]]]] = {}
    for rule in rules:
        shape, constants = _shape(rule)
        by_shape.setdefault(shape, []).append((rule, constants))
    for alike in by_shape.values():
        made += _split(alike)
    return made


def effective_context(rule: Rule) -> Context:
    """The rule's context. A single event is its own oldest occurrence and used up at once: nothing to keep of it.

    Unless something must be absent and what is used up cancels nothing any more, as in GEM. An automaton has runs in
    place of a context: whichever is asked for, what it finds is the same.
    """
    if isinstance(rule.pattern, Automaton):
        return LANGUAGE_CONTEXTS["core"]
    context = rule.context or LANGUAGE_CONTEXTS[rule.language]
    if context is Context.GENERIC:
        found = branches(rule.pattern)
        is_kept = rule.forgets_used and len(found) == 1 and _lacks(found[0])
        if len(found) == 1 and not found[0].waits and _is_single(found[0].leaves) and not is_kept:
            return Context.UNRESTRICTED
    return context


def _lacks(branch: Branch) -> bool:
    return any(isinstance(constraint, Lacks) for constraint in branch.constraints)


def _is_single(leaves: tuple[tuple[Leaf, tuple[int, ...]], ...]) -> bool:
    return len(leaves) == 1 and len(leaves[0][1]) == 1 and leaves[0][0].is_single


# -- shapes -----------------------------------------------------------------------------------------------------


def _shape(rule: Rule) -> tuple[object, list[Value]]:
    """A rule without its name and constants, and the constants that were taken out, in order."""
    constants: list[Value] = []
    context = effective_context(rule)
    pattern, condition = rule.pattern, rule.condition
    if context is Context.UNRESTRICTED:
        pattern = _without_constants(rule.pattern, constants)
        condition = None if condition is None else _guard_without(condition, constants)
    forgets = rule.forgets_used and context is Context.GENERIC
    return (pattern, condition, context, forgets, rule.window, rule.strict, rule.partition), constants


def _without_constants(pattern: Pattern, constants: list[Value]) -> Pattern:
    """A pattern with the constants of its guards taken out, where each must hold of every occurrence."""
    match pattern:
        case Where(pattern=inner, guard=guard):
            return Where(_without_constants(inner, constants), _guard_without(guard, constants))
        case Sequence(parts=parts) | Both(parts=parts):
            return replace(pattern, parts=tuple(_without_constants(part, constants) for part in parts))
    return pattern


def _guard_without(guard: Guard, constants: list[Value]) -> Guard:
    if isinstance(guard, Binary) and guard.operator == "&&":
        left = _guard_without(guard.left, constants)
        return Binary("&&", left, _guard_without(guard.right, constants))
    return _conjunct_without(guard, constants)


def _conjunct_without(guard: Guard, constants: list[Value]) -> Guard:
    """A comparison with its constant taken out: `e op c`, `e op e + c`, `e op e - c`, `x.attr == c`."""
    if not isinstance(guard, Binary):
        return guard
    if guard.operator == "==" and isinstance(guard.left, Attribute | SourceOf) and _is_key(guard.right):
        constants.append(guard.right.value)  # type: ignore[attr-defined]  # a literal
        return replace(guard, right=HOLE)
    if guard.operator not in ORDERED:
        return guard
    right = guard.right
    if _is_plain(right):
        constants.append(right.value)  # type: ignore[attr-defined]
        return replace(guard, right=HOLE)
    if isinstance(right, Binary) and right.operator in ("+", "-") and _is_plain(right.right):
        constants.append(right.right.value)  # type: ignore[attr-defined]
        return replace(guard, right=replace(right, right=HOLE))
    return guard


def _is_plain(guard: Guard) -> bool:
    """A number small enough to be an exact real number."""
    return (
        isinstance(guard, Literal)
        and isinstance(guard.value, int | float)
        and not isinstance(guard.value, bool)
        and abs(guard.value) <= 2**53
    )


def _is_key(guard: Guard) -> bool:
    """A text: it equals no other value, so that at most one of several holds."""
    return isinstance(guard, Literal) and isinstance(guard.value, str)


def _split(alike: list[tuple[Rule, list[Value]]]) -> list[Family]:
    """Rules of one shape as families: those that differ in the one constant in which most of them do."""
    count = len(alike[0][1])
    if count == 0 or len(alike) == 1:
        return [_plain(alike)] if count == 0 else [_plain([each]) for each in alike]
    vary = max(range(count), key=lambda n: len({_key(constants[n]) for _, constants in alike}))
    groups: dict[object, list[tuple[Rule, list[Value]]]] = {}
    for rule, constants in alike:
        groups.setdefault(tuple(map(_key, constants[:vary] + constants[vary + 1 :])), []).append((rule, constants))
    return [_family(group, vary) for group in groups.values()]


def _plain(alike: list[tuple[Rule, list[Value]]]) -> Family:
    rules = tuple(rule for rule, _ in alike)
    return Family(rules[0], ((None, rules),))


def _key(constant: object) -> object:
    return (isinstance(constant, str), constant)


def _family(alike: list[tuple[Rule, list[Value]]], vary: int) -> Family:
    members: dict[Value, list[Rule]] = {}
    for rule, constants in alike:
        members.setdefault(constants[vary], []).append(rule)
    if len(members) == 1:
        return _plain(alike)
    rule = alike[0][0]
    guard, opened = _opened(rule, vary)
    constants = list(members)
    if guard.operator != "==":
        # `e > c` holds for the small constants, `e < c` for the great ones; `- c` turns it round.
        falls = (guard.operator in ("<", "<=")) != (isinstance(guard.right, Binary) and guard.right.operator == "-")
        constants.sort(reverse=falls)
    return Family(opened, tuple((constant, tuple(members[constant])) for constant in constants))


def _opened(rule: Rule, place: int) -> tuple[Binary, Rule]:
    """The comparison whose constant stands at `place` among a rule's constants, and the rule with a hole there."""
    constants: list[Value] = []
    _without_constants(rule.pattern, constants)
    in_pattern = len(constants)
    if place < in_pattern:
        pattern = _filled(rule.pattern, place)
        opened = replace(rule, pattern=pattern)
    else:
        assert rule.condition is not None
        opened = replace(rule, condition=_filled_guard(rule.condition, place - in_pattern)[0])
    return hole_of(opened), opened


def hole_of(rule: Rule) -> Binary:
    """The comparison with the hole."""
    found = [*_guards(rule.pattern), *([] if rule.condition is None else [rule.condition])]
    for guard in found:
        for part in conjuncts(guard):
            if has_hole(part):
                assert isinstance(part, Binary)
                return part
    raise AssertionError("a family without a hole")


def _guards(pattern: Pattern) -> list[Guard]:
    match pattern:
        case Where(pattern=inner, guard=guard):
            return [*_guards(inner), guard]
        case Sequence(parts=parts) | Both(parts=parts):
            return [guard for part in parts for guard in _guards(part)]
    return []


def _filled(pattern: Pattern, place: int) -> Pattern:
    """The pattern with a hole at one place among its constants."""
    match pattern:
        case Where(pattern=inner, guard=guard):
            constants: list[Value] = []
            _without_constants(inner, constants)
            if place < len(constants):
                return replace(pattern, pattern=_filled(inner, place))
            return replace(pattern, guard=_filled_guard(guard, place - len(constants))[0])
        case Sequence(parts=parts) | Both(parts=parts):
            made = []
            for part in parts:
                constants = []
                _without_constants(part, constants)
                made.append(_filled(part, place) if 0 <= place < len(constants) else part)
                place -= len(constants)
            return replace(pattern, parts=tuple(made))
    raise AssertionError("no constant here")


def _filled_guard(guard: Guard, place: int) -> tuple[Guard, int]:
    """The guard with a hole at one place among its constants, and how many it has."""
    if isinstance(guard, Binary) and guard.operator == "&&":
        left, count = _filled_guard(guard.left, place)
        right, more = _filled_guard(guard.right, place - count)
        return Binary("&&", left, right), count + more
    constants: list[Value] = []
    opened = _conjunct_without(guard, constants)
    return (opened if constants and place == 0 else guard), len(constants)
