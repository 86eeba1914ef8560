"""All rules at once: arenas of rows, chains through them, and the searches that an arrival starts.

One event's way: it becomes a row of its type's arena; it is linked into the chains whose conditions it meets; the
searches that it can complete run; what they find is written down. A moment that is waited for is an arrival too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from librt.strings import read_i64_le
from librt.vecs import vec
from mypy_extensions import i64

from tocsin.engine.network.agenda import Agenda, Waiting, is_sooner
from tocsin.engine.network.alarms import Alarms
from tocsin.engine.network.arena import Chain
from tocsin.engine.network.batch import Batch
from tocsin.engine.network.block_runs import arrive_in_a_row, sole_run
from tocsin.engine.network.firings import Firing
from tocsin.engine.network.gates import ANY, BLOCK, SAMPLED, Bell, Gate, Linker, Root
from tocsin.engine.network.holdings import Holdings
from tocsin.engine.network.numbers import SPREAD
from tocsin.engine.network.search import pass_all
from tocsin.engine.network.steps import Step
from tocsin.engine.network.vectors import FAR, filled, widened
from tocsin.events import Event

FIRST_BELL: Final[i64] = 2305843009213693952
"""Time events are numbered from here: a number tells them apart, it does not put them in order."""


def _bytes(time: int) -> bytes:
    return time.to_bytes(8, "little", signed=True)


_ZERO: Final = _bytes(0)


class Routes:
    """Where the events of a batch go, by the codes of their types."""

    def __init__(self, network: Network, batch: Batch) -> None:
        network.store.add(batch)
        self.gates: list[Gate | None] = [network.gates.get(kind) for kind in batch.kinds]
        self.any = network.any
        self.all: list[Gate] = [*dict.fromkeys([gate for gate in [*self.gates, self.any] if gate is not None])]
        self.doors = filled(len(self.gates), len(self.all))
        """By code: the place of its gate in `all`; one more than there are where it has none."""
        places = {gate: place for place, gate in enumerate(self.all)}
        for code, gate in enumerate(self.gates):
            if gate is not None:
                self.doors[code] = places[gate]
        self.ends = filled(len(self.all) + 1, 0)
        """By place in `all`: where the next event that comes in there is noted. Each has room for a block."""
        for place in range(len(self.ends)):
            self.ends[place] = place * BLOCK
        self.wanted = filled(len(self.gates), 0)
        """By code: 0 if nobody wants such an event, 1 if it is wanted for its type, 2 if (also) as any event."""
        for code, kind in enumerate(batch.kinds):
            if self.any is not None and kind:  # what only moves the clock has no type
                self.wanted[code] = 2
            elif self.gates[code] is not None:
                self.wanted[code] = 1
        self.sole: Gate | None = self.all[0] if len(self.all) == 1 and self.any is None else None
        """The gate that all of them come in by, if there is one."""
        for door in self.all:
            network.read(batch, door)

    def find(self, codes: bytes, place: i64, last: i64, places: vec[i64]) -> i64:
        """Notes the places of the events from one place to another that are wanted. How many they are."""
        wanted = self.wanted
        found: i64 = 0
        while place < last:
            # Noted in any case, and written over if it is not wanted: no processor foresees which one is.
            places[found] = place
            found += (wanted[read_i64_le(codes, place * 8)] + 1) >> 1
            place += 1
        return found

    def sort(self, codes: bytes, places: vec[i64], count: i64, by_gate: vec[i64]) -> None:
        """Notes the places of a block's events by their gates."""
        wanted, doors, ends = self.wanted, self.doors, self.ends
        at: i64 = 0
        while at < count:
            place = places[at]
            kind = read_i64_le(codes, place * 8)
            door = doors[kind]
            end = ends[door]
            by_gate[end] = place
            ends[door] = end + 1
            if wanted[kind] == 2:
                door = len(ends) - 2  # the last of all is the gate of any events
                end = ends[door]
                by_gate[end] = place
                ends[door] = end + 1
            at += 1


