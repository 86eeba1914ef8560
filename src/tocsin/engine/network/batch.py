"""Events as columns, and every event by its number for as long as it may be asked for."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from typing import Final

from librt.strings import read_i64_le
from librt.vecs import vec
from mypy_extensions import i64

from tocsin.algebra.attributes import found_in, heads_of, is_path
from tocsin.algebra.values import MISSING
from tocsin.engine.network.numbers import SPREAD
from tocsin.engine.network.slots import Slots
from tocsin.engine.network.values import MISSING_VALUES, CodedValues, ObjectValues, Values
from tocsin.engine.network.vectors import filled
from tocsin.events import Event
from tocsin.plan.searches import SOURCE, TYPE

PUSHED: Final[i64] = 1024
"""Events that came one by one and are kept, and forgotten, together."""


Tell = Callable[[list[int]], tuple[list[str], list[str], list[Mapping[str, object]]]]


class Batch:
    """Some events in the order in which they are taken up. `starts` and `arrivals` are empty where they are the ends.

    Arrivals are of a clock: they never go back. `kinds` are the types by their codes. Times and codes are little-endian
    64-bit integers.
    """

    def __init__(
        self,
        count: int,
        kinds: list[str],
        codes: bytes,
        ends: bytes,
        starts: bytes = b"",
        arrivals: bytes = b"",
        columns: dict[str, Values] | None = None,
        ids: Values = MISSING_VALUES,
        sources: Values = MISSING_VALUES,
        events: list[Event] | None = None,
        find: Callable[[str], Values] | None = None,
        make: Callable[[int], Event] | None = None,
        tell: Tell | None = None,
    ) -> None:
        """`find` gives a column and `make` the event in a row, where these are not made before they are asked for.

        `tell` gives the ids, sources and attributes of some rows, for those who need no events.
        """
        self.count, self.kinds, self.codes, self.ends = count, kinds, codes, ends
        self.starts = starts or ends
        self.arrivals = arrivals or ends
        self.columns = columns or {}
        self.ids, self.sources = ids, sources
        self.events = events
        self.find, self.make, self.tell = find, make, tell
        self.first: i64 = 0
        self._made: dict[int, Event] = {}
        self._paths: dict[str, Values] = {}

    def again(self) -> Batch:
        """The same rows for another engine: each numbers the batches it takes for itself."""
        return Batch(
            self.count,
            self.kinds,
            self.codes,
            self.ends,
            self.starts,
            self.arrivals,
            self.columns,
            self.ids,
            self.sources,
            self.events,
            self.find,
            self.make,
            self.tell,
        )

    @property
    def is_made(self) -> bool:
        """Whether its rows are events made elsewhere, and `columns` are not all that they have."""
        return self.events is not None or self.make is not None

    def column(self, attribute: str) -> Values:
        """The values of an attribute, or of what stands for one: the source and the type."""
        if attribute == SOURCE:
            return SourceValues(self)
        if attribute == TYPE:
            return CodedValues(self.codes, list(self.kinds))
        if self.find is not None:
            if attribute not in self.columns:
                self.columns[attribute] = self.find(attribute)
            return self.columns[attribute]
        if self.events is not None and attribute not in self.columns:
            found = [found_in(event.data, attribute) for event in self.events]
            self.columns[attribute] = ObjectValues(found)
        if is_path(attribute) and self.events is None:
            return self._inside(attribute)
        return self.columns.get(attribute, MISSING_VALUES)

    def _inside(self, path: str) -> Values:
        """The values of an attribute that may lie inside others; they are no column of their own."""
        heads = [(head, self.columns[head]) for head in heads_of(path) if head in self.columns]
        if not heads or (len(heads) == 1 and heads[0][0] == path):
            return self.columns.get(path, MISSING_VALUES)
        made = self._paths.get(path)
        if made is None:
            found: list[object] = []
            for place in range(self.count):
                data = {name: value for name, column in heads if (value := column.value(place)) is not MISSING}
                found.append(found_in(data, path))
            made = self._paths[path] = ObjectValues(found)
        return made

    def attribute(self, name: str, place: int) -> object:
        """One attribute of one event, or MISSING."""
        return self.column(name).value(place)

    def forget_columns(self) -> None:
        """Keeps no column that can be had again: the rules have read what they read of the batch as a whole."""
        if self.find is not None:
            self.columns = {}

    def event(self, place: int) -> Event:
        """The event in a row, made when it is asked for."""
        found = self._made.get(place)
        if found is None:
            found = self._made[place] = self._event(place)
        return found

    def _event(self, place: int) -> Event:
        number = (int(self.first) + place) * int(SPREAD)
        if self.is_made:
            given = self._given(place)
            if given.number == number:
                return given
            return Event(
                given.type,
                given.end,
                given.start,
                given.id,
                given.source,
                given.data,
                given.arrival,
                given.events,
                given.maker,
                number,
                given.stamp,
                given.is_composite,
            )
        data = {name: value for name, values in self.columns.items() if (value := values.value(place)) is not MISSING}
        kind = self.kinds[read_i64_le(self.codes, place * 8)]
        end, start = int(read_i64_le(self.ends, place * 8)), int(read_i64_le(self.starts, place * 8))
        name, source = self.ids.value(place), self.sources.value(place)
        identity = str(int(self.first) + place) if name is MISSING else str(name)
        arrival = int(read_i64_le(self.arrivals, place * 8))
        return Event(kind, end, start, identity, "" if source is MISSING else str(source), data, arrival, number=number)

    def _given(self, place: int) -> Event:
        """The event in a row as it came, without its number."""
        if self.events is not None:
            return self.events[place]
        assert self.make is not None
        return self.make(place)

    def source(self, place: int) -> str:
        """Where an event came from."""
        if self.events is not None:
            return self.events[place].source
        source = self.sources.value(place)
        return "" if source is MISSING else str(source)


class Pushed(Batch):
    """Events that came one by one, as they were given: type, end, attributes; and what else there is, for some."""

    def __init__(self) -> None:
        super().__init__(0, [], b"", b"")
        self.types: list[str] = []
        self.times: vec[i64] = filled(PUSHED, 0)
        self.data: list[dict[str, object]] = []
        self.more: dict[int, tuple[str, str, int, int]] = {}

    def attribute(self, name: str, place: int) -> object:
        return found_in(self.data[place], name)

    def event(self, place: int) -> Event:
        found = self._made.get(place)
        if found is None:
            end = int(self.times[place])
            name, source, start, arrival = self.more.get(place, ("", "", end, end))
            taken = int(self.first) + place
            name = name or str(taken)
            number = taken * int(SPREAD)
            found = Event(self.types[place], end, start, name, source, self.data[place], arrival, number=number)
            self._made[place] = found
        return found


class SourceValues(Values):
    """Where events came from, as a column."""

    def __init__(self, batch: Batch) -> None:
        self._batch = batch

    def slot(self, place: i64, slots: Slots) -> i64:
        return slots.of_value(self._batch.source(int(place)))

    def value(self, place: i64) -> object:
        return self._batch.source(int(place))


_SHARE: Final = 4
"""What one in so many of the events that were made here may be kept beyond its time."""


class Store:
    """Events by their numbers: batches in order, and what rules and clocks made in between."""

    def __init__(self) -> None:
        self.next: i64 = 1
        self._firsts: list[int] = []
        self._batches: list[Batch] = []
        self._made: dict[int, Event] = {}
        self._swept: i64 = 0
        self.pushed: Pushed | None = None

    def add(self, batch: Batch) -> None:
        """Takes a batch in: its events get the next numbers."""
        self.pushed = None
        batch.first = self.next
        self._firsts.append(int(self.next))
        self._batches.append(batch)
        self.next += batch.count

    def push(self, kind: str, end: i64, data: dict[str, object]) -> i64:
        """Keeps an event that came by itself; its number."""
        pushed = self.pushed
        # Numbers may have gone to events that rules were shown one by one meanwhile: then these do not follow on.
        if pushed is None or pushed.count == PUSHED or pushed.first + pushed.count != self.next:
            pushed = Pushed()
            self.add(pushed)
            self.pushed = pushed
        pushed.types.append(kind)
        pushed.times[pushed.count] = end
        pushed.data.append(data)
        pushed.count += 1
        number = self.next * SPREAD
        self.next += 1
        return number

    def note_pushed(self, name: str, source: str, start: int, arrival: int) -> None:
        """What else there is about the event that came last."""
        pushed = self.pushed
        assert pushed is not None
        pushed.more[pushed.count - 1] = (name, source, start, arrival)

    def next_made(self) -> i64:
        """A place for an event that is in no batch; those that come one by one after it begin another."""
        self.pushed = None
        place = self.next
        self.next += 1
        return place

    def make(self, event: Event, number: i64) -> None:
        """Keeps an event that was made here, not read."""
        self._made[int(number)] = event

    def event(self, number: i64) -> Event:
        """The event of a number."""
        made = self._made.get(int(number))
        if made is not None:
            return made
        place = number // SPREAD
        batch = self._batches[bisect_right(self._firsts, int(place)) - 1]
        return batch.event(int(place - batch.first))

    def holder(self, number: i64) -> tuple[Batch | None, int, Event | None]:
        """The batch that an event is in and its place there; or the event itself, where it was made."""
        made = self._made.get(int(number)) if self._made else None
        if made is not None:
            return None, 0, made
        place = number // SPREAD
        last = self._batches[-1]
        batch = last if place >= last.first else self._batches[bisect_right(self._firsts, int(place)) - 1]
        return batch, int(place - batch.first), None

    def made_by(self, number: i64) -> str:
        """The rule that made an event; nothing for one that was read."""
        made = self._made.get(int(number))
        return "" if made is None else made.maker

    def forget(self, number: i64) -> None:
        """Drops what has a lower number and is not part of a batch that goes on."""
        place = number // SPREAD
        count = bisect_right(self._firsts, int(place)) - 1
        if count > 0:
            del self._firsts[:count]
            del self._batches[:count]
        # All of them are looked at, so that is done when many may have to go: what is restored is made one by one.
        if self._made and place - self._swept >= len(self._made) // _SHARE:
            self._swept = place
            self._made = {key: event for key, event in self._made.items() if key >= number}

    @property
    def batches(self) -> list[Batch]:
        """What is kept."""
        return self._batches
