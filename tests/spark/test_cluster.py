"""The job of the page about clusters, submitted to a master and two workers of this machine, finds what one engine does."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

import tocsin as tc
from tests.spark.events import as_given, closing, rows
from tests.spark.java import QUICK

PAGE = Path(__file__).resolve().parents[2] / "docs" / "clusters.md"
RULES = """rules:
  - {name: pair, language: eps, expression: "x:a ; y:b", condition: "x.host == y.host", window: 1 min}
  - {name: quiet, language: sel, expression: "(x:a -> !(y:b if y.host == x.host)) in 5 s"}
  - {name: loose, language: eps, expression: "x:a ; y:c", window: 3 s}
"""
"""To Java: what runs for a minute need not be compiled well."""


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_submitted_job(tmp_path: Path) -> None:
    home = _spark()
    given = rows(400)
    _write(tmp_path / "events", given)
    (tmp_path / "rules.yaml").write_text(RULES)
    (tmp_path / "job.py").write_text(re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)[0])
    with _cluster(home, tmp_path) as master:
        job = [str(tmp_path / name) for name in ("job.py", "rules.yaml", "events", "found")]
        package = str(Path(tc.__file__).parents[1])  # absolute: the workers are in other directories
        settings = {
            "spark.pyspark.python": sys.executable,
            "spark.executorEnv.PYTHONPATH": package,
            "spark.sql.shuffle.partitions": "2",
            "spark.cores.max": "2",
            "spark.driver.host": "127.0.0.1",
            "spark.ui.enabled": "false",
        }
        options = [word for name, value in settings.items() for word in ("--conf", f"{name}={value}")]
        environment = _environment() | {"PYTHONPATH": package}
        command = [home / "bin" / "spark-submit", "--master", master, *options, *job]
        _run(command, environment, tmp_path / "job.log")
    wanted = sorted(one.id for one in tc.detect(tmp_path / "rules.yaml", [as_given(row) for row in given]))
    assert wanted
    assert _ids(tmp_path / "found" / "table") == wanted
    assert _ids(tmp_path / "found" / "stream") == wanted
    for name in ("worker0", "worker1"):
        assert list((tmp_path / name).glob("app-*/*")), f"{name} had nothing to do"


def _spark() -> Path:
    """Where Spark is installed."""
    pyspark = pytest.importorskip("pyspark", reason="pyspark is not installed")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java 17, which is not installed")
    return Path(pyspark.__file__).parent


def _write(folder: Path, given: list[dict[str, Any]]) -> None:
    """The events in two files, and one after the end of all: so nothing is held back by the watermark."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder.mkdir()
    table, half = pa.Table.from_pylist([*given, closing()]), len(given) // 2
    for number, some in enumerate((table[:half], table[half:-1], table[-1:])):
        path = folder / f"{number}.parquet"
        pq.write_table(some, path)
        os.utime(path, (1_000_000 + number,) * 2)  # files are read in the order of their ages


def _ids(folder: Path) -> list[str]:
    """What was found. No task failed, so that there are no files which Spark would leave out."""
    import pyarrow.parquet as pq

    return sorted(name for path in folder.glob("*.parquet") for name in pq.read_table(path)["id"].to_pylist())


# -- processes --------------------------------------------------------------------------------------------------


def _environment() -> dict[str, str]:
    """This one's without what leads to the package: workers are told where it is by the job."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "SPARK_HOME")}
    return kept | {"SPARK_LOCAL_IP": "127.0.0.1", "JAVA_TOOL_OPTIONS": QUICK}


def _run(command: list[Any], environment: dict[str, str], log: Path) -> None:
    """Runs a command to its end, and nothing that it began goes on after it."""
    with open(log, "wb") as output:
        process = subprocess.Popen(
            command, env=environment, stdout=output, stderr=subprocess.STDOUT, start_new_session=True
        )
    try:
        code = process.wait()
    finally:
        _kill(process)
    assert code == 0, log.read_text()[-4000:]


@contextmanager
def _cluster(home: Path, folder: Path) -> Iterator[str]:
    """A master and two workers with a core each; the address of the master."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    address = f"spark://127.0.0.1:{port}"
    anywhere = ["--host", "127.0.0.1", "--webui-port", "0"]
    started: list[subprocess.Popen[bytes]] = []

    def start(name: str, *words: str) -> None:
        with open(folder / f"{name}.log", "wb") as log:
            command = [home / "bin" / "spark-class", f"org.apache.spark.deploy.{words[0]}", *anywhere, *words[1:]]
            started.append(
                subprocess.Popen(
                    command, env=_environment(), stdout=log, stderr=subprocess.STDOUT, start_new_session=True
                )
            )

    try:
        start("master", "master.Master", "--port", str(port))
        _await_port(port, started[0])
        for number in range(2):
            worker = ("--cores", "1", "--memory", "1g", "--work-dir", str(folder / f"worker{number}"), address)
            start(f"worker{number}.process", "worker.Worker", *worker)
        yield address
    finally:
        for process in reversed(started):
            _kill(process)


def _await_port(port: int, process: subprocess.Popen[bytes]) -> None:
    while process.poll() is None:
        with socket.socket() as trial:
            if trial.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise AssertionError("the master has ended")


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Ends a process with all that it began: executors are children of workers, and Python's workers of theirs."""
    while left := [each for each in map(_member, Path("/proc").glob("[0-9]*/stat")) if each[1] == process.pid]:
        for pid, _ in left:
            with suppress(ProcessLookupError):  # it has ended by itself
                os.kill(pid, signal.SIGKILL)
        process.poll()
        time.sleep(0.01)
    process.wait()


def _member(path: Path) -> tuple[int, int]:
    """A process and its session, which is 0 for those that have ended."""
    try:
        state, _, _, session = path.read_text().rpartition(")")[2].split()[:4]
    except OSError:
        return 0, 0
    return int(path.parent.name), 0 if state == "Z" else int(session)
