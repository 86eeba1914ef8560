"""What stands under the cursor, in words: the smallest part of the expression, then the rule it belongs to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tocsin.algebra.guards import NAMING, Attribute, Call, Guard, Literal
from tocsin.algebra.guards import walk as guard_parts
from tocsin.algebra.names import bound
from tocsin.algebra.patterns import Absence, Named, Pattern, Primitive, Where, walk
from tocsin.algebra.rules import Define, Rule
from tocsin.assistants.editor.definitions import names_at
from tocsin.assistants.editor.rule_texts import EXPRESSION, YAML, RuleText, is_rules, rule_nodes, rule_texts
from tocsin.assistants.editor.terms import CALLS, SETTINGS, Term
from tocsin.assistants.limits import MOST_TEXT
from tocsin.errors import Source, Span, TextError
from tocsin.explain.meanings import guard_words, meaning
from tocsin.explain.rule_summary import chosen_text, state_text
from tocsin.languages import eps, gem
from tocsin.languages.guards import parse_guard_text
from tocsin.rules.costs import cost_of
from tocsin.rules.definitions import read_expression
from tocsin.rules.documents import Reader

Vocabulary = dict[str, Any]
"""What is known of types, as `vocabulary.Vocabulary.record` has it."""


@dataclass(frozen=True)
class Shown:
    """Lines of Markdown about a stretch of a text."""

    lines: tuple[str, ...]
    span: Span | None = None
    source: Source | None = None


def hover(text: str, file: str, line: int, column: int, vocabulary: Vocabulary) -> dict[str, Any]:
    """What to show at a place (from 1) of a file: Markdown, and the stretch it is about; an empty text for nothing."""
    if not is_rules(text, file) or len(text) > MOST_TEXT:
        return {"text": ""}
    try:
        shown = _in_yaml(text, file, line, column, vocabulary) if Path(file).suffix.lower() in YAML else None
        shown = shown or _in_script(text, file, line, column, vocabulary)
    except TextError:
        shown = None
    shown = shown or _of_word(text, line, column, vocabulary)
    if shown is None:
        return {"text": ""}
    where: dict[str, Any] = {}
    if shown.span is not None and shown.source is not None:
        place = shown.source.at(shown.span)
        where = {"line": place.line, "column": place.column, "end": place.column + place.width}
    return {"text": "\n\n".join(shown.lines), **where}


# -- where -------------------------------------------------------------------------------------------------------


def _in_yaml(text: str, file: str, line: int, column: int, vocabulary: Vocabulary) -> Shown | None:
    reader = Reader(text, file)
    texts = list(rule_texts(reader))
    for each in texts:
        offset = each.offset(line, column)
        if offset is not None:
            return _of_text(each, offset, texts, vocabulary, _about_of(reader, each.rule))
    return None


def _about_of(reader: Reader, name: str) -> str:
    """What is to be said of a rule of a file in YAML, if that one is right."""
    for node in rule_nodes(reader):
        try:
            rules = reader.program_of([node]).rules
        except TextError:
            continue
        if rules and rules[-1].name == name:
            return _about(rules[-1])
    return f"rule **{name}**, which is not right yet"


def _about(rule: Rule) -> str:
    """A rule in words, and how it runs."""
    cost = cost_of(rule)
    told = f"rule **{rule.name}**: {meaning(rule.pattern)}"
    told += f"; only where `{guard_words(rule.condition)}`" if rule.condition is not None else ""
    return f"{told}\n\n{cost['language']}, {chosen_text(cost)}; {state_text(cost)}"


def _of_text(each: RuleText, offset: int, texts: list[RuleText], vocabulary: Vocabulary, about: str) -> Shown | None:
    """What stands in an expression or a guard of a rule."""
    expression = each if each.kind == EXPRESSION else _expression_of(each.rule, texts)
    pattern = None if expression is None else read_expression(expression.source, expression.language).pattern
    if each.kind != EXPRESSION:
        guard = parse_guard_text(each.source, each.language)
        return _of_guard(guard, offset, each.source, pattern, vocabulary)
    assert pattern is not None
    return _of_pattern(pattern, (), offset, each.source, vocabulary, about)


def _expression_of(rule: str, texts: list[RuleText]) -> RuleText | None:
    return next((each for each in texts if each.rule == rule and each.kind == EXPRESSION), None)


def _in_script(text: str, file: str, line: int, column: int, vocabulary: Vocabulary) -> Shown | None:
    if Path(file).suffix.lower() in YAML:
        return None
    source = Source(text, file)
    offset = RuleText(EXPRESSION, "", source, "").offset(line, column)
    parse = eps.parse_document if Path(file).suffix.lower() == ".eps" else gem.parse_script
    if offset is None:
        return None
    for statement in parse(source):
        if isinstance(statement, Define) and _covers(statement.span, offset):
            rule = statement.rule
            return _of_pattern(rule.pattern, _beside(rule), offset, source, vocabulary, _about(rule))
    return None


def _beside(rule: Rule) -> tuple[Guard, ...]:
    """The guards of a rule outside of its pattern, and those of what it does."""
    arguments = [guard for action in rule.actions for guard in getattr(action, "arguments", ())]
    return (*([rule.condition] if rule.condition is not None else ()), *arguments)


# -- what --------------------------------------------------------------------------------------------------------


def _of_pattern(
    pattern: Pattern, beside: tuple[Guard, ...], offset: int, source: Source, vocabulary: Vocabulary, about: str
) -> Shown:
    """The smallest part of a pattern at an offset, or of the guards in it and beside it."""
    guards = [*_guards_in(pattern), *beside]
    for guard in guards:
        shown = _of_guard(guard, offset, source, pattern, vocabulary) if _covers(guard.span, offset) else None
        if shown is not None:
            return Shown((*shown.lines, about), shown.span, source)
    parts = [part for part in walk(pattern) if _covers(part.span, offset)]
    if not parts:
        return Shown((about,), pattern.span, source)
    least = min(parts, key=lambda part: _length(part.span))
    lines = [f"`{_excerpt(source, least.span)}`", *([meaning(least)] if least is not pattern else [])]
    kind = least.pattern if isinstance(least, Named) else least
    if isinstance(kind, Primitive):
        lines[1:] = _type_lines(kind.type, vocabulary)
    return Shown((*lines, about), least.span, source)


def _guards_in(pattern: Pattern) -> Iterator[Guard]:
    for part in walk(pattern):
        guard = part.guard if isinstance(part, Where | Absence) else None
        if guard is not None:
            yield guard


def _of_guard(
    guard: Guard, offset: int, source: Source, pattern: Pattern | None, vocabulary: Vocabulary
) -> Shown | None:
    """The smallest part of a guard at an offset that there is something to say about."""
    parts = [part for part in guard_parts(guard) if _covers(part.span, offset) and not isinstance(part, Literal)]
    if not parts:
        return None
    least = min(parts, key=lambda part: _length(part.span))
    lines = [f"`{_excerpt(source, least.span)}`"]
    if isinstance(least, Call) and least.function in CALLS:
        lines.append(_term_text(CALLS[least.function]))
    if isinstance(least, NAMING) and pattern is not None:
        lines += _variable_lines(least, pattern, vocabulary)
    if len(lines) == 1:
        lines.append("a guard: what must hold of the events")
    return Shown(tuple(lines), least.span, source)


def _variable_lines(part: Guard, pattern: Pattern, vocabulary: Vocabulary) -> list[str]:
    """What a variable stands for, and what is known of the attribute that is asked of it."""
    assert isinstance(part, NAMING)
    stands = bound(pattern).get(part.variable)
    if stands is None:
        return [f"{part.variable}: nothing in this pattern is called so"]
    lines = [f"{part.variable} is {meaning(stands)}"]
    if isinstance(part, Attribute) and isinstance(stands, Primitive):
        attributes = vocabulary["types"].get(stands.type, {}).get("attributes", {})
        said = attributes.get(part.name)
        if said is None and attributes:
            lines.append(f"no event of type {stands.type} is known to have '{part.name}': {', '.join(attributes)}")
        elif said:
            lines.append(f"{part.name}: {said}")
    return lines


def _type_lines(kind: str, vocabulary: Vocabulary) -> list[str]:
    known = vocabulary["types"].get(kind)
    if known is None:
        return [f"an event of type **{kind}**, of which nothing is known: it is neither declared nor in the sample"]
    lines = [f"an event of type **{kind}**: {'; '.join(known['told'])}"]
    if kind in vocabulary["rules"] and vocabulary["rules"][kind]:
        lines.append(f"it occurs when: {vocabulary['rules'][kind]}")
    if known["attributes"]:
        lines.append("\n".join(f"- {name}{f': {said}' if said else ''}" for name, said in known["attributes"].items()))
    return lines


def _of_word(text: str, line: int, column: int, vocabulary: Vocabulary) -> Shown | None:
    """A word by itself, where what stands around it cannot be read."""
    lines = text.split("\n")
    for name in names_at(lines[line - 1] if line <= len(lines) else "", column):
        if name in vocabulary["types"]:
            return Shown(tuple(_type_lines(name, vocabulary)))
        if name in CALLS:
            return Shown((_term_text(CALLS[name]),))
        if name in SETTINGS and lines[line - 1].lstrip(" -").startswith(f"{name}:"):
            return Shown((f"`{name}`: {SETTINGS[name]}",))
    return None


def _term_text(term: Term) -> str:
    return f"`{term.example}`: {term.means}"


def _covers(span: Span | None, offset: int | None) -> bool:
    return span is not None and offset is not None and span.start <= offset < span.stop


def _length(span: Span | None) -> int:
    return 1 << 30 if span is None else span.stop - span.start


def _excerpt(source: Source, span: Span | None) -> str:
    text = "" if span is None else " ".join(source.text[span.start : span.stop].split())
    return text if len(text) <= 200 else text[:197] + "..."
