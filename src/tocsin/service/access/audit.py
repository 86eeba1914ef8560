"""What is told of a change that was refused has no secret in it, and is not long."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

HIDDEN: Final = "***"
LONGEST: Final = 2_000
"""Characters of a text in a record; what is longer is cut off: the change itself has all of it."""
DEEPEST: Final = 16
MOST: Final = 200
"""Members of a list or a mapping."""
_SECRET_NAMES: Final = re.compile(
    r"secret|passw|passphrase|token|credential|authori[sz]ation|cookie|private|signature|api.?key|^(old_?|new_?)?key$",
    re.IGNORECASE,
)
_SECRET_TEXTS: Final = (
    (re.compile(r"tk_[A-Za-z0-9_-]{8,}"), f"tk_{HIDDEN}"),
    (re.compile(r"whsec_[A-Za-z0-9+/=_-]+"), f"whsec_{HIDDEN}"),
    (re.compile(r"whsk_[A-Za-z0-9+/=_-]+"), f"whsk_{HIDDEN}"),
    (re.compile(r"(?i)\b(bearer|basic)\s+[\x21-\x7e]+"), rf"\1 {HIDDEN}"),
    (re.compile(r"eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*\.[A-Za-z0-9_-]*"), HIDDEN),
    (re.compile(r"(?<=://)[^/@\s]*@"), f"{HIDDEN}@"),
    (re.compile(r"(?i)([?&][^=&#\s]*(?:secret|passw|token|key|signature)[^=&#\s]*=)[^&#\s]*"), rf"\1{HIDDEN}"),
)
"""How secrets look wherever they stand: keys, secrets of webhooks, tokens, passwords in URLs."""


def redacted(told: object, depth: int = 0) -> Any:
    """Something of JSON without the secrets in it, by their names and by how they look; long ones cut off."""
    if isinstance(told, str):
        return _redacted_text(told)
    if told is None or isinstance(told, bool | int | float):
        return told
    if depth >= DEEPEST:
        return "..."
    if isinstance(told, Mapping):
        pairs = list(told.items())
        found = {_redacted_text(str(name)): _member(str(name), value, depth) for name, value in pairs[:MOST]}
        return found if len(pairs) <= MOST else found | {"...": f"and {len(pairs) - MOST:,} more"}
    if isinstance(told, list | tuple):
        items = [redacted(each, depth + 1) for each in told[:MOST]]
        return items if len(told) <= MOST else [*items, f"... and {len(told) - MOST:,} more"]
    return HIDDEN  # bytes, objects: who knows what is in them


def _member(name: str, value: object, depth: int) -> Any:
    if _SECRET_NAMES.search(name) is not None and value is not None and not isinstance(value, bool):
        return HIDDEN
    return redacted(value, depth + 1)


def _redacted_text(text: str) -> str:
    cut, rest = text, ""
    if len(text) > LONGEST:
        # The last word goes whole: half of a secret would not look like one.
        words = text[:LONGEST].rsplit(None, 1)
        cut, rest = words[0] if len(words) == 2 else "", "..."
    for pattern, shown in _SECRET_TEXTS:
        cut = pattern.sub(shown, cut)
    return cut + rest
