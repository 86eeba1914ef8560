"""Keys and values in MQTT: the retained messages of the topics below a path."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final
from uuid import uuid4

from tocsin.transports.address import Address
from tocsin.transports.contract import Entry, KeyValue, checked_key
from tocsin.transports.mqtt_wire import (
    PUBACK,
    PUBLISH,
    SUBACK,
    Packet,
    Published,
    Wire,
    awaited,
    publication,
    published,
    subscription,
    text,
)
from tocsin.transports.unreachable import PROBING, Unreachable, tried

_REVISION: Final = "revision"
_SYNC: Final = "$sync/"
_VALUE: Final = b"="
"""Before a value: an empty message would take the retained one away."""


class RetainedMessages(KeyValue):
    """A mirror of the retained messages. Before an answer, a message is sent round: what came before it is known."""

    def __init__(self, address: Address, patience: float) -> None:
        self._address, self._patience = address, patience
        self._root = address.path.rstrip("/") + "/"
        self._entries: dict[str, Entry] = {}
        self._changed: dict[str, Entry] = {}
        self._is_first = True
        self._wire: Wire | None = None
        self._asked(self._synchronise)

    def get(self, key: str) -> Entry | None:
        checked_key(key)
        self._asked(self._synchronise)
        found = self._entries.get(key)
        return None if found is None or found.value is None else found

    def put(self, key: str, value: bytes) -> int:
        self._put(checked_key(key), _VALUE + value)
        return self._entries[key].revision

    def delete(self, key: str) -> None:
        if self.get(key) is not None:
            self._put(key, b"")

    def keys(self) -> list[str]:
        self._asked(self._synchronise)
        return sorted(key for key, entry in self._entries.items() if entry.value is not None)

    def changes(self, seconds: float) -> list[Entry]:
        until = time.monotonic() + seconds
        if self._is_first:
            self._asked(self._synchronise)
            self._changed = {key: entry for key, entry in self._changed.items() if entry.value is not None}
            self._is_first = False
        while not self._changed and (left := until - time.monotonic()) > 0:
            self._asked(lambda wire: self._take(wire.read(left)))
        found, self._changed = self._changed, {}
        return sorted(found.values(), key=lambda entry: entry.revision)

    def close(self) -> None:
        if self._wire is not None:
            self._wire.close()
            self._wire = None

    def _put(self, key: str, payload: bytes) -> None:
        known = self._entries.get(key)
        revision = max(time.time_ns() // 1000, 0 if known is None else known.revision + 1)
        made = publication(text(self._root + key), 2, 1, True, {_REVISION: str(revision)}, payload)

        def sent(wire: Wire) -> None:
            wire.send(made)
            awaited(wire, PUBACK, self._take, self._address)
            self._synchronise(wire)

        self._asked(sent)

    def _synchronise(self, wire: Wire) -> None:
        """Waits until a message that we send has come back to us."""
        mark = f"{_SYNC}{uuid4().hex}"
        wire.send(publication(text(self._root + mark), 0, 0, False, {}, b""))
        until = time.monotonic() + PROBING
        while mark not in self._take(wire.read(until - time.monotonic())):
            if time.monotonic() > until:
                raise Unreachable(f"{self._address}: the broker does not send back what it was sent")

    def _take(self, packets: list[Packet]) -> list[str]:
        marks = []
        for each in packets:
            if each.kind == PUBLISH:
                message = published(each.flags, each.body)
                key = message.topic.removeprefix(self._root)
                if key.startswith(_SYNC):
                    marks.append(key)
                else:
                    self._note(key, message)
        return marks

    def _note(self, key: str, message: Published) -> None:
        revision = int(message.headers.get(_REVISION) or time.time_ns() // 1000)
        value = message.payload.removeprefix(_VALUE) if message.payload else None
        known = self._entries.get(key)
        if known is None or revision > known.revision or (known.value, revision) != (value, known.revision):
            self._entries[key] = self._changed[key] = Entry(key, value, revision)

    def _asked(self, step: Callable[[Wire], object]) -> None:
        def attempt() -> None:
            if self._wire is None:
                self._wire = Wire(self._address, f"tocsin-{uuid4().hex}", keeps=False)
                self._wire.send(subscription(1, f"{self._root}#", 0))
                awaited(self._wire, SUBACK, self._take, self._address)
            step(self._wire)

        def patient() -> None:
            try:
                attempt()
            except Unreachable:
                if self._wire is not None:
                    self._wire.close(politely=False)
                    self._wire = None
                raise

        tried(patient, self._patience, Unreachable)
