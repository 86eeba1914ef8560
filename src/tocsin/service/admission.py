"""The way in: bodies of requests become events, many at a time where they are plain lines of JSON, or are refused.

What was admitted is kept as the lines that it came in (other formats as lines of the same meaning), so that the log
can be read again: `again` makes the same events of an entry as `take` made, with the same ids. The log is the truth:
what stands in it is neither refused nor taken for a repeat, whatever has been declared since.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final

from tocsin.events import Arrival, Event, Heartbeat
from tocsin.formats.blocks import Block, Unusual
from tocsin.formats.clocks import InputClock
from tocsin.formats.instants import Instant
from tocsin.formats.intake import Conform, Intake
from tocsin.formats.json_blocks import Schema, block_of
from tocsin.formats.jsonl import parse_record
from tocsin.formats.refused import Refused
from tocsin.formats.repeats import Seen
from tocsin.formats.texts import Texts
from tocsin.service.known_names import KnownNames
from tocsin.service.records import Entry
from tocsin.time.calendar import render_instant

FEW: Final = 4
"""Lines that are read one by one: there columns cost more than they save."""
_OPTION: Final = "--"
"""Before what commands that read files may be told, and whoever sends events to a service may not."""
MOST_TYPES: Final = 64
"""Types that an entry lists. One with more lists none, and is always looked into."""

Parcel = Block | list[Arrival]


@dataclass(frozen=True)
class NotTaken:
    """One event of a body that was refused: its place in the body from 0, a stable code, and why."""

    index: int
    code: str
    message: str
    text: str = ""


@dataclass
class Taken:
    """What a body came to: events to be kept and evaluated, and what was not taken."""

    body: bytes = b""
    parcels: list[Parcel] = field(default_factory=list)
    accepted: int = 0
    duplicates: int = 0
    refused: list[NotTaken] = field(default_factory=list)
    first: int = 0
    low: int = 0
    high: int = 0
    types: tuple[str, ...] = ()


class NotDeclared(Refused):
    """The event's type is declared otherwise, or not at all; `code` says which."""

    def __init__(self, code: str, reason: str, expected: str = "", hint: str = "") -> None:
        super().__init__(reason, 1, expected, hint)
        self.code = code


class _Seconds(InputClock):
    """The times of many clients: numbers are seconds, whatever the first one was."""

    def __init__(self) -> None:
        super().__init__()
        self._per_second = 1


class _Lenient:
    """Gives what stands in the log as it is declared, and as it is where that does not fit any more."""

    def __init__(self, conform: Conform) -> None:
        self._conform = conform

    def __call__(self, name: str, data: Mapping[str, object]) -> Mapping[str, object]:
        try:
            return self._conform(name, data)
        except Refused:
            return data


class _AllNew(Seen):
    """Events that stand in the log: each came once."""

    def knew(self, source: str, name: str, time: int) -> bool:
        return False

    def are_new(self, names: list[str], sources: list[str] | None, times: bytes, texts: Texts | None = None) -> bool:
        return True

    def are_ascending(self, first: str, last: str, wholes: bytes, sources: list[str] | None, times: bytes) -> bool:
        return True


