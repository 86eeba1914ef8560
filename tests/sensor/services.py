"""Services that sensors are tried on: a real HTTP server that keeps the contract and can be told to fail, and one in a simulation."""

from __future__ import annotations

import json
import socket
import struct
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any

from tocsin.sensor.clocks import MachineClock

KEY = "tk_sensor"
Fault = str | tuple[int, dict[str, str], bytes]
"""`drop`: the connection is cut before anything is written; `lose`: after it; or the answer that is given instead."""


class HttpStub:
    """Keeps the contract of `POST /v1/events` and `GET /v1/time`: idempotent by (source, id), refusals one by one."""

    def __init__(self) -> None:
        self.events: list[dict[str, Any]] = []
        """Each event once, in the order in which it was taken."""
        self.heartbeats: list[dict[str, Any]] = []
        self.requests: list[int] = []
        """How many lines each request had, those that failed among them."""
        self.faults: deque[Fault] = deque()
        """What goes wrong with the next requests for events."""
        self.refuses: Callable[[dict[str, Any]], str | None] = lambda event: None
        self.is_whole_refused: Callable[[list[dict[str, Any]]], bool] = lambda events: False
        self.clock: Callable[[], int] = MachineClock().now
        self.connections = 0
        self.probes = 0
        self.lock = Lock()
        self.open: set[socket.socket] = set()
        self._seen: set[tuple[str, str]] = set()
        self.server: ThreadingHTTPServer | None = None
        self.port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def ids(self) -> list[str]:
        return [event["id"] for event in self.events]

    def start(self) -> None:
        stub = self

        class Handler(_Handler):
            service = stub

        self.server = _Server(("127.0.0.1", self.port), Handler)
        self.port = self.server.server_port
        Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def stop(self) -> None:
        if self.server is not None:
            self.server.shutdown()
            self.server.server_close()
            self.server = None
            with self.lock:
                for each in self.open:
                    with suppress(OSError):  # it was closed already
                        each.shutdown(socket.SHUT_RDWR)

    def take(self, lines: list[dict[str, Any]]) -> dict[str, Any]:
        """Takes what can be taken; what the answer says."""
        accepted = duplicates = 0
        refused = []
        for index, event in enumerate(lines):
            reason = self.refuses(event)
            name = (event.get("source", ""), event.get("id", ""))
            if event.get("heartbeat") is True:
                self.heartbeats.append(event)
                accepted += 1
            elif reason is not None:
                refused.append({"index": index, "code": "unfit", "message": reason})
            elif name in self._seen:
                duplicates += 1
            else:
                self._seen.add(name)
                self.events.append(event)
                accepted += 1
        return {"accepted": accepted, "duplicates": duplicates, "refused": refused}


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A connection that was cut is what is tried."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    service: HttpStub

    def setup(self) -> None:
        super().setup()
        self.service.connections += 1
        with self.service.lock:
            self.service.open.add(self.connection)

    def finish(self) -> None:
        with self.service.lock:
            self.service.open.discard(self.connection)
        with suppress(OSError):  # what was cut has nothing more to say
            super().finish()

    def log_message(self, *_: object) -> None:
        """Nothing on standard error."""

    def do_GET(self) -> None:
        self.service.probes += 1
        self._answer(200, {}, json.dumps({"time": self.service.clock()}).encode())

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        lines = [json.loads(line) for line in body.decode().splitlines()]
        with self.service.lock:
            self.service.requests.append(len(lines))
            fault = self.service.faults.popleft() if self.service.faults else None
            if fault == "drop":
                return self._cut()
            if fault == "lose":
                self.service.take(lines)
                return self._cut()
            if fault is not None:
                assert not isinstance(fault, str)
                return self._answer(*fault)
            if self.headers["Authorization"] != f"Bearer {KEY}":
                return self._fault(401, "unknown-key", "the key is not known")
            if self.service.is_whole_refused(lines):
                return self._fault(422, "bad-body", "one of them cannot be read")
            return self._answer(202, {}, json.dumps(self.service.take(lines)).encode())

    def _fault(self, status: int, code: str, message: str) -> None:
        self._answer(status, {}, json.dumps({"faults": [{"code": code, "message": message}]}).encode())

    def _answer(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _cut(self) -> None:
        self.close_connection = True
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()


@contextmanager
def served() -> Iterator[HttpStub]:
    """A service that runs."""
    stub = HttpStub()
    stub.start()
    try:
        yield stub
    finally:
        stub.stop()
