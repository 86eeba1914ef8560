"""The constraints of a choice: everything its pattern asks of the events in its places, each to be met or failed alone.

A constraint about a place that is empty is failed. So filling a place never adds a failure, and an event of the right
type, whatever else is wrong with it, is always nearer than none.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field

from tocsin.algebra.attributes import found_in
from tocsin.algebra.combinations import CONCURRENT, attribute_value, before
from tocsin.algebra.ends import back_is_fluid, bounded_by, floats, front_is_fluid, is_open
from tocsin.algebra.guards import NAMING, Guard, Now, conjuncts, variables_of
from tocsin.algebra.guards import walk as walk_guard
from tocsin.algebra.meaning import find
from tocsin.algebra.names import bound
from tocsin.algebra.occurrence import TIMER, Bound, Occurrence
from tocsin.algebra.patterns import (
    Absence,
    Accumulate,
    After,
    Aggregate,
    Between,
    Concurrent,
    Instant,
    Named,
    Never,
    Precedence,
    Repeat,
    Sequence,
    Streak,
    Times,
    Where,
    Within,
    walk,
)
from tocsin.algebra.rules import Rule
from tocsin.algebra.scene import FAR, Scene
from tocsin.algebra.streaks import streaks
from tocsin.algebra.values import Surroundings, evaluate, holds
from tocsin.algebra.windows import cores
from tocsin.events import Event
from tocsin.reasons.choices import Choice, Part
from tocsin.reasons.frames import Frame, Link, links
from tocsin.reasons.memory import Memory, Moment
from tocsin.reasons.records import ABSENCE, GUARD, ORDER, RUN, VALUES, WINDOW, Verdict
from tocsin.reasons.words import guard_text, named_part, written
from tocsin.time.spans import human_period
from tocsin.time.stamps import GlobalStamp, precedes

CONDITION = (-1,)
"""The way to a rule's condition, which is no part of its pattern."""


@dataclass(eq=False)
class Constraint(ABC):
    """Something a part asks of the events in `places`. One that `is_timely` depends on when it is asked."""

    kind: str = field(init=False)
    part: Part
    is_timely: bool = field(default=False, init=False)

    @property
    def places(self) -> frozenset[int]:
        """The places it speaks of."""
        return frozenset(self.part.places)

    @property
    @abstractmethod
    def text(self) -> str:
        """What it asks, in the words of the rule."""

    @abstractmethod
    def is_met(self, frame: Frame, moment: Moment, memory: Memory) -> bool:
        """Whether the events in its places, all filled, are as it asks."""

    def verdict(self, frame: Frame, moment: Moment, memory: Memory) -> Verdict:
        """Whether it is met, and what makes it so."""
        return Verdict(self.kind, self.text, self.is_met(frame, moment, memory), path=self.part.path)


# -- guards --------------------------------------------------------------------------------------------------------


@dataclass(eq=False)
class Test(Constraint):
    """A part of a guard. `variables`: the named parts that it speaks of, where each stands for one occurrence."""

    guard: Guard
    number: int
    is_condition: bool = False
    variables: dict[str, Part] | None = None

    def __post_init__(self) -> None:
        self.kind = GUARD
        self.is_timely = any(isinstance(part, Now) for part in walk_guard(self.guard))

    @property
    def places(self) -> frozenset[int]:
        if self.variables is None:
            return frozenset(self.part.places)
        return frozenset(place for part in self.variables.values() for place in part.places)

    @property
    def text(self) -> str:
        return guard_text(self.guard)

    def _known(self, frame: Frame) -> dict[str, Bound]:
        if self.variables is None:
            return {**frame.around(self.part), **frame.known(self.part).variables()}
        return {name: frame.known(part).binding(()) for name, part in self.variables.items()}

    def is_met(self, frame: Frame, moment: Moment, memory: Memory) -> bool:
        return holds(self.guard, self._known(frame), Surroundings(moment.now))

    def verdict(self, frame: Frame, moment: Moment, memory: Memory) -> Verdict:
        known, around = self._known(frame), Surroundings(moment.now)
        words = dict.fromkeys(part for part in walk_guard(self.guard) if isinstance(part, NAMING | Now))
        values = tuple((guard_text(part), evaluate(part, known, around)) for part in words)
        is_met = holds(self.guard, known, around)
        path = CONDITION if self.is_condition else self.part.path
        return Verdict(GUARD, self.text, is_met, values, path=path, part=self.number)


