"""A sensor: reports events to an event processing service (000 sections 3 and 10.1).

    with tc.Sensor("http://127.0.0.1:8750", source="door-3", key="tk_...") as sensor:
        sensor.send("opened", user="bob")

`send` returns when the event is in the buffer: in memory, or on disk with `buffer=DIRECTORY`. Everything else is done
by two threads: one sends, and asks for the service's time; the other does what is due at a time. Any thread may use a
sensor.
"""

from __future__ import annotations

import atexit
import logging
import os
from collections.abc import Callable, Mapping
from itertools import count
from secrets import token_hex
from threading import Event as Signal
from types import TracebackType
from typing import Final, Unpack

from tocsin.errors import TocsinError, UsageError
from tocsin.events import Event, Heartbeat
from tocsin.sensor.absence import Absence
from tocsin.sensor.background import Background
from tocsin.sensor.clocks import LocalClock, MachineClock
from tocsin.sensor.counts import Stats
from tocsin.sensor.dead_letters import Refusal
from tocsin.sensor.disk_buffer import CHILD, DiskBuffer
from tocsin.sensor.event_lines import EventLines, interval_of
from tocsin.sensor.forks import watch_forks
from tocsin.sensor.http_service import HttpService
from tocsin.sensor.instruments import Instruments
from tocsin.sensor.outlet import Outlet, seconds_until
from tocsin.sensor.sender import Trouble
from tocsin.sensor.service import Service, Unanswered
from tocsin.sensor.service_clock import ServiceClock, probes
from tocsin.sensor.settings import Given, settings_of
from tocsin.sensor.stamps import Stamper, Stamps
from tocsin.sensor.timers import Timers
from tocsin.time.spans import SECOND
from tocsin.time.stamps import Interval

PROBES: Final = 5
"""How often the service is asked for its time, one question after the other."""
_FIRST: Final = 1.0
"""Seconds that the first event waits for the service's time."""
_RETRY: Final = 5 * SECOND
"""After how long a service that did not tell its time is asked again."""
_LOG: Final = logging.getLogger("tocsin.sensor")


