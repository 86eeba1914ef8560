"""A service that speaks TLS and knows an identity provider: sensors, commands and people with tokens reach it, others do not."""

from __future__ import annotations

import datetime
import http.client
import ipaddress
import json
import os
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from joserfc import jwt
from joserfc.jwk import ECKey

from tests.service.processes import COMMAND, PATIENCE, ServiceProcess

pytest.importorskip("cryptography", reason="cryptography is not installed")

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

KEY = ECKey.generate_key("P-256", {"kid": "e1"})
STRANGER = ECKey.generate_key("P-256", {"kid": "e1"})
ISSUER = "https://id.example.org/"


def certified(folder: Path) -> Path:
    """A certificate for loopback that signs itself; its key beside it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "tocsin")])
    now = datetime.datetime.now(datetime.UTC)
    day = datetime.timedelta(1)
    made = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), now - day, now + 9 * day)
    here = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    made = made.add_extension(here, critical=False)
    made = made.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
    form = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (folder / "key.pem").write_bytes(key.private_bytes(*form))
    path = folder / "cert.pem"
    path.write_bytes(made.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
    return path


class Publisher(BaseHTTPRequestHandler):
    """An identity provider, as far as a service asks it: its public keys."""

    def do_GET(self) -> None:
        body = json.dumps({"keys": [KEY.as_dict(private=False)]}).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServiceProcess]:
    home = tmp_path_factory.mktemp("tls")
    certified(home)
    provider = ThreadingHTTPServer(("127.0.0.1", 0), Publisher)
    threading.Thread(target=provider.serve_forever, args=(0.05,), daemon=True).start()
    settings = f"""
listen: {{certificate: cert.pem, key: key.pem}}
access:
  oidc:
    issuer: {ISSUER}
    audience: tocsin
    keys: http://127.0.0.1:{provider.server_port}/keys
    roles: {{boss: operator, staff: subscriber, meter: sensor}}
    types_claim: types
"""
    made = ServiceProcess(home, settings)
    try:
        yield made.start()
    finally:
        made.kill()
        provider.shutdown()
        provider.server_close()


def trusting(service: ServiceProcess) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(service.home / "cert.pem"))


def asked(
    service: ServiceProcess, method: str, path: str, bearer: str, body: object = None
) -> tuple[int, dict[str, Any]]:
    """What the service answers over TLS."""
    parts = urlsplit(service.url)
    connection = http.client.HTTPSConnection(
        parts.hostname or "", parts.port, timeout=PATIENCE, context=trusting(service)
    )
    data = None if body is None else json.dumps(body)
    head = {"Authorization": f"Bearer {bearer}", "Content-Type": "application/json"}
    try:
        connection.request(method, path, data, head)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read() or b"{}")
    finally:
        connection.close()


def token(role: str, key: Any = KEY, **changes: Any) -> str:
    now = int(time.time())
    claims = {"iss": ISSUER, "aud": "tocsin", "sub": "ann", "exp": now + 300, "iat": now, "roles": [role]} | changes
    return jwt.encode({"alg": "ES256", "kid": "e1"}, claims, key, algorithms=["ES256"])


def test_whoever_has_a_token_of_the_provider_is_who_it_says(service: ServiceProcess) -> None:
    document = {"name": "pair", "language": "eps", "expression": "a ; b", "window": "1 hour"}
    status, made = asked(service, "POST", "/v1/requests", token("staff", types="a b"), document)
    assert (status, made["owner"]) == (201, "oidc:ann")
    beyond = document | {"name": "beyond", "expression": "a ; c"}
    status, answer = asked(service, "POST", "/v1/requests", token("staff", types="a b"), beyond)
    assert (status, answer["faults"][0]["code"]) == (403, "type-out-of-scope")
    status, answer = asked(service, "POST", "/v1/events", token("meter", types="a b"), [{"type": "a"}, {"type": "c"}])
    assert (status, answer["accepted"], answer["refused"][0]["code"]) == (202, 1, "type-out-of-scope")
    assert asked(service, "GET", "/v1/status", token("boss"))[0] == 200
    _, audit = asked(service, "GET", "/v1/audit", service.key)
    told = [
        (each["actor"], each["credential"], each["outcome"])
        for each in audit["items"]
        if each["action"] == "request.create"
    ]
    assert told == [("oidc:ann", "oidc", "type-out-of-scope"), ("oidc:ann", "oidc", "done")]


@pytest.mark.parametrize(("bearer", "status", "code"), [
    (lambda: token("staff", STRANGER), 401, "token-signature"),
    (lambda: token("staff", exp=1), 401, "token-expired"),
    (lambda: token("staff", aud="other"), 401, "token-audience"),
    (lambda: token("guest"), 403, "token-without-role"),
    (lambda: token("staff")[:-6], 401, "token-signature"),
    (lambda: "eyJhbGciOiJub25lIn0.e30.", 401, "token-algorithm"),
])  # fmt: skip
def test_no_other_token_lets_anybody_in(service: ServiceProcess, bearer: Any, status: int, code: str) -> None:
    answer = asked(service, "GET", "/v1/requests", bearer())
    assert (answer[0], answer[1]["faults"][0]["code"]) == (status, code)


def test_a_sensor_and_a_stream_go_over_tls(service: ServiceProcess) -> None:
    environment = os.environ | {
        "TOCSIN_URL": service.url,
        "TOCSIN_KEY": service.key,
        "PYTHONPATH": os.pathsep.join(__import__("sys").path),
    }
    command = [*COMMAND, "send", "--type", "secure", "--source", "door"]
    trusted = environment | {"SSL_CERT_FILE": str(service.home / "cert.pem")}
    done = subprocess.run(command, env=trusted, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, "1 taken" in done.stderr) == (0, True), done.stderr
    strange = subprocess.run(
        [*command, "--wait", "0.1"], env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert strange.returncode == 1
    assert "certificate" in strange.stderr.lower()
    document = {"name": "each", "language": "eps", "expression": "tls", "window": "1 hour"}
    asked(service, "POST", "/v1/requests", service.key, document)
    parts = urlsplit(service.url)
    connection = http.client.HTTPSConnection(
        parts.hostname or "", parts.port, timeout=PATIENCE, context=trusting(service)
    )
    connection.request("GET", "/v1/stream?rule=each&after=0", headers={"Authorization": f"Bearer {service.key}"})
    stream = connection.getresponse()
    asked(service, "POST", "/v1/events", service.key, {"type": "tls", "id": "t"})
    while not (line := stream.readline()).startswith(b"data: "):
        assert line
    assert json.loads(line[6:])["events"] == ["t"]
    connection.close()


def test_nothing_but_tls_is_spoken(service: ServiceProcess) -> None:
    parts = urlsplit(service.url)
    with socket.create_connection((parts.hostname or "", parts.port or 0), PATIENCE) as plain:
        plain.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        assert b"ok" not in plain.recv(1000)
    old = trusting(service)
    old.minimum_version = ssl.TLSVersion.MINIMUM_SUPPORTED
    with pytest.warns(DeprecationWarning, match="TLSv1_1"):
        old.maximum_version = ssl.TLSVersion.TLSv1_1
    old.set_ciphers("ALL:@SECLEVEL=0")
    connection = http.client.HTTPSConnection(parts.hostname or "", parts.port, timeout=PATIENCE, context=old)
    with pytest.raises(OSError, match=r"(?i)version|protocol|alert"):
        connection.request("GET", "/healthz")
    connection.close()
