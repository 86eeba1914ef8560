"""Figures beyond the workloads: late events, selective guards, one event at a time, many requests, size, memory.

Each has an independent count of what must be found: a loop, or the matches of another run filtered by NumPy.
"""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from statistics import median

from tocsin.algebra.guards import Attribute, Binary, Call, Literal
from tocsin.algebra.notes import Notes
from tocsin.algebra.patterns import Aggregate, Named, Primitive
from tocsin.algebra.rules import Command, Context, Define, Enable, Program, Rule
from tocsin.bench.columns import Answer, Matches, answer, is_compiled, places
from tocsin.bench.engine import table_of, timed_each
from tocsin.bench.loops import LOOPS, MINUTE, many
from tocsin.bench.measurement import best_of
from tocsin.bench.plans import rules
from tocsin.bench.records import Record, Target
from tocsin.bench.searched import heartbeat, repeat
from tocsin.bench.stateful import chronicle, core_chain
from tocsin.bench.workloads import (
    LETTERS,
    WEIGHTS,
    WORKLOADS,
    Row,
    Table,
    checksum,
    delayed,
    numpy_module,
    thresholds,
)
from tocsin.engine.engine import Engine
from tocsin.events import Detection
from tocsin.live import Live
from tocsin.time.spans import MSEC, Period

REQUESTS = 1_000
SIZES = (0.125, 0.25, 0.5, 1.0)
"""What part of W1 `linear` is measured at."""
LONG, SHORT = 20_000_000, 2_000_000
"""Events of `memory`, with --long and without."""
PUSHED = 0.1
"""What part of W1 is pushed one by one, or taken by the hundred."""
HUNDRED = 100
MADE = 256
"""Events that are made before they are pushed: few, so that they are still in the processor's cache."""


def late(scale: float, tries: int) -> Record:
    """W1 with a tenth of the events up to 10 s late.

    The window is looked at when a match is completed. So of the matches in order those are found whose oldest event
    is in the window when the last of them arrives. Both runs have a column of arrivals, so that it is lateness alone
    that makes the difference.
    """
    given = table_of("W1", scale)
    given = replace(given, arrivals=given.times.copy())
    some = delayed(given)
    rules = WORKLOADS["W1"].rules
    (in_order, found), (seconds, late_found) = timed_each([(rules, given), (rules, some)], tries)
    arrivals = numpy_module().empty_like(some.arrivals)
    arrivals[some.order] = some.arrivals

    def is_in_time(rows: object) -> object:
        return given.times[rows[:, 0]] >= arrivals[rows].max(axis=1) - MINUTE  # type: ignore[index]

    wanted, mine = _kept(found, given, is_in_time), answer(late_found, some)
    ratio = in_order / seconds
    return _record("late", some, mine, seconds, ratio, "of the speed in order", Target(0.9), mine == wanted)


def selective(scale: float, tries: int) -> Record:
    """W2 with C.value > A.value + 95: few matches, which a plan finds sooner if it looks at A before B."""
    given = table_of("W2", scale)
    contenders = [(WORKLOADS["W2"].rules, given), (thresholds([95.0]), given)]
    (all_time, found), (seconds, few) = timed_each(contenders, tries)
    values = given.values
    wanted = _kept(found, given, lambda rows: values[rows[:, 2]] > values[rows[:, 0]] + 95.0)  # type: ignore[index]
    mine = answer(few, given)
    ratio = all_time / seconds
    return _record("selective", given, mine, seconds, ratio, "x the speed of W2", Target(4), mine == wanted)


def flat(scale: float, tries: int) -> Record:
    """An aggregate over 1,000 and over a million events: the cost of an event in the one, as a multiple of the other.

    One a millisecond of one group; how many they are, their sum and their deviation are asked each time, and none is
    told. The larger window is nearly as long as the stream, so that it is full of what it holds most of the time.
    """
    numpy = numpy_module()
    count = max(4_000, round(1_200_000 * scale))
    values = numpy.round(numpy.random.default_rng(7).random(count) * 100, 6)
    zeros = numpy.zeros(count, dtype=int)
    given = Table(numpy.arange(count) * MSEC, zeros, zeros, values)
    small, large = [_averaged(milliseconds) for milliseconds in (1_000, max(2_000, round(1_000_000 * scale)))]
    (short, few), (long, many_found) = timed_each([((small,), given), ((large,), given)], tries)
    mine, wanted = answer(many_found, given), answer(few, given)
    return _record(
        "flat", given, mine, long, long / short, "x the cost in 1,000", Target(1.5, at_most=True), mine == wanted
    )


def _averaged(milliseconds: int) -> Rule:
    """Told nowhere: the deviation of values up to 100 is less than that."""
    calls = [Call(name, (Attribute("A", "value"),)) for name in ("sum", "stddev")]
    told = Binary("&&", Binary(">", calls[0], Literal(-1)), Binary(">", calls[1], Literal(1_000)))
    period = Period.of(microseconds=milliseconds * MSEC)
    pattern = Aggregate(Named("A", Primitive("A")), told, period, each=True)
    return Rule("flat", pattern, "python", context=Context.UNRESTRICTED, window=period)


