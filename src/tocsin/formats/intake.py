"""The intake: where records, whatever they came from, become arrivals.

Every reader makes plain records (`type`, `time`, `data` ...) and hands them in here, so that defaults, the
order of arrival, duplicates and bad events are the same for every format.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Protocol, TypeAlias, runtime_checkable

from tocsin.errors import EventError, Fault, Place, UsageError
from tocsin.events import Arrival, Event, Heartbeat
from tocsin.formats.blocks import Block, Parcel
from tocsin.formats.clocks import InputClock
from tocsin.formats.fields import FIELDS, PLAIN, Fields, beside
from tocsin.formats.instants import TimeStyle
from tocsin.formats.refused import Refused, shown
from tocsin.formats.repeats import Seen

NOTHING: Final = -1
"""As long as nothing is remembered: an event that comes again counts again."""
_MOST_ID: Final = 10**100
"""An id that is a larger number than this is a mistake, and slow to write as text."""


Conform: TypeAlias = Callable[[str, Mapping[str, object]], Mapping[str, object]]
"""Gives the attributes of an event of a type as they are declared, or raises `Refused`."""


@runtime_checkable
class Foreseeing(Protocol):
    """What conforms, and can say beforehand what it asks for."""

    def plain_types(self, name: str) -> list[tuple[str, frozenset[type]]] | None:
        """What an event of a type must have, where its values stay as they are; None where some are made anew."""


_PAIR: Final = (list, tuple)

Watch: TypeAlias = Callable[[Event], None]
"""Shown each event as it is admitted."""

Notice: TypeAlias = Callable[[Block], None]
"""Shown many events that were admitted at once."""

Naming: TypeAlias = Callable[[int, Mapping[str, object]], str]
"""The id of an event that has none: by its number, and by the record that it is."""

OnBad: TypeAlias = Callable[[int, str, str], None]
"""Told of each event that is skipped: line number, the line as it was, the reason."""


class Intake:
    """The way in for one input: what was seen so far, and what is done with a bad event.

    Invariant: the arrivals admitted never go back in time.
    """

    def __init__(
        self,
        file: str,
        on_error: str = "refuse",
        on_bad: OnBad | None = None,
        declared: Mapping[str, Sequence[str]] | None = None,
        remember: int | None = None,
        style: TimeStyle | None = None,
        conform: Conform | None = None,
        fields: Fields = PLAIN,
        clock: InputClock | None = None,
        watch: Watch | None = None,
        notice: Notice | None = None,
        naming: Naming | None = None,
    ) -> None:
        if on_error not in ("refuse", "skip"):
            raise UsageError(f"on_error is {on_error!r}: refuse or skip")
        self.file, self.declared = file, declared or {}
        self.is_live = False
        """Whether events may come slowly: then each is handed on as soon as it is there."""
        self.style = style or TimeStyle()
        self.skipped = 0
        self.repeated = 0
        self.doubled: Counter[str] = Counter()
        """The attributes that stood in `data` and beside it, and in how many events."""
        self.fields, self.clock = fields, clock or InputClock()
        self.last_arrival: int | None = None
        self._number = self.before = 0
        """`before`: how many rows the files before this one had."""
        self.conform, self._watch, self._notice, self._naming = conform, watch, notice, naming
        self._skip, self._on_bad = on_error == "skip", on_bad
        self.seen = Seen(remember)

    def admit(self, record: Mapping[str, object], number: int) -> Arrival:
        """The event that a record describes, or a heartbeat where it repeats one; nothing changes if it is refused.

        A record without a type that says `"heartbeat": true` is a heartbeat by itself.
        """
        self._number = number
        kind = record.get("type")
        if kind is None and record.get("heartbeat") is True:
            return self._heartbeat(record)
        if type(kind) is not str or not kind:
            raise self._unfit(record, "type", "text")
        if "amends" in record and "change" in record:
            raise Refused("an amendment of a detection is no event", hint="apply it to what was detected before")
        start, end = self._interval(record)
        name, source = text_field(record, "id"), text_field(record, "source") or ""
        given_data, twice = attributes(record)
        data = given_data if self.conform is None else self.conform(kind, given_data)
        given = record.get("arrival")
        arrival = end if given is None else self.clock.instant(given, "arrival")
        self.style.note(record["time"])
        if twice:
            self.doubled.update(twice)
        event = Event(kind, end, start, name or self._name_of(record), source, data, self._advance(arrival))
        return self._news(event, name is not None)

    def _name_of(self, record: Mapping[str, object]) -> str:
        """What an event is called that has no id."""
        number = self.before + self._number
        return str(number) if self._naming is None else self._naming(number, record)

    def _heartbeat(self, record: Mapping[str, object]) -> Heartbeat:
        """News of a source, without an event."""
        _, time = self._interval(record)
        given = record.get("arrival")
        arrival = time if given is None else self.clock.instant(given, "arrival")
        return Heartbeat(text_field(record, "source") or "", time, self._advance(arrival))

    def _interval(self, record: Mapping[str, object]) -> tuple[int, int]:
        if record.get("time") is None:
            raise self._unfit(record, "time", "RFC 3339 text, seconds as a number, or [lo, hi]")
        return interval(record, self.clock)

    def _unfit(self, record: Mapping[str, object], name: str, expected: str) -> Refused:
        """A required field that is missing or cannot be one."""
        if record.get(name) is not None:
            return Refused(f"{name} is {shown(record[name])}", expected=expected)
        asked = self.fields.columns.get(name)
        if asked is not None:
            hint = f"--columns says that it is {shown(asked)}"
        else:
            close = next((key for key in record if key not in FIELDS and name in str(key).lower()), None)
            hint = (
                f"say which field it is: --columns {name}=NAME"
                if close is None
                else f"it has {shown(close)}: is that what is meant? --columns {name}={close}"
            )
        return Refused(f"the event has no {name}", expected=expected, hint=hint)

    def admit_made(self, event: Event, number: int) -> Arrival:
        """An event made elsewhere; the object itself where it fits in. Arrival 0 is none given."""
        if not isinstance(event.type, str) or not event.type:
            raise Refused("the event has no type", expected="text")
        if not (type(event.start) is type(event.end) is type(event.arrival) is int):
            raise Refused(f"the times of {event.type!r} are not whole microseconds")
        if event.start > event.end:
            raise Refused(f"the event starts ({event.start}) after it ends ({event.end})")
        if self.conform is not None:
            event = replace(event, data=self.conform(event.type, event.data))
        arrival = self._advance(event.arrival or event.end)
        if arrival != event.arrival or not event.id:
            name = event.id or str(number)
            made = (event.type, event.end, event.start, name, event.source, event.data, arrival, event.events)
            return self._news(Event(*made), bool(event.id))
        return self._news(event, True)

    def admit_again(self, event: Event, number: int) -> Arrival:
        """An event admitted from one of several files, in its place among all; without an id, by its number."""
        self._number = number
        name, arrival = event.id or str(number), self._advance(event.arrival)
        made = (event.type, event.end, event.start, name, event.source, event.data, arrival, event.events)
        return self._news(Event(*made), bool(event.id))

    def admit_heartbeat(self, heartbeat: Heartbeat) -> Heartbeat:
        """A heartbeat made elsewhere, in its place in the order of arrival."""
        return Heartbeat(heartbeat.source, heartbeat.time, self._advance(heartbeat.arrival))

    def begin(self, file: str) -> None:
        """Goes on with another file; events without an id go on being counted, so that none is called as another."""
        self.file = file
        self.before += self._number
        self._number = 0

    def refuse(self, number: int, text: str, refused: Refused) -> None:
        """Counts a bad event where they are skipped; raises `EventError` where not."""
        if not self._skip:
            raise self.error(number, text, refused) from None
        self.skipped += 1
        if self._on_bad is not None:
            details = f"{refused.reason}, expected {refused.expected}" if refused.expected else refused.reason
            self._on_bad(number, text, details)

    def error(self, number: int, text: str, refused: Refused) -> EventError:
        """What is wrong, with its place."""
        place = Place(self.file, number, refused.column, text)
        return EventError(Fault(refused.reason, expected=refused.expected, hint=refused.hint, place=place))

    def plain_types(self, name: str) -> list[tuple[str, frozenset[type]]] | None:
        """What an event of a type must have, where its values stay as they are; None where that is not known."""
        if self.conform is None:
            return []
        return self.conform.plain_types(name) if isinstance(self.conform, Foreseeing) else None

    @property
    def takes_blocks(self) -> bool:
        """Whether many events can be admitted at once: not if each has to be shown to somebody."""
        return self._naming is None and (self._watch is None or self._notice is not None)

    def took(self, block: Block, time: object, number: int, arrival: int) -> None:
        """Many events were admitted at once; `time` is the first one's as it was written, `number` the last row's."""
        self._number, self.last_arrival = number, arrival
        self.style.note(time)
        self.show(block)

    def reach(self, number: int) -> None:
        """The rows up to this one were taken."""
        self._number = number

    @property
    def is_watched(self) -> bool:
        """Whether somebody looks at all events."""
        return self._notice is not None

    def show(self, block: Block) -> None:
        """Many events, to whoever looks at all of them."""
        if self._notice is not None:
            self._notice(block)

    @property
    def remarks(self) -> list[str]:
        """What a person should know about how the events were read."""
        said = [self.clock.remark] if self.clock.remark else []
        for name, count in self.doubled.most_common(5):
            some = f"{count} event{'s' * (count > 1)} {'have' if count > 1 else 'has'}"
            said.append(f"{some} {name!r} in data and beside it: the one in data counts")
        return said

    def state(self) -> dict[str, Any]:
        """What it remembers of its input, as plain values: which events came, and the last arrival."""
        return {"seen": self.seen.state(), "arrival": self.last_arrival}

    def restore(self, state: dict[str, Any]) -> None:
        """Goes on from what `state` told."""
        self.seen.restore(state["seen"])
        self.last_arrival = state["arrival"]

    def _advance(self, arrival: int) -> int:
        """The arrival that counts: never before the last."""
        if self.last_arrival is not None and arrival < self.last_arrival:
            return self.last_arrival
        self.last_arrival = arrival
        return arrival

    def _news(self, event: Event, named: bool) -> Arrival:
        """The event, or the heartbeat that is left of it if its name was seen before."""
        if named and self.seen.knew(event.source, event.id, event.end):
            self.repeated += 1
            return Heartbeat(event.source, event.end, event.arrival)
        if self._watch is not None:
            self._watch(event)
        return event


class Arrivals(Iterator[Arrival]):
    """Arrivals as they are read, one at a time or many (`parcels`); what is learnt on the way can be asked of it."""

    def __init__(self, intake: Intake, parcels: Iterator[Parcel]) -> None:
        self._intake, self._parcels = intake, parcels
        self._each = (arrival for parcel in parcels for arrival in parcel)

    def __next__(self) -> Arrival:
        return next(self._each)

    def parcels(self) -> Iterator[Parcel]:
        """What was not taken one by one; then there is nothing more to be taken so."""
        return self._parcels

    @property
    def file(self) -> str:
        """The file that is being read."""
        return self._intake.file

    @property
    def style(self) -> TimeStyle:
        """How the first event's time was written; to be asked after the first event."""
        return self._intake.style

    @property
    def skipped(self) -> int:
        """How many bad events were left out so far."""
        return self._intake.skipped

    @property
    def repeated(self) -> int:
        """How many events had a source and id that came before, so far."""
        return self._intake.repeated

    @property
    def remarks(self) -> list[str]:
        """What a person should know about how the events were read."""
        return self._intake.remarks


