"""Bearer tokens of an identity provider (JWT): their signature, their claims, and whom they stand for.

Nothing here waits or reads a clock: keys and the time are given. What is accepted: an algorithm of the settings' list,
which has signatures by private keys only (RFC 8725 sections 3.1 and 3.2), a key of the provider's set made for it, the
issuer and the audience of the settings, and a time between `nbf` and `exp`.
"""

from __future__ import annotations

import binascii
import json
from base64 import urlsafe_b64decode
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from tocsin.errors import MissingDependency, UsageError
from tocsin.service.access.permissions import Principal, Role
from tocsin.service.access.provider import Provider
from tocsin.service.access.refusals import Refusal
from tocsin.service.access.scopes import Scopes
from tocsin.time.spans import SECOND

if TYPE_CHECKING:
    from joserfc.jwk import Key

LONGEST: Final = 16_384
"""Characters of a token, at most."""
LONGEST_OWNER: Final = 200
_TYPES: Final = ("", "jwt", "at+jwt", "application/jwt", "application/at+jwt")
"""What `typ` may be: a token that is meant for something else (a logout, a proof) is not taken for one of access."""
_LEAST_RSA: Final = 2048 // 8
_NOT_YET: Final = ("nbf", "iat")


def read_keys(told: bytes | str) -> tuple[Key, ...]:
    """The public keys of a JWKS that signatures can be checked with; others in it are passed over."""
    try:
        from joserfc.errors import JoseError
        from joserfc.jwk import JWKRegistry
    except ImportError:
        raise MissingDependency("joserfc", "service") from None
    try:
        given = json.loads(told)
        listed = [each for each in given["keys"] if isinstance(each, dict)]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise UsageError('this is no set of keys (JWKS): {"keys": [{"kty": ...}]} was expected') from None
    found = []
    for each in listed:
        if not _is_public_signing_key(each):
            continue
        try:
            key = JWKRegistry.import_key(each)
            key.ensure_kid()
        except (JoseError, ValueError, TypeError, KeyError, AttributeError):
            continue  # one that cannot be used must not shut out those that can
        found.append(key)
    if not found:
        raise UsageError("the set of keys (JWKS) has no public key that signatures can be checked with")
    return tuple(found)


