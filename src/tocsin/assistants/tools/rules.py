"""Tools about rules alone: are they right, what do they mean and cost, how are they said in another notation."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from tocsin.algebra.rules import Order, Program, Rule
from tocsin.assistants.fault_records import fault_records
from tocsin.assistants.tools.given import GivenRules
from tocsin.errors import TextError, UsageError, choices
from tocsin.explain.meanings import guard_words, meaning
from tocsin.explain.views import View, automaton_view, network_view, plan_view, shard_view
from tocsin.rules.costs import cost_of
from tocsin.rules.definitions import spelled
from tocsin.runtime.options import completed
from tocsin.session import Session
from tocsin.time.spans import human_period
from tocsin.translation import Asked
from tocsin.translation import translate as translated

VIEWS: Final = ("graph", "plan", "automaton", "shards")


def check(rules: dict[str, Any]) -> dict[str, Any]:
    """Every fault and every doubt, and what each rule means and costs."""
    given = GivenRules(**rules)
    try:
        session = Session(given.program(), given.asked())
    except TextError as error:
        return {"ok": False, "faults": fault_records(error.faults), "rules": []}
    told = [{**cost_of(rule), "meaning": rule_meaning(rule)} for rule in spelled(session.program).rules]
    return {"ok": True, "faults": fault_records(session.doubts), "rules": told}


def explain(rules: dict[str, Any], view: str = "graph") -> dict[str, Any]:
    """What runs: the shared graph of all rules, their search plans, automata or shards, as lines of text."""
    given = GivenRules(**rules)
    session = Session(spelled(given.program()), given.asked())
    shown = _view(session, view)
    meanings = {rule.name: rule_meaning(rule) for rule in session.program.rules}
    return {"title": shown.title, "meanings": meanings, "text": "\n".join(shown.lines)}


def _view(session: Session, view: str) -> View:
    order: Order = session.options.order
    match view:
        case "graph":
            return network_view(session.program, order, session.options.granularity)
        case "plan":
            return plan_view(session.program, order, session.options.granularity)
        case "automaton":
            return automaton_view(session.program)
        case "shards":
            return shard_view(session.program)
    raise UsageError(f"there is no view '{view}': views are {choices(VIEWS)}")


def translate(rules: dict[str, Any], to: str, nearest: bool = False) -> dict[str, Any]:
    """Rules in another notation: the text of a rules file, with what was refused and why."""
    given = GivenRules(**rules)
    program = _completed(given)
    model = given.options.get("time_model", "point").partition(":")[0]
    try:
        made = translated(Asked(program, model, "", nearest, partly=True), to)
    except TextError as error:  # nothing of it can be said there
        return {"text": "", "exact": False, "remarks": [], "refused": fault_records(error.faults)}
    return {
        "text": made.text,
        "exact": not made.refused and not made.remarks,
        "remarks": list(made.remarks),
        "refused": fault_records(made.refused),
    }


def _completed(given: GivenRules) -> Program:
    asked = given.asked()
    return completed(given.program(), replace(asked, granularity=None))


def rule_meaning(rule: Rule) -> str:
    """A rule in words: its pattern, the condition, and how long it remembers."""
    text = meaning(rule.pattern)
    text += f"; only where {guard_words(rule.condition)}" if rule.condition is not None else ""
    return text + (f"; no event older than {human_period(rule.window)}" if rule.window is not None else "")
