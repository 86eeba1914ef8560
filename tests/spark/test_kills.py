"""A stream whose driver or executors are killed finds the same, each once. The long version is `make chaos`.

Half of the kills come at any moment, the others between the writing of a file and the commit of the micro-batch it
belongs to: the test watches the directories.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.spark.events import STREAMED, closing, expected, mixed_up, rows, written
from tests.spark.java import QUICK

KILLS = int(os.environ.get("TOCSIN_KILLS", "2"))
EXECUTOR_KILLS = max(1, KILLS // 4)
ROOT = Path(__file__).resolve().parents[2]
EXECUTOR = b"CoarseGrainedExecutorBackend"

ANY = ""
"""Any moment; the others are files that are written before a micro-batch is committed."""
OFFSETS, STATE, OUTPUT, LISTED = "checkpoint/offsets", "checkpoint/state", "out", "out/_spark_metadata"
SHARDS = "shards"


def _in_halves(kills: int) -> list[Any]:
    """With the state in files, and without."""
    halves = (("files", kills - kills // 2), ("store", kills // 2))
    return [pytest.param(way == "files", count, id=f"{way}-{count}") for way, count in halves if count]


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("with_files", "kills"), _in_halves(KILLS))
def test_a_killed_driver_goes_on_where_it_was(spark: Any, tmp_path: Path, with_files: bool, kills: int) -> None:
    given = _given(tmp_path, kills)
    random = Random(kills)
    within: list[str] = []
    for moment in islice(_moments(with_files), kills):
        with _driver(tmp_path, with_files) as process:
            _pass_batches(process, random.randrange(1, 4))
            _await(moment, tmp_path, process, random)
            assert process.poll() is None, "it must not be done before it is killed"
            os.killpg(process.pid, signal.SIGKILL)
        within += [moment] * _is_open(tmp_path)
    with _driver(tmp_path, with_files) as process:
        _run_to_its_end(process, tmp_path)
    print(f"{kills} kills of a driver, {_told(within)}")
    _compare(spark, tmp_path, given)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("with_files", "kills"), _in_halves(EXECUTOR_KILLS))
def test_a_killed_executor_is_replaced(spark: Any, tmp_path: Path, with_files: bool, kills: int) -> None:
    given = _given(tmp_path, kills)
    random = Random(kills)
    within: list[str] = []
    with _driver(tmp_path, with_files, "--master", "local-cluster[2,1,1024]") as process:
        for moment in islice(_moments(with_files), kills):
            _pass_batches(process, random.randrange(1, 4))
            _await(moment, tmp_path, process, random)
            assert process.poll() is None, "it must not be done before an executor is killed"
            within += [moment] * _is_open(tmp_path)
            os.kill(random.choice(_executors(process)), signal.SIGKILL)
        _run_to_its_end(process, tmp_path)
    print(f"{kills} kills of an executor, {_told(within)}")
    _compare(spark, tmp_path, given)


def _given(folder: Path, kills: int) -> list[dict[str, Any]]:
    """Events that arrive in files, a micro-batch each: so many that there is something left to do at every kill."""
    given = rows(100 + kills * 125, seed=9)
    arriving = mixed_up(given, 4, 3)
    written(folder / "in", [*(arriving[start : start + 25] for start in range(0, len(given), 25)), [closing()]])
    return given


def _told(within: list[str]) -> str:
    after = [moment for moment in within if moment != ANY]
    return f"{len(within)} within a micro-batch, of which {len(after)} right after a new file: {', '.join(after)}"


def _compare(spark: Any, folder: Path, given: list[dict[str, Any]]) -> None:
    made = [row["id"] for row in spark.read.parquet(str(folder / "out")).select("id").collect()]
    assert sorted(made) == sorted(expected(given, STREAMED))


# -- processes --------------------------------------------------------------------------------------------------


@contextmanager
def _driver(folder: Path, with_files: bool, *options: str) -> Iterator[subprocess.Popen[str]]:
    """A driver at work, in a session of its own, of which nothing is left afterwards."""
    command = [sys.executable, "-m", "tests.spark.driver", str(folder), *options, *(["--files"] if with_files else [])]
    with process_of(command, folder, os.environ | {"JAVA_TOOL_OPTIONS": QUICK}) as process:
        yield process


@contextmanager
def process_of(command: list[str], folder: Path, environment: Mapping[str, str]) -> Iterator[subprocess.Popen[str]]:
    """A process in a session of its own, of which nothing is left afterwards."""
    with open(folder / "errors", "ab") as errors:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            start_new_session=True,  # Spark's workers have groups of their own, but stay in the session
        )
    try:
        yield process
    finally:
        assert process.stdout is not None
        while left := _of_session(process.pid):
            for each in left:
                with suppress(ProcessLookupError):  # it has ended by itself
                    os.kill(each, signal.SIGKILL)
            process.poll()
            time.sleep(0.01)
        process.stdout.close()
        process.wait()


def _pass_batches(process: subprocess.Popen[str], count: int) -> None:
    """Waits for so many micro-batches."""
    assert process.stdout is not None
    while count and (line := process.stdout.readline()):
        count -= line.startswith("batch")


def _run_to_its_end(process: subprocess.Popen[str], folder: Path) -> None:
    assert process.stdout is not None
    process.stdout.read()
    assert process.wait() == 0, (folder / "errors").read_text()[-4000:]


def _of_session(session: int) -> list[int]:
    """The processes of a session: also those that have a group of their own, as Spark's workers have."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, its_session = path.read_text().rpartition(")")[2].split()[:4]
        except OSError:
            continue  # it has just ended
        if int(its_session) == session and state != "Z":
            found.append(int(path.parent.name))
    return found


def _executors(driver: subprocess.Popen[str]) -> list[int]:
    """The executors of a driver; there is one before long."""
    while driver.poll() is None:
        found = [each for each in _of_session(driver.pid) if EXECUTOR in _command(each)]
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError("the driver has ended")


def _command(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


# -- moments ----------------------------------------------------------------------------------------------------


def _moments(with_files: bool) -> Iterator[str]:
    """Every other one any moment; the rest after each kind of file in turn."""
    kinds = (SHARDS, STATE, LISTED, OUTPUT) if with_files else (STATE, OUTPUT, LISTED, OFFSETS)
    for kind in cycle(kinds):
        yield from (kind, ANY) if with_files else (ANY, kind)


def _await(moment: str, folder: Path, driver: subprocess.Popen[str], random: Random) -> None:
    """Waits for a moment, unless the driver ends before."""
    if moment == ANY:
        time.sleep(random.random())
        return
    before = _files(folder / moment)
    while driver.poll() is None and not (_is_open(folder) and _files(folder / moment) - before):
        time.sleep(0.001)


def _files(folder: Path) -> set[str]:
    """The files in a directory; those that are not finished are told by their names."""
    return {
        os.path.join(home, name)
        for home, _, names in os.walk(folder)
        for name in names
        if not name.startswith(".") and not name.endswith((".part", ".tmp"))
    }


def _is_open(folder: Path) -> bool:
    """Whether a micro-batch has begun that is not committed."""
    begun, committed = (
        {path.name for path in (folder / "checkpoint" / name).glob("[0-9]*")} for name in ("offsets", "commits")
    )
    return bool(begun - committed)
