"""Parquet files read in Python's workers: rows that a rule wants go from a file to their shard without the JVM.

Spark only says which files there are. Reading them in Arrow costs a fraction of reading them in the JVM and handing
over every row. What comes out is what `packs.packed` gives for the same events. Columns whose values Spark would have
to convert, and files that are more than files (partitions by directory), are refused: they are read through Spark.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pyspark.sql import types as T

from tocsin.algebra.attributes import is_path
from tocsin.errors import UsageError
from tocsin.plan.searches import SOURCE
from tocsin.planner.placement import ANYWHERE, KEYED, Placement
from tocsin.spark.events import event_columns
from tocsin.spark.packs import MOST_ROWS, PACKED, SHARD, pieces_by_shard
from tocsin.spark.routes import Routes
from tocsin.spark.shard import PREFIX

PLAIN: Final = (
    T.StringType,
    T.BooleanType,
    T.DoubleType,
    T.FloatType,
    T.IntegerType,
    T.LongType,
    T.ShortType,
    T.ByteType,
)
WHOLE: Final = (T.StringType, T.IntegerType, T.LongType, T.ShortType, T.ByteType)
KINDS: Final[Mapping[str, tuple[type, ...]]] = {
    "type": (T.StringType,),
    "time": (T.TimestampType,),
    "start": (T.TimestampType,),
    "arrival": (T.TimestampType,),
    "id": WHOLE,
    "source": (T.StringType,),
    "sequence": (T.LongType,),
}
"""Types that need no conversion."""


@dataclass(frozen=True)
class Files:
    """Parquet files, and which of their columns are what: fields of an event, and attributes."""

    paths: tuple[str, ...]
    fields: Mapping[str, str]
    attributes: Mapping[str, str]


def files_of(
    frame: Any, columns: Mapping[str, str | None], keep: frozenset[str] | None, unusable: frozenset[str] = frozenset()
) -> Files:
    """The files that a DataFrame is read from, if it is that and nothing more."""
    _check_source(frame)
    events = event_columns(frame, columns, keep, unusable)
    names = events.unchecked or {}
    kinds = {field.name: field.dataType for field in frame.schema.fields}
    if events.attributes is None or "id" not in names:
        raise _unfit("an event has an id, and attributes are columns of their own")
    attributes = {name: name if name in kinds else PREFIX + name for name in events.attributes}
    for field, name in names.items():
        if not isinstance(kinds[name], KINDS[field]):
            raise _unfit(f"{field} is in column {name!r}, which holds {kinds[name].simpleString()}")
    for name in attributes.values():
        if not isinstance(kinds.get(name), PLAIN):
            raise _unfit(
                f"column {name!r} holds {kinds[name].simpleString() if name in kinds else 'what is in another'}"
            )
    return Files(tuple(sorted(frame.inputFiles())), names, attributes)


def _check_source(frame: Any) -> None:
    """Refuses what is more than a plain read of files: only Spark knows what to do with it."""
    plan = getattr(frame, "_jdf", None)
    if plan is None:
        raise _unfit("a client of Spark Connect is not told where a DataFrame comes from")
    node = plan.queryExecution().analyzed()
    while node.nodeName() == "SubqueryAlias":
        node = node.children().head()
    if node.getClass().getSimpleName() != "LogicalRelation":
        raise _unfit("something is done to the DataFrame after it is read: do it to what is written, or to detections")
    relation = node.relation()
    if not relation.getClass().getSimpleName().startswith("HadoopFsRelation"):
        raise _unfit("the DataFrame is not read from files")
    if not relation.fileFormat().getClass().getSimpleName().startswith("ParquetFileFormat"):
        raise _unfit("the files are not Parquet")
    if not relation.partitionSchema().isEmpty():
        raise _unfit("some columns are names of directories")


def _unfit(why: str) -> UsageError:
    return UsageError(f"read='workers' is for plain Parquet files: {why}")


def packed_files(session: Any, files: Files, found: Routes) -> Any:
    """A DataFrame of the pieces that the events in some files are, by shard."""

    def read(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            for place in batch.column(0).to_pylist():
                for table in sharded_tables(files.paths[place], files, found):
                    if table.num_rows:
                        yield pieces_by_shard(table)

    count = len(files.paths)
    return session.range(0, count, 1, max(count, 1)).mapInArrow(read, PACKED)


def sharded_tables(path: str, files: Files, found: Routes) -> Iterator[Any]:
    """The events of a file that some rule wants, each with its shard."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.dataset as ds

    dataset = ds.dataset(path, format="parquet")
    kind = pc.field(files.fields["type"])
    wanted = _types(found)
    is_wanted = (
        None if wanted is None else kind.isin(pa.array(sorted(wanted), pa.string())) | kind.is_null() | (kind == "")
    )
    there = set(dataset.schema.names)
    columns = {field: pc.field(name) for field, name in files.fields.items() if name in there}
    columns |= {PREFIX + name: pc.field(own) for name, own in files.attributes.items() if own in there}
    for batch in dataset.to_batches(columns=columns, filter=is_wanted, batch_size=MOST_ROWS):
        if batch.num_rows:
            yield _sharded(_checked(pa.Table.from_batches([batch]), files), found)


