"""Who is at no site: hears who is there, asks sites, reports events to one.

with Guest(url) as guest:
    guest.look_around()                          # what every site says of itself, by name
    guest.ask("A", ["status"], seconds=2)        # the answer of a site (`sites.questions`)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, Final, Self
from uuid import uuid4

from tocsin.errors import TocsinError, UsageError, nearest
from tocsin.sites.links import Message, Pace
from tocsin.sites.neighbours import EVERYBODY, VERSION
from tocsin.sites.reporter import Reporter
from tocsin.sites.shell.network import Network, Run, unpacked
from tocsin.sites.shell.topics import broker_of, guest_name, is_guest
from tocsin.transports import Unreachable

LOOK: Final = 0.5
"""Seconds in which every site that is there says so: their signs of life are 0.2 seconds apart."""
_AGAIN: Final = 0.5
"""Seconds after which a question is asked again."""
_TURN: Final = 0.05


class NoAnswer(TocsinError):
    """A site has not answered in time."""


class Guest:
    """Somebody at a broker who is at no site."""

    def __init__(
        self,
        url: str,
        kind: str = "guest",
        *,
        say: Callable[[str], None] = lambda text: None,
        pace: Pace = Pace(),  # noqa: B008
    ) -> None:
        self.address, self.name, self._say, self._pace = broker_of(url), guest_name(kind), say, pace
        self.network = Network(self.address, self.name, Run(1, uuid4().hex), say)
        self.directory: dict[str, Message] = {}
        """What each site said of itself last."""
        self.listeners: dict[str, Message] = {}
        """What others say of themselves who are at no site, and ask for rules."""
        self.heard: dict[str, float] = {}
        """When that was, by this process' steady clock."""
        self._answers: dict[int, Message] = {}
        self._gathered: dict[int, dict[str, Message]] = {}
        """Answers of many to one question, by its number."""
        self._asked = 0
        self._reporters: dict[str, Reporter] = {}
        self._strangers: set[str] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Leaves."""
        self.network.close()

    # -- who is there ------------------------------------------------------------------------------------------------

    def look_around(self, seconds: float = LOOK, until: Callable[[], bool] = lambda: False) -> dict[str, Message]:
        """What every site that is there says of itself; earlier if what somebody waits for is there."""
        self.send(EVERYBODY, {"is": "who"})
        self.wait(until, seconds)
        return self.directory

    def site(self, name: str, seconds: float = LOOK) -> Message:
        """What a site says of itself; an error in one line where it is not there."""
        if name not in self.directory:
            self.look_around(min(LOOK, seconds), lambda: name in self.directory)
        if name not in self.directory and seconds > LOOK:
            self._say(f"waiting for site '{name}'")
            self.look_around(seconds - LOOK, lambda: name in self.directory)
        if name not in self.directory:
            hint = nearest(name, list(self.directory))
            there = f"there {'are' if len(self.directory) > 1 else 'is'} {', '.join(sorted(self.directory))}"
            known = f"; {there}" if self.directory else "; no site is there at all"
            raise UsageError(f"no site '{name}' is heard at {self.address}{known}{f'; {hint}' if hint else ''}")
        return self.directory[name]

    # -- questions ---------------------------------------------------------------------------------------------------

    def ask(self, site: str, what: Sequence[Any], seconds: float = 5.0) -> Any:
        """A site's answer. The question is asked again until it comes: asking twice must do no harm."""
        self._asked += 1
        number, until = self._asked, time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self.send(site, {"is": "query", "number": number, "what": list(what)})
            self.wait(lambda: number in self._answers, min(left, _AGAIN))
            answer = self._answers.pop(number, None)
            if answer is not None:
                if "fault" in answer:
                    raise TocsinError(f"site '{site}': {answer['fault']}")
                return answer.get("found")
        reason = "" if self.network.is_there else f": {self.address} is not there"
        raise NoAnswer(f"site '{site}' does not answer within {seconds:g} seconds{reason}")

    def ask_all(self, what: Sequence[Any], seconds: float = 2.0) -> dict[str, Any]:
        """What sites answer that do so in time, by name; one that sees a fault in the question is left out."""
        asked = sorted(self.directory)
        self._asked += 1
        number, until = self._asked, time.monotonic() + seconds
        found: dict[str, Message] = self._gathered.setdefault(number, {})
        while (left := until - time.monotonic()) > 0 and len(found) < len(asked):
            for site in asked:
                if site not in found:
                    self.send(site, {"is": "query", "number": number, "what": list(what)})
            self.wait(lambda: len(found) == len(asked), min(left, _AGAIN))
        del self._gathered[number]
        return {site: answer["found"] for site, answer in found.items() if "found" in answer}

    # -- events ------------------------------------------------------------------------------------------------------

    def reporter(self, site: str) -> Reporter:
        """Somebody who reports events to a site, under this guest's name."""
        if site not in self._reporters:
            self._reporters[site] = Reporter(self.name, site, self._pace)
        return self._reporters[site]

    # -- messages ----------------------------------------------------------------------------------------------------

    def send(self, to: str, message: Message) -> None:
        """Sends a message."""
        self.network.send([(to, message | {"from": self.name})])

    def wait(self, until: Callable[[], bool], seconds: float) -> bool:
        """Lets things go on until something is so, or so long; whether it is."""
        end = time.monotonic() + seconds
        while not until():
            left = end - time.monotonic()
            if left <= 0:
                return False
            self.turn(min(left, _TURN))
        return True

    def turn(self, seconds: float) -> None:
        """Sends what is to be sent, and takes what comes within so long."""
        self._flush()
        came = self.network.receive(seconds)
        if self.network.is_new:
            self.network.is_new = False
            for reporter in self._reporters.values():
                reporter.send_again()
        for payload in came:
            run, messages = unpacked(payload)
            if messages and run.version != VERSION:
                self._meet_stranger(messages[0]["from"], run)
                continue
            for message in messages:
                self._take(message)
        self._flush()

    def _flush(self) -> None:
        now = time.time_ns() // 1000
        for reporter in self._reporters.values():
            if out := reporter.drain(now):
                self.network.send(out)

    def _meet_stranger(self, sender: str, run: Run) -> None:
        if sender not in self._strangers:
            self._strangers.add(sender)
            self._say(f"site '{sender}' speaks version {run.version} of sites, this one {VERSION}: it is left out")

    def _take(self, message: Message) -> None:
        sender = message["from"]
        match message["is"]:
            case "hello" if is_guest(sender):
                self.listeners[sender] = message
            case "hello":
                self.directory[sender] = message
                self.heard[sender] = time.monotonic()
            case "answer" if message["number"] in self._gathered:
                self._gathered[message["number"]][sender] = message
            case "answer":
                self._answers[message["number"]] = message
            case "report" | "late" if sender in self._reporters:
                self._reporters[sender].take(message, time.time_ns() // 1000)


def attached(url: str, kind: str = "guest", *, say: Callable[[str], None] = lambda text: None) -> Guest:
    """A guest, once at least one site is heard; an error in one line where there is none."""
    guest = Guest(url, kind, say=say)
    try:
        found: Mapping[str, Message] = guest.look_around()
        if not found:
            raise Unreachable(
                f"{guest.address}: no site is heard there: start one, tocsin site --name A --broker {guest.address}"
            )
    except BaseException:
        guest.close()
        raise
    return guest
