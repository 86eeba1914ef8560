"""What is told of a refusal: no secret gets into it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tocsin.service.access.audit import HIDDEN, LONGEST, redacted
from tocsin.service.access.keys import key_text

JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda each: st.lists(each) | st.dictionaries(st.text(), each), max_leaves=20)  # fmt: skip


@given(st.binary(min_size=32, max_size=32), st.text(), st.text(), JSON)
def test_a_key_never_gets_into_what_is_told(entropy: bytes, before: str, after: str, beside: Any) -> None:
    secret = key_text(entropy)
    detail = {"note": [f"{before} {secret} {after}", {secret: beside}], "key": secret, "old": [[secret]]}
    assert secret[3:46] not in json.dumps(redacted([detail, f"key/{secret}", f"10.0.0.1 {secret}"]))


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ({"url": "https://h/x", "secret": "whsec_abc"}, {"url": "https://h/x", "secret": HIDDEN}),
        ({"note": "was whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw."}, {"note": f"was whsec_{HIDDEN}."}),
        ({"url": "nats://u:pa55@h/s"}, {"url": f"nats://{HIDDEN}@h/s"}),
        ({"url": "https://h/x?a=1&access_token=q1w2&b=2"}, {"url": f"https://h/x?a=1&access_token={HIDDEN}&b=2"}),
        ({"head": "authorization: Bearer abc.def"}, {"head": f"authorization: Bearer {HIDDEN}"}),
        ({"said": "eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0."}, {"said": HIDDEN}),
        ({"Password": 12345, "client_secret": ["x"], "apiKey": {"a": 1}}, {"Password": HIDDEN, "client_secret": HIDDEN, "apiKey": HIDDEN}),
        ({"secret": None, "token": True}, {"secret": None, "token": True}),  # that there is none, or one, is no secret
        ({"raw": b"tk_"}, {"raw": HIDDEN}),
        ({"name": "pair", "window": "1 min", "count": 3, "keyed": "host"}, {"name": "pair", "window": "1 min", "count": 3, "keyed": "host"}),
    ],
)  # fmt: skip
def test_secrets_are_known_by_name_and_by_look(told: object, expected: object) -> None:
    assert redacted(told) == expected


@given(st.integers(0, 60))
def test_half_a_secret_at_the_cut_is_no_secret_either(back: int) -> None:
    secret = key_text(bytes(range(32)))
    told = redacted("x" * 100 + " " + "y" * (LONGEST - 101 - back - 1) + " " + secret)
    assert secret[:8] not in told
    assert len(told) <= LONGEST + 3
    assert secret[3:9] not in redacted("?" * (LONGEST - back) + secret)  # one word that begins with something else


def test_what_is_told_is_bounded() -> None:
    deep: Any = "x"
    for _ in range(1000):
        deep = [deep]
    wide = {str(each): "y " * 100_000 for each in range(1000)}
    told = redacted([deep, wide, list(range(10_000))])
    assert "and 800 more" in told[1].values()
    assert told[2][-1] == "... and 9,800 more"
