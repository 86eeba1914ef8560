"""What a filter may leave out for a rule: events that no operand of it takes, and attributes that it never reads.

A test of one event by itself can be made where the event is born. Where all combinations are looked for, any guard may
be one that speaks of a single event alone; elsewhere only a guard that stands directly on the event: those around an
operator choose among what waits, and what does not pass them may still be what is chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass

from tocsin.algebra.attributes import heads_of
from tocsin.algebra.guards import Attribute, Guard, Now, Occurred, Self, conjuncts, joined, variables_of
from tocsin.algebra.guards import walk as walk_guard
from tocsin.algebra.names import types_of
from tocsin.algebra.patterns import (
    Absence,
    Aggregate,
    AnyEvent,
    Automaton,
    Between,
    Both,
    Concurrent,
    Either,
    Instant,
    Named,
    Pattern,
    Primitive,
    Repeat,
    Sequence,
    Streak,
    Times,
    Where,
    Within,
    children,
    walk,
)
from tocsin.algebra.rule_warnings import guards_of
from tocsin.algebra.rules import LANGUAGE_CONTEXTS, SEARCHED, Context, Forward, Notify, Program, Rule, Trigger
from tocsin.rules.programs import only_rules, rules_program

_CARRYING = Both | Sequence | Either | Concurrent | Within | Between | Instant
"""Shapes whose guards hold for the events inside."""
EVERYTHING = Program()


@dataclass(frozen=True)
class Sifting:
    """What a filter lets through: events that fire one of its rules (without rules: all), with these attributes."""

    program: Program = EVERYTHING
    attributes: tuple[str, ...] | None = None


def siftings(program: Program, names: Set[str]) -> Mapping[str, Sifting]:
    """By type, what is enough for some rules and those that feed them; types that are not there travel whole."""
    whole = only_rules(program, names)
    if any(isinstance(part, AnyEvent) for each in whole.rules for part in walk(each.pattern)):
        return {}
    attributes = read_attributes(whole.rules[0]) if len(whole.rules) == 1 else None
    tests: dict[str, dict[Pattern, None] | None] = {}
    for each in whole.rules:
        for kind in types_of(each.pattern):
            tests[kind] = None
        for kind, test in _tests(each):
            known = tests.setdefault(kind, {})
            if known is not None and test is not None:
                known[test] = None
            else:
                tests[kind] = None
    found: dict[str, Sifting] = {}
    for kind, of_it in tests.items():
        made = Sifting(_testing(list(of_it)) if of_it else EVERYTHING, attributes)
        if made != Sifting():
            found[kind] = made
    return found


def _testing(tests: list[Pattern]) -> Program:
    return rules_program(
        [Rule(f"test {number}", test, context=Context.UNRESTRICTED) for number, test in enumerate(tests, 1)]
    )


# -- tests of single events -------------------------------------------------------------------------------------------


def _tests(rule: Rule) -> Iterator[tuple[str, Pattern | None]]:
    """For every event of the pattern its type, and the pattern of that event alone; None where any will do."""
    is_searched = (rule.context or LANGUAGE_CONTEXTS[rule.language]) in SEARCHED
    yield from _inside(rule.guarded if is_searched else rule.pattern, (), (), is_searched=is_searched)


def _inside(
    pattern: Pattern, guards: tuple[Guard, ...], names: tuple[str, ...], *, is_searched: bool
) -> Iterator[tuple[str, Pattern | None]]:
    """`guards` are those that hold for what is inside, `names` what the pattern is called."""
    match pattern:
        case Primitive(type=kind):
            yield kind, _tested(pattern, guards, names)
        case Where(pattern=inner, guard=guard):
            yield from _inside(inner, (*guards, *conjuncts(guard)), names, is_searched=is_searched)
        case Named(name=name, pattern=inner):
            yield from _inside(inner, guards, (*names, name), is_searched=is_searched)
        case Absence(first=first, last=last, without=without):
            for part in (first, last):
                yield from _inside(part, guards if is_searched else (), (), is_searched=is_searched)
            yield from _inside(without, (), (), is_searched=False)
        case _:
            carries = is_searched and isinstance(pattern, _CARRYING)
            for part in children(pattern):
                yield from _inside(part, guards if carries else (), (), is_searched=carries)


def _tested(leaf: Pattern, guards: tuple[Guard, ...], names: tuple[str, ...]) -> Pattern | None:
    kept = [guard for guard in guards if _speaks_of(guard, names)]
    if not kept:
        return None
    made = leaf
    for name in names:
        made = Named(name, made)
    return Where(made, joined("&&", kept))


def _speaks_of(guard: Guard, names: tuple[str, ...]) -> bool:
    told = variables_of(guard)
    late = any(isinstance(part, Now | Occurred | Self) for part in walk_guard(guard))
    return bool(told) and told <= set(names) and not late


# -- attributes -------------------------------------------------------------------------------------------------------


def read_attributes(rule: Rule) -> tuple[str, ...] | None:
    """The attributes that a rule reads, of whatever events; None where it may read any."""
    tells_all = not rule.select and not any(isinstance(action, Notify | Trigger) for action in rule.actions)
    tells_more = rule.notify is not None and not rule.message
    forwards = any(isinstance(action, Forward) for action in rule.actions)
    if tells_all or tells_more or forwards or rule.strict or isinstance(rule.pattern, Automaton):
        return None
    names = list(rule.partition)
    names += [part.name for guard in _guards(rule) for part in walk_guard(guard) if isinstance(part, Attribute)]
    for part in walk(rule.pattern):
        match part:
            case Times(attribute=str(name)):
                names.append(name)
            case Repeat(same=same) | Aggregate(same=same):
                names += same
            case Streak(same=same, different=different):
                names += (*same, *([] if different is None else [different]))
    return tuple(sorted({head for name in names for head in heads_of(name)}))


def _guards(rule: Rule) -> Iterator[Guard]:
    yield from guards_of(rule)
    yield from (guard for _, guard in rule.select)
    yield from (piece for piece in rule.message if isinstance(piece, Guard))
    for action in rule.actions:
        if isinstance(action, Notify | Trigger):
            yield from action.arguments
    if rule.suppress is not None:
        yield from rule.suppress.by
