"""How a service is set up: every setting with its default and its meaning. `docs/serve-settings.md` is made of this.

Lengths of time are in whole microseconds. With nothing set at all: loopback, port 8750, SQLite in `tocsin-data`.
"""

# ruff: noqa: RUF009 - `setting` and `section` are `dataclasses.field` with a meaning: they make no shared defaults

from __future__ import annotations

import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from urllib.parse import unquote, urlsplit

from tocsin.algebra.rules import BEST_EFFORT, Context, Order
from tocsin.errors import UsageError
from tocsin.rules.budgets import Budget
from tocsin.service.access.limits import Guessing, Rates
from tocsin.service.access.provider import Provider
from tocsin.service.setting_kinds import (
    BUDGET,
    CONTEXT,
    ENVIRONMENT,
    FILE,
    FLAG,
    NETWORK,
    ORDER,
    PROGRAM,
    SIZE,
    SPAN,
    TEXT,
    WEB,
    WINDOW,
    WRITABLE,
    Kind,
    Network,
    by_name,
    choice,
    count,
    is_loopback,
    list_of,
    listed,
    mapped,
    optional_section,
    or_none,
    required,
    secret,
    section,
    setting,
    span,
)
from tocsin.time.spans import DAY, HOUR, MINUTE, SECOND, Period

PORT: Final = 8750
STORE: Final = "tocsin-data/tocsin.db"
_MB: Final = 10**6
_GB: Final = 10**9


class Undeclared(StrEnum):
    """What becomes of events whose type nobody has declared."""

    ACCEPT = "accept"
    REFUSE = "refuse"


class LogFormat(StrEnum):
    """How the log is written."""

    TEXT = "text"
    JSON = "json"


@dataclass(frozen=True)
class Listen:
    """Where the service is reached."""

    host: str = setting(TEXT, "127.0.0.1", "the address that is listened on; 0.0.0.0 or :: for all of the machine's")
    port: int = setting(count(0, 65535), PORT, "the port; 0 takes a free one")
    certificate: str | None = setting(
        FILE, None, "certificate (chain) in PEM; with `key`, TLS 1.2 or newer is spoken, and nothing else"
    )
    key: str | None = setting(FILE, None, "private key of the certificate, in PEM")
    key_password_from: str | None = setting(ENVIRONMENT, None, "the variable that has the password of the private key")
    proxies: tuple[Network, ...] = setting(
        list_of(NETWORK), (), "proxies whose X-Forwarded-For and X-Forwarded-Proto are believed"
    )

    def __post_init__(self) -> None:
        if (self.certificate is None) != (self.key is None):
            raise UsageError("'certificate' and 'key' go together: TLS needs both")
        if self.key_password_from is not None and self.key is None:
            raise UsageError("'key_password_from' has no 'key' that it is the password of")

    @property
    def scheme(self) -> str:
        """What the service's URL begins with."""
        return "http" if self.certificate is None else "https"

    def tls(self) -> Callable[[], ssl.SSLContext] | None:
        """Makes the context of TLS, anew each time so that a renewed certificate is read; None without TLS."""
        return None if self.certificate is None else self._context

    def _context(self) -> ssl.SSLContext:
        assert self.certificate is not None
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.set_alpn_protocols(["http/1.1"])
        # Without a password OpenSSL would ask on the terminal, and wait.
        name = self.key_password_from
        password = "" if name is None else secret(name)
        try:
            context.load_cert_chain(self.certificate, self.key, password)
        except (OSError, ssl.SSLError) as error:
            raise UsageError(
                f"the certificate {self.certificate} with the key {self.key} cannot be used: {error}"
            ) from None
        return context


