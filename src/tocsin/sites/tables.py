"""Tables of text, as `tocsin sites` prints them, and the times and amounts in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from tocsin.sites.births import FAR
from tocsin.time.instants import render_instant

_WIDEST: Final = 60
_LONGEST: Final = 240
"""Of the last column, which may be a sentence."""
_ENDED: Final = FAR >> 2
"""Later than any event: a source or a stream that has got so far has ended."""


class Table(NamedTuple):
    """A heading, the names of the columns, and rows."""

    title: str
    heads: tuple[str, ...]
    rows: list[Sequence[Any]]


def lines_of(tables: Iterable[Table]) -> Iterator[str]:
    """Tables one below the other; those without rows are left out."""
    is_first = True
    for table in tables:
        if not table.rows:
            continue
        if not is_first:
            yield ""
        is_first = False
        yield table.title
        last = len(table.heads) - 1
        rows = [[cell(value, _WIDEST if n < last else _LONGEST) for n, value in enumerate(row)] for row in table.rows]
        cells = [list(table.heads), *rows]
        widths = [max(len(row[place]) for row in cells) for place in range(len(table.heads))]
        for row in cells:
            yield "  " + "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()


def cell(value: Any, most: int = _WIDEST) -> str:
    """A value in a table, on one line."""
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    text = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    plain = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)
    return plain if len(plain) <= most else plain[: most - 1] + "\N{HORIZONTAL ELLIPSIS}"


def has_ended(reached: int | None) -> bool:
    """Whether something that has got so far has ended."""
    return reached is not None and reached >= _ENDED


def instant(time: int | None) -> str | None:
    """A time as people read it."""
    if time is None or time <= -_ENDED:
        return None
    return "ended" if has_ended(time) else render_instant(time)


def lasting(microseconds: int | None) -> str | None:
    """A length of time, short."""
    if microseconds is None:
        return None
    for unit, size in (("h", 3_600_000_000), ("min", 60_000_000), ("s", 1_000_000), ("ms", 1_000)):
        if abs(microseconds) >= size:
            return f"{microseconds / size:.3g} {unit}"
    return f"{microseconds} µs"
