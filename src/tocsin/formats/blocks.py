"""Many events at once, as columns, for readers that need not look at each.

All or nothing: what a column cannot say exactly as a row would (a bad event, one that came before, an interval in one
field) is `Unusual`. The rows it stands among then go through the intake one by one, and nothing has changed before.
So both ways give the same events, and tests hold the two together.
"""

from __future__ import annotations

import sys
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias, cast

from tocsin.events import Arrival, Event
from tocsin.formats.clocks import InputClock
from tocsin.formats.instants import MANY, Instant, instants_of_floats, instants_of_texts, instants_of_wholes
from tocsin.formats.refused import Refused
from tocsin.formats.texts import Numerals, Texts

if TYPE_CHECKING:
    from tocsin.formats.frames import Table
    from tocsin.formats.intake import Intake


class Unusual(Exception):
    """What stands in these rows can only be said row by row."""


class Reals(NamedTuple):
    """A column of real numbers, 64 bits each."""

    data: bytes


class Wholes(NamedTuple):
    """A column of whole numbers, 64 bits each."""

    data: bytes


Column: TypeAlias = Reals | Wholes | list[object]
"""The values of an attribute; in a list MISSING stands where an event does not have it."""


class Rows(Protocol):
    """Where the columns and the rows of a block come from, when they are asked for."""

    def column(self, name: str) -> Column:
        """The values of an attribute, or of what a path leads to."""

    def data(self, place: int) -> Mapping[str, object]:
        """The attributes of one event."""

    def several(self, places: list[int]) -> list[Mapping[str, object]]:
        """The attributes of some events."""
        return [*map(self.data, places)]

    def part(self, first: int, last: int) -> Rows:
        """Only some of the rows."""

    def release(self) -> None:
        """Keeps no more than it takes to say what one row holds: the columns have been read."""


class Coded(NamedTuple):
    """Texts as codes, 64 bits each, and the texts by their codes: those come in the order in which they are met."""

    codes: bytes
    texts: list[str]

    def listed(self) -> list[str]:
        """The texts one by one."""
        return [self.texts[code] for code in memoryview(self.codes).cast("q")]


@dataclass(frozen=True)
class Offered:
    """The fields of some events as they stand in the input; None for one that none of them has.

    `first` is the number of the first row; each has a number more than the one before. Times in an array are instants;
    `time` is then the first one as it stands in the input, if it is no instant there.
    """

    first: int
    types: list[str] | Coded
    times: list[object] | array[int]
    starts: list[object] | None = None
    arrivals: list[object] | array[int] | None = None
    ids: list[object] | Numerals | None = None
    sources: list[object] | None = None
    time: object = None


@dataclass(frozen=True)
class Block:
    """Some events in order of arrival. Times and the codes of types are 64-bit integers, `kinds` the types by code.

    `counts` has how many events there are of each type; `names` are the ids, where events have any: an event without is
    called by its number, from `first` on.
    """

    kinds: list[str]
    counts: Counter[str]
    codes: bytes
    ends: bytes
    starts: bytes
    arrivals: bytes
    first: int
    names: Sequence[str | None] | None
    sources: Sequence[str] | None
    rows: Rows

    def __len__(self) -> int:
        """How many events there are."""
        return len(self.ends) // 8

    def event(self, place: int) -> Event:
        """The event in a row, made anew each time."""
        name = None if self.names is None else self.names[place]
        return Event(
            self.kinds[_at(self.codes, place)],
            _at(self.ends, place),
            _at(self.starts, place),
            name or str(self.first + place),
            "" if self.sources is None else self.sources[place],
            self.rows.data(place),
            _at(self.arrivals, place),
        )

    def told(self, places: list[int]) -> tuple[list[str], list[str], list[Mapping[str, object]]]:
        """The ids, the sources and the attributes of the events in some rows."""
        names, sources, first = self.names, self.sources, self.first
        return (
            [(None if names is None else names[place]) or str(first + place) for place in places],
            [""] * len(places) if sources is None else [sources[place] for place in places],
            self.rows.several(places),
        )

    def part(self, first: int, last: int) -> Block:
        """Only some of the rows. Types that none of them has keep their codes and counts."""
        some, few = slice(first * 8, last * 8), slice(first, last)
        ends = self.ends[some]
        return Block(
            self.kinds,
            self.counts,
            self.codes[some],
            ends,
            ends if self.starts is self.ends else self.starts[some],
            ends if self.arrivals is self.ends else self.arrivals[some],
            self.first + first,
            None if self.names is None else self.names[few],
            None if self.sources is None else self.sources[few],
            self.rows.part(first, last),
        )

    def __iter__(self) -> Iterator[Event]:
        """One by one."""
        return map(self.event, range(len(self)))


