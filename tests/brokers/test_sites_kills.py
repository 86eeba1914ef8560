"""Sites as processes, over NATS, MQTT and Kafka: killed again and again, and the broker too. Each detection is told once, none is lost."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

import pytest

from tests.sites.shell.deployments import expected, random_events
from tocsin.bench.brokers.servers import Broker, Kafka, Mosquitto, Nats
from tocsin.bench.peers.jars import Unavailable
from tocsin.rules.loader import load_expression
from tocsin.sites.shell.guest import Guest
from tocsin.sites.shell.publication import Publication

SOURCES = {"s1": ("B", ["a", "b"]), "s2": ("C", ["b", "c"]), "s3": ("C", ["a"])}
EXPRESSION = "a ; b"
KILLS = int(os.environ.get("TOCSIN_KILLS", "5"))
"""Of sites; of the broker two in five. `make chaos` kills fifty times."""
BETWEEN = 40
"""Events between two kills."""
HANGS = 120.0


class Processes:
    """Sites as processes of this machine."""

    def __init__(self, broker: Broker, home: Path) -> None:
        self._broker, self._home = broker, home
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, name: str, inside: Sequence[str] = (), url: str | None = None) -> None:
        """Starts a site, or starts it again; inside of what a command makes, at another address of the broker."""
        broker = self._broker.url("kills") if url is None else url
        command = [*inside, sys.executable, "-m", "tocsin.cli", "site", "--name", name, "--broker", broker]
        command += ["--data", str(self._home / name), "--sync", "process"]
        if name == "A":
            command += ["-e", EXPRESSION, "--lang", "eps", "--output", str(self.found)]
        with open(self._home / f"{name}.log", "ab") as log:
            self._running[name] = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL)

    def revive(self) -> None:
        """Starts those again that have ended by themselves: a broker that is just coming back may not take them yet."""
        for name, process in list(self._running.items()):
            if process.poll() is not None:
                self.start(name)

    @property
    def found(self) -> Path:
        """Where detections are written."""
        return self._home / "found.jsonl"

    def kill(self, name: str) -> None:
        """Kills a site, as a power failure would."""
        process = self._running.pop(name)
        process.kill()
        process.wait()

    def end(self) -> None:
        """Ends all of them as a person would."""
        for process in self._running.values():
            process.terminate()
        for process in self._running.values():
            assert process.wait(HANGS) == 0
        self._running.clear()

    def close(self) -> None:
        for name in list(self._running):
            self.kill(name)

    def logs(self) -> str:
        """What they said."""
        return "\n".join(f"{path.name}: {path.read_text()}" for path in sorted(self._home.glob("*.log")))


@pytest.fixture(params=[Nats, Mosquitto, Kafka], ids=["nats", "mosquitto", "kafka"])
def broker(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Broker]:
    if request.param is Kafka and "TOCSIN_KILLS" not in os.environ:
        pytest.skip("a broker of Kafka takes long to come back: make chaos kills it")
    made = request.param(tmp_path / "broker")
    try:
        made.start()
    except Unavailable as error:
        pytest.skip(str(error))
    yield made
    made.kill()


@pytest.fixture
def sites(broker: Broker, tmp_path: Path) -> Iterator[Processes]:
    made = Processes(broker, tmp_path)
    yield made
    made.close()


def waited(guest: Guest, so: Callable[[], bool], sites: Processes) -> None:
    """Lets the guest go on until something is so."""

    def is_so() -> bool:
        sites.revive()
        return so()

    assert guest.wait(is_so, HANGS), sites.logs()


def lines(path: Path) -> list[str]:
    """The whole lines of a file."""
    return path.read_text().splitlines() if path.exists() else []


@pytest.mark.slow
def test_killed_sites_and_brokers_lose_nothing_and_tell_nothing_twice(broker: Broker, sites: Processes) -> None:
    random = Random(KILLS)
    events = random_events(random, SOURCES, BETWEEN * (KILLS + 1))
    due = expected(load_expression(EXPRESSION, "eps"), events)
    for name in "ABC":
        sites.start(name)
    begun = time.monotonic()
    with Guest(broker.url("kills")) as guest:
        waited(guest, lambda: len(guest.directory) == 3, sites)
        publications = {site: Publication(guest, site, patience=HANGS) for site in "BC"}
        for source, (site, types) in SOURCES.items():
            publications[site].announce(source, types)
            assert not publications[site].unheard
        killed = broken = 0
        for number, event in enumerate(events, 1):
            publications[SOURCES[event.source][0]].report(event)
            guest.turn(0.0)
            if number % BETWEEN == 0 and killed < KILLS:
                name = random.choice("AABC")
                sites.kill(name)
                killed += 1
                if killed * 2 // 5 > broken:
                    broken += 1
                    broker.kill()
                    broker.start()
                sites.start(name)
                if random.random() < 0.5:  # it may be killed while it comes back, or once it has
                    guest.heard.pop(name, None)
                    waited(guest, lambda: name in guest.heard, sites)  # noqa: B023 - called before it changes
        for site in "BC":
            publications[site].finish(ends=True)
        waited(guest, lambda: len(lines(sites.found)) >= len(due), sites)
    sites.end()
    told = [json.loads(line) for line in lines(sites.found)]
    assert sorted(one["id"] for one in told) == sorted(one.id for one in due)
    assert [one["detected"] for one in told] == sorted(one["detected"] for one in told)
    assert due
    print(
        f"{killed} kills of sites and {broken} of the broker in {time.monotonic() - begun:.0f} s:"
        f" {len(told):,} detections of {len(events):,} events, each once"
    )
