"""YAML whose values know their places: configuration is read by this, and every fault is shown where it stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import ClassVar, TypeVar

import yaml

from tocsin.errors import Fault, Place, RuleError, Source, Span, TextError, UsageError, choices, nearest
from tocsin.rules.yaml_quotes import quoted_below, quoted_line

Made = TypeVar("Made")


@dataclass
class PlacedYaml:
    """One YAML file, read node by node so that every value knows its line and column."""

    text: str
    file: str

    expressions: ClassVar[tuple[str, ...]] = ()
    """The keys whose values are expressions, which YAML may take for something else unless they are quoted."""

    borrowed: ClassVar[Mapping[str, str]] = {}
    """Keys that other engines have, and what is written here instead."""

    def compose(self, expected: str) -> yaml.Node:
        """The file's topmost node."""
        try:
            root: yaml.Node | None = yaml.compose(self.text, Loader=yaml.SafeLoader)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            reason = ", ".join(part for part in (error.context, error.problem) if part)
            place = Place(self.file, 1, 1) if mark is None else self.place_at(mark.line, mark.column)
            context = error.context_mark
            is_open = mark is not None and context is not None and context.line < mark.line  # it began before that
            is_open = is_open and (error.context or "").startswith("while parsing a flow")
            marks = (error.context_mark, mark) if is_open else (mark, error.context_mark)
            hint = self._quoted(marks[0]) or self._quoted(marks[1])
            if "'\\t'" in (error.problem or ""):
                hint = "YAML is indented with blanks, not with tabs"
            raise RuleError(Fault(f"this is not YAML: {reason}", hint=hint, place=place)) from None
        except yaml.reader.ReaderError as error:
            place = Source(self.text, self.file).at(Span(error.position, error.position + 1))
            raise RuleError(Fault(f"this is not YAML: {error.reason}", place=place)) from None
        except (RecursionError, ValueError) as error:
            reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)
            raise RuleError(Fault(f"this is not YAML: {reason}", place=Place(self.file, 1, 1))) from None
        if root is None:
            raise RuleError(Fault("the file is empty", expected=expected, place=Place(self.file, 1, 1)))
        return root

    # -- values ------------------------------------------------------------------------------------------------

    def fields(self, node: yaml.Node, known: tuple[str, ...] = ()) -> dict[str, yaml.Node]:
        """The values of a mapping by their keys, each of which comes once; of `known` keys alone, if there are any."""
        if not isinstance(node, yaml.MappingNode):
            raise self.fault(node, "this must be a mapping", choices([f"{key}:" for key in known]))
        found: dict[str, yaml.Node] = {}
        for key_node, value in node.value:
            key = self.string(key_node)
            if known and key not in known:
                hint = self.borrowed.get(key.lower()) or nearest(key, known)
                raise self.fault(key_node, f"there is no setting '{key}'", choices(known), hint)
            if key in found:
                raise self.fault(key_node, f"'{key}' is given twice")
            found[key] = value
        return found

    def string(self, node: yaml.Node) -> str:
        """A text."""
        if not isinstance(node, yaml.ScalarNode) or node.tag == "tag:yaml.org,2002:null":
            raise self.fault(node, "this must be a text", "a text", self._quoted(node.start_mark))
        begins = self.text[node.start_mark.index :][:2]
        if begins[:1] == "!" and begins != "!!":
            hint = self._quoted(node.start_mark)
            raise self.fault(node, "YAML takes what begins with '!' for a tag", hint=hint)
        if begins[:1] == "&" and f"*{self.text[node.start_mark.index + 1 :].split(maxsplit=1)[0]}" not in self.text:
            hint = self._quoted(node.start_mark)
            raise self.fault(node, "YAML takes what begins with '&' for an anchor, and nothing refers to it", hint=hint)
        text = str(node.value)
        if any("\ud800" <= character <= "\udfff" for character in text):
            raise self.fault(node, "half of a surrogate pair is no character")
        return text

    def texts(self, node: yaml.Node) -> tuple[str, ...]:
        """A list of texts, or one."""
        items = node.value if isinstance(node, yaml.SequenceNode) else [node]
        return tuple(self.string(each) for each in items)

    def flag(self, node: yaml.Node) -> bool:
        """True or false."""
        text = self.string(node).lower()
        if text not in ("true", "false", "yes", "no", "on", "off"):
            raise self.fault(node, "this must be true or false", "true or false")
        return text in ("true", "yes", "on")

    def count(self, node: yaml.Node, least: int, most: int) -> int:
        """A whole number between two others."""
        text = self.string(node)
        if not (text.isascii() and text.isdigit() and len(text) < 10 and least <= int(text) <= most):
            raise self.fault(node, f"'{text}' is not possible here", f"a whole number from {least} to {most}")
        return int(text)

    def option(self, found: dict[str, yaml.Node], key: str, make: Callable[[str], Made]) -> Made | None:
        """What is made of the text under a key; None where there is none."""
        if key not in found:
            return None
        try:
            return make(self.string(found[key]))
        except UsageError as error:
            raise self.fault(found[key], str(error)) from None

    def within(self, source: Source, make: Callable[[], Made]) -> Made:
        """What is made of a text that stands in the file; its faults are shown there."""
        try:
            return make()
        except TextError as error:
            raise error.located(source) from None

    # -- places ------------------------------------------------------------------------------------------------

    def source_of(self, node: yaml.Node) -> Source:
        """A scalar as a text of its own that knows where in the file it stands."""
        text, mark = self.string(node), node.start_mark
        style = node.style if isinstance(node, yaml.ScalarNode) else None
        line, column = mark.line + 1, mark.column + 1
        if style == "|":
            # What the block's own text lacks of the first line that is not blank was the indentation.
            pairs = zip(islice(self._lines, line, None), text.split("\n"), strict=False)
            indent = next((len(each.rstrip("\r")) - len(kept) for each, kept in pairs if kept.strip()), 0)
            return Source(text, self.file, line + 1, indent + 1, indent, whole=self.text)
        start = mark.index + (1 if style in ("'", '"') else 0)
        if self.text[start : start + len(text)] == text and "\n" not in text:
            return Source(text, self.file, line, column + (1 if style else 0), whole=self.text)
        return Source(text, self.file, line, column, whole=self.text, fixed=True)

    @cached_property
    def _lines(self) -> list[str]:
        return self.text.split("\n")

    def place_at(self, line: int, column: int) -> Place:
        """The place that a mark of YAML stands for: it counts from 0."""
        lines = self._lines
        return Place(self.file, line + 1, column + 1, lines[line] if line < len(lines) else "")

    def _quoted(self, mark: yaml.Mark | None) -> str:
        """The line of a mark as it should be, where an expression stands there that YAML takes for something else."""
        if mark is None or mark.line >= len(self._lines):
            return ""
        line, above = self._lines[mark.line], self._lines[mark.line - 1] if mark.line else ""
        return quoted_line(line, mark.column, self.expressions) or quoted_below(above, line, self.expressions)

    def fault(self, node: yaml.Node, message: str, expected: str = "", hint: str = "") -> RuleError:
        """What is wrong with a node, at its place."""
        place = self.place_at(node.start_mark.line, node.start_mark.column)
        return RuleError(Fault(message, expected=expected, hint=hint, place=place))
