"""A webhook called for a detection: the detection as JSON in an HTTP POST, signed, and tried again where that may help.

X-Tocsin-Id          the detection's id: the same in every attempt, so that the receiver can drop repeats
X-Tocsin-Signature   sha256=HEX, the HMAC of the body with the key, where there is one
"""

from __future__ import annotations

import hashlib
import hmac
import threading
from collections.abc import Callable
from http.client import HTTPException
from typing import Final
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from tocsin.actions.programs import Failed
from tocsin.actions.reading import Webhook

AGAIN: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
"""Answers after which another attempt may go well."""
LONGEST: Final = 60.0
"""Seconds between two attempts, at most."""


class _NoRedirect(HTTPRedirectHandler):
    """Goes nowhere else: what is sent was meant for one address, and a POST would arrive there as a GET."""

    def redirect_request(self, *_: object) -> None:
        return None


_OPENER: Final = build_opener(_NoRedirect)


def sign(body: bytes, key: bytes) -> str:
    """What proves that a body comes from whoever has the key."""
    return f"sha256={hmac.new(key, body, hashlib.sha256).hexdigest()}"


def call(hook: Webhook, name: str, body: bytes, wait: Callable[[float], object] | None = None) -> int:
    """Sends a body; how many attempts that took. `Failed` if none went well."""
    pause = threading.Event().wait if wait is None else wait
    headers = {"Content-Type": "application/json", "User-Agent": "tocsin", "X-Tocsin-Id": name}
    if hook.key is not None:
        headers["X-Tocsin-Signature"] = sign(body, hook.key)
    for attempt in range(1, hook.retries + 2):
        again, reason = _attempt(hook, headers, body)
        if not reason:
            return attempt
        if not again or attempt > hook.retries:
            tried = f" ({attempt} attempts)" if attempt > 1 else ""
            raise Failed(f"{reason}{tried}")
        pause(min(hook.backoff * 2 ** (attempt - 1), LONGEST))
    raise AssertionError("the last attempt returns or raises")


def _attempt(hook: Webhook, headers: dict[str, str], body: bytes) -> tuple[bool, str]:
    """Sends once. Whether to try again, and what went wrong; nothing did where that is empty."""
    try:
        with _OPENER.open(Request(hook.url, body, headers, method="POST"), timeout=hook.seconds):
            return False, ""
    except HTTPError as error:
        error.close()
        return error.code in AGAIN, f"the answer was {error.code} {error.reason}"
    except URLError as error:
        return True, f"no answer: {error.reason}"
    except (TimeoutError, HTTPException, OSError) as error:
        return True, f"no answer: {error or type(error).__name__}"
