"""Both solutions of 001 section 7.1 in one building, on the real site code: what goes over which network, and when.

primitive    every subscriber's device takes the events themselves, and detects: filters at the servers (JMS has them
             too), and the whole rule on the device
distributed  a detector on a server, where `near-sources` puts it by the rates measured before (devices host none);
             further subscribers use the one that runs, and are told what it detects

Two servers, joined by wire, as in Fig. 7: one for the bats, doors, whiteboards and the climate, one for the desks. Each
sensor reports over the wire; each device is behind a wireless link. All messages have the same encoding, and
the same filters are at work in both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from tocsin.algebra.rules import Order, Program
from tocsin.events import Detection, Event
from tocsin.planner.siftings import Sifting, siftings
from tocsin.rules.loader import load_expression
from tocsin.runtime.logs import detections
from tocsin.simulate.filters import filtered
from tocsin.simulate.networks import Carried, Hop, Line, Network
from tocsin.simulate.office.people import MEETING_ROOMS, MINUTE, SENSORS, Building
from tocsin.simulate.office.subscriptions import subscription
from tocsin.simulate.worlds import SECOND, Told, World
from tocsin.sites.deployment import Deployment, Directory
from tocsin.sites.links import Pace
from tocsin.sites.parts import TOLD
from tocsin.sites.placement.changes import carry_out, changes
from tocsin.sites.placement.plans import plan
from tocsin.sites.placement.policies import CENTRAL, NEAR_SOURCES, Hints
from tocsin.sites.placement.rates import heard
from tocsin.sites.placement.topologies import Link, Topology

PRIMITIVE, DISTRIBUTED = "primitive", "distributed"
SENSOR_SERVER, DESK_SERVER = "sensors", "desks"
SERVERS_OF: Final = {sensor: DESK_SERVER if sensor == "logins" else SENSOR_SERVER for sensor in SENSORS}
WIRED: Final = Line(delay=400, jitter=400, bandwidth=12_500_000)
WIRELESS: Final = Line(delay=3_000, jitter=12_000, bandwidth=625_000)
"""100 Mbit/s; and what is left of the 11 Mbit/s of a wireless network of 2003, with what a shared channel takes."""
PACE: Final = Pace(beat=5 * MINUTE, patience=2 * SECOND, silence=15 * MINUTE)
"""Signs of life every five minutes: on such links nobody would send more."""
SETTLING: Final = 2 * MINUTE
"""Rates are measured for so long, then the rule is subscribed to; what is sent counts after as long again."""
FROM_DEVICE: Final = "pda"


@dataclass
class Outcome:
    """What one solution cost, and what it detected."""

    solution: str
    subscribers: int
    wired: Carried
    wireless: Carried
    told: list[list[Told]]
    """By subscriber."""
    expected: list[Detection]
    """What one engine detects that sees everything."""
    events: int
    messages: int
    """All that were sent, from the beginning."""
    delivered: int
    on_the_way: int
    deployment: Deployment
    delays: list[float] = field(default_factory=list)
    """Of every notification, in milliseconds: from when it happened until the subscriber was told."""


@dataclass(frozen=True)
class Setting:
    """Who subscribes to what, for how long."""

    subscribers: int
    scenario: int = 2
    minutes: int = 120
    seed: int = 1


class Office:
    """The building with its servers, sensors and devices."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.devices = [f"{FROM_DEVICE}{number}" for number in range(1, setting.subscribers + 1)]
        names = [SENSOR_SERVER, DESK_SERVER, *self.devices]
        lines = {
            (one, other): WIRELESS if is_wireless((one, other)) else WIRED
            for one in (*names, *SENSORS)
            for other in (*names, *SENSORS)
            if one != other
        }
        self.network = Network(lines, lambda one, other: ((one, other),), f"office/{setting.seed}")
        self.world = World(names, self.network, PACE, is_synchronised=True)
        for sensor, types in SENSORS.items():
            reporter = self.world.reporter(sensor, SERVERS_OF[sensor])
            reporter.source(sensor, types, is_stamped=True, reached=0)
            self.world.announce(sensor)

    def live(self) -> None:
        """Lets the sensors report, from a minute on."""
        building = Building(self.setting.seed)
        minutes = self.setting.minutes + 2 * SETTLING // MINUTE
        for number, sensed in enumerate(building.life(minutes)):
            at = MINUTE + sensed.at
            event = Event(sensed.type, at, at, str(number), sensed.sensor, sensed.data)
            self.world.at(at, self._reported, event)

    def _reported(self, event: Event) -> None:
        self.world.reporters[event.source].report_now(event)
        self.world.announce(event.source)

    @property
    def directory(self) -> Directory:
        """Which sources are where."""
        return {
            site: {sensor: SENSORS[sensor] for sensor, server in SERVERS_OF.items() if server == site}
            for site in self.world.machines
        }

    @property
    def topology(self) -> Topology:
        """The servers, joined by wire; each device behind a wireless link, a byte over which is dear."""
        wired = Link(SENSOR_SERVER, DESK_SERVER, 1.0, WIRED.delay)
        return Topology((), (wired, *(Link(SENSOR_SERVER, device, 20.0, WIRELESS.delay) for device in self.devices)))


