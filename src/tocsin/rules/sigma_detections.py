"""What a Sigma rule looks for in a single event, as a guard: searches, modifiers, and the condition over them.

    detection:                        in(e.EventID, 529, 4625) && !endswith(lower(e.User), '$')
        selection: {EventID: [529, 4625]}
        filter: {User|endswith: $}
        condition: selection and not filter

Texts match whatever the case (unless `cased`); a field that is missing matches nothing, so that `not filter` holds.
What guards cannot say (regular expressions, keywords ...) is refused where it stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fnmatch import fnmatchcase

import yaml

from tocsin.algebra.guards import Attribute, Binary, Call, Guard, Literal, Not
from tocsin.errors import RuleError, choices, nearest

Fail = Callable[..., RuleError]
"""Makes the error of a node: (node, message, expected, hint)."""
Fields = Callable[[yaml.MappingNode], dict[str, yaml.Node]]
"""Reads a mapping, each key of which comes once."""

EVENT = "e"
"""What guards call the event, if nothing else is said."""
ANY, ONE = "\0*", "\0?"
"""Wildcards of a text that has been read."""
COMPARISONS = {"lt": "<", "lte": "<=", "gt": ">", "gte": ">="}
TEXTS = ("contains", "startswith", "endswith")
MODIFIERS = (*TEXTS, "all", "cased", "exists", "neq", "fieldref", *COMPARISONS)
OTHERS = {
    "re": "guards have no regular expressions: use contains, startswith or endswith",
    "cidr": "guards know no networks: use startswith, as '10.'",
    "expand": "placeholders have no values here: write the values out",
}
"""Modifiers that Sigma has and guards cannot say, with the nearest."""
UNKNOWN = ("base64", "base64offset", "utf16le", "utf16be", "utf16", "wide", "windash", "i", "m", "s")
UNKNOWN_TIMES = ("minute", "hour", "day", "week", "month", "year")


class Detections:
    """The searches of one rule, read from their YAML nodes."""

    def __init__(self, node: yaml.Node, fail: Fail, fields: Fields, event: str = EVENT) -> None:
        self._fail, self._fields, self._event = fail, fields, event
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
        return _joined("||", [_Condition(node, self).guard() for node in nodes])

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
            return _joined("||", [self._search(each) for each in node.value])
        if not isinstance(node, yaml.MappingNode):
            hint = "a guard looks at one field: 'Message|contains: ...'"
            raise self.error(node, "keywords, which are looked for in the whole event, cannot be said", hint=hint)
        return _joined("&&", [self._field(key, value) for key, value in node.value])

    # -- fields ----------------------------------------------------------------------------------------------------

    def _field(self, key: yaml.Node, value: yaml.Node) -> Guard:
        name, *modifiers = str(key.value).split("|")
        if not name:
            raise self.error(key, "keywords, which are looked for in the whole event, cannot be said")
        for each in modifiers:
            self._check(key, each)
        field = Attribute(self._event, name)
        nodes = value.value if isinstance(value, yaml.SequenceNode) else [value]
        if not nodes:
            raise self.error(value, "this list is empty", "values")
        if "all" in modifiers and len(nodes) == 1:
            raise self.error(key, "'all' goes with a list of values", "several values")
        tests = [self._value(field, modifiers, key, each) for each in nodes]
        found = _joined("&&", tests) if "all" in modifiers else _any_of(tests)
        return Not(found) if "neq" in modifiers else found

    def _check(self, key: yaml.Node, modifier: str) -> None:
        if modifier in MODIFIERS:
            return
        if modifier in OTHERS or modifier in UNKNOWN or modifier in UNKNOWN_TIMES:
            hint = OTHERS.get(modifier, "write out what it stands for")
            raise self.error(key, f"the modifier '{modifier}' cannot be said", choices(MODIFIERS), hint)
        hint = nearest(modifier, (*MODIFIERS, *OTHERS, *UNKNOWN))
        raise self.error(key, f"there is no modifier '{modifier}'", choices(MODIFIERS), hint)

    def _value(self, field: Attribute, modifiers: list[str], key: yaml.Node, node: yaml.Node) -> Guard:
        value = _scalar(node)
        if value is _NO_SCALAR:
            raise self.error(node, "this must be a value", "a text, a number, true, false or null")
        for each in modifiers:
            if each in COMPARISONS:
                if isinstance(value, bool) or not isinstance(value, int | float):
                    raise self.error(node, f"'{each}' compares numbers", "a number")
                return Binary(COMPARISONS[each], field, Literal(value))
        if "exists" in modifiers:
            there = Binary("==", field, field)
            return there if value is True else Not(there)
        if "fieldref" in modifiers:
            return Binary("==", field, Attribute(self._event, str(value)))
        if value is None:
            return Binary("||", Not(Binary("==", field, field)), Binary("==", field, Literal(None)))
        if isinstance(value, str) or any(each in TEXTS for each in modifiers):
            return self._text(field, str(value), modifiers, node)
        assert isinstance(value, bool | int | float)
        return Binary("==", field, Literal(value))

    def _text(self, field: Attribute, text: str, modifiers: list[str], node: yaml.Node) -> Guard:
        parts = _read_text(text)
        for each in modifiers:
            if each in ("contains", "endswith") and parts[:1] != [ANY]:
                parts = [ANY, *parts]
            if each in ("contains", "startswith") and parts[-1:] != [ANY]:
                parts = [*parts, ANY]
        cased = "cased" in modifiers
        subject: Guard = field if cased else Call("lower", (field,))
        texts = [part if cased else part.lower() for part in parts if part not in (ANY, ONE)]
        shape = "".join(part[1] if part in (ANY, ONE) else "x" for part in parts)
        if shape in ("", "x"):
            return Binary("==", subject, Literal("".join(texts)))
        if shape == "*":
            return Binary("==", field, field)
        if shape in ("x*", "*x", "*x*"):
            name = {"x*": "startswith", "*x": "endswith", "*x*": "contains"}[shape]
            return Call(name, (subject, Literal(texts[0])))
        if shape == "x*x":
            ends = [Call("startswith", (subject, Literal(texts[0]))), Call("endswith", (subject, Literal(texts[1])))]
            long = Binary(">=", Call("len", (field,)), Literal(len(texts[0]) + len(texts[1])))
            return _joined("&&", [*ends, long])
        hint = "texts may begin or end with '*', or have one inside"
        raise self.error(node, f"the wildcards of '{text}' cannot be said", hint=hint)


def _joined(operator: str, guards: list[Guard]) -> Guard:
    found = guards[0]
    for each in guards[1:]:
        found = Binary(operator, found, each)
    return found


def _any_of(tests: list[Guard]) -> Guard:
    """Any of the tests; where all of them compare one thing with values, as a list of these."""
    plain = [test for test in tests if isinstance(test, Binary) and test.operator == "=="]
    if 1 < len(tests) == len(plain) and all(isinstance(test.right, Literal) for test in plain):
        (subject, *others) = {test.left: None for test in plain}
        if not others:
            return Call("in", (subject, *(test.right for test in plain)))
    return _joined("||", tests)


_NO_SCALAR = object()
_TAGS = {"int": "tag:yaml.org,2002:int", "float": "tag:yaml.org,2002:float", "bool": "tag:yaml.org,2002:bool"}


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


def _read_text(text: str) -> list[str]:
    """A text in parts: wildcards, and what is between them. A backslash before a wildcard or another one escapes it."""
    parts: list[str] = []
    plain = ""
    position = 0
    while position < len(text):
        one = text[position]
        if one == "\\" and text[position + 1 : position + 2] in ("*", "?", "\\"):
            plain += text[position + 1]
            position += 2
            continue
        if one in "*?":
            parts += [plain] * bool(plain) + [ANY if one == "*" else ONE]
            plain = ""
        else:
            plain += one
        position += 1
    return parts + [plain] * bool(plain)


class _Condition:
    """`1 of selection* and not filter`, read from left to right."""

    def __init__(self, node: yaml.Node, detections: Detections) -> None:
        self._node, self._detections = node, detections
        if not isinstance(node, yaml.ScalarNode):
            raise detections.error(node, "a condition is a text", "selection and not filter")
        self._words = re.findall(r"\(|\)|\||[^\s()|]+", str(node.value))
        self._place = 0

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
        return _joined(operator, found)

    def _peek(self) -> str:
        return self._words[self._place].lower() if self._place < len(self._words) else ""

    def _one(self) -> Guard:
        if self._place >= len(self._words):
            raise self._detections.error(self._node, "the condition ends too early", "the name of a search")
        word = self._words[self._place]
        self._place += 1
        if word.lower() == "not":
            return Not(self._one())
        if word == "(":
            found = self._either()
            if self._peek() != ")":
                raise self._detections.error(self._node, "a bracket is not closed", "')'")
            self._place += 1
            return found
        if word.lower() in ("1", "any", "all") and self._peek() == "of":
            return self._some(word.lower() == "all")
        return self._detections.search(word, self._node)

    def _some(self, every: bool) -> Guard:
        self._place += 1
        pattern = self._words[self._place] if self._place < len(self._words) else ""
        self._place += 1
        names = self._detections.names("them" if pattern.lower() == "them" else pattern)
        if not names:
            raise self._detections.error(self._node, f"there is no search '{pattern}'", "'them', or 'selection*'")
        return _joined("&&" if every else "||", [self._detections.search(name, self._node) for name in names])
