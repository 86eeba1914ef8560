"""Patterns of texts: regular expressions, wildcards, networks; each made ready once.

Regular expressions are RE2's: they have no lookaround and no references back, and in return take time proportional to
the text, whatever they are. The same library is in Arrow, so columns give the same answers.
"""

from __future__ import annotations

import ipaddress
import re
from functools import lru_cache
from typing import Any, Final

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Address = ipaddress.IPv4Address | ipaddress.IPv6Address

KEPT: Final = 16_384
"""Patterns and addresses that are kept ready."""


class BadPattern(ValueError):
    """A text that is no pattern of the kind asked for; says why."""


# -- regular expressions ---------------------------------------------------------------------------------------------


def matches(text: str, pattern: str) -> bool:
    """Whether a regular expression matches somewhere in a text."""
    return _compiled(pattern).search(_bytes(text)) is not None


def check_regex(pattern: str) -> None:
    """Refuses what is no regular expression."""
    _compiled(pattern)


@lru_cache(maxsize=KEPT)
def _compiled(pattern: str) -> Any:
    import re2  # only where there are expressions: most rules have none

    options = re2.Options()
    options.log_errors = False
    options.never_capture = True
    try:
        return re2.compile(_bytes(pattern), options)
    except re2.error as error:
        (reason, *_) = error.args or (b"it cannot be read",)
        told = reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)
        raise BadPattern(told) from None


def _bytes(text: str) -> bytes:
    return text.encode(errors="replace")  # half of a surrogate pair is no character, and no pattern means it


# -- wildcards -------------------------------------------------------------------------------------------------------


def is_like(text: str, pattern: str) -> bool:
    """Whether a whole text is like a pattern: `%` is anything, `_` one character, a backslash makes them plain."""
    return matches(text, like_regex(pattern))


@lru_cache(maxsize=KEPT)
def like_regex(pattern: str) -> str:
    """A pattern of wildcards as a regular expression."""
    made, is_plain = "", False
    for sign in pattern:
        if is_plain:
            made, is_plain = made + re.escape(sign), False
        elif sign == "\\":
            is_plain = True
        else:
            made += {"%": ".*", "_": "."}.get(sign) or re.escape(sign)
    return rf"\A(?s:{made}{re.escape(chr(92)) if is_plain else ''})\z"


def like_text(text: str) -> str:
    """A text as a pattern of wildcards that only it is like."""
    return re.sub(r"([%_\\])", r"\\\1", text)


# -- networks --------------------------------------------------------------------------------------------------------


def is_in_network(text: str, network: str) -> bool:
    """Whether a text is an address in a network; one of the fourth version may be written as one of the sixth."""
    address, where = _address(text), network_of(network)
    if address is None or address.version != where.version:
        return False
    return address in where


@lru_cache(maxsize=KEPT)
def network_of(text: str) -> Network:
    """A network as it is written: `10.0.0.0/8`, `fe80::/10`, or one address."""
    try:
        return ipaddress.ip_network(text.strip(), strict=False)
    except ValueError as error:
        raise BadPattern(str(error)) from None


@lru_cache(maxsize=KEPT)
def _address(text: str) -> Address | None:
    try:
        address = ipaddress.ip_address(text.strip())
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address
