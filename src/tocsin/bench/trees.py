"""The trees of 000's experiments on the engine: how long the last event of a composite one takes to be noticed."""

from __future__ import annotations

import time
from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from tocsin.algebra.guards import Attribute, Binary, Guard
from tocsin.algebra.patterns import Both, Named, Pattern, Primitive, Where
from tocsin.algebra.patterns import Sequence as Ordered
from tocsin.algebra.rules import Context, Rule
from tocsin.bench.columns import prepared
from tocsin.bench.instances import held_in
from tocsin.engine.network.batch import Batch
from tocsin.engine.network.network import Network
from tocsin.engine.network.values import WholeValues
from tocsin.time.periods import Period
from tocsin.time.spans import HOUR, MSEC

LIMIT = 0.2
"""A series ends where one arrival takes longer, in seconds: what comes after would take minutes."""
SLOW = 0.5
"""A rule that takes longer to build, in seconds, is measured once."""


@dataclass(frozen=True)
class Shape:
    """A kind of tree: `&` or `;`, balanced or a backbone, and whether all events must have the same key."""

    name: str
    operator: type[Both] | type[Ordered]
    is_balanced: bool
    is_keyed: bool

    def pattern(self, leaves: int) -> Pattern:
        """The tree over so many leaves."""
        if self.is_balanced:
            tree = _balanced(self.operator, 0, leaves)
        else:
            tree = _leaf(0)
            for number in range(1, leaves):
                tree = self.operator((tree, _leaf(number)))
        return Where(tree, _same_keys(leaves)) if self.is_keyed else tree

    def last(self, leaves: int) -> int:
        """The leaf that comes last: deep in the tree for `&`, as 000 has it; what ends a sequence ends it."""
        return 0 if self.operator is Both else leaves - 1


SHAPES = (
    Shape("balanced, &", Both, True, False),
    Shape("backbone, &", Both, False, False),
    Shape("balanced, & with equal keys", Both, True, True),
    Shape("backbone, & with equal keys", Both, False, True),
    Shape("backbone, ;", Ordered, False, False),
)


@dataclass(frozen=True)
class Point:
    """One measurement: a tree with so many events stored, and the arrival that completes it."""

    shape: str
    leaves: int
    stored: int
    microseconds: float
    notifications: int
    rows: int
    """Rows that the engine holds then."""
    instances: int
    """Instances that 000's first phase would hold, the root's included."""
    build_seconds: float
    """CPU time to plan and build the rule: paid once, before the first event."""


def rule_of(pattern: Pattern, name: str = "ap1", window: int = HOUR) -> Rule:
    """A request as 000 has them: generic."""
    return Rule(name, pattern, "python", context=Context.GENERIC, window=Period.of(microseconds=window))


def measure_arrival(shape: Shape, leaves: int, each: int, tries: int) -> Point:
    """`each` events stored at every leaf but the last; then one arrives there."""
    last = shape.last(leaves)
    counts = [0 if leaf == last else each for leaf in range(leaves)]
    pattern = shape.pattern(leaves)
    begun = time.process_time()
    prepared([rule_of(pattern)])
    built = time.process_time() - begun
    micros, network = best_arrival([[rule_of(pattern)]], counts, last, 1 if built > SLOW else tries)
    kinds = {f"E{leaf + 1}": count or 1 for leaf, count in enumerate(counts)}
    bare = pattern.pattern if isinstance(pattern, Where) else pattern
    return Point(
        shape.name, leaves, sum(counts), micros, found_in(network), rows_in(network), held_in(bare, kinds), built
    )


def best_arrival(
    copies: Sequence[Sequence[Rule]], counts: Sequence[int], last: int, tries: int
) -> tuple[float, Network]:
    """Microseconds from an arrival at leaf `last` until all networks, one a copy, have noticed; and one of them."""
    kinds = [f"E{leaf + 1}" for leaf in range(len(counts))]
    letters, keys = _interleaved(counts)
    best = float("inf")
    for _ in range(tries):
        networks = [prepared(rules) for rules in copies]
        for network in networks:
            network.process(_batch(kinds, letters, keys, 0))
        arrival = [_batch(kinds, [last], [0], len(letters)) for _ in networks]
        begun = time.perf_counter_ns()
        for network, batch in zip(networks, arrival, strict=True):
            network.process(batch)
        best = min(best, (time.perf_counter_ns() - begun) / 1e3)
        if best > LIMIT * 1e6:
            break
    return best, networks[0]


def rows_in(network: Network) -> int:
    """Rows that a network holds."""
    return sum(int(gate.arena.tail - gate.arena.head) for gate in network.all_gates())


def found_in(network: Network) -> int:
    """Matches that wait in a network to be taken out."""
    return sum(int(firing.used) // int(firing.stride) for firing in network.firings)


def series(leaves: Sequence[int], each: Sequence[int], tries: int) -> list[Point]:
    """Every shape with growing leaves or events at a leaf, as far as the limit lets it."""
    points: list[Point] = []
    for shape in SHAPES:
        for count, stored in ((count, stored) for count in leaves for stored in each):
            points.append(measure_arrival(shape, count, stored, tries))
            if points[-1].microseconds > LIMIT * 1e6 / _next_factor(points, shape.name):
                break
    return points


def _next_factor(points: list[Point], name: str) -> float:
    """How much longer the next point may take, going by the last two."""
    mine = [point.microseconds for point in points if point.shape == name]
    return max(1.0, mine[-1] / mine[-2]) if len(mine) > 1 else 1.0


def _leaf(number: int) -> Pattern:
    return Named(f"e{number + 1}", Primitive(f"E{number + 1}"))


def _balanced(operator: type[Both] | type[Ordered], first: int, end: int) -> Pattern:
    if end - first == 1:
        return _leaf(first)
    middle = (first + end) // 2
    return operator((_balanced(operator, first, middle), _balanced(operator, middle, end)))


def _same_keys(leaves: int) -> Guard:
    pairs = (
        Binary("==", Attribute(f"e{number}", "key"), Attribute(f"e{number + 1}", "key")) for number in range(1, leaves)
    )
    whole: Guard = next(pairs)
    for pair in pairs:
        whole = Binary("&&", whole, pair)
    return whole


def _interleaved(counts: Sequence[int]) -> tuple[list[int], list[int]]:
    """Leaves in turn, each as often as it counts; a leaf's n-th event has key n."""
    places = [(turn, leaf) for leaf, count in enumerate(counts) for turn in range(count)]
    places.sort()
    return [leaf for _, leaf in places], [turn for turn, _ in places]


def _batch(kinds: list[str], letters: Sequence[int], keys: Sequence[int], first: int) -> Batch:
    """Events a millisecond apart."""
    times = array("q", ((first + place + 1) * MSEC for place in range(len(letters))))
    columns = {"key": WholeValues(array("q", keys).tobytes())}
    return Batch(len(letters), kinds, array("q", letters).tobytes(), times.tobytes(), columns=dict(columns))
