"""The journal that MQTT's messages are numbered by: what was written lasts, whatever happens to the writer."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tocsin.errors import TocsinError
from tocsin.stores import journal as journals
from tocsin.stores.journal import Journal, Reading, Row, length_of, parts_of, rows_of

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="files are locked as POSIX has it")


def _rows(first: int, count: int) -> list[Row]:
    return [(f"body {n}".encode() * (n % 3), {"n": str(n)} if n % 2 else {}, n) for n in range(first, first + count)]


def _read(home: Path, first: int, last: int) -> list[Row]:
    return [row for part in parts_of(home, first, last) for row in rows_of(home, *part)]


_OPEN: list[Journal | Reading] = []


@pytest.fixture(autouse=True)
def _close_all() -> Iterator[None]:
    yield
    while _OPEN:
        _OPEN.pop().close()


def _opened(home: Path) -> Journal:
    journal = Journal(home)
    _OPEN.append(journal)
    assert journal.acquire()
    return journal


def _reading(home: Path) -> Reading:
    _OPEN.append(Reading(home))
    found = _OPEN[-1]
    assert isinstance(found, Reading)
    return found


def test_messages_have_their_numbers_over_many_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journals, "LARGEST", 200)
    journal, random, count = _opened(tmp_path), Random(1), 0
    while count < 100:
        size = random.randrange(1, 9)
        journal.append(_rows(count, size))
        count += size
    assert journal.count == count == length_of(tmp_path)
    assert len(parts_of(tmp_path, 0, count)) > 5
    for _ in range(20):
        first = random.randrange(count)
        last = random.randrange(first, count) + 1
        assert _read(tmp_path, first, last) == _rows(first, last - first)


def test_what_was_cut_off_is_not_there_and_the_rest_goes_on(tmp_path: Path) -> None:
    """At every byte at which a crash may end the file."""
    journal = _opened(tmp_path)
    journal.append(_rows(0, 3))
    journal.close()
    path = tmp_path / f"{0:020}"
    whole = path.read_bytes()
    for end in range(len(whole) + 1):
        path.write_bytes(whole[:end])
        again = _opened(tmp_path)
        there = again.count
        assert _read(tmp_path, 0, there) == _rows(0, there) if there else True
        again.append(_rows(there, 2))
        again.close()
        assert _read(tmp_path, 0, there + 2) == _rows(0, there + 2)
    assert there == 3


def test_damage_is_told(tmp_path: Path) -> None:
    journal = _opened(tmp_path)
    journal.append(_rows(0, 5))
    path = tmp_path / f"{0:020}"
    written = bytearray(path.read_bytes())
    written[-1] ^= 1
    path.write_bytes(written)
    with pytest.raises(TocsinError, match="ends before message 4: it is damaged"):
        _read(tmp_path, 0, 5)


def test_one_writes_and_another_takes_over_when_it_is_gone(tmp_path: Path) -> None:
    code = (
        "import sys, time\nfrom tocsin.stores.journal import Journal\n"
        "j = Journal(sys.argv[1]); assert j.acquire(); j.append([(b'one', {}, 1)]); print('ready', flush=True); time.sleep(60)"
    )
    writer = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    try:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
        mine = Journal(tmp_path)
        _OPEN.append(mine)
        assert not mine.acquire()
        assert length_of(tmp_path) == 1
    finally:
        writer.kill()
        writer.wait()
        writer.stdout.close()  # type: ignore[union-attr] # it was a pipe
    assert mine.acquire()
    assert mine.count == 1


def test_files_are_deleted_when_all_readers_have_read_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journals, "LARGEST", 1)
    journal, one, two = _opened(tmp_path), _reading(tmp_path), _reading(tmp_path)
    for number in range(5):
        journal.append(_rows(number, 1))
    one.mark(4)
    journal.delete_read()
    assert parts_of(tmp_path, 0, 5), "another has not read anything"
    two.mark(2)
    journal.delete_read()
    assert _read(tmp_path, 2, 5) == _rows(2, 3)
    with pytest.raises(TocsinError, match="no longer has message 1"):
        parts_of(tmp_path, 1, 5)
    two.close()
    journal.delete_read()
    with pytest.raises(TocsinError, match="no longer has message 3"):
        parts_of(tmp_path, 3, 5)
    assert length_of(tmp_path) == 5
