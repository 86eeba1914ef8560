"""Events in, detections out: one file for each format.

A format is a module of this folder with `NAME`, `EXTENSIONS` and `read(stream, intake)`; it is found by itself.

    intake        defaults, order of arrival, duplicates, bad events: the same for all
    sources       files, folders, compressed ones     merged         several files merged by time
    lines         the lines of a file                 texts          many texts kept as one
    jsonl, csv_, reports, parquet     the formats of files
    frames, columns, objects          Arrow, pandas and Polars; dictionaries and events of Python
    blocks        many events at once, as columns     parcels        blocks where possible, rows where not
    json_blocks, csv_blocks, object_blocks, report_blocks      the readers of blocks
    fields        what is the event's own             values         attribute values as JSON knows them
    clocks        units, formats and zones of times   instants       times as they are written
    repeats       which events came already           refused        why a record is no event
    quarantine    a file for bad events               writers        detections and events as text
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from os import PathLike, fspath
from pkgutil import iter_modules
from typing import IO, Any, Final, Protocol, cast, runtime_checkable

from tocsin.errors import UsageError, choices, nearest
from tocsin.events import Arrival
from tocsin.formats.blocks import Parcel
from tocsin.formats.clocks import InputClock
from tocsin.formats.fields import PLAIN, Fields
from tocsin.formats.frames import BEFOREHAND, TABLE, Piece, Table, pieces_of
from tocsin.formats.instants import TimeStyle
from tocsin.formats.intake import Arrivals, Conform, Intake, Naming, Notice, OnBad, Watch
from tocsin.formats.merged import merged
from tocsin.formats.object_blocks import object_parcels
from tocsin.formats.parcels import gathered
from tocsin.formats.quarantine import Quarantine
from tocsin.formats.sources import Readable, expanded, extension_of, opened
from tocsin.formats.writers import detection_line, detection_lines, detection_table, event_line, event_lines

__all__ = [
    "FORMATS",
    "Arrivals",
    "Fields",
    "Format",
    "InputClock",
    "OnBad",
    "Parcel",
    "Quarantine",
    "Readable",
    "TimeStyle",
    "detection_line",
    "detection_lines",
    "detection_table",
    "event_line",
    "event_lines",
    "events_from",
    "format_of",
    "read_events",
]

DEFAULT: Final = "jsonl"
"""What is read from a stream that does not say what it is."""


class Format(Protocol):
    """A way to write events in a file."""

    NAME: str
    EXTENSIONS: tuple[str, ...]

    def read(self, stream: IO[Any], intake: Intake) -> Iterator[Arrival]:
        """The events of a stream, one at a time."""


@runtime_checkable
class InParcels(Protocol):
    """A format that can be read many events at a time."""

    def parcels(self, stream: IO[Any], intake: Intake) -> Iterator[Parcel]:
        """The same events as `read` gives, as columns where possible."""


def _found() -> dict[str, Format]:
    """The formats among the modules of this folder, by name."""
    modules = (import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__))
    return {module.NAME: cast(Format, module) for module in modules if hasattr(module, "NAME")}


FORMATS: Final[Mapping[str, Format]] = _found()
"""Every format that can be read, by name."""


def read_events(
    source: Readable | Sequence[Readable],
    format: str | None = None,
    on_error: str = "refuse",
    on_bad: OnBad | None = None,
    declared: Mapping[str, Sequence[str]] | None = None,
    remember: int | None = None,
    style: TimeStyle | None = None,
    conform: Conform | None = None,
    fields: Fields = PLAIN,
    clock: InputClock | None = None,
    watch: Watch | None = None,
    notice: Notice | None = None,
    is_merged: bool = False,
    naming: Naming | None = None,
) -> Arrivals:
    """The events of a file, of standard input (`-`) or of an open file, in order of arrival; of several, one by one, or
    merged by time (`is_merged`).

    A folder stands for the files of events in it, a pattern (`logs/*.jsonl`) for those it matches, by name; files that
    end in `.gz` or `.zst` are decompressed.

    `format` is one of `FORMATS`; without it the extension decides. A bad event raises `EventError`, or with
    `on_error="skip"` is counted and `on_bad(line number, text, reason)` is told. `declared` gives the names of
    the attributes of event classes, for formats that write none. An event whose source and id came before is
    a heartbeat; `remember` (microseconds of event time) says when ids may be forgotten. `style` learns how
    times are written; `conform` holds events to what their class declares. `fields` says what fields are called
    there, `clock` how times are written; `watch` is shown each event, `notice` many at once: without it they are read
    one by one. `naming` gives an id to events that have none; without it that is the number of their line.
    """
    given = list(source) if isinstance(source, list | tuple) else [cast(Readable, source)]
    known = [extension for each in FORMATS.values() for extension in each.EXTENSIONS]
    sources = expanded(given, known)
    if not sources or sources.count("-") > 1:
        raise UsageError("events come from at least one file, and from standard input (-) once")
    chosen = [format_of(each, format) for each in sources]
    reading = (conform, fields, clock, watch, notice, naming)
    intake = Intake(_name_of(sources[0]), on_error, on_bad, declared, remember, style, *reading)
    together = list(zip(sources, chosen, strict=True))
    if is_merged and len(together) > 1:
        arrivals = merged([(_name_of(source), partial(_rows, source, format)) for source, format in together], intake)
        return Arrivals(intake, gathered(arrivals, any(map(_is_live, sources))))
    return Arrivals(intake, _read_all(together, intake))


def events_from(
    events: Any,
    on_error: str = "refuse",
    on_bad: OnBad | None = None,
    remember: int | None = None,
    style: TimeStyle | None = None,
    conform: Conform | None = None,
    fields: Fields = PLAIN,
    clock: InputClock | None = None,
    watch: Watch | None = None,
    notice: Notice | None = None,
) -> Arrivals:
    """The events of Python objects: an iterable of dicts or `Event`s, or a frame of Arrow, pandas or Polars.

    Bad events, duplicates and times are treated as in `read_events`; rows are numbered from 1.
    """
    pieces = pieces_of(events, TABLE)
    if pieces is not None:
        intake = Intake("<frame>", on_error, on_bad, None, remember, style, conform, fields, clock, watch, notice)
        return Arrivals(intake, _tables(pieces, intake))
    if isinstance(events, str | bytes | Mapping) or not isinstance(events, Iterable):
        hint = ": read_events reads a file" if isinstance(events, str | bytes) else ""
        raise UsageError(f"events are an iterable of dicts or events, or a frame, not a {type(events).__name__}{hint}")
    intake = Intake("<events>", on_error, on_bad, None, remember, style, conform, fields, clock, watch, notice)
    return Arrivals(intake, object_parcels(events, intake))


def _tables(pieces: Iterable[Piece], intake: Intake) -> Iterator[Parcel]:
    """The rows of a frame; those that may be looked at before a run by themselves."""
    done = 0
    for piece in pieces:
        parts = (piece,) if done or piece.count <= BEFOREHAND else piece.parted(BEFOREHAND)
        for part in parts:
            yield Table(part, done, intake)
            done += part.count


def format_of(source: Readable, name: str | None = None) -> Format:
    """The format called `name`, or the one that the source's extension stands for."""
    if name is not None:
        if name not in FORMATS:
            raise UsageError(
                f"unknown format {name!r}: {choices(sorted(FORMATS))}; {nearest(name, FORMATS)}".rstrip("; ")
            )
        return FORMATS[name]
    extension = extension_of(_name_of(source))
    if not extension:
        return FORMATS[DEFAULT]
    for candidate in FORMATS.values():
        if extension in candidate.EXTENSIONS:
            return candidate
    raise UsageError(
        f"{_name_of(source)}: unknown extension {extension!r}; say which format: {choices(sorted(FORMATS))}"
    )


