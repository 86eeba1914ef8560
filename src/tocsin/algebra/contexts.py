"""The consuming contexts: chronicle, recent, continuous, cumulative (000 section 2 after Snoop; 002 algorithm 4.12).

Here every node of a pattern remembers what its operands gave it, combines by its context and uses up at once.
An operand's occurrence meets what waits before it waits itself, oldest first; what was passed up is final.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import Any

from tocsin.algebra.aggregates import Gauge
from tocsin.algebra.combinations import (
    SEQUENCES,
    Operator,
    absence_holds,
    accepts,
    accumulated,
    attribute_value,
    before,
    combined,
    delayed,
    gathered,
    leaf_occurrence,
    stamp_of,
)
from tocsin.algebra.occurrence import Occurrence, chronology
from tocsin.algebra.patterns import (
    Absence,
    Accumulate,
    After,
    Aggregate,
    AnyEvent,
    At,
    AtInstant,
    Both,
    Concurrent,
    Either,
    Every,
    Instant,
    Named,
    Pattern,
    Precedence,
    Primitive,
    Sequence,
    Streak,
    Times,
    Where,
)
from tocsin.algebra.rules import Context
from tocsin.algebra.streaks import completed_by
from tocsin.algebra.values import Surroundings
from tocsin.algebra.witness import Witness
from tocsin.events import Event

LEAVES = (Primitive, AnyEvent, At, AtInstant, Every)
NODES = (
    *(*LEAVES, Named, Where, Either, Both, Sequence, Concurrent, Absence, Times, Streak, Aggregate, Accumulate),
    *(After, Instant),
)
"""The shapes that can be evaluated node by node. The others have no operands to use up."""


Fit = Callable[[Occurrence, Occurrence], Occurrence | None]
"""Two occurrences as one, or None if they do not fit."""


Finish = Callable[[Occurrence], Occurrence | None]
"""What the names and guards around an operator make of a combination; None if a guard does not hold."""


def fitted(operator: Operator) -> Fit:
    """An operator as one function."""
    return lambda left, right: operator.combine(left, right) if operator.fits(left, right) else None


def oldest(one: Occurrence) -> tuple[object, ...]:
    """The order of partners: by stamp under 2g (base, limit, exact time, arrival), else chronological."""
    if one.stamp is None:
        return chronology(one)
    return (one.stamp.base, one.stamp.limit, one.end, [event.place for event in one.primitives])


class Node(ABC):
    """A pattern's memory in a consuming context."""

    def __init__(self, pattern: Pattern, parts: tuple[Node, ...] = ()) -> None:
        self.pattern, self.parts = pattern, parts
        self.witness: Witness | None = None

    def offer(self, event: Event, declared: frozenset[str] | None, granularity: int | None) -> list[Occurrence]:
        """What the arrival of an event makes here. The last operand hears first: an event ends before it begins."""
        made: list[Occurrence] = []
        for place in reversed(range(len(self.parts))):
            for one in sorted(self.parts[place].offer(event, declared, granularity), key=oldest):
                made += self.receive(place, one)
        return made

    @abstractmethod
    def receive(self, place: int, one: Occurrence) -> list[Occurrence]:
        """What an operand's occurrence makes here."""

    def forget(self, is_old: Callable[[Occurrence], bool]) -> None:
        """Drops what has left the detection window."""
        for part in self.parts:
            part.forget(is_old)

    def memory(self) -> Any:
        """What it and all below it remember, for `memories.py`."""
        return self.remembered(), [part.memory() for part in self.parts]

    def recall(self, memory: Any) -> None:
        """Goes on from what others of the same pattern remembered."""
        own, parts = memory
        if own is not None:
            self.remember(own)
        for part, remembered in zip(self.parts, parts, strict=True):
            part.recall(remembered)

    def remembered(self) -> Any:
        """What it remembers itself."""
        return None

    def remember(self, memory: Any) -> None:
        """Remembers that."""
        raise AssertionError(f"{type(self).__name__} remembers nothing")


class Leaf(Node):
    """An event of a type, or a time event."""

    def offer(self, event: Event, declared: frozenset[str] | None, granularity: int | None) -> list[Occurrence]:
        return [leaf_occurrence(event, granularity)] if accepts(self.pattern, event, declared) else []

    def receive(self, place: int, one: Occurrence) -> list[Occurrence]:
        return [one]


