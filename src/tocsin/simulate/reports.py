"""What a simulation found: as a table for people, as JSON, as pictures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from tocsin.formats.writers import display_width


class Say(Protocol):
    """Who is told how far the work has got."""

    def __call__(self, text: str) -> None:
        """One line."""


@dataclass(frozen=True)
class Table:
    """Rows of cells under their names; cells that are numbers stand to the right."""

    title: str
    names: Sequence[str]
    rows: Sequence[Sequence[str]]

    def lines(self) -> list[str]:
        """As text."""
        rows = [list(self.names), *map(list, self.rows)]
        wide = [max(display_width(row[place]) for row in rows) for place in range(len(self.names))]
        left = {place for place in range(len(self.names)) if not all(_is_number(row[place]) for row in self.rows)}
        cells = [
            "  ".join(
                _padded(cell, width, place in left) for place, (cell, width) in enumerate(zip(row, wide, strict=True))
            )
            for row in rows
        ]
        cells.insert(1, "  ".join("-" * width for width in wide))
        return [self.title, "", *(f"  {line}".rstrip() for line in cells)]


@dataclass
class Report:
    """All of it."""

    title: str
    record: dict[str, Any]
    tables: list[Table]
    remarks: list[str] = field(default_factory=list)
    pictures: Mapping[str, str] = field(default_factory=dict)
    """SVG by file name."""

    def text(self) -> str:
        """As people read it."""
        parts = [[self.title], *(table.lines() for table in self.tables)]
        if self.remarks:
            parts.append([f"- {remark}" for remark in self.remarks])
        return "\n\n".join("\n".join(lines) for lines in parts) + "\n"


def _is_number(cell: str) -> bool:
    return cell.strip("%x").replace(",", "").replace(".", "", 1).lstrip("-").isdigit() or cell in ("-", "")


def _padded(cell: str, width: int, is_left: bool) -> str:
    space = " " * (width - display_width(cell))
    return cell + space if is_left else space + cell


def percent(share: float) -> str:
    """A part of a whole."""
    return f"{100 * share:.1f}%"


def quantile(numbers: Iterable[float], share: float) -> float | None:
    """The number that such a part of all lies at or below; None of none."""
    found = sorted(numbers)
    return found[min(len(found) - 1, int(share * len(found)))] if found else None


def rounded(number: float | None, digits: int = 3) -> float | None:
    """A number as it is told."""
    return None if number is None else round(number, digits)
