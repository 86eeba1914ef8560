"""A pipeline whose driver is killed, and whose broker goes away and comes back, under load: it finds the same, each once.

In the suite each is killed once or twice; `make chaos` does it more often, and with Kafka.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.brokers.conftest import started
from tests.brokers.streams import made_stream
from tests.spark.events import STREAMED, as_given, closing, expected, mixed_up, rows
from tests.spark.test_brokers import sent
from tests.spark.test_kills import _of_session
from tests.spark.test_run import RULES
from tocsin.bench.brokers.jars import connector_settings
from tocsin.bench.brokers.servers import Broker, Kafka, Mosquitto, Nats
from tocsin.transports import SINK, address_of, codec_for

pytest.importorskip("pyspark", reason="tocsin run needs pyspark")
pytest.importorskip("nats", reason="nats-py is not installed")

KILLS = int(os.environ.get("TOCSIN_KILLS", "2"))
IS_LONG = KILLS > 2
ROUNDS = KILLS // 4 if IS_LONG else 1
"""In each, a driver and a broker are killed."""
KINDS: list[type[Broker]] = [Nats, Mosquitto, *([Kafka] if IS_LONG else [])]
PIPELINE = """\
source: "{url}"
rules: rules.yaml
watermark: 4 seconds
shards: 2
sinks: [{{format: json, path: found}}]
checkpoint: checkpoint
trigger: 100 milliseconds
spark: {spark}
"""
PATIENCE = 240.0


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("kind", KINDS)
def test_driver_and_broker_are_killed_under_load(
    kind: type[Broker], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    given = rows(100 + 100 * ROUNDS, seed=11)
    wanted = expected(given, STREAMED)
    spark = request.getfixturevalue("spark") if kind is Kafka else None
    broker, random = started(kind, tmp_path / "broker"), Random(ROUNDS)
    drivers: list[subprocess.Popen[bytes]] = []
    hurry = threading.Event()
    try:
        if isinstance(broker, Nats):
            made_stream(broker, "events", "events")
        _write_pipeline(tmp_path, broker)
        arriving = [as_given(row) for row in mixed_up(given, 4, 3)]
        drivers.append(_begun(tmp_path))
        sending = threading.Thread(target=_send, args=(broker, spark, arriving, random, hurry), daemon=True)
        if kind is Mosquitto:  # once it has our subscription it keeps what comes for us
            from tocsin.spark.sources.mqtt import SUBSCRIBED

            _await(lambda: (tmp_path / "checkpoint/journal" / SUBSCRIBED).exists(), tmp_path, drivers[-1])
        sending.start()
        for _ in range(ROUNDS):
            _await_batches(tmp_path, drivers[-1], 2, sending)
            _end(drivers[-1])
            _restart(broker)
            drivers.append(_begun(tmp_path))
            _await_batches(tmp_path, drivers[-1], 1, sending)
            _restart(broker)
        hurry.set()
        sending.join()
        _await(lambda: wanted <= set(_found(tmp_path)), tmp_path, drivers[-1])
        drivers[-1].send_signal(signal.SIGTERM)
        assert drivers[-1].wait(PATIENCE) == 0, _errors(tmp_path)
        assert sorted(_found(tmp_path)) == sorted(wanted)
    finally:
        for each in drivers:
            _end(each)
        broker.kill()
    print(f"{kind.__name__}: {ROUNDS} kills of a driver, {2 * ROUNDS} of a broker: {len(wanted)} detections, each once")


def _restart(broker: Broker) -> None:
    """Mosquitto is asked to end: it tells publishers that it has a message before it has written it."""
    if isinstance(broker, Mosquitto):
        broker.stop()
    else:
        broker.kill()
    broker.start()


def _write_pipeline(folder: Path, broker: Broker) -> None:
    settings = {"spark.master": "local[2]", "spark.sql.shuffle.partitions": "2"}
    if isinstance(broker, Kafka):
        settings |= connector_settings()
    (folder / "rules.yaml").write_text(RULES)
    (folder / "pipeline.yaml").write_text(PIPELINE.format(url=broker.url("events"), spark=json.dumps(settings)))


def _send(broker: Broker, spark: Any, records: list[dict[str, Any]], random: Random, hurry: threading.Event) -> None:
    """Publishes all along, some events twice, a few at a time until there is a hurry; the end comes last."""
    address = address_of(broker.url("events"), SINK)
    codec = codec_for(address)
    start = 0
    while start < len(records):
        some = records[start : start + (len(records) if hurry.is_set() else 2)]
        sent(spark, address, [codec.encode(each) for each in [*some, random.choice(some)]])
        start += len(some)
        hurry.wait(1.0)
    sent(spark, address, [codec.encode(as_given(closing()))])


# -- the driver -------------------------------------------------------------------------------------------------


def _begun(folder: Path) -> subprocess.Popen[bytes]:
    with open(folder / "errors", "ab") as errors:
        return subprocess.Popen(
            [sys.executable, "-m", "tocsin.cli", "run", str(folder / "pipeline.yaml"), "--quiet"],
            stdout=errors,
            stderr=errors,
            start_new_session=True,
        )


def _end(driver: subprocess.Popen[bytes]) -> None:
    """Kills a driver, and everything that it has started."""
    while left := _of_session(driver.pid):
        for each in left:
            with suppress(ProcessLookupError):  # it has ended by itself
                os.kill(each, signal.SIGKILL)
        driver.poll()
        time.sleep(0.01)
    driver.wait()


def _found(folder: Path) -> list[str]:
    """The ids of what was found; what is being written just now may not be there yet."""
    ids = []
    for path in folder.glob("found/batch=*/part-*.json"):
        with suppress(OSError, ValueError):
            ids += [json.loads(line)["id"] for line in path.read_text().splitlines()]
    return ids


def _await_batches(folder: Path, driver: subprocess.Popen[bytes], count: int, sending: threading.Thread) -> None:
    """Waits for so many more micro-batches; there may be none when everything was sent."""
    commits = folder / "checkpoint/commits"
    before = _latest(commits)
    _await(lambda: _latest(commits) >= before + count or not sending.is_alive(), folder, driver)


def _latest(folder: Path) -> int:
    return max((int(path.name) for path in folder.glob("[0-9]*")), default=-1)


def _await(is_so: Callable[[], bool], folder: Path, driver: subprocess.Popen[bytes]) -> None:
    begun = time.monotonic()
    while not is_so():
        assert driver.poll() is None, _errors(folder)
        assert time.monotonic() - begun < PATIENCE, _errors(folder)
        time.sleep(0.05)


def _errors(folder: Path) -> str:
    return (folder / "errors").read_text(errors="replace")[-3000:]
