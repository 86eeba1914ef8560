"""A client of the service, for commands: one call at a time, JSON in and out, refusals as errors with their faults."""

from __future__ import annotations

import http.client
import json
import os
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

from tocsin.errors import TocsinError, UsageError

URL: Final = "http://127.0.0.1:8750"
SECONDS: Final = 60.0
_PIECE: Final = 1 << 16


class ServiceRefused(TocsinError):
    """The service has refused: the status, and what is wrong as data."""

    def __init__(self, status: int, faults: list[dict[str, Any]]) -> None:
        self.status, self.faults = status, faults
        super().__init__("\n".join(map(_line, faults)) or f"the service answered {status}")


def _line(fault: Mapping[str, Any]) -> str:
    place = ":".join(str(fault[each]) for each in ("key", "line", "column") if each in fault)
    told = f"{place}: {fault['message']}" if place else str(fault["message"])
    more = [f"expected {fault['expected']}"] if "expected" in fault else []
    more += [fault["hint"]] if "hint" in fault else []
    return "\n  ".join((told, *more))


class Client:
    """The service at a URL, asked with a key."""

    def __init__(self, url: str | None = None, key: str | None = None) -> None:
        self.url = (url or os.environ.get("TOCSIN_URL") or URL).rstrip("/")
        self._key = key or os.environ.get("TOCSIN_KEY") or ""
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UsageError(f"{self.url} is no address of a service: http://HOST:PORT")
        self._parts = parts

    def call(self, method: str, path: str, body: object = None, **query: object) -> Any:
        """What the service answers, decoded; nothing where it answers nothing."""
        with self.opened(method, path, body, **query) as answer:
            data = answer.read()
        if not data:
            return None
        try:
            return json.loads(data)
        except ValueError:
            return data.decode(errors="replace")

    @contextmanager
    def opened(
        self, method: str, path: str, body: object = None, **query: object
    ) -> Iterator[http.client.HTTPResponse]:
        """The answer, to be read as it comes."""
        connection = self._connection()
        headers = {"Accept": "application/json", "User-Agent": "tocsin"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        data = None
        if body is not None:
            data, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
        asked = {name: value for name, value in query.items() if value is not None}
        try:
            connection.request(
                method, f"{self._parts.path}{path}{'?' if asked else ''}{urlencode(asked)}", data, headers
            )
            answer = connection.getresponse()
            if answer.status >= 400:
                raise ServiceRefused(answer.status, _faults(answer))
            yield answer
        except (OSError, http.client.HTTPException) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else error or type(error).__name__
            raise TocsinError(f"the service at {self.url} does not answer: {reason}") from None
        finally:
            connection.close()

    def download(self, path: str, to: str) -> int:
        """Writes what the service answers to a file that is not there yet; how many bytes that were."""
        try:
            file = open(to, "xb")  # noqa: SIM115 - what goes wrong with it is not the service's fault
        except OSError as error:
            raise UsageError(f"cannot write '{to}': {error.strerror}") from None
        size = 0
        try:
            with file, self.opened("POST", path) as answer:
                while piece := answer.read(_PIECE):
                    size += file.write(piece)
        except BaseException:
            os.unlink(to)  # half a copy is none
            raise
        return size

    def _connection(self) -> http.client.HTTPConnection:
        host, port = self._parts.hostname or "", self._parts.port
        if self._parts.scheme == "https":
            return http.client.HTTPSConnection(host, port, timeout=SECONDS, context=ssl.create_default_context())
        return http.client.HTTPConnection(host, port, timeout=SECONDS)


def _faults(answer: http.client.HTTPResponse) -> list[dict[str, Any]]:
    data = answer.read()
    try:
        found: list[dict[str, Any]] = json.loads(data)["faults"]
    except (ValueError, KeyError, TypeError):
        return [{"code": "refused", "message": f"the service answered {answer.status} {answer.reason}"}]
    return found