@dataclass(frozen=True)
class Store:
    """Where the service keeps its data."""

    at: str = setting(
        Kind("path or postgresql:// URL", lambda text, node: _store(text.string(node), text.path(node))),
        STORE,
        "a file of SQLite (the default one is in the current directory), or a database of PostgreSQL",
    )
    password_from: str | None = setting(ENVIRONMENT, None, "the variable that has the password of PostgreSQL")

    def __post_init__(self) -> None:
        if self.is_postgresql and "@" not in urlsplit(self.at).netloc and self.password_from is not None:
            raise UsageError(f"{self.at} names no user: postgresql://USER@HOST/DATABASE")

    @property
    def is_postgresql(self) -> bool:
        """Whether it is PostgreSQL; SQLite otherwise."""
        return self.at.startswith(("postgresql://", "postgres://"))

    @property
    def place(self) -> str:
        """Where it is, as it may be shown: without a password."""
        if not self.is_postgresql:
            return self.at
        netloc = urlsplit(self.at).netloc
        user, mark, host = netloc.rpartition("@")
        return self.at.replace(f"//{netloc}", f"//{user.partition(':')[0]}{mark}{host}", 1)

    @property
    def password(self) -> str | None:
        """The password, where a variable of the environment or the URL has it."""
        if self.password_from is not None:
            return secret(self.password_from)
        said = urlsplit(self.at).password if self.is_postgresql else None
        return None if said is None else unquote(said)


def _store(given: str, path: str) -> str:
    return given if given.startswith(("postgresql://", "postgres://")) else path


def broker_of_sites(url: str) -> str:
    """The URL; an error if sites cannot talk over what it names."""
    from tocsin.sites.shell.topics import broker_of  # here: most services look at no sites

    broker_of(url)
    return url


@dataclass(frozen=True)
class Kept:
    """How long something is kept: what is older goes, and the oldest where there is too much."""

    time: int | None = setting(or_none(SPAN), 30 * DAY, "for how long")
    size: int | None = setting(or_none(SIZE), 10 * _GB, "how many bytes, at most")


@dataclass(frozen=True)
class Retention:
    """How long history can be asked for. What is needed to go on after a crash is kept in any case."""

    events: Kept = section(Kept, "events")
    detections: Kept = section(Kept, "detections, and how far their notifications got")
    changes: Kept = section(Kept, "changes of requests and of keys: the audit log")


@dataclass(frozen=True)
class Limits:
    """What is refused before it costs too much."""

    body: int = setting(SIZE, 16 * _MB, "bytes of a request's body")
    batch: int = setting(count(1, 1_000_000), 50_000, "events in one body")
    rules_per_owner: int = setting(count(1, 1_000_000), 1_000, "requests that one owner may have")
    request_state: Budget | None = setting(
        or_none(BUDGET),
        None,
        "what each request may hold that says no budget itself; then requests no longer share what they hold",
    )
    all_state: Budget | None = setting(or_none(BUDGET), None, "what all requests together may hold")
    expression: int = setting(count(1, 1_000_000), 20_000, "characters of an expression")
    planning: int = setting(SPAN, 5 * SECOND, "how long checking and planning one request may take")
    queue: int = setting(SIZE, 64 * _MB, "bytes of events that wait to be stored; beyond that senders are told 429")
    page: int = setting(count(1, 100_000), 1_000, "entries of a page of history")
    connections: int = setting(count(1, 1_000_000), 10_000, "connections at a time")
    header_time: int = setting(
        SPAN, 10 * SECOND, "how long a client may take to send a request's head or the next piece"
    )


@dataclass(frozen=True)
class Defaults:
    """What holds for a request that does not say otherwise itself."""

    window: Period | None = setting(WINDOW, None, "detection window")
    order: Order = setting(ORDER, BEST_EFFORT, "in which order events are evaluated")
    context: Context | None = setting(CONTEXT, None, "consumption context; none: that of the request's notation")
    allow_unbounded: bool = setting(FLAG, False, "accept requests whose state has no bound")


@dataclass(frozen=True)
class Followed:
    """A broker's topic whose messages are events, as if a sensor sent them."""

    url: str = required(
        Kind("nats://, mqtt:// or kafka:// URL", lambda text, node: text.string(node)), "what to follow"
    )
    name: str = required(TEXT, "the sensor's name, in the audit log and in figures; the position is kept by it")
    source: str | None = setting(TEXT, None, "the source of events that do not say theirs; none: the name")

    def __post_init__(self) -> None:
        from tocsin.transports import SOURCE, address_of  # here: most services follow nothing

        address_of(self.url, SOURCE)


