"""What runs already, and what it looks for: so that it is used once more, not run twice (001 section 6.1)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Final

from tocsin.algebra.codec import to_record
from tocsin.algebra.rules import Declaration, Program, Rule
from tocsin.sites.deployment import Deployment, Placed
from tocsin.sites.parts import Part, Role
from tocsin.sites.placement.rates import Flow, Rates
from tocsin.sites.placement.shares import whole
from tocsin.sites.placement.topologies import Topology

_DIGITS: Final = 16


@lru_cache(maxsize=10_000)
def core(program: Program, blockers: tuple[str, ...]) -> str:
    """What a part looks for that was cut off, whatever is cut off it, and runs elsewhere, in turn."""
    rules = [to_record(replace(rule, hidden=True)) for rule in program.rules]
    declared = [to_record(each) for each in program.statements if isinstance(each, Declaration)]
    text = json.dumps([declared, rules, list(blockers)], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]


def told_rule(part: Part) -> Rule:
    """The rule of a part that tells what it detects; the others feed it."""
    return next(rule for rule in part.rules if not rule.hidden)


class Running:
    """The parts of a deployment that is at work."""

    def __init__(self, deployment: Deployment | None, topology: Topology, sink: str) -> None:
        placed = () if deployment is None else deployment.placed
        self._placed = {each.part.key: each for each in placed}
        for each in () if deployment is None else deployment.replicas:  # of copies the one that is nearest counts
            there = self._placed[each.part.key]
            if topology.cost(each.site, sink) < topology.cost(there.site, sink):
                self._placed[each.part.key] = each
        joins = [each for each in placed if each.part.is_cut_off]
        self._keys = {core(each.part.program, each.part.blockers): each.part.key for each in joins}
        self._filters = {
            (each.part.birthplace, each.part.type): each.part.key
            for each in placed
            if each.part.role is Role.FILTER and each.part.share is None
        }
        self.joins = {name: self._placed[key].site for name, key in self._keys.items()}
        """The sites of what was cut off, by what it looks for."""
        self.inside = {core(each.part.program, each.part.blockers): tuple(self.below(each.part)) for each in joins}
        """What is cut off each."""

    def below(self, part: Part) -> Iterator[str]:
        """What was cut off a part, and off that in turn, by what it looks for."""
        parts = [self._placed[key].part for key in self._keys_below(part)]
        yield from dict.fromkeys(core(each.program, each.blockers) for each in parts)  # shares of one look for the same

    def rule(self, name: str) -> Placed | None:
        """The part that tells what a rule detects."""
        for each in self._placed.values():
            if each.part.role is Role.RULE and told_rule(each.part).name == name:
                return each
        return None

    def beside(self, part: Part) -> tuple[dict[str, str], dict[str, set[str]]]:
        """Without a rule and what runs for it alone: the joins that it shares, and where streams are taken."""
        others: dict[str, Placed] = {}
        for key, each in self._placed.items():
            if each.part.role is Role.RULE and key != part.key:
                others |= {key: each} | {other: self._placed[other] for other in self._keys_below(each.part)}
        taken: dict[str, set[str]] = {}
        for one, site in others.values():
            for stream in one.inputs:
                taken.setdefault(stream, set()).add(site)
        shared = [self._placed[key] for key in self._keys_below(part) if key in others]
        return {core(each.part.program, each.part.blockers): each.site for each in shared}, taken

    def _keys_below(self, part: Part) -> Iterator[str]:
        for stream in part.inputs:
            source = self._placed.get(stream)
            if source is not None and source.part.is_cut_off:
                yield stream
                yield from self._keys_below(source.part)

    def filter(self, site: str, kind: str) -> str:
        """The stream of a type at a birthplace."""
        return self._filters.get((site, kind), f"{site}/{kind}")

    def site(self, key: str) -> str | None:
        """Where a part runs."""
        there = self._placed.get(key)
        return None if there is None else there.site

    def given(self, name: str, rates: Rates) -> Flow | None:
        """What is given out by a part that was cut off, as measured."""
        key = self._keys.get(name)
        found = None if key is None else rates.given(key)
        return None if key is None or found is None else whole(self._placed[key].part, found)

    def taken(self) -> dict[str, dict[str, int]]:
        """Where streams are taken."""
        found: dict[str, dict[str, int]] = {}
        for part, site in self._placed.values():
            for stream in part.inputs:
                takers = found.setdefault(stream, {})
                takers[site] = takers.get(site, 0) + 1
        return found
