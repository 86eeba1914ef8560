"""Where the service keeps what must outlast a crash; chosen by URL: a path is SQLite's."""

from __future__ import annotations

from tocsin.errors import UsageError
from tocsin.service.store.contract import Latest, Search, Store, StoreDamaged, StoreError, StoreTaken

__all__ = ["Latest", "Search", "Store", "StoreDamaged", "StoreError", "StoreTaken", "open_store"]


def open_store(where: str, *, read_only: bool = False, password: str | None = None) -> Store:
    """The store at a path or a URL. Nothing is written before it is acquired."""
    scheme, mark, _ = where.partition("://")
    if mark and scheme in ("postgresql", "postgres"):
        from tocsin.service.store.postgresql import PostgresqlStore  # here, for asyncpg is an extra of its own

        return PostgresqlStore(where, read_only=read_only, password=password)
    if mark and scheme != "sqlite":
        raise UsageError(f"there is no store '{scheme}://': a path, sqlite://PATH or postgresql://...")
    from tocsin.service.store.sqlite import SqliteStore

    return SqliteStore(where.removeprefix("sqlite://"), read_only=read_only)
