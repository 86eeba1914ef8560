"""What a callback says, what is wrong with it, and that nothing secret is shown."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tocsin.service.deliveries.targets import (
    File,
    Names,
    Program,
    Target,
    Topic,
    Webhook,
    of_json,
    place_of,
    read_targets,
    shown,
    to_json,
)
from tocsin.sinks.signatures import new_secret

NAMES = Names(files=("alarms", "audit"), programs=("siren",))
SECRET, OTHER = new_secret(), new_secret()


def read(document: object, *before: Target) -> tuple[Target, ...]:
    targets, faults = read_targets(document, NAMES, before)
    assert faults == ()
    return targets


@pytest.mark.parametrize(
    ("document", "targets"),
    [
        (None, ()),
        ([], ()),
        ("https://example.org/hook", (Webhook("https://example.org/hook"),)),
        ("http://192.0.2.1:8080/?a=b", (Webhook("http://192.0.2.1:8080/?a=b"),)),
        ("https://[2001:db8::1]/", (Webhook("https://[2001:db8::1]/"),)),
        ("https://xn--mnchen-3ya.example/", (Webhook("https://xn--mnchen-3ya.example/"),)),
        ({"url": "https://example.org/", "secret": SECRET}, (Webhook("https://example.org/", (SECRET,)),)),
        ({"url": "https://example.org/", "secret": [SECRET, OTHER]}, (Webhook("https://example.org/", (SECRET, OTHER)),)),
        ({"url": "nats://broker.example.org/found"}, (Topic("nats://broker.example.org/found"),)),
        ("mqtt://u:p@broker.example.org/a/b?qos=1", (Topic("mqtt://u:p@broker.example.org/a/b?qos=1"),)),
        ("kafka://one:9092,two:9092/found?encoding=cloudevents", (Topic("kafka://one:9092,two:9092/found?encoding=cloudevents"),)),
        ([{"file": "alarms"}, {"program": "siren"}], (File("alarms"), Program("siren"))),
    ],
)  # fmt: skip
def test_targets(document: object, targets: tuple[Target, ...]) -> None:
    assert read(document) == targets
    assert tuple(of_json(json.loads(json.dumps(to_json(each)))) for each in targets) == targets


@pytest.mark.parametrize(
    ("document", "code", "where", "message"),
    [
        (7, "invalid-callback", "callback", "a callback is a URL, or a mapping with one of 'url', 'file' and 'program'"),
        ({}, "invalid-callback", "callback", "a callback is a URL"),
        ({"url": "https://a.org/", "file": "alarms"}, "invalid-callback", "callback", "a callback is a URL"),
        ({"url": 7}, "invalid-callback", "callback.url", "'url' must be a text"),
        ({"url": ""}, "invalid-callback", "callback.url", "'url' must be a text"),
        ({"url": "https://a.org/", "secrt": "x"}, "unknown-key", "callback.secrt", "has no 'secrt'; it has url and secret"),
        ({"file": "alarms", "secret": "x"}, "unknown-key", "callback.secret", "a callback with 'file' has no 'secret'"),
        ({"file": "/etc/passwd"}, "unknown-file", "callback.file", "the operator has named no file '/etc/passwd'; there is alarms and audit"),
        ({"file": "siren"}, "unknown-file", "callback.file", "the operator has named no file 'siren'"),
        ({"program": "rm -rf /"}, "unknown-program", "callback.program", "the operator has named no program 'rm -rf /'"),
        ("ftp://a.org/", "unknown-scheme", "callback.url", "a callback cannot go to 'ftp'"),
        ("file:/etc/passwd", "unknown-scheme", "callback.url", "a callback cannot go to 'file'"),
        ("memory:x", "unknown-scheme", "callback.url", "a callback cannot go to 'memory'"),
        ("example.org", "unknown-scheme", "callback.url", "a callback cannot go to"),
        ("http://", "invalid-url", "callback.url", "'' is no host"),
        ("http://a b.org/", "invalid-url", "callback.url", "no blanks"),
        ("http://a.org/\r\nx: y", "invalid-url", "callback.url", "line ends"),
        ("http://a.org\\@b.org/", "invalid-url", "callback.url", "backslashes"),
        ("http://a.org:99999/", "invalid-url", "callback.url", "this is no URL: Port out of range"),
        ("http://[::1/", "invalid-url", "callback.url", "this is no URL"),
        ("http://2130706433/", "invalid-url", "callback.url", "'2130706433' is no host"),
        ("http://0x7f.1/", "invalid-url", "callback.url", "is no host"),
        ("http://127.1/", "invalid-url", "callback.url", "is no host"),
        ("http://-a.org/", "invalid-url", "callback.url", "is no host"),
        ("https://a.org/#part", "invalid-url", "callback.url", "'#'"),
        ("https://a.org/" + "x" * 3_000, "invalid-url", "callback.url", "2,048 characters at most"),
        ("nats://broker/", "invalid-url", "callback.url", "no topic"),
        ("nats://broker:99999/x", "invalid-url", "callback.url", "is no host"),
        ("nats://broker/x?credentials_env=HOME", "unknown-option", "callback.url", "no option 'credentials_env'"),
        ("nats+tls://broker/x?ca=/etc/shadow", "unknown-option", "callback.url", "no option 'ca'"),
        ("kafka://broker/x?encoding=avro&avro_schema=/etc/passwd", "unknown-option", "callback.url", "no option 'avro_schema'"),
        ("kafka://broker/x?encoding=xml", "invalid-url", "callback.url", "xml"),
        ({"url": "nats://broker/x", "secret": SECRET}, "unknown-key", "callback.secret", "webhooks are signed"),
        ({"url": "https://a.org/", "secret": "plain"}, "invalid-secret", "callback.secret", "it begins with whsec_"),
        ({"url": "https://a.org/", "secret": "whsec_!!"}, "invalid-secret", "callback.secret", "no base64"),
        ({"url": "https://a.org/", "secret": "whsec_c2hvcnQ="}, "invalid-secret", "callback.secret", "it has 5 bytes; 16 is the least"),
        ({"url": "https://a.org/", "secret": []}, "invalid-secret", "callback.secret", "one secret, or up to 4"),
        ({"url": "https://a.org/", "secret": [SECRET, 7]}, "invalid-secret", "callback.secret[1]", "it begins with whsec_"),
        ({"url": "https://a.org/", "secret": "whsec_***"}, "invalid-secret", "callback.secret", "'***' stands for one"),
        ({"url": "https://a.org/?token=***"}, "hidden-secret", "callback.url", "'***' stands for what is not shown"),
        (["https://a.org/"] * 17, "too-many-callbacks", "callback", "17 callbacks, and 16 at most"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_place(document: object, code: str, where: str, message: str) -> None:
    _, faults = read_targets(document, NAMES)
    assert [(each.code, each.where) for each in faults] == [(code, where)]
    assert message in faults[0].message
    assert "plain" not in faults[0].message, "what was given as a secret stands in no message"


def test_all_faults_are_told_at_once() -> None:
    _, faults = read_targets([{"file": "alarm"}, "https://a.org/", {"url": "ftp://a/", "secret": 1, "x": 2}], NAMES)
    assert [each.where for each in faults] == ["callback[0].file", "callback[2].x", "callback[2].url"]
    assert faults[0].hint == "did you mean 'alarms'?"


HIDDEN: list[tuple[Any, Any]] = [
    ({"url": "https://u:pw@a.org/h?token=s3&b=", "secret": [SECRET, OTHER]},
     {"url": "https://u:***@a.org/h?token=***&b=***", "secret": ["whsec_***", "whsec_***"]}),
    ({"url": "https://a.org/h?s3"}, {"url": "https://a.org/h?***"}),
    ({"url": "nats://u:pw@broker/x?stream=events"}, {"url": "nats://u:***@broker/x?stream=events"}),
    ({"file": "alarms"}, {"file": "alarms"}),
]  # fmt: skip


@pytest.mark.parametrize(("document", "visible"), HIDDEN)
def test_nothing_secret_is_shown(document: Any, visible: Any) -> None:
    (target,) = read(document)
    assert shown(target) == visible
    for text in (str(target), repr(target), place_of(target)):
        assert not any(part in text for part in ("pw", "s3", "whsec", SECRET)), text


@pytest.mark.parametrize(("document", "visible"), HIDDEN)
def test_what_was_shown_and_comes_back_is_what_it_was(document: Any, visible: Any) -> None:
    (before,) = read(document)
    assert read([visible, "https://new.example.org/"], before) == (before, Webhook("https://new.example.org/"))


def test_what_is_hidden_does_not_come_back_for_another_address() -> None:
    (before,) = read({"url": "https://a.org/", "secret": SECRET})
    _, faults = read_targets({"url": "https://evil.org/", "secret": "whsec_***"}, NAMES, [before])
    assert [each.code for each in faults] == ["invalid-secret"]


def test_targets_of_one_host_are_in_one_place() -> None:
    places = [place_of(each) for each in read(["https://u:p@a.org/x?y", "https://a.org/z", {"file": "alarms"}])]
    assert places == ["https://a.org", "https://a.org", "file alarms"]
