"""Sites in one process, over topics in memory: the shell's real code, with its directory, its clock and its guests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.sites.shell.deployments import (
    SECOND,
    Together,
    expected,
    ids,
    memory_url,
    random_events,
)
from tocsin.errors import TocsinError
from tocsin.events import Event
from tocsin.rules.loader import load_expression
from tocsin.sites.neighbours import VERSION
from tocsin.sites.shell import network
from tocsin.sites.shell.guest import Guest
from tocsin.sites.shell.network import Network, Run, unpacked
from tocsin.sites.shell.process import Namesake
from tocsin.sites.shell.topics import broker_of

SOURCES = {"s1": ("B", ["a", "b"]), "s2": ("C", ["b", "c"]), "s3": ("C", ["a"])}


@pytest.fixture
def made() -> Iterator[list[Together]]:
    found: list[Together] = []
    yield found
    for each in found:
        each.close()


def together(made: list[Together], home: Path | None = None, names: str = "ABC") -> Together:
    made.append(Together(memory_url(), names, home))
    return made[-1]


@pytest.mark.parametrize(
    ("language", "expression", "policy"),
    [
        ("eps", "a ; b", None),
        ("sel", "a -> b -> c", None),
        ("eps", "(a || c) ; b", None),
        ("sel", "(a -> c) in 4 seconds", "near-sources"),
        ("eps", "(a ; b) & c", "near-sinks"),
        ("eps", "a ; b ; c", "hash"),
        ("eps", "a ; c", "balanced"),
        ("eps", "a ; b", "central"),
    ],
)
def test_what_sites_detect_is_what_one_engine_detects(
    made: list[Together], language: str, expression: str, policy: str | None
) -> None:
    random = Random(f"{language} {expression}")
    program = load_expression(expression, language)
    events = random_events(random, SOURCES, 120)
    sites, found = together(made), expected(program, events)
    guest = sites.guest()
    sites.announce(guest, SOURCES)
    sites.request("A", program, policy=policy)
    sites.announce(guest, SOURCES)
    for event in events:
        guest.reporter(SOURCES[event.source][0]).report(event)
        if random.random() < 0.2:
            sites.turn()
    for source, (site, _) in SOURCES.items():
        guest.reporter(site).close(source)
    sites.until(lambda: len(sites.detections("A")) >= len(found))
    for _ in range(20):
        sites.turn()
    assert ids(sites.detections("A")) == ids(found)
    assert found


def test_sites_that_are_killed_go_on_from_their_directories(made: list[Together], tmp_path: Path) -> None:
    random = Random(7)
    program = load_expression("a ; b", "eps")
    events = random_events(random, SOURCES, 150)
    sites, found = together(made, tmp_path), expected(program, events)
    guest = sites.guest()
    sites.announce(guest, SOURCES)
    sites.request("A", program)
    sites.announce(guest, SOURCES)
    kills = 0
    for number, event in enumerate(events):
        guest.reporter(SOURCES[event.source][0]).report(event)
        sites.turn()
        if number % 15 == 14:
            name = random.choice("ABC")
            sites.kill(name)
            for _ in range(random.randint(0, 5)):
                sites.turn()
            sites.start(name)
            kills += 1
            if random.random() < 0.5:
                sites.sites[name].save()
    for source, (site, _) in SOURCES.items():
        guest.reporter(site).close(source)
    sites.until(lambda: len(sites.detections("A")) >= len(found))
    for _ in range(20):
        sites.turn()
    assert kills == 10
    assert ids(sites.detections("A")) == ids(found)


def test_a_newcomer_of_the_same_name_is_refused_and_the_first_goes_on(made: list[Together]) -> None:
    sites = together(made, names="A")
    other = Together(sites.url, "A")
    made.append(other)
    with pytest.raises(Namesake, match=r"there is another site 'A' at memory:.*, started at .*: every site has a name"):
        claimed(sites, other)
    assert not sites.sites["A"].site.neighbours.has_namesake


def claimed(sites: Together, other: Together) -> None:
    """The first has turns while the other claims its name: here by giving its answer beforehand."""
    newcomer = other.sites["A"]
    newcomer.network.send([("*", {"is": "who", "from": "A"})])
    sites.turn()
    newcomer.claim()


def test_a_site_of_another_version_is_not_heard_and_named_once(made: list[Together]) -> None:
    sites = together(made, names="A")
    stranger = Network(broker_of(sites.url), "Z", Run(1, "z", VERSION + 1), sites.said["A"].append)
    for _ in range(2):
        stranger.send([("*", {"is": "hello", "from": "Z", "version": VERSION + 1, "incarnation": "z", "sources": {}})])
        sites.turn()
    stranger.close()
    assert sites.said["A"] == [f"'Z' speaks version {VERSION + 1} of sites, this one {VERSION}: it is not heard here"]
    assert not sites.sites["A"].site.neighbours.peers


@pytest.mark.parametrize("message", [{"is": "outputs"}, {"is": "report", "stream": 3}, {"is": "ping"}, {"is": 5}])
def test_a_message_that_makes_no_sense_changes_nothing(made: list[Together], message: dict[str, object]) -> None:
    sites = together(made, names="AB")
    sites.until(lambda: "B" in sites.sites["A"].site.neighbours.peers)
    stranger = Network(broker_of(sites.url), "Z", Run(1, "z"), sites.said["A"].append)
    stranger.send([("A", message | {"from": "Z"})])
    stranger._wire.publish("A", b"\xc1 no message")  # type: ignore[union-attr]
    sites.turn()
    stranger.close()
    sites.until(lambda: sites.sites["A"].site.neighbours.peers["B"].heard > 0)


def test_a_guest_hears_who_is_there_and_gets_answers(made: list[Together]) -> None:
    sites = together(made)
    guest = sites.guest()
    guest.send("*", {"is": "who"})
    sites.until(lambda: len(guest.directory) == 3)
    with pytest.raises(TocsinError, match=r"no site 'D' is heard at memory:.*; there are A, B, C"):
        guest.site("D", 0.01)
    with pytest.raises(TocsinError, match=r"site 'D' does not answer within 0\.01 seconds"):
        guest.ask("D", ["status"], 0.01)


def test_an_event_that_is_too_late_is_sent_back(made: list[Together]) -> None:
    sites = together(made)
    guest = sites.guest()
    reporter = guest.reporter("B")
    reporter.source("s1", ["a"])
    for at in (5, 3):
        reporter.report(Event("a", at * SECOND, at * SECOND, f"a{at}", "s1"))
    sites.until(lambda: bool(reporter.late))
    assert [each["event"][2] for each in reporter.late] == ["a3"]


def test_a_source_that_comes_when_a_rule_is_further_gets_what_is_too_late_back(made: list[Together]) -> None:
    sites = together(made)
    program = load_expression("a ; b", "eps")
    guest = sites.guest()
    sites.announce(guest, {"s1": ("B", ["a", "b"])})
    sites.request("A", program)
    sites.announce(guest, {"s1": ("B", ["a", "b"])})
    for at, kind in ((10, "a"), (20, "b"), (30, "a")):
        guest.reporter("B").report(Event(kind, at * SECOND, at * SECOND, f"{kind}{at}", "s1"))
    sites.until(lambda: len(sites.detections("A")) == 1)
    sites.announce(guest, {"s2": ("C", ["b"])})
    late, timely = (
        Event("b", 5 * SECOND, 5 * SECOND, "late", "s2"),
        Event("b", 40 * SECOND, 40 * SECOND, "timely", "s2"),
    )
    guest.reporter("C").report(late)
    guest.reporter("C").report(timely)
    for site, source in (("B", "s1"), ("C", "s2")):
        guest.reporter(site).close(source)
    sites.until(lambda: len(sites.detections("A")) == 2 and bool(guest.reporter("C").late))
    assert [one.events for one in sites.detections("A")] == [("a10", "b20"), ("a30", "timely")]
    assert [each["event"][2] for each in guest.reporter("C").late] == ["late"]


def test_events_without_a_time_are_stamped_by_the_site_within_its_precision(made: list[Together]) -> None:
    sites = together(made)
    sites.until(lambda: sites.sites["B"].site.neighbours.clocks.precision > 0)
    guest = sites.guest()
    guest.reporter("B").source("s1", ["a"], is_stamped=True)
    sites.announce(guest, {})
    sites.request("A", load_expression("a", "eps"))
    sites.until(lambda: "B/a" in sites.sites["B"].site.birthplace.sieves)
    begun = sites.sites["B"].clock()
    guest.reporter("B").report_now(Event("a", 0, 0, "a1", "s1"))
    sites.until(lambda: len(sites.detections("A")) == 1)
    (found,) = sites.detections("A")
    assert found.time_us > found.start_us  # an interval: somewhere in it it happened
    assert begun - SECOND <= found.start_us <= found.time_us <= sites.sites["B"].clock() + SECOND


def test_large_messages_go_in_pieces_and_come_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    url = memory_url()
    one, two = (Network(broker_of(url), name, Run(1, name), lambda text: None) for name in ("one", "two"))
    monkeypatch.setattr(one._wire, "most", 1000)
    text = "".join(chr(33 + number % 90) for number in range(10_000))
    one.send([("two", {"is": "x", "from": "one", "text": text}), ("two", {"is": "y", "from": "one"})])
    came = [message for each in two.receive(0.0) for message in unpacked(each)[1]]
    assert came == [{"is": "x", "from": "one", "text": text}, {"is": "y", "from": "one"}]
    assert network._UNFINISHED > 1
    one.close()
    two.close()


def test_a_guest_needs_a_broker_that_sites_talk_over() -> None:
    with pytest.raises(TocsinError, match="sites talk over NATS, MQTT or Kafka"):
        Guest("http://127.0.0.1:1/")
