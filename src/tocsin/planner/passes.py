"""From a program to its plan, pass by pass: `PASSES` are all of them, in order.

A pass is a function of a plan to a fuller one. Each has a law, which the tests hold it to; none looks at anything but
the plan it is given, so that a plan depends on a program and its settings alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from tocsin.algebra.links import Links
from tocsin.algebra.patterns import After, Between, Partitioned, Pattern, Within
from tocsin.algebra.rules import Context, Program, Rule
from tocsin.algebra.scripts import declared_by, enabled_by
from tocsin.plan.programs import (
    BranchPlan,
    Family,
    FamilyPlan,
    MomentPlan,
    OpeningPlan,
    Place,
    Plan,
    Relations,
    RulePlan,
    Settings,
)
from tocsin.plan.searches import Branch, Opening, Shifted
from tocsin.planner.branches import branches, openings
from tocsin.planner.families import effective_context, families, hole_of
from tocsin.planner.places import USUAL, placed
from tocsin.planner.relations import interplays, makes_what_it_sees, removes_late, searched_as_one, stopped, waits
from tocsin.planner.search_plans import anchored_plans, ticked_plan

Pass = Callable[[Plan], Plan]


def plan(program: Program, settings: Settings = USUAL) -> Plan:
    """How a program is run under these settings."""
    made = Plan(program, settings)
    for each in PASSES:
        made = each(made)
    return made


def related(made: Plan) -> Plan:
    """Finds out what the rules have to do with each other.

    Law: it is told by the rules and statements alone, and more rules never have less to do with each other. Where these
    are but some of the rules that run (`Settings.around`), it is what was found of all of them.
    """
    if made.settings.around is not None:
        return replace(made, relations=made.settings.around)
    return replace(made, relations=_relations(made.program))


def _relations(program: Program) -> Relations:
    return Relations(interplays(program), removes_late(program), stopped=stopped(program))


def assigned(made: Plan) -> Plan:
    """Gives every rule its place: in the network, or apart, and then why.

    Law: a rule's place depends on the rule, the settings and the relations, on no other rule. A rule has a reason if
    and only if it runs apart.
    """
    rules = [placed(rule, made.settings, made.relations) for rule in made.program.rules]
    known = [replace(each, waits=_waits(each)) for each in rules]
    return replace(made, rules=tuple(known))


def _waits(one: RulePlan) -> bool:
    return one.is_apart or (one.place is not Place.PAIRED and waits(one.rule))


def ordered(made: Plan) -> Plan:
    """Puts rules in the order in which they take what comes together.

    Law: every rule is in it once, and comes after those that feed it, but for circles.
    """
    links = Links({each.rule.name: each.rule for each in made.rules}, declared_by(made.program))
    feeders = tuple((name, tuple(fed)) for name, fed in links.feeders.items() if fed)
    return replace(made, order=tuple(links.order), feeders=feeders)


def paced(made: Plan) -> Plan:
    """Finds out whether events can be taken many at a time, and whether moments have to be looked out for.

    Law: where there is no interplay, no rule's firing changes what any rule finds later.
    """
    rules, relations = made.rules, made.relations
    # What stamps are is told event by event.
    is_stepped = made.settings.granularity is not None or any(each.is_apart for each in rules)
    has_interplay = relations.has_links or is_stepped
    are_apart = relations.are_apart or made.settings.is_live or has_interplay
    return replace(
        made,
        relations=replace(relations, are_apart=are_apart),
        has_interplay=has_interplay,
        has_timers=has_interplay or any(each.waits for each in rules),
        only_reports=not any(each.rule.actions or each.rule.strict or each.rule.suppress for each in rules),
    )


def united(made: Plan) -> Plan:
    """Puts rules of the network that begin together into families, which are searched for as one.

    Law: each such rule is in one family, once; the family finds for it what the rule by itself would find. What has a
    budget, or makes what it sees itself, is alone.
    """
    known = {each.rule.name: each for each in made.rules}
    starting = [rule for rule in starting_rules(made) if not known[rule.name].is_apart]
    alone = {rule.name: rule for rule in starting if made.settings.has_budget(rule.name) or makes_what_it_sees(rule)}
    others = [rule for rule in starting if rule.name not in alone]
    found = [
        _family(Family(rule, ((None, (rule,)),)), known, is_blind=makes_what_it_sees(rule)) for rule in alone.values()
    ]
    for alike in searched_as_one(others, made.relations.are_apart):
        found += [_family(each, known, is_blind=False) for each in families(alike)]
    return replace(made, families=tuple(found))


def starting_rules(made: Plan) -> list[Rule]:
    """The rules that begin, in the order in which they are enabled."""
    rules = {each.rule.name: each.rule for each in made.rules}
    names = enabled_by(made.program) if made.settings.starting is None else made.settings.starting
    return [rules[name] for name in names if name in rules]


def _family(family: Family, known: dict[str, RulePlan], *, is_blind: bool) -> FamilyPlan:
    is_equal = len(family.members) > 1 and hole_of(family.rule).operator == "=="
    is_generic = effective_context(family.rule) is Context.GENERIC
    return FamilyPlan(family, known[family.rule.name].place, is_generic, is_equal, is_blind)


def searched(made: Plan) -> Plan:
    """Multiplies out what families look for, and finds an order of search for each arrival and moment that may end it.

    Law: the branches of a pattern have its occurrences between them; whichever event of an occurrence comes last, the
    search that begins with it finds the occurrence.
    """
    granularity = made.settings.granularity
    return replace(made, families=tuple(_searched(each, granularity) for each in made.families))


def _searched(one: FamilyPlan, granularity: int | None) -> FamilyPlan:
    if one.remembers:
        return one
    found, waited = _searches(one.family.rule.searched, one.is_generic, granularity)
    return replace(one, branches=found, openings=waited)


@lru_cache(maxsize=10_000)
def _searches(
    pattern: Pattern, is_generic: bool, granularity: int | None
) -> tuple[tuple[BranchPlan, ...], tuple[OpeningPlan, ...]]:
    """The searches for a pattern: rules come and go while a program runs, and are planned anew."""
    found = branches(pattern, granularity)
    partition = pattern.attributes if isinstance(pattern, Partitioned) else ()
    waited = _openings(found, partition, granularity, uses_up=is_generic)
    known = frozenset((origin, opening.branch.tree) for origin, opening in waited)
    ways = tuple(
        BranchPlan(branch, tuple(anchored_plans(branch, oldest_first=is_generic)), _moments(branch, known, is_generic))
        for branch in found
    )
    begun = tuple(
        OpeningPlan(
            origin,
            opening,
            tuple(anchored_plans(_hoped_for(origin, opening.branch), oldest_first=False, waiting=True)),
            _moments(opening.branch, known, oldest_first=False),
        )
        for origin, opening in waited
    )
    return ways, begun


def _hoped_for(origin: After | Within | Between, branch: Branch) -> Branch:
    """What may turn out to open a fixed window when that ends.

    A run that goes on with a burst begins it after all, if the rule's own window has left behind what was before it.
    """
    if not isinstance(origin, Between):
        return branch
    leaves = tuple(
        (leaf if leaf.row is None else replace(leaf, row=replace(leaf.row, once=False)), registers)
        for leaf, registers in branch.leaves
    )
    return replace(branch, leaves=leaves)


def _moments(
    branch: Branch, known: frozenset[tuple[After | Within | Between, Pattern]], oldest_first: bool
) -> tuple[MomentPlan, ...]:
    """The searches that moments start; what is not among the `known` can never occur, and is not waited for."""
    return tuple(
        MomentPlan(wait, ticked_plan(branch, wait, oldest_first=oldest_first))
        for wait in branch.waits
        if (wait.origin, wait.resolved) in known
    )


def _openings(
    found: tuple[Branch, ...], partition: tuple[str, ...], granularity: int | None, *, uses_up: bool
) -> list[tuple[After | Within | Between, Opening]]:
    """What must have occurred before each moment is waited for, for all that some branches wait for.

    Where nothing is used up, what must be absent and is there already makes all waiting vain.
    """
    made: dict[After | Within | Between, dict[Pattern, Opening]] = {}
    for wait in (each for branch in found for each in branch.waits):
        known = made.setdefault(wait.origin, {})
        if wait.opening is not None:
            opening = wait.opening if uses_up else _unblocked(wait.opening)
            tree = opening.branch.tree
            known[tree] = opening if tree not in known else _in_either(known[tree], opening)
        elif isinstance(wait.origin, After):
            waiting = wait.origin.pattern
            for inner in openings(Partitioned(waiting, partition) if partition else waiting, granularity):
                due = Shifted(inner.end, wait.origin.period)
                known.setdefault(inner.tree, Opening(inner, due, inner.end))
    return [(origin, opening) for origin, each in made.items() for opening in each.values()]


def _unblocked(opening: Opening) -> Opening:
    """What opens a window while nothing that must be absent is there."""
    branch = opening.branch
    return replace(opening, branch=replace(branch, constraints=(*branch.constraints, *opening.blocking)))


def _in_either(one: Opening, other: Opening) -> Opening:
    """What opens a window that two branches wait for: only what both of them ask is asked."""
    common = tuple(each for each in one.branch.constraints if each in other.branch.constraints)
    return replace(one, branch=replace(one.branch, constraints=common))


PASSES: tuple[Pass, ...] = (related, assigned, ordered, paced, united, searched)
"""All passes, in order."""
