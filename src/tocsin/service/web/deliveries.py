"""Who was told of what, and who was not: deliveries by request and state, dead letters sent again, targets enabled."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from tocsin.service.access.permissions import Action
from tocsin.service.deliveries.records import Delivery, State
from tocsin.service.deliveries.targets import MOST
from tocsin.service.requests import refusal
from tocsin.service.store.contract import Store
from tocsin.service.web.endpoints import Call, Endpoint, Number, refused
from tocsin.service.web.requests import ONE, request_of
from tocsin.time.calendar import render_instant

_TARGET: Final = re.compile("[0-9]{1,9}", re.ASCII)


class Wanted(msgspec.Struct):
    """Which deliveries are listed: behind a number, of a state."""

    state: str = ""
    after: Number = 0
    limit: int = 100


class Told(msgspec.Struct, omit_defaults=True):
    """How far the notification of a detection has got with one target."""

    number: int
    target: int
    state: str
    attempts: int
    updated: str
    due: str | None = None
    error: str | None = None


class TargetState(msgspec.Struct, omit_defaults=True):
    """How a target does."""

    target: int
    where: str
    health: str
    reason: str | None = None


class Deliveries(msgspec.Struct):
    """Notifications of a request, in their order, and how its targets do."""

    targets: list[TargetState]
    items: list[Told]
    next: int | None = None


class Redrive(msgspec.Struct, forbid_unknown_fields=True):
    """Which dead letters are sent again: one, or all of the request."""

    number: Number | None = None


class Redriven(msgspec.Struct):
    """How many dead letters are sent again."""

    redriven: int


async def listed(call: Call) -> Deliveries:
    """Notifications of a request, and how far each has got."""
    request, wanted = request_of(call, Action.READ_DELIVERIES), call.query(Wanted)
    if wanted.state and wanted.state not in tuple(State):
        raise refused(422, "query-invalid", f"there is no state '{wanted.state}'", ", ".join(State))
    if not 1 <= wanted.limit <= call.service.settings.limits.page:
        raise refused(422, "query-invalid", f"'limit' is from 1 to {call.service.settings.limits.page}")
    states = (wanted.state,) if wanted.state else tuple(state.value for state in State)

    def found(store: Store) -> list[Mapping[str, Any]]:
        rows = store.deliveries(states, request.id, wanted.after, wanted.limit)
        if len(rows) < wanted.limit:
            return rows
        last = rows[-1]["number"]  # a page has all targets of its last detection, or the next one would lack some
        whole = store.deliveries(states, request.id, last - 1, MOST)
        return [each for each in rows if each["number"] != last] + [each for each in whole if each["number"] == last]

    rows = await call.service.read(found)
    items = [_told(Delivery.of_json(row)) for row in rows]
    outbox = call.service.deliverer.outbox
    targets = []
    for index, target in enumerate(request.targets):
        health, reason = outbox.health(request.id, index)
        targets.append(TargetState(index, str(target), health.value, reason))
    return Deliveries(targets, items, items[-1].number if len(items) >= wanted.limit else None)


def _told(row: Delivery) -> Told:
    due = render_instant(row.due) if row.state is State.PENDING else None
    return Told(row.number, row.target, row.state.value, row.attempts, render_instant(row.updated), due, row.error)


async def redrive(call: Call) -> Redriven:
    """Dead letters of a request are sent again."""
    request = request_of(call, Action.REDRIVE)
    asked = await call.body(Redrive)
    dead = (State.DEAD.value,)
    rows = await call.service.read(lambda store: store.deliveries(dead, request.id))
    some = [row for row in map(Delivery.of_json, rows) if asked.number in (None, row.number)]
    if asked.number is not None and not some:
        raise refusal("delivery-unknown", f"there is no dead letter {asked.number} of this request", status=404)
    made = call.service.deliverer.change(lambda outbox, now: outbox.redrive(some, now))
    call.service.note_action(call.actor, "request.redrive", request.id, details=f"{len(made)} dead letters")
    await call.service.deliverer.settled()
    return Redriven(len(made))


async def enable(call: Call) -> Any:
    """A target is sent to again, whatever was the matter."""
    request = request_of(call, Action.REDRIVE)
    target = call.path("target")
    if not _TARGET.fullmatch(target) or int(target) >= len(request.targets):
        raise refusal("target-unknown", f"this request has no target {target[:20]!r}", status=404)
    call.service.deliverer.change(lambda outbox, now: outbox.enable(request.id, int(target), now))
    call.service.note_action(call.actor, "target.enable", f"{request.id}/{target}")
    await call.service.deliverer.settled()


ENDPOINTS: Final = (
    Endpoint(
        "GET", f"{ONE}/deliveries", Action.READ_DELIVERIES, listed, "List notifications", Deliveries, query=Wanted
    ),
    Endpoint(
        "POST",
        f"{ONE}/redrive",
        Action.REDRIVE,
        redrive,
        "Send dead letters again",
        Redriven,
        Redrive,
        change="request.redrive",
    ),
    Endpoint(
        "POST",
        f"{ONE}/targets/{{target}}/enable",
        Action.REDRIVE,
        enable,
        "Enable a target",
        status=204,
        change="target.enable",
    ),
)
