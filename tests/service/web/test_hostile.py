"""Hostile clients: what they send costs little, is refused with a stable code, and nobody else notices."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.service.processes import ServiceProcess

NDJSON = "application/x-ndjson"
SETTINGS = """
snapshots: {entries: 50}
limits: {header_time: 1 second, body: 2 MB, batch: 1000, planning: 5 seconds}
access: {guessing: {free: 3, pause: 1 minute}}
"""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServiceProcess]:
    made = ServiceProcess(tmp_path_factory.mktemp("hostile"), SETTINGS)
    try:
        yield made.start()
    finally:
        made.kill()


@pytest.fixture(autouse=True)
def it_goes_on(service: ServiceProcess) -> Iterator[None]:
    """Whatever was sent, the service is the same one, answers, and takes events."""
    yield
    assert service.process is not None
    assert service.process.poll() is None
    assert service.send({"type": "plain"})["accepted"] == 1


def dialled(service: ServiceProcess) -> socket.socket:
    parts = urlsplit(service.url)
    return socket.create_connection((parts.hostname or "", parts.port or 0), timeout=30)


def heard(connection: socket.socket, end: bytes | None = None) -> bytes:
    """What the service says before it ends the connection, or up to some bytes."""
    pieces = []
    try:
        while piece := connection.recv(65536):
            pieces.append(piece)
            if end is not None and piece.endswith(end):
                break
    except ConnectionResetError:  # it ended while we were sending
        pass
    return b"".join(pieces)


def head(service: ServiceProcess, *lines: str) -> bytes:
    known = ("POST /v1/events HTTP/1.1", "Host: x", f"Authorization: Bearer {service.key}")
    return "\r\n".join((*known, *lines, "", "")).encode()


def drip(connection: socket.socket, piece: bytes) -> None:
    """Sends a piece again and again, slowly, until the service will have no more."""
    connection.settimeout(0.1)
    for _ in range(300):
        try:
            connection.sendall(piece)
            if not connection.recv(1, socket.MSG_PEEK):
                break
            break
        except TimeoutError:
            continue
        except (BrokenPipeError, ConnectionResetError):
            break
    else:
        pytest.fail("it was let go on for half a minute")
    connection.settimeout(30)


# -- connections -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "piece"),
    [
        (b"", b""),
        (b"", b"\r\n"),
        (b"GET /v1/ev", b"e"),
        (b"POST /v1/events HTTP/1.1\r\n", b"X-Slow: 1\r\n"),
        ("length", b"{"),
        ("chunked", b"1\r\n{\r\n"),
        ("chunked", b"1;x=y\r\n{\r\n"),
    ],
    ids=["nothing", "blank lines", "a name", "headers", "a body", "chunks", "chunk extensions"],
)
def test_who_sends_byte_by_byte_is_cut_off(service: ServiceProcess, first: bytes | str, piece: bytes) -> None:
    heads = {
        "length": head(service, "Content-Length: 100000"),
        "chunked": head(service, "Transfer-Encoding: chunked"),
    }
    with dialled(service) as slow:
        slow.sendall(heads[first] if isinstance(first, str) else first)
        drip(slow, piece)
        answer = heard(slow)
    assert b" 408 " in answer.partition(b"\r\n")[0]
    assert b'"too-slow"' in answer


def test_a_connection_that_waits_between_requests_is_left_alone(service: ServiceProcess) -> None:
    with dialled(service) as idle:
        idle.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        assert heard(idle, b"ok\n")
        with dialled(service) as slow:  # cut off later than an idle one would be
            drip(slow, b"")
        idle.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        assert heard(idle, b"ok\n")


@pytest.mark.parametrize("line", ["X-Long: %s\r\n", "X-%s: 1\r\n"])
def test_a_head_without_end_is_cut_off(service: ServiceProcess, line: str) -> None:
    with dialled(service) as huge:
        try:
            huge.sendall(b"GET /healthz HTTP/1.1\r\n")
            for _ in range(2000):
                huge.sendall((line % ("x" * 1000)).encode())
        except (BrokenPipeError, ConnectionResetError):
            pass
        else:
            assert b" 431 " in heard(huge).partition(b"\r\n")[0]


def test_a_body_of_chunks_without_end_is_cut_off(service: ServiceProcess) -> None:
    with dialled(service) as endless:
        endless.sendall(head(service, "Transfer-Encoding: chunked"))
        chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
        try:
            for _ in range(1000):
                endless.sendall(chunk)
        except (BrokenPipeError, ConnectionResetError):
            return
    pytest.fail("64 MB were let through")


@pytest.mark.parametrize(
    ("lines", "body", "status"),
    [
        (("Content-Length: 999999999999",), b"{", 413),
        (("Content-Length: -1",), b"{}", 400),
        (("Content-Length: 2", "Content-Length: 3"), b"{}", 400),
        (("Content-Length: 2", "Transfer-Encoding: chunked"), b"0\r\n\r\n", 400),
        (("Content-Length: 99999999999999999999999999",), b"{}", 400),
    ],
    ids=["too large", "negative", "two", "both kinds", "overflow"],
)
def test_lies_about_the_length(service: ServiceProcess, lines: tuple[str, ...], body: bytes, status: int) -> None:
    with dialled(service) as liar:
        liar.sendall(head(service, *lines) + body)
        answer = heard(liar)
    assert answer.startswith(b"HTTP/1.1 %d " % status)
    assert json.loads(answer.partition(b"\r\n\r\n")[2])["faults"]


@pytest.mark.parametrize("garbage", [b"\x16\x03\x01\x02\x00" * 50, b"GET\r\n\r\n", b"\x00" * 100])
def test_what_is_not_http(service: ServiceProcess, garbage: bytes) -> None:
    with dialled(service) as other:
        other.sendall(garbage)
        answer = heard(other)
    assert b'"not-http"' in answer


def test_who_guesses_keys_is_slowed_and_who_has_one_is_not(service: ServiceProcess) -> None:
    codes = []
    for number in range(6):
        status, answer = service.raw("/v1/events", b"{}", Authorization=f"Bearer tk_{number:049d}")
        codes.append((status, answer["faults"][0]["code"]))
    assert {status for status, _ in codes[:3]} == {401}
    assert codes[-1] == (429, "too-many-failures")
    assert int(service.head["retry-after"]) > 0


# -- bodies ----------------------------------------------------------------------------------------------------------------

DEEP = b"[" * 100_000 + b"]" * 100_000
BODIES = {
    "deep": b'{"type":"t","data":' + DEEP + b"}",
    "deep objects": b'{"type":"t","data":' + b'{"a":' * 50_000 + b"1" + b"}" * 50_001,
    "a huge number": b'{"type":"t","time":1' + b"0" * 100_000 + b"}",
    "a huge exponent": b'{"type":"t","time":1e999999999}',
    "a negative time": b'{"type":"t","time":-1e300}',
    "not a number": b'{"type":"t","time":NaN}',
    "a lone surrogate": b'{"type":"\\ud800","id":"\\udfff"}',
    "raw surrogates": b'{"type":"\xed\xa0\x80"}',
    "NUL": b'{"type":"a\\u0000b"}',
    "raw NUL": b'{"type":"a\x00b"}',
    "a key twice": b'{"type":"t","type":"u"}',
    "a name of a megabyte": b'{"type":"' + b"n" * 1_000_000 + b'"}',
    "an id of a megabyte": b'{"type":"t","id":"' + b"n" * 1_000_000 + b'"}',
    "only blanks": b" " * 1_000_000,
    "nothing": b"",
    "true": b"true",
}


@pytest.mark.parametrize("kind", ["application/json", NDJSON, "application/cloudevents+json", "text/plain"])
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_odd_bodies_are_refused_or_kept_as_they_are(service: ServiceProcess, kind: str, body: bytes) -> None:
    status, answer = service.raw("/v1/events", body, kind)
    assert status in (202, 400, 413, 422)
    said = answer["faults"] if "faults" in answer else answer["refused"]
    assert all(each["code"] and each["message"] for each in said)
    assert len(json.dumps(said)) < 10_000, "an answer does not repeat what was sent"


def test_a_body_of_faults_has_an_answer_that_is_bounded(service: ServiceProcess) -> None:
    status, answer = service.raw("/v1/events", b"x\n" * 100_000, NDJSON)
    assert (status, answer["faults"][0]["code"]) == (413, "batch-too-large")
    status, answer = service.raw("/v1/events", b"x\n" * 1_000, NDJSON)  # as many as are allowed, with the last end
    assert status == 202
    assert len(answer["refused"]) == 1_000
    assert len(json.dumps(answer)) < 500_000


def test_as_many_events_as_are_allowed_are_taken(service: ServiceProcess) -> None:
    line = b'{"type": "limit"}\n'
    status, answer = service.raw("/v1/events", line * 1_000, NDJSON)
    assert (status, answer["accepted"]) == (202, 1_000)
    status, answer = service.raw("/v1/events", line * 1_001, NDJSON)
    assert (status, answer["faults"][0]["code"]) == (413, "batch-too-large")


# -- requests --------------------------------------------------------------------------------------------------------------


def bomb(service: ServiceProcess, **document: Any) -> tuple[int, Any]:
    return service.raw("/v1/requests", json.dumps({"name": "bomb", "window": "1 hour"} | document).encode())


YAML = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{chr(98 + n)}: &{chr(98 + n)} [{','.join([f'*{chr(97 + n)}'] * 9)}]\n" for n in range(9)
)
EXPRESSIONS = {
    "a long conjunction": ("eps", " & ".join(["a"] * 6000)),
    "a long sequence": ("core", "[" + "; ".join(["a"] * 6000) + "]"),
    "many alternatives": ("sel", " | ".join(f"a{n}" for n in range(2500))),
    "nested brackets": ("pretty", "(" * 9_000 + "a" + ")" * 9_000),
    "nested braces": ("gem", "{" * 9_000 + "a" + "}" * 9_000),
    "nested negations": ("global", "!" * 19_000 + "a"),
    "nested python": ("python", "(" * 9_000 + "tc.event('a')" + ")" * 9_000),
    "python loops": ("python", "[x for x in range(10**9)]"),
    "python powers": ("python", "9 ** 9 ** 9 ** 9"),
    "a huge repetition": ("sel", "a*1000000000"),
    "a huge range": ("sel", "{a}*[1,1000000000]"),
    "a huge count": ("pretty", "a 1000000000 times with the same k within 1 hour"),
    "a huge period": ("pretty", "a then b within 99999999999999999999 days"),
    "a huge number": ("eps", "TimesEq(" + "9" * 10_000 + ", a, k)"),
    "repetitions of repetitions": ("sel", "(" * 50 + "a" + "*9)" * 50),
    "too many characters": ("eps", "a" * 30_000),
    "a regular expression": ("pretty", 'a where x matches "' + "(a*)*" * 3000 + 'b"'),
    "counts in a regular expression": ("pretty", 'a where x matches "((((a{1000}){1000}){1000}){1000})"'),
    "an anchor of anchors": ("sigma", YAML),
    "nested YAML": ("sigma", "[" * 9_000),
    "NUL": ("eps", "a\0b"),
    "a surrogate": ("eps", "a ; \ud800"),
}


@pytest.mark.parametrize("case", EXPRESSIONS.values(), ids=EXPRESSIONS)
def test_expressions_that_cost_much_are_refused(service: ServiceProcess, case: tuple[str, str]) -> None:
    language, expression = case
    status, answer = bomb(service, language=language, expression=expression)
    if status == 201:
        assert language == "sel", "only what is long and simple may be taken"
        service.client.call("DELETE", f"/v1/requests/{answer['id']}")
        return
    assert status in (400, 422)
    assert 0 < len(answer["faults"]) <= 100
    assert all(each["code"] != "internal" for each in answer["faults"])
    assert len(json.dumps(answer)) < 200_000


def test_what_takes_too_long_to_plan_is_refused_while_others_go_on(tmp_path: Path) -> None:
    made = ServiceProcess(tmp_path, "limits: {planning: 1 microsecond}\n")
    try:
        made.start()
        document = {
            "name": "long",
            "language": "eps",
            "expression": " ; ".join(f"a{n}" for n in range(50)),
            "window": "1 hour",
        }
        status, answer = made.raw("/v1/requests", json.dumps(document).encode())
        assert (status, answer["faults"][0]["code"]) == (422, "took-too-long")
        made.ask("short", "a ; b")
        assert [each["name"] for each in made.client.call("GET", "/v1/requests")["requests"]] == ["short"]
    finally:
        made.kill()


SCHEMAS = {
    "refers to itself": {"$ref": "#"},
    "refers in a ring": {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}},
    "grows": {
        "$ref": "#/$defs/a0",
        "$defs": {f"a{n}": {"allOf": [{"$ref": f"#/$defs/a{n + 1}"}] * 9} for n in range(9)} | {"a9": {}},
    },
    "looks back": {"properties": {"x": {"pattern": "^(?=a)(a|a)*\\1$"}}},
    "refers elsewhere": {"$ref": "http://127.0.0.1:1/x"},
}


@pytest.mark.parametrize("schema", SCHEMAS.values(), ids=SCHEMAS)
def test_schemas_that_cost_much(service: ServiceProcess, schema: Any) -> None:
    status, answer = service.raw("/v1/types/odd", json.dumps({"schema": schema}).encode(), method="PUT")
    assert status in (200, 422)
    if status == 422:
        assert answer["faults"][0]["code"] == "type-invalid"
        return
    status, answer = service.raw("/v1/events", b'{"type": "odd", "x": 1}')
    assert status == 202
    service.client.call("DELETE", "/v1/types/odd")


def test_a_pattern_that_goes_back_and_forth_takes_as_long_as_the_text(service: ServiceProcess) -> None:
    schema = {"properties": {"x": {"type": "string", "pattern": "^(a+)+$"}}}
    service.client.call("PUT", "/v1/types/pattern", {"schema": schema})
    answer = service.send({"type": "pattern", "x": "a" * 100_000 + "!"})
    assert [each["code"] for each in answer["refused"]] == ["event-mismatch"]
    assert len(json.dumps(answer)) < 10_000


@pytest.mark.parametrize("key", ["name", "owner", "description", "callback", "tags", "notify", "severity", "budget"])
@pytest.mark.parametrize(
    "value",
    ["x" * 1_000_000, "\ud800", "\0", [], {}, 10**400, DEEP.decode()],
    ids=["long", "surrogate", "NUL", "list", "object", "number", "deep"],
)
def test_odd_values_in_requests(service: ServiceProcess, key: str, value: Any) -> None:
    document = {"name": "odd", "language": "eps", "expression": "a ; b", "window": "1 hour"} | {key: value}
    status, answer = service.raw("/v1/requests", json.dumps(document).encode())
    if status == 201:
        service.raw(f"/v1/requests/{answer['id']}", method="DELETE")
        return
    assert status in (400, 413, 422)
    assert answer["faults"][0]["code"] != "internal"
    assert len(json.dumps(answer)) < 10_000
