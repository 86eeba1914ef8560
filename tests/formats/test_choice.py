"""Which format is read: by name, by extension, and a new one by being there."""

import gzip
import io
import subprocess
import sys
from pathlib import Path

import pytest

from tests.formats.reading import tuples
from tocsin.errors import EventError, UsageError
from tocsin.events import Event
from tocsin.formats import FORMATS, format_of, read_events

LINE = b'{"type": "a", "time": 1}\n'


def test_every_format_is_found() -> None:
    assert sorted(FORMATS) == ["csv", "gem", "jsonl", "parquet"]
    extensions = [extension for format in FORMATS.values() for extension in format.EXTENSIONS]
    assert len(extensions) == len(set(extensions))


@pytest.mark.parametrize(
    ("name", "format"),
    [("a.jsonl", "jsonl"), ("a.ndjson", "jsonl"), ("a.json", "jsonl"), ("A.JSONL", "jsonl"), ("a.csv", "csv"), ("a.parquet", "parquet"), ("a.gem", "gem"), ("a.txt", "gem"), ("a.report", "gem"), ("-", "jsonl"), ("no-extension", "jsonl"), ("dir.csv/events", "jsonl")],
)  # fmt: skip
def test_the_extension_decides(name: str, format: str) -> None:
    assert format_of(name) is FORMATS[format]
    assert format_of(Path(name) if name != "-" else name) is FORMATS[format]


def test_the_name_decides_over_the_extension() -> None:
    assert format_of("a.csv", "gem").NAME == "gem"


def test_an_unknown_name_or_extension_is_refused_at_once() -> None:
    with pytest.raises(UsageError, match="csv, gem, jsonl or parquet; did you mean 'jsonl'"):
        read_events("a.jsonl", format="jsonlines")
    with pytest.raises(UsageError, match=r"unknown extension '\.xlsx'"):
        read_events("a.xlsx")


def test_a_file_is_read_and_closed(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    path.write_bytes(LINE * 3)
    assert len(list(read_events(path))) == 3
    assert len(list(read_events(str(path)))) == 3
    partly = read_events(path)
    next(partly)
    del partly  # a file left open would be a warning, and here a failure
    with path.open("rb") as file:
        assert len(list(read_events(file))) == 3


def test_the_file_stands_in_the_message(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    path.write_bytes(LINE + b"oops\n")
    with pytest.raises(EventError) as raised:
        list(read_events(path))
    assert str(raised.value) == f"{path}:2:1: not JSON: Expecting value\n  oops\n  ^"


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path / "none.jsonl", tmp_path):
        with pytest.raises(UsageError, match="cannot read"):
            list(read_events(path, format="jsonl"))


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LINE + b"oops\n")))
    with pytest.raises(EventError, match="<stdin>:2:1:"):
        list(read_events("-"))
    monkeypatch.setattr(sys, "stdin", io.StringIO(LINE.decode()))
    assert len(tuples(read_events("-"))) == 1


def test_adding_a_format_is_adding_a_file(tmp_path: Path) -> None:
    """In a copy of the package, for the real one must not be touched."""
    code = f"""
import sys, tocsin.formats
from pathlib import Path
tocsin.formats.__path__.append({str(tmp_path)!r})
print(sorted(tocsin.formats._found()))
print([e.type for e in tocsin.formats._found()["words"].read(["a", "b"], tocsin.formats.Intake("x"))])
"""
    (tmp_path / "words.py").write_text(
        'NAME = "words"\nEXTENSIONS = (".words",)\n\n\ndef read(stream, intake):\n'
        '    return (intake.admit({"type": word, "time": n}, n) for n, word in enumerate(stream))\n'
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "['csv', 'gem', 'jsonl', 'parquet', 'words']\n['a', 'b']\n"


@pytest.mark.parametrize("extension", ["", ".gz", ".zst"])
def test_folders_patterns_and_compressed_files(tmp_path: Path, extension: str) -> None:
    for number, name in enumerate(("b.jsonl", "a.jsonl"), 1):
        text = b'{"type": "x", "time": %d}\n' % number
        if extension == ".gz":
            text = gzip.compress(text)
        elif extension == ".zst":
            text = pytest.importorskip("zstandard").compress(text)
        (tmp_path / (name + extension)).write_bytes(text)
    (tmp_path / "notes.md").write_text("nothing")
    for source in (tmp_path, f"{tmp_path}/*.jsonl{extension}"):
        assert [event.end // 1_000_000 for event in read_events(source) if isinstance(event, Event)] == [2, 1]


def test_a_pattern_that_matches_nothing_and_an_empty_folder(tmp_path: Path) -> None:
    for source in (tmp_path, f"{tmp_path}/*.jsonl"):
        with pytest.raises(UsageError):
            read_events(source)


def test_a_compressed_file_that_breaks_off(tmp_path: Path) -> None:
    path = tmp_path / "e.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"type": "x", "time": 1}\n' * 50)[:-9])
    with pytest.raises(UsageError, match="cannot read"):
        list(read_events(path))
