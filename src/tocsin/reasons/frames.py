"""A candidate: events in the places of a choice, and what its parts are if every constraint is taken to hold.

The parts are put together by the meaning's own operators (`algebra/combinations.py`), so where all constraints hold
this is the occurrence that `meaning.py` finds. Where an order does not hold, the two sides are put together as `&`
would.
"""

from __future__ import annotations

from collections.abc import Sequence as Several
from dataclasses import dataclass
from itertools import pairwise

from tocsin.algebra.combinations import (
    BOTH,
    CONCURRENT,
    SEQUENCES,
    Operator,
    accumulated,
    combined,
    delayed,
    gathered,
    leaf_occurrence,
    named,
)
from tocsin.algebra.ends import back_is_fluid, bounded_by, floats, front_is_fluid
from tocsin.algebra.occurrence import Bound, Occurrence, Tick
from tocsin.algebra.patterns import (
    Absence,
    Accumulate,
    After,
    Aggregate,
    Between,
    Both,
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
from tocsin.algebra.scene import ALL_TIME, Stretch
from tocsin.events import Event
from tocsin.reasons.choices import Choice, Part

_UNKNOWN = object()


@dataclass(frozen=True)
class Link:
    """Two parts of a sequence that follow each other. `is_fluid`: one of the facing ends is open, the events decide."""

    left: Part
    right: Part
    is_fluid: bool = False


def links(part: Part) -> list[Link]:
    """The neighbours in a sequence, over what has no events of its own."""
    solid = [(place, each) for place, each in enumerate(part.parts) if each.places]
    found = []
    for (at, left), (then, right) in pairwise(solid):
        is_fluid = then > at + 1 or back_is_fluid(left.pattern) or front_is_fluid(right.pattern)
        is_fluid = is_fluid or floats(left.pattern) or floats(right.pattern)  # a window that hangs on the other
        found.append(Link(left, right, is_fluid))
    return found


class Frame:
    """A choice with an event, or nothing, in each of its places."""

    def __init__(self, choice: Choice, events: Several[Event | None], granularity: int | None) -> None:
        self.choice, self.events, self.granularity = choice, events, granularity
        self._parents: dict[int, tuple[Part, int]] | None = None
        self._made: dict[int, object] = {}

    @property
    def whole(self) -> Occurrence | None:
        """The candidate as one occurrence; None while a place is empty."""
        return self.occurrence(self.choice.root)

    def occurrence(self, part: Part) -> Occurrence | None:
        """What a part is; None while one of its places is empty."""
        found = self._made.get(id(part), _UNKNOWN)
        if found is _UNKNOWN:
            if any(self.events[place] is None for place in part.places):
                found = None
            else:
                found = self._occurrence(part)
            self._made[id(part)] = found
        assert found is None or isinstance(found, Occurrence)
        return found

    def known(self, part: Part) -> Occurrence:
        """What a part is whose places are filled."""
        found = self.occurrence(part)
        assert found is not None
        return found

    def _occurrence(self, part: Part) -> Occurrence | None:
        match part.pattern:
            case Named(name=name):
                return named(name, self.known(part.parts[0]))
            case Where() | Aggregate():
                return self.known(part.parts[0])
            case Accumulate():
                *firsts, last = (self.known(each) for each in part.parts)
                return accumulated(firsts, last)
            case Both():
                return self._both(part)
            case Sequence(order=Precedence.GAP):
                return self._gap_sequence(part)
            case Sequence(order=order):
                return self._chain(part, SEQUENCES[order])
            case Concurrent():
                return CONCURRENT.combine(self.known(part.parts[0]), self.known(part.parts[1]))
            case Absence(order=order):
                return self._chain(part, SEQUENCES[order])
            case Times() | Repeat() | Streak():
                return gathered(self.known(each) for each in part.parts)
            case After():
                return delayed(part.pattern, self.known(part.parts[0]), self.granularity)
            case Instant():
                inner = self.known(part.parts[0])
                return inner.spanning(inner.end, inner.end)
            case Within() | Between():
                return self.known(part.parts[0])
            case Never():
                stretch = self.stretch(part)
                ticks = frozenset() if stretch.closing is None else frozenset({stretch.closing})
                return Occurrence(stretch.front, stretch.back, ticks=ticks)
        event = self.events[part.places[0]]
        assert event is not None
        return leaf_occurrence(event, self.granularity)

    # -- two or more -----------------------------------------------------------------------------------------------

    def follows(self, part: Part, link: Link) -> bool:
        """Whether the right of two neighbours follows the left, as the sequence has it."""
        assert isinstance(part.pattern, Sequence | Absence | Accumulate)
        if link.is_fluid:
            # What is open reaches as far as this lets it, so only the events can be asked.
            return max(e.end for e in self.standing(link.left)) < min(e.start for e in self.standing(link.right))
        order = Precedence.GLOBAL if isinstance(part.pattern, Accumulate) else part.pattern.order
        if order is Precedence.GAP and (_has_open_parts(link.left) or _has_open_parts(link.right)):
            return self.rigid(link.left, front=False) < self.rigid(link.right, front=True)
        return SEQUENCES[order].fits(self.known(link.left), self.known(link.right))

    def standing(self, part: Part) -> list[Event]:
        """The events in the places of a part."""
        return [event for place in part.places if (event := self.events[place]) is not None]

    def _groups(self, part: Part) -> list[list[Part]]:
        """The parts of a sequence, cut where one does not follow the one before it."""
        broken = {id(link.right) for link in links(part) if not self.follows(part, link)}
        groups: list[list[Part]] = [[]]
        for each in part.parts:
            if id(each) in broken:
                groups.append([])
            groups[-1].append(each)
        return groups

    def _chain(self, part: Part, operator: Operator) -> Occurrence:
        return _folded([_folded([self.known(p) for p in group], operator) for group in self._groups(part)], BOTH)

    def _gap_sequence(self, part: Part) -> Occurrence:
        groups = []
        for group in self._groups(part):
            ones = [one for each in group if (one := self.occurrence(each)) is not None]
            whole = ones[0]
            for one in ones[1:]:
                whole = combined(whole, one).spanning(whole.start, one.end)
            groups.append(whole)
        return _folded(groups, BOTH)

    def _both(self, part: Part) -> Occurrence:
        fixed = [self.known(each) for each in part.parts if each.places]
        free = [self.known(each) for each in part.parts if not each.places]
        whole = _folded(fixed, BOTH) if fixed else free.pop(0)
        for each in free:
            whole = combined(whole, each)
        return whole

    # -- what is left to what is open ----------------------------------------------------------------------------

    def _parent(self, part: Part) -> tuple[Part, int] | None:
        if self._parents is None:
            self._parents = self.choice.parents
        return self._parents.get(id(part))

    def stretch(self, part: Part) -> Stretch:
        """The stretch of time in which a part is looked for (`windows.py`), as its neighbours and windows leave it."""
        above = self._parent(part)
        if above is None:
            return ALL_TIME
        parent, place = above
        match parent.pattern:
            case Sequence(order=Precedence.GAP) | Repeat():
                return self._between_neighbours(parent, place)
            case Within():
                return self._window(parent)
            case Between() as window:
                tick = Tick(window, window.stop, (window.start,))
                return Stretch(window.start, window.stop, window.start, window.stop, tick)
            case Instant():
                over = self._window_on(parent)
                return ALL_TIME if over is None else self.stretch(over.parts[0])
            case After():
                return ALL_TIME
        return self.stretch(parent)

    def _window_on(self, instant: Part) -> Part | None:
        """The window that is written on {E}, and so bounds E."""
        above = self._parent(instant)
        while above is not None and isinstance(above[0].pattern, Named | Where):
            above = self._parent(above[0])
        return above[0] if above is not None and isinstance(above[0].pattern, Within | Between) else None

    def _between_neighbours(self, parent: Part, place: int) -> Stretch:
        stretch = self.stretch(parent)
        if place > 0 and not back_is_fluid(parent.parts[place - 1].pattern):
            end = self._edge(parent.parts[place - 1], front=False)
            stretch = stretch if end is None else stretch.after(end)
        if place + 1 < len(parent.parts):
            after = parent.parts[place + 1]
            if not front_is_fluid(after.pattern) and not floats(after.pattern):
                start = self._edge(after, front=True)
                stretch = stretch if start is None else stretch.until(start)
        return stretch

    def _edge(self, part: Part, *, front: bool) -> int | None:
        """Where a neighbour begins or ends that is rigid there; None if something is missing in it.

        What is open further inside it may reach as far as this part lets it: that is not asked, or both would wait
        for each other.
        """
        if any(self.events[place] is None for place in part.places):
            return None
        if _has_open_parts(part):
            return self.rigid(part, front=front)
        one = self.occurrence(part)
        return None if one is None else one.start if front else one.end

    def _window(self, window: Part) -> Stretch:
        """A sliding window: forward from a rigid start, or backward from a rigid end, or hanging on a neighbour."""
        pattern = window.pattern
        assert isinstance(pattern, Within)
        inner = bounded_by(pattern)
        if floats(pattern):
            return self._hanging(window)
        edge = self.rigid(self.bounded(window), front=not front_is_fluid(inner))
        if front_is_fluid(inner):
            begin = pattern.period.scaled(-1).added_to(edge)
            return Stretch(begin + 1, edge, begin, edge)
        finish = pattern.period.added_to(edge)
        return Stretch(edge, finish, edge, finish, Tick(pattern, finish, (edge,)))

    def _hanging(self, window: Part) -> Stretch:
        pattern, above = window.pattern, self._parent(window)
        assert isinstance(pattern, Within)
        assert above is not None
        parent, place = above
        if place > 0 and (left := self.occurrence(parent.parts[place - 1])) is not None:
            finish = pattern.period.added_to(left.end)
            return Stretch(left.end + 1, finish, left.end, finish, Tick(pattern, finish, (left.end,)))
        right = self.known(parent.parts[place + 1])
        begin = pattern.period.scaled(-1).added_to(right.start)
        return Stretch(begin, right.start - 1, begin, right.start)

    def beyond(self, window: Part) -> int:
        """By how much a hanging window's events reach beyond it, or it beyond the window around; above zero if so."""
        parent, place = self._parent(window) or (window, 0)
        hanging, outer, one = self._hanging(window), self.stretch(parent), self.known(window)
        reach = [outer.first - one.start if place == 0 else one.end - outer.last]
        reach += [max(hanging.first - event.start, event.end - hanging.last) for event in self.standing(window)]
        return max(reach)

    def bounded(self, window: Part) -> Part:
        """The part that a window bounds: written on {E}, E."""
        part = window.parts[0]
        while isinstance(part.pattern, Named | Where):
            part = part.parts[0]
        return part.parts[0] if isinstance(part.pattern, Instant) else window.parts[0]

    def rigid(self, part: Part, *, front: bool) -> int:
        """When a part begins, or ends, as far as its events say so."""
        pattern = part.pattern
        if isinstance(pattern, Named | Where):
            return self.rigid(part.parts[0], front=front)
        if isinstance(pattern, Both | Sequence | Repeat):
            solid = [each for each in part.parts if each.places]
            if isinstance(pattern, Sequence) and pattern.order is Precedence.GAP and not self._is_broken(part):
                return self.rigid(solid[0] if front else solid[-1], front=front)
            edges = [self.rigid(each, front=front) for each in solid]
            return min(edges) if front else max(edges)
        one = self.known(part)
        return one.start if front else one.end

    def _is_broken(self, part: Part) -> bool:
        return len(self._groups(part)) > 1

    # -- variables ---------------------------------------------------------------------------------------------------

    def around(self, part: Part) -> dict[str, Bound]:
        """The variables that are bound around a part: by the neighbours that are looked for before it (004)."""
        above = self._parent(part)
        if above is None:
            return {}
        parent, place = above
        known = self.around(parent)
        if isinstance(parent.pattern, Sequence) and parent.pattern.order is Precedence.GAP:
            for number, each in enumerate(parent.parts):
                # What is left of two is looked for first, unless its end is open and the right one bounds it.
                later = max(number, place)
                is_first = back_is_fluid(Sequence(parent.pattern.parts[:later], Precedence.GAP)) == (number > place)
                if number != place and is_first and (one := self.occurrence(each)) is not None:
                    known |= one.variables()
        return known

    def everything(self) -> dict[str, Bound]:
        """All variables of the candidate."""
        found = dict[str, Bound]()
        ahead = [self.choice.root]
        while ahead:
            part = ahead.pop()
            if isinstance(part.pattern, Named) and (one := self.occurrence(part)) is not None:
                found.setdefault(part.pattern.name, one.binding(()))
            ahead.extend(part.parts)
        return found


def _has_open_parts(part: Part) -> bool:
    """Whether something in it reaches as far as its surroundings let it, though its own ends are rigid."""
    return any(isinstance(each, Never) for each in walk(part.pattern))


def _folded(ones: list[Occurrence], operator: Operator) -> Occurrence:
    whole = ones[0]
    for one in ones[1:]:
        whole = operator.combine(whole, one)
    return whole
