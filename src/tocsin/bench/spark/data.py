"""Events as Parquet files, made from a seed: what every contender reads."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from tocsin.bench.workloads import LETTERS, Table, numpy_module, table

SCHEMA = "id long, type string, time timestamp, key long, value double"
EPOCH = 1_767_225_600_000_000
"""Where the times begin: 2026, in microseconds."""
HOT = "hot"
"""The shape of `wide`, but every other event has one and the same key."""
PIECE = 1_000_000
"""Events that are made at a time."""


def written(home: Path, shape: str, count: int, *, files: int, keys: int | None = None) -> str:
    """A directory of so many events in so many files, in order of time; it is made once."""
    path = home / f"{shape}-{count}-{files}-{keys}"
    if not path.exists():
        path.mkdir(parents=True)
        size, start, time = -(-count // files), 0, EPOCH
        for number in range(files):
            some = table("wide" if shape == HOT else shape, min(size, count - start), 7 + number, keys)
            if shape == HOT:
                some.keys[::2] = 0
            write(path / f"{number:05}.parquet", some, start, time, number)
            start, time = start + len(some), time + int(some.times[-1])
    return str(path)


def write(path: Path, some: Table, start: int, time: int, age: int) -> None:
    """One file; the ids go on from `start`, the times from `time`. Files are streamed in the order of their ages."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    np = numpy_module()
    kinds = pa.DictionaryArray.from_arrays(pa.array(some.letters.astype("int32")), list(LETTERS)).cast(pa.string())
    columns: dict[str, Any] = {
        "id": np.arange(start, start + len(some)),
        "type": kinds,
        "time": pa.array(some.times + time, pa.timestamp("us", "UTC")),
        "key": some.keys,
        "value": some.values,
    }
    hidden = path.with_name(f".{path.name}")  # a stream that looks on must not find half of it
    pq.write_table(pa.table(columns), hidden)
    os.utime(hidden, (1_000_000_000 + age, 1_000_000_000 + age))
    os.replace(hidden, path)
