"""Rules at work whose detections late events amend: what `--amend` runs.

To put an event into its place the engine goes back and through all that came since (`runtime/rewinder.py`). An event
can only concern events of its own key, so rules that have one are spread: keys are dealt out over many small engines,
and only one of them goes back. What comes out is what the plain meaning gives (`algebra/amendments.py`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import islice
from zlib import crc32

from tocsin.algebra.amendments import WITHIN, Course, Positioned, note_too_late
from tocsin.algebra.attributes import found_in
from tocsin.algebra.notes import Notes
from tocsin.algebra.rules import ALL_RULES, Command, Define, Enable, Program, Rule, Statement
from tocsin.algebra.scripts import enabled_by
from tocsin.engine.frames.batches import arrivals_of
from tocsin.engine.network.batch import Batch
from tocsin.engine.network.vectors import FAR
from tocsin.errors import UsageError
from tocsin.events import Arrival, Detection, Event
from tocsin.plan.searches import SOURCE
from tocsin.planner.placement import KEYED, is_one_key, types_of, wishes
from tocsin.runtime.amended_state import amended_restore, amended_snapshot
from tocsin.runtime.rewinder import Rewinder
from tocsin.runtime.verbs import Verbs

SHARDS = 64
"""Engines that the keys of some rules are dealt out over."""


RUN = 16
"""Events in order that are given to the engines together."""


@dataclass
class Group:
    """Rules with one key, which says for each type where an event has it, and their engines; without a key, one."""

    rules: list[Rule]
    key: dict[str, str]
    program: Program = field(default_factory=Program)
    shards: dict[int, Rewinder] = field(default_factory=dict)
    due: dict[int, int] = field(default_factory=dict)
    """When each engine has something to do, should nothing come."""

    def shard_of(self, event: Event) -> int | None:
        """Which engine an event goes to; None if to none."""
        if not self.key:
            return 0
        name = self.key.get(event.type)
        if name is None:
            return None
        return _dealt(event.source if name == SOURCE else found_in(event.data, name))


class Amended(Verbs):
    """The rules of a program at work on events that may be late by `within` microseconds and still amend."""

    def __init__(
        self, program: Program, *, within: int = WITHIN, granularity: int | None = None, notes: Notes | None = None
    ) -> None:
        self._program = program
        self.notes = Notes() if notes is None else notes
        """What the run has to say, once it has finished."""
        self._granularity = granularity
        self.course = Course(within)
        self.groups = _groups(program)
        self._next = FAR
        self.ignored: Counter[str] = Counter()
        # Where all rules are in one place, they count themselves what they do not know.
        self._known = None if [group.key for group in self.groups] == [{}] else _known(program)

    @property
    def late(self) -> int:
        """Events that were put into their place after others had been looked at."""
        return sum(each.late for group in self.groups for each in group.shards.values())

    @property
    def rerun(self) -> int:
        """Events that were gone through again for that."""
        return sum(each.rerun for group in self.groups for each in group.shards.values())

    def process(self, arrivals: Batch | list[Arrival]) -> list[Detection]:
        ahead = arrivals_of(arrivals, self.course.taken) if isinstance(arrivals, Batch) else arrivals
        found: list[Detection] = []
        begin = 0
        while begin < len(ahead):
            timely = self._timely(ahead, begin)
            if len(timely) >= RUN:
                found += self._arrive_in_order(timely)
                begin += len(timely)
                continue
            for arrival in ahead[begin : begin + len(timely) + 1]:
                found += self.advance(arrival.arrival)
                if isinstance(arrival, Event):
                    found += self._arrive(arrival)
            begin += len(timely) + 1
        return found

    def _timely(self, arrivals: list[Arrival], begin: int) -> list[Event]:
        """The events from a place on that come each at its own time."""
        found: list[Event] = []
        clock = -FAR if self.course.clock is None else self.course.clock
        for arrival in islice(arrivals, begin, None):
            if not isinstance(arrival, Event) or arrival.arrival != arrival.end or arrival.end < clock:
                break
            clock = arrival.end
            found.append(arrival)
        return found

    def _arrive_in_order(self, events: list[Event]) -> list[Detection]:
        """Takes events that come each at its own time, all that go to one engine together."""
        given: list[dict[int, list[Positioned]]] = [{} for _ in self.groups]
        for event in events:
            self.course.reach(event.end)
            placed = self._placed(event)
            for group, taken in zip(self.groups, given, strict=True):
                number = group.shard_of(event)
                if number is not None:
                    taken.setdefault(number, []).append(placed)
        clock, found = events[-1].end, list[Detection]()
        for group, taken in zip(self.groups, given, strict=True):
            for number, some in taken.items():
                found += self.shard(group, number).arrive_in_order(some, clock)
                self.note_due(group, number)
        return sorted(found + self.advance(clock), key=lambda one: one.detected_us)

    def advance(self, clock: int) -> list[Detection]:
        """The arrival clock reaches a time: what is due by then comes."""
        now = self.course.reach(clock)
        if now < self._next:
            return []
        found: list[Detection] = []
        for group in self.groups:
            for number in [each for each, due in group.due.items() if due <= now]:
                found += group.shards[number].advance(now)
                self.note_due(group, number)
        self._next = min((due for group in self.groups for due in group.due.values()), default=FAR)
        return sorted(found, key=lambda one: one.detected_us)

    def finish(self, until: int | None = None) -> list[Detection]:
        """The input has ended: what is still waited for comes."""
        found: list[Detection] = []
        clock = self.course.clock
        for group in self.groups:
            if not group.shards and not group.key:
                self.shard(group, 0)  # a script may raise events though none has come
            for shard in group.shards.values():
                found += shard.finish(-FAR if clock is None else clock, until)
                self.notes.add(shard.engine.notes)
        if self._known is not None:
            self.notes.ignored = self.ignored
        note_too_late(self.course, self.notes)
        return sorted(found, key=lambda one: one.detected_us)

    def next_due(self) -> int | None:
        return None if self._next == FAR else self._next

    # -- rules and state ---------------------------------------------------------------------------------------------

    def change(self, program: Program) -> None:
        """Goes on with other rules: equal ones keep what they remember. What was reported before is final."""
        groups = _groups(program)
        homes = [_home(group, self.groups, self._program) for group in groups]
        taken = [home for home in homes if home is not None]
        if len({id(home) for home in taken}) < len(taken):
            raise UsageError("rules that had one key have different ones now: begin anew with them")
        for group, home in zip(groups, homes, strict=True):
            if home is not None:
                group.shards, group.due = home.shards, home.due
                for number, shard in group.shards.items():
                    shard.change(group.program)
                    self.note_due(group, number)
        self._program, self.groups = program, groups
        self._known = None if [group.key for group in groups] == [{}] else _known(program)
        self.course.final = self.course.clock
        self._next = min((due for group in groups for due in group.due.values()), default=FAR)

    def command(self, statements: tuple[Statement, ...], clock: int | None = None) -> list[Detection]:
        """Nobody knows what a late event would have changed in what was typed since."""
        raise UsageError("where late events amend what was reported, nothing can be typed in between")

    @property
    def program(self) -> Program:
        return self._program

    @property
    def now(self) -> int | None:
        return self.course.clock

    @property
    def enabled(self) -> list[str]:
        running = [shard.engine.enabled for group in self.groups for shard in group.shards.values()]
        known = {name for names in running for name in names} if running else set(enabled_by(self._program))
        return [rule.name for rule in self._program.rules if rule.name in known]

    @property
    def has_stopped(self) -> bool:
        return any(shard.engine.has_stopped for group in self.groups for shard in group.shards.values())

    def snapshot(self) -> bytes:
        return amended_snapshot(self)

    def restore(self, data: bytes) -> None:
        amended_restore(self, data)

    def stats(self) -> dict[str, object]:
        """What is kept to amend, and what has been amended."""
        shards = [shard for group in self.groups for shard in group.shards.values()]
        held = [shard.held() for shard in shards]
        return {
            "now": self.course.clock,
            "events": self.course.taken,
            "late": self.late,
            "rerun": self.rerun,
            "too late": self.course.too_late,
            "held": sum(events for events, _ in held),
            "bytes": sum(size for _, size in held),
        }

    def _arrive(self, event: Event) -> list[Detection]:
        clock = self.course.clock
        assert clock is not None
        placed = self._placed(event if event.arrival == clock else replace(event, arrival=clock))
        found: list[Detection] = []
        for group in self.groups:
            number = group.shard_of(event)
            if number is not None:
                found += self._given(group, number, placed, clock)
        return found

    def _placed(self, event: Event) -> Positioned:
        if self._known is not None and event.type not in self._known:
            self.ignored[event.type] += 1
        return self.course.place(event)

    def _given(self, group: Group, number: int, placed: Positioned, clock: int) -> list[Detection]:
        found = self.shard(group, number).arrive(placed, clock)
        self.note_due(group, number)
        return found

    def shard(self, group: Group, number: int) -> Rewinder:
        """One of a group's engines, made when it is first asked for."""
        one = group.shards.get(number)
        if one is None:
            one = group.shards[number] = Rewinder(group.program, self.course.within, self._granularity)
        return one

    def note_due(self, group: Group, number: int) -> None:
        """Notes when an engine has something to do next."""
        due = group.shards[number].next_due()
        group.due[number] = FAR if due is None else due
        self._next = min(self._next, group.due[number])


