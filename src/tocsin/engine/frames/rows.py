"""Slices of a frame through the rules; what they find stays as rows of numbers until detections are asked for.

A row names the moment it was found at, its branch and selection (which say which rules it is for), and the numbers of
the events in the branch's registers.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from heapq import merge
from itertools import groupby
from typing import Final

from tocsin.algebra.firings import detection_of
from tocsin.algebra.notes import Notes
from tocsin.algebra.occurrence import chronology
from tocsin.algebra.rules import Program, Raise, Rule
from tocsin.engine.engine import Engine
from tocsin.engine.frames.batches import Slice
from tocsin.engine.network.batch import Store
from tocsin.engine.network.firings import HEAD, Firing
from tocsin.engine.network.numbers import SPREAD
from tocsin.engine.network.values import MISSING_VALUES
from tocsin.events import Detection
from tocsin.plan.programs import Settings
from tocsin.planner import plan
from tocsin.rules.budgets import UNLIMITED, Budgets

FEW: Final = 100_000
"""Numbers that are looked through to find the batches none of them is in."""

Watch = Callable[[int], None]
"""Told how many events were read, as they are."""


def takes_slices(program: Program, granularity: int | None) -> bool:
    """Whether the rules can be given whole slices in the order of arrival, and only report what they find."""
    if any(isinstance(statement, Raise) for statement in program.statements):
        return False
    if any(rule.actions or rule.strict or rule.suppress for rule in program.rules):
        return False
    return not plan(program, Settings(granularity, starting=())).has_interplay


def run_slices(
    program: Program,
    slices: Iterable[Slice],
    until: int | None,
    notes: Notes,
    watch: Watch | None = None,
    budgets: Budgets = UNLIMITED,
) -> Rows:
    """Gives the rules all slices."""
    engine = Engine(program, None, notes, budgets)
    offsets = Offsets()
    for each in slices:
        batch = each.batch()
        engine.begin(int.from_bytes(batch.arrivals[:8], "little", signed=True))
        offsets.note(int(engine.network.store.next), each.rows)
        engine.process(batch)
        if watch is not None:
            watch(batch.count)
    engine.finish(until)
    engine.count_incomparable()
    return Rows(engine, program.rules, offsets)


class Offsets:
    """From an event's place in the order in which it was taken up to its row: a row that was skipped has no place."""

    def __init__(self) -> None:
        self.places: list[int] = []
        self.rows: list[int] = []

    def note(self, place: int, rows: range | list[int]) -> None:
        """The rows taken next have the places from `place` on."""
        if isinstance(rows, range):
            self._note_run(place, rows[0])
        else:
            for index, row in enumerate(rows):
                self._note_run(place + index, row)

    def _note_run(self, place: int, row: int) -> None:
        if not self.places or self.rows[-1] - self.places[-1] != row - place:
            self.places.append(place)
            self.rows.append(row)


class Rows:
    """What a run found, and what is needed to read it: the events and the moments. Nothing else is held."""

    def __init__(self, engine: Engine, rules: tuple[Rule, ...], offsets: Offsets) -> None:
        network = engine.network
        self.store: Store = network.store
        self.offsets = offsets
        self.places = {rule.name: place for place, rule in enumerate(rules)}
        self.clock = network.moments.clock
        self._now = network.moments.now
        self.firings = [firing for firing in network.firings if firing.used]
        for firing in self.firings:  # the run is over: what was searched is no longer needed
            firing.chains, firing.best = [], None
        self.counts = {rule.name: 0 for rule in rules if not rule.hidden}
        for firing in self.firings:
            self._count(firing)
        self.count = sum(self.counts.values())
        self._drop_unused()

    def _count(self, firing: Firing) -> None:
        """Rows with the same branch and selection are for the same rules."""
        if len(firing.members) == 1:
            for rule in reporting(firing, 0):
                self.counts[rule.name] += int(firing.used // firing.stride)
            return
        heads = _column(firing, 1)
        for head, count in Counter(heads).items():
            for rule in reporting(firing, heads.index(head) * int(firing.stride)):
                self.counts[rule.name] += count

    def __iter__(self) -> Iterator[Detection]:
        """The detections in order, each made when its turn comes."""
        rows = merge(*(self._rows(index) for index in range(len(self.firings))))
        for moment, together in groupby(rows, key=lambda row: row[0]):
            yield from self._made(moment, [(self.firings[index], at) for _, index, at in together])

    def _rows(self, index: int) -> Iterator[tuple[int, int, int]]:
        """Moment, firing and place of each row; the moments of a firing only grow."""
        firing = self.firings[index]
        matches = firing.matches
        return ((int(matches[at]), index, at) for at in range(0, int(firing.used), int(firing.stride)))

    def _made(self, moment: int, rows: list[tuple[Firing, int]]) -> Iterator[Detection]:
        now, clock = int(self._now[moment]), int(self.clock[moment])
        found = []
        for firing, at in rows:
            one = firing.occurrence(at, self.store)
            found += [(self.places[rule.name], rule, one) for rule in reporting(firing, at)]
        if len(found) > 1:
            found.sort(key=lambda each: (each[0], chronology(each[2])))
        for _, rule, one in found:
            yield detection_of(rule, one, now, clock)

    def _drop_unused(self) -> None:
        """Empties the batches that no row has an event of, where it is quick to find out."""
        if sum(int(firing.used) for firing in self.firings) > FEW:
            return
        batches = self.store.batches
        place_of = partial(bisect_right, [int(batch.first) * int(SPREAD) for batch in batches])
        used: set[int] = set()
        for firing in self.firings:
            for column in range(int(HEAD), int(firing.stride)):
                used.update(map(place_of, _column(firing, column)))
        for index, batch in enumerate(batches):
            if index + 1 not in used:
                batch.codes = batch.ends = batch.starts = batch.arrivals = b""
                batch.columns, batch.ids, batch.sources, batch.events = {}, MISSING_VALUES, MISSING_VALUES, None
                batch.find = batch.make = None


def _column(firing: Firing, place: int) -> list[int]:
    """One number of each row."""
    return memoryview(firing.matches).cast("B").cast("q")[place : int(firing.used) : int(firing.stride)].tolist()


def reporting(firing: Firing, at: int) -> list[Rule]:
    """The rules that the row at a place is for, if they tell."""
    return [rule for rule in firing.rules_at(at) if not rule.hidden]
