"""How a program is run, as a value: which rules run in the network and which apart, which are searched for as one, and
the searches of each. `planner.plan` makes it; the engine is built from it, and `explain` reads it.

Everything here is frozen and compares by value; `codec.py` writes it as JSON.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tocsin.algebra.patterns import After, Between, Within
from tocsin.algebra.rules import ALL_RULES, Program, Rule
from tocsin.events import Value
from tocsin.plan.searches import Branch, Opening, SearchPlan, Wait
from tocsin.rules.budgets import UNLIMITED, Budgets


@dataclass(frozen=True)
class Relations:
    """What rules have to do with each other."""

    has_links: bool = False
    """What a rule does when it fires changes what the rules see, or which of them run."""
    removes_late: bool = False
    """The script removes a class when there may be events of it already."""
    are_apart: bool = False
    """What one rule does may concern the next: of what waits, nothing is searched for as one."""
    stopped: tuple[str, ...] = ()
    """Rules fed by others that another one may disable."""


@dataclass(frozen=True)
class Settings:
    """How a program is to be run, as far as that changes its plan."""

    granularity: int | None = None
    """The tick of the 2g time model, in microseconds."""
    is_live: bool = False
    """Commands come while it runs. What they may change is then built into no search."""
    plain: tuple[str, ...] = ()
    """Rules that keep the detectors of the plain meaning though they need not."""
    budgeted: tuple[str, ...] = ()
    """Rules that have budgets of their own; `*` for all."""
    has_total: bool = False
    """All rules together have a budget."""
    starting: tuple[str, ...] | None = None
    """The rules that begin now, together; None for those that the program enables."""
    around: Relations | None = None
    """Where the program is but some of what runs: what all that has to do with each other."""

    def has_budget(self, name: str) -> bool:
        """Whether a rule has a budget of its own."""
        return name in self.budgeted or ALL_RULES in self.budgeted


def settings_of(
    granularity: int | None = None,
    *,
    is_live: bool = False,
    plain: frozenset[str] = frozenset(),
    budgets: Budgets = UNLIMITED,
) -> Settings:
    """The settings of a run."""
    budgeted = (ALL_RULES,) if budgets.each is not None else tuple(sorted(budgets.rules))
    return Settings(granularity, is_live, tuple(sorted(plain)), budgeted, budgets.total is not None)


class Place(StrEnum):
    """Where a rule runs."""

    SEARCHED = "searched"
    """In the network, by searches."""
    PAIRED = "paired"
    """In the network, in nodes that use up what they pair."""
    CHAINED = "chained"
    """In the network, as a chain of states."""
    OWN_MEMORY = "own memory"
    """Beside the network, in a memory that has an index."""
    PLAIN = "plain"
    """Beside the network, as the plain meaning runs it."""


APART = (Place.OWN_MEMORY, Place.PLAIN)


@dataclass(frozen=True)
class RulePlan:
    """Where a rule runs, and why it does not run in the network, if it does not."""

    rule: Rule
    place: Place
    reason: str = ""
    waits: bool = False
    """A moment can come that it waits for."""

    @property
    def is_apart(self) -> bool:
        """Whether it runs beside the network."""
        return self.place in APART


@dataclass(frozen=True)
class Family:
    """Rules that are searched for as one: `rule` with its constant left out, and the rules for each constant.

    The rules whose comparison holds are the first few of `members`; where it is `==`, those of one of them.
    """

    rule: Rule
    members: tuple[tuple[Value, tuple[Rule, ...]], ...]


@dataclass(frozen=True)
class MomentPlan:
    """The search that a moment starts when it has come."""

    wait: Wait
    search: SearchPlan


@dataclass(frozen=True)
class BranchPlan:
    """A branch with its searches: those that arrivals start, and those that moments start."""

    branch: Branch
    arrivals: tuple[SearchPlan, ...]
    moments: tuple[MomentPlan, ...] = ()


@dataclass(frozen=True)
class OpeningPlan:
    """What is waited for: how it is found that it has begun, and what goes on from there when another moment comes."""

    origin: After | Within | Between
    opening: Opening
    arrivals: tuple[SearchPlan, ...]
    moments: tuple[MomentPlan, ...] = ()


@dataclass(frozen=True)
class FamilyPlan:
    """Rules that are searched for as one, and how. Rules that remember more than events have no searches."""

    family: Family
    place: Place
    is_generic: bool = False
    """They use up what they find: the oldest is looked for."""
    is_equal: bool = False
    """Which member a match is for is told by one look; otherwise by bisection."""
    is_blind: bool = False
    """They must not see what they make themselves."""
    branches: tuple[BranchPlan, ...] = ()
    openings: tuple[OpeningPlan, ...] = ()

    @property
    def remembers(self) -> bool:
        """Whether its rules remember more than events: what they use up, or the runs of an automaton."""
        return self.place is not Place.SEARCHED


@dataclass(frozen=True)
class Plan:
    """How the rules of a program are run."""

    program: Program
    settings: Settings = Settings()
    relations: Relations = Relations()
    rules: tuple[RulePlan, ...] = ()
    """In order of definition."""
    order: tuple[str, ...] = ()
    """The names of all rules, those that feed others first."""
    feeders: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """By rule: those whose composites it takes."""
    has_interplay: bool = False
    """Events have to be taken one by one."""
    has_timers: bool = False
    """Moments may come that some rule waits for."""
    only_reports: bool = False
    """Rules do nothing but report what they find."""
    families: tuple[FamilyPlan, ...] = ()
    """What is built into the network for the rules that begin now, in this order."""

    def starts(self, rules: list[Rule]) -> bool:
        """Whether its families are for these rules, and for no others."""
        known = {rule.name: rule for each in self.families for _, members in each.family.members for rule in members}
        return len(known) == len(rules) and all(known.get(rule.name) == rule for rule in rules)
