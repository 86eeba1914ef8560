"""Automata (001): how far the runs of a core expression got, what each was waiting for, and what made it fail.

A candidate here is a branch of a run, with the events it has matched. It is as far from a detection as the shortest way
on to an accepting state has steps, and one more for what made it fail; an event that was meant but came too late stands
in its place and fails the order.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace

from tocsin.algebra.automata import TIME_EVENT, Edge, State, build, describes, names_given
from tocsin.algebra.automaton_runs import Branch, Machine
from tocsin.algebra.combinations import combined
from tocsin.algebra.guards import NAMING, Guard, Now, conjuncts
from tocsin.algebra.guards import walk as walk_guard
from tocsin.algebra.names import members
from tocsin.algebra.occurrence import TIMER, Bound, Occurrence, Weak, weak_order
from tocsin.algebra.patterns import THIS, Automaton, EventSet, Parallel, Pattern
from tocsin.algebra.rules import Rule
from tocsin.algebra.values import Surroundings, evaluate, holds
from tocsin.events import Event
from tocsin.reasons.constraints import CONDITION
from tocsin.reasons.records import (
    ABSENCE,
    CLOCK,
    ENABLED,
    GUARD,
    LATE,
    MISSING,
    ORDER,
    WINDOW,
    Constituent,
    Fired,
    Miss,
    Verdict,
)
from tocsin.reasons.trace import Entry, Leaving, Stepping, Trace, TracedFiring, event_key, occurrence_key
from tocsin.reasons.words import guard_text, set_text, timer_name
from tocsin.time.spans import human_period

MOST_RUNS = 20_000
"""Branches that are looked at."""


class Runs:
    """The runs of one rule's automaton."""

    def __init__(self, trace: Trace, rule: Rule) -> None:
        self.trace, self.rule = trace, rule
        self.own = trace.rules[rule.name]
        self.fired = {occurrence_key(firing.one): firing for firing in self.own.firings}
        self._entries = {event_key(entry.event): entry for entry in trace.entries}
        self.cut = len(self.own.steps) > MOST_RUNS
        self.steps = self.own.steps[-MOST_RUNS:]
        self._leavings: dict[tuple[object, ...], list[Leaving]] = {}
        for leaving in self.own.leavings:
            self._leavings.setdefault(_course(leaving.machine, leaving.branch), []).append(leaving)

    # -- firings -------------------------------------------------------------------------------------------------

    def explained(self, firing: TracedFiring) -> Fired:
        """A firing with the filters that its events passed."""
        chain = self._chain(firing)
        met = [verdict for step in chain for verdict in self._passed(step)]
        met += self._condition(firing.one, firing.now)
        detection = firing.made[0] if firing.made else None
        constituents = self._constituents(firing.one.primitives, firing.one)
        one = firing.one
        return Fired(self.rule.name, detection, one.start, one.end, firing.clock, constituents, tuple(met))

    def _chain(self, firing: TracedFiring) -> list[Stepping]:
        """The steps that led to a firing, the first first."""
        wanted = occurrence_key(firing.one)
        last = next((s for s in self.steps if s.after.found and occurrence_key(s.after.found) == wanted), None)
        chain: list[Stepping] = []
        while last is not None:
            chain.append(last)
            before = last.before
            last = None
            if before.found is not None:
                course = _course(chain[-1].machine, before)
                last = next((s for s in self.steps if _course(s.machine, s.after) == course), None)
        return chain[::-1]

    def _passed(self, step: Stepping) -> list[Verdict]:
        event = step.after.order[-1] if len(step.after.order) > len(step.before.order) else None
        if event is None:
            return []
        known = step.before.found.variables() if step.before.found is not None else {}
        known = {**known, THIS: Occurrence(event.start, event.end, (event,))}
        edges = [e for e in step.machine.states[step.before.state].edges if e.target == step.after.state]
        found: list[Verdict] = []
        for edge in edges:
            for member in members(edge.accepts):
                if member.type == event.type and member.guard is not None:
                    found += _tests(member.guard, known, step.now)
        return found

    def _condition(self, one: Occurrence, now: int) -> list[Verdict]:
        if self.rule.condition is None:
            return []
        return _tests(self.rule.condition, one.variables(), now, is_condition=True)

    def _constituents(self, events: tuple[Event, ...], one: Occurrence | None) -> tuple[Constituent, ...]:
        names: dict[Event, str] = {}
        for name, value in () if one is None else one.bindings:
            for each in (value,) if isinstance(value, Occurrence) else value:
                names |= dict.fromkeys(each.events, name)
        return tuple(Constituent(names.get(event, event.type), event.type, event) for event in events)

    # -- misses --------------------------------------------------------------------------------------------------

    def misses(self) -> list[Miss]:
        """Every branch that came to nothing, the nearest to a detection first."""
        pattern = self.rule.pattern
        assert isinstance(pattern, Automaton)
        if isinstance(pattern.pattern, Parallel):
            made = self._unpaired(pattern.pattern)
        else:
            made = self._of_side(pattern.pattern)
        return sorted(made, key=lambda miss: (miss.distance, *_further(miss)))

    def _of_side(self, side: Pattern) -> list[Miss]:
        """What came to nothing of one automaton."""
        steps = [step for step in self.steps if step.machine.pattern == side]
        went_on = {_course(step.machine, step.before) for step in steps}
        found: dict[tuple[object, ...], Miss] = {}
        for step in steps:
            states, branch = step.machine.states, step.after
            if states[branch.state].accepting:
                miss = self._refused(branch.found, step.now)
                if miss is not None:
                    found.setdefault(("accepted", branch.key), miss)
            elif _course(step.machine, branch) not in went_on:
                for miss in self._unfinished(step, states):
                    found.setdefault((branch.key, miss.failed), miss)
        return list(found.values()) or self._unbegun(side)

    def _refused(self, one: Occurrence | None, now: int) -> Miss | None:
        """What was complete, and what the condition did not let through."""
        if one is None or occurrence_key(one) in self.fired:
            return None
        verdicts = self._condition(one, now)
        failed = tuple(each for each in verdicts if not each.holds)
        if not failed:
            return None
        met = tuple(each for each in verdicts if each.holds)
        return Miss(self.rule.name, self._constituents(one.primitives, one), failed, met, now)

    # -- a run that did not get to its end -----------------------------------------------------------------------

    def _unfinished(self, step: Stepping, states: list[State]) -> list[Miss]:
        branch, found = step.after, []
        way = shortest(states, branch.state)
        if way is None:
            return []
        left = self._leavings.get(_course(step.machine, branch), [])
        end = next((each for each in left if each.fails), None)
        parts = self._constituents(branch.order, branch.found)
        met = tuple(verdict for verdict in self._passed(step))
        rest, lacking = self._continued(branch, way, self.trace.seq if end is None else end.seq)
        ended = [] if end is None else [self._ended(end, states[branch.state], rest)]
        found.append(Miss(self.rule.name, (*parts, *rest), (*ended, *lacking), met, None))
        for each in left:
            late = self._late(each, branch, states)
            if late is not None:
                edge, verdict = late
                more = shortest(states, edge.target) or []
                gaps, missing = self._continued(branch, more, each.seq)
                assert each.event is not None
                placed = (*parts, Constituent(set_text(edge.accepts), each.event.type, each.event))
                found.append(Miss(self.rule.name, (*placed, *gaps), (verdict, *missing), met, None))
        return found

    def _continued(
        self, branch: Branch, way: list[Edge], seq: int
    ) -> tuple[tuple[Constituent, ...], tuple[Verdict, ...]]:
        """What came after an event that would have led on all the same, and what is missing then."""
        known = {} if branch.found is None else branch.found.variables()
        around, due = Surroundings(self.trace.last_arrival), {kind: when for when, kind in branch.timers}
        last = branch.last
        parts: list[Constituent] = []
        missing: list[Verdict] = []
        for number, edge in enumerate(way):
            text, timer = set_text(edge.accepts), _timer_of(edge, due)
            if timer is not None:
                parts.append(Constituent(text, text, Event(TIMER, timer, timer, arrival=timer)))
                if self.trace.until is not None and timer > max(self.trace.until, self.trace.last_arrival):
                    by = timer - max(self.trace.until, self.trace.last_arrival)
                    missing.append(Verdict(CLOCK, f"the time event {text} has come", False, by=by, part=number))
                continue
            entry = None if missing else self._next(edge, known, last, seq, around)
            if entry is None:
                parts.append(Constituent(text, text, None))
                missing.append(_missing(edge, number))
            else:
                event, seq = entry.event, entry.seq
                parts.append(Constituent(text, event.type, event))
                last = weak_order(event)
                names = names_given(edge.accepts, event, known, around)
                known = {**known, **dict.fromkeys(names, Occurrence(event.start, event.end, (event,)))}
        return tuple(parts), tuple(missing)

    def _next(
        self, edge: Edge, known: dict[str, Bound], last: Weak | None, seq: int, around: Surroundings
    ) -> Entry | None:
        """The first event after a place in the run that a transition takes."""
        for entry in self.trace.entries[seq:]:
            event = entry.event
            if entry.refused or event.maker == self.rule.name or self.own.stay_at(entry.seq) is None:
                continue
            follows = last is None or (last[0] < event.start if edge.strong else weak_order(event) > last)
            if follows and describes(edge.accepts, event, known, around):
                return entry
        return None

    def _ended(self, leaving: Leaving, state: State, rest: tuple[Constituent, ...]) -> Verdict:
        """What made a branch fail; `rest` is what came later all the same."""
        wanted = " or ".join(dict.fromkeys(set_text(edge.accepts) for edge in state.edges))
        if leaving.event is None:
            window = self.rule.window
            assert window is not None
            oldest = min(leaving.branch.order, key=lambda event: event.end)
            by = window.scaled(-1).added_to(leaving.now) - oldest.end
            text = f"inside the detection window of {human_period(window)}"
            return Verdict(WINDOW, text, False, events=(oldest,), by=by)
        event = leaving.event
        if _is_timer(event):
            came = next((each.event for each in rest if each.event is not None), None)
            name, late = timer_name(event.type), None if came is None else came.end - event.end
            at = Event(TIMER, event.end, event.end, arrival=event.end)
            moves = () if came is None else ((came, -(came.end - event.end + 1)),)
            text = f"{wanted} before the time event {name}"
            return Verdict(ORDER, text, False, events=(at,), by=late, moves=moves)
        note = "the state looks at it, and no transition takes it"
        return Verdict(ABSENCE, f"nothing else of its domain before {wanted}", False, events=(event,), note=note)

    def _late(self, leaving: Leaving, branch: Branch, states: list[State]) -> tuple[Edge, Verdict] | None:
        """An event that a transition was waiting for, and that does not follow what came before it."""
        event = leaving.event
        if leaving.fails or event is None or branch.found is None:
            return None
        around = Surroundings(leaving.now)
        for edge in states[branch.state].edges:
            if describes(edge.accepts, event, branch.found.variables(), around):
                text = f"{set_text(edge.accepts)} after {branch.order[-1].type if branch.order else 'the one before'}"
                by = branch.found.end - event.start
                last = branch.order[-1] if branch.order else None
                note = f"{event.id or event.type} came when the run had reached {last.id if last else 'a later time'}"
                return edge, Verdict(ORDER, text, False, events=(event,), by=by, note=note, moves=((event, by + 1),))
        return None

    # -- what did not begin --------------------------------------------------------------------------------------

    def _unbegun(self, side: Pattern) -> list[Miss]:
        """Nothing began: what made the only run fail, or what the start waits for."""
        states = build(side)
        way = shortest(states, 0) or []
        ends = [each for each in self.own.leavings if each.machine.pattern == side and each.branch.found is None]
        for each in [each for each in ends if each.fails][:1]:
            rest, lacking = self._continued(each.branch, way, each.seq)
            return [Miss(self.rule.name, rest, (self._ended(each, states[0], rest), *lacking), (), None)]
        missing = tuple(_missing(edge, number) for number, edge in enumerate(way))
        gaps = tuple(Constituent(set_text(e.accepts), set_text(e.accepts), None) for e in way)
        kept = [*self._outside(way[0])] if way else []
        return kept or ([Miss(self.rule.name, gaps, missing, (), None)] if missing else [])

    def _outside(self, edge: Edge) -> list[Miss]:
        """Events that could have begun a run, but that the rule was not shown."""
        found = []
        for entry in self.trace.entries:
            if (entry.refused or self.own.stay_at(entry.seq) is None) and _meant(edge.accepts, entry):
                constituent = Constituent(set_text(edge.accepts), entry.event.type, entry.event)
                found.append(Miss(self.rule.name, (constituent,), (_unseen(entry),), (), None))
        return found[-1:]

    # -- two detectors ---------------------------------------------------------------------------------------------

    def _unpaired(self, pair: Parallel) -> list[Miss]:
        """Of `C1 || C2`: what was paired and refused; what is complete on one side, and lacks the other after it."""
        pairs, alone = self._paired(pair)
        refused = [miss for one, now in pairs if (miss := self._refused(one, now)) is not None]
        lacking: list[Miss] = []
        for side, others in ((pair.left, alone[1]), (pair.right, alone[0])):
            there = self._constituents(others[-1].primitives, others[-1]) if others else ()
            if others and not isinstance(side, Parallel):
                lacking += [_beside(there, miss) for miss in self._of_side(side)[:1]]
        if not pairs and not lacking:
            sides = [self._of_side(side)[:1] for side in _leaves(pair)]
            firsts = [miss for some in sides for miss in some]
            if firsts:
                whole = firsts[0]
                for miss in firsts[1:]:
                    whole = Miss(
                        self.rule.name,
                        (*whole.constituents, *miss.constituents),
                        (*whole.failed, *miss.failed),
                        (*whole.met, *miss.met),
                        None,
                    )
                lacking.append(whole)
        return refused + lacking

    def _paired(self, pattern: Pattern) -> tuple[list[tuple[Occurrence, int]], tuple[list[Occurrence], ...]]:
        """What a side has completed, in order, each with the clock; and what waits on both sides of it at the end."""
        if not isinstance(pattern, Parallel):
            steps = [step for step in self.steps if step.machine.pattern == pattern]
            done = [step for step in steps if step.machine.states[step.after.state].accepting]
            return [(step.after.found, step.now) for step in done if step.after.found is not None], ()
        sides = [self._paired(side)[0] for side in (pattern.left, pattern.right)]
        order = sorted(
            [(now, max((e.number for e in one.events), default=0), place, n)
             for place, side in enumerate(sides) for n, (one, now) in enumerate(side)]
        )  # fmt: skip
        waiting: tuple[list[Occurrence], list[Occurrence]] = ([], [])
        found: list[tuple[Occurrence, int]] = []
        for now, _, place, n in order:
            one = sides[place][n][0]
            found += [(combined(partner, one), now) for partner in waiting[1 - place]]
            waiting[1 - place].clear()
            waiting[place].append(one)
        used = {event for one, _ in found for event in one.events}
        alone = tuple([one for one in some if not used.issuperset(one.events)] for some in waiting)
        return found, alone


