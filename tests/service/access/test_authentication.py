"""Who asks: any header is an answer, keys get in at once, and guessing gets slow."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tocsin.service.access.authentication import Authentication, credential_of
from tocsin.service.access.keys import KeyRing, issue, revoke
from tocsin.service.access.limits import Guessing, GuessLimiter
from tocsin.service.access.permissions import Principal, Role
from tocsin.service.access.refusals import Refusal
from tocsin.time.spans import SECOND

ADDRESS = "10.0.0.1"


def door(*records: object, free: int = 3) -> Authentication:
    return Authentication(KeyRing(records), GuessLimiter(Guessing(free=free)))  # type: ignore[arg-type]


def code(found: Principal | Refusal | None) -> str:
    assert isinstance(found, Refusal)
    return found.code


def bearer(text: str) -> bytes:
    return f"Bearer {text}".encode()


def test_a_key_lets_in_whom_it_stands_for() -> None:
    issued = issue("plant", Role.SENSOR, 0)
    found = door(issued.record).at_once(bearer(issued.text), ADDRESS, 0)
    assert isinstance(found, Principal)
    assert (found.id, found.name, found.role, found.owner) == (issued.record.id, "plant", Role.SENSOR, "plant")


@pytest.mark.parametrize("form", ["Bearer {}", "bearer {}", "BEARER  {} ", "\tBearer\t{}"])
def test_how_the_header_is_written_does_not_matter(form: str) -> None:
    issued = issue("plant", Role.SENSOR, 0)
    assert isinstance(door(issued.record).at_once(form.format(issued.text).encode(), ADDRESS, 0), Principal)


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        (None, "no-credentials"),
        (b"", "no-credentials"),
        (b"  ", "no-credentials"),
        (b"Bearer", "malformed-credentials"),
        (b"Bearer ", "malformed-credentials"),
        (b"Bearer a b", "malformed-credentials"),
        (b"Basic dTpw", "malformed-credentials"),
        (b"Bearer " + b"x" * 20_000, "malformed-credentials"),
        (b"Bearer \xff\xfe", "malformed-credentials"),
        (b"Bearer x\r\nX-Other: y", "malformed-credentials"),
        (b"Bearer nothing", "unknown-key"),
        (b"Bearer tk_nothing", "unknown-key"),
    ],
)
def test_what_is_no_key_is_told(header: bytes | None, expected: str) -> None:
    found = door().at_once(header, ADDRESS, 0)
    assert code(found) == expected
    assert isinstance(found, Refusal)
    assert found.status == 401
    assert found.challenge == ("Bearer" if expected == "no-credentials" else 'Bearer error="invalid_token"')


@given(
    st.binary(max_size=200) | st.binary(max_size=60).map(lambda tail: b"Bearer tk_" + tail), st.text(), st.integers()
)
def test_any_bytes_as_a_header_are_refused_and_never_an_error(header: bytes, address: str, now: int) -> None:
    issued = issue("plant", Role.SENSOR, 0)
    assert isinstance(door(issued.record).at_once(header, address, now), Refusal)
    assert isinstance(asyncio.run(door(issued.record).principal(header, address, now)), Refusal)


def test_who_guesses_keys_is_slowed_and_others_are_not() -> None:
    issued, late = issue("plant", Role.SENSOR, 0), issue("late", Role.SENSOR, 0)
    at = door(issued.record, late.record)
    assert isinstance(at.at_once(bearer(issued.text), ADDRESS, 0), Principal)
    guess = bearer(issue("x", Role.SENSOR, 0).text)
    assert [code(at.at_once(guess, ADDRESS, 0)) for _ in range(5)] == ["unknown-key"] * 4 + ["too-many-failures"]
    assert code(at.at_once(bearer(late.text), ADDRESS, 0)) == "too-many-failures"  # even the right one is not looked at
    assert isinstance(at.at_once(bearer(issued.text), ADDRESS, 0), Principal)
    assert isinstance(at.at_once(bearer(late.text), "10.0.0.2", 0), Principal)
    assert isinstance(at.at_once(bearer(late.text), ADDRESS, SECOND), Principal)


def test_coming_without_a_key_or_with_an_old_one_is_no_guess() -> None:
    issued = issue("plant", Role.SENSOR, 0)
    at = door(revoke(issued.record, 0))
    for _ in range(20):
        assert code(at.at_once(None, ADDRESS, 0)) == "no-credentials"
        assert code(at.at_once(bearer(issued.text), ADDRESS, 0)) == "key-revoked"


def test_a_refusal_never_repeats_what_came() -> None:
    secret = "tk_" + "s" * 49
    for header in (bearer(secret), b"Basic " + secret.encode(), secret.encode()):
        found = door().at_once(header, ADDRESS, 0)
        assert isinstance(found, Refusal)
        assert "sss" not in repr(found)


def test_a_credential_is_taken_as_it_stands() -> None:
    assert credential_of(b"Bearer tk_a-b_c=") == "tk_a-b_c="