class Passing(Node):
    """A node that changes or drops each occurrence by itself: a name, a guard, an alternative, an instant."""

    def __init__(
        self, pattern: Pattern, parts: tuple[Node, ...], change: Callable[[Occurrence], Occurrence | None]
    ) -> None:
        super().__init__(pattern, parts)
        self._change = change

    def offer(self, event: Event, declared: frozenset[str] | None, granularity: int | None) -> list[Occurrence]:
        # An event that two alternatives stand for is one occurrence (000 section 6.1: the union of their instances).
        return list({one.key: one for one in super().offer(event, declared, granularity)}.values())

    def receive(self, place: int, one: Occurrence) -> list[Occurrence]:
        changed = self._change(one)
        return [] if changed is None else [changed]


class Pair(Node):
    """Two operands that combine: conjunction, sequence, concurrency, absence between them."""

    def __init__(self, pattern: Pattern, parts: tuple[Node, ...], fit: Fit, context: Context, keeps_last: bool) -> None:
        super().__init__(pattern, parts)
        self._fit, self._context, self._keeps_last = fit, context, keeps_last
        self._waiting: tuple[list[Occurrence], list[Occurrence]] = ([], [])

    def receive(self, place: int, one: Occurrence) -> list[Occurrence]:
        if place > 1:
            return []
        # A late initiator of a sequence meets one waiting terminator, which is then used up.
        is_late_first = self._context is Context.CONTINUOUS and place == 0 and not self._keeps_last
        takes_one = self._context is Context.CHRONICLE or is_late_first
        fits: list[tuple[Occurrence, Occurrence]] = []
        for partner in self.partners(place, one):
            whole = self._fit(one, partner) if place == 0 else self._fit(partner, one)
            if whole is not None:
                fits.append((partner, whole))
                if takes_one:
                    break
        if not fits:
            self._wait(place, one)
            return []
        return self._combine(place, one, fits)

    def partners(self, place: int, one: Occurrence) -> Iterable[Occurrence]:
        """What waits on the other side, the oldest first."""
        return sorted(self._waiting[1 - place], key=oldest)

    def _combine(self, place: int, one: Occurrence, fits: list[tuple[Occurrence, Occurrence]]) -> list[Occurrence]:
        if self._context is Context.RECENT:
            fits = [max(fits, key=lambda fit: newest(fit[0]))]
        for partner, _ in fits:
            self.release(1 - place, partner)
        if self.witness is not None:
            self.witness.took(self, one, [partner for partner, _ in fits])
        if self._context is Context.CONTINUOUS and self._keeps_last:
            self._wait(place, one)  # 000 section 2: for a conjunction the terminator is used again
        wholes = [whole for _, whole in fits]
        if self._context is Context.CUMULATIVE and len(wholes) > 1:
            partners = [partner for partner, _ in fits]
            # A sequence is stamped as what ends it.
            last = [*partners, one] if self._keeps_last else partners if place == 0 else [one]
            return [combined(gathered(partners), one, stamp_of(last))]
        return wholes

    def _wait(self, place: int, one: Occurrence) -> None:
        waiting = self._waiting[place]
        if self._context is Context.RECENT:
            # A newer initiator replaces an older; a late one that is older than what waits comes to nothing.
            if waiting and newest(one) < newest(waiting[0]):
                if self.witness is not None:
                    self.witness.replaced(self, waiting[0], [one])
                return
            if waiting and self.witness is not None:
                self.witness.replaced(self, one, list(waiting))
            waiting.clear()
        self.hold(place, one)

    def hold(self, place: int, one: Occurrence) -> None:
        """Lets an operand's occurrence wait."""
        self._waiting[place].append(one)

    def release(self, place: int, one: Occurrence) -> None:
        """One that waits is used up."""
        self._waiting[place].remove(one)

    def remembered(self) -> Any:
        return self._waiting

    def remember(self, memory: Any) -> None:
        self._waiting = memory

    def forget(self, is_old: Callable[[Occurrence], bool]) -> None:
        super().forget(is_old)
        for waiting in self._waiting:
            waiting[:] = [one for one in waiting if not is_old(one)]


def newest(one: Occurrence) -> tuple[object, ...]:
    """In `recent`, newer is by time (SEMANTICS section 6), then by arrival."""
    return (one.end, one.start, [event.place for event in one.primitives])