# -- order ---------------------------------------------------------------------------------------------------------


@dataclass(eq=False)
class Follows(Constraint):
    """The right of two neighbours comes after the left."""

    link: Link
    number: int

    def __post_init__(self) -> None:
        self.kind = ORDER

    @property
    def places(self) -> frozenset[int]:
        return frozenset((*self.link.left.places, *self.link.right.places))

    @property
    def text(self) -> str:
        return f"{named_part(self.link.left)} before {named_part(self.link.right)}"

    def is_met(self, frame: Frame, moment: Moment, memory: Memory) -> bool:
        return frame.follows(self.part, self.link)

    def verdict(self, frame: Frame, moment: Moment, memory: Memory) -> Verdict:
        left, right = frame.known(self.link.left), frame.known(self.link.right)
        by_gap = isinstance(self.part.pattern, Sequence | Absence) and self.part.pattern.order is Precedence.GAP
        beginning = min((event.start for event in right.events), default=right.start) if self.link.is_fluid else None
        reached = right.end if not by_gap else right.start if beginning is None else beginning
        is_met = frame.follows(self.part, self.link)
        if not is_met and self._goes_by_ticks and left.stamp is not None and right.stamp is not None:
            ticks, note = _apart(left.stamp, right.stamp, memory)
            moves = tuple((event, ticks + (note == "")) for event in right.events)
            path, number = self.part.path, self.number
            return Verdict(ORDER, self.text, False, by=ticks, note=note, path=path, part=number, moves=moves)
        by = None if is_met else left.end - reached
        late = "" if is_met else _lateness(left, right, memory)
        moves = () if by is None else tuple((event, by + 1) for event in right.events)
        return Verdict(ORDER, self.text, is_met, by=by, note=late, path=self.part.path, part=self.number, moves=moves)

    @property
    def _goes_by_ticks(self) -> bool:
        pattern = self.part.pattern
        return isinstance(pattern, Accumulate) or (
            isinstance(pattern, Sequence | Absence) and pattern.order is Precedence.GLOBAL
        )


def _apart(left: GlobalStamp, right: GlobalStamp, memory: Memory) -> tuple[int, str]:
    """How much later the right of two stamps would have to be, and why its clocks do not tell it from the left."""
    granularity = memory.trace.granularity
    assert granularity is not None
    if len(left.sites) == 1 and left.sites == right.sites:
        return left.time - right.time, ""
    by = (left.base + 2) * granularity - right.time
    if precedes(right, left):
        return by, "the clocks tell that it came before"
    return by, "less than two ticks apart, which the clocks of two sites cannot tell"


def _lateness(left: Occurrence, right: Occurrence, memory: Memory) -> str:
    """What arrived late, where the order of arrival is not that of time."""
    if not left.events or not right.events:
        return ""
    first, last = (max(one.events, key=lambda event: event.number) for one in (left, right))
    if first.number < last.number and last.end <= first.end and TIMER not in (first.type, last.type):
        return f"{last.id or last.type} arrived after {first.id or first.type}, but is stamped no later"
    return ""


@dataclass(eq=False)
class AtOnce(Constraint):
    """002's `a || b`: neither before the other."""

    def __post_init__(self) -> None:
        self.kind = ORDER

    @property
    def text(self) -> str:
        return f"{named_part(self.part.parts[0])} and {named_part(self.part.parts[1])} at once"

    def is_met(self, frame: Frame, moment: Moment, memory: Memory) -> bool:
        return CONCURRENT.fits(frame.known(self.part.parts[0]), frame.known(self.part.parts[1]))

    def verdict(self, frame: Frame, moment: Moment, memory: Memory) -> Verdict:
        left, right = frame.known(self.part.parts[0]), frame.known(self.part.parts[1])
        is_met = CONCURRENT.fits(left, right)
        if is_met:
            return Verdict(ORDER, self.text, True, path=self.part.path)
        if left.stamp is not None:
            return Verdict(ORDER, self.text, False, note="their clocks tell them apart", path=self.part.path)
        moves = tuple((event, left.end - right.end) for event in right.events)
        return Verdict(ORDER, self.text, False, by=abs(left.end - right.end), path=self.part.path, moves=moves)


