"""An engine's state as bytes, and back: at any point of any stream, compiled or not, across changes of the rules.

What is kept is what was seen, not how it is stored: the events that are still held, by number, and for each rule (by
its name and the hash of what it looks for) since when it sees events, which of them it has not used up, and which
moments it waits for. Of rules beside the network it is what they remember (`algebra/memories.py`). A rule
that is the same after the restart goes on where it was; one that is new or has changed starts empty. Rules that share
what they remember do so again.

The bytes are a line that names the format and its version, a checksum, and compressed JSON: nothing in them is run.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from typing import Any, Final

from mypy_extensions import i64

from tocsin.algebra.detectors import time_leaves
from tocsin.algebra.event_records import event_record, recorded_event
from tocsin.algebra.memories import Recaller, Recorder
from tocsin.algebra.occurrence import TIMER
from tocsin.algebra.order import order_text
from tocsin.algebra.patterns import Pattern
from tocsin.algebra.rules import BEST_EFFORT, Rule
from tocsin.engine.detectors.shared import Shared
from tocsin.engine.engine import Engine
from tocsin.engine.network.agenda import Waiting
from tocsin.engine.network.alarms import Alarms
from tocsin.engine.network.allowance import Allowance
from tocsin.engine.network.arena import Arena, Chain
from tocsin.engine.network.firings import Firing
from tocsin.engine.network.gates import Bell, Gate
from tocsin.engine.network.slots import NIL
from tocsin.engine.network.vectors import FAR
from tocsin.engine.rule_set import Native
from tocsin.engine.state.blocks import blocks_of, events_of
from tocsin.engine.state.keys import FORMER_KEYS, KEYS, Keys
from tocsin.errors import SnapshotError
from tocsin.events import Event

MAGIC: Final = b"tocsin snapshot "
VERSION: Final = 4
READ: Final = ("1", "2", "3", "4")
"""The versions that can be read. The first has no blocks of events; in the first two each rule remembers for itself;
those before the fourth know rules, and what they wait for, by the texts that Python prints."""
ORDER: Final = order_text(BEST_EFFORT)
"""The order of a snapshot that names none: nothing is held."""


def snapshot(engine: Engine, order: str = ORDER, held: dict[str, Any] | None = None) -> bytes:
    """The state of an engine, to be given to `restore`; with what an order of arrival in front of it holds."""
    state = state_of(engine)
    if held is not None:
        state |= {"order": order, "order state": held}
    return packed(state)


def state_of(engine: Engine, rules: frozenset[str] | None = None) -> dict[str, Any]:
    """The state of an engine as plain JSON values; of some rules alone, if they are named."""
    engine.build()
    return _Saving(engine, rules).state()


def packed(state: dict[str, Any]) -> bytes:
    """A state as bytes."""
    text = json.dumps(state, ensure_ascii=False, separators=(",", ":")).encode()
    body = zlib.compress(text, 1)
    return MAGIC + str(VERSION).encode() + b"\n" + hashlib.sha256(body).digest() + body


def restore(engine: Engine, data: bytes, order: str = ORDER) -> dict[str, Any] | None:
    """Puts an engine that has seen nothing yet into a saved state. Gives what the order in front of it held, if any."""
    version, state = opened(data)
    saved = state.get("order", ORDER)
    if saved != order:
        raise SnapshotError(f"the snapshot was made under the order '{saved}', and this is '{order}'")
    if engine.now is not None:
        raise SnapshotError("the engine has seen events already: restore into a new one")
    put_back(engine, state, version)
    held = state.get("order state")
    assert held is None or isinstance(held, dict)
    return held


def put_back(engine: Engine, state: dict[str, Any], version: int = VERSION) -> None:
    """Puts an engine that has seen nothing yet into a state."""
    try:
        _Restoring(engine, state, KEYS if version >= 4 else FORMER_KEYS).restore()
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise SnapshotError(f"the snapshot is not one of this program's: {type(error).__name__}: {error}") from error


def opened(data: bytes) -> tuple[int, dict[str, Any]]:
    """The version of a snapshot, and what is in it."""
    line, _, rest = bytes(data).partition(b"\n")
    if not line.startswith(MAGIC):
        raise SnapshotError("this is no snapshot of Tocsin's")
    version = line[len(MAGIC) :].decode("ascii", "replace")
    if version not in READ:
        raise SnapshotError(f"the snapshot has version {version}; this program reads {' and '.join(READ)}")
    check, body = rest[:32], rest[32:]
    if hashlib.sha256(body).digest() != check:
        raise SnapshotError("the snapshot is damaged: its checksum is wrong")
    state = json.loads(zlib.decompress(body))
    assert isinstance(state, dict)
    return int(version), state


# -- saving -----------------------------------------------------------------------------------------------------


class _Saving:
    """Writes down the state of an engine, or of `some` of its rules: theirs, and the events that they hold."""

    def __init__(self, engine: Engine, some: frozenset[str] | None) -> None:
        self.engine, self.network, self.some = engine, engine.network, some
        gates = self.network.event_gates()
        self.gates = [gate for gate in gates if some is None or any(map(self._is_asked_of, gate.wanting))]
        self.table: list[dict[str, object]] = []
        self.indexes: dict[int, int] = {}

    def state(self) -> dict[str, object]:
        network, engine = self.network, self.engine
        held = sorted(
            {int(gate.arena.numbers[row & gate.arena.mask]) for gate in self.gates for row in _rows(gate.arena)}
        )
        # An event that others are made of must stay one: where there may be such, each is written by itself.
        blocks, others = ([], held) if engine.has_interplay else blocks_of(held, network.store)
        return {
            "now": engine.now,
            "clock": engine.interpreter.clock,
            "lag": engine.interpreter.lag,
            "number": engine.last_number,
            "next": int(network.store.next),
            "latest": None if network.latest == -FAR else int(network.latest),
            "raised": engine.interpreter.raised,
            "points": self._points(),
            "rung": int(network.bells_rung),
            "arrivals": engine.notes.arrivals,
            "stopped": engine.interpreter.has_stopped,
            "rules": [self._rule(rule) for rule in engine.interpreter.rules.values() if self._is_asked(rule.name)],
            "told": {name: told for name, told in engine.suppression.state().items() if self._is_asked(name)},
            "blocks": blocks,
            "held": [[number, self._event(network.store.event(number))] for number in others],
            "first": {gate.arena.name: _first(gate.arena) for gate in self.gates if gate.firing is None},
            "over": None if network.total is None else [network.total.refused, network.total.dropped],
            "events": self.table,
        }

    def _points(self) -> dict[str, list[str]]:
        rung = [(name, points) for name, points in self.engine.rung.items() if self._is_asked(name)]
        return {name: [KEYS.clock(one) for one in points] for name, points in rung}

    def _is_asked(self, name: str) -> bool:
        return self.some is None or name in self.some

    def _is_asked_of(self, firing: Firing) -> bool:
        return self.some is None or any(rule.name in self.some for rule in firing.rules)

    def _rule(self, rule: Rule) -> dict[str, object]:
        native = self.engine.running.get(rule.name)
        record: dict[str, object] = {"name": rule.name, "key": KEYS.rule(rule), "enabled": native is not None}
        if isinstance(native, Native):
            assert native.firing is not None
            record |= self._firing(native.firing)
        elif isinstance(native, Shared) and (first := self._first_sharer(native)) is not native:
            record["shares"] = first.rule.name
        elif native is not None:
            record["memory"] = Recorder(rule.pattern, self._event).record(native.memory())
        return record

    def _first_sharer(self, one: Shared) -> Shared:
        """Who tells what is remembered together."""
        return next(each for each in one.common.sharers if self._is_asked(each.rule.name))

    def _firing(self, firing: Firing) -> dict[str, object]:
        builder, network = self.engine.builder, self.network
        chains = {KEYS.chain(key): chain for key, chain in builder.chains.items() if chain in firing.chains}
        waits = {KEYS.waiting(key): waiting for key, waiting in self.engine.builder.waitings[firing].items()}
        bells = [bell for bell in network.bells if bell.firing is firing]
        own = {} if firing.allowance is None else self._own(firing, firing.allowance)
        return own | {
            "since": int(firing.since),
            "enabled_at": int(firing.enabled_at),
            "refused": firing.refused,
            "unused": {key: _linked(chain) for key, chain in chains.items()},
            "waits": {key: _entries(waiting) for key, waiting in waits.items()},
            "nodes": self._nodes(firing),
            **({"measured": measured} if (measured := self._measured(firing)) else {}),
            "bells": [self._bell(bell) for bell in bells],
        }

    def _bell(self, bell: Bell) -> list[object]:
        alarm = bell.alarm
        return [KEYS.clock(alarm.pattern), alarm.since, alarm.next, alarm.periods, _rung(bell)]

    def _measured(self, firing: Firing) -> dict[str, list[list[int]]]:
        """What the aggregates of a rule have counted and told of, of what is held."""
        return {KEYS.gauge(name): one.notes() for name, one in self.engine.builder.gauges_of(firing).items()}

    def _nodes(self, firing: Firing) -> dict[str, list[list[int]]]:
        """What waits in the nodes of rules that remember more than events."""
        root = self.engine.builder.roots.get(firing)
        return {} if root is None else {KEYS.node(*part): waiting.numbers() for part, waiting in root.held()}

    def _own(self, firing: Firing, allowance: Allowance) -> dict[str, object]:
        """What a rule with a budget holds, and what that has cost."""
        arenas = [gate.arena for gate in self.network.own if gate.firing is firing]
        held = {arena.name: [int(arena.numbers[row & arena.mask]) for row in _rows(arena)] for arena in arenas}
        return {"own": held, "over": [allowance.refused, allowance.dropped]}

    def _event(self, event: Event) -> int:
        """The place of an event in the table; one that others are made of is there once."""
        found = self.indexes.get(id(event))
        if found is None:
            parts = [self._event(part) for part in event.events]
            found = self.indexes[id(event)] = len(self.table)
            self.table.append(event_record(event, parts))
        return found


def _rung(bell: Bell) -> list[list[int]]:
    """The time events that are still held: number and time."""
    arena = bell.gate.arena
    return [[int(arena.numbers[row & arena.mask]), int(arena.ends[row & arena.mask])] for row in _rows(arena)]


def _rows(arena: Arena) -> range:
    """The rows that are held."""
    return range(int(arena.head), int(arena.arrived))


def _first(arena: Arena) -> int | None:
    """The number of the first event that is held."""
    return int(arena.numbers[arena.head & arena.mask]) if arena.head < arena.arrived else None


def _linked(chain: Chain) -> list[int]:
    arena = chain.arena
    return [int(arena.numbers[row & arena.mask]) for row in _rows(arena) if chain.holds(row)]


def _entries(waiting: Waiting) -> list[list[int]]:
    if isinstance(waiting, Alarms):
        return waiting.pending()
    found = []
    for at in range(int(waiting.head), int(waiting.tail), int(waiting.width)):
        low: i64 = -FAR
        if waiting.is_alive(at, low):
            places = range(int(waiting.width) - 2)
            numbers = [int(waiting.number(place, waiting.entries[at + 2 + place])) for place in places]
            found.append([int(waiting.entries[at]), int(waiting.entries[at + 1]), *numbers])
    return found


# -- restoring --------------------------------------------------------------------------------------------------


class _Restoring:
    def __init__(self, engine: Engine, state: dict[str, Any], keys: Keys) -> None:
        self.engine, self.network, self.state, self.keys = engine, engine.network, state, keys
        self.events: list[Event] = []

    def restore(self) -> None:
        engine, network, state = self.engine, self.network, self.state
        if state["now"] is None:
            return
        saved = {record["name"]: record for record in state["rules"]}
        same = {
            rule.name
            for rule in engine.program.rules
            if rule.name in saved and saved[rule.name]["key"] == self.keys.rule(rule)
        }
        # What an earlier release kept by the detector of the plain meaning goes on with that.
        engine.keep_plain({name for name in same if "memory" in saved[saved[name].get("shares", name)]})
        enabled = {name for name in saved if saved[name]["enabled"]}
        engine.resume(state["now"], same & enabled, same, self._points(same))
        engine.interpreter.clock, engine.interpreter.lag, engine._number = state["clock"], state["lag"], state["number"]
        engine.interpreter.raised, engine.interpreter.has_stopped = state["raised"], state["stopped"]
        engine.suppression.restore(state.get("told", {}))
        engine.notes.arrivals = state["arrivals"]
        network.store.next = state["next"]
        network.bells_rung = state["rung"]
        network.latest = -FAR if state["latest"] is None else state["latest"]
        self._build(saved, same)
        self._read_events()
        self._recall(saved, same)
        unused = self._unused(saved)
        self._link(saved, unused)
        self._count(saved)
        self._ring(saved, unused)
        self._wait(saved)
        self._remember(saved)
        network.set_clock(state["now"], state["clock"])
        network.agenda.set(network.agenda.waitings)
        network.note_next()

    def _points(self, same: set[str]) -> dict[str, set[Pattern]]:
        """By rule: the time points that have occurred before it was enabled, of rules that are the same."""
        told, rules = self.state.get("points", {}), {rule.name: rule for rule in self.engine.program.rules}
        return {
            name: {leaf for leaf in time_leaves(rules[name].pattern) if self.keys.clock(leaf) in told[name]}
            for name in told
            if name in same
        }

    def _build(self, saved: dict[str, Any], same: set[str]) -> None:
        """Builds the rules that go on with what they had, then those that start now."""
        engine = self.engine
        kept = [native for native in engine.unbuilt if native.rule.name in same and saved[native.rule.name]["enabled"]]
        others = [native for native in engine.unbuilt if native not in kept]
        starts = dict.fromkeys((saved[n.rule.name]["since"], saved[n.rule.name]["enabled_at"]) for n in kept)
        for since, enabled_at in starts:
            chosen = [
                native
                for native in kept
                if (saved[native.rule.name]["since"], saved[native.rule.name]["enabled_at"]) == (since, enabled_at)
            ]
            engine.build_since(chosen, since, enabled_at)
        engine.build_since(others, engine._number + 1, self.state["now"])

    def _read_events(self) -> None:
        for record in self.state["events"]:
            parts = tuple(self.events[part] for part in record["events"])
            self.events.append(recorded_event(record, parts))

    def _recall(self, saved: dict[str, Any], same: set[str]) -> None:
        """Lets the rules beside the network go on with what they remembered."""
        together: dict[str, Shared] = {}
        for name in same:
            one, first = self.engine.running.get(name), saved[name].get("shares", name)
            if one is None or "memory" not in saved[first]:
                continue
            if isinstance(one, Shared) and first in together:
                one.leave()
                one.join(together[first].common)
                continue
            one.recall(Recaller(one.rule.pattern, self.events.__getitem__).recall(saved[first]["memory"]))
            if isinstance(one, Shared):
                together[first] = one

    def _link(self, saved: dict[str, Any], unused: dict[Chain, set[int]]) -> None:
        """Stores the events that are held, in order, and links them where they were."""
        network = self.network
        gates = network.event_gates()
        self._measure(saved)
        held_by = {gate: held for gate in gates if (held := self._held_by(gate, saved)) is not None}
        for number, event in self._held():
            network.store.make(event, number)
            for gate in network.doors(event.type, event.is_composite):
                if gate in held_by and number not in held_by[gate]:
                    continue
                row = gate.arena.add(event.end, event.start, number, event.type, event.source, dict(event.data))
                network.link_again(gate, row, unused)

    def _measure(self, saved: dict[str, Any]) -> None:
        """Lets the aggregates know what they had counted, before that is linked."""
        for firing in self.network.firings:
            record = saved.get(firing.rules[0].name, {}).get("measured", {})
            for name, one in self.engine.builder.gauges_of(firing).items():
                one.saved = dict(record.get(self.keys.gauge(name), ()))

    def _held(self) -> list[tuple[int, Event]]:
        """The events that are held, in order, with their numbers."""
        found = [(number, self.events[index]) for number, index in self.state["held"]]
        for block in self.state.get("blocks", ()):
            found += events_of(block)
        return sorted(found, key=lambda each: each[0])

    def _held_by(self, gate: Gate, saved: dict[str, Any]) -> range | frozenset[int] | None:
        """The numbers of the events that a gate held, if it had dropped or refused any."""
        if gate.firing is None:
            firsts = self.state.get("first", {})
            if gate.arena.name not in firsts:
                return None
            first = firsts[gate.arena.name]
            return range(0) if first is None else range(first, self.state["number"] + 1)
        own = saved.get(gate.firing.rules[0].name, {}).get("own", {}).get(gate.arena.name)
        return None if own is None else frozenset(own)

    def _count(self, saved: dict[str, Any]) -> None:
        """What budgets have cost so far."""
        rules = [(each.allowance, saved.get(each.rules[0].name, {}).get("over")) for each in self.network.firings]
        for allowance, over in [(self.network.total, self.state.get("over")), *rules]:
            if allowance is not None and over is not None:
                allowance.refused, allowance.dropped = over

    def _unused(self, saved: dict[str, Any]) -> dict[Chain, set[int]]:
        """For each chain whose rows are used up, those that are not."""
        found: dict[Chain, set[int]] = {}
        for key, chain in self.engine.builder.chains.items():
            for firing in self.network.firings:
                if chain in firing.chains:
                    record = saved.get(firing.rules[0].name, {})
                    found[chain] = set(record.get("unused", {}).get(self.keys.chain(key), ()))
        return found

    def _wait(self, saved: dict[str, Any]) -> None:
        for firing in self.network.firings:
            record = saved.get(firing.rules[0].name)
            if record is None or "waits" not in record:
                continue
            firing.refused = record["refused"]
            for key, waiting in self.engine.builder.waitings[firing].items():
                if isinstance(waiting, Alarms):
                    continue  # the branches that wait for them come later
                for due, start, *numbers in record["waits"].get(self.keys.waiting(key), ()):
                    rows = [int(arena.row_of(number)) for arena, number in zip(waiting.arenas, numbers, strict=True)]
                    if min(rows) >= 0:
                        waiting.put(due, start, rows)

    def _remember(self, saved: dict[str, Any]) -> None:
        """Lets wait what waited in nodes, each once, whoever shares it."""
        filled = set[int]()
        places: dict[tuple[int, tuple[int, ...]], int] = {}
        for firing, root in self.engine.builder.roots.items():
            record = saved.get(firing.rules[0].name, {})
            for part, waiting in root.held():
                if id(waiting) not in filled:
                    filled.add(id(waiting))
                    for numbers in record.get("nodes", {}).get(self.keys.node(*part), ()):
                        places[id(waiting), tuple(numbers)] = waiting.put_back(numbers)
            for key, alarms in self.engine.builder.waitings[firing].items():
                if isinstance(alarms, Alarms):
                    for due, heard, *numbers in record.get("waits", {}).get(self.keys.waiting(key), ()):
                        branch = (id(alarms.heard[heard].waiting), tuple(numbers))
                        alarms.put_back(due, heard, places.get(branch, int(NIL)))

    def _ring(self, saved: dict[str, Any], unused: dict[Chain, set[int]]) -> None:
        """Sets the rules' own clocks, and stores what they have rung."""
        network = self.network
        for bell in network.bells:
            record = saved.get(bell.firing.rules[0].name, {})
            for key, since, following, periods, rung in record.get("bells", ()):
                alarm = bell.alarm
                if key == self.keys.clock(alarm.pattern):
                    alarm.since, alarm.next, alarm.periods = since, following, periods
                    for number, due in rung:
                        event = Event(TIMER, due, due, data={"timer": alarm.pattern}, arrival=due)
                        network.store.make(event, number)
                        row = bell.gate.arena.add(due, due, number, TIMER, "", {})
                        network.link_again(bell.gate, row, unused)
