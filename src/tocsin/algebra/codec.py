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
from collections.abc import Callable, Mapping
from dataclasses import MISSING as NO_DEFAULT
from dataclasses import Field, fields, is_dataclass
from enum import StrEnum
from functools import cache
from typing import Any, NoReturn, TypeVar

from tocsin.algebra import guards, patterns, rules
from tocsin.errors import Fault, RuleError
from tocsin.time.calendar import TimePoint
from tocsin.time.spans import Period

VERSION = 1
Shape = TypeVar("Shape")

DEEPEST = 450
"""How deeply a stored value may be nested: deeper than anything a parser lets through."""


class Codec:
    """Values of some shapes as plain JSON values, and back. A shape is a dataclass, known by a name."""

    def __init__(self, shapes: Mapping[str, type]) -> None:
        self.shapes = dict(shapes)
        self._names = {shape: name for name, shape in self.shapes.items()}

    def to_record(self, value: object) -> object:
        """A value as plain JSON values. Where it stood in a text is left out."""
        if isinstance(value, StrEnum):
            return value.value
        if isinstance(value, tuple):
            return [self.to_record(item) for item in value]
        if isinstance(value, float):
            return value + 0.0  # -0.0 and 0.0 are equal, and must have one text
        name = self._names.get(type(value))
        if name is None:
            return value
        record: dict[str, object] = {"is": name}
        for f in _stored(self.shapes[name]):
            item = getattr(value, f.name)
            if f.default is NO_DEFAULT or item != f.default:
                record[f.name] = self.to_record(item)
        return record

    def to_json(self, value: object, what: str) -> str:
        """The versioned text of a value."""
        try:
            return self._written(value, what, allow_nan=False)
        except ValueError as error:
            raise RuleError(Fault(f"this {what} cannot be stored: {error}")) from None

    def from_json(self, text: str, kind: type[Shape], what: str) -> Shape:
        """What `to_json` wrote. Anything else is refused with the reason."""
        try:
            document = json.loads(text, parse_constant=_no_number)
        except (ValueError, RecursionError) as error:
            raise RuleError(Fault(f"this is not JSON: {str(error) or 'nested too deeply'}")) from None
        if not isinstance(document, dict) or "tocsin" not in document:
            raise RuleError(Fault("this is no stored rule", expected='{"tocsin": 1, ...}'))
        version = document["tocsin"]
        if type(version) is not int or version != VERSION:
            message = f"this was stored by another version ({_cut(version)})"
            raise RuleError(Fault(message, expected=f"version {VERSION}"))
        if what not in document:
            raise RuleError(Fault(f"there is no {what} stored here"))
        return self.from_record(document[what], kind, what)

    def from_record(self, record: object, kind: type[Shape], path: str) -> Shape:
        """The value that a record describes, which must be of `kind`."""
        hint: Any = kind
        return typing.cast(Shape, _reader(hint)(record, hint, path, 0, self.shapes))

    def content_hash(self, value: object) -> str:
        """The name of a value by what it is: equal ones have equal hashes, in every process and release."""
        text = self._written(value, "pattern", allow_nan=True)  # JSON has no infinite numbers, and they have names
        return hashlib.sha256(text.encode()).hexdigest()

    def _written(self, value: object, what: str, *, allow_nan: bool) -> str:
        document = {"tocsin": VERSION, what: self.to_record(value)}
        return json.dumps(document, ensure_ascii=True, allow_nan=allow_nan, sort_keys=True, separators=(",", ":"))


FORMER_NAMES = {"Automaton": "Detector"}
"""What shapes are called in what is stored, where their class has another name by now."""


def shapes_of(module: types.ModuleType, family: str = "") -> dict[str, type]:
    """Every shape of a module, by a name that says which family it is of."""
    return {
        family + FORMER_NAMES.get(name, name): value
        for name, value in vars(module).items()
        if isinstance(value, type) and is_dataclass(value) and value.__module__ == module.__name__
    }


def written(shapes: Mapping[str, type]) -> dict[str, type]:
    """The shapes that may be written: not what only gathers others."""
    families = {base for shape in shapes.values() for base in shape.__mro__[1:]}
    return {name: shape for name, shape in shapes.items() if shape not in families}


SHAPES: Mapping[str, type] = {
    "Period": Period,
    "TimePoint": TimePoint,
    **shapes_of(patterns),
    **shapes_of(guards, "guard."),
    **shapes_of(rules, "rule."),
}
"""Every shape of the algebra."""

_ALGEBRA = Codec(written(SHAPES))


def to_record(value: object) -> object:
    """A pattern, guard, rule or program as plain JSON values. Where it stood in a text is left out."""
    return _ALGEBRA.to_record(value)


