"""What a Sigma rule looks for in a single event, as a guard: searches, modifiers, and the condition over them.

    detection:                        in(e.EventID, 529, 4625) && !endswith(lower(e.User), '$')
        selection: {EventID: [529, 4625]}
        filter: {User|endswith: $}
        condition: selection and not filter

Texts match whatever the case (unless `cased`); a field that is missing matches nothing, so that `not filter` holds.
Keywords are looked for in all that an event says. What guards cannot say is refused where it stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fnmatch import fnmatchcase

import yaml

from tocsin.algebra.functions import FUNCTIONS
from tocsin.algebra.guards import Attribute, Binary, Call, Guard, Literal, Not, Reference, joined
from tocsin.algebra.text_patterns import BadPattern
from tocsin.errors import RuleError, choices, nearest
from tocsin.rules.sigma_pipelines import NO_PIPELINE, Applied
from tocsin.rules.sigma_values import ANY, ENCODINGS, ONE, in_base64, read_text, text_test, with_any_dash

Fail = Callable[..., RuleError]
"""Makes the error of a node: (node, message, expected, hint)."""
Fields = Callable[[yaml.MappingNode], dict[str, yaml.Node]]
"""Reads a mapping, each key of which comes once."""

EVENT = "e"
"""What guards call the event, if nothing else is said."""
COMPARISONS = {"lt": "<", "lte": "<=", "gt": ">", "gte": ">="}
TEXTS = ("contains", "startswith", "endswith")
FLAGS = ("i", "m", "s")
MODIFIERS = (
    *(*TEXTS, "all", "cased", "exists", "neq", "fieldref", "re", *FLAGS, "cidr", "windash"),
    *("base64", "base64offset", *ENCODINGS, *COMPARISONS, "expand"),
)
UNKNOWN_TIMES = ("minute", "hour", "day", "week", "month", "year")


class Detections:
    """The searches of one rule, read from their YAML nodes."""

    def __init__(
        self, node: yaml.Node, fail: Fail, fields: Fields, event: str = EVENT, applied: Applied | None = None
    ) -> None:
        self._fail, self.fields, self._event = fail, fields, event
        self._applied = applied or NO_PIPELINE.applied({})
        if not isinstance(node, yaml.MappingNode):
            raise fail(node, "'detection' is a mapping", "searches and a condition")
        found = fields(node)
        self._condition = found.pop("condition", None)
        if self._condition is None:
            raise fail(node, "this detection has no 'condition'", "condition: ...")
        found.pop("timeframe", None)
        self._searches = found

    def guard(self) -> Guard:
        """What the condition asks for. Several conditions are linked with `or`."""
        assert self._condition is not None
        nodes = self._condition.value if isinstance(self._condition, yaml.SequenceNode) else [self._condition]
        return joined("||", [_Condition(node, self).guard() for node in nodes])

    def error(self, node: yaml.Node, message: str, expected: str = "", hint: str = "") -> RuleError:
        """The error of a node."""
        return self._fail(node, message, expected, hint)

    def names(self, pattern: str) -> list[str]:
        """The searches that a pattern stands for; `them` are all that do not begin with an underscore."""
        if pattern == "them":
            return [name for name in self._searches if not name.startswith("_")]
        return [name for name in self._searches if fnmatchcase(name, pattern)]

    def search(self, name: str, where: yaml.Node) -> Guard:
        """One search."""
        node = self._searches.get(name)
        if node is None:
            hint = nearest(name, self._searches)
            raise self.error(where, f"there is no search '{name}'", choices(list(self._searches)), hint)
        return self._search(node)

    def _search(self, node: yaml.Node) -> Guard:
        if isinstance(node, yaml.SequenceNode):
            if not node.value:
                raise self.error(node, "this list is empty", "values")
            return joined("||", [self._search(each) for each in node.value])
        if not isinstance(node, yaml.MappingNode):
            return self._keyword(node, node, [])
        if not node.value:
            raise self.error(node, "this search asks for nothing", "field: value")
        return joined("&&", [self._field(key, value) for key, value in node.value])

    def _keyword(self, key: yaml.Node, node: yaml.Node, modifiers: list[str]) -> Guard:
        """A text that is looked for in all that an event says."""
        everything = Call("text", (Reference(self._event),))
        if "re" in modifiers or (isinstance(node, yaml.ScalarNode) and node.tag == _TAGS["null"]):
            return self._value(everything, modifiers, key, node)
        return self._value(everything, [*modifiers, "contains"], key, node)

    # -- fields ----------------------------------------------------------------------------------------------------

    def _field(self, key: yaml.Node, value: yaml.Node) -> Guard:
        name, *modifiers = str(key.value).split("|")
        for each in modifiers:
            self._check(key, each)
        nodes = value.value if isinstance(value, yaml.SequenceNode) else [value]
        if not nodes:
            raise self.error(value, "this list is empty", "values")
        if not name:
            found = self._all_or_any([self._of_values(None, modifiers, key, each) for each in nodes], modifiers)
        else:
            ways = [Attribute(self._event, each) for each in self._applied.names(name)]
            tests = [[self._of_values(way, modifiers, key, each) for each in nodes] for way in ways]
            found = joined("||", [self._all_or_any(each, modifiers) for each in tests])
        return Not(found) if "neq" in modifiers else found

    def _all_or_any(self, tests: list[Guard], modifiers: list[str]) -> Guard:
        return joined("&&", tests) if "all" in modifiers else _any_of(tests)

    def _of_values(self, field: Guard | None, modifiers: list[str], key: yaml.Node, node: yaml.Node) -> Guard:
        """One value; one with placeholders is any of what these stand for."""
        nodes = self._filled(node) if "expand" in modifiers else [node]
        if field is None:
            return _any_of([self._keyword(key, each, modifiers) for each in nodes])
        return _any_of([self._value(field, modifiers, key, each) for each in nodes])

    def _filled(self, node: yaml.Node) -> list[yaml.Node]:
        if not isinstance(node, yaml.ScalarNode):
            return [node]
        try:
            texts = self._applied.filled(str(node.value))
        except KeyError as error:
            name = error.args[0]
            hint = "a pipeline beside the rules gives them, under 'vars' and with a transformation 'value_placeholders'"
            raise self.error(node, f"nothing says what %{name}% stands for", "values", hint) from None
        return [yaml.ScalarNode(_TAGS["str"], text, node.start_mark, node.end_mark) for text in texts]

    def _check(self, key: yaml.Node, modifier: str) -> None:
        if modifier in MODIFIERS:
            return
        if modifier in UNKNOWN_TIMES:
            hint = "write out what it stands for"
            raise self.error(key, f"the modifier '{modifier}' cannot be said", choices(MODIFIERS), hint)
        hint = nearest(modifier, MODIFIERS)
        raise self.error(key, f"there is no modifier '{modifier}'", choices(MODIFIERS), hint)

    def _value(self, field: Guard, modifiers: list[str], key: yaml.Node, node: yaml.Node) -> Guard:
        value = _scalar(node)
        if value is _NO_SCALAR:
            raise self.error(node, "this must be a value", "a text, a number, true, false or null")
        for each in modifiers:
            if each in COMPARISONS:
                if isinstance(value, bool) or not isinstance(value, int | float):
                    raise self.error(node, f"'{each}' compares numbers", "a number")
                return Binary(COMPARISONS[each], field, Literal(value))
        if "exists" in modifiers:
            there = Binary("||", Binary("!=", field, Literal(None)), Binary("==", field, Literal(None)))
            return there if value is True else Not(there)
        if "fieldref" in modifiers:
            others = [Attribute(self._event, each) for each in self._applied.names(str(value))]
            return joined("||", [self._reference(field, each, modifiers) for each in others])
        if value is None:
            return Not(Binary("!=", field, Literal(None)))
        if "re" in modifiers or "cidr" in modifiers:
            return self._pattern(field, str(node.value), modifiers, node)
        if isinstance(value, str) or any(each in TEXTS for each in modifiers):
            return self._text(field, str(node.value), modifiers, node)
        assert isinstance(value, bool | int | float)
        return Binary("==", field, Literal(value))

    def _reference(self, field: Guard, other: Guard, modifiers: list[str]) -> Guard:
        """A field beside another of the same event."""
        for each in modifiers:
            if each in TEXTS:
                one, two = (side if "cased" in modifiers else Call("lower", (side,)) for side in (field, other))
                return Call(each, (one, two))
        return Binary("==", field, other)

    def _pattern(self, field: Guard, text: str, modifiers: list[str], node: yaml.Node) -> Guard:
        """A regular expression, or a network."""
        flags = "".join(each for each in FLAGS if each in modifiers)
        name = "matches" if "re" in modifiers else "cidr"
        pattern = f"(?{flags}){text}" if flags else text
        written = FUNCTIONS[name].pattern
        assert written is not None
        what, check = written
        try:
            check(pattern)
        except BadPattern as error:
            raise self.error(node, f"this is no {what}: {error}", what) from None
        return Call(name, (field, Literal(pattern)))

    def _text(self, field: Guard, text: str, modifiers: list[str], node: yaml.Node) -> Guard:
        ways = [read_text(each) for each in (with_any_dash(text) if "windash" in modifiers else [text])]
        if "base64" in modifiers or "base64offset" in modifiers:
            ways = [[each] for parts in ways for each in self._encoded(parts, modifiers, node)]
        return joined("||", [self._placed(field, parts, modifiers) for parts in ways])

    def _encoded(self, parts: list[str], modifiers: list[str], node: yaml.Node) -> list[str]:
        if ANY in parts or ONE in parts:
            raise self.error(node, "a text that is encoded has no wildcards", "a text")
        encodings = [ENCODINGS[each] for each in modifiers if each in ENCODINGS]
        data = "".join(parts).encode(encodings[0] if encodings else "utf-8")
        return in_base64(data, anywhere="base64offset" in modifiers)

    def _placed(self, field: Guard, parts: list[str], modifiers: list[str]) -> Guard:
        """A text where the modifiers want it: at the beginning, at the end, or anywhere."""
        for each in modifiers:
            if each in ("contains", "endswith") and parts[:1] != [ANY]:
                parts = [ANY, *parts]
            if each in ("contains", "startswith") and parts[-1:] != [ANY]:
                parts = [*parts, ANY]
        return text_test(field, parts, cased="cased" in modifiers)


def _any_of(tests: list[Guard]) -> Guard:
    """Any of the tests; where all of them compare one thing with values, as a list of these."""
    plain = [test for test in tests if isinstance(test, Binary) and test.operator == "=="]
    if 1 < len(tests) == len(plain) and all(isinstance(test.right, Literal) for test in plain):
        (subject, *others) = {test.left: None for test in plain}
        if not others:
            return Call("in", (subject, *(test.right for test in plain)))
    return joined("||", tests)


_NO_SCALAR = object()
_TAGS = {kind: f"tag:yaml.org,2002:{kind}" for kind in ("null", "int", "float", "bool", "str")}


def _scalar(node: yaml.Node) -> object:
    """The value of a scalar, as YAML tells its type; a date or the like is the text it is."""
    if not isinstance(node, yaml.ScalarNode):
        return _NO_SCALAR
    if node.tag == "tag:yaml.org,2002:null":
        return None
    if node.tag == _TAGS["bool"]:
        return node.value.lower() in ("true", "yes", "on")
    try:
        if node.tag == _TAGS["int"]:
            return int(node.value, 0)
        if node.tag == _TAGS["float"]:
            return float(node.value)
    except ValueError:
        pass
    return str(node.value)


MOST_BRACKETS = 100
"""How deep the brackets and negations of a condition may nest: each is read by several calls inside each other."""


class _Condition:
    """`1 of selection* and not filter`, read from left to right."""

    def __init__(self, node: yaml.Node, detections: Detections) -> None:
        self._node, self._detections = node, detections
        if not isinstance(node, yaml.ScalarNode):
            raise detections.error(node, "a condition is a text", "selection and not filter")
        self._words = re.findall(r"\(|\)|\||[^\s()|]+", str(node.value))
        self._place = self._depth = 0

    def guard(self) -> Guard:
        found = self._either()
        if self._place < len(self._words):
            word = self._words[self._place]
            hint = "aggregations are written as correlations" if word == "|" else ""
            raise self._detections.error(self._node, f"'{word}' does not belong here", "'and', 'or' or nothing", hint)
        return found

    def _either(self) -> Guard:
        return self._chain("or", "||", self._both)

    def _both(self) -> Guard:
        return self._chain("and", "&&", self._one)

    def _chain(self, word: str, operator: str, part: Callable[[], Guard]) -> Guard:
        found = [part()]
        while self._peek() == word:
            self._place += 1
            found.append(part())
        return joined(operator, found)

    def _peek(self) -> str:
        return self._words[self._place].lower() if self._place < len(self._words) else ""

    def _one(self) -> Guard:
        if self._place >= len(self._words):
            raise self._detections.error(self._node, "the condition ends too early", "the name of a search")
        word = self._words[self._place]
        self._place += 1
        if word == "(" or word.lower() == "not":
            self._depth += 1
            if self._depth > MOST_BRACKETS:
                raise self._detections.error(self._node, f"nested more than {MOST_BRACKETS} levels deep")
            found = self._bracketed() if word == "(" else Not(self._one())
            self._depth -= 1
            return found
        if word.lower() in ("1", "any", "all") and self._peek() == "of":
            return self._some(word.lower() == "all")
        return self._detections.search(word, self._node)

    def _bracketed(self) -> Guard:
        found = self._either()
        if self._peek() != ")":
            raise self._detections.error(self._node, "a bracket is not closed", "')'")
        self._place += 1
        return found

    def _some(self, every: bool) -> Guard:
        self._place += 1
        pattern = self._words[self._place] if self._place < len(self._words) else ""
        self._place += 1
        names = self._detections.names("them" if pattern.lower() == "them" else pattern)
        if not names:
            raise self._detections.error(self._node, f"there is no search '{pattern}'", "'them', or 'selection*'")
        return joined("&&" if every else "||", [self._detections.search(name, self._node) for name in names])
