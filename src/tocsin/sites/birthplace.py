"""Where events are born at a site: reports come, each event gets its number, filters pass on what somebody takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from tocsin.algebra.event_records import plain, valued
from tocsin.events import Event
from tocsin.sites.births import ANY, FAR, Births, Late
from tocsin.sites.links import Message
from tocsin.sites.parts import Part, part_of, part_record
from tocsin.sites.records import WITH, Identity, Output, event_record, identity_of
from tocsin.sites.sieves import Sieve

if TYPE_CHECKING:
    from tocsin.sites.site import Site

FROM: Final = "from/"
"""What the streams of those begin with who report events: they come unasked."""
MOST_STAYING: Final = 100_000
"""Events whose attributes are kept where they were born."""


class Birthplace:
    """The sources of a site, and the filters through which their events go."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self.births = Births()
        self.sieves: dict[str, Sieve] = {}
        """The filters here, by their streams."""
        self.staying: dict[Identity, dict[str, object]] = {}
        """Attributes that do not travel, by their events: the last of them."""
        self.stays: dict[str, list[str]] = {}
        """By type: attributes that are to stay here, whoever asks for events."""

    def tick(self) -> None:
        """Time has passed."""
        for stream, sieve in self.sieves.items():
            self._sieve_got_to(stream, sieve)

    def reported(self, records: list[Any], stream: str) -> None:
        """Reports have come. Events of one source and type that follow each other are taken at once."""
        place = 0
        while place < len(records):
            what, kind, source, *_ = records[place] if records[place][0] == "event" else (*records[place], None, None)
            end = place + 1
            if what == "event":
                while end < len(records) and records[end][:3] == ["event", kind, source]:
                    end += 1
                place += self._bear_many(kind, source, records[place:end])
            while place < end:
                self._born(records[place], stream)
                place += 1

    def _bear_many(self, kind: str, source: str, records: list[Any]) -> int:
        """How many of these events are born at once: the same as one by one, where nothing is asked of each."""
        sieves = [(stream, sieve) for stream, sieve in self.sieves.items() if sieve.part.type in (kind, ANY)]
        known = self.births.sources.get(source)
        if known is None or not all(sieve.is_plain for _, sieve in sieves):
            return 0
        before = known.count
        born = self.births.accept_many(known, records, self._promised(kind))
        if born:
            self._site.flows.born_many(kind, born, self._site.now)
            for stream, _ in sieves:
                self._site.pass_on(stream, [[record[3], WITH, [record]] for record in born])
                last = self._site.links.outbox(stream).last
                self._site.audit.gave(self._site.now, stream, last - len(born) + 1, source, before + 1, len(born))
            self._source_got_on(source)
        return len(born)

    def _born(self, record: Sequence[Any], stream: str) -> None:
        """Something is reported: an event, a heartbeat, a source that begins or ends."""
        what, *rest = record
        match what:
            case "event":
                kind, source, identity, end, start, data = rest
                if end is None:
                    start, end = self._stamped(source)
                self.bear(Event(kind, end, start, identity, source, valued(data), end), stream)
            case "beat":
                self.births.beat(*rest)
                self._source_got_on(rest[0])
            case "source":
                name, types, is_stamped, reached, in_seconds = rest
                self.births.register(name, types, is_stamped=is_stamped, reached=reached, in_seconds=in_seconds)
                self._site.neighbours.hurry()
                self._source_got_on(name)
            case "close":
                self.births.close(rest[0])
                self._source_got_on(rest[0])

    def _stamped(self, source: str) -> tuple[int, int]:
        """When an event happened that is reported without a time: now, as far as this clock can tell."""
        known = self.births.sources.get(source)
        after = -FAR if known is None or known.reached is None else known.reached + 1
        now, precision = self._site.now, self._site.neighbours.clocks.precision
        return now - precision, max(now + precision, after)

    def bear(self, event: Event, stream: str = "") -> None:
        """An event is born here."""
        is_new = event.source not in self.births.sources
        born = self.births.accept(event, self._promised(event.type))
        if is_new:
            self._site.neighbours.hurry()
        if isinstance(born, Late):
            self._site.audit.note(self._site.now, "late", event.source, event.id, event.end, born.reached)
            late = {"is": "late", "event": event_record(event), "reached": born.reached}
            self._site.send(stream.removeprefix(FROM), late)
        elif born is not None:
            self._site.flows.born(born, self._site.now)
            for key, sieve in self.sieves.items():
                if sieve.part.type in (born.type, ANY) and (passed := sieve.passed(born)) is not None:
                    self._site.give(key, [Output(born.end, WITH, (passed,))])
                    self._site.audit.gave(
                        self._site.now, key, self._site.links.outbox(key).last, born.source, born.number
                    )
                    self._keep(born, sieve)
            self._source_got_on(born.source)

    def _promised(self, kind: str) -> int:
        """Until when no more events of a type are to be born here: somebody counts on it."""
        frontiers = [
            self._site.links.outbox(stream).frontier
            for stream, sieve in self.sieves.items()
            if sieve.part.type in (kind, ANY)
        ]
        return max((each for each in frontiers if each is not None), default=-FAR)

    def _keep(self, event: Event, sieve: Sieve) -> None:
        """Attributes that stay here are kept, for whoever asks for them (002 section 5: parameters by reference)."""
        kept = {name: event.data[name] for name in sieve.part.staying if name in event.data}
        if kept:
            self.staying.setdefault(identity_of(event), {}).update(kept)
            while len(self.staying) > MOST_STAYING:
                del self.staying[next(iter(self.staying))]

    def fetch(self, message: Message, sender: str) -> None:
        """Somebody asks for what stayed here of an event."""
        identity = message["source"], message["id"]
        if message["source"] in self.births.sources:
            found = self.staying.get(identity)
            self._site.audit.note(self._site.now, "fetched", *identity, sender, found is not None)
            answer = {"is": "fetched", "source": identity[0], "id": identity[1]}
            self._site.send(sender, answer | {"data": None if found is None else plain(found)})

    def _source_got_on(self, name: str) -> None:
        source = self.births.sources[name]
        for stream, sieve in self.sieves.items():
            if source.makes(sieve.part.type):
                self._sieve_got_to(stream, sieve)

    def _sieve_got_to(self, stream: str, sieve: Sieve) -> None:
        frontier = self.births.frontier(sieve.part.type, self._site.now)
        if frontier is not None:
            self._site.gets_to(stream, frontier)

    def sift(self, part: Part, since: int | None) -> None:
        """Filters what is born here, from now on. What ended by `since` is sent back: nobody can use it."""
        if part.key not in self.sieves:
            sieve = self.sieves[part.key] = Sieve(part)
            self._site.links.outbox(part.key)
            self._sieve_got_to(part.key, sieve)
            if since is not None:
                self._site.gets_to(part.key, since)

    def described(self) -> dict[str, Any]:
        """The sources here, what they make, and how far they have got."""
        return {
            name: {
                "types": None if one.types is None else sorted(one.types),
                "reached": one.reached,
                "seconds": one.in_seconds,
                "stamped": one.is_stamped,
            }
            for name, one in self.births.sources.items()
            if not one.is_closed
        }

    # -- state -------------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """All of it as plain values."""
        return {
            "births": self.births.state(),
            "sieves": [[part_record(sieve.part), sieve.state()] for sieve in self.sieves.values()],
            "staying": [[*identity, plain(data)] for identity, data in self.staying.items()],
            "stays": self.stays,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """What `state` gave."""
        self.births.restore(state["births"])
        for record, held in state["sieves"]:
            part = part_of(record)
            sieve = self.sieves[part.key] = Sieve(part)
            sieve.restore(held)
        self.staying = {(source, identity): valued(data) for source, identity, data in state["staying"]}
        self.stays = state["stays"]
