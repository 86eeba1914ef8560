"""An automaton at work (001 section 5.1): runs, their branches, and the events each branch has matched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from tocsin.algebra.automata import TIME_EVENT, Edge, State, build, describes, names_given
from tocsin.algebra.combinations import combined, leaf_occurrence
from tocsin.algebra.occurrence import (
    NO_EVENT,
    Bound,
    Occurrence,
    Tick,
    Weak,
    all_bound,
    bound_again,
    bound_key,
    joined,
    weak_order,
)
from tocsin.algebra.patterns import Parallel, Pattern, Run
from tocsin.algebra.values import Surroundings
from tocsin.algebra.witness import Witness
from tocsin.events import Event
from tocsin.time.spans import Period


@dataclass(frozen=True)
class Branch:
    """A triple of the paper: state, timestamp of the last event, events so far; and the time events it waits for."""

    state: int = 0
    last: Weak | None = None
    found: Occurrence | None = None
    order: tuple[Event, ...] = ()
    timers: tuple[tuple[int, str], ...] = ()
    rung: tuple[str, ...] = ()
    """The time events of exact points that have occurred in its run: each does so once."""

    @property
    def key(self) -> tuple[object, ...]:
        """Equal (state, stamp, events) merge."""
        names = () if self.found is None else tuple((name, bound_key(value)) for name, value in self.found.bindings)
        return (self.state, self.last, self.order, self.timers, self.rung, names)


class Machine:
    """One expression's automaton with its runs. `offer` and `wake` give what is complete."""

    def __init__(self, pattern: Pattern, run: Run, around: Surroundings, step: str = "") -> None:
        self._pattern, self._run, self._around, self._step_name = pattern, run, around, step
        self._begins_often = run is Run.EVERY or run.skips
        self._states: list[State] = build(pattern)
        alarms = [alarm for state in self._states for alarm in state.alarms]
        self._exact = frozenset([alarm.type for alarm in alarms if not isinstance(alarm.when, Period)])
        self.witness: Witness | None = None
        # Where each event may begin a run, runs need not be told apart: a branch belongs to one.
        self._branches: list[Branch] = [] if self._begins_often else [Branch()]
        self._complete: list[Branch] = []
        """Where it skips: what is complete and waits for attempts that began earlier."""

    @property
    def states(self) -> list[State]:
        """The automaton."""
        return self._states

    @property
    def pattern(self) -> Pattern:
        """The expression."""
        return self._pattern

    def all_branches(self) -> list[Branch]:
        """The runs, as far as they have got."""
        return self._branches

    def watch(self, witness: Witness) -> None:
        """Lets somebody hear of what becomes of the branches."""
        self.witness = witness

    def memory(self) -> Any:
        """What it remembers, for `memories.py`."""
        waiting, complete = (
            [(b.state, b.last, b.found, b.order, b.timers, b.rung) for b in some]
            for some in (self._branches, self._complete)
        )
        return ("skips", waiting, complete) if self._run.skips else waiting

    def recall(self, memory: Any) -> None:
        """Goes on from what another remembered."""
        # Earlier releases counted the events, and saved that before the branches.
        branches = memory[1] if isinstance(memory, tuple) else memory
        self._branches = [Branch(*fields) for fields in branches]
        self._complete = [Branch(*fields) for fields in memory[2]] if self._run.skips else []

    def offer(self, event: Event) -> list[Occurrence]:
        """What an event completes. Time events that the total order puts before it come first."""
        return self.ring_before(event) + self.feed(event)

    def feed(self, event: Event) -> list[Occurrence]:
        """What an event completes by itself."""
        weak = weak_order(event)
        waiting: list[Branch] = []
        entered: list[Branch] = []
        for branch in self._branches:
            self._step(branch, event, weak, waiting, entered)
        if self._begins_often:
            self._step(Branch(), event, weak, [], entered)
        return self._settle(waiting, entered)

    def _settle(self, waiting: list[Branch], entered: list[Branch]) -> list[Occurrence]:
        """Keeps the branches that can go on; gives what has just become complete; begins again where that is meant."""
        distinct = list({branch.key: branch for branch in entered}.values())
        complete = [b for b in distinct if b.found is not None and self._states[b.state].accepting]
        self._branches = [branch for branch in (*waiting, *distinct) if self._states[branch.state].edges]
        if not self._branches and self._run is Run.AGAIN:
            self._branches = [Branch()]
        # The same events may complete it in two states, as in `[A] | [A in {A, B}]`: that is one occurrence.
        known = {b.found.key: b for b in complete if b.found is not None}
        if self._run.skips:
            self._complete += known.values()
            return self._released()
        return [b.found for b in known.values() if b.found is not None]

    # -- after a match -------------------------------------------------------------------------------------------

    def _released(self) -> list[Occurrence]:
        """What is complete, once no attempt that began earlier is under way; it ends some of the others."""
        found: list[Occurrence] = []
        while self._complete:
            first = min(self._complete, key=_began)
            if any(_began(branch) < _began(first) for branch in self._branches):
                break
            assert first.found is not None
            found.append(first.found)
            self._complete.remove(first)
            end, is_included = skipped(self._run, self._step_name, first.order, first.found.variables())
            self._branches = [b for b in self._branches if not _is_skipped(b, end, is_included)]
            self._complete = [b for b in self._complete if not _is_skipped(b, end, is_included)]
        return found

    def _step(self, branch: Branch, event: Event, weak: Weak, waiting: list[Branch], entered: list[Branch]) -> None:
        """Moves a branch on every transition it takes; it waits on if the event is none of its business, or fails."""
        state = self._states[branch.state]
        known = branch.found.variables() if branch.found is not None else {}
        if not any(describes(each, event, known, self._around) for each in state.domain):
            waiting.append(branch)
            return
        weakly = branch.last is None or weak > branch.last
        strongly = branch.last is None or branch.last[0] < event.start
        meant = [edge for edge in state.edges if describes(edge.accepts, event, known, self._around)]
        taken = [edge for edge in meant if (strongly if edge.strong else weakly)]
        fails = not meant and (strongly if all(edge.strong for edge in state.edges) else weakly)
        for edge in taken:
            after = self._enter(branch, edge, event, weak)
            entered.append(after)
            if self.witness is not None:
                self.witness.entered(self, branch, after)
        if self.witness is not None and not taken and (branch.found is not None or not self._begins_often):
            self.witness.left(self, branch, event, fails)
        if not taken and not fails:
            waiting.append(branch)

    def _enter(self, branch: Branch, edge: Edge, event: Event, weak: Weak) -> Branch:
        is_time = event.type.startswith(TIME_EVENT)
        one = leaf_occurrence(event, None)
        if is_time:
            # It counts in the stamp and is listed nowhere.
            tick = Tick(self._pattern, event.end, (event.type,))
            one = Occurrence(event.start, event.end, ticks=frozenset({tick}))
        known = branch.found.variables() if branch.found is not None else {}
        names = names_given(edge.accepts, event, known, self._around)
        one = one.binding(joined((), tuple((name, bound_again(one, known.get(name))) for name in sorted(set(names)))))
        found = one if branch.found is None else combined(branch.found, one)
        alarms = self._states[edge.target].alarms
        # A first part that goes on is complete later, and only then counts: its time event is set anew.
        timers = tuple(timer for timer in branch.timers if timer[1] not in [alarm.type for alarm in alarms])
        for alarm in alarms:
            due = alarm.when.added_to(event.end) if isinstance(alarm.when, Period) else alarm.when
            # An exact time that is past never occurs, and none occurs twice.
            if isinstance(alarm.when, Period) or (due >= self._around.now and alarm.type not in branch.rung):
                timers += ((due, alarm.type),)
        order = branch.order if is_time else (*branch.order, event)
        return Branch(edge.target, weak, found, order, timers, branch.rung)

    # -- time events ---------------------------------------------------------------------------------------------

    def next_due(self) -> int | None:
        """When the next time event of any run occurs."""
        return min((due for branch in self._branches for due, _ in branch.timers), default=None)

    def wake(self, due: int) -> list[Occurrence]:
        """What the time events of one instant complete. Each is seen by its own run only."""
        done: list[Occurrence] = []
        while (ringing := next((b for b in self._branches if any(t == due for t, _ in b.timers)), None)) is not None:
            timer = next(timer for timer in ringing.timers if timer[0] == due)
            timers = tuple(each for each in ringing.timers if each != timer)
            rung = (*ringing.rung, timer[1]) if timer[1] in self._exact else ringing.rung
            left = replace(ringing, timers=timers, rung=rung)
            waiting = [branch for branch in self._branches if branch is not ringing]
            entered: list[Branch] = []
            event = Event(timer[1], due, due, arrival=due)
            # It comes first only on a full tie of (hi, lo).
            self._step(left, event, (due, due, *NO_EVENT[2:]), waiting, entered)
            done += self._settle(waiting, entered)
        return done

    def ring_before(self, event: Event) -> list[Occurrence]:
        """What the time events that come before an event of their own instant complete."""
        done: list[Occurrence] = []
        while (
            (due := self.next_due()) is not None and (due, due) <= (event.end, event.start) and due == self._around.now
        ):
            done += self.wake(due)
        return done

    def forget(self, oldest: int) -> None:
        """Drops the branches that have an event older than the window."""
        kept = [b for b in self._branches if all(event.end >= oldest for event in b.order)]
        if self.witness is not None and len(kept) < len(self._branches):
            for branch in [each for each in self._branches if each not in kept]:
                self.witness.left(self, branch, None, True)
        self._branches = kept
        if not self._branches and self._run is Run.AGAIN:
            self._branches = [Branch()]


