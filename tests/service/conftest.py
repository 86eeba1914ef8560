"""What tests of the service share: services in processes of their own, and a PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from demo.sites import Plant
from tests.brokers.conftest import mosquitto, nats  # noqa: F401 - fixtures
from tests.service.processes import ServiceProcess
from tocsin.bench.brokers.postgresql import Postgresql
from tocsin.bench.peers.jars import Unavailable


@pytest.fixture(scope="session")
def postgresql(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgresql]:
    """A server that is started once for all tests; whoever kills it starts it again. Each test takes its own schema."""
    pytest.importorskip("asyncpg", reason="asyncpg is not installed")
    try:
        server = Postgresql(tmp_path_factory.mktemp("postgresql"))
        server.start()
    except Unavailable as error:
        pytest.skip(str(error))
    yield server
    server.remove()


@pytest.fixture
def service(tmp_path: Path) -> Iterator[ServiceProcess]:
    """A service of its own, with SQLite."""
    made = ServiceProcess(tmp_path)
    try:
        yield made.start()
    finally:
        made.kill()


@pytest.fixture(scope="module")
def shared_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServiceProcess]:
    """A service for all tests of a module: each has rules and types of its own."""
    made = ServiceProcess(tmp_path_factory.mktemp("service"))
    try:
        yield made.start()
    finally:
        made.kill()


@pytest.fixture(scope="session")
def plant(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Plant]:
    """Sites over NATS that are started once for all tests; whoever cuts one off heals it again."""
    try:
        with Plant(tmp_path_factory.mktemp("plant")) as made:
            made.report(12)
            yield made
    except Unavailable as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def overseer(plant: Plant, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServiceProcess]:
    """A service that looks at the sites."""
    made = ServiceProcess(tmp_path_factory.mktemp("overseer"), "", "--sites", plant.url)
    try:
        yield made.start()
    finally:
        made.kill()
