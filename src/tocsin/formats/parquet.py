"""Parquet files, a batch of rows at a time."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from typing import IO, Any, Final

from tocsin.errors import MissingDependency, UsageError
from tocsin.events import Arrival
from tocsin.formats.frames import SLICE, Block, admit_frame, arrow_blocks
from tocsin.formats.intake import Intake
from tocsin.formats.refused import Refused

NAME: Final = "parquet"
EXTENSIONS: Final = (".parquet", ".pq")


def read(stream: IO[Any], intake: Intake) -> Iterator[Arrival]:
    """The events of a Parquet file, one a row."""
    if isinstance(stream.read(0), str):
        raise UsageError(f"{intake.file}: a Parquet file is read as bytes, not as text")
    with ExitStack() as files:
        yield from admit_frame(_blocks(stream, intake, files), intake)


def _blocks(stream: IO[Any], intake: Intake, files: ExitStack) -> Iterator[Block]:
    """The file's rows a slice at a time. A file that breaks off cannot be read on: that is never skipped."""
    try:
        import pyarrow  # here, for it is optional
        from pyarrow import parquet
    except ImportError:
        raise MissingDependency("pyarrow", "arrow") from None
    try:
        file = files.enter_context(parquet.ParquetFile(_seekable(stream, files)))
        yield from arrow_blocks(file.iter_batches(batch_size=SLICE))
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