Parcel: TypeAlias = "Block | Table | list[Arrival]"
"""What readers hand on at a time."""


def _at(column: bytes, place: int) -> int:
    return int.from_bytes(column[place * 8 : place * 8 + 8], "little", signed=True)


def admitted(offered: Offered, rows: Rows, intake: Intake) -> Block:
    """The events as the intake would admit them one by one, or `Unusual`."""
    counts, codes = _counted(offered.types)
    if "" in counts:
        raise Unusual
    try:
        ends = offered.times if isinstance(offered.times, array) else instants(offered.times, intake.clock)
        starts = ends if offered.starts is None else _starts(offered.starts, ends, intake.clock)
        arrivals = _arrivals(offered.arrivals, ends, intake)
    except (Refused, ValueError, OverflowError, TypeError):
        raise Unusual from None
    ids = offered.ids
    names = ids if isinstance(ids, Numerals) else _texts(ids)
    sources = _texts(offered.sources)
    given = None if sources is None else _shared(sources)
    is_packed = isinstance(names, list) and len(names) >= MANY and all(names)
    texts = Texts(cast("list[str]", names)) if is_packed else None
    own = ends.tobytes()
    block = Block(
        list(counts),
        counts,
        codes,
        own,
        own if starts is ends else starts.tobytes(),
        own if arrivals is ends else arrivals.tobytes(),
        intake.before + offered.first,
        names if texts is None else texts,
        given,
        rows,
    )
    _check_declared(block, offered, intake)
    if names is not None and not _are_new(names, texts, given, own, intake):
        raise Unusual
    # From here on nothing can fail.
    time = offered.times[0]
    if ends is offered.times:
        time = Instant(ends[0]) if offered.time is None else offered.time
    intake.took(block, time, offered.first + len(block) - 1, arrivals[-1])
    return block


def _counted(types: list[str] | Coded) -> tuple[Counter[str], bytes]:
    """How often each type is there, in the order in which they are met, and the types by their place among these."""
    if isinstance(types, Coded):
        numpy = sys.modules.get("numpy")
        if numpy is None:
            found: Any = Counter(memoryview(types.codes).cast("q"))
        else:
            found = numpy.bincount(numpy.frombuffer(types.codes, numpy.int64)).tolist()
        return Counter({text: found[code] for code, text in enumerate(types.texts)}), types.codes
    counts = Counter(types)
    codes = {kind: code for code, kind in enumerate(counts)}
    return counts, array("q", map(codes.__getitem__, types)).tobytes()


# -- times -----------------------------------------------------------------------------------------------------------


def instants(values: list[object], clock: InputClock) -> array[int]:
    """Times as microseconds since 1970."""
    kinds = set(map(type, values))
    if kinds == {str} and clock.is_rfc3339:
        return instants_of_texts(values)  # type: ignore[arg-type]  # as just seen
    per_second = clock.per_second
    if kinds == {float} and per_second == 1:
        return instants_of_floats(values)  # type: ignore[arg-type]
    if kinds == {int} and per_second is not None:
        return instants_of_wholes(values, per_second)  # type: ignore[arg-type]
    if kinds.isdisjoint((list, tuple, type(None))) and (per_second is not None or kinds == {str}):
        return array("q", [clock.instant(value, "time") for value in values])
    raise Unusual  # intervals; or the first number of an input, which decides what numbers count


