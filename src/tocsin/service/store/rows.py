"""Records as rows of tables, and rows as records: the same for SQLite and PostgreSQL.

Columns stand in the order of the fields here. Texts that come from anybody are made `storable`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from tocsin.service.records import AuditRecord, Entry, Kind, RefusedEvent, StoredDetection, Writes

Row = tuple[Any, ...]

LOG: Final = ("position", "kind", "arrival", "actor", "count", "first", "low", "high", "types", "body")
FOUND: Final = ("number", "id", "rule", "request", "type", "time", "detected", "position", "body")
DELIVERIES: Final = ("number", "request", "target", "state", "record")
KEYS: Final = ("id", "record")
REFUSED: Final = ("at", "code", "message", "source", "actor", "text")
AUDIT: Final = ("at", "actor", "action", "subject", "outcome", "details")
STATE: Final = ("serial", "position", "arrival", "events", "number", "processed")
STRETCHES: Final = ("of", "stretch", "low", "high")

STRETCH: Final = 1024
"""Positions (or numbers) of which the least and the greatest time are kept: searches by time begin and end there."""


def storable(text: str) -> str:
    """A text that every database takes: one has no NUL, neither has half surrogates."""
    if not text.isascii():
        text = text.encode("utf-8", "replace").decode()
    return text.replace("\0", "\u2400") if "\0" in text else text


def entry_row(entry: Entry) -> Row:
    """An entry of the log. Its types are a JSON list, so that each can be found in it with its quotes."""
    types = json.dumps(entry.types) if entry.types else ""
    times = (entry.count, entry.first, entry.low, entry.high)
    return (entry.position, entry.kind.value, entry.arrival, storable(entry.actor), *times, types, entry.body)


def entry_of(row: Sequence[Any]) -> Entry:
    """The entry that a row of the log is."""
    position, kind, arrival, actor, count, first, low, high, types, body = row
    told = tuple(json.loads(types)) if types else ()
    return Entry(position, Kind(kind), arrival, body, actor, count, first, low, high, told)


def found_row(one: StoredDetection) -> Row:
    """A detection."""
    names = (storable(one.id), storable(one.rule), storable(one.request), storable(one.type))
    return (one.number, *names, one.time, one.detected, one.position, one.body)


def delivery_rows(records: Iterable[Mapping[str, Any]]) -> list[Row]:
    """Deliveries as they stand last: one may have changed twice."""
    rows = {
        (each["number"], each["request"], each["target"]): (storable(each["state"]), json.dumps(each))
        for each in records
    }
    return [(number, storable(request), target, *rest) for (number, request, target), rest in rows.items()]


def key_rows(records: Iterable[Mapping[str, Any]]) -> list[Row]:
    """Keys as they stand last."""
    return list({key["id"]: (storable(key["id"]), json.dumps(key)) for key in records}.values())


def refused_row(one: RefusedEvent) -> Row:
    """An event that was refused."""
    return (one.at, *map(storable, (one.code, one.message, one.source, one.actor, one.text)))


def audit_row(one: AuditRecord) -> Row:
    """Who changed what."""
    return (one.at, *map(storable, (one.actor, one.action, one.subject, one.outcome, one.details)))


def reached(writes: Writes) -> Row:
    """How far everything has got with these writes, as `STATE` names it; 0 where they say nothing of it."""
    newest = writes.entries[-1] if writes.entries else None
    return (
        writes.serial,
        newest.position if newest else 0,
        newest.arrival if newest else 0,
        max((each.first + each.count - 1 for each in writes.entries), default=0),
        writes.found[-1].number if writes.found else 0,
        writes.processed or 0,
    )


def stretch_rows(entries: Iterable[Entry], found: Iterable[StoredDetection]) -> list[Row]:
    """The least and the greatest time in each stretch of the log and of the detections."""
    times: dict[tuple[str, int], tuple[int, int]] = {}
    for entry in entries:
        if entry.kind is Kind.EVENTS:
            _widen(times, ("log", entry.position // STRETCH), entry.low, entry.high)
    for one in found:
        _widen(times, ("found", one.number // STRETCH), one.time, one.time)
    return [(*key, *each) for key, each in times.items()]


def _widen(times: dict[tuple[str, int], tuple[int, int]], key: tuple[str, int], low: int, high: int) -> None:
    before = times.get(key)
    times[key] = (low, high) if before is None else (min(before[0], low), max(before[1], high))
