"""Where a detection comes from: down through the parts that it went through to the events, over all sites (002
section 5: "the full structure can be traversed by any observer").

Each site answers from its own audit log; the trail is the thread through them. What one clock said is told by another
as far as they were compared: a delay between sites has an error, and is not known where clocks never were.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from tocsin.errors import TocsinError, UsageError
from tocsin.sites.overview import giver_of
from tocsin.sites.parts import TOLD
from tocsin.sites.surveys import surveyed

Ask: TypeAlias = Callable[[list[Any]], Mapping[str, Any]]
"""Asks all sites something: what those found that answered in time."""
Name: TypeAlias = tuple[str, int]
"""A source, and which of its events."""


class Delay(NamedTuple):
    """How long something was on its way, and how wrong that may be; None where clocks were never compared."""

    time: int | None
    error: int = 0


@dataclass(frozen=True)
class Passage:
    """An output of a stream on its way: given at a site's time, taken at another's; `taken` is None if nobody says."""

    stream: str
    number: int
    giver: str
    given: int
    taker: str
    taken: int | None
    delay: Delay


@dataclass(frozen=True)
class Birth:
    """A primitive event, and where it was born, if any site says so. `staying`: attributes that are kept there."""

    type: str
    source: str
    id: str
    end: int
    number: int
    site: str | None = None
    staying: tuple[str, ...] = ()

    @property
    def name(self) -> Name:
        """What it is known by on its way."""
        return self.source, self.number


@dataclass(frozen=True)
class Way:
    """How something came to a part: the passage, and what it is."""

    passage: Passage | None
    of: Birth | Step


@dataclass(frozen=True)
class Step:
    """A part that passed something on: at which site, when by its clock, and what came to it."""

    part: str
    role: str
    rules: tuple[str, ...]
    site: str
    time: int
    number: int
    detection: Mapping[str, Any] | None
    ways: tuple[Way, ...]
    unheard: tuple[tuple[str, str], ...] = ()
    """The streams that it takes from sites that do not answer, each with its site, if something is missing."""


@dataclass(frozen=True)
class Trail:
    """Where a detection comes from, where it went, and which sites did not answer."""

    detection: Mapping[str, Any]
    step: Step
    told: tuple[Passage, ...]
    also: tuple[str, ...] = ()
    """Other sites where the same was found: replicas, or a part on its way."""
    silent: tuple[str, ...] = ()


def trail_of(identity: str, ask: Ask, hellos: Mapping[str, Mapping[str, Any]]) -> Trail:
    """The trail of a detection, whose id may be shortened. `hellos`: what each site says of itself.

    Sites that have been silent for longer are not among these: the others are asked who they remember.
    """
    if not identity:
        raise UsageError("the id of a detection is empty: say how it begins at least")
    said = surveyed(hellos, ask(["status"])).said
    return _Walk(ask, said).trail(identity)


@dataclass
class _Walk:
    ask: Ask
    hellos: Mapping[str, Mapping[str, Any]]
    births: dict[Name, Birth] = field(default_factory=dict)
    answered: set[str] = field(default_factory=set)

    def asked(self, what: list[Any]) -> Mapping[str, Any]:
        found = self.ask(what)
        self.answered |= found.keys()
        return found

    def trail(self, identity: str) -> Trail:
        found = self.asked(["detection", identity])
        entries = [(site, entry, part) for site, rows in sorted(found.items()) for entry, part in rows]
        ids = sorted({entry[4]["id"] for _, entry, _ in entries})
        if not ids:
            asked, silent = ", ".join(sorted(found)) or "none", ", ".join(self.silent())
            missing = f"; no answer from {silent}: what happened there is not known" if silent else ""
            raise TocsinError(f"no site remembers a detection '{identity}'; asked: {asked}{missing}")
        if len(ids) > 1:
            raise TocsinError(f"several detections begin with '{identity}': {', '.join(ids)}")
        rows = [(site, entry, part) for site, entry, part in entries if part is not None] or entries
        site, entry, part = min(rows, key=lambda row: (self._common(row[0], row[1][0]), row[0]))
        time, _, told, number, one = entry
        self._learn(one["made_of"])
        step = self._step(site, time, number, part, one, [(source, n) for _, source, _, _, n in one["made_of"]], 0)
        takers = self.asked(["took", [[told, number]]])
        passages = [
            self._passage(told, number, site, time, taker, [row])
            for taker, rows in sorted(takers.items())
            for row in rows
            if row[3] in ("", site) or taker != site
        ]
        also = tuple(sorted({where for where, _, _ in entries} - {site}))
        return Trail(one, step, tuple(passages), also, self.silent())

    def silent(self) -> tuple[str, ...]:
        """The sites that have not answered."""
        return tuple(sorted(self.hellos.keys() - self.answered))

    def _common(self, site: str, time: int) -> int:
        """A time as the clock of the first site would tell it, as well as that is known."""
        first = min(self.hellos, default=site)
        known = self.hellos.get(first, {}).get("clocks", {}).get(site)
        return time if known is None or first == site else time - int(known["offset"])

    def _learn(self, made_of: Iterable[Sequence[Any]]) -> None:
        births = [Birth(*row) for row in made_of]
        new = [birth for birth in births if birth.name not in self.births]
        if not new:
            return
        where: dict[tuple[str, str], tuple[str, tuple[str, ...]]] = {}
        for site, rows in self.asked(["born", [[one.source, one.id] for one in new]]).items():
            for source, identity, staying in rows:
                where[source, identity] = site, tuple(staying)
        for one in new:
            born = where.get((one.source, one.id), (None, ()))
            self.births[one.name] = Birth(one.type, one.source, one.id, one.end, one.number, *born)

    def _step(
        self, site: str, time: int, number: int, part: Mapping[str, Any] | None, one: Any, names: list[Name], depth: int
    ) -> Step:
        """A part, and what came to it of these events."""
        if part is None:  # nobody knows any more what it took
            unknown = tuple(Way(None, self.births[name]) for name in names)
            return Step("?", "?", (), site, time, number, one, unknown)
        inputs = list(part["inputs"])
        gave = self.asked(["gave", inputs, [[*self._identity(name), name[1]] for name in names]])
        rows = [(giver, row) for giver, answer in sorted(gave.items()) for row in answer["gave"] if row[0] in inputs]
        parts = {key: known for answer in gave.values() for key, known in answer["parts"].items()}
        took = self.asked(["took", sorted([[stream, n] for stream, n in {(row[0], row[1]) for _, row in rows}])])
        ways: list[Way] = []
        seen: set[tuple[str, int]] = set()
        for giver, row in sorted(rows, key=lambda each: (each[1][2], each[1][0], each[0])):
            stream, output, given, ours, *composite = row
            takings = [each for each in took.get(site, ()) if each[:2] == [stream, output]]
            if takings and takings[0][3] not in ("", giver) and any(r[:2] == row[:2] and g != giver for g, r in rows):
                continue  # the same was given by another site, from which it was taken
            if (stream, output) in seen:
                continue
            seen.add((stream, output))
            others = [(at, r) for at, answer in took.items() for r in answer if r[:2] == [stream, output]]
            passage = self._passage(stream, output, giver, given, site, takings, others)
            of = [(source, n) for source, n in ours]
            if stream not in parts:  # a filter: the event as it was born there
                ways += [Way(passage, self._born_at(name, giver)) for name in of if name in names]
            elif depth < len(self.hellos) + 32:
                inner = composite[0] if composite else None
                ways.append(Way(passage, self._step(giver, given, output, parts[stream], inner, of, depth + 1)))
        missing = set(names) - {name for way in ways for name in _names(way.of)}
        ways += [Way(None, self.births[name]) for name in names if name in missing]
        givers = {stream: giver_of(self.hellos, stream) for stream in inputs} if missing else {}
        unheard = tuple((stream, at) for stream, at in sorted(givers.items()) if at in self.silent())
        return Step(part["part"], part["role"], tuple(part["rules"]), site, time, number, one, tuple(ways), unheard)

    def _identity(self, name: Name) -> tuple[str, str]:
        return name[0], self.births[name].id if name in self.births else ""

    def _born_at(self, name: Name, site: str) -> Birth:
        known = self.births[name]
        if known.site is None:
            known = Birth(known.type, known.source, known.id, known.end, known.number, site, known.staying)
        return known

    def _passage(
        self,
        stream: str,
        number: int,
        giver: str,
        given: int,
        taker: str,
        takings: Sequence[Sequence[Any]],
        others: Sequence[tuple[str, Sequence[Any]]] = (),
    ) -> Passage:
        if giver == taker and not takings:
            return Passage(stream, number, giver, given, taker, given, Delay(0))
        if not takings and others:  # it was taken where the part was then
            taker, row = others[0]
            takings = [row]
        taken = takings[0][2] if takings else None
        return Passage(stream, number, giver, given, taker, taken, self._delay(giver, given, taker, taken))

    def _delay(self, giver: str, given: int, taker: str, taken: int | None) -> Delay:
        if taken is None:
            return Delay(None)
        known = self.hellos.get(taker, {}).get("clocks", {}).get(giver)
        if known is not None:
            return Delay(taken - given + int(known["offset"]), int(known["error"]))
        back = self.hellos.get(giver, {}).get("clocks", {}).get(taker)
        return Delay(None) if back is None else Delay(taken - given - int(back["offset"]), int(back["error"]))


def _names(of: Birth | Step) -> set[Name]:
    if isinstance(of, Birth):
        return {of.name}
    return {name for way in of.ways for name in _names(way.of)}


def steps_of(step: Step) -> Iterable[Step]:
    """A part, and those below it."""
    yield step
    for way in step.ways:
        if isinstance(way.of, Step):
            yield from steps_of(way.of)


def told_stream(step: Step) -> str:
    """What a part tells whoever is told of its detections."""
    return step.part + TOLD
