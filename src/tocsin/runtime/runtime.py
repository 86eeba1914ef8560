"""Rules at work, whole: one class behind the verbs, made of parts.

    a clock for each order of arrival    `ordered`: an order in front of an engine
    or amendments                        `amended`: late events change what was reported
    versions                             which rules are in force, and what each change changed
    a candidate                          other rules beside these, compared by `shadow`

`session`, `tc.Live`, the console and Spark's shards run on it and on nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tocsin.algebra.notes import Notes
from tocsin.algebra.order import Release, order_text
from tocsin.algebra.rules import BEST_EFFORT, Program, Statement
from tocsin.engine.network.batch import Batch
from tocsin.errors import SnapshotError
from tocsin.events import Arrival, Detection
from tocsin.formats.instants import TimeStyle
from tocsin.rules.programs import without_rules
from tocsin.runtime.amended import Amended
from tocsin.runtime.clocks import Group, by_clock, one_clock
from tocsin.runtime.options import Options
from tocsin.runtime.ordered import Ordered
from tocsin.runtime.shadow import Shadow
from tocsin.runtime.snapshots import opened, packed
from tocsin.runtime.verbs import NO_DATA, DetectionBatch, Verbs
from tocsin.runtime.versions import Versions

MAGIC: Final = b"tocsin runtime snapshot 1\n"
PARCEL: Final = b"tocsin runtime parcel 1\n"
DEFAULTS: Final = Options()


@dataclass
class Part:
    """The rules of one clock at work."""

    group: Group
    rules: Verbs

    @property
    def name(self) -> list[Any]:
        """What tells its clock from others, as JSON values."""
        order, sources = self.group.clock
        return [order_text(order), None if sources is None else sorted(sources)]


class Runtime(Verbs):
    """The rules of a program at work.

    The program is checked and has its options filled in (`Session`). `sources` are those that `guaranteed` waits for
    before they have reported. `is_live`: commands will come, which need one clock for all rules. `is_alone`: all rules
    are on one clock, whatever order they ask for, since somebody else has seen to that; `in_order`: ... and gives what
    has one end together.
    """

    def __init__(
        self,
        program: Program,
        options: Options = DEFAULTS,
        *,
        sources: Iterable[str] = (),
        notes: Notes | None = None,
        is_live: bool = False,
        is_alone: bool = False,
        in_order: bool = False,
    ) -> None:
        self.options, self.sources = options, tuple(sources)
        self.is_live, self.is_alone, self.in_order = is_live, is_alone, in_order
        self.notes = Notes() if notes is None else notes
        self._program = program
        groups = self._groups(program)
        self._parts = [self._begun(group, self.notes if len(groups) == 1 else Notes()) for group in groups]
        self.versions = Versions(program)
        self.shadow = Shadow()
        """What the rules and the candidate have in common, and what only one of them finds."""
        self._candidate: Runtime | None = None

    def _groups(self, program: Program) -> list[Group]:
        if self.is_live or self.is_alone or self.options.amend is not None:
            return [one_clock(program, self.options.order)]
        return by_clock(program, self.options.order)

    def _begun(self, group: Group, notes: Notes) -> Part:
        options = self.options
        if options.amend is not None:
            within, granularity = options.amend, options.granularity
            return Part(group, Amended(group.program, within=within, granularity=granularity, notes=notes))
        rules = Ordered(
            group.program,
            group.order,
            sources=self.sources,
            granularity=options.granularity,
            ignore_late=options.ignore_late,
            notes=notes,
            budgets=options.budgets,
            is_live=self.is_live,
            in_order=self.in_order,
        )
        return Part(group, rules)

    # -- what is known -----------------------------------------------------------------------------------------------

    @property
    def program(self) -> Program:
        return self._parts[0].rules.program if self.is_live else self._program

    @property
    def now(self) -> int | None:
        clocks = [now for part in self._parts if (now := part.rules.now) is not None]
        return max(clocks, default=None)

    @property
    def has_begun(self) -> bool:
        return any(part.rules.has_begun for part in self._parts)

    @property
    def enabled(self) -> list[str]:
        return [name for part in self._parts for name in part.rules.enabled if self._is_told(part, name)]

    @property
    def has_stopped(self) -> bool:
        return any(part.rules.has_stopped for part in self._parts)

    @property
    def version(self) -> int:
        """The version of the rules that is in force."""
        return self.versions.current

    # -- arrivals and time -------------------------------------------------------------------------------------------

    def process(self, arrivals: Batch | list[Arrival]) -> Sequence[Detection]:
        return self._each(lambda rules: rules.process(_own(arrivals)))

    def push(
        self,
        type: str,
        time: int,
        data: Mapping[str, object] = NO_DATA,
        *,
        id: str = "",
        source: str = "",
        start: int | None = None,
        arrival: int | None = None,
    ) -> Sequence[Detection]:
        if len(self._parts) == 1 and self._candidate is None:
            return self._parts[0].rules.push(type, time, data, id=id, source=source, start=start, arrival=arrival)
        return self._each(
            lambda rules: rules.push(type, time, data, id=id, source=source, start=start, arrival=arrival)
        )

    def columns(self, batch: Batch, style: TimeStyle, keys: Mapping[str, str]) -> Iterator[DetectionBatch]:
        if len(self._parts) == 1 and self._candidate is None:
            yield from self._parts[0].rules.columns(batch, style, keys)
        else:
            yield self.process(batch)

    def take(self, releases: list[Release]) -> Sequence[Detection]:
        return self._each(lambda rules: rules.take(releases))

    def watermark(self, time: int) -> Sequence[Detection]:
        return self._each(lambda rules: rules.watermark(time))

    def begin(self, clock: int) -> None:
        for rules in self._all():
            rules.begin(clock)

    def advance(self, clock: int) -> Sequence[Detection]:
        return self._each(lambda rules: rules.advance(clock))

    def command(self, statements: tuple[Statement, ...], clock: int | None = None) -> Sequence[Detection]:
        assert self.is_live or self.options.amend is not None, "commands are for rules that were begun for them"
        return self._each(lambda rules: rules.command(statements, clock))

    def next_due(self) -> int | None:
        return min((due for rules in self._all() if (due := rules.next_due()) is not None), default=None)

    def finish(self, until: int | None = None) -> Sequence[Detection]:
        return self._each(lambda rules: rules.finish(until))

    def _all(self) -> list[Verbs]:
        beside: list[Verbs] = [] if self._candidate is None else [self._candidate]
        return [*(part.rules for part in self._parts), *beside]

    def _each(self, verb: Callable[[Verbs], Sequence[Detection]]) -> Sequence[Detection]:
        """What a verb leads to in every part, in order of detection; the candidate's goes into the comparison."""
        if len(self._parts) == 1:
            found = verb(self._parts[0].rules)
        else:
            told = [(part, one) for part in self._parts for one in verb(part.rules)]
            found = sorted(
                [one for part, one in told if self._is_told(part, one.rule)], key=lambda one: one.detected_us
            )
            self._unite_notes()
        if self._candidate is not None:
            self._compare(self._candidate, found, verb(self._candidate))
        return found

    def _is_told(self, part: Part, rule: str) -> bool:
        """Whether a rule is one of its clock's own: those that only feed them are told by their own clock."""
        return len(self._parts) == 1 or rule in part.group.heard

    def _unite_notes(self) -> None:
        for part in self._parts:
            if part.rules.notes is not self.notes:
                self.notes.unite(part.rules.notes)

    # -- rules -------------------------------------------------------------------------------------------------------

    def change(self, program: Program) -> None:
        self._settle(program)

    def take_out(self, rules: Iterable[str]) -> bytes:
        names = frozenset(rules)
        taken = [(part, [name for name in part.group.heard if name in names]) for part in self._parts]
        if unknown := sorted(names.difference(*(own for _, own in taken))):
            raise SnapshotError(f"there is no rule '{unknown[0]}' to be moved")
        moving = [(part, own) for part, own in taken if own]
        parcels = [part.rules.take_out(own) for part, own in moving]
        self._settle(without_rules(self._program, names))
        return packed(PARCEL, {"parts": [part.name for part, _ in moving]}, parcels)

    def merge(self, program: Program, parcel: bytes) -> None:
        index, states = opened(PARCEL, parcel)
        brought = {str(name): state for name, state in zip(index["parts"], states, strict=True)}
        self._settle(program, brought)
        if brought:
            raise SnapshotError("rules were moved that run on a clock which no rule of the program has")

    def _settle(self, program: Program, brought: dict[str, bytes] | None = None) -> None:
        """Goes on with a program on the clocks that its rules ask for; what is `brought` to a clock is put there."""
        known = {part.group.clock: part for part in self._parts}
        parts: list[Part] = []
        for group in self._groups(program):
            part = known.get(group.clock)
            is_new = part is None
            if part is None:
                part = self._begun(group._replace(program=Program()), Notes())
            state = None if brought is None else brought.pop(str(part.name), None)
            if state is not None:
                part.rules.merge(group.program, state)
            else:
                part.rules.change(group.program)
            if is_new:
                self._catch_up(part)
            part.group = group
            parts.append(part)
        self._parts, self._program = parts, program
        self.versions.note(program)

    def _catch_up(self, part: Part) -> None:
        """A clock that begins while others run: by arrivals it shows what theirs do; by events it waits for one."""
        running = [each.rules.now for each in self._parts if each.group.order == BEST_EFFORT]
        clocks = [now for now in running if now is not None]
        if clocks and part.group.order == BEST_EFFORT:
            part.rules.begin(max(clocks))

    def try_out(self, program: Program) -> None:
        """Lets other rules run beside these from now on; `shadow` tells how what they find differs."""
        self._candidate = Runtime(program, self.options, sources=self.sources)
        self.shadow = Shadow()

    def _compare(self, candidate: Runtime, found: Iterable[Detection], others: Iterable[Detection]) -> None:
        names = {rule.name for rule in candidate.program.rules}
        self.shadow.add((one.rule, "\0".join(one.events), False) for one in found if one.rule in names)
        self.shadow.add((one.rule, "\0".join(one.events), True) for one in others)

    # -- state -------------------------------------------------------------------------------------------------------

    def snapshot(self) -> bytes:
        index: dict[str, Any] = {"parts": [part.name for part in self._parts], **self.versions.state()}
        saved = [part.rules.snapshot() for part in self._parts]
        if self._candidate is not None:
            index["shadow"] = self.shadow.state()
            saved.append(self._candidate.snapshot())
        return packed(MAGIC, index, saved)

    def restore(self, data: bytes) -> None:
        """Goes on from a saved state, of these rules or of others: what is equal is remembered.

        The version goes on counting; a candidate is compared further if there was one. Where late events amend, the
        rules must be the same ones.
        """
        if not data.startswith(MAGIC):  # saved before there were several parts
            if len(self._parts) > 1:
                raise SnapshotError("the snapshot is of rules with one order of arrival, and these have several")
            self._parts[0].rules.restore(data)
            return
        index, saved = opened(MAGIC, data)
        known = {str(name): state for name, state in zip(index["parts"], saved, strict=False)}
        if len(self._parts) == len(index["parts"]) == 1:  # if the order is another one, the part says so
            self._parts[0].rules.restore(saved[0])
        else:
            for part in self._parts:
                if str(part.name) in known:
                    part.rules.restore(known[str(part.name)])
        self.versions.restore(index["version"], index["rules"])
        if self._candidate is not None and "shadow" in index:
            self.shadow.restore(index["shadow"])
            self._candidate.restore(saved[-1])

    def stats(self) -> dict[str, object]:
        """What the rules hold and have done; of several clocks each by its order, and the rules together."""
        told = [(part, part.rules.stats()) for part in self._parts]
        if len(told) == 1:
            return told[0][1] | {"version": self.version}
        rules: dict[str, object] = {}
        for part, each in told:
            own = each["rules"]
            assert isinstance(own, dict)
            rules |= {name: what for name, what in own.items() if self._is_told(part, name)}
        clocks = {str(part.name): {key: each[key] for key in each if key != "rules"} for part, each in told}
        return {"now": self.now, "version": self.version, "clocks": clocks, "rules": rules}


def _own(arrivals: Batch | list[Arrival]) -> Batch | list[Arrival]:
    """Arrivals for one taker of several: a batch is numbered by who takes it."""
    return arrivals.again() if isinstance(arrivals, Batch) else arrivals
