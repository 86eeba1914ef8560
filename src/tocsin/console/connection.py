"""HTTP to a service, for a console: calls that say what is wrong, and detections as they come (server-sent events)."""

from __future__ import annotations

import socket
from collections.abc import Iterator, Mapping
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

import msgspec

from tocsin.errors import TocsinError, UsageError

PATIENCE: Final = 60.0
"""Seconds for an answer."""
SILENCE: Final = 45.0
"""Seconds without a beat after which a stream is given up: the service sends one every 15."""


class Away(TocsinError):
    """The service cannot be reached just now."""


class NotDone(TocsinError):
    """The service refused; `faults` say why, as it sent them."""

    def __init__(self, status: int, faults: list[dict[str, Any]]) -> None:
        self.status, self.faults = status, faults
        told = [", ".join(str(each[key]) for key in ("message", "hint") if each.get(key)) for each in faults]
        super().__init__("; ".join(told) or f"the service answered {status}")


class Service:
    """Where a service is reached, and by which key."""

    def __init__(self, url: str, key: str) -> None:
        parts = urlsplit(url)
        try:
            host, port = parts.hostname, parts.port
        except ValueError:
            host = port = None
        if parts.scheme not in ("http", "https") or not host:
            raise UsageError(f"'{url}' is no address of a service: http://127.0.0.1:8750")
        if parts.username or parts.password:
            raise UsageError("a URL has no key in it: the key comes by the environment, TOCSIN_KEY")
        if not key.isascii() or not key.isprintable():
            raise UsageError("this is no key: a key is tk_ and some letters and digits")
        self.url, self._host, self._port = url.rstrip("/"), host, port
        self._path, self._is_secure, self._key = parts.path.rstrip("/"), parts.scheme == "https", key
        self._listening: socket.socket | None = None

    def call(self, method: str, path: str, query: Mapping[str, str] = {}, body: object = None) -> Any:
        """What the service answers, decoded; `NotDone` or `Away` where it does not do it."""
        connection = self._connection(PATIENCE)
        is_sent = False
        try:
            connection.connect()
            is_sent = method != "GET"
            response = self._asked(connection, method, path, query, body)
            data = response.read()
        except (OSError, HTTPException) as error:
            unknown = "; whether it was done is not known" if is_sent else ""
            raise Away(f"{self.url} does not answer: {_reason(error)}{unknown}") from None
        finally:
            connection.close()
        if response.status >= 300:
            raise _refusal(response.status, data)
        return msgspec.json.decode(data) if data else None

    def detections(self, query: Mapping[str, str], after: int) -> Iterator[tuple[int, bytes] | None]:
        """The detections behind a number as they come; None when the stream is open, and for each beat."""
        connection = self._connection(SILENCE)
        try:
            connection.connect()
            self._listening = connection.sock
            headers = {"Accept": "text/event-stream", "Last-Event-ID": str(after)}
            response = self._asked(connection, "GET", "/v1/stream", query, None, headers)
            if response.status >= 300:
                raise _refusal(response.status, response.read())
            yield None
            yield from _events(response)
        except (OSError, HTTPException, ValueError, AttributeError) as error:  # closed while it was read: the last two
            raise Away(_reason(error)) from None
        finally:
            self._listening = None
            connection.close()

    def close(self) -> None:
        """Nobody listens any more."""
        listening = self._listening
        if listening is not None:
            with suppress(OSError):
                listening.shutdown(socket.SHUT_RDWR)

    def _connection(self, seconds: float) -> HTTPConnection:
        kind = HTTPSConnection if self._is_secure else HTTPConnection
        return kind(self._host, self._port, timeout=seconds)

    def _asked(
        self,
        connection: HTTPConnection,
        method: str,
        path: str,
        query: Mapping[str, str],
        body: object,
        more: Mapping[str, str] = {},
    ) -> HTTPResponse:
        headers = {"Authorization": f"Bearer {self._key}", **more}
        data = None
        if body is not None:
            data, headers["Content-Type"] = msgspec.json.encode(body), "application/json"
        target = f"{self._path}{path}{f'?{urlencode(query)}' if query else ''}"
        connection.request(method, target, data, headers)
        return connection.getresponse()


def _events(response: HTTPResponse) -> Iterator[tuple[int, bytes] | None]:
    number, data = 0, b""
    while line := response.readline():
        name, _, value = line.rstrip(b"\r\n").partition(b": ")
        if name == b"id":
            number = int(value)
        elif name == b"data":
            data = value
        elif name == b"" and data:
            yield number, data
            data = b""
        elif line.startswith(b":"):
            yield None


def _refusal(status: int, data: bytes) -> TocsinError:
    try:
        faults = msgspec.json.decode(data)["faults"]
        refused = NotDone(status, [dict(each) for each in faults])
    except (msgspec.DecodeError, LookupError, TypeError, ValueError):
        return UsageError(f"this is no service of Tocsin's: it answered {status}")
    if status == 401:
        return UsageError(f"{refused}: the key comes by the environment, TOCSIN_KEY or what --key-from names")
    return Away(f"the service does not take this just now: {refused}") if status in (429, 503) else refused


def _reason(error: BaseException) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