# -- absence -------------------------------------------------------------------------------------------------------


@dataclass(eq=False)
class Lacking(Constraint):
    """`{a ; b} ! c`, `a ; NOT c ; b`: nothing of c between the two."""

    def __post_init__(self) -> None:
        self.kind, self.is_timely = ABSENCE, True

    @property
    def pattern(self) -> Absence:
        """The absence as it is written."""
        assert isinstance(self.part.pattern, Absence)
        return self.part.pattern

    @property
    def text(self) -> str:
        first, last = (named_part(part) for part in self.part.parts)
        return f"no {written(self.pattern.without)} between {first} and {last}"

    def _breaking(self, frame: Frame, moment: Moment, memory: Memory) -> list[Occurrence]:
        pattern = self.pattern
        first, last = (frame.known(part) for part in self.part.parts)
        until = FAR if memory.trace.granularity is not None else last.end - 1
        history = memory.history(pattern.without, moment, -FAR, until).with_used()
        guard = pattern.guard
        selects = guard is not None and not variables_of(guard).isdisjoint(bound(pattern.without))
        scene = Scene(history, find, variables=frame.around(self.part))
        return [
            one
            for one in find(pattern.without, scene)
            if before(first, one, pattern.order)
            and before(one, last, pattern.order)
            and (not selects or holds(guard, {**first.variables(), **one.variables()}, history.around))
        ]

    def is_met(self, frame: Frame, moment: Moment, memory: Memory) -> bool:
        return not self._breaking(frame, moment, memory)

    def verdict(self, frame: Frame, moment: Moment, memory: Memory) -> Verdict:
        breaking = self._breaking(frame, moment, memory)
        events = tuple(dict.fromkeys(event for one in breaking for event in one.events))
        return Verdict(ABSENCE, self.text, not breaking, events=events, path=self.part.path, part=-1)


@dataclass(eq=False)
class Free(Constraint):
    """004's `!E`: nothing of E in the stretch that the surroundings leave it. `near` is what bounds it."""

    near: frozenset[int]

    def __post_init__(self) -> None:
        self.kind, self.is_timely = ABSENCE, True

    @property
    def places(self) -> frozenset[int]:
        return self.near

    @property
    def text(self) -> str:
        assert isinstance(self.part.pattern, Never)
        return f"no {written(self.part.pattern.pattern)} in the time left to it"

    def _breaking(self, frame: Frame, moment: Moment, memory: Memory) -> list[Occurrence]:
        assert isinstance(self.part.pattern, Never)
        inner, stretch = self.part.pattern.pattern, frame.stretch(self.part)
        is_plain = not any(isinstance(each, Instant | After | Within) for each in walk(inner))
        history = memory.history(inner, moment, *((stretch.first, stretch.last) if is_plain else ())).with_used()
        return list(find(inner, Scene(history, find, stretch, frame.everything())))

    def is_met(self, frame: Frame, moment: Moment, memory: Memory) -> bool:
        return not self._breaking(frame, moment, memory)

    def verdict(self, frame: Frame, moment: Moment, memory: Memory) -> Verdict:
        breaking = self._breaking(frame, moment, memory)
        events = tuple(dict.fromkeys(event for one in breaking for event in one.events))
        return Verdict(ABSENCE, self.text, not breaking, events=events, path=self.part.path)


# -- windows -------------------------------------------------------------------------------------------------------


