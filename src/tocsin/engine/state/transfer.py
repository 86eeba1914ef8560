"""Rules that move from one engine to another, with what they remember.

    parcel = take_out(engine, {"r"})                  the engine goes on without the rule
    other = merged(other, program_with_r, parcel)     ... and another with it, where it was

A parcel is a snapshot of some rules: theirs and the events that they hold. A new engine may also `restore` it. Engines
that rules move between stand at the same moment and are given the same events, as far as rules of both want them; how
each of them counts events is its own affair. What both hold is one event afterwards, so that rules share it again.

Rules that make, see or switch anything of each other's move together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

from tocsin.algebra.event_records import event_record
from tocsin.algebra.links import tied
from tocsin.algebra.rules import Command, Define, Program, Remove, Statement
from tocsin.engine.engine import Engine
from tocsin.engine.network.network import FIRST_BELL
from tocsin.engine.network.numbers import SPREAD
from tocsin.engine.state.blocks import events_of
from tocsin.engine.state.snapshot import VERSION, opened, packed, put_back, state_of
from tocsin.errors import SnapshotError

State = dict[str, Any]
"""A state as a snapshot holds it."""


def part_of(engine: Engine, rules: Iterable[str]) -> bytes:
    """The state of some rules, to be given to `merged` or `restore`. The engine has them still."""
    return packed(state_of(engine, _movable(engine, rules)))


def take_out(engine: Engine, rules: Iterable[str]) -> bytes:
    """The state of some rules; from now on the engine runs without them."""
    moving = _movable(engine, rules)
    state = state_of(engine, moving)
    for record in state["rules"]:
        if "refused" in record:
            record["refused"] = 0  # what was refused so far is counted where it was
    kept = tuple([each for each in engine.program.statements if not _is_about(each, moving)])
    engine.change(Program(kept))
    for name in moving:
        engine.suppression.forget(name)
    return packed(state)


def merged(engine: Engine, program: Program, parcel: bytes) -> Engine:
    """An engine that goes on with what `engine` runs and with the rules of a parcel; `engine` is done.

    `program` has the rules of both. As with `restore`, one that is not what it was starts empty.
    """
    version, added = opened(parcel)
    if version != VERSION:
        raise SnapshotError(f"rules move with a snapshot of version {VERSION}, and this one has {version}")
    state = state_of(engine)
    twice = {each["name"] for each in state["rules"]} & {each["name"] for each in added["rules"]}
    if twice:
        raise SnapshotError(f"rule '{min(twice)}' is there already: a rule runs in one engine")
    settings = engine.settings
    plain, notes = frozenset(settings.plain), engine.notes
    other = Engine(program, settings.granularity, notes, engine.budgets, settings.is_live, plain)
    _refuse_apart(other, [*state["rules"], *added["rules"]])
    engine.count_values()
    made = engine.drain()
    put_back(other, _joined(state, added))
    other.witness = engine.witness
    other.interpreter.made = made
    return other


def _refuse_apart(engine: Engine, records: list[dict[str, Any]]) -> None:
    """What a rule remembers in the network is of no use to one that runs beside it."""
    in_network = {record["name"] for record in records if "since" in record}
    for rule in engine.program.rules:
        if rule.name in in_network and (reason := engine.why_apart(rule)):
            raise SnapshotError(f"rule '{rule.name}' cannot move here, where it runs beside the network: {reason}")


def _movable(engine: Engine, rules: Iterable[str]) -> frozenset[str]:
    """The names of rules that can move: they are there, and nothing that stays is tied to them."""
    names = frozenset(rules)
    known = {rule.name: rule for rule in engine.program.rules}
    for name in sorted(names):
        if name not in known:
            raise SnapshotError(f"there is no rule '{name}' to be moved")
        for other, rule in known.items():
            if other not in names and tied(known[name], rule):
                raise SnapshotError(f"rule '{name}' cannot move without rule '{other}': one makes what the other sees")
    return names


def _is_about(statement: Statement, names: frozenset[str]) -> bool:
    """Whether a statement is about one of some rules alone."""
    match statement:
        case Define(rule=rule):
            return rule.name in names
        case Command(action=action):
            return action.rule in names
        case Remove(name=name, rule=True):
            return name in names
    return False


# -- two states as one -----------------------------------------------------------------------------------------------


def _joined(state: State, added: State) -> State:
    """Two states as one: events are counted anew, in the order in which they came."""
    if state["now"] is None or added["now"] is None:
        return added if state["now"] is None else state
    ours, theirs = _Side(state), _Side(added)
    order = _in_order(ours, theirs)
    following = max(state["next"], added["next"], len(order) + 1)
    numbers = [(following - len(order) + place) * int(SPREAD) for place in range(len(order))]
    ours.count([(mine, number) for (mine, _), number in zip(order, numbers, strict=True)], following)
    theirs.count([(its, number) for (_, its), number in zip(order, numbers, strict=True)], following)
    theirs.bells = state["rung"]
    latest = [each["latest"] for each in (state, added) if each["latest"] is not None]
    # Where both hold an event it is ours: rules that are made of one event must not have two.
    table = [ours.record(index) for index in range(len(ours.table))]
    places = theirs.places_after(table, {id(its): mine for mine, its in order if mine and its})
    return {
        **state,
        "now": max(state["now"], added["now"]),
        "clock": max(state["clock"], added["clock"]),
        "number": (following - 1) * int(SPREAD),
        "next": following,
        "latest": max(latest, default=None),
        "points": {**state["points"], **added["points"]},
        "rung": state["rung"] + added["rung"],
        "rules": [*map(ours.rule, state["rules"]), *(theirs.rule(each, places) for each in added["rules"])],
        "told": {**state["told"], **added["told"]},
        "blocks": [],
        "held": _held(ours, theirs, places),
        "first": _first(ours, theirs),
        "events": table,
    }


class Counted:
    """An event of one side: how it is counted there, and where it stands in the table."""

    def __init__(self, number: int, index: int, record: dict[str, Any]) -> None:
        self.number, self.index, self.record = number, index, record

    @property
    def key(self) -> tuple[object, ...]:
        """What tells it from others, whoever counts it."""
        record = self.record
        told = [record[name] for name in ("type", "id", "source", "end", "start", "arrival", "maker")]
        return (*told, record.get("composite", False))


class _Side:
    """One of two states: its events in order, and how they are counted afterwards."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.table: list[dict[str, Any]] = [*state["events"]]
        self.held: list[tuple[int, int]] = [(number, index) for number, index in state["held"]]
        for block in state.get("blocks", ()):
            for number, event in events_of(block):
                self.held.append((number, len(self.table)))
                self.table.append(event_record(event, []))
        self.events = self._counted()
        self.bells = 0
        self._numbers: dict[int, int] = {}
        self._last = 0

    def _counted(self) -> list[Counted]:
        """Its events, each once, in the order in which they were taken up."""
        found: dict[int, Counted] = {}
        for number, index in [*self.held, *((each["number"], at) for at, each in enumerate(self.table))]:
            found.setdefault(number, Counted(number, index, self.table[index]))
        return sorted(found.values(), key=lambda each: each.number)

    def count(self, counted: list[tuple[Counted | None, int]], following: int) -> None:
        """Notes what its events are counted as from now on."""
        self._numbers = {each.number: number for each, number in counted if each is not None}
        self._last = (following - 1) * int(SPREAD)

    def number(self, number: int) -> int:
        """What an event, or a clock that has rung, is counted as; -1 for what is not held any more."""
        if number > int(FIRST_BELL):
            return number + self.bells
        return self._numbers.get(number, -1)

    def since(self, number: int) -> int:
        """From which event on a rule sees them, that saw them from there on: the first that is held since then."""
        return min((new for old, new in self._numbers.items() if old >= number), default=self._last + 1)

    def record(self, index: int, places: dict[int, int] | None = None) -> dict[str, Any]:
        """An event as the table has it afterwards."""
        record = self.table[index]
        parts = [part if places is None else places[part] for part in record["events"]]
        return {**record, "number": self._numbers.get(record["number"], record["number"]), "events": parts}

    def places_after(self, table: list[dict[str, Any]], known: dict[int, Counted]) -> dict[int, int]:
        """Adds its events to a table, but for those that are `known` there. Where each is afterwards."""
        ours = {each.index: known[id(each)].index for each in self.events if id(each) in known}
        places: dict[int, int] = {}
        for index in range(len(self.table)):  # what an event is made of comes before it
            if index in ours:
                places[index] = ours[index]
            else:
                places[index] = len(table)
                table.append(self.record(index, places))
        return places

    def rule(self, record: dict[str, Any], places: dict[int, int] | None = None) -> dict[str, Any]:
        """What is kept of a rule, with its events counted anew."""
        made = dict(record)
        if "since" in record:
            made["since"] = self.since(record["since"])
            made["unused"] = {key: [self.number(each) for each in some] for key, some in record["unused"].items()}
            made["waits"] = {
                key: [[due, start, *map(self.number, numbers)] for due, start, *numbers in some]
                for key, some in record["waits"].items()
            }
            made["bells"] = [
                [*told, [[self.number(number), time] for number, time in rung]] for *told, rung in record["bells"]
            ]
            made["nodes"] = {key: _waiting(some, self.number) for key, some in record["nodes"].items()}
        if "measured" in record:
            made["measured"] = {
                key: [[self.number(number), flag] for number, flag in some] for key, some in record["measured"].items()
            }
        if "own" in record:
            made["own"] = {kind: [self.number(each) for each in some] for kind, some in record["own"].items()}
        if "memory" in record and places is not None:
            made["memory"] = {**record["memory"], "memory": _recalled(record["memory"]["memory"], places)}
        return made


