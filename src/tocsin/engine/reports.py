"""Detections as columns of texts and times, without making an event: for rules that only report what they found.

What `detection_of` makes of one occurrence is made here of all rows that have the same shape, and of each event once,
however many detections it is part of. The same ids and the same data: tests hold the two together. What is not plain
(time events, repeated variables, rules with data or texts of their own) is left for `Engine.drain`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from itertools import pairwise
from json.encoder import encode_basestring_ascii as quoted
from typing import Any, Final, NamedTuple

from tocsin.algebra.patterns import Absence, Both, Named, Pattern, Sequence, Where, Within
from tocsin.algebra.rules import Rule
from tocsin.algebra.values import MISSING
from tocsin.engine.batch import Batch, Store
from tocsin.engine.firing import HEAD, MOST_BRANCHES, Firing
from tocsin.engine.monitor import Engine
from tocsin.engine.network import FIRST_BELL
from tocsin.engine.numbering import SPREAD
from tocsin.engine.positions import span_of
from tocsin.events import Event
from tocsin.formats.instants import TimeStyle
from tocsin.formats.writers import timely, to_json
from tocsin.plan import Chosen, Closed, Slot

_EXACT: Final = (int, str, bool)
"""Types whose values are written as JSON has them."""


class Reported(NamedTuple):
    """Detections of one rule. `values` are those of the attribute that was asked for, one a detection."""

    rule: str
    ids: list[str]
    starts: list[int]
    times: list[int]
    detected: list[int]
    events: list[list[str]]
    data: list[str]
    values: list[object]


def reported(engine: Engine, style: TimeStyle, asked: Mapping[str, str]) -> Iterator[Reported]:
    """Takes out what was found by plain rules since the last call. `asked`: of each rule, an attribute `x.name`."""
    if engine.has_interplay or not engine.network.moments.count:
        return
    import numpy as np

    clocks = np.frombuffer(engine.network.moments.clock, np.int64)
    for firing in engine.network.firings:
        if firing.used and _is_plain(firing):
            rows = np.frombuffer(firing.matches, np.int64, int(firing.used)).reshape(-1, int(firing.stride))
            if (rows[:, int(HEAD) :] < int(FIRST_BELL)).all():
                yield from _of_firing(np, firing, rows, clocks, engine.network.store, style, asked)
                firing.used = 0


def _is_plain(firing: Firing) -> bool:
    told = all(not rule.select and rule.notify is None and not rule.actions for rule in firing.rules)
    return told and all(_leaves(tree) is not None for tree in firing.trees)


def _of_firing(
    np: Any, firing: Firing, rows: Any, clocks: Any, store: Store, style: TimeStyle, asked: Mapping[str, str]
) -> Iterator[Reported]:
    """Rows with the same branch and selection are of the same rules, and of the same shape."""
    heads = rows[:, 1]
    for head in np.unique(heads).tolist():
        chosen = heads == head
        rules = [rule for rule in firing.rules_at(int(chosen.argmax()) * int(firing.stride)) if not rule.hidden]
        if rules:
            shape = _Shape(np, firing.trees[head % int(MOST_BRANCHES)], rows[chosen], store, style)
            detected = clocks[rows[chosen, 0]].tolist()
            for rule in rules:
                yield shape.told(rule, detected, asked.get(rule.name))


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
        case Where(pattern=inner) | Within(pattern=inner):
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

    def __init__(self, np: Any, tree: Pattern, rows: Any, store: Store, style: TimeStyle) -> None:
        leaves = _leaves(tree)
        assert leaves is not None
        self._leaves = sorted(leaves, key=lambda leaf: leaf.name)
        columns = [np.ascontiguousarray(rows[:, int(HEAD) + leaf.register]) for leaf in self._leaves]
        self._events = _Events(np, columns, store, style)
        places = {leaf.register: place for place, leaf in enumerate(self._leaves)}
        starts, ends = span_of(np, tree, lambda register: self._events.spans(places[register]))
        self._starts, self._times = starts.tolist(), ends.tolist()
        closed = _is_closed(tree)
        self._ticks = [f"[{due}]" for due in self._times] if closed else ["[]"] * len(rows)
        self._order = _ascending([self._events.spans(place)[1] for place in range(len(columns))])
        self._listed, self._keys = self._by_time()
        named = [(place, leaf.name) for place, leaf in enumerate(self._leaves) if leaf.name]
        bound = [self._events.bindings(name, place) for place, name in named]
        self._bound = _joined(",", bound, len(rows))
        self._data = _joined(", ", [self._events.texts(name, place) for place, name in named], len(rows))

    def told(self, rule: Rule, detected: list[int], asked: str | None) -> Reported:
        """What a rule reports of the rows."""
        head = json.dumps([rule.name, rule.name, 0], separators=(",", ":"))[:-1]
        together = zip(self._starts, self._times, self._keys, self._ticks, self._bound, strict=True)
        ids = [_hashed(f"{head},{start},{end},[{key}],{dues},[{bound}]]") for start, end, key, dues, bound in together]
        data = ["{" + text + "}" for text in self._data]
        return Reported(
            rule.name, ids, self._starts, self._times, detected, self._listed, data, self._values(asked or "")
        )

    def _values(self, asked: str) -> list[object]:
        """The values of an attribute `x.name`."""
        for place, leaf in enumerate(self._leaves):
            if leaf.name and asked.startswith(f"{leaf.name}."):
                return self._events.values(asked.removeprefix(f"{leaf.name}."), place)
        return [None] * len(self._listed)

    def _by_time(self) -> tuple[list[list[str]], list[str]]:
        """The ids of the events by time, and the events as an id of a detection has them."""
        events = self._events
        if self._order is not None:
            names = [events.names(place) for place in self._order]
            keys = [events.keys(place) for place in self._order]
            return [list(one) for one in zip(*names, strict=True)], [",".join(one) for one in zip(*keys, strict=True)]
        together = list(zip(*events.places, strict=True))
        names_of, keys_of = events.sorted_by_place, events.sorted_by_key
        return [names_of(row) for row in together], [keys_of(row) for row in together]


def _joined(between: str, columns: list[list[str]], count: int) -> list[str]:
    """Texts side by side; those that are empty are left out."""
    return [between.join(filter(None, texts)) for texts in zip(*columns, strict=True)] if columns else [""] * count


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

    def __init__(self, np: Any, columns: list[Any], store: Store, style: TimeStyle) -> None:
        numbers, inverse = np.unique(np.concatenate(columns), return_inverse=True)
        size = len(columns[0])
        self._inverse = [inverse[start : start + size] for start in range(0, len(inverse), size)]
        self.places = [places.tolist() for places in self._inverse]
        self._style = style
        self._ids: list[str] = []
        self._own: list[tuple[int, str, str]] = []
        self._data: list[dict[str, object]] = []
        starts: list[int] = []
        firsts = [int(batch.first) for batch in store.batches]
        places = numbers // int(SPREAD)
        at = np.searchsorted(firsts, places, side="right") - 1
        for index in np.unique(at).tolist():
            chosen = at == index
            if index < 0:  # from before a restart
                starts += self._take([store.event(number) for number in numbers[chosen].tolist()])
            else:
                starts += self._read(store.batches[index], (places[chosen] - firsts[index]).tolist())
        self._keys = [f"[{end},{quoted(source)},{quoted(name)}]" for end, source, name in self._own]
        self._ends, self._starts = np.array([end for end, _, _ in self._own]), np.array(starts)

    def _read(self, batch: Batch, places: list[int]) -> list[int]:
        """Takes events of one batch in; their starts."""
        if batch.events is not None:
            return self._take([batch.event(place) for place in places])
        ends, starts = memoryview(batch.ends).cast("q"), memoryview(batch.starts).cast("q")
        for place in places:
            name, source = batch.ids.value(place), batch.sources.value(place)
            identity = str(int(batch.first) + place) if name is MISSING else str(name)
            self._ids.append(identity)
            self._own.append((ends[place], "" if source is MISSING else str(source), identity))
        values = list(batch.columns.items())
        self._data += [
            {key: value for key, column in values if (value := column.value(place)) is not MISSING} for place in places
        ]
        return [starts[place] for place in places]

    def _take(self, events: list[Event]) -> list[int]:
        self._ids += [event.id for event in events]
        self._own += [(event.end, event.source, event.id) for event in events]
        self._data += [dict(event.data) for event in events]
        return [event.start for event in events]

    def spans(self, column: int) -> tuple[Any, Any]:
        """Starts and ends."""
        return self._starts[self._inverse[column]], self._ends[self._inverse[column]]

    def names(self, column: int) -> list[str]:
        ids = self._ids
        return [ids[place] for place in self.places[column]]

    def keys(self, column: int) -> list[str]:
        keys = self._keys
        return [keys[place] for place in self.places[column]]

    def values(self, attribute: str, column: int) -> list[object]:
        data = self._data
        return [data[place].get(attribute) for place in self.places[column]]

    def sorted_by_place(self, row: tuple[int, ...]) -> list[str]:
        # The events are in the order of their numbers, and that is the order of arrival.
        return [self._ids[place] for place in sorted(set(row), key=lambda place: (self._own[place][0], place))]

    def sorted_by_key(self, row: tuple[int, ...]) -> str:
        return ",".join([self._keys[place] for place in sorted(set(row), key=self._own.__getitem__)])

    def bindings(self, name: str, column: int) -> list[str]:
        """What a variable stands for, as an id has it."""
        head = quoted(name)
        made: dict[int, str] = {}
        for place in dict.fromkeys(self.places[column]):
            _, source, one = self._own[place]
            made[place] = f"[{head},[[{quoted(source)},{quoted(one)}]]]"
        return [made[place] for place in self.places[column]]

    def texts(self, name: str, column: int) -> list[str]:
        """The attributes of a variable, as JSON."""
        names: dict[str, str] = {}
        made: dict[int, str] = {}
        for place in dict.fromkeys(self.places[column]):
            data = self._data[place]
            for key in data:
                if key not in names:
                    names[key] = to_json(f"{name}.{key}")
            made[place] = ", ".join([f"{names[key]}: {self._text(value)}" for key, value in data.items()])
        return [made[place] for place in self.places[column]]

    def _text(self, value: object) -> str:
        if type(value) is int:
            return str(value)
        if type(value) is float and value - value == 0.0:
            return repr(value)
        return to_json(value if type(value) in _EXACT else timely(value, self._style))


def _hashed(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:24]