class Missing(Pair):
    """`{a ; b} ! c`, `a ; NOT b ; c`: a pair, and a third operand whose occurrences are remembered, never used up."""

    def __init__(
        self,
        pattern: Absence,
        parts: tuple[Node, ...],
        context: Context,
        around: Surroundings,
        finish: Callable[[Occurrence | None], Occurrence | None],
    ) -> None:
        self._cancelling: list[Occurrence] = []

        def fit(first: Occurrence, last: Occurrence) -> Occurrence | None:
            whole = fitted(SEQUENCES[pattern.order])(first, last)
            if whole is None or not absence_holds(pattern, whole, first, last, self.cancelling(first, last), around):
                return None
            return finish(whole)

        super().__init__(pattern, parts, fit, context, keeps_last=False)

    def receive(self, place: int, one: Occurrence) -> list[Occurrence]:
        if place == 2:
            self.hold(place, one)
        return super().receive(place, one)

    def cancelling(self, first: Occurrence, last: Occurrence) -> Iterable[Occurrence]:
        """What might come between two."""
        return self._cancelling

    def hold(self, place: int, one: Occurrence) -> None:
        if place == 2:
            self._cancelling.append(one)
        else:
            super().hold(place, one)

    def remembered(self) -> Any:
        return super().remembered(), self._cancelling

    def remember(self, memory: Any) -> None:
        waiting, self._cancelling = memory
        super().remember(waiting)

    def forget(self, is_old: Callable[[Occurrence], bool]) -> None:
        super().forget(is_old)
        self._cancelling = [one for one in self._cancelling if not is_old(one)]


class Counting(Node):
    """TimesEq and TimesDf: as soon as n occurrences are there, the oldest n, or in `recent` the newest."""

    def __init__(self, pattern: Times, parts: tuple[Node, ...], context: Context) -> None:
        super().__init__(pattern, parts)
        self._times, self._context = pattern, context
        self._waiting: list[Occurrence] = []

    def receive(self, place: int, one: Occurrence) -> list[Occurrence]:
        value = attribute_value(one, self._times.attribute)
        if value is None:
            return []
        if self._context is Context.RECENT and not self._times.same and not self._replaces(one, value):
            return []
        self.hold(one)
        taken = self.chosen(value)
        if len(taken) < self._times.count:
            return []
        self.release(taken)
        if self.witness is not None:
            self.witness.took(self, one, taken)
        return [gathered(taken)]

    def _replaces(self, one: Occurrence, value: object) -> bool:
        """Whether an occurrence is the newest of its value: the one that waited is replaced, and does not come back."""
        for other in self.alike(value):
            newer, older = (other, one) if newest(one) < newest(other) else (one, other)
            if self.witness is not None:
                self.witness.replaced(self, newer, [older])
            if older is one:
                return False
            self.release([other])
        return True

    def alike(self, value: object) -> list[Occurrence]:
        """Those of a value that wait."""
        return [one for one in self._waiting if attribute_value(one, self._times.attribute) == value]

    def hold(self, one: Occurrence) -> None:
        """Lets an occurrence wait for others."""
        self._waiting.append(one)

    def release(self, taken: list[Occurrence]) -> None:
        """They are used up."""
        self._waiting = [other for other in self._waiting if other not in taken]

    def chosen(self, value: object) -> list[Occurrence]:
        """Those that would be taken now that one of a value has come; too few, if they are not enough."""
        ordered = sorted(self._waiting, key=newest, reverse=self._context is Context.RECENT)
        if self._times.same:
            alike = [one for one in ordered if attribute_value(one, self._times.attribute) == value]
            return alike[: self._times.count]
        different: dict[object, Occurrence] = {}
        for one in ordered:
            different.setdefault(attribute_value(one, self._times.attribute), one)
        return list(different.values())[: self._times.count]

    def remembered(self) -> Any:
        return self._waiting

    def remember(self, memory: Any) -> None:
        self._waiting = memory

    def forget(self, is_old: Callable[[Occurrence], bool]) -> None:
        super().forget(is_old)
        self._waiting = [one for one in self._waiting if not is_old(one)]


class Lining(Node):
    """`a 3 times` in words: the run that an arrival completes among what is not used up, if what is around it holds."""

    def __init__(self, pattern: Streak, parts: tuple[Node, ...], finish: Finish) -> None:
        super().__init__(pattern, parts)
        self._streak, self._finish = pattern, finish
        self._waiting: list[Occurrence] = []

    def receive(self, place: int, one: Occurrence) -> list[Occurrence]:
        for run in completed_by(self._streak, self.waiting(one), one):
            whole = self._finish(gathered(run))
            if whole is not None:
                self.release(run)
                if self.witness is not None:
                    self.witness.took(self, one, run)
                return [whole]
        return []

    def waiting(self, one: Occurrence) -> list[Occurrence]:
        """Lets an event wait, and gives all that may be in a run with it."""
        self._waiting.append(one)
        return self._waiting

    def release(self, run: list[Occurrence]) -> None:
        """They are used up."""
        self._waiting = [other for other in self._waiting if other not in run]

    def remembered(self) -> Any:
        return self._waiting

    def remember(self, memory: Any) -> None:
        self._waiting = memory

    def forget(self, is_old: Callable[[Occurrence], bool]) -> None:
        super().forget(is_old)
        self._waiting = [one for one in self._waiting if not is_old(one)]