class Network(Holdings):
    """Events and time at work on what is held: each arrival is linked, and starts the searches that it can complete."""

    def __init__(self) -> None:
        super().__init__()
        self.agenda = Agenda()
        self.late_linkers: list[Linker] = []
        """Of the chains that only late arrivals ask for, where a row must be tested before it is linked."""
        self.touched: list[Firing] = []
        self.fired: list[Firing] = []
        self.latest: i64 = -FAR
        self.bells_rung: i64 = 0
        self._due: i64 = 0
        """The moment that has come."""
        self._places = filled(BLOCK, 0)
        self._by_gate = filled(BLOCK, 0)

    # -- arrivals --------------------------------------------------------------------------------------------------

    def take(self, gate: Gate, row: i64) -> None:
        """One event that some rule wants, stored in a row, arrives at the clock as it is.

        What `_link` and the start of `Root.run` do is done right here: all events come this way.
        """
        s, arena = self.search, gate.arena
        place = row & arena.mask
        end, number = arena.ends[place], arena.numbers[place]
        arena.arrived = row + 1
        s.rows[0] = row
        s.numbers[0] = number
        gauge = gate.gauge
        while gauge is not None:
            gauge.take(s, row, end)
            gauge = gauge.also
        linker = gate.linker
        while linker is not None:
            if linker.test is None or pass_all(linker.test, s):
                linker.chain.link(row, end, number)
            linker = linker.also
        if end < s.now - gate.shortest:
            self._count_refused(gate, gate.wanting, end, number)
        if end < self.latest:
            gate.lates += 1
            self._take_late(gate, row, end, number)
            return
        self.latest = end
        root = gate.in_order
        if root is None:
            return
        s.arrival = number
        s.end = end
        s.start = arena.starts[place]
        s.turn += 1
        if s.turn & SAMPLED == 0:
            self._run_timed(root, place, False)
        else:
            while root is not None:
                glance = root.glance
                if (glance is None or not glance.is_vain(place)) and (
                    root.delay <= 0 or (s.start if root.is_from_start else end) + root.delay <= s.now
                ):
                    root.run(s)
                root = root.next_in_order
        if self.touched:
            self.end_turn()

    def _take_late(self, gate: Gate, row: i64, end: i64, number: i64) -> None:
        """The searches of an event that others of a later time have overtaken."""
        s, root = self.search, gate.late
        if root is None:
            return
        if gate.asks_for_rest and self.late_linkers:
            self.catch_up()
            s.rows[0] = row
            s.numbers[0] = number
        place = row & gate.arena.mask
        s.arrival = number
        s.end = end
        s.start = gate.arena.starts[place]
        s.turn += 1
        if s.turn & SAMPLED == 0:
            self._run_timed(root, place, True)
        else:
            while root is not None:
                root.run(s)
                root = root.next_late
        if self.touched:
            self.end_turn()

    def take_all(self, gates: list[Gate], rows: list[int]) -> None:
        """One event that comes in by several gates: linked everywhere, then searched for in one turn."""
        s, first = self.search, gates[0].arena
        place = rows[0] & first.mask
        end, number = first.ends[place], first.numbers[place]
        for at in range(len(gates)):
            self._link(gates[at], rows[at], end, number)
        if end < s.now:
            counted: list[Firing] = []
            for gate in gates:
                rest = [firing for firing in gate.wanting if firing not in counted]
                self._count_refused(gate, rest, end, number)
                counted += rest
        is_late = end < self.latest
        if is_late:
            for gate in gates:
                gate.lates += 1
            self.catch_up()
        else:
            self.latest = end
        s.arrival = s.numbers[0] = number
        s.end = end
        s.start = first.starts[place]
        s.turn += 1
        for at in range(len(gates)):
            s.rows[0] = rows[at]
            root = gates[at].late if is_late else gates[at].in_order
            self._run_timed(root, rows[at] & gates[at].arena.mask, is_late)
        if self.touched:
            self.end_turn()

    def _link(self, gate: Gate, row: i64, end: i64, number: i64) -> None:
        """Puts a row that has arrived into the chains that it belongs to, and into the first register."""
        s = self.search
        gate.arena.arrived = row + 1
        s.rows[0] = row
        s.numbers[0] = number
        gauge = gate.gauge
        while gauge is not None:
            gauge.take(s, row, end)
            gauge = gauge.also
        linker = gate.linker
        while linker is not None:
            if linker.test is None or pass_all(linker.test, s):
                linker.chain.link(row, end, number)
            linker = linker.also

    def catch_up(self) -> None:
        """Links what only late arrivals ask for, now that one has come. It uses the first register."""
        for linker in self.late_linkers:
            if linker.chain.linked < linker.chain.arena.arrived:
                self.link_rest(linker)

    def link_rest(self, linker: Linker) -> None:
        """Links the rows that a chain has not been asked for yet."""
        s, chain = self.search, linker.chain
        arena = chain.arena
        if linker.test is None:
            chain.link_rest()
            return
        chain.prepare()
        chain.catch_up()
        row = chain.linked
        while row < arena.arrived:
            place = row & arena.mask
            s.rows[0] = row
            s.numbers[0] = arena.numbers[place]
            if pass_all(linker.test, s):
                chain.link(row, arena.ends[place], arena.numbers[place])
            row += 1
        chain.linked = row

    def _run_timed(self, root: Root | None, place: i64, is_late: bool) -> None:
        """Runs searches and notes for whom the time went by."""
        while root is not None:
            if is_late or root.glance is None or not root.glance.is_vain(place):
                root.run_timed(self.search)
            root = root.next_late if is_late else root.next_in_order

    def end_turn(self) -> None:
        """Ends a turn for the rules that found something."""
        for firing in self.touched:
            firing.finish(self.search)
            if self.search.is_stepping and firing.used:
                self.fired.append(firing)
        self.touched.clear()

    def _count_refused(self, gate: Gate, firings: list[Firing], end: i64, number: i64) -> None:
        """Counts an event that is too old for some rules, if they want it: any event may mean any declared one."""
        for firing in firings:
            if end < firing.low(self.search.now) and (
                firing.declared is None or gate.arena.name != ANY or self.store.event(number).type in firing.declared
            ):
                firing.refused += 1

    def read(self, batch: Batch, gate: Gate) -> None:
        """Finds the columns that a gate reads of a batch."""
        for measure in gate.arena.measures:
            measure.source = batch.column(measure.attribute)
        for key in gate.arena.keys:
            if key.first is None:
                key.source = batch.column(key.attribute)

    def process(self, batch: Batch) -> None:
        """Takes a whole batch in, each event at its arrival, where nothing that fires changes what comes after.

        In blocks, each in two passes: the events that are wanted are stored, column by column; then they arrive.
        """
        s = self.search
        if self.is_budgeted():
            self._process_one_by_one(batch)
            return
        routes = Routes(self, batch)
        self._by_gate = widened(self._by_gate, len(routes.ends) * BLOCK, 0)
        first: i64 = 0
        while first < batch.count:
            count = min(BLOCK, batch.count - first)
            wanted = self._store(batch, routes, first, count)
            first += count
            gate = routes.sole
            step = None if gate is None or s.is_stepping else sole_run(gate)
            if gate is not None and step is not None:
                arrive_in_a_row(self, gate, step, batch.arrivals, self._places, wanted)
            else:
                self._arrive(batch, routes, wanted)
            self._move_on(read_i64_le(batch.arrivals, (first - 1) * 8))
            self.sweep()
        s.settled = s.now - 1
        s.clock = s.now

    def _store(self, batch: Batch, routes: Routes, first: i64, count: i64) -> i64:
        """Stores the wanted events of a block and notes their places. How many they are."""
        ends, by_gate = routes.ends, self._by_gate
        found = routes.find(batch.codes, first, first + count, self._places)
        routes.sort(batch.codes, self._places, found, by_gate)
        number = batch.first * SPREAD
        door: i64 = 0
        begin: i64 = 0
        for gate in routes.all:
            end = ends[door]
            if end > begin:
                gate.next = gate.arena.store(by_gate[begin:end], end - begin, batch.ends, batch.starts, number)
            ends[door] = begin
            door += 1
            begin += BLOCK
        ends[door] = begin
        return found

    def _arrive(self, batch: Batch, routes: Routes, count: i64) -> None:
        """Lets the events of a block that were stored arrive, one after the other."""
        s, codes, gates, wanted = self.search, batch.codes, routes.gates, routes.wanted
        places, arrivals, now = self._places, batch.arrivals, s.now
        at: i64 = 0
        while at < count:
            place = places[at] * 8
            arrival = read_i64_le(arrivals, place)
            if arrival > now:
                now = arrival
            if s.next_key <= now * 2:
                self.advance(now)
            s.now = now
            s.settled = now - 1
            s.clock = now
            kind = read_i64_le(codes, place)
            gate = gates[kind]
            if wanted[kind] == 1:
                assert gate is not None
                row = gate.next
                gate.next = row + 1
                self.take(gate, row)
            else:
                any_gate = routes.any
                assert any_gate is not None
                any_gate.next += 1
                if gate is not None:
                    gate.next += 1
                    self.take_all([gate, any_gate], [int(gate.next - 1), int(any_gate.next - 1)])
                else:
                    self.take(any_gate, any_gate.next - 1)
            at += 1

    def _move_on(self, now: i64) -> None:
        """Lets the clock reach the last arrival, whoever wanted it."""
        s = self.search
        if now > s.now:
            self.advance(now)
            s.now = now

    def _process_one_by_one(self, batch: Batch) -> None:
        """The same where budgets decide about each event what is stored of it."""
        s, codes, arrivals, now = self.search, batch.codes, batch.arrivals, self.search.now
        self.store.add(batch)
        doors = [self.doors(kind) if kind else [] for kind in batch.kinds]
        for gate in self.event_gates():
            self.read(batch, gate)
        place: i64 = 0
        while place < batch.count:
            arrival = read_i64_le(arrivals, place * 8)
            if arrival > now:
                now = arrival
            kind = read_i64_le(codes, place * 8)
            if doors[kind]:
                if s.next_key <= now * 2:
                    self.advance(now)
                self.set_clock(now, now)
                gates = self.admitting(doors[kind])
                rows: list[int] = []
                for gate in gates:
                    end, start = read_i64_le(batch.ends, place * 8), read_i64_le(batch.starts, place * 8)
                    row = gate.arena.append(end, start, (batch.first + place) * SPREAD)
                    gate.arena.read(row, place)
                    rows.append(int(row))
                if gates:
                    self.take_all(gates, rows)
                self.until_sweep -= 1
                if self.until_sweep <= 0:
                    self.sweep()
            place += 1
        self._move_on(now)
        self.set_clock(s.now, s.now)
        self.sweep()

    # -- time ------------------------------------------------------------------------------------------------------

    def set_clock(self, now: i64, clock: i64) -> None:
        """Sets the rules' clock and the one that is reported."""
        s = self.search
        s.now = now
        s.settled = now - 1
        s.clock = clock

    def advance(self, to: i64) -> None:
        """Lets everything due come to pass: timers at or before `to`, windows that ended before it."""
        s, last = self.search, to * 2
        sole = self.agenda.sole
        if sole is not None and not self.bells:
            if sole.is_plain and not s.is_stepping:
                self._advance_leaf(sole, last)
            else:
                self._advance_one(sole, last)
            s.next_key = sole.key()
            return
        while s.next_key <= last:
            key = s.next_key
            waiting = None if self._next_bell(key, True) is not None else self.agenda.due(key)
            if waiting is None:
                self.wake(key, True)
                continue
            # Mostly one queue is due again and again.
            s.next_key = self.agenda.besides(waiting)
            bells = self._bells_key()
            if bells < s.next_key:
                s.next_key = bells
            while key <= last and key <= s.next_key:
                self._set_to(key)
                self._wake(waiting)
                key = waiting.key()
                if key == s.next_key:
                    break
            self.note_next()

    def _advance_one(self, waiting: Waiting, last: i64) -> None:
        """The same where nothing else is waited for."""
        key = waiting.key()
        while key <= last:
            self._set_to(key)
            self._wake(waiting)
            key = waiting.key()

    def _advance_leaf(self, waiting: Waiting, last: i64) -> None:
        """The same where single events wait, which nothing uses up: what `_wake` does, without asking much."""
        s, arena, firing, settled = self.search, waiting.first, waiting.firing, waiting.settled
        start, due, low = -FAR, -FAR, -FAR
        s.arrival, s.end = -1, FAR
        latest = last >> 1
        if settled and last & 1 == 0:
            latest -= 1
        while waiting.head < waiting.tail:
            at = waiting.head
            moment = waiting.entries[at]
            if moment > latest:
                break
            entries = waiting.entries
            begun, row = entries[at + 1], entries[at + 2]
            # Windows that start and end together are one moment; other moments are each their own.
            if not settled or moment != due or begun != start:
                if self.touched:
                    self.end_turn()
                due, start = moment, begun
                s.now = s.settled = s.clock = due
                if not settled:
                    s.settled = due - 1
                s.turn += 1
                low = due - firing.length if firing.length >= 0 else firing.low(due)
            waiting.head = at + 3
            place = row & arena.mask
            if row < arena.head or arena.ends[place] < low or not firing.is_alive:
                continue
            s.rows[0] = row
            s.numbers[0] = arena.numbers[place]
            root = waiting.root
            while root is not None:
                root.run(s)
                root = root.sibling
        if self.touched:
            self.end_turn()

    def wake(self, key: i64, with_periodic: bool) -> None:
        """The moment waited for that is due at a key: of several a rule's own clock first, then the oldest."""
        self._set_to(key)
        bell = self._next_bell(key, with_periodic)
        if bell is not None:
            self.ring(bell)
        else:
            waiting = self.agenda.due(key)
            if waiting is not None:
                self._wake(waiting)
        self.note_next()

    def _set_to(self, key: i64) -> None:
        s, due = self.search, key >> 1
        self._due = due
        if due < s.now:  # a late event may make a time event that is past: it comes at once
            due = s.now
        s.now = due
        s.settled = due if key & 1 else due - 1
        s.clock = due

    def _next_bell(self, key: i64, with_periodic: bool) -> Bell | None:
        for bell in self.bells:
            if bell.key() == key and (with_periodic or not bell.alarm.repeats):
                return bell
        return None

    def first_waiting(self, key: i64, with_periodic: bool) -> Waiting | None:
        """What `wake` would wake, if it is not a rule's own clock."""
        return None if self._next_bell(key, with_periodic) is not None else self.agenda.due(key)

    def first_firing(self, key: i64, with_periodic: bool) -> Firing | None:
        """The rules that `wake` would do something for; none where they have been disabled since."""
        bell, waiting = self._next_bell(key, with_periodic), self.agenda.due(key)
        if bell is not None:
            return bell.firing
        return None if waiting is None else waiting.firing

    def ring(self, bell: Bell) -> None:
        """A time event arrives, for the rules that wait for it alone."""
        event = bell.alarm.ring()
        self.bells_rung += 1
        number = FIRST_BELL + self.bells_rung
        self.store.make(event, number)
        self.take(bell.gate, self._append(event, number, bell.gate))

    def take_made(self, event: Event, number: i64) -> None:
        """One event that is not read from a batch, at the clock as it is."""
        gates = self.doors(event.type, event.is_composite)
        if self.is_budgeted():
            gates = self.admitting(gates)
        if len(gates) == 1:
            self.take(gates[0], self._append(event, number, gates[0]))
        elif gates:
            self.take_all(gates, [int(self._append(event, number, gate)) for gate in gates])
        self.until_sweep -= 1
        if self.until_sweep <= 0:
            self.sweep()

    def push(
        self,
        kind: str,
        end: i64,
        data: Mapping[str, object],
        name: str,
        source: str,
        start: int | None,
        arrival: int | None,
    ) -> bool:
        """One event by itself, where nothing that fires changes what comes after. Whether something was found."""
        s = self.search
        now: i64 = end
        if arrival is not None:
            now = arrival
        if now < s.now:
            now = s.now
        wanting = self.gates.get(kind)
        if s.next_key <= now * 2:
            self.advance(now)
        s.now = now
        s.settled = now - 1
        s.clock = now
        if self.any is not None or self.own or self.total is not None:
            self._push_several(kind, end, data, name, source, end if start is None else start)
        elif wanting is not None:
            gate: Gate = wanting  # compiled, every use of what might be None is checked
            begun: i64 = end
            if start is not None:
                begun = start
            kept = data if isinstance(data, dict) else dict(data)
            number = self.store.push(kind, end, kept)
            if name or source or begun != end or now != end:
                self.store.note_pushed(name, source, int(begun), int(now))
            self.take(gate, gate.arena.add(end, begun, number, kind, source, kept))
            self.until_sweep -= 1
            if self.until_sweep <= 0:
                self.sweep()
        return self.moments.count > 0

    def _push_several(
        self, kind: str, end: i64, data: Mapping[str, object], name: str, source: str, start: i64
    ) -> None:
        """The same where an event comes in by several gates, or there are budgets."""
        gates = self.doors(kind)
        if self.is_budgeted():
            gates = self.admitting(gates)
        if not gates:
            return
        kept = data if isinstance(data, dict) else dict(data)
        number = self.store.push(kind, end, kept)
        self.store.note_pushed(name, source, int(start), int(self.search.now))
        rows = [int(gate.arena.add(end, start, number, kind, source, kept)) for gate in gates]
        self.take_all(gates, rows)
        self.until_sweep -= 1
        if self.until_sweep <= 0:
            self.sweep()

    def _append(self, event: Event, number: i64, gate: Gate) -> i64:
        batch = Batch(1, [event.type], _ZERO, _bytes(event.end), _bytes(event.start), events=[event])
        self.read(batch, gate)
        row = gate.arena.append(event.end, event.start, number)
        gate.arena.read(row, 0)
        return row

    def go_on(self, put_off: list[tuple[Step, int]], event: Event) -> None:
        """Steps that were put off when an event arrived, each with the row that the event has there."""
        s = self.search
        number: i64 = event.number
        s.turn += 1
        s.arrival = s.numbers[0] = number
        s.end = event.end
        s.start = event.start
        for step, row in put_off:
            s.rows[0] = row
            step.run(s)
        if self.touched:
            self.end_turn()

    def end_window(self, waitings: list[Waiting], over: i64) -> bool:
        """Ends the first of a rule's windows that are over by then; whether there was one."""
        first: Waiting | None = None
        for waiting in waitings:
            if waiting.key() <= over * 2 + 1 and (first is None or is_sooner(waiting, first)):
                first = waiting
        if first is None:
            return False
        self._set_to(first.key())
        self._wake(first)
        self.note_next()
        return True

    def drop_waits(self, waitings: list[Waiting]) -> None:
        """Forgets what a rule that is gone has waited for: nobody would end its windows when they are over."""
        for waiting in waitings:
            waiting.clear()
            self.agenda.note(waiting)
        self.note_next()

    def _wake(self, waiting: Waiting) -> None:
        s = self.search
        s.turn += 1
        s.arrival = -1
        if isinstance(waiting, Alarms):
            self._ring(waiting)
            return
        low = waiting.firing.low(s.now)
        due, start = waiting.entries[waiting.head], waiting.entries[waiting.head + 1]
        s.end = FAR
        self._wake_first(waiting, low)
        if waiting.settled:
            # Windows that start and end together are one moment; other moments are each their own.
            for other in waiting.together:
                while other.is_first(due, start):
                    self._wake_first(other, low)
                self.agenda.note(other)
        else:
            self.agenda.note(waiting)
        if self.touched:
            self.end_turn()

    def _ring(self, alarms: Alarms) -> None:
        """The time events of an automaton that are due just now."""
        s = self.search
        s.end = FAR
        alarms.due = self._due
        root = alarms.root
        if root is not None:
            root.run(s)
        self.agenda.note(alarms)
        if self.touched:
            self.end_turn()

    def _wake_first(self, waiting: Waiting, low: i64) -> None:
        """Runs what the first of those that wait can complete, if it still can."""
        s, at = self.search, waiting.head
        waiting.head += waiting.width
        if s.is_stepping and waiting.settled:  # what rules make of it can come after the end of a window, at its time
            waiting.end_window(at, s.now)
        if not waiting.is_alive(at, low):
            return
        entries, arena = waiting.entries, waiting.first
        row = entries[at + 2]
        s.rows[0] = row
        s.numbers[0] = arena.numbers[row & arena.mask]
        place: i64 = 3
        while place < waiting.width:
            row = entries[at + place]
            s.rows[place - 2] = row
            s.numbers[place - 2] = waiting.number(place - 2, row)
            place += 1
        root = waiting.root
        while root is not None:
            root.run(s)
            root = root.sibling

    def drop_vain(self) -> None:
        """Leaves out the time events that are due next, if nobody waits for them any more."""
        agenda = self.agenda
        key = agenda.first()
        while key < FAR:
            waiting = agenda.due(key)
            if not isinstance(waiting, Alarms) or waiting.key() == key:
                break
            agenda.note(waiting)
            key = agenda.first()
        self.note_next()

    def note_next(self) -> None:
        """Finds out what is due next."""
        key, bells = self.agenda.first(), self._bells_key()
        if bells < key:
            key = bells
        self.search.next_key = key

    def _bells_key(self) -> i64:
        key = FAR
        for bell in self.bells:
            found = bell.key()
            if found < key:
                key = found
        return key

    def next_one_shot(self) -> i64:
        """What is due next, but for the clocks that ring again and again."""
        key = self.agenda.first()
        for bell in self.bells:
            if not bell.alarm.repeats:
                key = min(key, bell.key())
        return key

    def link_again(self, gate: Gate, row: i64, unused: dict[Chain, set[int]]) -> None:
        """Links a row that arrived before the state was saved; where rows are used up, only those that were not."""
        s, arena = self.search, gate.arena
        place = row & arena.mask
        end, number = arena.ends[place], arena.numbers[place]
        arena.arrived = row + 1
        s.rows[0] = row
        s.numbers[0] = number
        gauge = gate.gauge
        while gauge is not None:
            gauge.put_back(row)
            gauge = gauge.also
        linker = gate.linker
        while linker is not None:
            known = unused.get(linker.chain)
            if known is not None:
                if int(number) in known:
                    linker.chain.link(row, end, number)
            elif pass_all(linker.test, s):
                linker.chain.link(row, end, number)
            linker = linker.also
