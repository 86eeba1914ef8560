"""The error of an address where nobody answers, and how to find out."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from random import Random
from typing import Final, TypeVar

from tocsin.errors import TocsinError
from tocsin.transports.address import Address

PROBING: Final = 5.0
"""Seconds in which someone answers, or nobody does."""
_LONGEST: Final = 5.0
_Made = TypeVar("_Made")


class Unreachable(TocsinError):
    """Nobody answers at an address, or not for long enough."""


def probe(address: Address) -> None:
    """Raises an error unless one of the hosts takes a connection."""
    reasons = []
    for host, port in address.hosts:
        try:
            socket.create_connection((host, port), PROBING).close()
            return
        except OSError as error:
            reasons.append(f"{host}:{port}: {error.strerror or error}")
    raise Unreachable(f"{address}: nobody answers there ({'; '.join(reasons)}): is the broker running?")


def tried(attempt: Callable[[], _Made], patience: float, *failures: type[BaseException]) -> _Made:
    """What an attempt makes. It is made again, with growing pauses, for as long as the patience lasts."""
    begun, pause, random = time.monotonic(), 0.1, Random()
    while True:
        try:
            return attempt()
        except failures:
            if time.monotonic() - begun + pause > patience:
                raise
        time.sleep(pause * (0.5 + random.random() / 2))
        pause = min(pause * 2, _LONGEST)
