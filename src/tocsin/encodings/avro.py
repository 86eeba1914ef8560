"""Avro: one schema for events and detections, or a person's own.

Messages are *single-object encoded* (Avro 1.8 and later): two bytes, the fingerprint of the schema, the datum. `plain`
framing has the datum alone; `confluent` five bytes before it, which name a schema of a registry, and are read over.
With a schema of one's own, its fields are those of an event, and all others attributes.

Tocsin's own schema once had no `version`, and later nothing that a rule says about itself. What was written then, or by
others after it, is read as well.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Any, Final, cast

from tocsin.encodings.message import Message, key_of
from tocsin.errors import MissingDependency, UsageError, choices
from tocsin.formats.instants import Instant, to_instant
from tocsin.formats.refused import Refused
from tocsin.formats.values import plain_data
from tocsin.formats.writers import to_json

NAME: Final = "avro"
OPTIONS: Final[Mapping[str, str]] = {
    "framing": "what stands before the datum: single (the default), plain or confluent",
    "avro_schema": "a file (*.avsc) with the schema of what is read, if it is not Tocsin's own",
}
FRAMINGS: Final = ("single", "plain", "confluent")
_MARKER: Final = b"\xc3\x01"
_CONFLUENT: Final = 5
_TIME: Final = {"type": "long", "logicalType": "timestamp-micros"}
_TIMES: Final = ("time", "start", "arrival", "detected")
_LONG: Final = 2**63


def _maybe(name: str, kind: object) -> dict[str, object]:
    return {"name": name, "type": ["null", kind], "default": None}


_NESTED: Final = {
    "type": "record",
    "name": "Nested",
    "doc": "A list or an object, or a number of more than 64 bits, as a text of JSON.",
    "fields": [{"name": "json", "type": "string"}],
}
EARLIER: Final[dict[str, object]] = {
    "type": "record",
    "namespace": "tocsin",
    "name": "Event",
    "doc": "An event, or a detection, which is the next site's event.",
    "fields": [
        {"name": "id", "type": "string", "default": ""},
        {"name": "type", "type": "string"},
        {"name": "source", "type": "string", "default": ""},
        {"name": "time", "type": _TIME},
        _maybe("start", _TIME),
        _maybe("arrival", _TIME),
        {
            "name": "data",
            "type": {"type": "map", "values": ["null", "boolean", "long", "double", "string", _NESTED]},
            "default": {},
        },
        _maybe("rule", "string"),
        _maybe("detected", _TIME),
        {"name": "events", "type": {"type": "array", "items": "string"}, "default": []},
        _maybe("notification", "string"),
        _maybe("stamp", "string"),
    ],
}
"""The schema before detections told their version."""
VERSIONED: Final[dict[str, object]] = {
    **EARLIER,
    "fields": [*cast(list[object], EARLIER["fields"]), _maybe("version", "int")],
}
"""The schema before detections told what their rule says. `version` is of the rules that made a detection."""
SCHEMA: Final[dict[str, object]] = {
    **VERSIONED,
    "fields": [
        *cast(list[object], VERSIONED["fields"]),
        _maybe("severity", "string"),
        {"name": "tags", "type": {"type": "array", "items": "string"}, "default": []},
        _maybe("suppressed", "int"),
    ],
}
"""The schema of messages that Tocsin writes."""
_FIELDS: Final = frozenset(("id", "type", "source", "time", "start", "arrival", "data", "rule", "detected", "events",
                            "notification", "stamp"))  # fmt: skip
"""What is no attribute in anyone's schema. A `version` is: of what an event is about, and not of rules of ours."""
_OURS: Final = _FIELDS | {"version", "severity", "tags", "suppressed"}


