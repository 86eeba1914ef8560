"""Where a name is defined: a declared class of events, a rule, or a rule whose detections are events of that name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

_WORD: Final = re.compile(r"[^\W\d]\w*(?:-\w+)*")
_QUOTED: Final = re.compile(r"'([^'\n]{1,200})'|\"([^\"\n]{1,200})\"")
_PART: Final = re.compile(r"[^\W\d]\w*")


def names_at(line: str, column: int) -> list[str]:
    """The names that may stand at a column (from 1) of a line: the longest first."""
    found: list[str] = []
    for pattern in (_QUOTED, _WORD, _PART):
        for match in pattern.finditer(line[:5000]):
            if match.start() < column <= match.end() + 1:
                found += [next(filter(None, match.groups()), match[0])]
    return sorted(dict.fromkeys(found), key=len, reverse=True)


def definitions(names: Iterable[str], outlines: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Where the first of the names that is defined anywhere is: records with file, line and column."""
    known = list(outlines)
    for name in names:
        declared = [
            each for one in known for each in one["events"] if each["name"] == name and each["how"] == "declared"
        ]
        found = declared + [each for one in known for each in one["rules"] if each["name"] == name]
        if found:
            return found
    return []
