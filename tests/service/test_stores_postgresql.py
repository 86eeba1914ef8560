"""PostgreSQL's own: a server that goes away and comes back, a lock that is lost, secrets, layouts."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.service.stores import Place, events, full, place_of, positions
from tocsin.bench.brokers.postgresql import PASSWORD, Postgresql
from tocsin.errors import SnapshotError, UsageError
from tocsin.service.records import Snapshot, Writes
from tocsin.service.store import Store, StoreDamaged, StoreError, StoreTaken, open_store

pytest.importorskip("asyncpg", reason="asyncpg is not installed")

from tocsin.service.store import postgresql as module
from tocsin.service.store.postgresql import VERSION as LAYOUT
from tocsin.service.store.postgresql import PostgresqlStore


@pytest.fixture
def place(postgresql: Postgresql, tmp_path: object) -> Iterator[Place]:
    with place_of("postgresql", tmp_path, lambda: postgresql) as place:  # type: ignore[arg-type]
        yield place


@pytest.fixture
def store(place: Place) -> PostgresqlStore:
    store = place.acquired()
    store.commit(full())
    assert isinstance(store, PostgresqlStore)
    return store


def end_sessions(by: Store) -> None:
    """Ends all sessions of stores but that of the one who asks, as an administrator or a network can."""
    assert isinstance(by, PostgresqlStore)
    mine = "pid != pg_backend_pid() AND application_name = 'tocsin'"
    by._rows(f"SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE {mine}")


# -- going away ------------------------------------------------------------------------------------------------------------


def test_a_server_that_is_killed_and_comes_back(store: Store, postgresql: Postgresql) -> None:
    postgresql.kill()
    for _ in range(2):
        with pytest.raises(StoreError, match=r"127\.0\.0\.1"):
            store.commit(full(2))
    with pytest.raises(StoreError):
        store.latest()
    postgresql.start()
    store.commit(full(2))
    assert store.latest().serial == 2
    assert positions(store.entries(0, 10)) == [10, 11, 12, 20, 21, 22]


def test_a_server_that_is_restarted_by_its_administrator(store: Store, postgresql: Postgresql) -> None:
    postgresql.stop()
    with pytest.raises(StoreError):
        store.save(Snapshot(1, 1, b""))
    postgresql.start()
    store.save(Snapshot(1, 1, b"kept"))
    assert store.snapshot() == Snapshot(1, 1, b"kept")
    store.commit(full(2))


def test_a_commit_that_was_done_although_nobody_heard(store: PostgresqlStore, place: Place) -> None:
    """The answer to a commit is lost with the session: the same again does nothing."""
    store.commit(full(2))
    store._serial = 1  # as if it had not been told
    end_sessions(place.open(read_only=True))
    with pytest.raises(StoreError):
        store.commit(full(2))
    store.commit(full(2))
    store.commit(full(3))
    assert positions(store.entries(12, 10)) == [20, 21, 22, 30, 31, 32]


def test_a_session_that_is_lost_is_made_again_with_its_lock(store: Store, place: Place) -> None:
    reader = place.open(read_only=True)
    end_sessions(reader)
    with pytest.raises(StoreError):
        store.latest()
    store.commit(full(2))
    with pytest.raises(StoreTaken):
        place.open().acquire()
    assert reader.latest().serial == 2


def test_a_session_the_server_still_believes_in_gives_way(store: PostgresqlStore, place: Place) -> None:
    """The network was cut: here the session is gone, there it still holds the lock, and takes its time to end."""
    lost, (process, _) = store._connection, store._session
    store._connection = None
    os.kill(process, signal.SIGSTOP)
    with ThreadPoolExecutor(1) as beside:
        committed = beside.submit(store.commit, full(2))
        watching = place.open(read_only=True)
        assert isinstance(watching, PostgresqlStore)
        ending = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'BackendTermination'"
        while not watching._rows(ending) and not committed.done():
            pass
        os.kill(process, signal.SIGCONT)
        committed.result()
    assert store.latest().serial == 2
    lost.terminate()


def test_it_can_be_used_where_an_event_loop_runs(place: Place) -> None:
    async def used() -> int:
        store = place.acquired()
        store.commit(full())
        serial = store.latest().serial
        store.close()
        return serial

    assert asyncio.run(used()) == 1


# -- one writer ------------------------------------------------------------------------------------------------------------


def test_who_was_cut_off_steps_down_when_another_has_taken_over(store: Store, place: Place) -> None:
    end_sessions(place.open(read_only=True))
    second = place.acquired()
    with pytest.raises(StoreError):  # it does not know yet
        store.commit(full(2))
    for _ in range(2):
        with pytest.raises(StoreTaken, match="another service writes"):
            store.commit(full(2))
    with pytest.raises(StoreTaken):
        store.save(Snapshot(1, 1, b""))
    with pytest.raises(StoreTaken):
        store.prune(events_before=10**9, found_before=10**9, keep_from=10**9)
    assert second.latest().serial == 1
    second.commit(full(2))
    store.close()
    second.close()
    store.acquire()  # in its turn it may
    store.commit(full(3))


def test_who_was_cut_off_cannot_take_the_others_writes_for_its_own(store: Store, place: Place) -> None:
    """The other one has written, with the same serial, and has gone: what we had to write is not there."""
    end_sessions(place.open(read_only=True))
    second = place.acquired()
    second.commit(Writes(2, [events(20)]))
    second.close()
    with pytest.raises(StoreError):
        store.commit(full(2))
    with pytest.raises(StoreTaken):
        store.commit(full(2))


def test_a_writer_that_was_not_cut_off_but_replaced_is_stopped(store: PostgresqlStore, place: Place) -> None:
    """Locks alone are not relied on: whoever acquires the store counts up, and only the last one writes."""
    reader = place.open(read_only=True)
    assert reader.latest().serial == 1
    store._rows("UPDATE state SET writer = writer + 1 RETURNING writer")
    with pytest.raises(StoreTaken):
        store.commit(full(2))
    assert reader.latest().serial == 1


def test_an_older_copy_in_its_place_is_noticed(store: PostgresqlStore, place: Place) -> None:
    store.commit(full(2))
    store._rows("UPDATE state SET serial = 1 RETURNING serial")
    end_sessions(place.open(read_only=True))
    with pytest.raises(StoreError):
        store.latest()
    with pytest.raises(StoreDamaged, match=r"gone back: it lacks what was acknowledged \(writes 2 to 2\)"):
        store.commit(full(3))


def test_schemas_are_stores_apart(store: Store, postgresql: Postgresql, place: Place) -> None:
    other = open_store(postgresql.store_url("another"))
    other.acquire()
    assert other.latest().serial == 0
    other.close()


# -- what is said ----------------------------------------------------------------------------------------------------------


def test_a_password_is_never_shown(postgresql: Postgresql, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = postgresql.store_url("x").replace(PASSWORD, "wr%6Fng-secret")
    with pytest.raises(StoreError, match="password") as told:
        open_store(wrong).acquire()
    assert "secret" not in str(told.value)
    assert told.value.__cause__ is None
    for bad in (
        "postgresql://u:secret@h:port/db?schema=a",
        "postgresql://u:secret@[h/db",
        "postgresql://u:secret@h/db?x",
    ):
        with pytest.raises((UsageError, StoreError)) as refused:
            open_store(bad).acquire()
        assert "secret" not in str(refused.value)


def test_a_password_of_the_environment_or_given_apart(postgresql: Postgresql, monkeypatch: pytest.MonkeyPatch) -> None:
    bare = postgresql.store_url("x").replace(f":{PASSWORD}", "")
    given = open_store(bare, password=PASSWORD)
    given.acquire()
    given.close()
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    store = open_store(bare)
    store.acquire()
    store.close()


def test_a_database_that_is_not_there(postgresql: Postgresql) -> None:
    store = open_store(postgresql.store_url("x").replace("/postgres?", "/nowhere?"))
    with pytest.raises(StoreError, match='database "nowhere" does not exist: createdb'):
        store.acquire()
    store.close()


def test_a_server_that_is_not_there() -> None:
    store = open_store("postgresql://someone@127.0.0.1:1/db")
    with pytest.raises(StoreError, match=r"postgresql://127\.0\.0\.1:1/db: .*refused"):
        store.acquire()
    store.close()


def test_a_schema_is_called_as_it_can_be(postgresql: Postgresql) -> None:
    for name in ('a"; DROP TABLE x; --', "A", "1", ""):
        with pytest.raises(UsageError, match="a schema is called"):
            open_store(postgresql.store_url(name.replace(";", "%3B").replace(" ", "%20")))


def test_nothing_is_there_before_it_is_acquired(postgresql: Postgresql) -> None:
    store = open_store(postgresql.store_url("not_yet"))
    with pytest.raises(StoreError, match="has no tables yet: the service sets that right"):
        store.latest()
    store.close()


def test_a_reader_cannot_write(store: Store, place: Place) -> None:
    reader = place.open(read_only=True)
    assert isinstance(reader, PostgresqlStore)
    with pytest.raises(StoreError, match="read-only"):
        reader._rows("DELETE FROM log RETURNING 1")
    assert reader.latest().serial == 1


def test_a_backup_is_pg_dumps(store: Store) -> None:
    with pytest.raises(UsageError, match=r"pg_dump .*--schema=store\d+"):
        store.backup("copy")


def test_a_damaged_snapshot_is_not_used(store: PostgresqlStore) -> None:
    store.save(Snapshot(1, 1, b"what rules remember"))
    store._rows("UPDATE snapshots SET body = 'something else' RETURNING 1")
    with pytest.raises(SnapshotError, match="damaged"):
        store.snapshot()


# -- layouts ---------------------------------------------------------------------------------------------------------------


def test_an_older_layout_is_upgraded_with_what_is_in_it(
    store: PostgresqlStore, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.close()
    steps = {LAYOUT: "ALTER TABLE keys ADD COLUMN note text", LAYOUT + 1: "CREATE TABLE notes AS SELECT id FROM keys"}
    monkeypatch.setattr(module, "VERSION", LAYOUT + 2)
    monkeypatch.setattr(module, "UPGRADES", {**module.UPGRADES, **steps})
    with pytest.raises(StoreError, match=rf"older layout \({LAYOUT}, ours {LAYOUT + 2}\)"):
        place.open(read_only=True).latest()
    store.acquire()
    assert [tuple(row) for row in store._rows("SELECT id FROM notes")] == [("k1",)]
    assert store.entries(0, 10) == full().entries
    store.commit(full(2))
    monkeypatch.undo()
    store.close()
    with pytest.raises(SnapshotError, match=rf"later release \(layout {LAYOUT + 2}, ours {LAYOUT}\)"):
        store.acquire()
    with pytest.raises(SnapshotError, match="later release"):
        place.open(read_only=True).latest()


def test_a_store_of_the_first_layout_knows_its_sizes(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(module, "VERSION", 1)
        store = place.acquired()
        assert isinstance(store, PostgresqlStore)
        for sql in (
            "INSERT INTO log VALUES (1, 'events', 5, '', 1, 1, 5, 5, '', 'abc'), (2, 'change', 6, '', 0, 0, 0, 0, '', 'a')",
            "INSERT INTO found VALUES (1, 'd', 'r', 'r1', 'r', 7, 8, 1, 'abcde')",
            "INSERT INTO audit (at, actor, action, subject, outcome, details) VALUES (9, 'ann', 'x', 'r1', 'done', '')",
        ):
            store._rows(f"{sql} RETURNING 1")
        store.close()
    store.acquire()
    assert store.sizes()[:2] == (3, 5)
    assert store.sizes()[3:] == (5, 8, 9)
    (record,) = store.audit()
    assert (record.actor, record.credential, record.address) == ("ann", "", "")
    store.commit(full())
    assert store.sizes().events == 3 + 2 * len(b'{"type": "door"}\n' * 2)


def test_an_upgrade_that_fails_changes_nothing(store: PostgresqlStore, monkeypatch: pytest.MonkeyPatch) -> None:
    store.close()
    with monkeypatch.context() as patch:
        patch.setattr(module, "VERSION", LAYOUT + 2)
        steps = {LAYOUT: "CREATE TABLE notes (n bigint)", LAYOUT + 1: "INSERT INTO nowhere VALUES (1)"}
        patch.setattr(module, "UPGRADES", steps)
        with pytest.raises(StoreError, match="nowhere"):
            store.acquire()
        store.close()
    store.acquire()
    assert store.latest().serial == 1
    assert [tuple(row) for row in store._rows("SELECT to_regclass('notes') IS NULL")] == [(True,)]
