"""Detections to a subject of NATS JetStream.

Every message carries the subject and the id of its detection as `Nats-Msg-Id`: what is sent again within the stream's
own window for duplicates (two minutes, unless it was set) is there once.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from typing import Any, Final
from urllib.parse import quote

from tocsin.encodings import Message
from tocsin.sinks.outcome import Outcome
from tocsin.transports.address import Address
from tocsin.transports.nats import OPTIONS, connected, library
from tocsin.transports.unreachable import Unreachable

UNDER_WAY: Final = 256
"""Messages that are sent before the first of them is acknowledged."""
_ID: Final = "Nats-Msg-Id"


def publish(address: Address, messages: Iterable[Message]) -> Outcome:
    """Sends all; from wherever it was left, should the broker go away."""
    left, taken, retries = list(messages), 0, 0
    patience, heard = address.seconds("patience", OPTIONS), time.monotonic()
    while left:
        sent, failure = asyncio.run(_published(address, left))
        left, taken = left[sent:], taken + sent
        if failure is not None:
            heard = time.monotonic() if sent else heard
            if time.monotonic() - heard > patience:
                raise failure
            retries += 1
            time.sleep(0.5)
    return Outcome(taken, retries)


async def _published(address: Address, messages: list[Message]) -> tuple[int, Unreachable | None]:
    """How many of the messages, from the first on, were taken; and why it is not all."""
    nats, taken = library(), 0
    try:
        connection = await connected(address)
    except Unreachable as failure:
        return 0, failure
    try:
        stream = connection.jetstream()
        for begin in range(0, len(messages), UNDER_WAY):
            some = messages[begin : begin + UNDER_WAY]
            waiting: list[Any] = [
                stream.publish(address.path, each.body, headers=_headers(each, address.path)) for each in some
            ]
            for answer in await asyncio.gather(*waiting, return_exceptions=True):
                if isinstance(answer, BaseException):
                    raise answer
                taken += 1
    except nats.js.errors.NoStreamResponseError:
        return taken, Unreachable(f"{address}: no stream keeps {address.path!r}: make one (nats stream add)")
    except (OSError, TimeoutError, nats.errors.Error) as error:
        return taken, Unreachable(f"{address}: NATS has gone away: {error or type(error).__name__}")
    finally:
        await connection.close()
    return taken, None


def _headers(message: Message, subject: str) -> dict[str, str] | None:
    # A stream may keep several subjects, and looks for duplicates in all of them.
    made = dict(message.headers) | ({_ID: quote(f"{subject}/{message.key}")} if message.key else {})
    return made or None
