"""Events as plain JSON values, and back: what snapshots and the orders of arrival keep of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tocsin.events import Event, Moment
from tocsin.time.periods import Period
from tocsin.time.stamps import GlobalStamp

MOST = 1 << 63
"""Greater whole numbers are written as text: not every encoding has them."""


def event_record(event: Event, parts: list[Any]) -> dict[str, Any]:
    """An event; `parts` stand for the events it is made of."""
    record = {
        "type": event.type,
        "end": event.end,
        "start": event.start,
        "id": event.id,
        "source": event.source,
        "data": plain(event.data),
        "arrival": event.arrival,
        "events": parts,
        "maker": event.maker,
        "number": event.number,
    }
    if (stamp := event.stamp) is not None:
        record["stamp"] = [stamp.base, stamp.interval, stamp.offset, stamp.exact]
    if event.is_composite:
        record["composite"] = True
    return record


def recorded_event(record: Mapping[str, Any], parts: tuple[Event, ...]) -> Event:
    """The event of a record, made of `parts`."""
    fields = {name: record[name] for name in ("type", "end", "start", "id", "source", "arrival", "maker", "number")}
    is_composite = record.get("composite", False)
    made = Event(**fields, data=valued(record["data"]), events=parts, is_composite=is_composite)
    if "stamp" not in record:
        return made
    base, interval, *sites = record["stamp"]
    offset, exact = [tuple((site, value) for site, value in each) for each in sites]
    return replace(made, stamp=GlobalStamp(base, interval, offset, exact))


def whole_record(event: Event) -> dict[str, Any]:
    """An event with all it is made of."""
    return event_record(event, [whole_record(part) for part in event.events])


def whole_event(record: Mapping[str, Any]) -> Event:
    """What `whole_record` wrote."""
    return recorded_event(record, tuple(whole_event(part) for part in record["events"]))


def plain(value: object) -> Any:
    """A value as JSON has it; what JSON has not is an object with one field that begins with `$`."""
    match value:
        case Moment(microseconds=instant):
            return {"$moment": instant}
        case Period(years=years, months=months, microseconds=rest):
            return {"$period": [years, months, rest]}
        case Mapping():
            inner = {str(key): plain(item) for key, item in value.items()}
            return {"$object": inner} if any(key.startswith("$") for key in inner) else inner
        case list() | tuple():
            return [plain(item) for item in value]
        case int() if not -MOST <= value < MOST:
            return {"$integer": str(value)}
    return value


def valued(saved: Any) -> Any:
    """What `plain` wrote."""
    if isinstance(saved, list):
        return [valued(item) for item in saved]
    if not isinstance(saved, dict):
        return saved
    if len(saved) == 1:
        ((name, inner),) = saved.items()
        if name == "$integer":
            return int(inner)
        if name == "$moment":
            return Moment(inner)
        if name == "$period":
            return Period(*inner)
        if name == "$object":
            return {key: valued(item) for key, item in inner.items()}
    return {key: valued(item) for key, item in saved.items()}
