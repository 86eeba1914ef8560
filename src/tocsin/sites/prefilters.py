"""What filters do beside passing events on: attributes that stay where events are born, conditions on them that are
tested there (002 section 5: parameters by reference), and no more events than a detector can bear (001 section 5).

    prefiltered(deployment, {"A": {"photo": ["image"]}}, {"motion": (1, 60_000_000)})

An attribute that stays is left out of what travels; whoever has the event asks the birthplace for it by the event's
source and id. A comparison that reads it and speaks of that one event alone is tested at the birthplace, and what
travels is the verdict: so every rule finds what it would have found. An attribute that a rule needs in another way (to
compare it with another event's, to report it) travels, and the reason is said.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple, TypeAlias

from tocsin.algebra.codec import content_hash, to_record
from tocsin.algebra.guards import (
    COMPARISONS,
    NAMING,
    Attribute,
    Binary,
    Call,
    Guard,
    Literal,
    Negative,
    Not,
    Now,
    Self,
    variables_of,
    walk,
)
from tocsin.algebra.names import repeated
from tocsin.algebra.patterns import Absence, Named, Pattern, Primitive, Where, rebuild
from tocsin.algebra.patterns import walk as parts_of
from tocsin.algebra.rules import Command, Define, Enable, Forward, Program, Rule
from tocsin.algebra.values import Surroundings, evaluate
from tocsin.errors import UsageError
from tocsin.rules.options import window_of
from tocsin.rules.programs import each_rule
from tocsin.sites.births import ANY
from tocsin.sites.deployment import Deployment, Placed
from tocsin.sites.parts import EMPTY, TOLD, Part, Role
from tocsin.sites.sieves import IT, VERDICT

Staying: TypeAlias = Mapping[str, Mapping[str, Iterable[str]]]
"""By site and type: the attributes that are to stay there."""
Limits: TypeAlias = Mapping[str, tuple[int, int]]
"""By type: so many events of a source in so many microseconds."""

_DIGITS: Final = 12
_LIMIT: Final = re.compile(r"\s*(?P<type>[^=\s]+)\s*=\s*(?P<most>\d+)\s*/\s*(?P<period>.+)")


class Prefiltered(NamedTuple):
    """A deployment whose filters do more, and what should be known about it."""

    deployment: Deployment
    remarks: tuple[str, ...]


def limit_of(text: str) -> tuple[str, tuple[int, int]]:
    """`motion=1/1 min`: one event of type motion from each source in a minute, and no more."""
    found = _LIMIT.fullmatch(text)
    if found is None or int(found["most"]) < 1:
        raise UsageError(f"{text!r} is no limit: TYPE=COUNT/SPAN, as in 'motion=1/1 min'")
    period = window_of(found["period"]).length()
    if period <= 0:
        raise UsageError(f"{text!r} is no limit: its span is empty")
    return found["type"], (int(found["most"]), period)


def staying_of(text: str) -> tuple[str, tuple[str, ...]]:
    """`photo=image,raw`: these attributes of events of type photo stay where they are born."""
    kind, _, names = text.partition("=")
    found = tuple(name.strip() for name in names.split(",") if name.strip())
    if not kind.strip() or not found:
        raise UsageError(f"{text!r} does not say what stays: TYPE=ATTRIBUTE,..., as in 'photo=image,raw'")
    return kind.strip(), found


def prefiltered(deployment: Deployment, staying: Staying, limits: Limits | None = None) -> Prefiltered:
    """The same deployment with what stays left at the birthplaces, and limits at the filters."""
    filters = [each.part for each in deployment.placed if each.part.role is Role.FILTER]
    wanted: dict[str, set[str]] = {}
    for part in filters:
        for name in staying.get(part.birthplace, {}).get(part.type, ()):
            wanted.setdefault(part.type, set()).add(name)
    remarks: list[str] = []
    whole = [each.part.program for each in deployment.placed if each.part.role is not Role.FILTER]
    if any(part.type == ANY for part in filters) and any(staying.values()):
        remarks.append("a rule takes events of any type: all attributes travel")
        wanted = {}
    stays, reasons = _stays(whole, wanted)
    return Prefiltered(_Rewriting(stays, staying, limits or {}).rewritten(deployment), tuple(remarks + reasons))


def _stays(programs: list[Program], wanted: Mapping[str, set[str]]) -> tuple[dict[str, frozenset[str]], list[str]]:
    """What can stay: what no rule reads when the conditions on it are tested where the event is born."""
    all_of_it = {kind: frozenset(names) for kind, names in wanted.items()}
    reasons: list[str] = []
    readers: dict[str, str] = {}
    for program in programs:
        for rule in program.rules:
            left = Verdicts(all_of_it, program).taken_out(rule)
            for name in _read(left, {name for names in wanted.values() for name in names}):
                readers.setdefault(name, rule.name)
    for kind, names in sorted(wanted.items()):
        reasons += [
            f"attribute '{name}' of '{kind}' travels: rule '{readers[name]}' needs it where it runs"
            for name in sorted(names & readers.keys())
        ]
    found = {kind: names - readers.keys() for kind, names in all_of_it.items()}
    return {kind: names for kind, names in found.items() if names}, reasons


def _read(rule: Rule, names: set[str]) -> set[str]:
    """Those of some attributes that a rule reads, or may read: where its record names them, nested ones too."""
    if any(isinstance(action, Forward) for action in rule.actions):
        return set(names)
    texts = list(_texts(to_record(rule)))
    heads = {re.split(r"[.\[]", text, maxsplit=1)[0] for text in texts} | {text.rpartition(".")[2] for text in texts}
    filled = "".join(text for text in texts if "{" in text)
    return {name for name in names if name in heads or name in filled}


def _texts(record: Any) -> Iterator[str]:
    if isinstance(record, str):
        yield record
    elif isinstance(record, Mapping):
        for value in record.values():
            yield from _texts(value)
    elif isinstance(record, list | tuple):
        for value in record:
            yield from _texts(value)


@dataclass
class Verdicts:
    """The comparisons of a program's rules that are tested where events are born. `stays`: what stays, by type."""

    stays: Mapping[str, frozenset[str]]
    program: Program
    found: dict[str, dict[str, Guard]] = field(default_factory=dict)
    """By type: the comparisons, of an event called `IT`, by the names of their verdicts."""

    def taken_out(self, rule: Rule) -> Rule:
        """The rule with verdicts where such comparisons stood."""
        if rule.strict or self.program.declarations:
            return rule  # what it may read is declared
        made = {each.name for each in self.program.rules}
        types: dict[str, set[str | None]] = {}
        for part in parts_of(rule.pattern):
            if isinstance(part, Named):
                kind = part.pattern.type if isinstance(part.pattern, Primitive) else None
                types.setdefault(part.name, set()).add(kind)
        several = repeated(rule.pattern)
        single = {
            name: kind
            for name, kinds in types.items()
            if name not in several and len(kinds) == 1 and (kind := next(iter(kinds))) is not None
        }
        single = {name: kind for name, kind in single.items() if kind in self.stays and kind not in made}
        if not single:
            return rule

        def visit(part: Pattern) -> Pattern:
            part = rebuild(part, visit)
            if isinstance(part, Where | Absence) and part.guard is not None:
                return replace(part, guard=self._tested(part.guard, single))
            return part

        condition = None if rule.condition is None else self._tested(rule.condition, single)
        return replace(rule, pattern=visit(rule.pattern), condition=condition)

    def _tested(self, guard: Guard, single: Mapping[str, str]) -> Guard:
        """A guard where it counts whether it is true, with verdicts in it."""
        match guard:
            case Binary(operator="&&" | "||"):
                left, right = self._tested(guard.left, single), self._tested(guard.right, single)
                return replace(guard, left=left, right=right)
            case Not():
                return replace(guard, operand=self._tested(guard.operand, single))
        variable = self._of_one(guard, single)
        if variable is None:
            return guard
        kind = single[variable]
        alone = _renamed(guard, variable)
        name = VERDICT + content_hash(alone)[:_DIGITS]
        self.found.setdefault(kind, {})[name] = alone
        return Binary("==", Attribute(variable, name), Literal(True))

    def _of_one(self, guard: Guard, single: Mapping[str, str]) -> str | None:
        """The variable that a comparison speaks of, if that is one event and nothing else, and it reads what stays."""
        variables = variables_of(guard)
        if len(variables) != 1 or not isinstance(guard, Call | Attribute | Binary):
            return None
        if isinstance(guard, Binary) and guard.operator not in COMPARISONS:
            return None
        variable = next(iter(variables))
        kind = single.get(variable)
        if kind is None:
            return None
        for part in walk(guard):
            if isinstance(part, Now | Self) or (isinstance(part, NAMING) and not isinstance(part, Attribute)):
                return None
        heads = {re.split(r"[.\[]", part.name, maxsplit=1)[0] for part in walk(guard) if isinstance(part, Attribute)}
        if heads.isdisjoint(self.stays[kind]):
            return None
        # Where the variable is not bound the verdict is missing, and so is not true.
        return None if evaluate(guard, {}, Surroundings()) is True else variable


