"""The figures of 000 (Moreto and Endler, Evaluating composite events using shared trees) redone on the engine.

Fig. 7: the time from the last event to the notification, in a balanced tree and in a backbone, by the number of
events stored. Fig. 8: a tree that two applications share against two copies of it. Figs. 2 to 5: what is held in each
of the four phases. Section 9: the six factors. 000 does not print its numbers, so the shapes of the curves are what
can be compared.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass

from tocsin.algebra.guards import Attribute, Binary, Guard, Literal
from tocsin.algebra.patterns import Both, Named, Pattern, Primitive, Where
from tocsin.bench.columns import is_compiled
from tocsin.bench.factors import EVENTS, Factor, measure_factor, settings
from tocsin.bench.instances import Instance, SharedTrees, held_in
from tocsin.bench.trees import LIMIT, SHAPES, Point, best_arrival, rows_in, rule_of, series
from tocsin.draw.plot import Series, draw_bars, draw_lines

LEAVES = 8
EACH = (1, 2, 3, 4, 6, 8, 16, 32, 64)
"""Events stored at each leaf of the trees of Fig. 7."""
HEIGHTS = (1, 2, 3, 4)
EACH_BY_HEIGHT = 2
DISTRIBUTIONS = (
    ("1: balanced\neven", 0, (0, 3, 3, 3, 3, 3, 3, 3)),
    ("2: balanced\nmost near E1", 0, (0, 8, 5, 4, 1, 1, 1, 1)),
    ("3: balanced\nmost far away", 0, (0, 1, 1, 1, 1, 4, 5, 8)),
    ("4: balanced\nmost at one leaf", 0, (0, 1, 1, 1, 1, 1, 1, 15)),
    ("5: backbone\neven", 1, (0, 3, 3, 3, 3, 3, 3, 3)),
)
"""000 says that its tests 1 to 4 differ in how the stored events are distributed, not how: these are ours."""
COUNTS = (1, 2, 4, 8, 16)


@dataclass(frozen=True)
class Sharing:
    """One test of Fig. 8: microseconds with a shared tree, and with two copies."""

    test: str
    shared: float
    duplicated: float


@dataclass(frozen=True)
class Phase:
    """What is held after a phase: instances and marks of 000, rows of the engine."""

    phase: str
    instances: int
    marked: int
    rows: int


@dataclass(frozen=True)
class Held:
    """The tree of Figs. 2 to 5 with so many events of each type and no notification."""

    each: int
    instances: int
    rows: int


@dataclass(frozen=True)
class Papers:
    """Everything measured."""

    compiled: bool
    by_stored: tuple[Point, ...]
    by_height: tuple[Point, ...]
    sharing: tuple[Sharing, ...]
    phases: tuple[Phase, ...]
    held: tuple[Held, ...]
    factors: tuple[Factor, ...]

    def as_json(self) -> dict[str, object]:
        """All of it, for a program."""
        return asdict(self)


def measure_papers(scale: float = 1.0, tries: int = 5) -> Papers:
    """Measures all figures; a smaller scale leaves out the larger trees."""
    each = EACH[: max(2, math.ceil(len(EACH) * min(scale, 1.0)))]
    heights = HEIGHTS[: max(2, math.ceil(len(HEIGHTS) * min(scale, 1.0)))]
    events = max(400, round(EVENTS * scale))
    return Papers(
        is_compiled(),
        tuple(series([LEAVES], each, tries)),
        tuple(series([2**height for height in heights], [EACH_BY_HEIGHT], tries)),
        tuple(_sharing(tries)),
        tuple(_phases()),
        tuple(_held(tries)),
        tuple(measure_factor(setting, events, min(tries, 2)) for setting in settings()),
    )


# -- Fig. 8 --------------------------------------------------------------------------------------------------------


def _sharing(tries: int) -> Iterator[Sharing]:
    for test, shape, counts in DISTRIBUTIONS:
        pattern = SHAPES[shape].pattern(LEAVES)
        one, other = rule_of(pattern, "ap1"), rule_of(pattern, "ap2")
        shared, _ = best_arrival([[one, other]], counts, 0, tries)
        duplicated, _ = best_arrival([[one], [other]], counts, 0, tries)
        yield Sharing(test, shared, duplicated)


# -- Figs. 2 to 5 --------------------------------------------------------------------------------------------------

_PAIR = Both((Named("e1", Primitive("E1")), Named("e2", Primitive("E2"))))
_ALL = Both((_PAIR, Named("e3", Primitive("E3"))))
_STORED = ("E1", "E1", "E2", "E3")
"""The primitive instances 0 to 3. The text has no leaves for them; only two at E1 or at E2 give the instance 7."""


def _plain(pattern: Pattern) -> Pattern:
    match pattern:
        case Named(pattern=inner):
            return _plain(inner)
        case Both(parts=parts):
            return Both(tuple(_plain(part) for part in parts))
    return pattern


def _phases() -> Iterator[Phase]:
    """000's example step by step. AP1 is notified of instance 7, the one with event 1; AP2 of nothing."""
    requests = {"AP2": _plain(_PAIR), "AP1": _plain(_ALL)}
    trees = SharedTrees(requests, {"AP1": lambda events: 1 in events, "AP2": lambda _: False})
    for kind in _STORED[:-1]:
        trees.arrive(kind)
    trees.arrive(_STORED[-1], notify=False)
    rows = _rows_of_example()
    yield Phase("1: combinations (Fig. 2)", trees.held, 0, rows)
    reached = {"AP1": trees.nodes[requests["AP1"]].instances}
    trees.notify(reached)
    ((_, chosen),) = trees.notified
    yield Phase("2: notified (Fig. 3)", trees.held, _size(chosen), rows)
    marked = sum(bool(one.users) for node in trees.nodes.values() for one in node.instances)
    yield Phase("3: the same events (Fig. 4)", trees.held, marked, rows)
    trees.collect()
    marked = sum(bool(one.users) for node in trees.nodes.values() for one in node.instances)
    yield Phase("4: collected (Fig. 5)", trees.held, marked, rows)


