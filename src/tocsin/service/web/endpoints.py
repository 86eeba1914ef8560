"""What an endpoint is: a path and a method, who may call it, what comes and what goes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

import msgspec
from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from tocsin.errors import UsageError
from tocsin.service.access.permissions import Action, Principal, allows
from tocsin.service.requests import RequestFault, RequestRefused, refusal
from tocsin.service.server import Service

Shape = TypeVar("Shape")
PUBLIC: Final = None
"""Instead of an action: whoever reaches the service may."""


class RefusedCall(Exception):
    """A call that is refused: the status, and what is wrong as data."""

    def __init__(self, status: int, faults: list[RequestFault], headers: Mapping[str, str] | None = None) -> None:
        self.status, self.faults, self.headers = status, faults, dict(headers or {})
        super().__init__("; ".join(fault.message for fault in faults))


def refused(status: int, code: str, message: str, hint: str = "", **headers: str) -> RefusedCall:
    """A call that is refused for one reason."""
    return RefusedCall(status, [RequestFault(code, message, hint=hint)], headers)


@dataclass(frozen=True)
class Call:
    """One call of an endpoint: who asks, and for what."""

    service: Service
    principal: Principal | None
    http: HttpRequest

    @property
    def actor(self) -> str:
        """Who asks, for the log and the audit."""
        return "" if self.principal is None else self.principal.name

    @property
    def now(self) -> int:
        """The time of the service."""
        return self.service.clock()

    def path(self, name: str) -> str:
        """A part of the path."""
        return str(self.http.path_params[name])

    def query(self, shape: type[Shape]) -> Shape:
        """The parameters behind the `?`."""
        try:
            return msgspec.convert(dict(self.http.query_params), shape, strict=False)
        except msgspec.ValidationError as error:
            raise refused(422, "query-invalid", str(error)) from None

    async def body(self, shape: type[Shape]) -> Shape:
        """The body, decoded."""
        data = await self.http.body()
        try:
            return msgspec.json.decode(data, type=shape)
        except msgspec.ValidationError as error:
            raise refused(422, "document-invalid", str(error)) from None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise refused(400, "not-json", f"the body is not JSON: {error}") from None

    def check(self, action: Action, *, types: tuple[str, ...] = (), owner: str | None = None) -> None:
        """Refuses where whoever asks may not do that."""
        if self.principal is None:
            return
        refusal_ = allows(self.principal, action, types=types, owner=owner)
        if refusal_ is not None:
            raise RefusedCall(refusal_.status, [RequestFault(refusal_.code, refusal_.message, hint=refusal_.hint)])


Handler = Callable[[Call], Awaitable[Any]]


@dataclass(frozen=True)
class Endpoint:
    """A path, and what it does. What a handler gives back is encoded, unless it is a `Response`."""

    method: str
    path: str
    action: Action | None
    handler: Handler
    summary: str
    answer: Any = None
    body: Any = None
    query: Any = None
    status: int = 200
    media: str = "application/json"
    errors: tuple[int, ...] = field(default=())
    texts: tuple[str, ...] = ()
    """As what a body may come besides JSON: as a text."""


__all__ = ["Call", "Endpoint", "RefusedCall", "RequestRefused", "Response", "UsageError", "refusal", "refused"]
