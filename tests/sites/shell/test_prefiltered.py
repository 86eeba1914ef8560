"""What stays where it is born, and limits, in sites at work: said by sites and by whoever asks for rules."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sites.asked_worlds import event, program
from tests.sites.shell.deployments import SECOND, Together, memory_url
from tocsin.sites.references import fetched
from tocsin.sites.shell.guest import NoAnswer
from tocsin.sites.shell.requests import Request, request_record

NOW = 1_700_000_000
LARGE = "x" * 50_000


@pytest.fixture
def together(tmp_path: Path) -> Iterator[Together]:
    made = Together(memory_url(), home=tmp_path)
    yield made
    made.close()


def test_what_stays_is_fetched_also_after_a_restart(together: Together) -> None:
    together.sites["A"].do(["stays", {"a": ["image"]}])
    together.turn()
    together.until(lambda: together.sites["C"].site.neighbours.peers["A"].said.get("staying") == {"a": ["image"]})
    guest = together.guest()
    together.request("C", program("a -> b", condition="a.size > 3"))
    together.announce(guest, {"sa": ("A", ["a"]), "sb": ("B", ["b"])})
    for number, size in enumerate((2, 7)):
        guest.reporter("A").report(event("a", "sa", f"a{number}", NOW + number, image=LARGE, size=size))
    guest.reporter("B").report(event("b", "sb", "b1", NOW + 5))
    guest.reporter("A").beat("sa", (NOW + 9) * SECOND)
    guest.reporter("B").beat("sb", (NOW + 9) * SECOND)
    together.until(lambda: bool(together.told["C"]))
    [one] = together.detections("C")
    assert (one.events, one.data) == (("a1", "b1"), {"a.size": 7})
    assert together.sites["A"].site.meters.links["C"].bytes < len(LARGE)

    together.kill("A")
    together.start("A")

    def ask(site: str, what: list[object]) -> object:
        number = 7
        guest.send(site, {"is": "query", "number": number, "what": what})
        together.until(lambda: number in guest._answers)
        return guest._answers.pop(number)["found"]

    assert fetched("sa", "a1", guest.directory, ask) == {"image": LARGE}
    together.kill("A")
    with pytest.raises(NoAnswer, match="site 'A' does not answer within"):
        fetched("sa", "a1", guest.directory, lambda site, what: guest.ask(site, what, 0.2))


def test_limits_are_asked_for_with_rules_and_outlast_the_process(together: Together) -> None:
    guest = together.guest()
    request = Request(program("a -> b"), limits={"a": (1, 10 * SECOND)})
    together.sites["C"].do(request_record("test", request))
    together.turn()
    together.announce(guest, {"sa": ("A", ["a"]), "sb": ("B", ["b"])})
    guest.reporter("A").report(event("a", "sa", "a0", NOW))
    together.until(lambda: bool(together.sites["A"].site.birthplace.births.sources["sa"].count))
    together.kill("C")
    together.start("C")
    assert together.sites["C"].requests.all["test"].limits == {"a": (1, 10 * SECOND)}
    for number in range(1, 15):
        guest.reporter("A").report(event("a", "sa", f"a{number}", NOW + number))
    guest.reporter("B").report(event("b", "sb", "b1", NOW + 20))
    for site, source in (("A", "sa"), ("B", "sb")):
        guest.reporter(site).beat(source, (NOW + 30) * SECOND)
    together.until(lambda: len(together.detections("C")) >= 1)
    [sieve] = together.sites["A"].site.birthplace.sieves.values()
    assert sieve.held_back == 13
    assert together.sites["C"].site.links.inboxes[sieve.part.key].following == 3
