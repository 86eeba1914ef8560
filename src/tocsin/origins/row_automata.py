"""Row patterns as core expressions.

The rows of a table are events of one type, which the table gives its name. A pattern's rows follow each other with none
between them, so each state looks at all rows of the partition: `(A B)` is `[A:T] [B:T in T]`.

A loop is told once, so there must be one way to go at each row. Flink leaves a greedy loop only on a row that the loop
does not take, and a reluctant one on the first that the next variable takes: the conditions of the two are made to
exclude each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from tocsin.algebra.guards import Attribute, Binary, Guard, Literal, Not
from tocsin.algebra.patterns import THIS, Atom, Described, Iteration, Pattern, Run, Timing
from tocsin.algebra.rule_warnings import contradiction
from tocsin.algebra.rules import Rule
from tocsin.errors import Span
from tocsin.languages.core_filters import NO_VARIABLES
from tocsin.origins.atoms import Told, chain, either, free_label, in_core
from tocsin.origins.conditions import both, present
from tocsin.origins.row_columns import Columns, measure, simple
from tocsin.origins.row_patterns import Row, RowPattern
from tocsin.origins.words import mistake, refusal

MOST_STATES: Final = 300
"""Atoms of one expression: each number of optional rows is written out."""
_ALWAYS, _NEVER = Literal(True), Literal(False)


@dataclass(frozen=True)
class _Way:
    """Where a match is: which rows it has had, what its next row must not be, and the rows that have gone before."""

    place: int = 0
    count: int = 0
    excluded: tuple[Guard, ...] = ()
    bound: frozenset[str] = frozenset()
    anchor: str | None = None
    before: str | None = None


class _Dead(Exception):
    """No row can go on from here."""


class RowAutomaton:
    """Makes the core expression of one pattern over the rows of a table."""

    def __init__(self, pattern: RowPattern, table: str, *, is_deterministic: bool) -> None:
        self.pattern, self.table = pattern, table
        self.rows = pattern.rows
        self.is_deterministic = is_deterministic
        """Whether the engine leaves loops as Flink does; if not, what could be either way is refused."""
        self.states = 0

    def expression(self) -> Pattern:
        """The whole."""
        try:
            made = self._from(_Way())
        except _Dead:
            hint = (
                "Flink goes on from a greedy variable only with a row that is none of its own: define it, or 'B{1,3}?'"
            )
            raise mistake("a pattern that no rows can match", self.rows[0].span, hint) from None
        if made is None:
            raise mistake("a pattern that matches no row at all", self.rows[0].span, "ask for one row at least: A+")
        return made

    # -- ways --------------------------------------------------------------------------------------------------

    def _from(self, way: _Way) -> Pattern | None:
        """What follows from here on; None where a match is complete."""
        if way.place == len(self.rows):
            return None
        row = self.rows[way.place]
        if row.most is not None and way.count >= row.most:
            return self._from(self._full(row, way))
        if way.count < row.least:
            return self._taken(row, way)
        return self._optional(row, way)

    def _optional(self, row: Row, way: _Way) -> Pattern | None:
        """One row more, or on to what follows."""
        after = replace(way, place=way.place + 1, count=0)
        is_last = after.place == len(self.rows)
        if is_last and not row.is_greedy:
            return None  # the fewest are enough
        if is_last:
            what = f"'{row.variable}', which may go on, at the end of the pattern"
            raise refusal(what, row.span, "end it with what ends it: PATTERN (A B+ C), C AS NOT ...")
        own = self._asked(row, way)
        if row.is_greedy:
            self._refuse_unclear(row, way, own)
            onward = replace(after, excluded=(*way.excluded, *_as_tests(own)))
            limits: tuple[Guard, ...] = way.excluded
        else:
            onward, limits = after, (*way.excluded, *self._left_to_next(row, way, after))
        ways: list[Pattern] = []
        is_loop = row.most is None and way.count > 0
        if is_loop:
            loop = Iteration(self._atom(row, way, limits), span=row.span)
            rest = self._from(onward)
            return loop if rest is None else chain([loop, rest])
        for ahead in (replace(way, excluded=limits), onward):
            try:
                made = self._taken(row, ahead) if ahead.place == way.place else self._from(ahead)
            except _Dead:
                continue
            if made is None:
                raise refusal("a pattern that may end in several ways", row.span, "end it with one row: A B? C")
            ways.append(made)
        if not ways:
            raise _Dead
        return either(ways)

    def _taken(self, row: Row, way: _Way) -> Pattern:
        """The next row is one of this variable."""
        atom = self._atom(row, way, way.excluded)
        ahead = replace(
            way,
            count=way.count + 1,
            excluded=(),
            bound=way.bound | {row.variable},
            anchor=way.anchor or row.variable,
            before=row.variable,
        )
        rest = self._from(ahead)
        if rest is None:
            return atom
        if way.anchor is None and self.pattern.within is not None:
            label = free_label({self.table})
            return Timing(atom, rest, label, self.pattern.within, span=row.span)
        return chain([atom, rest])

    # -- rows --------------------------------------------------------------------------------------------------

    def _asked(self, row: Row, way: _Way) -> Guard | None:
        """What is asked of a row of this variable here."""
        return Columns(self.pattern, row.variable, way.bound, way.before).condition()

    def _atom(self, row: Row, way: _Way, excluded: Sequence[Guard]) -> Atom:
        self.states += 1
        if self.states > MOST_STATES:
            raise refusal(f"a pattern of more than {MOST_STATES} steps", row.span, "ask for fewer rows")
        guard = self._in_partition(way.anchor)
        asked = self._asked(row, way)
        left_out = [Not(one, span=one.span) for one in excluded if not self._exclude(asked, one)]
        for each in (asked, *left_out):
            guard = both(guard, None if each is None else simple(each))
        if guard is not None and (guard := simple(guard)) == _NEVER:
            raise _Dead
        taken = Described(self.table, guard, _variable(row), span=row.span)
        if way.anchor is None:
            return Atom(taken, span=row.span)
        looked = Described(self.table, self._in_partition(way.anchor), span=row.span)
        return Atom(taken, looked, span=row.span)

    def _in_partition(self, anchor: str | None) -> Guard | None:
        """Whether a row belongs to the partition of the first one, which must belong to one."""
        made: Guard | None = None
        for key in self.pattern.partition:
            own = Attribute(THIS, key.text, span=key.span)
            same = present(own) if anchor is None else Binary("==", own, Attribute(anchor, key.text), span=key.span)
            made = both(made, same)
        return made

    # -- one way at each row -----------------------------------------------------------------------------------

    def _full(self, row: Row, way: _Way) -> _Way:
        """On to what follows. Flink goes on from `B{1,3}` only with a row that is no B, after the third one, too."""
        after = replace(way, place=way.place + 1, count=0)
        if not row.is_greedy or row.least == row.most or not self.is_deterministic or after.place == len(self.rows):
            return after
        return replace(after, excluded=_as_tests(self._asked(row, way)))

    def _left_to_next(self, row: Row, way: _Way, after: _Way) -> tuple[Guard, ...]:
        """What a reluctant variable leaves to the one behind it: of two ways to go on, that which ends first counts."""
        following = self.rows[after.place]
        own, asked = self._asked(row, way), self._asked(following, after)
        if following.least and self._exclude(own, asked):
            return ()
        if not self.is_deterministic:
            raise self._unclear(row)
        if after.place != len(self.rows) - 1 or (following.least, following.most) != (1, 1):
            what = f"'{row.variable}', whose row could also be that of '{following.variable}', before more than it"
            raise refusal(what, row.span, "let their conditions exclude each other: v > 3 and v <= 3")
        return _as_tests(asked)

    def _refuse_unclear(self, row: Row, way: _Way, own: Guard | None) -> None:
        """Where a greedy variable could be left in several ways."""
        if not self.rows[way.place + 1].least:
            hint = "write a query with it and one without"
            raise refusal("a variable that may be left out behind a loop", self.rows[way.place + 1].span, hint)
        if self.is_deterministic:
            return
        for following in self.rows[way.place + 1 :]:
            if not self._exclude(own, self._asked(following, way)):
                raise self._unclear(row)
            if following.least:
                return

    def _exclude(self, one: Guard | None, other: Guard | None) -> bool:
        if one is None or other is None:
            return False
        return contradiction(Binary("&&", one, other)) is not None

    def _unclear(self, row: Row) -> Exception:
        what = f"'{row.variable}', whose rows could also be those of what follows"
        return refusal(what, row.span, "let their conditions exclude each other: v > 3 and v <= 3")

    def overlaps(self) -> bool:
        """Whether a match could begin inside of another: not where no later row can be a first one."""
        first, *others = self.rows
        if first.least != 1 or first.most != 1:
            return True
        own = self._asked(first, _Way())
        bound = frozenset(row.variable for row in self.rows)
        before = self.rows[0].variable
        return not all(
            self._exclude(own, self._asked(row, _Way(place=1, bound=bound, before=before))) for row in others
        )


def _as_tests(asked: Guard | None) -> tuple[Guard, ...]:
    return (_ALWAYS,) if asked is None else (asked,)


def _variable(row: Row) -> str:
    name = row.variable
    if name in NO_VARIABLES or not name.isidentifier():
        raise refusal(f"a variable called '{name}', which is a word of our own", row.span, "give it another name")
    return name


def rule_of(
    pattern: RowPattern, table: str, told: Told, selected: Sequence[tuple[str, str, Span]] | None, *, default_skip: str
) -> Rule:
    """The rule of a clause over the rows of a table. `selected`: columns of the result with new names, if not all."""
    is_flink = default_skip == "next"
    made = RowAutomaton(pattern, table, is_deterministic=is_flink)
    expression = made.expression()
    run = _run(pattern, made, pattern.skip or default_skip, is_flink=is_flink)
    if pattern.is_all and any(row.least != row.most for row in pattern.rows):
        raise refusal("'all matches' of a loop", pattern.span, "leave it out: a match for each first row")
    told = replace(told, partition=tuple(key.text for key in pattern.partition) if run.skips else ())
    return in_core(
        expression, run, replace(told, select=_select(pattern, selected, with_keys=is_flink)), pattern.skip_step
    )


def _run(pattern: RowPattern, made: RowAutomaton, skip: str, *, is_flink: bool) -> Run:
    """Where it goes on after a match. Nothing is skipped where no match can begin inside of another."""
    if skip == "next" or (len(pattern.rows) == 1 and pattern.rows[0].most == 1) or not made.overlaps():
        return Run.EVERY
    if not is_flink:
        hint = "after match skip to next row tells a match for each row it can begin with"
        raise refusal("going on behind the last row of a match", pattern.skip_span or pattern.span, hint)
    if skip == "past":
        return Run.PAST
    step = pattern.variables.get(pattern.skip_step)
    if step is None:
        raise mistake(f"'{pattern.skip_step}' is no variable of the pattern", pattern.skip_span)
    if step is pattern.rows[0] or not step.least:
        what = f"going on at '{step.variable}', which may be the row that the match begins with, or none"
        raise refusal(what, pattern.skip_span, "name a variable that has a row in each match, and not the first")
    return Run.FIRST if skip == "first" else Run.LAST


def _select(
    pattern: RowPattern, selected: Sequence[tuple[str, str, Span]] | None, *, with_keys: bool
) -> tuple[tuple[str, Guard], ...]:
    """The partition and the measures, or those of them that are selected."""
    anchor = next((row.variable for row in pattern.rows if row.least), None)
    made: dict[str, Guard] = {}
    for key in pattern.partition if with_keys else ():
        if anchor is None:
            what = "the partition of a pattern in which each variable may be left out"
            raise refusal(what, key.span, "ask for one row at least: A+")
        made[key.text] = Attribute(anchor, key.text, span=key.span)
    for name, written in pattern.measures:
        made[name] = measure(pattern, written, anchor)
    if selected is None:
        return tuple(made.items())
    found: dict[str, Guard] = {}
    for name, new, span in selected:
        if name not in made:
            raise mistake(f"'{name}' is no measure and no column of the partition", span, "name it under MEASURES")
        found[new] = made[name]
    return tuple(found.items())
