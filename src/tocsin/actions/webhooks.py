"""A webhook called for a detection: the detection as JSON in a signed POST, tried again where that may help.

What stands in its headers is told in `sinks/signatures.py`; the `webhook-id` is the detection's id.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from tocsin.actions.configuration import Webhook
from tocsin.actions.programs import Failed
from tocsin.sinks.http_post import LONGEST, posted


def call(hook: Webhook, name: str, body: bytes, wait: Callable[[float], object] | None = None) -> int:
    """Sends a body; how many attempts that took. `Failed` if none went well."""
    pause = threading.Event().wait if wait is None else wait
    for attempt in range(1, hook.retries + 2):
        answer = posted(hook.url, body, name, hook.keys, hook.seconds)
        if answer.reason is None:
            return attempt
        if answer.is_final or attempt > hook.retries:
            tried = f" ({attempt} attempts)" if attempt > 1 else ""
            raise Failed(f"{answer.reason}{tried}")
        usual = hook.backoff * 2 ** (attempt - 1)
        pause(min(usual if answer.wait is None else answer.wait, LONGEST))
    raise AssertionError("the last attempt returns or raises")