# -- which rules run where -----------------------------------------------------------------------------------------


def _groups(program: Program) -> list[Group]:
    """The rules that have a key, those of one key together, and all others."""
    groups, others = list[Group](), list[Rule]()
    for wish in wishes(program):
        if wish.kind != KEYED:
            others += wish.rules
            continue
        group = next((each for each in groups if is_one_key(each.key, wish.key)), None)
        if group is None:
            groups.append(Group(list(wish.rules), dict(wish.key)))
        else:
            group.rules += wish.rules
            group.key.update(wish.key)
    if others or not groups:
        groups.append(Group(others, {}))
    if len(groups) == 1:
        groups[0].program = program
        return groups
    for group in groups:
        names = {rule.name for rule in group.rules}
        group.program = Program(tuple(each for each in program.statements if _is_about(each, names)))
    return groups


def _home(group: Group, known: list[Group], program: Program) -> Group | None:
    """The group in which the rules are that some rules go on from; None if all of them are new."""
    before = {rule.name: rule for rule in program.rules}
    kept = {rule.name for rule in group.rules if before.get(rule.name) == rule}
    homes = [each for each in known if kept & {rule.name for rule in each.rules}]
    if not homes:
        return None
    if len(homes) > 1 or bool(homes[0].key) != bool(group.key) or not is_one_key(homes[0].key, group.key):
        names = ", ".join(f"'{name}'" for name in sorted(kept))
        raise UsageError(f"what {names} remember is spread in another way than the new rules ask for: begin anew")
    return homes[0]


def _is_about(statement: object, names: set[str]) -> bool:
    """Whether a statement is about some rules, or about none in particular."""
    match statement:
        case Define(rule=Rule(name=name)) | Command(action=Enable(rule=str(name))):
            return name in names or name == ALL_RULES
    return True


def _dealt(value: object) -> int:
    """The engine that has a key; equal keys have one. What equals nothing may be anywhere."""
    if isinstance(value, str):
        return crc32(value.encode("utf-8", "surrogatepass")) % SHARDS
    if isinstance(value, int | float) and value == value:
        return hash(value) % SHARDS
    return 0


def _known(program: Program) -> frozenset[str] | None:
    """The types of events that a script declares or a rule looks at, where others are counted; None where not."""
    if not any(rule.strict for rule in program.rules):
        return None
    found = set(program.declarations)
    for rule in program.rules:
        types = types_of([rule])
        if types is None and not rule.strict:
            return None
        found |= types or set()
    return frozenset(found)
