"""A site: events are born here, parts are at work here, streams come and go. No clock, no network, no disk.

    site.take(message, now)     a message has come
    site.tick(now)              time has passed
    site.drain()                messages to be sent, and what is told here

Whoever holds it (`shell`, or a simulation) writes down what it gives to `take` and `tick` before it sends what comes of
it: then a site that dies is brought back by giving it the same once more, from the last saved state on. `now` is the
site's own clock in microseconds, which never goes back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import msgspec

from tocsin.errors import TocsinError
from tocsin.events import Detection
from tocsin.sites.audit import Audit
from tocsin.sites.birthplace import FROM, Birthplace
from tocsin.sites.births import FAR
from tocsin.sites.flows import Flows
from tocsin.sites.hosts import Host
from tocsin.sites.links import Links, Message, Pace
from tocsin.sites.meters import Meters
from tocsin.sites.moves import Moves
from tocsin.sites.neighbours import VERSION, Neighbours
from tocsin.sites.outboxes import REQUESTS
from tocsin.sites.parts import TOLD, Part, Role, part_of, part_record
from tocsin.sites.questions import answered
from tocsin.sites.records import Output, detection_of, detection_record, event_record

MOST_LET_GO: Final = 1_000
"""Parts that nobody took any more, and that are known should somebody ask for them after all."""
CONTROL: Final = "control/"
"""... and those in which sites ask things of each other."""
TRACED: Final = ("rule", "id", "time_us", "start_us", "detected_us", "made_of")
"""What the audit log says of a detection."""


class Told(NamedTuple):
    """A detection for somebody here, the stream that it came from, and its number there."""

    stream: str
    number: int
    detection: Detection


@dataclass
class Watch:
    """Somebody here is told what a rule detects: what happened after a time, each output once."""

    since: int | None
    took: int = 0


@dataclass
class Beginning:
    """A part that is to run here when all its streams come."""

    part: Part
    missing: set[str]
    since: int | None = None


@dataclass
class LetGo:
    """A part that was dropped since nobody took it: what is needed to begin it once more."""

    part: Part
    sources: dict[str, Sequence[Any]]
    given: dict[str, int]
    """The last outputs of its streams: they go on being numbered from there."""


class Drained(NamedTuple):
    """What a site wants done: messages to be sent, to a site or to everybody; and what is told here."""

    messages: list[tuple[str, Message]]
    told: list[Told]


class Site:
    """A site, whatever runs it. `incarnation` is another for each beginning without a saved state."""

    def __init__(self, name: str, incarnation: str, pace: Pace = Pace()) -> None:  # noqa: B008 - frozen
        self.name, self.incarnation, self.pace = name, incarnation, pace
        self.birthplace = Birthplace(self)
        self.neighbours = Neighbours(self)
        self.links = Links(name, pace, self._arrived, self._advanced, self._wanted)
        self.hosts: dict[str, Host] = {}
        self.ways: dict[str, str] = {}
        """How the streams that are taken are asked how far they have got."""
        self.filters: dict[str, Mapping[str, Any]] = {}
        """What makes the streams that are taken here, where that is a filter: for a site that has forgotten it."""
        self.watched: dict[str, Watch] = {}
        """Streams whose detections are told here."""
        self.audit = Audit()
        self.meters, self.flows = Meters(), Flows()
        self.now = -FAR
        self.blocked: dict[tuple[str, str], tuple[int, int]] = {}
        """Which host waits for which stream: since when, and until what time it has to get."""
        self.kept: set[str] = set()
        """Parts that stay though nobody takes them."""
        self.gone: dict[str, str] = {}
        """Where streams are given out that were given out here."""
        self.moves = Moves(self)
        self._takers: dict[str, list[str]] = {}
        """The hosts that take a stream here."""
        self._asked: dict[str, int] = {}
        """Until when somebody needs to know of a part here."""
        self._dirty: dict[str, None] = {}
        self._told: list[Told] = []
        self._sending: list[tuple[str, Message]] = []
        self._epochs: dict[str, int] = {}
        """How often a site has begun anew."""
        self.notes: list[str] = []
        self._unused: dict[str, int] = {}
        self._beginning: dict[str, Beginning] = {}
        self._watching: set[str] = set()
        self._let_go: dict[str, LetGo] = {}
        self._deferred: dict[str, list[tuple[list[Any], str]]] = {}
        """Streams that somebody asked for, and that are not here yet."""
        self.portray: Callable[[str, Callable[[], bytes]], None] = lambda key, make: self.portrayed(key, make())
        """Takes the picture of a part as it is at this moment, and gives it to `portrayed`, now or later."""

    # -- what comes --------------------------------------------------------------------------------------------------

    def take(self, message: Message, now: int) -> None:
        """A message has come. One that cannot be understood is answered, and changes nothing."""
        self.now = max(self.now, now)
        self.flows.begin(self.now)
        sender = message["from"]
        match message["is"]:
            case "outputs" | "report" | "ask" | "token":
                self._open_for(message, sender)
                self.links.take(message, sender, self.now)
            case "hello":
                self.neighbours.meet(message, sender)
            case "who":
                self.neighbours.hurry()
            case "ping":
                self.send(sender, {"is": "pong", "sent": message["sent"], "there": self.now})
            case "pong":
                self.neighbours.clocks.answered(sender, message["sent"], message["there"], self.now)
                self.neighbours.check_precision()
            case "fetch":
                self.birthplace.fetch(message, sender)
            case "query":
                self.send(sender, answered(self, message))
        self._settle()

    def tick(self, now: int) -> None:
        """Time has passed."""
        self.now = max(self.now, now)
        self.flows.begin(self.now)
        self.birthplace.tick()
        for key, host in self.hosts.items():
            due = host.next_due()  # a timer that is due has to be asked for, should nothing come
            if not host.is_in_order or (due is not None and due <= self.now):
                self._dirty[key] = None
        for key, stream in self.blocked:
            if self.links.is_long_asked(stream, self.now):
                self._dirty[key] = None
        self._settle()
        self.moves.go_on()
        self._let_go_of_the_unused()

    def portrayed(self, key: str, picture: bytes | None) -> None:
        """The picture of a part that leaves has been taken, or could not be."""
        self.moves.portrayed(key, picture)

    def send(self, to: str, message: Message) -> None:
        """A message is to be sent, once: whoever needs an answer asks again."""
        self._sending.append((to, message))

    def drain(self) -> Drained:
        """What is to be done now."""
        self.neighbours.greet()
        flushed = self.links.flush(self.now)
        for to, message in flushed:
            if not message.get("stream", "").startswith((FROM, CONTROL)):
                self.flows.sent(to, message, self.now)
        messages = [*self._sending, *flushed]
        self._sending = []
        self.meters.sends(messages)
        return Drained([(to, message | {"from": self.name}) for to, message in messages], self.drain_told())

    def drain_told(self) -> list[Told]:
        """What is told here alone."""
        told, self._told = self._told, []
        return told

    def _open_for(self, message: Message, sender: str) -> None:
        """Those who report events, and sites that ask something, need no leave; what nobody takes is not to come."""
        stream = message.get("stream", "")
        if message["is"] == "outputs" and stream not in self.links.inboxes:
            if stream.startswith((FROM, CONTROL)):
                self.links.expect(stream, sender)
            elif stream not in self.links.producers:
                self.tell(sender, ["leave", stream])

    def _arrived(self, stream: str, first: int, outputs: list[Any]) -> None:
        if stream.startswith(FROM):
            self.birthplace.reported(outputs, stream)
        elif stream.startswith(CONTROL):
            for record in outputs:
                self._asked_to(record, self.links.producers[stream])
        else:
            self.audit.took(self.now, stream, first, first + len(outputs) - 1, self.links.producers.get(stream, ""))
            self.came(stream, first, outputs)

    def came(self, stream: str, first: int, outputs: list[Any]) -> None:
        """The next outputs of a stream, for whoever takes it here."""
        watch = self.watched.get(stream)
        if watch is not None:
            for number, record in enumerate(outputs, first):
                if number > watch.took and (watch.since is None or record["first"] > watch.since):
                    self._told.append(Told(stream, number, detection_of(record)))
                watch.took = max(watch.took, number)
        for key in self._takers.get(stream, ()):
            for number, record in enumerate(outputs, first):
                self.hosts[key].offer(stream, number, record)
            self._dirty[key] = None

    def _advanced(self, stream: str, frontier: int) -> None:
        for key in self._takers.get(stream, ()):
            self.hosts[key].reach(stream, frontier)
            self._dirty[key] = None

    def _wanted(self, stream: str, time: int) -> None:
        key = stream.removesuffix(TOLD)
        if key in self.hosts:
            self._asked[key] = max(time, self._asked.get(key, -FAR))
            self._dirty[key] = None

    # -- hosts at work -----------------------------------------------------------------------------------------------

    def _settle(self) -> None:
        """Lets the parts here do what they can, and what comes of it, until nothing does."""
        while self._dirty:
            key = next(iter(self._dirty))
            del self._dirty[key]
            host = self.hosts.get(key)
            if host is None:
                continue
            host.settle()
            outputs, host.outputs = host.outputs, []
            told, host.told = host.told, []
            self.give(key, outputs)
            if host.part.role is Role.JOIN:
                self._note_passed(key, outputs)
            if told:
                self._tell(key + TOLD, told)
            self.gets_to(key, host.frontier)
            self.gets_to(key + TOLD, host.frontier)
            if key in self.moves.coming:
                self.moves.got_on(key)
            self._ask(key, host)

    def give(self, stream: str, outputs: list[Output]) -> None:
        if outputs:
            records = [[output.at, output.phase, [event_record(each) for each in output.events]] for output in outputs]
            self.pass_on(stream, records)

    def pass_on(self, stream: str, records: list[Any]) -> None:
        self.links.give(stream, records)
        self.flows.gave(stream, records, self.now)
        self.came(stream, self.links.outbox(stream).last - len(records) + 1, records)

    def _tell(self, stream: str, told: list[Detection]) -> None:
        records = [detection_record(one) for one in told]
        self.pass_on(stream, records)
        for number, record in enumerate(records, self.links.outbox(stream).last - len(records) + 1):
            self.audit.note(self.now, "detected", stream, number, {name: record[name] for name in TRACED})

    def _note_passed(self, stream: str, outputs: list[Output]) -> None:
        for number, output in enumerate(outputs, self.links.outbox(stream).last - len(outputs) + 1):
            made_of = [[event.source, event.id, event.number] for event in output.events]
            self.audit.note(self.now, "passed", stream, number, made_of)

    def gets_to(self, stream: str, frontier: int) -> None:
        box = self.links.outbox(stream)
        if box.frontier is None or frontier > box.frontier:
            self.links.get_to(stream, frontier)
            self.flows.gives(stream, self.now)
            self._advanced(stream, frontier)

    def _ask(self, key: str, host: Host) -> None:
        """Asks the streams that a part waits for how far they have got; notes which they are."""
        needed = [time for time in (host.needs(self.now), self._asked.get(key)) if time is not None]
        time = min(needed, default=None)
        if key in self._asked and host.frontier >= self._asked[key]:
            del self._asked[key]
        behind = [] if time is None else host.behind(time)
        for pair in [pair for pair in self.blocked if pair[0] == key and pair[1] not in behind]:
            del self.blocked[pair]
        if time is None:
            return
        ours: dict[str, str] = {}
        for stream in behind:
            since, _ = self.blocked.get((key, stream), (self.now, time))
            self.blocked[key, stream] = since, time
            if stream in self.links.producers:
                ours[stream] = self.ways.get(stream, REQUESTS)
            else:
                self._wanted(stream, time)
        self.links.needs(ours, time, self.now)
        if ours and host.latest > time:  # on slow links what has come meanwhile is asked about in the same round
            others = [each for each in host.behind(host.latest) if each in self.links.producers and each not in ours]
            known = [each for each in others if self.ways.get(each, REQUESTS) == REQUESTS]
            self.links.looks_ahead(known, host.latest, self.now)

    # -- parts and their streams -------------------------------------------------------------------------------------

    def host(self, part: Part, sources: Mapping[str, Sequence[Any]]) -> None:
        """Hosts a part. `sources`: where each of its streams comes from, how it is asked, and what its filter is."""
        if part.key in self.hosts:
            self._take_more(part, sources)
            return
        if part.key in self._beginning:
            return
        self._beginning[part.key] = Beginning(part, set(part.inputs))
        for stream in part.inputs:
            site, way, filtering = sources[stream]
            self.ways[stream] = way
            self._take_stream(stream, site, way, filtering)
        self._begin_if_all_are_there(part.key)

    def _take_more(self, part: Part, sources: Mapping[str, Sequence[Any]]) -> None:
        """A part that runs takes streams of sites that were not known before, from now on."""
        host = self.hosts[part.key]
        more = [stream for stream in part.inputs if stream not in host.part.inputs]
        if not more:
            return
        host.take_more(host.part.taking(more))
        for stream in more:
            site, way, filtering = sources[stream]
            self.ways[stream] = way
            self.follow(stream, part.key)
            self._take_stream(stream, site, way, filtering, host.done)

    def watch(self, stream: str, site: str, way: str = REQUESTS) -> None:
        """From now on what a rule tells is told here."""
        self._watching.add(stream)
        self.ways[stream] = way
        self._take_stream(stream, site, way, None)

    def unwatch(self, stream: str) -> None:
        """It is told here no more."""
        self._watching.discard(stream)
        self.watched.pop(stream, None)
        self._leave_if_unused(stream)

    def _take_stream(
        self, stream: str, site: str, way: str, filtering: Mapping[str, Any] | None, since: int | None = None
    ) -> None:
        """Asks for a stream, unless it comes already. What ended by `since` is of no use any more."""
        if filtering is not None:
            self.filters[stream] = filtering
        if site == self.name:
            if filtering is not None:
                self.birthplace.sift(part_of(filtering), since)
            if self.is_given(stream):
                self.begins_to_come(stream, None)
        elif self.is_given(stream):  # it was moved here, and who asks does not know that yet
            self.begins_to_come(stream, None)
        elif stream in self.links.inboxes:
            self.begins_to_come(stream, self.links.inboxes[stream].frontier)
        else:
            self.links.producers[stream] = site
            self.tell(site, ["take", stream, way, None, filtering, since, 0])

    def is_given(self, stream: str) -> bool:
        """Whether a stream is given out here."""
        return stream in self.birthplace.sieves or stream.removesuffix(TOLD) in self.hosts

    def _is_new(self, stream: str) -> bool:
        """Whether a part here that gives out a stream has seen no more than whoever asks for it now."""
        host = self.hosts.get(stream.removesuffix(TOLD))
        return host is not None and host.is_new

    def begins_to_come(self, stream: str, frontier: int | None, *, is_new: bool = False) -> None:
        """A stream comes, from now on: parts that wait for it may begin. `is_new`: it is a part that begins now."""
        if frontier is None:
            frontier = self.links.outbox(stream).frontier
        for key in self._takers.get(stream, ()):
            if frontier is not None:
                self.hosts[key].reach(stream, frontier)
                self._dirty[key] = None
        for key, beginning in list(self._beginning.items()):
            if stream in beginning.missing:
                beginning.missing.discard(stream)
                if frontier is not None and -FAR < frontier < FAR:
                    beginning.since = max(frontier, beginning.since or -FAR)
                self._begin_if_all_are_there(key)
        if stream in self._watching:
            self._watching.discard(stream)
            is_running = frontier is not None and -FAR < frontier < FAR and not (is_new or self._is_new(stream))
            self.watched[stream] = Watch(frontier if is_running else None)

    def _begin_if_all_are_there(self, key: str) -> None:
        beginning = self._beginning.get(key)
        if beginning is None or beginning.missing:
            return
        del self._beginning[key]
        host = self.hosts[key] = Host(beginning.part, beginning.since)
        before = self._let_go.pop(key, None)
        for stream, last in before.given.items() if before is not None else ():
            self.links.outbox(stream).last = last
        self.note_part("began", host.part)
        for stream in host.part.inputs:
            self.connect(stream, key)
        self.neighbours.hurry()
        for stream in (key, key + TOLD):  # whoever waited for it gets what it makes when it begins, too
            self.gets_to(stream, host.frontier)
            self.begins_to_come(stream, None, is_new=True)
            for record, sender in self._deferred.pop(stream, []):
                self._asked_for(record, sender, is_new=True)
        self._dirty[key] = None  # not at once: who asked for it may ask for what it makes in the same breath

    def connect(self, stream: str, key: str) -> None:
        """A part here takes a stream from now on."""
        self.follow(stream, key)
        inbox = self.links.inboxes.get(stream)
        frontier = self.links.outbox(stream).frontier if inbox is None else inbox.frontier
        if frontier is not None:
            self.hosts[key].reach(stream, frontier)

    def follow(self, stream: str, key: str) -> None:
        """A part that came here takes a stream; how far that has got, it knows itself."""
        takers = self._takers.setdefault(stream, [])
        if key not in takers:
            takers.append(key)

    def catch_up(self, stream: str) -> None:
        """Those who take a stream here know how far it has got: it is given out here now."""
        frontier = self.links.outbox(stream).frontier
        if frontier is not None:
            self._advanced(stream, frontier)

    def is_taken(self, stream: str) -> bool:
        """Whether somebody here takes a stream."""
        return bool(self._takers.get(stream)) or stream in self.watched

    def note_part(self, what: str, part: Part, *rest: Any) -> None:
        """A part begins here, or comes from elsewhere."""
        rules = [rule.name for rule in part.rules]
        self.audit.note(self.now, what, part.key, part.role.value, rules, list(part.inputs), *rest)

    def remark(self, text: str) -> None:
        """Something that a person should know."""
        self.notes.append(text)
        self.audit.note(self.now, "noted", text)

    def stir(self, key: str) -> None:
        """A part has something to do."""
        self._dirty[key] = None
        self.neighbours.hurry()

    def forget_beginning(self, key: str) -> None:
        """A part that was to begin here has come from elsewhere, at work."""
        self._beginning.pop(key, None)

    def drop(self, key: str) -> None:
        """Hosts a part no more."""
        host = self.hosts.pop(key, None)
        self._beginning.pop(key, None)
        self.kept.discard(key)
        self._asked.pop(key, None)
        self._unused.pop(key, None)
        for pair in [pair for pair in self.blocked if pair[0] == key]:
            del self.blocked[pair]
        if host is None:
            return
        self.audit.note(self.now, "ended", key)
        for stream in (key, key + TOLD):
            self.links.outboxes.pop(stream, None)
            self.flows.ends(stream)
        for stream in host.part.inputs:
            self._takers[stream] = [each for each in self._takers.get(stream, ()) if each != key]
            self._leave_if_unused(stream)
        self.neighbours.hurry()

    def _leave_if_unused(self, stream: str) -> None:
        if self._is_wanted(stream):
            return
        self._takers.pop(stream, None)
        self.filters.pop(stream, None)
        if stream in self.links.inboxes:
            self.part_from(stream)

    def part_from(self, stream: str) -> None:
        """Takes a stream of another site no more, if it does."""
        producer = self.links.producers.get(stream)
        self.links.forget(stream)
        if producer is not None:
            self.tell(producer, ["leave", stream])

    def _is_wanted(self, stream: str) -> bool:
        """Whether somebody here takes a stream, or will when all that he needs besides has come."""
        is_awaited = any(stream in beginning.part.inputs for beginning in self._beginning.values())
        return is_awaited or stream in self._watching or self.is_taken(stream)

    def _let_go_of_the_unused(self) -> None:
        """Parts and filters that nobody takes any more are destroyed after a while (001 section 6.1)."""
        for key in [*self.hosts, *self.birthplace.sieves]:
            if key in self.kept or self.moves.concern(key) or self._is_used(key) or self._is_used(key + TOLD):
                self._unused.pop(key, None)
            elif self.now - self._unused.setdefault(key, self.now) >= self.pace.linger:
                if self.birthplace.sieves.pop(key, None) is not None:
                    self.flows.ends(key)
                self._remember(key)
                self.drop(key)
                self._unused.pop(key, None)

    def _remember(self, key: str) -> None:
        """A part is about to be dropped. Who asks for it may only be late: then it begins once more."""
        host = self.hosts.get(key)
        if host is None:
            return
        sources: dict[str, Sequence[Any]] = {}
        for stream in host.part.inputs:
            producer = self.links.producers.get(stream, self.name)
            sources[stream] = [producer, self.ways.get(stream, REQUESTS), self.filters.get(stream)]
        given = {stream: self.links.outbox(stream).last for stream in (key, key + TOLD)}
        self._let_go[key] = LetGo(host.part, sources, given)
        while len(self._let_go) > MOST_LET_GO:
            del self._let_go[next(iter(self._let_go))]

    def _is_used(self, stream: str) -> bool:
        """Whether somebody takes a stream of ours, here or elsewhere."""
        box = self.links.outboxes.get(stream)
        return (box is not None and bool(box.takers)) or self._is_wanted(stream)

    # -- what sites ask of each other --------------------------------------------------------------------------------

    def tell(self, site: str, record: list[Any]) -> None:
        """Asks something of another site; it comes there once, and in order."""
        if site == self.name:
            self._asked_to(record, site)
            return
        named = f"{CONTROL}{self.name}/{self.incarnation}/{self._epochs.get(site, 0)}>{site}"
        if named not in self.links.outboxes:
            self.links.joined(named, site, REQUESTS, None)
        self.links.give(named, [record])

    def _asked_to(self, record: list[Any], sender: str) -> None:
        what, *rest = record
        match what:
            case "host":
                self.host(part_of(rest[0]), rest[1])
            case "drop":
                self._remember(rest[0])
                self.drop(rest[0])
            case "release":  # it ends when nobody takes it any more
                self.kept.discard(rest[0])
            case "take":
                self._asked_for(record, sender)
            case "taken":
                stream, last, frontier, is_new = rest
                if self.is_given(stream):  # it has been moved here since
                    self.begins_to_come(stream, None)
                    return
                if stream not in self.links.inboxes:
                    self.links.expect(stream, self.links.producers.get(stream, sender), last + 1)
                self.begins_to_come(stream, frontier, is_new=is_new)
                self.moves.is_coming(stream)
            case "leave":
                self._left(rest[0], sender)
            case "move" | "piece" | "adopt" | "near" | "ahead" | "adopted" | "kept" | "takers" | "moved":
                self.moves.asked_to(record, sender)

    def _asked_for(self, record: list[Any], sender: str, *, is_new: bool = False) -> None:
        """Somebody wants a stream, which is here or will be."""
        _, stream, way, after, filtering, since, turn = record
        if filtering is not None:
            self.birthplace.sift(part_of(filtering), since)
        if stream in self.gone:
            self.tell(sender, ["moved", stream, self.gone[stream]])
            return
        if not self.is_given(stream):
            self._deferred.setdefault(stream, []).append((record, sender))
            known = self._let_go.get(stream.removesuffix(TOLD))
            if known is not None:
                self.host(known.part, known.sources)
            return
        taker, box = self.links.joined(stream, sender, way, after, turn), self.links.outbox(stream)
        # To whoever goes on after an output, how far the stream has got is told behind those that it does not have.
        frontier = box.frontier if taker.reported == box.last else None
        self.tell(sender, ["taken", stream, taker.reported, frontier, is_new or self._is_new(stream)])

    def _left(self, stream: str, sender: str) -> None:
        """Somebody does not want a stream any more."""
        if stream in self.links.outboxes:
            self.links.outboxes[stream].leave(sender)
        waiting = [each for each in self._deferred.pop(stream, []) if each[1] != sender]
        if waiting:
            self._deferred[stream] = waiting

    # -- what it says of itself ---------------------------------------------------------------------------------------

    def described(self) -> dict[str, Any]:
        """What this site says of itself."""
        parts = {
            key: {
                "role": host.part.role.value,
                "rules": [rule.name for rule in host.part.rules],
                "inputs": list(host.part.inputs),
                "done": host.frontier,
                "outputs": self.links.outbox(key).last,
                "held": len(host.events),
                "waiting": host.waiting,
            }
            for key, host in self.hosts.items()
        }
        blocked = [[key, stream, since, time] for (key, stream), (since, time) in self.blocked.items()]
        return {
            "incarnation": self.incarnation,
            "clock": self.now,
            "clocks": self.neighbours.clocks.state(),
            "precision": self.neighbours.clocks.precision,
            "sources": self.birthplace.described(),
            "parts": parts,
            "filters": {stream: self.links.outbox(stream).last for stream in self.birthplace.sieves},
            "blocked": blocked,
            "staying": self.birthplace.stays,
            "rates": self.flows.described(self.now),
        }

    def lost(self, site: str) -> None:
        """A site has begun anew and remembers nothing: what it took is not its any more, what it gave begins again."""
        self.remark(f"site '{site}' has lost its state: what ran there begins anew")
        for stream, box in list(self.links.outboxes.items()):
            if stream.startswith(CONTROL) and stream.endswith(f">{site}"):
                del self.links.outboxes[stream]
            else:
                box.lose(site)
        self._epochs[site] = self._epochs.get(site, 0) + 1
        self.moves.lost(site)
        for stream, producer in list(self.links.producers.items()):
            if producer == site:
                self.links.forget(stream)
                if not stream.startswith((FROM, CONTROL)):
                    self._take_anew(stream, site)

    def _take_anew(self, stream: str, site: str) -> None:
        """Takes a stream that begins again with its first output; what has been evaluated stays as it is."""
        takers = [self.hosts[key] for key in self._takers.get(stream, ())]
        for host in takers:
            host.took.pop(stream, None)
        since = max((host.done for host in takers), default=None)
        self._take_stream(stream, site, self.ways.get(stream, REQUESTS), self.filters.get(stream), since)

    # -- state -------------------------------------------------------------------------------------------------------

    def save(self) -> bytes:
        """All of it, to be given to `restore`."""
        state = (
            self.birthplace.state()
            | self.neighbours.state()
            | {
                "version": VERSION,
                "name": self.name,
                "incarnation": self.incarnation,
                "now": self.now,
                "links": self.links.state(),
                "hosts": [[part_record(host.part), host.state()] for host in self.hosts.values()],
                "ways": self.ways,
                "filters": self.filters,
                "watched": {stream: [watch.since, watch.took] for stream, watch in self.watched.items()},
                "kept": sorted(self.kept),
                "gone": self.gone,
                "takers": self._takers,
                "asked": self._asked,
                "beginning": [[part_record(b.part), sorted(b.missing), b.since] for b in self._beginning.values()],
                "watching": sorted(self._watching),
                "deferred": self._deferred,
                "let go": [[part_record(each.part), each.sources, each.given] for each in self._let_go.values()],
                "epochs": self._epochs,
                "unused": self._unused,
                "blocked": [[*pair, *since] for pair, since in self.blocked.items()],
                "moves": self.moves.state(),
                "flows": self.flows.state(),
                "audit": self.audit.state(),
            }
        )
        return msgspec.msgpack.encode(state)

    @classmethod
    def restored(cls, data: bytes, pace: Pace = Pace()) -> Site:  # noqa: B008 - frozen
        """What `save` gave."""
        state = msgspec.msgpack.decode(data)
        if state["version"] != VERSION:
            raise TocsinError(f"this state was saved by version {state['version']} of sites, not {VERSION}")
        site = cls(state["name"], state["incarnation"], pace)
        site.now = state["now"]
        site.birthplace.restore(state)
        site.neighbours.restore(state)
        site.links.restore(state["links"])
        for record, held in state["hosts"]:
            part = part_of(record)
            host = site.hosts[part.key] = Host(part)
            host.restore(held)
            site._dirty[part.key] = None
        site.ways, site.filters = state["ways"], state["filters"]
        site.watched = {stream: Watch(since, took) for stream, (since, took) in state["watched"].items()}
        site.kept, site.gone, site._takers = set(state["kept"]), state["gone"], state["takers"]
        site._asked, site._watching, site._epochs = state["asked"], set(state["watching"]), state["epochs"]
        for record, missing, since in state["beginning"]:
            part = part_of(record)
            site._beginning[part.key] = Beginning(part, set(missing), since)
        site._deferred = {stream: [(r, sender) for r, sender in some] for stream, some in state["deferred"].items()}
        for record, sources, given in state.get("let go", ()):
            part = part_of(record)
            site._let_go[part.key] = LetGo(part, sources, given)
        site.moves.restore(state["moves"])
        site.flows = Flows.restored(state["flows"])
        site._unused = state["unused"]
        site.blocked = {(key, stream): (since, time) for key, stream, since, time in state["blocked"]}
        site.audit.restore(state["audit"])
        return site
