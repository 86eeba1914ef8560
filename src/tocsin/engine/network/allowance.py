"""A budget at work: how much of it is used, and what had to give way."""

from __future__ import annotations

from mypy_extensions import i64

from tocsin.engine.network.arena import Arena
from tocsin.engine.network.vectors import FAR
from tocsin.rules.budgets import Budget, Policy


class Allowance:
    """What some arenas may hold together."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.rows: i64 = FAR if budget.rows is None else budget.rows
        self.bytes: i64 = FAR if budget.bytes is None else budget.bytes
        self.refuses = budget.policy is Policy.REFUSE
        self.drops = budget.policy is Policy.DROP_OLDEST
        self.refused = 0
        self.dropped = 0

    def fits(self, arenas: list[Arena], more: list[Arena]) -> bool:
        """Whether a row more in each of `more` is within the budget."""
        rows: i64 = len(more)
        size: i64 = 0
        for arena in more:
            size += arena.row_bytes()
        for arena in arenas:
            rows += arena.arrived - arena.head
            size += (arena.arrived - arena.head) * arena.row_bytes()
        return rows <= self.rows and size <= self.bytes

    def drop_oldest(self, arenas: list[Arena]) -> bool:
        """Forgets the row that came first of all. Whether there was one."""
        oldest: Arena | None = None
        number = FAR
        for arena in arenas:
            if arena.head < arena.arrived and arena.numbers[arena.head & arena.mask] < number:
                oldest, number = arena, arena.numbers[arena.head & arena.mask]
        if oldest is None:
            return False
        oldest.drop_first()
        self.dropped += 1
        return True


def held_bytes(arenas: list[Arena]) -> int:
    """What the rows of some arenas take in their tables."""
    return sum([int((arena.arrived - arena.head) * arena.row_bytes()) for arena in arenas])
