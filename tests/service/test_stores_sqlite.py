"""SQLite's own: layouts, damage, a full disk, backups, who may read the file."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service.stores import events, found, full, positions, pruned
from tocsin.errors import SnapshotError, UsageError
from tocsin.service.records import Snapshot, Writes
from tocsin.service.store import Search, StoreDamaged, StoreError, StoreTaken

apsw = pytest.importorskip("apsw", reason="apsw is not installed")

from tocsin.service.store import sqlite  # noqa: E402 - only where apsw is
from tocsin.service.store.checkpoints import Checkpoints  # noqa: E402
from tocsin.service.store.sqlite import VERSION as LAYOUT  # noqa: E402
from tocsin.service.store.sqlite import SqliteStore  # noqa: E402


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "kept" / "store.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(str(path))
    store.acquire()
    store.commit(full())
    yield store
    store.close()


def test_nothing_is_written_before_it_is_acquired(path: Path) -> None:
    with pytest.raises(StoreError, match="is it there"):
        SqliteStore(str(path)).latest()
    assert not path.parent.exists()


def test_nobody_else_may_read_it(store: SqliteStore, path: Path) -> None:
    for each in (path, Path(f"{path}-wal"), Path(f"{path}-shm")):
        assert each.stat().st_mode & 0o077 == 0


def test_a_commit_is_made_to_last(store: SqliteStore) -> None:
    assert store._rows("PRAGMA journal_mode") == [("wal",)]
    assert store._rows("PRAGMA synchronous") == [(2,)]  # full: the log is synchronised at each commit


def test_another_process_is_told_and_a_dead_one_leaves_no_lock(path: Path) -> None:
    code = (
        "import sys, os; from tocsin.service.store import open_store; store = open_store(sys.argv[1]);"
        "store.acquire(); print('acquired', flush=True); sys.stdin.read()"
    )
    source = str(Path(sqlite.__file__).parents[3])
    other = subprocess.Popen(
        [sys.executable, "-c", code, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": source},
    )
    assert other.stdout is not None
    assert other.stdin is not None
    assert other.stdout.readline() == b"acquired\n"
    store = SqliteStore(str(path))
    with pytest.raises(StoreTaken, match="--standby"):
        store.acquire()
    other.kill()
    other.wait()
    other.stdout.close()
    other.stdin.close()
    store.acquire()
    store.commit(full())
    store.close()


# -- layouts ---------------------------------------------------------------------------------------------------------------


def test_an_older_layout_is_upgraded_with_what_is_in_it(
    store: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.close()
    monkeypatch.setattr(sqlite, "VERSION", LAYOUT + 2)
    steps = {
        LAYOUT: "ALTER TABLE keys ADD COLUMN note TEXT",
        LAYOUT + 1: "CREATE TABLE notes (n); INSERT INTO notes SELECT id FROM keys",
    }
    monkeypatch.setattr(sqlite, "UPGRADES", {**sqlite.UPGRADES, **steps})
    told = rf"older layout \({LAYOUT}, ours {LAYOUT + 2}\): the service sets that right when it starts"
    with pytest.raises(StoreError, match=told):
        SqliteStore(str(path), read_only=True).latest()
    store.acquire()
    assert store._rows("SELECT n FROM notes") == [("k1",)]
    assert store.entries(0, 10) == full().entries
    store.commit(full(2))
    store.close()
    assert SqliteStore(str(path), read_only=True).latest().serial == 2


def test_a_store_of_the_first_layout_knows_its_sizes(path: Path) -> None:
    path.parent.mkdir()
    old = apsw.Connection(str(path))
    old.execute(sqlite.UPGRADES[0])
    old.execute(
        "INSERT INTO log VALUES (1, 'events', 5, '', 1, 1, 5, 5, '', x'010203'), (2, 'change', 6, '', 0, 0, 0, 0, '', x'01')"
    )
    old.execute("INSERT INTO found VALUES (1, 'd', 'r', 'r1', 'r', 7, 8, 1, x'0102030405')")
    old.execute("INSERT INTO audit VALUES (1, 9, 'ann', 'request.create', 'r1', 'done', '')")
    old.pragma("user_version", 1)
    old.pragma("application_id", sqlite.APPLICATION)
    old.close()
    store = SqliteStore(str(path))
    store.acquire()
    assert store.sizes()[:2] == (3, 5)
    assert store.sizes()[3:] == (5, 8, 9)
    (record,) = store.audit()
    assert (record.actor, record.credential, record.address) == ("ann", "", "")
    store.commit(full())
    assert store.sizes().events == 3 + 2 * len(b'{"type": "door"}\n' * 2)
    store.close()


def test_an_upgrade_that_fails_changes_nothing(store: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store.close()
    with monkeypatch.context() as patch:
        patch.setattr(sqlite, "VERSION", LAYOUT + 2)
        steps = {LAYOUT: "CREATE TABLE notes (n)", LAYOUT + 1: "INSERT INTO nowhere VALUES (1)"}
        patch.setattr(sqlite, "UPGRADES", steps)
        with pytest.raises(StoreError, match="nowhere"):
            store.acquire()
    store.acquire()
    assert store._rows("SELECT name FROM sqlite_schema WHERE name = 'notes'") == []
    assert store.latest().serial == 1


def test_a_later_layout_is_refused_and_left_alone(
    store: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.close()
    kept = path.read_bytes()
    monkeypatch.setattr(sqlite, "VERSION", 0)
    for each in (SqliteStore(str(path)), SqliteStore(str(path), read_only=True)):
        with pytest.raises(SnapshotError, match=rf"later release \(layout {LAYOUT}, ours 0\)"):
            each.latest() if each._read_only else each.acquire()
    assert path.read_bytes() == kept
    monkeypatch.undo()
    store.acquire()  # whoever was refused holds no lock


# -- faults ----------------------------------------------------------------------------------------------------------------


def test_what_is_no_database_is_refused(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"nothing of the kind " * 500)
    with pytest.raises(StoreDamaged, match=r"damaged .*: put a backup in its place"):
        SqliteStore(str(path)).acquire()
    assert path.read_bytes() == b"nothing of the kind " * 500


def test_a_database_of_another_program_is_refused(path: Path) -> None:
    path.parent.mkdir()
    with apsw.Connection(str(path)) as other:
        other.execute("CREATE TABLE theirs (n)")
    other.close()
    with pytest.raises(UsageError, match="another program"):
        SqliteStore(str(path)).acquire()


def test_damage_within_is_told(store: SqliteStore, path: Path) -> None:
    store.commit(Writes(2, [events(at, count=100) for at in range(20, 400)]))
    store.close()
    with open(path, "r+b") as file:
        file.seek(3 * 4096)
        file.write(b"\xa5" * (path.stat().st_size - 4 * 4096))
    store.acquire()
    with pytest.raises(StoreDamaged, match="put a backup in its place"):
        store.entries(0, 10_000)


def test_a_damaged_snapshot_is_not_used(store: SqliteStore) -> None:
    store.save(Snapshot(1, 1, b"what rules remember"))
    with store._transaction() as db:
        db.execute("UPDATE snapshots SET body = ?", (b"what rules rememben",))
    with pytest.raises(SnapshotError, match="damaged"):
        store.snapshot()


def test_a_full_disk_is_told_and_nothing_is_half_done(store: SqliteStore) -> None:
    pages = store._rows("PRAGMA page_count")[0][0]
    store._rows(f"PRAGMA max_page_count = {pages + 20}")
    big = Writes(2, [events(20, count=10_000)], [found(20)], audit=full().audit)
    for _ in range(2):
        with pytest.raises(StoreError, match="is full: make room"):
            store.commit(big)
        assert store.latest().serial == 1
        assert len(store.audit()) == len(full().audit)
    store.commit(Writes(2, refused=full().refused))  # what fits goes on
    store._rows("PRAGMA max_page_count = 1000000")
    store.commit(Writes(3, big.entries))
    assert positions(store.entries(12, 10)) == [20]


def test_a_full_snapshot_leaves_the_one_before(store: SqliteStore) -> None:
    store.save(Snapshot(1, 1, b"small"))
    pages = store._rows("PRAGMA page_count")[0][0]
    store._rows(f"PRAGMA max_page_count = {pages + 20}")
    with pytest.raises(StoreError, match="is full"):
        store.save(Snapshot(2, 2, bytes(10**6)))
    assert store.snapshot() == Snapshot(1, 1, b"small")


def test_a_limit_of_the_file_system_is_told(path: Path) -> None:
    """The real error path: the system refuses to let the file grow (in another process, for limits are for good)."""
    code = """
