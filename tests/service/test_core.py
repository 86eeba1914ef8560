"""A tour of the service's core: what comes, what lasts, what is found, and what a crash leaves of it."""

import json
import tracemalloc
from collections import deque
from collections.abc import Sequence
from typing import Any

import pytest

from tocsin.errors import SnapshotError
from tocsin.events import Detection
from tocsin.formats.blocks import Block
from tocsin.service.admission import Parcel
from tocsin.service.core import Core, CoreSettings, Overloaded
from tocsin.service.records import Kind, Snapshot, StoredDetection, Writes
from tocsin.service.requests import RequestRefused
from tocsin.service.rules_at_work import RulesAtWork
from tocsin.service.store.memory import MemoryStore

S = 1_000_000
PAIR = {"name": "pair", "language": "sel", "expression": "x:a -> y:b", "condition": "x.k == y.k", "window": "1 min"}
ALARM = {"name": "alarm", "language": "pretty", "expression": "a unless b within 5 seconds"}


class Service:
    """The core with a store: what surrounds it in the service, without threads and sockets."""

    def __init__(self, store: MemoryStore | None = None, now: int = 0, **settings: Any) -> None:
        self.store = store or MemoryStore()
        self.core = Core(CoreSettings(**settings))
        self.store.acquire()
        self.core.recover(self.store, now)

    def commit(self) -> None:
        while (writes := self.core.pending()) is not None:
            self.store.commit(writes)
            self.core.committed(writes)

    def settle(self) -> list[StoredDetection]:
        """Keeps and evaluates all there is. All that was found so far."""
        self.commit()
        while not self.core.is_idle:
            self.core.work()
            if self.core.is_broken:
                self.core.mend(self.store)
            self.commit()
        return self.store.stored

    def send(self, *events: dict[str, Any], now: int) -> list[StoredDetection]:
        self.core.take(b"\n".join(json.dumps(each).encode() for each in events), now)
        return self.settle()

    def crashed(self, now: int = 0, **settings: Any) -> "Service":
        return Service(self.store.crashed(), now, **settings)


def event(kind: str, time: float, **data: Any) -> dict[str, Any]:
    return {"type": kind, "time": time, **data}


def told(found: Sequence[StoredDetection]) -> list[tuple[str, list[str]]]:
    return [(one.rule, json.loads(one.body)["events"]) for one in found]


# -- what comes --------------------------------------------------------------------------------------------------------


def test_an_event_is_acknowledged_when_it_lasts_and_evaluated_after_that() -> None:
    service = Service()
    core = service.core
    core.create(PAIR, 0)
    receipt = core.take(b'{"type": "a", "time": 1, "k": 1}\n{"type": "b", "time": 2, "k": 1}', 2 * S, "sensor")
    assert (receipt.position, receipt.accepted, receipt.duplicates, receipt.refused) == (2, 2, 0, ())
    assert core.durable == 0
    assert core.work() == []
    writes = core.pending()
    assert writes is not None
    assert [entry.kind for entry in writes.entries] == [Kind.CHANGE, Kind.EVENTS]
    assert core.pending() is None, "one commit at a time"
    service.store.commit(writes)
    core.committed(writes)
    assert core.durable == receipt.position
    assert core.work() == []
    (found,) = core.work()
    assert found.number == 1
    assert service.store.stored == [], "found, and told when it is kept"
    assert told(service.settle()) == [("pair", ["1", "2"])]
    assert service.store.state.processed == 2


def test_bodies_that_come_together_are_one_entry() -> None:
    service = Service()
    for number in range(3):
        service.core.take(json.dumps(event("a", number)).encode(), 5 * S, "s")
    service.core.take(b'{"type": "a", "time": 4}', 5 * S, "another")
    service.settle()
    assert [(entry.first, entry.count, entry.actor) for entry in service.store.log] == [(1, 3, "s"), (4, 1, "another")]


def test_the_clock_of_arrivals_never_goes_back() -> None:
    service = Service()
    service.send(event("a", 1), now=10 * S)
    service.send(event("a", 2), now=3 * S)
    assert [entry.arrival for entry in service.store.log] == [10 * S, 10 * S]


