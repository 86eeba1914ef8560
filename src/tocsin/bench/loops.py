"""The yardstick: for each workload a plain Python loop, written by hand for that rule alone, that lists every match."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable
from itertools import combinations

from tocsin.bench.workloads import Row
from tocsin.time.spans import SECOND

Match = tuple[int, ...]
"""Positions of the events that made it."""

MINUTE = 60 * SECOND


def sequence(table: Iterable[Row]) -> list[Match]:
    """W1, W2: keeps the A's and the pairs A, B of each key; a C goes through the pairs."""
    firsts: dict[int, deque[tuple[int, float, int]]] = defaultdict(deque)
    pairs: dict[int, deque[tuple[tuple[int, float, int], int]]] = defaultdict(deque)
    found: list[Match] = []
    for place, (time, letter, key, value) in enumerate(table):
        if letter == 0:
            firsts[key].append((time, value, place))
        elif letter == 1:
            waiting = firsts[key]
            while waiting and waiting[0][0] < time - MINUTE:
                waiting.popleft()
            begun = pairs[key]
            for first in waiting:
                begun.append((first, place))
        elif letter == 2:
            begun = pairs[key]
            if begun:
                pairs[key] = begun = deque(pair for pair in begun if pair[0][0] >= time - MINUTE)
                for first, second in begun:
                    if value > first[1]:
                        found.append((first[2], second, place))
    return found


def absence(table: Iterable[Row], window: int = 5 * SECOND) -> list[Match]:
    """W3: keeps the unanswered A's of each key, and all A's in order of their deadline."""
    deadlines: deque[tuple[int, int, int]] = deque()
    unanswered: dict[int, list[int]] = defaultdict(list)
    found: list[Match] = []
    for place, (time, letter, key, _) in enumerate(table):
        while deadlines and deadlines[0][0] < time:
            _, late_key, first = deadlines.popleft()
            if first in unanswered[late_key]:
                unanswered[late_key].remove(first)
                found.append((first,))
        if letter == 0:
            deadlines.append((time + window, key, place))
            unanswered[key].append(place)
        elif letter == 1 and unanswered[key]:
            unanswered[key].clear()
    found.extend((first,) for _, key, first in deadlines if first in unanswered[key])
    return found


def repetition(table: Iterable[Row], window: int = 10 * SECOND, times: int = 5) -> list[Match]:
    """W4: keeps the A's of each key; a new one is combined with every four of those alive."""
    seen: dict[int, deque[tuple[int, int]]] = defaultdict(deque)
    found: list[Match] = []
    for place, (time, letter, key, _) in enumerate(table):
        if letter == 0:
            alive = seen[key]
            while alive and alive[0][0] < time - window:
                alive.popleft()
            found += [(*[each[1] for each in chosen], place) for chosen in combinations(alive, times - 1)]
            alive.append((time, place))
    return found


def in_a_row(table: Iterable[Row], window: int = 10 * SECOND, times: int = 5) -> list[Match]:
    """run: keeps the last four A's of each key, no more; a new one looks whether they lie within the window."""
    seen: dict[int, deque[tuple[int, int]]] = {}
    found: list[Match] = []
    for place, (time, letter, key, _) in enumerate(table):
        if letter == 0:
            last = seen.get(key)
            if last is None:
                last = seen[key] = deque(maxlen=times - 1)
            elif len(last) == times - 1 and last[0][0] >= time - window:
                found.append((*[each[1] for each in last], place))
            last.append((time, place))
    return found


def counted(table: Iterable[Row], window: int = MINUTE, least: int = 20) -> list[Match]:
    """W8: keeps the times of each key's A's that are in the window; a new one looks how many they are."""
    seen: dict[int, deque[int]] = defaultdict(deque)
    found: list[Match] = []
    for place, (time, letter, key, _) in enumerate(table):
        if letter == 0:
            alive = seen[key]
            alive.append(time)
            while alive[0] <= time - window:
                alive.popleft()
            if len(alive) >= least:
                found.append((place,))
    return found


def many(table: Iterable[Row], rules: int = 100) -> list[Match]:
    """W5: as W1, with the thresholds of the rules for each last letter in ascending order."""
    firsts: dict[int, deque[tuple[int, float, int]]] = defaultdict(deque)
    pairs: dict[int, deque[tuple[tuple[int, float, int], int]]] = defaultdict(deque)
    thresholds = {2 + r: [5.0 * (rule // 8) for rule in range(rules) if rule % 8 == r] for r in range(8)}
    found: list[Match] = []
    for place, (time, letter, key, value) in enumerate(table):
        if letter == 0:
            firsts[key].append((time, value, place))
        elif letter == 1:
            waiting = firsts[key]
            while waiting and waiting[0][0] < time - MINUTE:
                waiting.popleft()
            for first in waiting:
                pairs[key].append((first, place))
        else:
            alive = pairs.get(key)
            if alive:
                while alive and alive[0][0][0] < time - MINUTE:
                    alive.popleft()
                for first, second in alive:
                    if first[0] >= time - MINUTE:
                        rise = value - first[1]
                        for threshold in thresholds[letter]:
                            if rise > threshold:
                                found.append((first[2], second, place))
                            else:
                                break
    return found


def generic(table: Iterable[Row]) -> list[Match]:
    """W6, W7: a C fires once, for the oldest A and then the oldest B that are not used up, and uses up all three."""
    firsts: dict[int, deque[tuple[int, float, int]]] = defaultdict(deque)
    seconds: dict[int, deque[tuple[int, int]]] = defaultdict(deque)
    found: list[Match] = []
    for place, (time, letter, key, value) in enumerate(table):
        if letter == 0:
            firsts[key].append((time, value, place))
        elif letter == 1:
            seconds[key].append((time, place))
        elif letter == 2:
            ones, others = firsts[key], seconds[key]
            while ones and ones[0][0] < time - MINUTE:
                ones.popleft()
            while others and others[0][0] < time - MINUTE:
                others.popleft()
            if ones and others:
                pairs = ((one, other) for one in ones if value > one[1] for other in others if other[0] > one[0])
                hit = next(pairs, None)
                if hit is not None:
                    ones.remove(hit[0])
                    others.remove(hit[1])
                    found.append((hit[0][2], hit[1][1], place))
    return found


LOOPS: dict[str, Callable[[Iterable[Row]], list[Match]]] = {
    "W1": sequence,
    "W2": sequence,
    "W3": absence,
    "W4": repetition,
    "W5": many,
    "W6": generic,
    "W7": generic,
    "W8": counted,
    "run": in_a_row,
}
