"""Four sites of a plant over NATS, with traffic: what the page's map of sites shows.

with Plant(folder) as plant:
    plant.report(20)         # rounds of events
    plant.url                # for `tocsin serve --sites`
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from tocsin.bench.brokers.servers import Nats
from tocsin.events import Event
from tocsin.sites.shell.guest import Guest

SOURCES: Final = {
    "doors": ("gate", ["badge", "door"]),
    "cameras": ("hall", ["motion", "person"]),
    "sensors": ("roof", ["hot", "smoke"]),
}
"""Each source, the site where its events are born, and their types."""
TELLS: Final = "office"
"""Where the rules are asked for."""
RULES: Final = """\
rules:
  - {name: intruder, language: sel, expression: "(door -> motion -> person) in 1 minute", by: room}
  - {name: fire, language: sel, expression: "(hot -> smoke) in 1 minute", by: room}
  - {name: evacuation, language: sel, expression: "(door -> hot -> smoke) in 2 minutes", by: room}
"""
PATIENCE: Final = 60.0
_COMMAND: Final = [sys.executable, "-c", "import sys; from tocsin.cli import main; sys.exit(main())"]


class Plant:
    """The broker and the sites as processes of ours, and somebody who reports events to them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._broker = Nats(folder / "nats")
        self._sites: dict[str, subprocess.Popen[bytes]] = {}
        self._numbers = 0
        self._guest: Guest | None = None

    def __enter__(self) -> Self:
        try:
            self._broker.start()
            rules = self.folder / "rules.yaml"
            rules.write_text(RULES)
            for name in dict.fromkeys(site for site, _ in SOURCES.values()):
                self.start(name)
            self.start(TELLS, "--policy", "near-sources", str(rules))
            self._guest = Guest(self.url, "plant")
            self._announce(self._guest)
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    @property
    def url(self) -> str:
        """The broker, with the name of the deployment."""
        return self._broker.url("plant")

    def start(self, name: str, *more: str) -> None:
        """Starts a site, in the directory that it had."""
        data = ["--data", str(self.folder / name), "--sync", "process", "--output", str(self.folder / f"{name}.jsonl")]
        said = self.folder / f"{name}.log"
        with said.open("wb") as log:
            self._sites[name] = subprocess.Popen(
                [*_COMMAND, "site", "--name", name, "--broker", self.url, *data, *more],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
            )

    def cut_off(self, name: str) -> None:
        """A site stands still, which is to others as if it were cut off."""
        self._sites[name].send_signal(signal.SIGSTOP)

    def heal(self, name: str) -> None:
        """It goes on."""
        self._sites[name].send_signal(signal.SIGCONT)

    def kill(self, name: str) -> None:
        """Ends a site without a word."""
        process = self._sites.pop(name)
        process.kill()
        process.wait()

    def close(self) -> None:
        """Ends all of it."""
        if self._guest is not None:
            self._guest.close()
        for name in list(self._sites):
            self.kill(name)
        self._broker.kill()

    # -- events --------------------------------------------------------------------------------------------------------

    def report(self, rounds: int, without: str = "") -> None:
        """Something happens at each site, and time goes on at each source; but not at one that is cut off."""
        for _ in range(rounds):
            self._numbers += 1
            for source, (site, types) in SOURCES.items():
                if site != without:
                    self._say(source, site, types)
            self._turn(0.05)

    def _say(self, source: str, site: str, types: list[str]) -> None:
        """One event of each type, a thousandth of a second apart, so that each stands for itself."""
        assert self._guest is not None
        reporter = self._guest.reporter(site)
        for kind in types:
            now = time.time_ns() // 1000
            identity = f"{kind}-{self._numbers}"
            reporter.report(Event(kind, now, now, identity, source, {"room": f"F{self._numbers}"}, now))
            self._turn(0.001)
        reporter.beat(source, time.time_ns() // 1000)

    def _turn(self, seconds: float) -> None:
        assert self._guest is not None
        self._guest.wait(lambda: False, seconds)

    def _announce(self, guest: Guest) -> None:
        """The sources are there, and the rules hear of them."""
        names = {TELLS, *(site for site, _ in SOURCES.values())}
        assert guest.wait(lambda: self._are_there(guest, names), PATIENCE), "the sites do not come"
        for source, (site, types) in SOURCES.items():
            guest.reporter(site).source(source, types)
        assert guest.wait(lambda: self._are_heard(guest.directory), PATIENCE), "the rules do not run"

    def _are_there(self, guest: Guest, names: set[str]) -> bool:
        return names <= guest.directory.keys()

    def _are_heard(self, said: Mapping[str, Mapping[str, Any]]) -> bool:
        """Whether there is a part for each rule, and each source is known."""
        rules = {name for one in said.values() for part in one["parts"].values() for name in part["rules"]}
        sources = {source for one in said.values() for source in one["sources"]}
        return len(rules) >= RULES.count("name:") and sources >= SOURCES.keys()
