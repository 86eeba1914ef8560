"""The lookout: what is to be said about a run because of how its events came, and not because of what was detected."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tocsin.algebra.rules import Program
from tocsin.events import Event
from tocsin.formats.blocks import Block
from tocsin.rules.roll import Roll
from tocsin.rules.ties import Ties


class Lookout:
    """Is shown every event of a run; `remarks` are for the person, a line each."""

    def __init__(self, program: Program, *, is_stamped: bool = False) -> None:
        self.roll, self._ties = Roll(program), Ties(program, is_stamped=is_stamped)

    def note(self, event: Event) -> None:
        """One event that came."""
        self.roll.note(event)
        if self._ties.is_watching:
            self._ties.note(event)

    def note_table(
        self,
        kinds: list[str],
        names: Iterable[str],
        codes: memoryview,
        ends: memoryview,
        value: Callable[[str, int], object],
    ) -> None:
        """Events that came as columns."""
        self.roll.note_table(kinds, names)
        if self._ties.is_watching:
            self._ties.note_rows(kinds, codes, ends, value)

    def note_block(self, block: Block) -> None:
        """Many events that came at once."""
        self.roll.note_block(block)
        if self._ties.is_watching:
            self._ties.note_block(block)

    def remarks(self) -> list[str]:
        """Names that never occurred, and events that share an instant."""
        return [*self.roll.missing(), *self._ties.remarks()]
