"""Detections as they come: server-sent events and WebSocket, both of which resume behind the last one seen."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Hashable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import msgspec
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from tocsin.service.access.permissions import Action, Principal, allows
from tocsin.service.core import Overloaded
from tocsin.service.gem_monitor import owner_of
from tocsin.service.records import StoredDetection
from tocsin.service.server import NotWritable, Service
from tocsin.service.store.contract import Search
from tocsin.service.streams import Stream, Told, chunk
from tocsin.service.web.connections import CONNECTION, Connection
from tocsin.service.web.endpoints import Call, Endpoint, Number, RefusedCall, refused

if TYPE_CHECKING:
    from tocsin.service.web.app import App

_HEAD: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
_AGAIN: Final = b"retry: 2000\n\n"
_NOTHING: Final = b": beat\n\n"
_BEAT: Final = chunk(_NOTHING)
_NUMBER: Final = re.compile("[0-9]{1,18}", re.ASCII)
PIECE: Final = 500
"""Detections that are read from the store at a time."""


class Listening(msgspec.Struct):
    """What is listened to, and behind which detection it begins: the newest, unless it is said."""

    rule: str = ""
    request: str = ""
    type: str = ""
    after: Number | None = None
    token: str = ""


def hears(service: Service, principal: Principal | None, wanted: Listening) -> Callable[[StoredDetection], bool]:
    """Whether somebody hears of a detection: they asked for it, and may."""
    requests = service.core.asked.requests
    everything = principal is None or principal.sees_all_owners
    anything = not (wanted.rule or wanted.request or wanted.type)

    def is_heard(one: StoredDetection) -> bool:
        if not anything and not (
            wanted.rule in ("", one.rule) and wanted.request in ("", one.request) and wanted.type in ("", one.type)
        ):
            return False
        if everything:
            return True
        owner = owner_of(one.request, requests)
        assert principal is not None
        return owner is not None and allows(principal, Action.STREAM, owner=owner) is None

    return is_heard


def begins_after(service: Service, after: int | None) -> int:
    """Behind which detection a stream begins; one that is not there (the store is an older copy) is the last there is:
    who waited for what comes behind it would hear nothing for long."""
    last = service.stream.last
    return last if after is None else min(after, last)


def is_in(service: Service, principal: Principal | None) -> bool:
    """Whether somebody who was let in still would be: their key was not revoked since, their token has not ended."""
    if principal is None:
        return True
    key = service.ring.named(principal.credential)
    if key is not None:
        is_lasting = key.revoked is None and key.expires is None
        return is_lasting or key.flaw(service.clock()) is None
    return principal.until is None or service.clock() < principal.until


class Follower:
    """How far somebody has got with what they hear of."""

    def __init__(
        self,
        service: Service,
        principal: Principal | None,
        after: int,
        wanted: Listening,
    ) -> None:
        self.service, self.principal, self.after = service, principal, after
        self.is_heard = hears(service, principal, wanted)
        self.audience: Hashable = (principal, wanted.rule, wanted.request, wanted.type)
        """Who has the same hears the same."""

    @property
    def may(self) -> bool:
        """Whether there is more for them to hear."""
        return not self.service.stream.is_closed and is_in(self.service, self.principal)

    async def read(self) -> list[Told] | None:
        """The next of what is there; of a piece that they hear nothing of, nothing. None where there is no more."""
        stream = self.service.stream
        held = stream.after(self.after)
        if held is None:
            after = self.after
            found = await self.service.read(lambda store: store.found(Search(after, PIECE)))
            held = [Told.of(one) for one in found]
            if not held:
                self.after = stream.last
                return []
        if not held:
            return None
        self.after = held[-1].found.number
        return [told for told in held if self.is_heard(told.found)]


async def following(follower: Follower) -> AsyncIterator[list[Told]]:
    """What somebody hears of, some at a time and for as long as they may; nothing in a list is a beat."""
    while follower.may:
        piece = await follower.read()
        if piece:
            yield piece
        elif piece is None and not await follower.service.stream.wait(follower.after):
            yield []


class AtOnce:
    """A listener over a connection whose buffers are empty: what comes is written to it at once, with no task between.

    A thousand tasks that wake for each detection take three times as long as what they send.
    """

    def __init__(self, follower: Follower, connection: Connection) -> None:
        self._follower, self._flow, self._transport = follower, connection.flow, connection.transport
        self.audience: Hashable = follower.audience
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done when they have to read on by themselves: more was sent than they have read, or they may no longer."""

    def chosen(self, told: Sequence[Told]) -> bytes | None:
        """What is written to all of their audience."""
        if not self._follower.may:
            return None
        return b"".join([each.chunk for each in told if self._follower.is_heard(each.found)])

    def send(self, piece: bytes, number: int) -> None:
        """Writes what was chosen."""
        if self._is_open():
            self._follower.after = number
            if piece:
                self._transport.write(piece)

    def beat(self) -> None:
        """Writes that nothing has come."""
        if not self._follower.may:
            self.let_go()
        elif self._is_open():
            self._transport.write(_BEAT)

    def _is_open(self) -> bool:
        if self.over.done():
            return False
        if self._flow.write_paused or self._transport.is_closing():
            self.let_go()
            return False
        return True

    def let_go(self) -> None:
        """They go on by themselves."""
        if not self.over.done():
            self.over.set_result(None)


