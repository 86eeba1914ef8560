"""Automata in the engine: runs as in `algebra/automaton_runs.py`, whose events meet only the branches they concern.

What a branch does with an event is as there; what is remembered is the same, and saved in the same form.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import Any

from tocsin.algebra import automaton_runs
from tocsin.algebra.automata import TIME_EVENT, Edge, describes, names_given
from tocsin.algebra.combinations import leaf_occurrence
from tocsin.algebra.occurrence import NO_EVENT, Bound, Occurrence, Tick, Weak, bound_again, joined, weak_order
from tocsin.algebra.patterns import Parallel, Pattern, Run
from tocsin.algebra.values import Surroundings
from tocsin.engine.detectors.branches import Branch, Path, Waiting
from tocsin.engine.detectors.reach import Reach
from tocsin.engine.network.vectors import FAR
from tocsin.events import Event
from tocsin.time.spans import Period


class Machine(automaton_runs.Machine):
    """One expression's automaton with its runs."""

    def __init__(self, pattern: Pattern, run: Run, around: Surroundings, step: str = "") -> None:
        super().__init__(pattern, run, around, step)
        self._waiting = Waiting(len(self._states), run.skips)
        self._finished: list[tuple[Weak, int, Branch]] = []
        """Where it skips: what is complete and waits for attempts that began earlier, by where it began."""
        self._number = 0
        self._reaches: dict[str, list[Reach]] = {}
        self._nowhere = Path(None, ())
        self._start = self._beginning()
        if not self._begins_often:
            self._waiting.put(self._beginning())

    def _beginning(self) -> Branch:
        return Branch(0, None, None, None, self._nowhere, (), {})

    def memory(self) -> Any:
        waiting, complete = (
            [(b.state, b.last, b.found(), b.path.order(), b.timers, b.rung) for b in some]
            for some in (self._waiting.all(), [each for _, _, each in sorted(self._finished, key=_number)])
        )
        return ("skips", waiting, complete) if self._run.skips else waiting

    def recall(self, memory: Any) -> None:
        # Earlier releases counted the events, and saved that before the branches.
        branches = memory[1] if isinstance(memory, tuple) else memory
        self._waiting = Waiting(len(self._states), self._run.skips)
        self._finished, self._number = [], 0
        paths: dict[tuple[int, ...], Path] = {(): self._nowhere}
        for fields in branches:
            self._waiting.put(_recalled(fields, paths))
        for fields in memory[2] if self._run.skips else ():
            self._finish(_recalled(fields, paths))

    def branches(self) -> int:
        """How many wait."""
        return self._waiting.count

    # -- events ----------------------------------------------------------------------------------------------------

    def feed(self, event: Event) -> list[Occurrence]:
        """What an event completes by itself."""
        weak = weak_order(event)
        reaches = self._reached(event.type)
        if not reaches:
            return []
        this = leaf_occurrence(event, None)
        paths: dict[Path, Path] = {}
        entered: list[Branch] = []
        for branch, reach in self._waiting.concerned(reaches, this):
            if self._steps(branch, reach, event, weak, paths, entered):
                self._waiting.take_out(branch)
        if self._begins_often and reaches[0].place == 0:
            self._steps(self._start, reaches[0], event, weak, paths, entered)
        return self._entered(entered)

    def _reached(self, kind: str) -> list[Reach]:
        """The states that look at events of a type."""
        found = self._reaches.get(kind)
        if found is None:
            every = [Reach(place, state, kind) for place, state in enumerate(self._states)]
            found = self._reaches[kind] = [reach for reach in every if reach.domain]
        return found

    def _steps(
        self, branch: Branch, reach: Reach, event: Event, weak: Weak, paths: dict[Path, Path], entered: list[Branch]
    ) -> bool:
        """Moves a branch on every transition it takes. Whether it waits there no longer: it has gone on, or failed."""
        around, known = self._around, branch.variables
        for each in reach.domain:
            if describes(each, event, known, around):
                break
        else:
            return False
        last = branch.last
        weakly = last is None or weak > last
        strongly = last is None or last[0] < event.start
        is_meant = is_taken = False
        for edge in reach.edges:
            if describes(edge.accepts, event, known, around):
                is_meant = True
                if strongly if edge.strong else weakly:
                    is_taken = True
                    entered.append(self._after(branch, edge, event, weak, paths))
        if is_meant:
            return is_taken
        return strongly if reach.only_strong else weakly

    def _after(self, branch: Branch, edge: Edge, event: Event, weak: Weak, paths: dict[Path, Path]) -> Branch:
        """The branch that a transition leads to."""
        variables, path = branch.variables, branch.path
        if event.type.startswith(TIME_EVENT):
            # It counts in the stamp and is listed nowhere.
            tick = Tick(self._pattern, event.end, (event.type,))
            one = Occurrence(event.start, event.end, ticks=frozenset({tick}))
        else:
            one = leaf_occurrence(event, None)
            known = paths.get(path)
            if known is None:
                known = paths[path] = Path(path, (event,))
            path = known
        names = names_given(edge.accepts, event, variables, self._around)
        if names:
            given: tuple[tuple[str, Bound], ...] = tuple(
                [(name, bound_again(one, variables.get(name))) for name in dict.fromkeys(names)]
            )
            variables = dict(joined(tuple(variables.items()), given))
        timers = self._timers(branch, edge, event)
        return Branch(edge.target, weak, branch, one, path, timers, variables, branch.rung)

    def _timers(self, branch: Branch, edge: Edge, event: Event) -> tuple[tuple[int, str], ...]:
        """The time events that a branch waits for after a step."""
        alarms = self._states[edge.target].alarms
        if not alarms:
            return branch.timers
        # A first part that goes on is complete later, and only then counts: its time event is set anew.
        timers = tuple([timer for timer in branch.timers if timer[1] not in [alarm.type for alarm in alarms]])
        for alarm in alarms:
            due = alarm.when.added_to(event.end) if isinstance(alarm.when, Period) else alarm.when
            # An exact time that is past never occurs, and none occurs twice.
            if isinstance(alarm.when, Period) or (due >= self._around.now and alarm.type not in branch.rung):
                timers += ((due, alarm.type),)
        return timers

    def _entered(self, entered: list[Branch]) -> list[Occurrence]:
        """Keeps the branches that can go on; gives what has just become complete; begins again where that is meant."""
        complete: list[Occurrence] = []
        finished: dict[tuple[object, ...], Branch] = {}
        for branch in entered if len(entered) < 2 else _distinct(entered):
            state = self._states[branch.state]
            if state.accepting and (found := branch.found()) is not None:
                complete.append(found)
                if self._run.skips:
                    finished[found.key] = branch
            if state.edges:
                self._waiting.put(branch)
        self._begin_again()
        if self._run.skips:
            for branch in finished.values():
                self._finish(branch)
            return self._released()
        # The same events may complete it in two states, as in `[A] | [A in {A, B}]`: that is one occurrence.
        return complete if len(complete) < 2 else list({one.key: one for one in complete}.values())

    # -- after a match ---------------------------------------------------------------------------------------------

    def _finish(self, branch: Branch) -> None:
        """One is complete, and waits for attempts that began earlier."""
        assert branch.path.began is not None
        heappush(self._finished, (branch.path.began, self._number, branch))
        self._number += 1

    def _released(self) -> list[Occurrence]:
        released: list[Occurrence] = []
        while self._finished:
            began = self._finished[0][0]
            earliest = self._waiting.first_begun()
            if earliest is not None and earliest < began:
                break
            branch = heappop(self._finished)[2]
            found = branch.found()
            assert found is not None
            released.append(found)
            end, is_included = automaton_runs.skipped(self._run, self._step_name, branch.path.order(), branch.variables)
            if end is not None:
                self._waiting.skip(end, is_included)
                while self._finished and (self._finished[0][0] < end or (is_included and self._finished[0][0] == end)):
                    heappop(self._finished)
        return released

    def _begin_again(self) -> None:
        if self._run is Run.AGAIN and not self._waiting.count:
            self._waiting.put(self._beginning())

    # -- time events -----------------------------------------------------------------------------------------------

    def next_due(self) -> int | None:
        """When the next time event of any run occurs."""
        first = self._waiting.first_due()
        return None if first is None else first[0]

    def wake(self, due: int) -> list[Occurrence]:
        """What the time events of one instant complete. Each is seen by its own run only."""
        done: list[Occurrence] = []
        while (first := self._waiting.first_due()) is not None and first[0] == due:
            ringing = first[1]
            self._waiting.take_out(ringing)
            timer = next(timer for timer in ringing.timers if timer[0] == due)
            ringing.timers = tuple([each for each in ringing.timers if each != timer])
            if timer[1] in self._exact:
                ringing.rung = (*ringing.rung, timer[1])
            event = Event(timer[1], due, due, arrival=due)
            entered: list[Branch] = []
            reach = next((each for each in self._reached(timer[1]) if each.place == ringing.state), None)
            if reach is None or not self._steps(ringing, reach, event, (due, due, *NO_EVENT[2:]), {}, entered):
                self._waiting.put(ringing)
            done += self._entered(entered)
        return done

    def forget(self, oldest: int) -> None:
        """Drops the branches that have an event older than the window."""
        for branch in self._waiting.older(oldest):
            self._waiting.take_out(branch)
        self._begin_again()


