"""What a callback says: where notifications of a request go. What is wrong with it is told all at once, as data.

    callback: https://example.org/hook                                         a webhook, or a broker's topic
    callback: {url: "https://example.org/hook", secret: whsec_...}             signed; `[NEW, OLD]` while it is changed
    callback: [{url: "nats://broker.example.org/found?encoding=cloudevents"}, {file: alarms}, {program: siren}]

A file or a program is a name that the operator's settings have. A request says neither a path nor a command, nor
what would make this service read one: of a broker's options only those that cannot are known here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from tocsin.errors import RuleError, UsageError, choices, nearest
from tocsin.sinks.signatures import PREFIX, key_of
from tocsin.transports import SINK, address_of, scheme_of

HIDDEN: Final = "***"
"""What is shown of a secret. Where it comes back, the secret is what it was."""
MOST: Final = 16
"""Callbacks of a request."""
LONGEST: Final = 2_048
"""Characters of a URL."""
SHORTEST_KEY: Final = 16
"""Bytes of a key; the convention asks for 24 to 64."""
MOST_SECRETS: Final = 4
WEBHOOKS: Final = ("http", "https")
TOPICS: Final = ("nats", "nats+tls", "mqtt", "mqtts", "kafka")
OPTIONS: Final = ("encoding", "mode", "as", "qos", "retain", "stream")
"""Of a broker's URL: none of them names a file or a variable of the environment."""
_HOST: Final = re.compile(r"[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?(\.[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?)*\.?")
_NUMBERS: Final = re.compile(r"(0[xX][0-9A-Fa-f]*|[0-9]+)(\.(0[xX][0-9A-Fa-f]*|[0-9]+))*\.?")
_DOTTED: Final = re.compile(r"(0|[1-9][0-9]{0,2})(\.(0|[1-9][0-9]{0,2})){3}")


@dataclass(frozen=True)
class Webhook:
    """An address that notifications are posted to, signed with each of the secrets."""

    url: str = field(repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)

    def __str__(self) -> str:
        return f"webhook {host_of(self.url)}"


@dataclass(frozen=True)
class Topic:
    """A topic of a broker."""

    url: str = field(repr=False)

    def __str__(self) -> str:
        return f"topic {host_of(self.url)}"


@dataclass(frozen=True)
class File:
    """A file that the operator's settings name."""

    name: str

    def __str__(self) -> str:
        return f"file {self.name}"


@dataclass(frozen=True)
class Program:
    """A program that the operator's settings name."""

    name: str

    def __str__(self) -> str:
        return f"program {self.name}"


Target: TypeAlias = Webhook | Topic | File | Program


@dataclass(frozen=True)
class TargetFault:
    """Something wrong with a callback. `where` is a path in the document: `callback[1].url`."""

    code: str
    message: str
    where: str
    hint: str = ""


@dataclass(frozen=True)
class Names:
    """The files and programs that a callback may name."""

    files: Sequence[str] = ()
    programs: Sequence[str] = ()


NO_NAMES: Final = Names()


def read_targets(
    document: object, names: Names = NO_NAMES, before: Sequence[Target] = ()
) -> tuple[tuple[Target, ...], tuple[TargetFault, ...]]:
    """The targets that a request's `callback` says, and all that is wrong with it. What was shown with secrets hidden,
    and comes back so, means those of the targets `before`."""
    reading = _Reading(names, {_text(shown(each)): each for each in before})
    if document is None:
        return (), ()
    if not isinstance(document, list):
        found = [reading.target(document, "callback")]
    elif len(document) > MOST:
        message = f"a request has {len(document)} callbacks, and {MOST} at most"
        return (), (TargetFault("too-many-callbacks", message, "callback", "let a broker's topic spread them"),)
    else:
        found = [reading.target(each, f"callback[{index}]") for index, each in enumerate(document)]
    return tuple(each for each in found if each is not None), tuple(reading.faults)


def to_json(target: Target) -> dict[str, Any]:
    """A target with its secrets, for the store alone; `of_json` reads it."""
    match target:
        case Webhook(url, secrets):
            return {"url": url, **({"secret": list(secrets)} if secrets else {})}
        case Topic(url):
            return {"url": url}
        case File(name):
            return {"file": name}
        case Program(name):
            return {"program": name}


