"""The service over HTTP: what answers mean, how long it asks to be left alone, connections that are kept."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import closing
from email.utils import formatdate
from pathlib import Path

import pytest

from tests.sensor.services import KEY, HttpStub
from tests.sensor.test_sensor import sensor_of
from tocsin.sensor.http_service import HttpService
from tocsin.sensor.service import Unanswered, Verdict


@pytest.fixture
def http(service: HttpStub) -> Iterator[HttpService]:
    with closing(HttpService(service.url + "/", KEY, 10)) as made:
        yield made


LINE = b'{"id": "1", "type": "a", "source": "s", "time": 1}'


@pytest.mark.parametrize(
    ("status", "verdict"),
    [
        *((status, Verdict.UNFIT) for status in (400, 413, 422)),
        *((status, Verdict.LATER) for status in (408, 425, 429, 500, 502, 503)),
        *((status, Verdict.BARRED) for status in (301, 401, 403, 404, 405, 415)),
    ],
)
def test_what_an_answer_means(service: HttpStub, http: HttpService, status: int, verdict: Verdict) -> None:
    service.faults.append((status, {}, b'{"faults": [{"code": "odd", "message": "it is odd"}]}'))
    answer = http.post([LINE])
    assert (answer.verdict, answer.code) == (verdict, "odd")
    assert answer.reason.startswith(f"HTTP {status} ")
    assert answer.reason.endswith(": it is odd")


@pytest.mark.parametrize(("said", "wait"), [("7", 7), ("0", 0), ("999999999", 86_400), ("soon", None), ("-3", None)])
def test_how_long_it_wants_to_be_left_alone(
    service: HttpStub, http: HttpService, said: str, wait: float | None
) -> None:
    service.faults.append((503, {"Retry-After": said}, b""))
    assert http.post([LINE]).wait == wait


def test_a_date_until_which_it_wants_to_be_left_alone(service: HttpStub, http: HttpService) -> None:
    """By the date of the answer, not by our clock."""
    until = formatdate(service.clock() / 1_000_000 + 100, usegmt=True)
    service.faults.append((503, {"Retry-After": until}, b""))
    wait = http.post([LINE]).wait
    assert wait is not None
    assert 40 <= wait <= 100  # a second passes on a busy machine


def test_a_connection_is_kept_and_made_anew_where_it_was_closed(service: HttpStub, http: HttpService) -> None:
    assert http.time() > 1_700_000_000_000_000
    assert http.post([LINE]).accepted == 1
    assert service.connections == 1
    service.stop()
    service.start()
    assert http.post([LINE]).duplicates == 1
    assert service.connections == 2


def test_somebody_who_says_nothing() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        http = HttpService(f"http://127.0.0.1:{silent.getsockname()[1]}", KEY, 0.05)
        assert http.post([LINE]).reason == "no answer: timed out"
        with pytest.raises(Unanswered, match="timed out"):
            http.time()


def test_what_is_always_made_durable_is(service: HttpStub, tmp_path: Path) -> None:
    service.stop()
    with sensor_of(service, buffer=tmp_path, sync="always") as sensor:
        for _ in range(3):
            sensor.send("tick")
            assert sensor._opened().buffer.is_dirty is False
        sensor.close(0)