def _waiting(some: list[list[int]], number: Callable[[int], int]) -> list[list[int]]:
    return [[number(each) for each in numbers] for numbers in some]


def _recalled(memory: Any, places: dict[int, int]) -> Any:
    """A memory whose events stand elsewhere in the table."""
    match memory:
        case ["e", int() as index]:
            return ["e", places[index]]
        case [str(), *_]:
            return [_recalled(each, places) for each in memory]
    return memory


def _in_order(ours: _Side, theirs: _Side) -> list[tuple[Counted | None, Counted | None]]:
    """The events of both sides in the order in which they came: what both hold is one.

    Of several that look alike the last of both sides are the same: what is forgotten is the oldest.
    """
    last: dict[tuple[object, ...], list[Counted]] = {}
    for each in ours.events:
        last.setdefault(each.key, []).append(each)
    pairs = [(found.pop(), its) for its in reversed(theirs.events) if (found := last.get(its.key))]
    pairs.reverse()
    if any(one.number >= other.number for (one, _), (other, _) in pairwise(pairs)):
        raise SnapshotError("the two engines were not given the same events in one order")
    merged_: list[tuple[Counted | None, Counted | None]] = []
    mine, its = 0, 0
    for one, other in [*pairs, (None, None)]:
        until = len(ours.events) if one is None else ours.events.index(one)
        end = len(theirs.events) if other is None else theirs.events.index(other)
        merged_ += _between(ours.events[mine:until], theirs.events[its:end])
        if one is not None:
            merged_.append((one, other))
        mine, its = until + 1, end + 1
    return merged_


