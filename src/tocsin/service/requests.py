"""Requests for notification (000 section 4): documents made into rules, or all that is wrong with them.

A document has the keys of a rule in a rules file, and besides whose it is (`owner`), who is told (`callback`), what it
may hold (`budget`), and which request it is tried out beside (`shadow`). `request_documents` reads one by itself; here
it is looked at among the others.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from tocsin.algebra.checks import Checker
from tocsin.algebra.links import mentioned
from tocsin.algebra.patterns import At, AtInstant, Every, walk
from tocsin.algebra.rule_warnings import is_bounded, rule_doubts
from tocsin.algebra.rules import BEST_EFFORT, Declaration, Define, Program, Rule, Statement, shown_name
from tocsin.errors import Fault, TextError, UsageError, placed
from tocsin.rules.budgets import Budget, budget_of
from tocsin.rules.documents import KEYS
from tocsin.rules.programs import rules_program
from tocsin.rules.sigma import read_sigma
from tocsin.runtime.options import Options, completed
from tocsin.runtime.runtime import Runtime
from tocsin.service.deliveries.targets import NO_NAMES, Names, Target, of_json, read_targets, shown, to_json
from tocsin.service.request_documents import (
    SIGMA,
    RequestFault,
    RequestReader,
    RequestRefused,
    document_faults,
    fault_of,
    refusal,
    shortened,
)


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
    failure: str = ""
    """Why it does not run although it is enabled."""

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
        return str(self.document.get("name") or "".join(self.rules[:1]) or self.id)

    @cached_property
    def definitions(self) -> tuple[Rule, ...]:
        """Its rules, with those that only feed them."""
        return Program(self.statements).rules

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that it reports."""
        return tuple(rule.name for rule in self.definitions if not rule.hidden)

    @property
    def shadows(self) -> str:
        """The request beside which it is tried out; it tells nobody."""
        return str(self.document.get("shadow") or "")

    @property
    def is_at_work(self) -> bool:
        """Whether its rules see what comes. What those of a shadow find is told to nobody."""
        return self.is_enabled and not self.failure

    def stirs(self, options: Options) -> bool:
        """Whether some rule does something when nothing comes: it rings by itself, or holds back what came."""
        return any(
            (rule.order or options.order) != BEST_EFFORT
            or any(isinstance(part, At | AtInstant | Every) for part in walk(rule.pattern))
            for rule in self.definitions
        )


