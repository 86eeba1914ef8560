"""What a sensor sends: one JSON object a line, as in a file of events."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from tocsin.errors import UsageError
from tocsin.formats.instants import TimeStyle, to_instant
from tocsin.formats.refused import Refused
from tocsin.formats.writers import timely, to_json
from tocsin.sensor.stamps import InstantTexts
from tocsin.time.stamps import Interval

_TEXTS: Final = TimeStyle(seconds=False)
_ENCODER: Final = json.JSONEncoder(allow_nan=False)
"""One for all: to make one takes longer than to write an event."""


class EventLines:
    """Writes events and heartbeats. Not for several threads at once."""

    def __init__(self) -> None:
        self._instants = InstantTexts()

    def event(self, id: str, type: str, source: str, when: Interval, data: Mapping[str, object]) -> bytes:
        """An event. Its time is one instant where its interval is."""
        said = f', "data": {_json(data)}' if data else ""
        names = f'"id": {_json(id)}, "type": {_json(type)}, "source": {_json(source)}'
        return f'{{{names}, "time": {self._time(when)}{said}}}'.encode()

    def heartbeat(self, source: str, time: int) -> bytes:
        """News that the source lives, and that what it reports from now on is later than that."""
        return f'{{"source": {_json(source)}, "time": "{self._instants.of(time)}", "heartbeat": true}}'.encode()

    def _time(self, when: Interval) -> str:
        hi = self._instants.of(when.hi)
        return f'"{hi}"' if when.lo == when.hi else f'["{self._instants.of(when.lo)}", "{hi}"]'


def _json(value: object) -> str:
    """A value as JSON; what JSON has no word for, as near as it can say it."""
    try:
        return _ENCODER.encode(value)
    except (TypeError, ValueError, RecursionError):
        pass
    try:
        return to_json(timely(value, _TEXTS))
    except (ValueError, RecursionError):
        raise UsageError("the attributes of an event contain themselves, or are nested too deep") from None


def interval_of(time: object) -> Interval:
    """The interval that somebody gives: seconds, RFC 3339 text, a datetime, or two of them."""
    ends = time if isinstance(time, tuple | list) else (time, time)
    if len(ends) != 2:
        raise UsageError(f"time is a list of {len(ends)}: expected one time, or [earliest, latest]")
    try:
        lo, hi = (to_instant(end, "time") for end in ends)
    except Refused as refused:
        expected = f", expected {refused.expected}" if refused.expected else ""
        raise UsageError(f"{refused.reason}{expected}") from None
    return Interval(lo, hi)
