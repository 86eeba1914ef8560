"""The branches of an automaton's runs, so kept that an event meets only those it may concern.

A branch knows the one it came from and the event it took in, not all events again: however long an iteration goes on,
one more step costs the same. Branches are numbered in the order in which the plain meaning
(`algebra/automaton_runs.py`) goes through them.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import Final

from tocsin.algebra.occurrence import Bound, Occurrence, Weak, bound_key, merged, weak_order
from tocsin.engine.detectors.reach import ANYTHING, NOTHING, Key, Reach
from tocsin.engine.network.vectors import FAR
from tocsin.events import Event

FEW: Final = 64
"""Notes of branches that are gone, which are left standing."""


class Path:
    """The events that a branch has matched, in order. Branches that have matched the same have the same path."""

    def __init__(self, before: Path | None, events: tuple[Event, ...]) -> None:
        self.before, self.events = before, events
        first = FAR if before is None else before.first
        self.first: int = min([first, *[event.end for event in events]])
        """The earliest end among them."""
        self.began: Weak | None = None
        """The place of the first in the total order."""
        if before is not None and before.began is not None:
            self.began = before.began
        elif events:
            self.began = weak_order(events[0])

    def order(self) -> tuple[Event, ...]:
        """All of them."""
        parts: list[tuple[Event, ...]] = []
        path: Path | None = self
        while path is not None:
            parts.append(path.events)
            path = path.before
        return tuple([event for part in reversed(parts) for event in part])


class Branch:
    """A triple of the paper: state, timestamp of the last event, events so far; and the time events it waits for.

    `one` is what its last step has added to `before`.
    """

    def __init__(
        self,
        state: int,
        last: Weak | None,
        before: Branch | None,
        one: Occurrence | None,
        path: Path,
        timers: tuple[tuple[int, str], ...],
        variables: dict[str, Bound],
        rung: tuple[str, ...] = (),
    ) -> None:
        self.state, self.last, self.before, self.one = state, last, before, one
        self.path, self.timers, self.variables = path, timers, variables
        self.rung = rung
        """The time events of exact points that have occurred in its run."""
        self.number = -1
        """Its place among all; below zero where it does not wait."""

    def names(self) -> tuple[object, ...]:
        """What its variables stand for, to tell it from others by."""
        return tuple([(name, bound_key(value)) for name, value in sorted(self.variables.items(), key=_name)])

    def found(self) -> Occurrence | None:
        """All that it has matched, as one occurrence; None at the start of a run."""
        ones: list[Occurrence] = []
        branch: Branch | None = self
        while branch is not None:
            if branch.one is not None:
                ones.append(branch.one)
            branch = branch.before
        if not ones:
            return None
        ticks = frozenset([tick for one in ones for tick in one.ticks])
        events = merged(*[one.events for one in reversed(ones)])
        bindings = tuple(sorted(self.variables.items(), key=_name))
        start, end = min([one.start for one in ones]), max([one.end for one in ones])
        return Occurrence(start, end, events, bindings, ticks, ones[0].stamp if len(ones) == 1 else None)


def _name(item: tuple[str, Bound]) -> str:
    return item[0]


class Table:
    """The branches of one state by one key."""

    def __init__(self, key: Key) -> None:
        self.key = key
        self.by_value: dict[object, dict[int, Branch]] = {}

    def put(self, branch: Branch) -> None:
        """One more branch, if its value can be equalled at all."""
        value = self.key.of_run(branch.variables)
        if value is not NOTHING:
            self.by_value.setdefault(value, {})[branch.number] = branch

    def take_out(self, branch: Branch) -> None:
        """A branch waits no longer."""
        value = self.key.of_run(branch.variables)
        found = self.by_value.get(value)
        if found is not None:
            found.pop(branch.number, None)
            if not found:
                del self.by_value[value]


class Waiting:
    """All branches that wait: by state and key, by when their time events are due, by the age of their events."""

    def __init__(self, states: int, has_beginnings: bool = False) -> None:
        self._has_beginnings = has_beginnings
        self._begun: list[tuple[Weak, int, Branch]] = []
        self.by_state: list[dict[int, Branch]] = [{} for _ in range(states)]
        self.tables: list[dict[object, Table]] = [{} for _ in range(states)]
        self.count = 0
        self._next = 0
        self._due: list[tuple[int, int, Branch]] = []
        self._ages: list[tuple[int, int, Branch]] = []

    def put(self, branch: Branch) -> None:
        """One more, after all others."""
        branch.number = self._next
        self._next += 1
        self.count += 1
        self.by_state[branch.state][branch.number] = branch
        for table in self.tables[branch.state].values():
            table.put(branch)
        for due, _ in branch.timers:
            heappush(self._due, (due, branch.number, branch))
        if branch.path.first < FAR:
            heappush(self._ages, (branch.path.first, branch.number, branch))
        if self._has_beginnings and branch.path.began is not None:
            heappush(self._begun, (branch.path.began, branch.number, branch))
            if len(self._begun) > FEW + 4 * self.count:
                self._begun = [each for each in self._begun if each[2].number == each[1]]
                heapify(self._begun)
        if len(self._due) > FEW + 4 * self.count:
            self._due = [each for each in self._due if _is_standing(each)]
            heapify(self._due)
        if len(self._ages) > FEW + 4 * self.count:
            self._ages = [each for each in self._ages if _is_standing(each)]
            heapify(self._ages)

    def take_out(self, branch: Branch) -> None:
        """One waits no longer."""
        del self.by_state[branch.state][branch.number]
        for table in self.tables[branch.state].values():
            table.take_out(branch)
        branch.number = -1
        self.count -= 1

    def all(self) -> list[Branch]:
        """Every one, in order."""
        found = [branch for branches in self.by_state for branch in branches.values()]
        return sorted(found, key=_number)

    def concerned(self, reaches: list[Reach], this: Occurrence) -> list[tuple[Branch, Reach]]:
        """Those that an event may concern, in order."""
        found: dict[int, tuple[Branch, Reach]] = {}
        for reach in reaches:
            if self.by_state[reach.place]:
                for branches in self._looked_at(reach, this):
                    for number, branch in branches.items():
                        found[number] = (branch, reach)
        return [found[number] for number in sorted(found)]

    def _looked_at(self, reach: Reach, this: Occurrence) -> list[dict[int, Branch]]:
        if reach.keys is None:
            return [self.by_state[reach.place]]
        found: list[dict[int, Branch]] = []
        for key in reach.keys:
            value = key.of_event(this)
            if value is ANYTHING:
                return [self.by_state[reach.place]]
            if value is not NOTHING:
                table = self._table(reach.place, key)
                found += [table.by_value[each] for each in (value, ANYTHING) if each in table.by_value]
        return found

    def _table(self, place: int, key: Key) -> Table:
        tables = self.tables[place]
        table = tables.get(key.name)
        if table is None:
            table = tables[key.name] = Table(key)
            for branch in self.by_state[place].values():
                table.put(branch)
        return table

    def first_due(self) -> tuple[int, Branch] | None:
        """The next time event and the first branch that waits for it."""
        while self._due and not _is_standing(self._due[0]):
            heappop(self._due)
        return (self._due[0][0], self._due[0][2]) if self._due else None

    def first_begun(self) -> Weak | None:
        """Where the earliest of them began."""
        while self._begun and self._begun[0][2].number != self._begun[0][1]:
            heappop(self._begun)
        return self._begun[0][0] if self._begun else None

    def skip(self, end: Weak, is_included: bool) -> None:
        """Drops those that began before an event, and those that began with it if that is included."""
        while (began := self.first_begun()) is not None and (began < end or (is_included and began == end)):
            self.take_out(heappop(self._begun)[2])

    def older(self, oldest: int) -> list[Branch]:
        """Those that have an event which ended before a time."""
        found: list[Branch] = []
        while self._ages and self._ages[0][0] < oldest:
            each = heappop(self._ages)
            if _is_standing(each):
                found.append(each[2])
        return found


def _number(branch: Branch) -> int:
    return branch.number


def _is_standing(noted: tuple[int, int, Branch]) -> bool:
    """Whether what was noted of a branch still holds."""
    return noted[2].number == noted[1]
