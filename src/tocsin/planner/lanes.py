"""Rules that change while events flow, spread over shards: what remembers something stays where it is.

A *lane* is a placement that goes on through all versions of the rules: its shards are numbered once and for all. A rule
that is the same in the next version stays in its lane, where what it remembers is. One that is new or different begins
with nothing, so it may go to any lane whose key it can share, or to a new one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tocsin.algebra.rules import Program
from tocsin.errors import UsageError
from tocsin.planner.placement import (
    KEYED,
    WHOLE,
    Placement,
    Wish,
    is_one_key,
    placement_of,
    placements,
    types_of,
    wishes,
)


@dataclass(frozen=True)
class Version:
    """The rules as they were from some time on: events later than `since` are theirs. The first has no such time.

    A `candidate` is a program that runs beside the rules, to see what it would find.
    """

    number: int
    since: int | None
    program: Program
    candidate: Program = field(default_factory=Program)


@dataclass(frozen=True)
class Stage:
    """What a lane runs from a version on."""

    number: int
    since: int | None
    placement: Placement
    is_candidate: bool = False


Lane = tuple[Stage, ...]
"""The stages of a lane, one for each version since there is such a lane."""


def lanes(versions: Sequence[Version], by: str | None = None) -> list[Lane]:
    """The lanes of all versions, those of the first version first; what was once a lane's place stays its place."""
    found: list[list[Stage]] = []
    before = Version(0, None, Program())
    for version in versions:
        _go_on(found, version, before.program, version.program, by, is_candidate=False)
        _go_on(found, version, before.candidate, version.candidate, by, is_candidate=True)
        before = version
    return [tuple(lane) for lane in found]


def _go_on(
    found: list[list[Stage]], version: Version, before: Program, program: Program, by: str | None, *, is_candidate: bool
) -> None:
    """Adds what a version changes to the lanes of the rules, or to those of the candidate."""
    mine = [lane for lane in found if lane[0].is_candidate == is_candidate]
    known = [lane[-1].placement for lane in mine]
    now = moved(known, before, program, by) if known else placements(program, by)
    for place, placement in enumerate(now):
        stage = Stage(version.number, version.since, placement, is_candidate)
        if place >= len(mine):
            found.append([stage])
        else:
            mine[place].append(stage)


@dataclass
class _Seats:
    """A lane while rules are given their places in it."""

    kind: str
    key: dict[str, str]
    members: list[Wish] = field(default_factory=list)

    def takes(self, wish: Wish) -> bool:
        """Whether rules that remember nothing yet can run here."""
        if self.kind != wish.kind:
            return False
        if self.kind == KEYED:
            return is_one_key(self.key, wish.key)
        return self.kind != WHOLE or self._shares(wish)

    def seat(self, wish: Wish) -> None:
        """Lets rules run here."""
        self.members.append(wish)
        if self.kind == KEYED:
            self.key.update(wish.key)

    def _shares(self, wish: Wish) -> bool:
        """Whether events of one type are wanted by what is here and by those rules: then they are looked at once."""
        mine, its = types_of(rule for each in self.members for rule in each.rules), types_of(wish.rules)
        return mine is None or its is None or bool(mine & its)


def moved(known: list[Placement], before: Program, program: Program, by: str | None = None) -> list[Placement]:
    """The placements of a program, given those of the one before it: the same ones in their places, then new ones."""
    old = {rule.name: rule for rule in before.rules}
    homes = {name: place for place, each in enumerate(known) for name, _ in each.reasons}
    seats = [_Seats(each.kind, dict(each.key)) for each in known]
    asked = wishes(program, by)
    staying = {
        place: {homes[rule.name] for rule in wish.rules if old.get(rule.name) == rule}
        for place, wish in enumerate(asked)
    }
    # Those that remember something have their places; the others take what suits them then.
    for place, wish in enumerate(asked):
        if staying[place]:
            (home,) = staying[place] if len(staying[place]) == 1 else (-1,)
            if home < 0 or (len(wish.rules) > 1 and seats[home].kind != WHOLE):
                raise UsageError(_torn(wish, known, homes))
            seats[home].seat(wish)
    for place, wish in enumerate(asked):
        if not staying[place]:
            suiting = next((each for each in seats if each.takes(wish)), None)
            if suiting is None:
                suiting = _Seats(wish.kind, {})
                seats.append(suiting)
            suiting.seat(wish)
    return [placement_of(program, each.kind, each.key, each.members) for each in seats]


def _torn(wish: Wish, known: list[Placement], homes: dict[str, int]) -> str:
    """Why rules cannot come together now."""
    running = [rule.name for rule in wish.rules if rule.name in homes]
    spread = next((name for name in running if known[homes[name]].kind != WHOLE), running[0])
    others = ", ".join(f"'{rule.name}'" for rule in wish.rules if rule.name != spread)
    return (
        f"rule '{spread}' would have to run together with {others} ({wish.reason}), but what it remembers is spread"
        " over shards of its own: give the new version of it another name, or begin with a new checkpoint"
    )
