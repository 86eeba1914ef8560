"""The figures of `tocsin bench live`: pipelines as they run, fed by real brokers on this machine.

`change`, `change-spark`: what a change of rules costs while much is remembered (`bench/changes.py`).
`kafka`, `nats`, `mqtt`: events a second of wall time from a broker that holds them all, through a pipeline with a
keyed rule, to a directory: the broker, Spark and the rules share the machine. The first of two runs is not counted.
What is found is compared with the embedded engine.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, Final

import tocsin.api as tc
from tocsin.bench.brokers.jars import connector_settings
from tocsin.bench.brokers.servers import Broker, Kafka, Mosquitto, Nats
from tocsin.bench.changes import embedded, on_spark
from tocsin.bench.columns import is_compiled
from tocsin.bench.records import Record
from tocsin.bench.spark import cpu
from tocsin.encodings import Message
from tocsin.pipelines.description import read_pipeline
from tocsin.sinks import sink_of
from tocsin.spark.pipeline_run import SparkRun
from tocsin.spark.session import local_session
from tocsin.transports import SINK, address_of

EVENTS: Final = 200_000
KEYS: Final = 2000
_RULES: Final = """\
rules:
- {name: pair, language: eps, expression: "x:a ; y:b", condition: "x.key == y.key", context: unrestricted, window: 1 s}
"""
_PIPELINE: Final = """\
source: {{url: "{url}", schema: "key bigint, value double"}}
rules: rules.yaml
watermark: 1 second
sinks: [{{format: parquet, path: found}}]
checkpoint: checkpoint
"""
_SUBJECT: Final = "events"


class Live:
    """A session of Spark, with the connector to Kafka, and a directory for brokers and pipelines."""

    def __init__(self, home: Path, scale: float, with_kafka: bool) -> None:
        self.home, self.scale = home, scale
        settings = connector_settings() if with_kafka else {}
        self.spark = local_session(**settings, **{"spark.sql.shuffle.partitions": "2"})

    def run(self, name: str, url: str) -> tuple[float, float, set[str]]:
        """A pipeline to its end: seconds of wall and of CPU time, and the ids of what it found."""
        folder = self.home / name
        folder.mkdir(exist_ok=True)
        (folder / "rules.yaml").write_text(_RULES)
        (folder / "pipeline.yaml").write_text(_PIPELINE.format(url=url))
        begun, before = time.monotonic(), cpu.seconds(self.spark)
        running = SparkRun(self.spark, read_pipeline(str(folder / "pipeline.yaml")), lambda _: None)
        running.wait(lambda: False)
        wall, used = time.monotonic() - begun, cpu.seconds(self.spark) - before
        found = self.spark.read.parquet(str(folder / "found")).select("id").collect()
        return wall, used, {row["id"] for row in found}


@contextmanager
def live(scale: float, names: Iterable[str]) -> Iterator[Live]:
    """A session for figures of these names, and a directory that is gone afterwards."""
    home = Path(tempfile.mkdtemp(prefix="tocsin-live-"))
    try:
        yield Live(home, scale, "kafka" in names)
    finally:
        shutil.rmtree(home, ignore_errors=True)


def made_events(count: int) -> list[dict[str, Any]]:
    """Events of two types and many keys, one a millisecond; and one long after, so that all are stable."""
    random = Random(7)
    made = [
        {
            "type": random.choice("ab"),
            "time": number / 1000,
            "id": str(number),
            "data": {"key": random.randrange(KEYS), "value": random.random()},
        }
        for number in range(count)
    ]
    return [*made, {"type": "z", "time": count / 1000 + 1e6, "id": "end", "data": {}}]


def _from_broker(live: Live, name: str, kind: Callable[[Path], Broker]) -> Record:
    given = made_events(max(1000, round(EVENTS * live.scale)))
    expected = {one.id for one in tc.detect(_rule(live.home), given, order="guaranteed")}
    messages = [Message(json.dumps(each).encode(), {}, each["id"]) for each in given]
    with kind(live.home / f"{name}-broker") as broker:
        query = "quiet=500 ms" if name == "mqtt" else ""
        if isinstance(broker, Nats):
            asyncio.run(_made_stream(broker))
        publishing, wall, used, found = 0.0, 0.0, 0.0, set[str]()
        for turn in ("cold", "warm"):
            folder = f"{name}-{turn}"
            if name == "mqtt":
                live.run(folder, broker.url(_SUBJECT, query))  # the broker keeps what comes for those who came
            if name == "mqtt" or turn == "cold":
                begun = time.monotonic()
                _publish(live.spark, broker, messages)
                publishing = time.monotonic() - begun
            wall, used, found = live.run(folder, broker.url(_SUBJECT, query))
    details = {"seconds": wall, "published a second": len(given) / publishing}
    rate, answer = len(given) / wall, (len(found), sum(int(each, 16) for each in found) % 2**61)
    return Record(
        name, len(given), *answer, used, rate, "events a second", None, found == expected, is_compiled(), details
    )


def _rule(home: Path) -> Any:
    (home / "rules.yaml").write_text(_RULES)
    return tc.load(str(home / "rules.yaml"))


def _publish(spark: Any, broker: Broker, messages: list[Message]) -> None:
    if not isinstance(broker, Kafka):
        address = address_of(broker.url(_SUBJECT), SINK)
        sink_of(address).publish(address, messages)
        return
    frame = spark.createDataFrame([(m.key, m.body) for m in messages], "key string, value binary")
    writer = frame.write.format("kafka").option("kafka.bootstrap.servers", f"127.0.0.1:{broker.port}")
    writer.option("topic", _SUBJECT).save()


async def _made_stream(broker: Nats) -> None:
    from nats import connect

    connection = await connect(f"nats://127.0.0.1:{broker.port}")
    await connection.jetstream().add_stream(name="events", subjects=[_SUBJECT])
    await connection.close()


def kafka(live: Live) -> Record:
    """From Kafka, by Spark's connector."""
    return _from_broker(live, "kafka", Kafka)


def nats(live: Live) -> Record:
    """From NATS JetStream."""
    return _from_broker(live, "nats", Nats)


def mqtt(live: Live) -> Record:
    """From Mosquitto, by the journal."""
    return _from_broker(live, "mqtt", Mosquitto)


def change(live: Live) -> Record:
    """A rule more for an engine that holds many rows."""
    return embedded(live.scale)


def change_spark(live: Live) -> Record:
    """A rule more for a pipeline that holds many rows."""
    return on_spark(live.spark, live.home / "change", live.scale)


FIGURES: Final[dict[str, Callable[[Live], Record]]] = {
    "change": change,
    "change-spark": change_spark,
    "kafka": kafka,
    "nats": nats,
    "mqtt": mqtt,
}
"""A further figure of pipelines at work is a function here, and its name in `LIVE` of the command."""
