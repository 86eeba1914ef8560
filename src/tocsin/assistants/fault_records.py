"""Faults as plain values."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from tocsin.errors import Fault


def fault_record(fault: Fault) -> dict[str, Any]:
    """A fault's fields, for programs: lines and columns from 1, `end` the column behind it."""
    place = fault.place
    where: dict[str, Any] = {}
    if place is not None:
        where = {"file": place.file, "line": place.line, "column": place.column, "end": place.column + place.width}
    record = asdict(fault)
    return {**where, **{key: record[key] for key in ("severity", "message", "expected", "hint")}}