def test_too_much_is_told_before_it_is_taken() -> None:
    service = Service(most_queued=10)
    service.core.take(b'{"type": "a", "time": 1}', S)
    with pytest.raises(Overloaded):
        service.core.take(b'{"type": "a", "time": 2}', S)
    service.settle()
    assert service.core.queued == 0
    assert service.core.take(b'{"type": "a", "time": 2}', S).accepted == 1


# -- requests ----------------------------------------------------------------------------------------------------------


def test_the_life_of_a_request() -> None:
    service = Service()
    core = service.core
    request, _ = core.create(PAIR, 0, "ann", "ann")
    assert (request.version, request.rules) == (1, ("pair",))
    service.send(event("a", 1, k=1), now=S)
    altered, _ = core.alter(request.id, PAIR | {"severity": "high"}, S, "ann")
    assert altered.version == 2
    assert told(service.send(event("b", 2, k=1), now=2 * S)) == [], "another rule: it saw nothing yet"
    service.send(event("a", 3, k=2), now=3 * S)
    core.switch(request.id, False, 4 * S)
    core.switch(request.id, True, 4 * S)
    assert told(service.send(event("b", 5, k=2), now=5 * S)) == [], "what was off has forgotten"
    core.cancel(request.id, 5 * S)
    service.settle()
    assert core.asked.requests == {} == core.rules.standing.requests
    with pytest.raises(RequestRefused) as refused:
        core.cancel(request.id, 6 * S)
    assert (refused.value.status, refused.value.faults[0].code) == (404, "request-unknown")
    actions = [record.action.partition(".")[2] for record in reversed(service.store.audit())]
    assert actions == ["create", "alter", "disable", "enable", "cancel"]


def test_other_requests_change_nothing_of_what_a_rule_remembers() -> None:
    service = Service()
    service.core.create(PAIR, 0)
    service.send(event("a", 1, k=1), now=S)
    service.core.create(PAIR | {"name": "second"}, S)
    assert told(service.send(event("b", 2, k=1), now=2 * S)) == [("pair", ["1", "2"])]


def test_limits() -> None:
    core = Service(most_requests=3, most_requests_each=2, most_expression=20).core
    for name in ("one", "two"):
        core.create(PAIR | {"name": name}, 0, owner="ann")
    with pytest.raises(RequestRefused, match="'ann' has 2 requests") as refused:
        core.create(PAIR | {"name": "three"}, 0, owner="ann")
    assert (refused.value.status, refused.value.faults[0].code) == (429, "too-many-requests")
    core.create(PAIR | {"name": "three"}, 0, owner="bob")
    with pytest.raises(RequestRefused, match="there are 3 requests"):
        core.create(PAIR | {"name": "four"}, 0, owner="bob")
    with pytest.raises(RequestRefused, match="20 at most"):
        core.create(PAIR | {"expression": "a ;" * 10 + "b"}, 0)


def test_many_changes_are_done_together() -> None:
    service = Service()
    for number in range(30):
        service.core.create(PAIR | {"name": f"n{number}"}, number)
        service.settle()
    before = service.core.rules._runtime.version
    assert len(service.send(event("a", 1, k=1), event("b", 2, k=1), now=2 * S)) == 30
    assert service.core.rules._runtime.version == before + 1


def test_types_are_declared() -> None:
    service = Service()
    service.core.declare("a", {"gem": "event a(long k)"}, 0)
    receipt = service.core.take(b'{"type": "a", "time": 1, "k": "x"}\n{"type": "a", "time": 2, "k": 1}', S)
    assert [(each.index, each.code) for each in receipt.refused] == [(0, "event-mismatch")]
    assert receipt.accepted == 1
    service.settle()
    assert service.core.refused_counts == {"event-mismatch": 1}
    assert [(each.code, each.text) for each in service.store.refused()] == [
        ("event-mismatch", '{"type": "a", "time": 1, "k": "x"}')
    ]
    service.core.undeclare("a", 2 * S)
    assert service.core.take(b'{"type": "a", "time": 1, "k": "x"}', S).accepted == 1


# -- time --------------------------------------------------------------------------------------------------------------