def _starts(given: list[object], ends: array[int], clock: InputClock) -> array[int]:
    starts = _or_else(given, ends, clock)
    if any(start > end for start, end in zip(starts, ends, strict=True)):
        raise Unusual
    return starts


def _or_else(given: list[object], ends: array[int], clock: InputClock) -> array[int]:
    """Times, with the events' own where there are none."""
    if None not in given:
        return instants(given, clock)
    some = [value for value in given if value is not None]
    if not some:
        return ends
    times = iter(instants(some, clock))
    return array("q", [end if value is None else next(times) for value, end in zip(given, ends, strict=True)])


def _arrivals(given: list[object] | array[int] | None, ends: array[int], intake: Intake) -> array[int]:
    """When events arrived: never before the last one."""
    if isinstance(given, array):
        times = given
    else:
        times = ends if given is None else _or_else(given, ends, intake.clock)
    last = intake.last_arrival
    if (last is None or last <= times[0]) and _never_goes_back(times):
        return times
    listed = times.tolist()
    first = listed[0] if last is None else max(last, listed[0])
    return array("q", accumulate(islice(listed, 1, None), max, initial=first))


def _never_goes_back(times: array[int]) -> bool:
    numpy = sys.modules.get("numpy")
    if numpy is None or len(times) < MANY:
        listed = times.tolist()
        return listed == sorted(listed)
    found = numpy.frombuffer(times, numpy.int64)
    return bool((found[1:] >= found[:-1]).all())


# -- names and types ---------------------------------------------------------------------------------------------------


def _texts(given: list[object] | None) -> list[str | None] | None:
    """Ids or sources: texts, or whole numbers as texts; nothing where they are empty."""
    if given is None:
        return None
    kinds = set(map(type, given))
    if kinds == {str}:
        return given if all(given) else [text or None for text in given]  # type: ignore[return-value, misc]
    if not kinds <= {str, int, type(None)}:
        raise Unusual
    if int in kinds and any(type(value) is int and not -_MOST_ID < value < _MOST_ID for value in given):
        raise Unusual
    return [str(value) if type(value) is int else value or None for value in given]  # type: ignore[misc]


_MOST_ID = 10**18


def _shared(sources: list[str | None]) -> list[str]:
    """Sources, each text once; mostly there is one."""
    first = sources[0]
    if sources.count(first) == len(sources):
        return [first or ""] * len(sources)
    known = {source: source or "" for source in set(sources)}
    return [known[source] for source in sources]


def _are_new(
    names: list[str | None] | Numerals, texts: Texts | None, sources: list[str] | None, ends: bytes, intake: Intake
) -> bool:
    if isinstance(names, Numerals):
        if names.is_ascending and intake.seen.are_ascending(names[0], names[-1], names.data, sources, ends):
            return True
        return intake.seen.are_new([*names], sources, ends)
    if texts is not None:
        return intake.seen.are_new(names, sources, ends, texts)  # type: ignore[arg-type]
    there = [place for place, name in enumerate(names) if name]
    times = memoryview(ends).cast("q")
    return intake.seen.are_new(
        [names[place] for place in there],  # type: ignore[misc]
        None if sources is None else [sources[place] for place in there],
        array("q", [times[place] for place in there]).tobytes(),
    )


def _check_declared(block: Block, offered: Offered, intake: Intake) -> None:
    """Whether events of declared classes have what they should, of types that are taken as they are."""
    if intake.conform is None:
        return
    each_type = offered.types.listed() if isinstance(offered.types, Coded) else offered.types
    for kind in block.kinds:
        asked = intake.plain_types(kind)
        if asked is None:
            raise Unusual
        if asked:
            mine = [place for place, each in enumerate(each_type) if each == kind]
            for attribute, types in asked:
                if not types.issuperset(map(type, _chosen(block.rows.column(attribute), mine))):
                    raise Unusual


def _chosen(column: Column, places: Iterable[int]) -> Iterable[object]:
    if isinstance(column, list):
        return [column[place] for place in places]
    return (0.0,) if isinstance(column, Reals) else (0,)
