"""The tools of an assistant over the Model Context Protocol, on standard input and output (`tocsin mcp`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import Annotated, Any, Final, Literal

from tocsin.assistants.answering_process import AnsweringProcess
from tocsin.assistants.limits import MOST_EVENTS_TEXT, MOST_TEXT
from tocsin.assistants.service_requests import ServiceRequests
from tocsin.errors import MissingDependency, TocsinError

try:
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
    from mcp_types import ToolAnnotations
    from pydantic import BaseModel, ConfigDict, Field
except ImportError:
    raise MissingDependency("mcp", "mcp") from None

INSTRUCTIONS: Final = """\
Tocsin detects composite events: patterns in time over events from many sources. A rule is an expression in one of seven \
notations (core, eps, gem, global, pretty, python, sel) with, where needed, a condition over the events it names.

Work in this order: `check` a rule (faults come with line, column and what was expected; the meaning is said in words), \
`test` it with a few events and what should be detected, ask `why` where it fired or did not, `backtest` it over a \
history. `translate` says it in another notation, `explain` shows what runs.

What this server will not do: it runs no code (Python rules are parsed, never run) and no commands; it writes no file; it \
reads only files that an argument names and that lie in a folder its operator has opened ({folders}); `load` in a script \
reads nothing. It talks to nobody but, for `save`, the event processing service that its operator has set ({service}). It \
deletes, enables and disables nothing there, sends no events, and says nothing about where notifications go: callbacks are \
set by people. A question that takes longer than {seconds:g} s is stopped.
"""

Language = Literal["core", "eps", "gem", "global", "pretty", "python", "sel"]
Context = Literal["unrestricted", "generic", "chronicle", "recent", "continuous", "cumulative"]
Files = Annotated[list[str], Field(max_length=100, description="files of events, in the folders that are opened")]
Events = Annotated[
    list[dict[str, Any]] | Annotated[str, Field(max_length=MOST_EVENTS_TEXT)] | None,
    Field(
        description="events in order of arrival, as objects or as a text with one JSON object a line:"
        ' {"id": "1", "type": "temp", "source": "s1", "time": 12.5, "data": {"t": 31.0}}'
    ),
]


class Rules(BaseModel):
    """Rules: an expression in a language, the text of a rules file, files, or these together."""

    model_config = ConfigDict(extra="forbid")

    expression: str | None = Field(None, max_length=MOST_TEXT, description="one rule, called 'rule'; needs `language`")
    language: Language | None = Field(None, description="the notation of `expression`")
    condition: str | None = Field(None, max_length=MOST_TEXT, description="a guard that must hold: x.host == y.host")
    text: str | None = Field(
        None,
        max_length=MOST_TEXT,
        description="the text of a rules file. YAML: `rules:`, a list of {name, language, expression, condition?, window?, ...}",
    )
    kind: Literal["yaml", "gem", "eps"] = Field("yaml", description="what kind of rules file `text` is")
    files: list[str] = Field([], max_length=100, description="rules files, in the folders that are opened")
    context: Context | None = Field(None, description="which occurrences combine and are used up, for rules without one")
    window: str | None = Field(None, description="how old an event may be, for rules without a window: '5 min'")
    order: str | None = Field(None, description="best-effort, delay:SPAN, guaranteed[:SPAN] or probabilistic:P")
    time_model: str | None = Field(None, description="point, interval or 2g:SPAN")

    def given(self, folders: Sequence[str]) -> dict[str, Any]:
        """The same as the tools take it."""
        plain = self.model_dump(exclude_none=True)
        options = {key: plain.pop(key) for key in ("context", "window", "order", "time_model") if key in plain}
        return {**plain, "folders": list(folders), "options": options}


class RequestedRule(BaseModel):
    """A rule as a request for notification: the keys of a rule in a rules file."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(min_length=1, max_length=200)
    language: Language
    expression: str = Field(max_length=MOST_TEXT)
    condition: str | None = Field(None, max_length=MOST_TEXT)
    context: Context | None = None
    window: str | None = None
    order: str | None = None
    partition: str | None = None
    select: dict[str, str] | None = Field(None, description="names with guard expressions: a detection's data")
    notify: str | None = Field(None, description="a text with values: 'link {x.link} is down'")
    suppress: dict[str, Any] | None = Field(None, description="{by: x.ip, for: 10 minutes}")
    severity: Literal["informational", "low", "medium", "high", "critical"] | None = None
    description: str | None = None


