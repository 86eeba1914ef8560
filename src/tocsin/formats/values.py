"""Attribute values as Python libraries hold them, turned into those JSON knows."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from typing import Any, Final
from uuid import UUID

from tocsin.events import Moment
from tocsin.formats.instants import Instant, to_instant
from tocsin.formats.refused import Refused, shown
from tocsin.time.calendar import render_instant
from tocsin.time.spans import Period

DEEPEST: Final = 100
"""How deeply lists and objects may be nested: far below where Python's own limit differs between versions."""

_MISSING: Final = ("NAType", "NaTType")


def absent(value: object) -> bool:
    """Whether a cell holds nothing: None, NaN, and pandas' own two kinds of nothing."""
    if value is None:
        return True
    if isinstance(value, float):
        return value != value  # NaN alone
    return type(value).__name__ in _MISSING


def unwrapped(value: object) -> object:
    """A numpy scalar or array as plain Python; anything else as it is."""
    if type(value).__module__ != "numpy":
        return value
    if type(value).__name__ == "datetime64":
        # Its own conversion gives a bare count of nanoseconds where the unit is fine.
        microseconds = int(value.astype("datetime64[us]").astype("int64"))  # type: ignore[attr-defined]
        return None if microseconds == -(2**63) else Instant(microseconds)
    return value.tolist() if hasattr(value, "tolist") else value


def plain_data(data: Mapping[Any, object]) -> dict[str, object]:
    """An event's attributes with plain values; what holds nothing is left out."""
    plain_values: dict[str, object] = {}
    for name, value in data.items():
        if not isinstance(name, str):
            raise Refused(f"the attribute name {shown(name)} is not text")
        unwrapped_value = unwrapped(value)
        if not absent(unwrapped_value):
            plain_values[name] = plain(unwrapped_value, name)
    return plain_values


def plain(value: object, name: str, depth: int = 0) -> object:
    """One value of attribute `name`: times become RFC 3339 text, lengths of time seconds."""
    if depth > DEEPEST:
        raise Refused(f"attribute {shown(name)} is nested more than {DEEPEST} deep")
    value = unwrapped(value)
    if isinstance(value, Enum):
        value = value.value
    if isinstance(value, Instant | datetime):
        return render_instant(to_instant(value, f"attribute {shown(name)}"))
    if isinstance(value, Moment | Period):
        return value
    if absent(value):
        return None
    if isinstance(value, bool | int):
        return value
    if isinstance(value, str):
        return _sound(value, name)
    if isinstance(value, float):
        return _finite(value, name)
    if isinstance(value, Decimal | timedelta | date | time | UUID | bytes):
        return _from_library(value, name)
    if isinstance(value, Mapping):
        return {_sound(str(key), name): plain(item, name, depth + 1) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item, name, depth + 1) for item in value]
    raise Refused(f"attribute {shown(name)} holds a {type(value).__name__}, which is no value of an event")


def _from_library(value: Decimal | timedelta | date | time | UUID | bytes, name: str) -> object:
    """The values of the standard library that JSON does not know."""
    if isinstance(value, Decimal):
        whole = value.is_finite() and abs(value) < Decimal(10) ** 300 and value == value.to_integral_value()
        return int(value) if whole else _finite(float(value), name)
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            raise Refused(f"attribute {shown(name)} holds bytes that are no UTF-8 text") from None
    return str(value)


def _finite(value: float, name: str) -> float:
    if not math.isfinite(value):
        raise Refused(f"attribute {shown(name)} is {value}, which is no number of JSON")
    return float(value)


def _sound(text: str, name: str) -> str:
    """Text that can be written: without half a surrogate pair."""
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise Refused(f"attribute {shown(name)} has a lone surrogate, which is no character") from None
    return str(text)