def test_time_is_a_step_of_the_log_where_a_rule_waits_for_it() -> None:
    service = Service()
    assert not service.core.tick(5 * S)
    service.core.create(ALARM, 0)
    service.send(event("a", 10), now=10 * S)
    assert service.core.next_due() == 15 * S
    assert not service.core.tick(14 * S)
    assert service.core.tick(16 * S)
    (found,) = service.settle()
    assert (found.detected, json.loads(found.body).get("late")) == (15 * S, None)


def test_a_rule_rings_from_when_it_was_asked_for() -> None:
    service = Service()
    service.send(event("a", 1000), now=1000 * S)
    service.core.create({"name": "ring", "language": "pretty", "expression": "every 1 minute"}, 5000 * S)
    service.settle()
    assert service.core.next_due() == 5060 * S, "not from when the last event came"


def test_what_is_due_before_a_change_is_found_by_the_rules_before_it() -> None:
    service = Service()
    request, _ = service.core.create(ALARM, 0)
    service.send(event("a", 10), now=10 * S)
    service.core.cancel(request.id, 20 * S)
    assert told(service.settle()) == [("alarm", ["1"])]


def test_what_an_order_holds_back_comes_although_only_repeats_do() -> None:
    service = Service()
    service.core.create(PAIR | {"order": "delay:3 sec"}, 0)
    service.send(event("a", 10, k=1, id="x"), event("b", 11, k=1, id="y"), now=11 * S)
    assert service.send(event("a", 10, k=1, id="x"), now=60 * S) == []
    assert service.core.tick(60 * S)
    assert told(service.settle()) == [("pair", ["x", "y"])]


# -- what a crash leaves -----------------------------------------------------------------------------------------------


def test_after_a_crash_all_goes_on() -> None:
    service = Service()
    service.core.create(PAIR, 0)
    service.send(event("a", 1, k=1, id="x"), now=S)
    again = service.crashed()
    assert again.core.take(b'{"type": "a", "time": 1, "k": 1, "id": "x"}', 2 * S).duplicates == 1
    assert told(again.send(event("b", 2, k=1), now=2 * S)) == [("pair", ["x", "2"])]
    third = again.crashed()
    assert (third.core.number, third.core.found_counts) == (1, {"r1": 1})
    assert told(third.send(event("b", 3, k=1), now=3 * S)) == [("pair", ["x", "2"]), ("pair", ["x", "3"])]


def test_what_was_found_and_not_kept_is_found_again() -> None:
    service = Service()
    service.core.create(PAIR, 0)
    service.core.take(b'{"type": "a", "time": 1, "k": 1}\n{"type": "b", "time": 2, "k": 1}', 2 * S)
    service.commit()
    while not service.core.is_idle:
        found = service.core.work()
    assert [one.number for one in found] == [1]
    assert service.crashed().settle() == found


def test_timers_that_fell_due_meanwhile_are_late() -> None:
    service = Service()
    service.core.create(ALARM, 0)
    service.send(event("a", 10), now=10 * S)
    again = service.crashed(now=100 * S)
    assert again.settle() == []
    assert again.core.tick(100 * S)
    (found,) = again.settle()
    assert (found.detected, json.loads(found.body)["late"]) == (15 * S, True)


def saved(service: Service, now: int) -> Snapshot:
    snapshot = service.core.snapshot(now)
    assert snapshot is not None
    service.store.save(snapshot)
    return snapshot


def test_a_snapshot_stands_for_the_log_before_it() -> None:
    service = Service(remember=5 * S)
    service.core.create(PAIR, 0)
    service.send(event("a", 1, k=1, id="x"), now=S)
    for time in (50, 52, 54):
        service.send(event("c", time, id=str(time)), now=time * S)
    service.send(event("c", 56), now=56 * S)
    assert saved(service, 56 * S).position == 6
    service.store.prune(events_before=60 * S, found_before=0, keep_from=service.core.keep_from)
    kept = [entry.position for entry in service.store.log]
    assert kept == [1, 3, 4, 5, 6], "what tells repeats is kept"
    again = service.crashed(remember=5 * S)
    assert again.core.processed == 6
    assert again.core.take(b'{"type": "c", "time": 52, "id": "52"}', 57 * S).duplicates == 1
    assert told(again.send(event("b", 57, k=1), now=57 * S)) == [("pair", ["x", "6"])]