def _is_public_signing_key(told: Mapping[str, Any]) -> bool:
    kind, modulus = told.get("kty"), told.get("n")
    if kind not in ("RSA", "EC", "OKP") or told.get("use", "sig") != "sig":
        return False
    # Shorter ones have been factored.
    return kind != "RSA" or (isinstance(modulus, str) and len(modulus.rstrip("=")) * 6 // 8 >= _LEAST_RSA)


def verify(provider: Provider, keys: Sequence[Key], token: str, now: int) -> tuple[Principal, int] | Refusal:
    """Whom a token stands for, and until when it may be believed; `token-unknown-key` where newer keys may help."""
    header = _header(token)
    if header is None:
        return Refusal("token-malformed", "this is no JSON Web Token of three parts with a header")
    algorithm, kid = header.get("alg"), header.get("kid")
    if algorithm not in provider.algorithms:
        accepted = ", ".join(provider.algorithms)
        return Refusal("token-algorithm", f"the token is signed with {str(algorithm)[:40]!r}; accepted: {accepted}")
    if str(header.get("typ", "")).lower() not in _TYPES:
        return Refusal("token-malformed", f"a token of the type {str(header['typ'])[:40]!r} is not one of access")
    key = _key(keys, kid)
    if key is None:
        return Refusal("token-unknown-key", "the token is signed with a key that the provider does not publish")
    claims = _claims(provider, key, token, now)
    return claims if isinstance(claims, Refusal) else _principal(provider, claims, now)


def _header(token: str) -> dict[str, Any] | None:
    if len(token) > LONGEST or token.count(".") != 2:
        return None
    part = token.partition(".")[0]
    try:
        told = json.loads(urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    except (ValueError, binascii.Error, RecursionError):
        return None
    return told if isinstance(told, dict) else None


def _key(keys: Sequence[Key], kid: object) -> Key | None:
    """The key with an id; without one the only key there is."""
    if kid is None:
        return keys[0] if len(keys) == 1 else None
    return next((key for key in keys if key.kid == kid), None)


def _claims(provider: Provider, key: Key, token: str, now: int) -> dict[str, Any] | Refusal:
    """What a token says, once its signature, its issuer, its audience and its times are right."""
    from joserfc import jwt
    from joserfc.errors import BadSignatureError, ExpiredTokenError, InvalidClaimError, JoseError, MissingClaimError
    from joserfc.jws import JWSRegistry

    # Parameters of a header that nobody here knows are passed over, except where `crit` says that they matter.
    registry = JWSRegistry(algorithms=list(provider.algorithms), strict_check_header=False)
    registry.max_header_length = LONGEST
    wanted = jwt.JWTClaimsRegistry(
        now=now // SECOND,
        leeway=provider.leeway // SECOND,
        iss={"essential": True, "value": provider.issuer},
        aud={"essential": True, "value": provider.audience},
        exp={"essential": True},
        sub={"essential": True},
    )
    try:
        claims = jwt.decode(token, key, registry=registry).claims
        wanted.validate(claims)
    except BadSignatureError:
        return Refusal("token-signature", "the token's signature is not that of its key")
    except ExpiredTokenError:
        return Refusal("token-expired", "the token has expired", "ask the identity provider for a new one")
    except MissingClaimError as error:
        return Refusal("token-claims", f"the token lacks {error.claim}")
    except InvalidClaimError as error:
        return _invalid(provider, error.claim)
    except (JoseError, ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError):
        return Refusal("token-malformed", "the token cannot be read, or its key is not one for its algorithm")
    return claims


def _invalid(provider: Provider, claim: str) -> Refusal:
    if claim == "iss":
        return Refusal("token-issuer", f"the token was not issued by {provider.issuer}")
    if claim == "aud":
        return Refusal("token-audience", f"the token is not meant for the audience '{provider.audience}'")
    if claim in _NOT_YET:
        return Refusal("token-not-yet-valid", f"the token is not valid yet, or its claim '{claim}' is no time")
    return Refusal("token-claims", f"the claim '{claim}' is not what it must be")


def _principal(provider: Provider, claims: dict[str, Any], now: int) -> tuple[Principal, int] | Refusal:
    """Whom the claims stand for."""
    role = _role(provider, claims)
    if role is None:
        return Refusal(
            "token-without-role",
            f"the claim '{provider.role_claim}' has none of the values that mean a role here",
            "the operator maps values to roles by access.oidc.roles",
        )
    owner = claim_at(claims, provider.owner_claim)
    if not isinstance(owner, str) or not owner or len(owner) > LONGEST_OWNER or not owner.isprintable():
        return Refusal("token-claims", f"the claim '{provider.owner_claim}' is no name of an owner")
    try:
        types = provider.types if provider.types_claim is None else _texts(claim_at(claims, provider.types_claim))
        owners = () if provider.owners_claim is None else _texts(claim_at(claims, provider.owners_claim))
        scopes = Scopes(types, owners)
    except UsageError as error:
        return Refusal("token-claims", str(error))
    name = provider.owner_prefix + owner
    until = int(min(claims["exp"] * SECOND, now + provider.keys_kept)) + provider.leeway
    ends = int(claims["exp"] * SECOND) + provider.leeway
    identity = f"oidc:{provider.issuer}#{claims['sub']}"
    return Principal(identity, name, role, scopes, name, "oidc", until=ends), until


def _role(provider: Provider, claims: dict[str, Any]) -> Role | None:
    """The first role of the settings that the token has."""
    try:
        has = set(_texts(claim_at(claims, provider.role_claim)))
    except UsageError:
        return None
    return next((role for value, role in provider.roles.items() if value in has), None)


def claim_at(claims: Mapping[str, Any], name: str) -> object:
    """A claim by its name; one within another by `outer.inner`; None where there is none."""
    if name in claims:  # names with dots in them are usual: https://example.org/roles
        return claims[name]
    found: object = claims
    for part in name.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found


def _texts(told: object) -> tuple[str, ...]:
    """A list of texts, or words with blanks between them, as in `scope`; none where the claim is missing."""
    if told is None:
        return ()
    if isinstance(told, str):
        return tuple(told.split())
    if isinstance(told, list) and all(isinstance(each, str) for each in told):
        return tuple(told)
    raise UsageError("a claim of roles or patterns is a list of texts, or a text")
