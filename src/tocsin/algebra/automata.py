"""The extended automata of 001 (section 5.1, appendix B): a direct reading of how a core expression becomes one.

Names here <-> paper: `State.domain` is a_S, `Edge.strong` tells a_TS from a_TW, `State.accepting` marks the
generative states of the expression, `State.alarms` those that make a time event.

An empty transition merges its two states (SEMANTICS, CORE): domains unite, all outgoing transitions stay, and a path
over several is strong if any of them is. The merging is done while the automaton is built, so what is built has no
empty transitions: what a part begins with simply leaves every state in which the part before it is complete.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from tocsin.algebra.combining import leaf_occurrence
from tocsin.algebra.occurrence import Bound
from tocsin.algebra.patterns import (
    THIS,
    Alternation,
    Atom,
    Complement,
    Concatenation,
    Described,
    EventSet,
    Everything,
    Intersection,
    Iteration,
    Pattern,
    Timing,
    Union,
    Widened,
    rebuild,
)
from tocsin.algebra.values import Surroundings, holds
from tocsin.events import Event
from tocsin.time.spans import Period

TIME_EVENT = "\0time "
"""The type of a time event that a run makes begins so; the rest is its name in the expression."""


@dataclass(frozen=True)
class Edge:
    """A transition: to which state, on which events, and whether they must strongly follow the last one."""

    target: int
    accepts: EventSet
    domain: EventSet
    strong: bool


@dataclass(frozen=True)
class Alarm:
    """A time event that entering a state makes (001: "an instantaneous time event in the future")."""

    name: str
    when: Period | int


@dataclass
class State:
    """What a state looks at, what leaves it, the time events that entering it makes, and whether it is complete."""

    domain: list[EventSet] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    alarms: list[Alarm] = field(default_factory=list)
    accepting: bool = False

    def look_at(self, domains: tuple[EventSet, ...]) -> None:
        """Widens the domain."""
        self.domain += [each for each in domains if each not in self.domain]


@dataclass(frozen=True)
class Fragment:
    """A part under construction: the states in which it is complete, each with the strength of empty steps to there.

    `empty`: it can also match nothing, so that what follows leaves its own beginning too.
    """

    ends: tuple[tuple[int, bool], ...]
    empty: bool = False


def build(pattern: Pattern) -> list[State]:
    """The automaton of a core expression. State 0 is its start."""
    states = [State()]
    whole = _Builder(states).part(pattern, 0, False, ())
    for end, _ in whole.ends:
        states[end].accepting = True
    return states


class _Builder:
    """Appendix B, one method an operator. `strong`: how a part follows what led to its start; `around`: `[C in S]`."""

    def __init__(self, states: list[State]) -> None:
        self.states = states

    def part(self, pattern: Pattern, start: int, strong: bool, around: tuple[EventSet, ...]) -> Fragment:
        """Adds `pattern` so that it begins in the state `start`."""
        match pattern:
            case Atom():
                return self._atom(pattern, start, strong, around)
            case Widened(pattern=inner, domain=domain):
                return self.part(inner, start, strong, (*around, domain))
            case Alternation(parts=parts):
                found = [self.part(part, start, strong, around) for part in parts]
                ends = tuple(dict.fromkeys(end for each in found for end in each.ends))
                return Fragment(ends, any(each.empty for each in found))
            case Concatenation(parts=parts, strong=link):
                whole = self.part(parts[0], start, strong, around)
                for part in parts[1:]:
                    whole = self._then(whole, part, start, strong, link, around)
                return whole
            case Iteration(pattern=inner):
                return self._iteration(inner, start, strong, around)
            case Timing():
                return self._timing(pattern, start, strong, around)
        raise AssertionError(f"{type(pattern).__name__} is not part of an automaton")

    def _atom(self, atom: Atom, start: int, strong: bool, around: tuple[EventSet, ...]) -> Fragment:
        self.states.append(State())
        target = len(self.states) - 1
        domain = atom.domain or atom.accepts
        self.states[start].look_at((domain, *around))
        self.states[start].edges.append(Edge(target, atom.accepts, domain, strong))
        return Fragment(((target, False),))

    def _then(
        self, before: Fragment, part: Pattern, start: int, strong: bool, link: bool, around: tuple[EventSet, ...]
    ) -> Fragment:
        """C1 C2: C2 leaves every state in which C1 is complete, and C1's own start if C1 may be empty."""
        ends: list[tuple[int, bool]] = []
        for entry, pending in before.ends:
            found = self.part(part, entry, link or pending, around)
            ends += found.ends + (((entry, link or pending),) if found.empty else ())
        empty = False
        if before.empty:
            found = self.part(part, start, strong or link, around)
            ends += found.ends
            empty = found.empty
        return Fragment(tuple(dict.fromkeys(ends)), empty)

    def _iteration(self, inner: Pattern, start: int, strong: bool, around: tuple[EventSet, ...]) -> Fragment:
        """C*: from its end a weak empty step leads back to its beginning; matching nothing is possible too."""
        head = self.states[start]
        known = len(head.edges)
        first = self.part(inner, start, strong, around)
        begins = [replace(edge, strong=False) for edge in head.edges[known:]]
        for end, _ in first.ends:
            state = self.states[end]
            state.look_at((*(edge.domain for edge in begins), *around))
            state.edges += [edge for edge in begins if edge not in state.edges]
        return Fragment(first.ends, empty=True)

    def _timing(self, timing: Timing, start: int, strong: bool, around: tuple[EventSet, ...]) -> Fragment:
        """(C1, C2){T = t}: C1's end makes T, which joins the domain of every state of C2."""
        first = self.part(timing.first, start, strong, around)
        second = _seeing(timing.second, timing.timer)
        inside = (*around, Described(TIME_EVENT + timing.timer))
        ends: list[tuple[int, bool]] = []
        for entry, pending in first.ends:
            self.states[entry].alarms.append(Alarm(timing.timer, timing.when))
            ends += self.part(second, entry, pending, inside).ends
        return Fragment(tuple(dict.fromkeys(ends)))


