"""A site in a network of its own, whose link is cut: what needs it waits and says so, and what is found is right."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.brokers.test_sites_kills import EXPRESSION, HANGS, SOURCES, Processes, lines, waited
from tests.sites.shell.deployments import expected, random_events
from tocsin.bench.brokers.servers import Nats
from tocsin.bench.peers.jars import Unavailable
from tocsin.rules.loader import load_expression
from tocsin.sites.shell.guest import Guest
from tocsin.sites.shell.publication import Publication


class Everywhere(Nats):
    """NATS that other networks reach, too."""

    def command(self) -> list[str]:
        command = super().command()
        command[command.index("--addr") + 1] = "0.0.0.0"
        return command


class Link:
    """A network with one cable to this one (iproute2)."""

    def __init__(self) -> None:
        number = os.getpid() % 60_000
        self.name, self._here, self._there = f"tocsin-{number}", f"tc{number}a", f"tc{number}b"
        self._net = f"10.{200 + number % 50}.{number // 50 % 250}"
        self.address = f"{self._net}.1"

    def make(self) -> None:
        """Lays the cable."""
        self._ip("netns", "add", self.name)
        self._ip("link", "add", self._here, "type", "veth", "peer", "name", self._there)
        self._ip("link", "set", self._there, "netns", self.name)
        self._ip("addr", "add", f"{self.address}/24", "dev", self._here)
        self._ip("-n", self.name, "addr", "add", f"{self._net}.2/24", "dev", self._there)
        self._ip("link", "set", self._here, "up")
        self._ip("-n", self.name, "link", "set", self._there, "up")

    @property
    def inside(self) -> list[str]:
        """What a command begins with that runs there."""
        return ["ip", "netns", "exec", self.name]

    def cut(self) -> None:
        """Nothing gets through."""
        self._ip("link", "set", self._here, "down")

    def heal(self) -> None:
        """It does again."""
        self._ip("link", "set", self._here, "up")

    def remove(self) -> None:
        """The network is gone, and its cable."""
        for words in (("link", "del", self._here), ("netns", "del", self.name)):
            subprocess.run(["ip", *words], check=False, capture_output=True)

    def _ip(self, *words: str) -> None:
        done = subprocess.run(["ip", *words], check=False, capture_output=True, text=True)
        if done.returncode:
            raise Unavailable(f"ip {' '.join(words)}: {done.stderr.strip()}")


@pytest.fixture
def link() -> Iterator[Link]:
    if shutil.which("ip") is None:
        pytest.skip("iproute2 is not installed: apt-get install iproute2")
    made = Link()
    try:
        made.make()
    except Unavailable as error:
        made.remove()
        pytest.skip(f"networks cannot be made on this machine: {error}")
    yield made
    made.remove()


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Nats]:
    made = Everywhere(tmp_path / "nats")
    try:
        made.start()
    except Unavailable as error:
        pytest.skip(str(error))
    yield made
    made.kill()


@pytest.mark.slow
def test_a_site_that_is_cut_off_blocks_what_needs_it_and_nothing_is_lost(
    broker: Nats, link: Link, tmp_path: Path
) -> None:
    random = Random(4)
    events = random_events(random, SOURCES, 160)
    due = expected(load_expression(EXPRESSION, "eps"), events)
    sites = Processes(broker, tmp_path)
    try:
        for name in "AC":
            sites.start(name)
        sites.start("B", link.inside, broker.url("kills").replace("127.0.0.1", link.address))
        with Guest(broker.url("kills")) as guest:
            waited(guest, lambda: len(guest.directory) == 3, sites)
            publications = {site: Publication(guest, site, patience=HANGS) for site in "BC"}
            for source, (site, types) in SOURCES.items():
                publications[site].announce(source, types)
            for number, event in enumerate(events):
                publications[SOURCES[event.source][0]].report(event)
                guest.turn(0.0)
                if number % 40 == 20:
                    link.cut()
                elif number % 40 == 30:
                    # A says for whom it waits, as soon as it has something that needs B.
                    waited(guest, lambda: "B" in {key[1][0] for key in guest.directory["A"]["blocked"]}, sites)
                    link.heal()
            for site in "BC":
                publications[site].finish(ends=True)
            waited(guest, lambda: len(lines(sites.found)) >= len(due), sites)
        sites.end()
    finally:
        sites.close()
    told = [json.loads(line)["id"] for line in lines(sites.found)]
    assert sorted(told) == sorted(one.id for one in due)
    assert due
