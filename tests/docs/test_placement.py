"""docs/placement.md is true: its table and its plan are what comes of its example.

`TOCSIN_RENEW=1 make test ARGS=tests/docs/test_placement.py` writes them anew.
"""

from __future__ import annotations

import argparse
import json
import os
import re
from dataclasses import fields
from pathlib import Path

import pytest

from tocsin.cli import main
from tocsin.commands.placement_options import add_hints
from tocsin.rules.loader import load_expression
from tocsin.sites.deployment import Deployment
from tocsin.sites.parts import Role
from tocsin.sites.placement.plan_texts import plan_text
from tocsin.sites.placement.plans import Plan, plan
from tocsin.sites.placement.policies import POLICIES, Hints
from tocsin.sites.placement.rates import rates_of
from tocsin.sites.placement.topologies import topology_of

PAGE = Path(__file__).parents[2] / "docs" / "placement.md"


def example_rule(text: str) -> str:
    """The page's rule, as it stands there."""
    found = re.search(r"The rule, in SEL:\n\n```text\n(.*?)\n```", text, re.DOTALL)
    assert found
    return found[1]


def planned(text: str, policy: str) -> Plan:
    """The page's example by a policy."""
    found = re.search(r"```json\n(.*?)```", text, re.DOTALL)
    assert found
    example = json.loads(found[1])
    directory = {site: {f"{site} 1": sorted(kinds)} for site, kinds in example["rates"].items()} | {"phone": {}}
    program = load_expression(example_rule(text), "sel", None)
    topology, rates = topology_of({"links": example["links"]}), rates_of(example["rates"])
    return plan(program, directory, "phone", policy=policy, rates=rates, topology=topology)


def where(deployment: Deployment) -> str:
    joins = [each.site for each in deployment.placed if each.part.role is Role.JOIN]
    rules = [each.site for each in deployment.placed if each.part.role is Role.RULE]
    return f"{', '.join(rules)} | {', '.join(joins) or '-'}"


def table(text: str) -> str:
    lines = [
        "| policy | rule at | joins at | bytes/s in all | bytes/s to the phone | cost | at best, ms | busiest site, events/s |",
        "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for policy in POLICIES:
        one = planned(text, policy)
        costs = one.predicted
        thin = costs.links.get(("hall", "phone"))
        lines.append(
            f"| `{policy}` | {where(one.deployment)} | {costs.total.bytes:,.0f} | {thin.bytes if thin else 0:,.0f} "
            f"| {costs.cost:,.0f} | {max(costs.delays.values()) / 1000:.1f} | {max(costs.loads.values()):.1f} |"
        )
    return "\n".join(lines)


def test_the_table_and_the_plan_are_those_of_the_example() -> None:
    text = PAGE.read_text(encoding="utf-8")
    parts = {"table": table(text), "plan": f"```text\n{plan_text(planned(text, 'near-sources'))}\n```"}
    renewed = text
    for name, found in parts.items():
        renewed = re.sub(
            rf"(<!-- {name} -->\n).*?(?=<!-- end -->)",
            lambda m, found=found: f"{m[1]}{found}\n",
            renewed,
            flags=re.DOTALL,
        )
    if os.environ.get("TOCSIN_RENEW"):
        PAGE.write_text(renewed, encoding="utf-8")
    assert renewed == PAGE.read_text(encoding="utf-8")


def test_the_rule_is_accepted_as_it_is_written(capsys: pytest.CaptureFixture[str]) -> None:
    rule = example_rule(PAGE.read_text(encoding="utf-8"))
    assert main(["check", "--lang", "sel", "-e", rule]) == 0, capsys.readouterr().out


def test_the_page_tells_of_every_policy_and_every_hint() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for name in (*POLICIES, *(field.name for field in fields(Hints))):
        assert f"| `{name}` |" in text
    parser = argparse.ArgumentParser()
    add_hints(parser)
    for action in parser._actions[1:]:
        assert f"| `{action.option_strings[0]}" in text
