"""Templates of a rules file: a rule with parameters, written once and used under many names.

    templates:
    - template: brute(type, n = 5, span = 1 minute)
      language: pretty
      expression: ${type} ${n} times with the same ip within ${span}
    rules:
    - {name: ssh, use: "brute(ssh_failed)"}
    - {name: web, use: "brute(http_401, 20, span = 30 seconds)", severity: low}

A template is filled in as text, `${parameter}` by `${parameter}`, and read for each use; what is equal in several of
them is shared as between any rules. A fault is shown where it was typed: in the template, or in the argument.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

import yaml

from tocsin.algebra.rules import Rule
from tocsin.errors import Fault, Place, Source, Span

_CALL: Final = re.compile(r"\s*([^\W\d]\w*)\s*\((.*)\)\s*", re.DOTALL)
_HOLE: Final = re.compile(r"\$\{\s*([^\W\d]\w*)\s*\}")
_NAMED: Final = re.compile(r"\s*([^\W\d]\w*)\s*=(?!=)")
_PAIRS: Final = {")": "(", "]": "[", "}": "{"}


class Argument(NamedTuple):
    """What stands for a parameter, and where it was typed."""

    text: str
    source: Source
    start: int


class Call(NamedTuple):
    """`name(a, b = c)`: a name, and what stands between the commas."""

    name: str
    parts: tuple[Argument, ...]
    text: str


@dataclass(frozen=True)
class Template:
    """A rule with parameters; those without a value must be given one."""

    name: str
    parameters: Mapping[str, Argument | None]
    fields: Mapping[str, yaml.Node]
    header: str

    @property
    def expression(self) -> str:
        """Its expression as it stands, with its holes."""
        return str(self.fields["expression"].value)


@dataclass(frozen=True)
class Use:
    """A template with an argument for each parameter."""

    template: Template
    arguments: Mapping[str, Argument]
    call: str
    line: int

    @property
    def note(self) -> str:
        """What a fault in the template says of where it was used."""
        return f"in {self.call}, line {self.line}"


class FilledNode(yaml.ScalarNode):
    """A text of a template with its holes filled; it stands where the template does."""

    def __init__(self, hollow: yaml.ScalarNode, use: Use) -> None:
        text = _HOLE.sub(lambda hole: use.arguments[hole[1]].text, hollow.value)
        super().__init__(hollow.tag, text, hollow.start_mark, hollow.end_mark, hollow.style)
        self.hollow, self.use = hollow, use


@dataclass(frozen=True)
class _Piece:
    """A stretch of a filled text that was typed in one place."""

    start: int
    text: str
    source: Source
    begins: int


class FilledSource(Source):
    """A text of a template with its holes filled: what is wrong is shown where it was typed."""

    def __init__(self, hollow: Source, use: Use) -> None:
        self.use = use
        self._pieces = list(_pieces(hollow, use))
        super().__init__("".join(piece.text for piece in self._pieces), hollow.file)

    def at(self, span: Span) -> Place:
        """Where `span` begins, in the template or in an argument; it ends there, too."""
        piece = next((each for each in reversed(self._pieces) if each.start <= span.start), self._pieces[0])
        start = min(span.start - piece.start, len(piece.text))
        stop = max(start, min(span.stop - piece.start, len(piece.text)))
        return piece.source.at(Span(piece.begins + start, piece.begins + stop))

    def place(self, fault: Fault) -> Fault:
        """`fault` with its place, and which use of the template it is about."""
        return noted(super().place(fault), self.use)


def _pieces(hollow: Source, use: Use) -> Iterator[_Piece]:
    start = last = 0
    for hole in (*_HOLE.finditer(hollow.text), None):
        text = hollow.text[last : None if hole is None else hole.start()]
        yield _Piece(start, text, hollow, last)
        start += len(text)
        if hole is not None:
            given = use.arguments[hole[1]]
            yield _Piece(start, given.text, given.source, given.start)
            start, last = start + len(given.text), hole.end()


def noted(fault: Fault, use: Use) -> Fault:
    """A fault that says which use of a template it is about, unless it is shown there."""
    is_there = fault.place is not None and fault.place.line == use.line
    if is_there or use.note in fault.hint:
        return fault
    return replace(fault, hint=f"{fault.hint}; {use.note}" if fault.hint else use.note)


def filled(node: yaml.Node, use: Use) -> yaml.Node:
    """A value of a template with its holes filled, down to the last text."""
    if isinstance(node, yaml.ScalarNode):
        return FilledNode(node, use) if _HOLE.search(node.value) else node
    if isinstance(node, yaml.SequenceNode):
        return yaml.SequenceNode(node.tag, [filled(each, use) for each in node.value], node.start_mark, node.end_mark)
    pairs = [(key, filled(value, use)) for key, value in node.value]
    return yaml.MappingNode(node.tag, pairs, node.start_mark, node.end_mark)


def holes(node: yaml.Node) -> Iterator[tuple[str, yaml.ScalarNode, Span]]:
    """Every hole of a template: its parameter, the text it stands in, and where."""
    if isinstance(node, yaml.ScalarNode):
        yield from ((hole[1], node, Span(*hole.span())) for hole in _HOLE.finditer(node.value))
    elif isinstance(node, yaml.SequenceNode):
        for each in node.value:
            yield from holes(each)
    else:
        for _, value in node.value:
            yield from holes(value)


def call_of(source: Source) -> Call | None:
    """`name(a, b)`, or None if the text is something else. Brackets and quotes keep commas together."""
    whole = _CALL.fullmatch(source.text)
    if whole is None:
        return None
    parts: list[Argument] = []
    begin, opened, quote = whole.start(2), [], ""
    for at in range(whole.start(2), whole.end(2) + 1):
        character = source.text[at] if at < whole.end(2) else ","
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character in "([{":
            opened.append(character)
        elif opened and _PAIRS.get(character) == opened[-1]:
            opened.pop()
        if at == whole.end(2) or (character == "," and not opened and not quote):
            parts.append(_stripped(source, begin, at))
            begin = at + 1
    return Call(whole[1], tuple(parts) if len(parts) > 1 or parts[0].text else (), source.text.strip())


def named(part: Argument) -> tuple[str, Argument] | None:
    """`n = 5` as the name and what stands behind it."""
    found = _NAMED.match(part.text)
    if found is None:
        return None
    return found[1], _stripped(part.source, part.start + found.end(), part.start + len(part.text))


def _stripped(source: Source, begin: int, stop: int) -> Argument:
    text = source.text[begin:stop]
    return Argument(text.strip(), source, begin + len(text) - len(text.lstrip()))


@dataclass
class Shown:
    """A template as `explain` shows it: once, with the rules that are made of it."""

    template: Template
    uses: list[tuple[str, Use]] = field(default_factory=list)


def templates_of(rules: tuple[Rule, ...]) -> list[Shown]:
    """The templates that rules were made of, each with its uses."""
    found: dict[tuple[str, str], Shown] = {}
    for rule in rules:
        source = None if rule.span is None else rule.span.source
        if isinstance(source, FilledSource) and not rule.hidden:
            use = source.use
            key = (source.file, use.template.name)
            found.setdefault(key, Shown(use.template)).uses.append((rule.name, use))
    return list(found.values())


def template_lines(rules: tuple[Rule, ...]) -> list[str]:
    """The templates of rules as text, each once."""
    lines: list[str] = []
    for each in templates_of(rules):
        lines += [f"  {each.template.header}", f"    {' '.join(each.template.expression.split())}"]
        lines += [f"      {name}: {use.call}" for name, use in each.uses]
    return ["templates", *lines, ""] if lines else []
