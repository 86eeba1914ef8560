"""A part at work: streams in, merged instant by instant; what its rules make of it out.

Under `guaranteed` an instant is evaluated when every stream that the part takes has got that far. Then everything of
the instant is here, and is taken in 001's total order, whatever way it came: so what a part gives out depends on what
happened alone, never on when messages arrived, and two copies of a part give out the same, number by number.

What comes with an instant may be older than it: the constituents of an occurrence that a join completed. Rules that
ask for nothing but times take it as it comes. The others go back to before it and through the instants since once
more (`instants`), so that what is used up, replaced or counted is as if it had come in its place; what they find on
the way is what they found then.
"""

from __future__ import annotations

import heapq
from bisect import bisect_left, bisect_right, insort
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Any, Final

from tocsin.algebra.links import Links
from tocsin.events import Detection, Event
from tocsin.runtime import Options, Runtime
from tocsin.sites.births import FAR, end_of, furthest
from tocsin.sites.instants import Instant, Instants
from tocsin.sites.parts import Part, Role
from tocsin.sites.records import (
    BEFORE,
    WITH,
    Identity,
    Output,
    composite,
    event_of,
    event_record,
    identity_of,
    place_of,
)
from tocsin.sites.sieves import without_verdicts

_SLACK: Final = 2
"""How many times as long as it may matter an event is known, so that it is seldom looked for what may be forgotten."""


