"""The engine on columns: rules built into a network, batches cut from a table, matches taken out as arrays of NumPy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from tocsin.algebra.rules import Rule
from tocsin.bench.workloads import WEIGHTS, Table, numpy_module
from tocsin.engine.build.searches import Builder
from tocsin.engine.network import network as compiled_or_not
from tocsin.engine.network.batch import Batch
from tocsin.engine.network.firings import HEAD, MOST_BRANCHES, Firing
from tocsin.engine.network.network import Network
from tocsin.engine.network.numbers import SPREAD
from tocsin.engine.network.values import RealValues, WholeValues
from tocsin.plan.searches import Chosen
from tocsin.planner.passes import plan
from tocsin.rules.programs import rules_program

BATCH = 16_000
"""Events in a batch: large enough for what each batch costs, small enough for the processor's cache. A column of them
is just below 128 KiB, from where on the C library asks the system for fresh pages each time."""
END_OF_TIME = 1 << 60

Matches = list[tuple[Firing, Any]]
"""For each batch and class of rules: the branch and selection of its matches, then the numbers of their events."""


@dataclass(frozen=True)
class Answer:
    """What was found, in two numbers. Whoever lists the same matches has the same."""

    matches: int
    checksum: int


def is_compiled() -> bool:
    """Whether the engine runs compiled, not interpreted."""
    return not str(compiled_or_not.__file__).endswith(".py")


def prepared(rules: Iterable[Rule]) -> Network:
    """A network with the rules built in: what is ready before the first event comes."""
    network = Network()
    builder = Builder(network)
    for family in plan(rules_program(rules)).families:
        builder.add(family, 0, 0)
    return network


def batches(table: Table, size: int = BATCH) -> Iterator[Batch]:
    """A table in batches, as the engine takes them."""
    kinds = list(table.kinds)
    for first in range(0, len(table), size):
        rows = slice(first, first + size)
        yield Batch(
            len(table.times[rows]),
            kinds,
            table.letters[rows].astype("<i8", copy=False).tobytes(),
            table.times[rows].astype("<i8", copy=False).tobytes(),
            arrivals=b"" if table.arrivals is None else table.arrivals[rows].astype("<i8", copy=False).tobytes(),
            columns={
                "key": WholeValues(table.keys[rows].astype("<i8", copy=False).tobytes()),
                "value": RealValues(table.values[rows].astype("<f8", copy=False).tobytes()),
            },
        )


def run(network: Network, table: Table, size: int = BATCH) -> Matches:
    """All of a table through the network, and time to its end. This is what is measured."""
    found: Matches = []
    for batch in batches(table, size):
        network.process(batch)
        found += taken(network)
    network.advance(END_OF_TIME)
    return found + taken(network)


def taken(network: Network) -> Matches:
    """The matches since the last call, as arrays of their own; the network forgets them, and what nobody asks for."""
    numpy = numpy_module()
    found: Matches = []
    for firing in network.firings:
        if firing.used:
            rows = numpy.frombuffer(firing.matches, dtype=numpy.int64)[: firing.used]
            found.append((firing, rows.reshape(-1, firing.stride)[:, 1:].copy()))
            firing.used = 0
    network.moments.clear()
    network.store.forget(network.oldest)
    return found


def places(firing: Firing, matches: Any, table: Table) -> Any:
    """The places of the matches' events in order of time, from 0; of a repetition, which are equals, ascending."""
    found = matches[:, int(HEAD) - 1 :] // int(SPREAD) - 1
    if table.order is not None:
        found = table.order[found]
    if any(isinstance(tree, Chosen) for tree in firing.trees):
        found.sort(axis=1)
    return found


def multiples(firing: Firing, matches: Any) -> Any:
    """For how many rules each match holds: a row names all of them at once."""
    numpy = numpy_module()
    sizes = [len(rules) for rules in firing.members]
    counts = numpy.array([0, *(sizes if firing.is_equal else numpy.cumsum(sizes))])
    return counts[matches[:, 0] // int(MOST_BRANCHES)]


def answer(found: Matches, table: Table) -> Answer:
    """Every match once for every rule it holds for."""
    count = checksum = 0
    for firing, matches in found:
        times, rows = multiples(firing, matches), places(firing, matches, table)
        count += int(times.sum())
        for place, weight in zip(range(rows.shape[1]), WEIGHTS, strict=False):
            checksum += int((rows[:, place] * times).sum()) * weight
    return Answer(count, checksum)