def attributes(record: Mapping[str, object]) -> tuple[dict[str, object], list[str]]:
    """The attributes in `data` and beside it; and the names that are in both places: there `data` counts."""
    data = record.get("data")
    if data is not None and not isinstance(data, dict):
        raise Refused(f"data is {shown(data)}", expected="an object")
    names = beside(record)
    if not names:
        return data or {}, []
    if not data:
        return {name: record[name] for name in names}, []
    return {name: record[name] for name in names} | data, [name for name in names if name in data]


def interval(record: Mapping[str, object], clock: InputClock) -> tuple[int, int]:
    """The start and the end of an event: of `time` alone, of `time` as `[lo, hi]`, or of `start` and `time`."""
    time, start = record.get("time"), record.get("start")
    if isinstance(time, _PAIR):
        if len(time) != 2:
            raise Refused(f"time is a list of {len(time)}", expected="[lo, hi]")
        if start is not None:
            raise Refused("both start and an interval in time", expected="one of them")
        start, time = time
        if start is None:
            raise Refused("time has no lower end", expected="[lo, hi]")
    end = clock.instant(time, "time")
    begin = end if start is None else clock.instant(start, "start")
    if begin > end:
        raise Refused(f"the event starts ({shown(start)}) after it ends ({shown(time)})")
    return begin, end


def text_field(record: Mapping[str, object], name: str) -> str | None:
    """An id or a source: text, or a whole number as text; nothing where it is empty."""
    value = record.get(name)
    if value is None or value == "":
        return None
    if type(value) is str:
        return value
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # a column of numbers with gaps comes as floats
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < _MOST_ID:
        return str(int(value))
    raise Refused(f"{name} is {shown(value)}", expected="text")
