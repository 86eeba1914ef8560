"""The engine with an order of arrival in front of it: the rules that run on one clock.

An arrival is offered to the order, which releases it, and others, when their turn has come; the engine takes what is
released. A snapshot holds what the rules remember and what the order holds.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from tocsin.algebra.arrival_queue import recorded_release, release_record
from tocsin.algebra.notes import Notes
from tocsin.algebra.order import OutOfOrder, Release, heard_sources, instants, is_in_place, order_text, ordering
from tocsin.algebra.replay import accepted, evaluated_together, gives_whole_instants
from tocsin.algebra.rules import BEST_EFFORT, Order, Program, Statement
from tocsin.engine.engine import Engine
from tocsin.engine.frames.batches import arrivals_of
from tocsin.engine.frames.reports import reported
from tocsin.engine.network.batch import Batch
from tocsin.engine.state.snapshot import restore, snapshot
from tocsin.engine.state.transfer import merged, take_out
from tocsin.errors import SnapshotError
from tocsin.events import Arrival, Detection, Event, Heartbeat
from tocsin.formats.instants import TimeStyle
from tocsin.rules.budgets import UNLIMITED, Budgets
from tocsin.runtime.snapshots import opened, packed
from tocsin.runtime.verbs import NO_DATA, DetectionBatch, Verbs

PARCEL: Final = b"tocsin clock parcel 1\n"
_BEST_EFFORT: Final = order_text(BEST_EFFORT)


class Ordered(Verbs):
    """The rules of a program at work under one order of arrival.

    `sources` are those that `guaranteed` waits for before they have reported, or else those that the rules name; others
    count from their first report on. What the rules cannot hear is not waited for. Times are whole microseconds. An
    arrival that is not given is the event's end, and none is below the last. `in_order`: another order has put the
    events in their places, so that what has one end is evaluated together, when something later has come.
    """

    def __init__(
        self,
        program: Program,
        order: Order = BEST_EFFORT,
        *,
        sources: Iterable[str] = (),
        granularity: int | None = None,
        ignore_late: bool = False,
        notes: Notes | None = None,
        budgets: Budgets = UNLIMITED,
        is_live: bool = False,
        in_order: bool = False,
    ) -> None:
        self.engine = Engine(program, granularity, Notes() if notes is None else notes, budgets, is_live)
        self.notes = self.engine.notes
        heard = heard_sources(program)
        self._ordering = ordering(order, [*sources] or heard or (), heard)
        self._order, self._policy = order_text(order), order
        self._in_order = in_order
        self._has_whole_instants = in_order or gives_whole_instants(order)
        self._instant: list[Release] = []
        """Of what comes in order: the events of the last instant, of which more may come."""
        self._ignore_late = ignore_late
        self._is_direct = order == BEST_EFFORT and not ignore_late
        self._taken = 0
        self._clock: int | None = None

    def begin(self, clock: int) -> None:
        """Starts the clock before the first event, where it is known when the stream began."""
        self.engine.begin(self._reach(clock))

    # -- what is known -----------------------------------------------------------------------------------------------

    @property
    def program(self) -> Program:
        return self.engine.program

    @property
    def now(self) -> int | None:
        return self.engine.now

    @property
    def enabled(self) -> list[str]:
        return self.engine.enabled

    @property
    def has_stopped(self) -> bool:
        return self.engine.has_stopped

    # -- arrivals ----------------------------------------------------------------------------------------------------

    def push(
        self,
        type: str,
        time: int,
        data: Mapping[str, object] = NO_DATA,
        *,
        id: str = "",
        source: str = "",
        start: int | None = None,
        arrival: int | None = None,
    ) -> Sequence[Detection]:
        """Takes one event. Without an id it is called by its number, from 1."""
        self._taken += 1
        clock = self._reach(time if arrival is None else arrival)
        name = id or str(self._taken)
        if self._is_direct and not self.engine.has_interplay:
            self._ordering.note(time)
            return self.engine.push(type, time, data, id=name, source=source, start=start, arrival=clock)
        event = Event(type, time, time if start is None else start, name, source, data, clock)
        return self._evaluate(self._ordering.offer(event))

    def heartbeat(self, source: str, time: int, *, arrival: int | None = None) -> list[Detection]:
        """A source has got so far: it tells nothing older any more."""
        clock = self._reach(time if arrival is None else arrival)
        return self._evaluate(self._ordering.offer(Heartbeat(source, time, clock)))

    def process(self, arrivals: Batch | list[Arrival]) -> list[Detection]:
        if self.feed(arrivals):
            return self.engine.drain()
        some = arrivals_of(arrivals, self._taken) if isinstance(arrivals, Batch) else arrivals
        self._taken += len(some)
        if self.engine.has_interplay:
            let_go = (self._ordering.offer(self._clocked(arrival)) for arrival in some)
            return [detection for each in let_go for detection in self._evaluate(each)]
        found: list[Release | OutOfOrder] = []
        for arrival in some:
            found += self._ordering.offer(self._clocked(arrival))
        return self._evaluate(found)

    def feed(self, batch: Batch | list[Arrival]) -> bool:
        """Gives the engine all of a batch as it is, if that is all there is to do. What it found can be taken there."""
        if not self._is_direct or self.engine.has_interplay:
            return False
        if not isinstance(batch, Batch):
            for arrival in batch:
                if isinstance(arrival, Event):
                    self._ordering.note(arrival.end)
            self.engine.process_arrivals([self._clocked(arrival) for arrival in batch])
            self._taken += len(batch)
        elif batch.count:
            first, last = _first_and_last(batch.arrivals)  # clocks never go back
            if batch.arrivals is not batch.ends or not self._ordering.note_ascending(first, last):
                self._ordering.note_all(array("q", batch.ends))
            self.engine.begin(self._reach(first))
            self._reach(last)
            self.engine.process(batch)
            self._taken += batch.count
        return True

    def _clocked(self, arrival: Arrival) -> Arrival:
        """An arrival as the clock has it: one below the last counts as the last."""
        clock = self._reach(arrival.arrival)
        return arrival if clock == arrival.arrival else replace(arrival, arrival=clock)

    def _reach(self, clock: int) -> int:
        self._clock = clock if self._clock is None else max(clock, self._clock)
        return self._clock

    def take(self, releases: list[Release]) -> list[Detection]:
        """What another order of arrival has released: it is evaluated as it comes."""
        engine = self.engine
        if not engine.has_interplay:
            engine.take(releases)
            return engine.drain()
        if not self._in_order:
            return self._take_together(evaluated_together(releases, self._policy))
        together = list(instants([*self._instant, *releases]))
        self._instant = together.pop() if together and is_in_place(together[-1][0]) else []
        return self._take_together(together)

    def _take_together(self, groups: Iterable[list[Release]]) -> list[Detection]:
        found: list[Detection] = []
        for together in groups:
            self.engine.take_together(together, is_whole=self._has_whole_instants)
            found += self.engine.drain()
        return found

    def _end_instant(self) -> list[Detection]:
        """No more events come of the last instant."""
        last, self._instant = self._instant, []
        return self._take_together([last] if last else [])

    def columns(self, batch: Batch, style: TimeStyle, keys: Mapping[str, str]) -> Iterator[DetectionBatch]:
        """Takes a batch; what is found is left in columns where that can be, with the keys of rules beside them."""
        if self.feed(batch):
            yield from reported(self.engine, style, keys)
            yield self.engine.drain()
        else:
            yield self.process(batch)

    @property
    def has_begun(self) -> bool:
        """Whether an event has come: before that there is no clock."""
        return self.engine.has_begun or bool(self._instant)

    # -- time --------------------------------------------------------------------------------------------------------

    def advance(self, clock: int) -> list[Detection]:
        """The arrival clock reaches a time and nothing arrives: what was held long enough, timers, silent sources."""
        return self._end_instant() + self._evaluate(self._ordering.advance(self._reach(clock)))

    def next_due(self) -> int | None:
        """When the rules have something to do, should nothing arrive: a time of the clock that they run on."""
        due = self.engine.next_due()
        if not self._instant:
            return due
        held = self._instant[0].now  # evaluated as soon as time goes on
        return held if due is None else min(held, due)

    def watermark(self, time: int) -> list[Detection]:
        """Nothing older than a time is to be expected: under `guaranteed` and `probabilistic` that is stable."""
        return self._evaluate(self._ordering.watermark(time))

    def finish(self, until: int | None = None) -> list[Detection]:
        """The input has ended: what is held is evaluated, and what is waited for comes, to `until` if that is given."""
        found = self._end_instant() + self._evaluate(self._ordering.close())
        self.engine.finish(until)
        found += self.engine.drain()
        self.engine.count_incomparable()
        return found

    def _evaluate(self, steps: list[Release | OutOfOrder]) -> list[Detection]:
        if not steps:
            return []
        return self.take(list(accepted(steps, self.notes, self._ignore_late)))

    # -- rules and state ---------------------------------------------------------------------------------------------

    def change(self, program: Program) -> None:
        """Goes on with other rules: equal ones keep what they remember, new ones see what is evaluated from now on."""
        assert not self._instant, "rules change between instants"
        self.engine.change(program)
        self._ordering.listen(heard_sources(program))

    def command(self, statements: tuple[Statement, ...], clock: int | None = None) -> list[Detection]:
        """Runs what is typed just now, at a time of the arrival clock if that is given; for rules that are `is_live`.

        Under best-effort a time starts the clock, as an event's would. Under the other orders the clock of the rules
        is that of the events: what is typed before the first joins the script.
        """
        found = [] if clock is None else self.advance(clock)
        self.engine.command(statements, self._clock if clock is not None and self._order == _BEST_EFFORT else None)
        self._ordering.listen(heard_sources(self.engine.program))
        return found + self.engine.drain()

    def take_out(self, rules: Iterable[str]) -> bytes:
        assert not self._instant, "rules move between instants"
        return packed(PARCEL, self._held(), [take_out(self.engine, rules)])

    def merge(self, program: Program, parcel: bytes) -> None:
        """Where rules move to, the order stands as it did where they came from: both were given the same arrivals.

        Where nothing has come yet, the order goes on from there, too.
        """
        assert not self._instant, "rules move between instants"
        held, (rules,) = opened(PARCEL, parcel)
        if self._clock is None:
            self._put_back(held)
        self.engine = merged(self.engine, program, rules)
        self._ordering.listen(heard_sources(program))

    def snapshot(self) -> bytes:
        """All of it as bytes, to be given to `restore`."""
        return snapshot(self.engine, self._order, self._held())

    def _held(self) -> dict[str, Any]:
        """What the order holds, as JSON values."""
        held: dict[str, Any] = {"taken": self._taken, "clock": self._clock, "state": self._ordering.state()}
        if self._instant:
            held["instant"] = [release_record(each) for each in self._instant]
        return held

    def restore(self, data: bytes) -> None:
        """Puts a front that has seen nothing yet into a saved state, which must be of the same order."""
        if self._clock is not None:
            raise SnapshotError("events have been taken already: restore into new rules")
        held = restore(self.engine, data, self._order)
        if held is not None:
            try:
                self._put_back(held)
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                raise SnapshotError(f"what the order held cannot be read: {type(error).__name__}: {error}") from error

    def _put_back(self, held: dict[str, Any]) -> None:
        self._ordering.restore(held["state"])
        self._taken, self._clock = held["taken"], held["clock"]
        self._instant = [recorded_release(each) for each in held.get("instant", ())]

    def stats(self) -> dict[str, object]:
        """What the engine holds and has done, and under `order` the same of the order of arrival."""
        return self.engine.stats() | {"order": self._ordering.stats()}


def _first_and_last(column: bytes) -> tuple[int, int]:
    return int.from_bytes(column[:8], "little", signed=True), int.from_bytes(column[-8:], "little", signed=True)
