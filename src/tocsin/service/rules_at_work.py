"""The rules behind a position of the log: the requests that stand there, and what their rules remember.

All of it is a function of the log. So changes that come one after the other may be done together, just before something
comes that the rules see; where time alone could tell the difference (a rule rings by itself, an order holds events
back, something fell due meanwhile), each is done when it comes.
"""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from tocsin.algebra.notes import Notes
from tocsin.algebra.rules import BEST_EFFORT, Order, Program, Rule, shown_name
from tocsin.events import Detection
from tocsin.formats.blocks import Block
from tocsin.rules.budgets import Budget, Budgets
from tocsin.rules.programs import rules_program, without_rules
from tocsin.runtime import Runtime
from tocsin.runtime.clocks import by_clock
from tocsin.runtime.columnar import batch_of_block
from tocsin.runtime.options import Options
from tocsin.service.admission import Parcel
from tocsin.service.requests import Registry, Request, RequestRefused, enabled_program
from tocsin.stores.pieces import joined, parted
from tocsin.time.spans import HOUR, SECOND


class RulesAtWork:
    """The requests that stand, and their rules."""

    def __init__(self, options: Options, notes: Notes) -> None:
        self._budgets: dict[str, Budget] = {}
        self._options = replace(options, budgets=Budgets(options.budgets.each, options.budgets.total, self._budgets))
        self._runtime = Runtime(Program(), self._options, notes=notes)
        self.standing = Registry(options)
        self.types: dict[str, Mapping[str, Any]] = {}
        """The event types that are declared, as they were."""
        self.owners: dict[str, str] = {}
        """The request that each rule belongs to."""
        self.patience = _patience_of(options.order)
        """How long orders of arrival hold events back, at most; None: they do not."""
        self.shortest: int | None = None
        """The shortest detection window of a rule: what is older may be refused."""
        self.failures: list[Request] = []
        """Requests that cannot run, each with the reason, to be told."""
        self._changed: dict[str, None] = {}
        """Requests that changed and whose rules have not yet."""
        self._gone: set[str] = set()
        """Rules that were taken away meanwhile: what they remember is lost, even if they are there again."""
        self._running: dict[str, Rule] = {}
        self._clocks: dict[str, int] = {}
        """Where there are several clocks: the place of each rule's."""
        self._stirring: set[str] = set()
        """Requests whose rules may do something when nothing comes."""

    # -- what comes ----------------------------------------------------------------------------------------------------

    def fed(self, parcels: deque[Parcel], most: int) -> Sequence[Detection]:
        """Lets the rules see the next events, not too many at a time."""
        self.settle()
        if not parcels:
            return ()
        if len(parcels[0]) > most:
            parcels.extendleft(reversed(_pieces(parcels.popleft(), most)))
        parcel = parcels.popleft()
        self._begin(_arrival_of(parcel))
        if not isinstance(parcel, Block):
            return self._runtime.process(parcel)
        found = [*self._runtime.process(batch_of_block(parcel))]
        parcel.rows.release()  # a block is held as long as one of its events is in a window
        return found

    def advance(self, now: int) -> Sequence[Detection]:
        """Time has passed."""
        self.settle()
        self._begin(now)
        return self._runtime.advance(now)

    def in_order(self, found: list[Detection]) -> list[Detection]:
        """Detections in order, which is the same in whatever slices the rules saw what led to them."""
        if not self._clocks:
            return found
        return sorted(found, key=lambda one: (one.detected_us, self._clocks.get(one.rule, 0)))

    def _begin(self, now: int) -> None:
        """Clocks of arrivals begin with the first entry of the log, so that what rings by itself needs no event."""
        if not self._runtime.has_begun and self.patience is None:
            self._runtime.begin(now)

    def stats(self) -> dict[str, object]:
        """What the rules hold and have done."""
        return self._runtime.stats()

    def useless(self) -> Counter[str]:
        """Events that rules refused or dropped, by the reason: too old for their window, too many for their budget."""
        found = Counter[str]()
        rules = self.stats()["rules"]
        assert isinstance(rules, dict)
        for name, told in rules.items():
            if refused := told.get("refused"):
                found[f"older than the detection window of rule {shown_name(name)}"] = refused
            budget = told.get("budget") or {}
            if over := budget.get("refused", 0) + budget.get("dropped", 0):
                found[f"rule {shown_name(name)} holds no more than its budget"] = over
        return found

    def late(self) -> dict[str, int]:
        """How many events of those that each rule takes came after one that is later."""
        rules = self.stats()["rules"]
        assert isinstance(rules, dict)
        return {name: told.get("late", 0) for name, told in rules.items() if told.get("late")}

    def next_due(self) -> int | None:
        """When a rule has something to do, should nothing come."""
        return self._runtime.next_due()

    # -- what changes --------------------------------------------------------------------------------------------------

    def declare(self, name: str, document: Mapping[str, Any] | None) -> None:
        """Events of a type have to be like this from now on, or may be anything again."""
        if document is None:
            self.types.pop(name, None)
        else:
            self.types[name] = document

    def change(self, request: Request, now: int, *, is_cancelled: bool = False) -> Sequence[Detection]:
        """A request stands as it is from now on, or no more: what fell due before."""
        before = self.standing.requests.get(request.id)
        stirs = not is_cancelled and request.is_at_work and request.stirs(self._options)
        is_quiet = not self._stirring and not stirs
        due = self._runtime.next_due()
        found: Sequence[Detection] = ()
        if not is_quiet or (due is not None and due <= now):
            found = self.advance(now)
        self._note_gone(before, None if is_cancelled else request)
        if is_cancelled:
            self.standing.remove(request.id)
        else:
            self.standing.put(request)
        self._stirring.discard(request.id)
        if stirs:
            self._stirring.add(request.id)
        self._changed[request.id] = None
        if not is_quiet:
            self.settle()
        return found

    def _note_gone(self, before: Request | None, after: Request | None) -> None:
        left = {rule.name: rule for rule in after.definitions} if after is not None and after.is_at_work else {}
        for rule in before.definitions if before is not None and before.is_at_work else ():
            others = [each for each in self.standing.holders(rule.name) if each.is_at_work and each.id != before.id]  # type: ignore[union-attr]
            if left.get(rule.name) != rule and not others:
                self._gone.add(rule.name)

    def stop(self, id: str, version: int, reason: str) -> None:
        """A version of a request does not run any more, for a reason."""
        request = self.standing.requests.get(id)
        if request is not None and request.version == version and not request.failure:
            self._note_gone(request, None)
            self._fail(request, reason)
            self._changed[id] = None

    def _fail(self, request: Request, reason: str) -> None:
        failed = replace(request, failure=reason)
        self.standing.put(failed)
        self._stirring.discard(request.id)
        self.failures.append(failed)

    def settle(self) -> None:
        """The rules are those of the requests that stand."""
        if not self._changed:
            return
        changed, self._changed = list(self._changed), {}
        try:
            self._apply()
        except Exception:  # noqa: BLE001 - whatever it is, it must harm nobody else
            self._apply_apart(changed)
        self.owners = self.standing.owners
        orders = {self._options.order, *(rule.order for rule in self._running.values() if rule.order)}
        spans = [span for order in orders if (span := _patience_of(order)) is not None]
        self.patience = max(spans, default=None)
        windows = [rule.window.length() for rule in self._running.values() if rule.window is not None]
        self.shortest = min(windows, default=None)

    def _apply(self) -> None:
        requests = [each for each in self.standing.requests.values() if each.is_at_work and each.budget is not None]
        self._budgets.clear()
        self._budgets.update((rule, each.budget) for each in requests if each.budget for rule in each.rules)
        program = enabled_program(self.standing.program())
        rules = {rule.name: rule for rule in program.rules}
        again = {name for name in self._gone if name in rules and rules[name] == self._running.get(name)}
        if again:
            self._runtime.change(without_rules(program, again))
        self._runtime.change(program)
        self._running, self._gone = rules, set()
        groups = by_clock(program, self._options.order)
        heard = ((place, rule) for place, group in enumerate(groups) for rule in group.heard)
        self._clocks = {rule: place for place, rule in heard} if len(groups) > 1 else {}

    def _apply_apart(self, changed: Iterable[str]) -> None:
        """Takes up changed requests one by one; those that cannot be run are told, and run no more."""
        waiting = [each for id in changed if (each := self.standing.requests.get(id)) and each.is_at_work]
        for each in waiting:
            self.standing.put(replace(each, is_enabled=False))
        self._apply()
        for each in waiting:
            self.standing.put(each)
            try:
                self._apply()
            except Exception as error:  # noqa: BLE001 - as above
                self._fail(each, f"it cannot be run: {error or type(error).__name__}")
                self._apply()

    # -- what fails ----------------------------------------------------------------------------------------------------

    def culprits(self, try_out: Callable[[Runtime], object]) -> list[Request]:
        """The requests whose rules fail by themselves at what all of them failed at; all, where none does alone."""
        working = [each for each in self.standing.requests.values() if each.is_at_work]
        found: list[Request] = []
        for each in working:
            alone = Runtime(rules_program(self.standing.beside(each.definitions)), self._options)
            try:
                try_out(alone)
            except Exception:  # noqa: BLE001 - that is what is asked
                found.append(each)
        return found or working

    # -- what is remembered --------------------------------------------------------------------------------------------

    def snapshot(self) -> bytes:
        """All that is remembered."""
        self.settle()
        state = {"requests": [_record_of(each) for each in self.standing.requests.values()], "types": self.types}
        return joined([json.dumps(state, ensure_ascii=False).encode(), self._runtime.snapshot()])

    def restore(self, body: bytes) -> None:
        """Goes on from what is remembered; only where nothing has come yet."""
        head, rules = parted(body)
        state = json.loads(head)
        self.types = dict(state["types"])
        for each in state["requests"]:
            request = self.request_of(each)
            self.standing.put(request)
            self._changed[request.id] = None
            if request.is_at_work and request.stirs(self._options):
                self._stirring.add(request.id)
        self.settle()
        self._runtime.restore(rules)

    def request_of(self, said: Mapping[str, Any]) -> Request:
        """A request as the log has it. One that cannot be read any more stands, and does not run."""
        document, failure = said["document"], said.get("failure", "")
        try:
            made = self.standing.made(said["id"], document, said["owner"], said["created"], is_trusted=True)
        except RequestRefused as refused:
            failure = failure or f"it cannot be read: {refused}"
            made = Request(said["id"], 1, document, said["owner"], said["created"], said["created"], True, ())
        is_enabled = document.get("enabled") is not False
        return replace(made, version=said["version"], changed=said["changed"], is_enabled=is_enabled, failure=failure)


def _pieces(parcel: Parcel, most: int) -> list[Parcel]:
    """A parcel, some events at a time; cut up at once, for to cut off one piece after the other takes far longer."""
    firsts = range(0, len(parcel), most)
    if isinstance(parcel, Block):
        return [parcel.part(first, min(first + most, len(parcel))) for first in firsts]
    return [parcel[first : first + most] for first in firsts]


def _arrival_of(parcel: Parcel) -> int:
    if isinstance(parcel, Block):
        return int.from_bytes(parcel.arrivals[:8], "little", signed=True)
    return parcel[0].arrival


_RECORDED: Final = ("id", "document", "owner", "version", "created", "changed", "failure")


def _record_of(request: Request) -> dict[str, Any]:
    return {name: getattr(request, name) for name in _RECORDED}


def _patience_of(order: Order) -> int | None:
    """How long an order holds an event back; a while, where only what comes can tell."""
    if order == BEST_EFFORT:
        return None
    span = order.delay or order.idle
    return HOUR if span is None else span.length() + SECOND
