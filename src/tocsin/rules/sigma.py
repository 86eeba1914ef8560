"""Sigma files: rules over single events, and correlations of them, as rules of Tocsin.

    temporal             all of them, in any order:  a & b             within the timespan, same values of group-by
    temporal_ordered     one after the other:        a ; b
    event_count          so many of one value:       TimesEq(n, a, field)
    value_count          so many different values:   [x1:a][x2:a(value != x1.value)] ...   (core language)
    value_sum ...        and counts that stay low:   aggregates over windows (`sigma_aggregates.py`)

What a rule looks for is looked for in the correlation itself. Only what `TimesEq` counts, and a correlation that others
refer to, is a rule of its own, used by its name: it passes on the fields that are asked for, and reports nothing unless
the correlation says `generate: true`.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import yaml

from tocsin.algebra.guards import Attribute, Binary, Call, Guard, Literal, Not, joined
from tocsin.algebra.patterns import (
    THIS,
    Aggregate,
    Atom,
    Automaton,
    Both,
    Concatenation,
    Described,
    Either,
    Named,
    Pattern,
    Primitive,
    Sequence,
    Times,
    Union,
    Where,
)
from tocsin.algebra.rules import Command, Context, Define, Enable, Program, Rule, Statement
from tocsin.errors import Fault, RuleError, Span, TextError, choices
from tocsin.rules.sigma_aggregates import FIRST, FUNCTIONS, OPERATORS, LowCount, compared, number_of
from tocsin.rules.sigma_conditions import ways_of
from tocsin.rules.sigma_detections import EVENT, Detections
from tocsin.rules.sigma_documents import MOST_COUNTED, Document, SigmaDocuments
from tocsin.rules.sigma_pipelines import NO_PIPELINE, Pipeline
from tocsin.time.periods import Period


def read_sigma(text: str, file: str, pipeline: Pipeline = NO_PIPELINE) -> Program:
    """The program of a Sigma file, with its fields called as a pipeline says."""
    reader = SigmaReader(text, file)
    reader.pipeline = pipeline
    return reader.program()


class SigmaReader(SigmaDocuments):
    """One Sigma file, made into rules."""

    def program(self) -> Program:
        """Every rule, those that others refer to first, or every fault of the file."""
        documents = [self._document(node) for node in self._documents()]
        self._by_name = {name: each for each in documents for name in each.names}
        self._named_once(documents)
        faults: list[Fault] = []
        statements: list[Statement] = []
        for each in self._in_order(documents):
            try:
                self._ask(each)
            except TextError as error:
                faults += error.faults
        for each in reversed(self._in_order(documents) if not faults else []):
            if each.referred and not each.generated and not each.named:
                continue  # what it looks for is looked for where it is referred to
            try:
                rule = self._made(each)
            except TextError as error:
                faults += error.faults
            else:
                statements += [Define(rule, span=rule.span), Command(Enable(rule.name))]
        if faults:
            raise RuleError(sorted(faults, key=lambda fault: fault.place.line if fault.place else 0))
        return Program(tuple(statements))

    # -- rules -------------------------------------------------------------------------------------------------------

    def _made(self, document: Document) -> Rule:
        if document.correlation is None:
            pattern = self._leaf(document, EVENT)
            select = tuple((name, Attribute(EVENT, name)) for name in document.wanted if document.named)
            condition = self._looks_for(document, EVENT)
            return self._reported(document, pattern, "eps", Context.UNRESTRICTED, select=select, condition=condition)
        if self._kind(document).startswith("temporal"):
            return self._temporal(document, ordered=self._kind(document).startswith("temporal_ordered"))
        if self._kind(document) in FUNCTIONS or self._is_low(document):
            return self._measured(document)
        least = self._least(document)
        others = self._referred(document)
        if self._counts_by_name(document):
            return self._event_count(document, others[0], least)
        return self._chain(document, others, least)

    def _leaf(self, document: Document, name: str) -> Pattern:
        """An event of a rule: of its log source's type, or what a correlation detects."""
        kind = self._event_type(document) if document.correlation is None else document.name
        return Named(name, Primitive(kind, span=self._span(document)), span=self._span(document))

    def _looks_for(self, document: Document, name: str) -> Guard | None:
        """What a rule asks of an event; of what a correlation detects, nothing."""
        if document.correlation is not None:
            return None
        return Detections(document.fields["detection"], self.fault, self.fields, name, self._applied(document)).guard()

    def _reported(
        self,
        document: Document,
        pattern: Pattern,
        language: str,
        context: Context | None,
        *,
        select: tuple[tuple[str, Guard], ...],
        window: Period | None = None,
        condition: Guard | None = None,
    ) -> Rule:
        title = self.string(document.fields["title"]) if "title" in document.fields else None
        return Rule(
            document.name,
            pattern,
            language,
            condition,
            context=context,
            window=window,
            notify=title if title is not None and not set(title) & set("{}") else None,
            select=select,
            hidden=document.referred and not document.generated,
            severity=self._own_text(document, "level"),
            tags=self._all_texts(document, "tags"),
            description=self._own_text(document, "description") or "",
            references=self._all_texts(document, "references"),
            span=pattern.span,
        )

    def _own_text(self, document: Document, key: str) -> str | None:
        """What a document says about itself, where it is a text."""
        node = document.fields.get(key)
        return str(node.value) if isinstance(node, yaml.ScalarNode) and node.value else None

    def _all_texts(self, document: Document, key: str) -> tuple[str, ...]:
        node = document.fields.get(key)
        items = node.value if isinstance(node, yaml.SequenceNode) else []
        return tuple(str(each.value) for each in items if isinstance(each, yaml.ScalarNode))

    def _temporal(self, document: Document, *, ordered: bool) -> Rule:
        others = self._referred(document)
        least = self._least(document, len(others))
        if least > len(others):
            raise self.fault(document.fields["correlation"], f"there are only {len(others)} rules", "a lower count")
        if len({each.name for each in others}) < len(others):
            raise self.fault(document.fields["correlation"], "a rule is listed twice", "each rule once")
        span = self._span(document)
        chosen = [list(each) for each in combinations(others, least)]
        if self._is_extended(document):
            chosen = self._chosen(document, others)
        ways = [self._together(document, each, ordered, span, alone=len(chosen) == 1) for each in chosen]
        if len(ways) > 1:
            each_way = tuple(Where(way, joined("&&", tests), span=span) if tests else way for way, tests in ways)
            return self._alerted(document, Either(each_way, span=span), ())
        ((pattern, tests),) = ways
        names = dict.fromkeys((*self._group(document), *document.wanted))
        first = chosen[0][0]
        select = tuple((name, Attribute(first.name, self._field_of(document, first, name))) for name in names)
        return self._alerted(document, pattern, select, joined("&&", tests) if tests else None)

    def _chosen(self, document: Document, others: list[Document]) -> list[list[Document]]:
        """The sets of rules that an expression over them asks for, each in the order of the rules."""
        assert document.correlation is not None
        node = document.correlation["condition"]
        known = {name: each.name for each in others for name in (each.name, *each.names)}
        found = ways_of(node, self.string(node), known, self.fault)
        return [[other for other in others if other.name in way] for way in found]

    def _alerted(
        self,
        document: Document,
        pattern: Pattern,
        select: tuple[tuple[str, Guard], ...],
        condition: Guard | None = None,
    ) -> Rule:
        """A rule in the timespan that uses its events up, so that each is told of once."""
        return self._reported(
            document,
            pattern,
            "eps",
            Context.GENERIC,
            select=select,
            window=self._timespan(document),
            condition=condition,
        )

    def _together(
        self, document: Document, others: list[Document], ordered: bool, span: Span, *, alone: bool
    ) -> tuple[Pattern, list[Guard]]:
        """Events of some of the rules, and what is asked of them."""
        is_whole = alone or len(others) == len(self._referred(document))
        together = "" if is_whole else "_with_" + "_".join(each.name for each in others)
        names = [each.name + together for each in others]
        parts = tuple(self._leaf(each, name) for name, each in zip(names, others, strict=True))
        guards = [self._looks_for(each, name) for name, each in zip(names, others, strict=True)]
        tests: list[Guard] = [guard for guard in guards if guard is not None]
        tests += [
            Binary(
                "==",
                Attribute(names[0], self._field_of(document, others[0], field_name)),
                Attribute(name, self._field_of(document, other, field_name)),
            )
            for name, other in zip(names[1:], others[1:], strict=True)
            for field_name in self._group(document)
        ]
        if len(parts) == 1:
            return parts[0], tests
        return Sequence(parts, span=span) if ordered else Both(parts, span=span), tests

    def _event_count(self, document: Document, other: Document, least: int) -> Rule:
        (group,) = self._group(document)
        key = self._field_of(document, other, group)
        span = self._span(document)
        pattern = Times(least, Named(EVENT, Primitive(other.name, span=span), span=span), key, True, span=span)
        names = dict.fromkeys((group, *document.wanted))
        select = tuple(
            (name, Call("first", (Attribute(EVENT, self._field_of(document, other, name)),))) for name in names
        )
        return self._alerted(document, pattern, select)

    def _measured(self, document: Document) -> Rule:
        """A correlation over a timespan as a whole."""
        assert document.correlation is not None
        others = self._referred(document)
        where = document.correlation.get("condition", document.fields["correlation"])
        if len(others) > 1:
            hint = "let one rule detect all of them: its conditions may have 'or'"
            raise self.fault(document.correlation["rules"], "these are values of one rule's events", hint=hint)
        (other,) = others
        timespan = self._timespan(document)
        if timespan.years or timespan.months:
            raise self.fault(document.correlation["timespan"], "this timespan has no fixed length", "at most weeks, w")
        same = tuple(self._field_of(document, other, name) for name in self._group(document))
        value = None if (found := self._counted(document)) is None else self._own_name(other, found, document)
        counted = self._leaf(other, EVENT)
        looks = self._looks_for(other, EVENT)
        if self._is_low(document) and value is not None:
            looks = joined("&&", [*([] if looks is None else [looks]), _is_there(value)])
        whole = counted if looks is None else Where(counted, looks, span=counted.span)
        assert isinstance(whole, Named | Where)
        if self._is_low(document):
            pattern, told = self._low(document, LowCount(whole, value, timespan, same), where)
        else:
            pattern, told = self._valued(document, whole, value, where), EVENT
        names = dict.fromkeys((*self._group(document), *document.wanted))
        select = tuple((name, Attribute(told, self._field_of(document, other, name))) for name in names)
        pattern = replace(pattern, span=self._span(document))
        return self._reported(document, pattern, "pretty", Context.UNRESTRICTED, select=select if told else ())

    def _valued(self, document: Document, counted: Pattern, value: str | None, where: yaml.Node) -> Pattern:
        """A sum, a mean, a median or a percentile that is compared."""
        assert value is not None
        condition, kind = self._condition(document), self._kind(document)
        arguments: tuple[Guard, ...] = (Attribute(EVENT, value),)
        if kind == "value_percentile":
            if "percentile" not in condition:
                raise self.fault(where, "value_percentile does not say which", "percentile: 95")
            percent = number_of(condition["percentile"], self.fault)
            if not 0 <= percent <= 100:
                raise self.fault(condition["percentile"], "a percentile lies between 0 and 100", "a number")
            arguments = (*arguments, Literal(percent))
        guard = compared(Call(FUNCTIONS[kind], arguments), condition, where, self.fault)
        other = self._referred(document)[0]
        same = tuple(self._field_of(document, other, name) for name in self._group(document))
        return Aggregate(counted, guard, self._timespan(document), same)

    def _low(self, document: Document, low: LowCount, where: yaml.Node) -> tuple[Pattern, str]:
        """A count that stays low, with the event that tells its group; none where several may."""
        condition = {key: node for key, node in self._condition(document).items() if key != "field"}
        for key, node in condition.items():
            if key not in OPERATORS:
                raise self.fault(node, f"there is no condition '{key}'", choices(list(OPERATORS)))
        numbers = {key: self._number(node) for key, node in condition.items()}
        if "neq" in numbers:
            if len(numbers) > 1:
                raise self.fault(where, "'neq' stands by itself", "neq: 5")
            return low.other_than(numbers["neq"]), ""
        least = max([1, *(numbers[key] + (key == "gt") for key in ("gt", "gte", "eq") if key in numbers)])
        most = min([numbers[key] - (key == "lt") for key in ("lt", "lte", "eq") if key in numbers])
        if not least <= most <= MOST_COUNTED:
            raise self.fault(where, "no count of what has begun is like that", f"a count from 1 to {MOST_COUNTED}")
        return low.between(least, most), FIRST

    def _chain(self, document: Document, others: list[Document], least: int) -> Rule:
        """So many events, or different values, from each event on: the next one that counts, and so on."""
        span = self._span(document)
        atoms = [self._atom(document, others, place) for place in range(least)]
        whole: Pattern = atoms[0] if least == 1 else Concatenation(tuple(atoms), strong=False, span=span)
        names = dict.fromkeys((*self._group(document), *document.wanted))
        select = tuple((name, Attribute("x1", self._field_of(document, others[0], name))) for name in names)
        alike = all(
            self._field_of(document, others[0], name) == self._field_of(document, each, name)
            for each in others
            for name in names
        )
        if not alike:
            where = document.correlation["aliases"]  # type: ignore[index]  # fields differ only by aliases
            raise self.fault(where, "a count over fields of different names cannot be said", "one name for all rules")
        return self._reported(
            document, Automaton(whole, span=span), "core", None, select=select, window=self._timespan(document)
        )

    def _atom(self, document: Document, others: list[Document], place: int) -> Atom:
        own, counted = f"x{place + 1}", self._counted(document)
        name = None if counted is None else self._own_name(others[0], counted, document)
        keys = [self._field_of(document, others[0], each) for each in self._group(document)]
        earlier = "x1" if place else THIS
        tests: list[Guard] = [Binary("==", Attribute(THIS, key), Attribute(earlier, key)) for key in keys]
        if name is not None:
            value = Attribute(THIS, name)
            tests.append(Binary("==", value, value))
            if place:
                before = tuple(Attribute(f"x{each + 1}", name) for each in range(place))
                tests.append(Not(Call("in", (value, *before))))
        span = self._span(document)
        kinds = []
        for each in others:
            looks = self._looks_for(each, THIS)
            asked = tests if looks is None else [looks, *tests]
            kind = self._event_type(each) if each.correlation is None else each.name
            kinds.append(Described(kind, joined("&&", asked) if asked else None, own, span=span))
        return Atom(kinds[0] if len(kinds) == 1 else Union(tuple(kinds), span=span), span=span)


def _is_there(name: str) -> Guard:
    """Whether an event has a field."""
    return Binary("==", Attribute(EVENT, name), Attribute(EVENT, name))
