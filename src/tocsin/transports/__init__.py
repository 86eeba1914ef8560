"""How events and detections travel between processes: one file for each transport, found by the scheme of its URLs.

A transport is a module of this folder with `SCHEMES` and the rest of `Transport`; what its functions promise is in
`contract`. `docs/brokers.md` tells how to add one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType
from typing import Final, Protocol, cast

from tocsin.encodings import DEFAULT, ENCODINGS, Codec, codec_of
from tocsin.errors import UsageError, choices, nearest
from tocsin.transports.address import KEYS, SINK, SOURCE, Address, Option, check_options, secret, shown, split
from tocsin.transports.contract import (
    DeadLetter,
    Delivery,
    Entry,
    KeyValue,
    Lost,
    Outcome,
    Position,
    Publisher,
    Received,
    Subscription,
)
from tocsin.transports.unreachable import Unreachable

__all__ = [
    "KEYS",
    "SINK",
    "SOURCE",
    "TRANSPORTS",
    "Address",
    "DeadLetter",
    "Delivery",
    "Entry",
    "KeyValue",
    "Lost",
    "Outcome",
    "Position",
    "Publisher",
    "Received",
    "Subscription",
    "Transport",
    "Unreachable",
    "address_of",
    "codec_for",
    "is_address",
    "key_value",
    "publisher",
    "scheme_of",
    "subscribe",
    "transport_of",
]

CREDENTIALS: Final = "credentials_env"


class Transport(Protocol):
    """A way for messages to travel."""

    __name__: str
    SCHEMES: Mapping[str, int]
    """The schemes of its URLs, each with the port where it is by default; 0 where there is no host."""
    PREFIX: str | None
    """What the names of CloudEvents' headers begin with; None where messages have no headers."""
    OPTIONS: Mapping[str, Option]
    USES: tuple[str, ...]
    HAS_OPTIONS: bool
    """Whether what follows the `?` of a URL is for us. What follows that of a webhook's is for the webhook."""

    REPLAYS: bool
    """Whether a subscription can begin at any position again; if not, at what was not acknowledged."""

    def check(self, address: Address, use: str) -> None:
        """Raises an error if what is needed is not installed, the path is none, or nobody answers."""

    def subscribe(self, address: Address, start: Position | None = None, name: str = "") -> Subscription:
        """The messages of an address, where `SOURCE` is among its uses."""

    def publisher(self, address: Address) -> Publisher:
        """Messages to an address, where `SINK` is among its uses."""

    def key_value(self, address: Address) -> KeyValue:
        """Keys and values, where `KEYS` is among its uses."""


def _found() -> dict[str, Transport]:
    modules = (import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__))
    return {scheme: cast(Transport, module) for module in modules for scheme in getattr(module, "SCHEMES", ())}


GENERAL: Final[Mapping[str, Option]] = {
    "encoding": Option("how an event is written in a message", DEFAULT, "|".join(sorted(ENCODINGS))),
    CREDENTIALS: Option("the variable of the environment that holds USER:PASSWORD"),
}
"""What every address may say."""


def address_of(url: str, use: str, more: Mapping[str, str] = MappingProxyType({})) -> Address:
    """The address that a URL is, for a source or a sink, checked; `more` are options that stand beside it."""
    transport = transport_of(url, use)
    address = split(url, transport.SCHEMES[scheme_of(url)])
    if not transport.HAS_OPTIONS:
        address = replace(address, options={})
    twice = set(address.options) & set(more)
    if twice:
        raise UsageError(f"{address}: {min(twice)!r} stands in the URL and beside it")
    address = replace(address, options={**address.options, **more})
    name = address.options.get("encoding", DEFAULT)
    extra = ENCODINGS[name].OPTIONS if name in ENCODINGS else {}
    known = {**GENERAL, **transport.OPTIONS, **{key: Option(meaning) for key, meaning in extra.items()}}
    check_options(address, known, use)
    codec_for(address)  # what is wrong with the encoding is said here
    if CREDENTIALS in address.options:
        user, _, password = secret(str(address), address.options[CREDENTIALS]).partition(":")
        address = replace(address, user=user, password=password)
    return address


def transport_of(url: str, use: str = SOURCE) -> Transport:
    """The transport of a URL's scheme."""
    scheme = scheme_of(url)
    if scheme not in TRANSPORTS:
        known = sorted(each for each, transport in TRANSPORTS.items() if use in transport.USES)
        hint = nearest(scheme, known)
        raise UsageError(f"{shown(url)}: unknown scheme {scheme!r}: {choices(known)}{f'; {hint}' if hint else ''}")
    if use not in TRANSPORTS[scheme].USES:
        known = sorted(each for each, transport in TRANSPORTS.items() if use in transport.USES)
        raise UsageError(f"{shown(url)}: {scheme} is no {use}: {choices(known)}")
    return TRANSPORTS[scheme]


def scheme_of(url: str) -> str:
    """What a URL begins with: what stands before `://`, or before the colon where there is no host."""
    scheme, colon, _ = url.partition("://")
    return scheme if colon else url.partition(":")[0]


def is_address(text: str) -> bool:
    """Whether a text is a URL, not a path: it has `://`, or a scheme that we know."""
    return "://" in text or (":" in text and scheme_of(text) in TRANSPORTS)


def subscribe(address: Address, start: Position | None = None, name: str = "") -> Subscription:
    """The messages of an address: see `contract`."""
    return transport_of(address.url, SOURCE).subscribe(address, start, name)


def publisher(address: Address) -> Publisher:
    """Messages to an address: see `contract`."""
    return transport_of(address.url, SINK).publisher(address)


def key_value(address: Address) -> KeyValue:
    """Keys and values at an address: see `contract`."""
    return transport_of(address.url, KEYS).key_value(address)


def codec_for(address: Address) -> Codec:
    """The encoding of the messages at an address."""
    return codec_of(address.options.get("encoding", DEFAULT), address.options, TRANSPORTS[address.scheme].PREFIX)


TRANSPORTS: Final[Mapping[str, Transport]] = _found()
"""Every transport by the schemes of its URLs."""
