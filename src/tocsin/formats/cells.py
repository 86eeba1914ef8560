"""Columns of cells that are numbers, told by a look at all their bytes at once.

Arrow reads `007`, `.5` and `1.` as numbers too, and here they are texts. So a column is cast, and the cells are held
against what the numbers would look like. What is a number but not told here (one with an exponent, say, or whole and
other numbers in one column) has to be told cell by cell: None says no more than that.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable
from typing import Any, Final

from tocsin.formats.blocks import Reals, Wholes
from tocsin.formats.instants import EXACT_SECONDS
from tocsin.time.spans import SECOND

_WHOLE: Final = b"0123456789-"
_REAL: Final = b"0123456789-."
_DIGITS: Final = 15
"""Whole numbers with more digits may be none that a real number is exactly."""
_SHORTEST: Final = 3
"""`0.5`: no number with a point is shorter."""
_PLACES: Final = 6
_POINT, _MINUS, _ZERO = b".-0"


class Cells:
    """A column of texts of Arrow: its bytes, and where each cell begins and ends in them."""

    def __init__(self, numpy: Any, column: Any) -> None:
        self.numpy, self.column = numpy, column
        _, places, data = column.buffers()
        bounds = numpy.frombuffer(places, numpy.int32)[column.offset : column.offset + len(column) + 1]
        first, last = int(bounds[0]), int(bounds[-1])
        self.text = b"" if data is None else data.slice(first, last - first).to_pybytes()
        self.begins, self.ends = bounds[:-1] - first, bounds[1:] - first

    def wholes(self) -> Any:
        """The numbers as an array, if every cell is a whole one."""
        np = self.numpy
        if not self._is_made_of(_WHOLE) or int((self.ends - self.begins).max()) > _DIGITS + 1:
            return None
        numbers = self._cast("int64")
        if numbers is None:
            return None
        # A cell has at least the digits of its number: if there are no more in all of them, none has a zero before it.
        sizes = np.abs(numbers)
        most = int(sizes.max())
        if most >= 10**_DIGITS:
            return None
        needed = len(numbers) + int((numbers < 0).sum())
        for digits in range(1, len(str(most))):
            needed += int((sizes >= 10**digits).sum())
        return numbers if needed == len(self.text) else None

    def reals(self) -> Any:
        """The numbers as an array, if every cell is one with a point and no exponent."""
        np, count = self.numpy, len(self.begins)
        is_short = int((self.ends - self.begins).min()) < _SHORTEST
        if is_short or not self._is_made_of(_REAL) or self.text.count(_POINT) != count:
            return None
        raw = np.frombuffer(self.text, np.uint8)
        heads = self.begins + (raw[self.begins] == _MINUS)
        leads = raw[heads]
        has_zeros = (leads == _ZERO) & (raw[heads + 1] != _POINT)
        if has_zeros.any() or (leads == _POINT).any() or (raw[self.ends - 1] == _POINT).any():
            return None
        numbers = self._cast("float64")  # no cell with two points is a number, so each has one
        return numbers if numbers is not None and np.isfinite(numbers).all() else None

    def instants(self) -> array[int] | None:
        """The instants of seconds, if every cell has some, of six places at most."""
        np = self.numpy
        numbers = self.reals()
        if numbers is not None:
            points = np.flatnonzero(np.frombuffer(self.text, np.uint8) == _POINT)
            if int((self.ends - points).max()) > _PLACES + 1:
                return None
        else:
            numbers = self.wholes()
        if numbers is None or not (np.abs(numbers) < EXACT_SECONDS).all():
            return None
        return array("q", np.rint(numbers * float(SECOND)).astype(np.int64).tobytes())

    def _is_made_of(self, characters: bytes) -> bool:
        return bool(self.text) and not self.text.translate(None, characters)

    def _cast(self, kind: str) -> Any:
        try:
            return self.column.cast(kind).to_numpy()
        except ValueError:  # as Arrow's own errors are
            return None


def cells_of(column: Any) -> Cells | None:
    """The cells of a column of texts; None where there is no NumPy to look at them, or no cell."""
    numpy = sys.modules.get("numpy")
    return Cells(numpy, column) if numpy is not None and len(column) else None


def numbers_of(column: Any) -> Wholes | Reals | None:
    """A column of numbers of one kind."""
    cells = cells_of(column)
    if cells is None:
        return None
    kinds: tuple[tuple[Callable[[], Any], type[Wholes] | type[Reals]], ...]
    kinds = ((cells.wholes, Wholes), (cells.reals, Reals))
    for read, kind in kinds:
        numbers = read()
        if numbers is not None:
            return kind(numbers.tobytes())
    return None
