"""`serve.yaml`: what is set when nothing is, every fault at its place, and TLS."""

from __future__ import annotations

import datetime
import ssl
from ipaddress import ip_address, ip_network
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from hypothesis import given
from hypothesis import strategies as st

from tocsin.errors import RuleError, UsageError
from tocsin.rules.budgets import Budget, Policy
from tocsin.rules.options import order_of, window_of
from tocsin.service.access.limits import Rates
from tocsin.service.access.permissions import Role
from tocsin.service.setting_kinds import each_setting, is_loopback, size_of, size_text
from tocsin.service.settings import Listen, LogFormat, Settings, Store, Undeclared
from tocsin.service.settings_file import overridden, read_settings, settings_of
from tocsin.time.spans import DAY, MINUTE, SECOND


def faults(text: str, file: str = "serve.yaml") -> list[tuple[int, int, str]]:
    with pytest.raises(RuleError) as raised:
        settings_of(text, file)
    return [(each.place.line, each.place.column, each.message) for each in raised.value.faults if each.place]


@pytest.mark.parametrize("text", ["", "\n", "# nothing yet\n", "   \n  # nor here"])
def test_nothing_set_is_sqlite_on_loopback(text: str) -> None:
    found = settings_of(text, "serve.yaml")
    assert found == Settings()
    assert (found.listen.host, found.listen.port) == ("127.0.0.1", 8750)
    assert (found.store.at, found.store.is_postgresql) == ("tocsin-data/tocsin.db", False)
    assert found.warnings == ()
    assert found.listen.tls() is None
    assert found.undeclared is Undeclared.ACCEPT


def test_everything_can_be_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STORE_PASSWORD", "s3cret")
    (tmp_path / "mine.gem").write_text("")
    (tmp_path / "serve.yaml").write_text(
        """\
listen: {host: "::1", port: 0, proxies: [10.0.0.0/8]}
store: {at: "postgresql://tocsin@db/tocsin", password_from: STORE_PASSWORD}
retention:
  events: {time: 7 days, size: 1GB}
  detections: {time: unlimited, size: unlimited}
limits: {body: 1MB, batch: 100, request_state: "rows=1000,policy=refuse", planning: 2 s, page: 50}
undeclared: refuse
defaults: {window: 1 hour, order: "delay:5 sec", context: recent, allow_unbounded: true}
remember: 10 min
subscriptions:
  - {url: "nats://127.0.0.1/events", name: hall}
  - {url: "mqtt://127.0.0.1/plant/+/temp", name: plant, source: plant7}
deliveries:
  retry_for: 1 day
  allowed_networks: [10.1.0.0/16, "fd00:1::/32"]
  files: {alarms: alarms.jsonl}
  programs: {ring: [echo, "{rule}"]}
rules: [mine.gem]
access:
  rates: {requests: 10, requests_at_once: 20}
  key_lifetime: 90 days
  oidc:
    issuer: https://id.example.org/
    audience: tocsin
    keys: keys.json
    roles: {tocsin-admin: operator, staff: subscriber}
tracing: http://127.0.0.1:4318/v1/traces
log: json
snapshots: {entries: 10, every: 1 min}
standby: true
"""
    )
    found = read_settings(str(tmp_path / "serve.yaml"))
    assert (found.listen.host, found.listen.port, found.listen.proxies) == ("::1", 0, (ip_network("10.0.0.0/8"),))
    assert (found.store.is_postgresql, found.store.password) == (True, "s3cret")
    assert (found.retention.events.time, found.retention.events.size) == (7 * DAY, 10**9)
    assert (found.retention.detections.time, found.retention.detections.size) == (None, None)
    assert (found.limits.body, found.limits.planning) == (10**6, 2 * SECOND)
    assert found.limits.request_state == Budget(1000, None, Policy.REFUSE)
    assert found.limits.queue == Settings().limits.queue
    assert (found.undeclared, found.log, found.standby) == (Undeclared.REFUSE, LogFormat.JSON, True)
    assert (found.defaults.window, found.defaults.order) == (window_of("1 hour"), order_of("delay:5 sec"))
    assert (found.defaults.context, found.defaults.allow_unbounded) == ("recent", True)
    assert [(each.name, each.source) for each in found.subscriptions] == [("hall", None), ("plant", "plant7")]
    assert found.deliveries.allowed_networks == (ip_network("10.1.0.0/16"), ip_network("fd00:1::/32"))
    assert found.deliveries.files == {"alarms": str(tmp_path / "alarms.jsonl")}
    assert found.deliveries.programs["ring"][1:] == ("{rule}",)
    assert Path(found.deliveries.programs["ring"][0]).is_absolute()
    assert found.rules == (str(tmp_path / "mine.gem"),)
    assert found.access.rates == Rates(requests=10, requests_at_once=20)
    assert found.access.oidc is not None
    assert found.access.oidc.keys == str(tmp_path / "keys.json")
    assert found.access.oidc.roles == {"tocsin-admin": Role.OPERATOR, "staff": Role.SUBSCRIBER}
    assert (found.snapshots.entries, found.snapshots.every) == (10, MINUTE)
    assert found.warnings == ()
    assert "s3cret" not in repr(found)


