"""What a sensor can watch by itself: 002's kinds of primitive events, and absences.

time events           at, every         method events        calls
value events          value             transaction events   transactions
abstract events       send, which every sensor has           log records   log_handler
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, overload

from tocsin.sensor.absence import Absence
from tocsin.sensor.calls import Calls, reported
from tocsin.sensor.clocks import LocalClock
from tocsin.sensor.log_handler import LogHandler
from tocsin.sensor.moments import Periods, Points
from tocsin.sensor.observed import NOTHING, Observed
from tocsin.sensor.settings import Span, span_of
from tocsin.sensor.timers import Timer, Timers
from tocsin.sensor.transactions import observe_transactions

F = TypeVar("F", bound=Callable[..., Any])


class Instruments(ABC):
    """Watches. What is watched never fails because of it: an event that cannot be sent is lost, counted and logged."""

    _clock: LocalClock
    _timers: Timers

    @abstractmethod
    def _note(self, type: str, data: Mapping[str, object], reading: int | None = None) -> None:
        """Sends an event about what happened now, or at a reading of the counter. Never raises."""

    @abstractmethod
    def _new_id(self) -> str:
        """An id that nothing else has."""

    @abstractmethod
    def _service_time(self, reading: int) -> int:
        """The service's time at a reading, as well as it is known."""

    @abstractmethod
    def _observe(self, absence: Absence) -> None:
        """Tells the absence of every event of its type that is sent from now on."""

    @overload
    def calls(self, function: F, /) -> F: ...

    @overload
    def calls(
        self, *, name: str | None = None, arguments: Sequence[str] = (), result: bool = False, starts: bool = True
    ) -> Callable[[F], F]: ...

    def calls(
        self,
        function: Any = None,
        *,
        name: str | None = None,
        arguments: Sequence[str] = (),
        result: bool = False,
        starts: bool = True,
    ) -> Any:
        """Decorates a function: NAME_start and NAME_end for each of its calls, of coroutines too.

        The two have the same `call`. They tell the arguments that are named, NAME_end also how many `seconds` it took,
        and its `result` if asked for, or that it `failed` and with which `error`. Without `starts` only NAME_end is
        sent.
        """

        def decorated(given: F) -> F:
            calls = Calls(given, name, arguments, result, starts, self._note, self._new_id, self._clock)
            return reported(calls, given)

        return decorated if function is None else decorated(function)

    def value(
        self, name: str, default: object = NOTHING, *, of: Sequence[str] = (), starts: bool = False, same: bool = False
    ) -> Any:
        """An attribute of a class: NAME_updated whenever it gets another value, with the `old` and the `new` one.

        `of` names further attributes of the object that are told, to know which object it was. With `starts`
        NAME_update is sent before it is written; with `same` it is told, too, when it is given the value it has.
        """
        return Observed(name, default, of, starts, same, self._note)

    def transactions(self, target: Any, name: str = "transaction") -> None:
        """NAME_begin, NAME_commit and NAME_rollback of an Engine, a Session or a sessionmaker of SQLAlchemy."""
        observe_transactions(target, name, self._note, self._new_id)

    def log_handler(self, type: str = "log", level: int | str = logging.NOTSET) -> LogHandler:
        """A handler for `logging` that sends records as events."""
        return LogHandler(self._note, type, level)

    def every(self, span: Span, type: str, data: Mapping[str, object] | None = None) -> Timer:
        """An event every so often, counted from now: `count` is the how many-th it is."""
        periods = Periods(span_of(span, "every"), self._clock, self._reporting(type, data))
        return self._timers.add(periods.first(), periods.due)

    def at(self, point: str, type: str, data: Mapping[str, object] | None = None) -> Timer:
        """An event when the service's clock reaches a time point: `01:30 Fri`, `12:00 1/-/-`, `2026-11-15T20:00:00Z`.

        One that leaves something open comes again and again. `due` is when it was; a point in the past never comes.
        """
        points = Points(point, self._clock, self._service_time, self._reporting(type, data))
        first = points.first()
        return Timer(None) if first is None else self._timers.add(first, points.due)

    def absence(
        self, type: str, within: Span, *, by: str | None = None, report: str | None = None, again: bool = True
    ) -> Absence:
        """Watches that events of a type are sent (or `seen()` is called): `no_TYPE` if there is none within a time.

        With `by`, for each value of that attribute by itself, from when it is first seen. It is reported again after as
        long a time once more, or with `again=False` only when it was seen in between. `report` is another type for it.
        """
        made = Absence(
            type,
            span_of(within, "within"),
            by,
            again,
            self._timers,
            self._clock,
            self._reporting(report or f"no_{type}", None),
        )
        self._observe(made)
        return made

    def _reporting(self, type: str, more: Mapping[str, object] | None) -> Callable[[Mapping[str, object], int], None]:
        return lambda data, reading: self._note(type, {**data, **(more or {})}, reading)
