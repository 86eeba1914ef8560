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
from typing import Final

import yaml

from tocsin.errors import UsageError, choices, nearest
from tocsin.pipelines.metrics import place_of
from tocsin.rules.loader import read_text
from tocsin.rules.options import context_of, order_of, period_of, window_of
from tocsin.rules.placed_yaml import PlacedYaml
from tocsin.time.spans import SECOND
from tocsin.transports import SINK, SOURCE, Address, address_of, transport_of

FORMATS: Final = ("jsonl", "csv", "parquet", "simulated")
SINKS: Final = ("parquet", "json", "console")
PATHS: Final = ("avro_schema", "dead_letters", "ca")
"""What stands beside a URL and is a path."""
ASKED_AGAIN: Final = 10.0
"""Seconds after which a table of rules is read again, unless it says how often."""
REQUIRED: Final = ("source", "rules", "sinks", "checkpoint")
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
    """The pipeline in a file; if it is not one, every fault is shown where it stands."""
    return _Reading(read_text(Path(path)), path).pipeline()


class _Reading(PlacedYaml):
    """A pipeline file being read."""

    @property
    def home(self) -> Path:
        """What paths are relative to."""
        return Path(self.file).resolve().parent

    def pipeline(self) -> Pipeline:
        root = self.compose("source, rules, sinks and checkpoint")
        asked = self.table(root, "pipeline")
        for key in REQUIRED:
            if key not in asked:
                raise self.fault(root, f"there is no '{key}'", choices(REQUIRED, "and"))
        rules, watch = self.rules(asked["rules"])
        self.option(asked, "order", order_of)
        self.option(asked, "window", window_of)
        self.option(asked, "context", context_of)
        trigger = self.option(asked, "trigger", str)
        return Pipeline(
            source=self.source(asked["source"]),
            rules=rules,
            sinks=tuple(self.sink(sink) for sink in _items(asked["sinks"])),
            checkpoint=self.path_of(asked["checkpoint"]),
            columns=self.columns(asked),
            order=self.option(asked, "order", str) or Pipeline.order,
            window=self.option(asked, "window", str),
            context=self.option(asked, "context", str),
            watermark=self.span(asked, "watermark") or Pipeline.watermark,
            shards=None if "shards" not in asked else self.number(asked["shards"]),
            trigger=None if trigger == "once" else trigger,
            quarantine=None if "quarantine" not in asked else self.path_of(asked["quarantine"]),
            metrics=tuple(map(self.metric, _items(asked["metrics"]))) if "metrics" in asked else (),
            watch=watch,
            shadow=None if "shadow" not in asked else self.shadow(asked["shadow"]),
            spark=self.settings(asked["spark"]) if "spark" in asked else {},
            remember=self.option(asked, "remember", _microseconds),
        )

    def columns(self, asked: dict[str, yaml.Node]) -> dict[str, str]:
        """Which column is what."""
        if "columns" not in asked:
            return {}
        if not isinstance(asked["columns"], yaml.MappingNode):
            raise self.fault(asked["columns"], "'columns' says which column is what", "{time: event_time}")
        return {name: self.text_of(node) for name, node in self.fields(asked["columns"]).items()}

    def rules(self, node: yaml.Node) -> tuple[tuple[str, ...], Watch | None]:
        """Files; or files and directories that are watched, or a table."""
        if not isinstance(node, yaml.MappingNode):
            return self.files(node), None
        asked = self.table(node, "watched rules")
        if ("watch" in asked) == ("table" in asked):
            raise self.fault(node, "'rules' are files, {watch: DIRECTORY} or {table: NAME}")
        usual = Watch.every if "watch" in asked else ASKED_AGAIN
        micros = self.option(asked, "every", _microseconds)
        every = usual if micros is None else micros / SECOND
        if "table" in asked:
            return (), Watch(every, self.text_of(asked["table"]))
        return self.files(asked["watch"]), Watch(every)

    def files(self, node: yaml.Node) -> tuple[str, ...]:
        return tuple(map(self.path_of, _items(node)))

    def shadow(self, node: yaml.Node) -> Shadowed:
        asked = self.table(node, "shadow")
        if "rules" not in asked:
            raise self.fault(node, "the shadow has no 'rules'", "the files of the candidate")
        return Shadowed(self.files(asked["rules"]), self.path_of(asked["path"]) if "path" in asked else None)

    def metric(self, node: yaml.Node) -> str:
        found = self.path_of(node)
        if "://" in found:
            try:
                place_of(found)
            except UsageError as error:
                raise self.fault(node, str(error)) from None
        return found

    def settings(self, node: yaml.Node) -> dict[str, str]:
        if not isinstance(node, yaml.MappingNode):
            raise self.fault(node, "'spark' has settings of Spark's", "{spark.jars.packages: ...}")
        return {name: self.text_of(value) for name, value in self.fields(node).items()}

    # -- events in, detections out -----------------------------------------------------------------------------------

    def source(self, node: yaml.Node) -> Source:
        address, others = self.address(node, SOURCE, apart=("schema",))
        if address is not None:
            schema = others.get("schema")
            return Source("url", schema=None if schema is None else self.text_of(schema), address=address)
        kind_of = dict(self.fields(node)).get("format") if isinstance(node, yaml.MappingNode) else None
        if kind_of is not None and self.string(kind_of) == "simulated":
            return Source("simulated", simulated=self.simulated(self.table(node, "simulated source")))
        asked = self.table(node, "source")
        kind = self.choice(node, asked, FORMATS, "the source's format")
        if "path" not in asked:
            raise self.fault(node, "the source has no 'path'", "the directory that events are in")
        if kind != "parquet" and "schema" not in asked:
            expected = 'schema: "type string, time timestamp, host string"'
            raise self.fault(node, f"a source of {kind} needs a 'schema'", expected)
        return Source(
            kind,
            self.path_of(asked["path"]),
            self.option(asked, "schema", str),
            self.number(asked["files_per_trigger"]) if "files_per_trigger" in asked else None,
            self.flag(asked["header"]) if "header" in asked else True,
        )

    def simulated(self, asked: dict[str, yaml.Node]) -> Simulated:
        types = Simulated.types
        if "types" in asked:
            listed = asked["types"]
            if not isinstance(listed, yaml.SequenceNode) or not listed.value:
                raise self.fault(listed, "the source's 'types' are a list of event types", "[a, b]")
            types = tuple(map(self.text_of, listed.value))
        numbers = {name: self.number(asked[name]) for name in ("seed", "keys", "events", "per_batch") if name in asked}
        return Simulated(types=types, **numbers)

    def sink(self, node: yaml.Node) -> Sink:
        address, _ = self.address(node, SINK)
        if address is not None:
            return Sink("url", address=address)
        asked = self.table(node, "sink")
        kind = self.choice(node, asked, SINKS, "a sink's format")
        if kind == "console":
            return Sink(kind)
        if "path" not in asked:
            raise self.fault(node, f"a sink of {kind} has no 'path'", "the directory that detections go to")
        return Sink(kind, self.path_of(asked["path"]))

    def address(
        self, node: yaml.Node, use: str, apart: tuple[str, ...] = ()
    ) -> tuple[Address | None, dict[str, yaml.Node]]:
        """A URL, with what stands beside it; and what stands there and is none of the transport's. None: no URL."""
        given = {"url": node} if isinstance(node, yaml.ScalarNode) else dict(self.fields(node))
        if "url" not in given:
            return None, {}
        url = self.text_of(given.pop("url"))
        if url.startswith("file:") and not url.startswith("file:/"):
            url = f"file:{self.home / url.removeprefix('file:')}"
        others = {name: given.pop(name) for name in apart if name in given}
        more = {name: self.path_of(value) if name in PATHS else self.string(value) for name, value in given.items()}
        try:
            return address_of(url, use, more), others
        except UsageError as error:
            raise self.fault(node, str(error)) from None

    # -- values ------------------------------------------------------------------------------------------------------

    def table(self, node: yaml.Node, of: str) -> dict[str, yaml.Node]:
        if not isinstance(node, yaml.MappingNode):
            raise self.fault(node, f"a {of} has keys and values", ", ".join(KEYS[of]))
        return self.fields(node, KEYS[of])

    def choice(self, node: yaml.Node, asked: dict[str, yaml.Node], known: tuple[str, ...], of: str) -> str:
        if "format" not in asked:
            raise self.fault(node, f"{of} is missing", choices(known))
        found = self.string(asked["format"])
        if found not in known:
            raise self.fault(asked["format"], f"{of} is '{found}'", choices(known), nearest(found, known))
        return found

    def text_of(self, node: yaml.Node) -> str:
        found = self.string(node)
        if not found:
            raise self.fault(node, "this must not be empty", "a text")
        return found

    def span(self, asked: dict[str, yaml.Node], key: str) -> str | None:
        """A length of time, as it is written."""
        self.option(asked, key, _microseconds)
        return self.option(asked, key, str)

    def number(self, node: yaml.Node) -> int:
        return self.count(node, 0, 999_999_999)

    def path_of(self, node: yaml.Node) -> str:
        """A path, which is relative to the file; or a URL."""
        found = self.text_of(node)
        return found if "://" in found else str(self.home / found)


def _items(node: yaml.Node) -> list[yaml.Node]:
    """The items of a list; or the one there is."""
    return list(node.value) if isinstance(node, yaml.SequenceNode) else [node]


def _microseconds(text: str) -> int:
    return period_of(text, "this is no length of time").length()


def check_addresses(pipeline: Pipeline) -> None:
    """Raises an error if something a pipeline names is not there: before Spark is started, which takes its time."""
    for address, use in ((pipeline.source.address, SOURCE), *((sink.address, SINK) for sink in pipeline.sinks)):
        if address is not None:
            transport_of(address.url, use).check(address, use)
