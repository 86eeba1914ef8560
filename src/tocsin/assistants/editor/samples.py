"""Types and attributes that occur in a sample of events."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any, Final

from tocsin.errors import TocsinError
from tocsin.events import Event
from tocsin.formats import read_events
from tocsin.formats.writers import to_json

MOST: Final = 10_000
"""Events of each file that are looked at."""
_SHOWN: Final = 40


def sample(files: Sequence[str]) -> dict[str, Any]:
    """What the first events of files hold: how often each type came, and an example of each of its attributes."""
    types: dict[str, dict[str, Any]] = {}
    troubles: list[str] = []
    for file in files:
        try:
            for event in islice(read_events(file, on_error="skip"), MOST):
                if isinstance(event, Event):
                    _note(event, types)
        except (TocsinError, OSError) as error:
            troubles.append(str(error))
    return {"types": types, "troubles": troubles}


def _note(event: Event, types: dict[str, dict[str, Any]]) -> None:
    known = types.setdefault(event.type, {"count": 0, "attributes": {}})
    known["count"] += 1
    for name, value in event.data.items():
        if name not in known["attributes"]:
            text = to_json(value)
            known["attributes"][name] = text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."
