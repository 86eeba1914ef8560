"""One POST and what comes of it."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from email.utils import formatdate

import pytest

pytest.importorskip("aiohttp", reason="deliveries need aiohttp")

from tests.service.deliveries.receivers import Answer, Receiver, receiver
from tocsin.service.deliveries.addresses import Addresses
from tocsin.service.deliveries.senders import TAKEN, Message, Outcome, Result, message_of
from tocsin.service.deliveries.targets import Webhook
from tocsin.service.deliveries.webhooks import MOST_READ, WebhookLimits, Webhooks
from tocsin.sinks.signatures import is_signed, key_of, new_secret

LOOPBACK = Addresses(["127.0.0.0/8"])
MESSAGE = message_of("r", b'{"id": "d1"}')
NOW = 1_790_000_000.0


def run(test: Callable[[Receiver, Webhooks], Awaitable[None]], *, whole: float = 10.0) -> None:
    async def limited() -> None:
        async with asyncio.timeout(60), receiver() as hook:
            sender = Webhooks(LOOPBACK, WebhookLimits(whole=whole), clock=lambda: NOW)
            try:
                await test(hook, sender)
            finally:
                await sender.close()

    asyncio.run(limited())


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (Answer(200, body=b"thanks"), TAKEN),
        (Answer(202), TAKEN),
        (Answer(204), TAKEN),
        (Answer(301, {"Location": "/elsewhere"}), Outcome(Result.FAILED, "HTTP 301 Moved Permanently")),
        (Answer(307, {"Location": "/elsewhere"}), Outcome(Result.FAILED, "HTTP 307 Temporary Redirect")),
        (Answer(404), Outcome(Result.FAILED, "HTTP 404 Not Found")),
        (Answer(410), Outcome(Result.GONE, "HTTP 410 Gone")),
        (Answer(429, {"Retry-After": "120"}), Outcome(Result.FAILED, "HTTP 429 Too Many Requests", 120.0)),
        (Answer(503, {"Retry-After": formatdate(NOW + 90, usegmt=True)}), Outcome(Result.FAILED, "HTTP 503 Service Unavailable", 90.0)),
        (Answer(503, {"Retry-After": formatdate(NOW - 90, usegmt=True)}), Outcome(Result.FAILED, "HTTP 503 Service Unavailable", 0.0)),
        (Answer(503, {"Retry-After": "soon"}), Outcome(Result.FAILED, "HTTP 503 Service Unavailable")),
        (Answer(500, {"Retry-After": "9" * 5000}), Outcome(Result.FAILED, "HTTP 500 Internal Server Error", 999_999_999_999.0)),
        (Answer(0), Outcome(Result.FAILED, "no answer: Server disconnected")),
    ],
)  # fmt: skip
def test_answers(answer: Answer, outcome: Outcome) -> None:
    async def test(hook: Receiver, sender: Webhooks) -> None:
        hook.usual = answer
        assert await sender.send(Webhook(hook.url), MESSAGE) == outcome
        assert len(hook.requests) == (2 if answer.status == 0 else 1), "nothing is followed"

    run(test)


def test_what_is_posted() -> None:
    old, new = new_secret(), new_secret()

    async def test(hook: Receiver, sender: Webhooks) -> None:
        url = hook.url.replace("http://", "http://user:p%40ss@")
        assert await sender.send(Webhook(url, (new, old)), MESSAGE) == TAKEN
        (request,) = hook.requests
        assert request.body == MESSAGE.body
        assert request.headers["webhook-id"] == MESSAGE.id
        assert request.headers["webhook-timestamp"] == "1790000000"
        assert len(request.headers["webhook-signature"].split(" ")) == 2
        assert all(is_signed([key_of(each)], request.headers, request.body, NOW) for each in (old, new))
        assert request.headers["authorization"].startswith("Basic ")
        assert (request.headers["user-agent"], "cookie" in request.headers) == ("tocsin", False)

    run(test)


def test_a_receiver_that_hangs() -> None:
    async def test(hook: Receiver, sender: Webhooks) -> None:
        never = asyncio.Event()
        hook.usual = Answer(after=never)
        assert await sender.send(Webhook(hook.url), MESSAGE) == Outcome(Result.FAILED, "no answer within 0.2 s")
        never.set()

    run(test, whole=0.2)


def test_nobody_there_and_nobody_by_that_name() -> None:
    async def test(hook: Receiver, sender: Webhooks) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
        outcome = await sender.send(Webhook(f"http://127.0.0.1:{port}/"), MESSAGE)
        assert (outcome.result, "no connection" in outcome.reason) == (Result.FAILED, True)
        outcome = await sender.send(Webhook("http://nobody.invalid/"), MESSAGE)
        assert (outcome.result, "no connection" in outcome.reason) == (Result.FAILED, True)

    run(test)


def test_of_a_long_answer_a_little_is_read_and_the_next_goes_by_another_connection() -> None:
    async def test(hook: Receiver, sender: Webhooks) -> None:
        hook.answers = [Answer(200, body=b"x" * (MOST_READ - 1)), Answer(500, body=b"x" * 50_000_000), Answer(200)]
        assert await sender.send(Webhook(hook.url), MESSAGE) == TAKEN
        assert (await sender.send(Webhook(hook.url), MESSAGE)).reason == "HTTP 500 Internal Server Error"
        assert await sender.send(Webhook(hook.url), MESSAGE) == TAKEN
        peers = [each.peer for each in hook.requests]
        assert peers[0] == peers[1] != peers[2]

    run(test)


def test_an_answer_whose_end_never_comes_counts_by_its_beginning() -> None:
    """`HTTP/1.1 200` was said; that the rest hangs until the time is up changes nothing about that."""

    async def test(_: Receiver, sender: Webhooks) -> None:
        async def half(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"}")
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc")
            await reader.read()
            writer.close()

        server = await asyncio.start_server(half, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        assert await sender.send(Webhook(f"http://127.0.0.1:{port}/"), MESSAGE) == TAKEN
        server.close()

    run(test, whole=0.3)


@pytest.mark.parametrize(
    "said", [b"SSH-2.0-OpenSSH_9.2\r\n", b"HTTP/1.1 200 OK\r\n" + b"X: " + b"y" * 100_000, b"\0" * 100]
)
def test_what_is_no_web_server(said: bytes) -> None:
    async def test(_: Receiver, sender: Webhooks) -> None:
        async def other(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(said)
            await reader.read(10_000)
            writer.close()

        server = await asyncio.start_server(other, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        outcome = await sender.send(Webhook(f"http://127.0.0.1:{port}/"), MESSAGE)
        assert outcome.result is Result.FAILED
        assert len(outcome.reason) < 200
        assert outcome.reason.isprintable()
        server.close()

    run(test)


def test_a_connection_that_was_closed_meanwhile_costs_no_attempt() -> None:
    """A receiver closes the connection that was kept in the moment in which the next request comes."""

    async def test(_: Receiver, sender: Webhooks) -> None:
        connections = 0

        async def once(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            nonlocal connections
            connections += 1
            await reader.readuntil(b"}")
            writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")
            if connections == 1:
                await reader.readuntil(b"}")
            else:
                await reader.read()
            writer.close()

        server = await asyncio.start_server(once, "127.0.0.1", 0)
        target = Webhook(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/")
        assert [await sender.send(target, MESSAGE) for _ in range(2)] == [TAKEN] * 2
        assert connections == 2
        server.close()

    run(test)


def test_names_of_messages() -> None:
    assert message_of("r", b"1").id == message_of("r", b"1").id
    assert len({message_of("r", b"1").id, message_of("s", b"1").id, message_of("r", b"2").id}) == 3
    assert isinstance(MESSAGE, Message)
