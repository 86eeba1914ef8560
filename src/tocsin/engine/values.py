"""Columns as they come in: the values of one attribute, read row by row as numbers, slots or objects."""

from __future__ import annotations

import math
from typing import Final

from librt.strings import read_f64_le, read_i64_le
from mypy_extensions import i64

from tocsin.algebra.values import MISSING
from tocsin.engine.slots import NEVER, Slots

NAN: Final = math.nan
EXACT: Final = 9007199254740992.0
"""Whole numbers up to this size are real numbers without rounding."""


class Values:
    """A column of missing values, and what every column can do."""

    def number(self, place: i64) -> float:
        """The value as a real number; NaN where it is not exactly one."""
        return NAN

    def slot(self, place: i64, slots: Slots) -> i64:
        """The slot of the value in a table."""
        return NEVER

    def value(self, place: i64) -> object:
        """The value itself, or MISSING."""
        return MISSING


MISSING_VALUES: Final = Values()


class WholeValues(Values):
    """A column of 64-bit integers, as bytes."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def number(self, place: i64) -> float:
        value = read_i64_le(self._data, place * 8)
        found = float(value)
        return found if -EXACT <= found <= EXACT else NAN

    def slot(self, place: i64, slots: Slots) -> i64:
        value = read_i64_le(self._data, place * 8)
        if -9007199254740992 < value < 9007199254740992:
            return slots.of_whole(value)
        return slots.of_value(int(value))

    def value(self, place: i64) -> object:
        return int(read_i64_le(self._data, place * 8))


class RealValues(Values):
    """A column of doubles, as bytes."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def number(self, place: i64) -> float:
        return read_f64_le(self._data, place * 8)

    def slot(self, place: i64, slots: Slots) -> i64:
        return slots.of_real(read_f64_le(self._data, place * 8))

    def value(self, place: i64) -> object:
        return read_f64_le(self._data, place * 8)


class ObjectValues(Values):
    """A column of any values; MISSING where an event does not have the attribute."""

    def __init__(self, values: list[object]) -> None:
        self._values = values

    def number(self, place: i64) -> float:
        return number_of(self._values[place])

    def slot(self, place: i64, slots: Slots) -> i64:
        value = self._values[place]
        return NEVER if value is MISSING else slots.of_value(value)

    def value(self, place: i64) -> object:
        return self._values[place]


class CodedValues(Values):
    """A column of codes into a list of values; a negative code is a missing value."""

    def __init__(self, codes: bytes, values: list[object]) -> None:
        self._codes, self._values = codes, values
        self._known: Slots | None = None
        self._slots: list[int] = []

    def number(self, place: i64) -> float:
        code = read_i64_le(self._codes, place * 8)
        return NAN if code < 0 else number_of(self._values[code])

    def slot(self, place: i64, slots: Slots) -> i64:
        code = read_i64_le(self._codes, place * 8)
        if code < 0:
            return NEVER
        if slots.collapsed:
            return slots.of_value(self._values[code])
        if self._known is not slots:
            self._known = slots
            self._slots = [int(slots.of_value(value)) for value in self._values]
        return self._slots[code]

    def value(self, place: i64) -> object:
        code = read_i64_le(self._codes, place * 8)
        return MISSING if code < 0 else self._values[code]


def number_of(value: object) -> float:
    """A plain number as a real one; NaN for everything else, and for what a real number cannot hold."""
    if isinstance(value, float):
        return value
    if isinstance(value, int) and not isinstance(value, bool) and -9007199254740992 <= value <= 9007199254740992:
        return float(value)
    return NAN
