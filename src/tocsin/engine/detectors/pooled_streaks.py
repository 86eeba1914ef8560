"""Runs in words in the contexts that use up, with what waits kept by group: an arrival looks at its own alone."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable
from typing import Any, Final

from tocsin.algebra.combinations import group_value
from tocsin.algebra.contexts import Finish, Lining, Node
from tocsin.algebra.occurrence import Occurrence
from tocsin.algebra.patterns import Streak

Group = list[Occurrence]

SWEPT: Final = 1024
"""Arrivals after which groups that nobody asks for are looked through for what has left the window."""


def _place(one: Occurrence) -> tuple[int, int, int]:
    return one.events[0].place


class PooledLining(Lining):
    """A run among what waits in one group."""

    def __init__(self, pattern: Streak, parts: tuple[Node, ...], finish: Finish) -> None:
        super().__init__(pattern, parts, finish)
        self._groups: dict[object, Group] = {}
        self._is_old: Callable[[Occurrence], bool] | None = None
        self._arrived = 0

    def waiting(self, one: Occurrence) -> Group:
        value = group_value(one, self._streak.same)
        if value is None:
            return []
        group = self._groups.setdefault(value, [])
        self._drop_old(group)
        insort(group, one, key=_place)
        if group[-1] is one and self._streak.different is None:
            # In order, what it completes is among the last, and so is what would have gone on without it.
            return group[-self._streak.count - 1 :]
        return group

    def release(self, run: Group) -> None:
        group = self._groups[group_value(run[0], self._streak.same)]
        group[:] = [one for one in group if one not in run]

    def _drop_old(self, group: Group) -> None:
        count = 0
        while self._is_old is not None and count < len(group) and self._is_old(group[count]):
            count += 1
        del group[:count]

    def remembered(self) -> Any:
        return [one for group in self._groups.values() for one in group]

    def remember(self, memory: Any) -> None:
        self._groups = {}
        for one in memory:
            insort(self._groups.setdefault(group_value(one, self._streak.same), []), one, key=_place)

    def forget(self, is_old: Callable[[Occurrence], bool]) -> None:
        for part in self.parts:
            part.forget(is_old)
        self._is_old = is_old
        self._arrived += 1
        if self._arrived % SWEPT == 0:
            for group in self._groups.values():
                self._drop_old(group)
            self._groups = {value: group for value, group in self._groups.items() if group}
