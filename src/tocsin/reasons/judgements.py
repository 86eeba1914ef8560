"""Candidates judged: what each asks that is met, and what is not, at the moment at which it would have been detected.

A candidate that fails nothing is a detection, and the other way round: that is what the tests hold this to. What the
pattern asks is in `constraints.py`; here is what the run adds: shown to the rule and in time, while it was enabled,
within its detection window, before its clock ended, and not used up by another firing.
"""

from __future__ import annotations

from collections.abc import Sequence as Several
from dataclasses import dataclass, replace
from functools import cached_property

from tocsin.algebra.combinations import accepts
from tocsin.algebra.occurrence import Occurrence
from tocsin.algebra.patterns import Accumulate, After, Never, walk
from tocsin.algebra.rules import Context, Rule
from tocsin.events import Event
from tocsin.reasons.choices import Choice, Part, choices
from tocsin.reasons.constraints import Constraint, constraints
from tocsin.reasons.consumption import used_elsewhere
from tocsin.reasons.frames import Frame
from tocsin.reasons.memory import Memory, Moment
from tocsin.reasons.records import CLOCK, CONSUMPTION, ENABLED, LATE, MISSING, WINDOW, Constituent, Verdict
from tocsin.reasons.trace import Entry, Trace, TracedFiring, context_of, event_key, is_searched, occurrence_key
from tocsin.reasons.words import written
from tocsin.time.spans import human_period


@dataclass(frozen=True)
class Judged:
    """A candidate with every verdict about it."""

    choice: Choice
    events: tuple[Event | None, ...]
    verdicts: tuple[Verdict, ...]
    moment: Moment | None
    firing: TracedFiring | None

    @property
    def failed(self) -> tuple[Verdict, ...]:
        """What it fails at."""
        return tuple(each for each in self.verdicts if not each.holds)

    @property
    def constituents(self) -> tuple[Constituent, ...]:
        """Its places, with what stands there."""
        found = []
        for place, event in zip(self.choice.places, self.events, strict=True):
            asks = written(place.leaf)
            found.append(Constituent(place.name or asks, asks, event))
        return tuple(found)


