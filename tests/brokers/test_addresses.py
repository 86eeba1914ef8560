"""URLs: what can be said in them, and what is told of one that is wrong."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tocsin.errors import MissingDependency, UsageError, choices
from tocsin.transports import (
    SINK,
    SOURCE,
    TRANSPORTS,
    Address,
    Unreachable,
    address_of,
    is_address,
    subscribe,
    transport_of,
)

SOURCES = choices(sorted(scheme for scheme, transport in TRANSPORTS.items() if SOURCE in transport.USES))
"""The schemes that events can come from, as messages list them."""


def test_an_address_taken_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    found = address_of("kafka://one:9093,[::1]/events?group=g&encoding=cloudevents", SOURCE, {"mode": "binary"})
    assert (found.hosts, found.path, found.servers) == ((("one", 9093), ("::1", 9092)), "events", "one:9093,[::1]:9092")
    assert found.options == {"group": "g", "encoding": "cloudevents", "mode": "binary"}
    assert Address.of_json(found.to_json()) == found
    named = address_of("mqtt://me:s%40cret@host/rooms/+/temp", SOURCE)
    assert (named.user, named.password, named.path) == ("me", "s@cret", "rooms/+/temp")
    assert "cret" not in str(named)
    assert "cret" not in repr(named)
    monkeypatch.setenv("WHO", "me:it")
    assert address_of("nats://host/a?credentials_env=WHO", SOURCE).password == "it"


def test_the_query_of_a_webhook_is_the_webhooks() -> None:
    found = address_of("https://example.org/hook?batch=many", SINK, {"batch": "5"})
    assert found.options == {"batch": "5"}
    assert found.url.endswith("?batch=many")


@pytest.mark.parametrize(
    ("url", "use", "message"),
    [
        (
            "natz://h/a",
            SOURCE,
            f"unknown scheme 'natz': {SOURCES}; did you mean 'nats'?",
        ),
        ("https://h/a", SOURCE, f"https is no source: {SOURCES}"),
        ("nats://h/a?durable=x", SOURCE, "a source of nats has no 'durable'; it has "),
        ("nats://h/a?start=first", SINK, "a sink of nats has no 'start'"),
        ("nats://h/a?per_batch=many", SOURCE, "per_batch is 'many': a whole number"),
        ("nats://h/a?patience=long", SOURCE, "patience is 'long': "),
        ("mqtt://h/a?qos=3", SOURCE, "qos is '3': 0, 1 or 2"),
        ("mqtt://h/a?qos=1&qos=2", SOURCE, "'qos' is said twice"),
        ("kafka://h/a?encoding=arvo", SOURCE, "encoding is 'arvo': avro, cloudevents or json"),
        ("kafka://h:99999/a", SOURCE, "'h:99999' is no host"),
        ("kafka:///a", SOURCE, "'nothing' is no host"),
        ("nats://u:p@h/a?mode=binary", SOURCE, "nats://h:4222/a: a source of nats has no 'mode'"),
        ("nats://h/a?credentials_env=TOCSIN_NOT_THERE", SOURCE, "the environment has no TOCSIN_NOT_THERE"),
        ("nats://h/a?encoding=avro&avro_schema=/nowhere.avsc", SOURCE, "/nowhere.avsc cannot be read"),
    ],
)
def test_what_is_wrong_is_said(url: str, use: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        address_of(url, use)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("url", "use", "message"),
    [
        ("kafka://127.0.0.1:1/a b", SOURCE, "'a b' is no topic"),
        ("nats://127.0.0.1:1/a..b", SOURCE, "'a..b' is no subject"),
        ("nats://127.0.0.1:1/a.*", SINK, "'a.*' is no subject"),
        ("mqtt://127.0.0.1:1/a%23/b", SOURCE, "'a#/b' is no topic"),
        ("mqtt://127.0.0.1:1/a/+", SINK, "is a filter"),
        ("http://127.0.0.1:1/", SINK, "json or cloudevents"),
    ],
)
def test_what_cannot_be_there_is_said(url: str, use: str, message: str) -> None:
    pytest.importorskip("fastavro", reason="fastavro is not installed")
    more = {"encoding": "avro"} if url.startswith("http") else {}
    with pytest.raises(UsageError) as caught:
        transport_of(url, use).check(address_of(url, use, more), use)
    assert message in str(caught.value)


@pytest.mark.parametrize("url", ["kafka://127.0.0.1:1/a", "nats://127.0.0.1:1/a", "mqtt://127.0.0.1:1/a"])
def test_a_broker_that_is_not_there(url: str) -> None:
    pytest.importorskip("nats", reason="nats-py is not installed")
    with pytest.raises(Unreachable, match=r"127.0.0.1:1/a: nobody answers there .*is the broker running"):
        transport_of(url).check(address_of(url, SOURCE), SOURCE)


@pytest.mark.parametrize(
    ("scheme", "module", "package"), [("nats", "nats", "nats-py"), ("kafka", "confluent_kafka", "confluent-kafka")]
)
def test_a_library_that_is_not_there(scheme: str, module: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    url = f"{scheme}://127.0.0.1:1/a"
    with pytest.raises(MissingDependency, match=rf"this needs {package}.*pip install 'tocsin\[brokers\]'"):
        subscribe(address_of(url, SOURCE))


def test_addresses_without_a_host() -> None:
    found = address_of("file:logs/a%20b.jsonl?start=new", SOURCE)
    assert (found.hosts, found.path, str(found)) == ((), "logs/a b.jsonl", "file:logs/a b.jsonl")
    assert address_of("file:///var/log/x", SOURCE).path == "/var/log/x"
    assert address_of("memory:rooms", SINK).path == "rooms"
    assert [is_address(each) for each in ("nats://h/a", "file:x", "memory:x", "c:x", "events.jsonl", "-")] == [
        True,
        True,
        True,
        False,
        False,
        False,
    ]


def test_every_transport_has_what_a_pipeline_asks_for() -> None:
    import tocsin.transports

    for scheme, transport in tocsin.transports.TRANSPORTS.items():
        assert scheme in transport.SCHEMES
        assert all(option.meaning for option in transport.OPTIONS.values())
    known = {"file", "http", "https", "kafka", "memory", "mqtt", "mqtts", "nats", "nats+tls"}
    assert known <= set(tocsin.transports.TRANSPORTS)
    assert Path(tocsin.transports.__file__).parent.name == "transports"
