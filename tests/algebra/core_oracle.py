"""Core automata built another way: with empty steps that stay, and are followed when an event comes.

The library merges states while it builds. Here each operator adds states and empty steps of its own (001 Fig. 10), and a
state looks at, and is left by, all that empty steps lead to. Only for sets of types, without timing and filters.
"""

from __future__ import annotations

from itertools import pairwise

from tocsin.algebra.patterns import (
    Alternation,
    Atom,
    Complement,
    Concatenation,
    Described,
    EventSet,
    Iteration,
    Pattern,
    Run,
    Union,
    Widened,
)
from tocsin.events import Event

TYPES = ("a", "b", "c", "x")
Weak = tuple[int, int, str, int]
Branch = tuple[int, Weak | None, tuple[str, ...]]


def types_of(events: EventSet, universe: frozenset[str]) -> frozenset[str]:
    match events:
        case Described(type=name):
            return frozenset({name})
        case Union(sets=sets):
            return frozenset().union(*(types_of(each, universe) for each in sets))
        case Complement(set=inner):
            return universe - types_of(inner, universe)
    raise AssertionError(events)


class Automaton:
    """States by number; 0 is the start, `last` the end."""

    def __init__(self, pattern: Pattern) -> None:
        self.domain: list[frozenset[str]] = []
        self.edges: dict[int, list[tuple[frozenset[str], int]]] = {}
        self.empty: dict[int, list[tuple[int, bool]]] = {}
        start, self.last = self.part(pattern, frozenset())
        self.start = start

    def state(self) -> int:
        self.domain.append(frozenset())
        return len(self.domain) - 1

    def step(self, source: int, target: int, strong: bool = False) -> None:
        self.empty.setdefault(source, []).append((target, strong))

    def part(self, pattern: Pattern, around: frozenset[str]) -> tuple[int, int]:
        start, end = self.state(), self.state()
        match pattern:
            case Atom(accepts=accepts, domain=domain):
                looks = types_of(domain or accepts, frozenset(TYPES))
                self.domain[start] = looks | around
                self.edges[start] = [(types_of(accepts, looks), end)]
            case Widened(pattern=inner, domain=domain):
                return self.part(inner, around | types_of(domain, frozenset(TYPES)))
            case Concatenation(parts=parts, strong=strong):
                made = [self.part(part, around) for part in parts]
                self.step(start, made[0][0])
                for (_, before), (after, _) in pairwise(made):
                    self.step(before, after, strong)
                self.step(made[-1][1], end)
            case Alternation(parts=parts):
                for part in parts:
                    first, last = self.part(part, around)
                    self.step(start, first)
                    self.step(last, end)
            case Iteration(pattern=inner, least=least, most=most) if (least, most) != (0, None):
                # C C (C (C)?)?: from the end of each copy that may be the last, and past those that may be missing.
                here = start
                for copy in range(least if most is None else most):
                    if copy >= least:
                        self.step(here, end)
                    first, last = self.part(inner, around)
                    self.step(here, first)
                    here = last
                if most is None:
                    first, last = self.part(Iteration(inner), around)
                    self.step(here, first)
                    here = last
                self.step(here, end)
            case Iteration(pattern=inner):
                first, last = self.part(inner, around)
                self.step(start, first)
                self.step(start, end)
                self.step(last, first)
                self.step(last, end)
        return start, end

    def reached(self, state: int) -> set[tuple[int, bool]]:
        """The states that empty steps lead to, each with whether a strong one is among the steps."""
        found, waiting = {(state, False)}, [(state, False)]
        while waiting:
            here, strong = waiting.pop()
            for target, own in self.empty.get(here, []):
                if (target, strong or own) not in found:
                    found.add((target, strong or own))
                    waiting.append((target, strong or own))
        return found


def oracle(pattern: Pattern, events: list[Event], run: Run) -> list[tuple[str, ...]]:
    """The events of each detection."""
    automaton = Automaton(pattern)
    begin: Branch = (automaton.start, None, ())
    branches: list[Branch] = [] if run is Run.EVERY else [begin]
    detected: list[tuple[str, ...]] = []
    for number, event in enumerate(events):
        weak = (event.end, event.start, event.source, number)
        kept: list[Branch] = []
        for branch in dict.fromkeys([*branches, *([begin] if run is Run.EVERY else [])]):
            kept += _next(automaton, branch, event, weak)
        entered = [branch for branch in dict.fromkeys(kept) if branch[1] == weak]
        complete = [branch for branch in entered if any(s == automaton.last for s, _ in automaton.reached(branch[0]))]
        detected += dict.fromkeys(found for _, _, found in complete)
        branches = [b for b in dict.fromkeys(kept) if any(s in automaton.edges for s, _ in automaton.reached(b[0]))]
        if run is Run.EVERY:
            branches = [branch for branch in branches if branch != begin]
        elif run is Run.AGAIN and not branches:
            branches = [begin]
    return detected


def _next(automaton: Automaton, branch: Branch, event: Event, weak: Weak) -> list[Branch]:
    """Where an event leaves a branch: on every transition it takes, where it is, or nowhere."""
    state, last, events = branch
    reached = automaton.reached(state)
    if not any(event.type in automaton.domain[each] for each, _ in reached):
        return [branch]
    weakly = last is None or weak > last
    strongly = last is None or last[0] < event.start
    exits = [(accepts, target, strong) for each, strong in reached for accepts, target in automaton.edges.get(each, [])]
    meant = [(target, strong) for accepts, target, strong in exits if event.type in accepts]
    taken = [target for target, strong in meant if (strongly if strong else weakly)]
    if taken:
        return [(target, weak, (*events, event.id)) for target in taken]
    fails = not meant and (strongly if all(strong for _, _, strong in exits) else weakly)
    return [] if fails else [branch]
