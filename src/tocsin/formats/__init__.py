"""Events in, detections out: one file for each format.

A format is a module of this folder with `NAME`, `EXTENSIONS` and `read(stream, intake)`; it is found by itself.

    intake      defaults, order of arrival, duplicates, bad events: the same for all
    lines       ... jsonl  csv_  reports           columns   ... frames  parquet
    objects     dictionaries and events of Python   writers   detections and events as text
    quarantine  a file for bad events               instants  times as they are written
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from os import PathLike, fspath
from pathlib import PurePath
from pkgutil import iter_modules
from typing import IO, Any, Final, Protocol, cast

from tocsin.errors import UsageError, choices, nearest
from tocsin.events import Arrival
from tocsin.formats.frames import admit_frame, blocks_of
from tocsin.formats.instants import TimeStyle
from tocsin.formats.intake import Arrivals, Conform, Intake, OnBad
from tocsin.formats.objects import admit_objects
from tocsin.formats.quarantine import Quarantine
from tocsin.formats.writers import detection_line, detection_lines, detection_table, event_line, event_lines

__all__ = [
    "FORMATS",
    "Arrivals",
    "Format",
    "OnBad",
    "Quarantine",
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


def _found() -> dict[str, Format]:
    """The formats among the modules of this folder, by name."""
    modules = (import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__))
    return {module.NAME: cast(Format, module) for module in modules if hasattr(module, "NAME")}


FORMATS: Final[Mapping[str, Format]] = _found()
"""Every format that can be read, by name."""


def read_events(
    source: str | PathLike[str] | IO[Any],
    format: str | None = None,
    on_error: str = "refuse",
    on_bad: OnBad | None = None,
    declared: Mapping[str, Sequence[str]] | None = None,
    remember: int | None = None,
    style: TimeStyle | None = None,
    conform: Conform | None = None,
) -> Arrivals:
    """The events of a file, of standard input (`-`) or of an open file, in order of arrival.

    `format` is one of `FORMATS`; without it the extension decides. A bad event raises `EventError`, or with
    `on_error="skip"` is counted and `on_bad(line number, text, reason)` is told. `declared` gives the names of
    the attributes of event classes, for formats that write none. An event whose source and id came before is
    a heartbeat; `remember` (microseconds of event time) says when ids may be forgotten. `style` learns how
    times are written; `conform` holds events to what their class declares.
    """
    chosen = format_of(source, format)
    intake = Intake(_name_of(source), on_error, on_bad, declared, remember, style, conform)
    return Arrivals(intake, _read(source, chosen, intake))


def events_from(
    events: Any,
    on_error: str = "refuse",
    on_bad: OnBad | None = None,
    remember: int | None = None,
    style: TimeStyle | None = None,
    conform: Conform | None = None,
) -> Arrivals:
    """The events of Python objects: an iterable of dicts or `Event`s, or a frame of Arrow, pandas or Polars.

    Bad events, duplicates and times are treated as in `read_events`; rows are numbered from 1.
    """
    blocks = blocks_of(events)
    if blocks is not None:
        intake = Intake("<frame>", on_error, on_bad, None, remember, style, conform)
        return Arrivals(intake, admit_frame(blocks, intake))
    if isinstance(events, str | bytes | Mapping) or not isinstance(events, Iterable):
        hint = ": read_events reads a file" if isinstance(events, str | bytes) else ""
        raise UsageError(f"events are an iterable of dicts or events, or a frame, not a {type(events).__name__}{hint}")
    intake = Intake("<events>", on_error, on_bad, None, remember, style, conform)
    return Arrivals(intake, admit_objects(events, intake))


def format_of(source: str | PathLike[str] | IO[Any], name: str | None = None) -> Format:
    """The format called `name`, or the one that the source's extension stands for."""
    if name is not None:
        if name not in FORMATS:
            raise UsageError(f"unknown format {name!r}: {choices(sorted(FORMATS))} {nearest(name, FORMATS)}".rstrip())
        return FORMATS[name]
    extension = PurePath(_name_of(source)).suffix.lower()
    if not extension:
        return FORMATS[DEFAULT]
    for candidate in FORMATS.values():
        if extension in candidate.EXTENSIONS:
            return candidate
    raise UsageError(
        f"{_name_of(source)}: unknown extension {extension!r}; say which format: {choices(sorted(FORMATS))}"
    )


def _name_of(source: str | PathLike[str] | IO[Any]) -> str:
    """What messages call the source."""
    if source == "-":
        return "<stdin>"
    if isinstance(source, str | PathLike):
        return fspath(source)
    name = getattr(source, "name", None)
    return name if isinstance(name, str) else "<stream>"


def _read(source: str | PathLike[str] | IO[Any], format: Format, intake: Intake) -> Iterator[Arrival]:
    """Opens what has to be opened, with the first event, and closes it after the last."""
    if source == "-":
        yield from format.read(cast("IO[Any]", getattr(sys.stdin, "buffer", sys.stdin)), intake)
    elif isinstance(source, str | PathLike):
        try:
            stream = open(source, "rb")  # noqa: SIM115 - closed below; only the opening is tried
        except OSError as error:
            raise UsageError(f"cannot read {fspath(source)}: {error.strerror}") from None
        with stream:
            yield from format.read(stream, intake)
    else:
        yield from format.read(source, intake)
