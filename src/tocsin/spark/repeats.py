"""Events that come twice on a stream: the same source and id count once.

Under `guaranteed` an event that was evaluated is late when it comes again: its time has passed. So only those that are
held need be looked at. Under the other orders the names of events are remembered, for as long as a rule's window
reaches; for ever where a rule has none.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable
from typing import Any

from tocsin.algebra.rules import Rule
from tocsin.formats.intake import Seen


def retention_of(rules: Iterable[Rule]) -> int | None:
    """How long a name is remembered, in microseconds; None for ever."""
    windows = [None if rule.window is None else rule.window.length() for rule in rules]
    return None if None in windows else max((each for each in windows if each is not None), default=None)


def unrepeated(table: Any) -> Any:
    """The rows of a table without those whose source and id stand in one before."""
    import numpy as np
    import pyarrow.compute as pc

    names = _names(table)
    if pc.count_distinct(names).as_py() == len(names):
        return table
    codes = names.combine_chunks().dictionary_encode().indices.to_numpy(zero_copy_only=False)
    firsts = np.unique(codes, return_index=True)[1]
    return table.take(np.sort(firsts))


def _names(table: Any) -> Any:
    import pyarrow.compute as pc

    ids = table["id"].cast("string")
    if "source" not in table.column_names:
        return ids
    return pc.binary_join_element_wise(pc.fill_null(table["source"].cast("string"), ""), ids, "\0")


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
