"""A report before it is written: headings, paragraphs, tables and pictures. All texts are plain, whoever wrote them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

_SHARE: Final = re.compile(r"[\d.]+%")

Cell: TypeAlias = str | int | float | None
"""What stands in a table: numbers are aligned to the right, None is empty."""


Row: TypeAlias = Sequence[Cell]


@dataclass(frozen=True)
class Heading:
    """The title of a part; 1 is the title of all, and smaller parts have larger numbers."""

    level: int
    text: str


@dataclass(frozen=True)
class Paragraph:
    """Running text."""

    text: str


@dataclass(frozen=True)
class Code:
    """A text as it was written, in lines."""

    text: str


@dataclass(frozen=True)
class Figures:
    """The few numbers that matter: what each is, and how large."""

    items: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Table:
    """Rows under headings."""

    heads: Sequence[str]
    rows: Sequence[Row]
    caption: str = ""


@dataclass(frozen=True)
class Picture:
    """An SVG. Its name is the report's own: a file may be called so."""

    name: str
    svg: str
    caption: str


Block: TypeAlias = Heading | Paragraph | Code | Figures | Table | Picture


@dataclass(frozen=True)
class Document:
    """A whole report."""

    title: str
    blocks: Sequence[Block] = field(default_factory=tuple)

    @property
    def pictures(self) -> list[Picture]:
        """All pictures."""
        return [block for block in self.blocks if isinstance(block, Picture)]


def is_number(table: Table, place: int) -> bool:
    """Whether a column holds numbers and shares."""
    cells = [row[place] for row in table.rows if row[place] not in (None, "", "-")]
    return bool(cells) and all(not isinstance(cell, str) or _SHARE.fullmatch(cell) for cell in cells)


def written(cell: Cell) -> str:
    """A cell as text: numbers with commas."""
    if cell is None:
        return ""
    if isinstance(cell, str):
        return cell
    return f"{cell:,}" if isinstance(cell, int) else f"{cell:,.2f}"
