"""Streams between sites: outputs sent until they are reported, and how far each stream has got, told or asked for.

Of the network it is assumed that a message comes late, twice, out of order or not at all, and nothing else (001 section
4.1). Messages are plain JSON values:

    outputs   a stream's outputs from a number on; how many there are in all by now, and how far that is
    report    up to a number nothing is needed here any more, up to another (`came`) everything is safe; `again`: what
              follows that is missing, up to a third (`gap`)
    ask       how far have you got? Answer when it is as far as this (002 algorithm 4.15)
    token     the same to several, one after the other: each adds how far it has got and passes it on
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from tocsin.sites.births import FAR
from tocsin.sites.inboxes import Inbox
from tocsin.sites.outboxes import HEARTBEATS, REQUESTS, TOKENS, Outbox, Taker

Message: TypeAlias = dict[str, Any]
MOST: Final = 512
"""Outputs in a message."""
WINDOW: Final = 8_192
"""Outputs of a stream that are sent before the first of them is reported."""
MOST_PATIENCE: Final = 3
"""How often patience is doubled with somebody who reports nothing: what is slow is not made slower."""


@dataclass(frozen=True)
class Pace:
    """How often what happens again and again does, in microseconds of the site's clock."""

    beat: int = 200_000
    """... heartbeats of busy links, and a site's sign of life."""
    patience: int = 400_000
    """... what was not reported is sent again, what was not answered is asked again."""
    linger: int = 10_000_000
    """How long a part that nobody takes stays."""
    silence: int = 800_000
    """After so long without a sign of life a site counts as failed."""


@dataclass
class Asked:
    """What was asked of a stream, and when."""

    time: int
    at: int


