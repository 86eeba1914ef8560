"""A service for sensors to report to."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.sensor.services import HttpStub, served


@pytest.fixture
def service() -> Iterator[HttpStub]:
    with served() as stub:
        yield stub