def is_wireless(hop: Hop) -> bool:
    """Whether a line goes to a device, or comes from one."""
    return any(end.startswith(FROM_DEVICE) for end in hop)


def outcome(solution: str, setting: Setting) -> Outcome:
    """One solution, in a building that is the same for the same seed."""
    office = Office(setting)
    world, program = office.world, subscription(setting.scenario)
    office.live()
    world.run(SETTLING)
    subscribed = world.now
    deployment = _subscribed(solution, office, program)
    world.run(subscribed + SETTLING)
    world.count_anew()
    end = subscribed + SETTLING + setting.minutes * MINUTE
    world.run(end)
    counted = {True: office.network.all(is_wireless), False: office.network.all(lambda hop: not is_wireless(hop))}
    world.run(end + MINUTE)  # what is on its way gets there
    told = [[each for each in world.told(device) if each.detection.time_us <= end] for device in office.devices]
    found = Outcome(
        solution,
        setting.subscribers,
        counted[False],
        counted[True],
        told,
        _expected(program, world.born(), _begin_of(world, deployment), end),
        len(world.born()),
        world.messages,
        office.network.delivered,
        world.on_the_way,
        deployment,
    )
    found.delays = sorted((each.at - each.detection.time_us) / 1000 for some in told for each in some)
    return found


def _subscribed(solution: str, office: Office, program: Program) -> Deployment:
    """Every subscriber subscribes, one after the other."""
    world, running, first = office.world, None, None
    rates = heard({name: machine.site.described() for name, machine in world.machines.items()})
    sifted = _sifted(office.setting.scenario, program)
    for device in office.devices:
        if solution == PRIMITIVE:
            planned = plan(program, office.directory, device, policy=CENTRAL)
            made = filtered(planned.deployment, sifted)
            some = changes(None, made)
        else:
            planned = plan(
                program,
                office.directory,
                device,
                policy=NEAR_SOURCES,
                rates=rates,
                topology=office.topology,
                running=first,
                hints=Hints(sites=frozenset((SENSOR_SERVER, DESK_SERVER))),
            )
            made = filtered(planned.deployment, sifted)
            some = changes(running, made)
            first = first or planned.deployment
        running = running or made
        world.do(device, partial(carry_out, some=some))
        world.run(world.now + SECOND)
    assert running is not None
    return running


def _sifted(scenario: int, program: Program) -> dict[str, Sifting]:
    """What the servers filter: what JMS would be given."""
    if scenario == 2:
        rooms = " or ".join(f"x.room = '{room}'" for room in MEETING_ROOMS)
        tests = [("Pers", load_expression("x:Pers", "sel", rooms, name="in a meeting room"))]
        tests += [("Login", load_expression("x:Login", "sel", "x.person = 'Jean'", name="Jean"))]
        return {kind: Sifting(test) for kind, test in tests}
    return dict(siftings(program, {rule.name for rule in program.rules}))


def _begin_of(world: World, deployment: Deployment) -> int:
    """From when on the first detector counted events."""
    keys = {stream.removesuffix(TOLD) for stream in deployment.told.values()}
    hosts = [host for machine in world.machines.values() for key, host in machine.site.hosts.items() if key in keys]
    return max(host.since or 0 for host in hosts)


def _expected(program: Program, born: Sequence[Event], since: int, end: int) -> list[Detection]:
    """What one engine finds, from then on."""
    later = [event for event in born if event.end > since]
    return [one for one in detections(program, later, order=Order("guaranteed")) if one.time_us <= end]
