"""Detections as columns of Arrow, without making an event: for rules that only report what they found.

What `detection_of` makes of one occurrence is made here of all rows that have the same shape: texts of each event
once, however many detections it is part of, and those of detections by joining columns. The same ids and the same
data: tests hold the two together. What is not plain (time events, repeated variables, rules with data or texts of
their own) is left for `Engine.drain`.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from json.encoder import encode_basestring_ascii as quoted
from typing import Any, Final, NamedTuple

from tocsin.algebra.attributes import found_in
from tocsin.algebra.patterns import Absence, Automaton, Both, Named, Pattern, Sequence, Where, Within
from tocsin.algebra.rules import Rule
from tocsin.algebra.values import MISSING
from tocsin.engine.engine import Engine
from tocsin.engine.frames.positions import span_of
from tocsin.engine.frames.rows import reporting
from tocsin.engine.network.batch import Batch, Store, Tell
from tocsin.engine.network.firings import HEAD, MOST_BRANCHES, Firing
from tocsin.engine.network.network import FIRST_BELL
from tocsin.engine.network.numbers import SPREAD
from tocsin.engine.network.values import MISSING_VALUES
from tocsin.events import Event
from tocsin.formats.instants import TimeStyle
from tocsin.formats.writers import timely, to_json
from tocsin.plan.searches import Chosen, Closed, Opened, Slot

_MOST_ROWS: Final = 131_072
"""Detections that are made into columns at a time: their texts take memory."""
_PLAIN: Final = frozenset(map(chr, range(0x20, 0x7F))) - {'"', "\\"}
"""Characters that stand for themselves in JSON."""
_PLAIN_BYTES: Final = "".join(sorted(_PLAIN)).encode()
_EXACT: Final = (int, str, bool)
"""Types whose values are written as JSON has them."""


class Reported(NamedTuple):
    """Detections as columns of Arrow. `keys` are texts of the attribute that was asked for.

    `identities` are the texts that ids are hashes of (`hashed`). To hash takes as long as all the rest, and not
    everyone asks for ids.
    """

    rules: Any
    identities: Any
    starts: Any
    times: Any
    detected: Any
    events: Any
    data: Any
    keys: Any

    def taken(self, places: Any) -> Reported:
        """Those at some places, which are an array of NumPy."""
        return Reported(*(column.take(places) for column in self))


def reported(engine: Engine, style: TimeStyle, asked: Mapping[str, str]) -> Iterator[Reported]:
    """Takes out what was found by plain rules since the last call. `asked`: of each rule, an attribute `x.name`."""
    if engine.has_interplay or not engine.network.moments.count:
        return
    import numpy as np

    for firing in engine.network.firings:
        if firing.used and is_plain(firing) and (_rows_of(np, firing)[:, int(HEAD) :] < int(FIRST_BELL)).all():
            yield from reported_by(engine, firing, style, asked)


def reported_by(
    engine: Engine, firing: Firing, style: TimeStyle, asked: Mapping[str, str], order: Any = None
) -> Iterator[Reported]:
    """Takes out what rules that are searched for as one found, all of it plain; in an order of the rows, if given."""
    import numpy as np

    clocks = np.frombuffer(engine.network.moments.clock, np.int64)
    yield from _of_firing(np, firing, order, clocks, engine.network.store, style, asked)
    firing.used = 0


def _rows_of(np: Any, firing: Firing) -> Any:
    return np.frombuffer(firing.matches, np.int64, int(firing.used)).reshape(-1, int(firing.stride))


def is_plain(firing: Firing) -> bool:
    """Whether what it finds can be told as columns."""
    told = all(not rule.select and rule.notify is None and not rule.actions for rule in firing.rules)
    said = any(rule.suppress is not None or rule.severity is not None or rule.tags for rule in firing.rules)
    return told and not said and all(_leaves(tree) is not None for tree in firing.trees)


def _of_firing(
    np: Any, firing: Firing, order: Any, clocks: Any, store: Store, style: TimeStyle, asked: Mapping[str, str]
) -> Iterator[Reported]:
    """Rows of the same branch are of the same shape, whatever rules they are for."""
    rows = _rows_of(np, firing)
    numbers, firsts = np.unique(rows[:, 1], return_index=True)
    branches: dict[int, dict[str, tuple[Rule, list[int]]]] = {}
    for head, first in zip(numbers.tolist(), firsts.tolist(), strict=True):
        rules = branches.setdefault(head % int(MOST_BRANCHES), {})
        for rule in reporting(firing, first * int(firing.stride)):
            rules.setdefault(rule.name, (rule, []))[1].append(head)
    rows = rows if order is None else rows[order]
    for branch, rules in branches.items():
        if not rules:
            continue
        mine = rows if len(branches) == 1 else rows[rows[:, 1] % int(MOST_BRANCHES) == branch]
        for start in range(0, len(mine), _MOST_ROWS):
            some = mine[start : start + _MOST_ROWS]
            is_automaton = isinstance(firing.rules[0].pattern, Automaton)
            shape = _Shape(np, firing.trees[branch], some, clocks[some[:, 0]], store, style, is_automaton)
            members = [(rule, np.isin(some[:, 1], wanted).nonzero()[0]) for rule, wanted in rules.values()]
            for few in _bounded(members):
                yield shape.told(few, asked)


def _bounded(members: list[tuple[Rule, Any]]) -> Iterator[list[tuple[Rule, Any]]]:
    """Rules with their rows, a few at a time: many rules may tell the same rows, each in its own name."""
    few: list[tuple[Rule, Any]] = []
    count = 0
    for rule, places in members:
        if few and count + len(places) > _MOST_ROWS:
            yield few
            few, count = [], 0
        if len(places):
            few.append((rule, places))
            count += len(places)
    if few:
        yield few


class _Leaf(NamedTuple):
    register: int
    name: str


def _leaves(tree: Pattern, is_whole: bool = True) -> list[_Leaf] | None:
    """The events of a tree with the variables they are bound to; None where it is not plain."""
    match tree:
        case Slot(register=register):
            return [_Leaf(register, "")]
        case Named(name=name, pattern=Slot(register=register)):
            return [_Leaf(register, name)]
        case Chosen(registers=registers, names=()):
            return [_Leaf(register, "") for register in registers]
        case Where(pattern=inner) | Within(pattern=inner) | Opened(pattern=inner):
            return _leaves(inner, is_whole)
        case Closed(pattern=inner) if is_whole:
            return _leaves(inner, False)
        case Both(parts=parts) | Sequence(parts=parts):
            return _all_leaves(parts)
        case Absence(first=first, last=last):
            return _all_leaves((first, last))
    return None


def _all_leaves(parts: tuple[Pattern, ...]) -> list[_Leaf] | None:
    found: list[_Leaf] = []
    for part in parts:
        inner = _leaves(part, False)
        if inner is None:
            return None
        found += inner
    names = [leaf.name for leaf in found if leaf.name]
    return found if len(set(names)) == len(names) else None


class _Shape:
    """Rows of one branch: all that does not depend on the rule."""

    def __init__(
        self, np: Any, tree: Pattern, rows: Any, detected: Any, store: Store, style: TimeStyle, is_automaton: bool
    ) -> None:
        import pyarrow as pa
        import pyarrow.compute as pc

        self._np, self._pa, self._pc, self._count = np, pa, pc, len(rows)
        self._asked: dict[str, Any] = {}
        leaves = _leaves(tree)
        assert leaves is not None
        self._leaves = sorted(leaves, key=lambda leaf: leaf.name)
        columns = [np.ascontiguousarray(rows[:, int(HEAD) + leaf.register]) for leaf in self._leaves]
        self._events = _Events(np, pa, columns, store, style)
        self._is_automaton = is_automaton
        places = {leaf.register: place for place, leaf in enumerate(self._leaves)}
        starts, ends = span_of(np, tree, lambda register: self._events.spans(places[register]))
        self._starts, self._times, self._detected = (pa.array(each, pa.int64()) for each in (starts, ends, detected))
        self._listed, keys = self._by_time()
        times = self._times.cast("string")
        ticks = self._joined("[", times, "]") if _is_closed(tree) else "[]"
        # An id is the hash of a text that begins with the rule; the rest is the same for all rules.
        self._rest = self._joined(
            ",", self._starts.cast("string"), ",", times, ",[", keys, "],", ticks, ",[", *self._bindings(), "]]"
        )
        self._data = self._joined("{", pc.utf8_rtrim(self._texts(), ", "), "}")

    def told(self, members: list[tuple[Rule, Any]], asked: Mapping[str, str]) -> Reported:
        """What rules report, each of the rows at some places."""
        pa, np = self._pa, self._np
        counts = [len(places) for _, places in members]
        heads = [json.dumps([rule.name, rule.name, 0], separators=(",", ":"))[:-1] for rule, _ in members]
        names = [rule.name for rule, _ in members]
        keys = [self._keys(asked.get(name, "")).take(places) for name, (_, places) in zip(names, members, strict=True)]
        columns = [self._rest, self._starts, self._times, self._detected, self._listed, self._data]
        if len(members) > 1 or counts[0] < self._count:
            places = np.concatenate([places for _, places in members])
            columns = [column.take(places) for column in columns]
        rest, starts, times, detected, events, data = columns
        which = np.repeat(np.arange(len(members)), counts)
        rules, own = (pa.array(each, pa.string()).take(which) for each in (names, heads))
        return Reported(rules, self._joined(own, rest), starts, times, detected, events, data, pa.concat_arrays(keys))

    def _joined(self, *parts: Any) -> Any:
        """Texts side by side: columns, and what is the same in all rows."""
        return self._pc.binary_join_element_wise(*parts, "")

    def _bindings(self) -> list[Any]:
        """What the variables stand for, as an id has it: parts to be joined."""
        parts: list[Any] = []
        for place, leaf in enumerate(self._leaves):
            if leaf.name:
                begin = f"{',' if parts else ''}[{quoted(leaf.name)},[["
                parts += [begin, self._events.names(place), "]]]"]
        return parts

    def _texts(self) -> Any:
        """The attributes of the variables as JSON, with a comma after each."""
        found = [self._events.texts(leaf.name, place) for place, leaf in enumerate(self._leaves) if leaf.name]
        return self._joined(*found) if found else self._pa.array([""] * self._count)

    def _keys(self, asked: str) -> Any:
        """The values of an attribute `x.name`, as texts."""
        if asked not in self._asked:
            self._asked[asked] = self._key_texts(asked)
        return self._asked[asked]

    def _key_texts(self, asked: str) -> Any:
        for place, leaf in enumerate(self._leaves):
            if leaf.name and asked.startswith(f"{leaf.name}."):
                return self._events.key_texts(asked.removeprefix(f"{leaf.name}."), place)
        return self._pa.nulls(self._count, self._pa.string())

    def _by_time(self) -> tuple[Any, Any]:
        """The ids of the events by time, and the events as an id of a detection has them."""
        np, pa, events = self._np, self._pa, self._events
        order = _ascending([events.spans(place)[1] for place in range(len(self._leaves))])
        if order is None:
            together = list(zip(*(places.tolist() for places in events.places), strict=True))
            sort = events.weakly_sorted_ids if self._is_automaton else events.sorted_ids
            names = pa.array([sort(row) for row in together], pa.list_(pa.string()))
            return names, pa.array([events.sorted_keys(row) for row in together], pa.string())
        flat = np.stack([events.places[place] for place in order], 1).ravel()
        offsets = pa.array(np.arange(0, len(flat) + 1, len(order)), pa.int32())
        keys = self._pc.binary_join_element_wise(*[events.keys(place) for place in order], ",")
        return pa.ListArray.from_arrays(offsets, events.ids(flat)), keys


def _ascending(columns: list[Any]) -> list[int] | None:
    """The order of the columns in which every row ascends; None if there is none."""
    usual = sorted(range(len(columns)), key=lambda place: int(columns[place][0]))
    if all((columns[one] < columns[other]).all() for one, other in pairwise(usual)):
        return usual
    return None


def _is_closed(tree: Pattern) -> bool:
    """Whether something was absent until a window was over: that moment is part of the occurrence."""
    while isinstance(tree, Where | Within):
        tree = tree.pattern
    return isinstance(tree, Closed)


class _Events:
    """The events that rows are made of, each once. `places` has for each column the events of its rows."""

    def __init__(self, np: Any, pa: Any, columns: list[Any], store: Store, style: TimeStyle) -> None:
        self._np, self._pa = np, pa
        numbers, inverse = np.unique(np.concatenate(columns), return_inverse=True)
        size = len(columns[0])
        self.places = [inverse[start : start + size] for start in range(0, len(inverse), size)]
        self._groups = [*_groups(np, numbers, store, style)]
        self._ids = [name for group in self._groups for name in group.ids]
        self._sources = [source for group in self._groups for source in group.sources]
        self._starts = np.concatenate([group.starts for group in self._groups])
        self._ends = np.concatenate([group.ends for group in self._groups])
        self._names = _names(self._sources, self._ids)
        self._keys = [f"[{end},{name}]" for end, name in zip(self._ends.tolist(), self._names, strict=True)]
        self._columns = {name: pa.array(getattr(self, name), pa.string()) for name in ("_ids", "_names", "_keys")}

    def spans(self, column: int) -> tuple[Any, Any]:
        """Starts and ends."""
        return self._starts[self.places[column]], self._ends[self.places[column]]

    def ids(self, places: Any) -> Any:
        """The ids of events."""
        return self._columns["_ids"].take(places)

    def names(self, column: int) -> Any:
        """Sources and ids, as the id of a detection has what a variable stands for."""
        return self._columns["_names"].take(self.places[column])

    def keys(self, column: int) -> Any:
        """The events as the id of a detection has them."""
        return self._columns["_keys"].take(self.places[column])

    def sorted_ids(self, row: tuple[int, ...]) -> list[str]:
        # The events are in the order of their numbers, and that is the order of arrival.
        return [self._ids[place] for place in sorted(set(row), key=lambda place: (self._ends[place], place))]

    def weakly_sorted_ids(self, row: tuple[int, ...]) -> list[str]:
        # The total order of 001, as `algebra/firings.py` has it.
        ends, starts, sources = self._ends, self._starts, self._sources
        return [self._ids[n] for n in sorted(set(row), key=lambda n: (ends[n], starts[n], sources[n], n))]

    def sorted_keys(self, row: tuple[int, ...]) -> str:
        return ",".join([self._keys[place] for place in sorted(set(row), key=self._own)])

    def _own(self, place: int) -> tuple[int, str, str]:
        return self._ends[place], self._sources[place], self._ids[place]

    def texts(self, name: str, column: int) -> Any:
        """The attributes of a variable as JSON, with a comma after each."""
        return self._of_each(column, lambda group, places: group.texts(name, places))

    def key_texts(self, attribute: str, column: int) -> Any:
        """The values of an attribute as texts, without quotes."""
        return self._of_each(column, lambda group, places: map(key_text, group.values(attribute, places)))

    def _of_each(self, column: int, made_of: Callable[[_Group, list[int]], Iterable[str | None]]) -> Any:
        """A column of texts, of which each event's is made once."""
        events, back = self._np.unique(self.places[column], return_inverse=True)
        made: list[str | None] = []
        first = 0
        for group in self._groups:
            end = first + len(group.ids)
            made += made_of(group, (events[(events >= first) & (events < end)] - first).tolist())
            first = end
        return self._pa.array(made, self._pa.string()).take(back)


