"""Parts that move: in pieces, behind those that go on meanwhile, and back where the other has gone."""

from __future__ import annotations

from functools import partial

import pytest

from tests.sites.asked_worlds import SECOND, AskedWorld, event, program
from tests.sites.worlds import lived, report_of
from tocsin.sites import links, moves
from tocsin.sites.deployment import Directory, deployed
from tocsin.sites.outboxes import HEARTBEATS, REQUESTS
from tocsin.sites.simulation import Weather
from tocsin.sites.site import Site

SOURCES: Directory = {"A": {"sa": ["a"]}, "B": {"sb": ["b"]}, "C": {}}
STEADY = Weather(delay=(1_000, 2_000))


def begun(weather: Weather = STEADY, way: str = REQUESTS) -> tuple[AskedWorld, str]:
    """A world with a rule at C over events of A and B, told at A; and the key of its part."""
    world = AskedWorld(1, "ABC", weather)
    for site in "AB":
        world.reporter(f"at-{site}", site).source(f"s{site.lower()}", [site.lower()], reached=0)
    world.run(SECOND)
    made = deployed(program("x:a -> y:b", condition="x.k = y.k"), SOURCES, "A", site_of=lambda part: "C", way=way)
    world.subscribe("A", made)
    world.run(2 * SECOND)
    return world, made.placed[-1].part.key


def report(world: AskedWorld, site: str, numbers: range) -> None:
    """Events 10 ms apart, and how far their source has got behind them."""
    kind, reporter = site.lower(), world.reporters[f"at-{site}"]
    for number in numbers:
        seconds = 2 + number / 100 + (0.001 if kind == "b" else 0)
        world.report(reporter, event(kind, f"s{kind}", f"{kind}{number}", seconds, k=number))
    reporter.beat(f"s{kind}", (2 * SECOND) + numbers.stop * 10_000)


def site_of(world: AskedWorld, name: str) -> Site:
    found = world.machines[name].site
    assert found is not None
    return found


def hosting(world: AskedWorld, key: str) -> str:
    return "".join(name for name in "ABC" if key in site_of(world, name).hosts)


def test_pictures_in_many_pieces_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moves, "PIECE", 64)
    assert report_of(lived(seed) for seed in range(900, 960))["moves"] > 10


def test_a_part_is_taken_over_when_it_has_caught_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it comes from goes on meanwhile, and is left when less than `CLOSE` is missing."""
    monkeypatch.setattr(moves, "CLOSE", 3)
    world, key = begun(Weather(delay=(1_000, 2_000), painting=1))
    report(world, "A", range(1, 50))
    world.run(3 * SECOND)
    world.at(world.now, lambda: world.step("C", query_of(["move", key, "B"])))
    world.cut.add(frozenset("AB"))  # what A gives out does not come to B
    for step in range(5):
        report(world, "A", range(50 + 10 * step, 60 + 10 * step))
        world.run(world.now + SECOND // 2)
    assert hosting(world, key) == "BC"
    report(world, "B", range(1, 30))
    world.run(world.now + SECOND)
    assert len(world.told("A")) == 29  # nobody waits for the part that is behind
    world.cut.clear()
    world.run(world.now + 5 * SECOND)
    assert hosting(world, key) == "B"
    report(world, "B", range(30, 90))
    world.run(world.now + 2 * SECOND)
    assert [each.detection.events for each in world.told("A")] == [(f"a{n}", f"b{n}") for n in range(1, 90)]


def query_of(what: list[object]) -> dict[str, object]:
    return {"is": "query", "from": "somebody", "number": 1, "what": what}


def test_what_is_kept_for_a_part_that_leaves_does_not_stop_its_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is reported of them meanwhile, so that it can be taken once more; more than a window's worth comes."""
    monkeypatch.setattr(links, "WINDOW", 40)
    world, key = begun()
    world.cut.add(frozenset("BC"))
    world.cut.add(frozenset("AB"))
    world.do("C", lambda site: site.moves.move(key, "B"))
    report(world, "A", range(1, 200))
    world.run(world.now + 3 * SECOND)
    assert site_of(world, "C").links.inboxes["A/a"].following == 200
    assert len(site_of(world, "A").links.outbox("A/a").kept) == 199
    world.cut.clear()
    world.run(world.now + 20 * SECOND)
    assert hosting(world, key) == "B"
    assert not site_of(world, "A").links.outbox("A/a").kept


