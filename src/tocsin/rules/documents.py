"""`*.yaml` rules files: a list of rules in any language (CONTRACT). Faults are shown where the user typed them."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar, TypeVar

import yaml

from tocsin.algebra.guards import Guard
from tocsin.algebra.patterns import Automaton, By, Partitioned, around
from tocsin.algebra.rules import ALL_RULES, Program, Rule, Suppress
from tocsin.errors import Fault, RuleError, TextError, choices, nearest
from tocsin.languages import languages
from tocsin.languages.guards import parse_guard_text
from tocsin.languages.notifications import parse_notification
from tocsin.rules.definitions import Written, read_expression, statements_of
from tocsin.rules.options import context_of, order_of, run_of, severity_of, window_of
from tocsin.rules.templated_yaml import TEMPLATES, USE, TemplatedYaml, filled_in
from tocsin.rules.templates import noted

Made = TypeVar("Made")

KEYS = (
    "name",
    "language",
    "expression",
    "condition",
    "by",
    "partition",
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
BORROWED = {
    **dict.fromkeys(("partition_by", "partition-by", "keyed_by", "key", "key_by"), "partition: user"),
    **dict.fromkeys(("group_by", "group-by"), "by: user"),
    **dict.fromkeys(("pattern", "query", "match_recognize", "rule"), "expression: a ; b"),
    **dict.fromkeys(("measures", "output", "fields", "data"), "select: {total: sum(x.value)}"),
    **dict.fromkeys(("where", "when", "filter", "having", "define"), "condition: x.v > 3"),
    **dict.fromkeys(("within", "timespan", "time", "timeframe"), "window: 5 min"),
    **dict.fromkeys(("skip", "after_match", "after-match-skip", "policy"), "run: past last, in core"),
    **dict.fromkeys(("level", "priority"), "severity: high"),
    **dict.fromkeys(("message", "alert", "title"), "notify: a text with {x.attribute}"),
    **dict.fromkeys(("throttle", "limit", "debounce"), "suppress: {by: x.ip, for: 10 minutes}"),
}
"""Keys that other engines have, and what is written here instead."""
REQUIRED = ("name", "language", "expression")


def read_document(text: str, file: str) -> Program:
    """The program of a YAML rules file."""
    return Reader(text, file).program()


class Reader(TemplatedYaml):
    """One YAML rules file."""

    templated = KEYS
    own = ("language", "expression")

    expressions: ClassVar[tuple[str, ...]] = (*KEYS, "by")
    borrowed = BORROWED

    def program(self) -> Program:
        """Every rule, or every fault of the file."""
        return self.program_of(self._rule_nodes(self.compose("rules: a list of rules")))

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
            told = {(fault.message, fault.place): fault for fault in reversed(faults)}  # once for all uses
            raise RuleError(reversed(told.values()))
        return Program(tuple(statements_of(rules)))

    def plain_rules(self) -> list[dict[str, Any]]:
        """The rules as texts, lists and mappings, with templates filled in: each stands for itself."""
        made: list[dict[str, Any]] = []
        loader = yaml.BaseLoader("")
        for node in self._rule_nodes(self.compose("rules: a list of rules")):
            found = self.fields(node, (*KEYS, USE))
            use = self.use_of(found)
            values = found if use is None else filled_in(found, use)
            made.append({key: loader.construct_object(value, deep=True) for key, value in values.items()})
        return made

    def _rule_nodes(self, root: yaml.Node) -> list[yaml.Node]:
        if not isinstance(root, yaml.MappingNode):
            raise self.fault(root, "a rules file is a mapping", "rules: a list of rules")
        for key, _ in root.value:
            if key.value == "cases":
                raise self.fault(key, "this is a test file, not a rules file", hint="tocsin test runs it")
        found = self.fields(root, ("rules", TEMPLATES))
        rules = found.get("rules")
        if not isinstance(rules, yaml.SequenceNode):
            raise self.fault(rules or root, "'rules' must be a list", "- name: ...")
        self.templates  # noqa: B018 - those that no rule uses are wrong, too
        return list(rules.value)

    def _rule(self, node: yaml.Node) -> Written:
        if not isinstance(node, yaml.MappingNode):
            raise self.fault(node, "a rule is a mapping", choices([f"{key}:" for key in REQUIRED], "and"))
        found = self.fields(node, (*KEYS, USE))
        use = self.use_of(found)
        if use is None:
            return self._written(node, found)
        try:
            return self._written(node, filled_in(found, use))
        except TextError as error:
            raise RuleError([noted(fault, use) for fault in error.faults]) from None

    def _written(self, node: yaml.Node, found: dict[str, yaml.Node]) -> Written:
        """The rule that some settings make."""
        for key in REQUIRED:
            if key not in found:
                raise self.fault(node, f"this rule has no '{key}'", f"{key}: ...")
        name, language = self.string(found["name"]), self.string(found["language"])
        if name in ("", ALL_RULES):
            raise self.fault(found["name"], f"'{name}' is no name for a rule", "a name")
        if language not in languages():
            hint = nearest(language, languages())
            raise self.fault(found["language"], f"there is no language '{language}'", choices(languages()), hint)
        source = self.source_of(found["expression"])
        definitions, pattern, suppress = self.within(source, lambda: read_expression(source, language))
        if suppress is not None and "suppress" in found:
            raise self.fault(found["suppress"], "the expression says already what is told once")
        run = self.option(found, "run", run_of)
        if run is not None:
            if not isinstance(pattern, Automaton):
                raise self.fault(found["run"], f"'run' is for automata, and this rule is in {language}")
            pattern = Automaton(pattern.pattern, *run, span=pattern.span)
        if "by" in found:
            pattern = around(pattern, partial(By, attributes=self._attributes(found["by"], "by"), span=pattern.span))
        partition = self._attributes(found["partition"], "partition") if "partition" in found else ()
        if partition and isinstance(pattern, Partitioned):
            raise self.fault(found["partition"], "the expression says already by what it is parted")
        rule = Rule(
            name,
            pattern,
            language,
            condition=self._guard(found["condition"], language) if "condition" in found else None,
            context=self.option(found, "context", context_of),
            window=self.option(found, "window", window_of),
            order=self.option(found, "order", order_of),
            notify=self.string(found["notify"]) if "notify" in found else None,
            message=self._message(found["notify"], language) if "notify" in found else (),
            select=self._select(found["select"], language) if "select" in found else (),
            partition=partition,
            hidden="reported" in found and not self.flag(found["reported"]),
            suppress=self._suppress(found["suppress"], language) if "suppress" in found else suppress,
            severity=self.option(found, "severity", severity_of),
            tags=self.texts(found["tags"]) if "tags" in found else (),
            description=self.string(found["description"]) if "description" in found else "",
            references=self.texts(found["references"]) if "references" in found else (),
            span=pattern.span,
        )
        return Written(rule, definitions, self.flag(found["enabled"]) if "enabled" in found else True)

    # -- values ------------------------------------------------------------------------------------------------

    def _attributes(self, node: yaml.Node, key: str) -> tuple[str, ...]:
        """One attribute, or a list of them."""
        names = list(map(self.string, node.value if isinstance(node, yaml.SequenceNode) else [node]))
        if not names or "" in names:
            raise self.fault(node, f"'{key}' names attributes", f"{key}: ip, or {key}: [user, host]")
        for name in names:
            if "," in name:
                raise self.fault(node, f"'{key}' names attributes, several as a list", f"{key}: [{name}]")
        return tuple(dict.fromkeys(names))

    def _guard(self, node: yaml.Node, language: str) -> Guard:
        source = self.source_of(node)
        return self.within(source, lambda: parse_guard_text(source, language))

    def _message(self, node: yaml.Node, language: str) -> tuple[str | Guard, ...]:
        """The pieces of a notification, with its braces looked at where they stand."""
        source = self.source_of(node)
        return self.within(source, lambda: parse_notification(source.text, language, source))

    def _select(self, node: yaml.Node, language: str) -> tuple[tuple[str, Guard], ...]:
        if not isinstance(node, yaml.MappingNode):
            raise self.fault(node, "'select' names values", "name: expression")
        return tuple((key, self._guard(value, language)) for key, value in self.fields(node).items())

    def _suppress(self, node: yaml.Node, language: str) -> Suppress:
        expected = "{by: x.ip, for: 10 minutes}, with every: 10 or nth: 3 those alone"
        if not isinstance(node, yaml.MappingNode):
            raise self.fault(node, "'suppress' says by what and for how long", expected)
        found = self.fields(node, ("by", "for", "every", "nth"))
        if "for" not in found:
            raise self.fault(node, "this has no 'for': how long one is enough", expected)
        by = found.get("by")
        items = [] if by is None else by.value if isinstance(by, yaml.SequenceNode) else [by]
        period = self.option(found, "for", window_of)
        assert period is not None
        if "every" in found and "nth" in found:
            raise self.fault(found["nth"], "'every' and 'nth' cannot stand together", expected)
        every, nth = [self._number_from_one(found[key]) if key in found else 0 for key in ("every", "nth")]
        return Suppress(tuple(self._guard(each, language) for each in items), period, every, nth)

    def _number_from_one(self, node: yaml.Node) -> int:
        text = self.string(node)
        if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 1_000_000_000:
            raise self.fault(node, "this must be a whole number from 1 on", "as 10")
        return int(text)
