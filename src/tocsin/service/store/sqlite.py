"""The service's store in SQLite: one file, a row for a body of events, everything of a moment in one transaction."""

from __future__ import annotations

import fcntl
import os
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final

from tocsin.errors import MissingDependency, SnapshotError, UsageError
from tocsin.service.records import Snapshot, Writes
from tocsin.service.store.contract import (
    MOST_PRUNED,
    MOST_REFUSED,
    StoreDamaged,
    StoreError,
    StoreTaken,
)
from tocsin.service.store.queries import FORGET_STRETCHES, SqlStore
from tocsin.service.store.rows import (
    AUDIT,
    DELIVERIES,
    FOUND,
    KEYS,
    LOG,
    REFUSED,
    STATE,
    added,
    audit_row,
    delivery_rows,
    entry_row,
    found_row,
    key_rows,
    reached,
    refused_row,
    stretch_rows,
)

try:
    import apsw
except ImportError:
    raise MissingDependency("apsw", "service") from None

from tocsin.service.store.checkpoints import Checkpoints

APPLICATION: Final = 0x746F6373
"""By which the file is known to be ours."""
VERSION: Final = 2
"""The layout of the tables; `UPGRADES` leads to it from every earlier one."""
_SCHEMA: Final = """
CREATE TABLE state (
    serial INTEGER NOT NULL, position INTEGER NOT NULL, arrival INTEGER NOT NULL, events INTEGER NOT NULL,
    number INTEGER NOT NULL, processed INTEGER NOT NULL);
INSERT INTO state VALUES (0, 0, 0, 0, 0, 0);
CREATE TABLE log (
    position INTEGER PRIMARY KEY, kind TEXT NOT NULL, arrival INTEGER NOT NULL, actor TEXT NOT NULL,
    count INTEGER NOT NULL, first INTEGER NOT NULL, low INTEGER NOT NULL, high INTEGER NOT NULL,
    types TEXT NOT NULL, body BLOB NOT NULL);
CREATE INDEX log_age ON log (arrival) WHERE kind IN ('events', 'tick');
CREATE INDEX log_others ON log (kind, position) WHERE kind != 'events';
CREATE TABLE found (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL, rule TEXT NOT NULL, request TEXT NOT NULL, type TEXT NOT NULL,
    time INTEGER NOT NULL, detected INTEGER NOT NULL, position INTEGER NOT NULL, body BLOB NOT NULL);
CREATE INDEX found_id ON found (id);
CREATE INDEX found_rule ON found (rule, number);
CREATE INDEX found_request ON found (request, number);
CREATE INDEX found_age ON found (detected);
CREATE TABLE stretches (
    of TEXT NOT NULL, stretch INTEGER NOT NULL, low INTEGER NOT NULL, high INTEGER NOT NULL,
    PRIMARY KEY (of, stretch)) WITHOUT ROWID;
CREATE TABLE deliveries (
    number INTEGER NOT NULL, request TEXT NOT NULL, target INTEGER NOT NULL, state TEXT NOT NULL,
    record TEXT NOT NULL, PRIMARY KEY (number, request, target)) WITHOUT ROWID;
CREATE INDEX deliveries_state ON deliveries (state, number);
CREATE INDEX deliveries_request ON deliveries (request, number);
CREATE TABLE keys (id TEXT PRIMARY KEY, record TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE refused (
    serial INTEGER PRIMARY KEY, at INTEGER NOT NULL, code TEXT NOT NULL, message TEXT NOT NULL, source TEXT NOT NULL,
    actor TEXT NOT NULL, text TEXT NOT NULL);
CREATE TABLE audit (
    serial INTEGER PRIMARY KEY, at INTEGER NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL,
    subject TEXT NOT NULL, outcome TEXT NOT NULL, details TEXT NOT NULL);
CREATE TABLE snapshots (position INTEGER PRIMARY KEY, taken INTEGER NOT NULL, check_sum INTEGER NOT NULL, body BLOB);
"""
_FROM_1: Final = """
ALTER TABLE state ADD COLUMN log_bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE state ADD COLUMN found_bytes INTEGER NOT NULL DEFAULT 0;
UPDATE state SET
    log_bytes = (SELECT coalesce(sum(length(body)), 0) FROM log WHERE kind IN ('events', 'tick')),
    found_bytes = (SELECT coalesce(sum(length(body)), 0) FROM found);
ALTER TABLE audit ADD COLUMN credential TEXT NOT NULL DEFAULT '';
ALTER TABLE audit ADD COLUMN address TEXT NOT NULL DEFAULT '';
CREATE INDEX audit_age ON audit (at);
"""
UPGRADES: Mapping[int, str] = {0: _SCHEMA, 1: _FROM_1}
"""For each version of the layout, what leads to the next."""
_REACH: Final = f"UPDATE state SET {', '.join(f'{name} = max({name}, ?)' for name in STATE)}"
_ADD: Final = "UPDATE state SET log_bytes = log_bytes + ?, found_bytes = found_bytes + ?"
_WIDEN: Final = (
    "INSERT INTO stretches VALUES (?, ?, ?, ?) ON CONFLICT (of, stretch)"
    " DO UPDATE SET low = min(low, excluded.low), high = max(high, excluded.high)"
)
_SIZE: Final = (
    "SELECT page_count, freelist_count, page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size"
)
_HINTS: Final[Mapping[type[apsw.Error], str]] = {
    apsw.FullError: "the disk, or what may be used of it, is full: make room",
    apsw.ReadOnlyError: "it may not be written: look at the owner and the mode of the file and its folder",
    apsw.CantOpenError: "it cannot be opened: is it there, and may this user read and write it and its folder?",
    apsw.BusyError: "another program holds it locked",
    apsw.IOError: "the disk does not read or write",
}