def _beside(there: tuple[Constituent, ...], miss: Miss) -> Miss:
    """A miss of one side, with what the other side has."""
    return replace(miss, constituents=(*there, *miss.constituents), time=None)


def _leaves(pattern: Pattern) -> list[Pattern]:
    """The expressions that are detectors of their own."""
    return [*_leaves(pattern.left), *_leaves(pattern.right)] if isinstance(pattern, Parallel) else [pattern]


def _course(machine: Machine, branch: Branch) -> tuple[object, ...]:
    """What a branch is known by, whatever time events it still waits for: one that has rung is the same branch."""
    return (id(machine), *replace(branch, timers=()).key)


def _timer_of(edge: Edge, due: dict[str, int]) -> int | None:
    """When the time event comes that a transition waits for, if it waits for one that the run has made."""
    return next((due[each.type] for each in members(edge.accepts) if each.type in due), None)


def shortest(states: list[State], start: int) -> list[Edge] | None:
    """The fewest transitions from a state to an accepting one, at least one; None if there is no way."""
    ahead: deque[tuple[int, tuple[Edge, ...]]] = deque([(start, ())])
    seen = {start}
    while ahead:
        state, way = ahead.popleft()
        for edge in states[state].edges:
            if states[edge.target].accepting:
                return [*way, edge]
            if edge.target not in seen:
                seen.add(edge.target)
                ahead.append((edge.target, (*way, edge)))
    return None


