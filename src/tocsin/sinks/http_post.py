"""A signed HTTP POST: one request, and what its answer means. Webhooks of pipelines and of actions are called by it.

    Tocsin-Signature: t=1763359200,v1=HEX    HMAC-SHA256, with the shared key, of "1763359200." and the body
    Idempotency-Key: TEXT                    the same in every attempt, so that a receiver can drop repeats

An answer of 2xx takes it. After 408, 425, 429, 5xx or none at all another attempt may go well; any other is final.
"""

from __future__ import annotations

import hashlib
import hmac
import time
from dataclasses import dataclass
from http.client import HTTPException
from typing import Final
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, Request, build_opener

SIGNATURE: Final = "Tocsin-Signature"
AGAIN: Final = (408, 425, 429)
LONGEST: Final = 60.0
"""Seconds between two attempts, at most."""


class _NoRedirects(HTTPRedirectHandler):
    """A post that is sent elsewhere is answered there, by someone that it was not signed for."""

    def redirect_request(self, *_: object) -> None:
        return None


_OPENER: Final = build_opener(_NoRedirects)


@dataclass(frozen=True)
class Answer:
    """Why a request was not taken, nothing if it was; whether for good, and how long to wait if it was said."""

    reason: str | None = None
    is_final: bool = False
    wait: float | None = None


def posted(
    url: str, body: bytes, name: str, key: bytes | None, seconds: float, kind: str = "application/json"
) -> Answer:
    """Sends a body once."""
    headers = {"Content-Type": kind, "Idempotency-Key": name, "User-Agent": "tocsin"}
    if key is not None:
        headers[SIGNATURE] = signature(key, int(time.time()), body)
    try:
        with _OPENER.open(Request(url, body, headers, method="POST"), timeout=seconds):
            return Answer()
    except HTTPError as answer:
        with answer:
            after = answer.headers.get("Retry-After", "")
        is_passing = answer.code >= 500 or answer.code in AGAIN
        reason = f"HTTP {answer.code} {answer.reason}".rstrip()
        return Answer(reason, not is_passing, float(after) if after.isdigit() else None)
    except URLError as error:
        return Answer(f"no answer: {error.reason}")
    except (OSError, HTTPException) as error:
        return Answer(f"no answer: {error or type(error).__name__}")


def signature(key: bytes, moment: int, body: bytes) -> str:
    """What stands in the header: when it was signed, and the signature of both."""
    digest = hmac.new(key, f"{moment}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={moment},v1={digest}"


def is_signed(key: bytes, header: str, body: bytes, now: float, tolerance: float = 300.0) -> bool:
    """Whether a body was signed with the key, not long ago: what a webhook asks."""
    parts = dict(part.partition("=")[::2] for part in header.split(","))
    moment = parts.get("t", "")
    if not moment.isdigit() or abs(now - int(moment)) > tolerance:
        return False
    return hmac.compare_digest(signature(key, int(moment), body), header)
