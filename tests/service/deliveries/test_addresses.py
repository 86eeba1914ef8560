"""Which addresses are dialled. Nothing here dials any but the loopback: sockets are made, and closed."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable

import pytest

pytest.importorskip("aiohttp", reason="deliveries need aiohttp")

from tests.service.deliveries.receivers import Names, receiver
from tocsin.errors import UsageError
from tocsin.service.deliveries.addresses import Addresses, ForbiddenAddress
from tocsin.service.deliveries.senders import TAKEN, Message, Outcome, Result
from tocsin.service.deliveries.targets import Webhook
from tocsin.service.deliveries.webhooks import Webhooks

MESSAGE = Message("msg_1", b"{}")

DENIED = (
    "0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.100.100.200 127.0.0.1 127.255.0.1 168.63.129.16 169.254.169.254 "
    "169.254.170.2 172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.192 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.19.255.255 "
    "198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 "
    ":: ::1 ::7f00:1 ::10.0.0.1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::ffff:0:10.0.0.1 64:ff9b::10.0.0.1 "
    "64:ff9b::8.8.8.8 64:ff9b:1::1 64:ff9b:1:ffff::1 100::1 2001::1 2001:0:a00:1:: 2001:db8::1 2002:a00:1:: 2002:7f00:1::1 "
    "3fff::1 5f00::1 fc00::1 fd00:ec2::254 fd20:ce::254 fe80::1 fe80::1%eth0 febf::1 fec0::1 feff::1 ff02::1 ff0e::1 "
)

PUBLIC = (
    "1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.1 100.63.255.255 100.128.0.1 126.255.255.255 128.0.0.1 169.253.255.255 172.15.255.255 "
    "172.32.0.1 192.167.255.255 192.169.0.1 198.17.255.255 198.20.0.1 223.255.255.255 "
    "2001:4860:4860::8888 2606:4700:4700::1111 2a00:1450:4001:830::200e 2001:200::1 2003::1 64:ff9c::1 ::ffff:8.8.8.8 "
)


@pytest.mark.parametrize("text", DENIED.split())
def test_what_is_not_dialled(text: str) -> None:
    assert Addresses().reason_against(text)


@pytest.mark.parametrize("text", PUBLIC.split())
def test_what_is_dialled(text: str) -> None:
    assert Addresses().reason_against(text) is None


@pytest.mark.parametrize("text", ["", "localhost", "127.1", "0x7f.1", "2130706433", "010.0.0.1", "1.2.3.4.5"])
def test_what_is_no_address(text: str) -> None:
    assert Addresses().reason_against(text) == f"{text} is no address"


def test_networks_that_the_operator_allows() -> None:
    addresses = Addresses(["10.1.0.0/16", "fd00:1::/32", "127.0.0.1"])
    for allowed in ("10.1.2.3", "::ffff:10.1.2.3", "fd00:1::7", "127.0.0.1", "1.1.1.1"):
        assert addresses.reason_against(allowed) is None
    for denied in ("10.2.0.1", "fd00:2::1", "127.0.0.2", "64:ff9b::10.1.2.3"):
        assert addresses.reason_against(denied)
    with pytest.raises(UsageError, match=r"'ten' is no network: one is written as 10\.1\.0\.0/16"):
        Addresses(["ten"])


def test_only_what_is_allowed_by_name_counts_where_public_is_not_enough() -> None:
    addresses = Addresses(["10.0.0.0/8"])
    assert addresses.allows_all(["10.1.1.1", "::ffff:10.1.1.2"])
    assert not addresses.allows_all(["10.1.1.1", "1.1.1.1"])
    assert not addresses.allows_all([])


def test_a_socket_is_made_for_what_may_be_dialled_alone() -> None:
    Addresses().socket((socket.AF_INET, socket.SOCK_STREAM, 6, "", ("1.1.1.1", 443))).close()
    with pytest.raises(ForbiddenAddress, match=r"127\.0\.0\.1 may not be dialled: it is this machine"):
        Addresses().socket((socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", 443)))
    with pytest.raises(ForbiddenAddress, match="link-local"):
        Addresses().socket((socket.AF_INET6, socket.SOCK_STREAM, 6, "", ("fe80::1", 443, 0, 2)))


def sent(url: str, *, allowed: tuple[str, ...] = (), names: Names | None = None) -> Outcome:
    async def test() -> Outcome:
        sender = Webhooks(Addresses(allowed), resolver=names)
        try:
            return await sender.send(Webhook(url), MESSAGE)
        finally:
            await sender.close()

    return asyncio.run(test())


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:1/", "http://[::1]:1/", "http://localhost:1/", "http://[::ffff:127.0.0.1]:1/", "http://0.0.0.0:1/",
        "http://127.1:1/", "http://2130706433:1/", "http://0x7f000001:1/", "http://0177.0.0.1:1/", "http://[64:ff9b::7f00:1]:1/",
        "https://169.254.169.254/latest/meta-data/", "http://[fe80::1%25lo]:1/",
    ],
)  # fmt: skip
def test_urls_that_lead_inside(url: str) -> None:
    outcome = sent(url)
    assert outcome.result is Result.REFUSED, outcome
    assert "may not be dialled" in outcome.reason or "not a canonical IPv4 address" in outcome.reason


@pytest.mark.parametrize("answer", [["10.0.0.1"], ["::1", "127.0.0.1"], ["169.254.169.254", "fd00:ec2::254"]])
def test_names_that_lead_inside(answer: list[str]) -> None:
    names = Names(answer)
    outcome = sent("http://rebound.example.org/", names=names)
    assert outcome.result is Result.REFUSED, outcome
    assert names.asked == 1


def with_receiver(test: Callable[[str, str], Awaitable[None]]) -> None:
    async def served() -> None:
        async with receiver() as hook:
            await test(hook.url, hook.url.replace("127.0.0.1", "rebound.example.org"))

    asyncio.run(served())


def test_a_name_is_looked_up_once_for_a_connection_and_that_address_is_dialled() -> None:
    """What the name means a moment later is not asked."""
    names = Names(["127.0.0.1"], ["10.0.0.1"])

    async def test(_: str, url: str) -> None:
        sender = Webhooks(Addresses(["127.0.0.0/8"]), resolver=names)
        assert await sender.send(Webhook(url), MESSAGE) == TAKEN
        assert names.asked == 1
        await sender.close()

    with_receiver(test)


def test_a_name_with_an_address_inside_and_one_that_may_be_dialled() -> None:
    async def test(_: str, url: str) -> None:
        sender = Webhooks(Addresses(["127.0.0.0/8"]), resolver=Names(["10.0.0.1", "169.254.169.254", "127.0.0.1"]))
        assert await sender.send(Webhook(url), MESSAGE) == TAKEN
        await sender.close()

    with_receiver(test)