def _seeing(pattern: Pattern, timer: str) -> Pattern:
    """C2 with its mentions of T meaning the run's own time event, and no event type of that name."""

    def rename(events: EventSet) -> EventSet:
        match events:
            case Described(type=kind) if kind == timer:
                return replace(events, type=TIME_EVENT + timer)
            case Union(sets=sets) | Intersection(sets=sets):
                return replace(events, sets=tuple(rename(each) for each in sets))
            case Complement(set=inner):
                return replace(events, set=rename(inner))
        return events

    def visit(part: Pattern) -> Pattern:
        if isinstance(part, Atom):
            domain = None if part.domain is None else rename(part.domain)
            return replace(part, accepts=rename(part.accepts), domain=domain)
        if isinstance(part, Widened):
            return replace(part, pattern=visit(part.pattern), domain=rename(part.domain))
        return rebuild(part, visit)

    return visit(pattern)


def describes(events: EventSet, event: Event, variables: Mapping[str, Bound], around: Surroundings) -> bool:
    """Whether an event is in a describable set. A filter may speak of earlier events of the run."""
    match events:
        case Described(type=kind, guard=guard):
            if event.type != kind:
                return False
            return holds(guard, {**variables, THIS: leaf_occurrence(event, None)}, around)
        case Everything():
            return not event.type.startswith(TIME_EVENT)
        case Union(sets=sets):
            return any(describes(each, event, variables, around) for each in sets)
        case Intersection(sets=sets):
            return all(describes(each, event, variables, around) for each in sets)
        case Complement(set=inner):
            return not describes(inner, event, variables, around)
    raise AssertionError(f"no meaning for {type(events).__name__}")


def names_given(events: EventSet, event: Event, variables: Mapping[str, Bound], around: Surroundings) -> list[str]:
    """The variables that an accepted event is bound to."""
    match events:
        case Described(name=str(name)) if describes(events, event, variables, around):
            return [name]
        case Union(sets=sets) | Intersection(sets=sets):
            return [name for each in sets for name in names_given(each, event, variables, around)]
    return []