def test_a_part_stays_if_where_it_goes_forgets_everything() -> None:
    world, key = begun()
    world.cut.add(frozenset("BC"))
    world.do("C", lambda site: site.moves.move(key, "B"))
    report(world, "A", range(1, 10))
    world.run(world.now + SECOND)
    assert site_of(world, "C").links.held_reports
    machine = world.machines["B"]
    anew = Site("B", "B-2", world.pace)
    machine.site, machine.saved, machine.log = anew, anew.save(), []
    world.cut.clear()
    world.run(world.now + 3 * SECOND)
    assert not site_of(world, "C").moves.leaving
    assert not site_of(world, "C").links.held_reports
    assert hosting(world, key) == "C"
    world.reporters["at-B"] = world.reporter("at-B-once-more", "B")
    world.reporters["at-B"].source("sb", ["b"], reached=0)
    world.run(world.now + 5 * SECOND)
    world.do("C", partial(_move, key, "B"))
    world.run(world.now + 3 * SECOND)
    assert hosting(world, key) == "B"
    for site in "AB":
        report(world, site, range(3_000, 3_009))
    world.run(world.now + 3 * SECOND)
    assert len(world.told("A")) == 9


def test_a_replica_does_not_come_to_who_misses_what_it_has_told_already() -> None:
    """A waits for outputs of C, where the part was copied from; the copy at B does not keep them."""
    world, key = begun(way=HEARTBEATS)
    report(world, "A", range(1, 10))
    world.reporters["at-A"].beat("sa", 60 * SECOND)
    world.run(world.now + SECOND)
    world.cut.add(frozenset("AC"))
    report(world, "B", range(1, 10))
    world.run(world.now + SECOND)
    assert (site_of(world, "C").links.outbox(key + "!").last, world.told("A")) == (9, [])
    world.do("C", lambda site: site.moves.move(key, "B", stays=True))
    world.run(world.now + SECOND)
    world.do("B", lambda site: site.moves.move(key, "A"))
    world.run(world.now + SECOND)
    world.cut.clear()
    world.run(world.now + 10 * SECOND)
    assert len(world.told("A")) == 9
    assert "C" in hosting(world, key)


def _move(key: str, to: str, site: Site) -> None:
    site.moves.move(key, to)


def test_many_messages_out_of_order_are_not_sent_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each gap is mended once, and nothing that is there already is sent once more."""
    monkeypatch.setattr(links, "MOST", 4)
    world = AskedWorld(5, "AB", Weather(delay=(100, 50_000), repeats=0.2))
    reporter = world.reporter("at-A", "A")
    reporter.source("sa", ["a"], reached=0)
    world.run(SECOND)
    world.subscribe("B", deployed(program("x:a"), {"A": {"sa": ["a"]}}, "B"))
    world.run(2 * SECOND)
    sent = []
    send = world.send

    def counted(sender: str, to: str, message: dict[str, object]) -> None:
        if message["is"] == "outputs" and message.get("stream") == "A/a":
            sent.append(message)
        send(sender, to, message)

    monkeypatch.setattr(world, "send", counted)
    for number in range(1, 401):
        reporter.report(event("a", "sa", f"a{number}", 2 + number / 100))
    reporter.close("sa")
    world.run(20 * SECOND)
    assert len(world.told("B")) == 400
    assert len(sent) < 500


def test_a_part_takes_its_streams_where_they_have_gone_while_it_was_on_its_way() -> None:
    """A world in which a rule comes to a site that the join it takes has just left."""
    life = lived(302_013)
    assert life.met["moves"] >= 2
