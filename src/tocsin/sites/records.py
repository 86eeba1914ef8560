"""What travels between sites, as plain JSON values: events, and the outputs of parts.

A primitive event is written `[type, source, id, end, start, number, data]`, where `number` is its place among the
events of its own source: that decides between equal instants (SEMANTICS section 7, "One instant"). A composite has
its primitives behind that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields as dataclass_fields
from dataclasses import replace
from typing import Any, Final, NamedTuple, TypeAlias

from tocsin.algebra.event_records import plain, valued
from tocsin.events import SELF, Detection, Event

Identity: TypeAlias = tuple[str, str]
"""What an event is known by everywhere: its source, and its id there."""
Place: TypeAlias = tuple[int, int, str, int]
"""001's total order over primitive events: end, start, source, the source's own number."""

BEFORE, WITH = 0, 1
"""Of what a rule makes at an instant: what a timer makes comes before the events of that time, the rest with them."""


class Output(NamedTuple):
    """What a part passes on at an instant: events, which may be older than it."""

    at: int
    phase: int
    events: tuple[Event, ...]


def identity_of(event: Event) -> Identity:
    """What an event is known by."""
    return event.source, event.id


def place_of(event: Event) -> Place:
    """Where a primitive event stands in the total order."""
    return event.end, event.start, event.source, event.number


def event_record(event: Event) -> list[Any]:
    """An event as it travels."""
    record: list[Any] = [event.type, event.source, event.id, event.end, event.start, event.number, plain(event.data)]
    if event.is_composite:
        record.append([event_record(each) for each in event.events])
    return record


def event_of(
    record: list[Any], same: Callable[[Event], Event], constituent: Callable[[Event], Event] | None = None
) -> Event:
    """What `event_record` wrote. `same` gives the one object that stands for a primitive event here.

    `constituent` does so for what composites are made of.
    """
    kind, source, identity, end, start, number, data, *made_of = record
    made = Event(kind, end, start, identity, source, valued(data), end, number=number)
    if not made_of:
        return same(made)
    events = tuple(event_of(each, constituent or same) for each in made_of[0])
    return replace(made, events=events, maker=kind, is_composite=True)


def composite(found: Detection, as_born: Callable[[Event], Event]) -> Event:
    """A detection as the event that other rules take by its rule's name.

    `as_born` gives its primitives with their own numbers: a runtime has numbers of its own. Under the 2g model rules
    that feed others stay with them, so there is no stamp to travel.
    """
    events = tuple(as_born(each) for each in found.made_of)
    start, end, at = found.start_us, found.time_us, found.detected_us
    return Event(found.rule, end, start, found.id, SELF, found.data, at, events, found.rule, is_composite=True)


def detection_record(one: Detection) -> dict[str, Any]:
    """A detection as it travels to who is told of it. `first`: when the first of its events ended."""
    record = {name: getattr(one, name) for name in _TOLD}
    first = min((event.end for event in one.made_of), default=one.start_us)
    return record | {"data": plain(one.data), "stamp": plain(one.stamp), "first": first, "made_of": _walked(one)}


def _walked(one: Detection) -> list[list[Any]]:
    """The primitive events of a detection without their data: where it comes from."""
    return [[event.type, event.source, event.id, event.end, event.number] for event in one.made_of]


def detection_of(record: Mapping[str, Any]) -> Detection:
    """What `detection_record` wrote."""
    fields = {name: record[name] for name in _TOLD}
    made_of = tuple(Event(kind, end, end, name, source, number=n) for kind, source, name, end, n in record["made_of"])
    fields |= {"events": tuple(record["events"]), "tags": tuple(record["tags"]), "data": valued(record["data"])}
    return Detection(**fields, stamp=valued(record["stamp"]), made_of=made_of)


_TOLD: Final = tuple(each.name for each in dataclass_fields(Detection) if each.name not in ("made_of", "stamp"))
