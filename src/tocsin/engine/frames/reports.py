"""Detections as columns of Arrow, without making an event: for rules that only report what they found.

What `detection_of` makes of one occurrence is made here of all rows that have the same shape: texts of each event
once, however many detections it is part of, and those of detections by joining columns. The same ids and the same
data: tests hold the two together. What is not plain (time events, repeated variables, rules with data or texts of
their own) is left for `Engine.drain`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import pairwise
from json.encoder import encode_basestring_ascii as quoted
from typing import Any, Final, NamedTuple

from tocsin.algebra.firings import shown_text
from tocsin.algebra.guards import Attribute, Guard
from tocsin.algebra.patterns import Absence, Automaton, Both, Named, Pattern, Sequence, Where, Within
from tocsin.algebra.rules import Rule
from tocsin.algebra.templates import pieces_of
from tocsin.engine.engine import Engine
from tocsin.engine.frames.members import Members
from tocsin.engine.frames.positions import span_of
from tocsin.engine.frames.rows import reporting
from tocsin.engine.frames.texts import Told, json_told, key_text
from tocsin.engine.network.batch import Store
from tocsin.engine.network.firings import HEAD, MOST_BRANCHES, Firing
from tocsin.engine.network.network import FIRST_BELL
from tocsin.formats.instants import TimeStyle
from tocsin.formats.writers import to_json
from tocsin.plan.searches import Chosen, Closed, Opened, Slot
from tocsin.planner.placement import KEY

_MOST_ROWS: Final = 131_072
"""Detections that are made into columns at a time: their texts take memory."""

Rows = tuple[Rule, Any]
"""A rule, and the places of the rows that it tells, as an array of NumPy."""


class Reported:
    """Detections as columns of Arrow. Each is made when it is asked for, until the next are taken out.

    `keys` are texts of the attribute that was asked for. `identities` are the texts that ids are hashes of (`hashed`).
    To hash takes as long as all the rest, and not everyone asks for ids.
    """

    def __init__(self, count: int, column: Callable[[str], Any]) -> None:
        self.count, self._column = count, column
        self._known: dict[str, Any] = {}

    def column(self, name: str) -> Any:
        """One of the columns below, by its name."""
        if name not in self._known:
            self._known[name] = self._column(name)
        return self._known[name]

    @property
    def rules(self) -> Any:
        return self.column("rules")

    @property
    def identities(self) -> Any:
        return self.column("identities")

    @property
    def starts(self) -> Any:
        return self.column("starts")

    @property
    def times(self) -> Any:
        return self.column("times")

    @property
    def detected(self) -> Any:
        return self.column("detected")

    @property
    def events(self) -> Any:
        return self.column("events")

    @property
    def data(self) -> Any:
        return self.column("data")

    @property
    def notifications(self) -> Any:
        return self.column("notifications")

    @property
    def keys(self) -> Any:
        return self.column("keys")

    def taken(self, places: Any) -> Reported:
        """Those at some places, which are an array of NumPy."""
        return Reported(len(places), lambda name: self.column(name).take(places))


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
    said = any(rule.suppress is not None or rule.severity is not None or rule.tags for rule in firing.rules)
    if said or any(rule.actions for rule in firing.rules):
        return False
    for leaves in map(_leaves, firing.trees):
        if leaves is None:
            return False
        names = {leaf.name for leaf in leaves if leaf.name}
        if not all(_is_read_off(guard, names) for rule in firing.rules for guard in _shown(rule)):
            return False
    return True


def _shown(rule: Rule) -> list[Guard]:
    """What a rule tells of its own."""
    return [guard for _, guard in rule.select] + [piece for piece in pieces_of(rule) if not isinstance(piece, str)]


def _is_read_off(guard: Guard, names: set[str]) -> bool:
    """Whether it is an attribute of a single event, which stands in a column: nothing is to be worked out."""
    return isinstance(guard, Attribute) and guard.variable in names and guard.name.isidentifier()


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

        self._np, self._pa, self._pc, self._count, self._style = np, pa, pc, len(rows), style
        leaves = _leaves(tree)
        assert leaves is not None
        self._leaves = sorted(leaves, key=lambda leaf: leaf.name)
        columns = [np.ascontiguousarray(rows[:, int(HEAD) + leaf.register]) for leaf in self._leaves]
        self._events = Members(np, pa, columns, store, style)
        self._is_automaton, self._is_closed = is_automaton, _is_closed(tree)
        places = {leaf.register: place for place, leaf in enumerate(self._leaves)}
        starts, ends = span_of(np, tree, lambda register: self._events.spans(places[register]))
        self._starts, self._times, self._detected = (pa.array(each, pa.int64()) for each in (starts, ends, detected))

    def told(self, members: list[Rows], asked: Mapping[str, str]) -> Reported:
        """What rules report, each of the rows at some places."""
        np = self._np
        is_all = len(members) == 1 and len(members[0][1]) == self._count
        places = None if is_all else self._pa.array(np.concatenate([places for _, places in members]))
        counts = [len(places) for _, places in members]

        def of_rules(texts: list[str]) -> Any:
            return self._pa.array(texts, self._pa.string()).take(
                self._pa.array(np.repeat(np.arange(len(texts)), counts))
            )

        def of_rows(column: Any) -> Any:
            return column if places is None else column.take(places)

        def of_each(column: Callable[[Rule], Any]) -> Any:
            if is_all:
                return column(members[0][0])
            return self._pa.concat_arrays([column(rule).take(self._pa.array(places)) for rule, places in members])

        def column(name: str) -> Any:
            match name:
                case "rules":
                    return of_rules([rule.name for rule, _ in members])
                case "identities":
                    # An id is the hash of a text that begins with the rule; the rest is the same for all rules.
                    heads = [json.dumps([rule.name, rule.name, 0], separators=(",", ":"))[:-1] for rule, _ in members]
                    return self._joined(of_rules(heads), of_rows(self._rest))
                case "starts" | "times" | "detected":
                    return of_rows(getattr(self, f"_{name}"))
                case "events":
                    return of_rows(self._by_time[0])
                case "data" if not any(rule.select for rule, _ in members):
                    return of_rows(self._data)
                case "data":
                    return of_each(self._data_of)
                case "notifications":
                    return of_each(self._notifications_of)
            return of_each(lambda rule: self._keys_of(rule, asked.get(rule.name, "")))

        return Reported(sum(counts), column)

    def _joined(self, *parts: Any) -> Any:
        """Texts side by side: columns, and what is the same in all rows."""
        return self._pc.binary_join_element_wise(*parts, "")

    @cached_property
    def _rest(self) -> Any:
        """What the identities of all rules have after the rule."""
        times = self._times.cast("string")
        ticks = self._joined("[", times, "]") if self._is_closed else "[]"
        starts, keys = self._starts.cast("string"), self._by_time[1]
        return self._joined(",", starts, ",", times, ",[", keys, "],", ticks, ",[", *self._bindings(), "]]")

    @cached_property
    def _data(self) -> Any:
        return self._joined("{", self._pc.utf8_rtrim(self._texts(), ", "), "}")

    def _data_of(self, rule: Rule) -> Any:
        """What a rule selects, or all there is."""
        if not rule.select:
            return self._data
        parts: list[Any] = []
        for name, guard in rule.select:
            assert isinstance(guard, Attribute)
            if name != KEY:
                head = f"{', ' if parts else ''}{to_json(name)}: "
                parts += [head, self._pc.fill_null(self._of_leaf(guard, json_told(self._style)), "null")]
        return self._joined("{", *parts, "}") if parts else self._repeated("{}")

    def _notifications_of(self, rule: Rule) -> Any:
        """What a rule notifies, with its holes filled."""
        if rule.notify is None:
            return self._pa.nulls(self._count, self._pa.string())
        parts: list[Any] = [""]
        for piece in pieces_of(rule):
            if isinstance(piece, Attribute):
                parts.append(self._pc.fill_null(self._of_leaf(piece, shown_text), ""))
            else:
                parts.append(piece)
        return (
            self._joined(*parts) if any(not isinstance(part, str) for part in parts) else self._repeated("".join(parts))
        )

    def _repeated(self, text: str) -> Any:
        return self._pa.array([text] * self._count, self._pa.string())

    def _of_leaf(self, guard: Attribute, told: Told) -> Any:
        """The values of an attribute as texts, each as it is told."""
        place = next(place for place, leaf in enumerate(self._leaves) if leaf.name == guard.variable)
        return self._events.values(guard.name, place, told)

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

    def _keys_of(self, rule: Rule, asked: str) -> Any:
        """The values of an attribute `x.name`, or of what a rule that selects its data has for a key, as texts."""
        for name, guard in rule.select:
            if name == asked and isinstance(guard, Attribute):
                asked = f"{guard.variable}.{guard.name}"
        for place, leaf in enumerate(self._leaves):
            if leaf.name and asked.startswith(f"{leaf.name}."):
                return self._events.values(asked.removeprefix(f"{leaf.name}."), place, key_text)
        return self._pa.nulls(self._count, self._pa.string())

    @cached_property
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


def hashed(identity: str) -> str:
    """The id of a detection."""
    return hashlib.sha256(identity.encode()).hexdigest()[:24]


def hashed_of_many(identities: Any) -> list[str]:
    """The ids of detections, of a column of texts of Arrow: it has them as bytes."""
    sha256 = hashlib.sha256
    return [sha256(identity).hexdigest()[:24] for identity in identities.cast("binary").to_pylist()]
