"""Where events come in: the chains that they are linked into, and the searches that they start."""

from __future__ import annotations

from time import perf_counter
from typing import Final

from mypy_extensions import i64

from tocsin.algebra.detectors import Alarm
from tocsin.engine.network.arena import Arena, Chain, Keys
from tocsin.engine.network.firings import Firing
from tocsin.engine.network.gauges import Gauge
from tocsin.engine.network.search import Search, Test, linked
from tocsin.engine.network.steps import Step, Walk
from tocsin.engine.network.text_guards import TextGuards
from tocsin.engine.network.vectors import FAR

BLOCK: Final[i64] = 1024
"""Rows that are stored before the first of them arrives; after each block what has left every window is forgotten."""
SAMPLED: Final[i64] = 63
"""One turn in so many and one is timed: those whose numbers have none of these bits."""
ANY: Final = "*"
"""The arena of events of any type."""


class Linker:
    """A chain with the conditions that a row must meet to be linked.

    A chain that only late arrivals ask for is linked when the next of them comes: most rows are never asked for.
    """

    def __init__(self, chain: Chain, tests: list[Test]) -> None:
        self.chain, self.test = chain, linked(tests)
        self.also: Linker | None = None


class Partner:
    """A chain that must have a row of the arrival's slot, or the search finds nothing; and the next such chain."""

    def __init__(self, chain: Chain, also: Partner | None) -> None:
        self.arena, self.newest, self.also = chain.arena, chain.newest, also


class Glance:
    """Whether a search can find anything at all: a look at the heads of the chains that it would walk.

    They stand side by side, so that an arrival that has no partners, which is most often so, costs next to nothing.
    """

    def __init__(self, keys: Keys, chains: list[Chain]) -> None:
        self.keys, self.heads = keys, keys.slots.heads
        self.partner: Partner | None = None
        for chain in chains:
            self.partner = Partner(chain, self.partner)

    def is_vain(self, place: i64) -> bool:
        """Whether some chain has no row for the arrival at a place of its ring."""
        slot = self.keys.values[place]
        at, partner = slot * self.heads.width, self.partner
        if slot < 0 or at >= len(self.heads.rows):
            return True
        while partner is not None:
            if self.heads.rows[at + partner.newest] < partner.arena.head:
                return True
            partner = partner.also
        return False


class Root(Step):
    """The start of a search: how far back its rules look, and what the arrival itself must be."""

    def __init__(self, firing: Firing, tests: list[Test]) -> None:
        super().__init__()
        self.firing, self.test = firing, linked(tests)
        self.length, self.since = firing.length, firing.since
        self.delay: i64 = 0
        self.is_from_start = False
        """Nothing is found before so long after the end of the arrival, or its start."""
        self.glance: Glance | None = None
        self.next_in_order: Root | None = None
        self.next_late: Root | None = None

    def run(self, s: Search) -> None:
        if self.delay > 0 and (s.start if self.is_from_start else s.end) + self.delay > s.now:
            return
        low = s.now - self.length if self.length >= 0 else self.firing.low(s.now)
        if s.end < low:
            return
        s.low = low
        s.since = self.since
        s.has_best = False
        test = self.test
        while test is not None:
            if not test.holds(s):
                return
            test = test.also
        step = self.child
        while step is not None:
            step.run(s)
            step = step.sibling

    def searches(self) -> int:
        """How many searches start here."""
        return 1

    def run_timed(self, s: Search) -> None:
        """Runs, and notes for whom the time went by. What several rules share counts for the first of them."""
        begun = perf_counter()
        self.run(s)
        self.firing.cpu += perf_counter() - begun


