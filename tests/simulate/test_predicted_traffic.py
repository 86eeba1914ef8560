"""What is predicted of a plan is about what real sites send: processes' code over `memory:`, on a clock of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from tests.simulate.test_deployment import HOT
from tocsin.simulate.deployment.description import Description
from tocsin.simulate.deployment.reading import described
from tocsin.simulate.deployment.trials import COUNTED, PACE, SETTLING, happenings, stated_rates
from tocsin.simulate.networks import kind_of
from tocsin.sites.links import Message
from tocsin.sites.placement.changes import carry_out, changes
from tocsin.sites.placement.plans import Plan, plan
from tocsin.sites.placement.policies import POLICIES
from tocsin.sites.shell.guest import Guest
from tocsin.sites.shell.process import SiteProcess
from tocsin.sites.shell.topics import broker_of

SECOND = 1_000_000
MESSAGE = 1_000
"""Microseconds that a message takes: then everybody has a turn."""
RECORD: dict[str, Any] = {
    "sink": "phone",
    "rules": [HOT],
    "links": [
        {"from": "gate", "to": "hall", "delay": 0.5},
        {"from": "lab", "to": "hall", "delay": 0.5},
        {"from": "hall", "to": "phone", "delay": 0.5, "cost": 20},
    ],
    "sources": {
        "gate": {"badge": {"rate": 6, "size": 180, "data": {"room": 10}}},
        "lab": {"temp": {"rate": 3, "size": 120, "data": {"room": 10, "degrees": {"from": 0, "to": 60}}}},
        "hall": {"login": {"rate": 1, "size": 160, "data": {"room": 10}}},
    },
}
_NUMBERS = count(1)


class RealSites:
    """The sites of a description as processes have them, each on the same clock, which goes on when all have done."""

    def __init__(self, about: Description) -> None:
        self.now = 1_000 * SECOND
        self.bytes: Counter[str] = Counter()
        """What sites sent to each other, by what it was about."""
        url = f"memory:predicted-{next(_NUMBERS)}"
        self.sites: dict[str, SiteProcess] = {}
        for name in about.sites:
            process = SiteProcess(name, broker_of(url), pace=PACE, wall=lambda: self.now * 1000)
            process.network.send = self._counted(process.network.send)  # type: ignore[method-assign]
            self.sites[name] = process
        self.guest = Guest(url, pace=PACE)
        for site in about.sites:
            if about.types(site):
                self.guest.reporter(site).source(site, about.types(site), is_stamped=True)

    def _counted(self, send: Any) -> Any:
        def counting(messages: Iterable[tuple[str, Message]]) -> None:
            messages = list(messages)
            for to, message in messages:
                if to in self.sites:
                    self.bytes[kind_of(message)] += len(msgspec.msgpack.encode(message))
            send(messages)

        return counting

    def run(self, until: int) -> None:
        """Everybody has a turn whenever something has come, or the clock of one is due."""
        while self.now < until:
            before = sum(self.bytes.values())
            self.guest.turn(0.0)
            for process in self.sites.values():
                process.turn()
            if sum(self.bytes.values()) > before:
                self.now += MESSAGE
            else:
                due = min(process.next_tick() for process in self.sites.values())
                self.now = min(until, max(due, self.now + 1))

    def close(self) -> None:
        for each in (*self.sites.values(), self.guest):
            each.close()


def sent_by_real_sites(about: Description, found: Plan, events: list[tuple[int, str, Any]], seconds: int) -> float:
    """Bytes a second that the sites send because of the plan."""
    sites = RealSites(about)
    try:
        begin = sites.now
        waiting = iter([*events, (1 << 60, "", None)])
        at, site, event = next(waiting)

        def live(until: int) -> None:
            nonlocal at, site, event
            while begin + at < until:
                sites.run(begin + at)
                sites.guest.reporter(site).report_now(event)
                at, site, event = next(waiting)
            sites.run(until)

        live(begin + SETTLING)
        carry_out(sites.sites[about.sink].site, changes(None, found.deployment))
        live(begin + 2 * SETTLING)
        sites.bytes.clear()
        live(begin + 2 * SETTLING + seconds * SECOND)
        return sum(sites.bytes[kind] for kind in COUNTED) / seconds
    finally:
        sites.close()


@pytest.mark.parametrize("policy", POLICIES)
def test_what_is_predicted_is_within_a_tenth_of_what_real_sites_send(policy: str, tmp_path: Path) -> None:
    about, seconds = described(yaml.safe_dump(RECORD), tmp_path / "my.yaml"), 300
    events = sorted(happenings(about, 2, seconds + 30), key=lambda each: each[0])
    rates = stated_rates(about, events, seconds + 30)
    directory = {site: {site: about.types(site)} if about.types(site) else {} for site in about.sites}
    found = plan(about.program, directory, about.sink, policy=policy, rates=rates, topology=about.topology)
    sent = sent_by_real_sites(about, found, events, seconds)
    assert found.predicted.total.bytes == pytest.approx(sent, rel=0.1)
