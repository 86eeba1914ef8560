"""What is kept: events, detections, what was refused, who changed what."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import msgspec

from tocsin.errors import UsageError
from tocsin.planner.placement import types_of
from tocsin.rules.options import instant_of
from tocsin.service.access.permissions import Action, allows
from tocsin.service.gem_monitor import owner_of
from tocsin.service.records import Entry, Kind
from tocsin.service.requests import refusal
from tocsin.service.store.contract import Search, Store
from tocsin.service.web.confines import visible
from tocsin.service.web.endpoints import Call, Endpoint, refused
from tocsin.service.web.requests import ONE, request_of
from tocsin.service.web.shapes import Page
from tocsin.time.calendar import render_instant

MOST_LOOKED_INTO: Final = 200
"""Entries of the log that are looked into for one page: then it is given as it is, with the cursor behind them."""
MOST_BYTES: Final = 4 << 20
"""Bytes of them, after which a page is given in the same way."""
_ENTRIES: Final = 4
"""Entries that are read at a time: one may have many megabytes."""
_READ: Final = 500
HEARTBEAT: Final = "heartbeat"
"""Instead of a type: what says only how late it is at its source."""
_CURSOR: Final = re.compile(r"([0-9]{1,18})(?:\.([0-9]{1,9}))?", re.ASCII)
_any: Final = msgspec.json.Decoder(dict[str, Any])


class Asked(msgspec.Struct):
    """What is asked for; `after` is the `next` of the page before. Of a rule come the events that it takes."""

    rule: str = ""
    request: str = ""
    type: str = ""
    source: str = ""
    from_: str = msgspec.field(default="", name="from")
    to: str = ""
    after: str = ""
    limit: int = 100
    newest: bool = False


class Records(msgspec.Struct):
    """Some records, the newest first."""

    items: list[dict[str, Any]]


def _search(call: Call, asked: Asked) -> tuple[Search, int]:
    """What is sought in the store, and how many of the first entry's events were seen."""
    cursor = _CURSOR.fullmatch(asked.after) if asked.after else None
    if asked.after and cursor is None:
        raise refused(422, "query-invalid", f"'after' is no cursor: {asked.after[:40]!r}", "give the 'next' of a page")
    most = call.service.settings.limits.page
    if not 1 <= asked.limit <= most:
        raise refused(422, "query-invalid", f"'limit' is from 1 to {most}")
    after, seen = (int(cursor[1]), int(cursor[2] or 0)) if cursor else (0, 0)
    search = Search(
        after,
        asked.limit,
        asked.rule,
        asked.request,
        asked.type,
        asked.source,
        _time(asked.from_, "from"),
        _time(asked.to, "to"),
        asked.newest,
    )
    return search, seen


def _time(text: str, name: str) -> int | None:
    try:
        return instant_of(text) if text else None
    except UsageError as error:
        raise refused(422, "query-invalid", f"'{name}': {error}") from None


async def detections(call: Call) -> Page:
    """Detections, by rule, request, type and time."""
    search, _ = _search(call, call.query(Asked))
    found = await call.service.read(lambda store: store.found(search))
    more = str(found[-1].number) if len(found) == search.limit else None
    if search.source:
        found = [one for one in found if str(_any.decode(one.body).get("source", "")) == search.source]
    principal, requests = call.principal, call.service.core.asked.requests
    if principal is not None and not principal.sees_all_owners:
        owned = [(one, owner_of(one.request, requests)) for one in found]
        found = [
            one
            for one, owner in owned
            if owner is not None and allows(principal, Action.READ_DETECTIONS, owner=owner) is None
        ]
    return Page([msgspec.Raw(one.body) for one in found], more)


async def detection(call: Call) -> msgspec.Raw:
    """One detection."""
    id = call.path("id")
    one = await call.service.read(lambda store: store.detection(id))
    if one is None:
        raise refusal("detection-unknown", f"there is no detection '{id}'", status=404)
    call.check(Action.READ_DETECTIONS, owner=owner_of(one.request, call.service.core.asked.requests) or "")
    return msgspec.Raw(one.body)


async def events(call: Call) -> Page:
    """Events that are kept, by type, source and time; heartbeats only where `type` is `heartbeat`."""
    search, seen = _search(call, call.query(Asked))
    covers = None if call.principal is None else call.principal.covers_type
    types = _taken(call, search)

    def is_open(name: str) -> bool:
        return (covers is None or covers(name)) and (types is None or name in types)

    return await call.service.read(lambda store: _page(store, search, seen, is_open))