class Judge:
    """Judges the candidates of one rule in one run; those of one `partition`, if it has any."""

    def __init__(self, trace: Trace, rule: Rule, partition: str | None = None) -> None:
        self.trace, self.rule = trace, rule
        self.memory = Memory(trace, rule, partition)
        self.is_searched = is_searched(rule)
        self.context = context_of(rule)
        self.choices, self.is_whole = choices(rule.pattern)
        self.constraints = {id(choice): constraints(choice, rule) for choice in self.choices}
        self._timed = {id(choice): _waiting(choice) for choice in self.choices}

    # -- what it is judged by ------------------------------------------------------------------------------------

    @cached_property
    def fired(self) -> dict[tuple[object, ...], TracedFiring]:
        """What the rule fired for, by what an occurrence is known by."""
        found: dict[tuple[object, ...], TracedFiring] = {}
        for firing in self.memory.own.firings:
            found.setdefault(occurrence_key(firing.one), firing)
        return found

    @cached_property
    def _gathers(self) -> bool:
        """Whether a firing may hold more events than there are places: all that were waiting."""
        accumulates = any(isinstance(part, Accumulate) for part in walk(self.rule.pattern))
        return accumulates or self.context == Context.CUMULATIVE

    def options(self, choice: Choice) -> list[list[Entry]]:
        """For each place the events that could stand there, by type and site, in order of time."""
        kept: dict[object, list[Entry]] = {}
        for place in choice.places:
            if place.leaf not in kept:
                declared = self.memory.declared
                found = self.memory.of_type(place.leaf)
                kept[place.leaf] = [entry for entry in found if accepts(place.leaf, entry.event, declared)]
        return [kept[place.leaf] for place in choice.places]

    def firing_of(self, one: Occurrence, *, is_part: bool) -> TracedFiring | None:
        """The firing that an occurrence is; where firings gather all that waits, the one that it `is_part` of."""
        found = self.fired.get(occurrence_key(one))
        if found is not None or not (is_part and self._gathers):
            return found
        events = set(map(event_key, one.events))
        for firing in self.memory.own.firings:
            if events <= set(map(event_key, firing.one.events)):
                return firing
        return None

    # -- judging -------------------------------------------------------------------------------------------------

    def judge(self, choice: Choice, events: Several[Event | None], at: Moment | None = None) -> Judged:
        """Everything that is asked of a candidate. `at`: as if it were complete at that moment."""
        frame = Frame(choice, events, self.trace.granularity)
        empty = {place for place, event in enumerate(events) if event is None}
        verdicts = [self._missing(choice, place) for place in sorted(empty)]
        moment = None if empty else at or self.moment(frame, choice.root)
        for constraint in self.constraints[id(choice)]:
            if constraint.places & empty:
                verdicts.append(_failed(constraint))
            else:
                when = at or self._when(frame, constraint, moment)
                verdicts.append(constraint.verdict(frame, when, self.memory))
        if moment is None:
            return Judged(choice, tuple(events), tuple(verdicts), None, None)
        whole = frame.whole
        assert whole is not None
        verdicts += self._run_verdicts(whole, moment)
        is_rest_met = all(each.holds for each in verdicts)
        firing = self.firing_of(whole, is_part=is_rest_met)
        if self.context != Context.UNRESTRICTED:
            verdicts.append(self._consumption(whole, moment, firing, is_rest_met))
        return Judged(choice, tuple(events), tuple(verdicts), moment, firing)

    def _when(self, frame: Frame, constraint: Constraint, moment: Moment | None) -> Moment:
        """When a constraint is asked: in consuming contexts as soon as its own part is complete."""
        if moment is None:  # something is missing, and was until the end
            return Moment(self.trace.last_arrival, self.trace.seq)
        if constraint.is_timely and not self.is_searched and not getattr(constraint, "is_condition", False):
            return self.moment(frame, constraint.part)
        return moment

    def moment(self, frame: Frame, part: Part) -> Moment:
        """When a part is complete: when the last of its events came, or the last moment came that it waits for."""
        events = frame.standing(part)
        if events:
            last = max((self.memory.entry(event) for event in events), key=lambda entry: (entry.now, entry.seq))
            moment = Moment(last.now, last.seq)
        else:
            stays = self.memory.own.stays
            moment = Moment(stays[0].since_now, stays[0].since) if stays else Moment(0, 0)
        inside = [each for each in self._timed[id(frame.choice)] if set(each.places) <= set(part.places)]
        dues = [one.end for each in inside if isinstance(each.pattern, After) and (one := frame.occurrence(each))]
        due = max(dues, default=moment.now)
        if due > moment.now:
            moment = Moment(due, self.trace.seq_before(due, inclusive=False))
        stretches = [frame.stretch(each) for each in inside if isinstance(each.pattern, Never)]
        closings = [stretch.back for stretch in stretches if stretch.closing is not None]
        close = max(closings, default=moment.now - 1)
        if close >= moment.now:
            moment = Moment(close, self.trace.seq_before(close, inclusive=True), True)
        edge = self.memory.lower_edge(moment.now)
        return replace(moment, is_beyond=any(event.end < edge for event in events))

    # -- what the run adds ---------------------------------------------------------------------------------------

    def _missing(self, choice: Choice, place: int) -> Verdict:
        leaf = choice.places[place]
        asks = written(leaf.leaf)
        called = f"{leaf.name}: " if leaf.name and leaf.name != asks else ""
        return Verdict(MISSING, f"{called}an event {asks}", False, note=f"no {asks} came", part=place)

    def _run_verdicts(self, whole: Occurrence, moment: Moment) -> list[Verdict]:
        entries = [self.memory.entry(event) for event in whole.events]
        found = [self._late(entry) for entry in entries if entry.refused]
        found.append(self._enabled(entries, moment))
        window = self.rule.window
        if window is not None:
            edge = self.memory.lower_edge(moment.now)
            old = tuple(event for event in whole.events if event.end < edge)
            by = max((edge - event.end for event in old), default=None)
            text = f"inside the detection window of {human_period(window)}"
            found.append(Verdict(WINDOW, text, not old, events=old, by=by, path=RULE))
        if not whole.events and not moment.is_closing:
            text = "its window over while the rule is enabled"
            found.append(Verdict(CLOCK, text, False, note="it was over before", path=RULE))
        until, last = self.trace.until, self.trace.last_arrival
        is_ahead = moment.now > last or (moment.is_closing and moment.now == last)
        if until is not None and moment.now > until and is_ahead:
            by = moment.now - until
            found.append(Verdict(CLOCK, "the moment it waits for has come", False, by=by, path=RULE))
        return found

    def _late(self, entry: Entry) -> Verdict:
        text = f"{entry.event.id or entry.event.type} in time for the order of arrival"
        return Verdict(LATE, text, False, events=(entry.event,), note=entry.refused, path=RULE)

    def _enabled(self, entries: list[Entry], moment: Moment) -> Verdict:
        """One time for which the rule was enabled must hold all of its events and the moment itself."""
        stays = {id(stay): stay for entry in entries if (stay := self.memory.stay_of(entry)) is not None}
        outside = tuple(entry.event for entry in entries if self.memory.stay_of(entry) is None)
        note = ""
        if not outside and len(stays) > 1:
            first = min(stays.values(), key=lambda stay: stay.since)
            outside = tuple(entry.event for entry in entries if self.memory.stay_of(entry) is first)
            note = "disabled in between, which discards what was remembered"
        only = next(iter(stays.values())) if len(stays) == 1 else None
        if not outside and only is not None and only.until_now is not None and only.until_now < moment.now:
            outside = tuple(entry.event for entry in entries)
            note = "disabled before the moment it waits for"
        if outside and not note:
            note = "the rule was not enabled when it came" if self.memory.own.stays else "the rule was never enabled"
        return Verdict(ENABLED, "the rule enabled throughout", not outside, events=outside, note=note, path=RULE)

    def _consumption(
        self, whole: Occurrence, moment: Moment, firing: TracedFiring | None, is_rest_met: bool
    ) -> Verdict:
        """Nothing of it used up by another firing, at or before the moment at which it was complete."""
        if firing is not None:
            return Verdict(CONSUMPTION, NOT_USED_UP, True, path=RULE)
        if self.context == Context.GENERIC:
            for event in whole.events:
                used = self.memory.used_by(event)
                if used is not None and used.place <= (moment.now, moment.seq):
                    return _used(event, used, f"used up when the rule fired for {_ids(used.one)}")
            for used in self.memory.own.firings if whole.ticks else ():
                if used.place == (moment.now, moment.seq) and used.one.ticks & whole.ticks:
                    return _used(None, used, f"at that moment the rule fired for {_ids(used.one)}")
            return Verdict(CONSUMPTION, NOT_USED_UP, True, path=RULE)
        found = used_elsewhere(self.memory.own, whole, moment.now, moment.seq)
        if found is not None:
            event, used, note = found
            return _used(event, used, note)
        if is_rest_met:
            return Verdict(CONSUMPTION, NOT_USED_UP, False, note="other occurrences were combined", path=RULE)
        return Verdict(CONSUMPTION, NOT_USED_UP, True, path=RULE)


RULE = (-2,)
"""The way to what no pattern says, but the rule and its run."""

NOT_USED_UP = "not used up by another firing"


def _used(event: Event | None, firing: TracedFiring | None, note: str) -> Verdict:
    made = firing.made[0].id if firing is not None and firing.made else None
    return Verdict(
        CONSUMPTION, NOT_USED_UP, False, events=() if event is None else (event,), firing=made, note=note, path=RULE
    )


def _ids(one: Occurrence) -> str:
    return ", ".join(event.id or event.type for event in one.primitives)


def _failed(constraint: Constraint) -> Verdict:
    """A constraint about what is not there."""
    number = getattr(constraint, "number", 0)
    return Verdict(
        constraint.kind, constraint.text, False, note="nothing stands there", path=constraint.part.path, part=number
    )


def _waiting(choice: Choice) -> list[Part]:
    """The parts that are complete only when a moment has come."""
    found, ahead = [], [choice.root]
    while ahead:
        part = ahead.pop()
        if isinstance(part.pattern, After | Never):
            found.append(part)
        ahead.extend(part.parts)
    return found
