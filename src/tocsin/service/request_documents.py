"""Documents of requests read: the rule that stands in one, or all that is wrong with its keys, as data.

A fault has a stable code, the key that is wrong, and the place in the text under it. One wrong key hides no other: it
is told, and the rest is read as if it were right.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import yaml

from tocsin.algebra.rules import Statement
from tocsin.errors import Fault, Place, RuleError, Source, TextError, TocsinError, nearest, placed
from tocsin.rules.definitions import statements_of
from tocsin.rules.documents import KEYS, REQUIRED, Reader

SIGMA: Final = "sigma"
OWN_KEYS: Final = ("owner", "callback", "budget", "shadow", "allow_unbounded")
"""What a request says besides a rule."""
ALL_KEYS: Final = (*KEYS, *OWN_KEYS)
_STAND_INS: Final = {"name": "a", "language": "pretty", "expression": "a"}
_EXPRESSIONS: Final = {"core": "[a]", "python": "tc.event('a')"}
"""What stands in for a wrong expression, where that is not `a`."""
LONGEST_TOLD: Final = 1_000
"""Characters of a message."""
_BY_LANGUAGE: Final = ("expression", "condition", "notify", "select", "suppress", "run")
"""What cannot be read as long as it is not known in which language it is."""


def shortened(text: str) -> str:
    """A text that is told: what somebody sent is not repeated at length."""
    return text if len(text) <= LONGEST_TOLD else f"{text[: LONGEST_TOLD - 200]} ... {text[-100:]}"


@dataclass(frozen=True)
class RequestFault:
    """One thing that is wrong with a request."""

    code: str
    message: str
    key: str = ""
    line: int | None = None
    column: int | None = None
    end: int | None = None
    """The column behind what is wrong."""
    expected: str = ""
    hint: str = ""

    def record(self) -> dict[str, Any]:
        """As JSON values; what is not known is left out."""
        every = {name: getattr(self, name) for name in self.__slots__} if hasattr(self, "__slots__") else vars(self)
        return {
            name: shortened(value) if isinstance(value, str) else value
            for name, value in every.items()
            if value not in (None, "")
        }


class RequestRefused(TocsinError):
    """A request that cannot be taken, with everything that is wrong with it."""

    def __init__(self, faults: Iterable[RequestFault], status: int = 422) -> None:
        self.faults, self.status = tuple(faults), status
        super().__init__("; ".join(fault.message for fault in self.faults))


def refusal(code: str, message: str, key: str = "", *, status: int = 422, hint: str = "") -> RequestRefused:
    """A request that cannot be taken, for one reason."""
    return RequestRefused([RequestFault(code, message, key, hint=hint)], status)


class RequestReader(Reader):
    """One document, whose faults are told by key and by the place in the text under it."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        super().__init__("", "")
        self._root = {key: _node(document[key]) for key in KEYS if document.get(key) is not None}
        self._keys = {id(part): name for name, node in self._root.items() for part in _parts(node)}

    def rule_of(self, known_wrong: Iterable[str] = ()) -> tuple[tuple[Statement, ...], list[RequestFault]]:
        """The statements of the rule that a document has, and all faults of its keys; one of the two is empty.

        What is `known_wrong` already is not told again.
        """
        fields = dict(self._root)
        faults: list[RequestFault] = []
        wrong = {*known_wrong, *(name for name in REQUIRED if name not in fields)}
        while True:
            self._stand_in(fields, wrong)
            try:
                written = self._rule(_mapping(fields))
            except TextError as error:
                found = [fault_of(fault) for fault in error.faults]
                faults += found
                told = {fault.key for fault in found} & fields.keys()
                if not told or told <= wrong:  # no key can be left out for it
                    return (), faults
                wrong |= told
            else:
                is_right = not wrong and not faults
                return (tuple(statements_of([written])) if is_right else ()), faults

    def _stand_in(self, fields: dict[str, yaml.Node], wrong: set[str]) -> None:
        """Puts something right in the place of what is wrong, or nothing where that will do."""
        if "language" in wrong:
            wrong.update(_BY_LANGUAGE)
        for name in wrong:
            fields.pop(name, None)
        language = fields["language"].value if "language" in fields else _STAND_INS["language"]
        for name in wrong.intersection(REQUIRED):
            text = _STAND_INS[name] if name != "expression" else _EXPRESSIONS.get(language, _STAND_INS[name])
            fields[name] = _node(text)
            self._keys[id(fields[name])] = name

    def source_of(self, node: yaml.Node) -> Source:
        return Source(self.string(node), self._keys.get(id(node), ""))

    def fault(self, node: yaml.Node, message: str, expected: str = "", hint: str = "") -> RuleError:
        key = self._keys.get(id(node), "")
        return RuleError(Fault(message, expected=expected, hint=hint, place=Place(key, 1, 1)))


