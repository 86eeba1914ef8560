"""What is kept up to date of the rows in a window, so that no window has to be looked through: a row more or less."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i64
from sortedcontainers import SortedList

from tocsin.algebra.attributes import found_in
from tocsin.algebra.functions import deviation, quantile
from tocsin.algebra.operations import MISSING
from tocsin.engine.network.arena import Arena, Keys, Numbers
from tocsin.engine.network.batch import Store
from tocsin.engine.network.slots import NIL

EXACT: Final = 1 << 53
"""Whole numbers up to this size are real numbers without rounding."""


class Odd(Exception):
    """A window has what is no plain number: its aggregates are told as the meaning tells them."""


class Reading:
    """Where a tally reads the values of rows: an attribute of an arena."""

    def __init__(self, arena: Arena, store: Store, attribute: str, numbers: Numbers | None, keys: Keys | None) -> None:
        self.arena, self.store, self.attribute = arena, store, attribute
        self.numbers, self.keys = numbers, keys

    def number(self, row: i64) -> float:
        """The value of a row as a real number; NaN where it is none."""
        assert self.numbers is not None
        return self.numbers.values[row & self.arena.mask]

    def value(self, row: i64) -> object:
        """The value of a row, whatever it is, or MISSING."""
        event = self.store.event(self.arena.numbers[row & self.arena.mask])
        return found_in(event.data, self.attribute)


class Tally:
    """Something that is known of the rows of a window."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading

    def add(self, row: i64) -> None:
        """The window has one row more."""
        raise NotImplementedError

    def drop(self, row: i64) -> None:
        """The window has one row less."""
        raise NotImplementedError


class Presence(Tally):
    """How many rows have an attribute."""

    def __init__(self, reading: Reading) -> None:
        super().__init__(reading)
        self.count = 0

    def _is_there(self, row: i64) -> bool:
        keys = self.reading.keys
        assert keys is not None
        return keys.values[row & self.reading.arena.mask] >= 0 or self.reading.value(row) is not MISSING

    def add(self, row: i64) -> None:
        self.count += self._is_there(row)

    def drop(self, row: i64) -> None:
        self.count -= self._is_there(row)


class Kinds(Tally):
    """The different values, each with how many rows have it."""

    def __init__(self, reading: Reading) -> None:
        super().__init__(reading)
        self.counts: dict[int, int] = {}

    def _slot(self, row: i64) -> int:
        keys = self.reading.keys
        assert keys is not None
        return int(keys.values[row & self.reading.arena.mask])

    def add(self, row: i64) -> None:
        slot = self._slot(row)
        if slot >= 0:
            self.counts[slot] = self.counts.get(slot, 0) + 1

    def drop(self, row: i64) -> None:
        slot = self._slot(row)
        if slot >= 0:
            left = self.counts[slot] - 1
            if left:
                self.counts[slot] = left
            else:
                del self.counts[slot]


class Numeric(Tally):
    """What is known of numbers; how many rows lack one, and how many have something else."""

    def __init__(self, reading: Reading) -> None:
        super().__init__(reading)
        self.lacking, self.odd, self.count = 0, 0, 0

    def _note(self, row: i64, one: int) -> None:
        if self.reading.value(row) is MISSING:
            self.lacking += one
        else:
            self.odd += one

    def has_value(self) -> bool:
        """Whether there is a value: of none, or where one lacks, there is not."""
        if self.odd:
            raise Odd
        return self.count > 0 and not self.lacking

    def add(self, row: i64) -> None:
        number = self.reading.number(row)
        if number - number == 0.0:
            self.count += 1
            self.add_number(number)
        else:
            self._note(row, 1)

    def drop(self, row: i64) -> None:
        number = self.reading.number(row)
        if number - number == 0.0:
            self.count -= 1
            self.drop_number(number)
        else:
            self._note(row, -1)

    def add_number(self, number: float) -> None:
        """One number more."""
        raise NotImplementedError

    def drop_number(self, number: float) -> None:
        """One number less."""
        raise NotImplementedError


class Sum(Numeric):
    """The sum of the numbers without rounding, as a whole number of parts; of their squares, too, where it is asked."""

    def __init__(self, reading: Reading, has_squares: bool) -> None:
        super().__init__(reading)
        self.has_squares = has_squares
        self.total, self.squares = 0, 0
        self.parts = 1
        """How many parts make one: a power of two."""

    def _in_parts(self, number: float) -> int:
        above, below = number.as_integer_ratio()
        if below > self.parts:
            more = below // self.parts
            self.total, self.squares, self.parts = self.total * more, self.squares * more * more, below
        return above * (self.parts // below)

    def add_number(self, number: float) -> None:
        value = self._in_parts(number)
        self.total += value
        if self.has_squares:
            self.squares += value * value

    def drop_number(self, number: float) -> None:
        value = self._in_parts(number)
        self.total -= value
        if self.has_squares:
            self.squares -= value * value

    def sum(self) -> object:
        """The sum, rounded once."""
        if not self.has_value():
            return MISSING
        if abs(self.total) > EXACT * self.parts:
            raise Odd  # whole numbers are not rounded, and here it is not known which are
        return self.total if self.parts == 1 else self.total / self.parts

    def mean(self) -> object:
        """The mean, rounded once."""
        return self.total / (self.parts * self.count) if self.has_value() else MISSING

    def deviation(self) -> object:
        """The standard deviation of a sample."""
        if not self.has_value():
            return MISSING
        return deviation(self.count, Fraction(self.total, self.parts), Fraction(self.squares, self.parts * self.parts))


class Ordered(Numeric):
    """The numbers in order."""

    def __init__(self, reading: Reading) -> None:
        super().__init__(reading)
        self.ordered: Any = SortedList()

    def add_number(self, number: float) -> None:
        self.ordered.add(number)

    def drop_number(self, number: float) -> None:
        self.ordered.remove(number)

    def percentile(self, percent: float) -> object:
        """The value below which so many percent lie."""
        return quantile(self.ordered, self.count, percent) if self.has_value() else MISSING

    def extreme(self, place: int) -> object:
        """The least (0) or the greatest (-1)."""
        return self.ordered[place] if self.has_value() else MISSING


class Pane:
    """Some rows of a group that follow each other in time, from `first` to `last`, and what is known of them."""

    def __init__(self, tallies: list[Tally]) -> None:
        self.first: i64 = NIL
        self.last: i64 = NIL
        self.count: i64 = 0
        self.tallies = tallies

    def add(self, row: i64) -> None:
        """One row more, at either end."""
        self.count += 1
        for tally in self.tallies:
            tally.add(row)

    def drop(self, row: i64) -> None:
        """One row less, from either end."""
        self.count -= 1
        for tally in self.tallies:
            tally.drop(row)


def rows_between(first: i64, last: i64, following: vec[i64], mask: i64) -> list[int]:
    """The rows from one to another."""
    found: list[int] = []
    if first < 0:
        return found
    while first != last:
        found.append(int(first))
        first = following[first & mask]
    found.append(int(last))
    return found
