"""When a site's process tells its site the time, and when rules that were asked for begin: on clocks of their own."""

from __future__ import annotations

from itertools import count

from tocsin.events import Event
from tocsin.rules.loader import load_expression
from tocsin.sites.births import Births
from tocsin.sites.neighbours import Peer
from tocsin.sites.shell.process import TICK, SiteProcess
from tocsin.sites.shell.requests import HEARING, Request, Requests, request_record
from tocsin.sites.shell.topics import broker_of
from tocsin.sites.site import Site, Told

SECOND = 1_000_000
_NUMBERS = count(1)


def test_a_timer_is_told_when_it_falls_due_not_at_the_next_tick() -> None:
    now = [1_000 * SECOND]
    told: list[Told] = []
    address = broker_of(f"memory:dues-{next(_NUMBERS)}")
    site = SiteProcess("A", address, hears=told.extend, wall=lambda: now[0] * 1000)
    try:
        site.site.birthplace.births.register("s", ["a"], is_stamped=True)
        site.do(request_record("r", Request(load_expression("a + [1*sec]", "gem"))))
        while not site.site.hosts:
            now[0] += TICK
            site.turn()
        site.turn()
        now[0] += 13_000  # between two ticks
        site.site.birthplace.bear(Event("a", now[0], now[0], "e1", "s"))
        begun = now[0]
        ticks = 0
        while not told:
            now[0] = site.next_tick()
            site.turn()
            ticks += 1
            assert ticks < 100
        assert begun + SECOND <= now[0] <= begun + SECOND + 2
    finally:
        site.close()


def test_what_a_site_stamped_is_known_to_be_all_up_to_then() -> None:
    births = Births()
    births.register("s", ["a"], is_stamped=True)
    assert births.frontier("a", 100) == 99
    births.accept(Event("a", 120, 90, "e1", "s"))  # its clock may be off by 20
    assert births.frontier("a", 100) == 120
    assert births.frontier("a", 200) == 199


def test_rules_wait_a_moment_for_all_their_types() -> None:
    """One that begins with some of its types is another: who hears of a source late would be told twice."""
    site = Site("A", "A-1")
    requests = Requests(site)
    requests.add("r", Request(load_expression("a ; b", "eps")))
    site.neighbours.peers["B"] = Peer("B-1", 0, {"sources": {"s": {"types": ["a"]}}})
    assert list(requests.decisions(0)) == []
    assert list(requests.decisions(HEARING - 1)) == []
    ((what, name, _),) = list(requests.decisions(HEARING))
    assert (what, name) == ("deploy", "r")
    site.neighbours.peers["C"] = Peer("C-1", 0, {"sources": {"t": {"types": ["b"]}}})
    other = Requests(site)
    other.add("r", Request(load_expression("a ; b", "eps")))
    assert [each[0] for each in other.decisions(0)] == ["deploy"]
