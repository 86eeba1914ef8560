"""`serve.yaml` read: every fault at its line and column, all of them at once."""

from __future__ import annotations

from dataclasses import MISSING, fields, replace
from pathlib import Path
from typing import Any, TypeVar

import yaml

from tocsin.errors import Fault, RuleError, UsageError, choices, nearest
from tocsin.rules.loader import read_text
from tocsin.service.setting_kinds import SettingsText
from tocsin.service.settings import Settings, Store, broker_of_sites

Section = TypeVar("Section")


def read_settings(path: str) -> Settings:
    """The settings in a file; paths in it are relative to it."""
    return settings_of(read_text(Path(path)), path)


def settings_of(text: str, file: str) -> Settings:
    """The settings in a text; an empty one sets nothing."""
    reader = _Reader(text, file, Path(file).resolve().parent)
    if all(line.lstrip()[:1] in ("", "#") for line in text.splitlines()):
        return Settings()
    found = reader.section(reader.compose(f"settings: {choices([each.name for each in fields(Settings)])}"), Settings)
    if found is None or reader.faults:
        raise RuleError(sorted(reader.faults, key=_position))
    return found


def overridden(
    settings: Settings,
    *,
    store: str | None = None,
    host: str | None = None,
    port: int | None = None,
    rules: tuple[str, ...] = (),
    sites: str | None = None,
) -> Settings:
    """The settings with what a command line says, which comes first; its rules come beside those of the file."""
    listen = settings.listen
    if host is not None:
        listen = replace(listen, host=host)
    if port is not None:
        if not 0 <= port <= 65535:
            raise UsageError(f"there is no port {port}: 0 to 65535")
        listen = replace(listen, port=port)
    kept = settings.store if store is None else Store(store)
    if sites is not None:
        settings = replace(settings, sites=broker_of_sites(sites))
    every = tuple(dict.fromkeys((*settings.rules, *rules)))
    return replace(settings, listen=listen, store=kept, rules=every)


def _position(fault: Fault) -> tuple[int, int]:
    return (0, 0) if fault.place is None else (fault.place.line, fault.place.column)


class _Reader(SettingsText):
    """The file being read. Faults are collected; who gets None knows that there was one."""

    def __init__(self, text: str, file: str, home: Path) -> None:
        super().__init__(text, file, home)
        self.faults: list[Fault] = []

    def section(self, node: yaml.Node, of: type[Section]) -> Section | None:
        """A group of settings."""
        node = self._spelt_out(node, of)
        declared = {each.name: each for each in fields(of)}  # type: ignore[arg-type]  # all sections are dataclasses
        before = len(self.faults)
        given = self._given(node, tuple(declared))
        values = {name: self._value(each, declared[name].metadata) for name, each in given.items()}
        missing = [
            name
            for name, each in declared.items()
            if name not in given and each.default is MISSING and each.default_factory is MISSING
        ]
        if missing and isinstance(node, yaml.MappingNode):
            for name in missing:
                self.faults.extend(self.fault(node, f"there is no '{name}' here", f"{name}:").faults)
        if len(self.faults) > before:
            return None
        try:
            return of(**values)
        except UsageError as error:
            self.faults.extend(self.fault(node, str(error)).faults)
            return None

    def _spelt_out(self, node: yaml.Node, of: type[Any]) -> yaml.Node:
        """`store: PATH` is short for `store: {at: PATH}`."""
        first = fields(of)[0].name
        if first != "at" or not isinstance(node, yaml.ScalarNode):
            return node
        key = yaml.ScalarNode("tag:yaml.org,2002:str", first, node.start_mark, node.end_mark)
        return yaml.MappingNode("tag:yaml.org,2002:map", [(key, node)], node.start_mark, node.end_mark)

    def _given(self, node: yaml.Node, known: tuple[str, ...]) -> dict[str, yaml.Node]:
        """The settings that are given, each once; what is none is a fault of its own."""
        if not isinstance(node, yaml.MappingNode):
            expected = choices([f"{key}:" for key in known])
            self.faults.extend(self.fault(node, "this must be a mapping", expected).faults)
            return {}
        given: dict[str, yaml.Node] = {}
        for key_node, value in node.value:
            try:
                key = self.string(key_node)
                if key not in known:
                    raise self.fault(key_node, f"there is no setting '{key}'", choices(known), nearest(key, known))
                if key in given:
                    raise self.fault(key_node, f"'{key}' is given twice")
                given[key] = value
            except RuleError as error:
                self.faults.extend(error.faults)
        return given

    def _value(self, node: yaml.Node, told: Any) -> Any:
        """What one setting is; None where that is a fault."""
        if "section" in told:
            return self.section(node, told["section"])
        if "list" in told:
            if not isinstance(node, yaml.SequenceNode):
                self.faults.extend(self.fault(node, "this must be a list", "- ...").faults)
                return None
            return tuple(self.section(each, told["list"]) for each in node.value)
        try:
            return told["kind"].read(self, node)
        except RuleError as error:
            self.faults.extend(error.faults)
        except UsageError as error:
            self.faults.extend(self.fault(node, str(error)).faults)
        return None
