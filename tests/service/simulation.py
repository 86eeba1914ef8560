"""The service's core in a world made of one seed: clocks, stores, sensors and people that do what they may do.

    python -m tests.service.simulation --seed 7        the story of a world, and what it broke, if anything
    python -m tests.service.simulation --seeds 100000  many worlds; the first that fails tells its line

The driver does what the service around the core does: it takes, commits (which may fail, done or not), works in slices,
lets time pass, saves snapshots, prunes, and begins anew after crashes at any of these steps. At the end of a world what
was kept is judged (`judge`).
"""

from __future__ import annotations

import argparse
import random
import sys
from dataclasses import dataclass, field
from typing import Any

from tests.service.worlds import DECLARATIONS, EXPRESSIONS, NAMES, SECOND, WRONG, Sensors, Sent
from tocsin.errors import SnapshotError
from tocsin.service.core import Core, CoreSettings, Overloaded, Receipt
from tocsin.service.records import Entry, Snapshot, StoredDetection, Writes
from tocsin.service.requests import RequestRefused
from tocsin.service.store import StoreError
from tocsin.service.store.memory import MemoryStore

BEGIN = 1_000_000 * SECOND


class Died(Exception):
    """The process is gone."""


@dataclass
class Disk:
    """A store whose every step may fail, or be the last one of the process. What is pruned the judges still see."""

    random: random.Random
    rate: float
    store: MemoryStore = field(default_factory=MemoryStore)
    pruned: list[Entry] = field(default_factory=list)
    forgotten: list[StoredDetection] = field(default_factory=list)
    is_damaged: bool = False
    """Whether the next reader finds the snapshot unreadable."""

    def commit(self, writes: Writes) -> None:
        fate = self.random.random() / self.rate if self.rate else 9.0
        if fate < 0.3:
            raise StoreError("the disk is full")
        if fate < 0.4:
            raise Died
        self.store.commit(writes)
        if fate < 0.7:
            raise StoreError("the connection is gone")
        if fate < 1:
            raise Died

    def save(self, snapshot: Snapshot) -> None:
        self._may_die()
        self.store.save(snapshot)
        self._may_die()

    def prune(self, before: int, keep_from: int) -> None:
        self._may_die()
        log, found = self.store.log, self.store.stored
        self.store.prune(events_before=before, found_before=before, keep_from=keep_from)
        kept = {each.position for each in self.store.log}
        self.pruned += [each for each in log if each.position not in kept]
        numbers = {one.number for one in self.store.stored}
        self.forgotten += [one for one in found if one.number not in numbers]
        self._may_die()

    def _may_die(self) -> None:
        if self.random.random() < self.rate / 4:
            raise Died

    def again(self) -> None:
        """The store as the next process finds it."""
        self.store = self.store.crashed()
        if self.is_damaged and self.store.snapshot() is not None and not self.pruned:
            self.store = _Damaged.of(self.store)

    @property
    def log(self) -> list[Entry]:
        """All that was ever committed."""
        return sorted([*self.pruned, *self.store.log], key=lambda entry: entry.position)

    @property
    def found(self) -> list[StoredDetection]:
        """All detections that were ever kept."""
        return sorted([*self.forgotten, *self.store.stored], key=lambda one: one.number)


class _Damaged(MemoryStore):
    """A store whose snapshot cannot be read."""

    @staticmethod
    def of(store: MemoryStore) -> _Damaged:
        made = _Damaged()
        vars(made).update(vars(store))
        return made

    def snapshot(self) -> Snapshot | None:
        if super().snapshot() is None:
            return None
        raise SnapshotError("the snapshot is damaged")

    def crashed(self) -> MemoryStore:
        made = super().crashed()
        made._snapshot = None
        return made