@dataclass
class Links:
    """The streams that a site gives out and takes in."""

    name: str
    pace: Pace
    arrived: Callable[[str, int, list[Any]], None]
    """Called with a stream's next outputs, and the number of the first."""
    advanced: Callable[[str, int], None]
    """Called when a stream has got to a time."""
    wanted: Callable[[str, int], None]
    """Called when somebody needs a stream of ours to get to a time."""
    outboxes: dict[str, Outbox] = field(default_factory=dict)
    inboxes: dict[str, Inbox] = field(default_factory=dict)
    producers: dict[str, str] = field(default_factory=dict)
    """Who gives out a stream that is taken here."""
    held_reports: dict[str, int] = field(default_factory=dict)
    """Streams of which no more is reported for now, since another is about to take them from there on."""
    sending: list[tuple[str, Message]] = field(default_factory=list)
    _stirred: dict[str, None] = field(default_factory=dict)
    _reports: dict[tuple[str, str], Inbox] = field(default_factory=dict)
    """What is to be reported, by stream and to whom: once for all that comes at a time."""
    _asked: dict[str, Asked] = field(default_factory=dict)
    _tokens: dict[str, list[Message]] = field(default_factory=dict)
    _beaten: int = 0

    # -- giving ------------------------------------------------------------------------------------------------------

    def outbox(self, stream: str) -> Outbox:
        """The outbox of a stream that is given out here."""
        box = self.outboxes.get(stream)
        if box is None:
            box = self.outboxes[stream] = Outbox()
        return box

    def give(self, stream: str, outputs: list[Any]) -> None:
        """More outputs of a stream."""
        box = self.outbox(stream)
        box.give_many(outputs)
        self._stirred[stream] = None

    def get_to(self, stream: str, frontier: int) -> None:
        """A stream has got to a time."""
        box = self.outbox(stream)
        if box.frontier is None or frontier > box.frontier:
            box.frontier = frontier
            self._stirred[stream] = None

    def joined(self, stream: str, site: str, way: str, after: int | None, turn: int = 0) -> Taker:
        """Somebody takes a stream of ours."""
        self._stirred[stream] = None
        return self.outbox(stream).join(site, way, after, turn)

    # -- taking ------------------------------------------------------------------------------------------------------

    def expect(self, stream: str, producer: str, following: int = 1) -> Inbox:
        """A stream is taken from now on."""
        self.producers[stream] = producer
        return self.inboxes.setdefault(stream, Inbox(following))

    def forget(self, stream: str) -> None:
        """A stream is taken no more."""
        self.inboxes.pop(stream, None)
        self.producers.pop(stream, None)
        self._asked.pop(stream, None)

    def report_freely(self, stream: str) -> None:
        """What was held for another is needed here no more."""
        self.held_reports.pop(stream, None)
        if stream in self.inboxes:
            self._reports[stream, self.producers[stream]] = self.inboxes[stream]

    def needs(self, streams: Mapping[str, str], time: int, now: int) -> None:
        """Something waits here until streams of others have got to a time; the way in which each of them is asked."""
        by_token: list[tuple[str, str]] = []
        for stream, way in streams.items():
            asked = self._asked.get(stream)
            if asked is not None and asked.time >= time and now - asked.at < self.pace.patience:
                continue
            self._asked[stream] = Asked(time, now)
            if way == TOKENS:
                by_token.append((self.producers[stream], stream))
            elif way == REQUESTS or asked is not None:  # a heartbeat that does not come is asked for, too
                self._send(self.producers[stream], {"is": "ask", "stream": stream, "time": time})
        if by_token:
            route = sorted(by_token)
            self._send(route[0][0], {"is": "token", "of": self.name, "time": time, "route": route, "found": []})

    def looks_ahead(self, streams: Iterable[str], time: int, now: int) -> None:
        """Something will wait here for streams of others. Whoever has yet to answer is not asked once more."""
        for stream in streams:
            asked, box = self._asked.get(stream), self.inboxes.get(stream)
            reached = None if box is None else box.frontier
            is_open = asked is not None and (reached is None or reached < asked.time)
            if not is_open:
                self.needs({stream: REQUESTS}, time, now)

    def is_long_asked(self, stream: str, now: int) -> bool:
        """Whether a question was asked so long ago that it, or its answer, may have got lost."""
        asked = self._asked.get(stream)
        return asked is None or now - asked.at >= self.pace.patience << MOST_PATIENCE

    def awaited(self) -> Iterator[int]:
        """The times that somebody waits for streams of ours to get to."""
        for box in self.outboxes.values():
            for taker in box.takers.values():
                if taker.asked is not None:
                    yield taker.asked
        for waiting in self._tokens.values():
            for token in waiting:
                yield token["time"]

    # -- messages ----------------------------------------------------------------------------------------------------

    def take(self, message: Message, sender: str, now: int) -> None:
        """A message about streams has come."""
        match message["is"]:
            case "outputs":
                self._take_outputs(message, sender)
            case "report":
                self._take_report(message, sender, now)
            case "ask":
                self._take_ask(message["stream"], sender, message["time"])
            case "token":
                self._take_token(message)

    def _take_outputs(self, message: Message, sender: str) -> None:
        stream = message["stream"]
        box = self.inboxes.get(stream)
        if box is None:
            return
        before = box.frontier
        found = box.take(message["first"], message["outputs"])
        if message["frontier"] is not None:
            box.promise(message["last"], message["frontier"], more_follow=bool(message["outputs"]))
        if found:
            self.arrived(stream, box.following - len(found), found)
        if box.frontier is not None and box.frontier != before:
            self.advanced(stream, box.frontier)
        if message["outputs"] or box.is_missing or _has_ended(message["frontier"]):
            self._reports[stream, sender] = box

    def _report(self, stream: str, sender: str, box: Inbox) -> None:
        number = min(box.following - 1, self.held_reports.get(stream, box.following))
        told = {"is": "report", "stream": stream, "number": number, "again": box.is_missing}
        if number < box.following - 1:
            told["came"] = box.following - 1
        if box.is_missing:
            told["gap"] = box.gap
        self._send(sender, told | {"frontier": box.frontier, "turn": box.turn})

    def _take_report(self, message: Message, sender: str, now: int) -> None:
        box = self.outboxes.get(message["stream"])
        taker = None if box is None else box.takers.get(sender)
        if box is None or taker is None or message["turn"] < taker.turn:
            return
        box.report(sender, message["number"], message.get("came"), now)
        taker.has_end = _has_ended(message["frontier"])
        if message["again"] and taker.mended != taker.came:
            taker.gap, taker.mended = min(message.get("gap") or box.last, taker.sent), taker.came
            self._stirred[message["stream"]] = None
        if taker.sent < box.last:
            self._stirred[message["stream"]] = None

    def _take_ask(self, stream: str, sender: str, time: int) -> None:
        box = self.outboxes.get(stream)
        taker = None if box is None else box.takers.get(sender)
        if taker is not None:
            taker.asked = time if taker.asked is None else max(time, taker.asked)
            self._stirred[stream] = None
            self.wanted(stream, time)

    def _take_token(self, message: Message) -> None:
        if not message["route"]:
            for stream, last, frontier in message["found"]:
                told = {"stream": stream, "first": 1, "outputs": [], "last": last, "frontier": frontier}
                self._take_outputs(told, self.producers.get(stream, ""))
            return
        (_, stream), *_ = message["route"]
        self._tokens.setdefault(stream, []).append(message)
        self._stirred[stream] = None
        self.wanted(stream, message["time"])

    # -- sending -----------------------------------------------------------------------------------------------------

    def send_again(self) -> None:
        """Nothing that was sent lately has come: what is not reported is sent again, now."""
        for stream, box in self.outboxes.items():
            for taker in box.takers.values():
                taker.sent, taker.again = taker.came, 0
            self._stirred[stream] = None

    def flush(self, now: int) -> list[tuple[str, Message]]:
        """Everything that is to be sent now."""
        is_beat = now - self._beaten >= self.pace.beat
        if is_beat:
            self._beaten = now
        for stream in list(self.outboxes) if is_beat else list(self._stirred):
            box = self.outboxes.get(stream)
            if box is not None:
                for site, taker in box.takers.items():
                    if not box.holds(site):
                        self._serve(stream, box, site, taker, now, is_beat)
                self._pass_tokens(stream, box)
        self._stirred.clear()
        for (stream, sender), inbox in self._reports.items():
            self._report(stream, sender, inbox)
        self._reports.clear()
        sending, self.sending = self.sending, []
        return sending

    def _serve(self, stream: str, box: Outbox, site: str, taker: Taker, now: int, is_beat: bool) -> None:
        usual = max(self.pace.patience, 2 * taker.usual) << min(taker.again, MOST_PATIENCE)
        patience = min(usual, self.pace.patience << MOST_PATIENCE)
        if taker.sent > taker.came and taker.since is not None and now - taker.since >= patience:
            taker.sent, taker.since = taker.came, None
            taker.again += 1
        self._mend(stream, box, site, taker)
        while taker.sent < box.last and taker.sent - taker.came < WINDOW:
            first, outputs = box.after(taker.sent, MOST)
            if not outputs:
                taker.sent = box.last
                break
            taker.sent = first + len(outputs) - 1
            taker.since = now if taker.since is None else taker.since
            taker.waits = now if taker.waits is None else taker.waits
            self._tell(stream, box, site, taker, first, outputs)
        if taker.sent < box.last:
            return
        if box.frontier is None or (taker.told is not None and taker.told >= box.frontier):
            is_done = taker.has_end and taker.reported >= box.last
            if _has_ended(box.frontier) and is_beat and not is_done:  # an end that got lost is told again
                self._tell(stream, box, site, taker, box.last + 1, [])
            return
        is_answer = taker.asked is not None and box.frontier >= taker.asked
        if is_answer or (is_beat and taker.way == HEARTBEATS) or box.frontier >= FAR:
            self._tell(stream, box, site, taker, box.last + 1, [])

    def _mend(self, stream: str, box: Outbox, site: str, taker: Taker) -> None:
        """Sends once more what is missing between what came, and no more: what is behind it is there."""
        number, taker.gap = taker.came, min(taker.gap, taker.sent)
        while number < taker.gap:
            first, outputs = box.after(number, min(MOST, taker.gap - number))
            if not outputs:
                break
            number = first + len(outputs) - 1
            self._tell(stream, box, site, taker, first, outputs)
        taker.gap = 0

    def _tell(self, stream: str, box: Outbox, site: str, taker: Taker, first: int, outputs: list[Any]) -> None:
        taker.told = box.frontier
        if taker.asked is not None and box.frontier is not None and box.frontier >= taker.asked:
            taker.asked = None
        told = {"is": "outputs", "stream": stream, "first": first, "outputs": outputs}
        self._send(site, told | {"last": box.last, "frontier": box.frontier})

    def _pass_tokens(self, stream: str, box: Outbox) -> None:
        waiting = self._tokens.pop(stream, [])
        for token in waiting:
            if box.frontier is None or box.frontier < token["time"]:
                self._tokens.setdefault(stream, []).append(token)
                continue
            route = token["route"][1:]
            found = [*token["found"], [stream, box.last, box.frontier]]
            to = route[0][0] if route else token["of"]
            self._send(to, token | {"route": route, "found": found})

    def _send(self, site: str, message: Message) -> None:
        self.sending.append((site, message))

    # -- state -------------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """All of it as plain values. Questions that are open are asked again."""
        return {
            "outboxes": {stream: box.state() for stream, box in self.outboxes.items()},
            "inboxes": {stream: box.state() for stream, box in self.inboxes.items()},
            "producers": self.producers,
            "held": self.held_reports,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """What `state` gave."""
        self.outboxes = {stream: Outbox.restored(each) for stream, each in state["outboxes"].items()}
        self.inboxes = {stream: Inbox.restored(each) for stream, each in state["inboxes"].items()}
        self.producers = dict(state["producers"])
        self.held_reports = dict(state["held"])
        self._stirred = dict.fromkeys(self.outboxes)


def _has_ended(frontier: int | None) -> bool:
    """Whether nothing more is to come of a stream that has got so far."""
    return frontier is not None and frontier >= FAR