def _page(store: Store, search: Search, seen: int, is_open: Callable[[str], bool]) -> Page:
    """A page of events. It is made in the thread that reads: to look into many keeps nobody's events waiting."""
    items: list[msgspec.Raw] = []
    after, looked, size = search.after, 0, 0
    while looked < MOST_LOOKED_INTO and size < MOST_BYTES:
        entries = store.events(
            Search(
                after=after,
                limit=_ENTRIES,
                type="" if search.type == HEARTBEAT else search.type,
                since=search.since,
                until=search.until,
                backwards=search.backwards,
            )
        )
        for entry in entries:
            here = entry.position + search.backwards  # backwards a cursor is the first position that is not looked into
            cut = _look_into(entry, search, seen if here == search.after else 0, is_open, items)
            if cut is not None:
                return Page(items, f"{here}.{cut}")
            after = entry.position if search.backwards else entry.position + 1
            looked, size = looked + 1, size + len(entry.body)
            if size >= MOST_BYTES:
                return Page(items, str(after))
        if len(entries) < _ENTRIES:
            return Page(items)
    return Page(items, str(after))


def _look_into(
    entry: Entry, search: Search, begin: int, is_open: Callable[[str], bool], items: list[msgspec.Raw]
) -> int | None:
    """Adds the events of an entry that are asked for; the first line that is not looked into, if the page is full."""
    lines = entry.body.split(b"\n")
    if search.backwards:
        lines.reverse()
    for place in range(begin, len(lines)):
        if len(items) == search.limit:
            return place
        record = _any.decode(lines[place])
        if is_open(str(record.get("type", ""))) and _is_wanted(record, search):
            record.setdefault("arrival", render_instant(entry.arrival))
            items.append(msgspec.Raw(msgspec.json.encode(record)))
    return None


def _taken(call: Call, search: Search) -> frozenset[str] | None:
    """The types that a rule, or those of a request, take; None: any."""
    if not (search.rule or search.request):
        return None
    asked = call.service.core.asked
    request = visible(call, search.request or asked.owners.get(search.rule, search.rule))
    return types_of(rule for rule in request.definitions if search.rule in ("", rule.name))


def _is_wanted(record: dict[str, Any], search: Search) -> bool:
    kind = record.get("type")
    if kind is None and record.get("heartbeat") is True:
        kind = HEARTBEAT
        if not search.type:
            return False
    if search.type and kind != search.type:
        return False
    if search.source and str(record.get("source", "")) != search.source:
        return False
    if search.since is None and search.until is None:
        return True
    time = record.get("time")
    if isinstance(time, list) and time:
        time = time[-1]
    try:
        instant = instant_of(str(time))
    except UsageError:
        return True
    return (search.since is None or instant >= search.since) and (search.until is None or instant <= search.until)


async def refused_events(call: Call) -> Records:
    """The last events that were refused, with the reason."""
    some = await call.service.read(lambda store: store.refused(100))
    return Records(
        [
            {
                "at": render_instant(each.at),
                "code": each.code,
                "message": each.message,
                "actor": each.actor,
                "text": each.text,
            }
            for each in some
        ]
    )


async def changes(call: Call) -> Records:
    """What became of a request: each change as the log has it, the newest first."""
    request = request_of(call, Action.READ_CHANGES)

    def found(store: Store) -> list[dict[str, Any]]:
        items, after = list[dict[str, Any]](), 0
        while entries := store.entries(after, _READ, kind=Kind.CHANGE.value):
            after = entries[-1].position
            for entry in entries:
                said = _any.decode(entry.body)
                if said.get("id") == request.id:
                    items.append(_change(entry, said))
        return items[::-1]

    return Records(await call.service.read(found))


def _change(entry: Entry, said: dict[str, Any]) -> dict[str, Any]:
    """A change without what is secret in it."""
    document = {key: value for key, value in said.get("document", {}).items() if key != "callback"}
    told = {"at": render_instant(entry.arrival), "actor": entry.actor, "action": said["action"]}
    told |= {"version": said["version"], "document": document}
    return told | {"reason": said["reason"]} if "reason" in said else told


async def audit(call: Call) -> Records:
    """Who changed what, the newest first."""
    some = await call.service.read(lambda store: store.audit(200))
    return Records(
        [
            {
                "at": render_instant(each.at),
                "actor": each.actor,
                "action": each.action,
                "subject": each.subject,
                "outcome": each.outcome,
                "details": each.details,
                "credential": each.credential,
                "address": each.address,
            }
            for each in some
        ]
    )


ENDPOINTS: Final = (
    Endpoint(
        "GET", "/v1/events", Action.READ_EVENTS, events, "Read events that are kept", Page, query=Asked, errors=(404,)
    ),
    Endpoint("GET", "/v1/detections", Action.READ_DETECTIONS, detections, "Read detections", Page, query=Asked),
    Endpoint("GET", "/v1/detections/{id}", Action.READ_DETECTIONS, detection, "Read one detection", dict[str, Any]),
    Endpoint("GET", f"{ONE}/changes", Action.READ_CHANGES, changes, "List changes of a request", Records),
    Endpoint("GET", "/v1/refused", Action.READ_STATUS, refused_events, "List refused events", Records),
    Endpoint("GET", "/v1/audit", Action.READ_AUDIT, audit, "List changes", Records),
)
