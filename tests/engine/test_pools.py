"""Consuming contexts over pools: repetitions, absences, iterations, cumulative, 2g; an occurrence meets what it may."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from tests.engine.test_memories import saved_at
from tests.engine.test_stateful import log
from tests.engine.test_verbs import cuts
from tocsin.algebra.notes import Notes
from tocsin.algebra.occurrence import Occurrence
from tocsin.algebra.replay import replay
from tocsin.algebra.rules import SEARCHED, Context, Program
from tocsin.engine.detectors.pools import Pool
from tocsin.engine.detectors.reach import ANYTHING, NOTHING
from tocsin.events import Event
from tocsin.rules.loader import load_expression
from tocsin.rules.options import window_of
from tocsin.rules.programs import rules_program
from tocsin.runtime.logs import detections
from tocsin.runtime.options import Options
from tocsin.session import Session

CONTEXTS = tuple(context for context in Context if context not in SEARCHED)
EXPRESSIONS = (
    ("gem", "x:A ; y:B when x.k == y.k"),
    ("gem", "(x:A & y:B when x.k == y.k) ; z:C when z.k == y.k && z.v >= x.v"),
    ("gem", "({x:A ; y:B} ! z:C) when x.k == y.k && (z.k == x.k || !?z)"),
    ("gem", "({x:A ; y:B} ! C) when x.k == y.k"),
    ("gem", "({x:A ; y:B} ! z:C) when z.k == x.k || !?z"),
    ("gem", "({x:A ; y:B} ! z:C) when (z.v > x.v || !?z)"),
    ("gem", "(x:A + [2*sec]) & y:B when x.k == y.k"),
    ("gem", "x:(A | C) ; y:B when $x == $y"),
    ("gem", "x:* ; y:B when $x == $y"),
    ("eps", "TimesEq(3, A, k) ; B"),
    ("eps", "TimesDf(3, A, k) & TimesEq(2, B, v)"),
    ("global", "A * B"),
    ("global", "(A * B) ; C"),
    ("global", "A ; NOT C ; B"),
    ("global", "(A , B) ; NOT X ; (C || A)"),
)


def program_of(random: Random) -> Program:
    """A rule in a consuming context, perhaps in a window, perhaps beside one that shares all but its condition."""
    language, text = random.choice(EXPRESSIONS)
    window = window_of(random.choice(("5 sec", "20 sec"))) if random.random() < 0.5 else None
    made = Session(load_expression(text, language), Options(context=random.choice(CONTEXTS), window=window))
    rule = made.program.rules[0]
    return rules_program([rule] if random.random() < 0.7 else [rule, replace(rule, name="two")])


@pytest.mark.parametrize("granularity", [None, 500_000, 2_000_000])
@pytest.mark.parametrize("part", range(2))
def test_much_waits(part: int, granularity: int | None) -> None:
    """Late and equal times, odd keys, snapshots at any place, exact times and 2g stamps: the same detections."""
    found = 0
    for number in range(part * 25, part * 25 + 25):
        random = Random(f"pools {number} {granularity}")
        program, events = program_of(random), log(random)
        theirs, mine = Notes(), Notes()
        should = list(map(repr, replay(program, events, notes=theirs, granularity=granularity)))
        got = list(map(repr, detections(program, events, notes=mine, granularity=granularity)))
        assert got == should, (number, program)
        assert mine.refused == theirs.refused
        saved = saved_at(cuts(random, events), program, None, granularity)
        assert list(map(repr, saved)) == should, (number, program)
        found += len(should)
    assert found > 100


# -- a pool ------------------------------------------------------------------------------------------------------------


def one(time: int, key: object = None) -> Occurrence:
    made = Event("a", time, time, str(time), data={"k": key}, arrival=time, number=time)
    return Occurrence(time, time, (made,))


def by_key(occurrence: Occurrence) -> object:
    return occurrence.events[0].data["k"]


def ends(found: object) -> list[int]:
    return [each.end for each in found]  # type: ignore[attr-defined]  # occurrences


def test_only_those_of_a_value_meet() -> None:
    pool = Pool(by_key)
    for time in range(100):
        pool.put(one(time, time % 10))
    assert ends(pool.meeting(3)) == list(range(3, 100, 10))
    assert ends(pool.meeting(77)) == ends(pool.meeting(NOTHING)) == []
    assert len(ends(pool.meeting(ANYTHING))) == 100


def test_what_may_equal_anything_is_met_by_all() -> None:
    pool = Pool(by_key)
    for time, key in enumerate((ANYTHING, 1, NOTHING, 2, ANYTHING)):
        pool.put(one(time, key))
    assert ends(pool.meeting(1)) == [0, 1, 4]
    assert ends(pool.all()) == [0, 1, 2, 3, 4]


def test_the_oldest_first_however_they_came() -> None:
    pool = Pool(is_by_end=True)
    for time in (5, 1, 9, 3, 7):
        pool.put(one(time))
    assert ends(pool.meeting(None)) == [1, 3, 5, 7, 9]
    assert ends(pool.meeting(None, 3, 7)) == [3, 5, 7]
    assert (pool.last_end(None, 7), pool.last_end(None, 8)) == (5, 7)


def test_what_is_gone_is_not_met_nor_kept() -> None:
    pool = Pool(by_key, is_by_end=True)
    ones = [one(time, time % 2) for time in range(1_000)]
    for each in ones:
        pool.put(each)
    for each in ones[:990]:
        pool.take_out(each)
    assert ends(pool.meeting(1)) == [991, 993, 995, 997, 999]
    assert sum(len(bucket.aged) for bucket in pool._buckets.values()) < 100
    gone = pool.forget(lambda each: each.end < 995)
    assert sorted(ends(gone)) == [990, 991, 992, 993, 994]
    assert len(pool) == 5
    for each in ones[995:]:
        pool.take_out(each)
    assert not pool._buckets