class Sensor(Instruments):
    """Reports events to a service: in order, each once, however often the service is away.

    `url` and `key` are those of the service, by default TOCSIN_URL and TOCSIN_KEY. `source` is what the events come
    from: no other sensor reports under that name at the same time. Everything else is in `Settings`. `on_refused` is
    told of every event that the service refuses, `on_trouble` of every attempt that failed; both are called by the
    thread that sends.
    """

    def __init__(
        self,
        url: str | None = None,
        source: str = "",
        key: str | None = None,
        *,
        service: Service | None = None,
        clock: LocalClock | None = None,
        on_refused: Callable[[Refusal], object] | None = None,
        on_trouble: Callable[[Trouble], object] | None = None,
        **given: Unpack[Given],
    ) -> None:
        self.settings, self.source = settings_of(given), source
        self._clock = clock or MachineClock()
        self._service = service or self._http_service(url, key)
        self._service_clock = ServiceClock(self.settings.drift)
        self._callbacks = (on_refused, on_trouble)
        stamped_by = (self._clock, self._service_clock, self.settings.trust)
        self._stamper = Stamper(self.settings.stamps, *stamped_by)
        self._outlet: Outlet | None = None
        self._begin()
        self._opened()
        self._heartbeats()
        watch_forks(self)
        atexit.register(self.close)
        if self._is_asking:
            self._wake()

    def _http_service(self, url: str | None, key: str | None) -> Service:
        address = url or os.environ.get("TOCSIN_URL")
        if not address:
            raise UsageError("no service is named: give its URL, or set TOCSIN_URL to it")
        seconds = self.settings.timeout / SECOND
        return HttpService(address, key or os.environ.get("TOCSIN_KEY") or None, seconds, self.settings.tls)

    def _begin(self) -> None:
        """Begins in a process: with ids, threads and timers of its own."""
        self._prefix, self._numbers = token_hex(6), count()
        self._lines = EventLines()
        self._sending = Background("tocsin-sensor", lambda: seconds_until(self._sending_turn(), self._clock))
        self._waiting = Background("tocsin-sensor-timers", lambda: seconds_until(self._timers.turn(), self._clock))
        self._timers = Timers(self._clock, self._wake_timers)
        self._observers: dict[str, list[Absence]] = {}
        self._is_asking = self.settings.stamps is not Stamps.LOCAL
        self._probe_due = self._clock.reading()
        self._was_asked = Signal()
        self._is_closed = False

    def _opened(self) -> Outlet:
        """The way out; in a process that was forked it is made when the first event is sent."""
        if self._outlet is None:
            home = self.settings.buffer
            if home is not None and self._is_child:
                home = home / f"{CHILD}{os.getpid()}-{self._prefix}"
            hooks = (self._heartbeat_line, *self._callbacks, self._wake, self._sync_later)
            self._outlet = Outlet(self.settings, home, self._service, self._clock, *hooks)
            if self._outlet.waiting:
                self._wake()
        return self._outlet

    _is_child = False

    # -- events ------------------------------------------------------------------------------------------------------

    def send(
        self,
        type: str,
        data: Mapping[str, object] | None = None,
        /,
        *,
        time: object = None,
        id: str | None = None,
        source: str | None = None,
        **attributes: object,
    ) -> str:
        """Reports an event that happened now; its id. Attributes are given by name, or in `data`.

        `time` says when it was instead, in the service's time: seconds, text, a datetime, or the earliest and the
        latest.
        """
        reading = self._clock.reading()
        given = None if time is None else interval_of(time)
        return self._send(type, {**(data or {}), **attributes}, reading, given, id, source)

    def report(self, event: Event | Heartbeat) -> None:
        """Reports an event, or a heartbeat, as it was made elsewhere: with its times, its source and its id."""
        if isinstance(event, Heartbeat):
            source, time = event.source or self.source, event.time
            self._opened().append(lambda: self._lines.heartbeat(source, time), may_wait=True)
        else:
            when = Interval(event.start, event.end)
            self._send(event.type, event.data, self._clock.reading(), when, event.id, event.source)

    def _send(
        self,
        type: str,
        data: Mapping[str, object],
        reading: int,
        given: Interval | None,
        id: str | None,
        source: str | None,
        may_wait: bool = True,
    ) -> str:
        if not isinstance(type, str) or not type:
            raise UsageError(f"the type of an event is {type!r}: expected text")
        if given is None and may_wait and not self._was_asked.is_set():
            self._await_time()
        for absence in self._observers.get(type, ()):
            absence.noticed(reading, data)
        name = id or self._new_id()

        def line() -> bytes:
            when = self._stamper.stamp(reading) if given is None else given
            return self._lines.event(name, type, source or self.source, when, data)

        self._opened().append(line, may_wait)
        return name

    def _await_time(self) -> None:
        """Waits for the service's time, once: then, or when it did not answer soon, events do not wait for it."""
        if self._is_asking and self.settings.background:
            self._wake()
            self._was_asked.wait(_FIRST)
        self._was_asked.set()

    def _note(self, type: str, data: Mapping[str, object], reading: int | None = None) -> None:
        now = self._clock.reading() if reading is None else reading
        try:
            self._send(type, data, now, None, None, None, may_wait=False)
        except (TocsinError, OSError) as error:
            self._opened().counts.lost += 1
            _LOG.warning("an event %s is lost: %s", type, error)

    def _new_id(self) -> str:
        return f"{self._prefix}-{next(self._numbers)}"

    def heartbeat(self) -> None:
        """Tells the service that the source lives, and has nothing more to report up to now: behind all that waits."""
        outlet = self._opened()
        with outlet.lock:
            outlet.sender.is_beating = True
        self._wake()

    def _heartbeat_line(self) -> bytes:
        return self._lines.heartbeat(self.source, self._stamper.stamp(self._clock.reading()).hi)

    def _heartbeats(self) -> None:
        period = self.settings.heartbeat
        if period is None:
            return

        def beat(_: int) -> int:
            self.heartbeat()
            return self._clock.reading() + period

        self._timers.add(self._clock.reading(), beat)

    def _observe(self, absence: Absence) -> None:
        self._observers.setdefault(absence.type, []).append(absence)

    # -- the service's time ------------------------------------------------------------------------------------------

    def synchronise(self, timeout: float = 5.0) -> bool:
        """Asks the service for its time, now; whether it is known."""
        self._was_asked.clear()
        self._probe_due = self._clock.reading()
        if self.settings.background:
            self._wake()
            self._was_asked.wait(timeout)
        else:
            self._ask_time()
        return self._service_clock.estimate is not None

    def now(self) -> Interval:
        """The service's time, as far as it is known: the interval that it lies in, in microseconds since 1970."""
        return self._stamper.known(self._clock.reading())

    def _service_time(self, reading: int) -> int:
        known = self._stamper.known(reading)
        return (known.lo + known.hi) // 2

    def _ask_time(self) -> None:
        try:
            self._service_clock.learn(probes(self._service.time, self._clock, PROBES))
            self._probe_due = self._clock.reading() + self.settings.probe
        except Unanswered as unanswered:
            _LOG.info("the service's time is not known better: %s", unanswered)
            self._probe_due = self._clock.reading() + min(_RETRY, self.settings.probe)
        self._was_asked.set()

    # -- work --------------------------------------------------------------------------------------------------------

    def turn(self) -> float | None:
        """Does what is due, where there are no threads (`background=False`); seconds until there is something again."""
        due = [each for each in (self._timers.turn(), self._sending_turn()) if each is not None]
        return seconds_until(min(due, default=None), self._clock)

    def _sending_turn(self) -> int | None:
        """Asks for the time if it is time to, sends a batch if one is due; when there is something to do again."""
        sender = self._opened().sender
        if self._is_asking and sender.trouble is None and self._probe_due <= self._clock.reading():
            self._ask_time()
        due = sender.turn()
        asks = self._probe_due if self._is_asking and sender.trouble is None else None
        return min((each for each in (due, asks) if each is not None), default=None)

    def _wake(self) -> None:
        if self.settings.background and not self._is_closed:
            self._sending.wake()

    def _wake_timers(self) -> None:
        if self.settings.background and not self._is_closed:
            self._waiting.wake()

    def _sync_later(self) -> None:
        self._timers.add(self._clock.reading() + self.settings.sync, lambda _: self._opened().buffer.sync())

    def flush(self, timeout: float | None = None) -> bool:
        """Waits until all events sent so far are settled: taken, or refused by the service. Whether they are."""
        outlet = self._opened()
        return self._settled(outlet, outlet.hurry(), timeout)

    def _settled(self, outlet: Outlet, number: int, timeout: float | None) -> bool:
        """Waits for the thread that sends, or does its work."""
        if self.settings.background:
            return outlet.settled(number, timeout)
        while not outlet.is_settled(number) and self.turn() == 0:
            pass
        return outlet.is_settled(number)

    @property
    def stats(self) -> Stats:
        """What became of the events, and what waits."""
        outlet, known = self._opened(), self._service_clock.at(self._clock.reading())
        counts, trouble = outlet.counts, outlet.sender.trouble
        return Stats(
            counts.sent,
            counts.accepted,
            counts.duplicates,
            counts.refused,
            counts.lost,
            counts.retries,
            outlet.waiting,
            outlet.buffer.size,
            "" if trouble is None else trouble.reason,
            None if known is None else (known.hi - known.lo) / SECOND,
            self._service_clock.jumps,
        )

    def close(self, timeout: float = 5.0) -> bool:
        """Sends what waits, if it can be done in so many seconds, and ends the sensor; whether nothing is left.

        What is left in a buffer on disk is sent by the next sensor that has it.
        """
        outlet = self._outlet
        if self._is_closed or outlet is None:
            return outlet is None or not outlet.waiting
        number = outlet.hurry()
        outlet.refuse_more()
        if timeout > 0 and not self._sending.is_current():
            self._settled(outlet, number, timeout)
        self._is_closed = True
        self._waiting.stop(1.0)
        self._sending.stop(1.0)
        is_done = outlet.is_settled(number)
        outlet.close()
        self._service.close()
        atexit.unregister(self.close)
        return is_done

    def __enter__(self) -> Sensor:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    # -- forks -------------------------------------------------------------------------------------------------------

    def before_fork(self) -> None:
        if self._outlet is not None:
            self._outlet.lock.acquire()

    def after_fork_in_parent(self) -> None:
        if self._outlet is not None:
            self._outlet.lock.release()

    def begin_in_child(self) -> None:
        """Leaves to the parent what waits there, its buffer, its timers, its connection; begins with none of them."""
        inherited, was_closed = self._outlet, self._is_closed
        if inherited is not None and isinstance(inherited.buffer, DiskBuffer):
            inherited.buffer.abandon()
        self._service.close()
        self._is_child, self._outlet = True, None
        self._begin()
        self._is_closed = was_closed
