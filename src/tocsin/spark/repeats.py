"""Events that come twice to a shard of a stream: the same source and id count once.

Under `guaranteed` an event that was evaluated is late when it comes again: its time has passed. So only those that are
held need be looked at. Under the other orders the names of events are remembered, for an hour of event time unless it
is said otherwise.
"""

from __future__ import annotations

import json
import zlib
from typing import Any, Final

from tocsin.errors import UsageError
from tocsin.formats.repeats import Seen
from tocsin.spark.ids import ADVICE, MOST
from tocsin.time.spans import HOUR

USUAL: Final = HOUR
"""How long names are remembered, unless it is said."""


def unrepeated(table: Any, remember: int) -> Any:
    """The rows of a table without those whose source and id stand in one before, not longer ago than is remembered."""
    import pyarrow.compute as pc

    names = _names(table)
    if pc.count_distinct(names).as_py() == len(names):
        return table
    known: dict[str, list[int]] = {}
    is_new = []
    others = 0
    for name, time in zip(names.to_pylist(), table["time"].cast("int64").to_pylist(), strict=True):
        times = known.setdefault(name, [])
        is_new.append(all(abs(time - other) > remember for other in times))
        if is_new[-1]:
            times.append(time)
        others += not is_new[-1] and time not in times
    if others > max(MOST, len(is_new) // 2):
        raise UsageError(f"most events come under an id that another has, {ADVICE}")
    return table.filter(is_new)


def firsts_of(table: Any) -> Any:
    """The rows of a table that is all there is: of each source and id the first; all that have no id."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if "id" not in table.column_names:
        return table
    is_text = not pa.types.is_integer(table["id"].type)
    is_named = pc.not_equal(table["id"], "") if is_text else pc.is_valid(table["id"])
    ids = table["id"].filter(is_named)
    if pc.count_distinct(ids).as_py() == len(ids):
        return table
    names = table.select([name for name in ("source", "id") if name in table.column_names])
    names = names.append_column("place", pa.array(range(table.num_rows))).filter(is_named)
    firsts = names.group_by(names.column_names[:-1]).aggregate([("place", "min")])["place_min"]
    others = pc.indices_nonzero(pc.invert(pc.fill_null(is_named, False))).cast("int64")
    kept = pa.concat_arrays([firsts.combine_chunks(), others])
    return table.take(kept.take(pc.sort_indices(kept)))


def _names(table: Any) -> Any:
    """Source and id of each row as one text, which begins with the source's length: so no two are taken for one."""
    import pyarrow.compute as pc

    ids = table["id"].cast("string")
    if "source" not in table.column_names:
        return ids
    sources = pc.fill_null(table["source"].cast("string"), "")
    return pc.binary_join_element_wise(pc.utf8_length(sources).cast("string"), sources, ids, ":")


class Repeats:
    """The names of the events of a shard that came already."""

    def __init__(self, remember: int | None) -> None:
        self._seen = Seen(remember)

    def news(self, table: Any) -> Any:
        """The rows whose names are new, in the order of arrival; from now on they are known."""
        names = _names(table).to_pylist()
        times = table["time"].cast("int64").to_pylist()
        is_new = [not self._seen.knew("", name, time) for name, time in zip(names, times, strict=True)]
        return table if all(is_new) else table.filter(is_new)

    def to_bytes(self) -> bytes:
        """What is remembered."""
        return zlib.compress(json.dumps(self._seen.state()).encode())

    def restore(self, data: bytes) -> None:
        """Goes on from what was remembered."""
        self._seen.restore(json.loads(zlib.decompress(data)))
