"""Tables of events: what each column is.

`id type source time arrival start` are the event's own; `data` holds attributes as an object; `data.x` and any
other column hold one attribute. An empty cell is an attribute the event does not have.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from tocsin.formats.fields import FIELDS, KNOWN, PLAIN, Fields, text_of
from tocsin.formats.jsonl import parse_object
from tocsin.formats.refused import Refused, shown
from tocsin.formats.values import absent

_PREFIX: Final = "data."


class Columns:
    """The meaning of a table's columns, worked out once for all its rows."""

    def __init__(self, names: Sequence[str], fields: Fields = PLAIN) -> None:
        self._fields: list[tuple[str, tuple[int, ...]]] = []
        self._beside: list[tuple[int, str]] = []
        self._inside: list[tuple[int, str]] = []
        self._data: int | None = None
        named = fields.renamed(names)
        taken = {place for places in named.values() for place in places}
        self._fields = [(field, places) for field, places in named.items() if field != "data"]
        if "data" in named:
            self._data = named["data"][0]
        known: set[str] = set()
        for index, name in enumerate(names):
            if name == "":
                continue  # pandas writes its row numbers under no name
            if name in known:
                raise Refused(f"two columns named {shown(name)}")
            known.add(name)
            if index in taken:
                continue
            if name in FIELDS and name not in named:
                self._fields.append((name, (index,)))
            elif name == "data" and name not in named:
                self._data = index
            elif name.startswith(_PREFIX):
                self._inside.append((index, name.removeprefix(_PREFIX)))
            else:
                self._beside.append((index, name))
        for needed in ("type", "time"):
            if needed not in known and needed not in named:
                raise _lacking(needed, names)

    def record(
        self,
        cells: Sequence[object],
        attribute: Callable[[object, str], object],
        whole: Callable[[object], dict[str, object]],
    ) -> dict[str, object]:
        """One row: its fields as they are; `attribute` reads a cell (None is none there), `whole` that of `data`.

        What stands in `data` and beside it is left beside it, so that whoever admits the record can tell of it.
        """
        record = {
            name: cells[places[0]] if len(places) == 1 else " ".join(text_of(cells[place]) for place in places)
            for name, places in self._fields
        }
        data = {} if self._data is None else whole(cells[self._data])
        for index, name in self._inside:
            if (value := attribute(cells[index], name)) is not None:
                data[name] = value
        is_empty = not data
        for index, name in self._beside:
            if (value := attribute(cells[index], name)) is not None:
                if is_empty or name not in data:
                    data[name] = value
                elif name not in KNOWN:
                    record[name] = value
        record["data"] = data
        return record


def as_object(cell: object) -> dict[str, object]:
    """The attributes in a `data` cell: an object, JSON text of one, or the pairs of an Arrow map."""
    if absent(cell):
        return {}
    if isinstance(cell, str):
        return parse_object(cell, "data") if cell else {}
    if isinstance(cell, Mapping):
        return dict(cell)
    if isinstance(cell, list) and all(isinstance(pair, tuple) and len(pair) == 2 for pair in cell):
        return dict(cell)
    raise Refused(f"data is {shown(cell)}", expected="an object")


def _lacking(needed: str, names: Sequence[str]) -> Refused:
    close = next((name for name in names if needed in name.lower()), None)
    if len(names) == 1:
        hint = "columns are separated by commas"
    else:
        hint = (
            f"say which it is: --columns {needed}=NAME"
            if close is None
            else f"there is {shown(close)}: is that what is meant? --columns {needed}={close}"
        )
    return Refused(f"there is no column {needed!r}", hint=hint)
