"""From rules to parts at sites: what runs where, and which streams each part takes.

deployment = deployed(program, directory, sink, ...)      a value: shown before it acts
carry_out(site, deployment)                               hosts are asked for, detections are told at the sink
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeAlias

from tocsin.algebra.detectors import types_seen
from tocsin.algebra.links import mentioned
from tocsin.algebra.patterns import AnyEvent, Automaton, walk
from tocsin.algebra.rules import Program, Rule
from tocsin.rules.programs import each_rule, only_rules
from tocsin.sites.births import ANY
from tocsin.sites.outboxes import REQUESTS
from tocsin.sites.parts import TOLD, Part, Role, part_record
from tocsin.sites.site import Site

Directory: TypeAlias = Mapping[str, Mapping[str, Iterable[str] | None]]
"""The sources at each site, each with the types that it makes, or None where anything may come from it."""


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

    def site_of(self, stream: str) -> str:
        """Where a stream is given out."""
        key = stream.removesuffix(TOLD)
        return next(each.site for each in self.placed if each.part.key == key)


def deployed(
    program: Program, directory: Directory, sink: str, *, way: str = REQUESTS, granularity: int | None = None
) -> Deployment:
    """Every rule whole, at the sink; what it hears comes from the sites where it is born."""
    return Deployer(program, directory, sink, way, granularity).deployment()


class Deployer:
    """Works out a deployment."""

    def __init__(
        self, program: Program, directory: Directory, sink: str, way: str = REQUESTS, granularity: int | None = None
    ) -> None:
        self._program, self._directory, self._sink = program, directory, sink
        self._way, self._granularity = way, granularity
        self._rules = {rule.name: rule for rule in program.rules}
        self._placed: dict[str, Placed] = {}

    def deployment(self) -> Deployment:
        """All of it: the parts that others take come first."""
        told: dict[str, str] = {}
        for rule in self._program.rules:
            if not rule.hidden:
                told[rule.name] = self._whole(rule).key + TOLD
        return Deployment(self._sink, tuple(self._placed.values()), told, self._way)

    def _whole(self, rule: Rule) -> Part:
        """A rule as it is, with the rules that feed it."""
        program = only_rules(self._program, {rule.name})
        types = heard_types(program)
        inputs = [self.filter(kind, site).key for kind in sorted(types) for site in self.birthplaces(kind)]
        part = Part(Role.RULE, _telling(program, rule), inputs=tuple(inputs), granularity=self._granularity)
        self._placed.setdefault(part.key, Placed(part, self._sink))
        return part

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
        return rule if rule.name == told.name else replace(rule, hidden=True)

    return each_rule(program, one)


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
