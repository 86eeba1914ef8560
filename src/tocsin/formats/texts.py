"""Many texts kept as one: that takes a fraction of the memory, and memory that is new costs more than the texts."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import accumulate
from operator import lt
from typing import Final, overload

SEPARATOR: Final = "\n"


class Texts(Sequence[str]):
    """Texts, joined. Where all are equally long each is found by its place, else by where those before it end."""

    def __init__(self, texts: list[str]) -> None:
        self.joined = SEPARATOR.join(texts)
        self._count, self._width = len(texts), _width_of(texts, self.joined)
        self._ends: list[int] | None = None
        if self._width is None:
            self._ends = [*accumulate(len(text) + 1 for text in texts)]

    @property
    def is_separable(self) -> bool:
        """Whether the texts can be had by splitting: none holds what stands between them."""
        return self.joined.count(SEPARATOR) < self._count

    @property
    def width(self) -> int | None:
        """How long each text is; None where they are not equally long, or that was not looked at."""
        return self._width

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...
    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        if isinstance(place, slice):
            return self._some(range(*place.indices(self._count)))
        if not 0 <= place < self._count:
            raise IndexError(place)
        if self._width is not None:
            first = place * (self._width + 1)
            return self.joined[first : first + self._width]
        assert self._ends is not None
        first = self._ends[place - 1] if place else 0
        return self.joined[first : self._ends[place] - 1]

    def _some(self, places: range) -> Texts:
        if self._width is None or places.step != 1 or not places:
            return Texts([self[each] for each in places])
        made, stride = Texts.__new__(Texts), self._width + 1
        made.joined = self.joined[places.start * stride : places.stop * stride - 1]
        made._count, made._width, made._ends = len(places), self._width, None
        return made

    def ascend(self, texts: list[str]) -> bool:
        """Whether these, the same texts as a list and all equally long, ascend."""
        numpy = sys.modules.get("numpy")
        if numpy is None or self._width is None or not self.joined.isascii() or "\0" in self.joined:
            return all(map(lt, texts, texts[1:]))
        found = numpy.frombuffer((self.joined + SEPARATOR).encode(), f"S{self._width + 1}")
        return bool((found[1:] > found[:-1]).all())


class Numerals(Sequence[str]):
    """Whole numbers, 64 bits each, that stand for their texts. `is_ascending`: each is greater than the one before."""

    def __init__(self, data: bytes, is_ascending: bool) -> None:
        self.data, self.is_ascending = data, is_ascending
        self._numbers = memoryview(data).cast("q")

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...
    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        if isinstance(place, slice):
            return Numerals(self._numbers[place].tobytes(), self.is_ascending and (place.step or 1) > 0)
        return str(self._numbers[place])


def _width_of(texts: list[str], joined: str) -> int | None:
    """How long each text is, if all are equally long."""
    if not texts or len(joined) + 1 != len(texts) * (len(texts[0]) + 1):
        return None
    width = len(texts[0])
    return width if set(map(len, texts)) == {width} else None
