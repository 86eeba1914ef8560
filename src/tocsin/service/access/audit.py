"""The record of each change: when, who, what, from where, and how it ended. No secret ever gets into it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tocsin.errors import UsageError
from tocsin.service.access.permissions import Principal

DONE: Final = "done"
HIDDEN: Final = "***"
LONGEST: Final = 2_000
"""Characters of a text in a record; what is longer is cut off: the change itself has all of it."""
LARGEST: Final = 20_000
"""Characters of a record's detail as JSON: beyond that it is left out."""
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


@dataclass(frozen=True)
class AuditRecord:
    """One change, done or refused."""

    at: int
    """Microseconds since 1970."""
    who: str
    """The principal's id; empty where nobody was let in."""
    name: str
    credential: str
    action: str
    """As in the table of permissions: `requests:change`."""
    what: str
    """What was changed: `request/pair`, `key/key_1234`."""
    address: str
    """Where the request came from."""
    outcome: str = DONE
    """`done`, or the code of the refusal."""
    detail: Mapping[str, Any] = field(default_factory=dict)
    """What is worth knowing beside that; already without secrets."""

    @classmethod
    def of(
        cls,
        at: int,
        principal: Principal | None,
        action: str,
        what: str,
        address: str,
        outcome: str = DONE,
        detail: Mapping[str, Any] | None = None,
    ) -> AuditRecord:
        """A record of what somebody did; secrets are taken out here, and nowhere else."""
        who, name, credential = (
            ("", "", "") if principal is None else (principal.id, principal.name, principal.credential)
        )
        told = redacted(detail or {})
        size = len(json.dumps(told))
        if size > LARGEST:
            told = {"...": f"left out: {size:,} characters"}
        who, name, credential, did, what, address, outcome = (
            _redacted_text(str(each)) for each in (who, name, credential, action, what, address, outcome)
        )
        return cls(at, who, name, credential, did, what, address, outcome, told)

    def to_json(self) -> dict[str, Any]:
        """As it is kept and told; what is empty is left out."""
        told: dict[str, Any] = {
            "at": self.at,
            "who": self.who,
            "name": self.name,
            "credential": self.credential,
            "action": self.action,
            "what": self.what,
            "address": self.address,
            "outcome": self.outcome,
        }
        return told | ({"detail": dict(self.detail)} if self.detail else {})

    @classmethod
    def of_json(cls, told: Mapping[str, Any]) -> AuditRecord:
        """What `to_json` wrote."""
        try:
            return cls(**told)
        except TypeError as error:
            raise UsageError(f"this is no record of a change: {error}") from None
