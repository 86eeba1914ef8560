"""Rules that feed others, on the engine: what comes together is taken by the network at once, and told rule by rule.

`Evaluation.cascade` lets each rule take what arrived and what was made for it, those that feed others first. The
network takes an event for all its rules when it comes, and a composite when it is made: nothing that feeds
one of them comes later. What it finds is kept until the rule has its turn. An automaton takes what comes together in
weak order, so its steps are put off until then (`Firing.put_off`).
"""

from __future__ import annotations

from dataclasses import replace

from tocsin.algebra.detectors import Detector
from tocsin.algebra.occurrence import Occurrence, chronology, weak_order
from tocsin.algebra.patterns import Automaton
from tocsin.algebra.rules import Rule
from tocsin.engine.network.agenda import Waiting
from tocsin.engine.network.automaton import ChainNode
from tocsin.engine.network.firings import Firing
from tocsin.engine.network.numbers import SPREAD
from tocsin.engine.rule_set import Native, RuleSet
from tocsin.events import Event


class Cascade(RuleSet):
    """The rules of a program, where some take what others make."""

    def gather(self) -> None:
        self.build()
        self.network.search.is_stepping = True
        for name, one in self.interpreter.running.items():
            if isinstance(one, Native) and one.firing is not None and isinstance(one.rule.pattern, Automaton):
                one.firing.puts_off = bool(self.interpreter.links.feeders[name])

    def settle(self) -> None:
        self._found.clear()

    def numbered(self, event: Event) -> Event:
        numbered = self._stored(event)
        self.network.take_made(numbered, numbered.number)
        self._collect()
        return numbered

    def _stored(self, event: Event) -> Event:
        """An event with its number, where rules of the network will find it."""
        network = self.network
        if event.maker:
            self._number += 1
        else:
            self._number = int(network.store.next_made()) * int(SPREAD)
        numbered = replace(event, number=self._number)
        network.set_clock(self.interpreter.time, self.interpreter.clock)
        network.store.make(numbered, self._number)
        return numbered

    def _collect(self) -> None:
        """Keeps what the network has just found, until the rules have their turn."""
        for firing in self.network.fired:
            for rule, occurrence in self._occurrences(firing):
                self._found.setdefault(rule.name, []).append(occurrence)
        self.network.fired.clear()

    def _occurrences(self, firing: Firing) -> list[tuple[Rule, Occurrence]]:
        """What was found, the oldest first, with the rules it is for."""
        stride, used, store = int(firing.stride), int(firing.used), self.network.store
        ones = [(at, firing.occurrence(at, store)) for at in range(0, used, stride)]
        ones.sort(key=lambda each: chronology(each[1]))
        firing.used = 0
        return [(rule, one) for at, one in ones for rule in firing.rules_at(at)]

    def met(self, one: Detector, events: list[Event], over: int | None) -> list[Occurrence]:
        if not isinstance(one, Native):
            return self.evaluation.met_by(one, events, over)
        if one.firing is not None and one.firing.puts_off:
            root = self.builder.roots.get(one.firing)
            if isinstance(root, ChainNode):
                root.holds_time = over is None and self.evaluation.has_more_to_come(one)
            self._catch_up(one.firing)
        found = self._found.pop(one.rule.name, [])
        return found if over is None else found + self._ended(one, over)

    def _catch_up(self, firing: Firing) -> None:
        """Lets an automaton take what was put off for it, and for those that share its states, in weak order."""
        network, root = self.network, self.builder.roots.get(firing)
        sharing = [each for each, other in self.builder.roots.items() if other is root]
        put_off = [(number, step, row) for each in sharing for number, step, row in each.put_off]
        for each in sharing:
            each.put_off.clear()
            each.puts_off = False
        numbers = dict.fromkeys([number for number, _, _ in put_off])
        network.set_clock(self.interpreter.time, self.interpreter.clock)
        for event in sorted([network.store.event(number) for number in numbers], key=weak_order):
            network.go_on([(step, row) for number, step, row in put_off if number == event.number], event)
            self._collect()
        for each in sharing:
            each.puts_off = True

    def _ended(self, one: Native, over: int) -> list[Occurrence]:
        found: list[Occurrence] = []
        while self.network.end_window(self._waitings(one), over):
            self._collect()
            found += self._found.pop(one.rule.name, [])
        return found

    def is_due(self, one: Detector) -> bool:
        if not isinstance(one, Native):
            return self.evaluation.is_due_for(one)
        return any(waiting.key() >> 1 <= self.interpreter.time for waiting in self._waitings(one))

    def _waitings(self, one: Native) -> list[Waiting]:
        return [] if one.firing is None else list(self.builder.waitings[one.firing].values())
