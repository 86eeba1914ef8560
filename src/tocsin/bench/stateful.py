"""Rules that remember more than events, on the events of W1: `chronicle`, and a chain of the core language, by key.

Both are judged by the loop of W1. Each has a loop of its own, which says what must be found, and is told beside it.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable
from functools import partial
from typing import cast

from tocsin.algebra.rules import Context, Rule
from tocsin.bench.columns import Answer, Matches, answer, is_compiled, prepared, run
from tocsin.bench.engine import table_of
from tocsin.bench.loops import LOOPS, MINUTE, Match
from tocsin.bench.measurement import best_of_each
from tocsin.bench.records import Record, Target
from tocsin.bench.workloads import Row, checksum
from tocsin.errors import Source
from tocsin.languages import core, gem
from tocsin.time.spans import Period

WINDOW = Period.of(microseconds=MINUTE)
PAIRS = "(a:A ; b:B when a.key == b.key) ; c:C when b.key == c.key && c.value > a.value"
CHAIN = "[a:A] ; [B(key = a.key)] ; [C(key = a.key)]"


def in_turn(table: Iterable[Row]) -> list[Match]:
    """PAIRS in chronicle: a B takes the oldest A of its key, a C the oldest such pair whose A is less."""
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
            if waiting:
                pairs[key].append((waiting.popleft(), place))
        elif letter == 2:
            paired = pairs[key]
            while paired and paired[0][0][0] < time - MINUTE:
                paired.popleft()
            for pair in paired:
                if value > pair[0][1]:
                    found.append((pair[0][2], pair[1], place))
                    paired.remove(pair)
                    break
    return found


def chained(table: Iterable[Row]) -> list[Match]:
    """CHAIN: each A begins a run, which takes the next B and then the next C of its key."""
    begun: dict[int, list[tuple[int, int]]] = defaultdict(list)
    half: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
    found: list[Match] = []
    for place, (time, letter, key, _) in enumerate(table):
        if letter == 0:
            begun[key].append((time, place))
        elif letter == 1 and begun[key]:
            half[key] += [(first, one, place) for first, one in begun[key] if first >= time - MINUTE]
            begun[key].clear()
        elif letter == 2 and half[key]:
            found += [(one, two, place) for first, one, two in half[key] if first >= time - MINUTE]
            half[key].clear()
    return found


def chronicle(scale: float, tries: int) -> Record:
    """A then B then C of one key, C.value > A.value, in chronicle."""
    rule = Rule("w8", gem.parse(Source(PAIRS)), "gem", context=Context.CHRONICLE, window=WINDOW)
    return _measured("chronicle", rule, in_turn, Target(3), scale, tries)


def core_chain(scale: float, tries: int) -> Record:
    """`[A]; [B]; [C]` of one key in the core language."""
    rule = Rule("w9", core.parse(Source(CHAIN)), "core", window=WINDOW)
    return _measured("core", rule, chained, Target(2), scale, tries)


def _measured(
    name: str, rule: Rule, own: Callable[[Iterable[Row]], list[Match]], target: Target, scale: float, tries: int
) -> Record:
    given = table_of("W1", scale)
    contenders: list[Callable[[], Callable[[], object]]] = [
        lambda: partial(LOOPS["W1"], given.rows()),
        lambda: partial(own, given.rows()),
        lambda: partial(run, prepared([rule]), given),
    ]
    (loop, _), (its_loop, listed), (seconds, columns) = best_of_each(contenders, tries)
    matches = cast(list[Match], listed)
    found = answer(cast(Matches, columns), given)
    return Record(
        name,
        len(given),
        found.matches,
        found.checksum,
        seconds,
        loop / seconds,
        "x the loop of W1",
        target,
        found == Answer(len(matches), checksum(matches)),
        is_compiled(),
        {"x its own loop": its_loop / seconds},
    )
