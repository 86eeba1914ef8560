"""Expressions that YAML takes for something of its own, and the line as it should be."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_KEY: Final = re.compile(r"(?P<before>(?:^\s*(?:-\s+)?|[{,]\s*))(?P<key>[\w-]+):\s+(?=\S)")
_NEXT: Final = re.compile(r",\s*[\w-]+:(?:\s|$)")


def quoted_line(line: str, column: int, keys: Sequence[str]) -> str:
    """What to write for the value that YAML misread around `column` (from 0), or nothing where there is none."""
    found = [match for match in _KEY.finditer(line) if match["key"] in keys and match.end() <= max(column, match.end())]
    found = [match for match in found if match.start() <= column]
    if not found:
        return ""
    last = found[-1]
    value = line[last.end() :].rstrip()
    is_flow = "{" in line[: last.start() + 1]
    if is_flow:
        further = _NEXT.search(value)
        value = value[: further.start()] if further else value.removesuffix("}").rstrip()
    if not value or _is_quoted(value):
        return ""
    return f"quote it: {last['key']}: {quoted(value)}"


def quoted(value: str) -> str:
    """A text as YAML takes it for one."""
    return "'" + value.replace("'", "''") + "'"


def _is_quoted(value: str) -> bool:
    return len(value) > 1 and value[0] == value[-1] and value[0] in "'\"" and value[0] not in value[1:-1]
