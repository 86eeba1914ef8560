"""The sites from Python (001 section 4.2): types, events, subscriptions; sites run in a thread beside."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

import tocsin as tc
from tests.sites.shell.deployments import Together, memory_url
from tocsin.errors import TocsinError, UsageError
from tocsin.events import Detection
from tocsin.sites.shell import publication

WAITS = 60.0


@pytest.fixture
def url() -> Iterator[str]:
    """Sites that are at work."""
    sites, stops = Together(memory_url()), threading.Event()

    def run() -> None:
        while not stops.is_set():
            sites.turn()

    thread = threading.Thread(target=run)
    thread.start()
    yield sites.url
    stops.set()
    thread.join()
    sites.close()


def test_what_is_published_is_detected_where_it_was_subscribed_to(url: str) -> None:
    with tc.sites.connect(url, name="door-7", site="B") as door, tc.sites.connect(url, name="lamp", site="C") as lamp:
        opened, lit = door.register("opened", {"user": str}), lamp.register("lit")
        rule = tc.rule("entered", "opened ; lit", language="eps")
        with door.subscribe(rule) as entered:
            assert entered.ready(WAITS)
            first = door.publish(opened(user="bob"))
            door.flush()
            second = lamp.publish(lit())
            found = entered.get(WAITS)
    assert found is not None
    assert (found.rule, found.events) == ("entered", (first, second))
    assert found.start_us < found.time_us


def test_times_of_our_own_are_kept_and_listeners_called(url: str) -> None:
    found: list[Detection] = []
    came = threading.Event()

    def listener(one: Detection) -> None:
        found.append(one)
        came.set()

    with tc.sites.connect(url, name="meter", timed=True) as meter:
        low, high = meter.register("low"), meter.register("high")
        subscribed = meter.subscribe(tc.rule("rise", "low ; high", language="eps"), listener, policy="central")
        assert subscribed.ready(WAITS)
        meter.publish(low(), time=10, id="l")
        meter.publish(high(), time=12.5, id="h")
        meter.beat(13)
        assert came.wait(WAITS)
    assert [(one.events, one.time_us) for one in found] == [(("l", "h"), 12_500_000)]


def test_what_cannot_be_is_said_in_one_line(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with tc.sites.connect(url, name="door-7") as door:
        opened = door.register("opened", {"user": str})
        assert door.register("opened", {"user": str}) == opened
        with pytest.raises(UsageError, match="'opened' is registered already, with other attributes"):
            door.register("opened", {"user": int})
        with pytest.raises(UsageError, match=r"'opened' has no attribute 'usr': it has user; did you mean 'user'\?"):
            opened(usr="bob")
        with pytest.raises(UsageError, match=r"'opened\.user' is 7: it was registered as str"):
            opened(user=7)
        with pytest.raises(UsageError, match="no type 'closed' is registered here"):
            door.publish(tc.Event("closed", 0, 0))
        with pytest.raises(UsageError, match="events get their times at their site"):
            door.publish(opened(user="bob"), time=1)
    with pytest.raises(UsageError, match="this connection is closed"):
        door.flush()
    with pytest.raises(TocsinError, match="no site is heard there: start one"):
        tc.sites.connect(memory_url())
    monkeypatch.setattr(publication, "COMING", 0.6)
    with pytest.raises(TocsinError, match="no site 'Z' is heard at memory:"):
        tc.sites.connect(url, site="Z")


def test_events_that_come_too_late_are_noted(url: str) -> None:
    with tc.sites.connect(url, name="meter", timed=True) as meter:
        low = meter.register("low")
        meter.publish(low(), time=10, id="first")
        meter.publish(low(), time=5, id="second")
        meter.flush()
        meter.flush()
    assert len(meter.notes) == 1
    assert "event 'second' (low) of source 'meter'" in meter.notes[0]
    assert "too late: time is at 1970-01-01T00:00:10Z" in meter.notes[0]
