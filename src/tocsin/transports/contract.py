"""What a transport does, whatever the broker: the contract that `tests/brokers/test_contract.py` holds every one to.

    with subscribe(address, start) as subscription:        with publisher(address) as out:
        while delivery := subscription.receive(1.0):            out.publish(message)
            ... keep what follows, and then                     outcome = out.flush()
            subscription.acknowledge(delivery.position)

**Messages come in order** of their place in the broker: in all of a subject or a file, in each partition of a topic.

**A position** is what was handed out so far, as plain JSON (`{"sequence": 17}`); only its transport looks into it.
A subscription that is given one begins right behind it. Without one it begins where the address says (`start=first`,
the default, or `new`); or, if it has a `name`, where the last of that name has acknowledged.

**Acknowledged** is what will never be asked for again under the same name: the broker remembers it. All before it is
acknowledged too; what was not comes again, in the same order, to the next subscription of that name. Whoever keeps
positions itself (a checkpoint) needs no name, except where the broker has no positions to go back to (`REPLAYS` is
false: MQTT): there it must have one, and acknowledge what lasts elsewhere, only then.

A broker may wait with more until some of what it has sent is acknowledged (MQTT's does, after as many as it was
configured for).

**A message comes at least once**, and once unless someone was killed between taking and acknowledging it.

**Published** is what `flush` has returned for: the broker has taken it, and keeps it if it keeps anything.

**A broker that goes away** is waited for, for as long as the address has patience; then it is `Unreachable`. Messages
that are gone before they were read are an error (`Lost`), unless the address says `lost=go-on`.

**Keys and values**: the last value of each key, and what changes. `swap` (compare and set) only where the broker can
decide between two who try at once.

Nothing here may be used by two threads at once, except that `close` ends another thread's `receive`.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Final, NamedTuple, Self, TypeAlias

from tocsin.encodings import Message
from tocsin.errors import TocsinError, UsageError

Position: TypeAlias = Mapping[str, int]
MOST: Final = 4096
"""Messages that are handed out at a time, unless it is said."""
_KEY: Final = re.compile(r"[A-Za-z0-9_=-]+([./][A-Za-z0-9_=-]+)*")


class Lost(TocsinError):
    """Messages are gone before they were read."""


class Received(NamedTuple):
    """A message that came. `place` names it in the broker, where that has names; `arrived`: microseconds since 1970."""

    body: bytes
    headers: Mapping[str, str]
    place: str
    arrived: int


class Delivery(NamedTuple):
    """Messages that came together, and the position behind the last. None at all: nothing has come in time."""

    messages: Sequence[Received]
    position: Position

    def __bool__(self) -> bool:
        return bool(self.messages)


@dataclass(frozen=True)
class DeadLetter:
    """A message that will not be taken, and why."""

    body: bytes
    reason: str


@dataclass(frozen=True)
class Outcome:
    """How many messages were taken, how often something had to be sent again, and what was not taken at all."""

    taken: int
    retries: int = 0
    dead: tuple[DeadLetter, ...] = ()


@dataclass(frozen=True)
class Entry:
    """A key's value, or None where it was deleted; and the revision, which only grows."""

    key: str
    value: bytes | None
    revision: int


class _Open(ABC):
    """What is open until it is closed."""

    @abstractmethod
    def close(self) -> None:
        """Lets go of the connection. What was not flushed, or not acknowledged, is not."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


class Subscription(_Open):
    """Messages of an address, from a position on."""

    @abstractmethod
    def receive(self, seconds: float, most: int = MOST) -> Delivery:
        """The next messages as soon as there are some, at most so many; none if none came for so long."""

    @abstractmethod
    def acknowledge(self, position: Position) -> None:
        """All up to a position that was handed out need not come again."""

    def lag(self) -> int | None:
        """How many messages wait to be handed out, where that is known."""
        return None


class Publisher(_Open):
    """Messages to an address."""

    @abstractmethod
    def publish(self, message: Message) -> None:
        """Sends a message, now or with others. It may wait while too many are under way."""

    @abstractmethod
    def flush(self) -> Outcome:
        """Waits until all was taken; what became of it since the last time."""


class KeyValue(_Open):
    """The last value of each key."""

    can_swap: bool = False

    @abstractmethod
    def get(self, key: str) -> Entry | None:
        """The value of a key: at least as new as when it was asked for."""

    @abstractmethod
    def put(self, key: str, value: bytes) -> int:
        """Gives a key another value: its revision."""

    def swap(self, key: str, value: bytes, revision: int) -> int | None:
        """The same if the key is still at a revision (0: if it has no value), else None."""
        raise UsageError("this broker cannot compare and set: two who try at once would both succeed")

    @abstractmethod
    def delete(self, key: str) -> None:
        """Takes a key's value away."""

    @abstractmethod
    def keys(self) -> list[str]:
        """The keys that have values, in order."""

    @abstractmethod
    def changes(self, seconds: float) -> list[Entry]:
        """What has changed since it was last asked for, waiting so long for it; the first time, all that there is."""


def checked_key(key: str) -> str:
    """A key that every broker can have."""
    if not _KEY.fullmatch(key):
        raise UsageError(f"{key!r} is no key: letters, digits, '_', '-' and '=', with '.' or '/' between them")
    return key
