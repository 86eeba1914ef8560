"""What a pipeline file says: where events come from, which rules, where detections go. Nothing runs here.

source:     {format: jsonl, path: events/, schema: "type string, time timestamp, host string"}
rules:      [rules.yaml]
watermark:  10 seconds
sinks:      [{format: parquet, path: found/}]
checkpoint: checkpoint/

A source or a sink may be a URL instead, alone or with what is said about it: `nats://127.0.0.1/events?encoding=avro`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import yaml

from tocsin.errors import TocsinError, UsageError
from tocsin.pipelines.metrics import place_of
from tocsin.time.spans import parse_period
from tocsin.transports import SINK, SOURCE, Address, address_of, transport_of

FORMATS: Final = ("jsonl", "csv", "parquet", "simulated")
SINKS: Final = ("parquet", "json", "console")
KEYS: Final = {
    "pipeline": (
        "source",
        "columns",
        "rules",
        "order",
        "window",
        "context",
        "watermark",
        "shards",
        "remember",
        "sinks",
        "checkpoint",
        "trigger",
        "quarantine",
        "metrics",
        "spark",
        "shadow",
    ),
    "watched rules": ("watch", "table", "every"),
    "shadow": ("rules", "path"),
    "source": ("url", "format", "path", "schema", "files_per_trigger", "header"),
    "simulated source": ("format", "seed", "types", "keys", "events", "per_batch"),
    "sink": ("url", "format", "path"),
}


@dataclass(frozen=True)
class Simulated:
    """Events made up from a seed: the same ones in every run. One a millisecond."""

    seed: int = 7
    types: tuple[str, ...] = ("a", "b", "c")
    keys: int = 1000
    events: int = 1_000_000
    per_batch: int = 100_000


@dataclass(frozen=True)
class Source:
    """A directory of files, which may grow; simulated events; or an address of a broker."""

    format: str
    path: str = ""
    schema: str | None = None
    files_per_trigger: int | None = None
    header: bool = True
    simulated: Simulated | None = None
    address: Address | None = None


@dataclass(frozen=True)
class Sink:
    """Where detections go: a directory, the terminal, or an address."""

    format: str
    path: str = ""
    address: Address | None = None

    def __str__(self) -> str:
        return str(self.address) if self.address is not None else self.path or self.format


@dataclass(frozen=True)
class Watch:
    """Rules that are read again while they run: files, or a table of Spark's; every so many seconds."""

    every: float = 1.0
    table: str | None = None


@dataclass(frozen=True)
class Shadowed:
    """Rules that run beside the others to be compared with them, and where the differences go."""

    rules: tuple[str, ...]
    path: str | None = None


@dataclass(frozen=True)
class Pipeline:
    """A pipeline, checked. Paths are relative to the file."""

    source: Source
    rules: tuple[str, ...]
    sinks: tuple[Sink, ...]
    checkpoint: str
    columns: Mapping[str, str]
    order: str = "guaranteed"
    window: str | None = None
    context: str | None = None
    watermark: str = "10 seconds"
    shards: int | None = None
    trigger: str | None = None
    """How often a micro-batch begins; None: all there is, and then the end."""
    quarantine: str | None = None
    metrics: tuple[str, ...] = ()
    """Files, and URLs of endpoints."""
    watch: Watch | None = None
    shadow: Shadowed | None = None
    spark: Mapping[str, str] = field(default_factory=dict)
    """Settings of Spark's own."""
    remember: int | None = None
    """For how long, in microseconds of event time, names of events are remembered."""


def read_pipeline(path: str) -> Pipeline:
    """The pipeline in a file; a clear error if it is not one."""
    try:
        with open(path, encoding="utf-8") as file:
            given = yaml.safe_load(file)
    except yaml.YAMLError as error:
        raise UsageError(f"{path}: {error}") from None
    return _Reading(path).pipeline(given)


