"""Which rules feed others by name, and in which order rules take what comes: those that feed others first.

A rule that names another takes its composites. Whoever feeds comes before whom it feeds; the order of definition counts
among rules that do not feed one another, and within cycles (SEMANTICS section 7, "One instant").
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from functools import lru_cache

from tocsin.algebra.detectors import types_seen
from tocsin.algebra.names import types_of
from tocsin.algebra.patterns import AnyEvent, Automaton, Primitive, walk
from tocsin.algebra.rules import Disable, Enable, Notify, Rule, Trigger


def mentions(rule: Rule, name: str) -> bool:
    """Whether a rule's pattern or actions refer to an event class (or to a rule as one)."""
    return name in mentioned(rule)


@lru_cache(maxsize=10_000)
def mentioned(rule: Rule) -> frozenset[str]:
    """The event classes (or rules as such) that a rule's pattern and actions refer to."""
    found = {part.type for part in walk(rule.pattern) if isinstance(part, Primitive)}
    found.update(types_of(rule.pattern))
    found.update(action.type for action in rule.actions if isinstance(action, Notify | Trigger))
    return frozenset(found)


class Links:
    """Who feeds whom among some rules. A declared class hides a rule of its name: such a rule feeds nobody."""

    def __init__(self, rules: Mapping[str, Rule], declared: Container[str] = ()) -> None:
        makers = {name for name in rules if name not in declared}
        self.feeders = {name: sorted((mentioned(rule) & makers) - {name}) for name, rule in rules.items()}
        self.used = frozenset(feeder for feeders in self.feeders.values() for feeder in feeders)
        """The rules whose composites others take."""
        self.cascades = any(self.feeders[name] and not rule.strict for name, rule in rules.items())
        """Whether rules take together what comes at once: those of GEM scripts go event by event."""
        places = {name: place for place, name in enumerate(rules)}
        self.order = [name for group in _groups(self.feeders) for name in sorted(group, key=places.__getitem__)]
        """All rules, those that feed others first."""
        self.waits_for_triggers = self._hearing_triggers(rules)
        """The rules that what is triggered reaches, near or far: it comes at its instant, after what has arrived."""

    def _hearing_triggers(self, rules: Mapping[str, Rule]) -> frozenset[str]:
        triggering = [rule for rule in rules.values() if any(isinstance(each, Trigger) for each in rule.actions)]
        if not self.cascades or not triggering:
            return frozenset()
        near = {name for name, rule in rules.items() if any(_triggers_for(each, rule) for each in triggering)}
        return frozenset(near | {name for name in rules if not near.isdisjoint(self.feeding(name))})

    def feeding(self, name: str) -> Iterator[str]:
        """All that a rule's detections depend on, near and far, but for itself."""
        seen, ahead = {name}, list(self.feeders[name])
        while ahead:
            feeder = ahead.pop()
            if feeder not in seen:
                seen.add(feeder)
                ahead += self.feeders[feeder]
                yield feeder


def _groups(feeders: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """The rules, each after those that feed it; those that feed one another in a circle as one group (Tarjan)."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    inside: set[str] = set()
    found: list[list[str]] = []
    for root in feeders:
        ahead = [(root, 0)]
        while ahead:
            name, place = ahead.pop()
            if place == 0:
                if name in number:
                    continue
                number[name] = lowest[name] = len(number)
                stack.append(name)
                inside.add(name)
            else:
                before = feeders[name][place - 1]
                if before in inside:
                    lowest[name] = min(lowest[name], lowest[before])
            if place < len(feeders[name]):
                ahead += [(name, place + 1), (feeders[name][place], 0)]
            elif lowest[name] == number[name]:
                at = stack.index(name)
                found.append(stack[at:])
                inside.difference_update(stack[at:])
                del stack[at:]
    return found


def tied(one: Rule, other: Rule) -> bool:
    """Whether what one of two rules makes is seen by the other, or one switches the other."""
    return any(_reaches(*pair) for pair in ((one, other), (other, one)))


def _reaches(one: Rule, other: Rule) -> bool:
    """Whether what a rule does reaches another."""
    if any(isinstance(action, Enable | Disable) and action.rule == other.name for action in one.actions):
        return True
    return _triggers_for(one, other) or one.name in _seen(other)


def _triggers_for(one: Rule, other: Rule) -> bool:
    """Whether a rule sees what another triggers."""
    triggered = {action.type for action in one.actions if isinstance(action, Trigger)}
    return bool(triggered) and (sees_any(other) or not triggered.isdisjoint(_seen(other)))


def _seen(rule: Rule) -> set[str]:
    """The event classes (or rules as such) in a rule's pattern."""
    return {part.type for part in walk(rule.pattern) if isinstance(part, Primitive)} | set(types_of(rule.pattern))


def sees_any(rule: Rule) -> bool:
    """Whether a rule does not say which types it sees."""
    if isinstance(rule.pattern, Automaton):
        return types_seen(rule.pattern) is None
    return any(isinstance(part, AnyEvent) for part in walk(rule.pattern))
