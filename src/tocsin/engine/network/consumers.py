"""Nodes that use up what they combine: chronicle, recent, continuous, over rows (`algebra/contexts.py` is the meaning).

An arrival is offered to the root, which asks its operands for what it makes of them; each occurrence meets what waits
on the other side, oldest first, before it waits itself. What waits is kept by key where a guard asks for equal values.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tocsin.algebra.patterns import Pattern
from tocsin.algebra.rules import Context
from tocsin.engine.network.arena import Arena, Keys
from tocsin.engine.network.batch import Store
from tocsin.engine.network.nodes import END, FIRST, NEXT, ROWS, START, Node, Waiters
from tocsin.engine.network.search import Search, Test, linked, pass_all
from tocsin.engine.network.slots import NIL
from tocsin.engine.network.vectors import FAR, doubled

ANY_ORDER: Final[i64] = 0
BY_ENDS: Final[i64] = 1
BY_GAP: Final[i64] = 2
AT_ONCE: Final[i64] = 3
NOT_AFTER: Final[i64] = 4
"""When two operands fit each other."""

CHRONICLE: Final[i64] = 0
RECENT: Final[i64] = 1
CONTINUOUS: Final[i64] = 2
CODES: Final = {Context.CHRONICLE: 0, Context.RECENT: 1, Context.CONTINUOUS: 2}
"""The contexts that are run like this."""


class LeafNode(Node):
    """An event of a type."""

    def __init__(self, tree: Pattern, store: Store, arena: Arena, tests: list[Test]) -> None:
        super().__init__(tree, store, [arena])
        self.arena, self.test = arena, linked(tests)

    def offer(self, s: Search, arena: Arena, row: i64) -> None:
        self.count = 0
        if arena is not self.arena:
            return
        s.rows[0] = row
        if not pass_all(self.test, s):
            return
        made, place = self.made, row & arena.mask
        end = arena.ends[place]
        made[FIRST] = end
        made[END] = end
        made[START] = arena.starts[place]
        made[ROWS] = row
        made[ROWS + 1] = end
        made[ROWS + 2] = arena.numbers[place]
        self.count = 1


class PairNode(Node):
    """Two operands that combine and use each other up."""

    def __init__(
        self,
        tree: Pattern,
        pattern: Pattern,
        parts: tuple[Node, Node],
        order: i64,
        context: i64,
        keys: tuple[tuple[int, Keys], tuple[int, Keys]] | None,
        tests: list[Test],
    ) -> None:
        left, right = parts
        super().__init__(tree, left.store, [*left.arenas, *right.arenas])
        self.pattern, self.left, self.right = pattern, left, right
        self.order, self.context = order, context
        self.keeps_last = order == ANY_ORDER or order == AT_ONCE
        self.test = linked(tests)
        mine, its = (None, None) if keys is None else keys
        self.lefts = Waiters(left, 0, None if mine is None else mine[1], 0 if mine is None else mine[0], True)
        self.rights = Waiters(
            right, int(left.width), None if its is None else its[1], 0 if its is None else its[0], True
        )

    def offer(self, s: Search, arena: Arena, row: i64) -> None:
        if self.turn == s.turn:
            return  # another rule has asked before
        self.turn = s.turn
        self.count = 0
        # The last operand hears first: an event ends before it begins.
        self.right.offer(s, arena, row)
        if self.right.count > 0:
            self._receive_all(s, self.right, self.rights, self.lefts)
        self.left.offer(s, arena, row)
        if self.left.count > 0:
            self._receive_all(s, self.left, self.lefts, self.rights)

    def held(self) -> list[tuple[tuple[str, Pattern], Waiters]]:
        mine = [(("first", self.pattern), self.lefts), (("last", self.pattern), self.rights)]
        return [*mine, *self.left.held(), *self.right.held()]

    def _receive_all(self, s: Search, part: Node, mine: Waiters, others: Waiters) -> None:
        if part.count == 1:
            self._receive(s, part.made, 0, mine, others)
            return
        waiting = [int(at * part.stride) for at in range(part.count)]
        while waiting:
            oldest = waiting[0]
            for at in waiting[1:]:
                if part.is_older(part.made, at, part.made, oldest):
                    oldest = at
            waiting.remove(oldest)
            self._receive(s, part.made, oldest, mine, others)

    def _receive(self, s: Search, given: vec[i64], at: i64, mine: Waiters, others: Waiters) -> None:
        """What an operand's occurrence makes with those that wait on the other side."""
        slot = mine.slot(given, at)
        if slot < 0:
            return  # its key equals nothing
        is_left, context = mine is self.lefts, self.context
        found = False
        place = NIL
        # In order, what begins a sequence finds nothing later than itself.
        latest = others.latest + 1 if self.order == NOT_AFTER else others.latest
        if not (is_left and self.order != ANY_ORDER and self.order != AT_ONCE and given[at + END] >= latest):
            place = others.first(slot)
        if place != NIL:
            self._load(s, given, at, mine)
        while place != NIL:
            cells = others.cells
            following = cells[place + NEXT]
            if cells[place + FIRST] < s.low:
                others.take_out(place)
            elif self._fits(s, given, at, cells, place, is_left, others):
                found = True
                if is_left:
                    self._make(given, at, self.left, cells, place, self.right)
                else:
                    self._make(cells, place, self.left, given, at, self.right)
                others.take_out(place)
                if context != CONTINUOUS or (is_left and not self.keeps_last):
                    break
            place = following
        if not found or (context == CONTINUOUS and self.keeps_last):
            self._wait(s, given, at, slot, mine)

    def _wait(self, s: Search, given: vec[i64], at: i64, slot: i64, mine: Waiters) -> None:
        if self.context == RECENT:
            # A newer initiator replaces an older; a late one that is older than what waits comes to nothing.
            waits = mine.first(0)
            if waits != NIL and mine.cells[waits + FIRST] >= s.low and is_newer(mine, mine.cells, waits, given, at):
                return
            if waits != NIL:
                mine.take_out(waits)
        mine.put(given, at, slot, s.low)

    def _load(self, s: Search, cells: vec[i64], at: i64, side: Waiters) -> None:
        """Puts the rows of an occurrence into its side's registers."""
        rows, base, width = s.rows, side.base, side.node.width
        step: i64 = 0
        while step < width:
            rows[base + step] = cells[at + ROWS + step]
            step += 1

    def _fits(
        self, s: Search, given: vec[i64], at: i64, cells: vec[i64], place: i64, is_left: bool, others: Waiters
    ) -> bool:
        """Whether two occurrences combine: one given, one that waits on the other side."""
        order = self.order
        if order != ANY_ORDER:
            if is_left:
                first, last, begins = given[at + END], cells[place + END], cells[place + START]
            else:
                first, last, begins = cells[place + END], given[at + END], given[at + START]
            if order == BY_ENDS:
                if first >= last:
                    return False
            elif order == BY_GAP:
                if first >= begins:
                    return False
            elif order == NOT_AFTER:
                if first > last:
                    return False
            elif first != last:
                return False
        self._load(s, cells, place, others)
        return pass_all(self.test, s)

    def _make(self, one: vec[i64], at: i64, left: Node, other: vec[i64], place: i64, right: Node) -> None:
        """Notes two occurrences as one."""
        begin = self.count * self.stride
        if begin + self.stride > len(self.made):
            self.made = doubled(self.made)
        made, before, after, width = self.made, left.width, right.width, self.width
        self.count += 1
        made[begin + FIRST] = min(one[at + FIRST], other[place + FIRST])
        made[begin + END] = max(one[at + END], other[place + END])
        made[begin + START] = min(one[at + START], other[place + START])
        to = begin + ROWS
        step: i64 = 0
        while step < before:
            made[to + step] = one[at + ROWS + step]
            step += 1
        step = 0
        while step < after:
            made[to + before + step] = other[place + ROWS + step]
            step += 1
        # The times and numbers of both in order, each event once; where there are fewer, less than any stands.
        at += ROWS + before
        place += ROWS + after
        to += width
        i: i64 = 0
        j: i64 = 0
        count: i64 = 0
        while i < before or j < after:
            if i < before and one[at + i] == -FAR:
                i = before
                continue
            if j < after and other[place + j] == -FAR:
                j = after
                continue
            takes_left = j == after
            if i < before and j < after:
                if one[at + before + i] == other[place + after + j]:
                    j += 1
                    takes_left = True
                elif one[at + i] != other[place + j]:
                    takes_left = one[at + i] < other[place + j]
                else:
                    takes_left = one[at + before + i] < other[place + after + j]
            if takes_left:
                made[to + count] = one[at + i]
                made[to + width + count] = one[at + before + i]
                i += 1
            else:
                made[to + count] = other[place + j]
                made[to + width + count] = other[place + after + j]
                j += 1
            count += 1
        while count < width:
            made[to + count] = -FAR
            made[to + width + count] = -FAR
            count += 1


def is_newer(side: Waiters, one: vec[i64], at: i64, other: vec[i64], place: i64) -> bool:
    """Whether an occurrence is newer than another: by its end, its start, then its events in order."""
    if one[at + END] != other[place + END]:
        return one[at + END] > other[place + END]
    if one[at + START] != other[place + START]:
        return one[at + START] > other[place + START]
    width = side.node.width
    at += ROWS + width
    place += ROWS + width
    step: i64 = 0
    while step < width:
        if one[at + step] != other[place + step]:
            return one[at + step] > other[place + step]
        if one[at + width + step] != other[place + width + step]:
            return one[at + width + step] > other[place + width + step]
        step += 1
    return False
