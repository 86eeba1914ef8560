"""The service's store in memory, for simulations: what was committed, and nothing else, outlasts a crash."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from tocsin.errors import UsageError
from tocsin.service.records import AuditRecord, Entry, Kind, RefusedEvent, Snapshot, StoredDetection, Writes
from tocsin.service.store.contract import MOST_PRUNED, MOST_REFUSED, Latest, Search, Store, StoreTaken


class MemoryStore(Store):
    """Lists. `released` is what a crash of the service does to its lock."""

    def __init__(self) -> None:
        self.log: list[Entry] = []
        self.stored: list[StoredDetection] = []
        self.state = Latest()
        self._snapshot: Snapshot | None = None
        self._deliveries: dict[tuple[int, str, int], Mapping[str, Any]] = {}
        self._keys: dict[str, Mapping[str, Any]] = {}
        self._refused: list[RefusedEvent] = []
        self._audit: list[AuditRecord] = []
        self._is_taken = False

    def acquire(self) -> None:
        if self._is_taken:
            raise StoreTaken("another service writes to this store")
        self._is_taken = True

    def close(self) -> None:
        self._is_taken = False

    def commit(self, writes: Writes) -> None:
        if writes.serial <= self.state.serial:
            return
        state = self.state._replace(serial=writes.serial)
        if writes.entries:
            self.log += writes.entries
            newest = writes.entries[-1]
            events = max(state.events, *(each.first + each.count - 1 for each in writes.entries))
            state = state._replace(position=newest.position, arrival=newest.arrival, events=events)
        if writes.found:
            self.stored += writes.found
            state = state._replace(number=writes.found[-1].number)
        if writes.processed is not None:
            state = state._replace(processed=max(state.processed, writes.processed))
        for each in writes.deliveries:
            self._deliveries[each["number"], each["request"], each["target"]] = each
        self._keys.update((key["id"], key) for key in writes.keys)
        self._refused += writes.refused
        del self._refused[:-MOST_REFUSED]
        self._audit += writes.audit
        self.state = state

    def save(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    def snapshot(self) -> Snapshot | None:
        return self._snapshot

    def latest(self) -> Latest:
        return self.state

    def entries(self, after: int, limit: int, *, high: int | None = None, kind: str = "") -> list[Entry]:
        some = (
            each
            for each in self.log
            if each.position > after
            and kind in ("", each.kind)
            and (high is None or (each.kind is Kind.EVENTS and each.high >= high))
        )
        return list(islice(some, limit))

    def events(self, search: Search) -> list[Entry]:
        log = reversed(self.log) if search.backwards else self.log
        some = [
            each
            for each in log
            if each.kind is Kind.EVENTS
            and (not search.type or search.type in each.types or not each.types)
            and (search.since is None or each.high >= search.since)
            and (search.until is None or each.low <= search.until)
            and (
                each.position < search.after or not search.after if search.backwards else each.position >= search.after
            )
        ]
        return some[: search.limit]

    def found(self, search: Search) -> list[StoredDetection]:
        stored = reversed(self.stored) if search.backwards else self.stored
        some = [
            one
            for one in stored
            if (one.number < search.after or not search.after if search.backwards else one.number > search.after)
            and all(getattr(search, name) in ("", getattr(one, name)) for name in ("rule", "request", "type"))
            and (search.since is None or one.time >= search.since)
            and (search.until is None or one.time <= search.until)
        ]
        return some[: search.limit]

    def detection(self, id: str) -> StoredDetection | None:
        return next((one for one in reversed(self.stored) if one.id == id), None)

    def numbered(self, numbers: Sequence[int]) -> dict[int, bytes]:
        wanted = set(numbers)
        return {one.number: one.body for one in self.stored if one.number in wanted}

    def deliveries(
        self, states: Sequence[str] = (), request: str = "", after: int = 0, limit: int = 0
    ) -> list[Mapping[str, Any]]:
        some = [
            each
            for (number, owner, _), each in sorted(self._deliveries.items())
            if number > after and (not states or each["state"] in states) and request in ("", owner)
        ]
        return some[: limit or None]

    def keys(self) -> list[Mapping[str, Any]]:
        return [self._keys[name] for name in sorted(self._keys)]

    def refused(self, limit: int = 100) -> list[RefusedEvent]:
        return self._refused[: -limit - 1 : -1]

    def audit(self, limit: int = 100, before: int = 0) -> list[AuditRecord]:
        return [each for each in reversed(self._audit) if not before or each.at < before][:limit]

    def prune(self, *, events_before: int, found_before: int, keep_from: int) -> int:
        old = [
            each.position
            for each in self.log
            if each.position < keep_from and each.arrival < events_before and each.kind in (Kind.EVENTS, Kind.TICK)
        ]
        pending = {number for (number, _, _), each in self._deliveries.items() if each["state"] == "pending"}
        told = [one.number for one in self.stored if one.detected < found_before and one.number not in pending]
        gone, done = set(old[:MOST_PRUNED]), set(told[:MOST_PRUNED])
        sent = [key for key in self._deliveries if key[0] in done]
        self.log = [each for each in self.log if each.position not in gone]
        self.stored = [one for one in self.stored if one.number not in done]
        for key in sent:
            del self._deliveries[key]
        return len(gone) + len(done) + len(sent)

    def size(self) -> int:
        return sum(len(each.body) for each in self.log) + sum(len(one.body) for one in self.stored)

    def backup(self, path: str) -> None:
        raise UsageError("what is in memory alone has no backup")

    def crashed(self) -> MemoryStore:
        """The store as the next service finds it: the lock is gone, what was committed is there."""
        made = MemoryStore()
        made.log, made.stored, made.state, made._snapshot = (
            list(self.log),
            list(self.stored),
            self.state,
            self._snapshot,
        )
        made._deliveries, made._keys = dict(self._deliveries), dict(self._keys)
        made._refused, made._audit = list(self._refused), [replace(each) for each in self._audit]
        return made
