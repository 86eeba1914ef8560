"""What tests of the service share: a PostgreSQL of their own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

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
