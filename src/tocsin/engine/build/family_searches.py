"""The searches of rules that are searched for as one: they begin as those of others do, where they can.

A step is known by its plan's step, as long as all steps before it are shared too.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tocsin.algebra.patterns import After, AnyEvent, At, AtInstant, Between, Every, Primitive, Within
from tocsin.engine.build.family_chains import FamilyChains
from tocsin.engine.build.plan_steps import PlanSteps
from tocsin.engine.network.agenda import Waiting, scheduled
from tocsin.engine.network.arena import Arena, Chain
from tocsin.engine.network.firings import HEAD, Emit, Firing
from tocsin.engine.network.gates import Root, glance
from tocsin.engine.network.search import linked
from tocsin.engine.network.sieve import sift
from tocsin.engine.network.steps import Choose, Earlier, Filter, Hope, OldestWalk, Step, Walk
from tocsin.engine.network.text_guards import necessary
from tocsin.plan import searches as plans
from tocsin.plan.programs import BranchPlan, Family, MomentPlan, OpeningPlan
from tocsin.plan.searches import Branch, Opening, SearchPlan

if TYPE_CHECKING:
    from tocsin.engine.build.searches import Builder


class Trail:
    """How one plan was built into the network: under which names its root and its steps are known there.

    Plans whose trails begin with the same names are the same steps that far. It ends with a detection of branch
    `emits`, or with a moment to wait for, `waits`.
    """

    def __init__(
        self, firing: Firing, branch: Branch, plan: SearchPlan, names: list[tuple[object, ...]], end: SearchEnd
    ) -> None:
        self.firing, self.branch, self.plan, self.names = firing, branch, plan, names
        self.emits = end.emits
        self.waits: Waiting | None = None if end.waits is None else end.waits[1]
        self.wakes: Waiting | None = None
        """The moment that starts the search, where no arrival does."""


class FamilySearches(FamilyChains):
    """A family in the making: the searches that arrivals start, and those that moments start."""

    def __init__(self, builder: Builder, firing: Firing, family: Family, is_private: bool, blind_to: str) -> None:
        super().__init__(builder, firing, family, is_private, blind_to)
        self.waitings = builder.waitings.setdefault(firing, {})

    # -- targets -----------------------------------------------------------------------------------------------

    def fire(self, planned: tuple[BranchPlan, ...]) -> None:
        """Builds the searches for the rule's own pattern."""
        firing, found = self.firing, [each.branch for each in planned]
        firing.is_distinct = _may_overlap(found) or any(map(_may_repeat, found))
        firing.is_plain = not firing.is_distinct and not firing.is_generic and len(firing.members) == 1
        firing.plant([branch.tree for branch in found])
        for number, each in enumerate(planned):
            firing.stride = max(firing.stride, int(HEAD) + _size(each.branch))
            for made in each.arrivals:
                self._grow(made, SearchEnd(self, each.branch, made, emits=number))

    def wait(self, planned: tuple[BranchPlan, ...], openings: tuple[OpeningPlan, ...]) -> None:
        """Builds the searches for what is waited for, and those that a moment starts when it comes."""
        for each in openings:
            opening, waiting = each.opening, self._waiting(each.origin, each.opening.branch)
            for made in each.arrivals:
                self._grow(made, SearchEnd(self, opening.branch, made, waits=(opening, waiting)))
        for waiting in self.waitings.values():
            waiting.together = [other for other in self.waitings.values() if other.origin == waiting.origin]
        for number, branch in enumerate(planned):
            self._on_moments(branch.branch, branch.moments, emits=number)
        for each in openings:
            waiting = self._waiting(each.origin, each.opening.branch)
            self._on_moments(each.opening.branch, each.moments, waits=(each.opening, waiting))

    def _on_moments(
        self,
        branch: Branch,
        moments: tuple[MomentPlan, ...],
        emits: int = -1,
        waits: tuple[Opening, Waiting] | None = None,
    ) -> None:
        for moment in moments:
            made, waiting = moment.search, self.waitings[(moment.wait.origin, moment.wait.resolved)]
            end = SearchEnd(self, branch, made, emits, waits)
            build = PlanSteps(self, made, branch)
            root = Root(self.firing, [*build.given_tests(branch, made.given), *build.tests(made.checks)])
            root.sibling, waiting.root = waiting.root, root
            self._follow(root, ("tick", id(root)), made, build, end)
            self.builder.trails[-1].wakes = waiting

    def _waiting(self, origin: After | Within | Between, branch: Branch) -> Waiting:
        key = (origin, branch.tree)
        agenda = self.network.agenda
        arenas: list[Arena] = []
        chains: list[Chain] = []
        for leaf, registers in branch.leaves:
            gate = self.builder.gate(leaf, self.firing)
            arenas += [gate.arena] * len(registers)
            if self.firing.is_generic:  # what waits may be used up meanwhile
                chains += [self.chain(leaf, gate, ())] * len(registers)
        if key not in self.waitings:
            self.waitings[key] = Waiting(self.firing, origin, branch.tree, arenas, chains, self.network.store)
            self.network.search.reserve(len(arenas))
        if self.waitings[key] not in agenda.waitings:
            agenda.add(self.waitings[key])
        return self.waitings[key]

    # -- searches ----------------------------------------------------------------------------------------------

    def _grow(self, made: SearchPlan, end: SearchEnd) -> None:
        """Builds an anchored search, as a branch of what begins alike."""
        assert made.anchor is not None
        gate = self.builder.gate(made.anchor, self.firing)
        build = PlanSteps(self, made, end.branch)
        window, since = self.firing.window, int(self.firing.since)
        owner = self.owner or self._family((*made.checks, *made.anchor.conditions))
        # Where the oldest is looked for, a search is cut short by what it found itself: not by another branch, nor by
        # the same with the arrival in another place.
        search = (end.emits, made.numbers) if made.ascending or self._can_hope(end.branch) else ()
        key = ("root", made.anchor, window, since, owner, made.checks, made.in_order, end.is_wait, search)
        root = self.builder._steps.get(key)
        if root is None:
            tests = [*self.own_tests(made.anchor, gate), *build.tests(made.checks)]
            root = Root(self.firing, tests)
            _delay(root, made)
            self.builder._steps[key] = root
            if tests and not root.delay:
                clauses = necessary(list(made.anchor.conditions))
                sift(gate, root, [[gate.texts.fact(fact) for fact in each] for each in clauses], made.in_order)
            else:
                gate.add(root, made.in_order)
        self._follow(root, key, made, build, end)
        assert isinstance(root, Root)
        root.glance = glance(root)

    def _follow(self, step: Step, key: tuple[object, ...], made: SearchPlan, build: PlanSteps, end: SearchEnd) -> None:
        hopes = not made.ascending and not end.is_wait and self._can_hope(end.branch)
        walks: list[OldestWalk] = []
        earlier: Earlier | None = None
        names = [key]
        for each in made.steps:
            bare = (key, replace(each, checks=()), made.ascending)
            names.append(bare)
            key = (bare, each.checks, self._family(each.checks))
            known = self.builder._steps.get(key)
            if known is None:
                known = self._step(step, bare, key, each, build, oldest_first=made.ascending or hopes)
                self.builder._steps[key] = known
            if made.ascending and not isinstance(each.leaf.pattern, At | AtInstant | Every):
                earlier = _put_after(earlier, known, each, build)
            if hopes and isinstance(known, OldestWalk):
                walks.append(known)
            step = known
        if hopes:
            self._hope(made, build, walks)
        step.add(end.step())
        self.builder.trails.append(Trail(self.firing, end.branch, made, names, end))

    def _family(self, checks: tuple[object, ...]) -> object:
        """Whose checks these are: what may test a family's constants is the family's own, for it notes who passed."""
        return self.firing if checks and len(self.constants) > 1 else None

    def _step(
        self,
        before: Step,
        bare: tuple[object, ...],
        key: tuple[object, ...],
        each: plans.Step,
        build: PlanSteps,
        *,
        oldest_first: bool,
    ) -> Step:
        """One more step after another. Where the same rows are looked at already, only what must hold of them is new.

        `bare` is its key but for what must hold.
        """
        steps, walks = self.builder._steps, self.builder._walks
        if bare not in walks:
            made = build.step(each, oldest_first=oldest_first)
            before.add(made)
            if isinstance(made, Walk) and not isinstance(made, OldestWalk):
                walks[bare] = (made, key)
            return made
        walk_, first = walks[bare]
        parted = walk_.part()
        if parted is not None:
            steps[first] = parted
        test = linked(build.step_tests(each, each.checks))
        if test is None:
            return walk_
        filter_ = Filter(test)
        walk_.add(filter_)
        return filter_

    def _can_hope(self, branch: Branch) -> bool:
        """Whether the oldest can be told by its events' times alone: each is another one, and none is the clock's."""
        single = all(leaf.is_single for leaf, _ in branch.leaves)
        clocks = any(isinstance(leaf.pattern, At | AtInstant | Every) for leaf, _ in branch.leaves)
        return self.firing.is_generic and single and not clocks and not _repeats(branch)

    def _hope(self, made: SearchPlan, build: PlanSteps, walks: list[OldestWalk]) -> None:
        """Lets each step know what stands before it and what is still to come."""
        self.firing.is_hopeful = True
        standing = [(build.arenas[register], register) for register in range(made.given)]
        for place, walk_ in enumerate(walks):
            filled = {register for _, register in standing}
            rest = []
            for step, other in zip(made.steps[place + 1 :], walks[place + 1 :], strict=True):
                rest.append((other, all(register in filled for _, (register, _) in step.key)))
            walk_.hope = Hope(self.firing.oldest, list(standing), rest)
            register = made.steps[place].registers[0]
            standing.append((build.arenas[register], register))


