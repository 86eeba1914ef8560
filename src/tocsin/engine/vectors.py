"""Vectors of numbers: the little that is needed besides indexing."""

from __future__ import annotations

from typing import Final

from librt.vecs import extend, vec
from mypy_extensions import i64

_BLOCK: Final = [0] * 1024
_REAL_BLOCK: Final = [0.0] * 1024


def filled(size: i64, value: i64) -> vec[i64]:
    """A vector of `size` equal numbers."""
    made = extend(vec[i64](), [value] * int(size)) if size < 1024 else _doubled(size)
    place: i64 = 0
    while place < size:
        made[place] = value
        place += 1
    return made


def _doubled(size: i64) -> vec[i64]:
    made = extend(vec[i64](), _BLOCK)
    while len(made) < size:
        made = extend(made, made)
    return made[0:size]


def reals(size: i64) -> vec[float]:
    """A vector of `size` real zeros."""
    made = extend(vec[float](), _REAL_BLOCK)
    while len(made) < size:
        made = extend(made, made)
    return made[0:size]


def widened(values: vec[i64], size: i64, value: i64) -> vec[i64]:
    """The vector made `size` long, with `value` in the new places."""
    known: i64 = len(values)
    return values if known >= size else extend(values, filled(size - known, value))


def doubled(values: vec[i64]) -> vec[i64]:
    """The vector twice as long; what stands in the new half is of no use."""
    return extend(values, values)
