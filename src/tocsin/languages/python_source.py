"""Python read as a language of patterns: the calls of `fluent`, and nothing else. No code is run.

Python's own parser makes a tree of the text. Of that tree only what builds patterns is followed: events and the
methods of the chain, guards and their operators, constants, and names that were given to such before.
"""

from __future__ import annotations

import ast
import operator
import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, NoReturn

from tocsin.algebra.guards import Attribute
from tocsin.algebra.patterns import Pattern
from tocsin.errors import Fault, RuleError, Source, Span, TextError, UsageError, choices, nearest
from tocsin.languages import fluent
from tocsin.languages.depth import MAX_DEPTH, TOO_DEEP, too_deep
from tocsin.languages.fluent import Fluent, Variable
from tocsin.languages.fluent_terms import Term

PACKAGE: Final = "tc"
FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {
    name: getattr(fluent, name) for name in ("event", "unnamed", "any_event", "every", "at", "guard")
}
STEPS: Final = frozenset(
    name for name, value in vars(Fluent).items() if callable(value) and not name.startswith("_")
) | {"also_named"}
TESTS: Final = frozenset(name for name, value in vars(Term).items() if callable(value) and not name.startswith("_"))

OPERATORS: Final[dict[type[ast.AST], Callable[[Any, Any], Any]]] = {
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
UNARY: Final[dict[type[ast.AST], Callable[[Any], Any]]] = {ast.Invert: operator.invert, ast.USub: operator.neg}

_JOIN: Final = "join with &, | and ~: Python's own 'and', 'or' and 'not' cannot wait for an event"
_LONGEST: Final = 200
"""Characters of a text that are said again in a message."""
_DEPTH: Final = 4 * MAX_DEPTH
"""How deep Python's tree may be: a call is two levels of it, and a pattern of the greatest depth has guards besides."""


def parse(source: Source) -> Pattern:
    """The pattern that the last line of a text stands for; the lines before it give names to parts."""
    try:
        return _Reading(source).pattern()
    except RuleError as error:
        raise error.located(source) from None


class _Reading:
    """One text in the reading."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.names: dict[str, object] = {}
        self._starts = [0]
        for line in source.text.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def pattern(self) -> Pattern:
        """The pattern that the text builds."""
        tree = self._tree()
        if not tree.body:
            raise RuleError(Fault("there is nothing to detect", Span(0, 0, self.source), _PATTERN))
        for statement in tree.body[:-1]:
            self._statement(statement)
        last = tree.body[-1]
        if not isinstance(last, ast.Expr):
            self._refuse(last, "the last line is the pattern itself", _PATTERN)
        found = self._value(last.value)
        if not isinstance(found, Fluent):
            self._refuse(last, f"this is {_kind(found)} and no pattern", _PATTERN)
        if found.selected:
            self._refuse(last, "what a detection carries is said by the rule's 'select', beside the expression")
        if (fault := too_deep(found.pattern)) is not None:
            raise RuleError(replace(fault, span=self._span(last)))
        return replace(found.pattern, span=self._span(last))

    def _tree(self) -> ast.Module:
        text = self.source.text
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of doubtful escapes in strings, say
                tree = ast.parse(text)
        except SyntaxError as error:
            line, column = max(1, error.lineno or 1), max(1, error.offset or 1)
            at = min(self._starts[min(line, len(self._starts)) - 1] + column - 1, len(text))
            raise RuleError(
                Fault(f"this is not Python: {error.msg}", Span(at, min(at + 1, len(text)), self.source))
            ) from None
        except (ValueError, MemoryError, RecursionError) as error:  # a NUL; what nests too deeply for Python's parser
            reason = TOO_DEEP if not isinstance(error, ValueError) else f"this is not Python: {error}"
            raise RuleError(Fault(reason, Span(0, len(text), self.source))) from None
        waiting: list[tuple[ast.AST, int]] = [(tree, 0)]
        while waiting:
            node, depth = waiting.pop()
            if depth > _DEPTH:
                raise RuleError(Fault(TOO_DEEP, Span(0, len(text), self.source)))
            waiting.extend((child, depth + 1) for child in ast.iter_child_nodes(node))
        return tree

    # -- lines ---------------------------------------------------------------------------------------------------

    def _statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Import(names=[ast.alias(name="tocsin", asname="tc")]):
                return
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self._give(node, name, self._value(value))
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                if len(targets) != len(values) or not all(isinstance(target, ast.Name) for target in targets):
                    self._refuse(node, "as many names as values", "a, b = tc.event('a'), tc.event('b')")
                given = [self._value(value) for value in values]
                for target, value in zip(targets, given, strict=True):
                    assert isinstance(target, ast.Name)
                    self._give(target, target.id, value)
            case _:
                self._refuse(node, "only names are given here, to parts of the pattern", "a = tc.event('a')")

    def _give(self, node: ast.AST, name: str, value: object) -> None:
        if name in (PACKAGE, "abs"):
            self._refuse(node, f"'{name}' is taken: choose another name")
        self.names[name] = value

    # -- values --------------------------------------------------------------------------------------------------

    def _value(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=None | bool() | int() | float() | str() as value):
                return value
            case ast.Tuple(elts=items) | ast.List(elts=items) if all(map(_is_text, items)):
                return tuple(self._value(item) for item in items)  # several attributes
            case ast.Name(id=name):
                return self._named(node, name)
            case ast.Call():
                return self._call(node)
            case ast.Attribute(value=base, attr=name):
                return self._attribute(node, self._value(base), name)
            case ast.Subscript(value=base, slice=ast.Constant(value=str() as name)):
                found = self._value(base)
                if not isinstance(found, Variable | Term):
                    self._refuse(node, f"{_kind(found)} has no attributes: give the event a name")
                return self._applied(node, operator.getitem, found, name)
            case ast.Subscript(value=base, slice=ast.Constant(value=int() as place)):
                found = self._value(base)
                if not isinstance(found, Term):
                    self._refuse(node, f"{_kind(found)} is no list")
                return self._applied(node, operator.getitem, found, place)
            case ast.BinOp(left=left, op=sign, right=right) if type(sign) in OPERATORS:
                return self._applied(node, OPERATORS[type(sign)], self._value(left), self._value(right))
            case ast.Compare(left=left, ops=[sign], comparators=[right]) if type(sign) in OPERATORS:
                return self._applied(node, OPERATORS[type(sign)], self._value(left), self._value(right))
            case ast.Compare(ops=[_, _, *_]):
                self._refuse(node, "one comparison at a time", "(1 < a.v) & (a.v < 5)")
            case ast.UnaryOp(op=sign, operand=operand) if type(sign) in UNARY:
                return self._applied(node, UNARY[type(sign)], self._value(operand))
            case ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
                self._refuse(node, _JOIN)
        self._refuse(node, "this builds no pattern", _PATTERN)

    def _named(self, node: ast.AST, name: str) -> object:
        if name not in self.names:
            hint = nearest(name, list(self.names)) or f"give it first: {_short(name)} = tc.event(...)"
            raise RuleError(Fault(f"nothing is called '{_short(name)}' here", self._span(node), hint=hint))
        return self.names[name]

    def _attribute(self, node: ast.AST, base: object, name: str) -> object:
        if name.startswith("_"):
            self._refuse(node, f"there is no '{_short(name)}'")
        if isinstance(base, Variable) and name not in STEPS and name not in vars(base):
            return self._placed(node, getattr(base, name))
        if isinstance(base, Fluent | Term) and (name in STEPS or name in TESTS):
            self._refuse(node, f"'{name}' is called with what it needs", f"{name}(...)")
        if isinstance(base, Term) and isinstance(base.guard, Attribute) and name not in vars(base):
            return self._placed(node, getattr(base, name))
        self._refuse(node, f"{_kind(base)} has no attribute '{_short(name)}'")

    def _call(self, node: ast.Call) -> object:
        arguments = [self._value(each) for each in node.args]
        keywords: dict[str, object] = {}
        for each in node.keywords:
            if each.arg is None:
                self._refuse(each.value, "arguments are written one by one")
            keywords[each.arg] = self._value(each.value)
        return self._applied(node, self._called(node.func), *arguments, **keywords)

    def _called(self, node: ast.expr) -> Callable[..., Any]:
        match node:
            case ast.Name(id="abs"):
                return abs
            case ast.Attribute(value=ast.Name(id="tc"), attr=name):
                if name not in FUNCTIONS:
                    hint = nearest(name, FUNCTIONS)
                    raise RuleError(
                        Fault(f"tc.{name} builds no pattern", self._span(node), choices(list(FUNCTIONS)), hint)
                    )
                return FUNCTIONS[name]
            case ast.Attribute(value=base, attr=name):
                found = self._value(base)
                known = STEPS if isinstance(found, Fluent) else TESTS if isinstance(found, Term) else frozenset()
                if name not in known or not hasattr(type(found), name):
                    hint = nearest(name, sorted(known))
                    raise RuleError(Fault(f"{_kind(found)} has no '{_short(name)}()'", self._span(node), hint=hint))
                called: Callable[..., Any] = getattr(found, name)
                return called
        self._refuse(node, "only events, patterns and what they carry are called here", _PATTERN)

    def _applied(self, node: ast.AST, function: Callable[..., Any], *arguments: Any, **keywords: Any) -> object:
        """What a step of the chain or an operator gives. It must be about events: nothing is computed here."""
        is_plain = not any(isinstance(each, Fluent | Term) for each in (*arguments, *keywords.values()))
        if is_plain and function in (*OPERATORS.values(), *UNARY.values(), abs):
            if function is operator.neg and isinstance(arguments[0], int | float):
                return -arguments[0]
            self._refuse(node, "nothing is computed here but what events carry")
        try:
            made = function(*arguments, **keywords)
        except TextError as error:
            raise RuleError([replace(fault, span=self._span(node)) for fault in error.faults]) from None
        except UsageError as error:
            self._refuse(node, str(error))
        except (TypeError, AttributeError, ValueError, OverflowError) as error:
            self._refuse(node, _told(error))
        if not isinstance(made, Fluent | Term):
            self._refuse(node, "this builds no pattern", _PATTERN)
        return self._placed(node, made)

    def _placed(self, node: ast.AST, made: Fluent | Term) -> Fluent | Term:
        """What was just made, with its place in the text: whatever is wrong with it later is told there."""
        if isinstance(made, Term):
            made.guard = replace(made.guard, span=made.guard.span or self._span(node))
        else:
            made.pattern = replace(made.pattern, span=made.pattern.span or self._span(node))
        return made

    # -- faults --------------------------------------------------------------------------------------------------

    def _refuse(self, node: ast.AST, message: str, expected: str = "") -> NoReturn:
        raise RuleError(Fault(message, self._span(node), expected))

    def _span(self, node: ast.AST) -> Span:
        ends: list[int] = []
        for line, column in ((node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)):  # type: ignore[attr-defined]  # statements and expressions have them
            start = self._starts[line - 1]
            text = self.source.text[start : self._starts[line] if line < len(self._starts) else None]
            ends.append(start + len(text.encode(errors="surrogatepass")[:column].decode(errors="ignore")))
        return Span(ends[0], ends[1], self.source)


_PATTERN: Final = "a pattern such as tc.event('a').then(tc.event('b'))"


def _kind(value: object) -> str:
    match value:
        case Variable():
            return "an event"
        case Fluent():
            return "a pattern"
        case Term():
            return "a guard"
        case str():
            return "a text"
        case None | bool() | int() | float():
            return "a value"
    return "this"


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[:_LONGEST]}..."


def _told(error: Exception) -> str:
    """What Python says of a wrong call, without the name of the class."""
    return _short(str(error)).replace("Fluent.", "").replace("Variable.", "").replace("Term.", "")
