"""`*.yaml` rules files: a list of rules in any language (CONTRACT). Faults are shown where the user typed them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TypeVar

import yaml

from tocsin.algebra.guards import Guard
from tocsin.algebra.patterns import By, Detector, Run
from tocsin.algebra.rules import ALL_RULES, Program, Rule, Suppress
from tocsin.errors import Fault, Place, RuleError, Source, Span, TextError, UsageError, choices, nearest
from tocsin.languages import languages
from tocsin.languages.guards import parse_guard_text
from tocsin.languages.notifications import parse_notification
from tocsin.rules.definitions import Written, read_expression, statements_of
from tocsin.rules.options import context_of, order_of, severity_of, window_of, word
from tocsin.rules.quoting import quoted_line

Made = TypeVar("Made")

KEYS = (
    "name",
    "language",
    "expression",
    "condition",
    "by",
    "context",
    "window",
    "order",
    "run",
    "notify",
    "select",
    "suppress",
    "severity",
    "tags",
    "description",
    "references",
    "enabled",
    "reported",
)
REQUIRED = ("name", "language", "expression")


def read_document(text: str, file: str) -> Program:
    """The program of a YAML rules file."""
    return Reader(text, file).program()


@dataclass
class Reader:
    """One YAML file, read node by node so that every value knows its line and column."""

    text: str
    file: str

    def program(self) -> Program:
        """Every rule, or every fault of the file."""
        return self.program_of(self._rule_nodes(self.compose()))

    def program_of(self, nodes: list[yaml.Node]) -> Program:
        """The program of rules that stand somewhere in the file."""
        rules: list[Written] = []
        faults: list[Fault] = []
        for node in nodes:
            try:
                rules.append(self._rule(node))
            except TextError as error:
                faults += error.faults
        if faults:
            raise RuleError(faults)
        return Program(tuple(statements_of(rules)))

    def compose(self, expected: str = "rules: a list of rules") -> yaml.Node:
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

    def _rule_nodes(self, root: yaml.Node) -> list[yaml.Node]:
        if not isinstance(root, yaml.MappingNode):
            raise self._fault(root, "a rules file is a mapping", "rules: a list of rules")
        for key, _ in root.value:
            if key.value == "cases":
                raise self._fault(key, "this is a test file, not a rules file", hint="tocsin test runs it")
        found = self._fields(root, ("rules",))
        rules = found.get("rules")
        if not isinstance(rules, yaml.SequenceNode):
            raise self._fault(rules or root, "'rules' must be a list", "- name: ...")
        return list(rules.value)

    def _rule(self, node: yaml.Node) -> Written:
        if not isinstance(node, yaml.MappingNode):
            raise self._fault(node, "a rule is a mapping", choices([f"{key}:" for key in REQUIRED], "and"))
        found = self._fields(node, KEYS)
        for key in REQUIRED:
            if key not in found:
                raise self._fault(node, f"this rule has no '{key}'", f"{key}: ...")
        name, language = self._string(found["name"]), self._string(found["language"])
        if name in ("", ALL_RULES):
            raise self._fault(found["name"], f"'{name}' is no name for a rule", "a name")
        if language not in languages():
            hint = nearest(language, languages())
            raise self._fault(found["language"], f"there is no language '{language}'", choices(languages()), hint)
        source = self.source_of(found["expression"])
        definitions, pattern, suppress = self._within(source, lambda: read_expression(source, language))
        if suppress is not None and "suppress" in found:
            raise self._fault(found["suppress"], "the expression says already what is told once")
        run = self._option(found, "run", lambda text: word(text, Run, "run"))
        if run is not None:
            if not isinstance(pattern, Detector):
                raise self._fault(found["run"], f"'run' is for automata, and this rule is in {language}")
            pattern = Detector(pattern.pattern, run, span=pattern.span)
        if "by" in found:
            pattern = By(pattern, self._attributes(found["by"]), span=pattern.span)
        rule = Rule(
            name,
            pattern,
            language,
            condition=self._guard(found["condition"], language) if "condition" in found else None,
            context=self._option(found, "context", context_of),
            window=self._option(found, "window", window_of),
            order=self._option(found, "order", order_of),
            notify=self._string(found["notify"]) if "notify" in found else None,
            message=self._message(found["notify"], language) if "notify" in found else (),
            select=self._select(found["select"], language) if "select" in found else (),
            hidden="reported" in found and not self._flag(found["reported"]),
            suppress=self._suppress(found["suppress"], language) if "suppress" in found else suppress,
            severity=self._option(found, "severity", severity_of),
            tags=self._texts(found["tags"]) if "tags" in found else (),
            description=self._string(found["description"]) if "description" in found else "",
            references=self._texts(found["references"]) if "references" in found else (),
            span=pattern.span,
        )
        return Written(rule, definitions, self._flag(found["enabled"]) if "enabled" in found else True)

    # -- values ------------------------------------------------------------------------------------------------

    def _fields(self, node: yaml.MappingNode, known: tuple[str, ...] = ()) -> dict[str, yaml.Node]:
        """The values of a mapping by their keys, each of which comes once; of `known` keys alone, if there are any."""
        found: dict[str, yaml.Node] = {}
        for key_node, value in node.value:
            key = self._string(key_node)
            if known and key not in known:
                raise self._fault(key_node, f"there is no setting '{key}'", choices(known), nearest(key, known))
            if key in found:
                raise self._fault(key_node, f"'{key}' is given twice")
            found[key] = value
        return found

    def _string(self, node: yaml.Node) -> str:
        if not isinstance(node, yaml.ScalarNode) or node.tag == "tag:yaml.org,2002:null":
            raise self._fault(node, "this must be a text", "a text", self._quoted(node.start_mark))
        begins = self.text[node.start_mark.index :][:2]
        if begins[:1] == "!" and begins != "!!":
            hint = self._quoted(node.start_mark)
            raise self._fault(node, "YAML takes what begins with '!' for a tag", hint=hint)
        if begins[:1] == "&" and f"*{self.text[node.start_mark.index + 1 :].split(maxsplit=1)[0]}" not in self.text:
            hint = self._quoted(node.start_mark)
            raise self._fault(
                node, "YAML takes what begins with '&' for an anchor, and nothing refers to it", hint=hint
            )
        text = str(node.value)
        if any("\ud800" <= character <= "\udfff" for character in text):
            raise self._fault(node, "half of a surrogate pair is no character")
        return text

    def _attributes(self, node: yaml.Node) -> tuple[str, ...]:
        """One attribute, or a list of them."""
        names = list(map(self._string, node.value if isinstance(node, yaml.SequenceNode) else [node]))
        if not names or "" in names:
            raise self._fault(node, "'by' names attributes", "by: ip, or by: [user, host]")
        return tuple(dict.fromkeys(names))

    def _flag(self, node: yaml.Node) -> bool:
        text = self._string(node).lower()
        if text not in ("true", "false", "yes", "no", "on", "off"):
            raise self._fault(node, "this must be true or false", "true or false")
        return text in ("true", "yes", "on")

    def _guard(self, node: yaml.Node, language: str) -> Guard:
        source = self.source_of(node)
        return self._within(source, lambda: parse_guard_text(source, language))

    def _message(self, node: yaml.Node, language: str) -> tuple[str | Guard, ...]:
        """The pieces of a notification, with its braces looked at where they stand."""
        source = self.source_of(node)
        return self._within(source, lambda: parse_notification(source.text, language))

    def _select(self, node: yaml.Node, language: str) -> tuple[tuple[str, Guard], ...]:
        if not isinstance(node, yaml.MappingNode):
            raise self._fault(node, "'select' names values", "name: expression")
        return tuple((key, self._guard(value, language)) for key, value in self._fields(node).items())

    def _suppress(self, node: yaml.Node, language: str) -> Suppress:
        expected = "{by: x.ip, for: 10 minutes}"
        if not isinstance(node, yaml.MappingNode):
            raise self._fault(node, "'suppress' says by what and for how long", expected)
        found = self._fields(node, ("by", "for"))
        if "for" not in found:
            raise self._fault(node, "this has no 'for': how long one is enough", expected)
        by = found.get("by")
        items = [] if by is None else by.value if isinstance(by, yaml.SequenceNode) else [by]
        period = self._option(found, "for", window_of)
        assert period is not None
        return Suppress(tuple(self._guard(each, language) for each in items), period)

    def _texts(self, node: yaml.Node) -> tuple[str, ...]:
        """A list of texts, or one."""
        items = node.value if isinstance(node, yaml.SequenceNode) else [node]
        return tuple(self._string(each) for each in items)

    def _option(self, found: dict[str, yaml.Node], key: str, make: Callable[[str], Made]) -> Made | None:
        if key not in found:
            return None
        try:
            return make(self._string(found[key]))
        except UsageError as error:
            raise self._fault(found[key], str(error)) from None

    def _within(self, source: Source, make: Callable[[], Made]) -> Made:
        try:
            return make()
        except TextError as error:
            raise error.located(source) from None

    # -- places ------------------------------------------------------------------------------------------------

    def source_of(self, node: yaml.Node) -> Source:
        """A scalar as a text of its own that knows where in the file it stands."""
        text, mark = self._string(node), node.start_mark
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
        return quoted_line(self._lines[mark.line], mark.column, (*KEYS, "by"))

    def _fault(self, node: yaml.Node, message: str, expected: str = "", hint: str = "") -> RuleError:
        place = self.place_at(node.start_mark.line, node.start_mark.column)
        return RuleError(Fault(message, expected=expected, hint=hint, place=place))
