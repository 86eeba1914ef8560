"""A log driven through rules at work: read some, tell what that found, read on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from tocsin.algebra.notes import Notes
from tocsin.algebra.rules import BEST_EFFORT, Order, Program
from tocsin.errors import TocsinError
from tocsin.events import Arrival, Detection
from tocsin.rules.budgets import UNLIMITED, Budgets
from tocsin.runtime.options import BATCH
from tocsin.runtime.ordered import Ordered
from tocsin.runtime.verbs import Verbs

FIRST: Final = 64
"""Events taken in at first, and twice as many each time as long as few are detected."""
HELD: Final = 10_000
"""Detections held at a time. Where a batch finds more, the next is smaller: they are told before there are more."""


def driven(rules: Verbs, log: Iterable[Arrival], most: int = BATCH, until: int | None = None) -> Iterator[Detection]:
    """Every detection on the log, in order of detection; what came before a bad event is told before its error."""
    arrivals, size = iter(log), min(FIRST, most)
    refused: TocsinError | None = None
    while refused is None:
        taken: list[Arrival] = []
        refused = _take_some(arrivals, size, taken)
        if not taken:
            break
        found = rules.process(taken)
        yield from found
        size = _following(size, len(found), most)
    if refused is not None:
        raise refused
    yield from rules.finish(until)


def detections(
    program: Program,
    log: Iterable[Arrival],
    *,
    order: Order = BEST_EFFORT,
    granularity: int | None = None,
    until: int | None = None,
    ignore_late: bool = False,
    notes: Notes | None = None,
    batch: int = BATCH,
    budgets: Budgets = UNLIMITED,
) -> Iterator[Detection]:
    """Every detection of the program's rules on the log, all on one clock: what `replay` gives, sooner."""
    if order.policy == "guaranteed":  # its sources are known beforehand
        log = list(log)
    rules = Ordered(
        program,
        order,
        sources=[each.source for each in log] if isinstance(log, list) else (),
        granularity=granularity,
        ignore_late=ignore_late,
        notes=notes,
        budgets=budgets,
    )
    yield from driven(rules, log, batch, until)


def _take_some(given: Iterator[Arrival], most: int, taken: list[Arrival]) -> TocsinError | None:
    """Puts what comes next into `taken`; a bad event is handed back, so that what came before it is told first."""
    try:
        for one in islice(given, most):  # not `extend`: compiled, it keeps nothing of what came before an error
            taken.append(one)  # noqa: PERF402 - as above
    except TocsinError as error:
        return error
    return None


def _following(size: int, found: int, most: int) -> int:
    """How many events are taken in next, after so many brought so many detections."""
    if found > HELD:
        return max(1, size * HELD // found)
    return min(most, size * 2)
