"""What a proposed rule is made of, and its text in words (the language `pretty`)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from tocsin.time.spans import HOUR, MINUTE, SECOND

ORDERED, TOGETHER, COUNTED = "ordered", "together", "counted"
"""One after the other; in any order; so many of one type."""
SPANS: Final = (
    *(each * SECOND for each in (1, 2, 5, 10, 15, 20, 30)),
    *(each * MINUTE for each in (1, 2, 5, 10, 15, 20, 30)),
    *(each * HOUR for each in (1, 2, 3, 6, 12, 24, 48, 72, 168)),
)
"""Lengths of time that people say."""
_PLAIN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_RESERVED: Final = (
    "and or not then followed followed_by without unless where within between as every any at end after times time "
    "with by once per in no least to of the same different event true false null now self"
)
_WORDS: Final = frozenset(_RESERVED.split())


@dataclass(frozen=True)
class Skeleton:
    """The types of a rule and how they stand to each other."""

    form: str
    types: tuple[str, ...]
    touches: bool = False
    """Whether one may happen at the instant of the one before."""

    @property
    def names(self) -> tuple[str, ...]:
        """What the events are called in conditions."""
        is_told_apart = len(set(self.types)) == len(self.types) and all(map(is_plain, self.types))
        return self.types if is_told_apart else tuple(f"e{place}" for place in range(1, len(self.types) + 1))

    @property
    def text(self) -> str:
        """The skeleton alone."""
        if self.form == COUNTED:
            return f"{written(self.types[0])} at least {len(self.types)} times"
        parts = [
            written(type) if type == name else f"{written(type)} as {name}"
            for type, name in zip(self.types, self.names, strict=True)
        ]
        if self.form == TOGETHER:
            return " and ".join(parts)
        return (" followed by or with " if self.touches else " followed by ").join(parts)


@dataclass(frozen=True)
class Shape:
    """A proposed rule: a skeleton within a time, and what else is asked."""

    skeleton: Skeleton
    span: int
    equal: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    because: tuple[str, ...] = field(default=(), compare=False)

    @property
    def refinements(self) -> int:
        """How much more is asked than the types, their order, the time and equal attributes."""
        return len(self.conditions) + len(self.absent)

    @property
    def text(self) -> str:
        """The rule in words."""
        text = self.skeleton.text
        if self.skeleton.form == COUNTED:
            text += f" with the same {' and '.join(self.equal)}" if self.equal else ""
        else:
            text += "".join(f" without {written(type)}" for type in self.absent)
            text += f" by {' and '.join(self.equal)}" if self.equal else ""
            text += f" where {' && '.join(self.conditions)}" if self.conditions else ""
        return f"{text} within {span_text(self.span)}"


def is_plain(name: str) -> bool:
    """Whether a name needs no quotes."""
    return _PLAIN.fullmatch(name) is not None and name not in _WORDS


def written(type: str) -> str:
    """A type as it stands in a rule."""
    return type if is_plain(type) else quoted(type)


def quoted(text: str) -> str:
    """A text in quotes."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n").replace("\t", "\\t") + "'"


def span_text(span: int) -> str:
    """A length of time in one unit."""
    for unit, name in ((HOUR, "hour"), (MINUTE, "minute")):
        if span % unit == 0:
            return f"{span // unit} {name}{'s' * (span != unit)}"
    return f"{span // SECOND} second{'s' * (span != SECOND)}"


def rounded(length: int) -> int:
    """The shortest length of time that people say which is no shorter than one."""
    for each in SPANS:
        if length <= each:
            return each
    day = 24 * HOUR
    return -(-length // day) * day
