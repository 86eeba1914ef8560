"""Why somebody is not let in, or may not do something: data, with a code that stays the same."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from tocsin.time.spans import SECOND

STATUS: Final = {
    "no-credentials": 401,
    "malformed-credentials": 401,
    "unknown-key": 401,
    "key-expired": 401,
    "key-revoked": 401,
    "token-malformed": 401,
    "token-algorithm": 401,
    "token-unknown-key": 401,
    "token-signature": 401,
    "token-expired": 401,
    "token-not-yet-valid": 401,
    "token-issuer": 401,
    "token-audience": 401,
    "token-claims": 401,
    "token-without-role": 403,
    "role-not-permitted": 403,
    "type-out-of-scope": 403,
    "owner-out-of-scope": 403,
    "too-many-failures": 429,
    "too-many-requests": 429,
    "too-many-events": 429,
    "batch-above-rate": 413,
    "identity-provider-unreachable": 503,
}
"""Every code of a refusal of access, and the status of HTTP that goes with it."""


@dataclass(frozen=True)
class Refusal:
    """What was refused and why. Never contains a secret."""

    code: str
    message: str
    hint: str = ""
    wait: int = 0
    """For how many microseconds it is of no use to ask again; 0: waiting does not help."""
    status: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "status", STATUS[self.code])

    @property
    def retry_after(self) -> int | None:
        """Whole seconds for `Retry-After`, rounded up; None where waiting does not help."""
        return -(-self.wait // SECOND) if self.wait > 0 else None

    @property
    def challenge(self) -> str | None:
        """What `WWW-Authenticate` says beside a 401 (RFC 6750)."""
        if self.status != 401:
            return None
        return "Bearer" if self.code == "no-credentials" else 'Bearer error="invalid_token"'

    def to_json(self) -> dict[str, str]:
        """As one of the faults in an answer."""
        told = {"code": self.code, "message": self.message}
        return told | {"hint": self.hint} if self.hint else told