@dataclass(eq=False)
class Inside(Constraint):
    """What a window is written on lies in it."""

    def __post_init__(self) -> None:
        self.kind = WINDOW

    @property
    def text(self) -> str:
        match self.part.pattern:
            case Within(period=period):
                return f"within {human_period(period)}"
        return "inside the fixed window"

    def _excess(self, frame: Frame) -> int:
        """By how much the events reach beyond the window; none if that is not above zero."""
        pattern, inner = self.part.pattern, frame.bounded(self.part)
        if isinstance(pattern, Between):
            front = pattern.start - frame.rigid(inner, front=True)
            return max(front, frame.rigid(inner, front=False) - pattern.stop)
        assert isinstance(pattern, Within)
        stretch = frame.stretch(self.part.parts[0])
        if front_is_fluid(bounded_by(pattern)):
            return stretch.first - frame.rigid(inner, front=True)
        return frame.rigid(inner, front=False) - stretch.last

    def is_met(self, frame: Frame, moment: Moment, memory: Memory) -> bool:
        return self._excess(frame) <= 0

    def verdict(self, frame: Frame, moment: Moment, memory: Memory) -> Verdict:
        excess = self._excess(frame)
        by = excess if excess > 0 else None
        moves = self._moves(frame, excess) if excess > 0 else ()
        return Verdict(WINDOW, self.text, excess <= 0, by=by, path=self.part.path, moves=moves)

    def _moves(self, frame: Frame, excess: int) -> tuple[tuple[Event, int], ...]:
        """The events beyond the window: what comes last and is too late, or comes first and is too early."""
        pattern = self.part.pattern
        if not isinstance(pattern, Within | Between) or any(
            isinstance(e, After | Instant) or floats(e) for e in walk(pattern)
        ):
            return ()  # what it bounds is not where its events are
        events = frame.standing(self.part)
        if isinstance(pattern, Between):
            return _into(events, pattern.start, pattern.stop)
        if front_is_fluid(bounded_by(pattern)):
            edge, anchor = min(event.start for event in events) + excess, max(events, key=lambda event: event.end)
            moves = tuple((event, edge - event.start) for event in events if event.start < edge)
        else:
            edge, anchor = max(event.end for event in events) - excess, min(events, key=lambda event: event.start)
            moves = tuple((event, edge - event.end) for event in events if event.end > edge)
        # What the window is counted from moves it along.
        return () if any(event == anchor for event, _ in moves) else moves


def _into(events: list[Event], first: int, last: int) -> tuple[tuple[Event, int], ...]:
    """The moves that bring events into a stretch of time; none where one of them is longer than that."""
    if any(event.end - event.start > last - first for event in events):
        return ()
    early = [(event, first - event.start) for event in events if event.start < first]
    return (*early, *((event, last - event.end) for event in events if event.end > last))


@dataclass(eq=False)
class Hanging(Constraint):
    """`a -> (!b & c in 5 seconds)`: a window that is counted from its neighbour. `near` is what bounds the two."""

    near: frozenset[int]

    def __post_init__(self) -> None:
        self.kind = WINDOW

    @property
    def places(self) -> frozenset[int]:
        return self.near

    @property
    def text(self) -> str:
        assert isinstance(self.part.pattern, Within)
        return f"within {human_period(self.part.pattern.period)} of its neighbour, and of the window around both"

    def is_met(self, frame: Frame, moment: Moment, memory: Memory) -> bool:
        return frame.beyond(self.part) <= 0

    def verdict(self, frame: Frame, moment: Moment, memory: Memory) -> Verdict:
        beyond = frame.beyond(self.part)
        return Verdict(WINDOW, self.text, beyond <= 0, by=beyond if beyond > 0 else None, path=self.part.path)


# -- repetition ----------------------------------------------------------------------------------------------------


