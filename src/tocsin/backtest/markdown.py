"""A document as Markdown, with its pictures in files beside it. What comes from data cannot become markup."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tocsin.backtest.document import (
    Block,
    Code,
    Document,
    Figures,
    Heading,
    Paragraph,
    Picture,
    Table,
    is_number,
    written,
)

_MARKS: Final = re.compile(r"([\\`*_{}\[\]<>#|~!$])")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]+")
_LINKED: Final = re.compile(r"(?i)(https?|ftp|mailto|www)([:.])")
_OPENING: Final = re.compile(r"^(\d{0,9})([-+=.)])(?=\s|$|[-=]+\s*$)")
"""What would begin a list, or turn the line above into a heading."""


def markdown_page(document: Document) -> str:
    """The page."""
    return "\n\n".join(each for block in document.blocks for each in _drawn(block)) + "\n"


def escaped(text: str) -> str:
    """A text that means itself wherever it stands on a line."""
    text = _MARKS.sub(r"\\\1", _CONTROL.sub(" ", text).strip())
    text = text.replace("&", "&amp;")
    # Some readers turn what looks like an address into a link by themselves.
    text = _LINKED.sub("\\1\N{ZERO WIDTH SPACE}\\2", text)
    return _OPENING.sub(r"\1\\\2", text)


def _drawn(block: Block) -> Iterator[str]:
    match block:
        case Heading(level, text):
            yield f"{'#' * level} {escaped(text)}"
        case Paragraph(text):
            yield escaped(text)
        case Code(text):
            yield "\n".join(f"    {_CONTROL.sub(' ', line)}" for line in text.splitlines())
        case Figures(items):
            yield _rows(["", ""], [[name, value] for name, value in items], [False, True])
        case Table():
            if block.caption:
                yield f"*{escaped(block.caption)}*"
            numbers = [is_number(block, place) for place in range(len(block.heads))]
            yield _rows(list(block.heads), [[written(cell) for cell in row] for row in block.rows], numbers)
        case Picture(name, _, caption):
            yield f"![{escaped(caption)}]({name}.svg)"


def _rows(heads: list[str], rows: list[list[str]], numbers: list[bool]) -> str:
    lines = [heads, *rows]
    written_lines = ["| " + " | ".join(escaped(cell) for cell in line) + " |" for line in lines]
    rule = "| " + " | ".join("---:" if number else "---" for number in numbers) + " |"
    return "\n".join([written_lines[0], rule, *written_lines[1:]])
