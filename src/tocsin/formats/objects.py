"""Python objects as events: dictionaries, events, heartbeats and detections, in order of arrival."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from tocsin.events import Arrival, Detection, Event, Heartbeat
from tocsin.formats.fields import beside
from tocsin.formats.instants import Instant
from tocsin.formats.intake import Intake
from tocsin.formats.refused import Refused, shown
from tocsin.formats.values import absent, plain_data, unwrapped


def admit_objects(items: Iterable[object], intake: Intake) -> Iterator[Arrival]:
    """The events that the items are; they are numbered from 1."""
    for number, item in enumerate(items, start=1):
        try:
            yield admit_object(item, number, intake)
        except Refused as refused:
            intake.refuse(number, shown(item, 1000), refused)


def admit_object(item: object, number: int, intake: Intake) -> Arrival:
    """The event that an object of Python is."""
    if isinstance(item, Event):
        return intake.admit_made(item, number)
    if isinstance(item, Heartbeat):
        return intake.admit_heartbeat(item)
    if isinstance(item, Detection):
        return intake.admit(_record_of_detection(item), number)
    if isinstance(item, Mapping):
        return intake.admit(record_of(intake.fields.record(item)), number)
    raise Refused(f"{shown(item)} is no event", expected="a dict, an Event, a Heartbeat or a Detection")


def record_of(item: Mapping[str, object]) -> dict[str, object]:
    """A dictionary with plain values; what holds nothing is left out."""
    record = {name: value for name in item if not absent(value := unwrapped(item[name]))}
    data = record.get("data")
    if isinstance(data, Mapping):
        record["data"] = plain_data(data)
    names = beside(record)
    return record | plain_data({name: record[name] for name in names}) if names else record


def _record_of_detection(detection: Detection) -> dict[str, object]:
    """A detection as the event it is for the rules that come after."""
    return {
        "id": detection.id,
        "type": detection.type,
        "source": detection.source,
        "start": Instant(detection.start_us),
        "time": Instant(detection.time_us),
        "data": plain_data(detection.data),
    }
