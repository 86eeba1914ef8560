"""What `explain` shows is what the engine has: on random rules every view can be made, told, written and drawn."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random
from xml.etree import ElementTree

import pytest

from tests.draw.test_layers import items_of, lie_on_each_other
from tests.draw.test_mermaid import assert_valid
from tests.engine.strategies import example
from tocsin.algebra.checks import program_faults
from tocsin.algebra.notes import Notes
from tocsin.algebra.rules import BEST_EFFORT, Context, Define, Program
from tocsin.api import rule
from tocsin.cli import main
from tocsin.draw.boxes import draw_graphs, layout_of
from tocsin.draw.graph import Graph
from tocsin.draw.mermaid import mermaid
from tocsin.engine.engine import Engine, engine_of
from tocsin.explain.blueprint import built
from tocsin.explain.chains import chain_of
from tocsin.explain.network import is_for_events_in_order, network_graph
from tocsin.explain.plans import plans_graph, searches
from tocsin.explain.views import network_view, plan_view, shard_view
from tocsin.plan.searches import Absent, Check, Step
from tocsin.rules.programs import rules_program

SECOND = 1_000_000


def programs(seeds: range) -> list[Program]:
    """Random programs in all contexts."""
    found = []
    for seed in seeds:
        random = Random(seed)
        one = example(random).program
        context = random.choice(list(Context))
        other = Program(
            tuple(
                replace(each, rule=replace(each.rule, context=context))
                if isinstance(each, Define) and random.random() < 0.5
                else each
                for each in one.statements
            )
        )
        found.append(one if list(program_faults(other)) else other)
    return found


@pytest.mark.parametrize("granularity", [None, SECOND])
def test_every_view_of_random_rules(granularity: int | None) -> None:
    for program in programs(range(60)):
        for view in (
            network_view(program, BEST_EFFORT, granularity),
            plan_view(program, BEST_EFFORT, granularity),
            shard_view(program),
        ):
            ElementTree.fromstring(draw_graphs(view.title, view.graphs, view.said))
            assert_valid(mermaid(view.graphs))
            json.dumps(view.record)
            text = "\n".join(view.lines)
            assert "\0" not in text
            assert "\u01c0" not in text
            assert all(rule.name in text for rule in program.rules)


def steps_of(
    steps: tuple[Step, ...], checks: tuple[Check, ...], *, are_absent: bool = False
) -> list[tuple[Step, bool]]:
    """The steps of a plan, and of what must be absent; which of the two each is."""
    found = [(step, are_absent) for step in steps]
    for check in (*checks, *(check for step in steps for check in step.checks)):
        for search in check.searches if isinstance(check, Absent) else ():
            found += steps_of(search, (), are_absent=True)
    return found


def test_the_parts_shown_are_those_of_the_engine() -> None:
    """As many steps, chains and nodes as the engine has, each once."""
    for program in programs(range(100, 180)):
        for engine in built(program):
            builder = engine.builder
            running = engine_of(engine.plan, Notes())
            running.begin(0)
            running.build()
            assert (running.builder.steps(), len(running.builder.chains)) == (builder.steps(), len(builder.chains))
            names = {name for trail in builder.trails for name in trail.names[1:]}
            waiting = {chain for waits in builder.waitings.values() for one in waits.values() for chain in one.chains}
            walked = {
                chain_of(step, trail.firing, builder, is_absent=is_absent)
                for trail in builder.trails
                for step, is_absent in steps_of(trail.plan.steps, trail.plan.checks)
            }
            assert walked | waiting == set(builder.chains.values())
            kinds = Counter(node.kind for node in network_graph(engine, {}, "").nodes)
            in_order = {n for trail in builder.trails if is_for_events_in_order(trail) for n in trail.names[1:]}
            assert kinds["step"] == len(in_order) <= len(names)
            assert Counter(node.kind for node in plans_graph(engine, {}, "").nodes)["step"] == len(names)
            assert kinds["pair"] == len(builder.nodes)
            assert kinds["rule"] == len(engine.rules)
            assert all(node.rules for node in network_graph(engine, {}, "").nodes)
            assert sum(len(each.steps) for each in searches(engine)) >= len(names)


def shared(graph: Graph) -> dict[str, tuple[str, ...]]:
    return {node.title: node.rules for node in graph.nodes if node.is_shared and node.kind not in ("type", "rule")}


def network(*rules: object) -> Graph:
    (engine,) = built(rules_program(rules))  # type: ignore[arg-type]
    return network_graph(engine, {}, "")


def test_what_begins_alike_is_shared() -> None:
    def made(name: str, text: str, condition: str, window: int = 60) -> object:
        return rule(name, text, condition=condition, context="unrestricted", window=window)

    one = made("one", "x:a ; y:b", "x.k == y.k")
    other = made("other", "c ; p:a ; q:b", "q.k == p.k")
    assert shared(network(one, other)) == {"find a": ("one", "other"), "a by k": ("one", "other")}
    # Another window is another search, over the same events.
    assert shared(network(one, made("other", "c ; p:a ; q:b", "q.k == p.k", 30))) == {"a by k": ("one", "other")}
    # Another key is another chain too.
    assert shared(network(one, made("other", "c ; p:a ; q:b", "q.j == p.j"))) == {}
    # Who uses events up has all for itself.
    assert shared(network(one, rule("other", "x:a ; y:b", condition="x.k == y.k", context="generic", window=60))) == {}


def test_what_uses_up_together_is_shared() -> None:
    rules = [
        rule("one", "x:a ; y:b", context="chronicle"),
        rule("other", "(x:a ; y:b) ; z:c", context="chronicle"),
        rule("apart", "(x:a ; y:b) ; z:c", context="recent"),
    ]
    graph = network(*rules)
    assert shared(graph) == {"x:a ; y:b": ("one", "other")}
    assert sum(node.title == "x:a ; y:b" for node in graph.nodes) == 2


def test_a_chain_of_states_says_by_what_it_waits() -> None:
    chain = rule("doors", "[o:Open] ; [Close(room = o.room)]", language="core")
    (node,) = [node for node in network(chain).nodes if node.kind == "pair"]
    assert node.lines == ("2 states in a row", "waits in state 1 by room")


def test_what_is_gone_from_the_engine_is_gone_from_its_trails() -> None:
    rules = [rule(f"r{n}", "x:a ; y:b", condition=f"x.v{n} == y.v{n}", context="generic") for n in range(20)]
    engine = Engine(rules_program(rules), None, Notes())
    engine.begin(0)
    engine.build()
    engine.change(rules_program(rules[:2]))
    engine.build()
    assert {one.name for trail in engine.builder.trails for one in trail.firing.rules} == {"r0", "r1"}


def test_families_are_told_apart_by_their_constants() -> None:
    rules = [rule(f"over{v}", "t:temp", condition=f"t.v > {v}") for v in (30, 20)]
    graph = network(*rules)
    assert [node.title for node in graph.nodes if node.kind == "family"] == ["which of 20, 30"]
    assert {edge.label for edge in graph.edges} == {"temp.v > {20, 30}", "> 20", "> 30"}


def test_rules_with_orders_of_their_own_have_engines_of_their_own() -> None:
    rules = [rule("one", "a ; b", order="delay:5 sec"), rule("other", "a ; b")]
    view = network_view(rules_program(rules), BEST_EFFORT, None)
    assert [graph.title for graph in view.graphs] == [
        "The shared graph, order delay:5s",
        "The shared graph, order best-effort",
    ]


@pytest.mark.parametrize("count", [1, 2, 5, 10, 20])
def test_nothing_overlaps_however_many_rules(count: int) -> None:
    random = Random(count)
    long = " && ".join(f"x.attribute_{n} * 3 < y.another_attribute_{n} + 17" for n in range(6))
    texts = [
        ("x:a ; y:b", long, ["unrestricted", "generic", "chronicle"]),
        ("x:a ; y:b ; c", "x.k == y.k", ["unrestricted", "generic", "chronicle"]),
        ("x:a & y:c", "x.k == y.k && x.v > 3", ["unrestricted", "recent", "cumulative"]),
        ("at(d, 0/0/0 0:05:00)", None, ["unrestricted", "generic"]),
    ]
    rules = []
    for number in range(count):
        text, condition, contexts = texts[number % 4]
        rules.append(rule(f"rule{number}", text, condition=condition, context=random.choice(contexts)))
    program = rules_program(rules)
    for view in (network_view(program, BEST_EFFORT, None), plan_view(program, BEST_EFFORT, None)):
        for graph in view.graphs:
            for one, other in combinations(items_of(layout_of(graph)), 2):
                assert not lie_on_each_other(one, other)


def test_a_choice_among_conditions_stands_in_parentheses(capsys: pytest.CaptureFixture[str]) -> None:
    condition = '(x.v == 1 || x.v == 2) && (x.u == "||" || x.u == y.u) && x.w == "a || b" && x.w != y.w'
    assert main(["explain", "-e", "x:a ; y:b", "--lang", "eps", "--condition", condition]) == 0
    shown = capsys.readouterr().out
    assert 'a where (a.v == 1 || a.v == 2) && a.w == "a || b"' in shown
    assert '(a.u == "||" || a.u == b.u)' in shown
