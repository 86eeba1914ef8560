"""Which addresses of the network may be dialled: public ones, and those that the operator allows.

Anybody who may ask for notifications names an address that this service then dials, from inside its own network. So an
address is looked at in the last moment, when a socket is made for it: what a name meant earlier says nothing.
`ipaddress.is_global` is no judge of it: it lets pass what leads to an IPv4 address in another way.
"""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any, Final, TypeAlias

from aiohttp.abc import AbstractResolver, ResolveResult

from tocsin.errors import UsageError

Network: TypeAlias = IPv4Network | IPv6Network

DENIED: Final[tuple[tuple[Network, str], ...]] = tuple(
    (ip_network(text), what)
    for text, what in (
        ("0.0.0.0/8", "no address of a host"),
        ("10.0.0.0/8", "private"),
        ("100.64.0.0/10", "inside a provider's network (CGNAT), where clouds have their metadata, too"),
        ("127.0.0.0/8", "this machine"),
        ("168.63.129.16/32", "a cloud's metadata"),
        ("169.254.0.0/16", "link-local, where clouds have their metadata"),
        ("172.16.0.0/12", "private"),
        ("192.0.0.0/24", "for protocols"),
        ("192.0.2.0/24", "for documentation"),
        ("192.31.196.0/24", "for protocols"),
        ("192.52.193.0/24", "for protocols"),
        ("192.88.99.0/24", "a relay of 6to4"),
        ("192.168.0.0/16", "private"),
        ("192.175.48.0/24", "for protocols"),
        ("198.18.0.0/15", "for measurements"),
        ("198.51.100.0/24", "for documentation"),
        ("203.0.113.0/24", "for documentation"),
        ("224.0.0.0/4", "multicast"),
        ("233.252.0.0/24", "for documentation"),
        ("240.0.0.0/4", "reserved, or broadcast"),
        ("::/96", "this machine, none at all, or an IPv4 address in disguise"),
        ("::ffff:0:0/96", "an IPv4 address in disguise"),
        ("::ffff:0:0:0/96", "an IPv4 address in disguise"),
        ("64:ff9b::/96", "an IPv4 address behind NAT64"),
        ("64:ff9b:1::/48", "an IPv4 address behind NAT64"),
        ("100::/64", "for what is thrown away"),
        ("100:0:0:1::/64", "for what is thrown away"),
        ("2001::/23", "for protocols, an IPv4 address behind Teredo among them"),
        ("2001:db8::/32", "for documentation"),
        ("2002::/16", "an IPv4 address behind 6to4"),
        ("3fff::/20", "for documentation"),
        ("5f00::/16", "for protocols"),
        ("fc00::/7", "private, where clouds have their metadata, too"),
        ("fe80::/10", "link-local"),
        ("fec0::/10", "private, as it was before"),
        ("ff00::/8", "multicast"),
    )
)
"""What is not dialled, and why."""

_DISGUISE: Final = ip_network("::ffff:0:0/96")
REFUSED: Final = errno.EACCES
"""The number of the error of an address that may not be dialled; of several together, too."""
_RESOLVING: Final = 16
"""Names that are looked up at a time: one whose server is silent keeps none of the others waiting."""


class ForbiddenAddress(OSError):
    """An address that may not be dialled."""

    def __init__(self, reason: str) -> None:
        super().__init__(REFUSED, reason)


class Addresses:
    """The addresses that may be dialled. An operator who allows a network is not asked about it again."""

    def __init__(self, allowed: Iterable[str] = ()) -> None:
        self._allowed = tuple(network_of(each) for each in allowed)

    def reason_against(self, text: str) -> str | None:
        """Why an address may not be dialled; None if it may."""
        try:
            address = ip_address(text)
        except ValueError:
            return f"{text} is no address"
        plain = _undisguised(address)
        if any(plain in network for network in self._allowed):
            return None
        why = next((why for network, why in DENIED if plain in network), None)
        if why is None:
            return None
        return f"{text} may not be dialled: it is {why}. The operator may allow its network"

    def allows_all(self, texts: Iterable[str]) -> bool:
        """Whether the operator has allowed every one of some addresses: that they are public is not enough."""
        addresses = [_undisguised(ip_address(text)) for text in texts]
        return bool(addresses) and all(any(each in network for network in self._allowed) for each in addresses)

    def socket(self, info: tuple[Any, ...]) -> socket.socket:
        """A socket for an address, in the moment before it is dialled. `ForbiddenAddress` if it may not be."""
        family, kind, protocol, _, place = info
        reason = self.reason_against(str(place[0]))
        if reason is not None:
            raise ForbiddenAddress(reason)
        return socket.socket(family, kind, protocol)


class Resolver(AbstractResolver):
    """Addresses of names, looked up by threads of its own."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(_RESOLVING, thread_name_prefix="resolver")

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """The addresses of a host, in the order in which the system would try them."""
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(self._threads, looked_up, host, port, family)
        numeric = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV
        return [
            ResolveResult(hostname=host, host=str(place[0]), port=port, family=kind, proto=protocol, flags=numeric)
            for kind, _, protocol, _, place in found
        ]

    async def close(self) -> None:
        """Lets go of the threads; one that waits for a silent server ends by itself."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def looked_up(host: str, port: int, family: int = socket.AF_UNSPEC) -> list[tuple[Any, ...]]:
    """The addresses that a name has now."""
    return list(socket.getaddrinfo(host, port, family, socket.SOCK_STREAM))


def network_of(text: str) -> Network:
    """A network as an operator writes it: `10.1.0.0/16`, or one address."""
    try:
        return ip_network(text, strict=False)
    except ValueError:
        raise UsageError(f"{text!r} is no network: one is written as 10.1.0.0/16, fd00::/8 or 192.168.1.7") from None


def _undisguised(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """The IPv4 address that an IPv6 one stands for, where the system itself would dial that."""
    if isinstance(address, IPv6Address) and address in _DISGUISE:
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address
