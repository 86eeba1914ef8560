"""2g stamps in the network: which patterns can be searched for by exact times, and what is then asked of their stamps.

Only 002's own order and concurrency look at stamps. Where single events are put in that order, what is before another
ends before it, too: a search by exact times finds all there is, and a little more, which is left out at its end.
"""

from __future__ import annotations

from collections.abc import Iterator

from librt.vecs import vec
from mypy_extensions import i64

from tocsin.algebra.combinations import before
from tocsin.algebra.patterns import (
    Absence,
    Both,
    Concurrent,
    Instant,
    Named,
    Pattern,
    Precedence,
    Sequence,
    Where,
    Within,
)
from tocsin.engine.network.arena import Arena
from tocsin.engine.network.assembly import assembled
from tocsin.engine.network.batch import Store
from tocsin.engine.network.firings import Emit, Firing
from tocsin.engine.network.search import Search
from tocsin.events import Event
from tocsin.plan.searches import Closed, Copies, Delayed, Opened, Spanned


class StampedEmit(Emit):
    """A match that counts if its events are in the order of their stamps, too."""

    def __init__(
        self, firing: Firing, branch: int, arenas: list[Arena], registers: list[int], touched: list[Firing]
    ) -> None:
        super().__init__(firing, branch, arenas, registers, touched)
        self.sequences = list(_by_stamps(firing.trees[branch]))

    def run(self, s: Search) -> None:
        if self._is_in_order(self._events(s.rows, s.store)):
            super().run(s)

    def _events(self, rows: vec[i64], store: Store) -> dict[int, Event]:
        found: dict[int, Event] = {}
        for place in range(len(self.arenas)):
            arena = self.arenas[place]
            found[place] = store.event(arena.numbers[rows[self.registers[place]] & arena.mask])
        return found

    def _is_in_order(self, events: dict[int, Event]) -> bool:
        for sequence in self.sequences:
            ones = [assembled(part, events, self.firing.granularity) for part in sequence.parts]
            for place in range(1, len(ones)):
                if not before(ones[place - 1], ones[place], Precedence.GLOBAL):
                    return False
        return True


def _by_stamps(tree: Pattern) -> Iterator[Sequence]:
    """The sequences in a branch's tree whose parts are in the order of their stamps."""
    match tree:
        case Named(pattern=inner) | Where(pattern=inner) | Within(pattern=inner) | Instant(pattern=inner):
            yield from _by_stamps(inner)
        case Delayed(pattern=inner) | Closed(pattern=inner) | Opened(pattern=inner) | Spanned(pattern=inner):
            yield from _by_stamps(inner)
        case Both(parts=parts) | Sequence(parts=parts) | Copies(parts=parts):
            if isinstance(tree, Sequence) and tree.order is Precedence.GLOBAL:
                yield tree
            for part in parts:
                yield from _by_stamps(part)
        case Concurrent(left=left, right=right) | Absence(first=left, last=right):
            yield from _by_stamps(left)
            yield from _by_stamps(right)
