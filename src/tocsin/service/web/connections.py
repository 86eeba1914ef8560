"""HTTP connections that are watched: who sends too slowly, or a head without end, is cut off and told why.

uvicorn itself waits for a request as long as its client likes. Here nothing is timed by request: each connection notes
when its request began, and one task looks at all of them from time to time.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection
from http import HTTPStatus
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

MOST_HEAD: Final = 64 << 10
"""Bytes of a request's head."""
MOST_FRAMING: Final = 16
"""Bytes about a body's chunks for each byte in them."""
CONNECTION: Final = "tocsin.connection"
"""Under which a request's scope has its connection."""
_PHRASES: Final = {each.value: each.phrase.encode() for each in HTTPStatus}
LEAST_RATE: Final = 500
"""Bytes a second of a body that is not too slow, in the long run."""


class Connection(HttpToolsProtocol):
    """A connection that knows since when its client has owed it the rest of a request."""

    since: float | None = None
    """When the request that is not complete began; None while nothing is owed."""
    _size = _body = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.since = self.loop.time()

    def data_received(self, data: bytes) -> None:
        """Some bytes of a request, or of several."""
        if self.since is None and (self.cycle is None or self.cycle.response_complete):
            self.since = self.loop.time()
        self._size += len(data)
        super().data_received(data)
        if self.since is not None and self._size > MOST_HEAD + MOST_FRAMING * self._body:
            self.refuse(431, "head-too-large", f"the head of a request has {MOST_HEAD} bytes at most")

    def on_message_begin(self) -> None:
        """A request begins."""
        if self.since is None:
            self.since = self.loop.time()
        self._size = self._body = 0
        super().on_message_begin()
        self.scope[CONNECTION] = self  # type: ignore[typeddict-unknown-key]

    def on_body(self, body: bytes) -> None:
        """Some of a body."""
        self._body += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """A request is complete: nothing is owed."""
        self.since = None
        self._size = 0
        super().on_message_complete()

    def is_late(self, now: float, patience: float) -> bool:
        """Whether the client has had time enough for what it has sent; what is not read is not its fault."""
        if self.since is None:
            return False
        if self.flow.read_paused:
            self.since = now
            return False
        return now - self.since > patience + self._body / LEAST_RATE

    def send_400_response(self, msg: str) -> None:
        """What came is not HTTP."""
        self.refuse(400, "not-http", "this is no request of HTTP/1.1")

    def refuse(self, status: int, code: str, message: str) -> None:
        """Says what is wrong, where an answer has not begun, and ends the connection."""
        if self.transport.is_closing():
            return
        self.since = None
        cycle = self.cycle
        if cycle is None or not cycle.response_started or cycle.response_complete:
            body = json.dumps({"faults": [{"code": code, "message": message}]}).encode()
            head = (
                f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\ncontent-type: application/json\r\n"
                f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
            )
            self.transport.write(head.encode() + body)
        self.transport.close()


def answer_at_once(send: object, status: int, body: bytes) -> bool:
    """Writes a whole answer in JSON in one piece, as two calls of `send` would; False where it has to go that way.

    To take one event costs half as much as what uvicorn does for those two calls.
    """
    cycle = getattr(send, "__self__", None)
    if not isinstance(cycle, RequestResponseCycle):
        return False
    if cycle.response_started or cycle.disconnected or not cycle.keep_alive or cycle.flow.write_paused:
        return False
    lines = [b"%b: %b\r\n" % header for header in cycle.default_headers]
    cycle.response_started = cycle.response_complete = True
    cycle.waiting_for_100_continue = cycle.chunked_encoding = False
    cycle.transport.write(
        b"HTTP/1.1 %d %b\r\n%bcontent-type: application/json\r\ncontent-length: %d\r\n\r\n%b"
        % (status, _PHRASES[status], b"".join(lines), len(body), body)
    )
    cycle.message_event.set()
    cycle.on_response()
    return True


async def watch(connections: Collection[Any], patience: float) -> None:
    """Cuts off clients that send too slowly, for ever."""
    loop = asyncio.get_running_loop()
    pause = min(1.0, patience / 4)
    looked = loop.time()
    while True:
        await asyncio.sleep(pause)
        now = loop.time()
        was_away, looked = now - looked > 2 * pause, now  # stopped, or busy: what came meanwhile is not read yet
        for each in list(connections):
            if not isinstance(each, Connection):
                continue
            if was_away and each.since is not None:
                each.since = max(each.since, now - patience / 2)
            if each.is_late(now, patience):
                each.refuse(408, "too-slow", f"a request did not come to its end in {patience:g} s")
