"""What the tools of an assistant take, as their schemas say it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from tocsin.assistants.limits import MOST_EVENTS_TEXT, MOST_TEXT
from tocsin.errors import MissingDependency

try:
    from pydantic import BaseModel, ConfigDict, Field
except ImportError:
    raise MissingDependency("mcp", "mcp") from None

Language = Literal["core", "eps", "gem", "global", "pretty", "python", "sel"]
Context = Literal["unrestricted", "generic", "chronicle", "recent", "continuous", "cumulative"]
Files = Annotated[
    list[str] | None, Field(max_length=100, description="files of events, in the folders that are opened")
]
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
        description="the text of a rules file; YAML: `rules:`, a list of {name, language, ...}",
    )
    kind: Literal["yaml", "gem", "eps"] = Field("yaml", description="what kind of rules file `text` is")
    files: list[str] = Field([], max_length=100, description="rules files, in the folders that are opened")
    context: Context | None = Field(
        None, description="which occurrences combine and are used up, for rules without one"
    )
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


Cases = Annotated[
    str,
    Field(
        max_length=MOST_TEXT,
        description="a test file as YAML: `cases:`, a list of {name, given, expect, window?, within_delay?, ...};"
        " given: lines 'TIME TYPE [SOURCE] [NAME=VALUE ...]'; expect: a number, or [[ids of events], {rule, events}]",
    ),
]
Ids = Annotated[list[str] | None, Field(max_length=100, description="ids of events that are asked about")]
Target = Annotated[str, Field(description="core, eps, gem, global, pretty, python, sel, flink-sql or esper-epl")]
Nearest = Annotated[bool, Field(description="where nothing is exact, give the nearest form and how it differs")]
Limit = Annotated[int | None, Field(ge=0, le=100, description="firings and misses told of a rule")]
Examples = Annotated[int, Field(ge=0, le=20, description="detections shown of each rule")]
Time = Annotated[str | None, Field(description="RFC 3339, or seconds since 1970")]
Older = Annotated[Rules | None, Field(description="older rules: tell what is detected besides, or no more")]
Counted = Annotated[str | None, Field(description="count by this attribute where a rule has no key")]
Detected = Annotated[str | None, Field(description="the id of a detection")]
Changed = Annotated[str | None, Field(description="the id of the request to change; without it, one is made")]
Dry = Annotated[bool, Field(description="only say what it would cost and share")]
View = Literal["graph", "plan", "automaton", "shards"]
