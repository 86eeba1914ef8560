"""What a file of rules defines and names: events with their attributes, rules with their meaning, each with its place.

A file that is being written is wrong most of the time. What can be read of it is told, and what cannot is looked for by
how definitions begin.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tocsin.algebra.rules import Declaration, Define, Notify, Program, Rule, Statement, Trigger, shown_name
from tocsin.assistants.editor.rule_texts import YAML, is_rules, rule_nodes
from tocsin.errors import Source, Span, TextError
from tocsin.explain.meanings import meaning
from tocsin.languages import eps, gem
from tocsin.rules.documents import Reader
from tocsin.rules.roll import attributes_named, types_named

Record = dict[str, Any]

_EVENT: Final = re.compile(r"^[ \t]*event[ \t]+(\w+)[ \t]*(?:\(([^()\n]*)\))?", re.MULTILINE)
_RULE: Final = re.compile(r"^[ \t]*(?:rule|request)[ \t]+(\w+)", re.MULTILINE)


def outline(text: str, file: str) -> Record:
    """The events and rules of a file."""
    if not is_rules(text, file):
        return {"events": [], "rules": []}
    if Path(file).suffix.lower() in YAML:
        return _gathered(_of_yaml(Reader(text, file)))
    source = Source(text, file)
    parse = eps.parse_document if Path(file).suffix.lower() == ".eps" else gem.parse_script
    try:
        return _gathered(_of_statements(parse(source), source))
    except TextError:
        return _gathered(_as_it_looks(text, source))


def _gathered(found: Iterator[Record]) -> Record:
    """Events apart from rules."""
    gathered: Record = {"events": [], "rules": []}
    for each in found:
        gathered[each.pop("what")].append(each)
    return gathered


def _of_statements(statements: tuple[Statement, ...], source: Source) -> Iterator[Record]:
    for statement in statements:
        match statement:
            case Declaration(name=name, attributes=attributes, span=Span() as span):
                yield _event(name, dict(attributes), source, span, "declared")
            case Define(rule=rule, span=Span() as span):
                yield _rule(rule, source.at(span).line, source.at(span).column, source.file)
                yield from _named(rule)


def _of_yaml(reader: Reader) -> Iterator[Record]:
    for node in rule_nodes(reader):
        try:
            program: Program = reader.program_of([node])
        except TextError:
            continue
        mark = node.start_mark
        for rule in program.rules:
            if not rule.hidden:
                yield _rule(rule, mark.line + 1, mark.column + 1, reader.file)
            yield from _named(rule)


def _as_it_looks(text: str, source: Source) -> Iterator[Record]:
    """Definitions by how they begin."""
    for found in _EVENT.finditer(text):
        pairs = [each.split() for each in re.split("[,;]", found[2] or "")]
        attributes = {each[1]: each[0] for each in pairs if len(each) == 2}
        yield _event(found[1], attributes, source, Span(*found.span(1)), "declared")
    for found in _RULE.finditer(text):
        place = source.at(Span(*found.span(1)))
        yield {"what": "rules", "name": found[1], "file": source.file, "line": place.line, "column": place.column}


def _event(name: str, attributes: dict[str, str], source: Source, span: Span, how: str) -> Record:
    place = source.at(span)
    where = {"file": source.file, "line": place.line, "column": place.column}
    return {"what": "events", "name": name, "attributes": attributes, "how": how, **where}


def _rule(rule: Rule, line: int, column: int, file: str) -> Record:
    said = {"name": shown_name(rule.name), "language": rule.language, "meaning": meaning(rule.pattern)}
    return {"what": "rules", **said, "file": file, "line": line, "column": column}


def _named(rule: Rule) -> Iterator[Record]:
    """The events that a rule asks for or makes: somebody knows them, if nobody has declared them."""
    attributes: dict[str, dict[str, str]] = {}
    for kind, name in attributes_named(rule):
        attributes.setdefault(kind, {})[name] = ""
    kinds = dict.fromkeys(
        [*types_named(rule), *(each.type for each in rule.actions if isinstance(each, Trigger | Notify))]
    )
    for kind in kinds:
        yield {
            "what": "events",
            "name": shown_name(kind),
            "attributes": attributes.get(kind, {}),
            "how": f"named by {shown_name(rule.name)}",
        }
