"""What columns are in a condition over rows: the row that is looked at, and those that a match has so far."""

from __future__ import annotations

from dataclasses import dataclass

from tocsin.algebra.guards import Attribute, Binary, Call, End, Guard, Literal, Not, Reference
from tocsin.algebra.patterns import THIS
from tocsin.origins.conditions import NOTHING, inside, rebuilt
from tocsin.origins.row_patterns import AGGREGATES, CURRENT, WHOLE, RowPattern
from tocsin.origins.words import mistake, refusal

_FALSE, _TRUE = Literal(False), Literal(True)


@dataclass(frozen=True)
class Columns:
    """At one row: `own` is its variable, `bound` are those that have rows before it, `before` the one just before."""

    pattern: RowPattern
    own: str
    bound: frozenset[str] = frozenset()
    before: str | None = None

    def condition(self) -> Guard | None:
        """What is asked of the row; None: nothing. Constants are worked out."""
        written = self.pattern.defined.get(self.own)
        if written is None:
            return None
        made = simple(self._resolved(written))
        return None if made == _TRUE else made

    def _resolved(self, guard: Guard) -> Guard:
        # Aggregates first: what is inside them is no column by itself.
        if isinstance(guard, Call) and guard.function in AGGREGATES:
            return self._aggregate(guard)
        if isinstance(guard, Attribute):
            return self._column(guard)
        return inside(guard, self._resolved)

    def _column(self, column: Attribute, variable: str | None = None) -> Guard:
        name = column.variable if variable is None else variable
        self._check(column)
        if name in (CURRENT, self.own):
            return self._at(THIS, column)
        return self._at(name, column) if name in self.bound else NOTHING

    def _at(self, variable: str, column: Attribute) -> Guard:
        order = self.pattern.order
        if order is not None and column.name == order.text:
            return End(variable, span=column.span)
        return Attribute(variable, column.name, span=column.span)

    def _check(self, column: Attribute) -> None:
        if column.variable != CURRENT and column.variable not in self.pattern.variables:
            raise mistake(f"'{column.variable}' is no variable of the pattern", column.span)

    def _aggregate(self, call: Call) -> Guard:
        column, back = _parts(call)
        self._check(column)
        if call.function == "prev":
            return self._previous(call, column, back)
        own = column.variable in (CURRENT, self.own)
        if call.function in ("first", "last"):
            return self._end_of(call, column, back, own)
        if own and column.variable == CURRENT:
            raise refusal(f"'{call.function}' over all variables at once", call.span, "name one: SUM(B.price)")
        if not own:
            several = self._several(call, column)
            return several if column.variable in self.bound else NOTHING
        return self._running(call, column)

    def _several(self, call: Call, column: Attribute) -> Guard:
        if column.name == WHOLE:
            return Call("count", (Reference(column.variable, span=column.span),), span=call.span)
        return Call(call.function, (Attribute(column.variable, column.name, span=column.span),), span=call.span)

    def _end_of(self, call: Call, column: Attribute, back: int, own: bool) -> Guard:
        """`FIRST(B.v)`, `LAST(B.v)`, `LAST(B.v, 1)`: the row that is looked at is the last of its own variable."""
        name = self.own if own else column.variable
        if call.function == "last" and back <= 1:
            if own and back == 0:
                return self._at(THIS, column)
            if own or back == 0:
                return self._at(name, column) if name in self.bound else NOTHING
        elif call.function == "first" and back == 0:
            if name in self.bound:
                return Call("first", (Attribute(name, column.name, span=column.span),), span=call.span)
            return self._at(THIS, column) if own else NOTHING
        raise refusal(f"'{call.function}' of {back} rows away", call.span, "LAST(B.v, 1), the row before, can be said")

    def _previous(self, call: Call, column: Attribute, back: int) -> Guard:
        if back > 1:
            raise refusal(f"'prev' of {back} rows back", call.span, "the row just before can be said: prev(B.v)")
        if self.before is None:
            hint = "begin the pattern with that row: (A B), B as B.v > A.v"
            raise refusal("'prev' of the first row, which is before the match", call.span, hint)
        return self._at(self.before, column)

    def _running(self, call: Call, column: Attribute) -> Guard:
        """An aggregate over the variable's rows up to this one: those before it, and it."""
        here = Attribute(THIS, column.name, span=column.span)
        is_first = self.own not in self.bound
        before = self._several(call, column)
        if call.function == "count":
            return Literal(1) if is_first else Binary("+", before, Literal(1), span=call.span)
        if call.function == "sum":
            return here if is_first else Binary("+", before, here, span=call.span)
        if call.function == "avg":
            hint = f"compare the sum: SUM({self.own}.v) < 10 * COUNT({self.own}.v)"
            raise refusal("'AVG' over rows of which this one is the last", call.span, hint)
        if is_first:
            return here
        what = f"'{call.function}' over rows of which this one is the last"
        raise refusal(what, call.span, "compare each with the one before: B.v > LAST(B.v, 1)")