class Avro:
    """The codec: schemas, made ready. The first is written, all are read."""

    CONTENT_TYPE = "application/avro"

    def __init__(self, schemas: Sequence[object], framing: str, is_own: bool) -> None:
        try:
            import fastavro
            from fastavro.schema import fingerprint, to_parsing_canonical_form
        except ImportError:
            raise MissingDependency("fastavro", "brokers") from None
        self._avro: Any = fastavro
        try:
            self._schemas = [fastavro.parse_schema(schema) for schema in schemas]
        except Exception as error:  # noqa: BLE001 - the library raises many kinds
            raise UsageError(f"the Avro schema cannot be used: {error}") from None
        marks = [fingerprint(to_parsing_canonical_form(schema), "CRC-64-AVRO") for schema in schemas]
        self._framing, self._is_own = framing, is_own
        # The fingerprint stands there as a little-endian number; the library writes it as that number's bytes.
        heads = {"plain": b"", "confluent": bytes(_CONFLUENT)}
        self._heads = [heads.get(framing, _MARKER + bytes.fromhex(mark)) for mark in marks]

    def decode(self, message: Message) -> dict[str, object]:
        """A record, if the message is framed as was said, and of a schema that is read."""
        body = message.body
        if self._framing == "confluent" and (len(body) < _CONFLUENT or body[0]):
            raise Refused("it does not begin with a zero byte and the number of a schema")
        forms = zip(self._heads, self._schemas, strict=True)
        schemas = [schema for head, schema in forms if self._framing != "single" or body.startswith(head)]
        if not schemas:
            raise Refused(
                "it is not of the schema" if body.startswith(_MARKER) else "it is no single-object encoding",
                expected="Avro, single-object encoded, with the schema's fingerprint",
            )
        reasons = []
        for schema in schemas:
            try:
                return self._read(body, schema)
            except Refused as refused:
                reasons.append(refused)
        raise reasons[0]

    def _read(self, body: bytes, schema: object) -> dict[str, object]:
        """The record that a body is. Nothing is left of it: where no fingerprint tells the schema, that does."""
        stream = BytesIO(body)
        stream.seek(len(self._heads[0]))
        try:
            datum = self._avro.schemaless_reader(stream, schema, None)
        except Exception as error:  # noqa: BLE001 - of a damaged datum the library may raise anything
            raise Refused(f"the datum cannot be read: {type(error).__name__}: {error}".rstrip(": ")) from None
        if stream.tell() != len(body):
            raise Refused(f"{len(body) - stream.tell()} bytes are left after the datum")
        if not isinstance(datum, dict):
            raise Refused("the schema is of no record")
        return _record(datum) if self._is_own else _record_of_others(datum)

    def encode(self, record: Mapping[str, object]) -> Message:
        """The record in Tocsin's schema."""
        if not self._is_own:
            raise UsageError("detections are written with Tocsin's own Avro schema: leave avro_schema out")
        stream = BytesIO(self._heads[0])
        stream.seek(len(self._heads[0]))
        self._avro.schemaless_writer(stream, self._schemas[0], _datum(record))
        return Message(stream.getvalue(), {"content-type": self.CONTENT_TYPE}, key_of(record))


def codec(options: Mapping[str, str], prefix: str | None) -> Avro:
    """As asked for."""
    framing = options.get("framing", "single")
    if framing not in FRAMINGS:
        raise UsageError(f"framing is {framing!r}: {choices(FRAMINGS)}")
    path = options.get("avro_schema")
    if path is None:
        return Avro((SCHEMA, VERSIONED, EARLIER), framing, True)
    try:
        with open(path, encoding="utf-8") as file:
            return Avro((json.load(file),), framing, False)
    except (OSError, ValueError) as error:
        raise UsageError(f"the Avro schema {path} cannot be read: {error}") from None


# -- records ----------------------------------------------------------------------------------------------------


def _datum(record: Mapping[str, object]) -> dict[str, object]:
    datum: dict[str, object] = {name: value for name, value in record.items() if name in _OURS}
    if isinstance(datum.get("time"), list | tuple):
        datum["start"], datum["time"] = datum["time"]  # type: ignore[misc] # a pair: it was read as one
    for name in _TIMES:
        if datum.get(name) is not None:
            datum[name] = to_instant(datum[name], name)
    data = datum.get("data") or {}
    assert isinstance(data, Mapping)
    datum["data"] = {name: _value(value) for name, value in data.items()}
    if datum.get("stamp") is not None:
        datum["stamp"] = to_json(datum["stamp"])
    return datum


def _value(value: object) -> object:
    """A value as one of the union's: told apart by its kind, for a whole number would pass for a fraction."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int) and -_LONG <= value < _LONG:
        return ("long", value)
    if isinstance(value, float):
        return ("double", value)
    return ("tocsin.Nested", {"json": to_json(value)})


_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def _instant(value: object) -> object:
    """A timestamp of the library's as an instant."""
    return Instant((value - _EPOCH) // timedelta(microseconds=1)) if isinstance(value, datetime) else value


def _record(datum: dict[str, Any]) -> dict[str, object]:
    record = {name: value for name, value in datum.items() if value not in (None, "", [])}
    for name in _TIMES:
        if name in record:
            record[name] = _instant(record[name])
    record["data"] = {name: _plain(value) for name, value in datum["data"].items()}
    if "stamp" in record:
        record["stamp"] = json.loads(str(record["stamp"]))
    return record


def _plain(value: object) -> object:
    return json.loads(value["json"]) if isinstance(value, dict) else value


def _record_of_others(datum: dict[str, Any]) -> dict[str, object]:
    """What someone else's schema has: the fields of an event by their names, all others as attributes."""
    known = {name: value for name, value in datum.items() if name in _FIELDS and value is not None}
    others = {name: value for name, value in datum.items() if name not in _FIELDS and value is not None}
    data = known.get("data")
    inside = data if isinstance(data, dict) else {} if data is None else {"data": data}
    record: dict[str, object] = {name: _instant(value) for name, value in known.items() if name != "data"}
    record["data"] = plain_data({**others, **inside})
    return record