def _between(ours: list[Counted], theirs: list[Counted]) -> list[tuple[Counted | None, Counted | None]]:
    """Events of one side and events of the other, by when they arrived."""
    found: list[tuple[int, int, tuple[Counted | None, Counted | None]]] = []
    for side, events in enumerate((ours, theirs)):
        clock = -int(FIRST_BELL)
        for each in events:
            clock = max(clock, each.record["arrival"])  # no event comes before one that was there
            found.append((clock, side, (each, None) if side == 0 else (None, each)))
    found.sort(key=lambda each: each[:2])
    return [pair for _, _, pair in found]


def _held(ours: _Side, theirs: _Side, places: dict[int, int]) -> list[list[int]]:
    """The events that are held afterwards, each once, in order."""
    found = {ours.number(number): index for number, index in ours.held}
    for number, index in theirs.held:
        found.setdefault(theirs.number(number), places[index])
    return [[number, index] for number, index in sorted(found.items())]


def _first(ours: _Side, theirs: _Side) -> dict[str, int | None]:
    """Of each type the first event that is held."""
    found: dict[str, int | None] = {}
    for side in (ours, theirs):
        for kind, first in side.state["first"].items():
            number = None if first is None else side.number(first)
            known = found.get(kind)
            found[kind] = number if known is None else known if number is None else min(known, number)
    return found
