"""Text in lines that are no wider than the room for them."""

from __future__ import annotations

from tocsin.draw.svg import text_width

MOST_LINES = 12
"""What is longer is cut: a picture is no place for a page of text."""


def wrapped(text: str, room: float, size: int) -> list[str]:
    """The text in lines: broken at blanks where it has some, and inside words that are too long by themselves."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        for piece in _pieces(word, room, size):
            longer = f"{line} {piece}" if line else piece
            if line and text_width(longer, size) > room:
                lines.append(line)
                line = piece
            else:
                line = longer
    if line or not lines:
        lines.append(line)
    return shortened_lines(lines)


def shortened_lines(lines: list[str]) -> list[str]:
    """The lines, or the first of many."""
    return lines if len(lines) <= MOST_LINES else [*lines[: MOST_LINES - 1], "…"]


def _pieces(word: str, room: float, size: int) -> list[str]:
    """A word that is wider than the room, in pieces that are not."""
    if text_width(word, size) <= room:
        return [word]
    pieces, piece = [], ""
    for letter in word:
        if piece and text_width(piece + letter, size) > room:
            pieces.append(piece)
            piece = ""
        piece += letter
    return [*pieces, piece]