class Admission:
    """What was seen of the events so far: which ids came, how many there were, how they are declared."""

    def __init__(self, remember: int | None) -> None:
        self.intake = Intake("<service>", remember=remember, clock=_Seconds())
        self._seen = self.intake.seen = KnownNames(remember)
        self._schema = Schema()
        self._stamped = 0

    @property
    def events(self) -> int:
        """How many events there have been."""
        return self.intake.before

    @classmethod
    def of_log(cls, schema: Schema) -> Admission:
        """For reading the log alone: all that stands there was new, so that nothing needs to be remembered."""
        made = cls(None)
        made.intake.seen, made._schema = _AllNew(None), schema
        return made

    def conform_to(self, conform: Conform | None) -> None:
        """Holds events to other declarations from now on."""
        self.intake.conform = conform

    # -- events that come ----------------------------------------------------------------------------------------------

    def take(self, body: bytes, now: int, may_send: Callable[[str], bool] | None = None) -> Taken:
        """Takes lines of JSON. A bad one is refused alone; nothing of it is kept.

        `may_send` says whether whoever sends them may send events of a type.
        """
        lines = body if b"\r" not in body else body.replace(b"\r\n", b"\n")
        lines = lines.strip(b"\n")
        if not lines:
            return Taken()
        self._seen.now = now
        block = None if may_send is not None else self._block(lines, lines.count(b"\n") + 1, now)
        return self._rows(lines.split(b"\n"), now, may_send) if block is None else _of_block(block, lines)

    def take_together(self, bodies: Sequence[bytes], now: int) -> tuple[Taken, list[int]] | None:
        """Takes several bodies as if they were one, and how many events each has; None where one is not that plain.

        Then nothing has changed, and each is to be taken by itself.
        """
        pieces = [body.strip(b"\n") for body in bodies]
        lines = b"\n".join(pieces)
        if b"\r" in lines:
            return None
        self._seen.now = now
        counts = [piece.count(b"\n") + 1 for piece in pieces]
        block = self._block(lines, sum(counts), now)
        return None if block is None else (_of_block(block, lines), counts)

    def _block(self, lines: bytes, count: int, came: int | array[int]) -> Block | None:
        """So many lines at once; None where they have to be looked at one by one. `came`: when all, or each of them."""
        if count <= FEW:
            return None
        arrivals = array("q", [came]) * count if isinstance(came, int) else came
        try:
            block = block_of(lines, count, 1, self._schema, self.intake, arrivals)
        except Unusual:
            if not self._schema.learn(lines.split(b"\n")):
                return None
            try:
                block = block_of(lines, count, 1, self._schema, self.intake, arrivals)
            except Unusual:
                return None
        self.intake.before += count
        return block

    def _rows(self, lines: Sequence[bytes], now: int, may_send: Callable[[str], bool] | None) -> Taken:
        taken = Taken(first=self.intake.before + 1)
        arrivals, kept = list[Arrival](), list[bytes]()
        before = self.intake.repeated
        for index, line in enumerate(lines):
            if not line.strip():
                continue
            try:
                record = parse_record(line.decode())
                stamped = self._stamp(record, now)
                if may_send is not None and not may_send(str(record.get("type") or "")):
                    raise NotDeclared("type-out-of-scope", "this key may not send events of this type")
                arrival = self._admitted(record, now, len(arrivals) + 1)
            except (Refused, UnicodeDecodeError) as refused:
                taken.refused.append(_not_taken(index, line, refused))
                continue
            if isinstance(arrival, Heartbeat) and record.get("type") is not None:
                continue  # a repeat: all that it said is known
            arrivals.append(arrival)
            kept.append(line if stamped is None else b'%s,"time":"%s"}' % (line.rstrip()[:-1], stamped))
        taken.body, taken.parcels = b"\n".join(kept), [arrivals] if arrivals else []
        taken.duplicates = self.intake.repeated - before
        taken.accepted = len(arrivals)
        self.intake.before += len(arrivals)
        if arrivals:
            times = [each.end if isinstance(each, Event) else each.time for each in arrivals]
            taken.low, taken.high = min(times), max(times)
            taken.types = _listed(dict.fromkeys(each.type for each in arrivals if isinstance(each, Event)))
        return taken

    def _stamp(self, record: dict[str, object], now: int) -> bytes | None:
        """Gives an event that says no time the one at which it came (003 section 2.1), after all before; as text."""
        if record.get("time") is not None or record.get("heartbeat") is True:
            return None
        self._stamped = max(now, self._stamped + 1)
        record["time"] = Instant(self._stamped)
        return render_instant(self._stamped).encode()

    def _admitted(self, record: dict[str, object], now: int, number: int) -> Arrival:
        return self.intake.admit(record | {"arrival": Instant(now)}, number)

    # -- events that were kept -----------------------------------------------------------------------------------------

    def again(self, entry: Entry) -> list[Parcel]:
        """The events of an entry, as they were when it was written."""
        self.intake.before, conform = entry.first - 1, self.intake.conform
        self._seen.now, self._seen.is_trusting = entry.arrival, True
        try:
            block = self._block(entry.body, entry.body.count(b"\n") + 1, entry.arrival)
            if block is not None:
                return [block]
            self.intake.conform = None if conform is None else _Lenient(conform)
            lines = enumerate(entry.body.split(b"\n"), 1)
            arrivals = [self._admitted(parse_record(line.decode()), entry.arrival, number) for number, line in lines]
        finally:
            self.intake.conform, self._seen.is_trusting = conform, False
        self.intake.before += len(arrivals)
        return [arrivals]

    def again_together(self, entries: Sequence[Entry]) -> Block | None:
        """The events of entries that stand one behind the other, at once; None where they are not that plain."""
        counts = [entry.body.count(b"\n") + 1 for entry in entries]
        places = zip(entries, counts, entries[1:], strict=False)
        if any(entry.first + count != after.first for entry, count, after in places):
            return None
        self.intake.before = entries[0].first - 1
        arrivals = array("q")
        for entry, count in zip(entries, counts, strict=True):
            arrivals.extend([entry.arrival] * count)
        return self._block(b"\n".join(entry.body for entry in entries), sum(counts), arrivals)

    def remember(self, entries: Iterable[Entry]) -> None:
        """Takes entries as having come: their events count no more when they come again."""
        for entry in entries:
            self.again(entry)


def _of_block(block: Block, lines: bytes) -> Taken:
    times = memoryview(block.ends).cast("q")
    return Taken(
        lines,
        [block],
        len(block),
        first=block.first,
        low=min(times),
        high=max(times),
        types=_listed(block.kinds),
    )


def _not_taken(index: int, line: bytes, refused: Refused | UnicodeDecodeError) -> NotTaken:
    text = line[:1000].decode(errors="replace")
    if isinstance(refused, UnicodeDecodeError):
        return NotTaken(index, "event-invalid", f"this is not UTF-8: byte {refused.start + 1}", text)
    hint = "" if _OPTION in refused.hint else refused.hint
    details = [refused.reason, *([f"expected {refused.expected}"] if refused.expected else []), hint]
    code = refused.code if isinstance(refused, NotDeclared) else "event-invalid"
    return NotTaken(index, code, ", ".join(each for each in details if each), text)


def _listed(types: Iterable[str]) -> tuple[str, ...]:
    named = tuple(types)
    return named if len(named) <= MOST_TYPES and not any("\n" in name for name in named) else ()


def json_line(record: object) -> bytes:
    """A record as a line of the log."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"), default=_number).encode()


def _number(value: object) -> float:
    """A number that has more digits than JSON's usual ones, as near as it can be."""
    if isinstance(value, Decimal):
        return float(value)
    raise TypeError(f"a {type(value).__name__} is nothing of JSON")
