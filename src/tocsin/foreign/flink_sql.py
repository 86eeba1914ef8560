"""Flink SQL: a rule as a query with MATCH_RECOGNIZE.

One match a start row: so a step takes only the first event there. Between two steps stands a gap, which takes every
row that the step neither takes nor ends with; it is defined as their negation, so there is one way to match.

    [a];[b in {b, c}]     PATTERN (a1 gap2* b2)
                          DEFINE gap2 AS (gap2.type = 'b' OR gap2.type = 'c') IS NOT TRUE
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from tocsin.algebra.functions import FUNCTIONS
from tocsin.algebra.guards import Attribute, Binary, Guard, variables_of
from tocsin.algebra.rules import Rule
from tocsin.foreign.chains import Chain, Kind, Step, refusal
from tocsin.foreign.conditions import GAP, Conditions, labels_of
from tocsin.foreign.rule_chains import chains_of
from tocsin.time.periods import MSEC, SECOND

NAME = "flink-sql"


@dataclass(frozen=True)
class Columns:
    """What the table of events is called, and its columns; attributes are columns of their own names."""

    table: str = "events"
    id: str = "id"
    type: str = "type"
    source: str = "source"
    time: str = "ts"


def translate(rule: Rule, columns: Columns = Columns()) -> str:  # noqa: B008 - frozen, so shared safely
    """The query of a rule, or one for each of its alternatives; a RuleError names what Flink SQL lacks."""
    chains = chains_of(rule)
    return ";\n\n".join(_Query(rule, chain, columns).text() for chain in chains) + ";\n"


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


class _Conditions(Conditions):
    ENGINE = "Flink SQL"
    WORDS: ClassVar = {"&&": "AND", "||": "OR", "==": "=", "!=": "<>"}
    CALLS: ClassVar = {name: each.flink for name, each in FUNCTIONS.items() if each.flink}

    def __init__(self, chain: Chain, labels: list[str], columns: Columns) -> None:
        super().__init__(chain, labels)
        self._columns = columns

    @property
    def taken(self) -> tuple[str, ...]:
        return (self._columns.id, self._columns.type, self._columns.source, self._columns.time)

    def column(self, owner: str, name: str, where: Guard) -> str:
        return f"{owner}.{_quoted(name)}"

    def source(self, owner: str) -> str:
        return f"{owner}.{_quoted(self._columns.source)}"

    def text(self, value: str) -> str:
        return "'" + value.replace("'", "''") + "'"

    def negated(self, condition: str) -> str:
        return f"({condition}) IS NOT TRUE"

    def call(self, name: str, arguments: list[str]) -> str | None:
        form = self.CALLS.get(name)
        return None if form is None else form.format(*arguments)


class _Query:
    """The query of one chain."""

    def __init__(self, rule: Rule, chain: Chain, columns: Columns) -> None:
        self.rule, self.columns = rule, columns
        self.keys = _keys(chain)
        self.chain = _without(chain, self.keys)
        self.labels = labels_of(chain)
        self.guards = _Conditions(chain, self.labels, columns)
        self._refuse()

    def _refuse(self) -> None:
        silence = self.chain.silence
        if silence is not None:
            hint = "MATCH_RECOGNIZE has no rows for patterns that ran out of time; Esper can say it"
            raise refusal("that nothing follows, in Flink SQL,", silence.span, hint)
        for step in self.chain.steps[1:]:
            if not step.first:
                hint = "it finds one match a row: say 'the first', as '[a];[b]' of the core language or 'a -> !b -> b'"
                raise refusal("every combination, in Flink SQL,", step.span, hint)
        if not any(each.since == 0 for each in self.chain.limits):
            self._refuse_waiting()

    def _refuse_waiting(self) -> None:
        """Without a window, a chain must not wait for ever where one that began later is complete.

        Flink tells matches in the order in which they begin: one that may still come holds back all that began later.
        Where the events that end the waiting are the same for all, the first to begin is the first to end.
        """
        names = {step.variable for step in self.chain.steps if step.variable}
        for step in self.chain.steps[1:]:
            for kind in step.stops if _is_covered(step) else (*step.takes, *step.stops):
                if any(variables_of(test) & (names - {kind.own}) for test in kind.tests):
                    hint = "it waits for ever, and holds back what began later: give the rule a window"
                    raise refusal("a step that compares its event with earlier ones, in Flink SQL,", kind.span, hint)

    def text(self) -> str:
        column = _quoted
        steps, columns = self.chain.steps, self.columns
        measures = [f"{label}.{column(columns.id)} AS {column(f'{label}_id')}" for label in self.labels]
        measures += [f"{self.guards.value(guard)} AS {column(name)}" for name, guard in self.rule.select]
        parts = [self.labels[0]]
        defines = [self._taken(0)]
        for place in range(1, len(steps)):
            parts += [f"{GAP}{place + 1}*", self.labels[place]]
            defines += [self._gap(place), self._taken(place)]
        partition = f"  PARTITION BY {', '.join(map(column, self.keys))}\n" if self.keys else ""
        skip = "PAST LAST ROW" if self.chain.again else "TO NEXT ROW"
        return (
            f"{_comment(self.rule)}SELECT *\nFROM {column(columns.table)}\nMATCH_RECOGNIZE (\n{partition}"
            f"  ORDER BY {column(columns.time)}\n"
            f"  MEASURES\n    {_lines(measures)}\n"
            f"  ONE ROW PER MATCH\n  AFTER MATCH SKIP {skip}\n"
            f"  PATTERN ({' '.join(parts)}){self._within()}\n"
            f"  DEFINE\n    {_lines(defines)}\n)"
        )

    def _within(self) -> str:
        """The shortest span from the first event. Flink's is over when it is reached: a closed one is 1 ms longer."""
        found = [each.length + (MSEC if each.closed else 0) for each in self.chain.limits if each.since == 0]
        return f" WITHIN {_interval(min(found))}" if found else ""

    def _taken(self, place: int) -> str:
        own = self.labels[place]
        return f"{own} AS {' AND '.join([self._takes(place, own), *self._limits(place, own)])}"

    def _gap(self, place: int) -> str:
        gap = f"{GAP}{place + 1}"
        step = self.chain.steps[place]
        stops = [self._kind(kind, gap, place) for kind in step.stops]
        ends = dict.fromkeys(stops if _is_covered(step) else [self._takes(place, gap), *stops])
        return " AND ".join([f"{gap} AS ({' OR '.join(ends)}) IS NOT TRUE", *self._limits(place, gap)])

    def _takes(self, place: int, own: str) -> str:
        step = self.chain.steps[place]
        made = [self._kind(kind, own, place) for kind in step.takes]
        return made[0] if len(made) == 1 else f"({' OR '.join(made)})"

    def _limits(self, place: int, own: str) -> list[str]:
        """That a row comes before limits that count from a later step than the first: WITHIN knows only that one.

        A row that comes too late ends the chain, whatever it is: it would hold back others for ever.
        """
        return [
            f"{self._time(own)} {'<=' if each.closed else '<'} "
            f"{self._time(self.labels[each.since])} + {_interval(each.length)}"
            for each in self.chain.limits
            if 0 < each.since < place
        ]

    def _kind(self, kind: Kind, own: str, place: int) -> str:
        """The condition that a row is of a kind, and follows the step before."""
        tests = [] if kind.type is None else [f"{own}.{_quoted(self.columns.type)} = {self.guards.text(kind.type)}"]
        if place:
            tests.append(self._follows(own, place))
        elif self.keys:
            tests += [f"{own}.{_quoted(key)} IS NOT NULL" for key in self.keys]
        return " AND ".join([*tests, *self.guards.all_of(kind.tests, kind, own)])

    def _follows(self, own: str, place: int) -> str:
        before = self.labels[place - 1]
        later = f"{self._time(own)} > {self._time(before)}"
        if self.chain.steps[place].order != "weakly":
            return later
        source = _quoted(self.columns.source)
        same = f"{self._time(own)} = {self._time(before)} AND {own}.{source} >= {before}.{source}"
        return f"({later} OR {same})"

    def _time(self, own: str) -> str:
        return f"{own}.{_quoted(self.columns.time)}"


