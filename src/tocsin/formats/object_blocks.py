"""Dictionaries of Python many at a time, where all that they hold is plain: texts, numbers, truth values."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from operator import itemgetter
from typing import Any, Final

from tocsin.algebra.attributes import found_in, heads_of, is_path
from tocsin.algebra.values import MISSING
from tocsin.errors import TocsinError
from tocsin.events import Arrival
from tocsin.formats.blocks import Block, Column, Offered, Parcel, Rows, Unusual, admitted
from tocsin.formats.fields import ENVELOPE, FIELDS, KNOWN
from tocsin.formats.intake import Intake, attributes
from tocsin.formats.objects import admit_object, record_of
from tocsin.formats.parcels import FEW, gathered
from tocsin.formats.refused import Refused, shown

MOST: Final = 2048
"""Items that are taken at a time."""
LEAST: Final = 4
"""Items below which columns cost more than they save."""
_PLAIN: Final = frozenset((str, int, float, bool, type(None)))
_NOT_SO_PLAIN: Final = frozenset(("amends", "specversion", *ENVELOPE))
_NOTHING: Final[dict[str, object]] = {}


def object_parcels(items: Iterable[object], intake: Intake) -> Iterator[Parcel]:
    """The events that the items are, numbered from 1, as columns where possible."""
    given = iter(items) if isinstance(items, list | tuple) else map(_copied, items)
    number = 1
    refused: TocsinError | None = None
    while refused is None:
        some: list[object] = []
        try:
            for item in islice(given, 1 if number == 1 else MOST):  # the first decides how times are written
                some.append(item)  # noqa: PERF402 - what came before an error is kept
        except TocsinError as error:
            refused = error
        if not some:
            break
        yield from _parcels(some, number, intake)
        number += len(some)
    if refused is not None:
        raise refused


def object_block(items: list[object], first: int, intake: Intake) -> Block | None:
    """The events that some items are, numbered from `first`, if columns can say them; nothing has changed if not.

    The items are only lent: what is done to them later changes no event.
    """
    if len(items) < LEAST or type(items[0]) is not dict or not intake.takes_blocks or intake.fields.columns:
        return None
    try:
        return _block(items, first, intake, is_lent=True)
    except Unusual:
        return None


def _copied(item: object) -> object:
    """An item as it is now: whoever gives it may use the same dictionary again."""
    return _copy(item) if type(item) is dict else item


def _copy(item: dict[str, Any]) -> dict[str, Any]:
    copy = item.copy()
    if type(data := copy.get("data")) is dict:
        copy["data"] = data.copy()
    return copy


def _parcels(items: list[object], first: int, intake: Intake) -> Iterator[Parcel]:
    if len(items) > 1 and intake.takes_blocks and not intake.fields.columns:
        try:
            block = _block(items, first, intake)
        except Unusual:
            pass
        else:
            yield block
            return
    if len(items) <= FEW:
        yield from gathered(_rows(items, first, intake))
    else:
        half = len(items) // 2
        yield from _parcels(items[:half], first, intake)
        yield from _parcels(items[half:], first + half, intake)


def _rows(items: list[object], first: int, intake: Intake) -> Iterator[Arrival]:
    for number, item in enumerate(items, first):
        try:
            yield admit_object(item, number, intake)
        except Refused as refused:
            intake.refuse(number, shown(item, 1000), refused)


def _block(items: list[Any], first: int, intake: Intake, is_lent: bool = False) -> Block:
    if set(map(type, items)) != {dict}:
        raise Unusual
    shapes = set(map(tuple, items))
    names = dict.fromkeys(name for shape in shapes for name in shape)
    if set(map(type, names)) != {str} or not _NOT_SO_PLAIN.isdisjoint(names):
        raise Unusual
    rows = ObjectRows(items, [name for name in names if name not in KNOWN], intake)
    own = {name: _values_of(name, items, len(shapes) == 1) for name in FIELDS if name in names}
    types: list[Any] = own.get("type", [None])
    if set(map(type, types)) != {str} or "time" not in own:
        raise Unusual
    for name in ("id", "source"):
        _check_texts(own.get(name, []))
    _check_texts(types)
    is_alike = rows.check() and len(shapes) == 1
    if is_lent:
        rows.own(is_alike)
    offered = Offered(first, types, own["time"], own.get("start"), own.get("arrival"), own.get("id"), own.get("source"))
    return admitted(offered, rows, intake)


class ObjectRows(Rows):
    """Dictionaries with their attributes beside their fields (`beside`) and in `data`."""

    def __init__(self, items: list[dict[str, Any]], beside: list[str], intake: Intake) -> None:
        self._items, self._beside, self._intake = items, beside, intake
        self._data: list[dict[str, Any]] = [item.get("data") or _NOTHING for item in items]
        self._columns: dict[str, list[object]] = {}
        self._count, self._in_order = len(items), beside

    def check(self) -> bool:
        """Refuses, as unusual, all that would not be taken as it is. Whether all have the same attributes in `data`."""
        if set(map(type, self._data)) != {dict}:
            raise Unusual
        shapes = set(map(tuple, self._data))
        names = dict.fromkeys(name for shape in shapes for name in shape)
        if set(map(type, names)) - {str} or not names.keys().isdisjoint(self._beside):
            raise Unusual
        _check_texts([*names, *self._beside])
        for given, own in ((names, self._data), (self._beside, self._items)):
            for name in given:
                self._columns[name] = _checked(_values_of(name, own, len(shapes) == 1 and own is self._data))
        self._in_order = [*self._beside, *names]
        return len(shapes) == 1

    def own(self, is_alike: bool) -> None:
        """Keeps nothing of the dictionaries, which are somebody else's: the columns say it all if they are alike."""
        self._items = [] if is_alike else [*map(_copy, self._items)]
        self._data = []

    def column(self, name: str) -> Column:
        if not is_path(name):
            return self._values(name)
        heads = [(head, self._values(head)) for head in heads_of(name)]
        made: list[object] = []
        for place in range(self._count):
            data = {head: column[place] for head, column in heads if column[place] is not MISSING}
            made.append(found_in(data, name))
        return made

    def _values(self, name: str) -> list[object]:
        return self._columns.get(name) or [MISSING] * self._count

    def data(self, place: int) -> Mapping[str, object]:
        if not self._items:
            return {name: value for name in self._in_order if (value := self._columns[name][place]) is not MISSING}
        found, _ = attributes(record_of(self._items[place]))
        conform = self._intake.conform
        return found if conform is None else conform(self._items[place]["type"], found)

    def release(self) -> None:
        pass  # the columns hold values that are there in any case

    def part(self, first: int, last: int) -> ObjectRows:
        made = ObjectRows(self._items[first:last], self._beside, self._intake)
        made._columns = {name: column[first:last] for name, column in self._columns.items()}
        made._count, made._in_order = last - first, self._in_order
        return made


def _values_of(name: str, items: list[dict[str, Any]], is_alike: bool) -> list[Any]:
    """What the items have under a name; None where one has nothing, which none is that is like the others."""
    return [*map(itemgetter(name), items)] if is_alike else [item.get(name) for item in items]


def _checked(values: list[Any]) -> list[object]:
    """Values that are taken as they are, with MISSING for those that are nothing."""
    kinds = set(map(type, values))
    if not kinds <= _PLAIN:
        raise Unusual
    if str in kinds:
        _check_texts(values)
    if float in kinds and not (kinds == {float} and math.isfinite(sum(values))):
        if any(type(value) is float and math.isinf(value) for value in values):
            raise Unusual
        return [MISSING if value is None or value != value else value for value in values]
    return [MISSING if value is None else value for value in values] if type(None) in kinds else values


def _check_texts(values: list[Any]) -> None:
    """Whether all texts can be written: none holds half of a pair."""
    try:
        text = "".join(values)
    except TypeError:
        text = "".join([value for value in values if type(value) is str])
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise Unusual from None
