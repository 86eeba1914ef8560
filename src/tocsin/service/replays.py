"""A request stepped through events one by one: what its parts hold after each, and each detection as it forms."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from tocsin.algebra.notes import Notes
from tocsin.errors import TextError
from tocsin.events import Arrival, Detection, Event
from tocsin.formats import events_from
from tocsin.formats.instants import TimeStyle
from tocsin.formats.writers import detection_line, event_line
from tocsin.planner.placement import types_of
from tocsin.reasons.holdings import Holdings
from tocsin.runtime import Runtime
from tocsin.service.requests import Registry, Request, RequestFault, RequestRefused
from tocsin.service.standing import program_of
from tocsin.time.calendar import render_instant

MOST_STEPS: Final = 2_000
"""Events of one replay."""
_HELD: Final = ("seen", "held", "late", "refused")
_STYLE: Final = TimeStyle(False)


def uploaded(records: Sequence[Mapping[str, Any]]) -> list[Arrival]:
    """Events that somebody brings along; the first that is none is refused, with its place."""
    try:
        return list(events_from(records))
    except TextError as error:
        message = "; ".join(fault.message for fault in error.faults)
        line = next((fault.place.line for fault in error.faults if fault.place is not None), None)
        raise RequestRefused([RequestFault("event-invalid", message, "events", line)]) from None


def replayed(registry: Registry, request: Request, arrivals: Iterable[Arrival], most: int) -> dict[str, Any]:
    """The steps of a request's rules through arrivals: of those events that the rules take, and no others.

    Rules of other requests that feed them run along. What the parts hold is told by when it came to be there, and when
    and how it ended, so that whoever shows it can go back as well.
    """
    names = set(request.rules)
    program = program_of(registry, request)
    runtime = Runtime(program, registry.options, notes=Notes())
    every = list(arrivals)
    options = registry.options
    sources = dict.fromkeys(each.source for each in every)
    holdings = Holdings(program, names, options.order, options.granularity, sources)
    types = types_of(request.definitions)
    steps: list[dict[str, Any]] = []
    is_cut = False
    for arrival in every:
        holdings.take(arrival)
        found = [one for one in runtime.process([arrival]) if one.rule in names]
        is_shown = isinstance(arrival, Event) and (types is None or arrival.type in types)
        if not is_shown and not found:
            continue
        if len(steps) == most:
            is_cut = True
            break
        event = json.loads(event_line(arrival, _STYLE)) if is_shown and isinstance(arrival, Event) else None
        due = holdings.step(len(steps))
        steps.append(_step(event, found, _held(runtime, names), due))
    last = [] if is_cut else [one for one in runtime.finish() if one.rule in names]
    if last:
        steps.append(_step(None, last, _held(runtime, names), None))
    told = [each.record() for each in holdings.told]
    return {"steps": steps, "is_cut": is_cut, "holdings": told, "holdings_are_cut": holdings.is_cut}


def _step(
    event: dict[str, Any] | None, found: list[Detection], held: dict[str, Any], due: int | None
) -> dict[str, Any]:
    told = {"event": event, "detections": [json.loads(detection_line(one, _STYLE)) for one in found], "held": held}
    return told if due is None else {**told, "due": render_instant(due)}


def _held(runtime: Runtime, names: set[str]) -> dict[str, Any]:
    """What each rule of the request holds now."""
    rules = runtime.stats()["rules"]
    assert isinstance(rules, dict)
    return {name: {key: rules[name].get(key, 0) for key in _HELD} for name in sorted(names) if name in rules}
