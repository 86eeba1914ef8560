"""Rules beside the network that look for the same: one detector for all of them, each with its own condition.

The network shares by itself. What does not run there (cumulative contexts, automata that branch or wait, 2g stamps) is
shared rule by rule: whose pattern, context and window are equal, and who were enabled together, remember the same.

That holds as long as nothing comes between what two of them do at one moment. So rules are shared only where no rule
makes events for others or switches them; `Engine` sees to that.
"""

from __future__ import annotations

from typing import Final

from tocsin.algebra.detectors import Detector, Due, Setting
from tocsin.algebra.memories import Recaller, Recorder
from tocsin.algebra.occurrence import Occurrence
from tocsin.algebra.patterns import Automaton
from tocsin.algebra.rules import LANGUAGE_CONTEXTS, SEARCHED, Rule
from tocsin.algebra.values import holds
from tocsin.engine.detectors.indexed import remembering
from tocsin.events import Event

NOBODY: Final = "\0nobody"
"""The name of what rules have in common: no event is made by it."""


def common_part(rule: Rule) -> Rule:
    """What a rule has in common with others that may share its detector: what it looks for, without its condition.

    Where all combinations are searched the condition is part of that: it decides what is used up.
    """
    context = rule.context or LANGUAGE_CONTEXTS[rule.language]
    is_searched = context in SEARCHED and not isinstance(rule.pattern, Automaton)
    condition = rule.condition if is_searched else None
    language = "gem" if rule.forgets_used else "python"
    return Rule(
        NOBODY, rule.pattern, language, condition, context, rule.window, strict=rule.strict, partition=rule.partition
    )


class Answer:
    """What a detector said to an event or a moment: for each rule that shares it to hear."""

    def __init__(self, due: Due | None, found: list[Occurrence], refused: int, incomparable: dict[str, int]) -> None:
        self.due, self.found, self.refused, self.incomparable = due, found, refused, incomparable


class Common:
    """The detector of all rules that share it."""

    def __init__(self, rule: Rule, setting: Setting, since: int) -> None:
        self.rule, self.setting, self.since = rule, setting, since
        self.detector = remembering(rule, setting, since)
        self.is_fresh = True
        """Whether it has seen nothing yet: then others may still join."""
        self.sharers: list[Shared] = []
        self._event: Event | None = None
        self._answer = Answer(None, [], 0, {})
        self.woken: list[Answer] = []
        """What moments have brought that not all have heard of yet."""

    def take(self, event: Event, now: int) -> Answer:
        """What an event brings: worked out for the first who asks."""
        if event is not self._event:
            self.is_fresh, self._event = False, event
            refused = self.detector.refused
            found = self.detector.take(event, now)
            self._answer = self._said(None, found, refused)
        return self._answer

    def wake(self, due: Due, with_periodic: bool) -> None:
        """Lets a moment come; what it brings is kept until all have heard of it."""
        self.is_fresh = False
        refused = self.detector.refused
        found = self.detector.wake(due, with_periodic=with_periodic)
        self.woken.append(self._said(due, found, refused))

    def _said(self, due: Due | None, found: list[Occurrence], refused: int) -> Answer:
        incomparable = self.detector.around.incomparable
        answer = Answer(due, found, self.detector.refused - refused, dict(incomparable))
        incomparable.clear()
        return answer

    def forget_heard(self) -> None:
        """Drops what all have heard of."""
        heard = min((sharer.heard for sharer in self.sharers), default=len(self.woken))
        del self.woken[:heard]
        for sharer in self.sharers:
            sharer.heard -= heard

    def copied(self) -> Common:
        """Another that remembers the same, for a rule that goes its own way from here on."""
        other = Common(self.rule, self.setting, self.since)
        events: list[Event] = []
        places: dict[int, int] = {}

        def place(event: Event) -> int:
            if id(event) not in places:
                places[id(event)] = len(events)
                events.append(event)
            return places[id(event)]

        record = Recorder(self.rule.pattern, place).record(self.detector.memory())
        other.recall(Recaller(self.rule.pattern, events.__getitem__).recall(record))
        other.detector.around.now = self.detector.around.now
        return other

    def recall(self, memory: object) -> None:
        """Goes on from what another remembered."""
        self.detector.recall(memory)
        self.is_fresh = False


