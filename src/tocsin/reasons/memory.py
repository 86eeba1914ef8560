"""What a rule could see at a moment of the run: shown while it was enabled, not used up yet, and not too old."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from tocsin.algebra.occurrence import TIMER
from tocsin.algebra.partitions import partition_of
from tocsin.algebra.patterns import AnyEvent, At, AtInstant, Every, Pattern, Primitive, walk
from tocsin.algebra.rules import Context, Rule
from tocsin.algebra.scene import FAR, History
from tocsin.algebra.values import Surroundings
from tocsin.events import Event
from tocsin.reasons.trace import Entry, EventKey, Stay, Trace, TracedFiring, context_of, event_key


@dataclass(frozen=True, order=True)
class Moment:
    """A moment of the run: the rules' clock, and how many events had been shown. `is_closing`: a window is over.

    `in_hindsight`, everything that ever came is known, whatever became of it. `is_beyond`: what is looked at has left
    the detection window, which it fails; everything else is then judged as if the window were wide enough.
    """

    now: int
    seq: int
    is_closing: bool = False
    in_hindsight: bool = False
    is_beyond: bool = False

    @property
    def settled(self) -> int:
        """Windows that end by then are over."""
        return self.now if self.is_closing else self.now - 1


class Memory:
    """The events of one rule's run (of one `partition`, if it has any), by type and time, with what became of each."""

    def __init__(self, trace: Trace, rule: Rule, partition: str | None = None) -> None:
        self.trace, self.rule = trace, rule
        self.own = trace.rules[rule.name]
        self.entries = [entry for entry in trace.seen(rule) if entry.event.maker != rule.name]
        if rule.partition:
            self.entries = [each for each in self.entries if partition_of(each.event, rule.partition) == partition]
        self.by_key: dict[EventKey, Entry] = {event_key(entry.event): entry for entry in self.entries}
        self.by_number = {entry.event.number: entry for entry in self.entries if entry.event.type != TIMER}
        self._by_type: dict[str, list[Entry]] = {}
        for entry in sorted(self.entries, key=lambda entry: entry.event.end):
            self._by_type.setdefault(entry.event.type, []).append(entry)
        self._ends = {kind: [entry.event.end for entry in found] for kind, found in self._by_type.items()}
        self.declared = trace.declared if rule.strict else None
        self.is_punctual = all(entry.event.end <= entry.now for entry in self.entries)
        """Whether no event was stamped later than the clock when it came."""
        self._uses: dict[EventKey, TracedFiring] = {}
        if context_of(rule) == Context.GENERIC:
            for firing in self.own.firings:
                for event in firing.one.events:
                    self._uses.setdefault(event_key(event), firing)

    def entry(self, event: Event) -> Entry:
        """How the rule came to see an event."""
        return self.by_key[event_key(event)]

    def used_by(self, event: Event) -> TracedFiring | None:
        """The firing that used an event up, in `generic`."""
        return self._uses.get(event_key(event))

    def lower_edge(self, now: int) -> int:
        """The oldest time that is still inside the rule's detection window."""
        return -FAR if self.rule.window is None else self.rule.window.scaled(-1).added_to(now)

    def refusal(self, entry: Entry) -> str:
        """Why the rule was not shown an event that came while it was enabled."""
        if entry.refused:
            return entry.refused
        if entry.event.end < self.lower_edge(entry.now):
            return "older than the detection window when it came"
        return ""

    def stay_of(self, entry: Entry) -> Stay | None:
        """The time for which the rule was enabled when an event was shown."""
        if entry.event.type == TIMER:
            return next((s for s in self.own.stays if s.since <= entry.seq and s.since_now <= entry.now), None)
        return self.own.stay_at(entry.seq)

    def of_type(self, leaf: Pattern) -> Iterator[Entry]:
        """The events that a leaf could stand for by their type, in order of time."""
        if isinstance(leaf, AnyEvent):
            every = (one for one in self.entries if one.event.type != TIMER and not one.event.is_composite)
            yield from sorted(every, key=lambda entry: entry.event.end)
        else:
            yield from self._by_type.get(leaf.type if isinstance(leaf, Primitive) else TIMER, ())

    def history(self, pattern: Pattern, moment: Moment, first: int = -FAR, last: int = FAR) -> History:
        """What the rule can look for `pattern` in at a moment, as far as it ends from `first` to `last`."""
        stay = self._stay(moment)
        edge = first if moment.in_hindsight or moment.is_beyond else max(first, self.lower_edge(moment.now))
        found: list[Entry] = []
        for kind in self._types(pattern):
            ends = self._ends.get(kind, [])
            some = self._by_type.get(kind, [])[bisect_left(ends, edge) : bisect_right(ends, last)]
            found += [entry for entry in some if self._has_come(entry, moment, stay)]
        found.sort(key=lambda entry: entry.event.number)
        there = [entry.event for entry in found if not self._is_used(entry, moment)]
        used = [] if self.rule.forgets_used else [entry.event for entry in found if self._is_used(entry, moment)]
        around = Surroundings(moment.now)
        return History(there, moment.now, moment.settled, self.trace.granularity, self.declared, around, used)

    def _types(self, pattern: Pattern) -> set[str]:
        kinds: set[str] = set()
        for part in walk(pattern):
            match part:
                case Primitive(type=kind):
                    kinds.add(kind)
                case AnyEvent():
                    return set(self._by_type)
                case At() | AtInstant() | Every():
                    kinds.add(TIMER)
        return kinds

    def _stay(self, moment: Moment) -> Stay | None:
        stays = [s for s in self.own.stays if s.since <= moment.seq and s.since_now <= moment.now]
        return stays[-1] if stays else None

    def _has_come(self, entry: Entry, moment: Moment, stay: Stay | None) -> bool:
        """Whether an event had come by then, and was shown to the rule since it was enabled."""
        if moment.in_hindsight:
            return True
        if entry.seq > moment.seq or (entry.refused if moment.is_beyond else self.refusal(entry)):
            return False
        if entry.event.type == TIMER and entry.now > moment.now:
            return False
        return stay is not None and self.stay_of(entry) is stay

    def _is_used(self, entry: Entry, moment: Moment) -> bool:
        """Whether the rule had used an event up by then."""
        used = None if moment.in_hindsight else self.used_by(entry.event)
        return used is not None and used.place < (moment.now, moment.seq)