def to_json(value: object, what: str = "pattern") -> str:
    """The versioned text of a pattern, guard, rule or program."""
    return _ALGEBRA.to_json(value, what)


def from_json(text: str, kind: type[Shape], what: str = "pattern") -> Shape:
    """What `to_json` wrote. Anything else is refused with the reason."""
    return _ALGEBRA.from_json(text, kind, what)


def from_record(record: object, kind: type[Shape], path: str = "pattern") -> Shape:
    """The value that a record describes, which must be of `kind`."""
    return _ALGEBRA.from_record(record, kind, path)


def content_hash(value: object) -> str:
    """The name of a pattern or rule by what it is: equal ones have equal hashes, in every process and release."""
    return _ALGEBRA.content_hash(value)


@cache
def _stored(shape: type) -> tuple[Field[Any], ...]:
    return tuple(f for f in fields(shape) if f.init and (f.compare or f.name not in ("span", "sources")))


@cache
def _hints(shape: type) -> dict[str, Any]:
    return typing.get_type_hints(shape)


_PLAIN = {str: "a text", int: "a whole number", float: "a number", bool: "true or false", type(None): "null"}

# -- reading: one function for each kind of type, so that a level of nesting costs few levels of Python's stack -------


@cache
def _reader(hint: Any) -> Callable[[object, Any, str, int, Mapping[str, type]], object]:
    """The function that reads a value of a type."""
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        return _read_any
    if origin is tuple:
        return _read_tuple
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return _read_word
    return _read_plain if hint in _PLAIN else _read_shape


def _read_word(record: object, hint: Any, path: str, depth: int, shapes: Mapping[str, type]) -> object:
    if record not in [each.value for each in hint]:
        raise _refused(path, f"{_cut(record)} is none of {', '.join(hint)}")
    return hint(record)


def _read_plain(record: object, hint: Any, path: str, depth: int, shapes: Mapping[str, type]) -> object:
    if type(record) is not hint and not (hint is float and type(record) is int):
        raise _refused(path, f"{_PLAIN[hint]} is expected")
    return record


def _read_any(record: object, hint: Any, path: str, depth: int, shapes: Mapping[str, type]) -> object:
    reasons: list[RuleError] = []
    for each in typing.get_args(hint):
        try:
            return _reader(each)(record, each, path, depth + 1, shapes)
        except RuleError as error:
            reasons.append(error)
    raise max(reasons, key=lambda error: len(error.faults[0].message))


def _read_tuple(record: object, hint: Any, path: str, depth: int, shapes: Mapping[str, type]) -> object:
    _refuse_deep(path, depth)
    if not isinstance(record, list):
        raise _refused(path, "a list is expected")
    hints = typing.get_args(hint)
    if len(hints) == 2 and hints[1] is Ellipsis:
        hints = (hints[0],) * len(record)
    if len(record) != len(hints):
        raise _refused(path, f"{len(hints)} items are expected")
    items: list[object] = []
    for place, item in enumerate(record):
        items.append(_reader(hints[place])(item, hints[place], f"{path}[{place}]", depth + 1, shapes))
    return tuple(items)


def _read_shape(record: object, hint: Any, path: str, depth: int, shapes: Mapping[str, type]) -> object:
    _refuse_deep(path, depth)
    if not isinstance(record, dict) or not isinstance(record.get("is"), str):
        raise _refused(path, "a shape is expected")
    shape = shapes.get(record["is"])
    if shape is None or not issubclass(shape, hint):
        raise _refused(path, f"{_cut(record['is'])} is not a {hint.__name__.lower()}")
    known = {f.name: f for f in _stored(shape)}
    for name in record:
        if name != "is" and name not in known:
            raise _refused(path, f"{shape.__name__} has no {_cut(name)}")
    values: dict[str, object] = {}
    for name, f in known.items():
        if name in record:
            inner = _hints(shape)[name]
            values[name] = _reader(inner)(record[name], inner, f"{path}.{name}", depth + 1, shapes)
        elif f.default is NO_DEFAULT:
            raise _refused(path, f"{shape.__name__} has no '{name}'")
    try:
        return shape(**values)
    except (TypeError, ValueError, OverflowError) as error:
        raise _refused(path, str(error)) from None


def _refuse_deep(path: str, depth: int) -> None:
    if depth > DEEPEST:
        raise _refused(path, "it is nested too deeply")


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number")


def _cut(value: object) -> str:
    """A foreign value as a message shows it."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    return repr(value[:40] if isinstance(value, str) else value)[:60]


def _refused(path: str, reason: str) -> RuleError:
    return RuleError(Fault(f"{path[-200:]}: {reason}"))
