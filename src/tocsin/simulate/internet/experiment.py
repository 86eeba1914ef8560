"""`tocsin simulate internet`: a million subscriptions planned; beside it as they come, central, and without sharing."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from tocsin.draw.plot import Series, draw_lines
from tocsin.simulate.internet.instances import Instance, instance
from tocsin.simulate.internet.loads import Loads
from tocsin.simulate.reports import Report, Say, Table, quantile, rounded
from tocsin.sites.placement.demands import Demand, Placement
from tocsin.sites.placement.policies import NEAR_SOURCES, Planner
from tocsin.sites.placement.together import Together, Wanted, middle, planned_together

SITES: Final = 10_000
TYPES: Final = 2_000
RULES: Final = 50_000
SUBSCRIPTIONS: Final = 1_000_000
ALONE: Final = 4_000
"""Of so many subscriptions it is worked out what each would cost by itself; of all that is reckoned from these."""
DELAYS: Final = 20_000
HELLO: Final = 1_000.0
"""Bytes of a sign of life, about; five a second from each site to each, as sites do if nothing else is said."""
HELLOS: Final = 5.0
FURTHER: Final = 100
MESSAGES: Final = 80_000.0
"""Messages a CPU second that a site takes in, and ..."""
EVENTS: Final = 300_000.0
"""... events, many in a message: about what `tocsin bench sites` measures, the engine compiled."""
LINK: Final = 1.25e9
"""Bytes a second: 10 Gbit/s."""
SHARED, AS_THEY_COME, CENTRAL, UNSHARED = "shared", "as they come", "central", "not shared"


@dataclass
class Outcome:
    """What one way costs."""

    way: str
    cost: float
    detectors: int
    link: float
    """Bytes a second over the busiest link."""
    site: float
    """Events a second at the busiest site."""
    delays: list[float]
    """Milliseconds over the network from where an event is born until a subscriber is told, in a sample."""


def internet(seed: int = 1, scale: float = 1.0, say: Say = lambda text: None) -> Report:
    """A network whose sites, rules and subscriptions are as many as the scale says."""
    sites, types, rules, count = (max(20, round(each * scale)) for each in (SITES, TYPES, RULES, SUBSCRIPTIONS))
    say(f"{sites:,} sites, {rules:,} rules, {count:,} subscriptions are made up")
    made = instance(seed, sites, types, rules, count)
    planner = Planner(made.topology, NEAR_SOURCES)
    reused = _planned(made, planner, say)
    together = _together(made, say)
    outcomes = [_shared(SHARED, made, together.placements), _shared(AS_THEY_COME, made, planner.rules)]
    outcomes += [_central(made), _unshared(made, count)]
    say("flows summed up")
    record = {
        "simulation": "internet",
        "seed": seed,
        "sites": sites,
        "types": types,
        "rules": rules,
        "subscriptions": count,
        "reused": [{"subscriptions": at, "detectors": detectors} for at, detectors in reused],
        "ways": [_record(each) for each in outcomes],
        "limits": [_limit_record(each) for each in _limits(outcomes, sites)],
        "signs_of_life": {"messages_each": HELLOS * (sites - 1), "bytes_each": HELLOS * (sites - 1) * HELLO},
    }
    title = f"{sites:,} sites, {rules:,} rules over {types:,} types, {count:,} subscriptions, seed {seed}"
    tables = [_table(outcomes), _limits_table(outcomes, sites)]
    return Report(title, record, tables, _remarks(outcomes, reused), _pictures(reused))


def _planned(made: Instance, planner: Planner, say: Say) -> list[tuple[int, int]]:
    """Places all of them; how many detectors there are after how many subscriptions."""
    marks = {max(1, len(made.wanted) * share // 1000) for share in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)}
    found: list[tuple[int, int]] = []
    begun = time.process_time()
    for number, (demand, sink) in enumerate(made.wanted, 1):
        planner.place(demand, sink)
        if number in marks:
            found.append((number, _detectors(planner)))
            say(f"{number:,} subscriptions planned in {time.process_time() - begun:.1f} CPU seconds")
    return found


def _detectors(planner: Planner) -> int:
    return len(planner.rules) + len(planner.running)


def _wanted_once(made: Instance) -> dict[tuple[str, str], Demand]:
    """Who wants what: twice at one site is once."""
    return {(demand.name, sink): demand for demand, sink in made.wanted}


def _wanted(made: Instance) -> list[Wanted]:
    """Each rule once, with the sites where it is wanted."""
    sinks: dict[str, list[str]] = {}
    by_name: dict[str, Demand] = {}
    for (name, sink), demand in _wanted_once(made).items():
        by_name[name] = demand
        sinks.setdefault(name, []).append(sink)
    return [Wanted(demand, tuple(sinks[name])) for name, demand in by_name.items()]


def _together(made: Instance, say: Say) -> Together:
    """All of them planned together, as is done from time to time."""
    begun = time.process_time()
    found = planned_together(_wanted(made), made.topology)
    say(f"{len(found.placements):,} rules planned together in {time.process_time() - begun:.1f} CPU seconds")
    return found


def _shared(way: str, made: Instance, placements: Mapping[str, Placement]) -> Outcome:
    tree = made.topology.tree
    assert tree is not None
    loads = Loads(tree)
    by_name = {demand.name: demand for demand in made.rules}
    for name, placement in placements.items():
        loads.place(by_name[name], placement)
    for (name, sink), demand in _wanted_once(made).items():
        loads.carry(f"{name}!", placements[name].at, sink, demand.told)
    detectors = len(placements) + len({piece.name for each in placements.values() for piece, _ in each.pieces})
    delays = [_delay(made, demand, placements[demand.name], sink) for demand, sink in made.wanted[-DELAYS:]]
    return Outcome(way, loads.cost, detectors, loads.busiest_link()[1], loads.busiest_site()[1], delays)


def _central(made: Instance) -> Outcome:
    """Everything goes to one site, once, and each rule runs there: the site to which all goes for least."""
    wanted = _wanted(made)
    centre = middle(wanted, made.topology)
    return _shared(CENTRAL, made, {each.demand.name: Placement(centre, (), 0.0) for each in wanted})


def _unshared(made: Instance, count: int) -> Outcome:
    """Each subscription as if it were the only one: reckoned from some of them."""
    tree = made.topology.tree
    assert tree is not None
    loads = Loads(tree)
    some = made.wanted[:: max(1, count // ALONE)]
    detectors = 0
    delays = []
    for demand, sink in some:
        planner = Planner(made.topology, NEAR_SOURCES)
        placement = planner.place(demand, sink)
        detectors += _detectors(planner)
        loads.place(demand, placement, is_shared=False)
        loads.carry(demand.name, placement.at, sink, demand.told, is_shared=False)
        delays.append(_delay(made, demand, placement, sink))
    more = count / len(some)
    link, site = loads.busiest_link()[1] * more, loads.busiest_site()[1] * more
    return Outcome(UNSHARED, loads.cost * more, round(detectors * more), link, site, delays)


def _delay(made: Instance, demand: Demand, placement: Placement, sink: str) -> float:
    """From the birthplace that is furthest away, by the parts on the way, to the subscriber."""
    delay = made.topology.delay
    sites = {piece.types: site for piece, site in placement.pieces}
    longest = 0.0
    for kind, streams in enumerate(demand.streams):
        way = [sites[types] for types in sorted(sites, key=int.bit_count) if types >> kind & 1]
        stops = [*way, placement.at, sink]
        for stream in streams:
            one, total = stream.site, 0.0
            for stop in stops:
                total += delay(one, stop)
                one = stop
            longest = max(longest, total)
    return longest / 1000


def _record(one: Outcome) -> dict[str, Any]:
    return {
        "way": one.way,
        "cost": rounded(one.cost, 0),
        "detectors": one.detectors,
        "busiest_link": rounded(one.link, 0),
        "busiest_site": rounded(one.site, 1),
        "delay_ms": {"p50": rounded(quantile(one.delays, 0.5), 1), "p99": rounded(quantile(one.delays, 0.99), 1)},
    }


def _table(outcomes: list[Outcome]) -> Table:
    shared = outcomes[0]
    rows = []
    for each in outcomes:
        delays = [f"{quantile(each.delays, share) or 0.0:,.0f}" for share in (0.5, 0.99)]
        figures = [f"{each.cost:,.0f}", f"{each.cost / shared.cost:.2f}", f"{each.detectors:,}", f"{each.link:,.0f}"]
        rows.append([each.way, *figures, f"{each.site:,.0f}", *delays])
    names = ["way", "bytes x cost a second", "times shared", "detectors", "busiest link, bytes/s"]
    return Table("planned by near-sources", [*names, "busiest site, events/s", "p50 ms", "p99 ms"], rows)


@dataclass(frozen=True)
class Limit:
    """Something that there can be too much of."""

    what: str
    here: float
    bearable: float
    why: str

    @property
    def times(self) -> float:
        """How many times as large the whole may be until it is too much."""
        return self.bearable / self.here if self.here else float("inf")


def _limits(outcomes: list[Outcome], sites: int) -> list[Limit]:
    """What grows with the number of sites and subscriptions, what breaks first before the rest."""
    shared = outcomes[0]
    found = [
        Limit("signs of life heard by each site, messages/s", HELLOS * (sites - 1), MESSAGES, "a core, by bench sites"),
        Limit("busiest link, bytes/s", shared.link, LINK, "10 Gbit/s"),
        Limit("busiest site, events/s", shared.site, EVENTS, "a core, by bench sites"),
    ]
    return sorted(found, key=lambda each: (each.times, each.what))


def _limits_table(outcomes: list[Outcome], sites: int) -> Table:
    rows = [
        [each.what, f"{each.here:,.0f}", f"{each.here * FURTHER:,.0f}", f"{each.bearable:,.0f}", each.why,
         f"{each.times:,.2f}"]
        for each in _limits(outcomes, sites)
    ]  # fmt: skip
    names = ["what", "here", f"at {FURTHER} times", "can be borne", "that is", "breaks at times"]
    return Table(f"what breaks first, on paper, at {FURTHER} times as many sites, rules and subscriptions", names, rows)


def _limit_record(one: Limit) -> dict[str, Any]:
    return {
        "what": one.what,
        "here": rounded(one.here, 1),
        "further": rounded(one.here * FURTHER, 1),
        "bearable": one.bearable,
        "breaks_at_times": rounded(one.times, 4),
    }


def _remarks(outcomes: list[Outcome], reused: list[tuple[int, int]]) -> list[str]:
    shared, come, central, _ = outcomes
    subscriptions, detectors = (reused[-1][place] - reused[-2][place] for place in (0, 1))
    return [
        f"the last {subscriptions:,} subscriptions, as they came, needed {detectors:,} new detectors",
        f"'{come.way}' places each beside what runs, once; '{shared.way}' plans all together, from the better of that"
        f" and of all at one site: it costs {shared.cost / come.cost:.2f} of the former and"
        f" {shared.cost / central.cost:.4f} of central detection, than which it never costs more",
        f"fewest bytes are not the least load: the busiest site has {shared.site:,.0f} events a second to evaluate,"
        f" as they come {come.site:,.0f}. `balanced` looks at loads",
        f"signs of life have to be told in groups, or less often: five a second from each to each, {HELLO:,.0f} bytes",
        f"the planner goes through the rules one after the other: {FURTHER} times as many take {FURTHER} times as long",
        "'not shared' is reckoned from a sample; planning times are told on standard error, since they differ",
    ]


def _pictures(reused: list[tuple[int, int]]) -> dict[str, str]:
    lines = [
        Series("rules and joins that run", [(float(at), float(count)) for at, count in reused]),
        Series("one for each subscription", [(float(at), float(at)) for at, _ in reused], is_dashed=True),
    ]
    title, subtitle = "Detectors by subscriptions", "who subscribes to what runs already is told from there"
    drawn = draw_lines(title, subtitle, "subscriptions", "detectors", lines, log_x=True)
    return {"internet-detectors.svg": drawn}
