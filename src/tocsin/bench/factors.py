"""Section 9 of 000: the six things that decide how fast it is, each turned on the engine by itself."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from tocsin.algebra.patterns import Both, Either, Pattern, Primitive, Times, Where
from tocsin.algebra.patterns import Sequence as Ordered
from tocsin.bench.columns import Matches, places, prepared, run
from tocsin.bench.instances import held_in
from tocsin.bench.measurement import best_prepared
from tocsin.bench.trees import Shape, rows_in, rule_of
from tocsin.bench.workloads import Table, numpy_module
from tocsin.time.spans import MSEC, SECOND

EVENTS = 8_000
LEAVES = 4
KINDS = ("E1", "E2", "E3", "E4")


@dataclass(frozen=True)
class Setting:
    """A stream of events of four types, and a request for one of each with the same key."""

    factor: str
    name: str
    pattern: Pattern
    gap: int = MSEC
    window: int = SECOND
    keys: int = 100
    weights: tuple[float, ...] = (0.25, 0.25, 0.25, 0.25)


@dataclass(frozen=True)
class Factor:
    """What one setting comes to."""

    factor: str
    setting: str
    events: int
    matches: int
    microseconds: float
    """CPU time for an event."""
    rows: int
    """Rows that the engine holds at the end."""
    instances: int
    """Instances that 000 would hold then, of the events that are in the window and not used up."""


def settings() -> list[Setting]:
    """Six factors in 000's order, a few settings each."""
    base = Setting("operators", "&", Shape("", Both, True, True).pattern(LEAVES))
    repeated = Times(3, Primitive("E1"), "key", same=True)
    sequence = Shape("", Ordered, False, True).pattern(LEAVES)
    either = Either((Either((Primitive("E1"), Primitive("E2"))), Either((Primitive("E3"), Primitive("E4")))))
    frequency, window = replace(base, factor="frequency"), replace(base, factor="window")
    uneven, structure = replace(base, factor="distribution"), replace(base, factor="structure")
    condition = replace(base, factor="condition")
    return [
        replace(base, name="||", pattern=either),
        replace(base, name=";", pattern=sequence),
        base,
        replace(base, name="TimesEq(3, E1, key)", pattern=repeated),
        *(replace(frequency, name=f"{rate:,} events/s", gap=SECOND // rate) for rate in (500, 1000, 2000, 4000)),
        *(replace(window, name=f"{length / 2:g} s", window=length * SECOND // 2) for length in (1, 2, 4, 8)),
        replace(uneven, name="even"),
        replace(uneven, name="one type 10 times as often", weights=(10 / 13, 1 / 13, 1 / 13, 1 / 13)),
        replace(structure, name="balanced"),
        replace(structure, name="backbone", pattern=Shape("", Both, False, True).pattern(LEAVES)),
        *(replace(condition, name=f"{keys:,} keys", keys=keys) for keys in (10, 100, 1000)),
    ]


def measure_factor(setting: Setting, events: int, tries: int) -> Factor:
    """Runs one setting."""
    given = _stream(setting, events)
    rule = rule_of(setting.pattern, window=setting.window)
    network = prepared([rule])
    found = run(network, given)
    seconds, _ = best_prepared(lambda: partial(run, prepared([rule]), given), tries)
    matches = sum(len(rows) for _, rows in found)
    counts = _unused(found, given, setting.window)
    bare = setting.pattern.pattern if isinstance(setting.pattern, Where) else setting.pattern
    return Factor(
        setting.factor,
        setting.name,
        len(given),
        matches,
        seconds / len(given) * 1e6,
        rows_in(network),
        held_in(bare, counts),
    )


def _stream(setting: Setting, events: int) -> Table:
    numpy = numpy_module()
    random = numpy.random.default_rng(5)
    return Table(
        (numpy.arange(events) + 1) * setting.gap,
        random.choice(LEAVES, events, p=setting.weights),
        random.integers(0, setting.keys, events),
        numpy.zeros(events),
        kinds=KINDS,
    )


def _unused(found: Matches, given: Table, window: int) -> dict[str, int]:
    """Of each type how many events are in the last window and in no match."""
    numpy = numpy_module()
    left = given.times >= given.times[-1] - window
    for firing, matches in found:
        left[places(firing, matches, given).ravel()] = False
    counts = numpy.bincount(given.letters[left], minlength=LEAVES)
    return dict(zip(KINDS, map(int, counts), strict=True))