class Registry:
    """The requests that stand and the event classes that are declared. It changes only as the log says.

    What is asked of every new request is known by name, so that it costs the same however many there are.
    """

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
        self.owned: Counter[str] = Counter()
        """How many requests each owner has."""
        self._rules: dict[str, dict[str, Rule]] = {}
        """By name: the rule of that name in each request that has it; only hidden ones are in several."""
        self._names: set[str] = set()
        self._mentions: dict[str, dict[str, None]] = {}
        """By name: the requests whose rules take events of that type, or composites of that rule."""

    # -- what is known -------------------------------------------------------------------------------------------------

    @property
    def owners(self) -> dict[str, str]:
        """The request that each rule belongs to."""
        return {rule: each.id for each in self.requests.values() for rule in each.rules}

    def program(self) -> Program:
        """The rules that are at work, and those that are tried out beside them."""
        statements: dict[int, Statement] = {}
        hidden: dict[str, None] = {}
        for each in self.requests.values():
            if each.is_at_work:
                for statement in each.statements:
                    assert isinstance(statement, Define)
                    name = statement.rule.name
                    if statement.rule.hidden and name in hidden:
                        continue  # the same definition in several requests is one rule
                    hidden[name] = None
                    statements[id(statement)] = statement
        return Program((*self.declarations.values(), *statements.values()))

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
        faults = list(document_faults(document))
        statements, found = self._statements(document, faults)
        faults += found
        targets, wrong = self._targets(document, before, is_trusted=is_trusted)
        faults += wrong
        budget = None
        shadow = document.get("shadow")
        if isinstance(shadow, str) and shadow and not is_trusted and shadow not in self.requests:
            faults.append(
                RequestFault("shadow-invalid", f"there is no request '{shadow}' to be tried out beside", "shadow")
            )
        if isinstance(document.get("budget", ""), str) and "budget" in document:
            try:
                budget = budget_of(document["budget"])
            except UsageError as error:
                faults.append(RequestFault("budget-invalid", str(error), "budget"))
        if statements and not is_trusted:
            faults += self._checked(statements, document, before)
        elif not statements and self._is_taken(name := document.get("name"), before):
            faults.append(_taken(name))
        if statements and not faults and not is_trusted:
            faults += self._tried(statements)
        if faults:
            raise RequestRefused(dict.fromkeys(faults))
        version, created = (1, now) if before is None else (before.version + 1, before.created)
        enabled = document.get("enabled") is not False
        kept = dict(document)
        if targets:
            kept["callback"] = [to_json(each) for each in targets]
        return Request(id, version, kept, owner, created, now, enabled, statements, budget, targets)

    def _targets(
        self, document: Mapping[str, Any], before: Request | None, *, is_trusted: bool
    ) -> tuple[tuple[Target, ...], list[RequestFault]]:
        """Who is told, and what is wrong with it; the log has them as they are kept."""
        given = document.get("callback")
        if is_trusted:
            return tuple(map(of_json, given or ())), []
        targets, wrong = read_targets(given, self.names, () if before is None else before.targets)
        return targets, [RequestFault(each.code, each.message, each.where, hint=each.hint) for each in wrong]

    def _statements(
        self, document: Mapping[str, Any], faults: list[RequestFault]
    ) -> tuple[tuple[Statement, ...], list[RequestFault]]:
        wrong = {fault.key for fault in faults if fault.code == "document-invalid"}
        try:
            if document.get("language") == SIGMA:
                return (() if wrong else self._of_sigma(document)), []
            said = {key: document[key] for key in KEYS if key in document}
            statements, found = _read(json.dumps(said), frozenset(wrong))
        except TextError as error:
            return (), [fault_of(fault) for fault in error.faults]
        except RecursionError:
            return (), [RequestFault("expression-too-deep", "this nests too deeply", "expression")]
        program = completed(Program(statements), self.options)
        return tuple(each for each in program.statements if isinstance(each, Define)), list(found)

    def _of_sigma(self, document: Mapping[str, Any]) -> tuple[Statement, ...]:
        program = read_sigma(str(document.get("expression", "")), "expression")
        return tuple(each for each in completed(program, self.options).statements if isinstance(each, Define))

    def _is_taken(self, name: object, before: Request | None) -> bool:
        holders = self._rules.get(name, {}) if isinstance(name, str) else {}
        return any(before is None or holder != before.id for holder in holders)

    def _checked(
        self, statements: tuple[Statement, ...], document: Mapping[str, Any], before: Request | None
    ) -> Iterator[RequestFault]:
        """What is wrong with the rules among the others."""
        mine = Program(statements).rules
        new = {rule.name for rule in mine} - self._names
        self._names |= new
        checker = Checker(self._names, dict(self.declarations))
        found: list[Fault] = []
        try:
            for statement in statements:
                assert isinstance(statement, Define)
                rule = statement.rule
                if not self._is_taken(rule.name, before):
                    checker.visit(statement, found.append)
                elif not rule.hidden:  # the same definition in another request is the same rule
                    yield _taken(rule.name)
        finally:
            self._names -= new
        yield from (fault_of(placed(fault)) for fault in found)
        if not (self.allows_unbounded or document.get("allow_unbounded") is True):
            for rule in mine:
                if not is_bounded(rule):
                    yield _unbounded(rule)

    def _tried(self, statements: tuple[Statement, ...]) -> Iterator[RequestFault]:
        """What the runtime says to the rules beside those that they have to do with."""
        try:
            trial = Runtime(rules_program(self.beside(Program(statements).rules)), self.options)
            trial.begin(0)
            trial.next_due()
        except Exception as error:  # noqa: BLE001 - whatever it is, the rules at work must never meet it
            reason = str(error) or type(error).__name__
            yield RequestFault("rule-impossible", f"this cannot be run: {reason}", "expression")

    def beside(self, mine: tuple[Rule, ...]) -> list[Rule]:
        """Rules, with those that feed them and those that they feed, near and far."""
        found = {rule.name: rule for rule in mine}
        ahead = list(mine)
        while ahead and len(found) < MOST_TRIED:
            rule = ahead.pop()
            near = [each for name in mentioned(rule) for each in self._rules.get(name, {}).values()]
            users = [self.requests[id] for id in self._mentions.get(rule.name, ())]
            near += [each for user in users for each in user.definitions if rule.name in mentioned(each)]
            for each in near:
                if each.name not in found:
                    found[each.name] = each
                    ahead.append(each)
        return list(found.values())

    def holders(self, name: str) -> list[Request]:
        """The requests that have a rule of this name; several have a hidden one."""
        return [self.requests[id] for id in self._rules.get(name, ())]

    def doubts(self, request: Request) -> list[RequestFault]:
        """What is doubtful about a request, although it can be run."""
        return [fault_of(placed(doubt)) for rule in request.definitions for doubt in rule_doubts(rule)]

    # -- what the log says ---------------------------------------------------------------------------------------------

    def put(self, request: Request) -> None:
        """A request stands from now on, in place of the one of the same id."""
        before = self.requests.get(request.id)
        if before is not None:
            self._forget(before)
        self.requests[request.id] = request
        self.owned[request.owner] += 1
        for rule in request.definitions:
            self._rules.setdefault(rule.name, {})[request.id] = rule
            self._names.add(rule.name)
            for name in mentioned(rule):
                self._mentions.setdefault(name, {})[request.id] = None

    def remove(self, id: str) -> None:
        """A request stands no more."""
        if id in self.requests:
            self._forget(self.requests.pop(id))

    def _forget(self, request: Request) -> None:
        self.owned[request.owner] -= 1
        for rule in request.definitions:
            self._rules.get(rule.name, {}).pop(request.id, None)
            if not self._rules.get(rule.name):
                self._rules.pop(rule.name, None)
                self._names.discard(rule.name)
            for name in mentioned(rule):
                self._mentions.get(name, {}).pop(request.id, None)
                if not self._mentions.get(name):
                    self._mentions.pop(name, None)


