"""`MATCH_RECOGNIZE` as Flink SQL and EPL write it: what stands between its brackets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from tocsin.algebra.guards import Attribute, Call, Guard, Literal
from tocsin.errors import Fault, Span
from tocsin.languages.lexer import Token
from tocsin.origins.conditions import Conditions
from tocsin.origins.spans import interval
from tocsin.origins.words import Words, refusal
from tocsin.time.periods import Period

CURRENT: Final = ""
"""The variable of a column without one: the row that is looked at."""
WHOLE: Final = "*"
"""The column of `COUNT(*)`."""
AGGREGATES: Final = ("first", "last", "prev", "sum", "avg", "min", "max", "count")
_FUNCTIONS: Final = {"abs": "abs", "lower": "lower", "upper": "upper", "char_length": "len"}


@dataclass(frozen=True)
class Row:
    """A variable of the pattern, and how many rows it stands for: `B{2,4}`, `B*?`."""

    variable: str
    least: int
    most: int | None
    is_greedy: bool
    span: Span


@dataclass
class RowPattern:
    """A clause as it is written; its conditions name columns, and are told later what these are."""

    partition: list[Token] = field(default_factory=list)
    order: Token | None = None
    measures: list[tuple[str, Guard]] = field(default_factory=list)
    skip: str = ""
    skip_step: str = ""
    """The variable that is skipped to."""
    is_all: bool = False
    """EPL's `all matches`."""
    skip_span: Span | None = None
    rows: list[Row] = field(default_factory=list)
    within: Period | None = None
    defined: dict[str, Guard] = field(default_factory=dict)
    span: Span | None = None

    @property
    def variables(self) -> Mapping[str, Row]:
        """The rows by their variables."""
        return {row.variable: row for row in self.rows}


class RowConditions(Conditions):
    """Conditions and measures over rows: `B.price > LAST(B.price, 1)`."""

    def named(self, first: Token) -> Guard:
        """A column, that of a variable, or a function."""
        words = self.words
        if words.at("(") and not first.value:
            return self._called(first)
        if words.accept("."):
            if words.accept(WHOLE):
                return Attribute(first.text, WHOLE, span=words.span_from(first.start))
            column = words.name("a column")
            return Attribute(first.text, column.text, span=words.span_from(first.start))
        return Attribute(CURRENT, first.text, span=first.span)

    def _called(self, first: Token) -> Guard:
        words, name = self.words, first.text.lower()
        if name in _FUNCTIONS:
            return self.call(first, _FUNCTIONS[name], 1)
        if name not in AGGREGATES:
            hint = "there are FIRST, LAST, SUM, AVG, MIN, MAX, COUNT, ABS, LOWER, UPPER and CHAR_LENGTH"
            raise refusal(f"the function '{first.text}'", first, hint)
        opener = words.expect("(")
        if name == "count" and (star := words.accept(WHOLE)) is not None:
            arguments: list[Guard] = [Attribute(CURRENT, WHOLE, span=star.span)]
        else:
            arguments = [self.value()]
        if not isinstance(arguments[0], Attribute):
            raise refusal(f"'{first.text}' of anything but a column", arguments[0].span, "name a column: SUM(B.price)")
        if words.accept(","):
            number = words.token
            arguments.append(Literal(words.whole_number("how many rows back"), span=number.span))
        words.close(opener, ")")
        return Call(name, tuple(arguments), span=words.span_from(first.start))


