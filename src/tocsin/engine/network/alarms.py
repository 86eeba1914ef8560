"""The time events that the branches of an automaton wait for, as a queue of the agenda: those due first are on top.

A branch that goes on or fails leaves what it waited for behind. That is found out when it comes to the top.
"""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from tocsin.algebra.patterns import Pattern
from tocsin.engine.network.agenda import Waiting
from tocsin.engine.network.arena import Arena
from tocsin.engine.network.batch import Store
from tocsin.engine.network.firings import Firing
from tocsin.engine.network.nodes import SLOT, Waiters
from tocsin.engine.network.slots import NIL
from tocsin.engine.network.vectors import FAR, doubled, filled


class Heard:
    """A time event that a state looks at: its branches have its due time in a `column`, FAR if it is not set."""

    def __init__(self, state: int, waiting: Waiters, column: int, leads: bool) -> None:
        self.state: i64 = state
        self.waiting = waiting
        self.column: i64 = column
        self.leads = leads
        """Whether it leads on; else the branch fails by it."""


class Alarms(Waiting):
    """The time events of one automaton. They come before the ends of windows, and after a rule's own clocks."""

    def __init__(self, firing: Firing, origin: Pattern, tree: Pattern, arenas: list[Arena], store: Store) -> None:
        super().__init__(firing, origin, tree, arenas, [], store)
        self.heard: list[Heard] = []
        self.settled = True
        self.is_plain = False
        self.due: i64 = 0
        """The moment that has come, while what waits for it is woken."""
        self.used: i64 = 0
        self.heap: vec[i64] = filled(3 * 16, 0)
        """Due time, place in `heard` and place of the branch of each; the one above it is at half its number.

        Of those due together the one of the first place comes first: a branch has them in the order of its states.
        """
        # To the agenda it is a queue of one moment, older than all windows.
        self.width = 2
        self.entries[1] = -FAR

    def key(self) -> i64:
        """When the first is due; those that nobody waits for any more are dropped."""
        while self.used > 0 and not self.is_standing():
            self.drop_first()
        if self.used == 0:
            self.tail = 0
            return FAR
        self.tail = 2
        self.entries[0] = self.heap[0]
        return self.heap[0] * 2 + 1

    def is_standing(self) -> bool:
        """Whether the branch that the first is for still waits for it."""
        heard, place = self.heard[self.heap[1]], self.heap[2]
        cells = heard.waiting.cells
        return cells[place + SLOT] != NIL and cells[place + heard.column] == self.heap[0]

    def clear(self) -> None:
        self.used = self.tail = 0

    def is_first_at(self, due: i64) -> bool:
        """Whether the first is due just then."""
        return self.used > 0 and self.heap[0] == due

    def set(self, due: i64, heard: i64, place: i64) -> bool:
        """A branch waits for a time event. Whether it is the first of all."""
        at = self.used
        if at + 3 > len(self.heap):
            self.heap = doubled(self.heap)
        self.used += 3
        heap = self.heap
        while at > 0:
            above = (at // 3 - 1) // 2 * 3
            if heap[above] < due or (heap[above] == due and heap[above + 1] <= heard):
                break
            heap[at], heap[at + 1], heap[at + 2] = heap[above], heap[above + 1], heap[above + 2]
            at = above
        heap[at], heap[at + 1], heap[at + 2] = due, heard, place
        return at == 0

    def drop_first(self) -> None:
        """Takes the first out."""
        self.used -= 3
        heap, end = self.heap, self.used
        due, heard, place = heap[end], heap[end + 1], heap[end + 2]
        at: i64 = 0
        while True:
            below = at * 2 + 3
            if below >= end:
                break
            if below + 3 < end and _is_sooner(heap, below + 3, heap[below], heap[below + 1]):
                below += 3
            if not _is_sooner(heap, below, due, heard):
                break
            heap[at], heap[at + 1], heap[at + 2] = heap[below], heap[below + 1], heap[below + 2]
            at = below
        heap[at], heap[at + 1], heap[at + 2] = due, heard, place

    def pending(self) -> list[list[int]]:
        """What is waited for: when it is due, which time event it is, and the numbers of the events of the branch."""
        found: dict[tuple[int, ...], None] = {}
        for at in range(0, int(self.used), 3):
            due, number, place = (int(self.heap[at + step]) for step in range(3))
            waiting = self.heard[number].waiting
            cells = waiting.cells
            if cells[place + SLOT] != NIL and cells[place + self.heard[number].column] == due:
                found[(due, number, *waiting.numbers_at(place))] = None
        return [list(each) for each in found]

    def put_back(self, due: int, number: int, place: int) -> None:
        """Lets the branch at a place wait again, if it is still there."""
        if place != NIL:
            heard = self.heard[number]
            heard.waiting.cells[place + heard.column] = due
            self.set(due, number, place)


def _is_sooner(heap: vec[i64], at: i64, due: i64, heard: i64) -> bool:
    """Whether what stands in a place comes before a time event that is due then."""
    return heap[at] < due or (heap[at] == due and heap[at + 1] < heard)
