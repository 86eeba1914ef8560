"""Event reports many at a time: one expression says whether all lines of a chunk are reports, another takes them apart.

What the first refuses (a comment, a blank line, a name beyond ASCII, anything wrong) goes through the row-wise reader
(`reports.read`), which says what it means. It knows no more than the shape: numbers that any attribute can hold,
escapes that there are, brackets in which no comment begins. Times, periods and declarations are looked at afterwards.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import re2

from tocsin.algebra.attributes import found_in, is_path
from tocsin.algebra.values import MISSING
from tocsin.formats.blocks import Block, Column, Offered, Rows, Unusual, admitted
from tocsin.formats.intake import Intake
from tocsin.formats.refused import Refused

_BLANK: Final = rb"[ \t]*"
_NUMBER: Final = rb"[+-]?(?:[0-9]{1,18}(?:\.[0-9]{0,30})?|\.[0-9]{1,30})(?:[eE][+-]?[0-9]{1,2})?"
_ESCAPED: Final = rb"\\[\"'\\ntr0]"
_STRING: Final = rb'"(?:[^"\\\n]|' + _ESCAPED + rb')*"'
_CHARACTER: Final = rb"'(?:[^'\\\n]|" + _ESCAPED + rb")'"
_BRACKETS: Final = rb"\[(?:/?[A-Za-z0-9:. \t+-]|\*)+\]"
_VALUE: Final = rb"(?:" + rb"|".join((_NUMBER, _STRING, _CHARACTER, _BRACKETS)) + rb")" + _BLANK
_VALUES: Final = rb"\(" + _BLANK + rb"(?:" + _VALUE + rb"(?:," + _BLANK + _VALUE + rb")*)?\)" + _BLANK
_OPTIONAL: Final = b"".join(rb"(?:" + part + rb")?" for part in (_STRING + _BLANK, _BRACKETS + _BLANK, _VALUES))
_REPORT: Final = _BLANK + rb"[A-Za-z_][A-Za-z0-9_]*" + _BLANK + _OPTIONAL + rb"\n"
_REPORTS: Final = re2.compile(rb"(?:" + _REPORT + rb")*")

# These two only take apart what the one above has let through, so that they may be simpler.
_PARTS: Final = re.compile(
    r'(\w+)[ \t]*(?:"([^"\\]*(?:\\.[^"\\]*)*)"[ \t]*)?(?:\[([^\]]*)\][ \t]*)?(?:\([ \t]*(.*)\)[ \t]*)?\n[ \t]*'
)
_ITEM: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|\'(?:[^\'\\]|\\.)\'|\[[^\]]*\]|[^\s,]+')
_MARKS: Final = ('"', "'", "[")
"""What tells a list of values that holds more than numbers."""
_ORDINAL: Final = re.compile(r"[1-9][0-9]{0,5}", re.ASCII)
"""What the values of a class that is not declared are called."""


class Read:
    """How the row-wise reader reads what stands by itself; each may refuse it."""

    def __init__(
        self, text: Callable[[str], str], value: Callable[[str], object], instant: Callable[[str], int]
    ) -> None:
        self.text, self.value = text, value
        """What quotes hold, and any value."""
        self.points = _Known(instant)
        self.minutes = _Known(lambda text: instant(f"{text}:0 1/1/1970"))
        self.seconds = _Known(lambda text: instant(f"0:0:{text} 1/1/1970"))
        self.days = _Known(instant)


class _Known(dict[str, int]):
    """Instants by how they are written: few texts come again and again, each is read once."""

    MOST: Final = 100_000

    def __init__(self, instant: Callable[[str], int]) -> None:
        super().__init__()
        self._instant = instant

    def __missing__(self, text: str) -> int:
        if len(self) >= self.MOST:
            self.clear()
        made = self[text] = self._instant(text)
        return made


def block_of(lines: bytes, count: int, first: int, read: Read, intake: Intake) -> Block:
    """The events of whole lines, numbered from `first`, or `Unusual`."""
    if lines[-1:] != b"\n":
        lines += b"\n"
    if b"\0" in lines or _REPORTS.fullmatch(lines) is None:
        raise Unusual
    try:
        types, sources, points, values = zip(*_PARTS.findall(lines.decode()), strict=True)
        times = _instants(points, read, intake.last_arrival)
        if len(types) != count:
            raise Unusual
        rows = ReportRows(list(types), list(values), read, intake)
        rows.check()
        texts = _texts(sources, read)
    except (UnicodeDecodeError, Refused):
        raise Unusual from None
    return admitted(Offered(first, rows.types, times, sources=texts), rows, intake)


def _texts(sources: Sequence[str], read: Read) -> list[object] | None:
    """The sources of reports, None where none of them has one."""
    written = set(sources)
    if written == {""}:
        return None
    meant = {source: read.text(source) for source in written}
    return [meant[source] for source in sources]


def _instants(points: Sequence[str], read: Read, now: int | None) -> array[int]:
    """When the events occurred. A report that does not say when is of the time that the ones before it made."""
    minutes, seconds, days = read.minutes, read.seconds, read.days
    made: list[int] = []
    is_whole = True
    for point in points:
        minute, _, rest = point.rpartition(":")
        if ":" in minute:  # 10:30:00 27/6/95
            second, _, day = rest.partition(" ")
            made.append(minutes[minute] + seconds[second] + days[day])
        elif point:
            made.append(read.points[point])
        else:
            is_whole = False
            made.append(0)
    if not is_whole:
        for place, point in enumerate(points):
            if not point:
                if now is None:
                    raise Unusual
                made[place] = now
            now = made[place] if now is None else max(now, made[place])
    return array("q", made)


class ReportRows(Rows):
    """The lists of values of some reports as they are written, until somebody asks for them."""

    def __init__(self, types: list[str], written: list[str], read: Read, intake: Intake) -> None:
        self.types, self._written = types, written
        self._read, self._intake = read, intake
        everything = ",".join(written)
        self._are_numbers = not any(mark in everything for mark in _MARKS)
        self._counts: list[int] = []
        self._values: list[list[object]] | None = None

    def check(self) -> None:
        """Refuses, maybe as unusual, what cannot be a value, and what a declaration does not allow."""
        if self._are_numbers:
            self._counts = [text.count(",") + 1 if text else 0 for text in self._written]
        else:
            self._values = [self._row(text) for text in self._written]
            self._counts = [len(values) for values in self._values]
        declared = self._intake.declared
        for kind, count in set(zip(self.types, self._counts, strict=True)):
            if kind in declared and len(declared[kind]) != count:
                raise Unusual

    def _row(self, written: str) -> list[object]:
        return [self._read.value(item) for item in _ITEM.findall(written)]

    def release(self) -> None:
        pass  # the texts are all it has

    def column(self, name: str) -> Column:
        if is_path(name):
            return [found_in(self.data(place), name) for place in range(len(self.types))]
        places = {kind: self._place(kind, name) for kind in set(self.types)}
        given = set(places.values())
        if given == {None}:
            return [MISSING] * len(self.types)
        counts = set(self._counts)
        if len(given) == 1 and self._are_numbers and len(counts) == 1:
            (place,), (count,) = given, counts
            if place is not None and place < count:
                return _numbers(",".join(self._written).split(",")[place::count])
        return [self._at(row, places[kind]) for row, kind in enumerate(self.types)]

    def _at(self, row: int, place: int | None) -> object:
        if place is None or place >= self._counts[row]:
            return MISSING
        return self._list(row)[place]

    def _place(self, kind: str, name: str) -> int | None:
        """Which value of an event of a type an attribute is: of those that a name has twice, the last."""
        names = self._intake.declared.get(kind)
        if names is None:
            return int(name) - 1 if _ORDINAL.fullmatch(name) else None
        return max((place for place, each in enumerate(names) if each == name), default=None)

    def _list(self, row: int) -> list[object]:
        if self._values is None:
            self._values = [_numbers(text.split(",")) if text else [] for text in self._written]
        return self._values[row]

    def data(self, place: int) -> Mapping[str, object]:
        kind, written = self.types[place], self._written[place]
        if self._values is not None:
            values = self._values[place]
        else:
            values = _numbers(written.split(",")) if written else []
        names = self._intake.declared.get(kind) or [str(number) for number in range(1, len(values) + 1)]
        found = dict(zip(names, values, strict=True))
        conform = self._intake.conform
        return found if conform is None else conform(kind, found)

    def part(self, first: int, last: int) -> ReportRows:
        made = ReportRows.__new__(ReportRows)
        made.types, made._written = self.types[first:last], self._written[first:last]
        made._read, made._intake, made._are_numbers = self._read, self._intake, self._are_numbers
        made._counts = self._counts[first:last]
        made._values = None if self._values is None else self._values[first:last]
        return made


def _numbers(cells: list[str]) -> list[object]:
    """Numbers, each a whole one or a real one as it is written; there may be blanks around them."""
    if "." not in cells[0]:
        try:
            return list(map(int, cells))
        except ValueError:
            pass
    return [float(cell) if "." in cell else _number(cell) for cell in cells]


def _number(cell: str) -> int | float:
    try:
        return int(cell)
    except ValueError:
        return float(cell)  # 1e3