def _size(instance: Instance) -> int:
    return 1 + sum(_size(part) for part in instance.parts)


def _rows_of_example() -> int:
    """Rows that the engine holds after the four events, with AP1 notified and AP2 not."""
    ap1 = rule_of(Where(_ALL, _key_is(1)), "ap1")
    ap2 = rule_of(Where(_PAIR, _key_is(99)), "ap2")
    _, network = best_arrival([[ap1, ap2]], (2, 1, 0), 2, 1)
    return rows_in(network)


def _held(tries: int) -> Iterator[Held]:
    for each in COUNTS:
        rule = rule_of(Where(_ALL, _key_is(-1)), "ap1")
        _, network = best_arrival([[rule]], (each, each, each - 1), 2, tries)
        yield Held(each, held_in(_ALL, dict.fromkeys(("E1", "E2", "E3"), each)), rows_in(network))


def _key_is(key: int) -> Guard:
    return Binary("==", Attribute("e1", "key"), Literal(key))


# -- pictures and words --------------------------------------------------------------------------------------------


def pictures(found: Papers) -> dict[str, str]:
    """The plots as SVG, by the names of their files."""
    how = f"One core; the engine is {'compiled' if found.compiled else 'interpreted'}. Context generic."
    stopped = f"A series ends before arrivals take much longer than {LIMIT:g} s."
    return {
        "eps-fig7.svg": draw_lines(
            "Balanced trees and backbones by the number of events stored (000, Fig. 7)",
            f"From the last event to the notification, {LEAVES} leaves. {how} {stopped}",
            "events stored",
            "microseconds",
            _timed(found.by_stored, lambda point: point.stored),
            log_x=True,
        ),
        "eps-height.svg": draw_lines(
            "Balanced trees and backbones by the number of leaves (000, section 9)",
            f"From the last event to the notification, {EACH_BY_HEIGHT} events stored at each leaf. {how} {stopped}",
            "leaves",
            "microseconds",
            _timed(found.by_height, lambda point: point.leaves),
        ),
        "eps-held.svg": draw_lines(
            "What is held: instances in 000's trees, rows in the engine (000, Figs. 2 to 5)",
            "The tree (E1 & E2) & E3 with so many events of each type, before any notification.",
            "events of each type",
            "held",
            [
                Series("000: instances (reckoned)", [(one.each, one.instances) for one in found.held], True),
                Series("engine: rows", [(one.each, one.rows) for one in found.held]),
            ],
            log_x=True,
        ),
        "eps-fig8.svg": draw_bars(
            "A tree that two applications share, and two copies of it (000, Fig. 8)",
            f"From the last event to the second notification, {LEAVES} leaves, 21 events stored. {how}",
            "microseconds",
            ("shared", "duplicated"),
            [(one.test, (one.shared, one.duplicated)) for one in found.sharing],
        ),
    }


