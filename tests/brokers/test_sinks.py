"""Detections to real brokers, and what is there afterwards; also if the broker is killed meanwhile."""

from __future__ import annotations

import asyncio
import gc
import shutil
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from tests.brokers.conftest import started
from tests.brokers.streams import made_stream
from tocsin.bench.brokers.servers import Mosquitto, Nats
from tocsin.encodings import Message
from tocsin.errors import UsageError
from tocsin.sinks import sink_of
from tocsin.transports import SINK, SOURCE, Unreachable, address_of, codec_for, subscribe, transport_of


def _records(count: int) -> list[dict[str, object]]:
    return [
        {"rule": "r", "type": "r", "time": "2026-11-15T10:00:00Z", "id": f"d{n}", "data": {"n": n}}
        for n in range(count)
    ]


def _sent(url: str, count: int) -> Any:
    address = address_of(url, SINK)
    transport_of(url, SINK).check(address, SINK)
    codec = codec_for(address)
    return sink_of(address).publish(address, [codec.encode(record) for record in _records(count)])


def _in_stream(url: str) -> list[dict[str, object]]:
    """All that a subject has, decoded."""
    address, rows = address_of(url, SOURCE), []
    with subscribe(address) as subscription:
        while subscription.lag():
            rows += subscription.receive(30.0).messages
    return [codec_for(address).decode(Message(row.body, row.headers)) for row in rows]


@pytest.mark.parametrize("query", ["", "encoding=avro", "encoding=cloudevents", "encoding=cloudevents&mode=binary"])
def test_to_a_subject_and_back(nats: Nats, query: str) -> None:
    subject = f"found.s{abs(hash(query))}"
    made_stream(nats, f"s{abs(hash(query))}", subject)
    assert _sent(nats.url(subject, query), 600).taken == 600
    assert _sent(nats.url(subject, query), 600).taken == 600, "again, as after a crash"
    found = _in_stream(nats.url(subject, query.replace("&mode=binary", "")))
    assert [each["data"] for each in found] == [{"n": n} for n in range(600)], "each is there once"


@pytest.mark.parametrize("query", ["", "encoding=avro", "encoding=cloudevents&mode=binary", "qos=2"])
def test_to_a_topic_and_back(mosquitto: Mosquitto, query: str) -> None:
    """What we publish, as another client has it."""
    paho = pytest.importorskip("paho.mqtt.client", reason="paho-mqtt is not installed")
    url = mosquitto.url(f"found/{abs(hash(query))}", query)
    address = address_of(url, SINK)
    came: list[dict[str, object]] = []
    subscribed, done = threading.Event(), threading.Event()

    def on_message(_client: Any, _data: Any, message: Any) -> None:
        headers = dict(getattr(message.properties, "UserProperty", ()))
        if hasattr(message.properties, "ContentType"):
            headers["content-type"] = message.properties.ContentType
        came.append(codec_for(address).decode(Message(message.payload, headers)))
        if len(came) == 1500:
            done.set()

    client = paho.Client(paho.CallbackAPIVersion.VERSION2, protocol=paho.MQTTv5)
    client.on_message, client.on_subscribe = on_message, lambda *_: subscribed.set()
    client.on_connect = lambda *_: client.subscribe(address.path, 2)
    client.connect("127.0.0.1", mosquitto.port)
    client.loop_start()
    try:
        assert subscribed.wait(30)
        assert _sent(url, 1500).taken == 1500
        assert done.wait(30)
    finally:
        client.disconnect()
        client.loop_stop()
    assert [each["data"] for each in came] == [{"n": n} for n in range(1500)]


def test_no_stream_no_jetstream(nats: Nats) -> None:
    with pytest.raises(UsageError, match=r"no stream keeps 'nobody.wants'"):
        _sent(nats.url("nobody.wants"), 1)
    with pytest.raises(UsageError, match="there is no stream 'none'"):
        _sent(nats.url("a", "stream=none"), 1)


