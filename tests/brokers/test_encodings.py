"""Records into messages and back, in every encoding."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tocsin.encodings import ENCODINGS, Message, codec_of
from tocsin.encodings.avro import EARLIER, VERSIONED, Avro
from tocsin.errors import UsageError
from tocsin.formats.instants import to_instant
from tocsin.formats.refused import Refused

pytest.importorskip("fastavro", reason="fastavro is not installed")

DETECTION: dict[str, object] = {
    "rule": "pair",
    "type": "pair",
    "start": "2026-11-15T10:00:00Z",
    "time": "2026-11-15T10:04:00.25Z",
    "detected": "2026-11-15T10:04:01Z",
    "events": ["1", "3"],
    "data": {
        "x.host": "n1 ÷ 100%",
        "load": 3,
        "share": 0.5,
        "up": True,
        "none": None,
        "all": [1, {"a": 2.5}],
        "big": 2**70,
    },
    "notification": 'n1 is "slow"',
    "id": "abc",
    "source": "site-1",
    "stamp": {"base": 3},
    "version": 12,
    "severity": "high",
    "tags": ["attack.t1110", "ÿ"],
    "suppressed": 3,
}
SAID = ("severity", "tags", "suppressed")
TIMES = ("start", "time", "detected")
WAYS = [("json", {}), ("cloudevents", {}), ("cloudevents", {"mode": "binary"}), ("avro", {}), ("avro", {"framing": "plain"}), ("avro", {"framing": "confluent"})]  # fmt: skip


def _same(record: dict[str, Any]) -> dict[str, Any]:
    return record | {name: to_instant(record[name], name) for name in TIMES if name in record}


@pytest.mark.parametrize("prefix", ["ce_", "ce-", ""])
@pytest.mark.parametrize(("name", "options"), WAYS)
def test_a_detection_is_the_next_sites_event(name: str, options: dict[str, str], prefix: str) -> None:
    """Everything that it says comes back."""
    codec = codec_of(name, options, prefix)
    message = codec.encode(DETECTION)
    assert message.key == "site-1/abc"
    assert all(value.isascii() for value in message.headers.values())
    assert _same(codec.decode(message)) == _same(DETECTION)


def test_the_version_of_the_rules_is_a_number_beside_the_others() -> None:
    """Not in the data, which are the rule's; a header has texts only."""
    assert json.loads(codec_of("json", {}, None).encode(DETECTION).body)["version"] == 12
    assert json.loads(codec_of("cloudevents", {}, None).encode(DETECTION).body)["version"] == 12
    binary = codec_of("cloudevents", {"mode": "binary"}, "ce_").encode(DETECTION)
    assert binary.headers["ce_version"] == "12"
    assert "version" not in json.loads(binary.body)


@pytest.mark.parametrize(("name", "options"), WAYS)
def test_what_no_version_made_has_none(name: str, options: dict[str, str]) -> None:
    plain = {field: value for field, value in DETECTION.items() if field != "version"}
    codec = codec_of(name, options, "ce_")
    message = codec.encode(plain)
    assert "ce_version" not in message.headers
    assert _same(codec.decode(message)) == _same(plain)


@pytest.mark.parametrize("framing", ["single", "plain", "confluent"])
@pytest.mark.parametrize(("schema", "lacks"), [(EARLIER, ("version", *SAID)), (VERSIONED, SAID)])
def test_avro_from_before_is_read(framing: str, schema: object, lacks: tuple[str, ...]) -> None:
    """Brokers keep messages, and others may write them by the schema as it was."""
    plain = {field: value for field, value in DETECTION.items() if field not in lacks}
    then, now = Avro((schema,), framing, True), codec_of("avro", {"framing": framing}, None)
    written = then.encode(plain)
    assert _same(now.decode(written)) == _same(plain)
    whole = Avro((EARLIER,), framing, True).encode(plain).body  # without a fingerprint, a cut after it is no damage
    for cut in range(len(written.body)):
        if written.body[:cut] != whole:
            with pytest.raises(Refused):
                now.decode(Message(written.body[:cut]))
    with pytest.raises(Refused):
        now.decode(Message(now.encode(DETECTION).body[:-1]))


_VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text()
)
_EVENTS = st.fixed_dictionaries(
    {
        "id": st.text(min_size=1),
        "type": st.text(min_size=1),
        "source": st.text(min_size=1),
        "time": st.integers(-(10**9), 10**10).map(float),
        "data": st.dictionaries(st.text(), _VALUES, max_size=4),
    }
)