def test_all_faults_come_at_once_each_at_its_place() -> None:
    text = """\
listen: {host: 127.0.0.1, prot: 8750}
limits:
  body: 3 stones
  batch: 0
  batch: 5
deliveries:
  allowed_networks: 10.0.0.1/8
undeclared: perhaps
log: jason
"""
    assert faults(text) == [
        (1, 27, "there is no setting 'prot'"),
        (3, 9, "'3 stones' is no size: write it as 500KB, 64MB, 10GB or as a number of bytes"),
        (4, 10, "'0' is not possible here"),
        (5, 3, "'batch' is given twice"),
        (7, 21, "10.0.0.1/8 has host bits set: a network is written as 10.1.0.0/16 or fd00:1::/32"),
        (8, 13, "'perhaps' is not possible here"),
        (9, 6, "'jason' is not possible here"),
    ]


def test_a_fault_says_what_was_expected() -> None:
    with pytest.raises(RuleError) as raised:
        settings_of("listen:\n  prot: 1\n", "serve.yaml")
    assert str(raised.value) == (
        "serve.yaml:2:3: there is no setting 'prot'\n    prot: 1\n    ^\n"
        "  expected host, port, certificate, key, key_password_from or proxies\n  did you mean 'port'?"
    )


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("- a", (1, 1), "this must be a mapping"),
        ("listen: 5", (1, 9), "this must be a mapping"),
        ("listen: {port: 70000}", (1, 16), "'70000' is not possible here"),
        ("listen: {certificate: no.pem}", (1, 23), "there is no file"),
        ("store: {at: 'postgresql://h/d', password_from: NO_SUCH_SECRET}", (1, 48), "the environment has no 'NO_SUCH_SECRET'"),
        ("remember: 0 s", (1, 11), "'0 s' is too short"),
        ("remember: long", (1, 11), "this: unknown unit of time"),
        ("limits: {request_state: many}", (1, 25), "'many' is no part of a budget"),
        ("defaults: {order: best}", (1, 19), "'best' is not an order"),
        ("defaults: {context: newest}", (1, 21), "'newest' is not a context"),
        ("defaults: {window: 0}", (1, 20), "a window must be longer than nothing"),
        ("subscriptions: {}", (1, 16), "this must be a list"),
        ("subscriptions: [{url: 'nats://h/s'}]", (1, 17), "there is no 'name' here"),
        ("subscriptions: [{url: 'nots://h/s', name: x}]", (1, 17), "nots://h/s: unknown scheme 'nots'"),
        ("subscriptions: [{url: 'nats://h/a', name: x}, {url: 'nats://h/b', name: x}]", (1, 1), "two subscriptions are called 'x'"),
        ("deliveries: {files: {'../x': a}}", (1, 22), "this is no name"),
        ("deliveries: {files: {x: no/where/a}}", (1, 25), "can be no file: no such directory"),
        ("deliveries: {programs: {x: echo}}", (1, 28), "a program is a list"),
        ("deliveries: {programs: {x: [no-such-program]}}", (1, 29), "there is no program 'no-such-program'"),
        ("rules: no.gem", (1, 8), "there is no file"),
        ("tracing: nowhere", (1, 10), "'nowhere' is no address of a web server"),
        ("access: {rates: {events: 0}}", (1, 26), "'0' is not possible here"),
        ("access: {oidc: {issuer: 'https://i', audience: a, keys: k, roles: {}}}", (1, 16), "'roles' is empty"),
        ("access: {oidc: {issuer: 'https://i', audience: a, keys: k, roles: {a: king}}}", (1, 71), "'king' is not possible here"),
        ("access: {oidc: {issuer: 'https://i', audience: a, keys: k, roles: {a: sensor}, algorithms: [HS256]}}", (1, 93), "'HS256' is no algorithm"),
        ("access: {oidc: {issuer: 'https://i', audience: a, keys: k, roles: {a: sensor}, algorithms: none}}", (1, 92), "'none' is no algorithm"),
        ("a: [", (1, 5), "this is not YAML"),
    ],
)  # fmt: skip
def test_each_fault_has_its_place(text: str, place: tuple[int, int], message: str) -> None:
    (line, column, told), *others = faults(text)
    assert (line, column) == place
    assert message in told
    assert not others


