"""Vectors of numbers: the little that is needed besides indexing."""

from __future__ import annotations

from typing import Final

from librt.vecs import extend, vec
from mypy_extensions import i64

FAR: Final[i64] = 4611686018427387903
"""Further away than any time; the largest number that need not be boxed."""


def filled(size: i64, value: i64) -> vec[i64]:
    """A vector of `size` equal numbers."""
    return vec[i64]([value] * size)


def reals(size: i64) -> vec[float]:
    """A vector of `size` real zeros."""
    return vec[float]([0.0] * size)


def widened(values: vec[i64], size: i64, value: i64) -> vec[i64]:
    """The vector made `size` long, with `value` in the new places."""
    known: i64 = len(values)
    return values if known >= size else extend(values, filled(size - known, value))


def doubled(values: vec[i64]) -> vec[i64]:
    """The vector twice as long; what stands in the new half is of no use."""
    return extend(values, values)
