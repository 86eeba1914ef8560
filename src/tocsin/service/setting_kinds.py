"""What a setting is: its default, its meaning in words, and how its value is read from YAML.

Settings are fields of frozen dataclasses, declared by `setting`, `required`, `section` and `listed`; the reader of
`serve.yaml` and the table of the documentation know nothing but these declarations.
"""

from __future__ import annotations

import ipaddress
import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, Generic, TypeVar, cast
from urllib.parse import urlsplit

import yaml

from tocsin.algebra.order import order_text
from tocsin.errors import UsageError, choices, nearest
from tocsin.rules.budgets import UNITS, Budget, budget_of
from tocsin.rules.options import context_of, order_of, period_of, window_of
from tocsin.rules.placed_yaml import PlacedYaml
from tocsin.time.spans import MSEC, SECOND, Period, human_period

Value = TypeVar("Value")
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}", re.ASCII)
_SIZE: Final = re.compile(r"([0-9][0-9_]{0,15}) ?([A-Za-z]*)", re.ASCII)


@dataclass
class SettingsText(PlacedYaml):
    """A settings file as it is read; paths in it are relative to where it is."""

    home: Path = Path()

    def path(self, node: yaml.Node) -> str:
        """A path, made whole."""
        return str(self.home / self.string(node))


@dataclass(frozen=True)
class Kind(Generic[Value]):
    """A kind of value: what the documentation calls it, how it is read, how a default is shown."""

    name: str
    read: Callable[[SettingsText, yaml.Node], Value]
    show: Callable[[Any], str] = str


@dataclass(frozen=True)
class Described:
    """One setting as people see it: `limits.body`, what it takes, what it is by default, what it means."""

    path: str
    kind: str
    default: str
    meaning: str


# -- declarations ------------------------------------------------------------------------------------------------------


def setting(kind: Kind[Any], default: Value, meaning: str) -> Value:
    """A field that has a value when nobody says otherwise."""
    return field(default=default, metadata={"kind": kind, "meaning": meaning})


def required(kind: Kind[Value], meaning: str) -> Value:
    """A field that must be given."""
    return cast(Value, field(metadata={"kind": kind, "meaning": meaning}))


def mapped(kind: Kind[Any], meaning: str) -> Any:
    """A field that is a mapping, empty by default."""
    return field(default_factory=dict, metadata={"kind": kind, "meaning": meaning})


def section(of: type[Value], meaning: str) -> Value:
    """A field that is a group of settings."""
    return field(default_factory=of, metadata={"section": of, "meaning": meaning})


def optional_section(of: type[Value], meaning: str) -> Value | None:
    """A field that is a group of settings, or nothing."""
    return cast("Value | None", field(default=None, metadata={"section": of, "meaning": meaning}))


def listed(of: type[Value], meaning: str) -> tuple[Value, ...]:
    """A field that is a list of groups of settings, empty by default."""
    return cast("tuple[Value, ...]", field(default=(), metadata={"list": of, "meaning": meaning}))


def each_setting(of: type[Any], prefix: str = "") -> Iterator[Described]:
    """All settings of a group and of the groups in it, in their order."""
    for each in fields(of):
        data, path = each.metadata, prefix + each.name
        if "kind" in data:
            yield Described(path, data["kind"].name, _default(each), data["meaning"])
        elif "section" in data:
            yield Described(path, "group", "none" if each.default is None else "", data["meaning"])
            yield from each_setting(data["section"], f"{path}.")
        else:
            yield Described(path, "list of groups", "none", data["meaning"])
            yield from each_setting(data["list"], f"{path}[].")


def _default(each: Field[Any]) -> str:
    if each.default is MISSING:
        return "none" if each.default_factory is not MISSING else "required"
    if each.default is None or each.default == ():
        return "none"
    return str(each.metadata["kind"].show(each.default))


# -- values ------------------------------------------------------------------------------------------------------------


def count(least: int, most: int) -> Kind[int]:
    """A whole number between two others."""
    return Kind(f"{least} to {most}", lambda text, node: text.count(node, least, most))


def span(least: int = 1) -> Kind[int]:
    """A length of time, in microseconds."""

    def read(text: SettingsText, node: yaml.Node) -> int:
        try:
            length = period_of(text.string(node), "this").length()
        except UsageError as error:
            raise text.fault(node, str(error)) from None
        if length < least:
            raise text.fault(node, f"'{text.string(node)}' is too short", f"at least {_span_text(least)}")
        return length

    return Kind("span", read, _span_text)


def choice(of: type[StrEnum]) -> Kind[Any]:
    """One of a few words."""
    known = [each.value for each in of]

    def read(text: SettingsText, node: yaml.Node) -> StrEnum:
        given = text.string(node)
        if given not in known:
            raise text.fault(node, f"'{given}' is not possible here", choices(known), nearest(given, known))
        return of(given)

    return Kind(choices(known), read)


def or_none(kind: Kind[Value], word: str = "unlimited") -> Kind[Value | None]:
    """A value, or the word for there being none."""

    def read(text: SettingsText, node: yaml.Node) -> Value | None:
        is_word = isinstance(node, yaml.ScalarNode) and node.value == word
        return None if is_word else kind.read(text, node)

    return Kind(f"{kind.name}, or {word}", read, kind.show)


