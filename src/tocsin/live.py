"""Rules at work in this process, which may change while events come: `tc.Live`.

    live = tc.Live("rules/")                 # files, directories, rules
    for event in stream:
        live.look()                          # whether the files have changed
        for found in live.push(event): ...   # by version `live.version` of the rules

What is equal in the next version keeps what it remembers; what is new sees events from then on. A version that is wrong
is refused, and the last one goes on. A candidate may run beside the rules, to be compared with them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Any, Final

from tocsin.algebra.rules import Program
from tocsin.api import Rules, Span, options_given, program_of
from tocsin.engine.amending import Amending
from tocsin.engine.amending_state import amending_restore, amending_snapshot
from tocsin.engine.front import Front
from tocsin.errors import SnapshotError, UsageError
from tocsin.events import Arrival, Detection, Event, Heartbeat
from tocsin.formats.instants import to_instant
from tocsin.formats.intake import Intake
from tocsin.formats.objects import admit_object
from tocsin.formats.refused import Refused
from tocsin.rules.conforming import conformer
from tocsin.rules.rulebook import Page, Rulebook, files_of
from tocsin.rules.shadowing import Shadow
from tocsin.session import Options, Session, by_order
from tocsin.time.spans import HOUR

MAGIC: Final = b"tocsin live snapshot 1\n"
"""The format of what is saved, and its version: which events came, and then what the rules remember."""
REPEATS = HOUR
"""How long, in the time of events, it is known that an event was there before."""

Given = Mapping[str, object] | Event | Heartbeat
"""An event as a dictionary, as in a file; or as an object."""


@dataclass(frozen=True)
class Change:
    """A version of the rules, and what it changed: the names of rules."""

    version: int
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


class Live:
    """Rules at work. `changes` are the versions so far, the last of them in force; `refused` is why a text is not.

    Rules are rules of Python, or paths of files and directories, which `look` reads again. With `amend` (or a length of
    time, if not an hour) late events retract, replace and restore what was given back before; what was given back by
    another version is final.
    """

    def __init__(
        self,
        rules: Rules,
        *,
        order: str = "best-effort",
        context: str | None = None,
        window: Span | None = None,
        time_model: str = "point",
        late: str = "accept",
        amend: bool | Span = False,
        sources: Iterable[str] = (),
        candidate: Rules | None = None,
    ) -> None:
        self._options = options_given(context, order, window, time_model, None, late, amend)
        self._book = _book_of(rules)
        page = Page(program_of(rules), {}) if self._book is None else self._book.opened()
        self._program = _checked(page.program, self._options)
        self._front = self._begun(self._program, tuple(sources))
        self._sources = tuple(sources)
        self._beside: Front | Amending | None = None
        self.shadow = Shadow()
        """What the rules and the candidate have in common, and what only one of them finds."""
        self.changes = [Change(1, added=tuple(rule.name for rule in self._program.rules))]
        self.refused: tuple[str, ...] = ()
        self._taken = 0
        self._intake = Intake("<live>", remember=REPEATS, conform=conformer(self._program.declarations))
        if candidate is not None:
            self.try_out(candidate)

    @property
    def version(self) -> int:
        """The version in force: what is given back is made by it."""
        return self.changes[-1].version

    # -- events --------------------------------------------------------------------------------------------------------

    def push(self, event: Given) -> list[Detection]:
        """Takes one event and gives what it completes."""
        return self.process([event])

    def process(self, events: Iterable[Given]) -> list[Detection]:
        """Takes events in the order of their arrival."""
        return self._both([self._arrival(event) for event in events])

    def advance(self, time: object) -> list[Detection]:
        """Nothing has come, and the clock stands there: seconds, or a text."""
        clock = to_instant(time, "time")
        return self._compared(self._front.advance(clock), [] if self._beside is None else self._beside.advance(clock))

    def finish(self) -> list[Detection]:
        """The input has ended: what is still waited for comes."""
        return self._compared(self._front.finish(), [] if self._beside is None else self._beside.finish())

    def _both(self, arrivals: list[Arrival]) -> list[Detection]:
        found = self._front.process(arrivals)
        return self._compared(found, [] if self._beside is None else self._beside.process(arrivals))

    def _compared(self, found: Sequence[Detection], others: Sequence[Detection]) -> list[Detection]:
        if self._beside is not None:
            names = {rule.name for rule in _running(self._beside).rules}
            self.shadow.add((one.rule, "\0".join(one.events), False) for one in found if one.rule in names)
            self.shadow.add((one.rule, "\0".join(one.events), True) for one in others)
        return list(found)

    def _arrival(self, event: Given) -> Arrival:
        self._taken += 1
        try:
            return admit_object(event, self._taken, self._intake)
        except Refused as refused:
            raise self._intake.error(self._taken, "", refused) from None

    # -- rules ---------------------------------------------------------------------------------------------------------

    def change(self, rules: Rules) -> Change:
        """Goes on with other rules. Wrong ones are refused with an error, and nothing has changed."""
        program = _checked(program_of(rules), self._options)
        old, new = ({rule.name: rule for rule in each.rules} for each in (self._program, program))
        self._front.change(program)
        self._program = program
        self._intake.conform = conformer(program.declarations)
        self.changes.append(
            Change(
                self.version + 1,
                tuple(sorted(new.keys() - old.keys())),
                tuple(sorted(name for name in new.keys() & old.keys() if new[name] != old[name])),
                tuple(sorted(old.keys() - new.keys())),
            )
        )
        return self.changes[-1]

    def look(self) -> Change | None:
        """Reads the files again: the new version, if they say something else and it is right."""
        page = None if self._book is None else self._book.read()
        if page is None:
            return None
        self.refused = page.refused
        try:
            is_other = _checked(page.program, self._options) != self._program
        except UsageError as error:
            self.refused = (*self.refused, str(error))
            return None
        return self.change(page.program) if is_other else None

    def try_out(self, candidate: Rules) -> None:
        """Lets other rules run beside these from now on; `shadow` tells how what they find differs."""
        self._beside = self._begun(_checked(program_of(candidate), self._options), self._sources)
        self.shadow = Shadow()

    # -- state ---------------------------------------------------------------------------------------------------------

    def snapshot(self) -> bytes:
        """What the rules remember, and which events came, as bytes."""
        front = self._front
        rules = amending_snapshot(front) if isinstance(front, Amending) else front.snapshot()
        came = json.dumps({"taken": self._taken, "intake": self._intake.state()}, separators=(",", ":")).encode()
        body = len(came).to_bytes(8, "big") + came + rules
        return MAGIC + hashlib.sha256(body).digest() + body

    def restore(self, saved: bytes) -> None:
        """Goes on from what was saved, of these rules or of others: what is equal is remembered.

        An event that came before still counts once, and ids that are given here go on counting. With `amend` the rules
        must be the same ones.
        """
        came, rules = _opened(saved)
        if isinstance(self._front, Amending):
            amending_restore(self._front, rules)
        else:
            self._front.restore(rules)
        if came is not None:
            self._taken = came["taken"]
            self._intake.restore(came["intake"])

    def stats(self) -> dict[str, object]:
        """What the rules hold and have done."""
        return self._front.stats()

    def _begun(self, program: Program, sources: tuple[str, ...]) -> Front | Amending:
        options = self._options
        if options.amend is not None:
            return Amending(program, within=options.amend, granularity=options.granularity)
        return Front(
            program,
            options.order,
            sources=sources,
            granularity=options.granularity,
            ignore_late=options.ignore_late,
        )


def _opened(saved: bytes) -> tuple[dict[str, Any] | None, bytes]:
    """Which events came, and what the rules remember; only that, where an earlier release has saved it."""
    if not saved.startswith(MAGIC):
        return None, saved
    check, body = saved[len(MAGIC) : len(MAGIC) + 32], saved[len(MAGIC) + 32 :]
    if hashlib.sha256(body).digest() != check:
        raise SnapshotError("the snapshot is damaged: its checksum is wrong")
    length = int.from_bytes(body[:8], "big")
    came = json.loads(body[8 : 8 + length])
    assert isinstance(came, dict)
    return came, body[8 + length :]


def _running(front: Front | Amending) -> Program:
    return front.program if isinstance(front, Amending) else front.engine.program


def _book_of(rules: Rules) -> Rulebook | None:
    return Rulebook(files_of([fspath(rules)])) if isinstance(rules, str | PathLike) else None


def _checked(program: Program, options: Options) -> Program:
    """A program that can run: one order for all its rules."""
    if not program.rules:
        raise UsageError("there are no rules")
    groups = by_order(Session(program, options).program, options.order)
    if [group.order for group in groups] != [options.order]:
        raise UsageError("rules at work in a process have one order: say it once, Live(rules, order=...)")
    return groups[0].program
