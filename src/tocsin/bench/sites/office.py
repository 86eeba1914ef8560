"""`office-nats`, `office-mqtt`: the Active Office of 001 (section 7.1) for real, and how late its detections are told.

The people of `tocsin simulate office` live so many times faster, and with them the times in its two rules. Five sensors
report over the broker to two sites, in processes of their own; six subscribers ask for both rules, each at a connection
of its own. Events are stamped by the clocks of the sites, and evaluation is guaranteed by requests. What is measured
is how long after a detection was due every subscriber is told: after the publication of its last event, and for
scenario 2 after the five minutes in which Jean has not logged in. The yardstick is one engine over the events
as they were born, which a seventh subscriber is told of.
"""

from __future__ import annotations

import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Final

from tocsin.algebra.rules import Order, Program
from tocsin.bench.brokers.servers import Broker, Mosquitto, Nats
from tocsin.bench.columns import is_compiled
from tocsin.bench.records import Record, Target
from tocsin.bench.sites.wires import PATIENCE, started
from tocsin.events import Detection, Event
from tocsin.rules.loader import load_expression
from tocsin.rules.programs import rules_program
from tocsin.runtime.logs import detections
from tocsin.simulate.office.people import MINUTE, SENSORS, Building, Sensed
from tocsin.simulate.office.subscriptions import subscription
from tocsin.sites.connection import Connection, connect

FASTER: Final = 240
"""How much faster than in life: a minute takes a quarter of a second."""
MINUTES: Final = 480
"""A working day: two minutes for real."""
SUBSCRIBERS: Final = 6
LATEST: Final = 25.0
"""Milliseconds: the p99 that is aimed at; the most in 001 is 220."""
SERVERS: Final = {sensor: "desks" if sensor == "logins" else "sensors" for sensor in SENSORS}
_ENDING: Final = 30.0
"""Seconds that are waited at most for what is still to be told."""


class Heard:
    """What subscribers are told, and when."""

    def __init__(self) -> None:
        self.told: list[list[tuple[float, Detection]]] = []
        self.born: dict[str, Detection] = {}
        """By id: events as they were born, each as a detection of its own."""

    def subscriber(self) -> Callable[[Detection], None]:
        """One more subscriber."""
        mine: list[tuple[float, Detection]] = []
        self.told.append(mine)
        return lambda found: mine.append((time.monotonic(), found))

    def birth(self, found: Detection) -> None:
        """An event was born."""
        self.born[found.events[0]] = found


def office(name: str, kind: Callable[[Path], Broker], scale: float) -> Iterator[Record]:
    """A working day of the office, over a broker."""
    used = time.process_time()
    program = rules_program(rule for number in (1, 2) for rule in subscription(number, FASTER).rules)
    heard, sent = Heard(), dict[str, tuple[float, Sensed]]()
    with ExitStack() as stack:
        url, _ = started(stack, kind, "sensors", "desks")
        sensors = {
            sensor: stack.enter_context(connect(url, name=sensor, site=site)) for sensor, site in SERVERS.items()
        }
        for sensor, types in SENSORS.items():
            for each in types:
                sensors[sensor].register(each)
        _subscribe(stack, url, program, heard)
        _live(sensors, max(20, round(MINUTES * scale)), sent)
        _until(lambda: len(heard.born) == len(sent))
        expected = Counter(each.events for each in _expected(program, heard, sent))
        _until(lambda: all(len(mine) >= expected.total() for mine in heard.told))
    agrees = all(Counter(found.events for _, found in mine) == expected for mine in heard.told)
    late = sorted(1e3 * (at - _due(found, sent)) for mine in heard.told for at, found in mine)
    details = {"median_ms": statistics.median(late), "most_ms": late[-1], "notifications": float(len(late))}
    yield Record(
        name,
        len(sent),
        sum(expected.values()),
        0,
        time.process_time() - used,
        late[len(late) * 99 // 100],
        "ms until told, p99",
        Target(LATEST, at_most=True),
        agrees and len(heard.born) == len(sent) and bool(expected),
        is_compiled(),
        details,
    )


def _subscribe(stack: ExitStack, url: str, program: Program, heard: Heard) -> None:
    """Six who ask for both rules, and one who asks for everything that is born."""
    asked = [
        stack.enter_context(
            stack.enter_context(connect(url, name=f"device{number}")).subscribe(program, heard.subscriber())
        )
        for number in range(SUBSCRIBERS)
    ]
    kinds = sorted(each for types in SENSORS.values() for each in types)
    births = rules_program(
        rule for each in kinds for rule in load_expression(f"x:{each}", "sel", name=f"a {each}").rules
    )
    everything = stack.enter_context(connect(url, name="witness"))
    asked.append(stack.enter_context(everything.subscribe(births, heard.birth)))
    if not all(each.ready(PATIENCE) for each in asked):
        raise TimeoutError("the detectors of the office do not begin")


def _live(sensors: dict[str, Connection], minutes: int, sent: dict[str, tuple[float, Sensed]]) -> None:
    """Each sensor reports what it senses when that is due."""
    begun = time.monotonic() + 0.5
    for number, sensed in enumerate(Building(1).life(minutes)):
        left = begun + sensed.at / FASTER / 1e6 - time.monotonic()
        if left > 0:
            time.sleep(left)
        sent[str(number)] = time.monotonic(), sensed
        sensors[sensed.sensor].publish(Event(sensed.type, 0, 0, str(number), data=sensed.data))
    for each in sensors.values():
        each.flush()


def _until(so: Callable[[], bool]) -> None:
    until = time.monotonic() + _ENDING
    while not so() and time.monotonic() < until:
        time.sleep(0.05)


def _due(found: Detection, sent: dict[str, tuple[float, Sensed]]) -> float:
    """When it could be told at the soonest."""
    last = max(sent[each][0] for each in found.events)
    return last + (5 * MINUTE / FASTER / 1e6 if found.rule == "missed" else 0.0)


def _expected(program: Program, heard: Heard, sent: dict[str, tuple[float, Sensed]]) -> list[Detection]:
    """What one engine finds over the events as they were born."""
    events = [
        Event(
            sent[name][1].type, one.time_us, one.start_us, name, sent[name][1].sensor, sent[name][1].data, one.time_us
        )
        for name, one in heard.born.items()
    ]
    events.sort(key=lambda each: (each.end, each.start, each.source, int(each.id)))
    return list(detections(program, events, order=Order("guaranteed")))


FIGURES: Final[dict[str, Callable[[float], Iterator[Record]]]] = {
    "office-nats": partial(office, "office-nats", Nats),
    "office-mqtt": partial(office, "office-mqtt", Mosquitto),
}
"""Each is given the scale."""