def test_no_snapshot_of_half_an_entry() -> None:
    service = Service(slice=1)
    service.core.create(PAIR, 0)
    service.settle()
    service.core.take(b'{"type": "a", "time": 1, "k": 1}\n{"type": "a", "time": 2, "k": 1}', 2 * S)
    service.commit()
    service.core.work()
    assert service.core.snapshot(2 * S) is None
    service.core.work()
    snapshot = service.core.snapshot(2 * S)
    assert snapshot is not None
    assert snapshot.position == 2


def test_no_snapshot_behind_what_is_not_kept() -> None:
    service = Service()
    service.core.create(PAIR, 0)
    service.core.take(b'{"type": "a", "time": 1, "k": 1}\n{"type": "b", "time": 2, "k": 1}', 2 * S)
    service.commit()
    while not service.core.is_idle:
        service.core.work()
    assert service.core.snapshot(2 * S) is None
    service.commit()
    assert saved(service, 2 * S).position == 2


def test_what_an_order_holds_back_comes_after_a_snapshot_too() -> None:
    service = Service()
    service.core.create(PAIR | {"order": "delay:3 sec"}, 0)
    service.send(event("a", 10, k=1), event("b", 11, k=1), now=11 * S)
    saved(service, 11 * S)
    again = service.crashed()
    assert again.core.tick(20 * S)
    assert told(again.settle()) == [("pair", ["1", "2"])]


class Unreadable(MemoryStore):
    """A store whose snapshot is of another release."""

    def snapshot(self) -> Snapshot | None:
        raise SnapshotError("it was written by a later release")


def unreadable(service: Service, pruned: bool) -> Service:
    service.core.create(PAIR, 0)
    service.send(event("a", 1, k=1), now=S)
    saved(service, S)
    store = Unreadable()
    vars(store).update(vars(service.store.crashed()))
    if pruned:
        store.log = [entry for entry in store.log if entry.kind is not Kind.EVENTS]
    return Service(store)


def test_a_snapshot_that_cannot_be_read_is_made_of_the_log() -> None:
    again = unreadable(Service(), pruned=False)
    assert told(again.send(event("b", 2, k=1), now=2 * S)) == [("pair", ["1", "2"])]
    (record,) = (each for each in again.store.audit() if each.action == "snapshot.restore")
    assert (record.action, record.outcome) == ("snapshot.restore", "failed")
    assert "the log is whole" in record.details


def test_where_the_log_is_not_whole_either_the_rules_begin_anew() -> None:
    again = unreadable(Service(), pruned=True)
    assert [each.name for each in again.core.asked.requests.values()] == ["pair"]
    assert again.send(event("b", 2, k=1), now=2 * S) == []
    assert told(again.send(event("a", 3, k=1), event("b", 4, k=1), now=4 * S)) == [("pair", ["3", "4"])]
    assert any("without any memory" in each.details for each in again.store.audit())


# -- rules that break --------------------------------------------------------------------------------------------------


class Fragile(RulesAtWork):
    """Rules among which one called `bad` breaks the engine, or cannot be taken up, as no rule should."""

    breaks_at = "change"

    def _apply(self) -> None:
        super()._apply()
        if self.breaks_at == "change" and "bad" in self._running:
            raise RecursionError("too deep")

    def fed(self, parcels: deque[Parcel], most: int) -> Sequence[Detection]:
        found = super().fed(parcels, most)
        if self.breaks_at == "events" and "bad" in self._running:
            raise ZeroDivisionError("a bad rule")
        return found

    def culprits(self, try_out: Any) -> Any:
        return [each for each in self.standing.requests.values() if each.is_at_work and "bad" in each.rules]


@pytest.fixture
def fragile(monkeypatch: pytest.MonkeyPatch) -> type[Fragile]:
    monkeypatch.setattr("tocsin.service.core.RulesAtWork", Fragile)
    monkeypatch.setattr(Fragile, "breaks_at", "change")
    return Fragile


