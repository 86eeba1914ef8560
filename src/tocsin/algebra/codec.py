"""Patterns, guards and rules as JSON, with a version: what is stored, sent to another process, or hashed.

    {"tocsin": 1, "rule": {"is": "Rule", "name": "r", "pattern": {"is": "Sequence", ...}}}

Only the shapes listed here can be read back, and every field is held to its declared type, so a foreign or damaged
text is refused, never run. Fields that are at their default are left out: a later version may add fields.
"""

from __future__ import annotations

import hashlib
import json
import types
import typing
from dataclasses import MISSING as NO_DEFAULT
from dataclasses import Field, fields, is_dataclass
from enum import StrEnum
from functools import cache
from typing import Any, TypeVar

from tocsin.algebra import guards, patterns, rules
from tocsin.errors import Fault, RuleError
from tocsin.time.calendar import TimePoint
from tocsin.time.spans import Period

VERSION = 1
Shape = TypeVar("Shape")

DEEPEST = 450
"""How deeply a stored value may be nested: deeper than anything a parser lets through."""


def _shapes() -> dict[str, type]:
    """Every class that may be written, by a name that says which family it is of."""
    found: dict[str, type] = {"Period": Period, "TimePoint": TimePoint}
    for module, family in ((patterns, ""), (guards, "guard."), (rules, "rule.")):
        for name, value in vars(module).items():
            if isinstance(value, type) and is_dataclass(value) and value.__module__ == module.__name__:
                found[family + name] = value
    return found


_SHAPES = _shapes()
_NAMES = {shape: name for name, shape in _SHAPES.items()}


def to_record(value: object) -> object:
    """A pattern, guard, rule or program as plain JSON values. Where it stood in a text is left out."""
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, tuple):
        return [to_record(item) for item in value]
    name = _NAMES.get(type(value))
    if name is None:
        return value
    record: dict[str, object] = {"is": name}
    for f in _stored(_SHAPES[name]):
        item = getattr(value, f.name)
        if f.default is NO_DEFAULT or item != f.default or type(item) is not type(f.default):
            record[f.name] = to_record(item)
    return record


def to_json(value: object, what: str = "pattern") -> str:
    """The versioned text of a pattern, guard, rule or program."""
    return json.dumps(
        {"tocsin": VERSION, what: to_record(value)}, ensure_ascii=True, sort_keys=True, separators=(",", ":")
    )


def from_json(text: str, kind: type[Shape], what: str = "pattern") -> Shape:
    """What `to_json` wrote. Anything else is refused with the reason."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RuleError(Fault(f"this is not JSON: {str(error) or 'nested too deeply'}")) from None
    if not isinstance(document, dict) or "tocsin" not in document:
        raise RuleError(Fault("this is no stored rule", expected='{"tocsin": 1, ...}'))
    if document["tocsin"] != VERSION:
        message = f"this was stored by another version ({document['tocsin']!r})"
        raise RuleError(Fault(message, expected=f"version {VERSION}"))
    if what not in document:
        raise RuleError(Fault(f"there is no {what} stored here"))
    return from_record(document[what], kind, what)


def from_record(record: object, kind: type[Shape], path: str = "pattern") -> Shape:
    """The value that a record describes, which must be of `kind`."""
    return typing.cast(Shape, _read(record, kind, path, 0))


def content_hash(value: object) -> str:
    """The name of a pattern or rule by what it is: equal ones have equal hashes, in every process and release."""
    return hashlib.sha256(to_json(value).encode()).hexdigest()


@cache
def _stored(shape: type) -> tuple[Field[Any], ...]:
    return tuple(f for f in fields(shape) if f.init and f.name not in ("span", "sources"))


@cache
def _hints(shape: type) -> dict[str, Any]:
    return typing.get_type_hints(shape)


def _read(record: object, hint: Any, path: str, depth: int) -> object:
    if depth > DEEPEST:
        raise _refused(path, "it is nested too deeply")
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        return _read_any(record, typing.get_args(hint), path, depth)
    if origin is tuple:
        return _read_tuple(record, typing.get_args(hint), path, depth)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        if record not in [each.value for each in hint]:
            raise _refused(path, f"{record!r} is none of {', '.join(hint)}")
        return hint(record)
    if hint in (str, int, float, bool, type(None)):
        fits = type(record) is hint or (hint is float and type(record) is int)
        if not fits:
            raise _refused(path, f"a {hint.__name__} is expected")
        return record
    return _read_shape(record, hint, path, depth)


def _read_any(record: object, hints: tuple[Any, ...], path: str, depth: int) -> object:
    reasons: list[RuleError] = []
    for hint in hints:
        try:
            return _read(record, hint, path, depth + 1)
        except RuleError as error:
            reasons.append(error)
    raise max(reasons, key=lambda error: len(error.faults[0].message))


def _read_tuple(record: object, hints: tuple[Any, ...], path: str, depth: int) -> object:
    if not isinstance(record, list):
        raise _refused(path, "a list is expected")
    if len(hints) == 2 and hints[1] is Ellipsis:
        return tuple(_read(item, hints[0], f"{path}[{place}]", depth + 1) for place, item in enumerate(record))
    if len(record) != len(hints):
        raise _refused(path, f"{len(hints)} items are expected")
    return tuple(
        _read(item, hint, f"{path}[{n}]", depth + 1) for n, (item, hint) in enumerate(zip(record, hints, strict=True))
    )


def _read_shape(record: object, hint: Any, path: str, depth: int) -> object:
    if not isinstance(record, dict) or not isinstance(record.get("is"), str):
        raise _refused(path, "a shape is expected")
    shape = _SHAPES.get(record["is"])
    if shape is None or not issubclass(shape, hint):
        raise _refused(path, f"'{record['is'][:40]}' is not a {hint.__name__.lower()}")
    known = {f.name: f for f in _stored(shape)}
    for name in record:
        if name != "is" and name not in known:
            raise _refused(path, f"{shape.__name__} has no '{name[:40]}'")
    values: dict[str, object] = {}
    for name, f in known.items():
        if name in record:
            values[name] = _read(record[name], _hints(shape)[name], f"{path}.{name}", depth + 1)
        elif f.default is NO_DEFAULT:
            raise _refused(path, f"{shape.__name__} has no '{name}'")
    try:
        return shape(**values)
    except (TypeError, ValueError, OverflowError) as error:
        raise _refused(path, str(error)) from None


def _refused(path: str, reason: str) -> RuleError:
    return RuleError(Fault(f"{path[-200:]}: {reason}"))
