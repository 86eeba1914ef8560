"""Rates: a bucket never lets through more than it says, guessing is slowed, and memory stays bounded."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tocsin.errors import UsageError
from tocsin.service.access.limits import NEVER, Bucket, Guessing, GuessLimiter, RateLimiter, Rates, network_of
from tocsin.time.spans import SECOND

KEY = b"\x01" * 32
STEPS = st.lists(st.tuples(st.integers(0, SECOND // 2), st.integers(1, 10)), max_size=60)
"""How long after the last, and how many."""
FEW = st.integers(1, 12)
"""Rates and bursts that are used up soon."""


@given(FEW, FEW, STEPS)
def test_no_stretch_lets_through_more_than_the_rate_and_one_burst(
    rate: int, burst: int, steps: list[tuple[int, int]]
) -> None:
    bucket, now, passed = Bucket(rate, burst, 0), 0, list[tuple[int, int]]()
    for pause, count in steps:
        now += pause
        if bucket.take(count, now) == 0:
            passed.append((now, count))
    for first, (start, _) in enumerate(passed):
        total = 0
        for end, count in passed[first:]:
            total += count
            assert total * SECOND <= rate * (end - start) + burst * SECOND


@given(FEW, FEW, STEPS)
def test_who_waits_as_long_as_told_gets_through_and_no_sooner(
    rate: int, burst: int, steps: list[tuple[int, int]]
) -> None:
    bucket, now, passed = Bucket(rate, burst, 0), 0, 0
    for pause, count in steps:
        now += pause
        wait = bucket.take(count, now)
        assert (wait == NEVER) == (count > burst)
        if wait > 0:
            assert bucket.take(count, now + wait - 1) > 0
            now += wait
            assert bucket.take(count, now) == 0
        passed += count if wait != NEVER else 0
        assert passed * SECOND <= rate * now + burst * SECOND


@given(st.lists(st.integers(-10 * SECOND, 10 * SECOND), max_size=50))
def test_a_clock_that_jumps_back_gains_nothing_and_stops_nothing(steps: list[int]) -> None:
    bucket, now, passed, forward = Bucket(5, 5, 0), 0, 0, 0
    for step in steps:
        now, forward = now + step, forward + max(0, step)
        passed += bucket.take(1, now) == 0
    assert passed * SECOND <= 5 * forward + 5 * SECOND
    assert bucket.take(5, now + SECOND) == 0


def test_a_batch_above_the_burst_is_told_so_at_once() -> None:
    refusal = RateLimiter(Rates(events=10, events_at_once=20)).events("p", None, 21, 0)
    assert refusal is not None
    assert (refusal.code, refusal.status, refusal.retry_after) == ("batch-above-rate", 413, None)
    assert refusal.message == "21 events at once: at most 20 may come at once"


def test_requests_and_events_are_counted_apart_and_by_identity() -> None:
    limiter = RateLimiter(Rates(requests=1, requests_at_once=1, events=10, events_at_once=10))
    assert limiter.request("p", None, 0) is None
    refusal = limiter.request("p", None, 0)
    assert refusal is not None
    assert (refusal.code, refusal.status, refusal.retry_after) == ("too-many-requests", 429, 1)
    assert limiter.events("p", None, 10, 0) is None
    refusal = limiter.events("p", None, 5, 0)
    assert refusal is not None
    assert (refusal.code, refusal.wait) == ("too-many-events", SECOND // 2)
    assert limiter.request("q", None, 0) is None
    assert limiter.request("p", None, SECOND) is None


def test_a_key_of_its_own_rates_has_those() -> None:
    limiter, own = RateLimiter(Rates()), Rates(requests=1, requests_at_once=1)
    assert limiter.request("p", own, 0) is None
    assert limiter.request("p", own, 0) is not None
    assert limiter.request("q", None, 0) is None
    assert limiter.request("q", None, 0) is None


def test_the_limiter_remembers_only_so_many() -> None:
    limiter = RateLimiter(Rates(), most=10)
    for number in range(1000):
        limiter.request(str(number), None, 0)
    assert len(limiter) == 10


@pytest.mark.parametrize("told", [{"requests": 0}, {"events": 10**9}, {"events": True}, {"requests": "5"}])
def test_rates_that_are_none_are_an_error(told: dict[str, int]) -> None:
    with pytest.raises(UsageError, match="a rate has"):
        Rates.of_json(told)


# -- guessing ----------------------------------------------------------------------------------------------------------


def test_guessing_gets_slower_and_slower() -> None:
    limiter, now, waits = GuessLimiter(Guessing(free=3, pause=SECOND, longest=10 * SECOND)), 0, list[int]()
    for _ in range(9):
        refusal = limiter.check("10.0.0.1", KEY, now)
        waits.append(0 if refusal is None else refusal.wait)
        now += waits[-1]
        assert limiter.check("10.0.0.1", KEY, now) is None
        limiter.failed("10.0.0.1", now)
    assert waits == [each * SECOND for each in (0, 0, 0, 0, 1, 2, 4, 8, 10)]
    refusal = limiter.check("10.0.0.1", KEY, now)
    assert refusal is not None
    assert (refusal.code, refusal.status, refusal.retry_after) == ("too-many-failures", 429, 10)


def shut_out(limiter: GuessLimiter, address: str) -> None:
    for _ in range(50):
        limiter.failed(address, 0)
    assert limiter.check(address, b"other", 0) is not None


def test_others_are_not_slowed_by_who_guesses() -> None:
    limiter = GuessLimiter(Guessing())
    limiter.succeeded("10.0.0.1", KEY)
    shut_out(limiter, "10.0.0.1")
    assert limiter.check("10.0.0.1", KEY, 0) is None  # shares the address, and has got in before
    assert limiter.check("10.0.0.2", b"other", 0) is None
    assert limiter.check("10.0.0.3", KEY, 0) is None


def test_a_key_that_got_in_does_not_make_up_for_guesses() -> None:
    limiter = GuessLimiter(Guessing())
    shut_out(limiter, "10.0.0.1")
    limiter.succeeded("10.0.0.1", KEY)
    assert limiter.check("10.0.0.1", b"other", 0) is not None


def test_failures_are_forgotten() -> None:
    guessing = Guessing(free=1, forgotten=100 * SECOND)
    limiter = GuessLimiter(guessing)
    limiter.failed("10.0.0.1", 0)
    limiter.failed("10.0.0.1", 100 * SECOND)
    assert limiter.check("10.0.0.1", KEY, 100 * SECOND) is None


def test_a_clock_that_jumps_back_shuts_nobody_out_for_long() -> None:
    limiter = GuessLimiter(Guessing())
    for _ in range(50):
        limiter.failed("10.0.0.1", 10**15)
    assert limiter.check("10.0.0.1", KEY, 0) is None


def test_memory_is_bounded_whoever_comes() -> None:
    limiter = GuessLimiter(Guessing(most=7))
    for number in range(100):
        limiter.succeeded(f"10.0.0.{number}", KEY)
    assert len(limiter) == 7
    for number in range(100):
        limiter.failed(f"10.0.0.{number}", 0)
    assert len(limiter) == 14


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("::ffff:10.0.0.1", "10.0.0.1", True),
        ("fe80::1%eth0", "fe80::2%eth1", True),
        ("10.0.0.1", "10.0.0.2", False),
    ],
)
def test_what_counts_as_one_address(one: str, other: str, same: bool) -> None:
    assert (network_of(one) == network_of(other)) == same


@given(st.text())
def test_any_text_is_some_address(text: str) -> None:
    assert len(network_of(text)) <= 100
