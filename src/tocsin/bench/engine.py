"""The engine against the loops, on W1 to W8 and runs: the same table, the same run, the matches compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import cast

from tocsin.algebra.rules import Rule
from tocsin.bench.columns import Answer, Matches, answer, is_compiled, prepared, run
from tocsin.bench.loops import LOOPS, Match
from tocsin.bench.measurement import best_of, best_of_each
from tocsin.bench.records import Record, Target
from tocsin.bench.workloads import WORKLOADS, Table, checksum, table

TARGETS = {
    "W1": Target(8, 15),
    "W2": Target(12, 25),
    "W3": Target(6, 10),
    "W4": Target(8, 15),
    "W5": Target(3.5, 7),
    "W6": Target(7, 12),
    "W7": Target(2, 5),
    "W8": Target(10),
    "run": Target(8, 12),
}
"""Times the loop: the first step, and the goal."""

LEAST_EVENTS = 60


def measure_workload(name: str, *, scale: float = 1.0, tries: int = 5, keys: int | None = None) -> Record:
    """The loop and the engine on one workload, taking turns. The loop's rows are gone when it is the engine's."""
    given = table_of(name, scale, keys)
    contenders: list[Callable[[], Callable[[], object]]] = [
        partial(_loop, name, given),
        partial(_engine, WORKLOADS[name].rules, given),
    ]
    (loop_time, listed), (engine_time, columns) = best_of_each(contenders, tries)
    wanted, found = _listed(listed), answer(cast(Matches, columns), given)
    return Record(
        name,
        len(given),
        found.matches,
        found.checksum,
        engine_time,
        loop_time / engine_time,
        "x the loop",
        TARGETS[name],
        found == wanted,
        is_compiled(),
        {"loop events/CPU-s": round(len(given) / loop_time)},
    )


def table_of(name: str, scale: float = 1.0, keys: int | None = None) -> Table:
    """The events of a workload, or so much of them."""
    workload = WORKLOADS[name]
    return table(workload.shape, max(LEAST_EVENTS, round(workload.events * scale)), keys=keys)


def timed_each(contenders: Sequence[tuple[tuple[Rule, ...], Table]], tries: int) -> list[tuple[float, Matches]]:
    """The engine's least CPU time for each of some rules on a table, taking turns; and its matches."""
    return best_of_each([partial(_engine, rules, given) for rules, given in contenders], tries)


def _engine(rules: tuple[Rule, ...], given: Table) -> Callable[[], Matches]:
    return partial(run, prepared(rules), given)


def _loop(name: str, given: Table) -> Callable[[], list[Match]]:
    return partial(LOOPS[name], given.rows())


def looped(name: str, given: Table, tries: int) -> tuple[float, Answer]:
    """The loop's least CPU time for a table, and its answer."""
    seconds, found = best_of(_loop(name, given), tries)
    return seconds, _listed(found)


def _listed(found: object) -> Answer:
    matches = cast(list[Match], found)
    return Answer(len(matches), checksum(matches))