@given(st.text())
def test_any_text_is_settings_or_a_fault_with_a_place(text: str) -> None:
    try:
        found = settings_of(text, "serve.yaml").warnings
    except RuleError as error:
        found = tuple(each.message for each in error.faults if each.place is None)
    assert found == ()


def test_each_key_of_tls_needs_the_other(tmp_path: Path) -> None:
    (tmp_path / "key.pem").write_text("")
    text = f"listen:\n  key: {tmp_path / 'key.pem'}\n"
    assert faults(text) == [(2, 3, "'certificate' and 'key' go together: TLS needs both")]


def test_whoever_listens_to_all_without_tls_is_warned() -> None:
    (warning,) = settings_of("listen: {host: 0.0.0.0}", "serve.yaml").warnings
    assert warning.startswith("0.0.0.0 can be reached from other machines, and without TLS")


def test_a_password_in_a_file_is_warned_of() -> None:
    (warning,) = settings_of("store: 'postgresql://u:pw@h/d'", "serve.yaml").warnings
    assert "password" in warning
    assert "pw@" not in warning


def test_a_store_is_short_for_where_it_is(tmp_path: Path) -> None:
    assert settings_of("store: x/y.db", str(tmp_path / "serve.yaml")).store == Store(str(tmp_path / "x/y.db"))
    assert settings_of("store: postgresql://u@h/d", "serve.yaml").store == Store("postgresql://u@h/d")


def test_a_command_line_comes_before_the_file() -> None:
    text = "{listen: {host: 0.0.0.0, port: 1, proxies: [10.0.0.1]}, store: postgresql://u@h/d, log: json}"
    found = overridden(settings_of(text, "serve.yaml"), store="x.db", host="127.0.0.1", port=0, rules=("a", "b", "a"))
    assert (found.listen.host, found.listen.port, len(found.listen.proxies)) == ("127.0.0.1", 0, 1)
    assert (found.store, found.rules, found.log) == (Store("x.db"), ("a", "b"), LogFormat.JSON)
    assert overridden(found) == found
    with pytest.raises(UsageError, match="there is no port 65536"):
        overridden(found, port=65536)


@pytest.mark.parametrize(
    "text",
    [
        "rules: &a [*a]",
        "subscriptions: &a [*a]",
        "access: &a {oidc: *a}",
        "limits: {<<: {body: 1}}",
        "? [a]\n: b",
        "listen: " + "[" * 2000,
    ],
)
def test_hostile_yaml_is_a_fault(text: str) -> None:
    assert faults(text)


