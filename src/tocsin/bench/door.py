"""The door: W1's rule from a file of events to a file of detections, beside the fastest bare reader of the format.

What is measured is what `tocsin detect` does between opening the one and closing the other. A bare reader only makes
columns: it knows no bad lines, types, repeats or order.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from tocsin.algebra.notes import Notes
from tocsin.bench.columns import Answer, answer, is_compiled, prepared
from tocsin.bench.columns import run as run_columns
from tocsin.bench.measurement import best_of, best_of_each
from tocsin.bench.records import Record, Target
from tocsin.bench.workloads import LETTERS, WORKLOADS, Table, checksum, table
from tocsin.errors import MissingDependency
from tocsin.formats import FORMATS, Arrivals, TimeStyle, events_from, read_events
from tocsin.formats.intake import Intake
from tocsin.rules.programs import rules_program
from tocsin.runtime.options import Options
from tocsin.session import Session
from tocsin.time.calendar import render_instant
from tocsin.time.spans import SECOND

EVENTS: Final = 2_000_000
MILLISECOND: Final = 1000
"""What the times of reports are told to, in microseconds: two events may be at one time, and windows end sooner."""
FEWER: Final = 10
"""The row-wise reader of reports is given one in so many of the events: it takes its time."""
REPORTED: Final = {letter: ["key", "value"] for letter in LETTERS}


class Door:
    """The events of W1 in every format, in a folder of their own."""

    def __init__(self, folder: Path, scale: float, tries: int) -> None:
        self.folder, self.tries = folder, tries
        self.table = table("wide", max(2000, round(EVENTS * scale)))
        self.rows = self.table.rows()
        rules = WORKLOADS["W1"].rules
        self.wanted = answer(run_columns(prepared(rules), self.table), self.table)
        coarse = replace(self.table, times=self.table.times // MILLISECOND * MILLISECOND)
        self.wanted_of_reports = answer(run_columns(prepared(rules), coarse), coarse)
        self.session = Session(rules_program(rules), Options())

    def detect(self, events: Callable[[], Arrivals], style: TimeStyle | None = None) -> Path:
        """From events to a file of detections."""
        output, given = self.folder / "out.jsonl", events()
        with output.open("w", encoding="utf-8") as file:
            for line in self.session.lines_of_parcels(given.parcels(), given.style, Notes(), is_prompt=False):
                file.write(line + "\n")
        return output

    def file(self, name: str) -> Path:
        return self.folder / f"events.{name}"


def door(names: list[str], scale: float, tries: int) -> Iterator[Record]:
    """The figures of some formats."""
    with tempfile.TemporaryDirectory() as folder:
        made = Door(Path(folder), scale, tries)
        for name in names:
            yield FIGURES[name](made)


def _record(made: Door, name: str, took: float, ratio: float, unit: str, target: Target, **details: float) -> Record:
    found = _answer(made.folder / "out.jsonl", 1 if name == "gem" else 0)
    wanted = made.wanted_of_reports if name == "gem" else made.wanted
    count = len(made.rows)
    details = {"us_an_event": took / count * 1e6, **details}
    return Record(
        name,
        count,
        found.matches,
        found.checksum,
        took,
        ratio,
        unit,
        target,
        found == wanted,
        is_compiled(),
        details,
    )


def _answer(output: Path, first: int) -> Answer:
    with output.open(encoding="utf-8") as file:
        matches = [tuple(int(name) - first for name in json.loads(line)["events"]) for line in file]
    return Answer(len(matches), checksum(matches))


def _beside(made: Door, name: str, readers: dict[str, Callable[[], object]], most: float) -> Record:
    """A file, beside the fastest of its bare readers."""
    path = str(made.file(name))
    contenders: list[Callable[[], object]] = [lambda: made.detect(lambda: read_events(path)), *readers.values()]
    figures = best_of_each([partial(_again, each) for each in contenders], made.tries)
    took, bare = figures[0][0], dict(zip(readers, (seconds for seconds, _ in figures[1:]), strict=True))
    made.detect(lambda: read_events(path))
    ratio = took / min(bare.values())
    per_event = {reader: seconds / len(made.rows) * 1e6 for reader, seconds in bare.items()}
    return _record(made, name, took, ratio, "x the fastest bare reader", Target(most, at_most=True), **per_event)


def _again(work: Callable[[], object]) -> Callable[[], object]:
    return work


def _jsonl(made: Door) -> Record:
    polars, arrow = _module("polars"), _module("pyarrow.json")
    with made.file("jsonl").open("w") as file:
        for place, (time, letter, key, value) in enumerate(made.rows):
            data = f'{{"key": {key}, "value": {value!r}}}'
            file.write(f'{{"id": "{place}", "type": "{LETTERS[letter]}", "time": {time / 1e6!r}, "data": {data}}}\n')
    path = str(made.file("jsonl"))
    readers = {"polars": lambda: polars.read_ndjson(path), "pyarrow": lambda: arrow.read_json(path)}
    return _beside(made, "jsonl", readers, 1.5)


def _csv(made: Door) -> Record:
    polars, arrow = _module("polars"), _module("pyarrow.csv")
    with made.file("csv").open("w") as file:
        file.write("id,type,time,key,value\n")
        for place, (time, letter, key, value) in enumerate(made.rows):
            file.write(f"{place},{LETTERS[letter]},{time / 1e6!r},{key},{value!r}\n")
    path = str(made.file("csv"))
    readers = {"polars": lambda: polars.read_csv(path), "pyarrow": lambda: arrow.read_csv(path)}
    return _beside(made, "csv", readers, 4)


def _frame(given: Table) -> Any:
    arrow = _module("pyarrow")
    numpy = _module("numpy")
    kinds = numpy.array(list(LETTERS))[given.letters]
    return arrow.table(
        {
            "id": arrow.array(range(len(given))),
            "type": kinds.tolist(),
            "time": given.times / 1e6,
            "key": given.keys,
            "value": given.values,
        }
    )


def _parquet_readers(made: Door) -> dict[str, Callable[[], object]]:
    polars, arrow = _module("polars"), _module("pyarrow.parquet")
    path = str(made.file("parquet"))
    if not Path(path).exists():
        arrow.write_table(_frame(made.table), path)
    return {"polars": lambda: polars.read_parquet(path), "pyarrow": lambda: arrow.read_table(path)}


def _parquet(made: Door) -> Record:
    return _beside(made, "parquet", _parquet_readers(made), 5)


def _in_memory(made: Door, name: str, library: str) -> Record:
    """A frame that is there already, beside what reading it from a Parquet file takes."""
    readers = _parquet_readers(made)
    frame = readers[library]()
    contenders: list[Callable[[], object]] = [lambda: made.detect(lambda: events_from(frame)), *readers.values()]
    figures = best_of_each([partial(_again, each) for each in contenders], made.tries)
    took, bare = figures[0][0], min(seconds for seconds, _ in figures[1:])
    unit = "x a bare read of Parquet"
    return _record(made, name, took, took / bare, unit, Target(5, at_most=True), bare=bare / len(made.rows) * 1e6)


def _dicts(made: Door) -> Record:
    items = [
        {"id": str(place), "type": LETTERS[letter], "time": time / 1e6, "data": {"key": key, "value": value}}
        for place, (time, letter, key, value) in enumerate(made.rows)
    ]
    took, _ = best_of(lambda: made.detect(lambda: events_from(items)), made.tries)
    per_event = took / len(made.rows) * 1e6
    return _record(made, "dicts", took, per_event, "us an event", Target(1.5, at_most=True))


def _gem(made: Door) -> Record:
    """Reports, beside the row-wise reader, which is what read them before."""
    with made.file("gem").open("w") as file:
        for time, letter, key, value in made.rows:
            file.write(f"{LETTERS[letter]} [{_time_point(time)}] ({key}, {value!r})\n")
    path = str(made.file("gem"))
    few = b"".join(made.file("gem").read_bytes().splitlines(keepends=True)[: len(made.rows) // FEWER])
    row_wise, _ = best_of(lambda: _row_wise(few), 1)
    took, _ = best_of(lambda: made.detect(lambda: read_events(path, declared=REPORTED)), made.tries)
    before = row_wise * FEWER
    unit, details = "x the row-wise reader", {"row_wise": before / len(made.rows) * 1e6}
    return _record(made, "gem", took, before / took, unit, Target(10), **details)


def _row_wise(reports: bytes) -> int:
    import io

    return sum(1 for _ in FORMATS["gem"].read(io.BytesIO(reports), Intake("<bench>", declared=REPORTED)))


def _time_point(time: int) -> str:
    """`00:00:01.500 1/1/1970`: what stands behind the point is the millisecond, no fraction."""
    seconds, rest = divmod(time, SECOND)
    date, _, clock = render_instant(seconds * SECOND).rstrip("Z").partition("T")
    year, month, day = date.split("-")
    return f"{clock}.{rest // MILLISECOND:03} {int(day)}/{int(month)}/{year}"


def _module(name: str) -> Any:
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError:
        raise MissingDependency(name.partition(".")[0], "all") from None


FIGURES: Final[dict[str, Callable[[Door], Record]]] = {
    "jsonl": _jsonl,
    "csv": _csv,
    "parquet": _parquet,
    "arrow": partial(_in_memory, name="arrow", library="pyarrow"),
    "polars": partial(_in_memory, name="polars", library="polars"),
    "dicts": _dicts,
    "gem": _gem,
}
