"""Topics of brokers that the service follows, as if a sensor sent their messages.

A message is acknowledged to the broker when its event lasts here. What comes again then counts once: an event without
an id is called by its message's place in the broker.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import threading
from collections.abc import Mapping
from concurrent.futures import Future
from typing import Any, Final

from tocsin.encodings import Message
from tocsin.errors import TocsinError
from tocsin.formats.refused import Refused
from tocsin.service.admission import json_line
from tocsin.service.core import Overloaded
from tocsin.service.server import NotWritable, Service
from tocsin.service.settings import Followed
from tocsin.transports import SOURCE, address_of, codec_for, subscribe

log: Final = logging.getLogger("tocsin.service")
_TURN: Final = 0.5
_AGAIN: Final = 2.0
"""Seconds after which a broker that went away, or events that could not be taken, are tried again."""


class Subscriptions:
    """A thread for each topic that is followed."""

    def __init__(self, service: Service, followed: tuple[Followed, ...]) -> None:
        self._service, self._loop = service, asyncio.get_running_loop()
        self._over = threading.Event()
        self.counts = {each.name: 0 for each in followed}
        """How many messages of each were taken."""
        self.trouble = {each.name: "" for each in followed}
        self._threads = [
            threading.Thread(target=self._follow, args=(each,), name=f"follow-{each.name}", daemon=True)
            for each in followed
        ]

    def start(self) -> None:
        """Begins to follow."""
        for thread in self._threads:
            thread.start()

    async def stop(self) -> None:
        """Follows no more; what was not acknowledged comes again to the next service."""
        self._over.set()
        for thread in self._threads:
            await asyncio.to_thread(thread.join)

    def _follow(self, followed: Followed) -> None:
        while not self._over.is_set():
            try:
                self._follow_while_it_lasts(followed)
            except Exception as error:  # noqa: BLE001 - whatever it is, it is told, and tried again
                said = str(error) if isinstance(error, TocsinError) else f"{type(error).__name__}: {error}"
                if not self.trouble[followed.name]:
                    log.warning("%s cannot be followed: %s", followed.name, said)
                self.trouble[followed.name] = said
                self._over.wait(_AGAIN)

    def _follow_while_it_lasts(self, followed: Followed) -> None:
        address = address_of(followed.url, SOURCE)
        codec = codec_for(address)
        with subscribe(address, None, f"tocsin-{followed.name}") as subscription:
            while not self._over.is_set():
                delivery = subscription.receive(_TURN)
                self.trouble[followed.name] = ""
                if not delivery:
                    continue
                lines = b"\n".join(filter(None, (self._line(codec, each, followed) for each in delivery.messages)))
                if not self._taken(lines, followed.name):
                    return
                self.counts[followed.name] += len(delivery.messages)
                subscription.acknowledge(delivery.position)

    def _line(self, codec: Any, message: Any, followed: Followed) -> bytes:
        """The event in a message as a line; nothing where there is none, which is noted."""
        try:
            record: Mapping[str, Any] = codec.decode(Message(message.body, message.headers))
        except Refused as refused:
            text = message.body[:1000].decode(errors="replace")
            self._loop.call_soon_threadsafe(self._service.refused, refused.reason, followed.name, text)
            return b""
        name = record.get("id") or message.place or hashlib.sha256(message.body).hexdigest()[:24]
        source = record.get("source") or followed.source or followed.name
        return json_line({**record, "id": name, "source": source})

    def _taken(self, lines: bytes, name: str) -> bool:
        """Whether events last; it is tried until they do, or the service ends."""
        while lines and not self._over.is_set():
            try:
                _result(asyncio.run_coroutine_threadsafe(self._take(lines, name), self._loop))
            except (Overloaded, NotWritable):
                self._over.wait(_AGAIN / 4)
                continue
            return True
        return not lines

    async def _take(self, lines: bytes, name: str) -> None:
        receipt = self._service.take(lines, name)
        await self._service.lasting(receipt.position)


def _result(done: Future[None]) -> None:
    done.result()