@pytest.mark.parametrize(
    ("host", "expected"),
    [("127.0.0.1", True), ("127.9.9.9", True), ("::1", True), ("[::1]", True), ("localhost", True), ("0.0.0.0", False), ("::", False), ("10.0.0.1", False), ("localhost.example.org", False)],
)  # fmt: skip
def test_loopback_is_told_from_what_others_reach(host: str, expected: bool) -> None:
    assert is_loopback(host) == expected


@given(st.integers(1, 10**14))
def test_a_size_is_read_as_it_is_shown(size: int) -> None:
    assert size_of(size_text(size)) == size


def test_every_setting_has_a_meaning() -> None:
    found = list(each_setting(Settings))
    assert len({each.path for each in found}) == len(found)
    assert all(each.meaning and each.kind for each in found)


# -- TLS ---------------------------------------------------------------------------------------------------------------


def certificate(folder: Path, password: bytes | None = None) -> tuple[str, str]:
    """A certificate for loopback that signs itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    start = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(start)
        .not_valid_after(start + datetime.timedelta(days=36500))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    lock = serialization.NoEncryption() if password is None else serialization.BestAvailableEncryption(password)
    (folder / "cert.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    form = serialization.PrivateFormat.PKCS8
    (folder / "key.pem").write_bytes(key.private_bytes(serialization.Encoding.PEM, form, lock))
    return str(folder / "cert.pem"), str(folder / "key.pem")


def handshake(server: ssl.SSLContext, client: ssl.SSLContext) -> str | None:
    """Both sides of a handshake in memory: the version they agreed on."""
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    sides = [
        server.wrap_bio(to_server, to_client, server_side=True),
        client.wrap_bio(to_client, to_server, server_hostname="127.0.0.1"),
    ]
    waiting = list(reversed(sides))
    while waiting:
        for side in list(waiting):
            try:
                side.do_handshake()
                waiting.remove(side)
            except ssl.SSLWantReadError:
                continue
    return sides[1].version()


def test_tls_speaks_to_a_client_that_trusts_the_certificate(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    listen = Listen(certificate=cert, key=key)
    make = listen.tls()
    assert make is not None
    assert listen.scheme == "https"
    assert handshake(make(), ssl.create_default_context(cafile=cert)) == "TLSv1.3"
    with pytest.raises(ssl.SSLError, match=r"(?i)certificate.verify.failed"):
        handshake(make(), ssl.create_default_context())


def test_tls_older_than_1_2_is_refused(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    make = Listen(certificate=cert, key=key).tls()
    assert make is not None
    assert make().minimum_version == ssl.TLSVersion.TLSv1_2


def test_the_password_of_a_key_comes_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cert, key = certificate(tmp_path, b"s3cret")
    monkeypatch.setenv("KEY_PASSWORD", "s3cret")
    make = Listen(certificate=cert, key=key, key_password_from="KEY_PASSWORD").tls()
    assert make is not None
    make()
    without = Listen(certificate=cert, key=key).tls()
    assert without is not None
    with pytest.raises(UsageError, match="cannot be used"):
        without()


def test_a_certificate_that_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "x.pem").write_text("nothing")
    make = Listen(certificate=str(tmp_path / "x.pem"), key=str(tmp_path / "x.pem")).tls()
    assert make is not None
    with pytest.raises(UsageError, match=r"the certificate .*x\.pem with the key .* cannot be used"):
        make()


@pytest.mark.parametrize(
    ("at", "place", "password"),
    [
        ("postgresql://u:p%40w@h:1/d?schema=x", "postgresql://u@h:1/d?schema=x", "p@w"),
        ("postgresql://u@h/d", "postgresql://u@h/d", None),
        ("postgresql:///d?host=/run", "postgresql:///d?host=/run", None),
        ("data/a:b@c.db", "data/a:b@c.db", None),
    ],
)
def test_where_the_store_is_can_be_shown(at: str, place: str, password: str | None) -> None:
    assert (Store(at).place, Store(at).password) == (place, password)
