"""Signatures of webhooks: the convention's own example, changes of keys, and what is no signature."""

from __future__ import annotations

import base64

import pytest

from tocsin.sinks.signatures import PREFIX, headers, is_signed, key_of, keys_of, new_secret, signature

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
NAME = "msg_p5jXN8AQM9LWM0D4loKWxJek"
MOMENT = 1614265330
BODY = b'{"test": 2432232314}'
SIGNED = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_the_example_of_the_convention() -> None:
    assert signature(key_of(SECRET), NAME, MOMENT, BODY) == SIGNED
    assert headers([key_of(SECRET)], NAME, MOMENT, BODY) == {
        "webhook-id": NAME,
        "webhook-timestamp": "1614265330",
        "webhook-signature": SIGNED,
    }


def test_while_a_key_is_changed_both_receivers_can_check() -> None:
    old, new = key_of(SECRET), key_of(new_secret())
    made = headers([new, old], NAME, MOMENT, BODY)
    assert made["webhook-signature"].split(" ")[1] == SIGNED
    assert is_signed([old], made, BODY, MOMENT)
    assert is_signed([new], made, BODY, MOMENT)
    assert not is_signed([key_of(new_secret())], made, BODY, MOMENT)


def test_names_of_headers_are_in_any_case_and_other_versions_are_passed_over() -> None:
    made = {"Webhook-Id": NAME, "Webhook-Timestamp": str(MOMENT), "Webhook-Signature": f"v1a,zzz {SIGNED}"}
    assert is_signed([key_of(SECRET)], made, BODY, MOMENT + 299)


@pytest.mark.parametrize(
    ("change", "body", "now"),
    [
        ({}, BODY + b" ", MOMENT),
        ({}, BODY, MOMENT + 301),
        ({}, BODY, MOMENT - 301),
        ({"webhook-id": "msg_other"}, BODY, MOMENT),
        ({"webhook-id": ""}, BODY, MOMENT),
        ({"webhook-timestamp": str(MOMENT + 1)}, BODY, MOMENT),
        ({"webhook-timestamp": "٣"}, BODY, MOMENT),
        ({"webhook-timestamp": "1e9"}, BODY, MOMENT),
        ({"webhook-timestamp": "9" * 400}, BODY, MOMENT),
        ({"webhook-signature": ""}, BODY, MOMENT),
        ({"webhook-signature": SIGNED.removeprefix("v1,")}, BODY, MOMENT),
        ({"webhook-signature": "v1,é"}, BODY, MOMENT),
    ],
)
def test_what_is_not_signed(change: dict[str, str], body: bytes, now: float) -> None:
    given = headers([key_of(SECRET)], NAME, MOMENT, BODY)
    assert is_signed([key_of(SECRET)], given, BODY, MOMENT)
    assert not is_signed([key_of(SECRET)], given | change, body, now)


def test_keys_of_a_variable_of_the_environment() -> None:
    assert keys_of("a shared secret") == (b"a shared secret",)
    assert keys_of(SECRET) == (key_of(SECRET),)
    assert keys_of(f" {SECRET}  whsec_MTIzNDU= ") == (key_of(SECRET), b"12345")
    with pytest.raises(ValueError, match="empty"):
        keys_of(" ")


def test_keys() -> None:
    assert len(key_of(new_secret())) == 32
    assert new_secret() != new_secret()
    assert key_of("whsec_" + base64.b64encode(b"12345").decode().rstrip("=")) == b"12345", "padding may be left out"
    assert key_of("a shared secret") == b"a shared secret"
    for wrong in ("", " ", PREFIX, PREFIX + "not base64!", PREFIX + "A"):
        with pytest.raises(ValueError, match=r"base64|nothing follows|empty"):
            key_of(wrong)
