"""Detections as they come: server-sent events and WebSocket, both of which resume behind the last one seen."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
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
from tocsin.service.streams import Told, server_sent
from tocsin.service.web.endpoints import Call, Endpoint, RefusedCall, refused

if TYPE_CHECKING:
    from tocsin.service.web.app import App

_HEAD: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
_AGAIN: Final = b"retry: 2000\n\n"
_NOTHING: Final = b": beat\n\n"
PIECE: Final = 500
"""Detections that are read from the store at a time."""


class Listening(msgspec.Struct):
    """What is listened to, and behind which detection it begins: the newest, unless it is said."""

    rule: str = ""
    request: str = ""
    type: str = ""
    after: int | None = None
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


async def following(
    service: Service, after: int, is_heard: Callable[[StoredDetection], bool]
) -> AsyncIterator[list[Told]]:
    """The detections behind a number, some at a time and for ever; nothing in a list is a beat."""
    while not service.stream.is_closed:
        held = service.stream.after(after)
        if held is None:
            found = await service.read(lambda store, after=after: store.found(Search(after, PIECE)))  # type: ignore[misc]
            held = [Told(one, server_sent(one)) for one in found]
            if not held:
                after = service.stream.last
        if held:
            after = held[-1].found.number
            heard = [told for told in held if is_heard(told.found)]
            if heard:
                yield heard
        elif not await service.stream.wait(after):
            yield []


class EventStream(Response):
    """Detections as server-sent events, as long as somebody listens.

    What Starlette has for streams does more for each piece than there is to do, a thousand times a detection.
    """

    def __init__(self, service: Service, told: AsyncIterator[list[Told]]) -> None:
        super().__init__(media_type="text/event-stream", headers=_HEAD)
        del self.headers["content-length"]
        self._service, self._told = service, told

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        listening = asyncio.current_task()
        assert listening is not None
        gone = asyncio.ensure_future(_until_closed(receive))
        gone.add_done_callback(lambda done: None if done.cancelled() else listening.cancel())
        self._service.stream.listeners += 1
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            await send({"type": "http.response.body", "body": _AGAIN, "more_body": True})
            async for told in self._told:
                body = told[0].event if len(told) == 1 else b"".join(each.event for each in told) or _NOTHING
                await send({"type": "http.response.body", "body": body, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        except asyncio.CancelledError:
            if not gone.done():
                raise
        finally:
            gone.cancel()
            self._service.stream.listeners -= 1


async def _until_closed(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def listen(call: Call) -> EventStream:
    """Detections as server-sent events."""
    wanted = call.query(Listening)
    service = call.service
    last = call.http.headers.get("last-event-id", "")
    if last and not last.isdigit():
        raise refused(422, "query-invalid", "Last-Event-ID is the number of a detection")
    after = int(last) if last else service.stream.last if wanted.after is None else wanted.after
    return EventStream(service, following(service, after, hears(service, call.principal, wanted)))


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
    after = service.stream.last if wanted.after is None else wanted.after
    service.stream.listeners += 1
    gone = asyncio.ensure_future(_until_gone(socket))
    try:
        async for told in following(service, after, hears(service, principal, wanted)):
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
            body = message.get("bytes") or (message.get("text") or "").encode()
            await waiting.put(asyncio.ensure_future(_taken(app, principal, body)))
    finally:
        await waiting.put(None)
        await answering


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
