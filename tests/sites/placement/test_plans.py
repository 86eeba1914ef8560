"""Plans by every policy: what runs where, what it will cost, and what cannot be planned."""

from __future__ import annotations

import pytest

from tocsin.errors import UsageError
from tocsin.rules.loader import load_expression
from tocsin.sites.parts import Role
from tocsin.sites.placement.plans import plan, plan_record, plan_text
from tocsin.sites.placement.policies import POLICIES, Hints
from tocsin.sites.placement.rates import rates_of

DIRECTORY = {"A": {"s": ["a"]}, "B": {"t": ["b"]}, "C": {}}
PROGRAM = load_expression("a ; b", "gem")
RATES = rates_of({"A": {"a": [10, 100]}, "B": {"b": [1, 100]}})


@pytest.mark.parametrize("policy", POLICIES)
def test_every_policy_places_every_part_and_says_what_it_costs(policy: str) -> None:
    found = plan(PROGRAM, DIRECTORY, "C", policy=policy, rates=RATES)
    assert {each.part.role for each in found.deployment.placed} >= {Role.FILTER, Role.RULE}
    assert all(each.site in DIRECTORY for each in found.deployment.placed)
    assert [reason.rule for reason in found.reasons] == ["rule"]
    assert found.predicted.total.bytes > 0
    assert plan_record(found) == plan_record(plan(PROGRAM, DIRECTORY, "C", policy=policy, rates=RATES))
    assert plan_text(found).startswith(f"policy {policy}, told at C")


def test_a_rule_that_is_pinned_stays_where_it_is_told_to() -> None:
    for policy in POLICIES:
        found = plan(PROGRAM, DIRECTORY, "C", policy=policy, rates=RATES, hints=Hints(pinned={"rule": "B"}))
        assert [each.site for each in found.deployment.placed if each.part.role is Role.RULE] == ["B"]


def test_what_cannot_be_is_said_in_one_line() -> None:
    with pytest.raises(UsageError, match=r"unknown policy 'near': expected one of central, near-sources"):
        plan(PROGRAM, DIRECTORY, "C", policy="near")
    with pytest.raises(UsageError, match=r"unknown site 'D': there are A, B, C"):
        plan(PROGRAM, DIRECTORY, "C", hints=Hints(centre="D"))
    with pytest.raises(UsageError, match="degree"):
        plan(PROGRAM, DIRECTORY, "C", hints=Hints(degree=-1))