@dataclass(frozen=True)
class Deliveries:
    """How notifications are delivered."""

    connect_time: int = setting(SPAN, 5 * SECOND, "how long connecting to a receiver may take")
    answer_time: int = setting(SPAN, 15 * SECOND, "how long a receiver may take to answer, or a program to end")
    retry_for: int = setting(SPAN, 4 * DAY, "for how long a delivery is tried again before it is a dead letter")
    at_once: int = setting(count(1, 10_000), 64, "deliveries that are under way at a time")
    allowed_networks: tuple[Network, ...] = setting(
        list_of(NETWORK),
        (),
        "private networks that webhooks may call; all others are refused at the moment of dialling",
    )
    files: Mapping[str, str] = mapped(by_name(WRITABLE, "PATH"), "files that a callback may name: {file: NAME}")
    programs: Mapping[str, tuple[str, ...]] = mapped(
        by_name(PROGRAM, "[PROGRAM, ARGUMENT]"),
        "programs that a callback may name: {program: NAME}; never run by a shell",
    )


@dataclass(frozen=True)
class Access:
    """Who gets in."""

    rates: Rates = section(Rates, "what a key may do that has no rates of its own")
    guessing: Guessing = section(Guessing, "how attempts with wrong keys are slowed, for each address")
    key_lifetime: int | None = setting(or_none(SPAN), None, "how long a new key is valid unless told otherwise")
    key_grace: int = setting(span(0), DAY, "how long the old key stays valid when a key is rotated")
    oidc: Provider | None = optional_section(Provider, "an identity provider whose bearer tokens are accepted (OIDC)")


@dataclass(frozen=True)
class Snapshots:
    """When the state of all rules is written, so that a start has little to do again. Whatever comes first."""

    entries: int = setting(count(1, 10**9 - 1), 100_000, "after so many entries of the log")
    bytes: int = setting(SIZE, 64 * _MB, "after so many bytes of the log")
    every: int = setting(SPAN, 5 * MINUTE, "after so long, if anything happened")


@dataclass(frozen=True)
class Settings:
    """All there is to set."""

    listen: Listen = section(Listen, "where the service is reached")
    store: Store = section(Store, "where its data are; a path or URL alone will do")
    retention: Retention = section(Retention, "how long history is kept")
    limits: Limits = section(Limits, "what is refused before it costs too much")
    undeclared: Undeclared = setting(
        choice(Undeclared), Undeclared.ACCEPT, "what becomes of events whose type is not declared"
    )
    defaults: Defaults = section(Defaults, "what holds for requests that do not say otherwise")
    remember: int = setting(
        SPAN, HOUR, "within which span of time an event that comes again, by source and id, counts once"
    )
    subscriptions: tuple[Followed, ...] = listed(Followed, "topics of brokers to follow")
    sites: str | None = setting(
        Kind("nats://, mqtt:// or kafka:// URL", lambda text, node: broker_of_sites(text.string(node))),
        None,
        "the broker over which sites talk that the page is to show on a map; a path names the deployment",
    )
    deliveries: Deliveries = section(Deliveries, "how notifications are delivered")
    rules: tuple[str, ...] = setting(
        list_of(FILE), (), "rules files that are loaded at start as requests of the operator"
    )
    scripts: Mapping[str, str] = mapped(
        by_name(FILE, "PATH"), 'GEM scripts that the command `load "NAME"` may name over the wire'
    )
    access: Access = section(Access, "who gets in")
    tracing: str | None = setting(WEB, None, "the endpoint that traces go to (OTLP over HTTP); needs `tocsin[tracing]`")
    log: LogFormat = setting(choice(LogFormat), LogFormat.TEXT, "how the log is written")
    snapshots: Snapshots = section(Snapshots, "when the state is saved")
    standby: bool = setting(FLAG, False, "wait while another service has the store, and take over when it is gone")

    def __post_init__(self) -> None:
        names = [each.name for each in self.subscriptions]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise UsageError(f"two subscriptions are called '{twice}': the position is kept by the name")

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a person should hear before the service starts."""
        told = []
        if not is_loopback(self.listen.host) and self.listen.certificate is None:
            told.append(
                f"{self.listen.host} can be reached from other machines, and without TLS keys and events cross the "
                "network for everybody to read: set listen.certificate and listen.key, or put a proxy with TLS in front"
            )
        if self.store.is_postgresql and urlsplit(self.store.at).password is not None:
            told.append(
                "the password of PostgreSQL stands in its URL: store.password_from takes it from the environment"
            )
        return tuple(told)
