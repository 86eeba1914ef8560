"""A signed HTTP POST: one request, and what its answer means. Webhooks of pipelines and of actions are called by it.

What stands in its headers is told in `signatures`. An answer of 2xx takes it. After 408, 425, 429, 5xx or none at all
another attempt may go well; any other is final.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from http.client import HTTPException
from typing import Final
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from tocsin.sinks import signatures

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
    url: str, body: bytes, name: str, keys: Sequence[bytes], seconds: float, kind: str = "application/json"
) -> Answer:
    """Sends a body once, signed with each of the keys. The name is the same in every attempt."""
    headers = {"Content-Type": kind, "User-Agent": "tocsin"}
    headers |= signatures.headers(keys, name, int(time.time()), body)
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