def _missing(edge: Edge, number: int) -> Verdict:
    text = set_text(edge.accepts)
    return Verdict(MISSING, f"an event {text}", False, note=f"no {text} came that fits", part=number)


def _tests(guard: Guard, known: dict[str, Bound], now: int, *, is_condition: bool = False) -> list[Verdict]:
    around, found = Surroundings(now), []
    for number, part in enumerate(conjuncts(guard)):
        words = dict.fromkeys(each for each in walk_guard(part) if isinstance(each, NAMING | Now))
        values = tuple((guard_text(each), evaluate(each, known, around)) for each in words)
        path = CONDITION if is_condition else ()
        found.append(Verdict(GUARD, guard_text(part), holds(part, known, around), values, path=path, part=number))
    return found


def _meant(events: EventSet, entry: Entry) -> bool:
    return describes(events, entry.event, {}, Surroundings(entry.now))


def _unseen(entry: Entry) -> Verdict:
    if entry.refused:
        text = f"{entry.event.id or entry.event.type} in time for the order of arrival"
        return Verdict(LATE, text, False, events=(entry.event,), note=entry.refused)
    note = "the rule was not enabled when it came"
    return Verdict(ENABLED, "the rule enabled throughout", False, events=(entry.event,), note=note)


def _is_timer(event: Event) -> bool:
    return event.type.startswith(TIME_EVENT)


def _further(miss: Miss) -> tuple[int, int]:
    """Between equally near ones: what lacks nothing first, then the latest."""
    latest = max((each.event.end for each in miss.constituents if each.event is not None), default=0)
    return sum(1 for each in miss.failed if each.kind == MISSING), -latest
