"""For how long a notification is tried again, as the settings say."""

from tocsin.service.deliveries.retries import DAYS, HOUR, MINUTE, PAUSES, SECOND, schedule_of


def test_as_many_pauses_as_there_is_time_for() -> None:
    assert schedule_of(DAYS).pauses == PAUSES
    assert schedule_of(MINUTE).pauses == (2 * SECOND, 10 * SECOND, 30 * SECOND)
    assert schedule_of(SECOND).pauses == ()
    assert schedule_of(SECOND).attempts() == 1


def test_nobody_is_waited_for_longer_than_that() -> None:
    assert schedule_of(MINUTE).pause(1, "x", retry_after=HOUR) <= MINUTE
