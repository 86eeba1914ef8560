"""Sigma files: rules over single events, and correlations of them, as rules of Tocsin.

    temporal             all of them, in any order:  a & b             within the timespan, same values of group-by
    temporal_ordered     one after the other:        a ; b
    event_count          so many of one value:       TimesEq(n, a, field)
    value_count          so many different values:   [x1:a][x2:a(value != x1.value)] ...   (core language)

A rule that a correlation refers to is a rule of its own, used by its name: it passes on the fields that are asked
for. It reports nothing itself unless the correlation says `generate: true`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

import yaml

from tocsin.algebra.guards import Attribute, Binary, Call, Guard, Not
from tocsin.algebra.patterns import (
    THIS,
    Atom,
    Both,
    Concatenation,
    Described,
    Detector,
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
from tocsin.errors import Fault, Place, RuleError, Span, TextError, choices, nearest
from tocsin.rules.documents import Reader
from tocsin.rules.sigma_detections import EVENT, Detections
from tocsin.time.periods import DAY, HOUR, MINUTE, SECOND, Period

KINDS = ("event_count", "value_count", "temporal", "temporal_ordered")
SPANS = {"s": SECOND, "m": MINUTE, "h": HOUR, "d": DAY}
ALWAYS = "event"
"""The type of events of a rule that names no log source."""
MOST_COUNTED = 1000


def is_sigma(root: yaml.Node | None) -> bool:
    """Whether a document of YAML is one of Sigma: it detects or correlates."""
    keys = {key.value for key, _ in root.value} if isinstance(root, yaml.MappingNode) else set()
    return "rules" not in keys and bool(keys & {"detection", "correlation"})


def looks_like_sigma(text: str) -> bool:
    """Whether the first document of a file is one of Sigma."""
    try:
        return is_sigma(next(iter(yaml.compose_all(text, Loader=yaml.SafeLoader)), None))
    except (yaml.YAMLError, RecursionError, ValueError):
        return False


def read_sigma(text: str, file: str) -> Program:
    """The program of a Sigma file."""
    return SigmaReader(text, file).program()


@dataclass
class _Document:
    """One rule of a file: its names, its node, and which fields others want to know of it."""

    node: yaml.MappingNode
    fields: dict[str, yaml.Node]
    name: str
    names: tuple[str, ...]
    correlation: dict[str, yaml.Node] | None = None
    wanted: dict[str, None] = field(default_factory=dict)
    referred: bool = False
    generated: bool = False


class SigmaReader(Reader):
    """One Sigma file, read node by node so that every value knows its line and column."""

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
        for each in reversed(list(self._in_order(documents)) if not faults else []):
            try:
                rule = self._made(each)
            except TextError as error:
                faults += error.faults
            else:
                statements += [Define(rule, span=rule.span), Command(Enable(rule.name))]
        if faults:
            raise RuleError(sorted(faults, key=lambda fault: fault.place.line if fault.place else 0))
        return Program(tuple(statements))

    # -- documents -------------------------------------------------------------------------------------------------

    def _documents(self) -> Iterator[yaml.MappingNode]:
        try:
            roots = list(yaml.compose_all(self.text, Loader=yaml.SafeLoader))
        except yaml.YAMLError:
            self._compose()  # tells it at its place
            raise RuleError(Fault("this is not YAML", place=Place(self.file, 1, 1))) from None
        for root in roots:
            if root is None:
                continue
            if not isinstance(root, yaml.MappingNode) or not is_sigma(root):
                raise self._fault(root, "this is no Sigma rule", "a mapping with 'detection' or 'correlation'")
            yield root

    def _document(self, node: yaml.MappingNode) -> _Document:
        fields = self._fields(node)
        names = tuple(self._string(fields[key]) for key in ("name", "id") if key in fields)
        title = self._string(fields["title"]) if "title" in fields else ""
        if not names and not title:
            raise self._fault(node, "this rule has no name", "title: ..., name: ... or id: ...")
        called = self._string(fields["name"]) if "name" in fields else title or names[0]
        correlation = None
        if "correlation" in fields:
            if not isinstance(fields["correlation"], yaml.MappingNode):
                raise self._fault(fields["correlation"], "'correlation' is a mapping", "type: ...")
            correlation = self._fields(fields["correlation"])
        return _Document(node, fields, _identifier(called), names, correlation)

    def _named_once(self, documents: list[_Document]) -> None:
        known: dict[str, _Document] = {}
        for each in documents:
            for name in (each.name, *each.names):
                if known.setdefault(name, each) is not each:
                    raise self._fault(each.node, f"two rules are called '{name}'", "another name")

    def _in_order(self, documents: list[_Document]) -> list[_Document]:
        """Each correlation before the rules it refers to."""
        done: list[_Document] = []
        open_now: list[_Document] = []

        def visit(each: _Document) -> None:
            if each in open_now:
                raise self._fault(each.node, f"'{each.name}' refers to itself", "rules without a circle")
            if any(each is other for other in done):
                return
            open_now.append(each)
            if each.correlation is not None:
                for other in self._referred(each):
                    visit(other)
            open_now.pop()
            done.append(each)

        for each in documents:
            visit(each)
        return done[::-1]

    def _referred(self, document: _Document) -> list[_Document]:
        assert document.correlation is not None
        node = document.correlation.get("rules")
        if node is None:
            raise self._fault(document.fields["correlation"], "this correlation has no 'rules'", "rules: [...]")
        nodes = node.value if isinstance(node, yaml.SequenceNode) else [node]
        found = []
        for each in nodes:
            name = self._string(each)
            if name not in self._by_name:
                hint = nearest(name, self._by_name) or "the rules of a correlation stand in its file"
                raise self._fault(each, f"there is no rule '{name}' here", hint=hint)
            found.append(self._by_name[name])
        if not found:
            raise self._fault(node, "this list is empty", "names or ids of rules")
        return found

    # -- what rules want to know of each other -----------------------------------------------------------------------

    def _ask(self, document: _Document) -> None:
        """Tells the rules that a correlation refers to which fields they must pass on."""
        if document.correlation is None:
            return
        generate = document.correlation.get("generate", document.fields.get("generate"))
        for place, other in enumerate(self._referred(document)):
            other.referred = True
            other.generated |= generate is not None and self._flag(generate)
            for name in self._group(document):
                other.wanted[self._field_of(document, other, name)] = None
            if (counted := self._counted(document)) is not None:
                other.wanted[counted] = None
            if place == 0 or self._kind(document).endswith("count"):
                for name in document.wanted:
                    other.wanted[self._field_of(document, other, name)] = None

    def _kind(self, document: _Document) -> str:
        assert document.correlation is not None
        node = document.correlation.get("type")
        if node is None:
            raise self._fault(document.fields["correlation"], "this correlation has no 'type'", choices(KINDS))
        kind = self._string(node)
        if kind not in KINDS:
            raise self._fault(node, f"the correlation '{kind}' cannot be said", choices(KINDS), nearest(kind, KINDS))
        return kind

    def _group(self, document: _Document) -> list[str]:
        assert document.correlation is not None
        node = document.correlation.get("group-by")
        if node is None:
            return []
        return [self._string(each) for each in (node.value if isinstance(node, yaml.SequenceNode) else [node])]

    def _field_of(self, document: _Document, other: _Document, name: str) -> str:
        """The field of another rule's events that a correlation calls so."""
        assert document.correlation is not None
        aliases = document.correlation.get("aliases")
        if aliases is None:
            return name
        if not isinstance(aliases, yaml.MappingNode):
            raise self._fault(aliases, "'aliases' is a mapping", "alias: {rule: field}")
        found = self._fields(aliases).get(name)
        if found is None:
            return name
        if not isinstance(found, yaml.MappingNode):
            raise self._fault(found, "an alias is a mapping", "rule: field")
        for rule, renamed in self._fields(found).items():
            if rule in other.names:
                return self._string(renamed)
        raise self._fault(found, f"the alias '{name}' says nothing of the rule '{other.name}'", f"{other.name}: field")

    def _counted(self, document: _Document) -> str | None:
        """The field whose values are counted."""
        if self._kind(document) != "value_count":
            return None
        condition = self._condition(document)
        if "field" not in condition:
            where = document.correlation["condition"]  # type: ignore[index]  # it is a correlation
            raise self._fault(where, "value_count counts the values of a field", "field: ...")
        return self._string(condition["field"])

    def _condition(self, document: _Document) -> dict[str, yaml.Node]:
        assert document.correlation is not None
        node = document.correlation.get("condition")
        if node is None:
            return {}
        if not isinstance(node, yaml.MappingNode):
            raise self._fault(node, "a condition that is an expression cannot be said", "gte: 10, or gt: 9")
        return self._fields(node)

    # -- rules -------------------------------------------------------------------------------------------------------

    def _made(self, document: _Document) -> Rule:
        span = self._span(document)
        if document.correlation is None:
            guard = Detections(document.fields["detection"], self._fault, self._fields).guard()
            pattern: Pattern = Where(Named(EVENT, Primitive(self._event_type(document), span=span)), guard, span=span)
            select = tuple((name, Attribute(EVENT, name)) for name in document.wanted)
            return self._reported(document, pattern, "python", Context.UNRESTRICTED, select=select)
        kind = self._kind(document)
        if kind.startswith("temporal"):
            return self._temporal(document, ordered=kind == "temporal_ordered")
        least = self._least(document)
        group = self._group(document)
        others = self._referred(document)
        if kind == "event_count" and len(others) == 1 and len(group) == 1:
            return self._event_count(document, others[0], least)
        return self._chain(document, others, least)

    def _reported(
        self,
        document: _Document,
        pattern: Pattern,
        language: str,
        context: Context | None,
        *,
        select: tuple[tuple[str, Guard], ...],
        window: Period | None = None,
    ) -> Rule:
        title = self._string(document.fields["title"]) if "title" in document.fields else None
        return Rule(
            document.name,
            pattern,
            language,
            context=context,
            window=window,
            notify=title if title is not None and not set(title) & set("{}") else None,
            select=select,
            hidden=document.referred and not document.generated,
            span=pattern.span,
        )

    def _temporal(self, document: _Document, *, ordered: bool) -> Rule:
        others = self._referred(document)
        least = self._least(document, len(others))
        if least > len(others):
            raise self._fault(document.fields["correlation"], f"there are only {len(others)} rules", "a lower count")
        if len({each.name for each in others}) < len(others):
            raise self._fault(document.fields["correlation"], "a rule is listed twice", "each rule once")
        span = self._span(document)
        ways = [self._together(document, list(each), ordered, span) for each in combinations(others, least)]
        pattern = ways[0] if len(ways) == 1 else Either(tuple(ways), span=span)
        select: tuple[tuple[str, Guard], ...] = ()
        if len(ways) == 1:
            names = dict.fromkeys((*self._group(document), *document.wanted))
            first = others[0]
            select = tuple((name, Attribute(first.name, self._field_of(document, first, name))) for name in names)
        return self._reported(document, pattern, "eps", Context.GENERIC, select=select, window=self._timespan(document))

    def _together(self, document: _Document, others: list[_Document], ordered: bool, span: Span) -> Pattern:
        number = "" if len(others) == len(self._referred(document)) else "_".join(("", *(each.name for each in others)))
        names = [each.name + number for each in others]
        parts = tuple(Named(name, Primitive(each.name)) for name, each in zip(names, others, strict=True))
        if len(parts) == 1:
            return parts[0]
        pattern: Pattern = Sequence(parts, span=span) if ordered else Both(parts, span=span)
        tests: list[Guard] = [
            Binary(
                "==",
                Attribute(names[0], self._field_of(document, others[0], field_name)),
                Attribute(name, self._field_of(document, other, field_name)),
            )
            for name, other in zip(names[1:], others[1:], strict=True)
            for field_name in self._group(document)
        ]
        return Where(pattern, _all(tests), span=span) if tests else pattern

    def _event_count(self, document: _Document, other: _Document, least: int) -> Rule:
        (group,) = self._group(document)
        key = self._field_of(document, other, group)
        span = self._span(document)
        pattern = Times(least, Named(EVENT, Primitive(other.name)), key, True, span=span)
        names = dict.fromkeys((group, *document.wanted))
        select = tuple(
            (name, Call("first", (Attribute(EVENT, self._field_of(document, other, name)),))) for name in names
        )
        return self._reported(document, pattern, "eps", Context.GENERIC, select=select, window=self._timespan(document))

    def _chain(self, document: _Document, others: list[_Document], least: int) -> Rule:
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
            raise self._fault(where, "a count over fields of different names cannot be said", "one name for all rules")
        return self._reported(
            document, Detector(whole, span=span), "core", None, select=select, window=self._timespan(document)
        )

    def _atom(self, document: _Document, others: list[_Document], place: int) -> Atom:
        own, name = f"x{place + 1}", self._counted(document)
        keys = [self._field_of(document, others[0], each) for each in self._group(document)]
        earlier = "x1" if place else THIS
        tests: list[Guard] = [Binary("==", Attribute(THIS, key), Attribute(earlier, key)) for key in keys]
        if name is not None:
            value = Attribute(THIS, name)
            tests.append(Binary("==", value, value))
            if place:
                before = tuple(Attribute(f"x{each + 1}", name) for each in range(place))
                tests.append(Not(Call("in", (value, *before))))
        guard = _all(tests) if tests else None
        kinds = tuple(Described(each.name, guard, own) for each in others)
        return Atom(kinds[0] if len(kinds) == 1 else Union(kinds))

    # -- settings ----------------------------------------------------------------------------------------------------

    def _least(self, document: _Document, otherwise: int | None = None) -> int:
        """How many there must be at least."""
        condition = self._condition(document)
        assert document.correlation is not None
        where = document.correlation.get("condition", document.fields["correlation"])
        for key in ("lt", "lte", "eq"):
            if key in condition:
                hint = "a count that stays low is known only when the time is over: use gte or gt"
                raise self._fault(condition[key], f"'{key}' cannot be said of a count that goes on", "gte or gt", hint)
        found = [key for key in ("gt", "gte") if key in condition]
        unknown = [key for key in condition if key not in ("gt", "gte", "field")]
        if unknown:
            raise self._fault(condition[unknown[0]], f"there is no condition '{unknown[0]}'", "gte or gt")
        if not found:
            if otherwise is not None:
                return otherwise
            raise self._fault(where, "this correlation does not say how many", "condition: {gte: 10}")
        least = max(self._number(condition[key]) + (key == "gt") for key in found)
        if not 1 <= least <= MOST_COUNTED:
            raise self._fault(where, f"a count lies between 1 and {MOST_COUNTED}", "a count")
        return least

    def _number(self, node: yaml.Node) -> int:
        text = self._string(node)
        if not re.fullmatch(r"\d{1,9}", text):
            raise self._fault(node, "this must be a whole number", "a whole number")
        return int(text)

    def _timespan(self, document: _Document) -> Period:
        assert document.correlation is not None
        node = document.correlation.get("timespan")
        if node is None:
            raise self._fault(document.fields["correlation"], "this correlation has no 'timespan'", "timespan: 5m")
        match = re.fullmatch(r"(\d{1,9})([smhd])", self._string(node))
        if match is None or not int(match[1]):
            raise self._fault(node, f"'{node.value}' is no timespan", "a number with s, m, h or d, as 5m")
        return Period(microseconds=int(match[1]) * SPANS[match[2]])

    def _event_type(self, document: _Document) -> str:
        """The type of events that a log source writes: what it says of itself, joined."""
        node = document.fields.get("logsource")
        if not isinstance(node, yaml.MappingNode):
            return ALWAYS
        found = self._fields(node)
        parts = [self._string(found[key]) for key in ("product", "category", "service") if key in found]
        return _identifier("_".join(parts)) if parts else ALWAYS

    def _span(self, document: _Document) -> Span:
        node = document.fields.get("title") or document.fields.get("name") or document.fields["id"]
        return Span(0, len(str(node.value)), self._source(node))


def _identifier(text: str) -> str:
    """A name that every language can write."""
    found = re.sub(r"\W+", "_", text, flags=re.ASCII).strip("_").lower() if not text.isidentifier() else text
    return found if found.isidentifier() else f"rule_{found}".rstrip("_")


def _all(tests: list[Guard]) -> Guard:
    found = tests[0]
    for each in tests[1:]:
        found = Binary("&&", found, each)
    return found