import resource, signal, sys
from tests.service.stores import events, full
from tocsin.service.records import Writes
from tocsin.service.store import StoreError, open_store
store = open_store(sys.argv[1]); store.acquire(); store.commit(full())
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, resource.RLIM_INFINITY))
big = Writes(2, [events(20, count=60_000)])
try:
    store.commit(big)
except StoreError as error:
    print(error)
print(store.latest().serial)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
store.commit(big)
print(store.latest().serial, len(store.entries(0, 100)))
store.close()
"""
    root = Path(__file__).parents[2]
    source = Path(sqlite.__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": f"{source}{os.pathsep}{root}"},
    )
    assert done.returncode == 0, done.stderr
    told, before, after = done.stdout.splitlines()
    assert "the disk does not read or write" in told or "is full" in told
    assert (before, after) == ("1", "2 4")


def test_a_folder_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=r"cannot be opened: .*[Ff]ile"):
        SqliteStore(str(tmp_path / "file" / "store.db")).acquire()


def test_who_writes_beside_it_is_noticed(store: SqliteStore) -> None:
    with store._transaction() as db:
        db.execute(
            "INSERT INTO log SELECT 20, kind, arrival, actor, count, first, low, high, types, body FROM log LIMIT 1"
        )
    with pytest.raises(StoreTaken, match="another service has written"):
        store.commit(full(2))
    assert store.latest().serial == 1


# -- backups ---------------------------------------------------------------------------------------------------------------


def test_a_backup_is_a_store(store: SqliteStore, path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    reader = SqliteStore(str(path), read_only=True)
    reader.backup(str(copy))
    store.commit(full(2))
    reader.close()
    assert copy.stat().st_mode & 0o077 == 0
    assert [each.name for each in tmp_path.iterdir() if "part" in each.name] == []
    restored = SqliteStore(str(copy))
    restored.acquire()
    assert restored.latest().serial == 1
    assert restored.entries(0, 10) == full().entries
    restored.commit(full(2))
    assert restored.found(Search()) == store.found(Search())
    restored.close()


def test_a_backup_overwrites_nothing(store: SqliteStore, path: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="a backup is a new file"):
        store.backup(str(path))
    with pytest.raises(StoreError, match="cannot be written"):
        store.backup(str(tmp_path / "nowhere" / "copy.db"))
    assert store.latest().serial == 1


# -- checkpoints -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("due", "most"), [(1, 10**9), (10**9, 1)], ids=["by the thread", "by a commit"])
def test_what_is_committed_is_moved_into_the_file(store: SqliteStore, path: Path, due: int, most: int) -> None:
    store._checkpoints.stop()
    store._checkpoints = Checkpoints(path, store._opened(), due=due, most=most)
    before = path.stat().st_size
    for serial in range(2, 40):
        store.commit(Writes(serial, [events(serial + 20, count=500)]))
    store._checkpoints.stop()
    assert path.stat().st_size > before + 100_000
    if most == 1:
        assert Path(f"{path}-wal").stat().st_size < 200_000  # each commit begins the log anew


# -- costs -----------------------------------------------------------------------------------------------------------------


def test_searches_and_forgetting_read_what_they_need(store: SqliteStore) -> None:
    """By time and kind neither goes through the log: their plans say so."""
    store.commit(Writes(2, [events(at) for at in range(20, 6000)]))
    asked: list[str] = []
    db = store._opened()
    db.trace_v2(apsw.SQLITE_TRACE_STMT, lambda trace: asked.append(trace["sql"]))
    store.events(Search(since=590_000))
    store.entries(0, 5, kind="change")
    pruned(store, events_before=3000)
    db.trace_v2(0)
    plans = [
        " ".join(row[3] for row in db.execute(f"EXPLAIN QUERY PLAN {sql}", (0,) * sql.count("?")))
        for sql in asked
        if " log" in sql
    ]
    assert plans
    assert not any("SCAN log" in plan and "INDEX" not in plan for plan in plans), plans
