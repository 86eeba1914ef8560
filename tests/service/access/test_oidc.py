"""Bearer tokens: an issuer on loopback signs them, and everything that is wrong with one is told."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from joserfc import jwt
from joserfc.jwk import ECKey, OctKey, OKPKey, RSAKey

from tocsin.errors import RuleError, UsageError
from tocsin.service.access.authentication import Authentication
from tocsin.service.access.key_sets import Tokens
from tocsin.service.access.keys import KeyRing, issue
from tocsin.service.access.limits import Guessing, GuessLimiter
from tocsin.service.access.oidc import claim_at, read_keys, verify
from tocsin.service.access.permissions import Principal, Role
from tocsin.service.access.provider import ALGORITHMS, Provider
from tocsin.service.access.refusals import Refusal
from tocsin.service.settings_file import settings_of
from tocsin.time.spans import HOUR, MINUTE, SECOND

NOW = 1_800_000_000 * SECOND
RSA = RSAKey.generate_key(2048, {"kid": "r1", "use": "sig"})
OTHER = RSAKey.generate_key(2048, {"kid": "r1", "use": "sig"})
EC = ECKey.generate_key("P-256", {"kid": "e1"})
ISSUER = "https://id.example.org/"
PROVIDER = Provider(
    issuer=ISSUER,
    audience="tocsin",
    keys="/dev/null",
    roles={"admin": Role.OPERATOR, "staff": Role.SUBSCRIBER, "meter": Role.SENSOR},
)


def claims(**changes: Any) -> dict[str, Any]:
    """What a good token says, with changes; None takes a claim out."""
    good = {
        "iss": ISSUER,
        "aud": "tocsin",
        "sub": "ann",
        "exp": NOW // SECOND + 300,
        "nbf": NOW // SECOND,
        "iat": NOW // SECOND,
        "roles": ["staff"],
    }
    return {name: value for name, value in (good | changes).items() if value is not None}


def token(key: Any = RSA, algorithm: str = "RS256", header: dict[str, Any] | None = None, **changes: Any) -> str:
    return jwt.encode(
        {"alg": algorithm, "kid": key.kid} | (header or {}), claims(**changes), key, algorithms=[algorithm]
    )


def published(*keys: Any) -> bytes:
    return json.dumps({"keys": [key.as_dict(private=False) for key in keys]}).encode()


def verified(text: str, provider: Provider = PROVIDER, now: int = NOW) -> Principal | Refusal:
    found = verify(provider, read_keys(published(RSA, EC)), text, now)
    return found if isinstance(found, Refusal) else found[0]


def code(found: Principal | Refusal | None) -> str:
    assert isinstance(found, Refusal), found
    return found.code


def principal(found: Principal | Refusal | None) -> Principal:
    assert isinstance(found, Principal), found
    return found


# -- what a token says -------------------------------------------------------------------------------------------------


def test_a_good_token_stands_for_somebody() -> None:
    assert verified(token()) == Principal(
        f"oidc:{ISSUER}#ann",
        "oidc:ann",
        Role.SUBSCRIBER,
        replace(principal(verified(token())).scopes),
        "oidc:ann",
        "oidc",
        until=NOW + 300 * SECOND + MINUTE,  # with what the provider's clock may be off
    )
    found = principal(verified(token()))
    assert (found.scopes.types, found.scopes.owners) == (("*",), ())


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_each_algorithm_of_the_list_is_understood(algorithm: str) -> None:
    curves = {"ES256": "P-256", "ES384": "P-384", "ES512": "P-521"}
    key: Any = RSA
    if algorithm in curves:
        key = ECKey.generate_key(curves[algorithm], {"kid": "k"})
    elif algorithm == "Ed25519":
        key = OKPKey.generate_key("Ed25519", {"kid": "k"})
    found = verify(replace(PROVIDER, algorithms=(algorithm,)), read_keys(published(key)), token(key, algorithm), NOW)
    assert isinstance(found, tuple)
    other = "RS512" if algorithm == "RS256" else "RS256"
    found = verify(replace(PROVIDER, algorithms=(other,)), read_keys(published(key)), token(key, algorithm), NOW)
    assert isinstance(found, Refusal)
    assert found.code == "token-algorithm"


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"iss": "https://evil.example.org/"}, "token-issuer"),
        ({"iss": None}, "token-claims"),
        ({"iss": [ISSUER]}, "token-issuer"),
        ({"aud": "other"}, "token-audience"),
        ({"aud": ["other", "another"]}, "token-audience"),
        ({"aud": None}, "token-claims"),
        ({"exp": NOW // SECOND - 60}, "token-expired"),
        ({"exp": None}, "token-claims"),
        ({"exp": "tomorrow"}, "token-claims"),
        ({"exp": True}, "token-claims"),
        ({"nbf": NOW // SECOND + 61}, "token-not-yet-valid"),
        ({"iat": NOW // SECOND + 61}, "token-not-yet-valid"),
        ({"sub": None}, "token-claims"),
        ({"sub": 7}, "token-claims"),
        ({"sub": "a\nb"}, "token-claims"),
        ({"roles": None}, "token-without-role"),
        ({"roles": ["guest"]}, "token-without-role"),
        ({"roles": "operator"}, "token-without-role"),
        ({"roles": {"admin": True}}, "token-without-role"),
        ({"roles": [["admin"]]}, "token-without-role"),
    ],
)
def test_what_is_wrong_with_a_claim_is_told(changes: dict[str, Any], expected: str) -> None:
    assert code(verified(token(**changes))) == expected


def test_clocks_may_differ_by_the_leeway_and_no_more() -> None:
    for changes in ({"exp": NOW // SECOND - 59}, {"nbf": NOW // SECOND + 60}, {"iat": NOW // SECOND + 60}):
        principal(verified(token(**changes)))
    assert code(verified(token(exp=NOW // SECOND), replace(PROVIDER, leeway=0))) == "token-expired"


def test_a_token_for_several_audiences_is_for_ours_too() -> None:
    principal(verified(token(aud=["other", "tocsin"])))


@pytest.mark.parametrize(
    ("roles", "role"), [("staff admin", Role.OPERATOR), (["meter"], Role.SENSOR), (["x", "staff"], Role.SUBSCRIBER)]
)
def test_the_first_role_of_the_settings_that_a_token_has_holds(roles: object, role: Role) -> None:
    assert principal(verified(token(roles=roles))).role is role


def test_claims_give_scopes() -> None:
    provider = replace(
        PROVIDER,
        role_claim="realm.roles",
        types_claim="https://h/types",
        owners_claim="teams",
        owner_claim="name",
        owner_prefix="",
    )
    found = principal(
        verified(
            token(realm={"roles": ["meter"]}, teams=["a-*", "b"], name="Ann", **{"https://h/types": "plant.* hall"}),
            provider,
        )
    )
    assert (found.role, found.owner) == (Role.SENSOR, "Ann")
    assert (found.scopes.types, found.scopes.owners) == (("plant.*", "hall"), ("a-*", "b"))
    found = principal(verified(token(realm={"roles": ["meter"]}, name="Ann"), provider))
    assert found.scopes.types == ()  # the claim that should give types gives none
    assert code(verified(token(realm={"roles": ["meter"]}, name="Ann", teams=7), provider)) == "token-claims"


def test_a_claim_is_found_by_its_name_or_within_another() -> None:
    assert claim_at({"a.b": 1, "a": {"b": 2}}, "a.b") == 1
    assert claim_at({"a": {"b": {"c": 3}}}, "a.b.c") == 3
    assert claim_at({"a": 1}, "a.b") is None


# -- who signed it -----------------------------------------------------------------------------------------------------


def encoded(told: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(told).encode()).rstrip(b"=").decode()


def test_nobodys_signature_is_not_accepted() -> None:
    for name in ("none", "None", "NONE", ""):
        bare = f"{encoded({'alg': name, 'kid': 'r1'})}.{encoded(claims())}."
        assert code(verified(bare)) == "token-algorithm"


def test_a_public_key_is_no_shared_secret() -> None:
    """The attack that knows the public key, and signs with it as if it were a secret."""
    for secret in (RSA.as_pem(private=False), published(RSA), json.dumps(RSA.as_dict(private=False)).encode()):
        body = f"{encoded({'alg': 'HS256', 'kid': 'r1'})}.{encoded(claims())}"
        signature = (
            base64.urlsafe_b64encode(hmac.new(secret, body.encode(), hashlib.sha256).digest()).rstrip(b"=").decode()
        )
        assert code(verified(f"{body}.{signature}")) == "token-algorithm"


def test_shared_secrets_and_other_keys_in_a_set_are_passed_over() -> None:
    secret = OctKey.generate_key(256, {"kid": "o1"}).as_dict(private=True)
    weak = RSA.as_dict(private=False) | {"kid": "w1", "n": "AQAB" * 40}
    for_secrecy = RSA.as_dict(private=False) | {"kid": "x1", "use": "enc"}
    broken = {"kty": "EC", "crv": "P-256", "kid": "b1", "x": "?", "y": 5}
    told = {"keys": [secret, weak, for_secrecy, broken, {"kty": "LWE"}, 7, RSA.as_dict(private=False)]}
    assert [key.kid for key in read_keys(json.dumps(told))] == ["r1"]


@pytest.mark.parametrize(
    "told",
    [
        b"",
        b"[]",
        b"{}",
        b'{"keys": 5}',
        b'{"keys": []}',
        b"\xff",
        b"[" * 100_000,
        b'{"keys": [{"kty": "oct", "k": "AAAA"}]}',
    ],
)
def test_what_is_no_set_of_keys_is_an_error(told: bytes) -> None:
    with pytest.raises(UsageError, match="set of keys"):
        read_keys(told)


def test_a_changed_token_is_not_accepted() -> None:
    head, _, signature = token().split(".")
    assert code(verified(f"{head}.{encoded(claims(roles=['admin']))}.{signature}")) == "token-signature"
    assert code(verified(token(OTHER))) == "token-signature"


def test_a_key_signs_by_its_own_algorithm_only() -> None:
    assert code(verified(token(header={"kid": "e1"}))) == "token-malformed"  # RS256 with the id of a key of ES256
    bound = RSA.as_dict(private=False) | {"alg": "RS512"}
    found = verify(PROVIDER, read_keys(json.dumps({"keys": [bound]})), token(), NOW)
    assert isinstance(found, Refusal)
    assert found.code == "token-malformed"


def test_a_key_in_the_token_itself_is_not_believed() -> None:
    own = RSAKey.generate_key(2048, {"kid": "mine"})
    header = {"jwk": own.as_dict(private=False), "jku": "https://evil.example.org/keys"}
    assert code(verified(token(own, header=header))) == "token-unknown-key"


def test_a_token_names_its_key_unless_there_is_one_only() -> None:
    nameless = jwt.encode({"alg": "RS256"}, claims(), RSA)
    assert code(verified(nameless)) == "token-unknown-key"
    assert isinstance(verify(PROVIDER, read_keys(published(RSA)), nameless, NOW), tuple)


def test_a_token_that_is_meant_for_something_else_is_not_one_of_access() -> None:
    assert code(verified(token(header={"typ": "logout+jwt"}))) == "token-malformed"
    principal(verified(token(header={"typ": "at+jwt"})))


def test_what_must_be_understood_and_is_not_is_refused() -> None:
    head, body, signature = token().split(".")
    del head
    critical = f"{encoded({'alg': 'RS256', 'kid': 'r1', 'crit': ['new'], 'new': 1})}.{body}.{signature}"
    assert code(verified(critical)) == "token-malformed"
    principal(verified(token(header={"typ": "JWT"})))


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(
    st.text(max_size=50)
    | st.tuples(
        st.recursive(st.none() | st.text() | st.integers(), lambda each: st.lists(each) | st.dictionaries(st.sampled_from(["alg", "kid", "typ", "crit", "b64"]), each | st.just("RS256"))),
        st.recursive(st.none() | st.text() | st.integers(), lambda each: st.lists(each) | st.dictionaries(st.sampled_from(["iss", "exp"]), each)),
        st.text("abcAB_-", max_size=8),
    ).map(lambda parts: f"{encoded(parts[0])}.{encoded(parts[1])}.{parts[2]}")
)  # fmt: skip
def test_any_text_as_a_token_is_refused_and_never_an_error(text: str) -> None:
    assert isinstance(verified(text), Refusal)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.dictionaries(st.sampled_from(["iss", "aud", "sub", "exp", "nbf", "iat", "roles"]), st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.lists(st.text()) | st.just({})))  # fmt: skip
def test_any_claims_that_are_signed_are_an_answer(changes: dict[str, Any]) -> None:
    verified(token(**changes))


def test_deep_and_long_tokens_are_refused() -> None:
    deep = base64.urlsafe_b64encode(b"[" * 9000).decode().rstrip("=")
    assert code(verified(f"{deep}.e30.AA")) == "token-malformed"
    signed = jwt.encode({"alg": "RS256", "kid": "r1"}, {}, RSA)
    assert code(verified(signed + "A" * 20_000)) == "token-malformed"


# -- where its keys come from ------------------------------------------------------------------------------------------


@dataclass
class Issuer:
    """An identity provider on loopback: what it publishes may change while it runs."""

    keys: bytes
    status: int = 200
    asked: int = 0
    before_answer: Callable[[], Any] | None = None
    url: str = field(default="", init=False)

    async def answer(self, request: Any) -> Any:
        self.asked += 1
        if self.before_answer is not None:
            await self.before_answer()
        headers = {"Location": "/good"} if self.status == 302 else {}
        return web.Response(body=self.keys, status=self.status, content_type="application/json", headers=headers)

    def provider(self, **changes: Any) -> Provider:
        return replace(PROVIDER, keys=self.url, **changes)


async def good(_: Any) -> Any:
    """Where a redirection leads, which is not followed."""
    return web.Response(body=published(RSA), content_type="application/json")


@asynccontextmanager
async def running(issuer: Issuer) -> AsyncIterator[Issuer]:
    app = web.Application()
    app.router.add_get("/keys", issuer.answer)
    app.router.add_get("/good", good)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        issuer.url = f"http://127.0.0.1:{runner.addresses[0][1]}/keys"
        yield issuer
    finally:
        await runner.cleanup()


def test_keys_are_fetched_when_they_are_needed_and_once() -> None:
    async def scenario() -> None:
        async with running(Issuer(published(RSA))) as issuer:
            tokens = Tokens(issuer.provider())
            assert issuer.asked == 0
            found = await asyncio.gather(*(tokens.principal(token(jti=str(each)), NOW) for each in range(20)))
            assert {principal(each).owner for each in found} == {"oidc:ann"}
            assert issuer.asked == 1

    asyncio.run(scenario())


def test_a_new_key_is_found_but_the_provider_is_not_asked_at_will() -> None:
    async def scenario() -> None:
        async with running(Issuer(published(RSA))) as issuer:
            tokens = Tokens(issuer.provider(keys_pause=MINUTE))
            principal(await tokens.principal(token(), NOW))
            issuer.keys = published(RSA, EC)
            by_new = token(EC, "ES256")
            assert code(await tokens.principal(by_new, NOW + MINUTE - 1)) == "token-unknown-key"
            principal(await tokens.principal(by_new, NOW + MINUTE))
            assert issuer.asked == 2
            for each in range(50):  # keys that somebody makes up
                made_up = token(EC, "ES256", header={"kid": f"no{each}"})
                assert code(await tokens.principal(made_up, NOW + MINUTE + each)) == "token-unknown-key"
            assert issuer.asked == 2

    asyncio.run(scenario())


def test_a_key_that_is_withdrawn_opens_nothing_after_a_while() -> None:
    async def scenario() -> None:
        async with running(Issuer(published(RSA, EC))) as issuer:
            tokens = Tokens(issuer.provider(keys_kept=HOUR))
            later = NOW + HOUR
            text = token(EC, "ES256", exp=later // SECOND + 300)
            principal(await tokens.principal(text, NOW))
            issuer.keys = published(RSA)
            principal(await tokens.principal(text, later - 1))
            assert code(await tokens.principal(text, later + MINUTE)) == "token-unknown-key"

    asyncio.run(scenario())


def test_an_unreachable_provider_is_told_and_tried_again() -> None:
    heard: list[str] = []

    async def scenario() -> None:
        async with running(Issuer(published(RSA), status=500)) as issuer:
            tokens = Tokens(issuer.provider(keys_pause=MINUTE), heard.append)
            found = await tokens.principal(token(), NOW)
            assert isinstance(found, Refusal)
            assert (found.code, found.status, found.retry_after) == ("identity-provider-unreachable", 503, 60)
            assert heard == [f"the keys of {ISSUER} could not be had from {issuer.url}: it answers 500"]
            issuer.status = 200
            assert code(await tokens.principal(token(), NOW + 1)) == "identity-provider-unreachable"
            principal(await tokens.principal(token(), NOW + MINUTE))
        principal(
            await tokens.principal(token(exp=NOW // SECOND + 10**6, jti="2"), NOW + 2 * HOUR)
        )  # gone: its keys hold on
        two_days = NOW + 48 * HOUR
        assert (
            code(await tokens.principal(token(exp=NOW // SECOND + 10**6, jti="3"), two_days))
            == "identity-provider-unreachable"
        )

    asyncio.run(scenario())


@pytest.mark.parametrize(("status", "keys"), [(302, b""), (200, b"nothing"), (200, b" " * 1_000_001)])
def test_an_answer_that_is_no_set_of_keys_lets_nobody_in(status: int, keys: bytes) -> None:
    async def scenario() -> None:
        async with running(Issuer(keys, status)) as issuer:
            assert code(await Tokens(issuer.provider()).principal(token(), NOW)) == "identity-provider-unreachable"

    asyncio.run(scenario())


def test_a_client_that_goes_away_does_not_take_the_keys_from_others() -> None:
    async def scenario() -> None:
        asked, go_on = asyncio.Event(), asyncio.Event()

        async def hold() -> None:
            asked.set()
            await go_on.wait()

        async with running(Issuer(published(RSA), before_answer=hold)) as issuer:
            tokens = Tokens(issuer.provider())
            first, second = (asyncio.ensure_future(tokens.principal(token(), NOW)) for _ in range(2))
            await asked.wait()
            first.cancel()
            go_on.set()
            principal(await second)
            assert issuer.asked == 1

    asyncio.run(scenario())


def test_keys_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    path.write_bytes(published(RSA))
    tokens = Tokens(replace(PROVIDER, keys=str(path)))
    principal(asyncio.run(tokens.principal(token(), NOW)))
    missing = Tokens(replace(PROVIDER, keys=str(tmp_path / "no.json")))
    assert code(asyncio.run(missing.principal(token(), NOW))) == "identity-provider-unreachable"


def test_what_was_checked_is_believed_for_a_minute_but_not_beyond_its_end() -> None:
    async def scenario() -> None:
        async with running(Issuer(published(RSA))) as issuer:
            tokens = Tokens(issuer.provider(leeway=0))
            text = token(exp=NOW // SECOND + 30)
            assert tokens.believed(text, NOW) is None
            principal(await tokens.principal(text, NOW))
            assert tokens.believed(text, NOW + 30 * SECOND - 1) is not None
            assert tokens.believed(text, NOW + 30 * SECOND) is None
            assert code(await tokens.principal(text, NOW + 30 * SECOND)) == "token-expired"

    asyncio.run(scenario())


def test_keys_and_tokens_come_through_one_door() -> None:
    async def scenario() -> None:
        issued = issue("plant", Role.SENSOR, NOW)
        async with running(Issuer(published(RSA))) as issuer:
            door = Authentication(KeyRing([issued.record]), GuessLimiter(Guessing(free=2)), Tokens(issuer.provider()))
            by_token = b"Bearer " + token().encode()
            assert door.at_once(by_token, "::1", NOW) is None
            assert principal(await door.principal(by_token, "::1", NOW)).credential == "oidc"
            assert principal(door.at_once(by_token, "::1", NOW)).credential == "oidc"
            assert principal(await door.principal(f"Bearer {issued.text}".encode(), "::1", NOW)).name == "plant"
            bad = b"Bearer " + token(OTHER).encode()
            codes = [code(await door.principal(bad, "::1", NOW)) for _ in range(4)]
            assert codes == ["token-signature"] * 3 + ["too-many-failures"]
            assert principal(await door.principal(by_token, "::1", NOW)).credential == "oidc"

    asyncio.run(scenario())


def test_keys_over_plain_http_come_from_loopback_only() -> None:
    text = "access: {{oidc: {{issuer: 'https://i', audience: a, roles: {{a: sensor}}, keys: '{}'}}}}"
    for keys in ("https://id.example.org/keys", "http://127.0.0.1:1/keys", "http://localhost/keys"):
        assert settings_of(text.format(keys), "serve.yaml").access.oidc is not None
    with pytest.raises(RuleError, match="anybody on the way can put in keys of their own"):
        settings_of(text.format("http://id.example.org/keys"), "serve.yaml")