def _number(finished: tuple[Weak, int, Branch]) -> int:
    return finished[1]


def _recalled(fields: Any, paths: dict[tuple[int, ...], Path]) -> Branch:
    """A branch as it was saved."""
    state, last, found, order, timers, *rung = fields
    path = paths.setdefault(tuple([id(event) for event in order]), Path(None, tuple(order)))
    variables = {} if found is None else found.variables()
    return Branch(state, last, None, found, path, timers, variables, rung[0] if rung else ())


def _distinct(entered: list[Branch]) -> list[Branch]:
    """Equal (state, stamp, events) merge. They have come by one event, so the stamp is the same."""
    alike: dict[tuple[object, ...], list[int]] = {}
    found: list[Branch] = []
    for branch in entered:
        places = alike.setdefault((branch.state, branch.path, branch.timers, branch.rung), [])
        names = branch.names() if places else ()
        for place in places:
            if found[place].names() == names:
                found[place] = branch
                break
        else:
            places.append(len(found))
            found.append(branch)
    return found


class Pairing(automaton_runs.Pairing):
    """`C1 || C2`: two detectors; each occurrence pairs with the first of the other that completes after it."""

    def __init__(self, pattern: Parallel, run: Run, around: Surroundings) -> None:
        super().__init__(pattern, run, around)
        self._sides = (machine(pattern.left, run, around), machine(pattern.right, run, around))
        self._oldest = -FAR
        self._most = 16

    def forget(self, oldest: int) -> None:
        """Drops what is older than the window: what waits for a partner, when it is looked at or much has gathered."""
        for side in self._sides:
            side.forget(oldest)
        self._oldest = max(self._oldest, oldest)  # a time event that is past sets the clock back
        if len(self._waiting[0]) + len(self._waiting[1]) > self._most:
            self._drop_old()
            self._most = 16 + 2 * (len(self._waiting[0]) + len(self._waiting[1]))

    def memory(self) -> Any:
        self._drop_old()
        return super().memory()

    def _paired(self, made: list[tuple[int, Occurrence]]) -> list[Occurrence]:
        if made:
            self._drop_old()
        return super()._paired(made)

    def _drop_old(self) -> None:
        for waiting in self._waiting:
            if any(event.end < self._oldest for one in waiting for event in one.events):
                waiting[:] = [one for one in waiting if all(event.end >= self._oldest for event in one.events)]


def machine(
    pattern: Pattern, run: Run, around: Surroundings, step: str = ""
) -> automaton_runs.Machine | automaton_runs.Pairing:
    """What detects a core expression."""
    return Pairing(pattern, run, around) if isinstance(pattern, Parallel) else Machine(pattern, run, around, step)