_NOWHERE: Final = yaml.Mark("", 0, 0, 0, None, 0)


def _node(value: object) -> yaml.Node:
    """A JSON value as a rules file would have it."""
    if isinstance(value, Mapping):
        return _mapping({str(key): _node(each) for key, each in value.items()})
    if isinstance(value, list | tuple):
        return yaml.SequenceNode("tag:yaml.org,2002:seq", [_node(each) for each in value], _NOWHERE, _NOWHERE)
    kind = "null" if value is None else "str"
    text = value if isinstance(value, str) else json.dumps(value)
    return yaml.ScalarNode(f"tag:yaml.org,2002:{kind}", text, _NOWHERE, _NOWHERE)


def _mapping(fields: Mapping[str, yaml.Node]) -> yaml.MappingNode:
    return yaml.MappingNode(
        "tag:yaml.org,2002:map", [(_node(key), node) for key, node in fields.items()], _NOWHERE, _NOWHERE
    )


def _parts(node: yaml.Node) -> Iterator[yaml.Node]:
    """A value and all that is in it."""
    yield node
    if isinstance(node, yaml.CollectionNode):
        for part in node.value:
            for each in part if isinstance(part, tuple) else (part,):
                yield from _parts(each)


def fault_of(fault: Fault) -> RequestFault:
    """A fault of a rule as one of a request: the file that it stands in is the key."""
    place = placed(fault).place
    if place is None:
        return RequestFault("rule-invalid", fault.message, "", expected=fault.expected, hint=fault.hint)
    key = place.file if place.file in ALL_KEYS else ""
    code = f"{key}-invalid" if key else "rule-invalid"
    if not place.source_line:
        return RequestFault(code, fault.message, key, expected=fault.expected, hint=fault.hint)
    end = place.column + place.width
    return RequestFault(code, fault.message, key, place.line, place.column, end, fault.expected, fault.hint)


def faults_of(error: TocsinError) -> list[dict[str, Any]]:
    """What is wrong with a question, as data."""
    if isinstance(error, RequestRefused):
        return [fault.record() for fault in error.faults]
    if isinstance(error, TextError):
        return [fault_of(fault).record() for fault in error.faults]
    return [{"code": "question-invalid", "message": str(error)}]


def document_faults(document: Mapping[str, Any]) -> Iterator[RequestFault]:
    """What is wrong with a document before anything in it is read as a language."""
    for key in document:
        if key not in ALL_KEYS:
            yield RequestFault("key-unknown", f"there is no key '{key}'", key, hint=nearest(key, ALL_KEYS))
    for key in ("name", "language", "expression"):
        if key == "name" and document.get("language") == SIGMA:
            continue
        value = document.get(key)
        if value is None or value == "":
            yield RequestFault("document-invalid", f"a request says its {key}", key, expected=f"{key}: a text")
        elif not isinstance(value, str):
            yield RequestFault("document-invalid", f"'{key}' is a text", key, expected="a text")
    for key in ("allow_unbounded", "enabled"):
        if not isinstance(document.get(key, True), bool):
            yield RequestFault("document-invalid", f"'{key}' is true or false", key, expected="true or false")
    for key in ("owner", "shadow", "budget"):
        if not isinstance(document.get(key, ""), str):
            yield RequestFault("document-invalid", f"'{key}' is a text", key, expected="a text")
