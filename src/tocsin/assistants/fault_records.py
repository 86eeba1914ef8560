"""Faults as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from tocsin.errors import Fault

MOST: Final = 200
"""Faults that are told of one text."""


def fault_records(faults: Sequence[Fault]) -> list[dict[str, Any]]:
    """Faults as plain values; of a great many the first, and how many more there are."""
    found = [fault_record(fault) for fault in faults[:MOST]]
    if len(faults) > MOST:
        more = {**fault_record(faults[MOST]), "message": f"and {len(faults) - MOST:,} more faults from here on"}
        found.append({**more, "expected": "", "hint": ""})
    return found


def fault_record(fault: Fault) -> dict[str, Any]:
    """A fault's fields, for programs: lines and columns from 1, `end` the column behind it."""
    place = fault.place
    where: dict[str, Any] = {}
    if place is not None:
        where = {"file": place.file, "line": place.line, "column": place.column, "end": place.column + place.width}
    record = asdict(fault)
    return {**where, **{key: record[key] for key in ("severity", "message", "expected", "hint")}}