def _delay(root: Root, made: SearchPlan) -> None:
    """Notes how long after the arrival's own start or end a moment must have come, if that is all there is to know."""
    first = made.checks[0] if made.checks else None
    if isinstance(first, plans.Due) and isinstance(first.point, plans.Shifted):
        edge, period = first.point.point, first.point.period
        if isinstance(edge, plans.Edge) and edge.register == 0 and not period.years and not period.months:
            root.delay, root.is_from_start = period.microseconds, edge.is_start


def _size(branch: Branch) -> int:
    return sum(len(registers) for _, registers in branch.leaves)


def _may_overlap(found: list[Branch]) -> bool:
    """Whether two branches may find one occurrence: not those that are runs of different lengths."""
    sizes = {_size(branch) for branch in found}
    return len(found) > 1 and (len(sizes) < len(found) or any(len(branch.leaves) > 1 for branch in found))


def _may_repeat(branch: Branch) -> bool:
    """Whether one occurrence may be found twice: leaves change places, or two things at one time complete it.

    Those are two moments, or a moment and an event that a rule makes of another moment of that time.
    """
    waiting = {register for wait in branch.waits for register in wait.registers}
    others = sum(register not in waiting for _, registers in branch.leaves for register in registers)
    return _repeats(branch) or (bool(branch.waits) and len(branch.waits) + others > 1)


