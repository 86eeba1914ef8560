"""What PySpark before 4.1 lacks, said in the words that it has."""

from __future__ import annotations

from itertools import count as numbers
from typing import Any, Final

from pyspark.sql import functions as F

NUMBER: Final = r"^\s*-?\d+(\.\d+)?([eE][+-]?\d+)?\s*$"
_SEED: Final = 42
"""What Spark's hash partitioning begins with."""
_MASK: Final = 0xFFFFFFFF


def try_cast(text: Any, kind: str) -> Any:
    """A text as a number, or nothing where it is none. 3.5 has no word for it, and ends the job if it is strict."""
    if hasattr(type(text), "try_cast"):  # of its class: to a column any attribute is a field of its own
        return text.try_cast(kind)
    return F.when(text.rlike(NUMBER), text.cast(kind))


def partitioned(frame: Any, count: int, column: str) -> Any:
    """A DataFrame in so many partitions, each row in the one whose number a column says."""
    if hasattr(type(frame), "repartitionById"):
        return frame.repartitionById(count, column)
    # Partitions are found by a hash: so each number is put as one whose hash leads there.
    chosen = F.array(*(F.lit(number) for number in numbers_of_partitions(count)))
    return frame.repartition(count, F.get(chosen, F.col(column)))


def numbers_of_partitions(count: int) -> list[int]:
    """For each partition a whole number that Spark's hash partitioning puts there."""
    found: dict[int, int] = {}
    for number in numbers():
        found.setdefault(_hash(number) % count, number)
        if len(found) == count:
            return [found[place] for place in range(count)]
    raise AssertionError


def _hash(number: int) -> int:
    """Murmur3 of a whole number of 32 bits, as Spark has it."""
    mixed = _rotated(number * 0xCC9E2D51, 15) * 0x1B873593
    made = _rotated(_SEED ^ (mixed & _MASK), 13) * 5 + 0xE6546B64 & _MASK
    made ^= 4
    made = (made ^ made >> 16) * 0x85EBCA6B & _MASK
    made = (made ^ made >> 13) * 0xC2B2AE35 & _MASK
    made ^= made >> 16
    return made - (1 << 32) if made >> 31 else made


def _rotated(bits: int, by: int) -> int:
    bits &= _MASK
    return (bits << by | bits >> 32 - by) & _MASK
