"""What must hold at the end of a simulated world, by judges that know nothing of how the core got there."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from tests.service.worlds import Sent
from tocsin.algebra.patterns import At, AtInstant, Every, walk
from tocsin.events import Arrival, Event, Heartbeat
from tocsin.runtime.options import Options
from tocsin.service.core import Core, CoreSettings
from tocsin.service.records import Entry, Kind, StoredDetection
from tocsin.service.requests import enabled_program
from tocsin.service.store.memory import MemoryStore
from tocsin.session import Session
from tocsin.time.calendar import parse_instant

if TYPE_CHECKING:
    from tests.service.simulation import World


def judge(world: World) -> None:
    """Everything that the core promises."""
    log, found = world.disk.log, world.disk.found
    _numbers(log, found)
    _acknowledged(world, log)
    _once(world, log, found)
    _told(world, found)
    _versions(log)
    _ledger(world, log, found)
    oracle = _anew(world, log)
    _same(world, found, oracle)
    _by_session(world, log, found)


def _numbers(log: list[Entry], found: list[StoredDetection]) -> None:
    assert [entry.position for entry in log] == list(range(1, len(log) + 1)), "the log has gaps or repeats"
    assert [one.number for one in found] == list(range(1, len(found) + 1)), "detections have gaps or repeats"
    arrivals = [entry.arrival for entry in log]
    assert arrivals == sorted(arrivals), "the log goes back in time"
    after = 0
    for entry in log:
        if entry.kind is Kind.EVENTS:
            assert entry.first == after + 1, f"entry {entry.position} counts its events from {entry.first}"
            assert entry.count == len(entry.body.split(b"\n")), f"entry {entry.position} has {entry.count} events"
            after += entry.count


def _once(world: World, log: list[Entry], found: list[StoredDetection]) -> None:
    if _remembers(world):
        again = Counter((one.rule, one.id, _life(log, one)) for one in found)
        assert not again or max(again.values()) == 1, f"found twice: {again.most_common(3)}"


def _life(log: list[Entry], one: StoredDetection) -> int:
    """The entry with which the rule began that found something of time alone: a rule that is disabled and enabled at just
    that instant finds it in either life. What has events is found once, however often a rule begins."""
    if json.loads(one.body)["events"]:
        return 0
    begun = 0
    for entry in log[: one.position - 1]:
        said = json.loads(entry.body) if entry.kind is Kind.CHANGE else {}
        if said.get("id") == one.request and said["action"] in ("create", "alter", "enable"):
            begun = entry.position
    return begun


def _remembers(world: World) -> bool:
    """Whether events that come twice are known for all of a world's life."""
    remember = world.settings.remember
    return not world.disk.pruned if remember is None else remember > 3000 * 1_000_000


def _token(line: bytes) -> int | None:
    record = json.loads(line)
    token = record.get("n", (record.get("data") or {}).get("n"))
    return token if record.get("type") is not None else None


def _acknowledged(world: World, log: list[Entry]) -> None:
    lines = [line for entry in log if entry.kind is Kind.EVENTS for line in entry.body.split(b"\n")]
    kept = Counter(token for line in lines if (token := _token(line)) is not None)
    lost = [token for token in world.acknowledged if not kept[token]]
    assert not lost, f"acknowledged and lost: {lost}"
    once = _remembers(world)
    twice = [token for token, count in kept.items() if count > 1 and world.sensors.sent[token].id and once]
    assert not twice, f"in the log more than once: {twice}"
    repeated = [token for token, count in kept.items() if count > 1 and token not in world.resent and once]
    assert not repeated, f"taken twice although it was sent once: {repeated}"


def _told(world: World, found: list[StoredDetection]) -> None:
    kept = {one.number: one for one in found}
    for one in world.told:
        assert kept.get(one.number) == one, f"told and not kept: {one}"


def _ledger(world: World, log: list[Entry], found: list[StoredDetection]) -> None:
    core = world.core
    assert core.processed == core.durable == core.position == len(log), "not all of the log was evaluated"
    assert core.queued == 0, f"{core.queued} bytes wait for nobody"
    assert core.admission.events == sum(entry.count for entry in log), "events were not counted"
    assert core.number == len(found), "detections were not counted"
    if not world.crashes:
        assert core.duplicates == world.duplicates
        assert sum(core.refused_counts.values()) >= world.refused
    assert sum(core.found_counts.values()) == len(found), "not all detections were counted"


