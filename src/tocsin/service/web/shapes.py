"""Bodies and answers of the service, as types: what is decoded into them fits, and the OpenAPI document shows them."""

from __future__ import annotations

from typing import Any

import msgspec

from tocsin.service.requests import RequestFault


class Fault(msgspec.Struct, omit_defaults=True):
    """One thing that is wrong: a code that stays the same, a sentence, and the place where it shows."""

    code: str
    message: str
    key: str = ""
    line: int | None = None
    column: int | None = None
    end: int | None = None
    expected: str = ""
    hint: str = ""


class Faults(msgspec.Struct):
    """Everything that is wrong; nothing was done."""

    faults: list[Fault]


class NotTakenEvent(msgspec.Struct):
    """An event that was refused: its place in what was sent, from 0."""

    index: int
    code: str
    message: str


class Accepted(msgspec.Struct):
    """Events were taken, and last."""

    accepted: int
    duplicates: int
    refused: list[NotTakenEvent]


class Time(msgspec.Struct):
    """The clock of the service, in microseconds since 1970."""

    time: int


class RequestBody(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A request for notification: the keys of a rule in a rules file, and who is told."""

    language: str
    expression: str
    name: str = ""
    condition: str | None = None
    by: str | list[str] | None = None
    context: str | None = None
    window: str | None = None
    order: str | None = None
    run: str | None = None
    notify: str | None = None
    select: dict[str, str] | None = None
    suppress: dict[str, Any] | None = None
    severity: str | None = None
    tags: list[str] | None = None
    description: str | None = None
    references: list[str] | None = None
    enabled: bool = True
    owner: str | None = None
    callback: Any = None
    budget: str | None = None
    shadow: str | None = None
    allow_unbounded: bool = False
    partition: str | None = None


class Warned(msgspec.Struct, omit_defaults=True):
    """A request, as it stands."""

    id: str
    version: int
    name: str
    owner: str
    enabled: bool
    created: str
    changed: str
    document: dict[str, Any]
    rules: list[str]
    detections: int = 0
    warnings: list[Fault] = []


class Requests(msgspec.Struct):
    """Requests, in the order in which they were made."""

    requests: list[Warned]


class Page(msgspec.Struct):
    """Some events or detections, and the cursor behind the last of them; no cursor where there are no more."""

    items: list[msgspec.Raw]
    next: str | None = None


class TypeBody(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """What declares an event type: one of the two."""

    gem: str | None = None
    schema: Any = None


class EventType(msgspec.Struct, omit_defaults=True):
    """An event type that is declared."""

    name: str
    gem: str | None = None
    schema: Any = None


class Types(msgspec.Struct):
    """The event types that are declared."""

    types: list[EventType]


def fault_of(fault: RequestFault) -> Fault:
    """A fault as it is told."""
    return Fault(**fault.record())