def _names(sources: list[str], ids: list[str]) -> list[str]:
    """Sources and ids, as texts of JSON. There are few sources, and most ids are plain."""
    heads = {source: quoted(source) + "," for source in set(sources)}
    if _PLAIN.issuperset("".join(ids)):
        return [f'{heads[source]}"{name}"' for source, name in zip(sources, ids, strict=True)]
    return [heads[source] + quoted(name) for source, name in zip(sources, ids, strict=True)]


def are_plain(texts: Any) -> bool:
    """Whether a column of texts stands in JSON as it is, between quotes."""
    data = texts.buffers()[2]
    return data is None or not data.to_pybytes().translate(None, _PLAIN_BYTES)


def ends_of(np: Any, numbers: Any, store: Store) -> Any:
    """When events were, by their numbers."""
    known, back = np.unique(numbers, return_inverse=True)
    found = np.empty(len(known), np.int64)
    for chosen, batch, places in _by_batch(np, known, store):
        if batch is None or not batch.ends:  # what was pushed has no columns
            found[chosen] = [store.event(number).end for number in known[chosen].tolist()]
        else:
            found[chosen] = np.frombuffer(batch.ends, np.int64)[places]
    return found[back].reshape(numbers.shape)


def _by_batch(np: Any, numbers: Any, store: Store) -> Iterator[tuple[Any, Batch | None, Any]]:
    """Which of these numbers, which ascend, are of which batch, and where they stand in it.

    What is from before a restart is of none.
    """
    firsts = [int(batch.first) for batch in store.batches]
    places = numbers // int(SPREAD)
    at = np.searchsorted(firsts, places, side="right") - 1
    for index in np.unique(at).tolist():
        chosen = at == index
        yield chosen, *((store.batches[index], places[chosen] - firsts[index]) if index >= 0 else (None, None))


