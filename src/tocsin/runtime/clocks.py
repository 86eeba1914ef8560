"""Which rules run on which clock: each order of arrival is one, and each set of sources that is waited for."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, NamedTuple

from tocsin.algebra.order import heard_sources
from tocsin.algebra.rules import Order, Program, Rule
from tocsin.planner.durations import lasting
from tocsin.rules.programs import each_rule, only_rules, rules_program

IN_ORDER: Final = Order("guaranteed")
"""Nothing is late; a source that was given up for being silent would be."""


class Group(NamedTuple):
    """The rules that run on one clock: `heard` are those that ask for it, the others only feed them."""

    order: Order
    program: Program
    heard: frozenset[str]
    sources: frozenset[str] | None = None
    """Under `guaranteed`: the sources that are waited for; None: all."""

    @property
    def clock(self) -> tuple[Order, frozenset[str] | None]:
        """What tells this clock from others."""
        return self.order, self.sources


def one_clock(program: Program, order: Order) -> Group:
    """All rules on one clock, whatever order they ask for."""
    return Group(order, program, frozenset(rule.name for rule in program.rules))


def by_order(program: Program, default: Order) -> list[Group]:
    """The program split by the order its rules ask for: each order is a clock of its own.

    A rule that uses another by name sees it on its own clock, whatever order the other one asks for. Where everything
    comes in order, a rule that says itself how long it lasts need not remember what is older.
    """
    orders = {rule.name: rule.order or default for rule in program.rules}
    groups: list[Group] = []
    for order in dict.fromkeys(orders.values()) or [default]:
        heard = frozenset(name for name, asked in orders.items() if asked == order)
        running = only_rules(program, heard)
        groups.append(Group(order, each_rule(running, _lasting) if order == IN_ORDER else running, heard))
    return groups


def by_clock(program: Program, default: Order) -> list[Group]:
    """The program split by order, and under `guaranteed` by the sources that are waited for, too."""
    return [part for group in by_order(program, default) for part in _by_hearing(group)]


def _by_hearing(group: Group) -> list[Group]:
    """The group split by the sources that its rules can hear, where these are waited for: each waits for its own."""
    rules = group.program.rules
    if group.order.policy != "guaranteed" or all(heard_sources(rules_program([rule])) is None for rule in rules):
        return [group]
    parts: dict[frozenset[str] | None, set[str]] = {}
    for rule in rules:
        if rule.name in group.heard:
            alone = only_rules(group.program, frozenset((rule.name,)))
            parts.setdefault(heard_sources(alone), set()).add(rule.name)
    if len(parts) == 1:
        return [group._replace(sources=next(iter(parts)))]
    return [
        Group(group.order, only_rules(group.program, names), frozenset(names), sources)
        for sources, names in parts.items()
    ]


def _lasting(rule: Rule) -> Rule:
    return rule if rule.window is not None else replace(rule, window=lasting(rule))
