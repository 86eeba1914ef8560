"""Automata (001): how far the runs of a core expression got, what each was waiting for, and what made it fail.

A candidate here is a branch of a run, with the events it has matched. It is as far from a detection as the shortest way
on to an accepting state has steps, and one more for what made it fail; an event that was meant but came too late stands
in its place and fails the order.
"""

from __future__ import annotations

from collections import deque

from tocsin.algebra.automata import TIME_EVENT, Edge, State, build, describes
from tocsin.algebra.guards import NAMING, Guard, Now, conjuncts
from tocsin.algebra.guards import walk as walk_guard
from tocsin.algebra.names import members
from tocsin.algebra.occurrence import Bound, Occurrence
from tocsin.algebra.patterns import THIS, EventSet, Parallel
from tocsin.algebra.patterns import Detector as Automaton
from tocsin.algebra.rules import Rule
from tocsin.algebra.running import Branch
from tocsin.algebra.values import Surroundings, evaluate, holds
from tocsin.events import Event
from tocsin.reasons.constraints import CONDITION
from tocsin.reasons.records import (
    ABSENCE,
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
from tocsin.reasons.trace import Entry, Firing, Leaving, Stepping, Trace, event_key, occurrence_key
from tocsin.reasons.words import guard_text, set_text
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
            self._leavings.setdefault(leaving.branch.key, []).append(leaving)

    # -- firings -------------------------------------------------------------------------------------------------

    def explained(self, firing: Firing) -> Fired:
        """A firing with the filters that its events passed."""
        chain = self._chain(firing)
        met = [verdict for step in chain for verdict in self._passed(step)]
        met += self._condition(firing.one, firing.now)
        detection = firing.made[0] if firing.made else None
        constituents = self._constituents(firing.one.primitives, firing.one)
        one = firing.one
        return Fired(self.rule.name, detection, one.start, one.end, firing.clock, constituents, tuple(met))

    def _chain(self, firing: Firing) -> list[Stepping]:
        """The steps that led to a firing, the first first."""
        wanted = occurrence_key(firing.one)
        last = next((s for s in self.steps if s.after.found and occurrence_key(s.after.found) == wanted), None)
        chain: list[Stepping] = []
        while last is not None:
            chain.append(last)
            before = last.before
            last = None
            if before.found is not None:
                last = next((s for s in self.steps if s.after.key == before.key), None)
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
        went_on = {step.before.key for step in self.steps}
        found: dict[tuple[object, ...], Miss] = {}
        for step in self.steps:
            states, branch = step.machine.states, step.after
            if states[branch.state].accepting:
                miss = self._refused(step)
                if miss is not None:
                    found.setdefault(("accepted", branch.key), miss)
            elif branch.key not in went_on:
                for miss in self._unfinished(step, states):
                    found.setdefault((branch.key, miss.failed), miss)
        made = list(found.values()) or self._unbegun()
        return sorted(made, key=lambda miss: (miss.distance, *_further(miss)))

    def _refused(self, step: Stepping) -> Miss | None:
        """A run that was complete, and that the condition did not let through."""
        one = step.after.found
        if one is None or occurrence_key(one) in self.fired:
            return None
        verdicts = self._condition(one, step.now)
        failed = tuple(each for each in verdicts if not each.holds)
        if not failed:
            return None
        met = tuple(each for each in verdicts if each.holds)
        return Miss(self.rule.name, self._constituents(step.after.order, one), failed, met, step.now)

    def _unfinished(self, step: Stepping, states: list[State]) -> list[Miss]:
        branch, found = step.after, []
        way = shortest(states, branch.state)
        if way is None:
            return []
        missing = [_missing(edge, number) for number, edge in enumerate(way)]
        left = self._leavings.get(branch.key, [])
        end = [each for each in left if each.fails][:1]
        ended = [self._ended(each, states[branch.state]) for each in end]
        parts = self._constituents(branch.order, branch.found)
        met = tuple(verdict for verdict in self._passed(step))
        empty = tuple(Constituent(set_text(edge.accepts), set_text(edge.accepts), None) for edge in way)
        found.append(Miss(self.rule.name, (*parts, *empty), (*ended, *missing), met, None))
        for each in left:
            late = self._late(each, branch, states)
            if late is not None:
                edge, verdict = late
                rest = shortest(states, edge.target) or []
                more = [_missing(other, number) for number, other in enumerate(rest)]
                assert each.event is not None
                placed = (*parts, Constituent(set_text(edge.accepts), each.event.type, each.event))
                gaps = tuple(Constituent(set_text(e.accepts), set_text(e.accepts), None) for e in rest)
                found.append(Miss(self.rule.name, (*placed, *gaps), (verdict, *more), met, None))
        return found

    def _ended(self, leaving: Leaving, state: State) -> Verdict:
        """What made a branch fail."""
        wanted = " or ".join(dict.fromkeys(set_text(edge.accepts) for edge in state.edges))
        if leaving.event is None:
            window = self.rule.window
            assert window is not None
            oldest = min(leaving.branch.order, key=lambda event: event.end)
            by = window.scaled(-1).added_to(leaving.now) - oldest.end
            text = f"inside the detection window of {human_period(window)}"
            return Verdict(WINDOW, text, False, events=(oldest,), by=by)
        note = "" if _is_timer(leaving.event) else "the state looks at it, and no transition takes it"
        text = f"nothing else of its domain before {wanted}"
        return Verdict(ABSENCE, text, False, events=(leaving.event,), note=note)

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
                return edge, Verdict(ORDER, text, False, events=(event,), by=by, note=note)
        return None

    def _unbegun(self) -> list[Miss]:
        """Nothing began: what the start waits for."""
        pattern = self.rule.pattern
        assert isinstance(pattern, Automaton)
        inner = pattern.pattern
        while isinstance(inner, Parallel):
            inner = inner.left
        way = shortest(build(inner), 0) or []
        missing = tuple(_missing(edge, number) for number, edge in enumerate(way))
        gaps = tuple(Constituent(set_text(e.accepts), set_text(e.accepts), None) for e in way)
        kept = [*self._outside(way[0])] if way else []
        return kept or ([Miss(self.rule.name, gaps, missing, (), None)] if missing else [])

    def _outside(self, edge: Edge) -> list[Miss]:
        """Events that could have begun a run, but that the rule was not shown."""
        found = []
        for entry in self.trace.entries:
            if (entry.refused or self.own.stay_at(entry.seq) is None) and _meant(edge.accepts, entry):
                failed = _unseen(entry)
                found.append(
                    Miss(
                        self.rule.name,
                        (Constituent(set_text(edge.accepts), entry.event.type, entry.event),),
                        (failed,),
                        (),
                        None,
                    )
                )
        return found[-1:]


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
