"""What a principal is confined to: patterns of event types and of owners, in which `*` stands for anything."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from tocsin.errors import UsageError

ANY: Final = "*"
LONGEST: Final = 200
"""Characters of a pattern, at most."""
MOST: Final = 1000
"""Patterns in a scope, at most: each is tried for every type that is asked about."""


def matches(pattern: str, name: str) -> bool:
    """Whether a name is one of those that a pattern means: `*` is any characters, all else is itself.

    Linear in practice, never exponential: after each star the first place where the next piece stands is as good as
    any other.

    >>> matches("plant.*.temp", "plant.7.temp"), matches("plant.*", "plants")
    (True, False)
    """
    pieces = pattern.split("*")
    if len(pieces) == 1:
        return pattern == name
    first, last = pieces[0], pieces[-1]
    if len(first) + len(last) > len(name) or not name.startswith(first) or not name.endswith(last):
        return False
    position, end = len(first), len(name) - len(last)
    for piece in pieces[1:-1]:
        found = name.find(piece, position, end)
        if found < 0:
            return False
        position = found + len(piece)
    return True


def check_pattern(pattern: str, what: str = "a pattern") -> str:
    """The pattern; an error if it cannot be one."""
    if not pattern or len(pattern) > LONGEST or not pattern.isprintable():
        shown = pattern if len(pattern) <= 40 else f"{pattern[:40]}..."
        raise UsageError(f"{what} has 1 to {LONGEST} printable characters, with * for any of them, not {shown!r}")
    return pattern


@dataclass(frozen=True)
class Scopes:
    """Types of events and owners of requests that somebody may have to do with; no patterns: none."""

    types: tuple[str, ...] = (ANY,)
    owners: tuple[str, ...] = ()
    """Beside the principal's own, which is always in scope."""

    def __post_init__(self) -> None:
        for what, patterns in (("types", self.types), ("owners", self.owners)):
            if len(patterns) > MOST:
                raise UsageError(f"a scope of {what} has {len(patterns):,} patterns: at most {MOST:,}")
            for pattern in patterns:
                check_pattern(pattern, f"a pattern of {what}")

    def covers_type(self, event_type: str) -> bool:
        """Whether an event type is in scope."""
        return any(pattern == ANY or matches(pattern, event_type) for pattern in self.types)

    def covers_owner(self, owner: str) -> bool:
        """Whether an owner is in scope."""
        return any(pattern == ANY or matches(pattern, owner) for pattern in self.owners)

    def outside(self, types: Iterable[str]) -> str | None:
        """The first of some event types that is not in scope; None where all are."""
        if ANY in self.types:
            return None
        return next((each for each in types if not self.covers_type(each)), None)


EVERYTHING: Final = Scopes((ANY,), (ANY,))
"""What an operator is given."""
