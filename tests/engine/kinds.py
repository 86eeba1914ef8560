"""The kinds of random examples: which operators, contexts or runs, and policies each puts to the test.

A cell that cannot be met is named with the reason; all others must be (`test_coverage.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from random import Random

from tests.engine.automating import (
    AUTOMATA,
    IN_CHAINS,
    NETWORK,
    SKIPS,
    automata_example,
    automata_met,
    skipping_example,
    skipping_met,
)
from tests.engine.comparing import Cell, CellsOf, met, met_anywhere
from tests.engine.linking import FEEDERS, USERS, linked_example, linked_met
from tests.engine.long_logs import LONG, OF_NODES, long_example, long_met
from tests.engine.partitioning import BY, PARTED, partitioned_example, partitioned_met
from tests.engine.recurring import RECURRING, recurring_example, recurring_met
from tests.engine.strategies import OPERATORS, POLICIES, WINDOWS, Drawing, Example, completed, example
from tests.engine.worlds import World
from tocsin.algebra.patterns import Concurrent, Named, Pattern, Precedence, Primitive, Run, Sequence
from tocsin.algebra.rules import SEARCHED, Context


@dataclass(frozen=True)
class Kind:
    """One kind: its operators take turns in its columns (contexts, or the runs of automata) under the policies."""

    operators: tuple[str, ...]
    columns: tuple[str, ...]
    draw: Callable[[Random, str, str, str], Example]
    cells_of: CellsOf
    impossible: dict[tuple[str, str], str] = field(default_factory=dict)
    """Operators in columns where they cannot be, with the reason."""
    rounds: int = 16
    """Examples for each cell that are mostly enough to meet it."""

    @property
    def turns(self) -> list[tuple[str, str]]:
        """The operators in the columns that they can be in, every operator once before the next column."""
        pairs = ((operator, column) for column in self.columns for operator in self.operators)
        return [pair for pair in pairs if pair not in self.impossible]

    @property
    def cells(self) -> list[Cell]:
        """What the examples go through, in turn."""
        return list(self._cells())

    def _cells(self) -> Iterator[Cell]:
        for policy in POLICIES:
            for operator, column in self.turns:
                yield operator, column, policy

    def numbered(self, seed: int, number: int) -> Example:
        """The example of a number: operators, columns and policies take turns."""
        cells = self.cells
        return self.draw(Random(f"{seed}/{number}"), *cells[number % len(cells)])


def _in_context(random: Random, operator: str, context: str, policy: str) -> Example:
    return example(random, operator, Context(context), policy)


class _StampedDrawing(Drawing):
    """Only the global order and concurrency look at stamps: half of the patterns stand beside an event in them."""

    def pattern(self, operator: str | None = None, types: tuple[str, ...] = ()) -> Pattern:
        made = super().pattern(operator, types)
        if self.random.random() < 0.5:
            return made
        parts = [made, Named("z2", Primitive(self.random.choice(self.world.types)))]
        self.random.shuffle(parts)
        return Concurrent(*parts) if self.random.random() < 0.4 else Sequence(tuple(parts), Precedence.GLOBAL)


def _stamped(random: Random, operator: str, context: str, policy: str) -> Example:
    """2g stamps of a granularity that the few instants of an example share, or nearly."""
    world = World(random)
    made = completed(_StampedDrawing(world, operator, Context(context)), policy)
    return replace(made, granularity=random.choice((1, 2, 3)) * world.scale.unit)


CONSUMING = tuple(context.value for context in Context if context not in SEARCHED)
NO_NODE = "a consuming context uses up at every node, and a window or a negation has no operands to use up"
NO_CHAIN = "it has several ways on from a state, an exact point in time, or looks at more than types with filters"
CHAINS = (*IN_CHAINS, "filter on another")

KINDS = {
    "searched": Kind(OPERATORS, tuple(context.value for context in SEARCHED), _in_context, met, rounds=8),
    "remembering": Kind(
        (*OPERATORS, "accumulate"),
        CONSUMING,
        _in_context,
        met_anywhere,
        {(window, context): NO_NODE for window in WINDOWS for context in CONSUMING},
    ),
    "2g": Kind(
        (*OPERATORS, "accumulate"),
        tuple(context.value for context in Context),
        _stamped,
        met_anywhere,
        {(window, context): NO_NODE for window in WINDOWS for context in CONSUMING},
    ),
    "automata": Kind(
        tuple(AUTOMATA),
        (*(run.value for run in Run if not run.skips), NETWORK),
        automata_example,
        automata_met,
        {(operator, NETWORK): NO_CHAIN for operator in AUTOMATA if operator not in CHAINS},
    ),
    "long": Kind(
        tuple(LONG),
        tuple(context.value for context in Context),
        long_example,
        long_met,
        {(operator, context): NO_NODE for operator in LONG if operator not in OF_NODES for context in CONSUMING},
        rounds=8,
    ),
    "recurring": Kind(tuple(RECURRING), (Context.GENERIC.value,), recurring_example, recurring_met),
    "linked": Kind(FEEDERS, USERS, linked_example, linked_met),
    "skipping": Kind(tuple(run.value for run in Run if run.skips), (SKIPS,), skipping_example, skipping_met),
    "partitioned": Kind(PARTED, tuple(BY), partitioned_example, partitioned_met),
}
