"""Webhooks by HTTPS: a certificate is that of the name, wherever the name leads."""

from __future__ import annotations

import asyncio
import datetime
import ssl
from pathlib import Path

import pytest

pytest.importorskip("aiohttp", reason="deliveries need aiohttp")
pytest.importorskip("cryptography", reason="certificates are made with it")

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.service.deliveries.receivers import Names
from tocsin.service.deliveries.addresses import Addresses
from tocsin.service.deliveries.senders import TAKEN, Message, Outcome, Result
from tocsin.service.deliveries.targets import Webhook
from tocsin.service.deliveries.webhooks import Webhooks

HOST = "hook.example.org"
MESSAGE = Message("msg_1", b"{}")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for the name, and its key, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, HOST)])
    now = datetime.datetime.now(datetime.UTC)
    made = x509.CertificateBuilder(
        name,
        name,
        key.public_key(),
        x509.random_serial_number(),
        now - datetime.timedelta(1),
        now + datetime.timedelta(9),
    )
    made = made.add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False)
    made = made.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
    path = tmp_path_factory.mktemp("tls") / "both.pem"
    form = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path.write_bytes(
        key.private_bytes(*form) + made.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
    )
    return path


def sent(certificate: Path, host: str, trusted: Path | None) -> Outcome:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"{}")
        writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")
        await reader.read()
        writer.close()

    async def test() -> Outcome:
        served = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        served.load_cert_chain(certificate)
        server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=served)
        sender = Webhooks(
            Addresses(["127.0.0.1"]), tls=ssl.create_default_context(cafile=trusted), resolver=Names(["127.0.0.1"])
        )
        port = server.sockets[0].getsockname()[1]
        try:
            return await sender.send(Webhook(f"https://{host}:{port}/"), MESSAGE)
        finally:
            await sender.close()
            server.close()

    return asyncio.run(test())


def test_a_certificate_is_that_of_the_name(certificate: Path) -> None:
    assert sent(certificate, HOST, certificate) == TAKEN
    outcome = sent(certificate, "other.example.org", certificate)
    assert outcome.result is Result.FAILED
    assert "other.example.org" in outcome.reason


def test_a_certificate_that_is_not_trusted(certificate: Path) -> None:
    outcome = sent(certificate, HOST, None)
    assert outcome.result is Result.FAILED
    assert outcome.reason.startswith("its certificate is not trusted: ")
