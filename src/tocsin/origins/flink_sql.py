"""Flink SQL: queries with `MATCH_RECOGNIZE`. The rows of a table are events of the type that the table is called."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tocsin.algebra.rules import Rule
from tocsin.errors import Span
from tocsin.languages.lexer import Kind, Token
from tocsin.origins.atoms import Told
from tocsin.origins.row_automata import rule_of
from tocsin.origins.row_patterns import RowPattern, read_clause
from tocsin.origins.words import Words, mistake, refusal

NAME: Final = "flink-sql"
_PASSED: Final = (
    "create",
    "set",
    "use",
    "drop",
    "reset",
    "alter",
    "load",
    "unload",
    "execute",
    "add",
    "remove",
    "show",
)
"""What begins statements that detect nothing, unless a pattern is in them: they say where tables come from."""

Selected = list[tuple[str, str, Span]]


@dataclass
class Query:
    """`SELECT ... FROM table MATCH_RECOGNIZE (...)`, as it stands in a text."""

    table: Token
    clause: RowPattern
    selected: Selected | None
    name: str
    span: Span


def read_statement(words: Words, number: int) -> Rule | None:
    """One statement; None if it detects nothing."""
    if _at_bracket_of_statements(words):
        return None
    if any(words.at(word) for word in _PASSED) and not _is_query(words):
        words.skip_statement()
        return None
    query = read_query(words, f"query_{number}")
    if not words.accept(";"):
        words.expect_end()
    return rule_of_query(query)


def rule_of_query(query: Query) -> Rule:
    """The rule of a query."""
    if query.clause.order is None:
        raise refusal("a clause without ORDER BY", query.clause.span, "ORDER BY the table's time attribute")
    told = Told(query.name, span=query.span)
    return rule_of(query.clause, query.table.text, told, query.selected, default_skip="next")


def _at_bracket_of_statements(words: Words) -> bool:
    """Steps over `EXECUTE STATEMENT SET BEGIN`, and its `END`: the statements between them stand for themselves."""
    if words.at("end"):
        words.advance()
        return True
    if not any(words.at_words(word, "statement") for word in ("execute", "begin")):
        return False
    for word in ("execute", "begin", "statement", "set", "begin"):
        words.accept(word)
    return True


def _is_query(words: Words) -> bool:
    """Whether a pattern is in the statement, or it is a view, which is a query."""
    ahead = [token.text.lower() for token in words.statement() if not token.value]
    if "match_recognize" in ahead:
        return True
    return "view" in ahead[1:5] and "as" in ahead and ahead[0] == "create"


def read_query(words: Words, name: str) -> Query:
    """The query that begins here, with what it is written into."""
    start = words.token
    name = _target(words) or name
    words.expect("select")
    if words.at("distinct"):
        raise refusal("'DISTINCT'", words.token, "a rule's 'suppress:' tells once per key and time")
    selected = _selected(words)
    words.expect("from")
    table = _table(words)
    if not words.at("match_recognize"):
        raise refusal("a query without MATCH_RECOGNIZE", words.span_from(start.start), "only patterns become rules")
    words.advance()
    clause = read_clause(words)
    alias = _alias(words)
    for word in ("where", "group", "having", "order", "limit", "join", "union"):
        if words.at(word):
            hint = "put conditions into DEFINE, and the rest where the detections are read"
            raise refusal(f"'{word.upper()}' behind the clause", words.token, hint)
    return Query(table, clause, _unqualified(selected, alias), name, words.span_from(start.start))


def _target(words: Words) -> str | None:
    """`INSERT INTO alerts`, `CREATE VIEW alerts AS`, `CREATE TABLE alerts ... AS`: what the rule is called."""
    words.accept("execute")
    if words.accept("insert"):
        words.expect("into")
        return _path(words).text
    if not words.accept("create"):
        return None
    if words.accept("or"):
        words.expect("replace")
    words.accept("temporary")
    if not words.accept("table"):
        words.expect("view")
    for word in ("if", "not", "exists"):
        words.accept(word)
    name = _path(words)
    if words.at("("):
        raise refusal("new names for the columns", words.token, "name them in the query: SELECT x AS y")
    while not words.at("as"):
        if words.token.kind is Kind.END or words.at(";"):
            words.fail("'as'")
        words.advance()
    words.expect("as")
    return name.text


def _path(words: Words) -> Token:
    """`catalog.database.table`: the last of the names."""
    name = words.name("a table")
    while words.accept("."):
        name = words.name("a table")
    return name


def _table(words: Words) -> Token:
    if words.at("("):
        raise refusal("a query inside the query", words.token, "make it a view, and give its rows a type of their own")
    return _path(words)


def _selected(words: Words) -> list[tuple[Token | None, Token, str]] | None:
    """The columns of the result; None for all of them."""
    found: list[tuple[Token | None, Token, str]] = []
    while True:
        if words.accept("*"):
            return None
        first = words.name("a column of the result, or *")
        owner = None
        if words.accept("."):
            if words.accept("*"):
                return None
            owner, first = first, words.name("a column of the result")
        if words.at("("):
            raise refusal("an expression over the result", first, "say it under MEASURES")
        new = words.name("the column's new name").text if words.accept("as") else first.text
        found.append((owner, first, new))
        if not words.accept(","):
            return found


def _alias(words: Words) -> str | None:
    if words.accept("as"):
        return words.name("a name for the result").text
    keywords = ("where", "group", "having", "order", "limit", "join", "union")
    if words.token.kind is Kind.NAME and not any(words.at(word) for word in keywords):
        return words.advance().text
    return None


def _unqualified(selected: list[tuple[Token | None, Token, str]] | None, alias: str | None) -> Selected | None:
    if selected is None:
        return None
    made: Selected = []
    for owner, column, new in selected:
        if owner is not None and owner.text != alias:
            raise mistake(f"'{owner.text}' is not what the result is called", owner)
        made.append((column.text, new, column.span))
    return made