class World:
    """A service, its store, and those around it."""

    def __init__(self, seed: int) -> None:
        self.seed, self.random = seed, random.Random(seed)
        choose = self.random
        self.story: list[str] = []
        self.now = BEGIN
        self.settings = CoreSettings(
            remember=choose.choice((3600 * SECOND, None, 20 * SECOND)),
            slice=choose.choice((1, 2, 3, 1024)),
            most_queued=choose.choice((64 << 20, 2000)),
        )
        self.disk = Disk(choose, choose.choice((0.0, 0.0, 0.05, 0.2)), is_damaged=choose.random() < 0.1)
        self.sensors = Sensors(choose)
        self.changes_late = choose.random() < 0.5
        self.awaiting: list[tuple[int, list[Sent]]] = []
        self.acknowledged: dict[int, Sent] = {}
        self.resent: set[int] = set()
        self.told: list[StoredDetection] = []
        self.refused = self.crashes = self.duplicates = self.together = 0
        self.writes: Writes | None = None
        self.core = self._begun()

    def say(self, text: str) -> None:
        self.story.append(f"{(self.now - BEGIN) / SECOND:9.3f}  {text}")

    # -- the service's own steps ---------------------------------------------------------------------------------------

    def _begun(self) -> Core:
        core = Core(self.settings)
        self.disk.store.acquire()
        core.recover(self.disk.store, self.now)
        self.say(f"the service begins at {core.processed} of {core.durable}, detection {core.number}")
        return core

    def crash(self) -> None:
        self.crashes += 1
        self.say("crash")
        for _, body in self.awaiting:
            self.resent.update(each.token for each in body)
            self.sensors.unsure.append(body)
        self.awaiting, self.writes = [], None
        self.disk.again()
        self.core = self._begun()

    def commit(self) -> None:
        if self.writes is None:
            self.writes = self.core.pending()
        if self.writes is None:
            return
        writes = self.writes
        try:
            self.disk.commit(writes)
        except StoreError as error:
            self.say(f"commit {writes.serial} fails: {error}")
            return
        self.say(f"commit {writes.serial}: {len(writes.entries)} entries, {len(writes.found)} detections")
        self.writes = None
        self.core.committed(writes)
        self.told += writes.found
        self.refused += len(writes.refused)
        for position, body in self.awaiting:
            if position <= self.core.durable:
                self.acknowledged.update((each.token, each) for each in body)
        self.awaiting = [(position, body) for position, body in self.awaiting if position > self.core.durable]

    def work(self) -> None:
        for one in self.core.work():
            self.say(f"found {one.number} {one.rule} at {one.position}: {one.body.decode()}")
        if self.core.is_broken:
            self.core.mend(self.disk.store)

    def tick(self) -> None:
        if self.core.tick(self.now):
            self.say("tick")

    def snapshot(self) -> None:
        snapshot = self.core.snapshot(self.now)
        if snapshot is None:
            return
        self.say(f"snapshot behind {snapshot.position}")
        self.disk.save(snapshot)
        if self.random.random() < 0.5 and not self.disk.is_damaged:
            self.disk.prune(self.now - 10 * SECOND, self.core.keep_from)

    # -- those around it -----------------------------------------------------------------------------------------------

    def pass_time(self) -> None:
        self.now += self.random.choice((0, 1, 1000, SECOND // 3, SECOND, 2 * SECOND, 5 * SECOND, 30 * SECOND))
        if self.random.random() < 0.05:
            self.now -= self.random.choice((SECOND, 60 * SECOND))

    def send(self) -> None:
        body = self.sensors.body(self.now)
        lines = self.sensors.lines(body, self.now)
        try:
            receipt = self.core.take(lines, self.now, "sensor")
        except Overloaded:
            self.say("too much has come")
            self.sensors.unsure.append(body)
            return
        self._received(body, lines, receipt)

    def send_together(self) -> None:
        """Bodies that come in one turn of the event loop."""
        bodies = [self.sensors.body(self.now) for _ in range(self.random.choice((2, 2, 3, 5)))]
        if self.random.random() < 0.3:
            texts = [self.sensors.lines(body, self.now) for body in bodies]
        else:  # nothing hostile among them: mostly they are taken together then
            texts = [b"\n".join(each.line for each in body) for body in bodies]
        try:
            receipts = self.core.take_together(texts, self.now, "sensor")
        except Overloaded:
            self.say("too much has come")
            self.sensors.unsure += bodies
            return
        if receipts is None:
            self.say("one of them has to be looked at by itself")
            for body, lines in zip(bodies, texts, strict=True):
                try:
                    self._received(body, lines, self.core.take(lines, self.now, "sensor"))
                except Overloaded:
                    self.sensors.unsure.append(body)
            return
        self.together += len(bodies)
        for body, lines, receipt in zip(bodies, texts, receipts, strict=True):
            self._received(body, lines, receipt)

    def _received(self, body: list[Any], lines: bytes, receipt: Receipt) -> None:
        self.duplicates += receipt.duplicates
        bad = {each.text for each in receipt.refused}
        taken = [each for each in body if each.line.decode() not in bad]
        self.say(
            f"take {receipt.position}: {receipt.accepted} of {lines!r}, refused {[each.code for each in receipt.refused]}"
        )
        if receipt.position <= self.core.durable:
            self.acknowledged.update((each.token, each) for each in taken)
        else:
            self.awaiting.append((receipt.position, taken))

    def ask(self, what: str = "") -> None:
        choose, core = self.random, self.core
        what = what or choose.choice(("create", "create", "alter", "switch", "switch", "cancel", "wrong", "declare"))
        ids = list(core.asked.requests)
        try:
            match what:
                case "create" if len(ids) < 5:
                    request, at = core.create(self._document(), self.now, "ann", choose.choice(("ann", "bob")))
                    self._note(at, "create", request.id, request.version, request.document)
                case "alter" if ids:
                    request, at = core.alter(choose.choice(ids), self._document(), self.now, "ann")
                    self._note(at, "alter", request.id, request.version, request.document)
                case "switch" if ids:
                    request, at = core.switch(choose.choice(ids), choose.random() < 0.6, self.now, "ann")
                    self._note(at, "switch", request.id, request.version, request.is_enabled)
                case "cancel" if ids:
                    id = choose.choice(ids)
                    self._note(core.cancel(id, self.now, "ann"), "cancel", id, 0, "")
                case "wrong":
                    core.create({"name": "wrong", **choose.choice(WRONG)}, self.now, "ann")
                    raise AssertionError("what is wrong was taken")
                case "declare" if choose.random() < 0.5:
                    name, document = choose.choice(DECLARATIONS)
                    if name in core.types.documents and choose.random() < 0.6:
                        core.undeclare(name, self.now, "ann")
                        self.say(f"undeclare {name}")
                    else:
                        core.declare(name, document, self.now, "ann")
                        self.say(f"declare {name} {document}")
        except RequestRefused as refused:
            self.say(f"refused: {refused}")

    def _document(self) -> dict[str, Any]:
        document = {"name": self.random.choice(NAMES), **self.random.choice(EXPRESSIONS)}
        if self.random.random() < 0.1:
            document["enabled"] = False
        return document

    def _note(self, at: int, action: str, id: str, version: int, what: object) -> None:
        self.say(f"{action} {id} version {version} at {at}: {what}")

    # -- a whole life --------------------------------------------------------------------------------------------------

    def run(self) -> World:
        """Lives, and comes to rest: all is kept, evaluated, and nothing is due any more."""
        choose = self.random
        for _ in range(choose.choice((1, 2, 2, 3))):
            self.ask(choose.choice(("create", "create", "create", "declare")))
        steps = [self.send] * 5 + [self.send_together] * 3 + [self.commit] * 4 + [self.work] * 5 + [self.pass_time] * 5
        steps += [self.tick, self.snapshot, self.snapshot] + [self.ask] * (2 * self.changes_late)
        for _ in range(choose.choice((10, 20, 40))):
            self._step(choose.choice(steps))
            if self.disk.rate and choose.random() < self.disk.rate / 8:
                self.crash()
        self.disk.rate = 0.0
        self.rest()
        if choose.random() < 0.3:
            self.crash()
            self.rest()
        return self

    def _step(self, step: Any) -> None:
        try:
            step()
        except Died:
            self.crash()

    def rest(self) -> None:
        self._drain()
        while self.sensors.unsure:
            self.send()
            self._drain()
        for turn in range(8):  # what rings again and again is never done
            if turn >= 3 and self.core.next_due() is None:
                break
            self.now = max(self.now, self.core.clock) + 20 * SECOND
            self.tick()
            self._drain()

    def _drain(self) -> None:
        while True:
            self.commit()
            self.work()
            if (
                self.core.is_idle
                and self.writes is None
                and not self.core.queued
                and self.core.durable == self.core.position
            ):
                self.commit()
                break


def lived(seed: int) -> World:
    """The world of a seed, judged."""
    from tests.service.judges import judge  # here, for they look at worlds

    world = World(seed)
    try:
        world.run()
        judge(world)
    except Exception as error:
        error.add_note(f"seed {seed}: python -m tests.service.simulation --seed {seed}")
        error.add_note("\n".join(world.story[-400:]))
        raise
    return world


def main() -> None:
    """Tells one world, or tries many."""
    parser = argparse.ArgumentParser(description="the service's core in worlds made of seeds")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--seeds", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    if options.seed is not None:
        print("\n".join(lived(options.seed).story))
        return
    failed = 0
    for seed in range(options.first, options.first + options.seeds):
        try:
            lived(seed)
        except Exception as error:  # noqa: BLE001 - that is what is looked for
            failed += 1
            reason = str(error).splitlines()[0] if str(error) else ""
            print(
                f"python -m tests.service.simulation --seed {seed}   {type(error).__name__}: {reason[:200]}", flush=True
            )
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
