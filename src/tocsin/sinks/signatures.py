"""Signatures of webhooks by the Standard Webhooks convention, which many receivers have a library for.

    webhook-id: msg_2KWPBgLlAfxdpx2AI54pPJ85f4W        the same in every attempt: a receiver drops repeats by it
    webhook-timestamp: 1674087231                      when it was signed, in seconds since 1970
    webhook-signature: v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=

A signature is HMAC-SHA256 of `ID.TIMESTAMP.BODY`, in base64. While a key is changed there are several, with blanks
between them: one by each key that a receiver may still have. A key is given as `whsec_` and its bytes in base64.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import secrets
from collections.abc import Iterable, Mapping
from typing import Final

ID: Final = "webhook-id"
TIMESTAMP: Final = "webhook-timestamp"
SIGNATURE: Final = "webhook-signature"
PREFIX: Final = "whsec_"
TOLERANCE: Final = 300.0
"""Seconds between signing and checking, at most: what was signed long ago may be somebody's copy."""
_VERSION: Final = "v1,"


def headers(keys: Iterable[bytes], name: str, moment: int, body: bytes) -> dict[str, str]:
    """What stands in the headers of a request that is signed by each of the keys; with no key it has no signature."""
    signed = " ".join(signature(key, name, moment, body) for key in keys)
    made = {ID: name, TIMESTAMP: str(moment)}
    return {**made, SIGNATURE: signed} if signed else made


def signature(key: bytes, name: str, moment: int, body: bytes) -> str:
    """One signature: of the request's name, the moment and the body."""
    return _VERSION + base64.b64encode(hmac.digest(key, b"%b.%d.%b" % (name.encode(), moment, body), "sha256")).decode()


def is_signed(
    keys: Iterable[bytes], given: Mapping[str, str], body: bytes, now: float, tolerance: float = TOLERANCE
) -> bool:
    """Whether a request was signed with one of the keys, not long ago: what a receiver asks."""
    told = {header.lower(): value for header, value in given.items()}
    name, moment, signed = (told.get(header, "") for header in (ID, TIMESTAMP, SIGNATURE))
    if not (name and moment.isascii() and moment.isdigit() and len(moment) < 20):
        return False
    if abs(now - int(moment)) > tolerance:
        return False
    wanted = [signature(key, name, int(moment), body).encode() for key in keys]
    # all are compared with all, so that the time it takes says nothing
    same = [hmac.compare_digest(one, each.encode()) for each in signed.split() for one in wanted]
    return any(same)


def key_of(secret: str) -> bytes:
    """The key that a text holds: `whsec_` and base64, or any other text as it stands. `ValueError` if it is none."""
    if not secret.startswith(PREFIX):
        if not secret.strip():
            raise ValueError("the secret is empty")
        return secret.encode()
    text = secret.removeprefix(PREFIX)
    try:
        key = base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except binascii.Error:
        raise ValueError(f"what follows {PREFIX} is no base64") from None
    if not key:
        raise ValueError(f"nothing follows {PREFIX}")
    return key


def keys_of(text: str) -> tuple[bytes, ...]:
    """The keys that a variable of the environment holds: one, or several `whsec_...` with blanks between them."""
    words = text.split()
    several = words if words and all(each.startswith(PREFIX) for each in words) else [text]
    return tuple(key_of(each) for each in several)


def new_secret() -> str:
    """A secret that nobody can guess."""
    return PREFIX + base64.b64encode(secrets.token_bytes(32)).decode()
