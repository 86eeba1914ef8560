"""The service's store in PostgreSQL: a schema of its own in any database, one session that holds a lock and writes.

A session that is lost took its lock with it. The next commit makes another, and writes only if nobody has acquired the
store meanwhile; so a service that was cut off can never write beside the one that took over.
"""

from __future__ import annotations

import asyncio
import re
import zlib
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import count
from typing import Any, Final, TypeVar
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit, urlunsplit

from tocsin.errors import MissingDependency, SnapshotError, UsageError
from tocsin.service.records import Snapshot, Writes
from tocsin.service.store.contract import MOST_PRUNED, StoreDamaged, StoreError, StoreTaken
from tocsin.service.store.postgresql_layout import UPGRADES, VERSION, statement
from tocsin.service.store.queries import FORGET_STRETCHES, SqlStore

try:
    import asyncpg
except ImportError:
    raise MissingDependency("asyncpg", "postgresql") from None

SCHEMA: Final = "tocsin"
"""Where the tables stand, unless the URL says `?schema=NAME`."""
CONNECTING: Final = 10.0
"""Seconds in which a server has to take a connection ..."""
WORKING: Final = 60.0
"""... and to answer, before it counts as gone."""
ENDING: Final = 10_000
"""Milliseconds for a session of ours that is gone to end on the server, which takes its lock along."""
_LOCK: Final = 0x746F6373 << 32
"""Locks of ours begin with this; the rest is the schema."""
_SESSION: Final = """
SET search_path = "{schema}";
SET jit = off;
SET tcp_keepalives_idle = 10;
SET tcp_keepalives_interval = 5;
SET tcp_keepalives_count = 3;
SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off';
"""
"""Of a machine that is gone the server hears nothing: keep-alives tell it, and another service gets the lock."""
_GONE: Final = (asyncpg.InterfaceError, asyncpg.InternalClientError, OSError, TimeoutError)
_HINTS: Final[tuple[tuple[type[Exception], str], ...]] = (
    (asyncpg.InvalidCatalogNameError, "createdb makes the database"),
    (asyncpg.InvalidAuthorizationSpecificationError, "look at the user and the password (PGPASSWORD, or in the URL)"),
    (asyncpg.InsufficientPrivilegeError, "the service has to be allowed to make a schema in the database"),
    (asyncpg.DiskFullError, "make room where the database is"),
)

T = TypeVar("T")


