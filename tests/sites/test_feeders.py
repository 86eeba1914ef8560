"""Rules that others use by name run apart from them: composites travel instead of what they are made of."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.sites.placement.planned_worlds import PlannedWorld
from tests.sites.placement.test_planned_worlds import PAIR, THIN, named
from tocsin.algebra.rules import Context, Program
from tocsin.planner.cuts import cuts
from tocsin.rules.loader import load_expression
from tocsin.rules.programs import each_rule, rules_program
from tocsin.sites.parts import Role
from tocsin.sites.placement.plan_texts import plan_text
from tocsin.sites.placement.plans import plan
from tocsin.sites.placement.policies import HASH
from tocsin.sites.placement.rates import heard

RATES = {"A": {"a": 4.0}, "B": {"b": 4.0}, "C": {"c": 0.3}, "D": {}}
USER = load_expression("(p:pair -> z:c) in 10 seconds", "sel", "z.k >= 0")


def test_what_a_rule_makes_travels_instead_of_what_it_takes() -> None:
    program = named(("pair", PAIR), ("user", USER))
    world = PlannedWorld(RATES)
    found = plan(program, world.directory, "D", policy=HASH, rates=heard(world.said()), topology=THIN)
    assert [each.part.makes for each in found.deployment.placed if each.part.role is Role.FEEDER] == ["pair"]
    assert "'pair' is cut off" in plan_text(found)
    world.subscribe(found.deployment)
    world.live(20)
    world.close()
    expected = sorted(one.id for one in world.expected(program))
    assert {one.rule for one in world.expected(program)} == {"pair", "user"}
    assert sorted(one.id for one in world.told("D")) == expected


def _why(program: Program) -> str:
    user = next(rule for rule in program.rules if rule.name == "user")
    return next(each.why for each in cuts(program, user).uncut if each.text == "pair")


def test_who_chooses_among_composites_has_to_see_what_they_are_made_of() -> None:
    program = named(("pair", PAIR), ("user", USER))
    choosy = each_rule(program, lambda rule: replace(rule, context=Context.GENERIC) if rule.name == "user" else rule)
    assert "chooses among what has one time" in _why(choosy)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("(p:pair -> z:a) in 10 seconds", "events of its types are also taken beside it"),
        ("(p:pair -> q:other) in 10 seconds", "what feeds it feeds others, too"),
    ],
)
def test_what_is_needed_elsewhere_stays_together(text: str, why: str) -> None:
    inner = load_expression("(v:d -> w:e) in 10 seconds", "sel")
    pair = load_expression("(x:a -> y:inner) in 10 seconds", "sel")
    other = load_expression("(x:f -> y:inner) in 10 seconds", "sel")
    names = {"inner": inner, "pair": pair, "other": other, "user": load_expression(text, "sel")}
    program = rules_program(replace(rule, name=name) for name, one in names.items() for rule in one.rules)
    assert _why(program) == why
