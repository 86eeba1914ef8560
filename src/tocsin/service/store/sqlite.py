"""The service's store in SQLite: one file, a row for a body of events, everything of a moment in one transaction."""

from __future__ import annotations

import fcntl
import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Final

from tocsin.errors import MissingDependency, SnapshotError
from tocsin.service.records import AuditRecord, Entry, Found, Kind, RefusedEvent, Snapshot, Writes
from tocsin.service.store.contract import Latest, Search, Store, StoreError, StoreTaken

try:
    import apsw
except ImportError:
    raise MissingDependency("apsw", "service") from None

VERSION: Final = 1
"""The layout of the tables; `_UPGRADES` leads to it from every earlier one."""
MOST_REFUSED: Final = 10_000
"""Refused events that are listed; older ones are only counted."""
_SCHEMA: Final = """
CREATE TABLE state (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO state VALUES ('processed', 0), ('position', 0), ('number', 0), ('events', 0), ('arrival', 0), ('serial', 0);
CREATE TABLE log (
    position INTEGER PRIMARY KEY, kind TEXT NOT NULL, arrival INTEGER NOT NULL, actor TEXT NOT NULL,
    count INTEGER NOT NULL, first INTEGER NOT NULL, low INTEGER NOT NULL, high INTEGER NOT NULL,
    types TEXT NOT NULL, body BLOB NOT NULL);
CREATE TABLE found (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL, rule TEXT NOT NULL, request TEXT NOT NULL, type TEXT NOT NULL,
    time INTEGER NOT NULL, detected INTEGER NOT NULL, position INTEGER NOT NULL, body BLOB NOT NULL);
CREATE INDEX found_id ON found (id);
CREATE INDEX found_rule ON found (rule, number);
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
_UPGRADES: Final[Mapping[int, str]] = {0: _SCHEMA}
"""For each version of the layout, what leads to the next."""
_UPSERT_STATE: Final = "UPDATE state SET value = max(value, ?) WHERE name = ?"


class SqliteStore(Store):
    """A file, in write-ahead mode: readers do not wait for who writes."""

    def __init__(self, path: str, *, read_only: bool = False) -> None:
        self.path = Path(path)
        self._read_only = read_only
        self._lock: IO[str] | None = None
        self._db: apsw.Connection | None = None

    # -- opening -------------------------------------------------------------------------------------------------------

    def acquire(self) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            lock = open(f"{self.path}.lock", "a+")  # noqa: SIM115 - locked as long as we write
        except OSError as error:
            raise StoreError(f"the store {self.path} cannot be opened: {error.strerror or error}") from None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            raise StoreTaken(f"another service writes to {self.path}: --standby waits until it is gone") from None
        self._lock = lock
        self._open()

    def _open(self) -> apsw.Connection:
        if self._db is None:
            flags = (
                apsw.SQLITE_OPEN_READONLY if self._read_only else apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
            )
            try:
                self._db = apsw.Connection(str(self.path), flags)
                self._db.set_busy_timeout(10_000)
                if not self._read_only:
                    self._prepare(self._db)
            except apsw.Error as error:
                self._db = None
                raise StoreError(f"the store {self.path} cannot be opened: {error}") from None
        return self._db

    def _prepare(self, db: apsw.Connection) -> None:
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=FULL")
        db.execute("PRAGMA cache_size=-32768")
        ((version,),) = db.execute("PRAGMA user_version")
        if version > VERSION:
            raise SnapshotError(
                f"the store {self.path} was written by a later release (layout {version}, ours {VERSION})"
            )
        if version < VERSION:
            with db:
                for each in range(version, VERSION):
                    db.execute(_UPGRADES[each])
                db.execute(f"PRAGMA user_version={VERSION}")

    @property
    def _reading(self) -> apsw.Connection:
        return self._open()

    def close(self) -> None:
        if self._db is not None:
            self._db.close()
            self._db = None
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    # -- writing -------------------------------------------------------------------------------------------------------

    def commit(self, writes: Writes) -> None:
        db = self._open()
        try:
            with db:
                _write(db, writes)
        except apsw.Error as error:
            raise StoreError(f"{self.path}: {error}") from None

    def save(self, snapshot: Snapshot) -> None:
        db, check = self._open(), zlib.crc32(snapshot.body)
        row = (snapshot.position, snapshot.taken, check, snapshot.body)
        try:
            with db:
                db.execute("INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?)", row)
                db.execute("DELETE FROM snapshots WHERE position < ?", (snapshot.position,))
        except apsw.Error as error:
            raise StoreError(f"{self.path}: {error}") from None

    def prune(self, *, events_before: int, found_before: int, keep_from: int) -> int:
        db = self._open()
        pending = "SELECT min(number) FROM deliveries WHERE state = 'pending'"
        try:
            with db:
                before = db.total_changes()
                db.execute(
                    "DELETE FROM log WHERE position < ? AND arrival < ? AND kind = ?",
                    (keep_from, events_before, Kind.EVENTS.value),
                )
                db.execute(
                    f"DELETE FROM found WHERE detected < ? AND number < coalesce(({pending}), 9e18)", (found_before,)
                )
                db.execute(
                    "DELETE FROM deliveries WHERE state != 'pending' AND number < (SELECT min(number) FROM found)"
                )
                after = db.total_changes()
        except apsw.Error as error:
            raise StoreError(f"{self.path}: {error}") from None
        return after - before

    def backup(self, path: str) -> None:
        try:
            with apsw.Connection(path) as copy, copy.backup("main", self._reading, "main") as running:
                while not running.done:
                    running.step(256)
        except apsw.Error as error:
            raise StoreError(f"{path}: {error}") from None

    # -- reading -------------------------------------------------------------------------------------------------------

    def _rows(self, sql: str, values: Iterable[Any] = ()) -> list[tuple[Any, ...]]:
        try:
            return list(self._reading.execute(sql, tuple(values)))
        except apsw.Error as error:
            raise StoreError(f"{self.path}: {error}") from None

    def snapshot(self) -> Snapshot | None:
        rows = self._rows("SELECT position, taken, check_sum, body FROM snapshots ORDER BY position DESC LIMIT 1")
        if not rows:
            return None
        position, taken, check, body = rows[0]
        if zlib.crc32(body) != check:
            raise SnapshotError(f"the snapshot in {self.path} is damaged")
        return Snapshot(position, taken, body)

    def latest(self) -> Latest:
        return Latest(**dict(self._rows("SELECT name, value FROM state")))

    def entries(self, after: int, limit: int, *, high: int | None = None, kind: str = "") -> list[Entry]:
        terms, values = ["position > ?"], [after]
        return self._entries(*_with(terms, values, high=high, kind=kind), limit)

    def events(self, search: Search) -> list[Entry]:
        terms, values = ["kind = 'events'"], list[Any]()
        if search.after or not search.backwards:
            terms.append("position < ?" if search.backwards else "position >= ?")
            values.append(search.after)
        if search.type:
            terms.append("instr(types, ?)")
            values.append(f"\n{search.type}\n")
        if search.until is not None:
            terms.append("low <= ?")
            values.append(search.until)
        return self._entries(*_with(terms, values, high=search.since), search.limit, search.backwards)

    def _entries(self, terms: list[str], values: list[Any], limit: int, backwards: bool = False) -> list[Entry]:
        order = "DESC" if backwards else "ASC"
        rows = self._rows(
            f"SELECT position, kind, arrival, body, actor, count, first, low, high, types FROM log"
            f" WHERE {' AND '.join(terms)} ORDER BY position {order} LIMIT ?",
            (*values, limit),
        )
        return [
            Entry(position, Kind(kind), arrival, body, actor, count, first, low, high, tuple(types.split("\n")[1:-1]))
            for position, kind, arrival, body, actor, count, first, low, high, types in rows
        ]

    def found(self, search: Search) -> list[Found]:
        terms, values = ["1"], list[Any]()
        if search.after or not search.backwards:
            terms.append("number < ?" if search.backwards else "number > ?")
            values.append(search.after)
        for name in ("rule", "request", "type"):
            if getattr(search, name):
                terms.append(f"{name} = ?")
                values.append(getattr(search, name))
        for sign, bound in ((">=", search.since), ("<=", search.until)):
            if bound is not None:
                terms.append(f"time {sign} ?")
                values.append(bound)
        order = "DESC" if search.backwards else "ASC"
        return self._found(f"WHERE {' AND '.join(terms)} ORDER BY number {order} LIMIT ?", (*values, search.limit))

    def detection(self, id: str) -> Found | None:
        return next(iter(self._found("WHERE id = ? ORDER BY number DESC LIMIT 1", (id,))), None)

    def _found(self, rest: str, values: Iterable[Any]) -> list[Found]:
        columns = "number, id, rule, request, type, time, detected, position, body"
        return [Found(*row) for row in self._rows(f"SELECT {columns} FROM found {rest}", values)]

    def numbered(self, numbers: Sequence[int]) -> dict[int, bytes]:
        marks = ", ".join("?" * len(numbers))
        return dict(self._rows(f"SELECT number, body FROM found WHERE number IN ({marks})", numbers))

    def deliveries(
        self, states: Sequence[str] = (), request: str = "", after: int = 0, limit: int = 0
    ) -> list[Mapping[str, Any]]:
        terms, values = ["number > ?"], list[Any]([after])
        if states:
            terms.append(f"state IN ({', '.join('?' * len(states))})")
            values += states
        if request:
            terms.append("request = ?")
            values.append(request)
        sql = f"SELECT record FROM deliveries WHERE {' AND '.join(terms)} ORDER BY number, request, target LIMIT ?"
        return [json.loads(record) for (record,) in self._rows(sql, (*values, limit or -1))]

    def keys(self) -> list[Mapping[str, Any]]:
        return [json.loads(record) for (record,) in self._rows("SELECT record FROM keys ORDER BY id")]

    def refused(self, limit: int = 100) -> list[RefusedEvent]:
        sql = "SELECT at, code, message, source, actor, text FROM refused ORDER BY serial DESC LIMIT ?"
        return [RefusedEvent(*row) for row in self._rows(sql, (limit,))]

    def audit(self, limit: int = 100, before: int = 0) -> list[AuditRecord]:
        sql = (
            "SELECT at, actor, action, subject, outcome, details FROM audit WHERE ? = 0 OR at < ?"
            " ORDER BY serial DESC LIMIT ?"
        )
        return [AuditRecord(*row) for row in self._rows(sql, (before, before, limit))]

    def size(self) -> int:
        ((pages,),) = self._rows("PRAGMA page_count")
        ((width,),) = self._rows("PRAGMA page_size")
        return int(pages * width)


def _with(
    terms: list[str], values: list[Any], *, high: int | None = None, kind: str = ""
) -> tuple[list[str], list[Any]]:
    if high is not None:
        terms.append("high >= ?")
        values.append(high)
    if kind:
        terms.append("kind = ?")
        values.append(kind)
    return terms, values


def _write(db: apsw.Connection, writes: Writes) -> None:
    ((known,),) = db.execute("SELECT value FROM state WHERE name = 'serial'")
    if writes.serial <= known:
        return
    last = {"serial": writes.serial}
    if writes.entries:
        db.executemany(
            "INSERT OR IGNORE INTO log VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    each.position, each.kind.value, each.arrival, each.actor, each.count, each.first, each.low, each.high,
                    "\n".join(("", *each.types, "")) if each.types else "", each.body,
                )
                for each in writes.entries
            ],
        )  # fmt: skip
        newest = writes.entries[-1]
        last |= {"position": newest.position, "arrival": newest.arrival}
        last["events"] = max(each.first + each.count - 1 for each in writes.entries)
    if writes.found:
        db.executemany(
            "INSERT OR IGNORE INTO found VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (one.number, one.id, one.rule, one.request, one.type, one.time, one.detected, one.position, one.body)
                for one in writes.found
            ],
        )
        last["number"] = writes.found[-1].number
    if writes.processed is not None:
        last["processed"] = writes.processed
    db.executemany(_UPSERT_STATE, [(value, name) for name, value in last.items()])
    if writes.deliveries:
        db.executemany(
            "INSERT OR REPLACE INTO deliveries VALUES (?, ?, ?, ?, ?)",
            [
                (each["number"], each["request"], each["target"], each["state"], json.dumps(each))
                for each in writes.deliveries
            ],
        )
    if writes.keys:
        db.executemany(
            "INSERT OR REPLACE INTO keys VALUES (?, ?)", [(key["id"], json.dumps(key)) for key in writes.keys]
        )
    if writes.refused:
        db.executemany(
            "INSERT INTO refused (at, code, message, source, actor, text) VALUES (?, ?, ?, ?, ?, ?)",
            [(each.at, each.code, each.message, each.source, each.actor, each.text) for each in writes.refused],
        )
        db.execute("DELETE FROM refused WHERE serial <= (SELECT max(serial) FROM refused) - ?", (MOST_REFUSED,))
    if writes.audit:
        db.executemany(
            "INSERT INTO audit (at, actor, action, subject, outcome, details) VALUES (?, ?, ?, ?, ?, ?)",
            [(each.at, each.actor, each.action, each.subject, each.outcome, each.details) for each in writes.audit],
        )
