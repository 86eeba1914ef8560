"""How an event is written into a message, and a detection, which is the next site's event: one file for each encoding.

An encoding is a module of this folder with `NAME`, `OPTIONS` and `codec(options, prefix)`; it is found by itself. In
the middle stands a *record*: the object that a line of JSON Lines holds, with its times as text or seconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import Final, Protocol, cast

from tocsin.encodings.message import Message
from tocsin.errors import UsageError, choices, nearest

__all__ = ["DEFAULT", "ENCODINGS", "Codec", "Encoding", "Message", "codec_of"]

DEFAULT: Final = "json"


class Codec(Protocol):
    """An encoding at work."""

    CONTENT_TYPE: str

    def decode(self, message: Message) -> dict[str, object]:
        """The record in a message; `Refused` if there is none."""

    def encode(self, record: Mapping[str, object]) -> Message:
        """A record as a message."""


class Encoding(Protocol):
    """A way to write a record into a message."""

    NAME: str
    OPTIONS: Mapping[str, str]
    """What can be said about it, with the meaning."""

    def codec(self, options: Mapping[str, str], prefix: str | None) -> Codec:
        """The encoding as the options want it. `prefix` begins the headers' names; None where there are none."""


def _found() -> dict[str, Encoding]:
    modules = (import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__))
    return {module.NAME: cast(Encoding, module) for module in modules if hasattr(module, "NAME")}


ENCODINGS: Final[Mapping[str, Encoding]] = _found()
"""Every encoding by its name."""


def codec_of(name: str, options: Mapping[str, str], prefix: str | None) -> Codec:
    """The encoding of that name. Of the options it takes those that it knows."""
    if name not in ENCODINGS:
        raise UsageError(f"unknown encoding {name!r}: {choices(sorted(ENCODINGS))} {nearest(name, ENCODINGS)}".rstrip())
    encoding = ENCODINGS[name]
    return encoding.codec({key: value for key, value in options.items() if key in encoding.OPTIONS}, prefix)
