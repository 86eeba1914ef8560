"""Parquet files, a batch of rows at a time."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from typing import IO, Any, Final

from tocsin.errors import MissingDependency, UsageError
from tocsin.events import Arrival
from tocsin.formats.blocks import Parcel
from tocsin.formats.frames import BEFOREHAND, SLICE, TABLE, ArrowPiece, Table, admit_frame, arrow_blocks
from tocsin.formats.intake import Intake
from tocsin.formats.lines import is_binary
from tocsin.formats.parcels import gathered
from tocsin.formats.refused import Refused

NAME: Final = "parquet"
EXTENSIONS: Final = (".parquet", ".pq")


def parcels(stream: IO[Any], intake: Intake) -> Iterator[Parcel]:
    """The same events, as tables that are looked at when their turn comes."""
    if not intake.takes_blocks or not is_binary(stream):
        yield from gathered(read(stream, intake), intake.is_live)
        return
    number = 0
    with ExitStack() as files:
        for batch in _batches(stream, intake, files, TABLE):
            for part in (batch,) if number else (batch.slice(0, BEFOREHAND), batch.slice(BEFOREHAND)):
                if part.num_rows or not number:  # a frame without rows may still lack a column
                    yield Table(ArrowPiece(part), number, intake)
                number += part.num_rows


def read(stream: IO[Any], intake: Intake) -> Iterator[Arrival]:
    """The events of a Parquet file, one a row."""
    if isinstance(stream.read(0), str):
        raise UsageError(f"{intake.file}: a Parquet file is read as bytes, not as text")
    with ExitStack() as files:
        yield from admit_frame(arrow_blocks(_batches(stream, intake, files, SLICE)), intake)


def _batches(stream: IO[Any], intake: Intake, files: ExitStack, size: int) -> Iterator[Any]:
    """The file's rows a slice at a time. A file that breaks off cannot be read on: that is never skipped."""
    try:
        import pyarrow  # here, for it is optional
        from pyarrow import parquet
    except ImportError:
        raise MissingDependency("pyarrow", "arrow") from None
    try:
        file = files.enter_context(parquet.ParquetFile(_seekable(stream, files)))
        yield from file.iter_batches(batch_size=size)
    except (pyarrow.ArrowException, OSError) as error:
        raise intake.error(1, "", Refused(f"not a Parquet file that can be read: {error}")) from None


def _seekable(stream: IO[Any], files: ExitStack) -> IO[Any]:
    """A stream one can move about in: a Parquet file is read from its end. A pipe is put into a file first."""
    if stream.seekable():
        return stream
    copy = files.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 - the stack closes it
    shutil.copyfileobj(stream, copy)
    copy.seek(0)
    return copy
