"""The broker as a site has it: a wire that is opened again when it fails, and messages packed for their way.

What goes over the wire is `[[starts, word, version], messages]`: how often whoever sends was started, a word of its
own, so that two of one name are told apart, and what it speaks; then all that is to be said to somebody at a time. What
is too large goes in pieces; if one is lost, all of it is, and is sent again by whoever misses it.

While the broker is away nothing is kept here: streams are numbered end to end, and are sent until they are reported.
"""

from __future__ import annotations

import struct
import time
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

import msgspec

from tocsin.errors import TocsinError
from tocsin.sites.links import Message
from tocsin.sites.neighbours import EVERYBODY, VERSION
from tocsin.sites.shell.wires import Wire, opened
from tocsin.transports import Address, Unreachable

_PAUSE: Final = 0.5
"""Seconds between two attempts to reach a broker that has gone."""
_HEAD: Final = 200
"""Bytes that are left for what stands around messages."""
_UNFINISHED: Final = 16
"""Messages in pieces that are waited for at a time."""
_MANY: Final = struct.Struct(">BI")
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder().decode


class Run(NamedTuple):
    """Who somebody is this time: how often it was started, a word of its own, and what it speaks."""

    starts: int
    word: str
    version: int = VERSION


class Network:
    """A broker, for one who listens."""

    def __init__(self, address: Address, name: str, run: Run, say: Callable[[str], None]) -> None:
        self.address, self.name, self.run, self._say = address, name, run, say
        self._head = b"\x92" + _encode(list(run))
        self._wire: Wire | None = opened(address, name)
        self.is_new = False
        """Whether the broker is back, so that what was sent meanwhile is to be sent again: who does that resets it."""
        self._tried = 0.0
        self._reason = ""
        self._numbers = 0
        self._pieces: dict[tuple[str, int], dict[int, bytes]] = {}
        self._waiting: dict[str, list[bytes]] = {}
        self.sent: Callable[[str, int], None] = lambda to, size: None
        """Who counts what goes out, and to whom."""

    @property
    def is_there(self) -> bool:
        """Whether the broker is."""
        return self._wire is not None

    # -- sending -----------------------------------------------------------------------------------------------------

    def send(self, messages: Iterable[tuple[str, Message]]) -> None:
        """Sends messages, each to somebody or to everybody; those to one go together."""
        if self._wire is None:
            return
        waiting: dict[str, list[bytes]] = {}
        for to, message in messages:
            waiting.setdefault(to, []).append(_encode(message))
        try:
            for to, bodies in waiting.items():
                self._publish(self._wire, None if to == EVERYBODY else to, bodies)
                self.sent(to, sum(map(len, bodies)))
            self._wire.flush()
        except Unreachable as failure:
            self._lose(failure)

    def _publish(self, wire: Wire, to: str | None, bodies: list[bytes]) -> None:
        room = wire.most - _HEAD
        some: list[bytes] = []
        size = 0
        for body in bodies:
            if size + len(body) > room and some:
                wire.publish(to, self.packed(some))
                some, size = [], 0
            if len(body) > room:
                self._publish_in_pieces(wire, to, body, room)
                continue
            some.append(body)
            size += len(body)
        if some:
            wire.publish(to, self.packed(some))

    def publish(self, to: str, payloads: Iterable[bytes]) -> None:
        """Sends what was `packed` already, each by itself."""
        if self._wire is not None:
            try:
                for each in payloads:
                    self._wire.publish(to, each)
                self._wire.flush()
            except Unreachable as failure:
                self._lose(failure)

    def packed(self, bodies: list[bytes]) -> bytes:
        """Messages as they go together."""
        return b"".join((self._head, _MANY.pack(0xDD, len(bodies)), *bodies))

    def _publish_in_pieces(self, wire: Wire, to: str | None, body: bytes, room: int) -> None:
        self._numbers += 1
        count = -(-len(body) // room)
        for place in range(count):
            piece = body[place * room : (place + 1) * room]
            wire.publish(
                to, self._head + _encode({"of": self._numbers, "place": place, "count": count, "piece": piece})
            )

    # -- receiving ---------------------------------------------------------------------------------------------------

    def receive(self, seconds: float) -> list[bytes]:
        """What has come, packed; of what comes in pieces only what is whole."""
        if self._wire is None and not self._is_back():
            time.sleep(min(seconds, _PAUSE))
            return []
        assert self._wire is not None
        try:
            came = self._wire.receive(seconds)
        except Unreachable as failure:
            self._lose(failure)
            return []
        return [whole for each in came if (whole := self._whole(each)) is not None]

    def _whole(self, data: bytes) -> bytes | None:
        if b"\xa5piece" not in data[:_HEAD]:
            return data
        try:
            run, told = _decode(data)
            word = run[1]
        except (msgspec.DecodeError, ValueError, TypeError, IndexError):
            return data  # whoever takes it says what is wrong with it
        if not isinstance(told, dict):
            return data
        pieces = self._pieces.setdefault((word, told["of"]), {})
        pieces[told["place"]] = told["piece"]
        if len(pieces) < told["count"]:
            while len(self._pieces) > _UNFINISHED:
                del self._pieces[next(iter(self._pieces))]
            return None
        del self._pieces[word, told["of"]]
        body = b"".join(pieces[place] for place in range(told["count"]))
        return b"\x92" + _encode(run) + _MANY.pack(0xDD, 1) + body

    # -- a broker that goes away -------------------------------------------------------------------------------------

    def _lose(self, failure: Unreachable) -> None:
        assert self._wire is not None
        self._wire.close()
        self._wire, self._tried = None, time.monotonic()
        self._say(f"{failure}: waiting for it; nothing is lost meanwhile")

    def _is_back(self) -> bool:
        if time.monotonic() - self._tried < _PAUSE:
            return False
        self._tried = time.monotonic()
        try:
            self._wire = opened(self.address, self.name)
        except Unreachable:
            return False
        except TocsinError as error:
            if str(error) != self._reason:
                self._reason = str(error)
                self._say(self._reason)
            return False
        self._say(f"{self.address}: the broker is there again")
        self.is_new = True
        return True

    def wake(self) -> None:
        """Ends another thread's `receive`."""
        if self._wire is not None:
            self._wire.wake()

    def close(self) -> None:
        """Ends it."""
        if self._wire is not None:
            self._wire.close()
            self._wire = None


def unpacked(data: bytes) -> tuple[Run, list[Message]]:
    """What has come, if it is what sites send; an empty word where it is not."""
    try:
        (starts, word, version), messages = _decode(data)
        found = [message for message in messages if isinstance(message, dict) and isinstance(message.get("from"), str)]
        return Run(int(starts), str(word), int(version)), found
    except (msgspec.DecodeError, ValueError, TypeError):
        return Run(0, "", VERSION), []
