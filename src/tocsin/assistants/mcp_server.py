"""The tools of an assistant over the Model Context Protocol, on standard input and output (`tocsin mcp`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import Any, Final

from tocsin.assistants.answering_process import AnsweringProcess
from tocsin.assistants.service_requests import ServiceRequests
from tocsin.assistants.tool_arguments import (
    Cases,
    Changed,
    Counted,
    Detected,
    Dry,
    Events,
    Examples,
    Files,
    Ids,
    Limit,
    Nearest,
    Older,
    RequestedRule,
    Rules,
    Target,
    Time,
    View,
)
from tocsin.errors import MissingDependency, TocsinError

try:
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
    from mcp_types import ToolAnnotations
except ImportError:
    raise MissingDependency("mcp", "mcp") from None

INSTRUCTIONS: Final = """\
Tocsin detects composite events: patterns in time over events from many sources. A rule is an expression in one of \
seven notations (core, eps, gem, global, pretty, python, sel) with, where needed, a condition over the events it names.

Work in this order: `check` a rule (faults come with line, column and what was expected; the meaning is said in \
words), `test` it with a few events and what should be detected, ask `why` where it fired or did not, `backtest` it \
over a history. `translate` says it in another notation, `explain` shows what runs.

What this server will not do: it runs no code (Python rules are parsed, never run) and no commands; it writes no file; \
it reads only files that an argument names and that lie in a folder its operator has opened ({folders}); `load` in a \
script reads nothing. It talks to nobody but, for `save`, the event processing service that its operator has set \
({service}). It deletes, enables and disables nothing there, sends no events, and says nothing about where \
notifications go: callbacks are set by people. A question that takes longer than {seconds:g} s is stopped.
"""

Answer = dict[str, Any]


class Tools:
    """The tools: each hands its question to the process that answers, or to the service."""

    def __init__(self, process: AnsweringProcess, folders: Sequence[str]) -> None:
        self._process, self._folders = process, folders

    def check(self, rules: Rules) -> Answer:
        """Is a rule right? Every fault and warning with its place, and what each rule means in words and costs."""
        return self._ask("check", rules=rules.given(self._folders))

    def explain(self, rules: Rules, view: View = "graph") -> Answer:
        """What runs: each rule in words, and the shared graph, the search plans, the automata or the Spark shards."""
        return self._ask("explain", rules=rules.given(self._folders), view=view)

    def translate(self, rules: Rules, to: Target, nearest: Nearest = False) -> Answer:
        """Rules in another notation that detects exactly the same, or a refusal that names what the notation lacks."""
        return self._ask("translate", rules=rules.given(self._folders), to=to, nearest=nearest)

    def test(self, rules: Rules, cases: Cases) -> Answer:
        """Do rules detect what they should? Given events and expected detections, case by case, with what differs."""
        return self._ask("test", rules=rules.given(self._folders), cases=cases)

    def why(
        self,
        rules: Rules,
        events: Events = None,
        events_files: Files = None,
        rule: str | None = None,
        detection: Detected = None,
        with_events: Ids = None,
        at: Time = None,
        limit: Limit = None,
    ) -> Answer:
        """Why did a rule fire on given events, or what came closest and exactly where did it fail?"""
        asked = {"rule": rule, "detection": detection, "with_events": with_events or [], "at": at, "limit": limit}
        given = {"events": events, "events_files": events_files or []}
        return self._ask("why", rules=rules.given(self._folders), **given, **asked)

    def backtest(
        self,
        rules: Rules,
        events: Events = None,
        events_files: Files = None,
        against: Older = None,
        since: Time = None,
        until: Time = None,
        examples: Examples = 3,
        by: Counted = None,
    ) -> Answer:
        """What would rules have detected in a history? Counts by rule, day and key, with examples."""
        old = None if against is None else against.given(self._folders)
        asked = {"against": old, "since": since, "until": until, "examples": examples, "by": by}
        given = {"events": events, "events_files": events_files or []}
        return self._ask("backtest", rules=rules.given(self._folders), **given, **asked)

    def save(self, rule: RequestedRule, change: Changed = None, dry_run: Dry = False) -> Answer:
        """Saves a rule at the event processing service, if the operator's key allows it. Ask the person first."""
        try:
            return ServiceRequests.of_environment().save(rule.model_dump(exclude_none=True), change, dry_run)
        except TocsinError as error:
            raise ToolError(str(error)) from None

    def _ask(self, question: str, **given: object) -> Answer:
        try:
            return self._process.ask(question, **given)
        except TocsinError as error:
            raise ToolError(str(error)) from None


def server_of(tools: Tools, instructions: str) -> MCPServer[Any]:
    """The server with its tools; those that only look are marked so."""
    server: MCPServer[Any] = MCPServer(
        "tocsin", title="Tocsin", instructions=instructions, version=version("tocsin"), log_level="WARNING"
    )
    looking: list[Callable[..., Answer]] = [
        *(tools.check, tools.explain, tools.translate, tools.test, tools.why, tools.backtest)
    ]
    for tool in looking:
        server.add_tool(tool, annotations=ToolAnnotations(read_only_hint=True, open_world_hint=False))
    server.add_tool(tools.save, annotations=ToolAnnotations(read_only_hint=False, destructive_hint=True))
    return server


def serve(folders: Sequence[str], seconds: float) -> None:
    """Answers on standard input and output until the assistant closes them."""
    try:
        service = ServiceRequests.of_environment().url
    except TocsinError:
        service = "none: `save` refuses"
    told = INSTRUCTIONS.format(folders=", ".join(folders) or "none", service=service, seconds=seconds)
    process = AnsweringProcess(seconds)
    try:
        server_of(Tools(process, folders), told).run("stdio")
    finally:
        process.close()
