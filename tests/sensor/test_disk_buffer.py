"""Buffers on disk: what waits is there after any end of the process, in order; what cannot be read stops nothing."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.amounts import examples
from tocsin.errors import TocsinError
from tocsin.sensor import disk_buffer
from tocsin.sensor.disk_buffer import BufferInUse, DiskBuffer
from tocsin.sensor.segments import segments_of

CAPACITY = 1_000_000
MANY = 20_000


def lines_of(numbers: range) -> list[bytes]:
    return [f'{{"id": "{number}"}}'.encode() for number in numbers]


def filled(home: Path, numbers: range) -> DiskBuffer:
    buffer = DiskBuffer(home, CAPACITY)
    for line in lines_of(numbers):
        buffer.append(line)
    return buffer


def emptied(home: Path) -> list[bytes]:
    """What waits, and afterwards waits no more."""
    buffer = DiskBuffer(home, CAPACITY)
    found: list[bytes] = []
    while some := buffer.take(100, CAPACITY):
        found += some
        buffer.release(buffer.head + len(some))
    assert (buffer.size, buffer.head) == (0, buffer.count)
    buffer.close()
    return found


def test_what_waits_is_there_when_it_is_opened_again(tmp_path: Path) -> None:
    buffer = filled(tmp_path, range(10))
    assert buffer.take(3, CAPACITY) == lines_of(range(3))
    buffer.release(3)
    assert buffer.take(3, CAPACITY) == lines_of(range(3, 6))
    buffer.close()
    assert emptied(tmp_path) == lines_of(range(3, 10))
    assert emptied(tmp_path) == []


def test_files_are_begun_and_deleted_on_the_way(tmp_path: Path) -> None:
    buffer = filled(tmp_path, range(MANY))
    assert len(segments_of(tmp_path)) > 2
    assert buffer.size == sum(map(len, lines_of(range(MANY))))
    buffer.release(len(buffer.take(MANY, CAPACITY)))
    assert len(segments_of(tmp_path)) == 1
    buffer.close()
    assert emptied(tmp_path) == []


def test_more_waits_than_is_kept_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk_buffer, "AHEAD", 500)
    buffer = filled(tmp_path, range(MANY))
    found: list[bytes] = []
    for number in count(MANY):
        some = buffer.take(70, CAPACITY)
        if not some:
            break
        found += some
        buffer.release(buffer.head + len(some))
        if number % 3 == 0 and number < MANY + 300:
            buffer.append(lines_of(range(number, number + 1))[0])
    assert found == lines_of(range(MANY)) + [
        lines_of(range(n, n + 1))[0] for n in range(MANY, MANY + 300) if n % 3 == 0
    ]
    buffer.close()


@given(cut=st.integers(1, 200), more=st.integers(0, 5))
def test_an_end_that_was_cut_loses_only_what_was_cut(
    tmp_path_factory: pytest.TempPathFactory, cut: int, more: int
) -> None:
    home = tmp_path_factory.mktemp("cut")
    filled(home, range(10)).close()
    path = segments_of(home)[-1].path
    size = path.stat().st_size
    os.truncate(path, max(0, size - cut))
    buffer = filled(home, range(100, 100 + more))
    buffer.close()
    found = emptied(home)
    whole = len(found) - more
    assert found == lines_of(range(whole)) + lines_of(range(100, 100 + more))
    assert (10 - whole - 1) * size // 10 < cut


@given(st.data())
def test_a_flipped_bit_loses_no_more_than_the_file_it_is_in(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    home = tmp_path_factory.mktemp("bit")
    shutil.copytree(large(tmp_path_factory), home, dirs_exist_ok=True)
    victim = data.draw(st.sampled_from(segments_of(home)))
    place = data.draw(st.integers(0, victim.path.stat().st_size - 1))
    with open(victim.path, "r+b") as file:
        file.seek(place)
        byte = file.read(1)
        file.seek(place)
        file.write(bytes([byte[0] ^ 1 << data.draw(st.integers(0, 7))]))
    others = [segment.first for segment in segments_of(home) if segment.first > victim.first]
    found = emptied(home)
    numbers = [int(line.split(b'"')[3]) for line in found]
    assert numbers == sorted(set(numbers))
    assert set(range(MANY)) - set(numbers) <= set(range(victim.first, others[0] if others else MANY))
    assert emptied(home) == []


_LARGE: list[Path] = []


def large(factory: pytest.TempPathFactory) -> Path:
    """A buffer of several files, made once."""
    if not _LARGE:
        home = factory.mktemp("large")
        filled(home, range(MANY)).close()
        _LARGE.append(home)
    return _LARGE[0]


@pytest.mark.parametrize("noted", [b"", b"rubbish", b"99999999999999999999", b"00000000000000000003"])
def test_a_note_of_what_was_delivered_that_cannot_be_right(tmp_path: Path, noted: bytes) -> None:
    filled(tmp_path, range(5)).close()
    (tmp_path / "delivered").write_bytes(noted)
    expected = {b"00000000000000000003": range(3, 5), b"99999999999999999999": range(0)}.get(noted, range(5))
    assert emptied(tmp_path) == lines_of(expected)
    filled(tmp_path, range(7, 8)).close()
    assert emptied(tmp_path) == lines_of(range(7, 8))


def test_a_directory_has_one_user(tmp_path: Path) -> None:
    buffer = DiskBuffer(tmp_path, CAPACITY)
    with pytest.raises(BufferInUse, match=f"in use by process {os.getpid()}: a buffer belongs to one sensor at a time"):
        DiskBuffer(tmp_path, CAPACITY)
    buffer.close()
    DiskBuffer(tmp_path, CAPACITY).close()


def test_what_a_child_has_left_is_taken_over(tmp_path: Path) -> None:
    filled(tmp_path, range(3)).close()
    filled(tmp_path / "child-1-x", range(10, 13)).close()
    busy = filled(tmp_path / "child-2-x", range(20, 23))
    assert emptied(tmp_path) == lines_of(range(3)) + lines_of(range(10, 13))
    assert not (tmp_path / "child-1-x").exists()
    busy.close()
    assert emptied(tmp_path) == lines_of(range(20, 23))


def test_a_disk_that_is_full_takes_nothing_and_breaks_nothing(tmp_path: Path) -> None:
    """A limit on the size of files stands for the full disk: the write is cut short in the same way."""
    code = """
