"""The tables that the service keeps in PostgreSQL, and the statement by which everything of a moment is written.

It is one statement, so it is done whole or not at all, and costs one message there and one back. The row of `state`
says whether it is still to be done: by its serial, and by who writes (`writer` counts those who acquired the store).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

from tocsin.service.records import Writes
from tocsin.service.store.contract import MOST_REFUSED
from tocsin.service.store.rows import (
    AUDIT,
    DELIVERIES,
    FOUND,
    KEYS,
    LOG,
    REFUSED,
    STATE,
    STRETCHES,
    Row,
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

VERSION: Final = 2
"""The layout of the tables; `UPGRADES` leads to it from every earlier one."""
_SCHEMA: Final = """
CREATE TABLE state (
    writer bigint NOT NULL, serial bigint NOT NULL, processed bigint NOT NULL, position bigint NOT NULL,
    number bigint NOT NULL, events bigint NOT NULL, arrival bigint NOT NULL, bytes bigint NOT NULL)
    WITH (fillfactor = 10);
INSERT INTO state VALUES (0, 0, 0, 0, 0, 0, 0, 0);
CREATE TABLE log (
    position bigint PRIMARY KEY, kind text COLLATE "C" NOT NULL, arrival bigint NOT NULL, actor text NOT NULL,
    count bigint NOT NULL, first bigint NOT NULL, low bigint NOT NULL, high bigint NOT NULL,
    types text NOT NULL, body bytea NOT NULL);
CREATE INDEX log_age ON log (arrival, position) WHERE kind IN ('events', 'tick');
CREATE INDEX log_others ON log (kind, position) WHERE kind != 'events';
CREATE TABLE found (
    number bigint PRIMARY KEY, id text COLLATE "C" NOT NULL, rule text COLLATE "C" NOT NULL,
    request text COLLATE "C" NOT NULL, type text COLLATE "C" NOT NULL,
    time bigint NOT NULL, detected bigint NOT NULL, position bigint NOT NULL, body bytea NOT NULL);
CREATE INDEX found_id ON found (id, number);
CREATE INDEX found_rule ON found (rule, number);
CREATE INDEX found_request ON found (request, number);
CREATE INDEX found_age ON found (detected, number);
CREATE TABLE stretches (
    of text COLLATE "C" NOT NULL, stretch bigint NOT NULL, low bigint NOT NULL, high bigint NOT NULL,
    PRIMARY KEY (of, stretch)) WITH (fillfactor = 50);
CREATE TABLE deliveries (
    number bigint NOT NULL, request text COLLATE "C" NOT NULL, target bigint NOT NULL, state text COLLATE "C" NOT NULL,
    record text NOT NULL, PRIMARY KEY (number, request, target)) WITH (fillfactor = 80);
CREATE INDEX deliveries_state ON deliveries (state, number);
CREATE INDEX deliveries_request ON deliveries (request, number);
CREATE TABLE keys (id text COLLATE "C" PRIMARY KEY, record text NOT NULL);
CREATE TABLE refused (
    serial bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at bigint NOT NULL, code text NOT NULL,
    message text NOT NULL, source text NOT NULL, actor text NOT NULL, text text NOT NULL);
CREATE TABLE audit (
    serial bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at bigint NOT NULL, actor text NOT NULL,
    action text NOT NULL, subject text NOT NULL, outcome text NOT NULL, details text NOT NULL);
CREATE TABLE snapshots (
    position bigint PRIMARY KEY, taken bigint NOT NULL, check_sum bigint NOT NULL, body bytea NOT NULL);
"""
_FROM_1: Final = """
ALTER TABLE state RENAME COLUMN bytes TO log_bytes;
ALTER TABLE state ADD COLUMN found_bytes bigint NOT NULL DEFAULT 0;
UPDATE state SET
    log_bytes = (SELECT coalesce(sum(octet_length(body)), 0) FROM log WHERE kind IN ('events', 'tick')),
    found_bytes = (SELECT coalesce(sum(octet_length(body)), 0) FROM found);
ALTER TABLE audit ADD COLUMN credential text NOT NULL DEFAULT '', ADD COLUMN address text NOT NULL DEFAULT '';
CREATE INDEX audit_age ON audit (at);
"""
UPGRADES: Mapping[int, str] = {0: _SCHEMA, 1: _FROM_1}
"""For each version of the layout, what leads to the next."""

_NUMBERS: Final = frozenset(
    "position arrival count first low high number time detected target at stretch".split()  # noqa: SIM905 - a list of words
)
_CONFLICTS: Final = {
    "deliveries": " ON CONFLICT (number, request, target)"
    " DO UPDATE SET state = excluded.state, record = excluded.record",
    "keys": " ON CONFLICT (id) DO UPDATE SET record = excluded.record",
    "stretches": " ON CONFLICT (of, stretch) DO UPDATE SET low = least(stretches.low, excluded.low),"
    " high = greatest(stretches.high, excluded.high)",
}
_COLUMNS: Final[Mapping[str, Sequence[str]]] = {
    "log": LOG,
    "found": FOUND,
    "stretches": STRETCHES,
    "deliveries": DELIVERIES,
    "keys": KEYS,
    "refused": REFUSED,
    "audit": AUDIT,
}


def statement(writes: Writes, writer: int) -> tuple[str, list[Any]]:
    """What writes it all, and its values: 1 if it did, 0 if it was not to be done."""
    tables: dict[str, list[Row]] = {
        "log": [entry_row(each) for each in writes.entries],
        "found": [found_row(one) for one in writes.found],
        "stretches": stretch_rows(writes.entries, writes.found),
        "deliveries": delivery_rows(writes.deliveries),
        "keys": key_rows(writes.keys),
        "refused": [refused_row(each) for each in writes.refused],
        "audit": [audit_row(each) for each in writes.audit],
    }
    values: list[Any] = [writer, *reached(writes), *added(writes)]
    for rows in tables.values():
        if rows:
            values += map(list, zip(*rows, strict=True))
    return _sql(tuple(name for name, rows in tables.items() if rows)), values


@cache
def _sql(tables: tuple[str, ...]) -> str:
    """The statement that writes to these tables: a column is an array, so that any number of rows is one message."""
    furthest = ", ".join(f"{name} = greatest({name}, ${place})" for place, name in enumerate(STATE, 2))
    sizes = "log_bytes = log_bytes + $8, found_bytes = found_bytes + $9"
    parts = [f"ours AS (UPDATE state SET {furthest}, {sizes} WHERE writer = $1 AND serial < $2 RETURNING 1)"]
    place = 10
    for name in tables:
        columns = _COLUMNS[name]
        arrays = ", ".join(f"${place + index}::{_type(column)}[]" for index, column in enumerate(columns))
        place += len(columns)
        listed = ", ".join(columns)
        parts.append(
            f"{name}_rows AS (INSERT INTO {name} ({listed}) SELECT * FROM unnest({arrays})"
            f" WHERE EXISTS (SELECT FROM ours){_CONFLICTS.get(name, '')})"
        )
        if name == "refused":
            last = f"(SELECT max(serial) FROM refused) - {MOST_REFUSED}"
            parts.append(f"refused_gone AS (DELETE FROM refused WHERE serial <= {last})")
    return f"WITH {', '.join(parts)} SELECT count(*) FROM ours"


def _type(column: str) -> str:
    if column == "body":
        return "bytea"
    return "bigint" if column in _NUMBERS else "text"
