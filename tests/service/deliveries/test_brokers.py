"""Notifications to a broker that is really there, was there, or may not be dialled."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator

import pytest

pytest.importorskip("aiohttp", reason="deliveries need aiohttp")
pytest.importorskip("nats", reason="nats-py is not installed")

from tests.brokers.conftest import started
from tests.brokers.streams import made_stream
from tocsin.bench.brokers.servers import Nats
from tocsin.service.deliveries.addresses import Addresses
from tocsin.service.deliveries.brokers import Brokers
from tocsin.service.deliveries.senders import TAKEN, Message, Outcome, Result, message_of
from tocsin.service.deliveries.targets import Topic
from tocsin.transports import SOURCE, address_of, subscribe

LOOPBACK = Addresses(["127.0.0.0/8"])


@pytest.fixture(scope="module")
def nats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nats]:
    broker = started(Nats, tmp_path_factory.mktemp("nats"))
    yield broker
    broker.kill()


def body(number: int) -> bytes:
    record = {"rule": "r", "type": "r", "time": float(number), "id": f"d{number}", "data": {"n": number}}
    return json.dumps(record).encode()


def sent(url: str, *messages: Message, addresses: Addresses = LOOPBACK, named: tuple[str, ...] = ()) -> list[Outcome]:
    async def send() -> list[Outcome]:
        sender = Brokers(addresses, named, patience="500 ms")
        try:
            return [await sender.send(Topic(url), each) for each in messages]
        finally:
            await sender.close()

    return asyncio.run(send())


def received(url: str, count: int) -> list[bytes]:
    found: list[bytes] = []
    with subscribe(address_of(url, SOURCE)) as subscription:
        while len(found) < count:
            found += [each.body for each in subscription.receive(5.0).messages]
    return found


def test_to_a_subject_in_order_and_once(nats: Nats) -> None:
    made_stream(nats, "found", "found")
    messages = [message_of("r", body(number)) for number in range(5)]
    assert sent(nats.url("found"), *messages) == [TAKEN] * 5
    assert sent(nats.url("found"), messages[0], message_of("r", body(5))) == [TAKEN] * 2, (
        "the first again, as after a crash"
    )
    assert received(nats.url("found"), 6) == [body(number) for number in range(6)]


def test_in_another_encoding(nats: Nats) -> None:
    made_stream(nats, "clouds", "clouds")
    assert sent(nats.url("clouds", "encoding=cloudevents"), message_of("r", body(1))) == [TAKEN]
    (found,) = received(nats.url("clouds"), 1)
    assert json.loads(found)["specversion"] == "1.0"


def test_what_nobody_keeps_is_a_failure(nats: Nats) -> None:
    (outcome,) = sent(nats.url("nobody.wants"), message_of("r", body(1)))
    assert outcome.result is Result.FAILED
    assert "nobody.wants" in outcome.reason


def test_a_broker_that_is_away_is_a_failure_and_keeps_no_other_waiting(nats: Nats) -> None:
    made_stream(nats, "works", "works")
    ended: list[str] = []

    async def send() -> None:
        sender = Brokers(LOOPBACK, patience="500 ms")

        async def one(url: str, result: Result) -> None:
            outcome = await sender.send(Topic(url), message_of("r", body(1)))
            assert outcome.result is result
            ended.append(url)

        works, away = nats.url("works"), "nats://127.0.0.1:1/works"
        await asyncio.gather(one(away, Result.FAILED), one(works, Result.TAKEN))
        assert ended == [works, away]
        await sender.close()

    asyncio.run(send())


def test_only_brokers_that_the_operator_knows(nats: Nats) -> None:
    made_stream(nats, "named", "named")
    (outcome,) = sent(nats.url("named"), message_of("r", body(1)), addresses=Addresses())
    assert outcome.result is Result.REFUSED
    assert "a broker is one that the operator has named" in outcome.reason
    assert sent(nats.url("named"), message_of("r", body(1)), addresses=Addresses(), named=(nats.url(""),)) == [TAKEN]


def test_a_broker_that_is_public_is_not_dialled_for_that() -> None:
    (outcome,) = sent("nats://1.1.1.1/x", message_of("r", body(1)))
    assert outcome.result is Result.REFUSED


def test_what_is_no_address_is_told(nats: Nats) -> None:
    assert sent("nats://broker:99999/x", message_of("r", body(1)))[0].result is Result.REFUSED
    assert sent("nats://nobody.invalid/x", message_of("r", body(1)))[0].result is Result.FAILED
    assert sent(nats.url("found", "encoding=cloudevents"), Message("m", b"no json"))[0].result is Result.FAILED
