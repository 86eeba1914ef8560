"""When rates change: parts move where that is worth it, and do not go to and fro.

At each look the rates are evened out over some minutes, and for each rule the sites are found at which its parts, as
they are, would cost fewest bytes now. They move if

- what that saves is a fair part of what the rule costs, and has been for a while;
- what it saves over the horizon is more than the bytes of their state on the way, and a margin;
- none of them has moved for a while.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import exp
from typing import Any, Final

from tocsin.algebra.rules import Program
from tocsin.sites.deployment import Deployment, Directory
from tocsin.sites.placement.changes import Change, Migrate, changes, observed
from tocsin.sites.placement.plans import improved
from tocsin.sites.placement.policies import NO_HINTS, Hints
from tocsin.sites.placement.predictions import predicted
from tocsin.sites.placement.rates import Flow, Rates, heard
from tocsin.sites.placement.topologies import EVERYWHERE, Topology

HELD: Final = 250.0
"""Bytes of state for each event that a part holds."""
EMPTY: Final = 2_000.0
"""... of a part that holds none."""


@dataclass(frozen=True)
class Steadiness:
    """When a move is worth it. Times in seconds."""

    horizon: float = 600.0
    """For so long rates are taken to stay as they are."""
    margin: float = 65_536.0
    """So many bytes more have to be saved than a move costs."""
    least: float = 0.25
    """So much of what a rule costs has to be saved."""
    hold: float = 120.0
    """For so long a move has to have been worth it."""
    cooldown: float = 1_800.0
    """For so long a part that has moved stays."""
    memory: float = 300.0
    """Over so long rates are evened out."""


@dataclass(frozen=True)
class Look:
    """What came of a look: what is to be done, and for each rule why."""

    changes: tuple[Change, ...]
    deployment: Deployment
    reasons: Mapping[str, str]


@dataclass
class Replanner:
    """Looks at a deployment now and then."""

    program: Program
    directory: Directory
    deployment: Deployment
    hints: Hints = NO_HINTS
    topology: Topology = EVERYWHERE
    steadiness: Steadiness = Steadiness()
    _rates: Rates | None = None
    _looked: float | None = None
    _worth_since: dict[str, float] = field(default_factory=dict)
    """By rule: since when it has been worth it to move its parts."""
    _moved: dict[str, float] = field(default_factory=dict)
    """By part: when it has moved last."""

    def look(self, now: float, said: Mapping[str, Mapping[str, Any]]) -> Look:
        """What is to be done at a time in seconds, given what the sites say of themselves."""
        self.deployment = observed(self.deployment, said)
        return self.consider(now, heard(said), states(said))

    def consider(self, now: float, rates: Rates, sizes: Mapping[str, float]) -> Look:
        """The same, given rates, and the bytes of the parts' states."""
        evened = self._rates = self._evened(now, rates)
        found: list[Change] = []
        reasons: dict[str, str] = {}
        for rule in self.deployment.told:
            better = improved(
                self.program,
                self.directory,
                self.deployment,
                rule,
                hints=self.hints,
                rates=evened,
                topology=self.topology,
            )
            moves = [each for each in changes(self.deployment, better) if isinstance(each, Migrate)]
            reasons[rule] = self._why_not(rule, now, better, moves, sizes) or "moves"
            if reasons[rule] == "moves":
                found += moves
                self.deployment = better
                self._moved |= dict.fromkeys([move.key for move in moves], now)
                self._worth_since.pop(rule, None)
        return Look(tuple(found), self.deployment, reasons)

    def _why_not(
        self, rule: str, now: float, better: Deployment, moves: list[Migrate], sizes: Mapping[str, float]
    ) -> str | None:
        """Why the parts of a rule do not move; None if they do."""
        steady, rates = self.steadiness, self._rates
        assert rates is not None
        cost = predicted(self.deployment, rates, self.topology).cost
        gain = cost - predicted(better, rates, self.topology).cost
        on_the_way = sum(sizes.get(move.key, EMPTY) * self.topology.cost(move.site, move.to) for move in moves)
        if not moves or gain <= 0:
            self._worth_since.pop(rule, None)
            return "no site is better"
        saving = f"it would save {gain:.0f} of {cost:.0f} bytes a second"
        if gain < steady.least * cost:
            self._worth_since.pop(rule, None)
            return f"{saving}: less than {steady.least:.0%}"
        if gain * steady.horizon <= on_the_way + steady.margin:
            self._worth_since.pop(rule, None)
            return f"{saving}: less than its state of {on_the_way:.0f} bytes in {steady.horizon:.0f} seconds"
        since = self._worth_since.setdefault(rule, now)
        if now - since < steady.hold:
            return f"{saving}, for {now - since:.0f} seconds so far"
        last = max((self._moved[move.key] for move in moves if move.key in self._moved), default=None)
        if last is not None and now - last < steady.cooldown:
            return f"{saving}, but it has moved {now - last:.0f} seconds ago"
        return None

    def _evened(self, now: float, rates: Rates) -> Rates:
        before, looked = self._rates, self._looked
        self._looked = now
        if before is None or looked is None:
            return rates
        share = 1 - exp((looked - now) / self.steadiness.memory)

        def between(old: Mapping[Any, Flow], new: Mapping[Any, Flow]) -> dict[Any, Flow]:
            return {
                key: flow.times(share).plus(old[key].times(1 - share)) if key in old else flow
                for key, flow in new.items()
            }

        births, streams = between(before.births, rates.births), between(before.streams, rates.streams)
        return Rates(births, streams, rates.sources, is_measured=rates.is_measured)


def states(said: Mapping[str, Mapping[str, Any]]) -> dict[str, float]:
    """The bytes of the states of parts, as far as sites tell of what they hold."""
    return {
        key: EMPTY + HELD * part.get("held", 0) for told in said.values() for key, part in told.get("parts", {}).items()
    }
