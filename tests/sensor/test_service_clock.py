"""The service's time by Cristian's method: whatever the delays and the drifts, the true time lies in the interval."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tests.sensor.simulation import Machine, SimulatedService, World
from tocsin.formats.instants import to_instant
from tocsin.sensor.service_clock import Estimate, Probe, ServiceClock, probes
from tocsin.sensor.stamps import InstantTexts, Stamper, Stamps
from tocsin.time.instants import render_instant
from tocsin.time.spans import SECOND

DRIFT = 200
DELAYS = st.floats(0, 3e6)
PAUSES = st.floats(0, 3e8)


@st.composite
def rates(draw: st.DrawFn) -> tuple[float, float]:
    """Rates of the counter and of the service's clock, whose ratio differs by the drift at most."""
    counter = draw(st.floats(0.9, 1.1))
    return counter, counter * (1 + draw(st.floats(-DRIFT, DRIFT)) / 1e6)


@given(
    rates(),
    st.floats(0, 1e12),
    st.lists(
        st.tuples(st.integers(1, 5), PAUSES, st.lists(st.tuples(DELAYS, DELAYS), min_size=5, max_size=5)),
        min_size=1,
        max_size=6,
    ),
    st.floats(0, 1e8),
)
def test_the_true_time_lies_in_the_interval(
    both: tuple[float, float], begun: float, bursts: list[tuple[int, float, list[tuple[float, float]]]], back: float
) -> None:
    world = World(1e9)
    machine = Machine(world, both[0])
    service = SimulatedService(world, both[1], begun)
    known = ServiceClock(DRIFT)
    for count, pause, delays in bursts:
        ways = iter(delays)
        service.delays = lambda ways=ways: next(ways)
        known.learn(probes(service.time, machine, count))
        assert known.jumps == 0
        for wait in (0.0, pause / 7, pause):
            world.pass_by(wait)
            interval = known.at(machine.reading())
            assert interval is not None
            assert interval.lo <= service.true_time() <= interval.hi
        passed, at_that_time = machine.reading(), service.true_time()
        world.pass_by(back)  # a moment that is past, by what was learnt since
        interval = known.at(passed)
        assert interval is not None
        assert interval.lo <= at_that_time <= interval.hi


@given(rates(), st.lists(st.tuples(DELAYS, DELAYS), min_size=2, max_size=5), st.floats(0, 1e6))
def test_a_moment_before_the_first_answer(
    both: tuple[float, float], delays: list[tuple[float, float]], before: float
) -> None:
    world = World(1e9)
    machine, service = Machine(world, both[0]), SimulatedService(world, both[1])
    reading, true = machine.reading(), service.true_time()
    world.pass_by(before)
    ways = iter(delays)
    service.delays = lambda: next(ways)
    known = ServiceClock(DRIFT)
    assert known.at(reading) is None
    known.learn(probes(service.time, machine, len(delays)))
    interval = known.at(reading)
    assert interval is not None
    assert interval.lo <= true <= interval.hi


def test_the_shortest_round_trip_is_kept_until_another_is_better() -> None:
    known = ServiceClock(DRIFT)
    known.learn([Probe(0, 500, 10**9), Probe(1000, 1100, 10**9 + 1050), Probe(2000, 2300, 10**9 + 2100)])
    assert known.estimate == Estimate(Probe(1000, 1100, 10**9 + 1050), DRIFT)
    known.learn([Probe(3000, 3400, 10**9 + 3150)])
    assert known.estimate is not None
    assert known.estimate.probe.asked == 1000
    late = 10 * SECOND  # by then 0.1 ms have become more than 0.4 ms
    known.learn([Probe(late, late + 400, 10**9 + late + 200)])
    assert known.estimate.probe.asked == late
    assert known.jumps == 0


def test_the_interval_grows_by_twice_the_drift() -> None:
    known = Estimate(Probe(0, 100, 10**9), DRIFT)
    widths = [interval.hi - interval.lo for interval in (known.at(second * SECOND) for second in (1, 11))]
    assert widths[1] - widths[0] == 2 * DRIFT * 10


def test_a_clock_that_was_set_is_believed_anew() -> None:
    known = ServiceClock(DRIFT)
    known.learn([Probe(0, 100, 10**9)])
    known.learn([Probe(SECOND, SECOND + 900, 10**9 - 3600 * SECOND)])
    assert known.jumps == 1
    interval = known.at(SECOND)
    assert interval is not None
    assert interval.hi < 10**9


@given(
    st.sampled_from(list(Stamps)),
    st.lists(st.tuples(st.booleans(), st.floats(0, 2e6), DELAYS, DELAYS), min_size=1, max_size=20),
)
def test_stamps_only_grow_and_hold_the_true_time(kind: Stamps, steps: list[tuple[bool, float, float, float]]) -> None:
    world = World(1e9)
    machine, service = Machine(world, 1.0, wrong=-400_000.0), SimulatedService(world, 1.0 + 50e-6)
    known = ServiceClock(DRIFT)
    stamper = Stamper(kind, machine, known, SECOND + 10**6)
    ends = []
    for asks, pause, there, back in steps:
        if asks:
            service.delays = lambda there=there, back=back: (there, back)
            known.learn(probes(service.time, machine, 1))
        world.pass_by(pause)
        stamp = stamper.stamp(machine.reading())
        if kind is Stamps.INTERVAL:
            assert stamp.lo <= service.true_time() <= stamp.hi
        else:
            assert stamp.lo == stamp.hi
        ends.append(stamp.hi)
    assert all(earlier < later for earlier, later in pairwise(ends))


@given(st.integers(-(10**15), 10**17))
def test_instants_are_written_as_everywhere(instant: int) -> None:
    text = InstantTexts().of(instant)
    assert to_instant(text, "time") == instant
    assert text.split(".")[0].rstrip("Z") == render_instant(instant).split(".")[0].rstrip("Z")