def push(scale: float, tries: int) -> Record:
    """W1 one event at a time through `Engine.push`: events a CPU-second, and how long single calls keep one waiting."""
    given = table_of("W1", scale * PUSHED)
    rows = given.rows()
    best = loop = float("inf")
    for _ in range(tries):
        seconds, wanted = best_of(lambda: LOOPS["W1"](rows), 1)
        loop, best = min(loop, seconds), min(best, _pushed(rows)[0])
    pauses = _pauses(rows)
    found = _pushed(rows, with_ids=True)[1]
    mine = Answer(len(found), checksum(found))
    details = {
        "x the loop": loop / best,
        "median pause us": median(pauses) / 1e3,
        "worst pause us": max(pauses) / 1e3,
    }
    agrees = mine == Answer(len(wanted), checksum(wanted))
    million = len(given) / best / 1e6
    return _record("push", given, mine, best, million, "million events/CPU-s", Target(4, 5), agrees, details)


def by_hundred(scale: float, tries: int) -> Record:
    """W1 through `tc.Live.process`, a hundred dictionaries at a time: microseconds an event."""
    given = table_of("W1", scale * PUSHED)
    rows = given.rows()
    taken = [_taken_by_hundred(rows) for _ in range(tries)]
    seconds, found = min(seconds for seconds, _ in taken), taken[-1][1]
    wanted, mine = [*LOOPS["W1"](rows)], Answer(len(found), checksum(found))
    agrees = mine == Answer(len(wanted), checksum(wanted))
    per_event = seconds / len(given) * 1e6
    return _record("by-100", given, mine, seconds, per_event, "us an event", Target(1.5, at_most=True), agrees)


def hundred(scale: float, tries: int) -> Record:
    """The hundred rules of W5 against one of them."""
    given = table_of("W5", scale)
    wanted = many(given.rows())
    rules = WORKLOADS["W5"].rules
    (one, _), (seconds, found) = timed_each([(rules[:1], given), (rules, given)], tries)
    mine = answer(found, given)
    agrees = mine == Answer(len(wanted), checksum(wanted))
    return _record(
        "many", given, mine, seconds, seconds / one, "x the time of one rule", Target(5, at_most=True), agrees
    )


def constants(scale: float, tries: int) -> Record:
    """A thousand requests that differ in a constant, against the one of them that all their matches are matches of."""
    given = table_of("W1", scale * PUSHED)
    steps = [0.05 * number for number in range(REQUESTS)]
    contenders = [(thresholds(steps[:1]), given), (thresholds(steps), given)]
    (one, found), (seconds, every) = timed_each(contenders, tries)
    wanted, mine = _at_each(found, given, steps), answer(every, given)
    target = Target(5, at_most=True)
    return _record("constants", given, mine, seconds, seconds / one, "x the time of one", target, mine == wanted)


def identical(scale: float, tries: int) -> Record:
    """A thousand equal requests against one."""
    given = table_of("W1", scale * PUSHED)
    contenders = [(thresholds([0.0]), given), (thresholds([0.0] * REQUESTS), given)]
    (one, found), (seconds, every) = timed_each(contenders, tries)
    single, mine = answer(found, given), answer(every, given)
    wanted = Answer(single.matches * REQUESTS, single.checksum * REQUESTS)
    target = Target(1.5, at_most=True)
    return _record("identical", given, mine, seconds, seconds / one, "x the time of one", target, mine == wanted)


def linear(scale: float, tries: int) -> Record:
    """W1 at four sizes: the time for an event at the largest, as a multiple of that at the smallest."""
    tables = [table_of("W1", scale * part) for part in SIZES]
    each: dict[str, float] = {}
    agrees = True
    for given, (seconds, matches) in zip(
        tables, timed_each([(WORKLOADS["W1"].rules, given) for given in tables], tries), strict=True
    ):
        mine = answer(matches, given)
        each[f"ns at {len(given):,}"] = seconds / len(given) * 1e9
        found = LOOPS["W1"](given.rows())
        agrees = agrees and mine == Answer(len(found), checksum(found))
    ratio = each[f"ns at {len(given):,}"] / next(iter(each.values()))
    return _record("linear", given, mine, seconds, ratio, "x the time at 1/8", None, agrees, each)


def memory(scale: float, tries: int, *, long: bool = False) -> Record:
    """How much a process grows on W1 after the first minute of the stream; in a process of its own."""
    count = round((LONG if long else SHORT) * scale)
    asked = [sys.executable, "-m", "tocsin.bench.memory", str(count)]
    done = subprocess.run(asked, check=True, capture_output=True, text=True)
    told = json.loads(done.stdout)
    mine = Answer(told["matches"], told["checksum"])
    details = {"MB after a minute": told["after_a_minute"], "MB at most": told["peak"]}
    grown = told["peak"] - told["after_a_minute"]
    return Record(
        "memory",
        told["events"],
        mine.matches,
        mine.checksum,
        told["cpu_seconds"],
        grown,
        "MB more after a minute",
        Target(300, at_most=True),
        told["agrees"],
        is_compiled(),
        details,
    )


