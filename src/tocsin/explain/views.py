"""The five things that `explain` shows, each as lines, as graphs and as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from tocsin.algebra.rules import Order, Program
from tocsin.draw.graph import Graph
from tocsin.explain.automata import automaton_graph, automaton_text, core_rules, required_core_rules
from tocsin.explain.blueprint import OWN, PLAIN, Built, built, shards_of
from tocsin.explain.cuttings import cutting_lines, cutting_records
from tocsin.explain.network import network_graph
from tocsin.explain.plans import plans_graph, plans_text, searches
from tocsin.explain.rule_summary import rule_record
from tocsin.explain.shards import shards_graph, shards_text
from tocsin.explain.text import network_text
from tocsin.planner.placement import placements
from tocsin.time.spans import human_period


@dataclass(frozen=True)
class View:
    """Something to show. `said` is the line under the title of a picture."""

    title: str
    said: str
    lines: list[str]
    graphs: list[Graph]
    record: dict[str, object] = field(default_factory=dict)


def network_view(program: Program, order: Order, granularity: int | None) -> View:
    """The shared graph of all rules, and the automata among them."""
    engines, shards = built(program, order, granularity), shards_of(program)
    titles = _titles(engines, "The shared graph")
    graphs = [network_graph(each, shards, title) for each, title in zip(engines, titles, strict=True)]
    lines: list[str] = []
    for each, graph, title in zip(engines, graphs, titles, strict=True):
        lines += ([f"== {title}"] if len(engines) > 1 else []) + [_said([graph]), *_remarks(each), ""]
        lines += [*network_text(graph, each), ""]
    core = core_rules(program)
    for rule in core:
        lines += [*automaton_text(rule), ""]
    said = " ".join([_said(graphs), *dict.fromkeys(remark for each in engines for remark in _remarks(each))])
    graphs += [automaton_graph(rule) for rule in core]
    return View(f"The shared graph of {_rules(program)}", said, lines[:-1], graphs, _rules_record(engines))


def plan_view(program: Program, order: Order, granularity: int | None) -> View:
    """The search plans of all rules."""
    engines, shards = built(program, order, granularity), shards_of(program)
    titles = _titles(engines, "Search plans")
    graphs = [plans_graph(each, shards, title) for each, title in zip(engines, titles, strict=True)]
    lines: list[str] = []
    for each, title in zip(engines, titles, strict=True):
        lines += ([f"== {title}"] if len(engines) > 1 else []) + [*plans_text(each), ""]
    record = _rules_record(engines) | {"plans": [asdict(one) for each in engines for one in searches(each)]}
    said = "Each search begins with what arrives, and finds the other events step by step."
    return View(f"Search plans of {_rules(program)}", said, lines[:-1], graphs, record)


def automaton_view(program: Program) -> View:
    """The automata of the rules of the core language."""
    rules = required_core_rules(program)
    lines: list[str] = []
    for rule in rules:
        lines += [*automaton_text(rule), ""]
    graphs = [automaton_graph(rule) for rule in rules]
    title = graphs[0].title if len(graphs) == 1 else f"Automata of {len(graphs)} rules"
    return View(title, str(rules[0].pattern) if len(rules) == 1 else "", lines[:-1], graphs)


def shard_view(program: Program) -> View:
    """How Spark would spread the rules."""
    found = placements(program)
    return View("Shards on Spark", "", shards_text(found), [shards_graph(found)])


def cuts_view(program: Program) -> View:
    """What can be cut off the rules to run at other sites."""
    return View("Cuts", "", cutting_lines(program)[:-1], [], {"rules": cutting_records(program)})


# -- what is said around them ------------------------------------------------------------------------------------


def _rules(program: Program) -> str:
    names = [rule.name for rule in program.rules]
    return f"'{names[0]}'" if len(names) == 1 else f"{len(names)} rules"


def _titles(engines: list[Built], title: str) -> list[str]:
    """Rules that ask for different orders of arrival run on engines of their own."""
    if len(engines) == 1:
        return [title]
    return [f"{title}, order {_order(each.order)}" for each in engines]


def _order(order: Order) -> str:
    span = order.delay or order.idle
    parameter = human_period(span) if span is not None else order.probability
    return order.policy if parameter is None else f"{order.policy}:{parameter}"


def _said(graphs: Sequence[Graph]) -> str:
    """How much there is, and how much of it is shared."""
    nodes = [node for graph in graphs for node in graph.nodes]
    rules = sum(node.kind == "rule" for node in nodes)
    types = sum(node.kind in ("type", "clock") for node in nodes)
    inner = [node for node in nodes if node.kind not in ("type", "clock", "rule")]
    shared = sum(node.is_shared for node in inner)
    return (
        f"{_many(rules, 'rule')} over {_many(types, 'type')} of events: "
        f"{_many(len(inner), 'part')} between them, {shared or 'none'} shared."
    )


def _many(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


def _remarks(each: Built) -> list[str]:
    """What holds for all rules of an engine."""
    if each.plan.relations.has_links:
        return ["Rules use, trigger or switch each other, so events are taken one by one."]
    if any(running.how in (OWN, PLAIN) for running in each.rules.values()):
        return ["Some rules run beside the network, so events are taken one by one."]
    return []


def _rules_record(engines: list[Built]) -> dict[str, object]:
    return {"rules": [rule_record(running) for each in engines for running in each.rules.values()]}
