"""API keys: how they are made, kept, found and rotated.

A key is `tk_`, 32 random bytes and a checksum. Only its SHA-256 is kept: with 256 random bits there is nothing to
guess, so a slow hash would protect nothing and cost every request. The checksum tells a mistyped key from an unknown
one.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from tocsin.errors import UsageError, choices
from tocsin.service.access.limits import Rates
from tocsin.service.access.permissions import Principal, Role
from tocsin.service.access.refusals import Refusal
from tocsin.service.access.scopes import EVERYTHING, Scopes

PREFIX: Final = "tk_"
ENTROPY: Final = 32
LENGTH: Final = 52
"""Characters of a key."""
_FORM: Final = re.compile(r"tk_[A-Za-z0-9_-]{43}[A-Za-z0-9_-]{6}", re.ASCII)
_DIGEST: Final = re.compile(r"[0-9a-f]{64}", re.ASCII)
_ABSENT: Final = hashlib.sha256(b"no key at all").digest()
"""What an unknown key is compared with, so that it takes the same way as a known one."""
LONGEST_NAME: Final = 100
Entropy = Callable[[int], bytes]


@dataclass(frozen=True)
class ApiKey:
    """What is kept of a key. All times in microseconds since 1970."""

    id: str
    identity: str
    """Whose key it is: the same for a key and those that replace it."""
    name: str
    digest: str
    """SHA-256 of the key, in hexadecimal."""
    role: Role
    scopes: Scopes
    created: int
    expires: int | None = None
    revoked: int | None = None
    rates: Rates | None = None
    """None: those that the settings give to everybody."""

    def principal(self) -> Principal:
        """Whom the key stands for."""
        return Principal(self.identity, self.name, self.role, self.scopes, self.name, self.id, self.rates)

    def flaw(self, now: int) -> Refusal | None:
        """Why the key opens nothing any more; None while it does."""
        if self.revoked is not None and self.revoked <= now:
            return Refusal("key-revoked", f"the key {self.id} was revoked")
        if self.expires is not None and self.expires <= now:
            return Refusal("key-expired", f"the key {self.id} has expired", "ask an operator for a new one")
        return None

    def to_json(self) -> dict[str, Any]:
        """The record as it is stored and listed: nobody can make the key of it."""
        return {
            "id": self.id,
            "identity": self.identity,
            "name": self.name,
            "digest": self.digest,
            "role": self.role.value,
            "types": list(self.scopes.types),
            "owners": list(self.scopes.owners),
            "created": self.created,
            "expires": self.expires,
            "revoked": self.revoked,
            "rates": None if self.rates is None else self.rates.to_json(),
        }

    @classmethod
    def of_json(cls, told: Mapping[str, Any]) -> ApiKey:
        """What `to_json` wrote."""
        try:
            if not all(isinstance(told[name], str) for name in ("id", "identity", "name")):
                raise TypeError("id, identity and name are texts")
            if _DIGEST.fullmatch(told["digest"]) is None:
                raise ValueError("digest is a SHA-256 in hexadecimal")
            if not isinstance(told["created"], int):
                raise TypeError("created is a time in microseconds")
            rates = told.get("rates")
            return cls(
                id=told["id"],
                identity=told["identity"],
                name=told["name"],
                digest=told["digest"],
                role=Role(told["role"]),
                scopes=Scopes(tuple(told["types"]), tuple(told["owners"])),
                created=told["created"],
                expires=told.get("expires"),
                revoked=told.get("revoked"),
                rates=None if rates is None else Rates.of_json(rates),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise UsageError(f"this is no record of a key: {type(error).__name__}: {error}") from None


@dataclass(frozen=True)
class Issued:
    """A new key: its text, which is shown once and kept nowhere, and its record."""

    text: str = field(repr=False)
    record: ApiKey


@dataclass(frozen=True)
class Rotated:
    """A key that replaces another, and what the other is now: valid for a while yet."""

    issued: Issued
    old: ApiKey


def key_text(entropy: bytes) -> str:
    """The key made of 32 random bytes."""
    body = urlsafe_b64encode(entropy).rstrip(b"=").decode("ascii")
    return f"{PREFIX}{body}{_checksum(body)}"


def is_key(text: str) -> bool:
    """Whether a text is written as a key is, its checksum included; nothing is said about whether it opens anything."""
    return _FORM.fullmatch(text) is not None and _checksum(text[3:-6]) == text[-6:]


def digest_of(text: str) -> bytes:
    """What is kept of a key."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def issue(
    name: str,
    role: Role,
    now: int,
    *,
    scopes: Scopes | None = None,
    expires: int | None = None,
    rates: Rates | None = None,
    identity: str | None = None,
    entropy: Entropy = secrets.token_bytes,
) -> Issued:
    """A new key for a name. Requests made with it belong to the name."""
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise UsageError(f"a key has a name of 1 to {LONGEST_NAME} printable characters, not {name[:40]!r}")
    if expires is not None and expires <= now:
        raise UsageError("a key cannot have expired before it is made")
    text = key_text(entropy(ENTROPY))
    own = EVERYTHING if role is Role.OPERATOR else Scopes()
    key_id = f"key_{entropy(8).hex()}"
    record = ApiKey(
        key_id, identity or key_id, name, digest_of(text).hex(), role, scopes or own, now, expires, rates=rates
    )
    return Issued(text, record)


