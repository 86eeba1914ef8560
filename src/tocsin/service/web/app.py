"""From a connection to an endpoint and back: who asks, limits, answers, faults as data."""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import replace
from typing import Any, Final

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request as HttpRequest
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute

from tocsin.errors import TextError, TocsinError
from tocsin.service.access.audit import redacted
from tocsin.service.access.authentication import Authentication
from tocsin.service.access.limits import RateLimiter
from tocsin.service.access.permissions import Principal
from tocsin.service.access.refusals import Refusal
from tocsin.service.core import Overloaded
from tocsin.service.requests import RequestFault, RequestRefused, fault_of
from tocsin.service.server import NotWritable, Service
from tocsin.service.web import (
    deliveries,
    history,
    insight,
    intake,
    metrics,
    monitor,
    operations,
    page,
    requests,
    sites,
    streams,
)
from tocsin.service.web.connections import answer_at_once
from tocsin.service.web.endpoints import Call, Endpoint, RefusedCall, refused
from tocsin.service.web.insight import is_dry
from tocsin.service.web.openapi import document
from tocsin.service.web.requests import tag_of
from tocsin.service.web.shapes import Warned

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

log: Final = logging.getLogger("tocsin.service")
_PARTS: Final = (requests, monitor, deliveries, insight, sites, history, streams, metrics, operations)
ENDPOINTS: Final = tuple(endpoint for part in _PARTS for endpoint in part.ENDPOINTS)
"""Every path but that of the intake, which is `intake.PATH`."""
MOST_NOTED: Final = 500
"""Characters that the audit has of what was refused."""
_encode: Final = msgspec.json.Encoder().encode