def _is_covered(step: Step) -> bool:
    """Whether whatever is taken is among what would end the chain."""
    return all(any(_covers(stop, kind) for stop in step.stops) for kind in step.takes)


def _covers(stop: Kind, taken: Kind) -> bool:
    return stop.type in (None, taken.type) and set(stop.tests) <= set(taken.tests)


def _comment(rule: Rule) -> str:
    said = f"{rule.name}: {rule.notify}" if rule.notify else rule.name
    return f"-- {' '.join(said.split())}\n"


def _lines(parts: list[str]) -> str:
    return ",\n    ".join(parts)


def _interval(microseconds: int) -> str:
    """A length of time as SQL writes it, to the millisecond."""
    seconds, rest = divmod(microseconds, SECOND)
    days, seconds = divmod(seconds, 86_400)
    hours, seconds = divmod(seconds, 3_600)
    minutes, seconds = divmod(seconds, 60)
    digits = "" if days < 100 else f"({len(str(days))})"
    return f"INTERVAL '{days} {hours:02}:{minutes:02}:{seconds:02}.{rest // MSEC:03}' DAY{digits} TO SECOND(3)"


# -- keys: attributes that all events of a chain share ---------------------------------------------------------------


def _keys(chain: Chain) -> list[str]:
    """The attributes by which the table can be split: every later event, taken or not, must have the first one's."""
    if len(chain.steps) < 2 or chain.again:
        return []
    known = {step.variable: place for place, step in enumerate(chain.steps) if step.variable}
    found: list[set[str]] = []
    for place, step in enumerate(chain.steps[1:], 1):
        for kind in (*step.takes, *step.stops):
            names = [_shared(test, kind, known, place) for test in kind.tests]
            found.append({name for name in names if name is not None})
    return sorted(set[str].intersection(*found))


def _shared(test: Guard, kind: Kind, known: dict[str, int], place: int) -> str | None:
    """The attribute that a test asks to be the same in an earlier event."""
    match test:
        case Binary(
            operator="==", left=Attribute(variable=one, name=name), right=Attribute(variable=other, name=same)
        ) if name == same and kind.own in (one, other):
            earlier = other if one == kind.own else one
            return name if known.get(earlier, place) < place else None
    return None


def _without(chain: Chain, keys: list[str]) -> Chain:
    """The chain without the tests that splitting the table makes."""
    if not keys:
        return chain
    known = {step.variable: place for place, step in enumerate(chain.steps) if step.variable}

    def left(kind: Kind, place: int) -> Kind:
        tests = tuple(test for test in kind.tests if (_shared(test, kind, known, place) or "") not in keys)
        return replace(kind, tests=tests)

    def step_left(step: Step, place: int) -> Step:
        takes = tuple(left(kind, place) for kind in step.takes)
        return replace(step, takes=takes, stops=tuple(left(kind, place) for kind in step.stops))

    return replace(chain, steps=tuple(step_left(step, place) for place, step in enumerate(chain.steps)))
