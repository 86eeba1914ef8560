"""What the sources of brokers promise, without Spark: numbers that hold, and nothing lost, whoever is killed."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.brokers.conftest import started
from tests.brokers.streams import made_stream
from tocsin.bench.brokers.servers import Mosquitto, Nats
from tocsin.encodings import Message
from tocsin.sinks import sink_of
from tocsin.transports import SINK, SOURCE, address_of

pytest.importorskip("pyspark", reason="the sources of a pipeline need pyspark")
pytest.importorskip("nats", reason="nats-py is not installed")

from pyspark.sql.streaming.datasource import ReadMaxRows

from tocsin.spark.sources.messages import batch_of, decoder
from tocsin.spark.sources.mqtt import MqttReader
from tocsin.spark.sources.nats import NatsReader
from tocsin.stores.journal import length_of, parts_of, rows_of

RECEIVER = """
import sys, time
from tocsin.spark.sources.mqtt import Receiver
from tocsin.transports import SOURCE, address_of
receiver = Receiver(address_of(sys.argv[1], SOURCE), sys.argv[2])
while True:
    receiver.length()
    print(receiver.length(), flush=True)
    time.sleep(0.01)
"""


def _messages(first: int, count: int) -> list[Message]:
    return [
        Message(json.dumps({"type": "a", "time": n, "id": str(n)}).encode(), {}, str(n))
        for n in range(first, first + count)
    ]


def _numbers(batches: list[Any]) -> list[int]:
    return [json.loads(row["body"])["time"] for batch in batches for row in batch.to_pylist()]


def _until(is_so: Callable[[], bool]) -> None:
    begun = time.monotonic()
    while not is_so():
        assert time.monotonic() - begun < 60
        time.sleep(0.01)


def test_numbers_of_nats_are_offsets(nats: Nats) -> None:
    made_stream(nats, "numbers", "numbers.*")
    for subject in ("numbers.one", "numbers.two"):
        address = address_of(nats.url(subject), SINK)
        sink_of(address).publish(address, _messages(0, 3000))
    reader = NatsReader(address_of(nats.url("numbers.two", "per_batch=4000"), SOURCE))
    assert isinstance(reader.getDefaultReadLimit(), ReadMaxRows)
    start = reader.initialOffset()
    middle = reader.latestOffset(start, reader.getDefaultReadLimit())
    end = reader.latestOffset(middle, None)
    assert (start, middle, end) == ({"sequence": 0}, {"sequence": 4000}, {"sequence": 6000})
    first = [batch for part in reader.partitions(start, middle) for batch in reader.read(part)]
    assert _numbers(first) == list(range(1000)), "of the other subject there is nothing"
    again = [batch for part in reader.partitions(start, middle) for batch in reader.read(part)]
    assert _numbers(again) == _numbers(first)
    second = [batch for part in reader.partitions(middle, end) for batch in reader.read(part)]
    assert _numbers(second) == list(range(1000, 3000))
    assert not reader.partitions(end, end)
    assert first[0].to_pylist()[0]["place"] == "numbers/3001"
    newest = NatsReader(address_of(nats.url("numbers.one", "start=new"), SOURCE))
    assert newest.initialOffset() == {"sequence": 6000}


def test_nats_is_read_on_when_it_comes_back(tmp_path: Path) -> None:
    """It is killed after some messages were read, and again while nobody reads."""
    broker = started(Nats, tmp_path / "nats")
    try:
        made_stream(broker, "events", "events")
        address = address_of(broker.url("events"), SINK)
        sink_of(address).publish(address, _messages(0, 10_000))
        reader = NatsReader(address_of(broker.url("events"), SOURCE))
        parts = reader.partitions({"sequence": 0}, reader.latestOffset({"sequence": 0}, None))
        found, has_died = [], False
        for part in parts:
            for batch in reader.read(part):
                found.append(batch)
                if not has_died:
                    has_died = True
                    broker.kill()
                    assert reader.latestOffset({"sequence": 7}, None) == {"sequence": 7}, (
                        "while it is away nothing is new"
                    )
                    broker.start()
        assert _numbers(found) == list(range(10_000))
    finally:
        broker.kill()


def test_what_mqtt_brings_is_in_the_journal(mosquitto: Mosquitto, tmp_path: Path) -> None:
    url, home = mosquitto.url("journal/one", "per_batch=250"), str(tmp_path / "journal")
    reader = MqttReader(address_of(url, SOURCE), home)
    address = address_of(mosquitto.url("journal/one"), SINK)
    try:
        start = reader.initialOffset()
        assert reader.latestOffset(start, None) == start
        sink_of(address).publish(address, _messages(0, 600))
        _until(lambda: reader.latestOffset(start, None) == {"message": 600})
        first = reader.latestOffset(start, reader.getDefaultReadLimit())
        assert first == {"message": 250}
        parts = reader.partitions(start, {"message": 600})
        assert _numbers([batch for part in parts for batch in reader.read(part)]) == list(range(600))
    finally:
        reader.stop()
    # Away, and back: the broker has kept what came.
    sink_of(address).publish(address, _messages(600, 50))
    again = MqttReader(address_of(url, SOURCE), home)
    try:
        again.prepareForTriggerAvailableNow()
        assert again.latestOffset({"message": 600}, None) == {"message": 650}
        again.commit({"message": 650})
    finally:
        again.stop()


@pytest.mark.slow
def test_a_receiver_killed_at_any_moment_loses_nothing(mosquitto: Mosquitto, tmp_path: Path) -> None:
    """Messages may be in the journal twice, but there they are."""
    url, home = mosquitto.url("journal/killed", "client=killed"), tmp_path / "journal"
    address = address_of(mosquitto.url("journal/killed"), SINK)
    command = [sys.executable, "-c", RECEIVER, url, str(home)]
    sending = threading.Thread(target=lambda: sink_of(address).publish(address, _messages(0, 8000)))
    for turn in range(4):
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as receiver:
            assert receiver.stdout is not None
            before = int(receiver.stdout.readline())
            if turn == 0:
                sending.start()
            while turn < 3 and int(receiver.stdout.readline()) == before < 8000:
                pass
            if turn == 3:
                sending.join()
                _until(lambda: len(_journaled(home)) == 8000)
            receiver.send_signal(signal.SIGKILL)
    assert sorted(_journaled(home)) == list(range(8000))


def _journaled(home: Path) -> set[int]:
    last = length_of(home)
    return {json.loads(body)["time"] for part in parts_of(home, 0, last) for body, _, _ in rows_of(home, *part)}


def test_messages_become_events_or_reasons() -> None:
    address = address_of("nats://127.0.0.1/a", SOURCE)
    rows = [
        (b'{"type": "a", "time": 1.5, "data": {"x": [1]}}', {}, "s/1", 9),
        (b'{"type": "a", "time": [1, 2], "id": 7, "source": "s", "arrival": 3}', {}, "s/2", 9),
        (b'{"type": "", "time": 1}', {}, "s/3", 9),
        (b'{"type": "a"}', {}, "s/4", 9),
        (b'{"type": "a", "time": 1, "data": 3}', {}, "s/5", 9),
        (b"\xff\xfe", {}, "s/6", 9),
        (b'{"type": "a", "time": 2}', {}, "", 9),
    ]
    (batch,) = decoder(address)(iter([batch_of(rows)]))
    told = batch.to_pylist()
    assert [(row["id"], row["data"]) for row in told[:2]] == [("s/1", '{"x": [1]}'), ("7", "{}")]
    seconds = [[row[name].timestamp() for name in ("start", "time", "arrival")] for row in told[:2]]
    assert seconds == [[1.5, 1.5, 9e-6], [1.0, 2.0, 3.0]]
    assert [row["reason"] for row in told[2:6]] == [
        "type is ''",
        "the event has no time, expected RFC 3339 text, seconds as a number, or [lo, hi]",
        "data is 3, expected an object",
        "the body is no text in UTF-8: byte 1 is 0xff",
    ]
    assert told[5]["data"] == '{"base64": "//4="}'
    assert len(told[6]["id"]) == 24, "it is called by its contents"
