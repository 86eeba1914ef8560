"""Requests for notification (000 section 4): documents made into rules, or all that is wrong with them.

A document has the keys of a rule in a rules file, and besides whose it is (`owner`), who is told (`callback`), what it
may hold (`budget`), and which request it is tried out beside (`shadow`). Faults are data: a stable code, the key that
is wrong, and the place in its text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import yaml

from tocsin.algebra.checks import Checker
from tocsin.algebra.rule_warnings import is_bounded, rule_doubts
from tocsin.algebra.rules import Command, Declaration, Define, Enable, Program, Rule, Statement, shown_name
from tocsin.errors import Fault, Place, RuleError, Source, TextError, TocsinError, UsageError, nearest, placed
from tocsin.rules.budgets import Budget, budget_of
from tocsin.rules.definitions import statements_of
from tocsin.rules.documents import KEYS, Reader
from tocsin.rules.programs import rules_program
from tocsin.rules.sigma import read_sigma
from tocsin.runtime.options import Options, completed
from tocsin.service.deliveries.targets import NO_NAMES, Names, Target, read_targets, shown, to_json

SIGMA: Final = "sigma"
OWN_KEYS: Final = ("owner", "callback", "budget", "shadow", "allow_unbounded", "partition")
"""What a request says besides a rule."""
ALL_KEYS: Final = (*KEYS, *OWN_KEYS)
_UNPRINTABLE: Final = re.compile("[^\t\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")


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
        return {name: value for name, value in every.items() if value not in (None, "")}


class RequestRefused(TocsinError):
    """A request that cannot be taken, with everything that is wrong with it."""

    def __init__(self, faults: Iterable[RequestFault], status: int = 422) -> None:
        self.faults, self.status = tuple(faults), status
        super().__init__("; ".join(fault.message for fault in self.faults))


def refusal(code: str, message: str, key: str = "", *, status: int = 422, hint: str = "") -> RequestRefused:
    """A request that cannot be taken, for one reason."""
    return RequestRefused([RequestFault(code, message, key, hint=hint)], status)


@dataclass(frozen=True)
class Request:
    """A request for notification, and the rules that it comes to."""

    id: str
    version: int
    document: Mapping[str, Any]
    owner: str
    created: int
    changed: int
    is_enabled: bool
    statements: tuple[Statement, ...] = field(repr=False)
    budget: Budget | None = None
    targets: tuple[Target, ...] = ()
    """Who is told."""

    @property
    def shown(self) -> dict[str, Any]:
        """Its document, without what is secret in it."""
        told = dict(self.document)
        if self.targets:
            told["callback"] = [shown(each) for each in self.targets]
        return told

    @property
    def name(self) -> str:
        """What people call it: the name of its rule."""
        return str(self.document.get("name") or self.rules[0])

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that it reports."""
        return tuple(rule.name for rule in Program(self.statements).rules if not rule.hidden)

    @property
    def shadows(self) -> str:
        """The request beside which it is tried out; it tells nobody."""
        return str(self.document.get("shadow") or "")


