"""Events that were read as columns are columns in a snapshot, too: that is many times quicker than one by one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from librt.strings import read_i64_le

from tocsin.algebra.event_records import plain, valued
from tocsin.algebra.values import MISSING
from tocsin.engine.network.batch import Batch, Store
from tocsin.engine.network.numbers import SPREAD
from tocsin.events import Event

_SIMPLE: Final = (int, float, str, bool, type(None))
"""What JSON has as it is."""


def blocks_of(numbers: list[int], store: Store) -> tuple[list[dict[str, Any]], list[int]]:
    """Events by their numbers as blocks of columns; and the numbers of those that were not read as columns."""
    by_batch: dict[int, tuple[Batch, list[int]]] = {}
    others: list[int] = []
    for number in numbers:
        batch, place, _ = store.holder(number)
        if batch is None or type(batch) is not Batch or batch.is_made:
            others.append(number)
        else:
            by_batch.setdefault(int(batch.first), (batch, []))[1].append(place)
    return [_block(batch, places) for batch, places in by_batch.values()], others


def _block(batch: Batch, places: list[int]) -> dict[str, Any]:
    ends = _times(batch.ends, places)
    block: dict[str, Any] = {
        "first": int(batch.first),
        "places": places,
        "kinds": batch.kinds,
        "codes": _times(batch.codes, places),
        "ends": ends,
        "data": {name: _column([column.value(place) for place in places]) for name, column in batch.columns.items()},
        "ids": _column([batch.ids.value(place) for place in places]),
        "sources": _column([batch.sources.value(place) for place in places]),
    }
    if batch.starts is not batch.ends:
        block["starts"] = _times(batch.starts, places)
    if batch.arrivals is not batch.ends:
        block["arrivals"] = _times(batch.arrivals, places)
    return block


def _times(column: bytes, places: list[int]) -> list[int]:
    return [int(read_i64_le(column, place * 8)) for place in places]


def _column(values: list[object]) -> dict[str, Any]:
    """Values, and the places at which there is none."""
    gaps = [place for place, value in enumerate(values) if value is MISSING]
    if len(gaps) == len(values):
        return {"none": len(values)}
    saved = [value if type(value) in _SIMPLE else None if value is MISSING else plain(value) for value in values]
    return {"values": saved, "gaps": gaps} if gaps else {"values": saved}


def events_of(block: dict[str, Any]) -> Iterator[tuple[int, Event]]:
    """The events of a block with their numbers."""
    kinds, ends = block["kinds"], block["ends"]
    starts, arrivals = block.get("starts", ends), block.get("arrivals", ends)
    ids, sources = _values(block["ids"]), _values(block["sources"])
    data = {name: _values(column) for name, column in block["data"].items()}
    for index, place in enumerate(block["places"]):
        taken = block["first"] + place
        name, source = ids[index], sources[index]
        yield (
            taken * int(SPREAD),
            Event(
                kinds[block["codes"][index]],
                ends[index],
                starts[index],
                str(taken) if name is MISSING else str(name),
                "" if source is MISSING else str(source),
                {key: values[index] for key, values in data.items() if values[index] is not MISSING},
                arrivals[index],
                number=taken * int(SPREAD),
            ),
        )


def _values(column: dict[str, Any]) -> list[object]:
    if "none" in column:
        return [MISSING] * int(column["none"])
    found: list[object] = [value if type(value) in _SIMPLE else valued(value) for value in column["values"]]
    for place in column.get("gaps", ()):
        found[place] = MISSING
    return found
