"""Sigma files as they are written: documents of YAML, what each says of itself, and what correlations ask of others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import yaml

from tocsin.errors import Fault, Place, RuleError, Span, choices, nearest
from tocsin.rules.documents import Reader
from tocsin.rules.sigma_aggregates import FUNCTIONS, LOW
from tocsin.rules.sigma_pipelines import LOG_SOURCE, NO_PIPELINE, Applied, Pipeline
from tocsin.time.periods import DAY, HOUR, MINUTE, SECOND, Period

KINDS = (
    *("event_count", "value_count", "temporal", "temporal_ordered", "temporal_extended", "temporal_ordered_extended"),
    *FUNCTIONS,
)
SPANS = {"s": SECOND, "m": MINUTE, "h": HOUR, "d": DAY, "w": 7 * DAY}
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


@dataclass
class Document:
    """One rule of a file: its names, its node, and which fields others want to know of it."""

    node: yaml.MappingNode
    fields: dict[str, yaml.Node]
    name: str
    names: tuple[str, ...]
    correlation: dict[str, yaml.Node] | None = None
    wanted: dict[str, None] = field(default_factory=dict)
    referred: bool = False
    named: bool = False
    """Whether another rule uses it by its name, and does not just look for what it looks for."""
    generated: bool = False


class SigmaDocuments(Reader):
    """One Sigma file, read node by node so that every value knows its line and column."""

    _by_name: dict[str, Document]
    pipeline: Pipeline = NO_PIPELINE

    # -- documents -------------------------------------------------------------------------------------------------

    def _documents(self) -> Iterator[yaml.MappingNode]:
        try:
            roots = list(yaml.compose_all(self.text, Loader=yaml.SafeLoader))
        except yaml.YAMLError:
            self.compose("a rule of Sigma")  # tells it at its place
            raise RuleError(Fault("this is not YAML", place=Place(self.file, 1, 1))) from None
        for root in roots:
            if root is None:
                continue
            if not isinstance(root, yaml.MappingNode) or not is_sigma(root):
                raise self.fault(root, "this is no Sigma rule", "a mapping with 'detection' or 'correlation'")
            yield root

    def _document(self, node: yaml.MappingNode) -> Document:
        fields = self.fields(node)
        names = tuple(self.string(fields[key]) for key in ("name", "id") if key in fields)
        title = self.string(fields["title"]) if "title" in fields else ""
        if not names and not title:
            raise self.fault(node, "this rule has no name", "title: ..., name: ... or id: ...")
        called = self.string(fields["name"]) if "name" in fields else (title or names[0]).lower()
        correlation = None
        if "correlation" in fields:
            if not isinstance(fields["correlation"], yaml.MappingNode):
                raise self.fault(fields["correlation"], "'correlation' is a mapping", "type: ...")
            correlation = self.fields(fields["correlation"])
        return Document(node, fields, _identifier(called), names, correlation)

    def _named_once(self, documents: list[Document]) -> None:
        known: dict[str, Document] = {}
        for each in documents:
            for name in (each.name, *each.names):
                if known.setdefault(name, each) is not each:
                    raise self.fault(each.node, f"two rules are called '{name}'", "another name")

    def _in_order(self, documents: list[Document]) -> list[Document]:
        """Each correlation before the rules it refers to."""
        done: list[Document] = []
        open_now: list[Document] = []

        def visit(each: Document) -> None:
            if each in open_now:
                raise self.fault(each.node, f"'{each.name}' refers to itself", "rules without a circle")
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

    def _referred(self, document: Document) -> list[Document]:
        assert document.correlation is not None
        node = document.correlation.get("rules")
        if node is None:
            raise self.fault(document.fields["correlation"], "this correlation has no 'rules'", "rules: [...]")
        nodes = node.value if isinstance(node, yaml.SequenceNode) else [node]
        found = []
        for each in nodes:
            name = self.string(each)
            if name not in self._by_name:
                hint = nearest(name, self._by_name) or "the rules of a correlation stand in its file"
                raise self.fault(each, f"there is no rule '{name}' here", hint=hint)
            found.append(self._by_name[name])
        if not found:
            raise self.fault(node, "this list is empty", "names or ids of rules")
        return found

    # -- what rules want to know of each other -----------------------------------------------------------------------

    def _ask(self, document: Document) -> None:
        """Tells the rules that a correlation refers to which fields they must pass on."""
        if document.correlation is None:
            return
        generate = document.correlation.get("generate", document.fields.get("generate"))
        for place, other in enumerate(self._referred(document)):
            other.referred = True
            other.named |= other.correlation is not None or self._counts_by_name(document)
            other.generated |= generate is not None and self.flag(generate)
            for name in self._group(document):
                other.wanted[self._field_of(document, other, name)] = None
            if (counted := self._counted(document)) is not None:
                other.wanted[self._own_name(other, counted, document)] = None
            if place == 0 or self._kind(document).endswith("count"):
                for name in document.wanted:
                    other.wanted[self._field_of(document, other, name)] = None

    def _counts_by_name(self, document: Document) -> bool:
        """Whether it counts the events of one rule by one field: `TimesEq` takes a name, and no guard."""
        one_of_each = len(self._group(document)) == len(self._referred(document)) == 1
        return self._kind(document) == "event_count" and one_of_each and not self._is_low(document)

    def _is_low(self, document: Document) -> bool:
        """Whether a count must stay low."""
        return self._kind(document).endswith("count") and any(key in LOW for key in self._condition(document))

    def _kind(self, document: Document) -> str:
        assert document.correlation is not None
        node = document.correlation.get("type")
        if node is None:
            raise self.fault(document.fields["correlation"], "this correlation has no 'type'", choices(KINDS))
        kind = self.string(node)
        if kind not in KINDS:
            raise self.fault(node, f"the correlation '{kind}' cannot be said", choices(KINDS), nearest(kind, KINDS))
        return kind

    def _group(self, document: Document) -> list[str]:
        assert document.correlation is not None
        node = document.correlation.get("group-by")
        if node is None:
            return []
        return [self.string(each) for each in (node.value if isinstance(node, yaml.SequenceNode) else [node])]

    def _field_of(self, document: Document, other: Document, name: str) -> str:
        """The field of another rule's events that a correlation calls so, under its name in our events."""
        return self._own_name(other, self._alias_of(document, other, name), document)

    def _own_name(self, other: Document, name: str, document: Document) -> str:
        """What a pipeline calls the field of a rule; a correlation passes fields on under their own names."""
        found = self._applied(other).names(name) if other.correlation is None else (name,)
        if len(found) > 1:
            where = document.fields["correlation"]
            hint = f"a pipeline says that it is {choices(found, 'and')}"
            raise self.fault(where, f"'{name}' must be one field to be compared or counted", "one field", hint)
        return found[0]

    def _applied(self, document: Document) -> Applied:
        """What the pipelines make of a rule."""
        node = document.fields.get("logsource")
        found = self.fields(node) if isinstance(node, yaml.MappingNode) else {}
        return self.pipeline.applied({key: self.string(found[key]) for key in LOG_SOURCE if key in found})

    def _alias_of(self, document: Document, other: Document, name: str) -> str:
        assert document.correlation is not None
        aliases = document.correlation.get("aliases")
        if aliases is None:
            return name
        if not isinstance(aliases, yaml.MappingNode):
            raise self.fault(aliases, "'aliases' is a mapping", "alias: {rule: field}")
        found = self.fields(aliases).get(name)
        if found is None:
            return name
        if not isinstance(found, yaml.MappingNode):
            raise self.fault(found, "an alias is a mapping", "rule: field")
        for rule, renamed in self.fields(found).items():
            if rule in other.names:
                return self.string(renamed)
        raise self.fault(found, f"the alias '{name}' says nothing of the rule '{other.name}'", f"{other.name}: field")

    def _counted(self, document: Document) -> str | None:
        """The field whose values are counted, or added up."""
        kind = self._kind(document)
        if not kind.startswith("value"):
            return None
        condition = self._condition(document)
        if "field" not in condition:
            assert document.correlation is not None
            where = document.correlation.get("condition", document.fields["correlation"])
            raise self.fault(where, f"{kind} is about the values of a field", "field: ...")
        return self.string(condition["field"])

    def _condition(self, document: Document) -> dict[str, yaml.Node]:
        assert document.correlation is not None
        node = document.correlation.get("condition")
        if node is None:
            return {}
        if not isinstance(node, yaml.MappingNode):
            if self._is_extended(document):
                return {}
            hint = "an expression over rules is a condition of temporal correlations"
            raise self.fault(node, "this condition must say how many", "gte: 10, or gt: 9", hint)
        return self.fields(node)

    def _is_extended(self, document: Document) -> bool:
        """Whether the condition of a correlation is an expression over its rules."""
        assert document.correlation is not None
        node = document.correlation.get("condition")
        return isinstance(node, yaml.ScalarNode) and self._kind(document).startswith("temporal")

    # -- settings ----------------------------------------------------------------------------------------------------

    def _least(self, document: Document, otherwise: int | None = None) -> int:
        """How many there must be at least."""
        condition = self._condition(document)
        assert document.correlation is not None
        where = document.correlation.get("condition", document.fields["correlation"])
        found = [key for key in ("gt", "gte") if key in condition]
        unknown = [key for key in condition if key not in ("gt", "gte", "field")]
        if unknown:
            raise self.fault(condition[unknown[0]], f"there is no condition '{unknown[0]}'", "gte or gt")
        if not found:
            if otherwise is not None:
                return otherwise
            raise self.fault(where, "this correlation does not say how many", "condition: {gte: 10}")
        least = max(self._number(condition[key]) + (key == "gt") for key in found)
        if not 1 <= least <= MOST_COUNTED:
            raise self.fault(where, f"a count lies between 1 and {MOST_COUNTED}", "a count")
        return least

    def _number(self, node: yaml.Node) -> int:
        text = self.string(node)
        if not re.fullmatch(r"\d{1,9}", text):
            raise self.fault(node, "this must be a whole number", "a whole number")
        return int(text)

    def _timespan(self, document: Document) -> Period:
        assert document.correlation is not None
        node = document.correlation.get("timespan")
        if node is None:
            raise self.fault(document.fields["correlation"], "this correlation has no 'timespan'", "timespan: 5m")
        match = re.fullmatch(r"(\d{1,9})([smhdwMy])", self.string(node))
        if match is None or not int(match[1]):
            raise self.fault(node, f"'{node.value}' is no timespan", "a number with s, m, h, d, w, M or y, as 5m")
        if match[2] in "My":
            return Period.of(**{{"M": "months", "y": "years"}[match[2]]: int(match[1])})
        return Period(microseconds=int(match[1]) * SPANS[match[2]])

    def _event_type(self, document: Document) -> str:
        """The type of events that a log source writes: what it says of itself, joined."""
        source = self._applied(document).source
        parts = [source[key] for key in LOG_SOURCE if key in source]
        return _identifier("_".join(parts)) if parts else ALWAYS

    def _span(self, document: Document) -> Span:
        node = document.fields.get("title") or document.fields.get("name") or document.fields["id"]
        return Span(0, len(str(node.value)), self.source_of(node))


def _identifier(text: str) -> str:
    """A name that every language can write."""
    found = re.sub(r"\W+", "_", text, flags=re.ASCII).strip("_").lower() if not text.isidentifier() else text
    return found if found.isidentifier() else f"rule_{found}".rstrip("_")
