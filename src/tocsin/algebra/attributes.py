"""Attributes by their names: `user`, and inside of others `user.name`, `tags[0]`, `user.groups[1].id`.

A name is looked for as it stands first, so a flat key `user.name` is found and wins; then what is called by a part of
it is gone down into, the longest part first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from tocsin.algebra.operations import MISSING

_STEP = re.compile(r"\.|\[(\d{1,9})\]")


def found_in(data: Mapping[str, object], name: str) -> object:
    """The value of an attribute in the data of an event, or MISSING."""
    found = data.get(name, MISSING)
    return _below(data, name) if found is MISSING and is_path(name) else found


def is_path(name: str) -> bool:
    """Whether an attribute may lie inside another."""
    return "." in name or "[" in name


@lru_cache(maxsize=4096)
def heads_of(name: str) -> tuple[str, ...]:
    """The keys under which what a path leads to may be found: itself, and each part that it begins with."""
    return (name, *[name[: step.start()] for step in reversed(list(_STEP.finditer(name))) if step.start()])


def _below(value: object, path: str) -> object:
    """What a path leads to from a value."""
    if not path:
        return value
    index = _STEP.match(path)
    if index is not None and index[1] is not None:
        return _item(value, int(index[1]), path[index.end() :])
    if not isinstance(value, Mapping):
        return MISSING
    for key in heads_of(path):
        if key in value:
            found = _below(value[key], _rest(path, key))
            if found is not MISSING:
                return found
    return MISSING


def _item(value: object, place: int, rest: str) -> object:
    if not isinstance(value, list | tuple) or place >= len(value):
        return MISSING
    return _below(value[place], rest.removeprefix("."))


def _rest(path: str, key: str) -> str:
    return path[len(key) :].removeprefix(".")


def items_of(names: frozenset[str]) -> Iterator[str]:
    """The keys that data must have for some attributes to be found in it."""
    for name in names:
        yield from heads_of(name)
