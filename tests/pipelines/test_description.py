"""Pipeline files: what they say, and what is wrong with them, shown where it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from tocsin.errors import RuleError
from tocsin.pipelines.description import Simulated, Watch, read_pipeline

SCHEMA = "type string, time timestamp, host string"
PIPELINE = f"""\
source: {{format: jsonl, path: in, schema: "{SCHEMA}"}}
rules: [rules.yaml]
watermark: 4 seconds
shards: 2
sinks: [{{format: parquet, path: found}}, {{format: json, path: /also}}]
checkpoint: checkpoint
quarantine: bad
metrics: metrics.json
"""
BROKER = """\
source: nats://127.0.0.1/events
rules: {watch: [rules, more.yaml], every: 2 seconds}
sinks: [{url: "http://127.0.0.1/hook", batch: 5}, "file:out.jsonl"]
checkpoint: checkpoint
columns: {time: event_time}
metrics: [prometheus://127.0.0.1, metrics.json]
remember: 1 minute
trigger: 1 second
spark: {spark.master: local}
"""


def test_what_files_say(tmp_path: Path) -> None:
    (tmp_path / "pipeline.yaml").write_text(PIPELINE)
    found = read_pipeline(str(tmp_path / "pipeline.yaml"))
    assert (found.source.format, found.source.path, found.source.schema) == ("jsonl", str(tmp_path / "in"), SCHEMA)
    assert found.source.header
    assert [(each.format, each.path) for each in found.sinks] == [
        ("parquet", str(tmp_path / "found")),
        ("json", "/also"),
    ]
    assert (found.rules, found.watch) == ((str(tmp_path / "rules.yaml"),), None)
    assert (found.order, found.watermark, found.shards, found.trigger) == ("guaranteed", "4 seconds", 2, None)
    assert (found.window, found.context, found.remember, found.spark, found.columns) == (None, None, None, {}, {})
    assert found.metrics == (str(tmp_path / "metrics.json"),)


def test_what_brokers_say(tmp_path: Path) -> None:
    (tmp_path / "pipeline.yaml").write_text(BROKER)
    found = read_pipeline(str(tmp_path / "pipeline.yaml"))
    assert str(found.source.address) == "nats://127.0.0.1:4222/events"
    hook, file = (each.address for each in found.sinks)
    assert hook is not None
    assert hook.options == {"batch": "5"}
    assert file is not None
    assert str(tmp_path / "out.jsonl") in str(file)
    assert found.watch == Watch(2.0)
    assert found.rules == (str(tmp_path / "rules"), str(tmp_path / "more.yaml"))
    assert (found.columns, found.remember, found.trigger) == ({"time": "event_time"}, 60_000_000, "1 second")
    assert found.metrics == ("prometheus://127.0.0.1", str(tmp_path / "metrics.json"))
    assert found.spark == {"spark.master": "local"}


def test_simulated_events_and_a_table_of_rules(tmp_path: Path) -> None:
    source = "source: {format: simulated, seed: 1, types: [a, b], events: 10}"
    text = BROKER.replace("source: nats://127.0.0.1/events", source).replace(
        "{watch: [rules, more.yaml], every: 2 seconds}", "{table: rules}"
    )
    (tmp_path / "pipeline.yaml").write_text(text)
    found = read_pipeline(str(tmp_path / "pipeline.yaml"))
    assert found.source.simulated == Simulated(seed=1, types=("a", "b"), events=10)
    assert found.watch == Watch(10.0, "rules")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("source: {format: jsonl", r"pipeline.yaml:1:23: this is not YAML: while parsing"),
        ("", "the file is empty"),
        ("[1, 2]", "pipeline.yaml:1:1: a pipeline has keys and values"),
        ("rules: r.yaml", "pipeline.yaml:1:1: there is no 'source'"),
        (PIPELINE + "colour: red", "pipeline.yaml:9:1: there is no setting 'colour'"),
        (PIPELINE + "column: {}", "9:1: there is no setting 'column'(.|\n)*did you mean 'columns'"),
        (PIPELINE + "shards: 3", "9:1: 'shards' is given twice"),
        (PIPELINE.replace("jsonl", "xml"), "1:18: the source's format is 'xml'(.|\n)*jsonl, csv, parquet or simulated"),
        (PIPELINE.replace("format: jsonl, ", ""), "1:9: the source's format is missing"),
        (PIPELINE.replace("path: in, ", ""), "1:9: the source has no 'path'"),
        (PIPELINE.replace(f', schema: "{SCHEMA}"', ""), "1:9: a source of jsonl needs a 'schema'"),
        (PIPELINE.replace("shards: 2", "shards: many"), "4:9: 'many' is not possible here(.|\n)*a whole number"),
        (PIPELINE.replace("4 seconds", "4 apples"), "3:12: this is no length of time"),
        (PIPELINE + "order: sideways", "9:8: .*sideways"),
        (PIPELINE + "context: any", "9:10: .*any"),
        (PIPELINE.replace("format: parquet", "format: pigeon"), "5:18: a sink's format is 'pigeon'"),
        (PIPELINE.replace("[rules.yaml]", "{every: 1 s}"), "2:8: 'rules' are files, {watch: DIRECTORY}"),
        (PIPELINE + "columns: [time]", "9:10: 'columns' says which column is what"),
        (BROKER.replace("nats:", "gnats:"), r"1:9: gnats://127.0.0.1/events: unknown scheme 'gnats': .*did you mean 'nats'"),
        (BROKER.replace("/events", "/events?speed=9"), r"1:9: .*a source of nats has no 'speed'; it has .*stream"),
        (BROKER.replace("http:", "carrier:"), "3:9: .*unknown scheme 'carrier': file, http"),
        (BROKER.replace("batch: 5", "batch: few"), "3:9: .*batch is 'few': a whole number"),
        (BROKER.replace("prometheus:", "graphite:"), "6:11: graphite://127.0.0.1 is no endpoint: prometheus://HOST:9464"),
        (BROKER.replace("{spark.master: local}", "7"), "9:8: 'spark' has settings of Spark's"),
        (BROKER + "shadow: {path: x}", "10:9: the shadow has no 'rules'"),
    ],
)  # fmt: skip
def test_a_bad_pipeline_file_says_what_is_wrong(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "pipeline.yaml").write_text(text)
    with pytest.raises(RuleError, match=message):
        read_pipeline(str(tmp_path / "pipeline.yaml"))