class App:
    """The service as an ASGI application."""

    def __init__(self, service: Service, authentication: Authentication) -> None:
        self.service, self.authentication = service, authentication
        self.limiter = RateLimiter(service.settings.access.rates)
        sockets = [WebSocketRoute(path, _socket(self, handler)) for path, handler in streams.SOCKETS.items()]
        self._rest = Starlette(
            routes=[
                *sockets,
                *(Route(each.path, _route(self, each), methods=[each.method]) for each in ENDPOINTS),
                Route("/openapi.json", self._document),
                *page.ROUTES,
            ],
            exception_handlers={HTTPException: _not_found, Exception: _failed},
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] == intake.PATH and scope["method"] == "POST":
            with self.service.tracing.span("POST /v1/events"):
                await self._take(scope, receive, send)
        else:
            await self._rest(scope, receive, send)

    async def _document(self, http: HttpRequest) -> Response:
        return Response(_encode(document(ENDPOINTS)), media_type="application/json")

    # -- events --------------------------------------------------------------------------------------------------------

    async def _take(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = dict(scope["headers"])
        try:
            principal = await self.who(headers.get(b"authorization"), scope)
            body = await _body(receive, self.service.settings.limits.body, headers.get(b"content-length"))
            kind = headers.get(b"content-type", b"").partition(b";")[0].strip().lower().decode("latin-1")
            answer, status = await self.take(principal, kind, headers, body), 202
            more: list[tuple[bytes, bytes]] = []
        except RefusedCall as error:
            answer, status = told(error.faults), error.status
            more = [(name.lower().encode(), value.encode()) for name, value in error.headers.items()]
        if not more and answer_at_once(send, status, answer):
            return
        length = str(len(answer)).encode()
        head = [(b"content-type", b"application/json"), (b"content-length", length), *more]
        await send({"type": "http.response.start", "status": status, "headers": head})
        await send({"type": "http.response.body", "body": answer})

    async def take(self, principal: Principal, kind: str, headers: Mapping[bytes, bytes], body: bytes) -> bytes:
        """Takes a body of events from somebody who may send so many; the answer, when they last."""
        lines = intake.lines_of(self.service, kind, headers, body)
        slowed = self.limiter.events(principal.id, principal.rates, lines.count, self.service.clock())
        if slowed is not None:
            raise not_let_in(slowed)
        return await intake.take(self.service, principal, lines)

    # -- who asks ------------------------------------------------------------------------------------------------------

    async def who(self, header: bytes | None, scope: Scope) -> Principal:
        """Who asks, if the service knows them and they do not ask too often."""
        now = self.service.clock()
        address = (scope.get("client") or ("",))[0]
        found = self.authentication.at_once(header, address, now)
        if found is None:
            found = await self.authentication.principal(header, address, now)
        if isinstance(found, Refusal):
            raise not_let_in(found)
        slowed = self.limiter.request(found.id, found.rates, now)
        if slowed is not None:
            raise not_let_in(slowed)
        return found


def not_let_in(refusal: Refusal) -> RefusedCall:
    """A refusal of access as an answer."""
    headers = {} if refusal.retry_after is None else {"Retry-After": str(refusal.retry_after)}
    if refusal.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return RefusedCall(refusal.status, [RequestFault(refusal.code, refusal.message, hint=refusal.hint)], headers)


def told(faults: list[RequestFault]) -> bytes:
    """Faults as the body of an answer."""
    return json.dumps({"faults": [fault.record() for fault in faults]}, ensure_ascii=False).encode()


async def _body(receive: Receive, most: int, length: bytes | None) -> bytes:
    """The body of a request, which may not be too large, whatever it says of itself."""
    if length is not None and length.isdigit() and int(length) > most:
        raise refused(413, "body-too-large", f"a body has {most} bytes at most", Connection="close")
    pieces, size = list[bytes](), 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise refused(400, "disconnected", "the body did not come to its end")
        piece = message.get("body", b"")
        size += len(piece)
        if size > most:
            raise refused(413, "body-too-large", f"a body has {most} bytes at most", Connection="close")
        if not message.get("more_body"):
            return piece if not pieces else b"".join((*pieces, piece))
        pieces.append(piece)


def _route(app: App, endpoint: Endpoint) -> Callable[[HttpRequest], Awaitable[Response]]:
    async def answer(http: HttpRequest) -> Response:
        call = Call(app.service, None, http)
        try:
            if endpoint.action is not None:
                header = http.headers.get("authorization", "").encode("latin-1") or None
                call = replace(call, principal=await app.who(header, http.scope))
            if http.method not in ("GET", "HEAD"):
                http._body = await _body(
                    http.receive, app.service.settings.limits.body, http.headers.get("content-length", "").encode()
                )
            if endpoint.action is not None:
                call.check(endpoint.action)
            with app.service.tracing.span(f"{endpoint.method} {endpoint.path}"):
                return _answered(await endpoint.handler(call), endpoint)
        except Exception as error:
            refusal = _refused(error)
            if refusal is None:
                raise
            note_refusal(call, endpoint, refusal)
            return Response(told(refusal.faults), refusal.status, refusal.headers, "application/json")

    answer.__name__ = endpoint.handler.__name__
    return answer


def _refused(error: Exception) -> RefusedCall | None:
    """What is told of an error; nothing, where it is a fault of the service."""
    match error:
        case RefusedCall():
            return error
        case RequestRefused():
            return RefusedCall(error.status, list(error.faults))
        case TextError():
            return RefusedCall(422, [fault_of(fault) for fault in error.faults])
        case NotWritable() | Overloaded():
            message = f"nothing can be stored just now: {error}"
            return refused(503, "cannot-store", message, **{"Retry-After": intake.WAIT})
        case TocsinError():
            return RefusedCall(422, [RequestFault("refused", str(error))])
    return None


def note_refusal(call: Call, endpoint: Endpoint, refusal: RefusedCall) -> None:
    """A change that somebody who is known could not make is noted. What cannot be stored is not: there is no room."""
    is_noted = refusal.is_noted or not endpoint.change or is_dry(call)
    if is_noted or call.principal is None or refusal.status in (429, 503):
        return
    codes = ",".join(dict.fromkeys(fault.code for fault in refusal.faults))
    said = redacted("; ".join(fault.message for fault in refusal.faults)[:MOST_NOTED])
    subject = str(next(iter(call.http.path_params.values()), ""))[:MOST_NOTED]
    call.service.note_action(call.actor, endpoint.change, subject, codes, said)


def _answered(value: Any, endpoint: Endpoint) -> Response:
    if isinstance(value, Response):
        return value
    if value is None:
        return Response(status_code=endpoint.status)
    head = {"ETag": tag_of(value.version)} if isinstance(value, Warned) else None
    return Response(_encode(value), endpoint.status, head, media_type=endpoint.media)


def _socket(app: App, handler: Callable[[App, Any], Awaitable[None]]) -> Callable[[Any], Awaitable[None]]:
    async def serve(socket: Any) -> None:
        await handler(app, socket)

    return serve


async def _not_found(http: HttpRequest, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = {404: "not-found", 405: "method-not-allowed"}.get(error.status_code, "refused")
    return Response(
        told([RequestFault(code, f"{http.method} {http.url.path}: {error.detail}")]),
        error.status_code,
        error.headers,
        "application/json",
    )


async def _failed(http: HttpRequest, error: Exception) -> Response:
    log.error("%s %s failed", http.method, http.url.path, exc_info=error)
    fault = RequestFault("internal", "this is a fault of the service: its log says more")
    return JSONResponse({"faults": [fault.record()]}, 500)
