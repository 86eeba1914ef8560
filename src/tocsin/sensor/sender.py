"""Sends what waits: one batch at a time, in order, until the service has settled every event.

An answer says what becomes of a batch (`service.Verdict`):

    taken     done with; those refused among them become dead letters, the others were taken or were repeats later
    the same again after a pause: each twice as long as the last, at random between that and half of it, and not
              before the service wants it (Retry-After)
    unfit     half as many; a single one is a dead letter. So one bad event stops none of the others
    barred    the same again after the longest pause: nothing is wrong with the events, but somebody has to do something

Events keep their ids, so what the service took and could not say so is a repeat to it, and counts once.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from threading import Condition
from typing import Final, TypeVar

from tocsin.sensor.buffer import Buffer
from tocsin.sensor.clocks import LocalClock
from tocsin.sensor.counts import Counts
from tocsin.sensor.dead_letters import DeadLetters, Refusal
from tocsin.sensor.service import Answer, RefusedLine, Service, Verdict
from tocsin.sensor.settings import Settings
from tocsin.time.spans import SECOND

FIRST_PAUSE: Final = SECOND // 4
Told = TypeVar("Told")
LOG: Final = logging.getLogger("tocsin.sensor")


@dataclass(frozen=True)
class Trouble:
    """Why nothing can be sent at the moment."""

    reason: str
    is_barred: bool
    """Whether it goes on only when somebody has done something about it: the key, the address."""
    attempts: int
    """How many have failed, one after the other."""
    seconds: float
    """For how long nothing could be sent."""


class Sender:
    """One sensor's way to the service. `turn` is called from one thread; what is shared is under the sensor's lock."""

    def __init__(
        self,
        buffer: Buffer,
        lock: Condition,
        service: Service,
        clock: LocalClock,
        settings: Settings,
        counts: Counts,
        random: Random,
        heartbeat: Callable[[], bytes],
        on_refused: Callable[[Refusal], object] | None,
        on_trouble: Callable[[Trouble], object] | None,
    ) -> None:
        self._buffer, self._lock, self._service, self._clock = buffer, lock, service, clock
        self._settings, self._counts, self._random, self._heartbeat = settings, counts, random, heartbeat
        self._on_refused, self._on_trouble = on_refused, on_trouble
        self._dead_letters = None if settings.dead_letters is None else DeadLetters(settings.dead_letters)
        self._most = settings.batch
        self._attempts = 0
        self._failing_since = 0
        self._not_before = clock.reading()
        self.lingers_until = 0
        """When the oldest event has waited for others long enough. Under the lock."""
        self.hurried = 0
        """Events before this number do not wait for others. Under the lock."""
        self.is_beating = False
        """Whether a heartbeat is to be sent: behind all events, so that it says what is so. Under the lock."""
        self.trouble: Trouble | None = None

    def turn(self) -> int | None:
        """Sends a batch if one is due; the reading at which there is something to do again, nothing if there is not."""
        with self._lock:
            due = self._due()
            if due is None or due > self._clock.reading():
                return due
            lines = self._buffer.take(self._most, self._settings.batch_size)
            number = self._buffer.head
            is_last = number + len(lines) == self._buffer.count
            beat = self._heartbeat() if is_last and self.is_beating else None
        answer = self._service.post([*lines, beat] if beat is not None else lines)
        if beat is not None and answer.verdict in (Verdict.TAKEN, Verdict.UNFIT):
            self.is_beating = False
        self._settle(lines, number, answer)
        with self._lock:
            return self._due()

    def _due(self) -> int | None:
        """When the next batch is to be sent."""
        waiting = self._buffer.count - self._buffer.head
        if not waiting:
            return self._not_before if self.is_beating else None
        if waiting >= self._most or self._buffer.head < self.hurried or self.is_beating:
            return self._not_before
        return max(self._not_before, self.lingers_until)

    def _settle(self, lines: list[bytes], number: int, answer: Answer) -> None:
        """Does what an answer asks for."""
        if answer.verdict is Verdict.TAKEN:
            self._taken(lines, number, answer)
        elif answer.verdict is Verdict.UNFIT and len(lines) > 1:
            self._most = max(1, len(lines) // 2)
        elif answer.verdict is Verdict.UNFIT and lines:
            self._bury(lines, (RefusedLine(0, answer.code, answer.reason),))
            self._done(number + 1)
        elif answer.verdict is not Verdict.UNFIT:
            self._failed(answer)

    def _taken(self, lines: list[bytes], number: int, answer: Answer) -> None:
        refused = tuple(each for each in answer.refused if 0 <= each.index < len(lines))
        if refused:
            self._bury(lines, refused)
        self._counts.accepted += max(0, len(lines) - answer.duplicates - len(refused))
        self._counts.duplicates += answer.duplicates
        self._done(number + len(lines))
        self._most = min(self._settings.batch, 2 * self._most)

    def _done(self, number: int) -> None:
        """All before that number is settled."""
        with self._lock:
            self._buffer.release(number)
            self._lock.notify_all()
        if self.trouble is not None:
            LOG.info("events are sent again after %.0f s", self.trouble.seconds)
        self._attempts, self.trouble = 0, None
        self._not_before = self._clock.reading()

    def _bury(self, lines: list[bytes], refused: tuple[RefusedLine, ...]) -> None:
        """Keeps what the service refuses, and tells of it. Before it is released: a crash keeps it twice, not never."""
        refusals = [Refusal(json.loads(lines[each.index]), each.code, each.message) for each in refused]
        if self._dead_letters is not None:
            self._dead_letters.add(refusals)
        self._counts.refused += len(refusals)
        for each in refusals:
            LOG.warning("the service refuses event %s: %s (%s)", each.event.get("id"), each.message, each.code)
            if self._on_refused is not None:
                self._tell(self._on_refused, each)

    def _failed(self, answer: Answer) -> None:
        """Nothing was taken: a pause."""
        now = self._clock.reading()
        if not self._attempts:
            self._failing_since = now
        self._attempts += 1
        self._counts.retries += 1
        longest = self._settings.longest_pause
        is_barred = answer.verdict is not Verdict.LATER
        pause = longest if is_barred else min(longest, FIRST_PAUSE << min(self._attempts - 1, 30))
        pause = pause // 2 + self._random.randrange(pause // 2 + 1)
        asked = 0 if answer.wait is None else round(answer.wait * SECOND)
        if asked > pause:  # spread, too: all sensors were told the same
            pause = asked + self._random.randrange(min(asked // 4, longest) + 1)
        self._not_before = now + pause
        self.trouble = Trouble(answer.reason, is_barred, self._attempts, (now - self._failing_since) / SECOND)
        if self._attempts == 1:
            LOG.warning("events wait: %s", answer.reason)
        if self._on_trouble is not None:
            self._tell(self._on_trouble, self.trouble)

    def _tell(self, who: Callable[[Told], object], what: Told) -> None:
        """Calls back; what goes wrong there must not stop the events."""
        try:
            who(what)
        except Exception:
            LOG.exception("a callback of the sensor failed")
