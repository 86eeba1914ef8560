"""The conditions of aggregates, worked out of what is known of a window (`tallies.py`)."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from tocsin.algebra.operations import MISSING, Surroundings, arithmetic, compare, negative
from tocsin.engine.network.tallies import Kinds, Ordered, Pane, Presence, Reading, Sum
from tocsin.engine.network.vectors import FAR

EVERY: Final = -1
"""The place of a tally that counts all rows: there is none."""


class Asked:
    """A part of a condition."""

    def value(self, pane: Pane, earlier: Pane | None, around: Surroundings) -> object:
        """What it is worth."""
        raise NotImplementedError


class Constant(Asked):
    """A number, a text, true or false."""

    def __init__(self, constant: object) -> None:
        self.constant = constant

    def value(self, pane: Pane, earlier: Pane | None, around: Surroundings) -> object:
        return self.constant


class Figure(Asked):
    """An aggregate over the window, or the one before it."""

    def __init__(
        self, function: str, tally: int, is_before: bool, reading: Reading | None, percent: Asked | None
    ) -> None:
        self.function, self.tally, self.is_before = function, tally, is_before
        self.reading, self.percent = reading, percent

    def value(self, pane: Pane, earlier: Pane | None, around: Surroundings) -> object:
        if self.is_before:
            assert earlier is not None
            pane = earlier
        if self.reading is not None:
            if pane.count == 0:
                return MISSING
            row = pane.first if self.function == "first" else pane.last
            number = self.reading.number(row)
            return number if number - number == 0.0 else self.reading.value(row)
        return int(pane.count) if self.tally == EVERY else self._of_tally(pane, earlier, around)

    def _of_tally(self, pane: Pane, earlier: Pane | None, around: Surroundings) -> object:
        tally = pane.tallies[self.tally]
        if isinstance(tally, Sum):
            if self.function == "sum":
                return tally.sum()
            return tally.mean() if self.function == "avg" else tally.deviation()
        if isinstance(tally, Ordered):
            if self.function in ("min", "max"):
                return tally.extreme(0 if self.function == "min" else -1)
            percent = 50 if self.percent is None else self.percent.value(pane, earlier, around)
            is_one = isinstance(percent, int | float) and not isinstance(percent, bool)
            return tally.percentile(percent) if is_one and 0 <= percent <= 100 else MISSING  # type: ignore[arg-type, operator]  # it is
        if isinstance(tally, Kinds):
            return len(tally.counts)
        assert isinstance(tally, Presence)
        return tally.count


class Joined(Asked):
    """Two parts joined by an operator."""

    def __init__(self, operator: str, left: Asked, right: Asked, is_comparison: bool) -> None:
        self.operator, self.left, self.right, self.is_comparison = operator, left, right, is_comparison

    def value(self, pane: Pane, earlier: Pane | None, around: Surroundings) -> object:
        if self.operator == "&&":
            return self.left.value(pane, earlier, around) is True and self.right.value(pane, earlier, around) is True
        if self.operator == "||":
            return self.left.value(pane, earlier, around) is True or self.right.value(pane, earlier, around) is True
        one, other = self.left.value(pane, earlier, around), self.right.value(pane, earlier, around)
        if self.is_comparison:
            return compare(self.operator, one, other, around)
        return arithmetic(self.operator, one, other, around)


class Opposite(Asked):
    """What is not so, or the negative of a number."""

    def __init__(self, operand: Asked, is_negation: bool) -> None:
        self.operand, self.is_negation = operand, is_negation

    def value(self, pane: Pane, earlier: Pane | None, around: Surroundings) -> object:
        found = self.operand.value(pane, earlier, around)
        return found is not True if self.is_negation else negative(found, around)


class Condition:
    """A whole condition. Where it only says how many rows there are at least and at most, that is asked at once."""

    def __init__(self, asked: Asked, has_before: bool) -> None:
        self.asked, self.has_before = asked, has_before
        self.is_count = False
        self.least: i64 = -FAR
        self.most: i64 = FAR
        if isinstance(asked, Joined) and isinstance(asked.left, Figure) and isinstance(asked.right, Constant):
            self._simplify(asked.operator, asked.left, asked.right.constant)

    def _simplify(self, operator: str, figure: Figure, constant: object) -> None:
        is_whole = isinstance(constant, int) and not isinstance(constant, bool) and abs(constant) < 1 << 53
        if figure.function != "count" or figure.tally != EVERY or figure.is_before or not is_whole:
            return
        assert isinstance(constant, int)
        if operator in (">", ">=", "=="):
            self.least = constant + (operator == ">")
            self.is_count = True
        if operator in ("<", "<=", "=="):
            self.most = constant - (operator == "<")
            self.is_count = True

    def counts(self, count: i64) -> bool:
        """Whether so many rows are as many as they must be."""
        return self.least <= count <= self.most

    def holds(self, pane: Pane, earlier: Pane | None, around: Surroundings) -> bool:
        """Whether it holds for a window and the one before it."""
        return self.asked.value(pane, earlier, around) is True
