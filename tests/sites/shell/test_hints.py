"""Hints at work: rules that are pinned, that run elsewhere besides, that somebody else has asked for already."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.sites.shell.deployments import Together, expected, ids, memory_url, random_events
from tocsin.cli import main
from tocsin.commands.placement_options import asked_topology
from tocsin.errors import UsageError
from tocsin.rules.loader import load_expression
from tocsin.sites.placement.policies import Hints, hints_of, hints_record
from tocsin.sites.placement.topologies import topology_of, topology_record
from tocsin.sites.shell.requests import Request, request_of, request_record

PAIR = load_expression("(x:a -> y:b) in 20 seconds", "sel", "x.k = y.k")
SOURCES = {"s": ("A", ("a",)), "t": ("B", ("b",))}


@pytest.fixture
def together() -> Iterator[Together]:
    made = Together(memory_url(), "ABCD")
    yield made
    made.close()


def hosts(together: Together) -> dict[str, list[str]]:
    """Which rules run where."""
    return {
        name: [key for key in process.site.hosts if key.startswith("rule/")] for name, process in together.sites.items()
    }


def test_a_rule_runs_where_it_is_pinned_and_besides_and_is_used_once_more(together: Together) -> None:
    guest = together.guest()
    hints = Hints(pinned={"rule": "B"}, replicas={"rule": ("D",)})
    together.sites["C"].do(request_record("test", Request(PAIR, "central", hints=hints)))
    together.announce(guest, SOURCES)
    together.until(lambda: bool(hosts(together)["B"]) and hosts(together)["B"] == hosts(together)["D"])
    assert not hosts(together)["A"]
    assert not hosts(together)["C"]
    # Somebody else asks for the same, at the site of the copy: nothing more runs for it.
    together.sites["D"].do(request_record("other", Request(PAIR, "central")))
    together.until(lambda: bool(together.sites["D"].site.watched))
    events = random_events(Random(1), SOURCES, 60)
    for event in events:
        guest.reporter(SOURCES[event.source][0]).report(event)
    for source, (site, _) in SOURCES.items():
        guest.reporter(site).close(source)
    wanted = ids(expected(PAIR, events))
    assert len(wanted) > 10
    together.until(lambda: ids(together.detections("C")) == wanted and ids(together.detections("D")) == wanted)
    assert [bool(some) for some in hosts(together).values()] == [False, True, False, True]


def test_a_site_that_a_hint_names_may_come_later(together: Together) -> None:
    guest = together.guest()
    together.sites["C"].do(request_record("test", Request(PAIR, "central", hints=Hints(pinned={"rule": "E"}))))
    for source, (site, types) in SOURCES.items():
        guest.reporter(site).source(source, types)
    together.until(lambda: any("unknown site 'E'" in each for each in together.said["C"]))
    assert sum("unknown site 'E'" in each for each in together.said["C"]) == 1
    together.told["E"], together.said["E"] = [], []
    together.start("E")
    together.until(lambda: bool(hosts(together)["E"]))


def test_hints_and_links_are_written_down_with_what_is_asked_for() -> None:
    hints = Hints(2, "A", {"rule": "B"}, {"rule": ("C", "D")}, 0.5, frozenset("AB"))
    assert hints_of(json.loads(json.dumps(hints_record(hints)))) == hints
    links = {
        "links": [{"from": "A", "to": "B", "cost": 2, "delay": 3, "bandwidth": 9}],
        "sites": {"C": {"capacity": 2}},
    }
    topology = topology_of(links)
    assert topology_of(json.loads(json.dumps(topology_record(topology)))) == topology
    request = Request(PAIR, "hash", hints=hints, topology=topology)
    assert request_of(request_record("test", request)) == ("test", request)


def test_options_that_cannot_be_understood_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def refused(*words: str) -> str:
        assert main(["site", "--name", "A", "--broker", memory_url(), "-e", "a ; b", "--lang", "eps", *words]) != 0
        return capsys.readouterr().err

    assert "--pin: expected RULE=SITE, not 'rule'" in refused("--pin", "rule")
    for option, word in (("--share", "rul=2"), ("--replica", "rul=B")):
        assert f"{option}: there is no rule 'rul'; rules: rule; did you mean 'rule'?" in refused(
            option, word, "--policy", "hash"
        )
    assert "--share divides what a policy cuts off a rule: give one" in refused("--share", "rule=2")
    path = tmp_path / "links.yaml"
    assert "links.yaml: No such file" in refused("--topology", str(path))
    path.write_text("links: [{from: A}]")
    assert "links.yaml: link 1 of the topology: expected 'from' and 'to'" in refused("--topology", str(path))
    path.write_text("links: [")
    assert "links.yaml: while parsing" in refused("--topology", str(path))
    path.write_text("links: [{from: A, to: B, delay: 5}]")

    found = asked_topology(Namespace(topology=path))
    assert found is not None
    assert found.delay("A", "B") == 5000.0
    with pytest.raises(UsageError, match="cost"):
        topology_of({"links": [{"from": "A", "to": "B", "cost": -1}]})