def skipped(run: Run, step: str, order: tuple[Event, ...], variables: Mapping[str, Bound]) -> tuple[Weak | None, bool]:
    """Up to which event the attempts that began are ended by a match, and whether the one that began with it is, too.

    A step that has taken no event ends nothing.
    """
    if not run.has_step:
        return weak_order(order[0] if run is Run.NEXT else order[-1]), True
    bound = variables.get(step)
    if bound is None:
        return None, False
    ones = all_bound(bound) if isinstance(bound, Occurrence) else bound
    events = [event for one in ones for event in one.events]
    return weak_order((min if run is Run.FIRST else max)(events, key=weak_order)), False


def _began(branch: Branch) -> Weak:
    return weak_order(branch.order[0])


def _is_skipped(branch: Branch, end: Weak | None, is_included: bool) -> bool:
    if end is None:
        return False
    began = _began(branch)
    return began < end or (is_included and began == end)


class Pairing:
    """`C1 || C2`: two detectors; each occurrence pairs with the first of the other that completes after it."""

    def __init__(self, pattern: Parallel, run: Run, around: Surroundings) -> None:
        self._sides = (machine(pattern.left, run, around), machine(pattern.right, run, around))
        self._run = run
        self._waiting: tuple[list[Occurrence], list[Occurrence]] = ([], [])

    def memory(self) -> Any:
        """What it remembers, for `memories.py`."""
        return self._waiting, [side.memory() for side in self._sides]

    def recall(self, memory: Any) -> None:
        """Goes on from what another remembered."""
        self._waiting, sides = memory
        for side, remembered in zip(self._sides, sides, strict=True):
            side.recall(remembered)

    def all_branches(self) -> list[Branch]:
        """The runs of both sides, as far as they have got."""
        return [branch for side in self._sides for branch in side.all_branches()]

    def watch(self, witness: Witness) -> None:
        """Lets somebody hear of what becomes of the branches of both sides."""
        for side in self._sides:
            side.watch(witness)

    def offer(self, event: Event) -> list[Occurrence]:
        """What an event completes on either side, paired; time events that come before it, first."""
        return self.ring_before(event) + self.feed(event)

    def feed(self, event: Event) -> list[Occurrence]:
        """What an event completes on either side by itself, paired."""
        return self._paired([(place, one) for place in (0, 1) for one in self._sides[place].feed(event)])

    def ring_before(self, event: Event) -> list[Occurrence]:
        """What the time events that come before an event complete on either side, paired."""
        return self._paired([(place, one) for place in (0, 1) for one in self._sides[place].ring_before(event)])

    def next_due(self) -> int | None:
        """When either side's next time event occurs."""
        return min((due for side in self._sides if (due := side.next_due()) is not None), default=None)

    def wake(self, due: int) -> list[Occurrence]:
        """What the time events of one instant complete on either side, paired."""
        made = [(p, one) for p in (0, 1) if self._sides[p].next_due() == due for one in self._sides[p].wake(due)]
        return self._paired(made)

    def _paired(self, made: list[tuple[int, Occurrence]]) -> list[Occurrence]:
        found: list[Occurrence] = []
        for place, one in made:
            found += [_both(partner, one) for partner in self._waiting[1 - place]]
            self._waiting[1 - place].clear()
            self._waiting[place].append(one)
        return found

    def forget(self, oldest: int) -> None:
        """Drops what is older than the window."""
        for side, waiting in zip(self._sides, self._waiting, strict=True):
            side.forget(oldest)
            waiting[:] = [one for one in waiting if all(event.end >= oldest for event in one.events)]


def _both(first: Occurrence, last: Occurrence) -> Occurrence:
    """Two occurrences as one. A name that both have bound stands for what the last one has bound it to, the latest."""
    whole, known = combined(first, last), first.variables()
    if known.keys().isdisjoint(last.variables()):
        return whole
    bindings = dict(whole.bindings)
    for name, value in last.bindings:
        if isinstance(value, Occurrence):
            before: Bound | None = known.get(name)
            for each in all_bound(value):
                before = bound_again(each, before)
            assert before is not None
            bindings[name] = before
    return whole.binding(tuple(bindings.items()))


def machine(pattern: Pattern, run: Run, around: Surroundings, step: str = "") -> Machine | Pairing:
    """What detects a core expression."""
    return Pairing(pattern, run, around) if isinstance(pattern, Parallel) else Machine(pattern, run, around, step)
