"""Parcels of events through the rules: blocks of columns as they are, lists of arrivals as ever."""

from __future__ import annotations

import sys
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Final, TypeVar, cast

from tocsin.algebra.notes import Notes
from tocsin.algebra.rules import Declaration, Program
from tocsin.algebra.values import MISSING
from tocsin.engine.engine import Engine
from tocsin.engine.frames.lines import drained_lines
from tocsin.engine.frames.reader import Reader
from tocsin.engine.network.batch import Batch
from tocsin.engine.network.values import MISSING_VALUES, ObjectValues, RealValues, Values, WholeValues
from tocsin.errors import TocsinError
from tocsin.events import Detection
from tocsin.formats.blocks import Block, Column, Parcel, Reals, Rows, Wholes
from tocsin.formats.frames import Table
from tocsin.formats.instants import TimeStyle
from tocsin.rules.budgets import UNLIMITED, Budgets
from tocsin.runtime.logs import FIRST, HELD

MOST: Final = 16_384
"""Events taken in at a time."""
UNTOLD: Final = 262_144
"""Events after which what was found is told, where nobody waits: to tell has its price, however little there is."""
FEW_TYPES: Final = 64
"""Types that are looked for one by one; where there are more, events are counted one by one."""
_EXACT: Final = 2**53

T = TypeVar("T")


def batch_of_block(block: Block) -> Batch:
    """A block as a batch. Columns are made when they are asked for, and events when they are part of something."""
    return Batch(
        len(block),
        block.kinds,
        block.codes,
        block.ends,
        block.starts,
        block.arrivals,
        sources=MISSING_VALUES if block.sources is None else ObjectValues(list(block.sources)),
        find=lambda name: values_of(block.rows.column(name)),
        make=block.event,
        tell=block.told,
    )


def values_of(column: Column) -> Values:
    """A column as the engine reads it."""
    if isinstance(column, Reals):
        return RealValues(column.data)
    if isinstance(column, Wholes):
        return WholeValues(column.data)
    kinds, values = set(map(type, column)), cast("list[Any]", column)
    if kinds == {float}:
        return RealValues(array("d", values).tobytes())
    if kinds == {int} and min(values) >= -_EXACT and max(values) <= _EXACT:
        return WholeValues(array("q", values).tobytes())
    return ObjectValues(column)


class TableRows(Rows):
    """The rows of a batch that was made of a table, for those who look at what came."""

    def __init__(self, batch: Batch) -> None:
        self._batch = batch

    def column(self, name: str) -> Column:
        column = self._batch.column(name)
        return [column.value(place) for place in range(self._batch.count)]

    def data(self, place: int) -> Mapping[str, object]:
        columns = self._batch.columns.items()
        return {name: value for name, values in columns if (value := values.value(place)) is not MISSING}

    def release(self) -> None:
        pass  # the columns are the batch's

    def part(self, first: int, last: int) -> TableRows:
        raise NotImplementedError("a batch is looked at as a whole")


def _taken_table(table: Table, declared: Mapping[str, Declaration]) -> Batch | None:
    """A table as a batch, if its columns can say all that its rows would; then whoever looks at events has seen it."""
    try:
        import pyarrow as pa  # here, for it is optional: without it rows are read one by one
        import pyarrow.compute as pc
    except ImportError:
        return None
    intake = table.intake
    first = intake.before + table.done + 1
    batch = Reader(pa, pc, intake, None, declared).batch(table.piece, first - 1)
    if batch is not None:
        if batch.ids is MISSING_VALUES:
            batch.ids = WholeValues(array("q", range(first, first + batch.count)).tobytes())
        intake.reach(table.done + batch.count)
        if intake.is_watched:
            kinds = Counter({batch.kinds[code]: count for code, count in counted(batch.codes)})
            times = (batch.codes, batch.ends, batch.starts, batch.arrivals)
            intake.show(Block(batch.kinds, kinds, *times, first, None, None, TableRows(batch)))
    return batch