@given(event=_EVENTS, way=st.sampled_from(WAYS), start=st.integers(0, 5))
def test_events_come_back_as_they_were(event: dict[str, Any], way: tuple[str, dict[str, str]], start: int) -> None:
    event = json.loads(json.dumps(event))
    if start:
        event["start"] = event["time"] - start
    codec = codec_of(*way, "ce_")
    try:
        json.dumps(event, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return
    back = codec.decode(codec.encode(event))
    assert _same(back) == _same(event)
    assert json.dumps(back["data"]) == json.dumps(event["data"]), "a whole number stays one"


@given(body=st.binary(max_size=60), way=st.sampled_from(WAYS))
def test_what_is_no_event_is_refused(body: bytes, way: tuple[str, dict[str, str]]) -> None:
    """Whatever the bytes are: a reason, or a record; nothing else is raised."""
    reasons = []
    try:
        reasons.append(type(codec_of(*way, "ce_").decode(Message(body))).__name__)
    except Refused as refused:
        reasons.append(refused.reason)
    assert reasons[0]


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (Message(b'{"specversion": "0.3", "id": "1"}'), "specversion is '0.3'"),
        (Message(b'{"id": "1", "type": "a"}'), "it has no specversion"),
        (Message(b'{"specversion": "1.0", "data_base64": "AA=="}'), "its data are bytes"),
        (
            Message(b"<a/>", {"ce_specversion": "1.0", "content-type": "application/xml"}),
            "its data are 'application/xml'",
        ),
        (Message(b'{"specversion": "1.0", "type": "a", "time": 7}'), "time is 7"),
        (Message(b"\xff"), "the body is no text in UTF-8: byte 1 is 0xff"),
    ],
)
def test_what_is_wrong_with_a_cloudevent_is_said(message: Message, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        codec_of("cloudevents", {}, "ce_").decode(message)


def test_a_cloudevent_of_others() -> None:
    """Their attributes are read over, in both modes; names of headers come in any case."""
    whole = b'{"specversion": "1.0", "id": "7", "source": "/s", "type": "temp", "time": "2026-11-15T10:00:00+01:00", "subject": "x", "events": "many", "version": "v2.1", "data": {"t": 3}}'
    expected = {"id": "7", "source": "/s", "type": "temp", "time": "2026-11-15T10:00:00+01:00", "data": {"t": 3}}
    codec = codec_of("cloudevents", {}, None)
    assert codec.decode(Message(whole)) == expected
    headers = {
        "Ce-Id": "7",
        "ce-specversion": "1.0",
        "CE-Source": "/s",
        "ce-type": "temp",
        "ce-time": expected["time"],
        "ce-subject": "x",
        "ce-version": "v2.1",
    }
    assert codec.decode(Message(b'{"t": 3}', headers)) == expected  # type: ignore[arg-type] # all of them are texts


def test_avro_with_a_schema_of_ones_own(tmp_path: Any) -> None:
    import io

    import fastavro

    schema = {"type": "record", "name": "Reading", "fields": [{"name": "type", "type": "string"}, {"name": "time", "type": {"type": "long", "logicalType": "timestamp-millis"}}, {"name": "room", "type": "string"}, {"name": "degrees", "type": "float"}, {"name": "version", "type": "int"}]}  # fmt: skip
    (tmp_path / "reading.avsc").write_text(json.dumps(schema))
    written = io.BytesIO(bytes((0, 0, 0, 0, 9)))
    written.seek(5)
    fastavro.schemaless_writer(
        written,
        fastavro.parse_schema(schema),
        {"type": "temp", "time": 5000, "room": "a", "degrees": 2.5, "version": 3},
    )
    codec = codec_of("avro", {"avro_schema": str(tmp_path / "reading.avsc"), "framing": "confluent"}, None)
    assert codec.decode(Message(written.getvalue())) == {
        "type": "temp",
        "time": 5_000_000,
        "data": {"room": "a", "degrees": 2.5, "version": 3},
    }, "their version is not one of rules: it is an attribute"
    with pytest.raises(UsageError, match="Tocsin's own Avro schema"):
        codec.encode(DETECTION)


def test_another_schema_is_told_by_its_fingerprint() -> None:
    ours = codec_of("avro", {}, None)
    message = ours.encode(DETECTION)
    other = Message(message.body[:2] + bytes(8) + message.body[10:])
    with pytest.raises(Refused, match="not of the schema"):
        ours.decode(other)
    with pytest.raises(Refused, match="bytes are left"):
        ours.decode(Message(message.body + b"\0"))


def test_wrong_options_are_said() -> None:
    with pytest.raises(UsageError, match=r"unknown encoding 'arvo'.*did you mean 'avro'"):
        codec_of("arvo", {}, None)
    with pytest.raises(UsageError, match="mode is 'loud'"):
        codec_of("cloudevents", {"mode": "loud"}, None)
    with pytest.raises(UsageError, match="no headers"):
        codec_of("cloudevents", {"mode": "binary"}, None)
    with pytest.raises(UsageError, match="framing is 'none'"):
        codec_of("avro", {"framing": "none"}, None)
    assert sorted(ENCODINGS) == ["avro", "cloudevents", "json"]
