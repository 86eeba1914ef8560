"""The extended automata of 001 (section 5.1, appendix B): a direct reading of how a core expression becomes one.

Names here <-> paper: `State.domain` is a_S, `Edge.strong` tells a_TS from a_TW, `State.accepting` marks the
generative states of the expression, `State.alarms` those that make a time event.

An empty transition merges its two states (SEMANTICS, CORE): domains unite, all outgoing transitions stay, and a path
over several is strong if any of them is. The merging is done while the automaton is built, so what is built has no
empty transitions: what a part begins with simply leaves every state in which the part before it is complete (001,
note 2). Every atom is one state, whatever leads to it, so an automaton is as large as its expression; `C{2,5}` is as
large as five of C.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from tocsin.algebra.combinations import leaf_occurrence
from tocsin.algebra.names import members, retyped
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
    Parallel,
    Pattern,
    Timing,
    Union,
    Widened,
    walk,
)
from tocsin.algebra.values import Surroundings, holds
from tocsin.errors import Fault
from tocsin.events import Event
from tocsin.time.spans import Period

TIME_EVENT = "\0time "
"""The type of a time event that a run makes begins so; the rest tells which timing makes it, and its name there."""


@dataclass(frozen=True)
class Edge:
    """A transition: to which state, on which events, and whether they must strongly follow the last one."""

    target: int
    accepts: EventSet
    strong: bool


@dataclass(frozen=True)
class Alarm:
    """A time event that entering a state makes (001: "an instantaneous time event in the future")."""

    type: str
    when: Period | int


@dataclass(eq=False)
class State:
    """What a state looks at, what leaves it, the time events that entering it makes, and whether it is complete."""

    domain: list[EventSet] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    alarms: list[Alarm] = field(default_factory=list)
    accepting: bool = False

    def look_at(self, *domains: EventSet) -> None:
        """Widens the domain."""
        self.domain += [each for each in domains if each not in self.domain]

    def leave_by(self, *edges: Edge) -> None:
        """Adds outgoing transitions."""
        self.edges += [each for each in edges if each not in self.edges]


Steps = dict[State, bool]
"""States with the strength of the empty steps that lead on from each."""


@dataclass(frozen=True)
class Fragment:
    """A part under construction: the states in which it is complete.

    `empty` is how strong it is where it matches nothing, so that what follows leaves its own beginning too; None if
    it cannot match nothing.
    """

    ends: Steps
    empty: bool | None = None


def build(pattern: Pattern) -> list[State]:
    """The automaton of a core expression. State 0 is its start."""
    states = [State()]
    whole = _Builder(states).part(pattern, {states[0]: False}, ())
    for end in whole.ends:
        end.accepting = True
    return states


class _Builder:
    """Appendix B, one method an operator. `entries`: the states a part begins in; `around`: the S of `[C in S]`."""

    def __init__(self, states: list[State]) -> None:
        self.states = states

    def part(self, pattern: Pattern, entries: Steps, around: tuple[EventSet, ...]) -> Fragment:
        """Adds `pattern` so that it begins in the states `entries`."""
        match pattern:
            case Atom():
                return self._atom(pattern, entries, around)
            case Widened(pattern=inner, domain=domain):
                every = _maximal(domain)
                return self.part(inner, entries, (*around, _within(_naming(domain, every), every)))
            case Alternation(parts=parts):
                found = [self.part(part, entries, around) for part in parts]
                empties = [each.empty for each in found if each.empty is not None]
                return Fragment(_weakest(*(each.ends for each in found)), all(empties) if empties else None)
            case Concatenation(parts=parts, strong=link):
                whole = self.part(parts[0], entries, around)
                for part in parts[1:]:
                    whole = self._then(whole, part, entries, link, around)
                return whole
            case Iteration():
                return self._quantified(pattern, entries, around)
            case Timing():
                return self._timing(pattern, entries, around)
        raise AssertionError(f"{type(pattern).__name__} is not part of an automaton")

    def _atom(self, atom: Atom, entries: Steps, around: tuple[EventSet, ...]) -> Fragment:
        every = _maximal(atom.accepts, atom.domain)
        domain = _within(_naming(atom.domain or atom.accepts, every), every)
        # [!E in S] is [S without E in S], whatever else a state that is merged with others looks at.
        accepts = domain if atom.domain is None else _within(_naming(atom.accepts, every), domain)
        target = State()
        self.states.append(target)
        for state, strong in entries.items():
            state.look_at(domain, *around)
            state.leave_by(Edge(len(self.states) - 1, accepts, strong))
        return Fragment({target: False})

    def _then(
        self, before: Fragment, part: Pattern, entries: Steps, link: bool, around: tuple[EventSet, ...]
    ) -> Fragment:
        """C1 C2: C2 leaves every state in which C1 is complete, and C1's own beginning if C1 may be empty."""
        starts = _stepped(before.ends, link)
        if before.empty is not None:
            starts = _weakest(starts, _stepped(entries, before.empty or link))
        found = self.part(part, starts, around)
        if found.empty is None:
            return found
        ends = _weakest(found.ends, _stepped(before.ends, link or found.empty))
        return Fragment(ends, None if before.empty is None else before.empty or link or found.empty)

    def _quantified(self, loop: Iteration, entries: Steps, around: tuple[EventSet, ...]) -> Fragment:
        """C{n,m}, as `C C (C (C)?)?`: so many, one weakly after the other, of which those from n on may be missing.

        `C?` is what 001 makes of `C*` without the way back: a weak empty step leads past it. `C{n,}` ends with `C*`.
        """
        if loop.least == 0 and loop.most is None:
            return self._iteration(loop.pattern, entries, around)
        if loop.most is None:
            needed = (*(loop.pattern,) * loop.least, Iteration(loop.pattern))
            return self.part(Concatenation(needed, strong=False), entries, around)
        whole: Fragment | None = None
        if loop.least:
            whole = self.part(Concatenation((loop.pattern,) * loop.least, strong=False), entries, around)
        starts = entries if whole is None else _after(whole, entries)
        ends: Steps = {} if whole is None else dict(whole.ends)
        for _ in range(loop.most - loop.least):
            made = self.part(loop.pattern, starts, around)
            ends = _weakest(ends, made.ends)
            starts = _after(made, starts)
        return Fragment(ends, False if whole is None else whole.empty)

    def _iteration(self, inner: Pattern, entries: Steps, around: tuple[EventSet, ...]) -> Fragment:
        """C*: from its end a weak empty step leads back to its beginning; matching nothing is possible too."""
        again = State()  # what a further round begins with
        first = self.part(inner, {**entries, again: False}, around)
        for end, pending in first.ends.items():
            end.look_at(*again.domain)
            end.leave_by(*(replace(edge, strong=edge.strong or pending) for edge in again.edges))
        return Fragment(first.ends, empty=False)

    def _timing(self, timing: Timing, entries: Steps, around: tuple[EventSet, ...]) -> Fragment:
        """(C1, C2){T = t}: C1's end makes T, which joins the domain of every state of C2.

        A C1 that matches nothing is not detected, so it makes no T, and C2 does not begin.
        """
        first = self.part(timing.first, entries, around)
        kind = f"{TIME_EVENT}{len(self.states)} {timing.timer}"
        for end in first.ends:
            end.alarms.append(Alarm(kind, timing.when))
        # In C2 the name means the run's own time event, and no event type.
        seeing = retyped(timing.second, {timing.timer: kind})
        second = self.part(seeing, first.ends, (*around, Described(kind)))
        if second.empty is None:
            return Fragment(second.ends)
        return Fragment(_weakest(second.ends, _stepped(first.ends, second.empty)))


