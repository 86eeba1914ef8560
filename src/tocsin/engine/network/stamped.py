"""2g stamps in the network: what is in order, or concurrent, by the stamps of the events that have been found.

Stamps are whole ticks of clocks, so that a search by exact times can only come near what they say
(`planner/stamps.py`): it looks a little further, and what it finds is asked here.
"""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from tocsin.algebra.combinations import CONCURRENT, before
from tocsin.algebra.occurrence import Occurrence
from tocsin.algebra.patterns import Pattern, Precedence
from tocsin.engine.network.arena import Arena
from tocsin.engine.network.assembly import assembled
from tocsin.engine.network.batch import Store
from tocsin.engine.network.search import Search, Test
from tocsin.events import Event
from tocsin.plan.searches import tree_registers


class StampTest(Test):
    """One part is before another by their stamps; without an `order` they are concurrent."""

    def __init__(
        self,
        left: Pattern,
        right: Pattern,
        order: Precedence | None,
        arenas: dict[int, Arena],
        granularity: int | None,
    ) -> None:
        super().__init__()
        self.left, self.right, self.order = left, right, order
        self.arenas, self.granularity = arenas, granularity
        self.of_left, self.of_right = tree_registers(left), tree_registers(right)

    def holds(self, s: Search) -> bool:
        left = assembled(self.left, self._events(self.of_left, s.rows, s.store), self.granularity)
        right = assembled(self.right, self._events(self.of_right, s.rows, s.store), self.granularity)
        return _fits(left, right, self.order)

    def _events(self, registers: list[int], rows: vec[i64], store: Store) -> dict[int, Event]:
        found: dict[int, Event] = {}
        for register in registers:
            arena = self.arenas[register]
            found[register] = store.event(arena.numbers[rows[register] & arena.mask])
        return found


def _fits(left: Occurrence, right: Occurrence, order: Precedence | None) -> bool:
    return CONCURRENT.fits(left, right) if order is None else before(left, right, order)