def glance(root: Root) -> Glance | None:
    """What tells whether a search is in vain, if anything does: it walks chains of the arrival's key.

    A chain is of that key, too, if it is looked up by the key of a row that was.
    """
    if root.test is not None:
        return None
    keys: Keys | None = None
    same: dict[int, Keys] = {}
    """By register: the column that has the arrival's slot."""
    chains: list[Chain] = []
    step = root.child
    while isinstance(step, Walk) and step.sibling is None and not step.chain.is_late_only:
        by, mine = step.by, step.chain.keys
        if by is not None and mine is not None:
            if keys is None and by.register == 0:
                keys = same[0] = by.keys
            if same.get(int(by.register)) is by.keys and mine.slots is by.keys.slots:
                same[int(step.register)] = mine
                chains.append(step.chain)
        step = step.child
    return None if keys is None else Glance(keys, chains)


class Gate:
    """Where the events of one type come in: what they are linked into, and the searches that they start."""

    def __init__(self, arena: Arena) -> None:
        self.arena = arena
        self.linker: Linker | None = None
        self.next: i64 = 0
        self.lates = 0
        self.in_order: Root | None = None
        self.late: Root | None = None
        self.asks_for_rest = False
        """Whether a late arrival starts searches that one in order does not: they ask for what is linked for them."""
        self.wanting: list[Firing] = []
        self.shortest: i64 = FAR
        """The shortest window of those who want its events: what is not older than that is refused by none of them."""
        self.gauge: Gauge | None = None
        """The first of the aggregates that count its events."""
        self.texts = TextGuards()
        """What is asked of the texts in its events."""
        self.firing: Firing | None = None
        """The rules that it is for alone, where these have a budget."""

    def add(self, root: Root, in_order: bool) -> None:
        """One more search that a late arrival starts; `in_order`: any arrival."""
        self.add_late(root)
        if in_order:
            self.add_in_order(root)
        else:
            self.asks_for_rest = True

    def add_late(self, root: Root) -> None:
        """One more search that a late arrival starts, after the others."""
        last = self.last_late()
        if last is None:
            self.late = root
        else:
            last.next_late = root

    def add_in_order(self, root: Root) -> None:
        """One more search that an arrival in order starts, after the others."""
        last = self.last_in_order()
        if last is None:
            self.in_order = root
        else:
            last.next_in_order = root

    def last_late(self) -> Root | None:
        """The search that a late arrival starts last."""
        last = self.late
        while last is not None and last.next_late is not None:
            last = last.next_late
        return last

    def last_in_order(self) -> Root | None:
        """The search that an arrival in order starts last."""
        last = self.in_order
        while last is not None and last.next_in_order is not None:
            last = last.next_in_order
        return last

    def measure(self, gauge: Gauge) -> None:
        """One more aggregate that counts its events."""
        gauge.also, self.gauge = self.gauge, gauge

    def gauges(self) -> list[Gauge]:
        """The aggregates that count its events."""
        found: list[Gauge] = []
        gauge = self.gauge
        while gauge is not None:
            found.append(gauge)
            gauge = gauge.also
        return found

    def clear(self) -> None:
        """Takes all searches and chains away."""
        self.linker = self.in_order = self.late = None
        self.gauge = None
        self.texts = TextGuards()
        self.asks_for_rest = False
        self.wanting = []
        self.shortest = FAR

    def want(self, firing: Firing) -> None:
        """Some rules that its events are for."""
        self.wanting.append(firing)
        if firing.length >= 0:
            if firing.length < self.shortest:
                self.shortest = firing.length
        elif firing.window is not None:
            self.shortest = 0  # months and years are not all of one length

    def searches(self) -> int:
        """How many searches a late arrival starts."""
        count, root = 0, self.late
        while root is not None:
            count += root.searches()
            root = root.next_late
        return count


class Bell:
    """A leaf that time itself triggers, with the gate that its time events come in by: it is its rules' own."""

    def __init__(self, alarm: Alarm, gate: Gate, firing: Firing) -> None:
        self.alarm, self.gate, self.firing = alarm, gate, firing

    def key(self) -> i64:
        """When it rings next, as `2 * time`."""
        due = self.alarm.next
        return FAR if due is None or not self.firing.is_alive else due * 2