def _repeats(branch: Branch) -> bool:
    """Whether two leaves could change places without anyone noticing: equal ones that are not both named."""
    patterns = [leaf.pattern for leaf, _ in branch.leaves]
    kinds = {each.type if isinstance(each, Primitive) else each for each in patterns}
    return len(kinds) < len(patterns) or (len(patterns) > 1 and any(isinstance(each, AnyEvent) for each in patterns))


def _put_after(earlier: Earlier | None, step: Step, made: plans.Step, build: PlanSteps) -> Earlier | None:
    """Lets a step of a search in order of time know what is chosen before it, and gives what is chosen with it."""
    if isinstance(step, OldestWalk | Choose):
        step.is_ascending, step.earlier = True, earlier
    for register in made.registers:
        earlier = Earlier(build.arenas[register], register, earlier)
    return earlier


class SearchEnd:
    """Where a search ends."""

    def __init__(
        self,
        owner: FamilySearches,
        branch: Branch,
        made: SearchPlan,
        emits: int = -1,
        waits: tuple[Opening, Waiting] | None = None,
    ) -> None:
        self.owner, self.branch, self.made, self.emits, self.waits = owner, branch, made, emits, waits

    @property
    def is_wait(self) -> bool:
        """Whether it ends with a moment to wait for."""
        return self.waits is not None

    def step(self) -> Step:
        """The last step."""
        build = PlanSteps(self.owner, self.made, self.branch)
        order = [build.numbers[register] for _, registers in self.branch.leaves for register in registers]
        if self.waits is None:
            arenas = [build.arenas[register] for register in order]
            firing, touched = self.owner.firing, self.owner.network.touched
            return Emit(firing, self.emits, arenas, order, touched)
        opening, waiting = self.waits
        agenda = self.owner.network.agenda
        points = [build.renumbered_point(point) for point in (opening.due, opening.start, self.branch.end)]
        return scheduled(waiting, agenda, points[0], points[1], points[2], order)