import resource, signal, sys
from tocsin.errors import TocsinError
from tocsin.sensor.disk_buffer import DiskBuffer
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
buffer = DiskBuffer(sys.argv[1], 1_000_000)
buffer.append(b"first")
resource.setrlimit(resource.RLIMIT_FSIZE, (30, resource.RLIM_INFINITY))
try:
    buffer.append(b"x" * 100)
except TocsinError as error:
    print(error)
buffer.append(b"small")
"""
    done = subprocess.run(
        [sys.executable, "-c", code, tmp_path], capture_output=True, text=True, check=True, env=_env()
    )
    assert "the event was not taken" in done.stdout
    assert emptied(tmp_path) == [b"first", b"small"]


def _env() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


WRITER = """
import sys
from tocsin.sensor.disk_buffer import DiskBuffer
buffer = DiskBuffer(sys.argv[1], 1_000_000)
for number in range(buffer.count, 10**9):
    buffer.append(b'{"id": "%d"}' % number)
    print(number, flush=True)
"""


@pytest.mark.parametrize("rounds", [examples(3)])
def test_kill_9_loses_nothing_that_was_taken(tmp_path: Path, rounds: int) -> None:
    last = -1
    for _ in range(min(rounds, 20)):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, tmp_path], stdout=subprocess.PIPE, text=True, env=_env()
        )
        assert writer.stdout is not None
        for line in writer.stdout:
            last = int(line)
            if last % 50 == 49:
                writer.send_signal(signal.SIGKILL)
                break
        told = writer.stdout.read().split()
        last = max([last, *map(int, told[:-1])])
        writer.wait()
        writer.stdout.close()
    found = emptied(tmp_path)
    assert found[: last + 1] == lines_of(range(last + 1))
    assert found == lines_of(range(len(found)))


def test_a_file_that_was_changed_meanwhile_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk_buffer, "AHEAD", 100)
    buffer = filled(tmp_path, range(100))
    buffer.release(len(buffer.take(100, CAPACITY)))
    os.truncate(segments_of(tmp_path)[0].path, 5)
    drained: Callable[[], list[bytes]] = lambda: buffer.take(100, CAPACITY)  # noqa: E731 - called in one place
    with pytest.raises(TocsinError, match="was changed while it was in use"):
        drained()
    buffer.close()


def test_making_durable_does_not_undo_itself(tmp_path: Path) -> None:
    buffer = filled(tmp_path, range(2))
    assert buffer.is_dirty
    buffer.sync(1)
    assert not buffer.is_dirty
    buffer.append(b"x")
    buffer.sync(2)  # what is meant is durable already
    assert buffer.is_dirty
    buffer.close()