@dataclass(eq=False)
class Alike(Constraint):
    """TimesEq and TimesDf: one value, or all different."""

    def __post_init__(self) -> None:
        self.kind = VALUES

    @property
    def _times(self) -> Times:
        assert isinstance(self.part.pattern, Times)
        return self.part.pattern

    @property
    def text(self) -> str:
        which = "the same" if self._times.same else "different"
        return f"{which} {self._times.attribute} in all {self._times.count}"

    def is_met(self, frame: Frame, moment: Moment, memory: Memory) -> bool:
        times = self._times
        found = [attribute_value(frame.known(part), times.attribute) for part in self.part.parts]
        return None not in found and len(set(found)) == (1 if times.same else times.count)

    def verdict(self, frame: Frame, moment: Moment, memory: Memory) -> Verdict:
        values = []
        for part in self.part.parts:
            (event,) = frame.known(part).events
            values.append((f"{event.id}.{self._times.attribute}", found_in(event.data, self._times.attribute or "")))
        is_met = self.is_met(frame, moment, memory)
        return Verdict(VALUES, self.text, is_met, tuple(values), path=self.part.path)


@dataclass(eq=False)
class InARow(Constraint):
    """Runs in words: so many of one group one after the other."""

    def __post_init__(self) -> None:
        self.kind, self.is_timely = RUN, True

    @property
    def _streak(self) -> Streak:
        assert isinstance(self.part.pattern, Streak)
        return self.part.pattern

    @property
    def text(self) -> str:
        return written(self._streak)

    def is_met(self, frame: Frame, moment: Moment, memory: Memory) -> bool:
        streak, mine = self._streak, {event for part in self.part.parts for event in frame.known(part).events}
        found = find(streak.pattern, Scene(memory.history(streak.pattern, moment), find))
        return any({event for one in run for event in one.events} == mine for run in streaks(streak, found))

    def verdict(self, frame: Frame, moment: Moment, memory: Memory) -> Verdict:
        names = [*self._streak.same, *([] if self._streak.different is None else [self._streak.different])]
        events = [event for part in self.part.parts for event in frame.known(part).events]
        values = tuple((f"{event.id}.{name}", event.data.get(name)) for event in events for name in names)
        return Verdict(RUN, self.text, self.is_met(frame, moment, memory), values, path=self.part.path)


@dataclass(eq=False)
class ToldOf(Constraint):
    """Aggregates over windows: the condition begins to hold, or holds, with the event."""

    def __post_init__(self) -> None:
        self.kind, self.is_timely = RUN, True

    @property
    def text(self) -> str:
        return written(self.part.pattern)

    def is_met(self, frame: Frame, moment: Moment, memory: Memory) -> bool:
        mine = frame.known(self.part.parts[0]).events
        found = find(self.part.pattern, Scene(memory.history(self.part.pattern, moment), find))
        return any(one.events == mine for one in found)

    def verdict(self, frame: Frame, moment: Moment, memory: Memory) -> Verdict:
        events = frame.known(self.part.parts[0]).events
        return Verdict(RUN, self.text, self.is_met(frame, moment, memory), events=events, path=self.part.path)


@dataclass(eq=False)
class Next(Constraint):
    """004's runs: an occurrence is the next one after the one before it. `near` bounds what is open in them."""

    left: Part
    right: Part
    number: int
    near: frozenset[int]

    def __post_init__(self) -> None:
        self.kind, self.is_timely = RUN, True

    @property
    def places(self) -> frozenset[int]:
        return frozenset((*self.left.places, *self.right.places)) | self.near

    @property
    def text(self) -> str:
        return f"the {self.number + 2}. {written(self.right.pattern)} is the next after the one before it"

    def _skipped(self, frame: Frame, moment: Moment, memory: Memory) -> list[Occurrence]:
        """What comes earlier, after the one before; nothing if it is the next one itself.

        Where the end is open, what is rigid decides which one is the next.
        """
        inner, history = self.right.pattern, memory.history(self.right.pattern, moment)
        stretch = frame.stretch(self.part).after(frame.rigid(self.left, front=False))
        scene = Scene(history, find, stretch, frame.around(self.part))
        found = cores(inner, scene) if back_is_fluid(inner) else list(find(inner, scene))
        mine = (frame.rigid(self.right, front=False), frame.rigid(self.right, front=True))
        return [one for one in found if (one.end, one.start) < mine]

    def is_met(self, frame: Frame, moment: Moment, memory: Memory) -> bool:
        follows = frame.rigid(self.left, front=False) < frame.rigid(self.right, front=True)
        return follows and not self._skipped(frame, moment, memory)

    def verdict(self, frame: Frame, moment: Moment, memory: Memory) -> Verdict:
        skipped = self._skipped(frame, moment, memory)
        events = tuple(dict.fromkeys(event for one in skipped for event in one.events))
        is_met = self.is_met(frame, moment, memory)
        return Verdict(RUN, self.text, is_met, events=events, path=self.part.path, part=self.number)


