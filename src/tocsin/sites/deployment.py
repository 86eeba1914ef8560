"""Which part runs at which site, and what it takes from where.

A rule runs whole, over the events that it hears; parts that were cut off it (`planner.cuts`) run near the sources and
pass on what it needs of their types. Cuts of one rule are apart or nested: what is cut off a part comes to it first.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeAlias

from tocsin.algebra.detectors import types_seen
from tocsin.algebra.ends import NOTHING
from tocsin.algebra.names import types_of
from tocsin.algebra.patterns import AnyEvent, Automaton, walk
from tocsin.algebra.rules import ALL_RULES, Command, Enable, Program, Rule, Statement
from tocsin.errors import UsageError
from tocsin.planner.cuts import Cut
from tocsin.planner.necessities import types_in
from tocsin.planner.shares import Share
from tocsin.planner.siftings import Sifting, siftings
from tocsin.rules.programs import each_rule, only_rules, rules_program, together
from tocsin.sites.births import ANY
from tocsin.sites.outboxes import REQUESTS
from tocsin.sites.parts import TOLD, Part, Role, part_record
from tocsin.sites.site import Site

Directory: TypeAlias = Mapping[str, Mapping[str, Iterable[str] | None]]
"""The sources at each site, each with the types that it makes, or None where anything may come from it."""
Chosen: TypeAlias = Mapping[str, Sequence[Cut]]
"""By the name of a rule: what is cut off it."""
NONE: Chosen = {}
ALL = Sifting()
NO_KEY: Mapping[str, str] = {}


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
    ways: Mapping[str, str] = field(default_factory=dict)
    """By stream: how it is asked how far it has got, where that is not `way`."""

    def way_of(self, stream: str) -> str:
        """How those who take a stream hear how far it has got."""
        return self.ways.get(stream, self.way)

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
    sifts: bool = False,
) -> Deployment:
    """Every rule with what was chosen to be cut off it; what it hears comes from the sites where it is born.

    `site_of` says where a join or a rule runs; without it that is the sink. `sifts`: filters test each event by itself
    for the rule, and leave out attributes that it does not read; rules then share filters only where they ask the same.
    """
    return Deployer(program, directory, sink, way, granularity, chosen, site_of, sifts=sifts).deployment()


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
        *,
        sifts: bool = False,
    ) -> None:
        self._program, self._directory, self._sink = program, directory, sink
        self._way, self._granularity = way, granularity
        self._chosen, self._site_of, self._sifts = chosen, site_of, sifts
        self._placed: dict[str, Placed] = {}

    def deployment(self) -> Deployment:
        """All of it: the parts that others take come first."""
        told: dict[str, str] = {}
        for rules in together(self._program):
            stream = self._rules(rules).key + TOLD
            told |= {rule.name: stream for rule in rules}
        return Deployment(self._sink, tuple(self._placed.values()), told, self._way)

    def _rules(self, rules: Sequence[Rule]) -> Part:
        """A rule as it is, or rules that stay together, with the rules that feed them, over what was cut off."""
        names = {rule.name for rule in rules}
        program = only_rules(self._program, names)
        chosen = next((found for rule in rules if (found := self._chosen.get(rule.name))), ())
        cuts = in_order(rules[0].name, chosen)
        sifted = siftings(self._program, names) if self._sifts else {}
        joins: dict[frozenset[str], list[Part]] = {}
        for place, cut in enumerate(cuts):
            makers = [each.makes for each in cuts[:place] if each.makes and each.types < cut.types]
            made: list[Part] = []
            for share in _shares(cut, cuts[:place]):
                inputs = tuple(self._inputs(cut.types, joins, sifted, dict(cut.key), share))
                made.append(self._put(self._cut_off(cut, inputs, makers, share)))
            joins[cut.types] = made
        inputs = tuple(self._inputs(heard_types(program), joins, sifted) or self._clocks())
        told = fed_from_elsewhere(_telling(program, names), [cut.makes for cut in cuts if cut.makes])
        return self._put(Part(Role.RULE, told, inputs=inputs, granularity=self._granularity))

    def _cut_off(self, cut: Cut, inputs: tuple[str, ...], makers: Sequence[str], share: Share | None = None) -> Part:
        """The part that a cut makes. `makers`: the rules that feed it from elsewhere."""
        if cut.makes:
            program = fed_from_elsewhere(_telling(cut.program, {cut.makes}), makers)
            return Part(Role.FEEDER, program, inputs=inputs, granularity=self._granularity)
        granularity = self._granularity
        return Part(Role.JOIN, cut.program, "", "", inputs, cut.blockers, granularity=granularity, share=share)

    def _put(self, part: Part) -> Part:
        """Places a part, unless an equal one is placed already: then it is that one."""
        if part.key not in self._placed:
            site = self._sink if self._site_of is None else self._site_of(part)
            self._placed[part.key] = Placed(part, site)
        return self._placed[part.key].part

    def _inputs(
        self,
        types: Iterable[str],
        joins: Mapping[frozenset[str], Sequence[Part]],
        sifted: Mapping[str, Sifting],
        key: Mapping[str, str] = NO_KEY,
        share: Share | None = None,
    ) -> list[str]:
        """The streams in which some types come: from the largest cuts among them, else from where they are born."""
        left = set(types)
        found: list[str] = []
        for cut in sorted(joins, key=len, reverse=True):
            if cut <= left:
                left -= cut
                found += [part.key for part in joins[cut]]
        return found + [
            self.filter(kind, site, sifted.get(kind, ALL), None if share is None else share._replace(by=key[kind])).key
            for kind in sorted(left)
            for site in self.birthplaces(kind)
        ]

    def filter(self, kind: str, site: str, sifting: Sifting = ALL, share: Share | None = None) -> Part:
        """The events of a type that are born at a site, or a share of them."""
        part = Part(Role.FILTER, sifting.program, kind, site, attributes=sifting.attributes, share=share)
        self._placed.setdefault(part.key, Placed(part, site))
        return part

    def _clocks(self) -> list[str]:
        """For rules that wait for time alone: how far all events have got, and none of them."""
        silent = rules_program([Rule("silent", NOTHING)])
        parts = [Part(Role.FILTER, silent, type=ANY, birthplace=site) for site in self.birthplaces(ANY)]
        for part in parts:
            self._placed.setdefault(part.key, Placed(part, part.birthplace))
        return [part.key for part in parts]

    def birthplaces(self, kind: str) -> list[str]:
        """The sites where events of a type may be born."""
        return sorted(
            site
            for site, sources in self._directory.items()
            if any(types is None or kind in (ANY, *types) for types in sources.values())
        )


def _shares(cut: Cut, others: Sequence[Cut]) -> list[Share | None]:
    """The shares in which a part runs: one alone that is nothing else than all, where other parts come to it first."""
    if cut.shares < 2 or any(each.types < cut.types for each in others):
        return [None]
    return [Share("", number, cut.shares) for number in range(cut.shares)]


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
    return {kind for rule in rules for kind in types_in(rule.pattern) | types_of(rule.pattern)} - made


def _hears_any(rule: Rule) -> bool:
    if isinstance(rule.pattern, Automaton):
        return types_seen(rule.pattern) is None
    return any(isinstance(part, AnyEvent) for part in walk(rule.pattern))


def _telling(program: Program, told: Collection[str]) -> Program:
    """The program in which only some rules tell what they detect: the others feed them."""

    def one(rule: Rule) -> Rule:
        return replace(rule, hidden=rule.name not in told)

    return each_rule(program, one)


def fed_from_elsewhere(program: Program, makers: Iterable[str]) -> Program:
    """The program where some rules run elsewhere, with what feeds them: here they are defined, but not enabled.

    So what they make is known as that.
    """
    away = {rule.name for maker in makers for rule in only_rules(program, {maker}).rules}
    if not away:
        return program
    here = [rule.name for rule in program.rules if rule.name not in away]
    return Program(tuple(each for statement in program.statements for each in _enabling(statement, here)))


def _enabling(statement: Statement, names: Sequence[str]) -> list[Statement]:
    """A statement as it is where only some rules run."""
    match statement:
        case Command(action=Enable(rule=rule)) if rule == ALL_RULES:
            return [Command(Enable(name)) for name in names]
        case Command(action=Enable(rule=rule)) if rule not in names:
            return []
    return [statement]


def in_ways(deployment: Deployment, by_site: Mapping[str, str]) -> Deployment:
    """The same where the streams of some sites tell how far they have got in a way of their own."""
    ways = {
        stream: by_site[each.site]
        for each in deployment.placed
        if each.site in by_site
        for stream in (each.part.key, each.part.key + TOLD)
    }
    return replace(deployment, ways=ways)


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
            sources[stream] = [source.site, deployment.way_of(stream), filtering]
        site.tell(where, ["host", part_record(part), sources])
    for stream in dict.fromkeys(deployment.told.values()):
        site.watch(stream, deployment.site_of(stream), deployment.way_of(stream))
