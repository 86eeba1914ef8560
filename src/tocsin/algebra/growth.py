"""From a pattern to the nodes of a consuming context (`contexts.py`): who makes them, and what is known of operands."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tocsin.algebra.combinations import BOTH, CONCURRENT, SEQUENCES, Operator, named
from tocsin.algebra.contexts import (
    Counting,
    Finish,
    Fit,
    Gathering,
    Leaf,
    Lining,
    Measuring,
    Missing,
    Node,
    Pair,
    Passing,
    Waiting,
    fitted,
)
from tocsin.algebra.guards import Guard, conjuncts, variables_of
from tocsin.algebra.names import bound
from tocsin.algebra.occurrence import Occurrence
from tocsin.algebra.patterns import (
    Absence,
    Accumulate,
    After,
    Aggregate,
    Both,
    Concurrent,
    Either,
    Instant,
    Named,
    Pattern,
    Precedence,
    Sequence,
    Streak,
    Times,
    Where,
)
from tocsin.algebra.rules import Context
from tocsin.algebra.values import Surroundings, holds


class Ties(NamedTuple):
    """What is known of two operands before they meet: how they must lie in time, and what guards ask of both.

    `names` are the variables of each side. Nobody has to look at it: what fits is told by the `Fit` alone.
    """

    keeps_last: bool
    order: Precedence | None = None
    """None where they may come in any order."""
    is_concurrent: bool = False
    guards: tuple[Guard, ...] = ()
    names: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())


class Makers:
    """Makes the nodes that remember. The engine has others of the same meaning, which find what waits by an index."""

    def pair(self, pattern: Pattern, parts: tuple[Node, ...], fit: Fit, context: Context, ties: Ties) -> Node:
        """Two operands that combine."""
        return Pair(pattern, parts, fit, context, ties.keeps_last)

    def missing(
        self,
        pattern: Absence,
        parts: tuple[Node, ...],
        context: Context,
        around: Surroundings,
        finish: Callable[[Occurrence | None], Occurrence | None],
        ties: Ties,
    ) -> Node:
        """Two operands and what must not lie between them."""
        return Missing(pattern, parts, context, around, finish)

    def counting(self, pattern: Times, parts: tuple[Node, ...], context: Context) -> Node:
        """A repetition."""
        return Counting(pattern, parts, context)

    def lining(self, pattern: Streak, parts: tuple[Node, ...], finish: Finish) -> Node:
        """A run in words."""
        return Lining(pattern, parts, finish)

    def gathering(self, pattern: Pattern, parts: tuple[Node, ...], granularity: int | None) -> Node:
        """An iteration."""
        return Gathering(pattern, parts)

    def waiting(
        self, pattern: After, parts: tuple[Node, ...], around: Surroundings, granularity: int | None
    ) -> Waiting:
        """What occurs later."""
        return Waiting(pattern, parts, around, granularity)


def grow(
    pattern: Pattern, context: Context, around: Surroundings, granularity: int | None, makers: Makers | None = None
) -> Node:
    """The nodes for a pattern."""
    return _Growing(context, around, granularity, makers or Makers()).node(pattern)


class _Growing:
    """A pattern's nodes in the making.

    A guard chooses among the candidates of the operator it is written on, through names and alternatives too, so it
    goes down to where they are combined: `finish` is what has been gathered on the way, `guards` the guards in it.
    """

    def __init__(self, context: Context, around: Surroundings, granularity: int | None, makers: Makers) -> None:
        self.context, self.around, self.granularity, self.makers = context, around, granularity, makers

    def node(self, pattern: Pattern, finish: Finish | None = None, guards: tuple[Guard, ...] = ()) -> Node:
        """The nodes for a pattern with what is around it."""
        around = self.around

        def finished(one: Occurrence | None) -> Occurrence | None:
            return one if one is None or finish is None else finish(one)

        match pattern:
            case Where(pattern=inner, guard=guard):
                within = (*conjuncts(guard), *guards)
                return self.node(inner, lambda one: finished(_checked(one, guard, around)), within)
            case Named(name=name, pattern=inner):
                within = tuple(guard for guard in guards if name not in variables_of(guard))
                return self.node(inner, lambda one: finished(named(name, one)), within)
            case Instant(pattern=inner):
                return self.node(inner, lambda one: finished(one.spanning(one.end, one.end)), guards)
            case Either(parts=parts):
                return Passing(pattern, tuple(self.node(part, finish, guards) for part in parts), lambda one: one)
            case Both(parts=parts):
                return self._pairs(parts, BOTH, finished, Ties(True, guards=guards))
            case Sequence(parts=parts, order=order):
                return self._pairs(parts, SEQUENCES[order], finished, Ties(False, order, guards=guards))
            case Concurrent(left=left, right=right):
                ties = Ties(True, None, True, guards, (_names(left), _names(right)))
                sides = (self.node(left), self.node(right))
                return self.makers.pair(pattern, sides, _fit(CONCURRENT, finished), self.context, ties)
            case Absence(first=first, last=last, without=without):
                ties = Ties(False, pattern.order, False, guards, (_names(first), _names(last)))
                operands = (self.node(first), self.node(last), self.node(without))
                return self.makers.missing(pattern, operands, self.context, around, finished, ties)
            case Streak(pattern=inner):
                return self.makers.lining(pattern, (self.node(inner),), finished)
        node = self._single(pattern)
        return node if finish is None else Passing(pattern, (node,), finish)

    def _single(self, pattern: Pattern) -> Node:
        """What makes occurrences of one kind: a leaf, or all of several as one."""
        match pattern:
            case Times(pattern=inner):
                return self.makers.counting(pattern, (self.node(inner),), self.context)
            case Aggregate(pattern=inner):
                return Measuring(pattern, (self.node(inner),), self.around)
            case Accumulate(each=each, last=last):
                return self.makers.gathering(pattern, (self.node(each), self.node(last)), self.granularity)
            case After(pattern=inner):
                return self.makers.waiting(pattern, (self.node(inner),), self.around, self.granularity)
        return Leaf(pattern)

    def _pairs(
        self,
        parts: tuple[Pattern, ...],
        operator: Operator,
        finished: Callable[[Occurrence | None], Occurrence | None],
        ties: Ties,
    ) -> Node:
        """`a & b & c` as `(a & b) & c`: one node of two operands at a time; what is around belongs to the last."""
        node, known = self.node(parts[0]), _names(parts[0])
        for place, part in enumerate(parts[1:], 2):
            is_last = place == len(parts)
            fit = _fit(operator, finished) if is_last else fitted(operator)
            mine = ties._replace(guards=ties.guards if is_last else (), names=(known, _names(part)))
            node = self.makers.pair(part, (node, self.node(part)), fit, self.context, mine)
            known |= _names(part)
        return node


def _fit(operator: Operator, finished: Callable[[Occurrence | None], Occurrence | None]) -> Fit:
    return lambda left, right: finished(fitted(operator)(left, right))


def _names(pattern: Pattern) -> frozenset[str]:
    return frozenset(bound(pattern))


def _checked(one: Occurrence, guard: Guard, around: Surroundings) -> Occurrence | None:
    return one if holds(guard, one.variables(), around) else None
