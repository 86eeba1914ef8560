"""Detections to a webhook that is really there: signed, in lists, again and again, and dead letters."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from tocsin.encodings import Message
from tocsin.errors import UsageError
from tocsin.sinks import sink_of
from tocsin.sinks.signatures import PREFIX, is_signed, key_of, new_secret
from tocsin.transports import SINK, address_of, codec_for


class Hook(HTTPServer):
    """A webhook: what it was sent, and what it is going to answer (200 once that is used up)."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.requests: list[tuple[dict[str, str], bytes]] = []
        self.answers: list[tuple[int, dict[str, str]]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/hook?token=x"


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        server = self.server
        assert isinstance(server, Hook)
        assert self.path == "/hook?token=x"
        body = self.rfile.read(int(self.headers["Content-Length"]))
        server.requests.append(({name.lower(): value for name, value in self.headers.items()}, body))
        code, headers = server.answers.pop(0) if server.answers else (200, {})
        if code == 0:
            self.connection.close()
            return
        self.send_response(code)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def hook() -> Iterator[Hook]:
    server = Hook()
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def _sent(hook: Hook, count: int, **options: str) -> Any:
    address = address_of(hook.url, SINK, {"pause": "1 ms", **options})
    codec = codec_for(address)
    records = [{"rule": "r", "type": "r", "time": float(n), "id": f"d{n}", "data": {"n": n}} for n in range(count)]
    return sink_of(address).publish(address, [codec.encode(record) for record in records])


def test_lists_of_detections_signed(hook: Hook, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOOK_KEY", "a shared secret")
    outcome = _sent(hook, 25, batch="10", secret_env="HOOK_KEY")
    assert (outcome.taken, outcome.retries, outcome.dead) == (25, 0, ())
    assert [len(json.loads(body)) for _, body in hook.requests] == [10, 10, 5]
    for headers, body in hook.requests:
        assert headers["content-type"] == "application/json"
        assert is_signed([b"a shared secret"], headers, body, time.time())
        assert not is_signed([b"another"], headers, body, time.time())
        assert not is_signed([b"a shared secret"], headers, body + b" ", time.time())
        assert not is_signed([b"a shared secret"], headers, body, time.time() + 1000), "long ago"
    assert len({headers["webhook-id"] for headers, _ in hook.requests}) == 3


def test_while_a_key_is_changed_each_request_is_signed_with_both(hook: Hook, monkeypatch: pytest.MonkeyPatch) -> None:
    new, old = new_secret(), new_secret()
    monkeypatch.setenv("HOOK_KEY", f"{new} {old}")
    _sent(hook, 1, secret_env="HOOK_KEY")
    ((headers, body),) = hook.requests
    assert all(is_signed([key_of(each)], headers, body, time.time()) for each in (new, old))


def test_what_is_no_secret_is_said_without_saying_it(hook: Hook, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOOK_KEY", PREFIX + "no base64!")
    with pytest.raises(UsageError, match=r"what HOOK_KEY holds is no secret: what follows whsec_ is no base64"):
        _sent(hook, 1, secret_env="HOOK_KEY")
    monkeypatch.delenv("HOOK_KEY")


def test_what_is_not_signed_has_its_name_all_the_same(hook: Hook) -> None:
    _sent(hook, 1)
    ((headers, _),) = hook.requests
    assert headers["webhook-id"]
    assert "webhook-signature" not in headers


def test_batches_of_cloudevents(hook: Hook) -> None:
    _sent(hook, 2, encoding="cloudevents")
    headers, body = hook.requests[0]
    assert headers["content-type"] == "application/cloudevents-batch+json"
    assert [each["specversion"] for each in json.loads(body)] == ["1.0", "1.0"]


def test_what_fails_is_posted_again(hook: Hook) -> None:
    """After an error, after no answer, after as long as it was told; with the same key each time."""
    hook.answers = [(503, {}), (0, {}), (429, {"Retry-After": "0"})]
    outcome = _sent(hook, 3)
    assert (outcome.taken, outcome.retries, outcome.dead) == (3, 3, ())
    assert len(hook.requests) == 4
    assert len({(headers["webhook-id"], body) for headers, body in hook.requests}) == 1


def test_what_is_not_taken_is_a_dead_letter(hook: Hook) -> None:
    hook.answers = [(200, {}), (422, {}), *[(500, {})] * 3, (200, {})]
    outcome = _sent(hook, 4, batch="1", retries="2")
    assert (outcome.taken, outcome.retries) == (2, 2)
    assert [(json.loads(each.body)["id"], each.reason) for each in outcome.dead] == [
        ("d1", "HTTP 422 Unprocessable Entity"),
        ("d2", "HTTP 500 Internal Server Error"),
    ]


def test_nothing_is_followed_elsewhere(hook: Hook) -> None:
    hook.answers = [(307, {"Location": hook.url})]
    assert len(_sent(hook, 1).dead) == 1
    assert len(hook.requests) == 1


def test_nobody_there() -> None:
    address = address_of("http://127.0.0.1:1/", SINK, {"pause": "1 ms", "retries": "1"})
    outcome = sink_of(address).publish(address, [Message(b"{}", {}, "1")])
    assert outcome.dead[0].reason == "no answer: [Errno 111] Connection refused"
    assert outcome.retries == 1


@pytest.mark.parametrize("encoding", ["json", "cloudevents"])
def test_what_a_pipeline_posts_tells_the_version_of_its_rules(hook: Hook, encoding: str) -> None:
    pytest.importorskip("pyspark", reason="the sinks of a pipeline need pyspark")
    from tocsin.formats.instants import TimeStyle
    from tocsin.spark.sinks import record_of

    row = {"id": "d1", "rule": "r", "type": "r", "start": 0, "time": 1_000_000, "detected": 1_000_000}
    row |= {"events": ["1"], "data": '{"n": 1}', "notification": None, "source": "", "stamp": None, "key": "n1"}
    address = address_of(hook.url, SINK, {"encoding": encoding})
    codec = codec_for(address)
    records = [record_of(row | {"version": number}, TimeStyle(False)) for number in (1, 2)]
    sink_of(address).publish(address, [codec.encode(record) for record in records])
    ((_, body),) = hook.requests
    assert [each["version"] for each in json.loads(body)] == [1, 2]
    assert [each["data"] for each in json.loads(body)] == [{"n": 1}] * 2


def test_dead_letters_are_kept(tmp_path: Any) -> None:
    pytest.importorskip("pyspark", reason="the sinks of a pipeline need pyspark")
    from tocsin.pipelines.dead_letters import keep
    from tocsin.sinks import DeadLetter

    keep((DeadLetter(b'{"id": "1"}', "HTTP 410 Gone"),), tmp_path / "dead", "batch=3-0.jsonl")
    assert json.loads((tmp_path / "dead/batch=3-0.jsonl").read_text()) == {
        "reason": "HTTP 410 Gone",
        "message": '{"id": "1"}',
    }
    keep((), tmp_path / "dead", "batch=3-0.jsonl")
    assert not list((tmp_path / "dead").iterdir()), "the micro-batch was repeated, and all was taken"
