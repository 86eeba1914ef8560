"""The Active Office for real: its sensors report over a broker to sites, and what those detect is what one engine does."""

from __future__ import annotations

import pytest

from tests.sites.shell.deployments import Together, expected, ids
from tocsin.bench.brokers.servers import Broker, Mosquitto, Nats
from tocsin.bench.sites.office import office
from tocsin.events import Event
from tocsin.simulate.office.people import SENSORS, Building
from tocsin.simulate.office.subscriptions import subscription

SITES = {sensor: ("C" if sensor == "logins" else "B", list(types)) for sensor, types in SENSORS.items()}
"""A is the subscriber's, B the sensors' and C the desks' server."""
MINUTES = 45


@pytest.mark.parametrize("scenario", [1, 2])
@pytest.mark.parametrize("name", ["nats", "mosquitto"])
def test_the_office_over_a_broker_detects_what_one_engine_detects(
    name: str, scenario: int, request: pytest.FixtureRequest
) -> None:
    program = subscription(scenario)
    life = enumerate(Building(3).life(MINUTES))
    events = [Event(each.type, each.at, each.at, f"e{n}", each.sensor, each.data) for n, each in life]
    events.sort(key=lambda each: each.end)
    found = expected(program, events)
    sites = Together(request.getfixturevalue(name).url(f"office-{scenario}"))
    try:
        guest = sites.guest()
        sites.announce(guest, SITES)
        sites.request("A", program)
        sites.announce(guest, SITES)
        for number, event in enumerate(events):
            guest.reporter(SITES[event.source][0]).report(event)
            if number % 50 == 0:
                sites.turn()
        for source, (site, _) in SITES.items():
            guest.reporter(site).close(source)
        sites.until(lambda: len(sites.detections("A")) >= len(found))
        assert found
        assert ids(sites.detections("A")) == ids(found)
    finally:
        sites.close()


@pytest.mark.slow
@pytest.mark.parametrize(("name", "kind"), [("nats", Nats), ("mosquitto", Mosquitto)])
def test_the_office_over_a_broker_is_right_and_told(
    name: str, kind: type[Broker], request: pytest.FixtureRequest
) -> None:
    """As people measure it: sites as processes, six subscribers; the yardstick is one engine over what was born."""
    request.getfixturevalue(name)  # or it is skipped
    (record,) = office(f"office-{name}", kind, 0.12)
    assert record.agrees
    assert record.details["notifications"] == 6 * record.matches > 0
