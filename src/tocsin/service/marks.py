"""Rules proposed from events that somebody has marked among those that are kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tocsin.errors import UsageError
from tocsin.events import Event
from tocsin.proposals import MOST_EVENTS, Examples, propose
from tocsin.rules.options import instant_of
from tocsin.service.kept import Kept
from tocsin.service.store import Store

Mark = Mapping[str, Any]


def proposed(store: Store, given: Mapping[str, Any]) -> dict[str, Any]:
    """Rules that find what was marked as belonging together, tried on the last events that are kept."""
    since, until = (None if given.get(key) is None else instant_of(str(given[key])) for key in ("from", "to"))
    types = None if given.get("types") is None else frozenset(given["types"])
    history = [each for each in Kept(store, since, until, types=types).arrivals(MOST_EVENTS) if isinstance(each, Event)]
    together, apart = (
        [[_marked(history, mark) for mark in group] for group in given[key]] for key in ("together", "apart")
    )
    return propose(history, Examples(together, apart)).record()


def _marked(history: Sequence[Event], mark: Mark) -> Event:
    """The event that is meant: one that came without an id is known by what it is, where and when."""
    time = instant_of(str(mark["time"]))
    for event in reversed(history):
        is_it = event.end == time and event.type == mark["type"] and event.source == (mark.get("source") or "")
        if is_it and mark.get("id") in (None, "", event.id):
            return event
    message = f"the event {mark['type']} of {mark['time']} is not among the last {MOST_EVENTS} that are kept"
    raise UsageError(message)