# -- all of them ---------------------------------------------------------------------------------------------------


def constraints(choice: Choice, rule: Rule) -> list[Constraint]:
    """Everything that a choice among a rule's alternatives asks of its events, the condition last."""
    found: list[Constraint] = []
    ahead = [choice.root]
    while ahead:
        part = ahead.pop(0)
        found += _of(part, choice)
        ahead = [*part.parts, *ahead]
    if rule.condition is not None:
        found += _tests(choice.root, rule.condition, choice, is_condition=True)
    return found


def _of(part: Part, choice: Choice) -> list[Constraint]:
    match part.pattern:
        case Where(guard=guard):
            return list(_tests(part.parts[0], guard, choice, at=part))
        case Sequence():
            return [Follows(part, link, number) for number, link in enumerate(links(part))]
        case Concurrent():
            return [AtOnce(part)]
        case Accumulate() if len(part.parts) == 2:
            return [Follows(part, Link(part.parts[0], part.parts[1]), 0)]
        case Absence(guard=guard):
            tests = [] if guard is None else _tests(part, guard, choice)
            return [Follows(part, Link(part.parts[0], part.parts[1]), 0), *tests, Lacking(part)]
        case Never():
            return [Free(part, _near(part, choice))]
        case Within():
            return [Hanging(part, _near(part, choice)) if floats(part.pattern) else Inside(part)]
        case Between():
            return [Inside(part)] if part.places else []
        case Times(attribute=attribute):
            return [Alike(part)] if attribute is not None else []
        case Aggregate():
            return [ToldOf(part)]
        case Streak():
            return [InARow(part)]
        case Repeat():
            pairs = zip(part.parts, part.parts[1:], strict=False)
            near = _near(part, choice) if is_open(part.pattern) or _has_window(part, choice) else frozenset[int]()
            return [Next(part, left, right, number, near) for number, (left, right) in enumerate(pairs)]
    return []


def _tests(
    scope: Part, guard: Guard, choice: Choice, *, at: Part | None = None, is_condition: bool = False
) -> list[Constraint]:
    """The parts of a guard on `scope`, each about the named parts it speaks of where those are plain."""
    inside = list(_parts(scope))
    repeats = any(isinstance(each.pattern, Times | Repeat | Streak) for each in inside)
    named = {each.pattern.name: each for each in inside if isinstance(each.pattern, Named)}
    made: list[Constraint] = []
    for number, part in enumerate(conjuncts(guard)):
        names = variables_of(part)
        # A guard may speak of what is bound around it, and of several at once in a repetition.
        is_plain = not repeats and names <= named.keys()
        test = Test(scope, part, number, is_condition, {n: named[n] for n in names} if is_plain else None)
        if at is not None:
            test.part = at
        made.append(test)
    return made


def _parts(part: Part) -> list[Part]:
    found, ahead = [], [part]
    while ahead:
        each = ahead.pop()
        found.append(each)
        ahead.extend(each.parts)
    return found


def _has_window(part: Part, choice: Choice) -> bool:
    """Whether a window around a part says how far it reaches."""
    parents, above = choice.parents, part
    while (found := parents.get(id(above))) is not None:
        above = found[0]
        if isinstance(above.pattern, Between | Within):
            return True
    return False


def _near(part: Part, choice: Choice) -> frozenset[int]:
    """The places that bound something open: those of the window around it, or all."""
    parents, above = choice.parents, part
    while (found := parents.get(id(above))) is not None:
        above = found[0]
        if isinstance(above.pattern, Between) or (isinstance(above.pattern, Within) and not floats(above.pattern)):
            break
    return frozenset(above.places)
