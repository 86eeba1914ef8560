"""Detections to a webhook: lists of them, posted, signed, and posted again until they are taken.

    POST ...     [detection, ...], or a batch of CloudEvents

How a request is signed is told in `signatures`, and which answers are final in `http_post`. Between two attempts are
pauses that double, or as long as the answer says (Retry-After). What a final answer, or one failure too many, leaves is
a dead letter.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Iterator
from itertools import islice
from random import Random

from tocsin.encodings import Message
from tocsin.encodings.cloudevents import BATCH
from tocsin.errors import UsageError
from tocsin.sinks.http_post import LONGEST, posted
from tocsin.sinks.signatures import keys_of
from tocsin.transports import DeadLetter, Outcome
from tocsin.transports.address import Address, secret
from tocsin.transports.http import OPTIONS


def publish(address: Address, messages: Iterable[Message]) -> Outcome:
    """Posts all, some at a time."""
    key = address.options.get("secret_env")
    posting = _Posting(address, () if key is None else _keys(address, key))
    taken, dead = 0, []
    for some in _pieces(messages, max(1, address.number("batch", OPTIONS))):
        reason = posting.post(some)
        if reason is None:
            taken += len(some)
        else:
            dead += [DeadLetter(each.body, reason) for each in some]
    return Outcome(taken, posting.retries, tuple(dead))


def _keys(address: Address, name: str) -> tuple[bytes, ...]:
    """The keys that a variable of the environment holds."""
    try:
        return keys_of(secret(str(address), name))
    except ValueError as error:
        raise UsageError(f"{address}: what {name} holds is no secret: {error}") from None


def _pieces(messages: Iterable[Message], size: int) -> Iterator[list[Message]]:
    rest = iter(messages)
    while some := list(islice(rest, size)):
        yield some


class _Posting:
    """Requests to one address."""

    def __init__(self, address: Address, keys: tuple[bytes, ...]) -> None:
        self._address, self._keys, self._random = address, keys, Random()
        self._timeout = address.seconds("timeout", OPTIONS)
        self._kind = BATCH if address.options.get("encoding") == "cloudevents" else "application/json"
        self.retries = 0

    def post(self, messages: list[Message]) -> str | None:
        """Posts them until they are taken; the reason if they are not."""
        body = b"[" + b",\n".join(each.body for each in messages) + b"]"
        name = hashlib.sha256("\n".join(each.key for each in messages).encode()).hexdigest()[:32]
        pause = self._address.seconds("pause", OPTIONS)
        for left in range(self._address.number("retries", OPTIONS), -1, -1):
            answer = posted(self._address.url, body, name, self._keys, self._timeout, self._kind)
            if answer.reason is None or answer.is_final or not left:
                return answer.reason
            self.retries += 1
            time.sleep(min(pause * (0.5 + self._random.random()) if answer.wait is None else answer.wait, LONGEST))
            pause *= 2
        raise AssertionError("the loop returns")
