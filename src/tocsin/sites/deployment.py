"""Which part runs at which site, and what it takes from where.

A rule runs whole, over the events that it hears; parts that were cut off it (`planner.cuts`) run near the sources and
pass on what it needs of their types. Cuts of one rule are apart or nested: what is cut off a part comes to it first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeAlias

from tocsin.algebra.detectors import types_seen
from tocsin.algebra.links import mentioned
from tocsin.algebra.patterns import AnyEvent, Automaton, walk
from tocsin.algebra.rules import ALL_RULES, Command, Enable, Program, Rule, Statement
from tocsin.errors import UsageError
from tocsin.planner.cuts import Cut
from tocsin.rules.programs import each_rule, only_rules, without_rules
from tocsin.sites.births import ANY
from tocsin.sites.outboxes import REQUESTS
from tocsin.sites.parts import TOLD, Part, Role, part_record
from tocsin.sites.site import Site

Directory: TypeAlias = Mapping[str, Mapping[str, Iterable[str] | None]]
"""The sources at each site, each with the types that it makes, or None where anything may come from it."""
Chosen: TypeAlias = Mapping[str, Sequence[Cut]]
"""By the name of a rule: what is cut off it."""
NONE: Chosen = {}


class Placed(NamedTuple):
    """A part and the site where it runs."""

    part: Part
    site: str


@dataclass(frozen=True)
class Deployment:
    """Parts at sites, and the streams that the sink is told of, by rule."""

    sink: str
    placed: tuple[Placed, ...]
    told: Mapping[str, str]
    way: str = REQUESTS
    replicas: tuple[Placed, ...] = ()
    """Where parts run besides: each gives out the same, number by number."""

    def site_of(self, stream: str) -> str:
        """Where a stream is given out."""
        key = stream.removesuffix(TOLD)
        return next(each.site for each in self.placed if each.part.key == key)


def deployed(
    program: Program,
    directory: Directory,
    sink: str,
    *,
    chosen: Chosen = NONE,
    site_of: Callable[[Part], str] | None = None,
    way: str = REQUESTS,
    granularity: int | None = None,
) -> Deployment:
    """Every rule with what was chosen to be cut off it; what it hears comes from the sites where it is born.

    `site_of` says where a join or a rule runs; without it that is the sink.
    """
    return Deployer(program, directory, sink, way, granularity, chosen, site_of).deployment()


class Deployer:
    """Works out a deployment."""

    def __init__(
        self,
        program: Program,
        directory: Directory,
        sink: str,
        way: str = REQUESTS,
        granularity: int | None = None,
        chosen: Chosen = NONE,
        site_of: Callable[[Part], str] | None = None,
    ) -> None:
        self._program, self._directory, self._sink = program, directory, sink
        self._way, self._granularity = way, granularity
        self._chosen, self._site_of = chosen, site_of
        self._placed: dict[str, Placed] = {}

    def deployment(self) -> Deployment:
        """All of it: the parts that others take come first."""
        told: dict[str, str] = {}
        for rule in self._program.rules:
            if not rule.hidden:
                told[rule.name] = self._rule(rule).key + TOLD
        return Deployment(self._sink, tuple(self._placed.values()), told, self._way)

    def _rule(self, rule: Rule) -> Part:
        """A rule as it is, with the rules that feed it, over what was cut off it."""
        program = only_rules(self._program, {rule.name})
        cuts = in_order(rule.name, self._chosen.get(rule.name, ()))
        joins: dict[frozenset[str], Part] = {}
        for place, cut in enumerate(cuts):
            inside = [each.makes for each in cuts[:place] if each.makes and each.types < cut.types]
            joins[cut.types] = self._put(self._cut_off(cut, self._inputs(cut.types, joins), inside))
        inputs = self._inputs(heard_types(program), joins)
        told = _fed_from_elsewhere(_telling(program, rule), [cut.makes for cut in cuts if cut.makes])
        return self._put(Part(Role.RULE, told, inputs=tuple(inputs), granularity=self._granularity))

    def _cut_off(self, cut: Cut, inputs: list[str], inside: list[str]) -> Part:
        """The part that a cut makes. `inside`: rules that feed it from elsewhere themselves."""
        if not cut.makes:
            return Part(
                Role.JOIN, cut.program, inputs=tuple(inputs), blockers=cut.blockers, granularity=self._granularity
            )
        rule = next(each for each in cut.program.rules if each.name == cut.makes)
        told = _fed_from_elsewhere(_telling(cut.program, replace(rule, hidden=False)), inside)
        return Part(Role.RULE, told, inputs=tuple(inputs), granularity=self._granularity)

    def _put(self, part: Part) -> Part:
        """Places a part, unless an equal one is placed already: then it is that one."""
        if part.key not in self._placed:
            site = self._sink if self._site_of is None else self._site_of(part)
            self._placed[part.key] = Placed(part, site)
        return self._placed[part.key].part

    def _inputs(self, types: Iterable[str], joins: Mapping[frozenset[str], Part]) -> list[str]:
        """The streams in which some types come: from the largest cuts among them, else from where they are born."""
        left = set(types)
        found: list[str] = []
        for cut in sorted(joins, key=len, reverse=True):
            if cut <= left:
                left -= cut
                found.append(joins[cut].key)
        return found + [self.filter(kind, site).key for kind in sorted(left) for site in self.birthplaces(kind)]

    def filter(self, kind: str, site: str) -> Part:
        """The events of a type that are born at a site."""
        part = Part(Role.FILTER, type=kind, birthplace=site)
        self._placed.setdefault(part.key, Placed(part, site))
        return part

    def birthplaces(self, kind: str) -> list[str]:
        """The sites where events of a type may be born."""
        return sorted(
            site
            for site, sources in self._directory.items()
            if any(types is None or kind in (ANY, *types) for types in sources.values())
        )


def in_order(rule: str, cuts: Sequence[Cut]) -> list[Cut]:
    """Cuts of a rule, those that others take first; an error where two of them overlap."""
    found = sorted(cuts, key=lambda cut: (len(cut.types), sorted(cut.types)))
    for place, one in enumerate(found):
        for other in found[place + 1 :]:
            if one.types & other.types and not one.types < other.types:
                raise UsageError(f"rule '{rule}': '{one.text}' and '{other.text}' overlap, and cannot both be cut off")
    return found


def heard_types(program: Program) -> set[str]:
    """The types of events that the rules of a program take, but for those that they make themselves."""
    rules = program.rules
    if any(_hears_any(rule) for rule in rules):
        return {ANY}
    made = {rule.name for rule in rules} - program.declarations.keys()
    return {kind for rule in rules for kind in mentioned(rule)} - made


def _hears_any(rule: Rule) -> bool:
    if isinstance(rule.pattern, Automaton):
        return types_seen(rule.pattern) is None
    return any(isinstance(part, AnyEvent) for part in walk(rule.pattern))


def _telling(program: Program, told: Rule) -> Program:
    """The program in which only one rule tells what it detects: the others feed it."""

    def one(rule: Rule) -> Rule:
        return told if rule.name == told.name else replace(rule, hidden=True)

    return each_rule(program, one)


def _fed_from_elsewhere(program: Program, makers: Iterable[str]) -> Program:
    """The program without some rules that run elsewhere: those stay defined, so that what they make is known as that.

    What feeds them alone is gone.
    """
    for maker in makers:
        if maker not in {rule.name for rule in program.rules}:
            continue  # it was inside of another
        below = {rule.name for rule in only_rules(program, {maker}).rules} - {maker}
        left = without_rules(program, below)
        program = Program(tuple(each for statement in left.statements for each in _not_enabling(statement, maker, left)))
    return program


def _not_enabling(statement: Statement, name: str, program: Program) -> list[Statement]:
    """A statement as it is where one rule is not to run."""
    match statement:
        case Command(action=Enable(rule=rule)) if rule == name:
            return []
        case Command(action=Enable(rule=rule)) if rule == ALL_RULES:
            return [Command(Enable(each.name)) for each in program.rules if each.name != name]
    return [statement]


def carry_out(site: Site, deployment: Deployment) -> None:
    """Asks sites to host what a deployment gives them; its detections are told at this site, which is its sink."""
    by_key = {each.part.key: each for each in deployment.placed}
    for part, where in deployment.placed:
        if part.role is Role.FILTER:
            continue
        sources: dict[str, list[Any]] = {}
        for stream in part.inputs:
            source = by_key[stream]
            filtering = part_record(source.part) if source.part.role is Role.FILTER else None
            sources[stream] = [source.site, deployment.way, filtering]
        site.tell(where, ["host", part_record(part), sources])
    for stream in deployment.told.values():
        site.watch(stream, deployment.site_of(stream), deployment.way)