def list_of(kind: Kind[Value]) -> Kind[tuple[Value, ...]]:
    """A list of values, or one."""

    def read(text: SettingsText, node: yaml.Node) -> tuple[Value, ...]:
        items = node.value if isinstance(node, yaml.SequenceNode) else [node]
        return tuple(kind.read(text, each) for each in items)

    return Kind(f"list of: {kind.name}", read, lambda values: ", ".join(kind.show(each) for each in values))


def by_name(kind: Kind[Value], what: str) -> Kind[Mapping[str, Value]]:
    """Values under names that people give them."""

    def read(text: SettingsText, node: yaml.Node) -> Mapping[str, Value]:
        if not isinstance(node, yaml.MappingNode):
            raise text.fault(node, "this must be a mapping", f"NAME: {what}")
        for key, _ in node.value:
            if _NAME.fullmatch(text.string(key)) is None:
                raise text.fault(key, "this is no name", "a letter, then up to 63 letters, digits, - and _")
        return {name: kind.read(text, each) for name, each in text.fields(node).items()}

    return Kind(f"names, each with: {kind.name}", read)


def made(name: str, make: Callable[[str], Value], show: Callable[[Any], str] = str) -> Kind[Value]:
    """What a function makes of a text, whose error is shown at its place."""

    def read(text: SettingsText, node: yaml.Node) -> Value:
        try:
            return make(text.string(node))
        except UsageError as error:
            raise text.fault(node, str(error)) from None

    return Kind(name, read, show)


def size_of(text: str) -> int:
    """A number of bytes as people write it: `64 MB`."""
    match = _SIZE.fullmatch(text.strip())
    if match is None or match[2].upper() not in UNITS or int(match[1]) == 0:
        raise UsageError(f"'{text[:40]}' is no size: write it as 500KB, 64MB, 10GB or as a number of bytes")
    return int(match[1]) * UNITS[match[2].upper()]


def size_text(size: int) -> str:
    """A number of bytes as `size_of` reads it."""
    unit = next((each for each in ("GB", "MB", "KB") if size % UNITS[each] == 0), "B")
    return f"{size // UNITS[unit]}{unit}"


def web_url(text: str) -> str:
    """An address of a web server."""
    try:
        parts = urlsplit(text)
        is_web = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        is_web = False
    if not is_web:
        raise UsageError(f"'{text[:80]}' is no address of a web server: http://... or https://...")
    return text


def is_loopback(host: str) -> bool:
    """Whether nobody but this machine can reach a host."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def _network(text: str) -> Network:
    try:
        return ipaddress.ip_network(text)
    except ValueError as error:
        raise UsageError(f"{error}: a network is written as 10.1.0.0/16 or fd00:1::/32") from None


def _budget_text(budget: Budget) -> str:
    told = [f"rows={budget.rows}"] if budget.rows is not None else []
    told += [f"bytes={size_text(budget.bytes)}"] if budget.bytes is not None else []
    return ",".join((*told, f"policy={budget.policy}"))


def _span_text(length: int) -> str:
    if length < MSEC or length % MSEC:
        return f"{length / SECOND:f}".rstrip("0") + " s"
    return human_period(Period(microseconds=length))


def secret(name: str) -> str:
    """What a variable of the environment holds."""
    value = os.environ.get(name)
    if not value:
        raise UsageError(f"the environment has no '{name[:80]}', which should hold a secret")
    return value


def _environment(text: SettingsText, node: yaml.Node) -> str:
    name = text.string(node)
    try:
        secret(name)
    except UsageError as error:
        raise text.fault(node, str(error), "the name of a variable") from None
    return name


def _existing_file(text: SettingsText, node: yaml.Node) -> str:
    path = text.path(node)
    if not Path(path).is_file():
        raise text.fault(node, f"there is no file {path}")
    return path


def _writable_file(text: SettingsText, node: yaml.Node) -> str:
    path = Path(text.path(node))
    if path.is_dir() or not path.parent.is_dir():
        raise text.fault(
            node, f"{path} can be no file: {'it is a directory' if path.is_dir() else 'no such directory'}"
        )
    return str(path)


def _program(text: SettingsText, node: yaml.Node) -> tuple[str, ...]:
    if not isinstance(node, yaml.SequenceNode) or not node.value:
        raise text.fault(node, "a program is a list: its name and its arguments", "[/usr/bin/logger, -t, tocsin]")
    words = tuple(text.string(each) for each in node.value)
    found = shutil.which(words[0])
    if found is None:
        raise text.fault(node.value[0], f"there is no program '{words[0]}' that can be run")
    return (str(Path(found).absolute()), *words[1:])


TEXT: Final = Kind("text", lambda text, node: text.string(node))
FLAG: Final = Kind("true or false", lambda text, node: text.flag(node), lambda value: str(value).lower())
PATH: Final = Kind("path", lambda text, node: text.path(node))
FILE: Final = Kind("path of a file", _existing_file)
WRITABLE: Final = Kind("path of a file to write", _writable_file)
ENVIRONMENT: Final = Kind("name of an environment variable", _environment)
PROGRAM: Final = Kind("list: a program and its arguments", _program)
SPAN: Final = span()
SIZE: Final = made("size", size_of, size_text)
WEB: Final = made("http or https URL", web_url)
NETWORK: Final = made("network", _network)
BUDGET: Final = made("rows=N,bytes=N,policy=P", budget_of, _budget_text)
ORDER: Final = made("order", order_of, order_text)
CONTEXT: Final = made("context", context_of)
WINDOW: Final = made("span", window_of)
