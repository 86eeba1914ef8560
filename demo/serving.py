"""`make serve-demo`: the service on the demo's rules, with a campus that reports to it live, and its page to watch it.

python -m demo.serving [--port N] [--seconds N]
"""

from __future__ import annotations

import argparse
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tocsin.service.client import Client
from tocsin.service.rules_files import documents_of

RULES: Final = Path(__file__).resolve().parent / "rules"
FILES: Final = ("campus.eps", "campus.yaml")
SEVERITIES: Final = {
    "got_in": "critical",
    "forced_door": "critical",
    "guessing": "high",
    "flapping": "high",
    "overloaded": "high",
    "heating_up": "medium",
    "unanswered": "medium",
    "cold_room": "low",
    "stays_full": "low",
    "mistyped": "informational",
}
PIGEON_LOFT: Final = {
    "name": "pigeon_loft",
    "language": "pretty",
    "expression": "door at least 4 times with the same room within 2 minutes",
    "window": "10 minutes",
    "severity": "medium",
    "notify": "{first(door.room)} is like a pigeon loft",
}
TICK: Final = 0.25
"""Seconds between two bodies of events."""
PATIENCE: Final = 60.0

Report = tuple[float, dict[str, Any]]
"""An event, and after how many seconds of its episode it comes."""


class Traffic:
    """What a campus reports: readings that mean nothing, and now and then an episode that some rule finds."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self._waiting: list[Report] = []

    def at(self, now: float) -> list[dict[str, Any]]:
        """The events of a moment, in seconds since the beginning."""
        if self.chance.random() < 0.12:
            self._waiting += [(now + delay, event) for delay, event in self._episode()]
        due = [event for at, event in self._waiting if at <= now]
        self._waiting = [each for each in self._waiting if each[0] > now]
        return due + [self._reading() for _ in range(self.chance.randint(0, 3))]

    def _room(self) -> str:
        return f"F{self.chance.choice('ABE')}{self.chance.randint(1, 12):02}"

    def _reading(self) -> dict[str, Any]:
        room = self._room()
        link, user = f"link-{self.chance.randint(1, 8)}", self.chance.choice(("ann", "bob", "eve", "joe"))
        return self.chance.choice(
            (
                {"type": "temp", "source": "thermometers", "room": room, "degrees": self.chance.randint(18, 24)},
                {"type": "motion", "source": "cameras", "room": room},
                {"type": "badge", "source": "doors", "room": room, "user": user},
                {"type": "link_load", "source": "network", "link": link, "percent": self.chance.randint(20, 80)},
                {"type": "login_ok", "source": "logins", "user": user},
            )
        )

    def _episode(self) -> Iterator[Report]:
        room, link, user = self._room(), f"link-{self.chance.randint(1, 8)}", f"user{self.chance.randint(1, 40)}"
        failed = {"type": "login_failed", "source": "logins", "user": user}
        door = {"type": "door", "source": "doors", "room": room}
        down = {"type": "link_down", "source": "network", "link": link}
        alarm = {"type": "alarm", "source": "alarms", "room": room}
        episodes: tuple[tuple[dict[str, Any], ...], ...] = (
            (failed, failed, failed, {"type": "login_ok", "source": "logins", "user": user}),
            (failed,) * 5,
            (failed, failed, {"type": "login_ok", "source": "logins", "user": user}),
            (door, {"type": "temp", "source": "thermometers", "room": room, "degrees": self.chance.randint(9, 14)}),
            tuple({"type": "temp", "source": "thermometers", "room": room, "degrees": each} for each in (28, 31)),
            ({"type": "link_load", "source": "network", "link": link, "percent": 98}, down),
            (down, {"type": "link_up", "source": "network", "link": link}, down),
            ({"type": "lock", "source": "doors", "room": room}, door),
            (alarm, {"type": "ack", "source": "alarms", "room": room}),
            (alarm,),
            (door,) * 5,
        )
        delay = 0.0
        for event in self.chance.choice(episodes):
            yield delay, event
            delay += self.chance.uniform(0.3, 1.5)


class Served:
    """A service of its own with the demo's rules, in a folder that goes when it ends."""

    def __init__(self, port: int, *more: str) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="tocsin-demo-")
        program = "import sys; from tocsin.cli import main; sys.exit(main())"
        store = str(Path(self._folder.name) / "tocsin.db")
        self._process = subprocess.Popen(
            [sys.executable, "-c", program, "serve", "--store", store, "--port", str(port), *more],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        )
        assert self._process.stdout is not None
        said = ""
        for line in self._process.stdout:
            said += line
            if line.startswith("try: "):
                break
        told = re.search(r"listening on (\S+)[\s\S]*told this once: (\S+)", said)
        if told is None:
            self.stop()
            sys.exit("the service did not start: the lines above say why")
        self.url, self.key = told[1], told[2]
        self.client = Client(self.url, self.key)

    @property
    def process(self) -> int:
        """The service's process."""
        return self._process.pid

    def ask(self) -> None:
        """Asks for all the demo's rules."""
        documents = [each for name in FILES for each in documents_of((RULES / name).read_text(), name)]
        for document in (*documents, PIGEON_LOFT):
            severity = SEVERITIES.get(str(document["name"]))
            self.client.call(
                "POST", "/v1/requests", document if severity is None else {**document, "severity": severity}
            )

    def stop(self) -> None:
        """Ends it, and removes what it kept."""
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(PATIENCE)
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._folder.cleanup()


def report(served: Served, seconds: float, seed: int = 7) -> None:
    """Sends live traffic for so long."""
    traffic, begin = Traffic(seed), time.monotonic()
    while (now := time.monotonic() - begin) < seconds:
        events = traffic.at(now)
        if events:
            served.client.call("POST", "/v1/events", events)
        time.sleep(TICK)


def main() -> int:
    """Serves until it is interrupted."""
    parser = argparse.ArgumentParser(description="the service on the demo's rules, with live traffic, and its page")
    parser.add_argument("--port", type=int, default=8750, help="where to listen; 0 takes a free port")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="how long to go on")
    options = parser.parse_args()
    served = Served(options.port)
    try:
        served.ask()
        print(f"open {served.url}/ and sign in with {served.key}\nCtrl-C ends it", flush=True)
        report(served, options.seconds)
    except KeyboardInterrupt:
        print()
    finally:
        served.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