class Shared(Detector):
    """A rule whose detector others may share: its condition, and what it has heard of."""

    def __init__(self, rule: Rule, setting: Setting, since: int, common: Common) -> None:
        super().__init__(rule, setting, since)
        self.condition = rule.condition if common.rule.condition is None else None
        """What this rule asks besides."""
        self.heard = 0
        self.common = common
        self.join(common)

    def join(self, common: Common) -> None:
        """Shares that detector from now on."""
        self.common, self.heard = common, len(common.woken)
        self.alarms = common.detector.alarms
        common.sharers.append(self)

    def leave(self) -> None:
        """Shares it no longer."""
        self.common.sharers = [each for each in self.common.sharers if each is not self]
        self.common.forget_heard()

    def wants(self, event: Event) -> bool:
        """Whether the rule looks at such events at all."""
        return event.maker != self.rule.name and self.common.detector.wants(event)

    def take(self, event: Event, now: int) -> list[Occurrence]:
        """What the arrival of an event makes the rule fire for."""
        return self._heard(self.common.take(event, now), now)

    def _heard(self, answer: Answer, now: int) -> list[Occurrence]:
        self.around.now = now
        self.refused += answer.refused
        for kind, count in answer.incomparable.items():
            self.around.incomparable[kind] = self.around.incomparable.get(kind, 0) + count
        if self.condition is None:
            return answer.found
        return [one for one in answer.found if holds(self.condition, one.variables(), self.around)]

    def next_due(self, *, with_periodic: bool = True) -> Due | None:
        """The next moment the rule waits for, or has not heard of yet."""
        if self.heard < len(self.common.woken):
            return self.common.woken[self.heard].due
        return self.common.detector.next_due(with_periodic=with_periodic)

    def wake(self, due: Due, *, with_periodic: bool = True) -> list[Occurrence]:
        """What a moment that has come makes the rule fire for."""
        if self.heard == len(self.common.woken):
            self.common.wake(due, with_periodic)
        answer = self.common.woken[self.heard]
        self.heard += 1
        self.common.forget_heard()
        return self._heard(answer, due.time)

    def memory(self) -> object:
        """What the rule remembers, for `memories.py`."""
        return self.common.detector.memory()

    def recall(self, memory: object) -> None:
        """Goes on from what a detector of the same rule remembered, by itself."""
        self.leave()
        own = Common(self.common.rule, self.setting, self.around.now)
        own.recall(memory)
        self.join(own)

    def arrive(self, arrival: Event) -> list[Occurrence]:
        raise AssertionError("the detector that it shares takes its events")

    def forget(self, now: int) -> None:
        raise AssertionError("the detector that it shares forgets for it")

    def remembered(self) -> object:
        raise AssertionError("the detector that it shares remembers for it")

    def remember(self, memory: object) -> None:
        raise AssertionError("the detector that it shares remembers for it")


class Sharing:
    """The detectors that rules share, by what they look for."""

    def __init__(self) -> None:
        self._commons: dict[Rule, Common] = {}

    def joined(self, rule: Rule, setting: Setting, since: int) -> Shared:
        """What runs a rule from now on: with others that look for the same and start now, too."""
        part = common_part(rule)
        common = self._commons.get(part)
        if common is None or not common.is_fresh or common.since != since:
            common = self._commons[part] = Common(part, setting, since)
        return Shared(rule, setting, since, common)


def part_ways(sharers: list[Shared]) -> None:
    """Lets every rule remember for itself from now on: what they do may concern each other now."""
    for one in sharers:
        if len(one.common.sharers) > 1:
            own = one.common.copied()
            one.leave()
            one.join(own)