class Host:
    """A part at work at a site."""

    def __init__(self, part: Part, since: int | None = None) -> None:
        self.part = part
        self.since = since if part.since is None or since is None else max(part.since, since)
        """Events that ended by then do not count: streams that were running had told of them already."""
        self.reached: dict[str, int] = dict.fromkeys(part.inputs, -FAR)
        """How far each stream has got."""
        self.took: dict[str, int] = {}
        """The number of the last output that was taken of each stream: what comes again after a move is known."""
        self.joined: dict[str, int] = {}
        """How far it had got when it took a stream besides: what that told by then does not count."""
        self.done = -FAR if self.since is None else self.since
        """Every instant up to that one has been evaluated."""
        self.outputs: list[Output] = []
        self.told: list[Detection] = []
        """What was found, and nobody has taken yet."""
        self.events: dict[Identity, Event] = {}
        """The primitive events that came, by what they are known by: they come by several ways, and count once."""
        self._inside: dict[Identity, Event] = {}
        """Those that came inside of composites: what several composites are made of is one event."""
        self.passed: set[Identity] = set()
        """Of a join: those that were passed on."""
        self.ends: list[int] = []
        """... and when they ended, in order, but for what was only passed on beside others."""
        self.blocking: deque[Event] = deque()
        """What may have to be passed on beside others."""
        self._turns = {name: turn for turn, name in enumerate(_links(part).order)}
        self._feeding = frozenset(rule.name for rule in part.rules if rule.hidden)
        self._pending: list[tuple[int, int, int, Output]] = []
        self._arrivals = count()
        self._instants = Instants(part, self._begun) if self.is_in_order else None
        self._runtime = None if self.is_in_order else Runtime(part.program, self._options(), is_alone=True)
        self._has_finished = False
        self._due: int | None = None
        self._knows_due = False
        """Whether `_due` is when the rules have something to do: it is asked for far more often than it changes."""
        if self._instants is not None and self.since is not None:
            self._found(self._instants.advance(self.since))  # what a script triggers when it begins

    def _options(self) -> Options:
        return Options(order=self.part.order, granularity=self.part.granularity)

    def _begun(self, starts: bool) -> Runtime:
        options = Options(granularity=self.part.granularity)
        runtime = Runtime(self.part.program, options, is_alone=True, in_order=True)
        if starts and self.since is not None:
            runtime.begin(self.since)
        return runtime

    @property
    def is_in_order(self) -> bool:
        return self.part.order.policy == "guaranteed"

    # -- what comes --------------------------------------------------------------------------------------------------

    def same(self, event: Event) -> Event:
        """The one object that stands for a primitive event here."""
        name = identity_of(event)
        return self.events.get(name) or self._inside.get(name, event)

    def _constituent(self, event: Event) -> Event:
        """The same of what a composite is made of."""
        return self._inside.setdefault(identity_of(event), self.same(event))

    def offer(self, stream: str, number: int, record: Sequence[Any]) -> None:
        """An output of a stream that it takes."""
        if number <= self.took.get(stream, 0):
            return
        self.took[stream] = number
        if record[0] > self.joined.get(stream, -FAR):
            self._hold(record)

    def _hold(self, record: Sequence[Any]) -> None:
        at, phase, events = record
        output = Output(at, phase, tuple([event_of(each, self.same, self._constituent) for each in events]))
        heapq.heappush(self._pending, (at, phase, next(self._arrivals), output))

    def reach(self, stream: str, frontier: int) -> None:
        """A stream has got to a time."""
        if frontier > self.reached.get(stream, -FAR):
            self.reached[stream] = frontier

    def take_more(self, part: Part) -> None:
        """From now on it takes more streams."""
        self.part = part
        for stream in part.inputs:
            if stream not in self.reached:
                self.reached[stream] = -FAR
                self.joined[stream] = self.done

    @property
    def frontier(self) -> int:
        """Everything it has to say about the time until then has been given out."""
        return self.done

    @property
    def is_new(self) -> bool:
        """Whether time stands still where it began: nothing has counted but what its rules make when they begin."""
        return self.is_in_order and self.done == self.since

    @property
    def horizon(self) -> int:
        """How far all its streams have got."""
        return furthest(self.reached.values())

    def needs(self, now: int) -> int | None:
        """Until when it needs to know of its streams: something waits, or is due."""
        waiting = self._pending[0][0] if self._pending else None
        due = self.next_due()
        if due is not None and due <= now and (waiting is None or due < waiting):
            waiting = due
        return waiting

    def next_due(self) -> int | None:
        """When it has something to do, should nothing come."""
        if not self._knows_due:
            self._due = None if self._instants is None else self._instants.next_due()
            self._knows_due = True
        return self._due

    @property
    def latest(self) -> int:
        """The last instant of which something waits."""
        return max((each[0] for each in self._pending), default=-FAR)

    @property
    def waiting(self) -> int:
        """How many outputs came that cannot be evaluated yet."""
        return len(self._pending)

    def behind(self, time: int) -> list[str]:
        """The streams that have not got to a time, the one that is furthest behind first."""
        return [name for _, name in sorted((at, name) for name, at in self.reached.items() if at < time)]

    # -- what it does ------------------------------------------------------------------------------------------------

    def settle(self) -> None:
        """Evaluates whatever can be."""
        self._knows_due = False
        if self._instants is None:
            self._take_as_it_comes()
            return
        horizon = self.horizon
        while self._pending and self._pending[0][0] <= horizon:
            self._evaluate(self._next_instant())
        if horizon >= FAR:
            self._finish()
        elif horizon > self.done:
            self._found(self._instants.advance(horizon + 1))
        self.done = max(self.done, horizon)
        self._forget()

    def _next_instant(self) -> Instant:
        """Everything that came for the next instant."""
        at = self._pending[0][0]
        fresh: list[Event] = []
        before: list[Event] = []
        made: list[Event] = []
        while self._pending and self._pending[0][0] == at:
            _, phase, _, output = heapq.heappop(self._pending)
            for event in output.events:
                if event.is_composite:
                    (before if phase == BEFORE else made).append(event)
                elif identity_of(event) not in self.events and self._counts(event):
                    self.events[identity_of(event)] = event
                    fresh.append(event)
        return Instant(at, sorted(fresh, key=place_of), self._in_turn(before), self._in_turn(made))

    def _in_turn(self, composites: list[Event]) -> list[Event]:
        """Composites as rules make them that run together: of those that feed others first."""
        return composites if len(composites) < 2 else sorted(composites, key=lambda each: self._turns[each.type])

    def _counts(self, event: Event) -> bool:
        return self.since is None or event.end > self.since

    def _evaluate(self, instant: Instant) -> None:
        assert self._instants is not None
        self._found(self._instants.take(instant))

    def _finish(self) -> None:
        """Nothing more is to come of any stream: periodic timers go on until they ended; what is waited for comes."""
        assert self._instants is not None
        if not self._has_finished:
            self._has_finished = True
            end = end_of(self.horizon)
            if end is not None and end > self.done:
                self._found(self._instants.advance(end + 1))
            self._found(self._instants.finish())

    def _take_as_it_comes(self) -> None:
        """Asynchronous evaluation: each thing when it is here (002 section 4.2.1)."""
        assert self._runtime is not None
        while self._pending:
            _, _, _, output = heapq.heappop(self._pending)
            fresh = [event for event in output.events if event.is_composite or identity_of(event) not in self.events]
            for event in sorted(fresh, key=place_of):
                if not event.is_composite:
                    self.events[identity_of(event)] = event
                if self._counts(event):
                    found = self._runtime.process([event])
                    self._found([(one, WITH) for one in found])
        latest = max(self.reached.values(), default=-FAR)
        if self.horizon >= FAR and not self._has_finished:
            self._has_finished = True
            self._found([(one, WITH) for one in self._runtime.finish()])
        elif -FAR < latest < FAR:  # whoever goes by this site's clock has got as far as that
            self._found([(one, WITH) for one in self._runtime.advance(latest)])
        self.done = max(self.done, self.horizon)

    # -- what it gives out -------------------------------------------------------------------------------------------

    def _found(self, found: Iterable[tuple[Detection, int]]) -> None:
        if self.part.role is Role.JOIN:
            self._join([one for one, _ in found])
            return
        for one, phase in found:
            if one.rule in self._feeding:
                continue  # what it notifies is told where it is a part of its own
            listed = self._listed(one)
            self.told.append(listed)
            self.outputs.append(Output(one.detected_us, phase, (composite(listed, self.same),)))

    def _listed(self, one: Detection) -> Detection:
        """A detection with its events in their true order, each once, whatever way they came."""
        made_of, data = tuple(map(self.same, one.made_of)), without_verdicts(one.data)
        if one.source or not made_of:
            return replace(one, made_of=made_of, data=data)  # a rule with actions says itself what it lists
        events = tuple(event.id for event in sorted(dict.fromkeys(made_of), key=place_of))
        return replace(one, made_of=made_of, data=data, events=events)

    def _join(self, found: Sequence[Detection]) -> None:
        """Passes on what takes part in an occurrence, each event once, and before it what may stand in between."""
        by_instant: dict[int, dict[Identity, Event]] = {}
        for one in found:
            made_of = [self.same(event) for event in one.made_of]
            if one.rule in self.part.blockers:
                self.blocking.extend(made_of)
                continue
            for event in made_of:
                if identity_of(event) not in self.passed:
                    self.passed.add(identity_of(event))
                    insort(self.ends, event.end)
                    by_instant.setdefault(one.detected_us, {})[identity_of(event)] = event
        for at, fresh in by_instant.items():
            fresh |= {identity_of(event): event for event in self._blockers_until(at)}
            self.passed.update(fresh)
            self.outputs.append(Output(at, WITH, tuple(sorted(fresh.values(), key=place_of))))

    def _blockers_until(self, at: int) -> list[Event]:
        """What may stand between events that were passed on, and has not been passed on itself."""
        found: list[Event] = []
        kept: deque[Event] = deque()
        for event in self.blocking:
            if identity_of(event) in self.passed:
                continue
            (found if event.end <= at and self._is_between(event.end) else kept).append(event)
        self.blocking = kept
        return found

    def _is_between(self, time: int) -> bool:
        """Whether a time lies between events that were passed on, and may be parts of one occurrence."""
        before, after = bisect_right(self.ends, time), bisect_left(self.ends, time)
        if before == 0 or after == len(self.ends):
            return False
        retention = self.part.retention
        return retention is None or self.ends[after] - self.ends[before - 1] <= retention

    def _forget(self) -> None:
        """Events that can no longer matter (002 section 5: garbage by the least stamp of the siblings)."""
        retention = self.part.retention
        if retention is None or len(self.events) < 64:
            return
        oldest = next(iter(self.events.values()))
        if oldest.end >= self.done - _SLACK * retention:
            return
        limit = self.done - retention
        self.events = {name: event for name, event in self.events.items() if event.end >= limit}
        self.passed = {name for name in self.passed if name in self.events}
        self._inside = {name: event for name, event in self._inside.items() if event.end >= limit}
        self.ends = self.ends[bisect_left(self.ends, limit) :]
        self.blocking = deque(event for event in self.blocking if event.end >= limit)

    # -- state -------------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """All of it as plain values, and bytes. What was found must have been taken."""
        assert not self.outputs
        assert not self.told
        runtime = self._runtime
        return {
            "since": self.since,
            "reached": dict(self.reached),
            "took": dict(self.took),
            "joined": dict(self.joined),
            "done": self.done,
            "events": [event_record(event) for event in self.events.values()],
            "passed": sorted(self.passed),
            "ends": self.ends,
            "blocking": [event_record(event) for event in self.blocking],
            "pending": [
                [at, phase, [event_record(event) for event in output.events]]
                for at, phase, _, output in sorted(self._pending, key=lambda each: each[:3])
            ],
            "finished": self._has_finished,
            "instants": None if self._instants is None else self._instants.state(),
            "runtime": runtime.snapshot() if runtime is not None and runtime.has_begun else None,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """What `state` gave; for one that has taken nothing yet."""
        self._knows_due = False
        self.reached |= state["reached"]
        self.took, self.since = dict(state["took"]), state["since"]
        self.joined = dict(state["joined"])
        self.done, self._has_finished = state["done"], state["finished"]
        for record in state["events"]:
            event = event_of(record, self.same)
            self.events[identity_of(event)] = event
        self.passed = {(source, identity) for source, identity in state["passed"]}
        self.ends = list(state["ends"])
        self.blocking = deque(event_of(record, self.same) for record in state["blocking"])
        for output in state["pending"]:
            self._hold(output)
        if self._instants is not None:
            self._instants.restore(state["instants"], self.same)
        elif self._runtime is not None and state["runtime"] is not None:
            self._runtime.restore(state["runtime"])


def _links(part: Part) -> Links:
    return Links({rule.name: rule for rule in part.rules}, part.program.declarations)
