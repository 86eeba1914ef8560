"""A request run over what is kept: what it would have detected, told again and again while it is found."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from importlib.util import find_spec
from typing import Any, Final

from tocsin.algebra.notes import Notes
from tocsin.engine.frames.reports import Reported
from tocsin.engine.network.batch import Batch
from tocsin.events import Detection
from tocsin.formats.blocks import Block
from tocsin.formats.instants import TimeStyle
from tocsin.formats.writers import detection_line
from tocsin.rules.options import instant_of
from tocsin.runtime import Runtime
from tocsin.runtime.columnar import batch_of_block
from tocsin.service.kept import Kept, types_taken
from tocsin.service.past import Columns, Past, Whole
from tocsin.service.requests import Registry, Request
from tocsin.service.standing import program_of, registry_of
from tocsin.time.calendar import render_instant
from tocsin.time.spans import HOUR

MOST_SHOWN: Final = 20
MOST_HOURS: Final = 24 * 31
OFTEN: Final = 0.25
"""Seconds between two tellings of how far it has got."""
_STYLE: Final = TimeStyle(False)

Tell = Callable[[dict[str, Any]], None]


class Trial:
    """A request's rules at work on the past, and what they have found so far."""

    def __init__(
        self, registry: Registry, request: Request, holds: Callable[[int], bool], *, is_compared: bool = True
    ) -> None:
        """Unless it `is_compared` with another one, nobody asks of which events each detection is made."""
        self._holds = holds
        self._is_counting = not is_compared and all(find_spec(name) for name in ("numpy", "pyarrow"))
        self.names = set(request.rules)
        self.program = program_of(registry, request)
        self._runtime = Runtime(self.program, registry.options, notes=Notes())
        self.count = 0
        self.events: Counter[tuple[str, ...]] = Counter()
        """Of which events each detection is made."""
        self._hours: Counter[int] = Counter()
        self._first: list[Detection] = []

    def take(self, parcel: Any) -> None:
        """More events."""
        if isinstance(parcel, Block):
            parcel = batch_of_block(parcel)
        elif isinstance(parcel, Columns):
            parcel = parcel.batch()
        if self._is_counting and isinstance(parcel, Batch) and len(self._first) == MOST_SHOWN:
            for found in self._runtime.columns(parcel, _STYLE, {}):
                if isinstance(found, Reported):
                    self._count(found)
                else:
                    self._note(found)
        else:
            self._note(self._runtime.process(parcel))

    def _count(self, found: Reported) -> None:
        """What is only counted needs not be made: a rule may fire a hundred thousand times."""
        for rule, at in zip(found.rules.to_pylist(), found.times.to_pylist(), strict=True):
            if rule in self.names and self._holds(at):
                self.count += 1
                self._hours[at // HOUR] += 1

    def finish(self) -> None:
        """There are no more events."""
        self._note(self._runtime.finish())

    def _note(self, found: Iterable[Detection]) -> None:
        for one in found:
            if one.rule in self.names and self._holds(one.time_us):
                self.count += 1
                self.events[one.events] += 1
                self._hours[one.time_us // HOUR] += 1
                if len(self._first) < MOST_SHOWN:
                    self._first.append(one)

    def summary(self) -> dict[str, Any]:
        """How often, when, and some of them."""
        hours = {render_instant(hour * HOUR)[:13]: count for hour, count in sorted(self._hours.items())}
        days: Counter[str] = Counter()
        for hour, count in hours.items():
            days[hour[:10]] += count
        return {
            "detections": self.count,
            "by_day": dict(days),
            "by_hour": hours if len(hours) <= MOST_HOURS else {},
            "examples": [json.loads(detection_line(one, _STYLE)) for one in self._first],
        }


def backtest(past: Past, given: Mapping[str, Any], tell: Tell) -> dict[str, Any]:
    """What a request would have detected in what is kept; beside another one, what only one of the two would."""
    since, until = (None if given.get(key) is None else instant_of(str(given[key])) for key in ("from", "to"))
    registry = registry_of(given)
    against = registry.requests.get(given.get("against", ""))
    candidate = registry.made("candidate", given["document"], "", 0, against)
    holds = Kept(past.store, since, until).holds
    asked = [each for each in (candidate, against) if each is not None]
    trials = [Trial(registry, each, holds, is_compared=len(asked) > 1) for each in asked]
    types = [types_taken(trial.program, registry.options.order) for trial in trials]
    matter = None if None in types else frozenset(name for some in types for name in some or ())
    kept: Kept | Whole = (
        past.whole(matter) if since is None and until is None else Kept(past.store, since, until, types=matter)
    )
    due = time.monotonic() + OFTEN
    for parcel in kept.parcels():
        for trial in trials:
            trial.take(parcel)
        if time.monotonic() >= due:
            tell({"events": kept.events, "share": round(kept.share, 4), **_told(trials)})
            due = time.monotonic() + OFTEN
    for trial in trials:
        trial.finish()
    return {"events": kept.events, **_told(trials)}


def _told(trials: list[Trial]) -> dict[str, Any]:
    mine, others = trials[0], trials[1:]
    answer = mine.summary()
    if others:
        theirs = others[0]
        answer["against"] = {
            "both": (mine.events & theirs.events).total(),
            "candidate only": (mine.events - theirs.events).total(),
            "live only": (theirs.events - mine.events).total(),
        }
    return answer