def rotate(
    old: ApiKey, now: int, grace: int, *, expires: int | None = None, entropy: Entropy = secrets.token_bytes
) -> Rotated:
    """A key with the same identity, role and scopes; the old one stays valid for `grace` microseconds, at most."""
    flaw = old.flaw(now)
    if flaw is not None:
        raise UsageError(f"{flaw.message}: only a key that is valid can be rotated; make a new one")
    ends = now + max(0, grace)
    fresh = issue(
        old.name,
        old.role,
        now,
        scopes=old.scopes,
        expires=expires,
        rates=old.rates,
        identity=old.identity,
        entropy=entropy,
    )
    return Rotated(fresh, replace(old, expires=ends if old.expires is None else min(old.expires, ends)))


def revoke(record: ApiKey, now: int) -> ApiKey:
    """The record of a key that opens nothing from now on; one that was revoked before stays as it was."""
    return record if record.revoked is not None else replace(record, revoked=now)


class _Entry(NamedTuple):
    """A key in a ring, with what is asked of it for every request."""

    digest: bytes
    record: ApiKey
    principal: Principal


class KeyRing:
    """The keys that the service knows, by their hash and by their id.

    Looking one up takes the same time whether there is one key or a million, and tells nothing about how much of a
    guess was right: what is compared is the hash of the guess, which nobody can steer.
    """

    def __init__(self, records: Iterable[ApiKey] = ()) -> None:
        self._by_digest: dict[bytes, _Entry] = {}
        self._by_id: dict[str, ApiKey] = {}
        for record in records:
            self.put(record)

    def __len__(self) -> int:
        return len(self._by_id)

    @property
    def records(self) -> tuple[ApiKey, ...]:
        """All keys, in the order they were put in."""
        return tuple(self._by_id.values())

    def put(self, record: ApiKey) -> None:
        """Keeps a key, in place of what was known by its id before."""
        digest = bytes.fromhex(record.digest)
        known = self._by_digest.get(digest)
        if known is not None and known.record.id != record.id:
            raise UsageError(f"the keys {known.record.id} and {record.id} are the same key")
        before = self._by_id.get(record.id)
        if before is not None:
            del self._by_digest[bytes.fromhex(before.digest)]
        self._by_id[record.id] = record
        self._by_digest[digest] = _Entry(digest, record, record.principal())

    def named(self, key_id: str) -> ApiKey | None:
        """The key with an id."""
        return self._by_id.get(key_id)

    def require(self, key_id: str) -> ApiKey:
        """The key with an id, or an error that names those there are."""
        found = self._by_id.get(key_id)
        if found is None:
            known = choices(tuple(self._by_id)[:10])
            raise UsageError(f"there is no key '{key_id[:60]}': {known or 'there are none'}")
        return found

    def principal(self, text: str, digest: bytes, now: int) -> Principal | Refusal:
        """Whom a key stands for, if it opens anything now; `digest` is what `digest_of` gives of the text."""
        entry = self._by_digest.get(digest)
        kept = _ABSENT if entry is None else entry.digest
        if not hmac.compare_digest(kept, digest) or entry is None:
            return Refusal("unknown-key", "the key is not one of this service", _hint(text))
        record = entry.record
        if record.revoked is None and record.expires is None:
            return entry.principal
        return record.flaw(now) or entry.principal

    def find(self, text: str, now: int) -> ApiKey | Refusal:
        """The key that a text is, if it opens anything now."""
        found = self.principal(text, digest_of(text), now)
        return found if isinstance(found, Refusal) else self._by_id[found.credential]


def _checksum(body: str) -> str:
    check = zlib.crc32(body.encode("ascii"))
    return urlsafe_b64encode(check.to_bytes(4, "big")).rstrip(b"=").decode("ascii")


def _hint(text: str) -> str:
    """What a text that is no key may lack; it depends on nothing but the text."""
    if is_key(text):
        return ""
    return "a key is tk_ and 49 letters, digits, - and _; this one was mistyped or cut off"