class _Reading:
    """A pipeline file being read: every error names the file and the key."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.home = Path(path).resolve().parent

    def pipeline(self, given: object) -> Pipeline:
        asked = self.table(given, "pipeline")
        for key in ("source", "rules", "sinks", "checkpoint"):
            if key not in asked:
                raise self.wrong(f"there is no {key!r}")
        rules, watch = self.rules(asked["rules"])
        sinks = asked["sinks"] if isinstance(asked["sinks"], list) else [asked["sinks"]]
        columns = asked.get("columns", {})
        if not isinstance(columns, dict):
            raise self.wrong("'columns' says which column is what: {time: event_time}")
        trigger = asked.get("trigger")
        return Pipeline(
            self.source(asked["source"]),
            rules,
            tuple(self.sink(sink) for sink in sinks),
            self.place(self.text(asked["checkpoint"], "checkpoint")),
            {str(field): self.text(name, "columns") for field, name in columns.items()},
            self.text(asked.get("order", "guaranteed"), "order"),
            None if "window" not in asked else self.text(asked["window"], "window"),
            None if "context" not in asked else self.text(asked["context"], "context"),
            self.text(asked.get("watermark", "10 seconds"), "watermark"),
            None if "shards" not in asked else self.number(asked["shards"], "shards"),
            None if trigger in (None, "once") else self.text(trigger, "trigger"),
            None if "quarantine" not in asked else self.place(self.text(asked["quarantine"], "quarantine")),
            self.metrics(asked.get("metrics", [])),
            watch,
            None if "shadow" not in asked else self.shadow(asked["shadow"]),
            {str(name): str(value) for name, value in self.settings(asked.get("spark", {})).items()},
            None if "remember" not in asked else round(self.seconds(asked["remember"], "remember") * 1e6),
        )

    def rules(self, given: object) -> tuple[tuple[str, ...], Watch | None]:
        """Files; or files and directories that are watched, or a table."""
        if not isinstance(given, dict):
            return self.files(given), None
        asked = self.table(given, "watched rules")
        if ("watch" in asked) == ("table" in asked):
            raise self.wrong("'rules' are files, {watch: DIRECTORY} or {table: NAME}")
        every = self.seconds(asked.get("every", "1 second" if "watch" in asked else "10 seconds"), "every")
        if "table" in asked:
            return (), Watch(every, self.text(asked["table"], "table"))
        return self.files(asked["watch"]), Watch(every)

    def files(self, given: object) -> tuple[str, ...]:
        return tuple(self.place(self.text(each, "rules")) for each in (given if isinstance(given, list) else [given]))

    def shadow(self, given: object) -> Shadowed:
        asked = self.table(given, "shadow")
        if "rules" not in asked:
            raise self.wrong("the shadow has no 'rules': the files of the candidate")
        return Shadowed(
            self.files(asked["rules"]), None if "path" not in asked else self.place(self.text(asked["path"], "path"))
        )

    def metrics(self, given: object) -> tuple[str, ...]:
        found = tuple(
            self.place(self.text(each, "metrics")) for each in (given if isinstance(given, list) else [given])
        )
        for each in found:
            if "://" in each:
                place_of(each)
        return found

    def settings(self, given: object) -> dict[str, Any]:
        if not isinstance(given, dict) or not all(isinstance(value, str | int) for value in given.values()):
            raise self.wrong("'spark' has settings of Spark's: {spark.jars.packages: ...}")
        return given

    def address(self, given: dict[str, Any], use: str) -> Address:
        """A URL, and what stands beside it."""
        url = self.text(given.get("url"), f"the {use}'s url")
        if url.startswith("file:") and not url.startswith("file:/"):
            url = f"file:{self.home / url.removeprefix('file:')}"
        more = {str(name): str(value) for name, value in given.items() if name != "url"}
        for name in ("avro_schema", "dead_letters", "ca"):
            if name in more:
                more[name] = self.place(more[name])
        try:
            return address_of(url, use, more)
        except UsageError as error:
            raise self.wrong(str(error)) from None

    def source(self, given: object) -> Source:
        if isinstance(given, str):
            given = {"url": given}
        if isinstance(given, dict) and "url" in given:
            schema = None if "schema" not in given else self.text(given["schema"], "schema")
            others = {name: value for name, value in given.items() if name != "schema"}
            return Source("url", schema=schema, address=self.address(others, SOURCE))
        simulated = isinstance(given, dict) and given.get("format") == "simulated"
        asked = self.table(given, "simulated source" if simulated else "source")
        kind = self.choice(asked.get("format"), FORMATS, "the source's format")
        if simulated:
            types = asked.get("types", list(Simulated.types))
            if not isinstance(types, list) or not types:
                raise self.wrong("the source's 'types' are a list of event types")
            numbers = {
                name: self.number(asked[name], name)
                for name in ("seed", "keys", "events", "per_batch")
                if name in asked
            }
            return Source(kind, simulated=Simulated(types=tuple(str(each) for each in types), **numbers))
        if "path" not in asked:
            raise self.wrong("the source has no 'path': the directory that events are in")
        if kind != "parquet" and "schema" not in asked:
            raise self.wrong(f"a source of {kind} needs a 'schema': \"type string, time timestamp, host string\"")
        files = asked.get("files_per_trigger")
        return Source(
            kind,
            self.place(self.text(asked["path"], "path")),
            None if "schema" not in asked else self.text(asked["schema"], "schema"),
            None if files is None else self.number(files, "files_per_trigger"),
            bool(asked.get("header", True)),
        )

    def sink(self, given: object) -> Sink:
        if isinstance(given, str):
            given = {"url": given}
        if isinstance(given, dict) and "url" in given:
            return Sink("url", address=self.address(given, SINK))
        asked = self.table(given, "sink")
        kind = self.choice(asked.get("format"), SINKS, "a sink's format")
        if kind == "console":
            return Sink(kind)
        if "path" not in asked:
            raise self.wrong(f"a sink of {kind} has no 'path'")
        return Sink(kind, self.place(self.text(asked["path"], "path")))

    # -- values ----------------------------------------------------------------------------------------------------

    def wrong(self, what: str) -> UsageError:
        return UsageError(f"{self.path}: {what}")

    def table(self, given: object, of: str) -> dict[str, Any]:
        if not isinstance(given, dict):
            raise self.wrong(f"a {of} has keys and values: {', '.join(KEYS[of])}")
        for key in given:
            if key not in KEYS[of]:
                raise self.wrong(f"a {of} has no {key!r}; it has {', '.join(KEYS[of])}")
        return given

    def choice(self, given: object, known: tuple[str, ...], of: str) -> str:
        if given not in known:
            raise self.wrong(f"{of} is {given!r}: {', '.join(known)}")
        return str(given)

    def text(self, given: object, of: str) -> str:
        if not isinstance(given, str) or not given:
            raise self.wrong(f"{of!r} is {given!r}: a text")
        return given

    def seconds(self, given: object, of: str) -> float:
        try:
            return parse_period(self.text(given, of)).length() / 1e6
        except TocsinError as error:
            raise self.wrong(f"{of!r}: {error}") from None

    def number(self, given: object, of: str) -> int:
        if not isinstance(given, int) or isinstance(given, bool) or given < 0:
            raise self.wrong(f"{of!r} is {given!r}: a whole number")
        return given

    def place(self, given: str) -> str:
        return given if "://" in given else str(self.home / given)


def check_addresses(pipeline: Pipeline) -> None:
    """Raises an error if something a pipeline names is not there: before Spark is started, which takes its time."""
    for address, use in ((pipeline.source.address, SOURCE), *((sink.address, SINK) for sink in pipeline.sinks)):
        if address is not None:
            transport_of(address.url, use).check(address, use)
