"""The engine of a program, built and not run: what `explain` reads, so that it tells what really is there."""

from __future__ import annotations

from dataclasses import dataclass

from tocsin.algebra.replay import Notes, enabled_by
from tocsin.algebra.rules import BEST_EFFORT, Command, Declaration, Define, Enable, Order, Program, Rule
from tocsin.engine.build import remembers
from tocsin.engine.monitor import Engine
from tocsin.planner.placement import Placement, placements
from tocsin.session import by_order

SEARCHED, STATEFUL, OWN, PLAIN = "searched", "stateful", "own memory", "plain"


@dataclass(frozen=True)
class Running:
    """A rule and how it runs: searched for, in nodes that remember, or beside the network, which has a `reason`."""

    rule: Rule
    how: str
    reason: str
    is_enabled: bool


@dataclass(frozen=True)
class Built:
    """The rules of one clock in their engine. Rules that ask for another order have an engine of their own."""

    order: Order
    engine: Engine
    rules: dict[str, Running]


def built(program: Program, order: Order = BEST_EFFORT, granularity: int | None = None) -> list[Built]:
    """The engines of a checked program, one for each order, with all its rules enabled at once."""
    return [_built(group.program, group.order, granularity) for group in by_order(program, order)]


def _built(program: Program, order: Order, granularity: int | None) -> Built:
    rules = {rule.name: rule for rule in program.rules}
    declared = tuple(each for each in program.statements if isinstance(each, Declaration))
    defined = tuple(Define(rule) for rule in rules.values())
    enabling = tuple(Command(Enable(name)) for name in rules)
    engine = Engine(Program(declared + defined + enabling), granularity, Notes())
    engine.begin(0)
    engine.build()
    enabled = set(enabled_by(program))
    return Built(order, engine, {name: _running(rule, engine, name in enabled) for name, rule in rules.items()})


def _running(rule: Rule, engine: Engine, is_enabled: bool) -> Running:
    reason = engine.why_apart(rule)
    how = STATEFUL if remembers(rule) else SEARCHED
    if reason:
        how = PLAIN if engine.why_plain(rule) else OWN
    return Running(rule, how, reason, is_enabled)


def shards_of(program: Program) -> dict[str, Placement]:
    """Where each rule would run on Spark."""
    return {name: placement for placement in placements(program) for name, _ in placement.reasons}