def of_json(record: Mapping[str, Any]) -> Target:
    """What `to_json` gave."""
    if "url" in record:
        is_webhook = scheme_of(record["url"]) in WEBHOOKS
        return Webhook(record["url"], tuple(record.get("secret", ()))) if is_webhook else Topic(record["url"])
    return File(record["file"]) if "file" in record else Program(record["program"])


def shown(target: Target) -> dict[str, Any]:
    """A target as anybody may see it: no secret, no password, no value behind a URL's `?`."""
    record = to_json(target)
    if "url" in record:
        record["url"] = _without_secrets(record["url"], is_webhook=isinstance(target, Webhook))
    if "secret" in record:
        record["secret"] = [PREFIX + HIDDEN] * len(record["secret"])
    return record


def place_of(target: Target | None) -> str:
    """What is shared by all targets that are in one place: a host, a broker, a file or a program."""
    return host_of(target.url) if isinstance(target, Webhook | Topic) else str(target)


def host_of(url: str) -> str:
    """Where a URL leads to, and nothing more of it: scheme, host and port."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"


def _without_secrets(url: str, *, is_webhook: bool) -> str:
    parts = urlsplit(url)
    credentials, at, host = parts.netloc.rpartition("@")
    user, colon, _ = credentials.partition(":")
    query = parts.query
    if is_webhook and query:
        query = "&".join(f"{name}={HIDDEN}" if has else HIDDEN for name, has, _ in _parts(query))
    return urlunsplit(parts._replace(netloc=f"{user}{colon and ':' + HIDDEN}{at}{host}", query=query))


def _parts(query: str) -> list[tuple[str, str, str]]:
    return [each.partition("=") for each in query.split("&")]


def _text(record: object) -> str:
    return json.dumps(record, sort_keys=True)


class _Reading:
    """Callbacks of a request being read."""

    def __init__(self, names: Names, before: Mapping[str, Target]) -> None:
        self._names, self._before = names, before
        self.faults: list[TargetFault] = []

    def target(self, document: object, where: str) -> Target | None:
        """One target; None where something is wrong with it."""
        if isinstance(document, str):
            document = {"url": document}
        kinds = ("url", "file", "program")
        if not isinstance(document, dict) or sum(kind in document for kind in kinds) != 1:
            message = "a callback is a URL, or a mapping with one of 'url', 'file' and 'program'"
            self._fault("invalid-callback", message, where, 'as in {"url": "https://example.org/hook"}')
            return None
        kind = next(each for each in kinds if each in document)
        known = ("url", "secret") if kind == "url" else (kind,)
        for key in document:
            if key not in known:
                message = f"a callback with '{kind}' has no {str(key)!r}; it has {choices(known, 'and')}"
                self._fault("unknown-key", message, f"{where}.{key}", nearest(str(key), known))
        value = document[kind]
        if not isinstance(value, str) or not value:
            self._fault("invalid-callback", f"'{kind}' must be a text", f"{where}.{kind}")
            return None
        if kind != "url":
            return self._named(kind, value, f"{where}.{kind}")
        return self._kept(document) or self._url(document, where)

    def _kept(self, document: Mapping[str, Any]) -> Target | None:
        """The target that was there before, if this is what was shown of it."""
        secret = document.get("secret")
        listed = {**document, "secret": [secret]} if isinstance(secret, str) else document
        return self._before.get(_text(listed))

    def _named(self, kind: str, name: str, where: str) -> Target | None:
        known = self._names.files if kind == "file" else self._names.programs
        if name in known:
            return File(name) if kind == "file" else Program(name)
        there = f"there is {choices(sorted(known), 'and')}" if known else "there is none"
        message = f"the operator has named no {kind} {name!r}; {there}"
        hint = nearest(name, known) or "a callback names what the service's settings list, never a path or a command"
        self._fault(f"unknown-{kind}", message, where, hint)
        return None

    def _url(self, document: Mapping[str, Any], where: str) -> Target | None:
        url, count = document["url"], len(self.faults)
        place = f"{where}.url"
        if HIDDEN in url:
            message = f"'{HIDDEN}' stands for what is not shown, and there is no callback here that it was shown of"
            self._fault("hidden-secret", message, place, "write the URL with all that belongs to it")
            return None
        if len(url) > LONGEST or not url.isprintable() or " " in url or "\\" in url:
            message = f"this is no URL: {LONGEST:,} characters at most, and no blanks, backslashes or line ends"
            self._fault("invalid-url", message, place)
            return None
        scheme = scheme_of(url)
        if scheme not in (*WEBHOOKS, *TOPICS):
            known = choices([f"{each}://" for each in (*WEBHOOKS, *TOPICS)])
            hint = nearest(scheme, (*WEBHOOKS, *TOPICS))
            self._fault("unknown-scheme", f"a callback cannot go to {scheme!r}: {known}", place, hint)
            return None
        if scheme in TOPICS:
            if "secret" in document:
                message = "a broker's topic has no 'secret': webhooks are signed"
                self._fault("unknown-key", message, f"{where}.secret")
            self._check_topic(url, place)
            return Topic(url) if len(self.faults) == count else None
        self._check_webhook(url, place)
        secrets = self._secrets(document.get("secret"), f"{where}.secret")
        return Webhook(url, secrets) if len(self.faults) == count else None

    def _check_webhook(self, url: str, where: str) -> None:
        try:
            parts = urlsplit(url)
            host, _ = parts.hostname or "", parts.port
        except ValueError as error:
            self._fault("invalid-url", f"this is no URL: {error}", where)
            return
        if parts.fragment:
            self._fault("invalid-url", "what follows '#' never reaches a web server", where, "leave it out")
        is_odd = _NUMBERS.fullmatch(host) and not _DOTTED.fullmatch(host)
        if ":" not in host and (is_odd or not _HOST.fullmatch(host)):
            message = f"{host!r} is no host: a name as example.org, or an address as 192.0.2.1 or [2001:db8::1]"
            self._fault("invalid-url", message, where)

    def _check_topic(self, url: str, where: str) -> None:
        try:
            given = [name for name, _ in parse_qsl(urlsplit(url).query, keep_blank_values=True)]
            unknown = [name for name in given if name not in OPTIONS]
            if unknown:
                message = f"a callback's URL has no option {unknown[0]!r}; it may have {choices(OPTIONS, 'and')}"
                self._fault("unknown-option", message, where, nearest(unknown[0], OPTIONS))
                return
            address = address_of(url, SINK)
            if not address.path:
                self._fault("invalid-url", f"no topic: {address.scheme}://HOST/TOPIC", where)
        except (UsageError, RuleError, ValueError) as error:
            self._fault("invalid-url", str(error), where)

    def _secrets(self, document: object, where: str) -> tuple[str, ...]:
        if document is None:
            return ()
        listed = document if isinstance(document, list) else [document]
        if not 1 <= len(listed) <= MOST_SECRETS:
            message = f"a webhook has one secret, or up to {MOST_SECRETS} while it is changed, the new one first"
            self._fault("invalid-secret", message, where)
            return ()
        made: list[str] = []
        for index, each in enumerate(listed):
            place = f"{where}[{index}]" if isinstance(document, list) else where
            reason = _reason_against(each)
            if reason:  # what it is stands in no message
                self._fault("invalid-secret", f"this secret cannot be used: {reason}", place, f"{PREFIX} and base64")
            else:
                made.append(each)
        return tuple(made)

    def _fault(self, code: str, message: str, where: str, hint: str = "") -> None:
        self.faults.append(TargetFault(code, message, where, hint))


def _reason_against(secret: object) -> str:
    """Why a text is no secret of a webhook; empty if it is one."""
    if not isinstance(secret, str) or not secret.startswith(PREFIX):
        return f"it begins with {PREFIX}"
    if HIDDEN in secret:
        return f"'{HIDDEN}' stands for one that is not shown, and there is none here"
    try:
        length = len(key_of(secret))
    except ValueError as error:
        return str(error)
    return "" if length >= SHORTEST_KEY else f"it has {length} bytes; {SHORTEST_KEY} is the least"