class SqliteStore(SqlStore):
    """A file, in write-ahead mode: readers do not wait for who writes. Who has not acquired it only reads."""

    CONTAINS = "instr"

    def __init__(self, path: str, *, read_only: bool = False) -> None:
        self.path, self.name = Path(path), path
        self._read_only = read_only
        self._lock: IO[str] | None = None
        self._db: apsw.Connection | None = None
        self._checkpoints: Checkpoints | None = None

    # -- opening -------------------------------------------------------------------------------------------------------

    def acquire(self) -> None:
        if self._read_only:
            raise UsageError(f"the store {self.path} was opened to be read only")
        if self._lock is not None:
            return
        self.close()  # what was opened to read
        self._lock = self._locked()
        try:
            self._opened()
        except BaseException:
            self.close()
            raise

    def _locked(self) -> IO[str]:
        """Only one process has the lock; it is gone with the process."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            lock = open(f"{self.path}.lock", "a+")  # noqa: SIM115 - locked as long as we write
        except OSError as error:
            raise StoreError(f"the store {self.path} cannot be opened: {error.strerror or error}") from None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            raise StoreTaken(f"another service writes to {self.path}: --standby waits until it is gone") from None
        except OSError as error:
            lock.close()
            raise StoreError(f"the store {self.path} cannot be locked: {error.strerror or error}") from None
        try:  # keys and events are nobody else's business; what SQLite puts beside the file has its mode
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
        except OSError as error:
            lock.close()
            raise StoreError(f"the store {self.path} cannot be opened: {error.strerror or error}") from None
        return lock

    def _opened(self) -> apsw.Connection:
        if self._db is not None:
            return self._db
        writes = self._lock is not None
        try:
            db = apsw.Connection(str(self.path), apsw.SQLITE_OPEN_READWRITE if writes else apsw.SQLITE_OPEN_READONLY)
        except apsw.Error as error:
            raise self._told(error) from None
        try:
            db.set_busy_timeout(10_000)
            self._check(db)
            if writes:
                _prepare(db)
        except apsw.Error as error:
            db.close()
            raise self._told(error) from None
        except BaseException:
            db.close()
            raise
        self._db = db
        if writes:
            self._checkpoints = Checkpoints(self.path, db)
        return db

    def _check(self, db: apsw.Connection) -> None:
        """Whether it is a store of ours, and of a layout that we know."""
        version, application = db.pragma("user_version"), db.pragma("application_id")
        is_new = not db.execute("SELECT count(*) FROM sqlite_schema").get
        if application != APPLICATION and not is_new:
            raise UsageError(f"{self.path} is a database of another program: give the store a file of its own")
        if version > VERSION:
            raise SnapshotError(f"{self.path} was written by a later release (layout {version}, ours {VERSION})")
        if version < VERSION and self._lock is None:
            what = "is empty" if is_new else f"has an older layout ({version}, ours {VERSION})"
            raise StoreError(f"the store {self.path} {what}: the service sets that right when it starts")

    def close(self) -> None:
        self._shut()
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def _shut(self) -> None:
        if self._checkpoints is not None:
            self._checkpoints.stop()
            self._checkpoints = None
        if self._db is not None:
            self._db.close()
            self._db = None

    def _told(self, error: apsw.Error) -> StoreError:
        """What SQLite says, for a person. After a disk that failed, or damage, the file is opened anew."""
        if isinstance(error, (apsw.CorruptError, apsw.NotADBError)):
            return StoreDamaged(f"the store {self.path} is damaged ({error}): put a backup in its place")
        if isinstance(error, apsw.IOError):
            self._shut()
        hint = next((hint for kind, hint in _HINTS.items() if isinstance(error, kind)), "")
        return StoreError(f"the store {self.path}: {hint} ({error})" if hint else f"the store {self.path}: {error}")

    # -- writing -------------------------------------------------------------------------------------------------------

    @contextmanager
    def _transaction(self) -> Iterator[apsw.Connection]:
        """All of it or nothing. (apsw's `with connection` hides why SQLite itself has rolled a transaction back.)"""
        if self._lock is None:
            raise UsageError(f"the store {self.path} was not acquired, so nothing is written to it")
        db = self._opened()
        try:
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
                db.execute("COMMIT")
            finally:
                if db.in_transaction:
                    db.execute("ROLLBACK")
        except apsw.ConstraintError:
            raise StoreTaken(f"{self.path} has what is written already: another service has written to it") from None
        except apsw.Error as error:
            raise self._told(error) from None
        if self._checkpoints is not None:
            self._checkpoints.after_commit(db)

    def commit(self, writes: Writes) -> None:
        with self._transaction() as db:
            _write(db, writes)

    def save(self, snapshot: Snapshot) -> None:
        row = (snapshot.position, snapshot.taken, zlib.crc32(snapshot.body), snapshot.body)
        with self._transaction() as db:
            db.execute("INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?)", row)
            db.execute("DELETE FROM snapshots WHERE position != ?", (snapshot.position,))

    def prune(self, *, events_before: int, found_before: int, keep_from: int, audit_before: int = 0) -> int:
        with self._transaction() as db:
            before = db.total_changes()
            gone: list[Any] = db.execute(
                "DELETE FROM log WHERE position IN (SELECT position FROM log INDEXED BY log_age WHERE"
                " kind IN ('events', 'tick') AND arrival < ? AND position < ? ORDER BY arrival, position LIMIT ?)"
                " RETURNING length(body)",
                (events_before, keep_from, MOST_PRUNED),
            ).fetchall()
            numbers: list[Any] = db.execute(
                "SELECT number, length(body) FROM found INDEXED BY found_age WHERE detected < ?"
                " AND NOT EXISTS (SELECT 1 FROM deliveries AS each"
                " WHERE each.number = found.number AND each.state = 'pending')"
                " ORDER BY detected, number LIMIT ?",
                (found_before, MOST_PRUNED),
            ).fetchall()
            db.executemany("DELETE FROM found WHERE number = ?", [(number,) for number, _ in numbers])
            db.executemany("DELETE FROM deliveries WHERE number = ?", [(number,) for number, _ in numbers])
            db.execute(
                "DELETE FROM audit WHERE serial IN (SELECT serial FROM audit WHERE at < ? ORDER BY at LIMIT ?)",
                (audit_before, MOST_PRUNED),
            )
            rows = db.total_changes() - before
            if rows:
                db.execute(_ADD, (-sum(size for (size,) in gone), -sum(size for _, size in numbers)))
                for statement in FORGET_STRETCHES:
                    db.execute(statement)
        return rows

    def backup(self, path: str) -> None:
        if Path(path).exists():
            raise UsageError(f"{path} is there already: a backup is a new file")
        part = f"{path}.part"
        try:
            Path(part).unlink(missing_ok=True)
            os.close(os.open(part, os.O_RDWR | os.O_CREAT, 0o600))
            self._opened().execute("VACUUM INTO ?", (part,))
            with open(part, "rb") as written:
                os.fsync(written.fileno())
            os.rename(part, path)
        except OSError as error:
            raise StoreError(f"the backup {path} cannot be written: {error.strerror or error}") from None
        except apsw.Error as error:
            raise StoreError(f"the backup {path} cannot be written: {self._told(error)}") from None

    # -- reading -------------------------------------------------------------------------------------------------------

    def _rows(self, sql: str, values: Sequence[Any] = ()) -> Sequence[Sequence[Any]]:
        try:
            return self._opened().execute(sql, tuple(values)).fetchall()
        except apsw.Error as error:
            raise self._told(error) from None

    def numbered(self, numbers: Sequence[int]) -> dict[int, bytes]:
        sql = "SELECT number, body FROM found WHERE number IN (SELECT value FROM json_each(?))"  # any number of them
        return {number: body for number, body in self._rows(sql, (str(list(numbers)),))}  # noqa: C416 - no tuples to mypy

    def size(self) -> int:
        ((pages, free, width),) = self._rows(_SIZE)
        return int((pages - free) * width)


def _prepare(db: apsw.Connection) -> None:
    """How it is written, and the tables as they are now."""
    db.pragma("journal_mode", "wal")
    db.pragma("synchronous", "full")
    db.pragma("cache_size", -32768)
    db.execute("BEGIN IMMEDIATE")
    try:
        for version in range(db.pragma("user_version"), VERSION):
            db.execute(UPGRADES[version])
        db.pragma("user_version", VERSION)
        db.pragma("application_id", APPLICATION)
        db.execute("COMMIT")
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")


def _insert(db: apsw.Connection, table: str, columns: Sequence[str], rows: Sequence[Any], how: str = "INSERT") -> None:
    marks = ", ".join("?" * len(columns))
    db.executemany(f"{how} INTO {table} ({', '.join(columns)}) VALUES ({marks})", rows)


def _write(db: apsw.Connection, writes: Writes) -> None:
    if writes.serial <= db.execute("SELECT serial FROM state").get:
        return
    db.execute(_REACH, reached(writes))
    if writes.entries:
        _insert(db, "log", LOG, [entry_row(each) for each in writes.entries])
    if writes.found:
        _insert(db, "found", FOUND, [found_row(one) for one in writes.found])
    if writes.entries or writes.found:
        db.execute(_ADD, added(writes))
        db.executemany(_WIDEN, stretch_rows(writes.entries, writes.found))
    if writes.deliveries:
        _insert(db, "deliveries", DELIVERIES, delivery_rows(writes.deliveries), "INSERT OR REPLACE")
    if writes.keys:
        _insert(db, "keys", KEYS, key_rows(writes.keys), "INSERT OR REPLACE")
    if writes.refused:
        _insert(db, "refused", REFUSED, [refused_row(each) for each in writes.refused])
        db.execute("DELETE FROM refused WHERE serial <= (SELECT max(serial) FROM refused) - ?", (MOST_REFUSED,))
    if writes.audit:
        _insert(db, "audit", AUDIT, [audit_row(each) for each in writes.audit])