def _groups(np: Any, numbers: Any, store: Store, style: TimeStyle) -> Iterator[_Group]:
    """Events by their numbers, which ascend: those of a batch together."""
    for chosen, batch, places in _by_batch(np, numbers, store):
        if batch is None:
            yield _Made(np, [store.event(number) for number in numbers[chosen].tolist()], style)
        elif batch.tell is not None:
            yield _Told(np, batch, batch.tell, places, style)
        elif batch.is_made:
            yield _Made(np, [batch.event(place) for place in places.tolist()], style)
        else:
            yield _Taken(np, batch, places, style)


class _Group:
    """Some events: their ids, sources, starts and ends, and what there is to say of their attributes."""

    def __init__(self, ids: list[str], sources: list[str], starts: Any, ends: Any) -> None:
        self.ids, self.sources, self.starts, self.ends = ids, sources, starts, ends

    def texts(self, name: str, places: list[int]) -> list[str]:
        """The attributes of some of them as those of a variable, with a comma after each."""
        raise NotImplementedError

    def values(self, attribute: str, places: list[int]) -> list[object]:
        """The values of an attribute of some of them; None or MISSING where they have none."""
        raise NotImplementedError


class _Made(_Group):
    """Events that are there as such."""

    def __init__(self, np: Any, events: list[Event], style: TimeStyle) -> None:
        starts, ends = (np.array(times, np.int64) for times in zip(*((e.start, e.end) for e in events), strict=True))
        super().__init__([event.id for event in events], [event.source for event in events], starts, ends)
        self._events, self._style = events, style

    def texts(self, name: str, places: list[int]) -> list[str]:
        return ["".join(self._attributes(name, self._events[place])) for place in places]

    def _attributes(self, name: str, event: Event) -> Iterator[str]:
        for key, value in event.data.items():
            yield f"{to_json(f'{name}.{key}')}: {_text(value, self._style)}, "

    def values(self, attribute: str, places: list[int]) -> list[object]:
        found = (found_in(self._events[place].data, attribute) for place in places)
        return [None if value is MISSING else value for value in found]