def counted(codes: bytes) -> list[tuple[int, int]]:
    """Codes, from 0 on, in the order in which they come first, and how often each is there."""
    numpy = sys.modules.get("numpy")
    if numpy is None:
        return list(Counter(memoryview(codes).cast("q")).items())
    column = numpy.frombuffer(codes, numpy.int64)
    counts = numpy.bincount(column)  # no sorting: that would take as long as all of the search
    there = numpy.flatnonzero(counts).tolist()
    if len(there) > FEW_TYPES:
        return list(Counter(column.tolist()).items())
    found = sorted(there, key=lambda code: int((column == code).argmax()))
    return [(code, int(counts[code])) for code in found]


def takes_parcels(program: Program, granularity: int | None) -> bool:
    """Whether the rules can be given many events at once: nothing that fires changes what comes after."""
    return not Engine(program, granularity, Notes()).has_interplay


def detections_of_parcels(
    program: Program,
    parcels: Iterable[Parcel],
    *,
    granularity: int | None = None,
    until: int | None = None,
    notes: Notes | None = None,
    budgets: Budgets = UNLIMITED,
) -> Iterator[Detection]:
    """Every detection in order, told after each parcel; where a parcel brings very many, after parts of it."""
    engine = Engine(program, granularity, notes if notes is not None else Notes(), budgets)
    yield from _told(engine, parcels, until, engine.drain)


def lines_of_parcels(
    program: Program,
    parcels: Iterable[Parcel],
    style: TimeStyle,
    *,
    granularity: int | None = None,
    until: int | None = None,
    notes: Notes | None = None,
    budgets: Budgets = UNLIMITED,
    is_prompt: bool = True,
) -> Iterator[str]:
    """The same as lines of JSON. Where nobody waits for the next of them (not `is_prompt`) they come many at a time."""
    engine = Engine(program, granularity, notes if notes is not None else Notes(), budgets)
    yield from _told(engine, parcels, until, lambda: drained_lines(engine, style), 1 if is_prompt else UNTOLD)


def _told(
    engine: Engine, parcels: Iterable[Parcel], until: int | None, drain: Callable[[], Iterable[T]], most: int = 1
) -> Iterator[T]:
    """What was found, told after `most` events or HELD detections, and before an error is."""
    taken, found = 0, _found(engine)
    try:
        for count in fed(engine, parcels):
            taken += count
            if taken >= most or _found(engine) - found >= HELD:
                yield from drain()
                taken, found = 0, _found(engine)
    except TocsinError:
        yield from drain()
        raise
    engine.finish(until)
    yield from drain()
    engine.count_incomparable()


def fed(engine: Engine, parcels: Iterable[Parcel]) -> Iterator[int]:
    """Gives the engine the parcels, in pieces as small as what they bring asks for; how many events were taken."""
    size = FIRST
    is_strict = any(rule.strict for rule in engine.program.rules)
    refused: TocsinError | None = None
    rest = iter(parcels)
    while True:
        try:
            parcel = next(rest, None)
        except TocsinError as error:  # what came before is told first
            refused = error
            break
        if parcel is None:
            break
        first, count = 0, len(parcel)
        if isinstance(parcel, Table) and count and not is_strict:
            batch = _taken_table(parcel, engine.program.declarations)
            if batch is not None:
                engine.begin(int.from_bytes(batch.arrivals[:8], "little", signed=True))
                engine.process(batch)
                yield count
                continue
        if isinstance(parcel, Table):
            parcel = [*parcel]
            count = len(parcel)
        while first < count:
            last = min(count, first + size)
            found = _take(engine, parcel, first, last, is_strict)
            yield last - first
            first = last
            size = max(1, size * HELD // found) if found > HELD else min(MOST, size * 2)
    if refused is not None:
        raise refused


def _take(engine: Engine, parcel: Parcel, first: int, last: int, is_strict: bool) -> int:
    """Some rows of a parcel; about how many detections they brought. Strict rules ask of every event what it is."""
    before = _found(engine)
    if isinstance(parcel, Block) and not is_strict:
        block = parcel if last - first == len(parcel) else parcel.part(first, last)
        engine.begin(int.from_bytes(block.arrivals[:8], "little", signed=True))
        batch = batch_of_block(block)
        engine.process(batch)
        batch.forget_columns()
        block.rows.release()
    else:
        engine.process_arrivals([*islice(parcel, first, last)])
    return _found(engine) - before


def _found(engine: Engine) -> int:
    return sum(int(firing.detections) for firing in engine.network.firings)
