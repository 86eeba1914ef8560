"""Rules saved at an event processing service: requests for notification, made and changed with a key that allows it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPException, HTTPMessage
from typing import IO, Any, Final
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from tocsin.errors import TocsinError, UsageError

SAID: Final = frozenset(
    (
        *("name", "language", "expression", "condition", "context", "window", "order"),
        *("partition", "select", "notify", "suppress", "severity", "description"),
    )
)
"""What an assistant may say of a request. All else is for people to say, and a change leaves it as it is."""

_SECONDS: Final = 30
_MOST: Final = 1_000_000
_HINTS: Final = {
    401: "the service does not know this key",
    403: "this key does not allow it: saving rules takes a subscriber's or an operator's key",
    404: "there is no such request",
    429: "the service is asked too often: try again later",
}


class NotSaved(TocsinError):
    """A rule that the service did not take, with its faults as the service told them."""

    def __init__(self, message: str, faults: list[dict[str, Any]]) -> None:
        self.faults = faults
        super().__init__(message)


class _NoRedirects(HTTPRedirectHandler):
    """The key is for one service alone: nobody may send it on to another."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        return None


@dataclass(frozen=True)
class ServiceRequests:
    """The requests of a service, with a key for them."""

    url: str
    key: str

    @classmethod
    def of_environment(cls, environment: Mapping[str, str] = os.environ) -> ServiceRequests:
        """The service and the key that the operator has set; without them nothing is saved."""
        url, key = environment.get("TOCSIN_URL", ""), environment.get("TOCSIN_KEY", "")
        if not url or not key:
            lacking = " and ".join(name for name, value in (("TOCSIN_URL", url), ("TOCSIN_KEY", key)) if not value)
            raise UsageError(
                "rules are saved at an event processing service, with a key that allows it:"
                f" whoever runs this server sets {lacking} (see tocsin serve)"
            )
        if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname:
            raise UsageError(
                f"TOCSIN_URL is '{url}', which is not the address of a service: http://HOST:PORT or https://..."
            )
        return cls(url.rstrip("/"), key)

    def save(self, rule: Mapping[str, object], changed: str | None = None, dry_run: bool = False) -> dict[str, Any]:
        """Makes a request of a rule, or changes the one with an id; a dry run only says what it would cost."""
        if changed is None:
            return self._call("POST", f"/v1/requests{'?dry_run=1' if dry_run else ''}", rule)
        if dry_run:
            raise UsageError("a dry run says what a new request would cost: leave out which one is to be changed")
        path = f"/v1/requests/{quote(changed, safe='')}"
        document = self._call("GET", path).get("document", {})
        return self._call("PUT", path, {**{key: document[key] for key in document if key not in SAID}, **rule})

    def _call(self, method: str, path: str, body: Mapping[str, object] | None = None) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {self.key}", "Accept": "application/json"}
        data = None
        if body is not None:
            data, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
        request = Request(self.url + path, data, headers, method=method)
        try:
            with build_opener(_NoRedirects).open(request, timeout=_SECONDS) as answer:
                return _record(answer.read(_MOST))
        except HTTPError as error:
            with error:
                raise _refusal(error.code, _record(error.read(_MOST))) from None
        except (URLError, HTTPException, OSError, ValueError) as error:
            reason = error.reason if isinstance(error, URLError) else error
            raise UsageError(f"the service at {self.url} cannot be asked: {reason}") from None


def _refusal(status: int, record: Mapping[str, Any]) -> NotSaved:
    faults = [fault for fault in record.get("faults", []) if isinstance(fault, dict)]
    said = _HINTS.get(status, "the service refuses this rule" if status == 422 else f"the service answers {status}")
    told = "; ".join(str(fault.get("message", "")) for fault in faults)
    return NotSaved(f"not saved: {said}{f' ({told})' if told else ''}", faults)


def _record(data: bytes) -> dict[str, Any]:
    try:
        found = json.loads(data)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