class Measuring(Node):
    """`count(a by k) >= 5`: an event that an aggregate is told of. Using up does not concern what it counts."""

    def __init__(self, pattern: Aggregate, parts: tuple[Node, ...], around: Surroundings) -> None:
        super().__init__(pattern, parts)
        self._gauge = Gauge(pattern, around)

    def receive(self, place: int, one: Occurrence) -> list[Occurrence]:
        return [one] if self._gauge.take(one) else []

    def remembered(self) -> Any:
        return self._gauge.counted, self._gauge.told

    def remember(self, memory: Any) -> None:
        self._gauge.counted, self._gauge.told = memory

    def forget(self, is_old: Callable[[Occurrence], bool]) -> None:
        super().forget(is_old)
        self._gauge.forget(lambda event: is_old(leaf_occurrence(event, None)))


class Gathering(Node):
    """002's `a * b`: each b takes all the unconsumed a before it; one that is not before it stays for the next b."""

    def __init__(self, pattern: Pattern, parts: tuple[Node, ...]) -> None:
        super().__init__(pattern, parts)
        self._waiting: list[Occurrence] = []

    def receive(self, place: int, one: Occurrence) -> list[Occurrence]:
        if place == 0:
            self.hold(one)
            return []
        taken = [first for first in self.partners(one) if before(first, one, Precedence.GLOBAL)]
        self.release(taken)
        if self.witness is not None:
            self.witness.took(self, one, taken)
        return [accumulated(taken, one)]

    def partners(self, last: Occurrence) -> Iterable[Occurrence]:
        """What waits and may be before `last`."""
        return self._waiting

    def hold(self, one: Occurrence) -> None:
        """Lets an a wait for a b."""
        self._waiting.append(one)

    def release(self, taken: list[Occurrence]) -> None:
        """They are used up."""
        self._waiting = [first for first in self._waiting if first not in taken]

    def remembered(self) -> Any:
        return self._waiting

    def remember(self, memory: Any) -> None:
        self._waiting = memory

    def forget(self, is_old: Callable[[Occurrence], bool]) -> None:
        super().forget(is_old)
        self._waiting = [one for one in self._waiting if not is_old(one)]


class Waiting(Node):
    """`e + [t]`: each occurrence of e, once its time has come. `due` hears of it first."""

    def __init__(self, pattern: After, parts: tuple[Node, ...], around: Surroundings, granularity: int | None) -> None:
        super().__init__(pattern, parts)
        self._after, self._around, self._granularity = pattern, around, granularity
        self.pending: list[Occurrence] = []

    def receive(self, place: int, one: Occurrence) -> list[Occurrence]:
        whole = delayed(self._after, one, self._granularity)
        if whole.end <= self._around.now:
            return [whole]
        self.hold(whole)
        return []

    def hold(self, whole: Occurrence) -> None:
        """Lets an occurrence wait until its time has come."""
        self.pending.append(whole)

    def release(self, whole: Occurrence) -> None:
        """Its time has come."""
        self.pending.remove(whole)

    def remembered(self) -> Any:
        return self.pending

    def remember(self, memory: Any) -> None:
        self.pending = memory

    def forget(self, is_old: Callable[[Occurrence], bool]) -> None:
        super().forget(is_old)
        self.pending = [one for one in self.pending if not is_old(one)]


def watch_nodes(node: Node, witness: Witness) -> None:
    """Lets somebody hear of what `node` and all below it use up."""
    node.witness = witness
    for part in node.parts:
        watch_nodes(part, witness)


def waiting_nodes(node: Node) -> Iterable[tuple[tuple[tuple[Node, int], ...], Waiting]]:
    """Every `e + [t]` below `node`, with the way up from it: (parent, operand) from the nearest to the root."""
    if isinstance(node, Waiting):
        yield (), node
    for place, part in enumerate(node.parts):
        for way, found in waiting_nodes(part):
            yield (*way, (node, place)), found


def pass_up(one: Occurrence, way: tuple[tuple[Node, int], ...]) -> list[Occurrence]:
    """What an occurrence that was waited for makes at the root, through every node on its way."""
    made = [one]
    for node, place in way:
        made = [whole for each in sorted(made, key=oldest) for whole in node.receive(place, each)]
    return made
