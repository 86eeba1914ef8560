"""The service without its surroundings: one thread, no sockets, no clock of its own. Whoever drives it says the time.

    receipt = core.take(body, now, actor)      events come: admitted, and waiting to be kept
    writes = core.pending()                    what is to be made to last next; None: nothing
    core.committed(writes)                     it lasts: receipts up to `durable` may be acknowledged
    core.work(now)                             the rules see some of what lasts; what they find waits to be kept
    core.tick(now)                             time has passed

So nothing is acknowledged or evaluated before it lasts, and nobody is told of what was not kept.
What the rules remember is a function of the log: `recover` makes it again from the last snapshot and the log behind it.
Should a rule break the engine, the core `is_broken` until `mend` has done the same without that rule.
"""

from __future__ import annotations

import json
import struct
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from tocsin.algebra.notes import Notes
from tocsin.errors import SnapshotError, TocsinError
from tocsin.events import Detection
from tocsin.formats.blocks import Block
from tocsin.formats.instants import TimeStyle
from tocsin.formats.writers import detection_line
from tocsin.runtime import Runtime
from tocsin.runtime.columnar import batch_of_block
from tocsin.runtime.options import Options
from tocsin.service.admission import Admission, NotTaken, Parcel, Taken
from tocsin.service.comparisons import Comparisons
from tocsin.service.deliveries.records import pending
from tocsin.service.deliveries.targets import NO_NAMES, Names
from tocsin.service.event_types import EventTypes
from tocsin.service.gem_monitor import GEM, Commands, GemMonitor, GemText
from tocsin.service.records import AuditRecord, Entry, Kind, RefusedEvent, Snapshot, StoredDetection, Writes
from tocsin.service.requests import Registry, Request, refusal
from tocsin.service.rules_at_work import RulesAtWork
from tocsin.service.store import Store
from tocsin.stores.pieces import joined, parted
from tocsin.time.spans import HOUR, SECOND

SLICE: Final = 1024
"""Events that the rules see at a time, before others have their turn."""
MOST_TOGETHER: Final = 256
"""Bodies that become one entry of the log, if they come at one time."""
MOST_LISTED: Final = 20
"""Refused events of one body that are listed by themselves."""
MARKS: Final = 32
"""In how many steps the log is let go of that says which events came."""
MOST_TOLD: Final = 2_000
"""Characters of a GEM text that the audit shows; the log has all of it."""
_STYLE: Final = TimeStyle(False)
_READ: Final = 1000


@dataclass(frozen=True)
class CoreSettings:
    """What the core has to know: options for all rules, and limits."""

    options: Options = Options()  # noqa: RUF009 - frozen
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
    slice: int = SLICE
    """Events that the rules see at a time."""


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
    fired: list[Detection] = field(default_factory=list)
    """The same of the GEM monitor."""
    is_begun: bool = False


