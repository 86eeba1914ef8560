"""Requests for notification and event types over HTTP."""

from __future__ import annotations

import re
from functools import partial
from typing import Any, Final

import msgspec

from tocsin.algebra.order import order_text
from tocsin.service.access.permissions import Action, allows
from tocsin.service.questioner import Unanswered
from tocsin.service.requests import Request, RequestFault
from tocsin.service.server import Service
from tocsin.service.web.confines import check_reach, visible
from tocsin.service.web.endpoints import Call, Endpoint, RefusedCall, refused
from tocsin.service.web.shapes import EventType, RequestBody, Requests, Time, TypeBody, Types, Warned, fault_of
from tocsin.time.calendar import render_instant

SHORT: Final = 60
"""Characters of an expression that is planned at once, if it has no numbers to speak of."""
_NUMBER: Final = re.compile("[0-9]{2}")


class Filter(msgspec.Struct):
    """Which requests are listed."""

    owner: str = ""
    name: str = ""
    dry_run: bool = False


def shown(service: Service, request: Request) -> Warned:
    """A request as it is told; what is secret in its callback is not."""
    return Warned(
        request.id,
        request.version,
        request.name,
        request.owner,
        request.is_enabled,
        render_instant(request.created),
        render_instant(request.changed),
        request.shown,
        list(request.rules),
        service.core.found_counts.get(request.id, 0),
        [fault_of(each) for each in service.core.asked.doubts(request)],
    )


def request_of(call: Call, action: Action) -> Request:
    """The request of the path, if whoever asks may have to do with it: else it is not there."""
    request = visible(call, call.path("id"))
    call.check(action, owner=request.owner)
    return request


def tag_of(version: int) -> str:
    """A version of a request as an entity tag (RFC 9110, section 8.8.3)."""
    return f'"{version}"'


def to_change(call: Call) -> Request:
    """The request of the path as it is now, to be changed at once.

    `If-Match` says which version whoever asks has seen: somebody else's change since is not overwritten unseen.
    """
    request = request_of(call, Action.CHANGE_REQUEST)
    call.service.check_writable()
    seen = call.http.headers.get("if-match")
    tag = tag_of(request.version)
    if seen is not None and not {"*", tag} & {each.strip() for each in seen.split(",")}:
        message = f"request '{request.id}' was changed since: it is now version {request.version}, not {seen[:40]}"
        raise refused(412, "request-changed", message, "read it again, and say which version is meant", ETag=tag)
    return request


async def document_of(call: Call, before: Request | None = None) -> dict[str, Any]:
    """What somebody asks for, or asks for instead of what stood `before`."""
    try:
        body = await call.body(RequestBody)
    except RefusedCall as error:
        if error.status == 422:
            await _tell_all(call, before)
        raise
    document: dict[str, Any] = msgspec.to_builtins(body)
    return {key: value for key, value in document.items() if value is not None}


async def _tell_all(call: Call, before: Request | None) -> None:
    """Raises everything that is wrong with a document of the wrong shape, each with its key and place."""
    document = msgspec.json.decode(await call.http.body())
    if isinstance(document, dict):
        document = {key: value for key, value in document.items() if value is not None}
        await checked(call, document)
        call.service.core.asked.made("", document, "", call.now, before)


async def checked(call: Call, document: dict[str, Any]) -> None:
    """Refuses a request that would take too long to check and to plan; nobody else waits meanwhile."""
    text = f"{document.get('expression', '')} {document.get('condition', '')}"
    if len(text) <= SHORT and not _NUMBER.search(text):
        return
    service = call.service
    document = {key: value for key, value in document.items() if key not in ("callback", "shadow")}
    try:
        seconds = service.settings.limits.planning / 1e6
        await service.planner.ask("tried", seconds, document=document, defaults=defaults_of(service))
    except Unanswered as error:
        raise RefusedCall(error.status, [RequestFault(**fault) for fault in error.faults]) from None


def defaults_of(service: Service) -> dict[str, Any]:
    """What holds for requests that do not say otherwise, for a process that plans them."""
    defaults = service.settings.defaults
    return {
        "window": None if defaults.window is None else f"{defaults.window.length() / 1e6:g} sec",
        "context": None if defaults.context is None else defaults.context.value,
        "order": order_text(defaults.order),
    }


async def _done(call: Call, made: tuple[Request, int]) -> Warned:
    request, position = made
    await call.service.lasting(position)
    return shown(call.service, request)


async def create(call: Call) -> Warned:
    """A new request."""
    document = await document_of(call)
    owner = document.get("owner") or (call.principal.owner if call.principal is not None else "")
    call.check(Action.CREATE_REQUEST, owner=owner)
    await checked(call, document)
    call.service.check_writable()
    check = partial(check_reach, call, Action.CREATE_REQUEST)
    return await _done(call, call.service.core.create(document, call.now, call.actor, owner, check))


