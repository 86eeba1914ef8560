"""The protocol of rules at work: nine verbs, whatever is behind them.

    process     arrivals come: columns, or events and heartbeats
    advance     time has passed, and nothing came
    command     statements are typed between two arrivals: declare, define, enable, trigger, stop
    change      other rules from now on; equal ones keep what they remember
    next_due    when there is something to do, should nothing come
    finish      the input has ended
    snapshot    all that is remembered, as bytes ...
    restore     ... and back
    stats       what is held and was done

`process`, `advance`, `command` and `finish` give the detections they lead to, in order of detection. Times are whole
microseconds. An implementation is called from one thread at a time.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, TypeAlias

from tocsin.algebra.notes import Notes
from tocsin.algebra.order import Release
from tocsin.algebra.rules import Program, Statement
from tocsin.engine.frames.reports import Reported
from tocsin.engine.network.batch import Batch
from tocsin.errors import UsageError
from tocsin.events import Arrival, Detection, Event
from tocsin.formats.instants import TimeStyle

NO_DATA: Final[Mapping[str, object]] = MappingProxyType({})
"""The attributes of an event that has none."""

DetectionBatch: TypeAlias = Sequence[Detection] | Reported
"""What was found: detections, or columns of them."""


class Verbs(ABC):
    """Rules at work: events, time and commands come in, detections go out."""

    notes: Notes
    """What there is to say besides the detections."""

    @property
    @abstractmethod
    def program(self) -> Program:
        """The rules, as a script that defines and enables them."""

    @property
    @abstractmethod
    def now(self) -> int | None:
        """The clock of the rules; there is none before the first event."""

    @property
    @abstractmethod
    def enabled(self) -> Sequence[str]:
        """The rules that see events; before the clock starts, those that will."""

    @property
    @abstractmethod
    def has_stopped(self) -> bool:
        """Whether `stop` was said: nothing is seen any more."""

    @abstractmethod
    def process(self, arrivals: Batch | list[Arrival]) -> Sequence[Detection]:
        """Takes arrivals in their order."""

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
        """Takes one event: `process` where there is only one, and sooner. What is not given is as in a file."""
        clock = time if arrival is None else arrival
        return self.process([Event(type, time, time if start is None else start, id, source, data, clock)])

    def columns(self, batch: Batch, style: TimeStyle, keys: Mapping[str, str]) -> Iterator[DetectionBatch]:
        """Takes a batch; what is found is left in columns where that can be, with the keys of rules beside them."""
        yield self.process(batch)

    def take(self, releases: list[Release]) -> Sequence[Detection]:
        """Takes what an order of arrival elsewhere has released: it is evaluated as it comes."""
        raise UsageError("these rules put events in order themselves")

    def take_out(self, rules: Iterable[str]) -> bytes:
        """The state of some rules, which go on elsewhere (`merge`); from now on these run without them."""
        raise UsageError("these rules cannot be moved")

    def merge(self, program: Program, parcel: bytes) -> None:
        """Goes on with another program, which has the rules of a parcel, too: those go on where they were."""
        raise UsageError("rules cannot be moved here")

    def watermark(self, time: int) -> Sequence[Detection]:
        """Nothing older than a time is to be expected: what waits for that under `guaranteed` is stable."""
        return ()

    def begin(self, clock: int) -> None:  # noqa: B027 - only some have a clock that can be started
        """Starts the clock before the first event, where it is known when the stream began."""

    @property
    def has_begun(self) -> bool:
        """Whether an event has come: before that there is no clock."""
        return self.now is not None

    @abstractmethod
    def advance(self, clock: int) -> Sequence[Detection]:
        """The arrival clock reaches a time, and nothing comes: timers, ends of windows, what was held long enough."""

    @abstractmethod
    def command(self, statements: tuple[Statement, ...], clock: int | None = None) -> Sequence[Detection]:
        """Runs what is typed just now, at a time of the arrival clock if that is given."""

    @abstractmethod
    def change(self, program: Program) -> None:
        """Goes on with other rules: equal ones keep what they remember, new ones see what comes from now on."""

    @abstractmethod
    def next_due(self) -> int | None:
        """When there is something to do, should nothing arrive."""

    @abstractmethod
    def finish(self, until: int | None = None) -> Sequence[Detection]:
        """The input has ended: what is held is evaluated, and what is waited for comes, to `until` if that is given."""

    @abstractmethod
    def snapshot(self) -> bytes:
        """All of it as bytes, to be given to `restore`."""

    @abstractmethod
    def restore(self, data: bytes) -> None:
        """Goes on from a saved state; only where nothing has come yet."""

    @abstractmethod
    def stats(self) -> dict[str, object]:
        """What is held and was done, in all and by rule."""
