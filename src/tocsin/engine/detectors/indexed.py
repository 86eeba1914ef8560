"""Rules that remember more than events: the detectors of the plain meaning over memories that have an index."""

from __future__ import annotations

from collections.abc import Iterator

from tocsin.algebra import detectors
from tocsin.algebra.detectors import Detector, Due, Setting
from tocsin.algebra.growth import Makers
from tocsin.algebra.occurrence import Occurrence, chronology
from tocsin.algebra.patterns import Automaton
from tocsin.algebra.rules import LANGUAGE_CONTEXTS, SEARCHED, Rule
from tocsin.engine.detectors.gathering import Gathering
from tocsin.engine.detectors.limited import Limited
from tocsin.engine.detectors.machines import machine
from tocsin.engine.detectors.partitioned import IndexedPartitions
from tocsin.engine.detectors.pooled_nodes import PooledMakers, PooledWaiting
from tocsin.engine.detectors.vicinity import Searching, vicinity
from tocsin.plan.gatherings import gathering_shape


class IndexedAutomaton(detectors.AutomatonDetector):
    """An automaton whose events meet only the branches that they concern."""

    def __init__(self, rule: Rule, setting: Setting, since: int) -> None:
        super().__init__(rule, setting, since)
        assert isinstance(rule.pattern, Automaton)
        self._machine = machine(rule.pattern.pattern, rule.pattern.run, self.around, rule.pattern.step)


class IndexedConsuming(detectors.Consuming):
    """A consuming context whose nodes find partners by what is known of them."""

    def makers(self) -> Makers:
        return PooledMakers(self.setting.granularity)

    def pending(self) -> Iterator[tuple[Due, int, Occurrence]]:
        """Of each node what is due first."""
        for index, (_, node) in enumerate(self._waiting):
            assert isinstance(node, PooledWaiting)
            if (one := node.first()) is not None:
                yield Due(one.end, False, ("tick", *chronology(one)[:2])), index, one


def remembering(rule: Rule, setting: Setting, since: int) -> Detector:
    """What runs a rule that does not run in the network."""
    return IndexedPartitions(rule, setting, since, _one) if rule.partition else _one(rule, setting, since)


def _one(rule: Rule, setting: Setting, since: int) -> Detector:
    """What runs it for all events, or for those of one partition."""
    if isinstance(rule.pattern, Automaton):
        return IndexedAutomaton(rule, setting, since)
    if (rule.context or LANGUAGE_CONTEXTS[rule.language]) not in SEARCHED:
        return IndexedConsuming(rule, setting, since)
    shape = gathering_shape(rule.pattern)
    if shape is not None:
        return Gathering(rule, setting, since, shape)
    distance = vicinity(rule.guarded, setting.granularity)
    if distance is not None:
        return Searching(rule, setting, since, distance)
    return Limited(rule, setting, since)
