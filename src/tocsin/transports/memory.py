"""Topics in this process: for tests, and for several sites in one process. Nothing outlasts it."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from tocsin.encodings import Message
from tocsin.errors import UsageError
from tocsin.transports.address import ALL, SOURCE, Address, Option
from tocsin.transports.contract import (
    MOST,
    Delivery,
    Entry,
    KeyValue,
    Outcome,
    Position,
    Publisher,
    Received,
    Subscription,
    checked_key,
)

SCHEMES: Final = {"memory": 0}
PREFIX: Final = "ce-"
USES: Final = ALL
HAS_OPTIONS: Final = True
REPLAYS: Final = True
OPTIONS: Final[Mapping[str, Option]] = {
    "start": Option("where a subscription begins", "first", "first|new", (SOURCE,)),
}
_NUMBER: Final = "number"


@dataclass
class _Topic:
    """Messages, what has been acknowledged by name, and keys with values."""

    messages: list[Received] = field(default_factory=list)
    acknowledged: dict[str, int] = field(default_factory=dict)
    entries: list[Entry] = field(default_factory=list)
    """Every change of a value, in order: a revision is a place here, from 1."""
    changed: threading.Condition = field(default_factory=threading.Condition)


_TOPICS: Final[dict[str, _Topic]] = {}


def check(address: Address, use: str) -> None:
    """Whether it has a name."""
    _topic(address)


def subscribe(address: Address, start: Position | None = None, name: str = "") -> Subscription:
    """The messages of a topic."""
    return _Subscription(address, start, name)


def publisher(address: Address) -> Publisher:
    """Messages to a topic."""
    return _Publisher(_topic(address), address.path)


def key_value(address: Address) -> KeyValue:
    """The values of a topic."""
    return _KeyValue(_topic(address))


def _topic(address: Address) -> _Topic:
    if not address.path:
        raise UsageError(f"{address}: a topic in memory has a name: memory:NAME")
    return _TOPICS.setdefault(address.path, _Topic())


class _Subscription(Subscription):
    def __init__(self, address: Address, start: Position | None, name: str) -> None:
        self._topic, self._name, self._is_closed = _topic(address), name, False
        if start is not None:
            self._next = start[_NUMBER]
        elif name in self._topic.acknowledged:
            self._next = self._topic.acknowledged[name]
        else:
            self._next = len(self._topic.messages) if address.text("start", OPTIONS) == "new" else 0

    def receive(self, seconds: float, most: int = MOST) -> Delivery:
        with self._topic.changed:
            self._topic.changed.wait_for(lambda: self.lag() or self._is_closed, seconds)
            some = self._topic.messages[self._next : self._next + most]
        self._next += len(some)
        return Delivery(some, {_NUMBER: self._next})

    def acknowledge(self, position: Position) -> None:
        if self._name:
            self._topic.acknowledged[self._name] = position[_NUMBER]

    def lag(self) -> int:
        return len(self._topic.messages) - self._next

    def close(self) -> None:
        with self._topic.changed:
            self._is_closed = True
            self._topic.changed.notify_all()


class _Publisher(Publisher):
    def __init__(self, topic: _Topic, path: str) -> None:
        self._topic, self._path, self._taken = topic, path, 0

    def publish(self, message: Message) -> None:
        with self._topic.changed:
            place = f"{self._path}/{len(self._topic.messages) + 1}"
            self._topic.messages.append(Received(message.body, message.headers, place, time.time_ns() // 1000))
            self._topic.changed.notify_all()
        self._taken += 1

    def flush(self) -> Outcome:
        taken, self._taken = self._taken, 0
        return Outcome(taken)

    def close(self) -> None:
        """There is no connection."""


class _KeyValue(KeyValue):
    can_swap = True

    def __init__(self, topic: _Topic) -> None:
        self._topic, self._seen = topic, 0

    def get(self, key: str) -> Entry | None:
        found = self._last().get(checked_key(key))
        return None if found is None or found.value is None else found

    def put(self, key: str, value: bytes) -> int:
        return self._put(checked_key(key), value)

    def swap(self, key: str, value: bytes, revision: int) -> int | None:
        with self._topic.changed:
            found = self.get(key)
            return self._put(key, value) if (0 if found is None else found.revision) == revision else None

    def delete(self, key: str) -> None:
        with self._topic.changed:
            if self.get(key) is not None:
                self._put(key, None)

    def keys(self) -> list[str]:
        return sorted(key for key, entry in self._last().items() if entry.value is not None)

    def changes(self, seconds: float) -> list[Entry]:
        with self._topic.changed:
            self._topic.changed.wait_for(lambda: len(self._topic.entries) > self._seen, seconds)
            is_first, some = not self._seen, self._topic.entries[self._seen :]
            self._seen = len(self._topic.entries)
        last = {entry.key: entry for entry in some}
        return sorted(
            (entry for entry in last.values() if not (is_first and entry.value is None)), key=lambda one: one.revision
        )

    def close(self) -> None:
        """There is no connection."""

    def _last(self) -> dict[str, Entry]:
        return {entry.key: entry for entry in self._topic.entries}

    def _put(self, key: str, value: bytes | None) -> int:
        with self._topic.changed:
            entry = Entry(key, value, len(self._topic.entries) + 1)
            self._topic.entries.append(entry)
            self._topic.changed.notify_all()
        return entry.revision