PARTS = (Atom, Widened, Concatenation, Alternation, Iteration, Timing)
"""What an automaton is built from."""


def automaton_faults(pattern: Pattern) -> Iterator[Fault]:
    """What no automaton can be built from. `||` is for the top, where it makes detectors of their own."""
    if isinstance(pattern, Parallel):
        yield from automaton_faults(pattern.left)
        yield from automaton_faults(pattern.right)
        return
    for part in walk(pattern):
        if isinstance(part, Parallel):
            hint = "make it a rule of its own, and use that by its name"
            yield Fault("'||' runs two detectors, so it stands only at the top of an expression", part.span, hint=hint)
        elif not isinstance(part, PARTS):
            yield Fault(f"'{type(part).__name__.lower()}' is no part of an automaton", part.span)
        elif isinstance(part, Iteration) and (part.most is not None and not 0 < part.most >= part.least):
            yield Fault(f"so many, at least {part.least} and at most {part.most}, is not possible", part.span)
        elif isinstance(part, Timing) and isinstance(part.when, Period) and not part.when.is_positive:
            yield Fault("a time event comes later than what it is counted from", part.span, "a span above zero")


def _after(part: Fragment, entries: Steps) -> Steps:
    """Where what weakly follows a part begins: where it is complete, and where it began if it may be empty."""
    starts = _stepped(part.ends, strong=False)
    return starts if part.empty is None else _weakest(starts, _stepped(entries, part.empty))


