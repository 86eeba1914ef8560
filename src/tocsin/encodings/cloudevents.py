"""CloudEvents 1.0: in JSON (structured mode), or with the attributes in the headers (binary mode).

What is read may be in either mode: headers that name a `specversion` tell. What a record has and CloudEvents has not
(`start`, `rule`, `detected`, `events` ...) goes into extension attributes, whose values are plain texts: a list is one
of JSON. Only `version` and `suppressed` are numbers, which are texts in a header.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final
from urllib.parse import quote, unquote

from tocsin.encodings.json_ import text_of
from tocsin.encodings.message import Message, key_of
from tocsin.errors import UsageError
from tocsin.formats.instants import TimeStyle, to_instant
from tocsin.formats.jsonl import parse_object
from tocsin.formats.refused import Refused, shown
from tocsin.formats.writers import to_json

NAME: Final = "cloudevents"
OPTIONS: Final[Mapping[str, str]] = {
    "mode": "how they are written: structured (the default) or binary",
    "as": "the source of what has none, which CloudEvents must have: tocsin",
}
MODES: Final = ("structured", "binary")
VERSION: Final = "1.0"
CONTENT_TYPE: Final = "application/cloudevents+json"
BATCH: Final = "application/cloudevents-batch+json"
_PREFIXES: Final = ("ce_", "ce-", "")
_TIMES: Final = ("time", "start", "detected", "arrival")
_JSON: Final = ("events", "stamp", "tags")
"""What is no plain value: as an extension attribute it is a text of JSON."""
_NUMBERS: Final = ("version", "suppressed")
"""The version of the rules that made a detection, and how many were not told before it."""
_PLAIN: Final = ("id", "type", "source", "rule", "notification", "severity")
_SAFE: Final = "".join(chr(code) for code in range(0x21, 0x7F) if chr(code) not in '"%') + " "
"""What stands in a header as it is: the bindings have spaces, quotes, % and all that is not ASCII in escapes."""


class CloudEvents:
    """The codec. Every record is written in one mode; both are read."""

    def __init__(self, mode: str, unnamed: str, prefix: str | None) -> None:
        self._is_binary, self._unnamed, self._prefix = mode == "binary", unnamed, prefix
        self.CONTENT_TYPE = CONTENT_TYPE

    # -- reading ---------------------------------------------------------------------------------------------------

    def decode(self, message: Message) -> dict[str, object]:
        """A record: whichever mode it is in."""
        headers = {name.lower(): value for name, value in message.headers.items()}
        for prefix in _PREFIXES:
            if f"{prefix}specversion" in headers:
                return _checked(_of_headers(headers, prefix, message.body))
        given = parse_object(text_of(message.body), "a CloudEvent")
        if "data_base64" in given:
            raise Refused("its data are bytes (data_base64)", expected="data as a JSON object")
        return _checked(given)

    # -- writing ---------------------------------------------------------------------------------------------------

    def encode(self, record: Mapping[str, object]) -> Message:
        """A message in the mode that was asked for."""
        attributes = self.attributes(record)
        key = key_of(record)
        if not self._is_binary:
            return Message(to_json(structured(attributes, record)).encode(), {"content-type": CONTENT_TYPE}, key)
        prefix = self._prefix or ""
        headers = {prefix + name: quote(str(value), safe=_SAFE) for name, value in attributes.items()}
        body = to_json(record.get("data") or {}).encode()
        return Message(body, headers | {"content-type": "application/json"}, key)

    def attributes(self, record: Mapping[str, object]) -> dict[str, str | int]:
        """The context attributes of a record: texts, and a number."""
        made: dict[str, str | int] = {"specversion": VERSION}
        for name in _PLAIN:
            if record.get(name) not in (None, ""):
                made[name] = str(record[name])
        made.setdefault("source", self._unnamed)
        times = dict(record)
        if isinstance(times.get("time"), list | tuple):
            times["start"], times["time"] = times["time"]  # type: ignore[misc] # a pair: it was read as one
        for name in _TIMES:
            if times.get(name) is not None:
                made[name] = TimeStyle(False).text(to_instant(times[name], name))
        for name in _JSON:
            if record.get(name):
                made[name] = to_json(record[name])
        for name in _NUMBERS:
            value = record.get(name)
            if isinstance(value, int):
                made[name] = value
        return made


def structured(attributes: Mapping[str, str | int], record: Mapping[str, object]) -> dict[str, object]:
    """The JSON form of an event."""
    return {**attributes, "datacontenttype": "application/json", "data": record.get("data") or {}}


def codec(options: Mapping[str, str], prefix: str | None) -> CloudEvents:
    """As asked for; binary mode needs headers."""
    mode = options.get("mode", "structured")
    if mode not in MODES:
        raise UsageError(f"mode is {mode!r}: structured or binary")
    if mode == "binary" and prefix is None:
        raise UsageError("this transport has no headers, which CloudEvents in binary mode need: mode=structured")
    return CloudEvents(mode, options.get("as", "tocsin"), prefix)


def _of_headers(headers: Mapping[str, str], prefix: str, body: bytes) -> dict[str, object]:
    kind = headers.get("content-type", "application/json").partition(";")[0].strip()
    if kind != "application/json" and not kind.endswith("+json"):
        raise Refused(f"its data are {shown(kind)}", expected="application/json")
    names = {name: value for name, value in headers.items() if name.startswith(prefix)}
    record: dict[str, object] = {name.removeprefix(prefix): unquote(value) for name, value in names.items()}
    if body:
        record["data"] = json.loads(to_json(parse_object(text_of(body), "the data")))
    return record


def _checked(given: dict[str, object]) -> dict[str, object]:
    """The record of a CloudEvent: what is ours is given back its form, what is of others is left out."""
    version = given.get("specversion")
    if version is None:
        raise Refused("it has no specversion", expected=f"a CloudEvent, specversion {VERSION}")
    if version != VERSION:
        raise Refused(f"specversion is {shown(version)}", expected=VERSION)
    names = (*_PLAIN, *_TIMES, *_JSON, *_NUMBERS, "data")
    record = {name: given[name] for name in names if given.get(name) is not None}
    for name in _JSON:
        if isinstance(record.get(name), str):
            try:
                record[name] = json.loads(str(record[name]))
            except ValueError:
                del record[name]  # someone else's attribute of that name
    for name in _NUMBERS:
        if name in record:
            try:
                record[name] = int(str(record[name]))
            except ValueError:
                del record[name]  # someone else's, too
    for name in _TIMES:
        if name in record and not isinstance(record[name], str):
            raise Refused(f"{name} is {shown(record[name])}", expected="RFC 3339 text")
    return record
