"""When a notification is tried again: the same for the same notification, spread out, over days."""

from __future__ import annotations

from tocsin.service.deliveries.retries import HOUR, SECOND, Schedule


def test_soon_at_first_and_over_days() -> None:
    schedule = Schedule()
    pauses = [schedule.pause(attempt, "r/0/1") for attempt in range(1, schedule.attempts())]
    assert pauses[0] < 3 * SECOND
    assert 60 * HOUR < sum(pauses) < 96 * HOUR
    assert sum(pauses[:4]) > 60 * SECOND, "a receiver may fail for a minute"
    assert all(0.8 * plain <= pause <= 1.2 * plain for pause, plain in zip(pauses, schedule.pauses, strict=True))


def test_by_chance_but_always_the_same() -> None:
    schedule = Schedule()
    pauses = [schedule.pause(3, f"r/0/{number}") for number in range(500)]
    assert pauses == [schedule.pause(3, f"r/0/{number}") for number in range(500)]
    assert len(set(pauses)) > 490
    thirds = [sum(low <= pause / (30 * SECOND) < low + 0.1334 for pause in pauses) for low in (0.8, 0.9334, 1.0667)]
    assert min(thirds) > 120, "spread evenly"


def test_attempts_are_fewer_while_nothing_is_taken() -> None:
    schedule = Schedule()
    assert (schedule.attempts(), schedule.attempts(is_failing=True)) == (13, 2)
    assert Schedule((SECOND,), while_failing=5).attempts(is_failing=True) == 2