def _stepped(states: Steps, strong: bool) -> Steps:
    """The same states after one more empty step: a path is strong if any of its steps is."""
    return {state: pending or strong for state, pending in states.items()}


def _weakest(*ways: Steps) -> Steps:
    """All the states; where several ways lead on from one, the weakest, which allows what the others do."""
    found: Steps = {}
    for way in ways:
        for state, pending in way.items():
            found[state] = found.get(state, True) and pending
    return found


def _maximal(*named: EventSet | None) -> Everything:
    """The maximal set for an atom or a domain: the primitive events, and every type that is named there."""
    types = (member.type for each in named if each is not None for member in members(each))
    return Everything(tuple(dict.fromkeys(types)))


def _naming(events: EventSet, every: Everything) -> EventSet:
    """A set whose `*` is that maximal set."""
    match events:
        case Everything():
            return every
        case Union(sets=sets) | Intersection(sets=sets):
            return replace(events, sets=tuple(_naming(each, every) for each in sets))
        case Complement(set=inner):
            return replace(events, set=_naming(inner, every))
    return events


def _within(events: EventSet, universe: EventSet) -> EventSet:
    """A set with its complements taken in a universe: an atom's domain, or else the maximal set (001 A.2)."""
    match events:
        case Union(sets=sets) | Intersection(sets=sets):
            return replace(events, sets=tuple(_within(each, universe) for each in sets))
        case Complement(set=inner):
            return Intersection((universe, Complement(_within(inner, universe))))
    return events


def describes(events: EventSet, event: Event, variables: Mapping[str, Bound], around: Surroundings) -> bool:
    """Whether an event is in a describable set. A filter may speak of earlier events of the run."""
    match events:
        case Described(type=kind, guard=guard):
            if event.type != kind or guard is None:
                return event.type == kind
            return holds(guard, {**variables, THIS: leaf_occurrence(event, None)}, around)
        case Everything(named=named):
            is_seen = not event.is_composite or event.type in named
            return is_seen and not event.type.startswith(TIME_EVENT)
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


# -- chains: one way on from each state ---------------------------------------------------------------------------


def leading_on(state: State) -> Described:
    """What leads on from a state of a chain."""
    accepts = state.edges[0].accepts
    assert isinstance(accepts, Described)
    return accepts


def is_time(event: Described) -> bool:
    """Whether it stands for a time event that a run makes."""
    return event.type.startswith(TIME_EVENT)


def looked_at(state: State) -> list[Described]:
    """The types and filters that a state looks at; names make no difference there."""
    found: list[Described] = []
    left = list(state.domain)
    while left:
        one = left.pop(0)
        if isinstance(one, Described):
            found.append(replace(one, name=None))
        elif isinstance(one, Union):
            left = [*one.sets, *left]
    return list(dict.fromkeys(found))
