"""Where events are read from: files, compressed or not, all files of a folder or of a pattern, standard input."""

from __future__ import annotations

import gzip
import sys
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from glob import glob, has_magic
from os import PathLike, fspath
from pathlib import Path, PurePath
from typing import IO, Any, Final, TypeAlias, cast

from tocsin.errors import MissingDependency, UsageError

Readable: TypeAlias = str | PathLike[str] | IO[Any]
"""A file by its name, standard input (`-`), or an open file."""

COMPRESSED: Final = (".gz", ".zst")
"""Extensions of files that are read through a decompressor."""


def expanded(sources: Sequence[Readable], extensions: Sequence[str]) -> list[Readable]:
    """The sources, with the files of a folder or of a pattern (`logs/*.jsonl`) in the place of its name, by name.

    Of a folder those count that have one of the extensions, and no hidden ones.
    """
    found: list[Readable] = []
    for source in sources:
        name = fspath(source) if isinstance(source, str | PathLike) else ""
        if name and name != "-" and Path(name).is_dir():
            inside = sorted(str(path) for path in Path(name).iterdir() if _counts(path, extensions))
            if not inside:
                raise UsageError(f"cannot read {name}: there is no file of events in it")
            found += inside
        elif has_magic(name) and not Path(name).exists():
            matching = sorted(path for path in glob(name, recursive=True) if Path(path).is_file())
            if not matching:
                raise UsageError(f"no file is called like {name}")
            found += matching
        else:
            found.append(source)
    return found


def _counts(path: Path, extensions: Sequence[str]) -> bool:
    return path.is_file() and not path.name.startswith(".") and extension_of(path.name) in extensions


def extension_of(name: str) -> str:
    """The extension that says what a file holds: that of `events.csv.gz` is `.csv`."""
    path = PurePath(name)
    suffix = path.suffix.lower()
    return PurePath(path.stem).suffix.lower() if suffix in COMPRESSED else suffix


@contextmanager
def opened(source: Readable) -> Iterator[IO[Any]]:
    """The source as a stream; closed afterwards if it was opened here."""
    if source == "-":
        yield cast("IO[Any]", getattr(sys.stdin, "buffer", sys.stdin))
    elif isinstance(source, str | PathLike):
        name = fspath(source)
        try:
            stream = open(name, "rb")  # noqa: SIM115 - closed below; only the opening is tried
        except OSError as error:
            raise UsageError(f"cannot read {name}: {error.strerror}") from None
        with stream, _decompressed(stream, PurePath(name).suffix.lower()) as plain:
            try:
                yield plain
            except (gzip.BadGzipFile, zlib.error, EOFError) as error:
                raise UsageError(f"cannot read {name}: {error}") from None
    else:
        yield source


@contextmanager
def _decompressed(stream: IO[bytes], suffix: str) -> Iterator[IO[bytes]]:
    if suffix == ".gz":
        with gzip.open(stream, "rb") as plain:
            yield cast("IO[bytes]", plain)
    elif suffix == ".zst":
        import io

        try:
            import zstandard  # here, for it is optional
        except ImportError:
            raise MissingDependency("zstandard", "zst") from None
        with zstandard.ZstdDecompressor().stream_reader(stream, read_across_frames=True) as raw:
            try:
                yield io.BufferedReader(raw)
            except zstandard.ZstdError as error:
                raise UsageError(f"cannot read {getattr(stream, 'name', 'the file')}: {error}") from None
    else:
        yield stream