MOST_TRIED = 200
"""Rules that are tried out together with a new one, at most: of long chains of rules the near ones."""


@lru_cache(maxsize=1000)
def _read(text: str, wrong: frozenset[str]) -> tuple[tuple[Statement, ...], tuple[RequestFault, ...]]:
    """What a document says, as JSON: the same one is often read again, when it is switched and when the log is read."""
    statements, faults = RequestReader(json.loads(text)).rule_of(wrong)
    return statements, tuple(faults)


def _taken(name: object) -> RequestFault:
    return RequestFault("name-taken", f"there is a rule '{shown_name(str(name))}' already", "name")


def _unbounded(rule: Rule) -> RequestFault:
    message = f"rule '{shown_name(rule.name)}' may hold more and more: nothing says how long it looks back"
    hint = "give it a 'window', or a 'within' in its expression; or say allow_unbounded: true"
    return RequestFault("rule-unbounded", message, "window", hint=hint)


def enabled_program(program: Program) -> Program:
    """Definitions with everything enabled, as the runtime takes them."""
    declared = tuple(each for each in program.statements if isinstance(each, Declaration))
    return Program((*declared, *rules_program(program.rules).statements))


__all__ = [
    "SIGMA",
    "Registry",
    "Request",
    "RequestFault",
    "RequestRefused",
    "enabled_program",
    "fault_of",
    "refusal",
    "shortened",
]
