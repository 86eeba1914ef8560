"""EPS requests for notification as text (000 section 4): a document of requests, each a rule that is enabled.

    document = {request}
    request  = "request" name "{" {clause} "}"
    clause   = "event" ":" expression        | "condition" ":" guard
             | "notification" ":" string     | "callback" ":" string
             | "window" ":" span             | "context" ":" context
             | "order" ":" ("best-effort" | "guaranteed" [":" span] | "delay" ":" span | "probabilistic" ":" number)

A clause ends with its line, for `;` already means "followed by". A line goes on if it ends with an operator
or inside parentheses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Final

from tocsin.algebra.guards import Guard
from tocsin.algebra.names import name_leaves
from tocsin.algebra.order import order_text
from tocsin.algebra.patterns import Pattern
from tocsin.algebra.rules import Command, Context, Define, Enable, Order, Rule, Statement
from tocsin.errors import Fault, RuleError, Source, nearest
from tocsin.languages.eps_expressions import OPERATORS, EpsExpressions, EpsWriter
from tocsin.languages.guards import parse_guard, render_guard
from tocsin.languages.lexer import Kind, Syntax, Token, quote
from tocsin.languages.notifications import parse_notification, render_notification
from tocsin.languages.parser import Cursor
from tocsin.languages.statements import MAX_FAULTS, open_brace, take_name
from tocsin.languages.times import Stretch, positive_period, stretch_to
from tocsin.languages.writer import render_name
from tocsin.time.spans import Period, render_eps_span

_CLOSING: Final = frozenset((")", "]", "}"))
_SYNTAX: Final = Syntax(OPERATORS, newlines=True, quiet="([", joining=frozenset(OPERATORS) - _CLOSING)
_REQUEST: Final = "request"
_CONTEXTS: Final = tuple(context.value for context in Context)
_POLICIES: Final = ("best-effort", "guaranteed", "delay", "probabilistic")


def parse_document(source: Source) -> tuple[Statement, ...]:
    """The requests of a document, each defined and enabled; all faults of the document at once."""
    return _Document(source).statements()


class _Document:
    """One pass over a document, which goes on after a fault with the next clause or request."""

    def __init__(self, source: Source) -> None:
        self._cursor = Cursor(source, _SYNTAX)
        self._faults: list[Fault] = []
        self._clauses: dict[str, tuple[str, Callable[[], object]]] = {
            "event": ("pattern", self._event),
            "condition": ("condition", self._condition),
            "notification": ("notify", self._notification),
            "callback": ("callback", self._string),
            "window": ("window", self._window),
            "context": ("context", self._context),
            "order": ("order", self._order),
        }

    def statements(self) -> tuple[Statement, ...]:
        cursor = self._cursor
        found: list[Statement] = []
        while cursor.token.kind is not Kind.END and len(self._faults) < MAX_FAULTS:
            if cursor.token.kind is Kind.NEWLINE:
                cursor.advance()
            else:
                self._attempt(lambda: found.extend(self._request()), cursor.token, self._begins_request)
        if self._faults:
            raise RuleError(self._faults[:MAX_FAULTS])
        return tuple(found)

    def _attempt(self, read: Callable[[], None], first: Token, resumes: Callable[[Token], bool]) -> None:
        """Reads a part; a fault is kept, and reading goes on where `resumes` allows."""
        try:
            read()
        except RuleError as error:
            self._faults.extend(error.faults)
            self._cursor.recover(first, resumes)

    def _begins_request(self, token: Token) -> bool:
        return token.text == _REQUEST and self._cursor.peek().kind in (Kind.NAME, Kind.STRING)

    def _begins_clause(self, token: Token) -> bool:
        if token.text == "}" or self._begins_request(token):
            return True
        return token.text in self._clauses and self._cursor.peek().text == ":"

    def _request(self) -> tuple[Statement, ...]:
        cursor = self._cursor
        begin = cursor.expect(_REQUEST)
        name = take_name(cursor, "a name for the request")
        opener = open_brace(cursor)
        found: dict[str, Any] = {}
        before = len(self._faults)
        while not cursor.at("}") and cursor.token.kind is not Kind.END and not self._begins_request(cursor.token):
            if cursor.token.kind is Kind.NEWLINE:
                cursor.advance()
            else:
                self._attempt(lambda: self._clause(found), cursor.token, self._begins_clause)
                if len(self._faults) >= MAX_FAULTS:
                    return ()
        cursor.close(opener, "}")
        span = cursor.span_from(begin.start)
        if cursor.token.kind not in (Kind.NEWLINE, Kind.END):
            cursor.fail("the end of the line")
        if len(self._faults) > before:
            return ()
        if "pattern" not in found:
            cursor.refuse(Fault("the request has no event expression", begin.span, "a line 'event: EXPRESSION'"))
        message = parse_notification(found["notify"]) if "notify" in found else ()
        rule = Rule(name, language="eps", message=message, span=span, **found)
        return Define(rule, span=span), Command(Enable(name, span=span), span=span)

    def _clause(self, found: dict[str, Any]) -> None:
        """Reads one clause into the field of the rule that it sets."""
        cursor = self._cursor
        keyword = cursor.token
        if keyword.text not in self._clauses:
            goes_on = keyword.kind is Kind.OPERATOR and keyword.fresh
            hint = "a line goes on if the one before it ends with the operator" if goes_on else ""
            cursor.fail(*(f"'{word}'" for word in self._clauses), hint=hint)
        cursor.advance()
        cursor.expect(":")
        field, read = self._clauses[keyword.text]
        if field in found:
            cursor.refuse(Fault(f"the request has two clauses '{keyword.text}'", keyword.span))
        found[field] = read()
        if cursor.token.kind is not Kind.NEWLINE and not cursor.at("}"):
            cursor.fail("the end of the line")

    # -- what clauses hold ---------------------------------------------------------------------------------------

    def _event(self) -> Pattern:
        pattern = EpsExpressions(self._cursor).expression()
        self._cursor.refuse_deep(pattern)
        return name_leaves(pattern)

    def _condition(self) -> Guard:
        guard = parse_guard(self._cursor)
        self._cursor.refuse_deep(guard)
        return guard

    def _string(self) -> str:
        return self._cursor.expect_kind(Kind.STRING, "a string").value

    def _notification(self) -> str:
        token = self._cursor.token
        text = self._string()
        try:
            parse_notification(text)
        except RuleError as error:
            self._cursor.refuse(replace(error.faults[0], span=token.span))
        return text

    def _window(self) -> Period:
        return positive_period(stretch_to(self._cursor, "}"))

    def _context(self) -> Context:
        token = self._cursor.token
        if token.text not in _CONTEXTS:
            self._cursor.fail(*(f"'{context}'" for context in _CONTEXTS))
        self._cursor.advance()
        return Context(token.text)

    def _order(self) -> Order:
        """`best-effort`, `delay:5 sec` ...: as on the command line, with a blank for the colon if you like."""
        cursor = self._cursor
        stretch = stretch_to(cursor, ":", "}")
        policy = stretch.text.strip()
        if policy == "best-effort" or (policy == "guaranteed" and not cursor.at(":")):
            return Order(policy)
        if policy in _POLICIES:
            cursor.expect(":")
            value = stretch_to(cursor, "}")
            if policy == "delay":
                return Order(policy, delay=positive_period(value))
            if policy == "guaranteed":
                return Order(policy, idle=positive_period(value))
            return Order(policy, probability=_probability(value))
        hint = nearest(policy, _POLICIES)
        expected = "best-effort, guaranteed, guaranteed:SPAN, delay:SPAN or probabilistic:P"
        return cursor.refuse(Fault(f"unknown order {policy!r}", stretch.span, expected, hint))


def _probability(stretch: Stretch) -> float:
    text = stretch.text.strip()
    plain = text.replace(".", "", 1)
    value = float(text) if plain.isascii() and plain.isdigit() else 0.0
    if not 0 < value <= 1:
        stretch.cursor.refuse(Fault("a probability lies above 0 and is at most 1", stretch.span, "a number as 0.95"))
    return value


# -- writing ---------------------------------------------------------------------------------------------------------


def render_document(statements: Iterable[Statement]) -> str:
    """Requests as a document; each definition must be followed by its `Enable`, for a request always runs."""
    written: list[str] = []
    waiting: Rule | None = None
    for statement in statements:
        match statement:
            case Define(rule=rule) if waiting is None:
                waiting = rule
            case Command(action=Enable(rule=name)) if waiting is not None and waiting.name == name:
                written.append(_request_text(waiting))
                waiting = None
            case _:
                raise RuleError(Fault("an EPS document holds nothing but requests, each enabled where it is defined"))
    if waiting is not None:
        raise RuleError(Fault(f"an EPS document cannot hold the rule {quote(waiting.name)} without enabling it"))
    return "\n".join(written)


def _request_text(rule: Rule) -> str:
    if rule.actions or rule.select:
        raise RuleError(Fault("EPS has no way to write the actions or the selection of a rule"))
    clauses = [("event", EpsWriter(rule.pattern).text())]
    if rule.condition is not None:
        clauses.append(("condition", render_guard(rule.condition)))
    if rule.notify is not None:
        clauses.append(("notification", quote(render_notification(rule, "eps"))))
    if rule.callback is not None:
        clauses.append(("callback", quote(rule.callback)))
    if rule.window is not None:
        clauses.append(("window", render_eps_span(rule.window)))
    if rule.context is not None:
        clauses.append(("context", rule.context.value))
    if rule.order is not None:
        clauses.append(("order", order_text(rule.order)))
    lines = "".join(f"  {keyword}: {text}\n" for keyword, text in clauses)
    return f"request {render_name(rule.name, frozenset())} {{\n{lines}}}\n"
