"""Rules as a Python program that builds them: `rules`, a list to give to `tocsin.detect`."""

from __future__ import annotations

from tocsin.algebra.order import order_text
from tocsin.algebra.rules import Rule
from tocsin.errors import Fault, RuleError
from tocsin.languages.fluent_guards import quoted
from tocsin.languages.fluent_text import pattern_code
from tocsin.languages.guards import render_guard
from tocsin.languages.notifications import render_notification
from tocsin.languages.sel_times import render_span
from tocsin.translation.rules import Translated

_WIDTH = 110


def render_program(made: Translated) -> str:
    """The rules as Python; running it gives them again."""
    blocks = ["import tocsin as tc\n\nrules = []\n"]
    for rule in made.rules:
        if rule.name not in made.enabled:
            raise RuleError(Fault(f"Python has no way to write a rule that does not run: '{rule.name}'", rule.span))
        blocks.append(_block(rule))
    return "\n".join(blocks)


def _block(rule: Rule) -> str:
    code = pattern_code(rule.pattern)
    arguments = [quoted(rule.name), code.expression, *_settings(rule)]
    call = f"rules.append(tc.rule({', '.join(arguments)}))"
    if len(call) > _WIDTH:
        lines = "".join(f"        {argument},\n" for argument in arguments)
        call = f"rules.append(\n    tc.rule(\n{lines}    )\n)"
    return "\n".join([*code.lines, call, ""])


def _settings(rule: Rule) -> list[str]:
    found: list[tuple[str, str]] = []
    if rule.condition is not None:
        found.append(("condition", quoted(render_guard(rule.condition))))
    if rule.partition:
        found.append(("partition", f"[{', '.join(map(quoted, rule.partition))}]"))
    if rule.context is not None:
        found.append(("context", quoted(rule.context.value)))
    if rule.window is not None:
        found.append(("window", quoted(render_span(rule.window))))
    if rule.order is not None:
        found.append(("order", quoted(order_text(rule.order))))
    if rule.notify is not None:
        found.append(("notify", quoted(render_notification(rule, "python"))))
    if rule.select:
        values = ", ".join(f"{quoted(name)}: {quoted(render_guard(guard))}" for name, guard in rule.select)
        found.append(("select", f"{{{values}}}"))
    if rule.suppress is not None:
        by = ", ".join(quoted(render_guard(guard)) for guard in rule.suppress.by)
        numbers = (("every", rule.suppress.every), ("nth", rule.suppress.nth))
        more = "".join([f", '{name}': {number}" for name, number in numbers if number])
        found.append(("suppress", f"{{'by': [{by}], 'for': {quoted(render_span(rule.suppress.period))}{more}}}"))
    if rule.severity is not None:
        found.append(("severity", quoted(rule.severity)))
    for name, texts in (("tags", rule.tags), ("references", rule.references)):
        if texts:
            found.append((name, f"[{', '.join(map(quoted, texts))}]"))
    if rule.description:
        found.append(("description", quoted(rule.description)))
    return [f"{name}={value}" for name, value in found]
