"""Expressions that YAML takes for something of its own, and the line as it should be."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_KEY: Final = re.compile(r"(?P<before>(?:^\s*(?:-\s+)?|[{,]\s*))(?P<key>[\w-]+):\s+(?=\S)")
_NEXT: Final = re.compile(r",\s*[\w-]+:(?:\s|$)")
_BARE: Final = re.compile(r"\s*(?:-\s+)?(?P<key>[\w-]+):\s*")
_MARKS: Final = tuple("!&*@%`[]{},|>\"'#?")
_MAPPINGS: Final = ("select", "suppress")
"""Settings whose values have keys of their own."""


def quoted_line(line: str, column: int, keys: Sequence[str]) -> str:
    """What to write for the value that YAML misread around `column` (from 0), or nothing where there is none."""
    there = [match for match in _KEY.finditer(line) if match.start() <= column]
    has_more = any(match["key"] in _MAPPINGS for match in there)
    found = [match for match in there if match["key"] in keys or has_more]
    if not found:
        return ""
    last = found[-1]
    value = line[last.end() :].rstrip()
    is_flow = "{" in line[: last.start() + 1]
    if is_flow:
        further = _NEXT.search(value)
        value = value[: further.start()] if further else value.removesuffix("}").rstrip()
    return f"quote it: {last['key']}: {quoted(value)}" if is_misread(value) else ""


def quoted_below(above: str, line: str, keys: Sequence[str]) -> str:
    """The same for a value that stands on a line of its own, under its key."""
    key, value = _BARE.fullmatch(above), line.strip()
    return f"quote it: {key['key']}: {quoted(value)}" if key and key["key"] in keys and is_misread(value) else ""


def is_misread(value: str) -> bool:
    """Whether YAML takes a text for something else, or for more or less than it is."""
    is_marked = value[:1] in _MARKS or ": " in value or " #" in value or value.endswith(":")
    return bool(value) and is_marked and not _is_quoted(value)


def quoted(value: str) -> str:
    """A text as YAML takes it for one."""
    return "'" + value.replace("'", "''") + "'"


def _is_quoted(value: str) -> bool:
    return len(value) > 1 and value[0] == value[-1] and value[0] in "'\"" and value[0] not in value[1:-1]
