"""The rules of a pipeline at work, step by step, through the versions of them.

Under `guaranteed` an event is held until the watermark has passed it, and one that comes later than that is late; under
the other orders events are evaluated as they arrive. Either way it means the same as on Spark (`spark/steps.py`).
What is found depends on the steps and the versions alone, so steps that are taken again find the same.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from tocsin.algebra.event_records import whole_event, whole_record
from tocsin.algebra.rules import BEST_EFFORT
from tocsin.errors import SnapshotError
from tocsin.events import Arrival, Detection, Event
from tocsin.planner.lanes import Version
from tocsin.runtime import Options, Runtime
from tocsin.stores.pieces import joined, parted


class StepResult(NamedTuple):
    """What a step led to: detections with the versions that made them, and events that came too late."""

    detections: list[tuple[int, Detection]]
    late: list[Event]


class Work:
    """Rules at work. `latest` is the time of the latest event, or arrival, that was taken; times are microseconds."""

    def __init__(self, versions: Sequence[Version], options: Options, delay: int) -> None:
        self._is_stable = options.order.policy == "guaranteed"
        self._delay, self._options = delay, options
        self._versions = list(versions)
        self._at = 0
        self._rules = self._begun()
        self._held: list[Event] = []
        self.latest: int | None = None
        self.watermark: int | None = None

    def _begun(self) -> Runtime:
        order = BEST_EFFORT if self._is_stable else self._options.order
        options = Options(order=order, granularity=self._options.granularity)
        return Runtime(self.version.program, options, is_alone=True, in_order=self._is_stable)

    @property
    def version(self) -> Version:
        """The rules that evaluate now."""
        return self._versions[self._at]

    def add(self, version: Version) -> None:
        """A further version, from its time on."""
        self._versions.append(version)

    def step(self, arrivals: Sequence[Arrival]) -> StepResult:
        """Takes some arrivals, in order, and lets time get as far as they tell."""
        if not self._is_stable:
            return StepResult(self._arrived(arrivals), [])
        late: list[Event] = []
        for each in arrivals:
            end = each.end if isinstance(each, Event) else each.time
            self.latest = end if self.latest is None else max(end, self.latest)
            if isinstance(each, Event):
                is_late = self.watermark is not None and end <= self.watermark
                (late if is_late else self._held).append(each)
        return StepResult(self._released(), late)

    # -- by arrival ------------------------------------------------------------------------------------------------

    def _arrived(self, arrivals: Sequence[Arrival]) -> list[tuple[int, Detection]]:
        found: list[tuple[int, Detection]] = []
        some: list[Arrival] = []
        for each in arrivals:
            while (until := self._end_of_version()) is not None and each.arrival > until:
                found += self._told(self._rules.process(some))
                some = []
                self._turn(found, until)
            some.append(each)
            self.latest = each.arrival if self.latest is None else max(each.arrival, self.latest)
        return found + self._told(self._rules.process(some)) if some else found

    # -- by time ---------------------------------------------------------------------------------------------------

    def _released(self) -> list[tuple[int, Detection]]:
        found: list[tuple[int, Detection]] = []
        if self.latest is None:
            return found
        reached = self.latest - self._delay
        self.watermark = reached if self.watermark is None else max(reached, self.watermark)
        while (until := self._end_of_version()) is not None and self.watermark >= until:
            found += self._evaluated(until)
            self._turn(found, until)
        found += self._evaluated(self.watermark)
        if self._rules.has_begun:
            found += self._told(self._rules.advance(self.watermark))
        return found

    def _evaluated(self, until: int) -> list[tuple[int, Detection]]:
        """What is held up to a time, in 001's total order; the clock is that of the events."""
        ready = sorted(
            (each for each in self._held if each.end <= until),
            key=lambda each: (each.end, each.start, each.source, each.arrival),
        )
        if not ready:
            return []
        self._held = [each for each in self._held if each.end > until]
        return self._told(self._rules.process([_at_its_time(each) for each in ready]))

    # -- versions --------------------------------------------------------------------------------------------------

    def _end_of_version(self) -> int | None:
        return self._versions[self._at + 1].since if self._at + 1 < len(self._versions) else None

    def _turn(self, found: list[tuple[int, Detection]], until: int) -> None:
        """Goes on with the next version."""
        if self._rules.has_begun:
            found += self._told(self._rules.advance(until))
        self._at += 1
        self._rules.change(self.version.program)

    def _told(self, found: Sequence[Detection]) -> list[tuple[int, Detection]]:
        return [(self.version.number, one) for one in found]

    # -- state -----------------------------------------------------------------------------------------------------

    def snapshot(self) -> bytes:
        """All of it, for `restore`."""
        told = {
            "version": self.version.number,
            "latest": self.latest,
            "watermark": self.watermark,
            "held": [whole_record(each) for each in self._held],
        }
        return joined([json.dumps(told).encode(), self._rules.snapshot()])

    def restore(self, saved: bytes) -> None:
        """Goes on from a snapshot. The versions must be those of then, and may be more."""
        record, rules = parted(saved)
        told = json.loads(record)
        numbers = [each.number for each in self._versions]
        if told["version"] not in numbers:
            raise SnapshotError(f"the checkpoint is of version {told['version']} of the rules, which is not known")
        self._at = numbers.index(told["version"])
        self._rules = self._begun()
        self._rules.restore(rules)
        self.latest, self.watermark = told["latest"], told["watermark"]
        self._held = [whole_event(each) for each in told["held"]]


def _at_its_time(event: Event) -> Event:
    """An event that is evaluated by its own time."""
    return Event(event.type, event.end, event.start, event.id, event.source, event.data, event.end, event.events)
