"""A rule in a few lines: how it runs, what it costs, where it would run on Spark."""

from __future__ import annotations

from tocsin.algebra.rules import Context
from tocsin.explain.blueprint import OWN, PLAIN, SEARCHED, STATEFUL, RunningRule
from tocsin.explain.shards import short_shards
from tocsin.planner.families import effective_context
from tocsin.planner.placement import Placement
from tocsin.rules.costs import cost_of

HOW = {
    SEARCHED: "in the network, by searches",
    STATEFUL: "in the network, in nodes that remember",
    OWN: "beside the network, with a memory of its own",
    PLAIN: "on the plain meaning",
}


def rule_lines(running: RunningRule, placement: Placement | None) -> tuple[str, ...]:
    """What a picture says of a rule: language and context, window and state, shards."""
    cost = cost_of(running.rule)
    parted = f", for each {' and '.join(running.rule.partition)}" if running.rule.partition else ""
    lines = [f"{cost['language']}, {chosen_text(cost)}{parted}", state_text(cost)]
    if placement is not None:
        lines.append(f"Spark shards: {short_shards(placement, running.rule)}")
    if running.rule.hidden:
        lines.append("a definition: reports nothing")
    elif not running.is_enabled:
        lines.append("not enabled at the start")
    return tuple(lines)


def chosen_text(cost: dict[str, object]) -> str:
    """Which occurrences a rule tells: its context, or how often its automaton runs."""
    return str(cost["context"] or f"run {cost['run']}")


def state_text(cost: dict[str, object]) -> str:
    """How long a rule remembers."""
    window = f"window {cost['window']}" if cost["window"] else "no window"
    return window if cost["bounded"] and cost["window"] else f"{window}, state {_bounded(cost)}"


def _bounded(cost: dict[str, object]) -> str:
    return "bounded" if cost["bounded"] else "unbounded"


def how_text(running: RunningRule) -> str:
    """How a rule runs, and why so where it is not the usual way."""
    if running.reason:
        return f"{HOW[running.how]}: {running.reason}"
    if running.how == SEARCHED and effective_context(running.rule) is Context.GENERIC:
        return f"{HOW[running.how]} of its own: in the context 'generic' each rule uses events up for itself"
    return HOW[running.how]


def rule_record(running: RunningRule) -> dict[str, object]:
    """A rule as JSON: what it costs, and how it runs."""
    parted = {"partition": list(running.rule.partition)} if running.rule.partition else {}
    return {
        **cost_of(running.rule),
        **parted,
        "runs": running.how,
        "how": how_text(running),
        "enabled": running.is_enabled,
    }
