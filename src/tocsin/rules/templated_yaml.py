"""YAML with templates: `templates.py` says what they are; this reads them where they stand, with every fault there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import ClassVar, Final

import yaml

from tocsin.errors import Fault, RuleError, Source, Span, choices, nearest
from tocsin.rules.placed_yaml import PlacedYaml
from tocsin.rules.templates import (
    Argument,
    Call,
    FilledNode,
    FilledSource,
    Template,
    Use,
    call_of,
    filled,
    holes,
    named,
)

TEMPLATES: Final = "templates"
TEMPLATE: Final = "template"
USE: Final = "use"
"""A rule of a template: `use: brute(login_failed, 5)`, in place of what the template says."""


class TemplatedYaml(PlacedYaml):
    """A file whose entries may be made of templates that stand in it."""

    templated: ClassVar[tuple[str, ...]] = ()
    """The keys that a template may have."""
    own: ClassVar[tuple[str, ...]] = ()
    """Those that it must have, so that what is made of it has none of its own."""

    @cached_property
    def templates(self) -> Mapping[str, Template]:
        """The templates of the file by name."""
        root = self.compose("templates: a list of templates")
        pairs = root.value if isinstance(root, yaml.MappingNode) else []
        node = next((value for key, value in pairs if key.value == TEMPLATES), None)
        if node is None:
            return {}
        if not isinstance(node, yaml.SequenceNode):
            raise self.fault(node, f"'{TEMPLATES}' must be a list", f"- {TEMPLATE}: name(parameter)")
        found: dict[str, Template] = {}
        for each in node.value:
            made = self._template(each)
            if made.name in found:
                raise self.fault(each, f"two templates are called '{made.name}'", "another name")
            found[made.name] = made
        return found

    def _template(self, node: yaml.Node) -> Template:
        fields = self.fields(node, (TEMPLATE, *self.templated))
        for key in (TEMPLATE, *self.own):
            if key not in fields:
                raise self.fault(node, f"this template has no '{key}'", f"{key}: ...")
        call = self._call(fields.pop(TEMPLATE), "brute(type, n = 5)")
        parameters: dict[str, Argument | None] = {}
        for part in call.parts:
            name, value = named(part) or (part.text, None)
            if not name.isidentifier():
                raise _wrong(part, f"'{name}' is no name for a parameter", "a name")
            if name in parameters:
                raise _wrong(part, f"'{name}' comes twice", "another name")
            parameters[name] = value
        used = self._used(fields.values(), parameters)
        for part in call.parts:
            name = (named(part) or (part.text,))[0]
            if name not in used:
                raise _wrong(part, f"nothing uses the parameter '{name}'", f"${{{name}}} in the template")
        return Template(call.name, parameters, fields, call.text)

    def _used(self, values: Iterable[yaml.Node], parameters: Mapping[str, Argument | None]) -> set[str]:
        """The parameters that the values of a template use; it must have them."""
        used: set[str] = set()
        for value in values:
            for name, text, span in holes(value):
                used.add(name)
                if name not in parameters:
                    message, hint = f"the template has no parameter '{name}'", nearest(name, parameters)
                    fault = Fault(message, span, choices(list(parameters)), hint)
                    raise RuleError(self.source_of(text).place(fault))
        return used

    def use_of(self, fields: Mapping[str, yaml.Node]) -> Use | None:
        """The template of an entry with what it is given, if it has one."""
        node = fields.get(USE)
        if node is None:
            return None
        for key in self.own:
            if key in fields:
                raise self.fault(fields[key], f"the template says the {key} already", f"the rule without {key}")
        call = self._call(node, "brute(login_failed, 5)")
        template = self.templates.get(call.name)
        if template is None:
            hint = nearest(call.name, self.templates) or f"the templates of a file stand in it, under '{TEMPLATES}:'"
            raise self.fault(node, f"there is no template '{call.name}' here", choices(list(self.templates)), hint)
        given = _given(template, call)
        for name, default in template.parameters.items():
            if name not in given and default is None:
                raise self.fault(node, f"nothing is given for '{name}'", template.header)
        defaults = {name: each for name, each in template.parameters.items() if each is not None}
        return Use(template, {**defaults, **given}, call.text, node.start_mark.line + 1)

    def _call(self, node: yaml.Node, example: str) -> Call:
        call = call_of(self.source_of(node))
        if call is None:
            raise self.fault(node, "this must be a name with parentheses", example)
        return call

    def source_of(self, node: yaml.Node) -> Source:
        """A scalar as a text of its own that knows where it was typed, in a template and in what fills it."""
        if isinstance(node, FilledNode):
            self.string(node)
            return FilledSource(super().source_of(node.hollow), node.use)
        return super().source_of(node)


def filled_in(fields: Mapping[str, yaml.Node], use: Use) -> dict[str, yaml.Node]:
    """The settings of an entry that a template makes; what the entry says itself stands."""
    made = {key: filled(value, use) for key, value in use.template.fields.items()}
    return {**made, **{key: value for key, value in fields.items() if key != USE}}


def _given(template: Template, call: Call) -> dict[str, Argument]:
    """What a call gives by place and by name."""
    waiting = list(template.parameters)
    given: dict[str, Argument] = {}
    for part in call.parts:
        name, value = named(part) or ("", part)
        if name not in template.parameters:  # `x.v = 3` is a guard
            if not waiting:
                raise _wrong(part, f"{template.header} takes {len(template.parameters)} arguments", template.header)
            name, value = waiting[0], part
        if name in given:
            raise _wrong(part, f"'{name}' is given twice", template.header)
        if not value.text:
            raise _wrong(part, f"nothing is given for '{name}'", template.header)
        waiting.remove(name)
        given[name] = value
    return given


def _wrong(part: Argument, message: str, expected: str) -> RuleError:
    span = Span(part.start, part.start + max(1, len(part.text)))
    return RuleError(part.source.place(Fault(message, span, expected)))
