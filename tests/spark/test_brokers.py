"""Pipelines from real brokers and to them: the same detections as of the embedded engine, after any restart."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.brokers.streams import made_stream
from tests.brokers.test_webhook import Hook, hook
from tests.spark.events import STREAMED, as_given, closing, expected, mixed_up, rows
from tests.spark.test_run import RULES
from tocsin.bench.brokers.servers import Broker, Nats, free_port
from tocsin.encodings import Message
from tocsin.errors import TocsinError
from tocsin.sinks import sink_of
from tocsin.transports import SINK, SOURCE, Address, address_of, codec_for

__all__ = ["hook", "sent"]

pytest.importorskip("pyspark", reason="tocsin run needs pyspark")
pytest.importorskip("fastavro", reason="fastavro is not installed")
pytest.importorskip("prometheus_client", reason="prometheus-client is not installed")

PIPELINE = """\
source: {{url: "{source}"}}
rules: [rules.yaml]
watermark: 4 seconds
shards: 2
sinks: [{{format: json, path: found}}, {sink}]
checkpoint: checkpoint
quarantine: bad
metrics: [metrics.json, "prometheus://127.0.0.1:{port}"]
"""


class Site:
    """A pipeline in a directory, run as often as it is asked to."""

    def __init__(self, spark: Any, folder: Path, source: str, sink: str) -> None:
        self.spark, self.folder, self.port = spark, folder, free_port()
        (folder / "rules.yaml").write_text(RULES)
        (folder / "pipeline.yaml").write_text(PIPELINE.format(source=source, sink=sink, port=self.port))

    def run(self, within: Callable[[Any], None] = lambda _: None) -> Any:
        """To the end of what there is."""
        from tocsin.pipelines.description import check_addresses, read_pipeline
        from tocsin.spark.pipeline_run import SparkRun

        pipeline = read_pipeline(str(self.folder / "pipeline.yaml"))
        check_addresses(pipeline)
        running = SparkRun(self.spark, pipeline, within)
        try:
            running.wait(lambda: False)
            running.write_metrics()
        finally:
            running.close()
        return running

    def found(self) -> list[str]:
        """The ids of what it has found, in all runs."""
        return sorted(row["id"] for row in self.spark.read.json(f"{self.folder}/found").select("id").collect())


def _published(spark: Any, address: Address, records: list[dict[str, Any]]) -> None:
    codec = codec_for(address)
    messages = [codec.encode(record) for record in records]
    sent(spark, address, messages)


def sent(spark: Any, address: Address, messages: list[Message]) -> None:
    """Publishes messages, and waits until they were taken."""
    if address.scheme != "kafka":
        sink_of(address).publish(address, messages)
        return
    rows = [(m.key, m.body, [(name, value.encode()) for name, value in m.headers.items()]) for m in messages]
    frame = spark.createDataFrame(rows, "key string, value binary, headers array<struct<key:string,value:binary>>")
    writer = frame.write.format("kafka").option("kafka.bootstrap.servers", address.servers)
    writer.option("topic", address.path).option("includeHeaders", "true").save()


def _read(spark: Any, address: Address) -> list[dict[str, object]]:
    """All that is in a topic or subject, decoded."""
    from tocsin.spark.sources import kafka, nats

    if address.scheme == "kafka":
        frame = kafka.messages(spark, address, "")
        name = f"seen_{address.path}"
        query = frame.writeStream.format("memory").queryName(name).trigger(availableNow=True).start()
        query.awaitTermination()
        found = [row.asDict() for row in spark.table(name).collect()]
    else:
        reader = nats.NatsReader(address)
        start = reader.initialOffset()
        parts = reader.partitions(start, reader.latestOffset(start, None))
        found = [row for part in parts for batch in reader.read(part) for row in batch.to_pylist()]
    codec = codec_for(address)
    return [codec.decode(Message(bytes(row["body"]), dict(row["headers"]))) for row in found]


def _ready(broker: Broker, name: str) -> tuple[str, str]:
    """Where events are sent to, and where detections go."""
    if isinstance(broker, Nats):
        made_stream(broker, f"in_{name}", f"in.{name}")
        made_stream(broker, f"out_{name}", f"out.{name}")
        return f"in.{name}", f"out.{name}"
    return f"in_{name}", f"out_{name}"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "encoding"), [("nats", "avro"), ("mqtt", "cloudevents&mode=binary"), ("kafka", "cloudevents&mode=binary")]
)
def test_from_a_broker_to_a_broker(
    spark: Any, tmp_path: Path, request: pytest.FixtureRequest, kind: str, encoding: str
) -> None:
    """In two runs: the second begins where the first ended. Events come late, twice, and broken ones among them."""
    broker: Broker = request.getfixturevalue({"mqtt": "mosquitto"}.get(kind, kind))
    come, go = _ready(broker, "whole")
    there = address_of(broker.url(come, f"encoding={encoding}"), SINK)
    found_at = broker.url(go, "encoding=cloudevents")
    given = rows(80, seed=6)
    arriving = [as_given(row) for row in mixed_up(given, 4, 3)]
    site = Site(spark, tmp_path, broker.url(come, f"encoding={encoding.partition('&')[0]}"), f'"{found_at}"')
    if kind == "mqtt":
        site.run()  # the session begins here: the broker keeps nothing for those who never came
    random = Random(5)
    first, second = arriving[:50], arriving[50:]
    _published(spark, there, first + random.sample(first[-5:], 3))
    sent(spark, there, [Message(b"broken"), Message(b'{"specversion": "1.0", "type": "a"}')])
    ran = site.run()
    assert (ran.bad, ran.late) == (2, 0)
    _published(spark, there, second)
    _published(spark, there, [as_given(closing())])
    ran = site.run(within=lambda _: None)
    assert ran.events == len(second) + 1, "what was read before is not read again"
    assert site.found() == sorted(expected(given, STREAMED))
    if kind != "mqtt":
        told = _read(spark, address_of(found_at, SOURCE))
        assert sorted(str(each["id"]) for each in told) == site.found(), "each is published once"
        assert {each["rule"] for each in told} == {"pair", "quiet", "big"}
        assert {each["version"] for each in told} == {1}, "as in the directory"
    kept = spark.read.json(str(tmp_path / "bad")).collect()
    assert len(kept) == 2
    assert all(row["reason"] for row in kept)
    figures = json.loads((tmp_path / "metrics.json").read_text())
    assert set(figures["published"]) == (set() if kind == "kafka" else {str(address_of(found_at, SINK))})
    assert figures["lag_messages"] == 0


def test_a_detection_is_the_event_of_the_next_site(spark: Any, tmp_path: Path, nats: Nats, hook: Hook) -> None:
    """A second pipeline reads what the first has published, and posts what it finds; figures are told to who asks."""
    come, go = _ready(nats, "chain")
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        folder.mkdir()
    given = rows(60, seed=8)
    _published(spark, address_of(nats.url(come), SINK), [as_given(row) for row in [*given, closing()]])
    Site(spark, first, nats.url(come), f'"{nats.url(go)}"').run()
    pairs = [one for one in _read(spark, address_of(nats.url(go), SOURCE)) if one["rule"] == "pair"]
    _published(spark, address_of(nats.url(go), SINK), [as_given(closing())])
    site = Site(spark, second, nats.url(go), f'{{url: "{hook.url}", batch: 4, encoding: cloudevents, pause: 1 ms}}')
    (second / "rules.yaml").write_text('rules: [{name: again, language: eps, expression: "p:pair"}]')
    hook.answers = [(503, {}), (200, {}), (410, {})]
    told: list[str] = []

    def ask(_: Any) -> None:
        with urllib.request.urlopen(f"http://127.0.0.1:{site.port}/metrics") as answer:
            told.append(answer.read().decode())

    ran = site.run(ask)
    found = spark.read.json(f"{second}/found").select("events").collect()
    assert sorted(row["events"][0] for row in found) == sorted(str(one["id"]) for one in pairs)
    assert len(pairs) > 10
    requests = [each for _, body in hook.requests for each in json.loads(body)]
    assert {each["version"] for each in requests} == {1}
    posted = [each["id"] for each in requests]
    assert sorted(set(posted)) == site.found()
    assert (ran.retries, ran.reason) == (1, "HTTP 410 Gone")
    dead = [
        json.loads(line)
        for path in (second / "checkpoint/dead-letters").iterdir()
        for line in path.read_text().splitlines()
    ]
    assert 1 <= len(dead) == ran.dead <= 4, "of one request"
    assert {json.loads(each["message"])["id"] for each in dead} < set(posted)
    assert 'tocsin_detections_total{rule="again"} ' + f"{len(pairs)}.0" in told[-1]
    assert f"tocsin_dead_letters_total {ran.dead}.0" in told[-1]
    assert "tocsin_lag_messages 0.0" in told[-1]
    assert "tocsin_state_bytes" in told[-1]


def test_a_stream_that_has_forgotten(spark: Any, tmp_path: Path, nats: Nats) -> None:
    """Messages that are gone before they were read are told, not passed over; nor is a stream that was made anew."""
    from tocsin.spark.sources.nats import NatsReader

    made_stream(nats, "short", "short", max_msgs=5)
    address = address_of(nats.url("short"), SOURCE)
    _published(spark, address_of(nats.url("short"), SINK), [as_given(row) for row in rows(9)])
    reader = NatsReader(address)
    assert reader.initialOffset() == {"sequence": 4}
    with pytest.raises(TocsinError, match="messages 3 to 4 are gone before they were read"):
        reader.partitions({"sequence": 2}, {"sequence": 9})
    going_on = NatsReader(address_of(nats.url("short", "lost=go-on"), SOURCE))
    parts = going_on.partitions({"sequence": 2}, {"sequence": 9})
    assert sum(batch.num_rows for part in parts for batch in going_on.read(part)) == 5
    with pytest.raises(TocsinError, match="ends with message 9, and 12 was read: it was made anew"):
        reader.latestOffset({"sequence": 12}, None)