class ClauseReader:
    """Reads what stands between the brackets of the clause."""

    def __init__(self, words: Words, conditions: Callable[[Words], RowConditions], *, in_epl: bool) -> None:
        self.words, self.conditions, self.in_epl = words, conditions(words), in_epl
        self.found = RowPattern()

    def clause(self, opener: Token) -> RowPattern:
        """All of it; the bracket before it has been stepped over."""
        words, found = self.words, self.found
        if words.accept("partition"):
            words.expect("by")
            found.partition = self._columns()
        if words.accept("order"):
            self._order()
        if words.accept("measures"):
            self._measures()
        self._rows_told()
        if words.at("after"):
            self._skip()
        words.expect("pattern")
        self._pattern()
        if words.at("within"):
            words.advance()
            found.within = interval(words)
        if words.at("interval"):
            what = "'interval', which holds a match back for more rows"
            raise refusal(what, words.token, "end the pattern with what ends it, or use: within interval '5' minute")
        if words.at("subset"):
            raise refusal("'SUBSET', one name for several variables", words.token, "name each variable by itself")
        if words.accept("define"):
            self._defines()
        words.close(opener, ")")
        found.span = words.span_from(opener.start)
        return found

    def _columns(self) -> list[Token]:
        names = [self._column()]
        while self.words.accept(","):
            names.append(self._column())
        return names

    def _column(self) -> Token:
        name = self.words.name("a column")
        if self.words.at("."):
            raise refusal("a column inside another", name, "give it a name in a table of its own")
        return name

    def _order(self) -> None:
        words = self.words
        words.expect("by")
        self.found.order = self._column()
        words.accept("asc")
        if words.at("desc") or words.at(","):
            raise refusal("an order that is not by time, upwards", words.token, "ORDER BY the time attribute alone")

    def _measures(self) -> None:
        words = self.words
        while True:
            start = words.token
            for word in ("final", "running"):
                if words.at(word) and words.peek().text != ".":
                    words.advance()
            value = self.conditions.value()
            words.expect("as")
            name = words.name("the measure's name")
            if any(name.text == known for known, _ in self.found.measures):
                words.refuse(Fault(f"there are two measures '{name.text}'", words.span_from(start.start)))
            self.found.measures.append((name.text, value))
            if not words.accept(","):
                return

    def _rows_told(self) -> None:
        words = self.words
        if words.at_words("all", "rows"):
            hint = "use ONE ROW PER MATCH: a detection lists all of its events"
            raise refusal("'ALL ROWS PER MATCH', a row for each event of a match", words.token, hint)
        if words.at_words("one", "row"):
            for word in ("one", "row", "per", "match"):
                words.expect(word)
        elif self.in_epl and words.accept("all"):
            words.expect("matches")
            self.found.is_all = True

    def _skip(self) -> None:
        words, start = self.words, self.words.token
        for word in ("after", "match", "skip"):
            words.expect(word)
        if words.accept("past"):
            words.expect("last")
            words.expect("row")
            self.found.skip = "past"
        else:
            words.expect("to")
            self._skip_to(start)
        self.found.skip_span = words.span_from(start.start)

    def _skip_to(self, start: Token) -> None:
        """`NEXT ROW`, `FIRST B`, `LAST B`."""
        words = self.words
        if words.accept("next"):
            words.expect("row")
            self.found.skip = "next"
            return
        if self.in_epl or not (words.at("first") or words.at("last")):
            what = f"going on after a match at '{words.token.text}'"
            raise refusal(what, words.span_from(start.start) | words.token.span, "AFTER MATCH SKIP TO NEXT ROW")
        self.found.skip = words.advance().text.lower()
        self.found.skip_step = words.name("a variable").text

    def _pattern(self) -> None:
        words = self.words
        opener = words.expect("(")
        while not words.at(")"):
            if words.at("(") or words.at("{"):
                what = f"a group in the pattern, '{words.token.text}'"
                raise refusal(what, words.token, "write its variables out: A B A B for (A B){2}")
            if words.at("permute") and words.follows("("):
                raise refusal("'PERMUTE', any order", words.token, "in words: a and b")
            self.found.rows.append(self._row())
            if words.at("|"):
                raise refusal("'|', one pattern or another", words.token, "write a query for each")
        words.close(opener, ")")
        if not self.found.rows:
            words.fail("a variable")
        self._refuse_twice()

    def _refuse_twice(self) -> None:
        names = [row.variable for row in self.found.rows]
        for place, row in enumerate(self.found.rows):
            if row.variable in names[:place]:
                what = f"'{row.variable}' stands twice in the pattern"
                raise refusal(what, row.span, "give the second one a name of its own, with the same condition")

    def _row(self) -> Row:
        words = self.words
        variable = words.name("a variable")
        least, most = self._times()
        is_greedy = self.in_epl or (least, most) != (0, 1)  # Flink's `B?` takes no row that the next one can have
        if (least, most) != (1, 1) and words.at("?"):
            if (least, most) == (0, 1):
                raise refusal("'??'", words.token, "write 'B?'")
            words.advance()
            is_greedy = False
        return Row(variable.text, least, most, is_greedy, words.span_from(variable.start))

    def _times(self) -> tuple[int, int | None]:
        """`*`, `+`, `?`, `{3}`, `{2,}`, `{2,4}`, `{,4}`."""
        words = self.words
        for sign, times in (("*", (0, None)), ("+", (1, None)), ("?", (0, 1))):
            if words.accept(sign):
                return times
        counts = words.counts("{", ",", "}")
        return (1, 1) if counts is None else (counts.least, counts.most)

    def _defines(self) -> None:
        words, found = self.words, self.found
        while True:
            variable = words.name("a variable of the pattern")
            words.expect("as")
            if variable.text not in found.variables:
                words.refuse(Fault(f"'{variable.text}' is no variable of the pattern", variable.span))
            if variable.text in found.defined:
                words.refuse(Fault(f"'{variable.text}' is defined twice", variable.span))
            found.defined[variable.text] = self.conditions.condition()
            if not words.accept(","):
                return


def read_clause(words: Words, *, in_epl: bool = False) -> RowPattern:
    """The clause from its bracket on."""
    opener = words.expect("(")
    return ClauseReader(words, RowConditions, in_epl=in_epl).clause(opener)
