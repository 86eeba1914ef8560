"""A column of JSON objects as columns of what is in them: read all at once, no event is made.

It is as in `Reader`: where one object cannot be taken as the intake would take it, all are left to the intake.
"""

from __future__ import annotations

import json
import math
from array import array
from collections.abc import Iterable
from typing import Any, Final

from tocsin.algebra.values import MISSING
from tocsin.engine.network.values import ObjectValues, RealValues, Values, WholeValues
from tocsin.formats.refused import Refused

_EXACT: Final = 2**53
_PLAIN: Final = frozenset((int, float, str, bool, type(None), type(MISSING)))


def columns_of_objects(texts: Iterable[str | None]) -> dict[str, Values]:
    """The attributes in some texts, which are objects of plain values, or empty."""
    objects = list(map(_object, texts))
    return {name: _column([each.get(name, MISSING) for each in objects]) for name in _names(objects)}


def _object(text: str | None) -> dict[str, Any]:
    if not text:
        return {}
    try:
        value, end = _DECODER.raw_decode(text)
    except (ValueError, RecursionError):
        raise Refused("not JSON") from None
    if type(value) is not dict or end != len(text) or "\\ud" in text or "\\uD" in text:
        raise Refused("not a plain object")
    return value


_DECODER: Final = json.JSONDecoder()


def _names(objects: list[dict[str, Any]]) -> list[str]:
    """The names in the order that they have in every object, for so they are told."""
    shapes = sorted(dict.fromkeys(map(tuple, objects)), key=len, reverse=True)
    names = list(dict.fromkeys(name for shape in shapes for name in shape))
    places = {name: place for place, name in enumerate(names)}
    for shape in shapes:
        order = [places[name] for name in shape]
        if order != sorted(order):
            raise Refused("attributes are not in one order")
    return names


def _column(values: list[Any]) -> Values:
    kinds = set(map(type, values))
    if not kinds <= _PLAIN:
        raise Refused("not all values are plain")
    if float in kinds and not all(math.isfinite(value) for value in values if type(value) is float):
        raise Refused("a number is out of range")
    if kinds == {float}:
        return RealValues(array("d", values).tobytes())
    if kinds == {int} and min(values) >= -_EXACT and max(values) <= _EXACT:
        return WholeValues(array("q", values).tobytes())
    return ObjectValues([MISSING if value is None else value for value in values])
