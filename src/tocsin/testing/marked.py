"""YAML values that know their places: a file as plain values, and the place of each of them.

Scalars are read as YAML 1.2 has them: `on`, `no`, `12:30` and `007` are texts, and so are a
date and all that stands in quotes. A fault is found in the plain
values, where it has a path (`cases`, 2, `given`); here the path becomes a line and a column.
"""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Final

import yaml

from tocsin.errors import Fault, Span, TextError
from tocsin.rules.documents import Reader

Path = tuple[str | int, ...]

_INTEGER: Final = re.compile(r"[-+]?(0|[1-9]\d*)")
_NUMBER: Final = re.compile(r"[-+]?((0|[1-9]\d*)(\.\d*)?|\.\d+)([eE][-+]?\d+)?")
_WORDS: Final = {"true": True, "false": False, "null": None, "~": None, "": None}
_LONGEST_NUMBER: Final = 300


class Wrong(Exception):
    """Something that cannot be so in a test, with the path to it; `span` is inside the text that stands there."""

    def __init__(
        self, path: Path, message: str, expected: str = "", hint: str = "", span: Span | None = None, key: str = ""
    ) -> None:
        self.path, self.message, self.expected, self.hint, self.span, self.key = (
            path, message, expected, hint, span, key,
        )  # fmt: skip
        super().__init__(message)

    def under(self, path: Path) -> Wrong:
        """The same with its path inside something larger."""
        return Wrong((*path, *self.path), self.message, self.expected, self.hint, self.span, self.key)


class Marked:
    """One YAML file."""

    def __init__(self, text: str, file: str, expected: str) -> None:
        self.reader = Reader(text, file)
        self.root = self.reader.compose(expected)
        self._known: dict[int, object] = {}
        self._open: set[int] = set()
        self.value = self._plain(self.root)

    def node(self, path: Path) -> yaml.Node:
        """The node at a path, or the last one on the way that there is."""
        found = self.root
        for step in path:
            inside = _inside(found, step)
            if inside is None:
                return found
            found = inside
        return found

    def error(self, wrong: Wrong) -> TextError:
        """What is wrong, at its place."""
        node = self.node(wrong.path)
        fault = Fault(wrong.message, wrong.span, wrong.expected, wrong.hint)
        if wrong.key and isinstance(node, yaml.MappingNode):
            node = next((key for key, _ in node.value if key.value == wrong.key), node)
        elif wrong.span is not None and isinstance(node, yaml.ScalarNode):
            return TextError(self.reader.source_of(node).place(fault))
        mark = node.start_mark
        width = max(1, node.end_mark.column - mark.column) if node.end_mark.line == mark.line else 1
        return TextError(replace(fault, place=replace(self.reader.place_at(mark.line, mark.column), width=width)))

    def _plain(self, node: yaml.Node) -> object:
        """What a node is worth; a part that is referred to again is worth the same object."""
        if id(node) in self._open:
            raise TextError(
                Fault(
                    "this contains itself",
                    place=self.reader.place_at(node.start_mark.line, node.start_mark.column),
                )
            )
        if id(node) not in self._known:
            self._open.add(id(node))
            self._known[id(node)] = self._made(node)
            self._open.discard(id(node))
        return self._known[id(node)]

    def _made(self, node: yaml.Node) -> object:
        if isinstance(node, yaml.MappingNode):
            made: dict[str, object] = {}
            for key, value in node.value:
                place = self.reader.place_at(key.start_mark.line, key.start_mark.column)
                if not isinstance(key, yaml.ScalarNode):
                    raise TextError(Fault("a key is a text", place=place))
                if key.value in made:
                    raise TextError(Fault(f"'{key.value}' is given twice", place=place))
                made[key.value] = self._plain(value)
            return made
        if isinstance(node, yaml.SequenceNode):
            return [self._plain(item) for item in node.value]
        assert isinstance(node, yaml.ScalarNode)
        return scalar(node.value) if node.style is None else str(node.value)


def scalar(text: str) -> object:
    """A plain scalar: a number, true, false or nothing where it is written as one, else the text."""
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    if len(text) <= _LONGEST_NUMBER:
        if _INTEGER.fullmatch(text):
            return int(text)
        if _NUMBER.fullmatch(text) and math.isfinite(float(text)):
            return float(text)
    return text


def _inside(node: yaml.Node, step: str | int) -> yaml.Node | None:
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        found: yaml.Node = node.value[step]
        return found
    if isinstance(node, yaml.MappingNode):
        return next((value for key, value in node.value if key.value == step), None)
    return None
