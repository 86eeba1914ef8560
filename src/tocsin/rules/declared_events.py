"""Events against their declarations: declared attributes must be there, and of their type (SEMANTICS section 6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tocsin.algebra.rules import Declaration
from tocsin.errors import RuleError
from tocsin.events import Moment
from tocsin.formats.intake import Conform
from tocsin.formats.refused import Refused
from tocsin.time.calendar import parse_instant
from tocsin.time.spans import SECOND, Period, parse_period


def conformer(declarations: Mapping[str, Declaration]) -> Conform | None:
    """What gives an event's data with declared types, or raises Refused with the reason; None where all is well."""
    return Conformer(declarations) if declarations else None


class Conformer:
    """Holds events to their declarations."""

    def __init__(self, declarations: Mapping[str, Declaration]) -> None:
        self._declarations = declarations

    def __call__(self, name: str, data: Mapping[str, object]) -> Mapping[str, object]:
        declared = self._declarations.get(name)
        if declared is None or not declared.attributes:
            return data
        made = dict(data)
        for attribute, kind in declared.attributes:
            if attribute not in data:
                raise Refused(f"event '{name}' has no attribute '{attribute}', which is declared as {kind}")
            made[attribute] = _MAKERS[kind](data[attribute], f"'{attribute}' of event '{name}' is declared as {kind}")
        return made

    def plain_types(self, name: str) -> list[tuple[str, frozenset[type]]] | None:
        declared = self._declarations.get(name)
        if declared is None:
            return []
        if not all(kind in _PLAIN for _, kind in declared.attributes):
            return None
        return [(attribute, _PLAIN[kind]) for attribute, kind in declared.attributes]


def _number(value: object, problem: str) -> object:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Refused(problem)
    return value


def _whole(value: object, problem: str) -> object:
    if isinstance(value, bool) or not isinstance(value, int):
        raise Refused(problem)
    return value


def _text(value: object, problem: str) -> object:
    if not isinstance(value, str):
        raise Refused(problem)
    return value


def _character(value: object, problem: str) -> object:
    if not isinstance(value, str) or len(value) != 1:
        raise Refused(problem)
    return value


def _moment(value: object, problem: str) -> object:
    """A time: RFC 3339 text, or seconds since 1970."""
    if isinstance(value, Moment):
        return value
    try:
        return Moment(parse_instant(value) if isinstance(value, str) else round(_seconds(value) * SECOND))
    except (RuleError, Refused, ValueError, OverflowError):
        raise Refused(problem) from None


def _period(value: object, problem: str) -> object:
    """A period: a duration as people write it, or seconds."""
    if isinstance(value, Period):
        return value
    try:
        return (
            parse_period(value) if isinstance(value, str) else Period.of(microseconds=round(_seconds(value) * SECOND))
        )
    except (RuleError, Refused, ValueError, OverflowError):
        raise Refused(problem) from None


def _seconds(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Refused("not a number")
    return value


_MAKERS: Mapping[str, Callable[[object, str], object]] = {
    "double": _number,
    "long": _whole,
    "string": _text,
    "char": _character,
    "time": _moment,
    "itime": _period,
}
_PLAIN: Mapping[str, frozenset[type]] = {
    "double": frozenset((int, float)),
    "long": frozenset((int,)),
    "string": frozenset((str,)),
}
"""The types of values that stay as they are."""
