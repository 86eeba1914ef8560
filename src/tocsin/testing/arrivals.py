"""Orders in which the events of a case may arrive, none of them later than it may be; and the least that fails.

An order is a delay for each event. It arrives at its time and its delay; where two arrive at once the one that is later
comes last, which is the worst that can happen. Events of one time keep the order in which they were given, for that is
all there is to tell them apart; and where sources are known to report in order (`guaranteed`), each keeps its own.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from tocsin.events import Event
from tocsin.testing.cases import Case

Delays = tuple[int, ...]
"""How late each event is, by its place among those given, in microseconds."""


@dataclass(frozen=True)
class Late:
    """What may be late: the events of a case, how late at most, and whether a source's own order is kept."""

    events: tuple[Event, ...]
    delay: int
    by_source: bool

    def arriving(self, delays: Delays) -> list[Event]:
        """The events in this order of arrival."""
        if self.by_source:
            keys = [(event.end + late, event.end, place) for place, (event, late) in self._placed(delays)]
        else:
            keys = [(event.end + late, late, place) for place, (event, late) in self._placed(delays)]
        return [replace(self.events[key[2]], arrival=key[0]) for key in sorted(keys)]

    def _placed(self, delays: Delays) -> Iterator[tuple[int, tuple[Event, int]]]:
        return enumerate(zip(self.events, delays, strict=True))

    def allowed(self, delays: Iterable[int]) -> Delays:
        """The nearest delays that are allowed: what must not be overtaken is waited for."""
        made = [max(0, min(late, self.delay)) for late in delays]
        last: dict[object, int] = {}
        for place in sorted(range(len(made)), key=lambda place: (self.events[place].end, place)):
            event = self.events[place]
            kept: list[object] = [event.end]
            if self.by_source:
                kept.append(event.source)
            arrival = max([event.end + made[place], *(last.get(key, 0) for key in kept if key in last)])
            last.update(dict.fromkeys(kept, arrival))
            made[place] = arrival - event.end
        return tuple(made)


def late_events(case: Case) -> Late:
    """What may be late in a case that says how late."""
    assert case.delay is not None
    events = tuple(event for event in case.given if isinstance(event, Event))
    orders = {case.options.order.policy, *(rule.order.policy for rule in case.program.rules if rule.order is not None)}
    return Late(events, case.delay, "guaranteed" in orders)


def orders(late: Late, count: int, seed: str) -> list[Delays]:
    """So many different orders at most: the extreme ones first, then random ones."""
    found: dict[Delays, None] = {}
    tries = islice(_tries(late, random.Random(seed)), 20 * count + 20)
    for delays in tries:
        if len(found) >= count:
            break
        found.setdefault(late.allowed(delays))
    return list(found)


def _tries(late: Late, chance: random.Random) -> Iterator[Iterable[int]]:
    size, most = len(late.events), late.delay
    if not size:
        return
    yield [0] * size
    yield [most] * size
    yield _turned(late, 0)
    yield _turned(late, 1)
    yield [most * (place % 2) for place in range(size)]
    yield [most * ((place + 1) % 2) for place in range(size)]
    for source in sorted({event.source for event in late.events}):
        yield [most if event.source == source else 0 for event in late.events]
        yield [0 if event.source == source else most for event in late.events]
    singles = list(range(size))
    chance.shuffle(singles)
    for alone in singles:
        yield [most if place == alone else 0 for place in range(size)]
        yield [chance.randint(0, most) for _ in range(size)]
        yield [chance.choice((0, most)) for _ in range(size)]
    while True:
        yield [chance.randint(0, most) for _ in range(size)]
        share = chance.random()
        yield [chance.randint(0, most) if chance.random() < share else 0 for _ in range(size)]


def _turned(late: Late, skipped: int) -> list[int]:
    """The events backwards, as far as the delay allows: those of one stretch of time arrive at its end."""
    made = [0] * len(late.events)
    by_time = sorted(range(len(made)), key=lambda place: (late.events[place].end, place))[skipped:]
    begin: int | None = None
    for place in by_time:
        end = late.events[place].end
        if begin is None or end - begin > late.delay:
            begin = end
        made[place] = begin + late.delay - end
    return made


def least(late: Late, delays: Delays, fails: Callable[[Delays], bool], tries: int = 400) -> Delays:
    """The order with the fewest late events, each as little late as can be, that still fails."""
    left = tries

    def still(candidate: Iterable[int]) -> Delays | None:
        nonlocal left
        allowed = late.allowed(candidate)
        if left <= 0 or allowed == delays or sum(allowed) >= sum(delays):
            return None
        left -= 1
        return allowed if fails(allowed) else None

    changed = True
    while changed:
        changed = False
        for size in _halves(len(delays)):  # many at once first: most do not matter
            for begin in range(0, len(delays), size):
                smaller = still([0 if begin <= place < begin + size else each for place, each in enumerate(delays)])
                if smaller is not None:
                    delays, changed = smaller, True
    for place, each in enumerate(delays):
        for smaller_delay in _steps(late, place, each):
            smaller = still([*delays[:place], smaller_delay, *delays[place + 1 :]])
            if smaller is not None:
                delays = smaller
                break
        unit = max(1, 10 ** (len(str(delays[place])) - 2))  # two digits: nobody wants to read more
        low, high = 0, delays[place] // unit
        while high - low > 1:
            middle = (low + high) // 2
            smaller = still([*delays[:place], middle * unit, *delays[place + 1 :]])
            low, high = (middle, high) if smaller is None else (low, middle)
            delays = delays if smaller is None else smaller
    return delays


def _halves(size: int) -> Iterator[int]:
    while size > 1:
        size = (size + 1) // 2
        yield size


def _steps(late: Late, place: int, most: int) -> list[int]:
    """The delays with which an event comes just after the next one, the one after that, and so on."""
    begin = late.events[place].end
    return sorted({event.end - begin for event in late.events if 0 < event.end - begin < most})
