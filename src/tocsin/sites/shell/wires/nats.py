"""Core NATS by hand: text lines and bytes over a socket. Nothing is kept by the server, and nothing needs to be.

By hand, since what is asked of it is little, and the library would take another thread and most of the time.
"""

from __future__ import annotations

import json
import socket
import ssl
import time
from typing import Any, Final

from tocsin.sites.shell.topics import ADMINISTRATION, deployment_of
from tocsin.sites.shell.wires.contract import Waker, Wire
from tocsin.transports import Address, Unreachable
from tocsin.transports.address import tls_of
from tocsin.transports.unreachable import PROBING

_RECEIVED: Final = 1 << 18
_SENT_AT: Final = 1 << 16
"""Bytes that wait for `flush`, at most."""
_IDLE: Final = 20.0
"""Seconds of silence after which the server is asked whether it is there."""


def opened(address: Address, name: str) -> Wire:
    """A connection to the first server that takes one."""
    failures = []
    for host, port in address.hosts:
        try:
            return _NatsWire(address, host, port, name)
        except Unreachable as failure:
            failures.append(str(failure))
    raise Unreachable("; ".join(failures))


class _NatsWire(Wire):
    def __init__(self, address: Address, host: str, port: int, name: str) -> None:
        self._address = address
        deployment = deployment_of(address)
        self._to = f"{deployment}.site."
        self._admin = f"{deployment}.{ADMINISTRATION}"
        self._out: list[bytes] = []
        self._size = 0
        self._buffer = b""
        self._heard, self._is_asked = time.monotonic(), False
        self._waker = Waker()
        try:
            self._socket: socket.socket = socket.create_connection((host, port), PROBING)
        except OSError as error:
            self._waker.close()
            raise Unreachable(f"{address}: NATS does not answer: {error.strerror or error}") from None
        try:
            self._begin(host, name)
        except BaseException:
            self.close()
            raise

    def _begin(self, host: str, name: str) -> None:
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        told: dict[str, Any] = json.loads(self._line().partition(b" ")[2] or b"{}")
        self.most = int(told.get("max_payload", 1 << 20))
        if self._address.scheme == "nats+tls" or told.get("tls_required"):
            self._buffer = b""
            try:
                self._socket = tls_of(self._address).wrap_socket(self._socket, server_hostname=host)
            except (OSError, ssl.SSLError) as error:
                raise self._gone(error) from None
        hello = {"verbose": False, "pedantic": False, "lang": "python", "version": "1", "protocol": 0, "name": name}
        if self._address.user is not None:
            hello |= {"user": self._address.user, "pass": self._address.password or ""}
        topics = f"SUB {self._to}{name} 1\r\nSUB {self._admin} 2\r\nPING\r\n"
        self._send(b"CONNECT " + json.dumps(hello).encode() + b"\r\n" + topics.encode())
        while (line := self._line()) != b"PONG":
            self._look_for_refusal(line)

    def _line(self) -> bytes:
        """A line of the server's, while nothing else can come."""
        while b"\r\n" not in self._buffer:
            self._read()
        line, _, self._buffer = self._buffer.partition(b"\r\n")
        return line

    def _look_for_refusal(self, line: bytes) -> None:
        if line.startswith(b"-ERR"):
            raise Unreachable(
                f"{self._address}: NATS does not take us: {line[5:].decode(errors='replace').strip(chr(39))}"
            )

    # -- sending -----------------------------------------------------------------------------------------------------

    def publish(self, to: str | None, data: bytes) -> None:
        subject = self._admin if to is None else self._to + to
        self._out += (f"PUB {subject} {len(data)}\r\n".encode(), data, b"\r\n")
        self._size += len(data)
        if self._size >= _SENT_AT:
            self.flush()

    def flush(self) -> None:
        if self._out:
            out, self._out, self._size = self._out, [], 0
            self._send(b"".join(out))

    def _send(self, data: bytes) -> None:
        try:
            self._socket.settimeout(PROBING)
            self._socket.sendall(data)
        except (OSError, ssl.SSLError) as error:
            raise self._gone(error) from None

    # -- receiving ---------------------------------------------------------------------------------------------------

    def receive(self, seconds: float) -> list[bytes]:
        is_waiting = isinstance(self._socket, ssl.SSLSocket) and self._socket.pending()
        if not is_waiting and not self._waker.wait(self._socket.fileno(), seconds):
            self._look()
            return []
        self._read()
        self._heard, self._is_asked = time.monotonic(), False
        return self._messages()

    def _read(self) -> None:
        try:
            self._socket.settimeout(PROBING)
            more = self._socket.recv(_RECEIVED)
        except (OSError, ssl.SSLError) as error:
            raise self._gone(error) from None
        if not more:
            raise self._gone(None)
        self._buffer += more

    def _messages(self) -> list[bytes]:
        """The messages that have come whole."""
        data, at, found = self._buffer, 0, []
        while (end := data.find(b"\r\n", at)) >= 0:
            if data.startswith(b"MSG ", at):
                size = int(data[data.rindex(b" ", at, end) + 1 : end])
                begin = end + 2
                if begin + size + 2 > len(data):
                    break
                found.append(data[begin : begin + size])
                at = begin + size + 2
                continue
            if data.startswith(b"PING", at):
                self._send(b"PONG\r\n")
            else:
                self._look_for_refusal(data[at:end])
            at = end + 2
        self._buffer = data[at:]
        return found

    def _look(self) -> None:
        """Whether a server that is silent is still there."""
        silent = time.monotonic() - self._heard
        if silent > 2 * _IDLE:
            raise Unreachable(f"{self._address}: NATS does not answer any more")
        if silent > _IDLE and not self._is_asked:
            self._is_asked = True
            self._send(b"PING\r\n")

    def _gone(self, error: Exception | None) -> Unreachable:
        return Unreachable(f"{self._address}: NATS has gone away{f': {error}' if error else ''}")

    def wake(self) -> None:
        self._waker.wake()

    def close(self) -> None:
        self._socket.close()
        self._waker.close()
