"""The contract of stores, which every one of them keeps."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service.stores import Place, delivery, events, found, full, numbers, other, place_of, positions, pruned
from tocsin.errors import MissingDependency, UsageError
from tocsin.service.records import AuditRecord, Kind, RefusedEvent, Snapshot, Writes
from tocsin.service.store import Latest, Search, Store, StoreTaken, open_store
from tocsin.service.store.contract import MOST_PRUNED, MOST_REFUSED

KINDS = ["memory", "sqlite", pytest.param("postgresql", marks=pytest.mark.xdist_group("servers"))]


@pytest.fixture(params=KINDS)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    with place_of(request.param, tmp_path, lambda: request.getfixturevalue("postgresql")) as place:
        yield place


@pytest.fixture
def store(place: Place) -> Store:
    return place.acquired()


class TestCommitting:
    def test_all_that_is_written_can_be_read(self, store: Store) -> None:
        writes = full()
        store.commit(writes)
        assert store.entries(0, 10) == writes.entries
        assert store.found(Search()) == writes.found
        assert store.deliveries() == writes.deliveries
        assert store.keys() == writes.keys
        assert store.refused() == writes.refused
        assert store.audit() == writes.audit
        assert store.latest() == Latest(12, 11, 11, 24, 1200, 1)

    def test_what_is_written_twice_is_there_once(self, store: Store) -> None:
        for writes in (full(1), full(1), full(2), full(2), full(1)):
            store.commit(writes)
        assert positions(store.entries(0, 10)) == [10, 11, 12, 20, 21, 22]
        assert len(store.refused()) == len(store.audit()) == 2
        assert store.latest().serial == 2

    def test_what_was_written_is_there_when_it_is_opened_again(self, place: Place) -> None:
        store = place.acquired()
        store.commit(full())
        store.save(Snapshot(11, 5, b"state"))
        store.close()
        again = place.acquired()
        assert again.latest().serial == 1
        assert again.entries(0, 10) == full().entries
        assert again.snapshot() == Snapshot(11, 5, b"state")
        again.commit(full(2))
        assert again.latest().serial == 2

    def test_an_empty_store_has_got_nowhere(self, store: Store) -> None:
        assert store.latest() == Latest()
        assert store.snapshot() is None
        assert store.entries(0, 10) == store.found(Search()) == store.deliveries() == store.keys() == []

    def test_what_is_processed_never_goes_back(self, store: Store) -> None:
        store.commit(Writes(1, [events(1), events(2)], processed=2))
        store.commit(Writes(2, refused=[RefusedEvent(1, "c", "m")]))
        assert store.latest()[:2] == (2, 2)

    def test_texts_that_no_database_takes_do_not_stop_it(self, store: Store) -> None:
        odd = "a\0b \ud800 \u20ac"
        store.commit(
            Writes(
                1,
                [events(1, types=(odd, "x"))],
                [found(1, rule=odd, id=odd)],
                refused=[RefusedEvent(1, "c", "m", odd, odd, odd)],
            )
        )
        assert positions(store.events(Search(type=odd))) == [1]
        assert store.entries(0, 1)[0].types == (odd, "x")
        assert numbers(store.found(Search(rule=odd))) == [1]
        assert store.detection(odd) is not None
        assert "\u20ac" in store.refused()[0].text

    def test_large_bodies(self, store: Store) -> None:
        big = bytes(range(256)) * 20_000
        entry = events(1)
        store.commit(Writes(1, [entry.__class__(1, Kind.EVENTS, 1, big, count=1, first=1)]))
        assert store.entries(0, 1)[0].body == big


class TestOneWriter:
    def test_a_second_one_is_told(self, place: Place, store: Store) -> None:
        with pytest.raises(StoreTaken, match="another service writes"):
            place.open().acquire()

    def test_the_next_one_can_when_the_first_is_gone(self, place: Place, store: Store) -> None:
        store.commit(full())
        store.close()
        second = place.acquired()
        second.commit(full(2))
        assert second.latest().serial == 2

    def test_nothing_is_written_by_who_has_not_acquired_it(self, place: Place, store: Store) -> None:
        if place.at == "memory":
            pytest.skip("memory is one object")
        with pytest.raises(UsageError, match="not acquired"):
            place.open().commit(full())
        with pytest.raises(UsageError, match="read only"):
            place.open(read_only=True).acquire()


class TestReaders:
    def test_one_reads_beside_the_writer(self, place: Place, store: Store) -> None:
        store.commit(full())
        reader = place.open(read_only=True)
        assert reader.latest().serial == 1
        store.commit(full(2))
        assert reader.latest().serial == 2
        assert reader.entries(0, 10) == store.entries(0, 10)
        store.commit(full(3))
        assert reader.latest().serial == 3

    def test_one_reads_when_nobody_writes(self, place: Place, store: Store) -> None:
        store.commit(full())
        store.close()
        assert place.open(read_only=True).latest().serial == 1


class TestLog:
    @pytest.fixture
    def store(self, place: Place) -> Store:
        store = place.acquired()
        kinds = {3: Kind.CHANGE, 5: Kind.TICK, 6: Kind.COMMAND}
        entries = [
            other(at, kinds[at]) if at in kinds else events(at, types=("door",) if at % 2 else ("rain",))
            for at in range(1, 9)
        ]
        late = events(9, time=150, types=())
        store.commit(Writes(1, [*entries, late]))
        return store

    def test_forwards_page_by_page(self, store: Store) -> None:
        seen: list[int] = []
        while page := store.entries(seen[-1] if seen else 0, 4):
            seen += positions(page)
        assert seen == list(range(1, 10))

    def test_of_one_kind(self, store: Store) -> None:
        assert positions(store.entries(0, 10, kind="events")) == [1, 2, 4, 7, 8, 9]
        assert positions(store.entries(3, 10, kind="change")) == []
        assert positions(store.entries(0, 10, kind="change")) == [3]

    def test_with_events_as_late_as(self, store: Store) -> None:
        assert positions(store.entries(0, 10, high=409)) == [4, 7, 8]
        assert positions(store.entries(0, 10, high=410)) == [7, 8]
        assert positions(store.entries(0, 10, high=10_000)) == []
        assert positions(store.entries(4, 1, high=-5, kind="events")) == [7]

    def test_events_by_type(self, store: Store) -> None:
        assert positions(store.events(Search(type="rain"))) == [2, 4, 8, 9]  # the last lists no types
        assert positions(store.events(Search(type="rai"))) == [9]

    def test_events_by_time(self, store: Store) -> None:
        assert positions(store.events(Search(since=409))) == [4, 7, 8]
        assert positions(store.events(Search(until=200))) == [1, 2, 9]
        assert positions(store.events(Search(since=210, until=420))) == [4]
        assert positions(store.events(Search(since=9_000))) == []

    def test_events_forwards_and_backwards(self, store: Store) -> None:
        assert positions(store.events(Search(limit=2))) == [1, 2]
        assert positions(store.events(Search(after=2, limit=2))) == [2, 4]
        assert positions(store.events(Search(backwards=True, limit=3))) == [9, 8, 7]
        assert positions(store.events(Search(backwards=True, after=7, limit=3))) == [4, 2, 1]
        assert positions(store.events(Search(backwards=True, type="rain", until=500))) == [9, 4, 2]


class TestManyStretches:
    """Searches by time leave out whole stretches; here there are several."""

    @pytest.fixture
    def store(self, place: Place) -> Store:
        store = place.acquired()
        store.commit(Writes(1, [events(at) for at in range(1, 5001)], [found(at) for at in range(1, 5001)]))
        store.commit(Writes(2, [events(5001, time=70_050)], [found(5001, time=70_050)]))  # late
        return store

    def test_the_log(self, store: Store) -> None:
        assert positions(store.events(Search(since=499_900, limit=9))) == [4999, 5000]
        assert positions(store.events(Search(until=409))) == [1, 2, 3, 4]
        assert positions(store.events(Search(since=70_050, until=70_099))) == [5001]
        assert positions(store.events(Search(backwards=True, until=70_200, limit=3))) == [5001, 702, 701]
        assert positions(store.entries(4000, 2, high=450_009)) == [4500, 4501]

    def test_detections(self, store: Store) -> None:
        assert numbers(store.found(Search(since=499_900))) == [4999, 5000]
        assert numbers(store.found(Search(since=70_050, until=70_100))) == [701, 5001]
        assert numbers(store.found(Search(backwards=True, until=300, limit=2))) == [3, 2]
        assert store.found(Search(since=600_000)) == []

    def test_what_is_left_is_found_when_the_rest_is_forgotten(self, store: Store) -> None:
        assert pruned(store, events_before=450_000, found_before=450_000) == 2 * 4499 + 1
        assert positions(store.events(Search(until=450_109))) == [4500, 4501, 5001]
        assert numbers(store.found(Search(until=450_100))) == [4500, 4501]
        assert store.events(Search(until=449_000, since=71_000)) == []


class TestDetections:
    @pytest.fixture
    def store(self, place: Place) -> Store:
        store = place.acquired()
        some = [found(at, rule="warm" if at % 3 == 0 else "cold", request=f"r{at % 2}") for at in range(1, 10)]
        store.commit(Writes(1, found=[*some, found(10, id="d4")]))
        return store

    def test_forwards_and_backwards_by_cursor(self, store: Store) -> None:
        assert numbers(store.found(Search(limit=3))) == [1, 2, 3]
        assert numbers(store.found(Search(after=3, limit=3))) == [4, 5, 6]
        assert numbers(store.found(Search(backwards=True, limit=3))) == [10, 9, 8]
        assert numbers(store.found(Search(backwards=True, after=8, limit=3))) == [7, 6, 5]

    def test_by_rule_request_type_and_time(self, store: Store) -> None:
        assert numbers(store.found(Search(rule="warm"))) == [3, 6, 9]
        assert numbers(store.found(Search(rule="warm", request="r1", backwards=True))) == [9, 3]
        assert numbers(store.found(Search(type="Cold", since=700, until=800))) == [7, 8]
        assert store.found(Search(type="cold")) == []

    def test_the_latest_of_an_id(self, store: Store) -> None:
        last = store.detection("d4")
        assert last is not None
        assert last.number == 10
        assert store.detection("d99") is None

    def test_bodies_by_number(self, store: Store) -> None:
        assert store.numbered([2, 99, 7]) == {2: b'{"n": 2}', 7: b'{"n": 7}'}
        assert store.numbered([]) == {}
        assert len(store.numbered(range(50_000))) == 10


class TestDeliveries:
    @pytest.fixture
    def store(self, place: Place) -> Store:
        store = place.acquired()
        some = [
            delivery(number, request=request, target=target)
            for number in (1, 2)
            for request in ("a", "B")
            for target in (0, 1)
        ]
        store.commit(Writes(1, deliveries=some))
        store.commit(Writes(2, deliveries=[delivery(1, "delivered", "a"), delivery(2, "dead", "B", 1)]))
        return store

    def test_in_order_of_their_detections(self, store: Store) -> None:
        order = [(each["number"], each["request"], each["target"]) for each in store.deliveries()]
        assert order == [
            (1, "B", 0),
            (1, "B", 1),
            (1, "a", 0),
            (1, "a", 1),
            (2, "B", 0),
            (2, "B", 1),
            (2, "a", 0),
            (2, "a", 1),
        ]

    def test_by_state(self, store: Store) -> None:
        assert store.deliveries(["delivered"]) == [delivery(1, "delivered", "a")]
        assert len(store.deliveries(["dead", "pending"])) == 7
        assert store.deliveries(["cancelled"]) == []

    def test_by_request_and_cursor(self, store: Store) -> None:
        assert [each["number"] for each in store.deliveries(request="a")] == [1, 1, 2, 2]
        assert store.deliveries(["pending"], "B", after=1) == [delivery(2, request="B")]
        assert len(store.deliveries(limit=3)) == 3

    def test_the_last_of_several_changes_counts(self, store: Store) -> None:
        store.commit(
            Writes(3, deliveries=[delivery(9), delivery(9, "dead"), delivery(9, "pending"), delivery(9, "delivered")])
        )
        assert [each["state"] for each in store.deliveries(after=8)] == ["delivered"]


class TestKeysAndLists:
    def test_a_key_is_as_it_was_written_last(self, store: Store) -> None:
        store.commit(Writes(1, keys=[{"id": "b", "n": 1}, {"id": "a"}, {"id": "b", "n": 2}]))
        store.commit(Writes(2, keys=[{"id": "a", "revoked": True}]))
        assert store.keys() == [{"id": "a", "revoked": True}, {"id": "b", "n": 2}]

    def test_refused_events_the_newest_first_and_not_for_ever(self, store: Store) -> None:
        store.commit(Writes(1, refused=[RefusedEvent(at, "c", "m") for at in range(MOST_REFUSED)]))
        store.commit(Writes(2, refused=[RefusedEvent(at + MOST_REFUSED, "c", "m") for at in range(5)]))
        store.commit(Writes(3, refused=[RefusedEvent(MOST_REFUSED + 5, "c", "m")]))
        assert [each.at for each in store.refused(3)] == [MOST_REFUSED + 5, MOST_REFUSED + 4, MOST_REFUSED + 3]
        assert MOST_REFUSED <= len(store.refused(2 * MOST_REFUSED)) <= MOST_REFUSED + 1

    def test_audit_the_newest_first(self, store: Store) -> None:
        some = [AuditRecord(at, "key", "request.create", f"r{at}") for at in range(1, 6)]
        store.commit(Writes(1, audit=some))
        assert store.audit(2) == [some[4], some[3]]
        assert store.audit(before=3) == [some[1], some[0]]


class TestSnapshots:
    def test_the_last_one_counts(self, store: Store) -> None:
        store.save(Snapshot(1, 10, b"one"))
        store.save(Snapshot(5, 20, b""))
        assert store.snapshot() == Snapshot(5, 20, b"")
        store.save(Snapshot(5, 30, b"again"))
        assert store.snapshot() == Snapshot(5, 30, b"again")


class TestForgetting:
    @pytest.fixture
    def store(self, place: Place) -> Store:
        store = place.acquired()
        kinds = {2: Kind.CHANGE, 3: Kind.TICK, 4: Kind.COMMAND}
        log = [other(at, kinds[at]) if at in kinds else events(at) for at in range(1, 10)]
        store.commit(Writes(1, log, [found(at) for at in range(1, 10)]))
        return store

    def test_never_what_is_needed_to_recover(self, store: Store) -> None:
        assert pruned(store, events_before=10**9, keep_from=6) == 3
        assert positions(store.entries(0, 10)) == [2, 4, 6, 7, 8, 9]

    def test_only_what_came_before(self, store: Store) -> None:
        pruned(store, events_before=700)
        assert positions(store.entries(0, 10, kind="events")) == [7, 8, 9]
        assert numbers(store.found(Search())) == list(range(1, 10))

    def test_no_detection_that_is_still_to_be_delivered(self, store: Store) -> None:
        sent = [delivery(at, "delivered") for at in (1, 2, 8)]
        store.commit(Writes(2, deliveries=[*sent, delivery(2, target=1), delivery(3), delivery(5, "dead")]))
        assert pruned(store, found_before=606) == 4 + 2
        assert numbers(store.found(Search())) == [2, 3, 7, 8, 9]
        assert store.deliveries() == [
            delivery(2, "delivered"),
            delivery(2, target=1),
            delivery(3),
            delivery(8, "delivered"),
        ]
        store.commit(Writes(3, deliveries=[delivery(2, "dead", target=1), delivery(3, "delivered")]))
        pruned(store, found_before=606)
        assert numbers(store.found(Search())) == [7, 8, 9]
        assert store.deliveries() == [delivery(8, "delivered")]

    def test_how_far_it_has_got_stays(self, store: Store) -> None:
        before = store.latest()
        pruned(store, events_before=10**9, found_before=10**9)
        assert store.latest() == before
        assert store.found(Search()) == []
        store.commit(Writes(2, [events(10)], [found(10)]))
        assert positions(store.events(Search(since=1))) == numbers(store.found(Search(since=1))) == [10]

    def test_a_call_forgets_so_much_and_no_more(self, store: Store) -> None:
        store.commit(Writes(2, [events(at) for at in range(10, 3000)]))
        assert store.prune(events_before=10**9, found_before=0, keep_from=10**9) == MOST_PRUNED
        assert pruned(store, events_before=10**9) == 7 + 2990 - MOST_PRUNED

    def test_it_gets_smaller(self, store: Store) -> None:
        store.commit(Writes(2, [events(at, count=500) for at in range(10, 300)]))
        before = store.size()
        pruned(store, events_before=10**9, found_before=10**9)
        assert store.size() < before / 4


class TestChoosing:
    def test_a_store_that_there_is_not(self) -> None:
        with pytest.raises(UsageError, match="no store 'redis://'"):
            open_store("redis://here")

    def test_a_driver_that_is_not_installed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(__import__("sys").modules, "asyncpg", None)
        monkeypatch.delitem(__import__("sys").modules, "tocsin.service.store.postgresql", raising=False)
        with pytest.raises(MissingDependency, match="postgresql"):
            open_store("postgresql://here/db")
