"""What a wire does, whatever the broker."""

from __future__ import annotations

import select
import socket
from abc import ABC, abstractmethod
from contextlib import suppress


class Wire(ABC):
    """A connection to a broker."""

    most: int
    """The bytes of a message that the broker takes."""

    @abstractmethod
    def publish(self, to: str | None, data: bytes) -> None:
        """A message to somebody's topic; None: to the administration topic. It may wait until `flush`."""

    @abstractmethod
    def flush(self) -> None:
        """Sends what was published."""

    @abstractmethod
    def receive(self, seconds: float) -> list[bytes]:
        """What has come; if there is nothing, what comes first within so long, or until it is woken."""

    @abstractmethod
    def wake(self) -> None:
        """Ends another thread's `receive`; or the next one."""

    @abstractmethod
    def close(self) -> None:
        """Ends it."""


class Waker:
    """Lets another thread end the wait for a socket."""

    def __init__(self) -> None:
        self._hears, self._calls = socket.socketpair()
        self._hears.setblocking(False)
        self._calls.setblocking(False)

    def wait(self, number: int, seconds: float) -> bool:
        """Waits until there is something to read from a socket; False if it was woken, or nothing came in time."""
        hears = self._hears.fileno()
        ready, _, _ = select.select([number, hears], [], [], max(seconds, 0.0))
        if hears in ready:
            with suppress(BlockingIOError):
                self._hears.recv(4096)
        return number in ready

    def wake(self) -> None:
        """Ends the wait."""
        with suppress(BlockingIOError, OSError):
            self._calls.send(b"!")

    def close(self) -> None:
        """Ends it."""
        self._hears.close()
        self._calls.close()
