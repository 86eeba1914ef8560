"""What the parts of rules hold while events come: what waits, from when to when, and what became of it.

Rules that are searched remember events, which stay until they leave the window or, in `generic`, are used up; those
that use up at their nodes remember occurrences there, and automata remember runs. A *holding* is one of these, with the
step at which it came to be, and the one at which it ended, and how.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from typing import Any, Final

from tocsin.algebra.combinations import accepts
from tocsin.algebra.contexts import Node, Pair
from tocsin.algebra.detectors import AutomatonDetector, Consuming, Detector
from tocsin.algebra.notes import Notes
from tocsin.algebra.occurrence import TIMER, Occurrence
from tocsin.algebra.order import OutOfOrder, heard_sources, ordering
from tocsin.algebra.partitions import Partitions, partition_of
from tocsin.algebra.patterns import AnyEvent, Automaton, Pattern, Primitive, walk
from tocsin.algebra.replay import evaluated_together, gives_whole_instants
from tocsin.algebra.rules import Context, Order, Program, Rule
from tocsin.algebra.witness import Witness
from tocsin.engine.engine import Engine
from tocsin.events import Arrival, Detection, Event
from tocsin.planner.durations import lasting
from tocsin.reasons.trace import context_of, event_key, is_searched
from tocsin.reasons.words import written
from tocsin.runtime.clocks import Group, by_order

USED, EXPIRED, REPLACED, DROPPED = "used", "expired", "replaced", "dropped"
"""A firing or a combination used it up; it left the window; something newer took its place; it can go on no more."""
MOST: Final = 20_000
"""Holdings that are told."""

Key = tuple[str, str, tuple[str, ...]]
"""A rule, a part of its pattern, and the ids of the events that it holds there."""


@dataclass
class Holding:
    """Something that a part of a rule holds, from one step to another."""

    rule: str
    part: str
    events: tuple[str, ...]
    since: int
    until: int | None = None
    end: str = ""

    def record(self) -> dict[str, Any]:
        """As plain values."""
        told = {"rule": self.rule, "part": self.part, "events": list(self.events), "from": self.since}
        return told if self.until is None else {**told, "to": self.until, "end": self.end}


class Holdings:
    """The holdings of some rules of a program, as arrivals come."""

    def __init__(
        self, program: Program, names: Set[str], order: Order, granularity: int | None, sources: Iterable[str]
    ) -> None:
        self._clocks = [_Clock(group, names, granularity, list(sources)) for group in by_order(program, order)]
        self._now: dict[Key, Holding] = {}
        self.told: list[Holding] = []
        self.is_cut = False

    def take(self, arrival: Arrival) -> None:
        """More comes."""
        for clock in self._clocks:
            clock.take(arrival)

    def step(self, number: int) -> int | None:
        """Notes what is held now, as that of a step; the next moment that some rule waits for."""
        keys = dict.fromkeys(key for clock in self._clocks for key in clock.held())
        for key in [key for key in self._now if key not in keys]:
            ended = self._now.pop(key)
            ended.until, ended.end = number, self._end(ended)
        for key in keys:
            if key not in self._now:
                held = self._now[key] = Holding(*key, number)
                if len(self.told) < MOST:
                    self.told.append(held)
                else:
                    self.is_cut = True
        for clock in self._clocks:
            clock.forget_ends()
        return min((due for clock in self._clocks if (due := clock.due()) is not None), default=None)

    def _end(self, held: Holding) -> str:
        for clock in self._clocks:
            if held.rule in clock.watched:
                return clock.end_of(held)
        return DROPPED


class _Clock(Witness):
    """The rules of one order of arrival, run and watched."""

    def __init__(self, group: Group, names: Set[str], granularity: int | None, sources: list[str]) -> None:
        self.watched = names & group.heard
        self._order = group.order
        plain = frozenset(rule.name for rule in group.program.rules if not is_searched(rule))
        self._monitor = Engine(group.program, granularity, Notes(), plain=plain)
        self._monitor.witness = self
        self._ordering = ordering(group.order, sources, heard_sources(group.program))
        self._searched = [_Searched(each) for each in group.program.rules if each.name in self.watched - plain]
        self._detectors: dict[str, Detector] = {}
        self._now = 0
        self._used: set[tuple[str, str]] = set()
        self._replaced: set[tuple[str, str]] = set()

    def take(self, arrival: Arrival) -> None:
        releases = [each for each in self._ordering.offer(arrival) if not isinstance(each, OutOfOrder)]
        for together in evaluated_together(iter(releases), self._order):
            self._monitor.take_together(together, is_whole=gives_whole_instants(self._order))
            self._now = max([self._now, *(each.now for each in together)])
        self._monitor.drain()

    def due(self) -> int | None:
        """The next moment that some rule waits for."""
        found = self._monitor.due_next(True)
        return None if found is None else found[0].time

    # -- what is held ------------------------------------------------------------------------------------------------

    def held(self) -> Iterator[Key]:
        """Everything that is held now."""
        for each in self._searched:
            each.forget(self._now)
            yield from each.held()
        for name, detector in self._detectors.items():
            for pattern, events in _remembered(detector):
                ids = tuple(event.id for event in events if event.type != TIMER)
                if ids:
                    yield name, written(pattern), ids

    def end_of(self, held: Holding) -> str:
        """How a holding came to its end at this step."""
        for searched in self._searched:
            if searched.rule.name == held.rule:
                return USED if (held.rule, held.events[0]) in self._used else EXPIRED
        mine = [(held.rule, id) for id in held.events]
        if any(each in self._used for each in mine):
            return USED
        if any(each in self._replaced for each in mine):
            return REPLACED
        return EXPIRED if held.rule in self._detectors and self._has_window(held.rule) else DROPPED

    def _has_window(self, rule: str) -> bool:
        return self._detectors[rule].rule.window is not None

    def forget_ends(self) -> None:
        """What ended at the last step is told."""
        self._used.clear()
        self._replaced.clear()

    # -- what happens ------------------------------------------------------------------------------------------------

    def enabled(self, detector: Detector, now: int) -> None:
        name = detector.rule.name
        if name in self.watched and not is_searched(detector.rule):
            self._detectors[name] = detector
            detector.watch(_Inside(name, self._used, self._replaced))

    def shown(self, event: Event, now: int) -> None:
        self._now = max(self._now, now)
        for each in self._searched:
            each.show(event, now)

    def fired(self, rule: Rule, one: Occurrence, now: int, clock: int, made: list[Detection]) -> None:
        if rule.name not in self.watched:
            return
        for searched in self._searched:
            if searched.rule.name == rule.name and searched.uses_up:
                searched.use(one)
                self._used.update((rule.name, event.id) for event in one.events)
        if rule.name in self._detectors:
            self._used.update((rule.name, event.id) for event in one.events)


class _Inside(Witness):
    """Hears of what happens inside one rule."""

    def __init__(self, rule: str, used: set[tuple[str, str]], replaced: set[tuple[str, str]]) -> None:
        self._rule, self._used, self._replaced = rule, used, replaced

    def took(self, node: Node, one: Occurrence, partners: list[Occurrence]) -> None:
        self._used.update((self._rule, event.id) for each in (one, *partners) for event in each.events)

    def replaced(self, node: Node, one: Occurrence, older: list[Occurrence]) -> None:
        self._replaced.update((self._rule, event.id) for each in older for event in each.events)


class _Searched:
    """A rule that remembers events, by the leaves that they can stand for."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.uses_up = context_of(rule) == Context.GENERIC
        self._leaves = [part for part in walk(rule.pattern) if isinstance(part, Primitive | AnyEvent)]
        self._leaves = list({written(part): part for part in self._leaves}.values())
        self._window = rule.window or lasting(rule)
        self._held: list[tuple[str, Event]] = []

    def show(self, event: Event, now: int) -> None:
        if event.maker == self.rule.name or event.end < self._edge(now):
            return
        if self.rule.partition and partition_of(event, self.rule.partition) is None:
            return
        self._held += [(written(leaf), event) for leaf in self._leaves if accepts(leaf, event, None)]

    def use(self, one: Occurrence) -> None:
        keys = set(map(event_key, one.events))
        self._held = [each for each in self._held if event_key(each[1]) not in keys]

    def forget(self, now: int) -> None:
        edge = self._edge(now)
        self._held = [each for each in self._held if each[1].end >= edge]

    def held(self) -> Iterator[Key]:
        for part, event in self._held:
            yield self.rule.name, part, (event.id,)

    def _edge(self, now: int) -> int:
        return -(2**62) if self._window is None else self._window.scaled(-1).added_to(now)


def _remembered(detector: Detector) -> Iterator[tuple[Pattern, tuple[Event, ...]]]:
    """What a rule remembers besides events alone, by the part that does."""
    if isinstance(detector, Consuming):
        yield from _of_node(detector.root)
    elif isinstance(detector, Partitions):
        for part in detector.parts.values():
            yield from _remembered(part)
    elif isinstance(detector, AutomatonDetector):
        pattern = detector.rule.pattern
        assert isinstance(pattern, Automaton)
        yield from ((pattern.pattern, branch.order) for branch in detector.branches)


def _of_node(node: Node) -> Iterator[tuple[Pattern, tuple[Event, ...]]]:
    own = node.remembered()
    if isinstance(node, Pair):
        for place, part in enumerate(node.parts[:2]):
            yield from ((part.pattern, one.events) for one in _occurrences(own[place]))
    else:
        yield from ((node.pattern, one.events) for one in _occurrences(own))
    for part in node.parts:
        yield from _of_node(part)


def _occurrences(memory: Any) -> Iterator[Occurrence]:
    """The occurrences in what a node remembers, however it keeps them."""
    if isinstance(memory, Occurrence):
        yield memory
    elif isinstance(memory, list | tuple):
        for each in memory:
            yield from _occurrences(each)
