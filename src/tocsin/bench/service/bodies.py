"""What is sent: requests of HTTP with events in them, made of a template while the load runs, of equal length each.

Ten types come in turn. In every tenth body (or every one; of single events every thousandth) an `a` and a `b`, which is
the last, have the same key, and are a pair: as many detections as that are to be found, neither more nor fewer.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import Final

BATCH: Final = 100
THOUSAND: Final = 1000
FIRST_SLOT: Final = 100
_TYPES: Final = "cdefghijkl"
_KEY: Final = 10_000_000
_TENTH: Final = 100_000
_TENTHS: Final = 10_000
"""Tenths of milliseconds: in nanoseconds, and in a second."""


@dataclass(frozen=True)
class Address:
    """Where events are sent, and with what key."""

    port: int
    key: str = ""

    def head(self, length: int) -> bytes:
        """The head of a request whose body has so many bytes."""
        lines = [
            "POST /v1/events HTTP/1.1",
            f"Host: 127.0.0.1:{self.port}",
            f"Authorization: Bearer {self.key}",
            "Content-Type: application/x-ndjson",
            f"Content-Length: {length}",
        ]
        return "\r\n".join([*lines, "", ""]).encode()


@dataclass
class Bodies:
    """Numbered bodies of `size` events each. The events are of the time at which their body is made."""

    size: int
    every: int = 10
    """One of so many bodies has a pair."""
    slots: int = 1
    """So many requests share the pairs among them, each in its turn."""

    def __post_init__(self) -> None:
        plain = [_line(_TYPES[place % len(_TYPES)], place) for place in range(self.size)]
        last = self.size - 1
        paired = [_line("a", 0), *plain[1:-1], _line("b", last)]
        self._plain, self._paired = b"\n".join(plain), b"\n".join(paired)

    def body(self, number: int) -> bytes:
        """The body of a number."""
        if self.size == 1:
            return self._single(number)
        template = self._plain if number % self.every else self._paired
        return self._filled(template, number, number // self.every)

    def pairs(self, bodies: int) -> int:
        """How many pairs there are in the bodies from 0 on."""
        if self.size == 1:
            return max(0, (bodies - 1 - THOUSAND // 2) // THOUSAND + 1)
        return -(-bodies // self.every)

    def burst(self, count: int, again: int) -> bytes:
        """A body apart: so many `a`, and then as many `b`, that all go with each other."""
        body = b"\n".join(_line(kind, place) for kind in "ab" for place in range(count))
        for kind in b"ab":
            body = body.replace(b'"%c","id":"' % kind, b'"%c","id":"burst-%d-%c-' % (kind, again, kind))
        return self._filled(body, 0, -1 - again)

    def request(self, to: Address, number: int) -> bytes:
        """The body of a number, with what stands before it."""
        body = self.body(number)
        return to.head(len(body)) + body

    def _single(self, number: int) -> bytes:
        place = number % THOUSAND
        kind = "a" if place == 0 else "b" if place == THOUSAND // 2 else _TYPES[number % len(_TYPES)]
        return self._filled(_line(kind, 0), number, number // THOUSAND)

    def _filled(self, template: bytes, number: int, pair: int) -> bytes:
        now = b"%d.%04d" % divmod(time.time_ns() // _TENTH, _TENTHS)
        body = template.replace(b"NUMBER##", b"%08x" % number).replace(b"TIME##", now)
        return body.replace(b'"KEY##"', b"%d" % (_KEY + pair)).replace(
            b'"SLOT##"', b"%d" % (FIRST_SLOT + pair % self.slots)
        )


def _line(kind: str, place: int) -> bytes:
    """An event; what `_filled` fills in is the same for a whole body."""
    is_paired = kind in "ab"
    event = {
        "type": kind,
        "id": f"NUMBER##-{place:02}",
        "source": "bench",
        "data": {"key": "KEY##" if is_paired else place, "slot": "SLOT##" if is_paired else 0, "value": place / 7},
    }
    text = json.dumps(event, separators=(",", ":"))
    return f'{text[:-1]},"time":TIME##{place:02}}}'.encode()


def requests(count: int, **more: object) -> list[dict[str, object]]:
    """Requests for notification, of which each pair is found by one."""
    return [
        {
            "name": f"pair{slot}",
            "language": "eps",
            "expression": "x:a ; y:b",
            "condition": "x.key == y.key" if count == 1 else f"x.key == y.key and y.slot == {FIRST_SLOT + slot}",
            "context": "unrestricted",
            "window": "1 min",
            **more,
        }
        for slot in range(count)
    ]
