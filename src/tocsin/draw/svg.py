"""The little SVG that the pictures need: elements, text that is always valid XML, and about how wide it is."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final
from unicodedata import east_asian_width
from xml.sax.saxutils import escape

WIDTH, EDGE = 1200, 24
INK, GREY, LINE, STRIPE = "#1F2933", "#66727F", "#E1E6EB", "#F6F8FA"
_NOT_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def page(name: str, body: Iterable[str], height: float, width: float = WIDTH) -> str:
    """The whole picture."""
    font = "system-ui, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"
    size = {"width": width, "height": height, "viewBox": f"0 0 {width:g} {height:.1f}"}
    inner = "\n".join((tag("rect", width=width, height=height, fill="white"), *body))
    return (
        tag(
            "svg",
            f"\n{inner}\n",
            xmlns="http://www.w3.org/2000/svg",
            role="img",
            aria_label=name,
            font_family=font,
            **size,
        )
        + "\n"
    )


def tag(name: str, inner: str = "", /, **attributes: object) -> str:
    """An element; `inner` is XML already, attributes are not. `class_` is `class`, `stroke_width` `stroke-width`."""
    written = "".join(f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"' for key, value in attributes.items())
    return f"<{name}{written}>{inner}</{name}>" if inner else f"<{name}{written}/>"


def _value(value: object) -> str:
    """An attribute's value; without entities a reader of XML would take its line breaks for blanks."""
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".")
    return clean(str(value)).replace("\n", "&#10;").replace("\r", "&#13;").replace("\t", "&#9;")


def text_at(x: float, y: float, words: str, *, size: int, fill: str = INK, **attributes: object) -> str:
    """Words that begin, or are centred, at a place."""
    return tag("text", clean(words), x=x, y=y, font_size=size, fill=fill, **attributes)


def moved(x: float, y: float) -> str:
    """The transform that puts what is drawn around the origin there."""
    return f"translate({x:.1f},{y:.1f})"


def clean(text: str) -> str:
    """Text as XML holds it: marked characters escaped, those XML does not know replaced."""
    return escape(_NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text), {'"': "&quot;"})


def text_width(text: str, size: int) -> float:
    """About how wide a text is drawn; fonts differ, so a little too much."""
    return size * sum(1.0 if east_asian_width(letter) in "WF" else 0.58 for letter in text)


def shortened(text: str, room: float, size: int) -> str:
    """The text on one line, its middle left out where it is wider than the room."""
    text = " ".join((text if len(text) < 500 else f"{text[:250]}{text[-250:]}").split())
    wide = text_width(text, size)
    if wide <= room:
        return text
    kept = max(2, int(len(text) * room / wide) - 1)
    return f"{text[: kept - kept // 2]}…{text[len(text) - kept // 2 :]}"
