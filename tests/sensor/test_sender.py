"""Sensors in a simulated world: whatever goes wrong, in order, each once, and nothing is lost. No test here waits."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sensor.simulation import Machine, SimulatedService, World
from tocsin.formats.instants import to_instant
from tocsin.sensor import Refusal, Sensor, Trouble
from tocsin.time.spans import SECOND

FATES = st.sampled_from(["taken", "taken", "taken", "lost", "away", "busy", "barred"])
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("send"), st.integers(1, 30)),
        st.tuples(st.just("pass"), st.floats(0, 40)),
        st.tuples(st.just("beat"), st.just(0)),
        st.tuples(st.just("restart"), st.just(0)),
    ),
    max_size=25,
)


class Rig:
    """A sensor without threads, in a world of its own."""

    def __init__(self, **given: Any) -> None:
        self.world = World()
        self.machine = Machine(self.world)
        self.service = SimulatedService(self.world)
        self.given = given
        self.sensor = self.made()

    def made(self) -> Sensor:
        return Sensor(
            source="s1", service=self.service, clock=self.machine, background=False, **{"batch": 8, **self.given}
        )

    def run(self, seconds: float) -> None:
        """Lets time pass, and the sensor do what is due meanwhile."""
        until = self.world.time + seconds * SECOND
        while True:
            wait = self.sensor.turn()
            if wait is None or self.world.time + wait * SECOND > until:
                break
            self.world.pass_by(wait * SECOND + 1)
        self.world.time = max(self.world.time, until)


def number_of(event: dict[str, Any]) -> int:
    number = event["data"]["number"]
    assert isinstance(number, int)
    return number


@given(STEPS, st.lists(FATES, max_size=60), st.sets(st.integers(0, 100)), st.sets(st.integers(0, 100), max_size=4))
def test_nothing_is_lost_repeated_or_out_of_order(
    tmp_path_factory: pytest.TempPathFactory,
    steps: list[tuple[str, float]],
    fates: list[str],
    odd: set[int],
    bad: set[int],
) -> None:
    home = tmp_path_factory.mktemp("rig")
    refused: list[Refusal] = []
    rig = Rig(buffer=home, on_refused=refused.append, linger=0.05)
    coming = iter(fates)
    rig.service.fate = lambda: next(coming, "taken")
    rig.service.refuses = lambda event: number_of(event) in odd
    rig.service.spoils = lambda event: "data" in event and number_of(event) in bad
    sent = 0
    for what, amount in steps:
        if what == "send":
            for _ in range(int(amount)):
                rig.sensor.send("tick", number=sent)
                sent += 1
        elif what == "pass":
            rig.run(amount)
        elif what == "beat":
            rig.sensor.heartbeat()
        else:
            rig.sensor.close(timeout=0)
            rig.sensor = rig.made()
    rig.run(10_000)
    assert rig.sensor.stats.waiting == 0
    rig.sensor.close(0)
    taken = [number_of(event) for event in rig.service.events]
    assert taken == [number for number in range(sent) if number not in odd | bad]
    assert {number_of(each.event) for each in refused} == (odd | bad) & set(range(sent))  # type: ignore[arg-type]
    kept = home / "dead-letters.jsonl"
    assert len(refused) == (len(kept.read_text().splitlines()) if kept.exists() else 0)


@given(st.lists(st.sampled_from(["away", "busy", "barred", "lost"]), min_size=1, max_size=12))
def test_pauses_grow_have_a_limit_and_respect_the_service(fates: list[str]) -> None:
    troubles: list[Trouble] = []
    rig = Rig(stamps="local", longest_pause=20, linger=0, on_trouble=troubles.append)
    coming = iter(fates)
    rig.service.fate = lambda: next(coming, "taken")
    rig.sensor.send("tick", number=1)
    rig.run(1000)
    pauses = [(later - earlier) / SECOND for (earlier, _), (later, _) in pairwise(rig.service.posted)]
    assert len(pauses) == len(fates)
    for number, (fate, pause) in enumerate(zip(fates, pauses, strict=True)):
        longest = 20 if fate == "barred" else min(20, 0.25 * 2**number)
        if fate == "busy":
            assert 7 <= pause <= max(longest, 7 * 1.25) + 0.01
        else:
            assert longest / 2 <= pause <= longest + 0.01
    assert [each.attempts for each in troubles] == list(range(1, len(fates) + 1))
    assert [each.is_barred for each in troubles] == [fate == "barred" for fate in fates]
    assert rig.sensor.stats.trouble == ""


def test_events_wait_a_little_for_others_unless_they_are_many_or_hurried() -> None:
    rig = Rig(stamps="local", linger=1)
    rig.sensor.send("tick")
    rig.run(0.9)
    assert rig.service.posted == []
    rig.sensor.send("tick")
    rig.run(0.2)
    assert [len(events) for _, events in rig.service.posted] == [2]
    for _ in range(8):
        rig.sensor.send("tick")
    rig.run(0)
    assert [len(events) for _, events in rig.service.posted] == [2, 8]
    rig.sensor.send("tick")
    assert rig.sensor.flush()
    assert [len(events) for _, events in rig.service.posted] == [2, 8, 1]


def test_requests_are_bounded_in_bytes() -> None:
    rig = Rig(stamps="local", batch=100, batch_size=1000)
    for size in (10, 300, 600, 2000, 10):
        rig.sensor.send("tick", text="x" * size)
    assert rig.sensor.flush()
    assert [len(events) for _, events in rig.service.posted] == [2, 1, 1, 1]


def test_events_are_stamped_in_the_services_time() -> None:
    rig = Rig()
    rig.machine.wrong = -3600.0 * SECOND
    rig.service.delays = lambda: (2000.0, 9000.0)
    assert rig.sensor.synchronise()
    moments = []
    for _ in range(5):
        rig.world.pass_by(30 * SECOND)
        moments.append(rig.service.true_time())
        rig.sensor.send("tick")
    assert rig.sensor.flush()
    for moment, event in zip(moments, rig.service.events, strict=True):
        lo, hi = (to_instant(end, "time") for end in event["time"])
        assert lo <= moment <= hi
        assert hi - lo < 0.1 * SECOND


def test_until_the_service_has_told_its_time_the_machines_own_clock_is_trusted_a_little() -> None:
    rig = Rig(trust="2 sec")
    rig.machine.wrong = 1.5 * SECOND
    rig.service.fate = lambda: "away"
    rig.sensor.send("tick", number=1)
    rig.run(60)
    rig.service.fate = lambda: "taken"
    rig.run(60)
    (event,) = rig.service.events
    lo, hi = (to_instant(end, "time") for end in event["time"])
    assert hi - lo == 4 * SECOND
    assert lo <= 1_800_000_000 * SECOND <= hi


def test_the_service_is_asked_again_from_time_to_time() -> None:
    rig = Rig(probe="1 min")
    rig.run(1)
    asked = rig.sensor.stats.uncertainty
    assert asked is not None
    rig.run(58)
    later = rig.sensor.stats.uncertainty
    assert later is not None
    assert later > 10 * asked
    rig.run(5)
    again = rig.sensor.stats.uncertainty
    assert again is not None
    assert again < later / 5


def test_a_service_whose_clock_is_set_back_gets_no_earlier_ends() -> None:
    rig = Rig(probe=10)
    rig.run(1)
    rig.sensor.send("tick")
    rig.service.begun -= 3600 * SECOND
    rig.run(30)
    rig.sensor.send("tick")
    rig.run(30)
    assert rig.sensor.stats.clock_jumps == 1
    (_, before), (lo, after) = (tuple(to_instant(end, "time") for end in event["time"]) for event in rig.service.events)
    assert after == before + 1
    assert lo < before - 3000 * SECOND


def test_heartbeats_are_no_backlog(tmp_path: Path) -> None:
    rig = Rig(heartbeat=1, stamps="local", buffer=tmp_path)
    rig.service.fate = lambda: "away"
    rig.sensor.send("tick", number=1)
    rig.run(100)
    rig.service.fate = lambda: "taken"
    rig.service.posted.clear()
    rig.run(40)
    lines = [event for _, events in rig.service.posted for event in events]
    assert "data" in lines[0]
    beats = [to_instant(line["time"], "time") for line in lines[1:]]
    assert all(later > earlier for earlier, later in pairwise(beats))
    assert len(beats) < 45  # one a second, and none for the time in which nobody was there
