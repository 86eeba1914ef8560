"""Notifications to topics of brokers, by the transports that pipelines publish with, a thread for each.

A broker's client goes on to whatever addresses the broker tells it. So only brokers that the operator has named, or
whose addresses are all in networks that the operator allows, get notifications: that one is public is not enough.
"""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Final

from tocsin.encodings import Message as Encoded
from tocsin.errors import MissingDependency, TocsinError
from tocsin.service.deliveries.addresses import Addresses, looked_up
from tocsin.service.deliveries.senders import TAKEN, Message, Outcome, Result
from tocsin.service.deliveries.targets import Topic, host_of
from tocsin.transports import SINK, Address, Publisher, address_of, codec_for, publisher

MOST: Final = 64
"""Brokers' topics that are connected at a time."""
_WAITED: Final = 15.0


class _Broker:
    """A publisher in a thread of its own: a broker that is away keeps only its own messages waiting."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._publisher: Publisher | None = None
        self._codec = codec_for(address)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=f"broker-{address.scheme}")
        self.users = 0

    async def send(self, message: Message) -> Outcome:
        """Publishes a message, and waits until the broker has it."""
        made = asyncio.get_running_loop().run_in_executor(self._thread, self._sent, message)
        try:
            return await asyncio.wait_for(made, _WAITED)
        except TimeoutError:
            return Outcome(Result.FAILED, f"not taken within {_WAITED:g} s")

    def close(self) -> None:
        """Closes the connection, behind what is under way."""
        self._thread.submit(self._close)
        self._thread.shutdown(wait=False)

    def _sent(self, message: Message) -> Outcome:
        try:
            if self._publisher is None:
                self._publisher = publisher(self._address)
            self._publisher.publish(self._encoded(message))
            dead = self._publisher.flush().dead
            return Outcome(Result.FAILED, dead[0].reason) if dead else TAKEN
        except MissingDependency as error:
            return Outcome(Result.REFUSED, str(error))
        except Exception as error:  # noqa: BLE001 - whatever a client raises, it is an attempt that failed
            self._close()
            return Outcome(Result.FAILED, str(error) or type(error).__name__)

    def _encoded(self, message: Message) -> Encoded:
        if self._address.options.get("encoding", "json") == "json":
            return Encoded(message.body, {}, message.id)
        return replace(self._codec.encode(json.loads(message.body)), key=message.id)

    def _close(self) -> None:
        old, self._publisher = self._publisher, None
        if old is not None:
            try:
                old.close()
            except Exception:  # noqa: BLE001 - it is let go of either way
                return


class Brokers:
    """A sender to brokers' topics. `named` are the brokers that the operator has named: scheme, host and port.

    `patience` is how long a client waits for its broker itself; what takes longer is tried again by the outbox.
    """

    def __init__(self, addresses: Addresses, named: Iterable[str] = (), *, patience: str = "5 s") -> None:
        self._addresses, self._patience = addresses, patience
        self._named = frozenset(host_of(each) for each in named)
        self._open: OrderedDict[str, _Broker] = OrderedDict()

    async def send(self, target: Topic, message: Message) -> Outcome:
        """Publishes a message, and waits until the broker has it."""
        try:
            broker = self._open.get(target.url)
            if broker is None:
                address = address_of(target.url, SINK)
                address = replace(address, options={**address.options, "patience": self._patience})
                reason = await self._reason_against(target, address)
                if reason:
                    return Outcome(Result.REFUSED, reason)
                broker = self._opened(target.url, address)
        except OSError as error:
            return Outcome(Result.FAILED, f"no address: {error.strerror or error}")
        except (TocsinError, ValueError) as error:
            return Outcome(Result.REFUSED, str(error))
        self._open.move_to_end(target.url)
        broker.users += 1
        try:
            return await broker.send(message)
        finally:
            broker.users -= 1

    async def close(self) -> None:
        """Closes all connections."""
        while self._open:
            self._open.popitem()[1].close()

    def _opened(self, url: str, address: Address) -> _Broker:
        if url not in self._open:  # while addresses were looked up another may have opened it
            for each, broker in list(self._open.items()):
                if len(self._open) < MOST:
                    break
                if not broker.users:
                    self._open.pop(each).close()
            self._open[url] = _Broker(address)
        return self._open[url]

    async def _reason_against(self, target: Topic, address: Address) -> str:
        if host_of(target.url) in self._named or address.servers in self._named:
            return ""
        loop = asyncio.get_running_loop()
        for host, port in address.hosts:
            found = await loop.run_in_executor(None, looked_up, host, port)
            if not self._addresses.allows_all(str(place[0]) for *_, place in found):
                return (
                    f"{host_of(target.url)} may not be dialled: a broker is one that the operator has named,"
                    " or is in a network that the operator allows"
                )
        return ""
