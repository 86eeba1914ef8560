"""Rules at work in this process, which may change while events come: `tc.Live`.

    live = tc.Live("rules/")                 # files, directories, rules
    for event in stream:
        live.look()                          # whether the files have changed
        for found in live.push(event): ...   # by version `live.version` of the rules

What is equal in the next version keeps what it remembers; what is new sees events from then on. A version that is wrong
is refused, and the last one goes on. A candidate may run beside the rules, to be compared with them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike, fspath
from time import monotonic
from typing import Any, Final

from tocsin.algebra.rules import Program
from tocsin.api import Rules, Span, options_given, program_of
from tocsin.errors import UsageError
from tocsin.events import Arrival, Detection, Event, Heartbeat
from tocsin.formats.instants import to_instant
from tocsin.formats.intake import Intake
from tocsin.formats.object_blocks import object_block
from tocsin.formats.objects import admit_object
from tocsin.formats.refused import Refused
from tocsin.rules.declared_events import conformer
from tocsin.rules.rulebook import Page, Rulebook, files_of
from tocsin.runtime import Options, Runtime
from tocsin.runtime.columnar import batch_of_block
from tocsin.runtime.shadow import Shadow
from tocsin.runtime.snapshots import opened, packed
from tocsin.runtime.versions import Change
from tocsin.session import Session
from tocsin.time.spans import HOUR
from tocsin.transports import SOURCE, address_of, subscribe, transport_of
from tocsin.transports.events import Decoder

MAGIC: Final = b"tocsin live snapshot 1\n"
"""The format of what is saved, and its version: which events came, and then what the rules remember."""
REPEATS = HOUR
"""How long, in the time of events, it is known that an event was there before."""

_TURN: Final = 0.2
"""Seconds after which whoever follows an address looks at the rules again."""

Given = Mapping[str, object] | Event | Heartbeat
"""An event as a dictionary, as in a file; or as an object."""


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
        self._runtime = Runtime(self._program, self._options, sources=sources)
        self.refused: tuple[str, ...] = ()
        self._taken = 0
        self._intake = Intake("<live>", remember=REPEATS, conform=conformer(self._program.declarations))
        if candidate is not None:
            self.try_out(candidate)

    @property
    def version(self) -> int:
        """The version in force: what is given back is made by it."""
        return self._runtime.version

    @property
    def changes(self) -> Sequence[Change]:
        """The versions so far, the last of them in force."""
        return self._runtime.versions.changes

    @property
    def _is_strict(self) -> bool:
        """Whether a rule asks of every event by itself what it is."""
        return any(rule.strict for rule in self._program.rules)

    @property
    def shadow(self) -> Shadow:
        """What the rules and the candidate have in common, and what only one of them finds."""
        return self._runtime.shadow

    # -- events --------------------------------------------------------------------------------------------------------

    def push(self, event: Given) -> list[Detection]:
        """Takes one event and gives what it completes."""
        return self.process([event])

    def process(self, events: Iterable[Given]) -> list[Detection]:
        """Takes events in the order of their arrival."""
        given: list[Any] = [*events]
        block = None if self._is_strict else object_block(given, self._taken + 1, self._intake)
        if block is None:
            return list(self._runtime.process([self._arrival(event) for event in given]))
        self._taken += len(given)
        return list(self._runtime.process(batch_of_block(block)))

    def follow(self, url: str, *, seconds: float | None = None, name: str = "") -> Iterator[Detection]:
        """What is found in the events of an address, as they come: nats:// mqtt:// kafka:// file: memory:.

        It ends when nothing has come for so many seconds; without them, never. Files of rules are read again meanwhile.
        With a `name`, another call goes on behind what was given back by this one (files remember nobody).
        """
        address = address_of(url, SOURCE)
        transport_of(url, SOURCE).check(address, SOURCE)
        decoder, heard = Decoder(address, self._intake), monotonic()
        with subscribe(address, None, name) as subscription:
            while seconds is None or monotonic() - heard < seconds:
                delivery = subscription.receive(_TURN if seconds is None else min(_TURN, seconds))
                self.look()
                if delivery:
                    yield from self._runtime.process(decoder.arrivals(delivery.messages))
                    subscription.acknowledge(delivery.position)
                    heard = monotonic()

    def advance(self, time: object) -> list[Detection]:
        """Nothing has come, and the clock stands there: seconds, or a text."""
        return list(self._runtime.advance(to_instant(time, "time")))

    def finish(self) -> list[Detection]:
        """The input has ended: what is still waited for comes."""
        return list(self._runtime.finish())

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
        self._runtime.change(program)
        self._program = program
        self._intake.conform = conformer(program.declarations)
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
        self._runtime.try_out(_checked(program_of(candidate), self._options))

    # -- state ---------------------------------------------------------------------------------------------------------

    def snapshot(self) -> bytes:
        """What the rules remember, and which events came, as bytes."""
        came = {"taken": self._taken, "intake": self._intake.state()}
        return packed(MAGIC, came, [self._runtime.snapshot()])

    def restore(self, saved: bytes) -> None:
        """Goes on from what was saved, of these rules or of others: what is equal is remembered.

        An event that came before still counts once, and ids that are given here go on counting. With `amend` the rules
        must be the same ones.
        """
        if not saved.startswith(MAGIC):  # an earlier release kept only what the rules remember
            self._runtime.restore(saved)
            return
        came, (rules,) = opened(MAGIC, saved)
        self._runtime.restore(rules)
        self._taken = came["taken"]
        self._intake.restore(came["intake"])

    def stats(self) -> dict[str, object]:
        """What the rules hold and have done."""
        return self._runtime.stats()


def _book_of(rules: Rules) -> Rulebook | None:
    return Rulebook(files_of([fspath(rules)])) if isinstance(rules, str | PathLike) else None


def _checked(program: Program, options: Options) -> Program:
    """A program that can run."""
    if not program.rules:
        raise UsageError("there are no rules")
    return Session(program, options).program
