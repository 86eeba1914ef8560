"""Patterns as the Python that builds them: from the algebra back to what `fluent` is called with.

A pattern is one expression. The variables that guards speak of are made before it, one assignment each:

    a = tc.event("a")
    b = tc.event("b")
    a.then(b).where(a.host == b.host)
"""

from __future__ import annotations

import keyword
import re
import unicodedata
from typing import Final, NamedTuple

from tocsin.algebra.guards import Binary, Guard, Not, Occurred, variables_of
from tocsin.algebra.names import always_bound, bound
from tocsin.algebra.patterns import (
    Absence,
    Accumulate,
    After,
    Aggregate,
    AnyEvent,
    At,
    AtInstant,
    Between,
    Both,
    By,
    Concurrent,
    Either,
    Every,
    Instant,
    Named,
    Never,
    Partitioned,
    Pattern,
    Precedence,
    Primitive,
    Repeat,
    Sequence,
    Streak,
    Times,
    Where,
    Within,
    walk,
)
from tocsin.languages.fluent_guards import guard_code, quoted
from tocsin.languages.sel_times import render_span
from tocsin.languages.writer import PatternWriter
from tocsin.time.calendar import render_instant, render_time_point
from tocsin.time.spans import Period

FOLLOWED: Final = {
    Precedence.GAP: "then",
    Precedence.ENDS: "then_ends",
    Precedence.GLOBAL: "precedes",
    Precedence.WEAK: "then_or_with",
}
TAKEN: Final = frozenset(("tc", "rules"))
"""What the code around a pattern calls by these names."""

_EITHER, _BOTH, _STEP = 1, 2, 3


class Code(NamedTuple):
    """The Python of a pattern: assignments, one a line, and the expression that uses them."""

    lines: tuple[str, ...]
    expression: str


def pattern_code(pattern: Pattern) -> Code:
    """The Python that builds `pattern`, where `tc` is the package."""
    writer = FluentWriter(pattern)
    expression = writer.text()
    return Code(tuple(writer.lines), expression)


def render(pattern: Pattern) -> str:
    """The Python that builds `pattern`: assignments, and the expression as the last line."""
    code = pattern_code(pattern)
    return "\n".join([*code.lines, code.expression])


