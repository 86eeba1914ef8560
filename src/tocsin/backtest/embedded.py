"""A history in this process: all its events are held, so it has to be a small one. No Java is needed.

Events are named and put in order as on Spark, so that both find the same.
"""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from contextlib import closing
from dataclasses import dataclass, replace
from hashlib import blake2b
from io import BytesIO
from typing import IO, Any

from tocsin.algebra.notes import Notes
from tocsin.algebra.rules import BEST_EFFORT, Program
from tocsin.backtest.findings import Census, Outcome
from tocsin.backtest.histories import FIELDS, PACKED, History
from tocsin.backtest.keyed_detections import KeyedDetection, Telling, told
from tocsin.backtest.spark_progress import Watching
from tocsin.backtest.tallies import Chosen, chosen, outcomes_of, sides
from tocsin.events import Arrival, Event
from tocsin.formats import FORMATS
from tocsin.formats.fields import NAMED, Fields
from tocsin.formats.intake import Intake, text_field
from tocsin.formats.refused import Refused
from tocsin.rules.declared_events import conformer
from tocsin.runtime.clocks import Group, by_order
from tocsin.runtime.logs import detections
from tocsin.session import Session


class Embedded:
    """A history in memory, and the detections of rules on it."""

    name = "local"

    def __init__(self, history: History, by: str | None, watching: Watching) -> None:
        self._watching, self._by = watching, by
        self._bad: Counter[str] = Counter()
        self._refused: Counter[str] = Counter()
        self._log: list[Event] = []
        intake = _Intake(history, self._refuse)
        with watching.step("reading the history"):
            self._log += [
                arrival
                for arrival in _arrivals(history, intake)
                if isinstance(arrival, Event) and _is_inside(arrival, history)
            ]
        self._delays = intake.delays

    def close(self) -> None:
        """There is nothing to let go of."""

    def _refuse(self, line: int, text: str, reason: str) -> None:
        self._bad[reason] += 1

    # -- the history -------------------------------------------------------------------------------------------------

    def census(self, top: int) -> Census:
        """What the history holds."""
        ends = [event.end for event in self._log]
        types, sources = Counter(event.type for event in self._log), Counter(event.source for event in self._log)
        return Census(
            len(ends),
            min(ends, default=None),
            max(ends, default=None),
            most(types),
            most(sources)[:top],
            len(sources),
            most(self._bad),
            most(self._refused),
            self._delays.count,
            self._delays.longest,
        )

    def events(self, ids: Set[str]) -> list[Event]:
        """The events of these ids."""
        return [event for event in self._log if event.id in ids]

    def sample(self, most: int) -> list[Event]:
        """The first events of the history."""
        return self._sorted()[:most]

    def _sorted(self) -> list[Event]:
        """The events as they happened; at one time as they arrived."""
        return [
            event if event.arrival == event.end else replace(event, arrival=event.end)
            for event in sorted(self._log, key=lambda event: (event.end, event.arrival, event.id))
        ]

    def _as_arrived(self) -> Iterator[Event]:
        """The events in the order of the files; none arrives before the one that stands before it."""
        clock: int | None = None
        for event in self._log:
            clock = event.arrival if clock is None else max(clock, event.arrival)
            yield event if event.arrival == clock else replace(event, arrival=clock)

    # -- detections --------------------------------------------------------------------------------------------------

    def detected(self, session: Session, what: str) -> list[KeyedDetection]:
        """All detections of a session's rules."""
        notes = Notes()
        with self._watching.step(what):
            groups = by_order(session.program, session.options.order)
            found = [one for group in groups for one in self._of_group(session, group, notes)]
        self._refused |= notes.refused + notes.dropped
        return found

    def _of_group(self, session: Session, group: Group, notes: Notes) -> Iterator[KeyedDetection]:
        """Those of the rules that run on one clock. Where that is the events' own time, everything has come already."""
        is_stable = group.order.policy == "guaranteed"
        telling, options = Telling(group.program), session.options
        found = detections(
            telling.program,
            self._conforming(self._sorted() if is_stable else self._as_arrived(), group.program),
            order=BEST_EFFORT if is_stable else group.order,
            granularity=options.granularity,
            until=options.until,
            ignore_late=options.ignore_late,
            notes=notes,
        )
        return (told(one, telling, self._by) for one in found if one.rule in group.heard)

    def _conforming(self, events: Iterable[Event], program: Program) -> Iterator[Event]:
        """The events that are as the rules declare them."""
        conform = conformer(program.declarations)
        refused: Counter[str] = Counter()
        for event in events:
            try:
                data = event.data if conform is None else conform(event.type, event.data)
            except Refused as why:
                refused[why.reason] += 1
                continue
            yield event if data is event.data else replace(event, data=data)
        self._refused |= refused

    def outcomes(
        self, found: list[KeyedDetection], definitions: Mapping[str, str], keys: Mapping[str, str], top: int
    ) -> tuple[Outcome, ...]:
        """What each rule has detected, without examples."""
        return outcomes_of(found, definitions, keys, top)

    def examples(self, found: list[KeyedDetection], most: int) -> Chosen:
        """A few detections of each rule."""
        return chosen(found, most)

    def compared(
        self, old: list[KeyedDetection], new: list[KeyedDetection], most: int
    ) -> tuple[dict[tuple[str, str], int], dict[str, Chosen]]:
        """How many detections of each rule are on each side, and a few of them."""
        parts = sides(old, new)
        counts = Counter((one.detection.rule, side) for side, some in parts.items() for one in some)
        return dict(counts), {side: chosen(some, most) for side, some in parts.items()}


