"""An identity provider, as the settings describe it: whose tokens are accepted, and what their claims mean here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

import yaml

from tocsin.errors import UsageError
from tocsin.service.access.permissions import Role
from tocsin.service.access.scopes import ANY, check_pattern
from tocsin.service.setting_kinds import (
    TEXT,
    Kind,
    SettingsText,
    choice,
    is_loopback,
    list_of,
    made,
    required,
    setting,
    span,
    web_url,
)
from tocsin.time.spans import HOUR, MINUTE

ALGORITHMS: Final = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "Ed25519")
"""Signatures by private keys. With `HS256` a public key would do as the secret, and `none` is nobody's signature."""


def _algorithm(text: str) -> str:
    if text not in ALGORITHMS:
        raise UsageError(f"'{text[:40]}' is no algorithm that is accepted here: {', '.join(ALGORITHMS)}")
    return text


def _key_set(text: SettingsText, node: yaml.Node) -> str:
    given = text.string(node)
    return web_url(given) if "://" in given else text.path(node)


def _roles(text: SettingsText, node: yaml.Node) -> Mapping[str, Role]:
    return {value: choice(Role).read(text, each) for value, each in text.fields(node).items()}


@dataclass(frozen=True)
class Provider:
    """One issuer of tokens."""

    issuer: str = required(made("http or https URL", web_url), "the claim `iss` that tokens must have")
    audience: str = required(TEXT, "the claim `aud` that tokens must have: what the provider calls this service")
    keys: str = required(Kind("URL or path", _key_set), "the provider's public keys (JWKS)")
    roles: Mapping[str, Role] = required(
        Kind("mapping: value of the claim to sensor, subscriber or operator", _roles),
        "what the values of the role claim mean here; the first that a token has holds; without one nobody gets in",
    )
    algorithms: tuple[str, ...] = setting(
        list_of(made("algorithm", _algorithm)), ("RS256", "ES256"), "signatures that are accepted"
    )
    leeway: int = setting(span(0), MINUTE, "how far the provider's clock may be off")
    keys_kept: int = setting(span(), HOUR, "how long the keys are used before they are fetched again")
    keys_pause: int = setting(span(), MINUTE, "how long, at least, between two fetches; an unknown key asks for one")
    role_claim: str = setting(TEXT, "roles", "the claim that has the role; realm_access.roles reaches into another")
    owner_claim: str = setting(TEXT, "sub", "the claim that says whose requests they are")
    owner_prefix: str = setting(TEXT, "oidc:", "stands before that, so that nobody passes for the owner of a key")
    types_claim: str | None = setting(TEXT, None, "the claim that has patterns of event types, as a list or a text")
    owners_claim: str | None = setting(TEXT, None, "the claim that has patterns of further owners")
    types: tuple[str, ...] = setting(
        list_of(made("pattern", check_pattern)), (ANY,), "patterns of event types, where no claim has them"
    )

    def __post_init__(self) -> None:
        if not self.algorithms:
            raise UsageError("'algorithms' is empty: no token would be accepted")
        if not self.roles:
            raise UsageError("'roles' is empty: no token would be given a role")
        if self.keys.startswith("http:") and not is_loopback(urlsplit(self.keys).hostname or ""):
            raise UsageError(f"{self.keys}: over http anybody on the way can put in keys of their own; use https")

    @property
    def has_key_file(self) -> bool:
        """Whether the keys are in a file; at a URL otherwise."""
        return "://" not in self.keys
