"""Random examples of rules that are there once for each value: those of the other kinds, most of their rules parted."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from tests.engine.automating import AUTOMATA, automata_example
from tests.engine.comparing import Cell, fired
from tests.engine.linking import FEEDERS, USERS, linked_example
from tests.engine.strategies import OPERATORS, WINDOWS, Example, example
from tocsin.algebra.links import mentioned
from tocsin.algebra.patterns import At, AtInstant, Automaton, Between, Every, Run, walk
from tocsin.algebra.rules import SEARCHED, Context, Define, Program, Rule
from tocsin.events import Detection

LINKED = "of another rule"
PARTED = (*(context.value for context in Context), *(f"run {run.value}" for run in Run), LINKED)
"""What is parted: rules in each context, automata in each run, and rules that use others by name."""

ONE, SEVERAL = "one attribute", "several attributes"
BY = {ONE: (("k",), ("v",), ("w",)), SEVERAL: (("k", "v"), ("w", "k"))}


def partitioned_example(random: Random, operator: str, column: str, policy: str) -> Example:
    """An example of a rule of a kind, by one attribute or by several."""
    made = _drawn(random, operator, policy)
    statements = [
        replace(each, rule=_parted(random, each.rule, column)) if isinstance(each, Define) else each
        for each in made.program.statements
    ]
    return replace(made, program=Program(tuple(statements)), operator=operator)


def _drawn(random: Random, operator: str, policy: str) -> Example:
    if operator == LINKED:
        return linked_example(random, random.choice(FEEDERS), random.choice(USERS), policy)
    if operator.startswith("run "):
        fitting = [each for each in AUTOMATA if each != "parallel"]
        return automata_example(random, random.choice(fitting), operator.removeprefix("run "), policy)
    context = Context(operator)
    fitting = [each for each in OPERATORS if context in SEARCHED or each not in WINDOWS]
    return example(random, random.choice(fitting), context, policy)


def _parted(random: Random, rule: Rule, column: str) -> Rule:
    """A rule parted, mostly; where it has time points that cannot be."""
    if random.random() < 0.1 or any(isinstance(part, At | AtInstant | Every | Between) for part in walk(rule.pattern)):
        return rule
    return replace(rule, partition=random.choice(BY[column]))


def partitioned_met(one: Example, detected: list[Detection]) -> set[Cell]:
    """What has been parted and fired."""
    names = {rule.name for rule in one.program.rules}
    found: set[Cell] = set()
    for rule in fired(one, detected):
        if rule.partition:
            column = ONE if len(rule.partition) == 1 else SEVERAL
            kinds = [f"run {rule.pattern.run.value}" if isinstance(rule.pattern, Automaton) else str(rule.context)]
            kinds += [LINKED] * (not names.isdisjoint(mentioned(rule) - {rule.name}))
            found |= {(kind, column, one.order.policy) for kind in kinds}
    return found
