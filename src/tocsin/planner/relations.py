"""What rules have to do with each other and with time: asked before they are planned."""

from __future__ import annotations

from dataclasses import replace

from tocsin.algebra.ends import back_is_fluid, bounded_by
from tocsin.algebra.links import mentioned
from tocsin.algebra.patterns import (
    After,
    AnyEvent,
    At,
    AtInstant,
    Automaton,
    Between,
    Either,
    Every,
    Pattern,
    Primitive,
    Streak,
    Times,
    Timing,
    Within,
    walk,
)
from tocsin.algebra.rules import Disable, Enable, Program, Raise, Remove, Rule, Trigger
from tocsin.plan.trees import occurring
from tocsin.planner.branches import branches


def interplays(program: Program) -> bool:
    """Whether what a rule does when it fires changes what the rules see or which of them run."""
    if any(isinstance(a, Trigger | Enable | Disable) for rule in program.rules for a in rule.actions):
        return True
    names = {rule.name for rule in program.rules}
    return any(not names.isdisjoint(mentioned(rule) - {rule.name}) for rule in program.rules)


def makes_what_it_sees(rule: Rule) -> bool:
    """Whether a rule triggers events of a type that it takes itself."""
    made = {action.type for action in rule.actions if isinstance(action, Trigger)}
    return any(
        isinstance(part, AnyEvent) or (isinstance(part, Primitive) and part.type in made) for part in walk(rule.pattern)
    )


def removes_late(program: Program) -> bool:
    """Whether a script removes a class when there may be events of it already: those are of no class then."""
    raised = False
    for statement in program.statements:
        raised = raised or isinstance(statement, Raise)
        if raised and isinstance(statement, Remove) and not statement.rule:
            return True
    return False


def stopped(program: Program) -> tuple[str, ...]:
    """Rules fed by others that another one disables: perhaps before their turn, though what came was theirs, too."""
    names = {rule.name for rule in program.rules}
    ends = {
        action.rule
        for rule in program.rules
        for action in rule.actions
        if isinstance(action, Disable) and action.rule != rule.name
    }
    return tuple(
        rule.name for rule in program.rules if rule.name in ends and not names.isdisjoint(mentioned(rule) - {rule.name})
    )


def searched_as_one(rules: list[Rule], apart: bool) -> list[list[Rule]]:
    """The rules among which families are looked for.

    Moments that come together come rule by rule. So a rule that waits shares only with its neighbours, and with
    none where what one does may concern the next (`apart`), or where several moments may be of the same events.
    """
    groups: list[list[Rule]] = [[]]
    for rule in rules:
        if not any(map(_is_timed, walk(rule.pattern))):
            groups[0].append(rule)
        elif apart or not _waits_for_one(rule) or not groups[1:] or not _are_equal(groups[-1][0], rule):
            groups.append([rule])
        else:
            groups[-1].append(rule)
    return groups


def waits(rule: Rule) -> bool:
    """Whether a moment can come that a rule of the network waits for."""
    if isinstance(rule.pattern, Automaton):
        return any(isinstance(part, Timing) for part in walk(rule.pattern))
    return is_timed(rule) or any(branch.waits for branch in branches(rule.pattern))


def is_timed(rule: Rule) -> bool:
    """Whether a rule has clocks of its own."""
    return any(isinstance(part, At | AtInstant | Every) for part in walk(rule.pattern))


def _is_timed(part: Pattern) -> bool:
    """Whether a part may have a moment to wait for: a fixed window has one where a negation reaches its end."""
    if isinstance(part, Timing):
        return True
    if isinstance(part, Between):
        return back_is_fluid(bounded_by(part))
    return isinstance(part, After | Within | At | AtInstant | Every)


def _waits_for_one(rule: Rule) -> bool:
    """Whether each moment that a rule waits for is of an event of its own."""
    timers = [part for part in walk(rule.pattern) if _is_timed(part)]
    if isinstance(rule.pattern, Automaton):
        return True
    if len(timers) != 1 or isinstance(timers[0], At | AtInstant | Every):
        return len(timers) == 1
    if isinstance(timers[0], Between):
        return False  # all that is in it waits for its end
    present = list(occurring(timers[0]))
    leaves = sum(isinstance(part, Primitive | AnyEvent) for part in present)
    return leaves == 1 and not any(isinstance(part, Times | Streak | Either) for part in present)


def _are_equal(one: Rule, other: Rule) -> bool:
    """Whether two rules find the same."""
    return replace(one, name="", actions=(), notify=None, select=(), callback=None) == replace(
        other, name="", actions=(), notify=None, select=(), callback=None
    )