async def listed(call: Call) -> Requests:
    """All requests that whoever asks may see."""
    wanted = call.query(Filter)
    some = [
        shown(call.service, each)
        for each in call.service.core.asked.requests.values()
        if wanted.owner in ("", each.owner)
        and wanted.name in ("", each.name)
        and (call.principal is None or allows(call.principal, Action.READ_REQUEST, owner=each.owner) is None)
    ]
    return Requests(some)


async def read(call: Call) -> Warned:
    """One request."""
    return shown(call.service, request_of(call, Action.READ_REQUEST))


async def alter(call: Call) -> Warned:
    """Another document for a request: what is equal in it keeps what it remembers."""
    document = await document_of(call, request_of(call, Action.CHANGE_REQUEST))
    await checked(call, document)
    request = to_change(call)
    check = partial(check_reach, call, Action.CHANGE_REQUEST)
    altered = call.service.core.alter(request.id, document, call.now, call.actor, check)
    told = await _done(call, altered)
    call.service.retarget(request, altered[0])
    return told


async def cancel(call: Call) -> None:
    """A request is no more."""
    request = to_change(call)
    await call.service.lasting(call.service.core.cancel(request.id, call.now, call.actor))
    call.service.retarget(request, None)


async def enable(call: Call) -> Warned:
    """A request's rules see events from now on."""
    request = to_change(call)
    check_reach(call, Action.CHANGE_REQUEST, request)
    return await _done(call, call.service.core.switch(request.id, True, call.now, call.actor))


async def disable(call: Call) -> Warned:
    """A request's rules see no events, and forget what they saw."""
    request = to_change(call)
    return await _done(call, call.service.core.switch(request.id, False, call.now, call.actor))


# -- event types -------------------------------------------------------------------------------------------------------


async def types(call: Call) -> Types:
    """The event types that are declared, of those in scope."""
    covers = (lambda name: True) if call.principal is None else call.principal.covers_type
    some = sorted(call.service.core.types.documents.items())
    return Types([EventType(name, **each) for name, each in some if covers(name)])


async def declare(call: Call) -> EventType:
    """Events of a type have to be like this from now on."""
    name = call.path("name")
    call.check(Action.DECLARE_TYPES, types=(name,))
    body = await call.body(TypeBody)
    document = {key: value for key, value in msgspec.to_builtins(body).items() if value is not None}
    call.service.check_writable()
    await call.service.lasting(call.service.core.declare(name, document, call.now, call.actor))
    return EventType(name, **document)


async def undeclare(call: Call) -> None:
    """Events of a type may be anything again."""
    name = call.path("name")
    call.check(Action.DECLARE_TYPES, types=(name,))
    call.service.check_writable()
    await call.service.lasting(call.service.core.undeclare(name, call.now, call.actor))


async def time(call: Call) -> Time:
    """The clock of the service, for those who estimate how far theirs is off."""
    return Time(call.now)


ONE: Final = "/v1/requests/{id}"
ENDPOINTS: Final = (
    Endpoint("GET", "/v1/requests", Action.READ_REQUEST, listed, "List requests", Requests, query=Filter),
    Endpoint("GET", ONE, Action.READ_REQUEST, read, "Read a request", Warned),
    Endpoint(
        "PUT",
        ONE,
        Action.CHANGE_REQUEST,
        alter,
        "Change a request, keeping what is equal",
        Warned,
        RequestBody,
        errors=(412,),
        change="request.alter",
    ),
    Endpoint(
        "DELETE",
        ONE,
        Action.CHANGE_REQUEST,
        cancel,
        "Cancel a request",
        status=204,
        errors=(412,),
        change="request.cancel",
    ),
    Endpoint(
        "POST",
        f"{ONE}/enable",
        Action.CHANGE_REQUEST,
        enable,
        "Enable a request",
        Warned,
        errors=(412,),
        change="request.enable",
    ),
    Endpoint(
        "POST",
        f"{ONE}/disable",
        Action.CHANGE_REQUEST,
        disable,
        "Disable a request",
        Warned,
        errors=(412,),
        change="request.disable",
    ),
    Endpoint("GET", "/v1/types", Action.READ_TYPES, types, "List event types", Types),
    Endpoint(
        "PUT",
        "/v1/types/{name}",
        Action.DECLARE_TYPES,
        declare,
        "Declare an event type",
        EventType,
        TypeBody,
        change="type.declare",
    ),
    Endpoint(
        "DELETE",
        "/v1/types/{name}",
        Action.DECLARE_TYPES,
        undeclare,
        "Remove a declaration",
        status=204,
        change="type.remove",
    ),
    Endpoint("GET", "/v1/time", Action.READ_TIME, time, "Read the service's clock", Time),
)
