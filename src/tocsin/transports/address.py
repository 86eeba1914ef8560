"""An address: a URL that says where events come from or detections go, taken apart and checked.

kafka://host:9092,other:9092/topic?encoding=avro      nats://host:4222/subject      mqtt://host/topic/+/filter
file:events.jsonl      file:///var/log/events/      memory:name
"""

from __future__ import annotations

import json
import os
import re
import ssl
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

from tocsin.errors import RuleError, UsageError, choices
from tocsin.time.spans import SECOND, parse_period

SOURCE: Final = "source"
SINK: Final = "sink"
KEYS: Final = "key-value store"
BOTH: Final = (SOURCE, SINK)
ALL: Final = (SOURCE, SINK, KEYS)
_HOST: Final = re.compile(r"^(?:\[(?P<six>[0-9A-Fa-f:.]+)\]|(?P<name>[^\s:\[\]]+))(?::(?P<port>[0-9]{1,5}))?$")


@dataclass(frozen=True)
class Option:
    """Something that can be said about an address: what kind of value it has, and what it means."""

    meaning: str
    default: str | None = None
    kind: str = "text"
    """text, number, span (a length of time) or a choice: the words, with a bar between them."""
    uses: tuple[str, ...] = ALL


@dataclass(frozen=True)
class Address:
    """Where a broker is, and what of it is meant. `options` has those that were given, as texts."""

    scheme: str
    hosts: tuple[tuple[str, int], ...]
    path: str
    options: Mapping[str, str] = field(default_factory=dict)
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    url: str = field(default="", repr=False)
    """What was written, for those who need all of it."""

    def __str__(self) -> str:
        """As messages show it: without the password."""
        if not self.hosts:
            return f"{self.scheme}:{self.path}"
        return f"{self.scheme}://{self.servers}/{self.path}"

    @property
    def servers(self) -> str:
        """Where to connect to: hosts and ports."""
        return ",".join(f"[{host}]:{port}" if ":" in host else f"{host}:{port}" for host, port in self.hosts)

    def to_json(self) -> str:
        """All of it, for another process: the password too."""
        return json.dumps(asdict(self))

    @classmethod
    def of_json(cls, text: str) -> Address:
        """What `to_json` wrote."""
        told = json.loads(text)
        return cls(**told | {"hosts": tuple((host, port) for host, port in told["hosts"])})

    def text(self, name: str, known: Mapping[str, Option]) -> str | None:
        """An option, or what it is by default."""
        return self.options.get(name, known[name].default)

    def number(self, name: str, known: Mapping[str, Option]) -> int:
        """An option that is a number."""
        return int(self.options.get(name, known[name].default or "0"))

    def seconds(self, name: str, known: Mapping[str, Option]) -> float:
        """An option that is a length of time."""
        return parse_period(self.options.get(name, known[name].default or "0 s")).length() / SECOND


def tls_of(address: Address) -> ssl.SSLContext:
    """How a broker proves who it is: by the certificates that this machine trusts, or those in the file `ca`."""
    try:
        return ssl.create_default_context(cafile=address.options.get("ca"))
    except (OSError, ssl.SSLError) as error:
        raise UsageError(
            f"{address}: the certificates in {address.options.get('ca')} cannot be used: {error}"
        ) from None


def split(url: str, port: int) -> Address:
    """A URL taken apart; its options are not checked yet. Without a port there is no host: all is path."""
    parts = urlsplit(url)
    if not port:
        path, _, query = url.partition(":")[2].removeprefix("//").partition("?")
        return Address(parts.scheme, (), unquote(path), _options(url, query), url=url)
    credentials, _, network = parts.netloc.rpartition("@")
    hosts = []
    for each in network.split(","):
        found = _HOST.match(each)
        number = int(found["port"] or port) if found is not None else 0
        if found is None or not 0 < number < 65536:
            raise UsageError(f"{shown(url)}: {each or 'nothing'!r} is no host: {parts.scheme}://HOST:PORT/...")
        hosts.append((found["six"] or found["name"], number))
    user, _, password = credentials.partition(":")
    given = (unquote(user) or None, unquote(password) or None)
    return Address(parts.scheme, tuple(hosts), unquote(parts.path.lstrip("/")), _options(url, parts.query), *given, url)


def _options(url: str, query: str) -> dict[str, str]:
    options: dict[str, str] = {}
    for name, value in parse_qsl(query, keep_blank_values=True):
        if name in options:
            raise UsageError(f"{shown(url)}: {name!r} is said twice")
        options[name] = value
    return options


def shown(url: str) -> str:
    """A URL without its password."""
    return re.sub(r"(?<=://)[^/@\s]*@", "", url)


def check_options(address: Address, known: Mapping[str, Option], use: str) -> None:
    """Raises an error for an option that is not one, or whose value cannot be one."""
    for name, value in address.options.items():
        if name not in known or use not in known[name].uses:
            has = sorted(each for each, option in known.items() if use in option.uses)
            raise UsageError(f"{address}: a {use} of {address.scheme} has no {name!r}; it has {choices(has, 'and')}")
        _check_value(f"{address}: {name}", value, known[name].kind)


def _check_value(what: str, value: str, kind: str) -> None:
    if kind == "number":
        if not re.fullmatch(r"[0-9]{1,9}", value):
            raise UsageError(f"{what} is {value!r}: a whole number")
    elif kind == "span":
        try:
            parse_period(value)
        except RuleError as error:
            raise UsageError(f"{what} is {value!r}: {error.faults[0].message}") from None
    elif "|" in kind and value not in kind.split("|"):
        raise UsageError(f"{what} is {value!r}: {choices(kind.split('|'))}")


def secret(what: str, name: str) -> str:
    """What a variable of the environment holds: secrets do not stand in files."""
    value = os.environ.get(name)
    if not value:
        raise UsageError(f"{what}: the environment has no {name}, which should hold the secret")
    return value