class _Told(_Group):
    """Events of a batch whose rows are read when they are asked for; no event is made."""

    def __init__(self, np: Any, batch: Batch, tell: Tell, places: Any, style: TimeStyle) -> None:
        starts, ends = (np.frombuffer(times, np.int64)[places] for times in (batch.starts, batch.ends))
        ids, sources, self._data = tell(places.tolist())
        super().__init__(ids, sources, starts, ends)
        self._style = style

    def texts(self, name: str, places: list[int]) -> list[str]:
        heads: dict[str, str] = {}
        made: list[str] = []
        for place in places:
            text = ""
            for key, value in self._data[place].items():
                head = heads.get(key)
                if head is None:
                    head = heads[key] = to_json(f"{name}.{key}") + ": "
                text += head + (str(value) if type(value) is int else _text(value, self._style)) + ", "
            made.append(text)
        return made

    def values(self, attribute: str, places: list[int]) -> list[object]:
        found = (found_in(self._data[place], attribute) for place in places)
        return [None if value is MISSING else value for value in found]


class _Taken(_Group):
    """Events in the columns of a batch."""

    def __init__(self, np: Any, batch: Batch, places: Any, style: TimeStyle) -> None:
        self._batch, self._places, self._style = batch, places.tolist(), style
        starts, ends = (np.frombuffer(times, np.int64)[places] for times in (batch.starts, batch.ends))
        first, names = int(batch.first), list(map(batch.ids.value, self._places))
        if MISSING in names:
            numbered = zip(self._places, names, strict=True)
            names = [first + place if name is MISSING else name for place, name in numbered]
        sources = [""] * len(names)
        if batch.sources is not MISSING_VALUES:
            found = map(batch.sources.value, self._places)
            sources = ["" if source is MISSING else str(source) for source in found]
        super().__init__(list(map(str, names)), sources, starts, ends)

    def texts(self, name: str, places: list[int]) -> list[str]:
        heads, columns, is_whole = [], [], True
        for key in self._batch.columns:
            column = _column_texts(self.values(key, places), self._style)
            is_whole = is_whole and None not in column
            heads.append(to_json(f"{name}.{key}"))
            columns.append(column)
        if not is_whole or not columns:
            rows = zip(*columns, strict=True) if columns else [()] * len(places)
            return [
                "".join([f"{head}: {text}, " for head, text in zip(heads, row, strict=True) if text is not None])
                for row in rows
            ]
        form = "".join([head.replace("%", "%%") + ": %s, " for head in heads])
        return [form % row for row in zip(*columns, strict=True)]

    def values(self, attribute: str, places: list[int]) -> list[object]:
        own = self._places
        return list(map(self._batch.column(attribute).value, [own[place] for place in places]))


