"""What waits to be sent: lines, numbered from 0 in the order in which they came, until they are done with.

    head        the first that is not done with
    count       the number that the next one gets
    size        bytes of all that wait

One thread at a time uses a buffer: its sensor sees to that.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from itertools import islice
from typing import Protocol

from tocsin.errors import TocsinError


class BufferFull(TocsinError):
    """There is no room for another event. It was not taken: nothing is lost but what the caller does not send again."""


class Buffer(Protocol):
    """Where events wait: in memory, or on disk."""

    head: int
    count: int
    size: int

    @property
    def is_dirty(self) -> bool:
        """Whether something was written that a loss of power would still undo."""

    def append(self, line: bytes) -> None:
        """Takes one more line."""

    def take(self, most: int, most_bytes: int) -> list[bytes]:
        """The lines from the head on, not more than that: at least one if there is one. They go on waiting."""

    def release(self, number: int) -> None:
        """All before this number are done with. Those before the head already were."""

    def sync(self, number: int | None = None) -> None:
        """When it returns, what was appended (before this number) outlasts a loss of power. Any thread may call it."""

    def close(self) -> None:
        """Ends it. What waits in memory is gone; what waits on disk is there when it is opened again."""


class MemoryBuffer:
    """What waits, in memory: it outlasts the service's absence, not the end of the process."""

    is_dirty = False

    def __init__(self) -> None:
        self.head = self.count = self.size = 0
        self._lines: deque[bytes] = deque()

    def append(self, line: bytes) -> None:
        self._lines.append(line)
        self.count += 1
        self.size += len(line)

    def take(self, most: int, most_bytes: int) -> list[bytes]:
        return first_of(self._lines, most, most_bytes)

    def release(self, number: int) -> None:
        while self.head < number and self._lines:
            self.size -= len(self._lines.popleft())
            self.head += 1

    def sync(self, number: int | None = None) -> None:
        """There is nothing to make durable."""

    def close(self) -> None:
        """There is nothing to end."""


def first_of(lines: Iterable[bytes], most: int, most_bytes: int) -> list[bytes]:
    """The first lines, not more than that, and at least one."""
    taken: list[bytes] = []
    size = 0
    for line in islice(lines, most):
        size += len(line)
        if taken and size > most_bytes:
            break
        taken.append(line)
    return taken
