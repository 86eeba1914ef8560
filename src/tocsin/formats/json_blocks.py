"""JSON Lines many at a time: each line becomes a record of a kind that has a place for every field met so far.

msgspec decodes all lines of a chunk at once. A line with a field that is new, and everything that is not one object a
line, it refuses: then the fields are learnt, or the lines go through the row-wise reader (`jsonl.read`), which says
what is wrong. It takes and refuses the same texts as `json` does, but for what `_is_plain` looks for.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from operator import attrgetter
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from tocsin.algebra.attributes import found_in, heads_of, is_path
from tocsin.algebra.values import MISSING
from tocsin.formats.blocks import Block, Column, Offered, Rows, Unusual, admitted
from tocsin.formats.fields import ENVELOPE, KNOWN
from tocsin.formats.intake import Intake, attributes
from tocsin.formats.lines import Lines
from tocsin.formats.values import DEEPEST

MOST_FIELDS: Final = 256
"""Fields that are learnt. Lines whose fields are other ones each time are read one by one."""
_OWN: Final = ("id", "source", "time", "start", "arrival")
_SAMPLE: Final = 64
"""Lines that are looked at first: mostly they have all the fields there are."""
_Scalar: TypeAlias = str | int | float | bool | None
_Time: TypeAlias = str | int | float | None
_Name: TypeAlias = str | int | None
_KINDS: Final = {"id": _Name, "source": _Name, "start": _Time, "arrival": _Time}
_AMENDMENT: Final = ("amends", "change")

_NONE: Final = type(None)
_any: Final = msgspec.json.Decoder()


class Schema:
    """The fields met so far, beside `data` and in it, and a decoder for lines that have no others."""

    def __init__(self) -> None:
        self.flat: dict[str, str] = {}
        """The fields beside the event's own, with the attributes of the records that hold them."""
        self.data: dict[str, str] = {}
        self.own: set[str] = set()
        """Which of the event's own fields there are, besides `type` and `time`."""
        self._nested: set[str] = set()
        """The attributes of the records in which a list or an object was met; the others take none."""
        self._decoder: msgspec.json.Decoder[list[Any]] | None = None
        self.is_usable = True

    def learn(self, lines: list[bytes]) -> bool:
        """Whether there are fields in these lines that were not known."""
        return self._learn(lines[:_SAMPLE]) or (len(lines) > _SAMPLE and self._learn(lines[_SAMPLE:]))

    def _learn(self, lines: list[bytes]) -> bool:
        before = self._known
        for line in lines:
            try:
                record = _any.decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                continue
            if type(record) is dict:
                self._note(record)
        is_few = len(self.flat) + len(self.data) <= MOST_FIELDS
        self.is_usable = is_few and not all(name in self.flat for name in _AMENDMENT)
        if self._known > before:
            self._decoder = None
        return self._known > before and self.is_usable

    @property
    def _known(self) -> int:
        return len(self.flat) + len(self.data) + len(self.own) + len(self._nested)

    @property
    def is_flat(self) -> bool:
        """Whether no attribute holds lists or objects: they would have been refused."""
        return not self._nested

    def _note(self, record: dict[str, Any]) -> None:
        for name, value in record.items():
            if name in _KINDS or name == "data":
                self.own.add(name)
            elif name not in ("type", "time") and len(self.flat) <= MOST_FIELDS:
                self._note_value(self.flat.setdefault(name, f"f{len(self.flat)}"), value)
        data = record.get("data")
        if type(data) is dict:
            for name, value in data.items():
                if len(self.data) <= MOST_FIELDS:
                    self._note_value(self.data.setdefault(name, f"d{len(self.data)}"), value)

    def _note_value(self, own: str, value: object) -> None:
        if type(value) in (list, dict):
            self._nested.add(own)

    def _kind(self, own: str) -> Any:
        return Any if own in self._nested else _Scalar

    def decode(self, lines: bytes) -> list[Any]:
        """The records of some lines, or `Unusual`."""
        if not self.is_usable:
            raise Unusual
        try:
            return self.decoder.decode_lines(lines)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError, TypeError):
            raise Unusual from None

    @property
    def decoder(self) -> msgspec.json.Decoder[list[Any]]:
        """What decodes lines that have no other fields than those met so far."""
        if self._decoder is None:
            self._decoder = self._made()
        return self._decoder

    def _made(self) -> msgspec.json.Decoder[list[Any]]:
        data = msgspec.defstruct(
            "Data",
            [(own, self._kind(own) | UnsetType, UNSET) for own in self.data.values()],
            rename={own: name for name, own in self.data.items()},
            forbid_unknown_fields=True,
            gc=False,
        )
        record = msgspec.defstruct(
            "Record",
            [
                ("type", str),
                ("time", _Time),
                *((name, kind, None) for name, kind in _KINDS.items() if name in self.own),
                *([("data", data | None, None)] if "data" in self.own else []),
                *((own, self._kind(own) | UnsetType, UNSET) for own in self.flat.values()),
            ],
            rename={own: name for name, own in self.flat.items()},
            forbid_unknown_fields=True,
            gc=False,
        )
        return msgspec.json.Decoder(record)


