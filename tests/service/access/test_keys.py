"""API keys: what they look like, that only their hash is kept, and when they open nothing any more."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tocsin.errors import UsageError
from tocsin.service.access.keys import ApiKey, KeyRing, is_key, issue, key_text, revoke, rotate
from tocsin.service.access.limits import Rates
from tocsin.service.access.permissions import Role
from tocsin.service.access.refusals import Refusal
from tocsin.service.access.scopes import EVERYTHING, Scopes
from tocsin.time.spans import HOUR

NOW = 1_700_000_000_000_000


def refused(found: ApiKey | Refusal) -> str:
    assert isinstance(found, Refusal)
    return found.code


def test_a_key_is_found_by_its_text_alone() -> None:
    one, other = issue("plant", Role.SENSOR, NOW), issue("desk", Role.SUBSCRIBER, NOW)
    ring = KeyRing([one.record, other.record])
    assert ring.find(one.text, NOW) == one.record
    assert ring.find(other.text, NOW) == other.record
    assert refused(ring.find(issue("x", Role.SENSOR, NOW).text, NOW)) == "unknown-key"
    assert refused(ring.find(one.record.digest, NOW)) == "unknown-key"  # who reads the store gets in nowhere


def test_neither_record_nor_repr_has_the_key() -> None:
    issued = issue("plant", Role.SENSOR, NOW)
    for shown in (
        json.dumps(issued.record.to_json()),
        repr(issued),
        repr(issued.record),
        repr(KeyRing([issued.record])),
    ):
        assert issued.text not in shown
        assert issued.text[3:46] not in shown


def test_keys_differ_and_have_all_their_randomness() -> None:
    texts = {issue("a", Role.SENSOR, NOW).text for _ in range(100)}
    assert len(texts) == 100
    assert all(len(text) == 52 and text.startswith("tk_") and is_key(text) for text in texts)


@given(st.binary(min_size=32, max_size=32), st.integers(3, 51), st.characters())
def test_a_mistyped_key_is_told_by_its_checksum(entropy: bytes, at: int, other: str) -> None:
    text = key_text(entropy)
    assert is_key(text)
    assert is_key(text[:at] + other + text[at + 1 :]) == (other == text[at])


@given(st.text())
def test_any_text_is_looked_up_without_an_error(text: str) -> None:
    ring = KeyRing([issue("a", Role.SENSOR, NOW).record])
    assert refused(ring.find(text, NOW)) == "unknown-key"
    assert not is_key(text)


def test_what_was_mistyped_is_told_as_that() -> None:
    issued = issue("a", Role.SENSOR, NOW)
    ring = KeyRing()
    unknown, cut = ring.find(issued.text, NOW), ring.find(issued.text[:-1], NOW)
    assert isinstance(unknown, Refusal)
    assert isinstance(cut, Refusal)
    assert (unknown.hint, "mistyped" in cut.hint) == ("", True)


def test_an_expired_key_and_a_revoked_one_open_nothing() -> None:
    issued = issue("a", Role.SENSOR, NOW, expires=NOW + HOUR)
    ring = KeyRing([issued.record])
    assert ring.find(issued.text, NOW + HOUR - 1) == issued.record
    assert refused(ring.find(issued.text, NOW + HOUR)) == "key-expired"
    ring.put(revoke(issued.record, NOW + 5))
    assert refused(ring.find(issued.text, NOW + 5)) == "key-revoked"
    assert len(ring) == 1
    assert revoke(ring.records[0], NOW + 9) == ring.records[0]


def test_rotation_keeps_the_identity_and_the_old_key_for_a_while() -> None:
    first = issue("plant", Role.SENSOR, NOW, scopes=Scopes(("plant.*",)), rates=Rates(requests=5))
    made = rotate(first.record, NOW + 10, HOUR)
    ring = KeyRing([made.old, made.issued.record])
    assert made.issued.record.id != first.record.id
    assert made.issued.record.principal().id == first.record.principal().id
    assert made.issued.record.scopes == first.record.scopes
    assert made.issued.record.rates == first.record.rates
    assert ring.find(first.text, NOW + 9 + HOUR) == made.old
    assert refused(ring.find(first.text, NOW + 10 + HOUR)) == "key-expired"
    assert ring.find(made.issued.text, NOW + 10 + HOUR) == made.issued.record


def test_rotation_never_makes_a_key_valid_for_longer() -> None:
    soon = issue("a", Role.SENSOR, NOW, expires=NOW + 5)
    assert rotate(soon.record, NOW, HOUR).old.expires == NOW + 5
    with pytest.raises(UsageError, match=r"has expired: only a key that is valid can be rotated"):
        rotate(soon.record, NOW + 5, HOUR)


def test_a_record_survives_its_json() -> None:
    record = issue(
        "a", Role.SUBSCRIBER, NOW, scopes=Scopes(("a*",), ("team-*",)), expires=NOW + 1, rates=Rates(events=7)
    ).record
    for each in (record, revoke(record, NOW), issue("b", Role.OPERATOR, NOW).record):
        assert ApiKey.of_json(json.loads(json.dumps(each.to_json()))) == each


@pytest.mark.parametrize("change", [{"role": "king"}, {"types": None}, {"rates": {"requests": 0}}, {"digest": None}])
def test_what_is_no_record_is_an_error(change: dict[str, object]) -> None:
    told = issue("a", Role.SENSOR, NOW).record.to_json()
    with pytest.raises(UsageError):
        ApiKey.of_json(told | change)
    del told["identity"]
    with pytest.raises(UsageError, match="no record of a key"):
        ApiKey.of_json(told)


def test_an_operator_is_given_everything_others_only_their_own() -> None:
    assert issue("root", Role.OPERATOR, NOW).record.scopes == EVERYTHING
    assert issue("bob", Role.SUBSCRIBER, NOW).record.scopes == Scopes(("*",), ())


@pytest.mark.parametrize("name", ["", "a\nb", "x" * 101, "\x1b[31m"])
def test_a_name_is_short_and_printable(name: str) -> None:
    with pytest.raises(UsageError, match="a key has a name"):
        issue(name, Role.SENSOR, NOW)


def test_one_key_is_not_kept_under_two_ids() -> None:
    issued = issue("a", Role.SENSOR, NOW)
    other = ApiKey.of_json(issued.record.to_json() | {"id": "key_other"})
    with pytest.raises(UsageError, match="are the same key"):
        KeyRing([issued.record, other])


def test_what_an_id_stood_for_before_opens_nothing() -> None:
    before, after = issue("a", Role.SENSOR, NOW), issue("a", Role.SENSOR, NOW)
    ring = KeyRing([before.record])
    ring.put(ApiKey.of_json(after.record.to_json() | {"id": before.record.id}))
    assert refused(ring.find(before.text, NOW)) == "unknown-key"
    assert isinstance(ring.find(after.text, NOW), ApiKey)


def test_an_unknown_id_is_told_with_those_there_are() -> None:
    issued = issue("a", Role.SENSOR, NOW)
    ring = KeyRing([issued.record])
    assert ring.require(issued.record.id) == issued.record
    with pytest.raises(UsageError, match=f"there is no key 'key_9': {issued.record.id}"):
        ring.require("key_9")
