"""What is to be delivered, and what may be tried now: a state machine that reads no clock and touches no network.

    outbox = Outbox(pending rows, healths, now=now)         as the store has them
    outbox.add(rows)                                        once their detections are durable
    for attempt in outbox.due(now):                         what to try at once
        changes = outbox.done(attempt, outcome, now)        what came of it, and the rows to write

In each lane (a request and one of its targets) notifications go one at a time and in the order of their numbers: the
next only when the one before was delivered or given up. Nothing else waits for a lane: of what may be under way at a
time, one host has a few at most, and lanes whose last attempt failed have half in all.

Only what is pending is held, as a number of eight bytes; what it says is read when it is tried. A row that was not
written before a crash is pending as before: its notification is delivered again, under the same name.
"""

from __future__ import annotations

import heapq
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Final

from tocsin.service.deliveries.lanes import Lane, Tried
from tocsin.service.deliveries.records import Delivery, Health, Record, State, TargetHealth
from tocsin.service.deliveries.retries import SECOND, Schedule
from tocsin.service.deliveries.senders import Outcome, Result

_JITTER: Final = SECOND
"""Clocks may go back by less than this without anybody having set them."""


@dataclass(frozen=True)
class Limits:
    """How much is under way at a time."""

    at_once: int = 256
    of_a_place: int = 8
    """... to one host, broker, file or program."""
    of_suspects: int = 128
    """... in lanes whose last attempt failed: the rest is for those that work, however many are away."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A notification that is to be tried now; `attempt` counts from 1."""

    number: int
    request: str
    target: int
    attempt: int


def _own_place(request: str, target: int) -> str:
    return f"{request}/{target}"


