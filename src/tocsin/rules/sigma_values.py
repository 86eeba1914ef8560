"""Texts of Sigma and what its modifiers make of them: wildcards, dashes, encodings.

A text is read into parts: wildcards, and what stands between them.
"""

from __future__ import annotations

import re
from base64 import b64encode
from itertools import product
from typing import Final

from tocsin.algebra.guards import Binary, Call, Guard, Literal, joined
from tocsin.algebra.text_patterns import like_text

ANY, ONE = "\0*", "\0?"
"""Wildcards of a text that has been read."""
ENCODINGS: Final = {"wide": "utf-16-le", "utf16le": "utf-16-le", "utf16be": "utf-16-be", "utf16": "utf-16"}
DASHES: Final = "-/\u2013\u2014\u2015"
"""What Windows takes for the dash before an option, and what looks like one."""
_DASH: Final = re.compile(r"\B[-/]\b")
MOST_DASHES: Final = 3
"""Of so many dashes in one text all are varied, of more the first."""


def read_text(text: str) -> list[str]:
    """A text in parts: wildcards, and what is between them. A backslash before a wildcard or another one escapes it."""
    parts: list[str] = []
    plain = ""
    position = 0
    while position < len(text):
        one = text[position]
        if one == "\\" and text[position + 1 : position + 2] in ("*", "?", "\\"):
            plain += text[position + 1]
            position += 2
            continue
        if one in "*?":
            parts += [plain] * bool(plain) + [ANY if one == "*" else ONE]
            plain = ""
        else:
            plain += one
        position += 1
    return parts + [plain] * bool(plain)


def with_any_dash(text: str) -> list[str]:
    """A text with each of the dashes that may stand before an option."""
    pieces = _DASH.split(text, maxsplit=MOST_DASHES)
    return [
        pieces[0] + "".join(dash + piece for dash, piece in zip(dashes, pieces[1:], strict=True))
        for dashes in product(DASHES, repeat=len(pieces) - 1)
    ]


def in_base64(data: bytes, *, anywhere: bool) -> list[str]:
    """Bytes in base64; `anywhere` in a longer text, where they begin at one of three places in a group."""
    if not anywhere:
        return [b64encode(data).decode()]
    found = []
    for offset in range(3):
        coded = b64encode(b" " * offset + data).decode()
        cut = (None, -3, -2)[(len(data) + offset) % 3]  # what the bytes behind would change
        found.append(coded[(0, 2, 3)[offset] : cut])
    return found


def text_test(field: Guard, parts: list[str], *, cased: bool) -> Guard:
    """Whether a field is a text with wildcards, whatever the case unless `cased`."""
    subject: Guard = field if cased else Call("lower", (field,))
    parts = [part if cased or part in (ANY, ONE) else part.lower() for part in parts]
    texts = [part for part in parts if part not in (ANY, ONE)]
    shape = "".join(part[1] if part in (ANY, ONE) else "x" for part in parts)
    if shape in ("", "x"):
        return Binary("==", subject, Literal("".join(texts)))
    if shape == "*":
        return Binary("!=", field, Literal(None))
    if shape in ("x*", "*x", "*x*"):
        name = {"x*": "startswith", "*x": "endswith", "*x*": "contains"}[shape]
        return Call(name, (subject, Literal(texts[0])))
    pattern = "".join({ANY: "%", ONE: "_"}.get(part) or like_text(part) for part in parts)
    # What the pattern cannot do without comes first: it is looked for in all rules at once.
    needed: list[Guard] = [Call("contains", (subject, Literal(text))) for text in dict.fromkeys(texts)]
    return joined("&&", [*needed, Call("like", (subject, Literal(pattern)))])
