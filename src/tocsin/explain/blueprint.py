"""The plan of a program, and the network built from it: what `explain` reads. There is no engine, and nothing runs."""

from __future__ import annotations

from dataclasses import dataclass

from tocsin.algebra.rules import BEST_EFFORT, Command, Declaration, Define, Enable, Order, Program, Rule
from tocsin.algebra.scripts import enabled_by
from tocsin.engine.build.searches import Builder
from tocsin.engine.network.network import Network
from tocsin.plan.programs import Place, Plan, RulePlan, Settings
from tocsin.planner import plan
from tocsin.planner.placement import Placement, placements
from tocsin.runtime.clocks import by_order

SEARCHED, STATEFUL, OWN, PLAIN = "searched", "stateful", "own memory", "plain"
HOW = {
    Place.SEARCHED: SEARCHED,
    Place.PAIRED: STATEFUL,
    Place.CHAINED: STATEFUL,
    Place.OWN_MEMORY: OWN,
    Place.PLAIN: PLAIN,
}


@dataclass(frozen=True)
class RunningRule:
    """A rule and how it runs: searched for, in nodes that remember, or beside the network, which has a `reason`."""

    rule: Rule
    how: str
    reason: str
    is_enabled: bool


@dataclass(frozen=True)
class Built:
    """The rules of one clock: how they are planned, and built. Rules that ask for another order are by themselves."""

    order: Order
    plan: Plan
    builder: Builder
    rules: dict[str, RunningRule]


def built(program: Program, order: Order = BEST_EFFORT, granularity: int | None = None) -> list[Built]:
    """How a checked program is run, for each order, with all its rules enabled at once."""
    return [_built(group.program, group.order, granularity) for group in by_order(program, order)]


def _built(program: Program, order: Order, granularity: int | None) -> Built:
    rules = {rule.name: rule for rule in program.rules}
    declared = tuple(each for each in program.statements if isinstance(each, Declaration))
    defined = tuple(Define(rule) for rule in rules.values())
    enabling = tuple(Command(Enable(name)) for name in rules)
    made = plan(Program(declared + defined + enabling), Settings(granularity))
    builder = Builder(Network(), granularity)
    for family in made.families:
        builder.declared = frozenset(each.name for each in declared) if family.family.rule.strict else None
        builder.add(family, since=1, now=0)
    enabled = set(enabled_by(program))
    running = {each.rule.name: _running(each, each.rule.name in enabled) for each in made.rules}
    return Built(order, made, builder, running)


def _running(planned: RulePlan, is_enabled: bool) -> RunningRule:
    return RunningRule(planned.rule, HOW[planned.place], planned.reason, is_enabled)


def shards_of(program: Program) -> dict[str, Placement]:
    """Where each rule would run on Spark."""
    return {name: placement for placement in placements(program) for name, _ in placement.reasons}
