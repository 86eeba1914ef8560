"""2g stamps in the network: which patterns can be searched for by exact times, and what is then asked of their stamps.

Only 002's own order and concurrency look at stamps. Where single events are put in that order, what is before another
ends before it, too: a search by exact times finds all there is, and a little more, which is left out at its end.
"""

from __future__ import annotations

from collections.abc import Iterator

from librt.vecs import vec
from mypy_extensions import i64

from tocsin.algebra.combining import before
from tocsin.algebra.patterns import (
    Absence,
    After,
    AnyEvent,
    At,
    AtInstant,
    Both,
    Concurrent,
    Either,
    Every,
    Instant,
    Named,
    Order,
    Pattern,
    Primitive,
    Sequence,
    Times,
    Where,
    Within,
    walk,
)
from tocsin.engine.arena import Arena
from tocsin.engine.assembly import assembled
from tocsin.engine.batch import Store
from tocsin.engine.firing import Emit, Firing
from tocsin.engine.search import Search
from tocsin.events import Event
from tocsin.plan import Closed, Copies, Delayed, Opened, Spanned

SINGLE, JOINED, OTHER = 0, 1, 2
"""An occurrence has the stamp of a single event; of several, and ends with the last of them; or one of another kind."""


def is_by_exact_times(pattern: Pattern) -> bool:
    """Whether a search by exact times finds every occurrence that a pattern has under 2g stamps."""
    return _kind(pattern) != OTHER


def _kind(pattern: Pattern) -> int:
    match pattern:
        case Primitive() | AnyEvent() | At() | AtInstant() | Every():
            return SINGLE
        case Named(pattern=inner) | Where(pattern=inner) | Instant(pattern=inner):
            return _kind(inner)
        case After(pattern=inner):
            return OTHER if _kind(inner) == OTHER else SINGLE
        case Either(parts=parts):
            return max(map(_kind, parts))
        case Times(pattern=inner):
            return JOINED if _kind(inner) == SINGLE else OTHER
        case Both(parts=(left, right)):
            # A third one might end before what was joined before it, and yet come after it.
            return JOINED if _kind(left) == _kind(right) == SINGLE else OTHER
        case Sequence(parts=parts, order=Order.GLOBAL):
            return SINGLE if set(map(_kind, parts)) == {SINGLE} else OTHER
        case Sequence(parts=parts, order=Order.ENDS | Order.GAP):
            return OTHER if OTHER in map(_kind, parts) else _kind(parts[-1])
        case Absence(first=first, last=last, without=without, order=Order.ENDS | Order.GAP):
            kinds = [_kind(part) for part in (first, last, without)]
            return OTHER if OTHER in kinds or asks_for_stamps(without) else kinds[1]
    return OTHER


def asks_for_stamps(pattern: Pattern) -> bool:
    """Whether a pattern puts events in the order of their stamps."""
    return any(isinstance(part, Sequence) and part.order is Order.GLOBAL for part in walk(pattern))


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
                if not before(ones[place - 1], ones[place], Order.GLOBAL):
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
            if isinstance(tree, Sequence) and tree.order is Order.GLOBAL:
                yield tree
            for part in parts:
                yield from _by_stamps(part)
        case Concurrent(left=left, right=right) | Absence(first=left, last=right):
            yield from _by_stamps(left)
            yield from _by_stamps(right)