class PostgresqlStore(SqlStore):
    """Tables of a schema. Its event loop is its own, and runs only while something is asked."""

    CONTAINS = "strpos"

    def __init__(self, url: str, *, read_only: bool = False, password: str | None = None) -> None:
        self._url, self.schema, self._secrets, self.name = _read_url(url, password)
        self._password = password
        self._read_only = read_only
        self._loop: asyncio.AbstractEventLoop | None = None
        self._connection: asyncpg.Connection | None = None
        self._session: tuple[Any, ...] = ()
        self._writer = self._serial = 0
        """Which writer we are, of all there have been, and what we know to be committed."""
        self._is_lost = False
        self._is_known = False

    # -- sessions ------------------------------------------------------------------------------------------------------

    def _do(self, work: Callable[[asyncpg.Connection], Awaitable[T]]) -> T:
        """Something with a session that is alive, or an error for a person."""
        if self._is_lost:
            raise self._taken()
        if self._loop is None:
            self._loop = _event_loop()

        async def worked() -> T:
            return await work(await self._connected())

        try:
            return _run(self._loop, worked())
        except asyncpg.UniqueViolationError:
            self._is_lost = True
            raise self._taken() from None
        except (asyncpg.PostgresError, *_GONE, ValueError) as error:
            if isinstance(error, (*_GONE, asyncpg.ReadOnlySQLTransactionError, asyncpg.OperatorInterventionError)):
                self._disconnect()  # elsewhere, or later, there may be one that works
            raise StoreError(self._shown(error)) from None

    def _taken(self) -> StoreTaken:
        return StoreTaken(f"another service writes to {self.name}: --standby waits until it is gone")

    def _shown(self, error: Exception) -> str:
        """An error, without what nobody may see."""
        text = str(error) or ("no answer" if isinstance(error, TimeoutError) else type(error).__name__)
        for secret in self._secrets:
            text = text.replace(secret, "***")
        hint = next((f": {hint}" for kind, hint in _HINTS if isinstance(error, kind)), "")
        return f"{self.name}: {text}{hint}"

    async def _connected(self) -> asyncpg.Connection:
        if self._connection is not None and not self._connection.is_closed():
            return self._connection
        self._connection = None
        settings = {"application_name": "tocsin"}
        connection = await asyncpg.connect(
            self._url, password=self._password, timeout=CONNECTING, command_timeout=WORKING, server_settings=settings
        )
        try:
            await connection.execute(_SESSION.format(schema=self.schema))
            if self._read_only:
                await connection.execute("SET default_transaction_read_only = on")
            if self._writer:
                await self._regain(connection)
            sql = "SELECT pid, backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()"
            self._session = tuple(await connection.fetchrow(sql) or ())
        except BaseException:
            connection.terminate()
            raise
        self._connection = connection
        return connection

    async def _regain(self, connection: asyncpg.Connection) -> None:
        """The lock again, after the session that had it was lost; unless somebody else has acquired the store."""
        if self._session:  # the server may not know yet that it is gone
            sql = "SELECT pg_terminate_backend(pid, $3) FROM pg_stat_activity WHERE pid = $1 AND backend_start = $2"
            await connection.execute(sql, *self._session, ENDING)
        has_lock = await self._try_lock(connection)
        writer, serial = await connection.fetchrow("SELECT writer, serial FROM state") or (0, 0)
        if writer > self._writer:
            self._is_lost = True
            raise self._taken()
        if not has_lock:
            raise StoreError(f"{self.name}: the lock is still held by a session that is gone")
        if writer < self._writer or serial < self._serial:
            raise StoreDamaged(
                f"{self.name} has gone back: it lacks what was acknowledged (writes {serial + 1} to {self._serial})."
                " Was an older copy of it put in its place? If so, start the service anew"
            )

    async def _try_lock(self, connection: asyncpg.Connection) -> bool:
        return bool(
            await connection.fetchval("SELECT pg_try_advisory_lock($1)", _LOCK + zlib.crc32(self.schema.encode()))
        )

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None

    def close(self) -> None:
        if self._loop is None:
            return
        try:
            if self._connection is not None and not self._connection.is_closed():
                _run(self._loop, self._connection.close(timeout=CONNECTING))
        except (asyncpg.PostgresError, *_GONE):
            self._disconnect()
        _run(self._loop, asyncio.sleep(0))  # what was closed is told so
        self._loop.close()
        self._loop = self._connection = None
        self._writer, self._is_lost, self._is_known = 0, False, False

    # -- writing -------------------------------------------------------------------------------------------------------

    def acquire(self) -> None:
        if self._read_only:
            raise UsageError(f"{self.name} was opened to be read only")
        if self._writer and not self._is_lost:
            return
        self._is_lost, self._writer = False, 0
        self._do(self._acquire)

    async def _acquire(self, connection: asyncpg.Connection) -> None:
        if not await self._try_lock(connection):
            raise self._taken()
        async with connection.transaction():
            await connection.execute(f'CREATE SCHEMA IF NOT EXISTS "{self.schema}"')
            await connection.execute("CREATE TABLE IF NOT EXISTS layout (version bigint NOT NULL)")
            version = await connection.fetchval("SELECT max(version) FROM layout") or 0
            self._check(version)
            for each in range(version, VERSION):
                await connection.execute(UPGRADES[each])
            if version < VERSION:
                await connection.execute("DELETE FROM layout")
                await connection.execute("INSERT INTO layout VALUES ($1)", VERSION)
            row = await connection.fetchrow("UPDATE state SET writer = writer + 1 RETURNING writer, serial")
        assert row is not None
        self._writer, self._serial = row
        self._is_known = True

    def _check(self, version: int) -> None:
        if version > VERSION:
            raise SnapshotError(f"{self.name} was written by a later release (layout {version}, ours {VERSION})")

    def _written(self, work: Callable[[asyncpg.Connection], Awaitable[T]]) -> T:
        if not self._writer and not self._is_lost:
            raise UsageError(f"{self.name} was not acquired, so nothing is written to it")
        return self._do(work)

    def commit(self, writes: Writes) -> None:
        self._written(lambda connection: self._commit(connection, writes))
        self._serial = max(self._serial, writes.serial)

    async def _commit(self, connection: asyncpg.Connection, writes: Writes) -> None:
        sql, values = statement(writes, self._writer)
        if not await connection.fetchval(sql, *values):
            await self._check_writer(connection)

    async def _check_writer(self, connection: asyncpg.Connection) -> None:
        """Where nothing was written: because it was before, or because another service has acquired the store."""
        if await connection.fetchval("SELECT writer FROM state FOR UPDATE") != self._writer:
            self._is_lost = True
            raise self._taken()

    def save(self, snapshot: Snapshot) -> None:
        row = (snapshot.position, snapshot.taken, zlib.crc32(snapshot.body), snapshot.body)

        async def saved(connection: asyncpg.Connection) -> None:
            async with connection.transaction():
                await self._check_writer(connection)
                await connection.execute("DELETE FROM snapshots")
                await connection.execute("INSERT INTO snapshots VALUES ($1, $2, $3, $4)", *row)

        self._written(saved)

    def prune(self, *, events_before: int, found_before: int, keep_from: int, audit_before: int = 0) -> int:
        async def pruned(connection: asyncpg.Connection) -> int:
            async with connection.transaction():
                await self._check_writer(connection)
                rows, size = await connection.fetchrow(_PRUNE_LOG, events_before, keep_from, MOST_PRUNED)
                told, more, sent = await connection.fetchrow(_PRUNE_FOUND, found_before, MOST_PRUNED)
                noted = await connection.fetchval(_PRUNE_AUDIT, audit_before, MOST_PRUNED)
                if rows or told:
                    sql = "UPDATE state SET log_bytes = log_bytes - $1, found_bytes = found_bytes - $2"
                    await connection.execute(sql, int(size), int(more))
                    for each in FORGET_STRETCHES:
                        await connection.execute(each)
            return int(rows + told + sent + noted)

        return self._written(pruned)

    def backup(self, path: str) -> None:
        raise UsageError(
            f"{self.name} is backed up by PostgreSQL's own means, while everything goes on:"
            f" pg_dump --format=custom --schema={self.schema} --file={path} DATABASE"
        )

    # -- reading -------------------------------------------------------------------------------------------------------

    def _rows(self, sql: str, values: Sequence[Any] = ()) -> Sequence[Sequence[Any]]:
        return self._do(lambda connection: self._read(connection, _numbered(sql), values))

    async def _read(self, connection: asyncpg.Connection, sql: str, values: Sequence[Any]) -> Sequence[Sequence[Any]]:
        if not self._is_known:
            is_there = await connection.fetchval("SELECT to_regclass('layout') IS NOT NULL")
            version = await connection.fetchval("SELECT max(version) FROM layout") if is_there else 0
            self._check(version)
            if version < VERSION:
                what = f"has an older layout ({version}, ours {VERSION})" if version else "has no tables yet"
                raise StoreError(f"{self.name} {what}: the service sets that right when it starts")
            self._is_known = True
        rows: Sequence[Sequence[Any]] = await connection.fetch(sql, *values)
        return rows

    def numbered(self, numbers: Sequence[int]) -> dict[int, bytes]:
        return dict(tuple(row) for row in self._rows(_NUMBERED, (list(numbers),)))

    def size(self) -> int:
        (row,) = self._rows(_SIZE)
        return int(row[0])