class EventStream(Response):
    """Detections as server-sent events, as long as somebody listens.

    What Starlette has for streams does more for each piece than there is to do, a thousand times a detection.
    """

    def __init__(self, follower: Follower) -> None:
        super().__init__(media_type="text/event-stream", headers=_HEAD)
        del self.headers["content-length"]
        self._follower = follower

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        listening = asyncio.current_task()
        assert listening is not None
        gone = asyncio.ensure_future(_until_closed(receive))
        gone.add_done_callback(lambda done: None if done.cancelled() else listening.cancel())
        stream = self._follower.service.stream
        stream.listeners += 1
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            await send({"type": "http.response.body", "body": _AGAIN, "more_body": True})
            await self._told(scope, send)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        except asyncio.CancelledError:
            if not gone.done():
                raise
        finally:
            gone.cancel()
            stream.listeners -= 1

    async def _told(self, scope: Scope, send: Send) -> None:
        """Sends what is there, and then what comes."""
        follower = self._follower
        connection = scope.get(CONNECTION) if scope["method"] == "GET" else None
        while follower.may:
            piece = await follower.read()
            if piece:
                body = piece[0].event if len(piece) == 1 else b"".join(each.event for each in piece)
                await send({"type": "http.response.body", "body": body, "more_body": True})
            elif piece is None and connection is not None:
                await connection.flow.drain()
                if follower.after >= follower.service.stream.last:
                    await _at_once(AtOnce(follower, connection), follower.service.stream)
            elif piece is None and not await follower.service.stream.wait(follower.after):
                await send({"type": "http.response.body", "body": _NOTHING, "more_body": True})


async def _at_once(listener: AtOnce, stream: Stream) -> None:
    stream.join(listener)
    try:
        await listener.over
    finally:
        stream.leave(listener)


async def _until_closed(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def listen(call: Call) -> EventStream:
    """Detections as server-sent events."""
    wanted = call.query(Listening)
    service = call.service
    last = call.http.headers.get("last-event-id", "")
    if last and not _NUMBER.fullmatch(last):
        raise refused(422, "query-invalid", "Last-Event-ID is the number of a detection")
    after = begins_after(service, int(last) if last else wanted.after)
    return EventStream(Follower(service, call.principal, after, wanted))


async def socket_stream(app: App, socket: WebSocket) -> None:
    """Detections over a WebSocket, one message each; the client need not say anything."""
    principal = await _let_in(app, socket, Action.STREAM)
    if principal is None:
        return
    service = app.service
    try:
        wanted = msgspec.convert(dict(socket.query_params), Listening, strict=False)
    except msgspec.ValidationError as error:
        await socket.close(1008, str(error)[:120])
        return
    after = begins_after(service, wanted.after)
    service.stream.listeners += 1
    gone = asyncio.ensure_future(_until_gone(socket))
    try:
        async for told in following(Follower(service, principal, after, wanted)):
            if gone.done():
                return
            for each in told:
                await socket.send_text(each.found.body.decode())
    except (WebSocketDisconnect, RuntimeError):
        return
    finally:
        gone.cancel()
        service.stream.listeners -= 1
    await socket.close(1001)


async def socket_events(app: App, socket: WebSocket) -> None:
    """Events over a WebSocket: each message is a body of lines, each answer what became of it, in their order."""
    principal = await _let_in(app, socket, Action.SEND_EVENTS)
    if principal is None:
        return
    waiting: asyncio.Queue[asyncio.Task[bytes] | None] = asyncio.Queue(64)
    answering = asyncio.ensure_future(_answer(socket, waiting))
    try:
        while not answering.done():
            message = await socket.receive()
            if message["type"] == "websocket.disconnect":
                break
            if not is_in(app.service, principal):
                break
            body = message.get("bytes") or (message.get("text") or "").encode()
            await waiting.put(asyncio.ensure_future(_taken(app, principal, body)))
    finally:
        await waiting.put(None)
        await answering
    with suppress(WebSocketDisconnect, RuntimeError):  # it is gone already
        await socket.close(1008)


async def _taken(app: App, principal: Principal, body: bytes) -> bytes:
    try:
        return await app.take(principal, "", {}, body)
    except RefusedCall as error:
        return msgspec.json.encode({"faults": [fault.record() for fault in error.faults], "status": error.status})
    except (Overloaded, NotWritable) as error:
        return msgspec.json.encode({"faults": [{"code": "cannot-store", "message": str(error)}], "status": 503})


async def _answer(socket: WebSocket, waiting: asyncio.Queue[asyncio.Task[bytes] | None]) -> None:
    is_gone = False
    while (task := await waiting.get()) is not None:
        answer = await task
        if not is_gone:
            try:
                await socket.send_text(answer.decode())
            except (WebSocketDisconnect, RuntimeError):
                is_gone = True


async def _let_in(app: App, socket: WebSocket, action: Action) -> Principal | None:
    """Who opens a WebSocket; refused before it is open. A browser cannot send headers: it says `?token=`."""
    header = socket.headers.get("authorization", "")
    if not header and "token" in socket.query_params:
        header = f"Bearer {socket.query_params['token']}"
    try:
        principal = await app.who(header.encode("latin-1", "replace") or None, socket.scope)
    except RefusedCall as error:
        await socket.close(1008, error.faults[0].message[:120])
        return None
    refusal = allows(principal, action)
    if refusal is not None:
        await socket.close(1008, refusal.message[:120])
        return None
    await socket.accept()
    return principal


async def _until_gone(socket: WebSocket) -> None:
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass


SOCKETS: Final[dict[str, Callable[[Any, WebSocket], Any]]] = {
    "/v1/stream": socket_stream,
    "/v1/events": socket_events,
}
ENDPOINTS: Final = (
    Endpoint(
        "GET",
        "/v1/stream",
        Action.STREAM,
        listen,
        "Follow detections as server-sent events",
        query=Listening,
        media="text/event-stream",
    ),
)