class Outbox:
    """All that is pending, and how targets do. `place` names where a target is; lanes to one place share its limit."""

    def __init__(
        self,
        rows: Iterable[Delivery] = (),
        healths: Iterable[TargetHealth] = (),
        *,
        now: int = 0,
        schedule: Schedule | None = None,
        limits: Limits | None = None,
        place: Callable[[str, int], str] = _own_place,
    ) -> None:
        self.schedule, self.limits, self._place = schedule or Schedule(), limits or Limits(), place
        self._lanes: dict[str, dict[int, Lane]] = {}
        self._ready: deque[tuple[int, Lane]] = deque()
        self._timed: list[tuple[int, int, Lane]] = []
        self._full: dict[str, deque[tuple[int, Lane]]] = {}
        """Lanes that are ready, but whose place has enough under way."""
        self._held: deque[tuple[int, Lane]] = deque()
        """Lanes that are ready, but suspect while enough suspects are under way."""
        self._flights: Counter[str] = Counter()
        self._suspects = 0
        self._turns, self._latest = count(1), now
        self.in_flight = self.waiting = 0
        for each in healths:
            lane = self._lane(each.request, each.target)
            lane.health, lane.reason = each.health, each.reason
            lane.is_suspect = each.health is Health.FAILING
            self._forget_idle(lane)
        self.add(rows)

    # -- what comes, and what is tried ---------------------------------------------------------------------------------

    def add(self, rows: Iterable[Delivery]) -> None:
        """Takes in rows that are durable. Those that are pending are delivered; others say nothing."""
        for row in rows:
            if row.state is not State.PENDING:
                continue
            lane = self._lane(row.request, row.target)
            if row.number == lane.in_flight or not lane.waiting.add(row.number):
                continue
            self.waiting += 1
            if row.attempts:
                # no further away than it could be, had the clock not been set back meanwhile
                due = min(row.due, self._latest + self.schedule.most)
                lane.tried[row.number] = Tried(row.attempts, due, row.error)
                if lane.in_flight is None and lane.waiting.first == row.number:
                    lane.is_suspect = True
            if lane.waiting.first == row.number:
                self._queue(lane)

    def due(self, now: int, most: int | None = None) -> list[Attempt]:
        """What is to be tried now, at most so many; it is under way until `done` is called."""
        self._look_at(now)
        while self._timed and self._timed[0][0] <= now:
            _, turn, lane = heapq.heappop(self._timed)
            self._ready.append((turn, lane))
        made: list[Attempt] = []
        room = self.limits.at_once - self.in_flight
        room = room if most is None else min(room, most)
        while self._ready and len(made) < room:
            turn, lane = self._ready.popleft()
            if turn != lane.turn:
                continue
            is_full = self._flights[lane.place] >= self.limits.of_a_place
            # a lane that has room of one kind and not of the other leaves that room to the next
            if lane.is_suspect and self._suspects >= self.limits.of_suspects:
                self._held.append((turn, lane))
                if not is_full:
                    self._let_one_of(lane.place)
            elif is_full:
                self._full.setdefault(lane.place, deque()).append((turn, lane))
                if lane.is_suspect:
                    _let_one(self._held, self._ready)
            else:
                made.append(self._begun(lane))
        return made

    def next_due(self, now: int) -> int | None:
        """When `due` should be asked next, if nothing is added and nothing done before."""
        if self.in_flight >= self.limits.at_once:
            return None
        if self._ready:
            return now
        return self._timed[0][0] if self._timed else None

    def done(self, attempt: Attempt, outcome: Outcome, now: int) -> list[Record]:
        """What came of an attempt: the rows to write."""
        self._look_at(now)
        lane = self._lanes.get(attempt.request, {}).get(attempt.target)
        if lane is None or lane.in_flight != attempt.number:
            return []
        self._ended(lane)
        if lane.is_cancelled:
            lane.is_cancelled = False
            is_taken = outcome.result is Result.TAKEN
            changes: list[Record] = [_row(attempt, State.DELIVERED, now)] if is_taken else []
        elif outcome.result is Result.TAKEN:
            changes = self._taken(lane, attempt, now)
        else:
            changes = self._not_taken(lane, attempt, outcome, now)
        lane.is_suspect = outcome.result is Result.FAILED
        self._queue(lane)
        return changes

    # -- what people do ------------------------------------------------------------------------------------------------

    def redrive(self, rows: Iterable[Delivery], now: int) -> list[Record]:
        """Sends dead letters again, each as if it were new, before what waits behind it; the rows to write."""
        made: list[Record] = []
        for row in rows:
            lane = self._lane(row.request, row.target)
            if row.state is not State.DEAD or row.number == lane.in_flight or not lane.waiting.add(row.number):
                self._forget_idle(lane)
                continue
            self.waiting += 1
            lane.not_before = 0
            made.append(Delivery(row.number, row.request, row.target, State.PENDING, 0, now, None, now))
            self._queue(lane)
        return made

    def cancel(self, request: str, now: int, target: int | None = None) -> list[Record]:
        """Forgets what a request's targets, or one of them, are still to get; the rows to write."""
        made: list[Record] = []
        for lane in [each for each in self._of(request) if target in (None, each.target)]:
            numbers = list(lane.waiting)
            if lane.in_flight is not None and not lane.is_cancelled:
                lane.is_cancelled = True
                numbers.insert(0, lane.in_flight)
            for number in numbers:
                known = lane.tried.get(number, Tried())
                attempt = Attempt(number, request, lane.target, known.attempts)
                made.append(_row(attempt, State.CANCELLED, now, known.error))
            if lane.health is not Health.WORKING:
                made.append(self._health(lane, Health.WORKING, None, now))
            self.waiting -= len(lane.waiting)
            lane.waiting, lane.tried, lane.not_before = type(lane.waiting)(), {}, 0
            self._queue(lane)
        return made

    def disable(self, request: str, target: int, reason: str, now: int) -> list[Record]:
        """Sends a target nothing more, until it is enabled; the rows to write."""
        lane = self._lane(request, target)
        made: list[Record] = [self._health(lane, Health.DISABLED, reason, now)]
        self._queue(lane)
        return made

    def enable(self, request: str, target: int, now: int) -> list[Record]:
        """Sends to a target again what it is to get, beginning now, whatever was the matter; the rows to write."""
        lane = self._lane(request, target)
        made: list[Record] = []
        if lane.health is not Health.WORKING:
            made.append(self._health(lane, Health.WORKING, None, now))
        lane.not_before = 0
        if lane.waiting and (number := lane.waiting.first) in lane.tried:
            attempts, _, error = lane.tried[number]
            lane.tried[number] = Tried(attempts, now, error)
            made.append(Delivery(number, request, target, State.PENDING, attempts, now, error, now))
        self._queue(lane)
        return made

    def health(self, request: str, target: int) -> tuple[Health, str | None]:
        """How a target does, and why."""
        lane = self._lanes.get(request, {}).get(target)
        return (Health.WORKING, None) if lane is None else (lane.health, lane.reason)

    def pending(self, request: str) -> int:
        """How many notifications of a request are not delivered yet, those under way among them."""
        return sum(len(each.waiting) + (each.in_flight is not None) for each in self._of(request))

    # -- what came of an attempt ---------------------------------------------------------------------------------------

    def _taken(self, lane: Lane, attempt: Attempt, now: int) -> list[Record]:
        lane.tried.pop(attempt.number, None)
        made: list[Record] = [_row(attempt, State.DELIVERED, now)]
        if lane.health is Health.FAILING:
            made.append(self._health(lane, Health.WORKING, None, now))
        return made

    def _not_taken(self, lane: Lane, attempt: Attempt, outcome: Outcome, now: int) -> list[Record]:
        is_failing = lane.health is Health.FAILING
        is_last = attempt.attempt >= self.schedule.attempts(is_failing=is_failing)
        seed = f"{attempt.request}/{attempt.target}/{attempt.number}"
        if outcome.result is Result.REFUSED or (outcome.result is Result.FAILED and is_last):
            lane.tried.pop(attempt.number, None)
            made: list[Record] = [_row(attempt, State.DEAD, now, outcome.reason)]
            if outcome.result is Result.FAILED:
                lane.not_before = now + self.schedule.pause(1, seed, outcome.retry_after)
                if lane.health is Health.WORKING:
                    made.append(self._health(lane, Health.FAILING, outcome.reason, now))
            return made
        due = now
        if outcome.result is Result.FAILED:
            due += self.schedule.pause(attempt.attempt, seed, outcome.retry_after)
        lane.waiting.add(attempt.number)
        self.waiting += 1
        lane.tried[attempt.number] = Tried(attempt.attempt, due, outcome.reason)
        made = [_row(attempt, State.PENDING, now, outcome.reason, due)]
        if outcome.result is Result.GONE:
            made.append(self._health(lane, Health.DISABLED, outcome.reason, now))
        return made

    def _health(self, lane: Lane, health: Health, reason: str | None, now: int) -> TargetHealth:
        lane.health, lane.reason = health, reason
        return TargetHealth(lane.request, lane.target, health, reason, now)

    # -- lanes and their turns -----------------------------------------------------------------------------------------

    def _lane(self, request: str, target: int) -> Lane:
        of_request = self._lanes.setdefault(request, {})
        if target not in of_request:
            of_request[target] = Lane(request, target, self._place(request, target))
        return of_request[target]

    def _of(self, request: str) -> Iterator[Lane]:
        return iter(self._lanes.get(request, {}).values())

    def _queue(self, lane: Lane) -> None:
        """Lets a lane wait for its next turn, if it has one; what it waited for before is void."""
        lane.turn = next(self._turns)
        if lane.in_flight is not None or not lane.waiting or lane.health is Health.DISABLED:
            self._forget_idle(lane)
            return
        due = lane.due()
        if due <= self._latest:
            self._ready.append((lane.turn, lane))
        else:
            heapq.heappush(self._timed, (due, lane.turn, lane))

    def _forget_idle(self, lane: Lane) -> None:
        if lane.is_idle():
            of_request = self._lanes.get(lane.request, {})
            of_request.pop(lane.target, None)
            if not of_request:
                self._lanes.pop(lane.request, None)

    def _begun(self, lane: Lane) -> Attempt:
        number = lane.in_flight = lane.waiting.take_first()
        lane.turn = next(self._turns)
        self.waiting -= 1
        self.in_flight += 1
        self._flights[lane.place] += 1
        self._suspects += lane.is_suspect
        known = lane.tried.get(number)
        return Attempt(number, lane.request, lane.target, 1 if known is None else known.attempts + 1)

    def _ended(self, lane: Lane) -> None:
        """An attempt is over: whoever waited for its room gets it."""
        lane.in_flight = None
        self.in_flight -= 1
        self._flights[lane.place] -= 1
        if not self._flights[lane.place]:
            del self._flights[lane.place]
        self._suspects -= lane.is_suspect
        self._let_one_of(lane.place)
        if lane.is_suspect:
            _let_one(self._held, self._ready)

    def _let_one_of(self, place: str) -> None:
        if place in self._full:
            _let_one(self._full[place], self._ready)
            if not self._full[place]:
                del self._full[place]

    def _look_at(self, now: int) -> None:
        """Looks at the clock. What waits for a time waits no longer because the clock was set back."""
        if now < self._latest - _JITTER:
            by = self._latest - now
            for lane in [each for of_request in self._lanes.values() for each in of_request.values()]:
                lane.set_back(by)
            self._timed = [(due - by, turn, lane) for due, turn, lane in self._timed]  # in the same order
            self._latest = now
        self._latest = max(self._latest, now)


def _let_one(waiting: deque[tuple[int, Lane]], ready: deque[tuple[int, Lane]]) -> None:
    """Lets the first lane that still waits have its turn."""
    while waiting:
        turn, lane = waiting.popleft()
        if turn == lane.turn:
            ready.append((turn, lane))
            return


def _row(attempt: Attempt, state: State, now: int, error: str | None = None, due: int | None = None) -> Delivery:
    due = now if due is None else due
    return Delivery(attempt.number, attempt.request, attempt.target, state, attempt.attempt, due, error, now)