def measure(pattern: RowPattern, written: Guard, anchor: str | None) -> Guard:
    """What is told of a match. A column without a variable is one that all rows have in common."""
    keys = {key.text for key in pattern.partition}

    def told(guard: Guard) -> Guard:
        if isinstance(guard, Call) and guard.function in AGGREGATES:
            column, back = _parts(guard)
            _check_measured(pattern, column, back, guard)
            row = pattern.variables[column.variable]
            if guard.function in ("first", "last") and row.most == 1:
                return told(column)
            if column.name == WHOLE:
                return Call("count", (Reference(column.variable, span=column.span),), span=guard.span)
            return Call(guard.function, (column,), span=guard.span)
        if not isinstance(guard, Attribute):
            return inside(guard, told)
        if guard.variable == CURRENT:
            if guard.name not in keys or anchor is None:
                raise refusal(f"'{guard.name}' of no variable", guard.span, f"say of which: A.{guard.name}")
            return Attribute(anchor, guard.name, span=guard.span)
        _check_measured(pattern, guard, 0, guard)
        if pattern.order is not None and guard.name == pattern.order.text:
            return End(guard.variable, span=guard.span)
        return guard

    return told(written)


def _check_measured(pattern: RowPattern, column: Attribute, back: int, where: Guard) -> None:
    if isinstance(where, Call) and (where.function == "prev" or back):
        raise refusal(f"'{where.function}' of rows away from the end of a match", where.span, "FIRST(B.v) or LAST(B.v)")
    if column.variable not in pattern.variables:
        what = "an aggregate over all variables at once" if column.variable == CURRENT else f"'{column.variable}'"
        raise mistake(f"{what} is told of no variable of the pattern", where.span, "name one: SUM(B.price)")


def _parts(call: Call) -> tuple[Attribute, int]:
    column, *others = call.arguments
    assert isinstance(column, Attribute)
    back = others[0].value if others and isinstance(others[0], Literal) else (1 if call.function == "prev" else 0)
    assert isinstance(back, int)
    return column, back


def simple(guard: Guard) -> Guard:
    """The guard with what is known of it worked out: nothing is compared with what is not there."""
    return rebuilt(guard, _worked_out)


def _worked_out(guard: Guard) -> Guard | None:
    match guard:
        case Binary(operator="&&", left=left, right=right):
            if _FALSE in (left, right):
                return _FALSE
            return right if left == _TRUE else left if right == _TRUE else None
        case Binary(operator="||", left=left, right=right):
            if _TRUE in (left, right):
                return _TRUE
            return right if left == _FALSE else left if right == _FALSE else None
        case Binary(operator="+" | "-" | "*", left=left, right=right) if NOTHING in (left, right):
            return NOTHING
        case Binary(left=left, right=right) if NOTHING in (left, right):
            return _FALSE
        case Call(function="in" | "like", arguments=(value, *_)) if value == NOTHING:
            return _FALSE
        case Call(arguments=arguments) if NOTHING in arguments:
            return NOTHING
        case Not(operand=inner) if inner in (_TRUE, _FALSE):
            return Literal(inner == _FALSE)
    return None