class JsonRows(Rows):
    """Decoded lines, and the lines themselves.

    The decoded ones are let go as soon as their columns were read (`release`): fresh memory for every line would cost
    several times what decoding does. Who asks for a column later has them decoded again.
    """

    def __init__(self, records: list[Any], lines: Lines, first: int, schema: Schema, intake: Intake) -> None:
        self._lines, self._first, self._count = lines, first, len(records)
        self._conform, self._again, self._has_data = intake.conform, schema.decoder, "data" in schema.own
        self._flat, self._data = dict(schema.flat), dict(schema.data)
        self._take(records)

    def _take(self, records: list[Any]) -> None:
        self._is_released = False
        self._records = records
        self._inners: list[Any] = [record.data for record in records] if self._has_data else [None] * len(records)
        self._lacking = self._inners.count(None) if _NONE in set(map(type, self._inners)) else 0

    def release(self) -> None:
        self._records, self._inners, self._is_released = [], [], True

    def column(self, name: str) -> Column:
        if self._is_released:
            records = self._again.decode_lines(self._lines.text)  # which it has taken before
            self._take(records[self._first : self._first + self._count])
        if is_path(name):
            return self._inside(name)
        return self._values(name)

    def _values(self, name: str) -> list[object]:
        inner, outer = self._data.get(name), None if name in KNOWN else self._flat.get(name)
        found: list[object] = []
        if inner is not None and outer is not None:
            return [
                MISSING if value is UNSET else value
                for value in map(_either, self._inner(inner), _got(self._records, outer))
            ]
        if inner is not None:
            found = self._inner(inner)
        elif outer is not None:
            found = _got(self._records, outer)
        else:
            return [MISSING] * len(self._records)
        has_gaps = UnsetType in set(map(type, found))
        return [MISSING if value is UNSET else value for value in found] if has_gaps else found

    def _inner(self, own: str) -> list[object]:
        if self._lacking:
            return [UNSET if inner is None else getattr(inner, own) for inner in self._inners]
        return _got(self._inners, own)

    def _inside(self, path: str) -> list[object]:
        """What a path leads to: it may lie inside an attribute, or be one."""
        heads = [(head, self._values(head)) for head in heads_of(path) if head in self._data or head in self._flat]
        rows = zip(*(column for _, column in heads), strict=True) if heads else ([] for _ in self._records)
        names = [head for head, _ in heads]
        return [
            found_in({name: value for name, value in zip(names, row, strict=True) if value is not MISSING}, path)
            for row in rows
        ]

    def data(self, place: int) -> Mapping[str, object]:
        record = _any.decode(self._lines.line(self._first + place))
        found, _ = attributes(record)
        return found if self._conform is None else self._conform(record["type"], found)

    def part(self, first: int, last: int) -> JsonRows:
        made = JsonRows.__new__(JsonRows)
        made._lines, made._first, made._count = self._lines, self._first + first, last - first
        made._conform, made._again, made._has_data = self._conform, self._again, self._has_data
        made._flat, made._data = self._flat, self._data
        made._records, made._is_released = self._records[first:last], self._is_released
        made._inners, made._lacking = self._inners[first:last], self._lacking
        return made

    @property
    def least_brackets(self) -> int:
        """How many brackets there are if no attribute holds any."""
        return 2 * len(self._inners) - self._lacking

    def check(self) -> None:
        """Refuses, as unusual, what more than one column is needed to say."""
        envelope = [name for name in self._flat if name in ENVELOPE]
        if envelope:
            said = _got(self._records, self._flat["specversion"]) if "specversion" in self._flat else [UNSET]
            if UNSET in said:  # then they are attributes, at least of some
                raise Unusual
        for name in self._flat:
            if name in self._data and name not in KNOWN:
                pairs = zip(_got(self._records, self._flat[name]), self._inner(self._data[name]), strict=True)
                if any(outer is not UNSET and inner is not UNSET for outer, inner in pairs):
                    raise Unusual


def _either(one: object, other: object) -> object:
    return other if one is UNSET else one


def _got(records: list[Any], own: str) -> list[object]:
    return list(map(attrgetter(own), records))


def block_of(
    lines: bytes, count: int, first: int, schema: Schema, intake: Intake, arrivals: array[int] | None = None
) -> Block:
    """The events of whole lines, numbered from `first`, or `Unusual`. `arrivals`: when they came, whatever they say."""
    if not _is_plain(lines, count):
        raise Unusual
    records = schema.decode(lines)
    if len(records) != count:
        raise Unusual
    rows = JsonRows(records, Lines(lines), 0, schema, intake)
    if not schema.is_flat and _is_deep(lines, rows.least_brackets):
        raise Unusual
    rows.check()
    start, arrival, name, source = (
        _some(_got(records, name)) if name in schema.own else None for name in ("start", "arrival", "id", "source")
    )
    times = arrival if arrivals is None else arrivals
    offered = Offered(first, _got(records, "type"), _got(records, "time"), start, times, name, source)  # type: ignore[arg-type]  # as the decoder says
    return admitted(offered, rows, intake)


def _some(values: list[object]) -> list[object] | None:
    return None if set(map(type, values)) == {_NONE} else values  # types, for comparing values takes longer


def _is_plain(lines: bytes, count: int) -> bool:
    """Whether this is one object a line, of characters, none of them half of a pair.

    An end of a line between `}` and `{` is none inside an object: there a comma would have to come first.
    """
    if not (lines[:1] == b"{" and lines.rstrip(b"\n")[-1:] == b"}" and lines.count(b"}\n{") == count - 1):
        return False
    if b"\\" in lines and (b"\\ud" in lines or b"\\uD" in lines):
        return False
    return b"\0" not in lines and _is_text(lines)


def _is_deep(lines: bytes, least: int) -> bool:
    """Whether some line may be nested too deeply: `least` brackets are those of the events and their data alone."""
    if lines.count(b"{") + lines.count(b"[") - least < DEEPEST:
        return False
    return any(line.count(b"{") + line.count(b"[") > DEEPEST for line in lines.split(b"\n"))


def _is_text(lines: bytes) -> bool:
    if lines.isascii():
        return True
    try:
        lines.decode()
    except UnicodeDecodeError:
        return False
    return True
