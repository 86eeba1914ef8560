"""Method events (002 section 3): the start and the end of calls.

@sensor.calls(arguments=("amount",), result=True)
def transfer(account, amount): ...

transfer_start    call, amount
transfer_end      call, amount, seconds, result; or failed and error where it raised
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, TypeVar, cast

from tocsin.errors import UsageError, choices
from tocsin.sensor.clocks import LocalClock
from tocsin.time.spans import SECOND

F = TypeVar("F", bound=Callable[..., Any])
Note = Callable[[str, Mapping[str, object]], object]
"""Sends an event of a type; never raises, for nothing may go wrong in the program because somebody looks at it."""


class Call:
    """One call that is being reported."""

    def __init__(self, observer: Calls, data: Mapping[str, object]) -> None:
        self._observer = observer
        self._data = {"call": observer.new_id(), **data}
        self._begun = observer.clock.reading()
        if observer.starts:
            observer.note(f"{observer.name}_start", self._data)

    def returned(self, result: object) -> None:
        """It ended well."""
        self._end({"result": result} if self._observer.result else {})

    def raised(self, error: BaseException) -> None:
        """It ended with an exception."""
        self._end({"failed": True, "error": type(error).__name__})

    def _end(self, how: Mapping[str, object]) -> None:
        seconds = (self._observer.clock.reading() - self._begun) / SECOND
        self._observer.note(f"{self._observer.name}_end", {**self._data, "seconds": seconds, **how})


class Calls:
    """Reports the calls of one function."""

    def __init__(
        self,
        function: Callable[..., Any],
        name: str | None,
        arguments: Sequence[str],
        result: bool,
        starts: bool,
        note: Note,
        new_id: Callable[[], str],
        clock: LocalClock,
    ) -> None:
        if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
            raise UsageError(f"{function.__name__} is a generator: its call ends before its first line has run")
        self.function, self.name = function, name or function.__name__
        self.result, self.starts, self.note, self.new_id, self.clock = result, starts, note, new_id, clock
        self._signature = inspect.signature(function)
        self._arguments = tuple(arguments)
        unknown = [each for each in self._arguments if each not in self._signature.parameters]
        if unknown:
            known = choices(list(self._signature.parameters)) or "none"
            raise UsageError(f"{self.name} has no argument {choices(unknown, 'and')}: it has {known}")

    def begun(self, args: tuple[object, ...], kwargs: Mapping[str, object]) -> Call:
        """A call begins."""
        return Call(self, self._chosen(args, kwargs) if self._arguments else {})

    def _chosen(self, args: tuple[object, ...], kwargs: Mapping[str, object]) -> dict[str, object]:
        """The arguments that are reported; none where the call is not one that the function takes."""
        try:
            bound = self._signature.bind(*args, **kwargs)
        except TypeError:
            return {}
        bound.apply_defaults()
        return {name: bound.arguments[name] for name in self._arguments}


def reported(calls: Calls, function: F) -> F:
    """The function, with its calls reported; a coroutine's from its start to where it has run through."""
    if inspect.iscoroutinefunction(function):

        @wraps(function)
        async def awaited(*args: Any, **kwargs: Any) -> Any:
            call = calls.begun(args, kwargs)
            try:
                result = await function(*args, **kwargs)
            except BaseException as error:
                call.raised(error)
                raise
            call.returned(result)
            return result

        return cast(F, awaited)

    @wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        call = calls.begun(args, kwargs)
        try:
            result = function(*args, **kwargs)
        except BaseException as error:
            call.raised(error)
            raise
        call.returned(result)
        return result

    return cast(F, called)