@pytest.mark.parametrize("breaks_at", ["change", "events"])
@pytest.mark.parametrize("has_snapshot", [False, True])
def test_a_rule_that_breaks_harms_nobody_else(
    fragile: type[Fragile], monkeypatch: pytest.MonkeyPatch, breaks_at: str, has_snapshot: bool
) -> None:
    monkeypatch.setattr(fragile, "breaks_at", breaks_at)
    service = Service()
    service.core.create(PAIR, 0)
    service.send(event("a", 1, k=1), now=S)
    if has_snapshot:
        saved(service, S)
    bad, _ = service.core.create(PAIR | {"name": "bad"}, S)
    service.core.create(PAIR | {"name": "good"}, S)
    service.send(event("a", 2, k=2), now=2 * S)
    assert told(service.send(event("b", 3, k=1), event("b", 4, k=2), now=4 * S)) == [
        ("pair", ["1", "3"]), ("pair", ["2", "4"]), ("good", ["2", "4"])
    ]  # fmt: skip
    for each in (service, service.crashed()):
        request = each.core.asked.requests[bad.id]
        assert request.is_enabled
        assert ("too deep" if breaks_at == "change" else "a bad rule") in request.failure
        assert each.core.rules.standing.requests[bad.id].failure == request.failure
        assert [
            (record.subject, record.outcome) for record in each.store.audit() if record.action == "request.fail"
        ] == [(bad.id, "failed")]
    again = service.crashed()
    assert len(again.send(event("b", 5, k=2), now=5 * S)) == 5, "and goes on so"


def test_a_broken_request_can_be_mended(fragile: type[Fragile]) -> None:
    service = Service()
    bad, _ = service.core.create(PAIR | {"name": "bad"}, 0)
    service.send(event("a", 1, k=1), now=S)
    mended, _ = service.core.alter(bad.id, PAIR | {"name": "better"}, S)
    assert (mended.failure, mended.version) == ("", 2)
    assert told(service.send(event("a", 2, k=1), event("b", 3, k=1), now=3 * S)) == [("better", ["2", "3"])]


def test_a_request_that_cannot_be_read_any_more_stands_and_does_not_run() -> None:
    service = Service()
    service.core.create(PAIR, 0)
    service.core.create(PAIR | {"name": "old"}, 0)
    service.settle()
    entry = service.store.log[1]
    said = json.loads(entry.body)
    said["document"]["language"] = "a language of old"
    object.__setattr__(entry, "body", json.dumps(said).encode())
    again = service.crashed()
    failed = again.core.asked.requests["r2"]
    assert (failed.name, failed.is_enabled, failed.rules) == ("old", True, ())
    assert "there is no language" in failed.failure
    assert told(again.send(event("a", 1, k=1), event("b", 2, k=1), now=2 * S)) == [("pair", ["1", "2"])]


def test_the_columns_of_many_events_and_the_rows_of_few_find_the_same() -> None:
    events = [event("ab"[number % 2], number, k=number % 3) for number in range(12)]
    one, other = Service(), Service()
    for service in (one, other):
        service.core.create(PAIR, 0)
        service.settle()
    one.send(*events, now=12 * S)
    for each in events:
        other.core.take(json.dumps(each).encode(), 12 * S)
    other.settle()
    assert [entry.body for entry in one.store.log] == [entry.body for entry in other.store.log]
    assert one.store.stored == other.store.stored
    assert len(one.store.stored) > 3
    assert isinstance(one.core.admission.again(one.store.log[1])[0], Block)


def test_what_was_decoded_is_let_go_when_the_rules_have_seen_it() -> None:
    core = Service().core
    document = {
        "name": "pair",
        "language": "eps",
        "expression": "x:a ; y:b",
        "condition": "x.k == y.k",
        "window": "1 h",
    }
    core.create(document, 10**15)
    core.committed(_pending(core))
    core.work()

    def pass_through(bodies: range) -> None:
        for body in bodies:
            kinds = "a" + "c" * 98 + "b"
            lines = [
                json.dumps({"type": kind, "id": f"{body:06}-{n:02}", "k": body, "time": 10**9 + body + n / 1000})
                for n, kind in enumerate(kinds)
            ]
            core.take("\n".join(lines).encode(), 10**15)
            core.committed(_pending(core))
            while not core.is_idle:
                core.work()

    pass_through(range(10))
    tracemalloc.start()
    pass_through(range(10, 110))
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert core.number == 110
    assert held / 10_000 < 300  # the line has 70 bytes; as long as records stand behind it, 500 and more


def _pending(core: Core) -> Writes:
    writes = core.pending()
    assert writes is not None
    writes.found = []
    return writes
