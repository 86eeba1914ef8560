"""What is asked of SQLite and of PostgreSQL alike, in the SQL that both read; a value stands as `?`."""

from __future__ import annotations

import json
import zlib
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from tocsin.errors import SnapshotError
from tocsin.service.records import AuditRecord, Entry, RefusedEvent, Snapshot, StoredDetection
from tocsin.service.store.contract import Latest, Search, Store
from tocsin.service.store.rows import FOUND, LOG, STRETCH, entry_of, storable

_EVENTS: Final = "kind = 'events'"
_OTHERS: Final = "kind != 'events'"
"""As an index has it."""

FORGET_STRETCHES: Final = (
    "DELETE FROM stretches WHERE of = 'log' AND"
    f" stretch < (SELECT min(position) FROM log WHERE kind = 'events') / {STRETCH}",
    f"DELETE FROM stretches WHERE of = 'found' AND stretch < (SELECT min(number) FROM found) / {STRETCH}",
)
"""Done where entries and detections were forgotten."""


class SqlStore(Store):
    """Reads tables. Who inherits says how, and writes them."""

    name: str
    """Where it is, as it may be shown."""
    CONTAINS: ClassVar[str]
    """The function that finds a text in another."""

    @abstractmethod
    def _rows(self, sql: str, values: Sequence[Any] = ()) -> Sequence[Sequence[Any]]:
        """What a query gives."""

    def latest(self) -> Latest:
        (row,) = self._rows(f"SELECT {', '.join(Latest._fields)} FROM state")
        return Latest(*row)

    def snapshot(self) -> Snapshot | None:
        rows = self._rows("SELECT position, taken, check_sum, body FROM snapshots ORDER BY position DESC LIMIT 1")
        if not rows:
            return None
        position, taken, check, body = rows[0]
        if zlib.crc32(body) != check:
            raise SnapshotError(f"the snapshot in {self.name} is damaged: put a backup in its place")
        return Snapshot(position, taken, body)

    # -- the log -------------------------------------------------------------------------------------------------------

    def entries(self, after: int, limit: int, *, high: int | None = None, kind: str = "") -> list[Entry]:
        where = _Where("position > ?", after)
        if kind:
            where.add("kind = ?", kind)
            if kind != "events":
                where.add(_OTHERS)
        if high is not None:
            if not self._narrow(where, "log", "position", high, None):
                return []
            where.add(f"{_EVENTS} AND high >= ?", high)
        return self._entries(where, limit)

    def events(self, search: Search) -> list[Entry]:
        where = _Where(_EVENTS)
        if search.after or not search.backwards:
            where.add("position < ?" if search.backwards else "position >= ?", search.after)
        if search.type:  # an entry of many types lists none
            where.add(f"(types = '' OR {self.CONTAINS}(types, ?) > 0)", json.dumps(search.type))
        if not self._narrow(where, "log", "position", search.since, search.until):
            return []
        if search.since is not None:
            where.add("high >= ?", search.since)
        if search.until is not None:
            where.add("low <= ?", search.until)
        return self._entries(where, search.limit, search.backwards)

    def _entries(self, where: _Where, limit: int, backwards: bool = False) -> list[Entry]:
        order = "DESC" if backwards else "ASC"
        sql = f"SELECT {', '.join(LOG)} FROM log WHERE {where} ORDER BY position {order} LIMIT ?"
        return [entry_of(row) for row in self._rows(sql, (*where.values, limit))]

    def _narrow(self, where: _Where, of: str, column: str, since: int | None, until: int | None) -> bool:
        """Leaves out what is before the first stretch, and after the last, that has such times; False: none has."""
        times = _Where("of = ?", of)
        if since is not None:
            times.add("high >= ?", since)
        if until is not None:
            times.add("low <= ?", until)
        if len(times.terms) == 1:
            return True
        ((first, last),) = self._rows(f"SELECT min(stretch), max(stretch) FROM stretches WHERE {times}", times.values)
        if first is None:
            return False
        where.add(f"{column} >= ?", first * STRETCH)
        where.add(f"{column} < ?", (last + 1) * STRETCH)
        return True

    # -- detections ----------------------------------------------------------------------------------------------------

    def found(self, search: Search) -> list[StoredDetection]:
        where = _Where()
        if search.after or not search.backwards:
            where.add("number < ?" if search.backwards else "number > ?", search.after)
        for name in ("rule", "request", "type"):
            if getattr(search, name):
                where.add(f"{name} = ?", storable(getattr(search, name)))
        if not self._narrow(where, "found", "number", search.since, search.until):
            return []
        if search.since is not None:
            where.add("time >= ?", search.since)
        if search.until is not None:
            where.add("time <= ?", search.until)
        order = "DESC" if search.backwards else "ASC"
        return self._found(f"WHERE {where} ORDER BY number {order} LIMIT ?", (*where.values, search.limit))

    def detection(self, id: str) -> StoredDetection | None:
        return next(iter(self._found("WHERE id = ? ORDER BY number DESC LIMIT 1", (storable(id),))), None)

    def _found(self, rest: str, values: Sequence[Any]) -> list[StoredDetection]:
        return [StoredDetection(*row) for row in self._rows(f"SELECT {', '.join(FOUND)} FROM found {rest}", values)]

    # -- the rest ------------------------------------------------------------------------------------------------------

    def deliveries(
        self, states: Sequence[str] = (), request: str = "", after: int = 0, limit: int = 0
    ) -> list[Mapping[str, Any]]:
        where = _Where("number > ?", after)
        if states:
            where.add(f"state IN ({', '.join('?' * len(states))})", *map(storable, states))
        if request:
            where.add("request = ?", storable(request))
        sql, values = f"SELECT record FROM deliveries WHERE {where} ORDER BY number, request, target", where.values
        if limit:
            sql, values = f"{sql} LIMIT ?", [*values, limit]
        return [json.loads(record) for (record,) in self._rows(sql, values)]

    def keys(self) -> list[Mapping[str, Any]]:
        return [json.loads(record) for (record,) in self._rows("SELECT record FROM keys ORDER BY id")]

    def refused(self, limit: int = 100) -> list[RefusedEvent]:
        sql = "SELECT at, code, message, source, actor, text FROM refused ORDER BY serial DESC LIMIT ?"
        return [RefusedEvent(*row) for row in self._rows(sql, (limit,))]

    def audit(self, limit: int = 100, before: int = 0) -> list[AuditRecord]:
        where = _Where("at < ?", before) if before else _Where()
        sql = (
            f"SELECT at, actor, action, subject, outcome, details FROM audit WHERE {where} ORDER BY serial DESC LIMIT ?"
        )
        return [AuditRecord(*row) for row in self._rows(sql, (*where.values, limit))]


class _Where:
    """Terms that all have to hold, and their values."""

    def __init__(self, term: str = "1 = 1", *values: Any) -> None:
        self.terms, self.values = [term], list[Any](values)

    def add(self, term: str, *values: Any) -> None:
        """One more."""
        self.terms.append(term)
        self.values += values

    def __str__(self) -> str:
        return " AND ".join(self.terms)
