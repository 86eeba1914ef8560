"""Tools that run rules over events: why they fired or did not, and what they would have detected in a history."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tocsin.assistants.tools.given import GivenRules, events_text, given_events, opened
from tocsin.backtest.histories import History, history_of
from tocsin.backtest.report_files import findings_json
from tocsin.backtest.workflow import Asked
from tocsin.backtest.workflow import backtest as backtested
from tocsin.errors import UsageError
from tocsin.reasons import Question, Why, ask
from tocsin.rules.options import instant_of, order_of
from tocsin.session import Session


def why(
    rules: dict[str, Any],
    events: object = None,
    events_files: Sequence[str] = (),
    rule: str | None = None,
    detection: str | None = None,
    with_events: Sequence[str] = (),
    at: str | None = None,
    limit: int | None = None,
) -> dict[str, Any]:
    """Why rules fired on given events, or what came closest and where it failed."""
    given = GivenRules(**rules)
    program = given.program()
    session = Session(program, given.asked())
    arrivals, style = given_events(events, events_files, given.folders, program)
    asked = Question(rule, detection, tuple(with_events), None if at is None else instant_of(at), limit)
    told = Why(ask(session, arrivals, asked), style)
    return {"text": str(told), **json.loads(told.to_json())}


def backtest(
    rules: dict[str, Any],
    events: object = None,
    events_files: Sequence[str] = (),
    against: dict[str, Any] | None = None,
    since: str | None = None,
    until: str | None = None,
    examples: int = 3,
    by: str | None = None,
) -> dict[str, Any]:
    """What rules would have detected in a history; `against` others, what they would detect besides or no more."""
    given = GivenRules(**rules)
    old = None if against is None else GivenRules(**against).program()
    order = given.options.get("order") or "guaranteed"
    options = replace(given.asked(), order=order_of(order))
    asked = Asked(
        given.program(),
        ("the rules",),
        old,
        () if old is None else ("the old rules",),
        options,
        by=by,
        examples=examples,
        sample=0,  # costs are measured by a clock, which tells an assistant nothing
    )
    history = _history(events, events_files, given.folders, since, until)
    found: dict[str, Any] = json.loads(findings_json(backtested(asked, history, "local")))
    return found


def _history(
    events: object, files: Sequence[str], folders: Sequence[str], since: str | None, until: str | None
) -> History:
    begin = None if since is None else instant_of(since)
    end = None if until is None else instant_of(until)
    if (events is None) == (not files):
        raise UsageError("give events, or files of events: one of the two")
    if events is not None:
        return History(("the events given",), (), "jsonl", since=begin, until=end, given=events_text(events))
    return history_of([str(opened(name, folders)) for name in files], since=begin, until=end)
