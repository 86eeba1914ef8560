"""Small worlds in which a person asks sites things, as the command line does."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

import msgspec

from tocsin.algebra.rules import Program
from tocsin.events import Event
from tocsin.planner.cuts import cuts
from tocsin.rules.loader import load_expression
from tocsin.sites.births import FAR
from tocsin.sites.deployment import Deployment, Directory, carry_out, deployed, heard_types
from tocsin.sites.links import Message
from tocsin.sites.parts import Part, Role
from tocsin.sites.simulation import Weather, World

SECOND = 1_000_000
PERSON = "person"


class AskedWorld(World):
    """A world with somebody who is at no site, hears what everybody hears, and asks."""

    def __init__(self, seed: int, names: Iterable[str], weather: Weather = Weather()) -> None:  # noqa: B008
        super().__init__(seed, names, weather)
        self.hellos: dict[str, Message] = {}
        self.answers: dict[int, dict[str, Message]] = {}
        self.fetched: list[Message] = []
        self._questions = 0
        self.machines_of_person()

    def machines_of_person(self) -> None:
        def listen() -> None:
            for name, machine in self.machines.items():
                if machine.site is not None:
                    said = {"is": "hello", "from": name, "version": 1} | machine.site.described()
                    self.hellos[name] = msgspec.msgpack.decode(msgspec.msgpack.encode(said))
            self.at(self.now + 200_000, listen)

        self.at(0, listen)

    def _deliver(self, to: str, data: bytes) -> None:
        if to != PERSON:
            super()._deliver(to, data)
            return
        message = msgspec.msgpack.decode(data)
        if message["is"] == "answer":
            self.answers.setdefault(message["number"], {})[message["from"]] = message
        elif message["is"] == "fetched":
            self.fetched.append(message)

    def ask(self, what: list[Any], sites: Iterable[str] | None = None, patience: int = 2 * SECOND) -> dict[str, Any]:
        """What each site answers: what it found; a site that does not answer in time is missing."""
        asked = list(self.machines if sites is None else sites)
        self._questions += 1
        until = self.now + patience
        while self.now < until:
            answers = self.answers.get(self._questions, {})
            left = [site for site in asked if site not in answers]
            if not left:
                break
            for site in left:
                self.send(PERSON, site, {"is": "query", "from": PERSON, "number": self._questions, "what": what})
            self.run(self.now + 100_000)
        return {site: answer["found"] for site, answer in self.answers.get(self._questions, {}).items()}

    def said(self) -> dict[str, dict[str, Any]]:
        """What each site said last, with what it answers; and of those that are silent what they said last."""
        answers = self.ask(["status"])
        return {site: hello | answers.get(site, {}) for site, hello in sorted(self.hellos.items())}

    def subscribe(self, sink: str, deployment: Deployment) -> None:
        self.do(sink, lambda site: carry_out(site, deployment))


PARTS: Directory = {"A": {"sa": ["a"]}, "B": {"sb": ["b"]}, "C": {"sc": ["c"]}, "D": {}}


def program(text: str, language: str = "sel", **keys: Any) -> Program:
    return load_expression(text, language, keys.pop("condition", None), **keys)


def cut_apart() -> Deployment:
    """A rule at D, over a part at C that is the whole of it, over a part at B for its beginning."""
    rules = program("(a -> b -> c) in 60 seconds")
    wanted = {cut.types: cut for cut in cuts(rules, rules.rules[0]).cuts}
    chosen = {rules.rules[0].name: [wanted[frozenset("ab")], wanted[frozenset("abc")]]}
    sites = {2: "B", 3: "C"}

    def site_of(part: Part) -> str:
        return "D" if part.role is Role.RULE else sites[len(heard_types(part.program))]

    return deployed(rules, PARTS, "D", chosen=chosen, site_of=site_of)


def event(kind: str, source: str, identity: str, seconds: float, **data: Any) -> Event:
    at = round(seconds * SECOND)
    return Event(kind, at, at, identity, source, data)


def live(world: AskedWorld, births: Iterable[tuple[str, Event]], *, ends: bool = True) -> None:
    """Events are reported at their sites when they happen; then their sources end."""
    births, reporters = list(births), {}
    last = 0
    sources = sorted({(f"at-{site}", site, one.source) for site, one in births})
    for name, site, source in sources:
        if name not in reporters:
            reporters[name] = world.reporter(name, site)
        reporters[name].source(source, reached=0)
    for site, one in births:
        reporter = reporters[f"at-{site}"]
        world.at(one.end, partial(world.report, reporter, one))
        last = max(last, one.end)
    if ends:

        def close() -> None:
            for name, _, source in sources:
                reporters[name].close(source)

        world.at(last + SECOND, close)
    world.run(last + 4 * SECOND)


__all__ = ["FAR", "PARTS", "PERSON", "SECOND", "AskedWorld", "cut_apart", "event", "live", "program"]
