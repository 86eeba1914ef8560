"""Who looks at a sites deployment for the service: somebody at its broker, as long as anybody asks.

Sites say four or five times a second that they are there, and what they send has to be taken: so a thread listens while
there are questions, and leaves the broker when there have been none for a while. A question is answered from what every
site says now; one that has not been heard of for two seconds is not waited for.
"""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final, TypeAlias

from tocsin.service.site_map import map_of
from tocsin.sites.links import Message
from tocsin.sites.shell.guest import Guest
from tocsin.sites.surveys import Survey, surveyed
from tocsin.sites.trail_texts import record_of
from tocsin.sites.trails import trail_of
from tocsin.transports import Unreachable
from tocsin.transports.address import shown

LINGER: Final = 30.0
"""Seconds without a question after which the broker is left."""
SILENT: Final = 2.0
"""Seconds after which a site that was not heard of is not asked."""
PATIENCE: Final = 1.5
"""Seconds that sites have for an answer."""
FRESH: Final = 0.5
"""Seconds for which a survey is good enough for the next who asks."""
_TURN: Final = 0.05

Question: TypeAlias = Callable[["Listener"], dict[str, Any]]


class Listener:
    """Somebody at the broker, and what was heard there."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest
        self.hellos: dict[str, Message] = {}
        """What each site said of itself last, also of those that are silent."""
        self._surveyed: tuple[float, Survey] | None = None
        guest.look_around()

    def turn(self) -> None:
        """Takes what comes."""
        self.guest.turn(_TURN)

    def ask_all(self, what: list[Any]) -> dict[str, Any]:
        """What those sites answer that are heard of."""
        self._listen()
        return self.guest.ask_all(what, PATIENCE)

    def survey(self) -> Survey:
        """What all sites say now, or said a moment ago."""
        if self._surveyed is None or time.monotonic() - self._surveyed[0] > FRESH:
            answers = self.ask_all(["status"])
            self._forget(answers)
            self._surveyed = time.monotonic(), surveyed(self.hellos, answers)
        return self._surveyed[1]

    def ages(self) -> dict[str, int]:
        """For how long nothing was heard of each site, in microseconds."""
        now = time.monotonic()
        return {site: round((now - at) * 1e6) for site, at in self.guest.heard.items() if site in self.hellos}

    def _listen(self) -> None:
        """Whoever is silent is remembered, but not asked: a question would wait for it."""
        self.hellos |= self.guest.directory
        late = time.monotonic() - SILENT
        for site in [site for site in self.guest.directory if self.guest.heard[site] < late]:
            del self.guest.directory[site]

    def _forget(self, answers: Mapping[str, Mapping[str, Any]]) -> None:
        """A site that no other remembers is gone for good."""
        known = set(answers).union(*(one.get("peers", {}) for one in answers.values()))
        for site in self.hellos.keys() - known if answers else ():
            del self.hellos[site]


class SiteObserver:
    """Answers questions about the sites at a broker, one after the other, in a thread of its own."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._questions: queue.SimpleQueue[tuple[Question, asyncio.Future[Any]] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    async def map(self) -> dict[str, Any]:
        """Who is there, what runs where, what flows, what is blocked; also where the broker is not there."""
        try:
            return {"broker": shown(self._url), "trouble": ""} | await self._ask(_map)
        except Unreachable as failure:
            nothing = map_of(Survey({}, {}), {}, {})
            return {"broker": shown(self._url), "trouble": str(failure)} | nothing

    async def trail(self, detection: str) -> dict[str, Any]:
        """Where a detection comes from, over all sites; its id may be shortened."""
        return await self._ask(lambda listener: _trail(listener, detection))

    def close(self) -> None:
        """Leaves the broker."""
        with self._lock:
            thread, self._thread = self._thread, None
        if thread is not None:
            self._questions.put(None)
            thread.join()

    # -- the thread ----------------------------------------------------------------------------------------------------

    async def _ask(self, question: Question) -> dict[str, Any]:
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        with self._lock:
            self._questions.put((question, answer))
            if self._thread is None:
                self._thread = threading.Thread(target=self._listen, name="tocsin-sites", daemon=True)
                self._thread.start()
        return await answer

    def _listen(self) -> None:
        """Answers what is asked; ends when nothing was for a while."""
        listener: Listener | None = None
        asked = time.monotonic()
        try:
            while True:
                try:
                    given = self._questions.get(listener is None, LINGER)
                except queue.Empty:
                    if self._is_over(asked):
                        return
                    if listener is not None:
                        listener.turn()
                    continue
                if given is None:
                    return
                asked = time.monotonic()
                listener = self._answered(listener, *given)
        finally:
            if listener is not None:
                listener.guest.close()

    def _is_over(self, asked: float) -> bool:
        with self._lock:  # whoever asks from now on begins another thread
            if time.monotonic() - asked < LINGER or not self._questions.empty():
                return False
            self._thread = None
            return True

    def _answered(
        self, listener: Listener | None, question: Question, answer: asyncio.Future[dict[str, Any]]
    ) -> Listener | None:
        """Answers one question; who listens from now on."""
        loop = answer.get_loop()

        def settle(found: dict[str, Any] | Exception) -> None:
            if answer.done():  # nobody waits any more
                return
            if isinstance(found, Exception):
                answer.set_exception(found)
            else:
                answer.set_result(found)

        try:
            listener = listener or Listener(Guest(self._url, "service"))
            found: dict[str, Any] | Exception = question(listener)
        except Exception as error:  # noqa: BLE001 - whatever it is, whoever asked is told
            found = error
        with suppress(RuntimeError):  # the service has stopped meanwhile
            loop.call_soon_threadsafe(settle, found)
        return listener


def _map(listener: Listener) -> dict[str, Any]:
    found = listener.survey()
    trouble = "" if listener.guest.network.is_there else f"{listener.guest.address} is not there"
    record = map_of(found, listener.ages() | found.silent, listener.ask_all(["detection", ""]))
    return {"trouble": trouble} | record


def _trail(listener: Listener, detection: str) -> dict[str, Any]:
    listener.survey()
    if not listener.guest.network.is_there:
        raise Unreachable(f"{listener.guest.address} is not there")
    return record_of(trail_of(detection, listener.ask_all, listener.hellos))