def _name_of(source: Readable) -> str:
    """What messages call the source."""
    if source == "-":
        return "<stdin>"
    if isinstance(source, str | PathLike):
        return fspath(source)
    name = getattr(source, "name", None)
    return name if isinstance(name, str) else "<stream>"


def _read_all(sources: list[tuple[Readable, Format]], intake: Intake) -> Iterator[Parcel]:
    for place, (source, format) in enumerate(sources):
        if place:
            intake.begin(_name_of(source))
        yield from _read(source, format, intake)


def _read(source: Readable, format: Format, intake: Intake) -> Iterator[Parcel]:
    """Opens what has to be opened, with the first event, and closes it after the last."""
    intake.is_live = _is_live(source)
    with opened(source) as stream:
        yield from _parcels(stream, format, intake)


def _rows(source: Readable, format: Format, intake: Intake) -> Iterator[Arrival]:
    """The same, event by event."""
    with opened(source) as stream:
        yield from format.read(stream, intake)


def _is_live(source: Readable) -> bool:
    """Whether events may come slowly."""
    return not isinstance(source, str | PathLike) or source == "-"


def _parcels(stream: IO[Any], format: Format, intake: Intake) -> Iterator[Parcel]:
    if isinstance(format, InParcels):
        return format.parcels(stream, intake)
    return gathered(format.read(stream, intake), intake.is_live)