_NUMBERED: Final = "SELECT number, body FROM found WHERE number = ANY(?::bigint[])"
_SIZE: Final = (
    "SELECT log_bytes + found_bytes + coalesce((SELECT sum(octet_length(body)) FROM snapshots), 0) FROM state"
)
_PRUNE_AUDIT: Final = """
WITH old AS (SELECT serial FROM audit WHERE at < $1 ORDER BY at LIMIT $2),
gone AS (DELETE FROM audit USING old WHERE audit.serial = old.serial RETURNING 1)
SELECT count(*) FROM gone
"""
_PRUNE_LOG: Final = """
WITH old AS (
    SELECT position FROM log WHERE kind IN ('events', 'tick') AND arrival < $1 AND position < $2
    ORDER BY arrival, position LIMIT $3),
gone AS (DELETE FROM log USING old WHERE log.position = old.position RETURNING octet_length(body) AS size)
SELECT count(*), coalesce(sum(size), 0) FROM gone
"""
_PRUNE_FOUND: Final = """
WITH old AS (
    SELECT number FROM found WHERE detected < $1 AND NOT EXISTS (
        SELECT FROM deliveries AS each WHERE each.number = found.number AND each.state = 'pending')
    ORDER BY detected, number LIMIT $2),
gone AS (DELETE FROM found USING old WHERE found.number = old.number RETURNING octet_length(body) AS size),
sent AS (DELETE FROM deliveries USING old WHERE deliveries.number = old.number RETURNING 1)
SELECT count(*), coalesce(sum(size), 0), (SELECT count(*) FROM sent) FROM gone
"""


@cache
def _numbered(sql: str) -> str:
    """A query with its values numbered, as PostgreSQL has them."""
    places = count(1)
    return re.sub(r"\?", lambda _: f"${next(places)}", sql)


def _read_url(url: str, password: str | None) -> tuple[str, str, list[str], str]:
    """The URL without what is ours, the schema, what nobody may see, and what may be shown."""
    try:
        parts = urlsplit(url)
        query = dict(parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query)))
        schema = query.pop("schema", SCHEMA)
        secrets = [parts.password or "", unquote(parts.password or ""), query.get("password", ""), password or ""]
    except ValueError:
        raise UsageError("the store's URL cannot be read: postgresql://USER@HOST:PORT/DATABASE is expected") from None
    if not re.fullmatch(r"[a-z_][a-z0-9_]{0,62}", schema):
        raise UsageError(f"a schema is called by small letters, digits and '_', so not '{schema}'")
    place = parts.netloc.rpartition("@")[2] or query.get("host", "")
    made = urlunsplit((parts.scheme, parts.netloc, parts.path, urlencode(query), ""))
    return made, schema, [each for each in secrets if each], f"postgresql://{place}{parts.path}"


def _event_loop() -> asyncio.AbstractEventLoop:
    """uvloop's if it is here: a third less time for a commit."""
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


def _run(loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, T]) -> T:
    """What comes of work; a thread has one event loop at a time, so where another is running it is done beside."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return loop.run_until_complete(work)
    with ThreadPoolExecutor(1, "tocsin-postgresql") as beside:
        return beside.submit(loop.run_until_complete, work).result()
