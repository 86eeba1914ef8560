"""GEM scripts (003 section 3): declarations, rules and top-level commands, one a line.

    script      = {statement newline}
    statement   = declaration | rule | report | command
    declaration = "event" type ["(" [attribute {("," | ";") attribute}] ")"]
    attribute   = ("char" | "long" | "double" | "string" | "time" | "itime") name
    rule        = "rule" name ["[" period "]"] "{" expression "==>" action {";" action} [";"] "}"
    action      = "notify" type [values] | "forward" (variable | type) | ["trigger"] type [values]
                | ("enable" | "disable") [name]
    report      = type [string] ["[" time point "]"] [values]
    command     = ("enable" | "disable") (name | "*") | "stop" | "load" string | "~" ["rule"] name
    values      = "(" [guard {"," guard}] ")"

A newline inside brackets of any kind, or after a backslash, does not end a statement. Every name may stand in
quotes; one that is a word of the language must.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tocsin.algebra.guards import Guard
from tocsin.algebra.names import name_leaves
from tocsin.algebra.rules import (
    ALL_RULES,
    ATTRIBUTE_TYPES,
    Action,
    Command,
    Declaration,
    Define,
    Disable,
    Enable,
    Forward,
    Load,
    Notify,
    Raise,
    Remove,
    Rule,
    Statement,
    Stop,
    Trigger,
)
from tocsin.errors import Fault, RuleError, Source, nearest
from tocsin.languages.gem_expressions import OPERATORS, GemExpressions
from tocsin.languages.guards import parse_arguments
from tocsin.languages.lexer import Kind, Lexer, Syntax, Token
from tocsin.languages.parser import Cursor
from tocsin.languages.statements import MAX_FAULTS, open_brace, take_name
from tocsin.languages.times import bracketed_period, bracketed_point

_SYNTAX: Final = Syntax(OPERATORS, newlines=True, divides_whole=True)
_SWITCHES: Final[dict[str, type[Enable] | type[Disable]]] = {"enable": Enable, "disable": Disable}
_STATEMENTS: Final = ("event", "rule", "enable", "disable", "stop", "load")
_ACTIONS: Final = ("notify", "forward", "trigger", "enable", "disable")
_TOP_LEVEL: Final = ("event", "rule", "stop", "load", "~")
KEYWORDS: Final = frozenset((*_STATEMENTS, *_ACTIONS, "when", "at", "every"))
"""Words that are written in quotes where they name something."""


def parse_script(source: Source) -> tuple[Statement, ...]:
    """The statements of a script; all faults of the script at once, one a statement."""
    cursor = Cursor(source, _SYNTAX)
    reader = _Statements(cursor)
    found: list[Statement] = []
    faults: list[Fault] = []
    while cursor.token.kind is not Kind.END and len(faults) < MAX_FAULTS:
        if cursor.token.kind is Kind.NEWLINE:
            cursor.advance()
            continue
        first = cursor.token
        try:
            found.append(reader.statement())
        except RuleError as error:
            faults.extend(error.faults)
            cursor.recover(first, reader.begins_definition)
    if faults:
        raise RuleError(faults[:MAX_FAULTS])
    return tuple(found)


def is_unfinished(text: str) -> bool:
    """Whether a text ends inside brackets, a comment or a line that goes on: more of it is to come."""
    lexer = Lexer(text, _SYNTAX)
    while (token := lexer.next()).kind is not Kind.END:
        if token.kind is Kind.ERROR and token.text == "/*":
            return True
    return lexer.depth > 0 or text.rstrip(" \t\r\n").endswith("\\")


class _Statements:
    """Reads statements; each ends with its line."""

    def __init__(self, cursor: Cursor) -> None:
        self._cursor = cursor
        self._readers: dict[str, Callable[[Token], Statement]] = {
            "event": self._declaration,
            "rule": self._rule,
            "enable": self._switch,
            "disable": self._switch,
            "stop": self._stop,
            "load": self._load,
            "~": self._remove,
        }

    def begins_definition(self, token: Token) -> bool:
        """Whether a statement surely begins here, even if a bracket before was never closed."""
        return token.text in ("event", "rule") and self._cursor.peek().kind in (Kind.NAME, Kind.STRING)

    def statement(self) -> Statement:
        cursor = self._cursor
        first = cursor.token
        reader = self._readers.get(first.text)
        if reader is not None:
            cursor.advance()
            statement = reader(first)
        elif first.kind in (Kind.NAME, Kind.STRING):
            statement = self._report(first)
        else:
            cursor.fail("a statement")
        if cursor.token.kind not in (Kind.NEWLINE, Kind.END):
            hint = "a statement ends with its line" if cursor.token.text == ";" else ""
            if not hint and first.kind is Kind.NAME and first.text not in _STATEMENTS:
                hint = nearest(first.text, _STATEMENTS)
            cursor.fail("the end of the line", hint=hint)
        return statement

    # -- declarations and commands -----------------------------------------------------------------------------

    def _declaration(self, first: Token) -> Declaration:
        cursor = self._cursor
        name = take_name(cursor, "a name for the event")
        attributes: list[tuple[str, str]] = []
        if (opener := cursor.accept("(")) is not None:
            if not cursor.at(")"):
                attributes.append(self._attribute())
                while cursor.accept(",") or cursor.accept(";"):
                    attributes.append(self._attribute())
            cursor.close(opener, ")")
        return Declaration(name, tuple(attributes), span=cursor.span_from(first.start))

    def _attribute(self) -> tuple[str, str]:
        cursor = self._cursor
        kind = cursor.token
        if kind.kind is not Kind.NAME or kind.text not in ATTRIBUTE_TYPES:
            cursor.fail(*(f"'{word}'" for word in ATTRIBUTE_TYPES))
        cursor.advance()
        return take_name(cursor, "a name for the attribute"), kind.text

    def _switch(self, first: Token) -> Command:
        """`enable r`, `disable *`."""
        cursor = self._cursor
        name = ALL_RULES if cursor.accept(ALL_RULES) else self._rule_name("a rule")
        span = cursor.span_from(first.start)
        return Command(_SWITCHES[first.text](name, span=span), span=span)

    def _stop(self, first: Token) -> Stop:
        return Stop(span=first.span)

    def _load(self, first: Token) -> Load:
        path = self._cursor.expect_kind(Kind.STRING, "a file name in quotes").value
        return Load(path, span=self._cursor.span_from(first.start))

    def _remove(self, first: Token) -> Remove:
        """`~ e`, `~ rule r`."""
        is_rule = self._cursor.accept("rule") is not None
        name = self._rule_name("a rule") if is_rule else take_name(self._cursor, "an event type")
        return Remove(name, is_rule, span=self._cursor.span_from(first.start))

    def _report(self, first: Token) -> Raise:
        """A top-level trigger, written as an event report (003 sections 2.1 and 3.3)."""
        cursor = self._cursor
        name = take_name(cursor, "an event type")
        source = cursor.advance().value if cursor.at_kind(Kind.STRING, "a source in quotes") else None
        time = bracketed_point(cursor) if cursor.at("[") else None
        return Raise(name, source, time, self._values(), span=cursor.span_from(first.start))

    def _rule_name(self, label: str) -> str:
        token = self._cursor.token
        name = take_name(self._cursor, label)
        if name == ALL_RULES:
            self._cursor.refuse(Fault("'*' stands for all rules and names none", token.span))
        return name

    def _values(self) -> tuple[Guard, ...]:
        """The values of an event's attributes, if any are written."""
        values = parse_arguments(self._cursor) if self._cursor.at("(") else ()
        for value in values:
            self._cursor.refuse_deep(value)
        return values

    # -- rules -------------------------------------------------------------------------------------------------

    def _rule(self, first: Token) -> Define:
        cursor = self._cursor
        name = self._rule_name("a name for the rule")
        window = bracketed_period(cursor) if cursor.at("[") else None
        opener = open_brace(cursor)
        pattern = GemExpressions(cursor).expression()
        cursor.refuse_deep(pattern)
        if not cursor.at("==>"):
            cursor.fail(hint="the actions of a rule follow ==>" if cursor.token.text in ("=", "==", ">=") else "")
        cursor.advance()
        actions = [self._action()]
        while cursor.accept(";") and not cursor.at("}"):
            actions.append(self._action())
        self._misspelt_action(actions[-1])
        cursor.close(opener, "}")
        span = cursor.span_from(first.start)
        rule = Rule(name, name_leaves(pattern), "gem", window=window, actions=tuple(actions), strict=True, span=span)
        return Define(rule, span=span)

    def _misspelt_action(self, action: Action) -> None:
        """Refuses what follows a trigger that is perhaps an action with a mistake: `notfy e`."""
        cursor = self._cursor
        if isinstance(action, Trigger) and not action.arguments and cursor.token.kind is Kind.NAME:
            cursor.at("}")
            cursor.fail(hint=nearest(action.type, _ACTIONS) or "actions are separated by ';'")

    def _action(self) -> Action:
        cursor = self._cursor
        first = cursor.token
        if first.text in _TOP_LEVEL:
            cursor.refuse(Fault(f"'{first.text}' stands only at top level, not inside a rule", first.span))
        if first.kind is Kind.STRING or first.text not in _ACTIONS:
            return self._trigger(first)
        following = cursor.peek().kind
        if first.text == "trigger" and following not in (Kind.NAME, Kind.STRING):
            return self._trigger(first)
        cursor.advance()
        if first.text in _SWITCHES:
            return self._switch_action(first)
        if first.text == "forward":
            return Forward(take_name(cursor, "an event or a variable"), span=cursor.span_from(first.start))
        if first.text == "trigger":
            return self._trigger(first)
        name = take_name(cursor, "an event type")
        return Notify(name, self._values(), span=cursor.span_from(first.start))

    def _trigger(self, first: Token) -> Trigger:
        if self._cursor.token.kind not in (Kind.NAME, Kind.STRING):
            self._cursor.fail("an action")
        name = take_name(self._cursor, "an event type")
        return Trigger(name, self._values(), span=self._cursor.span_from(first.start))

    def _switch_action(self, first: Token) -> Enable | Disable:
        """`enable`, `disable r`: without a name, the rule itself."""
        cursor = self._cursor
        if cursor.token.text == ALL_RULES:
            said = f"'{first.text} *' stands only at top level, not inside a rule"
            cursor.refuse(Fault(said, cursor.token.span, "a rule, or nothing for this rule"))
        named = cursor.token.kind is Kind.STRING or cursor.at_kind(Kind.NAME, "a rule")
        name = self._rule_name("a rule") if named else None
        return _SWITCHES[first.text](name, span=cursor.span_from(first.start))
