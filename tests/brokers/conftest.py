"""Real brokers, one of each for all tests. What cannot be had here is skipped, and says why."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from tocsin.bench.brokers.servers import Broker, Kafka, Mosquitto, Nats
from tocsin.bench.peers.jars import Unavailable

_Kind = TypeVar("_Kind", bound=Broker)


def started(kind: Callable[[Path], _Kind], folder: Path) -> _Kind:
    """A broker that answers."""
    try:
        broker = kind(folder)
        broker.start()
    except Unavailable as error:
        pytest.skip(str(error))
    return broker


@pytest.fixture(scope="session")
def nats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nats]:
    pytest.importorskip("nats", reason="nats-py is not installed")
    broker = started(Nats, tmp_path_factory.mktemp("nats"))
    yield broker
    broker.kill()


@pytest.fixture(scope="session")
def mosquitto(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    broker = started(Mosquitto, tmp_path_factory.mktemp("mosquitto"))
    yield broker
    broker.kill()


@pytest.fixture(scope="session")
def kafka(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kafka]:
    broker = started(Kafka, tmp_path_factory.mktemp("kafka"))
    yield broker
    broker.kill()
