"""Topics in this process: several sites in one, and tests."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Final

from tocsin.errors import UsageError
from tocsin.sites.shell.wires.contract import Wire
from tocsin.transports import Address


@dataclass
class _Topics:
    """Who listens, and what has come for each."""

    wires: list[_MemoryWire] = field(default_factory=list)
    changed: threading.Condition = field(default_factory=threading.Condition)


_DEPLOYMENTS: Final[dict[str, _Topics]] = {}


def opened(address: Address, name: str) -> Wire:
    """Somebody listens."""
    if not address.path:
        raise UsageError(f"{address}: topics in memory have a name: memory:NAME")
    return _MemoryWire(_DEPLOYMENTS.setdefault(address.path, _Topics()), name)


class _MemoryWire(Wire):
    most = 1 << 20

    def __init__(self, topics: _Topics, name: str) -> None:
        self._topics, self._name = topics, name
        self._came: list[bytes] = []
        self._is_woken = False
        with topics.changed:
            topics.wires.append(self)

    def publish(self, to: str | None, data: bytes) -> None:
        with self._topics.changed:
            for wire in self._topics.wires:
                if to is None or wire._name == to:
                    wire._came.append(data)
            self._topics.changed.notify_all()

    def flush(self) -> None:
        """It is there already."""

    def receive(self, seconds: float) -> list[bytes]:
        with self._topics.changed:
            if seconds > 0:
                self._topics.changed.wait_for(lambda: bool(self._came) or self._is_woken, seconds)
            came, self._came, self._is_woken = self._came, [], False
        return came

    def wake(self) -> None:
        with self._topics.changed:
            self._is_woken = True
            self._topics.changed.notify_all()

    def close(self) -> None:
        with self._topics.changed:
            if self in self._topics.wires:
                self._topics.wires.remove(self)