FURTHER: dict[str, Callable[[float, int], Record]] = {
    "late": late,
    "selective": selective,
    "flat": flat,
    "push": push,
    "by-100": by_hundred,
    "many": hundred,
    "constants": constants,
    "identical": identical,
    "linear": linear,
    "memory": memory,
    "chronicle": chronicle,
    "core": core_chain,
    "rules": rules,
    "repeat": repeat,
    "heartbeat": heartbeat,
}


# -- what must be found --------------------------------------------------------------------------------------------


def _kept(found: Matches, given: Table, keeps: Callable[[object], object]) -> Answer:
    """The answer of those matches that are kept; `keeps` gives a truth for each row of places."""
    count = total = 0
    for firing, matches in found:
        rows = places(firing, matches, given)
        rows = rows[keeps(rows)]
        count += len(rows)
        total += sum(int(column.sum()) * weight for column, weight in zip(rows.T, WEIGHTS, strict=False))
    return Answer(count, total)


def _at_each(found: Matches, given: Table, steps: list[float]) -> Answer:
    """The answers for each constant, added up."""
    values = given.values
    each = [
        _kept(found, given, lambda rows, step=step: values[rows[:, 2]] > values[rows[:, 0]] + step)  # type: ignore[misc]
        for step in steps
    ]
    return Answer(sum(one.matches for one in each), sum(one.checksum for one in each))


def _record(
    name: str,
    given: Table,
    mine: Answer,
    seconds: float,
    ratio: float,
    unit: str,
    target: Target | None,
    agrees: bool,
    details: dict[str, float] | None = None,
) -> Record:
    return Record(
        name,
        len(given),
        mine.matches,
        mine.checksum,
        seconds,
        ratio,
        unit,
        target,
        agrees,
        is_compiled(),
        details or {},
    )


# -- one at a time -------------------------------------------------------------------------------------------------


def _engine() -> Engine:
    rule = WORKLOADS["W1"].rules[0]
    engine = Engine(Program((Define(rule), Command(Enable(rule.name)))), None, Notes())
    engine.begin(0)
    engine.build()
    return engine


def _pushed(rows: list[Row], *, with_ids: bool = False) -> tuple[float, list[tuple[int, ...]]]:
    """The CPU time of pushing each row, and the matches if the events have ids to tell them by.

    The events are made some at a time: who pushes them one by one has just made them, and does not fetch them from a
    long list. What an event completes is known at once; it is made into detections when someone looks, here at the end.
    """
    engine = _engine()
    letters = LETTERS
    found: list[Iterable[Detection]] = []
    seconds = 0.0
    gc.collect()
    gc.disable()
    for first in range(0, len(rows), MADE):
        made = rows[first : first + MADE]
        given = [(letters[letter], when, {"key": key, "value": value}) for when, letter, key, value in made]
        begun = time.process_time()
        if with_ids:
            for place, (kind, when, data) in enumerate(given, first):
                if completed := engine.push(kind, when, data, id=str(place)):
                    found.append(completed)
        else:
            for kind, when, data in given:
                if completed := engine.push(kind, when, data):
                    found.append(completed)
        seconds += time.process_time() - begun
    gc.enable()
    return seconds, [tuple(map(int, one.events)) for each in found for one in each] if with_ids else []


def _taken_by_hundred(rows: list[Row]) -> tuple[float, list[tuple[int, ...]]]:
    """The CPU time, and the matches. The dictionaries are made as they are needed, as a stream's are."""
    live, letters, found, seconds = Live(list(WORKLOADS["W1"].rules)), LETTERS, list[Detection](), 0.0
    gc.collect()
    gc.disable()
    for first in range(0, len(rows), HUNDRED):
        given = [
            {"id": str(place), "type": letters[letter], "time": when / 1e6, "data": {"key": key, "value": value}}
            for place, (when, letter, key, value) in enumerate(rows[first : first + HUNDRED], first)
        ]
        begun = time.process_time()
        found += live.process(given)
        seconds += time.process_time() - begun
    gc.enable()
    return seconds, [tuple(map(int, one.events)) for one in found]


def _pauses(rows: list[Row]) -> list[int]:
    """Nanoseconds of each call."""
    engine = _engine()
    pauses = [0] * len(rows)
    now = time.perf_counter_ns
    gc.collect()
    gc.disable()
    for place, (when, letter, key, value) in enumerate(rows):
        kind, data = LETTERS[letter], {"key": key, "value": value}
        begun = now()
        engine.push(kind, when, data)
        pauses[place] = now() - begun
    gc.enable()
    return pauses
