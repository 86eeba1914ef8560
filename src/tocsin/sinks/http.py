"""Detections to a webhook: lists of them, posted, signed, and posted again until they are taken.

    POST ...                        [detection, ...], or a batch of CloudEvents
    Tocsin-Signature: t=1763359200,v1=HEX    HMAC-SHA256, with the shared key, of "1763359200." and the body
    Idempotency-Key: HEX                     the same for the same detections, however often they are posted

An answer of 2xx takes them. After 408, 425, 429, 5xx or none at all they are posted again, with pauses that double, or
as long as the answer says (Retry-After). Any other answer, or one failure too many, makes them dead letters.
"""

from __future__ import annotations

import hashlib
import hmac
import time
from collections.abc import Iterable, Iterator
from http.client import HTTPException
from itertools import islice
from random import Random
from typing import Final
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from tocsin.encodings import Message
from tocsin.encodings.cloudevents import BATCH
from tocsin.sinks.outcome import DeadLetter, Outcome
from tocsin.transports.address import Address, secret
from tocsin.transports.http import OPTIONS

SIGNATURE: Final = "Tocsin-Signature"
AGAIN: Final = (408, 425, 429)
LONGEST: Final = 60.0
"""Seconds between two tries, at most."""


class _NoRedirects(HTTPRedirectHandler):
    """A post that is sent elsewhere is answered there, by someone that it was not signed for."""

    def redirect_request(self, *_: object) -> None:
        return None


_OPENER: Final = build_opener(_NoRedirects)


def publish(address: Address, messages: Iterable[Message]) -> Outcome:
    """Posts all, some at a time."""
    key = address.options.get("secret_env")
    posting = _Posting(address, None if key is None else secret(str(address), key).encode())
    taken, dead = 0, []
    for some in _pieces(messages, max(1, address.number("batch", OPTIONS))):
        reason = posting.post(some)
        if reason is None:
            taken += len(some)
        else:
            dead += [DeadLetter(each.body, reason) for each in some]
    return Outcome(taken, posting.retries, tuple(dead))


def signature(key: bytes, moment: int, body: bytes) -> str:
    """What stands in the header: when it was signed, and the signature of both."""
    digest = hmac.new(key, f"{moment}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={moment},v1={digest}"


def is_signed(key: bytes, header: str, body: bytes, now: float, tolerance: float = 300.0) -> bool:
    """Whether a body was signed with the key, not long ago: what a webhook asks."""
    parts = dict(part.partition("=")[::2] for part in header.split(","))
    moment = parts.get("t", "")
    if not moment.isdigit() or abs(now - int(moment)) > tolerance:
        return False
    return hmac.compare_digest(signature(key, int(moment), body), header)


def _pieces(messages: Iterable[Message], size: int) -> Iterator[list[Message]]:
    rest = iter(messages)
    while some := list(islice(rest, size)):
        yield some


class _Posting:
    """Requests to one address."""

    def __init__(self, address: Address, key: bytes | None) -> None:
        self._address, self._key, self._random = address, key, Random()
        self._timeout = address.seconds("timeout", OPTIONS)
        self._kind = BATCH if address.options.get("encoding") == "cloudevents" else "application/json"
        self.retries = 0

    def post(self, messages: list[Message]) -> str | None:
        """Posts them until they are taken; the reason if they are not."""
        body = b"[" + b",\n".join(each.body for each in messages) + b"]"
        name = hashlib.sha256("\n".join(each.key for each in messages).encode()).hexdigest()[:32]
        pause = self._address.seconds("pause", OPTIONS)
        for left in range(self._address.number("retries", OPTIONS), -1, -1):
            reason, is_final, asked = self._posted(body, name)
            if reason is None or is_final or not left:
                return reason
            self.retries += 1
            time.sleep(min(asked if asked is not None else pause * (0.5 + self._random.random()), LONGEST))
            pause *= 2
        raise AssertionError("the loop returns")

    def _posted(self, body: bytes, name: str) -> tuple[str | None, bool, float | None]:
        """One request: why it failed, whether for good, and how long to wait."""
        headers = {"Content-Type": self._kind, "Idempotency-Key": name, "User-Agent": "tocsin"}
        if self._key is not None:
            headers[SIGNATURE] = signature(self._key, int(time.time()), body)
        try:
            with _OPENER.open(Request(self._address.url, body, headers, method="POST"), timeout=self._timeout):
                return None, False, None
        except HTTPError as answer:
            with answer:
                after = answer.headers.get("Retry-After", "")
            asked = float(after) if after.isdigit() else None
            return f"HTTP {answer.code} {answer.reason}".rstrip(), not _is_passing(answer.code), asked
        except URLError as error:
            return f"no answer: {error.reason}", False, None
        except (OSError, HTTPException) as error:
            return f"no answer: {error or type(error).__name__}", False, None


def _is_passing(code: int) -> bool:
    return code >= 500 or code in AGAIN
