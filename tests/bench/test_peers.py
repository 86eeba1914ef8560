"""Peers beside the engine: their answers are held to the loop's, and what is missing is told in a line."""

from __future__ import annotations

import json
import shutil
import stat
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tocsin.bench.engine import looped, table_of
from tocsin.bench.peers import jars, processes
from tocsin.bench.peers.catalogue import ESPER, PEERS, SIDDHI, Peer
from tocsin.bench.peers.jars import SHARED, SOURCES, Ready, Unavailable, make_ready
from tocsin.bench.peers.processes import PeerRecord, measure_peers
from tocsin.bench.workloads import WORKLOADS, Table, numpy_module, table
from tocsin.cli import main

SMALL = ["--scale", "0.01", "--tries", "1"]


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache in which nothing is yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "tocsin" / "peers"


def installed(monkeypatch: pytest.MonkeyPatch, *tools: str) -> None:
    """A machine on which only these tools are."""
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setattr(shutil, "which", lambda name, **_: f"/nowhere/{name}" if name in tools else None)


def told_by(answer: str, folder: Path, peer: Peer = ESPER) -> PeerRecord:
    """What is made of a peer that answers so, on a little of W4."""
    java = folder / "java"
    java.write_text(f"#!{sys.executable}\n{answer}\n", encoding="utf-8")
    java.chmod(java.stat().st_mode | stat.S_IXUSR)
    ready = Ready(peer, str(java), folder, folder)
    (found,) = measure_peers("W4", [ready], lambda _: None, scale=0.1, tries=1)
    return found


# -- what is missing ------------------------------------------------------------------------------------------------


def test_without_java_the_engine_is_measured_alone(
    cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    installed(monkeypatch)
    assert main(["bench", "engine", "W4", "--peers", *SMALL]) == 0
    told = capsys.readouterr()
    assert "W4" in told.out
    lack = "is left out: java is not installed: it needs a Java development kit, 17 or newer"
    assert told.err.splitlines() == [f"tocsin: {peer} {lack}" for peer in PEERS]
    assert not cache.exists()


def test_without_a_compiler_of_java(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, "java", "mvn")
    with pytest.raises(Unavailable, match="javac is not installed"):
        make_ready(ESPER, lambda _: None)


def test_without_maven(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, "java", "javac")
    with pytest.raises(Unavailable, match=r"mvn is not installed: it needs Maven to get com\.espertech"):
        make_ready(ESPER, lambda _: None)


def test_a_registry_that_has_it_not(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, "java", "javac")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    said: list[str] = []
    with pytest.raises(Unavailable, match=r"^pip cannot get pysiddhi==5\.1\.0: .+$"):
        make_ready(SIDDHI, said.append)
    assert said == ["Siddhi 5.1.7: fetching its jars (once)"]
    assert list((cache / "siddhi-5.1.7").iterdir()) == []


def test_a_registry_that_is_silent(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, "java", "javac")
    monkeypatch.setattr(jars, "FETCHING", 0)
    with pytest.raises(Unavailable, match="no answer within 0 s"):
        make_ready(SIDDHI, lambda _: None)


def test_the_programs_come_with_the_package() -> None:
    assert all((SOURCES / f"{name}.java").is_file() for name in (SHARED, *(peer.program for peer in PEERS)))


# -- answers --------------------------------------------------------------------------------------------------------


def test_the_same_matches_make_a_multiple(tmp_path: Path) -> None:
    _, wanted = looped("W4", table_of("W4", 0.1), 1)
    told = {"matches": wanted.matches, "checksum": wanted.checksum, "cpu_seconds": 2.0}
    found = told_by(f"print('a remark')\nprint('{json.dumps(told)}')", tmp_path)
    assert found.checksum_ok
    assert found.times_the_loop is not None
    assert found.times_the_loop > 0
    assert (found.events, found.events_of_workload, found.remark) == (20_000, 20_000, "")
    assert found.as_json()["events_per_cpu_second"] == 10_000
    assert found.line().endswith("x the loop")


def test_other_matches_make_none(tmp_path: Path) -> None:
    _, wanted = looped("W4", table_of("W4", 0.1), 1)
    fewer = told_by("""print('{"matches": 3, "checksum": 5, "cpu_seconds": 2.0}')""", tmp_path)
    assert fewer.times_the_loop is None
    assert fewer.line().endswith(f"gives 3 of {wanted.matches:,} matches")
    told = {"matches": wanted.matches, "checksum": 5, "cpu_seconds": 2.0}
    others = told_by(f"print('{json.dumps(told)}')", tmp_path)
    assert others.times_the_loop is None
    assert others.line().endswith("gives as many matches, but not the same")


def test_a_peer_that_fails_says_why(tmp_path: Path) -> None:
    found = told_by("import sys\nsys.exit('Exception in thread main: no room\\n  at Some.line')", tmp_path)
    assert found.remark == "failed: Exception in thread main: no room"
    assert found.as_json()["cpu_seconds"] is None


def test_a_peer_that_takes_too_long_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "RUNNING", 0.2)
    assert told_by("import time\ntime.sleep(60)", tmp_path).remark == "not done within 0.2 s"


def test_a_slow_peer_gets_the_first_events(tmp_path: Path) -> None:
    _, wanted = looped("W4", processes._first(table_of("W4", 0.1), 9_000), 1)
    told = {"matches": wanted.matches, "checksum": wanted.checksum, "cpu_seconds": 2.0}
    slow = Peer("Slow", "1", "SlowPeer", ESPER.source, {"W4": 9_000})
    found = told_by(f"print('{json.dumps(told)}')", tmp_path, slow)
    assert found.checksum_ok
    assert found.line().endswith("the first 9,000 events")


# -- the command ----------------------------------------------------------------------------------------------------


def test_peers_go_with_the_engine(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "replay", "W1", "--peers"]) == 2
    assert "--peers goes with engine" in capsys.readouterr().err


def test_a_workload_that_no_peer_has() -> None:
    ready = Ready(ESPER, "java", Path(), Path())
    said: list[str] = []
    assert list(measure_peers("W6", [ready], said.append, scale=0.01, tries=1)) == []
    assert said == ["W6: no peer is run on it"]


# -- the peers themselves -------------------------------------------------------------------------------------------


def spread(name: str, _: float) -> Table:
    """2,000 events of a workload, of few keys and just 50 ms apart: a window ends between them, and right on some."""
    given = table(WORKLOADS[name].shape, 2_000, keys={"W1": 10, "W3": 8, "W4": 20, "W5": 50}[name])
    return replace(given, times=numpy_module().arange(1, 2_001) * 50_000)


@pytest.mark.slow
@pytest.mark.timeout(900)  # the first time, what is fetched may be hundreds of megabytes
@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
def test_a_peer_lists_what_the_loop_lists(peer: Peer, monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        ready = make_ready(peer, lambda _: None)
    except Unavailable as lack:
        pytest.skip(f"{peer}: {lack}")
    monkeypatch.setattr(processes, "WARMING", 10**9)  # no warming up: it is the answers that count
    monkeypatch.setattr(processes, "table_of", spread)
    # W2 has the rule of W1; the 100 rules of W5 take the others half a minute and more to build.
    for name in ("W1", "W3", "W4", "W5") if peer is SIDDHI else ("W1", "W3", "W4"):
        (found,) = measure_peers(name, [ready], lambda _: None, scale=1, tries=1)
        assert (found.remark, found.checksum_ok) == ("", True)
        assert found.matches > 0
