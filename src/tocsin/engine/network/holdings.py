"""What all rules hold: the gates with their arenas, what leaves them again, and the budgets that limit them."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from tocsin.algebra.detectors import Alarm
from tocsin.algebra.occurrence import TIMER
from tocsin.algebra.patterns import At, AtInstant, Every, Pattern
from tocsin.engine.network.allowance import Allowance
from tocsin.engine.network.arena import Arena
from tocsin.engine.network.batch import Store
from tocsin.engine.network.firings import Firing
from tocsin.engine.network.gates import ANY, Bell, Gate
from tocsin.engine.network.search import Search
from tocsin.engine.network.vectors import FAR, filled

SWEEP: Final[i64] = 256
"""Events that come one by one, until what has left every window is forgotten."""


class Holdings:
    """The gates of all types, of rules with budgets, and of the clocks that rules have."""

    def __init__(self) -> None:
        self.store = Store()
        self.search = Search(self.store)
        self.moments = self.search.moments
        self.gates: dict[str, Gate] = {}
        self.any: Gate | None = None
        self.own: list[Gate] = []
        """The gates of rules with a budget of their own."""
        self.total: Allowance | None = None
        """What all rules may hold together."""
        self.bells: list[Bell] = []
        self.firings: list[Firing] = []
        self.oldest: i64 = 0
        self.until_sweep: i64 = SWEEP

    # -- gates ---------------------------------------------------------------------------------------------------

    def event_gates(self) -> list[Gate]:
        """The gates of types, of any type, and of rules with a budget."""
        return [*self.gates.values(), *([] if self.any is None else [self.any]), *self.own]

    def all_gates(self) -> list[Gate]:
        """Every gate: of types, of any type, of time events."""
        return [*self.event_gates(), *[bell.gate for bell in self.bells]]

    def doors(self, kind: str, is_composite: bool = False) -> list[Gate]:
        """The gates that events of a type come in by. A composite is for those that name it alone."""
        gates = [self.gates[kind]] if kind in self.gates else []
        if is_composite:
            return gates + [gate for gate in self.own if gate.arena.name == kind]
        if self.any is not None:
            gates.append(self.any)
        return gates + [gate for gate in self.own if gate.arena.name in (kind, ANY)]

    def own_gate(self, firing: Firing, kind: str) -> Gate:
        """The gate of rules with a budget, for one type of events or for any."""
        for gate in self.own:
            if gate.firing is firing and gate.arena.name == kind:
                return gate
        made = Gate(Arena(kind))
        made.firing = firing
        self.own.append(made)
        return made

    def timer_gate(self, firing: Firing, pattern: Pattern) -> Gate:
        """The gate of a rule's own time events, with the clock that rings them."""
        assert isinstance(pattern, At | AtInstant | Every)
        for bell in self.bells:
            if bell.firing is firing and bell.alarm.pattern == pattern:
                return bell.gate
        gate = Gate(Arena(f"{TIMER}{len(self.bells)}"))
        self.bells.append(Bell(Alarm(pattern, int(firing.enabled_at)), gate, firing))
        return gate

    # -- memory --------------------------------------------------------------------------------------------------

    def sweep(self) -> None:
        """Forgets what has left the window of every rule that looks at it."""
        self.until_sweep = SWEEP
        now = self.search.now
        oldest = FAR
        for gate in self.all_gates():
            low = FAR
            for firing in gate.wanting:
                found = firing.low(now) - firing.reach if firing.is_alive else FAR
                if found < low:
                    low = found
            arena = gate.arena
            arena.forget(low)
            if arena.head < arena.tail and arena.numbers[arena.head & arena.mask] < oldest:
                oldest = arena.numbers[arena.head & arena.mask]
        self.oldest = oldest
        self.forget()
        self._reclaim()

    def _reclaim(self) -> None:
        """Gives up the slots of values that no row has any more, where there are many slots."""
        for gate in self.all_gates():
            for key in gate.arena.keys:
                slots = key.slots
                if slots.count > slots.least and not slots.collapsed:
                    live = filled(slots.count, 0)
                    for each in self.all_gates():
                        arena = each.arena
                        for other in arena.keys:
                            if other.slots is slots:
                                other.mark(live, arena.head, arena.tail, arena.mask)
                    slots.reclaim(live)

    def forget(self) -> None:
        """Drops events that nothing can ask for any more; only when all that was found has been told."""
        if self.moments.count == 0:
            self.store.forget(self.oldest)

    # -- budgets -------------------------------------------------------------------------------------------------

    def is_budgeted(self) -> bool:
        """Whether what is held is limited."""
        return self.total is not None or len(self.own) > 0

    def admitting(self, doors: list[Gate]) -> list[Gate]:
        """The gates that have room for one more event, or make it."""
        gates = [gate for gate in doors if gate.firing is None or self._has_room(gate, gate.firing)]
        total = self.total
        if total is None or not gates:
            return gates
        more, arenas = [gate.arena for gate in gates], [gate.arena for gate in self.event_gates()]
        if total.fits(arenas, more):
            return gates
        self.sweep()
        while not total.fits(arenas, more):
            if total.drops and total.drop_oldest(arenas):
                continue
            if total.drops or total.refuses or not self._stop_largest(total):
                total.refused += 1
                return []
        return [gate for gate in gates if gate.firing is None or gate.firing.is_alive]

    def _has_room(self, gate: Gate, firing: Firing) -> bool:
        """Whether rules with a budget can hold one more event."""
        allowance = firing.allowance
        if allowance is None or not firing.is_alive:
            return False
        arenas = [other.arena for other in self.own if other.firing is firing]
        low = firing.low(self.search.now) - firing.reach
        for arena in arenas:
            arena.forget(low)
        while not allowance.fits(arenas, [gate.arena]):
            if allowance.drops and allowance.drop_oldest(arenas):
                continue
            if allowance.drops or allowance.refuses:
                allowance.refused += 1
            else:
                self._stop(firing, f"it would hold more than its budget of {allowance.budget}")
            return False
        return True

    def _stop_largest(self, total: Allowance) -> bool:
        """Stops the rules that hold most. Whether there were any."""
        held: dict[Firing, int] = {}
        for gate in self.event_gates():
            for firing in gate.wanting:
                if firing.is_alive:
                    held[firing] = held.get(firing, 0) + int(gate.arena.arrived - gate.arena.head)
        if not held:
            return False
        largest = max(held, key=lambda firing: held[firing])
        self._stop(largest, f"it holds most, {held[largest]:,} rows, and all rules together may hold {total.budget}")
        self.sweep()
        return True

    def _stop(self, firing: Firing, why: str) -> None:
        firing.is_alive = False
        firing.failure = why
        self.search.failures += 1