def most(counted: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    """The most frequent first; of equals the first by name."""
    return tuple(sorted(counted.items(), key=lambda each: (-each[1], each[0])))


# -- reading ----------------------------------------------------------------------------------------------------


@dataclass
class Delays:
    """How many events arrived later than they happened, and by how much at most."""

    count: int = 0
    longest: int | None = None

    def add(self, delay: int) -> None:
        """One more event that says when it arrived."""
        self.count += delay > 0
        self.longest = max(delay, 0) if self.longest is None else max(self.longest, delay)


class _Intake(Intake):
    """The way in for the events of a history: ids for events that have none, and times of arrival as they are told."""

    def __init__(self, history: History, on_bad: Any) -> None:
        columns = {field: name for field, name in history.names.items() if field in NAMED}
        super().__init__("<history>", "skip", on_bad, fields=Fields(columns))
        self._attributes = _attributes(history)
        self._history = history
        self.delays = Delays()

    def admit(self, record: Mapping[str, object], number: int) -> Arrival:
        made = dict(record)
        if self._attributes is not None:
            made = {
                key: made[key] for key in made if key in NAMED or (key in self._attributes and made[key] is not None)
            }
        if text_field(made, "id") is None:
            # Called by its contents, as on Spark: an event that is repeated word by word counts once.
            text = json.dumps(made, sort_keys=True, default=str, ensure_ascii=True)
            made["id"] = blake2b(text.encode(), digest_size=8).hexdigest()
        arrival = super().admit(made, number)
        if isinstance(arrival, Event) and made.get("arrival") is not None and _is_inside(arrival, self._history):
            self.delays.add(arrival.arrival - arrival.end)
        return arrival

    def _advance(self, arrival: int) -> int:
        """As it is told: the files of a history may be read in any order."""
        return arrival


def _attributes(history: History) -> tuple[str, ...] | None:
    """The attributes that stand beside the fields of a JSON line, where a schema says that they do."""
    names = history.schema_columns
    if history.format != "jsonl" or names is None:
        return None
    taken = {history.names.get(field, field) for field in FIELDS}
    return None if history.names.get("data", "data") in names else tuple(name for name in names if name not in taken)


def _is_inside(event: Event, history: History) -> bool:
    since, until = history.since, history.until
    return (since is None or event.end >= since) and (until is None or event.end < until)


def _arrivals(history: History, intake: Intake) -> Iterator[Arrival]:
    if history.given:
        yield from FORMATS[history.format].read(BytesIO(history.given), intake)
    for path in history.files:
        intake.file = path
        with closing(_opened(path)) as stream:
            yield from FORMATS[history.format].read(stream, intake)


def _opened(path: str) -> IO[bytes]:
    return gzip.open(path, "rb") if path.lower().endswith(PACKED) else open(path, "rb")  # type: ignore[return-value]