def _timed(points: Sequence[Point], x_of: Callable[[Point], int]) -> list[Series]:
    return [
        Series(shape.name, [(x_of(point), point.microseconds) for point in points if point.shape == shape.name])
        for shape in SHAPES
    ]


def report(found: Papers) -> str:
    """All figures as tables, for a person."""
    return "\n".join(_lines(found))


def _lines(found: Papers) -> Iterator[str]:
    yield f"The engine is {'compiled' if found.compiled else 'INTERPRETED'}. Context generic. Times are wall-clock."
    yield f"\nFig. 7: {LEAVES} leaves; microseconds from the last event to the notification"
    yield from _points(found.by_stored, "stored")
    yield f"\nHeight: {EACH_BY_HEIGHT} events stored at each leaf"
    yield from _points(found.by_height, "leaves")
    yield "\nFig. 8: two applications, microseconds to the second notification"
    for one in found.sharing:
        name = one.test.replace("\n", ", ")
        yield (
            f"  {name:<32} shared {one.shared:>10,.1f}  duplicated {one.duplicated:>10,.1f}"
            f"  {one.duplicated / one.shared:.2f} times"
        )
    yield "\nFigs. 2-5: AP1 asks for (E1 & E2) & E3, AP2 for E1 & E2; four events"
    for phase in found.phases:
        yield f"  {phase.phase:<30} 000: {phase.instances} instances, {phase.marked} marked; engine: {phase.rows} rows"
    yield "  ... with more events of each type, none used up"
    for held in found.held:
        yield f"  {held.each:>4} each {held.instances:>10,} instances {held.rows:>8,} rows"
    yield "\nSection 9: CPU microseconds an event; instances 000 would hold at the end, rows the engine holds"
    for one_factor in found.factors:
        yield (
            f"  {one_factor.factor:<13} {one_factor.setting:<28} {one_factor.microseconds:>8.2f} us"
            f" {one_factor.matches:>8,} matches {one_factor.instances:>16,} instances {one_factor.rows:>7,} rows"
        )


def _points(points: Sequence[Point], counted: str) -> Iterator[str]:
    for shape in SHAPES:
        mine = [point for point in points if point.shape == shape.name]
        if not mine:
            continue
        yield f"  {shape.name}: {_growth(mine, counted)}"
        for point in mine:
            yield (
                f"    {counted} {getattr(point, counted):>5,} {point.microseconds:>12,.1f} us"
                f" {point.rows:>6,} rows, built in {point.build_seconds:,.3f} s   000: {point.instances:,} instances"
            )


def _growth(points: Sequence[Point], counted: str) -> str:
    """How the time grows towards the end of a series."""
    if len(points) < 2:
        return "one point"
    one, other = points[-2], points[-1]
    ratio, more = other.microseconds / one.microseconds, getattr(other, counted) / getattr(one, counted)
    return f"{more:.3g} times the {counted} takes {ratio:.3g} times as long at the end"
