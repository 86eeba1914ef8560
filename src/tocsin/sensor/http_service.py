"""The service over HTTP/1.1, on one connection that is kept.

By `http.client`: the cheapest there is for one request after the other, and a part of Python.
"""

from __future__ import annotations

import json
import ssl
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from select import POLLIN, poll
from threading import Lock
from typing import Final
from urllib.parse import urlsplit

from tocsin.errors import UsageError
from tocsin.sensor.forks import watch_forks
from tocsin.sensor.service import Answer, Unanswered, Verdict, answer_of

_MOST: Final = 16 << 20
"""Bytes of an answer that are read at most: a refusal of every event of the largest batch is shorter."""
_LONGEST: Final = 86_400.0
"""Seconds that a service can ask us to wait at most."""
_EXAMPLE: Final = "as in http://127.0.0.1:8750"


class HttpService:
    """A connection to the service. It is made with the first request, and again after each that failed."""

    def __init__(self, url: str, key: str | None, seconds: float, tls: ssl.SSLContext | None = None) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UsageError(f"the service's address is {url!r}: expected a URL {_EXAMPLE}")
        if parts.username or parts.query or parts.fragment:
            raise UsageError(f"the service's address is {url!r}: expected no user, query or fragment in it, {_EXAMPLE}")
        try:
            self._port = parts.port
        except ValueError as error:
            raise UsageError(f"the service's address is {url!r}: {error}") from None
        self._host, self._path = parts.hostname, parts.path.rstrip("/")
        self._is_secure, self._tls, self._seconds = parts.scheme == "https", tls, seconds
        self._headers = {"User-Agent": "tocsin-sensor"}
        if key is not None:
            if not key.isascii() or not key.isprintable() or not key or " " in key:
                raise UsageError(
                    "the key is not one of the service's: expected tk_ and letters and digits, without blanks"
                )
            self._headers["Authorization"] = f"Bearer {key}"
        self._connection: HTTPConnection | None = None
        self._reading = Lock()
        """Held while an answer is being read: Python's reader has a lock that a fork must not find taken."""
        watch_forks(self)

    def post(self, lines: list[bytes]) -> Answer:
        headers = {**self._headers, "Content-Type": "application/x-ndjson"}
        try:
            status, reason, body, wait = self._asked("POST", "/v1/events", headers, b"\n".join(lines))
        except (OSError, HTTPException) as error:
            return Answer(Verdict.LATER, f"no answer: {error or type(error).__name__}")
        return answer_of(status, reason, body, wait)

    def time(self) -> int:
        try:
            status, reason, body, _ = self._asked("GET", "/v1/time", self._headers, None)
        except (OSError, HTTPException) as error:
            raise Unanswered(f"no answer: {error or type(error).__name__}") from None
        if status != 200:
            raise Unanswered(f"HTTP {status} {reason}".rstrip())
        try:
            return int(json.loads(body)["time"])
        except (ValueError, KeyError, TypeError):
            raise Unanswered("the answer is not the service's time") from None

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _asked(
        self, method: str, path: str, headers: dict[str, str], body: bytes | None
    ) -> tuple[int, str, bytes, float | None]:
        """One request and its answer. Where the service has closed a connection that we kept, on a new one.

        It may have read the request before it did: what is reported twice has the same ids, and counts once.
        """
        if self._connection is not None:
            with suppress(ConnectionError, HTTPException):
                return self._asked_once(self._connection, method, path, headers, body)
        return self._asked_once(self._connected(), method, path, headers, body)

    def _asked_once(
        self, connection: HTTPConnection, method: str, path: str, headers: dict[str, str], body: bytes | None
    ) -> tuple[int, str, bytes, float | None]:
        is_whole = False
        try:
            connection.request(method, self._path + path, body, headers)
            self._await_answer(connection)
            with self._reading:
                answer = connection.getresponse()
                said = answer.read(_MOST)
            is_whole = answer.isclosed()
            return answer.status, answer.reason, said, _retry_after(answer)
        finally:
            if not is_whole:
                self.close()

    def _await_answer(self, connection: HTTPConnection) -> None:
        """Waits until there is something to read, with nothing locked: a program may fork meanwhile."""
        ready = poll()
        ready.register(connection.sock, POLLIN)
        if not ready.poll(self._seconds * 1000):
            raise TimeoutError("timed out")

    def before_fork(self) -> None:
        self._reading.acquire()

    def after_fork_in_parent(self) -> None:
        self._reading.release()

    def begin_in_child(self) -> None:
        """Leaves the connection to the parent: our end of it is closed, theirs stays open."""
        self._reading = Lock()
        self.close()

    def _connected(self) -> HTTPConnection:
        if self._is_secure:
            self._connection = HTTPSConnection(self._host, self._port, timeout=self._seconds, context=self._tls)
        else:
            self._connection = HTTPConnection(self._host, self._port, timeout=self._seconds)
        return self._connection


def _retry_after(answer: HTTPResponse) -> float | None:
    """The seconds that the answer asks us to wait: so many, or until a date, as the service's own clock has it."""
    said = answer.getheader("Retry-After", "").strip()
    if not said:
        return None
    try:
        if said.isascii() and said.isdigit():
            return min(float(said), _LONGEST)
        until = parsedate_to_datetime(said)
        now = parsedate_to_datetime(answer.getheader("Date", ""))
        return min(max((_aware(until) - _aware(now)).total_seconds(), 0.0), _LONGEST)
    except ValueError:
        return None


def _aware(moment: datetime) -> datetime:
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