class Core:
    """Everything the service knows and does, step by step."""

    def __init__(self, settings: CoreSettings = CoreSettings()) -> None:  # noqa: B008 - frozen, so shared safely
        self.settings = settings
        self.notes = Notes()
        self.admission = Admission(settings.remember)
        self.types = EventTypes(accepts_undeclared=settings.accepts_undeclared)
        self.asked = self._registry()
        """The requests as they will stand when all that waits has been done: what is asked is checked against them."""
        self.rules = RulesAtWork(settings.options, self.notes)
        """The requests that the rules at work are of, and the rules."""
        self.comparisons = Comparisons()
        self.monitor = GemMonitor(settings.options)
        self.commands = Commands(settings.options, settings.most_requests_each)
        """What was asked of the GEM monitor."""
        self._waiting: list[Entry | _Group] = []
        self._parcels: dict[int, list[Parcel]] = {}
        self._work: deque[_Work] = deque()
        self._next = Writes()
        self._made: dict[int, Request] = {}
        self._committing: Writes | None = None
        self.position = self.durable = self.processed = self.number = self.serial = self.clock = 0
        self.queued = 0
        """Bytes of events that were taken and not evaluated yet."""
        self._events = self._clock_then = self._restless = 0
        self._kept_number = 0
        self._wish: int | None = None
        """When somebody asked for a snapshot while there could be none."""
        self.keep_from = 1
        """The first entry of the log that is still needed, should the service begin anew from the last snapshot."""
        self._snapshot: tuple[int, Snapshot] | None = None
        """One that waits until the detections up to a number are kept."""
        self._marks: deque[tuple[int, int]] = deque()
        """Positions and arrivals of some entries: from where on the log says which events came not long ago."""
        self._stops: dict[int, list[tuple[str, int, str]]] = {}
        """Before which entries which versions of requests stop, and why."""
        self.is_broken = False
        """Whether a rule broke the engine: nothing more is evaluated before it is mended."""
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
        return Receipt(self._wait(taken, now, actor), taken.accepted, taken.duplicates, tuple(taken.refused))

    def take_together(self, bodies: Sequence[bytes], now: int, actor: str = "") -> list[Receipt] | None:
        """Takes bodies that came at one time, all at once; None where one of them has to be looked at by itself."""
        if self.queued > self.settings.most_queued:
            raise Overloaded
        now = self._reach(now)
        found = self.admission.take_together(bodies, now)
        if found is None:
            return None
        taken, counts = found
        position = self._wait(taken, now, actor)
        return [Receipt(position, count) for count in counts]

    def _wait(self, taken: Taken, now: int, actor: str) -> int:
        """What was taken waits to be kept: the position of the entry that it is part of."""
        self.queued += len(taken.body) + 1  # with the end of the last line
        group = self._waiting[-1] if self._waiting else None
        if not isinstance(group, _Group) or not group.takes(now, actor):
            self.position += 1
            group = _Group(self.position, now, actor)
            self._waiting.append(group)
        group.taken.append(taken)
        return self.position

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

    def refuse(self, reason: str, now: int, actor: str = "", text: str = "") -> None:
        """Something came that is no event."""
        self._note_refused([NotTaken(0, "event-invalid", reason, text)], now, actor)

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
        request = replace(
            before, document=document, is_enabled=enabled, version=before.version + 1, changed=now, failure=""
        )
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
        mine = self.asked.owned[owner]
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
        self.admission.conform_to(self.types.copy() if self.types.is_needed else None)

    # -- the GEM monitor -----------------------------------------------------------------------------------------------

    def command(self, asked: GemText, now: int, actor: str = "") -> int:
        """GEM statements for the monitor: the entry at which they are done."""
        try:
            after = self.commands.checked(asked)
        except TocsinError as error:
            self._audit(now, actor, "monitor.command", asked.name, str(error)[:MOST_TOLD], "refused")
            raise
        self._audit(now, actor, "monitor.command", asked.name, asked.text[:MOST_TOLD])
        self.commands.put(self._append(Kind.COMMAND, asked.body(), now, actor), after)
        return self.position

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
        if writes.found:
            self._kept_number = writes.found[-1].number
        for entry in writes.entries:
            self._work.append(_Work(entry, deque(self._parcels.pop(entry.position, ()))))
            self.durable = entry.position

    # -- what is evaluated ---------------------------------------------------------------------------------------------

    @property
    def told(self) -> int:
        """The position up to which all was evaluated, and what came of it lasts."""
        unkept = [*(self._committing.found if self._committing is not None else ()), *self._next.found]
        return unkept[0].position - 1 if unkept else self.processed

    @property
    def is_idle(self) -> bool:
        """Whether all that lasts was evaluated, or cannot be before `mend`."""
        return not self._work or self.is_broken

    def work(self) -> list[StoredDetection]:
        """Lets the rules see some of what lasts: what was found, of which nobody is to be told before it was kept."""
        if self.is_idle:
            return []
        item = self._work[0]
        if not self._evaluate(item) or item.parcels:
            return []
        self._work.popleft()
        sifted = self.comparisons.sifted(self.rules.in_order(item.found), self.rules.owners)
        found = [self._told(one, item.entry, self.rules.owners.get(one.rule, "")) for one in sifted]
        found += [self._told(one, item.entry, GEM) for one in item.fired]
        self.commands.note(item.entry, self.monitor, found)
        self._finish(item.entry)
        if item.entry.kind is Kind.EVENTS:
            self.queued = max(0, self.queued - len(item.entry.body) - 1)
        self._note_failures(item.entry.arrival)
        self._next.found += found
        self._notify(found, item.entry.arrival)
        self._next.processed = self.processed
        if self._wish is not None:
            self._take_snapshot(self._wish)
        return found

    def _evaluate(self, item: _Work) -> bool:
        """Some of an entry. Whether that went well."""
        entry, parcel = item.entry, item.parcels[0] if item.parcels else None
        if not item.is_begun:
            item.is_begun = True
            for each in self._stops.get(entry.position, ()):
                self.rules.stop(*each)
        try:
            match entry.kind:
                case Kind.EVENTS:
                    item.fired += self.monitor.fed(item.parcels, self.settings.slice, entry.position)
                    item.found += self.rules.fed(item.parcels, self.settings.slice)
                case Kind.TICK:
                    item.fired += self.monitor.advance(entry.arrival, entry.position)
                    item.found += self.rules.advance(entry.arrival)
                case Kind.COMMAND:
                    item.fired += self.monitor.command(entry)
                case Kind.CHANGE:
                    item.found += self._change_rules(entry)
        except Exception as error:  # noqa: BLE001 - whatever breaks a rule, the service goes on without it
            self._break(entry, parcel, error)
            return False
        return True

    def _finish(self, entry: Entry) -> None:
        """All of an entry was evaluated."""
        self.processed, self._clock_then = entry.position, entry.arrival
        if entry.kind is Kind.EVENTS:
            self._events = entry.first + entry.count - 1
            self._restless = entry.arrival
            self._mark(entry)

    def _mark(self, entry: Entry) -> None:
        if self.settings.remember is not None:
            if not self._marks or entry.arrival - self._marks[-1][1] >= self.settings.remember // MARKS:
                self._marks.append((entry.position, entry.arrival))
            while len(self._marks) > 1 and self._marks[1][1] < entry.arrival - self.settings.remember:
                self._marks.popleft()

    def _told(self, one: Detection, entry: Entry, request: str) -> StoredDetection:
        """A detection as it is kept and told."""
        self.number += 1
        self._count_found(request)
        more = f', "number": {self.number}, "request": {json.dumps(request)}'
        if one.detected_us < self.started <= entry.arrival:
            more += ', "late": true'  # it was due while nobody was here
        body = f"{detection_line(one, _STYLE)[:-1]}{more}}}".encode()
        return StoredDetection(
            self.number, one.id, one.rule, request, one.type, one.time_us, one.detected_us, entry.position, body
        )

    def shadow(self, id: str) -> dict[str, int]:
        """What a shadow and the request beside it have found: both, and only one of them."""
        return self.comparisons.difference(id)

    def stats(self) -> dict[str, object]:
        """What the rules hold and have done."""
        return self.rules.stats()

    def _notify(self, found: list[StoredDetection], now: int) -> None:
        """Whoever asked for a detection is to be told, once that lasts."""
        for one in found:
            request = self.rules.standing.requests.get(one.request)
            if request is None:
                continue
            rows = [pending(one.number, request.id, target, now) for target in range(len(request.targets))]
            self._next.announced += rows
            self._next.deliveries += [row.to_json() for row in rows]

    def _count_found(self, request: str) -> None:
        self.found_counts[request] = self.found_counts.get(request, 0) + 1

    def _change_rules(self, entry: Entry) -> Iterable[Detection]:
        said = json.loads(entry.body)
        if "type" in said:
            self.rules.declare(said["type"], said["document"] if said["action"] == "declare" else None)
            return ()
        if said["action"] == "stop":
            self.rules.stop(said["id"], said["version"], said["reason"])
            return ()
        request = self._made.pop(entry.position, None) or self.rules.request_of(said)
        found = self.rules.change(request, entry.arrival, is_cancelled=said["action"] == "cancel")
        self.comparisons.note(self.rules.standing.requests.values())
        return found

    def _note_failures(self, now: int) -> None:
        """Requests that cannot be run are told, and known to whoever asks for them."""
        failures, self.rules.failures = self.rules.failures, []
        for each in failures:
            asked = self.asked.requests.get(each.id)
            if asked is not None and asked.version == each.version and not asked.failure:
                self.asked.put(replace(asked, failure=each.failure))
                self._audit(now, "", "request.fail", each.id, each.failure, "failed")

    # -- what fails ----------------------------------------------------------------------------------------------------

    def _break(self, entry: Entry, parcel: Parcel | None, error: Exception) -> None:
        """A rule broke the engine: it stops before the entry at which it did, now and whenever the log is read."""

        def try_out(rules: Runtime) -> None:
            rules.begin(self._clock_then)
            if parcel is not None:
                rules.process(batch_of_block(parcel) if isinstance(parcel, Block) else parcel)
            rules.advance(entry.arrival)

        self.is_broken = True
        for each in self.rules.culprits(try_out):
            reason = f"it broke the engine at entry {entry.position}: {type(error).__name__}: {error}"
            self._stops.setdefault(entry.position, []).append((each.id, each.version, reason))
            body = {"action": "stop", "id": each.id, "version": each.version, "before": entry.position}
            self._append(Kind.CHANGE, {**body, "reason": reason}, self.clock, "")

    def mend(self, store: Store) -> None:
        """Makes again what the rules remember, without those that broke the engine; nothing else is forgotten."""
        until = self._work[0].entry.position - 1 if self._work else self.durable
        while self.is_broken:
            self.is_broken = False
            begin = self._begin(store)
            self.rules, self.monitor = begin.rules, begin.monitor
            types = EventTypes(accepts_undeclared=self.settings.accepts_undeclared)
            for name, document in self.rules.types.items():
                types.declare(name, document)
            reader = Admission(self.settings.remember)
            for entry in _log(store, begin.after):
                if entry.kind is Kind.EVENTS:
                    reader.conform_to(types.copy() if types.is_needed else None)
                    item = _Work(entry, deque(reader.again(entry)))
                else:
                    item = _Work(entry, deque())
                    types.change(entry.body)
                if entry.position > until:  # the one at which it broke, half evaluated
                    if self._work[0].is_begun:
                        self._work[0] = item
                    break
                self._replay(item, begin)
        self._note_failures(self.clock)

    def _replay(self, item: _Work, begin: _Begin) -> None:
        """Lets the rules see again what they saw before; what it leads to was told."""
        if begin.is_lost and item.entry.kind not in (Kind.CHANGE, Kind.COMMAND):
            return
        while not self.is_broken and self._evaluate(item) and item.parcels:
            pass

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
        patience = self.rules.patience
        due = min((each for one in (self.rules, self.monitor) if (each := one.next_due()) is not None), default=None)
        if patience is None or self._clock_then > self._restless + patience:
            return due
        glance = self._clock_then + SECOND  # an order of arrival may hold events back
        return glance if due is None else min(due, glance)

    # -- what outlasts a crash -----------------------------------------------------------------------------------------

    def snapshot(self, now: int) -> Snapshot | None:
        """All that is remembered behind `processed`, once what led to it is kept; None where that is not so just now.

        Then one is made as soon as an entry is evaluated to its end, and given to whoever asks again.
        """
        is_possible = not self.is_broken and not (self._work and self._work[0].is_begun)
        if is_possible and (self._snapshot is None or self.number == self._kept_number):
            self._take_snapshot(now)
        elif self._snapshot is None:
            self._wish = now
        if self._snapshot is None or self._snapshot[0] > self._kept_number:
            return None
        snapshot, self._snapshot = self._snapshot[1], None
        self.keep_from = min([snapshot.position + 1, *(position for position, _ in self._marks)])
        return snapshot

    def _take_snapshot(self, now: int) -> None:
        self._wish = None
        state = {
            "events": self._events,
            "clock": self._clock_then,
            "shadows": self.comparisons.state(),
            "restless": self._restless,
            "marks": list(self._marks),
            "counts": [self.found_counts, self.refused_counts, self.duplicates],
        }
        pieces = [json.dumps(state, ensure_ascii=False).encode(), self.rules.snapshot(), self.monitor.snapshot()]
        body = joined(pieces)
        self._snapshot = self.number, Snapshot(self.processed, now, body)

    def recover(self, store: Store, now: int) -> None:
        """Goes on where the last service that wrote to a store was. Only before anything has come."""
        latest = store.latest()
        self.started = now
        self.number = self._kept_number = latest.number
        self.serial = latest.serial
        for entry in _log(store, 0, Kind.CHANGE):
            self._note_stop(json.loads(entry.body))
        begin = self._begin(store)
        self.rules, self.monitor = begin.rules, begin.monitor
        self.commands.begin(self.monitor)
        if begin.state is not None:
            self._restore(begin, store)
        for entry in _log(store, begin.after):
            self._recover_entry(entry, begin, latest.processed)
        self.position = self.durable = latest.position
        self.clock = max(self.clock, latest.arrival)
        self.admission.intake.before = max(self.admission.intake.before, latest.events)
        self.keep_from = min([begin.after + 1, *(position for position, _ in self._marks)])
        if begin.trouble:
            self._audit(now, "", "snapshot.restore", str(latest.processed), begin.trouble, "failed")
        self.mend(store)

    def _note_stop(self, said: Mapping[str, Any]) -> None:
        if said.get("action") == "stop":
            self._stops.setdefault(said["before"], []).append((said["id"], said["version"], said["reason"]))

    def _begin(self, store: Store) -> _Begin:
        """The rules as the last snapshot has them; where it cannot be read they are made of the log, if it is whole."""
        rules, monitor = RulesAtWork(self.settings.options, self.notes), GemMonitor(self.settings.options)
        try:
            snapshot = store.snapshot()
            if snapshot is None:
                return _Begin(rules, monitor)
            head, remembered, commanded = parted(snapshot.body)
            state = json.loads(head)
            rules.restore(remembered)
            monitor.restore(commanded)
            return _Begin(rules, monitor, snapshot.position, state)
        except (SnapshotError, ValueError, LookupError, TypeError, struct.error) as error:
            trouble = f"the snapshot cannot be read ({error})"
        positions = [entry.position for entry in _log(store, 0)]
        is_whole = positions == list(range(1, store.latest().position + 1))
        rest = "the log is whole: everything is made of it again" if is_whole else "the rules begin without any memory"
        fresh = RulesAtWork(self.settings.options, self.notes)
        return _Begin(fresh, GemMonitor(self.settings.options), is_lost=not is_whole, trouble=f"{trouble}; {rest}")

    def _restore(self, begin: _Begin, store: Store) -> None:
        state: Mapping[str, Any] = begin.state or {}
        self.processed = begin.after
        self._events, self._restless = state["events"], state["restless"]
        self.clock = self._clock_then = state["clock"]
        self._marks = deque((position, arrival) for position, arrival in state["marks"])
        found, refused, self.duplicates = state["counts"]
        self.found_counts, self.refused_counts = dict(found), dict(refused)
        self.comparisons.note(self.rules.standing.requests.values())
        self.comparisons.restore(state.get("shadows", {}))
        self._remember(store)
        for request in self.rules.standing.requests.values():
            self.asked.put(request)
        for name, document in self.rules.types.items():
            self._declared(name, document)
        self.admission.intake.before = self._events

    def _remember(self, store: Store) -> None:
        """Which events came is known from the log: it would be most of a snapshot."""
        first = self._marks[0][0] if self._marks else 0 if self.settings.remember is None else self.processed + 1
        for entry in _log(store, first - 1, Kind.EVENTS):
            if entry.position > self.processed:
                break
            self.admission.remember([entry])

    def _recover_entry(self, entry: Entry, begin: _Begin, processed: int) -> None:
        parcels: list[Parcel] = []
        self.clock = max(self.clock, entry.arrival)
        if entry.kind is Kind.EVENTS:
            parcels = self.admission.again(entry)
        elif entry.kind is Kind.CHANGE:
            self._ask_again(json.loads(entry.body), entry.position)
        elif entry.kind is Kind.COMMAND:
            self.commands.again(entry)
        item = _Work(entry, deque(parcels))
        if entry.position > processed:
            self.queued += len(entry.body) + 1 if entry.kind is Kind.EVENTS else 0
            self._work.append(item)
            return
        self._replay(item, begin)
        for one in self.comparisons.sifted(item.found, self.rules.owners):
            self._count_found(self.rules.owners.get(one.rule, ""))
        for _ in item.fired:
            self._count_found(GEM)
        self._finish(entry)
        self._note_failures(entry.arrival)

    def _ask_again(self, said: Mapping[str, Any], position: int) -> None:
        if "type" in said:
            self._declared(said["type"], said["document"] if said["action"] == "declare" else None)
        elif said["action"] == "stop":
            stopped = self.asked.requests.get(said["id"])
            if stopped is not None and stopped.version == said["version"]:
                self.asked.put(replace(stopped, failure=said["reason"]))
        else:
            request = self._made[position] = self.rules.request_of(said)
            _put(self.asked, said["action"], request)


@dataclass(frozen=True)
class _Begin:
    """Where the rules are taken up: as they were behind a position."""

    rules: RulesAtWork
    monitor: GemMonitor
    after: int = 0
    state: Mapping[str, Any] | None = None
    is_lost: bool = False
    """Whether what the rules remembered is lost: only the requests are known."""
    trouble: str = ""


def _log(store: Store, after: int, kind: Kind | None = None) -> Iterator[Entry]:
    """The log behind a position."""
    while entries := store.entries(after, _READ, kind="" if kind is None else kind.value):
        yield from entries
        after = entries[-1].position


def _put(registry: Registry, action: str, request: Request) -> None:
    if action == "cancel":
        registry.remove(request.id)
    else:
        registry.put(request)
