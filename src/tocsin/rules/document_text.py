"""Rules as a `*.yaml` rules file: what `documents` reads."""

from __future__ import annotations

from collections.abc import Iterable

import yaml

from tocsin.algebra.links import mentioned
from tocsin.algebra.order import order_text
from tocsin.algebra.patterns import Automaton, Run
from tocsin.algebra.rules import DEFINED, Rule, shown_name
from tocsin.errors import Fault, RuleError
from tocsin.languages import core, render
from tocsin.languages.guards import render_guard
from tocsin.languages.lexer import quote
from tocsin.languages.notifications import render_notification
from tocsin.languages.sel_times import render_span
from tocsin.languages.writer import render_name

_WIDTH = 1_000
"""Longer than any expression: one a line."""


def render_document(rules: Iterable[Rule], enabled: Iterable[str]) -> str:
    """The rules as a file; reading it gives them again. Definitions stand before the expressions that use them."""
    every, running = tuple(rules), frozenset(enabled)
    records = [_record(rule, every, rule.name in running) for rule in every if not _is_definition(rule)]
    return yaml.dump({"rules": records}, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_WIDTH)


class _Dumper(yaml.SafeDumper):
    """Writes texts of several lines as blocks, as people do."""

    def represent_text(self, text: str) -> yaml.Node:
        """A text as a node."""
        return self.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Dumper.add_representer(str, _Dumper.represent_text)


def _record(rule: Rule, every: tuple[Rule, ...], runs: bool) -> dict[str, object]:
    if rule.actions or rule.callback is not None:
        raise RuleError(Fault(f"a YAML file has no way to write the actions or the callback of {quote(rule.name)}"))
    lines = [f"{render_name(name, frozenset())} = {text}" for name, text in _definitions(rule, every)]
    found: dict[str, object] = {
        "name": rule.name,
        "language": rule.language,
        "expression": "\n".join([*lines, render(rule.pattern, rule.language)]),
    }
    if rule.condition is not None:
        found["condition"] = render_guard(rule.condition, rule.language)
    if rule.partition:
        found["partition"] = rule.partition[0] if len(rule.partition) == 1 else list(rule.partition)
    if rule.context is not None:
        found["context"] = rule.context.value
    if rule.window is not None:
        found["window"] = render_span(rule.window)
    if rule.order is not None:
        found["order"] = order_text(rule.order)
    if isinstance(rule.pattern, Automaton) and rule.pattern.run is not Run.EVERY:
        found["run"] = rule.pattern.shown_run
    if rule.notify is not None:
        found["notify"] = render_notification(rule, rule.language)
    if rule.select:
        found["select"] = {name: render_guard(guard, rule.language) for name, guard in rule.select}
    if rule.suppress is not None:
        by = [render_guard(guard, rule.language) for guard in rule.suppress.by]
        length = render_span(rule.suppress.period)
        quiet: dict[str, object] = {} if not by else {"by": by[0] if len(by) == 1 else by}
        quiet["for"] = length
        numbers = {"every": rule.suppress.every, "nth": rule.suppress.nth}
        found["suppress"] = quiet | {name: number for name, number in numbers.items() if number}
    if rule.severity is not None:
        found["severity"] = rule.severity
    found |= {key: list(texts) for key, texts in (("tags", rule.tags),) if texts}
    if rule.description:
        found["description"] = rule.description
    if rule.references:
        found["references"] = list(rule.references)
    if not runs:
        found["enabled"] = False
    if rule.hidden:
        found["reported"] = False
    return found


def _is_definition(rule: Rule) -> bool:
    """Whether it stands before an expression of the core language."""
    return DEFINED in rule.name


def _definitions(rule: Rule, every: tuple[Rule, ...]) -> list[tuple[str, str]]:
    """The definitions that an expression needs, each after those that it needs itself."""
    hidden = {other.name: other for other in every if _is_definition(other)}
    wanted, ahead = set[str](), [rule]
    while ahead:
        names = mentioned(ahead.pop()) & hidden.keys() - wanted
        wanted |= names
        ahead += [hidden[name] for name in names]
    return [(shown_name(name), core.render(other.pattern)) for name, other in hidden.items() if name in wanted]
