"""How the service is: alive, ready, its figures, its keys, its backup, and the document of its own paths."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Final, TypeAlias

import msgspec
from starlette.background import BackgroundTask
from starlette.responses import FileResponse, PlainTextResponse, Response

from tocsin.service.access import keys as access_keys
from tocsin.service.access.limits import MOST_RATE, Rates
from tocsin.service.access.permissions import Action, Role
from tocsin.service.access.scopes import Scopes
from tocsin.service.core import Core
from tocsin.service.server import Service
from tocsin.service.web.endpoints import PUBLIC, Call, Endpoint, refused
from tocsin.time.calendar import render_instant


class Status(msgspec.Struct):
    """How the service is."""

    version: str
    began: str
    now: str
    requests: int
    events: int
    evaluated: int
    detections: int
    duplicates: int
    refused: dict[str, int]
    queued_bytes: int
    listeners: int
    trouble: str
    store_bytes: int
    deliveries: dict[str, int]
    rules: dict[str, int]
    """What the rules have refused, dropped, ignored, suppressed, could not compare."""
    reasons: dict[str, int]
    """Why the rules had no use for events: each reason, and how often."""
    failing: dict[str, str]
    """Requests that do not run although they are enabled, and why."""
    followed: dict[str, str]
    """Topics that are followed: how many messages, or what is the matter."""


Rate: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=MOST_RATE)]
MOST_DAYS: Final = 36_525


class NewRates(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """How much a key may do: what is not said here is as the settings have it for everybody."""

    requests: Rate | None = None
    requests_at_once: Rate | None = None
    events: Rate | None = None
    events_at_once: Rate | None = None


class NewKey(msgspec.Struct, forbid_unknown_fields=True):
    """A key that is asked for."""

    name: str
    role: str = "subscriber"
    types: list[str] = []
    owners: list[str] = []
    days: Annotated[float, msgspec.Meta(gt=0, le=MOST_DAYS)] | None = None
    rates: NewRates | None = None


class Key(msgspec.Struct, omit_defaults=True):
    """What is known of a key; its text only when it is made."""

    id: str
    name: str
    role: str
    types: list[str]
    owners: list[str]
    created: str
    expires: str | None = None
    revoked: str | None = None
    rates: dict[str, int] | None = None
    key: str | None = None


class Self(msgspec.Struct):
    """Who asks, as the service knows them."""

    name: str
    role: str
    types: list[str]
    owners: list[str]


class Keys(msgspec.Struct):
    """All keys."""

    keys: list[Key]


async def alive(call: Call) -> Response:
    """The service answers."""
    return PlainTextResponse("ok\n")


async def ready(call: Call) -> Response:
    """The service takes events."""
    if call.service.trouble or call.service.is_stopping:
        return PlainTextResponse(f"{call.service.trouble or 'stopping'}\n", 503)
    return PlainTextResponse("ready\n")


async def status(call: Call) -> Status:
    """Figures of the service."""
    service, core = call.service, call.service.core
    size = await service.read(lambda store: store.size())
    return Status(
        version("tocsin"),
        render_instant(service.began),
        render_instant(call.now),
        len(core.asked.requests),
        core.admission.events,
        core.processed,
        core.number,
        core.duplicates,
        dict(core.refused_counts),
        core.queued,
        service.stream.listeners,
        service.trouble,
        size,
        {
            "waiting": service.deliverer.outbox.waiting,
            "under way": service.deliverer.outbox.in_flight,
            **{result.value: count for result, count in service.deliverer.counts.items()},
        },
        told_of_rules(core),
        dict(core.useless().most_common(20)),
        {each.name: each.failure for each in core.asked.requests.values() if each.failure},
        _followed(service),
    )


def told_of_rules(core: Core) -> dict[str, int]:
    """What the rules have refused, dropped, ignored, suppressed, could not compare, and how much came late to them."""
    late, refused = sum(core.rules.late().values()), core.rules.useless().total()
    told = {name: counter.total() for name, counter in core.notes.counters().items()}
    return {
        name: count for name, count in (told | {"refused": told["refused"] + refused, "late": late}).items() if count
    }


def _followed(service: Service) -> dict[str, str]:
    topics = service.subscriptions
    if topics is None:
        return {}
    return {name: topics.trouble[name] or f"{count} messages" for name, count in topics.counts.items()}


def _shown(record: access_keys.ApiKey, text: str | None = None) -> Key:
    return Key(
        record.id,
        record.name,
        record.role.value,
        list(record.scopes.types),
        list(record.scopes.owners),
        render_instant(record.created),
        None if record.expires is None else render_instant(record.expires),
        None if record.revoked is None else render_instant(record.revoked),
        None if record.rates is None else record.rates.to_json(),
        text,
    )


async def oneself(call: Call) -> Self:
    """Who asks: by it a client knows what it need not try."""
    principal, questioner = call.principal, call.service.questioner
    assert principal is not None  # it is no public endpoint
    if principal.role is not Role.SENSOR and not questioner.is_warm:
        call.service.begin(questioner.warm())  # whoever signs in may soon ask why
    scopes = principal.scopes
    return Self(principal.name, principal.role.value, list(scopes.types), [principal.owner, *scopes.owners])


async def all_keys(call: Call) -> Keys:
    """What is known of all keys."""
    return Keys([_shown(each) for each in call.service.ring.records])


async def new_key(call: Call) -> Key:
    """A new key. Its text is told once, now, and kept nowhere."""
    asked = await call.body(NewKey)
    if asked.role not in tuple(Role):
        raise refused(422, "document-invalid", f"there is no role '{asked.role}'", ", ".join(Role))
    scopes = Scopes(tuple(asked.types) or ("*",), tuple(asked.owners))
    lifetime = call.service.settings.access.key_lifetime
    if asked.days is not None:
        lifetime = round(asked.days * 86_400_000_000)
    expires = None if lifetime is None else call.now + lifetime
    rates = None if asked.rates is None else rates_of(asked.rates, call.service.settings.access.rates)
    issued = access_keys.issue(asked.name, Role(asked.role), call.now, scopes=scopes, expires=expires, rates=rates)
    await call.service.keep_keys([issued.record], "key.create", call.actor)
    return _shown(issued.record, issued.text)


def rates_of(asked: NewRates, otherwise: Rates) -> Rates:
    """The rates of a key: what was asked for, and else those of everybody."""
    return replace(otherwise, **{name: value for name, value in msgspec.structs.asdict(asked).items() if value})


async def rotate_key(call: Call) -> Key:
    """Another key for the same identity; the old one stays good for a while."""
    old = _key(call)
    rotated = access_keys.rotate(old, call.now, call.service.settings.access.key_grace)
    await call.service.keep_keys([rotated.issued.record, rotated.old], "key.rotate", call.actor)
    return _shown(rotated.issued.record, rotated.issued.text)


async def revoke_key(call: Call) -> None:
    """A key opens nothing any more."""
    await call.service.keep_keys([access_keys.revoke(_key(call), call.now)], "key.revoke", call.actor)


async def backup(call: Call) -> Response:
    """A copy of all that is kept, while everything goes on: a file of SQLite."""
    folder = Path(tempfile.mkdtemp(prefix="tocsin-backup-"))
    path = folder / "tocsin.db"
    try:
        await call.service.read_apart(lambda store: store.backup(str(path)))
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    call.service.note_action(call.actor, "service.backup", "store")
    tidy = BackgroundTask(shutil.rmtree, folder, ignore_errors=True)
    return FileResponse(path, media_type="application/vnd.sqlite3", filename="tocsin.db", background=tidy)


def _key(call: Call) -> access_keys.ApiKey:
    found = call.service.ring.named(call.path("id"))
    if found is None:
        raise refused(404, "key-unknown", f"there is no key '{call.path('id')[:60]}'")
    return found


ENDPOINTS: Final[tuple[Endpoint, ...]] = (
    Endpoint("GET", "/healthz", PUBLIC, alive, "Whether the service answers", media="text/plain"),
    Endpoint("GET", "/readyz", PUBLIC, ready, "Whether the service takes events", media="text/plain", errors=(503,)),
    Endpoint("GET", "/v1/status", Action.READ_STATUS, status, "Figures of the service", Status),
    Endpoint("GET", "/v1/self", Action.READ_SELF, oneself, "Whose key this is", Self),
    Endpoint("GET", "/v1/keys", Action.MANAGE_KEYS, all_keys, "List keys", Keys),
    Endpoint(
        "POST", "/v1/keys", Action.MANAGE_KEYS, new_key, "Make a key", Key, NewKey, status=201, change="key.create"
    ),
    Endpoint(
        "POST",
        "/v1/keys/{id}/rotate",
        Action.MANAGE_KEYS,
        rotate_key,
        "Replace a key",
        Key,
        status=201,
        change="key.rotate",
    ),
    Endpoint(
        "POST",
        "/v1/backup",
        Action.BACK_UP,
        backup,
        "A copy of the store",
        media="application/vnd.sqlite3",
        change="service.backup",
    ),
    Endpoint(
        "DELETE", "/v1/keys/{id}", Action.MANAGE_KEYS, revoke_key, "Revoke a key", status=204, change="key.revoke"
    ),
)
