"""Rows for a shard travel together: a few large pieces of bytes cost a fraction of as many rows.

Before the shuffle the routed events of a partition are put together by shard, as Arrow has them; after it they are put
together again. So Spark moves one row for each shard and some ten thousand events, and converts none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

from tocsin.spark.arrow_bytes import from_bytes, to_bytes
from tocsin.spark.shard import PREFIX

if TYPE_CHECKING:
    from tocsin.spark.routes import Routes

SHARD: Final = "shard"
TYPE: Final = "type"
COPY: Final = "copy"
"""Of an event of a stream that goes to several shards: which of them this one is, counted from 0."""
ROWS: Final = "rows"
PACKED: Final = f"{SHARD} int, {ROWS} binary"
MOST_ROWS: Final = 131_072
"""Events that are put together at a time."""


def packed(frame: Any, found: Routes) -> Any:
    """A DataFrame of routed events as one of pieces: the shard, and events as bytes."""
    return frame.mapInArrow(packer(found.attributes, found.types), PACKED)


def packer(attributes: tuple[str, ...], types: tuple[str, ...]) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """What Spark calls for the events of a partition. `types` are those that stand as codes, if they do."""
    names = {f"a{place}": PREFIX + name for place, name in enumerate(attributes)}

    def pack(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa

        for some in _gathered(batches):
            table = _named(pa, _typed(pa, pa.Table.from_batches(some).combine_chunks(), types), names)
            yield pieces_by_shard(table)

    return pack


def pieces_by_shard(table: Any) -> Any:
    """Events that say which shard they go to, as a row for each shard."""
    import pyarrow as pa

    shards, pieces = [], []
    for shard, rows in _by_shard(table):
        shards.append(shard)
        pieces.append(to_bytes(rows))
    return pa.record_batch([pa.array(shards, pa.int32()), pa.array(pieces, pa.binary())], [SHARD, ROWS])


def _typed(pa: Any, table: Any, types: tuple[str, ...]) -> Any:
    """The table with types instead of their codes."""
    if not types:
        return table
    place = table.column_names.index(TYPE)
    coded = pa.DictionaryArray.from_arrays(table.column(place).combine_chunks(), pa.array(types, pa.string()))
    return table.set_column(place, TYPE, coded)


def _named(pa: Any, table: Any, names: dict[str, str]) -> Any:
    """The table with the attributes under their own names, and all times in UTC, whatever zone the session has."""
    fields = [
        pa.field(names.get(f.name, f.name), pa.timestamp("us", "UTC") if pa.types.is_timestamp(f.type) else f.type)
        for f in table.schema
    ]
    return table.rename_columns([f.name for f in fields]).cast(pa.schema(fields))


def _gathered(batches: Iterator[Any]) -> Iterator[list[Any]]:
    some, count = [], 0
    for batch in batches:
        if batch.num_rows:
            some.append(batch)
            count += batch.num_rows
        if count >= MOST_ROWS:
            yield some
            some, count = [], 0
    if some:
        yield some


def _by_shard(table: Any) -> Iterator[tuple[int, Any]]:
    """The rows of each shard, in the order they had."""
    import numpy as np

    shards = table[SHARD].to_numpy()
    order = np.argsort(shards, kind="stable")
    table = table.drop_columns([SHARD]).take(order)
    numbers, firsts = np.unique(shards[order], return_index=True)
    ends = [*firsts[1:].tolist(), len(shards)]
    for number, first, end in zip(numbers.tolist(), firsts.tolist(), ends, strict=True):
        yield number, table.slice(first, end - first)


def unpacked(pieces: Iterable[Any]) -> Any:
    """Pieces put together again; None where there are none."""
    import pyarrow as pa

    tables = [from_bytes(piece) for piece in pieces]
    return pa.concat_tables(tables).combine_chunks() if tables else None
