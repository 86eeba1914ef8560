"""Pipelines of Sigma: what the fields of rules are called in one's own events, and what their placeholders stand for.

    name: our events
    priority: 10
    vars: {admins: [root, administrator]}
    transformations:
    - type: field_name_mapping
      mapping: {CommandLine: cmd, User: [user, account]}
      rule_conditions: [{type: logsource, product: windows}]
    - type: value_placeholders

A pipeline is a file of its own, given beside the rules or in their directory: it is about all Sigma files that are
loaded with it. Several go one after the other, by priority. A field that stands for several matches if any of them
does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Final

import yaml

from tocsin.errors import choices, nearest
from tocsin.rules.placed_yaml import PlacedYaml

_HEADED: Final = re.compile(r"^transformations\s*:", re.MULTILINE)
_OTHERWISE: Final = re.compile(r"^(rules|detection|correlation)\s*:", re.MULTILINE)
_PLACEHOLDER: Final = re.compile(r"(?<!\\)%(\w+)%")
KEYS: Final = ("name", "priority", "vars", "transformations", "allowed_backends")
LOG_SOURCE: Final = ("product", "category", "service")
COMMON: Final = ("id", "type", "rule_conditions", "rule_cond_op", "field_name_conditions")
TYPES: Final[Mapping[str, tuple[str, ...]]] = {
    "field_name_mapping": ("mapping",),
    "field_name_prefix_mapping": ("mapping",),
    "field_name_prefix": ("prefix",),
    "field_name_suffix": ("suffix",),
    "value_placeholders": ("include", "exclude"),
    "wildcard_placeholders": ("include", "exclude"),
    "change_logsource": LOG_SOURCE,
}
"""The transformations that can be said here, with their settings."""
LogSource = Mapping[str, str]


def looks_like_pipeline(text: str) -> bool:
    """Whether a file of YAML is a pipeline: a look at its lines."""
    return _HEADED.search(text) is not None and _OTHERWISE.search(text) is None


@dataclass(frozen=True)
class Step:
    """One transformation: what it is, which rules it is about, and which fields."""

    kind: str
    settings: Mapping[str, object]
    sources: tuple[LogSource, ...] = ()
    every: bool = True
    """Whether all of `sources` must fit a rule, or any."""
    fields: tuple[bool, frozenset[str]] | None = None
    """The fields that it is about (True) or not about (False)."""

    def is_about(self, source: LogSource) -> bool:
        """Whether it concerns the rules of a log source."""
        fit = [all(source.get(key) == value for key, value in each.items()) for each in self.sources]
        return not fit or (all(fit) if self.every else any(fit))

    def names(self, field: str) -> tuple[str, ...]:
        """What it makes of the name of a field."""
        if self.fields is not None and (field in self.fields[1]) is not self.fields[0]:
            return (field,)
        match self.kind:
            case "field_name_mapping":
                return _texts(self._mapping.get(field, field))
            case "field_name_prefix_mapping":
                found = next((key for key in self._mapping if field.startswith(key)), None)
                rest = "" if found is None else field.removeprefix(found)
                return (field,) if found is None else tuple(each + rest for each in _texts(self._mapping[found]))
            case "field_name_prefix":
                return (f"{self.settings['prefix']}{field}",)
            case "field_name_suffix":
                return (f"{field}{self.settings['suffix']}",)
        return (field,)

    def fills(self, placeholder: str) -> bool:
        """Whether it gives a placeholder its values."""
        if self.kind not in ("value_placeholders", "wildcard_placeholders"):
            return False
        include, exclude = self.settings.get("include"), self.settings.get("exclude")
        return (include is None or placeholder in _texts(include)) and placeholder not in _texts(exclude or ())

    @property
    def _mapping(self) -> Mapping[str, object]:
        found = self.settings["mapping"]
        assert isinstance(found, dict)
        return found


def _texts(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list | tuple) else (str(value),)


@dataclass(frozen=True)
class Pipeline:
    """Transformations, one after the other, and the values of placeholders."""

    steps: tuple[Step, ...] = ()
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    priority: int = 0

    def applied(self, source: LogSource) -> Applied:
        """What it does to the rules of a log source."""
        steps: list[Step] = []
        for step in self.steps:
            if step.is_about(source):
                steps.append(step)
                source = step.settings if step.kind == "change_logsource" else source  # type: ignore[assignment]  # texts
        return Applied(source, tuple(steps), self.values)


@dataclass(frozen=True)
class Applied:
    """What pipelines make of one rule."""

    source: LogSource
    steps: tuple[Step, ...]
    values: Mapping[str, tuple[str, ...]]

    def names(self, field: str) -> tuple[str, ...]:
        """What a field is called in our events; several, if any of them may be it."""
        found: tuple[str, ...] = (field,)
        for step in self.steps:
            found = tuple(dict.fromkeys(name for each in found for name in step.names(each)))
        return found

    def filled(self, text: str) -> tuple[str, ...]:
        """A text with its placeholders filled in, in every way. KeyError tells the one that has no values."""
        parts = _PLACEHOLDER.split(text)
        ways = [self._of(part) if place % 2 else (part,) for place, part in enumerate(parts)]
        return tuple("".join(each) for each in product(*ways))

    def _of(self, placeholder: str) -> tuple[str, ...]:
        step = next((each for each in self.steps if each.fills(placeholder)), None)
        if step is None:
            raise KeyError(placeholder)
        return ("*",) if step.kind == "wildcard_placeholders" else self.values[placeholder]


def together(pipelines: Iterable[Pipeline]) -> Pipeline:
    """Several pipelines as one, by priority."""
    steps: list[Step] = []
    values: dict[str, tuple[str, ...]] = {}
    for each in sorted(pipelines, key=lambda pipeline: pipeline.priority):
        steps += each.steps
        values |= each.values
    return Pipeline(tuple(steps), values)


def read_pipeline(text: str, file: str) -> Pipeline:
    """The pipeline of a file; what it asks for and what cannot be said is refused at its place."""
    return _PipelineYaml(text, file).pipeline()


class _PipelineYaml(PlacedYaml):
    """One pipeline, read node by node."""

    def pipeline(self) -> Pipeline:
        found = self.fields(self.compose("transformations: a list"), KEYS)
        priority = self.count(found["priority"], 0, 1_000_000) if "priority" in found else 0
        values = {key: self.texts(node) for key, node in self._optional(found, "vars").items()}
        return Pipeline(tuple(map(self._step, self._list(found["transformations"]))), values, priority)

    def _optional(self, found: dict[str, yaml.Node], key: str) -> dict[str, yaml.Node]:
        return self.fields(found[key]) if key in found else {}

    def _list(self, node: yaml.Node) -> list[yaml.Node]:
        if not isinstance(node, yaml.SequenceNode):
            raise self.fault(node, "this must be a list", "- type: field_name_mapping")
        return list(node.value)

    def _step(self, node: yaml.Node) -> Step:
        found = self.fields(node)
        kind = self._kind(found.get("type"), node, tuple(TYPES), "transformation")
        self.fields(node, (*COMMON, *TYPES[kind]))  # which refuses what it does not have
        for key in TYPES[kind][:1] if kind.startswith("field_name") else ():
            if key not in found:
                raise self.fault(node, f"this transformation has no '{key}'", f"{key}: ...")
        settings: dict[str, object] = {}
        for key in TYPES[kind]:
            if key == "mapping":
                settings[key] = {name: self.texts(each) for name, each in self.fields(found[key]).items()}
            elif key in found:
                settings[key] = self.texts(found[key]) if key in ("include", "exclude") else self.string(found[key])
        every = self._word(found.get("rule_cond_op"), ("and", "or")) != "or"
        return Step(kind, settings, self._each(found, "rule_conditions", self._source), every, self._fields(found))

    def _each(
        self, found: dict[str, yaml.Node], key: str, read: Callable[[yaml.Node], LogSource]
    ) -> tuple[LogSource, ...]:
        return tuple(map(read, self._list(found[key]))) if key in found else ()

    def _source(self, node: yaml.Node) -> LogSource:
        found = self.fields(node)
        self._kind(found.get("type"), node, ("logsource",), "condition on rules")
        asked = self.fields(node, ("type", *LOG_SOURCE))
        return {key: self.string(asked[key]) for key in LOG_SOURCE if key in asked}

    def _fields(self, found: dict[str, yaml.Node]) -> tuple[bool, frozenset[str]] | None:
        nodes = self._list(found["field_name_conditions"]) if "field_name_conditions" in found else []
        if not nodes:
            return None
        if len(nodes) > 1:
            raise self.fault(nodes[1], "one condition on fields is enough", "include_fields or exclude_fields")
        asked = self.fields(nodes[0], ("type", "fields"))
        kind = self._kind(asked.get("type"), nodes[0], ("include_fields", "exclude_fields"), "condition on fields")
        if "fields" not in asked:
            raise self.fault(nodes[0], "this condition has no 'fields'", "fields: [...]")
        return kind == "include_fields", frozenset(self.texts(asked["fields"]))

    def _kind(self, node: yaml.Node | None, around: yaml.Node, known: tuple[str, ...], what: str) -> str:
        if node is None:
            raise self.fault(around, f"this {what} has no 'type'", choices(known))
        kind = self.string(node)
        if kind not in known:
            raise self.fault(node, f"the {what} '{kind}' cannot be said", choices(known), nearest(kind, known))
        return kind

    def _word(self, node: yaml.Node | None, known: tuple[str, ...]) -> str:
        if node is None:
            return known[0]
        word = self.string(node)
        if word not in known:
            raise self.fault(node, f"'{word}' is not possible here", choices(known))
        return word


NO_PIPELINE: Final = Pipeline()
