"""Texts that must stand in whatever a pattern matches: read off a regular expression or a pattern of wildcards.

They are looked for together with all others, so that most patterns need not be tried at all. What is read is less than
what the pattern says: a group, a class or an escape ends a text, and what is not understood gives none.
"""

from __future__ import annotations

import re
from typing import Final

FLAGS: Final = re.compile(r"\(\?([ims]+)\)")
"""Flags for all of an expression, at its beginning."""
SWITCH: Final = re.compile(r"\(\?[a-zA-Z-]*\)")
"""Flags from some place on."""
REPEATED: Final = re.compile(r"\{\d+(?:,\d*)?\}")
PLAIN_ESCAPES: Final = "dDsSwWbBAzntrfva"
"""What may follow a backslash, is no text, and ends there."""
HARD_TO_FOLD: Final = "kKsS"
"""Letters with a sign beyond ASCII that is the same without regard to case, and that `lower` leaves as it is."""


class Needed:
    """The longest text that an expression needs, and whether that may stand there in any case; '' if none is known."""

    def __init__(self, text: str, folded: bool) -> None:
        self.text, self.folded = text, folded


def needed_by_regex(pattern: str) -> Needed:
    """What a regular expression (of RE2) needs."""
    if not _is_encoded(pattern):
        return Needed("", False)
    flags = FLAGS.match(pattern)
    folded = flags is not None and "i" in flags.group(1)
    place = 0 if flags is None else flags.end()
    best, run = "", ""
    while place < len(pattern):
        sign = pattern[place]
        following = place + 1
        if sign == "\\":
            sign, following = pattern[place + 1 : place + 2], place + 2
            if sign.isalnum() or not sign:
                if sign not in PLAIN_ESCAPES or not sign:
                    return Needed("", folded)
                sign = ""
        elif sign == "|" or SWITCH.match(pattern, place):
            return Needed("", folded)
        elif sign == "(":
            sign, following = "", _after_group(pattern, place)
        elif sign == "[":
            sign, following = "", _after_class(pattern, place)
        elif sign in "*?{":
            repeated = REPEATED.match(pattern, place)
            following = repeated.end() if repeated is not None else following
            run, sign = run[:-1], ""
        elif sign in "+^$.":
            sign = ""
        if following < 0:
            return Needed("", folded)
        if sign and _is_plain(sign) and not (folded and sign in HARD_TO_FOLD):
            run += sign
        else:
            best, run = max(best, run, key=len), ""
        place = following
    best = max(best, run, key=len)
    return Needed(best.lower() if folded else best, folded)


def _is_encoded(pattern: str) -> bool:
    """Whether a pattern is tried as it is written: half of a surrogate pair becomes a `?` first."""
    return pattern.isascii() or not any(0xD800 <= ord(sign) <= 0xDFFF for sign in pattern)


def _is_plain(sign: str) -> bool:
    """Whether a sign matches itself alone, as it is encoded: `?` also stands for what cannot be encoded."""
    return " " <= sign <= "~" and sign != "?"


def _after_group(pattern: str, place: int) -> int:
    """Where a group ends that begins at a place; -1 if it does not."""
    depth = 0
    while place < len(pattern):
        sign = pattern[place]
        if sign == "\\":
            if pattern[place + 1 : place + 2] == "Q":
                return -1  # up to \E all signs are plain
            place += 2
            continue
        if sign == "[":
            place = _after_class(pattern, place)
            if place < 0:
                return -1
            continue
        depth += (sign == "(") - (sign == ")")
        place += 1
        if depth == 0:
            return place
    return -1


def _after_class(pattern: str, place: int) -> int:
    """Where a class of characters ends that begins at a place; -1 if it does not."""
    place += 1
    if pattern[place : place + 1] == "^":
        place += 1
    is_first = True
    while place < len(pattern):
        sign = pattern[place]
        if sign == "]" and not is_first:
            return place + 1
        is_first = False
        if sign == "\\":
            place += 2
        elif pattern.startswith("[:", place):
            end = pattern.find(":]", place)
            place = place + 1 if end < 0 else end + 2
        else:
            place += 1
    return -1


def needed_by_wildcards(pattern: str) -> str:
    """What a pattern of wildcards needs (`is_like` says how they are written); '' if that is nothing."""
    if not _is_encoded(pattern):
        return ""
    best, run, place = "", "", 0
    while place < len(pattern):
        sign, is_wild = pattern[place], pattern[place] in "%_"
        if sign == "\\" and place + 1 < len(pattern):
            place += 1
            sign, is_wild = pattern[place], False
        if is_wild or not _is_plain(sign):
            best, run = max(best, run, key=len), ""
        else:
            run += sign
        place += 1
    return max(best, run, key=len)
