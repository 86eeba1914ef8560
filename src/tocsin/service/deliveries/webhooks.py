"""Notifications to webhooks: a signed POST each, as the Standard Webhooks convention says, over kept connections.

An answer of 2xx takes it. 410 says that the receiver wants no more. Anything else is a failure: another answer, a
redirect (which is not followed: it would lead where nobody has looked), no answer in time, or none at all.
"""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from functools import lru_cache
from typing import Final

import aiohttp
from yarl import URL

from tocsin.service.deliveries.addresses import REFUSED, Addresses, Resolver
from tocsin.service.deliveries.senders import TAKEN, Message, Outcome, Result
from tocsin.service.deliveries.targets import Webhook
from tocsin.sinks.signatures import headers, key_of

GONE: Final = 410
MOST_READ: Final = 64 << 10
"""Bytes of an answer that are read, so that its connection can be used again; of a longer one it is closed."""
_SHOWN: Final = 100
_KEPT: Final = 4_096
_ALWAYS: Final = {"Content-Type": "application/json", "User-Agent": "tocsin"}


@dataclass(frozen=True)
class WebhookLimits:
    """How long a receiver may take, in seconds, and how many connections a host gets."""

    connecting: float = 5.0
    whole: float = 15.0
    of_a_host: int = 8
    idle: float = 30.0


class Webhooks:
    """A sender to webhooks. It is made in the event loop that it works in."""

    def __init__(
        self,
        addresses: Addresses,
        limits: WebhookLimits | None = None,
        *,
        tls: ssl.SSLContext | None = None,
        resolver: aiohttp.abc.AbstractResolver | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        limits = limits or WebhookLimits()
        self._clock, self._resolver = clock, resolver or Resolver()
        connector = aiohttp.TCPConnector(
            limit=0,
            limit_per_host=limits.of_a_host,
            keepalive_timeout=limits.idle,
            resolver=self._resolver,
            socket_factory=addresses.socket,
            ssl=True if tls is None else tls,
        )
        self._session = aiohttp.ClientSession(
            connector=connector,
            timeout=aiohttp.ClientTimeout(total=limits.whole, sock_connect=limits.connecting),
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,  # nobody reads what an answer says
            trust_env=False,
            skip_auto_headers=("Accept", "Accept-Encoding"),
        )
        self._whole = limits.whole

    async def send(self, target: Webhook, message: Message) -> Outcome:
        """Posts a message."""
        try:
            try:
                return await self._posted(target, message)
            except aiohttp.ServerDisconnectedError:
                # a connection that was kept, and that the receiver closed in the same moment: once more, on another
                return await self._posted(target, message)
        except TimeoutError:
            return Outcome(Result.FAILED, f"no answer within {self._whole:g} s")
        except aiohttp.ClientConnectorCertificateError as error:
            return Outcome(Result.FAILED, f"its certificate is not trusted: {error.certificate_error}")
        except aiohttp.ClientConnectorError as error:
            if error.os_error.errno == REFUSED:  # every address that the name has
                return Outcome(Result.REFUSED, error.os_error.strerror or str(error.os_error))
            return Outcome(Result.FAILED, f"no connection: {error.os_error.strerror or error.os_error}")
        except aiohttp.InvalidURL as error:
            return Outcome(Result.REFUSED, f"this is no URL: {error}")
        except (aiohttp.ClientError, OSError, ValueError) as error:
            return Outcome(Result.FAILED, f"no answer: {_printable(str(error)) or type(error).__name__}")

    async def close(self) -> None:
        """Closes all connections."""
        await self._session.close()
        await self._resolver.close()

    async def _posted(self, target: Webhook, message: Message) -> Outcome:
        keys = [_key(secret) for secret in target.secrets]
        told = {**_ALWAYS, **headers(keys, message.id, int(self._clock()), message.body)}
        async with self._session.post(
            _url(target.url), data=message.body, headers=told, allow_redirects=False
        ) as answer:
            await _finish(answer)
            if 200 <= answer.status < 300:
                return TAKEN
            reason = f"HTTP {answer.status} {_printable(answer.reason or '')}".rstrip()
            if answer.status == GONE:
                return Outcome(Result.GONE, reason)
            return Outcome(Result.FAILED, reason, self._retry_after(answer.headers.get("Retry-After", "")))

    def _retry_after(self, text: str) -> float | None:
        """How many seconds a receiver asks for: a number of them, or a date."""
        if text.isascii() and text.isdigit():
            return float(text[:12])
        try:
            return max(0.0, parsedate_to_datetime(text).timestamp() - self._clock())
        except (ValueError, TypeError, OverflowError):
            return None


async def _finish(answer: aiohttp.ClientResponse) -> None:
    """Reads the rest of an answer, if that is short. What it says counts for nothing, and neither does its end."""
    if answer.content.at_eof():
        return
    try:
        left = MOST_READ
        while left > 0 and (some := await answer.content.read(left)):
            left -= len(some)
    except (TimeoutError, aiohttp.ClientError, OSError):
        answer.close()


@lru_cache(_KEPT)
def _url(text: str) -> URL:
    return URL(text)


@lru_cache(_KEPT)
def _key(secret: str) -> bytes:
    return key_of(secret)


def _printable(text: str) -> str:
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in text[:_SHOWN])