class FluentWriter(PatternWriter):
    """Writes patterns as chains of calls. A variable gets a name in Python where it is written or spoken of."""

    language = "Python"
    reserved = frozenset()

    def __init__(self, pattern: Pattern) -> None:
        super().__init__(pattern)
        self.lines: list[str] = []
        self._made: set[str] = set()
        names = [part.name for part in walk(pattern) if isinstance(part, Named)]
        self._python = _identifiers(names)
        guards = [part.guard for part in walk(pattern) if isinstance(part, Where | Absence) and part.guard is not None]
        self._spoken = frozenset[str]().union(*map(variables_of, guards))
        # Events first: a guard inside a negation may speak of one that stands further on.
        for part in walk(pattern):
            if isinstance(part, Named) and isinstance(part.pattern, Primitive):
                self._assign(part.name, self._event(part.name, part.pattern))

    def write(self, pattern: Pattern, least: int) -> str:
        match pattern:
            case Either(parts=parts):
                level, text = _EITHER, self.chain(parts, " | ", _EITHER)
            case Both(parts=parts):
                level, text = _BOTH, self.chain(parts, " & ", _BOTH)
            case Named():
                level, text = _STEP, self._named(pattern)
            case Primitive(type=kind, site=site):
                at = "" if site is None else f", site={quoted(site)}"
                level, text = _STEP, f"tc.unnamed({quoted(kind)}{at})"
            case _:
                level, text = _STEP, self._step(pattern)
        return text if level >= least else f"({text})"

    def _named(self, pattern: Named) -> str:
        """A variable: assigned before it is used, if anything speaks of it."""
        name, inner = pattern.name, pattern.pattern
        if isinstance(inner, Primitive):
            return self._python[name]
        if isinstance(inner, Named):
            made = f"{self._named(inner)}.also_named({quoted(name)})"
        else:
            made = f"{self.write(inner, _STEP)}.named({quoted(name)})"
        if name not in self._spoken:
            return made
        self._assign(name, made)
        return self._python[name]

    def _event(self, name: str, event: Primitive) -> str:
        called = "" if event.type == name else f", {quoted(name)}"
        site = "" if event.site is None else f", site={quoted(event.site)}"
        return f"tc.event({quoted(event.type)}{called}{site})"

    def _assign(self, name: str, made: str) -> None:
        self.lines.append(f"{self._python[name]} = {made}")
        self._made.add(name)

    def _step(self, pattern: Pattern) -> str:
        """What is a call on its operand."""
        match pattern:
            case Sequence(parts=(first, *others), order=order) if others:
                if isinstance(first, Sequence) and first.order is order:
                    self.refuse("a sequence as the first part of one like it")
                return self._call(first, FOLLOWED[order], others)
            case Absence():
                return self._absence(pattern)
            case Where(pattern=inner, guard=guard):
                subject = self.write(inner, _STEP)
                return f"{subject}.where({self._guard(guard)})"
            case Concurrent(left=left, right=right):
                return self._call(left, "concurrent", [right])
            case Accumulate(each=each, last=last):
                return self._call(each, "all_before", [last])
            case Times(count=count, pattern=inner, attribute=attribute, same=same):
                which = "" if attribute is None else f", {'same' if same else 'different'}={quoted(attribute)}"
                return f"{self.write(inner, _STEP)}.any_of({count}{which})"
            case Repeat(pattern=inner, least=few, most=many, same=groups):
                counts = str(few) if few == many else f"{few}, {many}"
                return f"{self.write(inner, _STEP)}.repeated({counts}{_same(groups)})"
            case Streak(count=count, pattern=inner, once=once):
                which = "" if pattern.different is None else f", different={quoted(pattern.different)}"
                made = (
                    f"{self.write(inner, _STEP)}.{'at_least' if once else 'times'}({count}{_same(pattern.same)}{which})"
                )
                return made if pattern.period is None else f"{made}.within({_span(pattern.period)})"
            case Aggregate():
                return self._aggregate(pattern)
            case By(pattern=inner, attributes=attributes):
                return f"{self.write(inner, _STEP)}.by({', '.join(map(quoted, attributes))})"
            case Partitioned(pattern=inner, attributes=attributes):
                return f"{self.write(inner, _STEP)}.partition_by({', '.join(map(quoted, attributes))})"
            case Never(pattern=inner):
                return f"{self.write(inner, _STEP)}.never()"
            case Instant(pattern=inner):
                return f"{self.write(inner, _STEP)}.at_once()"
        return self._timed(pattern)

    def _timed(self, pattern: Pattern) -> str:
        match pattern:
            case After(pattern=inner, period=period, instant=instant):
                method = "later" if instant else "then_wait"
                return f"{self.write(inner, _STEP)}.{method}({_span(period)})"
            case Within(pattern=inner, period=period):
                return f"{self.write(inner, _STEP)}.within({_span(period)})"
            case Between(pattern=inner, start=start, stop=stop):
                edges = f"{quoted(render_instant(start))}, {quoted(render_instant(stop))}"
                return f"{self.write(inner, _STEP)}.between({edges})"
            case AnyEvent():
                return "tc.any_event()"
            case Every(period=period):
                return f"tc.every({_span(period)})"
            case AtInstant(instant=instant):
                return f"tc.at({quoted(render_instant(instant))})"
            case At(point=point):
                return f"tc.at({quoted(render_time_point(point))})"
        self.lacks(pattern)

    def _aggregate(self, pattern: Aggregate) -> str:
        window = f"{'per' if pattern.aligned else 'within'}={_span(pattern.period)}"
        more = "" if not pattern.same else f", by{_same(pattern.same).removeprefix(', same')}"
        more += "" if pattern.gap is None else f", gap={_span(pattern.gap)}"
        more += ", each=True" if pattern.each else ""
        return f"{self.write(pattern.pattern, _STEP)}.having({self._guard(pattern.guard)}, {window}{more})"

    def _absence(self, pattern: Absence) -> str:
        before = pattern.first
        is_chain = isinstance(before, Sequence) and before.order is pattern.order
        parts = before.parts if is_chain and isinstance(before, Sequence) else (before,)
        steps = self._step(Sequence((*parts, pattern.last), pattern.order))
        without = self.write(pattern.without, 0)
        if pattern.guard is None:
            return f"{steps}.without({without})"
        counting = self._counting(pattern)
        if counting is not None:
            return f"{steps}.without({without}, where={self._guard(counting)})"
        return f"{steps}.without({without}, when={self._guard(pattern.guard)})"

    def _counting(self, pattern: Absence) -> Guard | None:
        """What says which events count and nothing else, if the guard of an absence is of that kind."""
        hidden, later = bound(pattern.without).keys(), bound(pattern.last).keys()
        match pattern.guard:
            case Binary(operator="||", left=guard, right=Not(operand=Occurred(variable=name))):
                known = variables_of(guard)
                is_one = name == always_bound(pattern.without) and known & hidden and not known & (later - hidden)
                return guard if is_one else None
        return None

    def _guard(self, guard: Guard) -> str:
        if not variables_of(guard) <= self._made:
            self.refuse("a guard on what is made only after it")
        return guard_code(guard, self._python)

    def _call(self, subject: Pattern, method: str, others: list[Pattern]) -> str:
        begun = self.write(subject, _STEP)
        return f"{begun}.{method}({', '.join([self.write(other, 0) for other in others])})"


def _same(attributes: tuple[str, ...]) -> str:
    if len(attributes) == 1:
        return f", same={quoted(attributes[0])}"
    return f", same=({', '.join(map(quoted, attributes))})" if attributes else ""


def _span(period: Period) -> str:
    return quoted(render_span(period))


def _identifiers(names: list[str]) -> dict[str, str]:
    """What each variable is called in Python: as in the pattern, unless that is no name there or means something."""
    found: dict[str, str] = {}
    for name in dict.fromkeys(names):
        # Python holds two spellings of one letter for the same.
        plain = re.sub(r"\W", "_", unicodedata.normalize("NFKC", name))
        plain = plain if plain.isidentifier() else f"event_{plain}"
        plain = plain if plain.isidentifier() else "event"
        while keyword.iskeyword(plain) or plain in TAKEN or plain in found.values() or plain in {*names} - {name}:
            plain += "_"
        found[name] = plain
    return found
