"""The service without its surroundings: one thread, no sockets, no clock of its own. Whoever drives it says the time.

    receipt = core.take(body, now, actor)      events come: admitted, and waiting to be kept
    writes = core.pending()                    what is to be made to last next; None: nothing
    core.committed(writes)                     it lasts: receipts up to `durable` may be acknowledged
    core.work(now)                             the rules see some of what lasts; what they find waits to be kept
    core.tick(now)                             time has passed

So nothing is acknowledged before it lasts, nothing is evaluated before it lasts, and nobody is told of what was not kept.
What the rules remember is a function of the log: `recover` makes it again from the last snapshot and the log behind it.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from tocsin.algebra.notes import Notes
from tocsin.algebra.rules import BEST_EFFORT, Order, Program
from tocsin.events import Detection
from tocsin.formats.blocks import Block
from tocsin.formats.instants import TimeStyle
from tocsin.formats.writers import detection_line
from tocsin.rules.budgets import Budget, Budgets
from tocsin.runtime import Runtime
from tocsin.runtime.columnar import batch_of_block
from tocsin.runtime.options import Options
from tocsin.runtime.shadow import Shadow
from tocsin.service.admission import Admission, NotTaken, Parcel, Taken
from tocsin.service.deliveries.records import pending
from tocsin.service.deliveries.targets import NO_NAMES, Names
from tocsin.service.event_types import EventTypes
from tocsin.service.records import AuditRecord, Entry, Found, Kind, RefusedEvent, Snapshot, Writes
from tocsin.service.requests import Registry, Request, enabled_program, refusal
from tocsin.service.store import Store
from tocsin.stores.pieces import joined, parted
from tocsin.time.spans import HOUR, SECOND

SLICE: Final = 1024
"""Events that the rules see at a time, before others have their turn."""
MOST_TOGETHER: Final = 256
"""Bodies that become one entry of the log, if they come at one time."""
MOST_LISTED: Final = 20
"""Refused events of one body that are listed by themselves."""
_STYLE: Final = TimeStyle(False)
_READ: Final = 1000


@dataclass(frozen=True)
class CoreSettings:
    """What the core has to know: options for all rules, and limits."""

    options: Options = Options()
    remember: int | None = HOUR
    accepts_undeclared: bool = True
    allows_unbounded: bool = False
    names: Names = NO_NAMES
    """Files and programs that callbacks may name."""
    most_queued: int = 64 << 20
    """Bytes of events that wait to be kept or evaluated, before no more are taken."""
    most_requests: int = 10_000
    most_requests_each: int = 1_000
    """Requests of one owner."""
    most_expression: int = 20_000
    """Characters of an expression."""


class Receipt(NamedTuple):
    """What became of events that came: they may be acknowledged when the log lasts up to `position`."""

    position: int
    accepted: int = 0
    duplicates: int = 0
    refused: tuple[NotTaken, ...] = ()


class Overloaded(Exception):
    """More has come than can be kept or evaluated just now."""


@dataclass
class _Group:
    """Bodies of events that came at one time, and become one entry."""

    position: int
    arrival: int
    actor: str
    taken: list[Taken] = field(default_factory=list)

    def takes(self, arrival: int, actor: str) -> bool:
        """Whether what comes now may be part of the same entry."""
        return self.arrival == arrival and self.actor == actor and len(self.taken) < MOST_TOGETHER


@dataclass
class _Work:
    """An entry that lasts, and what is left of it to be evaluated."""

    entry: Entry
    parcels: deque[Parcel]
    found: list[Detection] = field(default_factory=list)
    """What came of it so far: told when all of it was evaluated, so that a crash never leaves half of it told."""
    is_begun: bool = False


class Core:
    """Everything the service knows and does, step by step."""

    def __init__(self, settings: CoreSettings = CoreSettings()) -> None:  # noqa: B008 - frozen, so shared safely
        self.settings = settings
        self.notes = Notes()
        self._budgets: dict[str, Budget] = {}
        self.admission = Admission(settings.remember)
        self.types = EventTypes(accepts_undeclared=settings.accepts_undeclared)
        self.asked = self._registry()
        """The requests as they will stand when all that waits has been done: what is asked is checked against them."""
        self.standing = self._registry()
        """The requests that the rules at work are of."""
        self._options = replace(settings.options, budgets=Budgets(settings.options.budgets.each, None, self._budgets))
        self._runtime = Runtime(Program(), self._options, notes=self.notes)
        self._owners: dict[str, str] = {}
        self._shadows: dict[str, Shadow] = {}
        self._shadowed: dict[str, list[str]] = {}
        """The shadows of each request that has some."""
        self._waiting: list[Entry | _Group] = []
        self._parcels: dict[int, list[Parcel]] = {}
        self._work: deque[_Work] = deque()
        self._next = Writes()
        self._made: dict[int, Request] = {}
        self._committing: Writes | None = None
        self.position = self.durable = self.processed = self.number = self.serial = self.clock = 0
        self.queued = 0
        """Bytes of events that were taken and not evaluated yet."""
        self._types: dict[str, Mapping[str, Any]] = {}
        self._events = self._high = self._clock_then = self._restless = 0
        self.started = 0
        """When this service began: what was due before it, and fires now, is late."""
        self.found_counts: dict[str, int] = {}
        self.refused_counts: dict[str, int] = {}
        self.duplicates = 0

    def _registry(self) -> Registry:
        settings = self.settings
        return Registry(settings.options, allows_unbounded=settings.allows_unbounded, names=settings.names)

    # -- what comes ----------------------------------------------------------------------------------------------------

    def take(self, body: bytes, now: int, actor: str = "", may_send: Callable[[str], bool] | None = None) -> Receipt:
        """Takes lines of JSON, of types that may be sent. Nothing is acknowledged yet: see `durable`."""
        if self.queued > self.settings.most_queued:
            raise Overloaded
        now = self._reach(now)
        taken = self.admission.take(body, now, may_send)
        self.duplicates += taken.duplicates
        self._note_refused(taken.refused, now, actor)
        if not taken.accepted:  # what repeats is acknowledged when what it repeats is
            return Receipt(self.position, 0, taken.duplicates, tuple(taken.refused))
        self.queued += len(taken.body)
        group = self._waiting[-1] if self._waiting else None
        if not isinstance(group, _Group) or not group.takes(now, actor):
            self.position += 1
            group = _Group(self.position, now, actor)
            self._waiting.append(group)
        group.taken.append(taken)
        return Receipt(self.position, taken.accepted, taken.duplicates, tuple(taken.refused))

    def _reach(self, now: int) -> int:
        """The clock of arrivals, which never goes back, whatever the clock of the machine does."""
        self.clock = max(self.clock, now)
        return self.clock

    def _append(self, kind: Kind, body: Mapping[str, Any] | bytes, now: int, actor: str) -> int:
        self.position += 1
        data = body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()
        self._waiting.append(Entry(self.position, kind, self._reach(now), data, actor))
        return self.position

    def _note_refused(self, refused: list[NotTaken], now: int, actor: str) -> None:
        for each in refused:
            self.refused_counts[each.code] = self.refused_counts.get(each.code, 0) + 1
        self._next.refused += [
            RefusedEvent(now, each.code, each.message, "", actor, each.text) for each in refused[:MOST_LISTED]
        ]

    # -- requests ------------------------------------------------------------------------------------------------------

    def create(self, document: Mapping[str, Any], now: int, actor: str = "", owner: str = "") -> tuple[Request, int]:
        """A new request, and the position behind which it stands."""
        self._check_limits(document, owner)
        request = self.asked.made(f"r{self.position + 1}", document, owner, now)
        return request, self._change("create", request, now, actor)

    def alter(self, id: str, document: Mapping[str, Any], now: int, actor: str = "") -> tuple[Request, int]:
        """Another document for a request; the rules of it that are equal keep what they remember."""
        before = self._asked(id)
        self._check_limits(document, before.owner, is_new=False)
        request = self.asked.made(id, document, before.owner, now, before)
        return request, self._change("alter", request, now, actor)

    def switch(self, id: str, enabled: bool, now: int, actor: str = "") -> tuple[Request, int]:
        """Lets a request's rules see events, or see them no more and forget what they saw."""
        before = self._asked(id)
        document = {**before.document, "enabled": enabled}
        request = replace(before, document=document, is_enabled=enabled, version=before.version + 1, changed=now)
        return request, self._change("enable" if enabled else "disable", request, now, actor)

    def cancel(self, id: str, now: int, actor: str = "") -> int:
        """A request is no more."""
        request = self._asked(id)
        return self._change("cancel", request, now, actor)

    def _asked(self, id: str) -> Request:
        if id not in self.asked.requests:
            raise refusal("request-unknown", f"there is no request '{id}'", status=404)
        return self.asked.requests[id]

    def _check_limits(self, document: Mapping[str, Any], owner: str, is_new: bool = True) -> None:
        limits = self.settings
        for key in ("expression", "condition"):
            if isinstance(text := document.get(key), str) and len(text) > limits.most_expression:
                raise refusal(
                    "expression-too-long", f"'{key}' has {len(text)} characters: {limits.most_expression} at most", key
                )
        if not is_new:
            return
        if len(self.asked.requests) >= limits.most_requests:
            raise refusal(
                "too-many-requests", f"there are {limits.most_requests} requests, and may be no more", status=429
            )
        mine = sum(each.owner == owner for each in self.asked.requests.values())
        if mine >= limits.most_requests_each:
            message = f"'{owner}' has {mine} requests, and may have no more"
            raise refusal("too-many-requests", message, status=429)

    def _change(self, action: str, request: Request, now: int, actor: str) -> int:
        body: dict[str, Any] = {
            "action": action,
            "id": request.id,
            "document": request.document,
            "owner": request.owner,
        }
        body |= {"version": request.version, "created": request.created, "changed": request.changed}
        position = self._append(Kind.CHANGE, body, now, actor)
        self._made[position] = request
        _put(self.asked, action, request)
        self._audit(now, actor, f"request.{action}", request.id, request.name)
        return position

    def _audit(self, now: int, actor: str, action: str, subject: str, details: str = "", outcome: str = "done") -> None:
        self._next.audit.append(AuditRecord(now, actor, action, subject, outcome, details))

    def audit(self, record: AuditRecord) -> None:
        """Somebody did something, or could not."""
        self._next.audit.append(record)

    # -- event types ---------------------------------------------------------------------------------------------------

    def declare(self, name: str, document: Mapping[str, Any], now: int, actor: str = "") -> int:
        """Events of a type have to be like this from now on."""
        checked = self.types.checked(name, document)
        self._audit(now, actor, "type.declare", name)
        position = self._append(Kind.CHANGE, {"action": "declare", "type": name, "document": checked}, now, actor)
        self._declared(name, checked)
        return position

    def undeclare(self, name: str, now: int, actor: str = "") -> int:
        """Events of a type may be anything again."""
        if name not in self.types.documents:
            raise refusal("type-unknown", f"there is no event type '{name}'", status=404)
        self._audit(now, actor, "type.remove", name)
        position = self._append(Kind.CHANGE, {"action": "undeclare", "type": name}, now, actor)
        self._declared(name, None)
        return position

    def _declared(self, name: str, document: Mapping[str, Any] | None) -> None:
        if document is None:
            self.types.remove(name)
        else:
            self.types.declare(name, document)
        self.asked.declarations = dict(self.types.declarations)
        self.admission.conform_to(self.types if self.types.is_needed else None)

    # -- keys ----------------------------------------------------------------------------------------------------------

    def keep_keys(self, records: list[Mapping[str, Any]], action: str, now: int, actor: str = "") -> int:
        """Keys as they are from now on; the serial of the writes that they are among."""
        self._next.keys += records
        for record in records:
            self._audit(now, actor, action, record["id"], record["name"])
        return self.serial + 1

    def keep_deliveries(self, records: Iterable[Mapping[str, Any]]) -> int:
        """How far deliveries have got; the serial of the writes that they are among."""
        self._next.deliveries += records
        return self.serial + 1

    # -- what is made to last ------------------------------------------------------------------------------------------

    def pending(self) -> Writes | None:
        """What is to be made to last next, if anything. Until it was `committed` there is nothing else."""
        if self._committing is not None:
            return None
        self._next.entries = [self._entry(each) for each in self._waiting]
        self._waiting = []
        if not self._next:
            return None
        self.serial += 1
        self._committing, self._next = self._next, Writes()
        self._committing.serial = self.serial
        return self._committing

    def _entry(self, waiting: Entry | _Group) -> Entry:
        if isinstance(waiting, Entry):
            return waiting
        some = waiting.taken
        listed = [each.types for each in some]
        self._parcels[waiting.position] = [parcel for each in some for parcel in each.parcels]
        return Entry(
            waiting.position,
            Kind.EVENTS,
            waiting.arrival,
            some[0].body if len(some) == 1 else b"\n".join(each.body for each in some),
            waiting.actor,
            sum(each.accepted for each in some),
            some[0].first,
            min(each.low for each in some),
            max(each.high for each in some),
            tuple(dict.fromkeys(name for each in listed for name in each)) if all(listed) else (),
        )

    def committed(self, writes: Writes) -> None:
        """What was pending lasts."""
        assert writes is self._committing, "what is committed is what was pending"
        self._committing = None
        for entry in writes.entries:
            self._work.append(_Work(entry, deque(self._parcels.pop(entry.position, ()))))
            self.durable = entry.position

    # -- what is evaluated ---------------------------------------------------------------------------------------------

    @property
    def is_idle(self) -> bool:
        """Whether all that lasts was evaluated."""
        return not self._work

    def work(self) -> list[Found]:
        """Lets the rules see some of what lasts: what was found, of which nobody is to be told before it was kept."""
        if not self._work:
            return []
        item = self._work[0]
        self._evaluate(item)
        if item.parcels:
            return []
        self._work.popleft()
        found = [self._told(one, item.entry) for one in self._compared(item.found)]
        self._finish(item.entry)
        self._next.found += found
        self._notify(found, item.entry.arrival)
        self._next.processed = self.processed
        return found

    def _evaluate(self, item: _Work) -> None:
        """Some of an entry."""
        entry, item.is_begun = item.entry, True
        match entry.kind:
            case Kind.EVENTS:
                item.found += self._fed(item.parcels)
            case Kind.TICK:
                item.found += self._runtime.advance(entry.arrival)
            case Kind.CHANGE:
                self._change_rules(entry)

    def _fed(self, parcels: deque[Parcel]) -> Iterable[Detection]:
        if not parcels:
            return ()
        parcel = parcels.popleft()
        if len(parcel) > SLICE:
            rest = parcel.part(SLICE, len(parcel)) if isinstance(parcel, Block) else parcel[SLICE:]
            parcels.appendleft(rest)
            parcel = parcel.part(0, SLICE) if isinstance(parcel, Block) else parcel[:SLICE]
        return self._runtime.process(batch_of_block(parcel) if isinstance(parcel, Block) else parcel)

    def _finish(self, entry: Entry) -> None:
        """All of an entry was evaluated."""
        self.processed, self._clock_then = entry.position, entry.arrival
        if entry.kind is Kind.EVENTS:
            self.queued = max(0, self.queued - len(entry.body))
            self._events, self._high = entry.first + entry.count - 1, max(self._high, entry.high)
            self._restless = entry.arrival

    def _told(self, one: Detection, entry: Entry) -> Found:
        """A detection as it is kept and told."""
        self.number += 1
        request = self._owners.get(one.rule, "")
        self.found_counts[request] = self.found_counts.get(request, 0) + 1
        more = f', "number": {self.number}, "request": {json.dumps(request)}'
        if entry.kind is Kind.TICK and one.detected_us < self.started:
            more += ', "late": true'  # it was due while nobody was here
        body = f"{detection_line(one, _STYLE)[:-1]}{more}}}".encode()
        return Found(
            self.number, one.id, one.rule, request, one.type, one.time_us, one.detected_us, entry.position, body
        )

    def _compared(self, found: list[Detection]) -> list[Detection]:
        """What is told: what a shadow finds only goes into its comparison with what the request beside it finds."""
        if not self._shadows:
            return found
        told = []
        for one in found:
            request = self._owners.get(one.rule, "")
            events = "\0".join(one.events)
            if request in self._shadows:
                self._shadows[request].add([(request, events, True)])
                continue
            told.append(one)
            for shadow in self._shadowed.get(request, ()):
                self._shadows[shadow].add([(shadow, events, False)])
        return told

    def _note_shadows(self) -> None:
        """Which requests are tried out beside which, after a change."""
        beside = {each.id: each.shadows for each in self.standing.requests.values() if each.shadows and each.is_enabled}
        self._shadows = {shadow: self._shadows.get(shadow, Shadow()) for shadow in beside}
        self._shadowed = {}
        for shadow, live in beside.items():
            self._shadowed.setdefault(live, []).append(shadow)

    def shadow(self, id: str) -> dict[str, int]:
        """What a shadow and the request beside it have found: both, and only one of them."""
        shadow = self._shadows.get(id, Shadow())
        return (
            {"both": 0, "live only": 0, "candidate only": 0}
            | shadow.difference().get(id, {})
            | {"waiting": shadow.given_up}
        )

    def stats(self) -> dict[str, object]:
        """What the rules hold and have done."""
        return self._runtime.stats()

    def _notify(self, found: list[Found], now: int) -> None:
        """Whoever asked for a detection is to be told, once that lasts."""
        for one in found:
            request = self.standing.requests.get(one.request)
            if request is None or request.shadows:
                continue
            rows = [pending(one.number, request.id, target, now) for target in range(len(request.targets))]
            self._next.announced += rows
            self._next.deliveries += [row.to_json() for row in rows]

    def _change_rules(self, entry: Entry) -> None:
        said = json.loads(entry.body)
        if "type" in said:
            if said["action"] == "declare":
                self._types[said["type"]] = said["document"]
            else:
                self._types.pop(said["type"], None)
            return
        request = self._made.pop(entry.position, None) or self._request_of(said)
        _put(self.standing, said["action"], request)
        self._budgets.clear()
        self._budgets.update(
            (rule, each.budget)
            for each in self.standing.requests.values()
            if each.budget is not None
            for rule in each.rules
        )
        self._owners = self.standing.owners
        self._note_shadows()
        self._runtime.change(enabled_program(self.standing.program()))

    def _request_of(self, said: Mapping[str, Any]) -> Request:
        """A request as the log has it."""
        made = self.standing.made(said["id"], said["document"], said["owner"], said["created"], None, is_trusted=True)
        enabled = said["document"].get("enabled") is not False
        return replace(made, version=said["version"], changed=said["changed"], is_enabled=enabled)

    # -- time ----------------------------------------------------------------------------------------------------------

    def tick(self, now: int) -> bool:
        """Time has passed. Whether some rule was waiting for that: then it is a step of the log."""
        if self._work or self._waiting or self._committing is not None:
            return False  # time passes with them
        due = self.next_due()
        if due is None or due > now:
            return False
        self._append(Kind.TICK, b"", now, "")
        return True

    def next_due(self) -> int | None:
        """When a rule has something to do, should nothing come."""
        due = self._runtime.next_due()
        if self._patience is None or self.clock > self._restless + self._patience:
            return due
        glance = self.clock + SECOND  # an order of arrival may hold events back
        return glance if due is None else min(due, glance)

    @property
    def _patience(self) -> int | None:
        """How long orders of arrival hold events back, at most; None: they do not."""
        orders = {self.settings.options.order, *(rule.order for rule in self.standing.program().rules if rule.order)}
        spans = [span for order in orders if (span := _patience_of(order)) is not None]
        return max(spans, default=None)

    # -- what outlasts a crash -----------------------------------------------------------------------------------------

    def snapshot(self, now: int) -> Snapshot | None:
        """All that is remembered behind `processed`; None where an entry is half evaluated, or what was found is not
        kept yet."""
        is_told = not self._next.found and (self._committing is None or not self._committing.found)
        if not is_told or (self._work and self._work[0].is_begun):
            return None
        state = {
            "requests": [_record_of(each) for each in self.standing.requests.values()],
            "types": self._types,
            "events": self._events,
            "high": self._high,
            "clock": self._clock_then,
            "shadows": {shadow: each.state() for shadow, each in self._shadows.items()},
            "counts": [self.found_counts, self.refused_counts, self.duplicates],
        }
        body = joined([json.dumps(state, ensure_ascii=False).encode(), self._runtime.snapshot()])
        return Snapshot(self.processed, now, body)

    def recover(self, store: Store, now: int) -> None:
        """Goes on where the last service that wrote to a store was. Only before anything has come."""
        latest = store.latest()
        self.started = now
        self.number, self.serial = latest.number, latest.serial
        snapshot = store.snapshot()
        if snapshot is not None:
            self._restore(snapshot, store)
        after = self.processed
        while entries := store.entries(after, _READ):
            for entry in entries:
                self._recover_entry(entry, latest.processed)
            after = entries[-1].position
        self.position = self.durable = latest.position
        self.clock = max(self.clock, latest.arrival)
        self.admission.intake.before = max(self.admission.intake.before, latest.events)

    def _recover_entry(self, entry: Entry, processed: int) -> None:
        parcels: list[Parcel] = []
        self.clock = max(self.clock, entry.arrival)
        if entry.kind is Kind.EVENTS:
            parcels = self.admission.again(entry)
            self.queued += len(entry.body)
        elif entry.kind is Kind.CHANGE:
            self._ask_again(json.loads(entry.body))
        item = _Work(entry, deque(parcels))
        if entry.position > processed:
            self._work.append(item)
            return
        self._evaluate(item)
        while item.parcels:
            self._evaluate(item)
        self._compared(item.found)
        self._finish(entry)  # what it led to was told before

    def _ask_again(self, said: Mapping[str, Any]) -> None:
        if "type" in said:
            self._declared(said["type"], said["document"] if said["action"] == "declare" else None)
        else:
            _put(self.asked, said["action"], self._request_of(said))

    def _restore(self, snapshot: Snapshot, store: Store) -> None:
        head, rules = parted(snapshot.body)
        state = json.loads(head)
        self.processed = snapshot.position
        self._types, self._events, self._high = dict(state["types"]), state["events"], state["high"]
        self.clock = self._clock_then = state["clock"]
        found, refused, self.duplicates = state["counts"]
        self.found_counts, self.refused_counts = dict(found), dict(refused)
        for each in state["requests"]:
            self.standing.put(self._request_of(each))
        self._owners = self.standing.owners
        self._note_shadows()
        for shadow, each in state.get("shadows", {}).items():
            self._shadows[shadow].restore(each)
        self._runtime.change(enabled_program(self.standing.program()))
        self._runtime.restore(rules)
        if self.settings.remember is not None:
            self._remember(store, self._high - self.settings.remember)
        self.asked.requests = dict(self.standing.requests)
        for name, document in self._types.items():
            self._declared(name, document)
        self.admission.intake.before = self._events

    def _remember(self, store: Store, since: int) -> None:
        """Which events came is known from the log: it would be most of a snapshot."""
        after = 0
        while entries := store.entries(after, _READ, high=since, kind=Kind.EVENTS.value):
            self.admission.remember(each for each in entries if each.position <= self.processed)
            after = entries[-1].position
            if after > self.processed:
                break


def _put(registry: Registry, action: str, request: Request) -> None:
    if action == "cancel":
        registry.remove(request.id)
    else:
        registry.put(request)


def _record_of(request: Request) -> dict[str, Any]:
    names = ("id", "document", "owner", "version", "created", "changed")
    return {name: getattr(request, name) for name in names}


def _patience_of(order: Order) -> int | None:
    """How long an order holds an event back; a while, where only what comes can tell."""
    if order == BEST_EFFORT:
        return None
    span = order.delay or order.idle
    return HOUR if span is None else span.length() + SECOND