class RequestReader(Reader):
    """One document, whose faults are told by key and by the place in the text under it."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        text = json.dumps(document, ensure_ascii=False)
        super().__init__(_UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", text), "")
        self._keys: dict[int, str] = {}

    def rule_of(self, keys: Mapping[str, Any]) -> tuple[tuple[Statement, ...], list[RequestFault]]:
        """The statements of the rule that a document has, and all faults of its keys; one of the two is empty."""
        root = self.compose("a JSON object")
        assert isinstance(root, yaml.MappingNode)
        root.value = [(key, node) for key, node in root.value if key.value in KEYS]
        self._keys = {id(node): key.value for key, node in root.value}
        faults: list[RequestFault] = []
        while True:
            try:
                written = self._rule(root)
            except TextError as error:
                found = [fault_of(fault) for fault in error.faults]
                faults += found
                wrong = {fault.key for fault in found}
                rest = [(key, node) for key, node in root.value if key.value not in wrong]
                if len(rest) == len(root.value) or wrong & {"", "name", "language", "expression"}:
                    return (), faults
                root.value = rest
            else:
                return (tuple(statements_of([written])) if not faults else ()), faults

    def source_of(self, node: yaml.Node) -> Source:
        return Source(self.string(node), self._keys.get(id(node), ""))

    def fault(self, node: yaml.Node, message: str, expected: str = "", hint: str = "") -> RuleError:
        key = self._keys.get(id(node), "")
        return RuleError(Fault(message, expected=expected, hint=hint, place=Place(key, 1, 1)))


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


class Registry:
    """The requests that stand and the event classes that are declared. It changes only as the log says."""

    def __init__(
        self,
        options: Options = Options(),  # noqa: B008 - frozen
        *,
        allows_unbounded: bool = False,
        names: Names = NO_NAMES,
    ) -> None:
        self.options, self.allows_unbounded = options, allows_unbounded
        self.names = names
        self.requests: dict[str, Request] = {}
        self.declarations: dict[str, Declaration] = {}

    # -- what is known -------------------------------------------------------------------------------------------------

    @property
    def owners(self) -> dict[str, str]:
        """The request that each rule belongs to."""
        return {rule: each.id for each in self.requests.values() for rule in each.rules}

    def program(self) -> Program:
        """The rules that are at work, and those that are tried out beside them."""
        statements: dict[Statement, None] = {}
        for each in self.requests.values():
            if each.is_enabled:
                statements.update(dict.fromkeys(each.statements))
        return Program((*self.declarations.values(), *statements))

    # -- what is asked for ---------------------------------------------------------------------------------------------

    def made(
        self,
        id: str,
        document: Mapping[str, Any],
        owner: str,
        now: int,
        before: Request | None = None,
        *,
        is_trusted: bool = False,
    ) -> Request:
        """The request that a document is, or `RequestRefused` with everything that is wrong with it.

        One that `is_trusted` was looked at among the others when it came.
        """
        faults = list(_document_faults(document))
        statements, found = self._statements(document, faults)
        faults += found
        targets, wrong = read_targets(document.get("callback"), self.names, () if before is None else before.targets)
        faults += [RequestFault(each.code, each.message, each.where, hint=each.hint) for each in wrong]
        budget = None
        if (shadow := document.get("shadow")) and not is_trusted and shadow not in self.requests:
            faults.append(
                RequestFault("shadow-invalid", f"there is no request '{shadow}' to be tried out beside", "shadow")
            )
        if "budget" in document:
            try:
                budget = budget_of(str(document["budget"]))
            except UsageError as error:
                faults.append(RequestFault("budget-invalid", str(error), "budget"))
        if statements and not is_trusted:
            faults += self._checked(statements, document, before)
        if faults:
            raise RequestRefused(dict.fromkeys(faults))
        version, created = (1, now) if before is None else (before.version + 1, before.created)
        enabled = document.get("enabled") is not False
        kept = dict(document)
        if targets:
            kept["callback"] = [to_json(each) for each in targets]
        return Request(id, version, kept, owner, created, now, enabled, statements, budget, targets)

    def _statements(
        self, document: Mapping[str, Any], faults: list[RequestFault]
    ) -> tuple[tuple[Statement, ...], list[RequestFault]]:
        if any(fault.code == "document-invalid" for fault in faults):
            return (), []
        try:
            if document.get("language") == SIGMA:
                return self._of_sigma(document), []
            statements, found = RequestReader(document).rule_of(document)
        except TextError as error:
            return (), [fault_of(fault) for fault in error.faults]
        program = completed(Program(statements), self.options)
        return tuple(each for each in program.statements if isinstance(each, Define)), found

    def _of_sigma(self, document: Mapping[str, Any]) -> tuple[Statement, ...]:
        program = read_sigma(str(document.get("expression", "")), "expression")
        return tuple(each for each in completed(program, self.options).statements if isinstance(each, Define))

    def _checked(
        self, statements: tuple[Statement, ...], document: Mapping[str, Any], before: Request | None
    ) -> Iterator[RequestFault]:
        """What is wrong with the rules among the others."""
        others = {
            rule.name: rule
            for each in self.requests.values()
            if before is None or each.id != before.id
            for rule in Program(each.statements).rules
        }
        mine = Program(statements).rules
        checker = Checker({*others, *(rule.name for rule in mine)}, dict(self.declarations), others)
        found: list[Fault] = []
        for statement in statements:
            assert isinstance(statement, Define)
            rule = statement.rule
            if rule.hidden and rule.name in others:
                continue  # the same definition in another request is the same rule
            if rule.name in others:
                yield RequestFault("name-taken", f"there is a rule '{shown_name(rule.name)}' already", "name")
                continue
            checker.visit(statement, found.append)
        yield from (fault_of(placed(fault)) for fault in found)
        if not (self.allows_unbounded or document.get("allow_unbounded") is True):
            for rule in mine:
                if not is_bounded(rule):
                    message = (
                        f"rule '{shown_name(rule.name)}' may hold more and more: nothing says how long it looks back"
                    )
                    hint = "give it a 'window', or a 'within' in its expression; or say allow_unbounded: true"
                    yield RequestFault("rule-unbounded", message, "window", hint=hint)

    def doubts(self, request: Request) -> list[RequestFault]:
        """What is doubtful about a request, although it can be run."""
        return [fault_of(placed(doubt)) for rule in Program(request.statements).rules for doubt in rule_doubts(rule)]

    # -- what the log says ---------------------------------------------------------------------------------------------

    def put(self, request: Request) -> None:
        """A request stands from now on, in place of the one of the same id."""
        self.requests[request.id] = request

    def remove(self, id: str) -> None:
        """A request stands no more."""
        self.requests.pop(id, None)

    def declare(self, declaration: Declaration) -> None:
        """Events of a class have to be as it says."""
        self.declarations[declaration.name] = declaration

    def undeclare(self, name: str) -> None:
        """Events of a class may be anything again."""
        self.declarations.pop(name, None)

    def copy(self) -> Registry:
        """The same, to be changed by itself."""
        made = Registry(self.options, allows_unbounded=self.allows_unbounded)
        made.requests, made.declarations = dict(self.requests), dict(self.declarations)
        return made


def enabled_program(program: Program) -> Program:
    """Definitions with everything enabled, as the runtime takes them."""
    declared = tuple(each for each in program.statements if isinstance(each, Declaration))
    return Program((*declared, *rules_program(program.rules).statements))


def _document_faults(document: Mapping[str, Any]) -> Iterator[RequestFault]:
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
    for key in ("owner", "shadow", "budget", "partition"):
        if not isinstance(document.get(key, ""), str):
            yield RequestFault("document-invalid", f"'{key}' is a text", key, expected="a text")


__all__ = ["Command", "Enable", "Registry", "Request", "RequestFault", "RequestRefused", "Rule", "refusal"]
