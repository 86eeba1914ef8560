"""A site's turn: take what came, write it down, send what comes of it.

What is written down is safe before anything that came of it is sent or told; so a site that is killed goes on as if
nothing had been, from its last saved state through the rows since. Everything that changes the site is a row: what came
over the wire, ticks, and what somebody here asks for.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias
from uuid import uuid4

import msgspec

from tocsin.errors import TocsinError
from tocsin.sites.audit import Keep
from tocsin.sites.dues import due_after
from tocsin.sites.links import Message, Pace
from tocsin.sites.neighbours import EVERYBODY, VERSION
from tocsin.sites.shell.clocks import WallClock
from tocsin.sites.shell.network import Network, Run, unpacked
from tocsin.sites.shell.portraits import Painter
from tocsin.sites.shell.requests import Requests, deployment_of, request_of
from tocsin.sites.shell.store import Store
from tocsin.sites.site import Site, Told
from tocsin.stores.journal import Row
from tocsin.transports import Address

TICK: Final = 50_000
"""How often the clock is looked at when nothing comes, in microseconds."""
BUSY_TICK: Final = 5_000
"""... while something here waits for time to go on."""
CLAIM: Final = 0.3
"""Seconds in which another of this name would be heard."""
_DO: Final = {"is": "do"}
_PLAIN: Final[dict[str, str]] = {}
_NOT_UNDERSTOOD: Final = (KeyError, TypeError, ValueError, IndexError, AttributeError, TocsinError)

Hears: TypeAlias = Callable[[Sequence[Told]], None]


class Namesake(TocsinError):
    """Another site of this name is there."""


class SiteProcess:
    """A site at a broker, with a clock, and a data directory if it is to outlast its process."""

    def __init__(
        self,
        name: str,
        address: Address,
        store: Store | None = None,
        *,
        hears: Hears = lambda told: None,
        say: Callable[[str], None] = lambda text: None,
        pace: Pace = Pace(),  # noqa: B008 - frozen
        wall: Callable[[], int] = time.time_ns,
        began: Callable[[Site], None] = lambda site: None,
        paints_apart: bool = False,
    ) -> None:
        """`hears` is told of detections, `say` of what a person should know, `began` of the site before all else.

        `paints_apart`: parts that leave are written down by a copy of this process, which it has to itself.
        """
        self.name, self._store, self._hears, self._say = name, store, hears, say
        word = f"{wall() // 1000:016x}-{uuid4().hex[:8]}"
        self._rows: list[Row] = []
        self._commands: list[list[Any]] = []
        self._strangers: set[str] = set()
        self._is_claimed = False
        self._noted = 0
        self.messages: Callable[[Message], None] | None = None
        """Who else is at this name, and takes what is no site's business."""
        self._painter = Painter()
        self._pictures: dict[str, bytes] = {}
        self.site, self.requests = self._restored(pace, word)
        self.site.portray = self._painter.begin
        began(self.site)
        self._replay()
        self._painter = Painter(is_apart=paints_apart)
        self.site.portray = self._painter.begin
        self.clock = WallClock(say, self.site.now, wall)
        self._ticked = self.site.now
        self.network = Network(address, name, Run(1 if store is None else store.starts, word), say)
        self.network.sent = self.site.meters.sent

    def _restored(self, pace: Pace, word: str) -> tuple[Site, Requests]:
        if self._store is None or self._store.state is None:
            site = Site(self.name, word, pace)
            requests = Requests(site)
            if self._store is not None:
                self._save(site, requests)  # its name of this life lasts from now on
            return site, requests
        state = msgspec.msgpack.decode(self._store.state)
        site = Site.restored(state["site"], pace)
        requests = Requests(site)
        requests.restore(state["requests"])
        return site, requests

    def _replay(self) -> None:
        """Goes through what was written down and is not in the saved state."""
        if self._store is not None:
            for body, headers, now in self._store.rows():
                self._apply(body, headers, now)
                self._pictures |= {key: made for key, made in self._painter.finished().items() if made is not None}
                self._tell(self.site.drain_told())
            self._commands = [["portrayed", key, True] for key in self._pictures]

    # -- turns -------------------------------------------------------------------------------------------------------

    def claim(self) -> None:
        """Makes sure that no other site of this name is there."""
        self.network.send([(EVERYBODY, {"is": "who", "from": self.name})])
        until = time.monotonic() + CLAIM
        while (left := until - time.monotonic()) > 0:
            for payload in self.network.receive(left):
                run, messages = unpacked(payload)
                if run.word != self.network.run.word and any(each["from"] == self.name for each in messages):
                    raise self._namesake(run)
        self._is_claimed = True

    def _namesake(self, run: Run) -> Namesake:
        since = _since(run.word)
        return Namesake(
            f"there is another site '{self.name}' at {self.network.address}{since}: every site has a name of its own"
        )

    def do(self, command: list[Any]) -> None:
        """Somebody here asks for something; it is done in the next turn, and written down like all else."""
        self._commands.append(command)

    def turn(self, seconds: float = 0.0) -> None:
        """Waits at most so long for something to come; does what is to be done."""
        tick = self.next_tick()
        waits = 0.0 if self._commands else min(seconds, max(tick - self.clock(), 0) / 1e6)
        came = self.network.receive(waits)
        now = self.clock()
        if self.network.is_new:
            self.network.is_new = False
            self.site.links.send_again()
        for payload in came:
            messages = self._for_us(payload)
            if messages:
                self._rows.append((payload, _PLAIN, now))
                self._deliver(messages, now)
        for command in self._commands:
            self._take(msgspec.msgpack.encode(command), dict(_DO), now)
        self._commands = []
        self._take_pictures(now)
        if now >= tick:
            self._ticked = now
            self._take(b"", {}, now)
            self._commands += self.requests.decisions(now)
        self._let_out()

    def next_tick(self) -> int:
        """When the site is to be told the time: now and then, and when something falls due."""
        usual = self._ticked + (BUSY_TICK if self.site.blocked else TICK)
        due = due_after(self.site, self._ticked)
        return usual if due is None else min(usual, due)

    def _take_pictures(self, now: int, *, waits: bool = False) -> None:
        """Pictures of parts that leave are there; those in work cannot be taken up again from a saved state."""
        for key, picture in self._painter.finished(waits=waits).items():
            if picture is not None:
                self._pictures[key] = picture
            self._take(msgspec.msgpack.encode(["portrayed", key, picture is not None]), dict(_DO), now)

    def _take(self, body: bytes, headers: dict[str, str], now: int) -> None:
        self._rows.append((body, headers, now))
        self._apply(body, headers, now)

    def _let_out(self) -> None:
        """What came of it: it is safe first."""
        drained = self.site.drain()
        if drained.messages or drained.told or len(self._rows) > 1000:
            self._write()
            self._tell(drained.told)
            self.network.send(drained.messages)
        for note in self.site.notes[self._noted :]:
            self._say(note)
        self._noted = len(self.site.notes)
        if self._store is not None and self._store.is_long and not self._painter.is_busy:
            self.save()

    def _write(self) -> None:
        if self._store is not None and self._rows:
            self._store.append(self._rows)
        self._rows = []

    def _tell(self, told: list[Told]) -> None:
        if told:
            self._hears(told)

    def save(self) -> None:
        """Saves the state."""
        self._take_pictures(self.clock(), waits=True)
        self._write()
        self._save(self.site, self.requests)

    def _save(self, site: Site, requests: Requests) -> None:
        if self._store is not None:
            self._store.save(msgspec.msgpack.encode({"site": site.save(), "requests": requests.state()}))

    def stop(self) -> None:
        """Ends it cleanly: it goes on from here."""
        self._let_out()
        self.save()
        self.close()

    def leave(self) -> None:
        """Asks for nothing any more, and lets the others know: for those who do not come back."""
        for name in list(self.requests.all):
            self.do(["withdraw", name])
        self.turn()

    def close(self) -> None:
        """Ends it, as it is."""
        self._painter.close()
        self.network.close()
        if self._store is not None:
            self._store.close()

    # -- what comes --------------------------------------------------------------------------------------------------

    def _for_us(self, payload: bytes) -> list[Message]:
        """The messages of another, if they are in our words."""
        run, messages = unpacked(payload)
        if run.word == self.network.run.word or not messages:
            return []
        sender = messages[0]["from"]
        if sender == self.name:
            self._meet_namesake(run, messages)
            return []
        if run.version != VERSION:
            if sender not in self._strangers:
                self._strangers.add(sender)
                self._say(f"'{sender}' speaks version {run.version} of sites, this one {VERSION}: it is not heard here")
            return []
        if self.messages is not None:
            for message in messages:
                self.messages(message)
        return messages

    def _meet_namesake(self, run: Run, messages: list[Message]) -> None:
        """Somebody else has this name: who came later has to go."""
        if any(message["is"] == "who" for message in messages):
            self.network.send([(EVERYBODY, {"is": "hello", "from": self.name} | self.site.neighbours.introduction())])
        elif (run.word.split("-")[0], run.word) < (self.network.run.word.split("-")[0], self.network.run.word):
            raise self._namesake(run)
        else:
            self.site.neighbours.has_namesake = True

    def _apply(self, body: bytes, headers: dict[str, str], now: int) -> None:
        """What a row does; the same whenever it is done again."""
        try:
            if headers:
                self.site.tick(now)
                self._perform(msgspec.msgpack.decode(body))
                self.site.tick(now)
            elif not body:
                self.site.tick(now)
            else:
                self._deliver(unpacked(body)[1], now)
        except _NOT_UNDERSTOOD as error:
            self._refuse(error)

    def _deliver(self, messages: list[Message], now: int) -> None:
        """Gives messages to the site; one that makes no sense is left out."""
        for message in messages:
            try:
                self.site.take(message, now)
            except _NOT_UNDERSTOOD as error:
                self._refuse(error)

    def _refuse(self, error: Exception) -> None:
        self._say(f"a message is not understood, and left out: {type(error).__name__}: {error}")

    def _perform(self, record: list[Any]) -> None:
        match record[0]:
            case "request":
                self.requests.add(*request_of(record))
            case "withdraw":
                self.requests.withdraw(record[1])
            case "deploy":
                self.requests.deploy(record[1], deployment_of(record[2]))
            case "change":
                self.requests.change(record[1])
            case "source":
                _, name, types = record
                if name not in self.site.birthplace.births.sources:
                    self.site.birthplace.births.register(name, types)
            case "stays":
                self.site.birthplace.stays = {
                    str(kind): [str(name) for name in names] for kind, names in record[1].items()
                }
            case "keep":
                self.site.audit.keep = Keep(int(record[1]), int(record[2]))
            case "portrayed":
                self.site.portrayed(record[1], self._pictures.pop(record[1]) if record[2] else None)
            case "tell":
                self.site.tell(record[1], record[2])
            case "watch":
                self.site.watch(record[1], record[2])


def _since(word: str) -> str:
    """When somebody was started, by its word."""
    try:
        at = int(word.split("-")[0], 16) / 1e6
        return f", started at {time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime(at))}"
    except (ValueError, OverflowError, OSError):
        return ""
