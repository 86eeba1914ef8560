"""Which fields of a record are the event's own, what they are called in an input, and which are its attributes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from tocsin.errors import UsageError, nearest

FIELDS: Final = ("id", "type", "source", "time", "arrival", "start")
"""What an event has besides its attributes."""
NAMED: Final = (*FIELDS, "data")
"""What `--columns` can name."""
KNOWN: Final = frozenset(
    (
        *NAMED,
        "heartbeat",
        *("events", "rule", "detected", "notification", "stamp", "version", "severity", "tags"),
    )
)
"""What is no attribute where it stands beside the others: the event's own, and what a detection fed back has."""
ENVELOPE: Final = frozenset(("specversion", "datacontenttype", "dataschema", "data_base64"))
"""What a CloudEvent says about how it is written; its other attributes are the event's."""
JOINT: Final = "+"
"""`time=Date+Time`: the columns' texts with a blank between."""


class Fields:
    """What the fields of an event are called in one input. Without a name, each is called as it is here."""

    def __init__(self, columns: Mapping[str, str] = MappingProxyType({})) -> None:
        for field in columns:
            if field not in NAMED:
                near = nearest(field, NAMED)
                raise UsageError(f"--columns names {field!r}: an event has {', '.join(NAMED)}; {near}".rstrip("; "))
        self.columns = dict(columns)

    def record(self, given: Mapping[str, object]) -> Mapping[str, object]:
        """A record by the names that fields have here; one whose place another column takes is an attribute."""
        if not self.columns:
            return given
        taken: dict[str, object] = {}
        used: set[str] = set()
        for field, name in self.columns.items():
            value, keys = found(given, name)
            used.update(keys)
            if value is not None:
                taken[field] = text_of(value) if field == "type" else value
        kept = {key: value for key, value in given.items() if key not in used and key not in self.columns}
        displaced = {key: value for key, value in given.items() if key in self.columns and key not in used}
        if displaced:
            data = taken.get("data", kept.get("data")) or {}
            taken["data"] = displaced | dict(data) if isinstance(data, Mapping) else data
        return kept | taken

    def renamed(self, names: Sequence[str]) -> dict[str, tuple[int, ...]]:
        """The places of the columns that were named for a field, in a table with columns of these names."""
        places: dict[str, tuple[int, ...]] = {}
        for field, name in self.columns.items():
            parts = [name] if name in names else name.split(JOINT)
            missing = next((part for part in parts if part not in names), None)
            if missing is not None:
                known = f"the columns are {', '.join(names)}; {nearest(missing, names)}".rstrip("; ")
                raise UsageError(f"there is no column {missing!r} for the {field} of an event; {known}")
            places[field] = tuple(names.index(part) for part in parts)
        return places


PLAIN: Final = Fields()


def columns_of(text: str | Iterable[str] | None) -> dict[str, str]:
    """`time=event_time,type=kind` as a mapping."""
    texts = [text] if isinstance(text, str) else list(text or ())
    named: dict[str, str] = {}
    for part in (part for each in texts for part in each.split(",")):
        field, is_there, name = (word.strip() for word in part.partition("="))
        if is_there and field and name:
            named[field] = name
        elif part.strip():
            raise UsageError(f"--columns {part.strip()!r}: say which column is which field, as in time=event_time")
    return named


def found(record: Mapping[str, object], name: str) -> tuple[object, tuple[str, ...]]:
    """The value that a name stands for, and the keys it takes: a key, several, or a way down (`event.created`)."""
    if name in record:
        return record[name], (name,)
    parts = name.split(JOINT)
    if len(parts) > 1:
        values = [found(record, part)[0] for part in parts]
        return (None if None in values else " ".join(text_of(value) for value in values)), tuple(parts)
    value: object = record
    for part in name.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value, ()


def text_of(value: object) -> str:
    """A value as the text it was written as, where it is a text or a number."""
    return value if isinstance(value, str) else str(value)


def beside(record: Mapping[str, object]) -> list[str]:
    """The names of the attributes that stand beside the fields of a record."""
    names = [name for name in record if name not in KNOWN]
    return [name for name in names if name not in ENVELOPE] if names and "specversion" in record else names
