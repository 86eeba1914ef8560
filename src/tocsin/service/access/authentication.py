"""Who asks: what stands in `Authorization` is a key or a token, and stands for somebody or nobody."""

from __future__ import annotations

import re
from typing import Final

from tocsin.service.access.key_sets import Tokens
from tocsin.service.access.keys import LENGTH, PREFIX, KeyRing, digest_of
from tocsin.service.access.limits import GuessLimiter
from tocsin.service.access.oidc import LONGEST
from tocsin.service.access.permissions import Principal
from tocsin.service.access.refusals import Refusal

_BEARER: Final = re.compile(rb"[ \t]*bearer[ \t]+([\x21-\x7e]+)[ \t]*", re.IGNORECASE)
_USUAL: Final = f"Bearer {PREFIX}".encode()
_USUAL_LENGTH: Final = len("Bearer ") + LENGTH
_HINT: Final = "Authorization: Bearer KEY"
GUESSES: Final = frozenset(
    {
        "malformed-credentials",
        "unknown-key",
        "token-malformed",
        "token-algorithm",
        "token-unknown-key",
        "token-signature",
    }
)
"""Refusals that whoever makes credentials up is given; who had a good one once, and has it no more, does not guess."""


def credential_of(header: bytes | None) -> str | Refusal:
    """The key or token in a header, whatever bytes it has."""
    if header is not None and len(header) == _USUAL_LENGTH and header.startswith(_USUAL) and header.isascii():
        return header[7:].decode("ascii")  # as nearly all are; whether it is a key is seen when it is looked up
    if header is None or header.isspace() or not header:
        return Refusal("no-credentials", "who asks must say so with a key or a token", _HINT)
    found = _BEARER.fullmatch(header) if len(header) <= LONGEST + 100 else None  # a token, and blanks
    if found is None:
        return Refusal("malformed-credentials", "the header 'Authorization' has no key and no token", _HINT)
    return found[1].decode("ascii")


class Authentication:
    """Lets people in: by the keys of a ring, and by the tokens of a provider if there is one."""

    def __init__(self, ring: KeyRing, guesses: GuessLimiter, tokens: Tokens | None = None) -> None:
        self.ring, self._guesses, self._tokens = ring, guesses, tokens

    def at_once(self, header: bytes | None, address: str, now: int) -> Principal | Refusal | None:
        """Who asks, where nobody needs to wait for that; None where it takes `principal`."""
        credential = credential_of(header)
        if isinstance(credential, Refusal):
            return self._refused(credential, b"", address, now)
        digest = digest_of(credential)
        slowed = self._guesses.check(address, digest, now)
        if slowed is not None:
            return slowed
        if credential.startswith(PREFIX):
            return self._by_key(credential, digest, address, now)
        if self._tokens is None:
            refusal = Refusal("unknown-key", "the key is not one of this service", "a key begins with tk_")
            return self._refused(refusal, digest, address, now)
        return self._tokens.believed(credential, now)

    async def principal(self, header: bytes | None, address: str, now: int) -> Principal | Refusal:
        """Who asks."""
        found = self.at_once(header, address, now)
        if found is not None:
            return found
        credential = credential_of(header)
        assert isinstance(credential, str)
        assert self._tokens is not None
        digest = digest_of(credential)
        by_token = await self._tokens.principal(credential, now)
        if isinstance(by_token, Refusal):
            return self._refused(by_token, digest, address, now)
        self._guesses.succeeded(address, digest)
        return by_token

    def _by_key(self, credential: str, digest: bytes, address: str, now: int) -> Principal | Refusal:
        found = self.ring.principal(credential, digest, now)
        if isinstance(found, Refusal):
            return self._refused(found, digest, address, now)
        self._guesses.succeeded(address, digest)
        return found

    def _refused(self, refusal: Refusal, digest: bytes, address: str, now: int) -> Refusal:
        """The refusal; that of the pause, where the address is shut out."""
        slowed = self._guesses.check(address, digest, now)
        if slowed is not None:
            return slowed
        if refusal.code in GUESSES:
            self._guesses.failed(address, now)
        return refusal
