"""Topics beside sites: detections out, events in, each once; a service of requests and pipelines as neighbours."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from tests.sites.asked_worlds import event, program
from tests.sites.shell.deployments import SECOND, Together, memory_url
from tocsin.encodings import Message
from tocsin.errors import UsageError
from tocsin.events import Detection
from tocsin.formats.intake import Intake
from tocsin.sites.shell.bridges import Inlet, Outlet
from tocsin.sites.shell.publication import Publication
from tocsin.sites.site import Told
from tocsin.transports import SOURCE, address_of, publisher, subscribe

NOW = 1_700_000_000


@pytest.fixture
def together() -> Iterator[Together]:
    made = Together(memory_url())
    yield made
    made.close()


def told(number: int) -> Told:
    one = Detection("r", "r", NOW * SECOND, (NOW + number) * SECOND, NOW * SECOND, (f"e{number}",), id=f"d{number}")
    return Told("rule/x!", number, one)


def test_a_webhook_is_no_topic() -> None:
    with pytest.raises(UsageError, match="a topic is wanted here"):
        Outlet("http://127.0.0.1:1/hook")


def ids_at(url: str) -> list[str]:
    with subscribe(address_of(url, SOURCE)) as subscription:
        found = []
        while delivery := subscription.receive(0.1):
            found += [msgspec.json.decode(each.body)["id"] for each in delivery.messages]
        return found


def test_each_detection_goes_out_once_also_after_a_restart(tmp_path: Path) -> None:
    url = memory_url().replace("memory:", "memory:out-")
    for told_again in ([told(1), told(2)], [told(1), told(2), told(3)], [told(3)]):
        out = Outlet(url, tmp_path / "sent")
        out(told_again)
        out.close()
    assert ids_at(url) == ["d1", "d2", "d3"]


def follow(together: Together, url: str, count: int, **settings: int) -> Publication:
    """A topic's messages are published at A, until so many are safe there; asked for in a thread of its own."""
    guest = together.guest()
    together.guests.remove(guest)  # it takes its own turns
    publication = Publication(guest, "A")
    done = threading.Event()
    address = address_of(url, SOURCE)
    inlet = Inlet(address, publication, Intake(url, "skip"), "topic", ["a", "again"], **settings)

    def run() -> None:
        guest.look_around(30.0, lambda: len(guest.directory) == len(together.sites))
        inlet.run(done.is_set)

    thread = threading.Thread(target=run)
    thread.start()
    births = together.sites["A"].site.birthplace.births.sources
    together.until(lambda: "topic" in births and births["topic"].count >= count)
    done.set()
    together.until(lambda: not thread.is_alive())
    thread.join()
    guest.close()
    return publication


def put(url: str, *records: dict[str, object]) -> None:
    with publisher(address_of(url, SOURCE)) as out:
        for record in records:
            out.publish(Message(msgspec.json.encode(record), {}))
        out.flush()


def test_what_comes_to_a_topic_is_born_at_a_site_in_order(together: Together) -> None:
    url = memory_url().replace("memory:", "memory:in-")
    records = [{"type": "a", "id": f"a{at}", "time": NOW + at} for at in (0, 3, 1, 2, 9, 5, 20)]
    put(url, *records)
    publication = follow(together, url, 6, lateness=10 * SECOND)
    assert not publication.late
    assert together.sites["A"].site.birthplace.births.sources["topic"].count == 7
    assert list(together.sites["A"].site.birthplace.births.sources["topic"].ids) == [
        "a0",
        "a1",
        "a2",
        "a3",
        "a5",
        "a9",
        "a20",
    ]


def test_a_topic_that_is_followed_once_more_counts_once(together: Together) -> None:
    url = memory_url().replace("memory:", "memory:again-")
    put(url, {"type": "a", "id": "a1", "time": NOW}, {"type": "a", "id": "a2", "time": NOW + 1})
    follow(together, url, 2)
    put(url, {"type": "a", "id": "a2", "time": NOW + 1}, {"type": "a", "id": "a3", "time": NOW + 2})
    follow(together, url, 3)
    births = together.sites["A"].site.birthplace.births
    assert births.sources["topic"].count == 3
    assert births.late == 0


def test_detections_travel_out_through_a_neighbour_and_back_into_rules(together: Together) -> None:
    out_url = memory_url().replace("memory:", "memory:found-")
    back_url = memory_url().replace("memory:", "memory:back-")
    out = Outlet(out_url)
    guest = together.guest()
    together.request("C", program("a -> b"))
    together.announce(guest, {"sa": ("A", ["a"]), "sb": ("B", ["b"])})
    guest.reporter("A").report(event("a", "sa", "a1", NOW))
    guest.reporter("B").report(event("b", "sb", "b1", NOW + 1))
    for site, source in (("A", "sa"), ("B", "sb")):
        guest.reporter(site).beat(source, (NOW + 9) * SECOND)
    together.until(lambda: bool(together.told["C"]))
    out(together.told["C"])
    out.close()

    def neighbour(record: dict[str, object]) -> dict[str, object]:
        """What a service or a pipeline makes of a detection of the sites: one of its own."""
        return {"type": "again", "id": f"of-{record['id']}", "time": record["time"], "data": {"rule": record["type"]}}

    with subscribe(address_of(out_url, SOURCE)) as subscription:
        found = [msgspec.json.decode(each.body) for each in subscription.receive(1.0).messages]
    put(back_url, *map(neighbour, found))
    together.request("B", program("again -> again"), "over what comes back")
    put(back_url, {"type": "again", "id": "later", "time": NOW + 30})
    follow(together, back_url, 2)
    source = together.sites["A"].site.birthplace.births.sources["topic"]
    first = f"of-{together.told['C'][0].detection.id}"
    assert list(source.ids) == [first, "later"]
    together.guest().reporter("A").beat("topic", (NOW + 60) * SECOND)
    together.until(lambda: bool(together.told["B"]))
    assert [one.events for one in together.detections("B")] == [(first, "later")]