def test_a_work_queue_is_no_source(nats: Nats) -> None:
    made_stream(nats, "queue", "work", retention="workqueue")
    url = nats.url("work")
    with pytest.raises(UsageError, match="'queue' is a work queue"):
        transport_of(url).check(address_of(url, SOURCE), SOURCE)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Nats, Mosquitto])
def test_a_broker_that_is_killed_and_comes_back(kind: type[Nats] | type[Mosquitto], tmp_path: Path) -> None:
    """While it is away, what is sent waits; all of it is taken in the end."""
    pytest.importorskip("nats", reason="nats-py is not installed")
    broker = started(kind, tmp_path / "broker")
    try:
        if isinstance(broker, Nats):
            made_stream(broker, "away", "away")
        outcomes: list[Any] = []
        sending = threading.Thread(target=lambda: outcomes.append(_sent(broker.url("away"), 20_000)))
        sending.start()
        time.sleep(0.05)  # at any moment: it does not matter whether something was sent already
        broker.kill()
        broker.start()
        sending.join()
        assert not outcomes or outcomes[0].taken == 20_000
        if not outcomes:  # it was killed before the first connection, which is checked
            outcomes.append(_sent(broker.url("away"), 20_000))
        assert outcomes[0].taken == 20_000
    finally:
        broker.kill()


def test_streams_are_made_for_tests_alone(nats: Nats) -> None:
    """The name of a stream is found by its subject."""
    made_stream(nats, "named", "by.subject")
    found = asyncio.run(_stream_name(nats.url("by.subject")))
    assert found == "named"


async def _stream_name(url: str) -> str:
    from tocsin.transports.nats import connected, stream_of

    address = address_of(url, SINK)
    connection = await connected(address)
    try:
        return str((await stream_of(connection, address)).config.name)
    finally:
        await connection.close()


def _certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate that 127.0.0.1 signs itself, and its key."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    command = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-days",
        "2",
    ]
    names = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run([*command, *names, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    return certificate, key


class SafeNats(Nats):
    """... that speaks TLS, and knows one user."""

    scheme = "nats+tls"

    def command(self) -> list[str]:
        certificate, key = _certificate(self.folder)
        settings = [
            f'tls {{ cert_file: "{certificate}", key_file: "{key}" }}',
            'authorization { user: "me", password: "it" }',
        ]
        (self.folder / "nats.conf").write_text("\n".join(settings))
        return [*super().command(), "-c", str(self.folder / "nats.conf")]


class SafeMosquitto(Mosquitto):
    """... that speaks TLS."""

    scheme = "mqtts"

    def command(self) -> list[str]:
        made = super().command()
        certificate, key = _certificate(self.folder)
        with (self.folder / "mosquitto.conf").open("a") as file:
            file.write(f"certfile {certificate}\nkeyfile {key}\n")
        return made


# The library leaves the socket of a broker that refuses it to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_encrypted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the right certificate and the right name they take messages; else they do not."""
    pytest.importorskip("nats", reason="nats-py is not installed")
    monkeypatch.setenv("WHO", "me:it")
    monkeypatch.setenv("OTHER", "me:not")
    for kind in (SafeNats, SafeMosquitto):
        broker = started(kind, tmp_path / kind.__name__)
        try:
            trusted = f"ca={tmp_path / kind.__name__ / 'certificate.pem'}"
            address = address_of(broker.url("a", f"{trusted}&credentials_env=WHO"), SINK)
            if kind is SafeNats:
                with pytest.raises(UsageError, match="no stream keeps 'a'"):
                    transport_of(address.url, SINK).check(address, SINK)
                wrong = address_of(broker.url("a", f"{trusted}&credentials_env=OTHER"), SINK)
                with pytest.raises(Unreachable, match=r"(?i)authorization"):
                    transport_of(wrong.url, SINK).check(wrong, SINK)
            else:
                assert sink_of(address).publish(address, [Message(b"{}")]).taken == 1
            with pytest.raises(Unreachable, match=r"(?i)certificate"):
                transport_of(broker.url("a"), SINK).check(address_of(broker.url("a"), SINK), SINK)
        finally:
            broker.kill()
            gc.collect()  # here, or the complaint about the socket is another test's failure
