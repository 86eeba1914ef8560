"""Value events (002 section 3): the start and the completion of an update of a value.

class Tank:
    level = sensor.value("level", of=("name",))

level_update      before it is written, with `starts=True`: old, new, name
level_updated     when it is written: old, new, name
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from tocsin.errors import UsageError

NOTHING: Final = object()


class Observed:
    """An attribute whose updates are reported. It is kept where it always is: in the object's own attributes."""

    def __init__(
        self,
        name: str,
        default: object,
        of: Sequence[str],
        starts: bool,
        same: bool,
        note: Callable[[str, Mapping[str, object]], object],
    ) -> None:
        self._type, self._default, self._of, self._starts, self._same, self._note = (
            name,
            default,
            of,
            starts,
            same,
            note,
        )
        self._name = name

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if instance is None:
            return self
        value = vars(instance).get(self._name, self._default)
        if value is NOTHING:
            raise AttributeError(f"{type(instance).__name__!r} object has no attribute {self._name!r}")
        return value

    def __set__(self, instance: Any, value: object) -> None:
        if not hasattr(instance, "__dict__"):
            raise UsageError(
                f"{type(instance).__name__} has __slots__: an observed attribute needs the object's own __dict__"
            )
        old = vars(instance).get(self._name, self._default)
        is_told = self._same or old is NOTHING or old != value
        told = {"old": None if old is NOTHING else old, "new": value}
        told |= {name: getattr(instance, name, None) for name in self._of}
        if is_told and self._starts:
            self._note(f"{self._type}_update", told)
        vars(instance)[self._name] = value
        if is_told:
            self._note(f"{self._type}_updated", told)

    def __delete__(self, instance: Any) -> None:
        try:
            del vars(instance)[self._name]
        except KeyError:
            raise AttributeError(self._name) from None
