"""A history: files of events that are there already. Which files, in what format, and what their columns mean."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

from tocsin.errors import UsageError, choices, nearest
from tocsin.formats.fields import NAMED, Fields, beside
from tocsin.formats.jsonl import parse_object
from tocsin.formats.refused import Refused

EXTENSIONS: Final = {
    "jsonl": (".jsonl", ".ndjson", ".json"),
    "csv": (".csv",),
    "parquet": (".parquet", ".pq"),
}
PACKED: Final = ".gz"
_LOOKED_AT: Final = 100
"""Lines of a history that are looked at before Spark reads it."""
FIELDS: Final = ("type", "time", "id", "source", "start", "arrival", "sequence", "data")
"""What an event has; its other columns are attributes."""


@dataclass(frozen=True)
class History:
    """Where the events are and how they are read. Times are microseconds; an event at `until` is not in it any more."""

    paths: tuple[str, ...]
    """Directories or files as they were given."""
    files: tuple[str, ...]
    """The files in order of their names; empty where only Spark can reach them."""
    format: str
    schema: str | None = None
    columns: Mapping[str, str] | None = None
    since: int | None = None
    until: int | None = None
    given: bytes = b""
    """Events that are at hand and in no file: read before the files, in this process alone."""

    @property
    def names(self) -> dict[str, str]:
        """What each field that was renamed is called in the files."""
        return dict(self.columns or {})

    @property
    def is_partitioned(self) -> bool:
        """Whether directories are named `column=value`, which tells Spark something about the events."""
        return any("=" in part for file in self.files for part in Path(file).parent.parts)

    @property
    def schema_columns(self) -> tuple[str, ...] | None:
        """The columns that the schema names; None without a schema."""
        return None if self.schema is None else tuple(_named(self.schema))


def history_of(
    paths: Sequence[str],
    *,
    format: str | None = None,
    schema: str | None = None,
    columns: Mapping[str, str] | None = None,
    since: int | None = None,
    until: int | None = None,
) -> History:
    """The history in directories and files; without a format their extensions tell it."""
    if format is not None and format not in EXTENSIONS:
        raise UsageError(f"unknown format {format!r}: {choices(sorted(EXTENSIONS))} {nearest(format, EXTENSIONS)}")
    if since is not None and until is not None and since >= until:
        raise UsageError("the history would be empty: --from is not before --to")
    files = tuple(file for path in paths if "://" not in path for file in _files(path))
    if format is None:
        format, files = _told(paths, files)
    if not files and not any("://" in path for path in paths):
        raise UsageError(f"there are no files of events in {', '.join(paths)}")
    for field in columns or {}:
        if field not in FIELDS:
            raise UsageError(f"--columns names {field!r}: an event has {', '.join(FIELDS)}")
    return History(tuple(paths), files, format, schema, columns, since, until)


def refuse_flat(history: History) -> None:
    """Refuses attributes beside the fields of lines where no schema names them: Spark would lose them in silence."""
    named = Fields({field: name for field, name in history.names.items() if field in NAMED})
    for file in history.files[:1]:
        opened = gzip.open if file.lower().endswith(PACKED) else open
        with opened(file, "rt", encoding="utf-8", errors="replace") as lines:
            for line in islice(lines, _LOOKED_AT):
                try:
                    names = beside(named.record(parse_object(line, "an event")))
                except Refused:
                    continue
                if names:
                    hint = "name the columns with --schema, or read the history with --engine local"
                    raise UsageError(f"the attribute {names[0]!r} stands beside the fields of an event: {hint}")


def _files(path: str) -> Iterator[str]:
    """The files below a path, by name; hidden ones and Spark's own marks are no events."""
    if not os.path.isdir(path):
        if not os.path.exists(path):
            raise UsageError(f"there is no {path}")
        yield path
        return
    for folder, inner, names in os.walk(path):
        inner[:] = sorted(name for name in inner if not name.startswith((".", "_")))
        yield from (os.path.join(folder, name) for name in sorted(names) if not name.startswith((".", "_")))


def _told(paths: Sequence[str], files: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """The format that the extensions stand for, and the files that have such an extension."""
    kinds = {file: format_of(file) for file in files}
    if not files:
        kinds = {path: format_of(path) for path in paths}
    known = sorted({kind for kind in kinds.values() if kind is not None})
    if len(known) != 1:
        what = f"holds {' and '.join(known)}" if known else "has no files whose extension says what they are"
        raise UsageError(f"the history {what}: say which to read, --format {choices(sorted(EXTENSIONS))}")
    return known[0], tuple(file for file in files if kinds[file] is not None)


def format_of(file: str) -> str | None:
    """The format of a file by its extension."""
    name = file.lower().removesuffix(PACKED)
    return next((kind for kind, endings in EXTENSIONS.items() if name.endswith(endings)), None)


def _named(schema: str) -> Iterator[str]:
    """The names in `name type, name struct<x: int, y: int>`."""
    depth, part = 0, ""
    for letter in schema + ",":
        depth += {"<": 1, "(": 1, ">": -1, ")": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            words = part.replace(":", " ", 1).split()
            if words:
                yield words[0].strip("`")
            part = ""
        else:
            part += letter