def _renamed(guard: Guard, variable: str) -> Guard:
    match guard:
        case Attribute(variable=name) if name == variable:
            return Attribute(IT, guard.name)
        case Binary():
            return Binary(guard.operator, _renamed(guard.left, variable), _renamed(guard.right, variable))
        case Call():
            return Call(guard.function, tuple(_renamed(each, variable) for each in guard.arguments))
        case Not():
            return Not(_renamed(guard.operand, variable))
        case Negative():
            return Negative(_renamed(guard.operand, variable))
    return replace(guard, span=None)


@dataclass
class _Rewriting:
    """Parts under new names, since they do something else."""

    stays: Mapping[str, frozenset[str]]
    staying: Staying
    limits: Limits

    def rewritten(self, deployment: Deployment) -> Deployment:
        verdicts: dict[str, dict[str, Guard]] = {}
        programs: dict[str, Program] = {}
        for part, _ in deployment.placed:
            if part.role is not Role.FILTER:
                taking = Verdicts(self.stays, part.program)
                programs[part.key] = each_rule(part.program, taking.taken_out)
                for kind, tests in taking.found.items():
                    verdicts.setdefault(kind, {}).update(tests)
        names: dict[str, str] = {}
        placed: list[Placed] = []
        for part, site in deployment.placed:
            if part.role is Role.FILTER:
                new = self._filter(part, verdicts.get(part.type, {}))
            else:
                inputs = tuple(names.get(stream, stream) for stream in part.inputs)
                new = part
                if inputs != part.inputs or programs[part.key] != part.program:
                    new = replace(part, program=programs[part.key], inputs=inputs, key="")
            names[part.key] = new.key
            placed.append(Placed(new, site))
        told = {rule: names[stream.removesuffix(TOLD)] + TOLD for rule, stream in deployment.told.items()}
        parts = {old.part.key: new.part for old, new in zip(deployment.placed, placed, strict=True)}
        replicas = tuple(Placed(parts[part.key], site) for part, site in deployment.replicas)
        return replace(deployment, placed=tuple(placed), told=told, replicas=replicas)

    def _filter(self, part: Part, tests: Mapping[str, Guard]) -> Part:
        at_home = frozenset(self.staying.get(part.birthplace, {}).get(part.type, ()))
        staying = tuple(sorted(self.stays.get(part.type, frozenset()) & at_home))
        limit = self.limits.get(part.type, part.limit)
        if not staying and not tests and limit == part.limit:
            return part
        program = Program((*part.program.statements, *verdict_program(part.type, tests).statements))
        return replace(part, program=program, staying=staying, limit=limit, key="")


def verdict_program(kind: str, tests: Mapping[str, Guard]) -> Program:
    """Comparisons of events of a type as rules, by the names of their verdicts."""
    if not tests:
        return EMPTY
    rules = [Rule(name, Where(Named(IT, Primitive(kind)), guard)) for name, guard in sorted(tests.items())]
    return Program(tuple(each for rule in rules for each in (Define(rule), Command(Enable(rule.name)))))


def staying_said(said: Mapping[str, Mapping[str, Any]]) -> Staying:
    """What stays where, as the sites say themselves."""
    return {site: one["staying"] for site, one in said.items() if one.get("staying")}


def shown_limits(limits: Limits) -> str:
    """Limits as they are written down."""
    return json.dumps({kind: list(limit) for kind, limit in sorted(limits.items())})
