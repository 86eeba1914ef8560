"""Parts that leave are written down by a copy of their site's process, which goes on meanwhile, or is killed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.sites.asked_worlds import event, program
from tests.sites.shell.deployments import SECOND, Together, memory_url
from tocsin.sites.shell.portraits import Painter

AT = 1_700_000_000
needs_copies = pytest.mark.skipif(not hasattr(os, "fork"), reason="a process cannot be copied here")


@needs_copies
def test_a_picture_shows_what_was_there_when_it_was_begun() -> None:
    painter, part = Painter(is_apart=True), ["a"]
    painter.begin("p", lambda: ",".join(part).encode())
    part.append("b")
    assert painter.is_busy
    assert painter.finished(waits=True) == {"p": b"a"}
    assert not painter.is_busy
    assert painter.finished() == {}


@needs_copies
def test_a_picture_that_fails_is_none() -> None:
    def fails() -> bytes:
        raise ValueError("no")

    painter = Painter(is_apart=True)
    painter.begin("p", fails)
    assert painter.finished(waits=True) == {"p": None}


def moving(together: Together) -> str:
    """A rule at C over events of A, of which it holds some, is about to move to B; its key."""
    guest = together.guest()
    together.request("C", program("x:a -> y:b", condition="x.k = y.k"))
    together.announce(guest, {"sa": ("A", ["a", "b"])})
    for number in range(300):
        guest.reporter("A").report(event("a", "sa", f"a{number}", AT + number / 100, k=number))
    site = together.sites["C"].site
    together.until(lambda: any(len(host.events) >= 299 for host in site.hosts.values()))
    together.until(lambda: "B" in site.neighbours.peers)
    return next(iter(site.hosts))


def told_of_the_rest(together: Together, key: str, is_there: Callable[[], bool]) -> None:
    together.until(is_there)
    guest = together.guests[0]
    for number in range(300):
        guest.reporter("A").report(event("b", "sa", f"b{number}", AT + 10 + number / 100, k=number))
    guest.reporter("A").beat("sa", (AT + 60) * SECOND)
    together.until(lambda: len(together.detections("C")) >= 300)
    assert sorted(each.events for each in together.detections("C")) == sorted((f"a{n}", f"b{n}") for n in range(300))


@needs_copies
def test_a_part_moves_while_its_site_goes_on() -> None:
    together = Together(memory_url(), paints_apart=True)
    try:
        key = moving(together)
        together.sites["C"].do(["tell", "C", ["move", key, "B", False]])
        sites = together.sites
        told_of_the_rest(together, key, lambda: key in sites["B"].site.hosts and key not in sites["C"].site.hosts)
    finally:
        together.close()


@needs_copies
@pytest.mark.parametrize("turns", [1, 2, 5, 30])
def test_a_site_that_is_killed_while_a_part_leaves_goes_on_with_that(tmp_path: Path, turns: int) -> None:
    together = Together(memory_url(), home=tmp_path, paints_apart=True)
    try:
        key = moving(together)
        together.sites["C"].do(["tell", "C", ["move", key, "B", False]])
        for _ in range(turns):
            together.turn()
        together.kill("C")
        together.start("C").do(["tell", "C", ["move", key, "B", False]])  # who asked heard nothing: he asks again
        sites = together.sites
        told_of_the_rest(together, key, lambda: key in sites["B"].site.hosts and key not in sites["C"].site.hosts)
    finally:
        together.close()


@needs_copies
def test_a_part_stays_if_its_picture_cannot_be_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    together = Together(memory_url(), paints_apart=True)
    try:
        key = moving(together)
        begin = Painter.begin

        def fails(painter: Painter, key: str, make: Callable[[], bytes]) -> None:
            begin(painter, key, lambda: bytes(-1))

        monkeypatch.setattr(Painter, "begin", fails)
        site = together.sites["C"].site
        monkeypatch.setattr(site, "portray", together.sites["C"]._painter.begin)
        together.sites["C"].do(["tell", "C", ["move", key, "B", False]])
        together.until(lambda: key in site.moves.leaving)
        told_of_the_rest(together, key, lambda: key not in site.moves.leaving)
        assert key in site.hosts
    finally:
        together.close()
