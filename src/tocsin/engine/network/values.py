"""Columns as they come in: the values of one attribute, read row by row as numbers, slots or objects."""

from __future__ import annotations

import math
from typing import Final

from librt.strings import read_f64_le, read_i64_le
from librt.vecs import vec
from mypy_extensions import i64

from tocsin.algebra.values import MISSING
from tocsin.engine.network.slots import NEVER, Slots

NAN: Final = math.nan
EXACT: Final = 9007199254740992.0
"""Whole numbers up to this size are real numbers without rounding."""


class Values:
    """A column of missing values, and what every column can do.

    `read_numbers` and `read_slots` read many places at once into a ring; every kind of column has its own loop, for a
    call for each value would cost more than the value.
    """

    def number(self, place: i64) -> float:
        """The value as a real number; NaN where it is not exactly one."""
        return NAN

    def slot(self, place: i64, slots: Slots) -> i64:
        """The slot of the value in a table."""
        return NEVER

    def value(self, place: i64) -> object:
        """The value itself, or MISSING."""
        return MISSING

    def read_numbers(self, places: vec[i64], count: i64, ring: vec[float], row: i64, mask: i64) -> None:
        """Puts the numbers at some places into a ring, from a row on."""
        at: i64 = 0
        while at < count:
            ring[(row + at) & mask] = self.number(places[at])
            at += 1

    def read_slots(self, places: vec[i64], count: i64, ring: vec[i64], row: i64, mask: i64, slots: Slots) -> None:
        """Puts the slots of the values at some places into a ring, from a row on."""
        at: i64 = 0
        while at < count:
            ring[(row + at) & mask] = self.slot(places[at], slots)
            at += 1


MISSING_VALUES: Final = Values()


class WholeValues(Values):
    """A column of 64-bit integers, as bytes."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def number(self, place: i64) -> float:
        value = read_i64_le(self.data, place * 8)
        return float(value) if -9007199254740992 <= value <= 9007199254740992 else NAN

    def slot(self, place: i64, slots: Slots) -> i64:
        value = read_i64_le(self.data, place * 8)
        if -9007199254740992 < value < 9007199254740992:
            return slots.of_whole(value)
        return slots.of_value(int(value))

    def value(self, place: i64) -> object:
        return int(read_i64_le(self.data, place * 8))

    def read_slots(self, places: vec[i64], count: i64, ring: vec[i64], row: i64, mask: i64, slots: Slots) -> None:
        slots.read_wholes(self.data, places, count, ring, row, mask)


class RealValues(Values):
    """A column of doubles, as bytes."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def number(self, place: i64) -> float:
        return read_f64_le(self.data, place * 8)

    def slot(self, place: i64, slots: Slots) -> i64:
        return slots.of_real(read_f64_le(self.data, place * 8))

    def value(self, place: i64) -> object:
        return read_f64_le(self.data, place * 8)

    def read_numbers(self, places: vec[i64], count: i64, ring: vec[float], row: i64, mask: i64) -> None:
        data = self.data
        at: i64 = 0
        while at < count:
            ring[(row + at) & mask] = read_f64_le(data, places[at] * 8)
            at += 1


class ObjectValues(Values):
    """A column of any values; MISSING where an event does not have the attribute."""

    def __init__(self, values: list[object]) -> None:
        self.values = values

    def number(self, place: i64) -> float:
        return number_of(self.values[place])

    def slot(self, place: i64, slots: Slots) -> i64:
        value = self.values[place]
        return NEVER if value is MISSING else slots.of_value(value)

    def value(self, place: i64) -> object:
        return self.values[place]


class CodedValues(Values):
    """A column of codes into a list of values; a negative code is a missing value."""

    def __init__(self, codes: bytes, values: list[object]) -> None:
        self.codes, self.values = codes, values
        self._known: Slots | None = None
        self._version: i64 = 0
        self._slots: list[int] = []

    def number(self, place: i64) -> float:
        code = read_i64_le(self.codes, place * 8)
        return NAN if code < 0 else number_of(self.values[code])

    def slot(self, place: i64, slots: Slots) -> i64:
        code = read_i64_le(self.codes, place * 8)
        if code < 0:
            return NEVER
        if slots.collapsed:
            return slots.of_value(self.values[code])
        if self._known is not slots or self._version != slots.version:
            self._known, self._version = slots, slots.version
            self._slots = [int(slots.of_value(value)) for value in self.values]
        return self._slots[code]

    def value(self, place: i64) -> object:
        code = read_i64_le(self.codes, place * 8)
        return MISSING if code < 0 else self.values[code]


def number_of(value: object) -> float:
    """A plain number as a real one; NaN for everything else, and for what a real number cannot hold."""
    if isinstance(value, float):
        return value
    if isinstance(value, int) and not isinstance(value, bool) and -9007199254740992 <= value <= 9007199254740992:
        return float(value)
    return NAN
