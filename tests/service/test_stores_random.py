"""SQLite and PostgreSQL held to memory: the same writes, the same answers, whatever is done in which order."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from tests.amounts import examples
from tests.service.stores import Place, delivery, events, found, other, place_of
from tocsin.bench.brokers.postgresql import Postgresql
from tocsin.service.records import AuditRecord, Kind, RefusedEvent, Snapshot, Writes
from tocsin.service.store import Search
from tocsin.service.store.memory import MemoryStore

_NAMES = st.sampled_from(["", "a", "b", "\u00e9", 'a"', "a\\"])
_TIMES = st.integers(-50, 3000)
_STATES = st.sampled_from(["pending", "delivered", "dead"])
_SEARCHES = st.builds(
    Search,
    after=st.integers(0, 40),
    limit=st.integers(1, 20),
    rule=_NAMES,
    request=_NAMES,
    type=_NAMES,
    since=st.none() | _TIMES,
    until=st.none() | _TIMES,
    backwards=st.booleans(),
)


class Beside(RuleBasedStateMachine):
    """One store in memory, and another of the kind in question."""

    kind: ClassVar[str]
    server: ClassVar[Postgresql | None] = None

    def __init__(self) -> None:
        super().__init__()
        self.left = ExitStack()
        folder = self.left.enter_context(tempfile.TemporaryDirectory())
        self.place: Place = self.left.enter_context(place_of(self.kind, Path(folder), self._server))
        self.model, self.store = MemoryStore(), self.place.acquired()
        self.writes = Writes()
        self.position = self.number = 0

    def _server(self) -> Postgresql:
        assert self.server is not None
        return self.server

    def teardown(self) -> None:
        self.left.close()

    @initialize()
    def acquire(self) -> None:
        self.model.acquire()

    @rule(data=st.data())
    def commit(self, data: st.DataObject) -> None:
        made = Writes(self.writes.serial + 1)
        for _ in range(data.draw(st.integers(0, 4))):
            self.position += 1
            kind = data.draw(st.sampled_from([Kind.EVENTS, Kind.EVENTS, Kind.TICK, Kind.CHANGE]))
            types = tuple(data.draw(st.lists(_NAMES, max_size=3)))
            at = data.draw(_TIMES)
            made.entries.append(
                replace(events(self.position, types=types), low=at, high=at + data.draw(st.integers(0, 50)))
                if kind is Kind.EVENTS
                else other(self.position, kind)
            )
        for _ in range(data.draw(st.integers(0, 3))):
            self.number += 1
            one = found(self.number, rule=data.draw(_NAMES), request=data.draw(_NAMES), id=data.draw(_NAMES))
            made.found.append(replace(one, type=data.draw(_NAMES), time=data.draw(_TIMES), detected=data.draw(_TIMES)))
        made.processed = data.draw(st.none() | st.integers(0, self.position))
        places = st.tuples(st.integers(1, self.number + 1), _STATES, _NAMES, st.integers(0, 1))
        made.deliveries = [delivery(*each) for each in data.draw(st.lists(places, max_size=4))]
        made.keys = [{"id": name} for name in data.draw(st.lists(_NAMES, max_size=2))]
        made.refused = [RefusedEvent(1, "c", name) for name in data.draw(st.lists(_NAMES, max_size=2))]
        made.audit = [AuditRecord(self.position, name, "x", "y") for name in data.draw(st.lists(_NAMES, max_size=2))]
        self.writes = made
        self._both(lambda each: each.commit(made))

    @rule()
    def commit_again(self) -> None:
        if self.writes.serial:
            self._both(lambda each: each.commit(self.writes))

    @rule(before=_TIMES, found_before=_TIMES, keep_from=st.integers(0, 40), audit_before=st.integers(0, 20))
    def prune(self, before: int, found_before: int, keep_from: int, audit_before: int) -> None:
        old = {"events_before": before, "found_before": found_before, "audit_before": audit_before}
        self._both(lambda each: each.prune(**old, keep_from=keep_from))

    @rule(position=st.integers(0, 40), body=st.binary(max_size=9))
    def save(self, position: int, body: bytes) -> None:
        self._both(lambda each: each.save(Snapshot(position, 1, body)))

    @rule()
    def open_again(self) -> None:
        self.store.close()
        self.store = self.place.acquired()

    @rule(search=_SEARCHES)
    def search(self, search: Search) -> None:
        self._both(lambda each: each.found(search))
        self._both(lambda each: each.events(search))

    @rule(after=st.integers(0, 40), limit=st.integers(1, 9), high=st.none() | _TIMES, kind=st.sampled_from(["", *Kind]))
    def read_log(self, after: int, limit: int, high: int | None, kind: str) -> None:
        self._both(lambda each: each.entries(after, limit, high=high, kind=str(kind)))

    @rule(states=st.lists(_STATES, max_size=2), request=_NAMES, after=st.integers(0, 20), limit=st.integers(0, 5))
    def read_deliveries(self, states: list[str], request: str, after: int, limit: int) -> None:
        self._both(lambda each: each.deliveries(states, request, after, limit))

    @rule(id=_NAMES, before=st.integers(0, 20))
    def read_the_rest(self, id: str, before: int) -> None:
        self._both(lambda each: each.detection(id))
        self._both(lambda each: each.audit(5, before))
        self._both(lambda each: each.refused(5))
        self._both(lambda each: each.numbered(range(before)))

    @invariant()
    def state_is_equal(self) -> None:
        self._both(lambda each: (each.latest(), each.snapshot(), each.keys(), each.sizes()))

    def _both(self, do: Any) -> None:
        expected, given = do(self.model), do(self.store)
        assert given == expected


def _run(kind: str, postgresql: Postgresql | None, count: int) -> None:
    machine = type(f"Beside{kind}", (Beside,), {"kind": kind, "server": postgresql})
    phases = [Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink]
    limits = settings(max_examples=examples(count), stateful_step_count=20, deadline=None, phases=phases)
    run_state_machine_as_test(machine, settings=limits)


def test_sqlite_answers_as_memory_does() -> None:
    pytest.importorskip("apsw", reason="apsw is not installed")
    _run("sqlite", None, 25)


def test_postgresql_answers_as_memory_does(postgresql: Postgresql) -> None:
    _run("postgresql", postgresql, 15)