def _column_texts(values: list[object], style: TimeStyle) -> list[str | None]:
    """Values as JSON; None where there are none. Mostly they are all of one type."""
    kinds = set(map(type, values))
    if kinds == {int}:
        return list(map(str, values))
    if kinds == {float} and math.isfinite(sum(values)):  # type: ignore[arg-type]  # floats
        return list(map(repr, values))
    if kinds == {str}:
        made = {value: to_json(value) for value in set(values)}
        return [made[value] for value in values]
    return [None if value is MISSING else _text(value, style) for value in values]


def _text(value: object, style: TimeStyle) -> str:
    """A value as JSON."""
    if type(value) is float and value - value == 0.0:
        return repr(value)
    return to_json(value if type(value) in _EXACT else timely(value, style))


def key_text(value: object) -> str | None:
    """A value that detections have in common, as a text."""
    if value is None or value is MISSING:
        return None
    if isinstance(value, str):
        return value
    return str(value) if type(value) is int else to_json(value)


def hashed(identity: str) -> str:
    """The id of a detection."""
    return hashlib.sha256(identity.encode()).hexdigest()[:24]


def hashed_of_many(identities: Any) -> list[str]:
    """The ids of detections, of a column of texts of Arrow: it has them as bytes."""
    sha256 = hashlib.sha256
    return [sha256(identity).hexdigest()[:24] for identity in identities.cast("binary").to_pylist()]
