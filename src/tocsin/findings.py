"""The detections of a run, as users get them: a sequence, columns of any library, dicts, or a table in a notebook."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import islice
from typing import Any, Final, overload

from tocsin.algebra.notes import Notes
from tocsin.engine.frames.positions import positions_of
from tocsin.engine.frames.rows import Rows
from tocsin.errors import MissingDependency, UsageError
from tocsin.events import Amendment, Detection
from tocsin.formats.instants import TimeStyle
from tocsin.formats.writers import said_by_rule, timely, to_json
from tocsin.time.spans import SECOND

SHOWN: Final = 20
"""Rows of the table in a notebook."""
_LONGEST: Final = 200
_TIMES: Final = ("start", "time", "detected")
_AMENDING: Final = ("amends", "change", "because")
_TEXTS: Final = ("rule", "type", "notification", "id", "source", "stamp", *_AMENDING)
_MOST: Final = 2**63
_HEADINGS: Final = ("time", "rule", "type", "start", "detected", "events", "notification or data")


class Detections(Sequence[Detection]):
    """Every detection of a run in order: a sequence that does not change, made as far as it is looked at.

    `counts` has the number of detections of each rule, `notes` what the run has to say besides (events refused,
    ignored, values that could not be compared), `skipped` and `repeated` how many bad events were left out and how many
    events came again.

    >>> import tocsin as tc
    >>> found = tc.detect(tc.rule("pair", "a ; b"), [{"type": "a", "time": 1}, {"type": "b", "time": 2}])
    >>> found
    <Detections: 1 (pair 1)>
    >>> found[0].events, found.counts
    (('1', '2'), {'pair': 1})
    """

    def __init__(
        self,
        found: Rows | list[Detection],
        counts: Mapping[str, int],
        notes: Notes,
        style: TimeStyle,
        skipped: int = 0,
        repeated: int = 0,
    ) -> None:
        self.counts, self.notes, self.skipped, self.repeated = dict(counts), notes, skipped, repeated
        self._style = style
        self._rows = found if isinstance(found, Rows) else None
        self._made: list[Detection] = [] if isinstance(found, Rows) else found
        self._rest: Iterator[Detection] = iter(found) if isinstance(found, Rows) else iter(())
        self._count = found.count if isinstance(found, Rows) else len(found)

    # -- a sequence -------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Detection: ...

    @overload
    def __getitem__(self, index: slice) -> list[Detection]: ...

    def __getitem__(self, index: int | slice) -> Detection | list[Detection]:
        if isinstance(index, slice):
            places = range(self._count)[index]
            return self._until(max(places) + 1 if places else 0)[index] if places else []
        place = range(self._count)[index]
        return self._until(place + 1)[place]

    def __iter__(self) -> Iterator[Detection]:
        place = 0
        while place < self._count:
            yield self._until(place + 1)[place]
            place += 1

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Detections | list | tuple):
            return NotImplemented
        return len(self) == len(other) and all(one == another for one, another in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]  # as a list

    def __repr__(self) -> str:
        counted = ", ".join(f"{name} {count:,}" for name, count in islice(self.counts.items(), 5))
        more = ", ..." if len(self.counts) > 5 else ""
        return f"<Detections: {self._count:,}{f' ({counted}{more})' if counted else ''}>"

    def _until(self, count: int) -> list[Detection]:
        """What is made, with at least so many."""
        if count > len(self._made):
            self._made.extend(islice(self._rest, count - len(self._made)))
        return self._made

    def _all(self) -> list[Detection]:
        return self._until(self._count)

    # -- other shapes -----------------------------------------------------------------------------------------------

    def to_dicts(self) -> list[dict[str, object]]:
        """Each detection as `tocsin detect` writes it: times as seconds if the first event's was a number, else text.

        >>> import tocsin as tc
        >>> (one,) = tc.detect(tc.rule("r", "a"), [{"type": "a", "time": 1.5, "data": {"v": 3}}]).to_dicts()
        >>> one["time"], one["events"], one["data"]
        (1.5, ['1'], {'a.v': 3})
        """
        return [self._dict(one) for one in self]

    def to_arrow(self) -> Any:
        """A table of Arrow, a row a detection; `data.x` is a column for each of the data's names.

        Times are timestamps in UTC, or seconds if the first event's was a number.

        >>> import tocsin as tc
        >>> found = tc.detect(tc.rule("r", "a"), [{"type": "a", "time": 1.5, "data": {"v": 3}}])
        >>> found.to_arrow().select(["rule", "time", "data.a.v"]).to_pylist()
        [{'rule': 'r', 'time': 1.5, 'data.a.v': 3}]
        """
        pa = _imported("pyarrow", "arrow")
        columns = self._columns()
        kinds = {"start": self._arrow_time(pa), "time": self._arrow_time(pa), "detected": self._arrow_time(pa)}
        kinds |= dict.fromkeys(_TEXTS, pa.string())
        kinds["events"] = pa.list_(pa.string())
        return pa.table({name: pa.array(values, kinds.get(name)) for name, values in columns.items()})

    def to_pandas(self) -> Any:
        """A frame of pandas, with the columns of `to_arrow`.

        >>> import tocsin as tc
        >>> frame = tc.detect(tc.rule("r", "a"), [{"type": "a", "time": "2026-01-01T00:00:00Z"}]).to_pandas()
        >>> str(frame["time"][0])
        '2026-01-01 00:00:00+00:00'
        """
        _imported("pandas", "pandas")
        frame = self.to_arrow().to_pandas()
        frame["events"] = [list(names) for names in frame["events"]]
        return frame

    def to_polars(self) -> Any:
        """A frame of Polars, with the columns of `to_arrow`.

        >>> import tocsin as tc
        >>> tc.detect(tc.rule("r", "a"), [{"type": "a", "time": 1}]).to_polars()["events"].to_list()
        [['1']]
        """
        pl = _imported("polars", "polars")
        kinds = dict.fromkeys(_TEXTS, pl.String)
        kinds["events"] = pl.List(pl.String)
        made = {}
        for name, values in self._columns().items():
            if name in _TIMES:
                series = pl.Series(name, values, pl.Float64 if self._style.seconds else pl.Int64)
                made[name] = series if self._style.seconds else series.cast(pl.Datetime("us", "UTC"))
            else:
                made[name] = pl.Series(name, values, kinds.get(name))
        return pl.DataFrame(made)

    def positions(self) -> Any:
        """For a frame: which rows each detection is made of, without making an event; the quickest way out.

        A table of Arrow, a row a detection, in their order: `rule`, `start`, `time`, `detected`, and `positions`, the
        rows of the frame counted from 0, by time. Where pyarrow is missing, a dict of NumPy arrays: `rule` are places
        in `rules`, row i has the `positions` from `offsets[i]` to the next, and times are microseconds.

        >>> import tocsin as tc, pyarrow as pa
        >>> table = pa.table({"type": ["a", "x", "b"], "time": [1, 2, 3]})
        >>> tc.detect(tc.rule("pair", "a ; b"), table).positions()["positions"].to_pylist()
        [[0, 2]]
        """
        if self._rows is None:
            raise UsageError(
                "there are positions where a frame was given, in the best-effort order, to rules that only report:"
                " none that trigger, notify or enable, or use each other by name"
            )
        found = positions_of(self._rows)
        times = {name: getattr(found, name) for name in _TIMES}
        try:
            import pyarrow as pa  # here, for it is optional
        except ImportError:
            return {
                "rules": found.rules,
                "rule": found.rule,
                **times,
                "positions": found.events,
                "offsets": found.offsets,
            }
        kind = self._arrow_time(pa)
        columns = {"rule": pa.DictionaryArray.from_arrays(pa.array(found.rule, pa.int32()), found.rules or [""])}
        for name, values in times.items():
            columns[name] = pa.array(values / SECOND if self._style.seconds else values).cast(kind)
        columns["positions"] = pa.LargeListArray.from_arrays(found.offsets, found.events)
        return pa.table(columns)

    def _repr_html_(self) -> str:
        """A table of the first detections, for notebooks."""
        total = f"<p>{self._count:,} detection{'' if self._count == 1 else 's'}"
        total += "".join(f"; {escape(name)}: {count:,}" for name, count in islice(self.counts.items(), SHOWN)) + "</p>"
        if not self._count:
            return total
        head = "".join(f"<th>{heading}</th>" for heading in _HEADINGS)
        body = "".join(f"<tr>{self._html_cells(one)}</tr>" for one in self[:SHOWN])
        rest = f"<p>... and {self._count - SHOWN:,} more</p>" if self._count > SHOWN else ""
        return f"{total}<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{rest}"

    def _html_cells(self, one: Detection) -> str:
        text = self._style.text
        said = one.notification
        if said is None:
            data = {name: timely(value, self._style) for name, value in one.data.items()}
            said = ", ".join(f"{name} = {to_json(value)}" for name, value in data.items())
        if isinstance(one, Amendment):
            said = f"{one.change} because of {one.because} {said}".rstrip()
        events = ", ".join(one.events)
        cells = (text(one.time_us), one.rule, one.type, text(one.start_us), text(one.detected_us), events, said)
        return "".join(f"<td>{escape(_cut(cell))}</td>" for cell in cells)

    # -- parts of these ---------------------------------------------------------------------------------------------

    def _arrow_time(self, pa: Any) -> Any:
        return pa.float64() if self._style.seconds else pa.timestamp("us", "UTC")

    def _dict(self, one: Detection) -> dict[str, object]:
        made: dict[str, object] = {"rule": one.rule, "type": one.type}
        for name in _TIMES:
            instant = getattr(one, f"{name}_us")
            made[name] = instant / SECOND if self._style.seconds else self._style.text(instant)
        made |= {"events": list(one.events), "data": timely(one.data, self._style)}
        if one.notification is not None:
            made["notification"] = one.notification
        made["id"] = one.id
        if one.source:
            made["source"] = one.source
        if one.stamp is not None:
            made["stamp"] = dict(one.stamp)
        made |= said_by_rule(one)
        if isinstance(one, Amendment):
            made |= {name: getattr(one, name) for name in _AMENDING}
        return made

    def _columns(self) -> dict[str, list[Any]]:
        """Every field as a list of values of one type; times as seconds, or as microseconds since 1970."""
        ones = self._all()
        columns: dict[str, list[Any]] = {name: [getattr(one, name) for one in ones] for name in ("rule", "type")}
        for name in _TIMES:
            instants = [getattr(one, f"{name}_us") for one in ones]
            columns[name] = [instant / SECOND for instant in instants] if self._style.seconds else instants
        columns["events"] = [list(one.events) for one in ones]
        columns |= {name: [getattr(one, name) for one in ones] for name in ("notification", "id", "source")}
        if any(one.stamp is not None for one in ones):
            columns["stamp"] = [None if one.stamp is None else to_json(one.stamp) for one in ones]
        if any(one.severity is not None for one in ones):
            columns["severity"] = [one.severity for one in ones]
        if any(one.tags for one in ones):
            columns["tags"] = [list(one.tags) for one in ones]
        if any(one.suppressed for one in ones):
            columns["suppressed"] = [one.suppressed for one in ones]
        if any(isinstance(one, Amendment) for one in ones):
            columns |= {name: [getattr(one, name, None) for one in ones] for name in _AMENDING}
        for name in dict.fromkeys(name for one in ones for name in one.data):
            columns[f"data.{name}"] = _of_one_type([timely(one.data.get(name), self._style) for one in ones])
        return columns


def _of_one_type(values: list[Any]) -> list[Any]:
    """The values, if a column can hold them as they are; else each as JSON."""
    lists = [value for value in values if isinstance(value, list)]
    if not lists:
        return _numbers_or_texts(values)
    if any(value is not None and not isinstance(value, list) for value in values):
        return [None if value is None else to_json(value) for value in values]
    flat = [item for value in lists for item in value]
    same = iter(_numbers_or_texts(flat))
    return [None if value is None else [next(same) for _ in value] for value in values]


def _numbers_or_texts(values: list[Any]) -> list[Any]:
    kinds = {type(value) for value in values if value is not None}
    if kinds in ({bool}, {str}, {float}, set()):
        return values
    if kinds == {int} and all(value is None or -_MOST <= value < _MOST for value in values):
        return values
    if kinds == {int, float} and all(value is None or abs(value) <= 2**53 for value in values if type(value) is int):
        return [None if value is None else float(value) for value in values]
    return [None if value is None else to_json(value) for value in values]


def _imported(name: str, extra: str) -> Any:
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError:
        raise MissingDependency(name, extra) from None


def _cut(cell: str) -> str:
    return cell if len(cell) <= _LONGEST else cell[: _LONGEST - 3] + "..."