def _types(found: Routes) -> frozenset[str] | None:
    types: set[str] = set()
    for placement in found.placements:
        if placement.types is None or placement.wants_all:
            return None
        types |= placement.types
    return frozenset(types)


def _checked(table: Any, files: Files) -> Any:
    """Events with times in microseconds. What lacks something that every event has ends the job."""
    import pyarrow as pa
    import pyarrow.compute as pc

    for field, said in (("time", "no time that can be read"), ("type", "no type"), ("id", "no id")):
        column = table[field] if field in table.column_names else pa.nulls(table.num_rows)
        is_empty = pa.types.is_string(column.type) and pc.any(pc.equal(column, "")).as_py()
        if column.null_count or is_empty:
            raise ValueError(f"an event has {said} in column {files.fields[field]!r}")
    instant = pa.timestamp("us", "UTC")
    is_coded = pa.types.is_dictionary
    plain = [(f.name, f.type.value_type if is_coded(f.type) else f.type) for f in table.schema]
    kinds = [(name, instant if pa.types.is_timestamp(kind) else kind) for name, kind in plain]
    return table.cast(pa.schema(kinds), safe=False)


def _sharded(table: Any, found: Routes) -> Any:
    """The events with their shards, once for each placement that wants them."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    rows, shards = [], []
    ends = [*found.firsts[1:], found.count]
    for placement, cuts, first, end in zip(found.placements, found.cuts, found.firsts, ends, strict=True):
        mine = np.arange(table.num_rows)
        if placement.types is not None and not placement.wants_all:
            is_mine = pc.is_in(table["type"], pa.array(sorted(placement.types), pa.string()))
            mine = np.flatnonzero(is_mine.to_numpy())
        if cuts is not None:
            times = table["time"].cast("int64").to_numpy()[mine]
            own, reached = (each // cuts.length % cuts.count for each in (times, times + cuts.overlap))
            is_in_both = own != reached
            mine, own = np.concatenate([mine, mine[is_in_both]]), np.concatenate([own, reached[is_in_both]])
        else:
            keys = _hashes(table, placement)
            own = np.zeros(len(mine), np.int64) if keys is None else (keys[mine] % np.uint64(end - first)).astype("i8")
        rows.append(mine)
        shards.append(own + first)
    made = table.take(pa.array(np.concatenate(rows)))
    return made.append_column(SHARD, pa.array(np.concatenate(shards), pa.int32()))


def _hashes(table: Any, placement: Placement) -> Any:
    """Numbers that are the same for events whose keys are equal; None where all events go to one shard."""
    import numpy as np

    if placement.kind == ANYWHERE:
        return _hashed(table["id"])
    if placement.kind != KEYED or any(is_path(name) for _, name in placement.key):
        return None
    types: dict[str, list[str]] = {}
    for kind, name in placement.key:
        types.setdefault(name, []).append(kind)
    found = np.zeros(table.num_rows, np.uint64)
    for name, mine in types.items():
        column = "source" if name == SOURCE else PREFIX + name
        if column in table.column_names:
            is_mine = _is_in(table["type"], mine)
            found[is_mine] = _hashed(table[column])[is_mine]
    return found


def _is_in(kinds: Any, wanted: list[str]) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    return pc.is_in(kinds, pa.array(wanted, pa.string())).to_numpy()


def _hashed(column: Any) -> Any:
    """A number for each value: the same for equal ones, 0.0 and -0.0 and 0 among them."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    column = column.combine_chunks()
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        coded = pc.fill_null(column, "").dictionary_encode()
        known = np.array([zlib.crc32(text.encode()) for text in coded.dictionary.to_pylist()], np.uint64)
        return known[coded.indices.to_numpy()] if len(known) else np.zeros(len(column), np.uint64)
    numbers = pc.fill_null(column.cast("float64", safe=False), 0.0).to_numpy() + 0.0
    return (numbers.view(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32)
