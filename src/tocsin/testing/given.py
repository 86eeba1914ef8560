"""The events of a case, however they are written: as records, as rows, as short lines, or in a file beside it.

12.5 temp s1 t=31.0                          TIME TYPE [SOURCE] [NAME=VALUE ...]
hot: 12.5 @14 temp s1 t=31.0 room="FE 02"    with an id, and with the time of arrival
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from itertools import takewhile
from pathlib import Path as FilePath
from typing import Final, NamedTuple

from tocsin.errors import Span
from tocsin.events import Arrival
from tocsin.formats import FORMATS, TimeStyle, read_events
from tocsin.formats.intake import Conform, Intake
from tocsin.formats.refused import Refused, shown
from tocsin.testing.marked import Path, Wrong, scalar

SHORT: Final = "TIME TYPE [SOURCE] [NAME=VALUE ...], as in '12.5 temp s1 t=31.0'"
LONG: Final = f"a mapping with type and time, [id, type, time, {{data}}, {{source, arrival}}], or {SHORT}"
ROW: Final = ("id", "type", "time", "data")
_TOKEN: Final = re.compile(r"""(?P<name>[^\s="\[]+)=(?P<value>"(?:[^"\\]|\\.)*"|\S*)|\[[^\]]*\]|\S+""")
_TIME: Final = re.compile(r"[-+.]?\d.*|\[.*\]")


class Record(NamedTuple):
    """An event as it was written, and where."""

    fields: Mapping[str, object]
    path: Path
    span: Span | None = None


def arrivals_of(given: object, folder: FilePath, style: TimeStyle, conform: Conform | None) -> list[Arrival]:
    """The events in order of arrival; `folder` is where files are looked for."""
    if isinstance(given, str) and is_file_name(given):
        path = folder / given
        if not path.is_file():
            raise Wrong((), f"there is no file '{given}' beside this one")
        return list(read_events(path, style=style, conform=conform))
    intake = Intake("<given>", style=style, conform=conform)
    found: list[Arrival] = []
    for number, record in enumerate(records_of(given), start=1):
        try:
            found.append(intake.admit(record.fields, number))
        except Refused as refused:
            raise Wrong(record.path, refused.reason, refused.expected, refused.hint, record.span) from None
    return found


def is_file_name(text: str) -> bool:
    """Whether this is the name of a file of events, not an event."""
    extensions = [each for one in FORMATS.values() for each in one.EXTENSIONS]
    return "\n" not in text and FilePath(text).suffix.lower() in extensions and not _TIME.fullmatch(text.split()[0])


def records_of(given: object) -> Iterator[Record]:
    """The events as records, one after the other."""
    if given is None:
        return
    if isinstance(given, str):
        yield from _lines(given)
        return
    if not isinstance(given, list | tuple):
        raise Wrong((), "'given' is a list of events", LONG)
    for number, item in enumerate(given):
        path = (number,)
        if isinstance(item, str):
            yield Record(short_record(item, path, 0), path, Span(0, len(item)))
        elif isinstance(item, Mapping):
            yield _mapping(item, path)
        elif isinstance(item, list | tuple):
            yield Record(_row(list(item), path), path)
        else:
            raise Wrong(path, f"{shown(item)} is no event", LONG)


def _lines(text: str) -> Iterator[Record]:
    """The events of a text, one a line; what stands behind `#` is for people."""
    begin = 0
    for line in text.split("\n"):
        if line.strip() and not line.lstrip().startswith("#"):
            span = Span(begin + len(line) - len(line.lstrip()), begin + len(line))
            yield Record(short_record(line, (), begin), (), span)
        begin += len(line) + 1


def _mapping(item: Mapping[str, object], path: Path) -> Record:
    """A record; or a short line with its id before it, which YAML reads as a mapping of one key."""
    if len(item) == 1 and "type" not in item:
        ((name, line),) = item.items()
        if isinstance(line, str):
            return Record({"id": str(name), **short_record(line, (*path, str(name)), 0)}, path)
    return Record({str(key): value for key, value in item.items()}, path)


def _row(item: list[object], path: Path) -> dict[str, object]:
    """[id, type, time, {data}, {source, arrival}], the last two if needed."""
    if not 3 <= len(item) <= 5:
        raise Wrong(path, f"an event as a list has 3 to 5 parts, this has {len(item)}", LONG)
    record = dict(zip(ROW, item, strict=False))
    more = item[4] if len(item) == 5 else {}
    if not isinstance(more, Mapping):
        raise Wrong((*path, 4), "the last part of an event is a mapping", "{source: ..., arrival: ...}")
    return record | dict(more)


def short_record(line: str, path: Path, begin: int) -> dict[str, object]:
    """The event that a short line stands for; `begin` is where the line begins in its text."""
    tokens = list(takewhile(lambda token: not token[0].startswith("#"), _TOKEN.finditer(line)))

    def wrong(message: str, at: re.Match[str] | None) -> Wrong:
        span = Span(begin, begin + len(line)) if at is None else Span(begin + at.start(), begin + at.end())
        return Wrong(path, message, SHORT, span=span)

    record: dict[str, object] = {}
    if len(tokens) > 1 and tokens[0][0].endswith(":"):
        record["id"] = tokens.pop(0)[0][:-1]
    if not tokens or not _TIME.fullmatch(tokens[0][0]):
        raise wrong("a short event begins with its time", tokens[0] if tokens else None)
    record["time"] = _time(tokens.pop(0)[0])
    if tokens and tokens[0][0].startswith("@"):
        record["arrival"] = _time(tokens.pop(0)[0][1:])
    if not tokens or tokens[0]["name"]:
        raise wrong("the event has no type", tokens[0] if tokens else None)
    record["type"] = tokens.pop(0)[0]
    if tokens and not tokens[0]["name"]:
        record["source"] = tokens.pop(0)[0]
    data: dict[str, object] = {}
    for token in tokens:
        if not token["name"]:
            raise wrong(f"'{token[0]}' is no attribute", token)
        if token["name"] in data:
            raise wrong(f"'{token['name']}' is given twice", token)
        data[token["name"]] = _value(token["value"])
    return record | {"data": data}


def _time(text: str) -> object:
    if text.startswith("["):
        return [scalar(part.strip()) for part in text[1:-1].split(",")]
    return scalar(text)


def _value(text: str) -> object:
    """A number, true, false or null; a text in quotes or as it stands; a list or an object as in JSON."""
    if text[:1] in ('"', "[", "{"):
        try:
            return json.loads(text)
        except ValueError:
            return text
    return scalar(text) if text else ""