class Tools:
    """The tools: each hands its question to the process that answers, or to the service."""

    def __init__(self, process: AnsweringProcess, folders: Sequence[str]) -> None:
        self._process, self._folders = process, folders

    def check(self, rules: Rules) -> dict[str, Any]:
        """Is a rule right? Every fault and warning with its place, and what each rule means in words and costs."""
        return self._ask("check", rules=rules.given(self._folders))

    def explain(
        self, rules: Rules, view: Literal["graph", "plan", "automaton", "shards"] = "graph"
    ) -> dict[str, Any]:
        """What runs: the meaning of each rule in words, and the shared graph, search plans, automata or Spark shards."""
        return self._ask("explain", rules=rules.given(self._folders), view=view)

    def translate(
        self,
        rules: Rules,
        to: Annotated[str, Field(description="core, eps, gem, global, pretty, python, sel, flink-sql, esper, ...")],
        nearest: Annotated[bool, Field(description="where nothing is exact, give the nearest form and how it differs")] = False,
    ) -> dict[str, Any]:
        """Rules in another notation that detects exactly the same, or a refusal that names what the notation lacks."""
        return self._ask("translate", rules=rules.given(self._folders), to=to, nearest=nearest)

    def test(
        self,
        rules: Rules,
        cases: Annotated[
            str,
            Field(
                max_length=MOST_TEXT,
                description="a test file as YAML: `cases:`, a list of {name, given, expect, window?, within_delay?, ...};"
                " given: lines 'TIME TYPE [SOURCE] [NAME=VALUE ...]'; expect: a number, or [[ids of events], {rule, events}]",
            ),
        ],
    ) -> dict[str, Any]:
        """Do rules detect what they should? Given events and expected detections, case by case, with what differs."""
        return self._ask("test", rules=rules.given(self._folders), cases=cases)

    def why(
        self,
        rules: Rules,
        events: Events = None,
        events_files: Files = [],  # noqa: B006 - the default in the tool's schema; nobody changes it
        rule: str | None = None,
        detection: Annotated[str | None, Field(description="the id of a detection")] = None,
        with_events: Annotated[list[str], Field(description="ids of events that are asked about")] = [],  # noqa: B006
        at: Annotated[str | None, Field(description="a time that is asked about")] = None,
        limit: Annotated[int | None, Field(ge=0, le=100, description="firings and misses told of a rule")] = None,
    ) -> dict[str, Any]:
        """Why did a rule fire on given events, or what came closest and exactly where did it fail?"""
        asked = {"rule": rule, "detection": detection, "with_events": with_events, "at": at, "limit": limit}
        given = {"events": events, "events_files": events_files}
        return self._ask("why", rules=rules.given(self._folders), **given, **asked)

    def backtest(
        self,
        rules: Rules,
        events: Events = None,
        events_files: Files = [],  # noqa: B006
        against: Annotated[Rules | None, Field(description="older rules: tell what is detected besides, or no more")] = None,
        since: Annotated[str | None, Field(description="skip events before this time")] = None,
        until: Annotated[str | None, Field(description="skip events at or after this time")] = None,
        examples: Annotated[int, Field(ge=0, le=20)] = 3,
        by: Annotated[str | None, Field(description="count by this attribute where a rule has no key")] = None,
    ) -> dict[str, Any]:
        """What would rules have detected in a history? Counts by rule, day and key, with examples."""
        old = None if against is None else against.given(self._folders)
        asked = {"against": old, "since": since, "until": until, "examples": examples, "by": by}
        given = {"events": events, "events_files": events_files}
        return self._ask("backtest", rules=rules.given(self._folders), **given, **asked)

    def save(
        self,
        rule: RequestedRule,
        change: Annotated[str | None, Field(description="the id of the request to change; without it, one is made")] = None,
        dry_run: Annotated[bool, Field(description="only say what it would cost and share")] = False,
    ) -> dict[str, Any]:
        """Saves a rule at the event processing service, with the operator's key if that allows it. Ask the person first."""
        try:
            return ServiceRequests.of_environment().save(rule.model_dump(exclude_none=True), change, dry_run)
        except TocsinError as error:
            raise ToolError(str(error)) from None

    def _ask(self, question: str, **given: object) -> dict[str, Any]:
        try:
            return self._process.ask(question, **given)
        except TocsinError as error:
            raise ToolError(str(error)) from None


def server_of(tools: Tools, instructions: str) -> MCPServer[Any]:
    """The server with its tools; those that only look are marked so."""
    server: MCPServer[Any] = MCPServer(
        "tocsin", title="Tocsin", instructions=instructions, version=version("tocsin"), log_level="WARNING"
    )
    looking: list[Callable[..., dict[str, Any]]] = [
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
