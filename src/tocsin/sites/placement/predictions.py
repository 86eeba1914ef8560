"""Messages and bytes a second that a plan will cost, link by link; and beside it what was measured after.

What counts is what streams cause: their outputs, the reports that answer them, and the questions how far a stream has
got. Signs of life are the same whatever the plan is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias

from tocsin.sites.deployment import Deployment, Placed
from tocsin.sites.outboxes import HEARTBEATS, TOKENS
from tocsin.sites.parts import TOLD, Part, Role
from tocsin.sites.placement.demands import ANSWER, BEATS, PATIENCE, QUESTION, TOKEN
from tocsin.sites.placement.estimates import given_out, told
from tocsin.sites.placement.least_delay import HANDLING
from tocsin.sites.placement.rates import NOTHING, Flow, Rates
from tocsin.sites.placement.shares import part_of_it, whole
from tocsin.sites.placement.topologies import Topology

ENVELOPE: Final = 75.0
"""Bytes of a message around its outputs."""
REPORT: Final = 73.0
"""... of the report that answers it."""

Pair: TypeAlias = tuple[str, str]


class Carried(NamedTuple):
    """Messages and bytes a second in one direction."""

    messages: float
    bytes: float

    def plus(self, messages: float, size: float) -> Carried:
        """More of it."""
        return Carried(self.messages + messages, self.bytes + size)


NONE: Final = Carried(0.0, 0.0)


@dataclass(frozen=True)
class Prediction:
    """What a deployment costs."""

    streams: Mapping[str, Flow]
    """What each part gives out: by stream."""
    pairs: Mapping[Pair, Carried]
    """From site to site, whatever the way between them is."""
    links: Mapping[Pair, Carried]
    """Over each link, in its direction."""
    loads: Mapping[str, float]
    """Events a second that parts take in, by site."""
    delays: Mapping[str, float]
    """By rule: microseconds until the sink is told, at best."""
    cost: float
    """Bytes a second, each times what it costs on the links it goes over."""
    full: tuple[str, ...] = ()
    """Links that are to carry more than fits, as sentences."""

    @property
    def total(self) -> Carried:
        """All that sites send to each other."""
        return total_of(self.pairs.values())


def total_of(some: Iterable[Carried]) -> Carried:
    """All of it together."""
    found = NONE
    for each in some:
        found = found.plus(*each)
    return found


def predicted(deployment: Deployment, rates: Rates, topology: Topology) -> Prediction:
    """What a deployment will cost, if rates stay as they are."""
    return _Predictor(deployment, rates, topology).prediction()


@dataclass
class _Predictor:
    deployment: Deployment
    rates: Rates
    topology: Topology
    pairs: dict[Pair, Carried] = field(default_factory=dict)
    asked: dict[str, float] = field(default_factory=dict)
    """By part: how often a second somebody needs to know how far it has got."""
    sent: set[tuple[str, str]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.by_key: dict[str, Placed] = {each.part.key: each for each in self.deployment.placed}
        self.streams = {key: self.given(each.part) for key, each in self.by_key.items()}
        for stream in self.deployment.told.values():
            self.streams[stream] = self.streams[stream.removesuffix(TOLD)]

    def given(self, part: Part) -> Flow:
        """What a part gives out: measured, or estimated."""
        measured = self.rates.given(part.key + TOLD if part.role is Role.RULE else part.key)
        if measured is not None:
            return measured
        if part.role is Role.FILTER:
            return part_of_it(part, self.rates.born(part.birthplace, part.type))
        flows = self.born(part)
        if part.role is Role.RULE:
            return told(next(rule for rule in part.rules if not rule.hidden), flows)
        return part_of_it(part, given_out(part.program, part.blockers, part.makes, flows))

    def born(self, part: Part) -> dict[str, Flow]:
        """All that is born of what a part looks at, by type, whatever parts are in between."""
        flows: dict[str, Flow] = {}
        for stream in part.inputs:
            source = self.by_key[stream].part
            if source.role is Role.FILTER:
                measured = self.rates.given(source.key)
                flow = self.rates.born(source.birthplace, source.type) if measured is None else whole(source, measured)
                flows[source.type] = flows.get(source.type, NOTHING).plus(flow)
            else:
                flows |= self.born(source)
        return flows

    def is_clocked(self, key: str) -> bool:
        """Whether it is known at once how far a stream has got."""
        part = self.by_key[key].part
        if part.role is Role.FILTER:
            return self.rates.is_clocked(part.birthplace, part.type)
        return all(self.is_clocked(stream) for stream in part.inputs)

    def prediction(self) -> Prediction:
        for stream in self.deployment.told.values():
            self.carry(stream, self.deployment.sink, 0.0)
        loads: dict[str, float] = {}
        for part, site in reversed(self.deployment.placed):  # whoever takes comes before what is taken
            if part.role is Role.FILTER:
                continue
            coming = sum(self.streams[stream].events for stream in part.inputs)
            loads[site] = loads.get(site, 0.0) + coming
            pause = max((self.way_and_back(stream, site) for stream in part.inputs), default=0.0)
            for stream in part.inputs:
                # What comes until all have answered is asked about together.
                questions = (coming - self.streams[stream].events) / (1 + coming * pause)
                self.carry(stream, site, questions + self.asked.get(part.key, 0.0))
        return self.summed(loads)

    def carry(self, stream: str, to: str, questions: float) -> None:
        """A stream goes to a site, where it is asked so often how far it has got."""
        key = stream.removesuffix(TOLD)
        self.asked[key] = self.asked.get(key, 0.0) + questions
        site = self.by_key[key].site
        if site == to:
            return
        clocked = self.is_clocked(key)
        back = self.way_and_back(stream, to)  # nobody asks again before the answer is there
        questions = min(questions, PATIENCE if not clocked else 1 / back if back else questions)
        asked, answered = QUESTION, ANSWER
        if self.deployment.way == TOKENS:
            answers, asked, answered = questions, TOKEN, TOKEN
        elif not clocked:  # the answer comes with the next output
            answers = 0.0
        elif self.deployment.way == HEARTBEATS:
            answers, questions = max(0.0, BEATS - self.streams[stream].events), 0.0
        else:
            answers = questions
        self.add((site, to), answers, answers * answered)
        self.add((to, site), questions, questions * asked)
        if (stream, to) not in self.sent:  # it comes to a site once, whoever takes it there
            self.sent.add((stream, to))
            events, size = self.streams[stream]
            self.add((site, to), events, size + events * ENVELOPE)
            self.add((to, site), events, events * REPORT)

    def way_and_back(self, stream: str, to: str) -> float:
        """Seconds from a question about a stream to its answer."""
        return 2 * self.topology.delay(self.by_key[stream.removesuffix(TOLD)].site, to) / 1e6

    def add(self, pair: Pair, messages: float, size: float) -> None:
        self.pairs[pair] = self.pairs.get(pair, NONE).plus(messages, size)

    def summed(self, loads: Mapping[str, float]) -> Prediction:
        links: dict[Pair, Carried] = {}
        for (one, other), carried in self.pairs.items():
            for link in self.topology.route(one, other):
                links[link] = links.get(link, NONE).plus(*carried)
        cost = sum(carried.bytes * self.topology.cost(*pair) for pair, carried in self.pairs.items())
        delays = {rule: self.delay(stream) for rule, stream in self.deployment.told.items()}
        return Prediction(
            self.streams,
            dict(sorted(self.pairs.items())),
            dict(sorted(links.items())),
            dict(sorted(loads.items())),
            delays,
            cost,
            tuple(self.too_full(links)),
        )

    def delay(self, stream: str) -> float:
        """How long it takes at best from an event to the sink that is told."""
        part, site = self.by_key[stream.removesuffix(TOLD)]
        return self.lag(part, site) + self.topology.delay(site, self.deployment.sink)

    def lag(self, part: Part, at: str) -> float:
        """How long it takes until what a part makes of an event is known where the part runs."""
        if part.role is Role.FILTER:
            return 0.0
        sources = [self.by_key[stream] for stream in part.inputs]
        longest = max(
            (self.lag(each.part, each.site) + self.topology.delay(each.site, at) for each in sources), default=0.0
        )
        return longest + HANDLING

    def too_full(self, links: Mapping[Pair, Carried]) -> Iterable[str]:
        for (one, other), carried in sorted(links.items()):
            most = self.topology.narrow.get((one, other))
            if most is not None and carried.bytes > most:
                way = f"the link from {one} to {other}"
                yield f"{way} is to carry {carried.bytes:.0f} bytes a second, and {most:.0f} fit"


# -- as text and JSON ------------------------------------------------------------------------------------------------


def prediction_record(one: Prediction) -> dict[str, Any]:
    """A prediction as plain JSON values."""
    return {
        "links": [_carried_record(pair, carried) for pair, carried in one.links.items()],
        "pairs": [_carried_record(pair, carried) for pair, carried in one.pairs.items()],
        "total": {"messages": round(one.total.messages, 3), "bytes": round(one.total.bytes, 1)},
        "cost": round(one.cost, 1),
        "loads": {site: round(load, 3) for site, load in one.loads.items()},
        "delays_ms": {rule: round(delay / 1000, 3) for rule, delay in one.delays.items()},
        "full": list(one.full),
    }


def _carried_record(pair: Pair, carried: Carried) -> dict[str, Any]:
    one, other = pair
    return {"from": one, "to": other, "messages": round(carried.messages, 3), "bytes": round(carried.bytes, 1)}
