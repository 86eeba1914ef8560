"""Sites over real brokers: what they detect is what one engine detects, also when the broker is killed and comes back."""

from __future__ import annotations

from random import Random

import pytest

from tests.sites.shell.deployments import Together, expected, ids, random_events
from tocsin.bench.brokers.servers import Broker, Nats
from tocsin.errors import TocsinError
from tocsin.rules.loader import load_expression
from tocsin.sites.shell.guest import Guest, attached
from tocsin.sites.shell.process import SiteProcess
from tocsin.sites.shell.topics import broker_of
from tocsin.transports import Unreachable

SOURCES = {"s1": ("B", ["a", "b"]), "s2": ("C", ["b", "c"]), "s3": ("C", ["a"])}


def detected_over(broker: Broker, deployment: str, kills: int = 0) -> tuple[Together, list[str]]:
    """What sites detect over a broker that is killed now and then; and what one engine detects."""
    random = Random(deployment)
    program = load_expression("a ; b", "eps")
    events = random_events(random, SOURCES, 100)
    sites, found = Together(broker.url(deployment)), expected(program, events)
    try:
        guest = sites.guest()
        sites.announce(guest, SOURCES)
        sites.request("A", program)
        sites.announce(guest, SOURCES)
        for number, event in enumerate(events):
            guest.reporter(SOURCES[event.source][0]).report(event)
            sites.turn()
            if kills and number % (len(events) // kills) == 3:
                broker.kill()
                sites.turn()
                broker.start()
        for source, (site, _) in SOURCES.items():
            guest.reporter(site).close(source)
        sites.until(lambda: len(sites.detections("A")) >= len(found))
        for _ in range(20):
            sites.turn()
        assert ids(sites.detections("A")) == ids(found)
        assert found
    finally:
        sites.close()
    return sites, sites.said["A"]


@pytest.mark.parametrize("name", ["nats", "mosquitto", "kafka"])
def test_what_sites_detect_over_a_broker_is_what_one_engine_detects(name: str, request: pytest.FixtureRequest) -> None:
    detected_over(request.getfixturevalue(name), f"plain-{name}")


@pytest.mark.parametrize("name", ["nats", "mosquitto"])
def test_a_broker_that_is_killed_and_remembers_nothing_loses_nothing(name: str, request: pytest.FixtureRequest) -> None:
    _, said = detected_over(request.getfixturevalue(name), f"killed-{name}", kills=4)
    assert any("has gone away" in line and line.endswith("waiting for it; nothing is lost meanwhile") for line in said)
    assert any(line.endswith("the broker is there again") for line in said)


def test_a_broker_that_cannot_be_reached_is_said_in_one_line(nats: Nats) -> None:
    nothing = nats.url("x").replace(str(nats.port), "1")
    with pytest.raises(Unreachable, match=r"nats://127\.0\.0\.1:1/x: NATS does not answer: Connection refused"):
        SiteProcess("A", broker_of(nothing))
    with pytest.raises(Unreachable, match=r"no site is heard there: start one, tocsin site --name A --broker nats://"):
        attached(nats.url("nobody"))


def test_deployments_of_different_names_do_not_hear_each_other(nats: Nats) -> None:
    one = Together(nats.url("one"), "A")
    with Guest(nats.url("two")) as guest:
        guest.send("*", {"is": "who"})
        one.turn()
        guest.turn(0.05)
        with pytest.raises(TocsinError, match="no site is there at all"):
            guest.site("A", 0.01)
    one.close()