def _anew(world: World, log: list[Entry]) -> tuple[Core, list[StoredDetection]]:
    """What a service finds that is given the whole log, and nothing ever happened to it."""
    store = MemoryStore()
    store.log = log
    events = sum(entry.count for entry in log)
    store.state = store.state._replace(position=len(log), events=events, arrival=log[-1].arrival if log else 0)
    core = Core(CoreSettings(remember=None))
    core.recover(store, 0)
    found: list[StoredDetection] = []
    while not core.is_idle:
        found += core.work()
    return core, found


def _plain(one: StoredDetection) -> tuple[object, ...]:
    body = re.sub(rb', "late": true', b"", one.body)
    return one.number, one.id, one.rule, one.request, one.type, one.time, one.detected, one.position, body


def _same(world: World, found: list[StoredDetection], oracle: tuple[Core, list[StoredDetection]]) -> None:
    core, others = oracle
    mine, theirs = [_plain(one) for one in found], [_plain(one) for one in others]
    for one, other in zip(mine, theirs, strict=False):
        assert one == other, f"found otherwise than of the whole log:\n{one}\n{other}"
    more = mine[len(theirs) :] or theirs[len(mine) :]
    assert not more, f"{len(mine)} found, and {len(theirs)} of the whole log: {more[0]}"
    for requests in (world.core.asked.requests, world.core.rules.standing.requests):
        theirs_now = {each.id: each for each in core.rules.standing.requests.values()}
        assert dict(requests) == theirs_now, "the requests stand otherwise"
    assert world.core.rules.types == core.rules.types
    for each in (world.core, core):
        each.rules.settle()  # a rule that is gone may still be waited for until then
    assert world.core.next_due() == core.next_due(), "something else is due"


def _versions(log: list[Entry]) -> None:
    """The versions of a request go up one by one, and who asked is in the log."""
    versions: dict[str, int] = {}
    for entry in log:
        said = json.loads(entry.body) if entry.kind is Kind.CHANGE else {}
        if "version" not in said or said["action"] in ("cancel", "stop"):
            continue
        assert said["version"] == versions.get(said["id"], 0) + 1, f"{said['id']} goes to version {said['version']}"
        assert entry.actor == "ann"
        versions[said["id"]] = said["version"]


def _by_session(world: World, log: list[Entry], found: list[StoredDetection]) -> None:
    """Another judge, where the rules were there before the first event: a session that is given the events alone."""
    first = next((entry.position for entry in log if entry.kind is Kind.EVENTS), 0)
    rules = world.core.rules.standing
    if not first or any(entry.kind is Kind.CHANGE and entry.position > first for entry in log):
        return
    if any(each.budget is not None or each.stirs(Options()) for each in rules.requests.values() if each.is_at_work):
        return
    program = enabled_program(rules.program())
    assert not any(isinstance(part, At | AtInstant | Every) for rule in program.rules for part in walk(rule.pattern))
    events: list[Arrival] = []
    for entry in log:
        if entry.kind is Kind.TICK:
            events.append(Heartbeat("a clock", entry.arrival, entry.arrival))
        if entry.kind is Kind.EVENTS:
            events += [
                _event(world.sensors.sent, line, entry, place) for place, line in enumerate(entry.body.split(b"\n"))
            ]
    for engine in ("local", "replay"):
        session = Session(program, Options(engine=engine))
        theirs = {(one.rule, one.id) for one in session.detections(list(events))}
        names = {rule.name for rule in program.rules}
        mine = {(one.rule, one.id) for one in found if one.rule in names and one.position >= first}
        assert mine == theirs, f"a session ({engine}) finds {theirs ^ mine}"


def _event(sent: list[Sent], line: bytes, entry: Entry, place: int) -> Arrival:
    token = _token(line)
    if token is None:
        record = json.loads(line)
        return Heartbeat(record.get("source", ""), round(record["time"] * 1_000_000), entry.arrival)
    said = sent[token]
    if said.end is None:  # the service has said when it came
        said = replace(said, end=parse_instant(json.loads(line)["time"]))
        assert said.end is not None
        assert said.end >= entry.arrival
    event: Event = said.event(entry.first + place, entry.arrival)
    return event
