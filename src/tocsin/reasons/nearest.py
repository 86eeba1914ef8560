"""The nearest misses: the candidates that fail the fewest constraints.

A search by depth: first every candidate that fails nothing of what its events alone decide, then those that fail one
thing, and so on, until there are enough that none can be nearer. Places are filled one after the other; a constraint is
asked as soon as its places are filled, and what has failed too much is not followed. Where nothing more may fail, equal
attributes are looked up and orders cut the list; otherwise the events nearest in time come first.

Only so many combinations are tried at each depth. Where that is not enough it is said: nearer ones may exist.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import permutations

from tocsin.algebra.attributes import found_in
from tocsin.algebra.combinations import accepts
from tocsin.algebra.guards import Attribute, Binary
from tocsin.algebra.patterns import Precedence
from tocsin.algebra.patterns import Sequence as Following
from tocsin.events import Event
from tocsin.reasons.choices import Choice
from tocsin.reasons.constraints import Constraint, Follows, Test
from tocsin.reasons.frames import Frame
from tocsin.reasons.judgements import Judge, Judged
from tocsin.reasons.memory import Moment
from tocsin.reasons.records import (
    ABSENCE,
    CLOCK,
    CONSUMPTION,
    ENABLED,
    GUARD,
    LATE,
    MISSING,
    ORDER,
    RUN,
    VALUES,
    WINDOW,
)
from tocsin.reasons.trace import Entry, occurrence_key

MOST_TRIED = 60_000
"""How much is tried at each depth: an event in a place counts as one, a whole candidate that is judged as JUDGING."""

MOST_AFTER = 4_000
"""... and how much more once there are enough, to find better ones among equally near."""

MOST_LATER = 2_000
"""... and after the first depths, where far misses are looked for only because there are no near ones."""

JUDGING = 20

MOST_DEPTH = 12
MOST_FAILURES = 1_000_000

RANKS = (WINDOW, ABSENCE, GUARD, VALUES, ORDER, RUN, LATE, CLOCK, ENABLED, CONSUMPTION, MISSING)
"""Between candidates that fail one constraint: what is told first."""


@dataclass
class NearMisses:
    """What a search has come to."""

    misses: list[Judged] = field(default_factory=list)
    tried: int = 0
    cut: bool = False


@dataclass
class Aim:
    """What is asked for: candidates with these events, complete by and near this time, and how many."""

    limit: int
    events: tuple[Event, ...] = ()
    time: int | None = None


class _Enough(Exception):
    """Nothing nearer can be found, or too much was tried."""


def nearest(judge: Judge, aim: Aim) -> NearMisses:
    """The nearest misses of a rule."""
    pool = _Pool(judge, aim)
    least = min((sum(pool.floors(choice)) for choice in judge.choices), default=0)
    for depth in range(least, least + MOST_DEPTH):
        pool.begin(depth)
        try:
            for choice in judge.choices:
                for fixed in _fixed(judge, choice, aim):
                    _Filling(pool, choice, fixed, depth).fill()
        except _Enough:
            pass
        if pool.is_done(depth):
            break
    return NearMisses(pool.best(), pool.tried, pool.cut or not judge.is_whole)


def _by(entries: list[Entry], aim: Aim) -> list[Entry]:
    """The events that had come by the time that is asked for."""
    return entries if aim.time is None else [entry for entry in entries if entry.now <= aim.time]


class _Pool:
    """The misses found so far, and how much has been tried."""

    def __init__(self, judge: Judge, aim: Aim) -> None:
        self.judge, self.aim = judge, aim
        self.tried, self.cut = 0, False
        self._depth, self._left, self._after = 0, 0, 0
        self._found: dict[tuple[object, ...], tuple[tuple[object, ...], Judged]] = {}
        self._distances: list[int] = []
        self._floors: dict[int, list[int]] = {}

    def begin(self, depth: int) -> None:
        self._depth, self._after = depth, MOST_AFTER
        self._left = MOST_TRIED if depth < 3 or not self._found else MOST_LATER

    def floors(self, choice: Choice) -> list[int]:
        """For each place what every event fails there by itself: so much is lost whatever stands elsewhere."""
        if id(choice) not in self._floors:
            judge = self.judge
            found = []
            for place, some in enumerate(judge.options(choice)):
                own = [c for c in judge.constraints[id(choice)] if c.places == {place} and not c.is_timely]
                found.append(self._floor(choice, place, own, _by(some, self.aim)))
            self._floors[id(choice)] = found
        return self._floors[id(choice)]

    def _floor(self, choice: Choice, place: int, own: list[Constraint], entries: list[Entry]) -> int:
        if not entries:
            return 1 + len(own)
        least = len(own)
        for entry in entries if own else ():
            events: list[Event | None] = [None] * len(choice.places)
            events[place] = entry.event
            frame = Frame(choice, events, self.judge.trace.granularity)
            least = min(least, sum(not c.is_met(frame, Moment(0, 0), self.judge.memory) for c in own))
            if least == 0:
                break
        return least

    def count(self, cost: int = 1) -> None:
        """One more combination is tried."""
        self.tried += 1
        self._left -= cost
        if self.is_done(self._depth):
            self._after -= cost
            if self._after <= 0:
                raise _Enough
        if self._left <= 0:
            self.cut = True
            raise _Enough

    def is_done(self, depth: int) -> bool:
        """Whether there are enough that fail no more than `depth`: what was not seen fails at least as much.

        What fails nothing was detected, so one failure is as near as a miss can be.
        """
        return self.worst <= max(depth, 1)

    @property
    def worst(self) -> int:
        """How much the last of the misses fails that would be told now."""
        return self._distances[self.aim.limit - 1] if len(self._distances) >= self.aim.limit else MOST_FAILURES

    def take(self, choice: Choice, events: Sequence[Event | None]) -> None:
        """A whole candidate: judged and kept, unless it was detected."""
        frame = Frame(choice, events, self.judge.trace.granularity)
        whole = frame.whole
        if whole is None:
            key: tuple[object, ...] = (id(choice), tuple(events))
        else:
            key = occurrence_key(whole)
            if key in self.judge.fired:
                return
        self.count(JUDGING)
        judged = self.judge.judge(choice, events)
        if judged.firing is not None:
            return
        rank = self._rank(judged)
        if key not in self._found or rank < self._found[key][0]:
            self._found[key] = (rank, judged)
            self._distances = sorted(len(one.failed) for _, one in self._found.values())[: self.aim.limit]
            if len(self._found) > 50 * self.aim.limit:
                self._found = {key: self._found[key] for key in self._sorted()[: 10 * self.aim.limit]}

    def _rank(self, judged: Judged) -> tuple[object, ...]:
        """The fewest failures first; then near the time asked for, what is most worth telling, and the shortest."""
        events = [event for event in judged.events if event is not None]
        span = max((e.end for e in events), default=0) - min((e.start for e in events), default=0)
        off = 0
        if self.aim.time is not None:
            latest = max((e.end for e in events), default=0) if judged.moment is None else judged.moment.now
            off = abs(self.aim.time - latest)
        kinds = sorted(RANKS.index(each.kind) for each in judged.failed)
        by = sum(each.by or 0 for each in judged.failed)
        is_near = len(judged.failed) == 1
        rest = (kinds, by, span) if is_near else ([], span, by)
        return (len(judged.failed), off, *rest, [-event.number for event in events])

    def _sorted(self) -> list[tuple[object, ...]]:
        return sorted(self._found, key=lambda key: self._found[key][0])

    def best(self) -> list[Judged]:
        return [self._found[key][1] for key in self._sorted()[: self.aim.limit]]


def _fixed(judge: Judge, choice: Choice, aim: Aim) -> Iterator[dict[int, Event]]:
    """Every way to put the events that were asked for into places of a choice."""
    events = [entry.event for event in aim.events if (entry := judge.memory.by_number.get(event.number)) is not None]
    if len(events) < len(aim.events) or len(events) > len(choice.places):
        return
    for places in permutations(range(len(choice.places)), len(events)):
        pairs = zip(places, events, strict=True)
        if all(accepts(choice.places[place].leaf, event, judge.memory.declared) for place, event in pairs):
            yield dict(zip(places, events, strict=True))


class _Filling:
    """The places of one choice being filled, with at most `depth` failures."""

    def __init__(self, pool: _Pool, choice: Choice, fixed: dict[int, Event], depth: int) -> None:
        self.pool, self.choice, self.depth = pool, choice, depth
        judge = pool.judge
        self.options = [_by(some, pool.aim) for some in judge.options(choice)]
        self.ends = [[entry.event.end for entry in some] for some in self.options]
        self.fixed = fixed
        self.rivals = [choice.rivals(place) for place in range(len(choice.places))]
        self.order = self._order()
        floors = pool.floors(choice)
        self.rest = [sum(floors[place] for place in self.order[step:]) for step in range(len(self.order) + 1)]
        """What is lost from each step on, whatever stands there."""
        self.checks = self._checks(judge.constraints[id(choice)])
        self.events: list[Event | None] = [None] * len(choice.places)
        self._by_value: dict[tuple[int, str], dict[object, list[Entry]]] = {}

    def _order(self) -> list[int]:
        """What is asked for first; then what is tied to what is there already, the rarest first."""
        places = range(len(self.choice.places))
        ties = [c.places for c in self.pool.judge.constraints[id(self.choice)] if not c.is_timely]
        order = sorted(self.fixed)
        while len(order) < len(places):
            left = [place for place in places if place not in order]
            known = set(order)

            def rank(place: int, known: set[int] = known) -> tuple[int, int, int]:
                tied = sum(1 for tie in ties if place in tie and tie - {place} and tie - {place} <= known)
                return (-tied, len(self.options[place]), place)

            order.append(min(left, key=rank))
        return order

    def _checks(self, constraints: list[Constraint]) -> list[list[Constraint]]:
        """For each step the constraints that can be asked then: those the events alone decide."""
        at = {place: step for step, place in enumerate(self.order)}
        found: list[list[Constraint]] = [[] for _ in self.order]
        for constraint in constraints:
            if not constraint.is_timely and constraint.places:
                found[max(at[place] for place in constraint.places)].append(constraint)
        return found

    def fill(self) -> None:
        """Every candidate with at most so many failures."""
        if not self.order:
            self.pool.take(self.choice, ())
            return
        self._fill(0, 0)

    def _fill(self, step: int, failures: int) -> None:
        if step == len(self.order):
            self.pool.take(self.choice, tuple(self.events))
            return
        place = self.order[step]
        for event in self._candidates(step, place, failures):
            self.pool.count()
            self.events[place] = event
            more = failures + self._failures(step, event)
            if more + self.rest[step + 1] <= min(self.depth, self.pool.worst):
                self._fill(step + 1, more)
        self.events[place] = None

    def _failures(self, step: int, event: Event | None) -> int:
        """What fails now that this place is filled, or stays empty."""
        judge = self.pool.judge
        frame = Frame(self.choice, self.events, judge.trace.granularity)
        count = 0 if event is not None else 1
        there = [each for each in self.events if each is not None]
        if event is not None and self._is_too_long(there):
            place = self.order[step]
            before = [each for other, each in enumerate(self.events) if each is not None and other != place]
            count += not self._is_too_long(before)  # the window fails once
        empty = {place for place in self.order[: step + 1] if self.events[place] is None}
        moment = Moment(0, 0)
        for check in self.checks[step]:
            if check.places & empty or not check.is_met(frame, moment, judge.memory):
                count += 1
                if count > self.depth:
                    break
        return count

    def _is_too_long(self, there: list[Event]) -> bool:
        """Whether the detection window cannot hold some events."""
        if self.pool.judge.rule.window is None or not there:
            return False
        memory = self.pool.judge.memory
        edge = memory.lower_edge(max(memory.entry(event).now for event in there))
        return any(event.end < edge for event in there)

    def _candidates(self, step: int, place: int, failures: int) -> Iterator[Event | None]:
        if place in self.fixed:
            yield self.fixed[place]
            return
        group = self.choice.places[place].group
        taken = [
            event
            for other, event in enumerate(self.events)
            if group >= 0 and event is not None and self.choice.places[other].group == group
        ]
        after = max((event.number for event in taken), default=-1)
        taken += [event for other, _ in self.rivals[place] if (event := self.events[other]) is not None]
        has_slack = failures + self.rest[step] < self.depth
        some = self.options[place] if has_slack else self._narrowed(step, place)
        any_left = False
        for entry in self._nearest_first(some):
            if not self._is_in_turn(place, entry.event):
                continue
            if group < 0 or (entry.event.number > after if not self.fixed else entry.event not in taken):
                any_left = True
                yield entry.event
        if not any_left and not self._has_any(place, taken):
            yield None

    def _is_in_turn(self, place: int, event: Event) -> bool:
        """Whether an event can stand in its round of a run: no other round has it, and earlier ones are not later."""
        for other, is_earlier in self.rivals[place]:
            there = self.events[other]
            if there is not None and (there.place >= event.place if is_earlier else there.place <= event.place):
                return False
        return True

    def _has_any(self, place: int, taken: list[Event]) -> bool:
        """Whether any event could stand there: if so, an empty place is never nearer."""
        return any(entry.event not in taken for entry in self.options[place])

    def _nearest_first(self, entries: list[Entry]) -> Iterator[Entry]:
        """The events in order of how near they are in time to what is there; at first the latest."""
        there = [event.end for event in self.events if event is not None]
        if not there:
            yield from reversed(entries)
            return
        centre = sum(there) // len(there)
        right = bisect_left(entries, centre, key=lambda entry: entry.event.end)
        left = right - 1
        while left >= 0 or right < len(entries):
            if left < 0:
                take_right = True
            elif right >= len(entries):
                take_right = False
            else:
                take_right = entries[right].event.end - centre <= centre - entries[left].event.end
            if take_right:
                yield entries[right]
                right += 1
            else:
                yield entries[left]
                left -= 1

    # -- where nothing more may fail --------------------------------------------------------------------------------

    def _narrowed(self, step: int, place: int) -> list[Entry]:
        """The events that can stand there without failing what is easily told: an equality, an order."""
        some: list[Entry] | None = None
        low, high = self._reachable(place)
        for check in self.checks[step]:
            if isinstance(check, Test) and (found := self._equal(check, place)) is not None:
                some = found if some is None or len(found) < len(some) else some
            elif isinstance(check, Follows):
                low, high = self._ordered(check, place, low, high)
        if some is not None:
            return some
        return self.options[place][low:high]

    def _reachable(self, place: int) -> tuple[int, int]:
        """The part of the list that the detection window leaves, as far as the times alone tell."""
        window, ends = self.pool.judge.rule.window, self.ends[place]
        there = [event for event in self.events if event is not None]
        if window is None or not there or self._is_too_long(there):
            return 0, len(ends)
        memory = self.pool.judge.memory
        edge = memory.lower_edge(max(memory.entry(event).now for event in there))
        # What ends later came later, unless its stamp was ahead of the clock.
        latest = max(window.added_to(min(event.end for event in there)), max(event.end for event in there))
        return bisect_left(ends, edge), bisect_right(ends, latest) if memory.is_punctual else len(ends)

    def _equal(self, test: Test, place: int) -> list[Entry] | None:
        """The events whose attribute is equal to that of one that is there, if that is what is asked."""
        guard = test.guard
        if not (isinstance(guard, Binary) and guard.operator == "==" and test.variables is not None):
            return None
        sides = (guard.left, guard.right)
        for mine, other in (sides, sides[::-1]):
            if not isinstance(mine, Attribute) or not isinstance(other, Attribute):
                return None
            here, there = test.variables[mine.variable], test.variables[other.variable]
            if here.places != (place,) or len(there.places) != 1 or there.places == (place,):
                continue
            event = self.events[there.places[0]]
            value = None if event is None else found_in(event.data, other.name)
            if event is None or not isinstance(value, str | int | float):
                return None
            return self._index(place, mine.name).get(value, [])
        return None

    def _index(self, place: int, attribute: str) -> dict[object, list[Entry]]:
        key = (place, attribute)
        if key not in self._by_value:
            index: dict[object, list[Entry]] = {}
            for entry in self.options[place]:
                value = found_in(entry.event.data, attribute)
                if isinstance(value, str | int | float):
                    index.setdefault(value, []).append(entry)
            self._by_value[key] = index
        return self._by_value[key]

    def _ordered(self, check: Follows, place: int, low: int, high: int) -> tuple[int, int]:
        """The part of the list that comes after, or before, the neighbour that is there."""
        left, right = check.link.left.places, check.link.right.places
        pattern = check.part.pattern
        is_global = self.pool.judge.trace.granularity is not None
        if is_global or not isinstance(pattern, Following) or len(left) != 1 or len(right) != 1:
            return low, high
        other = self.events[left[0] if right == (place,) else right[0]]
        if other is None or not check.link.left.is_plain or not check.link.right.is_plain:
            return low, high
        by_gap = pattern.order is Precedence.GAP
        if right == (place,):
            return max(low, bisect_right(self.ends[place], other.end)), high
        return low, min(high, bisect_left(self.ends[place], other.start if by_gap else other.end))
